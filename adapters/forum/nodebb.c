/*
 * The adapter of NodeBB: what its errands share, the account, and what it may
 * do.  nodebb_read.c reads; nodebb_write.c does the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/nodebb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- asking -------------------------------------------------------------- */

static void
add_number_query(struct trip *trip, const char *key, int64_t number)
{
    char text[FORUM_ID_MAX + 2];

    (void)snprintf(text, sizeof(text), "%lld", (long long)number);
    ask_query(trip, key, text);
}

void
nodebb_ask_page(struct trip *trip, const char *topic, int64_t page)
{
    ask(trip, "GET", "/api/topic");
    ask_part(trip, topic);
    add_number_query(trip, "page", page);
    /* However the account, or the forum, likes it (controllers/topics.js). */
    ask_query(trip, "sort", "oldest_to_newest");
}

void
nodebb_ask_messages(struct trip *trip, const char *room, int64_t start)
{
    ask(trip, "GET", "/api/v3/chats");
    ask_part(trip, room);
    buf_add_text(&trip->out->request.url, "/messages");
    add_number_query(trip, "start", start);
}

/* ---- hearing ------------------------------------------------------------- */

json_object *
nodebb_response(const struct trip *trip)
{
    json_object *response = jdoc_get(trip->value, "response");

    return heard_well(trip) && json_object_is_type(response, json_type_object)
               ? response
               : NULL;
}

json_object *
nodebb_list(json_object *object, const char *key)
{
    json_object *list = jdoc_get(object, key);

    return json_object_is_type(list, json_type_array) &&
                   json_object_array_length(list) <= NODEBB_LIST_MAX
               ? list
               : NULL;
}

json_object *
nodebb_posts(const struct trip *trip, int64_t *pages)
{
    json_object *posts =
        heard_well(trip) ? nodebb_list(trip->value, "posts") : NULL;

    return jdoc_integer(jdoc_get(trip->value, "pagination"), "pageCount",
                        pages) &&
                   *pages >= 0 && *pages < INT32_MAX
               ? posts
               : NULL;
}

char *
nodebb_user(json_object *user, int64_t uid)
{
    char *id = forum_user(jdoc_string(user, "userslug"));
    struct buf number = BUF_INIT;

    if (id != NULL) {
        return id;
    }
    /* A guest, or somebody whose account was deleted. */
    buf_addf(&number, "uid:%lld", (long long)uid);
    return buf_take(&number);
}

/* How long a refusal asks to wait, in seconds; 0: it is none for that reason.
 * The sentences of language/en-GB/error.json: "You can only post once every 10
 * second(s)", "As a new user, you can only post once every 2 minute(s)", and
 * those that name no time. */
static int64_t
seconds_in(const char *message)
{
    static const char words[] = "once every ";
    const char *at = strstr(message, words);
    char *end;

    if (at == NULL) {
        return strstr(message, "too many messages") != NULL ||
                       strstr(message, "already posting") != NULL
                   ? NODEBB_WHILE
                   : 0;
    }
    long seconds = strtol(at + sizeof(words) - 1, &end, 10);

    if (seconds <= 0 || seconds > DAY_MS / SECOND_MS) {
        return 0;
    }
    return strncmp(end, " second", 7) == 0   ? seconds
           : strncmp(end, " minute", 7) == 0 ? 60 * (int64_t)seconds
                                             : 0;
}

/* A 400 is no request of ours that is wrong, but a text that isn't taken. */
enum turn
nodebb_refused(struct trip *trip)
{
    const char *message =
        jdoc_string(jdoc_get(trip->value, "status"), "message");
    struct outcome *out = trip->out;

    (void)trip_refused_with(trip, message == NULL ? "" : message);
    if (trip->reply->status == 400 && message != NULL) {
        int64_t seconds = seconds_in(message);

        out->err = seconds > 0 ? ERR_LIMITED : ERR_DENIED;
        out->wait = seconds * SECOND_MS;
    }
    return TURN_FAILED;
}

/* ---- who am I? ----------------------------------------------------------- */

static enum turn
turn_who(struct trip *trip)
{
    const char *name = jdoc_string(trip->value, "username");
    int64_t uid = 0;

    if (trip->reply == NULL) {
        ask(trip, "GET", "/api/self");
        return TURN_REQUEST;
    }
    if (!heard_well(trip) || name == NULL ||
        !jdoc_integer(trip->value, "uid", &uid)) {
        return nodebb_refused(trip);
    }
    if (uid <= 0) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the token is a master token, which is "
                            "nobody's: make one for the host's account (Admin "
                            "→ Settings → API Access, with its user id)",
                            trip->service->name);
    }
    char *id = nodebb_user(trip->value, uid);

    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, name);
    free(id);
    return TURN_DONE;
}

/* ---- a configured topic -------------------------------------------------- */

/* "12", or an address with "/topic/12/name"; owned, NULL: neither. */
static char *
topic_of(const char *address)
{
    static const char path[] = "/topic/";
    const char *at = strstr(address, path);
    const char *part = at == NULL ? address : at + sizeof(path) - 1;
    size_t len = strspn(part, "0123456789");
    struct buf number = BUF_INIT;

    buf_add(&number, part, len);
    if (!forum_is_number(buf_text(&number)) ||
        (at == NULL ? part[len] != '\0'
                    : part[len] != '\0' && strchr("/?#", part[len]) == NULL)) {
        buf_release(&number);
        return NULL;
    }
    return buf_take(&number);
}

static void
ask_topic(struct trip *trip, const char *number)
{
    ask(trip, "GET", "/api/v3/topics");
    ask_part(trip, number);
}

static enum turn
turn_place(struct trip *trip)
{
    char *number = topic_of(trip->errand->text);
    char heard[FORUM_ID_MAX + 1];
    enum turn turn = TURN_REQUEST;

    if (number == NULL) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no topic: write its address, "
                            "%s/topic/NUMBER/name, or its number",
                            trip->service->name, trip->errand->text,
                            trip->service->base);
    } else if (trip->reply == NULL) {
        ask_topic(trip, number);
    } else if (!forum_hear_number(nodebb_response(trip), "tid", heard)) {
        turn = nodebb_refused(trip);
    } else {
        buf_add_text(&trip->out->id, heard);
        turn = TURN_DONE;
    }
    free(number);
    return turn;
}

/* ---- what may I do in a topic? ------------------------------------------- */

enum probe_step {
    PROBE_BEGIN,
    PROBE_TOPIC,
    PROBE_LIMITS
};

static enum turn
hear_privileges(struct trip *trip)
{
    struct outcome *out = trip->out;
    json_object *privileges = jdoc_get(trip->value, "privileges");
    int64_t pages;

    if (nodebb_posts(trip, &pages) == NULL || privileges == NULL) {
        return nodebb_refused(trip);
    }
    bool moderates = forum_is_set(privileges, "isAdminOrMod");

    out->rights |= RIGHT_READ | RIGHT_TALK;
    if (forum_is_set(trip->value, "locked") && !moderates) {
        buf_add_text(&out->advice,
                     "The topic is locked: unlock it (Topic Tools → Unlock "
                     "Topic).\n");
    } else if (forum_is_set(privileges, "topics:reply")) {
        out->rights |= RIGHT_POST;
        if (forum_is_set(privileges, "posts:edit")) {
            out->rights |= RIGHT_EDIT;
        }
    } else {
        buf_addf(&out->advice,
                 "Let %s reply in the topic's category (Admin → Manage → "
                 "Privileges: Post Replies, Edit Posts).\n",
                 trip->service->self);
    }
    if (moderates) {
        out->rights |= RIGHT_DELETE;
        buf_add_text(&out->limits,
                     "No pause between two posts, and no queue: it is a "
                     "moderator.\n");
    } else {
        buf_add_text(&out->limits,
                     "10 seconds between two posts at first, 120 for a new "
                     "account, whose posts may wait in a queue (Admin → "
                     "Settings → Posts: Posting Restrictions, Post Queue).\n");
        buf_addf(&out->advice,
                 "Make %s a moderator of the category (Admin → Manage → "
                 "Privileges): then no queue holds its posts back, it may post "
                 "without a pause between, and can delete posts.\n",
                 trip->service->self);
    }
    ask(trip, "GET", "/api/config");
    return TURN_REQUEST;
}

static enum turn
hear_limits(struct trip *trip)
{
    struct outcome *out = trip->out;
    int64_t shortest = NODEBB_SHORTEST;
    int64_t longest = 0;
    int64_t chat = NODEBB_CHAT_MAX;

    if (!heard_well(trip)) {
        return nodebb_refused(trip);
    }
    (void)jdoc_integer(trip->value, "minimumPostLength", &shortest);
    (void)jdoc_integer(trip->value, "maximumPostLength", &longest);
    if (shortest > 0 && shortest < 1000) {
        out->shortest = (size_t)shortest;
    }
    if (forum_is_set(trip->value, "disableChat")) {
        out->rights &= ~(unsigned)RIGHT_TALK;
        buf_add_text(&out->advice,
                     "Chats are off, so nobody can be told a role: turn them "
                     "on (Admin → Settings → Chat: Disable chat).\n");
    }
    if (jdoc_integer(trip->value, "maximumChatMessageLength", &chat) &&
        chat < NODEBB_CHAT_MAX) {
        buf_addf(
            &out->advice,
            "The forum takes no chat message of more than %lld characters: "
            "raise that to %d (Admin → Settings → Chat: Maximum length of "
            "chat messages).\n",
            (long long)chat, NODEBB_CHAT_MAX);
    }
    if (longest > 1000 && longest < POST_MAX) {
        out->longest = (size_t)longest;
    }
    if (shortest > (int64_t)strlen("**Ja!**")) {
        buf_addf(&out->advice,
                 "The forum takes no post of less than %lld characters, so no "
                 "bare vote: lower that to 5 (Admin → Settings → Posts: "
                 "Minimum Post Length), or have players write a few words with "
                 "their votes.\n",
                 (long long)shortest);
    }
    return TURN_DONE;
}

static enum turn
turn_probe(struct trip *trip)
{
    enum probe_step *step = trip_memory(trip, sizeof(*step));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    switch ((*step)++) {
    case PROBE_BEGIN:
        nodebb_ask_page(trip, number == NULL ? "0" : number, 1);
        return TURN_REQUEST;
    case PROBE_TOPIC:
        return hear_privileges(trip);
    case PROBE_LIMITS:
        break;
    }
    return hear_limits(trip);
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
take_turn(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return turn_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_PROBE:
        return turn_probe(trip);
    case ERRAND_READ:
        return nodebb_read(trip);
    case ERRAND_SEND:
        return nodebb_send(trip);
    case ERRAND_EDIT:
        return nodebb_edit(trip);
    case ERRAND_FIND:
        return nodebb_find(trip);
    case ERRAND_TALK:
        return nodebb_talk(trip);
    case ERRAND_OPEN:
        return nodebb_open(trip);
    case ERRAND_DELETE:
        return nodebb_delete(trip);
    case ERRAND_REACT:
        return forum_deny(trip,
                          "reactions but votes, which say more than seen");
    case ERRAND_PIN:
        return forum_deny(trip, "pinned posts, for pinned topics alone");
    case ERRAND_LOCK:
        return forum_deny(trip, "locked posts, but locked topics");
    case ERRAND_NEWS:
        return forum_deny(trip, "news of several topics");
    case ERRAND_USER:
        return outcome_fail(trip->out, trip->why, ERR_LATER,
                            "%s: people can't be looked up yet",
                            trip->service->name);
    }
    return TURN_FAILED;
}

static enum turn
nodebb_turn(const struct service *service, const struct errand *errand,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
}

static void
nodebb_link(const struct service *service, const char *place, const char *post,
            struct buf *link)
{
    buf_addf(link, "%s/%s/", service->base, *post == '\0' ? "topic" : "post");
    url_add_part(link, *post == '\0' ? place : post);
}

const struct adapter adapter_nodebb = {
    .name = "nodebb",
    .dialect = &dialect_markdown,
    .traits =
        {
            .longest = 30000, /* maximumPostLength is 32,767 at first */
            .longest_private = NODEBB_CHAT_MAX - FORUM_MARK_MAX,
            .unit = LENGTH_UTF16, /* as JavaScript counts */
            .shortest = NODEBB_SHORTEST,
            .dedupe = 0,
            .margin = FORUM_MARGIN_MS + SECOND_MS,
            .pause = FORUM_PAUSE_MS,
            .reactions = false,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = false, /* not by token: a log-in's cookie is asked for */
            .threads = true,
            .shows_edits = true,
            .edits_follow = false,
            .rereads = true,
            .tells_talks = true,
            .disorder = false,
            .red = false, /* HTML and BBCode are shown as they stand */
            .red_required = false,
            .finds = true,
        },
    .token_header = "Authorization: Bearer %s",
    .turn = nodebb_turn,
    .feed = forum_feed,
    .link = nodebb_link,
};
