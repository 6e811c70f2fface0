#include "bot/tables/hosted.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"

/* ---- the lists ----------------------------------------------------------- */

/* The key of a thread: inverted, because a person may have the same id. */
static uint64_t
thread_key(const struct service *service, const char *thread)
{
    return ~index_key(service->name, thread);
}

static uint64_t
feed_key(const char *feed)
{
    return ~index_key("", feed);
}

/* Two texts may have the same key, and somebody may sit and moderate. */
static void
add_key(struct hosted_keys *keys, uint64_t key)
{
    for (unsigned i = 0; i < keys->count; i++) {
        if (keys->list[i] == key) {
            return;
        }
    }
    keys->list[keys->count++] = key;
}

const char *
hosted_home(const struct hosted_table *hosted)
{
    const struct table *table = &hosted->table;
    return table->state == TABLE_SIGNUP || table_offers_seat(table)
               ? table->home
               : "";
}

static void
find_keys(const struct hosted_table *hosted, struct hosted_keys *keys)
{
    const struct table *table = &hosted->table;
    const struct place *place = hosted->place->conf;
    const char *service = hosted->service->name;
    const char *moderator = NULL;
    memset(keys, 0, sizeof *keys);
    for (unsigned i = 0; (moderator = place_moderator(place, table, i)) != NULL;
         i++) {
        add_key(keys, index_key(service, moderator));
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        add_key(keys, index_key(service, table->seats[seat].user));
    }
    add_key(keys, thread_key(hosted->service, table->thread));
    if (*hosted_home(hosted) != '\0') {
        add_key(keys, thread_key(hosted->service, hosted_home(hosted)));
    }
    add_key(keys, feed_key(hosted->feed));
    add_key(keys, index_key("", table->id));
}

/* List a table under these keys, and no others. */
static void
list_under(struct tables *tables, struct hosted_table *hosted,
           const struct hosted_keys *keys)
{
    struct index *known = &tables->hosted.known;
    if (hosted->keys.count == keys->count &&
        memcmp(hosted->keys.list, keys->list,
               keys->count * sizeof keys->list[0]) == 0) {
        return;
    }
    for (unsigned i = 0; i < hosted->keys.count; i++) {
        index_remove(known, hosted->keys.list[i], (uintptr_t)hosted);
    }
    for (unsigned i = 0; i < keys->count; i++) {
        index_add(known, keys->list[i], (uintptr_t)hosted);
    }
    hosted->keys = *keys;
}

void
hosted_name_moderator(void *context, struct hosted_place *place, unsigned which,
                      const char *user)
{
    struct tables *tables = context;
    (void)snprintf(place->conf->moderators[which],
                   sizeof place->conf->moderators[which], "%s", user);
    for (size_t i = 0; i < tables->hosted.count; i++) {
        if (tables->hosted.list[i]->place == place) {
            hosted_note(tables, tables->hosted.list[i]);
        }
    }
}

void
hosted_schedule(struct tables *tables, struct hosted_table *hosted)
{
    struct heap *heap = &tables->hosted.timers[hosted->service->number];
    if (hosted->timer.kind == TIMER_NONE) {
        heap_remove(heap, &hosted->due);
    } else {
        heap_set(heap, &hosted->due, hosted->timer.at);
    }
}

static void
set_astray(struct tables *tables, struct hosted_table *hosted, bool astray)
{
    places_count_astray(&tables->places, hosted->place,
                        astray - hosted->astray);
    hosted->astray = astray;
}

/* Is its thread neither its place's nor its own? */
static void
note_astray(struct tables *tables, struct hosted_table *hosted)
{
    const char *thread = hosted->place->ids[PLACE_THREAD];
    set_astray(tables, hosted,
               hosted->table.home[0] == '\0' && thread[0] != '\0' &&
                   strcmp(hosted->table.thread, thread) != 0);
}

void
hosted_note_place(struct tables *tables, const struct hosted_place *place)
{
    for (size_t i = 0; i < tables->hosted.count; i++) {
        if (tables->hosted.list[i]->place == place) {
            note_astray(tables, tables->hosted.list[i]);
        }
    }
}

/* Count a table whose question is answered in private, or no longer. */
static void
count_private(struct tables *tables, struct hosted_table *hosted, bool private)
{
    size_t *count = &tables->hosted.asked_privately[hosted->service->number];
    *count += (size_t) private - (size_t)hosted->private;
    hosted->private = private;
}

static void
note_opened(struct tables *tables, const struct hosted_table *hosted)
{
    int64_t *last = &tables->hosted.last_opened[hosted->service->number];
    int64_t opened = table_put_at(&hosted->table);
    *last = opened > *last ? opened : *last;
}

void
hosted_forget_opened(struct tables *tables, const struct service *service)
{
    tables->hosted.last_opened[service->number] = 0;
}

void
hosted_note(struct tables *tables, struct hosted_table *hosted)
{
    struct hosted_keys keys;
    struct buf feed = BUF_INIT;
    hosted->service->adapter->feed(hosted->service, hosted->table.thread,
                                   &feed);
    must_replace(&hosted->feed, buf_text(&feed));
    buf_release(&feed);
    find_keys(hosted, &keys);
    list_under(tables, hosted, &keys);
    note_astray(tables, hosted);
    count_private(tables, hosted, table_private_seats(&hosted->table) != 0);
    note_opened(tables, hosted);
    hosted->timer = table_timer(&hosted->table);
    hosted_schedule(tables, hosted);
}

struct table *
hosted_find(struct tables *tables, const char *id)
{
    struct hosted_table *hosted = hosted_named(tables, id);
    return hosted == NULL ? NULL : &hosted->table;
}

/* ---- adding and taking out ----------------------------------------------- */

void
hosted_add(struct tables *tables, const struct table *table)
{
    struct hosted_table *hosted = must_alloc(sizeof *hosted);
    table_clone(&hosted->table, table);
    hosted->place = places_find(&tables->places, hosted->table.place);
    assert(hosted->place != NULL);
    hosted->service = hosted->place->service;
    hosted->due.number = tables->hosted.added++;
    hosted->due.owner = hosted;
    tables->hosted.list =
        must_grow(tables->hosted.list,
                  (tables->hosted.count + 1) * sizeof(struct hosted_table *));
    tables->hosted.list[tables->hosted.count++] = hosted;
    hosted_note(tables, hosted);
}

static void
hosted_free(struct hosted_table *hosted)
{
    table_release(&hosted->table);
    free(hosted->feed);
    free(hosted);
}

void
hosted_clear(struct tables *tables)
{
    size_t kept = 0;
    if (!tables->hosted.ended) {
        return;
    }
    for (size_t i = 0; i < tables->hosted.count; i++) {
        struct hosted_table *hosted = tables->hosted.list[i];
        if (hosted->table.state != TABLE_OVER) {
            tables->hosted.list[kept++] = hosted;
            continue;
        }
        list_under(tables, hosted, &(struct hosted_keys){.count = 0});
        heap_remove(&tables->hosted.timers[hosted->service->number],
                    &hosted->due);
        set_astray(tables, hosted, false);
        count_private(tables, hosted, false);
        hosted_free(hosted);
    }
    tables->hosted.count = kept;
    tables->hosted.ended = false;
}

void
hosted_release(struct tables *tables)
{
    for (size_t i = 0; i < tables->hosted.count; i++) {
        hosted_free(tables->hosted.list[i]);
    }
    for (unsigned i = 0; i < tables->services.count; i++) {
        heap_release(&tables->hosted.timers[i]);
    }
    free(tables->hosted.list);
    free(tables->hosted.timers);
    free(tables->hosted.asked_privately);
    free(tables->hosted.last_opened);
    index_release(&tables->hosted.known);
}

/* ---- finding them -------------------------------------------------------- */

bool
hosted_knows(const struct hosted_table *hosted, const char *user)
{
    return table_seat(&hosted->table, user) != NO_SEAT ||
           place_moderates(hosted->place->conf, &hosted->table, user);
}

bool
hosted_is_for(const struct hosted_table *hosted, const char *thread)
{
    return strcmp(hosted->table.thread, thread) == 0 ||
           strcmp(hosted_home(hosted), thread) == 0;
}

bool
hosted_has_command(const struct hosted_table *hosted, const struct rich *rich)
{
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t line = 0;
    bool found = intent_command(rich, hosted->place->conf->settings.prefix,
                                hosted->service->self, &line, &word, &rest);
    buf_release(&word);
    buf_release(&rest);
    return found;
}

struct hosted_table *
hosted_named(const struct tables *tables, const char *id)
{
    struct hosted_table *hosted;
    size_t at = 0;
    do {
        hosted =
            index_next_pointer(&tables->hosted.known, index_key("", id), &at);
    } while (hosted != NULL && strcmp(hosted->table.id, id) != 0);
    return hosted;
}

/* The next hosted under a key that is a service's and fits a name. */
static struct hosted_table *
next_fit(const struct tables *tables, uint64_t key,
         const struct service *service,
         bool (*fits)(const struct hosted_table *hosted, const char *name),
         const char *name, size_t *at)
{
    struct hosted_table *hosted;
    do {
        hosted = index_next_pointer(&tables->hosted.known, key, at);
    } while (hosted != NULL &&
             (hosted->service != service || !fits(hosted, name)));
    return hosted;
}

static bool
has_feed(const struct hosted_table *hosted, const char *feed)
{
    return strcmp(hosted->feed, feed) == 0;
}

static bool
has_seat(const struct hosted_table *hosted, const char *user)
{
    return table_seat(&hosted->table, user) != NO_SEAT;
}

struct hosted_table *
hosted_next_in_thread(const struct tables *tables,
                      const struct service *service, const char *thread,
                      size_t *at)
{
    return next_fit(tables, thread_key(service, thread), service, hosted_is_for,
                    thread, at);
}

struct hosted_table *
hosted_next_of_feed(const struct tables *tables, const struct feed *feed,
                    size_t *at)
{
    return next_fit(tables, feed_key(feed->name), feed->service, has_feed,
                    feed->name, at);
}

struct hosted_table *
hosted_next_of_user(const struct tables *tables, const struct service *service,
                    const char *user, size_t *at)
{
    return next_fit(tables, index_key(service->name, user), service, has_seat,
                    user, at);
}

struct hosted_table *
hosted_next_known(const struct tables *tables, const struct service *service,
                  const char *user, size_t *at)
{
    return next_fit(tables, index_key(service->name, user), service,
                    hosted_knows, user, at);
}

const struct hosted_table *
hosted_next_due(const struct tables *tables, const struct service *service)
{
    const struct heap_item *first =
        heap_first(&tables->hosted.timers[service->number]);
    return first == NULL ? NULL : first->owner;
}

struct hosted_table *
hosted_of_thread(const struct tables *tables, const struct service *service,
                 const char *thread)
{
    struct hosted_table *hosted;
    size_t at = 0;
    do {
        hosted = hosted_next_in_thread(tables, service, thread, &at);
    } while (hosted != NULL && strcmp(hosted->table.thread, thread) != 0);
    return hosted;
}

struct hosted_table *
hosted_of_post(const struct tables *tables, const struct service *service,
               const struct post *post)
{
    return post->dm ? NULL : hosted_of_thread(tables, service, post->place);
}

struct hosted_table *
hosted_taking(const struct tables *tables, const struct service *service,
              const char *thread, bool signup, unsigned *count)
{
    struct hosted_table *found = NULL;
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    *count = 0;
    while ((hosted = hosted_next_in_thread(tables, service, thread, &at)) !=
           NULL) {
        if (strcmp(hosted->table.thread, thread) != 0 &&
            (hosted->table.state == TABLE_SIGNUP) == signup) {
            found = hosted;
            ++*count;
        }
    }
    return found;
}
