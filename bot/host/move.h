/*
 * Moves: the inputs of a table, rows of the journal, and their text there.
 */
#ifndef BOT_HOST_MOVE_H
#define BOT_HOST_MOVE_H

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

enum move_kind {
    MOVE_OPEN,  /* sign-up begins: all the texts below, settings, secret */
    MOVE_JOIN,  /* user, name */
    MOVE_LEAVE, /* user */
    MOVE_START, /* sign-up ends, seats are fixed */
    MOVE_PLAY,  /* command */
    MOVE_RING,  /* a power's deadline is moved by its own length; text: why */
    MOVE_CLOSE, /* sign-up ends without a game */
};

/* One input of the fold: a row of the journal. */
struct move {
    enum move_kind kind;
    int64_t at;  /* for the record: the post's stamp, else as now */
    int64_t now; /* the host's clock when it was taken: phases open at it */
    struct command command;
    char user[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
    char text[128];
    /* MOVE_OPEN */
    char id[TABLE_ID_MAX + 1];
    char place[64];
    char thread[ADAPTER_ID_MAX + 1];
    unsigned players_min, players_max;
    unsigned char secret[DEAL_SECRET];
    struct settings settings;
};

/* Write a move as one JSON object; read such a text.  It holds secrets (votes
 * of a sealed ballot, cards, the deal): only the journal may have it. */
void move_write(const struct move *move, struct buf *out);
enum err move_read(const char *text, size_t len, struct move *move,
                   struct buf *why) MUST_USE;

#endif
