#include "bot/base/heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"

enum {
    ROOM_LEAST = 16
};

void
heap_release(struct heap *heap)
{
    free(heap->items);
    memset(heap, 0, sizeof *heap);
}

static bool
is_before(const struct heap_item *one, const struct heap_item *two)
{
    return one->at != two->at ? one->at < two->at : one->number < two->number;
}

/* Places are counted from 1: the children of n are 2n and 2n + 1. */
static void
put(struct heap *heap, size_t place, struct heap_item *item)
{
    heap->items[place - 1] = item;
    item->place = place;
}

static void
rise(struct heap *heap, struct heap_item *item)
{
    size_t place = item->place;
    while (place > 1 && is_before(item, heap->items[place / 2 - 1])) {
        put(heap, place, heap->items[place / 2 - 1]);
        place /= 2;
    }
    put(heap, place, item);
}

static void
sink(struct heap *heap, struct heap_item *item)
{
    size_t place = item->place;
    size_t child = 2 * place;
    while (child <= heap->count) {
        if (child < heap->count &&
            is_before(heap->items[child], heap->items[child - 1])) {
            child++;
        }
        if (!is_before(heap->items[child - 1], item)) {
            break;
        }
        put(heap, place, heap->items[child - 1]);
        place = child;
        child = 2 * place;
    }
    put(heap, place, item);
}

void
heap_set(struct heap *heap, struct heap_item *item, int64_t at)
{
    item->at = at;
    if (item->place == 0) {
        if (heap->count == heap->room) {
            heap->room = heap->room == 0 ? ROOM_LEAST : 2 * heap->room;
            heap->items =
                must_grow(heap->items, heap->room * sizeof(struct heap_item *));
        }
        put(heap, ++heap->count, item);
    }
    assert(item->place <= heap->count && heap->items[item->place - 1] == item);
    rise(heap, item);
    sink(heap, item);
}

void
heap_remove(struct heap *heap, struct heap_item *item)
{
    size_t place = item->place;
    if (place == 0) {
        return;
    }
    assert(place <= heap->count && heap->items[place - 1] == item);
    struct heap_item *last = heap->items[--heap->count];
    item->place = 0;
    if (last != item) {
        put(heap, place, last);
        rise(heap, last);
        sink(heap, last);
    }
}

struct heap_item *
heap_first(const struct heap *heap)
{
    return heap->count == 0 ? NULL : heap->items[0];
}
