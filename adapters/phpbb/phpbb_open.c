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
static enum turn
end_opening(struct trip *trip, long long topic)
{
    buf_clear(&trip->out->id);
    buf_addf(&trip->out->id, "%lld", topic);
    buf_clear(&trip->out->cursor);
    buf_add_text(&trip->out->cursor, PHPBB_FROM_FIRST);
    return TURN_DONE;
}

static void
get_numbered(struct trip *trip, const char *path, long long number)
{
    char whole[PHPBB_PATH_MAX];

    (void)snprintf(whole, sizeof(whole), "%s%lld", path, number);
    phpbb_get(trip, whole);
}

/* The last of the links that lead down to the topic. */
static enum turn
hear_place(struct trip *trip, struct opening *opening)
{
    opening->forum = page_forum(phpbb_page(trip));
    if (trip->reply->status != 200 || opening->forum == 0) {
        return phpbb_refused(trip);
    }
    opening->step = OPEN_LIST;
    get_numbered(trip, "/viewforum.php?f=", opening->forum);
    return TURN_REQUEST;
}

static enum turn
look_at_next(struct trip *trip, struct opening *opening)
{
    if (opening->next < opening->count) {
        opening->step = OPEN_LOOK;
        get_numbered(trip,
                     "/viewtopic.php?t=", opening->topics[opening->next++]);
    } else {
        opening->step = OPEN_FORM;
        get_numbered(trip, "/posting.php?mode=post&f=", opening->forum);
        ask_route(trip, PHPBB_ROUTE_FORM);
        trip->out->request.apart = PHPBB_APART_MS;
    }
    return TURN_REQUEST;
}

static enum turn
hear_list(struct trip *trip, struct opening *opening)
{
    struct html_span rest = phpbb_page(trip);
    struct html_tag tag;
    struct buf text = BUF_INIT;

    if (trip->reply->status != 200) {
        return phpbb_refused(trip);
    }
    while (opening->count < TOPICS_MAX && page_next_tag(&rest, &tag)) {
        if (tag.closing || !html_is(tag.name, "a") ||
            !page_has_class(&tag, "topictitle")) {
            continue;
        }
        buf_clear(&text);
        page_add_text(page_content(&tag, rest), &text);
        bool same = buf_equals(&text, trip->errand->text);
        long long topic = page_attribute(&tag, "href", &text)
                              ? page_number(buf_text(&text), "t=")
                              : 0;

        if (same && topic != 0) {
            opening->topics[opening->count++] = topic;
        }
    }
    buf_release(&text);
    return look_at_next(trip, opening);
}

static enum turn
hear_topic(struct trip *trip, struct opening *opening)
{
    struct html_span rest = phpbb_page(trip);
    struct page_post post;
    struct buf text = BUF_INIT;
    char author[24];
    bool found = false;

    if (trip->reply->status != 200 && !phpbb_is_missing(trip)) {
        return phpbb_refused(trip);
    }
    if (page_next_post(&rest, &post)) {
        (void)snprintf(author, sizeof(author), "%lld", post.author);
        page_add_text(post.content, &text);
        found = strcmp(author, trip->service->self) == 0 &&
                forum_is_marked(buf_text(&text), trip->errand->key);
        page_post_release(&post);
    }
    buf_release(&text);
    return found ? end_opening(trip, opening->topics[opening->next - 1])
                 : look_at_next(trip, opening);
}

static enum turn
send_form(struct trip *trip, struct opening *opening)
{
    char path[PHPBB_PATH_MAX];

    (void)snprintf(path, sizeof(path), "/posting.php?mode=post&f=%lld",
                   opening->forum);
    opening->step = OPEN_SENT;
    opening->tries++;
    return trip->reply->status == 200 &&
                   phpbb_send_post(trip, path, trip->errand->text)
               ? TURN_REQUEST
               : phpbb_refused(trip);
}

static enum turn
hear_sent(struct trip *trip, struct opening *opening)
{
    if (opening->tries < PHPBB_FORMS_MAX && phpbb_wants_new_form(trip)) {
        return send_form(trip, opening);
    }
    struct buf location = BUF_INIT;
    long long topic = 0;

    if (trip->reply->status / 100 == 3 &&
        reply_header(trip->reply, "location", &location)) {
        topic = page_number(buf_text(&location), "t=");
    }
    buf_release(&location);
    return topic == 0 ? phpbb_refused(trip) : end_opening(trip, topic);
}

enum turn
phpbb_open(struct trip *trip)
{
    struct opening *opening = phpbb_memory(trip, sizeof(*opening));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    switch (opening->step) {
    case OPEN_BEGIN:
        opening->step = OPEN_PLACE;
        get_numbered(trip, "/viewtopic.php?t=",
                     number == NULL ? 0 : strtoll(number, NULL, 10));
        return TURN_REQUEST;
    case OPEN_PLACE:
        return hear_place(trip, opening);
    case OPEN_LIST:
        return hear_list(trip, opening);
    case OPEN_LOOK:
        return hear_topic(trip, opening);
    case OPEN_FORM:
        return send_form(trip, opening);
    case OPEN_SENT:
        break;
    }
    return hear_sent(trip, opening);
}
