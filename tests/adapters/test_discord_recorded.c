/*
 * Every reply that was recorded of Spacebar, and every one that Discord's
 * documentation tells of, read by the adapter: what an errand comes to that
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

/* What an errand comes to; what is refused counts where it is denied or full.
 */
static const struct reading {
    const char *name;
    enum errand_kind kind;
    enum err err;
    enum refused refused;
} readings[] = {
    {"spacebar_application", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_archived", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_category", ERRAND_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_forum", ERRAND_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_hidden", ERRAND_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_channel_limited", ERRAND_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_channel_locked", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_out", ERRAND_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_channel_slow", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_talk", ERRAND_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"spacebar_channel_thread", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_channel_unknown", ERRAND_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_delete", ERRAND_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_delete_forbidden", ERRAND_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_delete_gone", ERRAND_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_application", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_application_blind", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_application_limited", ERRAND_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_application_shut_out", ERRAND_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channel", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"discord_channel_forbidden", ERRAND_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_channel_forum", ERRAND_PLACE, ERR_CONFIG, REFUSED_RIGHT},
    {"discord_channel_limited", ERRAND_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channel_no_access", ERRAND_PLACE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_channel_no_channel", ERRAND_PLACE, ERR_GONE, REFUSED_RIGHT},
    {"discord_channel_shut_out", ERRAND_PLACE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channels", ERRAND_NEWS, ERR_NONE, REFUSED_RIGHT},
    {"discord_channels_limited", ERRAND_NEWS, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_channels_shut_out", ERRAND_NEWS, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_delete", ERRAND_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"discord_delete_archived", ERRAND_DELETE, ERR_NONE, REFUSED_RIGHT},
    {"discord_delete_forbidden", ERRAND_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_limited", ERRAND_DELETE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_delete_locked", ERRAND_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_no_access", ERRAND_DELETE, ERR_DENIED, REFUSED_RIGHT},
    {"discord_delete_no_channel", ERRAND_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_delete_no_message", ERRAND_DELETE, ERR_GONE, REFUSED_RIGHT},
    {"discord_delete_shut_out", ERRAND_DELETE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_edit_archived", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_edit_forbidden", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_limited", ERRAND_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit_locked", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_many", ERRAND_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_edit_no_access", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_edit_no_channel", ERRAND_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_edit_no_message", ERRAND_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_edit_shut_out", ERRAND_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_guild", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"discord_guild_limited", ERRAND_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_guild_shut_out", ERRAND_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"discord_me_limited", ERRAND_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me_shut_out", ERRAND_WHO, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_me_unauthorized", ERRAND_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_member", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"discord_member_limited", ERRAND_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_member_shut_out", ERRAND_PROBE, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_messages", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"discord_messages_forbidden", ERRAND_READ, ERR_DENIED, REFUSED_RIGHT},
    {"discord_messages_limited", ERRAND_READ, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_messages_no_access", ERRAND_READ, ERR_DENIED, REFUSED_RIGHT},
    {"discord_messages_no_channel", ERRAND_READ, ERR_GONE, REFUSED_RIGHT},
    {"discord_messages_shut_out", ERRAND_READ, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_opened_forbidden", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_opened_limited", ERRAND_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_opened_no_access", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_opened_no_channel", ERRAND_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"discord_opened_shut_out", ERRAND_EDIT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_pin", ERRAND_PIN, ERR_NONE, REFUSED_RIGHT},
    {"discord_pin_forbidden", ERRAND_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_pin_limited", ERRAND_PIN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_pin_no_access", ERRAND_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_pin_no_channel", ERRAND_PIN, ERR_GONE, REFUSED_RIGHT},
    {"discord_pin_no_message", ERRAND_PIN, ERR_GONE, REFUSED_RIGHT},
    {"discord_pin_shut_out", ERRAND_PIN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_react", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_archived", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_emoji", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"discord_react_forbidden", ERRAND_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_limited", ERRAND_REACT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_react_locked", ERRAND_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_no_access", ERRAND_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"discord_react_no_channel", ERRAND_REACT, ERR_GONE, REFUSED_RIGHT},
    {"discord_react_no_message", ERRAND_REACT, ERR_GONE, REFUSED_RIGHT},
    {"discord_react_shut_out", ERRAND_REACT, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"discord_sent_automod", ERRAND_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_bad_token", ERRAND_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_sent_closed", ERRAND_SEND, ERR_DENIED, REFUSED_PERSON},
    {"discord_sent_empty", ERRAND_SEND, ERR_GARBLED, REFUSED_RIGHT},
    {"discord_sent_forbidden", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_form", ERRAND_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_forum", ERRAND_SEND, ERR_CONFIG, REFUSED_RIGHT},
    {"discord_sent_limited", ERRAND_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent_links", ERRAND_SEND, ERR_DENIED, REFUSED_WORDS},
    {"discord_sent_locked", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_no_access", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"discord_sent_no_channel", ERRAND_SEND, ERR_GONE, REFUSED_RIGHT},
    {"discord_sent_no_mutual", ERRAND_SEND, ERR_DENIED, REFUSED_PERSON},
    {"discord_sent_no_token", ERRAND_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"discord_sent_shut_out", ERRAND_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_sent_too_large", ERRAND_SEND, ERR_FULL, REFUSED_WORDS},
    {"discord_talk", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"discord_talk_fast", ERRAND_TALK, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_talk_limited", ERRAND_TALK, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_talk_shut_out", ERRAND_TALK, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread", ERRAND_PLACE, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_again", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_beside", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_beside_channel", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_forbidden", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_limited", ERRAND_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_beside_no_access", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_beside_no_channel", ERRAND_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_beside_shut_out", ERRAND_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_channel", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_forbidden", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_limited", ERRAND_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_many", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_no_access", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"discord_thread_no_channel", ERRAND_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_no_message", ERRAND_OPEN, ERR_GONE, REFUSED_RIGHT},
    {"discord_thread_opened", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_thread_shut_out", ERRAND_OPEN, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_thread_there", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads", ERRAND_NEWS, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads_limited", ERRAND_NEWS, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_threads_none", ERRAND_NEWS, ERR_NONE, REFUSED_RIGHT},
    {"discord_threads_shut_out", ERRAND_NEWS, ERR_LIMITED, REFUSED_RIGHT},
    {"discord_user_unknown", ERRAND_USER, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_edit", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_edit_anothers", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_edit_forbidden", ERRAND_EDIT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_edit_too_long", ERRAND_EDIT, ERR_DENIED, REFUSED_WORDS},
    {"spacebar_edit_unknown", ERRAND_EDIT, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_guild", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_channels", ERRAND_NEWS, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_out", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_roles", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_guild_unknown", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me_person", ERRAND_WHO, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_me_token_none", ERRAND_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_me_token_wrong", ERRAND_WHO, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_member", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_elsewhere", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_out", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_self", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_member_unknown", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_after", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_before", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_future", ERRAND_READ, ERR_GARBLED, REFUSED_RIGHT},
    {"spacebar_messages_hidden", ERRAND_READ, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_messages_none", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_messages_unknown", ERRAND_READ, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_messages_unread", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin", ERRAND_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_forbidden", ERRAND_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_full", ERRAND_PIN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_pin_old", ERRAND_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pin_unknown", ERRAND_PIN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_pins", ERRAND_PROBE, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react_again", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_react_forbidden", ERRAND_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_react_unknown", ERRAND_REACT, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_react_unread", ERRAND_REACT, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_again", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_again_edited", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_described", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_empty", ERRAND_SEND, ERR_GARBLED, REFUSED_RIGHT},
    {"spacebar_sent_first", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_flood", ERRAND_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_sent_forbidden", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent_form", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_forum", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_hidden", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_sent_page", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_picture", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_ringing", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_slow", ERRAND_SEND, ERR_LIMITED, REFUSED_RIGHT},
    {"spacebar_sent_token", ERRAND_SEND, ERR_DENIED, REFUSED_ACCOUNT},
    {"spacebar_sent_too_large", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_sent_too_long", ERRAND_SEND, ERR_DENIED, REFUSED_WORDS},
    {"spacebar_sent_unknown", ERRAND_SEND, ERR_GONE, REFUSED_RIGHT},
    {"spacebar_talk", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_again", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_closed", ERRAND_SEND, ERR_DENIED, REFUSED_PERSON},
    {"spacebar_talk_closed_open", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_form", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_listed", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_messages", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_sent", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_talk_unknown", ERRAND_TALK, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_again", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_edit_archived", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_forbidden", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_forum", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_in_thread", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_messages", ERRAND_READ, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_on_post", ERRAND_OPEN, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_opened", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_opened_locked", ERRAND_EDIT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_react_archived", ERRAND_REACT, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_sent", ERRAND_SEND, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_thread_sent_forbidden", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_sent_locked", ERRAND_SEND, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_thread_unknown", ERRAND_OPEN, ERR_DENIED, REFUSED_RIGHT},
    {"spacebar_threads_active", ERRAND_NEWS, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_user", ERRAND_USER, ERR_NONE, REFUSED_RIGHT},
    {"spacebar_user_unknown", ERRAND_USER, ERR_GONE, REFUSED_RIGHT},
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
    {"PUT /api/v10/channels/:channel/pins/:message", "spacebar_pin_old",
     "spacebar_pin_old"},
    {"GET /api/v10/channels/:channel", "spacebar_channel", "discord_channel"},
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
    script->turn = script->service->adapter->turn(
        script->service, &script->errand, &script->work, &reply, &script->out,
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

/* Run an errand that gets a reply, and good ones besides. */
static void
run(const struct reading *reading, const struct recording *recording,
    struct script *script)
{
    static const unsigned char png[] = "\x89PNG";
    struct service service =
        is_home(recording) ? script_service : other_service;
    struct errand errand = script_errand(reading->kind);
    bool met = false;
    bool first = true;
    char channel[32];

    id_behind(recording, "/channels/", channel);
    if (reading->kind == ERRAND_PLACE && channel[0] != '\0') {
        errand.text = channel;
    } else if (reading->kind == ERRAND_USER) {
        errand.text = "300000000000000099";
    }
    if (strstr(recording->route, "/channels/:channel/threads") != NULL) {
        errand.post = "";
    }
    if (strstr(buf_text(&recording->request), "payload_json") != NULL) {
        errand.picture =
            (struct picture){.bytes = png, .len = 4, .caption = ""};
    }
    script_begin(script, &service, &errand);
    for (int i = 0; i < TURNS && script->turn == TURN_REQUEST; i++) {
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
    ck_assert_msg(script.out.err == reading->err, "%s: %s %s", reading->name,
                  err_name(script.out.err), buf_text(&script.why));
    ck_assert_msg(script.out.refused == reading->refused, "%s: %d",
                  reading->name, (int)script.out.refused);
    ck_assert((script.turn == TURN_DONE) == (reading->err == ERR_NONE));
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

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_loop_test(tcase, a_reply_is_read_for_what_it_is, 0,
                        sizeof(readings) / sizeof(readings[0]));
    tcase_add_test(tcase, no_recording_is_left_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
