/* A player at a server that speaks Discord's API, by a user's own token. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/live/guest.h"
#include "tests/live/homes.h"

enum {
    MOST = 100 /* messages in a page */
};

/* From when ids count, in ms; behind so many bits. */
#define EPOCH_MS INT64_C(1420070400000)
#define TIME_BIT 22

static void
post(struct guest *guest, const char *channel, const char *text, char *id)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, "/api/v10/channels/%s/messages", channel);
    json_object *made =
        guest_send_json(guest, "POST", buf_text(&path), "content", text);

    if (id != NULL) {
        snprintf(id, 32, "%s", jdoc_string(made, "id"));
    }
    json_object_put(made);
    buf_release(&path);
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
    post(guest, guest->dms[0], text, NULL);
}

static void
alter(struct guest *guest, const char *id, const char *text)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, "/api/v10/channels/%s/messages/%s", guest->topic, id);
    json_object_put(
        guest_send_json(guest, "PATCH", buf_text(&path), "content", text));
    buf_release(&path);
}

/* The oldest of a page first, whichever way it has them. */
static void
see_page(struct guest *guest, json_object *page, bool dm)
{
    size_t count = json_object_array_length(page);

    for (size_t i = 0; i < count; i++) {
        json_object *message = json_object_array_get_idx(page, count - 1 - i);
        json_object *author = jdoc_get(message, "author");
        const char *content = jdoc_string(message, "content");
        const char *id = jdoc_string(message, "id");
        bool by_host = guest_is(jdoc_string(author, "username"), guest->host);

        if (by_host) {
            snprintf(guest->host_id, sizeof(guest->host_id), "%s",
                     jdoc_string(author, "id"));
        }
        if (!dm || strtoull(id, NULL, 10) > guest->first) {
            guest_see(guest, id, dm, by_host, content, strlen(content),
                      "discord");
        }
    }
}

/* Read back from the newest to a message that is known. */
static void
look_at_channel(struct guest *guest, const char *channel, bool dm)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, "/api/v10/channels/%s/messages?limit=%d", channel, MOST);
    json_object *page = guest_ask_json(guest, "GET", buf_text(&path), NULL);

    see_page(guest, page, dm);
    json_object_put(page);
    buf_release(&path);
}

static void
look(struct guest *guest)
{
    look_at_channel(guest, guest->topic, false);
}

static void
look_private(struct guest *guest)
{
    if (guest->host_id[0] == '\0') {
        look(guest);
    }
    if (guest->dm_count == 0 && guest->host_id[0] != '\0') {
        json_object *dm =
            guest_send_json(guest, "POST", "/api/v10/users/@me/channels",
                            "recipient_id", guest->host_id);

        guest_add_dm(guest, jdoc_string(dm, "id"));
        json_object_put(dm);
    }
    if (guest->dm_count > 0) {
        look_at_channel(guest, guest->dms[0], true);
    }
}

/* A DM goes on where that of the last game ended. */
static void
enter(struct guest *guest)
{
    buf_addf(&guest->headers, "Authorization: %s\n", guest->secret);
    guest->first = (uint64_t)(live_now() - EPOCH_MS) << TIME_BIT;
    json_object *self =
        guest_ask_json(guest, "GET", "/api/v10/users/@me", NULL);

    snprintf(guest->user, sizeof(guest->user), "%s", jdoc_string(self, "id"));
    json_object_put(self);
}

const struct guest_kind guest_discord = {
    .name = "discord",
    .bold = "**%s**",
    .named = "**%s**",
    .enter = enter,
    .say = say,
    .answer = answer,
    .alter = alter,
    .look = look,
    .look_private = look_private,
};
