/*
 * The feeds of a process, and which of them are read next; with the clocks of
 * their services.
 *
 * There may be very many: each table has a thread, and each player a DM.  So a
 * feed is found by its name or its user without a search, and the next one to
 * be read is the first of a heap.  Each service has a heap for each queue,
 * because thousands of feeds may be due at once: those of an earlier one are
 * read first (enum feed_queue).  A feed that is being read, or waits for its
 * updates feed, is in none.
 */
#ifndef BOT_TABLES_FEEDS_FEEDS_H
#define BOT_TABLES_FEEDS_FEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/index.h"
#include "bot/store/store.h"
#include "bot/tables/feeds/feed.h"
#include "bot/tables/feeds/service_clock.h"
#include "bot/tables/places/places.h"

/* What there is of a service's feeds. */
struct service_feeds {
    struct heap due[FEED_QUEUES];
    int64_t latest;            /* the latest `through`; 0: none was read */
    size_t turns[TURNS_COUNT]; /* how many take such turns */
    int64_t noted_at; /* when it was last saved how far those were read that
                         share it; 0: not since the start */
    struct service_clock clock;
};

struct feeds {
    const struct services *services; /* borrowed, as is what follows */
    struct store *store;
    const struct steady *steady;
    struct feed **list;
    size_t count;
    struct index by_name, by_user; /* pointers to feeds */
    struct feed **shared;          /* in which DMs of several people come */
    size_t shared_count;
    struct service_feeds *by_service; /* owned */
};

/* There are none yet, of any of the services. */
void feeds_init(struct feeds *feeds, const struct services *services,
                struct store *store, const struct steady *steady);
void feeds_release(struct feeds *feeds); /* also of zeroed ones */

/* ---- which there are ----------------------------------------------------- */

/* The feed of that name; NULL: there is none. */
struct feed *feeds_find(const struct feeds *feeds,
                        const struct service *service, const char *name);

/* Add a feed, which MUST NOT be there.  It is due at once. */
struct feed *feeds_add(struct feeds *feeds, struct service *service,
                       const char *name);

/* It brings the DM of a user, and of no other as far as is known. */
void feeds_set_user(struct feeds *feeds, struct feed *feed, const char *user);

/* DMs of several people come in it, or posts of a thread as well. */
void feeds_share(struct feeds *feeds, struct feed *feed, bool dms);

/* The next feed that brings a user's DM alone; NULL: no more.  *at is 0 for the
 * first. */
struct feed *feeds_next_of_user(const struct feeds *feeds,
                                const struct service *service, const char *user,
                                size_t *at);

/* The one that brings the posts of a place, by its id or as it is configured;
 * NULL: it is not listed. */
struct feed *feeds_bringing(const struct feeds *feeds,
                            const struct service *service, const char *place);
struct feed *feeds_of_place(const struct feeds *feeds,
                            const struct hosted_place *place);

/* ---- which are read (feeds_read.c) --------------------------------------- */

/* List the feed that brings the posts of a place: a thread, or the DM of `user`
 * ("": a thread).  NULL: it is listed.  Nothing is known of it; once many are
 * listed, feeds_know takes over what the store knows of each. */
struct feed *feeds_list(struct feeds *feeds, struct service *service,
                        const char *place, const char *user);
void feeds_know(struct feeds *feeds);

/* The same of a thread that is no configured place. */
struct feed *feeds_list_thread(struct feeds *feeds, struct service *service,
                               const char *thread);

/* From now on read the posts of a place, which may be the DM of `user`. */
void feeds_read(struct feeds *feeds, struct service *service, const char *place,
                const char *user);

/* The same of a thread that is no configured place; a feed that was never read
 * begins at the cursor ("": wherever its adapter chooses). */
void feeds_read_thread(struct feeds *feeds, struct service *service,
                       const char *thread, const char *cursor);

/* A user's DM was opened, or found: save it, and read it so. */
void feeds_open_dm(struct feeds *feeds, struct service *service,
                   const char *user, const char *dm, const char *cursor);

/* Append the place of a user's DM, and read it from now on at the latest.
 * Nothing if none is known. */
void feeds_dm(struct feeds *feeds, struct service *service, const char *user,
              struct buf *dm);

/* What was written in a place is known once its feed was read to its end from
 * now on; it is read soon, if a game may follow its place. */
void feeds_read_anew(struct feeds *feeds, const struct hosted_place *place);

/* Where a place may be replaced by another: is it not found, or its feed not
 * read to its end since?  Then it is not known what was written there. */
bool feeds_is_unread(const struct feeds *feeds,
                     const struct hosted_place *place);

/* Save when each place was last polled with success; was any? */
bool feeds_note_polls(const struct feeds *feeds, const struct places *places);

/* ---- how far they were read ---------------------------------------------- */

/* It was read up to that time of its service: never back, except by
 * feeds_unread. */
void feeds_read_through(struct feeds *feeds, struct feed *feed, int64_t time);

/* What was read of a service after that time has to be read again. */
void feeds_unread(struct feeds *feeds, const struct service *service,
                  int64_t time);

/* The latest time at which any feed of a service was heard of, by its clock, as
 * the store has it after a start; 0: none was.  It goes through all of them. */
int64_t feeds_heard(const struct feeds *feeds, const struct service *service);

/* The clock of a service. */
struct service_clock *feeds_clock(const struct feeds *feeds,
                                  const struct service *service);

/* Our clock has shown `now` without the time passing: nothing was missed.
 * `ahead`: it has gone on. */
void feeds_leap(struct feeds *feeds, bool ahead, int64_t now);

/* ---- when they are read, by the clock that is never set back ------------- */

/* It is to be read at `at` (once it is neither busy nor waiting). */
void feeds_plan(struct feeds *feeds, struct feed *feed, int64_t at);

/* The same, before all that is merely due, and past its updates feed: something
 * is known to be new there, or waits for it. */
void feeds_hurry(struct feeds *feeds, struct feed *feed, int64_t at);

/* It is being read, or not any more. */
void feeds_set_busy(struct feeds *feeds, struct feed *feed, bool busy);

/* It is asked for, from a time on (0: what is new). */
void feeds_ask(struct feeds *feeds, struct feed *feed, int64_t since,
               int64_t now);

/* It waits for an updates feed, as the first of its list of those that do; or
 * for none any more, and is taken out of that. */
void feeds_wait(struct feeds *feeds, struct feed *feed, struct updates *updates,
                struct feed **waiting);
void feeds_stop_waiting(struct feeds *feeds, struct feed *feed,
                        struct feed **waiting);

/* The first to be read of a queue of a service's feeds; NULL: it is empty. */
struct feed *feeds_first(const struct feeds *feeds,
                         const struct service *service, enum feed_queue queue);

void feeds_set_turns(struct feeds *feeds, struct feed *feed,
                     enum feed_turns turns);

#endif
