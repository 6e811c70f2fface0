/*
 * What came of a message: it is delivered, waits for approval, or is tried
 * again.
 */
#ifndef BOT_LOOP_SENT_H
#define BOT_LOOP_SENT_H

#include "bot/loop/loop.h"

/* Take what came of a message; within a transaction. */
enum err sent_take(struct loop *loop, const struct delivery *delivery,
                   struct buf *why) MUST_USE;

#endif
