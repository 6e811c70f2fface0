/*
 * NodeBB: what the account may do in a topic, in chats, and in the topic's
 * category; and how long posts may be.
 *
 * Whether it may write to people is in no setting that it can read: that takes
 * a privilege (Chat), reputation (min:rep:chat), and that it is not muted.  So
 * the profiles of some who have posted in the topic are asked for, which say
 * whether one can chat with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    PEOPLE_MAX = 3,   /* asked whether they can be written to */
    SLUG_MAX = 127,   /* bytes of their names in addresses */
    SHORT_POST = 500, /* characters; with less nothing can be hosted */
    SHORT_CHAT = 200
};

enum probe_step {
    PROBE_BEGIN,
    PROBE_TOPIC,
    PROBE_LIMITS,
    PROBE_SELF,
    PROBE_CHATS,
    PROBE_PERSON,
    PROBE_CATEGORY
};

struct probe {
    enum probe_step step;
    bool moderates, queue;
    char category[FORUM_ID_MAX + 1];
    unsigned count, next;
    char people[PEOPLE_MAX][SLUG_MAX + 1];
};

static void
lose(struct trip *trip, enum right right)
{
    trip->out->rights &= ~(unsigned)right;
}

/* ---- the topic ----------------------------------------------------------- */

/* Remember who has posted there, but the account itself. */
static void
note_person(struct trip *trip, struct probe *probe, json_object *post)
{
    const char *slug = jdoc_string(jdoc_get(post, "user"), "userslug");
    char *person = forum_user(slug);
    bool known = person == NULL || strcmp(person, trip->service->self) == 0 ||
                 strlen(slug) > SLUG_MAX || probe->count == PEOPLE_MAX;

    for (unsigned i = 0; i < probe->count && !known; i++) {
        known = strcmp(probe->people[i], slug) == 0;
    }
    if (!known) {
        memcpy(probe->people[probe->count++], slug, strlen(slug) + 1);
    }
    free(person);
}

static void
tell_pace(struct trip *trip, bool moderates)
{
    struct outcome *out = trip->out;

    if (moderates) {
        buf_add_text(&out->limits,
                     "No pause between two posts, no queue, and edits at any "
                     "time: it is a moderator.\n");
        return;
    }
    buf_add_text(&out->limits,
                 "10 seconds between two posts at first, 120 for an account "
                 "with less than 3 reputation, which can edit its posts for an "
                 "hour only (Admin → Settings → Posts: Posting Restrictions, "
                 "New User Restrictions).\n");
    buf_addf(&out->advice,
             "Make %s a moderator of the category (Admin → Manage → "
             "Privileges): then no queue holds its posts back, it may post "
             "without a pause between, edit them at any time, and delete "
             "posts.\n",
             trip->service->self);
}

static enum turn
hear_topic(struct trip *trip, struct probe *probe)
{
    struct outcome *out = trip->out;
    json_object *privileges = jdoc_get(trip->value, "privileges");
    int64_t pages;
    json_object *posts = nodebb_posts(trip, &pages);

    if (posts == NULL || privileges == NULL) {
        return nodebb_refused(trip);
    }
    probe->moderates = forum_is_set(privileges, "isAdminOrMod");
    (void)forum_hear_number(trip->value, "cid", probe->category);
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        note_person(trip, probe, json_object_array_get_idx(posts, i));
    }
    out->rights |= RIGHT_READ | RIGHT_TALK;
    out->rights |= probe->moderates ? RIGHT_DELETE : 0;
    if (forum_is_set(trip->value, "locked") && !probe->moderates) {
        buf_add_text(&out->advice,
                     "The topic is locked: unlock it (Topic Tools → Unlock "
                     "Topic).\n");
    } else if (forum_is_set(privileges, "topics:reply")) {
        out->rights |= RIGHT_POST;
        out->rights |= forum_is_set(privileges, "posts:edit") ? RIGHT_EDIT : 0;
    } else {
        buf_addf(&out->advice,
                 "Let %s reply in the topic's category (Admin → Manage → "
                 "Privileges: Post Replies, Edit Posts).\n",
                 trip->service->self);
    }
    tell_pace(trip, probe->moderates);
    ask(trip, "GET", "/api/config");
    return TURN_REQUEST;
}

/* ---- the forum's settings ------------------------------------------------ */

static void
hear_post_lengths(struct trip *trip)
{
    struct outcome *out = trip->out;
    int64_t shortest = NODEBB_SHORTEST;
    int64_t longest = 0;

    (void)jdoc_integer(trip->value, "minimumPostLength", &shortest);
    (void)jdoc_integer(trip->value, "maximumPostLength", &longest);
    if (shortest > 0 && shortest < 1000) {
        out->shortest = (size_t)shortest;
    }
    if (longest > NODEBB_MARK_MAX && longest < POST_MAX) {
        out->longest = (size_t)longest - NODEBB_MARK_MAX;
    }
    if (longest > 0 && longest <= SHORT_POST) {
        lose(trip, RIGHT_POST);
        buf_addf(&out->advice,
                 "The forum takes no post of more than %lld characters, which "
                 "is too short to host in: raise that (Admin → Settings → "
                 "Posts: Maximum Post Length is 32767 at first).\n",
                 (long long)longest);
    }
    if (shortest > (int64_t)strlen("**Ja!**")) {
        buf_addf(&out->advice,
                 "The forum takes no post of less than %lld characters, so no "
                 "bare vote: lower that to 5 (Admin → Settings → Posts: "
                 "Minimum Post Length), or have players write a few words with "
                 "their votes.\n",
                 (long long)shortest);
    }
}

static void
hear_chat_length(struct trip *trip)
{
    struct outcome *out = trip->out;
    int64_t longest = NODEBB_CHAT_MAX;

    if (!jdoc_integer(trip->value, "maximumChatMessageLength", &longest) ||
        longest <= 0) {
        return;
    }
    if (longest > NODEBB_MARK_MAX && longest < POST_MAX) {
        out->longest_private = (size_t)longest - NODEBB_MARK_MAX;
    }
    if (longest <= SHORT_CHAT) {
        lose(trip, RIGHT_TALK);
    }
    if (longest < NODEBB_CHAT_MAX) {
        buf_addf(
            &out->advice,
            "The forum takes no chat message of more than %lld characters: "
            "raise that to %d (Admin → Settings → Chat: Maximum length of "
            "chat messages).\n",
            (long long)longest, NODEBB_CHAT_MAX);
    }
}

static enum turn
hear_limits(struct trip *trip, struct probe *probe)
{
    if (!heard_well(trip)) {
        return nodebb_refused(trip);
    }
    hear_post_lengths(trip);
    hear_chat_length(trip);
    if (forum_is_set(trip->value, "disableChat")) {
        lose(trip, RIGHT_TALK);
        buf_add_text(&trip->out->advice,
                     "Chats are off, so nobody can be told a role: turn them "
                     "on (Admin → Settings → Chat: Disable chat).\n");
    }
    probe->queue = forum_is_set(trip->value, "postQueue");
    if (probe->queue && !probe->moderates) {
        buf_add_text(&trip->out->limits,
                     "The post queue is on: posts of an account with less "
                     "than 1 reputation wait for a moderator, each of them, "
                     "unless it is in a group that is exempt (Admin → Settings "
                     "→ Posts: Post Queue).\n");
    }
    ask(trip, "GET", "/api/self");
    return TURN_REQUEST;
}

/* ---- the account --------------------------------------------------------- */

static enum turn
hear_self(struct trip *trip, struct probe *probe)
{
    struct outcome *out = trip->out;

    if (!heard_well(trip)) {
        return nodebb_refused(trip);
    }
    if (forum_is_set(trip->value, "banned")) {
        lose(trip, RIGHT_POST);
        lose(trip, RIGHT_TALK);
        buf_addf(&out->advice, "%s is banned: lift that (its profile).\n",
                 trip->service->self);
    } else if (forum_is_set(trip->value, "muted")) {
        lose(trip, RIGHT_TALK);
        if (!probe->moderates) {
            lose(trip, RIGHT_POST);
        }
        buf_addf(&out->advice,
                 "%s is muted, so it can send no private messages: lift that "
                 "(its profile → Unmute).\n",
                 trip->service->self);
    }
    ask(trip, "GET", "/api/v3/chats");
    return TURN_REQUEST;
}

static enum turn
ask_category(struct trip *trip, struct probe *probe)
{
    if (probe->category[0] == '\0') {
        return TURN_DONE;
    }
    probe->step = PROBE_CATEGORY;
    ask(trip, "GET", "/api/category");
    ask_part(trip, probe->category);
    return TURN_REQUEST;
}

static enum turn
ask_next_person(struct trip *trip, struct probe *probe)
{
    if (probe->next == probe->count || (trip->out->rights & RIGHT_TALK) == 0) {
        return ask_category(trip, probe);
    }
    probe->step = PROBE_PERSON;
    nodebb_ask_user(trip, probe->people[probe->next++]);
    return TURN_REQUEST;
}

static enum turn
hear_chats(struct trip *trip, struct probe *probe)
{
    if (trip->reply->status == 403) {
        lose(trip, RIGHT_TALK);
        buf_addf(&trip->out->advice,
                 "Let %s write private messages, or nobody can be told a role "
                 "(Admin → Manage → Privileges → Global: Chat).\n",
                 trip->service->self);
    } else if (nodebb_list(nodebb_response(trip), "rooms") == NULL) {
        return nodebb_refused(trip);
    }
    return ask_next_person(trip, probe);
}

/* One to whom it can write will do: some take no chats, or not from it. */
static enum turn
hear_person(struct trip *trip, struct probe *probe)
{
    bool chats = forum_is_set(trip->value, "canChat");

    if (!heard_well(trip) && trip->reply->status != 404 &&
        trip->reply->status != 403) {
        return nodebb_refused(trip);
    }
    if (heard_well(trip) && chats) {
        return ask_category(trip, probe);
    }
    if (probe->next == probe->count) {
        lose(trip, RIGHT_TALK);
        buf_addf(&trip->out->advice,
                 "%s can't write to %s in private: a privilege is missing "
                 "(Admin → Manage → Privileges → Global: Chat), or reputation "
                 "(Admin → Settings → Reputation: to send chat messages), or "
                 "they take chats only from people they follow; a moderator "
                 "needs none of these but the privilege.\n",
                 trip->service->self, probe->people[0]);
    }
    return ask_next_person(trip, probe);
}

/* ---- the category -------------------------------------------------------- */

static enum turn
hear_category(struct trip *trip)
{
    json_object *privileges = jdoc_get(trip->value, "privileges");

    if (heard_well(trip) && forum_is_set(privileges, "topics:create")) {
        trip->out->rights |= RIGHT_OPEN;
        return TURN_DONE;
    }
    if (!heard_well(trip) && trip->reply->status != 403 &&
        trip->reply->status != 404) {
        return nodebb_refused(trip);
    }
    buf_addf(&trip->out->advice,
             "Let %s open topics in the category, if games are to have topics "
             "of their own (Admin → Manage → Privileges: Create Topics).\n",
             trip->service->self);
    return TURN_DONE;
}

enum turn
nodebb_probe(struct trip *trip)
{
    struct probe *probe = trip_memory(trip, sizeof(*probe));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    switch (probe->step++) {
    case PROBE_BEGIN:
        nodebb_ask_page(trip, number == NULL ? "0" : number, 1);
        return TURN_REQUEST;
    case PROBE_TOPIC:
        return hear_topic(trip, probe);
    case PROBE_LIMITS:
        return hear_limits(trip, probe);
    case PROBE_SELF:
        return hear_self(trip, probe);
    case PROBE_CHATS:
        return hear_chats(trip, probe);
    case PROBE_PERSON:
        return hear_person(trip, probe);
    case PROBE_CATEGORY:
        break;
    }
    return hear_category(trip);
}
