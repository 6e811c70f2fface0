/*
 * The corpora of posts and answers: every line is read as the line expects, by
 * the same road as `placard read`.
 */
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/commands/post_line.h"
#include "tests/support/runner.h"

/* Is a member the same text in both, or null in both? */
static bool
same_text(json_object *one, json_object *other, const char *key)
{
    const char *text = jdoc_string(one, key);
    const char *expected = jdoc_string(other, key);

    return text == NULL || expected == NULL ? text == expected
                                            : strcmp(text, expected) == 0;
}

static json_object *
parsed(const char *text, size_t len)
{
    struct buf why = BUF_INIT;
    json_object *json = NULL;

    ck_assert_msg(jdoc_parse(text, len, true, &json, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    return json;
}

static void
assert_read(const char *line, size_t len)
{
    static const struct manner no_place = {.dialect = NULL};
    struct buf said = BUF_INIT;

    ck_assert_msg(post_line_judge(line, len, 1, &no_place, &said), "%s",
                  buf_text(&said));
    json_object *post = parsed(line, len);
    json_object *verdict = parsed(said.data, said.len);
    json_object *expect = jdoc_get(post, "expect");
    ck_assert_ptr_nonnull(jdoc_string(expect, "kind"));
    ck_assert_msg(same_text(verdict, post, "id") &&
                      same_text(verdict, expect, "kind") &&
                      same_text(verdict, expect, "value"),
                  "%s", said.data);
    json_object_put(post);
    json_object_put(verdict);
    buf_release(&said);
}

/* Read all lines of a corpus; returns how many. */
static unsigned
read_corpus(const char *path)
{
    struct buf corpus = BUF_INIT;
    struct buf why = BUF_INIT;
    unsigned count = 0;

    ck_assert_msg(file_read(path, &corpus, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    const char *from = corpus.data;
    const char *end = corpus.data + corpus.len;
    while (from < end) {
        const char *feed = memchr(from, '\n', (size_t)(end - from));
        size_t len = (size_t)((feed == NULL ? end : feed) - from);
        assert_read(from, len);
        from += len + 1;
        count++;
    }
    buf_release(&corpus);
    return count;
}

START_TEST(every_post_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/posts.jsonl"), 157);
}
END_TEST

START_TEST(every_answer_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/answers.jsonl"), 25);
}
END_TEST

START_TEST(every_further_post_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/more_posts.jsonl"), 848);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/posts");
    TCase *tcase = tcase_create("posts");

    tcase_add_test(tcase, every_post_is_read_as_expected);
    tcase_add_test(tcase, every_answer_is_read_as_expected);
    tcase_add_test(tcase, every_further_post_is_read_as_expected);
    suite_add_tcase(suite, tcase);
    return suite;
}
