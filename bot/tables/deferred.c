/*
 * Whose turn it is.
 *
 * What happens at a table is a row of posts and timers in order of time, by
 * the service's clock.  A post stands in it at post_time; of two at one time
 * the one whose feed has the lesser name is first, and of one feed the one that
 * was delivered first; a timer comes after the posts of its instant.  One that
 * is judged or fires changes what the next one means, so the next one's turn
 * comes only when nothing can be put before it any more:
 *
 *   - nothing that is known stands before it: no post that is kept, and, for a
 *     post, no timer;
 *   - and all feeds that may bring something for it have been read up to its
 *     time.  These are the thread's feed and, while the open question is
 *     answered in private, those of the talks of everybody whose answer is
 *     read (table_private_seats).  The feed that brought a post has been read
 *     up to it with the post itself, unless the post was edited since, or the
 *     service delivers in disorder.
 *
 * A timer of a question waits until that was asked, too (bot/tables/calls.c),
 * and all timers do while the service's clock is not to be believed
 * (bot/tables/service_clock.h).
 *
 * A post whose turn has not come is kept, unread, with nothing said to it.  So
 * each post is judged once, in its turn, whatever the polls did.  A vote in the
 * thread waits for no talk; and where one feed brings everything, no post is
 * kept but one that was overtaken by a timer.
 *
 * What is written in a talk while nothing is asked there may be judged later
 * than in its turn, for no thread waits for it.  It can't move the game; it is
 * answered as things stand when it is read.
 *
 * A talk that is denied, or gone, is waited for no more.  A thread always is:
 * without it nothing could be said, so nothing may happen.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tables/tables_inner.h"

int64_t
kept_time(const struct kept_post *post)
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
feed_of(struct desk *desk, const struct table *table, const char *thread)
{
    struct service *service = desk_service(desk, table->place);
    struct buf name = BUF_INIT;
    assert(service != NULL); /* else the game was not recovered */
    service->adapter->feed(service, thread, &name);
    struct feed *feed = desk_find_feed(desk, service, buf_text(&name));
    buf_release(&name);
    return feed;
}

struct feed *
desk_thread_feed(struct desk *desk, const struct table *table)
{
    return feed_of(desk, table, table->thread);
}

/* Does a feed bring posts for the question that is open at a table? */
static bool
may_answer(struct desk *desk, const struct feed *feed,
           const struct table *table)
{
    if (!feed->talks || feed->lost ||
        desk_service(desk, table->place) != feed->service) {
        return false;
    }
    seat_set private = table_private_seats(table);
    unsigned seat =
        feed->user[0] == '\0' ? NO_SEAT : table_seat(table, feed->user);
    return feed->user[0] == '\0' ? private != 0
                                 : seat != NO_SEAT && seat_in(seat, private);
}

bool
desk_awaits(struct desk *desk, const struct feed *feed)
{
    const struct table *table;
    size_t at = 0;
    do {
        table = desk_next_of_user(desk, feed->service, feed->user, &at);
    } while (table != NULL && !may_answer(desk, feed, table));
    return table != NULL;
}

bool
desk_brings(struct desk *desk, const struct feed *feed,
            const struct table *table)
{
    return desk_thread_feed(desk, table) == feed;
}

/* The time up to which all feeds were read that may bring something for what a
 * table awaits, `own` apart (or NULL). */
static int64_t
read_through(struct desk *desk, const struct table *table,
             const struct feed *own)
{
    const struct feed *thread = desk_thread_feed(desk, table);
    int64_t through = INT64_MAX;
    if (thread == NULL || thread != own) {
        through = thread == NULL ? 0 : thread->through;
    }
    if (table->home[0] != '\0' && table->state == TABLE_SIGNUP) {
        const struct feed *home = feed_of(desk, table, table->home);
        if (home != NULL && home != own && home->through < through) {
            through = home->through;
        }
    }
    for (size_t i = 0; i < desk->feed_count; i++) {
        const struct feed *feed = &desk->feeds[i];
        if (feed != own && feed->through < through &&
            may_answer(desk, feed, table)) {
            through = feed->through;
        }
    }
    return through;
}

/* Can its own feed bring nothing more that stands before a post? */
static bool
is_read_up_to(const struct feed *own, const struct kept_post *post)
{
    int64_t time = kept_time(post);
    if (own == NULL || own->lost) {
        return true; /* it brings nothing more at all */
    }
    return own->through >= time ||
           (time == post->stamp && !own->service->adapter->traits.disorder);
}

/* ---- turns --------------------------------------------------------------- */

/* In which order do two stand? */
static int
compare(const struct kept_post *one, const struct kept_post *two)
{
    int64_t by = kept_time(one) - kept_time(two);
    if (by == 0) {
        by = strcmp(one->feed, two->feed);
    }
    if (by == 0) {
        by = one->number - two->number;
    }
    return by < 0 ? -1 : by > 0;
}

/* Is a post for a table?  What somebody writes in private is for each one at
 * which they sit. */
static bool
is_for(struct desk *desk, const struct kept_post *post,
       const struct table *table)
{
    bool for_it = post->talk ? table_seat(table, post->author) != NO_SEAT
                             : desk_is_for(table, post->place);
    return for_it &&
           is_service(desk_service(desk, table->place), post->service);
}

static bool
is_overtaken(const struct table *table, int64_t time)
{
    struct timer timer = table_timer(table);
    return timer.kind != TIMER_NONE && timer.at < time;
}

/* Does a post keep what is behind it waiting at a table?  Not if it is written
 * in private where nothing is asked. */
static bool
holds_up(struct desk *desk, const struct kept_post *post,
         const struct table *table)
{
    unsigned seat = table_seat(table, post->author);
    bool asked = !post->talk ||
                 (seat != NO_SEAT && seat_in(seat, table_private_seats(table)));
    return asked && is_for(desk, post, table);
}

/* The time of the first post that waits for a table, of the first `count` that
 * are kept; 0: none does. */
static int64_t
waiting_at(struct desk *desk, const struct table *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (holds_up(desk, &desk->kept[i], table)) {
            return kept_time(&desk->kept[i]);
        }
    }
    return 0;
}

/* Is nothing left that could be put before a post at a table? */
static bool
is_next_at(struct desk *desk, const struct kept_post *post,
           const struct feed *own, const struct table *table, size_t before)
{
    int64_t time = kept_time(post);
    return waiting_at(desk, table, before) == 0 && !is_overtaken(table, time) &&
           read_through(desk, table, own) >= time;
}

/* The next table that a post is for. */
static struct table *
next_table(const struct desk *desk, const struct service *service,
           const struct kept_post *post, size_t *at)
{
    return post->talk ? desk_next_of_user(desk, service, post->author, at)
                      : desk_next_in_thread(desk, service, post->place, at);
}

/* Is a post kept that stands before it in its own thread? */
static bool
has_before(const struct desk *desk, const struct kept_post *post, size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(desk->kept[i].place, post->place) == 0 &&
            strcmp(desk->kept[i].service, post->service) == 0) {
            return true;
        }
    }
    return false;
}

/* Who writes in private and sits nowhere may be about to get a seat, at any
 * table of the service. */
static bool
is_next_anywhere(struct desk *desk, const struct kept_post *post,
                 const struct feed *own, const struct service *service,
                 size_t before)
{
    bool next = true;
    for (size_t i = 0; next && i < desk->table_count; i++) {
        const struct table *table = desk->tables[i];
        next = desk_service(desk, table->place) != service ||
               is_next_at(desk, post, own, table, before);
    }
    return next;
}

bool
kept_is_due(struct desk *desk, const struct kept_post *post, size_t before)
{
    struct service *service = desk_service_named(desk, post->service);
    const struct feed *own = desk_find_feed(desk, service, post->feed);
    size_t at = 0;
    const struct table *table = next_table(desk, service, post, &at);
    if (!is_read_up_to(own, post)) {
        return false;
    }
    if (table == NULL) {
        return post->talk
                   ? is_next_anywhere(desk, post, own, service, before)
                   : !has_before(desk, post, before); /* it may open a table */
    }
    while (table != NULL && is_next_at(desk, post, own, table, before)) {
        table = next_table(desk, service, post, &at);
    }
    return table == NULL;
}

bool
kept_is_next(struct desk *desk, const struct kept_post *post)
{
    size_t before = 0;
    while (before < desk->kept_count &&
           compare(&desk->kept[before], post) < 0) {
        before++;
    }
    return kept_is_due(desk, post, before);
}

int64_t
kept_timer_due(struct desk *desk, const struct table *table)
{
    struct timer timer = table_timer(table);
    int64_t through = read_through(desk, table, NULL);
    int64_t waiting = waiting_at(desk, table, desk->kept_count);
    if (waiting != 0 && waiting - 1 < through) {
        through = waiting - 1;
    }
    const struct service *service = desk_service(desk, table->place);
    return timer.kind != TIMER_NONE && timer.at <= through &&
                   !desk_clock(desk, service)->doubted &&
                   (timer.kind == TIMER_ASKED ||
                    desk_is_asked(desk, table, through))
               ? through
               : 0;
}

/* ---- the posts that are kept --------------------------------------------- */

static void
insert(struct desk *desk, const struct kept_post *post)
{
    size_t at = desk->kept_count;
    if (desk->kept_count == desk->kept_room) {
        desk->kept_room = desk->kept_room == 0 ? 16 : 2 * desk->kept_room;
        desk->kept =
            must_grow(desk->kept, desk->kept_room * sizeof desk->kept[0]);
    }
    while (at > 0 && compare(&desk->kept[at - 1], post) > 0) {
        at--;
    }
    memmove(&desk->kept[at + 1], &desk->kept[at],
            (desk->kept_count - at) * sizeof desk->kept[0]);
    desk->kept[at] = *post;
    desk->kept_count++;
}

static void
load_one(void *context, const struct kept_post *post)
{
    struct desk *desk = context;
    if (desk_service_named(desk, post->service) != NULL) {
        insert(desk, post);
    }
}

enum err
kept_load(struct desk *desk, struct buf *why)
{
    return store_kept(desk->store, load_one, desk, why);
}

void
kept_describe(const struct service *service, const struct post *post,
              struct kept_post *kept)
{
    struct buf feed = BUF_INIT;
    memset(kept, 0, sizeof *kept);
    service->adapter->feed(service, post->place, &feed);
    (void)snprintf(kept->service, sizeof kept->service, "%s", service->name);
    (void)snprintf(kept->feed, sizeof kept->feed, "%s", buf_text(&feed));
    (void)snprintf(kept->place, sizeof kept->place, "%s", post->place);
    (void)snprintf(kept->author, sizeof kept->author, "%s", post->author);
    kept->stamp = post->stamp;
    kept->edited = post->edited;
    kept->talk = post->talk;
    kept->number = INT64_MAX; /* it is the newest */
    buf_release(&feed);
}

enum err
kept_add(struct desk *desk, struct kept_post *kept, const struct post *post,
         struct buf *why)
{
    enum err err = store_keep(desk->store, kept->service, kept->feed, post,
                              &kept->number, why);
    if (err == ERR_NONE) {
        insert(desk, kept);
    }
    return err;
}

void
kept_remove(struct desk *desk, size_t at)
{
    assert(at < desk->kept_count);
    desk->kept_count--;
    memmove(&desk->kept[at], &desk->kept[at + 1],
            (desk->kept_count - at) * sizeof desk->kept[0]);
}
