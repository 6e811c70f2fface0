/*
 * What a post does to the table that it is for.
 */
#ifndef BOT_TABLES_TURNS_POSTS_H
#define BOT_TABLES_TURNS_POSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Take in a post that was just delivered: it is judged if its turn has come,
 * and deferred if not.  One that comes a second time changes nothing
 * (READING.md E1), be it in a topic into which it was moved, unless nothing was
 * done with it before.  Within a transaction. */
enum err posts_take(struct tables *tables, struct service *service,
                    const struct post *post, int64_t now,
                    struct buf *why) MUST_USE;

/* Judge a post whose turn has come, and save what it does.  Within a
 * transaction. */
enum err posts_judge(struct tables *tables, struct service *service,
                     const struct post *post, int64_t now,
                     struct buf *why) MUST_USE;

/* Did nobody write it, or a machine?  It does not count; and we are a
 * machine. */
bool posts_is_own(const struct post *post);

/* Is what a post says kept, so that an edit of it is seen?  Once it is, it has
 * to be noted, though it was read before. */
bool posts_is_watched(const struct tables *tables,
                      const struct service *service, const struct post *post);

/* The table that a post is for, as far as can be told without reading it; NULL:
 * none. */
struct hosted_table *posts_hosted(struct tables *tables,
                                  const struct service *service,
                                  const struct post *post);

#endif
