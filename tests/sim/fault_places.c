#include "tests/sim/fault_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/sim/fault_world.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/recordings_inner.h"

enum {
    REFUSALS_MAX = 6,
    ROOMS_MAX = 64
};

/* A place that the host may not enter, read or write in: recorded replies, one
 * for each route on which it is refused. */
struct barrier {
    const char *service;
    enum fault_kind kind;
    bool dms;   /* also in a DM */
    bool hides; /* the host can't read it: it may stay so, and is on no list */
    const char *refusals[REFUSALS_MAX];
};

static const struct barrier barriers[] = {
    /* it does not see it; it may not write; it is locked */
    {.service = "discord",
     .kind = FAULT_BARRED,
     .dms = true,
     .hides = true,
     .refusals = {"discord_sent_no_access", "discord_messages_no_access",
                  "discord_edit_no_access", "discord_react_no_access",
                  "discord_pin_no_access", "discord_delete_no_access"}},
    {.service = "discord",
     .kind = FAULT_BARRED,
     .refusals = {"discord_sent_forbidden", "discord_react_forbidden",
                  "discord_pin_forbidden"}},
    {.service = "discord",
     .kind = FAULT_BARRED,
     .refusals = {"discord_sent_locked", "discord_edit_locked",
                  "discord_react_locked", "discord_delete_locked"}},
    /* it is in a category that the host may not see */
    {.service = "discourse",
     .kind = FAULT_BARRED,
     .hides = true,
     .refusals = {"topic_unseen", "end_unseen", "unseen_reply"}},
    {.service = "nodebb",
     .kind = FAULT_BARRED,
     .hides = true,
     .refusals = {"topic_denied", "page_denied", "sent_no_right"}},
    {.service = "phpbb",
     .kind = FAULT_BARRED,
     .hides = true,
     .refusals = {"topic_no_right", "reply_no_right"}},
    {.service = "phpbb", .kind = FAULT_BARRED, .refusals = {"reply_locked"}},
    /* the host has no level there */
    {.service = "matrix",
     .kind = FAULT_BARRED,
     .dms = true,
     .refusals = {"send_muted", "reaction_muted", "redact_muted",
                  "pin_refused"}},
    /* the thread is deleted for good */
    {.service = "discord",
     .kind = FAULT_GONE,
     .hides = true,
     .refusals = {"discord_sent_no_channel", "discord_messages_no_channel",
                  "discord_edit_no_channel", "discord_react_no_channel",
                  "discord_pin_no_channel", "discord_delete_no_channel"}},
    /* the topic is purged; phpBB has a way of its own */
    {.service = "discourse",
     .kind = FAULT_GONE,
     .hides = true,
     .refusals = {"topic_unknown", "end_unknown", "topic_deleted_reply",
                  "edit_unknown", "delete_unknown", "lock_unknown"}},
    {.service = "nodebb",
     .kind = FAULT_GONE,
     .hides = true,
     .refusals = {"topic_gone", "page_gone", "sent_gone", "edit_gone",
                  "delete_gone", "post_gone"}},
    /* as who is no moderator sees it; Discourse has a way of its own */
    {.service = "nodebb",
     .kind = FAULT_DELETED,
     .hides = true,
     .refusals = {"sent_topic_deleted", "topic_deleted", "page_topic_deleted"}},
};

enum {
    BARRIERS = sizeof barriers / sizeof barriers[0]
};

/* Something that has happened to a place, and ends. */
struct mishap {
    int64_t until; /* 0: nothing has */
    uint64_t place;
    const struct barrier *barrier; /* NULL: the fake service knows of it */
};

static struct mishap mishaps[FAULT_KINDS];
static uint64_t encrypted; /* a room; 0: none */
static uint64_t unread;    /* a room in which the host is not yet; 0: none */
static uint64_t replaced[ROOMS_MAX]; /* by which room each was; 0: by none */

static bool
is_at(const char *service)
{
    return strcmp(world.people.service->adapter, service) == 0;
}

/* How long it lasts: where time is short, not so long that a question ends. */
static int64_t
end_of(enum fault_kind kind)
{
    int64_t most = world.plan->lazy ? HOUR_MS / 3 : 2 * HOUR_MS;
    return world.now + 1 + (int64_t)world_dice(kind, (unsigned)most);
}

/* ---- barriers -------------------------------------------------------------
 */

static bool
fits(const struct barrier *barrier, enum fault_kind kind)
{
    bool hidden = kind == FAULT_HIDDEN && barrier->hides;
    return (barrier->kind == kind ||
            (hidden && barrier->kind == FAULT_BARRED)) &&
           is_at(barrier->service);
}

static const struct barrier *
choose_barrier(enum fault_kind kind)
{
    unsigned count = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < BARRIERS; i++) {
        count += fits(&barriers[i], kind);
    }
    if (count == 0) {
        return NULL;
    }
    for (unsigned left = world_dice(kind, count) + 1; left > 0; at++) {
        left -= fits(&barriers[at], kind);
    }
    return &barriers[at - 1];
}

/* The number of a DM in which the host has written, where such a number says
 * where a request goes; 0: none. */
static uint64_t
choose_dm(enum fault_kind kind)
{
    const struct fake_service *service = world.people.service;
    struct shown_post shown;
    uint64_t chosen = 0;
    unsigned count = 0;
    for (size_t i = 0; service->look(world.people.server, i, &shown); i++) {
        if (*shown.dm != '\0' && world_dice(kind, ++count) == 0) {
            chosen = shown.topic;
        }
    }
    return chosen;
}

/* Does a text name a number behind certain words? */
static bool
names(const char *text, const char *before, uint64_t number)
{
    char words[64];
    (void)snprintf(words, sizeof words, "%s%" PRIu64, before, number);
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) {
        char behind = at[strlen(words)];
        if (behind < '0' || behind > '9') {
            return true;
        }
    }
    return false;
}

/* Is a request about a post of a place? */
static bool
is_about_post(const char *url, uint64_t place)
{
    const struct fake_service *service = world.people.service;
    struct shown_post shown;
    const char *number = strstr(url, "/posts/");
    uint64_t id = number == NULL ? 0 : strtoull(number + 7, NULL, 10);
    for (size_t i = 0; id != 0 && service->look(world.people.server, i, &shown);
         i++) {
        if (shown.id == id && *shown.dm == '\0') {
            return shown.topic == place;
        }
    }
    return false;
}

/* Is a request about a place? */
static bool
is_about(const struct request *request, uint64_t place)
{
    const char *url = buf_text(&request->url);
    if (is_at("matrix")) {
        return names(url, "/rooms/%21r", place - 1);
    }
    return names(url, "/channels/", place) || names(url, "/t/", place) ||
           names(url, "/topic/", place) || names(url, "/topics/", place) ||
           names(url, "t=", place) ||
           names(buf_text(&request->body), "\"topic_id\":", place) ||
           is_about_post(url, place);
}

/* The recorded refusal of a request's route; NULL: there is none. */
static const struct recording *
refusal_of(const struct barrier *barrier, const struct request *request)
{
    const char *base = world.people.service->base;
    const char *path = buf_text(&request->url) + strlen(base);
    const struct recordings *all = recordings_of(barrier->service);
    const char *route = recordings_route(all, request->method, path);
    for (unsigned i = 0; i < REFUSALS_MAX && barrier->refusals[i] != NULL;
         i++) {
        const struct recording *recording =
            recordings_named(all, barrier->refusals[i]);
        if (recording->route == route) {
            return recording;
        }
    }
    return NULL;
}

static void
answer(const struct recording *recording, struct buf *body, struct reply *reply)
{
    static struct buf headers;
    buf_clear(&headers);
    buf_add_text(&headers, "content-type: ");
    (void)reply_header(
        &(struct reply){.headers = buf_text(&recording->headers)},
        "content-type", &headers);
    buf_add_char(&headers, '\n');
    buf_clear(body);
    buf_add_buf(body, &recording->body);
    *reply = (struct reply){.status = recording->status,
                            .retry_after = -1,
                            .headers = buf_text(&headers),
                            .body = buf_text(body),
                            .len = body->len,
                            .date = world_service_now()};
}

bool
fault_places_refuse(const struct request *request, struct buf *body,
                    struct reply *reply)
{
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        const struct mishap *mishap = &mishaps[i];
        const struct recording *recording =
            mishap->until != 0 && mishap->barrier != NULL &&
                    is_about(request, mishap->place)
                ? refusal_of(mishap->barrier, request)
                : NULL;
        if (recording != NULL) {
            world_tell("%s %s: %d, %s", request->method,
                       buf_text(&request->url), recording->status,
                       recording->name);
            answer(recording, body, reply);
            return true;
        }
    }
    return false;
}

/* ---- what the fake services know of ---------------------------------------
 */

/* Can't the host read a topic? */
static bool
is_hidden(uint64_t topic)
{
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        const struct barrier *barrier = mishaps[i].barrier;
        if (mishaps[i].until != 0 && mishaps[i].place == topic &&
            barrier != NULL && barrier->hides) {
            return true;
        }
    }
    return false;
}

/* The lists of what is new have no topic that it can't read; those of Discord
 * none that was deleted. */
static void
list(enum fault_kind kind, uint64_t topic)
{
    bool hidden = is_hidden(topic);
    if (is_at("discord") && kind == FAULT_GONE) {
        fake_discord_delete(world.people.server, topic);
    } else if (is_at("nodebb")) {
        nodebb_hide(world.people.server, (int64_t)topic, hidden);
    } else if (is_at("phpbb")) {
        phpbb_hide(world.people.server, (int64_t)topic, hidden);
    }
}

/* The topic of a table takes no posts of the host's. */
static void
shut(uint64_t topic, bool is_shut)
{
    const struct fake_service *service = world.people.service;
    void *server = world.people.server;
    if (is_at("discord")) {
        fake_discord_archive(server, topic, is_shut, false);
    } else if (is_at("nodebb")) {
        nodebb_lock(server, is_shut);
    } else if (service->shut != NULL) {
        service->shut(server, is_shut);
    }
}

/* It is moved to another category, or listed no more. */
static void
move(uint64_t topic, bool away)
{
    struct discourse *forum = world.people.server;
    if (!away || world_dice(FAULT_MOVED, 2) == 0) {
        discourse_move_topic(forum, (int64_t)topic, away);
    }
    if (!away || world_dice(FAULT_MOVED, 2) == 0) {
        discourse_unlist(forum, (int64_t)topic, away);
    }
}

/* Its posts are moved into the topic in which tables are asked for. */
static void
merge(uint64_t topic)
{
    int64_t from = (int64_t)topic;
    int64_t into = (int64_t)world.people.service->topic;
    if (is_at("discourse")) {
        discourse_merge(world.people.server, from, into, world_service_now());
    } else {
        nodebb_merge(world.people.server, from, into);
    }
}

static void
change(enum fault_kind kind, uint64_t topic, bool begins)
{
    const struct barrier *barrier = mishaps[kind].barrier;
    if (barrier != NULL && barrier->hides) {
        list(kind, topic);
    } else if (kind == FAULT_SHUT) {
        shut(topic, begins);
    } else if (kind == FAULT_DELETED && is_at("discourse")) {
        discourse_delete_topic(world.people.server, (int64_t)topic, begins);
    } else if (kind == FAULT_DELETED && is_at("nodebb")) {
        nodebb_delete_topic(world.people.server, (int64_t)topic, begins);
    } else if (kind == FAULT_MOVED) {
        move(topic, begins);
    } else if (kind == FAULT_MERGED) {
        merge(topic);
    } else if (kind == FAULT_GONE && is_at("phpbb")) {
        phpbb_purge(world.people.server, (int64_t)topic);
    } else if (kind == FAULT_PUT_OUT && begins) {
        homeserver_put_out(world.people.server, topic, world_service_now());
    } else if (kind == FAULT_PUT_OUT) {
        homeserver_ask_back(world.people.server, topic, world_service_now());
    }
}

/* ---- all of it ------------------------------------------------------------
 */

/* Is the host in the room, and can read what people write there? */
static bool
is_whole(void)
{
    return encrypted == 0 && unread == 0 && mishaps[FAULT_PUT_OUT].until == 0;
}

/* Can that happen at the service? */
static bool
is_possible(enum fault_kind kind, uint64_t topic)
{
    bool threads =
        adapter_find(world.people.service->adapter)->capabilities.threads;
    bool fake = (kind == FAULT_SHUT && threads) ||
                (kind == FAULT_PUT_OUT && is_at("matrix") && is_whole()) ||
                ((kind == FAULT_DELETED || kind == FAULT_MOVED) &&
                 is_at("discourse")) ||
                (kind == FAULT_MERGED && world.people.service->topic != topic &&
                 (is_at("discourse") || is_at("nodebb"))) ||
                (kind == FAULT_GONE && is_at("phpbb"));
    for (unsigned i = 0; !fake && i < BARRIERS; i++) {
        fake = fits(&barriers[i], kind);
    }
    return fake;
}

/* Can't a game that is on there go on? */
static bool
is_for_good(enum fault_kind kind)
{
    return kind == FAULT_GONE || kind == FAULT_HIDDEN || kind == FAULT_MERGED;
}

static void
begin(enum fault_kind kind, uint64_t topic)
{
    struct mishap *mishap = &mishaps[kind];
    bool sees = kind == FAULT_DELETED && world_dice(kind, 2) == 0;
    mishap->barrier = sees ? NULL : choose_barrier(kind); /* as a moderator */
    mishap->place = topic;
    if (mishap->barrier != NULL && mishap->barrier->dms && !is_for_good(kind) &&
        world_dice(kind, 2) == 0) {
        mishap->place = choose_dm(kind);
    }
    mishap->until = is_for_good(kind) ? INT64_MAX : end_of(kind);
    world_tell("--- %s: the place %" PRIu64 ", for %lld s", fault_names[kind],
               mishap->place,
               (long long)(mishap->until - world.now) / SECOND_MS);
    change(kind, topic, true);
}

static void
end(enum fault_kind kind)
{
    struct mishap *mishap = &mishaps[kind];
    mishap->until = 0;
    world_tell("--- %s no more", fault_names[kind]);
    change(kind, mishap->place, false);
}

static bool
is_gone_by(enum fault_kind kind, uint64_t topic)
{
    return mishaps[kind].until != 0 && mishaps[kind].place == topic;
}

/* May it begin now?  What is gone for good is not deleted and put back, and
 * what is deleted is put back before it goes for good. */
static bool
may_begin(enum fault_kind kind, uint64_t topic, bool begun)
{
    bool free = is_for_good(kind)
                    ? begun && !is_gone_by(FAULT_DELETED, topic)
                    : kind != FAULT_DELETED || !fault_places_is_gone(topic);
    return free && mishaps[kind].until == 0 && is_possible(kind, topic);
}

uint64_t
fault_places_act(uint64_t topic, bool begun)
{
    static const enum fault_kind kinds[] = {
        FAULT_SHUT,    FAULT_BARRED, FAULT_DELETED, FAULT_MOVED,
        FAULT_PUT_OUT, FAULT_MERGED, FAULT_GONE,    FAULT_HIDDEN};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int64_t until = mishaps[kinds[i]].until;
        if (until != 0 && until != INT64_MAX &&
            (world.now >= until || !world.spoiled)) {
            end(kinds[i]);
        } else if (may_begin(kinds[i], topic, begun) &&
                   world_strikes(kinds[i])) {
            begin(kinds[i], topic);
        }
    }
    if (is_at("matrix") && begun && is_whole() &&
        world_strikes(FAULT_ENCRYPTED)) {
        homeserver_encrypt(world.people.server, topic, world_service_now());
        encrypted = topic;
        world_tell("--- the room is encrypted");
    }
    if (is_at("matrix") && encrypted == 0 && topic < ROOMS_MAX &&
        mishaps[FAULT_PUT_OUT].until == 0 && world_strikes(FAULT_UPGRADED)) {
        unread = replaced[topic] =
            homeserver_upgrade(world.people.server, topic, world_service_now());
        world_tell("--- the room is upgraded to %" PRIu64, unread);
        return unread;
    }
    return topic;
}

uint64_t
fault_places_newest(uint64_t topic)
{
    while (topic < ROOMS_MAX && replaced[topic] != 0) {
        topic = replaced[topic];
    }
    return topic;
}

void
fault_places_read(uint64_t topic)
{
    unread = unread == topic ? 0 : unread;
}

bool
fault_places_is_read(uint64_t topic)
{
    return unread != topic;
}

bool
fault_places_is_encrypted(uint64_t topic)
{
    return topic == encrypted && encrypted != 0;
}

bool
fault_places_one_is_encrypted(void)
{
    return encrypted != 0;
}

bool
fault_places_is_gone(uint64_t topic)
{
    return is_gone_by(FAULT_GONE, topic) || is_gone_by(FAULT_HIDDEN, topic) ||
           is_gone_by(FAULT_MERGED, topic);
}

bool
fault_places_one_is_gone(void)
{
    return mishaps[FAULT_GONE].until != 0 || mishaps[FAULT_HIDDEN].until != 0 ||
           mishaps[FAULT_MERGED].until != 0;
}

bool
fault_places_takes_posts(uint64_t topic)
{
    const struct mishap *deleted = &mishaps[FAULT_DELETED];
    return (deleted->until == 0 || deleted->place != topic) &&
           !is_gone_by(FAULT_GONE, topic) && !is_gone_by(FAULT_MERGED, topic);
}

bool
fault_places_host_is_mute(void)
{
    return mishaps[FAULT_SHUT].until != 0 || mishaps[FAULT_BARRED].until != 0;
}

bool
fault_places_host_is_out(void)
{
    return mishaps[FAULT_PUT_OUT].until != 0;
}
