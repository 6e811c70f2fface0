#include "bot/cli/health.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/cli/undelivered.h"
#include "bot/store/backup.h"

static enum err
count_game(void *context, const struct store_game *game, struct buf *why)
{
    struct health *health = context;
    (void)why;
    health->tables += !game->over;
    health->held += !game->over && game->held;
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

static enum err
look_at_places(struct health *health, struct buf *why)
{
    const struct conf *conf = &health->archive->conf;
    struct store *store = health->archive->store;
    enum err err = ERR_NONE;
    health->places =
        must_alloc(((size_t)conf->place_count + 1) * sizeof *health->places);
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct health_place *place = &health->places[health->place_count++];
        int64_t read = 0;
        int64_t through = 0;
        struct buf noted = BUF_INIT;
        place->name = conf->places[i].name;
        place->service = conf->places[i].service;
        err = store_last_reading(store, place->service, &read, &through, why);
        place->behind_by = read != 0 && through != 0 ? read - through : 0;
        if (err == ERR_NONE) {
            err = store_noted(store, "polled ", place->name, &noted, why);
            place->polled = strtoll(buf_text(&noted), NULL, 10);
        }
        if (err == ERR_NONE && health->running &&
            (i == 0 || strcmp(place[-1].service, place->service) != 0)) {
            err = store_noted(store, "refused ", place->service,
                              &health->refused, why);
        }
        buf_release(&noted);
    }
    return err;
}

static enum err
look_at_files(struct health *health, struct buf *why)
{
    const char *store = health->archive->conf.store;
    struct buf name = BUF_INIT;
    struct statvfs disk;
    buf_addf(&name, "%s.damaged", store);
    health->damaged = file_exists(buf_text(&name));
    buf_clear(&name);
    buf_addf(&name, "%s.lock", store);
    enum err err =
        file_locked(buf_text(&name), &health->running, &health->process, why);
    health->free_bytes =
        statvfs(store, &disk) == 0
            ? (int64_t)((uint64_t)disk.f_bavail * disk.f_frsize)
            : -1;
    if (err == ERR_NONE) {
        err = backup_last(store, &health->backup, &health->backup_file, why);
    }
    buf_release(&name);
    return err;
}

bool
health_look(const char *file, int64_t now, struct health *health)
{
    struct buf why = BUF_INIT;
    memset(health, 0, sizeof *health);
    health->now = now;
    if (!archive_open(file, &health->archive)) {
        return false;
    }
    struct store *store = health->archive->store;
    enum err err = look_at_files(health, &why);
    if (err == ERR_NONE) {
        err = look_at_places(health, &why);
    }
    if (err == ERR_NONE) {
        err = store_games(store, count_game, health, &why);
    }
    if (err == ERR_NONE) {
        err = undelivered_each(store, now, count_message, health, &why);
    }
    if (err != ERR_NONE) {
        (void)command_fail(&why);
        health_release(health);
    }
    buf_release(&why);
    return err == ERR_NONE;
}

void
health_release(struct health *health)
{
    free(health->places);
    buf_release(&health->refused);
    buf_release(&health->backup_file);
    archive_close(health->archive);
    memset(health, 0, sizeof *health);
}

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
