/*
 * The services of the program that tests run (build/tests/support/placard): it
 * is the real one, with two that are made up.
 */
#include "adapters/adapter.h"
#include "tests/support/made_up.h"

static const struct service_kind made_up = {.adapter = &adapter_made_up,
                                            .label = "Made up"};
static const struct service_kind made_up_session = {
    .adapter = &adapter_made_up_session, .label = "Made up, with a session"};

const struct service_kind *const service_kinds[] = {&service_board, &made_up,
                                                    &made_up_session, NULL};
