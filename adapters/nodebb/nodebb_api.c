/*
 * NodeBB: what all matters of the adapter share: how it is asked, what it
 * refuses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
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
nodebb_ask_queue(struct trip *trip, const char *id)
{
    ask(trip, "GET", "/api/post-queue");
    ask_part(trip, id);
}

/* Any slug will do. */
void
nodebb_ask_position(struct trip *trip, const char *topic, int64_t position)
{
    ask(trip, "GET", "/api/topic");
    ask_part(trip, topic);
    buf_addf(&trip->out->request.url, "/post/%lld", (long long)position);
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

void
nodebb_ask_user(struct trip *trip, const char *slug)
{
    ask(trip, "GET", "/api/user");
    ask_part(trip, slug);
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
    {"have been muted", ERR_DENIED, REFUSED_RIGHT},
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

/* A 400 is no request of ours that is wrong, but a text that isn't taken. */
enum turn
nodebb_refused(struct trip *trip)
{
    const char *message =
        jdoc_string(jdoc_get(trip->value, "status"), "message");
    struct outcome *out = trip->out;

    (void)trip_refused_with(trip, message == NULL ? "" : message);
    out->refused = trip->reply->status == 401 ? REFUSED_ACCOUNT : REFUSED_RIGHT;
    if (trip->reply->status == 400 && message != NULL) {
        int64_t seconds = seconds_in(message);
        const struct refusal *refusal = find_refusal(message);

        out->err = seconds > 0 ? ERR_LIMITED : refusal->err;
        out->refused = seconds > 0 ? REFUSED_RIGHT : refusal->refused;
        out->wait = seconds * SECOND_MS;
    }
    return TURN_FAILED;
}
