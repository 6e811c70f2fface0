#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/fake_discord.h"
#include "tests/support/fake_service.h"

static const char *const votes[] = {
    "**{word}**",
    "***{word}***",
    "__**{word}**__",
    "Well, then.\n**{word}**",
    ("<@" GUILD_BOT "> **{word}**"),
    "_**{word}**_ I say",
    "> so **Nein!**?\n**{word}**",
    NULL,
};
static const char *const idle[] = {
    "> **Nein!**", "~~**Nein!**~~", "`**Nein!**`", "\\*\\*Nein!\\*\\*", NULL,
};
/* A bold mention, or the bold name alone on its line. */
static const char *const names[] = {
    "I choose **<@{id}>**",
    "Well:\n**{name}**",
    NULL,
};

static void *
open_guild(void)
{
    struct guild *guild = guild_new();

    guild_habits(guild)->limits = true;
    return guild;
}

static void *
open_alike(void)
{
    struct guild *guild = guild_new();

    *guild_habits(guild) =
        (struct guild_habits){.ascending = true,
                              .spacebar = true,
                              .nulls = true,

                              .no_lists = true,
                              .no_described = true,
                              .may = guild_habits(guild)->may};
    return guild;
}

/* Threads there are not of the posts that they hang on, and have other titles.
 */
static void *
open_other(void)
{
    struct guild *guild = guild_new();

    *guild_habits(guild) =
        (struct guild_habits){.newest_after = true,
                              .named = true,
                              .many_threads = true,
                              .plain_titles = true,
                              .no_nonce = true,
                              .may = guild_habits(guild)->may};
    return guild;
}

/* Neither threads nor pins nor much else. */
static void *
open_bare(void)
{
    struct guild *guild = guild_new();

    *guild_habits(guild) =
        (struct guild_habits){.newest_after = true,
                              .strict = true,
                              .bare = true,
                              .named = true,
                              .no_files = true,
                              .no_roles = true,
                              .timeless = true,
                              .counted = true,
                              .may = guild_habits(guild)->may};
    return guild;
}

static void
close_guild(void *house)
{
    guild_free(house);
}

static void
serve(void *house, int64_t now, const struct request *request, struct buf *body,
      struct reply *reply)
{
    guild_serve(house, now, request, body, reply);
}

static void
add_user(void *house, const char *name, struct buf *id)
{
    buf_add_text(id, guild_user(house, name));
}

static uint64_t
post(void *house, const char *user, uint64_t topic, const char *text,
     int64_t now)
{
    return guild_post(house, user, topic, text, now)->id;
}

static void
change(void *house, uint64_t id, const char *text, bool marked, int64_t now)
{
    (void)marked; /* each edit is, there */
    guild_edit(house, id, text, now);
}

static struct guild_message *
find(void *house, uint64_t id)
{
    for (size_t i = guild_count(house); i > 0; i--) {
        if (guild_at(house, i - 1)->id == id) {
            return guild_at(house, i - 1);
        }
    }
    ck_abort_msg("there is no message %" PRIu64, id);
    return NULL;
}

static void
remove_message(void *house, uint64_t id)
{
    find(house, id)->deleted = true;
}

/* A stranger, a bot, a webhook under a player's name; what is handed on. */
static void
intrude(void *house, uint64_t topic, int64_t now)
{
    static const char text[] = "**Nein!**";

    (void)guild_post(house, "Zoe", topic, text, now);
    guild_post(house, "Anna", topic, text, now)->webhook = true;
    guild_post(house, "robot", topic, text, now)->bot = true;
    guild_post(house, "Bob", topic, text, now)->forward = true;
}

static bool
look(void *house, size_t at, struct sight *sight)
{
    if (at >= guild_count(house)) {
        return false;
    }
    const struct guild_message *message = guild_at(house, at);

    *sight = (struct sight){.id = message->id,
                            .topic = message->channel,
                            .author = message->author,
                            .talk = guild_talk(house, message->channel),
                            .text = message->content};
    snprintf(sight->key, sizeof(sight->key), "%s", message->nonce);
    return true;
}

static bool
is_counted(void *house, uint64_t id)
{
    return find(house, id)->reactions[0] != '\0';
}

static void
storm(void *house, unsigned requests)
{
    guild_storm(house, requests);
}

static bool
is_private(void *house, const char *target, const char *body)
{
    const char *id = strstr(target, "/channels/");

    (void)body;
    return id != NULL && *guild_talk(house, strtoull(id + strlen("/channels/"),
                                                     NULL, 10)) != '\0';
}

/* A host that starts knows of no limit yet. */
static void
end(void *house, bool killed)
{
    ck_assert(killed || guild_beyond(house) == 0);
}

static void
end_with_one_thread(void *house, bool killed)
{
    (void)killed;
    ck_assert_uint_eq(guild_channels(house, 11), 1);
}

static void
end_without_threads(void *house, bool killed)
{
    (void)killed;
    ck_assert_uint_eq(guild_channels(house, 11), 0);
}

#define DISCORD                                                                \
    .adapter = "discord", .base = GUILD_BASE, .account = "",                   \
    .secret = GUILD_TOKEN, .address = GUILD_CHANNEL,                           \
    .topic = UINT64_C(500000000000000002), .close = close_guild,               \
    .serve = serve, .user = add_user, .post = post, .change = change,          \
    .remove = remove_message, .intrude = intrude, .look = look,                \
    .counted = is_counted, .storm = storm, .votes = votes, .idle = idle,       \
    .names = names, .is_private = is_private, .word = "**{word}**",            \
    .command = "{word}", .answer = "{word}"

const struct venue venue_discord = {DISCORD, .open = open_guild, .end = end,
                                    .losses = LOSS_WHOLE};
const struct venue venue_discord_alike = {DISCORD, .open = open_alike,
                                          .losses = LOSS_BEGUN};
const struct venue venue_discord_other = {DISCORD, .open = open_other,
                                          .end = end_with_one_thread,
                                          .losses = LOSS_BEGUN};
const struct venue venue_discord_bare = {DISCORD, .open = open_bare,
                                         .end = end_without_threads,
                                         .losses = LOSS_BEGUN};
