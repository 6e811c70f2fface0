/* A player at a Discourse forum, by its API: a key of one's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/live/account.h"
#include "tests/live/guest.h"

enum {
    CHUNK = 20
};

static void
write_id(json_object *post, const char *key, char id[32])
{
    int64_t number = 0;

    ck_assert(jdoc_integer(post, key, &number));
    snprintf(id, 32, "%lld", (long long)number);
}

/* The forum answers a request that is the same as one of the last two minutes
 * with that one's post.  Browsers tell how long somebody has typed. */
static void
post(struct guest *guest, const char *topic, const char *text, char *id)
{
    struct buf body = BUF_INIT;

    buf_addf(&body,
             "{\"topic_id\":%s,\"typing_duration_msecs\":%u,\"raw\":", topic,
             10000 + guest->asked);
    jtext_string(&body, text);
    buf_add_char(&body, '}');
    json_object *made = guest_ask_json(guest, "POST", "/posts.json", &body);

    if (id != NULL) {
        write_id(made, "id", id);
    }
    json_object_put(made);
    buf_release(&body);
}

static void
say(struct guest *guest, const char *text, char *id)
{
    post(guest, guest->topic, text, id);
}

static void
answer(struct guest *guest, const char *text)
{
    ck_assert_uint_gt(guest->dm_count, 0);
    post(guest, guest->dms[guest->dm_count - 1], text, NULL);
}

static void
alter(struct guest *guest, const char *id, const char *text)
{
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    buf_addf(&path, "/posts/%s.json", id);
    buf_add_text(&body, "{\"post\":{\"raw\":");
    jtext_string(&body, text);
    buf_add_text(&body, "}}");
    json_object_put(guest_ask_json(guest, "PUT", buf_text(&path), &body));
    buf_release(&path);
    buf_release(&body);
}

static void
see_posts(struct guest *guest, json_object *answer, bool dm)
{
    json_object *posts = jdoc_get(jdoc_get(answer, "post_stream"), "posts");

    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        const char *cooked = jdoc_string(post, "cooked");
        char id[32];

        write_id(post, "id", id);
        guest_see(guest, id, dm,
                  guest_is(jdoc_string(post, "username"), guest->host), cooked,
                  strlen(cooked), "html");
    }
}

/* Read what of a topic's stream was not seen yet. */
static void
look_at_topic(struct guest *guest, const char *topic, bool dm)
{
    struct buf path = BUF_INIT;
    unsigned count = 0;

    buf_addf(&path, "/t/%s.json", topic);
    json_object *all = guest_ask_json(guest, "GET", buf_text(&path), NULL);
    json_object *stream = jdoc_get(jdoc_get(all, "post_stream"), "stream");
    size_t len = json_object_array_length(stream);

    buf_clear(&path);
    for (size_t i = 0; i < len; i++) {
        const char *id =
            json_object_get_string(json_object_array_get_idx(stream, i));

        bool old = dm && strtoull(id, NULL, 10) <= guest->first;

        if (!old && !guest_has_seen(guest, id, dm)) {
            if (count++ == 0) {
                buf_addf(&path, "/t/%s/posts.json?", topic);
            }
            buf_addf(&path, "post_ids%%5B%%5D=%s&", id);
        }
        if (count == CHUNK || (count > 0 && i + 1 == len)) {
            json_object *some =
                guest_ask_json(guest, "GET", buf_text(&path), NULL);

            see_posts(guest, some, dm);
            json_object_put(some);
            buf_clear(&path);
            count = 0;
        }
    }
    json_object_put(all);
    buf_release(&path);
}

static void
look(struct guest *guest)
{
    look_at_topic(guest, guest->topic, false);
}

static void
read_dms(struct guest *guest)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, "/topics/private-messages/%s.json", guest->name);
    json_object *list = guest_ask_json(guest, "GET", buf_text(&path), NULL);
    json_object *topics = jdoc_get(jdoc_get(list, "topic_list"), "topics");

    for (size_t i = json_object_array_length(topics); i-- > 0;) {
        char id[32];

        write_id(json_object_array_get_idx(topics, i), "id", id);
        guest_add_dm(guest, id);
    }
    json_object_put(list);
    buf_release(&path);
}

/* The talk in which the host has written last is answered in: other hosts may
 * have theirs. */
static void
put_last(struct guest *guest, unsigned dm)
{
    char id[sizeof(guest->dms[0])];

    memcpy(id, guest->dms[dm], sizeof(id));
    memmove(guest->dms[dm], guest->dms[dm + 1],
            (guest->dm_count - 1 - dm) * sizeof(id));
    memcpy(guest->dms[guest->dm_count - 1], id, sizeof(id));
}

static void
look_private(struct guest *guest)
{
    unsigned newest = DMS_MAX;

    read_dms(guest);
    for (unsigned i = 0; i < guest->dm_count; i++) {
        size_t seen = guest->count;

        look_at_topic(guest, guest->dms[i], true);
        for (; seen < guest->count; seen++) {
            newest = guest->posts[seen].by_host ? i : newest;
        }
    }
    if (newest != DMS_MAX) {
        put_last(guest, newest);
    }
}

/* Earlier games were played in the same DMs: what they hold by now is passed
 * over. */
static void
enter(struct guest *guest)
{
    struct buf path = BUF_INIT;

    buf_addf(&guest->headers,
             "Api-Key: %s\nApi-Username: %s\nAccept: application/json\n",
             guest->secret, guest->name);
    guest_enter_lower(guest);
    read_dms(guest);
    for (unsigned i = 0; i < guest->dm_count; i++) {
        buf_clear(&path);
        buf_addf(&path, "/t/%s.json", guest->dms[i]);
        json_object *topic =
            guest_ask_json(guest, "GET", buf_text(&path), NULL);
        json_object *stream =
            jdoc_get(jdoc_get(topic, "post_stream"), "stream");
        size_t len = json_object_array_length(stream);
        uint64_t last = len == 0
                            ? 0
                            : json_object_get_uint64(
                                  json_object_array_get_idx(stream, len - 1));

        guest->first = last > guest->first ? last : guest->first;
        json_object_put(topic);
    }
    buf_release(&path);
}

const struct guest_kind guest_discourse = {
    .name = "discourse",
    .bold = "**%s**",
    .named = "**%s**",
    .names_host = true,
    .told_soon = true,
    .enter = enter,
    .say = say,
    .answer = answer,
    .alter = alter,
    .look = look,
    .look_private = look_private,
};
