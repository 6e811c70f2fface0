/*
 * Where the configured places are at their services, and which place an id
 * belongs to.  There may be thousands, so they are found by an index.
 */
#ifndef BOT_TABLES_PLACE_IDS_H
#define BOT_TABLES_PLACE_IDS_H

#include <stdbool.h>

#include "bot/tables/tables.h"

void place_ids_init(struct tables *tables);
void place_ids_release(struct tables *tables); /* also of zeroed tables */

/* An id of a place, by the place's number; "": not known, or there is none.
 * Borrowed until it is set again. */
const char *place_id(const struct tables *tables, unsigned number,
                     enum place_id which);
void place_id_set(struct tables *tables, unsigned number, enum place_id which,
                  const char *id);

/* The next place of a service with that id; NO_PLACE: no more.  In any order;
 * *at is 0 for the first.  None may be set meanwhile. */
unsigned place_ids_next(const struct tables *tables,
                        const struct service *service, enum place_id which,
                        const char *id, size_t *at);

/* The first in the configuration, or NULL. */
const struct place *place_ids_find(const struct tables *tables,
                                   const struct service *service,
                                   enum place_id which, const char *id);

#endif
