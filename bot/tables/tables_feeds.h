/*
 * Which feeds are read for which tables.
 */
#ifndef BOT_TABLES_TABLES_FEEDS_H
#define BOT_TABLES_TABLES_FEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* A configured place was found at its service: from now on it is read. */
enum err tables_found(struct tables *tables, struct hosted_place *place,
                      const char *thread, struct buf *why) MUST_USE;

/* The same for the place where its moderators talk. */
enum err tables_found_moderators(struct tables *tables,
                                 struct hosted_place *place, const char *dm,
                                 struct buf *why) MUST_USE;

/* Where a place may be replaced by another: is it not found, or its feed not
 * read to its end since?  Then it is not known what was written there. */
bool tables_is_unread(const struct tables *tables,
                      const struct hosted_place *place);

/* The host has come into a room that the place's may have replaced: what was
 * written there is known once the feed was read to its end. */
void tables_entered(struct tables *tables, struct hosted_place *place,
                    const char *thread);

/* A user's DM was opened, or found: save it, and read it from now on; one that
 * was never read begins at the cursor. */
enum err tables_open_dm(struct tables *tables, struct service *service,
                        const char *user, const char *dm, const char *cursor,
                        struct buf *why) MUST_USE;

/* Append the place of a user's DM, and read it from now on at the latest.
 * Nothing if none is known. */
enum err tables_dm(struct tables *tables, struct service *service,
                   const char *user, struct buf *dm, struct buf *why) MUST_USE;

/* Is a feed to be read?  A DM's is while its user sits at a table; that of a
 * game's own thread is during the game, and after it until the place's next
 * game has one. */
bool tables_reads(const struct tables *tables, const struct feed *feed);

/* A feed was denied, or is gone; may be called each time.  If it brings a DM,
 * nobody waits for that any more. */
void tables_lose(struct feed *feed, const char *trouble);

/* Save when each place was last polled with success; *any: one was, since the
 * start. */
enum err tables_note_polls(struct tables *tables, bool *any,
                           struct buf *why) MUST_USE;

/* List the feed that brings the posts of a place: a thread, or the DM of `user`
 * ("": a thread).  NULL: it is listed.  Nothing is known of it; once many are
 * listed, tables_know_feeds takes over what the store knows of each. */
struct feed *tables_list_feed(struct tables *tables, struct service *service,
                              const char *place, const char *user);
enum err tables_know_feeds(struct tables *tables, struct buf *why) MUST_USE;

/* The same of a thread that is no configured place. */
struct feed *tables_list_thread(struct tables *tables, struct service *service,
                                const char *thread);

/* The same for one feed, which is read from now on. */
enum err tables_add_feed(struct tables *tables, struct service *service,
                         const char *place, const char *user,
                         struct buf *why) MUST_USE;

/* From now on read a thread that is no configured place; a feed that was never
 * read begins at the cursor. */
enum err tables_read_thread(struct tables *tables, struct service *service,
                            const char *thread, const char *cursor,
                            struct buf *why) MUST_USE;

/* From now on read the feed of a game's own thread. */
enum err tables_add_thread(struct tables *tables, const struct entry *entry,
                           const char *cursor, struct buf *why) MUST_USE;

#endif
