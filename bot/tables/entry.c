#include "bot/tables/entry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/store/recover.h"
#include "bot/tables/tables.h"
#include "bot/tables/threads.h"

/* ---- what an entry holds ------------------------------------------------- */

static unsigned
service_number(const struct tables *tables, const struct entry *entry)
{
    return services_number(&tables->services, entry->service);
}

static void
set_feed(struct entry *entry)
{
    struct buf feed = BUF_INIT;
    entry->service->adapter->feed(entry->service, entry->outline.thread, &feed);
    must_replace(&entry->feed, buf_text(&feed));
    buf_release(&feed);
}

/* ---- the lists ----------------------------------------------------------- */

/* The key of a thread: inverted, because a person may have the same id. */
static uint64_t
thread_key(const struct service *service, const char *thread)
{
    return ~index_key(service->name, thread);
}

/* The next moderator, of the place's and of the table's own, who does not sit
 * there; each once.  NULL: no more. */
static const char *
next_moderator(const struct entry *entry, unsigned *at)
{
    const struct place *place = entry->place->conf;
    while (*at < place->moderator_count + entry->outline.moderator_count) {
        unsigned number = (*at)++;
        const char *user =
            number < place->moderator_count
                ? place->moderators[number]
                : entry->outline.moderators[number - place->moderator_count];
        bool known = entry_seat(entry, user) != NO_SEAT;
        for (unsigned i = 0; !known && i < number; i++) {
            const char *other =
                i < place->moderator_count
                    ? place->moderators[i]
                    : entry->outline.moderators[i - place->moderator_count];
            known = strcmp(other, user) == 0;
        }
        if (!known) {
            return user;
        }
    }
    return NULL;
}

static bool
takes_people(const struct outline *outline)
{
    return outline->state == TABLE_SIGNUP || outline->offers;
}

const char *
entry_home(const struct entry *entry)
{
    return takes_people(&entry->outline) ? entry->outline.home : "";
}

/* List an entry under everything by which it is looked for, or take it off. */
static void
list_with(struct tables *tables, struct entry *entry,
          void (*change)(struct index *index, uint64_t key, uintptr_t value))
{
    struct index *index = &tables->known;
    const char *service = entry->service->name;
    const char *moderator = NULL;
    unsigned at = 0;
    while ((moderator = next_moderator(entry, &at)) != NULL) {
        change(index, index_key(service, moderator), (uintptr_t)entry);
    }
    for (unsigned seat = 0; seat < entry->outline.seated; seat++) {
        change(index, index_key(service, entry->outline.people[seat]),
               (uintptr_t)entry);
    }
    change(index, thread_key(entry->service, entry->outline.thread),
           (uintptr_t)entry);
    if (*entry_home(entry) != '\0') {
        change(index, thread_key(entry->service, entry_home(entry)),
               (uintptr_t)entry);
    }
    change(&tables->by_id, index_key("", entry->id), (uintptr_t)entry);
    change(&tables->by_feed, index_key(service, entry->feed), (uintptr_t)entry);
}

static void
list_place(struct tables *tables, const struct hosted_place *place,
           void (*change)(struct index *index, uint64_t key, uintptr_t value))
{
    for (size_t i = 0; i < tables->table_count; i++) {
        if (tables->list[i]->place == place) {
            list_with(tables, tables->list[i], change);
        }
    }
}

void
tables_name_moderator(struct tables *tables, struct hosted_place *place,
                      unsigned which, const char *user)
{
    char *moderator = place->conf->moderators[which];
    list_place(tables, place, index_remove);
    (void)snprintf(moderator, sizeof place->conf->moderators[which], "%s",
                   user);
    list_place(tables, place, index_add);
}

static void
schedule_telling(struct tables *tables, struct entry *entry)
{
    int64_t since = entry->outline.untold_since;
    if (since == 0 || entry->outline.state != TABLE_RUNNING) {
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
    if (entry->outline.timer.kind == TIMER_NONE) {
        heap_remove(heap, &entry->due);
    } else {
        heap_set(heap, &entry->due, entry->outline.timer.at);
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
               entry->outline.home[0] == '\0' && thread[0] != '\0' &&
                   strcmp(entry->outline.thread, thread) != 0);
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

/* Its people or its thread are new. */
static void
list_entry(struct tables *tables, struct entry *entry)
{
    set_feed(entry);
    note_astray(tables, entry);
    list_with(tables, entry, index_add);
}

/* Count a table whose question is answered in private, or no longer. */
static void
count_private(struct tables *tables, const struct entry *entry, bool add)
{
    size_t *count = &tables->asked_privately[service_number(tables, entry)];
    if (entry->outline.private_seats != 0) {
        *count = add ? *count + 1 : *count - 1;
    }
}

/* An entry gets another outline, which is taken over. */
static void
note_opened(struct tables *tables, const struct entry *entry)
{
    int64_t *last = &tables->last_opened[service_number(tables, entry)];
    if (entry->outline.opened > *last) {
        *last = entry->outline.opened;
    }
}

static void
set_outline(struct tables *tables, struct entry *entry,
            const struct outline *outline)
{
    bool moved = !outline_same_people(&entry->outline, outline) ||
                 takes_people(&entry->outline) != takes_people(outline);
    count_private(tables, entry, false);
    if (moved) {
        list_with(tables, entry, index_remove);
    }
    outline_release(&entry->outline);
    entry->outline = *outline;
    if (moved) {
        list_entry(tables, entry);
    }
    count_private(tables, entry, true);
    note_opened(tables, entry);
    tables_schedule(tables, entry);
}

void
tables_note(struct tables *tables, struct entry *entry)
{
    struct outline outline = {.texts = NULL};
    outline_take(&outline, entry->table);
    set_outline(tables, entry, &outline);
}

void
tables_changed(struct tables *tables, const struct table *table)
{
    struct entry *entry = tables_named(tables, table->id);
    assert(entry != NULL && entry->table == table);
    tables_note(tables, entry);
}

/* ---- loaded, and at rest ------------------------------------------------- */

static void
leave_loaded(struct tables *tables, struct entry *entry)
{
    if (entry->newer != NULL) {
        entry->newer->older = entry->older;
    } else {
        tables->newest = entry->older;
    }
    if (entry->older != NULL) {
        entry->older->newer = entry->newer;
    } else {
        tables->oldest = entry->newer;
    }
    entry->newer = NULL;
    entry->older = NULL;
    tables->loaded--;
}

static void
join_loaded(struct tables *tables, struct entry *entry)
{
    entry->older = tables->newest;
    if (tables->newest != NULL) {
        tables->newest->newer = entry;
    } else {
        tables->oldest = entry;
    }
    tables->newest = entry;
    tables->loaded++;
}

/* Wipe a table: it holds roles, cards and the deal's secret. */
static void
put_to_rest(struct tables *tables, struct entry *entry)
{
    if (entry->table != NULL) {
        leave_loaded(tables, entry);
        table_release(entry->table);
        free(entry->table);
        entry->table = NULL;
    }
}

void
tables_rest(struct tables *tables)
{
    while (tables->loaded > tables->loaded_max) {
        put_to_rest(tables, tables->oldest);
    }
}

/* As it was when it was put to rest: the threads of games in their place are
 * not in the journal (threads_move). */
static bool
replay(struct tables *tables, struct entry *entry)
{
    struct table *table = must_alloc(sizeof *table);
    table_init(table);
    buf_clear(&tables->trouble);
    tables->failed =
        recover_table(tables->store, entry->id, table, &tables->trouble);
    if (tables->failed != ERR_NONE) {
        (void)snprintf(tables->unreadable, sizeof tables->unreadable, "%s",
                       entry->id);
        table_release(table);
        free(table);
        return false;
    }
    if (table->home[0] == '\0') {
        table_set_thread(table, entry->outline.thread);
    }
    entry->table = table;
    return true;
}

struct table *
tables_load(struct tables *tables, struct entry *entry)
{
    if (entry->table != NULL) {
        leave_loaded(tables, entry);
    } else if (tables->failed != ERR_NONE || !replay(tables, entry)) {
        return NULL;
    }
    join_loaded(tables, entry);
    return entry->table;
}

struct table *
tables_find(struct tables *tables, const char *id)
{
    struct entry *entry = tables_named(tables, id);
    return entry == NULL ? NULL : tables_load(tables, entry);
}

enum err
tables_check(const struct tables *tables, struct buf *why)
{
    return tables->failed == ERR_NONE
               ? ERR_NONE
               : err_say(why, tables->failed, "%s", buf_text(&tables->trouble));
}

enum err
tables_end(struct tables *tables, enum err err, struct buf *why)
{
    if (err == ERR_NONE) {
        err = tables_check(tables, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(tables->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(tables->store);
    }
    return err;
}

/* ---- adding and taking out ----------------------------------------------- */

/* Add an entry without a table, with an outline, which is taken over. */
static struct entry *
add_entry(struct tables *tables, const char *id, const char *place,
          const struct outline *outline)
{
    struct entry *entry = must_alloc(sizeof *entry);
    if (tables->table_count == tables->table_room) {
        tables->table_room =
            tables->table_room == 0 ? 8 : 2 * tables->table_room;
        tables->list = must_grow(tables->list,
                                 tables->table_room * sizeof(struct entry *));
    }
    (void)snprintf(entry->id, sizeof entry->id, "%s", id);
    entry->place = places_find(&tables->places, place);
    assert(entry->place != NULL);
    entry->service = entry->place->service;
    entry->due.number = tables->added++;
    entry->due.owner = entry;
    tables->list[tables->table_count++] = entry;
    entry->outline = *outline;
    list_entry(tables, entry);
    count_private(tables, entry, true);
    note_opened(tables, entry);
    tables_schedule(tables, entry);
    return entry;
}

void
tables_add(struct tables *tables, const struct table *table)
{
    struct outline outline = {.texts = NULL};
    outline_take(&outline, table);
    struct entry *entry = add_entry(tables, table->id, table->place, &outline);
    entry->table = must_alloc(sizeof *entry->table);
    table_clone(entry->table, table);
    join_loaded(tables, entry);
}

void
tables_add_outline(struct tables *tables, const struct store_game *game,
                   struct outline *outline)
{
    if (outline->home[0] == '\0') {
        /* It may have moved since it was opened. */
        outline_set_thread(outline, game->thread);
    }
    (void)add_entry(tables, game->id, game->place, outline);
    memset(outline, 0, sizeof *outline);
}

static void
entry_free(struct tables *tables, struct entry *entry)
{
    put_to_rest(tables, entry);
    heap_remove(&tables->tellings, &entry->telling);
    outline_release(&entry->outline);
    free(entry->feed);
    free(entry);
}

/* Where it went astray, does something wait to be said? */
static void
note_left(struct tables *tables, const struct entry *entry)
{
    size_t at = 0;
    if (entry->astray &&
        outbox_next_in_thread(&tables->outbox, entry->outline.thread, &at) !=
            NULL) {
        threads_note_left(tables, entry->place, entry->outline.thread);
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
        if (entry->outline.state != TABLE_OVER) {
            tables->list[kept++] = entry;
            continue;
        }
        list_with(tables, entry, index_remove);
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
    buf_release(&tables->trouble);
}

/* ---- finding them -------------------------------------------------------- */

unsigned
entry_seat(const struct entry *entry, const char *user)
{
    for (unsigned seat = 0; seat < entry->outline.seated; seat++) {
        if (strcmp(entry->outline.people[seat], user) == 0) {
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
    for (unsigned i = 0; !knows && i < entry->outline.moderator_count; i++) {
        knows = strcmp(entry->outline.moderators[i], user) == 0;
    }
    return knows;
}

bool
entry_is_for(const struct entry *entry, const char *thread)
{
    return strcmp(entry->outline.thread, thread) == 0 ||
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
    } while (entry != NULL && strcmp(entry->id, id) != 0);
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
    } while (entry != NULL && strcmp(entry->outline.thread, thread) != 0);
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
        if (strcmp(entry->outline.thread, thread) != 0 &&
            (entry->outline.state == TABLE_SIGNUP) == signup) {
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
