/*
 * The adapter of Discourse: what its errands share, the account, and what it
 * may do.  discourse_read.c reads; discourse_write.c does the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    POSTS_MAX = 200 /* in one reply; more than a forum ever gives */
};

/* ---- asking -------------------------------------------------------------- */

void
discourse_ask(struct trip *trip, const char *method, const char *path)
{
    ask(trip, method, path);
    buf_addf(&trip->out->request.headers,
             "Api-Username: %s\nAccept: application/json\n",
             trip->service->user);
}

void
discourse_ask_topic(struct trip *trip, const char *number, bool raw)
{
    discourse_ask(trip, "GET", "/t");
    ask_part(trip, number);
    buf_add_text(&trip->out->request.url, ".json");
    if (raw) {
        ask_query(trip, "include_raw", "1");
    }
}

void
discourse_ask_posts(struct trip *trip, const char *number, const int64_t *ids,
                    size_t count, bool raw)
{
    char text[FORUM_ID_MAX + 1];

    discourse_ask(trip, "GET", "/t");
    ask_part(trip, number);
    buf_add_text(&trip->out->request.url, "/posts.json");
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(text, sizeof(text), "%lld", (long long)ids[i]);
        ask_query(trip, "post_ids%5B%5D", text);
    }
    if (raw) {
        ask_query(trip, "include_raw", "1");
    }
}

/* ---- hearing ------------------------------------------------------------- */

/* The forum's own words: errors[], or what a plugin writes instead. */
static void
add_errors(json_object *value, struct buf *said)
{
    json_object *errors = jdoc_get(value, "errors");

    for (size_t i = 0; json_object_is_type(errors, json_type_array) &&
                       i < json_object_array_length(errors) && i < 3;
         i++) {
        const char *text =
            json_object_get_string(json_object_array_get_idx(errors, i));

        buf_addf(said, "%s%s", i == 0 ? "" : " ", text == NULL ? "" : text);
    }
}

bool
discourse_said(const struct trip *trip, int status)
{
    return trip->reply->status == status &&
           json_object_is_type(jdoc_get(trip->value, "errors"),
                               json_type_array);
}

/* How long to wait stands in the body, too, and there alone behind some
 * proxies. */
static void
hear_wait(struct trip *trip)
{
    int64_t seconds;

    if (trip->out->err == ERR_LIMITED &&
        jdoc_integer(jdoc_get(trip->value, "extras"), "wait_seconds",
                     &seconds) &&
        seconds > 0 && seconds <= DAY_MS / SECOND_MS &&
        seconds * SECOND_MS > trip->out->wait) {
        trip->out->wait = seconds * SECOND_MS;
    }
}

enum turn
discourse_refused(struct trip *trip)
{
    const char *type = jdoc_string(trip->value, "error_type");
    struct buf said = BUF_INIT;

    add_errors(trip->value, &said);
    (void)trip_refused_with(trip, buf_text(&said));
    buf_release(&said);
    hear_wait(trip);
    if (trip->reply->status == 422) {
        /* A text that the forum doesn't take, for a reason that it names. */
        trip->out->err = ERR_DENIED;
    } else if (trip->reply->status == 403 && type != NULL &&
               strcmp(type, "invalid_access") == 0) {
        buf_addf(trip->why,
                 "; either its API key is not one for %s, or %s may not do "
                 "this there",
                 trip->service->user, trip->service->user);
    }
    return TURN_FAILED;
}

char *
discourse_topic_of(const char *address)
{
    const char *at = strstr(address, "/t/");
    const char *part = at == NULL ? address : at + 3;
    struct buf number = BUF_INIT;

    /* Behind /t/ stands the number, or the topic's name and then the number. */
    for (int i = 0; i < (at == NULL ? 1 : 2); i++) {
        size_t len = strspn(part, "0123456789");

        if (len > 0 &&
            (part[len] == '\0' || strchr("/.?#", part[len]) != NULL)) {
            buf_add(&number, part, len);
            break;
        }
        part += strcspn(part, "/");
        part += *part == '/' ? 1 : 0;
    }
    if (!forum_is_number(buf_text(&number)) ||
        (at == NULL && strlen(address) != number.len)) {
        buf_release(&number);
        return NULL;
    }
    return buf_take(&number);
}

json_object *
discourse_posts(const struct trip *trip)
{
    json_object *posts =
        jdoc_get(jdoc_get(trip->value, "post_stream"), "posts");

    return heard_well(trip) && json_object_is_type(posts, json_type_array) &&
                   json_object_array_length(posts) <= POSTS_MAX
               ? posts
               : NULL;
}

json_object *
discourse_stream(const struct trip *trip)
{
    json_object *stream =
        jdoc_get(jdoc_get(trip->value, "post_stream"), "stream");

    return discourse_posts(trip) != NULL &&
                   json_object_is_type(stream, json_type_array)
               ? stream
               : NULL;
}

int64_t
discourse_stream_at(json_object *stream, size_t index)
{
    json_object *id = json_object_array_get_idx(stream, index);

    return json_object_is_type(id, json_type_int) ? json_object_get_int64(id)
                                                  : 0;
}

/* A talk of three is none; nor is one to which a group was asked, or that its
 * user has left. */
bool
discourse_is_private(const struct trip *trip)
{
    const char *archetype = jdoc_string(trip->value, "archetype");
    json_object *details = jdoc_get(trip->value, "details");
    json_object *users = jdoc_get(details, "allowed_users");
    json_object *groups = jdoc_get(details, "allowed_groups");
    bool private =
        archetype != NULL && strcmp(archetype, "private_message") == 0 &&
        json_object_is_type(users, json_type_array) &&
        (groups == NULL || (json_object_is_type(groups, json_type_array) &&
                            json_object_array_length(groups) == 0));
    bool here = false;
    char *user = forum_user(trip->errand->user);

    for (size_t i = 0; private && i < json_object_array_length(users); i++) {
        char *id = forum_user(
            jdoc_string(json_object_array_get_idx(users, i), "username"));
        bool is = id != NULL && user != NULL && strcmp(id, user) == 0;

        private = is || (id != NULL && strcmp(id, trip->service->self) == 0);
        here = here || is;
        free(id);
    }
    free(user);
    return private && here;
}

/* ---- who am I? ----------------------------------------------------------- */

static void
ask_account(struct trip *trip)
{
    discourse_ask(trip, "GET", "/u");
    ask_part(trip, trip->service->user);
    buf_add_text(&trip->out->request.url, ".json");
}

static enum turn
turn_who(struct trip *trip)
{
    const char *name = jdoc_string(jdoc_get(trip->value, "user"), "username");

    if (trip->service->user[0] == '\0') {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: an API key needs the account's name beside "
                            "it: write user = \"NAME\" into the service",
                            trip->service->name);
    }
    if (trip->reply == NULL) {
        ask_account(trip);
        return TURN_REQUEST;
    }
    char *id = heard_well(trip) ? forum_user(name) : NULL;

    if (id == NULL) {
        return discourse_refused(trip);
    }
    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, name);
    free(id);
    return TURN_DONE;
}

/* ---- a configured topic -------------------------------------------------- */

static enum turn
turn_place(struct trip *trip)
{
    char *number = discourse_topic_of(trip->errand->text);
    const char *archetype = jdoc_string(trip->value, "archetype");
    enum turn turn = TURN_REQUEST;

    if (number == NULL) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no topic: write its address, "
                            "%s/t/name/NUMBER, or its number",
                            trip->service->name, trip->errand->text,
                            trip->service->base);
    } else if (trip->reply == NULL) {
        discourse_ask_topic(trip, number, false);
    } else if (discourse_stream(trip) == NULL) {
        turn = discourse_refused(trip);
    } else if (archetype != NULL && strcmp(archetype, "regular") != 0) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the topic %s is a private message: games are "
                            "hosted in topics that all players see",
                            trip->service->name, number);
    } else {
        buf_add_text(&trip->out->id, number);
        turn = TURN_DONE;
    }
    free(number);
    return turn;
}

/* ---- what may I do in a topic? ------------------------------------------- */

enum probe_step {
    PROBE_BEGIN,
    PROBE_TOPIC,
    PROBE_ACCOUNT
};

static enum turn
hear_topic(struct trip *trip)
{
    struct outcome *out = trip->out;
    json_object *details = jdoc_get(trip->value, "details");

    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    out->rights |= RIGHT_READ;
    if (forum_is_set(details, "can_create_post")) {
        out->rights |= RIGHT_POST | RIGHT_EDIT;
    } else if (forum_is_set(trip->value, "closed") ||
               forum_is_set(trip->value, "archived")) {
        buf_add_text(&out->advice,
                     "The topic is closed: open it again (the wrench below it "
                     "→ Open Topic).\n");
    } else {
        buf_addf(&out->advice,
                 "Let %s reply in the topic's category (category → Edit → "
                 "Security).\n",
                 trip->service->user);
    }
    ask_account(trip);
    return TURN_REQUEST;
}

/* What holds up posts.  Staff is exempt from all of it. */
static void
tell_limits(struct trip *trip, bool staff)
{
    buf_add_text(&trip->out->limits,
                 staff ? "No pause between two posts, and no queue: it is a "
                         "moderator.\n"
                       : "5 seconds between two posts at first "
                         "(rate_limit_create_post); a new account's may wait "
                         "for a moderator (approve_post_count).\n");
}

/* Site settings, as they are at first: max_consecutive_replies 3 and
 * max_personal_messages_per_day 20 but for staff, personal messages from trust
 * level 1, editing without a bump from level 4, and for a day at most below
 * level 2 (post_edit_time_limit). */
static enum turn
hear_account(struct trip *trip)
{
    struct outcome *out = trip->out;
    json_object *user = jdoc_get(trip->value, "user");
    bool staff = forum_is_set(user, "moderator") || forum_is_set(user, "admin");
    int64_t level = 0;

    if (!heard_well(trip) || user == NULL) {
        return discourse_refused(trip);
    }
    (void)jdoc_integer(user, "trust_level", &level);
    if (staff || level >= 1) {
        out->rights |= RIGHT_TALK | RIGHT_UPLOAD;
    } else {
        buf_addf(&out->advice,
                 "%s may not send personal messages or pictures yet: raise its "
                 "trust level (Admin → Users → %s → Trust Level).\n",
                 trip->service->user, trip->service->user);
    }
    tell_limits(trip, staff);
    if (staff) {
        out->rights |= RIGHT_DELETE | RIGHT_LOCK;
    } else {
        buf_addf(&out->advice,
                 "Make %s a moderator: else the forum takes three posts in a "
                 "row from it and no more, twenty personal messages a day, and "
                 "each edit of its status post may bump the topic, and is "
                 "refused after a day; and it can't delete posts, nor lock "
                 "them against edits.\n",
                 trip->service->user);
    }
    buf_addf(&out->advice,
             "The forum doesn't tell its shortest post (min_post_length, %d "
             "characters at first): lower it to 5, or have players write a few "
             "words with their votes; nor its shortest private one "
             "(min_personal_message_post_length, 10 at first): lower it to 2, "
             "for \"discard 2\" has 9, and a sealed vote is one word.\n",
             DISCOURSE_SHORTEST);
    out->shortest = DISCOURSE_SHORTEST;
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
        discourse_ask_topic(trip, number == NULL ? "0" : number, false);
        return TURN_REQUEST;
    case PROBE_TOPIC:
        return hear_topic(trip);
    case PROBE_ACCOUNT:
        break;
    }
    return hear_account(trip);
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
        return discourse_read(trip);
    case ERRAND_SEND:
        return discourse_send(trip);
    case ERRAND_EDIT:
        return discourse_edit(trip);
    case ERRAND_FIND:
        return discourse_find(trip);
    case ERRAND_TALK:
    case ERRAND_OPEN:
        return discourse_open(trip);
    case ERRAND_DELETE:
        return discourse_delete(trip);
    case ERRAND_REACT:
        return forum_deny(trip,
                          "reactions but a heart, which says more than seen");
    case ERRAND_PIN:
        return forum_deny(trip, "pinned posts, for pinned topics alone");
    case ERRAND_LOCK:
        return discourse_lock(trip);
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
discourse_turn(const struct service *service, const struct errand *errand,
               struct buf *work, const struct reply *reply, struct outcome *out,
               struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
}

/* /p/ID leads to a post wherever it stands. */
static void
discourse_link(const struct service *service, const char *place,
               const char *post, struct buf *link)
{
    buf_addf(link, "%s/%c/", service->base, *post == '\0' ? 't' : 'p');
    url_add_part(link, *post == '\0' ? place : post);
}

const struct adapter adapter_discourse = {
    .name = "discourse",
    .dialect = &dialect_markdown,
    .traits =
        {
            .longest = 30000, /* max_post_length is 32,000 at first,
                                 of private messages, too */
            .shortest = DISCOURSE_SHORTEST,
            .mentions = 10, /* max_mentions_per_post, but for staff */
            .dedupe = 0,
            .margin = FORUM_MARGIN_MS + SECOND_MS,
            .pause = FORUM_PAUSE_MS,
            .reactions = false,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = true,
            .locks = true,
            .pages = false, /* authorized_extensions has no "html" at first */
            .threads = true,
            .shows_edits = true,
            .edits_follow = false,
            .rereads = true,
            .tells_talks = true,
            .disorder = false,
            /* A plugin alone has colour (discourse-bbcode-color). */
            .red = false,
            .red_required = false,
            .finds = true,
            .rate = 1, /* max_admin_api_reqs_per_minute is 60 at first */
        },
    .token_header = "Api-Key: %s",
    .token_names_user = true,
    .turn = discourse_turn,
    .feed = forum_feed,
    .link = discourse_link,
};
