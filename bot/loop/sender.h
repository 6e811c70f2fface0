/*
 * The sender: what goes out next, and in which form.
 */
#ifndef BOT_LOOP_SENDER_H
#define BOT_LOOP_SENDER_H

#include "bot/loop/loop.h"

/* Send all that may go: mark it as in flight, and submit it.  The dispatch MUST
 * NOT work before that is committed; *synced: nor before it is synced. */
enum err sender_send(struct loop *loop, bool *synced, struct buf *why) MUST_USE;

/* May something be sent at once? */
bool sender_is_ready(const struct loop *loop, int64_t now);

#endif
