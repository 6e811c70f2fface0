/*
 * Adapter states: the small values that an adapter needs after a restart, by
 * key.
 *
 * A list owns its texts, and takes no more memory than they need.  Any of them
 * may be a token, so all are wiped when they are replaced or released.
 */
#ifndef ADAPTERS_STATES_H
#define ADAPTERS_STATES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ADAPTER_STATES_MAX = 16,  /* of a service */
    ADAPTER_STATE_MAX = 2047, /* of a value: signed tokens are long */
};

/* Borrowed from a list. */
struct adapter_state {
    const char *key, *value;
};

/* Zeroed: none. */
struct adapter_states {
    struct adapter_state *list; /* with its texts behind it */
    unsigned count;
    size_t size; /* of both together */
};

void adapter_states_release(struct adapter_states *states);

/* Copy states into a list that is zeroed. */
void adapter_states_copy(struct adapter_states *states,
                         const struct adapter_state *list, unsigned count);

/* Set a key, which is added if it is new; false: the value is too long, or
 * there are too many. */
bool adapter_states_set(struct adapter_states *states, const char *key,
                        const char *value);

/* The value of a key; "": not there. */
const char *adapter_states_find(const struct adapter_state *list,
                                unsigned count, const char *key);

#endif
