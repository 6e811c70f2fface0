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
 * counts from when it is read.)  A press is such an answer if the doorbell
 * tells of all that is written, and of nothing that its presser may have
 * written before it (post.quiet); a command is none.
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
    unsigned seat = table_seat(&hosted->table, feed->user);
    return seat != NO_SEAT &&
           seat_in(seat, table_private_seats(&hosted->table));
}

bool
deferred_awaits(struct tables *tables, const struct feed *feed)
{
    const struct hosted_table *hosted;
    size_t at = 0;
    if (feed->shared) {
        return !feed_is_lost(feed) &&
               tables->hosted.asked_privately[feed->service->number] > 0;
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

/* Visit the feeds that may bring something for what a table waits for: its
 * thread's, its home's, and those of DMs that may answer. */
static void
visit_feeds(const struct tables *tables, const struct hosted_table *hosted,
            void (*visit)(void *context, struct feed *feed), void *context)
{
    const struct feeds *feeds = &tables->feeds;
    struct feed *const public[] = {
        feeds_find(feeds, hosted->service, hosted->feed),
        *hosted_home(hosted) == '\0'
            ? NULL
            : feeds_bringing(feeds, hosted->service, hosted_home(hosted)),
    };
    for (size_t i = 0; i < sizeof public / sizeof public[0]; i++) {
        if (public[i] != NULL) {
            visit(context, public[i]);
        }
    }
    for (size_t i = 0; i < feeds->shared_count; i++) {
        if (may_answer(feeds->shared[i], hosted)) {
            visit(context, feeds->shared[i]);
        }
    }
    seat_set private = table_private_seats(&hosted->table);
    for (unsigned seat = 0; seat < hosted->table.seated; seat++) {
        struct feed *feed = NULL;
        size_t at = 0;
        while (seat_in(seat, private) &&
               (feed = feeds_next_of_user(feeds, hosted->service,
                                          hosted->table.seats[seat].user,
                                          &at)) != NULL) {
            if (!feed_is_lost(feed)) {
                visit(context, feed);
            }
        }
    }
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

/* The time up to which all of some feeds were read, but for one. */
struct reading {
    const struct feed *own; /* NULL: all count */
    int64_t through;
};

static void
note_reading(void *context, struct feed *feed)
{
    struct reading *reading = context;
    if (feed != reading->own && feed->through < reading->through) {
        reading->through = feed->through;
    }
}

/* The time up to which all feeds were read that may bring something for what a
 * table waits for, `own` excepted (or NULL). */
static int64_t
read_through(const struct tables *tables, const struct hosted_table *hosted,
             const struct feed *own)
{
    const struct feed *thread =
        feeds_find(&tables->feeds, hosted->service, hosted->feed);
    struct reading reading = {own, INT64_MAX};
    if (thread == NULL || (thread != own && is_out_of_sight(tables, hosted))) {
        return 0;
    }
    visit_feeds(tables, hosted, note_reading, &reading);
    return reading.through;
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
    bool for_it = post->dm ? table_seat(&hosted->table, post->author) != NO_SEAT
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
    unsigned seat = table_seat(&hosted->table, post->author);
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

/* One index for all kinds. */
static uint64_t
key_of(const char *service, enum kin kin, const char *name)
{
    return index_key(service, name) + kin;
}

static bool
is_before(const struct deferred_post *one, const struct deferred_post *two)
{
    return compare(one, two) < 0;
}

/* A walk through the deferred posts of a service in a place, by an author, or
 * of a feed, in any order. */
struct kin_walk {
    const struct index *known;
    enum kin kin;
    const char *service, *name;         /* borrowed, as is what follows */
    const struct deferred_post *before; /* only those before it; NULL: all */
    uint64_t key;
    size_t at;
};

static struct kin_walk
walk(const struct tables *tables, const char *service, enum kin kin,
     const char *name, const struct deferred_post *before)
{
    return (struct kin_walk){.known = &tables->order.known,
                             .kin = kin,
                             .service = service,
                             .name = name,
                             .before = before,
                             .key = key_of(service, kin, name)};
}

/* The next one; NULL: no more. */
static const struct deferred_post *
walk_next(struct kin_walk *walk)
{
    const struct deferred_post *post = NULL;
    do {
        post = index_next_pointer(walk->known, walk->key, &walk->at);
    } while (post != NULL &&
             (strcmp(name_of(post, walk->kin), walk->name) != 0 ||
              strcmp(post->service, walk->service) != 0 ||
              (walk->before != NULL && !is_before(post, walk->before))));
    return post;
}

enum {
    WALKS_MAX = 2 + PLAYERS_MAX
};

/* The walks through the deferred posts that a table's question may wait for: of
 * its thread, of the place where people join it, and of those whose answer is
 * read in private.  Only those before another, or all (NULL). */
static unsigned
walks_at(const struct tables *tables, const struct hosted_table *hosted,
         const struct deferred_post *before, struct kin_walk walks[WALKS_MAX])
{
    const struct table *table = &hosted->table;
    const char *service = hosted->service->name;
    const struct order *order = &tables->order;
    unsigned count = 0;
    if (order->count == 0 ||
        (before != NULL && !is_before(order->list[0], before))) {
        return 0;
    }
    walks[count++] = walk(tables, service, KIN_PLACE, table->thread, before);
    if (*hosted_home(hosted) != '\0') {
        walks[count++] =
            walk(tables, service, KIN_PLACE, hosted_home(hosted), before);
    }
    seat_set private = table_private_seats(table);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, private)) {
            walks[count++] = walk(tables, service, KIN_AUTHOR,
                                  table->seats[seat].user, before);
        }
    }
    return count;
}

/* ---- turns --------------------------------------------------------------- */

/* Is a post the answer of somebody who has not answered yet, where posts come
 * in disorder? */
static bool
is_open_answer(const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    unsigned seat = table_seat(&hosted->table, post->author);
    return hosted->service->adapter->capabilities.disorder > 0 &&
           (!post->pressed || post->quiet) && !post->command &&
           seat != NO_SEAT && seat_in(seat, table_awaited(&hosted->table)) &&
           deferred_time(post) >= hosted->table.since;
}

/* … and of the only one who is asked, where they are asked? */
static bool
is_only_answer(const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    seat_set asked = table_awaited(&hosted->table);
    return is_open_answer(post, hosted) &&
           asked == seat_bit(table_seat(&hosted->table, post->author)) &&
           (post->pressed ||
            table_private_seats(&hosted->table) == (post->dm ? asked : 0));
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

/* The first deferred post for a table that those behind it wait for; NULL:
 * there is none.  `feed`: only of those that wait for that feed; `before`: only
 * of those before that post.  NULL: of all. */
static const struct deferred_post *
first_for(const struct tables *tables, const struct hosted_table *hosted,
          const struct feed *feed, const struct deferred_post *before)
{
    const struct deferred_post *first = NULL;
    struct kin_walk walks[WALKS_MAX];
    unsigned count = walks_at(tables, hosted, before, walks);
    for (unsigned i = 0; i < count; i++) {
        const struct deferred_post *post = NULL;
        while ((post = walk_next(&walks[i])) != NULL) {
            bool waits =
                feed == NULL || feed->through < others_needed(post, hosted);
            if (waits && holds_up(post, hosted) &&
                (first == NULL || is_before(post, first))) {
                first = post;
            }
        }
    }
    return first;
}

/* Is an earlier post of the same author deferred for a table? */
static bool
has_own_before(const struct tables *tables, const struct deferred_post *post,
               const struct hosted_table *hosted)
{
    const struct deferred_post *other = NULL;
    struct kin_walk own =
        walk(tables, post->service, KIN_AUTHOR, post->author, post);
    do {
        other = walk_next(&own);
    } while (other != NULL && !is_for(other, hosted));
    return other != NULL;
}

/* Is an earlier post of its own thread deferred, or an earlier command? */
static bool
has_before(const struct tables *tables, const struct deferred_post *post,
           bool command)
{
    const struct deferred_post *other = NULL;
    struct kin_walk thread =
        walk(tables, post->service, KIN_PLACE, post->place, post);
    do {
        other = walk_next(&thread);
    } while (other != NULL && command && !other->command);
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
    if (!only && (post->pressed || !post->dm) && is_open_answer(post, hosted) &&
        table_vote_goes_on(&hosted->table) &&
        !has_own_before(tables, post, hosted) &&
        !has_before(tables, post, true)) {
        return true;
    }
    bool others =
        (only && (post->pressed || !post->dm)) ||
        read_through(tables, hosted, own) >= others_needed(post, hosted);
    return (only || read) && others &&
           first_for(tables, hosted, NULL, post) == NULL;
}

/* The next table that a post is for. */
static struct hosted_table *
next_table(const struct tables *tables, const struct service *service,
           const struct deferred_post *post, size_t *at)
{
    return post->dm ? hosted_next_of_user(tables, service, post->author, at)
                    : hosted_next_in_thread(tables, service, post->place, at);
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
        if (hosted->service == service &&
            !tables_feeds_is_gone(tables, hosted) &&
            !is_due_at(tables, post, own, hosted, true)) {
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
        if (post->dm && tables_feeds_is_gone(tables, hosted)) {
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
    return post->dm
               ? is_next_anywhere(tables, post, own, service)
               : !has_before(tables, post, false); /* it may open a table */
}

int64_t
deferred_timer_due(struct tables *tables, struct hosted_table *hosted)
{
    const struct timer *timer = &hosted->timer;
    int64_t through = read_through(tables, hosted, NULL);
    const struct deferred_post *first = first_for(tables, hosted, NULL, NULL);
    if (first != NULL && deferred_time(first) - 1 < through) {
        through = deferred_time(first) - 1;
    }
    return timer->kind != TIMER_NONE && timer->at <= through &&
                   !feeds_clock(&tables->feeds, hosted->service)->doubted &&
                   (timer->kind == TIMER_ASKED ||
                    (!is_deaf(tables, hosted) &&
                     calls_is_asked(tables, hosted, through)))
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
        walk(tables, feed->service->name, KIN_FEED, feed->name, NULL);
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
    const struct deferred_post *first = first_for(tables, hosted, feed, NULL);
    return first == NULL ? INT64_MAX : deferred_time(first);
}

bool
deferred_is_any_in(const struct tables *tables, const struct service *service,
                   const char *place)
{
    struct kin_walk posts = walk(tables, service->name, KIN_PLACE, place, NULL);
    return tables->order.count > 0 && walk_next(&posts) != NULL;
}

/* Whom to tell of feeds that were not read as far as is needed. */
struct needed {
    int64_t through;
    void (*visit)(void *context, struct feed *other, int64_t time);
    void *context;
};

static void
visit_if_unread(void *context, struct feed *feed)
{
    const struct needed *needed = context;
    if (feed->through < needed->through) {
        needed->visit(needed->context, feed,
                      needed->through +
                          feed->service->adapter->capabilities.margin);
    }
}

void
deferred_visit(const struct tables *tables, const struct feed *feed,
               void (*visit)(void *context, struct feed *other, int64_t time),
               void *context)
{
    const struct deferred_post *post = NULL;
    struct kin_walk posts =
        walk(tables, feed->service->name, KIN_FEED, feed->name, NULL);
    while ((post = walk_next(&posts)) != NULL) {
        const struct hosted_table *hosted = NULL;
        size_t at = 0;
        while ((hosted = next_table(tables, feed->service, post, &at)) !=
               NULL) {
            struct needed needed = {others_needed(post, hosted), visit,
                                    context};
            visit_feeds(tables, hosted, visit_if_unread, &needed);
        }
    }
}

/* ---- deferred posts ------------------------------------------------------ */

/* List a post, or no longer (`change`). */
static void
list_with(struct tables *tables, const struct deferred_post *post,
          void (*change)(struct index *index, uint64_t key, uintptr_t value))
{
    for (enum kin kin = KIN_PLACE; kin < KINS; kin++) {
        change(&tables->order.known,
               key_of(post->service, kin, name_of(post, kin)), (uintptr_t)post);
    }
}

static void
insert(struct tables *tables, const struct deferred_post *post)
{
    size_t at = tables->order.count;
    tables->order.list = must_grow(tables->order.list,
                                   (at + 1) * sizeof(struct deferred_post *));
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

void
deferred_load(struct tables *tables)
{
    store_deferred(tables->store, load_one, tables);
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
    deferred->quiet = post->quiet;
    deferred->number = INT64_MAX; /* it is the newest */
    buf_release(&feed);
}

void
deferred_add(struct tables *tables, struct deferred_post *deferred,
             const struct post *post)
{
    deferred->number =
        store_defer(tables->store, deferred->service, deferred->feed, post);
    insert(tables, deferred);
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
    index_release(&tables->order.known);
    free(tables->order.list);
}
