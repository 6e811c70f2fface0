/*
 * What sending a message, and taking what came of it, have in common.
 */
#ifndef BOT_LOOP_SENDING_H
#define BOT_LOOP_SENDING_H

#include "bot/loop/loop.h"

enum {
    SENDING_TRIES = 3 /* until it is done in another way */
};

/* After how long whoever runs the host is told that a message waits. */
#define SENDING_ALARM_AFTER (10 * MINUTE_MS)
/* How much later, and from when it is looked for, of one whose search has no
 * end. */
#define SENDING_SEARCH_LONGER (5 * MINUTE_MS)

/* The place of a message; NULL: not configured. */
struct loop_place *sending_place(const struct loop *loop,
                                 const struct queued_message *queued);

/* Its service; NULL: not configured. */
struct service *sending_service(const struct loop *loop,
                                const struct queued_message *queued);

/* Was a picture, or a page, refused there lately? */
bool sending_is_unpictured(const struct loop *loop,
                           const struct queued_message *queued, bool page);

#endif
