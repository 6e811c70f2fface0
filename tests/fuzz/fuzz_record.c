/*
 * Reading a record: whatever the bytes are, they are refused with a sentence
 * or read; what was read is written again, and that is read as the same.
 */
#include <stdint.h>
#include <stdlib.h>

#include "bot/record/record.h"
#include "tests/support/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void
rewrite(const struct record *record, struct buf *out)
{
    for (size_t i = 0; i < record->game_count; i++) {
        rewrite_game(&record->games[i], out);
    }
}

/* What was read before an error is whole lines, too. */
static void
read_again(const struct record *record)
{
    struct buf once = BUF_INIT;
    struct buf twice = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record again;
    rewrite(record, &once);
    if (once.len > 0) {
        enum err err = record_read(once.data, once.len, &again, &why);
        demand(err == ERR_NONE && why.len == 0);
        rewrite(&again, &twice);
        demand(buf_equals(&twice, buf_text(&once)));
        record_release(&again);
    }
    buf_release(&once);
    buf_release(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record record;
    struct buf why = BUF_INIT;
    enum err err = record_read((const char *)data, size, &record, &why);
    demand((err == ERR_NONE) == (why.len == 0));
    demand(err == ERR_NONE || err == ERR_GARBLED);
    read_again(&record);
    record_release(&record);
    buf_release(&why);
    return 0;
}
