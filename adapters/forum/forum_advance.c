/*
 * What stands above the jobs: which feed is read, the session within which a
 * step is taken, and what follows a reading or a failure.
 */
#include "adapters/forum/forum_inner.h"

enum advance
forum_read_feed(struct exchange *exchange)
{
    return forum_is_inbox(exchange)        ? forum_read_inbox(exchange)
           : forum_of(exchange)->twice > 0 ? forum_read_on(exchange)
                                           : forum_read_topic(exchange);
}

static enum advance
take_step(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    enum advance advance = forum->login != NULL ? forum_take_inside(exchange)
                                                : forum_take(exchange);

    if (advance == ADVANCE_DONE && exchange->op->kind == OP_READ &&
        forum->address.post != NULL) {
        return forum_look_up(exchange);
    }
    if (advance == ADVANCE_FAILED && exchange->reply != NULL &&
        forum->doubt != NULL && !forum_job(exchange)->doubted) {
        forum_job(exchange)->doubted = true;
        return forum->doubt(exchange);
    }
    return advance;
}

enum advance
forum_advance(const struct forum *forum, const struct service *service,
              const struct op *op, struct buf *scratch,
              const struct reply *reply, struct outcome *out, struct buf *why)
{
    struct exchange exchange = {service, op, scratch, reply, NULL, out, why};

    if (scratch->len == 0) {
        forum_begin(&exchange, forum);
    }
    if (forum->login == NULL) {
        return exchange_advance(take_step, NULL, service, op, scratch, reply,
                                out, why);
    }
    json_object *page = reply == NULL ? NULL : forum_read_page(forum, reply);

    exchange.value = page;
    enum advance advance = take_step(&exchange);

    json_object_put(page);
    return advance;
}
