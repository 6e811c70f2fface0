#include "bot/play/actors.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/deadline.h"

const char *const actor_names[] = {
    "Anna", "Bob",   "Carl", "Dora", "Emil",  "Frida",
    "Gert", "Hanna", "Ida",  "Jan",  "Karin", NULL,
};

/* ---- words --------------------------------------------------------------- */

/*
 * What players say.  {p} is the president or candidate, {c} the chancellor or
 * nominee, {t} somebody, {d} cards drawn, {h} cards handed on, {n} and {m}
 * numbers.  Nothing here is bold but what is meant as an act, and a player who
 * is awaited names nobody in passing: that would be half an act.
 */
static const char *const greetings[] = {
    "Hello all! Looking forward to this.",
    "Good evening. I am a Liberal, of course, like everybody here.",
    "Hi! My first game by post, so please be patient with me.",
    "May the better liars lose.",
    "Here I am. I can write twice a day, mornings and evenings.",
    "Hello! Six liberal cards against eleven. Let us count well.",
    "Nice to see you all. I trust nobody, but in a friendly way.",
    NULL,
};

static const char *const candidate_talk[] = {
    "My turn, then. I am open to suggestions.",
    "Let me think for an hour or two.",
    "Who wants to be chancellor, and why should I believe you?",
    "I will read back first, then I name somebody.",
    "Difficult. What do you all think?",
    NULL,
};

static const char *const praise[] = {
    "{p}, I would take {t}.",
    "What about {t}, {p}?",
    "{t} for chancellor, please. I have seen nothing bad from {t} yet.",
    "If I were {p}, I would name {t}.",
    "{t} has my trust so far.",
    "Give {t} a chance, {p}.",
    "My list has {t} on top. Ask me again tomorrow.",
    NULL,
};

static const char *const blame[] = {
    "Anybody but {t}, please.",
    "I don't trust {t} any more.",
    "{p}, not {t}. Look at what {t} was part of.",
    "My suspicion is on {t}. I may be wrong.",
    "{t} is very quiet. Too quiet for me.",
    "Can {t} explain the last votes to us?",
    "{t} and the red policies come together, as I see it.",
    NULL,
};

static const char *const after_fascist[] = {
    "A fascist policy. One of {p} and {c} knows more than they say.",
    "{p}, {c}: what did you see? Exactly, please, card by card.",
    "Two of three cards are fascist on average, so this can happen.",
    "It can be bad luck. It can also be {p}.",
    "If {c} had a choice, {c} is a fascist.",
    "I am writing this down: {p} and {c}, red.",
    "Eleven red cards in the deck. But still, {p} and {c}!",
    NULL,
};

static const char *const after_liberal[] = {
    "Blue! Well done, {p} and {c}.",
    "A good government. The same again, if the term limits would let us.",
    "That makes {c} look better to me.",
    "A fascist would also do that early in the game. But thank you.",
    "One more like that, and I begin to believe in {p}.",
    "{p} and {c} are the ones to build on.",
    "Good. Now let us not become careless.",
    NULL,
};

static const char *const after_failure[] = {
    "The tracker has moved. We should not waste another election.",
    "We vote Nein too easily. The deck is not our friend.",
    "Fine with me. Better no government than that one.",
    "Look at who voted how. That is worth something too.",
    "Three of these in a row, and the deck governs.",
    "I would vote the same way again.",
    "So whom do you all want?",
    NULL,
};

static const char *const for_government[] = {
    "{c} is fine by me.",
    "I see nothing against {p} and {c}.",
    "Let them try. We learn something either way.",
    "I would rather have this government than the next card of the deck.",
    "{p} and {c}: yes, why not.",
    "Good choice, {p}.",
    "I have no better idea than {c}.",
    NULL,
};

static const char *const against_government[] = {
    "Not with {c}.",
    "{p}, why {c} of all people?",
    "I don't like this one.",
    "Both of them together? No.",
    "I have no good feeling about {c}.",
    "This is what a fascist government would look like.",
    "{p}, you can do better than that.",
    NULL,
};

static const char *const in_office[] = {
    "Elect us and see.",
    "You will not regret it.",
    "I have nothing to hide.",
    "Three cards, and I will tell you what they were.",
    "I am a Liberal. Test me.",
    "A Nein here only moves the tracker.",
    "If it turns out red, ask both of us.",
    NULL,
};

static const char *const danger[] = {
    "Careful now: if {c} is Hitler, this is the end.",
    "Three fascist policies are out. Think twice before you vote.",
    "Is anybody sure about {c}? Really sure?",
    "One wrong Ja and we have lost.",
    "What has {c} done for us so far?",
    "I need a good reason for {c}. I have none.",
    "Hitler only has to sit there once.",
    NULL,
};

static const char *const waiting[] = {
    "And now we wait.",
    "Please be blue.",
    "I have counted the deck: it is still mostly red.",
    "Whatever comes, I want to hear both of them afterwards.",
    "The longest hours of the game.",
    "My guess is blue. My fear is red.",
    "Silence from the government. As it should be.",
    NULL,
};

static const char *const before_investigation[] = {
    "{p}, look at {t}, please.",
    "I would like to know what {t} is.",
    "Look at me if you like. I am clean.",
    "{t}. Then we know at least something.",
    "Not somebody whom we trust already. {t}, for example.",
    "Whatever you see, {p}, tell us at once.",
    "A card can be lied about, remember.",
    NULL,
};

static const char *const before_special[] = {
    "{p}, give it to {t}.",
    "Choose {t}: then we see at once who votes how.",
    "Me? I would do it.",
    "{t} would be my choice.",
    "No experiments, {p}. {t}.",
    "Somebody who was in a blue government, please.",
    "I could live with {t}.",
    NULL,
};

static const char *const before_execution[] = {
    "It has to be {t}.",
    "{p}, think well. My guess is {t}.",
    "Not me, please. I am a Liberal, and you know it.",
    "If you shoot a Liberal now, we have lost.",
    "{t}, and I am quite sure.",
    "Count the votes for the red governments. You end at {t}.",
    "Take your time. This can't be undone.",
    NULL,
};

static const char *const before_veto[] = {
    "A veto? So the cards were bad. Or somebody says so.",
    "Interesting. {p}, you know what you handed on.",
    "If it was two red ones: agree, {p}.",
    "A fascist chancellor would ask that too, with two blue ones.",
    "The tracker, think of the tracker.",
    "I would like to see those cards.",
    "Now we learn something about {c}.",
    NULL,
};

static const char *const president_claims[] = {
    "I drew {d} and handed on {h}.",
    "My three cards were {d}. My chancellor had {h}.",
    "{d} for me, {h} for my chancellor.",
    NULL,
};

static const char *const president_claims_worst[] = {
    "Three fascist cards. There was nothing I could do.",
    "FFF. I am sorry, it was not my choice.",
    NULL,
};

static const char *const chancellor_claims[] = {
    "I was handed {h}.",
    "{h} for me, so you see which one I took.",
    "The president gave me {h}.",
    NULL,
};

static const char *const chancellor_claims_worst[] = {
    "Two fascist cards. I had no choice.",
    "FF. Ask the president where the third one is.",
    NULL,
};

static const char *const finds_liberal[] = {
    "I have seen the card: {t} is a Liberal.",
    "{t} is liberal. You can believe me or not.",
    NULL,
};

static const char *const finds_fascist[] = {
    "{t} is a Fascist. I have seen the card.",
    "Listen: the card says that {t} is fascist. Never elect {t} again.",
    NULL,
};

static const char *const peeks[] = {
    "The next three cards are {d}.",
    "I may tell you what comes: {d}.",
    NULL,
};

static const char *const excuses[] = {
    "Sorry, I was on a train the whole day. **Ja!** Or is it too late?",
    "I have missed it, sorry! Work. It will not happen again.",
    "Sorry all, I thought we had until tomorrow.",
    NULL,
};

/* ---- acts, as people write them ------------------------------------------ */

static const char *const names_name[] = {
    "[b][color=red]{t}[/color][/b]",
    "**{t}**",
    "[color=red][b]{t}[/b][/color]",
    "I nominate [b][color=red]{t}[/color][/b].",
    "Thank you for your thoughts.\n**{t}**",
    NULL,
};

static const char *const names_target[] = {
    "[b][color=red]{t}[/color][/b]",
    "**{t}**",
    "I have read everything. So:\n[b][color=red]{t}[/color][/b]",
    NULL,
};

/* Where red is required. */
static const char *const names_red[] = {
    "[b][color=red]{t}[/color][/b]",
    "[color=red][b]{t}[/b][/color]",
    "I have read everything. So:\n[b][color=red]{t}[/color][/b]",
    NULL,
};

static const char *const wrong_name[] = {
    "I nominate {t}.",
    "I am thinking of **{t}**, any objections?",
    "[b][color=red]I name {t}[/color][/b]",
    NULL,
};

static const char *const wrong_target[] = {
    "I think it has to be {t}.",
    "It is between **{t}** and somebody else.",
    NULL,
};

static const char *const votes_ja[] = {
    "**Ja!**",
    "[b]Ja![/b]",
    "**Ja!**",
    "**ja**",
    "**JA!**",
    "**Ja!**",
    "[b]ja![/b]",
    "**Ja!** Let us see.",
    "All right then. **Ja!**",
    "You have convinced me. **Ja!**",
    NULL,
};

static const char *const votes_nein[] = {
    "**Nein!**",
    "[b]Nein![/b]",
    "**Nein!**",
    "**nein**",
    "**NEIN!**",
    "**Nein!**",
    "[b]nein![/b]",
    "**Nein!** Sorry.",
    "I have thought about it. **Nein!**",
    "**Nein!** Not this time.",
    NULL,
};

/* Where the words are others. */
static const char *const votes_own[] = {
    "**{v}**",
    "[b]{v}[/b]",
    "**{v}** Let us see.",
    NULL,
};

static const char *const wrong_votes[] = {
    "{v}",
    "I can't decide between **Ja!** and **Nein!**",
    "**I vote {v}**",
    "> Post **Ja!** or **Nein!** in bold.\nIs that how it is done?",
    "**Yes!**",
    NULL,
};

static const char *const votes_again[] = {
    "**{v}** In case it was not seen.",
    "**{w}** I have changed my mind.",
    NULL,
};

static const char *const ballots_again[] = {
    "{v}",
    "No, {w} I have changed my mind.",
    NULL,
};

static const char *const ballots_wrong[] = {
    "{v} because I trust them",
    "I vote as I always do",
    NULL,
};

static const char *const discards[] = {
    "discard {n}", "Discard {n}.", "{x}{y}", "pass {x} and {y}", NULL,
};

static const char *const discards_wrong[] = {
    "{n}",
    "discard 4",
    NULL,
};

static const char *const enacts[] = {
    "enact {n}", "Enact {n}.", "{n}", "{l}", NULL,
};

static const char *const enacts_wrong[] = {
    "enact 3",
    "enact 1 or 2?",
    NULL,
};

static const char *const veto_wrong[] = {
    "**Approved or declined, I am not sure yet.**",
    NULL,
};

/* ---- scenes -------------------------------------------------------------- */

/* What a post is for: part of its key, and what its whim depends on. */
enum purpose {
    PURPOSE_ACT,
    PURPOSE_WRONG, /* an act that won't count, before it */
    PURPOSE_AGAIN, /* the act once more, or another one */
    PURPOSE_CLAIM, /* what cards there were */
    PURPOSE_CARD,  /* what a power has shown */
    PURPOSE_EXCUSE,
    PURPOSE_TALK,
    PURPOSES,
};

static const char *const purpose_names[PURPOSES] = {
    "act", "wrong", "again", "claim", "card", "excuse", "talk",
};

/* What stands for the letters in curly brackets. */
struct words {
    const char *of[26];
};

/* One seat, while one question is open. */
struct scene {
    const struct cast *cast;
    const struct table *table;
    struct schedule *schedule;
    int64_t opened, span; /* of the question, without what was added to it */
    struct mind mind;
    unsigned seat;
    struct words words;
    struct vote_words vote_words;
};

static void
set_word(struct scene *scene, char letter, const char *text)
{
    assert(letter >= 'a' && letter <= 'z');
    scene->words.of[letter - 'a'] = text;
}

static void
set_name(struct scene *scene, char letter, unsigned seat)
{
    const struct table *table = scene->table;
    set_word(scene, letter,
             seat < table->seated ? table->people[seat].name : "nobody");
}

/* A small number, as a word of its own. */
static void
set_number(struct scene *scene, char letter, unsigned number)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4"};
    assert(number < sizeof(digits) / sizeof(digits[0]));
    set_word(scene, letter, digits[number]);
}

/* Cards as people write them, fascist ones first. */
static void
set_cards(struct scene *scene, char letter, unsigned liberals, unsigned of)
{
    static const char *const threes[] = {"FFF", "FFL", "FLL", "LLL"};
    static const char *const twos[] = {"FF", "FL", "LL"};
    assert(liberals <= of && (of == 2 || of == 3));
    set_word(scene, letter, of == 3 ? threes[liberals] : twos[liberals]);
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

static void
fill_in(const struct words *words, const char *form, char *text)
{
    size_t len = 0;
    text[0] = '\0';
    while (*form != '\0') {
        bool blank = form[0] == '{' && form[1] >= 'a' && form[1] <= 'z' &&
                     form[2] == '}';
        if (blank) {
            const char *word = words->of[form[1] - 'a'];
            assert(word != NULL);
            append(text, &len, word, strlen(word));
            form += 3;
        } else {
            append(text, &len, form, 1);
            form++;
        }
    }
}

static const char *
pick(const char *const *forms, struct whim *whim)
{
    unsigned count = 0;
    while (forms[count] != NULL) {
        count++;
    }
    return forms[whim_below(whim, count)];
}

/* Room for a post at that time; posts of the same time stay in order. */
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
put(struct scene *scene, enum purpose purpose, int64_t at, const char *form)
{
    struct posting *posting = schedule_add(scene->schedule, at);
    posting->number = scene->seat;
    (void)snprintf(posting->author, sizeof(posting->author), "%s",
                   scene->table->people[scene->seat].user);
    (void)snprintf(posting->key, sizeof(posting->key), "%u.%u.%s",
                   scene->table->phase, scene->seat, purpose_names[purpose]);
    fill_in(&scene->words, form, posting->text);
    return posting;
}

static struct whim
whim_for(const struct scene *scene, enum purpose purpose)
{
    struct whim whim;
    whim_init(&whim, scene->cast, scene->table->id, scene->table->phase,
              scene->seat, (unsigned)purpose);
    return whim;
}

/* A time in the question's span, between two thousandths of it. */
static int64_t
moment(const struct scene *scene, unsigned from, unsigned to, struct whim *whim)
{
    int64_t permille = from + whim_below(whim, to - from);
    int64_t at = scene->opened + scene->span / 1000 * permille;
    if (scene->span >= HOUR_MS) {
        at += (int64_t)whim_below(whim, 60) * SECOND_MS;
    }
    return at - at % SECOND_MS;
}

/* What neighbours say of the same question differs. */
static void
talk(struct scene *scene, enum purpose purpose, unsigned from, unsigned to,
     const char *const *forms, struct whim *whim)
{
    struct whim common;
    unsigned count = 0;
    while (forms[count] != NULL) {
        count++;
    }
    whim_init(&common, scene->cast, scene->table->id, scene->table->phase,
              NO_SEAT, (unsigned)purpose);
    unsigned chosen = (whim_below(&common, count) + scene->seat) % count;
    put(scene, purpose, moment(scene, from, to, whim), forms[chosen])->opening =
        true;
}

/* ---- late, wrong, twice -------------------------------------------------- */

/* Who has missed a deadline takes care, and so does a table that has seen a
 * few missed. */
static bool
is_late(const struct scene *scene, unsigned permille, struct whim *whim)
{
    unsigned missed = 0;
    for (unsigned seat = 0; seat < scene->table->seated; seat++) {
        missed += scene->table->misses[seat];
    }
    bool careful = scene->table->misses[scene->seat] > 0 || missed > 2;
    return whim_chance(whim, careful ? permille / 10 : permille);
}

/* Put the act itself; a wrong one before it (forms NULL: none) so many times
 * in a thousand.  When it comes. */
struct act {
    const char *form;
    const char *const *wrong;
    unsigned wrong_permille, late_permille;
    unsigned from, to; /* thousandths of the question's span */
    bool in_private, wrong_in_thread;
};

static int64_t
put_act(struct scene *scene, const struct act *act)
{
    struct whim whim = whim_for(scene, PURPOSE_ACT);
    int64_t at = moment(scene, act->from, act->to, &whim);
    if (is_late(scene, act->late_permille, &whim)) {
        at += scene->span / 1000 * 1100 + scene->table->settings.grace;
    } else if (act->wrong != NULL && whim_chance(&whim, act->wrong_permille)) {
        int64_t before = scene->span / 1000 * (6 + whim_below(&whim, 14));
        const char *form = pick(act->wrong, &whim);
        put(scene, PURPOSE_WRONG, at - before, form)->in_private =
            act->in_private && !act->wrong_in_thread;
    }
    put(scene, PURPOSE_ACT, at, act->form)->in_private = act->in_private;
    return at;
}

/* ---- talk ---------------------------------------------------------------- */

/* So many of all players speak up. */
static bool
speaks_up(const struct scene *scene, unsigned of_all, struct whim *whim)
{
    return whim_chance(whim, of_all * 1000 / scene->table->seated);
}

/* The round before the one that is on, or NULL. */
static const struct past_round *
last_round(const struct scene *scene)
{
    const struct table *table = scene->table;
    return table->past_count < 2 ? NULL : &table->past[table->past_count - 2];
}

/* The power that the policy of a round has brought, POWER_NONE: none. */
static enum power
power_after(const struct scene *scene, const struct past_round *round)
{
    const struct game *game = &scene->table->game;
    bool fascist = round->outcome == PAST_ENACTED && !round->liberal;
    return fascist && game->fascist > 0 && game->fascist < FASCIST_WIN
               ? game_track_power(game->players, game->fascist)
               : POWER_NONE;
}

/* The government tells what it saw, as soon as it may. */
static void
claim_cards(struct scene *scene, const struct past_round *round)
{
    struct whim whim = whim_for(scene, PURPOSE_CLAIM);
    bool presided = scene->seat == round->president;
    if (round->outcome != PAST_ENACTED ||
        !(presided || scene->seat == round->chancellor)) {
        return;
    }
    struct claim claim =
        mind_claim(scene->cast, scene->table, round, scene->seat);
    const char *const *forms = chancellor_claims;
    if (presided) {
        set_cards(scene, 'd', claim.drawn, 3);
        forms = claim.drawn == 0 ? president_claims_worst : president_claims;
    } else if (claim.passed == 0) {
        forms = chancellor_claims_worst;
    }
    set_cards(scene, 'h', claim.passed, 2);
    talk(scene, PURPOSE_CLAIM, presided ? 4 : 8, presided ? 8 : 14, forms,
         &whim);
}

static unsigned
investigated_by(const struct scene *scene)
{
    for (unsigned other = 0; other < scene->table->seated; other++) {
        if (scene->table->investigated_by[other] == scene->seat) {
            return other;
        }
    }
    return NO_SEAT;
}

/* The last president tells what a power has shown. */
static void
claim_power(struct scene *scene, const struct past_round *round)
{
    struct whim whim = whim_for(scene, PURPOSE_CARD);
    enum power power = power_after(scene, round);
    unsigned target = investigated_by(scene);
    bool candidate = scene->seat == scene->mind.president;
    if (scene->seat != round->president || candidate) {
        return;
    }
    if (power == POWER_PEEK && scene->table->game.draw.count >= HAND_TILES) {
        unsigned liberals = mind_peek(scene->cast, scene->table, scene->seat);
        set_cards(scene, 'd', liberals, 3);
        talk(scene, PURPOSE_CARD, 15, 22, peeks, &whim);
    } else if (power == POWER_INVESTIGATE && target != NO_SEAT) {
        enum known found = mind_finding(scene->cast, scene->table, target);
        set_name(scene, 't', target);
        talk(scene, PURPOSE_CARD, 3, 8,
             found == KNOWN_LIBERAL ? finds_liberal : finds_fascist, &whim);
    }
}

/* Those who let the last deadline pass say sorry. */
static void
excuse(struct scene *scene, const struct past_round *round)
{
    struct whim whim = whim_for(scene, PURPOSE_EXCUSE);
    seat_set nein = round->voted & (seat_set)~round->ja;
    bool unnamed =
        round->outcome == PAST_NO_NAME && round->president == scene->seat;
    bool timed_out = round->outcome == PAST_REJECTED &&
                     2 * seat_count(nein) < seat_count(round->present);
    bool missing =
        timed_out && seat_in(scene->seat, round->present & ~round->voted);
    if ((unnamed || missing) && scene->table->misses[scene->seat] > 0) {
        talk(scene, PURPOSE_EXCUSE, 3, 20, excuses, &whim);
    }
}

/* What is said about the last round; NULL: nothing, or not by this seat. */
static const char *const *
comment(struct scene *scene, const struct past_round *round)
{
    if (round == NULL || scene->seat == round->president ||
        scene->seat == round->chancellor) {
        return NULL;
    }
    set_name(scene, 'p', round->president);
    set_name(scene, 'c', round->chancellor);
    switch ((enum past_outcome)round->outcome) {
    case PAST_ENACTED:
        return round->liberal ? after_liberal : after_fascist;
    case PAST_REJECTED:
        return after_failure;
    case PAST_NOT_YET:
    case PAST_NO_NAME:
    case PAST_VETOED:
    case PAST_WON:
        break;
    }
    return NULL;
}

/* From here on a doubt is said aloud. */
enum {
    DOUBT_SAID = 5
};

/* Advice for who is to name somebody: of the choices, or against somebody. */
static const char *const *
advice(struct scene *scene, bool for_somebody)
{
    const struct mind *mind = &scene->mind;
    seat_set others =
        mind->present & ~seat_bit(scene->seat) & ~seat_bit(mind->president);
    unsigned suspect = mind_suspect(mind, others);
    if (suspect == NO_SEAT || mind_doubt(mind, suspect) < DOUBT_SAID) {
        for_somebody = true;
    }
    unsigned about =
        for_somebody ? mind_favourite(mind, mind->choices) : suspect;
    set_name(scene, 'p', mind->president);
    set_name(scene, 't', about);
    if (about == NO_SEAT) {
        return NULL;
    }
    return for_somebody ? praise : blame;
}

static void
talk_before_nomination(struct scene *scene)
{
    struct whim whim = whim_for(scene, PURPOSE_TALK);
    const struct past_round *round = last_round(scene);
    const char *const *forms = NULL;
    if (round == NULL) {
        forms = whim_chance(&whim, 700) ? greetings : NULL;
    } else if (scene->seat == scene->mind.president) {
        forms = whim_chance(&whim, 400) ? candidate_talk : NULL;
    } else if (speaks_up(scene, 2, &whim)) {
        unsigned topic = whim_below(&whim, 3);
        forms = topic == 0 ? comment(scene, round) : NULL;
        forms = forms == NULL ? advice(scene, topic != 1) : forms;
    }
    if (forms != NULL) {
        talk(scene, PURPOSE_TALK, 16, 60, forms, &whim);
    }
}

static void
talk_before_vote(struct scene *scene, bool ja)
{
    struct whim whim = whim_for(scene, PURPOSE_TALK);
    const struct mind *mind = &scene->mind;
    bool governs =
        scene->seat == mind->president || scene->seat == mind->chancellor;
    bool dangerous = mind->fascist >= FASCIST_DANGER &&
                     !seat_in(mind->chancellor, mind->cleared);
    const char *const *forms = ja ? for_government : against_government;
    if (!speaks_up(scene, 2, &whim)) {
        return;
    }
    if (governs) {
        forms = in_office;
    } else if (dangerous && whim_chance(&whim, ja ? 250 : 700)) {
        forms = danger;
    }
    talk(scene, PURPOSE_TALK, 4, 40, forms, &whim);
}

/* Those who are not in office pass the time. */
static void
talk_aside(struct scene *scene, const char *const *forms, unsigned of_all)
{
    struct whim whim = whim_for(scene, PURPOSE_TALK);
    const struct mind *mind = &scene->mind;
    if (scene->seat != mind->president && scene->seat != mind->chancellor &&
        speaks_up(scene, of_all, &whim)) {
        talk(scene, PURPOSE_TALK, 10, 60, forms, &whim);
    }
}

static void
talk_before_power(struct scene *scene, enum question question)
{
    struct whim whim = whim_for(scene, PURPOSE_TALK);
    const struct mind *mind = &scene->mind;
    bool favour = question == QUESTION_SPECIAL_ELECTION;
    seat_set choices = mind->choices & ~seat_bit(scene->seat);
    if (scene->seat == mind->president || choices == 0 ||
        !speaks_up(scene, 2, &whim)) {
        return;
    }
    const char *const *forms = before_investigation;
    if (favour) {
        forms = before_special;
    } else if (question == QUESTION_EXECUTION) {
        forms = before_execution;
    }
    set_name(scene, 't',
             favour ? mind_favourite(mind, choices)
                    : mind_suspect(mind, choices));
    talk(scene, PURPOSE_TALK, 16, 60, forms, &whim);
}

/* ---- acts ---------------------------------------------------------------- */

/* Names that would be refused, as a wrong nomination. */
static const char *const wrong_people[] = {"**{w}**", NULL};

/* Forms of a name, or those in red where it must be. */
static const char *const *
names_for(const struct scene *scene, const char *const *forms)
{
    bool red =
        traits_require_red(&adapter_board.traits, scene->table->settings.red);
    return red ? names_red : forms;
}

static void
act_nominate(struct scene *scene)
{
    struct whim whim = whim_for(scene, PURPOSE_AGAIN);
    struct act act = {.form = pick(names_for(scene, names_name), &whim),
                      .wrong = wrong_name,
                      .wrong_permille = 220,
                      .late_permille = 30,
                      .from = 80,
                      .to = 500};
    seat_set limited = scene->mind.present & (seat_set)~scene->mind.choices;
    set_name(scene, 't', mind_nominee(&scene->mind));
    for (unsigned seat = 0; seat < scene->table->seated; seat++) {
        if (seat_in(seat, limited) && whim_chance(&whim, 100)) {
            set_name(scene, 'w', seat);
            act.wrong = wrong_people;
            act.wrong_permille = 500;
        }
    }
    put_act(scene, &act);
}

/* Forms of a vote, and the words in it. */
static const char *const *
votes_for(struct scene *scene, bool ja)
{
    const char *shown = scene->table->settings.words;
    struct vote_words *words = &scene->vote_words;
    bool known = vote_words_read(shown, words);
    assert(known);
    (void)known;
    set_word(scene, 'v', ja ? words->ja[0] : words->nein[0]);
    set_word(scene, 'w', ja ? words->nein[0] : words->ja[0]);
    if (strcmp(shown, setting_find("words", SCOPE_GAME)->normal) != 0) {
        return votes_own;
    }
    return ja ? votes_ja : votes_nein;
}

static void
act_vote(struct scene *scene)
{
    struct whim whim = whim_for(scene, PURPOSE_AGAIN);
    bool ja = mind_vote(&scene->mind);
    bool sealed = scene->table->game.rules.ballot == BALLOT_SEALED;
    const char *const *forms = votes_for(scene, ja);
    talk_before_vote(scene, ja);
    struct act act = {.form = pick(forms, &whim),
                      .wrong = wrong_votes,
                      .wrong_permille = 80,
                      .late_permille = 12,
                      .from = 60,
                      .to = 600};
    if (sealed) {
        act.form = whim_chance(&whim, 500) ? "{v}" : "**{v}**";
        act.in_private = true;
        act.wrong_in_thread = whim_chance(&whim, 400);
        act.wrong = act.wrong_in_thread ? votes_again : ballots_wrong;
    }
    int64_t at = put_act(scene, &act);
    if (whim_chance(&whim, 60)) {
        int64_t later = scene->span / 1000 * (5 + whim_below(&whim, 20));
        const char *form = pick(sealed ? ballots_again : votes_again, &whim);
        put(scene, PURPOSE_AGAIN, at + later, form)->in_private = sealed;
    }
}

static void
act_discard(struct scene *scene)
{
    struct whim whim = whim_for(scene, PURPOSE_AGAIN);
    unsigned card = mind_discard(&scene->mind);
    struct act act = {.form = pick(discards, &whim),
                      .wrong = discards_wrong,
                      .wrong_permille = 180,
                      .late_permille = 15,
                      .from = 40,
                      .to = 450,
                      .in_private = true};
    set_number(scene, 'n', card + 1);
    set_number(scene, 'x', card == 0 ? 2 : 1);
    set_number(scene, 'y', card == 2 ? 2 : 3);
    put_act(scene, &act);
}

static void
act_enact(struct scene *scene)
{
    struct whim whim = whim_for(scene, PURPOSE_AGAIN);
    const struct mind *mind = &scene->mind;
    bool liberal = mind_enacts_liberal(mind);
    struct act act = {.form = pick(enacts, &whim),
                      .wrong = enacts_wrong,
                      .wrong_permille = 120,
                      .late_permille = 15,
                      .from = 40,
                      .to = 450,
                      .in_private = true};
    if (mind->hand.count == 0) {
        return;
    }
    set_number(scene, 'n', pile_is_liberal(mind->hand, 0) == liberal ? 1 : 2);
    set_word(scene, 'l', liberal ? "L" : "F");
    if (mind_asks_veto(mind)) {
        act.in_private = whim_chance(&whim, 500);
        act.form = act.in_private ? "veto" : "**Veto**";
        act.wrong = NULL;
    }
    put_act(scene, &act);
}

static void
act_veto(struct scene *scene)
{
    const struct act act = {.form = mind_agrees_veto(&scene->mind)
                                        ? "**Approved**"
                                        : "**Declined**",
                            .wrong = veto_wrong,
                            .wrong_permille = 200,
                            .late_permille = 20,
                            .from = 40,
                            .to = 450};
    put_act(scene, &act);
}

static void
act_target(struct scene *scene, enum question question)
{
    struct whim whim = whim_for(scene, PURPOSE_AGAIN);
    const struct act act = {.form = pick(names_for(scene, names_target), &whim),
                            .wrong = wrong_target,
                            .wrong_permille = 220,
                            .late_permille = 30,
                            .from = 80,
                            .to = 450};
    set_name(scene, 't', mind_target(&scene->mind, question));
    put_act(scene, &act);
}

/* ---- schedules ----------------------------------------------------------- */

static void
play_nomination(struct scene *scene)
{
    const struct past_round *round = last_round(scene);
    if (round != NULL) {
        enum power power = power_after(scene, round);
        if (power == POWER_NONE || power == POWER_PEEK) {
            claim_cards(scene, round);
        }
        claim_power(scene, round);
        excuse(scene, round);
    }
    set_name(scene, 'p', scene->mind.president);
    talk_before_nomination(scene);
    if (scene->seat == scene->mind.president) {
        act_nominate(scene);
    }
}

static void
play_power(struct scene *scene, enum question question)
{
    const struct past_round *round = table_round(scene->table);
    if (round != NULL) {
        claim_cards(scene, round);
    }
    talk_before_power(scene, question);
    if (scene->seat == scene->mind.president) {
        act_target(scene, question);
    }
}

static void
play_seat(struct scene *scene)
{
    const struct mind *mind = &scene->mind;
    enum question question = (enum question)scene->table->game.question;
    bool presides = scene->seat == mind->president;
    switch (question) {
    case QUESTION_NOMINATE:
        play_nomination(scene);
        break;
    case QUESTION_VOTE:
        act_vote(scene);
        break;
    case QUESTION_DISCARD:
        talk_aside(scene, waiting, 1);
        if (presides) {
            act_discard(scene);
        }
        break;
    case QUESTION_ENACT:
        if (scene->seat == mind->chancellor) {
            act_enact(scene);
        }
        break;
    case QUESTION_VETO:
        talk_aside(scene, before_veto, 2);
        if (presides) {
            act_veto(scene);
        }
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        play_power(scene, question);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
}

void
actors_schedule(const struct cast *cast, const struct table *table,
                struct schedule *schedule)
{
    struct scene *scene = must_alloc(sizeof(*scene));
    enum question question = (enum question)table->game.question;
    /* As it was at first: an act is not planned anew where it was moved. */
    int64_t until = deadline_of(question, table->opened, table->round_opened,
                                &table->settings, zone_utc());
    schedule->count = 0;
    for (unsigned seat = 0; seat < table->seated && until != 0; seat++) {
        if (!cast_plays(cast, table, seat) ||
            !seat_in(seat, game_present(&table->game))) {
            continue;
        }
        memset(scene, 0, sizeof(*scene));
        scene->cast = cast;
        scene->table = table;
        scene->schedule = schedule;
        scene->opened = table->opened;
        scene->span = until - table->opened;
        scene->seat = seat;
        mind_init(&scene->mind, cast, table, seat);
        set_name(scene, 'p', scene->mind.president);
        set_name(scene, 'c', scene->mind.chancellor);
        play_seat(scene);
    }
    free(scene);
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
actors_signup(const struct cast *cast, const struct signup *signup,
              struct schedule *schedule)
{
    int64_t at = signup->start;
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
            put_signup(schedule, at - 20 * SECOND_MS, person, i, "wrong", "",
                       "I am in!");
        }
        put_signup(schedule, at, person, i, "join", signup->prefix, "join");
        if (!human && whim_chance(&whim, 80) && i + 1 < signup->count) {
            put_signup(schedule, at + 15 * SECOND_MS, person, i, "again",
                       signup->prefix, "join");
        }
    }
}
