/* What is left of somebody in a store: the proof that they are forgotten. */
#include <string.h>

#include "bot/store/forget.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"

struct proof {
    struct store *store;
    const struct forgetting *whom;
    const struct forget_names *names;
    unsigned rows; /* of the table, or the game, that is searched */
    struct buf *left;
};

static void
look(struct proof *proof, const struct buf *text)
{
    proof->rows += forget_names_find(proof->names, proof->whom->user, text);
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
    struct buf text = BUF_INIT;
    (void)why;
    buf_add(&text, move, move_len);
    buf_add_char(&text, '\n');
    buf_add(&text, lines, lines_len);
    look(context, &text);
    buf_wipe(&text);
    return ERR_NONE;
}

static enum err
look_at_game(void *context, const struct store_game *game, struct buf *why)
{
    struct proof *proof = context;
    struct buf unsaid = BUF_INIT;
    (void)why;
    /* One that can't be read may have them. */
    proof->rows += store_journal(proof->store, game->id, look_at_row, proof,
                                 &unsaid) != ERR_NONE;
    say_left(proof, "rows of the journal of game", game->id);
    buf_release(&unsaid);
    return ERR_NONE;
}

/* What is sealed, and for which name; journals and messages have theirs by
 * other ways.  Who is to be forgotten, and waits, is known by that. */
static const struct {
    const char *table, *name, *value;
} sealed[] = {
    {"game", "'game ' || id || ': its outline'", "outline"},
    {"deferred", "'deferred post ' || number", "body"},
    {"adapter_state", "service || ': the adapter state ' || key", "value"},
    {"post",
     "(SELECT service || ': how post ' || id || ' in ' || p.place ||"
     " ' was read' FROM post_place p WHERE p.number = post.place)",
     "verdict"},
};

/* Look at all rows of a table: its texts, or what is sealed for a name. */
static enum err
look_at_table(struct proof *proof, const char *table, const char *name,
              const char *value, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf sql = BUF_INIT;
    buf_addf(&sql, "SELECT %s, %s FROM %s", name, value, table);
    enum err err = db_query(proof->store->db, why, &rows, buf_text(&sql), "");
    while (db_next(proof->store->db, rows, &err, why)) {
        struct buf text = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        if (db_is_null(rows, 0)) {
            buf_add_text(&text, db_text(rows, 1));
        } else {
            (void)!store_unseal(proof->store, db_text(rows, 0), rows, 1, &text,
                                &unsaid);
        }
        look(proof, &text);
        buf_wipe(&text);
        buf_release(&unsaid);
    }
    buf_release(&sql);
    return err;
}

static enum err
look_at_messages(struct proof *proof, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(proof->store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS " FROM message", "");
    while (db_next(proof->store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf text = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        (void)!store_load_queued(proof->store, rows, &queued, &unsaid);
        const struct message *message = &queued.message;
        const char *const parts[] = {message->text, message->user,
                                     message->pings, message->post};
        for (unsigned i = 0; i < 4; i++) {
            buf_addf(&text, "%s\n", parts[i] == NULL ? "" : parts[i]);
        }
        look(proof, &text);
        message_release(&queued.message);
        buf_wipe(&text);
        buf_release(&unsaid);
    }
    return err;
}

/* The texts of all columns of each table that has any. */
#define ALL_TEXTS                                                              \
    "SELECT t.name, group_concat('coalesce(' || t.name || '.' || c.name ||"    \
    " ', '''')', ' || char(10) || ') FROM sqlite_schema t,"                    \
    " pragma_table_info(t.name) c WHERE t.type = 'table'"                      \
    " AND t.name NOT LIKE 'sqlite%' AND t.name NOT IN ('forgotten', 'made')"   \
    " AND c.type = 'TEXT' GROUP BY t.name"

enum err
forget_left(struct store *store, const struct forgetting *whom,
            const struct forget_names *names, struct buf *left, struct buf *why)
{
    struct proof proof = {store, whom, names, 0, left};
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows, ALL_TEXTS, "");
    while (db_next(store->db, rows, &err, why)) {
        const char *table = db_text(rows, 0);
        err = look_at_table(&proof, table, "NULL", db_text(rows, 1), why);
        for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
            if (err == ERR_NONE && strcmp(sealed[i].table, table) == 0) {
                err = look_at_table(&proof, table, sealed[i].name,
                                    sealed[i].value, why);
            }
        }
        if (err == ERR_NONE && strcmp(table, "message") == 0) {
            err = look_at_messages(&proof, why);
        }
        say_left(&proof, "rows of the table", table);
    }
    return err == ERR_NONE ? store_games(store, look_at_game, &proof, why)
                           : err;
}
