/*
 * Presses of buttons: each is acknowledged at once, then taken in, and answered
 * when it was judged (bot/README.md, "How a press travels").
 *
 * The secret with which one is answered is of use for a quarter of an hour.  It
 * is saved, sealed, before the press is acknowledged, until it was answered: so
 * a host that starts answers those that still wait, and tells the others to
 * look, for what was said to them is not saved.
 */
#ifndef BOT_LOOP_PRESSES_H
#define BOT_LOOP_PRESSES_H

#include <stdbool.h>
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
    bool loaded; /* those of before the start are among them */
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
