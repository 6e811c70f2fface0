/*
 * The corpora of posts and answers: every line is read as the line expects, by
 * the same road as `placard read`.
 */
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/cli/post_line.h"
#include "tests/support/markdown/markdown_reader.h"
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

/* What a forum makes HTML of is read as that, and has no colour. */
static void
cook(json_object *post, struct buf *line)
{
    struct rich rich = {.count = 0};
    struct buf html = BUF_INIT;
    bool unread = true;
    json_object *text = jdoc_get(post, "text");

    forum_markdown.read(json_object_get_string(text),
                        (size_t)json_object_get_string_len(text), &rich,
                        &unread);
    ck_assert(!unread);
    dialect_html.write(&rich, &html);
    json_object_object_add(post, "dialect", json_object_new_string("html"));
    if (jdoc_get(post, "red") == NULL) {
        json_object_object_add(post, "red", json_object_new_boolean(false));
    }
    json_object_object_add(post, "text",
                           json_object_new_string(buf_text(&html)));
    buf_add_text(line, json_object_to_json_string(post));
    rich_release(&rich);
    buf_release(&html);
}

static void
assert_read_by(const char *line, size_t len, const struct manner *manner)
{
    struct buf said = BUF_INIT;
    struct buf cooked = BUF_INIT;
    json_object *post = parsed(line, len);
    const char *dialect = jdoc_string(post, "dialect");

    if (dialect != NULL && strcmp(dialect, "markdown") == 0) {
        cook(post, &cooked);
        line = buf_text(&cooked);
        len = cooked.len;
    }
    ck_assert_msg(post_line_judge(line, len, 1, manner, &said), "%s",
                  buf_text(&said));
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
    buf_release(&cooked);
}

static void
assert_read(const char *line, size_t len)
{
    static const struct manner no_place = {.dialect = NULL};

    assert_read_by(line, len, &no_place);
}

/* In the language of the line, its theme, and the votes it asks for. */
static void
assert_read_in_language(const char *line, size_t len)
{
    static struct catalogues catalogues;
    const struct catalogue *catalogue = NULL;
    struct manner manner = {.dialect = NULL};
    struct settings settings;
    struct buf why = BUF_INIT;
    json_object *post = parsed(line, len);
    const char *theme = jdoc_string(post, "theme");
    const char *votes = jdoc_string(post, "votes");

    settings_defaults(&settings);
    ck_assert_int_eq(
        settings_set(&settings, "words", votes == NULL ? "" : votes, &why),
        ERR_NONE);
    ck_assert_msg(catalogues_open(&catalogues, jdoc_string(post, "language"),
                                  theme == NULL ? THEME_ORIGINAL : theme,
                                  &catalogue, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    vocabulary_init(&manner.vocabulary, catalogue, &settings);
    assert_read_by(line, len, &manner);
    json_object_put(post);
}

/* Read all lines of a corpus; returns how many. */
static unsigned
read_corpus(const char *path, void (*read)(const char *line, size_t len))
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
        read(from, len);
        from += len + 1;
        count++;
    }
    buf_release(&corpus);
    return count;
}

START_TEST(every_post_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/posts.jsonl", assert_read),
                      156);
}
END_TEST

START_TEST(every_answer_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/answers.jsonl", assert_read),
                      25);
}
END_TEST

START_TEST(every_further_post_is_read_as_expected)
{
    ck_assert_uint_eq(
        read_corpus("tests/fixtures/more_posts.jsonl", assert_read), 898);
}
END_TEST

START_TEST(every_post_is_read_in_its_language)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/language_posts.jsonl",
                                  assert_read_in_language),
                      302);
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
    tcase_add_test(tcase, every_post_is_read_in_its_language);
    suite_add_tcase(suite, tcase);
    return suite;
}
