/*
 * Buttons: what one stands for, and its id, which comes back when it is
 * pressed.
 *
 * Players can read the ids of their buttons.  So an id names its table, the
 * question that it answers, and what was chosen, by seat or by position; never
 * a card or a role.  Ids that differ only in what was chosen have one length.
 */
#ifndef BOT_HOST_READING_PRESS_H
#define BOT_HOST_READING_PRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

enum press_choice {
    PRESS_JOIN,
    PRESS_LEAVE,
    PRESS_READY,
    PRESS_VOTE,        /* number 1: Ja; 0: Nein */
    PRESS_NAME,        /* number: a seat, as nominee or for a power */
    PRESS_ANSWER_VETO, /* number 1: approved; 0: declined */
    PRESS_SHOW_ROLE,
    PRESS_SHOW_CARDS,
    PRESS_CARD, /* number: its position as it is shown, from 0; the president
                   discards it, the chancellor enacts it */
    PRESS_ASK_VETO,
    PRESS_BACK, /* not what was asked about */
};

enum {
    PRESS_TABLE_MAX = 32,
    PRESS_NUMBER_MAX = 9
};

struct press {
    char table[PRESS_TABLE_MAX + 1];
    unsigned phase; /* the number of the question; 0: before the game */
    enum press_choice choice;
    unsigned number;
    bool confirmed; /* it was asked about before */
};

/* Append the id of a button: "14.41.v1", confirmed "14.41.v1!". */
void press_write(const struct press *press, struct buf *id);

/* Read the id of a button; false: it is none of ours. */
bool press_read(const char *id, struct press *press);

/* Is it asked about before it counts? */
bool press_is_final(const struct press *press);

/* May it change anything?  Not what only asks, or is only asked about. */
bool press_moves(const struct press *press);

#endif
