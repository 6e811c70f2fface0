/*
 * Where something is new, and which topics there are.
 *
 * The list of recent topics has those that the account may read, the one with
 * the newest post first, and maybe the numbers of the next ones: nothing was
 * posted in these since the last post of those in the list.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "adapters/markup/html/html_tokens.h"

/* A post that was taken away, or approved, changes the count. */
static uint64_t
state_of(const struct forum_shape *shape, const struct forum_item *topic)
{
    int64_t last = shape->last != NULL ? topic->last : topic->stamp;

    return last == 0 || topic->count < 0
               ? 0
               : (uint64_t)last * 1000003 + (uint64_t)topic->count + 1;
}

/* Take in a topic of the list; false: it is none.  *rest: when it was last
 * posted in, as behind it those are that have been quiet for longer; 0: they
 * are in another order. */
static bool
take_topic(struct exchange *exchange, const struct forum_item *topic,
           int64_t *rest)
{
    const struct forum_shape *shape = &forum_of(exchange)->shape.topic;
    bool numbered = topic->number != 0 || shape->last == NULL;

    if (topic->stamp <= 0 || !numbered ||
        (topic->count < 0 && shape->last == NULL)) {
        return false;
    }
    if (topic->number != 0) {
        outcome_add_update(exchange->out, topic->id, topic->stamp)->state =
            state_of(shape, topic);
    }
    *rest = topic->stamp <= *rest ? topic->stamp : 0;
    return true;
}

/* Take in the numbers of the topics, of which those in the list come first. */
static void
take_numbers(struct exchange *exchange, json_object *numbers, size_t from,
             int64_t rest)
{
    size_t count = numbers == NULL ? 0 : json_object_array_length(numbers);

    for (size_t i = from; i < count; i++) {
        const char *number =
            json_object_get_string(json_object_array_get_idx(numbers, i));

        if (number != NULL && forum_is_number(number)) {
            (void)outcome_add_update(exchange->out, number, rest);
        }
    }
}

/* How many DMs are unread says that there are new ones; but some may stay
 * unread for ever, as they were there before the host, and one that was opened
 * in vain, in a reading that failed, is not.  If nobody knows, the inbox has to
 * be read. */
static void
take_unread(struct exchange *exchange, int64_t date)
{
    const char *path = forum_of(exchange)->path.unread;
    int64_t unread = -1;

    if (path != NULL) {
        (void)forum_number(exchange->value, path, &unread);
        outcome_add_update(exchange->out, FORUM_INBOX, date)->state =
            (uint64_t)(unread + 1);
    }
}

static enum advance
parse_updates(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    json_object *topics = forum_list(exchange, forum->path.recent);
    struct forum_item topic;
    int64_t rest = INT64_MAX;
    int64_t date;
    size_t count = 0;

    if (topics == NULL) {
        return forum_refused(exchange);
    }
    if (!forum_parse_date(exchange, &date)) {
        return forum_undated(exchange);
    }
    for (; forum_read_nth(&forum->shape.topic, topics, count, &topic);
         count++) {
        if (!take_topic(exchange, &topic, &rest)) {
            return forum_refused(exchange);
        }
    }
    if (rest != 0 && rest != INT64_MAX) {
        take_numbers(exchange, forum_list(exchange, forum->path.further), count,
                     rest);
        exchange->out->rest = rest;
    } else if (rest != 0 && forum->quiet > 0) {
        exchange->out->rest = date - forum->quiet;
    }
    take_unread(exchange, date);
    exchange->out->through = date - FORUM_MARGIN_MS;
    return ADVANCE_DONE;
}

enum advance
forum_updates(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.recent, parse_updates);
}

/* ---- topics to choose from ----------------------------------------------- */

static void
add_topic(struct exchange *exchange, const struct forum_item *topic)
{
    struct buf address = BUF_INIT;
    struct buf name = BUF_INIT;

    buf_addf(&address, "%s%s%s", exchange->service->base,
             forum_of(exchange)->address.topic, topic->id);
    if (forum_of(exchange)->escaped) {
        html_add_decoded(
            &name, (struct html_span){topic->name, strlen(topic->name)}, false);
    } else {
        buf_add_text(&name, topic->name);
    }
    outcome_add_place(exchange->out, buf_text(&address), buf_text(&name));
    buf_release(&address);
    buf_release(&name);
}

static enum advance
parse_places(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    json_object *topics = forum_list(exchange, forum->path.recent);
    struct forum_item topic;

    for (size_t i = 0; forum_read_nth(&forum->shape.topic, topics, i, &topic);
         i++) {
        if (topic.number != 0 && topic.name != NULL && !topic.closed) {
            add_topic(exchange, &topic);
        }
    }
    return topics == NULL ? forum_refused(exchange) : ADVANCE_DONE;
}

enum advance
forum_places(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.recent, parse_places);
}
