/*
 * The NodeBB adapter and what a NodeBB 4.11.2 was seen to answer: each
 * recording of tests/fixtures/nodebb, what it says, and what becomes of it when
 * it is cut, or says something else.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/forum/forum.h"
#include "bot/base/json.h"
#include "tests/adapters/script.h"
#include "tests/support/effort.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    REPLIES_MAX = 7,
    ONE_IN = 10 /* members is changed */
};

static const struct service service = {.adapter = &adapter_nodebb,
                                       .name = "forum",
                                       .base = "http://forum.example",
                                       .self = "placard",
                                       .member = 2};

/* Topic 2, chat 1 with Anna (4), post 9 of the host, and one that waits for
 * approval. */
enum where {
    TOPIC,
    DM,
    QUEUE
};

static struct op
op_of(enum op_kind kind, enum where where)
{
    bool dm = where == DM;

    return (struct op){
        .kind = kind,
        .feed = dm ? FORUM_INBOX : "2",
        .cursor = kind == OP_FIND ? ""
                  : dm            ? "1.1"
                                  : "0.1.1.0.0",
        .place = dm ? "pm1" : "2",
        .post = where == QUEUE ? "reply-1795392817909" : "9",
        .user = "anna",
        .text = kind == OP_PLACE  ? "2"
                : kind == OP_USER ? "7"
                                  : "Round 2 begins.",
        .key = "a1b2.31",
        .dm = dm,
        .now = SCRIPT_DATE,
    };
}

/* An operation with the recordings that answer it, and what comes of it. */
static const struct row {
    enum op_kind kind;
    enum where where;
    const char *replies[REPLIES_MAX];
    enum advance advance;
    enum err err;
    enum refused refused;
    const char *words; /* of its id, its rights, or of what it says */
    size_t posts;
} rows[] = {
#include "tests/adapters/nodebb_rows.inc"
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0])
};

static size_t
count_replies(const struct row *row)
{
    size_t count = 0;

    while (count < REPLIES_MAX && row->replies[count] != NULL) {
        count++;
    }
    return count;
}

static const struct recording *
reply_of(const struct row *row, size_t at)
{
    return recordings_named(recordings_of("nodebb"), row->replies[at]);
}

static void
hear(struct script *script, const struct recording *recording)
{
    script_reply(script, recording->status, buf_text(&recording->body),
                 recording->body.len);
}

/* Run a row, as far as `count` replies. */
static void
run(const struct row *row, size_t count, struct script *script)
{
    struct op op = op_of(row->kind, row->where);

    script_begin(script, &service, &op);
    for (size_t i = 0; i < count && script->advance == ADVANCE_REQUEST; i++) {
        hear(script, reply_of(row, i));
    }
}

/* What a row came to, in words. */
static const char *
result_of(const struct script *script)
{
    static char words[600];
    const struct outcome *out = &script->out;

    snprintf(words, sizeof(words), "%s%s%s%s rights %u limits %s advice %s",
             buf_text(&script->why), buf_text(&out->id),
             out->unapproved ? "queued" : "",
             *script->op.post != '\0' && out->found == FOUND_NOTHING
                 ? "rejected"
                 : "",
             out->rights, buf_text(&out->limits), buf_text(&out->advice));
    return words;
}

START_TEST(each_recording_is_understood)
{
    const struct row *row = &rows[_i];
    struct script script;

    run(row, count_replies(row), &script);
    page_finish(&script.out.page);
    const char *result = result_of(&script);
    const char *name = row->replies[count_replies(row) - 1];

    ck_assert_msg(script.advance == row->advance && script.out.err == row->err,
                  "%s: turn %d, error %d: %s; asked:\n%s", name,
                  (int)script.advance, (int)script.out.err, result,
                  buf_text(&script.asked));
    ck_assert_msg(script.out.refused == row->refused, "%s: refused %d: %s",
                  name, (int)script.out.refused, result);
    ck_assert_msg(strstr(result, row->words) != NULL, "%s: %s", name, result);
    ck_assert_msg(script.out.page.count == row->posts, "%s: %zu posts", name,
                  script.out.page.count);
    ck_assert(script_is_sane(&script));
    script_release(&script);
}
END_TEST

START_TEST(no_recording_is_left_out)
{
    const struct recordings *recordings = recordings_of("nodebb");

    for (size_t i = 0; i < recordings_count(recordings); i++) {
        const char *name = recordings_at(recordings, i)->name;
        bool read = false;

        for (size_t n = 0; n < ROWS && !read; n++) {
            for (size_t at = 0; at < count_replies(&rows[n]) && !read; at++) {
                read = strcmp(rows[n].replies[at], name) == 0;
            }
        }
        ck_assert_msg(read, "no row reads %s", name);
    }
}
END_TEST

/* ---- what stands in them ------------------------------------------------- */

static const struct row page_row = {
    OP_READ, TOPIC, {"topic", "page", "page_position"}, 0, 0, 0, "", 0};

START_TEST(people_are_told_from_who_is_gone_and_from_who_is_elsewhere)
{
    static const struct {
        const char *author, *body;
        bool own, machine, edited;
        int64_t member; /* 0: any */
    } expected[] = {
        {"mo", "Here we play", false, false, false, 3},
        {"anna", "!join", false, false, false, 4},
        {"ben", "<strong>Ja!</strong> with all my heart", false, false, false,
         0},
        {"uid:10", "I am gone soon", false, false, false, 10},
        {"emil", "<strong>Ja!</strong>", false, false, true, 0},
        {"dora", "<strong>Ja!</strong>", false, false, false, 0}, /* deleted */
        {"fay", "@<bdi>ben</bdi>", false, false, false, 0},
        {"mo", "/post/4", false, false, false, 0},
        {"placard", "Round 2 begins.", true, false, false, 0},
    };
    struct script script;

    run(&page_row, 3, &script);
    page_finish(&script.out.page);
    ck_assert_msg(script.advance == ADVANCE_DONE, "%s", buf_text(&script.why));
    ck_assert_uint_eq(script.out.page.count,
                      sizeof(expected) / sizeof(expected[0]));
    for (size_t i = 0; i < script.out.page.count; i++) {
        const struct post *post = &script.out.page.posts[i];

        ck_assert_str_eq(post->author, expected[i].author);
        ck_assert(expected[i].member == 0 ||
                  expected[i].member == post->member);
        ck_assert_msg(strstr(post->body, expected[i].body) != NULL, "%s",
                      post->body);
        ck_assert(post->own == expected[i].own);
        ck_assert(post->machine == expected[i].machine);
        ck_assert_int_eq(post->edited > 0, expected[i].edited);
        ck_assert_int_eq(post->kind, POST_WRITTEN);
    }
    ck_assert_str_eq(script.out.page.posts[6].reply_to, "4");
    script_release(&script);
}
END_TEST

static const struct row recent_row = {OP_UPDATES, TOPIC, {"recent"}, 0,
                                      0,          0,     "",         0};

static const struct update *
find_update(const struct outcome *out, const char *feed)
{
    for (size_t i = 0; i < out->news_count; i++) {
        if (strcmp(out->updates[i].feed, feed) == 0) {
            return &out->updates[i];
        }
    }
    return NULL;
}

/* Of 29 topics 20 are on the page, the last of them last posted in at REST; of
 * the others their numbers are. */
/* Anna (4) may be called anything. */
START_TEST(a_chat_is_with_a_number)
{
    static const struct {
        int64_t member;
        enum advance advance;
    } cases[] = {{4, ADVANCE_DONE}, {5, ADVANCE_FAILED}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct op send = op_of(OP_SEND, DM);
        struct op dm = op_of(OP_DM, DM);
        struct script script;

        send.user = "bea";
        send.member = cases[i].member;
        script_begin(&script, &service, &send);
        hear(&script, recordings_named(recordings_of("nodebb"), "chat_users"));
        ck_assert_ptr_null(strstr(buf_text(&script.asked), "/api/user/"));
        if (script.advance == ADVANCE_REQUEST) {
            hear(&script,
                 recordings_named(recordings_of("nodebb"), "message_sent"));
        }
        ck_assert_int_eq(script.advance, cases[i].advance);
        script_release(&script);
        dm.user = "bea";
        dm.member = cases[i].member;
        script_begin(&script, &service, &dm);
        hear(&script, recordings_named(recordings_of("nodebb"), "chat_with"));
        ck_assert_int_eq(script.advance, ADVANCE_DONE);
        ck_assert_str_eq(buf_text(&script.out.id), "pm1");
        script_release(&script);
    }
}
END_TEST

START_TEST(one_look_tells_of_all_topics)
{
    struct script script;
    const struct outcome *out = &script.out;

    run(&recent_row, 1, &script);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(out->news_count, 29);
    ck_assert_int_eq(find_update(out, "2")->last, INT64_C(1795470822518));
    ck_assert_uint_ne(find_update(out, "2")->state, 0);
    ck_assert_int_eq(out->rest, out->updates[19].last);
    ck_assert_uint_ne(out->updates[19].state, 0);
    ck_assert_str_eq(out->updates[28].feed, "1");
    ck_assert_int_eq(out->updates[28].last, out->rest);
    ck_assert_uint_eq(out->updates[28].state, 0);
    ck_assert_int_eq(out->through, SCRIPT_DATE - FORUM_MARGIN_MS);
    script_release(&script);
}
END_TEST

/* The recorded look with other numbers in it. */
static void
look_with(const char *from, const char *to, struct script *script)
{
    const struct recording *recording = reply_of(&recent_row, 0);
    const char *body = buf_text(&recording->body);
    const char *at = strstr(body, from);
    struct buf other = BUF_INIT;

    ck_assert_ptr_nonnull(at);
    buf_add(&other, body, (size_t)(at - body));
    buf_addf(&other, "%s%s", to, at + strlen(from));
    run(&recent_row, 0, script);
    script_reply(script, 200, buf_text(&other), other.len);
    ck_assert_int_eq(script->advance, ADVANCE_DONE);
    buf_release(&other);
}

START_TEST(a_topic_is_in_another_state_after_each_post)
{
    static const char *const changes[][2] = {
        {"\"postcount\":156", "\"postcount\":155"}, /* one was taken away */
        {"\"lastposttime\":1795470822518", "\"lastposttime\":1795470822519"},
    };
    struct script before;

    run(&recent_row, 1, &before);
    for (size_t i = 0; i < 2; i++) {
        struct script after;

        look_with(changes[i][0], changes[i][1], &after);
        ck_assert_uint_ne(find_update(&after.out, "2")->state,
                          find_update(&before.out, "2")->state);
        ck_assert_uint_eq(after.out.updates[1].state,
                          before.out.updates[1].state);
        script_release(&after);
    }
    script_release(&before);
}
END_TEST

/* Then nobody knows how long the others were quiet. */
START_TEST(a_look_in_another_order_tells_only_of_its_page)
{
    struct script script;

    look_with("\"lastposttime\":1795470822518", "\"lastposttime\":1000",
              &script);
    ck_assert_uint_eq(script.out.news_count, 20);
    ck_assert_int_eq(script.out.rest, 0);
    script_release(&script);
}
END_TEST

START_TEST(a_message_is_found_by_its_mark)
{
    static const struct row found[] = {
        {OP_FIND, TOPIC, {"page"}, 0, 0, 0, "10", 0},
        {OP_FIND, DM, {"messages"}, 0, 0, 0, "", 0},
    };

    for (size_t i = 0; i < 2; i++) {
        struct script script;

        run(&found[i], 1, &script);
        ck_assert_int_eq(script.advance, ADVANCE_DONE);
        ck_assert_uint_gt(script.out.id.len, 0);
        script_release(&script);
    }
}
END_TEST

/* A second post of the account would be refused: "You are already posting". */
START_TEST(one_post_is_written_at_a_time)
{
    static const struct row written[] = {
        {OP_SEND, TOPIC, {NULL}, 0, 0, 0, "", 0},
        {OP_EDIT, TOPIC, {NULL}, 0, 0, 0, "", 0},
        {OP_OPEN,
         TOPIC,
         {"self", "own_topics", "page", "topic"},
         0,
         0,
         0,
         "",
         0},
    };

    for (size_t i = 0; i < 3; i++) {
        struct script script;

        run(&written[i], count_replies(&written[i]), &script);
        ck_assert_int_eq(script.advance, ADVANCE_REQUEST);
        ck_assert_str_eq(script.out.request.route, "post");
        ck_assert_int_gt(script.out.request.apart, 0);
        script_release(&script);
    }
}
END_TEST

/* ---- what is not as it was ----------------------------------------------- */

/* Has the operation failed, or what it should have? */
static bool
lacks_nothing(const struct row *row, const struct script *script)
{
    return script->advance != ADVANCE_DONE ||
           script->out.page.count >= row->posts;
}

/* Run a row whose nth reply says something else, and the others after it. */
static void
parse_odd(const struct row *row, size_t nth, const char *body, size_t len,
          struct script *script)
{
    run(row, nth, script);
    if (script->advance == ADVANCE_REQUEST) {
        script_reply(script, reply_of(row, nth)->status, body, len);
    }
    for (size_t i = nth + 1;
         i < count_replies(row) && script->advance == ADVANCE_REQUEST; i++) {
        hear(script, reply_of(row, i));
    }
    page_finish(&script->out.page);
}

/* Was a reply tried already, behind the same replies to the same operation? */
static bool
was_tried(const struct row *row, size_t nth)
{
    for (const struct row *other = rows; other < row; other++) {
        bool same = other->advance == ADVANCE_DONE &&
                    other->kind == row->kind && other->where == row->where &&
                    nth < count_replies(other);

        for (size_t i = 0; i <= nth && same; i++) {
            same = strcmp(other->replies[i], row->replies[i]) == 0;
        }
        if (same) {
            return true;
        }
    }
    return row->advance != ADVANCE_DONE;
}

START_TEST(a_reply_that_is_cut_anywhere_is_never_trusted_half)
{
    const struct row *row = &rows[_i];

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body = &reply_of(row, nth)->body;

        if (was_tried(row, nth)) {
            continue;
        }
        size_t step = body->len / 60 + 1;

        for (size_t len = 0; len < body->len; len += step) {
            struct script script;

            parse_odd(row, nth, buf_text(body), len, &script);
            ck_assert_msg(lacks_nothing(row, &script) &&
                              script_is_sane(&script),
                          "%s, cut at %zu", row->replies[nth], len);
            script_release(&script);
        }
    }
}
END_TEST

/* The members that an adapter reads. */
static bool
is_read(const char *body, size_t colon)
{
    static const char *const names[] = {
        "pid",       "uid",       "timestamp",    "content", "deleted",
        "edited",    "userslug",  "username",     "posts",   "postcount",
        "pageCount", "messageId", "lastposttime", "fromuid", "roomId",
        "rooms",     "messages",  "users",        "tid",     "response",
        "queued",    "index",     "privileges"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t len = strlen(names[i]);

        if (colon > len + 2 && body[colon - 1] == '"' &&
            strncmp(body + colon - 1 - len, names[i], len) == 0 &&
            body[colon - 2 - len] == '"') {
            return true;
        }
    }
    return false;
}

/* Is it the turn of this member?  A reply has each many times. */
static bool
is_in_turn(void)
{
    static unsigned count;

    return count++ % effort_one_in(ONE_IN) == 0;
}

/* A room in which nothing was written has no teaser. */
static void
try_values(const struct row *row, size_t nth, size_t at)
{
    static const char *const values[] = {
        "null", "true",     "-1",
        "1e99", "\"\"",     "[]",
        "{}",   "\"1005\"", "9223372036854775807"};
    const struct buf *body = &reply_of(row, nth)->body;
    struct buf odd = BUF_INIT;

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct script script;

        script_swap_value(body, at, values[i], &odd);
        parse_odd(row, nth, buf_text(&odd), odd.len, &script);
        ck_assert_msg(lacks_nothing(row, &script) && script_is_sane(&script),
                      "%s: %s at %.40s: %zu posts", row->replies[nth],
                      values[i], buf_text(body) + at - 20,
                      script.out.page.count);
        script_release(&script);
    }
    buf_release(&odd);
}

START_TEST(with_a_value_of_another_type_no_post_is_lost)
{
    const struct row *row = &rows[_i];

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body = &reply_of(row, nth)->body;

        if (was_tried(row, nth)) {
            continue;
        }
        for (size_t at = 3; at < body->len; at++) {
            if (body->data[at - 1] == ':' && is_read(buf_text(body), at - 1) &&
                strchr("{[", body->data[at]) == NULL && is_in_turn()) {
                try_values(row, nth, at);
            }
        }
    }
}
END_TEST

/* ---- what is not there --------------------------------------------------- */

/* Nothing was done that the whole reply does not say, and nothing is lost: a
 * reply without a member is refused, but where that says something itself. */
static void
assert_lacking(const struct row *row, const struct script *script,
               const struct script *whole, const char *what)
{
    ck_assert_msg(script_is_sane(script), "%s without %.20s: %s",
                  row->replies[0], what, buf_text(&script->why));
    ck_assert_msg(lacks_nothing(row, script), "%s without %.20s: %zu posts",
                  row->replies[0], what, script->out.page.count);
    for (size_t i = 0; script->advance == ADVANCE_DONE && i < row->posts; i++) {
        const struct post *post = &script->out.page.posts[i];
        const struct post *is = &whole->out.page.posts[i];

        ck_assert_msg(strcmp(post->id, is->id) == 0 &&
                          strcmp(post->author, is->author) == 0 &&
                          post->stamp == is->stamp && post->own == is->own,
                      "%s without %.20s: post %s of %s", row->replies[0], what,
                      post->id, post->author);
    }
}

/* Where a member's name begins, its value is told by the last byte. */
static bool
is_member_read(const struct buf *body, size_t at)
{
    const char *end = memchr(body->data + at + 1, '"', body->len - at - 1);

    return end != NULL && end[1] == ':' &&
           is_read(body->data, (size_t)(end + 1 - body->data));
}

/* Under another name nobody knows it. */
static void
take_away(const struct row *row, size_t nth, size_t at,
          const struct script *whole)
{
    const struct buf *body = &reply_of(row, nth)->body;
    struct buf odd = BUF_INIT;
    struct script script;

    buf_add(&odd, body->data, at + 1);
    buf_add_text(&odd, "no ");
    buf_add(&odd, body->data + at + 1, body->len - at - 1);
    parse_odd(row, nth, buf_text(&odd), odd.len, &script);
    assert_lacking(row, &script, whole, body->data + at);
    script_release(&script);
    buf_release(&odd);
}

START_TEST(with_a_member_that_is_missing_no_post_is_lost)
{
    const struct row *row = &rows[_i];
    struct script whole;

    run(row, count_replies(row), &whole);
    page_finish(&whole.out.page);
    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body = &reply_of(row, nth)->body;

        if (was_tried(row, nth)) {
            continue;
        }
        for (size_t at = 1; at + 1 < body->len; at++) {
            if (body->data[at] == '"' && is_member_read(body, at) &&
                is_in_turn()) {
                take_away(row, nth, at, &whole);
            }
        }
    }
    script_release(&whole);
}
END_TEST

/* In the parent of all tests: read once, not by each. */
static void
read_recordings(void)
{
    (void)recordings_of("nodebb");
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/nodebb_recorded");
    TCase *tcase = tcase_create("recorded");

    tcase_add_unchecked_fixture(tcase, read_recordings, NULL);
    tcase_add_loop_test(tcase, each_recording_is_understood, 0, ROWS);
    tcase_add_test(tcase, no_recording_is_left_out);
    tcase_add_test(tcase,
                   people_are_told_from_who_is_gone_and_from_who_is_elsewhere);
    tcase_add_test(tcase, a_chat_is_with_a_number);
    tcase_add_test(tcase, one_look_tells_of_all_topics);
    tcase_add_test(tcase, a_topic_is_in_another_state_after_each_post);
    tcase_add_test(tcase, a_look_in_another_order_tells_only_of_its_page);
    tcase_add_test(tcase, a_message_is_found_by_its_mark);
    tcase_add_test(tcase, one_post_is_written_at_a_time);
    tcase_add_loop_test(
        tcase, a_reply_that_is_cut_anywhere_is_never_trusted_half, 0, ROWS);
    tcase_add_loop_test(tcase, with_a_value_of_another_type_no_post_is_lost, 0,
                        ROWS);
    tcase_add_loop_test(tcase, with_a_member_that_is_missing_no_post_is_lost, 0,
                        ROWS);
    suite_add_tcase(suite, tcase);
    return suite;
}
