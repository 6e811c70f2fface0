/*
 * What a forum refuses, by the rows of its description.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/text.h"

enum {
    SENTENCES_MAX = 3
};

static enum advance
refuse_guest(struct exchange *exchange)
{
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                       "%s: the forum does not know the token any more",
                       exchange->service->name);
    exchange->out->refused = REFUSED_ACCOUNT;
    return ADVANCE_FAILED;
}

/* A sentence, or a list of them. */
static void
add_said(json_object *words, struct buf *said)
{
    if (json_object_is_type(words, json_type_string)) {
        buf_add_text(said, json_object_get_string(words));
        return;
    }
    for (size_t i = 0; json_object_is_type(words, json_type_array) &&
                       i < json_object_array_length(words) && i < SENTENCES_MAX;
         i++) {
        const char *text =
            json_object_get_string(json_object_array_get_idx(words, i));

        buf_addf(said, "%s%s", i == 0 ? "" : " ", text == NULL ? "" : text);
    }
}

/* How long the words that go on so ask to wait, "10 second(s)", in ms; 0: they
 * don't say. */
static int64_t
time_in(const char *words)
{
    char *end;
    int64_t number = strtoll(words, &end, 10);
    int64_t unit = text_begins(end, " second")   ? SECOND_MS
                   : text_begins(end, " minute") ? MINUTE_MS
                                                 : 0;

    if (number <= 0 || unit == 0) {
        return 0;
    }
    return number > DAY_MS / unit ? DAY_MS : number * unit;
}

/* Does a row match?  *wait: how long it says to wait. */
static bool
matches(const struct forum_refusal *row, int status, const struct buf *said,
        int64_t *wait)
{
    const char *at = row->words == NULL || said->len == 0
                         ? NULL
                         : strstr(buf_text(said), row->words);

    *wait = row->wait;
    if ((row->status != 0 && row->status != status) ||
        (row->words != NULL && at == NULL)) {
        return false;
    }
    if (row->wait == FORUM_TOLD) {
        *wait = at == NULL ? 0 : time_in(at + strlen(row->words));
    }
    return row->wait != FORUM_TOLD || *wait > 0;
}

/* How long to wait is in the body, too, and behind some proxies only there. */
static void
heed_wait(struct exchange *exchange)
{
    int64_t seconds;

    if (exchange->out->err == ERR_LIMITED &&
        forum_number(exchange->value, forum_of(exchange)->path.wait,
                     &seconds) &&
        seconds > 0 && seconds <= DAY_MS / SECOND_MS &&
        seconds * SECOND_MS > exchange->out->wait) {
        exchange->out->wait = seconds * SECOND_MS;
    }
}

/* A page with the forum's own words, whose status is no refusal's. */
static enum advance
refuse_in_words(struct exchange *exchange, const struct buf *said)
{
    struct buf *why = exchange->why;

    (void)outcome_fail(exchange->out, why, ERR_DENIED, "%s: %.200s",
                       exchange->service->name, buf_text(said));
    /* More text is added after a semicolon. */
    while (strchr(". ", why->data[why->len - 1]) != NULL) {
        buf_truncate(why, why->len - 1);
    }
    return ADVANCE_FAILED;
}

static enum advance
fail(struct exchange *exchange, const struct buf *said)
{
    bool session = forum_of(exchange)->login != NULL;
    int status = exchange->reply->status;

    if (!session || (status / 100 != 2 && status / 100 != 3)) {
        return exchange_refused_with(exchange, buf_text(said));
    }
    return said->len > 0
               ? refuse_in_words(exchange, said)
               : outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                              "%s: the page is not what was asked for",
                              exchange->service->name);
}

void
forum_add_words(const struct exchange *exchange, struct buf *words)
{
    add_said(forum_get(exchange->value, forum_of(exchange)->path.said), words);
    if (exchange->service->password != NULL) {
        buf_hide(words, exchange->service->password);
    }
}

bool
forum_says(const struct exchange *exchange, const char *words)
{
    struct buf said = BUF_INIT;

    if (exchange->reply->status == 200 && words != NULL) {
        forum_add_words(exchange, &said);
    }
    bool says = words != NULL && strstr(buf_text(&said), words) != NULL;

    buf_release(&said);
    return says;
}

/* A 404 without any words may be another's than the forum's. */
bool
forum_is_missing(const struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);

    return exchange->reply->status == 404
               ? forum->login == NULL ||
                     forum_get(exchange->value, forum->path.said) != NULL
               : forum_says(exchange, forum->missing);
}

enum advance
forum_refused(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    const struct forum_refusal *row = forum->refusals;
    struct outcome *out = exchange->out;
    struct buf said = BUF_INIT;
    int64_t wait = 0;

    if (is_success(exchange) && forum_is_guest(exchange)) {
        return refuse_guest(exchange);
    }
    forum_add_words(exchange, &said);
    (void)fail(exchange, &said);
    while (row->status != 0 &&
           !matches(row, exchange->reply->status, &said, &wait)) {
        row++;
    }
    out->refused = row->refused;
    out->err = row->err != ERR_NONE ? row->err : out->err;
    out->wait = wait > 0 ? wait : out->wait;
    buf_release(&said);
    heed_wait(exchange);
    if (forum->explain != NULL) {
        forum->explain(exchange);
    }
    return ADVANCE_FAILED;
}
