/* The desk: the time that a question names, and when it was asked. */
#include "bot/desk_inner.h"

int64_t
desk_names(struct desk *desk, const struct envelope *envelope, int64_t now)
{
    (void)desk;
    (void)now;
    return envelope->letter.deadline;
}

void
desk_fill(struct desk *desk, const struct envelope *envelope, int64_t now,
          struct buf *text)
{
    (void)desk;
    (void)now;
    buf_add_text(text, envelope->letter.text);
}

enum err
desk_called(struct desk *desk, const struct envelope *envelope, bool refused,
            int64_t at, int64_t now, struct buf *why)
{
    (void)desk;
    (void)envelope;
    (void)refused;
    (void)at;
    (void)now;
    (void)why;
    return ERR_NONE;
}
