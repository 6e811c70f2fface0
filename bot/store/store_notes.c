#include "bot/store/store_inner.h"

void
store_note(struct store *store, const char *kind, const char *about, int64_t at,
           const char *text)
{
    bool none = text == NULL && at == 0;
    db_run(store->db,
           none ? "DELETE FROM note WHERE kind = ? AND about = ?"
                : "INSERT OR REPLACE INTO note(kind, about, text)"
                  " VALUES(?, ?, coalesce(?, ?))",
           none ? "tt" : "ttti", kind, about, text, at);
}

enum err
store_note_site(const char *path, const char *folder, struct buf *why)
{
    return store_run_beside(path,
                            "INSERT OR REPLACE INTO note(kind, about, text)"
                            " VALUES('site', ?2, '')",
                            0, folder, why);
}

void
store_noted(struct store *store, const char *kind, const char *about,
            struct buf *text)
{
    (void)db_row(store->db,
                 "SELECT text FROM note WHERE kind = ? AND about = ?", "tt>t",
                 kind, about, text);
}

void
store_note_caught_up(struct store *store)
{
    store->copied = 0;
    store_note(store, "copied", "", 0, NULL);
}
