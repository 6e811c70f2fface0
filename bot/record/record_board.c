#include "bot/record/record_board.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
record_standing(const struct record_game *game, size_t count, bool *stands)
{
    size_t at = count;
    memset(stands, 0, count * sizeof *stands);
    while (at-- > 0) {
        const struct record_line *line = &game->lines[at];
        stands[at] = true;
        /* The lines between the one that the game was taken back to and this
         * one no longer stand. */
        if (line->kind == RECORD_REWOUND && line->to < at) {
            at = (size_t)line->to + 1;
        }
    }
}

/* What is known so far, line by line. */
struct reading {
    struct public_board *board;
    unsigned president, chancellor; /* seats, or NO_SEAT */
    seat_set executed, vacant, eligible;
    bool named;   /* a chancellor is, so that nobody asks who may be */
    bool elected; /* the two are in office */
    bool session; /* three tiles are in somebody's hands */
};

static unsigned
at_most(unsigned number, unsigned most)
{
    return number < most ? number : most;
}

/* A line of the host alone. */
static void
read_host_line(struct reading *reading, const struct record_line *line)
{
    struct public_board *board = reading->board;
    if (line->kind == EVENT_VACATED) {
        reading->vacant |= seat_bit(line->event.seat);
    } else if (line->kind == EVENT_FILLED) {
        unsigned seat = line->event.seat;
        reading->vacant &= (seat_set)~seat_bit(seat);
        (void)snprintf(board->seats[seat].name, sizeof board->seats[seat].name,
                       "%s", line->in);
    }
}

static void
read_round(struct reading *reading, const struct event *event)
{
    reading->board->round = event->round;
    reading->president = event->seat;
    reading->chancellor = NO_SEAT;
    reading->eligible = event->seats;
    reading->named = false;
    reading->elected = false;
}

static void
read_enacted(struct reading *reading, const struct event *event)
{
    struct public_board *board = reading->board;
    board->liberal = at_most(event->liberal, LIBERAL_WIN);
    board->fascist = at_most(event->fascist, FASCIST_WIN);
    board->tracker = at_most(event->tracker, TRACKER_CHAOS);
    if (event->by_chaos) {
        board->deck -= board->deck > 0;
    }
    reading->session = false;
}

static void
read_line(struct reading *reading, const struct record_line *line)
{
    struct public_board *board = reading->board;
    const struct event *event = &line->event;
    switch (line->kind) {
    case EVENT_ROUND:
        read_round(reading, event);
        break;
    case EVENT_NOMINATED:
        reading->chancellor = event->target;
        reading->named = true;
        break;
    case EVENT_ELECTION:
        reading->elected = event->yes;
        board->tracker = at_most(event->tracker, TRACKER_CHAOS);
        break;
    case EVENT_HAND:
        board->deck -= at_most(HAND_TILES, board->deck);
        reading->session = true;
        break;
    case EVENT_VETO_ANSWERED:
        board->tracker = at_most(event->tracker, TRACKER_CHAOS);
        reading->session = reading->session && !event->yes;
        break;
    case EVENT_ENACTED:
        read_enacted(reading, event);
        break;
    case EVENT_RESHUFFLED:
        board->deck = at_most(event->cards.count, TILES);
        break;
    case EVENT_EXECUTED:
        reading->executed |= seat_bit(event->target);
        break;
    case EVENT_ENDED:
        board->over = true;
        board->ending = (enum ending)event->reason;
        break;
    default:
        read_host_line(reading, line);
        break;
    }
}

static enum seat_mark
mark_of(const struct reading *reading, unsigned seat)
{
    if (seat_in(seat, reading->executed)) {
        return SEAT_EXECUTED;
    }
    if (seat_in(seat, reading->vacant)) {
        return SEAT_VACANT;
    }
    if (reading->board->over || reading->board->round == 0) {
        return SEAT_PLAIN;
    }
    if (seat == reading->president) {
        return reading->elected ? SEAT_PRESIDENT : SEAT_CANDIDATE;
    }
    if (seat == reading->chancellor) {
        return reading->elected ? SEAT_CHANCELLOR : SEAT_NOMINEE;
    }
    return reading->named || seat_in(seat, reading->eligible) ? SEAT_PLAIN
                                                              : SEAT_LIMITED;
}

void
record_board(const struct record_game *game, size_t count,
             struct public_board *board)
{
    struct reading reading = {
        .board = board, .president = NO_SEAT, .chancellor = NO_SEAT};
    bool *stands = must_alloc(count * sizeof *stands + 1);
    assert(count <= game->line_count);
    memset(board, 0, sizeof *board);
    board->deck = TILES;
    record_standing(game, count, stands);
    for (size_t i = 0; i < count; i++) {
        if (game->lines[i].kind == RECORD_SEATED) {
            board->players = game->players;
            for (unsigned seat = 0; seat < game->players; seat++) {
                memcpy(board->seats[seat].name, game->names[seat],
                       sizeof board->seats[seat].name);
            }
        } else if (stands[i]) {
            read_line(&reading, &game->lines[i]);
        }
    }
    free(stands);
    unsigned elsewhere = board->deck + board->liberal + board->fascist +
                         (reading.session ? HAND_TILES : 0U);
    board->discards = TILES - at_most(elsewhere, TILES);
    for (unsigned seat = 0; seat < board->players; seat++) {
        board->seats[seat].mark = mark_of(&reading, seat);
    }
}
