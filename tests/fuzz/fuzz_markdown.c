/* Reading and writing Markdown. */
#include "tests/fuzz/dialect.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_dialect(&dialect_markdown, data, size);
    return 0;
}
