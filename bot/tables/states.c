#include "bot/tables/states.h"

#include <stdlib.h>
#include <string.h>

static struct adapter_states *
states_of(const struct tables *tables, const struct service *service)
{
    return &tables->states[service - tables->services];
}

enum err
tables_load_states(struct tables *tables, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < tables->service_count; i++) {
        err = store_states(tables->store, tables->services[i].name,
                           &tables->states[i], why);
    }
    return err;
}

void
tables_wipe_states(struct tables *tables)
{
    for (unsigned i = 0; i < tables->service_count; i++) {
        adapter_states_release(&tables->states[i]);
    }
    free(tables->states);
    tables->states = NULL;
}

const struct adapter_states *
tables_states(const struct tables *tables, const struct service *service)
{
    return states_of(tables, service);
}

enum err
tables_save_states(struct tables *tables, const struct service *service,
                   const struct adapter_states *states, struct buf *why)
{
    struct adapter_states *known = states_of(tables, service);
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < states->count; i++) {
        const struct adapter_state *state = &states->list[i];
        const char *old =
            adapter_states_find(known->list, known->count, state->key);
        if (old[0] != '\0' && strcmp(old, state->value) == 0) {
            continue;
        }
        err = store_set_state(tables->store, service->name, state, why);
        if (err == ERR_NONE) {
            (void)adapter_states_set(known, state->key, state->value);
        }
    }
    return err;
}
