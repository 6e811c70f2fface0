/*
 * What loop.c (who is asked what, and when), loop_turn.c (one turn),
 * loop_time.c (the clock) and sender.c (what is sent) share; nobody else
 * includes it.
 */
#ifndef BOT_LOOP_LOOP_INNER_H
#define BOT_LOOP_LOOP_INNER_H

#include "bot/loop/loop.h"

struct asking *loop_asking(struct loop *loop, const struct service *service);

/* Has a service said who we are, and does it accept us? */
bool loop_is_open(const struct loop *loop, const struct service *service);

/* Submit an operation that has no message, with its service's adapter
 * states. */
enum err loop_ask(struct loop *loop, const struct service *service,
                  struct op *op, struct ticket ticket,
                  struct buf *why) MUST_USE;

/* Save the adapter states of a finished operation; a token is used from now
 * on. */
enum err loop_take_states(struct loop *loop, const struct service *service,
                          const struct outcome *outcome,
                          struct buf *why) MUST_USE;

/* A number from 0 to 1, so that operations that failed together are not tried
 * again together. */
double loop_chance(struct loop *loop);

/* May feeds of a service be read: is it open, and are its places known? */
bool loop_can_read(const struct loop *loop, const struct service *service);

/* ---- loop_time.c --------------------------------------------------------- */

/* It is `now`: what waits still waits as long as it would have, even if the
 * clock was set back. */
void loop_follow_clock(struct loop *loop, int64_t now);

/* ---- sender.c ------------------------------------------------------------ */

/* Send all that may go, in one transaction. */
enum err sender_send(struct loop *loop, int64_t now, struct buf *why) MUST_USE;

/* May something be sent at once? */
bool sender_is_ready(const struct loop *loop, int64_t now);

/* Look after what waits: ask whether a right is back, and tell whoever runs the
 * host what has waited for long. */
enum err sender_look_after(struct loop *loop, int64_t now,
                           struct buf *why) MUST_USE;

/* Take what came of a message; within a transaction. */
enum err sender_take(struct loop *loop, const struct delivery *delivery,
                     int64_t now, struct buf *why) MUST_USE;

/* Take what came of a probe, or of pinning. */
void sender_take_right(struct loop *loop, const struct delivery *delivery);
void sender_take_pin(const struct delivery *delivery);

/* Commit what was saved of messages, or give it up. */
enum err sender_end_saving(struct loop *loop, enum err err,
                           struct buf *why) MUST_USE;

#endif
