#include "bot/store/results.h"

#include <stdio.h>
#include <string.h>

#include "bot/store/store_inner.h"

/* Read lines of a record, and keep those that tell something.  ERR_GARBLED: one
 * is none. */
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
        if (result_is_told_by(line, len)) {
            buf_add(telling, line, len);
        }
        line += len;
    }
    return ERR_NONE;
}

enum err
store_save_result(struct store *store, const char *game,
                  const struct table *table, struct buf *why)
{
    struct result result;
    struct buf record = BUF_INIT;
    struct buf users = BUF_INIT;
    struct buf lines = BUF_INIT;
    enum err err = store_record(store, game, &record, why);
    if (err == ERR_NONE) {
        err = read_lines(&record, &result, &lines, why);
    }
    for (unsigned seat = 0;
         err == ERR_NONE && table != NULL && seat < result.players; seat++) {
        buf_addf(&users, "%s\n", table->seats[seat].user);
    }
    if (err == ERR_NONE && result.ending != ENDING_NONE) {
        err = db_run(store->db, why,
                     "INSERT OR REPLACE INTO result(game, users, lines)"
                     " VALUES(?, ?, ?)",
                     "ttt", game, buf_text(&users), buf_text(&lines));
    }
    buf_release(&record);
    buf_release(&users);
    buf_release(&lines);
    return err;
}

/* Read the result of a game that was saved; *found: it was.  One that can't be
 * read is as good as none. */
static enum err
read_result(struct store *store, const char *game, struct result *result,
            bool *found, struct buf *why)
{
    struct buf users = BUF_INIT;
    struct buf lines = BUF_INIT;
    struct buf again = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    enum err err = db_row(store->db, why, found,
                          "SELECT users, lines FROM result WHERE game = ?"
                          " AND sum = checksum(game, users, lines)",
                          "t>tt", game, &users, &lines);
    *found = err == ERR_NONE && *found &&
             read_lines(&lines, result, &again, &unsaid) == ERR_NONE;
    const char *user = buf_text(&users);
    for (unsigned seat = 0; *found && seat < result->players; seat++) {
        int len = (int)strcspn(user, "\n");
        (void)snprintf(result->seats[seat].user,
                       sizeof result->seats[seat].user, "%.*s", len, user);
        user += user[len] == '\0' ? len : len + 1;
    }
    buf_release(&users);
    buf_release(&lines);
    buf_release(&again);
    buf_release(&unsaid);
    return err;
}

/* ---- games --------------------------------------------------------------- */

struct search {
    struct store *store;
    const char *place;
    store_result_reader *each;
    void *context;
};

static enum err
read_game(void *context, const struct store_game *game, struct buf *why)
{
    const struct search *search = context;
    struct result result;
    bool saved = false;
    if (!game->over ||
        (search->place != NULL && strcmp(game->place, search->place) != 0)) {
        return ERR_NONE;
    }
    enum err err = read_result(search->store, game->id, &result, &saved, why);
    if (err != ERR_NONE || !saved || result.players == 0) {
        return err;
    }
    (void)snprintf(result.place, sizeof result.place, "%s", game->place);
    return search->each(search->context, &result, why);
}

enum err
store_results(struct store *store, const char *place, store_result_reader *each,
              void *context, struct buf *why)
{
    struct search search = {store, place, each, context};
    return store_games(store, read_game, &search, why);
}
