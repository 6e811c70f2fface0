#include "bot/store/results.h"

#include <stdio.h>
#include <string.h>

#include "bot/store/store_inner.h"

/* Read lines of a record, and append those that tell something.  ERR_GARBLED:
 * one is none. */
static enum err
read_lines(const struct buf *lines, struct result *result, struct buf *telling,
           struct buf *why)
{
    const char *line = buf_text(lines);
    const char *end = line + lines->len;
    memset(result, 0, sizeof *result);
    while (line < end) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((feed == NULL ? end : feed + 1) - line);
        if (!result_read_line(result, line, len)) {
            return err_say(why, ERR_GARBLED,
                           "game %s: its record can't be read", result->game);
        }
        if (telling != NULL && result_is_told_by(line, len)) {
            buf_add(telling, line, len);
        }
        line += len;
    }
    return ERR_NONE;
}

void
store_save_result(struct store *store, const char *game,
                  const struct table *table)
{
    struct result result;
    struct buf record = BUF_INIT;
    struct buf users = BUF_INIT;
    struct buf lines = BUF_INIT;
    struct buf trouble = BUF_INIT;
    enum err err = store_record(store, game, &record, &trouble);
    ERR_THEN(err, read_lines(&record, &result, &lines, &trouble));
    for (unsigned seat = 0;
         err == ERR_NONE && table != NULL && seat < result.players; seat++) {
        buf_addf(&users, "%s\n", table->seats[seat].user);
    }
    if (err == ERR_NONE && result.ending != ENDING_NONE) {
        db_run(store->db,
               "INSERT OR REPLACE INTO result(game, users, lines)"
               " VALUES(?, ?, ?)",
               "ttt", game, buf_text(&users), buf_text(&lines));
    }
    buf_release(&record);
    buf_release(&users);
    buf_release(&lines);
    store_pass_over(store, err, &trouble);
}

/* The result that the current row has; false: it can't be read, which is as
 * good as none. */
static bool
read_result(sqlite3_stmt *rows, struct result *result)
{
    struct buf users = BUF_INIT;
    struct buf lines = BUF_INIT;
    db_read(rows, "tt", &users, &lines);
    bool read = read_lines(&lines, result, NULL, NULL) == ERR_NONE;
    const char *user = buf_text(&users);
    for (unsigned seat = 0; read && seat < result->players; seat++) {
        int len = (int)strcspn(user, "\n");
        (void)snprintf(result->seats[seat].user,
                       sizeof result->seats[seat].user, "%.*s", len, user);
        user += user[len] == '\0' ? len : len + 1;
    }
    buf_release(&users);
    buf_release(&lines);
    return read;
}

enum err
store_results(struct store *store, const char *place, store_result_reader *each,
              void *context, struct buf *why)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT users, lines, place FROM game JOIN result"
                 " ON game.id = result.game WHERE over = 1"
                 " AND place = coalesce(?, place)"
                 " AND result.sum = checksum(game, users, lines)"
                 " ORDER BY number",
                 "t", place);
    enum err err = ERR_NONE;
    while (err == ERR_NONE && db_next(store->db, rows)) {
        struct result result;
        if (read_result(rows, &result) && result.players > 0) {
            (void)snprintf(result.place, sizeof result.place, "%s",
                           db_text(rows, 2));
            err = each(context, &result, why);
        }
    }
    return db_end(store->db, rows, err, why);
}
