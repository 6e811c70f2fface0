#include "bot/loop/op_copy.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

/* What an operation points to lies in pieces, each behind the next. */
struct piece {
    struct piece *next;
    size_t size; /* bytes that follow */
    max_align_t bytes[];
};

static void *
put(struct op_copy *copy, const void *bytes, size_t size)
{
    struct piece *piece = must_alloc(sizeof(*piece) + size);

    piece->next = copy->pieces;
    piece->size = size;
    copy->pieces = piece;
    if (size > 0) {
        memcpy(piece->bytes, bytes, size);
    }
    return piece->bytes;
}

static const char *
put_text(struct op_copy *copy, const char *text)
{
    return text == NULL || text[0] == '\0' ? ""
                                           : put(copy, text, strlen(text) + 1);
}

static void
put_states(struct op_copy *copy)
{
    struct op *op = &copy->op;
    struct adapter_state *states =
        put(copy, op->states, op->state_count * sizeof(*states));

    for (unsigned i = 0; i < op->state_count; i++) {
        states[i].key = put_text(copy, states[i].key);
        states[i].value = put_text(copy, states[i].value);
    }
    op->states = states;
}

static void
put_pings(struct op_copy *copy)
{
    struct pings *pings = &copy->op.pings;
    const char **users = put(copy, pings->users, pings->count * sizeof(*users));

    for (unsigned i = 0; i < pings->count; i++) {
        users[i] = put_text(copy, users[i]);
    }
    pings->users = users;
}

void
op_copy_make(struct op_copy *copy, const struct op *op)
{
    *copy = (struct op_copy){.op = *op};
    struct op *own = &copy->op;
    const char **const texts[] = {&own->feed,
                                  &own->cursor,
                                  &own->place,
                                  &own->post,
                                  &own->user,
                                  &own->text,
                                  &own->key,
                                  &own->secret,
                                  &own->pings.role,
                                  &own->others,
                                  &own->picture.caption,
                                  &own->picture.page};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = put_text(copy, *texts[i]);
    }
    put_states(copy);
    put_pings(copy);
    if (op->buttons != NULL) {
        own->buttons = put(copy, op->buttons, sizeof(*op->buttons));
    }
    if (op->picture.bytes != NULL) {
        own->picture.bytes = put(copy, op->picture.bytes, op->picture.len);
    }
}

void
op_copy_wipe(struct op_copy *copy)
{
    while (copy->pieces != NULL) {
        struct piece *piece = copy->pieces;

        copy->pieces = piece->next;
        wipe(piece, sizeof(*piece) + piece->size);
        free(piece);
    }
    wipe(copy, sizeof(*copy));
}
