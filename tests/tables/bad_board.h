/*
 * A host at a board that works badly: for as long as a test likes, nothing can
 * be read, what holds a text is not taken, or the board's clock is wrong.
 */
#ifndef TESTS_TABLES_BAD_BOARD_H
#define TESTS_TABLES_BAD_BOARD_H

#include <string.h>

#include "tests/support/room.h"

static struct room room;

static struct {
    enum err reading;  /* of every reading; ERR_NONE: the board answers */
    int64_t behind;    /* ms by which its clock is behind ours */
    int64_t through;   /* what it says that it was read through; 0: the truth */
    int64_t forgotten; /* what it has forgotten, up to then, of what was posted
                          since it was read; 0: nothing */
    const char *text;  /* what is sent with this in it fails; NULL: nothing */
    enum err err;      /* so */
    enum refused refused;
} bad_board;

/* The adapter of such a board. */
static struct adapter odd;

static enum advance
odd_advance(const struct service *service, const struct op *op,
            struct buf *scratch, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    if (op->kind == OP_READ && bad_board.reading != ERR_NONE) {
        return outcome_fail(out, why, bad_board.reading, "nobody answers");
    }
    if (op->kind == OP_SEND && bad_board.text != NULL &&
        strstr(op->text, bad_board.text) != NULL) {
        out->refused = bad_board.refused;
        return outcome_fail(out, why, bad_board.err, "this is not taken");
    }
    enum advance advance =
        adapter_board.advance(service, op, scratch, reply, out, why);
    out->through -= bad_board.behind;
    if (op->kind == OP_READ && bad_board.through != 0) {
        out->through = bad_board.through;
    }
    if (op->kind == OP_READ && advance == ADVANCE_DONE) {
        out->forgotten = bad_board.forgotten;
        bad_board.forgotten = 0;
    }
    return advance;
}

static void
bad_board_set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&bad_board, 0, sizeof bad_board);
    odd = adapter_board;
    odd.advance = odd_advance;
}

#endif
