/*
 * The adapter of Discord: its table of errands.  Each stands in the
 * file that its kind is of: discord_account.c (who, place), discord_probe.c
 * (what the bot may), discord_room.c (private talks, threads), discord_send.c
 * (whatever is written), discord_read.c (reading, news), discord_refusal.c
 * (what to do where it says no).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/version.h"

/* ---- the adapter ----------------------------------------------------------
 */

static enum turn
take_turn(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return discord_who(trip);
    case ERRAND_PLACE:
        return discord_place(trip);
    case ERRAND_READ:
        return discord_read(trip);
    case ERRAND_SEND:
        return discord_send(trip);
    case ERRAND_EDIT:
        return discord_edit(trip);
    case ERRAND_FIND:
        return discord_find(trip);
    case ERRAND_TALK:
        return discord_talk(trip);
    case ERRAND_OPEN:
        return discord_open(trip);
    case ERRAND_REACT:
        return discord_react(trip);
    case ERRAND_DELETE:
        return discord_delete(trip);
    case ERRAND_PIN:
        return discord_pin(trip);
    case ERRAND_PROBE:
        return discord_probe(trip);
    case ERRAND_NEWS:
        return discord_news(trip);
    case ERRAND_LOCK:
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: no message can be locked",
                            trip->service->name);
    case ERRAND_USER:
        return discord_user(trip);
    }
    return TURN_FAILED;
}

static enum turn
discord_turn(const struct service *service, const struct errand *errand,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
}

static void
discord_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    buf_add_text(feed, place);
}

/* A guild says of all its channels at once where news is; private talks have to
 * be asked one by one.  Another server need not keep that, nor list its threads
 * at all (Spacebar does not), and nobody could tell that from silence: there
 * all are read. */
static void
discord_digest(const struct service *service, const char *feed,
               struct buf *digest)
{
    struct spot spot;

    if (discord_is_home(service) && spot_read(feed, &spot) && spot.guild != 0) {
        buf_addf(digest, "%" PRIu64, spot.guild);
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
    struct spot spot;

    if (!spot_read(place, &spot)) {
        return;
    }
    buf_add(link, base, len);
    buf_add_text(link, "/channels/");
    buf_add_text(link, spot.guild == 0 ? "@me/" : "");
    buf_add_text(link, place);
    if (*post != '\0') {
        buf_addf(link, "/%s", post);
    }
}

const struct adapter adapter_discord = {
    .name = "discord",
    .dialect = &dialect_discord,
    .traits =
        {
            .longest = 2000,      /* D "Create Message" */
            .unit = LENGTH_UTF16, /* or code points: never more then */
            .shortest = 0,
            /* D "Create Message", enforce_nonce: "the past few minutes". */
            .dedupe = 2 * MINUTE_MS,
            .margin = DISCORD_MARGIN_MS,
            .pause = 10 * SECOND_MS,
            /* 40 of the 50 a second that a bot has (D "Global Rate Limit") */
            .rate = 40 * 60,
            .reactions = true,
            .edits = true,
            .deletes = true,
            .pins = true,
            .uploads = true,
            .pages = true,
            .threads = true,
            .shows_edits = true,
            .edits_follow = false, /* only the latest version is shown */
            .rereads = true,
            .tells_talks = true,
            .disorder = true,
            .red = false,
            .red_required = false,
            .finds = true,
        },
    .token_header = "Authorization: Bot %s",
    .base = "https://discord.com",
    .turn = discord_turn,
    .feed = discord_feed,
    .digest = discord_digest,
    .link = discord_link,
};
