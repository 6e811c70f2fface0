/*
 * The Discord adapter: its table of operations.  They are in discord_account.c
 * (who, place), discord_probe.c (what the bot may do), discord_room.c (DMs,
 * threads), discord_send.c (all writing), discord_read.c (reading, updates),
 * discord_gateway.c (the doorbell), discord_press.c (buttons) and
 * discord_refusal.c (what to do after a refusal).
 */
#include <inttypes.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- the adapter --------------------------------------------------------- */

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = discord_who},
    [OP_PLACE] = {.take = discord_place},
    [OP_READ] = {.take = discord_read, .keys = discord_read_keys},
    [OP_SEND] = {.take = discord_send},
    [OP_EDIT] = {.take = discord_edit},
    [OP_FIND] = {.take = discord_find},
    [OP_DM] = {.take = discord_dm},
    [OP_OPEN] = {.take = discord_open},
    [OP_REACT] = {.take = discord_react},
    [OP_DELETE] = {.take = discord_delete},
    [OP_PIN] = {.take = discord_pin},
    [OP_PROBE] = {.take = discord_probe},
    [OP_UPDATES] = {.take = discord_updates, .keys = discord_updates_keys},
    [OP_USER] = {.take = discord_user},
    [OP_BELL] = {.take = discord_bell},
    [OP_ACKNOWLEDGE] = {.take = discord_acknowledge},
    [OP_REPLY] = {.take = discord_reply},
    [OP_SUGGEST] = {.take = discord_suggest},
    [OP_COMMANDS] = {.take = discord_commands},
    [OP_PLACES] = {.take = discord_places},
    [OP_INVITE] = {.take = discord_open},
    [OP_ROLES] = {.take = discord_roles},
};

static enum advance
take_step(struct exchange *exchange)
{
    return exchange_take(exchange, ops);
}

static enum advance
discord_advance(const struct service *service, const struct op *op,
                struct buf *scratch, const struct reply *reply,
                struct outcome *out, struct buf *why)
{
    const char *const *keys = ops[op->kind].keys;

    keys += keys == discord_read_keys && discord_is_home(service);
    return exchange_advance(take_step, keys, service, op, scratch, reply, out,
                            why);
}

static void
discord_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    buf_add_text(feed, place);
}

/* A guild tells for all its channels at once where something is new; DMs have
 * to be asked one by one.  Another server need not do that, or may not list its
 * threads at all (Spacebar does not), and that would look like silence: there
 * every channel is read. */
static void
discord_updates_feed(const struct service *service, const char *feed,
                     struct buf *updates)
{
    struct channel_id where;

    if (discord_is_home(service) && channel_id_read(feed, &where) &&
        where.guild != 0) {
        buf_addf(updates, "%" PRIu64, where.guild);
    }
}

/* The address of its web client, which is that of its API without the path. */
static void
discord_link(const struct service *service, const char *place, const char *post,
             struct buf *link)
{
    const char *base = service->base;
    const char *host = strstr(base, "://");
    size_t len = host == NULL
                     ? strlen(base)
                     : (size_t)(host - base) + 3 + strcspn(host + 3, "/");
    struct channel_id where;

    if (!channel_id_read(place, &where)) {
        return;
    }
    buf_add(link, base, len);
    buf_add_text(link, "/channels/");
    buf_add_text(link, where.guild == 0 ? "@me/" : "");
    buf_add_text(link, place);
    if (*post != '\0') {
        buf_addf(link, "/%s", post);
    }
}

/* A user's id is a snowflake (D "Snowflakes"). */
static int64_t
discord_account_made(const char *user)
{
    uint64_t id = 0;

    return snowflake_read(user, &id) ? snowflake_time(id) : 0;
}

const struct adapter adapter_discord = {
    .name = "discord",
    .dialect = &dialect_discord,
    .capabilities =
        {
            .longest = 2000,      /* D "Create Message" */
            .unit = LENGTH_UTF16, /* or code points: never more then */
            /* D "Create Message", enforce_nonce: "the past few minutes". */
            .dedupe = 2 * MINUTE_MS,
            .margin = DISCORD_MARGIN_MS,
            .pause = 10 * SECOND_MS,
            /* 40 of the 50 a second that a bot has (D "Global Rate Limit"); a
             * few more come there within a second as one is faster under way
             * than another. */
            .rate = 40 * 60,
            .burst = 5,
            .feeds_apart = true,
            .reactions = true,
            .edits = true,
            .deletes = true,
            .pins = true,
            .uploads = true,
            .pages = true,
            .threads = true,
            .galleries = true,
            .edits_follow = false, /* only the latest version is shown */
            .rereads = true,
            .disorder = DISCORD_DISORDER_MS,
            .finds = true,
            .pings_all = true,
            .pings_roles = true,
            .roles = true,
            .buttons = true,
            .commands = true,
        },
    .token_header = "Authorization: Bot %s",
    /* Another one may be refused (D "User Agent"). */
    .user_agent = "DiscordBot",
    .advance = discord_advance,
    .feed = discord_feed,
    .updates_feed = discord_updates_feed,
    .link = discord_link,
    .account_made = discord_account_made,
    .doorbell = &discord_gateway,
};
