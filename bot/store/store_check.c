/* Is a store whole, and can its games be replayed? */
#include <stdlib.h>

#include "bot/store/recover.h"
#include "bot/store/store_inner.h"

struct checking {
    const struct store_check *check;
    struct store *store;
    struct table *table; /* to replay on */
    unsigned count;
};

/* A game that is held was reported before, and a host passes over it. */
static enum err
check_game(void *context, const struct store_game *game, struct buf *why)
{
    struct checking *checking = context;
    const struct store_check *check = checking->check;
    struct buf trouble = BUF_INIT;
    if (game->over || game->held) {
        return ERR_NONE;
    }
    if (check->stop != NULL && atomic_load(check->stop)) {
        return err_say(why, ERR_LATER, "%s: the check was stopped",
                       check->path);
    }
    checking->count++;
    enum err err =
        recover_table(checking->store, game->id, checking->table, &trouble);
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        check->each(check->context, game->id, buf_text(&trouble));
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

enum err
store_check(const struct store_check *check, unsigned *count, struct buf *why)
{
    struct checking checking = {.check = check};
    enum err err = store_open(check->path, check->key_file, STORE_READ,
                              &checking.store, why);
    if (err != ERR_NONE) {
        return err;
    }
    if (check->stop != NULL) {
        db_stop_when(checking.store->db, check->stop);
    }
    checking.table = must_alloc(sizeof *checking.table);
    err = db_check(checking.store->db, why);
    if (err == ERR_NONE) {
        err = store_games(checking.store, check_game, &checking, why);
    }
    *count = checking.count;
    wipe(checking.table, sizeof *checking.table);
    free(checking.table);
    store_close(checking.store);
    return err;
}
