/*
 * Any texts as those of Discourse's message bus, a line each, in polls one
 * after the other: a text rings for each feed once at most, what the adapter
 * wants to wait for is bounded, and what it polls for next is well formed.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/doorbell.h"
#include "bot/base/err.h"

enum {
    NOW = 1700000000,
    HOUR = 3600 * 1000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct service service = {.adapter = &adapter_discourse,
                                       .name = "forum",
                                       .base = "https://forum.test",
                                       .user = "placard",
                                       .self = "placard"};
static const char *const names[] = {"inbox", "3", "7"};
static const struct bell_feeds feeds = {"2/0123abcd", names, 3};

static void
happen(void *session, enum bell_event event, const char *text, unsigned code)
{
    struct bell_input input = {.event = event,
                               .now = NOW,
                               .text = text,
                               .len = strlen(text),
                               .code = code};
    unsigned rings = 0;
    bool more = true;

    while (more) {
        struct bell_output out = {.text_count = 0};
        struct buf why = BUF_INIT;

        adapter_discourse.doorbell->take(&service, session, &input, &out, &why);
        assert(out.text_count == 0 && out.states.count == 0);
        assert(out.wake == 0 || (out.wake >= NOW && out.wake <= NOW + HOUR));
        assert(out.pause >= 0 && out.pause <= HOUR);
        assert(!out.rings || out.feed[0] != '\0');
        assert(!(out.shut && out.listens));
        rings += out.rings;
        more = out.more;
        bell_output_release(&out);
        buf_release(&why);
    }
    assert(rings <= feeds.count);
}

static void
poll(void *session)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz-%2F&=0123456789";
    struct request request = {.timeout = 0};
    struct buf why = BUF_INIT;
    bool can = adapter_discourse.doorbell->poll(&service, session, &feeds, 0,
                                                &request, &why);
    const char *body = buf_text(&request.body);

    assert(can && request.long_poll && request.authorized);
    assert(body[strspn(body, plain)] == '\0');
    request_clear(&request);
    buf_release(&why);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *session = must_alloc(adapter_discourse.doorbell->size);
    char *texts = must_alloc(size + 1);
    char *rest = NULL;

    memcpy(texts, data, size);
    for (char *text = strtok_r(texts, "\n", &rest); text != NULL;
         text = strtok_r(NULL, "\n", &rest)) {
        poll(session);
        happen(session, BELL_OPENED, "", 0);
        happen(session, BELL_TEXT, text, 0);
        happen(session, BELL_TIME, "", 0);
        happen(session, BELL_CLOSED, "", size % 7 == 0 ? 429 : 0);
    }
    poll(session);
    free(texts);
    free(session);
    return 0;
}
