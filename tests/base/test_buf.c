#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/buf.h"
#include "tests/support/runner.h"

static void
assert_sane(const struct buf *buf)
{
    if (buf->data == NULL) {
        ck_assert_uint_eq(buf->len, 0);
        ck_assert_uint_eq(buf->room, 0);
        return;
    }
    ck_assert_uint_lt(buf->len, buf->room);
    ck_assert_int_eq(buf->data[buf->len], '\0');
    ck_assert(buf->max == 0 || buf->len <= buf->max);
}

START_TEST(a_zeroed_buffer_is_an_empty_text)
{
    struct buf buf = BUF_INIT;

    ck_assert_str_eq(buf_text(&buf), "");
    ck_assert(buf_equals(&buf, ""));
    buf_clear(&buf);
    buf_truncate(&buf, 0);
    buf_wipe(&buf);
    buf_release(&buf);
    assert_sane(&buf);
}
END_TEST

START_TEST(what_is_added_stands_in_order)
{
    static const unsigned char bytes[] = {0x00, 0x9f, 0xff};
    struct buf buf = BUF_INIT;
    struct buf other = BUF_INIT;

    buf_add_text(&other, "two");
    buf_add_text(&buf, "one ");
    buf_add_buf(&buf, &other);
    buf_add_char(&buf, ' ');
    buf_add_number(&buf, INT64_MIN);
    buf_add_char(&buf, ' ');
    buf_add_hex(&buf, bytes, sizeof(bytes));
    buf_addf(&buf, " %d%s", 4, "!");
    assert_sane(&buf);
    ck_assert_str_eq(buf_text(&buf), "one two -9223372036854775808 009fff 4!");
    ck_assert(!buf.cut);
    buf_release(&buf);
    buf_release(&other);
}
END_TEST

START_TEST(it_grows_as_far_as_it_must)
{
    struct buf buf = BUF_INIT;

    for (int i = 0; i < 5000; i++) {
        buf_addf(&buf, "%04d", i);
        assert_sane(&buf);
    }
    ck_assert_uint_eq(buf.len, 20000);
    ck_assert_str_eq(buf_text(&buf) + 19996, "4999");
    buf_release(&buf);
    assert_sane(&buf);
}
END_TEST

START_TEST(a_formatted_text_may_be_of_any_length)
{
    char word[301];

    memset(word, 'x', sizeof(word));
    for (int len = 0; len <= 300; len++) {
        struct buf buf = BUF_INIT;
        buf_addf(&buf, "%.*s", len, word);
        buf_addf(&buf, "%.*s!", len, word);
        assert_sane(&buf);
        ck_assert_uint_eq(buf.len, 2 * (size_t)len + 1);
        ck_assert_uint_eq(strspn(buf_text(&buf), "x"), 2 * (size_t)len);
        buf_release(&buf);
    }
}
END_TEST

START_TEST(bytes_beyond_the_ceiling_are_dropped_and_noted)
{
    struct buf buf;

    buf_init(&buf, 5);
    buf_add_text(&buf, "abc");
    ck_assert(!buf.cut);
    buf_add_text(&buf, "def");
    assert_sane(&buf);
    ck_assert(buf.cut);
    ck_assert_str_eq(buf_text(&buf), "abcde");
    buf_add_char(&buf, 'f');
    ck_assert_uint_eq(buf.len, 5);

    buf_clear(&buf);
    ck_assert(!buf.cut);
    buf_addf(&buf, "%s", "0123456789");
    assert_sane(&buf);
    ck_assert_str_eq(buf_text(&buf), "01234");
    ck_assert(buf.cut);

    buf_release(&buf);
    ck_assert_uint_eq(buf.max, 5);
}
END_TEST

START_TEST(a_code_point_is_never_cut_in_two)
{
    struct buf buf;

    buf_init(&buf, 4);
    buf_add_text(&buf, "ab");
    buf_add_codepoint(&buf, 0x20AC);
    ck_assert_str_eq(buf_text(&buf), "ab");
    ck_assert(buf.cut);
    buf_add_codepoint(&buf, 0xE9);
    ck_assert_str_eq(buf_text(&buf), "ab\xC3\xA9");
    buf_release(&buf);
}
END_TEST

static const struct {
    uint32_t codepoint;
    const char *bytes;
} codepoints[] = {
    {'A', "A"},
    {0x7F, "\x7F"},
    {0x80, "\xC2\x80"},
    {0x7FF, "\xDF\xBF"},
    {0x800, "\xE0\xA0\x80"},
    {0xD7FF, "\xED\x9F\xBF"},
    {0xD800, "\xEF\xBF\xBD"},
    {0xDFFF, "\xEF\xBF\xBD"},
    {0xFFFF, "\xEF\xBF\xBF"},
    {0x1F7E6, "\xF0\x9F\x9F\xA6"},
    {0x10FFFF, "\xF4\x8F\xBF\xBF"},
    {0x110000, "\xEF\xBF\xBD"},
    {UINT32_MAX, "\xEF\xBF\xBD"},
};

enum {
    CODEPOINTS = sizeof(codepoints) / sizeof(codepoints[0])
};

START_TEST(a_code_point_is_written_as_utf8)
{
    struct buf buf = BUF_INIT;

    buf_add_codepoint(&buf, codepoints[_i].codepoint);
    ck_assert_str_eq(buf_text(&buf), codepoints[_i].bytes);
    buf_release(&buf);
}
END_TEST

START_TEST(a_taken_text_is_the_callers)
{
    struct buf buf = BUF_INIT;

    buf_add_text(&buf, "mine");
    char *text = buf_take(&buf);
    ck_assert_str_eq(text, "mine");
    assert_sane(&buf);
    free(text);

    text = buf_take(&buf);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(a_buffer_with_a_nul_equals_no_text)
{
    struct buf buf = BUF_INIT;

    buf_add(&buf, "a\0b", 3);
    ck_assert(!buf_equals(&buf, "a"));
    buf_truncate(&buf, 1);
    ck_assert(buf_equals(&buf, "a"));
    ck_assert(!buf_equals(&buf, "ab"));
    buf_release(&buf);
}
END_TEST

START_TEST(a_secret_is_hidden_wherever_it_stands)
{
    struct buf buf = BUF_INIT;

    buf_hide(&buf, "s3cret");
    buf_add_text(&buf, "s3cret, s3cre, s3crets3cret");
    buf_hide(&buf, "s3cret");
    ck_assert_str_eq(buf_text(&buf), "******, s3cre, ************");
    buf_hide(&buf, "");
    ck_assert_str_eq(buf_text(&buf), "******, s3cre, ************");
    buf_release(&buf);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/buf");
    TCase *tcase = tcase_create("buf");

    tcase_add_test(tcase, a_secret_is_hidden_wherever_it_stands);
    tcase_add_test(tcase, a_zeroed_buffer_is_an_empty_text);
    tcase_add_test(tcase, what_is_added_stands_in_order);
    tcase_add_test(tcase, it_grows_as_far_as_it_must);
    tcase_add_test(tcase, a_formatted_text_may_be_of_any_length);
    tcase_add_test(tcase, bytes_beyond_the_ceiling_are_dropped_and_noted);
    tcase_add_test(tcase, a_code_point_is_never_cut_in_two);
    tcase_add_loop_test(tcase, a_code_point_is_written_as_utf8, 0, CODEPOINTS);
    tcase_add_test(tcase, a_taken_text_is_the_callers);
    tcase_add_test(tcase, a_buffer_with_a_nul_equals_no_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
