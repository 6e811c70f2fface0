/* A player at a NodeBB forum, by its API: a token of one's own. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/live/guest.h"

enum {
    PAUSE_MS = 3000, /* between two tries to post */
    FLOODS_MAX = 50
};

/* Was it too soon after the last?  `postDelay`, 10 s at first. */
static bool
is_flood(const struct response *response)
{
    return response->status == 400 &&
           strstr(buf_text(&response->body), "only post once every") != NULL;
}

/* Send that post until the forum takes it. */
static void
send_post(struct guest *guest, const char *path, const struct buf *body,
          struct response *response)
{
    guest_ask(guest, "POST", path, "application/json", body, response);
    for (int i = 0; is_flood(response) && i < FLOODS_MAX; i++) {
        guest_wait(PAUSE_MS);
        guest_ask(guest, "POST", path, "application/json", body, response);
    }
    ck_assert_msg(response->status == 200, "%s: not posted: %ld %s",
                  guest->name, response->status, buf_text(&response->body));
}

static void
say(struct guest *guest, const char *text, char *id)
{
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;
    struct response response = {.status = 0};

    buf_addf(&path, "/api/v3/topics/%s", guest->topic);
    buf_add_char(&body, '{');
    jtext_key(&body, "content");
    jtext_string(&body, text);
    buf_add_char(&body, '}');
    send_post(guest, buf_text(&path), &body, &response);

    json_object *made = json_tokener_parse(buf_text(&response.body));
    const char *pid =
        json_object_get_string(jdoc_get(jdoc_get(made, "response"), "pid"));

    ck_assert_msg(pid != NULL, "%s's posts wait for a moderator", guest->name);
    if (id != NULL) {
        snprintf(id, 32, "%s", pid);
    }
    json_object_put(made);
    response_release(&response);
    buf_release(&body);
    buf_release(&path);
}

static void
answer(struct guest *guest, const char *text)
{
    struct buf path = BUF_INIT;

    ck_assert_uint_gt(guest->dm_count, 0);
    buf_addf(&path, "/api/v3/chats/%s", guest->dms[guest->dm_count - 1]);
    json_object_put(
        guest_send_json(guest, "POST", buf_text(&path), "message", text));
    buf_release(&path);
}

static void
alter(struct guest *guest, const char *id, const char *text)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, "/api/v3/posts/%s", id);
    json_object_put(
        guest_send_json(guest, "PUT", buf_text(&path), "content", text));
    buf_release(&path);
}

/* How much of a post stands before the host's mark, which is a paragraph of its
 * own, behind a line break. */
static size_t
shown_len(const char *content)
{
    const char *mark = strstr(content, "<p dir=\"auto\"><a href=\"#");
    size_t len = mark == NULL ? strlen(content) : (size_t)(mark - content);

    while (len > 0 && content[len - 1] == '\n') {
        len--;
    }
    return len;
}

static void
see(struct guest *guest, json_object *list, bool dm)
{
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *post = json_object_array_get_idx(list, i);
        json_object *user = jdoc_get(post, dm ? "fromUser" : "user");
        const char *content = jdoc_string(post, "content");

        if (content != NULL) {
            guest_see(guest,
                      json_object_get_string(
                          jdoc_get(post, dm ? "messageId" : "pid")),
                      dm, guest_is(jdoc_string(user, "username"), guest->host),
                      content, shown_len(content), "html");
        }
    }
}

static void
look(struct guest *guest)
{
    int64_t pages = guest->pages == 0 ? 1 : guest->pages;

    for (int64_t page = pages; page <= pages; page++) {
        struct buf path = BUF_INIT;

        buf_addf(&path, "/api/topic/%s?page=%lld&sort=oldest_to_newest",
                 guest->topic, (long long)page);
        json_object *topic =
            guest_ask_json(guest, "GET", buf_text(&path), NULL);

        see(guest, jdoc_get(topic, "posts"), false);
        ck_assert(
            jdoc_integer(jdoc_get(topic, "pagination"), "pageCount", &pages));
        guest->pages = (unsigned)page;
        json_object_put(topic);
        buf_release(&path);
    }
}

static void
look_private(struct guest *guest)
{
    json_object *list = guest_ask_json(guest, "GET", "/api/v3/chats", NULL);
    json_object *rooms = jdoc_get(jdoc_get(list, "response"), "rooms");

    for (size_t i = json_object_array_length(rooms); i-- > 0;) {
        guest_add_dm(guest,
                     json_object_get_string(jdoc_get(
                         json_object_array_get_idx(rooms, i), "roomId")));
    }
    for (unsigned i = 0; i < guest->dm_count; i++) {
        struct buf path = BUF_INIT;

        buf_addf(&path, "/api/v3/chats/%s/messages?start=0", guest->dms[i]);
        json_object *messages =
            guest_ask_json(guest, "GET", buf_text(&path), NULL);

        see(guest, jdoc_get(jdoc_get(messages, "response"), "messages"), true);
        json_object_put(messages);
        buf_release(&path);
    }
    json_object_put(list);
}

static void
enter(struct guest *guest)
{
    buf_addf(&guest->headers, "Authorization: Bearer %s\n", guest->secret);
    guest_enter_lower(guest);
}

const struct guest_kind guest_nodebb = {
    .name = "nodebb",
    .bold = "**%s**",
    .named = "**%s**",
    .told_soon = true,
    .enter = enter,
    .say = say,
    .answer = answer,
    .alter = alter,
    .look = look,
    .look_private = look_private,
};
