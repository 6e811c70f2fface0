#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "tests/adapters/dialect_cases.h"
#include "tests/adapters/expressible.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

#define ZERO_WIDTH "\xE2\x80\x8B"

/* ---- reading ------------------------------------------------------------- */

static const struct dialect_case cases[] = {
    {"", ""},
    {"plain", "(plain)"},
    /* Bold. */
    {"**Ja!**", "b(Ja!)"},
    {"I vote **Ja!**.", "(I vote )b(Ja!)(.)"},
    {"**a** **b**", "b(a)( )b(b)"},
    {"**Jo Ann**", "b(Jo Ann)"},
    {"(**Ja!**)", "(()b(Ja!)())"},
    {"\xE2\x80\x9C**Ja!**\xE2\x80\x9D", "(\xE2\x80\x9C)b(Ja!)(\xE2\x80\x9D)"},
    {"**Ja!**\r\nb", "b(Ja!)(\nb)"},
    {"**Ja!", "(**Ja!)"},
    {"Ja!**", "(Ja!**)"},
    {"*Ja!*", "(*Ja!*)"},
    {"__Ja!__", "(__Ja!__)"},
    {"***Ja!***", "(***Ja!***)"},
    {"***Ja!**", "(***Ja!**)"},
    {"**Ja!***", "(**Ja!***)"},
    {"****Ja!****", "(****Ja!****)"},
    {"****", "(****)"},
    {"** Ja!**", "(** Ja!**)"},
    {"**Ja! **", "(**Ja! **)"},
    {"**\xC2\xA0Ja!**", "(**\xC2\xA0Ja!**)"},
    {"**a*b**", "(**a*b**)"},
    {"**a\nb**", "(**a\nb**)"},
    {"son**ja**", "(son**ja**)"},
    {"**Ja**mes", "(**Ja**mes)"},
    {"\xC3\xA9**ja** **ja**\xCE\xB1", "(\xC3\xA9**ja** **ja**\xCE\xB1)"},
    {"5**a** **b**_ _**c**", "(5**a** **b**_ _**c**)"},
    {"**a**\xCC\x81", "(**a**\xCC\x81)"},
    {"**a **b**", "(**a )b(b)"},
    {"**a**b**", "(**a**b**)"},
    {"**a**b **c**", "(**a**b )b(c)"},
    {"**a** b**", "b(a)( b**)"},
    {"\\*\\*Ja!\\*\\*", "(\\*\\*Ja!\\*\\*)"},
    {"*" ZERO_WIDTH "*Ja!**", "(**Ja!**)"},
    {"son" ZERO_WIDTH "**ja**", "(son)b(ja)"},
    {"\xFF**Ja!**\x80", "(\xEF\xBF\xBD)b(Ja!)(\xEF\xBF\xBD)"},
    /* Nothing else is a mark. */
    {"[b]Ja![/b] <b>Ja!</b>", "([b]Ja![/b] <b>Ja!</b>)"},
    {"`**a**` ||**b**|| ~~**c**~~", "(`)b(a)(` ||)b(b)(|| ~~)b(c)(~~)"},
    {"# a\n- b\n<@5> @room http://a.b", "(# a\n- b\n<@5> @room http://a.b)"},
    {"a\xEF\xBF\xBC"
     "b",
     "(a)o()(b)"},
    /* Quoted lines. */
    {"> **Ja!**\nno", "bq(Ja!)(\nno)"},
    {">a\n>b\nc", "q(a)(\n)q(b)(\nc)"},
    {"  > a", "q(a)"},
    {">  a\n>> b", "q( a)(\n)q(> b)"},
    {"> **a\n> b**", "q(**a)(\n)q(b**)"},
    {"a > b", "(a > b)"},
    {">", ""},
    {ZERO_WIDTH "> a", "(> a)"},
};

START_TEST(plain_text_is_read)
{
    assert_case(&dialect_plain, &cases[_i]);
}
END_TEST

START_TEST(cut_posts_are_read)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_bears_cuts(&dialect_plain, cases[i].body);
    }
}
END_TEST

START_TEST(a_post_with_a_nul_or_too_long_is_not_read)
{
    assert_keeps_limits(&dialect_plain);
}
END_TEST

/* What a naive reader would search through again and again. */
static const char *const floods[] = {
    "*",   "**", "** ", "**a",  "**a ",     "a**b ",      "***",    "> ",
    ">\n", "\n", " ",   "\xFF", "\xCC\x81", "**\xCC\x81", "** >\n",
};

START_TEST(a_flood_is_read)
{
    ck_assert(!flood_is_unread(&dialect_plain, floods[_i]));
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

START_TEST(marks_are_written)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "Vote ", 0);
    rich_add_text(&rich, "Ja!", MARK_BOLD);
    rich_add_text(&rich, " or ", 0);
    rich_add_text(&rich, "!nein", MARK_CODE);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "Anna", MARK_BOLD | MARK_RED);
    rich_add_text(&rich, " said ", MARK_BOLD);
    rich_add_text(&rich, "no\nno", MARK_QUOTED);
    rich_add_text(&rich, "x", MARK_STRUCK);
    rich_add_mention(&rich, "12", "@Bob", MARK_BOLD);
    assert_writes(&dialect_plain, &rich,
                  "Vote **Ja!** or !nein\n**Anna said " ZERO_WIDTH "**\n"
                  "> no\n> no\nx" ZERO_WIDTH "**@Bob**");
    rich_release(&rich);
}
END_TEST

/* A text, and how it is written so that it stays what it is. */
static const struct {
    const char *text;
    unsigned marks;
    const char *written;
} escapes[] = {
    {"**Ja!**", 0, "*" ZERO_WIDTH "*Ja!*" ZERO_WIDTH "*"},
    {"a*b", MARK_BOLD, "**a**" ZERO_WIDTH "*" ZERO_WIDTH "**b**"},
    {" a ", MARK_BOLD, "**" ZERO_WIDTH " a " ZERO_WIDTH "**"},
    {"a\nb", MARK_BOLD, "**a**\n**b**"},
    {"**Ja!**", MARK_BOLD | MARK_CODE, "*" ZERO_WIDTH "*Ja!*" ZERO_WIDTH "*"},
    {"Ja!", MARK_BOLD | MARK_SPOILER, "Ja!"},
    {"> a\n >b > c", 0, ZERO_WIDTH "> a\n " ZERO_WIDTH ">b > c"},
    {"> a\n b", MARK_QUOTED, "> > a\n>  b"},
    {"@room @Everyone @Anna", 0,
     "@" ZERO_WIDTH "room @" ZERO_WIDTH "Everyone @Anna"},
};

START_TEST(what_would_act_is_escaped)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, escapes[_i].text, escapes[_i].marks);
    assert_writes(&dialect_plain, &rich, escapes[_i].written);
    rich_release(&rich);
}
END_TEST

START_TEST(text_stays_text)
{
    assert_text_stays(&dialect_plain, plain_texts[_i]);
}
END_TEST

static void
assert_says(const struct rich *rich, uint32_t seed)
{
    struct rich expressible = {.count = 0};
    struct buf body = BUF_INIT;

    expressible_plain(rich, &expressible);
    dialect_plain.write(rich, &body);
    assert_writes(&dialect_plain, &expressible, buf_text(&body));
    assert_round_trip(&dialect_plain, &expressible, seed);
    rich_release(&expressible);
    buf_release(&body);
}

START_TEST(what_is_written_is_read_as_the_same)
{
    static const char *const ids[] = {"1", "@anna:example.org"};
    static const struct dialect_range range = {.dialect = &dialect_plain,
                                               .marks = ~0U,
                                               .ids = ids,
                                               .id_count = COUNT(ids)};

    for (uint32_t seed = 0; seed < effort_of(20000); seed++) {
        struct rich rich = {.count = 0};

        make_random(&range, seed, &rich);
        assert_says(&rich, seed);
        rich_release(&rich);
    }
}
END_TEST

START_TEST(what_is_read_is_written_as_the_same)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rich rich = {.count = 0};
        bool unread;

        dialect_plain.read(cases[i].body, strlen(cases[i].body), &rich,
                           &unread);
        assert_says(&rich, (uint32_t)i);
        rich_release(&rich);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/plain");
    TCase *reading = tcase_create("reading");
    TCase *writing = tcase_create("writing");

    tcase_add_loop_test(reading, plain_text_is_read, 0, COUNT(cases));
    tcase_add_test(reading, cut_posts_are_read);
    tcase_add_test(reading, a_post_with_a_nul_or_too_long_is_not_read);
    tcase_add_loop_test(reading, a_flood_is_read, 0, COUNT(floods));
    suite_add_tcase(suite, reading);
    tcase_add_test(writing, marks_are_written);
    tcase_add_loop_test(writing, what_would_act_is_escaped, 0, COUNT(escapes));
    tcase_add_loop_test(writing, text_stays_text, 0, COUNT(plain_texts));
    tcase_add_test(writing, what_is_written_is_read_as_the_same);
    tcase_add_test(writing, what_is_read_is_written_as_the_same);
    suite_add_tcase(suite, writing);
    return suite;
}
