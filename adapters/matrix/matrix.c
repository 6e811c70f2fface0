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

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = matrix_who},
    [OP_PLACE] = {.take = matrix_place},
    [OP_READ] = {.take = matrix_read},
    [OP_SEND] = {.take = matrix_send},
    [OP_EDIT] = {.take = matrix_edit},
    [OP_DM] = {.take = matrix_dm},
    [OP_REACT] = {.take = matrix_react},
    [OP_DELETE] = {.take = matrix_delete},
    [OP_PIN] = {.take = matrix_pin},
    [OP_PROBE] = {.take = matrix_probe},
    [OP_FIND] = {.take = matrix_find},
    [OP_USER] = {.take = matrix_user},
    [OP_PLACES] = {.take = matrix_places},
    [OP_SITE] = {.take = matrix_site},
    [OP_MAKE] = {.take = matrix_dm},
    [OP_APPOINT] = {.take = matrix_appoint},
    [OP_GRANT] = {.take = matrix_grant},
    [OP_INVITE] = {.take = matrix_dm},
};

static enum advance
take_step(struct exchange *exchange)
{
    return exchange_take(exchange, ops);
}

static enum advance
matrix_advance(const struct service *service, const struct op *op,
               struct buf *scratch, const struct reply *reply,
               struct outcome *out, struct buf *why)
{
    return exchange_advance(take_step, NULL, service, op, scratch, reply, out,
                            why);
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
            .galleries = true,
            .makes = true,
            .edits_follow = true,
            .red = false, /* no app has a button for it: bold will do, or a
                             bold mention */
            .finds = true,
            .pings_all = true, /* if its power level allows "room" */
            .moves = true,
            .leaves = true,
        },
    .token_header = "Authorization: Bearer %s",
    .advance = matrix_advance,
    .feed = matrix_feed,
    .link = matrix_link,
};
