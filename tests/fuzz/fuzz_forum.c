/*
 * What the forums' adapters make of any replies.  The first byte is the forum
 * and the operation's kind (messages, each forum's 'a' and 'A' the first); each
 * line behind it is a reply: a message for its status (of the table below),
 * then its body.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of the 26 there are, two kinds' messages for the inbox are others'. */
enum {
    NUMBER_PICTURE = 24, /* 'y': a message with one */
    NUMBER_LOCK = 25
};

static const int statuses[] = {200, 0, 301, 400, 401, 403, 404, 422, 429, 500};

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct op
op_of(enum op_kind kind, bool inbox, const struct adapter *adapter)
{
    const char *first = adapter == &adapter_discourse ? "0.0:31,32"
                        : adapter == &adapter_nodebb  ? "0.0.1.0.0"
                                                      : "0.0.0";
    const char *later = adapter == &adapter_phpbb ? "0.3.0" : "1000.1000";

    return (struct op){
        .kind = kind,
        .feed = inbox ? "inbox" : "7",
        .cursor = inbox ? later : first,
        .place = inbox ? "pm8" : "7",
        .post = "31",
        .user = adapter == &adapter_phpbb ? "4" : "anna",
        .text = kind == OP_PLACE ? "7" : "Round 2 begins.",
        .key = "a1b2.31",
    };
}

/* The first byte says which forum is asked for what: lower case is Discourse,
 * upper case NodeBB. */
static struct op
choose(uint8_t byte, struct service *service)
{
    bool lower = byte >= 'a' && byte <= 'z';
    bool upper = byte >= 'A' && byte <= 'Z';
    unsigned from = lower ? 'a' : upper ? 'A' : '!';
    unsigned number = (byte - from) % 26;
    enum op_kind kind = (enum op_kind)(number % OP_LOCK);

    service->adapter = lower   ? &adapter_discourse
                       : upper ? &adapter_nodebb
                               : &adapter_phpbb;
    service->password = lower || upper ? NULL : "a long password";
    kind = number == NUMBER_LOCK ? OP_LOCK : kind;
    kind = number == NUMBER_PICTURE ? OP_SEND : kind;
    struct op op = op_of(kind, number >= OP_LOCK && number < NUMBER_PICTURE,
                         service->adapter);

    if (number == NUMBER_PICTURE) {
        op.picture = (struct picture){.bytes = (const unsigned char *)"PNG",
                                      .len = 3,
                                      .caption = "The board"};
    }
    return op;
}

static void
demand_sane(const struct outcome *out, enum advance advance,
            const struct buf *why)
{
    /* NodeBB is asked once more who the host is before a refusal is told. */
    demand(advance == ADVANCE_REQUEST ||
           (advance == ADVANCE_FAILED) == (why->len > 0));
    demand(advance != ADVANCE_DONE || out->id.len <= ADAPTER_ID_MAX);
    demand(out->cursor.len <= ADAPTER_ID_MAX);
    for (size_t i = 0; i < out->page.count; i++) {
        const struct post *post = &out->page.posts[i];

        demand(*post->id != '\0' && *post->place != '\0');
        demand(strlen(post->id) <= ADAPTER_ID_MAX);
        demand(strlen(post->author) <= ADAPTER_ID_MAX);
        demand(post->body[post->body_len] == '\0');
        demand(post->stamp >= 0 && post->edited >= -1);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data + 1;
    const char *end = (const char *)data + size;
    struct service service = {.name = "forum",
                              .base = "https://forum.test",
                              .user = "placard",
                              .self = "placard"};
    static const struct adapter_state session = {"secret.cookies",
                                                 "x_u=2; x_sid=1"};
    struct outcome out = {.err = ERR_NONE};
    struct buf scratch = BUF_INIT;
    struct buf why = BUF_INIT;
    struct buf body = BUF_INIT;

    if (size < 2) {
        return 0;
    }
    struct op op = choose(data[0], &service);

    op.states = &session;
    op.state_count = 1;
    enum advance advance =
        service.adapter->advance(&service, &op, &scratch, NULL, &out, &why);

    for (int i = 0;
         advance == ADVANCE_REQUEST && line < end && i < ADVANCES_MAX; i++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        stop = stop == NULL ? end : stop;
        buf_clear(&body);
        if (stop > line) {
            buf_add(&body, line + 1, (size_t)(stop - line) - 1);
        }
        size_t status = stop > line ? (size_t)(unsigned char)*line - 'a' : 0;
        struct reply reply = {
            .status = statuses[status % (sizeof(statuses) / sizeof(int))],
            .body = buf_text(&body),
            .len = body.len,
            .retry_after = -1,
            .date = 1795276040000,
            .headers = "location: https://forum.test/t/a-name/31.json?p=9\n"
                       "set-cookie: x_u=2; path=/\n",
            .trouble = "cut off"};

        request_clear(&out.request);
        advance = service.adapter->advance(&service, &op, &scratch, &reply,
                                           &out, &why);
        line = stop < end ? stop + 1 : end;
    }
    page_finish(&out.page);
    demand_sane(&out, advance, &why);
    outcome_release(&out);
    buf_release(&scratch);
    buf_release(&why);
    buf_release(&body);
    return 0;
}
