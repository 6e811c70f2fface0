#include "bot/recover.h"

#include <string.h>

struct replay {
    struct table *table;
    const char *game;
    unsigned rows;
};

/* May this move follow here?  Of a player's and of chance's the engine judges;
 * the host's own are asserted where they are applied, and what is on disk may
 * be damaged. */
static bool
is_possible(const struct table *table, const struct move *move, unsigned row)
{
    bool signup = table->state == TABLE_SIGNUP;
    bool running = table->state == TABLE_RUNNING;
    bool seated = table_seat(table, move->user) != NO_SEAT;
    if ((row == 1) != (move->kind == MOVE_OPEN)) {
        return false;
    }
    switch (move->kind) {
    case MOVE_OPEN:
        return true;
    case MOVE_JOIN:
        return signup && !seated && table->seated < table->players_max;
    case MOVE_LEAVE:
        return signup && seated;
    case MOVE_START:
        return signup && table->seated >= PLAYERS_MIN;
    case MOVE_PLAY:
        return running && move->command.kind != COMMAND_FILL;
    case MOVE_RING:
        return running && !table->rung;
    case MOVE_CLOSE:
        return signup;
    }
    return false;
}

/* Play one row; false: it is not one, can't be played, or makes other lines. */
static bool
plays(struct replay *replay, const char *text, size_t len, const char *lines,
      size_t lines_len)
{
    struct move move;
    struct events events;
    struct buf made = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    bool good =
        move_read(text, len, &move, &unsaid) == ERR_NONE &&
        is_possible(replay->table, &move, replay->rows) &&
        table_apply(replay->table, &move, &events, &made) == REFUSAL_NONE &&
        made.len == lines_len && memcmp(buf_text(&made), lines, lines_len) == 0;
    buf_release(&unsaid);
    buf_wipe(&made);
    return good;
}

static enum err
replay_row(void *context, const char *text, size_t len, const char *lines,
           size_t lines_len, struct buf *why)
{
    struct replay *replay = context;
    replay->rows++;
    if (plays(replay, text, len, lines, lines_len)) {
        return ERR_NONE;
    }
    return err_say(why, ERR_GARBLED,
                   "game %s: row %u of its journal does not play as it was "
                   "saved; the game is held (use the version that played it, "
                   "or restore the store from a backup)",
                   replay->game, replay->rows);
}

enum err
recover_table(struct store *store, const char *game, struct table *table,
              struct buf *why)
{
    struct replay replay = {table, game, 0};
    memset(table, 0, sizeof *table);
    return store_journal(store, game, replay_row, &replay, why);
}
