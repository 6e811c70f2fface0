/*
 * Forums as fake services.  People's posts are given as the forum shows them,
 * for that is what the host gets; they are long enough for its shortest post.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/dialects.h"
#include "bot/base/civil.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/fake_service.h"

/* Does the forum take a post that is so short? */
static void
assert_long_enough(const char *adapter, const char *html)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    dialects_find("html")->read(html, strlen(html), &rich, &unread);
    ck_assert_msg(rich.text.len >= adapter_find(adapter)->capabilities.shortest,
                  "%s", html);
    rich_release(&rich);
}

/* What works alike at all of them: FORUM(f) defines it, FORUM_MEMBERS(f) are
 * its members of a service. */
#define FORUM(forum)                                                           \
    static void forum##_service_close(void *server)                            \
    {                                                                          \
        forum##_free(server);                                                  \
    }                                                                          \
    static void forum##_service_serve(void *server, int64_t now,               \
                                      const struct request *request,           \
                                      struct buf *body, struct reply *reply)   \
    {                                                                          \
        forum##_serve(server, now, request, body, reply);                      \
    }                                                                          \
    static uint64_t forum##_service_post(void *server, const char *user,       \
                                         uint64_t topic, const char *text,     \
                                         int64_t now)                          \
    {                                                                          \
        if (topic != 0) {                                                      \
            assert_long_enough(#forum, text);                                  \
        }                                                                      \
        return (uint64_t)forum##_write(server, user, (int64_t)topic, text,     \
                                       now);                                   \
    }                                                                          \
    static void forum##_service_remove(void *server, uint64_t id)              \
    {                                                                          \
        forum##_remove(server, (int64_t)id);                                   \
    }                                                                          \
    static bool forum##_service_look(void *server, size_t at,                  \
                                     struct shown_post *shown)                 \
    {                                                                          \
        return forum##_look(server, at, shown);                                \
    }                                                                          \
    static void forum##_service_storm(void *server, unsigned requests)         \
    {                                                                          \
        forum##_storm(server, requests);                                       \
    }

#define FORUM_MEMBERS(forum)                                                   \
    .adapter = #forum, .address = "7", .topic = 7,                             \
    .close = forum##_service_close, .serve = forum##_service_serve,            \
    .post = forum##_service_post, .remove = forum##_service_remove,            \
    .look = forum##_service_look, .storm = forum##_service_storm,              \
    .votes = forum##_votes, .idle = forum##_idle, .names = forum##_names

FORUM(discourse)
FORUM(nodebb)
FORUM(phpbb)

/* ---- Discourse ----------------------------------------------------------- */

#define DISCOURSE_QUOTE(words)                                                 \
    "<aside class=\"quote no-group\" data-username=\"{id}\" "                  \
    "data-post=\"3\" data-topic=\"7\">\n<div class=\"title\">\n<div "          \
    "class=\"quote-controls\"></div>\n<img alt=\"\" width=\"24\" "             \
    "height=\"24\" src=\"/a.png\" class=\"avatar\"> {name}:</div>\n"           \
    "<blockquote>\n<p><strong>" words "</strong></p>\n</blockquote>\n</aside>"

static const char *const discourse_votes[] = {
    "<p><strong>{word}</strong> with all my heart, this time</p>",
    "<p>After a night of thinking: <em><strong>{word}</strong></em></p>",
    "<p><span class=\"bbcode-b\">{word}</span><br>\nLet us see some "
    "cards.</p>",
    "<p><a class=\"mention\" href=\"/u/placard\">@placard</a> "
    "<strong>{word}</strong> and good luck</p>",
    "<p><strong>{word}</strong> <img src=\"/images/emoji/twitter/wink.png?v=12"
    "\" title=\":wink:\" class=\"emoji\" alt=\":wink:\" loading=\"lazy\" "
    "width=\"20\" height=\"20\"> but only this once</p>",
    DISCOURSE_QUOTE("Nein!") "\n<p>I don't agree. <strong>{word}</strong></p>",
    "<ul>\n<li>the president: fine</li>\n<li>so <strong>{word}</strong></li>\n"
    "</ul>",
    NULL,
};
static const char *const discourse_idle[] = {
    DISCOURSE_QUOTE("Nein!") "\n<p>Did you really post that?</p>",
    "<p><s><strong>Nein!</strong></s> no, I'll wait a little</p>",
    "<p>One posts <code>**Nein!**</code> for that, or not?</p>",
    "<div class=\"spoiler\"><p><strong>Nein!</strong> is what they want</p>"
    "</div>",
    "<details>\n<summary>\nfolded, for nobody to see</summary>\n<p><strong>"
    "Nein!</strong></p>\n</details>",
    NULL,
};
static const char *const discourse_names[] = {
    "<p><strong>{name}</strong></p>\n<p>I have thought about it.</p>",
    "<p>I choose <strong><a class=\"mention\" href=\"/u/{id}\">@{id}</a>"
    "</strong> this time.</p>",
    DISCOURSE_QUOTE("Olga") "\n<p>Rather not.</p>\n<p><strong>{name}</strong>"
                            "</p>",
    NULL,
};

static void *
discourse_open(void)
{
    struct discourse *forum = discourse_new();

    /* min_post_length, min_personal_message_post_length as they are at first */
    discourse_demand(forum, 20, 10);
    return forum;
}

/* Names in lower case are ids at Discourse and NodeBB. */
static void
add_lower(const char *name, struct buf *id)
{
    for (; *name != '\0'; name++) {
        bool upper = *name >= 'A' && *name <= 'Z';

        buf_add_char(id, (char)(upper ? *name | 0x20 : *name));
    }
}

static void
discourse_add_user(void *server, const char *name, struct buf *id)
{
    add_lower(*name == '\0' ? name : discourse_called(server, name), id);
}

static void
discourse_alter(void *server, uint64_t id, const char *text, bool marked,
                int64_t now)
{
    discourse_change(server, (int64_t)id, text, marked, now);
}

static void
discourse_intrude(void *server, uint64_t topic, int64_t now)
{
    (void)discourse_write(server, "Zoe", (int64_t)topic,
                          "<p><strong>Nein!</strong> from the gallery</p>",
                          now);
}

/* A DM is opened for its user, or identified by its number. */
static bool
discourse_is_private(void *server, const char *target, const char *body)
{
    static const char member[] = "\"topic_id\":";
    const char *topic = strstr(body, member);
    struct shown_post shown;
    uint64_t id = topic == NULL
                      ? 0
                      : strtoull(topic + sizeof(member) - 1 +
                                     strspn(topic + sizeof(member) - 1, " \""),
                                 NULL, 10);

    (void)target;
    for (size_t i = 0; id != 0 && discourse_look(server, i, &shown); i++) {
        if (shown.topic == id) {
            return *shown.dm != '\0';
        }
    }
    return strstr(body, "target_recipients") != NULL;
}

static void
discourse_shut(void *server, bool shut)
{
    discourse_habits(server)->silenced = shut;
}

static void
discourse_link(void *server, uint64_t id, struct buf *link)
{
    (void)server;
    buf_addf(link, DISCOURSE_BASE "/p/%" PRIu64 "?u=mo", id);
}

const struct fake_service fake_service_discourse = {
    FORUM_MEMBERS(discourse),
    .base = DISCOURSE_BASE,
    .account = "user = \"" DISCOURSE_BOT "\";",
    .secret = "a-key-of-sixty-four-digits",
    .open = discourse_open,
    .link = discourse_link,
    .user = discourse_add_user,
    .change = discourse_alter,
    .intrude = discourse_intrude,
    .is_private = discourse_is_private,
    .shut = discourse_shut,
    .word = "<p><strong>{word}</strong></p>\n<p>There you have it.</p>",
    .command = "<p>{word}</p>\n<p>With pleasure, here I am.</p>",
    .answer = "<p>{word}, please</p>",
};

/* ---- NodeBB -------------------------------------------------------------- */

#define NODEBB_QUOTE(words)                                                    \
    "<p dir=\"auto\"><a class=\"plugin-mentions-user plugin-mentions-a\" "     \
    "href=\"/user/{id}\" aria-label=\"Profile: {id}\">@<bdi>{id}</bdi></a> "   \
    "<a href=\"/post/101\">said</a>:</p>\n<blockquote>\n<p dir=\"auto\">"      \
    "<strong>" words "</strong></p>\n</blockquote>"

static const char *const nodebb_votes[] = {
    "<p dir=\"auto\"><strong>{word}</strong> of course</p>",
    "<p dir=\"auto\">Hm. <em><strong>{word}</strong></em> then</p>",
    "<p dir=\"auto\">Yes, <strong>{word}</strong><br />\nand quickly</p>",
    NODEBB_QUOTE("Nein!") "\n<p dir=\"auto\">No. <strong>{word}</strong></p>",
    "<p dir=\"auto\"><strong>{word}</strong> <img src=\"/assets/plugins/"
    "nodebb-plugin-emoji/emoji/android/1f609.png\" class=\"not-responsive "
    "emoji emoji-android emoji--wink\" style=\"height:23px;width:auto;"
    "vertical-align:middle\" title=\":wink:\" alt=\"😉\" /> again</p>",
    "<ol>\n<li>I trust them</li>\n<li><strong>{word}</strong></li>\n</ol>",
    NULL,
};
static const char *const nodebb_idle[] = {
    NODEBB_QUOTE("Nein!") "\n<p dir=\"auto\">Really?</p>",
    "<p dir=\"auto\"><s><strong>Nein!</strong></s> not yet</p>",
    "<p dir=\"auto\">not <code>**Nein!**</code></p>",
    NULL,
};
static const char *const nodebb_names[] = {
    "<p dir=\"auto\"><strong>{name}</strong></p>\n<p dir=\"auto\">so be "
    "it</p>",
    "<p dir=\"auto\">I choose <strong><a class=\"plugin-mentions-user "
    "plugin-mentions-a\" href=\"/user/{id}\" aria-label=\"Profile: {id}\">@"
    "<bdi>{id}</bdi></a></strong></p>",
    NULL,
};

static void *
nodebb_open(void)
{
    struct nodebb *forum = nodebb_new();

    nodebb_demand(forum, 8); /* minimumPostLength as it is at first */
    nodebb_show_recent(forum,
                       2); /* of the topic that is played in, and two games */
    return forum;
}

static void
nodebb_add_user(void *server, const char *name, struct buf *id)
{
    add_lower(*name == '\0' ? name : nodebb_called(server, name), id);
}

static void
nodebb_service_move(void *server, uint64_t id, uint64_t topic)
{
    nodebb_move(server, (int64_t)id, (int64_t)topic);
}

static void
nodebb_alter(void *server, uint64_t id, const char *text, bool marked,
             int64_t now)
{
    (void)marked; /* each edit is, there */
    nodebb_change(server, (int64_t)id, text, now);
}

static void
nodebb_intrude(void *server, uint64_t topic, int64_t now)
{
    (void)nodebb_write(server, "Zoe", (int64_t)topic,
                       "<p dir=\"auto\"><strong>Nein!</strong> say I</p>", now);
}

static void
nodebb_link(void *server, uint64_t id, struct buf *link)
{
    (void)server;
    buf_addf(link, NODEBB_BASE "/post/%" PRIu64, id);
}

const struct fake_service fake_service_nodebb = {
    FORUM_MEMBERS(nodebb),
    .base = NODEBB_BASE,
    .account = "",
    .secret = "3b1c1e6e-8d1c-4a4e-9a56-b7d1f2f6a001",
    .open = nodebb_open,
    .link = nodebb_link,
    .user = nodebb_add_user,
    .change = nodebb_alter,
    .move = nodebb_service_move,
    .intrude = nodebb_intrude,
    .word = "<p dir=\"auto\"><strong>{word}</strong><br />\nhere</p>",
    .command = "<p dir=\"auto\">{word}</p>\n<p dir=\"auto\">gladly</p>",
    .answer = "<p dir=\"auto\">{word}</p>",
};

/* ---- phpBB --------------------------------------------------------------- */

#define PHPBB_QUOTE(words)                                                     \
    "<blockquote><div><cite>{name} wrote:</cite>" words "</div></blockquote>"
#define PHPBB_NEIN "<strong class=\"text-strong\">Nein!</strong>"
#define PHPBB_RED(before, name, behind)                                        \
    before "<strong class=\"text-strong\"><span style=\"color:#FF0000\">" name \
           "</span></strong>" behind

static const char *const phpbb_votes[] = {
    "<strong class=\"text-strong\">{word}</strong>",
    "<em class=\"text-italics\"><strong class=\"text-strong\">{word}</strong>"
    "</em> as always",
    "<span style=\"color:#0000BF\"><strong class=\"text-strong\">{word}"
    "</strong></span>",
    "<strong class=\"text-strong\"><span style=\"font-size:150%;line-height:"
    "116%\">{word}</span></strong> with <span style=\"text-decoration:underline\">all</span> my heart",
    PHPBB_QUOTE(PHPBB_NEIN) "No, no. <strong class=\"text-strong\">{word}"
                            "</strong>",
    "<img class=\"smilies\" src=\"./images/smilies/icon_e_wink.gif\" "
    "width=\"15\" height=\"17\" alt=\";)\" title=\"Wink\"> <strong "
    "class=\"text-strong\">{word}</strong>",
    NULL,
};
static const char *const phpbb_idle[] = {
    PHPBB_QUOTE(PHPBB_NEIN),
    PHPBB_QUOTE(PHPBB_QUOTE("deep down") PHPBB_NEIN) "Is that so?",
    "<div class=\"codebox\"><p>Code: <a href=\"#\">Select all</a></p><pre>"
    "<code>[b]Nein![/b]</code></pre></div>",
    "<em class=\"text-italics\">Nein!</em> **Nein!**",
    NULL,
};
static const char *const phpbb_names[] = {
    PHPBB_RED("", "{name}", ""),
    "<em class=\"text-italics\">Well.</em> I choose <span style=\"color:red\">"
    "<strong class=\"text-strong\">{name}</strong></span>, and that is that.",
    PHPBB_QUOTE(PHPBB_RED("", "Olga", "")) PHPBB_RED("Rather ", "{name}", "."),
    NULL,
};

static void *
phpbb_open_board(void)
{
    struct phpbb *board = phpbb_new();

    phpbb_limit_inbox(board, 25);
    phpbb_show_active(board,
                      2); /* of the topic that is played in, and two games */
    return board;
}

/* Whoever is no moderator waits between two posts. */
static void *
phpbb_open_slow(void)
{
    struct phpbb *board = phpbb_open_board();

    phpbb_slow(board, 15);
    return board;
}

static void
phpbb_add_user(void *server, const char *name, struct buf *id)
{
    if (*name != '\0') {
        buf_add_number(id, phpbb_user(server, name));
    }
}

static void
phpbb_service_move(void *server, uint64_t id, uint64_t topic)
{
    phpbb_move(server, (int64_t)id, (int64_t)topic);
}

static void
phpbb_alter(void *server, uint64_t id, const char *text, bool marked,
            int64_t now)
{
    phpbb_change(server, (int64_t)id, text, marked, now);
}

static void
phpbb_intrude(void *server, uint64_t topic, int64_t now)
{
    (void)phpbb_write(server, "Zoe", (int64_t)topic, PHPBB_NEIN, now);
    (void)phpbb_write(server, "Anonymous", (int64_t)topic, PHPBB_NEIN, now);
}

static void
phpbb_link(void *server, uint64_t id, struct buf *link)
{
    (void)server;
    buf_addf(link, PHPBB_BASE "/viewtopic.php?p=%" PRIu64 "#p%" PRIu64, id, id);
}

/* It never was full. */
static void
phpbb_end(void *server, bool killed)
{
    (void)killed;
    ck_assert_int_lt(phpbb_inbox(server), 25);
}

#define PHPBB                                                                  \
    FORUM_MEMBERS(phpbb),                                                      \
        .base = PHPBB_BASE, .account = "user = \"placard\";",                  \
        .secret = PHPBB_PASSWORD, .user = phpbb_add_user, .link = phpbb_link,  \
        .change = phpbb_alter, .intrude = phpbb_intrude, .end = phpbb_end,     \
        .move = phpbb_service_move,                                            \
        .word = "<strong class=\"text-strong\">{word}</strong>",               \
        .command = "{word}", .answer = "{word}"

const struct fake_service fake_service_phpbb = {PHPBB,
                                                .open = phpbb_open_board};
const struct fake_service fake_service_phpbb_slow = {PHPBB,
                                                     .open = phpbb_open_slow};
