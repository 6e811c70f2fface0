/*
 * Lines of posts as `placard read` takes them, without a place and for one:
 * whatever the bytes are, each line gives one verdict, which is JSON, whole and
 * on one line, and an error if and only if the line could not be read.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/cli/post_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Is it one of the kinds of READING.md, and of a kind that has a value? */
static bool
is_kind(const char *kind, bool *valued)
{
    static const char *const with[] = {"vote",       "nominate", "target",
                                       "veto_reply", "pass",     "enact"};
    static const char *const without[] = {"none", "ambiguous", "veto", "error"};

    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        if (strcmp(kind, with[i]) == 0) {
            *valued = true;
            return true;
        }
    }
    *valued = false;
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        if (strcmp(kind, without[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void
check_verdict(const struct buf *verdict, bool readable)
{
    struct buf why = BUF_INIT;
    json_object *json = NULL;
    bool valued = false;

    demand(memchr(verdict->data, '\n', verdict->len) ==
           verdict->data + verdict->len - 1);
    demand(jdoc_parse(verdict->data, verdict->len, true, &json, &why) ==
           ERR_NONE);
    const char *kind = jdoc_string(json, "kind");
    const char *said = jdoc_string(json, "why");
    demand(json_object_object_length(json) == 4);
    demand(kind != NULL && is_kind(kind, &valued));
    demand(valued == (jdoc_string(json, "value") != NULL));
    demand(readable == (strcmp(kind, "error") != 0));
    demand(said != NULL && strlen(said) > 4);
    json_object_put(json);
    buf_release(&why);
}

static void
judge(const char *line, size_t len, const struct manner *manner)
{
    struct buf verdict = BUF_INIT;

    bool readable = post_line_judge(line, len, 1, manner, &verdict);
    check_verdict(&verdict, readable);
    buf_release(&verdict);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct manner no_place = {.dialect = NULL};
    struct manner place = {
        .dialect = &dialect_board,
        .vocabulary = {.approved = "Entendu Accepté", .declined = "Refusé"}};
    const char *from = (const char *)data;
    const char *end = from + size;

    demand(vote_words_read("Oui/Non,Nein", &place.vocabulary.votes));
    while (from < end) {
        const char *feed = memchr(from, '\n', (size_t)(end - from));
        size_t len = (size_t)((feed == NULL ? end : feed) - from);
        judge(from, len, &no_place);
        judge(from, len, &place);
        from += len + 1;
    }
    return 0;
}
