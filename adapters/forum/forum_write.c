/*
 * Sending and editing, and opening a topic for a game.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    TOPICS_MAX = 8 /* of one's own, looked through for a game's */
};

static bool
is_dm(const struct exchange *exchange)
{
    bool dm;

    (void)forum_number_of(exchange->op->place, &dm);
    return dm;
}

enum advance
forum_answer_number(struct exchange *exchange, const char *path)
{
    char id[FORUM_ID_MAX + 1];

    bool pages = forum_of(exchange)->login != NULL;

    if ((pages ? exchange->reply->status / 100 > 3 : !is_success(exchange)) ||
        !forum_id(exchange->value, path, id)) {
        return forum_refused(exchange);
    }
    answer_id(exchange, id);
    return ADVANCE_DONE;
}

static bool
is_unapproved(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);

    return forum->is_unapproved != NULL ? forum->is_unapproved(exchange)
                                        : forum_says(exchange, forum->queued);
}

/* ---- sending ------------------------------------------------------------- */

/* What waits for approval has an id of its own, or none. */
static enum advance
parse_sent(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool dm = is_dm(exchange);

    if (!dm && is_unapproved(exchange)) {
        exchange->out->unapproved = true;
        return forum->twice > 0 ? forum_seek_unapproved(exchange)
                                : ADVANCE_DONE;
    }
    enum advance advance = forum_answer_number(
        exchange, dm ? forum->path.sent_dm : forum->path.sent);

    if (dm && advance == ADVANCE_DONE && forum->dm_by_key) {
        buf_clear(&exchange->out->id);
        buf_addf(&exchange->out->id, "pm-%s", exchange->op->key);
    }
    return advance;
}

enum advance
forum_send_message(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);

    return forum_ask(exchange,
                     is_dm(exchange) ? &forum->ask.send_dm : &forum->ask.send,
                     parse_sent);
}

enum advance
forum_send(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool dm;

    if (forum_number_of(exchange->op->place, &dm) == NULL) {
        return forum_no_place(exchange);
    }
    return dm && forum->check_dm != NULL ? forum->check_dm(exchange)
                                         : forum_send_message(exchange);
}

/* ---- editing ------------------------------------------------------------- */

static enum advance
parse_edited(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool edited =
        forum->login != NULL
            ? exchange->reply->status / 100 == 3 || is_unapproved(exchange)
            : is_success(exchange) &&
                  forum_get(exchange->value, forum->path.edited);

    return edited ? ADVANCE_DONE : forum_refused(exchange);
}

enum advance
forum_edit(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    const struct forum_endpoint *edit =
        is_dm(exchange) ? &forum->ask.edit_dm : &forum->ask.edit;

    return edit->method != NULL
               ? forum_ask(exchange, edit, parse_edited)
               : outcome_fail(
                     exchange->out, exchange->why, ERR_DENIED,
                     "%s: a private message that was sent stays as it is",
                     exchange->service->name);
}

/* ---- deleting ------------------------------------------------------------ */

/* What is not there any more need not be deleted; a 404 without any words may
 * be another's than the forum's. */
static enum advance
parse_erased(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool erased = forum->path.erased != NULL
                      ? forum_flag(exchange->value, forum->path.erased)
                      : true;
    bool missing = forum_is_missing(exchange) &&
                   forum_get(exchange->value, forum->path.said) != NULL;

    return missing || (erased && reply_err(exchange->reply) == ERR_NONE)
               ? ADVANCE_DONE
               : forum_refused(exchange);
}

enum advance
forum_delete(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.erase, parse_erased);
}

/* ---- a topic for a game -------------------------------------------------- */

struct opening {
    int64_t category; /* 0: unknown */
    unsigned count, next;
    char topics[TOPICS_MAX][FORUM_ID_MAX + 1];
};

static forum_step parse_topic;
static forum_step parse_category;

/* A game's topic is read from its first post on. */
static enum advance
end_opening(struct exchange *exchange)
{
    buf_clear(&exchange->out->cursor);
    buf_add_text(&exchange->out->cursor, forum_of(exchange)->twice > 0
                                             ? FORUM_FROM_START
                                             : FORUM_FROM_FIRST);
    return ADVANCE_DONE;
}

static forum_step parse_created;

static enum advance
create(struct exchange *exchange, int64_t category)
{
    return forum_ask_for(exchange, &forum_of(exchange)->ask.create,
                         (struct forum_values){.number = category},
                         parse_created);
}

static enum advance
look_at_next(struct exchange *exchange, struct opening *opening)
{
    const struct forum *forum = forum_of(exchange);

    if (opening->next == opening->count) {
        return opening->category > 0
                   ? create(exchange, opening->category)
                   : forum_ask(exchange, &forum->ask.topic, parse_category);
    }
    return forum_ask_for(
        exchange, forum->login != NULL ? &forum->ask.topic : &forum->ask.page,
        (struct forum_values){.topic = opening->topics[opening->next++],
                              .number = 1},
        parse_topic);
}

/* Is it the game's?  Its first post has the mark. */
static enum advance
parse_topic(struct exchange *exchange)
{
    struct opening *opening = forum_memory(exchange, sizeof(*opening));
    struct forum_item first;
    int64_t pages;
    json_object *posts = forum_posts(exchange, &pages);

    if (posts == NULL && !forum_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    if (forum_read_nth(&forum_of(exchange)->shape.post, posts, 0, &first) &&
        forum_is_mine(exchange, &first, "")) {
        answer_id(exchange, opening->topics[opening->next - 1]);
        return end_opening(exchange);
    }
    return look_at_next(exchange, opening);
}

static enum advance
parse_created(struct exchange *exchange)
{
    if (forum_of(exchange)->is_unapproved != NULL && is_unapproved(exchange)) {
        return outcome_fail(
            exchange->out, exchange->why, ERR_DENIED,
            "%s: the forum keeps the host's topics until somebody approves "
            "them: make %s a moderator",
            exchange->service->name, exchange->service->self);
    }
    enum advance advance =
        forum_answer_number(exchange, forum_of(exchange)->path.created);

    return advance == ADVANCE_DONE ? end_opening(exchange) : advance;
}

static enum advance
parse_category(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    int64_t category;

    if (!is_success(exchange) ||
        !forum_number(exchange->value, forum->path.category, &category) ||
        category <= 0) {
        return forum_refused(exchange);
    }
    return create(exchange, category);
}

enum advance
forum_open_unless(struct exchange *exchange, const char *path, int64_t category)
{
    const struct forum *forum = forum_of(exchange);
    struct opening *opening = forum_memory(exchange, sizeof(*opening));
    json_object *topics = forum_list(exchange, path);
    struct forum_item topic;

    opening->category = category;
    for (size_t i = 0; opening->count < TOPICS_MAX &&
                       forum_read_nth(&forum->shape.topic, topics, i, &topic);
         i++) {
        bool may_be =
            !forum->titled ||
            (topic.name != NULL && strcmp(topic.name, exchange->op->text) == 0);

        if (topic.number != 0 && may_be) {
            memcpy(opening->topics[opening->count++], topic.id,
                   sizeof(topic.id));
        }
    }
    return topics == NULL ? forum_refused(exchange)
                          : look_at_next(exchange, opening);
}
