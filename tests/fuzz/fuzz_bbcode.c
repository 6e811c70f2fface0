/* Reading and writing BBCode and the board's dialect. */
#include "tests/fuzz/dialect.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_dialect(&dialect_bbcode, data, size);
    fuzz_dialect(&dialect_board, data, size);
    return 0;
}
