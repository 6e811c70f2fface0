/*
 * Moves: the inputs of a table, rows of the journal, and their text there.
 */
#ifndef BOT_HOST_TABLE_MOVE_H
#define BOT_HOST_TABLE_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "config/config.h"
#include "engine/game.h"

enum {
    TABLE_ID_MAX = 32
};

/* moves.def says what each is, and what its members mean. */
enum move_kind {
#define MOVE(kind, ...) MOVE_##kind,
#include "bot/host/table/moves.def"
#undef MOVE
    MOVE_KINDS,
};

/* `unasked` of a vote that is closed because it is decided, before its
 * deadline.
 */
enum {
    NOBODY_MISSED = (1 << PLAYERS_MAX) - 1
};

/* How somebody wants to be reminded. */
enum reminders {
    REMINDERS_THREAD,
    REMINDERS_PRIVATE,
    REMINDERS_OFF,
};

/* Why a deadline is moved. */
enum extended {
    EXTENDED_BY_MODERATOR,
    EXTENDED_BY_TABLE,
    EXTENDED_FOR_OUTAGE, /* of the service, or while the host was not running */
    EXTENDED_FOR_PLAYER, /* whom no private message reaches: once a game */
    EXTENDED_FOR_CALL,   /* the chancellor's cards came late: told when the
                            session would have ended */
    EXTENDED_FOR_TOO_FEW, /* had joined when the game was to begin: once */
};

/* What was done about somebody's silence. */
enum prodded {
    PRODDED_NOT,
    PRODDED_PLAYER,
    PRODDED_MODERATORS,
};

/* How the open question was called. */
enum called {
    CALLED_LATE,
    CALLED_ANEW, /* its time was counted by a wrong clock, so all of it begins
                    anew */
};

/* One input of a table: a row of the journal.  The members up to `since` are
 * any move's, the others of those kinds that moves.def says. */
struct table;
struct move {
    enum move_kind kind;
    int64_t at;  /* for the record: the post's stamp, otherwise `now` */
    int64_t now; /* the host's clock when it was taken: questions open at this
                    time */
    char post[ADAPTER_ID_MAX + 1]; /* the post that caused it; "": none */
    bool pressed;                  /* with a button, so there is no post */
    bool planned; /* MOVE_PLAY: the clock does what a player has planned */
    char user[ADAPTER_ID_MAX + 1];
    char out[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
    char text[256];
    int64_t until, session, remind;
    int64_t since; /* posts answer the question that it opens from then on; 0:
                      from `at` on */
    struct command command;
    seat_set unasked;   /* by the clock, and so they missed nothing */
    seat_set caught_up; /* were told first what had happened */
    uint8_t announced;  /* named for execution; NO_SEAT: nobody any more */
    bool own_thread;    /* it gets one */
    bool held;          /* the host chose `name` */
    bool replaces_held; /* such a name, before the start */
    bool reached;       /* has shown that private messages reach them */
    bool no_emoji;      /* wants none in private messages */
    bool receipts;      /* wants one of each vote */
    bool by_moderator;  /* and not because they are no player */
    enum reminders reminders;
    enum extended extended;
    enum called called;
    enum prodded prodded;
    unsigned request;         /* its number */
    unsigned round;           /* that a claim is about */
    unsigned row;             /* of the journal, from 1 */
    const struct table *past; /* MOVE_REWIND: the table as it was after that
                                 row; borrowed, not written */
    /* MOVE_OPEN; of MOVE_THREAD, MOVE_GALLERY the thread, of MOVE_PLAYERS the
     * players */
    char id[TABLE_ID_MAX + 1];
    char place[64];
    char thread[ADAPTER_ID_MAX + 1];
    unsigned players_min, players_max;
    bool fair; /* `secret` is R of a fair deal; otherwise there is no proof */
    unsigned char secret[DEAL_SECRET];
    struct settings settings;
};

/* Is it a move of the game that can be taken back, whoever made it?  The close
 * of a decided vote goes with the vote that decided it.
 * Is it a hidden one?  That is the discard: only the President learns when it
 * was made, so nothing that is told may depend on whether it was. */
bool move_is_act(const struct move *move);
bool move_is_hidden(const struct move *move);

/* Write a move as one JSON object; read such a text.  It holds secrets (votes
 * of a sealed ballot, cards, the deal): it may go only into the journal. */
void move_write(const struct move *move, struct buf *out);
enum err move_read(const char *text, size_t len, struct move *move,
                   struct buf *why) MUST_USE;

#endif
