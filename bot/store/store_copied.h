/*
 * The mark of a store that is a copy (bot/store/backup.h), in its format: a
 * note of the time.
 */
#ifndef BOT_STORE_STORE_COPIED_H
#define BOT_STORE_STORE_COPIED_H

#include "bot/base/db.h"

/* Note that this is a copy of a store as it was at a time (0: that is not
 * known: when it last read something).  One that is marked already stays as it
 * is. */
void store_mark_copied(struct db *db, int format, int64_t at);

/* Of when is it a copy?  0: it is none. */
int64_t store_copied_at(struct db *db, int format);

#endif
