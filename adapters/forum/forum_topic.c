/*
 * Reading a topic by its pages.
 *
 * A topic is asked for in short first: how many posts it has, and when the last
 * was written.  Where that has changed, and once a minute for edits, its pages
 * are read, from the one before the last that was read.  If there are more
 * posts than were written since, some were moved there from another topic: they
 * stand among the others by their time, so the pages before are read, too.
 *
 * In a topic that was deleted nobody can post, and nobody but moderators sees
 * it: it is no more.
 */
#include <inttypes.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    PAGES_MAX = 5, /* read at once */
    BACK_MAX = 10, /* read once more, as far back as the question goes */
};

struct reading {
    bool first;
    /* As the cursor has it. */
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
};

static struct reading *
reading_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
}

/* ---- cursors ------------------------------------------------------------- */

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
end_topic(struct exchange *exchange, const struct reading *reading, bool more)
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

/* ---- pages --------------------------------------------------------------- */

static forum_step parse_page;

static enum advance
ask_page(struct exchange *exchange, struct reading *reading, int64_t page)
{
    reading->asked = page < 1 ? 1 : page;
    reading->pages += page >= reading->start ? 1 : 0;
    reading->back += page < reading->start ? 1 : 0;
    return forum_ask_for(exchange, &forum_of(exchange)->ask.page,
                         (struct forum_values){.topic = exchange->op->feed,
                                               .number = reading->asked},
                         parse_page);
}

static enum advance
refuse_deleted(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: the topic was deleted", exchange->service->name);
}

/* Take in the new posts of a page; false: one of them is none that a forum
 * gives.  Nobody at a table is on another server. */
static bool
take_posts(struct exchange *exchange, struct reading *reading,
           json_object *posts)
{
    struct forum_item post;

    for (size_t i = 0;
         forum_read_nth(&forum_of(exchange)->shape.post, posts, i, &post);
         i++) {
        reading->moved -= post.stamp > reading->since;
        if (!post.elsewhere &&
            (post.number == 0 ||
             (post.number > reading->begun &&
              !forum_add_item(exchange, &post, exchange->op->feed, false,
                              false)))) {
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
    struct forum_item post;

    if (reading->asked < pages) {
        return ask_page(exchange, reading, pages);
    }
    if (exchange->op->recent && !take_posts(exchange, reading, posts)) {
        return forum_refused(exchange);
    }
    for (size_t i = 0;
         forum_read_nth(&forum_of(exchange)->shape.post, posts, i, &post);
         i++) {
        if (post.number > reading->begun) {
            reading->begun = post.number;
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
parse_page(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    size_t from = exchange->out->page.count;
    int64_t pages;
    json_object *posts = forum_posts(exchange, &pages);

    if (exchange->reply->status == 404 && reading->asked > 1) {
        /* So many posts are gone that there is no such page, where the account
         * reads by pages; the topic itself has just been seen. */
        return ask_page(exchange, reading, 1);
    }
    if (posts == NULL) {
        return forum_refused(exchange);
    }
    if (forum_flag(exchange->value, forum_of(exchange)->shape.topic.deleted)) {
        return refuse_deleted(exchange);
    }
    if (reading->first) {
        return parse_first_page(exchange, reading, posts, pages);
    }
    if (!take_posts(exchange, reading, posts)) {
        return forum_refused(exchange);
    }
    if (!reading->seeking && goes_back(exchange, reading, from)) {
        return ask_page(exchange, reading, reading->asked - 1);
    }
    return go_on(exchange, reading, pages);
}

/* ---- the topic in short -------------------------------------------------- */

static enum advance
parse_topic(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    struct forum_item topic;

    if (!forum_read_reply(exchange, &topic)) {
        return forum_refused(exchange);
    }
    if (topic.deleted) {
        return refuse_deleted(exchange);
    }
    if (topic.count < 0 || topic.stamp <= 0) {
        return forum_refused(exchange);
    }
    if (!forum_parse_date(exchange, &reading->date)) {
        return forum_undated(exchange);
    }
    int64_t minute = reading->date / FORUM_EDITS_MS;

    if (!reading->first && topic.count == reading->count &&
        topic.stamp == reading->last && minute == reading->minute &&
        exchange->op->since == 0) {
        return end_topic(exchange, reading, false);
    }
    reading->moved = reading->count == 0 ? 0 : topic.count - reading->count;
    reading->since = reading->last;
    reading->count = topic.count;
    reading->last = topic.stamp;
    reading->minute = minute;
    reading->start = reading->page > 1 ? reading->page - 1 : 1;
    return ask_page(exchange, reading, reading->start);
}

enum advance
forum_read_topic(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    struct reading *reading = reading_of(exchange);

    reading->first = *op->cursor == '\0';
    if (!forum_is_number(op->feed) ||
        (!reading->first && !read_cursor(reading, op->cursor))) {
        return forum_lost_cursor(exchange);
    }
    return forum_ask_for(exchange, &forum_of(exchange)->ask.topic,
                         (struct forum_values){.topic = op->feed}, parse_topic);
}
