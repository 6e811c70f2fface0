#include "bot/store/store_copied.h"

#include <stdio.h>
#include <stdlib.h>

#include "bot/base/civil.h"

/* When it last read something; formats before 13 had no shared readings. */
static enum err
find_last_reading(struct db *db, int64_t *at, struct buf *why)
{
    bool shared = false;
    enum err err =
        db_row(db, why, &shared,
               "SELECT 1 FROM sqlite_schema WHERE name = 'reading'", "");
    return err != ERR_NONE
               ? err
               : db_row(db, why, NULL,
                        shared ? "SELECT max(read) FROM"
                                 " (SELECT read FROM feed UNION ALL"
                                 " SELECT read FROM reading UNION ALL SELECT 0)"
                               : "SELECT coalesce(max(read), 0) FROM feed",
                        ">i", at);
}

enum err
store_mark_copied(struct db *db, int64_t at, struct buf *why)
{
    struct buf text = BUF_INIT;
    enum err err = ERR_NONE;
    if (at == 0) {
        err = find_last_reading(db, &at, why);
    }
    buf_addf(&text, "%lld", (long long)at);
    /* A count of 0: a host does not forget it with what it has tried. */
    if (err == ERR_NONE && at != 0) {
        err = db_run(db, why,
                     "INSERT INTO attempt(what, at, count)"
                     " VALUES('copied', ?, 0) ON CONFLICT DO NOTHING",
                     "t", buf_text(&text));
    }
    buf_release(&text);
    return err;
}

enum err
store_copied_at(struct db *db, int64_t *at, struct buf *why)
{
    char text[24] = "";
    enum err err =
        db_row(db, why, NULL, "SELECT at FROM attempt WHERE what = 'copied'",
               ">s", text, sizeof text);
    *at = strtoll(text, NULL, 10);
    return err;
}
