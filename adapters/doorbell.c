#include "adapters/doorbell.h"

#include <assert.h>

void
bell_output_release(struct bell_output *output)
{
    for (unsigned i = 0; i < output->text_count; i++) {
        buf_release(&output->texts[i].text);
    }
    adapter_states_release(&output->states);
    page_release(&output->pressed);
    buf_wipe(&output->secret);
    wipe(output, sizeof(*output));
}

struct bell_text *
bell_add_text(struct bell_output *output)
{
    assert(output->text_count < BELL_TEXTS_MAX);
    struct bell_text *text = &output->texts[output->text_count++];
    text->token_at = SIZE_MAX;
    return text;
}

void
bell_set_state(struct bell_output *output, const char *key, const char *value)
{
    bool fits = adapter_states_set(&output->states, key, value);

    assert(fits);
}

const char *
bell_state(const struct bell_input *input, const char *key)
{
    return adapter_states_find(input->states, input->state_count, key);
}
