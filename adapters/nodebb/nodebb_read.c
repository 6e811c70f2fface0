/*
 * NodeBB: reading.
 *
 * A topic is asked for in short first: how many posts it has, and when the last
 * was written.  Where that has changed, and once a minute for edits, its pages
 * are read, from the one before the last that was read.  If there are more
 * posts than were written since, some were moved there from another topic: they
 * stand among the others by their time, so the pages before are read, too.
 *
 * A moderator still reads what was deleted, and what was read counts: deleting
 * a post takes nothing back.  From others its words are kept.  But in a topic
 * that was deleted nobody can post, and nobody else sees it: it is no more.
 * That also becomes of one whose posts were merged into another's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

enum {
    PAGES_MAX = 5,      /* read at once */
    BACK_MAX = 10,      /* read once more, as far back as the question goes */
    CHAT_PAGES_MAX = 4, /* of a chat, in one visit */
};

enum read_step {
    READ_BEGIN,
    READ_SHORT,
    READ_PAGE,
    READ_LIST,
    READ_CHAT
};

struct reading {
    enum read_step step;
    bool first;
    /* A topic, as the cursor has it. */
    int64_t minute;
    int64_t begun; /* the last post that was there before our time */
    int64_t page;  /* read last */
    int64_t count, last;
    /* As it will have it. */
    int64_t date, asked; /* the page that was asked for */
    unsigned pages;
    int64_t start; /* the first page that is read but for edits */
    unsigned back; /* pages that were read before it */
    int64_t since; /* when the last post was written that was read before */
    int64_t moved; /* posts that came since then, less those written since */
    bool seeking;  /* those */
    /* The inbox. */
    struct forum_inbox inbox;
    struct nodebb_left left;
    char chat[FORUM_ID_MAX + 1];
    unsigned chat_pages;
    size_t page_from; /* where the chat's posts begin in the page */
    struct forum_lookup lookup;
};

/* ---- posts --------------------------------------------------------------- */

/* A number that some versions write as text. */
static char *
number_text(json_object *object, const char *key)
{
    char number[FORUM_ID_MAX + 1];
    const char *text = jdoc_string(object, key);

    if (text != NULL && forum_is_number(text)) {
        return must_copy(text);
    }
    return forum_parse_number(object, key, number) ? must_copy(number) : NULL;
}

struct origin {
    const char *id, *user, *author, *answers; /* the keys of its members */
    const char *number;                       /* of the topic or room */
    bool dm, company;
};

/* Who wrote it: a number that some versions write as text; of somebody at
 * another server (ActivityPub), or a guest, 0; false: it doesn't say. */
static bool
parse_author(json_object *from, const struct origin *origin, int64_t *uid)
{
    const char *text = jdoc_string(from, origin->author);

    *uid = 0;
    if (text != NULL) {
        *uid = forum_is_number(text) ? strtoll(text, NULL, 10) : 0;
        return true;
    }
    return jdoc_integer(from, origin->author, uid);
}

/* Are its words kept from us?  Then a key of the forum's language stands in
 * their place: "[[topic:post-is-deleted]]",
 * "[[modules:chat.message-deleted]]". */
static bool
is_withheld(const char *content)
{
    return content == NULL || strstr(content, "post-is-deleted]]") != NULL ||
           strstr(content, "message-deleted]]") != NULL;
}

/* Take in one post or message; false: the reply is none that a forum gives. */
static bool
parse_post(struct exchange *exchange, json_object *from,
           const struct origin *origin)
{
    json_object *user = jdoc_get(from, origin->user);
    const char *name = jdoc_string(user, "username");
    const char *content = jdoc_string(from, "content");
    bool deleted = forum_is_set(from, "deleted") && is_withheld(content);
    char *id = number_text(from, origin->id);
    int64_t stamp;
    int64_t edited = 0;
    int64_t uid;

    /* Deleted users have "" as their name in addresses. */
    if (id == NULL || !parse_time(from, "timestamp", &stamp) ||
        !parse_author(from, origin, &uid) || (content == NULL && !deleted) ||
        jdoc_string(user, "userslug") == NULL) {
        free(id);
        return false;
    }
    (void)parse_time(from, "edited", &edited);

    struct post *post =
        forum_add_post(&exchange->out->page, origin->number, origin->dm);

    post->kind = deleted ? POST_DELETED : POST_WRITTEN;
    post->id = id;
    post->author = nodebb_user(user, uid);
    post->author_name = must_copy(name == NULL ? "" : name);
    post->body = must_copy(deleted ? "" : content);
    post->body_len = strlen(post->body);
    post->reply_to = number_text(from, origin->answers);
    post->stamp = stamp;
    post->edited = edited;
    post->company = origin->company;
    post->own = forum_is_self(exchange, uid, jdoc_string(user, "userslug"));
    post->machine = forum_is_set(from, "system") || uid <= 0;
    post->member = uid > 0 ? uid : 0;
    return true;
}

static bool
parse_post_number(json_object *post, int64_t *number)
{
    char *text = number_text(post, "pid");
    bool is = text != NULL;

    *number = is ? strtoll(text, NULL, 10) : 0;
    free(text);
    return is;
}

/* A post from another server has an address instead of a number. Nobody at a
 * table is there. */
static bool
is_from_elsewhere(json_object *post, const char *key)
{
    const char *id = jdoc_string(post, key);

    return id != NULL && strstr(id, "://") != NULL;
}

/* ---- a topic ------------------------------------------------------------- */

static bool
read_cursor(struct reading *reading, const char *cursor)
{
    int64_t numbers[5];

    if (!forum_read_numbers(cursor, numbers, 5) || numbers[2] >= INT32_MAX) {
        return false;
    }
    reading->minute = numbers[0];
    reading->begun = numbers[1];
    reading->page = numbers[2];
    reading->count = numbers[3];
    reading->last = numbers[4];
    return true;
}

static enum advance
end_topic(struct exchange *exchange, struct reading *reading, bool more)
{
    struct outcome *out = exchange->out;

    forum_sort_posts(&out->page, 0);
    forum_end_page(out, reading->date, more);
    buf_clear(&out->cursor);
    buf_addf(&out->cursor,
             "%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRId64,
             reading->minute, reading->begun, reading->page, reading->count,
             reading->last);
    return ADVANCE_DONE;
}

static enum advance
ask_page(struct exchange *exchange, struct reading *reading, int64_t page)
{
    reading->step = READ_PAGE;
    reading->asked = page < 1 ? 1 : page;
    reading->pages += page >= reading->start ? 1 : 0;
    reading->back += page < reading->start ? 1 : 0;
    nodebb_ask_page(exchange, exchange->op->feed, reading->asked);
    return ADVANCE_REQUEST;
}

/* Is the topic that the reply tells of deleted? */
static bool
is_deleted(json_object *topic)
{
    return forum_is_set(topic, "deleted");
}

static enum advance
refuse_deleted(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: the topic was deleted", exchange->service->name);
}

static enum advance
parse_short(struct exchange *exchange, struct reading *reading)
{
    json_object *topic = nodebb_response(exchange);
    int64_t count;
    int64_t last;

    if (topic != NULL && is_deleted(topic)) {
        return refuse_deleted(exchange);
    }
    if (topic == NULL || !jdoc_integer(topic, "postcount", &count) ||
        !parse_time(topic, "lastposttime", &last)) {
        return nodebb_refused(exchange);
    }
    if (!forum_parse_date(exchange, &reading->date)) {
        return forum_undated(exchange);
    }
    int64_t minute = reading->date / FORUM_EDITS_MS;

    if (!reading->first && count == reading->count && last == reading->last &&
        minute == reading->minute && exchange->op->since == 0) {
        return end_topic(exchange, reading, false);
    }
    reading->moved = reading->count == 0 ? 0 : count - reading->count;
    reading->since = reading->last;
    reading->count = count;
    reading->last = last;
    reading->minute = minute;
    reading->start = reading->page > 1 ? reading->page - 1 : 1;
    return ask_page(exchange, reading, reading->start);
}

/* Take in the new posts of a page; false: one of them is none that a forum
 * gives. */
static bool
take_posts(struct exchange *exchange, struct reading *reading,
           json_object *posts)
{
    struct origin origin = {.id = "pid",
                            .user = "user",
                            .author = "uid",
                            .answers = "toPid",
                            .number = exchange->op->feed};

    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t id;
        int64_t stamp;

        reading->moved -=
            parse_time(post, "timestamp", &stamp) && stamp > reading->since;
        if (is_from_elsewhere(post, "pid")) {
            continue;
        }
        if (!parse_post_number(post, &id) ||
            (id > reading->begun && !parse_post(exchange, post, &origin))) {
            return false;
        }
    }
    return true;
}

/* At first no more is read than how far it goes, unless the last page is asked
 * for. */
static enum advance
parse_first_page(struct exchange *exchange, struct reading *reading,
                 json_object *posts, int64_t pages)
{
    if (reading->asked < pages) {
        return ask_page(exchange, reading, pages);
    }
    if (exchange->op->recent && !take_posts(exchange, reading, posts)) {
        return nodebb_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        int64_t id;

        if (parse_post_number(json_object_array_get_idx(posts, i), &id) &&
            id > reading->begun) {
            reading->begun = id;
        }
    }
    reading->page = reading->asked;
    return end_topic(exchange, reading, false);
}

/* Is there more before a page that may have been edited since the question was
 * opened?  `from`: where its posts begin. */
static bool
goes_back(const struct exchange *exchange, const struct reading *reading,
          size_t from)
{
    const struct page *page = &exchange->out->page;

    return exchange->op->since != 0 && reading->asked > 1 &&
           reading->asked <= reading->start && reading->back < BACK_MAX &&
           from < page->count && page->posts[from].stamp >= exchange->op->since;
}

/* After a page of the topic: the next one, or those before in which posts were
 * moved; or it ends. */
static enum advance
go_on(struct exchange *exchange, struct reading *reading, int64_t pages)
{
    if (reading->asked < reading->start) {
        reading->asked = reading->seeking ? reading->page : reading->start;
    }
    reading->page = reading->asked;
    if (reading->asked >= pages) {
        int64_t before = reading->start - 1 - (int64_t)reading->back;

        reading->seeking =
            reading->moved > 0 && before > 0 && reading->back < BACK_MAX;
        return reading->seeking ? ask_page(exchange, reading, before)
                                : end_topic(exchange, reading, false);
    }
    if (reading->pages < PAGES_MAX) {
        return ask_page(exchange, reading, reading->asked + 1);
    }
    reading->minute = 0; /* so that it is gone on with */
    return end_topic(exchange, reading, true);
}

static enum advance
parse_page(struct exchange *exchange, struct reading *reading)
{
    size_t from = exchange->out->page.count;
    int64_t pages;
    json_object *posts = nodebb_posts(exchange, &pages);

    if (exchange->reply->status == 404 && reading->asked > 1) {
        /* So many posts are gone that there is no such page, where the account
         * reads by pages; the topic itself has just been seen. */
        return ask_page(exchange, reading, 1);
    }
    if (posts == NULL) {
        return nodebb_refused(exchange);
    }
    if (nodebb_is_guest(exchange)) {
        return nodebb_refuse_guest(exchange);
    }
    if (is_deleted(exchange->value)) {
        return refuse_deleted(exchange);
    }
    if (reading->first) {
        return parse_first_page(exchange, reading, posts, pages);
    }
    if (!take_posts(exchange, reading, posts)) {
        return nodebb_refused(exchange);
    }
    if (!reading->seeking && goes_back(exchange, reading, from)) {
        return ask_page(exchange, reading, reading->asked - 1);
    }
    return go_on(exchange, reading, pages);
}

/* ---- the inbox ----------------------------------------------------------- */

static enum advance
ask_list(struct exchange *exchange, struct reading *reading, int64_t start)
{
    char text[FORUM_ID_MAX + 1];

    reading->step = READ_LIST;
    ask(exchange, "GET", "/api/v3/chats");
    if (start > 0) {
        (void)snprintf(text, sizeof(text), "%" PRId64, start);
        ask_query(exchange, "start", text);
    }
    return ADVANCE_REQUEST;
}

static enum advance
ask_messages(struct exchange *exchange, struct reading *reading)
{
    reading->step = READ_CHAT;
    nodebb_ask_messages(exchange, reading->chat,
                        (int64_t)reading->chat_pages * NODEBB_CHAT_PAGE);
    reading->chat_pages++;
    return ADVANCE_REQUEST;
}

static enum advance
visit_next(struct exchange *exchange, struct reading *reading)
{
    if (forum_inbox_visit(&reading->inbox, exchange, reading->chat) ==
        ADVANCE_DONE) {
        nodebb_left_end(exchange, &reading->left);
        return ADVANCE_DONE;
    }
    reading->chat_pages = 0;
    reading->page_from = exchange->out->page.count;
    return ask_messages(exchange, reading);
}

/* A room in which nothing was written has no last message. */
static bool
read_room(json_object *from, struct forum_dm *dm)
{
    json_object *teaser = jdoc_get(from, "teaser");
    int64_t people = 0;

    dm->company = jdoc_integer(from, "userCount", &people) && people > 2;
    return forum_parse_number(from, "roomId", dm->number) &&
           (teaser == NULL || parse_time(teaser, "timestamp", &dm->last));
}

static enum advance
parse_list(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_list list = {read_room, nodebb_refused};
    json_object *response = nodebb_response(exchange);
    json_object *rooms = nodebb_list(response, "rooms");
    int64_t next = 0;
    enum advance advance =
        forum_inbox_parse(&reading->inbox, exchange, &list, rooms);

    if (advance != ADVANCE_FAILED) {
        nodebb_left_look(exchange, &reading->left, rooms, reading->inbox.date);
    }
    switch (advance) {
    case ADVANCE_REQUEST:
        return jdoc_integer(response, "nextStart", &next) && next > 0
                   ? ask_list(exchange, reading, next)
                   : visit_next(exchange, reading);
    case ADVANCE_DONE:
        return visit_next(exchange, reading);
    case ADVANCE_FAILED:
        break;
    }
    return ADVANCE_FAILED;
}

static enum advance
parse_chat(struct exchange *exchange, struct reading *reading)
{
    struct origin origin = {.id = "messageId",
                            .user = "fromUser",
                            .author = "fromuid",
                            .answers = "toMid",
                            .number = reading->chat,
                            .dm = true,
                            .company =
                                forum_inbox_has_company(&reading->inbox)};
    json_object *messages = nodebb_list(nodebb_response(exchange), "messages");
    bool older = false;

    if (messages == NULL) {
        return nodebb_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(messages); i++) {
        json_object *message = json_object_array_get_idx(messages, i);
        int64_t stamp;

        if (!parse_time(message, "timestamp", &stamp)) {
            return nodebb_refused(exchange);
        }
        forum_inbox_see(&reading->inbox, stamp);
        if (stamp <= reading->inbox.from) {
            older = true;
        } else if (!is_from_elsewhere(message, "messageId") &&
                   !parse_post(exchange, message, &origin)) {
            return nodebb_refused(exchange);
        }
    }
    if (!older && json_object_array_length(messages) >= NODEBB_CHAT_PAGE &&
        reading->chat_pages < CHAT_PAGES_MAX) {
        forum_inbox_note(&reading->inbox, exchange);
        return ask_messages(exchange, reading);
    }
    forum_sort_posts(&exchange->out->page, reading->page_from);
    return visit_next(exchange, reading);
}

/* ---- addresses ----------------------------------------------------------- */

static char *
post_at(const struct exchange *exchange, int64_t position)
{
    int64_t pages;
    json_object *posts = nodebb_posts(exchange, &pages);

    for (size_t i = 0; posts != NULL && i < json_object_array_length(posts);
         i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t index;

        if (jdoc_integer(post, "index", &index) && index == position - 1) {
            return number_text(post, "pid");
        }
    }
    return NULL;
}

/* ---- reading ------------------------------------------------------------- */

static enum advance
begin(struct exchange *exchange, struct reading *reading)
{
    const struct op *op = exchange->op;

    if (forum_is_inbox(exchange)) {
        nodebb_left_begin(exchange, &reading->left);
        return forum_inbox_begin(&reading->inbox, op->cursor)
                   ? ask_list(exchange, reading, 0)
                   : forum_lost_cursor(exchange);
    }
    reading->first = *op->cursor == '\0';
    if (!forum_is_number(op->feed) ||
        (!reading->first && !read_cursor(reading, op->cursor))) {
        return forum_lost_cursor(exchange);
    }
    reading->step = READ_SHORT;
    ask(exchange, "GET", "/api/v3/topics");
    ask_part(exchange, op->feed);
    return ADVANCE_REQUEST;
}

static enum advance
read_on(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));

    switch (reading->step) {
    case READ_BEGIN:
        return begin(exchange, reading);
    case READ_SHORT:
        return parse_short(exchange, reading);
    case READ_PAGE:
        return parse_page(exchange, reading);
    case READ_LIST:
        return parse_list(exchange, reading);
    case READ_CHAT:
        break;
    }
    return parse_chat(exchange, reading);
}

static const struct forum_addresses addresses = {.path = "/topic/",
                                                 .post = "/post/",
                                                 .read = read_on,
                                                 .ask = nodebb_ask_position,
                                                 .find = post_at};

enum advance
nodebb_read(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));

    return forum_read(&reading->lookup, exchange, &addresses);
}
