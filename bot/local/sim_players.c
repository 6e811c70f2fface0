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

/* What a whim is for. A seeded game depends on these numbers. */
enum purpose {
    PURPOSE_ACT,     /* when an answer comes */
    PURPOSE_SUGGEST, /* whom the others would choose */
    PURPOSE_FORM,    /* how an answer is written */
    PURPOSE_CLAIM,   /* what cards there were */
    PURPOSE_CARD,    /* what a power has shown */
    PURPOSES,
};

/* As part of a post's key. */
static const char *const purpose_names[PURPOSES] = {
    "act", "suggest", "form", "claim", "card",
};

/* One simulated player, while one question is open. */
struct player {
    const struct cast *cast;
    const struct table *table;
    struct schedule *schedule;
    const struct catalogue *catalogue; /* of the table */
    int64_t opened, span;              /* of the question, without extensions */
    unsigned seat;
    struct strategy strategy;
};

static const char *
word(const struct player *player, const char *key)
{
    return language_find(&player->catalogue->language, key);
}

void
actor_word(const struct catalogue *catalogue, const char *key, char *word,
           size_t size)
{
    const char *list = language_find(&catalogue->language, key);
    (void)snprintf(word, size, "%.*s", (int)strcspn(list, " "), list);
}

/* ---- posts --------------------------------------------------------------- */

/* Make room for a post at that time; posts with the same time stay in order. */
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
post(const struct player *player, enum purpose purpose, int64_t at,
     const struct buf *text)
{
    struct posting *posting = schedule_add(player->schedule, at);
    posting->number = player->seat;
    (void)snprintf(posting->author, sizeof(posting->author), "%s",
                   player->table->seats[player->seat].user);
    (void)snprintf(posting->key, sizeof(posting->key), "%u.%u.%s",
                   player->table->phase, player->seat, purpose_names[purpose]);
    (void)snprintf(posting->text, sizeof(posting->text), "%s", buf_text(text));
    return posting;
}

static struct whim
whim_for(const struct player *player, enum purpose purpose)
{
    struct whim whim;
    whim_init(&whim, player->cast, player->table->id, player->table->phase,
              player->seat, (unsigned)purpose);
    return whim;
}

/* A time in the question's span, between two thousandths of it. */
static int64_t
moment(const struct player *player, unsigned from, unsigned to,
       struct whim *whim)
{
    int64_t permille = from + whim_below(whim, to - from);
    int64_t at = player->opened + player->span / 1000 * permille;
    if (player->span >= HOUR_MS) {
        at += (int64_t)whim_below(whim, 60) * SECOND_MS;
    }
    return at - at % SECOND_MS;
}

/* ---- talk ---------------------------------------------------------------- */

/* Say something in the thread, in the question's first minutes. */
static void
talk(const struct player *player, enum purpose purpose, unsigned from,
     unsigned to, const struct buf *text)
{
    struct whim whim = whim_for(player, purpose);
    int64_t at = moment(player, from, to, &whim);
    post(player, purpose, at, text)->opening = true;
}

/* Append cards as tiles, fascist ones first. */
static void
add_cards(const struct player *player, unsigned liberals, unsigned of,
          struct buf *text)
{
    for (unsigned i = 0; i < of; i++) {
        bool liberal = i + liberals >= of;
        buf_add_text(text,
                     word(player, liberal ? "tile_liberal" : "tile_fascist"));
    }
}

/* The round before the current one, or NULL. */
static const struct past_round *
last_round(const struct table *table)
{
    return table->past_count < 2 ? NULL : &table->past[table->past_count - 2];
}

/* The power that a round's policy gave, or POWER_NONE. */
static enum power
power_after(const struct game *game, const struct past_round *round)
{
    bool fascist = round->outcome == PAST_ENACTED && !round->liberal;
    return fascist && game->fascist > 0 && game->fascist < FASCIST_WIN
               ? game_track_power(game->players, game->fascist)
               : POWER_NONE;
}

/* The government says what it saw, as soon as it may: the president what was
 * drawn and passed on, the chancellor what was received. */
static void
claim_cards(const struct player *player, const struct past_round *round)
{
    bool presided = player->seat == round->president;
    struct buf text = BUF_INIT;
    if (round->outcome != PAST_ENACTED ||
        !(presided || player->seat == round->chancellor)) {
        return;
    }
    struct claim claim =
        strategy_claim(player->cast, player->table, round, player->seat);
    if (presided) {
        add_cards(player, claim.drawn, HAND_TILES, &text);
        buf_add_text(&text, " ");
    }
    buf_add_text(&text, "→ ");
    add_cards(player, claim.passed, HAND_TILES - 1, &text);
    talk(player, PURPOSE_CLAIM, presided ? 4 : 8, presided ? 8 : 14, &text);
    buf_release(&text);
}

/* The last president says what a power has shown. */
static void
claim_power(const struct player *player, const struct past_round *round)
{
    const struct table *table = player->table;
    enum power power = power_after(&table->game, round);
    struct buf text = BUF_INIT;
    if (player->seat != round->president ||
        player->seat == player->strategy.president) {
        return;
    }
    if (power == POWER_PEEK && table->game.draw.count >= HAND_TILES) {
        add_cards(player, strategy_peek(player->cast, table, player->seat),
                  HAND_TILES, &text);
        talk(player, PURPOSE_CARD, 15, 22, &text);
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (power == POWER_INVESTIGATE &&
            table->seats[seat].investigated_by == player->seat) {
            bool liberal =
                strategy_finding(player->cast, table, seat) == KNOWN_LIBERAL;
            buf_addf(&text, "%s: %s", table->seats[seat].name,
                     word(player, liberal ? "party_liberal" : "party_fascist"));
            talk(player, PURPOSE_CARD, 3, 8, &text);
        }
    }
    buf_release(&text);
}

/* About two players say whom they would choose. */
static void
suggest(const struct player *player, unsigned choice)
{
    struct whim whim = whim_for(player, PURPOSE_SUGGEST);
    const struct table *table = player->table;
    struct buf text = BUF_INIT;
    if (choice != NO_SEAT && player->seat != player->strategy.president &&
        whim_below(&whim, table->seated) < 2) {
        buf_addf(&text, "%s?", table->seats[choice].name);
        talk(player, PURPOSE_SUGGEST, 16, 60, &text);
    }
    buf_release(&text);
}

static void
talk_before(const struct player *player, enum question question)
{
    bool nominates = question == QUESTION_NOMINATE;
    const struct past_round *round =
        nominates ? last_round(player->table) : table_round(player->table);
    if (nominates && round != NULL) {
        enum power power = power_after(&player->table->game, round);
        if (power == POWER_NONE || power == POWER_PEEK) {
            claim_cards(player, round);
        }
        claim_power(player, round);
    } else if (round != NULL) {
        claim_cards(player, round);
    }
    suggest(player, nominates ? strategy_nominee(&player->strategy)
                              : strategy_target(&player->strategy, question));
}

/* ---- acts ---------------------------------------------------------------- */

/* When an answer comes, in thousandths of the question's span, and how many of
 * a thousand come too late. */
struct pace {
    unsigned from, to, late;
};
static const struct pace paces[] = {
    [QUESTION_NOMINATE] = {80, 500, 30},
    [QUESTION_VOTE] = {60, 600, 12},
    [QUESTION_DISCARD] = {40, 450, 15},
    [QUESTION_ENACT] = {40, 450, 15},
    [QUESTION_VETO] = {40, 450, 20},
    [QUESTION_INVESTIGATE] = {80, 450, 30},
    [QUESTION_SPECIAL_ELECTION] = {80, 450, 30},
    [QUESTION_EXECUTION] = {80, 450, 30},
};

/* A player who has missed a deadline is careful, and so is a table where
 * several were missed. */
static bool
is_late(const struct player *player, unsigned permille, struct whim *whim)
{
    unsigned missed = 0;
    for (unsigned seat = 0; seat < player->table->seated; seat++) {
        missed += table_misses(player->table, seat);
    }
    bool careful = table_misses(player->table, player->seat) > 0 || missed > 2;
    return whim_chance(whim, careful ? permille / 10 : permille);
}

static void
act(const struct player *player, enum question question, bool in_private,
    const struct buf *text)
{
    const struct pace *pace = &paces[question];
    struct whim whim = whim_for(player, PURPOSE_ACT);
    int64_t at = moment(player, pace->from, pace->to, &whim);
    if (is_late(player, pace->late, &whim)) {
        at += player->span / 1000 * 1100 + player->table->settings.grace;
    }
    post(player, PURPOSE_ACT, at, text)->in_private = in_private;
}

/* Nothing where nobody can be named: the others have lost their seats. */
static void
write_name(const struct player *player, unsigned seat, struct buf *text)
{
    if (seat == NO_SEAT) {
        return;
    }
    bool red = capabilities_require_red(&adapter_find(CONF_BOARD)->capabilities,
                                        player->table->settings.red);
    buf_addf(text, red ? "[b][color=red]%s[/color][/b]" : "**%s**",
             player->table->seats[seat].name);
}

static void
write_vote(const struct player *player, bool sealed, struct buf *text)
{
    struct vocabulary vocabulary;
    vocabulary_init(&vocabulary, player->catalogue, &player->table->settings);
    buf_addf(text, sealed ? "%s" : "**%s**",
             strategy_vote(&player->strategy) ? vocabulary.votes.ja[0]
                                              : vocabulary.votes.nein[0]);
}

static void
write_discard(const struct player *player, struct buf *text)
{
    char discard[POSTING_TEXT_MAX];
    actor_word(player->catalogue, "read_discard", discard, sizeof(discard));
    buf_addf(text, "%s %u", discard[0] == '\0' ? "discard" : discard,
             strategy_discard(&player->strategy) + 1);
}

/* A card is its number or, now and then, its letter. */
static void
write_enact(const struct player *player, struct buf *text)
{
    const struct strategy *strategy = &player->strategy;
    struct whim whim = whim_for(player, PURPOSE_FORM);
    bool liberal = strategy_enacts_liberal(strategy);
    if (strategy_asks_veto(strategy)) {
        buf_add_text(text, "veto");
    } else if (whim_below(&whim, 4) == 3) {
        buf_add_text(
            text, word(player, liberal ? "letter_liberal" : "letter_fascist"));
    } else {
        bool first = pile_is_liberal(strategy->hand, 0) == liberal;
        buf_add_text(text, first ? "1" : "2");
    }
}

static void
write_veto(const struct player *player, struct buf *text)
{
    char answer[POSTING_TEXT_MAX];
    actor_word(player->catalogue,
               strategy_agrees_veto(&player->strategy) ? "veto_approved"
                                                       : "veto_declined",
               answer, sizeof(answer));
    buf_addf(text, "**%s**", answer);
}

/* Write the answer of a player who is asked, if there can be one; true: it
 * belongs in their DM. */
static bool
write_answer(const struct player *player, enum question question,
             struct buf *text)
{
    const struct strategy *strategy = &player->strategy;
    bool sealed = player->table->game.rules.ballot == BALLOT_SEALED;
    switch (question) {
    case QUESTION_NOMINATE:
        write_name(player, strategy_nominee(strategy), text);
        return false;
    case QUESTION_VOTE:
        write_vote(player, sealed, text);
        return sealed;
    case QUESTION_DISCARD:
        write_discard(player, text);
        return true;
    case QUESTION_ENACT:
        write_enact(player, text);
        return true;
    case QUESTION_VETO:
        write_veto(player, text);
        return false;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        write_name(player, strategy_target(strategy, question), text);
        return false;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

/* ---- schedules ----------------------------------------------------------- */

/* Everybody votes, including those who have voted: a schedule stays the
 * same. */
static bool
is_asked(const struct player *player, enum question question)
{
    return question == QUESTION_VOTE ||
           seat_in(player->seat, game_awaits(&player->table->game).seats);
}

static void
play_seat(const struct player *player)
{
    enum question question = (enum question)player->table->game.question;
    struct buf text = BUF_INIT;
    if (question == QUESTION_NOMINATE || question == QUESTION_INVESTIGATE ||
        question == QUESTION_SPECIAL_ELECTION ||
        question == QUESTION_EXECUTION) {
        talk_before(player, question);
    }
    if (is_asked(player, question)) {
        bool in_private = write_answer(player, question, &text);
        if (text.len > 0) {
            act(player, question, in_private, &text);
        }
    }
    buf_release(&text);
}

void
sim_players_schedule(const struct cast *cast, const struct table *table,
                     const struct catalogue *catalogue,
                     struct schedule *schedule)
{
    enum question question = (enum question)table->game.question;
    /* As it was at first: an act is not planned anew when the deadline
     * moves. */
    int64_t until = deadline_of(question, table->opened, table->round_from,
                                &table->settings, zone_utc());
    struct player *player = must_alloc(sizeof(*player));
    player->cast = cast;
    player->table = table;
    player->schedule = schedule;
    player->catalogue = catalogue;
    player->opened = table->opened;
    player->span = until - table->opened;
    schedule->count = 0;
    for (unsigned seat = 0; seat < table->seated && until != 0; seat++) {
        if (cast_plays(cast, table, seat) &&
            seat_in(seat, game_present(&table->game))) {
            player->seat = seat;
            strategy_init(&player->strategy, cast, table, seat);
            play_seat(player);
        }
    }
    free(player);
}

/* ---- sign-up ------------------------------------------------------------- */

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
            /* Without the prefix it is not a command. */
            put_signup(schedule, at - 20 * SECOND_MS, person, i, "wrong", "",
                       join);
        }
        put_signup(schedule, at, person, i, "join", signup->prefix, join);
        if (!human && whim_chance(&whim, 80) && i + 1 < signup->count) {
            put_signup(schedule, at + 15 * SECOND_MS, person, i, "again",
                       signup->prefix, join);
        }
    }
}
