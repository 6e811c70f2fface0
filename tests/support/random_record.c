#include "tests/support/random_record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/base/splitmix.h"
#include "bot/record/record.h"
#include "tests/support/record_lines.h"

enum {
    LINES_MAX = 4000,
    REWINDS_MAX = 4,
    NEWCOMERS_MAX = 40,
};

/* How often things happen: one time in so many, 0: never. */
struct habits {
    unsigned nein, late, lots, leave, come, rewind, host, abandon;
};

/* The game after a line on which nothing follows by itself. */
struct moment {
    struct game game;
    bool whole; /* nothing follows by itself */
    bool stands;
};

struct random_record {
    struct buf *out;
    struct game game;
    struct habits habits;
    uint64_t chance;
    const char *names[PLAYERS_MAX];
    char newcomers[NEWCOMERS_MAX][32];
    unsigned newcomer_count;
    struct moment moments[LINES_MAX];
    unsigned seq;
    unsigned first_round, last_change, last_seen;
    unsigned rewinds;
};

static const char *const first_names[PLAYERS_MAX] = {
    "Anna", "Bob",  "Cleo", "Dan",     "Eve",
    "Finn", "Gülş", "Hugo", "I \"J\"", "K, L"};

/* ---- chance -------------------------------------------------------------- */

static unsigned
pick(struct random_record *random_record, unsigned of)
{
    return splitmix_below(&random_record->chance, of);
}

static bool
once_in(struct random_record *random_record, unsigned of)
{
    return of > 0 && pick(random_record, of) == 0;
}

static uint8_t
pick_seat(struct random_record *random_record, seat_set seats)
{
    unsigned skip = pick(random_record, seat_count(seats));
    uint8_t seat = 0;
    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
    }
    return seat;
}

static struct pile
pick_tiles(struct random_record *random_record, unsigned liberal,
           unsigned fascist)
{
    struct pile pile = {0, 0};
    while (liberal + fascist > 0) {
        bool is_liberal = pick(random_record, liberal + fascist) < liberal;
        pile_add(&pile, is_liberal);
        liberal -= is_liberal;
        fascist -= !is_liberal;
    }
    return pile;
}

/* ---- lines --------------------------------------------------------------- */

static struct record_head
next_head(struct random_record *random_record, bool whole)
{
    assert(random_record->seq < LINES_MAX);
    struct moment *moment = &random_record->moments[random_record->seq];
    moment->game = random_record->game;
    moment->whole = whole;
    moment->stands = true;
    return (struct record_head){random_record->seq++,
                                INT64_C(1700000000000) +
                                    INT64_C(1000) * pick(random_record, 100)};
}

static void
write_line(struct random_record *random_record, struct record_line line)
{
    struct record_head head = next_head(random_record, true);
    line.seq = head.seq;
    line.at = head.at;
    record_write_line(random_record->out, &line, random_record->names,
                      random_record->game.players);
}

/* A line of the host's that changes nothing. */
static void
write_host_line(struct random_record *random_record)
{
    static const enum record_kind kinds[] = {RECORD_PAUSED,   RECORD_RESUMED,
                                             RECORD_EXTENDED, RECORD_NOTED,
                                             RECORD_CLAIMED,  RECORD_REMINDED};
    bool over = game_is_over(&random_record->game);
    struct record_line line = {.text = "said \"so\""};
    line.kind =
        (int)kinds[over ? 3 + pick(random_record, 2) : pick(random_record, 6)];
    if (line.kind == RECORD_CLAIMED) {
        line.event.seat =
            (uint8_t)pick(random_record, random_record->game.players);
        line.event.round = random_record->game.round;
        line.event.cards = pick_tiles(random_record, pick(random_record, 2), 1);
        line.event.power =
            once_in(random_record, 3) ? POWER_INVESTIGATE : POWER_NONE;
    } else if (line.kind == RECORD_REMINDED) {
        line.event.seats = game_awaits(&random_record->game).seats;
    } else if (line.kind == RECORD_EXTENDED && once_in(random_record, 2)) {
        line.text = NULL;
        line.deadline = INT64_C(1700000000000);
    }
    write_line(random_record, line);
}

static void
write_host_lines(struct random_record *random_record)
{
    while (once_in(random_record, random_record->habits.host)) {
        write_host_line(random_record);
    }
}

/* What the host says may stand between any two lines but these. */
static void
write_event(struct random_record *random_record, const struct event *event,
            bool last)
{
    unsigned seq = random_record->seq;
    record_write_event(random_record->out, next_head(random_record, last),
                       event, &random_record->game, random_record->names);
    if (event->kind == EVENT_ROUND && random_record->first_round == 0) {
        random_record->first_round = seq;
    }
    if (event->kind == EVENT_HAND || event->kind == EVENT_PEEKED) {
        random_record->last_seen = seq;
    }
    if (event->kind == EVENT_VACATED) {
        random_record->last_change = seq;
    }
}

/* ---- steps --------------------------------------------------------------- */

static void
step(struct random_record *random_record, struct command command)
{
    struct events events;
    enum refusal refusal = game_step(&random_record->game, &command, &events);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
    for (unsigned i = 0; i < events.count; i++) {
        bool last = i + 1 == events.count;
        write_event(random_record, &events.list[i], last);
        if (events.list[i].kind != EVENT_LOTS && !last &&
            once_in(random_record, random_record->habits.host)) {
            write_host_line(random_record);
            random_record->moments[random_record->seq - 1].whole = false;
        }
    }
}

static void
deal(struct random_record *random_record)
{
    unsigned players = random_record->game.players;
    struct command command = {.kind = COMMAND_DEAL};
    command.hitler = (uint8_t)pick(random_record, players);
    seat_set left = random_record->game.living;
    left &= (seat_set)~seat_bit(command.hitler);
    for (unsigned i = game_fascist_count(players); i > 0; i--) {
        unsigned seat = pick_seat(random_record, left);
        left &= (seat_set)~seat_bit(seat);
        command.fascists |= seat_bit(seat);
    }
    command.first = (uint8_t)pick(random_record, players);
    command.tiles = pick_tiles(random_record, LIBERAL_TILES, FASCIST_TILES);
    step(random_record, command);
}

static bool
is_power(enum question question)
{
    return question == QUESTION_INVESTIGATE ||
           question == QUESTION_SPECIAL_ELECTION ||
           question == QUESTION_EXECUTION;
}

/* Time is up for what is awaited. */
static struct command
late_answer(struct random_record *random_record, const struct awaits *awaits)
{
    struct command command = {.kind = COMMAND_CLOSE, .lots = true};
    bool power = is_power(awaits->question);
    bool by_lots = awaits->cards > 0 ||
                   (power && awaits->choices != 0 && once_in(random_record, 2));
    if (awaits->cards > 0) {
        command.kind = awaits->question == QUESTION_DISCARD ? COMMAND_DISCARD
                                                            : COMMAND_ENACT;
        command.card = (uint8_t)pick(random_record, awaits->cards);
    } else if (by_lots) {
        command.kind = COMMAND_TARGET;
        command.target = pick_seat(random_record, awaits->choices);
    } else {
        command.kind = power ? COMMAND_FORFEIT : COMMAND_CLOSE;
        command.lots = false;
    }
    command.seat = awaits->question == QUESTION_ENACT
                       ? random_record->game.chancellor
                       : random_record->game.president;
    return command;
}

static enum command_kind
answer_kind(struct random_record *random_record, const struct awaits *awaits)
{
    switch (awaits->question) {
    case QUESTION_RESHUFFLE:
        return COMMAND_RESHUFFLE;
    case QUESTION_NOMINATE:
        return COMMAND_NOMINATE;
    case QUESTION_VOTE:
        return COMMAND_VOTE;
    case QUESTION_DISCARD:
        return COMMAND_DISCARD;
    case QUESTION_ENACT:
        return awaits->may_veto && once_in(random_record, 2) ? COMMAND_ASK_VETO
                                                             : COMMAND_ENACT;
    case QUESTION_VETO:
        return COMMAND_ANSWER_VETO;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return COMMAND_TARGET;
    case QUESTION_DEAL:
    case QUESTION_NONE:
        break;
    }
    return COMMAND_ABANDON;
}

/* Somebody who is there answers, or time is up. */
static struct command
next_command(struct random_record *random_record)
{
    struct awaits awaits = game_awaits(&random_record->game);
    const struct habits *habits = &random_record->habits;
    seat_set there = awaits.seats & game_present(&random_record->game);
    bool chance = awaits.question == QUESTION_RESHUFFLE;
    bool named =
        is_power(awaits.question) || awaits.question == QUESTION_NOMINATE;
    unsigned rarely = awaits.question == QUESTION_VOTE ? 6 * habits->late
                      : awaits.cards > 0               ? habits->lots
                                                       : habits->late;
    if (!chance && (there == 0 || (named && awaits.choices == 0) ||
                    once_in(random_record, rarely))) {
        return late_answer(random_record, &awaits);
    }
    struct command command = {.kind =
                                  (uint8_t)answer_kind(random_record, &awaits)};
    if (chance) {
        command.tiles =
            pick_tiles(random_record, awaits.due_liberal, awaits.due_fascist);
        return command;
    }
    command.seat = pick_seat(random_record, there);
    command.target =
        awaits.choices != 0 ? pick_seat(random_record, awaits.choices) : 0;
    command.card =
        awaits.cards != 0 ? (uint8_t)pick(random_record, awaits.cards) : 0;
    command.yes = !once_in(random_record, habits->nein);
    return command;
}

/* ---- the host's acts ----------------------------------------------------- */

static void
leave(struct random_record *random_record)
{
    seat_set present = game_present(&random_record->game);
    if (seat_count(present) > 1) {
        step(random_record,
             (struct command){.kind = COMMAND_VACATE,
                              .target = pick_seat(random_record, present)});
    }
}

/* A newcomer, or who had left, takes a seat, vacant or not. */
static void
come(struct random_record *random_record)
{
    struct game *game = &random_record->game;
    seat_set seats = game->vacant != 0 && !once_in(random_record, 4)
                         ? game->vacant
                         : game->living;
    unsigned seat = pick_seat(random_record, seats);
    const char *name = random_record->names[seat];
    if (random_record->newcomer_count < NEWCOMERS_MAX &&
        !once_in(random_record, 4)) {
        char *newcomer =
            random_record->newcomers[random_record->newcomer_count++];
        (void)snprintf(newcomer, sizeof random_record->newcomers[0],
                       "Newcomer %u", random_record->newcomer_count);
        name = newcomer;
    }
    if (seat_in(seat, game->vacant)) {
        struct events events;
        struct command fill = {.kind = COMMAND_FILL, .target = (uint8_t)seat};
        (void)game_step(game, &fill, &events);
    }
    random_record->last_change = random_record->seq;
    write_replaced(random_record->out, next_head(random_record, true),
                   random_record->names[seat], name);
    random_record->names[seat] = name;
}

/* Back to some line after which the players or chance were awaited; a draw pile
 * that somebody knew is shuffled at once. */
static void
rewind_lines(struct random_record *random_record)
{
    unsigned from = random_record->first_round > random_record->last_change
                        ? random_record->first_round
                        : random_record->last_change;
    unsigned back = 1 + pick(random_record, 40);
    unsigned to =
        random_record->seq > from + back ? random_record->seq - back : from;
    const struct moment *moment = &random_record->moments[to];
    if (!moment->whole || !moment->stands ||
        moment->game.question == QUESTION_RESHUFFLE) {
        return;
    }
    random_record->game = moment->game;
    for (unsigned i = to + 1; i < random_record->seq; i++) {
        random_record->moments[i].stands = false;
    }
    bool known =
        random_record->last_seen > to && random_record->game.draw.count > 0;
    write_line(random_record,
               (struct record_line){.kind = RECORD_REWOUND, .to = to});
    if (known) {
        random_record->moments[random_record->seq - 1].whole = false;
        struct events events;
        struct command command = {.kind = COMMAND_KNOWN};
        (void)game_step(&random_record->game, &command, &events);
        step(random_record, next_command(random_record));
    }
    random_record->rewinds++;
}

static bool
is_awaiting_seats(const struct game *game)
{
    return game->question != QUESTION_RESHUFFLE && !game_is_over(game);
}

static void
host_acts(struct random_record *random_record)
{
    const struct habits *habits = &random_record->habits;
    if (once_in(random_record, habits->come)) {
        come(random_record);
    }
    if (random_record->rewinds < REWINDS_MAX &&
        once_in(random_record, habits->rewind) &&
        is_awaiting_seats(&random_record->game)) {
        rewind_lines(random_record);
    }
    if (once_in(random_record, habits->abandon)) {
        step(random_record, (struct command){.kind = COMMAND_ABANDON});
    } else if (once_in(random_record, habits->leave)) {
        leave(random_record); /* the vote may close by it, and the game end */
    }
}

/* ---- a game -------------------------------------------------------------- */

static void
choose_habits(struct random_record *random_record)
{
    static const struct habits kinds[] = {
        {2, 16, 8, 0, 0, 0, 0, 0},   {2, 40, 0, 40, 30, 0, 12, 0},
        {4, 12, 4, 0, 0, 20, 20, 0}, {3, 30, 10, 12, 10, 40, 12, 300},
        {3, 0, 0, 0, 0, 0, 0, 0},    {5, 50, 20, 60, 30, 15, 8, 0},
    };
    enum {
        KINDS = sizeof kinds / sizeof kinds[0]
    };
    random_record->habits = kinds[pick(random_record, KINDS)];
}

static void
play(struct random_record *random_record)
{
    bool cut = once_in(random_record, 10);
    unsigned most = cut ? pick(random_record, 100) : LINES_MAX - 200;
    deal(random_record);
    while (!game_is_over(&random_record->game) && random_record->seq < most) {
        write_host_lines(random_record);
        host_acts(random_record);
        if (!game_is_over(&random_record->game)) {
            step(random_record, next_command(random_record));
        }
    }
}

static void
tell(struct random_record *random_record, unsigned players, const char *preset,
     const struct rules *rules)
{
    struct buf *out = random_record->out;
    record_write_opened(out, next_head(random_record, true), "random", preset,
                        rules, NULL);
    if (once_in(random_record, 8)) {
        write_noted(out, next_head(random_record, true), "who plays?");
    }
    record_write_seated(out, next_head(random_record, true),
                        random_record->names, players, NULL, NULL);
    play(random_record);
    if (!game_is_over(&random_record->game)) {
        return;
    }
    write_host_lines(random_record);
    record_write_revealed(out, next_head(random_record, true), NULL,
                          &random_record->game, random_record->names);
    write_host_lines(random_record);
}

void
random_record_write(struct buf *out, unsigned players, const char *preset,
                    const struct rules *rules, uint64_t seed)
{
    struct random_record *random_record = must_alloc(sizeof *random_record);
    random_record->out = out;
    random_record->chance = seed;
    memcpy(random_record->names, first_names, sizeof first_names);
    choose_habits(random_record);
    game_init(&random_record->game, players, rules);
    tell(random_record, players, preset, rules);
    free(random_record);
}
