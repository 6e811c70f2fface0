/*
 * Markdown, read as forums show it; and what the program writes, read by the
 * program.  Of what others write it reads something sane, or nothing.
 */
#include "tests/fuzz/dialect.h"
#include "tests/support/markdown/markdown_reader.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    fuzz_dialect(&forum_markdown, data, size);
    forum_markdown.read((const char *)data, size, &rich, &unread);
    write_and_read_again(&dialect_markdown, &rich);
    dialect_markdown.read((const char *)data, size, &rich, &unread);
    demand(rich_is_sane(&rich));
    demand(rich.text.len <= 3 * size && !rich.text.cut);
    demand(!unread || rich.count == 0);
    rich_release(&rich);
    return 0;
}
