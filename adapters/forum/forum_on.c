/*
 * Reading a topic from a place in it on, and finding a message from its end
 * back, where the forum gives a page from the nth post on.
 *
 * A topic is read from the place where the last reading ended, less some posts
 * that were read already: those are seen to be edited, and posts that were
 * deleted before it move no new one out of sight.  If more posts were added
 * than have a higher number than all that were read, some were moved there from
 * another topic, or approved: they stand among the others by their time, so the
 * pages before are read, too.
 *
 * A moderator's account, and its author's, see a post that waits for approval.
 * Its number is kept in the cursor, behind the others, and it is looked up in
 * each reading until it is approved or gone: by then it may stand far back.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    BACK_MAX = 20,  /* pages of more, as far back as the question goes */
    PENDING_MAX = 8 /* posts that wait for approval, remembered */
};

struct reading {
    bool first, more, edited;
    int64_t start;   /* the first of the page that was asked for */
    unsigned back;   /* pages that were read before the first one */
    int64_t count;   /* posts that stood before the end of the last reading */
    int64_t begun;   /* the last post from before our time */
    int64_t last;    /* the highest number of those posts; 0: unknown */
    int64_t highest; /* … and of those that were read since */
    int64_t moved;   /* posts that came since with lower numbers */
    int64_t date;
    struct pending {
        int64_t id;
        bool seen; /* in this reading */
    } pending[PENDING_MAX];
    unsigned pending_count;
};

static struct reading *
reading_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
}

/* ---- posts that wait ----------------------------------------------------- */

/* NULL: it is not known. */
static struct pending *
find_pending(struct reading *reading, int64_t id)
{
    for (unsigned i = 0; i < reading->pending_count; i++) {
        if (reading->pending[i].id == id) {
            return &reading->pending[i];
        }
    }
    return NULL;
}

static void
forget_pending(struct reading *reading, int64_t id)
{
    struct pending *pending = find_pending(reading, id);

    if (pending != NULL) {
        const struct pending *end = &reading->pending[reading->pending_count--];

        memmove(pending, pending + 1,
                (size_t)(end - pending - 1) * sizeof(*pending));
    }
}

/* Put it behind the others.  Where there are too many the one that was looked
 * at first is dropped. */
static void
remember_pending(struct reading *reading, int64_t id, bool seen)
{
    forget_pending(reading, id);
    if (reading->pending_count == PENDING_MAX) {
        forget_pending(reading, reading->pending[0].id);
    }
    reading->pending[reading->pending_count++] = (struct pending){id, seen};
}

/* The first that was on no page; 0: none is left. */
static int64_t
next_pending(const struct reading *reading)
{
    for (unsigned i = 0; i < reading->pending_count; i++) {
        if (!reading->pending[i].seen) {
            return reading->pending[i].id;
        }
    }
    return 0;
}

/* ---- cursors ------------------------------------------------------------- */

/* "COUNT.BEGUN.LAST", and the numbers of posts that wait for approval.  LAST is
 * 1 if more posts are to be read. */
static bool
read_cursor(struct reading *reading, const char *cursor, unsigned twice)
{
    int64_t numbers[3];
    int64_t id;

    if (!forum_read_head(&cursor, numbers)) {
        return false;
    }
    while (forum_read_next(&cursor, &id)) {
        remember_pending(reading, id, false);
    }
    reading->count = numbers[0];
    reading->begun = numbers[1];
    reading->last = numbers[2] == 1 ? 0 : numbers[2];
    reading->highest = reading->last;
    int64_t again = numbers[2] == 1 ? 0 : twice;

    reading->start = reading->count < again ? 0 : reading->count - again;
    return *cursor == '\0';
}

enum advance
forum_end_topic(struct exchange *exchange)
{
    const struct reading *reading = reading_of(exchange);
    struct outcome *out = exchange->out;

    forum_sort_posts(&out->page, 0);
    forum_end_page(out, reading->date, reading->more);
    buf_clear(&out->cursor);
    buf_addf(&out->cursor, "%lld.%lld.%lld", (long long)reading->count,
             (long long)reading->begun,
             reading->more ? 1LL : (long long)reading->highest);
    for (unsigned i = 0; i < reading->pending_count; i++) {
        forum_add_next(out, reading->pending[i].id);
    }
    return ADVANCE_DONE;
}

/* ---- pages --------------------------------------------------------------- */

static forum_step parse_page;
static forum_step parse_pending;

/* At first the last page is asked for: a start behind the end gives that. */
static enum advance
ask_page(struct exchange *exchange, const struct reading *reading)
{
    const struct forum *forum = forum_of(exchange);

    return forum_ask_for(exchange, &forum->ask.page,
                         (struct forum_values){.topic = exchange->op->feed,
                                               .number = reading->first
                                                             ? forum->behind
                                                             : reading->start},
                         parse_page);
}

/* All pages were read. */
static enum advance
end_pages(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);

    return reading_of(exchange)->edited && forum->date_edits != NULL
               ? forum->date_edits(exchange)
               : forum_end_topic(exchange);
}

/* One of those that wait in each reading. */
static enum advance
ask_pending(struct exchange *exchange, const struct reading *reading)
{
    int64_t next = next_pending(reading);

    return next == 0 || reading->more
               ? end_pages(exchange)
               : forum_ask_for(exchange, &forum_of(exchange)->ask.position,
                               (struct forum_values){.number = next},
                               parse_pending);
}

/* Take in one post; false: it is none. */
static bool
take_post(struct exchange *exchange, struct reading *reading,
          const struct forum_item *post)
{
    if (post->pending && !post->deleted) {
        remember_pending(reading, post->number, true);
    } else {
        forget_pending(reading, post->number);
    }
    reading->edited = reading->edited || post->edited != 0;
    return forum_add_item(exchange, post, exchange->op->feed, false, false);
}

/* Take in the posts of the page; false: one of them is none. */
static bool
take_posts(struct exchange *exchange, struct reading *reading,
           json_object *posts)
{
    struct forum_item post;
    bool sane = true;
    int64_t last = 0;

    for (size_t i = 0; sane && forum_read_nth(&forum_of(exchange)->shape.post,
                                              posts, i, &post);
         i++) {
        sane = post.number > 0;
        last = post.number > last ? post.number : last;
        reading->moved -= post.number > reading->last;
        if (sane && (!reading->first || exchange->op->recent) &&
            post.number > reading->begun) {
            sane = take_post(exchange, reading, &post);
        }
    }
    reading->begun = reading->first ? last : reading->begun;
    reading->highest = last > reading->highest ? last : reading->highest;
    return sane;
}

/* How far a page goes, of a topic of so many posts. */
static void
note_end(struct reading *reading, int64_t count, int64_t total)
{
    int64_t end = reading->start + count;

    reading->moved += total - reading->count;
    /* Behind the end the last page comes. */
    reading->count =
        reading->first || reading->start >= total || end > total ? total : end;
    reading->more = !reading->first && reading->count < total && count > 0;
}

/* Is there more before a page that may have been edited since the question was
 * opened?  `from`: where its posts begin. */
static bool
goes_back(const struct exchange *exchange, const struct reading *reading,
          size_t from)
{
    const struct page *page = &exchange->out->page;

    bool moved = reading->last != 0 && reading->moved > 0;
    bool asked = exchange->op->since != 0 && from < page->count &&
                 page->posts[from].stamp >= exchange->op->since;

    return (moved || asked) && !reading->more && reading->start > 0 &&
           reading->back < BACK_MAX;
}

static enum advance
parse_page(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    struct reading *reading = reading_of(exchange);
    size_t from = exchange->out->page.count;
    int64_t total;
    json_object *posts = forum_posts(exchange, &total);

    if (forum->check_page != NULL &&
        forum->check_page(exchange) != ADVANCE_DONE) {
        return ADVANCE_FAILED;
    }
    if (posts == NULL || !take_posts(exchange, reading, posts)) {
        return forum_refused(exchange);
    }
    int64_t count = (int64_t)json_object_array_length(posts);

    if (reading->back == 0) {
        if (!forum_parse_date(exchange, &reading->date)) {
            return forum_undated(exchange);
        }
        note_end(reading, count, total);
    }
    if (goes_back(exchange, reading, from)) {
        reading->back++;
        reading->start -= count < reading->start ? count : reading->start;
        return ask_page(exchange, reading);
    }
    return ask_pending(exchange, reading);
}

/* One of the posts that wait for approval was looked up, with what stands
 * beside it. */
static enum advance
parse_pending(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    json_object *posts = forum_list(exchange, forum_of(exchange)->path.posts);
    int64_t asked = next_pending(reading);
    struct forum_item post;

    if (posts == NULL && !forum_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    for (size_t i = 0;
         forum_read_nth(&forum_of(exchange)->shape.post, posts, i, &post);
         i++) {
        const struct pending *pending = find_pending(reading, post.number);

        if (pending != NULL && !pending->seen &&
            !take_post(exchange, reading, &post)) {
            return forum_refused(exchange);
        }
    }
    const struct pending *pending = find_pending(reading, asked);

    if (pending != NULL && !pending->seen) {
        forget_pending(reading, asked); /* it was not approved */
    }
    return end_pages(exchange);
}

enum advance
forum_read_on(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    struct reading *reading = reading_of(exchange);

    reading->first = *op->cursor == '\0';
    return forum_is_number(op->feed) &&
                   (reading->first ||
                    read_cursor(reading, op->cursor, forum_of(exchange)->twice))
               ? ask_page(exchange, reading)
               : forum_lost_cursor(exchange);
}

/* ---- finding ------------------------------------------------------------- */

/* The start of a page that was asked for; the last one of any topic if the
 * search begins. */
static int64_t
start_of(const struct exchange *exchange)
{
    int64_t start = forum_of(exchange)->behind;

    (void)forum_read_numbers(exchange->op->cursor, &start, 1);
    return start;
}

static enum advance
parse_own(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    json_object *posts = forum_list(exchange, forum->path.own);

    if (posts != NULL) {
        (void)forum_look_through(exchange, &forum->shape.post, posts);
    }
    return exchange_looked(exchange, FOUND_NOT_YET);
}

enum advance
forum_look_on(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool asks = *exchange->op->cursor == '\0' && exchange->out->id.len == 0 &&
                forum->ask.own.method != NULL;

    return asks ? forum_ask_for(
                      exchange, &forum->ask.own,
                      (struct forum_values){.user = exchange->service->self},
                      parse_own)
                : exchange_looked(exchange, FOUND_NOT_YET);
}

/* From the last page back. */
static enum advance
parse_found(struct exchange *exchange)
{
    int64_t start = start_of(exchange);
    int64_t total;
    json_object *posts = forum_posts(exchange, &total);
    int64_t count =
        posts == NULL ? 0 : (int64_t)json_object_array_length(posts);

    if (count == 0) {
        return forum_refused(exchange);
    }
    bool younger =
        forum_look_through(exchange, &forum_of(exchange)->shape.post, posts);

    /* A page behind the end is the last one. */
    start = start < total - count ? start : total - count;
    bool goes_on = younger && start > 0;

    if (goes_on) {
        buf_add_number(&exchange->out->cursor,
                       start > count ? start - count : 0);
    }
    /* One that was seen waiting may be hidden by now; and among the account's
     * own posts it looks like the others. */
    bool waits = forum_is_number(exchange->op->post);

    return goes_on && !waits
               ? forum_look_on(exchange)
               : exchange_looked(exchange, goes_on || waits ? FOUND_NOT_YET
                                                            : FOUND_NOTHING);
}

static enum advance
find_post(struct exchange *exchange)
{
    return forum_ask_for(exchange, &forum_of(exchange)->ask.page,
                         (struct forum_values){.number = start_of(exchange)},
                         parse_found);
}

/* One that was seen waiting for approval is among the newest, or further back
 * than a page reaches, or a moderator has put it away: then an older one stands
 * there. */
static enum advance
parse_newest(struct exchange *exchange)
{
    int64_t number = strtoll(exchange->op->post, NULL, 10);
    struct forum_item post;
    bool reached = false;
    int64_t total;
    json_object *posts = forum_posts(exchange, &total);

    for (size_t i = 0;
         !reached &&
         forum_read_nth(&forum_of(exchange)->shape.post, posts, i, &post);
         i++) {
        reached = post.number <= number;
        if (post.number == number) {
            answer_id(exchange, post.id);
            exchange->out->unapproved = post.pending;
        }
    }
    return posts == NULL ? forum_refused(exchange)
           : reached     ? exchange_looked(exchange, FOUND_NOTHING)
                         : find_post(exchange);
}

enum advance
forum_find_back(struct exchange *exchange)
{
    const struct op *op = exchange->op;

    return *op->cursor == '\0' && forum_is_number(op->post)
               ? forum_ask(exchange, &forum_of(exchange)->ask.newest,
                           parse_newest)
               : find_post(exchange);
}

static enum advance
parse_unapproved(struct exchange *exchange)
{
    buf_clear(&exchange->out->id);
    (void)forum_look_through(
        exchange, &forum_of(exchange)->shape.post,
        forum_list(exchange, forum_of(exchange)->path.posts));
    return ADVANCE_DONE;
}

/* Its author sees it at the topic's end, unless the forum is set otherwise. */
enum advance
forum_seek_unapproved(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.newest,
                     parse_unapproved);
}
