/*
 * The Discourse adapter and replies that are damaged: recorded ones, cut, with
 * another value, or without a member.  Whatever is not understood is told as a
 * failure, and of a page that is taken no post is missing.
 */
#include "tests/adapters/discourse_rows.h"
#include "tests/support/runner.h"

static const char *const changed[] = {"topic_with_votes", "inbox_lagging",
                                      "sent"};

enum {
    CHANGED = sizeof(changed) / sizeof(changed[0])
};

/* Is it done as with the whole reply, or failed, or does it ask on? */
static void
assert_sane(const struct row *row, const struct script *script,
            const char *what)
{
    ck_assert_msg(script_is_sane(script), "%s: %s", what,
                  buf_text(&script->why));
    ck_assert_msg(script->advance == ADVANCE_FAILED ||
                      (script->advance == ADVANCE_REQUEST &&
                       script->out.page.count == 0) ||
                      script->out.page.count >= row->posts,
                  "%s: %zu posts", what, script->out.page.count);
}

START_TEST(a_reply_that_is_cut_anywhere_is_never_trusted_half)
{
    const struct row *row = row_of(changed[_i]);
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct recording *recording =
            recordings_named(recorded(), row->replies[nth]);

        for (size_t len = 0; len < recording->body.len; len += 1 + len / 60) {
            struct buf body = BUF_INIT;

            buf_add(&body, buf_text(&recording->body), len);
            run(&script, row, nth, &body);
            ck_assert_msg(script.advance == ADVANCE_FAILED &&
                              script.out.err == ERR_GARBLED,
                          "%s cut at %zu", row->replies[nth], len);
            script_release(&script);
            buf_release(&body);
        }
    }
}
END_TEST

/* A DM in which nobody has written has no last post. */
static bool
may_lack(const char *member)
{
    static const char last[] = "\"last_posted_at\"";

    return strncmp(member, last, sizeof(last) - 1) == 0;
}

/* The name of the member whose value begins at `at`. */
static const char *
begin_of_member(const struct buf *body, size_t at)
{
    for (at -= 3; at > 0 && body->data[at] != '"'; at--) {
    }
    return body->data + at;
}

START_TEST(with_a_value_of_another_type_no_post_is_lost)
{
    static const char *const values[] = {
        "null", "true",        "-1",
        "1e99", "\"\"",        "[{}]",
        "{}",   "\"\\u0000\"", "9223372036854775807"};
    const struct row *row = row_of(changed[_i]);
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body =
            &recordings_named(recorded(), row->replies[nth])->body;

        for (size_t at = 2; at < body->len; at++) {
            if (body->data[at - 1] != ':' || body->data[at - 2] != '"' ||
                body->data[at] == '{' || body->data[at] == '[' ||
                may_lack(begin_of_member(body, at))) {
                continue;
            }
            size_t i = at % (sizeof(values) / sizeof(values[0]));

            script_swap_value(body, at, values[i], &odd);
            run(&script, row, nth, &odd);
            assert_sane(row, &script, begin_of_member(body, at));
            script_release(&script);
        }
    }
    buf_release(&odd);
}
END_TEST

/* A member that is not there at all: under another name nobody knows it. */
START_TEST(with_a_member_that_is_missing_no_post_is_lost)
{
    const struct row *row = row_of(changed[_i]);
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body =
            &recordings_named(recorded(), row->replies[nth])->body;

        for (size_t at = 1; at + 1 < body->len; at++) {
            if (body->data[at] != '"' ||
                strchr("{,", body->data[at - 1]) == NULL ||
                may_lack(body->data + at)) {
                continue;
            }
            buf_clear(&odd);
            buf_add(&odd, body->data, at + 1);
            buf_add_text(&odd, "no ");
            buf_add(&odd, body->data + at + 1, body->len - at - 1);
            run(&script, row, nth, &odd);
            assert_sane(row, &script, body->data + at);
            script_release(&script);
        }
    }
    buf_release(&odd);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discourse_damaged");
    TCase *tcase = tcase_create("damaged");

    tcase_add_loop_test(
        tcase, a_reply_that_is_cut_anywhere_is_never_trusted_half, 0, CHANGED);
    tcase_add_loop_test(tcase, with_a_value_of_another_type_no_post_is_lost, 0,
                        CHANGED);
    tcase_add_loop_test(tcase, with_a_member_that_is_missing_no_post_is_lost, 0,
                        CHANGED);
    suite_add_tcase(suite, tcase);
    return suite;
}
