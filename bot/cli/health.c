#include "bot/cli/health.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/base/version.h"
#include "bot/cli/undelivered.h"
#include "bot/record/record.h"
#include "bot/store/backup.h"

const char *const health_states[HEALTH_STATES] = {"signup", "running", "held",
                                                  "over"};

static enum health_state
state_of(const struct store_game *game, enum table_state state)
{
    return game->over || state == TABLE_OVER ? HEALTH_OVER
           : game->held                      ? HEALTH_HELD
           : state == TABLE_RUNNING          ? HEALTH_RUNNING
                                             : HEALTH_SIGNUP;
}

static enum err
count_game(void *context, const struct store_game *game, struct buf *why)
{
    struct health *health = context;
    (void)why;
    health->games[state_of(game,
                           game->round > 0 ? TABLE_RUNNING : TABLE_SIGNUP)]++;
    return ERR_NONE;
}

static enum err
count_message(void *context, const struct store_message *message,
              struct buf *why)
{
    struct health *health = context;
    (void)why;
    health->undelivered += (unsigned)message->count;
    if (health->undelivered_since == 0 ||
        message->written < health->undelivered_since) {
        health->undelivered_since = message->written;
    }
    return ERR_NONE;
}

/* Unless it was looked at. */
static void
look_at_service(struct health *health, const char *name)
{
    struct store *store = health->archive->store;
    struct health_service *service = health->services;
    struct buf refused = BUF_INIT;
    struct buf noted = BUF_INIT;
    char *rest = NULL;
    for (; service < health->services + health->service_count; service++) {
        if (strcmp(service->name, name) == 0) {
            return;
        }
    }
    health->service_count++;
    store_noted(store, "operations", name, &noted);
    service->name = name;
    service->failed = strtoll(buf_text(&noted), &rest, 10);
    service->left = noted.len > 0 ? strtoll(rest, NULL, 10) : -1;
    if (health->running) {
        store_noted(store, "refused", name, &refused);
    }
    service->refused = refused.len > 0;
    if (service->refused) {
        buf_add_text(&health->refused, health->refused.len > 0 ? "; " : "");
        buf_add_buf(&health->refused, &refused);
    }
    buf_release(&refused);
    buf_release(&noted);
}

static enum err
look_at_places(struct health *health, struct buf *why)
{
    const struct conf *conf = &health->archive->conf;
    struct store *store = health->archive->store;
    size_t most = (size_t)conf->place_count + 1;
    health->places = must_alloc(most * sizeof *health->places);
    health->services = must_alloc(most * sizeof *health->services);
    for (unsigned i = 0; i < conf->place_count; i++) {
        struct health_place *place = &health->places[health->place_count++];
        int64_t read = 0;
        int64_t through = 0;
        struct buf noted = BUF_INIT;
        place->name = conf->places[i].name;
        place->service = conf->places[i].service;
        store_last_reading(store, place->service, &read, &through);
        place->behind_by = read != 0 && through != 0 ? read - through : 0;
        store_noted(store, "polled", place->name, &noted);
        place->polled = strtoll(buf_text(&noted), NULL, 10);
        look_at_service(health, place->service);
        buf_release(&noted);
    }
    return store_err(store, why);
}

/* What can be seen without opening the store. */
static enum err
look_at_files(struct health *health, struct buf *why)
{
    const char *store = health->archive->conf.store;
    struct buf name = BUF_INIT;
    buf_addf(&name, "%s.damaged", store);
    health->damaged = file_exists(buf_text(&name));
    health->store_bytes = file_size(store);
    health->free_bytes = file_disk_left(store);
    buf_clear(&name);
    buf_addf(&name, "%s.lock", store);
    enum err err =
        file_locked(buf_text(&name), &health->running, &health->process, why);
    ERR_THEN(err,
             backup_last(store, &health->backup, &health->backup_file, why));
    buf_release(&name);
    return err;
}

static enum err
look_at_store(struct health *health, struct buf *why)
{
    enum err err = archive_open_store(health->archive, why);
    ERR_THEN(err, look_at_places(health, why));
    ERR_THEN(err, store_games(health->archive->store, count_game, health, why));
    ERR_THEN(err, undelivered_each(health->archive->store, health->now,
                                   count_message, health, why));
    return err;
}

int
health_fail(enum err err, const struct buf *why)
{
    int code = command_fail(why);
    return err == ERR_LATER || err == ERR_DENIED ? EXIT_UNKNOWN : code;
}

int
health_look(const char *file, int64_t now, struct health *health)
{
    struct buf why = BUF_INIT;
    memset(health, 0, sizeof *health);
    health->now = now;
    health->archive = must_alloc(sizeof *health->archive);
    int code = options_conf(file, &health->archive->conf);
    if (code != EXIT_DONE) {
        health_release(health);
        return code;
    }
    enum err err = look_at_files(health, &why);
    ERR_THEN(err, look_at_store(health, &why));
    if (err == ERR_DENIED) {
        buf_add_text(&why, "; or ask as the user who hosts");
    } else if (err == ERR_LATER && health->running) {
        buf_addf(&why, "; a host runs, process %ld", health->process);
    }
    if (err != ERR_NONE) {
        code = health_fail(err, &why);
        health_release(health);
    }
    buf_release(&why);
    return code;
}

void
health_release(struct health *health)
{
    free(health->places);
    free(health->services);
    buf_release(&health->refused);
    buf_release(&health->backup_file);
    archive_close(health->archive);
    memset(health, 0, sizeof *health);
}

/* ---- as JSON ------------------------------------------------------------- */

void
health_add_json(const struct health *health, struct buf *out)
{
    jtext_add_text(out, "version", placard_version);
    jtext_add_text(out, "store", health->archive->conf.store);
    jtext_add_bool(out, "running", health->running);
    jtext_add_bool(out, "damaged", health->damaged);
    if (health->refused.len > 0) {
        jtext_add_text(out, "refused", buf_text(&health->refused));
    }
    jtext_begin_list(out, "places");
    for (unsigned i = 0; i < health->place_count; i++) {
        const struct health_place *place = &health->places[i];
        jtext_begin_item(out);
        jtext_add_text(out, "name", place->name);
        jtext_add_text(out, "service", place->service);
        jtext_add_instant(out, "read", place->polled);
        jtext_add_number(out, "clock_behind_ms", place->behind_by);
        buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
    jtext_begin_list(out, "services");
    for (unsigned i = 0; i < health->service_count; i++) {
        const struct health_service *service = &health->services[i];
        jtext_begin_item(out);
        jtext_add_text(out, "name", service->name);
        jtext_add_bool(out, "account_refused", service->refused);
        jtext_add_number(out, "failed_operations", service->failed);
        jtext_add_number(out, "requests_left", service->left);
        buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
    jtext_begin_object(out, "games");
    for (unsigned i = 0; i < HEALTH_STATES; i++) {
        jtext_add_number(out, health_states[i], health->games[i]);
    }
    buf_add_char(out, '}');
    jtext_add_number(out, "undelivered_messages", health->undelivered);
    jtext_add_instant(out, "undelivered_since", health->undelivered_since);
    jtext_add_number(out, "store_bytes", health->store_bytes);
    jtext_add_number(out, "free_bytes", health->free_bytes);
    jtext_add_instant(out, "backup", health->backup);
}

/* ---- in words ------------------------------------------------------------ */

bool
health_is_unread(const struct health *health, const struct health_place *place)
{
    return place->polled == 0 ||
           health->now - place->polled > HEALTH_READ_WITHIN;
}

void
health_add_poll(const struct health *health, const struct health_place *place,
                struct buf *out)
{
    if (place->polled == 0) {
        buf_add_text(out, "never read");
        return;
    }
    buf_add_text(out, "last read ");
    health_add_time(health->now - place->polled, out);
    buf_add_text(out, " ago");
}

void
health_add_time(int64_t time, struct buf *out)
{
    static const struct {
        int64_t length;
        const char *name;
    } units[] = {{DAY_MS, "day"},
                 {HOUR_MS, "hour"},
                 {MINUTE_MS, "minute"},
                 {SECOND_MS, "second"}};
    unsigned i = 0;
    time = time < 0 ? 0 : time;
    while (i + 1 < sizeof units / sizeof units[0] &&
           time < 2 * units[i].length) {
        i++;
    }
    int64_t count = time / units[i].length;
    buf_addf(out, "%lld %s%s", (long long)count, units[i].name,
             count == 1 ? "" : "s");
}

/* ---- games --------------------------------------------------------------- */

enum err
health_game(struct archive *archive, const struct store_game *row,
            archive_sayer *say, struct health_game *game, struct buf *why)
{
    *game = (struct health_game){.row = row,
                                 .state = row->over ? HEALTH_OVER : HEALTH_HELD,
                                 .round = row->round,
                                 .ending = row->ending};
    if (row->over && row->ending >= 0) {
        return ERR_NONE;
    }
    struct table table;
    table_init(&table);
    enum err err = archive_table(archive, row->id, &table, why);
    if (err == ERR_NONE) {
        game->state = state_of(row, table.state);
        game->round = table.game.round;
        game->ending = (int)table.game.ending;
        game->deadline = table.state == TABLE_RUNNING && !table.paused
                             ? table_told(&table)
                             : 0;
    }
    if (err == ERR_NONE && say != NULL && game->state != HEALTH_OVER) {
        err = archive_say(archive, &table, say, &game->line, why);
    }
    table_release(&table);
    return err;
}

void
health_add_game(const struct health_game *game, struct buf *out)
{
    jtext_begin_item(out);
    jtext_add_text(out, "table", game->row->id);
    jtext_add_text(out, "place", game->row->place);
    jtext_add_text(out, "state", health_states[game->state]);
    jtext_add_bool(out, "held", game->state == HEALTH_HELD);
    jtext_add_number(out, "round", game->round);
    jtext_add_instant(out, "deadline", game->deadline);
    if (game->state == HEALTH_OVER && game->ending > ENDING_NONE) {
        jtext_add_text(out, "ending",
                       record_ending_name((enum ending)game->ending));
    }
    buf_add_char(out, '}');
}
