/* Reading and writing HTML, of forums and of Matrix. */
#include "tests/fuzz/dialect.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_dialect(&dialect_html, data, size);
    fuzz_dialect(&dialect_matrix, data, size);
    return 0;
}
