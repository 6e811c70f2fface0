/*
 * Every reply that was recorded of Spacebar, and every one that Discord's
 * documentation tells of, read by the adapter: what an operation comes to that
 * gets it, all other replies being good ones.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/recordings_inner.h"
#include "tests/support/runner.h"

enum {
    TURNS = 16
};

static const struct recordings *recordings;

/* What an operation comes to; what is refused counts where it is denied or
 * full.
 */
static const struct reading {
    const char *name;
    enum op_kind kind;
    enum err err;
    enum refused refused;
} readings[] = {
    {"spacebar_application", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_archived", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_category", OP_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_forum", OP_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_hidden", OP_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_channel_limited", OP_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_channel_locked", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_out", OP_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_channel_slow", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_talk", OP_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_thread", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_unknown", OP_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_delete", OP_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_delete_forbidden", OP_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_delete_gone", OP_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_application", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_application_blind", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_application_limited", OP_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_application_shut_out", OP_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channel", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"discord_channel_forbidden", OP_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_channel_forum", OP_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"discord_channel_limited", OP_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channel_no_access", OP_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_channel_no_channel", OP_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"discord_channel_shut_out", OP_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channels", OP_UPDATES, ERR_NONE, REFUSED_RIGHT},
    {"discord_channels_limited", OP_UPDATES, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channels_shut_out", OP_UPDATES, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_delete", OP_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"discord_delete_archived", OP_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"discord_delete_forbidden", OP_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_limited", OP_DELETE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_delete_locked", OP_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_no_access", OP_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_no_channel", OP_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_delete_no_message", OP_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_delete_shut_out", OP_DELETE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_edit_archived", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_edit_forbidden", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_limited", OP_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit_locked", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_many", OP_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit_no_access", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_no_channel", OP_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_edit_no_message", OP_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_edit_shut_out", OP_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_gateway", OP_BELL, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_gateway", OP_BELL, ERR_NONE, REFUSED_RIGHT},
    {"discord_guild", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"discord_guild_limited", OP_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_guild_shut_out", OP_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_me_limited", OP_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me_shut_out", OP_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me_unauthorized", OP_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_member", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"discord_member_added", OP_INVITE, ERR_NONE, REFUSED_RIGHT},
    {"discord_member_added_archived", OP_INVITE, ERR_NONE, REFUSED_RIGHT},
    {"discord_member_added_forbidden", OP_INVITE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_member_added_limited", OP_INVITE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_member_added_no_access", OP_INVITE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_member_added_no_channel", OP_INVITE, ERR_NONE, REFUSED_RIGHT},
    {"discord_member_added_shut_out", OP_INVITE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_member_limited", OP_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_member_shut_out", OP_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_messages", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"discord_messages_forbidden", OP_READ, ERR_DENIED, REFUSED_RIGHT},
    {"discord_messages_limited", OP_READ, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_messages_no_access", OP_READ, ERR_DENIED, REFUSED_RIGHT},
    {"discord_messages_no_channel", OP_READ, ERR_GONE, REFUSED_RIGHT},
    {"discord_messages_shut_out", OP_READ, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_opened_forbidden", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_opened_limited", OP_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_opened_no_access", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_opened_no_channel", OP_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_opened_shut_out", OP_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_pin", OP_PIN, ERR_NONE, REFUSED_RIGHT},
    {"discord_pin_forbidden", OP_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_pin_limited", OP_PIN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_pin_no_access", OP_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_pin_no_channel", OP_PIN, ERR_GONE, REFUSED_RIGHT},
    {"discord_pin_no_message", OP_PIN, ERR_GONE, REFUSED_RIGHT},
    {"discord_pin_shut_out", OP_PIN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_react", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_archived", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_emoji", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_forbidden", OP_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_limited", OP_REACT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_react_locked", OP_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_no_access", OP_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_no_channel", OP_REACT, ERR_GONE, REFUSED_RIGHT},
    {"discord_react_no_message", OP_REACT, ERR_GONE, REFUSED_RIGHT},
    {"discord_react_shut_out", OP_REACT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"discord_sent_automod", OP_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_bad_token", OP_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_sent_closed", OP_SEND, ERR_DENIED, REFUSED_PERSON},
    {"discord_sent_empty", OP_SEND, ERR_GARBLED, REFUSED_RIGHT},
    {"discord_sent_forbidden", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_form", OP_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_forum", OP_SEND, ERR_CONFIG, REFUSED_RIGHT},
    {"discord_sent_limited", OP_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent_links", OP_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_locked", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_no_access", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_no_channel", OP_SEND, ERR_GONE, REFUSED_RIGHT},
    {"discord_sent_no_mutual", OP_SEND, ERR_DENIED, REFUSED_PERSON},
    {"discord_sent_no_token", OP_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_sent_shut_out", OP_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent_too_large", OP_SEND, ERR_FULL, REFUSED_WORDS},
    {"discord_talk", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"discord_talk_fast", OP_DM, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_talk_limited", OP_DM, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_talk_shut_out", OP_DM, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread", OP_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_again", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_beside", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_beside_channel", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_forbidden", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_limited", OP_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_beside_no_access", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_no_channel", OP_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_beside_shut_out", OP_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_channel", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_forbidden", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_limited", OP_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_many", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_no_access", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_no_channel", OP_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_no_message", OP_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_opened", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_shut_out", OP_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_there", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads", OP_UPDATES, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads_limited", OP_UPDATES, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_threads_none", OP_UPDATES, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads_shut_out", OP_UPDATES, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_own_guilds", OP_PLACES, ERR_NONE, REFUSED_RIGHT},
    {"discord_members_found", OP_USER, ERR_NONE, REFUSED_RIGHT},
    {"discord_user_unknown", OP_USER, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_edit", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_edit_anothers", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_edit_forbidden", OP_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_edit_too_long", OP_EDIT, ERR_DENIED, REFUSED_WORDS},
    {"spacebar_edit_unknown", OP_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_guild", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_channels", OP_UPDATES, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_out", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_roles", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_unknown", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me_person", OP_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me_token_none", OP_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_me_token_wrong", OP_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_member", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_elsewhere", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_out", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_self", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_unknown", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_after", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_before", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_future", OP_READ, ERR_GARBLED, REFUSED_RIGHT},
    {"spacebar_messages_hidden", OP_READ, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_messages_none", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_unknown", OP_READ, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_messages_unread", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin", OP_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_forbidden", OP_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_full", OP_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_pin_old", OP_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_unknown", OP_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pins", OP_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react_again", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react_forbidden", OP_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_react_unknown", OP_REACT, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_react_unread", OP_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_again", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_again_edited", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_described", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_empty", OP_SEND, ERR_GARBLED, REFUSED_RIGHT},
    {"spacebar_sent_first", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_flood", OP_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_sent_forbidden", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent_form", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_forum", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_hidden", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent_page", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_picture", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_ringing", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_slow", OP_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_sent_token", OP_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_sent_too_large", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_too_long", OP_SEND, ERR_DENIED, REFUSED_WORDS},
    {"spacebar_sent_unknown", OP_SEND, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_talk", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_again", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_closed", OP_SEND, ERR_DENIED, REFUSED_PERSON},
    {"spacebar_talk_closed_open", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_form", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_listed", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_messages", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_sent", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_unknown", OP_DM, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_again", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_edit_archived", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_forbidden", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_forum", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_in_thread", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_messages", OP_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_on_post", OP_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_opened", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_opened_locked", OP_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_react_archived", OP_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_sent", OP_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_sent_forbidden", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_sent_locked", OP_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_unknown", OP_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_threads_active", OP_UPDATES, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_user", OP_USER, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_user_unknown", OP_USER, ERR_GONE, REFUSED_RIGHT},
};

/* A good reply of each route; the second is discord.com's. */
static const struct {
    const char *route, *name, *home;
} goods[] = {
    {"GET /api/v10/users/@me", "spacebar_me", "discord_me"},
    {"POST /api/v10/users/@me/channels", "spacebar_talk", "discord_talk"},
    {"GET /api/v10/users/:user", "spacebar_user", "spacebar_user"},
    {"GET /api/v10/applications/@me", "spacebar_application",
     "discord_application"},
    {"GET /api/v10/guilds/:guild/roles", "spacebar_guild_roles",
     "spacebar_guild_roles"},
    {"GET /api/v10/guilds/:guild/channels", "spacebar_guild_channels",
     "discord_channels"},
    {"GET /api/v10/guilds/:guild/threads/active", "spacebar_threads_active",
     "discord_threads"},
    {"GET /api/v10/guilds/:guild/members/:user", "spacebar_member_self",
     "discord_member"},
    {"GET /api/v10/guilds/:guild", "spacebar_guild", "discord_guild"},
    {"GET /api/v10/channels/:channel/messages/pins", "spacebar_pins",
     "spacebar_pins"},
    {"PUT /api/v10/channels/:channel/messages/pins/:message", "spacebar_pin",
     "discord_pin"},
    {"GET /api/v10/channels/:channel/messages", "spacebar_messages_none",
     "spacebar_messages_none"},
    {"POST /api/v10/channels/:channel/messages", "spacebar_sent",
     "discord_sent"},
    {"POST /api/v10/channels/:channel/messages/:message/threads",
     "spacebar_thread_on_post", "discord_thread_opened"},
    {"PUT /api/v10/channels/:channel/messages/:message/reactions/:emoji/@me",
     "spacebar_react", "discord_react"},
    {"PATCH /api/v10/channels/:channel/messages/:message", "spacebar_edit",
     "discord_edit"},
    {"DELETE /api/v10/channels/:channel/messages/:message", "spacebar_delete",
     "discord_delete"},
    {"POST /api/v10/channels/:channel/threads", "spacebar_thread",
     "discord_thread_beside"},
    {"PUT /api/v10/channels/:channel/thread-members/:user",
     "discord_member_added", "discord_member_added"},
    {"PUT /api/v10/channels/:channel/pins/:message", "spacebar_pin_old",
     "spacebar_pin_old"},
    {"GET /api/v10/channels/:channel", "spacebar_channel", "discord_channel"},
    {"GET /api/v10/gateway/bot", "spacebar_gateway", "discord_gateway"},
    {"PATCH /api/v10/channels/:channel", "spacebar_thread_opened",
     "discord_thread_again"},
};

static bool
is_home(const struct recording *recording)
{
    return strncmp(recording->name, "discord_", 8) == 0;
}

static const struct recording *
good_reply(const char *route, bool home)
{
    for (size_t i = 0; i < sizeof(goods) / sizeof(goods[0]); i++) {
        if (strcmp(goods[i].route, route) == 0) {
            return recordings_named(recordings,
                                    home ? goods[i].home : goods[i].name);
        }
    }
    ck_abort_msg("%s: no good reply of that route", route);
    return NULL;
}

/* What is asked for by a route that another refusal leads to. */
static const char *
before(const char *route)
{
    return strstr(route, "/pins/:message") != NULL &&
                   strstr(route, "/messages/pins") == NULL
               ? "spacebar_threads_active"
           : strncmp(route, "PATCH /api/v10/channels/:channel", 32) == 0 &&
                   route[32] == '\0'
               ? "discord_edit_archived"
               : NULL;
}

static void
hear(struct script *script, const struct recording *recording)
{
    struct reply reply = recording_reply(recording);

    request_clear(&script->out.request);
    script->advance = script->service->adapter->advance(
        script->service, &script->op, &script->scratch, &reply, &script->out,
        &script->why);
    note_request(script);
}

/* The id in a path behind a word, "/channels/"; "": there is none. */
static void
id_behind(const struct recording *recording, const char *word, char id[32])
{
    const char *at = strstr(buf_text(&recording->path), word);

    id[0] = '\0';
    if (at != NULL) {
        at += strlen(word);
        (void)snprintf(id, 32, "%.*s", (int)strspn(at, "0123456789"), at);
    }
}

/* Run an operation that gets a reply, and good ones besides. */
static void
run(const struct reading *reading, const struct recording *recording,
    struct script *script)
{
    static const unsigned char png[] = "\x89PNG";
    struct service service =
        is_home(recording) ? script_service : other_service;
    struct op op = script_op(reading->kind);
    bool met = false;
    bool first = true;
    char channel[32];

    id_behind(recording, "/channels/", channel);
    if (reading->kind == OP_PLACE && channel[0] != '\0') {
        op.text = channel;
    } else if (reading->kind == OP_USER) {
        bool named = strstr(recording->route, "search") != NULL;

        op.text = named ? "mo" : "300000000000000099";
    }
    if (strstr(recording->route, "/channels/:channel/threads") != NULL) {
        op.post = "";
    }
    if (strstr(buf_text(&recording->request), "payload_json") != NULL) {
        op.picture = (struct picture){.bytes = png, .len = 4, .caption = ""};
    }
    script_begin(script, &service, &op);
    for (int i = 0; i < TURNS && script->advance == ADVANCE_REQUEST; i++) {
        const char *url = buf_text(&script->out.request.url);
        const char *route = recordings_route(
            recordings, script->out.request.method, url + strlen(service.base));
        bool now = !met && strcmp(route, recording->route) == 0;

        ck_assert_msg(route != NULL, "%s: no route is as %s", recording->name,
                      url);
        hear(script,
             now ? recording
             : first && before(recording->route) != NULL
                 ? recordings_named(recordings, before(recording->route))
                 : good_reply(route, is_home(recording)));
        met = met || now;
        first = false;
    }
    ck_assert_msg(met, "%s: it is never asked for: %s", recording->name,
                  buf_text(&script->asked));
    page_finish(&script->out.page);
    script->service = NULL;
}

START_TEST(a_reply_is_read_for_what_it_is)
{
    const struct reading *reading = &readings[_i];
    struct script script;

    run(reading, recordings_named(recordings, reading->name), &script);
    ck_assert_msg(script.out.err == reading->err, "%s: %d %s", reading->name,
                  (int)script.out.err, buf_text(&script.why));
    ck_assert_msg(script.out.refused == reading->refused, "%s: %d",
                  reading->name, (int)script.out.refused);
    ck_assert((script.advance == ADVANCE_DONE) == (reading->err == ERR_NONE));
    ck_assert_ptr_null(strstr(buf_text(&script.why), "SECRET"));
    script_release(&script);
}
END_TEST

START_TEST(no_recording_is_left_out)
{
    for (size_t i = 0; i < recordings_count(recordings); i++) {
        const struct recording *recording = recordings_at(recordings, i);
        bool found = false;

        for (size_t n = 0; n < sizeof(readings) / sizeof(readings[0]); n++) {
            found = found || strcmp(readings[n].name, recording->name) == 0;
        }
        ck_assert_msg(found, "%s", recording->name);
    }
}
END_TEST

static void
set_up(void)
{
    recordings = recordings_of("discord");
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_recorded");
    TCase *tcase = tcase_create("recorded");

    tcase_add_unchecked_fixture(tcase, set_up, NULL);
    tcase_add_loop_test(tcase, a_reply_is_read_for_what_it_is, 0,
                        sizeof(readings) / sizeof(readings[0]));
    tcase_add_test(tcase, no_recording_is_left_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
