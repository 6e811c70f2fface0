#include "bot/base/index.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"

enum {
    ROOM_LEAST = 64
};

void
index_release(struct index *index)
{
    free(index->entries);
    memset(index, 0, sizeof *index);
}

/* Mix a text in, with its end, eight bytes at a time. */
static uint64_t
mix(uint64_t hash, const char *text)
{
    size_t left = strlen(text) + 1;
    while (left > 0) {
        uint64_t word = 0;
        size_t width = left < sizeof word ? left : sizeof word;
        memcpy(&word, text, width);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
        text += width;
        left -= width;
    }
    return hash;
}

uint64_t
index_key(const char *group, const char *name)
{
    return mix(mix(UINT64_C(0xCBF29CE484222325), group), name);
}

/* An entry is at its home or after it, with no free entry between. */
static size_t
home(const struct index *index, uint64_t key)
{
    return (size_t)(key ^ key >> 32) & (index->room - 1);
}

static size_t
behind(const struct index *index, size_t at)
{
    return (at + 1) & (index->room - 1);
}

static void
put(struct index *index, uint64_t key, uintptr_t value)
{
    size_t at = home(index, key);
    while (index->entries[at].value != 0) {
        at = behind(index, at);
    }
    index->entries[at] = (struct index_entry){key, value};
}

/* It is never more than half full, so that every search ends soon. */
static void
make_room(struct index *index)
{
    struct index old = *index;
    index->room = old.room == 0 ? ROOM_LEAST : 2 * old.room;
    index->entries = must_alloc(index->room * sizeof index->entries[0]);
    for (size_t i = 0; i < old.room; i++) {
        if (old.entries[i].value != 0) {
            put(index, old.entries[i].key, old.entries[i].value);
        }
    }
    free(old.entries);
}

void
index_add(struct index *index, uint64_t key, uintptr_t value)
{
    assert(value != 0);
    if (2 * index->count >= index->room) {
        make_room(index);
    }
    put(index, key, value);
    index->count++;
}

/* May an entry move up from `at` to `gap`, without coming before its home? */
static bool
may_fill(const struct index *index, size_t gap, size_t at)
{
    size_t from_home =
        (at - home(index, index->entries[at].key)) & (index->room - 1);
    return ((at - gap) & (index->room - 1)) <= from_home;
}

/* Let the entries behind a gap move up, as far as the next free one. */
static void
close_gap(struct index *index, size_t gap)
{
    for (size_t at = behind(index, gap); index->entries[at].value != 0;
         at = behind(index, at)) {
        if (may_fill(index, gap, at)) {
            index->entries[gap] = index->entries[at];
            gap = at;
        }
    }
    index->entries[gap] = (struct index_entry){0, 0};
}

void
index_remove(struct index *index, uint64_t key, uintptr_t value)
{
    assert(index->room > 0);
    size_t at = home(index, key);
    while (index->entries[at].key != key || index->entries[at].value != value) {
        assert(index->entries[at].value != 0);
        at = behind(index, at);
    }
    close_gap(index, at);
    index->count--;
}

uintptr_t
index_next(const struct index *index, uint64_t key, size_t *at)
{
    if (index->room == 0) {
        return 0;
    }
    for (;;) {
        const struct index_entry *entry =
            &index->entries[(home(index, key) + *at) & (index->room - 1)];
        if (entry->value == 0) {
            return 0;
        }
        ++*at;
        if (entry->key == key) {
            return entry->value;
        }
    }
}

void *
index_next_pointer(const struct index *index, uint64_t key, size_t *at)
{
    union {
        uintptr_t value;
        void *pointer;
    } found = {.value = index_next(index, key, at)};
    return found.pointer;
}
