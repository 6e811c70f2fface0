/*
 * The adapter of Matrix: its table of errands.  Each stands in the
 * file that its kind is of: matrix_account.c (who, place, probe), matrix_talk.c
 * (private talks), matrix_send.c (whatever is written) and matrix_sync.c
 * (reading).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- the adapter --------------------------------------------------------- */

static enum turn
take_turn(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return turn_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_READ:
        return turn_read(trip);
    case ERRAND_SEND:
        return turn_send(trip);
    case ERRAND_EDIT:
        return turn_edit(trip);
    case ERRAND_TALK:
        return turn_talk(trip);
    case ERRAND_REACT:
        return turn_react(trip);
    case ERRAND_DELETE:
        return turn_delete(trip);
    case ERRAND_PIN:
        return turn_pin(trip);
    case ERRAND_PROBE:
        return turn_probe(trip);
    case ERRAND_FIND:
        return turn_find(trip);
    case ERRAND_OPEN:
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: a game has its room, and opens none",
                            trip->service->name);
    case ERRAND_NEWS:
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: one sync has all news", trip->service->name);
    case ERRAND_LOCK:
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: no message can be locked",
                            trip->service->name);
    case ERRAND_USER:
        return turn_user(trip);
    }
    return TURN_FAILED;
}

static enum turn
matrix_turn(const struct service *service, const struct errand *errand,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
}

/* One sync reads all rooms. */
static void
matrix_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "sync");
}

/* matrix.to names (C-S appendices, "matrix.to navigation"). */
static void
matrix_link(const struct service *service, const char *place, const char *post,
            struct buf *link)
{
    (void)service;
    buf_add_text(link, "https://matrix.to/#/");
    url_add_part(link, place);
    buf_add_char(link, '/');
    url_add_part(link, post);
}

const struct adapter adapter_matrix = {
    .name = "matrix",
    .dialect = &dialect_matrix,
    .traits =
        {
            /* An event has 65,536 bytes at most (C-S, "Size limits") and holds
             * the text twice, with and without its marks; an edit once more
             * without. */
            .longest = 15000,
            .unit = LENGTH_BYTES,
            .shortest = 0,
            .dedupe = DAY_MS, /* Synapse's, for a device, over restarts */
            .margin = MARGIN_MS,
            .pause = 0, /* a read waits for news by itself */
            .reactions = true,
            .edits = true,
            .deletes = true,
            .pins = true,
            .uploads = true,
            .pages = true,
            .pictures_apart = true,
            .threads = false,
            .shows_edits = true,
            .edits_follow = true,
            .tells_talks = false,
            /* No app has a button for it: a bold name will do, or a bold
             * mention. */
            .red = false,
            .red_required = false,
            .finds = true,
            .moves = true,
        },
    .token_header = "Authorization: Bearer %s",
    .turn = matrix_turn,
    .feed = matrix_feed,
    .link = matrix_link,
};
