/* Cutting a text into pieces: what people see is all there, and nothing acts.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "bot/base/splitmix.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/runner.h"

static struct rich text;

static void
set_up(void)
{
    memset(&text, 0, sizeof text);
}

static void
tear_down(void)
{
    rich_release(&text);
}

static uint64_t state;

static unsigned
below(unsigned bound)
{
    return splitmix_below(&state, bound);
}

static const char *const units[] = {
    "Anna",   "the",    "vote", "Zoë",      "🟥⬜", "a\xcc\x81",
    "x*y_z",  "[b]",    "**",   "@all",     "!join",   "2.",
    "# talk", "> no",   "it's", "`",        "<b>",     "fifteen",
    "\\",     "- item", "1)",   "Präsident"};

/* Some lines of marked words, as the host writes them. */
static void
add_random(unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        const char *word = units[below(sizeof units / sizeof units[0])];
        switch (below(12)) {
        case 0:
            rich_add_text(&text, word, MARK_BOLD);
            break;
        case 1:
            rich_add_text(&text, "!join", MARK_CODE);
            break;
        case 2:
            rich_add_mention(&text, "123456789", "Bob", 0);
            break;
        case 3:
            rich_add_text(&text, "\n\n", 0);
            rich_add_text(&text, word, 0);
            break;
        case 4:
            rich_add_text(&text, "\n", 0);
            rich_add_text(&text, word, 0);
            break;
        default:
            rich_add_text(&text, word, 0);
            break;
        }
        rich_add_text(&text, " ", 0);
    }
}

/* What somebody reads in a text that was written, character by character with
 * its marks; blanks, line ends and what nobody sees apart. */
static void
read_back(const struct dialect *dialect, const struct rich *part,
          struct buf *out)
{
    struct rich read = {.count = 0};
    struct buf body = BUF_INIT;
    bool unread = false;
    dialect->write(part, &body);
    dialect->read(buf_text(&body), body.len, &read, &unread);
    ck_assert(!unread);
    for (size_t i = 0; i < read.count; i++) {
        const struct run *run = &read.runs[i];
        const char *at = rich_run_text(&read, run);
        for (size_t j = 0; j < run->len; j++) {
            bool guard =
                run->len - j >= 3 && memcmp(at + j, "\xe2\x80\x8b", 3) == 0;
            if (guard) {
                j += 2;
            } else if (strchr(" \n", at[j]) == NULL) {
                buf_add_char(out, at[j]);
                buf_add_char(out, (char)('0' + run->marks % 64));
            }
        }
    }
    rich_release(&read);
    buf_release(&body);
}

/* Cut the text for a dialect and a limit, and check each piece and all. */
static void
check_cut(const struct dialect *dialect, enum length unit, size_t longest)
{
    struct buf whole = BUF_INIT;
    struct buf joined = BUF_INIT;
    struct measure measure = {unit, longest, 0};
    size_t from = 0;
    unsigned pieces = 0;
    read_back(dialect, &text, &whole);
    while (from < text.text.len) {
        struct rich part = {.count = 0};
        struct buf body = BUF_INIT;
        size_t next = 0;
        size_t end = rich_piece(&text, from, dialect, &measure, &next);
        ck_assert_uint_gt(end, from);
        ck_assert_uint_ge(next, end);
        rich_add_part(&part, &text, from, end - from);
        dialect->write(&part, &body);
        ck_assert_msg(length_of(unit, buf_text(&body), body.len) <= longest,
                      "%s: a piece of %zu is longer than %zu: %s",
                      dialect->name, body.len, longest, buf_text(&body));
        read_back(dialect, &part, &joined);
        from = next;
        pieces++;
        rich_release(&part);
        buf_release(&body);
    }
    ck_assert_msg(strcmp(buf_text(&whole), buf_text(&joined)) == 0,
                  "%s, %zu: %u pieces read otherwise:\n%s\n%s", dialect->name,
                  longest, pieces, buf_text(&whole), buf_text(&joined));
    buf_release(&whole);
    buf_release(&joined);
}

START_TEST(random_texts_in_pieces_read_as_they_do_whole)
{
    for (unsigned round = 0; round < 120; round++) {
        state = round;
        rich_clear(&text);
        add_random(20 + below(200));
        const struct dialect *dialect = NULL;
        for (size_t i = 0; (dialect = tested_dialect_at(i)) != NULL; i++) {
            check_cut(dialect, (enum length)below(3), 150 + below(1500));
        }
    }
}
END_TEST

START_TEST(a_text_that_fits_is_one_piece)
{
    struct measure measure = {LENGTH_POINTS, 30, 0};
    size_t next = 0;
    rich_add_text(&text, "Anna names Bob.\n\nDo you agree?", 0);
    ck_assert_uint_eq(rich_piece(&text, 0, &dialect_plain, &measure, &next),
                      text.text.len);
    ck_assert_uint_eq(next, text.text.len);
}
END_TEST

/* The pieces of the text in plain, each in brackets. */
static const char *
cut_at(size_t longest, unsigned mentions)
{
    static char out[500];
    struct measure measure = {LENGTH_POINTS, longest, mentions};
    size_t from = 0;
    size_t len = 0;
    while (from < text.text.len) {
        size_t next = 0;
        size_t end = rich_piece(&text, from, &dialect_plain, &measure, &next);
        len += (size_t)snprintf(out + len, sizeof out - len, "(%.*s)",
                                (int)(end - from), buf_text(&text.text) + from);
        from = next;
    }
    return out;
}

static const char *
cut_plain(size_t longest)
{
    return cut_at(longest, 0);
}

START_TEST(it_is_cut_at_an_empty_line_else_a_line_else_a_word)
{
    rich_add_text(&text, "One two three.\n\nFour five.\nSix seven eight.", 0);
    ck_assert_str_eq(cut_plain(30),
                     "(One two three.\n\nFour five.)(Six seven eight.)");
    ck_assert_str_eq(cut_plain(20),
                     "(One two three.)(Four five.)(Six seven eight.)");
    ck_assert_str_eq(cut_plain(10),
                     "(One two)(three.)(Four five.)(Six seven)(eight.)");
}
END_TEST

START_TEST(no_line_begins_with_a_command_or_half_an_example)
{
    rich_add_text(&text, "To join post ", 0);
    rich_add_text(&text, "!join", MARK_CODE);
    rich_add_text(&text, " or again !leave or then go", 0);
    ck_assert_str_eq(cut_plain(22), "(To join post !join or)"
                                    "(again !leave or then)(go)");
}
END_TEST

START_TEST(an_example_of_two_words_is_never_halved)
{
    rich_add_text(&text, "Please post one of ", 0);
    rich_add_text(&text, "**Ja!**", MARK_CODE);
    rich_add_text(&text, " or ", 0);
    rich_add_text(&text, "**Nein!**", MARK_CODE);
    rich_add_text(&text, " in bold. See ", 0);
    rich_add_text(&text, "!help", MARK_CODE);
    rich_add_text(&text, " too", 0);
    ck_assert_str_eq(cut_plain(34), "(Please post one)"
                                    "(of **Ja!** or **Nein!** in)"
                                    "(bold. See !help too)");
}
END_TEST

START_TEST(where_there_is_no_gap_no_piece_begins_with_a_sign)
{
    rich_add_text(&text, "(post", 0);
    rich_add_text(&text, "!join", MARK_CODE);
    rich_add_text(&text, ")", 0);
    ck_assert_str_eq(cut_plain(6), "((pos)(t!join)())");
}
END_TEST

/* Words as in the host's posts, on one line: prose, commands, examples. */
static void
add_prose(unsigned words)
{
    static const char *const prose[] = {"the",  "vote", "ends,",    "Zoë",
                                        "à",    "then", "tracker.", "5",
                                        "“so”", "(and)"};
    for (unsigned i = 0; i < words; i++) {
        switch (below(9)) {
        case 0:
            rich_add_text(&text, "!join", MARK_CODE);
            break;
        case 1:
            rich_add_text(&text, "**Ja!**", MARK_CODE);
            rich_add_text(&text, " or ", 0);
            rich_add_text(&text, "**Nein!**", MARK_CODE);
            break;
        case 2:
            rich_add_mention(&text, "123456789", "Bob", 0);
            break;
        default:
            rich_add_text(&text, prose[below(10)], 0);
            break;
        }
        rich_add_text(&text, " so on ", 0);
    }
}

/* What begins a piece is a word outside of marks, and a vote word never stands
 * there without the other. */
static void
check_beginnings(const struct dialect *dialect, size_t longest)
{
    struct measure measure = {LENGTH_POINTS, longest, 0};
    size_t from = 0;
    while (from < text.text.len) {
        struct buf piece = BUF_INIT;
        size_t next = 0;
        size_t end = rich_piece(&text, from, dialect, &measure, &next);
        buf_add(&piece, buf_text(&text.text) + from, end - from);
        bool ja = strstr(buf_text(&piece), "Ja!") != NULL;
        bool nein = strstr(buf_text(&piece), "Nein!") != NULL;
        ck_assert_msg(ja == nein, "%s", buf_text(&piece));
        ck_assert_msg(from == 0 || strchr("!*@", piece.data[0]) == NULL, "%s",
                      buf_text(&piece));
        buf_release(&piece);
        from = next;
    }
}

START_TEST(no_piece_of_the_hosts_prose_begins_with_what_acts)
{
    for (unsigned round = 0; round < 200; round++) {
        const struct dialect *dialect = NULL;
        state = round;
        rich_clear(&text);
        add_prose(10 + below(100));
        for (size_t i = 0; (dialect = tested_dialect_at(i)) != NULL; i++) {
            check_beginnings(dialect, 120 + below(400));
        }
    }
}
END_TEST

START_TEST(what_has_no_gap_is_cut_between_characters_people_see)
{
    rich_add_text(&text,
                  "aaaae\xcc\x81"
                  "bbb🟥🟥",
                  0);
    ck_assert_str_eq(cut_plain(5), "(aaaa)(e\xcc\x81"
                                   "bbb)(🟥🟥)");
}
END_TEST

static void
mention(const char *name, const char *before)
{
    rich_add_text(&text, before, 0);
    rich_add_mention(&text, name, name, 0);
}

START_TEST(no_piece_mentions_more_people_than_a_post_may)
{
    mention("Anna", "");
    mention("Bob", ", ");
    mention("Anna", " and again ");
    mention("Carl", ", ");
    mention("Dora", ", ");
    rich_add_text(&text, ": shall they govern?", 0);
    ck_assert_str_eq(cut_at(500, 2), "(Anna, Bob and)(again Anna, Carl,)"
                                     "(Dora: shall they govern?)");
    ck_assert_str_eq(cut_at(500, 4), "(Anna, Bob and again Anna, Carl, Dora: "
                                     "shall they govern?)");
    ck_assert_str_eq(cut_at(500, 1), "(Anna,)(Bob and)(again Anna,)(Carl,)"
                                     "(Dora: shall they govern?)");
}
END_TEST

START_TEST(what_mentions_too_many_is_cut_at_a_line_where_there_is_one)
{
    mention("Anna", "The game begins. ");
    mention("Bob", ", ");
    mention("Carl", "\n\n");
    mention("Dora", ", ");
    ck_assert_str_eq(cut_at(500, 3),
                     "(The game begins. Anna, Bob)(Carl, Dora)");
}
END_TEST

START_TEST(a_post_is_measured_as_its_service_measures_it)
{
    const char *mixed = "aé🟥";
    ck_assert_uint_eq(length_of(LENGTH_POINTS, mixed, strlen(mixed)), 3);
    ck_assert_uint_eq(length_of(LENGTH_UTF16, mixed, strlen(mixed)), 4);
    ck_assert_uint_eq(length_of(LENGTH_BYTES, mixed, strlen(mixed)), 7);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/rich_piece");
    TCase *tests = tcase_create("pieces");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_texts_in_pieces_read_as_they_do_whole);
    tcase_add_test(tests, a_text_that_fits_is_one_piece);
    tcase_add_test(tests, it_is_cut_at_an_empty_line_else_a_line_else_a_word);
    tcase_add_test(tests, no_line_begins_with_a_command_or_half_an_example);
    tcase_add_test(tests, an_example_of_two_words_is_never_halved);
    tcase_add_test(tests, where_there_is_no_gap_no_piece_begins_with_a_sign);
    tcase_add_test(tests, no_piece_of_the_hosts_prose_begins_with_what_acts);
    tcase_add_test(tests, what_has_no_gap_is_cut_between_characters_people_see);
    tcase_add_test(tests, no_piece_mentions_more_people_than_a_post_may);
    tcase_add_test(tests,
                   what_mentions_too_many_is_cut_at_a_line_where_there_is_one);
    tcase_add_test(tests, a_post_is_measured_as_its_service_measures_it);
    suite_add_tcase(suite, tests);
    return suite;
}
