#include "tests/support/random_record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/record/record.h"

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

struct chronicle {
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

/* One step of splitmix64 (Steele, Lea, Flood 2014). */
static unsigned
pick(struct chronicle *chronicle, unsigned of)
{
    chronicle->chance += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = chronicle->chance;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    return (unsigned)((mixed >> 32) * of >> 32);
}

static bool
once_in(struct chronicle *chronicle, unsigned of)
{
    return of > 0 && pick(chronicle, of) == 0;
}

static uint8_t
pick_seat(struct chronicle *chronicle, seat_set seats)
{
    unsigned skip = pick(chronicle, seat_count(seats));
    uint8_t seat = 0;
    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
    }
    return seat;
}

static struct pile
pick_tiles(struct chronicle *chronicle, unsigned liberal, unsigned fascist)
{
    struct pile pile = {0, 0};
    while (liberal + fascist > 0) {
        bool is_liberal = pick(chronicle, liberal + fascist) < liberal;
        pile_add(&pile, is_liberal);
        liberal -= is_liberal;
        fascist -= !is_liberal;
    }
    return pile;
}

/* ---- lines --------------------------------------------------------------- */

static struct record_head
next_head(struct chronicle *chronicle, bool whole)
{
    assert(chronicle->seq < LINES_MAX);
    struct moment *moment = &chronicle->moments[chronicle->seq];
    moment->game = chronicle->game;
    moment->whole = whole;
    moment->stands = true;
    return (struct record_head){chronicle->seq++,
                                INT64_C(1700000000000) +
                                    INT64_C(1000) * pick(chronicle, 100)};
}

static void
write_line(struct chronicle *chronicle, struct record_line line)
{
    struct record_head head = next_head(chronicle, true);
    line.seq = head.seq;
    line.at = head.at;
    record_write_line(chronicle->out, &line, chronicle->names,
                      chronicle->game.players);
}

/* A line of the host's that changes nothing. */
static void
write_host_line(struct chronicle *chronicle)
{
    static const enum record_kind kinds[] = {RECORD_PAUSED,   RECORD_RESUMED,
                                             RECORD_EXTENDED, RECORD_NOTED,
                                             RECORD_CLAIMED,  RECORD_REMINDED};
    bool over = game_is_over(&chronicle->game);
    struct record_line line = {.text = "said \"so\""};
    line.kind = (int)kinds[over ? 3 + pick(chronicle, 2) : pick(chronicle, 6)];
    if (line.kind == RECORD_CLAIMED) {
        line.event.seat = (uint8_t)pick(chronicle, chronicle->game.players);
        line.event.round = chronicle->game.round;
        line.event.cards = pick_tiles(chronicle, pick(chronicle, 2), 1);
    } else if (line.kind == RECORD_REMINDED) {
        line.event.seats = game_awaits(&chronicle->game).seats;
    } else if (line.kind == RECORD_EXTENDED && once_in(chronicle, 2)) {
        line.text = NULL;
        line.deadline = INT64_C(1700000000000);
    }
    write_line(chronicle, line);
}

static void
write_host_lines(struct chronicle *chronicle)
{
    while (once_in(chronicle, chronicle->habits.host)) {
        write_host_line(chronicle);
    }
}

/* What the host says may stand between any two lines but these. */
static void
write_event(struct chronicle *chronicle, const struct event *event, bool last)
{
    unsigned seq = chronicle->seq;
    record_write_event(chronicle->out, next_head(chronicle, last), event,
                       &chronicle->game, chronicle->names);
    if (event->kind == EVENT_ROUND && chronicle->first_round == 0) {
        chronicle->first_round = seq;
    }
    if (event->kind == EVENT_HAND || event->kind == EVENT_PEEKED) {
        chronicle->last_seen = seq;
    }
    if (event->kind == EVENT_VACATED) {
        chronicle->last_change = seq;
    }
}

/* ---- steps --------------------------------------------------------------- */

static void
step(struct chronicle *chronicle, struct command command)
{
    struct events events;
    enum refusal refusal = game_step(&chronicle->game, &command, &events);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
    for (unsigned i = 0; i < events.count; i++) {
        bool last = i + 1 == events.count;
        write_event(chronicle, &events.list[i], last);
        if (events.list[i].kind != EVENT_LOTS && !last &&
            once_in(chronicle, chronicle->habits.host)) {
            write_host_line(chronicle);
            chronicle->moments[chronicle->seq - 1].whole = false;
        }
    }
}

static void
deal(struct chronicle *chronicle)
{
    unsigned players = chronicle->game.players;
    struct command command = {.kind = COMMAND_DEAL};
    command.hitler = (uint8_t)pick(chronicle, players);
    seat_set left = chronicle->game.living;
    left &= (seat_set)~seat_bit(command.hitler);
    for (unsigned i = game_fascist_count(players); i > 0; i--) {
        unsigned seat = pick_seat(chronicle, left);
        left &= (seat_set)~seat_bit(seat);
        command.fascists |= seat_bit(seat);
    }
    command.first = (uint8_t)pick(chronicle, players);
    command.tiles = pick_tiles(chronicle, LIBERAL_TILES, FASCIST_TILES);
    step(chronicle, command);
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
late_answer(struct chronicle *chronicle, const struct awaits *awaits)
{
    struct command command = {.kind = COMMAND_CLOSE, .lots = true};
    bool power = is_power(awaits->question);
    bool by_lots = awaits->cards > 0 ||
                   (power && awaits->choices != 0 && once_in(chronicle, 2));
    if (awaits->cards > 0) {
        command.kind = awaits->question == QUESTION_DISCARD ? COMMAND_DISCARD
                                                            : COMMAND_ENACT;
        command.card = (uint8_t)pick(chronicle, awaits->cards);
    } else if (by_lots) {
        command.kind = COMMAND_TARGET;
        command.target = pick_seat(chronicle, awaits->choices);
    } else {
        command.kind = power ? COMMAND_FORFEIT : COMMAND_CLOSE;
        command.lots = false;
    }
    command.seat = awaits->question == QUESTION_ENACT
                       ? chronicle->game.chancellor
                       : chronicle->game.president;
    return command;
}

static enum command_kind
answer_kind(struct chronicle *chronicle, const struct awaits *awaits)
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
        return awaits->may_veto && once_in(chronicle, 2) ? COMMAND_ASK_VETO
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
next_command(struct chronicle *chronicle)
{
    struct awaits awaits = game_awaits(&chronicle->game);
    const struct habits *habits = &chronicle->habits;
    seat_set there = awaits.seats & game_present(&chronicle->game);
    bool chance = awaits.question == QUESTION_RESHUFFLE;
    bool named =
        is_power(awaits.question) || awaits.question == QUESTION_NOMINATE;
    unsigned rarely = awaits.question == QUESTION_VOTE ? 6 * habits->late
                      : awaits.cards > 0               ? habits->lots
                                                       : habits->late;
    if (!chance && (there == 0 || (named && awaits.choices == 0) ||
                    once_in(chronicle, rarely))) {
        return late_answer(chronicle, &awaits);
    }
    struct command command = {.kind = (uint8_t)answer_kind(chronicle, &awaits)};
    if (chance) {
        command.tiles =
            pick_tiles(chronicle, awaits.due_liberal, awaits.due_fascist);
        return command;
    }
    command.seat = pick_seat(chronicle, there);
    command.target =
        awaits.choices != 0 ? pick_seat(chronicle, awaits.choices) : 0;
    command.card =
        awaits.cards != 0 ? (uint8_t)pick(chronicle, awaits.cards) : 0;
    command.yes = !once_in(chronicle, habits->nein);
    return command;
}

/* ---- the host's acts ----------------------------------------------------- */

static void
leave(struct chronicle *chronicle)
{
    seat_set present = game_present(&chronicle->game);
    if (seat_count(present) > 1) {
        step(chronicle,
             (struct command){.kind = COMMAND_VACATE,
                              .target = pick_seat(chronicle, present)});
    }
}

/* A newcomer, or who had left, takes a seat, vacant or not. */
static void
come(struct chronicle *chronicle)
{
    struct game *game = &chronicle->game;
    seat_set seats = game->vacant != 0 && !once_in(chronicle, 4) ? game->vacant
                                                                 : game->living;
    unsigned seat = pick_seat(chronicle, seats);
    const char *name = chronicle->names[seat];
    if (chronicle->newcomer_count < NEWCOMERS_MAX && !once_in(chronicle, 4)) {
        char *newcomer = chronicle->newcomers[chronicle->newcomer_count++];
        (void)snprintf(newcomer, sizeof chronicle->newcomers[0], "Newcomer %u",
                       chronicle->newcomer_count);
        name = newcomer;
    }
    if (seat_in(seat, game->vacant)) {
        struct events events;
        struct command fill = {.kind = COMMAND_FILL, .target = (uint8_t)seat};
        (void)game_step(game, &fill, &events);
    }
    chronicle->last_change = chronicle->seq;
    record_write_replaced(chronicle->out, next_head(chronicle, true),
                          chronicle->names[seat], name);
    chronicle->names[seat] = name;
}

/* Back to some line after which the players or chance were awaited; a draw pile
 * that somebody knew is shuffled at once. */
static void
rewind_lines(struct chronicle *chronicle)
{
    unsigned from = chronicle->first_round > chronicle->last_change
                        ? chronicle->first_round
                        : chronicle->last_change;
    unsigned back = 1 + pick(chronicle, 40);
    unsigned to = chronicle->seq > from + back ? chronicle->seq - back : from;
    const struct moment *moment = &chronicle->moments[to];
    if (!moment->whole || !moment->stands ||
        moment->game.question == QUESTION_RESHUFFLE) {
        return;
    }
    chronicle->game = moment->game;
    for (unsigned i = to + 1; i < chronicle->seq; i++) {
        chronicle->moments[i].stands = false;
    }
    bool known = chronicle->last_seen > to && chronicle->game.draw.count > 0;
    write_line(chronicle,
               (struct record_line){.kind = RECORD_REWOUND, .to = to});
    if (known) {
        chronicle->moments[chronicle->seq - 1].whole = false;
        struct events events;
        struct command command = {.kind = COMMAND_KNOWN};
        (void)game_step(&chronicle->game, &command, &events);
        step(chronicle, next_command(chronicle));
    }
    chronicle->rewinds++;
}

static bool
is_awaiting_seats(const struct game *game)
{
    return game->question != QUESTION_RESHUFFLE && !game_is_over(game);
}

static void
host_acts(struct chronicle *chronicle)
{
    const struct habits *habits = &chronicle->habits;
    if (once_in(chronicle, habits->come)) {
        come(chronicle);
    }
    if (chronicle->rewinds < REWINDS_MAX &&
        once_in(chronicle, habits->rewind) &&
        is_awaiting_seats(&chronicle->game)) {
        rewind_lines(chronicle);
    }
    if (once_in(chronicle, habits->abandon)) {
        step(chronicle, (struct command){.kind = COMMAND_ABANDON});
    } else if (once_in(chronicle, habits->leave)) {
        leave(chronicle); /* the vote may close by it, and the game end */
    }
}

/* ---- a game -------------------------------------------------------------- */

static void
choose_habits(struct chronicle *chronicle)
{
    static const struct habits kinds[] = {
        {2, 16, 8, 0, 0, 0, 0, 0},   {2, 40, 0, 40, 30, 0, 12, 0},
        {4, 12, 4, 0, 0, 20, 20, 0}, {3, 30, 10, 12, 10, 40, 12, 300},
        {3, 0, 0, 0, 0, 0, 0, 0},    {5, 50, 20, 60, 30, 15, 8, 0},
    };
    enum {
        KINDS = sizeof kinds / sizeof kinds[0]
    };
    chronicle->habits = kinds[pick(chronicle, KINDS)];
}

static void
play(struct chronicle *chronicle)
{
    bool cut = once_in(chronicle, 10);
    unsigned most = cut ? pick(chronicle, 100) : LINES_MAX - 200;
    deal(chronicle);
    while (!game_is_over(&chronicle->game) && chronicle->seq < most) {
        write_host_lines(chronicle);
        host_acts(chronicle);
        if (!game_is_over(&chronicle->game)) {
            step(chronicle, next_command(chronicle));
        }
    }
}

static void
tell(struct chronicle *chronicle, unsigned players, const char *preset,
     const struct rules *rules)
{
    struct buf *out = chronicle->out;
    record_write_opened(out, next_head(chronicle, true), "chronicle", preset,
                        rules, NULL);
    if (once_in(chronicle, 8)) {
        record_write_noted(out, next_head(chronicle, true), "who plays?");
    }
    record_write_seated(out, next_head(chronicle, true), chronicle->names,
                        players, NULL);
    play(chronicle);
    if (!game_is_over(&chronicle->game)) {
        return;
    }
    write_host_lines(chronicle);
    record_write_revealed(out, next_head(chronicle, true), NULL,
                          &chronicle->game, chronicle->names);
    write_host_lines(chronicle);
}

void
chronicle_write(struct buf *out, unsigned players, const char *preset,
                const struct rules *rules, uint64_t seed)
{
    struct chronicle *chronicle = must_alloc(sizeof *chronicle);
    chronicle->out = out;
    chronicle->chance = seed;
    memcpy(chronicle->names, first_names, sizeof first_names);
    choose_habits(chronicle);
    game_init(&chronicle->game, players, rules);
    tell(chronicle, players, preset, rules);
    free(chronicle);
}
