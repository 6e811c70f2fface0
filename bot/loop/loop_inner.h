/*
 * What the files of the loop share: loop.c (what they look up) and loop_time.c
 * (the clock).
 */
#ifndef BOT_LOOP_LOOP_INNER_H
#define BOT_LOOP_LOOP_INNER_H

#include "bot/base/log.h"
#include "bot/loop/loop.h"

struct loop_service *loop_service(struct loop *loop,
                                  const struct service *service);

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

/* ---- what fails ---------------------------------------------------------- */

/* The answer has come, so the job is done, or it has failed. */
void loop_note(struct loop *loop, struct job *job,
               const struct delivery *delivery);

/* It has failed, and is tried again after a pause. */
void loop_fail(struct loop *loop, struct job *job,
               const struct delivery *delivery);

/* The pause (ms) after so many failures in a row. */
int64_t loop_pause(unsigned failures);

/* How loudly the last of so many failures in a row is logged: the first is a
 * warning. */
enum log_level loop_level(unsigned failures);

/* The same, but quietly if it was refused because of the token: that is told
 * where the token is asked for, and only there. */
enum log_level loop_level_of(unsigned failures,
                             const struct delivery *delivery);

/* Tell the operator of the first failure of a row, if somebody has to do
 * something about it. */
enum err loop_alarm(struct loop *loop, unsigned failures,
                    const struct delivery *delivery, struct buf *why) MUST_USE;

/* ---- loop_time.c --------------------------------------------------------- */

/* It is `now`. */
void loop_follow_clock(struct loop *loop, int64_t now);

#endif
