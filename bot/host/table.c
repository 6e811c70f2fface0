#include "bot/host/table.h"

#include <assert.h>
#include <string.h>

#include "bot/host/deadline.h"
#include "bot/host/table_inner.h"

void
table_copy(char *to, size_t size, const char *from)
{
    size_t len = strlen(from);
    assert(len < size);
    memcpy(to, from, len + 1);
}

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
        if (strcmp(table->people[seat].user, user) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
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

bool
table_is_former(const struct table *table, const char *user)
{
    for (unsigned i = 0; i < table->former_count; i++) {
        if (strcmp(table->former[i], user) == 0) {
            return true;
        }
    }
    return false;
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
        names[seat] = table->people[seat].name;
    }
}

unsigned
table_phase(const struct table *table)
{
    return table->phase - (table->game.question == QUESTION_ENACT ? 1 : 0);
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

static bool
is_power_question(enum question question)
{
    return question == QUESTION_INVESTIGATE ||
           question == QUESTION_SPECIAL_ELECTION ||
           question == QUESTION_EXECUTION;
}

const struct past_round *
table_round(const struct table *table)
{
    return table->past_count == 0 ? NULL : &table->past[table->past_count - 1];
}

/* When time is up for the open question, grace included; 0: never. */
static int64_t
deadline_due(const struct table *table)
{
    if (table->state != TABLE_RUNNING || table->deadline == 0 ||
        table->paused || table->aim != NO_SEAT) {
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

int64_t
table_due(const struct table *table)
{
    bool aimed = table->state == TABLE_RUNNING && table->aim != NO_SEAT;
    return aimed && !table->paused ? table->aim_due : deadline_due(table);
}

/* Keep the earlier; at one time the one that decides more. */
static void
take_timer(struct timer *timer, enum timer_kind kind, int64_t at)
{
    if (at != 0 && (timer->kind == TIMER_NONE || at < timer->at ||
                    (at == timer->at && kind > timer->kind))) {
        *timer = (struct timer){kind, at};
    }
}

struct timer
table_timer(const struct table *table)
{
    struct timer timer = {TIMER_NONE, 0};
    switch (table->state) {
    case TABLE_SIGNUP:
        take_timer(&timer, TIMER_START, table->starts);
        break;
    case TABLE_CHECK:
        take_timer(&timer, TIMER_CHECK, table->check_ends);
        break;
    case TABLE_RUNNING:
        if (table->aim != NO_SEAT) {
            take_timer(&timer, TIMER_AIM, table_due(table));
        } else if (!table->paused) {
            take_timer(&timer, TIMER_DEADLINE, deadline_due(table));
            take_timer(&timer, TIMER_REMIND, table->remind);
        }
        break;
    case TABLE_SEATED:
        break;
    case TABLE_OVER:
        return timer;
    }
    take_timer(&timer, TIMER_ASKED, table->asked.until);
    return timer;
}

struct record_head
table_head(struct table *table, const struct move *move)
{
    struct record_head head = {table->seq++, move->at};
    return head;
}

void
table_rules(const struct settings *settings, struct rules *rules)
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

/* ---- the fair deal ------------------------------------------------------- */

void
table_commitment(const struct table *table, char commitment[DEAL_HEX + 1])
{
    assert(table->fair);
    deal_commit(table->secret, table->id, commitment);
}

void
table_transcript(const struct table *table, struct buf *out)
{
    struct deal_player players[PLAYERS_MAX];
    struct rules rules;
    char commitment[DEAL_HEX + 1];
    for (unsigned i = 0; i < table->seated; i++) {
        const struct person *person = &table->people[i];
        players[i] =
            (struct deal_player){person->user, person->post, person->words};
    }
    table_rules(&table->settings, &rules);
    table_commitment(table, commitment);
    deal_transcript(table->id, commitment, table->settings.preset, &rules,
                    players, table->seated, out);
}

/* ---- sign-up ------------------------------------------------------------- */

/* Before the start the record has no other line. */
void
table_write_opened(struct table *table, struct buf *lines)
{
    const struct record_head first = {0, table->began};
    char commitment[DEAL_HEX + 1] = "";
    struct rules rules;
    assert(table->seq <= 1 && table_is_coming(table));
    table->seq = 1;
    if (table->fair) {
        table_commitment(table, commitment);
    }
    table_rules(&table->settings, &rules);
    record_write_opened(lines, first, table->id, table->settings.preset, &rules,
                        table->fair ? commitment : NULL);
}

static void
apply_open(struct table *table, const struct move *move, struct buf *lines)
{
    memset(table, 0, sizeof *table);
    table_copy(table->id, sizeof table->id, move->id);
    table_copy(table->place, sizeof table->place, move->place);
    table_copy(table->thread, sizeof table->thread, move->thread);
    table_copy(table->opener, sizeof table->opener, move->user);
    table->state = TABLE_SIGNUP;
    table->settings = move->settings;
    table->players_min = move->players_min;
    table->players_max = move->players_max;
    table->starts = move->until;
    table->opened = move->now;
    table->opening = move->number == 1;
    table->aim = NO_SEAT;
    table->fair = move->fair;
    table->began = move->at;
    if (table->fair) {
        memcpy(table->secret, move->secret, sizeof table->secret);
    }
    table_write_opened(table, lines);
}

static void
apply_players(struct table *table, const struct move *move)
{
    table->players_min = move->players_min;
    table->players_max = move->players_max;
}

/* From now on the game is in a thread of its own, if that came in time. */
static void
apply_thread(struct table *table, const struct move *move)
{
    assert(table->opening);
    table->opening = false;
    if (move->thread[0] != '\0') {
        table_copy(table->home, sizeof table->home, table->thread);
        table_copy(table->thread, sizeof table->thread, move->thread);
    }
}

/* Add a person to the end of a list. */
static void
add_person(struct person *list, unsigned *count, const struct move *move)
{
    struct person *person = &list[(*count)++];
    memset(person, 0, sizeof *person);
    table_copy(person->user, sizeof person->user, move->user);
    table_copy(person->name, sizeof person->name, move->name);
    table_copy(person->post, sizeof person->post, move->post);
}

static void
take_person(struct person *list, unsigned *count, unsigned at)
{
    --*count;
    memmove(&list[at], &list[at + 1], (*count - at) * sizeof list[0]);
    memset(&list[*count], 0, sizeof list[0]);
}

/* Take somebody off the table and the reserve, before the game. */
static void
take_out(struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    unsigned reserve = table_reserve(table, user);
    if (reserve != NO_SEAT) {
        take_person(table->reserves, &table->reserve_count, reserve);
    }
    if (seat != NO_SEAT && table_is_coming(table)) {
        seat_set before = (seat_set)(seat_bit(seat) - 1);
        table->ready =
            (seat_set)((table->ready & before) | (table->ready >> 1 & ~before));
        take_person(table->people, &table->seated, seat);
    }
}

static void
apply_join(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    unsigned reserve = table_reserve(table, move->user);
    struct person before = {.words = ""};
    if (table->state == TABLE_RUNNING) {
        assert(seat != NO_SEAT); /* who was about to leave stays */
        table->leaving &= (seat_set)~seat_bit(seat);
        return;
    }
    assert(table_is_coming(table));
    assert(table->seated < table->players_max && seat == NO_SEAT);
    if (reserve != NO_SEAT) {
        before = table->reserves[reserve];
    }
    take_out(table, move->user);
    add_person(table->people, &table->seated, move);
    struct person *person = &table->people[table->seated - 1];
    table_copy(person->words, sizeof person->words, before.words);
    if (person->post[0] == '\0') { /* moved up by the clock */
        table_copy(person->post, sizeof person->post, before.post);
    }
}

static void
apply_reserve(struct table *table, const struct move *move)
{
    assert(table->state != TABLE_OVER);
    take_out(table, move->user);
    assert(table_seat(table, move->user) == NO_SEAT);
    assert(table->reserve_count < TABLE_RESERVES_MAX);
    add_person(table->reserves, &table->reserve_count, move);
}

/* In the game nobody leaves at once: they ask to be replaced. */
static void
apply_leave(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    if (table->state == TABLE_RUNNING && seat != NO_SEAT) {
        table->leaving |= seat_bit(seat);
    } else {
        take_out(table, move->user);
    }
}

static void
apply_alias(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    table_copy(table->people[seat].alias, sizeof table->people[seat].alias,
               move->name);
}

static void
apply_luck(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    unsigned reserve = table_reserve(table, move->user);
    assert(seat != NO_SEAT || reserve != NO_SEAT);
    struct person *person =
        seat != NO_SEAT ? &table->people[seat] : &table->reserves[reserve];
    table_copy(person->words, sizeof person->words, move->text);
}

static void
apply_language(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    table_copy(table->people[seat].language,
               sizeof table->people[seat].language, move->text);
}

static void
apply_check(struct table *table, const struct move *move)
{
    assert(table_is_coming(table));
    if (table->state == TABLE_SIGNUP) {
        table->ready = 0; /* else it goes on, with others */
    }
    table->state = TABLE_CHECK;
    table->opening = false;
    table->check_ends = move->until;
    table->opened = move->now;
    table->stretched = false;
}

static void
apply_start(struct table *table, const struct move *move, struct buf *lines)
{
    struct buf transcript = BUF_INIT;
    assert(table_is_coming(table));
    assert(table->seated >= PLAYERS_MIN);
    if (table->fair) {
        table_transcript(table, &transcript);
        deal_key(table->secret, buf_text(&transcript), transcript.len,
                 table->key);
    }
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
    table_rules(&table->settings, &rules);
    game_init(&table->game, table->seated, &rules);
    memset(table->investigated_by, NO_SEAT, sizeof table->investigated_by);
    table->ready = 0;
    table->aim = NO_SEAT;
    table->opening = false;
    table->since = move->at;
    table->state = TABLE_SEATED;
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    record_write_seated(lines, table_head(table, move), names, table->seated,
                        table->fair ? buf_text(&transcript) : NULL);
    buf_release(&transcript);
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

/* Nobody is executed in the name of a president who has left. */
static void
forget_aim(struct table *table, unsigned seat)
{
    if (seat == table->game.president) {
        table->aim = NO_SEAT;
        table->aim_due = 0;
    }
}

static void
note_event(struct table *table, const struct event *event,
           const struct move *move)
{
    switch ((enum event_kind)event->kind) {
    case EVENT_ROUND:
        begin_round(table, event, move->now);
        break;
    case EVENT_NOMINATED:
        this_round(table)->chancellor = event->target;
        table_copy(this_round(table)->post, sizeof this_round(table)->post,
                   move->post);
        break;
    case EVENT_VOTED:
        note_vote(this_round(table), event);
        break;
    case EVENT_ELECTION:
        note_election(table, event);
        break;
    case EVENT_HAND:
        this_round(table)->drawn = event->cards;
        table->shown++;
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
    case EVENT_PEEKED:
        this_round(table)->peeked = event->cards;
        table->shown++;
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
    case EVENT_VACATED:
        forget_aim(table, event->seat);
        table->leaving &= (seat_set)~seat_bit(event->seat);
        break;
    case EVENT_EXECUTED:
        table->leaving &= (seat_set)~seat_bit(event->target);
        break;
    case EVENT_ENDED:
        table->state = TABLE_OVER;
        if (event->reason == ENDING_HITLER_CHANCELLOR) {
            this_round(table)->outcome = PAST_WON;
        }
        break;
    case EVENT_DEALT:
        table->state = TABLE_RUNNING;
        break;
    case EVENT_CLEARED:
    case EVENT_VETO_ASKED:
    case EVENT_POWER:
    case EVENT_SPECIAL_CALLED:
    case EVENT_FORFEITED:
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
note_session(struct table *table, const struct move *move)
{
    if (table->game.question == QUESTION_DISCARD) {
        table->session_began = move->now;
        table->session_ends = move->session;
    } else if (table->game.question == QUESTION_ENACT &&
               table->session_ends < table->deadline) {
        table->session_ends = table->deadline;
    }
}

void
table_reopen(struct table *table, const struct move *move)
{
    enum question question = (enum question)table->game.question;
    bool round = question == QUESTION_NOMINATE || question == QUESTION_VOTE;
    table->phase++;
    table->opened = move->now;
    table->since = move->at;
    table->rung = false;
    table->stretched = false;
    table->remind = move->remind;
    table->aim = NO_SEAT;
    table->aim_due = 0;
    table->paused_at = move->now; /* of a pause: none of its time has passed */
    if (move->kind == MOVE_REWIND && round) {
        table->round_opened = move->now;
    }
    table->deadline = move->until;
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
    note_misses(table, command, awaited);
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    for (unsigned i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        note_event(table, event, move);
        record_write_event(lines, table_head(table, move), event, &table->game,
                           names);
        if (event->kind == EVENT_ENDED) {
            reveal(table, move, lines);
        }
    }
    /* A question that opens gets its number, its time, its deadline. */
    if (table->game.question != before || table->game.round != round) {
        table_reopen(table, move);
    }
    return REFUSAL_NONE;
}

static void
apply_ring(struct table *table, const struct move *move, struct buf *lines)
{
    assert(table->state == TABLE_RUNNING && !table->rung);
    table->rung = true;
    table->remind = move->remind;
    table->deadline = move->until;
    record_write_extended(lines, table_head(table, move), table->deadline,
                          move->text);
}

static void
apply_aim(struct table *table, const struct move *move)
{
    assert(table->state == TABLE_RUNNING);
    assert(move->number <= table->seated);
    table->aim = move->number == 0 ? NO_SEAT : (uint8_t)(move->number - 1);
    table->aim_due = move->number == 0 ? 0 : move->until;
}

static void
apply_away(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    table->away[seat] = move->until;
}

static void
apply_agree(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    table->asked.agreed |= seat_bit(seat);
}

static void
apply_warn(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    if (seat == NO_SEAT) {
        table->strangers++;
    } else if (table->warnings[seat] < UINT8_MAX) {
        table->warnings[seat]++;
    }
}

static void
apply_rename(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    struct person *person = &table->people[seat];
    table_copy(person->now, sizeof person->now,
               strcmp(move->name, person->name) == 0 ? "" : move->name);
}

static void
apply_receipts(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    table->receipts &= (seat_set)~seat_bit(seat);
    if (move->number == 1) {
        table->receipts |= seat_bit(seat);
    }
}

static void
apply_ready(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(table->state == TABLE_CHECK && seat != NO_SEAT);
    table->ready |= seat_bit(seat);
}

/* In the game: may a player ask to be replaced, or stay after all? */
static bool
may_turn(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    bool present = table->state == TABLE_RUNNING && seat != NO_SEAT &&
                   seat_in(seat, game_present(&table->game));
    return present &&
           seat_in(seat, table->leaving) == (move->kind == MOVE_JOIN);
}

/* People come and go. */
static bool
may_sign_up(const struct table *table, const struct move *move)
{
    bool coming = table_is_coming(table);
    bool running = table_is_seated(table);
    bool seated = table_seat(table, move->user) != NO_SEAT;
    bool reserve = table_reserve(table, move->user) != NO_SEAT;
    switch ((int)move->kind) {
    case MOVE_JOIN:
        return (coming && !seated && table->seated < table->players_max) ||
               may_turn(table, move);
    case MOVE_RESERVE:
        return (coming ||
                (running && !seated && !table_is_former(table, move->user))) &&
               !reserve && table->reserve_count < TABLE_RESERVES_MAX;
    case MOVE_LEAVE:
        return (coming && seated) || reserve || may_turn(table, move);
    case MOVE_LUCK:
        return coming && (seated || reserve) &&
               strlen(move->text) <= DEAL_WORDS_MAX;
    case MOVE_CHECK:
        return coming && move->until != 0;
    case MOVE_READY:
        return table->state == TABLE_CHECK && seated;
    case MOVE_START:
        return coming && table->seated >= PLAYERS_MIN;
    case MOVE_PLAYERS:
        return coming && move->players_min >= PLAYERS_MIN &&
               move->players_min <= move->players_max &&
               move->players_max <= PLAYERS_MAX &&
               table->seated <= move->players_max &&
               (table->state == TABLE_SIGNUP ||
                move->players_min <= table->seated);
    default:
        return coming;
    }
}

/* In the game: what changes when time is up. */
static bool
may_move_time(const struct table *table, const struct move *move)
{
    switch ((int)move->kind) {
    case MOVE_RING:
        return !table->rung && move->until != 0;
    case MOVE_EXTEND:
        return !table->paused && move->until != 0 && table->deadline != 0;
    case MOVE_PAUSE:
        return !table->paused;
    case MOVE_RESUME:
        return table->paused;
    default:
        return true;
    }
}

/* Before the game: may the end of the sign-up or of the ready check be moved?
 */
static bool
may_delay(const struct table *table, const struct move *move)
{
    return move->number == EXTENDED_FOR_OUTAGE && table_is_coming(table) &&
           table_coming_ends(table) != 0 && move->until != 0;
}

/* May somebody take a seat?  Who had it may come back while it is vacant. */
static bool
may_take_seat(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->out);
    return seat != NO_SEAT && seat_in(seat, table->game.living) &&
           !table_is_former(table, move->user) &&
           (strcmp(move->user, move->out) == 0
                ? seat_in(seat, table->game.vacant)
                : table_seat(table, move->user) == NO_SEAT);
}

/* In the game: what people do beside it. */
static bool
may_beside(const struct table *table, const struct move *move)
{
    bool seated = table_seat(table, move->user) != NO_SEAT;
    switch ((int)move->kind) {
    case MOVE_AIM:
        return move->number <= table->seated;
    case MOVE_REPLACE:
        return may_take_seat(table, move);
    case MOVE_AGREE:
        return seated && table->asked.user[0] != '\0';
    case MOVE_CLAIM:
        return seated && strlen(move->text) < sizeof table->claims[0].cards;
    default:
        return seated;
    }
}

/* Before the deal nothing is played but that; then all but it. */
static bool
may_play(const struct table *table, const struct move *move)
{
    switch ((enum command_kind)move->command.kind) {
    case COMMAND_DEAL:
        return table->state == TABLE_SEATED;
    case COMMAND_ABANDON:
        return table_is_seated(table);
    case COMMAND_FILL:
    case COMMAND_KNOWN:
        return false;
    case COMMAND_RESHUFFLE:
    case COMMAND_NOMINATE:
    case COMMAND_VOTE:
    case COMMAND_DISCARD:
    case COMMAND_ENACT:
    case COMMAND_ASK_VETO:
    case COMMAND_ANSWER_VETO:
    case COMMAND_TARGET:
    case COMMAND_CLOSE:
    case COMMAND_FORFEIT:
    case COMMAND_VACATE:
        break;
    }
    return table->state == TABLE_RUNNING;
}

/* Can the game be taken back to how it was?  Not once it is over: then the
 * secret is told, and whatever would be dealt with it. */
static bool
may_rewind(const struct table *table, const struct move *move)
{
    return table->state == TABLE_RUNNING && move->past != NULL &&
           move->past->state == TABLE_RUNNING && move->past->game.round > 0;
}

/* A language or a theme may have gone since. */
static bool
may_set(const struct table *table, const struct move *move)
{
    struct settings tried = table->settings;
    struct complaint unsaid;
    return (table_is_coming(table) || !settings_is_rule(move->name)) &&
           settings_change(&tried, move->name, move->text, &unsaid);
}

bool
table_may(const struct table *table, const struct move *move)
{
    bool opened = table->id[0] != '\0';
    bool running = opened && table->state == TABLE_RUNNING;
    bool on = opened && table->state != TABLE_OVER;
    switch (move->kind) {
    case MOVE_OPEN:
        return !opened;
    case MOVE_THREAD:
        return on && table->opening;
    case MOVE_JOIN:
    case MOVE_RESERVE:
    case MOVE_LEAVE:
    case MOVE_LUCK:
    case MOVE_CHECK:
    case MOVE_READY:
    case MOVE_START:
    case MOVE_PLAYERS:
    case MOVE_CLOSE:
        return on && may_sign_up(table, move);
    case MOVE_EXTEND:
        return on &&
               (running ? may_move_time(table, move) : may_delay(table, move));
    case MOVE_PLAY:
        return opened && may_play(table, move);
    case MOVE_RING:
    case MOVE_PAUSE:
    case MOVE_RESUME:
    case MOVE_REMIND:
    case MOVE_NOTE:
        return running && may_move_time(table, move);
    case MOVE_AIM:
    case MOVE_REPLACE:
    case MOVE_AGREE:
    case MOVE_CLAIM:
    case MOVE_AWAY:
    case MOVE_RECEIPTS:
        return running && may_beside(table, move);
    case MOVE_WARN:
        return running;
    case MOVE_RENAME:
        return on && table_seat(table, move->user) != NO_SEAT;
    case MOVE_REWIND:
        return opened && may_rewind(table, move);
    case MOVE_ANSWERED:
        return opened && table->asked.user[0] != '\0';
    case MOVE_MODERATOR:
        return on && table->moderator_count < TABLE_MODERATORS_MAX;
    case MOVE_ALIAS:
        return on && table_seat(table, move->user) != NO_SEAT &&
               strlen(move->name) <= TABLE_ALIAS_MAX;
    case MOVE_LANGUAGE:
        return on && table_seat(table, move->user) != NO_SEAT &&
               strlen(move->text) < sizeof table->people[0].language;
    case MOVE_SET:
        return on && (move->name[0] == '\0' || may_set(table, move));
    case MOVE_ASK:
        return on;
    }
    return false;
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
    case MOVE_THREAD:
        apply_thread(table, move);
        break;
    case MOVE_JOIN:
        apply_join(table, move);
        break;
    case MOVE_RESERVE:
        apply_reserve(table, move);
        break;
    case MOVE_LEAVE:
        apply_leave(table, move);
        break;
    case MOVE_ALIAS:
        apply_alias(table, move);
        break;
    case MOVE_LUCK:
        apply_luck(table, move);
        break;
    case MOVE_LANGUAGE:
        apply_language(table, move);
        break;
    case MOVE_CHECK:
        apply_check(table, move);
        break;
    case MOVE_READY:
        apply_ready(table, move);
        break;
    case MOVE_START:
        apply_start(table, move, lines);
        break;
    case MOVE_PLAY: {
        assert(table_is_seated(table));
        enum refusal refusal =
            table_step(table, move, &move->command, events, lines);
        if (refusal != REFUSAL_NONE) {
            return refusal;
        }
        break;
    }
    case MOVE_RING:
        apply_ring(table, move, lines);
        break;
    case MOVE_EXTEND:
        fold_extend(table, move, lines);
        break;
    case MOVE_PAUSE:
        fold_pause(table, move, lines);
        break;
    case MOVE_RESUME:
        fold_resume(table, move, lines);
        break;
    case MOVE_REMIND:
        fold_remind(table, move, lines);
        break;
    case MOVE_AIM:
        apply_aim(table, move);
        break;
    case MOVE_REPLACE:
        take_out(table, move->user); /* from the reserve */
        fold_replace(table, move, events, lines);
        break;
    case MOVE_REWIND:
        fold_rewind(table, move, events, lines);
        break;
    case MOVE_ASK:
        fold_ask(table, move);
        break;
    case MOVE_AGREE:
        apply_agree(table, move);
        break;
    case MOVE_ANSWERED:
        memset(&table->asked, 0, sizeof table->asked);
        break;
    case MOVE_SET:
        fold_set(table, move, lines);
        break;
    case MOVE_PLAYERS:
        apply_players(table, move);
        break;
    case MOVE_MODERATOR:
        fold_moderator(table, move);
        break;
    case MOVE_AWAY:
        apply_away(table, move);
        break;
    case MOVE_CLAIM:
        fold_claim(table, move, lines);
        break;
    case MOVE_NOTE:
        fold_note(table, move, lines);
        break;
    case MOVE_WARN:
        apply_warn(table, move);
        break;
    case MOVE_RECEIPTS:
        apply_receipts(table, move);
        break;
    case MOVE_RENAME:
        apply_rename(table, move);
        break;
    case MOVE_CLOSE:
        assert(table_is_coming(table));
        table->state = TABLE_OVER;
        table->opening = false;
        break;
    }
    table->rows++;
    return REFUSAL_NONE;
}
