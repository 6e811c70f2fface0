/*
 * Operations of an adapter, run against recorded replies
 * (tests/fixtures/<name>), or against ones written by hand; and what holds
 * whatever a service answers.
 */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "bot/base/files.h"

enum {
    SCRIPT_MAX = 8 /* replies, at most */
};

/* The clock of the recordings stands here. */
#define SCRIPT_DATE INT64_C(1795276040000)

/* A reply: a recording, or a file of the fixtures (".json", unless it says
 * otherwise), or a body where that begins with a brace or a bracket, or is "".
 */
struct scripted_reply {
    const char *what;
    int status; /* 0: the recording's own, or 200; no reply at all where `what`
                   is NULL */
};

/* An operation on its way.  Release it. */
struct script {
    const struct service *service;
    struct op op;
    enum advance advance;
    struct buf scratch;
    struct outcome out;
    struct buf why;
    struct buf asked; /* "METHOD url body", a line each */
    bool leaky;       /* a URL led elsewhere, or had the password in it */
    bool timeless;    /* replies do not say what time it is */
};

/* Append a file of the fixtures, or what was answered in a recording of that
 * name; its status, or 0 where that is not told. */
static inline int
script_fixture(const struct service *service, const char *name,
               struct buf *body)
{
    const char *end = strchr(name, '.') == NULL ? ".json" : "";
    struct buf path = BUF_INIT;
    struct buf why = BUF_INIT;
    int status = 0;

    buf_addf(&path, "tests/fixtures/%s/recorded/%s.http",
             service->adapter->name, name);
    if (file_read(buf_text(&path), body, &why) == ERR_NONE) {
        static const char mark[] = "\n=== reply ";
        const char *reply = strstr(buf_text(body), mark);
        const char *head = reply == NULL ? NULL : strstr(reply, "\n\n");
        struct buf whole = BUF_INIT;

        if (head == NULL) {
            die("%s: no recording", buf_text(&path));
        }
        status = (int)strtol(reply + strlen(mark), NULL, 10);
        buf_add(&whole, head + 2,
                body->len - (size_t)(head + 2 - buf_text(body)));
        buf_clear(body);
        buf_add_buf(body, &whole);
        buf_release(&whole);
    } else {
        buf_clear(&path);
        buf_clear(&why);
        buf_addf(&path, "tests/fixtures/%s/%s%s", service->adapter->name, name,
                 end);
        if (file_read(buf_text(&path), body, &why) != ERR_NONE) {
            die("%s", buf_text(&why));
        }
    }
    buf_release(&path);
    buf_release(&why);
    return status;
}

static inline void
note_request(struct script *script)
{
    const struct request *request = &script->out.request;
    const char *base = script->service->base;
    const char *url = buf_text(&request->url);

    if (script->advance != ADVANCE_REQUEST) {
        return;
    }
    bool grants = script->op.kind == OP_WHO || script->op.kind == OP_GRANT;
    bool elsewhere = strncmp(url, base, strlen(base)) != 0;

    /* Accounts may be kept elsewhere, where the token is not to go. */
    script->leaky = script->leaky || strstr(url, "a%20secret%20word") != NULL ||
                    (elsewhere && (!grants || request->authorized ||
                                   strncmp(url, "https://", 8) != 0));
    buf_addf(&script->asked, "%s %s%s%s\n", request->method,
             url + (elsewhere ? 0 : strlen(base)),
             request->body.len > 0 ? " " : "", buf_text(&request->body));
}

/* Begin an operation: its first step. */
static inline void
script_begin(struct script *script, const struct service *service,
             const struct op *op)
{
    *script = (struct script){.service = service, .op = *op};
    script->advance =
        service->adapter->advance(service, &script->op, &script->scratch, NULL,
                                  &script->out, &script->why);
    note_request(script);
}

/* The next step, with a reply. */
static inline void
script_reply(struct script *script, int status, const char *body, size_t len)
{
    /* A copy without a NUL after it, so that a reader that goes too far is
     * caught. */
    char *copy = must_alloc(len + 1);

    memcpy(copy, body, len);
    copy = must_grow(copy, len == 0 ? 1 : len);
    struct reply reply = {
        .status = status,
        .body = status == 0 ? NULL : copy,
        .len = status == 0 ? 0 : len,
        .retry_after = -1,
        .date = status == 0 || script->timeless ? 0 : SCRIPT_DATE,
        .trouble = status == 0 ? "cut off" : NULL,
    };
    request_clear(&script->out.request);
    script->advance = script->service->adapter->advance(
        script->service, &script->op, &script->scratch, &reply, &script->out,
        &script->why);
    note_request(script);
    free(copy);
}

static inline void
script_answer(struct script *script, const struct scripted_reply *replies)
{
    struct buf body = BUF_INIT;
    int status = replies->status;

    if (replies->what != NULL) {
        if (*replies->what == '\0' || strchr("{[<", *replies->what) != NULL) {
            buf_add_text(&body, replies->what);
        } else {
            int told = script_fixture(script->service, replies->what, &body);

            status = status == 0 ? told : status;
        }
        status = status == 0 ? 200 : status;
    }
    script_reply(script, status, buf_text(&body), body.len);
    buf_release(&body);
}

/* Run an operation with the replies, as long as it asks and there are some. */
static inline void
script_run(struct script *script, const struct service *service,
           const struct op *op, const struct scripted_reply *replies,
           size_t count)
{
    script_begin(script, service, op);
    for (size_t i = 0; i < count && script->advance == ADVANCE_REQUEST; i++) {
        script_answer(script, &replies[i]);
    }
    page_finish(&script->out.page);
}

static inline void
script_release(struct script *script)
{
    outcome_release(&script->out);
    buf_release(&script->scratch);
    buf_release(&script->why);
    buf_release(&script->asked);
}

/* Put another value in the place of the one that begins at `at`. */
static inline void
script_swap_value(const struct buf *body, size_t at, const char *value,
                  struct buf *out)
{
    const char *text = buf_text(body);
    size_t end = at;

    if (text[at] == '"') {
        for (end++; text[end] != '"' && text[end] != '\0'; end++) {
        }
        end += text[end] == '"';
    } else {
        end += strspn(text + at, "0123456789.-aeflnrstu");
    }
    buf_clear(out);
    buf_add(out, text, at);
    buf_add_text(out, value);
    buf_add_text(out, text + end);
}

/* ---- what always holds --------------------------------------------------- */

static inline bool
id_is_sane(const char *id)
{
    size_t len = strlen(id);

    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)id[i] <= ' ' || id[i] == 0x7F) {
            return false;
        }
    }
    return len > 0 && len <= ADAPTER_ID_MAX;
}

static inline bool
post_is_sane(const struct script *script, const struct post *post)
{
    bool own = post->member > 0 && script->service->member > 0
                   ? post->member == script->service->member
                   : strcmp(post->author, script->service->self) == 0;
    bool nameless =
        *post->author == '\0' &&
        (post->kind == POST_DELETED || (post->kind == POST_LEFT && post->dm));

    return id_is_sane(post->id) && id_is_sane(post->place) &&
           (nameless || id_is_sane(post->author)) &&
           strlen(post->author_name) <= ADAPTER_ID_MAX && post->own == own &&
           post->body[post->body_len] == '\0' && post->stamp >= 0 &&
           post->edited >= -1 &&
           (*post->reply_to == '\0' || id_is_sane(post->reply_to));
}

static inline bool
done_is_sane(const struct script *script)
{
    const struct outcome *out = &script->out;
    bool named = script->op.kind != OP_READ && script->op.kind != OP_PROBE &&
                 script->op.kind != OP_FIND && script->op.kind != OP_EDIT &&
                 script->op.kind != OP_REACT && script->op.kind != OP_DELETE &&
                 script->op.kind != OP_PIN && script->op.kind != OP_LOCK &&
                 script->op.kind != OP_UPDATES &&
                 script->op.kind != OP_PLACES && script->op.kind != OP_GRANT &&
                 script->op.kind != OP_APPOINT && !out->unapproved;

    for (size_t i = 0; i < out->page.count; i++) {
        if (!post_is_sane(script, &out->page.posts[i])) {
            return false;
        }
    }
    return script->why.len == 0 && out->err == ERR_NONE &&
           (!named || id_is_sane(buf_text(&out->id)) ||
            (out->unapproved && out->id.len == 0)) &&
           out->cursor.len <= ADAPTER_ID_MAX &&
           (script->op.kind != OP_READ || out->cursor.len > 0);
}

static inline bool
failure_is_sane(const struct script *script)
{
    for (size_t i = 0; i < script->why.len; i++) {
        unsigned char byte = (unsigned char)script->why.data[i];

        if (byte < ' ' || byte == 0x7F) {
            return false;
        }
    }
    return script->out.err != ERR_NONE && script->why.len > 10 &&
           script->why.len < 1000 &&
           (script->out.err != ERR_LIMITED || script->out.wait > 0);
}

/* Is it as the interface says, however it ended? */
static inline bool
script_is_sane(const struct script *script)
{
    if (script->leaky || script->scratch.len > ADAPTER_SCRATCH_MAX) {
        return false;
    }
    switch (script->advance) {
    case ADVANCE_REQUEST:
        return script->out.request.url.len > 0;
    case ADVANCE_DONE:
        return done_is_sane(script);
    case ADVANCE_FAILED:
        return failure_is_sane(script);
    }
    return false;
}

#endif
