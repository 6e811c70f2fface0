/*
 * The tables are opened for hosting, and closed.
 */
#ifndef BOT_TABLES_TURNS_TABLES_OPEN_H
#define BOT_TABLES_TURNS_TABLES_OPEN_H

#include "adapters/board/board_server.h"
#include "bot/tables/tables.h"
#include "config/secrets.h"

/* How the games of a store are taken up. */
enum opening {
    OPEN_CHECKED,   /* the file is read whole first */
    OPEN_UNCHECKED, /* the caller has the store checked (store_check) */
    OPEN_TRY /* could it be?  Nothing is made or changed, and nothing stays
                open */
};

/* Open the store for hosting and take up every running game.  `catalogues`:
 * loaded as they are needed, and still there when the tables are closed.
 * `secrets`: those of the configuration's accounts, borrowed; NULL if it has
 * none.  `dealer`: dealer_fair, except in a replay.  A game that can't be
 * replayed is held, and this is logged. */
enum err tables_open(struct tables *tables, const struct conf *conf,
                     struct catalogues *catalogues,
                     const struct secrets *secrets, const struct dealer *dealer,
                     enum opening opening, struct buf *why) MUST_USE;

void tables_close(struct tables *tables); /* also one that is zeroed */

/* Do the store and the board belong together?  ERR_GARBLED with a sentence if
 * one of them was made anew, or comes from an older backup, without the other:
 * going on would mean another game. */
enum err tables_match(struct tables *tables, struct board *board,
                      struct buf *why) MUST_USE;

#endif
