#include "bot/store/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/base/log.h"
#include "bot/store/store_inner.h"

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
    bool other = move->kind == MOVE_ALIAS && !move->replaces_held;
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

/* Read the result of a game in its journal.  ERR_GARBLED: that is damaged. */
static enum err
read_result(struct store *store, const char *game, struct reading *reading,
            struct buf *why)
{
    memset(&reading->result, 0, sizeof reading->result);
    reading->named_count = 0;
    enum err err = store_journal(store, game, read_row, reading, why);
    if (err == ERR_NONE) {
        find_users(reading);
    }
    return err;
}

/* ---- as they are saved --------------------------------------------------- */

static void
write_result(const struct result *result, struct buf *out)
{
    buf_addf(out, "{\"game\":");
    jtext_string(out, result->game);
    buf_addf(out,
             ",\"began\":%" PRId64 ",\"ended\":%" PRId64
             ",\"rounds\":%u,\"ending\":\"%s\",\"seats\":[",
             result->began, result->ended, result->rounds,
             record_ending_name(result->ending));
    for (unsigned seat = 0; seat < result->players; seat++) {
        const struct result_seat *player = &result->seats[seat];
        buf_addf(out, "%s{\"role\":\"%s\",\"name\":", seat == 0 ? "" : ",",
                 record_role_name(player->role));
        jtext_string(out, player->name);
        jtext_add_text(out, "user", player->user);
        buf_add_text(out, "}");
    }
    buf_add_text(out, "]}");
}

static bool
take_text(json_object *object, const char *key, char *text, size_t size)
{
    const char *value = jdoc_string(object, key);
    return value != NULL && (size_t)snprintf(text, size, "%s", value) < size;
}

static bool
take_seat(json_object *object, struct result_seat *player)
{
    const char *role = jdoc_string(object, "role");
    for (int i = 0; role != NULL && i < RESULT_ROLES; i++) {
        if (strcmp(role, record_role_name((enum role)i)) == 0) {
            player->role = (enum role)i;
            return take_text(object, "name", player->name,
                             sizeof player->name) &&
                   take_text(object, "user", player->user, sizeof player->user);
        }
    }
    return false;
}

static bool
take_ending(json_object *object, struct result *result)
{
    const char *word = jdoc_string(object, "ending");
    for (int i = ENDING_NONE + 1; word != NULL && i <= ENDING_ABANDONED; i++) {
        if (strcmp(word, record_ending_name((enum ending)i)) == 0) {
            result->ending = (enum ending)i;
            return true;
        }
    }
    return false;
}

/* Into a zeroed one; false: it is none. */
static bool
take_result(json_object *object, struct result *result)
{
    json_object *seats = jdoc_get(object, "seats");
    int64_t rounds = 0;
    bool good = take_text(object, "game", result->game, sizeof result->game) &&
                jdoc_integer(object, "began", &result->began) &&
                jdoc_integer(object, "ended", &result->ended) &&
                jdoc_integer(object, "rounds", &rounds) &&
                take_ending(object, result) &&
                json_object_is_type(seats, json_type_array) &&
                json_object_array_length(seats) <= PLAYERS_MAX;
    result->rounds = (unsigned)rounds;
    for (size_t i = 0; good && i < json_object_array_length(seats); i++) {
        good = take_seat(json_object_array_get_idx(seats, i),
                         &result->seats[result->players++]);
    }
    return good;
}

/* Read the result of a game that was saved, into a zeroed one; *found: it was.
 * One that can't be read is as good as none. */
static enum err
saved_result(struct store *store, const char *game, struct result *result,
             bool *found, struct buf *why)
{
    struct buf text = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    json_object *object = NULL;
    enum err err = db_row(store->db, why, found,
                          "SELECT text FROM result WHERE game = ?"
                          " AND sum = checksum(game, text)",
                          "t>t", game, &text);
    *found = err == ERR_NONE && *found &&
             jdoc_parse(buf_text(&text), text.len, true, &object, &unsaid) ==
                 ERR_NONE &&
             take_result(object, result);
    json_object_put(object);
    buf_release(&text);
    buf_release(&unsaid);
    return err;
}

static enum err
save_result(struct store *store, const struct result *result, struct buf *why)
{
    struct buf text = BUF_INIT;
    write_result(result, &text);
    enum err err = db_run(store->db, why,
                          "INSERT OR REPLACE INTO result(game, text)"
                          " VALUES(?, ?)",
                          "tt", result->game, buf_text(&text));
    buf_release(&text);
    return err;
}

enum err
store_save_result(struct store *store, const char *game, struct buf *why)
{
    struct reading reading = {.named = NULL};
    struct buf unsaid = BUF_INIT;
    enum err err = read_result(store, game, &reading, &unsaid);
    if (err == ERR_NONE && reading.result.ending != ENDING_NONE) {
        err = save_result(store, &reading.result, why);
    } else if (err == ERR_GARBLED || err == ERR_DENIED) {
        err = ERR_NONE; /* who reads the results will say so */
    } else {
        buf_add_buf(why, &unsaid);
    }
    buf_release(&unsaid);
    free(reading.named);
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
    memset(result, 0, sizeof *result);
    enum err err =
        saved_result(search->store, game->id, result, &saved, &trouble);
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
    free(search.reading.named);
    return err;
}
