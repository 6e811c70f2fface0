#include "bot/store/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"

/* Who was called what at a table. */
struct named {
    char user[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
};

struct reading {
    struct result result;
    struct buf lines;    /* those that tell it */
    struct named *named; /* later ones count before earlier ones */
    size_t named_count, named_room;
};

/* ---- rows ---------------------------------------------------------------- */

/* The moves that give somebody a name, as all of them are written. */
static const char *const naming[] = {
    "{\"move\":\"join\"",
    "{\"move\":\"reserve\"",
    "{\"move\":\"alias\"",
    "{\"move\":\"replace\"",
};
enum {
    NAMING = sizeof naming / sizeof naming[0]
};

static bool
is_naming(const char *move, size_t len)
{
    for (unsigned i = 0; i < NAMING; i++) {
        size_t prefix = strlen(naming[i]);
        if (len > prefix && memcmp(move, naming[i], prefix) == 0) {
            return true;
        }
    }
    return false;
}

static void
note_name(struct reading *reading, const struct move *move)
{
    bool other = move->kind == MOVE_ALIAS && move->number != 1;
    if (other || move->name[0] == '\0') {
        return; /* it is read as their name, and shown nowhere */
    }
    if (reading->named_count == reading->named_room) {
        reading->named_room = 2 * reading->named_room + PLAYERS_MAX;
        reading->named = must_grow(reading->named, reading->named_room *
                                                       sizeof *reading->named);
    }
    struct named *named = &reading->named[reading->named_count++];
    (void)snprintf(named->user, sizeof named->user, "%s", move->user);
    (void)snprintf(named->name, sizeof named->name, "%s", move->name);
}

/* Read lines of a record, and keep those that tell something. */
static enum err
read_lines(struct reading *reading, const char *lines, size_t len,
           struct buf *why)
{
    const char *end = lines + len;
    while (lines < end) {
        struct result before = reading->result;
        const char *feed = memchr(lines, '\n', (size_t)(end - lines));
        size_t line =
            feed == NULL ? (size_t)(end - lines) : (size_t)(feed - lines) + 1;
        if (!result_read_line(&reading->result, lines, line)) {
            return err_say(why, ERR_GARBLED,
                           "game %s: its record can't be read",
                           reading->result.game);
        }
        if (memcmp(&before, &reading->result, sizeof before) != 0) {
            buf_add(&reading->lines, lines, line);
        }
        lines += line;
    }
    return ERR_NONE;
}

static enum err
read_row(void *context, const char *text, size_t len, const char *lines,
         size_t lines_len, struct buf *why)
{
    struct reading *reading = context;
    struct move move;
    enum err err = ERR_NONE;
    if (is_naming(text, len)) {
        err = move_read(text, len, &move, why);
        if (err == ERR_NONE) {
            note_name(reading, &move);
        }
    }
    return err == ERR_NONE ? read_lines(reading, lines, lines_len, why) : err;
}

static void
find_users(struct reading *reading)
{
    for (unsigned seat = 0; seat < reading->result.players; seat++) {
        struct result_seat *player = &reading->result.seats[seat];
        for (size_t i = reading->named_count; i-- > 0;) {
            if (strcmp(reading->named[i].name, player->name) == 0) {
                (void)snprintf(player->user, sizeof player->user, "%s",
                               reading->named[i].user);
                break;
            }
        }
    }
}

static void
forget_reading(struct reading *reading)
{
    memset(&reading->result, 0, sizeof reading->result);
    buf_clear(&reading->lines);
    reading->named_count = 0;
}

/* Read the result of a game in its journal.  ERR_GARBLED: that is damaged. */
static enum err
read_result(struct store *store, const char *game, struct reading *reading,
            struct buf *why)
{
    forget_reading(reading);
    enum err err = store_journal(store, game, read_row, reading, why);
    if (err == ERR_NONE) {
        find_users(reading);
    }
    return err;
}

static void
release(struct reading *reading)
{
    buf_release(&reading->lines);
    free(reading->named);
}

/* ---- as they are saved --------------------------------------------------- */

/* Read the result of a game that was saved; *found: it was.  One that can't be
 * read is as good as none. */
static enum err
saved_result(struct store *store, const char *game, struct reading *reading,
             bool *found, struct buf *why)
{
    struct result *result = &reading->result;
    struct buf users = BUF_INIT;
    struct buf lines = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    forget_reading(reading);
    enum err err = db_row(store->db, why, found,
                          "SELECT users, lines FROM result WHERE game = ?"
                          " AND sum = checksum(game, users, lines)",
                          "t>tt", game, &users, &lines);
    *found =
        err == ERR_NONE && *found &&
        read_lines(reading, buf_text(&lines), lines.len, &unsaid) == ERR_NONE;
    const char *user = buf_text(&users);
    for (unsigned seat = 0; seat < result->players; seat++) {
        int len = (int)strcspn(user, "\n");
        (void)snprintf(result->seats[seat].user,
                       sizeof result->seats[seat].user, "%.*s", len, user);
        user += user[len] == '\0' ? len : len + 1;
    }
    buf_release(&users);
    buf_release(&lines);
    buf_release(&unsaid);
    return err;
}

static enum err
save_result(struct store *store, const char *game,
            const struct reading *reading, struct buf *why)
{
    struct buf users = BUF_INIT;
    for (unsigned seat = 0; seat < reading->result.players; seat++) {
        buf_addf(&users, "%s\n", reading->result.seats[seat].user);
    }
    enum err err =
        db_run(store->db, why,
               "INSERT OR REPLACE INTO result(game, users, lines)"
               " VALUES(?, ?, ?)",
               "ttt", game, buf_text(&users), buf_text(&reading->lines));
    buf_release(&users);
    return err;
}

enum err
store_save_result(struct store *store, const char *game, struct buf *why)
{
    struct reading reading = {.named = NULL};
    struct buf unsaid = BUF_INIT;
    enum err err = read_result(store, game, &reading, &unsaid);
    if (err == ERR_NONE && reading.result.ending != ENDING_NONE) {
        err = save_result(store, game, &reading, why);
    } else if (err == ERR_GARBLED || err == ERR_DENIED) {
        err = ERR_NONE; /* who reads the results will say so */
    } else {
        buf_add_buf(why, &unsaid);
    }
    buf_release(&unsaid);
    release(&reading);
    return err;
}

/* ---- games --------------------------------------------------------------- */

struct search {
    struct store *store;
    const char *place;
    store_result_reader *each;
    void *context;
    struct reading reading;
};

static enum err
read_game(void *context, const struct store_game *game, struct buf *why)
{
    struct search *search = context;
    struct result *result = &search->reading.result;
    struct buf trouble = BUF_INIT;
    bool saved = false;
    if (!game->over ||
        (search->place != NULL && strcmp(game->place, search->place) != 0)) {
        return ERR_NONE;
    }
    enum err err = saved_result(search->store, game->id, &search->reading,
                                &saved, &trouble);
    if (err == ERR_NONE && !saved) {
        err = read_result(search->store, game->id, &search->reading, &trouble);
    }
    if (err == ERR_NONE && result->players > 0) {
        (void)snprintf(result->place, sizeof result->place, "%s", game->place);
        err = search->each(search->context, result, why);
    } else if (err == ERR_GARBLED) {
        log_line(LOG_LEVEL_WARNING, "it is left out: %s", buf_text(&trouble));
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

enum err
store_results(struct store *store, const char *place, store_result_reader *each,
              void *context, struct buf *why)
{
    struct search search = {
        .store = store, .place = place, .each = each, .context = context};
    enum err err = store_games(store, read_game, &search, why);
    release(&search.reading);
    return err;
}
