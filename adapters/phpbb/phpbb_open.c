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

enum open_step {
    OPEN_BEGIN,
    OPEN_PLACE, /* in which forum is it? */
    OPEN_LIST,  /* which topics of that title are there? */
    OPEN_LOOK,  /* is it one of them? */
    OPEN_FORM,
    OPEN_SENT
};

struct opening {
    enum open_step step;
    long long forum;
    unsigned tries; /* forms that were sent */
    unsigned count, next;
    long long topics[TOPICS_MAX];
};

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

static void
get_numbered(struct exchange *exchange, const char *path, long long number)
{
    char whole[PHPBB_PATH_MAX];

    (void)snprintf(whole, sizeof(whole), "%s%lld", path, number);
    phpbb_get(exchange, whole);
}

/* The last of the links that lead down to the topic. */
static enum advance
parse_place(struct exchange *exchange, struct opening *opening)
{
    opening->forum = page_forum(phpbb_page(exchange));
    if (exchange->reply->status != 200 || opening->forum == 0) {
        return phpbb_refused(exchange);
    }
    opening->step = OPEN_LIST;
    get_numbered(exchange, "/viewforum.php?f=", opening->forum);
    return ADVANCE_REQUEST;
}

static enum advance
look_at_next(struct exchange *exchange, struct opening *opening)
{
    if (opening->next < opening->count) {
        opening->step = OPEN_LOOK;
        get_numbered(exchange,
                     "/viewtopic.php?t=", opening->topics[opening->next++]);
    } else {
        opening->step = OPEN_FORM;
        get_numbered(exchange, "/posting.php?mode=post&f=", opening->forum);
        ask_route(exchange, PHPBB_ROUTE_FORM);
        exchange->out->request.apart = PHPBB_APART_MS;
    }
    return ADVANCE_REQUEST;
}

static enum advance
parse_list(struct exchange *exchange, struct opening *opening)
{
    struct html_span rest = phpbb_page(exchange);
    struct html_tag tag;
    struct buf text = BUF_INIT;

    if (exchange->reply->status != 200) {
        return phpbb_refused(exchange);
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
parse_topic(struct exchange *exchange, struct opening *opening)
{
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    struct buf text = BUF_INIT;
    char author[24];
    bool found = false;

    if (exchange->reply->status != 200 && !phpbb_is_missing(exchange)) {
        return phpbb_refused(exchange);
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
send_form(struct exchange *exchange, struct opening *opening)
{
    char path[PHPBB_PATH_MAX];

    (void)snprintf(path, sizeof(path), "/posting.php?mode=post&f=%lld",
                   opening->forum);
    opening->step = OPEN_SENT;
    opening->tries++;
    return exchange->reply->status == 200 &&
                   phpbb_send_post(exchange, path, exchange->op->text)
               ? ADVANCE_REQUEST
               : phpbb_refused(exchange);
}

static enum advance
parse_sent(struct exchange *exchange, struct opening *opening)
{
    if (opening->tries < PHPBB_FORMS_MAX && phpbb_wants_new_form(exchange)) {
        return send_form(exchange, opening);
    }
    struct buf location = BUF_INIT;
    long long topic = 0;

    if (exchange->reply->status / 100 == 3 &&
        reply_header(exchange->reply, "location", &location)) {
        topic = page_number(buf_text(&location), "t=");
    }
    buf_release(&location);
    return topic == 0 ? phpbb_refused(exchange) : end_opening(exchange, topic);
}

enum advance
phpbb_open(struct exchange *exchange)
{
    struct opening *opening = phpbb_memory(exchange, sizeof(*opening));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    switch (opening->step) {
    case OPEN_BEGIN:
        opening->step = OPEN_PLACE;
        get_numbered(exchange, "/viewtopic.php?t=",
                     number == NULL ? 0 : strtoll(number, NULL, 10));
        return ADVANCE_REQUEST;
    case OPEN_PLACE:
        return parse_place(exchange, opening);
    case OPEN_LIST:
        return parse_list(exchange, opening);
    case OPEN_LOOK:
        return parse_topic(exchange, opening);
    case OPEN_FORM:
        return send_form(exchange, opening);
    case OPEN_SENT:
        break;
    }
    return parse_sent(exchange, opening);
}
