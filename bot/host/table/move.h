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

/* `until`, `session` and `remind` are instants by the service's clock.  A move
 * that opens a question, or begins its time anew, has the question's deadline
 * in `until`, the latest end of a session in `session`, and in `remind` when
 * people are first reminded (0: not).  So no later version, and no other time
 * zone data, can compute other times. */
enum move_kind {
    MOVE_OPEN, /* sign-up begins: all the texts below, settings, secret; until:
                  when the game is to begin, 0: once it is full; number 1: it
                  gets a thread of its own */
    MOVE_THREAD,    /* thread: its own is open; "": it can't have one */
    MOVE_JOIN,      /* user, name; number 1: the host chose that name; in the
                       game: user stays after all */
    MOVE_RESERVE,   /* user, name: stands by; from the table: steps back; number
                       as above */
    MOVE_LEAVE,     /* user: leaves the sign-up, or the reserve; in the game:
                       asks to be replaced */
    MOVE_ALIAS,     /* user; name: another name for them; number 1: in place of
                       one that the host chose, before the start */
    MOVE_LUCK,      /* user; text: their own words for the deal */
    MOVE_LANGUAGE,  /* user; text: the language they are spoken to in */
    MOVE_ZONE,      /* user; text: the zone in which they are told times in
                       private; "": the table's */
    MOVE_REMINDERS, /* user; number: enum reminders */
    MOVE_EMOJI,  /* user; number 1: wants none in private messages; 0: does */
    MOVE_CHECK,  /* sign-up ends with a ready check, or that goes on with the
                    reserve; until: its end; remind */
    MOVE_READY,  /* user has passed it; number 1: has shown in private that
                    messages reach them */
    MOVE_REOPEN, /* too few have: people may join again; until: when the game is
                    to begin */
    MOVE_START,  /* seats are fixed; of a fair deal, also the transcript; text:
                    its key in hex, where somebody in it was forgotten */
    MOVE_PLAY,   /* command; if the clock played it, number: the seats that were
                    not asked, and so missed nothing (NOBODY_MISSED: it closes a
                    vote that is decided, before its deadline); user: the
                    moderator who chose for a player (in older journals none) */
    MOVE_RING,   /* a power's deadline is moved by its own length; text: why */
    MOVE_EXTEND, /* until: the open question's new deadline or, for an outage,
                    that of the sign-up; text: why; number: enum extended; user:
                    who is waited for; session: what is told in public, 0: moved
                    by as much */
    MOVE_PAUSE,  /* until: when it ends; 0: when somebody resumes it; text: why,
                    or "" */
    MOVE_RESUME, /* until: the open question's new deadline */
    MOVE_REMIND, /* those who must act were reminded; remind: when next; number:
                    the seats that were told first what had happened; in the
                    sign-up: those who have joined, of the start; in the ready
                    check: those who have not passed it */
    MOVE_CALLED, /* the open question was asked so late that its deadline moves:
                    until; session: what is told of one in public; for the
                    chancellor's: when it would be, which nobody is told; text:
                    why; number: enum called.  CALLED_ANEW also for the end of
                    the sign-up, or of the ready check */
    MOVE_ANNOUNCE, /* number: the seat named for execution, from 1; until: when
                      it is done; number 0: nobody any more */
    MOVE_REPLACE,  /* out, user, name: user takes the seat of out; if both are
                      the same, user comes back to it */
    MOVE_REWIND,   /* number: all rows of the journal after this one are undone;
                      until as above */
    MOVE_ASK,   /* user asks for what must be confirmed or agreed to; text: the
                   command; until: when it lapses; number: its own (in older
                   journals none, and it replaces the one before) */
    MOVE_AGREE, /* user agrees to the request of that number; 0: the only one */
    MOVE_ANSWERED,  /* it was done, or has lapsed; number as above */
    MOVE_SET,       /* name: a setting's key; text: its value; of the rules only
                       before the start */
    MOVE_PLAYERS,   /* players_min, players_max: how many may play; before the
                       start */
    MOVE_MODERATOR, /* user moderates this table too */
    MOVE_AWAY,      /* user is away; until (at: no longer); text: why, or "" */
    MOVE_CLAIM,     /* user; number: the round; text: "FFL,FL" (in older
                       journals with a blank); of a peek, name: "peek"; of an
                       investigation, out: who was investigated */
    MOVE_PLAN,      /* user; text: "5 2", the seats, from 1, of whom the first
                       who is eligible is nominated if their time runs out;
                       "": nobody */
    MOVE_RECEIPTS,  /* user; number 1: wants a receipt of each vote; 0: not */
    MOVE_NOTE,      /* text: for the record */
    MOVE_WARN, /* user was warned; text: of what; if they are not at the table:
                  they voted all the same; number 1: by a moderator, for that
                  reason */
    MOVE_FLAG, /* user has shown the moderators a post */
    MOVE_GALLERY, /* user is let into the gallery, or told all roles: somebody
                     who was executed, or has no seat.  No user: thread, where
                     the gallery is */
    MOVE_RENAME,  /* user now calls themself name */
    MOVE_CLOSE,   /* sign-up ends without a game */
    MOVE_TOLD,    /* the thread was told of the votes that were pressed */
    MOVE_PROD,    /* until: when silences are looked at next; user, who has been
                     silent since session: number: enum prodded.  In a pause the
                     moderators were told that it has no end */
};

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

/* One input of a table: a row of the journal. */
struct table;
struct move {
    enum move_kind kind;
    int64_t at;  /* for the record: the post's stamp, otherwise `now` */
    int64_t now; /* the host's clock when it was taken: questions open at this
                    time */
    char post[ADAPTER_ID_MAX + 1]; /* the post that caused it; "": none */
    bool pressed;                  /* with a button, so there is no post */
    bool planned; /* MOVE_PLAY: the clock does what a player has planned */
    struct command command;
    char user[ADAPTER_ID_MAX + 1];
    char out[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
    char text[256];
    int64_t until, session, remind;
    int64_t since; /* posts answer the question that it opens from then on; 0:
                      from `at` on */
    unsigned number;
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

/* Does it still hold once the game was taken back to before it (apply_rewind)?
 * Then what was said of it does, too. */
bool move_outlives_rewind(const struct move *move);

/* Write a move as one JSON object; read such a text.  It holds secrets (votes
 * of a sealed ballot, cards, the deal): it may go only into the journal. */
void move_write(const struct move *move, struct buf *out);
enum err move_read(const char *text, size_t len, struct move *move,
                   struct buf *why) MUST_USE;

#endif
