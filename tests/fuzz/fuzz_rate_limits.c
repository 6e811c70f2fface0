/*
 * Any headers as those of replies to two routes: times and waits stay within
 * their bounds, and nothing is for ever.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/http/rate_limits.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"

enum {
    NOW = 1000000000,
    DAY = 24 * 60 * 60 * 1000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte says which status, the second which route. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = {200, 204, 429, 503};
    static const char *const routes[] = {"GET /a", "POST /a", "GET /b", ""};
    struct limits limits = {0};
    struct permit permit;

    if (size < 2) {
        return 0;
    }
    char *headers = must_alloc(size - 1);
    memcpy(headers, data + 2, size - 2);
    struct reply reply = {.status = statuses[data[0] % 4], .headers = headers};
    limits_read_times(&reply, NOW);
    assert(reply.retry_after >= -1 && reply.retry_after <= DAY);
    assert(reply.date >= 0);
    for (unsigned i = 0; i < 4; i++) {
        const char *route = routes[(data[1] + i) % 4];
        limits_join(&limits, route, NOW, &permit);
        int64_t when = limits_when(&limits, &permit, NOW);
        assert(when <= NOW + DAY);
        limits_go(&limits, &permit, NOW);
        limits_end(&limits, &permit, &reply, NOW);
    }
    for (unsigned i = 0; i < 4; i++) {
        limits_join(&limits, routes[i], NOW, &permit);
        assert(limits_when(&limits, &permit, NOW) <= NOW + DAY);
        assert(limits_when(&limits, &permit, NOW + DAY) <= NOW + DAY);
        limits_end(&limits, &permit, NULL, NOW);
    }
    limits_release(&limits);
    free(headers);
    return 0;
}
