/* The tables: which feeds are read for them. */
#include "bot/tables/tables_feeds.h"

#include "bot/tables/hosted.h"

void
tables_feeds_add_thread(struct tables *tables,
                        const struct hosted_table *hosted, const char *cursor)
{
    places_set_id(&tables->places, hosted->place, PLACE_LAST_THREAD,
                  hosted->table.thread);
    feeds_read_thread(&tables->feeds, hosted->service, hosted->table.thread,
                      cursor);
}

/* Is it a place's thread, or is a game running there, or was the last one of a
 * place there? */
static bool
reads_thread(const struct tables *tables, const struct feed *feed)
{
    size_t at = 0;
    return places_at(&tables->places, feed->service, PLACE_THREAD,
                     feed->thread) != NULL ||
           hosted_of_thread(tables, feed->service, feed->thread) != NULL ||
           places_next_at(&tables->places, feed->service, PLACE_LAST_THREAD,
                          feed->thread, &at) != NULL;
}

bool
tables_feeds_read(const struct tables *tables, const struct feed *feed)
{
    size_t at = 0;
    if (feed->thread[0] != '\0') {
        return reads_thread(tables, feed);
    }
    return feed->user[0] == '\0' ||
           hosted_next_known(tables, feed->service, feed->user, &at) != NULL;
}

void
tables_feeds_found(struct tables *tables, struct hosted_place *place,
                   const char *thread)
{
    places_found(&tables->places, place, thread);
    hosted_note_place(tables, place);
    feeds_read(&tables->feeds, place->service, thread, "");
    struct feed *feed = feeds_of_place(&tables->feeds, place);
    if (feed != NULL) {
        feed_set_thread(feed, ""); /* other things come in it, too */
        feeds_read_anew(&tables->feeds, place);
    }
}

bool
tables_feeds_game(const struct tables *tables, const struct feed *feed,
                  bool *asked)
{
    const struct hosted_table *hosted = NULL;
    bool game = false;
    size_t at = 0;
    *asked = false;
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        game = true;
        *asked = *asked || table_private_seats(&hosted->table) == 0;
    }
    unsigned signups = 0;
    if (hosted_taking(tables, feed->service, feed->name, true, &signups) !=
            NULL ||
        hosted_taking(tables, feed->service, feed->name, false, &signups) !=
            NULL) {
        game = *asked = true;
    }
    return game;
}

bool
tables_feeds_is_gone(const struct tables *tables,
                     const struct hosted_table *hosted)
{
    const struct feed *thread =
        feeds_find(&tables->feeds, hosted->service, hosted->feed);
    return thread != NULL && thread->state == FEED_MISSING;
}
