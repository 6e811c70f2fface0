/* Refused messages in a plainer form, in the dialects that services are
 * written in. */
#include <check.h>

#include "bot/host/table/plainer.h"
#include "tests/support/runner.h"

#define BALLOT "\xF0\x9F\x97\xB3"

/* A message with all that makes it refused, in a dialect. */
static void
write_message(const struct dialect *dialect, struct buf *text)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, BALLOT " Round 5", MARK_BOLD);
    rich_add_text(&rich, ": ", 0);
    rich_add_mention(&rich, "anna", "@Anna", 0);
    rich_add_text(&rich,
                  " names *Bob_.\n\nRead https://example.org/a_b now: ", 0);
    rich_add_text(&rich, "!vote", MARK_CODE);
    dialect->write(&rich, text);
    rich_release(&rich);
}

static void
assert_line(const struct dialect *dialect, const char *text, unsigned number,
            const char *expected)
{
    struct buf line = BUF_INIT;
    bool more = false;

    ck_assert_int_eq(plainer_line(dialect, text, number, &line, &more),
                     expected != NULL);
    ck_assert_str_eq(buf_text(&line), expected == NULL ? "" : expected);
    ck_assert_int_eq(more, number == 0);
    buf_release(&line);
}

START_TEST(emoji_and_links_are_left_out_and_marks_and_mentions_stay)
{
    static const struct {
        const struct dialect *dialect;
        const char *first, *gap, *second;
    } cases[] = {
        {&dialect_markdown, "**\xE2\x80\x8B Round 5**: @Anna names \\*Bob\\_.",
         "\n\xE2\x80\x8B\n", "Read  now: `!vote`"},
        {&dialect_discord, "** Round 5**: @Anna names \\*Bob\\_.", "\n\n",
         "Read  now: `!vote`"},
        {&dialect_bbcode, "[b] Round 5[/b]: @Anna names *Bob_.", "\n\n",
         "Read  now: [code]!vote[/code]"},
        {&dialect_phpbb, "[b] Round 5[/b]: @Anna names *Bob_.", "\n\n",
         "Read  now: !vote"},
    };
    struct buf text = BUF_INIT;
    struct buf whole = BUF_INIT;
    struct buf plain = BUF_INIT;

    write_message(cases[_i].dialect, &text);
    buf_addf(&whole, "%s%s%s", cases[_i].first, cases[_i].gap,
             cases[_i].second);
    plainer_text(cases[_i].dialect, buf_text(&text), &plain);
    ck_assert_str_eq(buf_text(&plain), buf_text(&whole));
    buf_release(&text);
    buf_release(&whole);
    buf_release(&plain);
}
END_TEST

/* Though Markdown holds a blank line with a U+200B. */
START_TEST(each_line_that_is_not_blank_is_one)
{
    const struct dialect *dialect =
        _i == 0 ? &dialect_discord : &dialect_markdown;
    struct buf text = BUF_INIT;

    write_message(dialect, &text);
    assert_line(dialect, buf_text(&text), 0,
                _i == 0 ? "** Round 5**: @Anna names \\*Bob\\_."
                        : "**\xE2\x80\x8B Round 5**: @Anna names "
                          "\\*Bob\\_.");
    assert_line(dialect, buf_text(&text), 1, "Read  now: `!vote`");
    assert_line(dialect, buf_text(&text), 2, NULL);
    buf_release(&text);
}
END_TEST

START_TEST(a_long_line_is_cut_between_words_and_none_is_lost)
{
    const struct dialect *dialect = &dialect_markdown;
    struct buf text = BUF_INIT;
    struct buf joined = BUF_INIT;
    struct buf line = BUF_INIT;
    bool more = true;

    for (int i = 0; i < 100; i++) {
        buf_addf(&text, "%sword%d", i == 0 ? "" : i == 90 ? "\n\n" : " ", i);
    }
    for (unsigned number = 0; more; number++) {
        buf_clear(&line);
        ck_assert(plainer_line(dialect, buf_text(&text), number, &line, &more));
        ck_assert_uint_le(line.len, 150);
        buf_addf(&joined, "%s%s",
                 joined.len == 0 ? ""
                 : more          ? " "
                                 : "\n\n",
                 buf_text(&line));
    }
    ck_assert_str_eq(buf_text(&joined), buf_text(&text));
    ck_assert(!plainer_line(dialect, buf_text(&text), 9, &line, &more));
    buf_release(&text);
    buf_release(&joined);
    buf_release(&line);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/plainer");
    TCase *tcase = tcase_create("plainer");

    tcase_add_loop_test(
        tcase, emoji_and_links_are_left_out_and_marks_and_mentions_stay, 0, 4);
    tcase_add_loop_test(tcase, each_line_that_is_not_blank_is_one, 0, 2);
    tcase_add_test(tcase, a_long_line_is_cut_between_words_and_none_is_lost);
    suite_add_tcase(suite, tcase);
    return suite;
}
