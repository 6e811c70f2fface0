#include "bot/host/table.h"

#include <assert.h>
#include <string.h>

#include "bot/host/deadline.h"

static void
copy_text(char *to, size_t size, const char *from)
{
    size_t len = strlen(from);
    assert(len < size);
    memcpy(to, from, len + 1);
}

unsigned
table_seat(const struct table *table, const char *user)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (strcmp(table->people[seat].user, user) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
}

void
table_names(const struct table *table, const char *names[PLAYERS_MAX])
{
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        names[seat] = table->people[seat].name;
    }
}

bool
table_is_secret(const struct table *table)
{
    switch ((enum question)table->game.question) {
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        return true;
    case QUESTION_VOTE:
        return table->game.rules.ballot == BALLOT_SEALED;
    case QUESTION_NOMINATE:
    case QUESTION_VETO:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

static bool
is_power_question(enum question question)
{
    return question == QUESTION_INVESTIGATE ||
           question == QUESTION_SPECIAL_ELECTION ||
           question == QUESTION_EXECUTION;
}

int64_t
table_due(const struct table *table)
{
    if (table->state != TABLE_RUNNING || table->deadline == 0) {
        return 0;
    }
    enum question question = (enum question)table->game.question;
    bool card = question == QUESTION_DISCARD || question == QUESTION_ENACT;
    bool power = is_power_question(question);
    if ((card && strcmp(table->settings.cards_timeout, "wait") == 0) ||
        (power && strcmp(table->settings.power_timeout, "wait") == 0)) {
        return 0;
    }
    /* Grace is for secret choices and powers; a late vote never counts. */
    return table->deadline + (card || power ? table->settings.grace : 0);
}

const struct past_round *
table_round(const struct table *table)
{
    return table->past_count == 0 ? NULL : &table->past[table->past_count - 1];
}

static struct record_head
next_head(struct table *table, const struct move *move)
{
    struct record_head head = {table->seq++, move->at};
    return head;
}

static void
resolve_rules(const struct settings *settings, struct rules *rules)
{
    bool known = rules_set_preset(rules, settings->preset);
    assert(known);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        if (settings->rules[i][0] != '\0') {
            known = rules_set(rules, rules_options[i].name, settings->rules[i]);
            assert(known);
        }
    }
    (void)known;
}

static void
apply_open(struct table *table, const struct move *move, struct buf *lines)
{
    memset(table, 0, sizeof *table);
    copy_text(table->id, sizeof table->id, move->id);
    copy_text(table->place, sizeof table->place, move->place);
    copy_text(table->thread, sizeof table->thread, move->thread);
    copy_text(table->opener, sizeof table->opener, move->user);
    table->state = TABLE_SIGNUP;
    table->settings = move->settings;
    table->players_min = move->players_min;
    table->players_max = move->players_max;
    memcpy(table->secret, move->secret, sizeof table->secret);
    struct rules rules;
    resolve_rules(&table->settings, &rules);
    record_write_opened(lines, next_head(table, move), table->id,
                        table->settings.preset, &rules, NULL);
}

static void
apply_join(struct table *table, const struct move *move)
{
    assert(table->state == TABLE_SIGNUP);
    assert(table->seated < table->players_max);
    assert(table_seat(table, move->user) == NO_SEAT);
    struct person *person = &table->people[table->seated++];
    copy_text(person->user, sizeof person->user, move->user);
    copy_text(person->name, sizeof person->name, move->name);
}

static void
apply_leave(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(table->state == TABLE_SIGNUP && seat != NO_SEAT);
    table->seated--;
    memmove(&table->people[seat], &table->people[seat + 1],
            (table->seated - seat) * sizeof table->people[0]);
    memset(&table->people[table->seated], 0, sizeof table->people[0]);
}

static void
apply_start(struct table *table, const struct move *move, struct buf *lines)
{
    assert(table->state == TABLE_SIGNUP);
    assert(table->seated >= PLAYERS_MIN);
    deal_key(table->secret, "", 0, table->key);
    if (table->settings.random_seats) {
        struct person signed_up[PLAYERS_MAX];
        uint8_t order[PLAYERS_MAX];
        memcpy(signed_up, table->people, sizeof signed_up);
        deal_seats(table->key, table->seated, order);
        for (unsigned seat = 0; seat < table->seated; seat++) {
            table->people[seat] = signed_up[order[seat]];
        }
    }
    struct rules rules;
    resolve_rules(&table->settings, &rules);
    game_init(&table->game, table->seated, &rules);
    memset(table->investigated_by, NO_SEAT, sizeof table->investigated_by);
    table->state = TABLE_RUNNING;
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    record_write_seated(lines, next_head(table, move), names, table->seated,
                        NULL);
}

/* ---- what the events of the engine leave behind -------------------------- */

static struct past_round *
this_round(struct table *table)
{
    assert(table->past_count > 0);
    return &table->past[table->past_count - 1];
}

static void
begin_round(struct table *table, const struct event *event, int64_t now)
{
    if (table->past_count == TABLE_PAST_MAX) {
        memmove(&table->past[0], &table->past[1],
                (TABLE_PAST_MAX - 1) * sizeof table->past[0]);
        table->past_count--;
    }
    struct past_round *round = &table->past[table->past_count++];
    memset(round, 0, sizeof *round);
    round->round = event->round;
    round->president = event->seat;
    round->chancellor = NO_SEAT;
    table->round_opened = now;
}

static void
note_vote(struct past_round *round, const struct event *event)
{
    round->voted |= seat_bit(event->seat);
    if (event->yes) {
        round->ja |= seat_bit(event->seat);
    }
}

static void
note_election(struct table *table, const struct event *event)
{
    struct past_round *round = this_round(table);
    round->present = game_present(&table->game);
    if (!event->yes) {
        round->outcome =
            round->chancellor == NO_SEAT ? PAST_NO_NAME : PAST_REJECTED;
    }
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

static void
note_event(struct table *table, const struct event *event, int64_t now)
{
    switch ((enum event_kind)event->kind) {
    case EVENT_ROUND:
        begin_round(table, event, now);
        break;
    case EVENT_NOMINATED:
        this_round(table)->chancellor = event->target;
        break;
    case EVENT_VOTED:
        note_vote(this_round(table), event);
        break;
    case EVENT_ELECTION:
        note_election(table, event);
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
    case EVENT_INVESTIGATED:
        table->investigated_by[event->target] = event->seat;
        break;
    case EVENT_RESHUFFLED:
        table->reshuffles++;
        break;
    case EVENT_LOTS:
        table->lots++;
        break;
    case EVENT_FILLED:
        table->misses[event->seat] = 0;
        break;
    case EVENT_ENDED:
        table->state = TABLE_OVER;
        if (event->reason == ENDING_HITLER_CHANCELLOR) {
            this_round(table)->outcome = PAST_WON;
        }
        break;
    case EVENT_DEALT:
    case EVENT_CLEARED:
    case EVENT_VETO_ASKED:
    case EVENT_POWER:
    case EVENT_SPECIAL_CALLED:
    case EVENT_PEEKED:
    case EVENT_EXECUTED:
    case EVENT_FORFEITED:
    case EVENT_VACATED:
    case EVENT_KINDS:
        break;
    }
}

/* Whoever is awaited when the clock decides has missed a deadline. */
static void
note_misses(struct table *table, const struct command *command,
            seat_set awaited)
{
    bool missed = command->kind == COMMAND_CLOSE ||
                  command->kind == COMMAND_FORFEIT || command->lots;
    if (!missed) {
        return;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (awaited & seat_bit(seat) & game_present(&table->game)) {
            table->misses[seat]++;
        }
    }
}

/* Whose turn it is in a session is nobody's business: one time is told, up to
 * which both may take theirs, and an early discard does not change it. */
static void
note_session(struct table *table)
{
    if (table->game.question == QUESTION_DISCARD) {
        table->session_ends =
            table->deadline + deadline_length(QUESTION_ENACT, &table->settings);
    } else if (table->game.question == QUESTION_ENACT &&
               table->session_ends < table->deadline) {
        table->session_ends = table->deadline;
    }
}

/* A question that opens gets its number, its time, its deadline. */
static void
open_question(struct table *table, enum question before, unsigned round,
              const struct move *move)
{
    enum question question = (enum question)table->game.question;
    if (question == before && round == table->game.round) {
        return;
    }
    table->phase++;
    table->opened = move->now;
    table->since = move->at;
    table->rung = false;
    table->deadline =
        deadline_of(question, move->now, table->round_opened, &table->settings);
    note_session(table);
}

static enum refusal
apply_play(struct table *table, const struct move *move, struct events *events,
           struct buf *lines)
{
    assert(table->state == TABLE_RUNNING);
    enum question before = (enum question)table->game.question;
    unsigned round = table->game.round;
    seat_set awaited = game_awaits(&table->game).seats;
    enum refusal refusal = game_step(&table->game, &move->command, events);
    if (refusal != REFUSAL_NONE) {
        return refusal;
    }
    note_misses(table, &move->command, awaited);
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    for (unsigned i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        note_event(table, event, move->now);
        record_write_event(lines, next_head(table, move), event, &table->game,
                           names);
        if (event->kind == EVENT_ENDED) {
            record_write_revealed(lines, next_head(table, move), NULL,
                                  &table->game, names);
        }
    }
    open_question(table, before, round, move);
    return REFUSAL_NONE;
}

static void
apply_ring(struct table *table, const struct move *move, struct buf *lines)
{
    assert(table->state == TABLE_RUNNING && !table->rung);
    table->rung = true;
    table->deadline =
        move->now +
        deadline_length((enum question)table->game.question, &table->settings);
    record_write_extended(lines, next_head(table, move), table->deadline,
                          move->text);
}

enum refusal
table_apply(struct table *table, const struct move *move, struct events *events,
            struct buf *lines)
{
    events->count = 0;
    switch (move->kind) {
    case MOVE_OPEN:
        apply_open(table, move, lines);
        break;
    case MOVE_JOIN:
        apply_join(table, move);
        break;
    case MOVE_LEAVE:
        apply_leave(table, move);
        break;
    case MOVE_START:
        apply_start(table, move, lines);
        break;
    case MOVE_PLAY:
        return apply_play(table, move, events, lines);
    case MOVE_RING:
        apply_ring(table, move, lines);
        break;
    case MOVE_CLOSE:
        assert(table->state == TABLE_SIGNUP);
        table->state = TABLE_OVER;
        break;
    }
    return REFUSAL_NONE;
}
