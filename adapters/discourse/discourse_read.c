/*
 * Discourse: reading.
 *
 * A topic is asked for from its end: that gives the ids of all its posts, its
 * stream, and the last posts.  The cursor holds the last ids that were there,
 * so that new ones are seen, and those that went; what is new and did not come
 * with the stream is asked for by its ids.  The last posts are looked at once a
 * minute, for their edits.
 *
 * A post's id is higher than those of all posts before it, so that what is
 * moved into a topic from another is taken as if it had always stood there.  Of
 * a topic whose posts were all moved into another the first post is left, then
 * a note of that, and it is closed (app/models/post_mover.rb): it is no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    KNOWN_MAX = 10, /* ids in a cursor, which has 255 bytes at most */
    /* Posts looked at in one reading: of a DM; of a topic, as far back as the
     * question goes. */
    DM_IDS_MAX = 3 * DISCOURSE_CHUNK,
    TOPIC_IDS_MAX = 10 * DISCOURSE_CHUNK,
};

enum read_step {
    READ_BEGIN,
    READ_TOPIC,
    READ_POSTS,
    READ_LIST,
    READ_DM,
    READ_DM_POSTS
};

struct reading {
    enum read_step step;
    /* A topic: what the cursor says, and what it will say. */
    int64_t minute;
    int64_t begun; /* the last id that was there before our time */
    int64_t known[KNOWN_MAX];
    unsigned known_count;
    int64_t next[KNOWN_MAX];
    unsigned next_count;
    int64_t date;
    bool more;
    /* The inbox. */
    struct forum_inbox inbox;
    bool sent; /* the list asked for is the one of DMs with own posts */
    bool first;
    bool alone; /* one DM is read alone: the message bus has told of it */
    char dm[FORUM_ID_MAX + 1];
    bool company; /* others read that one, too */
    /* A topic's or a DM's last posts. */
    int64_t ids[TOPIC_IDS_MAX];
    size_t left;      /* of them, not yet asked for */
    size_t page_from; /* where they begin in the page */
    struct forum_lookup lookup;
};

/* ---- posts --------------------------------------------------------------- */

static char *
copy_of(const char *text)
{
    return must_copy(text == NULL ? "" : text);
}

/* The id of the post with that number among those that came with it. */
static char *
find_numbered(json_object *posts, int64_t number)
{
    char id[FORUM_ID_MAX + 1] = "";

    size_t count = posts == NULL ? 0 : json_object_array_length(posts);

    for (size_t i = 0; number > 0 && i < count; i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t is;

        if (jdoc_integer(post, "post_number", &is) && is == number) {
            (void)forum_parse_number(post, "id", id);
        }
    }
    return must_copy(id);
}

/* What its writer takes back is not there for others. */
static bool
is_deleted(json_object *post)
{
    return jdoc_string(post, "deleted_at") != NULL ||
           forum_is_set(post, "user_deleted");
}

/* Whose account was deleted has neither a name nor a number any more; owned,
 * NULL: the reply is none that a forum gives. */
static char *
author_of(json_object *from)
{
    int64_t uid;

    return jdoc_string(from, "username") == NULL &&
                   !jdoc_integer(from, "user_id", &uid)
               ? must_copy("(nobody)")
               : forum_user(jdoc_string(from, "username"));
}

/* When a post was last edited; 0: never; -1: unknown.  An edit in the grace
 * period (editing_grace_period) makes no version, but sets the time: what else
 * sets that, and not only a column, comes with the post's first second
 * (lib/post_revisor.rb, lib/post_locker.rb). */
static int64_t
parse_edited(json_object *post, int64_t stamp)
{
    int64_t updated = 0;
    int64_t version = 1;

    (void)jdoc_integer(post, "version", &version);
    if (!forum_parse_time(post, "updated_at", &updated)) {
        return version > 1 ? -1 : 0;
    }
    return version > 1 || updated > stamp + FORUM_MARGIN_MS ? updated : 0;
}

/* What was written, where what is shown is a translation of it into the
 * account's language (content_localization_enabled); NULL: it is none.  The
 * member's name is not recorded (tests/fixtures/discourse/README.md).  Of its
 * Markdown the board's dialect has the marks that matter: `**`, quotes, code,
 * what is struck or hidden. */
static const char *
source_of(json_object *from)
{
    return forum_is_set(from, "is_localized") ? jdoc_string(from, "raw") : NULL;
}

struct origin {
    const char *number; /* of the topic */
    bool dm, company;
};

/* Is it the note that its author has left the private message? */
static bool
is_left(json_object *from, const struct origin *origin)
{
    const char *action = jdoc_string(from, "action_code");

    return origin->dm && action != NULL && strcmp(action, "user_left") == 0;
}

/* Take in one post; false: the reply is none that a forum gives. */
static bool
parse_post(struct exchange *exchange, json_object *posts, json_object *from,
           const struct origin *origin)
{
    const char *name = jdoc_string(from, "username");
    const char *cooked = jdoc_string(from, "cooked");
    const char *source = source_of(from);
    char id[FORUM_ID_MAX + 1];
    int64_t stamp;
    int64_t type = 0;
    int64_t answers = 0;
    int64_t member = 0;
    char *author = author_of(from);

    if (!forum_parse_number(from, "id", id) || author == NULL ||
        cooked == NULL || !forum_parse_time(from, "created_at", &stamp) ||
        !jdoc_integer(from, "post_type", &type) ||
        (name != NULL && !jdoc_integer(from, "user_id", &member))) {
        free(author);
        return false;
    }
    (void)jdoc_integer(from, "reply_to_post_number", &answers);

    struct post *post =
        forum_add_post(&exchange->out->page, origin->number, origin->dm);

    post->kind = is_deleted(from)        ? POST_DELETED
                 : is_left(from, origin) ? POST_LEFT
                                         : POST_WRITTEN;
    post->id = must_copy(id);
    post->company = origin->company;
    post->own = forum_is_self(exchange, member, name);
    post->author = author;
    post->author_name = copy_of(name);
    post->member = member;
    if (source != NULL) {
        post->dialect = &dialect_board;
        cooked = source;
    }
    post->body = copy_of(post->kind == POST_DELETED ? "" : cooked);
    post->body_len = strlen(post->body);
    post->reply_to = find_numbered(posts, answers);
    post->stamp = stamp;
    post->machine = type != 1 || name == NULL; /* 1: written by a person */
    post->edited = parse_edited(from, stamp);
    /* Others don't see what was flagged until a moderator has looked at it. */
    post->pending = forum_is_set(from, "hidden");
    return true;
}

/* ---- a topic ------------------------------------------------------------- */

static bool
read_cursor(struct reading *reading, const char *cursor)
{
    char *end;

    reading->minute = strtoll(cursor, &end, 10);
    if (*end != '.') {
        return false;
    }
    reading->begun = strtoll(end + 1, &end, 10);
    if (*end != ':') {
        return false;
    }
    if (end[1] == '\0') {
        return true; /* the topic was empty */
    }
    while (*end != '\0' && reading->known_count < KNOWN_MAX) {
        reading->known[reading->known_count++] = strtoll(end + 1, &end, 10);
        if (*end != ',' && *end != '\0') {
            return false;
        }
    }
    return *end == '\0';
}

static void
write_cursor(const struct reading *reading, struct buf *cursor)
{
    buf_clear(cursor);
    buf_add_number(cursor, reading->minute);
    buf_add_char(cursor, '.');
    buf_add_number(cursor, reading->begun);
    buf_add_char(cursor, ':');
    for (unsigned i = 0; i < reading->next_count; i++) {
        buf_add_text(cursor, i == 0 ? "" : ",");
        buf_add_number(cursor, reading->next[i]);
    }
}

/* The cursor will know the ids of the stream that end before `end`. */
static void
know_stream(struct reading *reading, json_object *stream, size_t end)
{
    size_t from = end > KNOWN_MAX ? end - KNOWN_MAX : 0;

    reading->next_count = 0;
    for (size_t i = from; i < end; i++) {
        reading->next[reading->next_count++] = discourse_stream_at(stream, i);
    }
}

/* How many of the stream's ids come no later than an id; they rise. */
static size_t
count_known(json_object *stream, int64_t last)
{
    size_t end = json_object_array_length(stream);

    while (end > 0 && discourse_stream_at(stream, end - 1) > last) {
        end--;
    }
    return end;
}

/* Those that the cursor knows and the stream has no more were deleted. */
static void
add_deleted(struct exchange *exchange, const struct reading *reading,
            json_object *stream, size_t known_end)
{
    size_t at = known_end > KNOWN_MAX ? known_end - KNOWN_MAX : 0;

    for (unsigned i = 0; i < reading->known_count; i++) {
        while (at < known_end &&
               discourse_stream_at(stream, at) < reading->known[i]) {
            at++;
        }
        if (at < known_end &&
            discourse_stream_at(stream, at) == reading->known[i]) {
            continue;
        }
        struct post *post = page_add(&exchange->out->page);
        struct buf id = BUF_INIT;

        buf_add_number(&id, reading->known[i]);
        post->kind = POST_DELETED;
        post->id = buf_take(&id);
        post->place = must_copy(exchange->op->feed);
        post->stamp = reading->date;
    }
}

static enum advance
end_topic(struct exchange *exchange, struct reading *reading)
{
    forum_sort_posts(&exchange->out->page, reading->page_from);
    forum_end_page(exchange->out, reading->date, reading->more);
    write_cursor(reading, &exchange->out->cursor);
    return ADVANCE_DONE;
}

/* Keep the ids of the stream's last posts before `end`. */
static void
keep_ids(struct reading *reading, json_object *stream, size_t end, size_t most)
{
    reading->left = 0;
    for (size_t i = end > most ? end - most : 0; i < end; i++) {
        reading->ids[reading->left++] = discourse_stream_at(stream, i);
    }
}

/* Ask for the last of them that were not asked for yet. */
static enum advance
ask_ids(struct exchange *exchange, struct reading *reading, const char *topic,
        enum read_step step)
{
    size_t count =
        reading->left < DISCOURSE_BATCH ? reading->left : DISCOURSE_BATCH;

    reading->left -= count;
    reading->step = step;
    discourse_ask_posts(exchange, topic, reading->ids + reading->left, count);
    return ADVANCE_REQUEST;
}

/* Is a post among these, with its source? */
static bool
has_post(json_object *posts, int64_t id)
{
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t is;

        if (jdoc_integer(post, "id", &is) && is == id) {
            return jdoc_string(post, "raw") != NULL;
        }
    }
    return false;
}

/* Have the posts come with the stream that would be asked for next?  Then they
 * are not. */
static bool
take_end(struct exchange *exchange, struct reading *reading)
{
    size_t count =
        reading->left < DISCOURSE_CHUNK ? reading->left : DISCOURSE_CHUNK;

    for (size_t i = reading->left - count; i < reading->left; i++) {
        if (!has_post(discourse_posts(exchange), reading->ids[i])) {
            return false;
        }
    }
    reading->left -= count;
    return count > 0;
}

static enum advance
parse_posts(struct exchange *exchange, struct reading *reading)
{
    json_object *posts = discourse_posts(exchange);
    struct origin origin = {exchange->op->feed, false, false};
    bool older = exchange->op->since == 0;

    if (posts == NULL) {
        return discourse_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        struct page *page = &exchange->out->page;
        int64_t id;

        if (!jdoc_integer(post, "id", &id) || id <= 0 ||
            (id > reading->begun &&
             !parse_post(exchange, posts, post, &origin))) {
            return discourse_refused(exchange);
        }
        older = older || id <= reading->begun ||
                page->posts[page->count - 1].stamp < exchange->op->since;
    }
    if (!older && !reading->more && reading->left > 0) {
        return ask_ids(exchange, reading, exchange->op->feed, READ_POSTS);
    }
    if (exchange->out->page.count == 0) {
        reading->more = false; /* all of them are gone by now */
    }
    return end_topic(exchange, reading);
}

/* Were all its posts moved into another topic?  One that is opened again goes
 * on. */
static bool
was_merged(const struct exchange *exchange, json_object *stream)
{
    json_object *posts = discourse_posts(exchange);
    int64_t second = discourse_stream_at(stream, 1);
    bool moved = false;

    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        const char *action = jdoc_string(post, "action_code");
        int64_t id = 0;

        (void)jdoc_integer(post, "id", &id);
        moved = moved || (id == second && action != NULL &&
                          strcmp(action, "split_topic") == 0);
    }
    return moved && forum_is_set(exchange->value, "closed");
}

/* Who has posted there, the 24 who did so most, by the names that they have now
 * (app/serializers/topic_view_details_serializer.rb): that of somebody who has
 * been silent for long stands in none of the posts that are read again. */
static void
add_called(struct exchange *exchange)
{
    json_object *people =
        jdoc_get(jdoc_get(exchange->value, "details"), "participants");
    bool listed = json_object_is_type(people, json_type_array);

    for (size_t i = 0; listed && i < json_object_array_length(people); i++) {
        json_object *person = json_object_array_get_idx(people, i);
        char *name = forum_user(jdoc_string(person, "username"));
        int64_t member;

        if (name != NULL && jdoc_integer(person, "id", &member)) {
            outcome_add_called(exchange->out, member, name);
        } else {
            free(name);
        }
    }
}

static enum advance
parse_topic(struct exchange *exchange, struct reading *reading)
{
    json_object *stream = discourse_stream(exchange);

    if (stream == NULL) {
        return discourse_refused(exchange);
    }
    if (was_merged(exchange, stream)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the topic was merged into another",
                            exchange->service->name);
    }
    if (!forum_parse_date(exchange, &reading->date)) {
        return forum_undated(exchange);
    }
    add_called(exchange);
    size_t end = json_object_array_length(stream);
    int64_t minute = reading->date / FORUM_EDITS_MS;

    if (reading->first) {
        know_stream(reading, stream, end);
        reading->minute = minute;
        if (exchange->op->recent) {
            return parse_posts(exchange, reading);
        }
        reading->begun = end == 0 ? 0 : discourse_stream_at(stream, end - 1);
        return end_topic(exchange, reading);
    }
    size_t old =
        count_known(stream, reading->known_count == 0
                                ? reading->begun
                                : reading->known[reading->known_count - 1]);

    add_deleted(exchange, reading, stream, old);
    size_t added = end - old;

    reading->more = added > DISCOURSE_BATCH;
    end = reading->more ? old + DISCOURSE_BATCH : end;
    know_stream(reading, stream, end);
    if (added == 0 && minute == reading->minute && exchange->op->since == 0) {
        return end_topic(exchange, reading);
    }
    reading->minute = minute;
    keep_ids(reading, stream, end, TOPIC_IDS_MAX);
    reading->page_from = exchange->out->page.count;
    if (reading->left == 0) {
        return end_topic(exchange, reading);
    }
    return added <= DISCOURSE_CHUNK && take_end(exchange, reading)
               ? parse_posts(exchange, reading)
               : ask_ids(exchange, reading, exchange->op->feed, READ_POSTS);
}

/* ---- the inbox ----------------------------------------------------------- */

/* The inbox leaves out DMs in which nobody else has posted, as a job counts
 * them some seconds after the first answer; the list of DMs that one has
 * posted in has them all (lib/topic_query/private_message_lists.rb). */
static enum advance
ask_list(struct exchange *exchange, struct reading *reading)
{
    reading->step = READ_LIST;
    discourse_ask_list(
        exchange, reading->sent ? "private-messages-sent" : "private-messages",
        reading->inbox.pages);
    return ADVANCE_REQUEST;
}

/* The other DMs were not looked at, so the cursor stays where it was. */
static enum advance
end_dm(struct exchange *exchange, const struct reading *reading)
{
    buf_add_text(&exchange->out->cursor, exchange->op->cursor);
    exchange->out->through = reading->inbox.from;
    return ADVANCE_DONE;
}

static enum advance
visit(struct exchange *exchange, struct reading *reading)
{
    reading->step = READ_DM;
    discourse_ask_end(exchange, reading->dm);
    exchange->out->request.urgent = reading->alone;
    return ADVANCE_REQUEST;
}

static enum advance
visit_next(struct exchange *exchange, struct reading *reading)
{
    if (reading->alone) {
        return end_dm(exchange, reading);
    }
    do {
        if (forum_inbox_visit(&reading->inbox, exchange, reading->dm) ==
            ADVANCE_DONE) {
            return ADVANCE_DONE;
        }
    } while (forum_is_noted(exchange, DISCOURSE_GALLERIES, reading->dm));
    return visit(exchange, reading);
}

/* One whose posts were all deleted has no last one. */
static bool
read_dm(const struct exchange *exchange, json_object *from, struct forum_dm *dm)
{
    (void)exchange;
    return forum_parse_number(from, "id", dm->number) &&
           (jdoc_get(from, "last_posted_at") == NULL ||
            forum_parse_time(from, "last_posted_at", &dm->last));
}

/* A key without the scope for the inbox is good for the topics: it is only the
 * list that is refused. */
static enum advance
refuse_list(struct exchange *exchange)
{
    (void)discourse_refused(exchange);
    if (discourse_said(exchange, 403)) {
        exchange->out->refused = REFUSED_RIGHT;
    }
    return ADVANCE_FAILED;
}

static enum advance
parse_list(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_list list = {read_dm, refuse_list};
    json_object *dms =
        jdoc_get(jdoc_get(exchange->value, "topic_list"), "topics");

    switch (forum_inbox_parse(&reading->inbox, exchange, &list, dms)) {
    case ADVANCE_REQUEST:
        return ask_list(exchange, reading);
    case ADVANCE_DONE:
        if (reading->sent) {
            return visit_next(exchange, reading);
        }
        reading->sent = true;
        forum_inbox_advance(&reading->inbox);
        return ask_list(exchange, reading);
    case ADVANCE_FAILED:
        break;
    }
    return ADVANCE_FAILED;
}

static enum advance
parse_dm_posts(struct exchange *exchange, struct reading *reading)
{
    json_object *posts = discourse_posts(exchange);
    struct origin origin = {reading->dm, true, reading->company};
    bool older = false;

    if (posts == NULL) {
        return discourse_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t stamp;

        if (!forum_parse_time(post, "created_at", &stamp)) {
            return discourse_refused(exchange);
        }
        forum_inbox_see(&reading->inbox, stamp);
        if (stamp <= reading->inbox.from) {
            older = true;
        } else if (!parse_post(exchange, posts, post, &origin)) {
            return discourse_refused(exchange);
        }
    }
    if (!older && reading->left > 0) {
        forum_inbox_note(&reading->inbox, exchange);
        return ask_ids(exchange, reading, reading->dm, READ_DM_POSTS);
    }
    forum_sort_posts(&exchange->out->page, reading->page_from);
    return visit_next(exchange, reading);
}

/* Skip a DM that was deleted or can no longer be read. */
static enum advance
parse_dm(struct exchange *exchange, struct reading *reading)
{
    json_object *stream = discourse_stream(exchange);

    if (discourse_said(exchange, 403) || discourse_said(exchange, 404) ||
        discourse_said(exchange, 410) || discourse_is_deleted(exchange)) {
        return visit_next(exchange, reading);
    }
    if (stream == NULL) {
        return discourse_refused(exchange);
    }
    size_t end = json_object_array_length(stream);

    reading->page_from = exchange->out->page.count;
    reading->company = discourse_has_company(exchange);
    keep_ids(reading, stream, end, DM_IDS_MAX);
    if (reading->left == 0) {
        return visit_next(exchange, reading);
    }
    forum_inbox_note(&reading->inbox, exchange);
    return take_end(exchange, reading)
               ? parse_dm_posts(exchange, reading)
               : ask_ids(exchange, reading, reading->dm, READ_DM_POSTS);
}

/* Somebody waits for an answer to what the bus has told of: one request finds
 * it.  A first reading looks at all DMs. */
static enum advance
begin_inbox(struct exchange *exchange, struct reading *reading)
{
    const struct op *op = exchange->op;
    bool dm = false;
    const char *number = forum_number_of(op->post, &dm);

    if (!forum_inbox_begin(&reading->inbox, op->cursor)) {
        return forum_lost_cursor(exchange);
    }
    if (number == NULL || !dm || reading->inbox.first ||
        forum_is_noted(exchange, DISCOURSE_GALLERIES, number)) {
        return ask_list(exchange, reading);
    }
    reading->alone = true;
    (void)snprintf(reading->dm, sizeof(reading->dm), "%s", number);
    return visit(exchange, reading);
}

/* ---- reading ------------------------------------------------------------- */

static char *
post_at(const struct exchange *exchange, int64_t position)
{
    return find_numbered(discourse_posts(exchange), position);
}

static enum advance
begin(struct exchange *exchange, struct reading *reading)
{
    const struct op *op = exchange->op;

    if (forum_is_inbox(exchange)) {
        return begin_inbox(exchange, reading);
    }
    reading->first = *op->cursor == '\0';
    if (!forum_is_number(op->feed) ||
        (!reading->first && !read_cursor(reading, op->cursor))) {
        return forum_lost_cursor(exchange);
    }
    reading->step = READ_TOPIC;
    if (reading->first && !op->recent) {
        discourse_ask_topic(exchange, op->feed);
    } else {
        discourse_ask_end(exchange, op->feed);
    }
    return ADVANCE_REQUEST;
}

static enum advance
read_on(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));

    switch (reading->step) {
    case READ_BEGIN:
        return begin(exchange, reading);
    case READ_TOPIC:
        return parse_topic(exchange, reading);
    case READ_POSTS:
        return parse_posts(exchange, reading);
    case READ_LIST:
        return parse_list(exchange, reading);
    case READ_DM:
        return parse_dm(exchange, reading);
    case READ_DM_POSTS:
        break;
    }
    return parse_dm_posts(exchange, reading);
}

static const struct forum_addresses addresses = {.path = "/t/",
                                                 .post = "/p/",
                                                 .read = read_on,
                                                 .ask = discourse_ask_position,
                                                 .find = post_at};

enum advance
discourse_read(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));

    return forum_read(&reading->lookup, exchange, &addresses);
}
