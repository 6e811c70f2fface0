/*
 * Posts that wait for a moderator's approval.
 */
#ifndef BOT_TABLES_TURNS_PENDING_H
#define BOT_TABLES_TURNS_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* A post that others don't see yet counts for nothing.  If its author is waited
 * for, it is noted, and the moderators are told of it, once. */
enum err pending_take(struct tables *tables, struct service *service,
                      const struct post *post, int64_t now,
                      struct buf *why) MUST_USE;

/* *late: a post was approved after its question was over.  Its author is told,
 * and it counts for nothing. */
enum err pending_approved(struct tables *tables, struct service *service,
                          const struct post *post, bool *late, int64_t now,
                          struct buf *why) MUST_USE;

#endif
