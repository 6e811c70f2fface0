/*
 * NodeBB: reading.
 *
 * A topic is asked for in short first: how many posts it has, and when the last
 * was written.  Where that has changed, and once a minute for edits, its pages
 * are read, from the one before the last that was read.
 *
 * A moderator still reads what was deleted, and what was read counts: deleting
 * a post takes nothing back.  From others its words are kept.
 *
 * The address bar names a post by its place in the topic, 107 in
 * /topic/3/slug/107, which changes as posts go.  Where a post holds such an
 * address it is looked up, and stands there as /post/112.
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
    ADDRESSES_MAX = 4,  /* looked up in one reading */
};

enum read_step {
    READ_BEGIN,
    READ_SHORT,
    READ_PAGE,
    READ_LIST,
    READ_CHAT,
    READ_ADDRESS
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
    /* The inbox. */
    struct forum_inbox inbox;
    char chat[FORUM_ID_MAX + 1];
    unsigned chat_pages;
    size_t page_from; /* where the chat's posts begin in the page */
    /* The place in a topic that is looked up. */
    unsigned addresses;
    int64_t position;
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
    return forum_hear_number(object, key, number) ? must_copy(number) : NULL;
}

struct origin {
    const char *id, *user, *author, *answers; /* the keys of its members */
    const char *number;                       /* of the topic or room */
    bool talk;
};

/* Who wrote it: a number that some versions write as text; of somebody at
 * another server (ActivityPub), or a guest, 0; false: it doesn't say. */
static bool
hear_author(json_object *from, const struct origin *origin, int64_t *uid)
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
hear_post(struct trip *trip, json_object *from, const struct origin *origin)
{
    json_object *user = jdoc_get(from, origin->user);
    const char *name = jdoc_string(user, "username");
    const char *content = jdoc_string(from, "content");
    bool deleted = forum_is_set(from, "deleted") && is_withheld(content);
    char *id = number_text(from, origin->id);
    int64_t stamp;
    int64_t edited = 0;
    int64_t uid;

    /* Of who is gone the part of addresses is "". */
    if (id == NULL || !hear_time(from, "timestamp", &stamp) ||
        !hear_author(from, origin, &uid) || (content == NULL && !deleted) ||
        jdoc_string(user, "userslug") == NULL) {
        free(id);
        return false;
    }
    (void)hear_time(from, "edited", &edited);

    struct post *post =
        forum_add_post(&trip->out->page, origin->number, origin->talk);

    post->kind = deleted ? POST_DELETED : POST_WRITTEN;
    post->id = id;
    post->author = nodebb_user(user, uid);
    post->author_name = must_copy(name == NULL ? "" : name);
    post->body = must_copy(deleted ? "" : content);
    post->body_len = strlen(post->body);
    post->reply_to = number_text(from, origin->answers);
    post->stamp = stamp;
    post->edited = edited;
    post->own = strcmp(post->author, trip->service->self) == 0;
    post->machine = forum_is_set(from, "system") || uid <= 0;
    return true;
}

static bool
hear_post_number(json_object *post, int64_t *number)
{
    char *text = number_text(post, "pid");
    bool is = text != NULL;

    *number = is ? strtoll(text, NULL, 10) : 0;
    free(text);
    return is;
}

/* What has come from another server has an address in the place of a number.
 * Nobody at a table is there. */
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

static enum turn
end_topic(struct trip *trip, struct reading *reading, bool more)
{
    struct outcome *out = trip->out;

    forum_sort_posts(&out->page, 0);
    forum_end_page(out, reading->date, more);
    buf_clear(&out->cursor);
    buf_addf(&out->cursor,
             "%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRId64,
             reading->minute, reading->begun, reading->page, reading->count,
             reading->last);
    return TURN_DONE;
}

static enum turn
ask_page(struct trip *trip, struct reading *reading, int64_t page)
{
    reading->step = READ_PAGE;
    reading->asked = page < 1 ? 1 : page;
    reading->pages += page >= reading->start ? 1 : 0;
    reading->back += page < reading->start ? 1 : 0;
    nodebb_ask_page(trip, trip->errand->feed, reading->asked);
    return TURN_REQUEST;
}

static enum turn
hear_short(struct trip *trip, struct reading *reading)
{
    json_object *topic = nodebb_response(trip);
    int64_t count;
    int64_t last;

    if (topic == NULL || !jdoc_integer(topic, "postcount", &count) ||
        !hear_time(topic, "lastposttime", &last)) {
        return nodebb_refused(trip);
    }
    if (!forum_hear_date(trip, &reading->date)) {
        return forum_undated(trip);
    }
    int64_t minute = reading->date / FORUM_EDITS_MS;

    if (!reading->first && count == reading->count && last == reading->last &&
        minute == reading->minute && trip->errand->since == 0) {
        return end_topic(trip, reading, false);
    }
    reading->count = count;
    reading->last = last;
    reading->minute = minute;
    reading->start = reading->page > 1 ? reading->page - 1 : 1;
    return ask_page(trip, reading, reading->start);
}

/* At first nothing is read but how far it goes. */
static enum turn
hear_first_page(struct trip *trip, struct reading *reading, json_object *posts,
                int64_t pages)
{
    if (reading->asked < pages) {
        return ask_page(trip, reading, pages);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        int64_t id;

        if (hear_post_number(json_object_array_get_idx(posts, i), &id) &&
            id > reading->begun) {
            reading->begun = id;
        }
    }
    reading->page = reading->asked;
    return end_topic(trip, reading, false);
}

/* Is there more before a page that may have been edited since the question was
 * opened?  `from`: where its posts begin. */
static bool
goes_back(const struct trip *trip, const struct reading *reading, size_t from)
{
    const struct page *page = &trip->out->page;

    return trip->errand->since != 0 && reading->asked > 1 &&
           reading->asked <= reading->start && reading->back < BACK_MAX &&
           from < page->count && page->posts[from].stamp >= trip->errand->since;
}

/* Who comes with a token that is none is shown what guests see. */
static bool
is_guest(const struct trip *trip)
{
    bool known = true;

    return jdoc_bool(trip->value, "loggedIn", &known) && !known;
}

static enum turn
refuse_guest(struct trip *trip)
{
    (void)outcome_fail(trip->out, trip->why, ERR_DENIED,
                       "%s: the forum does not know the token any more",
                       trip->service->name);
    trip->out->refused = REFUSED_ACCOUNT;
    return TURN_FAILED;
}

static enum turn
hear_page(struct trip *trip, struct reading *reading)
{
    size_t from = trip->out->page.count;
    struct origin origin = {.id = "pid",
                            .user = "user",
                            .author = "uid",
                            .answers = "toPid",
                            .number = trip->errand->feed};
    int64_t pages;
    json_object *posts = nodebb_posts(trip, &pages);

    if (trip->reply->status == 404 && reading->asked > 1) {
        /* So many posts are gone that there is no such page, where the account
         * reads by pages; the topic itself has just been seen. */
        return ask_page(trip, reading, 1);
    }
    if (posts == NULL) {
        return nodebb_refused(trip);
    }
    if (is_guest(trip)) {
        return refuse_guest(trip);
    }
    if (reading->first) {
        return hear_first_page(trip, reading, posts, pages);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t id;

        if (is_from_elsewhere(post, "pid")) {
            continue;
        }
        if (!hear_post_number(post, &id) ||
            (id > reading->begun && !hear_post(trip, post, &origin))) {
            return nodebb_refused(trip);
        }
    }
    if (goes_back(trip, reading, from)) {
        return ask_page(trip, reading, reading->asked - 1);
    }
    if (reading->asked < reading->start) {
        reading->asked = reading->start;
    }
    reading->page = reading->asked;
    if (reading->asked >= pages) {
        return end_topic(trip, reading, false);
    }
    if (reading->pages < PAGES_MAX) {
        return ask_page(trip, reading, reading->asked + 1);
    }
    reading->minute = 0; /* so that it is gone on with */
    return end_topic(trip, reading, true);
}

/* ---- the inbox ----------------------------------------------------------- */

static enum turn
ask_list(struct trip *trip, struct reading *reading, int64_t start)
{
    char text[FORUM_ID_MAX + 1];

    reading->step = READ_LIST;
    ask(trip, "GET", "/api/v3/chats");
    if (start > 0) {
        (void)snprintf(text, sizeof(text), "%" PRId64, start);
        ask_query(trip, "start", text);
    }
    return TURN_REQUEST;
}

static enum turn
ask_messages(struct trip *trip, struct reading *reading)
{
    reading->step = READ_CHAT;
    nodebb_ask_messages(trip, reading->chat,
                        (int64_t)reading->chat_pages * NODEBB_CHAT_PAGE);
    reading->chat_pages++;
    return TURN_REQUEST;
}

static enum turn
visit_next(struct trip *trip, struct reading *reading)
{
    const struct forum_talk *talk = forum_inbox_next(&reading->inbox);

    if (talk == NULL) {
        return forum_inbox_end(&reading->inbox, trip->out);
    }
    memcpy(reading->chat, talk->number, sizeof(reading->chat));
    reading->chat_pages = 0;
    reading->page_from = trip->out->page.count;
    return ask_messages(trip, reading);
}

/* A room in which nothing was written has no last message. */
static bool
read_room(json_object *from, char number[FORUM_ID_MAX + 1], int64_t *last)
{
    json_object *teaser = jdoc_get(from, "teaser");

    *last = 0;
    return forum_hear_number(from, "roomId", number) &&
           (teaser == NULL || hear_time(teaser, "timestamp", last));
}

static enum turn
hear_list(struct trip *trip, struct reading *reading)
{
    static const struct forum_list list = {read_room, nodebb_refused};
    json_object *response = nodebb_response(trip);
    int64_t next = 0;

    switch (forum_inbox_hear(&reading->inbox, trip, &list,
                             nodebb_list(response, "rooms"))) {
    case TURN_REQUEST:
        return jdoc_integer(response, "nextStart", &next) && next > 0
                   ? ask_list(trip, reading, next)
                   : visit_next(trip, reading);
    case TURN_DONE:
        return visit_next(trip, reading);
    case TURN_FAILED:
        break;
    }
    return TURN_FAILED;
}

static enum turn
hear_chat(struct trip *trip, struct reading *reading)
{
    struct origin origin = {.id = "messageId",
                            .user = "fromUser",
                            .author = "fromuid",
                            .answers = "toMid",
                            .number = reading->chat,
                            .talk = true};
    json_object *messages = nodebb_list(nodebb_response(trip), "messages");
    bool older = false;

    if (messages == NULL) {
        return nodebb_refused(trip);
    }
    for (size_t i = 0; i < json_object_array_length(messages); i++) {
        json_object *message = json_object_array_get_idx(messages, i);
        int64_t stamp;

        if (!hear_time(message, "timestamp", &stamp)) {
            return nodebb_refused(trip);
        }
        if (stamp <= reading->inbox.from) {
            older = true;
        } else if (!is_from_elsewhere(message, "messageId") &&
                   !hear_post(trip, message, &origin)) {
            return nodebb_refused(trip);
        }
    }
    if (!older && json_object_array_length(messages) >= NODEBB_CHAT_PAGE &&
        reading->chat_pages < CHAT_PAGES_MAX) {
        return ask_messages(trip, reading);
    }
    forum_sort_posts(&trip->out->page, reading->page_from);
    return visit_next(trip, reading);
}

/* ---- addresses ----------------------------------------------------------- */

/* An address with a place in a topic. */
struct address {
    struct post *post;
    size_t from, len; /* in its body: "/topic/3/slug/107" */
    struct buf topic;
    int64_t position;
};

/* Read one that begins there, behind "/topic/"; false: it is none. */
static bool
read_address(const char *body, const char *at, struct address *address)
{
    size_t topic = strspn(at, "0123456789");
    const char *slug = at + topic + 1;
    size_t slug_len =
        topic == 0 || at[topic] != '/' ? 0 : strcspn(slug, "/?#<>\"' \t\n");
    const char *number = slug + slug_len + 1;
    size_t len = slug_len == 0 || slug[slug_len] != '/'
                     ? 0
                     : strspn(number, "0123456789");

    if (len == 0 || len >= FORUM_ID_MAX || topic > FORUM_ID_MAX) {
        return false;
    }
    address->from = (size_t)(at - body) - (sizeof("/topic/") - 1);
    address->len = (size_t)(number + len - body) - address->from;
    address->position = strtoll(number, NULL, 10);
    buf_clear(&address->topic);
    buf_add(&address->topic, at, topic);
    return true;
}

/* The first address in a command: in other posts nobody follows it. */
static bool
find_address(const struct page *page, struct address *address)
{
    for (size_t i = 0; i < page->count; i++) {
        const char *body = page->posts[i].body;

        if (page->posts[i].own || strchr(body, '!') == NULL) {
            continue;
        }
        address->post = &page->posts[i];
        for (const char *at = strstr(body, "/topic/"); at != NULL;
             at = strstr(at, "/topic/")) {
            at += sizeof("/topic/") - 1;
            if (read_address(body, at, address)) {
                return true;
            }
        }
    }
    return false;
}

static void
put_post(const struct address *address, const char *id)
{
    struct post *post = address->post;
    struct buf body = BUF_INIT;

    buf_add(&body, post->body, address->from);
    buf_addf(&body, "/post/%s", id);
    buf_add_text(&body, post->body + address->from + address->len);
    free(post->body);
    post->body_len = body.len;
    post->body = buf_take(&body);
}

static enum turn
look_up(struct trip *trip, struct reading *reading)
{
    struct address address = {.position = 0};
    enum turn turn = TURN_DONE;

    while (turn == TURN_DONE && find_address(&trip->out->page, &address)) {
        if (reading->addresses == ADDRESSES_MAX) {
            put_post(&address, "0"); /* which nobody has */
        } else {
            reading->step = READ_ADDRESS;
            reading->addresses++;
            reading->position = address.position;
            nodebb_ask_position(trip, buf_text(&address.topic),
                                address.position);
            turn = TURN_REQUEST;
        }
    }
    buf_release(&address.topic);
    return turn;
}

/* The post on a page that has that place in its topic; owned, NULL: none. */
static char *
post_at(json_object *posts, int64_t position)
{
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

/* Put the post that stands there in the address's place, in a link and its
 * words; one that can't be seen is none, so that no other is taken for it. */
static enum turn
hear_address(struct trip *trip, struct reading *reading)
{
    struct address address = {.position = 0};
    struct buf topic = BUF_INIT;
    int64_t pages;
    char *id = post_at(nodebb_posts(trip, &pages), reading->position);

    while (find_address(&trip->out->page, &address) &&
           address.position == reading->position &&
           (topic.len == 0 || buf_equals(&topic, buf_text(&address.topic)))) {
        buf_clear(&topic);
        buf_add_buf(&topic, &address.topic);
        put_post(&address, id == NULL ? "0" : id);
    }
    free(id);
    buf_release(&topic);
    buf_release(&address.topic);
    return look_up(trip, reading);
}

/* ---- reading ------------------------------------------------------------- */

static enum turn
begin(struct trip *trip, struct reading *reading)
{
    const struct errand *errand = trip->errand;

    if (forum_is_inbox(trip)) {
        return forum_inbox_begin(&reading->inbox, errand->cursor)
                   ? ask_list(trip, reading, 0)
                   : forum_lost_cursor(trip);
    }
    reading->first = *errand->cursor == '\0';
    if (!forum_is_number(errand->feed) ||
        (!reading->first && !read_cursor(reading, errand->cursor))) {
        return forum_lost_cursor(trip);
    }
    reading->step = READ_SHORT;
    ask(trip, "GET", "/api/v3/topics");
    ask_part(trip, errand->feed);
    return TURN_REQUEST;
}

static enum turn
read_on(struct trip *trip, struct reading *reading)
{
    switch (reading->step) {
    case READ_BEGIN:
        return begin(trip, reading);
    case READ_SHORT:
        return hear_short(trip, reading);
    case READ_PAGE:
        return hear_page(trip, reading);
    case READ_LIST:
        return hear_list(trip, reading);
    case READ_CHAT:
    case READ_ADDRESS:
        break;
    }
    return hear_chat(trip, reading);
}

enum turn
nodebb_read(struct trip *trip)
{
    struct reading *reading = trip_memory(trip, sizeof(*reading));

    if (reading->step == READ_ADDRESS) {
        return hear_address(trip, reading);
    }
    enum turn turn = read_on(trip, reading);

    return turn == TURN_DONE ? look_up(trip, reading) : turn;
}
