/*
 * phpBB: a topic for a game.
 *
 * It stands in the forum of the topic where the table was asked for.  The forum
 * is looked through for it first: a topic of that title whose first post is the
 * account's own and has the mark.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"

enum {
    TOPICS_MAX = 8 /* of that title, looked into */
};

struct opening {
    long long forum;
    unsigned tries; /* forms that were sent */
    unsigned count, next;
    long long topics[TOPICS_MAX];
};

static struct opening *
opening_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct opening));
}

static const struct forum_endpoint view_topic =
    PHPBB_PAGE("/viewtopic.php?t={number}");

/* A game's topic is read from its first post on. */
static enum advance
end_opening(struct exchange *exchange, long long topic)
{
    buf_clear(&exchange->out->id);
    buf_addf(&exchange->out->id, "%lld", topic);
    buf_clear(&exchange->out->cursor);
    buf_add_text(&exchange->out->cursor, PHPBB_FROM_FIRST);
    return ADVANCE_DONE;
}

static enum advance
ask_numbered(struct exchange *exchange, const struct forum_endpoint *endpoint,
             long long number, forum_step *next)
{
    return forum_ask_for(exchange, endpoint,
                         (struct forum_values){.number = number}, next);
}

static forum_step parse_topic;
static forum_step send_form;

static enum advance
look_at_next(struct exchange *exchange, struct opening *opening)
{
    static const struct forum_endpoint form =
        PHPBB_FORM("/posting.php?mode=post&f={number}");

    return opening->next < opening->count
               ? ask_numbered(exchange, &view_topic,
                              opening->topics[opening->next++], parse_topic)
               : ask_numbered(exchange, &form, opening->forum, send_form);
}

static enum advance
parse_list(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);
    struct html_span rest = phpbb_page(exchange);
    struct html_tag tag;
    struct buf text = BUF_INIT;

    if (exchange->reply->status != 200) {
        return forum_refused(exchange);
    }
    while (opening->count < TOPICS_MAX && page_next_tag(&rest, &tag)) {
        if (tag.closing || !html_is(tag.name, "a") ||
            !page_has_class(&tag, "topictitle")) {
            continue;
        }
        buf_clear(&text);
        page_add_text(page_content(&tag, rest), &text);
        bool same = buf_equals(&text, exchange->op->text);
        long long topic = page_attribute(&tag, "href", &text)
                              ? page_number(buf_text(&text), "t=")
                              : 0;

        if (same && topic != 0) {
            opening->topics[opening->count++] = topic;
        }
    }
    buf_release(&text);
    return look_at_next(exchange, opening);
}

static enum advance
parse_topic(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    struct buf text = BUF_INIT;
    char author[24];
    bool found = false;

    if (exchange->reply->status != 200 && !phpbb_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    if (page_next_post(&rest, &post)) {
        (void)snprintf(author, sizeof(author), "%lld", post.author);
        page_add_text(post.content, &text);
        found = strcmp(author, exchange->service->self) == 0 &&
                forum_is_marked(exchange, buf_text(&text), "");
        page_post_release(&post);
    }
    buf_release(&text);
    return found ? end_opening(exchange, opening->topics[opening->next - 1])
                 : look_at_next(exchange, opening);
}

static enum advance
parse_sent(struct exchange *exchange)
{
    struct buf location = BUF_INIT;
    long long topic = 0;

    if (opening_of(exchange)->tries < PHPBB_FORMS_MAX &&
        phpbb_wants_new_form(exchange)) {
        return send_form(exchange);
    }
    if (exchange->reply->status / 100 == 3 &&
        reply_header(exchange->reply, "location", &location)) {
        topic = page_number(buf_text(&location), "t=");
    }
    buf_release(&location);
    return topic == 0 ? forum_refused(exchange) : end_opening(exchange, topic);
}

static enum advance
send_form(struct exchange *exchange)
{
    static const struct forum_endpoint form =
        PHPBB_SEND("/posting.php?mode=post&f={number}");
    struct opening *opening = opening_of(exchange);

    opening->tries++;
    return phpbb_send_post(exchange, &form,
                           (struct forum_values){.number = opening->forum},
                           exchange->op->text, parse_sent);
}

/* The last of the links that lead down to the topic. */
static enum advance
parse_place(struct exchange *exchange)
{
    static const struct forum_endpoint list =
        PHPBB_PAGE("/viewforum.php?f={number}");
    long long forum = page_forum(phpbb_page(exchange));

    opening_of(exchange)->forum = forum;
    return exchange->reply->status != 200 || forum == 0
               ? forum_refused(exchange)
               : ask_numbered(exchange, &list, forum, parse_list);
}

/* In which forum is the place? */
enum advance
phpbb_open(struct exchange *exchange)
{
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    return ask_numbered(exchange, &view_topic,
                        number == NULL ? 0 : strtoll(number, NULL, 10),
                        parse_place);
}
