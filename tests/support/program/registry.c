/*
 * The adapters of the program that tests run (build/tests/support/placard): it
 * is the real one, with two services that are made up.
 */
#include <string.h>

#include "adapters/adapter.h"
#include "tests/support/made_up.h"

const char *const adapter_names[] = {"board", "made_up", "made_up_session",
                                     NULL};

const struct adapter *
adapter_find(const char *name)
{
    if (strcmp(name, adapter_made_up.name) == 0) {
        return &adapter_made_up;
    }
    if (strcmp(name, adapter_made_up_session.name) == 0) {
        return &adapter_made_up_session;
    }
    return strcmp(name, adapter_board.name) == 0 ? &adapter_board : NULL;
}
