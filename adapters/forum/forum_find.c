/*
 * Finding a message that was sent, by its mark.
 *
 * A topic is looked through from its last page back, a DM from its newest
 * message, a page at a time: the cursor leads to the next one.  What waited for
 * approval is looked for in the queue first: it is posted before it is taken
 * out of there.
 *
 * Where the topic has grown by more than its last page since, the account's own
 * latest posts are looked through before the pages further back.  They tell
 * only that it is there: a post that waits, or that was hidden from the account
 * or split off, may not be among them.
 */
#include "adapters/forum/forum_inner.h"

struct finding {
    int64_t page;  /* that was asked for; 0: none yet */
    bool unqueued; /* it does not lie in the queue */
};

static struct finding *
finding_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct finding));
}

/* ---- in a DM ------------------------------------------------------------- */

/* The cursor is how many of the newest messages were looked at. */
static int64_t
start_of(const struct exchange *exchange)
{
    int64_t start = 0;

    (void)forum_read_numbers(exchange->op->cursor, &start, 1);
    return start;
}

static enum advance
parse_messages(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    json_object *messages = forum_list(exchange, forum->path.messages);

    if (messages == NULL) {
        return forum_refused(exchange);
    }
    bool goes_on =
        forum_look_through(exchange, &forum->shape.message, messages);

    buf_add_number(&exchange->out->cursor,
                   start_of(exchange) +
                       (int64_t)json_object_array_length(messages));
    return exchange_looked(exchange, goes_on ? FOUND_NOT_YET : FOUND_NOTHING);
}

/* ---- in a topic ---------------------------------------------------------- */

static forum_step parse_page;

static enum advance
ask_page(struct exchange *exchange, int64_t page)
{
    finding_of(exchange)->page = page;
    return forum_ask_for(exchange, &forum_of(exchange)->ask.page,
                         (struct forum_values){.number = page}, parse_page);
}

/* The first page tells which is the last, where it begins. */
static enum advance
parse_page(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    const struct finding *finding = finding_of(exchange);
    int64_t pages;
    json_object *posts = forum_posts(exchange, &pages);

    if (posts == NULL) {
        return forum_refused(exchange);
    }
    if (*exchange->op->cursor == '\0' && finding->page == 1 && pages > 1) {
        return ask_page(exchange, pages);
    }
    /* Nothing is on a page behind the end, of a topic that got shorter. */
    bool goes_on = json_object_array_length(posts) == 0 ||
                   forum_look_through(exchange, &forum->shape.post, posts);
    bool may_wait =
        forum->is_queue_id(exchange->op->post) && !finding->unqueued;

    goes_on = goes_on && finding->page > 1;
    if (goes_on) {
        buf_add_number(&exchange->out->cursor, finding->page - 1);
        return forum_look_on(exchange);
    }
    return exchange_looked(exchange, may_wait ? FOUND_NOT_YET : FOUND_NOTHING);
}

static enum advance
find_post(struct exchange *exchange)
{
    int64_t page = 1;

    (void)forum_read_numbers(exchange->op->cursor, &page, 1);
    return ask_page(exchange, page);
}

/* ---- in the queue -------------------------------------------------------- */

static enum advance
parse_queue(struct exchange *exchange)
{
    json_object *waiting = forum_list(exchange, forum_of(exchange)->path.queue);

    if (waiting != NULL && json_object_array_length(waiting) > 0) {
        exchange->out->unapproved = true;
        answer_id(exchange, exchange->op->post);
        return exchange_looked(exchange, FOUND_IT);
    }
    finding_of(exchange)->unqueued = waiting != NULL;
    return find_post(exchange);
}

enum advance
forum_find(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    bool dm;

    if (forum_number_of(exchange->op->place, &dm) == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (dm) {
        return forum_ask_for(
            exchange, &forum->ask.messages,
            (struct forum_values){.number = start_of(exchange)},
            parse_messages);
    }
    if (forum->twice > 0) {
        return forum_find_back(exchange);
    }
    return forum->is_queue_id(exchange->op->post)
               ? forum_ask(exchange, &forum->ask.queue, parse_queue)
               : find_post(exchange);
}
