#include "bot/tables/entry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/store/recover.h"
#include "bot/tables/tables.h"
#include "bot/tables/threads.h"

static unsigned
service_number(const struct tables *tables, const struct entry *entry)
{
    return services_number(&tables->services, entry->service);
}

/* ---- the lists ----------------------------------------------------------- */

/* The keys under which an entry is found. */
struct keys {
    uint64_t list[ENTRY_KEYS_MAX];
    unsigned count;
};

/* The key of a thread: inverted, because a person may have the same id. */
static uint64_t
thread_key(const struct service *service, const char *thread)
{
    return ~index_key(service->name, thread);
}

/* Two texts may have the same key, and somebody may sit and moderate. */
static void
add_key(struct keys *keys, uint64_t key)
{
    for (unsigned i = 0; i < keys->count; i++) {
        if (keys->list[i] == key) {
            return;
        }
    }
    keys->list[keys->count++] = key;
}

const char *
entry_home(const struct entry *entry)
{
    const struct table *table = &entry->table;
    return table->state == TABLE_SIGNUP || table_offers_seat(table)
               ? table->home
               : "";
}

static void
find_keys(const struct entry *entry, struct keys *keys)
{
    const struct table *table = &entry->table;
    const struct place *place = entry->place->conf;
    const char *service = entry->service->name;
    keys->count = 0;
    for (unsigned i = 0; i < place->moderator_count; i++) {
        add_key(keys, index_key(service, place->moderators[i]));
    }
    for (unsigned i = 0; i < table->moderator_count; i++) {
        add_key(keys, index_key(service, table->moderators[i]));
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        add_key(keys, index_key(service, table->seats[seat].user));
    }
    add_key(keys, thread_key(entry->service, table->thread));
    if (*entry_home(entry) != '\0') {
        add_key(keys, thread_key(entry->service, entry_home(entry)));
    }
}

/* List an entry under these keys, and no others. */
static void
list_under(struct tables *tables, struct entry *entry, const struct keys *keys)
{
    size_t size = keys->count * sizeof keys->list[0];
    if (entry->key_count == keys->count &&
        (size == 0 || memcmp(entry->keys, keys->list, size) == 0)) {
        return;
    }
    for (unsigned i = 0; i < entry->key_count; i++) {
        index_remove(&tables->known, entry->keys[i], (uintptr_t)entry);
    }
    for (unsigned i = 0; i < keys->count; i++) {
        index_add(&tables->known, keys->list[i], (uintptr_t)entry);
    }
    entry->keys = must_grow(entry->keys, size + 1);
    entry->key_count = keys->count;
    memcpy(entry->keys, keys->list, size);
}

/* List an entry under the feed that brings its thread; "": under none. */
static void
list_feed(struct tables *tables, struct entry *entry, const char *feed)
{
    const char *service = entry->service->name;
    if (strcmp(entry->feed, feed) == 0) {
        return;
    }
    if (*entry->feed != '\0') {
        index_remove(&tables->by_feed, index_key(service, entry->feed),
                     (uintptr_t)entry);
    }
    if (*feed != '\0') {
        index_add(&tables->by_feed, index_key(service, feed), (uintptr_t)entry);
    }
    must_replace(&entry->feed, feed);
}

void
tables_name_moderator(struct tables *tables, struct hosted_place *place,
                      unsigned which, const char *user)
{
    (void)snprintf(place->conf->moderators[which],
                   sizeof place->conf->moderators[which], "%s", user);
    for (size_t i = 0; i < tables->table_count; i++) {
        if (tables->list[i]->place == place) {
            tables_note(tables, tables->list[i]);
        }
    }
}

static void
schedule_telling(struct tables *tables, struct entry *entry)
{
    int64_t since = entry->table.untold_since;
    if (since == 0 || entry->table.state != TABLE_RUNNING) {
        heap_remove(&tables->tellings, &entry->telling);
    } else {
        entry->telling.owner = entry;
        heap_set(&tables->tellings, &entry->telling, since + TELLING_MS);
    }
}

void
tables_schedule(struct tables *tables, struct entry *entry)
{
    struct heap *heap = &tables->timers[service_number(tables, entry)];
    if (entry->timer.kind == TIMER_NONE) {
        heap_remove(heap, &entry->due);
    } else {
        heap_set(heap, &entry->due, entry->timer.at);
    }
    schedule_telling(tables, entry);
}

static void
set_astray(struct tables *tables, struct entry *entry, bool astray)
{
    places_count_astray(&tables->places, entry->place, astray - entry->astray);
    entry->astray = astray;
}

/* Is its thread neither its place's nor its own? */
static void
note_astray(struct tables *tables, struct entry *entry)
{
    const char *thread = entry->place->ids[PLACE_THREAD];
    set_astray(tables, entry,
               entry->table.home[0] == '\0' && thread[0] != '\0' &&
                   strcmp(entry->table.thread, thread) != 0);
}

void
tables_note_place(struct tables *tables, const struct hosted_place *place)
{
    for (size_t i = 0; i < tables->table_count; i++) {
        if (tables->list[i]->place == place) {
            note_astray(tables, tables->list[i]);
        }
    }
}

/* Count a table whose question is answered in private, or no longer. */
static void
count_private(struct tables *tables, struct entry *entry, bool private)
{
    size_t *count = &tables->asked_privately[service_number(tables, entry)];
    *count += (size_t) private - (size_t)entry->private;
    entry->private = private;
}

static void
note_opened(struct tables *tables, const struct entry *entry)
{
    int64_t *last = &tables->last_opened[service_number(tables, entry)];
    int64_t opened = table_put_at(&entry->table);
    *last = opened > *last ? opened : *last;
}

void
tables_note(struct tables *tables, struct entry *entry)
{
    struct keys keys;
    struct buf feed = BUF_INIT;
    entry->service->adapter->feed(entry->service, entry->table.thread, &feed);
    list_feed(tables, entry, buf_text(&feed));
    buf_release(&feed);
    find_keys(entry, &keys);
    list_under(tables, entry, &keys);
    note_astray(tables, entry);
    count_private(tables, entry, table_private_seats(&entry->table) != 0);
    note_opened(tables, entry);
    entry->timer = table_timer(&entry->table);
    tables_schedule(tables, entry);
}

struct table *
tables_find(struct tables *tables, const char *id)
{
    struct entry *entry = tables_named(tables, id);
    return entry == NULL ? NULL : &entry->table;
}

enum err
tables_end(struct tables *tables, enum err err, struct buf *why)
{
    if (err == ERR_NONE) {
        err = store_commit(tables->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(tables->store);
    }
    return err;
}

/* ---- adding and taking out ----------------------------------------------- */

void
tables_add(struct tables *tables, const struct table *table)
{
    struct entry *entry = must_alloc(sizeof *entry);
    if (tables->table_count == tables->table_room) {
        tables->table_room =
            tables->table_room == 0 ? 8 : 2 * tables->table_room;
        tables->list = must_grow(tables->list,
                                 tables->table_room * sizeof(struct entry *));
    }
    table_clone(&entry->table, table);
    entry->place = places_find(&tables->places, entry->table.place);
    assert(entry->place != NULL);
    entry->service = entry->place->service;
    entry->feed = must_copy("");
    entry->due.number = tables->added++;
    entry->due.owner = entry;
    tables->list[tables->table_count++] = entry;
    index_add(&tables->by_id, index_key("", entry->table.id), (uintptr_t)entry);
    tables_note(tables, entry);
}

static void
entry_free(struct tables *tables, struct entry *entry)
{
    heap_remove(&tables->tellings, &entry->telling);
    table_release(&entry->table);
    free(entry->keys);
    free(entry->feed);
    free(entry);
}

/* Where it went astray, does something wait to be said? */
static void
note_left(struct tables *tables, const struct entry *entry)
{
    size_t at = 0;
    if (entry->astray &&
        outbox_next_in_thread(&tables->outbox, entry->table.thread, &at) !=
            NULL) {
        threads_note_left(tables, entry->place, entry->table.thread);
    }
}

void
tables_clear(struct tables *tables)
{
    size_t kept = 0;
    if (!tables->ended) {
        return;
    }
    for (size_t i = 0; i < tables->table_count; i++) {
        struct entry *entry = tables->list[i];
        if (entry->table.state != TABLE_OVER) {
            tables->list[kept++] = entry;
            continue;
        }
        list_under(tables, entry, &(struct keys){.count = 0});
        list_feed(tables, entry, "");
        index_remove(&tables->by_id, index_key("", entry->table.id),
                     (uintptr_t)entry);
        heap_remove(&tables->timers[service_number(tables, entry)],
                    &entry->due);
        note_left(tables, entry);
        set_astray(tables, entry, false);
        count_private(tables, entry, false);
        entry_free(tables, entry);
    }
    tables->table_count = kept;
    tables->ended = false;
}

void
tables_release_entries(struct tables *tables)
{
    for (size_t i = 0; i < tables->table_count; i++) {
        entry_free(tables, tables->list[i]);
    }
    for (unsigned i = 0; i < tables->services.count; i++) {
        heap_release(&tables->timers[i]);
    }
    heap_release(&tables->tellings);
    free(tables->list);
    index_release(&tables->known);
    index_release(&tables->by_id);
    index_release(&tables->by_feed);
}

/* ---- finding them -------------------------------------------------------- */

unsigned
entry_seat(const struct entry *entry, const char *user)
{
    for (unsigned seat = 0; seat < entry->table.seated; seat++) {
        if (strcmp(entry->table.seats[seat].user, user) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
}

bool
entry_knows(const struct entry *entry, const char *user)
{
    bool knows = entry_seat(entry, user) != NO_SEAT;
    for (unsigned i = 0; !knows && i < entry->place->conf->moderator_count;
         i++) {
        knows = strcmp(entry->place->conf->moderators[i], user) == 0;
    }
    for (unsigned i = 0; !knows && i < entry->table.moderator_count; i++) {
        knows = strcmp(entry->table.moderators[i], user) == 0;
    }
    return knows;
}

bool
entry_is_for(const struct entry *entry, const char *thread)
{
    return strcmp(entry->table.thread, thread) == 0 ||
           strcmp(entry_home(entry), thread) == 0;
}

bool
entry_has_command(const struct entry *entry, const struct rich *rich)
{
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t line = 0;
    bool found = intent_command(rich, entry->place->conf->settings.prefix,
                                entry->service->self, &line, &word, &rest);
    buf_release(&word);
    buf_release(&rest);
    return found;
}

/* The next entry under a key, which another may share; NULL: no more. */
static struct entry *
next_under(const struct index *index, uint64_t key, size_t *at)
{
    return index_next_pointer(index, key, at);
}

struct entry *
tables_named(const struct tables *tables, const char *id)
{
    struct entry *entry;
    size_t at = 0;
    do {
        entry = next_under(&tables->by_id, index_key("", id), &at);
    } while (entry != NULL && strcmp(entry->table.id, id) != 0);
    return entry;
}

/* The next entry under a key that is a service's and fits a name. */
static struct entry *
next_fit(const struct index *index, uint64_t key, const struct service *service,
         bool (*fits)(const struct entry *entry, const char *name),
         const char *name, size_t *at)
{
    struct entry *entry;
    do {
        entry = next_under(index, key, at);
    } while (entry != NULL &&
             (entry->service != service || !fits(entry, name)));
    return entry;
}

static bool
has_feed(const struct entry *entry, const char *feed)
{
    return strcmp(entry->feed, feed) == 0;
}

static bool
has_seat(const struct entry *entry, const char *user)
{
    return entry_seat(entry, user) != NO_SEAT;
}

struct entry *
tables_next_in_thread(const struct tables *tables,
                      const struct service *service, const char *thread,
                      size_t *at)
{
    return next_fit(&tables->known, thread_key(service, thread), service,
                    entry_is_for, thread, at);
}

struct entry *
tables_next_of_feed(const struct tables *tables, const struct service *service,
                    const char *feed, size_t *at)
{
    return next_fit(&tables->by_feed, index_key(service->name, feed), service,
                    has_feed, feed, at);
}

struct entry *
tables_next_of_user(const struct tables *tables, const struct service *service,
                    const char *user, size_t *at)
{
    return next_fit(&tables->known, index_key(service->name, user), service,
                    has_seat, user, at);
}

struct entry *
tables_next_known(const struct tables *tables, const struct service *service,
                  const char *user, size_t *at)
{
    return next_fit(&tables->known, index_key(service->name, user), service,
                    entry_knows, user, at);
}

const struct entry *
tables_next_due(const struct tables *tables, const struct service *service)
{
    const struct heap_item *first = heap_first(
        &tables->timers[services_number(&tables->services, service)]);
    return first == NULL ? NULL : first->owner;
}

struct entry *
tables_of_thread(const struct tables *tables, const struct service *service,
                 const char *thread)
{
    struct entry *entry;
    size_t at = 0;
    do {
        entry = tables_next_in_thread(tables, service, thread, &at);
    } while (entry != NULL && strcmp(entry->table.thread, thread) != 0);
    return entry;
}

/* The tables that were opened in a thread and take people there, either before
 * or during their game. */
static struct entry *
taking_people(const struct tables *tables, const struct service *service,
              const char *thread, bool signup, unsigned *count)
{
    struct entry *found = NULL;
    struct entry *entry = NULL;
    size_t at = 0;
    *count = 0;
    while ((entry = tables_next_in_thread(tables, service, thread, &at)) !=
           NULL) {
        if (strcmp(entry->table.thread, thread) != 0 &&
            (entry->table.state == TABLE_SIGNUP) == signup) {
            found = entry;
            ++*count;
        }
    }
    return found;
}

struct entry *
tables_signup_of(const struct tables *tables, const struct service *service,
                 const char *thread, unsigned *count)
{
    return taking_people(tables, service, thread, true, count);
}

struct entry *
tables_offer_of(const struct tables *tables, const struct service *service,
                const char *thread, unsigned *count)
{
    return taking_people(tables, service, thread, false, count);
}
