#include "adapters/board/board_server.h"

#include <string.h>

#include <json-c/json.h>

#include "adapters/board/board_file.h"
#include "bot/base/json.h"
#include "bot/base/text.h"

enum {
    PAGE_BYTES = 1 << 20, /* once a page is longer, it gets no more posts */
    PARTS_MAX = 3,        /* of a path */
};

enum {
    STATUS_OK = 200,
    STATUS_WRONG = 400,
    STATUS_DENIED = 403,
    STATUS_MISSING = 404,
    STATUS_METHOD = 405,
    STATUS_LONG = 413,
    STATUS_FAULT = 500,
    STATUS_BUSY = 503,
};

/* ---- requests ------------------------------------------------------------ */

/* One request on its way through here. */
struct call {
    struct board *board;
    const char *caller;
    bool host;
    int64_t now;
    int64_t time; /* the board's clock, once it was read */
    struct buf parts[PARTS_MAX];
    int count;
    const char *query;       /* "" or what follows the question mark */
    const struct buf *given; /* the request's body */
    struct buf *body;        /* the reply's */
    enum err failed;         /* the file has */
    struct buf why;
};

static int
refuse(struct call *call, int status, const char *sentence)
{
    buf_clear(call->body);
    buf_add_text(call->body, "{");
    jtext_add_text(call->body, "error", sentence);
    buf_add_text(call->body, "}");
    return status;
}

/* Refuse a text that must not be posted. */
static int
refuse_draft(struct call *call, enum err err)
{
    return refuse(call, err == ERR_FULL ? STATUS_LONG : STATUS_WRONG,
                  buf_text(&call->why));
}

static int
answer_end(struct call *call)
{
    jtext_add_number(call->body, "time", call->time);
    buf_add_text(call->body, "}");
    return STATUS_OK;
}

static void
call_time(struct call *call)
{
    call->time = board_time(call->board, call->now);
}

/* Read a whole decimal number; false: it is not one. */
static bool
read_number(const char *text, size_t len, int64_t *number)
{
    if (len == 0 || len > BOARD_DIGITS_MAX) {
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *number = *number * 10 + (text[i] - '0');
    }
    return true;
}

/* May the caller see a place and write there? */
static bool
caller_sees(struct call *call, const char *place)
{
    return call->host || board_is_thread(place) ||
           (strncmp(place, "talk/", 5) == 0 &&
            strcmp(place + 5, call->caller) == 0) ||
           board_is_member(call->board, place, call->caller);
}

/* The request's body as an object, which the caller must put; NULL: it is not
 * an object, and the refusal was written. */
static json_object *
given_object(struct call *call)
{
    json_object *value;
    enum err err = jdoc_parse(buf_text(call->given), call->given->len, true,
                              &value, &call->why);

    if (err != ERR_NONE) {
        refuse(call, STATUS_WRONG, "the body is not JSON");
        return NULL;
    }
    if (!json_object_is_type(value, json_type_object)) {
        json_object_put(value);
        refuse(call, STATUS_WRONG, "the body is not an object");
        return NULL;
    }
    return value;
}

static int
serve_who(struct call *call)
{
    call_time(call);
    buf_add_text(call->body, "{");
    jtext_add_text(call->body, "id", call->caller);
    jtext_add_text(call->body, "name", call->caller);
    return answer_end(call);
}

/* Read one "name=number" of a query. */
static bool
read_argument(const char *text, size_t len, int64_t *after, int64_t *limit)
{
    if (len > 6 && memcmp(text, "after=", 6) == 0) {
        return read_number(text + 6, len - 6, after);
    }
    if (len > 6 && memcmp(text, "limit=", 6) == 0) {
        return read_number(text + 6, len - 6, limit);
    }
    return false;
}

static bool
read_query(const char *query, int64_t *after, int64_t *limit)
{
    while (*query != '\0') {
        size_t len = strcspn(query, "&");

        if (!read_argument(query, len, after, limit)) {
            return false;
        }
        query += len;
        query += *query == '&' ? 1 : 0;
    }
    return true;
}

static void
answer_post(struct call *call, sqlite3_stmt *rows)
{
    jtext_comma(call->body);
    buf_add_text(call->body, "{");
    jtext_add_number(call->body, "id", db_int(rows, 0));
    jtext_add_text(call->body, "place", db_text(rows, 1));
    jtext_add_text(call->body, "author", db_text(rows, 2));
    jtext_add_text(call->body, "text", db_text(rows, 3));
    jtext_add_number(call->body, "stamp", db_int(rows, 4));
    jtext_add_number(call->body, "edited", db_int(rows, 5));
    jtext_add_number(call->body, "reply", db_int(rows, 6));
    buf_add_text(call->body, "}");
}

/* Are there more? */
static bool
answer_posts(struct call *call, int64_t after, int64_t limit)
{
    struct db *db = call->board->db;
    int64_t count = 0;
    bool more = false;
    sqlite3_stmt *rows =
        db_query(db,
                 "SELECT id, place, author, text, stamp, edited,"
                 " (SELECT target FROM replies WHERE post = posts.id)"
                 " FROM posts"
                 " WHERE id > ?1 AND hidden = 0 AND " BOARD_VISIBLE
                 " ORDER BY id LIMIT ?4",
                 "itii", after, call->caller, (int64_t)call->host, limit + 1);

    while (!more && db_next(db, rows)) {
        more = count == limit || call->body->len > PAGE_BYTES;
        if (more) {
            db_done(rows);
        } else {
            answer_post(call, rows);
            count++;
        }
    }
    return more;
}

static int
serve_posts(struct call *call)
{
    int64_t after = 0;
    int64_t limit = BOARD_PAGE_MAX;

    if (!read_query(call->query, &after, &limit) || limit == 0) {
        return refuse(call, STATUS_WRONG,
                      "a page is asked for by after= and"
                      " limit=, two numbers");
    }
    if (limit > BOARD_PAGE_MAX) {
        limit = BOARD_PAGE_MAX;
    }
    /* Take the time first: a post that comes in between must not be older than
     * the time up to which the page claims to be complete. */
    call_time(call);
    buf_add_text(call->body, "{");
    jtext_key(call->body, "posts");
    buf_add_text(call->body, "[");
    bool more = answer_posts(call, after, limit);

    buf_add_text(call->body, "]");
    jtext_add_bool(call->body, "more", more);
    return answer_end(call);
}

/* Post a draft read from the body, whose key may be "". */
static int
post_draft(struct call *call, struct board_draft *draft)
{
    int64_t id;

    if (draft->key != NULL && *draft->key == '\0') {
        draft->key = NULL;
    }
    if (draft->place == NULL || draft->text == NULL) {
        return refuse(call, STATUS_WRONG, "a post has a place and a text");
    }
    if (!board_has_place(call->board, draft->place)) {
        return refuse(call, STATUS_MISSING, "there is no such place");
    }
    if (!caller_sees(call, draft->place)) {
        return refuse(call, STATUS_DENIED, "this place is not yours");
    }
    enum err err = board_check_draft(draft, &call->why);

    if (err != ERR_NONE) {
        return refuse_draft(call, err);
    }
    call->failed =
        board_add(call->board, draft, call->now, &id, &call->time, &call->why);
    buf_add_text(call->body, "{");
    jtext_add_number(call->body, "id", id);
    return answer_end(call);
}

static int
serve_post(struct call *call)
{
    json_object *given = given_object(call);

    if (given == NULL) {
        return STATUS_WRONG;
    }
    struct board_draft draft = {
        .author = call->caller,
        .place = jdoc_string(given, "place"),
        .text = jdoc_string(given, "text"),
        .key = jdoc_string(given, "key"),
    };
    int status = draft.key == NULL && jdoc_get(given, "key") != NULL
                     ? refuse(call, STATUS_WRONG, "a key is a text")
                     : post_draft(call, &draft);

    json_object_put(given);
    return status;
}

/* The post whose id is the second part of the path, as far as the caller may
 * know it. */
struct target {
    int64_t id; /* 0: no post that the caller can see */
    bool own;
};

static struct target
find_target(struct call *call)
{
    struct target target = {0};
    int64_t id;
    struct buf place = BUF_INIT;
    struct buf author = BUF_INIT;

    if (read_number(buf_text(&call->parts[1]), call->parts[1].len, &id) &&
        db_row(call->board->db,
               "SELECT place, author FROM posts WHERE id = ? AND hidden = 0",
               "i>tt", id, &place, &author) &&
        caller_sees(call, buf_text(&place))) {
        target.id = id;
        target.own = strcmp(buf_text(&author), call->caller) == 0;
    }
    buf_release(&place);
    buf_release(&author);
    return target;
}

/* Change one post, in a transaction; `change` returns the status. */
static int
act_on_post(struct call *call, const char *text,
            int (*change)(struct call *call, const struct target *target,
                          const char *text))
{
    db_begin(call->board->db);
    call_time(call);
    struct target target = find_target(call);
    int status = target.id == 0
                     ? refuse(call, STATUS_MISSING, "there is no such post")
                     : change(call, &target, text);

    db_commit(call->board->db);
    if (status != STATUS_OK) {
        return status;
    }
    buf_add_text(call->body, "{");
    return answer_end(call);
}

static int
change_text(struct call *call, const struct target *target, const char *text)
{
    if (!target->own) {
        return refuse(call, STATUS_DENIED, "only its author edits a post");
    }
    /* Making the same edit twice counts as one. */
    db_run(call->board->db,
           "UPDATE posts SET first_text = coalesce(first_text, text),"
           " edited = ?, text = ?2 WHERE id = ? AND text <> ?2",
           "iti", call->time, text, target->id);
    return STATUS_OK;
}

static int
change_hidden(struct call *call, const struct target *target, const char *text)
{
    (void)text;
    if (!call->host) {
        return refuse(call, STATUS_DENIED, "only the host deletes posts");
    }
    db_run(call->board->db, "UPDATE posts SET hidden = 1 WHERE id = ?", "i",
           target->id);
    return STATUS_OK;
}

static int
change_reactions(struct call *call, const struct target *target,
                 const char *text)
{
    db_run(call->board->db,
           "INSERT OR IGNORE INTO reactions (post, author, text)"
           " VALUES (?, ?, ?)",
           "itt", target->id, call->caller, text);
    return STATUS_OK;
}

static int
serve_edit(struct call *call)
{
    json_object *given = given_object(call);

    if (given == NULL) {
        return STATUS_WRONG;
    }
    const char *text = jdoc_string(given, "text");
    enum err err = text == NULL
                       ? err_say(&call->why, ERR_CONFIG, "an edit has a text")
                       : board_check_text(text, &call->why);
    int status = err == ERR_NONE ? act_on_post(call, text, change_text)
                                 : refuse_draft(call, err);
    json_object_put(given);
    return status;
}

static int
serve_delete(struct call *call)
{
    return act_on_post(call, "", change_hidden);
}

static int
serve_reaction(struct call *call)
{
    json_object *given = given_object(call);

    if (given == NULL) {
        return STATUS_WRONG;
    }
    const char *text = jdoc_string(given, "text");
    int status = text == NULL || !board_is_text(text, BOARD_SHORT_MAX, false)
                     ? refuse(call, STATUS_WRONG, "a reaction is a short text")
                     : act_on_post(call, text, change_reactions);

    json_object_put(given);
    return status;
}

static int
serve_key(struct call *call)
{
    call_time(call);
    int64_t id =
        board_find_key(call->board, call->caller, buf_text(&call->parts[1]));

    buf_add_text(call->body, "{");
    jtext_add_number(call->body, "id", id);
    return answer_end(call);
}

static int
open_dm(struct call *call, const char *user)
{
    struct buf place = BUF_INIT;
    int status;

    if (user != NULL) {
        board_dm(user, &place);
    }
    if (!board_is_place(buf_text(&place))) {
        status = refuse(call, STATUS_WRONG, "a DM is with a user");
    } else if (caller_sees(call, buf_text(&place))) {
        call_time(call);
        buf_add_text(call->body, "{");
        jtext_add_text(call->body, "place", buf_text(&place));
        status = answer_end(call);
    } else {
        status = refuse(call, STATUS_DENIED, "DMs are with the host alone");
    }
    buf_release(&place);
    return status;
}

static int
serve_dm(struct call *call)
{
    json_object *given = given_object(call);

    if (given == NULL) {
        return STATUS_WRONG;
    }
    int status = open_dm(call, jdoc_string(given, "user"));

    json_object_put(given);
    return status;
}

/* Open a thread in a transaction; or for a user, a gallery. */
static int
add_thread(struct call *call, const char *title, const char *key,
           const char *user)
{
    db_begin(call->board->db);
    call_time(call);
    int64_t id = user == NULL
                     ? board_open_thread(call->board, title, key)
                     : board_open_gallery(call->board, title, key, user);

    db_commit(call->board->db);
    struct buf place = BUF_INIT;

    buf_addf(&place, "%s/%lld", user == NULL ? "thread" : "gallery",
             (long long)id);
    buf_add_text(call->body, "{");
    jtext_add_text(call->body, "place", buf_text(&place));
    buf_release(&place);
    return answer_end(call);
}

static int
open_place(struct call *call, bool gallery)
{
    json_object *given = given_object(call);

    if (given == NULL) {
        return STATUS_WRONG;
    }
    const char *title = jdoc_string(given, "title");
    const char *key = jdoc_string(given, "key");
    const char *user = gallery ? jdoc_string(given, "user") : NULL;
    bool good = title != NULL && board_is_text(title, BOARD_NAME_MAX, false) &&
                key != NULL && board_is_text(key, BOARD_SHORT_MAX, false);
    int status = STATUS_OK;

    if (!call->host) {
        status = refuse(call, STATUS_DENIED,
                        "only the host opens threads and galleries");
    } else if (!good) {
        status = refuse(call, STATUS_WRONG,
                        "a thread, or a gallery, has a title and a key");
    } else if (gallery && (user == NULL || !board_is_name(user))) {
        status = refuse(call, STATUS_WRONG, "a gallery is for a user");
    } else {
        status = add_thread(call, title, key, user);
    }
    json_object_put(given);
    return status;
}

static int
serve_thread(struct call *call)
{
    return open_place(call, false);
}

static int
serve_gallery(struct call *call)
{
    return open_place(call, true);
}

/* ---- which request it is ------------------------------------------------- */

static const struct route {
    const char *method;
    const char *parts[PARTS_MAX]; /* "*": any; NULL after the last */
    int (*serve)(struct call *call);
} routes[] = {
    {"GET", {"who"}, serve_who},
    {"GET", {"posts"}, serve_posts},
    {"POST", {"posts"}, serve_post},
    {"PUT", {"posts", "*"}, serve_edit},
    {"DELETE", {"posts", "*"}, serve_delete},
    {"POST", {"posts", "*", "reactions"}, serve_reaction},
    {"GET", {"keys", "*"}, serve_key},
    {"POST", {"dms"}, serve_dm},
    {"POST", {"threads"}, serve_thread},
    {"POST", {"galleries"}, serve_gallery},
};

/* Append the decoded form of a path's part; false: it is malformed. */
static bool
decode_part(const char *text, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] <= 0x20 || text[i] >= 0x7F) {
            return false;
        }
        if (text[i] != '%') {
            buf_add_char(out, text[i]);
            continue;
        }
        int high = i + 2 < len ? text_hex_digit(text[i + 1]) : -1;
        int low = i + 2 < len ? text_hex_digit(text[i + 2]) : -1;

        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            return false;
        }
        buf_add_char(out, (char)(high * 16 + low));
        i += 2;
    }
    return board_is_text(buf_text(out), BOARD_NAME_MAX, true);
}

/* Split "board:/part/part?query"; false: it is malformed. */
static bool
read_url(struct call *call, const char *url)
{
    static const char scheme[] = "board:";

    if (strncmp(url, scheme, sizeof(scheme) - 1) != 0) {
        return false;
    }
    url += sizeof(scheme) - 1;
    while (*url == '/') {
        size_t len = strcspn(++url, "/?");

        if (call->count == PARTS_MAX ||
            !decode_part(url, len, &call->parts[call->count])) {
            return false;
        }
        call->count++;
        url += len;
    }
    call->query = *url == '?' ? url + 1 : "";
    return *url == '\0' || *url == '?';
}

static bool
route_fits(const struct route *route, const struct call *call)
{
    for (int i = 0; i < PARTS_MAX; i++) {
        const char *part = route->parts[i];

        if ((part == NULL) != (i >= call->count)) {
            return false;
        }
        if (part != NULL && strcmp(part, "*") != 0 &&
            !buf_equals(&call->parts[i], part)) {
            return false;
        }
    }
    return true;
}

static int
serve_route(struct call *call, const char *method)
{
    bool known = false;

    for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
        if (!route_fits(&routes[i], call)) {
            continue;
        }
        if (strcmp(routes[i].method, method) == 0) {
            return routes[i].serve(call);
        }
        known = true;
    }
    return known
               ? refuse(call, STATUS_METHOD, "that method is not allowed here")
               : refuse(call, STATUS_MISSING, "there is no such page");
}

void
board_serve(struct board *board, const char *caller, int64_t now,
            const struct request *request, struct buf *body,
            struct reply *reply)
{
    struct call call = {
        .board = board,
        .caller = caller,
        .host = strcmp(caller, BOARD_HOST) == 0,
        .now = now,
        .given = &request->body,
        .body = body,
    };
    int status;

    buf_clear(body);
    if (!board_is_name(caller)) {
        status = refuse(&call, STATUS_WRONG, "the caller has no valid name");
    } else if (!read_url(&call, buf_text(&request->url))) {
        status = refuse(&call, STATUS_WRONG, "the address is malformed");
    } else {
        status = serve_route(&call, request->method);
    }
    ERR_THEN(call.failed, board_err(board, &call.why));
    if (call.failed != ERR_NONE) { /* always the server's fault */
        status =
            refuse(&call, call.failed == ERR_LATER ? STATUS_BUSY : STATUS_FAULT,
                   buf_text(&call.why));
    }
    *reply = (struct reply){
        .status = status,
        .body = buf_text(body),
        .len = body->len,
        .retry_after = -1,
        .date = call.time,
    };
    for (int i = 0; i < PARTS_MAX; i++) {
        buf_release(&call.parts[i]);
    }
    buf_release(&call.why);
}
