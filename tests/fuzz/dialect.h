/*
 * A dialect for fuzz targets: whatever the bytes are, the text is sane and not
 * much longer than they were, and what is written of it is read as the same
 * text with the same marks.
 */
#ifndef TESTS_FUZZ_DIALECT_H
#define TESTS_FUZZ_DIALECT_H

#include <stdint.h>
#include <stdlib.h>

#include "tests/adapters/rich_sane.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static inline void
write_and_read_again(const struct dialect *dialect, const struct rich *rich)
{
    struct rich again = {.count = 0};
    struct buf body = BUF_INIT;
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    bool unread = true;

    dialect->write(rich, &body);
    dialect->read(buf_text(&body), body.len, &again, &unread);
    demand(rich_is_sane(&again));
    demand(!unread || body.len > POST_MAX);
    if (!unread) {
        rich_show(rich, &before);
        rich_show(&again, &after);
        demand(buf_equals(&after, buf_text(&before)));
    }
    rich_release(&again);
    buf_release(&body);
    buf_release(&before);
    buf_release(&after);
}

static inline void
fuzz_dialect(const struct dialect *dialect, const uint8_t *data, size_t size)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    dialect->read((const char *)data, size, &rich, &unread);
    demand(rich_is_sane(&rich));
    demand(rich.text.len <= 3 * size && !rich.text.cut);
    demand(!unread || rich.count == 0);
    write_and_read_again(dialect, &rich);
    rich_release(&rich);
}

#endif
