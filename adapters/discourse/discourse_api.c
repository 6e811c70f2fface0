/*
 * Discourse: what the whole adapter shares: requests, refusals, what a topic's
 * page holds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    POSTS_MAX = 200,      /* in one reply; more than a forum ever gives */
    BEYOND_END = 1000000, /* a topic has 10,000 posts at most */
};

/* ---- asking -------------------------------------------------------------- */

void
discourse_ask(struct exchange *exchange, const char *method, const char *path)
{
    ask(exchange, method, path);
    buf_addf(&exchange->out->request.headers,
             "Api-Username: %s\nAccept: application/json\n",
             exchange->service->user);
}

void
discourse_ask_topic(struct exchange *exchange, const char *number)
{
    discourse_ask(exchange, "GET", "/t");
    ask_part(exchange, number);
    buf_add_text(&exchange->out->request.url, ".json");
}

void
discourse_ask_position(struct exchange *exchange, const char *number,
                       int64_t position)
{
    discourse_ask(exchange, "GET", "/t");
    ask_part(exchange, number);
    buf_addf(&exchange->out->request.url, "/%lld.json", (long long)position);
    ask_query(exchange, "include_raw", "1");
}

void
discourse_ask_end(struct exchange *exchange, const char *number)
{
    discourse_ask_position(exchange, number, BEYOND_END);
}

void
discourse_ask_posts(struct exchange *exchange, const char *number,
                    const int64_t *ids, size_t count)
{
    char text[FORUM_ID_MAX + 1];

    discourse_ask(exchange, "GET", "/t");
    ask_part(exchange, number);
    buf_add_text(&exchange->out->request.url, "/posts.json");
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(text, sizeof(text), "%lld", (long long)ids[i]);
        ask_query(exchange, "post_ids%5B%5D", text);
    }
    ask_query(exchange, "include_raw", "1");
}

void
discourse_ask_list(struct exchange *exchange, const char *list, unsigned page)
{
    struct buf number = BUF_INIT;

    discourse_ask(exchange, "GET", "/topics");
    ask_part(exchange, list);
    ask_part(exchange, exchange->service->user);
    buf_add_text(&exchange->out->request.url, ".json");
    if (page > 0) {
        buf_add_number(&number, page);
        ask_query(exchange, "page", buf_text(&number));
    }
    buf_release(&number);
}

/* ---- replies ------------------------------------------------------------- */

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
discourse_said(const struct exchange *exchange, int status)
{
    return exchange->reply->status == status &&
           json_object_is_type(jdoc_get(exchange->value, "errors"),
                               json_type_array);
}

/* How long to wait is in the body too, and behind some proxies only there. */
static void
parse_wait(struct exchange *exchange)
{
    int64_t seconds;

    if (exchange->out->err == ERR_LIMITED &&
        jdoc_integer(jdoc_get(exchange->value, "extras"), "wait_seconds",
                     &seconds) &&
        seconds > 0 && seconds <= DAY_MS / SECOND_MS &&
        seconds * SECOND_MS > exchange->out->wait) {
        exchange->out->wait = seconds * SECOND_MS;
    }
}

/* The forum names the account in a header of each reply to it, and of none
 * where it does not accept the key (lib/auth/default_current_user_provider.rb).
 */
static bool
knows_account(const struct exchange *exchange)
{
    struct buf name = BUF_INIT;
    bool known = reply_header(exchange->reply, "x-discourse-username", &name);

    buf_release(&name);
    return known;
}

bool
discourse_is_unseen(const struct exchange *exchange)
{
    return discourse_said(exchange, 403) && knows_account(exchange);
}

static void
explain_denial(struct exchange *exchange)
{
    const char *user = exchange->service->user;

    if (knows_account(exchange)) {
        exchange->out->refused = REFUSED_RIGHT;
        buf_addf(exchange->why, "; %s may not do this there", user);
        return;
    }
    exchange->out->refused = REFUSED_ACCOUNT;
    buf_addf(exchange->why,
             "; the API key is not accepted: it has to be one of %s with the "
             "scope Global, and %s must be the account's present name, and not "
             "suspended",
             user, user);
}

enum advance
discourse_refused(struct exchange *exchange)
{
    struct buf said = BUF_INIT;

    if (discourse_is_deleted(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the topic was deleted",
                            exchange->service->name);
    }
    add_errors(exchange->value, &said);
    (void)exchange_refused_with(exchange, buf_text(&said));
    buf_release(&said);
    parse_wait(exchange);
    if (exchange->reply->status == 422) {
        /* A text that the forum doesn't take, for a reason that it names. */
        exchange->out->err = ERR_DENIED;
        exchange->out->refused = REFUSED_WORDS;
    } else if (discourse_said(exchange, 403)) {
        explain_denial(exchange);
    }
    return ADVANCE_FAILED;
}

void
discourse_keep_refusal(struct exchange *exchange,
                       char refusal[DISCOURSE_SAID_MAX])
{
    (void)snprintf(refusal, DISCOURSE_SAID_MAX, "%s", buf_text(exchange->why));
    buf_clear(exchange->why);
    exchange->out->err = ERR_NONE;
    exchange->out->refused = REFUSED_RIGHT;
}

bool
discourse_is_open(const struct exchange *exchange)
{
    return !forum_is_set(exchange->value, "closed") &&
           !forum_is_set(exchange->value, "archived") &&
           forum_is_set(jdoc_get(exchange->value, "details"),
                        "can_create_post");
}

bool
discourse_is_deleted(const struct exchange *exchange)
{
    return is_success(exchange) &&
           jdoc_string(exchange->value, "deleted_at") != NULL &&
           jdoc_get(exchange->value, "post_stream") != NULL;
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
discourse_posts(const struct exchange *exchange)
{
    json_object *posts =
        jdoc_get(jdoc_get(exchange->value, "post_stream"), "posts");

    return is_success(exchange) && !discourse_is_deleted(exchange) &&
                   json_object_is_type(posts, json_type_array) &&
                   json_object_array_length(posts) <= POSTS_MAX
               ? posts
               : NULL;
}

json_object *
discourse_stream(const struct exchange *exchange)
{
    json_object *stream =
        jdoc_get(jdoc_get(exchange->value, "post_stream"), "stream");

    return discourse_posts(exchange) != NULL &&
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

bool
discourse_is_user(const struct exchange *exchange, json_object *user)
{
    int64_t number = 0;

    if (exchange->op->member != 0) {
        return jdoc_integer(user, "id", &number) &&
               number == exchange->op->member;
    }
    char *id = forum_user(jdoc_string(user, "username"));
    char *wanted = forum_user(exchange->op->user);
    bool is = id != NULL && wanted != NULL && strcmp(id, wanted) == 0;

    free(id);
    free(wanted);
    return is;
}

bool
discourse_is_self(const struct exchange *exchange, json_object *user,
                  const char *key)
{
    int64_t number = 0;

    (void)jdoc_integer(user, key, &number);
    return forum_is_self(exchange, number, jdoc_string(user, "username"));
}

/* A topic of three is no DM; nor is one with an invited group, or one that its
 * user has left. */
bool
discourse_is_private(const struct exchange *exchange)
{
    const char *archetype = jdoc_string(exchange->value, "archetype");
    json_object *details = jdoc_get(exchange->value, "details");
    json_object *users = jdoc_get(details, "allowed_users");
    json_object *groups = jdoc_get(details, "allowed_groups");
    bool private =
        archetype != NULL && strcmp(archetype, "private_message") == 0 &&
        json_object_is_type(users, json_type_array) &&
        (groups == NULL || (json_object_is_type(groups, json_type_array) &&
                            json_object_array_length(groups) == 0));
    bool here = false;

    for (size_t i = 0; private && i < json_object_array_length(users); i++) {
        json_object *user = json_object_array_get_idx(users, i);
        bool is = discourse_is_user(exchange, user);

        private = is || discourse_is_self(exchange, user, "id");
        here = here || is;
    }
    return private && here;
}

bool
discourse_has_company(const struct exchange *exchange)
{
    json_object *details = jdoc_get(exchange->value, "details");
    json_object *users = jdoc_get(details, "allowed_users");
    json_object *groups = jdoc_get(details, "allowed_groups");

    return (json_object_is_type(users, json_type_array) &&
            json_object_array_length(users) > 2) ||
           (json_object_is_type(groups, json_type_array) &&
            json_object_array_length(groups) > 0);
}

bool
discourse_is_in(const struct exchange *exchange)
{
    json_object *details = jdoc_get(exchange->value, "details");
    json_object *users = jdoc_get(details, "allowed_users");
    size_t count = json_object_is_type(users, json_type_array)
                       ? json_object_array_length(users)
                       : 0;
    bool in = false;

    for (size_t i = 0; !in && i < count; i++) {
        in = discourse_is_user(exchange, json_object_array_get_idx(users, i));
    }
    return in;
}

/* ---- who am I? ----------------------------------------------------------- */

void
discourse_ask_user(struct exchange *exchange, const char *name)
{
    discourse_ask(exchange, "GET", "/u");
    ask_part(exchange, name);
    buf_add_text(&exchange->out->request.url, ".json");
}
