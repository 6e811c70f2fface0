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
    struct fake_discord *fake_discord = fake_discord_new();

    fake_discord_habits(fake_discord)->limits = true;
    return fake_discord;
}

static void *
open_alike(void)
{
    struct fake_discord *fake_discord = fake_discord_new();

    *fake_discord_habits(fake_discord) = (struct fake_discord_habits){
        .ascending = true,
        .spacebar = true,
        .nulls = true,

        .no_lists = true,
        .no_described = true,
        .may = fake_discord_habits(fake_discord)->may};
    return fake_discord;
}

/* Threads there have ids of their own. */
static void *
open_other(void)
{
    struct fake_discord *fake_discord = fake_discord_new();

    *fake_discord_habits(fake_discord) = (struct fake_discord_habits){
        .newest_after = true,
        .many_threads = true,
        .no_nonce = true,
        .may = fake_discord_habits(fake_discord)->may};
    return fake_discord;
}

/* Neither threads nor pins nor much else. */
static void *
open_bare(void)
{
    struct fake_discord *fake_discord = fake_discord_new();

    *fake_discord_habits(fake_discord) = (struct fake_discord_habits){
        .newest_after = true,
        .strict = true,
        .bare = true,
        .no_files = true,
        .no_roles = true,
        .timeless = true,
        .counted = true,
        .may = fake_discord_habits(fake_discord)->may};
    return fake_discord;
}

static void
close_guild(void *server)
{
    fake_discord_free(server);
}

static void
serve(void *server, int64_t now, const struct request *request,
      struct buf *body, struct reply *reply)
{
    fake_discord_serve(server, now, request, body, reply);
}

static void
add_user(void *server, const char *name, struct buf *id)
{
    buf_add_text(id, fake_discord_user(server, name));
}

static uint64_t
post(void *server, const char *user, uint64_t topic, const char *text,
     int64_t now)
{
    return fake_discord_post(server, user, topic, text, now)->id;
}

static void
change(void *server, uint64_t id, const char *text, bool marked, int64_t now)
{
    (void)marked; /* each edit is, there */
    fake_discord_edit(server, id, text, now);
}

static struct fake_discord_message *
find(void *server, uint64_t id)
{
    struct fake_discord_message *message = fake_discord_find(server, id);

    ck_assert_msg(message != NULL, "there is no message %" PRIu64, id);
    return message;
}

static void
add_link(void *server, uint64_t id, struct buf *link)
{
    buf_addf(link, "%s/channels/%s/%" PRIu64 "/%" PRIu64, GUILD_BASE, GUILD_ID,
             find(server, id)->channel, id);
}

static void
remove_message(void *server, uint64_t id)
{
    find(server, id)->deleted = true;
}

/* A stranger, a bot, a webhook under a player's name; what is handed on. */
static void
intrude(void *server, uint64_t topic, int64_t now)
{
    static const char text[] = "**Nein!**";

    (void)fake_discord_post(server, "Zoe", topic, text, now);
    fake_discord_post(server, "Anna", topic, text, now)->webhook = true;
    fake_discord_post(server, "robot", topic, text, now)->bot = true;
    fake_discord_post(server, "Bob", topic, text, now)->forward = true;
}

static bool
look(void *server, size_t at, struct shown_post *shown)
{
    if (at >= fake_discord_count(server)) {
        return false;
    }
    const struct fake_discord_message *message = fake_discord_at(server, at);

    *shown =
        (struct shown_post){.id = message->id,
                            .topic = message->channel,
                            .author = message->author,
                            .dm = fake_discord_dm(server, message->channel),
                            .text = message->content};
    snprintf(shown->key, sizeof(shown->key), "%s", message->nonce);
    return true;
}

static bool
is_counted(void *server, uint64_t id)
{
    return find(server, id)->reactions[0] != '\0';
}

static void
storm(void *server, unsigned requests)
{
    fake_discord_storm(server, requests);
}

static bool
is_private(void *server, const char *target, const char *body)
{
    const char *id = strstr(target, "/channels/");

    (void)body;
    return id != NULL &&
           *fake_discord_dm(
               server, strtoull(id + strlen("/channels/"), NULL, 10)) != '\0';
}

/* A host that starts knows of no limit yet. */
static void
end(void *server, bool killed)
{
    ck_assert(killed || fake_discord_beyond(server) == 0);
}

static void
end_with_one_thread(void *server, bool killed)
{
    (void)killed;
    ck_assert_uint_eq(fake_discord_channels(server, 11), 1);
}

static void
end_without_threads(void *server, bool killed)
{
    (void)killed;
    ck_assert_uint_eq(fake_discord_channels(server, 11), 0);
}

#define DISCORD                                                                \
    .adapter = "discord", .base = GUILD_BASE, .account = "",                   \
    .secret = GUILD_TOKEN, .address = GUILD_CHANNEL,                           \
    .topic = UINT64_C(500000000000000002), .close = close_guild,               \
    .serve = serve, .user = add_user, .post = post, .change = change,          \
    .remove = remove_message, .intrude = intrude, .look = look,                \
    .counted = is_counted, .storm = storm, .votes = votes, .idle = idle,       \
    .link = add_link, .names = names, .is_private = is_private,                \
    .word = "**{word}**", .command = "{word}", .answer = "{word}"

const struct fake_service fake_service_discord = {
    DISCORD, .open = open_guild, .end = end, .losses = LOSS_WHOLE};
const struct fake_service fake_service_discord_alike = {
    DISCORD, .open = open_alike, .losses = LOSS_BEGUN};
const struct fake_service fake_service_discord_other = {
    DISCORD, .open = open_other, .end = end_with_one_thread,
    .losses = LOSS_BEGUN};
const struct fake_service fake_service_discord_bare = {
    DISCORD, .open = open_bare, .end = end_without_threads,
    .losses = LOSS_BEGUN};
