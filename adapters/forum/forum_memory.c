/*
 * What a job remembers from step to step, in the scratch, which is never saved.
 */
#include <stdlib.h>

#include "adapters/forum/forum_inner.h"

/* Let it have that length at least; what is added is zeroed. */
static void
grow(struct buf *scratch, size_t len)
{
    if (scratch->len < len) {
        void *zeros = must_alloc(len - scratch->len);

        buf_add(scratch, zeros, len - scratch->len);
        free(zeros);
    }
}

void
forum_begin(struct exchange *exchange, const struct forum *forum)
{
    grow(exchange->scratch, sizeof(struct forum_job));
    forum_job(exchange)->forum = forum;
}

struct forum_job *
forum_job(const struct exchange *exchange)
{
    void *job = exchange->scratch->data;

    return job;
}

const struct forum *
forum_of(const struct exchange *exchange)
{
    return forum_job(exchange)->forum;
}

void *
forum_memory(const struct exchange *exchange, size_t size)
{
    grow(exchange->scratch, sizeof(struct forum_job) + size);
    return forum_job(exchange) + 1;
}

void
forum_begin_again(struct exchange *exchange)
{
    buf_truncate(exchange->scratch, sizeof(struct forum_job));
    forum_job(exchange)->next = NULL;
    exchange->reply = NULL;
}
