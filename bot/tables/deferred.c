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
 *   - nothing known comes before it: no deferred post, and, for a post,
 *     no timer;
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
 * What order can't change doesn't wait for a service's disorder: a vote in the
 * thread, by somebody who has not voted yet, while the vote stays open whatever
 * they vote.  Others' votes come out the same before or after it, and people's
 * own posts come in order.  (What a moderator orders within that second counts
 * from when it is read.)
 *
 * A DM that is denied, or gone, is no longer waited for.  A thread always is:
 * without it nothing could be said, so nothing may happen.
 */
#include "bot/tables/deferred.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tables/calls.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/tables.h"

int64_t
deferred_time(const struct deferred_post *post)
{
    return post->edited > post->stamp ? post->edited : post->stamp;
}

/* ---- up to when feeds have been read ------------------------------------- */

/* The feed of the place where a table with its own thread was opened. */
static const struct feed *
home_feed(const struct tables *tables, const struct entry *entry)
{
    struct buf name = BUF_INIT;
    entry->service->adapter->feed(entry->service, entry->outline.home, &name);
    const struct feed *feed =
        feeds_find(&tables->feeds, entry->service, buf_text(&name));
    buf_release(&name);
    return feed;
}

/* Does a feed bring posts for the question that is open at a table? */
static bool
may_answer(const struct feed *feed, const struct entry *entry)
{
    if (!feed->dms || feed->lost || entry->service != feed->service) {
        return false;
    }
    if (feed->user[0] == '\0') {
        return entry->outline.private_seats != 0;
    }
    unsigned seat = entry_seat(entry, feed->user);
    return seat != NO_SEAT && seat_in(seat, entry->outline.private_seats);
}

bool
tables_awaits(struct tables *tables, const struct feed *feed)
{
    const struct entry *entry;
    size_t at = 0;
    if (feed->shared) {
        return !feed->lost &&
               tables->asked_privately[feed->service - tables->services] > 0;
    }
    do {
        entry = tables_next_of_user(tables, feed->service, feed->user, &at);
    } while (entry != NULL && !may_answer(feed, entry));
    return entry != NULL;
}

/* By how much the posts of a service are in order beyond the time up to which
 * they were surely read. */
static int64_t
order_ahead(const struct service *service)
{
    const struct capabilities *capabilities = &service->adapter->capabilities;
    return capabilities->disorder == 0
               ? 0
               : capabilities->margin - capabilities->disorder;
}

/* The lesser of a time and that up to which a feed was read, if it may answer
 * and is not `own`. */
static int64_t
not_beyond(int64_t through, const struct feed *feed, const struct feed *own,
           const struct entry *entry)
{
    bool counts =
        feed != own && feed->through < through && may_answer(feed, entry);
    return counts ? feed->through : through;
}

/* The time up to which all DMs were read that may answer at a table. */
static int64_t
dms_read_through(const struct tables *tables, const struct entry *entry,
                 const struct feed *own, int64_t through)
{
    const struct feeds *feeds = &tables->feeds;
    for (size_t i = 0; i < feeds->shared_count; i++) {
        through = not_beyond(through, feeds->shared[i], own, entry);
    }
    for (unsigned seat = 0; seat < entry->outline.seated; seat++) {
        const struct feed *feed = NULL;
        size_t at = 0;
        while (seat_in(seat, entry->outline.private_seats) &&
               (feed = feeds_next_of_user(feeds, entry->service,
                                          entry->outline.people[seat], &at)) !=
                   NULL) {
            through = not_beyond(through, feed, own, entry);
        }
    }
    return through;
}

/* The time up to which all feeds were read that may bring something for what a
 * table waits for, `own` excepted (or NULL). */
static int64_t
read_through(const struct tables *tables, const struct entry *entry,
             const struct feed *own)
{
    const struct feed *thread =
        feeds_find(&tables->feeds, entry->service, entry->feed);
    int64_t through = INT64_MAX;
    if (thread == NULL || thread != own) {
        through = thread == NULL ? 0 : thread->through;
    }
    if (entry->outline.home[0] != '\0' &&
        entry->outline.state == TABLE_SIGNUP) {
        const struct feed *home = home_feed(tables, entry);
        if (home != NULL && home != own && home->through < through) {
            through = home->through;
        }
    }
    return dms_read_through(tables, entry, own, through);
}

/* Is there nothing more in its own feed that could come before a post? */
static bool
is_read_up_to(const struct feed *own, const struct deferred_post *post)
{
    int64_t time = deferred_time(post);
    if (own == NULL || own->lost) {
        return true; /* it brings nothing more at all */
    }
    return own->through >= time - order_ahead(own->service) ||
           (time == post->stamp &&
            own->service->adapter->capabilities.disorder == 0);
}

/* ---- order --------------------------------------------------------------- */

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
is_for(const struct deferred_post *post, const struct entry *entry)
{
    bool for_it = post->dm ? entry_seat(entry, post->author) != NO_SEAT
                           : entry_is_for(entry, post->place);
    return for_it && strcmp(entry->service->name, post->service) == 0;
}

static bool
is_overtaken(const struct entry *entry, int64_t time)
{
    return entry->outline.timer.kind != TIMER_NONE &&
           entry->outline.timer.at < time;
}

/* Does a post at a table make those behind it wait?  Not if it is written in
 * private where nothing is asked. */
static bool
holds_up(const struct deferred_post *post, const struct entry *entry)
{
    unsigned seat = entry_seat(entry, post->author);
    bool asked = !post->dm || (seat != NO_SEAT &&
                               seat_in(seat, entry->outline.private_seats));
    return asked && is_for(post, entry);
}

/* ---- finding deferred posts ---------------------------------------------- */

/* Posts of one kind: what they have in common is a member of each. */
enum kin {
    KIN_PLACE,
    KIN_AUTHOR,
    KIN_FEED,
    KINS,
};

_Static_assert(sizeof((struct tables *)0)->deferred_by ==
                   KINS * sizeof(struct index),
               "there is an index for each");

static const char *
name_of(const struct deferred_post *post, enum kin kin)
{
    switch (kin) {
    case KIN_PLACE:
        return post->place;
    case KIN_AUTHOR:
        return post->author;
    case KIN_FEED:
    case KINS:
        break;
    }
    return post->feed;
}

/* The next deferred post of a service in a place, by an author, or of a feed;
 * NULL: no more.  In any order; *at is 0 for the first. */
static const struct deferred_post *
next_of(const struct tables *tables, const char *service, enum kin kin,
        const char *name, size_t *at)
{
    const struct index *index = &tables->deferred_by[kin];
    uint64_t key = index_key(service, name);
    const struct deferred_post *post = NULL;
    do {
        post = index_next_pointer(index, key, at);
    } while (post != NULL && (strcmp(name_of(post, kin), name) != 0 ||
                              strcmp(post->service, service) != 0));
    return post;
}

/* Does one come before another, or before no particular one (NULL)? */
static bool
is_before(const struct deferred_post *one, const struct deferred_post *two)
{
    return two == NULL || compare(one, two) < 0;
}

/* The lesser of a time (0: none) and that of the first post among some that
 * makes those behind it wait at a table. */
static int64_t
first_of(const struct tables *tables, const struct entry *entry, enum kin kin,
         const char *name, const struct deferred_post *before, int64_t first)
{
    const struct deferred_post *post = NULL;
    size_t at = 0;
    while ((post = next_of(tables, entry->service->name, kin, name, &at)) !=
           NULL) {
        int64_t time = deferred_time(post);
        if ((first == 0 || time < first) && is_before(post, before) &&
            holds_up(post, entry)) {
            first = time;
        }
    }
    return first;
}

/* The time of the first deferred post for a table, of those before another
 * (NULL: of all); 0: there is none. */
static int64_t
waiting_at(const struct tables *tables, const struct entry *entry,
           const struct deferred_post *before)
{
    int64_t first = 0;
    if (tables->deferred_count == 0) {
        return 0;
    }
    first = first_of(tables, entry, KIN_PLACE, entry->outline.thread, before,
                     first);
    if (entry->outline.home[0] != '\0') {
        first = first_of(tables, entry, KIN_PLACE, entry->outline.home, before,
                         first);
    }
    for (unsigned seat = 0; seat < entry->outline.seated; seat++) {
        if (seat_in(seat, entry->outline.private_seats)) {
            first = first_of(tables, entry, KIN_AUTHOR,
                             entry->outline.people[seat], before, first);
        }
    }
    return first;
}

/* ---- turns --------------------------------------------------------------- */

/* Can nothing come before a post at a table any more? */
static bool
is_next_at(const struct tables *tables, const struct deferred_post *post,
           const struct feed *own, const struct entry *entry)
{
    int64_t time = deferred_time(post);
    return waiting_at(tables, entry, post) == 0 && !is_overtaken(entry, time) &&
           read_through(tables, entry, own) >=
               time - order_ahead(entry->service);
}

/* Is a post the vote of somebody who has not voted yet, and which nothing that
 * may still come changes? */
static bool
is_free_vote(const struct tables *tables, const struct deferred_post *post,
             const struct entry *entry)
{
    const struct deferred_post *other = NULL;
    size_t at = 0;
    unsigned seat = entry_seat(entry, post->author);
    int64_t time = deferred_time(post);
    if (entry->service->adapter->capabilities.disorder == 0 || post->dm ||
        !entry->outline.voting || seat == NO_SEAT ||
        !seat_in(seat, entry->outline.asked) || time < entry->outline.since ||
        is_overtaken(entry, time)) {
        return false;
    }
    do {
        other = next_of(tables, post->service, KIN_AUTHOR, post->author, &at);
    } while (other != NULL &&
             (!is_before(other, post) || !is_for(other, entry)));
    return other == NULL;
}

/* The next table that a post is for. */
static struct entry *
next_table(const struct tables *tables, const struct service *service,
           const struct deferred_post *post, size_t *at)
{
    return post->dm ? tables_next_of_user(tables, service, post->author, at)
                    : tables_next_in_thread(tables, service, post->place, at);
}

/* Is an earlier post of its own thread deferred? */
static bool
has_before(const struct tables *tables, const struct deferred_post *post)
{
    const struct deferred_post *other = NULL;
    size_t at = 0;
    do {
        other = next_of(tables, post->service, KIN_PLACE, post->place, &at);
    } while (other != NULL && !is_before(other, post));
    return other != NULL;
}

/* Somebody who writes in private and sits nowhere may be about to get a seat,
 * at any table of the service. */
static bool
is_next_anywhere(const struct tables *tables, const struct deferred_post *post,
                 const struct feed *own, const struct service *service)
{
    bool next = true;
    for (size_t i = 0; next && i < tables->table_count; i++) {
        const struct entry *entry = tables->list[i];
        next =
            entry->service != service || is_next_at(tables, post, own, entry);
    }
    return next;
}

bool
deferred_is_due(struct tables *tables, const struct deferred_post *post)
{
    struct service *service = tables_service_named(tables, post->service);
    const struct feed *own = feeds_find(&tables->feeds, service, post->feed);
    size_t at = 0;
    const struct entry *entry = next_table(tables, service, post, &at);
    bool read = is_read_up_to(own, post);
    if (entry == NULL) {
        return !read      ? false
               : post->dm ? is_next_anywhere(tables, post, own, service)
                          : !has_before(tables, post); /* it may open a table */
    }
    while (entry != NULL && (is_free_vote(tables, post, entry) ||
                             (read && is_next_at(tables, post, own, entry)))) {
        entry = next_table(tables, service, post, &at);
    }
    return entry == NULL;
}

int64_t
deferred_timer_due(struct tables *tables, struct entry *entry)
{
    const struct timer *timer = &entry->outline.timer;
    int64_t through = read_through(tables, entry, NULL);
    int64_t waiting = waiting_at(tables, entry, NULL);
    if (waiting != 0 && waiting - 1 < through) {
        through = waiting - 1;
    }
    return timer->kind != TIMER_NONE && timer->at <= through &&
                   !tables_clock(tables, entry->service)->doubted &&
                   (timer->kind == TIMER_ASKED ||
                    tables_is_asked(tables, entry, through))
               ? through
               : 0;
}

int64_t
deferred_first(const struct tables *tables, const struct feed *feed)
{
    const struct deferred_post *post = NULL;
    int64_t first = INT64_MAX;
    size_t at = 0;
    while ((post = next_of(tables, feed->service->name, KIN_FEED, feed->name,
                           &at)) != NULL) {
        int64_t time = deferred_time(post);
        first = time > feed->through && time < first ? time : first;
    }
    return first;
}

/* Visit the feeds of a table that were not read up to a time. */
static void
visit_unread(const struct tables *tables, const struct entry *entry,
             const struct deferred_post *post,
             void (*visit)(void *context, struct feed *other, int64_t time),
             void *context)
{
    const struct feeds *feeds = &tables->feeds;
    struct feed *feed = feeds_find(feeds, entry->service, entry->feed);
    int64_t time = deferred_time(post);
    if (feed != NULL && feed->through < time) {
        visit(context, feed, time);
    }
    for (size_t i = 0; i < feeds->shared_count; i++) {
        if (may_answer(feeds->shared[i], entry) &&
            feeds->shared[i]->through < time) {
            visit(context, feeds->shared[i], time);
        }
    }
    for (unsigned seat = 0; seat < entry->outline.seated; seat++) {
        size_t at = 0;
        while (seat_in(seat, entry->outline.private_seats) &&
               (feed = feeds_next_of_user(feeds, entry->service,
                                          entry->outline.people[seat], &at)) !=
                   NULL) {
            if (!feed->lost && feed->through < time) {
                visit(context, feed, time);
            }
        }
    }
}

void
deferred_visit(const struct tables *tables, const struct feed *feed,
               void (*visit)(void *context, struct feed *other, int64_t time),
               void *context)
{
    const struct deferred_post *post = NULL;
    size_t of_feed = 0;
    while ((post = next_of(tables, feed->service->name, KIN_FEED, feed->name,
                           &of_feed)) != NULL) {
        const struct entry *entry = NULL;
        size_t at = 0;
        while ((entry = next_table(tables, feed->service, post, &at)) != NULL) {
            visit_unread(tables, entry, post, visit, context);
        }
    }
}

/* ---- deferred posts ------------------------------------------------------ */

/* List a post, or no longer (`change`). */
static void
list_with(struct tables *tables, const struct deferred_post *post,
          void (*change)(struct index *index, uint64_t key, uintptr_t value))
{
    for (unsigned kin = 0; kin < KINS; kin++) {
        change(&tables->deferred_by[kin],
               index_key(post->service, name_of(post, (enum kin)kin)),
               (uintptr_t)post);
    }
}

static void
insert(struct tables *tables, const struct deferred_post *post)
{
    size_t at = tables->deferred_count;
    if (tables->deferred_count == tables->deferred_room) {
        tables->deferred_room =
            tables->deferred_room == 0 ? 16 : 2 * tables->deferred_room;
        tables->deferred =
            must_grow(tables->deferred,
                      tables->deferred_room * sizeof(struct deferred_post *));
    }
    while (at > 0 && compare(tables->deferred[at - 1], post) > 0) {
        at--;
    }
    struct deferred_post *added = must_alloc(sizeof *added);
    *added = *post;
    memmove(&tables->deferred[at + 1], &tables->deferred[at],
            (tables->deferred_count - at) * sizeof(struct deferred_post *));
    tables->deferred[at] = added;
    tables->deferred_count++;
    list_with(tables, added, index_add);
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
    enum err err = store_defer(tables->store, deferred->service, deferred->feed,
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
    struct deferred_post *post = tables->deferred[at];
    list_with(tables, post, index_remove);
    free(post);
    tables->deferred_count--;
    memmove(&tables->deferred[at], &tables->deferred[at + 1],
            (tables->deferred_count - at) * sizeof(struct deferred_post *));
}

void
deferred_release(struct tables *tables)
{
    for (size_t i = 0; i < tables->deferred_count; i++) {
        free(tables->deferred[i]);
    }
    for (unsigned kin = 0; kin < KINS; kin++) {
        index_release(&tables->deferred_by[kin]);
    }
    free(tables->deferred);
}
