/*
 * phpBB: reading.
 *
 * A topic is read from the place in it where the last reading ended, less some
 * posts that were read already: those are seen to be edited, and posts that
 * were deleted before it move no new one out of sight.  If more posts were
 * added than have a higher number than all that were read, some were moved
 * there from another topic, or approved: they stand among the others by their
 * time, so the pages before are read, too.  When a post was edited stands in
 * its page in the reader's own language, so that is taken from the topic's
 * feed, where there is one.
 *
 * A moderator's account, and its author's, see a post that waits for approval.
 * Its number is kept in the cursor, behind the others, and it is looked up in
 * each reading until it is approved or gone: by then it may stand far back.
 *
 * The inbox is a list of private messages, the newest first, on several pages
 * where there are many; those with a higher number than the last that was read
 * are opened one by one.  When one was sent stands there in the reader's own
 * way (ucp_pm_viewmessage.html); but whoever begins to quote it gets the second
 * (ucp_pm_compose.php, from 3.2 on).  Until it is opened it can be changed: one
 * that was counts as written when it was opened.  The inbox takes so many and
 * no more (50 at first), and holds back what comes then: those that were read,
 * and saved as read, are deleted, but the last ones and those from before our
 * time.  What is held back comes in once there is room for all of it, or
 * nothing else there (place_pm_into_folder): so then the last ones go as well.
 *
 * One that was held back may come in when later ones were read, and only that
 * nobody has opened it tells it from those.  Opening it changes that, even in a
 * reading that fails then: so its number is put into the cursor first, and it
 * is opened in the next reading.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

#define DELETE_PATH "/ucp.php?i=pm&mode=compose&action=delete&f=0&p={number}"

enum {
    AGAIN = 6,           /* posts that are read once more */
    BACK_MAX = 20,       /* pages of more, as far back as the question goes */
    MESSAGES_MAX = 10,   /* opened in one reading */
    LIST_PAGES_MAX = 16, /* of the inbox, in one reading */
    LEFT_MAX = 10,       /* messages that were read, and are left */
    DELETED_MAX = 4,     /* in one reading, if the inbox is not crowded */
    PENDING_MAX = 8,     /* posts that wait for approval, remembered */
    LATE_MAX = 8         /* messages that came in late, remembered */
};

struct reading {
    bool first, more, edited;
    long long start;   /* the first of the page that was asked for */
    unsigned back;     /* pages that were read before the first one */
    long long count;   /* posts that stood before the end of the last reading */
    long long begun;   /* the last post, or message, from before our time */
    long long last;    /* the highest number of those posts; 0: unknown */
    long long highest; /* … and of those that were read since */
    long long moved;   /* posts that came since with lower numbers */
    int64_t date;
    struct numbers { /* the lowest ones, in order */
        long long list[MESSAGES_MAX];
        unsigned count, next;
    } fresh, old;        /* messages to be opened; that were read before */
    struct numbers late; /* to be opened in the next reading */
    unsigned old_count;  /* all those on the list */
    bool held;           /* some are held back */
    bool deleted;        /* some were deleted */
    long long origin;    /* the last message from before our time */
    unsigned pages;      /* of the inbox */
    long long listed;    /* messages on them */
    long long lowest;    /* the first of those; 0: none */
    struct pending {
        long long id;
        bool seen; /* in this reading */
    } pending[PENDING_MAX];
    unsigned pending_count;
};

static struct reading *
reading_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
}

/* ---- cursors ------------------------------------------------------------- */

/* The three numbers that a cursor begins with; *rest is behind them. */
static bool
read_head(const char **rest, int64_t numbers[3])
{
    char head[ADAPTER_ID_MAX + 1];
    size_t len = 0;

    for (int dots = 0; (*rest)[len] != '\0'; len++) {
        dots += (*rest)[len] == '.';
        if (dots == 3) {
            break;
        }
    }
    (void)snprintf(head, sizeof(head), "%.*s", (int)len, *rest);
    *rest += len;
    return forum_read_numbers(head, numbers, 3);
}

/* The next of the ids behind them. */
static bool
read_next(const char **rest, long long *id)
{
    size_t len = **rest == '.' ? strspn(*rest + 1, "0123456789") : 0;

    if (len == 0 || len >= FORUM_ID_MAX) {
        return false;
    }
    *id = strtoll(*rest + 1, NULL, 10);
    *rest += len + 1;
    return true;
}

/* Append an id to the outcome's cursor, if there is room. */
static void
add_to_cursor(struct outcome *out, long long id)
{
    size_t len = out->cursor.len;

    buf_addf(&out->cursor, ".%lld", id);
    if (out->cursor.len > ADAPTER_ID_MAX) {
        buf_truncate(&out->cursor, len);
    }
}

/* ---- posts --------------------------------------------------------------- */

/* Add a post that was read. */
static struct post *
add_post(struct exchange *exchange, const struct page_post *from, int64_t stamp,
         bool dm)
{
    char id[24];
    char author[24];

    (void)snprintf(id, sizeof(id), "%lld", from->id);
    (void)snprintf(author, sizeof(author), "%lld", from->author);
    struct post *post = forum_add_post(&exchange->out->page,
                                       dm ? author : exchange->op->feed, dm);

    post->kind = from->deleted ? POST_DELETED : POST_WRITTEN;
    post->id = must_copy(id);
    post->author = must_copy(author);
    post->author_name = must_copy(buf_text(&from->name));
    post->body = must_alloc(from->content.len + 1);
    if (from->content.len > 0) {
        memcpy(post->body, from->content.text, from->content.len);
    }
    post->body_len = from->content.len;
    post->stamp = stamp;
    post->edited = from->edited ? -1 : 0;
    post->own = strcmp(author, exchange->service->self) == 0;
    post->machine = from->author <= 1; /* 1: a guest */
    post->pending = from->pending;
    post->company = dm && from->people > 2;
    return post;
}

/* ---- a topic ------------------------------------------------------------- */

/* Forget a post that waited for approval; false: it is not known. */
static bool
forget_pending(struct reading *reading, long long id)
{
    unsigned at = 0;

    while (at < reading->pending_count && reading->pending[at].id != id) {
        at++;
    }
    if (at == reading->pending_count) {
        return false;
    }
    reading->pending_count--;
    memmove(&reading->pending[at], &reading->pending[at + 1],
            (reading->pending_count - at) * sizeof(reading->pending[0]));
    return true;
}

/* Put it behind the others, as one that was looked at.  Where there are too
 * many the one that was looked at first is dropped. */
static void
remember_pending(struct reading *reading, long long id)
{
    (void)forget_pending(reading, id);
    if (reading->pending_count == PENDING_MAX) {
        (void)forget_pending(reading, reading->pending[0].id);
    }
    reading->pending[reading->pending_count++] = (struct pending){id, true};
}

/* "COUNT.BEGUN.LAST", and the numbers of posts that wait for approval.  LAST is
 * 1 if more posts are to be read. */
static bool
read_cursor(struct reading *reading, const char *cursor)
{
    int64_t numbers[3];
    long long id;

    if (!read_head(&cursor, numbers)) {
        return false;
    }
    while (read_next(&cursor, &id)) {
        remember_pending(reading, id);
        reading->pending[reading->pending_count - 1].seen = false;
    }
    reading->count = numbers[0];
    reading->begun = numbers[1];
    reading->last = numbers[2] == 1 ? 0 : numbers[2];
    reading->highest = reading->last;
    long long again = numbers[2] == 1 ? 0 : AGAIN;

    reading->start = reading->count < again ? 0 : reading->count - again;
    return *cursor == '\0';
}

static enum advance
end_topic(struct exchange *exchange, struct reading *reading)
{
    struct outcome *out = exchange->out;

    forum_sort_posts(&out->page, 0);
    forum_end_page(out, reading->date, reading->more);
    buf_clear(&out->cursor);
    buf_addf(&out->cursor, "%lld.%lld.%lld", reading->count, reading->begun,
             reading->more ? 1 : reading->highest);
    for (unsigned i = 0; i < reading->pending_count; i++) {
        add_to_cursor(out, reading->pending[i].id);
    }
    return ADVANCE_DONE;
}

static forum_step parse_topic;
static forum_step parse_pending;
static forum_step parse_feed;

/* At first the last page is asked for: a start behind the end gives that. */
static enum advance
ask_topic(struct exchange *exchange, const struct reading *reading)
{
    return forum_ask_for(exchange, &forum_phpbb.ask.page,
                         (struct forum_values){.topic = exchange->op->feed,
                                               .number = reading->first
                                                             ? PHPBB_BEHIND
                                                             : reading->start},
                         parse_topic);
}

/* All pages were read. */
static enum advance
end_pages(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_endpoint feed = {
        .method = "GET",
        .path = "/app.php/feed/topic/{topic}",
        .route = "page",
        .anybody = true};

    return reading->edited ? forum_ask_for(exchange, &feed,
                                           (struct forum_values){
                                               .topic = exchange->op->feed},
                                           parse_feed)
                           : end_topic(exchange, reading);
}

/* The first of the posts that wait for approval that was on no page; NULL: none
 * is left. */
static const struct pending *
next_pending(const struct reading *reading)
{
    for (unsigned i = 0; i < reading->pending_count; i++) {
        if (!reading->pending[i].seen) {
            return &reading->pending[i];
        }
    }
    return NULL;
}

static bool
is_awaited(const struct reading *reading, long long id)
{
    for (unsigned i = 0; i < reading->pending_count; i++) {
        if (reading->pending[i].id == id) {
            return !reading->pending[i].seen;
        }
    }
    return false;
}

/* One in each reading. */
static enum advance
ask_pending(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_endpoint page =
        PHPBB_PAGE("/viewtopic.php?p={number}" PHPBB_ORDER);
    const struct pending *next = next_pending(reading);

    return next == NULL || reading->more
               ? end_pages(exchange, reading)
               : forum_ask_for(exchange, &page,
                               (struct forum_values){.number = next->id},
                               parse_pending);
}

/* Take in one post; false: it is none. */
static bool
parse_post(struct exchange *exchange, struct reading *reading,
           const struct page_post *post)
{
    int64_t stamp;

    if (post->id <= 0 || !timestamp_read(buf_text(&post->time), &stamp)) {
        return false;
    }
    if (post->pending && !post->deleted) {
        remember_pending(reading, post->id);
    } else {
        (void)forget_pending(reading, post->id);
    }
    (void)add_post(exchange, post, stamp, false);
    reading->edited = reading->edited || post->edited;
    return true;
}

/* Take in the posts of the page; false: one of them is none. */
static bool
parse_posts(struct exchange *exchange, struct reading *reading,
            long long *count)
{
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    bool sane = true;
    long long last = 0;

    while (sane && page_next_post(&rest, &post)) {
        sane = post.id > 0;
        (*count)++;
        last = post.id > last ? post.id : last;
        reading->moved -= post.id > reading->last;
        if (sane && (!reading->first || exchange->op->recent) &&
            post.id > reading->begun) {
            sane = parse_post(exchange, reading, &post);
        }
        page_post_release(&post);
    }
    if (reading->first) {
        reading->begun = last;
    }
    reading->highest = last > reading->highest ? last : reading->highest;
    return sane;
}

/* How far a page goes, of a topic of so many posts. */
static void
parse_end(struct reading *reading, long long count, long long total)
{
    reading->moved += total - reading->count;
    if (reading->first || reading->start >= total) {
        /* The last page came. */
        reading->count = total;
    } else {
        reading->count =
            reading->start + count < total ? reading->start + count : total;
    }
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

/* To moderators a board that is disabled shows what it has, below a notice. */
static bool
is_disabled(const struct exchange *exchange)
{
    struct html_span notice;
    struct buf words = BUF_INIT;

    if (page_find_id(phpbb_page(exchange), "information", &notice)) {
        page_add_text(notice, &words);
    }
    bool disabled = strstr(buf_text(&words), "currently disabled") != NULL;

    buf_release(&words);
    return disabled;
}

/* To all others it shows its administrator's words.  What topics themselves
 * refuse has another status (viewtopic.php). */
static enum advance
refuse_topic(struct exchange *exchange)
{
    (void)forum_refused(exchange);
    if (exchange->reply->status == 200 && exchange->out->err == ERR_DENIED &&
        exchange->out->refused == REFUSED_RIGHT) {
        exchange->out->err = ERR_LATER;
    }
    return ADVANCE_FAILED;
}

static enum advance
parse_topic(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    long long total = page_total(phpbb_page(exchange));
    size_t from = exchange->out->page.count;
    long long count = 0;

    if (is_disabled(exchange)) { /* nobody else can post there */
        return outcome_fail(exchange->out, exchange->why, ERR_LATER,
                            "%s: the board is disabled",
                            exchange->service->name);
    }
    if (total < 0 || !parse_posts(exchange, reading, &count)) {
        return refuse_topic(exchange);
    }
    if (reading->back == 0) {
        if (!forum_parse_date(exchange, &reading->date)) {
            return forum_undated(exchange);
        }
        parse_end(reading, count, total);
    }
    if (goes_back(exchange, reading, from)) {
        reading->back++;
        reading->start -= count < reading->start ? count : reading->start;
        return ask_topic(exchange, reading);
    }
    return ask_pending(exchange, reading);
}

/* One of the posts that wait for approval was looked up, with what stands
 * beside it. */
static enum advance
parse_pending(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    const struct pending *next = next_pending(reading);
    long long asked = next == NULL ? 0 : next->id;
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    bool sane = true;

    if (exchange->reply->status != 200 && !phpbb_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    while (sane && page_next_post(&rest, &post)) {
        if (is_awaited(reading, post.id)) {
            sane = parse_post(exchange, reading, &post);
        }
        page_post_release(&post);
    }
    if (is_awaited(reading, asked)) {
        (void)forget_pending(reading, asked); /* it was not approved */
    }
    if (!sane) {
        return forum_refused(exchange);
    }
    return end_pages(exchange, reading);
}

/* The text of an entry's element, up to its closing tag. */
static bool
find_text(struct html_span entry, const char *element, struct buf *text)
{
    struct html_tag tag;

    buf_clear(text);
    while (page_next_tag(&entry, &tag)) {
        if (!tag.closing && html_is(tag.name, element)) {
            page_add_text(page_content(&tag, entry), text);
            return true;
        }
    }
    return false;
}

/* The time of an edit, where the feed has it. */
static void
set_edited(struct page *page, const char *id, int64_t updated)
{
    long long number = page_number(id, "p=");

    for (size_t i = 0; i < page->count; i++) {
        struct post *post = &page->posts[i];

        if (post->edited != 0 && strtoll(post->id, NULL, 10) == number &&
            updated > post->stamp) {
            post->edited = updated;
        }
    }
}

/* A feed that has begun but not ended. */
static bool
is_cut(const struct exchange *exchange)
{
    static const char head[] = "<?xml";
    struct html_span rest = phpbb_page(exchange);
    struct html_tag tag;
    bool ended = false;

    while (!ended && page_next_tag(&rest, &tag)) {
        ended = tag.closing && html_is(tag.name, "feed");
    }
    return exchange->reply->status == 200 && !ended &&
           exchange->reply->len >= sizeof(head) - 1 &&
           memcmp(exchange->reply->body, head, sizeof(head) - 1) == 0;
}

/* Where there is none, or not for us, nobody can tell when a post was edited.
 */
static enum advance
parse_feed(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    struct html_span rest = phpbb_page(exchange);
    struct html_tag tag;
    struct buf id = BUF_INIT;
    struct buf time = BUF_INIT;
    int64_t updated;
    int entries = 0;

    switch (reply_err(exchange->reply)) {
    case ERR_NONE:
    case ERR_GONE:
    case ERR_DENIED:
        break;
    case ERR_LATER:
    case ERR_LIMITED:
    case ERR_GARBLED:
    case ERR_FULL:
    case ERR_CONFIG:
        return forum_refused(exchange);
    }
    if (is_cut(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the topic's feed is cut off",
                            exchange->service->name);
    }
    while (exchange->reply->status == 200 && entries < 100 &&
           page_next_tag(&rest, &tag)) {
        if (tag.closing || !html_is(tag.name, "entry")) {
            continue;
        }
        struct html_span entry = page_content(&tag, rest);

        entries++;
        if (find_text(entry, "id", &id) && find_text(entry, "updated", &time) &&
            timestamp_read(buf_text(&time), &updated)) {
            set_edited(&exchange->out->page, buf_text(&id), updated);
        }
        page_pass(&rest, entry);
    }
    buf_release(&id);
    buf_release(&time);
    return end_topic(exchange, reading);
}

/* ---- the inbox ----------------------------------------------------------- */

/* Have messages to go, so that others come in, or onto the list's first page?
 */
static bool
is_crowded(const struct reading *reading)
{
    return reading->held || reading->old_count > LEFT_MAX + DELETED_MAX;
}

static enum advance
end_inbox(struct exchange *exchange, struct reading *reading)
{
    exchange->out->more =
        reading->more || (reading->deleted && is_crowded(reading));
    exchange->out->through =
        exchange->out->more ? 0 : reading->date - FORUM_MARGIN_MS;
    buf_clear(&exchange->out->cursor);
    buf_addf(&exchange->out->cursor, "%lld.%lld.1", reading->origin,
             reading->begun);
    for (unsigned i = 0; i < reading->late.count && i < LATE_MAX; i++) {
        add_to_cursor(exchange->out, reading->late.list[i]);
    }
    return ADVANCE_DONE;
}

/* Keep the lowest ones, in order, each once; false: there is one more. */
static bool
keep_lowest(struct numbers *numbers, long long number)
{
    unsigned at = numbers->count;
    bool all = true;

    while (at > 0 && numbers->list[at - 1] > number) {
        at--;
    }
    if (at > 0 && numbers->list[at - 1] == number) {
        return true;
    }
    if (numbers->count == MESSAGES_MAX) {
        all = false;
        if (at == MESSAGES_MAX) {
            return false;
        }
    } else {
        numbers->count++;
    }
    memmove(&numbers->list[at + 1], &numbers->list[at],
            (numbers->count - 1 - at) * sizeof(numbers->list[0]));
    numbers->list[at] = number;
    return all;
}

/* "ORIGIN.BEGUN.1", and the numbers of messages that came in late.  A cursor of
 * before messages were deleted doesn't know the origin: what was read until
 * then stays. */
static bool
read_inbox_cursor(struct reading *reading, const char *cursor)
{
    int64_t numbers[3];
    long long id;

    if (!read_head(&cursor, numbers)) {
        return false;
    }
    reading->begun = numbers[1];
    reading->origin = numbers[2] == 0 ? numbers[1] : numbers[0];
    while (read_next(&cursor, &id)) {
        (void)keep_lowest(&reading->fresh, id);
    }
    return *cursor == '\0';
}

static forum_step parse_delete;
static forum_step parse_deleted;
static forum_step parse_message;
static forum_step parse_list;
static forum_step parse_quote;

static enum advance
delete_next(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_endpoint page = PHPBB_PAGE(DELETE_PATH);
    unsigned left = reading->held ? 0 : LEFT_MAX;
    unsigned most = is_crowded(reading) ? MESSAGES_MAX : DELETED_MAX;

    if (reading->old_count <= left + reading->old.next ||
        reading->old.next == reading->old.count || reading->old.next == most) {
        return end_inbox(exchange, reading);
    }
    return forum_ask_for(
        exchange, &page,
        (struct forum_values){.number = reading->old.list[reading->old.next]},
        parse_delete);
}

/* Where it may not be, the inbox has been read all the same. */
static enum advance
parse_delete(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    static const struct forum_endpoint form = PHPBB_SEND(DELETE_PATH);

    return phpbb_confirm(exchange, &form,
                         (struct forum_values){
                             .number = reading->old.list[reading->old.next]},
                         parse_deleted)
               ? ADVANCE_REQUEST
               : end_inbox(exchange, reading);
}

static enum advance
parse_deleted(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    struct html_span message;
    struct buf href = BUF_INIT;

    /* A refusal doesn't lead back to the folder. */
    reading->deleted = reading->deleted ||
                       (page_find_message(phpbb_page(exchange), &message) &&
                        page_find_link(message, "folder=", &href));
    buf_release(&href);
    reading->old.next++;
    return exchange->reply->status == 200 ? delete_next(exchange, reading)
                                          : end_inbox(exchange, reading);
}

static enum advance
open_next(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_endpoint message =
        PHPBB_PAGE("/ucp.php?i=pm&mode=view&f=0&p={number}");

    return reading->fresh.next == reading->fresh.count
               ? delete_next(exchange, reading)
               : forum_ask_for(
                     exchange, &message,
                     (struct forum_values){
                         .number = reading->fresh.list[reading->fresh.next]},
                     parse_message);
}

/* What was held back is asked to come in. */
static enum advance
ask_list(struct exchange *exchange, struct reading *reading)
{
    static const struct forum_endpoint list =
        PHPBB_PAGE("/ucp.php?i=pm&folder=inbox&release=1&start={number}");

    reading->pages++;
    return forum_ask_for(exchange, &list,
                         (struct forum_values){.number = reading->listed},
                         parse_list);
}

/* The number of the message that a tag links to; 0: of none. */
static long long
linked_message(const struct html_tag *tag)
{
    struct buf href = BUF_INIT;
    long long message = 0;

    if (!tag->closing && html_is(tag->name, "a") &&
        page_attribute(tag, "href", &href) &&
        strstr(buf_text(&href), "mode=view") != NULL) {
        message = page_number(buf_text(&href), "p=");
    }
    buf_release(&href);
    return message;
}

static bool
has_number(const struct numbers *numbers, long long number)
{
    bool has = false;

    for (unsigned i = 0; i < numbers->count; i++) {
        has = has || numbers->list[i] == number;
    }
    return has;
}

/* A message of the list. */
static void
parse_listed(struct reading *reading, long long message, bool unread)
{
    if (message > reading->begun) {
        reading->more = !keep_lowest(&reading->fresh, message) || reading->more;
    } else if (message <= reading->origin ||
               has_number(&reading->fresh, message)) {
        return;
    } else if (unread) {
        (void)keep_lowest(&reading->late, message);
        reading->more = true;
    } else {
        reading->old_count++;
        (void)keep_lowest(&reading->old, message);
    }
}

/* Is a tag the link that lets in what is held back? */
static bool
is_release(const struct html_tag *tag)
{
    struct buf href = BUF_INIT;
    bool is = !tag->closing && html_is(tag->name, "a") &&
              page_attribute(tag, "href", &href) &&
              page_number(buf_text(&href), "release=") == 1;

    buf_release(&href);
    return is;
}

/* Take in a page of the list, whose head links to messages as well, in the
 * notifications; false: the messages behind it were read. */
static bool
parse_messages(struct exchange *exchange, struct reading *reading)
{
    struct html_span rest = page_body(phpbb_page(exchange));
    struct html_tag tag;
    long long begun = reading->begun;
    long long lowest = reading->lowest;
    long long last = 0;
    bool older = false;
    bool unread = false;

    while (page_next_tag(&rest, &tag)) {
        long long message = linked_message(&tag);

        reading->held = reading->held || is_release(&tag);
        if (!tag.closing && html_is(tag.name, "dl")) {
            unread = page_has_class(&tag, "pm_unread");
        }
        /* A row may have several links. */
        if (message == 0 || message == last) {
            continue;
        }
        last = message;
        reading->listed++;
        older = older || message <= begun;
        if (lowest == 0 || message < lowest) {
            lowest = message;
        }
        if (!reading->first) {
            parse_listed(reading, message, unread);
        } else if (message > reading->begun) {
            reading->begun = message;
            reading->origin = message;
        }
    }
    /* Behind its end the list's last page comes again. */
    bool new = lowest != reading->lowest;

    reading->lowest = lowest;
    return new && !older && !reading->first;
}

static enum advance
parse_list(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    if (exchange->reply->status != 200) {
        return forum_refused(exchange);
    }
    if (reading->pages == 1 && !forum_parse_date(exchange, &reading->date)) {
        return forum_undated(exchange);
    }
    if (parse_messages(exchange, reading) && reading->pages < LIST_PAGES_MAX) {
        return ask_list(exchange, reading);
    }
    return reading->first ? end_inbox(exchange, reading)
                          : open_next(exchange, reading);
}

/* The message was read, or is gone. */
static enum advance
end_message(struct exchange *exchange, struct reading *reading)
{
    long long message = reading->fresh.list[reading->fresh.next++];

    reading->begun = message > reading->begun ? message : reading->begun;
    return open_next(exchange, reading);
}

static enum advance
ask_quote(struct exchange *exchange, const struct reading *reading)
{
    static const struct forum_endpoint quote =
        PHPBB_PAGE("/ucp.php?i=pm&mode=compose&action=quote&f=0&p={number}");

    return forum_ask_for(
        exchange, &quote,
        (struct forum_values){.number =
                                  reading->fresh.list[reading->fresh.next]},
        parse_quote);
}

/* Skip a message that is gone by now.  One whose author is gone can't be
 * quoted, and counts for nobody. */
static enum advance
parse_message(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    struct html_span rest = phpbb_page(exchange);
    struct page_post from;
    int64_t opened;

    if (exchange->reply->status != 200 && !phpbb_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    if (!forum_parse_date(exchange, &opened)) {
        return forum_undated(exchange);
    }
    if (!page_next_post(&rest, &from)) {
        return end_message(exchange, reading);
    }
    from.id = reading->fresh.list[reading->fresh.next];
    struct post *post = add_post(exchange, &from, opened, true);

    if (from.edited) {
        post->edited = opened;
    }
    bool dated =
        post->machine || timestamp_read(buf_text(&from.time), &post->stamp);

    page_post_release(&from);
    return dated ? end_message(exchange, reading)
                 : ask_quote(exchange, reading);
}

static enum advance
parse_quote(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    struct page *page = &exchange->out->page;
    struct html_span form;
    struct buf text = BUF_INIT;
    bool dated =
        exchange->reply->status == 200 &&
        page_find_form(phpbb_page(exchange), "message", &form) &&
        page_field_text(form, "message", &text) &&
        page_quote_time(buf_text(&text), &page->posts[page->count - 1].stamp);

    buf_release(&text);
    return dated ? end_message(exchange, reading) : forum_refused(exchange);
}

/* ---- reading ------------------------------------------------------------- */

enum advance
phpbb_read(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    const char *cursor = exchange->op->cursor;
    bool inbox = forum_is_inbox(exchange);

    reading->first = *cursor == '\0';
    if ((!inbox && !forum_is_number(exchange->op->feed)) ||
        (!reading->first && !(inbox ? read_inbox_cursor(reading, cursor)
                                    : read_cursor(reading, cursor)))) {
        return forum_lost_cursor(exchange);
    }
    return inbox ? ask_list(exchange, reading) : ask_topic(exchange, reading);
}
