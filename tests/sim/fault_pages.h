/*
 * Pages of a service that talks JSON on which a post stands twice, or in the
 * place of its neighbour.
 */
#ifndef TESTS_FAULT_PAGES_H
#define TESTS_FAULT_PAGES_H

#include "adapters/adapter.h"

/* Where such a fault strikes, change the reply to a request; `body` is the
 * reply's. */
void fault_pages_disarrange(const struct request *request, struct buf *body,
                            struct reply *reply);

#endif
