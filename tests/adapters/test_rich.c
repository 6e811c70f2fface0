#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "tests/adapters/rich_sane.h"
#include "tests/support/runner.h"

static void
assert_shows(const struct rich *rich, const char *expected)
{
    struct buf shown = BUF_INIT;

    ck_assert(rich_is_sane(rich));
    rich_show(rich, &shown);
    ck_assert_str_eq(buf_text(&shown), expected);
    buf_release(&shown);
}

START_TEST(a_zeroed_text_is_empty)
{
    struct rich rich = {.count = 0};

    assert_shows(&rich, "");
    rich_add_text(&rich, "", MARK_BOLD);
    rich_add_mention(&rich, "5", "", 0);
    assert_shows(&rich, "");
    rich_end_line(&rich, 0);
    rich_clear(&rich);
    rich_wipe(&rich);
    rich_release(&rich);
    assert_shows(&rich, "");
}
END_TEST

START_TEST(neighbours_with_the_same_marks_are_one_run)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "a", 0);
    rich_add_text(&rich, "b", 0);
    rich_add_text(&rich, "c", MARK_BOLD);
    rich_add_text(&rich, "d", MARK_BOLD);
    rich_add_text(&rich, "e", MARK_BOLD | MARK_RED);
    assert_shows(&rich, "(ab)b(cd)br(e)");
    ck_assert_int_eq(strncmp(rich_run_text(&rich, &rich.runs[1]), "cd", 2), 0);
    rich_clear(&rich);
    rich_add_text(&rich, "f", 0);
    assert_shows(&rich, "(f)");
    rich_release(&rich);
}
END_TEST

START_TEST(a_line_feed_keeps_the_marks_of_its_region_only)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "a\nb", MARK_BOLD | MARK_RED | MARK_STRUCK);
    assert_shows(&rich, "brs(a)(\n)brs(b)");
    rich_clear(&rich);
    rich_add_text(&rich, "a\nb",
                  MARK_BOLD | MARK_QUOTED | MARK_CODE | MARK_SPOILER);
    assert_shows(&rich, "bqcf(a)qcf(\n)bqcf(b)");
    rich_release(&rich);
}
END_TEST

static const struct oddity {
    const char *text;
    size_t len;
    const char *shown;
} oddities[] = {
    {"a\0b", 3,
     "(a\xEF\xBF\xBD"
     "b)"},
    {"a\xFF\xC3(", 4, "(a\xEF\xBF\xBD\xEF\xBF\xBD()"},
    {"\xED\xA0\x80", 3, "(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD)"},
    {"\xF0\x9F\x8E", 3, "(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD)"},
    {"a\r\nb\rc\r", 7, "(a\nb c )"},
    {"a\xEF\xBF\xBC"
     "b",
     5, "(a)o()(b)"},
};

START_TEST(what_is_no_text_is_replaced)
{
    const struct oddity *oddity = &oddities[_i];
    struct rich rich = {.count = 0};

    rich_add(&rich, oddity->text, oddity->len, 0);
    assert_shows(&rich, oddity->shown);
    rich_release(&rich);
}
END_TEST

START_TEST(mentions_of_two_users_are_two_runs)
{
    struct rich rich = {.count = 0};

    rich_add_mention(&rich, "5", "@An", MARK_BOLD);
    rich_add_mention(&rich, "5", "na", MARK_BOLD);
    rich_add_mention(&rich, "7", "@Bob", MARK_BOLD);
    rich_add_mention(&rich, NULL, "nobody", 0);
    rich_add_mention(&rich, "", "!", 0);
    assert_shows(&rich, "bm5(@Anna)bm7(@Bob)(nobody!)");
    ck_assert_int_eq(strncmp(rich_run_id(&rich, &rich.runs[1]), "7", 1), 0);
    rich_release(&rich);
}
END_TEST

START_TEST(a_mention_across_lines_is_stored_once)
{
    struct rich rich = {.count = 0};

    for (int i = 0; i < 100; i++) {
        rich_add_mention(&rich, "@anna:example.org", "a\nb", 0);
    }
    ck_assert(rich_is_sane(&rich));
    ck_assert_uint_eq(rich.ids.len, strlen("@anna:example.org"));
    rich_release(&rich);
}
END_TEST

START_TEST(an_object_is_one_character)
{
    struct rich rich = {.count = 0};

    rich_add_object(&rich, MARK_BOLD);
    rich_add_object(&rich, MARK_BOLD | MARK_OBJECT);
    ck_assert_uint_eq(rich.text.len, 6);
    assert_shows(&rich, "bo()");
    rich_release(&rich);
}
END_TEST

START_TEST(a_line_is_ended_once)
{
    struct rich rich = {.count = 0};

    rich_end_line(&rich, 0);
    rich_add_text(&rich, "a", MARK_BOLD | MARK_QUOTED);
    rich_end_line(&rich, MARK_BOLD | MARK_QUOTED);
    rich_end_line(&rich, MARK_BOLD | MARK_QUOTED);
    assert_shows(&rich, "bq(a)q(\n)");
    rich_release(&rich);
}
END_TEST

START_TEST(one_text_is_added_to_another_as_it_is)
{
    struct rich one = {.count = 0};
    struct rich other = {.count = 0};

    rich_add_text(&other, "a", MARK_BOLD);
    rich_add_mention(&other, "5", "@Anna", MARK_BOLD);
    rich_add_object(&other, MARK_CODE);
    rich_add_text(&other, "\nb", MARK_RED);
    rich_add_text(&one, "x", MARK_BOLD);
    rich_add_rich(&one, &other);
    assert_shows(&one, "b(xa)bm5(@Anna)co()(\n)r(b)");
    rich_release(&one);
    rich_wipe(&other);
}
END_TEST

static const char *
other_id(void *context, const char *id)
{
    (void)context;
    return strcmp(id, "5") == 0 ? "50" : strcmp(id, "6") == 0 ? "" : NULL;
}

START_TEST(mentions_can_be_of_others)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "5 ", 0);
    rich_add_mention(&rich, "5", "@Anna", MARK_BOLD);
    rich_add_mention(&rich, "6", "@Bob", MARK_BOLD);
    rich_add_mention(&rich, "7", "@Carl", MARK_RED);
    rich_map_mentions(&rich, other_id, NULL);
    ck_assert_str_eq(buf_text(&rich.text), "5 @Anna@Bob@Carl");
    ck_assert_uint_eq(rich.count, 4);
    ck_assert_uint_eq(rich.runs[1].marks, MARK_BOLD | MARK_MENTION);
    ck_assert_uint_eq(rich.runs[1].id_len, 2);
    ck_assert_int_eq(memcmp(rich_run_id(&rich, &rich.runs[1]), "50", 2), 0);
    ck_assert_uint_eq(rich.runs[2].marks, MARK_BOLD);
    ck_assert_uint_eq(rich.runs[3].marks, MARK_RED | MARK_MENTION);
    ck_assert_int_eq(*rich_run_id(&rich, &rich.runs[3]), '7');
    rich_release(&rich);
}
END_TEST

START_TEST(a_text_has_a_ceiling)
{
    struct rich rich = {.count = 0};
    char bytes[997];

    memset(bytes, '\xFF', sizeof bytes);
    for (int i = 0; i < 300; i++) {
        rich_add(&rich, bytes, sizeof bytes, i % 2 == 0 ? MARK_BOLD : 0U);
    }
    ck_assert(rich_is_sane(&rich));
    ck_assert(rich.text.cut);
    ck_assert_uint_le(rich.text.len, RICH_TEXT_MAX);
    ck_assert_uint_gt(rich.text.len, RICH_TEXT_MAX - 4000);
    rich_clear(&rich);
    rich_add_text(&rich, "room again", 0);
    assert_shows(&rich, "(room again)");
    rich_release(&rich);
}
END_TEST

START_TEST(the_ids_have_a_ceiling)
{
    struct rich rich = {.count = 0};
    char id[255];

    memset(id, 'x', sizeof id);
    for (int i = 0; i < 2000; i++) {
        id[0] = (char)('a' + i % 2);
        rich_add_mention_len(&rich, id, sizeof id, "b", 1, 0);
    }
    ck_assert(rich_is_sane(&rich));
    ck_assert_uint_eq(rich.text.len, 2000);
    /* One of the two ids is the last there was room for. */
    ck_assert_uint_eq(rich.runs[rich.count - 1].marks +
                          rich.runs[rich.count - 2].marks,
                      MARK_MENTION);
    rich_release(&rich);
}
END_TEST

START_TEST(a_dialect_is_found_by_its_name)
{
    ck_assert_ptr_eq(dialects_find("bbcode"), &dialect_bbcode);
    ck_assert_ptr_eq(dialects_find("board"), &dialect_board);
    ck_assert_ptr_eq(dialects_find("html"), &dialect_html);
    ck_assert_ptr_eq(dialects_find("matrix"), &dialect_matrix);
    ck_assert_ptr_eq(dialects_find("discord"), &dialect_discord);
    ck_assert_ptr_eq(dialects_find("plain"), &dialect_plain);
    ck_assert_ptr_null(dialects_find("BBCode"));
    ck_assert_ptr_null(dialects_find("markdown"));
    ck_assert_ptr_null(dialects_find(""));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/rich");
    TCase *tcase = tcase_create("rich");

    tcase_add_test(tcase, a_zeroed_text_is_empty);
    tcase_add_test(tcase, neighbours_with_the_same_marks_are_one_run);
    tcase_add_test(tcase, a_line_feed_keeps_the_marks_of_its_region_only);
    tcase_add_loop_test(tcase, what_is_no_text_is_replaced, 0,
                        sizeof oddities / sizeof oddities[0]);
    tcase_add_test(tcase, mentions_of_two_users_are_two_runs);
    tcase_add_test(tcase, a_mention_across_lines_is_stored_once);
    tcase_add_test(tcase, an_object_is_one_character);
    tcase_add_test(tcase, a_line_is_ended_once);
    tcase_add_test(tcase, one_text_is_added_to_another_as_it_is);
    tcase_add_test(tcase, mentions_can_be_of_others);
    tcase_add_test(tcase, a_text_has_a_ceiling);
    tcase_add_test(tcase, the_ids_have_a_ceiling);
    tcase_add_test(tcase, a_dialect_is_found_by_its_name);
    suite_add_tcase(suite, tcase);
    return suite;
}
