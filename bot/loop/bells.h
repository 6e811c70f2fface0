/*
 * The doorbells of a process: one for each service that has one
 * (adapters/doorbell.h).
 *
 * While a doorbell listens, the feeds of its service are polled rarely and read
 * as soon as it rings.  When it falls silent they are polled as without it, and
 * it is opened again, after a pause that grows with the failures.
 */
#ifndef BOT_LOOP_BELLS_H
#define BOT_LOOP_BELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/err.h"
#include "bot/loop/dispatch.h"

struct loop;

void bells_open(struct loop *loop);

/* Close them all. */
void bells_release(struct loop *loop);

/* Ask where doorbells hang that are to be opened now. */
void bells_ask(struct loop *loop);

/* That was answered: open it. */
enum err bells_take(struct loop *loop, const struct delivery *delivery,
                    struct buf *why) MUST_USE;

/* Take what the open ones say. */
enum err bells_work(struct loop *loop, struct buf *why) MUST_USE;

/* Where doorbells have been silent for long nothing that is pressed comes: tell
 * the tables so, and when it does again.  Within a transaction. */
enum err bells_follow_presses(struct loop *loop, int64_t now,
                              struct buf *why) MUST_USE;

/* When there is something to do, at the latest at `wake` (tables_steady). */
int64_t bells_wake(const struct loop *loop, int64_t wake);

#endif
