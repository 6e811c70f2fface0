/*
 * The steps of a job.  What comes next is remembered as the function that will
 * take the reply; the scratch, where it is kept, is never saved.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/json.h"

/* ---- memory -------------------------------------------------------------- */

/* Let it have that length at least; what is added is zeroed. */
static void
grow(struct buf *scratch, size_t len)
{
    if (scratch->len < len) {
        void *zeros = must_alloc(len - scratch->len);

        buf_add(scratch, zeros, len - scratch->len);
        free(zeros);
    }
}

void
forum_begin(struct exchange *exchange, const struct forum *forum)
{
    grow(exchange->scratch, sizeof(struct forum_job));
    forum_job(exchange)->forum = forum;
}

struct forum_job *
forum_job(const struct exchange *exchange)
{
    void *job = exchange->scratch->data;

    return job;
}

const struct forum *
forum_of(const struct exchange *exchange)
{
    return forum_job(exchange)->forum;
}

void *
forum_memory(const struct exchange *exchange, size_t size)
{
    grow(exchange->scratch, sizeof(struct forum_job) + size);
    return forum_job(exchange) + 1;
}

void
forum_begin_again(struct exchange *exchange)
{
    buf_truncate(exchange->scratch, sizeof(struct forum_job));
    forum_job(exchange)->next = NULL;
    exchange->reply = NULL;
}

/* ---- steps --------------------------------------------------------------- */

enum advance
forum_take(struct exchange *exchange)
{
    forum_step *next = forum_job(exchange)->next;

    return next != NULL ? next(exchange)
                        : exchange_take(exchange, forum_of(exchange)->ops);
}

/* ---- requests ------------------------------------------------------------ */

/* Where a value is written: in an address, in a string of JSON, in a header. */
enum writing {
    IN_ADDRESS,
    IN_JSON,
    IN_HEADER
};

static void
write_value(const char *value, enum writing writing, struct buf *out)
{
    struct buf json = BUF_INIT;

    switch (writing) {
    case IN_ADDRESS:
        url_add_part(out, value);
        return;
    case IN_JSON:
        jtext_string(&json, value);
        buf_add(out, json.data + 1, json.len - 2);
        buf_wipe(&json);
        return;
    case IN_HEADER:
        break;
    }
    buf_add_text(out, value);
}

static void
add_message(const struct exchange *exchange, struct buf *text)
{
    const struct forum *forum = forum_of(exchange);

    if (forum->write != NULL) {
        forum->write(exchange, text);
    } else {
        buf_add_text(text, exchange->op->text);
    }
    forum_add_mark(exchange->op, forum->mark.before, forum->mark.after, text);
}

/* The number of the operation's place; "0", which nothing has: it is none. */
static const char *
topic_of(const struct op *op)
{
    bool dm;
    const char *number =
        op->place == NULL ? NULL : forum_number_of(op->place, &dm);

    return number == NULL ? "0" : number;
}

/* The text of a place; `made` owns it if it had to be made. */
static const char *
value_of(const struct exchange *exchange, const struct forum_values *values,
         const char *place, size_t len, struct buf *made)
{
    const struct op *op = exchange->op;
    const struct {
        const char *place, *value;
    } texts[] = {
        {"topic", values->topic != NULL ? values->topic : topic_of(op)},
        {"user", values->user != NULL ? values->user : op->user},
        {"account", exchange->service->user},
        {"post", op->post},
        {"title", op->text},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strlen(texts[i].place) == len &&
            strncmp(texts[i].place, place, len) == 0) {
            return texts[i].value;
        }
    }
    if (strncmp(place, "text", len) == 0) {
        add_message(exchange, made);
    } else {
        assert(strncmp(place, "number", len) == 0);
        buf_add_number(made, values->number);
    }
    return buf_text(made);
}

/* Append a form with its places filled in. */
static void
fill(const struct exchange *exchange, const char *form,
     const struct forum_values *values, enum writing writing, struct buf *out)
{
    while (*form != '\0') {
        size_t len = strspn(form + 1, "abcdefghijklmnopqrstuvwxyz");
        struct buf made = BUF_INIT;

        if (*form == '{' && len > 0) {
            write_value(value_of(exchange, values, form + 1, len, &made),
                        writing, out);
            form += len + 2;
        } else if (writing == IN_ADDRESS && *form == '[') {
            form += values->number == 0 ? strcspn(form, "]") : 1;
        } else {
            bool bracket = writing == IN_ADDRESS && *form == ']';

            buf_add(out, form, bracket ? 0 : 1);
            form++;
        }
        buf_wipe(&made);
    }
}

/* The page of a session: its cookies stand for a token. */
static void
ask_inside(struct exchange *exchange, const struct forum_endpoint *endpoint)
{
    struct request *request = &exchange->out->request;
    struct forum_session *session = &forum_job(exchange)->session;

    request->authorized = false;
    if (session->cookies[0] != '\0') {
        buf_addf(&request->headers, "Cookie: %s\n", session->cookies);
    }
    session->anybody = endpoint->anybody;
}

enum advance
forum_ask_for(struct exchange *exchange, const struct forum_endpoint *endpoint,
              struct forum_values values, forum_step *next)
{
    static const char type[] = "application/json";
    const struct forum *forum = forum_of(exchange);
    struct request *request = &exchange->out->request;

    ask(exchange, endpoint->method, "");
    fill(exchange, endpoint->path, &values, IN_ADDRESS, &request->url);
    if (forum->headers != NULL) {
        fill(exchange, forum->headers, &values, IN_HEADER, &request->headers);
    }
    if (forum->login != NULL) {
        ask_inside(exchange, endpoint);
    }
    if (endpoint->body != NULL) {
        fill(exchange, endpoint->body, &values, IN_JSON, &request->body);
        memcpy(request->type, type, sizeof(type));
    }
    if (endpoint->route != NULL) {
        ask_route(exchange, endpoint->route);
    }
    request->apart = endpoint->apart;
    request->urgent = endpoint->urgent;
    forum_job(exchange)->next = next;
    return ADVANCE_REQUEST;
}

enum advance
forum_ask(struct exchange *exchange, const struct forum_endpoint *endpoint,
          forum_step *next)
{
    return forum_ask_for(exchange, endpoint, (struct forum_values){0}, next);
}

enum advance
forum_send_form(struct exchange *exchange,
                const struct forum_endpoint *endpoint,
                struct forum_values values, struct buf *fields,
                forum_step *next)
{
    static const char type[] = "application/x-www-form-urlencoded";
    struct request *request = &exchange->out->request;
    enum advance advance = forum_ask_for(exchange, endpoint, values, next);

    memcpy(request->type, type, sizeof(type));
    buf_add_buf(&request->body, fields);
    buf_wipe(fields);
    return advance;
}
