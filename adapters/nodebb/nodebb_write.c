/*
 * NodeBB: whatever is written, and what was.
 *
 * A private talk is a chat.  Making one is not idempotent, so the chat there is
 * with a user is asked for first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

enum {
    FIND_PAGES_MAX = 10,
    TOPICS_MAX = 8 /* of one's own, looked through for a game's */
};

/* ---- posting ------------------------------------------------------------- */

/* Refusals are read, in English. */
static void
ask_in_english(struct trip *trip)
{
    ask_query(trip, "lang", "en-GB");
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
is_queued(json_object *response)
{
    bool queued = false;

    return jdoc_bool(response, "queued", &queued) && queued;
}

/* What waits has a name of its own, under which its author finds it. */
static enum turn
hear_queued(struct trip *trip)
{
    const char *id = jdoc_string(nodebb_response(trip), "id");

    trip->out->queued = true;
    if (id != NULL && is_queue_id(id)) {
        buf_clear(&trip->out->id);
        buf_add_text(&trip->out->id, id);
    }
    return TURN_DONE;
}

static enum turn
hear_written(struct trip *trip, const char *key)
{
    json_object *response = nodebb_response(trip);
    char id[FORUM_ID_MAX + 1];

    if (!forum_hear_number(response, key, id)) {
        return nodebb_refused(trip);
    }
    buf_clear(&trip->out->id);
    buf_add_text(&trip->out->id, id);
    return TURN_DONE;
}

/* ---- what NodeBB shows ---------------------------------------------------
 *
 * Of what is written (adapters/markup/markdown/markdown.h) it shows Discourse's
 * tags as they stand: spoilers are not folded here, and code across lines has a
 * fence around it, without escapes.
 */

static bool
begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

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

    if (!begins(at, "<code>")) {
        return 0;
    }
    while (*from != '\0' && !begins(from, "</code>")) {
        if (begins(from, guard)) {
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
    from += begins(from, "[/spoiler]") ? sizeof("[/spoiler]") - 1 : 0;
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
        if (begins(at, "[spoiler]") || begins(at, "[/spoiler]")) {
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

/* The mark is a link of no width: NodeBB shows comments as they stand, and
 * points out links without a text. */
static void
add_mark(struct trip *trip, struct buf *text)
{
    buf_add_text(text, "\n\n[\xE2\x80\x8B](#");
    forum_add_key(text, trip->errand->key);
    buf_add_char(text, ')');
}

static void
ask_letter(struct trip *trip, const char *key, const char *route)
{
    struct buf text = BUF_INIT;

    ask_in_english(trip);
    add_shown(trip->errand->text, &text);
    add_mark(trip, &text);
    ask_text(trip, key, buf_text(&text));
    ask_end(trip, route);
    trip->out->request.apart = NODEBB_APART_MS;
    buf_wipe(&text);
}

static enum turn
ask_post(struct trip *trip, const char *number, bool talk)
{
    ask(trip, "POST", talk ? "/api/v3/chats" : "/api/v3/topics");
    ask_part(trip, number);
    trip->out->request.urgent = talk;
    ask_letter(trip, talk ? "message" : "content",
               talk ? NODEBB_ROUTE_CHAT : NODEBB_ROUTE_POST);
    return TURN_REQUEST;
}

enum {
    COMPANY = 2 /* of a private talk */
};

enum send_step {
    SEND_BEGIN,
    SEND_COMPANY, /* who is in the chat? */
    SEND_USER,    /* is it the user? */
    SEND_POST
};

struct sending {
    enum send_step step;
    int64_t uids[COMPANY]; /* of those in the chat */
};

static void
ask_company(struct trip *trip, const char *room)
{
    ask(trip, "GET", "/api/v3/chats");
    ask_part(trip, room);
    buf_add_text(&trip->out->request.url, "/users");
    trip->out->request.urgent = true;
}

/* Note the numbers of those in a chat, as many as can be in a private one;
 * false: there are others. */
static bool
note_company(struct sending *sending, json_object *users)
{
    size_t count = json_object_array_length(users);

    for (size_t i = 0; i < count && i < COMPANY; i++) {
        (void)jdoc_integer(json_object_array_get_idx(users, i), "uid",
                           &sending->uids[i]);
    }
    return count == COMPANY;
}

static enum turn
not_alone(struct trip *trip)
{
    return outcome_fail(trip->out, trip->why, ERR_GONE,
                        "%s: %s is not alone in the chat with the host",
                        trip->service->name, trip->errand->user);
}

/* Who is put out of a chat may not look into it. */
static enum turn
hear_company(struct trip *trip, struct sending *sending)
{
    json_object *users = nodebb_list(nodebb_response(trip), "users");
    const char *message =
        jdoc_string(jdoc_get(trip->value, "status"), "message");

    if (trip->reply->status == 403 && message != NULL &&
        strstr(message, "enough privileges") != NULL) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the host is not in its chat with %s any more",
                            trip->service->name, trip->errand->user);
    }
    if (users == NULL) {
        return nodebb_refused(trip);
    }
    if (!note_company(sending, users)) {
        return not_alone(trip);
    }
    nodebb_ask_user(trip, trip->errand->user);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* A profile says whose it is, and who asks: are those two in the chat? */
static bool
is_private(const struct trip *trip, const struct sending *sending)
{
    int64_t self = 0;
    int64_t user = 0;
    const int64_t *uids = sending->uids;

    return jdoc_integer(trip->value, "yourid", &self) &&
           jdoc_integer(trip->value, "uid", &user) && self > 0 && user > 0 &&
           ((uids[0] == self && uids[1] == user) ||
            (uids[0] == user && uids[1] == self));
}

static enum turn
send_in_talk(struct trip *trip, struct sending *sending, const char *room)
{
    switch (sending->step++) {
    case SEND_BEGIN:
        ask_company(trip, room);
        return TURN_REQUEST;
    case SEND_COMPANY:
        return hear_company(trip, sending);
    case SEND_USER:
        if (!heard_well(trip)) {
            return nodebb_refused(trip);
        }
        return is_private(trip, sending) ? ask_post(trip, room, true)
                                         : not_alone(trip);
    case SEND_POST:
        break;
    }
    return hear_written(trip, "messageId");
}

enum turn
nodebb_send(struct trip *trip)
{
    struct sending *sending = trip_memory(trip, sizeof(*sending));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: there is no topic %s", trip->service->name,
                            trip->errand->place);
    }
    if (talk) {
        return send_in_talk(trip, sending, number);
    }
    if (trip->reply == NULL) {
        return ask_post(trip, number, false);
    }
    return is_queued(nodebb_response(trip)) ? hear_queued(trip)
                                            : hear_written(trip, "pid");
}

/* ---- changing ------------------------------------------------------------ */

enum turn
nodebb_edit(struct trip *trip)
{
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (trip->reply != NULL) {
        return nodebb_response(trip) != NULL ? TURN_DONE : nodebb_refused(trip);
    }
    ask(trip, "PUT", talk ? "/api/v3/chats" : "/api/v3/posts");
    if (talk) {
        ask_part(trip, number == NULL ? "0" : number);
        buf_add_text(&trip->out->request.url, "/messages");
    }
    ask_part(trip, trip->errand->post);
    ask_letter(trip, talk ? "message" : "content",
               talk ? NODEBB_ROUTE_CHAT : NODEBB_ROUTE_POST);
    return TURN_REQUEST;
}

enum delete_step {
    DELETE_BEGIN,
    DELETE_ASKED,
    DELETE_LOOK
};

/* What was deleted before is refused with a sentence; so it is looked at. */
enum turn
nodebb_delete(struct trip *trip)
{
    enum delete_step *step = trip_memory(trip, sizeof(*step));
    int64_t deleted = 0;

    switch ((*step)++) {
    case DELETE_BEGIN:
        ask(trip, "DELETE", "/api/v3/posts");
        ask_part(trip, trip->errand->post);
        buf_add_text(&trip->out->request.url, "/state");
        ask_in_english(trip);
        return TURN_REQUEST;
    case DELETE_ASKED:
        if (trip->reply->status != 400) {
            return reply_err(trip->reply) == ERR_NONE ? TURN_DONE
                                                      : nodebb_refused(trip);
        }
        ask(trip, "GET", "/api/v3/posts");
        ask_part(trip, trip->errand->post);
        return TURN_REQUEST;
    case DELETE_LOOK:
        break;
    }
    if (jdoc_integer(nodebb_response(trip), "deleted", &deleted) &&
        deleted != 0) {
        return TURN_DONE;
    }
    return nodebb_response(trip) == NULL
               ? nodebb_refused(trip)
               : outcome_fail(trip->out, trip->why, ERR_DENIED,
                              "%s: the forum does not delete post %s",
                              trip->service->name, trip->errand->post);
}

/* ---- finding ------------------------------------------------------------- */

struct finding {
    int64_t page; /* asked for; of a chat, the pages that were */
    unsigned pages;
    bool queue;    /* the queue was asked */
    bool unqueued; /* and it does not lie there */
};

/* Look through posts or messages; false: what is older was written before the
 * letter was, or it is found. */
static bool
look_through(struct trip *trip, json_object *posts, bool talk)
{
    bool goes_on = true;

    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        const char *content = jdoc_string(post, "content");
        char *author =
            nodebb_user(jdoc_get(post, talk ? "fromUser" : "user"), 0);
        char id[FORUM_ID_MAX + 1];
        int64_t stamp = 0;

        (void)hear_time(post, "timestamp", &stamp);
        goes_on = goes_on && stamp + FORUM_FIND_SLACK_MS >= trip->errand->since;
        if (content != NULL && strcmp(author, trip->service->self) == 0 &&
            forum_is_marked(content, trip->errand->key) &&
            forum_hear_number(post, talk ? "messageId" : "pid", id)) {
            buf_clear(&trip->out->id);
            buf_add_text(&trip->out->id, id);
            goes_on = false;
        }
        free(author);
    }
    return goes_on;
}

static enum turn
find_message(struct trip *trip, struct finding *finding, const char *room)
{
    json_object *messages = nodebb_list(nodebb_response(trip), "messages");

    if (trip->reply != NULL && messages == NULL) {
        return nodebb_refused(trip);
    }
    if (messages != NULL &&
        (!look_through(trip, messages, true) ||
         json_object_array_length(messages) < NODEBB_CHAT_PAGE ||
         finding->page == FIND_PAGES_MAX)) {
        return TURN_DONE;
    }
    nodebb_ask_messages(trip, room, finding->page * NODEBB_CHAT_PAGE);
    finding->page++;
    return TURN_REQUEST;
}

/* From the last page back. */
static enum turn
find_post(struct trip *trip, struct finding *finding, const char *topic)
{
    int64_t pages;
    json_object *posts = nodebb_posts(trip, &pages);

    if (trip->reply != NULL && posts == NULL) {
        return nodebb_refused(trip);
    }
    if (posts == NULL) {
        finding->page = 1;
    } else if (finding->pages == 1 && pages > 1) {
        finding->page = pages;
    } else if (!look_through(trip, posts, false) || finding->page <= 1) {
        /* It was posted before it left the queue. */
        trip->out->rejected = finding->unqueued && trip->out->id.len == 0;
        return TURN_DONE;
    } else if (finding->pages > FIND_PAGES_MAX) {
        return TURN_DONE;
    } else {
        finding->page--;
    }
    finding->pages++;
    nodebb_ask_page(trip, topic, finding->page);
    return TURN_REQUEST;
}

/* Does it still lie in the queue?  That is asked first: it is posted before it
 * is taken out (src/posts/queue.js).  TURN_DONE: it does. */
static enum turn
find_queued(struct trip *trip, struct finding *finding, const char *topic)
{
    json_object *waiting = NULL;

    if (trip->reply == NULL) {
        finding->queue = true;
        nodebb_ask_queue(trip, trip->errand->post);
        return TURN_REQUEST;
    }
    finding->queue = false;
    waiting = nodebb_list(trip->value, "posts");
    if (trip->reply->status == 200 && waiting != NULL &&
        json_object_array_length(waiting) > 0) {
        trip->out->queued = true;
        buf_add_text(&trip->out->id, trip->errand->post);
        return TURN_DONE;
    }
    finding->unqueued = trip->reply->status == 200 && waiting != NULL;
    finding->page = 1;
    finding->pages = 1;
    nodebb_ask_page(trip, topic, 1);
    return TURN_REQUEST;
}

enum turn
nodebb_find(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return TURN_DONE;
    }
    if (talk) {
        return find_message(trip, finding, number);
    }
    return finding->queue ||
                   (trip->reply == NULL && is_queue_id(trip->errand->post))
               ? find_queued(trip, finding, number)
               : find_post(trip, finding, number);
}

/* ---- private talks ------------------------------------------------------- */

enum talk_step {
    TALK_BEGIN,
    TALK_USER, /* what is the user's number? */
    TALK_ROOM, /* is there a chat with that user? */
    TALK_CREATE
};

struct talk {
    enum talk_step step;
    int64_t uid;
};

static enum turn
end_talk(struct trip *trip, const char *room)
{
    buf_clear(&trip->out->id);
    buf_addf(&trip->out->id, "%s%s", FORUM_TALK, room);
    return TURN_DONE;
}

static enum turn
hear_user(struct trip *trip, struct talk *talk)
{
    char number[FORUM_ID_MAX + 1];

    if (!heard_well(trip) || !forum_hear_number(trip->value, "uid", number)) {
        return nodebb_refused(trip);
    }
    (void)jdoc_integer(trip->value, "uid", &talk->uid);
    ask(trip, "GET", "/api/v3/users");
    ask_part(trip, number);
    buf_add_text(&trip->out->request.url, "/chat");
    return TURN_REQUEST;
}

static enum turn
hear_room(struct trip *trip, const struct talk *talk)
{
    json_object *response = nodebb_response(trip);
    char room[FORUM_ID_MAX + 1];
    struct buf uids = BUF_INIT;

    if (forum_hear_number(response, "roomId", room)) {
        return end_talk(trip, room);
    }
    if (response == NULL || jdoc_get(response, "roomId") != NULL) {
        return nodebb_refused(trip);
    }
    ask(trip, "POST", "/api/v3/chats");
    ask_in_english(trip);
    buf_addf(&uids, "[%lld]", (long long)talk->uid);
    ask_json(trip, "uids", buf_text(&uids));
    ask_end(trip, NODEBB_ROUTE_CHAT);
    buf_release(&uids);
    return TURN_REQUEST;
}

enum turn
nodebb_talk(struct trip *trip)
{
    struct talk *talk = trip_memory(trip, sizeof(*talk));
    char room[FORUM_ID_MAX + 1];

    switch (talk->step++) {
    case TALK_BEGIN:
        nodebb_ask_user(trip, trip->errand->user);
        return TURN_REQUEST;
    case TALK_USER:
        return hear_user(trip, talk);
    case TALK_ROOM:
        return hear_room(trip, talk);
    case TALK_CREATE:
        break;
    }
    return forum_hear_number(nodebb_response(trip), "roomId", room)
               ? end_talk(trip, room)
               : nodebb_refused(trip);
}

/* ---- a topic for a game -------------------------------------------------- */

enum open_step {
    OPEN_BEGIN,
    OPEN_MINE, /* the account's own topics */
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
static enum turn
end_opening(struct trip *trip)
{
    buf_clear(&trip->out->cursor);
    buf_add_text(&trip->out->cursor, NODEBB_FROM_FIRST);
    return TURN_DONE;
}

static enum turn
look_at_next(struct trip *trip, struct opening *opening)
{
    if (opening->next < opening->count) {
        opening->step = OPEN_LOOK;
        nodebb_ask_page(trip, opening->topics[opening->next++], 1);
        return TURN_REQUEST;
    }
    opening->step = OPEN_CATEGORY;
    ask(trip, "GET", "/api/v3/topics");
    ask_part(trip, trip->errand->place);
    return TURN_REQUEST;
}

static enum turn
hear_mine(struct trip *trip, struct opening *opening)
{
    json_object *topics =
        heard_well(trip) ? nodebb_list(trip->value, "topics") : NULL;

    if (topics == NULL) {
        return nodebb_refused(trip);
    }
    for (size_t i = 0;
         i < json_object_array_length(topics) && opening->count < TOPICS_MAX;
         i++) {
        opening->count +=
            forum_hear_number(json_object_array_get_idx(topics, i), "tid",
                              opening->topics[opening->count])
                ? 1
                : 0;
    }
    return look_at_next(trip, opening);
}

static enum turn
hear_topic(struct trip *trip, struct opening *opening)
{
    int64_t pages;
    json_object *posts = nodebb_posts(trip, &pages);
    const char *content =
        posts == NULL
            ? NULL
            : jdoc_string(json_object_array_get_idx(posts, 0), "content");

    if (posts == NULL && trip->reply->status != 404) {
        return nodebb_refused(trip);
    }
    if (content != NULL && forum_is_marked(content, trip->errand->key)) {
        buf_add_text(&trip->out->id, opening->topics[opening->next - 1]);
        return end_opening(trip);
    }
    return look_at_next(trip, opening);
}

static enum turn
hear_category(struct trip *trip, struct opening *opening)
{
    json_object *response = nodebb_response(trip);
    char category[FORUM_ID_MAX + 1];

    if (!forum_hear_number(response, "cid", category)) {
        return nodebb_refused(trip);
    }
    opening->step = OPEN_CREATE;
    ask(trip, "POST", "/api/v3/topics");
    ask_json(trip, "cid", category);
    ask_text(trip, "title", trip->errand->text);
    ask_letter(trip, "content", NODEBB_ROUTE_POST);
    return TURN_REQUEST;
}

enum turn
nodebb_open(struct trip *trip)
{
    struct opening *opening = trip_memory(trip, sizeof(*opening));

    switch (opening->step) {
    case OPEN_BEGIN:
        opening->step = OPEN_MINE;
        nodebb_ask_user(trip, trip->service->self);
        buf_add_text(&trip->out->request.url, "/topics");
        return TURN_REQUEST;
    case OPEN_MINE:
        return hear_mine(trip, opening);
    case OPEN_LOOK:
        return hear_topic(trip, opening);
    case OPEN_CATEGORY:
        return hear_category(trip, opening);
    case OPEN_CREATE:
        break;
    }
    if (is_queued(nodebb_response(trip))) {
        return outcome_fail(
            trip->out, trip->why, ERR_DENIED,
            "%s: the forum keeps the host's topics until somebody approves "
            "them: make %s a moderator",
            trip->service->name, trip->service->self);
    }
    enum turn turn = hear_written(trip, "tid");

    return turn == TURN_DONE ? end_opening(trip) : turn;
}
