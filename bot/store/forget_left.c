/* What is left of somebody in a store, and in the pages that were written of
 * it: the proof that they are forgotten. */
#include <glob.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/base/pack.h"
#include "bot/store/forget.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"

struct proof {
    const struct forget *forget;
    const struct buf *names;
    struct buf *left;
};

static void
say_left(struct proof *proof, const char *what, const char *of, unsigned count)
{
    if (count > 0) {
        buf_addf(proof->left, "%s%s %s: %u", proof->left->len > 0 ? "; " : "",
                 what, of, count);
    }
}

static bool
is_named(const struct proof *proof, const struct buf *text)
{
    return forget_names_find(proof->names, proof->forget->user, buf_text(text),
                             text->len);
}

/* Does a value have them, plain, sealed, or packed and sealed?  One that can't
 * be opened may. */
static bool
has_them(const struct proof *proof, sqlite3_stmt *rows, int column, bool plain)
{
    const struct seal *seal = proof->forget->store->seal;
    struct buf value = BUF_INIT;
    struct buf whole = BUF_INIT;
    size_t len = 0;
    const void *bytes = db_blob(rows, column, &len);
    buf_add(&value, bytes, plain ? len : 0);
    bool opened = plain || len == 0 ||
                  (seal != NULL && seal_look(seal, bytes, len, &value));
    bool packed =
        !plain && pack_take(buf_text(&value), value.len, PACKED_MAX, &whole);
    bool found = !opened || is_named(proof, packed ? &whole : &value);
    buf_wipe(&value);
    buf_wipe(&whole);
    return found;
}

/* Each table with its columns, those that are plain first; how many, and how
 * many of them plain.  Ids of posts and games are nobody's. */
static const char all_tables[] =
    "SELECT t, count(*), sum(plain), group_concat(c) FROM (SELECT t.name AS t,"
    " c.name AS c, c.type = 'TEXT' AS plain FROM sqlite_schema t,"
    " pragma_table_info(t.name) c WHERE t.type = 'table'"
    " AND t.name NOT LIKE 'sqlite%' AND c.type <> 'INTEGER'"
    " AND c.name NOT IN ('id', 'game', 'thread', 'sent', 'reply_to')"
    " ORDER BY t.name, plain DESC) GROUP BY t";

static void
look_at_table(struct proof *proof, sqlite3_stmt *table)
{
    struct db *db = proof->forget->store->db;
    struct buf sql = BUF_INIT;
    unsigned count = 0;
    buf_addf(&sql, "SELECT %s FROM %s", db_text(table, 3), db_text(table, 0));
    sqlite3_stmt *rows = db_query(db, buf_text(&sql), "");
    while (db_next(db, rows)) {
        int column = 0;
        while (column < db_int(table, 1) &&
               !has_them(proof, rows, column, column < db_int(table, 2))) {
            column++;
        }
        count += column < db_int(table, 1);
    }
    say_left(proof, "rows of the table", db_text(table, 0), count);
    buf_release(&sql);
}

/* Put back the signs that a page escapes (bot/report/page.c). */
static void
unescape(const struct buf *html, struct buf *text)
{
    static const char *const escapes[] = {"&amp;&", "&lt;<", "&gt;>",
                                          "&quot;\"", "&#39;'"};
    for (size_t at = 0; at < html->len; at++) {
        char sign = html->data[at];
        for (size_t i = 0; html->data[at] == '&' && i < 5; i++) {
            size_t len = strlen(escapes[i]) - 1;
            if (len <= html->len - at &&
                memcmp(html->data + at, escapes[i], len) == 0) {
                sign = escapes[i][len];
                at += len - 1;
            }
        }
        buf_add_char(text, sign);
    }
}

static void
look_at_site(struct proof *proof, const char *folder)
{
    struct buf pattern = BUF_INIT;
    glob_t pages = {.gl_pathc = 0};
    unsigned count = 0;
    buf_addf(&pattern, "%s/*.html", folder);
    int none = glob(buf_text(&pattern), 0, NULL, &pages);
    for (size_t i = 0; none == 0 && i < pages.gl_pathc; i++) {
        struct buf html = BUF_INIT;
        struct buf text = BUF_INIT;
        if (file_read(pages.gl_pathv[i], &html, NULL) == ERR_NONE) {
            unescape(&html, &text);
            count += is_named(proof, &text);
        }
        buf_release(&html);
        buf_release(&text);
    }
    globfree(&pages);
    buf_release(&pattern);
    say_left(proof, "pages in", folder, count);
}

enum err
forget_left(const struct forget *forget, const struct buf *names,
            struct buf *left, struct buf *why)
{
    struct db *db = forget->store->db;
    struct proof proof = {forget, names, left};
    sqlite3_stmt *rows = db_query(db, all_tables, "");
    while (db_next(db, rows)) {
        look_at_table(&proof, rows);
    }
    rows = db_query(db, "SELECT about FROM note WHERE kind = 'site'", "");
    while (db_next(db, rows)) {
        look_at_site(&proof, db_text(rows, 0));
    }
    return db_err(db, why);
}
