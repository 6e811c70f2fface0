/*
 * A chat's dialect for fuzz targets: the bytes are read as a post, and then
 * taken as a text of any runs, to be written.  Of neither more is written than
 * the dialect can say, and that is read back as it is.
 */
#ifndef TESTS_FUZZ_CHAT_H
#define TESTS_FUZZ_CHAT_H

#include "tests/adapters/expressible.h"
#include "tests/fuzz/dialect.h"

struct chat {
    const struct dialect *dialect;
    void (*expressible)(const struct rich *rich, struct rich *expressible);
};

static inline void
write_expressible(const struct chat *chat, const struct rich *rich)
{
    struct rich expressible = {.count = 0};
    struct buf whole = BUF_INIT;
    struct buf part = BUF_INIT;

    chat->expressible(rich, &expressible);
    demand(rich_is_sane(&expressible));
    chat->dialect->write(rich, &whole);
    chat->dialect->write(&expressible, &part);
    demand(buf_equals(&whole, buf_text(&part)));
    write_and_read_again(chat->dialect, &expressible);
    rich_release(&expressible);
    buf_release(&whole);
    buf_release(&part);
}

/* Runs, each a byte of marks, one of length and of whom it mentions, and its
 * text. */
static inline void
compose(const uint8_t *data, size_t size, struct rich *rich)
{
    static const char *const ids[] = {
        "", "", "", "1", "1>", "&23", "23", "99999999999999999999"};

    for (size_t at = 0; size - at > 2;) {
        unsigned marks = data[at] & 63U;
        const char *id = ids[data[at + 1] >> 5];
        size_t len = data[at + 1] & 31U;

        at += 2;
        len = len < size - at ? len : size - at;
        rich_add_mention_len(rich, id, strlen(id), (const char *)data + at, len,
                             marks);
        at += len;
    }
}

static inline void
fuzz_chat(const struct chat *chat, const uint8_t *data, size_t size)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    chat->dialect->read((const char *)data, size, &rich, &unread);
    demand(rich_is_sane(&rich));
    demand(rich.text.len <= 3 * size && !rich.text.cut);
    demand(!unread || rich.count == 0);
    write_expressible(chat, &rich);
    rich_clear(&rich);
    if (size <= POST_MAX) {
        compose(data, size, &rich);
        write_expressible(chat, &rich);
    }
    rich_release(&rich);
}

#endif
