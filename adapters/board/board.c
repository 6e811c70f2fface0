/*
 * The adapter for the embedded board.  Every operation is one request;
 * board_server.h describes requests and replies.
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

/* Where a page begins; the board is ours, so at its first post. */
static bool
read_cursor(const struct op *op, int64_t *after)
{
    *after = 0;
    return *op->cursor == '\0' || read_number(op->cursor, after);
}

static enum advance
ask_page(struct exchange *exchange)
{
    struct buf *url = &exchange->out->request.url;
    int64_t after;

    if (!read_cursor(exchange->op, &after)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the saved cursor is not a number",
                            exchange->service->name);
    }
    ask(exchange, "GET", "/posts?after=");
    buf_add_number(url, after);
    buf_addf(url, "&limit=%d", BOARD_PAGE_MAX);
    return ADVANCE_REQUEST;
}

/* Begin a request about the operation's post, or something below it, such as
 * "/reactions". */
static void
ask_about(struct exchange *exchange, const char *method, const char *below)
{
    ask(exchange, method, "/posts");
    ask_part(exchange, exchange->op->post);
    buf_add_text(&exchange->out->request.url, below);
}

static enum advance
board_ask(struct exchange *exchange)
{
    const struct op *op = exchange->op;

    switch (op->kind) {
    case OP_WHO:
    case OP_PROBE:
        ask(exchange, "GET", "/who");
        break;
    case OP_READ:
        return ask_page(exchange);
    case OP_SEND:
        ask(exchange, "POST", "/posts");
        ask_text(exchange, "place", op->place);
        ask_text(exchange, "text", op->text);
        ask_text(exchange, "key", op->key);
        ask_end(exchange, "");
        break;
    case OP_EDIT:
        ask_about(exchange, "PUT", "");
        ask_text(exchange, "text", op->text);
        ask_end(exchange, "");
        break;
    case OP_FIND:
        ask(exchange, "GET", "/keys");
        ask_part(exchange, op->key);
        break;
    case OP_DM:
        ask(exchange, "POST", "/dms");
        ask_text(exchange, "user", op->user);
        ask_end(exchange, "");
        break;
    case OP_REACT:
        ask_about(exchange, "POST", "/reactions");
        ask_text(exchange, "text", op->text);
        ask_end(exchange, "");
        break;
    case OP_DELETE:
        ask_about(exchange, "DELETE", "");
        break;
    case OP_PLACE:
        /* The board has one place, whatever the configuration calls it, and
         * DMs. */
        buf_add_text(&exchange->out->id,
                     strncmp(op->text, "talk/", 5) == 0 ? op->text : "thread");
        return ADVANCE_DONE;
    case OP_OPEN:
        ask(exchange, "POST", "/threads");
        ask_text(exchange, "title", op->text);
        ask_text(exchange, "key", op->key);
        ask_end(exchange, "");
        break;
    case OP_INVITE:
        ask(exchange, "POST", "/galleries");
        ask_text(exchange, "title", op->text);
        ask_text(exchange, "key", op->key);
        ask_text(exchange, "user", op->user);
        ask_end(exchange, "");
        break;
    case OP_USER:
        /* A user's id is the name, and every name can post. */
        buf_add_text(&exchange->out->id, op->text);
        buf_add_text(&exchange->out->shown, op->text);
        return ADVANCE_DONE;
    case OP_PIN:
    case OP_UPDATES:
    case OP_LOCK:
    case OP_BELL:
    case OP_ACKNOWLEDGE:
    case OP_REPLY:
    case OP_SUGGEST:
    case OP_COMMANDS:
    case OP_PLACES:
    case OP_SITE:
    case OP_MAKE:
    case OP_APPOINT:
    case OP_ROLES:
    case OP_GRANT:
        return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                            "%s: a board lacks that", exchange->service->name);
    }
    return ADVANCE_REQUEST;
}

/* ---- replies ------------------------------------------------------------- */

/* A member that can be the id of a user or place.  A board's users are their
 * names, which may have blanks; NULL: it is not an id. */
static const char *
parse_name(json_object *reply, const char *key)
{
    const char *id = jdoc_string(reply, key);
    size_t len = id == NULL ? 0 : strlen(id);

    return len == 0 || len > ADAPTER_ID_MAX ? NULL : id;
}

static bool
is_gallery(const char *place)
{
    return strncmp(place, "gallery/", 8) == 0;
}

static bool
is_place(const char *place, bool *dm)
{
    *dm = strncmp(place, "talk/", 5) == 0 && place[5] != '\0';
    return *dm || strcmp(place, "thread") == 0 ||
           strncmp(place, "thread/", 7) == 0 || is_gallery(place);
}

static char *
copy_number(int64_t number)
{
    struct buf text = BUF_INIT;

    buf_add_number(&text, number);
    return buf_take(&text);
}

/* Read one post into the page; false: it is garbled.  Ids must rise, or the
 * next cursor would miss posts or stand still. */
static bool
parse_post(struct exchange *exchange, json_object *value, int64_t *last)
{
    const char *place = parse_name(value, "place");
    const char *author = parse_name(value, "author");
    const char *text = jdoc_string(value, "text");
    int64_t id;
    int64_t stamp;
    int64_t edited;
    int64_t reply = 0;
    bool dm;

    if (place == NULL || author == NULL || text == NULL ||
        !is_place(place, &dm)) {
        return false;
    }
    if (!jdoc_integer(value, "id", &id) || id <= *last) {
        return false;
    }
    if (!parse_time(value, "stamp", &stamp) ||
        !parse_time(value, "edited", &edited)) {
        return false;
    }
    if (jdoc_get(value, "reply") != NULL &&
        (!jdoc_integer(value, "reply", &reply) || reply < 0)) {
        return false;
    }
    struct post *post = page_add(&exchange->out->page);

    post->id = copy_number(id);
    post->place = must_copy(place);
    post->author = must_copy(author);
    post->author_name = must_copy(author);
    post->body = must_copy(text);
    post->body_len = strlen(text);
    post->stamp = stamp;
    post->edited = edited;
    post->dm = dm;
    post->reply_to = reply == 0 ? NULL : copy_number(reply);
    post->own = strcmp(author, exchange->service->self) == 0;
    *last = id;
    return true;
}

/* The time up to which the feed has surely been read.  If there are more pages,
 * the next post may have the same stamp as the last one here. */
static int64_t
read_through(const struct outcome *out, int64_t time)
{
    if (out->more) {
        return out->page.posts[out->page.count - 1].stamp - 1;
    }
    return time - MARGIN_MS;
}

static bool
parse_page(struct exchange *exchange)
{
    struct outcome *out = exchange->out;
    json_object *posts = jdoc_get(exchange->value, "posts");
    int64_t last;
    int64_t time;

    if (!json_object_is_type(posts, json_type_array) ||
        json_object_array_length(posts) > BOARD_PAGE_MAX ||
        !parse_time(exchange->value, "time", &time) ||
        !jdoc_bool(exchange->value, "more", &out->more) ||
        !read_cursor(exchange->op, &last)) {
        return false;
    }
    size_t count = json_object_array_length(posts);

    for (size_t i = 0; i < count; i++) {
        json_object *post = json_object_array_get_idx(posts, i);

        if (!parse_post(exchange, post, &last)) {
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

/* Read the id of a post, a number; `none`: it may be 0, for none. */
static bool
parse_post_id(json_object *reply, bool none, struct outcome *out)
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

/* It knows all keys. */
static bool
parse_found(struct exchange *exchange)
{
    if (!parse_post_id(exchange->value, true, exchange->out)) {
        return false;
    }
    (void)exchange_looked(exchange, FOUND_NOTHING);
    return true;
}

static bool
parse_who(json_object *reply, struct outcome *out)
{
    const char *id = parse_name(reply, "id");
    const char *name = parse_name(reply, "name");

    if (id == NULL || name == NULL) {
        return false;
    }
    buf_add_text(&out->id, id);
    buf_add_text(&out->shown, name);
    return true;
}

/* Read the place of a DM, a thread or a gallery. */
static bool
parse_place(json_object *reply, enum op_kind kind, struct outcome *out)
{
    const char *place = parse_name(reply, "place");
    bool is_dm;

    if (place == NULL || !is_place(place, &is_dm) || is_dm != (kind == OP_DM) ||
        is_gallery(place) != (kind == OP_INVITE)) {
        return false;
    }
    buf_add_text(&out->id, place);
    return true;
}

/* The host may do everything, in every place. */
static bool
parse_rights(json_object *reply, struct outcome *out)
{
    if (parse_name(reply, "id") == NULL) {
        return false;
    }
    out->rights = RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DM |
                  RIGHT_REACT | RIGHT_DELETE | RIGHT_OPEN;
    return true;
}

/* Read the reply to an operation's request; false: it is garbled. */
static bool
parse_value(struct exchange *exchange)
{
    json_object *reply = exchange->value;
    struct outcome *out = exchange->out;
    int64_t time;

    switch (exchange->op->kind) {
    case OP_WHO:
        return parse_who(reply, out);
    case OP_PROBE:
        return parse_rights(reply, out);
    case OP_READ:
        return parse_page(exchange);
    case OP_SEND:
        return parse_post_id(reply, false, out);
    case OP_FIND:
        return parse_found(exchange);
    case OP_DM:
    case OP_OPEN:
    case OP_INVITE:
        return parse_place(reply, exchange->op->kind, out);
    case OP_EDIT:
    case OP_REACT:
    case OP_DELETE:
        return parse_time(reply, "time", &time);
    case OP_PLACE:
    case OP_PIN:
    case OP_UPDATES:
    case OP_LOCK:
    case OP_USER:
    case OP_BELL:
    case OP_ACKNOWLEDGE:
    case OP_REPLY:
    case OP_SUGGEST:
    case OP_COMMANDS:
    case OP_PLACES:
    case OP_SITE:
    case OP_MAKE:
    case OP_APPOINT:
    case OP_ROLES:
    case OP_GRANT:
        break; /* they send no request */
    }
    return false;
}

/* ---- the adapter --------------------------------------------------------- */

/* One request per operation. */
static enum advance
take_step(struct exchange *exchange)
{
    if (exchange->reply == NULL) {
        return board_ask(exchange);
    }
    if (is_success(exchange) && parse_value(exchange)) {
        return ADVANCE_DONE;
    }
    const char *said = jdoc_string(exchange->value, "error");

    return exchange_refused_with(exchange, said != NULL ? said : "");
}

static enum advance
board_advance(const struct service *service, const struct op *op,
              struct buf *scratch, const struct reply *reply,
              struct outcome *out, struct buf *why)
{
    return exchange_advance(take_step, NULL, service, op, scratch, reply, out,
                            why);
}

/* All posts come in one feed, including those in DMs. */
static void
board_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "board");
}

const struct adapter adapter_board = {
    .name = "board",
    .dialect = &dialect_board,
    .capabilities =
        {
            .longest = 10000, /* at most 4 bytes each: BOARD_TEXT_MAX */
            .dedupe = FOR_EVER_MS,
            .margin = MARGIN_MS,
            .pause = PAUSE_MS,
            .reactions = true,
            .edits = true,
            .deletes = true,
            .threads = true,
            .galleries = true,
            .red = true,
            .finds = true,
        },
    .advance = board_advance,
    .feed = board_feed,
};
