/*
 * Sealed values as they may lie in a store that somebody has changed: nothing
 * opens that was not sealed with the key, and what opens is what was sealed.
 * The first byte says how long the beginning of a true value is that the others
 * are laid over.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct seal *
some_seal(void)
{
    static struct seal *seal;
    struct buf why = BUF_INIT;
    bool made = false;
    char path[] = "/tmp/placard-fuzz-XXXXXX";
    if (seal == NULL) {
        int file = mkstemp(path);
        demand(file >= 0 && close(file) == 0 && unlink(path) == 0);
        demand(seal_open(path, true, &seal, &made, &why) == ERR_NONE);
        demand(unlink(path) == 0);
    }
    return seal;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char secret[] = "Anna is Hitler";
    struct buf sealed = BUF_INIT;
    struct buf true_value = BUF_INIT;
    struct buf opened = BUF_INIT;
    struct buf why = BUF_INIT;
    size_t keep = size == 0 ? 0 : data[0];
    seal_put(some_seal(), "here", secret, sizeof secret - 1, 32, &sealed);
    buf_add_buf(&true_value, &sealed);
    if (keep < sealed.len) {
        buf_truncate(&sealed, keep);
    }
    if (size > 1) {
        buf_add(&sealed, data + 1, size - 1);
    }
    enum err err = seal_take(some_seal(), "here", buf_text(&sealed), sealed.len,
                             &opened, &why);
    /* What is laid over it may be what was there. */
    bool whole =
        sealed.len == true_value.len &&
        memcmp(buf_text(&sealed), buf_text(&true_value), sealed.len) == 0;
    demand((err == ERR_NONE) == whole);
    demand(err == ERR_NONE ? buf_equals(&opened, secret)
                           : opened.len == 0 && why.len > 0);
    buf_release(&sealed);
    buf_release(&true_value);
    buf_release(&opened);
    buf_release(&why);
    return 0;
}
