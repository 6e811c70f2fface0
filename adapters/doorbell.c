#include "adapters/doorbell.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void
bell_output_release(struct bell_output *output)
{
    for (unsigned i = 0; i < output->text_count; i++) {
        buf_release(&output->texts[i].text);
    }
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
    assert(output->state_count < BELL_STATES_MAX);
    struct adapter_state *state = &output->states[output->state_count++];
    assert(strlen(key) < sizeof(state->key));
    assert(strlen(value) < sizeof(state->value));
    (void)snprintf(state->key, sizeof(state->key), "%s", key);
    (void)snprintf(state->value, sizeof(state->value), "%s", value);
}

const char *
bell_state(const struct bell_input *input, const char *key)
{
    for (unsigned i = 0; i < input->state_count; i++) {
        if (strcmp(input->states[i].key, key) == 0) {
            return input->states[i].value;
        }
    }
    return "";
}
