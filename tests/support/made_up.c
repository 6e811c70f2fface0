#include "tests/support/made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/markup/bbcode.h"

/* Begin a request with its parts after the question mark. */
static enum turn
ask(const struct service *service, struct outcome *out, const char *method,
    const char *path, const char *part, const char *more)
{
    struct request *request = &out->request;

    snprintf(request->method, sizeof(request->method), "%s", method);
    snprintf(request->route, sizeof(request->route), "%s %s", method, path);
    buf_addf(&request->url, "%s/%s", service->base, path);
    if (part != NULL) {
        buf_add_char(&request->url, '?');
        url_add_part(&request->url, part);
    }
    if (more != NULL) {
        buf_add_char(&request->url, '&');
        url_add_part(&request->url, more);
    }
    request->authorized = true;
    return TURN_REQUEST;
}

static enum turn
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

/* ---- errands ------------------------------------------------------------- */

static enum turn
log_in(const struct service *service, struct outcome *out)
{
    ask(service, out, "POST", "login", NULL, NULL);
    buf_addf(&out->request.body, "%s\n%s", service->user, service->password);
    out->request.authorized = false;
    out->request.login = true;
    return TURN_REQUEST;
}

static bool
has_token(const struct errand *errand)
{
    for (unsigned i = 0; i < errand->note_count; i++) {
        if (strcmp(errand->notes[i].key, "secret.token") == 0) {
            return true;
        }
    }
    return false;
}

static enum turn
who(const struct service *service, const struct errand *errand,
    struct buf *work, const struct reply *reply, struct outcome *out,
    struct buf *why)
{
    bool may_log_in = service->password != NULL && work->len == 0;

    if (reply == NULL && (!may_log_in || has_token(errand))) {
        return ask(service, out, "GET", "who", NULL, NULL);
    }
    if (may_log_in && (reply == NULL || reply->status == 401)) {
        buf_add_text(work, "logging in");
        return log_in(service, out);
    }
    if (reply->status != 200) {
        enum turn turn = refused(service, reply, out, why);

        if (strstr(reply->body, "captcha") != NULL) {
            out->refused = REFUSED_LOGIN;
        }
        return turn;
    }
    if (work->len > 0) {
        snprintf(out->notes[0].key, sizeof(out->notes[0].key), "secret.token");
        snprintf(out->notes[0].value, sizeof(out->notes[0].value), "%s",
                 reply->body);
        out->note_count = 1;
        buf_add_text(&out->id, service->user);
    } else {
        buf_add(&out->id, reply->body, reply->len);
    }
    return TURN_DONE;
}

static enum turn
take_page(const char *body, struct outcome *out)
{
    char line[1024];

    if (!next_line(&body, line, sizeof(line))) {
        return TURN_DONE;
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
    return TURN_DONE;
}

static enum turn
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
    return TURN_DONE;
}

/* An id, and behind a blank the name that is shown. */
static void
take_user(const char *body, struct outcome *out)
{
    size_t len = strcspn(body, " ");

    buf_add(&out->id, body, len);
    buf_add_text(&out->shown, body + len + (body[len] == ' '));
}

static enum turn
begin(const struct service *service, const struct errand *errand,
      struct outcome *out, struct buf *why)
{
    enum turn turn = TURN_REQUEST;

    switch (errand->kind) {
    case ERRAND_PLACE:
        return ask(service, out, "GET", "place", errand->text, NULL);
    case ERRAND_READ:
        turn = ask(service, out, "GET", "feed", errand->cursor, NULL);
        out->request.long_poll = true;
        return turn;
    case ERRAND_SEND:
        turn = ask(service, out, "POST", "posts", errand->place, errand->key);
        buf_add_text(&out->request.body, errand->text);
        out->request.urgent = true;
        snprintf(out->request.type, sizeof(out->request.type), "text/plain");
        return turn;
    case ERRAND_FIND:
        return ask(service, out, "GET", "find", errand->key, NULL);
    case ERRAND_TALK:
        return ask(service, out, "POST", "talks", errand->user, NULL);
    case ERRAND_PROBE:
        return ask(service, out, "GET", "probe", errand->place, NULL);
    case ERRAND_USER:
        return ask(service, out, "GET", "user", errand->text, NULL);
    case ERRAND_WHO:
    case ERRAND_EDIT:
    case ERRAND_OPEN:
    case ERRAND_REACT:
    case ERRAND_DELETE:
    case ERRAND_PIN:
    case ERRAND_NEWS:
    case ERRAND_LOCK:
        break;
    }
    return outcome_fail(out, why, ERR_CONFIG, "%s: no pigeon does that",
                        service->name);
}

static enum turn
pigeon_turn(const struct service *service, const struct errand *errand,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    if (errand->kind == ERRAND_WHO) {
        return who(service, errand, work, reply, out, why);
    }
    if (reply == NULL) {
        return begin(service, errand, out, why);
    }
    if (reply->status != 200) {
        return refused(service, reply, out, why);
    }
    if (reply->len > 0 && reply->body[0] == '<') {
        return outcome_fail(out, why, ERR_GARBLED, "%s: that is HTML",
                            service->name);
    }
    if (errand->kind == ERRAND_READ) {
        return take_page(reply->body, out);
    }
    if (errand->kind == ERRAND_PROBE) {
        return take_probe(reply->body, out);
    }
    if (errand->kind == ERRAND_USER) {
        take_user(reply->body, out);
        return TURN_DONE;
    }
    buf_add(&out->id, reply->body, reply->len);
    return TURN_DONE;
}

static void
pigeon_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "all");
}

const struct adapter adapter_pigeon = {
    .name = "pigeon",
    .dialect = &dialect_board,
    .traits = {.longest = 5000, .shortest = 2, .margin = 2000, .finds = true},
    .token_header = "Authorization: Pigeon %s",
    .turn = pigeon_turn,
    .feed = pigeon_feed,
};

const struct adapter adapter_dove = {
    .name = "dove",
    .dialect = &dialect_board,
    .traits = {.longest = 5000, .shortest = 2, .margin = 2000, .finds = true},
    .turn = pigeon_turn,
    .feed = pigeon_feed,
};
