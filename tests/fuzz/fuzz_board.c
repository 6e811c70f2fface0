/*
 * What the board's adapter makes of any reply.  The first byte is the
 * operation's kind (a digit), the second the reply's status (a message, of the
 * table below), the rest its body.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int statuses[] = {200, 201, 0, 302, 400, 403, 404, 413, 429, 500};

static const struct service service = {
    .adapter = &adapter_board,
    .name = "board",
    .base = "board:",
    .self = "placard",
};

static void
check_id(const char *id)
{
    assert(id != NULL && *id != '\0' && strlen(id) <= ADAPTER_ID_MAX);
}

static void
check_post(const struct post *post, int64_t *last)
{
    int64_t id = strtoll(post->id, NULL, 10);

    check_id(post->id);
    check_id(post->place);
    check_id(post->author);
    check_id(post->author_name);
    assert(strspn(post->id, "0123456789") == strlen(post->id));
    assert(id > *last);
    assert(post->body != NULL && strlen(post->body) == post->body_len);
    assert(post->stamp >= 0 && post->edited >= 0);
    assert(post->dm == (strncmp(post->place, "talk/", 5) == 0));
    assert(post->own == (strcmp(post->author, service.self) == 0));
    *last = id;
}

static void
check_page(const struct outcome *out, int64_t after)
{
    int64_t last = after;

    assert(out->page.count <= BOARD_PAGE_MAX);
    assert(!out->more || out->page.count > 0);
    for (size_t i = 0; i < out->page.count; i++) {
        check_post(&out->page.posts[i], &last);
    }
    assert(strtoll(buf_text(&out->cursor), NULL, 10) == last);
    if (out->more) {
        assert(out->through < out->page.posts[out->page.count - 1].stamp);
    }
}

static void
check_done(const struct op *op, const struct outcome *out)
{
    assert(out->id.len <= ADAPTER_ID_MAX && out->shown.len <= ADAPTER_ID_MAX);
    switch (op->kind) {
    case OP_WHO:
        assert(out->id.len > 0 && out->shown.len > 0);
        break;
    case OP_READ:
        check_page(out, strtoll(op->cursor, NULL, 10));
        break;
    case OP_SEND:
    case OP_DM:
    case OP_OPEN:
    case OP_PLACE:
    case OP_INVITE:
        check_id(buf_text(&out->id));
        break;
    case OP_PROBE:
        assert((out->rights & RIGHT_POST) != 0);
        break;
    case OP_EDIT:
    case OP_FIND:
    case OP_REACT:
    case OP_DELETE:
    case OP_PIN:
    case OP_UPDATES:
    case OP_LOCK:
    case OP_USER:
    case OP_BELL:
    case OP_ACKNOWLEDGE:
    case OP_REPLY:
    case OP_SUGGEST:
    case OP_COMMANDS:
    case OP_PLACES:
    case OP_SITE:
    case OP_MAKE:
    case OP_APPOINT:
    case OP_ROLES:
    case OP_GRANT:
        break;
    }
}

static void
check_failed(const struct reply *reply, const struct outcome *out,
             const struct buf *why)
{
    assert(out->err ==
           (reply_err(reply) != ERR_NONE ? reply_err(reply) : ERR_GARBLED));
    assert(out->err != ERR_LIMITED || out->wait > 0);
    assert(why->len > 0 && why->len < 400);
    for (size_t i = 0; i < why->len; i++) {
        assert((unsigned char)why->data[i] >= 0x20 && why->data[i] != 0x7F);
    }
}

static void
hear(const struct op *op, const struct reply *reply)
{
    struct buf scratch = BUF_INIT;
    struct outcome out = {0};
    struct buf why = BUF_INIT;
    enum advance advance =
        adapter_board.advance(&service, op, &scratch, NULL, &out, &why);

    if (advance == ADVANCE_REQUEST) {
        request_clear(&out.request);
        advance =
            adapter_board.advance(&service, op, &scratch, reply, &out, &why);
        assert(advance != ADVANCE_REQUEST);
        if (advance == ADVANCE_DONE) {
            assert(reply_err(reply) == ERR_NONE && why.len == 0);
            check_done(op, &out);
        } else {
            check_failed(reply, &out, &why);
        }
    } else {
        assert(op->kind == OP_PLACE || op->kind == OP_PIN);
    }
    outcome_release(&out);
    buf_release(&scratch);
    buf_release(&why);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    struct op op = {
        .kind = (enum op_kind)(data[0] % (OP_PROBE + 1)),
        .feed = "board",
        .cursor = data[0] > '9' ? "7" : "",
        .place = "thread",
        .post = "12",
        .user = "Anna",
        .text = "Ja!",
        .key = "g1-31-0",
    };
    size_t len = size - 2;
    /* A copy without a NUL after it, so that a reader that goes too far is
     * caught. */
    char *body = malloc(len == 0 ? 1 : len);

    assert(body != NULL);
    if (len > 0) {
        memcpy(body, data + 2, len);
    }
    hear(&op,
         &(struct reply){
             .status =
                 statuses[data[1] % (sizeof(statuses) / sizeof(statuses[0]))],
             .body = body,
             .len = len,
             .retry_after = -1,
             .trouble = data[1] > 'Z' ? "cut off" : NULL,
         });
    free(body);
    return 0;
}
