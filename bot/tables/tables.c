#include "bot/tables/tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/words/slash.h"
#include "bot/store/recover.h"
#include "bot/tables/hosted.h"

/* ---- what is configured -------------------------------------------------- */

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

struct host_env
tables_env_for(struct tables *tables, const struct hosted_place *place,
               const struct settings *settings, int64_t now)
{
    struct service *service = place->service;
    bool lost = services_presses_lost(&tables->services, service);
    bool copy = store_copied(tables->store) != 0;
    struct host_env env = {
        .catalogue = catalogue_of(tables, place->conf, settings),
        .catalogues = tables->catalogues,
        .dialect = service->adapter->dialect,
        .capabilities = places_capabilities(place),
        .zone = place->zone == NULL ? zone_utc() : place->zone,
        .zones = &tables->zones,
        .dealer = tables->dealer,
        .place = place->conf,
        .service = service,
        .self = service->self,
        .home = place->ids[PLACE_THREAD],
        .moderators_channel = place->ids[PLACE_MODERATORS],
        .history = &tables->history,
        .buttons = !lost && services_have_buttons(&tables->services, service),
        .presses_lost = lost,
        .cards = services_have_buttons(&tables->services, service) ||
                 services_have_commands(&tables->services, service),
        .now = now,
        /* What is read again after a restore may have been told before. */
        .shown =
            copy ? 0
                 : service_clock_shown(feeds_clock(&tables->feeds, service)),
    };
    return env;
}

/* What a running table is hosted with. */
struct host_env
tables_env(struct tables *tables, const struct table *table, int64_t now)
{
    const struct hosted_place *place =
        places_find(&tables->places, table->place);
    assert(place != NULL); /* else it was not recovered */
    return tables_env_for(tables, place, &table->settings, now);
}

/* ---- what time it is --------------------------------------------------- */

int64_t
tables_steady(const struct tables *tables, int64_t now)
{
    return now + tables->clock.back;
}

int64_t
tables_service_now(const struct tables *tables, const struct service *service,
                   int64_t now)
{
    const struct service_clock *clock = feeds_clock(&tables->feeds, service);
    int64_t time = clock->at == 0
                       ? now
                       : service_clock_now(clock, tables_steady(tables, now));
    int64_t latest = tables->feeds.by_service[service->number].latest;
    return latest > time ? latest : time;
}

int64_t
tables_asking_time(const struct tables *tables, const struct service *service,
                   int64_t now)
{
    int64_t time = tables_service_now(tables, service, now);
    const struct service_clock *clock = feeds_clock(&tables->feeds, service);
    /* Before its first reply, the store has what it showed last. */
    int64_t latest =
        clock->at == 0
            ? feeds_heard(&tables->feeds, service)
            : service_clock_latest(clock, tables_steady(tables, now));
    return latest > time ? latest : time;
}

/* ---- slash commands -------------------------------------------------------
 */

const struct slash_commands *
tables_commands(struct tables *tables)
{
    struct buf why = BUF_INIT;
    if (tables->commands == NULL) {
        tables->commands = must_alloc(sizeof *tables->commands);
        if (slash_commands_make(tables->catalogues, tables->commands, &why) !=
            ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "slash commands: %s", buf_text(&why));
            tables->commands->count = 0;
        }
    }
    buf_release(&why);
    return tables->commands->count > 0 ? tables->commands : NULL;
}

void
tables_suggest(struct tables *tables, const struct service *service,
               const struct post *post, struct buttons *choices)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    if (hosted != NULL) {
        slash_suggest(&hosted->table, post->body, choices);
    }
}
