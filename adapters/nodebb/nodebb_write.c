/*
 * NodeBB: writing, and finding what was written.
 *
 * A DM is a chat.  Making one is not idempotent, so the adapter first asks for
 * the existing chat with a user.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"
#include "bot/base/text.h"

enum {
    TOPICS_MAX = 8 /* of one's own, looked through for a game's */
};

/* ---- posting ------------------------------------------------------------- */

/* Refusals are read, in English. */
static void
ask_in_english(struct exchange *exchange)
{
    ask_query(exchange, "lang", "en-GB");
}

/* "reply-" and when it came, in ms. */
static bool
is_queue_id(const char *id)
{
    static const char begin[] = "reply-";

    return strncmp(id, begin, sizeof(begin) - 1) == 0 &&
           forum_is_number(id + sizeof(begin) - 1);
}

static bool
is_unapproved(json_object *response)
{
    bool unapproved = false;

    return jdoc_bool(response, "queued", &unapproved) && unapproved;
}

/* A post that waits has a name of its own, by which its author finds it. */
static enum advance
parse_unapproved(struct exchange *exchange)
{
    const char *id = jdoc_string(nodebb_response(exchange), "id");

    exchange->out->unapproved = true;
    if (id != NULL && is_queue_id(id)) {
        answer_id(exchange, id);
    }
    return ADVANCE_DONE;
}

static enum advance
parse_written(struct exchange *exchange, const char *key)
{
    json_object *response = nodebb_response(exchange);
    char id[FORUM_ID_MAX + 1];

    if (!forum_parse_number(response, key, id)) {
        return nodebb_refused(exchange);
    }
    answer_id(exchange, id);
    return ADVANCE_DONE;
}

/* ---- what NodeBB shows ---------------------------------------------------
 *
 * Of what is written (adapters/markup/markdown.h) it shows Discourse's
 * tags as they stand: spoilers are not folded here, and code across lines has a
 * fence around it, without escapes.
 */

/* How much is code between backticks, in which nothing is a tag. */
static size_t
ticked_len(const char *at)
{
    size_t ticks = strspn(at, "`");

    for (size_t len = ticks; ticks > 0 && at[len] != '\0';) {
        size_t more = strspn(at + len, "`");

        if (more == ticks) {
            return len + more;
        }
        len += more > 0 ? more : strcspn(at + len, "`");
    }
    return ticks;
}

static void
end_line(struct buf *text)
{
    if (text->len > 0 && text->data[text->len - 1] != '\n') {
        buf_add_char(text, '\n');
    }
}

/* Code across lines; how much of the text it was, 0: it begins with none. */
static size_t
add_code(const char *at, struct buf *text)
{
    static const char guard[] = "\xE2\x80\x8B"; /* U+200B */
    const char *from = at + sizeof("<code>") - 1;
    struct buf code = BUF_INIT;

    if (!text_begins(at, "<code>")) {
        return 0;
    }
    while (*from != '\0' && !text_begins(from, "</code>")) {
        if (text_begins(from, guard)) {
            from += sizeof(guard) - 1;
            continue;
        }
        from += *from == '\\' && from[1] != '\0' ? 1 : 0;
        buf_add_char(&code, *from++);
    }
    const char *fence = strstr(buf_text(&code), "```") == NULL ? "```" : "~~~";

    end_line(text);
    buf_addf(text, "%s\n%s", fence, buf_text(&code));
    end_line(text);
    buf_addf(text, "%s\n", fence);
    buf_wipe(&code);
    from += *from == '\0' ? 0 : sizeof("</code>") - 1;
    from += text_begins(from, "[/spoiler]") ? sizeof("[/spoiler]") - 1 : 0;
    from += *from == '\n' ? 1 : 0;
    return (size_t)(from - at);
}

static void
add_shown(const char *at, struct buf *text)
{
    while (*at != '\0') {
        size_t len = add_code(at, text);

        if (len > 0) {
            at += len;
            continue;
        }
        if (text_begins(at, "[spoiler]") || text_begins(at, "[/spoiler]")) {
            at += strcspn(at, "]") + 1;
            continue;
        }
        len = ticked_len(at);
        if (len == 0) {
            len = *at == '\\' && at[1] != '\0' ? 2 : 1;
        }
        buf_add(text, at, len);
        at += len;
    }
}

static void
ask_message(struct exchange *exchange, const char *key, const char *route)
{
    struct buf text = BUF_INIT;

    ask_in_english(exchange);
    add_shown(exchange->op->text, &text);
    /* A link of no width: NodeBB shows comments as they stand, and points out
     * links without a text. */
    forum_add_mark(exchange->op, "[\xE2\x80\x8B](", ")", &text);
    ask_text(exchange, key, buf_text(&text));
    ask_end(exchange, route);
    exchange->out->request.apart = NODEBB_APART_MS;
    buf_wipe(&text);
}

static enum advance
ask_post(struct exchange *exchange, const char *number, bool dm)
{
    ask(exchange, "POST", dm ? "/api/v3/chats" : "/api/v3/topics");
    ask_part(exchange, number);
    exchange->out->request.urgent = dm;
    ask_message(exchange, dm ? "message" : "content",
                dm ? NODEBB_ROUTE_CHAT : NODEBB_ROUTE_POST);
    return ADVANCE_REQUEST;
}

enum {
    OCCUPANTS = 2 /* of a DM */
};

enum send_step {
    SEND_BEGIN,
    SEND_OCCUPANTS, /* who is in the chat? */
    SEND_USER,      /* what is the user's number? */
    SEND_POST
};

struct sending {
    enum send_step step;
    int64_t uids[OCCUPANTS]; /* of those in the chat */
};

static void
ask_occupants(struct exchange *exchange, const char *room)
{
    ask(exchange, "GET", "/api/v3/chats");
    ask_part(exchange, room);
    buf_add_text(&exchange->out->request.url, "/users");
    exchange->out->request.urgent = true;
}

/* Note the numbers of those in a chat, as many as can be in a private one; how
 * many there are. */
static size_t
note_occupants(struct sending *sending, json_object *users)
{
    size_t count = json_object_array_length(users);

    for (size_t i = 0; i < count && i < OCCUPANTS; i++) {
        (void)jdoc_integer(json_object_array_get_idx(users, i), "uid",
                           &sending->uids[i]);
    }
    return count;
}

static enum advance
not_alone(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: %s is not alone in the chat with the host",
                        exchange->service->name, exchange->op->user);
}

/* Are the account and that user in the chat? */
static enum advance
ask_if_private(struct exchange *exchange, const struct sending *sending,
               const char *room, int64_t user)
{
    int64_t self = exchange->service->member;
    const int64_t *uids = sending->uids;
    bool private = user > 0 && ((uids[0] == self && uids[1] == user) ||
                                (uids[0] == user && uids[1] == self));

    return private ? ask_post(exchange, room, true) : not_alone(exchange);
}

/* Somebody removed from a chat can't look into it. */
static enum advance
parse_occupants(struct exchange *exchange, struct sending *sending,
                const char *room)
{
    json_object *users = nodebb_list(nodebb_response(exchange), "users");
    const char *message =
        jdoc_string(jdoc_get(exchange->value, "status"), "message");

    if (exchange->reply->status == 403 && message != NULL &&
        strstr(message, "enough privileges") != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the host is not in its chat with %s any more",
                            exchange->service->name, exchange->op->user);
    }
    if (users == NULL) {
        return nodebb_refused(exchange);
    }
    size_t count = note_occupants(sending, users);

    if (count < OCCUPANTS) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: %s has left the chat with the host",
                            exchange->service->name, exchange->op->user);
    }
    if (count > OCCUPANTS) {
        return not_alone(exchange);
    }
    if (exchange->op->member != 0) {
        sending->step = SEND_POST;
        return ask_if_private(exchange, sending, room, exchange->op->member);
    }
    nodebb_ask_user(exchange, exchange->op->user);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* A profile says whose it is. */
static enum advance
parse_whose(struct exchange *exchange, const struct sending *sending,
            const char *room)
{
    int64_t user = 0;

    if (!is_success(exchange)) {
        return nodebb_refused(exchange);
    }
    (void)jdoc_integer(exchange->value, "uid", &user);
    return ask_if_private(exchange, sending, room, user);
}

static enum advance
send_in_dm(struct exchange *exchange, struct sending *sending, const char *room)
{
    switch (sending->step++) {
    case SEND_BEGIN:
        ask_occupants(exchange, room);
        return ADVANCE_REQUEST;
    case SEND_OCCUPANTS:
        return parse_occupants(exchange, sending, room);
    case SEND_USER:
        return parse_whose(exchange, sending, room);
    case SEND_POST:
        break;
    }
    return parse_written(exchange, "messageId");
}

enum advance
nodebb_send(struct exchange *exchange)
{
    struct sending *sending = exchange_memory(exchange, sizeof(*sending));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (number == NULL) {
        return forum_no_place(exchange);
    }
    if (dm) {
        return send_in_dm(exchange, sending, number);
    }
    if (exchange->reply == NULL) {
        return ask_post(exchange, number, false);
    }
    return is_unapproved(nodebb_response(exchange))
               ? parse_unapproved(exchange)
               : parse_written(exchange, "pid");
}

/* ---- changing ------------------------------------------------------------ */

enum advance
nodebb_edit(struct exchange *exchange)
{
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (exchange->reply != NULL) {
        return nodebb_response(exchange) != NULL ? ADVANCE_DONE
                                                 : nodebb_refused(exchange);
    }
    ask(exchange, "PUT", dm ? "/api/v3/chats" : "/api/v3/posts");
    if (dm) {
        ask_part(exchange, number == NULL ? "0" : number);
        buf_add_text(&exchange->out->request.url, "/messages");
    }
    ask_part(exchange, exchange->op->post);
    ask_message(exchange, dm ? "message" : "content",
                dm ? NODEBB_ROUTE_CHAT : NODEBB_ROUTE_POST);
    return ADVANCE_REQUEST;
}

enum delete_step {
    DELETE_BEGIN,
    DELETE_ASKED,
    DELETE_LOOK
};

/* What was deleted before is refused with a sentence; so it is looked at. */
enum advance
nodebb_delete(struct exchange *exchange)
{
    enum delete_step *step = exchange_memory(exchange, sizeof(*step));
    int64_t deleted = 0;

    switch ((*step)++) {
    case DELETE_BEGIN:
        ask(exchange, "DELETE", "/api/v3/posts");
        ask_part(exchange, exchange->op->post);
        buf_add_text(&exchange->out->request.url, "/state");
        ask_in_english(exchange);
        return ADVANCE_REQUEST;
    case DELETE_ASKED:
        if (exchange->reply->status != 400) {
            return reply_err(exchange->reply) == ERR_NONE
                       ? ADVANCE_DONE
                       : nodebb_refused(exchange);
        }
        ask(exchange, "GET", "/api/v3/posts");
        ask_part(exchange, exchange->op->post);
        return ADVANCE_REQUEST;
    case DELETE_LOOK:
        break;
    }
    if (jdoc_integer(nodebb_response(exchange), "deleted", &deleted) &&
        deleted != 0) {
        return ADVANCE_DONE;
    }
    return nodebb_response(exchange) == NULL
               ? nodebb_refused(exchange)
               : outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                              "%s: the forum does not delete post %s",
                              exchange->service->name, exchange->op->post);
}

/* ---- finding ------------------------------------------------------------- */

struct finding {
    int64_t page;  /* that was asked for; 0: none yet */
    bool queue;    /* the queue was asked */
    bool unqueued; /* and it does not lie there */
};

/* Look through posts or messages; false: all there are older than what is
 * looked for.  One of them may be older where it was moved into the topic. */
static bool
look_through(struct exchange *exchange, json_object *posts, bool dm)
{
    bool goes_on = false;

    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        const char *content = jdoc_string(post, "content");
        json_object *author = jdoc_get(post, dm ? "fromUser" : "user");
        char id[FORUM_ID_MAX + 1];
        int64_t stamp = EXCHANGE_TIME_MAX;

        (void)parse_time(post, "timestamp", &stamp);
        if (content != NULL && nodebb_is_self(exchange, author) &&
            forum_parse_number(post, dm ? "messageId" : "pid", id) &&
            forum_is_marked(exchange, content, id)) {
            answer_id(exchange, id);
        }
        goes_on =
            goes_on || stamp + FORUM_FIND_SLACK_MS >= exchange_since(exchange);
    }
    return goes_on;
}

/* The cursor is how many of the newest messages were looked at. */
static enum advance
find_message(struct exchange *exchange, const char *room)
{
    json_object *messages = nodebb_list(nodebb_response(exchange), "messages");
    int64_t start = 0;

    (void)forum_read_numbers(exchange->op->cursor, &start, 1);
    if (exchange->reply == NULL) {
        nodebb_ask_messages(exchange, room, start);
        return ADVANCE_REQUEST;
    }
    if (messages == NULL) {
        return nodebb_refused(exchange);
    }
    bool goes_on = look_through(exchange, messages, true);

    buf_add_number(&exchange->out->cursor,
                   start + (int64_t)json_object_array_length(messages));
    return exchange_looked(exchange, goes_on ? FOUND_NOT_YET : FOUND_NOTHING);
}

/* From the last page back; the cursor is the next one.  The first page tells
 * which is the last. */
static enum advance
find_post(struct exchange *exchange, struct finding *finding, const char *topic)
{
    int64_t pages;
    json_object *posts = nodebb_posts(exchange, &pages);
    bool begun = *exchange->op->cursor != '\0';

    if (finding->page > 0 && posts == NULL) {
        return nodebb_refused(exchange);
    }
    if (finding->page == 0) {
        finding->page = 1;
        (void)forum_read_numbers(exchange->op->cursor, &finding->page, 1);
    } else if (!begun && finding->page == 1 && pages > 1) {
        finding->page = pages;
    } else {
        /* Nothing is on a page behind the end, of a topic that got shorter. */
        bool goes_on = json_object_array_length(posts) == 0 ||
                       look_through(exchange, posts, false);
        /* It is posted before it leaves the queue. */
        bool may_wait = is_queue_id(exchange->op->post) && !finding->unqueued;

        goes_on = goes_on && finding->page > 1;
        if (goes_on) {
            buf_add_number(&exchange->out->cursor, finding->page - 1);
        }
        return exchange_looked(exchange, goes_on || may_wait ? FOUND_NOT_YET
                                                             : FOUND_NOTHING);
    }
    nodebb_ask_page(exchange, topic, finding->page);
    return ADVANCE_REQUEST;
}

/* Does it still lie in the queue?  That is asked first: it is posted before it
 * is taken out (src/posts/queue.js).  ADVANCE_DONE: it does. */
static enum advance
find_queued(struct exchange *exchange, struct finding *finding,
            const char *topic)
{
    json_object *waiting = NULL;

    if (exchange->reply == NULL) {
        finding->queue = true;
        nodebb_ask_queue(exchange, exchange->op->post);
        return ADVANCE_REQUEST;
    }
    finding->queue = false;
    waiting = nodebb_list(exchange->value, "posts");
    if (exchange->reply->status == 200 && waiting != NULL &&
        json_object_array_length(waiting) > 0) {
        exchange->out->unapproved = true;
        answer_id(exchange, exchange->op->post);
        return exchange_looked(exchange, FOUND_IT);
    }
    finding->unqueued = exchange->reply->status == 200 && waiting != NULL;
    return find_post(exchange, finding, topic);
}

enum advance
nodebb_find(struct exchange *exchange)
{
    struct finding *finding = exchange_memory(exchange, sizeof(*finding));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (number == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (dm) {
        return find_message(exchange, number);
    }
    return finding->queue ||
                   (exchange->reply == NULL && is_queue_id(exchange->op->post))
               ? find_queued(exchange, finding, number)
               : find_post(exchange, finding, number);
}

/* ---- DMs ------------------------------------------------------- */

enum dm_step {
    DM_BEGIN,
    DM_USER, /* what is the user's number? */
    DM_ROOM, /* is there a chat with that user? */
    DM_CREATE
};

struct dm {
    enum dm_step step;
    int64_t uid;
};

static enum advance
ask_room(struct exchange *exchange, struct dm *dm, int64_t uid)
{
    dm->uid = uid;
    dm->step = DM_ROOM;
    ask(exchange, "GET", "/api/v3/users");
    buf_addf(&exchange->out->request.url, "/%lld/chat", (long long)uid);
    return ADVANCE_REQUEST;
}

static enum advance
parse_user(struct exchange *exchange, struct dm *dm)
{
    int64_t uid;

    return is_success(exchange) && jdoc_integer(exchange->value, "uid", &uid) &&
                   uid > 0
               ? ask_room(exchange, dm, uid)
               : nodebb_refused(exchange);
}

static enum advance
parse_room(struct exchange *exchange, const struct dm *dm)
{
    json_object *response = nodebb_response(exchange);
    char room[FORUM_ID_MAX + 1];
    struct buf uids = BUF_INIT;

    if (forum_parse_number(response, "roomId", room)) {
        return forum_answer_dm(exchange, room);
    }
    if (response == NULL || jdoc_get(response, "roomId") != NULL) {
        return nodebb_refused(exchange);
    }
    ask(exchange, "POST", "/api/v3/chats");
    ask_in_english(exchange);
    buf_addf(&uids, "[%lld]", (long long)dm->uid);
    ask_json(exchange, "uids", buf_text(&uids));
    ask_end(exchange, NODEBB_ROUTE_CHAT);
    buf_release(&uids);
    return ADVANCE_REQUEST;
}

enum advance
nodebb_dm(struct exchange *exchange)
{
    struct dm *dm = exchange_memory(exchange, sizeof(*dm));
    char room[FORUM_ID_MAX + 1];

    switch (dm->step++) {
    case DM_BEGIN:
        if (exchange->op->member != 0) {
            return ask_room(exchange, dm, exchange->op->member);
        }
        nodebb_ask_user(exchange, exchange->op->user);
        return ADVANCE_REQUEST;
    case DM_USER:
        return parse_user(exchange, dm);
    case DM_ROOM:
        return parse_room(exchange, dm);
    case DM_CREATE:
        break;
    }
    return forum_parse_number(nodebb_response(exchange), "roomId", room)
               ? forum_answer_dm(exchange, room)
               : nodebb_refused(exchange);
}

/* ---- a topic for a game -------------------------------------------------- */

enum open_step {
    OPEN_BEGIN,
    OPEN_SELF, /* what is the account called now? */
    OPEN_MINE, /* its own topics */
    OPEN_LOOK, /* is it one of them? */
    OPEN_CATEGORY,
    OPEN_CREATE
};

struct opening {
    enum open_step step;
    unsigned count, next;
    char topics[TOPICS_MAX][FORUM_ID_MAX + 1];
};

/* A game's topic is read from its first post on. */
static enum advance
end_opening(struct exchange *exchange)
{
    buf_clear(&exchange->out->cursor);
    buf_add_text(&exchange->out->cursor, NODEBB_FROM_FIRST);
    return ADVANCE_DONE;
}

static enum advance
look_at_next(struct exchange *exchange, struct opening *opening)
{
    if (opening->next < opening->count) {
        opening->step = OPEN_LOOK;
        nodebb_ask_page(exchange, opening->topics[opening->next++], 1);
        return ADVANCE_REQUEST;
    }
    opening->step = OPEN_CATEGORY;
    ask(exchange, "GET", "/api/v3/topics");
    ask_part(exchange, exchange->op->place);
    return ADVANCE_REQUEST;
}

static enum advance
ask_mine(struct exchange *exchange, struct opening *opening)
{
    const char *slug = jdoc_string(exchange->value, "userslug");

    if (!is_success(exchange) || slug == NULL) {
        return nodebb_refused(exchange);
    }
    opening->step = OPEN_MINE;
    nodebb_ask_user(exchange, slug);
    buf_add_text(&exchange->out->request.url, "/topics");
    return ADVANCE_REQUEST;
}

static enum advance
parse_mine(struct exchange *exchange, struct opening *opening)
{
    json_object *topics =
        is_success(exchange) ? nodebb_list(exchange->value, "topics") : NULL;

    if (topics == NULL) {
        return nodebb_refused(exchange);
    }
    for (size_t i = 0;
         i < json_object_array_length(topics) && opening->count < TOPICS_MAX;
         i++) {
        opening->count +=
            forum_parse_number(json_object_array_get_idx(topics, i), "tid",
                               opening->topics[opening->count])
                ? 1
                : 0;
    }
    return look_at_next(exchange, opening);
}

static enum advance
parse_topic(struct exchange *exchange, struct opening *opening)
{
    int64_t pages;
    json_object *posts = nodebb_posts(exchange, &pages);
    const char *content =
        posts == NULL
            ? NULL
            : jdoc_string(json_object_array_get_idx(posts, 0), "content");

    if (posts == NULL && exchange->reply->status != 404) {
        return nodebb_refused(exchange);
    }
    if (content != NULL && forum_is_marked(exchange, content, "")) {
        buf_add_text(&exchange->out->id, opening->topics[opening->next - 1]);
        return end_opening(exchange);
    }
    return look_at_next(exchange, opening);
}

static enum advance
parse_category(struct exchange *exchange, struct opening *opening)
{
    json_object *response = nodebb_response(exchange);
    char category[FORUM_ID_MAX + 1];

    if (!forum_parse_number(response, "cid", category)) {
        return nodebb_refused(exchange);
    }
    opening->step = OPEN_CREATE;
    ask(exchange, "POST", "/api/v3/topics");
    ask_json(exchange, "cid", category);
    ask_text(exchange, "title", exchange->op->text);
    ask_message(exchange, "content", NODEBB_ROUTE_POST);
    return ADVANCE_REQUEST;
}

enum advance
nodebb_open(struct exchange *exchange)
{
    struct opening *opening = exchange_memory(exchange, sizeof(*opening));

    switch (opening->step) {
    case OPEN_BEGIN:
        opening->step = OPEN_SELF;
        ask(exchange, "GET", "/api/self");
        return ADVANCE_REQUEST;
    case OPEN_SELF:
        return ask_mine(exchange, opening);
    case OPEN_MINE:
        return parse_mine(exchange, opening);
    case OPEN_LOOK:
        return parse_topic(exchange, opening);
    case OPEN_CATEGORY:
        return parse_category(exchange, opening);
    case OPEN_CREATE:
        break;
    }
    if (is_unapproved(nodebb_response(exchange))) {
        return outcome_fail(
            exchange->out, exchange->why, ERR_DENIED,
            "%s: the forum keeps the host's topics until somebody approves "
            "them: make %s a moderator",
            exchange->service->name, exchange->service->self);
    }
    enum advance advance = parse_written(exchange, "tid");

    return advance == ADVANCE_DONE ? end_opening(exchange) : advance;
}
