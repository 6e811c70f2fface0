#include "bot/loop/op_copy.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

/* Where the pieces of a copy go, one behind the other.  Without a start they
 * are only measured. */
struct block {
    char *start; /* NULL: there is no memory yet */
    size_t size;
};

/* Put a piece; NULL: it is only measured. */
static void *
put(struct block *block, const void *piece, size_t size)
{
    void *at = block->start == NULL ? NULL : block->start + block->size;

    if (at != NULL && size > 0) {
        memcpy(at, piece, size);
    }
    block->size += size;
    return at;
}

/* The same for what has pointers or numbers in it. */
static void *
put_aligned(struct block *block, const void *piece, size_t size)
{
    static const size_t unit = _Alignof(struct op);

    block->size = (block->size + unit - 1) / unit * unit;
    return put(block, piece, size);
}

static const char *
put_text(struct block *block, const char *text)
{
    const char *whole = text != NULL ? text : "";

    return put(block, whole, strlen(whole) + 1);
}

static const struct adapter_state *
put_states(struct block *block, const struct op *op)
{
    struct adapter_state *states =
        put_aligned(block, op->states, op->state_count * sizeof(*states));

    for (unsigned i = 0; i < op->state_count; i++) {
        const char *key = put_text(block, op->states[i].key);
        const char *value = put_text(block, op->states[i].value);

        if (states != NULL) {
            states[i] = (struct adapter_state){key, value};
        }
    }
    return states;
}

static const char *const *
put_pings(struct block *block, const struct pings *pings)
{
    const char **users =
        put_aligned(block, pings->users, pings->count * sizeof(*users));

    for (unsigned i = 0; i < pings->count; i++) {
        const char *user = put_text(block, pings->users[i]);

        if (users != NULL) {
            users[i] = user;
        }
    }
    return users;
}

/* Put all that an operation points to; the same operation, with pointers to
 * that. */
static struct op
put_op(struct block *block, const struct op *op)
{
    struct op own = *op;
    const char **const texts[] = {&own.feed,        &own.cursor,
                                  &own.place,       &own.post,
                                  &own.user,        &own.text,
                                  &own.key,         &own.secret,
                                  &own.pings.role,  &own.picture.caption,
                                  &own.picture.page};

    own.states = put_states(block, op);
    own.pings.users = put_pings(block, &op->pings);
    if (op->buttons != NULL) {
        own.buttons = put_aligned(block, op->buttons, sizeof(*op->buttons));
    }
    if (op->picture.bytes != NULL) {
        own.picture.bytes = put(block, op->picture.bytes, op->picture.len);
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = put_text(block, *texts[i]);
    }
    return own;
}

struct op_copy *
op_copy_new(const struct op *op)
{
    struct block block = {.size = sizeof(struct op_copy)};

    (void)put_op(&block, op);
    struct op_copy *copy = must_alloc(block.size);
    copy->size = block.size;
    block = (struct block){(char *)copy, sizeof(*copy)};
    copy->op = put_op(&block, op);
    return copy;
}

void
op_copy_free(struct op_copy *copy)
{
    if (copy != NULL) {
        wipe(copy, copy->size);
    }
    free(copy);
}
