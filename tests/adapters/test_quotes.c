#include <check.h>

#include "adapters/markup/quotes.h"
#include "tests/adapters/rich_sane.h"
#include "tests/support/runner.h"

enum {
    Q = MARK_QUOTED,
    C = MARK_CODE
};

static const struct parting {
    struct {
        const char *text;
        unsigned marks;
    } runs[4];
    const char *parted;
} partings[] = {
    {{{"", 0}}, ""},
    {{{"a\nb\n", 0}}, "(a\nb\n)"},
    {{{"a", Q}}, "q(a)"},
    {{{"a", 0}, {"b", Q}, {"c", 0}}, "(a\n)q(b)(\nc)"},
    {{{"a\n", 0}, {"b\n", Q}, {"c", 0}}, "(a\n)q(b)(\nc)"},
    {{{"a\nb\n\nc", Q}}, "q(a)(\n)q(b)(\n\n)q(c)"},
    {{{"a", Q}, {"\n\n", 0}, {"b", Q}}, "q(a)(\n\n)q(b)"},
    {{{"\n", Q}, {"a", 0}}, "(\na)"},
    {{{"a", 0}, {"\n", Q}}, "(a\n)"},
    {{{"a\n", Q}}, "q(a)(\n)"},
    {{{"a", Q | MARK_BOLD}, {"b", Q}, {"c", MARK_BOLD}}, "bq(a)q(b)(\n)b(c)"},
    {{{"a\nb", C}}, "c(a\nb)"},
    {{{"a\n", C}}, "c(a\n)"},
    {{{"a\n", C}, {"b", Q | C}}, "c(a)(\n)qc(b)"},
    {{{"a\nb", Q | C}, {"\nc", C}}, "qc(a)(\n)qc(b)(\n)c(c)"},
    {{{"a", 0}, {"\xEF\xBF\xBC", Q}}, "(a\n)qo()"},
};

START_TEST(quoted_text_stands_on_lines_of_its_own)
{
    const struct parting *now = &partings[_i];
    struct rich rich = {.count = 0};
    struct rich parted = {.count = 0};
    struct buf shown = BUF_INIT;

    for (size_t i = 0; i < 4 && now->runs[i].text != NULL; i++) {
        rich_add_text(&rich, now->runs[i].text, now->runs[i].marks);
    }
    quotes_part(&rich, &parted);
    ck_assert(rich_is_sane(&parted));
    rich_show(&parted, &shown);
    ck_assert_str_eq(buf_text(&shown), now->parted);
    rich_release(&rich);
    rich_release(&parted);
    buf_release(&shown);
}
END_TEST

START_TEST(mentions_stay_mentions)
{
    struct rich rich = {.count = 0};
    struct rich parted = {.count = 0};
    struct buf shown = BUF_INIT;

    rich_add_text(&rich, "a", 0);
    rich_add_mention(&rich, "5", "@Anna\nLee", MARK_QUOTED | MARK_BOLD);
    quotes_part(&rich, &parted);
    rich_show(&parted, &shown);
    ck_assert_str_eq(buf_text(&shown), "(a\n)bqm5(@Anna)(\n)bqm5(Lee)");
    rich_release(&rich);
    rich_release(&parted);
    buf_release(&shown);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/quotes");
    TCase *tcase = tcase_create("quotes");

    tcase_add_loop_test(tcase, quoted_text_stands_on_lines_of_its_own, 0,
                        sizeof partings / sizeof partings[0]);
    tcase_add_test(tcase, mentions_stay_mentions);
    suite_add_tcase(suite, tcase);
    return suite;
}
