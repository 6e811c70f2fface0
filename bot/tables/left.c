/*
 * The desk: people who have declined the invitation to their private talk, or
 * have left it.
 *
 * Where a private talk is a room, somebody may not be in it.  Their table is
 * told once, and they are asked in again when they next post in public: a
 * message to them does that (ERRAND_SEND).  That it is still to be done stands
 * in the store as a talk of nobody's, "left" and the person's id.
 */
#include <string.h>

#include "bot/host/judge/reachability.h"
#include "bot/tables/tables_inner.h"

/* Note that a person is not in the talk (`place`), or ("") is asked in again.
 */
static enum err
note_left(struct desk *desk, const struct service *service, const char *user,
          const char *place, struct buf *why)
{
    struct buf name = BUF_INIT;
    buf_addf(&name, "left %s", user);
    enum err err =
        store_set_talk(desk->store, service->name, buf_text(&name), place, why);
    buf_release(&name);
    return err;
}

static enum err
has_left(struct desk *desk, const struct service *service, const char *user,
         bool *left, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf place = BUF_INIT;
    buf_addf(&name, "left %s", user);
    enum err err =
        store_talk(desk->store, service->name, buf_text(&name), &place, why);
    *left = place.len > 0;
    buf_release(&name);
    buf_release(&place);
    return err;
}

/* Is a table told that somebody has left?  Once the president has chosen,
 * nothing is said of the government: it may be the chancellor's message that
 * was declined. */
static bool
is_told(const struct table *table, const char *user)
{
    return table->state != TABLE_SIGNUP && table->state != TABLE_OVER &&
           !desk_is_hidden(table, user);
}

enum err
desk_left_talk(struct desk *desk, struct service *service,
               const struct post *post, int64_t now, struct buf *why)
{
    struct buf talk = BUF_INIT;
    struct table *table = NULL;
    size_t at = 0;
    enum err err =
        store_talk(desk->store, service->name, post->author, &talk, why);
    bool theirs = strcmp(buf_text(&talk), post->place) == 0;
    buf_release(&talk);
    if (err != ERR_NONE || !theirs) {
        return err;
    }
    err = note_left(desk, service, post->author, post->place, why);
    while (err == ERR_NONE && (table = desk_next_of_user(
                                   desk, service, post->author, &at)) != NULL) {
        struct docket docket;
        if (!is_told(table, post->author)) {
            continue;
        }
        struct house house = desk_house(desk, table, now);
        docket_init(&docket, &house, table);
        reach_left(&docket, post->author);
        err = store_save_docket(desk->store, &docket, &desk->outbox, why);
        docket_release(&docket);
    }
    return err;
}

enum err
desk_came_back(struct desk *desk, const struct service *service,
               const struct post *post, struct buf *why)
{
    bool left = false;
    enum err err = has_left(desk, service, post->author, &left, why);
    return err == ERR_NONE && left
               ? note_left(desk, service, post->author, "", why)
               : err;
}

enum err
desk_ask_back(struct desk *desk, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct docket docket;
    bool left = false;
    size_t at = 0;
    struct table *table = desk_next_of_user(desk, service, post->author, &at);
    if (table == NULL || post->talk) {
        return ERR_NONE;
    }
    enum err err = has_left(desk, service, post->author, &left, why);
    if (err != ERR_NONE || !left) {
        return err;
    }
    err = note_left(desk, service, post->author, "", why);
    if (err == ERR_NONE) {
        struct house house = desk_house(desk, table, now);
        docket_init(&docket, &house, table);
        reach_back(&docket, post->author);
        err = store_save_docket(desk->store, &docket, &desk->outbox, why);
        docket_release(&docket);
    }
    return err;
}
