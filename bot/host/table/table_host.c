/* What the host and the moderators do to a table, apart from the moves of
 * players.  The chat commands and the clock ask first whether it is allowed:
 * here it is done. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/table/table_inner.h"

/* How often an announced absence is excused in a game, and how long. */
#define EXCUSES_MOST   2
#define EXCUSE_LONGEST (3 * DAY_MS)

/* A reason that was not given is null. */
static void
write_extended(struct table *table, const struct move *move, struct made *made)
{
    table_write_line(table, move, made,
                     (struct record_line){
                         .kind = RECORD_EXTENDED,
                         .deadline = table->deadline,
                         .text = move->text[0] == '\0' ? NULL : move->text});
}

/* ---- time ---------------------------------------------------------------- */

/* There is no game yet whose record it could be in. */
static void
delay(struct table *table, const struct move *move)
{
    int64_t *end =
        table->state == TABLE_CHECK ? &table->check_ends : &table->starts;
    *end = move->until;
    table->postponed =
        table->postponed ||
        (move->kind == MOVE_EXTEND && move->extended == EXTENDED_FOR_TOO_FEW);
}

/* The open question's deadline moves, and with it what its session has still to
 * come.  What comes after that has its own time, or runs from this deadline. */
static int64_t
move_deadline(struct table *table, const struct move *move)
{
    int64_t by = move->until - table->deadline;
    table->deadline = move->until;
    table->remind = move->remind;
    table->session_ends =
        move->session != 0
            ? move->session
            : table->session_ends + (table->session_ends == 0 ? 0 : by);
    table->called_until += table->called_until == 0 ? 0 : by;
    return by;
}

/* Before the game the end of the sign-up, or of the ready check, may be moved.
 */
bool
may_extend(const struct table *table, const struct move *move)
{
    bool few = move->extended == EXTENDED_FOR_TOO_FEW &&
               table->state == TABLE_SIGNUP && !table->postponed;
    return table_is_coming(table)
               ? table_coming_ends(table) != 0 &&
                     (few || move->extended == EXTENDED_FOR_OUTAGE)
               : table->deadline != 0;
}

void
apply_extend(struct table *table, const struct move *move, struct made *made)
{
    if (table_is_coming(table)) {
        delay(table, move);
        return;
    }
    int64_t by = move_deadline(table, move);
    table->extensions += move->extended == EXTENDED_BY_TABLE;
    table->set_by_people = table->set_by_people ||
                           move->extended == EXTENDED_BY_TABLE ||
                           move->extended == EXTENDED_BY_MODERATOR;
    if (move->extended == EXTENDED_FOR_CALL) {
        table->called_until = 0;
    }
    if (move->extended == EXTENDED_FOR_OUTAGE) {
        table->announced_due += table->announced == NO_SEAT ? 0 : by;
        table->held_until += table->held_until == 0 ? 0 : by;
    }
    unsigned seat = made->seat;
    if (move->extended == EXTENDED_FOR_PLAYER && seat != NO_SEAT) {
        table->waited_for |= seat_bit(seat);
    }
    write_extended(table, move, made);
}

/* A question was put at a wrong time.  Where posts that come before it by their
 * stamps could not answer it, that stays so, unless that time was wrong, too.
 */
static void
put_anew(struct table *table, int64_t now)
{
    table->opened = now;
    table->since = table->since > now ? 0 : table->since;
}

/* Everything that was counted by a wrong clock. */
static void
begin_anew(struct table *table, const struct move *move)
{
    put_anew(table, move->now);
    table->session_ends = 0;
    table->session_began = table->session_began == 0 ? 0 : move->now;
    table->called_until = 0;
    if (table->announced != NO_SEAT) {
        table->announced_due = move->now + table->thought;
    }
    if (table->held_until != 0) {
        table->held_until = move->now + table->settings.vote_min;
    }
}

bool
may_called(const struct table *table, const struct move *move)
{
    return table_is_coming(table)
               ? table_coming_ends(table) != 0 && move->called == CALLED_ANEW
               : table->deadline != 0 &&
                     (!table->paused || move->called == CALLED_LATE);
}

/* The question came late.  No line tells that the chancellor's did, for that
 * would tell when the president chose; nor what changes during a pause, for the
 * deadline is told when the game goes on. */
void
apply_called(struct table *table, const struct move *move, struct made *made)
{
    if (table_is_coming(table)) {
        delay(table, move);
        put_anew(table, move->now);
        return;
    }
    if (move->called == CALLED_ANEW) {
        begin_anew(table, move);
        (void)move_deadline(table, move);
    } else if (table->game.question == QUESTION_ENACT) {
        table->called_until = move->until;
        table->remind = move->remind;
        return;
    } else {
        int64_t by = move_deadline(table, move);
        table->held_until += table->held_until == 0 ? 0 : by;
        table->session_began = move->now; /* if it is one */
    }
    if (table->paused) {
        return;
    }
    write_extended(table, move, made);
}

static void
note_pause(struct table *table, int64_t to)
{
    table->pauses =
        table_grow(table->pauses, table->pause_count, sizeof table->pauses[0]);
    table->pauses[table->pause_count++] = (struct pause){table->paused_at, to};
}

/* Everything goes on with the time that it had left. */
void
apply_resume(struct table *table, const struct move *move, struct made *made)
{
    int64_t by = move->now - table->paused_at;
    int64_t thought = table->announced_due - table->paused_at;
    table->paused = false;
    note_pause(table, move->now);
    if (table->deadline != 0) {
        (void)move_deadline(table, move);
    }
    table->opened += by;
    table->held_until += table->held_until == 0 ? 0 : by;
    if (table->announced != NO_SEAT) {
        /* All of it, if it was announced during the pause. */
        table->announced_due =
            move->now + (thought < table->thought ? thought : table->thought);
    }
    table_write_line(table, move, made,
                     (struct record_line){.kind = RECORD_RESUMED,
                                          .deadline = table->deadline});
}

void
apply_remind(struct table *table, const struct move *move, struct made *made)
{
    if (table->state == TABLE_SIGNUP) {
        table->start_told = true;
        return;
    }
    table->remind = move->remind;
    if (table->state == TABLE_CHECK) {
        return;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, move->caught_up)) {
            table->seats[seat].caught_up = move->now;
        }
    }
    table_write_line(table, move, made,
                     (struct record_line){
                         .kind = RECORD_REMINDED,
                         .event = {.seats = game_awaits(&table->game).seats &
                                            game_present(&table->game)}});
}

/* ---- people -------------------------------------------------------------- */

static void
drop_warning(struct table *table, unsigned at)
{
    name_drop(&table->warned[at].reason);
    table_cut(table->warned, &table->warned_count, at, sizeof table->warned[0]);
}

/* Whoever has the seat now was not warned. */
static void
forget_warned(struct table *table, unsigned seat)
{
    for (unsigned i = table->warned_count; i-- > 0;) {
        if (table->warned[i].seat == seat) {
            drop_warning(table, i);
        }
    }
}

/* A plan is a person's, and names persons. */
static void
forget_plans(struct table *table, unsigned seat)
{
    table->seats[seat].plan.count = 0;
    for (unsigned i = 0; i < table->seated; i++) {
        struct plan *plan = &table->seats[i].plan;
        unsigned kept = 0;
        for (unsigned k = 0; k < plan->count; k++) {
            if (plan->seats[k] != seat) {
                plan->seats[kept++] = plan->seats[k];
            }
        }
        plan->count = (uint8_t)kept;
    }
}

/* Somebody else has the seat now.  What it has answered, and how long it was
 * silent, stays the seat's; so does who investigated whom. */
static void
seat_another(struct seat *seat, const struct move *move)
{
    struct seat before = *seat;
    seat_release(seat);
    name_set(&seat->user, move->user);
    name_set(&seat->name, move->name);
    seat->came = move->at;
    seat->acted = before.acted;
    seat->silent_since = before.silent_since;
    seat->prodded = before.prodded;
    seat->investigated_by = before.investigated_by;
    seat->investigator_was = before.investigator_was;
    seat->investigated_in = before.investigated_in;
}

/* May somebody take a seat?  Its former player may come back while it is
 * vacant. */
bool
may_replace(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->out);
    return seat != NO_SEAT && seat_in(seat, table->game.living) &&
           table_is_outsider(table, move->user) &&
           table->former_count < UINT8_MAX &&
           (strcmp(move->user, move->out) == 0
                ? seat_in(seat, table->game.vacant)
                : table_seat(table, move->user) == NO_SEAT);
}

void
apply_replace(struct table *table, const struct move *move, struct made *made)
{
    table_take_out(table, move->user); /* from the reserve */
    unsigned seat = table_seat(table, move->out);
    struct seat *person = &table->seats[seat];
    bool returns = strcmp(move->user, move->out) == 0;
    const char *out = name_keep(person->name);
    if (table->game.vacant & seat_bit(seat)) {
        struct command fill = {.kind = COMMAND_FILL, .target = (uint8_t)seat};
        enum refusal refusal = game_step(&table->game, &fill, made->events);
        assert(refusal == REFUSAL_NONE);
        (void)refusal;
    }
    if (!returns) {
        table_remember_former(table, seat);
        seat_another(person, move);
        forget_warned(table, seat);
        forget_plans(table, seat);
    }
    person->receipts = false;
    person->misses = 0;
    person->votes_missed = 0;
    person->away = 0;
    table->waited_for &= (seat_set)~seat_bit(seat);
    table->leaving &= (seat_set)~seat_bit(seat);
    table_write_line(table, move, made,
                     (struct record_line){
                         .kind = EVENT_FILLED, .out = out, .in = person->name});
    name_drop(&out);
}

/* ---- taking back --------------------------------------------------------- */

/* The seats as they were: what was missed since then was not, and nobody was
 * investigated.  Who sits there, and what they chose, stays. */
static void
take_seats_back(struct table *table, const struct table *past)
{
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        struct seat *seat = &table->seats[i];
        const struct seat *before = &past->seats[i];
        seat->misses = before->misses;
        seat->votes_missed = before->votes_missed;
        seat->investigated_by = before->investigated_by;
        seat->investigator_was = before->investigator_was;
        seat->investigated_in = before->investigated_in;
    }
}

/* The game as it was.  What is no move of the game stays: who sits where, what
 * was set, what was counted; and no number is used twice. */
static void
take_back(struct table *table, const struct table *past)
{
    struct table copy;
    struct past_round *rounds = table->past;
    struct table_claim *claims = table->claims;
    unsigned round_count = table->past_count;
    unsigned claim_count = table->claim_count;
    table_clone(&copy, past);
    /* In a session, count as if both choices had been open: the next number
     * must not tell whether the first was made, and what asks for the second
     * has the number of the first (table_phase), which has to be new. */
    table->phase += (table->game.question == QUESTION_DISCARD ? 1 : 0) +
                    (past->game.question == QUESTION_ENACT ? 1 : 0);
    take_seats_back(table, past);
    table->game = past->game;
    table->past = copy.past;
    table->past_count = copy.past_count;
    table->claims = copy.claims;
    table->claim_count = copy.claim_count;
    table->round_from = past->round_from;
    table->session_began = past->session_began;
    table->session_ends = past->session_ends;
    table->thought = past->thought;
    table->put_out = past->put_out;
    memcpy(table->voted_at, past->voted_at, sizeof table->voted_at);
    copy.past = rounds;
    copy.past_count = round_count;
    copy.claims = claims;
    copy.claim_count = claim_count;
    table_release(&copy);
}

/* Can the game be taken back to how it was?  Not once it is over: then the
 * secret is told, and with it whatever would be dealt.  Nor so far that
 * somebody lives who was told the roles. */
bool
may_rewind(const struct table *table, const struct move *move)
{
    return move->past != NULL && move->past->state == TABLE_RUNNING &&
           move->past->game.round > 0 &&
           (table->gallery & move->past->game.living) == 0;
}

void
apply_rewind(struct table *table, const struct move *move, struct made *made)
{
    bool known = table->shown != move->past->shown;
    take_back(table, move->past);
    table_write_line(table, move, made,
                     (struct record_line){.kind = RECORD_REWOUND,
                                          .to = move->past->seq - 1});
    table_reopen(table, move);
    if (known) {
        struct command command = {.kind = COMMAND_KNOWN};
        enum refusal refusal =
            table_step(table, move, &command, made->events, made->lines);
        assert(refusal == REFUSAL_NONE);
        (void)refusal;
    }
}

/* ---- the rest ------------------------------------------------------------ */

const struct asked *
table_asked(const struct table *table, unsigned number)
{
    const struct asked *found = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        if (asked->number != 0 && (number == 0 || asked->number == number)) {
            found = asked;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

unsigned
table_next_ask(const struct table *table)
{
    unsigned phase = table_phase(table);
    return phase > table->asks ? phase : table->asks + 1;
}

/* Where a new request goes: a free slot, or that of the same person's oldest;
 * TABLE_ASKS_MAX: there is none. */
static unsigned
place_to_ask(const struct table *table, const char *user)
{
    unsigned place = TABLE_ASKS_MAX;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        if (asked->number == 0) {
            return i;
        }
        if (strcmp(asked->user, user) == 0 &&
            (place == TABLE_ASKS_MAX ||
             asked->number < table->asked[place].number)) {
            place = i;
        }
    }
    return place;
}

bool
may_ask(const struct table *table, const struct move *move)
{
    return move->request == 0 ||
           (move->request > table->asks &&
            place_to_ask(table, move->user) < TABLE_ASKS_MAX);
}

static void
forget_asked(struct asked *asked)
{
    name_drop(&asked->user);
    name_drop(&asked->post);
    name_drop(&asked->text);
    asked->number = 0;
    asked->phase = 0;
    asked->until = 0;
    asked->agreed = 0;
}

/* In an older journal a request has no number, and replaces the one before. */
void
apply_ask(struct table *table, const struct move *move, struct made *made)
{
    (void)made;
    for (unsigned i = 0; move->request == 0 && i < TABLE_ASKS_MAX; i++) {
        forget_asked(&table->asked[i]);
    }
    unsigned at = place_to_ask(table, move->user);
    assert(at < TABLE_ASKS_MAX);
    struct asked *asked = &table->asked[at];
    forget_asked(asked);
    asked->number = move->request == 0 ? table_next_ask(table) : move->request;
    table->asks = asked->number;
    name_set(&asked->user, move->user);
    name_set(&asked->post, move->post);
    name_set(&asked->text, move->text);
    asked->until = move->until;
    asked->phase = table_phase(table);
}

/* A language or a theme may have been removed since.  No name: may anything be
 * set? */
bool
may_set(const struct table *table, const struct move *move)
{
    struct settings tried = table->settings;
    struct complaint unsaid;
    return move->name[0] == '\0' ||
           ((table_is_coming(table) || !settings_is_rule(move->name)) &&
            settings_change(&tried, move->name, move->text, &unsaid));
}

void
apply_set(struct table *table, const struct move *move, struct made *made)
{
    struct complaint unsaid;
    bool good =
        settings_change(&table->settings, move->name, move->text, &unsaid);
    assert(good);
    (void)good;
    if (settings_is_rule(move->name)) {
        table_write_opened(table, made->lines);
    }
    if (strcmp(move->name, "prod") == 0 && table->state == TABLE_RUNNING) {
        table->prod_at = table->settings.prod > 0 ? move->now : 0;
    }
}

/* The cards of a claim's next word, "FFL", as a pile; moves past it. */
static struct pile
claimed_pile(const char **cards)
{
    struct pile pile = {0, 0};
    for (; **cards == 'L' || **cards == 'F'; ++*cards) {
        pile_add(&pile, **cards == 'L');
    }
    return pile;
}

/* Write a line for each word of a claim.  In older journals a blank is between
 * them, and only the first was written. */
static void
write_claim(struct table *table, const struct move *move,
            const struct table_claim *claim, struct made *made)
{
    const char *cards = move->text;
    do {
        cards += *cards == ',';
        table_write_line(
            table, move, made,
            (struct record_line){.kind = RECORD_CLAIMED,
                                 .event = {.seat = claim->seat,
                                           .round = claim->round,
                                           .power = claim->power,
                                           .target = claim->target,
                                           .cards = claimed_pile(&cards)}});
    } while (*cards == ',');
}

bool
table_is_same_story(const struct table_claim *one,
                    const struct table_claim *two)
{
    return one->round == two->round && one->seat == two->seat &&
           one->was == two->was && one->power == two->power &&
           one->target == two->target;
}

/* Of a story that goes on changing the first is kept, and the latest. */
static void
keep_claim(struct table *table, const struct table_claim *claim)
{
    unsigned told = 0;
    unsigned second = 0;
    for (unsigned i = 0; i < table->claim_count; i++) {
        if (table_is_same_story(&table->claims[i], claim)) {
            told++;
            second = told == 2 ? i : second;
        }
    }
    if (told == TABLE_STORIES_MAX || table->claim_count == TABLE_CLAIMS_MAX) {
        table_cut(table->claims, &table->claim_count,
                  told == TABLE_STORIES_MAX ? second : 0,
                  sizeof table->claims[0]);
    }
    table->claims =
        table_grow(table->claims, table->claim_count, sizeof table->claims[0]);
    table->claims[table->claim_count++] = *claim;
}

static struct table_claim
claim_of(const struct table *table, const struct move *move)
{
    struct table_claim claim = {.round = move->round,
                                .seat = (uint8_t)table_seat(table, move->user),
                                .at = move->at};
    if (move->out[0] != '\0') {
        claim.power = POWER_INVESTIGATE;
        claim.target = (uint8_t)table_seat(table, move->out);
    } else if (move->name[0] != '\0') {
        claim.power = POWER_PEEK;
    }
    assert(strlen(move->text) < sizeof claim.cards);
    memcpy(claim.cards, move->text, strlen(move->text) + 1);
    for (char *at = claim.cards; *at != '\0'; at++) {
        if (*at == ',') {
            *at = ' ';
        }
    }
    return claim;
}

bool
table_repeats_claim(const struct table *table, const struct move *move)
{
    struct table_claim claim = claim_of(table, move);
    unsigned i = table->claim_count;
    while (i > 0 && !table_is_same_story(&table->claims[i - 1], &claim)) {
        i--;
    }
    return i > 0 && strcmp(table->claims[i - 1].cards, claim.cards) == 0;
}

void
apply_claim(struct table *table, const struct move *move, struct made *made)
{
    struct table_claim claim = claim_of(table, move);
    if (!table_repeats_claim(table, move)) {
        keep_claim(table, &claim);
    }
    write_claim(table, move, &claim, made);
}

void
apply_announce(struct table *table, const struct move *move, struct made *made)
{
    (void)made;
    int64_t thought = move->until - move->now;
    table->thought = table->settings.second_thought;
    if (thought > table->thought) { /* a formula has its own least time */
        table->thought = thought;
    }
    table->announced = move->announced;
    table->announced_due = move->announced == NO_SEAT ? 0 : move->until;
}

/* A player who announces an absence is excused for a while; announcing it again
 * within that time changes how long. */
void
apply_away(struct table *table, const struct move *move, struct made *made)
{
    (void)table;
    struct seat *person = made->person;
    person->away = move->until;
    if (move->at >= person->excused_until) {
        if (person->excuses == EXCUSES_MOST || move->until <= move->at) {
            return;
        }
        person->excuses++;
        person->excused_from = move->at;
    }
    int64_t most = person->excused_from + EXCUSE_LONGEST;
    person->excused_until = move->until < most ? move->until : most;
}

void
apply_agree(struct table *table, const struct move *move, struct made *made)
{
    const struct asked *asked = table_asked(table, move->request);
    assert(asked != NULL);
    table->asked[asked - table->asked].agreed |= seat_bit(made->seat);
}

void
apply_answered(struct table *table, const struct move *move, struct made *made)
{
    (void)made;
    const struct asked *asked = table_asked(table, move->request);
    assert(asked != NULL);
    forget_asked(&table->asked[asked - table->asked]);
}

static void
list_warning(struct table *table, unsigned seat, const char *reason)
{
    if (table->warned_count == TABLE_WARNED_MAX) {
        drop_warning(table, 0);
    }
    table->warned =
        table_grow(table->warned, table->warned_count, sizeof table->warned[0]);
    struct table_warning *warning = &table->warned[table->warned_count++];
    warning->seat = (uint8_t)seat;
    warning->reason = name_keep(reason);
}

void
apply_warn(struct table *table, const struct move *move, struct made *made)
{
    if (made->seat == NO_SEAT) {
        table->strangers++;
    } else if (move->by_moderator) {
        list_warning(table, made->seat, move->text);
    } else if (made->person->warnings < UINT8_MAX) {
        made->person->warnings++;
    }
}

void
apply_prod(struct table *table, const struct move *move, struct made *made)
{
    table->prod_at = move->until;
    table->pause_told = table->paused ? move->now : table->pause_told;
    if (made->person != NULL) {
        made->person->silent_since = move->session;
        made->person->prodded = (uint8_t)move->prodded;
    }
}

bool
may_flag(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    int64_t oldest = table->seats[seat].flagged[0];
    return oldest == 0 || move->at - oldest >= DAY_MS;
}

void
apply_flag(struct table *table, const struct move *move, struct made *made)
{
    (void)table;
    int64_t *flagged = made->person->flagged;
    memmove(&flagged[0], &flagged[1], (SEAT_FLAGS_MAX - 1) * sizeof flagged[0]);
    flagged[SEAT_FLAGS_MAX - 1] = move->at;
}

bool
may_plan(const struct table *table, const struct move *move)
{
    struct plan plan;
    return seat_in(table_seat(table, move->user), game_present(&table->game)) &&
           table_read_plan(table, move->text, &plan);
}

void
apply_plan(struct table *table, const struct move *move, struct made *made)
{
    bool good = table_read_plan(table, move->text, &made->person->plan);
    assert(good);
    (void)good;
}

/* The executed may, and people who have no seat and are to have none. */
bool
may_gallery(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    if (move->user[0] == '\0') {
        return move->thread[0] != '\0';
    }
    return strcmp(table->settings.gallery, "off") != 0 &&
           (seat != NO_SEAT ? !seat_in(seat, table->game.living)
                            : table->watcher_count < TABLE_WATCHERS_MAX &&
                                  !table_is_watcher(table, move->user) &&
                                  table_reserve(table, move->user) == NO_SEAT);
}

void
apply_gallery(struct table *table, const struct move *move, struct made *made)
{
    unsigned seat = made->seat;
    if (move->user[0] == '\0') {
        name_set(&table->gallery_place, move->thread);
    } else if (seat != NO_SEAT) {
        table->gallery |= seat_bit(seat);
    } else {
        name_set(&table->watchers[table->watcher_count++], move->user);
    }
}
