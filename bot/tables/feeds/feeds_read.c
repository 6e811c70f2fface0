/* The feeds: which of them are read, and what the store knows of each. */
#include <string.h>

#include "bot/tables/feeds/feeds.h"

struct feed *
feeds_list(struct feeds *feeds, struct service *service, const char *place,
           const char *user)
{
    struct feed *added = NULL;
    struct buf name = BUF_INIT;
    service->adapter->feed(service, place, &name);
    struct feed *feed = feeds_find(feeds, service, buf_text(&name));
    if (feed == NULL) {
        added = feeds_add(feeds, service, buf_text(&name));
        feeds_set_user(feeds, added, user);
    } else if (strcmp(feed->user, user) != 0) {
        feeds_share(feeds, feed, user[0] != '\0');
    }
    buf_release(&name);
    return added;
}

struct feed *
feeds_list_thread(struct feeds *feeds, struct service *service,
                  const char *thread)
{
    struct feed *feed = feeds_list(feeds, service, thread, "");
    if (feed != NULL) {
        feed_set_thread(feed, thread);
    }
    return feed;
}

/* This is known of a feed from before the start. */
static void
take_known(const struct feeds *feeds, struct feed *feed, const char *cursor,
           const struct feed_reading *reading)
{
    feed_set_cursor(feed, cursor);
    feed->read_at = reading->at == 0 ? 0 : reading->at + feeds->steady->back;
    feed->heard = reading->through;
    feed->saved = reading->at != 0 ? reading->through : 0;
}

/* A feed was listed that brings the posts of a place (NULL: it was before); one
 * that was never read begins at the cursor. */
static void
begin(struct feeds *feeds, struct feed *feed, const char *first)
{
    struct buf cursor = BUF_INIT;
    struct feed_reading reading;
    if (feed == NULL) {
        return;
    }
    store_feed(feeds->store, feed->service->name, feed->name, &cursor,
               &reading);
    take_known(feeds, feed, buf_text(&cursor), &reading);
    buf_release(&cursor);
    if (feed->cursor[0] == '\0' && first[0] != '\0') {
        feed_set_cursor(feed, first);
        store_set_cursor(feeds->store, feed->service->name, feed->name, first);
    }
}

void
feeds_read(struct feeds *feeds, struct service *service, const char *place,
           const char *user)
{
    begin(feeds, feeds_list(feeds, service, place, user), "");
}

void
feeds_read_thread(struct feeds *feeds, struct service *service,
                  const char *thread, const char *cursor)
{
    begin(feeds, feeds_list_thread(feeds, service, thread), cursor);
}

static void
take_known_of(void *context, const char *service, const char *name,
              const char *cursor, const struct feed_reading *reading)
{
    struct feeds *feeds = context;
    const struct service *of = services_find(feeds->services, service);
    struct feed *feed = of == NULL ? NULL : feeds_find(feeds, of, name);
    if (feed != NULL) {
        take_known(feeds, feed, cursor, reading);
    }
}

void
feeds_know(struct feeds *feeds)
{
    store_part_readings(feeds->store);
    store_feeds(feeds->store, take_known_of, feeds);
}

void
feeds_open_dm(struct feeds *feeds, struct service *service, const char *user,
              const char *dm, const char *cursor)
{
    store_set_dm(feeds->store, service->name, user, dm);
    begin(feeds, feeds_list(feeds, service, dm, user), cursor);
}

void
feeds_dm(struct feeds *feeds, struct service *service, const char *user,
         struct buf *dm)
{
    store_dm(feeds->store, service->name, user, dm);
    if (dm->len > 0) {
        feeds_read(feeds, service, buf_text(dm), user);
    }
}

/* ---- those of places ----------------------------------------------------- */

void
feeds_read_anew(struct feeds *feeds, const struct hosted_place *place)
{
    struct feed *feed = feeds_of_place(feeds, place);
    if (feed != NULL) {
        feed->unread = feed->job.busy ? 2 : 1;
        if (place->astray > 0) {
            feeds_hurry(feeds, feed, 0);
        }
    }
}

bool
feeds_is_unread(const struct feeds *feeds, const struct hosted_place *place)
{
    if (!place->service->adapter->capabilities.moves) {
        return false;
    }
    const struct feed *feed = feeds_of_place(feeds, place);
    return place->ids[PLACE_THREAD][0] == '\0' || feed == NULL ||
           feed->unread > 0;
}

bool
feeds_note_polls(const struct feeds *feeds, const struct places *places)
{
    bool any = false;
    for (unsigned i = 0; i < places->count; i++) {
        const struct hosted_place *place = places->list[i];
        const struct feed *feed = feeds_of_place(feeds, place);
        if (feed != NULL && feed->polled_at != 0) {
            any = true;
            store_note(feeds->store, "polled", place->id, feed->polled_at,
                       NULL);
        }
    }
    return any;
}
