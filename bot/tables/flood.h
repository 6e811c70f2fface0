/*
 * Nobody floods the host: within ten minutes a person gets a few answers, then
 * one that says so, and after that a reaction.  This is kept in memory only; a
 * restarted host counts anew.
 */
#ifndef BOT_TABLES_FLOOD_H
#define BOT_TABLES_FLOOD_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/host/table/outbox.h"
#include "bot/host/table/ruling.h"

struct answered;
struct input;

/* Who was answered lately; zeroed: nobody. */
struct flood {
    struct answered *people; /* owned */
    size_t count;
};

void flood_release(struct flood *flood); /* also one that is zeroed */

/*
 * If a post brings nothing but answers to its author, or questions that are
 * passed on to the moderators, and its author has had enough of them, take them
 * off the ruling.  What is said already in a private message that waits for its
 * turn is not said again.  Where a thousand messages of a game wait, its
 * commands are not answered, and its posts not marked: a place that takes
 * nothing costs that game its answers, not the host its memory.  This never
 * touches an act, which has rows, nor what is said only once.
 *
 * A moderator, and somebody whom the table waits for, get more answers to their
 * commands, and one to each attempt to act.  In a session the table waits for
 * the government, whichever of them it is.
 */
void flood_limit(struct flood *flood, const struct outbox *outbox,
                 struct ruling *ruling, const struct input *input);

/* Has somebody opened so many tables lately that they have to wait?  And: they
 * have opened another. */
bool flood_stops_opening(struct flood *flood, const struct service *service,
                         const char *user, int64_t now);
void flood_opened(struct flood *flood, const struct service *service,
                  const char *user, int64_t now);

#endif
