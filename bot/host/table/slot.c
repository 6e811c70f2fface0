#include "bot/host/table/slot.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"

enum {
    SLOT_LEN = sizeof SLOT_BEGIN - 1,
    MARK_LEN = 40 /* of "<t:SECOND:" */
};

void
slot_put(struct buf *time)
{
    struct buf slot = BUF_INIT;
    buf_addf(&slot, SLOT_BEGIN "%s" SLOT_END, buf_text(time));
    buf_clear(time);
    buf_add_buf(time, &slot);
    buf_release(&slot);
}

static void
write_mark(char mark[MARK_LEN], int64_t instant)
{
    (void)snprintf(mark, MARK_LEN,
                   "<t:%lld:", (long long)(instant / SECOND_MS));
}

static const char *
earlier(const char *one, const char *other)
{
    return one == NULL || (other != NULL && other < one) ? other : one;
}

/* Append the time for the slot that begins here, or its own time; returns where
 * it ends. */
static const char *
fill_one(const char *at, const char *time, struct buf *out)
{
    const char *own = at + SLOT_LEN;
    const char *end = strstr(own, SLOT_END);
    if (end == NULL) {
        return own;
    }
    if (time != NULL) {
        buf_add_text(out, time);
    } else {
        buf_add(out, own, (size_t)(end - own));
    }
    return end + SLOT_LEN;
}

void
slot_fill(const char *text, int64_t was, int64_t is, const char *time,
          struct buf *out)
{
    char old[MARK_LEN];
    char new[MARK_LEN];
    const char *at = text;
    write_mark(old, was);
    write_mark(new, is);
    for (;;) {
        const char *slot = strstr(at, SLOT_BEGIN);
        const char *mark = was == is ? NULL : strstr(at, old);
        const char *next = earlier(slot, mark);
        if (next == NULL) {
            break;
        }
        buf_add(out, at, (size_t)(next - at));
        if (next == slot) {
            at = fill_one(next, was == is ? NULL : time, out);
        } else {
            buf_add_text(out, new);
            at = next + strlen(old);
        }
    }
    buf_add_text(out, at);
}
