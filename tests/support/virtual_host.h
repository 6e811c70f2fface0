/*
 * A host as `placard run` runs it, at a clock that is the caller's: it takes a
 * turn when it is told to, and says until when it would sleep.
 */
#ifndef TESTS_VIRTUAL_HOST_H
#define TESTS_VIRTUAL_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/loop/dispatch.h"
#include "bot/loop/loop.h"
#include "bot/tables/tables.h"
#include "config/config.h"
#include "config/secrets.h"

struct virtual_host {
    struct conf conf;
    struct secrets secrets;
    struct catalogues catalogues;
    struct tables tables;
    struct dispatch *dispatch;
    struct loop loop;
    int64_t wake;  /* after a turn: when it has something to do again, unless a
                      reply comes before */
    unsigned busy; /* and its operations under way */
    struct catalogues *lent; /* the caller's, by one that opens many hosts */
    const struct dealer *dealer; /* the caller's; NULL: the fair one */
    bool sleeps; /* the caller's: the HTTP client waits until then itself */
};

/* Open one with a configuration.  Begins zeroed; `why` says what fails. */
enum err virtual_host_open(struct virtual_host *host, const char *conf,
                           struct buf *why) MUST_USE;

/* Take a turn. */
enum err virtual_host_turn(struct virtual_host *host, int64_t now,
                           struct buf *why) MUST_USE;

/* Close it as it stands: what was under way is broken off.  Zeroed then. */
void virtual_host_close(struct virtual_host *host);

#endif
