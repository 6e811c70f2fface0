/*
 * The steps of a job.  What comes next is remembered as the function that will
 * take the reply.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/json.h"

/* ---- steps --------------------------------------------------------------- */

enum advance
forum_take(struct exchange *exchange)
{
    forum_step *next = forum_job(exchange)->next;

    return next != NULL ? next(exchange)
                        : exchange_take(exchange, forum_of(exchange)->ops);
}

/* ---- requests ------------------------------------------------------------ */

enum {
    FORMS_MAX = 3, /* sent for one post */
    WORD_MAX = 31  /* bytes of a place's word */
};

/* Where a value is written: in an address, in a form, in a string of JSON, in a
 * header. */
enum writing {
    IN_ADDRESS,
    IN_FORM,
    IN_JSON,
    IN_HEADER
};

static void
write_value(const char *value, enum writing writing, struct buf *out)
{
    struct buf json = BUF_INIT;

    switch (writing) {
    case IN_ADDRESS:
    case IN_FORM:
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
        {"password", exchange->service->password},
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
    } else if (strncmp(place, "about", len) == 0) {
        forum_add_subject(op, made);
    } else if (strncmp(place, "number", len) == 0) {
        buf_add_number(made, values->number);
    } else {
        char name[WORD_MAX + 1];

        (void)snprintf(name, sizeof(name), "%.*s", (int)len, place);
        const char *text = forum_text(exchange->value, name);

        buf_add_text(made, text == NULL ? "" : text);
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
    request->login = session->enters;
}

static void
ask_path(struct exchange *exchange, const struct forum_endpoint *endpoint,
         const char *method, const char *path,
         const struct forum_values *values)
{
    const struct forum *forum = forum_of(exchange);
    struct request *request = &exchange->out->request;

    ask(exchange, method, "");
    fill(exchange, path, values, IN_ADDRESS, &request->url);
    if (forum->headers != NULL) {
        fill(exchange, forum->headers, values, IN_HEADER, &request->headers);
    }
    if (forum->login != NULL) {
        ask_inside(exchange, endpoint);
    }
    if (endpoint->route != NULL) {
        ask_route(exchange, endpoint->route);
    }
    request->apart = endpoint->apart;
    request->urgent = endpoint->urgent;
}

static forum_step parse_submitted;

/* Send the form on the page in the reply. */
static enum advance
submit(struct exchange *exchange)
{
    static const char type[] = "application/x-www-form-urlencoded";
    struct forum_sending *sending = &forum_job(exchange)->sending;
    const struct forum_endpoint *endpoint = sending->endpoint;
    struct html_span page = {exchange->reply->body, exchange->reply->len};
    struct forum_values values = {.number = sending->number};
    struct request *request = &exchange->out->request;
    struct html_span form;

    if (exchange->reply->status != 200 ||
        !page_find_form(page, endpoint->form, &form)) {
        /* What is not there need not be deleted. */
        return exchange->op->kind == OP_DELETE && forum_is_missing(exchange)
                   ? ADVANCE_DONE
                   : forum_refused(exchange);
    }
    sending->tries++;
    ask_path(exchange, endpoint, endpoint->method, endpoint->path, &values);
    page_add_hidden(form, endpoint->own, &request->body);
    if (request->body.len > 0) {
        buf_add_char(&request->body, '&');
    }
    fill(exchange, endpoint->body, &values, IN_FORM, &request->body);
    memcpy(request->type, type, sizeof(type));
    forum_job(exchange)->next = parse_submitted;
    return ADVANCE_REQUEST;
}

static enum advance
parse_submitted(struct exchange *exchange)
{
    const struct forum_sending *sending = &forum_job(exchange)->sending;

    return sending->tries < FORMS_MAX && !forum_job(exchange)->session.enters &&
                   forum_says(exchange, forum_of(exchange)->stale)
               ? submit(exchange)
               : sending->next(exchange);
}

static enum advance
ask_form(struct exchange *exchange, const struct forum_endpoint *endpoint,
         const struct forum_values *values, forum_step *next)
{
    forum_job(exchange)->sending = (struct forum_sending){
        .endpoint = endpoint, .number = values->number, .next = next};
    if (endpoint->page == NULL) {
        return submit(exchange);
    }
    ask_path(exchange, endpoint, "GET", endpoint->page, values);
    forum_job(exchange)->next = submit;
    return ADVANCE_REQUEST;
}

enum advance
forum_ask_for(struct exchange *exchange, const struct forum_endpoint *endpoint,
              struct forum_values values, forum_step *next)
{
    static const char type[] = "application/json";
    struct request *request = &exchange->out->request;

    if (endpoint->form != NULL) {
        return ask_form(exchange, endpoint, &values, next);
    }
    ask_path(exchange, endpoint, endpoint->method, endpoint->path, &values);
    if (endpoint->body != NULL) {
        fill(exchange, endpoint->body, &values, IN_JSON, &request->body);
        memcpy(request->type, type, sizeof(type));
    }
    forum_job(exchange)->next = next;
    return ADVANCE_REQUEST;
}

enum advance
forum_ask(struct exchange *exchange, const struct forum_endpoint *endpoint,
          forum_step *next)
{
    return forum_ask_for(exchange, endpoint, (struct forum_values){0}, next);
}
