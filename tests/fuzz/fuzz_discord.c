/* Reading and writing Discord's mark-up. */
#include "tests/fuzz/chat.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct chat chat = {&dialect_discord, expressible_discord};

    fuzz_chat(&chat, data, size);
    return 0;
}
