#include "bot/loop/reader.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/tables/tables_inner.h"

enum {
    OFF_MS = 10 * 60000, /* an updates feed that can't be had */
    SLACK_MS = 30000,    /* by how much a service's two clocks may differ */
    UNNEEDED_MS = 60000, /* until a DM is looked at again */
    CALM = 3,            /* DMs without a question: at least so many pauses */
    AWAITED_SHARE = 3,   /* eighths of the rate: DMs with a question, */
    CALM_SHARE = 2,      /* and those without */
};

/* ---- updates feeds ------------------------------------------------------- */

static struct updates *
find_updates(struct tables *tables, struct service *service, const char *name)
{
    for (size_t i = 0; i < tables->updates_count; i++) {
        if (tables->updates[i].service == service &&
            strcmp(tables->updates[i].name, name) == 0) {
            return &tables->updates[i];
        }
    }
    size_t count = tables->updates_count++;
    tables->updates = must_grow(tables->updates,
                                tables->updates_count * sizeof(struct updates));
    struct updates *updates = &tables->updates[count];
    memset(updates, 0, sizeof *updates);
    updates->service = service;
    (void)snprintf(updates->name, sizeof updates->name, "%s", name);
    return updates;
}

struct updates *
reader_updates(struct tables *tables, const struct feed *feed, int64_t now)
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
        updates = find_updates(tables, feed->service, buf_text(&name));
    }
    buf_release(&name);
    return updates == NULL || updates->off_until > now ? NULL : updates;
}

void
reader_look_up(struct tables *tables, struct feed *feed,
               struct updates *updates, int64_t now)
{
    feed->updates = (size_t)(updates - tables->updates) + 1;
    feed->next_read = now + reader_pause(tables, feed);
    updates->wanted = updates->wanted || !updates->busy;
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
    size_t number = (size_t)(updates - tables->updates) + 1;
    updates->failures = 0;
    for (size_t i = 0; i < tables->feed_count; i++) {
        struct feed *feed = &tables->feeds[i];
        int64_t last = 0;
        if (feed->updates != number) {
            continue;
        }
        feed->updates = 0;
        feed->changed = !last_post(outcome, feed->name, &last) ||
                        last + SLACK_MS > feed->through;
        if (feed->changed) {
            feed->next_read = now;
        } else if (outcome->through > feed->through &&
                   !tables_clock(tables, feed->service)->doubted) {
            feed->through = outcome->through;
        }
    }
}

void
reader_lack_updates(struct tables *tables, struct updates *updates,
                    int64_t pause, bool off, int64_t now)
{
    size_t number = (size_t)(updates - tables->updates) + 1;
    updates->next = now + pause;
    updates->off_until = off ? now + OFF_MS : 0;
    for (size_t i = 0; i < tables->feed_count; i++) {
        struct feed *feed = &tables->feeds[i];
        if (feed->updates == number) {
            feed->updates = 0;
            feed->next_read = off ? now : updates->next;
        }
    }
}

/* ---- when -----------------------------------------------------------------
 */

bool
reader_is_due(struct tables *tables, struct feed *feed, int64_t now)
{
    if (feed->busy || feed->updates != 0 || feed->next_read > now) {
        return false;
    }
    if (tables_reads(tables, feed)) {
        feed->listens_until = now + FEED_LISTEN_MS;
        return true;
    }
    if (feed->thread[0] != '\0' && feed->listens_until > now) {
        return true;
    }
    feed->turns = TURNS_NONE;
    feed->next_read = now + UNNEEDED_MS;
    return false;
}

int64_t
reader_since(struct tables *tables, const struct feed *feed, int64_t now)
{
    int64_t since = 0;
    for (size_t i = 0; feed->service->adapter->capabilities.rereads &&
                       i < tables->table_count;
         i++) {
        const struct table *table = tables->list[i];
        struct timer timer = table_timer(table);
        bool up = timer.kind != TIMER_NONE && timer.at > feed->through &&
                  timer.at <= now && table->since > 0;
        if (up && (since == 0 || table->since < since) &&
            tables_brings(tables, feed, table)) {
            since = table->since;
        }
    }
    return since;
}

/* How many DMs of a service take such turns. */
static int64_t
count_turns(const struct tables *tables, const struct service *service,
            enum feed_turns turns)
{
    int64_t count = 0;
    for (size_t i = 0; i < tables->feed_count; i++) {
        const struct feed *feed = &tables->feeds[i];
        count += feed->service == service && feed->turns == turns;
    }
    return count;
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
    feed->turns = awaited ? TURNS_AWAITED : TURNS_CALM;
    return reader_round(capabilities, awaited,
                        count_turns(tables, feed->service, feed->turns));
}

void
reader_hasten(struct tables *tables, const struct service *service,
              const char *user, int64_t now)
{
    int64_t next = now + service->adapter->capabilities.pause;
    for (size_t i = 0; i < tables->feed_count; i++) {
        struct feed *feed = &tables->feeds[i];
        if (feed->service == service && strcmp(feed->user, user) == 0 &&
            feed->next_read > next) {
            feed->next_read = next;
        }
    }
}
