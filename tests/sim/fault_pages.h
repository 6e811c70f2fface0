/*
 * Pages of a service on which a post stands twice, or in the place of its
 * neighbour; and events of a room that a homeserver tells of once more.
 */
#ifndef TESTS_FAULT_PAGES_H
#define TESTS_FAULT_PAGES_H

#include "adapters/adapter.h"

/* Call it once the service is there. */
void fault_pages_begin(void);

/* Where such a fault strikes, change the reply to a request; `body` is the
 * reply's. */
void fault_pages_disarrange(const struct request *request, struct buf *body,
                            struct reply *reply);

#endif
