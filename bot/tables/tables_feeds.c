#include "bot/tables/tables_feeds.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/places/places.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/tables.h"
#include "bot/tables/threads.h"

struct feed *
tables_list_feed(struct tables *tables, struct service *service,
                 const char *place, const char *user)
{
    struct feeds *feeds = &tables->feeds;
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
tables_list_thread(struct tables *tables, struct service *service,
                   const char *thread)
{
    struct feed *feed = tables_list_feed(tables, service, thread, "");
    if (feed != NULL) {
        feed_set_thread(feed, thread);
    }
    return feed;
}

/* This is known of a feed from before the start. */
static void
take_known(const struct tables *tables, struct feed *feed, const char *cursor,
           const struct feed_reading *reading)
{
    int64_t at = reading->at == 0 ? 0 : tables_steady(tables, reading->at);
    feed_set_cursor(feed, cursor);
    feed->read_at = at;
    feed->noted_at = at;
    feed->heard = reading->through;
    feed->saved = reading->at != 0 ? reading->through : 0;
    feed->shares_reading = reading->shares && feed->user[0] == '\0';
}

/* A feed was listed that brings the posts of a place (NULL: it was before); one
 * that was never read begins at the cursor ("": wherever its adapter
 * chooses). */
static enum err
begin(struct tables *tables, struct feed *feed, const char *first,
      struct buf *why)
{
    struct buf cursor = BUF_INIT;
    struct feed_reading reading;
    if (feed == NULL) {
        return ERR_NONE;
    }
    enum err err = store_feed(tables->store, feed->service->name, feed->name,
                              &cursor, &reading, why);
    take_known(tables, feed, buf_text(&cursor), &reading);
    buf_release(&cursor);
    if (err == ERR_NONE && feed->cursor[0] == '\0' && first[0] != '\0') {
        feed_set_cursor(feed, first);
        err = store_set_cursor(tables->store, feed->service->name, feed->name,
                               first, why);
    }
    return err;
}

enum err
tables_add_feed(struct tables *tables, struct service *service,
                const char *place, const char *user, struct buf *why)
{
    return begin(tables, tables_list_feed(tables, service, place, user), "",
                 why);
}

static void
take_known_of(void *context, const char *service, const char *name,
              const char *cursor, const struct feed_reading *reading)
{
    struct tables *tables = context;
    const struct service *of = services_find(&tables->services, service);
    struct feed *feed =
        of == NULL ? NULL : feeds_find(&tables->feeds, of, name);
    if (feed != NULL) {
        take_known(tables, feed, cursor, reading);
    }
    if (of != NULL && reading->shares &&
        (feed == NULL || !feed->shares_reading)) {
        buf_add(&feeds_shared_reading(&tables->feeds, of)->others, name,
                strlen(name) + 1);
    }
}

enum err
tables_know_feeds(struct tables *tables, struct buf *why)
{
    return store_feeds(tables->store, take_known_of, tables, why);
}

enum err
tables_open_dm(struct tables *tables, struct service *service, const char *user,
               const char *dm, const char *cursor, struct buf *why)
{
    enum err err = store_set_dm(tables->store, service->name, user, dm, why);
    return err == ERR_NONE
               ? begin(tables, tables_list_feed(tables, service, dm, user),
                       cursor, why)
               : err;
}

enum err
tables_dm(struct tables *tables, struct service *service, const char *user,
          struct buf *dm, struct buf *why)
{
    enum err err = store_dm(tables->store, service->name, user, dm, why);
    return err == ERR_NONE && dm->len > 0
               ? tables_add_feed(tables, service, buf_text(dm), user, why)
               : err;
}

/* Read the feed of a thread that is no configured place. */
enum err
tables_read_thread(struct tables *tables, struct service *service,
                   const char *thread, const char *cursor, struct buf *why)
{
    return begin(tables, tables_list_thread(tables, service, thread), cursor,
                 why);
}

enum err
tables_add_thread(struct tables *tables, const struct entry *entry,
                  const char *cursor, struct buf *why)
{
    places_set_id(&tables->places, entry->place, PLACE_LAST_THREAD,
                  entry->table.thread);
    return tables_read_thread(tables, entry->service, entry->table.thread,
                              cursor, why);
}

/* Is a game running in a thread of its own, or was the last one of a place
 * there? */
static bool
reads_thread(const struct tables *tables, const struct feed *feed)
{
    size_t at = 0;
    return tables_of_thread(tables, feed->service, feed->thread) != NULL ||
           places_next_at(&tables->places, feed->service, PLACE_LAST_THREAD,
                          feed->thread, &at) != NULL;
}

bool
tables_reads(const struct tables *tables, const struct feed *feed)
{
    size_t at = 0;
    if (feed->thread[0] != '\0') {
        return reads_thread(tables, feed);
    }
    return feed->user[0] == '\0' ||
           tables_next_known(tables, feed->service, feed->user, &at) != NULL;
}

void
tables_lose(struct feed *feed, const char *trouble)
{
    if (!feed_is_lost(feed) && feed->user[0] != '\0') {
        log_about(LOG_LEVEL_ERROR,
                  &(struct log_subject){.service = feed->service->name,
                                        .person = feed->user},
                  "%s: the DM with %s can't be read, so nothing waits "
                  "for it any more: %s",
                  feed->service->name, feed->user, trouble);
    }
    feed->state = feed_is_lost(feed) ? feed->state : FEED_LOST;
}

/* The feed that brings the posts of a place; NULL: it is not listed. */
static struct feed *
feed_of(const struct tables *tables, const struct hosted_place *place)
{
    const struct service *service = place->service;
    struct buf name = BUF_INIT;
    service->adapter->feed(service, place->ids[PLACE_THREAD], &name);
    struct feed *feed = feeds_find(&tables->feeds, service, buf_text(&name));
    buf_release(&name);
    return feed;
}

enum err
tables_note_polls(struct tables *tables, bool *any, struct buf *why)
{
    enum err err = ERR_NONE;
    *any = false;
    for (unsigned i = 0; err == ERR_NONE && i < tables->places.count; i++) {
        const struct hosted_place *place = tables->places.list[i];
        const struct feed *feed = feed_of(tables, place);
        if (feed != NULL && feed->polled_at != 0) {
            *any = true;
            err = store_note(tables->store, "polled",
                             tables->conf->places[i].name, feed->polled_at,
                             NULL, why);
        }
    }
    return err;
}

/* A feed has to be read to its end from now on; soon, if a game may follow its
 * place. */
static void
read_anew(struct tables *tables, const struct hosted_place *place,
          struct feed *feed)
{
    feed->unread = feed->job.busy ? 2 : 1;
    if (place->astray > 0) {
        feeds_hurry(&tables->feeds, feed, 0);
    }
}

enum err
tables_found(struct tables *tables, struct hosted_place *place,
             const char *thread, struct buf *why)
{
    struct service *service = place->service;
    places_found(&tables->places, place, thread);
    tables_note_place(tables, place);
    enum err err = tables_add_feed(tables, service, thread, "", why);
    struct feed *feed = feed_of(tables, place);
    if (feed != NULL) {
        feed_set_thread(feed, ""); /* other things come in it, too */
        read_anew(tables, place, feed);
    }
    return err == ERR_NONE && service->adapter->capabilities.moves
               ? threads_find_left(tables, place, why)
               : err;
}

bool
tables_is_unread(const struct tables *tables, const struct hosted_place *place)
{
    if (!place->service->adapter->capabilities.moves) {
        return false;
    }
    const struct feed *feed = feed_of(tables, place);
    return place->ids[PLACE_THREAD][0] == '\0' || feed == NULL ||
           feed->unread > 0;
}

void
tables_entered(struct tables *tables, struct hosted_place *place,
               const char *thread)
{
    struct feed *feed = feed_of(tables, place);
    places_set_id(&tables->places, place, PLACE_ENTERED, thread);
    if (feed != NULL) {
        read_anew(tables, place, feed);
    }
}

enum err
tables_found_moderators(struct tables *tables, struct hosted_place *place,
                        const char *dm, struct buf *why)
{
    places_set_id(&tables->places, place, PLACE_MODERATORS, dm);
    return tables_add_feed(tables, place->service, dm, "", why);
}
