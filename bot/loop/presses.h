/*
 * Presses of buttons: each is acknowledged at once, then taken in, and answered
 * when it was judged (bot/README.md, "How a press travels").
 *
 * All of this is in memory alone: the secret with which a press is answered
 * must not be saved, and is of use for a quarter of an hour.
 */
#ifndef BOT_LOOP_PRESSES_H
#define BOT_LOOP_PRESSES_H

#include <stdint.h>

#include "adapters/doorbell.h"
#include "bot/base/err.h"
#include "bot/loop/dispatch.h"

struct loop;
struct press_slot;

/* Those under way; zeroed: none. */
struct presses {
    struct press_slot **list; /* owned, in the order in which they came */
    size_t count;
};

void presses_release(struct presses *presses);

/* A doorbell has brought one: it is taken from the output.  One that is too
 * old, or is there already, is left alone.  That a post is gone is taken in at
 * once. */
void presses_come(struct loop *loop, const struct service *service,
                  struct bell_output *output);

/* One was acknowledged, or answered. */
void presses_take(struct loop *loop, const struct delivery *delivery);

/* Answer those that were judged, which MUST be saved, and synced. */
void presses_answer(struct loop *loop);

/* When there is something to do, at the latest at `wake` (tables_steady). */
int64_t presses_wake(const struct loop *loop, int64_t wake);

#endif
