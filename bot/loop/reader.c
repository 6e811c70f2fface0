#include "bot/loop/reader.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/loop/loop.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/deferred.h"
#include "bot/tables/turns/outages.h"

enum {
    OFF_MS = 10 * 60000, /* an updates feed that can't be had */
    SLACK_MS = 30000,    /* by how much a service's two clocks may differ */
    UNNEEDED_MS = 60000, /* until a DM is looked at again */
    CALM = 3,            /* DMs without a question: at least so many pauses */
    AWAITED_SHARE = 3,   /* eighths of the rate: DMs with a question, */
    CALM_SHARE = 2,      /* and those without */
    THREADS_SHARE = 3,   /* and threads */
    SOON_MS = 3000,      /* where an answer is due */
    IDLE_MS = 30000,     /* where no game runs */
    UNLISTED_MS =
        60000,       /* until a feed is looked up again that was not named */
    LOOKS_MS = 3000, /* between two looks at an updates feed in a game */
    CALM_ANYWAY = 5, /* times as rarely where no game runs */
    RUNG_MS = 60000, /* where everything new rings: at least, */
    RUNG_ROUNDS = 5, /* and so many rounds of looks */
    RIPE_MS = 250,   /* the least pause before what waits for the feed */
};

/* ---- updates feeds ------------------------------------------------------- */

void
reader_release(struct reader *reader)
{
    for (size_t i = 0; i < reader->count; i++) {
        free(reader->updates[i]->name);
        free(reader->updates[i]);
    }
    free(reader->updates);
    index_release(&reader->by_name);
    free(reader->rings);
    free(reader->looks);
    memset(reader, 0, sizeof *reader);
}

static struct updates *
add_updates(struct reader *reader, struct service *service, const char *name)
{
    struct updates *updates = must_alloc(sizeof *updates);
    updates->service = service;
    updates->name = must_copy(name);
    reader->updates = must_grow(reader->updates,
                                (reader->count + 1) * sizeof(struct updates *));
    reader->updates[reader->count++] = updates;
    reader->looks[service->number]++;
    index_add(&reader->by_name, index_key(service->name, name),
              (uintptr_t)updates);
    return updates;
}

/* The service's time up to which a feed was read, before the start if not
 * since; 0: never. */
static int64_t
known_up_to(const struct feed *feed)
{
    return feed->through != 0 ? feed->through : feed->saved;
}

/* The name of the updates feed that covers a feed; false: none does. */
static bool
name_updates(const struct feed *feed, struct buf *name)
{
    const struct service *service = feed->service;
    if (service->adapter->updates_feed != NULL) {
        service->adapter->updates_feed(service, feed->name, name);
    }
    return name->len > 0 && name->len <= ADAPTER_ID_MAX;
}

/* The updates feed that covers a feed; NULL: none does, or that of this name is
 * not known yet. */
static struct updates *
find_updates(const struct reader *reader, const struct feed *feed,
             struct buf *name)
{
    struct updates *updates = NULL;
    size_t at = 0;
    if (name_updates(feed, name)) {
        uint64_t key = index_key(feed->service->name, buf_text(name));
        do {
            updates = index_next_pointer(&reader->by_name, key, &at);
        } while (updates != NULL &&
                 (updates->service != feed->service ||
                  strcmp(updates->name, buf_text(name)) != 0));
    }
    return updates;
}

/* Has a feed not been read itself for so long that it is read though nothing
 * new was said of it? */
static bool
is_read_anyway(const struct feed *feed, int64_t now)
{
    int64_t anyway = feed->service->adapter->capabilities.anyway;
    bool calm = feed->turns != TURNS_THREAD && !feed->shared;
    int64_t times = calm ? CALM_ANYWAY : 1;
    return anyway != 0 && now - feed->asked_at >= times * anyway;
}

/* Would it be in vain to ask an updates feed for a feed, as it was not named
 * lately? */
static bool
is_unlisted(const struct feed *feed, const struct updates *updates, int64_t now)
{
    return feed->service->adapter->capabilities.anyway != 0 && !feed->listed &&
           updates->answered != 0 && now - updates->answered < UNLISTED_MS;
}

struct updates *
reader_updates(struct loop *loop, const struct feed *feed)
{
    struct buf name = BUF_INIT;
    struct updates *updates = NULL;
    int64_t now = loop->steady;
    if (known_up_to(feed) == 0 || feed->hurried || is_read_anyway(feed, now) ||
        reader_since(loop, feed) != 0) {
        return NULL;
    }
    updates = find_updates(&loop->reader, feed, &name);
    if (updates == NULL && name.len > 0 && name.len <= ADAPTER_ID_MAX) {
        updates = add_updates(&loop->reader, feed->service, buf_text(&name));
    }
    buf_release(&name);
    return updates == NULL || updates->off_until > now ||
                   is_unlisted(feed, updates, now)
               ? NULL
               : updates;
}

/* The updates feed in which a feed is looked up, if that costs so little that
 * it may be asked for at any time; NULL: none, or it can't be had now, or says
 * nothing of the feed. */
static const struct updates *
looked_up_in(const struct loop *loop, const struct feed *feed)
{
    struct buf name = BUF_INIT;
    bool cheap = feed->service->adapter->capabilities.anyway != 0;
    const struct updates *updates =
        cheap && feed->listed ? find_updates(&loop->reader, feed, &name) : NULL;
    buf_release(&name);
    return updates == NULL || updates->off_until > loop->steady ? NULL
                                                                : updates;
}

/* A feed waits for its updates feed no more. */
static void
stop_waiting(struct tables *tables, struct feed *feed)
{
    feeds_stop_waiting(&tables->feeds, feed, &feed->updates->waiting);
}

/* Take the next feed that waits for an updates feed: it waits no more. */
static struct feed *
take_waiting(struct tables *tables, struct updates *updates)
{
    struct feed *feed = updates->waiting;
    if (feed != NULL) {
        stop_waiting(tables, feed);
    }
    return feed;
}

/* What an updates feed says of a feed; NULL: nothing. */
static const struct update *
find_update(const struct outcome *outcome, const char *feed)
{
    for (size_t i = 0; i < outcome->news_count; i++) {
        if (strcmp(outcome->updates[i].feed, feed) == 0) {
            return &outcome->updates[i];
        }
    }
    return NULL;
}

/* May there be posts in a feed that were not read, after an updates feed? */
static bool
may_have_new(struct feed *feed, const struct outcome *outcome)
{
    const struct update *update = find_update(outcome, feed->name);
    int64_t last = update == NULL ? outcome->rest : update->last;
    if (update == NULL && (!feed->listed || outcome->rest == 0)) {
        return true;
    }
    if (update != NULL && update->state != 0) {
        feed_hear(feed, update->state);
        return feed->heard_state != feed->read_state;
    }
    return last + SLACK_MS > known_up_to(feed);
}

/* It may have named some that did not wait for it. */
static void
note_listed(struct tables *tables, const struct service *service,
            const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->news_count; i++) {
        struct feed *feed =
            feeds_find(&tables->feeds, service, outcome->updates[i].feed);
        if (feed != NULL) {
            feed_list(feed);
        }
    }
}

/* Nothing new is in a feed: it counts as read. */
static void
count_as_read(struct loop *loop, struct feed *feed,
              const struct updates *updates, const struct outcome *outcome)
{
    struct feeds *feeds = &loop->tables->feeds;
    outages_reached(loop->tables, feed, outcome, updates->asked_at, loop->now);
    if (!feeds_clock(feeds, feed->service)->doubted) {
        feeds_read_through(feeds, feed, outcome->through);
    }
}

/* One that has to be read is not reached before that: what is saved of it must
 * not say that it was read up to now. */
void
reader_take_updates(struct loop *loop, struct updates *updates,
                    const struct outcome *outcome)
{
    struct tables *tables = loop->tables;
    struct feed *feed = NULL;
    updates->job.failures = 0;
    updates->answered = loop->steady;
    note_listed(tables, updates->service, outcome);
    while ((feed = take_waiting(tables, updates)) != NULL) {
        if (may_have_new(feed, outcome) || feed->rung != NULL) {
            feeds_hurry(&tables->feeds, feed, loop->steady);
        } else {
            count_as_read(loop, feed, updates, outcome);
        }
    }
}

void
reader_lack_updates(struct loop *loop, struct updates *updates, bool outage,
                    bool off)
{
    struct feed *feed = NULL;
    int64_t now = loop->steady;
    updates->off_until = off ? now + OFF_MS : 0;
    while ((feed = take_waiting(loop->tables, updates)) != NULL) {
        if (outage) {
            feed_miss(feed, now);
        }
        feeds_plan(&loop->tables->feeds, feed, off ? now : updates->job.next);
    }
}

/* ---- what waits for a feed ------------------------------------------------
 */

/* How long (ms) after a post is written no earlier one comes any more in a
 * feed. */
static int64_t
ripe_wait(const struct feed *feed)
{
    const struct capabilities *capabilities =
        &feed->service->adapter->capabilities;
    return capabilities->disorder == 0 ? capabilities->margin
                                       : capabilities->disorder;
}

/* The earlier of a time and that at which a table's timer can fire, if it waits
 * for a feed. */
static int64_t
not_after_timer(int64_t time, const struct hosted_table *hosted,
                const struct feed *feed)
{
    const struct timer *timer = &hosted->timer;
    int64_t at = timer->at + feed->service->adapter->capabilities.margin;
    bool waits = timer->kind != TIMER_NONE && timer->at > feed->through;
    return waits && at < time ? at : time;
}

/* The earlier of a time and that at which a post can be judged. */
static int64_t
not_after_post(int64_t time, int64_t post, const struct feed *feed)
{
    return post < time - ripe_wait(feed) ? post + ripe_wait(feed) : time;
}

/* The earlier of a time and that at which something can happen at a table which
 * waits for a feed. */
static int64_t
not_after_table(int64_t time, const struct tables *tables,
                const struct hosted_table *hosted, const struct feed *feed)
{
    time = not_after_timer(time, hosted, feed);
    return not_after_post(time, deferred_first_at(tables, hosted, feed), feed);
}

/* The time, by the service's clock, at which a post or a timer that waits for a
 * feed can be judged; INT64_MAX: none waits. */
static int64_t
ripe_at(struct tables *tables, const struct feed *feed)
{
    const struct hosted_table *hosted = NULL;
    int64_t time =
        not_after_post(INT64_MAX, deferred_first(tables, feed), feed);
    size_t at = 0;
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        time = not_after_table(time, tables, hosted, feed);
    }
    at = 0;
    while (feed_has_dms(feed) && !feed->shared &&
           (hosted = hosted_next_of_user(tables, feed->service, feed->user,
                                         &at)) != NULL) {
        unsigned seat = table_seat(&hosted->table, feed->user);
        if (seat != NO_SEAT &&
            seat_in(seat, table_private_seats(&hosted->table))) {
            time = not_after_table(time, tables, hosted, feed);
        }
    }
    if (feed->shared && deferred_awaits(tables, feed)) {
        hosted = hosted_next_due(tables, feed->service);
        time = hosted == NULL ? time : not_after_timer(time, hosted, feed);
    }
    return time;
}

/* ---- when -----------------------------------------------------------------
 */

bool
reader_is_due(struct tables *tables, struct feed *feed, int64_t now)
{
    if (feed->job.busy || feed->updates != NULL || feed->job.next > now) {
        return false;
    }
    if (tables_feeds_read(tables, feed)) {
        feed_listen(feed, now + FEED_LISTEN_MS);
        return true;
    }
    if (feed->thread[0] != '\0' && feed->listens_until > now) {
        return true;
    }
    feeds_set_turns(&tables->feeds, feed, TURNS_NONE);
    feeds_plan(&tables->feeds, feed, now + UNNEEDED_MS);
    return false;
}

struct feed *
reader_next(const struct loop *loop, const struct service *service,
            enum feed_queue queue)
{
    struct feed *feed;
    int64_t now = loop->steady;
    do {
        feed = feeds_first(&loop->tables->feeds, service, queue);
    } while (feed != NULL && feed->job.next <= now &&
             !reader_is_due(loop->tables, feed, now));
    return feed != NULL && feed->job.next <= now ? feed : NULL;
}

/* When the first of the questions was put that are open at a service; 0: none
 * is. */
static int64_t
first_question(const struct tables *tables, const struct service *service)
{
    int64_t first = 0;
    for (size_t i = 0; i < tables->hosted.count; i++) {
        const struct hosted_table *hosted = tables->hosted.list[i];
        int64_t since = hosted->service == service ? hosted->table.since : 0;
        first = since > 0 && (first == 0 || since < first) ? since : first;
    }
    return first;
}

int64_t
reader_since(const struct loop *loop, const struct feed *feed)
{
    const struct tables *tables = loop->tables;
    const struct hosted_table *hosted = NULL;
    int64_t since = 0;
    size_t at = 0;
    if (!feed->service->adapter->capabilities.rereads) {
        return 0;
    }
    if (feed->shared && feed->cursor[0] == '\0') {
        return first_question(tables, feed->service);
    }
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        const struct timer *timer = &hosted->timer;
        bool up = timer->kind != TIMER_NONE && timer->at > feed->through &&
                  timer->at <= loop->now && hosted->table.since > 0;
        if (up && (since == 0 || hosted->table.since < since)) {
            since = hosted->table.since;
        }
    }
    if (since == 0 || feed->again < 0) {
        return 0;
    }
    return feed->again > since ? feed->again : since;
}

int64_t
reader_round(const struct capabilities *capabilities, bool awaited, int64_t dms)
{
    int64_t least = awaited ? capabilities->pause : CALM * capabilities->pause;
    int64_t share = awaited ? AWAITED_SHARE : CALM_SHARE;
    int64_t round = dms * 8 * MINUTE_MS / (capabilities->rate * share);
    return round > least ? round : least;
}

/* How long a round takes in which all threads of a service are read, or looked
 * up. */
static int64_t
threads_round(const struct loop *loop, const struct service *service)
{
    int64_t rate = service->adapter->capabilities.rate;
    size_t looks = loop->reader.looks[service->number];
    size_t threads =
        loop->tables->feeds.by_service[service->number].turns[TURNS_THREAD];
    int64_t count = (int64_t)(looks > 0 ? looks : threads);
    return rate == 0 ? 0 : count * 8 * MINUTE_MS / (rate * THREADS_SHARE);
}

/* One look tells of all feeds, with a game or without one.  So the next one is
 * waited for. */
static int64_t
look_pause(const struct loop *loop, const struct updates *updates)
{
    bool game = loop->tables->feeds.by_service[updates->service->number]
                    .turns[TURNS_THREAD] > 0;
    int64_t next = updates->job.next - loop->steady;
    return !game ? IDLE_MS : next > 0 && next < LOOKS_MS ? next : LOOKS_MS;
}

/* A thread, or a feed that brings several people's DMs, and maybe threads. */
static int64_t
stream_pause(struct loop *loop, struct feed *feed)
{
    struct tables *tables = loop->tables;
    const struct updates *updates = looked_up_in(loop, feed);
    int64_t pause = feed->service->adapter->capabilities.pause;
    int64_t least = 0;
    bool asked = false;
    bool game = tables_feeds_game(tables, feed, &asked);
    if (feed->shared) {
        asked = (game && asked) || deferred_awaits(tables, feed);
        game = tables->hosted.count > 0;
    } else {
        feeds_set_turns(&tables->feeds, feed, game ? TURNS_THREAD : TURNS_NONE);
    }
    if (updates != NULL) {
        return look_pause(loop, updates);
    }
    if (!game) {
        return IDLE_MS > pause ? IDLE_MS : pause;
    }
    /* Where all rings, a longer round is waited for (rung_pause). */
    if (!feed->shared && !loop->reader.rings[feed->service->number]) {
        least = threads_round(loop, feed->service);
    }
    pause = asked && SOON_MS < pause ? SOON_MS : pause;
    return pause > least ? pause : least;
}

/* DMs in which nobody may answer are read more rarely.  A rate is shared. */
static int64_t
dm_pause(struct tables *tables, struct feed *feed)
{
    const struct capabilities *capabilities =
        &feed->service->adapter->capabilities;
    bool awaited = deferred_awaits(tables, feed);
    feeds_set_turns(&tables->feeds, feed, awaited ? TURNS_AWAITED : TURNS_CALM);
    if (capabilities->rate == 0) {
        return awaited && SOON_MS < capabilities->pause ? SOON_MS
                                                        : capabilities->pause;
    }
    return reader_round(capabilities, awaited,
                        (int64_t)tables->feeds.by_service[feed->service->number]
                            .turns[feed->turns]);
}

/* How long until a time of a feed's service, when it is to be read for what
 * waits for it. */
static int64_t
until_ripe(const struct loop *loop, const struct feed *feed, int64_t ripe)
{
    if (ripe != INT64_MAX) {
        ripe -= tables_service_now(loop->tables, feed->service, loop->now);
    }
    return ripe > RIPE_MS ? ripe : RIPE_MS;
}

/* A pause where everything new rings: looks take a small part of the rate. */
static int64_t
rung_pause(const struct loop *loop, const struct service *service,
           int64_t pause)
{
    int64_t least = RUNG_ROUNDS * threads_round(loop, service);
    least = least > RUNG_MS ? least : RUNG_MS;
    return pause > least ? pause : least;
}

/* The lesser of a pause and the time until the next of certain moments, as far
 * apart as the pause is long: they are the same for all feeds of an updates
 * feed, so that one look serves them all. */
static int64_t
in_step(const struct feed *feed, int64_t pause, int64_t now)
{
    struct buf name = BUF_INIT;
    if (feed->service->adapter->capabilities.anyway == 0 &&
        name_updates(feed, &name)) {
        uint64_t key = index_key(feed->service->name, buf_text(&name));
        pause -= (now + (int64_t)(key % (uint64_t)pause)) % pause;
    }
    buf_release(&name);
    return pause;
}

int64_t
reader_pause(struct loop *loop, struct feed *feed)
{
    const struct service *service = feed->service;
    const struct capabilities *capabilities = &service->adapter->capabilities;
    if (capabilities->pause <= SECOND_MS) {
        return capabilities->pause;
    }
    int64_t pause = feed->user[0] != '\0' ? dm_pause(loop->tables, feed)
                                          : stream_pause(loop, feed);
    if (loop->reader.rings[service->number]) {
        pause = rung_pause(loop, service, pause);
    }
    return in_step(feed, pause, loop->steady);
}

void
reader_plan(struct loop *loop, struct feed *feed)
{
    struct tables *tables = loop->tables;
    int64_t pause = reader_pause(loop, feed);
    int64_t ripe = feed->service->adapter->capabilities.pause <= SECOND_MS
                       ? INT64_MAX
                       : until_ripe(loop, feed, ripe_at(tables, feed));
    if (ripe < pause) {
        feeds_hurry(&tables->feeds, feed, loop->steady + ripe);
    } else {
        feeds_plan(&tables->feeds, feed, loop->steady + pause);
    }
}

void
reader_look_up(struct loop *loop, struct feed *feed, struct updates *updates)
{
    struct tables *tables = loop->tables;
    bool awaited = ripe_at(tables, feed) <=
                   tables_service_now(tables, feed->service, loop->now);
    reader_plan(loop, feed);
    feeds_wait(&tables->feeds, feed, updates, &updates->waiting);
    if (awaited && updates->job.failures == 0) {
        updates->job.next = loop->steady;
    }
}

void
reader_begin_look(struct loop *loop, struct updates *updates)
{
    struct feeds *feeds = &loop->tables->feeds;
    int64_t now = loop->steady;
    updates->job.busy = true;
    updates->asked_at = now;
    if (updates->service->adapter->capabilities.anyway == 0) {
        return;
    }
    updates->job.next = now + LOOKS_MS;
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        if (feed->service == updates->service && feed->listed &&
            !feed->job.busy && feed->updates == NULL &&
            feed->job.failures == 0 && feed->job.next <= now + IDLE_MS &&
            reader_updates(loop, feed) == updates) {
            reader_look_up(loop, feed, updates);
        }
    }
    updates->job.next = now + LOOKS_MS;
}

static void
hurry_feed(void *context, struct feed *feed, int64_t time)
{
    struct loop *loop = context;
    int64_t next = loop->steady + until_ripe(loop, feed, time);
    if (feed->service->adapter->capabilities.pause > SECOND_MS &&
        (!feed->hurried || next < feed->job.next)) {
        feeds_hurry(&loop->tables->feeds, feed, next);
    }
}

void
reader_hurry(struct loop *loop, const struct feed *feed)
{
    deferred_visit(loop->tables, feed, hurry_feed, loop);
}

void
reader_hurry_press(struct loop *loop, const struct service *service,
                   const char *place)
{
    struct tables *tables = loop->tables;
    struct feed *feed = feeds_bringing(&tables->feeds, service, place);
    int64_t first = feed == NULL ? INT64_MAX : deferred_first(tables, feed);
    if (first != INT64_MAX) {
        hurry_feed(loop, feed, first + ripe_wait(feed));
        reader_hurry(loop, feed);
    }
}

void
reader_read_all(struct loop *loop, const struct service *service)
{
    struct feeds *feeds = &loop->tables->feeds;
    int64_t now = loop->steady;
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        bool looked_up = feed->updates != NULL && !feed->updates->job.busy;
        if (feed->service == service && feed->job.next > now &&
            !feed->hurried && !looked_up) {
            feeds_plan(feeds, feed, now);
        }
    }
}

/* ---- doorbells ----------------------------------------------------------- */

void
reader_ring(struct tables *tables, const struct service *service,
            const char *name, const char *post)
{
    struct feed *feed = feeds_find(&tables->feeds, service, name);
    if (feed == NULL) {
        return; /* nothing is hosted there */
    }
    /* If it rings for two DMs, all that come in the feed are looked at. */
    bool several =
        feed->shared && feed->rung != NULL && strcmp(feed->rung, post) != 0;
    feed_set_rung(feed, several ? "" : post);
    if (feed->updates != NULL) {
        stop_waiting(tables, feed);
    }
    feeds_hurry(&tables->feeds, feed, 0);
}

bool
reader_is_quiet(const struct loop *loop, const struct service *service,
                const struct post *post)
{
    const struct feeds *feeds = &loop->tables->feeds;
    const struct feed *feed = feeds_bringing(feeds, service, post->place);
    bool quiet = loop->reader.rings[service->number] &&
                 (feed == NULL || feed->rung == NULL);
    size_t at = 0;
    while (quiet && (feed = feeds_next_of_user(feeds, service, post->author,
                                               &at)) != NULL) {
        quiet = feed->rung == NULL;
    }
    return quiet;
}

void
reader_hasten(struct loop *loop, const struct service *service,
              const char *user)
{
    struct tables *tables = loop->tables;
    int64_t next = loop->steady + service->adapter->capabilities.pause;
    struct feed *feed = NULL;
    size_t at = 0;
    while ((feed = feeds_next_of_user(&tables->feeds, service, user, &at)) !=
           NULL) {
        if (deferred_awaits(tables, feed)) {
            feeds_set_turns(&tables->feeds, feed, TURNS_AWAITED);
        }
        if (feed->job.next > next) {
            feeds_plan(&tables->feeds, feed, next);
        }
    }
}
