/*
 * The sender: what goes out next, and in which form.
 */
#ifndef BOT_LOOP_SENDER_H
#define BOT_LOOP_SENDER_H

#include "bot/loop/loop.h"

/* Send all that may go, in one transaction. */
enum err sender_send(struct loop *loop, int64_t now, struct buf *why) MUST_USE;

/* May something be sent at once? */
bool sender_is_ready(const struct loop *loop, int64_t now);

#endif
