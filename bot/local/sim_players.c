#include "bot/local/sim_players.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/vocabulary.h"

const char *const actor_names[] = {
    "Anna", "Bob",   "Carl", "Dora", "Emil",  "Frida",
    "Gert", "Hanna", "Ida",  "Jan",  "Karin", NULL,
};

/* ---- words --------------------------------------------------------------- */

/* What players say is in the catalogue's texts `talk_…`, several lines each. */
/* ---- scenarios ----------------------------------------------------------- */

/* What a post is for: part of its key; its whim depends on it. */
enum purpose {
    PURPOSE_ACT,
    PURPOSE_WRONG, /* an act that won't count, before it */
    PURPOSE_AGAIN, /* the act once more, or another one */
    PURPOSE_CLAIM, /* what cards there were */
    PURPOSE_CARD,  /* what a power has shown */
    PURPOSE_EXCUSE,
    PURPOSE_DM,
    PURPOSES,
};

static const char *const purpose_names[PURPOSES] = {
    "act", "wrong", "again", "claim", "card", "excuse", "talk",
};

/* What replaces the messages' words in curly brackets. */
struct words {
    const char *of[26];
};

/* One seat, while one question is open. */
struct scenario {
    const struct cast *cast;
    const struct table *table;
    struct schedule *schedule;
    int64_t opened, span; /* of the question, without extensions */
    struct strategy strategy;
    unsigned seat;
    struct words words;
    const struct catalogue *catalogue; /* of the table */
    struct vocabulary vocabulary;
    struct buf ja, nein, approved, declined; /* its single words */
    struct buf two, three;                   /* cards */
};

static void
set_word(struct scenario *scenario, char message, const char *text)
{
    assert(message >= 'a' && message <= 'z');
    scenario->words.of[message - 'a'] = text;
}

static void
set_name(struct scenario *scenario, char message, unsigned seat)
{
    const struct table *table = scenario->table;
    set_word(scenario, message,
             seat < table->seated ? table->people[seat].name : "nobody");
}

/* A small number, as a word of its own. */
static void
set_number(struct scenario *scenario, char message, unsigned number)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4"};
    assert(number < sizeof(digits) / sizeof(digits[0]));
    set_word(scenario, message, digits[number]);
}

static const char *
message_of(const struct scenario *scenario, bool liberal)
{
    return language_find(&scenario->catalogue->language,
                         liberal ? "letter_liberal" : "letter_fascist");
}

/* Cards as people write them, fascist ones first. */
static void
set_cards(struct scenario *scenario, char message, unsigned liberals,
          unsigned of)
{
    struct buf *cards = of == 3 ? &scenario->three : &scenario->two;
    assert(liberals <= of && (of == 2 || of == 3));
    buf_clear(cards);
    for (unsigned i = 0; i < of; i++) {
        buf_add_text(cards, message_of(scenario, i + liberals >= of));
    }
    set_word(scenario, message, buf_text(cards));
}

static void
append(char *text, size_t *len, const char *more, size_t more_len)
{
    if (more_len < POSTING_TEXT_MAX - *len) {
        memcpy(text + *len, more, more_len);
        *len += more_len;
    }
    text[*len] = '\0';
}

/* One of the lines that a text has, borrowed. */
struct line {
    const char *text;
    size_t len;
};

static void
fill_in(const struct words *words, struct line form, char *text)
{
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < form.len;) {
        const char *at = form.text + i;
        bool blank = form.len - i >= 3 && at[0] == '{' && at[1] >= 'a' &&
                     at[1] <= 'z' && at[2] == '}';
        if (blank) {
            const char *word = words->of[at[1] - 'a'];
            assert(word != NULL);
            append(text, &len, word, strlen(word));
        } else {
            append(text, &len, at, 1);
        }
        i += blank ? 3 : 1;
    }
}

/* How many lines, separated by `|`, the catalogue has under a key. */
static unsigned
count_lines(const struct scenario *scenario, const char *key)
{
    const char *at = language_find(&scenario->catalogue->language, key);
    unsigned count = 1;
    assert(at != NULL); /* `make test` makes sure */
    while ((at = strchr(at, '|')) != NULL) {
        count++;
        at++;
    }
    return count;
}

static struct line
line_of(const struct scenario *scenario, const char *key, unsigned number)
{
    const char *at = language_find(&scenario->catalogue->language, key);
    for (unsigned i = 0; i < number; i++) {
        at = strchr(at, '|') + 1;
    }
    return (struct line){at, strcspn(at, "|")};
}

static struct line
pick(const struct scenario *scenario, const char *key, struct whim *whim)
{
    return line_of(scenario, key, whim_below(whim, count_lines(scenario, key)));
}

/* Make room for a post at that time; posts of the same time stay in order. */
static struct posting *
schedule_add(struct schedule *schedule, int64_t at)
{
    unsigned place = schedule->count;
    assert(schedule->count < SCHEDULE_MAX);
    while (place > 0 && schedule->list[place - 1].at > at) {
        place--;
    }
    memmove(&schedule->list[place + 1], &schedule->list[place],
            (schedule->count - place) * sizeof(schedule->list[0]));
    schedule->count++;
    memset(&schedule->list[place], 0, sizeof(schedule->list[place]));
    schedule->list[place].at = at;
    return &schedule->list[place];
}

static struct posting *
put(struct scenario *scenario, enum purpose purpose, int64_t at,
    struct line form)
{
    struct posting *posting = schedule_add(scenario->schedule, at);
    posting->number = scenario->seat;
    (void)snprintf(posting->author, sizeof(posting->author), "%s",
                   scenario->table->people[scenario->seat].user);
    (void)snprintf(posting->key, sizeof(posting->key), "%u.%u.%s",
                   scenario->table->phase, scenario->seat,
                   purpose_names[purpose]);
    fill_in(&scenario->words, form, posting->text);
    return posting;
}

static struct whim
whim_for(const struct scenario *scenario, enum purpose purpose)
{
    struct whim whim;
    whim_init(&whim, scenario->cast, scenario->table->id,
              scenario->table->phase, scenario->seat, (unsigned)purpose);
    return whim;
}

/* A time in the question's span, between two thousandths of it. */
static int64_t
moment(const struct scenario *scenario, unsigned from, unsigned to,
       struct whim *whim)
{
    int64_t permille = from + whim_below(whim, to - from);
    int64_t at = scenario->opened + scenario->span / 1000 * permille;
    if (scenario->span >= HOUR_MS) {
        at += (int64_t)whim_below(whim, 60) * SECOND_MS;
    }
    return at - at % SECOND_MS;
}

/* Neighbours say different things about the same question. */
static void
dm(struct scenario *scenario, enum purpose purpose, unsigned from, unsigned to,
   const char *forms, struct whim *whim)
{
    struct whim common;
    unsigned count = count_lines(scenario, forms);
    whim_init(&common, scenario->cast, scenario->table->id,
              scenario->table->phase, NO_SEAT, (unsigned)purpose);
    unsigned chosen = (whim_below(&common, count) + scenario->seat) % count;
    put(scenario, purpose, moment(scenario, from, to, whim),
        line_of(scenario, forms, chosen))
        ->opening = true;
}

/* ---- late, wrong, twice -------------------------------------------------- */

/* Somebody who has missed a deadline is careful, and so is a table that has
 * seen several missed. */
static bool
is_late(const struct scenario *scenario, unsigned permille, struct whim *whim)
{
    unsigned missed = 0;
    for (unsigned seat = 0; seat < scenario->table->seated; seat++) {
        missed += table_misses(scenario->table, seat);
    }
    bool careful =
        table_misses(scenario->table, scenario->seat) > 0 || missed > 2;
    return whim_chance(whim, careful ? permille / 10 : permille);
}

/* Add the act itself and, so many times in a thousand, a wrong one before it
 * (forms NULL: none); when it comes. */
struct act {
    struct line form;
    const char *wrong; /* a key */
    unsigned wrong_permille, late_permille;
    unsigned from, to; /* thousandths of the question's span */
    bool in_private, wrong_in_thread;
};

static int64_t
put_act(struct scenario *scenario, const struct act *act)
{
    struct whim whim = whim_for(scenario, PURPOSE_ACT);
    int64_t at = moment(scenario, act->from, act->to, &whim);
    if (is_late(scenario, act->late_permille, &whim)) {
        at += scenario->span / 1000 * 1100 + scenario->table->settings.grace;
    } else if (act->wrong != NULL && whim_chance(&whim, act->wrong_permille)) {
        int64_t before = scenario->span / 1000 * (6 + whim_below(&whim, 14));
        struct line form = pick(scenario, act->wrong, &whim);
        put(scenario, PURPOSE_WRONG, at - before, form)->in_private =
            act->in_private && !act->wrong_in_thread;
    }
    put(scenario, PURPOSE_ACT, at, act->form)->in_private = act->in_private;
    return at;
}

/* ---- conversation -------------------------------------------------------- */

/* This many of all players speak up. */
static bool
speaks_up(const struct scenario *scenario, unsigned of_all, struct whim *whim)
{
    return whim_chance(whim, of_all * 1000 / scenario->table->seated);
}

/* The round before the current one, or NULL. */
static const struct past_round *
last_round(const struct scenario *scenario)
{
    const struct table *table = scenario->table;
    return table->past_count < 2 ? NULL : &table->past[table->past_count - 2];
}

/* The power that a round's policy has brought, or POWER_NONE. */
static enum power
power_after(const struct scenario *scenario, const struct past_round *round)
{
    const struct game *game = &scenario->table->game;
    bool fascist = round->outcome == PAST_ENACTED && !round->liberal;
    return fascist && game->fascist > 0 && game->fascist < FASCIST_WIN
               ? game_track_power(game->players, game->fascist)
               : POWER_NONE;
}

/* The government tells what it saw, as soon as it may. */
static void
claim_cards(struct scenario *scenario, const struct past_round *round)
{
    struct whim whim = whim_for(scenario, PURPOSE_CLAIM);
    bool presided = scenario->seat == round->president;
    if (round->outcome != PAST_ENACTED ||
        !(presided || scenario->seat == round->chancellor)) {
        return;
    }
    struct claim claim =
        strategy_claim(scenario->cast, scenario->table, round, scenario->seat);
    const char *forms = "talk_chancellor_claims";
    if (presided) {
        set_cards(scenario, 'd', claim.drawn, 3);
        forms = claim.drawn == 0 ? "talk_president_claims_worst"
                                 : "talk_president_claims";
    } else if (claim.passed == 0) {
        forms = "talk_chancellor_claims_worst";
    }
    set_cards(scenario, 'h', claim.passed, 2);
    dm(scenario, PURPOSE_CLAIM, presided ? 4 : 8, presided ? 8 : 14, forms,
       &whim);
}

static unsigned
investigated_by(const struct scenario *scenario)
{
    for (unsigned other = 0; other < scenario->table->seated; other++) {
        if (scenario->table->investigated_by[other] == scenario->seat) {
            return other;
        }
    }
    return NO_SEAT;
}

/* The last president tells what a power has shown. */
static void
claim_power(struct scenario *scenario, const struct past_round *round)
{
    struct whim whim = whim_for(scenario, PURPOSE_CARD);
    enum power power = power_after(scenario, round);
    unsigned target = investigated_by(scenario);
    bool candidate = scenario->seat == scenario->strategy.president;
    if (scenario->seat != round->president || candidate) {
        return;
    }
    if (power == POWER_PEEK && scenario->table->game.draw.count >= HAND_TILES) {
        unsigned liberals =
            strategy_peek(scenario->cast, scenario->table, scenario->seat);
        set_cards(scenario, 'd', liberals, 3);
        dm(scenario, PURPOSE_CARD, 15, 22, "talk_peeks", &whim);
    } else if (power == POWER_INVESTIGATE && target != NO_SEAT) {
        enum known found =
            strategy_finding(scenario->cast, scenario->table, target);
        set_name(scenario, 't', target);
        dm(scenario, PURPOSE_CARD, 3, 8,
           found == KNOWN_LIBERAL ? "talk_finds_liberal" : "talk_finds_fascist",
           &whim);
    }
}

/* Those who missed the last deadline apologize. */
static void
excuse(struct scenario *scenario, const struct past_round *round)
{
    struct whim whim = whim_for(scenario, PURPOSE_EXCUSE);
    seat_set nein = round->voted & (seat_set)~round->ja;
    bool unnamed =
        round->outcome == PAST_NO_NAME && round->president == scenario->seat;
    bool timed_out = round->outcome == PAST_REJECTED &&
                     2 * seat_count(nein) < seat_count(round->present);
    bool missing =
        timed_out && seat_in(scenario->seat, round->present & ~round->voted);
    if ((unnamed || missing) &&
        table_misses(scenario->table, scenario->seat) > 0) {
        dm(scenario, PURPOSE_EXCUSE, 3, 20, "talk_excuses", &whim);
    }
}

/* What is said about the last round; NULL: nothing, or not by this seat. */
static const char *
comment(struct scenario *scenario, const struct past_round *round)
{
    if (round == NULL || scenario->seat == round->president ||
        scenario->seat == round->chancellor) {
        return NULL;
    }
    set_name(scenario, 'p', round->president);
    set_name(scenario, 'c', round->chancellor);
    switch ((enum past_outcome)round->outcome) {
    case PAST_ENACTED:
        return round->liberal ? "talk_after_liberal" : "talk_after_fascist";
    case PAST_REJECTED:
        return "talk_after_failure";
    case PAST_NOT_YET:
    case PAST_NO_NAME:
    case PAST_VETOED:
    case PAST_WON:
        break;
    }
    return NULL;
}

/* From this much on a doubt is spoken. */
enum {
    DOUBT_SAID = 5
};

/* Advice for a player who is to name somebody: whom of the choices, or whom
 * not. */
static const char *
advice(struct scenario *scenario, bool for_somebody)
{
    const struct strategy *strategy = &scenario->strategy;
    seat_set others = strategy->present & ~seat_bit(scenario->seat) &
                      ~seat_bit(strategy->president);
    unsigned suspect = strategy_suspect(strategy, others);
    if (suspect == NO_SEAT || strategy_doubt(strategy, suspect) < DOUBT_SAID) {
        for_somebody = true;
    }
    unsigned about = for_somebody
                         ? strategy_favourite(strategy, strategy->choices)
                         : suspect;
    set_name(scenario, 'p', strategy->president);
    set_name(scenario, 't', about);
    if (about == NO_SEAT) {
        return NULL;
    }
    return for_somebody ? "talk_praise" : "talk_blame";
}

static void
talk_before_nomination(struct scenario *scenario)
{
    struct whim whim = whim_for(scenario, PURPOSE_DM);
    const struct past_round *round = last_round(scenario);
    const char *forms = NULL;
    if (round == NULL) {
        forms = whim_chance(&whim, 700) ? "talk_greetings" : NULL;
    } else if (scenario->seat == scenario->strategy.president) {
        forms = whim_chance(&whim, 400) ? "talk_candidate_talk" : NULL;
    } else if (speaks_up(scenario, 2, &whim)) {
        unsigned topic = whim_below(&whim, 3);
        forms = topic == 0 ? comment(scenario, round) : NULL;
        forms = forms == NULL ? advice(scenario, topic != 1) : forms;
    }
    if (forms != NULL) {
        dm(scenario, PURPOSE_DM, 16, 60, forms, &whim);
    }
}

static void
talk_before_vote(struct scenario *scenario, bool ja)
{
    struct whim whim = whim_for(scenario, PURPOSE_DM);
    const struct strategy *strategy = &scenario->strategy;
    bool governs = scenario->seat == strategy->president ||
                   scenario->seat == strategy->chancellor;
    bool dangerous = strategy->fascist >= FASCIST_DANGER &&
                     !seat_in(strategy->chancellor, strategy->cleared);
    const char *forms = ja ? "talk_for_government" : "talk_against_government";
    if (!speaks_up(scenario, 2, &whim)) {
        return;
    }
    if (governs) {
        forms = "talk_in_office";
    } else if (dangerous && whim_chance(&whim, ja ? 250 : 700)) {
        forms = "talk_danger";
    }
    dm(scenario, PURPOSE_DM, 4, 40, forms, &whim);
}

/* Those who are not in office chat. */
static void
dm_aside(struct scenario *scenario, const char *forms, unsigned of_all)
{
    struct whim whim = whim_for(scenario, PURPOSE_DM);
    const struct strategy *strategy = &scenario->strategy;
    if (scenario->seat != strategy->president &&
        scenario->seat != strategy->chancellor &&
        speaks_up(scenario, of_all, &whim)) {
        dm(scenario, PURPOSE_DM, 10, 60, forms, &whim);
    }
}

static void
talk_before_power(struct scenario *scenario, enum question question)
{
    struct whim whim = whim_for(scenario, PURPOSE_DM);
    const struct strategy *strategy = &scenario->strategy;
    bool favour = question == QUESTION_SPECIAL_ELECTION;
    seat_set choices = strategy->choices & ~seat_bit(scenario->seat);
    if (scenario->seat == strategy->president || choices == 0 ||
        !speaks_up(scenario, 2, &whim)) {
        return;
    }
    const char *forms = "talk_before_investigation";
    if (favour) {
        forms = "talk_before_special";
    } else if (question == QUESTION_EXECUTION) {
        forms = "talk_before_execution";
    }
    set_name(scenario, 't',
             favour ? strategy_favourite(strategy, choices)
                    : strategy_suspect(strategy, choices));
    dm(scenario, PURPOSE_DM, 16, 60, forms, &whim);
}

/* ---- acts ---------------------------------------------------------------- */

/* Forms of a name, in red if it must be. */
static const char *
names_for(const struct scenario *scenario, const char *forms)
{
    bool red = capabilities_require_red(&adapter_board.capabilities,
                                        scenario->table->settings.red);
    return red ? "talk_names_red" : forms;
}

static void
act_nominate(struct scenario *scenario)
{
    struct whim whim = whim_for(scenario, PURPOSE_AGAIN);
    struct act act = {
        .form = pick(scenario, names_for(scenario, "talk_names_name"), &whim),
        .wrong = "talk_wrong_name",
        .wrong_permille = 220,
        .late_permille = 30,
        .from = 80,
        .to = 500};
    seat_set limited =
        scenario->strategy.present & (seat_set)~scenario->strategy.choices;
    set_name(scenario, 't', strategy_nominee(&scenario->strategy));
    for (unsigned seat = 0; seat < scenario->table->seated; seat++) {
        if (seat_in(seat, limited) && whim_chance(&whim, 100)) {
            set_name(scenario, 'w', seat);
            act.wrong = "talk_wrong_people";
            act.wrong_permille = 500;
        }
    }
    put_act(scenario, &act);
}

/* Forms of a vote, and its words. */
static const char *
votes_for(struct scenario *scenario, bool ja)
{
    const struct vote_words *words = &scenario->vocabulary.votes;
    set_word(scenario, 'v', ja ? words->ja[0] : words->nein[0]);
    set_word(scenario, 'w', ja ? words->nein[0] : words->ja[0]);
    set_word(scenario, 'b', buf_text(ja ? &scenario->ja : &scenario->nein));
    return ja ? "talk_votes_ja" : "talk_votes_nein";
}

static void
act_vote(struct scenario *scenario)
{
    struct whim whim = whim_for(scenario, PURPOSE_AGAIN);
    bool ja = strategy_vote(&scenario->strategy);
    bool sealed = scenario->table->game.rules.ballot == BALLOT_SEALED;
    const char *forms = votes_for(scenario, ja);
    talk_before_vote(scenario, ja);
    struct act act = {.form = pick(scenario, forms, &whim),
                      .wrong = "talk_wrong_votes",
                      .wrong_permille = 80,
                      .late_permille = 12,
                      .from = 60,
                      .to = 600};
    if (sealed) {
        act.form =
            line_of(scenario, "talk_ballots", whim_chance(&whim, 500) ? 0 : 1);
        act.in_private = true;
        act.wrong_in_thread = whim_chance(&whim, 400);
        act.wrong =
            act.wrong_in_thread ? "talk_votes_again" : "talk_ballots_wrong";
    }
    int64_t at = put_act(scenario, &act);
    if (whim_chance(&whim, 60)) {
        int64_t later = scenario->span / 1000 * (5 + whim_below(&whim, 20));
        struct line form =
            pick(scenario, sealed ? "talk_ballots_again" : "talk_votes_again",
                 &whim);
        put(scenario, PURPOSE_AGAIN, at + later, form)->in_private = sealed;
    }
}

static void
act_discard(struct scenario *scenario)
{
    struct whim whim = whim_for(scenario, PURPOSE_AGAIN);
    unsigned card = strategy_discard(&scenario->strategy);
    struct act act = {.form = pick(scenario, "talk_discards", &whim),
                      .wrong = "talk_discards_wrong",
                      .wrong_permille = 180,
                      .late_permille = 15,
                      .from = 40,
                      .to = 450,
                      .in_private = true};
    set_number(scenario, 'n', card + 1);
    set_number(scenario, 'x', card == 0 ? 2 : 1);
    set_number(scenario, 'y', card == 2 ? 2 : 3);
    put_act(scenario, &act);
}

static void
act_enact(struct scenario *scenario)
{
    struct whim whim = whim_for(scenario, PURPOSE_AGAIN);
    const struct strategy *strategy = &scenario->strategy;
    bool liberal = strategy_enacts_liberal(strategy);
    struct act act = {.form = pick(scenario, "talk_enacts", &whim),
                      .wrong = "talk_enacts_wrong",
                      .wrong_permille = 120,
                      .late_permille = 15,
                      .from = 40,
                      .to = 450,
                      .in_private = true};
    if (strategy->hand.count == 0) {
        return;
    }
    set_number(scenario, 'n',
               pile_is_liberal(strategy->hand, 0) == liberal ? 1 : 2);
    set_word(scenario, 'l', message_of(scenario, liberal));
    if (strategy_asks_veto(strategy)) {
        act.in_private = whim_chance(&whim, 500);
        act.form = line_of(scenario, "talk_vetoes", act.in_private ? 0 : 1);
        act.wrong = NULL;
    }
    put_act(scenario, &act);
}

static void
act_veto(struct scenario *scenario)
{
    bool agrees = strategy_agrees_veto(&scenario->strategy);
    set_word(scenario, 'a',
             buf_text(agrees ? &scenario->approved : &scenario->declined));
    const struct act act = {.form = line_of(scenario, "talk_veto_answers", 0),
                            .wrong = "talk_veto_wrong",
                            .wrong_permille = 200,
                            .late_permille = 20,
                            .from = 40,
                            .to = 450};
    put_act(scenario, &act);
}

static void
act_target(struct scenario *scenario, enum question question)
{
    struct whim whim = whim_for(scenario, PURPOSE_AGAIN);
    const struct act act = {
        .form = pick(scenario, names_for(scenario, "talk_names_target"), &whim),
        .wrong = "talk_wrong_target",
        .wrong_permille = 220,
        .late_permille = 30,
        .from = 80,
        .to = 450};
    set_name(scenario, 't', strategy_target(&scenario->strategy, question));
    put_act(scenario, &act);
}

/* ---- schedules ----------------------------------------------------------- */

static void
play_nomination(struct scenario *scenario)
{
    const struct past_round *round = last_round(scenario);
    if (round != NULL) {
        enum power power = power_after(scenario, round);
        if (power == POWER_NONE || power == POWER_PEEK) {
            claim_cards(scenario, round);
        }
        claim_power(scenario, round);
        excuse(scenario, round);
    }
    set_name(scenario, 'p', scenario->strategy.president);
    talk_before_nomination(scenario);
    if (scenario->seat == scenario->strategy.president) {
        act_nominate(scenario);
    }
}

static void
play_power(struct scenario *scenario, enum question question)
{
    const struct past_round *round = table_round(scenario->table);
    if (round != NULL) {
        claim_cards(scenario, round);
    }
    talk_before_power(scenario, question);
    if (scenario->seat == scenario->strategy.president) {
        act_target(scenario, question);
    }
}

static void
play_seat(struct scenario *scenario)
{
    const struct strategy *strategy = &scenario->strategy;
    enum question question = (enum question)scenario->table->game.question;
    bool presides = scenario->seat == strategy->president;
    switch (question) {
    case QUESTION_NOMINATE:
        play_nomination(scenario);
        break;
    case QUESTION_VOTE:
        act_vote(scenario);
        break;
    case QUESTION_DISCARD:
        dm_aside(scenario, "talk_waiting", 1);
        if (presides) {
            act_discard(scenario);
        }
        break;
    case QUESTION_ENACT:
        if (scenario->seat == strategy->chancellor) {
            act_enact(scenario);
        }
        break;
    case QUESTION_VETO:
        dm_aside(scenario, "talk_before_veto", 2);
        if (presides) {
            act_veto(scenario);
        }
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        play_power(scenario, question);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
}

/* The words with which the place is answered. */
static void
set_answers(struct scenario *scenario)
{
    const struct vocabulary *words = &scenario->vocabulary;
    const char *approved = words->approved;
    const char *declined = words->declined;
    vocabulary_bare(words->votes.ja[0], &scenario->ja);
    vocabulary_bare(words->votes.nein[0], &scenario->nein);
    buf_add(&scenario->approved, approved, strcspn(approved, " "));
    buf_add(&scenario->declined, declined, strcspn(declined, " "));
    set_word(scenario, 'j', buf_text(&scenario->ja));
    set_word(scenario, 'z', buf_text(&scenario->nein));
    set_word(scenario, 'v', words->votes.ja[0]);
    set_word(scenario, 'w', words->votes.nein[0]);
}

static void
release_words(struct scenario *scenario)
{
    buf_release(&scenario->ja);
    buf_release(&scenario->nein);
    buf_release(&scenario->approved);
    buf_release(&scenario->declined);
    buf_release(&scenario->two);
    buf_release(&scenario->three);
}

/* The catalogue with which a table is hosted. */
static const struct catalogue *
catalogue_of(const struct cast *cast, const struct table *table)
{
    const struct catalogue *found = NULL;
    struct buf unsaid = BUF_INIT;
    enum err err = catalogues_open(cast->catalogues, table->settings.language,
                                   table->settings.theme, &found, &unsaid);
    assert(err == ERR_NONE); /* the host speaks it, too */
    (void)err;
    buf_release(&unsaid);
    return found;
}

void
sim_players_schedule(const struct cast *cast, const struct table *table,
                     struct schedule *schedule)
{
    struct scenario *scenario = must_alloc(sizeof(*scenario));
    const struct catalogue *catalogue = catalogue_of(cast, table);
    enum question question = (enum question)table->game.question;
    /* As it was at first: an act is not planned anew when the deadline
     * moves. */
    int64_t until = deadline_of(question, table->opened, table->round_opened,
                                &table->settings, zone_utc());
    schedule->count = 0;
    for (unsigned seat = 0; seat < table->seated && until != 0; seat++) {
        if (!cast_plays(cast, table, seat) ||
            !seat_in(seat, game_present(&table->game))) {
            continue;
        }
        memset(scenario, 0, sizeof(*scenario));
        scenario->cast = cast;
        scenario->table = table;
        scenario->schedule = schedule;
        scenario->opened = table->opened;
        scenario->span = until - table->opened;
        scenario->seat = seat;
        scenario->catalogue = catalogue;
        vocabulary_init(&scenario->vocabulary, catalogue, &table->settings);
        set_answers(scenario);
        strategy_init(&scenario->strategy, cast, table, seat);
        set_name(scenario, 'p', scenario->strategy.president);
        set_name(scenario, 'c', scenario->strategy.chancellor);
        play_seat(scenario);
        release_words(scenario);
    }
    free(scenario);
}

/* ---- sign-up ------------------------------------------------------------- */

void
actor_word(const struct catalogue *catalogue, const char *key, char *word,
           size_t size)
{
    const char *list = language_find(&catalogue->language, key);
    (void)snprintf(word, size, "%.*s", (int)strcspn(list, " "), list);
}

static void
put_signup(struct schedule *schedule, int64_t at, const char *author,
           unsigned number, const char *purpose, const char *prefix,
           const char *text)
{
    struct posting *posting = schedule_add(schedule, at);
    posting->number = number;
    posting->opening = true;
    (void)snprintf(posting->author, sizeof(posting->author), "%s", author);
    (void)snprintf(posting->key, sizeof(posting->key), "0.%u.%s", number,
                   purpose);
    (void)snprintf(posting->text, sizeof(posting->text), "%s%s", prefix, text);
}

void
sim_players_signup(const struct cast *cast, const struct signup *signup,
                   struct schedule *schedule)
{
    int64_t at = signup->start;
    char join[POSTING_TEXT_MAX];
    actor_word(signup->catalogue, "command_join", join, sizeof(join));
    schedule->count = 0;
    put_signup(schedule, at, signup->moderator, signup->count, "new",
               signup->prefix, signup->command);
    for (unsigned i = 0; i < signup->count; i++) {
        struct whim whim;
        const char *person = signup->people[i];
        bool human = cast->human != NULL && strcmp(person, cast->human) == 0;
        whim_init(&whim, cast, "", 0, i, PURPOSE_ACT);
        at += (int64_t)(30 + whim_below(&whim, 600)) * SECOND_MS;
        if (!human && whim_chance(&whim, 150)) {
            put_signup(
                schedule, at - 20 * SECOND_MS, person, i, "wrong", "",
                language_find(&signup->catalogue->language, "talk_arrives"));
        }
        put_signup(schedule, at, person, i, "join", signup->prefix, join);
        if (!human && whim_chance(&whim, 80) && i + 1 < signup->count) {
            put_signup(schedule, at + 15 * SECOND_MS, person, i, "again",
                       signup->prefix, join);
        }
    }
}
