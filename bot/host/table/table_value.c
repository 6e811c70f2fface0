/* A table as a value: made, copied, compared, wiped. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/base/name.h"
#include "bot/host/table/table_inner.h"

/* The lists that grow, and how many elements each has. */
#define LISTS                                                                  \
    LIST(past, past_count)                                                     \
    LIST(claims, claim_count)                                                  \
    LIST(pauses, pause_count)                                                  \
    LIST(reserves, reserve_count)                                              \
    LIST(former, former_count)                                                 \
    LIST(warned, warned_count)

/* How many elements a list of that many has room for. */
static unsigned
room_of(unsigned count)
{
    unsigned room = count == 0 ? 0 : 4;
    while (room < count) {
        room *= 2;
    }
    return room;
}

static void *
copy_list(const void *list, unsigned count, unsigned room, size_t size)
{
    if (room == 0) {
        return NULL;
    }
    void *copy = must_alloc(room * size);
    if (count > 0) {
        memcpy(copy, list, count * size);
    }
    return copy;
}

static void
free_list(void *list, unsigned count, size_t size)
{
    if (count > 0) {
        sodium_memzero(list, count * size);
    }
    free(list);
}

void *
table_grow(void *list, unsigned count, size_t size)
{
    if (count < room_of(count)) {
        return list;
    }
    void *grown = copy_list(list, count, room_of(count + 1), size);
    free_list(list, count, size);
    return grown;
}

void
table_cut(void *list, unsigned *count, unsigned at, size_t size)
{
    char *gone = (char *)list + at * size;
    --*count;
    memmove(gone, gone + size, (*count - at) * size);
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
    *to = *from;
#define LIST(list, count)                                                      \
    to->list = copy_list(from->list, from->count, room_of(from->count),        \
                         sizeof *to->list);
    LISTS
#undef LIST
    each_name(to, name_keep_again);
}

void
table_release(struct table *table)
{
    each_name(table, name_drop);
#define LIST(list, count)                                                      \
    free_list(table->list, table->count, sizeof *table->list);
    LISTS
#undef LIST
    sodium_memzero(table, sizeof *table);
    table_init(table);
}

static bool
same_list(const void *one, const void *two, size_t size)
{
    return size == 0 || memcmp(one, two, size) == 0;
}

/* Equal names are the same pointer, so bytes are compared. */
bool
table_equal(const struct table *one, const struct table *two)
{
    struct table values[2] = {*one, *two};
    const void *bytes[2] = {&values[0], &values[1]};
#define LIST(list, count) values[0].list = values[1].list = NULL;
    LISTS
#undef LIST
    bool equal = memcmp(bytes[0], bytes[1], sizeof values[0]) == 0;
#define LIST(list, count)                                                      \
    equal = equal &&                                                           \
            same_list(one->list, two->list, one->count * sizeof *one->list);
    LISTS
#undef LIST
    sodium_memzero(values, sizeof values);
    return equal;
}
