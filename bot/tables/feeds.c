#include "bot/tables/feeds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/base/err.h"

static struct service_feeds *
of_service(const struct feeds *feeds, const struct service *service)
{
    return &feeds->by_service[service - feeds->services];
}

void
feeds_init(struct feeds *feeds, const struct service *services,
           unsigned service_count)
{
    memset(feeds, 0, sizeof *feeds);
    feeds->services = services;
    feeds->service_count = service_count;
    feeds->by_service =
        must_alloc(service_count * sizeof(struct service_feeds));
}

/* Most texts of most feeds are empty: those take no memory of their own. */
static char nothing[] = "";

static void
set_text(char **text, const char *to)
{
    char *old = *text;
    *text = *to == '\0' ? nothing : must_copy(to);
    if (old != nothing) {
        free(old);
    }
}

static void
feed_free(struct feed *feed)
{
    set_text(&feed->user, "");
    set_text(&feed->cursor, "");
    set_text(&feed->thread, "");
    free(feed->rung);
    free(feed->name);
    free(feed->last_page);
    free(feed);
}

void
feeds_release(struct feeds *feeds)
{
    for (size_t i = 0; i < feeds->count; i++) {
        feed_free(feeds->list[i]);
    }
    for (unsigned i = 0; i < feeds->service_count; i++) {
        for (unsigned queue = 0; queue < FEED_QUEUES; queue++) {
            heap_release(&feeds->by_service[i].due[queue]);
        }
        buf_release(&feeds->by_service[i].shared.others);
    }
    free(feeds->by_service);
    free(feeds->list);
    free(feeds->shared);
    index_release(&feeds->by_name);
    index_release(&feeds->by_user);
    memset(feeds, 0, sizeof *feeds);
}

/* ---- in which queue they are --------------------------------------------- */

static enum feed_queue
queue_of(const struct feed *feed)
{
    return feed->hurried && feed->rung != NULL ? QUEUE_RUNG
           : feed->hurried                     ? QUEUE_NEWS
           : feed->user[0] == '\0'             ? QUEUE_THREADS
           : feed->turns == TURNS_AWAITED      ? QUEUE_AWAITED
                                               : QUEUE_CALM;
}

static void
place_in_heap(struct feeds *feeds, struct feed *feed)
{
    struct heap *heaps = of_service(feeds, feed->service)->due;
    enum feed_queue queue = queue_of(feed);
    bool waits = feed->job.busy || feed->updates != NULL;
    if (waits || queue != feed->queue) {
        heap_remove(&heaps[feed->queue], &feed->due);
    }
    feed->queue = queue;
    if (!waits) {
        heap_set(&heaps[queue], &feed->due, feed->job.next);
    }
}

/* ---- which there are ----------------------------------------------------- */

static struct feed *
next_under(const struct index *index, uint64_t key, size_t *at)
{
    return index_next_pointer(index, key, at);
}

struct feed *
feeds_find(const struct feeds *feeds, const struct service *service,
           const char *name)
{
    uint64_t key = index_key(service->name, name);
    struct feed *feed;
    size_t at = 0;
    do {
        feed = next_under(&feeds->by_name, key, &at);
    } while (feed != NULL &&
             (feed->service != service || strcmp(feed->name, name) != 0));
    return feed;
}

struct feed *
feeds_next_of_user(const struct feeds *feeds, const struct service *service,
                   const char *user, size_t *at)
{
    uint64_t key = index_key(service->name, user);
    struct feed *feed;
    do {
        feed = next_under(&feeds->by_user, key, at);
    } while (feed != NULL &&
             (feed->service != service || strcmp(feed->user, user) != 0));
    return feed;
}

struct feed *
feeds_add(struct feeds *feeds, struct service *service, const char *name)
{
    struct feed *feed = must_alloc(sizeof *feed);
    if (feeds->count == feeds->room) {
        feeds->room = feeds->room == 0 ? 8 : 2 * feeds->room;
        feeds->list =
            must_grow(feeds->list, feeds->room * sizeof(struct feed *));
    }
    feed->service = service;
    feed->number = (unsigned)feeds->count;
    feed->name = must_copy(name);
    feed->user = feed->cursor = feed->thread = nothing;
    feed->due.number = feeds->count;
    feed->due.owner = feed;
    feeds->list[feeds->count++] = feed;
    of_service(feeds, service)->turns[TURNS_NONE]++;
    index_add(&feeds->by_name, index_key(service->name, name), (uintptr_t)feed);
    feeds_plan(feeds, feed, 0);
    return feed;
}

void
feeds_set_user(struct feeds *feeds, struct feed *feed, const char *user)
{
    assert(feed->user[0] == '\0' && !feed->shared);
    if (user[0] != '\0') {
        set_text(&feed->user, user);
        index_add(&feeds->by_user, index_key(feed->service->name, user),
                  (uintptr_t)feed);
        place_in_heap(feeds, feed);
    }
}

void
feeds_share(struct feeds *feeds, struct feed *feed, bool dms)
{
    dms = dms || feed_has_dms(feed);
    if (feed->user[0] != '\0') {
        index_remove(&feeds->by_user,
                     index_key(feed->service->name, feed->user),
                     (uintptr_t)feed);
        set_text(&feed->user, "");
        place_in_heap(feeds, feed);
    }
    if (dms && !feed->shared) {
        feed->shared = true;
        feeds->shared = must_grow(feeds->shared, (feeds->shared_count + 1) *
                                                     sizeof(struct feed *));
        feeds->shared[feeds->shared_count++] = feed;
    }
}

bool
feed_has_dms(const struct feed *feed)
{
    return feed->shared || feed->user[0] != '\0';
}

bool
feed_is_lost(const struct feed *feed)
{
    return feed->state >= FEED_LOST;
}

void
feed_find_again(struct feed *feed)
{
    feed->state = feed_is_lost(feed) ? FEED_UNREAD : feed->state;
}

void
feed_set_cursor(struct feed *feed, const char *cursor)
{
    set_text(&feed->cursor, cursor);
}

void
feed_set_thread(struct feed *feed, const char *thread)
{
    set_text(&feed->thread, thread);
}

void
feed_set_rung(struct feed *feed, const char *post)
{
    char *old = feed->rung;
    feed->rung = post == NULL ? NULL : must_copy(post);
    feed->rung_reads = 0;
    free(old);
}

/* ---- how far they were read ---------------------------------------------- */

void
feeds_read_through(struct feeds *feeds, struct feed *feed, int64_t time)
{
    int64_t *latest = &of_service(feeds, feed->service)->latest;
    time = time < CLOCK_LAST_MS ? time : CLOCK_LAST_MS;
    feed->through = time > feed->through ? time : feed->through;
    *latest = feed->through > *latest ? feed->through : *latest;
}

void
feeds_unread(struct feeds *feeds, const struct service *service, int64_t time)
{
    int64_t latest = 0;
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        if (feed->service == service) {
            feed->through = feed->through < time ? feed->through : time;
            feed->heard = feed->heard < time ? feed->heard : time;
            latest = feed->through > latest ? feed->through : latest;
        }
    }
    of_service(feeds, service)->latest = latest;
}

int64_t
feeds_latest(const struct feeds *feeds, const struct service *service)
{
    return of_service(feeds, service)->latest;
}

int64_t
feeds_heard(const struct feeds *feeds, const struct service *service)
{
    int64_t latest = 0;
    for (size_t i = 0; i < feeds->count; i++) {
        const struct feed *feed = feeds->list[i];
        if (feed->service == service && feed->heard > latest) {
            latest = feed->heard;
        }
    }
    return latest;
}

struct shared_reading *
feeds_shared_reading(const struct feeds *feeds, const struct service *service)
{
    return &of_service(feeds, service)->shared;
}

/* ---- when they are read -------------------------------------------------- */

void
feeds_plan(struct feeds *feeds, struct feed *feed, int64_t at)
{
    feed->job.next = at;
    feed->hurried = false;
    place_in_heap(feeds, feed);
}

void
feeds_hurry(struct feeds *feeds, struct feed *feed, int64_t at)
{
    feed->job.next = at;
    feed->hurried = true;
    place_in_heap(feeds, feed);
}

void
feeds_set_busy(struct feeds *feeds, struct feed *feed, bool busy)
{
    feed->job.busy = busy;
    place_in_heap(feeds, feed);
}

void
feeds_wait(struct feeds *feeds, struct feed *feed, struct updates *updates)
{
    feed->updates = updates;
    place_in_heap(feeds, feed);
}

struct feed *
feeds_first(const struct feeds *feeds, const struct service *service,
            enum feed_queue queue)
{
    const struct heap_item *first =
        heap_first(&of_service(feeds, service)->due[queue]);
    return first == NULL ? NULL : first->owner;
}

void
feeds_set_turns(struct feeds *feeds, struct feed *feed, enum feed_turns turns)
{
    size_t *counts = of_service(feeds, feed->service)->turns;
    counts[feed->turns]--;
    counts[turns]++;
    feed->turns = turns;
    place_in_heap(feeds, feed);
}

size_t
feeds_count_turns(const struct feeds *feeds, const struct service *service,
                  enum feed_turns turns)
{
    return of_service(feeds, service)->turns[turns];
}
