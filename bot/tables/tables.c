#include "bot/tables/tables.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/tables/tables_inner.h"

/* ---- what is configured -------------------------------------------------- */

const struct place *
tables_place(const struct tables *tables, const char *name)
{
    return conf_place(tables->conf, name);
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
    return found == NULL ? NULL : tables_service_named(tables, found->service);
}

/* The catalogue of a table.  If its file is gone, or its theme has no words in
 * its language, use that of the place, which was loaded at the start. */
static const struct catalogue *
catalogue_of(struct tables *tables, const struct place *place,
             const struct settings *settings)
{
    const struct catalogue *found = NULL;
    struct buf why = BUF_INIT;
    if (catalogues_open(&tables->catalogues, settings->language,
                        settings->theme, &found, &why) != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        enum err err =
            catalogues_open(&tables->catalogues, place->settings.language,
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
capabilities_at(struct tables *tables, unsigned number,
                const struct service *service)
{
    const struct lengths *lengths = &tables->lengths[number];
    struct capabilities *capabilities = &tables->capabilities[number];
    *capabilities = service->adapter->capabilities;
    if (lengths->longest != 0) {
        capabilities->longest = lengths->longest;
    }
    if (lengths->shortest != 0) {
        capabilities->shortest = lengths->shortest;
    }
    if (lengths->longest_private != 0) {
        capabilities->longest_private = lengths->longest_private;
    }
    return capabilities;
}

struct host_env
tables_env_for(struct tables *tables, struct service *service,
               const struct place *place, const struct settings *settings,
               int64_t now)
{
    unsigned number = (unsigned)(place - tables->conf->places);
    const struct zone *zone = tables->zones[number];
    struct host_env env = {
        .catalogue = catalogue_of(tables, place, settings),
        .catalogues = &tables->catalogues,
        .dialect = service->adapter->dialect,
        .capabilities = capabilities_at(tables, number, service),
        .zone = zone == NULL ? zone_utc() : zone,
        .dealer = tables->dealer,
        .place = place,
        .service = service,
        .self = service->self,
        .home = tables->threads[number],
        .moderators_channel = tables->moderators_channels[number],
        .history = &tables->history,
        .now = now,
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

/* ---- tables -------------------------------------------------------------- */

/* The key of a thread: inverted, because a person may have the same id. */
static uint64_t
thread_key(const char *service, const char *thread)
{
    return ~index_key(service, thread);
}

static const char *
service_of_table(const struct tables *tables, const struct table *table)
{
    return tables_place(tables, table->place)->service;
}

/* Is a table hosted at a service? */
static bool
is_at(const struct tables *tables, const struct table *table,
      const struct service *service)
{
    return strcmp(service_of_table(tables, table), service->name) == 0;
}

int64_t
tables_earlier_timer(const struct table *table, int64_t time)
{
    struct timer timer = table_timer(table);
    return timer.kind != TIMER_NONE && timer.at < time ? timer.at : time;
}

/* The next moderator, of the place's and of the table's own, who does not sit
 * there; each once.  NULL: no more. */
static const char *
next_moderator(const struct tables *tables, const struct table *table,
               unsigned *at)
{
    const struct place *place = tables_place(tables, table->place);
    while (*at < place->moderator_count + table->moderator_count) {
        unsigned number = (*at)++;
        bool own = number >= place->moderator_count;
        const char *user =
            own ? table->moderators[number - place->moderator_count]
                : place->moderators[number];
        bool known = table_seat(table, user) != NO_SEAT;
        for (unsigned i = 0; !known && i < number; i++) {
            const char *other =
                i < place->moderator_count
                    ? place->moderators[i]
                    : table->moderators[i - place->moderator_count];
            known = strcmp(other, user) == 0;
        }
        if (!known) {
            return user;
        }
    }
    return NULL;
}

void
tables_list(struct tables *tables, struct table *table)
{
    const char *service = service_of_table(tables, table);
    const char *moderator = NULL;
    unsigned at = 0;
    while ((moderator = next_moderator(tables, table, &at)) != NULL) {
        index_add(&tables->seatings, index_key(service, moderator),
                  (uintptr_t)table);
    }
    index_add(&tables->seatings, thread_key(service, table->thread),
              (uintptr_t)table);
    if (table->home[0] != '\0') {
        index_add(&tables->seatings, thread_key(service, table->home),
                  (uintptr_t)table);
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        index_add(&tables->seatings,
                  index_key(service, table->people[seat].user),
                  (uintptr_t)table);
    }
    tables->next_timer = tables_earlier_timer(table, tables->next_timer);
}

void
tables_unlist(struct tables *tables, struct table *table)
{
    const char *service = service_of_table(tables, table);
    const char *moderator = NULL;
    unsigned at = 0;
    while ((moderator = next_moderator(tables, table, &at)) != NULL) {
        index_remove(&tables->seatings, index_key(service, moderator),
                     (uintptr_t)table);
    }
    index_remove(&tables->seatings, thread_key(service, table->thread),
                 (uintptr_t)table);
    if (table->home[0] != '\0') {
        index_remove(&tables->seatings, thread_key(service, table->home),
                     (uintptr_t)table);
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        index_remove(&tables->seatings,
                     index_key(service, table->people[seat].user),
                     (uintptr_t)table);
    }
}

void
tables_add(struct tables *tables, const struct table *table)
{
    if (tables->table_count == tables->table_room) {
        tables->table_room =
            tables->table_room == 0 ? 8 : 2 * tables->table_room;
        tables->list = must_grow(tables->list,
                                 tables->table_room * sizeof(struct table *));
    }
    struct table *added = must_alloc(sizeof *added);
    *added = *table;
    tables->list[tables->table_count++] = added;
    tables_list(tables, added);
}

/* Wipe a table: it holds roles, cards and the deal's secret. */
void
tables_free_table(struct table *table)
{
    wipe(table, sizeof *table);
    free(table);
}

/* Take out the tables whose game is over: nothing is due there. */
void
tables_clear(struct tables *tables)
{
    size_t deferred = 0;
    if (!tables->ended) {
        return;
    }
    for (size_t i = 0; i < tables->table_count; i++) {
        if (tables->list[i]->state == TABLE_OVER) {
            tables_unlist(tables, tables->list[i]);
            tables_free_table(tables->list[i]);
        } else {
            tables->list[deferred++] = tables->list[i];
        }
    }
    tables->table_count = deferred;
    tables->ended = false;
}

bool
tables_is_for(const struct table *table, const char *thread)
{
    return strcmp(table->thread, thread) == 0 ||
           (table->state == TABLE_SIGNUP && strcmp(table->home, thread) == 0);
}

/* The next table under a key, which another table may share; NULL: no more. */
static struct table *
next_under(const struct tables *tables, uint64_t key, size_t *at)
{
    union {
        uintptr_t value;
        struct table *table;
    } found = {.value = index_next(&tables->seatings, key, at)};
    return found.table;
}

struct table *
tables_next_in_thread(const struct tables *tables,
                      const struct service *service, const char *thread,
                      size_t *at)
{
    uint64_t key = thread_key(service->name, thread);
    struct table *table;
    do {
        table = next_under(tables, key, at);
    } while (table != NULL &&
             (!tables_is_for(table, thread) || !is_at(tables, table, service)));
    return table;
}

struct table *
tables_next_of_user(const struct tables *tables, const struct service *service,
                    const char *user, size_t *at)
{
    uint64_t key = index_key(service->name, user);
    struct table *table;
    do {
        table = next_under(tables, key, at);
    } while (table != NULL && (table_seat(table, user) == NO_SEAT ||
                               !is_at(tables, table, service)));
    return table;
}

bool
tables_knows(const struct tables *tables, const struct table *table,
             const char *user)
{
    return table_seat(table, user) != NO_SEAT ||
           place_moderates(tables_place(tables, table->place), table, user);
}

struct table *
tables_next_known(const struct tables *tables, const struct service *service,
                  const char *user, size_t *at)
{
    uint64_t key = index_key(service->name, user);
    struct table *table;
    do {
        table = next_under(tables, key, at);
    } while (table != NULL && (!tables_knows(tables, table, user) ||
                               !is_at(tables, table, service)));
    return table;
}

struct table *
tables_of_thread(const struct tables *tables, const struct service *service,
                 const char *thread)
{
    struct table *table = NULL;
    size_t at = 0;
    do {
        table = tables_next_in_thread(tables, service, thread, &at);
    } while (table != NULL && strcmp(table->thread, thread) != 0);
    return table;
}

struct table *
tables_signup_of(const struct tables *tables, const struct service *service,
                 const char *thread, unsigned *count)
{
    struct table *found = NULL;
    struct table *table = NULL;
    size_t at = 0;
    *count = 0;
    while ((table = tables_next_in_thread(tables, service, thread, &at)) !=
           NULL) {
        if (strcmp(table->thread, thread) != 0) {
            found = table;
            ++*count;
        }
    }
    return found;
}

struct table *
tables_named(const struct tables *tables, const char *id)
{
    for (size_t i = 0; i < tables->table_count; i++) {
        if (strcmp(tables->list[i]->id, id) == 0) {
            return tables->list[i];
        }
    }
    return NULL;
}

/* The place that has this thread. */
const struct place *
tables_place_of_thread(const struct tables *tables,
                       const struct service *service, const char *thread)
{
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        const struct place *place = &tables->conf->places[i];
        if (strcmp(place->service, service->name) == 0 &&
            strcmp(tables->threads[i], thread) == 0) {
            return place;
        }
    }
    return NULL;
}

/* Remember which game of its place had its own thread last. */
void
tables_note_thread(struct tables *tables, const char *place, const char *thread)
{
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        if (strcmp(tables->conf->places[i].name, place) == 0) {
            (void)snprintf(tables->last_threads[i],
                           sizeof tables->last_threads[i], "%s", thread);
        }
    }
}

/* ---- feeds --------------------------------------------------------------- */

struct feed *
tables_find_feed(struct tables *tables, const struct service *service,
                 const char *name)
{
    size_t at = 0;
    uintptr_t number = 0;
    uint64_t key = index_key(service->name, name);
    while ((number = index_next(&tables->feeds_by_name, key, &at)) != 0) {
        struct feed *feed = &tables->feeds[number - 1];
        if (feed->service == service && strcmp(feed->name, name) == 0) {
            return feed;
        }
    }
    return NULL;
}

static struct feed *
new_feed(struct tables *tables, struct service *service, const char *name)
{
    if (tables->feed_count == tables->feed_room) {
        tables->feed_room = tables->feed_room == 0 ? 8 : 2 * tables->feed_room;
        tables->feeds = must_grow(tables->feeds,
                                  tables->feed_room * sizeof tables->feeds[0]);
    }
    struct feed *feed = &tables->feeds[tables->feed_count++];
    memset(feed, 0, sizeof *feed);
    feed->service = service;
    (void)snprintf(feed->name, sizeof feed->name, "%s", name);
    index_add(&tables->feeds_by_name, index_key(service->name, name),
              tables->feed_count);
    return feed;
}

/* From now on read the feed that brings the posts of a place: a thread, or the
 * DM of `user` ("": a thread). */
enum err
tables_add_feed(struct tables *tables, struct service *service,
                const char *place, const char *user, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf cursor = BUF_INIT;
    enum err err = ERR_NONE;
    service->adapter->feed(service, place, &name);
    struct feed *feed = tables_find_feed(tables, service, buf_text(&name));
    if (feed != NULL && strcmp(feed->user, user) != 0) {
        feed->user[0] = '\0';
    } else if (feed == NULL) {
        feed = new_feed(tables, service, buf_text(&name));
        (void)snprintf(feed->user, sizeof feed->user, "%s", user);
        err = store_cursor(tables->store, service->name, feed->name, &cursor,
                           why);
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s",
                       buf_text(&cursor));
        if (err == ERR_NONE) {
            err = store_reading(tables->store, service->name, feed->name,
                                &feed->read_at, &feed->heard, why);
        }
        feed->noted_at = feed->read_at;
    }
    feed->dms = feed->dms || user[0] != '\0';
    buf_release(&name);
    buf_release(&cursor);
    return err;
}

enum err
tables_open_dm(struct tables *tables, struct service *service, const char *user,
               const char *dm, struct buf *why)
{
    enum err err = store_set_dm(tables->store, service->name, user, dm, why);
    return err == ERR_NONE ? tables_add_feed(tables, service, dm, user, why)
                           : err;
}

enum err
tables_dm(struct tables *tables, struct service *service, const char *user,
          struct buf *dm, struct buf *why)
{
    enum err err = store_dm(tables->store, service->name, user, dm, why);
    return err == ERR_NONE && dm->len > 0
               ? tables_add_feed(tables, service, buf_text(dm), user, why)
               : err;
}

/* Read the feed of a thread that is no configured place. */
enum err
tables_read_thread(struct tables *tables, struct service *service,
                   const char *thread, const char *cursor, struct buf *why)
{
    size_t before = tables->feed_count;
    enum err err = tables_add_feed(tables, service, thread, "", why);
    if (err != ERR_NONE || tables->feed_count == before) {
        return err;
    }
    struct feed *feed = &tables->feeds[before];
    (void)snprintf(feed->thread, sizeof feed->thread, "%s", thread);
    if (feed->cursor[0] == '\0' && cursor[0] != '\0') {
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s", cursor);
        err = store_set_cursor(tables->store, service->name, feed->name, cursor,
                               why);
    }
    return err;
}

enum err
tables_add_thread(struct tables *tables, const struct table *table,
                  const char *cursor, struct buf *why)
{
    tables_note_thread(tables, table->place, table->thread);
    return tables_read_thread(tables, tables_service(tables, table->place),
                              table->thread, cursor, why);
}

/* Is a game running in a thread of its own, or was the last one of a place
 * there? */
static bool
reads_thread(const struct tables *tables, const struct feed *feed)
{
    bool needed = tables_of_thread(tables, feed->service, feed->thread) != NULL;
    for (unsigned i = 0; !needed && i < tables->conf->place_count; i++) {
        needed =
            strcmp(tables->last_threads[i], feed->thread) == 0 &&
            strcmp(tables->conf->places[i].service, feed->service->name) == 0;
    }
    return needed;
}

bool
tables_reads(const struct tables *tables, const struct feed *feed)
{
    size_t at = 0;
    if (feed->thread[0] != '\0') {
        return reads_thread(tables, feed);
    }
    return feed->user[0] == '\0' ||
           tables_next_known(tables, feed->service, feed->user, &at) != NULL;
}

void
tables_lose(struct feed *feed, const char *trouble)
{
    if (!feed->lost && feed->user[0] != '\0') {
        log_line(LOG_LEVEL_ERROR,
                 "%s: the private talk with %s can't be read, so nothing waits "
                 "for it any more: %s",
                 feed->service->name, feed->user, trouble);
    }
    feed->lost = true;
}

struct service *
tables_service_of(struct tables *tables, unsigned number)
{
    struct service *service =
        tables_service_named(tables, tables->conf->places[number].service);
    assert(service != NULL); /* add_place has made it */
    return service;
}

enum err
tables_found(struct tables *tables, unsigned number, const char *thread,
             struct buf *why)
{
    struct service *service = tables_service_of(tables, number);
    struct buf name = BUF_INIT;
    (void)snprintf(tables->threads[number], sizeof tables->threads[number],
                   "%s", thread);
    enum err err = tables_add_feed(tables, service, thread, "", why);
    service->adapter->feed(service, thread, &name);
    struct feed *feed = tables_find_feed(tables, service, buf_text(&name));
    if (feed != NULL) {
        feed->thread[0] = '\0'; /* other things come in it, too */
    }
    buf_release(&name);
    return err;
}

void
tables_measure(struct tables *tables, unsigned number,
               const struct outcome *outcome)
{
    tables->lengths[number] =
        (struct lengths){.longest = outcome->longest,
                         .shortest = outcome->shortest,
                         .longest_private = outcome->longest_private};
}

enum err
tables_found_dm(struct tables *tables, unsigned number, const char *place,
                struct buf *why)
{
    (void)snprintf(tables->moderators_channels[number],
                   sizeof tables->moderators_channels[number], "%s", place);
    return tables_add_feed(tables, tables_service_of(tables, number), place, "",
                           why);
}

enum err
tables_save_states(struct tables *tables, const struct service *service,
                   const struct outcome *outcome, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < outcome->state_count; i++) {
        err = store_set_state(tables->store, service->name, &outcome->states[i],
                              why);
    }
    return err;
}

/* ---- opening ------------------------------------------------------------- */

int64_t
tables_service_now(const struct tables *tables, const struct service *service,
                   int64_t now)
{
    if (service != NULL) {
        now =
            service_clock_now(&tables->clocks[service - tables->services], now);
    }
    for (size_t i = 0; i < tables->feed_count; i++) {
        if (tables->feeds[i].service == service) {
            now =
                tables->feeds[i].through > now ? tables->feeds[i].through : now;
        }
    }
    return now;
}

struct service_clock *
tables_clock(struct tables *tables, const struct service *service)
{
    return &tables->clocks[service - tables->services];
}
