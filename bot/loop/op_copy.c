#include "bot/loop/op_copy.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

enum {
    WORDS = sizeof(struct op) / sizeof(uint64_t),
    TEXTS = 12,
};
_Static_assert(sizeof(struct op) == WORDS * sizeof(uint64_t) && WORDS <= 32,
               "an operation is copied by words");

/* One piece of memory.  Few of an operation's words are set: these follow, and
 * behind them lies all that the operation points to. */
struct op_copy {
    uint32_t size;  /* bytes, in all */
    uint32_t words; /* a bit for each that is set */
    uint64_t set[];
};

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

/* All texts of an operation. */
static void
list_texts(struct op *op, const char **texts[TEXTS])
{
    const char **const list[TEXTS] = {&op->feed,         &op->cursor,
                                      &op->place,        &op->post,
                                      &op->user,         &op->text,
                                      &op->key,          &op->secret,
                                      &op->pings.role,   &op->picture.caption,
                                      &op->picture.page, &op->others};

    memcpy(texts, list, sizeof(list));
}

/* The same operation, without pointers to what is empty. */
static struct op
strip(const struct op *op)
{
    struct op bare = *op;
    const char **texts[TEXTS];

    list_texts(&bare, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        if (*texts[i] != NULL && **texts[i] == '\0') {
            *texts[i] = NULL;
        }
    }
    bare.states = op->state_count == 0 ? NULL : op->states;
    bare.pings.users = op->pings.count == 0 ? NULL : op->pings.users;
    return bare;
}

/* Put all that an operation points to; the same operation, with pointers to
 * that. */
static struct op
put_op(struct block *block, const struct op *op)
{
    struct op own = *op;
    const char **texts[TEXTS];

    if (op->states != NULL) {
        own.states = put_states(block, op);
    }
    if (op->pings.users != NULL) {
        own.pings.users = put_pings(block, &op->pings);
    }
    if (op->buttons != NULL) {
        own.buttons = put_aligned(block, op->buttons, sizeof(*op->buttons));
    }
    if (op->picture.bytes != NULL) {
        own.picture.bytes = put(block, op->picture.bytes, op->picture.len);
    }
    list_texts(&own, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        if (*texts[i] != NULL) {
            *texts[i] = put_text(block, *texts[i]);
        }
    }
    return own;
}

struct op_copy *
op_copy_new(const struct op *op)
{
    struct op bare = strip(op);
    uint64_t words[WORDS];
    uint32_t set = 0;
    struct block block = {.size = sizeof(struct op_copy)};
    size_t count = 0;

    memcpy(words, &bare, sizeof(words));
    for (size_t i = 0; i < WORDS; i++) {
        set |= words[i] != 0 ? UINT32_C(1) << i : 0;
        block.size += words[i] != 0 ? sizeof(uint64_t) : 0;
    }
    size_t start = block.size;
    (void)put_op(&block, &bare);
    struct op_copy *copy = must_alloc(block.size);
    copy->size = (uint32_t)block.size;
    copy->words = set;
    block = (struct block){(char *)copy, start};
    bare = put_op(&block, &bare);
    memcpy(words, &bare, sizeof(words));
    for (size_t i = 0; i < WORDS; i++) {
        if ((set >> i & 1) != 0) {
            copy->set[count++] = words[i];
        }
    }
    return copy;
}

struct op
op_copy_read(const struct op_copy *copy)
{
    struct op op;
    uint64_t words[WORDS];
    const char **texts[TEXTS];
    size_t count = 0;

    for (size_t i = 0; i < WORDS; i++) {
        words[i] = (copy->words >> i & 1) != 0 ? copy->set[count++] : 0;
    }
    memcpy(&op, words, sizeof(op));
    list_texts(&op, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        *texts[i] = *texts[i] == NULL ? "" : *texts[i];
    }
    return op;
}

void
op_copy_free(struct op_copy *copy)
{
    if (copy != NULL) {
        wipe(copy, copy->size);
    }
    free(copy);
}
