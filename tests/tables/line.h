/*
 * A host at the board over a bad line: for as long as a test likes, nothing can
 * be read, what holds a text is not taken, or the board's clock is wrong.
 */
#ifndef TESTS_TABLES_LINE_H
#define TESTS_TABLES_LINE_H

#include <string.h>

#include "tests/support/room.h"

static struct hall hall;

static struct {
    enum err reading; /* of every reading; ERR_NONE: the board answers */
    int64_t behind;   /* ms by which its clock is behind ours */
    const char *text; /* what is sent with this in it fails; NULL: nothing */
    enum err err;     /* so */
    enum refused refused;
} line;

/* The adapter of such a board. */
static struct adapter odd;

static enum turn
odd_turn(const struct service *service, const struct errand *errand,
         struct buf *work, const struct reply *reply, struct outcome *out,
         struct buf *why)
{
    if (errand->kind == ERRAND_READ && line.reading != ERR_NONE) {
        return outcome_fail(out, why, line.reading, "nobody answers");
    }
    if (errand->kind == ERRAND_SEND && line.text != NULL &&
        strstr(errand->text, line.text) != NULL) {
        out->refused = line.refused;
        return outcome_fail(out, why, line.err, "this is not taken");
    }
    enum turn turn = adapter_board.turn(service, errand, work, reply, out, why);
    out->through -= line.behind;
    return turn;
}

static void
line_set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    memset(&line, 0, sizeof line);
    odd = adapter_board;
    odd.turn = odd_turn;
}

#endif
