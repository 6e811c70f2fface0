/*
 * What follows from a refusal: who is refused with it, and how long it is until
 * it is tried again.
 *
 *     who       what else waits           who is told
 *     account   all of it, or all that    whoever runs the host, at once: for a
 *               it writes                 service, not for each message
 *     place     what goes into it         the same, once the service confirms
 * it person    what they are sent        their table, at once post      nothing
 * nobody, unless it waits for long
 */
#ifndef BOT_HOST_TABLE_REFUSAL_H
#define BOT_HOST_TABLE_REFUSAL_H

#include <stdint.h>

#include "adapters/adapter.h"

enum refusal_whom {
    REFUSAL_ACCOUNT,
    REFUSAL_PLACE,
    REFUSAL_PERSON,
    REFUSAL_POST,
};

enum refusal_whom refusal_whom(enum refused refused);

/* How long it waits (ms) after so many attempts in a row: at most as long as
 * fits what was refused. */
int64_t refusal_pause(enum refused refused, unsigned attempts);

#endif
