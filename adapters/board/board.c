/*
 * The adapter of the embedded board.  Every errand is one request; what the
 * requests and replies are stands in board_server.h.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/board/board_server.h"
#include "adapters/exchange.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    MARGIN_MS = 2000,
    PAUSE_MS = 1000
};

/* Keys are kept as long as the board is: a hundred years, say. */
#define FOR_EVER_MS (36525 * DAY_MS)

/* ---- asking -------------------------------------------------------------- */

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
ask_page(struct trip *trip)
{
    struct buf *url = &trip->out->request.url;
    int64_t after;

    if (!read_cursor(trip->errand, &after)) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the saved cursor is not a number",
                            trip->service->name);
    }
    ask(trip, "GET", "/posts?after=");
    buf_add_number(url, after);
    buf_addf(url, "&limit=%d", BOARD_PAGE_MAX);
    return TURN_REQUEST;
}

/* Begin a request about the errand's post: "/reactions" is below it. */
static void
ask_about(struct trip *trip, const char *method, const char *below)
{
    ask(trip, method, "/posts");
    ask_part(trip, trip->errand->post);
    buf_add_text(&trip->out->request.url, below);
}

static enum turn
lacks(struct trip *trip, const char *what)
{
    return outcome_fail(trip->out, trip->why, ERR_DENIED,
                        "%s: a board has no %s", trip->service->name, what);
}

static enum turn
board_ask(struct trip *trip)
{
    const struct errand *errand = trip->errand;

    switch (errand->kind) {
    case ERRAND_WHO:
    case ERRAND_PROBE:
        ask(trip, "GET", "/who");
        break;
    case ERRAND_READ:
        return ask_page(trip);
    case ERRAND_SEND:
        ask(trip, "POST", "/posts");
        ask_text(trip, "place", errand->place);
        ask_text(trip, "text", errand->text);
        ask_text(trip, "key", errand->key);
        ask_end(trip, "");
        break;
    case ERRAND_EDIT:
        ask_about(trip, "PUT", "");
        ask_text(trip, "text", errand->text);
        ask_end(trip, "");
        break;
    case ERRAND_FIND:
        ask(trip, "GET", "/keys");
        ask_part(trip, errand->key);
        break;
    case ERRAND_TALK:
        ask(trip, "POST", "/talks");
        ask_text(trip, "user", errand->user);
        ask_end(trip, "");
        break;
    case ERRAND_REACT:
        ask_about(trip, "POST", "/reactions");
        ask_text(trip, "text", errand->text);
        ask_end(trip, "");
        break;
    case ERRAND_DELETE:
        ask_about(trip, "DELETE", "");
        break;
    case ERRAND_PLACE:
        /* It has one place, whatever the configuration calls it, and talks. */
        buf_add_text(&trip->out->id, strncmp(errand->text, "talk/", 5) == 0
                                         ? errand->text
                                         : "thread");
        return TURN_DONE;
    case ERRAND_OPEN:
        ask(trip, "POST", "/threads");
        ask_text(trip, "title", errand->text);
        ask_text(trip, "key", errand->key);
        ask_end(trip, "");
        break;
    case ERRAND_PIN:
        return lacks(trip, "pins");
    case ERRAND_NEWS:
        return lacks(trip, "digest");
    case ERRAND_LOCK:
        return lacks(trip, "locks");
    case ERRAND_USER:
        break; /* take_turn has answered */
    }
    return TURN_REQUEST;
}

/* ---- hearing ------------------------------------------------------------- */

/* A member that may be the id of a user or a place.  A board's users are their
 * names, which may have blanks; NULL: it is none. */
static const char *
hear_name(json_object *reply, const char *key)
{
    const char *id = jdoc_string(reply, key);
    size_t len = id == NULL ? 0 : strlen(id);

    return len == 0 || len > ADAPTER_ID_MAX ? NULL : id;
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
hear_post(struct trip *trip, json_object *value, int64_t *last)
{
    const char *place = hear_name(value, "place");
    const char *author = hear_name(value, "author");
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
    struct post *post = page_add(&trip->out->page);

    post->id = copy_number(id);
    post->place = must_copy(place);
    post->author = must_copy(author);
    post->author_name = must_copy(author);
    post->body = must_copy(text);
    post->body_len = strlen(text);
    post->stamp = stamp;
    post->edited = edited;
    post->talk = talk;
    post->own = strcmp(author, trip->service->self) == 0;
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
hear_page(struct trip *trip)
{
    struct outcome *out = trip->out;
    json_object *posts = jdoc_get(trip->value, "posts");
    int64_t last;
    int64_t time;

    if (!json_object_is_type(posts, json_type_array) ||
        json_object_array_length(posts) > BOARD_PAGE_MAX ||
        !hear_time(trip->value, "time", &time) ||
        !jdoc_bool(trip->value, "more", &out->more) ||
        !read_cursor(trip->errand, &last)) {
        return false;
    }
    size_t count = json_object_array_length(posts);

    for (size_t i = 0; i < count; i++) {
        json_object *post = json_object_array_get_idx(posts, i);

        if (!hear_post(trip, post, &last)) {
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
    const char *id = hear_name(reply, "id");
    const char *name = hear_name(reply, "name");

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
    const char *place = hear_name(reply, "place");
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
    if (hear_name(reply, "id") == NULL) {
        return false;
    }
    out->rights = RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_TALK |
                  RIGHT_REACT | RIGHT_DELETE | RIGHT_OPEN;
    return true;
}

/* Read what an errand's request was answered; false: it is garbled. */
static bool
hear_value(struct trip *trip)
{
    json_object *reply = trip->value;
    struct outcome *out = trip->out;
    int64_t time;

    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return hear_who(reply, out);
    case ERRAND_PROBE:
        return hear_rights(reply, out);
    case ERRAND_READ:
        return hear_page(trip);
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
    case ERRAND_USER:
        break; /* nothing was asked */
    }
    return false;
}

/* ---- the adapter --------------------------------------------------------- */

/* One request an errand. */
static enum turn
take_turn(struct trip *trip)
{
    if (trip->errand->kind == ERRAND_USER) {
        /* A user's id is the name, and every name can post. */
        buf_add_text(&trip->out->id, trip->errand->text);
        buf_add_text(&trip->out->shown, trip->errand->text);
        return TURN_DONE;
    }
    if (trip->reply == NULL) {
        return board_ask(trip);
    }
    if (heard_well(trip) && hear_value(trip)) {
        return TURN_DONE;
    }
    const char *said = jdoc_string(trip->value, "error");

    return trip_refused_with(trip, said != NULL ? said : "");
}

static enum turn
board_turn(const struct service *service, const struct errand *errand,
           struct buf *work, const struct reply *reply, struct outcome *out,
           struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
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
