/*
 * What desk.c (who sits where) and fold.c (what posts and time do) share;
 * nobody else includes it.
 */
#ifndef BOT_DESK_INNER_H
#define BOT_DESK_INNER_H

#include "bot/desk.h"

/* What a table with these settings is hosted with at a place. */
struct house desk_house_for(const struct desk *desk, struct service *service,
                            const struct place *place,
                            const struct settings *settings, int64_t now);

/* What a table of the desk is hosted with. */
struct house desk_house(struct desk *desk, const struct table *table,
                        int64_t now);

/* Copy a table onto the desk. */
void desk_add_table(struct desk *desk, const struct table *table);

/* Take out the tables whose game is over: nothing is awaited of them. */
void desk_clear_tables(struct desk *desk);

/* The table that is on in a thread, or NULL. */
struct table *desk_table_of_thread(struct desk *desk,
                                   const struct service *service,
                                   const char *thread);

/* The table that a private message is about: one that awaits an answer of this
 * person in secret, else any they sit at; or NULL. */
struct table *desk_table_of_talk(struct desk *desk,
                                 const struct service *service,
                                 const char *user);

/* The place whose thread this is, or NULL. */
const struct place *desk_place_of_thread(const struct desk *desk,
                                         const struct service *service,
                                         const char *thread);

struct feed *desk_find_feed(struct desk *desk, const struct service *service,
                            const char *name);

#endif
