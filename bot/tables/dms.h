/*
 * Which game a private message is about.
 */
#ifndef BOT_TABLES_DMS_H
#define BOT_TABLES_DMS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* The table that a private message is about: one where an answer of this person
 * is due in secret, else any at which they sit; or NULL. */
struct hosted_table *dms_table(const struct tables *tables,
                               const struct service *service, const char *user);

/* The same for a message that was written.  Its beginning may name the table
 * ("#14") and is then taken off; *unclear: it may be about several, and its
 * author must be asked which. */
struct hosted_table *dms_table_of_post(struct tables *tables,
                                       const struct service *service,
                                       const struct post *post,
                                       struct rich *rich, bool *unclear);

/* The table, and the asker (ADAPTER_ID_MAX bytes at most), of the question that
 * a moderator has answered; NULL: it is no such answer. */
struct hosted_table *dms_find_asker(struct tables *tables,
                                    const struct service *service,
                                    const struct post *post,
                                    const struct rich *rich, struct buf *asker);

/* A table is over: how what its players wrote in private was read is not needed
 * any more, unless they sit at another one. */
void dms_forget(struct tables *tables, const struct service *service,
                const struct table *table);

/* Ask somebody which of their tables they mean. */
void dms_ask_which(struct tables *tables, const struct service *service,
                   struct ruling *ruling, const char *user);

/* Append what the DM is for that a message goes to. */
void dms_topic(struct tables *tables, const struct queued_message *queued,
               int64_t now, struct buf *topic);

#endif
