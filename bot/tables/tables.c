#include "bot/tables/tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/tables/feeds.h"
#include "bot/tables/game_log.h"
#include "bot/tables/place_ids.h"
#include "bot/tables/service_clock.h"

/* ---- what is configured -------------------------------------------------- */

const struct place *
tables_place(const struct tables *tables, const char *name)
{
    const struct place *places = tables->conf->places;
    uint64_t key = index_key("", name);
    size_t at = 0;
    size_t number = index_next(&tables->places_by_name, key, &at);
    while (number != 0 && strcmp(places[number - 1].name, name) != 0) {
        number = index_next(&tables->places_by_name, key, &at);
    }
    return number == 0 ? NULL : &places[number - 1];
}

struct service *
tables_service_named(struct tables *tables, const char *name)
{
    for (unsigned i = 0; i < tables->service_count; i++) {
        if (strcmp(tables->services[i].name, name) == 0) {
            return &tables->services[i];
        }
    }
    return NULL;
}

struct service *
tables_service(struct tables *tables, const char *place)
{
    const struct place *found = tables_place(tables, place);
    return found == NULL ? NULL
                         : tables->places[found - tables->conf->places].service;
}

/* The catalogue of a table.  If its file is gone, or its theme has no words in
 * its language, use that of the place, which was loaded at the start. */
static const struct catalogue *
catalogue_of(struct tables *tables, const struct place *place,
             const struct settings *settings)
{
    const struct catalogue *found = NULL;
    struct buf why = BUF_INIT;
    if (catalogues_open(tables->catalogues, settings->language, settings->theme,
                        &found, &why) != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        enum err err =
            catalogues_open(tables->catalogues, place->settings.language,
                            place->settings.theme, &found, &why);
        assert(err == ERR_NONE);
        (void)err;
    }
    buf_release(&why);
    return found;
}

/* ---- hosting ------------------------------------------------------------- */

/* The capabilities that hold at a place. */
static const struct capabilities *
capabilities_at(const struct tables *tables, unsigned number,
                const struct service *service)
{
    const struct capabilities *own = tables->places[number].capabilities;
    return own == NULL ? &service->adapter->capabilities : own;
}

bool
tables_has_buttons(const struct tables *tables, const struct service *service)
{
    const struct account *account = conf_account(tables->conf, service->name);
    return account != NULL && account->buttons &&
           service->adapter->capabilities.buttons;
}

bool
tables_presses_lost(const struct tables *tables, const struct service *service)
{
    return tables_has_buttons(tables, service) &&
           tables->presses_lost[service - tables->services];
}

struct host_env
tables_env_for(struct tables *tables, struct service *service,
               const struct place *place, const struct settings *settings,
               int64_t now)
{
    unsigned number = (unsigned)(place - tables->conf->places);
    const struct zone *zone = tables->places[number].zone;
    bool lost = tables_presses_lost(tables, service);
    bool copy = store_copied(tables->store) != 0;
    struct host_env env = {
        .catalogue = catalogue_of(tables, place, settings),
        .catalogues = tables->catalogues,
        .dialect = service->adapter->dialect,
        .capabilities = capabilities_at(tables, number, service),
        .zone = zone == NULL ? zone_utc() : zone,
        .zones = &tables->zones,
        .dealer = tables->dealer,
        .place = place,
        .service = service,
        .self = service->self,
        .home = place_id(tables, number, PLACE_THREAD),
        .moderators_channel = place_id(tables, number, PLACE_MODERATORS),
        .history = &tables->history,
        .buttons = !lost && tables_has_buttons(tables, service),
        .presses_lost = lost,
        .now = now,
        /* What is read again after a restore may have been told before. */
        .shown = copy ? 0 : service_clock_shown(tables_clock(tables, service)),
    };
    return env;
}

/* What a running table is hosted with. */
struct host_env
tables_env(struct tables *tables, const struct table *table, int64_t now)
{
    struct service *service = tables_service(tables, table->place);
    const struct place *place = tables_place(tables, table->place);
    assert(service != NULL && place != NULL); /* else it was not recovered */
    return tables_env_for(tables, service, place, &table->settings, now);
}

struct host_env
tables_env_now(struct tables *tables, const struct table *table, int64_t now)
{
    const struct service *service = tables_service(tables, table->place);
    return tables_env(tables, table, tables_asking_time(tables, service, now));
}

enum err
tables_save_and_release(struct tables *tables, struct ruling *ruling,
                        struct buf *why)
{
    enum err err =
        store_save_ruling(tables->store, ruling, &tables->outbox, why);
    if (err == ERR_NONE) {
        game_log(ruling);
    }
    ruling_release(ruling);
    return err;
}

/* ---- places ------------------------------------------------------------- */

struct service *
tables_service_of(struct tables *tables, unsigned number)
{
    return tables->places[number].service;
}

const struct place *
tables_place_of_thread(const struct tables *tables,
                       const struct service *service, const char *thread)
{
    return place_ids_find(tables, service, PLACE_THREAD, thread);
}

void
tables_note_thread(struct tables *tables, const char *place, const char *thread)
{
    const struct place *found = tables_place(tables, place);
    if (found != NULL) {
        place_id_set(tables, (unsigned)(found - tables->conf->places),
                     PLACE_LAST_THREAD, thread);
    }
}

/* Most places allow what their service allows everywhere. */
void
tables_measure(struct tables *tables, unsigned number,
               const struct outcome *outcome)
{
    struct hosted_place *hosted = &tables->places[number];
    const struct capabilities *usual = &hosted->service->adapter->capabilities;
    struct capabilities own = *usual;
    if (outcome->longest != 0) {
        own.longest = outcome->longest;
    }
    if (outcome->shortest != 0) {
        own.shortest = outcome->shortest;
    }
    if (outcome->longest_private != 0) {
        own.longest_private = outcome->longest_private;
    }
    free(hosted->capabilities);
    hosted->capabilities = NULL;
    if (own.longest != usual->longest || own.shortest != usual->shortest ||
        own.longest_private != usual->longest_private) {
        hosted->capabilities = must_alloc(sizeof own);
        *hosted->capabilities = own;
    }
}

int64_t
tables_steady(const struct tables *tables, int64_t now)
{
    return now + tables->clock.back;
}

int64_t
tables_service_now(const struct tables *tables, const struct service *service,
                   int64_t now)
{
    if (service == NULL) {
        return now;
    }
    const struct service_clock *clock =
        &tables->clocks[service - tables->services];
    int64_t time = clock->at == 0
                       ? now
                       : service_clock_now(clock, tables_steady(tables, now));
    int64_t latest = feeds_latest(&tables->feeds, service);
    return latest > time ? latest : time;
}

int64_t
tables_asking_time(const struct tables *tables, const struct service *service,
                   int64_t now)
{
    int64_t time = tables_service_now(tables, service, now);
    if (service == NULL) {
        return now;
    }
    const struct service_clock *clock =
        &tables->clocks[service - tables->services];
    /* Before its first reply, the store has what it showed last. */
    int64_t latest =
        clock->at == 0
            ? feeds_heard(&tables->feeds, service)
            : service_clock_latest(clock, tables_steady(tables, now));
    return latest > time ? latest : time;
}

struct service_clock *
tables_clock(struct tables *tables, const struct service *service)
{
    return &tables->clocks[service - tables->services];
}
