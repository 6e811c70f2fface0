/*
 * An index: finds values by a text among very many, without looking at each of
 * them.
 *
 * It has values under keys, possibly several under one, and knows no texts: a
 * key is a hash, and two texts may have the same.  So a caller that finds a
 * value MUST check that it is the right one.
 */
#ifndef BOT_BASE_INDEX_H
#define BOT_BASE_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_entry {
    uint64_t key;
    uintptr_t value; /* 0: free */
};

/* Zeroed: empty. */
struct index {
    struct index_entry *entries;
    size_t count, room; /* room: 0, or a power of two */
};

void index_release(struct index *index);

/* The key of a name within a group. */
uint64_t index_key(const char *group, const char *name);

/* Add a value, which MUST NOT be 0 nor be under that key already. */
void index_add(struct index *index, uint64_t key, uintptr_t value);

/* Take a value out, which MUST be there. */
void index_remove(struct index *index, uint64_t key, uintptr_t value);

/* The next value under a key, in any order; 0: no more.  *at is 0 for the
 * first, and belongs to this function from then on.  Nothing may be added or
 * removed meanwhile. */
uintptr_t index_next(const struct index *index, uint64_t key, size_t *at);

/* The same where all values are pointers; NULL: no more. */
void *index_next_pointer(const struct index *index, uint64_t key, size_t *at);

#endif
