#include "bot/tables/feeds/feed.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/log.h"
#include "bot/base/memory.h"

#define LATE_MOST (10 * MINUTE_MS) /* for an attempt that is in time */
#define GONE_MS   HOUR_MS          /* less may be a mistake of the service's */

enum {
    RING_AGAIN_MS = 1000, /* what rang was not there yet */
    RING_TRIES = 3,
};

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

struct feed *
feed_new(struct service *service, const char *name)
{
    struct feed *feed = must_alloc(sizeof *feed);
    feed->service = service;
    feed->name = must_copy(name);
    feed->user = feed->cursor = feed->thread = nothing;
    return feed;
}

void
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

bool
feed_has_dms(const struct feed *feed)
{
    return feed->shared || feed->user[0] != '\0';
}

void
feed_set_user(struct feed *feed, const char *user)
{
    set_text(&feed->user, user);
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
feed_listen(struct feed *feed, int64_t until)
{
    feed->listens_until = until;
}

/* ---- what is new --------------------------------------------------------- */

void
feed_set_rung(struct feed *feed, const char *post)
{
    char *old = feed->rung;
    feed->rung = post == NULL ? NULL : must_copy(post);
    feed->rung_reads = 0;
    free(old);
}

/* Is a post, or one of a DM, in a page? */
static bool
has_post(const struct page *page, const char *id)
{
    for (size_t i = 0; i < page->count; i++) {
        if (strcmp(page->posts[i].id, id) == 0 ||
            strcmp(page->posts[i].place, id) == 0) {
            return true;
        }
    }
    return false;
}

int64_t
feed_rings_again(struct feed *feed, const struct page *page)
{
    if (feed->rung == NULL) {
        return -1;
    }
    if (feed->rung[0] == '\0' || has_post(page, feed->rung) ||
        ++feed->rung_reads == RING_TRIES) {
        feed_set_rung(feed, NULL);
        return -1;
    }
    return RING_AGAIN_MS;
}

void
feed_list(struct feed *feed)
{
    feed->listed = true;
}

void
feed_hear(struct feed *feed, uint64_t state)
{
    feed->heard_state = state;
}

/* ---- pages --------------------------------------------------------------- */

void
feed_set_page(struct feed *feed, uint64_t *numbers, size_t count)
{
    free(feed->last_page);
    feed->last_page = numbers;
    feed->last_count = count;
}

bool
feed_had(const struct feed *feed, uint64_t number)
{
    size_t i = 0;
    while (i < feed->last_count && feed->last_page[i] != number) {
        i++;
    }
    return i < feed->last_count;
}

/* The state of DMs tells how many were not read yet, and reading them changes
 * that: it is known again when a reading has brought none, after another
 * look. */
static void
note_end(struct feed *feed, const struct outcome *outcome)
{
    bool changes = feed_has_dms(feed) && outcome->page.count > 0;
    feed->heard_state = changes ? 0 : feed->heard_state;
    feed->read_state = feed->heard_state;
    feed->again = 0;
    feed->unread -= feed->unread > 0;
}

/* A reading that begins at the same time again would end at the same post. */
void
feed_note_page(struct feed *feed, const struct outcome *outcome)
{
    if (!outcome->more) {
        note_end(feed, outcome);
    } else if (feed->again > 0) {
        feed->again = outcome->through > feed->again ? outcome->through : -1;
    }
}

/* It may have opened some DMs, so that they count as read there. */
void
feed_note_failure(struct feed *feed)
{
    feed->read_state = feed_has_dms(feed) ? 0 : feed->read_state;
}

/* ---- what can't be read -------------------------------------------------- */

/* The time since it was last asked for, or read, if we were running. */
static int64_t
waited(const struct feed *feed, int64_t now)
{
    int64_t since = feed->failed_at != 0 ? feed->failed_at : feed->read_at;
    int64_t due = feed->job.next > since ? feed->job.next : since;
    bool there = since != 0 && now >= since && now - due <= LATE_MOST;
    return there ? now - since : 0;
}

void
feed_miss(struct feed *feed, int64_t now)
{
    feed->outage += waited(feed, now);
    feed->failed_at = now;
}

int64_t
feed_missed(const struct feed *feed, int64_t now)
{
    return feed->outage + (feed->failed_at != 0 ? waited(feed, now) : 0);
}

bool
feed_is_lost(const struct feed *feed)
{
    return feed->state >= FEED_LOST;
}

void
feed_lose(struct feed *feed, const char *trouble)
{
    if (feed_is_lost(feed)) {
        return;
    }
    feed->state = FEED_LOST;
    if (feed->user[0] != '\0') {
        log_about(LOG_LEVEL_ERROR,
                  &(struct log_subject){.service = feed->service->name,
                                        .person = feed->user},
                  "%s: the DM with %s can't be read, so nothing waits "
                  "for it any more: %s",
                  feed->service->name, feed->user, trouble);
    }
}

bool
feed_note_gone(struct feed *feed, int64_t now)
{
    bool lost = feed_is_lost(feed);
    bool for_long = lost && now >= feed->gone_at + GONE_MS;
    if (!lost || for_long) {
        feed->gone_at = now;
        feed->state = for_long ? FEED_MISSING : FEED_LOST;
    }
    return for_long;
}

void
feed_find_again(struct feed *feed)
{
    feed->state = feed_is_lost(feed) ? FEED_CURRENT : feed->state;
}
