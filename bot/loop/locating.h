/*
 * Where the configured places are, and how long posts may be there.
 */
#ifndef BOT_LOOP_LOCATING_H
#define BOT_LOOP_LOCATING_H

#include "bot/loop/loop.h"

/* Ask what is not known yet of places whose service is open. */
enum err locating_ask(struct loop *loop, struct buf *why) MUST_USE;

/* Take where a place is; */
enum err locating_take_place(struct loop *loop, const struct delivery *delivery,
                             int64_t now, struct buf *why) MUST_USE;

/* where its moderators talk; */
enum err locating_take_dm(struct loop *loop, const struct delivery *delivery,
                          int64_t now, struct buf *why) MUST_USE;

/* how long posts may be there; */
enum err locating_take_lengths(struct loop *loop,
                               const struct delivery *delivery, int64_t now,
                               struct buf *why) MUST_USE;

/* and where the thread of its game has gone. */
enum err locating_take_trail(struct loop *loop, const struct delivery *delivery,
                             int64_t now, struct buf *why) MUST_USE;

#endif
