/*
 * Who shows that they are there, and who has left their DM.
 */
#ifndef BOT_TABLES_TURNS_PRESENCE_H
#define BOT_TABLES_TURNS_PRESENCE_H

#include <stdint.h>

#include "bot/tables/tables.h"

/* A person is there, as a post, a press, a command or a private answer shows
 * that is read for the first time, or POST_CAME.  They get what could not be
 * delivered; who has left their DM, and writes or presses in public, is invited
 * again.  Or (POST_LEFT) they have left their DM, or declined the invitation:
 * their tables are told.  `now` by the service's clock.  Within a
 * transaction. */
enum err presence_note(struct tables *tables, struct service *service,
                       const struct post *post, int64_t now,
                       struct buf *why) MUST_USE;

#endif
