#include "bot/loop/reader.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/tables/deferred.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

enum {
    OFF_MS = 10 * 60000, /* an updates feed that can't be had */
    SLACK_MS = 30000,    /* by how much a service's two clocks may differ */
    UNNEEDED_MS = 60000, /* until a DM is looked at again */
    CALM = 3,            /* DMs without a question: at least so many pauses */
    AWAITED_SHARE = 3,   /* eighths of the rate: DMs with a question, */
    CALM_SHARE = 2,      /* and those without */
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
    memset(reader, 0, sizeof *reader);
}

void
reader_set_back(struct reader *reader, int64_t by)
{
    for (size_t i = 0; i < reader->count; i++) {
        reader->updates[i]->next -= by;
        reader->updates[i]->off_until -= by;
    }
}

static struct updates *
find_updates(struct reader *reader, struct service *service, const char *name)
{
    for (size_t i = 0; i < reader->count; i++) {
        if (reader->updates[i]->service == service &&
            strcmp(reader->updates[i]->name, name) == 0) {
            return reader->updates[i];
        }
    }
    struct updates *updates = must_alloc(sizeof *updates);
    updates->service = service;
    updates->name = must_copy(name);
    reader->updates = must_grow(reader->updates,
                                (reader->count + 1) * sizeof(struct updates *));
    reader->updates[reader->count++] = updates;
    return updates;
}

struct updates *
reader_updates(struct reader *reader, struct tables *tables,
               const struct feed *feed, int64_t now)
{
    const struct adapter *adapter = feed->service->adapter;
    struct buf name = BUF_INIT;
    struct updates *updates = NULL;
    if (adapter->updates_feed == NULL || feed->through == 0 || feed->changed ||
        reader_since(tables, feed, now) != 0) {
        return NULL;
    }
    adapter->updates_feed(feed->service, feed->name, &name);
    if (name.len > 0 && name.len <= ADAPTER_ID_MAX) {
        updates = find_updates(reader, feed->service, buf_text(&name));
    }
    buf_release(&name);
    return updates == NULL || updates->off_until > now ? NULL : updates;
}

void
reader_look_up(struct tables *tables, struct feed *feed,
               struct updates *updates, int64_t now)
{
    feeds_plan(&tables->feeds, feed, now + reader_pause(tables, feed));
    feeds_wait(&tables->feeds, feed, updates);
    feed->behind = updates->waiting;
    updates->waiting = feed;
    updates->wanted = updates->wanted || !updates->busy;
}

/* Take the next feed that waits for an updates feed: it waits no more. */
static struct feed *
take_waiting(struct tables *tables, struct updates *updates)
{
    struct feed *feed = updates->waiting;
    if (feed != NULL) {
        updates->waiting = feed->behind;
        feed->behind = NULL;
        feeds_wait(&tables->feeds, feed, NULL);
    }
    return feed;
}

/* When something was last posted in a feed; false: unknown. */
static bool
last_post(const struct outcome *outcome, const char *feed, int64_t *last)
{
    for (size_t i = 0; i < outcome->news_count; i++) {
        if (strcmp(outcome->updates[i].feed, feed) == 0) {
            *last = outcome->updates[i].last;
            return true;
        }
    }
    return false;
}

void
reader_take_updates(struct tables *tables, struct updates *updates,
                    const struct outcome *outcome, int64_t now)
{
    struct feed *feed = NULL;
    updates->failures = 0;
    while ((feed = take_waiting(tables, updates)) != NULL) {
        int64_t last = 0;
        feed->changed = !last_post(outcome, feed->name, &last) ||
                        last + SLACK_MS > feed->through;
        if (feed->changed) {
            feeds_plan(&tables->feeds, feed, now);
        } else if (!tables_clock(tables, feed->service)->doubted) {
            feeds_read_through(&tables->feeds, feed, outcome->through);
        }
    }
}

void
reader_lack_updates(struct tables *tables, struct updates *updates,
                    int64_t pause, bool off, int64_t now)
{
    struct feed *feed = NULL;
    updates->next = now + pause;
    updates->off_until = off ? now + OFF_MS : 0;
    while ((feed = take_waiting(tables, updates)) != NULL) {
        feeds_plan(&tables->feeds, feed, off ? now : updates->next);
    }
}

/* ---- when -----------------------------------------------------------------
 */

bool
reader_is_due(struct tables *tables, struct feed *feed, int64_t now)
{
    if (feed->busy || feed->updates != NULL || feed->next_read > now) {
        return false;
    }
    if (tables_reads(tables, feed)) {
        feed->listens_until = now + FEED_LISTEN_MS;
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
reader_next(struct tables *tables, const struct service *service, int64_t now)
{
    struct feed *feed;
    do {
        feed = feeds_first(&tables->feeds, service);
    } while (feed != NULL && feed->next_read <= now &&
             !reader_is_due(tables, feed, now));
    return feed != NULL && feed->next_read <= now ? feed : NULL;
}

int64_t
reader_since(struct tables *tables, const struct feed *feed, int64_t now)
{
    const struct entry *entry = NULL;
    int64_t since = 0;
    size_t at = 0;
    if (!feed->service->adapter->capabilities.rereads) {
        return 0;
    }
    while ((entry = tables_next_of_feed(tables, feed->service, feed->name,
                                        &at)) != NULL) {
        const struct timer *timer = &entry->timer;
        bool up = timer->kind != TIMER_NONE && timer->at > feed->through &&
                  timer->at <= now && entry->since > 0;
        if (up && (since == 0 || entry->since < since)) {
            since = entry->since;
        }
    }
    return since;
}

int64_t
reader_round(const struct capabilities *capabilities, bool awaited, int64_t dms)
{
    int64_t least = awaited ? capabilities->pause : CALM * capabilities->pause;
    int64_t share = awaited ? AWAITED_SHARE : CALM_SHARE;
    int64_t round = dms * 8 * MINUTE_MS / (capabilities->rate * share);
    return round > least ? round : least;
}

int64_t
reader_pause(struct tables *tables, struct feed *feed)
{
    const struct capabilities *capabilities =
        &feed->service->adapter->capabilities;
    if (capabilities->rate == 0 || feed->user[0] == '\0') {
        return capabilities->pause;
    }
    bool awaited = tables_awaits(tables, feed);
    feeds_set_turns(&tables->feeds, feed, awaited ? TURNS_AWAITED : TURNS_CALM);
    return reader_round(
        capabilities, awaited,
        (int64_t)feeds_count_turns(&tables->feeds, feed->service, feed->turns));
}

void
reader_hasten(struct tables *tables, const struct service *service,
              const char *user, int64_t now)
{
    int64_t next = now + service->adapter->capabilities.pause;
    struct feed *feed = NULL;
    size_t at = 0;
    while ((feed = feeds_next_of_user(&tables->feeds, service, user, &at)) !=
           NULL) {
        if (feed->next_read > next) {
            feeds_plan(&tables->feeds, feed, next);
        }
    }
}
