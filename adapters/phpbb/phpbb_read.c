/*
 * phpBB: the inbox, and when posts were edited.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

#define DELETE_PATH "/ucp.php?i=pm&mode=compose&action=delete&f=0&p={number}"

enum {
    MESSAGES_MAX = 10,   /* opened in one reading */
    LIST_PAGES_MAX = 16, /* of the inbox, in one reading */
    LEFT_MAX = 10,       /* messages that were read, and are left */
    DELETED_MAX = 4,     /* in one reading, if the inbox is not crowded */
    LATE_MAX = 8,        /* messages that came in late, remembered */
    SECONDS_MAX = 12     /* digits of a time */
};

struct reading {
    bool first, more;
    int64_t begun; /* the last message that was read */
    int64_t date;
    struct numbers { /* the lowest ones, in order */
        int64_t list[MESSAGES_MAX];
        unsigned count, next;
    } fresh, old;        /* messages to be opened; that were read before */
    struct numbers late; /* to be opened in the next reading */
    unsigned old_count;  /* all those on the list */
    bool held;           /* some are held back */
    bool deleted;        /* some were deleted */
    int64_t origin;      /* the last message from before our time */
    unsigned pages;      /* of the inbox */
    int64_t listed;      /* messages on them */
    int64_t lowest;      /* the first of those; 0: none */
};

static struct reading *
reading_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
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
    buf_addf(&exchange->out->cursor, "%lld.%lld.1", (long long)reading->origin,
             (long long)reading->begun);
    for (unsigned i = 0; i < reading->late.count && i < LATE_MAX; i++) {
        forum_add_next(exchange->out, reading->late.list[i]);
    }
    return ADVANCE_DONE;
}

/* Keep the lowest ones, in order, each once; false: there is one more. */
static bool
keep_lowest(struct numbers *numbers, int64_t number)
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
    int64_t id;

    if (!forum_read_head(&cursor, numbers)) {
        return false;
    }
    reading->begun = numbers[1];
    reading->origin = numbers[2] == 0 ? numbers[1] : numbers[0];
    while (forum_read_next(&cursor, &id)) {
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
    static const struct forum_endpoint form = {PHPBB_CONFIRM(DELETE_PATH)};
    struct reading *reading = reading_of(exchange);
    int64_t message = reading->old.list[reading->old.next];

    return exchange->reply->status == 200 &&
                   forum_get(exchange->value, "confirm") != NULL
               ? forum_ask_for(exchange, &form,
                               (struct forum_values){.number = message},
                               parse_deleted)
               : end_inbox(exchange, reading);
}

/* A refusal doesn't lead back to the folder. */
static enum advance
parse_deleted(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);

    reading->deleted =
        reading->deleted || forum_flag(exchange->value, "emptied");
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

static bool
has_number(const struct numbers *numbers, int64_t number)
{
    bool has = false;

    for (unsigned i = 0; i < numbers->count; i++) {
        has = has || numbers->list[i] == number;
    }
    return has;
}

/* A message of the list. */
static void
parse_listed(struct reading *reading, int64_t message, bool unread)
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

/* Take in a page of the list; false: the messages behind it were read. */
static bool
parse_messages(struct exchange *exchange, struct reading *reading)
{
    json_object *rows = forum_list(exchange, "rows");
    int64_t begun = reading->begun;
    int64_t lowest = reading->lowest;
    bool older = false;

    reading->held = reading->held || forum_flag(exchange->value, "held");
    for (size_t i = 0; i < json_object_array_length(rows); i++) {
        json_object *row = json_object_array_get_idx(rows, i);
        int64_t message = 0;

        if (!forum_number(row, "message", &message) || message == 0) {
            continue;
        }
        reading->listed++;
        older = older || message <= begun;
        if (lowest == 0 || message < lowest) {
            lowest = message;
        }
        if (!reading->first) {
            parse_listed(reading, message, forum_flag(row, "unread"));
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
    int64_t message = reading->fresh.list[reading->fresh.next++];

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
    struct forum_item message;
    char author[FORUM_ID_MAX + 2];
    int64_t opened;

    if (exchange->reply->status != 200 && !forum_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    if (!forum_parse_date(exchange, &opened)) {
        return forum_undated(exchange);
    }
    if (!forum_read_nth(&forum_phpbb.shape.message,
                        forum_list(exchange, "posts"), 0, &message)) {
        return end_message(exchange, reading);
    }
    message.number = reading->fresh.list[reading->fresh.next];
    (void)snprintf(message.id, sizeof(message.id), "%lld",
                   (long long)message.number);
    (void)snprintf(author, sizeof(author), "%lld", (long long)message.member);
    message.edited = message.edited != 0 ? opened : 0;
    int64_t stamp = message.stamp;

    message.stamp = opened;
    if (!forum_add_item(exchange, &message, author, true, message.count > 2)) {
        return forum_refused(exchange);
    }
    struct page *page = &exchange->out->page;

    if (stamp > 0) {
        page->posts[page->count - 1].stamp = stamp;
    }
    return stamp > 0 || page->posts[page->count - 1].machine
               ? end_message(exchange, reading)
               : ask_quote(exchange, reading);
}

/* What is behind the value that a text begins with. */
static const char *
behind_value(const char *at)
{
    char mark = *at;

    if (mark != '"' && mark != '\'') {
        return at + strcspn(at, " ]");
    }
    for (at++; *at != '\0' && *at != mark; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        }
    }
    return *at == '\0' ? at : at + 1;
}

bool
phpbb_quote_time(const char *text, int64_t *time)
{
    static const char opening[] = "[quote=";
    static const char field[] = " time=";

    if (strncmp(text, opening, sizeof(opening) - 1) != 0) {
        return false;
    }
    const char *at = behind_value(text + sizeof(opening) - 1);

    while (*at == ' ') {
        const char *value = at + strcspn(at, "=]");
        size_t digits;

        if (*value != '=') {
            return false;
        }
        digits = strspn(++value, "0123456789");
        if (strncmp(at, field, sizeof(field) - 1) == 0) {
            *time = strtoll(value, NULL, 10) * SECOND_MS;
            return digits > 0 && digits <= SECONDS_MAX;
        }
        at = behind_value(value);
    }
    return false;
}

static enum advance
parse_quote(struct exchange *exchange)
{
    struct page *page = &exchange->out->page;
    struct html_span reply = {exchange->reply->body, exchange->reply->len};
    struct html_span form;
    struct buf text = BUF_INIT;
    bool dated =
        exchange->reply->status == 200 &&
        page_find_form(reply, "message", &form) &&
        page_field_text(form, "message", &text) &&
        phpbb_quote_time(buf_text(&text), &page->posts[page->count - 1].stamp);

    buf_release(&text);
    return dated ? end_message(exchange, reading_of(exchange))
                 : forum_refused(exchange);
}

enum advance
phpbb_read(struct exchange *exchange)
{
    struct reading *reading = reading_of(exchange);
    const char *cursor = exchange->op->cursor;

    if (!forum_is_inbox(exchange)) {
        return forum_read_feed(exchange);
    }
    reading->first = *cursor == '\0';
    return reading->first || read_inbox_cursor(reading, cursor)
               ? ask_list(exchange, reading)
               : forum_lost_cursor(exchange);
}

/* ---- when posts were edited ---------------------------------------------- */

/* The time of an edit, where the feed has it. */
static void
set_edited(struct page *page, int64_t number, int64_t updated)
{
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
    struct html_span rest = {exchange->reply->body, exchange->reply->len};
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
    enum err err = reply_err(exchange->reply);
    json_object *entries = forum_list(exchange, "entries");
    int64_t post = 0;
    int64_t updated;

    if (err != ERR_NONE && err != ERR_GONE && err != ERR_DENIED) {
        return forum_refused(exchange);
    }
    if (is_cut(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the topic's feed is cut off",
                            exchange->service->name);
    }
    for (size_t i = 0; entries != NULL && i < json_object_array_length(entries);
         i++) {
        json_object *entry = json_object_array_get_idx(entries, i);
        const char *time = forum_text(entry, "updated");

        if (forum_number(entry, "post", &post) && time != NULL &&
            timestamp_read(time, &updated)) {
            set_edited(&exchange->out->page, post, updated);
        }
    }
    return forum_end_topic(exchange);
}

/* A page has that in the reader's own language; the topic's feed, in UTC. */
enum advance
phpbb_date_edits(struct exchange *exchange)
{
    static const struct forum_endpoint feed = {
        .method = "GET",
        .path = "/app.php/feed/topic/{topic}",
        .route = "page",
        .anybody = true};

    return forum_ask_for(exchange, &feed,
                         (struct forum_values){.topic = exchange->op->feed},
                         parse_feed);
}
