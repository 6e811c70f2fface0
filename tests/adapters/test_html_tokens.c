#include <string.h>

#include <check.h>

#include "adapters/markup/html/html_tokens.h"
#include "tests/support/runner.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- tags ---------------------------------------------------------------- */

/* A text, and the tag it begins with: its length, "/" if it is a closing one,
 * its name, its attributes, "/" if it closes itself. */
static const struct tag_case {
    const char *text, *shown;
} tag_cases[] = {
    {"<b>x", "3 b"},
    {"</b>x", "4 / b"},
    {"<B>", "3 B"},
    {"<b >", "4 b"},
    {"<b\n>", "4 b"},
    {"<b/>", "4 b /"},
    {"<br />", "6 br /"},
    {"<b/x>", "5 b [x=]"},
    {"<mx-reply>", "10 mx-reply"},
    {"<a<b>", "5 a<b"},
    {"<a href=x>", "10 a [href=x]"},
    {"<a href=x/>", "11 a [href=x/]"},
    {"<a href='x'/>", "13 a [href=x] /"},
    {"<a href=\"x>y\">", "14 a [href=x>y]"},
    {"<a href='x\"y' b>", "16 a [href=x\"y] [b=]"},
    {"<a href = x y = 'z'>", "20 a [href=x] [y=z]"},
    {"<a href=\"x\"y=z>", "15 a [href=x] [y=z]"},
    {"<a x=1 x=2>", "11 a [x=1] [x=2]"},
    {"<a x=>", "6 a [x=]"},
    {"<a x= >", "7 a [x=]"},
    {"<a =x>", "6 a [=x=]"},
    {"<a x==y>", "8 a [x==y]"},
    {"<a x='&lt;'>", "12 a [x=&lt;]"},
    {"<a \" x>", "7 a [\"=] [x=]"},
    {"</a b=c>", "8 / a [b=c]"},
    {"< b>", ""},
    {"<>", ""},
    {"</>", ""},
    {"<1>", ""},
    {"<", ""},
    {"</", ""},
    {"<b", ""},
    {"<b x", ""},
    {"<b x=", ""},
    {"<b x='>", ""},
    {"<b x=\"'>", ""},
    {"<b x='y'", ""},
    {"b>", ""},
    {"", ""},
};

static void
show_tag(const char *text, size_t len, struct buf *shown)
{
    struct html_attribute attribute;
    struct html_tag tag;

    if (!html_read_tag(text, len, &tag)) {
        return;
    }
    buf_addf(shown, "%zu %s%.*s", tag.len, tag.closing ? "/ " : "",
             (int)tag.name.len, tag.name.text);
    while (html_next_attribute(&tag, &attribute)) {
        buf_addf(shown, " [%.*s=%.*s]", (int)attribute.name.len,
                 attribute.name.text, (int)attribute.value.len,
                 attribute.value.text);
    }
    ck_assert(!html_next_attribute(&tag, &attribute));
    buf_add_text(shown, tag.self_closing ? " /" : "");
}

START_TEST(a_tag_is_read)
{
    const struct tag_case *now = &tag_cases[_i];
    struct buf shown = BUF_INIT;

    show_tag(now->text, strlen(now->text), &shown);
    ck_assert_str_eq(buf_text(&shown), now->shown);
    buf_release(&shown);
}
END_TEST

START_TEST(a_tag_is_not_read_beyond_the_text)
{
    static const char tag[] = "<a href='x' b=c d>";
    struct buf shown = BUF_INIT;

    for (size_t len = 0; len < sizeof tag - 1; len++) {
        show_tag(tag, len, &shown);
        ck_assert_uint_eq(shown.len, 0);
    }
    buf_release(&shown);
}
END_TEST

START_TEST(a_name_is_told_in_any_case)
{
    ck_assert(html_is((struct html_span){"STRONG", 6}, "strong"));
    ck_assert(!html_is((struct html_span){"STRONG", 5}, "strong"));
    ck_assert(!html_is((struct html_span){"strongs", 7}, "strong"));
    ck_assert(!html_is((struct html_span){"", 0}, "b"));
}
END_TEST

/* ---- comments, and elements without tags inside -------------------------- */

static const struct length_case {
    const char *text;
    size_t len;
} comment_cases[] = {
    {"<!-- a -->b", 10},
    {"<!---->b", 7},
    {"<!-->b", 5},
    {"<!--->b", 6},
    {"<!-- a --!>b", 11},
    {"<!--!>-->b", 9},
    {"<!-- <b> -- > -->b", 17},
    {"<!-- a", 6},
    {"<!--", 4},
    {"<!DOCTYPE html>b", 15},
    {"<![CDATA[a]]>b", 13},
    {"<?php a ?>b", 10},
    {"</ b>c", 5},
    {"</>b", 3},
    {"</3 b", 5},
    {"</b>", 0},
    {"<b>", 0},
    {"< !-- a -->", 0},
    {"</", 0},
    {"", 0},
};

START_TEST(a_comment_is_measured)
{
    const struct length_case *now = &comment_cases[_i];

    ck_assert_uint_eq(html_comment_len(now->text, strlen(now->text)), now->len);
}
END_TEST

static const struct length_case raw_cases[] = {
    {"a</script>b", 1},     {"</SCRIPT >", 0},       {"a<b></b></script/>", 8},
    {"a</scripts>b", 12},   {"a</script", 9},        {"<</script>", 1},
    {"a</ script>b</", 14}, {"<!--</script>-->", 4}, {"", 0},
};

START_TEST(an_element_without_tags_ends_at_its_closing_tag)
{
    const struct length_case *now = &raw_cases[_i];

    ck_assert_uint_eq(html_raw_len(now->text, strlen(now->text),
                                   (struct html_span){"Script", 6}),
                      now->len);
}
END_TEST

/* ---- references ---------------------------------------------------------- */

static const struct reference_case {
    const char *text, *decoded;
    bool value;
} reference_cases[] = {
    {"a&lt;b", "a<b", false},
    {"&amp;lt;", "&lt;", false},
    {"&nbsp;&shy;", "\xC2\xA0\xC2\xAD", false},
    {"&Auml;&auml;", "Ää", false},
    {"&thetasym;", "ϑ", false},
    {"&lang;", "⟨", false},
    {"Ja&excl;&apos;&quest;", "Ja!'?", false},
    {"&commat;&ast;&num;&Hat;", "@*#^", false},
    {"&#74;a&#x21;&#X21;", "Ja!!", false},
    {"&#74a", "Ja", false},
    {"&#x4a", "J", false},
    {"&#128514;", "😂", false},
    {"&#150;&#x80;", "–€", false},
    {"&#129;", "\xC2\x81", false},
    {"&#0;", "\xEF\xBF\xBD", false},
    {"&#xD800;", "\xEF\xBF\xBD", false},
    {"&#x110000;", "\xEF\xBF\xBD", false},
    {"&#99999999999999999999;", "\xEF\xBF\xBD", false},
    {"&;&#;&#x;&#y;& &", "&;&#;&#x;&#y;& &", false},
    {"&", "&", false},
    {"&unknown;", "&unknown;", false},
    {"&LT;&Lt;", "<&Lt;", false},
    /* Without ";" the oldest names alone. */
    {"&ltb&gt", "<b>", false},
    {"&nbspJa", "\xC2\xA0Ja", false},
    {"&notit;", "¬it;", false},
    {"&notin;", "∉", false},
    {"&alpha", "&alpha", false},
    {"&amp", "&", true},
    {"?a&lt=b&ltc&lt", "?a&lt=b&ltc<", true},
    {"?a&lt;b", "?a<b", true},
};

START_TEST(references_are_replaced)
{
    const struct reference_case *now = &reference_cases[_i];
    struct buf out = BUF_INIT;

    html_add_decoded(&out, (struct html_span){now->text, strlen(now->text)},
                     now->value);
    ck_assert_str_eq(buf_text(&out), now->decoded);
    buf_release(&out);
}
END_TEST

START_TEST(a_reference_is_not_read_beyond_the_text)
{
    struct buf out = BUF_INIT;

    ck_assert_uint_eq(html_read_reference("&lt;", 4, false, &out), 4);
    ck_assert_uint_eq(html_read_reference("&lt;", 3, false, &out), 3);
    ck_assert_uint_eq(html_read_reference("&lt;", 2, false, &out), 0);
    ck_assert_uint_eq(html_read_reference("&#60;", 4, false, &out), 4);
    ck_assert_uint_eq(html_read_reference("&#60;", 2, false, &out), 0);
    ck_assert_uint_eq(html_read_reference("&", 1, false, &out), 0);
    ck_assert_uint_eq(html_read_reference("lt;", 3, false, &out), 0);
    ck_assert_str_eq(buf_text(&out), "<<<");
    buf_release(&out);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/html_tokens");
    TCase *tcase = tcase_create("tokens");

    tcase_add_loop_test(tcase, a_tag_is_read, 0, COUNT(tag_cases));
    tcase_add_test(tcase, a_tag_is_not_read_beyond_the_text);
    tcase_add_test(tcase, a_name_is_told_in_any_case);
    tcase_add_loop_test(tcase, a_comment_is_measured, 0, COUNT(comment_cases));
    tcase_add_loop_test(tcase, an_element_without_tags_ends_at_its_closing_tag,
                        0, COUNT(raw_cases));
    tcase_add_loop_test(tcase, references_are_replaced, 0,
                        COUNT(reference_cases));
    tcase_add_test(tcase, a_reference_is_not_read_beyond_the_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
