/*
 * The adapter of Matrix: its table of operations.  Each stands in the
 * file that its kind is of: matrix_account.c (who, place, probe), matrix_dm.c
 * (DMs), matrix_send.c (whatever is written) and matrix_sync.c
 * (reading).
 */
#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- the adapter --------------------------------------------------------- */

static enum advance
take_step(struct exchange *exchange)
{
    switch (exchange->op->kind) {
    case OP_WHO:
        return matrix_who(exchange);
    case OP_PLACE:
        return matrix_place(exchange);
    case OP_READ:
        return matrix_read(exchange);
    case OP_SEND:
        return matrix_send(exchange);
    case OP_EDIT:
        return matrix_edit(exchange);
    case OP_DM:
        return matrix_dm(exchange);
    case OP_REACT:
        return matrix_react(exchange);
    case OP_DELETE:
        return matrix_delete(exchange);
    case OP_PIN:
        return matrix_pin(exchange);
    case OP_PROBE:
        return matrix_probe(exchange);
    case OP_FIND:
        return matrix_find(exchange);
    case OP_OPEN:
        return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                            "%s: a game has its room, and opens none",
                            exchange->service->name);
    case OP_UPDATES:
        return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                            "%s: one sync has all news",
                            exchange->service->name);
    case OP_LOCK:
        return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                            "%s: no message can be locked",
                            exchange->service->name);
    case OP_USER:
        return matrix_user(exchange);
    }
    return ADVANCE_FAILED;
}

static enum advance
matrix_advance(const struct service *service, const struct op *op,
               struct buf *scratch, const struct reply *reply,
               struct outcome *out, struct buf *why)
{
    return exchange_advance(take_step, service, op, scratch, reply, out, why);
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
    .capabilities =
        {
            /* An event has 65,536 bytes at most (C-S, "Size limits") and holds
             * the text twice, with and without its marks; an edit once more
             * without. */
            .longest = 15000,
            .unit = LENGTH_BYTES,
            .shortest = 0,
            .dedupe = DAY_MS, /* Synapse's, for a device, over restarts */
            .margin = MARGIN_MS,
            .pause = 0, /* a read itself waits for something new */
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
            .tells_dms = false,
            /* No app has a button for it: a bold name will do, or a bold
             * mention. */
            .red = false,
            .red_required = false,
            .finds = true,
            .moves = true,
        },
    .token_header = "Authorization: Bearer %s",
    .advance = matrix_advance,
    .feed = matrix_feed,
    .link = matrix_link,
};
