/*
 * The adapter of the embedded board.  Every errand is one request; what the
 * requests and replies are stands in board_server.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "adapters/adapter.h"
#include "adapters/board_server.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    MARGIN_MS = 2000,
    PAUSE_MS = 1000
};

/* 9999-12-31T23:59:59.999Z: no service's clock is beyond it. */
#define TIME_MAX INT64_C(253402300799999)

/* Keys are kept as long as the board is: a hundred years, say. */
#define FOR_EVER_MS (36525 * DAY_MS)

/* ---- asking -------------------------------------------------------------- */

/* Begin a request with a path; what it needs more is appended by the caller. */
static void
ask(const struct service *service, struct request *request, const char *method,
    const char *path)
{
    assert(strlen(method) < sizeof(request->method));
    memcpy(request->method, method, strlen(method) + 1);
    buf_add_text(&request->url, service->base);
    buf_add_text(&request->url, path);
    request->authorized = true;
}

/* Append one member to the request's body. */
static void
ask_member(struct request *request, const char *key, const char *text)
{
    static const char type[] = "application/json";

    if (request->body.len == 0) {
        buf_add_text(&request->body, "{");
        memcpy(request->type, type, sizeof(type));
    }
    jtext_key(&request->body, key);
    jtext_string(&request->body, text);
}

static void
ask_end(struct request *request)
{
    buf_add_text(&request->body, "}");
}

/* Read a number as the board writes it. */
static bool
read_number(const char *text, int64_t *number)
{
    size_t len = strspn(text, "0123456789");

    if (len == 0 || len > 18 || text[len] != '\0') {
        return false;
    }
    *number = strtoll(text, NULL, 10);
    return true;
}

/* Where a page begins; the board is ours, so from its first post. */
static bool
read_cursor(const struct errand *errand, int64_t *after)
{
    *after = 0;
    return *errand->cursor == '\0' || read_number(errand->cursor, after);
}

static enum turn
ask_page(const struct service *service, const struct errand *errand,
         struct outcome *out, struct buf *why)
{
    int64_t after;

    if (!read_cursor(errand, &after)) {
        return outcome_fail(out, why, ERR_GARBLED,
                            "%s: the saved cursor is not a number",
                            service->name);
    }
    ask(service, &out->request, "GET", "/posts?after=");
    buf_add_number(&out->request.url, after);
    buf_addf(&out->request.url, "&limit=%d", BOARD_PAGE_MAX);
    return TURN_REQUEST;
}

static void
ask_post(const struct service *service, const struct errand *errand,
         struct request *request)
{
    ask(service, request, "POST", "/posts");
    ask_member(request, "place", errand->place);
    ask_member(request, "text", errand->text);
    ask_member(request, "key", errand->key);
    ask_end(request);
}

static void
ask_edit(const struct service *service, const struct errand *errand,
         struct request *request)
{
    ask(service, request, "PUT", "/posts/");
    url_add_part(&request->url, errand->post);
    ask_member(request, "text", errand->text);
    ask_end(request);
}

static void
ask_reaction(const struct service *service, const struct errand *errand,
             struct request *request)
{
    ask(service, request, "POST", "/posts/");
    url_add_part(&request->url, errand->post);
    buf_add_text(&request->url, "/reactions");
    ask_member(request, "text", errand->text);
    ask_end(request);
}

static enum turn
board_ask(const struct service *service, const struct errand *errand,
          struct outcome *out, struct buf *why)
{
    struct request *request = &out->request;

    switch (errand->kind) {
    case ERRAND_WHO:
    case ERRAND_PROBE:
        ask(service, request, "GET", "/who");
        break;
    case ERRAND_READ:
        return ask_page(service, errand, out, why);
    case ERRAND_SEND:
        ask_post(service, errand, request);
        break;
    case ERRAND_EDIT:
        ask_edit(service, errand, request);
        break;
    case ERRAND_FIND:
        ask(service, request, "GET", "/keys/");
        url_add_part(&request->url, errand->key);
        break;
    case ERRAND_TALK:
        ask(service, request, "POST", "/talks");
        ask_member(request, "user", errand->user);
        ask_end(request);
        break;
    case ERRAND_REACT:
        ask_reaction(service, errand, request);
        break;
    case ERRAND_DELETE:
        ask(service, request, "DELETE", "/posts/");
        url_add_part(&request->url, errand->post);
        break;
    case ERRAND_PLACE:
        /* It has one place, whatever the configuration calls it, and talks. */
        buf_add_text(&out->id, strncmp(errand->text, "talk/", 5) == 0
                                   ? errand->text
                                   : "thread");
        return TURN_DONE;
    case ERRAND_OPEN:
        ask(service, request, "POST", "/threads");
        ask_member(request, "title", errand->text);
        ask_member(request, "key", errand->key);
        ask_end(request);
        break;
    case ERRAND_PIN:
        return outcome_fail(out, why, ERR_DENIED, "%s: a board has no pins",
                            service->name);
    case ERRAND_NEWS:
        return outcome_fail(out, why, ERR_DENIED, "%s: a board has no digest",
                            service->name);
    case ERRAND_LOCK:
        return outcome_fail(out, why, ERR_DENIED, "%s: a board has no locks",
                            service->name);
    }
    return TURN_REQUEST;
}

/* ---- hearing ------------------------------------------------------------- */

/* A member that may be an id: a text of 1 to ADAPTER_ID_MAX bytes; NULL: it is
 * none. */
static const char *
hear_id(json_object *reply, const char *key)
{
    const char *id = jdoc_string(reply, key);
    size_t len = id == NULL ? 0 : strlen(id);

    return len == 0 || len > ADAPTER_ID_MAX ? NULL : id;
}

static bool
hear_time(json_object *reply, const char *key, int64_t *time)
{
    return jdoc_integer(reply, key, time) && *time >= 0 && *time <= TIME_MAX;
}

static bool
is_place(const char *place, bool *talk)
{
    *talk = strncmp(place, "talk/", 5) == 0 && place[5] != '\0';
    return *talk || strcmp(place, "thread") == 0 ||
           strncmp(place, "thread/", 7) == 0;
}

static char *
copy_number(int64_t number)
{
    struct buf text = BUF_INIT;

    buf_add_number(&text, number);
    return buf_take(&text);
}

/* Read one post into the page; false: it is garbled.  Ids rise, or the next
 * cursor would miss posts or stand still. */
static bool
hear_post(const struct service *service, json_object *value, int64_t *last,
          struct outcome *out)
{
    const char *place = hear_id(value, "place");
    const char *author = hear_id(value, "author");
    const char *text = jdoc_string(value, "text");
    int64_t id;
    int64_t stamp;
    int64_t edited;
    bool talk;

    if (place == NULL || author == NULL || text == NULL ||
        !is_place(place, &talk)) {
        return false;
    }
    if (!jdoc_integer(value, "id", &id) || id <= *last) {
        return false;
    }
    if (!hear_time(value, "stamp", &stamp) ||
        !hear_time(value, "edited", &edited)) {
        return false;
    }
    struct post *post = page_add(&out->page);

    post->id = copy_number(id);
    post->place = must_copy(place);
    post->author = must_copy(author);
    post->author_name = must_copy(author);
    post->body = must_copy(text);
    post->body_len = strlen(text);
    post->stamp = stamp;
    post->edited = edited;
    post->talk = talk;
    post->own = strcmp(author, service->self) == 0;
    *last = id;
    return true;
}

/* Up to when the feed is surely read.  Where more is to come, the next post may
 * have the same stamp as the last one here. */
static int64_t
read_through(const struct outcome *out, int64_t time)
{
    if (out->more) {
        return out->page.posts[out->page.count - 1].stamp - 1;
    }
    return time - MARGIN_MS;
}

static bool
hear_page(const struct service *service, const struct errand *errand,
          json_object *reply, struct outcome *out)
{
    json_object *posts = jdoc_get(reply, "posts");
    int64_t last;
    int64_t time;

    if (!json_object_is_type(posts, json_type_array) ||
        json_object_array_length(posts) > BOARD_PAGE_MAX ||
        !hear_time(reply, "time", &time) ||
        !jdoc_bool(reply, "more", &out->more) || !read_cursor(errand, &last)) {
        return false;
    }
    size_t count = json_object_array_length(posts);

    for (size_t i = 0; i < count; i++) {
        json_object *post = json_object_array_get_idx(posts, i);

        if (!hear_post(service, post, &last, out)) {
            return false;
        }
    }
    if (out->more && count == 0) {
        return false;
    }
    buf_add_number(&out->cursor, last);
    out->through = read_through(out, time);
    return true;
}

/* Hear the id of a post, a number; `none`: it may be 0, for none. */
static bool
hear_post_id(json_object *reply, bool none, struct outcome *out)
{
    int64_t id;

    if (!jdoc_integer(reply, "id", &id) || id < 0 || (id == 0 && !none)) {
        return false;
    }
    if (id != 0) {
        buf_add_number(&out->id, id);
    }
    return true;
}

static bool
hear_who(json_object *reply, struct outcome *out)
{
    const char *id = hear_id(reply, "id");
    const char *name = hear_id(reply, "name");

    if (id == NULL || name == NULL) {
        return false;
    }
    buf_add_text(&out->id, id);
    buf_add_text(&out->shown, name);
    return true;
}

/* Hear where a talk, or a thread, is. */
static bool
hear_place(json_object *reply, bool talk, struct outcome *out)
{
    const char *place = hear_id(reply, "place");
    bool is_talk;

    if (place == NULL || !is_place(place, &is_talk) || is_talk != talk) {
        return false;
    }
    buf_add_text(&out->id, place);
    return true;
}

/* What the host may do does not differ from place to place: all that a board
 * has. */
static bool
hear_rights(json_object *reply, struct outcome *out)
{
    if (hear_id(reply, "id") == NULL) {
        return false;
    }
    out->rights = RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_TALK |
                  RIGHT_REACT | RIGHT_DELETE;
    return true;
}

/* Read what an errand's request was answered (NULL: no JSON, or null); false:
 * it is garbled. */
static bool
hear_value(const struct service *service, const struct errand *errand,
           json_object *reply, struct outcome *out)
{
    int64_t time;

    switch (errand->kind) {
    case ERRAND_WHO:
        return hear_who(reply, out);
    case ERRAND_PROBE:
        return hear_rights(reply, out);
    case ERRAND_READ:
        return hear_page(service, errand, reply, out);
    case ERRAND_SEND:
        return hear_post_id(reply, false, out);
    case ERRAND_FIND:
        return hear_post_id(reply, true, out);
    case ERRAND_TALK:
        return hear_place(reply, true, out);
    case ERRAND_OPEN:
        return hear_place(reply, false, out);
    case ERRAND_EDIT:
    case ERRAND_REACT:
    case ERRAND_DELETE:
        return hear_time(reply, "time", &time);
    case ERRAND_PLACE:
    case ERRAND_PIN:
    case ERRAND_NEWS:
    case ERRAND_LOCK:
        break; /* nothing was asked */
    }
    return false;
}

/* Read a reply's body; NULL: it is no JSON, and `trouble` says why. */
static json_object *
hear_body(const struct reply *reply, struct buf *trouble)
{
    json_object *value = NULL;
    enum err err = jdoc_parse(reply->body != NULL ? reply->body : "",
                              reply->len, false, &value, trouble);

    return err == ERR_NONE ? value : NULL;
}

/* A reply that says no; its sentence, where it has one, goes into `why`. */
static enum turn
hear_refusal(const struct service *service, const struct reply *reply,
             struct outcome *out, struct buf *why)
{
    struct buf trouble = BUF_INIT;
    json_object *value = hear_body(reply, &trouble);
    const char *said = jdoc_string(value, "error");
    enum turn turn =
        outcome_refused(service, reply, said != NULL ? said : "", out, why);

    json_object_put(value);
    buf_release(&trouble);
    return turn;
}

static enum turn
hear_answer(const struct service *service, const struct errand *errand,
            const struct reply *reply, struct outcome *out, struct buf *why)
{
    struct buf trouble = BUF_INIT;
    json_object *value = hear_body(reply, &trouble);
    enum turn turn = TURN_DONE;

    if (!hear_value(service, errand, value, out)) {
        const char *what = trouble.len > 0 ? buf_text(&trouble)
                                           : "the reply is not what was "
                                             "asked for";

        turn =
            outcome_fail(out, why, ERR_GARBLED, "%s: %s", service->name, what);
    }
    json_object_put(value);
    buf_release(&trouble);
    return turn;
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
board_turn(const struct service *service, const struct errand *errand,
           struct buf *work, const struct reply *reply, struct outcome *out,
           struct buf *why)
{
    (void)work; /* one request an errand */
    if (reply == NULL) {
        return board_ask(service, errand, out, why);
    }
    if (reply_err(reply) != ERR_NONE) {
        return hear_refusal(service, reply, out, why);
    }
    return hear_answer(service, errand, reply, out, why);
}

/* All posts, those of the talks too, come in one feed. */
static void
board_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "board");
}

const struct adapter adapter_board = {
    .name = "board",
    .base = "board:",
    .dialect = &dialect_board,
    .traits =
        {
            .longest = 10000, /* at most 4 bytes each: BOARD_TEXT_MAX */
            .shortest = 0,
            .dedupe = FOR_EVER_MS,
            .margin = MARGIN_MS,
            .pause = PAUSE_MS,
            .reactions = true,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = false,
            .threads = true,
            .shows_edits = true,
            .tells_talks = true,
            .red = true,
            .red_required = true,
            .finds = true,
        },
    .turn = board_turn,
    .feed = board_feed,
};
