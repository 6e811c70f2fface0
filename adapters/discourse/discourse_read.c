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
    DM_IDS_MAX = 3 * DISCOURSE_CHUNK, /* posts looked at in a reading of a DM */
};

/* ---- posts that came with a stream --------------------------------------- */

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
take_end(const struct exchange *exchange, struct discourse_ids *ids)
{
    size_t count = ids->left < DISCOURSE_CHUNK ? ids->left : DISCOURSE_CHUNK;

    for (size_t i = ids->left - count; i < ids->left; i++) {
        if (!has_post(discourse_posts(exchange), ids->list[i])) {
            return false;
        }
    }
    ids->left -= count;
    return count > 0;
}

/* ---- a topic ------------------------------------------------------------- */

struct reading {
    bool first;
    /* What the cursor says, and what it will say. */
    int64_t minute;
    int64_t begun; /* the last id that was there before our time */
    int64_t known[KNOWN_MAX];
    unsigned known_count;
    int64_t next[KNOWN_MAX];
    unsigned next_count;
    int64_t date;
    bool more;
    size_t page_from; /* where posts begin in the page */
    struct discourse_ids ids;
};

static struct reading *
reading_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
}

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

static forum_step parse_posts;

/* Take in the posts that came; false: one of them is none that a forum gives.
 * *older: some are from before our time, or from before the question. */
static bool
take_posts(struct exchange *exchange, const struct reading *reading,
           json_object *posts, bool *older)
{
    struct forum_item post;

    for (size_t i = 0;
         forum_read_nth(&forum_discourse.shape.post, posts, i, &post); i++) {
        if (post.number == 0 ||
            (post.number > reading->begun &&
             !forum_add_item(exchange, &post, exchange->op->feed, false,
                             false))) {
            return false;
        }
        *older = *older || post.number <= reading->begun ||
                 post.stamp < exchange->op->since;
    }
    return true;
}

static enum advance
parse_posts(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    json_object *posts = discourse_posts(exchange);
    bool older = exchange->op->since == 0;

    if (posts == NULL || !take_posts(exchange, reading, posts, &older)) {
        return forum_refused(exchange);
    }
    if (!older && !reading->more && reading->ids.left > 0) {
        return discourse_ask_ids(exchange, exchange->op->feed, &reading->ids,
                                 parse_posts);
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
    return moved && forum_flag(exchange->value, "closed");
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

/* What was there when the first reading begins is not read, unless the last
 * posts are asked for. */
static enum advance
parse_first(struct exchange *exchange, struct reading *reading,
            json_object *stream, size_t end)
{
    know_stream(reading, stream, end);
    reading->minute = reading->date / FORUM_EDITS_MS;
    if (exchange->op->recent) {
        return parse_posts(exchange);
    }
    reading->begun = end == 0 ? 0 : discourse_stream_at(stream, end - 1);
    return end_topic(exchange, reading);
}

/* Ask for what is new, and for the last posts once a minute. */
static enum advance
parse_news(struct exchange *exchange, struct reading *reading,
           json_object *stream, size_t end)
{
    int64_t minute = reading->date / FORUM_EDITS_MS;
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
    discourse_keep_ids(&reading->ids, stream, end, DISCOURSE_IDS_MAX);
    reading->page_from = exchange->out->page.count;
    if (reading->ids.left == 0) {
        return end_topic(exchange, reading);
    }
    return added <= DISCOURSE_CHUNK && take_end(exchange, &reading->ids)
               ? parse_posts(exchange)
               : discourse_ask_ids(exchange, exchange->op->feed, &reading->ids,
                                   parse_posts);
}

static enum advance
parse_topic(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    json_object *stream = discourse_stream(exchange);

    if (stream == NULL) {
        return forum_refused(exchange);
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

    return reading->first ? parse_first(exchange, reading, stream, end)
                          : parse_news(exchange, reading, stream, end);
}

/* ---- a DM ---------------------------------------------------------------- */

struct visiting {
    struct forum_reading reading;
    struct discourse_ids ids;
};

static struct visiting *
visiting_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct visiting));
}

static enum advance
parse_messages(struct exchange *exchange)
{
    struct visiting *visiting = visiting_of(exchange);
    json_object *posts = discourse_posts(exchange);
    bool older = false;

    if (posts == NULL || !forum_take_messages(exchange, posts, &older)) {
        return forum_refused(exchange);
    }
    if (!older && visiting->ids.left > 0) {
        forum_note_date(&visiting->reading.inbox, exchange);
        return discourse_ask_ids(exchange, visiting->reading.dm, &visiting->ids,
                                 parse_messages);
    }
    return forum_visit_next(exchange);
}

/* Skip a DM that was deleted or can no longer be read. */
static enum advance
parse_dm(struct exchange *exchange)
{
    struct visiting *visiting = visiting_of(exchange);
    json_object *stream = discourse_stream(exchange);

    if (discourse_said(exchange, 403) || discourse_said(exchange, 404) ||
        discourse_said(exchange, 410) || discourse_is_deleted(exchange)) {
        return forum_visit_next(exchange);
    }
    if (stream == NULL) {
        return forum_refused(exchange);
    }
    visiting->reading.company = discourse_readers(exchange).many;
    discourse_keep_ids(&visiting->ids, stream, json_object_array_length(stream),
                       DM_IDS_MAX);
    if (visiting->ids.left == 0) {
        return forum_visit_next(exchange);
    }
    forum_note_date(&visiting->reading.inbox, exchange);
    return take_end(exchange, &visiting->ids)
               ? parse_messages(exchange)
               : discourse_ask_ids(exchange, visiting->reading.dm,
                                   &visiting->ids, parse_messages);
}

enum advance
discourse_visit(struct exchange *exchange)
{
    return discourse_ask_end(exchange, visiting_of(exchange)->reading.dm,
                             parse_dm);
}

/* ---- reading ------------------------------------------------------------- */

enum advance
discourse_read(struct exchange *exchange)
{
    const struct op *op = exchange->op;

    if (forum_is_inbox(exchange)) {
        (void)visiting_of(exchange);
        return forum_read_feed(exchange);
    }
    struct reading *reading = reading_of(exchange);

    reading->first = *op->cursor == '\0';
    if (!forum_is_number(op->feed) ||
        (!reading->first && !read_cursor(reading, op->cursor))) {
        return forum_lost_cursor(exchange);
    }
    return reading->first && !op->recent
               ? discourse_ask_topic(exchange, op->feed, parse_topic)
               : discourse_ask_end(exchange, op->feed, parse_topic);
}
