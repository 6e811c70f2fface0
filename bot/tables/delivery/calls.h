/*
 * When a question was asked, and the time that it names.
 */
#ifndef BOT_TABLES_DELIVERY_CALLS_H
#define BOT_TABLES_DELIVERY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* The deadline that a call names if it is delivered now. */
int64_t calls_deadline(struct tables *tables,
                       const struct queued_message *queued, int64_t now);

/* Does a delivered call name another time than the one that holds now?  Then it
 * must be edited. */
bool calls_is_outdated(struct tables *tables,
                       const struct queued_message *queued, int64_t now);

/* Append the text of a message with its slots filled: the times that it
 * names. */
void calls_fill(struct tables *tables, const struct queued_message *queued,
                int64_t now, struct buf *text);

/* A call was delivered at that time, or was refused in private for the first
 * time. Within the transaction in which that is saved. */
void calls_delivered(struct tables *tables, const struct queued_message *queued,
                     bool refused, int64_t at, int64_t now);

/* Does a call take several posts, another of which is not delivered? */
bool calls_in_part(const struct tables *tables,
                   const struct queued_message *queued);

/* A post of ours is gone: if it asks the open question, it is put again, once,
 * with the same deadline. */
void calls_deleted(struct tables *tables, const struct service *service,
                   const struct post *post);

/* Was the open question asked, as far as it can be?  Until then no time runs
 * out for it.  `through`: what time it is at the service. */
bool calls_is_asked(struct tables *tables, struct hosted_table *hosted,
                    int64_t through);

/* Note which seats the private question has not reached, and which of them do
 * not let the host write to them. */
void calls_note_unasked(struct tables *tables, struct ruling *ruling);

#endif
