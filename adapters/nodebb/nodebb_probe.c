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
lose(struct exchange *exchange, enum right right)
{
    exchange->out->rights &= ~(unsigned)right;
}

/* ---- the topic ----------------------------------------------------------- */

/* Remember who has posted there, but the account itself. */
static void
note_person(struct exchange *exchange, struct probe *probe, json_object *post)
{
    json_object *user = jdoc_get(post, "user");
    const char *slug = jdoc_string(user, "userslug");
    bool known = slug == NULL || strlen(slug) > SLUG_MAX ||
                 nodebb_is_self(exchange, user) || probe->count == PEOPLE_MAX;

    for (unsigned i = 0; i < probe->count && !known; i++) {
        known = strcmp(probe->people[i], slug) == 0;
    }
    if (!known) {
        memcpy(probe->people[probe->count++], slug, strlen(slug) + 1);
    }
}

static void
describe_pace(struct exchange *exchange, bool moderates)
{
    struct outcome *out = exchange->out;

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
             exchange->service->self);
}

static enum advance
parse_topic(struct exchange *exchange, struct probe *probe)
{
    struct outcome *out = exchange->out;
    json_object *privileges = jdoc_get(exchange->value, "privileges");
    int64_t pages;
    json_object *posts = nodebb_posts(exchange, &pages);

    if (posts == NULL || privileges == NULL) {
        return nodebb_refused(exchange);
    }
    probe->moderates = forum_is_set(privileges, "isAdminOrMod");
    (void)forum_parse_number(exchange->value, "cid", probe->category);
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        note_person(exchange, probe, json_object_array_get_idx(posts, i));
    }
    out->rights |= RIGHT_READ | RIGHT_DM;
    out->rights |= probe->moderates ? RIGHT_DELETE : 0;
    if (forum_is_set(exchange->value, "locked") && !probe->moderates) {
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
                 exchange->service->self);
    }
    describe_pace(exchange, probe->moderates);
    ask(exchange, "GET", "/api/config");
    return ADVANCE_REQUEST;
}

/* ---- the forum's settings ------------------------------------------------ */

static void
parse_post_lengths(struct exchange *exchange)
{
    struct outcome *out = exchange->out;
    int64_t shortest = NODEBB_SHORTEST;
    int64_t longest = 0;

    (void)jdoc_integer(exchange->value, "minimumPostLength", &shortest);
    (void)jdoc_integer(exchange->value, "maximumPostLength", &longest);
    if (shortest > 0 && shortest < 1000) {
        out->shortest = (size_t)shortest;
    }
    if (longest > NODEBB_MARK_MAX && longest < POST_MAX) {
        out->longest = (size_t)longest - NODEBB_MARK_MAX;
    }
    if (longest > 0 && longest <= SHORT_POST) {
        lose(exchange, RIGHT_POST);
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
parse_chat_length(struct exchange *exchange)
{
    struct outcome *out = exchange->out;
    int64_t longest = NODEBB_CHAT_MAX;

    if (!jdoc_integer(exchange->value, "maximumChatMessageLength", &longest) ||
        longest <= 0) {
        return;
    }
    if (longest > NODEBB_MARK_MAX && longest < POST_MAX) {
        out->longest_private = (size_t)longest - NODEBB_MARK_MAX;
    }
    if (longest <= SHORT_CHAT) {
        lose(exchange, RIGHT_DM);
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

static enum advance
parse_limits(struct exchange *exchange, struct probe *probe)
{
    if (!is_success(exchange)) {
        return nodebb_refused(exchange);
    }
    parse_post_lengths(exchange);
    parse_chat_length(exchange);
    if (forum_is_set(exchange->value, "disableChat")) {
        lose(exchange, RIGHT_DM);
        buf_add_text(&exchange->out->advice,
                     "Chats are off, so nobody can be told a role: turn them "
                     "on (Admin → Settings → Chat: Disable chat).\n");
    }
    probe->queue = forum_is_set(exchange->value, "postQueue");
    if (probe->queue && !probe->moderates) {
        buf_add_text(&exchange->out->limits,
                     "The post queue is on: posts of an account with less "
                     "than 1 reputation wait for a moderator, each of them, "
                     "unless it is in a group that is exempt (Admin → Settings "
                     "→ Posts: Post Queue).\n");
    }
    ask(exchange, "GET", "/api/self");
    return ADVANCE_REQUEST;
}

/* ---- the account --------------------------------------------------------- */

static enum advance
parse_self(struct exchange *exchange, struct probe *probe)
{
    struct outcome *out = exchange->out;

    if (!is_success(exchange)) {
        return nodebb_refused(exchange);
    }
    if (forum_is_set(exchange->value, "banned")) {
        lose(exchange, RIGHT_POST);
        lose(exchange, RIGHT_DM);
        buf_addf(&out->advice, "%s is banned: lift that (its profile).\n",
                 exchange->service->self);
    } else if (forum_is_set(exchange->value, "muted")) {
        lose(exchange, RIGHT_DM);
        if (!probe->moderates) {
            lose(exchange, RIGHT_POST);
        }
        buf_addf(&out->advice,
                 "%s is muted, so it can send no private messages: lift that "
                 "(its profile → Unmute).\n",
                 exchange->service->self);
    }
    ask(exchange, "GET", "/api/v3/chats");
    return ADVANCE_REQUEST;
}

static enum advance
ask_category(struct exchange *exchange, struct probe *probe)
{
    if (probe->category[0] == '\0') {
        return ADVANCE_DONE;
    }
    probe->step = PROBE_CATEGORY;
    ask(exchange, "GET", "/api/category");
    ask_part(exchange, probe->category);
    return ADVANCE_REQUEST;
}

static enum advance
ask_next_person(struct exchange *exchange, struct probe *probe)
{
    if (probe->next == probe->count ||
        (exchange->out->rights & RIGHT_DM) == 0) {
        return ask_category(exchange, probe);
    }
    probe->step = PROBE_PERSON;
    nodebb_ask_user(exchange, probe->people[probe->next++]);
    return ADVANCE_REQUEST;
}

static enum advance
parse_chats(struct exchange *exchange, struct probe *probe)
{
    if (exchange->reply->status == 403) {
        lose(exchange, RIGHT_DM);
        buf_addf(&exchange->out->advice,
                 "Let %s write private messages, or nobody can be told a role "
                 "(Admin → Manage → Privileges → Global: Chat).\n",
                 exchange->service->self);
    } else if (nodebb_list(nodebb_response(exchange), "rooms") == NULL) {
        return nodebb_refused(exchange);
    }
    return ask_next_person(exchange, probe);
}

/* One to whom it can write will do: some take no chats, or not from it. */
static enum advance
parse_person(struct exchange *exchange, struct probe *probe)
{
    bool chats = forum_is_set(exchange->value, "canChat");

    if (!is_success(exchange) && exchange->reply->status != 404 &&
        exchange->reply->status != 403) {
        return nodebb_refused(exchange);
    }
    if (is_success(exchange) && chats) {
        return ask_category(exchange, probe);
    }
    if (probe->next == probe->count) {
        lose(exchange, RIGHT_DM);
        buf_addf(&exchange->out->advice,
                 "%s can't write to %s in private: a privilege is missing "
                 "(Admin → Manage → Privileges → Global: Chat), or reputation "
                 "(Admin → Settings → Reputation: to send chat messages), or "
                 "they take chats only from people they follow; a moderator "
                 "needs none of these but the privilege.\n",
                 exchange->service->self, probe->people[0]);
    }
    return ask_next_person(exchange, probe);
}

/* ---- the category -------------------------------------------------------- */

static enum advance
parse_category(struct exchange *exchange)
{
    json_object *privileges = jdoc_get(exchange->value, "privileges");

    if (is_success(exchange) && forum_is_set(privileges, "topics:create")) {
        exchange->out->rights |= RIGHT_OPEN;
        return ADVANCE_DONE;
    }
    if (!is_success(exchange) && exchange->reply->status != 403 &&
        exchange->reply->status != 404) {
        return nodebb_refused(exchange);
    }
    buf_addf(&exchange->out->advice,
             "Let %s open topics in the category, if games are to have topics "
             "of their own (Admin → Manage → Privileges: Create Topics).\n",
             exchange->service->self);
    return ADVANCE_DONE;
}

enum advance
nodebb_probe(struct exchange *exchange)
{
    struct probe *probe = exchange_memory(exchange, sizeof(*probe));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    switch (probe->step++) {
    case PROBE_BEGIN:
        nodebb_ask_page(exchange, number == NULL ? "0" : number, 1);
        return ADVANCE_REQUEST;
    case PROBE_TOPIC:
        return parse_topic(exchange, probe);
    case PROBE_LIMITS:
        return parse_limits(exchange, probe);
    case PROBE_SELF:
        return parse_self(exchange, probe);
    case PROBE_CHATS:
        return parse_chats(exchange, probe);
    case PROBE_PERSON:
        return parse_person(exchange, probe);
    case PROBE_CATEGORY:
        break;
    }
    return parse_category(exchange);
}
