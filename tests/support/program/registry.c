/*
 * The adapters of the program that tests run (build/tests/support/placard): it
 * is the real one, with two services that are made up.
 */
#include <string.h>

#include "adapters/adapter.h"
#include "tests/support/made_up.h"

const char *const adapter_names[] = {"board", "pigeon", "dove", NULL};

const struct adapter *
adapter_find(const char *name)
{
    if (strcmp(name, adapter_pigeon.name) == 0) {
        return &adapter_pigeon;
    }
    if (strcmp(name, adapter_dove.name) == 0) {
        return &adapter_dove;
    }
    return strcmp(name, adapter_board.name) == 0 ? &adapter_board : NULL;
}
