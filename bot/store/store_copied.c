#include "bot/store/store_copied.h"

enum {
    FIRST_NOTES = 15 /* the first format with notes */
};

enum err
store_mark_copied(struct db *db, int format, int64_t at, struct buf *why)
{
    enum err err = ERR_NONE;
    if (at == 0) { /* when it last read something */
        err = db_row(db, why, NULL,
                     "SELECT max(read) FROM (SELECT read FROM feed"
                     " UNION ALL SELECT read FROM reading UNION ALL SELECT 0)",
                     ">i", &at);
    }
    return err != ERR_NONE || at == 0
               ? err
               : db_run(db, why,
                        format < FIRST_NOTES
                            ? "INSERT INTO attempt(what, at, count)"
                              " VALUES('copied', ?, 0) ON CONFLICT DO NOTHING"
                            : "INSERT INTO note(kind, about, text)"
                              " VALUES('copied', '', ?) ON CONFLICT DO NOTHING",
                        "i", at);
}

enum err
store_copied_at(struct db *db, int format, int64_t *at, struct buf *why)
{
    *at = 0;
    return db_row(db, why, NULL,
                  format < FIRST_NOTES
                      ? "SELECT at FROM attempt WHERE what = 'copied'"
                      : "SELECT text FROM note WHERE kind = 'copied'",
                  ">i", at);
}
