/* In a file of its own, so that a test program can add an adapter. */
#include <string.h>

#include "adapters/adapter.h"

static const struct adapter *const adapters[] = {
    &adapter_board,  &adapter_discord, &adapter_discourse,
    &adapter_matrix, &adapter_nodebb,  &adapter_phpbb,
};

const char *const adapter_names[] = {"board",  "discord", "discourse", "matrix",
                                     "nodebb", "phpbb",   NULL};

const struct adapter *
adapter_find(const char *name)
{
    for (size_t i = 0; i < sizeof(adapters) / sizeof(adapters[0]); i++) {
        if (strcmp(adapters[i]->name, name) == 0) {
            return adapters[i];
        }
    }
    return NULL;
}
