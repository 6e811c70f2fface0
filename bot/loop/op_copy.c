#include "bot/loop/op_copy.h"

#include <stdlib.h>
#include <string.h>

/* Append a text with its NUL. */
static void
copy_text(struct op_copy *copy, const char *text)
{
    if (text != NULL) {
        buf_add_text(&copy->texts, text);
    }
    buf_add_char(&copy->texts, '\0');
}

/* Take the text at `*at` of the block, and go on to the next. */
static const char *
next_text(const struct op_copy *copy, size_t *at)
{
    const char *text = copy->texts.data + *at;

    *at += strlen(text) + 1;
    return text;
}

static void
copy_texts(struct op_copy *copy, const struct op *op)
{
    struct op *own = &copy->op;
    const char **const texts[] = {&own->feed,         &own->cursor,
                                  &own->place,        &own->post,
                                  &own->user,         &own->text,
                                  &own->key,          &own->picture.caption,
                                  &own->picture.page, &own->secret,
                                  &own->pings.role};
    enum {
        TEXTS = sizeof(texts) / sizeof(texts[0])
    };
    unsigned count = op->pings.count;
    size_t at = 0;

    for (size_t i = 0; i < TEXTS; i++) {
        copy_text(copy, *texts[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        copy_text(copy, op->pings.users[i]);
    }
    /* Only now does the block stay where it is. */
    for (size_t i = 0; i < TEXTS; i++) {
        *texts[i] = next_text(copy, &at);
    }
    copy->pings = count > 0 ? must_alloc(count * sizeof(*copy->pings)) : NULL;
    for (unsigned i = 0; i < count; i++) {
        copy->pings[i] = next_text(copy, &at);
    }
    own->pings.users = copy->pings;
}

void
op_copy_init(struct op_copy *copy, const struct op *op)
{
    copy->op = *op;
    copy_texts(copy, op);
    adapter_states_copy(&copy->states, op->states, op->state_count);
    copy->op.states = copy->states.list;
    if (op->picture.bytes != NULL) {
        buf_add(&copy->picture, op->picture.bytes, op->picture.len);
        copy->op.picture.bytes = (unsigned char *)copy->picture.data;
    }
    if (op->buttons != NULL) {
        copy->buttons = must_alloc(sizeof(*copy->buttons));
        *copy->buttons = *op->buttons;
        copy->op.buttons = copy->buttons;
    }
}

void
op_copy_release(struct op_copy *copy)
{
    /* A message may hold a role or a hand. */
    buf_wipe(&copy->texts);
    buf_release(&copy->picture);
    adapter_states_release(&copy->states);
    free(copy->pings);
    free(copy->buttons);
    *copy = (struct op_copy){0};
}
