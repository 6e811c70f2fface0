/*
 * What came of a message: it is delivered, waits for approval, or is tried
 * again.
 */
#ifndef BOT_LOOP_SENT_H
#define BOT_LOOP_SENT_H

#include "bot/loop/loop.h"

/* Take what came of a message; within a transaction. */
enum err sent_take(struct loop *loop, const struct delivery *delivery,
                   int64_t now, struct buf *why) MUST_USE;

/* Take what came of pinning. */
void sent_take_pin(const struct delivery *delivery);

/* Take in what whoever runs the host says of a message that waits, and may have
 * arrived: it is there, or it is to be sent again. */
enum err sent_settle(struct loop *loop, struct queued_message *queued,
                     bool there, int64_t now, struct buf *why) MUST_USE;

#endif
