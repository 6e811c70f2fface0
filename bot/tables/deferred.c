/*
 * Whose turn it is.
 *
 * What happens at a table is a series of posts and timers, ordered by the
 * service's clock.  A post's time is post_time.  Of two posts at one time, the
 * one whose feed has the lesser name is first; within a feed, the one that was
 * delivered first.  A timer comes after the posts of its instant.  Each one
 * that is judged or fires changes what the next one means.  So it is the next
 * one's turn only when nothing can come before it any more:
 *
 *   - nothing known comes before it: no deferred post, and, for a post, no
 * timer;
 *   - and all feeds that may bring something for it have been read up to its
 *     time.  These are the thread's feed and, while the open question is
 *     answered in private, the DMs of everybody whose answer is read
 *     (table_private_seats).  The feed that brought a post has been read up to
 *     it with the post itself, unless the post was edited since, or the service
 *     delivers in disorder.
 *
 * A question's timer also waits until the question was asked
 * (bot/tables/calls.c), and all timers wait while the service's clock can't be
 * believed (bot/tables/service_clock.h).
 *
 * A post whose turn has not come is deferred: it is not judged, and nothing is
 * said to it.  So each post is judged once, in its turn, whenever the feeds
 * were polled.  A vote in the thread waits for no DM; and where one feed brings
 * everything, a post is deferred only if a timer overtook it.
 *
 * What is written in a DM while nothing is asked there may be judged later than
 * in its turn, for no thread waits for it.  It can't move the game; it is
 * answered as things stand when it is read.
 *
 * A DM that is denied, or gone, is no longer waited for.  A thread always is:
 * without it nothing could be said, so nothing may happen.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tables/tables_inner.h"

int64_t
deferred_time(const struct deferred_post *post)
{
    return post->edited > post->stamp ? post->edited : post->stamp;
}

/* ---- up to when feeds have been read ------------------------------------- */

static bool
is_service(const struct service *service, const char *name)
{
    return service != NULL && strcmp(service->name, name) == 0;
}

static struct feed *
feed_of(struct tables *tables, const struct table *table, const char *thread)
{
    struct service *service = tables_service(tables, table->place);
    struct buf name = BUF_INIT;
    assert(service != NULL); /* otherwise the game was not recovered */
    service->adapter->feed(service, thread, &name);
    struct feed *feed = tables_find_feed(tables, service, buf_text(&name));
    buf_release(&name);
    return feed;
}

struct feed *
tables_thread_feed(struct tables *tables, const struct table *table)
{
    return feed_of(tables, table, table->thread);
}

/* Does a feed bring posts for the question that is open at a table? */
static bool
may_answer(struct tables *tables, const struct feed *feed,
           const struct table *table)
{
    if (!feed->dms || feed->lost ||
        tables_service(tables, table->place) != feed->service) {
        return false;
    }
    seat_set private = table_private_seats(table);
    unsigned seat =
        feed->user[0] == '\0' ? NO_SEAT : table_seat(table, feed->user);
    return feed->user[0] == '\0' ? private != 0
                                 : seat != NO_SEAT && seat_in(seat, private);
}

bool
tables_awaits(struct tables *tables, const struct feed *feed)
{
    const struct table *table;
    size_t at = 0;
    do {
        table = tables_next_of_user(tables, feed->service, feed->user, &at);
    } while (table != NULL && !may_answer(tables, feed, table));
    return table != NULL;
}

bool
tables_brings(struct tables *tables, const struct feed *feed,
              const struct table *table)
{
    return tables_thread_feed(tables, table) == feed;
}

/* The time up to which all feeds were read that may bring something for what a
 * table waits for, `own` excepted (or NULL). */
static int64_t
read_through(struct tables *tables, const struct table *table,
             const struct feed *own)
{
    const struct feed *thread = tables_thread_feed(tables, table);
    int64_t through = INT64_MAX;
    if (thread == NULL || thread != own) {
        through = thread == NULL ? 0 : thread->through;
    }
    if (table->home[0] != '\0' && table->state == TABLE_SIGNUP) {
        const struct feed *home = feed_of(tables, table, table->home);
        if (home != NULL && home != own && home->through < through) {
            through = home->through;
        }
    }
    for (size_t i = 0; i < tables->feed_count; i++) {
        const struct feed *feed = &tables->feeds[i];
        if (feed != own && feed->through < through &&
            may_answer(tables, feed, table)) {
            through = feed->through;
        }
    }
    return through;
}

/* Is there nothing more in its own feed that could come before a post? */
static bool
is_read_up_to(const struct feed *own, const struct deferred_post *post)
{
    int64_t time = deferred_time(post);
    if (own == NULL || own->lost) {
        return true; /* it brings nothing more at all */
    }
    return own->through >= time ||
           (time == post->stamp &&
            !own->service->adapter->capabilities.disorder);
}

/* ---- turns --------------------------------------------------------------- */

/* In which order do two posts stand? */
static int
compare(const struct deferred_post *one, const struct deferred_post *two)
{
    int64_t by = deferred_time(one) - deferred_time(two);
    if (by == 0) {
        by = strcmp(one->feed, two->feed);
    }
    if (by == 0) {
        by = one->number - two->number;
    }
    return by < 0 ? -1 : by > 0;
}

/* Is a post for a table?  What somebody writes in private is for every table at
 * which they sit. */
static bool
is_for(struct tables *tables, const struct deferred_post *post,
       const struct table *table)
{
    bool for_it = post->dm ? table_seat(table, post->author) != NO_SEAT
                           : tables_is_for(table, post->place);
    return for_it &&
           is_service(tables_service(tables, table->place), post->service);
}

static bool
is_overtaken(const struct table *table, int64_t time)
{
    struct timer timer = table_timer(table);
    return timer.kind != TIMER_NONE && timer.at < time;
}

/* Does a post at a table make those behind it wait?  Not if it is written in
 * private where nothing is asked. */
static bool
holds_up(struct tables *tables, const struct deferred_post *post,
         const struct table *table)
{
    unsigned seat = table_seat(table, post->author);
    bool asked = !post->dm ||
                 (seat != NO_SEAT && seat_in(seat, table_private_seats(table)));
    return asked && is_for(tables, post, table);
}

/* The time of the first post for a table among the first `count` deferred ones;
 * 0: there is none. */
static int64_t
waiting_at(struct tables *tables, const struct table *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (holds_up(tables, &tables->deferred[i], table)) {
            return deferred_time(&tables->deferred[i]);
        }
    }
    return 0;
}

/* Can nothing come before a post at a table any more? */
static bool
is_next_at(struct tables *tables, const struct deferred_post *post,
           const struct feed *own, const struct table *table, size_t before)
{
    int64_t time = deferred_time(post);
    return waiting_at(tables, table, before) == 0 &&
           !is_overtaken(table, time) &&
           read_through(tables, table, own) >= time;
}

/* The next table that a post is for. */
static struct table *
next_table(const struct tables *tables, const struct service *service,
           const struct deferred_post *post, size_t *at)
{
    return post->dm ? tables_next_of_user(tables, service, post->author, at)
                    : tables_next_in_thread(tables, service, post->place, at);
}

/* Is an earlier post of its own thread deferred? */
static bool
has_before(const struct tables *tables, const struct deferred_post *post,
           size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(tables->deferred[i].place, post->place) == 0 &&
            strcmp(tables->deferred[i].service, post->service) == 0) {
            return true;
        }
    }
    return false;
}

/* Somebody who writes in private and sits nowhere may be about to get a seat,
 * at any table of the service. */
static bool
is_next_anywhere(struct tables *tables, const struct deferred_post *post,
                 const struct feed *own, const struct service *service,
                 size_t before)
{
    bool next = true;
    for (size_t i = 0; next && i < tables->table_count; i++) {
        const struct table *table = tables->list[i];
        next = tables_service(tables, table->place) != service ||
               is_next_at(tables, post, own, table, before);
    }
    return next;
}

bool
deferred_is_due(struct tables *tables, const struct deferred_post *post,
                size_t before)
{
    struct service *service = tables_service_named(tables, post->service);
    const struct feed *own = tables_find_feed(tables, service, post->feed);
    size_t at = 0;
    const struct table *table = next_table(tables, service, post, &at);
    if (!is_read_up_to(own, post)) {
        return false;
    }
    if (table == NULL) {
        return post->dm ? is_next_anywhere(tables, post, own, service, before)
                        : !has_before(tables, post,
                                      before); /* it may open a table */
    }
    while (table != NULL && is_next_at(tables, post, own, table, before)) {
        table = next_table(tables, service, post, &at);
    }
    return table == NULL;
}

bool
deferred_is_next(struct tables *tables, const struct deferred_post *post)
{
    size_t before = 0;
    while (before < tables->deferred_count &&
           compare(&tables->deferred[before], post) < 0) {
        before++;
    }
    return deferred_is_due(tables, post, before);
}

int64_t
deferred_timer_due(struct tables *tables, const struct table *table)
{
    struct timer timer = table_timer(table);
    int64_t through = read_through(tables, table, NULL);
    int64_t waiting = waiting_at(tables, table, tables->deferred_count);
    if (waiting != 0 && waiting - 1 < through) {
        through = waiting - 1;
    }
    const struct service *service = tables_service(tables, table->place);
    return timer.kind != TIMER_NONE && timer.at <= through &&
                   !tables_clock(tables, service)->doubted &&
                   (timer.kind == TIMER_ASKED ||
                    tables_is_asked(tables, table, through))
               ? through
               : 0;
}

/* ---- deferred posts ------------------------------------------------------ */

static void
insert(struct tables *tables, const struct deferred_post *post)
{
    size_t at = tables->deferred_count;
    if (tables->deferred_count == tables->deferred_room) {
        tables->deferred_room =
            tables->deferred_room == 0 ? 16 : 2 * tables->deferred_room;
        tables->deferred =
            must_grow(tables->deferred,
                      tables->deferred_room * sizeof tables->deferred[0]);
    }
    while (at > 0 && compare(&tables->deferred[at - 1], post) > 0) {
        at--;
    }
    memmove(&tables->deferred[at + 1], &tables->deferred[at],
            (tables->deferred_count - at) * sizeof tables->deferred[0]);
    tables->deferred[at] = *post;
    tables->deferred_count++;
}

static void
load_one(void *context, const struct deferred_post *post)
{
    struct tables *tables = context;
    if (tables_service_named(tables, post->service) != NULL) {
        insert(tables, post);
    }
}

enum err
deferred_load(struct tables *tables, struct buf *why)
{
    return store_deferred(tables->store, load_one, tables, why);
}

void
deferred_describe(const struct service *service, const struct post *post,
                  struct deferred_post *deferred)
{
    struct buf feed = BUF_INIT;
    memset(deferred, 0, sizeof *deferred);
    service->adapter->feed(service, post->place, &feed);
    (void)snprintf(deferred->service, sizeof deferred->service, "%s",
                   service->name);
    (void)snprintf(deferred->feed, sizeof deferred->feed, "%s",
                   buf_text(&feed));
    (void)snprintf(deferred->place, sizeof deferred->place, "%s", post->place);
    (void)snprintf(deferred->author, sizeof deferred->author, "%s",
                   post->author);
    deferred->stamp = post->stamp;
    deferred->edited = post->edited;
    deferred->dm = post->dm;
    deferred->number = INT64_MAX; /* it is the newest */
    buf_release(&feed);
}

enum err
deferred_add(struct tables *tables, struct deferred_post *deferred,
             const struct post *post, struct buf *why)
{
    enum err err = store_keep(tables->store, deferred->service, deferred->feed,
                              post, &deferred->number, why);
    if (err == ERR_NONE) {
        insert(tables, deferred);
    }
    return err;
}

void
deferred_remove(struct tables *tables, size_t at)
{
    assert(at < tables->deferred_count);
    tables->deferred_count--;
    memmove(&tables->deferred[at], &tables->deferred[at + 1],
            (tables->deferred_count - at) * sizeof tables->deferred[0]);
}
