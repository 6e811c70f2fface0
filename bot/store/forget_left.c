/* What is left of somebody in a store: the proof that they are forgotten. */
#include <string.h>

#include "bot/store/forget.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_queued.h"

struct proof {
    const struct forget *forget;
    const struct buf *names;
    unsigned rows; /* of the table, or the game, that is searched */
    struct buf *left;
};

static bool
is_named(const struct proof *proof, const char *text, size_t len)
{
    return forget_names_find(proof->names, proof->forget->user, text, len);
}

static void
say_left(struct proof *proof, const char *what, const char *name)
{
    if (proof->rows > 0) {
        buf_addf(proof->left, "%s%s %s: %u", proof->left->len > 0 ? "; " : "",
                 what, name, proof->rows);
    }
    proof->rows = 0;
}

static enum err
look_at_row(void *context, const char *move, size_t move_len, const char *lines,
            size_t lines_len, struct buf *why)
{
    struct proof *proof = context;
    (void)why;
    proof->rows +=
        is_named(proof, move, move_len) || is_named(proof, lines, lines_len);
    return ERR_NONE;
}

static enum err
look_at_game(void *context, const struct store_game *game, struct buf *why)
{
    struct proof *proof = context;
    struct buf unsaid = BUF_INIT;
    (void)why;
    /* One that can't be read may have them. */
    proof->rows += store_journal(proof->forget->store, game->id, look_at_row,
                                 proof, &unsaid) != ERR_NONE;
    say_left(proof, "rows of the journal of game", game->id);
    buf_release(&unsaid);
    return ERR_NONE;
}

/* The texts of each table.  What else is sealed comes from journals, or is of
 * the services. */
static const char all_tables[] =
    "SELECT t.name, group_concat('coalesce(' || t.name || '.' || c.name ||"
    " ', '''')', ' || char(10) || ') FROM sqlite_schema t,"
    " pragma_table_info(t.name) c WHERE t.type = 'table'"
    " AND t.name NOT LIKE 'sqlite%' AND c.type = 'TEXT' GROUP BY t.name";

static enum err
look_at_table(struct proof *proof, const char *table, const char *texts,
              struct buf *why)
{
    struct db *db = proof->forget->store->db;
    sqlite3_stmt *rows = NULL;
    struct buf sql = BUF_INIT;
    buf_addf(&sql, "SELECT %s FROM %s", texts, table);
    enum err err = db_query(db, why, &rows, buf_text(&sql), "");
    while (db_next(db, rows, &err, why)) {
        const char *text = db_text(rows, 0);
        proof->rows += is_named(proof, text, strlen(text));
    }
    say_left(proof, "rows of the table", table);
    buf_release(&sql);
    return err;
}

static enum err
look_at_messages(struct proof *proof, struct buf *why)
{
    struct store *store = proof->forget->store;
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS " FROM message", "");
    while (db_next(store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf unsaid = BUF_INIT;
        (void)!store_load_queued(store, rows, &queued, &unsaid);
        const char *text = queued.message.text;
        proof->rows += text != NULL && is_named(proof, text, strlen(text));
        message_release(&queued.message);
        buf_release(&unsaid);
    }
    say_left(proof, "texts of the table", "message");
    return err;
}

enum err
forget_left(const struct forget *forget, const struct buf *names,
            struct buf *left, struct buf *why)
{
    struct proof proof = {forget, names, 0, left};
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(forget->store->db, why, &rows, all_tables, "");
    while (db_next(forget->store->db, rows, &err, why)) {
        err = look_at_table(&proof, db_text(rows, 0), db_text(rows, 1), why);
    }
    if (err == ERR_NONE) {
        err = look_at_messages(&proof, why);
    }
    return err == ERR_NONE
               ? store_games(forget->store, look_at_game, &proof, why)
               : err;
}
