/*
 * NodeBB: where something is new.
 *
 * The page of recent topics has those that the account may read and does not
 * ignore, the one with the newest post first, and the numbers of the next ones
 * (200 together, recentMaxTopics): nothing was posted in these since the last
 * post of those on the page.
 */
#include <string.h>

#include "adapters/markup/html/html_tokens.h"
#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

/* A post that was taken away, or approved, changes the count. */
static uint64_t
state_of(int64_t last, int64_t count)
{
    return (uint64_t)last * 1000003 + (uint64_t)count + 1;
}

/* Take in a topic of the page; false: it is none.  *rest: when it was last
 * posted in, as behind it those are that have been quiet for longer; 0: they
 * are in another order. */
static bool
parse_topic(struct exchange *exchange, json_object *topic, int64_t *rest)
{
    char number[FORUM_ID_MAX + 1];
    int64_t last;
    int64_t count;

    if (!parse_time(topic, "lastposttime", &last) ||
        !jdoc_integer(topic, "postcount", &count)) {
        return false;
    }
    if (forum_parse_number(topic, "tid", number)) {
        outcome_add_update(exchange->out, number, last)->state =
            state_of(last, count);
    }
    *rest = last <= *rest ? last : 0;
    return true;
}

/* Take in the numbers of the topics, of which those on the page come first. */
static void
parse_numbers(struct exchange *exchange, json_object *numbers, size_t from,
              int64_t rest)
{
    struct buf number = BUF_INIT;

    for (size_t i = from;
         numbers != NULL && i < json_object_array_length(numbers); i++) {
        buf_clear(&number);
        buf_add_text(&number, json_object_get_string(
                                  json_object_array_get_idx(numbers, i)));
        if (forum_is_number(buf_text(&number))) {
            (void)outcome_add_update(exchange->out, buf_text(&number), rest);
        }
    }
    buf_release(&number);
}

static enum advance
parse_recent(struct exchange *exchange)
{
    json_object *topics =
        is_success(exchange) ? nodebb_list(exchange->value, "topics") : NULL;
    int64_t rest = INT64_MAX;
    int64_t date;

    if (topics == NULL) {
        return nodebb_refused(exchange);
    }
    if (nodebb_is_guest(exchange)) {
        return nodebb_refuse_guest(exchange);
    }
    if (!forum_parse_date(exchange, &date)) {
        return forum_undated(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(topics); i++) {
        if (!parse_topic(exchange, json_object_array_get_idx(topics, i),
                         &rest)) {
            return nodebb_refused(exchange);
        }
    }
    if (rest != 0 && rest != INT64_MAX) {
        parse_numbers(exchange, nodebb_list(exchange->value, "tids"),
                      json_object_array_length(topics), rest);
        exchange->out->rest = rest;
    }
    exchange->out->through = date - FORUM_MARGIN_MS;
    return ADVANCE_DONE;
}

enum advance
nodebb_updates(struct exchange *exchange)
{
    if (exchange->reply != NULL) {
        return parse_recent(exchange);
    }
    ask(exchange, "GET", "/api/recent");
    return ADVANCE_REQUEST;
}

/* ---- topics to choose from ----------------------------------------------- */

/* Titles have references as in HTML (Topics.getTopicsByTids escapes them). */
static void
add_topic(struct exchange *exchange, json_object *topic)
{
    const char *title = jdoc_string(topic, "title");
    char number[FORUM_ID_MAX + 1];
    struct buf address = BUF_INIT;
    struct buf name = BUF_INIT;

    if (title != NULL && forum_parse_number(topic, "tid", number)) {
        buf_addf(&address, "%s/topic/%s", exchange->service->base, number);
        html_add_decoded(&name, (struct html_span){title, strlen(title)},
                         false);
        outcome_add_place(exchange->out, buf_text(&address), buf_text(&name));
    }
    buf_release(&address);
    buf_release(&name);
}

enum advance
nodebb_places(struct exchange *exchange)
{
    json_object *topics =
        is_success(exchange) ? nodebb_list(exchange->value, "topics") : NULL;

    if (exchange->reply == NULL) {
        ask(exchange, "GET", "/api/recent");
        return ADVANCE_REQUEST;
    }
    if (topics == NULL) {
        return nodebb_refused(exchange);
    }
    if (nodebb_is_guest(exchange)) {
        return nodebb_refuse_guest(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(topics); i++) {
        add_topic(exchange, json_object_array_get_idx(topics, i));
    }
    return ADVANCE_DONE;
}
