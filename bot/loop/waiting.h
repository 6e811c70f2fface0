/*
 * Messages that wait: whether a right is back, and what has waited for long.
 */
#ifndef BOT_LOOP_WAITING_H
#define BOT_LOOP_WAITING_H

#include "bot/loop/loop.h"

/* Look after what waits: ask whether a right is back, and tell whoever runs the
 * host what has waited for long. */
enum err waiting_look_after(struct loop *loop, struct buf *why) MUST_USE;

/* A message was refused for the first time: if a right is missing, it is asked
 * from now on whether it is back. */
void waiting_note_refused(struct loop *loop,
                          const struct queued_message *queued);

/* Take whether the host may post again in a thread that refused it. */
enum err waiting_take_right(struct loop *loop, const struct delivery *delivery,
                            struct buf *why) MUST_USE;

/* Do what whoever runs the host says of messages that may have arrived. */
enum err waiting_settle(struct loop *loop, struct buf *why) MUST_USE;

#endif
