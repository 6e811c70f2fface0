#include "bot/loop/reader.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/tables/tables_inner.h"

enum {
    OFF_MS = 10 * 60000, /* a digest that can't be had */
    SLACK_MS = 30000,    /* so far a service's two clocks may differ */
    UNNEEDED_MS = 60000, /* until a talk is looked at again */
    CALM = 3,            /* talks without a question: pauses, at least */
    AWAITED_SHARE = 3,   /* eighths of the rate: talks with a question, */
    CALM_SHARE = 2,      /* and those without */
};

/* ---- digests --------------------------------------------------------------
 */

static struct digest *
find_digest(struct desk *desk, struct service *service, const char *name)
{
    for (size_t i = 0; i < desk->digest_count; i++) {
        if (desk->digests[i].service == service &&
            strcmp(desk->digests[i].name, name) == 0) {
            return &desk->digests[i];
        }
    }
    size_t count = desk->digest_count++;
    desk->digests =
        must_grow(desk->digests, desk->digest_count * sizeof(struct digest));
    struct digest *digest = &desk->digests[count];
    memset(digest, 0, sizeof *digest);
    digest->service = service;
    (void)snprintf(digest->name, sizeof digest->name, "%s", name);
    return digest;
}

struct digest *
feeds_digest(struct desk *desk, const struct feed *feed, int64_t now)
{
    const struct adapter *adapter = feed->service->adapter;
    struct buf name = BUF_INIT;
    struct digest *digest = NULL;
    if (adapter->digest == NULL || feed->through == 0 || feed->news ||
        feeds_since(desk, feed, now) != 0) {
        return NULL;
    }
    adapter->digest(feed->service, feed->name, &name);
    if (name.len > 0 && name.len <= ADAPTER_ID_MAX) {
        digest = find_digest(desk, feed->service, buf_text(&name));
    }
    buf_release(&name);
    return digest == NULL || digest->off_until > now ? NULL : digest;
}

void
feeds_look_up(struct desk *desk, struct feed *feed, struct digest *digest,
              int64_t now)
{
    feed->digest = (size_t)(digest - desk->digests) + 1;
    feed->next_read = now + feeds_pause(desk, feed);
    digest->wanted = digest->wanted || !digest->busy;
}

/* When something was last posted in a feed; false: it is not said. */
static bool
last_post(const struct outcome *outcome, const char *feed, int64_t *last)
{
    for (size_t i = 0; i < outcome->news_count; i++) {
        if (strcmp(outcome->news[i].feed, feed) == 0) {
            *last = outcome->news[i].last;
            return true;
        }
    }
    return false;
}

void
feeds_take_news(struct desk *desk, struct digest *digest,
                const struct outcome *outcome, int64_t now)
{
    size_t number = (size_t)(digest - desk->digests) + 1;
    digest->failures = 0;
    for (size_t i = 0; i < desk->feed_count; i++) {
        struct feed *feed = &desk->feeds[i];
        int64_t last = 0;
        if (feed->digest != number) {
            continue;
        }
        feed->digest = 0;
        feed->news = !last_post(outcome, feed->name, &last) ||
                     last + SLACK_MS > feed->through;
        if (feed->news) {
            feed->next_read = now;
        } else if (outcome->through > feed->through &&
                   !desk_clock(desk, feed->service)->doubted) {
            feed->through = outcome->through;
        }
    }
}

void
feeds_lack_news(struct desk *desk, struct digest *digest, int64_t pause,
                bool off, int64_t now)
{
    size_t number = (size_t)(digest - desk->digests) + 1;
    digest->next = now + pause;
    digest->off_until = off ? now + OFF_MS : 0;
    for (size_t i = 0; i < desk->feed_count; i++) {
        struct feed *feed = &desk->feeds[i];
        if (feed->digest == number) {
            feed->digest = 0;
            feed->next_read = off ? now : digest->next;
        }
    }
}

/* ---- when -----------------------------------------------------------------
 */

bool
feeds_is_due(struct desk *desk, struct feed *feed, int64_t now)
{
    if (feed->busy || feed->digest != 0 || feed->next_read > now) {
        return false;
    }
    if (desk_reads(desk, feed)) {
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
feeds_since(struct desk *desk, const struct feed *feed, int64_t now)
{
    int64_t since = 0;
    for (size_t i = 0;
         feed->service->adapter->traits.rereads && i < desk->table_count; i++) {
        const struct table *table = desk->tables[i];
        struct timer timer = table_timer(table);
        bool up = timer.kind != TIMER_NONE && timer.at > feed->through &&
                  timer.at <= now && table->since > 0;
        if (up && (since == 0 || table->since < since) &&
            desk_brings(desk, feed, table)) {
            since = table->since;
        }
    }
    return since;
}

/* How many talks of a service take such turns. */
static int64_t
count_turns(const struct desk *desk, const struct service *service,
            enum feed_turns turns)
{
    int64_t count = 0;
    for (size_t i = 0; i < desk->feed_count; i++) {
        const struct feed *feed = &desk->feeds[i];
        count += feed->service == service && feed->turns == turns;
    }
    return count;
}

int64_t
feeds_round(const struct traits *traits, bool awaited, int64_t talks)
{
    int64_t least = awaited ? traits->pause : CALM * traits->pause;
    int64_t share = awaited ? AWAITED_SHARE : CALM_SHARE;
    int64_t round = talks * 8 * MINUTE_MS / (traits->rate * share);
    return round > least ? round : least;
}

int64_t
feeds_pause(struct desk *desk, struct feed *feed)
{
    const struct traits *traits = &feed->service->adapter->traits;
    if (traits->rate == 0 || feed->user[0] == '\0') {
        return traits->pause;
    }
    bool awaited = desk_awaits(desk, feed);
    feed->turns = awaited ? TURNS_AWAITED : TURNS_CALM;
    return feeds_round(traits, awaited,
                       count_turns(desk, feed->service, feed->turns));
}

void
feeds_hasten(struct desk *desk, const struct service *service, const char *user,
             int64_t now)
{
    int64_t next = now + service->adapter->traits.pause;
    for (size_t i = 0; i < desk->feed_count; i++) {
        struct feed *feed = &desk->feeds[i];
        if (feed->service == service && strcmp(feed->user, user) == 0 &&
            feed->next_read > next) {
            feed->next_read = next;
        }
    }
}
