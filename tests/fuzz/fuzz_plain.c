/* Reading and writing plain text. */
#include "tests/fuzz/chat.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct chat chat = {&dialect_plain, expressible_plain};

    fuzz_chat(&chat, data, size);
    return 0;
}
