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
 *     delivers in disorder.  There posts are in order for some seconds more
 *     than were surely read (deferred_order_ahead), which is enough for a post,
 *     but not for a timer.
 *
 * A question's timer also waits until the question was asked
 * (bot/tables/delivery/calls.c), and all timers wait while the service's clock
 * can't be believed (bot/tables/feeds/service_clock.h).
 *
 * A post whose turn has not come is deferred: it is not judged, and nothing is
 * said to it.  So each post is judged once, in its turn, whenever the feeds
 * were polled.  A vote in the thread waits for no DM; and where one feed brings
 * everything, a post is deferred only if a timer overtook it.
 *
 * What is written in a DM while nothing is asked there may be judged later than
 * in its turn, for no thread waits for it.  It can't move the game, unless it
 * is of the very instant at which a question is put; it is answered as things
 * stand when it is read.
 *
 * What order can't change doesn't wait for a service's disorder: an answer by
 * somebody who has not answered yet, if it is a vote in the thread that stays
 * open whatever they vote and no command is deferred before it, or if nobody
 * else is asked and nothing is deferred before it.  Others' votes come out the
 * same before or after it; what they wrote before the next question was opened
 * does not answer that; and people's own posts come in order.  Where they are
 * asked in private the thread is read first all the same, up to the answer:
 * they may have answered there.  (What a moderator orders within that second
 * counts from when it is read.)  A press is no such answer: it may come before
 * what its presser wrote earlier; nor is a command.
 *
 * What was written where no table is waits, after a start, until it is known
 * which places there are; a press, or a DM, until each was looked for.
 *
 * A DM that is denied, or gone, is no longer waited for.  A thread always is:
 * without it nothing could be said, so nothing may happen, but that moderators,
 * once they were told, can end the game in private.
 */
#include "bot/tables/turns/deferred.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tables/delivery/calls.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

int64_t
deferred_time(const struct deferred_post *post)
{
    return post->edited > post->stamp ? post->edited : post->stamp;
}

/* ---- up to when feeds have been read ------------------------------------- */

/* The feed of the place where people may join a table that has a thread of its
 * own; NULL: none. */
static struct feed *
home_feed(const struct tables *tables, const struct hosted_table *hosted)
{
    struct buf name = BUF_INIT;
    struct feed *feed = NULL;
    if (*hosted_home(hosted) != '\0') {
        hosted->service->adapter->feed(hosted->service, hosted_home(hosted),
                                       &name);
        feed = feeds_find(&tables->feeds, hosted->service, buf_text(&name));
    }
    buf_release(&name);
    return feed;
}

/* Does a feed bring posts for the question that is open at a table? */
static bool
may_answer(const struct feed *feed, const struct hosted_table *hosted)
{
    if (!feed_has_dms(feed) || feed_is_lost(feed) ||
        hosted->service != feed->service) {
        return false;
    }
    if (feed->user[0] == '\0') {
        return table_private_seats(&hosted->table) != 0;
    }
    unsigned seat = hosted_seat(hosted, feed->user);
    return seat != NO_SEAT &&
           seat_in(seat, table_private_seats(&hosted->table));
}

bool
tables_awaits(struct tables *tables, const struct feed *feed)
{
    const struct hosted_table *hosted;
    size_t at = 0;
    if (feed->shared) {
        return !feed_is_lost(feed) &&
               tables->hosted
                       .asked_privately[feed->service - tables->services.list] >
                   0;
    }
    do {
        hosted = hosted_next_of_user(tables, feed->service, feed->user, &at);
    } while (hosted != NULL && !may_answer(feed, hosted));
    return hosted != NULL;
}

int64_t
deferred_order_ahead(const struct service *service)
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
           const struct hosted_table *hosted)
{
    bool counts =
        feed != own && feed->through < through && may_answer(feed, hosted);
    return counts ? feed->through : through;
}

/* The time up to which all DMs were read that may answer at a table. */
static int64_t
dms_read_through(const struct tables *tables, const struct hosted_table *hosted,
                 const struct feed *own, int64_t through)
{
    const struct feeds *feeds = &tables->feeds;
    for (size_t i = 0; i < feeds->shared_count; i++) {
        through = not_beyond(through, feeds->shared[i], own, hosted);
    }
    for (unsigned seat = 0; seat < hosted->table.seated; seat++) {
        const struct feed *feed = NULL;
        size_t at = 0;
        while (seat_in(seat, table_private_seats(&hosted->table)) &&
               (feed = feeds_next_of_user(feeds, hosted->service,
                                          hosted->table.seats[seat].user,
                                          &at)) != NULL) {
            through = not_beyond(through, feed, own, hosted);
        }
    }
    return through;
}

/* Is it not known what was written in a table's thread, or where that is now?
 * If its place is where it was, but encrypted, nothing more will be read.  The
 * posts of one that was left, as long as any waits, are judged as if it
 * were open: it was when they were written. */
static bool
is_out_of_sight(const struct tables *tables, const struct hosted_table *hosted)
{
    const struct hosted_place *place = hosted->place;
    bool astray = hosted->astray && !place->keeps_astray &&
                  hosted->service->adapter->capabilities.moves;
    bool unread =
        feeds_is_unread(&tables->feeds, place) &&
        strcmp(place->ids[PLACE_UNREADABLE], hosted->table.thread) != 0;
    return unread || (astray && !deferred_is_any_in(tables, hosted->service,
                                                    hosted->table.thread));
}

/* The time up to which all feeds were read that may bring something for what a
 * table waits for, `own` excepted (or NULL). */
static int64_t
read_through(const struct tables *tables, const struct hosted_table *hosted,
             const struct feed *own)
{
    const struct feed *thread =
        feeds_find(&tables->feeds, hosted->service, hosted->feed);
    int64_t through = INT64_MAX;
    if (thread == NULL || thread != own) {
        through = thread == NULL || is_out_of_sight(tables, hosted)
                      ? 0
                      : thread->through;
    }
    const struct feed *home = home_feed(tables, hosted);
    if (home != NULL && home != own && home->through < through) {
        through = home->through;
    }
    return dms_read_through(tables, hosted, own, through);
}

/* Is there nothing more in its own feed that could come before a post? */
static bool
is_read_up_to(const struct feed *own, const struct deferred_post *post)
{
    int64_t time = deferred_time(post);
    if (own == NULL || feed_is_lost(own)) {
        return true; /* it brings nothing more at all */
    }
    return own->through >= time - deferred_order_ahead(own->service) ||
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
is_for(const struct deferred_post *post, const struct hosted_table *hosted)
{
    bool for_it = post->dm ? hosted_seat(hosted, post->author) != NO_SEAT
                           : hosted_is_for(hosted, post->place);
    return for_it && strcmp(hosted->service->name, post->service) == 0;
}

/* Is a private answer awaited while the host may read nobody's?  Then nobody's
 * time runs out, and posts in the thread don't wait for that. */
static bool
is_deaf(const struct tables *tables, const struct hosted_table *hosted)
{
    bool deaf = false;
    for (size_t i = 0; i < tables->feeds.shared_count; i++) {
        const struct feed *feed = tables->feeds.shared[i];
        deaf = deaf || (feed_has_dms(feed) && feed_is_lost(feed) &&
                        feed->service == hosted->service);
    }
    return deaf && table_private_seats(&hosted->table) != 0;
}

/* Does a time end before a post, so that what that brings comes first? */
static bool
is_overtaken(const struct tables *tables, const struct hosted_table *hosted,
             int64_t time)
{
    return hosted->timer.kind != TIMER_NONE && hosted->timer.at < time &&
           !is_deaf(tables, hosted);
}

/* Does a post at a table make those behind it wait?  Not if it is written in
 * private where nothing is asked. */
static bool
holds_up(const struct deferred_post *post, const struct hosted_table *hosted)
{
    unsigned seat = hosted_seat(hosted, post->author);
    bool asked =
        !post->dm ||
        (seat != NO_SEAT && seat_in(seat, table_private_seats(&hosted->table)));
    return asked && is_for(post, hosted);
}

/* ---- finding deferred posts ---------------------------------------------- */

/* Posts of one kind: what they have in common is a member of each. */
enum kin {
    KIN_PLACE,
    KIN_AUTHOR,
    KIN_FEED,
    KINS,
};

_Static_assert(sizeof((struct order *)0)->by == KINS * sizeof(struct index),
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

/* A walk through the deferred posts of a service in a place, by an author, or
 * of a feed, in any order. */
struct kin_walk {
    const struct index *index;
    enum kin kin;
    const char *service, *name; /* borrowed */
    uint64_t key;
    size_t at;
};

static struct kin_walk
walk(const struct tables *tables, const char *service, enum kin kin,
     const char *name)
{
    return (struct kin_walk){.index = &tables->order.by[kin],
                             .kin = kin,
                             .service = service,
                             .name = name,
                             .key = index_key(service, name)};
}

/* The next one; NULL: no more. */
static const struct deferred_post *
walk_next(struct kin_walk *walk)
{
    const struct deferred_post *post = NULL;
    do {
        post = index_next_pointer(walk->index, walk->key, &walk->at);
    } while (post != NULL &&
             (strcmp(name_of(post, walk->kin), walk->name) != 0 ||
              strcmp(post->service, walk->service) != 0));
    return post;
}

static bool
is_before(const struct deferred_post *one, const struct deferred_post *two)
{
    return compare(one, two) < 0;
}

enum {
    WALKS_MAX = 2 + PLAYERS_MAX
};

/* The walks through the deferred posts that a table's question may wait for: of
 * its thread, of the place where people join it, and of those whose answer is
 * read in private. */
static unsigned
walks_at(const struct tables *tables, const struct hosted_table *hosted,
         struct kin_walk walks[WALKS_MAX])
{
    const struct table *table = &hosted->table;
    const char *service = hosted->service->name;
    unsigned count = 0;
    if (tables->order.count == 0) {
        return 0;
    }
    walks[count++] = walk(tables, service, KIN_PLACE, table->thread);
    if (*hosted_home(hosted) != '\0') {
        walks[count++] = walk(tables, service, KIN_PLACE, hosted_home(hosted));
    }
    seat_set private = table_private_seats(table);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, private)) {
            walks[count++] =
                walk(tables, service, KIN_AUTHOR, table->seats[seat].user);
        }
    }
    return count;
}

/* Is any deferred post before another? */
static bool
has_earlier(const struct tables *tables, const struct deferred_post *before)
{
    return tables->order.count > 0 && is_before(tables->order.list[0], before);
}

/* Does a post make those behind it wait at a table, and is before another? */
static bool
has_one_before(struct kin_walk posts, const struct deferred_post *before,
               const struct hosted_table *hosted)
{
    const struct deferred_post *post = NULL;
    do {
        post = walk_next(&posts);
    } while (post != NULL &&
             (!is_before(post, before) || !holds_up(post, hosted)));
    return post != NULL;
}

/* Is a post deferred for a table that is before another? */
static bool
has_before_at(const struct tables *tables, const struct hosted_table *hosted,
              const struct deferred_post *before)
{
    struct kin_walk walks[WALKS_MAX];
    if (!has_earlier(tables, before)) {
        return false;
    }
    unsigned count = walks_at(tables, hosted, walks);
    for (unsigned i = 0; i < count; i++) {
        if (has_one_before(walks[i], before, hosted)) {
            return true;
        }
    }
    return false;
}

/* ---- turns --------------------------------------------------------------- */

/* Is a post the answer of somebody who has not answered yet, where posts come
 * in disorder? */
static bool
is_open_answer(const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    unsigned seat = hosted_seat(hosted, post->author);
    return hosted->service->adapter->capabilities.disorder > 0 &&
           !post->pressed && !post->command && seat != NO_SEAT &&
           seat_in(seat, table_awaited(&hosted->table)) &&
           deferred_time(post) >= hosted->table.since;
}

/* … and of the only one who is asked, where they are asked? */
static bool
is_only_answer(const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    seat_set asked = table_awaited(&hosted->table);
    return is_open_answer(post, hosted) &&
           asked == seat_bit(hosted_seat(hosted, post->author)) &&
           table_private_seats(&hosted->table) == (post->dm ? asked : 0);
}

/* The time up to which other feeds must have been read for a post: that of
 * their clock, less the margin (`through`). */
static int64_t
others_needed(const struct deferred_post *post,
              const struct hosted_table *hosted)
{
    return deferred_time(post) -
           (is_only_answer(post, hosted)
                ? hosted->service->adapter->capabilities.margin
                : deferred_order_ahead(hosted->service));
}

/* The lesser of a time (0: none) and that of the first post among some that
 * makes those behind it wait at a table, and waits itself for a feed (NULL: any
 * such post). */
static int64_t
first_of(struct kin_walk posts, const struct hosted_table *hosted,
         const struct feed *feed, int64_t first)
{
    const struct deferred_post *post = NULL;
    while ((post = walk_next(&posts)) != NULL) {
        int64_t time = deferred_time(post);
        bool waits =
            feed == NULL || feed->through < others_needed(post, hosted);
        if (waits && (first == 0 || time < first) && holds_up(post, hosted)) {
            first = time;
        }
    }
    return first;
}

/* The time of the first deferred post for a table that waits for a feed (NULL:
 * of any); 0: there is none. */
static int64_t
first_for(const struct tables *tables, const struct hosted_table *hosted,
          const struct feed *feed)
{
    int64_t first = 0;
    struct kin_walk walks[WALKS_MAX];
    unsigned count = walks_at(tables, hosted, walks);
    for (unsigned i = 0; i < count; i++) {
        first = first_of(walks[i], hosted, feed, first);
    }
    return first;
}

/* Were all other feeds read that may bring something before a post at a
 * table? */
static bool
others_are_read(const struct tables *tables, const struct deferred_post *post,
                const struct feed *own, const struct hosted_table *hosted)
{
    return read_through(tables, hosted, own) >= others_needed(post, hosted);
}

/* Can nothing come before a post at a table any more? */
static bool
is_next_at(const struct tables *tables, const struct deferred_post *post,
           const struct feed *own, const struct hosted_table *hosted)
{
    return !is_overtaken(tables, hosted, deferred_time(post)) &&
           others_are_read(tables, post, own, hosted) &&
           !has_before_at(tables, hosted, post);
}

/* Is an earlier post of the same author deferred for a table? */
static bool
has_own_before(const struct tables *tables, const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    const struct deferred_post *other = NULL;
    struct kin_walk own = walk(tables, post->service, KIN_AUTHOR, post->author);
    do {
        other = walk_next(&own);
    } while (other != NULL &&
             (!is_before(other, post) || !is_for(other, hosted)));
    return other != NULL;
}

/* Is a command deferred that was given in a post's thread before it? */
static bool
has_command_before(const struct tables *tables,
                   const struct deferred_post *post)
{
    const struct deferred_post *other = NULL;
    struct kin_walk thread =
        walk(tables, post->service, KIN_PLACE, post->place);
    do {
        other = walk_next(&thread);
    } while (other != NULL && (!other->command || !is_before(other, post)));
    return other != NULL;
}

/* Has the turn of a post come at a table?  `read`: nothing more in its own feed
 * can come before it. */
static bool
is_due_at(const struct tables *tables, const struct deferred_post *post,
          const struct feed *own, const struct hosted_table *hosted, bool read)
{
    if (is_overtaken(tables, hosted, deferred_time(post))) {
        return false;
    }
    bool only = is_only_answer(post, hosted);
    if (!only && !post->dm && is_open_answer(post, hosted) &&
        table_vote_goes_on(&hosted->table) &&
        !has_own_before(tables, post, hosted) &&
        !has_command_before(tables, post)) {
        return true;
    }
    bool others =
        (only && !post->dm) || others_are_read(tables, post, own, hosted);
    return (only || read) && others && !has_before_at(tables, hosted, post);
}

/* The next table that a post is for. */
static struct hosted_table *
next_table(const struct tables *tables, const struct service *service,
           const struct deferred_post *post, size_t *at)
{
    return post->dm ? hosted_next_of_user(tables, service, post->author, at)
                    : hosted_next_in_thread(tables, service, post->place, at);
}

/* Is an earlier post of its own thread deferred? */
static bool
has_before(const struct tables *tables, const struct deferred_post *post)
{
    const struct deferred_post *other = NULL;
    struct kin_walk thread =
        walk(tables, post->service, KIN_PLACE, post->place);
    if (!has_earlier(tables, post)) {
        return false;
    }
    do {
        other = walk_next(&thread);
    } while (other != NULL && !is_before(other, post));
    return other != NULL;
}

/* Somebody who writes in private and sits nowhere may be about to get a seat,
 * at any table of the service whose thread is still there.  The one that
 * stopped such a post last is most likely to stop it still. */
static bool
is_next_anywhere(struct tables *tables, const struct deferred_post *post,
                 const struct feed *own, const struct service *service)
{
    for (size_t i = 0; i < tables->hosted.count; i++) {
        size_t at = (tables->order.stopping + i) % tables->hosted.count;
        const struct hosted_table *hosted = tables->hosted.list[at];
        if (hosted->service == service && !threads_is_gone(tables, hosted) &&
            !is_next_at(tables, post, own, hosted)) {
            tables->order.stopping = at;
            return false;
        }
    }
    return true;
}

/* May a post be in a place that is yet to be found, or where its moderators
 * talk?  What was pressed, or written in private, is only answered, and not
 * later than when the place was looked for. */
static bool
may_be_found(const struct deferred_post *post, const struct hosted_place *place)
{
    bool thread = *place->ids[PLACE_THREAD] == '\0';
    if (post->pressed || post->dm) {
        return thread && !place->missing;
    }
    return thread || (place->conf->moderators_channel[0] != '\0' &&
                      *place->ids[PLACE_MODERATORS] == '\0');
}

/* The same of a post whose feed is not known, and of any place. */
static bool
may_be_hosted(const struct tables *tables, const struct deferred_post *post,
              const struct service *service)
{
    bool may = false;
    for (unsigned i = 0; !may && i < tables->places.count; i++) {
        const struct hosted_place *place = tables->places.list[i];
        may = place->service == service && may_be_found(post, place);
    }
    return may;
}

bool
deferred_is_due(struct tables *tables, const struct deferred_post *post)
{
    struct service *service = services_find(&tables->services, post->service);
    const struct feed *own = feeds_find(&tables->feeds, service, post->feed);
    const struct hosted_table *hosted = NULL;
    size_t at = 0;
    bool read = is_read_up_to(own, post);
    bool due = false;
    while ((hosted = next_table(tables, service, post, &at)) != NULL) {
        if (post->dm && threads_is_gone(tables, hosted)) {
            continue; /* what its players write waits for nothing there */
        }
        due = is_due_at(tables, post, own, hosted, read);
        if (!due) {
            return false;
        }
    }
    if (due || !read || (own == NULL && may_be_hosted(tables, post, service))) {
        return due;
    }
    return post->dm ? is_next_anywhere(tables, post, own, service)
                    : !has_before(tables, post); /* it may open a table */
}

int64_t
deferred_timer_due(struct tables *tables, struct hosted_table *hosted)
{
    const struct timer *timer = &hosted->timer;
    int64_t through = read_through(tables, hosted, NULL);
    int64_t waiting = first_for(tables, hosted, NULL);
    if (waiting != 0 && waiting - 1 < through) {
        through = waiting - 1;
    }
    return timer->kind != TIMER_NONE && timer->at <= through &&
                   !feeds_clock(&tables->feeds, hosted->service)->doubted &&
                   (timer->kind == TIMER_ASKED ||
                    (!is_deaf(tables, hosted) &&
                     tables_is_asked(tables, hosted, through)))
               ? through
               : 0;
}

/* Was a feed not read up to the time of a post? */
static bool
is_unread(const struct feed *feed, int64_t time)
{
    return feed->through < time - deferred_order_ahead(feed->service);
}

int64_t
deferred_first(const struct tables *tables, const struct feed *feed)
{
    const struct deferred_post *post = NULL;
    int64_t first = INT64_MAX;
    struct kin_walk posts =
        walk(tables, feed->service->name, KIN_FEED, feed->name);
    while ((post = walk_next(&posts)) != NULL) {
        int64_t time = deferred_time(post);
        first = is_unread(feed, time) && time < first ? time : first;
    }
    return first;
}

int64_t
deferred_first_at(const struct tables *tables,
                  const struct hosted_table *hosted, const struct feed *feed)
{
    int64_t first = first_for(tables, hosted, feed);
    return first == 0 ? INT64_MAX : first;
}

bool
deferred_is_any_in(const struct tables *tables, const struct service *service,
                   const char *place)
{
    struct kin_walk posts = walk(tables, service->name, KIN_PLACE, place);
    return tables->order.count > 0 && walk_next(&posts) != NULL;
}

/* Visit a feed that was not read as far as is needed. */
static void
visit_if_unread(struct feed *feed, int64_t needed,
                void (*visit)(void *context, struct feed *other, int64_t time),
                void *context)
{
    if (feed != NULL && feed->through < needed) {
        visit(context, feed,
              needed + feed->service->adapter->capabilities.margin);
    }
}

/* Visit the feeds of a table that were not read far enough for a post. */
static void
visit_unread(const struct tables *tables, const struct hosted_table *hosted,
             const struct deferred_post *post,
             void (*visit)(void *context, struct feed *other, int64_t time),
             void *context)
{
    const struct feeds *feeds = &tables->feeds;
    int64_t needed = others_needed(post, hosted);
    visit_if_unread(feeds_find(feeds, hosted->service, hosted->feed), needed,
                    visit, context);
    visit_if_unread(home_feed(tables, hosted), needed, visit, context);
    for (size_t i = 0; i < feeds->shared_count; i++) {
        if (may_answer(feeds->shared[i], hosted)) {
            visit_if_unread(feeds->shared[i], needed, visit, context);
        }
    }
    for (unsigned seat = 0; seat < hosted->table.seated; seat++) {
        struct feed *feed = NULL;
        size_t at = 0;
        while (seat_in(seat, table_private_seats(&hosted->table)) &&
               (feed = feeds_next_of_user(feeds, hosted->service,
                                          hosted->table.seats[seat].user,
                                          &at)) != NULL) {
            if (!feed_is_lost(feed)) {
                visit_if_unread(feed, needed, visit, context);
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
    struct kin_walk posts =
        walk(tables, feed->service->name, KIN_FEED, feed->name);
    while ((post = walk_next(&posts)) != NULL) {
        const struct hosted_table *hosted = NULL;
        size_t at = 0;
        while ((hosted = next_table(tables, feed->service, post, &at)) !=
               NULL) {
            visit_unread(tables, hosted, post, visit, context);
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
        change(&tables->order.by[kin],
               index_key(post->service, name_of(post, (enum kin)kin)),
               (uintptr_t)post);
    }
}

static void
insert(struct tables *tables, const struct deferred_post *post)
{
    size_t at = tables->order.count;
    if (tables->order.count == tables->order.room) {
        tables->order.room =
            tables->order.room == 0 ? 16 : 2 * tables->order.room;
        tables->order.list =
            must_grow(tables->order.list,
                      tables->order.room * sizeof(struct deferred_post *));
    }
    while (at > 0 && compare(tables->order.list[at - 1], post) > 0) {
        at--;
    }
    struct deferred_post *added = must_alloc(sizeof *added);
    *added = *post;
    memmove(&tables->order.list[at + 1], &tables->order.list[at],
            (tables->order.count - at) * sizeof(struct deferred_post *));
    tables->order.list[at] = added;
    tables->order.count++;
    list_with(tables, added, index_add);
}

static void
load_one(void *context, const struct deferred_post *post)
{
    struct tables *tables = context;
    if (services_find(&tables->services, post->service) != NULL) {
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
    deferred->pressed = post->kind == POST_PRESSED;
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
    assert(at < tables->order.count);
    struct deferred_post *post = tables->order.list[at];
    list_with(tables, post, index_remove);
    free(post);
    tables->order.count--;
    memmove(&tables->order.list[at], &tables->order.list[at + 1],
            (tables->order.count - at) * sizeof(struct deferred_post *));
}

void
deferred_release(struct tables *tables)
{
    for (size_t i = 0; i < tables->order.count; i++) {
        free(tables->order.list[i]);
    }
    for (unsigned kin = 0; kin < KINS; kin++) {
        index_release(&tables->order.by[kin]);
    }
    free(tables->order.list);
}
