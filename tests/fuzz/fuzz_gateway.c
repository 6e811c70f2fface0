/*
 * Any texts as those of Discord's gateway, a line each: what the adapter then
 * sends is short and has the token in one place at most, what it wants to wait
 * for is bounded, and what it saves it can read again.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/doorbell.h"
#include "bot/base/err.h"

enum {
    NOW = 1700000000,
    LONGEST = 4096, /* of a text to the gateway (D "Sending Events") */
    HOUR = 3600 * 1000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct service service = {.adapter = &adapter_discord,
                                       .name = "discord",
                                       .base = "https://discord.com",
                                       .self = "7"};

static void
happen(void *session, struct bell_input *input)
{
    struct bell_output out = {.text_count = 0};
    struct buf why = BUF_INIT;

    input->now = NOW;
    input->chance = 0.5;
    adapter_discord.doorbell->take(&service, session, input, &out, &why);
    for (unsigned i = 0; i < out.text_count; i++) {
        assert(out.texts[i].text.len < LONGEST);
        assert(out.texts[i].token_at == SIZE_MAX ||
               out.texts[i].token_at < out.texts[i].text.len);
    }
    assert(out.wake == 0 || (out.wake >= NOW && out.wake <= NOW + HOUR));
    assert(out.pause >= 0 && out.pause <= HOUR);
    assert(!out.rings || out.feed[0] != '\0');
    bell_output_release(&out);
    buf_release(&why);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *session = must_alloc(adapter_discord.doorbell->size);
    char *texts = must_alloc(size + 1);
    struct bell_input input = {.event = BELL_OPENED, .text = ""};
    char *rest = NULL;

    memcpy(texts, data, size);
    happen(session, &input);
    for (char *text = strtok_r(texts, "\n", &rest); text != NULL;
         text = strtok_r(NULL, "\n", &rest)) {
        input = (struct bell_input){
            .event = BELL_TEXT, .text = text, .len = strlen(text)};
        happen(session, &input);
        input = (struct bell_input){.event = BELL_TIME, .text = ""};
        happen(session, &input);
    }
    input = (struct bell_input){.event = BELL_CLOSED,
                                .text = "",
                                .code = size > 0 ? 4000 + data[0] : 0};
    happen(session, &input);
    free(texts);
    free(session);
    return 0;
}
