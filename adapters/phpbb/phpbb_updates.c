/*
 * phpBB: where something is new.
 *
 * The search for active topics lists those that the account may read, the one
 * with the newest post first, 25 on a page; it is not one of the searches that
 * a board limits (search.php).  It leaves out forums in which that is turned
 * off.  And the head of the page says how many private messages were not read
 * yet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

enum {
    QUIET_MS = 6 * DAY_MS, /* a day less than the list goes back */
    DIGITS_MAX = 9
};

/* ---- the page ------------------------------------------------------------ */

/* A row of the list (search_results.html). */
struct row {
    long long topic;        /* 0: there is no link to it */
    long long last;         /* its last post; 0: there is no link to that */
    long long replies;      /* -1: it doesn't say */
    int64_t time;           /* of the last post; -1: it doesn't say */
    struct html_span title; /* of the topic; len 0: it doesn't say */
};

/* The number that an element's text begins with; -1: none. */
static long long
number_in(const struct html_tag *tag, struct html_span rest)
{
    struct buf text = BUF_INIT;
    long long number = -1;

    page_add_text(page_content(tag, rest), &text);
    size_t digits = strspn(buf_text(&text), "0123456789");

    if (digits > 0 && digits <= DIGITS_MAX) {
        number = strtoll(buf_text(&text), NULL, 10);
    }
    buf_release(&text);
    return number;
}

/* The time of the last post is the last one in the row. */
static void
read_tag(const struct html_tag *tag, struct html_span rest, struct row *row)
{
    struct buf value = BUF_INIT;

    if (html_is(tag->name, "a") && page_attribute(tag, "href", &value)) {
        if (page_has_class(tag, "topictitle")) {
            row->topic = page_number(buf_text(&value), "t=");
            row->title = page_content(tag, rest);
        } else if (strstr(buf_text(&value), "#p") != NULL) {
            row->last = page_number(buf_text(&value), "p=");
        }
    } else if (html_is(tag->name, "dd") && page_has_class(tag, "posts")) {
        row->replies = number_in(tag, rest);
    } else if (html_is(tag->name, "time") &&
               page_attribute(tag, "datetime", &value) &&
               !timestamp_read(buf_text(&value), &row->time)) {
        row->time = -1;
    }
    buf_release(&value);
}

/* Take the next topic of the list; false: none is left. */
static bool
next_row(struct html_span *rest, struct row *row)
{
    struct html_tag tag;

    while (page_next_tag(rest, &tag)) {
        if (tag.closing || !html_is(tag.name, "li") ||
            !page_has_class(&tag, "row")) {
            continue;
        }
        struct html_span inner = page_content(&tag, *rest);

        page_pass(rest, inner);
        *row = (struct row){.replies = -1, .time = -1};
        while (page_next_tag(&inner, &tag)) {
            if (!tag.closing) {
                read_tag(&tag, inner, row);
            }
        }
        return true;
    }
    return false;
}

/* How many private messages were not read yet, which stands beside the link to
 * the inbox (navbar_header.html); -1: it doesn't say. */
static long long
count_unread(struct html_span page)
{
    struct buf href = BUF_INIT;
    struct html_tag tag;
    long long unread = -1;
    bool inbox = false;

    while (unread < 0 && page_next_tag(&page, &tag)) {
        if (html_is(tag.name, "a")) {
            inbox = !tag.closing && page_attribute(&tag, "href", &href) &&
                    strstr(buf_text(&href), "i=pm") != NULL &&
                    strstr(buf_text(&href), "folder=inbox") != NULL;
        } else if (inbox && !tag.closing && page_has_class(&tag, "badge")) {
            unread = number_in(&tag, page);
        }
    }
    buf_release(&href);
    return unread;
}

/* ---- updates ------------------------------------------------------------- */

/* A post that was taken away, or that waits for approval, changes the count. */
static uint64_t
state_of(const struct row *row)
{
    return row->last == 0 || row->replies < 0
               ? 0
               : (uint64_t)row->last * 1000003 + (uint64_t)row->replies + 1;
}

/* Take in a topic of the list.  *rest: when it was last posted in, as behind it
 * those are that have been quiet for longer; 0: they are in another order. */
static bool
take_row(struct exchange *exchange, const struct row *row, int64_t *rest)
{
    char topic[24];

    if (row->topic <= 0 || row->time < 0) {
        return false;
    }
    (void)snprintf(topic, sizeof(topic), "%lld", row->topic);
    outcome_add_update(exchange->out, topic, row->time)->state = state_of(row);
    *rest = row->time <= *rest ? row->time : 0;
    return true;
}

/* How many private messages are unread says that there are new ones; but some
 * may stay unread for ever, as they were there before the host, and one that
 * was opened in vain, in a reading that failed, is not.  If nobody knows, the
 * inbox has to be read. */
static void
parse_inbox(struct exchange *exchange, int64_t date)
{
    long long unread = count_unread(page_head(phpbb_page(exchange)));
    struct update *update =
        outcome_add_update(exchange->out, FORUM_INBOX, date);

    update->state = (uint64_t)(unread + 1);
}

static enum advance
parse_active(struct exchange *exchange)
{
    struct html_span rest = phpbb_page(exchange);
    struct html_span title;
    struct row row;
    int64_t date;
    bool sane = true;

    if (exchange->reply->status != 200 ||
        !page_find(rest, "h2", "searchresults-title", &title)) {
        return forum_refused(exchange);
    }
    if (!forum_parse_date(exchange, &date)) {
        return forum_undated(exchange);
    }
    exchange->out->rest = INT64_MAX;
    while (sane && next_row(&rest, &row)) {
        sane = take_row(exchange, &row, &exchange->out->rest);
    }
    if (!sane) {
        return forum_refused(exchange);
    }
    if (exchange->out->rest == INT64_MAX) {
        exchange->out->rest = date - QUIET_MS;
    }
    parse_inbox(exchange, date);
    exchange->out->through = date - FORUM_MARGIN_MS;
    return ADVANCE_DONE;
}

enum advance
phpbb_updates(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_phpbb.ask.recent, parse_active);
}

/* ---- topics to choose from ----------------------------------------------- */

static void
add_topic(struct exchange *exchange, const struct row *row)
{
    struct buf address = BUF_INIT;
    struct buf title = BUF_INIT;

    buf_addf(&address, "%s/viewtopic.php?t=%lld", exchange->service->base,
             row->topic);
    page_add_text(row->title, &title);
    outcome_add_place(exchange->out, buf_text(&address), buf_text(&title));
    buf_release(&address);
    buf_release(&title);
}

static enum advance
parse_places(struct exchange *exchange)
{
    struct html_span rest = phpbb_page(exchange);
    struct html_span title;
    struct row row;

    if (exchange->reply->status != 200 ||
        !page_find(rest, "h2", "searchresults-title", &title)) {
        return forum_refused(exchange);
    }
    while (next_row(&rest, &row)) {
        if (row.topic > 0) {
            add_topic(exchange, &row);
        }
    }
    return ADVANCE_DONE;
}

enum advance
phpbb_places(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_phpbb.ask.recent, parse_places);
}
