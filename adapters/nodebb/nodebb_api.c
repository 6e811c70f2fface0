/*
 * NodeBB: what the whole adapter shares: requests and refusals.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- asking -------------------------------------------------------------- */

static void
add_number_query(struct exchange *exchange, const char *key, int64_t number)
{
    char text[FORUM_ID_MAX + 2];

    (void)snprintf(text, sizeof(text), "%lld", (long long)number);
    ask_query(exchange, key, text);
}

void
nodebb_ask_page(struct exchange *exchange, const char *topic, int64_t page)
{
    ask(exchange, "GET", "/api/topic");
    ask_part(exchange, topic);
    add_number_query(exchange, "page", page);
    /* However the account, or the forum, likes it (controllers/topics.js). */
    ask_query(exchange, "sort", "oldest_to_newest");
}

void
nodebb_ask_queue(struct exchange *exchange, const char *id)
{
    ask(exchange, "GET", "/api/post-queue");
    ask_part(exchange, id);
}

/* Any slug will do. */
void
nodebb_ask_position(struct exchange *exchange, const char *topic,
                    int64_t position)
{
    ask(exchange, "GET", "/api/topic");
    ask_part(exchange, topic);
    buf_addf(&exchange->out->request.url, "/post/%lld", (long long)position);
    ask_query(exchange, "sort", "oldest_to_newest");
}

void
nodebb_ask_messages(struct exchange *exchange, const char *room, int64_t start)
{
    ask(exchange, "GET", "/api/v3/chats");
    ask_part(exchange, room);
    buf_add_text(&exchange->out->request.url, "/messages");
    add_number_query(exchange, "start", start);
}

void
nodebb_ask_user(struct exchange *exchange, const char *slug)
{
    ask(exchange, "GET", "/api/user");
    ask_part(exchange, slug);
}

/* ---- replies ------------------------------------------------------------- */

json_object *
nodebb_response(const struct exchange *exchange)
{
    json_object *response = jdoc_get(exchange->value, "response");

    return is_success(exchange) &&
                   json_object_is_type(response, json_type_object)
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
nodebb_posts(const struct exchange *exchange, int64_t *pages)
{
    json_object *posts =
        is_success(exchange) ? nodebb_list(exchange->value, "posts") : NULL;

    return jdoc_integer(jdoc_get(exchange->value, "pagination"), "pageCount",
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

bool
nodebb_is_self(const struct exchange *exchange, json_object *user)
{
    int64_t uid = 0;

    (void)jdoc_integer(user, "uid", &uid);
    return forum_is_self(exchange, uid, jdoc_string(user, "userslug"));
}

/* ---- refusals -------------------------------------------------------------
 *
 * What a refusal is only its sentence says (public/language/en-GB/error.json),
 * which is asked for in English.
 */

/* The number behind some words of a sentence; 0: they are not there. */
static int64_t
number_behind(const char *message, const char *words, char **end)
{
    const char *at = strstr(message, words);

    if (at == NULL) {
        return 0;
    }
    int64_t number = strtoll(at + strlen(words), end, 10);

    return number <= 0                   ? 0
           : number > DAY_MS / SECOND_MS ? DAY_MS / SECOND_MS
                                         : number;
}

/* How long a refusal asks to wait, in seconds; 0: it is none for that reason.
 * "You can only post once every 10 second(s)", "As a new user, you can only
 * post once every 2 minute(s)", "Sorry, you are required to wait 10 second(s)
 * before making your first post"; two that name no time. */
static int64_t
seconds_in(const char *message)
{
    char *end = NULL;
    int64_t number = number_behind(message, "once every ", &end);

    if (number == 0) {
        number = number_behind(message, "required to wait ", &end);
    }
    if (number != 0) {
        return strncmp(end, " second", 7) == 0   ? number
               : strncmp(end, " minute", 7) == 0 ? 60 * number
                                                 : 0;
    }
    return strstr(message, "already posting") != NULL     ? 1
           : strstr(message, "too many messages") != NULL ? NODEBB_WHILE
                                                          : 0;
}

/* What is refused by a 400, by words of its sentence. */
static const struct refusal {
    const char *words;
    enum err err;
    enum refused refused;
} refusals[] = {
    {"have been muted", ERR_DENIED, REFUSED_WRITING},
    {"Topic locked", ERR_DENIED, REFUSED_RIGHT},
    {"topic-deleted", ERR_DENIED, REFUSED_RIGHT},
    {"Chat system disabled", ERR_DENIED, REFUSED_RIGHT},
    {"reputation to chat", ERR_DENIED, REFUSED_RIGHT},
    {"not allowed to edit this", ERR_DENIED, REFUSED_RIGHT},
    {"have been blocked", ERR_DENIED, REFUSED_PERSON},
    {"restricted their chat", ERR_DENIED, REFUSED_PERSON},
    {"reputation to post links", ERR_DENIED, REFUSED_EXTRA},
    {"master token", ERR_DENIED, REFUSED_ACCOUNT},
    {"enter a shorter", ERR_FULL, REFUSED_WORDS},
    {"can not be longer than", ERR_FULL, REFUSED_WORDS},
    {"only allowed to edit posts for", ERR_GONE, REFUSED_RIGHT},
    {"Invalid Chat Message ID", ERR_GONE, REFUSED_RIGHT},
    {"does not exist", ERR_GONE, REFUSED_RIGHT},
    /* Too short, or whatever a plugin has against it. */
    {"", ERR_DENIED, REFUSED_WORDS},
};

static const struct refusal *
find_refusal(const char *message)
{
    const struct refusal *refusal = refusals;

    while (strstr(message, refusal->words) == NULL) {
        refusal++;
    }
    return refusal;
}

/* A 400 does not mean a wrong request, but a text that isn't accepted. */
enum advance
nodebb_refused(struct exchange *exchange)
{
    const char *message =
        jdoc_string(jdoc_get(exchange->value, "status"), "message");
    struct outcome *out = exchange->out;

    (void)exchange_refused_with(exchange, message == NULL ? "" : message);
    out->refused =
        exchange->reply->status == 401 ? REFUSED_ACCOUNT : REFUSED_RIGHT;
    if (exchange->reply->status == 400 && message != NULL) {
        int64_t seconds = seconds_in(message);
        const struct refusal *refusal = find_refusal(message);

        out->err = seconds > 0 ? ERR_LIMITED : refusal->err;
        out->refused = seconds > 0 ? REFUSED_RIGHT : refusal->refused;
        out->wait = seconds * SECOND_MS;
    }
    return ADVANCE_FAILED;
}

bool
nodebb_is_guest(const struct exchange *exchange)
{
    bool known = true;

    return jdoc_bool(exchange->value, "loggedIn", &known) && !known;
}

enum advance
nodebb_refuse_guest(struct exchange *exchange)
{
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                       "%s: the forum does not know the token any more",
                       exchange->service->name);
    exchange->out->refused = REFUSED_ACCOUNT;
    return ADVANCE_FAILED;
}
