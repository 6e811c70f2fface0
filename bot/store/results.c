#include "bot/store/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"

/* Who was called what at a table. */
struct named {
    char user[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
};

struct reading {
    struct result result;
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
    const char *end = lines + lines_len;
    while (err == ERR_NONE && lines < end) {
        const char *feed = memchr(lines, '\n', (size_t)(end - lines));
        size_t line =
            feed == NULL ? (size_t)(end - lines) : (size_t)(feed - lines) + 1;
        if (!result_read_line(&reading->result, lines, line)) {
            err = err_say(why, ERR_GARBLED, "game %s: its record can't be read",
                          reading->result.game);
        }
        lines += line;
    }
    return err;
}

/* ---- games --------------------------------------------------------------- */

static void
find_users(struct reading *reading)
{
    for (unsigned seat = 0; seat < reading->result.players; seat++) {
        struct result_seat *player = &reading->result.seats[seat];
        player->user[0] = '\0';
        for (size_t i = reading->named_count; i-- > 0;) {
            if (strcmp(reading->named[i].name, player->name) == 0) {
                (void)snprintf(player->user, sizeof player->user, "%s",
                               reading->named[i].user);
                break;
            }
        }
    }
}

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
    struct reading *reading = &search->reading;
    struct buf trouble = BUF_INIT;
    if (!game->over ||
        (search->place != NULL && strcmp(game->place, search->place) != 0)) {
        return ERR_NONE;
    }
    memset(&reading->result, 0, sizeof reading->result);
    reading->named_count = 0;
    enum err err =
        store_journal(search->store, game->id, read_row, reading, &trouble);
    if (err == ERR_NONE && reading->result.players > 0) {
        find_users(reading);
        (void)snprintf(reading->result.place, sizeof reading->result.place,
                       "%s", game->place);
        err = search->each(search->context, &reading->result, why);
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
    free(search.reading.named);
    return err;
}
