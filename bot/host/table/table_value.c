/* A table as a value: made, copied, compared, wiped. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/base/name.h"
#include "bot/host/table/table_inner.h"

enum {
    LISTS = 6,
    LIST_LEAST = 4 /* elements that a list has room for */
};

/* A list of a table that grows. */
struct list {
    void *elements;
    unsigned count;
    size_t size; /* of an element */
};

static void
get_lists(const struct table *table, struct list lists[LISTS])
{
    lists[0] =
        (struct list){table->past, table->past_count, sizeof table->past[0]};
    lists[1] = (struct list){table->claims, table->claim_count,
                             sizeof table->claims[0]};
    lists[2] = (struct list){table->pauses, table->pause_count,
                             sizeof table->pauses[0]};
    lists[3] = (struct list){table->reserves, table->reserve_count,
                             sizeof table->reserves[0]};
    lists[4] = (struct list){table->former, table->former_count,
                             sizeof table->former[0]};
    lists[5] = (struct list){table->warned, table->warned_count,
                             sizeof table->warned[0]};
}

static void
set_lists(struct table *table, const struct list lists[LISTS])
{
    table->past = lists[0].elements;
    table->claims = lists[1].elements;
    table->pauses = lists[2].elements;
    table->reserves = lists[3].elements;
    table->former = lists[4].elements;
    table->warned = lists[5].elements;
}

/* How many elements a list of that many has room for. */
static unsigned
room_of(unsigned count)
{
    unsigned room = count == 0 ? 0 : LIST_LEAST;
    while (room < count) {
        room *= 2;
    }
    return room;
}

void *
table_grow(void *list, unsigned count, size_t size)
{
    if (count < room_of(count)) {
        return list;
    }
    void *grown = must_alloc(room_of(count + 1) * size);
    if (count > 0) {
        memcpy(grown, list, count * size);
        sodium_memzero(list, count * size);
    }
    free(list);
    return grown;
}

static void
each_own_name(struct table *table, void (*each)(const char **name))
{
    each(&table->place);
    each(&table->thread);
    each(&table->home);
    each(&table->opener);
    each(&table->opener_name);
    each(&table->gallery_place);
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        each(&table->asked[i].user);
        each(&table->asked[i].post);
        each(&table->asked[i].text);
    }
    for (unsigned i = 0; i < TABLE_WATCHERS_MAX; i++) {
        each(&table->watchers[i]);
    }
    for (unsigned i = 0; i < TABLE_MODERATORS_MAX; i++) {
        each(&table->moderators[i]);
    }
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        seat_each_name(&table->seats[i], each);
    }
}

static void
each_name(struct table *table, void (*each)(const char **name))
{
    each_own_name(table, each);
    for (unsigned i = 0; i < table->past_count; i++) {
        each(&table->past[i].post);
    }
    for (unsigned i = 0; i < table->reserve_count; i++) {
        seat_each_name(&table->reserves[i], each);
    }
    for (unsigned i = 0; i < table->former_count; i++) {
        each(&table->former[i].user);
        each(&table->former[i].name);
    }
    for (unsigned i = 0; i < table->warned_count; i++) {
        each(&table->warned[i].reason);
    }
}

void
table_init(struct table *table)
{
    memset(table, 0, sizeof *table);
    each_name(table, name_begin);
}

void
table_blank(struct table *table, const struct settings *settings,
            const char *place, const char *thread)
{
    table_init(table);
    table->settings = *settings;
    name_set(&table->place, place);
    name_set(&table->thread, thread);
}

void
table_set_thread(struct table *table, const char *thread)
{
    name_set(&table->thread, thread);
}

void
table_clone(struct table *to, const struct table *from)
{
    struct list lists[LISTS];
    get_lists(from, lists);
    for (unsigned i = 0; i < LISTS; i++) {
        const struct list *list = &lists[i];
        void *copy = NULL;
        if (list->count > 0) {
            copy = must_alloc(room_of(list->count) * list->size);
            memcpy(copy, list->elements, list->count * list->size);
        }
        lists[i].elements = copy;
    }
    *to = *from;
    set_lists(to, lists);
    each_name(to, name_keep_again);
}

void
table_release(struct table *table)
{
    struct list lists[LISTS];
    each_name(table, name_drop);
    get_lists(table, lists);
    for (unsigned i = 0; i < LISTS; i++) {
        if (lists[i].elements != NULL) {
            sodium_memzero(lists[i].elements, lists[i].count * lists[i].size);
        }
        free(lists[i].elements);
    }
    sodium_memzero(table, sizeof *table);
    table_init(table);
}

/* Equal names are the same pointer, so bytes are compared. */
bool
table_equal(const struct table *one, const struct table *two)
{
    static const struct list none[LISTS];
    struct list lists[2][LISTS];
    struct table values[2] = {*one, *two};
    get_lists(one, lists[0]);
    get_lists(two, lists[1]);
    set_lists(&values[0], none);
    set_lists(&values[1], none);
    const void *bytes[2] = {&values[0], &values[1]};
    bool equal = memcmp(bytes[0], bytes[1], sizeof values[0]) == 0;
    for (unsigned i = 0; equal && i < LISTS; i++) {
        const struct list *list = &lists[0][i];
        equal = list->count == 0 || memcmp(list->elements, lists[1][i].elements,
                                           list->count * list->size) == 0;
    }
    sodium_memzero(values, sizeof values);
    return equal;
}
