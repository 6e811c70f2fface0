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
desk_place(const struct desk *desk, const char *name)
{
    return conf_place(desk->conf, name);
}

struct service *
desk_service_named(struct desk *desk, const char *name)
{
    for (unsigned i = 0; i < desk->service_count; i++) {
        if (strcmp(desk->services[i].name, name) == 0) {
            return &desk->services[i];
        }
    }
    return NULL;
}

struct service *
desk_service(struct desk *desk, const char *place)
{
    const struct place *found = desk_place(desk, place);
    return found == NULL ? NULL : desk_service_named(desk, found->service);
}

/* The catalogue of a table; where its file is gone, or its theme has no words
 * in its language, that of the place, which was loaded at the start. */
static const struct catalogue *
catalogue_of(struct desk *desk, const struct place *place,
             const struct settings *settings)
{
    const struct catalogue *found = NULL;
    struct buf why = BUF_INIT;
    if (library_open(&desk->library, settings->language, settings->theme,
                     &found, &why) != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        enum err err = library_open(&desk->library, place->settings.language,
                                    place->settings.theme, &found, &why);
        assert(err == ERR_NONE);
        (void)err;
    }
    buf_release(&why);
    return found;
}

/* ---- annals ---------------------------------------------------------------
 */

/* The traits that hold at a place. */
static const struct traits *
traits_at(struct desk *desk, unsigned number, const struct service *service)
{
    const struct lengths *lengths = &desk->lengths[number];
    struct traits *traits = &desk->traits[number];
    *traits = service->adapter->traits;
    if (lengths->longest != 0) {
        traits->longest = lengths->longest;
    }
    if (lengths->shortest != 0) {
        traits->shortest = lengths->shortest;
    }
    if (lengths->longest_private != 0) {
        traits->longest_private = lengths->longest_private;
    }
    return traits;
}

struct house
desk_house_for(struct desk *desk, struct service *service,
               const struct place *place, const struct settings *settings,
               int64_t now)
{
    unsigned number = (unsigned)(place - desk->conf->places);
    const struct zone *zone = desk->zones[number];
    struct house house = {
        .catalogue = catalogue_of(desk, place, settings),
        .library = &desk->library,
        .dialect = service->adapter->dialect,
        .traits = traits_at(desk, number, service),
        .zone = zone == NULL ? zone_utc() : zone,
        .dealer = desk->dealer,
        .place = place,
        .service = service,
        .self = service->self,
        .home = desk->threads[number],
        .moderators_talk = desk->moderators_talks[number],
        .annals = &desk->annals,
        .now = now,
    };
    return house;
}

/* What a table that is on is hosted with. */
struct house
desk_house(struct desk *desk, const struct table *table, int64_t now)
{
    struct service *service = desk_service(desk, table->place);
    const struct place *place = desk_place(desk, table->place);
    assert(service != NULL && place != NULL); /* else it was not recovered */
    return desk_house_for(desk, service, place, &table->settings, now);
}

/* ---- tables -------------------------------------------------------------- */

/* The key of a thread, for a service may call a person the same. */
static uint64_t
thread_key(const char *service, const char *thread)
{
    return ~index_key(service, thread);
}

static const char *
service_of_table(const struct desk *desk, const struct table *table)
{
    return desk_place(desk, table->place)->service;
}

/* Is a table hosted at a service? */
static bool
is_at(const struct desk *desk, const struct table *table,
      const struct service *service)
{
    return strcmp(service_of_table(desk, table), service->name) == 0;
}

int64_t
desk_earlier_timer(const struct table *table, int64_t time)
{
    struct timer timer = table_timer(table);
    return timer.kind != TIMER_NONE && timer.at < time ? timer.at : time;
}

/* The next moderator, of the place's and of the table's own, who does not sit
 * there; each once.  NULL: no more. */
static const char *
next_moderator(const struct desk *desk, const struct table *table, unsigned *at)
{
    const struct place *place = desk_place(desk, table->place);
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
desk_list(struct desk *desk, struct table *table)
{
    const char *service = service_of_table(desk, table);
    const char *moderator = NULL;
    unsigned at = 0;
    while ((moderator = next_moderator(desk, table, &at)) != NULL) {
        index_add(&desk->seatings, index_key(service, moderator),
                  (uintptr_t)table);
    }
    index_add(&desk->seatings, thread_key(service, table->thread),
              (uintptr_t)table);
    if (table->home[0] != '\0') {
        index_add(&desk->seatings, thread_key(service, table->home),
                  (uintptr_t)table);
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        index_add(&desk->seatings, index_key(service, table->people[seat].user),
                  (uintptr_t)table);
    }
    desk->next_timer = desk_earlier_timer(table, desk->next_timer);
}

void
desk_unlist(struct desk *desk, struct table *table)
{
    const char *service = service_of_table(desk, table);
    const char *moderator = NULL;
    unsigned at = 0;
    while ((moderator = next_moderator(desk, table, &at)) != NULL) {
        index_remove(&desk->seatings, index_key(service, moderator),
                     (uintptr_t)table);
    }
    index_remove(&desk->seatings, thread_key(service, table->thread),
                 (uintptr_t)table);
    if (table->home[0] != '\0') {
        index_remove(&desk->seatings, thread_key(service, table->home),
                     (uintptr_t)table);
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        index_remove(&desk->seatings,
                     index_key(service, table->people[seat].user),
                     (uintptr_t)table);
    }
}

void
desk_add_table(struct desk *desk, const struct table *table)
{
    if (desk->table_count == desk->table_room) {
        desk->table_room = desk->table_room == 0 ? 8 : 2 * desk->table_room;
        desk->tables =
            must_grow(desk->tables, desk->table_room * sizeof(struct table *));
    }
    struct table *added = must_alloc(sizeof *added);
    *added = *table;
    desk->tables[desk->table_count++] = added;
    desk_list(desk, added);
}

/* It holds roles, cards and the deal's secret. */
void
desk_free_table(struct table *table)
{
    wipe(table, sizeof *table);
    free(table);
}

/* Take out the tables whose game is over: nothing is awaited of them. */
void
desk_clear_tables(struct desk *desk)
{
    size_t kept = 0;
    if (!desk->ended) {
        return;
    }
    for (size_t i = 0; i < desk->table_count; i++) {
        if (desk->tables[i]->state == TABLE_OVER) {
            desk_unlist(desk, desk->tables[i]);
            desk_free_table(desk->tables[i]);
        } else {
            desk->tables[kept++] = desk->tables[i];
        }
    }
    desk->table_count = kept;
    desk->ended = false;
}

bool
desk_is_for(const struct table *table, const char *thread)
{
    return strcmp(table->thread, thread) == 0 ||
           (table->state == TABLE_SIGNUP && strcmp(table->home, thread) == 0);
}

/* The next table under a key, which may be another's too; NULL: no more. */
static struct table *
next_under(const struct desk *desk, uint64_t key, size_t *at)
{
    union {
        uintptr_t value;
        struct table *table;
    } found = {.value = index_next(&desk->seatings, key, at)};
    return found.table;
}

struct table *
desk_next_in_thread(const struct desk *desk, const struct service *service,
                    const char *thread, size_t *at)
{
    uint64_t key = thread_key(service->name, thread);
    struct table *table;
    do {
        table = next_under(desk, key, at);
    } while (table != NULL &&
             (!desk_is_for(table, thread) || !is_at(desk, table, service)));
    return table;
}

struct table *
desk_next_of_user(const struct desk *desk, const struct service *service,
                  const char *user, size_t *at)
{
    uint64_t key = index_key(service->name, user);
    struct table *table;
    do {
        table = next_under(desk, key, at);
    } while (table != NULL && (table_seat(table, user) == NO_SEAT ||
                               !is_at(desk, table, service)));
    return table;
}

bool
desk_knows(const struct desk *desk, const struct table *table, const char *user)
{
    return table_seat(table, user) != NO_SEAT ||
           house_moderates(desk_place(desk, table->place), table, user);
}

struct table *
desk_next_known(const struct desk *desk, const struct service *service,
                const char *user, size_t *at)
{
    uint64_t key = index_key(service->name, user);
    struct table *table;
    do {
        table = next_under(desk, key, at);
    } while (table != NULL &&
             (!desk_knows(desk, table, user) || !is_at(desk, table, service)));
    return table;
}

struct table *
desk_table_of_thread(const struct desk *desk, const struct service *service,
                     const char *thread)
{
    struct table *table = NULL;
    size_t at = 0;
    do {
        table = desk_next_in_thread(desk, service, thread, &at);
    } while (table != NULL && strcmp(table->thread, thread) != 0);
    return table;
}

struct table *
desk_signup_of(const struct desk *desk, const struct service *service,
               const char *thread, unsigned *count)
{
    struct table *found = NULL;
    struct table *table = NULL;
    size_t at = 0;
    *count = 0;
    while ((table = desk_next_in_thread(desk, service, thread, &at)) != NULL) {
        if (strcmp(table->thread, thread) != 0) {
            found = table;
            ++*count;
        }
    }
    return found;
}

struct table *
desk_table_named(const struct desk *desk, const char *id)
{
    for (size_t i = 0; i < desk->table_count; i++) {
        if (strcmp(desk->tables[i]->id, id) == 0) {
            return desk->tables[i];
        }
    }
    return NULL;
}

/* The place whose thread this is. */
const struct place *
desk_place_of_thread(const struct desk *desk, const struct service *service,
                     const char *thread)
{
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        const struct place *place = &desk->conf->places[i];
        if (strcmp(place->service, service->name) == 0 &&
            strcmp(desk->threads[i], thread) == 0) {
            return place;
        }
    }
    return NULL;
}

/* Note which game of its place had its own thread last. */
void
desk_note_thread(struct desk *desk, const char *place, const char *thread)
{
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        if (strcmp(desk->conf->places[i].name, place) == 0) {
            (void)snprintf(desk->last_threads[i], sizeof desk->last_threads[i],
                           "%s", thread);
        }
    }
}

/* ---- feeds --------------------------------------------------------------- */

struct feed *
desk_find_feed(struct desk *desk, const struct service *service,
               const char *name)
{
    size_t at = 0;
    uintptr_t number = 0;
    uint64_t key = index_key(service->name, name);
    while ((number = index_next(&desk->feeds_by_name, key, &at)) != 0) {
        struct feed *feed = &desk->feeds[number - 1];
        if (feed->service == service && strcmp(feed->name, name) == 0) {
            return feed;
        }
    }
    return NULL;
}

static struct feed *
new_feed(struct desk *desk, struct service *service, const char *name)
{
    if (desk->feed_count == desk->feed_room) {
        desk->feed_room = desk->feed_room == 0 ? 8 : 2 * desk->feed_room;
        desk->feeds =
            must_grow(desk->feeds, desk->feed_room * sizeof desk->feeds[0]);
    }
    struct feed *feed = &desk->feeds[desk->feed_count++];
    memset(feed, 0, sizeof *feed);
    feed->service = service;
    (void)snprintf(feed->name, sizeof feed->name, "%s", name);
    index_add(&desk->feeds_by_name, index_key(service->name, name),
              desk->feed_count);
    return feed;
}

/* From now on the feed is read in which posts of a place come: a thread, or
 * the private talk of `user` ("": a thread). */
enum err
desk_add_feed(struct desk *desk, struct service *service, const char *place,
              const char *user, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf cursor = BUF_INIT;
    enum err err = ERR_NONE;
    service->adapter->feed(service, place, &name);
    struct feed *feed = desk_find_feed(desk, service, buf_text(&name));
    if (feed != NULL && strcmp(feed->user, user) != 0) {
        feed->user[0] = '\0';
    } else if (feed == NULL) {
        feed = new_feed(desk, service, buf_text(&name));
        (void)snprintf(feed->user, sizeof feed->user, "%s", user);
        err =
            store_cursor(desk->store, service->name, feed->name, &cursor, why);
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s",
                       buf_text(&cursor));
        if (err == ERR_NONE) {
            err = store_reading(desk->store, service->name, feed->name,
                                &feed->read_at, &feed->heard, why);
        }
        feed->noted_at = feed->read_at;
    }
    feed->talks = feed->talks || user[0] != '\0';
    buf_release(&name);
    buf_release(&cursor);
    return err;
}

enum err
desk_open_talk(struct desk *desk, struct service *service, const char *user,
               const char *talk, struct buf *why)
{
    enum err err = store_set_talk(desk->store, service->name, user, talk, why);
    return err == ERR_NONE ? desk_add_feed(desk, service, talk, user, why)
                           : err;
}

enum err
desk_talk(struct desk *desk, struct service *service, const char *user,
          struct buf *talk, struct buf *why)
{
    enum err err = store_talk(desk->store, service->name, user, talk, why);
    return err == ERR_NONE && talk->len > 0
               ? desk_add_feed(desk, service, buf_text(talk), user, why)
               : err;
}

/* Read the feed of a thread that is no configured place. */
enum err
desk_read_thread(struct desk *desk, struct service *service, const char *thread,
                 const char *cursor, struct buf *why)
{
    size_t before = desk->feed_count;
    enum err err = desk_add_feed(desk, service, thread, "", why);
    if (err != ERR_NONE || desk->feed_count == before) {
        return err;
    }
    struct feed *feed = &desk->feeds[before];
    (void)snprintf(feed->thread, sizeof feed->thread, "%s", thread);
    if (feed->cursor[0] == '\0' && cursor[0] != '\0') {
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s", cursor);
        err = store_set_cursor(desk->store, service->name, feed->name, cursor,
                               why);
    }
    return err;
}

enum err
desk_add_thread(struct desk *desk, const struct table *table,
                const char *cursor, struct buf *why)
{
    desk_note_thread(desk, table->place, table->thread);
    return desk_read_thread(desk, desk_service(desk, table->place),
                            table->thread, cursor, why);
}

/* Is a game on in a thread of its own, or was the last one of a place? */
static bool
reads_thread(const struct desk *desk, const struct feed *feed)
{
    bool needed =
        desk_table_of_thread(desk, feed->service, feed->thread) != NULL;
    for (unsigned i = 0; !needed && i < desk->conf->place_count; i++) {
        needed =
            strcmp(desk->last_threads[i], feed->thread) == 0 &&
            strcmp(desk->conf->places[i].service, feed->service->name) == 0;
    }
    return needed;
}

bool
desk_reads(const struct desk *desk, const struct feed *feed)
{
    size_t at = 0;
    if (feed->thread[0] != '\0') {
        return reads_thread(desk, feed);
    }
    return feed->user[0] == '\0' ||
           desk_next_known(desk, feed->service, feed->user, &at) != NULL;
}

void
desk_lose(struct feed *feed, const char *trouble)
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
desk_service_of(struct desk *desk, unsigned number)
{
    struct service *service =
        desk_service_named(desk, desk->conf->places[number].service);
    assert(service != NULL); /* add_place has made it */
    return service;
}

enum err
desk_found(struct desk *desk, unsigned number, const char *thread,
           struct buf *why)
{
    struct service *service = desk_service_of(desk, number);
    struct buf name = BUF_INIT;
    (void)snprintf(desk->threads[number], sizeof desk->threads[number], "%s",
                   thread);
    enum err err = desk_add_feed(desk, service, thread, "", why);
    service->adapter->feed(service, thread, &name);
    struct feed *feed = desk_find_feed(desk, service, buf_text(&name));
    if (feed != NULL) {
        feed->thread[0] = '\0'; /* whatever else comes in it */
    }
    buf_release(&name);
    return err;
}

void
desk_measure(struct desk *desk, unsigned number, const struct outcome *outcome)
{
    desk->lengths[number] =
        (struct lengths){.longest = outcome->longest,
                         .shortest = outcome->shortest,
                         .longest_private = outcome->longest_private};
}

enum err
desk_found_talk(struct desk *desk, unsigned number, const char *place,
                struct buf *why)
{
    (void)snprintf(desk->moderators_talks[number],
                   sizeof desk->moderators_talks[number], "%s", place);
    return desk_add_feed(desk, desk_service_of(desk, number), place, "", why);
}

enum err
desk_note(struct desk *desk, const struct service *service,
          const struct outcome *outcome, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < outcome->note_count; i++) {
        err =
            store_set_note(desk->store, service->name, &outcome->notes[i], why);
    }
    return err;
}

/* ---- opening ------------------------------------------------------------- */

int64_t
desk_service_now(const struct desk *desk, const struct service *service,
                 int64_t now)
{
    if (service != NULL) {
        now = service_clock_now(&desk->clocks[service - desk->services], now);
    }
    for (size_t i = 0; i < desk->feed_count; i++) {
        if (desk->feeds[i].service == service) {
            now = desk->feeds[i].through > now ? desk->feeds[i].through : now;
        }
    }
    return now;
}

struct service_clock *
desk_clock(struct desk *desk, const struct service *service)
{
    return &desk->clocks[service - desk->services];
}
