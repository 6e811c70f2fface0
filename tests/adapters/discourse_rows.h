/*
 * What a real Discourse answered (tests/fixtures/discourse/recorded), read by
 * the adapter in the operations in which it occurs.
 */
#ifndef TESTS_DISCOURSE_ROWS_H
#define TESTS_DISCOURSE_ROWS_H

#include <string.h>

#include <check.h>

#include "adapters/forum/forum.h"
#include "tests/adapters/script.h"
#include "tests/support/recordings.h"

enum {
    REPLIES_MAX = 6
};

enum who {
    HOST,   /* placard, a moderator */
    MEMBER, /* plain, of trust level 1 */
    NEWCOMER
};

enum where {
    TOPIC,
    DM,
    PICTURE, /* a post in the topic with one */
    QUEUE    /* a post that waits for approval */
};

static const struct service services[] = {
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "placard",
     .self = "placard"},
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "plain",
     .self = "plain"},
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "newbie",
     .self = "newbie"},
};

static const unsigned char png[] = {0x89, 'P', 'N', 'G'};

/* An operation with the recordings that answer it, and what comes of it: its
 * id, or words of what it says; how many posts. */
struct row {
    enum who who;
    enum op_kind kind;
    enum where where;
    const char *replies[REPLIES_MAX];
    enum err err; /* ERR_NONE: it is done */
    enum refused refused;
    const char *words;
    size_t posts;
};

static const struct row rows[] = {
#include "tests/adapters/discourse_rows.inc"
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0])
};

/* The feeds are read from the first post on, and from a minute before the first
 * private message on. */
static inline struct op
op_of(const struct row *row)
{
    bool dm = row->where == DM;
    struct op op = {
        .kind = row->kind,
        .feed = dm ? FORUM_INBOX : "5",
        .cursor = dm ? "1795369400000.1795369400000"
                     : "0.5:5,16,17,18,21,22,23,24,25",
        .place = dm ? "pm6" : "5",
        .post = row->where == QUEUE ? "pending-40" : "16",
        .user = "anna",
        .text = row->kind == OP_PLACE  ? "5"
                : row->kind == OP_OPEN ? "Secret Hitler, table 9"
                                       : "Round 2 begins.",
        .key = "1.31",
        .since = row->kind == OP_READ && !dm ? 1 : 0,
        .dm = dm,
    };

    if (row->where == PICTURE) {
        op.picture =
            (struct picture){png, sizeof(png), 720, 944, "The board.", NULL};
    }
    return op;
}

static inline const struct recordings *
recorded(void)
{
    return recordings_of("discourse");
}

static inline size_t
count_replies(const struct row *row)
{
    size_t count = 0;

    while (count < REPLIES_MAX && row->replies[count] != NULL) {
        count++;
    }
    return count;
}

static inline void
begin(struct script *script, const struct row *row)
{
    struct op op = op_of(row);

    script_begin(script, &services[row->who], &op);
}

/* The next step, with a recording or with another body in its place. */
static inline void
hear(struct script *script, const char *name, const struct buf *body)
{
    struct reply reply = recording_reply(recordings_named(recorded(), name));

    if (body != NULL) {
        reply.body = buf_text(body);
        reply.len = body->len;
    }
    request_clear(&script->out.request);
    script->advance = script->service->adapter->advance(
        script->service, &script->op, &script->scratch, &reply, &script->out,
        &script->why);
    note_request(script);
}

/* All of them; in the nth another body, where there is one. */
static inline void
run(struct script *script, const struct row *row, size_t nth,
    const struct buf *body)
{
    size_t count = count_replies(row);

    begin(script, row);
    for (size_t i = 0; i < count && script->advance == ADVANCE_REQUEST; i++) {
        hear(script, row->replies[i], i == nth ? body : NULL);
    }
    page_finish(&script->out.page);
}

static inline const struct row *
row_of(const char *first)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].replies[0], first) == 0) {
            return &rows[i];
        }
    }
    ck_abort_msg("no row begins with %s", first);
}

#endif
