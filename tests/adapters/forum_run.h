/*
 * Operations run against a forum of the tests' own.
 */
#ifndef TESTS_FORUM_RUN_H
#define TESTS_FORUM_RUN_H

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"

/* A forum and the bot at it. */
struct site {
    struct service service;
    void *forum;
    void (*serve)(void *forum, int64_t now, const struct request *request,
                  struct buf *body, struct reply *reply);
    int64_t now;
    int64_t host_now; /* by the host's clock, in readings */
    const char *rung; /* what the doorbell rang for; NULL: nothing */
    int64_t since;    /* from when on it reads; 0: from no time */
    struct adapter_states states;
    unsigned requests; /* of the last operation */
    struct buf urls;   /* of its requests, a line each */
};

/* What came of an operation.  Release it. */
struct ran {
    enum advance advance;
    struct outcome out;
    struct buf why;
};

static inline void
ran_release(struct ran *ran)
{
    outcome_release(&ran->out);
    buf_release(&ran->why);
}

static inline void
site_keep_notes(struct site *site, const struct outcome *out)
{
    for (unsigned i = 0; i < out->states.count; i++) {
        const struct adapter_state *state = &out->states.list[i];

        ck_assert(adapter_states_set(&site->states, state->key, state->value));
    }
}

static inline struct ran
site_run(struct site *site, struct op op)
{
    const char **const texts[] = {&op.feed, &op.cursor, &op.place, &op.post,
                                  &op.user, &op.text,   &op.key};
    struct ran ran = {.out = {.err = ERR_NONE}};
    struct buf scratch = BUF_INIT;
    struct buf body = BUF_INIT;
    struct reply reply;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = *texts[i] == NULL ? "" : *texts[i];
    }
    op.states = site->states.list;
    op.state_count = site->states.count;
    buf_clear(&site->urls);
    site->requests = 0;
    ran.advance = site->service.adapter->advance(&site->service, &op, &scratch,
                                                 NULL, &ran.out, &ran.why);
    while (ran.advance == ADVANCE_REQUEST) {
        ck_assert_uint_lt(site->requests++, ADVANCES_MAX);
        buf_addf(&site->urls, "%s %s\n", ran.out.request.method,
                 buf_text(&ran.out.request.url));
        site->serve(site->forum, site->now, &ran.out.request, &body, &reply);
        request_clear(&ran.out.request);
        ran.advance = site->service.adapter->advance(
            &site->service, &op, &scratch, &reply, &ran.out, &ran.why);
    }
    if (ran.advance == ADVANCE_DONE) {
        site_keep_notes(site, &ran.out);
    }
    page_finish(&ran.out.page);
    buf_release(&scratch);
    buf_release(&body);
    return ran;
}

/* One that must be done. */
static inline struct ran
site_do(struct site *site, struct op op)
{
    struct ran ran = site_run(site, op);

    ck_assert_msg(ran.advance == ADVANCE_DONE, "operation %d: %s", (int)op.kind,
                  buf_text(&ran.why));
    return ran;
}

/* The same for its id alone, in `id`. */
static inline void
site_id(struct site *site, struct op op, char id[ADAPTER_ID_MAX + 1])
{
    struct ran ran = site_do(site, op);

    snprintf(id, ADAPTER_ID_MAX + 1, "%s", buf_text(&ran.out.id));
    ran_release(&ran);
}

/* Look for a message to the end, from one cursor to the next: its id. */
static inline void
site_find(struct site *site, struct op op, char id[ADAPTER_ID_MAX + 1])
{
    char cursor[ADAPTER_ID_MAX + 1] = "";

    do {
        op.cursor = cursor;
        struct ran ran = site_do(site, op);

        snprintf(id, ADAPTER_ID_MAX + 1, "%s", buf_text(&ran.out.id));
        snprintf(cursor, sizeof(cursor), "%s", buf_text(&ran.out.cursor));
        ran_release(&ran);
    } while (*cursor != '\0');
}

/* One that must fail so, with a sentence that has these words. */
static inline void
site_fail(struct site *site, struct op op, enum err err, const char *words)
{
    struct ran ran = site_run(site, op);

    ck_assert_msg(ran.advance == ADVANCE_FAILED && ran.out.err == err,
                  "operation %d: %d, %s", (int)op.kind, (int)ran.out.err,
                  buf_text(&ran.why));
    ck_assert_msg(strstr(buf_text(&ran.why), words) != NULL, "%s",
                  buf_text(&ran.why));
    ran_release(&ran);
}

static inline void
site_open(struct site *site, const char *adapter, const char *base,
          const char *password, void *forum,
          void (*serve)(void *forum, int64_t now, const struct request *request,
                        struct buf *body, struct reply *reply))
{
    memset(site, 0, sizeof(*site));
    site->service.adapter = adapter_find(adapter);
    site->forum = forum;
    site->serve = serve;
    site->now = INT64_C(1795276040000);
    snprintf(site->service.name, sizeof(site->service.name), "forum");
    snprintf(site->service.base, sizeof(site->service.base), "%s", base);
    snprintf(site->service.user, sizeof(site->service.user), "placard");
    site->service.password = password;
    struct ran who = site_do(site, (struct op){.kind = OP_WHO});

    snprintf(site->service.self, sizeof(site->service.self), "%s",
             buf_text(&who.out.id));
    site->service.member = who.out.member;
    ran_release(&who);
}

/* Read a feed on to its end; each post as "author: body" (a deleted one as
 * "- id") in a line of `seen`. */
static inline void
site_read(struct site *site, const char *feed, char cursor[ADAPTER_ID_MAX + 1],
          struct buf *seen)
{
    bool more = true;

    buf_clear(seen);
    for (int i = 0; more; i++) {
        ck_assert_int_lt(i, 100);
        struct ran ran = site_do(site, (struct op){.kind = OP_READ,
                                                   .feed = feed,
                                                   .cursor = cursor,
                                                   .post = site->rung,
                                                   .since = site->since,
                                                   .now = site->host_now});

        for (size_t n = 0; n < ran.out.page.count; n++) {
            const struct post *post = &ran.out.page.posts[n];

            if (post->kind == POST_DELETED) {
                buf_addf(seen, "- %s\n", post->id);
            } else {
                buf_addf(seen, "%s: %s%s%s%s\n", post->author, post->body,
                         post->edited != 0 ? " (edited)" : "",
                         post->machine ? " (machine)" : "",
                         post->pending ? " (pending)" : "");
            }
        }
        more = ran.out.more;
        ck_assert_uint_le(ran.out.cursor.len, ADAPTER_ID_MAX);
        snprintf(cursor, ADAPTER_ID_MAX + 1, "%s", buf_text(&ran.out.cursor));
        ran_release(&ran);
    }
}

/* Open the DM with a user. */
static inline void
site_dm(struct site *site, const char *user, char place[ADAPTER_ID_MAX + 1])
{
    site_id(site, (struct op){.kind = OP_DM, .user = user}, place);
}

/* A message in a DM. */
static inline struct op
message(const char *place, const char *user, const char *key)
{
    return (struct op){.kind = OP_SEND,
                       .place = place,
                       .user = user,
                       .dm = true,
                       .text = "You hold three cards.",
                       .key = key};
}

/* The number of who has written the newest post of a topic, which is new, and
 * in `name` that name. */
static inline int64_t
site_member(struct site *site, const char *feed,
            char cursor[ADAPTER_ID_MAX + 1], char name[ADAPTER_ID_MAX + 1])
{
    struct ran ran = site_do(
        site, (struct op){.kind = OP_READ, .feed = feed, .cursor = cursor});
    ck_assert_uint_gt(ran.out.page.count, 0);
    const struct post *post = &ran.out.page.posts[ran.out.page.count - 1];
    int64_t member = post->member;

    snprintf(name, ADAPTER_ID_MAX + 1, "%s", post->author);
    snprintf(cursor, ADAPTER_ID_MAX + 1, "%s", buf_text(&ran.out.cursor));
    ran_release(&ran);
    ck_assert_int_ne(member, 0);
    return member;
}

/* From now on each request is answered so. */
static int refused_status;
static const char *refused_body;

static inline void
refuse(void *forum, int64_t now, const struct request *request,
       struct buf *body, struct reply *reply)
{
    (void)forum;
    (void)request;
    (void)body;
    *reply = (struct reply){.status = refused_status,
                            .body = refused_body,
                            .len = strlen(refused_body),
                            .retry_after = -1,
                            .date = now};
}

static inline void
site_refuses(struct site *site, int status, const char *body)
{
    refused_status = status;
    refused_body = body;
    site->serve = refuse;
}

static inline unsigned
count_of(const struct buf *seen, const char *words)
{
    unsigned count = 0;

    for (const char *at = strstr(buf_text(seen), words); at != NULL;
         at = strstr(at + 1, words)) {
        count++;
    }
    return count;
}

#endif
