/*
 * A host at the board over a bad line: for as long as a test likes, nothing can
 * be read, what holds a text is not taken, or the board's clock is wrong.
 */
#ifndef TESTS_TABLES_LINE_H
#define TESTS_TABLES_LINE_H

#include <string.h>

#include "tests/support/room.h"

static struct room room;

static struct {
    enum err reading; /* of every reading; ERR_NONE: the board answers */
    int64_t behind;   /* ms by which its clock is behind ours */
    const char *text; /* what is sent with this in it fails; NULL: nothing */
    enum err err;     /* so */
    enum refused refused;
} line;

/* The adapter of such a board. */
static struct adapter odd;

static enum advance
odd_advance(const struct service *service, const struct op *op,
            struct buf *scratch, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    if (op->kind == OP_READ && line.reading != ERR_NONE) {
        return outcome_fail(out, why, line.reading, "nobody answers");
    }
    if (op->kind == OP_SEND && line.text != NULL &&
        strstr(op->text, line.text) != NULL) {
        out->refused = line.refused;
        return outcome_fail(out, why, line.err, "this is not taken");
    }
    enum advance advance =
        adapter_board.advance(service, op, scratch, reply, out, why);
    out->through -= line.behind;
    return advance;
}

static void
line_set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&line, 0, sizeof line);
    odd = adapter_board;
    odd.advance = odd_advance;
}

#endif
