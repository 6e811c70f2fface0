#include "bot/tables/feeds/feeds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/base/memory.h"

struct service_clock *
feeds_clock(const struct feeds *feeds, const struct service *service)
{
    return &feeds->by_service[service->number].clock;
}

void
feeds_init(struct feeds *feeds, const struct services *services,
           struct store *store, const struct steady *steady)
{
    *feeds = (struct feeds){
        .services = services,
        .store = store,
        .steady = steady,
        .by_service = must_alloc(services->room * sizeof(struct service_feeds)),
    };
}

void
feeds_release(struct feeds *feeds)
{
    for (size_t i = 0; i < feeds->count; i++) {
        feed_free(feeds->list[i]);
    }
    for (unsigned i = 0; feeds->by_service != NULL && i < feeds->services->room;
         i++) {
        for (unsigned queue = 0; queue < FEED_QUEUES; queue++) {
            heap_release(&feeds->by_service[i].due[queue]);
        }
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
    struct heap *heaps = feeds->by_service[feed->service->number].due;
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

struct feed *
feeds_find(const struct feeds *feeds, const struct service *service,
           const char *name)
{
    uint64_t key = index_key(service->name, name);
    struct feed *feed;
    size_t at = 0;
    do {
        feed = index_next_pointer(&feeds->by_name, key, &at);
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
        feed = index_next_pointer(&feeds->by_user, key, at);
    } while (feed != NULL &&
             (feed->service != service || strcmp(feed->user, user) != 0));
    return feed;
}

struct feed *
feeds_add(struct feeds *feeds, struct service *service, const char *name)
{
    struct feed *feed = feed_new(service, name);
    feeds->list =
        must_grow(feeds->list, (feeds->count + 1) * sizeof(struct feed *));
    feed->due.number = feeds->count;
    feed->due.owner = feed;
    feeds->list[feeds->count++] = feed;
    feeds->by_service[service->number].turns[TURNS_NONE]++;
    index_add(&feeds->by_name, index_key(service->name, name), (uintptr_t)feed);
    feeds_plan(feeds, feed, 0);
    return feed;
}

void
feeds_set_user(struct feeds *feeds, struct feed *feed, const char *user)
{
    assert(feed->user[0] == '\0' && !feed->shared);
    if (user[0] != '\0') {
        feed_set_user(feed, user);
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
        feed_set_user(feed, "");
        place_in_heap(feeds, feed);
    }
    if (dms && !feed->shared) {
        feed->shared = true;
        feeds->shared = must_grow(feeds->shared, (feeds->shared_count + 1) *
                                                     sizeof(struct feed *));
        feeds->shared[feeds->shared_count++] = feed;
    }
}

struct feed *
feeds_bringing(const struct feeds *feeds, const struct service *service,
               const char *place)
{
    struct buf name = BUF_INIT;
    service->adapter->feed(service, place, &name);
    struct feed *feed = feeds_find(feeds, service, buf_text(&name));
    buf_release(&name);
    return feed;
}

struct feed *
feeds_of_place(const struct feeds *feeds, const struct hosted_place *place)
{
    return feeds_bringing(feeds, place->service, place->ids[PLACE_THREAD]);
}

/* ---- how far they were read ---------------------------------------------- */

void
feeds_read_through(struct feeds *feeds, struct feed *feed, int64_t time)
{
    int64_t *latest = &feeds->by_service[feed->service->number].latest;
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
    feeds->by_service[service->number].latest = latest;
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

void
feeds_leap(struct feeds *feeds, bool ahead, int64_t now)
{
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        feed->heard = now > feed->heard ? now : feed->heard;
        if (ahead && feed->read_at != 0) {
            feed->read_at = now + feeds->steady->back;
            feed->failed_at = 0;
        }
    }
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
feeds_ask(struct feeds *feeds, struct feed *feed, int64_t since, int64_t now)
{
    feed->again = since > 0 || feed->again > 0 ? since : feed->again;
    feed->asked_at = now;
    feeds_set_busy(feeds, feed, true);
}

void
feeds_wait(struct feeds *feeds, struct feed *feed, struct updates *updates,
           struct feed **waiting)
{
    feed->updates = updates;
    feed->behind = *waiting;
    *waiting = feed;
    place_in_heap(feeds, feed);
}

void
feeds_stop_waiting(struct feeds *feeds, struct feed *feed,
                   struct feed **waiting)
{
    while (*waiting != feed) {
        waiting = &(*waiting)->behind;
    }
    *waiting = feed->behind;
    feed->behind = NULL;
    feed->updates = NULL;
    place_in_heap(feeds, feed);
}

struct feed *
feeds_first(const struct feeds *feeds, const struct service *service,
            enum feed_queue queue)
{
    const struct heap_item *first =
        heap_first(&feeds->by_service[service->number].due[queue]);
    return first == NULL ? NULL : first->owner;
}

void
feeds_set_turns(struct feeds *feeds, struct feed *feed, enum feed_turns turns)
{
    size_t *counts = feeds->by_service[feed->service->number].turns;
    counts[feed->turns]--;
    counts[turns]++;
    feed->turns = turns;
    place_in_heap(feeds, feed);
}
