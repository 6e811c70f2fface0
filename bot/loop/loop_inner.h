/*
 * What the files of the loop share: loop.c (what they look up) and loop_time.c
 * (the clock).
 */
#ifndef BOT_LOOP_LOOP_INNER_H
#define BOT_LOOP_LOOP_INNER_H

#include "bot/loop/loop.h"

struct asking *loop_asking(struct loop *loop, const struct service *service);

/* Has a service said who we are, and does it accept us? */
bool loop_is_open(const struct loop *loop, const struct service *service);

/* Submit an operation that has no message, with its service's adapter
 * states. */
void loop_ask(struct loop *loop, const struct service *service, struct op *op,
              struct ticket ticket);

/* Save the adapter states of a finished operation; a token is used from now
 * on. */
enum err loop_take_states(struct loop *loop, const struct service *service,
                          const struct outcome *outcome,
                          struct buf *why) MUST_USE;

/* A number from 0 to 1, so that operations that failed together are not tried
 * again together. */
double loop_chance(struct loop *loop);

/* ---- loop_time.c --------------------------------------------------------- */

/* It is `now`: what waits still waits as long as it would have, even if the
 * clock was set back. */
void loop_follow_clock(struct loop *loop, int64_t now);

#endif
