#include "bot/store/store.h"

#include <stdlib.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/store/store_inner.h"

/* schema.sql has these numbers. */
_Static_assert(QUEUED_SENT == 2 && MESSAGE_STATUS == 2 &&
                   MESSAGE_PRIVATE == 1 && MESSAGE_POST == 0,
               "the store's format has these numbers");

/* ---- the file -------------------------------------------------------------
 */

enum err
store_open_db(const char *path, enum db_mode mode, struct db **db,
              struct buf *why)
{
    return db_open(path, mode, STORE_FORMAT, bot_store_schema_sql, db, why);
}

struct buf
store_beside(const char *path, const char *ending)
{
    struct buf name = BUF_INIT;
    buf_addf(&name, "%s%s", path, ending);
    return name;
}

/* An earlier host of this format may lack the table. */
enum err
store_run_beside(const char *path, const char *sql, int64_t number,
                 const char *text, struct buf *why)
{
    struct db *db = NULL;
    enum err err = store_open_db(path, DB_CREATE_UNCHECKED, &db, why);
    if (err == ERR_NONE) {
        db_make(db, bot_store_schema_sql);
        db_run(db, sql, "it", number, text);
        err = db_err(db, why);
        db_close(db);
    }
    return err;
}

void
store_pass_over(struct store *store, enum err err, struct buf *trouble)
{
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(trouble));
    } else if (err != ERR_NONE) {
        db_keep(store->db, err, trouble);
    }
    buf_release(trouble);
}

bool
store_take_number(const char **at, char end, int64_t *number)
{
    char *after = NULL;
    *number = strtoll(*at, &after, 10);
    if (after == *at || *after != end) {
        return false;
    }
    *at = after + 1;
    return true;
}

int64_t
store_question(const struct message *message)
{
    return message->about != 0 ? -(int64_t)message->about
                               : (int64_t)message->calls;
}

void
store_set_question(struct message *message, int64_t question)
{
    message->calls = question > 0 ? (unsigned)question : 0;
    message->about = question < 0 ? (unsigned)-question : 0;
}

int64_t
store_count_games(struct store *store)
{
    int64_t count = 0;
    (void)db_row(store->db, "SELECT count(*) FROM game", ">i", &count);
    return count;
}

void
store_close(struct store *store)
{
    if (store == NULL) {
        return;
    }
    db_close(store->db);
    if (store->lock >= 0) {
        file_unlock(store->lock);
    }
    seal_close(store->seal);
    buf_release(&store->no_key);
    free(store);
}

/* ---- transactions -------------------------------------------------------- */

void
store_begin(struct store *store)
{
    db_begin_unsynced(store->db);
}

void
store_commit(struct store *store)
{
    db_commit(store->db);
}

enum err
store_err(const struct store *store, struct buf *why)
{
    return db_err(store->db, why);
}

void
store_gather(struct store *store)
{
    db_gather(store->db);
}

void
store_flush(struct store *store, bool synced)
{
    db_flush(store->db, synced);
}

void
store_rollback(struct store *store)
{
    db_rollback(store->db);
}

uint64_t
store_number(const struct store *store, const struct buf *post)
{
    return seal_number(store->seal, "what a post is like", buf_text(post),
                       post->len);
}

int64_t
store_copied(const struct store *store)
{
    return store->copied;
}

const char *
store_id(const struct store *store)
{
    return store->id;
}
