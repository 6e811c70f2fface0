#include "tests/support/made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/markup/bbcode.h"

/* Begin a request with its parts after the question mark.  Newer releases of
 * libcurl leave that out where nothing follows. */
static enum advance
ask(const struct service *service, struct outcome *out, const char *method,
    const char *path, const char *part, const char *more)
{
    struct request *request = &out->request;

    snprintf(request->method, sizeof(request->method), "%s", method);
    snprintf(request->route, sizeof(request->route), "%s %s", method, path);
    buf_addf(&request->url, "%s/%s", service->base, path);
    if (part != NULL && part[0] != '\0') {
        buf_add_char(&request->url, '?');
        url_add_part(&request->url, part);
    }
    if (more != NULL) {
        buf_add_char(&request->url, '&');
        url_add_part(&request->url, more);
    }
    request->authorized = true;
    return ADVANCE_REQUEST;
}

static enum advance
refused(const struct service *service, const struct reply *reply,
        struct outcome *out, struct buf *why)
{
    return outcome_refused(service, reply, reply->body, out, why);
}

/* The next line of a text, at most `size` bytes with its NUL; false: none. */
static bool
next_line(const char **at, char *line, size_t size)
{
    size_t len = strcspn(*at, "\n");

    if ((*at)[len] == '\0' && len == 0) {
        return false;
    }
    snprintf(line, size, "%.*s", (int)len, *at);
    *at += len + ((*at)[len] == '\n');
    return true;
}

/* ---- operations ---------------------------------------------------------- */

static enum advance
log_in(const struct service *service, struct outcome *out)
{
    ask(service, out, "POST", "login", NULL, NULL);
    buf_addf(&out->request.body, "%s\n%s", service->user, service->password);
    out->request.authorized = false;
    out->request.login = true;
    return ADVANCE_REQUEST;
}

static bool
has_token(const struct op *op)
{
    return *adapter_states_find(op->states, op->state_count, "secret.token") !=
           '\0';
}

static enum advance
who(const struct service *service, const struct op *op, struct buf *scratch,
    const struct reply *reply, struct outcome *out, struct buf *why)
{
    bool may_log_in = service->password != NULL && scratch->len == 0;

    if (reply == NULL && (!may_log_in || has_token(op))) {
        return ask(service, out, "GET", "who", NULL, NULL);
    }
    if (may_log_in && (reply == NULL || reply->status == 401)) {
        buf_add_text(scratch, "logging in");
        return log_in(service, out);
    }
    if (reply->status != 200) {
        enum advance advance = refused(service, reply, out, why);

        if (strstr(reply->body, "captcha") != NULL) {
            out->refused = REFUSED_LOGIN;
        }
        return advance;
    }
    if (scratch->len > 0) {
        (void)adapter_states_set(&out->states, "secret.token", reply->body);
        buf_add_text(&out->id, service->user);
    } else {
        buf_add(&out->id, reply->body, reply->len);
    }
    return ADVANCE_DONE;
}

static enum advance
take_page(const char *body, struct outcome *out)
{
    char line[1024];

    if (!next_line(&body, line, sizeof(line))) {
        return ADVANCE_DONE;
    }
    buf_add_text(&out->cursor, line);
    if (next_line(&body, line, sizeof(line))) {
        out->through = strtoll(line, NULL, 10);
    }
    while (next_line(&body, line, sizeof(line))) {
        struct post *post = page_add(&out->page);
        char *rest = line;
        post->id = must_copy(strtok_r(rest, " ", &rest));
        post->place = must_copy(strtok_r(rest, " ", &rest));
        post->author = must_copy(strtok_r(rest, " ", &rest));
        post->author_name = must_copy(post->author);
        post->stamp = strtoll(strtok_r(rest, " ", &rest), NULL, 10);
        post->body = must_copy(rest);
        post->body_len = strlen(rest);
    }
    return ADVANCE_DONE;
}

static enum advance
take_probe(const char *body, struct outcome *out)
{
    char line[1024];

    if (next_line(&body, line, sizeof(line))) {
        out->rights = (unsigned)strtoul(line, NULL, 10);
    }
    if (next_line(&body, line, sizeof(line))) {
        out->shortest = strtoul(line, NULL, 10);
    }
    if (next_line(&body, line, sizeof(line))) {
        out->longest = strtoul(line, NULL, 10);
    }
    buf_add_text(&out->advice, body);
    return ADVANCE_DONE;
}

/* An id, and behind a blank the name that is shown. */
static void
take_user(const char *body, struct outcome *out)
{
    size_t len = strcspn(body, " ");

    buf_add(&out->id, body, len);
    buf_add_text(&out->shown, body + len + (body[len] == ' '));
}

static enum advance
begin(const struct service *service, const struct op *op, struct outcome *out,
      struct buf *why)
{
    enum advance advance = ADVANCE_REQUEST;

    switch (op->kind) {
    case OP_PLACE:
        return ask(service, out, "GET", "place", op->text, NULL);
    case OP_READ:
        advance = ask(service, out, "GET", "feed", op->cursor, NULL);
        out->request.long_poll = true;
        return advance;
    case OP_SEND:
        advance = ask(service, out, "POST", "posts", op->place, op->key);
        buf_add_text(&out->request.body, op->text);
        out->request.urgent = true;
        snprintf(out->request.type, sizeof(out->request.type), "text/plain");
        return advance;
    case OP_FIND:
        return ask(service, out, "GET", "find", op->key, NULL);
    case OP_DM:
        return ask(service, out, "POST", "talks", op->user, NULL);
    case OP_PROBE:
        return ask(service, out, "GET", "probe", op->place, NULL);
    case OP_USER:
        return ask(service, out, "GET", "user", op->text, NULL);
    case OP_WHO:
    case OP_EDIT:
    case OP_OPEN:
    case OP_REACT:
    case OP_DELETE:
    case OP_PIN:
    case OP_UPDATES:
    case OP_LOCK:
    case OP_BELL:
    case OP_ACKNOWLEDGE:
    case OP_REPLY:
    case OP_SUGGEST:
    case OP_COMMANDS:
    case OP_PLACES:
    case OP_SITE:
    case OP_MAKE:
    case OP_APPOINT:
    case OP_GRANT:
    case OP_INVITE:
    case OP_ROLES:
        break;
    }
    return outcome_fail(out, why, ERR_CONFIG, "%s: it does not do that",
                        service->name);
}

static enum advance
made_up_advance(const struct service *service, const struct op *op,
                struct buf *scratch, const struct reply *reply,
                struct outcome *out, struct buf *why)
{
    if (op->kind == OP_WHO) {
        return who(service, op, scratch, reply, out, why);
    }
    if (reply == NULL) {
        return begin(service, op, out, why);
    }
    if (reply->status != 200) {
        return refused(service, reply, out, why);
    }
    if (reply->len > 0 && reply->body[0] == '<') {
        return outcome_fail(out, why, ERR_GARBLED, "%s: that is HTML",
                            service->name);
    }
    if (op->kind == OP_READ) {
        return take_page(reply->body, out);
    }
    if (op->kind == OP_PROBE) {
        return take_probe(reply->body, out);
    }
    if (op->kind == OP_USER) {
        take_user(reply->body, out);
        return ADVANCE_DONE;
    }
    buf_add(&out->id, reply->body, reply->len);
    out->found = out->id.len > 0 ? FOUND_IT : FOUND_NOTHING;
    return ADVANCE_DONE;
}

static void
made_up_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "all");
}

const struct adapter adapter_made_up = {
    .name = "made_up",
    .dialect = &dialect_board,
    .capabilities = {.longest = 5000,
                     .shortest = 2,
                     .margin = 2000,
                     .finds = true},
    .token_header = "Authorization: Key %s",
    .advance = made_up_advance,
    .feed = made_up_feed,
};

const struct adapter adapter_made_up_session = {
    .name = "made_up_session",
    .dialect = &dialect_board,
    .capabilities = {.longest = 5000,
                     .shortest = 2,
                     .margin = 2000,
                     .finds = true},
    .advance = made_up_advance,
    .feed = made_up_feed,
};
