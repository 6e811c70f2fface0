/*
 * Which buttons go with a message: those that its table has use for when it is
 * sent or edited.
 */
#ifndef BOT_TABLES_DELIVERY_BUTTONS_H
#define BOT_TABLES_DELIVERY_BUTTONS_H

#include "bot/host/table/queued.h"
#include "bot/tables/tables.h"

/* Set the buttons under a message; false: it is sent, or stays, without any. */
bool buttons_under(struct tables *tables, const struct queued_message *queued,
                   int64_t now, struct buttons *buttons);

/* Does a running game ask everybody with buttons in its thread, and show them
 * there what they may know?  Not while nothing comes that is pressed. */
bool buttons_ask(struct tables *tables, const struct table *table);

#endif
