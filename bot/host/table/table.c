#include "bot/host/table/table.h"

#include <assert.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/table/table_inner.h"

bool
table_is_coming(const struct table *table)
{
    return table->state == TABLE_SIGNUP || table->state == TABLE_CHECK;
}

int64_t
table_coming_ends(const struct table *table)
{
    return table->state == TABLE_CHECK ? table->check_ends : table->starts;
}

bool
table_is_seated(const struct table *table)
{
    return table->state == TABLE_SEATED || table->state == TABLE_RUNNING;
}

unsigned
table_seat(const struct table *table, const char *user)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (strcmp(table->seats[seat].user, user) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
}

bool
table_has_player(const struct table *table, const char *user)
{
    return table_seat(table, user) != NO_SEAT;
}

unsigned
table_player(const struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    return seat != NO_SEAT && seat_in(seat, table->game.vacant) ? NO_SEAT
                                                                : seat;
}

unsigned
table_reserve(const struct table *table, const char *user)
{
    for (unsigned i = 0; i < table->reserve_count; i++) {
        if (strcmp(table->reserves[i].user, user) == 0) {
            return i;
        }
    }
    return NO_SEAT;
}

seat_set
table_open_seats(const struct table *table)
{
    if (table->state != TABLE_RUNNING) {
        return 0;
    }
    return (seat_set)((table->game.vacant | table->leaving) &
                      table->game.living);
}

void
table_names(const struct table *table, const char *names[PLAYERS_MAX])
{
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        names[seat] = table->seats[seat].name;
    }
}

unsigned
table_misses(const struct table *table, unsigned seat)
{
    return (unsigned)table->seats[seat].misses +
           table->seats[seat].votes_missed;
}

unsigned
table_phase(const struct table *table)
{
    const struct game *game = &table->game;
    bool second = game->question == QUESTION_ENACT && !game->veto_declined;
    return table->phase - (second ? 1 : 0);
}

unsigned
table_phase_of(const struct table *table, unsigned seat)
{
    bool governs =
        seat == table->game.president || seat == table->game.chancellor;
    return governs ? table->phase : table_phase(table);
}

bool
table_is_secret(const struct table *table)
{
    return table_in_session(table) ||
           (table->game.question == QUESTION_VOTE &&
            table->game.rules.ballot == BALLOT_SEALED);
}

seat_set
table_private_seats(const struct table *table)
{
    if (table->state != TABLE_RUNNING || !table_is_secret(table)) {
        return 0;
    }
    return table->game.question == QUESTION_VOTE
               ? game_present(&table->game)
               : game_awaits(&table->game).seats;
}

/* Does time end what is open at a table? */
static bool
has_end(const struct table *table)
{
    return table_is_coming(table) ? table_coming_ends(table) != 0
                                  : table->state == TABLE_RUNNING &&
                                        !table->paused && table->deadline != 0;
}

int64_t
table_put_at(const struct table *table)
{
    bool aimed = table->state == TABLE_RUNNING && table->announced != NO_SEAT;
    int64_t announced = aimed ? table->announced_due - table->thought : 0;
    int64_t last = announced > table->opened ? announced : table->opened;
    return has_end(table) ? last : 0;
}

/* The host may end a vote before the engine would. */
bool
table_vote_goes_on(const struct table *table)
{
    struct game game = table->game;
    if (table->state != TABLE_RUNNING || table_is_secret(table)) {
        return false;
    }
    if (table->held_until != 0) {
        game.rules.vote_closes = table->vote_closes;
    }
    return game_vote_goes_on(&game);
}

bool
table_offers_seat(const struct table *table)
{
    return table->state == TABLE_RUNNING && table->home[0] != '\0' &&
           table->settings.advertises && table_open_seats(table) != 0;
}

seat_set
table_awaited(const struct table *table)
{
    return table->state == TABLE_RUNNING ? game_awaits(&table->game).seats : 0;
}

bool
table_in_session(const struct table *table)
{
    return table->game.question == QUESTION_DISCARD ||
           table->game.question == QUESTION_ENACT;
}

static bool
is_power_question(enum question question)
{
    return question == QUESTION_INVESTIGATE ||
           question == QUESTION_SPECIAL_ELECTION ||
           question == QUESTION_EXECUTION;
}

bool
table_waits(const struct table *table)
{
    const struct settings *settings = &table->settings;
    bool power = is_power_question((enum question)table->game.question);
    return (power && strcmp(settings->power_timeout, "wait") == 0) ||
           (table_in_session(table) &&
            strcmp(settings->cards_timeout, "wait") == 0);
}

int64_t
table_told(const struct table *table)
{
    if (table_waits(table)) {
        return 0;
    }
    return table->deadline != 0 && table_in_session(table) ? table->session_ends
                                                           : table->deadline;
}

seat_set
table_cleared(const struct table *table)
{
    unsigned fascist = table->game.fascist;
    seat_set seats = 0;
    for (unsigned i = table->past_count; i-- > 0;) {
        const struct past_round *round = &table->past[i];
        bool governed =
            round->outcome == PAST_ENACTED || round->outcome == PAST_VETOED ||
            (round->outcome == PAST_NOT_YET && table->game.in_session);
        fascist -= round->chaos && !round->chaos_liberal;
        fascist -= round->outcome == PAST_ENACTED && !round->liberal;
        if (governed && fascist >= FASCIST_DANGER) {
            seats |= seat_bit(round->chancellor);
        }
    }
    return seats;
}

const struct past_round *
table_round(const struct table *table)
{
    return table->past_count == 0 ? NULL : &table->past[table->past_count - 1];
}

bool
table_is_held(const struct table *table)
{
    return table->game.question == QUESTION_VOTE && table->held_until != 0 &&
           game_vote_is_closed(&table->game,
                               (enum vote_closes)table->vote_closes);
}

/* When time is up for the open question, grace included; 0: never. */
static int64_t
deadline_due(const struct table *table)
{
    if (table->state != TABLE_RUNNING || table->deadline == 0 ||
        table->paused || table->announced != NO_SEAT || table_waits(table)) {
        return 0;
    }
    if (table_is_held(table) && table->held_until < table->deadline) {
        return table->held_until;
    }
    /* Grace is for secret choices and powers; a late vote never counts. */
    bool late = table_in_session(table) ||
                is_power_question((enum question)table->game.question);
    return table->deadline + (late ? table->settings.grace : 0);
}

int64_t
table_due(const struct table *table)
{
    bool aimed = table->state == TABLE_RUNNING && table->announced != NO_SEAT;
    return aimed && !table->paused ? table->announced_due : deadline_due(table);
}

bool
table_read_plan(const struct table *table, const char *text, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    while (*text != '\0') {
        unsigned seat = 0;
        size_t digits = strspn(text, "0123456789");
        for (size_t i = 0; i < digits && seat <= PLAYERS_MAX; i++) {
            seat = 10 * seat + (unsigned)(text[i] - '0');
        }
        if (seat == 0 || seat > table->seated || plan->count == PLAYERS_MAX ||
            strchr(" ", text[digits]) == NULL) {
            return false;
        }
        plan->seats[plan->count++] = (uint8_t)(seat - 1);
        text += digits;
        text += *text == ' ';
    }
    return true;
}

unsigned
table_planned(const struct table *table)
{
    const struct game *game = &table->game;
    if (game->question != QUESTION_NOMINATE ||
        !seat_in(game->president, game_present(game))) {
        return NO_SEAT;
    }
    const struct plan *plan = &table->seats[game->president].plan;
    seat_set eligible = game_eligible(game);
    for (unsigned i = 0; i < plan->count; i++) {
        if (seat_in(plan->seats[i], eligible)) {
            return plan->seats[i];
        }
    }
    return NO_SEAT;
}

seat_set
table_away(const struct table *table, int64_t at)
{
    seat_set away = 0;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (table->seats[seat].away > at) {
            away |= seat_bit(seat);
        }
    }
    return away & game_present(&table->game);
}

/* Keep the earlier one; at one time the one that decides more. */
static void
take_timer(struct timer *timer, enum timer_kind kind, int64_t at)
{
    if (at != 0 && (timer->kind == TIMER_NONE || at < timer->at ||
                    (at == timer->at && kind > timer->kind))) {
        *timer = (struct timer){kind, at};
    }
}

int64_t
table_remind_start(const struct table *table)
{
    int64_t at = table->starts - DAY_MS;
    bool wanted = table->state == TABLE_SIGNUP && table->starts != 0 &&
                  table->settings.start_reminder && !table->start_told;
    return wanted && at > table->began ? at : 0;
}

struct timer
table_timer(const struct table *table)
{
    struct timer timer = {TIMER_NONE, 0};
    switch (table->state) {
    case TABLE_SIGNUP:
        take_timer(&timer, TIMER_START, table->starts);
        take_timer(&timer, TIMER_REMIND, table_remind_start(table));
        break;
    case TABLE_CHECK:
        take_timer(&timer, TIMER_CHECK, table->check_ends);
        take_timer(&timer, TIMER_REMIND, table->remind);
        break;
    case TABLE_RUNNING:
        if (table->announced != NO_SEAT) {
            take_timer(&timer, TIMER_ANNOUNCED, table_due(table));
        } else if (!table->paused) {
            take_timer(&timer, TIMER_DEADLINE, deadline_due(table));
            take_timer(&timer, TIMER_REMIND, table->remind);
        }
        if (table->paused && table->pause_ends != 0) {
            take_timer(&timer, TIMER_PAUSE, table->pause_ends);
        } else {
            take_timer(&timer, TIMER_PROD,
                       table->paused ? table->pause_told + 7 * DAY_MS
                                     : table->prod_at);
        }
        break;
    case TABLE_SEATED:
        break;
    case TABLE_OVER:
        return timer;
    }
    const struct asked *asked = table_asked_first(table);
    take_timer(&timer, TIMER_ASKED, asked == NULL ? 0 : asked->until);
    return timer;
}

struct record_head
table_head(struct table *table, const struct move *move)
{
    struct record_head head = {table->seq++, move->at};
    return head;
}

void
table_write_line(struct table *table, const struct move *move,
                 struct made *made, struct record_line line)
{
    const char *names[PLAYERS_MAX];
    struct record_head head = table_head(table, move);
    table_names(table, names);
    line.seq = head.seq;
    line.at = head.at;
    record_write_line(made->lines, &line, names, table->seated);
}

/* ---- what the events of the engine leave behind -------------------------- */

static struct past_round *
this_round(struct table *table)
{
    assert(table->past_count > 0);
    return &table->past[table->past_count - 1];
}

static void
begin_round(struct table *table, const struct event *event)
{
    if (table->past_count == TABLE_PAST_MAX) {
        name_drop(&table->past[0].post);
        table_cut(table->past, &table->past_count, 0, sizeof table->past[0]);
    }
    table->past =
        table_grow(table->past, table->past_count, sizeof table->past[0]);
    struct past_round *round = &table->past[table->past_count++];
    memset(round, 0, sizeof *round);
    name_begin(&round->post);
    round->round = event->round;
    round->president = event->seat;
    round->chancellor = NO_SEAT;
}

static void
note_vote(struct past_round *round, const struct event *event)
{
    round->voted |= seat_bit(event->seat);
    if (event->yes) {
        round->ja |= seat_bit(event->seat);
    }
}

/* A plan is for one turn as candidate, which is over. */
static void
drop_plan(struct table *table, unsigned seat)
{
    table->seats[seat].plan.count = 0;
}

static void
note_election(struct table *table, const struct event *event)
{
    struct past_round *round = this_round(table);
    round->present = game_present(&table->game);
    drop_plan(table, round->president);
    if (!event->yes) {
        round->outcome =
            round->chancellor == NO_SEAT ? PAST_NO_NAME : PAST_REJECTED;
    }
}

static void
note_power(struct table *table, const struct event *event, enum power power)
{
    struct past_round *round = this_round(table);
    round->power = (uint8_t)power;
    round->target = event->target;
}

/* Has an event brought the outcome of its round, or used its power, for all to
 * see? */
static bool
is_told(const struct event *event)
{
    enum event_kind kind = (enum event_kind)event->kind;
    return (kind == EVENT_ELECTION && !event->yes) ||
           (kind == EVENT_VETO_ANSWERED && event->yes) ||
           kind == EVENT_ENACTED || kind == EVENT_INVESTIGATED ||
           kind == EVENT_SPECIAL_CALLED || kind == EVENT_PEEKED ||
           kind == EVENT_EXECUTED || kind == EVENT_FORFEITED ||
           kind == EVENT_ENDED;
}

static void
note_enacted(struct past_round *round, const struct event *event)
{
    if (event->by_chaos) {
        round->chaos = true;
        round->chaos_liberal = event->is_liberal;
    } else {
        round->outcome = PAST_ENACTED;
        round->liberal = event->is_liberal;
    }
}

/* Nobody is executed in the name of a president who has left. */
static void
forget_announced(struct table *table, unsigned seat)
{
    if (seat == table->game.president) {
        table->announced = NO_SEAT;
        table->announced_due = 0;
    }
}

/* By a moderator's post, or by the clock. */
static void
note_vacated(struct table *table, unsigned seat, const struct move *move)
{
    forget_announced(table, seat);
    table->leaving &= (seat_set)~seat_bit(seat);
    table->put_out &= (seat_set)~seat_bit(seat);
    if (move->post[0] != '\0') {
        table->put_out |= seat_bit(seat);
    }
}

/* From here on it counts how long nobody hears from a player. */
static void
begin_silences(struct table *table, int64_t now)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        table->seats[seat].silent_since = now;
    }
    table->prod_at = table->settings.prod > 0 ? now + table->settings.prod : 0;
}

static void
note_event(struct table *table, const struct event *event,
           const struct move *move)
{
    enum event_kind kind = (enum event_kind)event->kind;
    table->shown += kind == EVENT_HAND || kind == EVENT_PEEKED;
    table->reshuffles += kind == EVENT_RESHUFFLED;
    table->lots += kind == EVENT_LOTS;
    if (is_told(event) && table->past_count > 0) {
        this_round(table)->told = move->at;
    }
    switch (kind) {
    case EVENT_ROUND:
        begin_round(table, event);
        break;
    case EVENT_ELECTION:
        note_election(table, event);
        break;
    case EVENT_NOMINATED:
        drop_plan(table, event->seat);
        this_round(table)->chancellor = event->target;
        name_set(&this_round(table)->post, move->post);
        break;
    case EVENT_VOTED:
        note_vote(this_round(table), event);
        table->voted_at[event->seat] = move->at;
        break;
    case EVENT_HAND:
        this_round(table)->drawn = event->cards;
        break;
    case EVENT_PASSED:
        this_round(table)->passed = event->cards;
        break;
    case EVENT_VETO_ANSWERED:
        if (event->yes) {
            this_round(table)->outcome = PAST_VETOED;
        }
        break;
    case EVENT_ENACTED:
        note_enacted(this_round(table), event);
        break;
    case EVENT_PEEKED:
        this_round(table)->peeked = event->cards;
        break;
    case EVENT_INVESTIGATED:
        table->seats[event->target].investigated_by = event->seat;
        table->seats[event->target].investigator_was = 0;
        table->seats[event->target].investigated_in = this_round(table)->round;
        note_power(table, event, POWER_INVESTIGATE);
        break;
    case EVENT_SPECIAL_CALLED:
        note_power(table, event, POWER_SPECIAL_ELECTION);
        break;
    case EVENT_VACATED:
        note_vacated(table, event->seat, move);
        break;
    case EVENT_EXECUTED:
        table->leaving &= (seat_set)~seat_bit(event->target);
        note_power(table, event, POWER_EXECUTION);
        break;
    case EVENT_ENDED:
        table->state = TABLE_OVER;
        if (event->reason == ENDING_HITLER_CHANCELLOR) {
            this_round(table)->outcome = PAST_WON;
        }
        break;
    case EVENT_DEALT:
        table->state = TABLE_RUNNING;
        begin_silences(table, move->now);
        break;
    case EVENT_RESHUFFLED:
    case EVENT_LOTS:
    case EVENT_FILLED: /* by a move of the host: apply_replace */
    case EVENT_CLEARED:
    case EVENT_VETO_ASKED:
    case EVENT_POWER:
    case EVENT_FORFEITED:
    case EVENT_KINDS:
        break;
    }
}

/* Somebody who has not acted when the clock decides has missed a deadline,
 * unless they are excused, or were not asked. */
static void
note_misses(struct table *table, const struct move *move, bool vote,
            seat_set awaited)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct seat *person = &table->seats[seat];
        uint8_t *misses = vote ? &person->votes_missed : &person->misses;
        if ((awaited & seat_bit(seat) & game_present(&table->game)) &&
            !seat_in(seat, move->unasked) &&
            move->at >= person->excused_until && *misses < UINT8_MAX) {
            ++*misses;
        }
    }
}

/* Is a command what its seat was asked for?  Of others the seat means nothing:
 * chance has none. */
static bool
is_answer(enum command_kind kind)
{
    return kind == COMMAND_NOMINATE || kind == COMMAND_VOTE ||
           kind == COMMAND_DISCARD || kind == COMMAND_ENACT ||
           kind == COMMAND_ASK_VETO || kind == COMMAND_ANSWER_VETO ||
           kind == COMMAND_TARGET;
}

static void
note_answer(struct table *table, const struct move *move,
            const struct command *command, bool vote, seat_set awaited)
{
    if (move->user[0] != '\0' || move->planned) {
        return; /* a moderator chose, or a plan did: nobody answered, and nobody
                   missed anything */
    }
    if (command->kind == COMMAND_CLOSE || command->kind == COMMAND_FORFEIT ||
        command->lots) {
        note_misses(table, move, vote, awaited);
    } else if (is_answer((enum command_kind)command->kind) &&
               seat_in(command->seat, awaited)) {
        table->seats[command->seat].votes_missed = 0;
        if (move->post[0] != '\0' || move->pressed) {
            table->seats[command->seat].acted = move->at;
        }
    }
}

/* Whose turn it is in a session is nobody's business: one time is told, by
 * which both may have their turn, and an early discard does not change it. */
static void
note_session(struct table *table, const struct move *move)
{
    if (table->game.question == QUESTION_DISCARD) {
        table->session_began = move->now;
        table->session_ends = move->session;
    } else if (table->game.question == QUESTION_ENACT && table->deadline != 0) {
        table->session_ends = table->deadline;
    }
}

int64_t
table_round_from(int64_t opened, int64_t named, const struct settings *settings)
{
    int64_t from = named - settings->nomination;
    return from > opened ? from : opened;
}

void
table_reopen(struct table *table, const struct move *move)
{
    enum question question = (enum question)table->game.question;
    bool anew = move->kind == MOVE_REWIND;
    /* No time has passed in a pause, for what is still to come either. */
    int64_t stood = table->paused && !anew ? move->now - table->paused_at : 0;
    if (question == QUESTION_VOTE) {
        table->round_from =
            anew ? move->now
                 : stood + table_round_from(table->opened, table->deadline,
                                            &table->settings);
    }
    table->session_ends += stood;
    table->phase++;
    if (table->game.question == QUESTION_VOTE) {
        table->vote_phase = table->phase;
        table->vote_round = table->game.round;
    }
    table->opened = move->now;
    table->since = move->since != 0 ? move->since : move->at;
    table->rung = false;
    table->set_by_people = false;
    table->length = move->until == 0 ? 0 : move->until - move->now;
    table->called_until = 0;
    table->remind = move->remind;
    table->announced = NO_SEAT;
    table->announced_due = 0;
    table->paused_at = move->now; /* if paused: none of its time has passed */
    table->deadline = move->until;
    table->held_until =
        question == QUESTION_VOTE && table->settings.vote_min > 0
            ? move->now + table->settings.vote_min
            : 0;
    note_session(table, move);
}

static void
reveal(struct table *table, const struct move *move, struct buf *lines)
{
    const char *names[PLAYERS_MAX];
    struct buf seed = BUF_INIT;
    table_names(table, names);
    if (table->fair) {
        buf_add_hex(&seed, table->secret, sizeof table->secret);
    }
    record_write_revealed(lines, table_head(table, move),
                          table->fair ? buf_text(&seed) : NULL, &table->game,
                          names);
    buf_wipe(&seed);
}

static enum record_by
done_by(const struct move *move)
{
    return move->planned   ? RECORD_BY_PLAN
           : move->pressed ? RECORD_BY_PRESS
                           : RECORD_BY_POST;
}

enum refusal
table_step(struct table *table, const struct move *move,
           const struct command *command, struct events *events,
           struct buf *lines)
{
    enum question before = (enum question)table->game.question;
    unsigned round = table->game.round;
    seat_set awaited = game_awaits(&table->game).seats;
    enum refusal refusal = game_step(&table->game, command, events);
    if (refusal != REFUSAL_NONE) {
        return refusal;
    }
    note_answer(table, move, command, before == QUESTION_VOTE, awaited);
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    for (unsigned i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        note_event(table, event, move);
        record_write_event_by(lines, table_head(table, move), event,
                              &table->game, names, done_by(move));
        if (event->kind == EVENT_ENDED) {
            reveal(table, move, lines);
        }
    }
    /* A question that opens gets its number, its time, its deadline. */
    if (table->game.question != before || table->game.round != round) {
        bool set = before == QUESTION_DISCARD && table->set_by_people;
        table_reopen(table, move);
        table->set_by_people = set; /* for the whole session */
    }
    return REFUSAL_NONE;
}

/* Before the deal nothing is played but that; after it, everything else. */
bool
may_play(const struct table *table, const struct move *move)
{
    enum command_kind kind = (enum command_kind)move->command.kind;
    bool dealt = table->state == TABLE_RUNNING;
    return kind != COMMAND_FILL && kind != COMMAND_KNOWN &&
           (kind == COMMAND_ABANDON || (kind == COMMAND_DEAL) != dealt);
}

void
apply_play(struct table *table, const struct move *move, struct made *made)
{
    made->refusal =
        table_step(table, move, &move->command, made->events, made->lines);
}

const struct asked *
table_asked_first(const struct table *table)
{
    const struct asked *first = NULL;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        if (asked->number != 0 &&
            (first == NULL || asked->until < first->until)) {
            first = asked;
        }
    }
    return first;
}
