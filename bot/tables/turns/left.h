/*
 * People who have left their DM, or declined the invitation.
 */
#ifndef BOT_TABLES_TURNS_LEFT_H
#define BOT_TABLES_TURNS_LEFT_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Somebody has declined the invitation to their DM, or has left it, as a post
 * says: tell their tables. */
enum err left_note(struct tables *tables, struct service *service,
                   const struct post *post, int64_t now,
                   struct buf *why) MUST_USE;

/* Somebody has come into a DM, as a post says. */
enum err left_came_back(struct tables *tables, const struct service *service,
                        const struct post *post, struct buf *why) MUST_USE;

/* Somebody who has left posts in public: invite them again. */
enum err left_ask_back(struct tables *tables, struct service *service,
                       const struct post *post, int64_t now,
                       struct buf *why) MUST_USE;

#endif
