/*
 * A heap: of very many things that are due at some time, which is due first?
 *
 * A thing that is in a heap has an item of its own, which the heap points at
 * and the thing owns; so it is moved or taken out without a search.  Things
 * due at the same time come in the order of their numbers.
 */
#ifndef BOT_BASE_HEAP_H
#define BOT_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: in no heap. */
struct heap_item {
    int64_t at;      /* when it is due */
    uint64_t number; /* its own; set it before heap_set */
    void *owner;     /* what it stands for; likewise */
    size_t place;    /* the heap's: its place from 1; 0: in no heap */
};

/* Zeroed: empty. */
struct heap {
    struct heap_item **items; /* borrowed */
    size_t count, room;
};

void heap_release(struct heap *heap);

/* Put an item in, or move one that is in: it is due at that time. */
void heap_set(struct heap *heap, struct heap_item *item, int64_t at);

/* Take an item out, if it is in. */
void heap_remove(struct heap *heap, struct heap_item *item);

/* The item that is due first; NULL: there is none. */
struct heap_item *heap_first(const struct heap *heap);

#endif
