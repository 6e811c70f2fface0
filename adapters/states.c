#include "adapters/states.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/buf.h"
#include "bot/base/memory.h"

void
adapter_states_release(struct adapter_states *states)
{
    if (states->list != NULL) {
        wipe(states->list, states->size);
    }
    free(states->list);
    *states = (struct adapter_states){.count = 0};
}

/* Copy a text with its NUL, and go on behind it. */
static const char *
put_text(char **end, const char *text)
{
    char *at = *end;
    size_t size = strlen(text) + 1;

    memcpy(at, text, size);
    *end += size;
    return at;
}

void
adapter_states_copy(struct adapter_states *states,
                    const struct adapter_state *list, unsigned count)
{
    *states =
        (struct adapter_states){.count = count, .size = count * sizeof(*list)};
    if (count == 0) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        states->size += strlen(list[i].key) + strlen(list[i].value) + 2;
    }
    states->list = must_alloc(states->size);
    char *end = (char *)(states->list + count);
    for (unsigned i = 0; i < count; i++) {
        states->list[i].key = put_text(&end, list[i].key);
        states->list[i].value = put_text(&end, list[i].value);
    }
}

/* Where a key is in a list; its count: nowhere. */
static unsigned
find(const struct adapter_state *list, unsigned count, const char *key)
{
    unsigned at = 0;

    while (at < count && strcmp(list[at].key, key) != 0) {
        at++;
    }
    return at;
}

bool
adapter_states_set(struct adapter_states *states, const char *key,
                   const char *value)
{
    struct adapter_state all[ADAPTER_STATES_MAX];
    struct adapter_states old = *states;
    unsigned at = find(old.list, old.count, key);

    if (strlen(value) > ADAPTER_STATE_MAX || at == ADAPTER_STATES_MAX) {
        return false;
    }
    for (unsigned i = 0; i < old.count; i++) {
        all[i] = old.list[i];
    }
    all[at] = (struct adapter_state){key, value};
    adapter_states_copy(states, all, at == old.count ? at + 1 : old.count);
    adapter_states_release(&old);
    return true;
}

const char *
adapter_states_find(const struct adapter_state *list, unsigned count,
                    const char *key)
{
    unsigned at = find(list, count, key);

    return at == count ? "" : list[at].value;
}
