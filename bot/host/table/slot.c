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

const char *
slot_of_votes(const char *text)
{
    const char *slot = text == NULL ? NULL : strstr(text, SLOT_VOTES);
    return slot == NULL ? NULL : slot + SLOT_LEN;
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
    write_mark(old, was);
    write_mark(new, is);
    while (*text != '\0') {
        if (strncmp(text, SLOT_BEGIN, SLOT_LEN) == 0) {
            text = fill_one(text, was == is ? NULL : time, out);
        } else if (strncmp(text, SLOT_VOTES, SLOT_LEN) == 0) {
            text += SLOT_LEN;
        } else if (strncmp(text, old, strlen(old)) == 0) {
            buf_add_text(out, new);
            text += strlen(old);
        } else {
            buf_add_char(out, *text++);
        }
    }
}
