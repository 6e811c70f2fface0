#include "bot/store/store_copied.h"

enum {
    FIRST_NOTES = 15 /* the first format with notes */
};

void
store_mark_copied(struct db *db, int format, int64_t at)
{
    if (at == 0) { /* when it last read something */
        (void)db_row(db,
                     "SELECT max(read) FROM (SELECT read FROM feed"
                     " UNION ALL SELECT read FROM reading UNION ALL SELECT 0)",
                     ">i", &at);
    }
    if (at != 0) {
        db_run(db,
               format < FIRST_NOTES
                   ? "INSERT INTO attempt(what, at, count)"
                     " VALUES('copied', ?, 0) ON CONFLICT DO NOTHING"
                   : "INSERT INTO note(kind, about, text)"
                     " VALUES('copied', '', ?) ON CONFLICT DO NOTHING",
               "i", at);
    }
}

int64_t
store_copied_at(struct db *db, int format)
{
    int64_t at = 0;
    (void)db_row(db,
                 format < FIRST_NOTES
                     ? "SELECT at FROM attempt WHERE what = 'copied'"
                     : "SELECT text FROM note WHERE kind = 'copied'",
                 ">i", &at);
    return at;
}
