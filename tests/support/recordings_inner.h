/*
 * Inside the recordings: their files, and what replies are held against.
 */
#ifndef TESTS_RECORDINGS_INNER_H
#define TESTS_RECORDINGS_INNER_H

#include "tests/support/recordings.h"

enum {
    RECORDINGS_MAX = 512,
    ROUTES_MAX = 192,
    ROUTE_LEN = 192
};

struct recordings {
    char service[16];
    char routes[ROUTES_MAX][ROUTE_LEN];
    unsigned route_count;
    struct recording list[RECORDINGS_MAX];
    size_t count;
};

/* The route of a request; NULL: none fits. */
const char *recordings_route(const struct recordings *recordings,
                             const char *method, const char *path);

/* Collect the recordings of a request's route with that status; 0: there are
 * none, as `why` says. */
size_t recordings_like(const struct recordings *recordings, const char *method,
                       const char *path, int status,
                       const struct recording *like[RECORDINGS_MAX],
                       struct buf *why);

#endif
