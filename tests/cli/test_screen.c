/*
 * The paper: what a reader sees of a post in a terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/local/screen.h"
#include "tests/support/runner.h"

#define NOON INT64_C(1767614400000) /* Mon 2026-01-05 12:00 UTC */

static struct catalogue english;

/* A screen in English that writes to a stream. */
static struct screen
screen_on(FILE *out)
{
    struct screen screen;
    struct buf why = BUF_INIT;
    ck_assert_ptr_nonnull(out);
    screen_init(&screen, out);
    if (english.language.count == 0) {
        ck_assert_int_eq(catalogue_load(&english, "en", THEME_ORIGINAL, &why),
                         ERR_NONE);
    }
    screen.catalogue = &english;
    buf_release(&why);
    return screen;
}

/* What is written for some posts; yours to free. */
static char *
screen_of(const struct board_post *posts, unsigned count, bool colour,
          const char *reader)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct screen screen = screen_on(out);
    ck_assert(!screen.colour); /* it is no terminal */
    screen.colour = colour;
    screen.reader = reader;
    for (unsigned i = 0; i < count; i++) {
        screen_post(&screen, &posts[i]);
    }
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static struct board_post
post_of(const char *author, const char *text)
{
    return (struct board_post){.id = 1,
                               .stamp = NOON,
                               .place = "thread",
                               .author = author,
                               .text = text,
                               .reactions = ""};
}

#define DATE "── Mon 5 Jan 2026, UTC ──\n\n"

static void
assert_shown(const struct board_post *post, const char *expected)
{
    char *shown = screen_of(post, 1, false, NULL);
    ck_assert_msg(strncmp(shown, DATE, strlen(DATE)) == 0, "%s", shown);
    ck_assert_str_eq(shown + strlen(DATE), expected);
    free(shown);
}

/* What is said beside the posts, before and after one; yours to free. */
static char *
screen_with_notes(const char *note, bool colour)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct board_post post = post_of("Bob", "hello");
    struct rich rich = {.count = 0};
    bool unread = false;
    struct screen screen = screen_on(out);
    dialect_board.read(note, strlen(note), &rich, &unread);
    screen.colour = colour;
    screen_note(&screen, &rich);
    screen_post(&screen, &post);
    screen_note(&screen, &rich);
    ck_assert_int_eq(fclose(out), 0);
    rich_release(&rich);
    return text;
}

/* ---- marks --------------------------------------------------------------- */

static const struct {
    const char *text, *shown;
} marks[] = {
    {"hello", "hello"},
    {"**Ja!**", "**Ja!**"},
    {"[b]Ja![/b] yes", "**Ja!** yes"},
    {"[b][color=red]Bob[/color][/b]", "**[Bob]**"},
    {"[color=red]Bob[/color]", "[Bob]"},
    {"[b]I name [color=red]Bob[/color][/b].", "**I name [Bob]**."},
    {"`code`", "`code`"},
    {"~~no~~", "~~no~~"},
    {"||who||", "||who||"},
    {"[mention=Anna]Anna[/mention], you", "@Anna, you"},
    {"one  two\tthree ", "one two three"},
    {"two\nlines", "two\n      lines"},
    {"a\n\nb", "a\n\n      b"},
    {"[quote]**Ja!**[/quote]\nhm", "> **Ja!**\n      hm"},
    {"> **Ja!**\nhm", "> **Ja!**\n      hm"},
    {"** Ja! **", "**Ja!**"},
};

START_TEST(marks_are_shown_in_plain_text)
{
    char expected[256];
    struct board_post post = post_of("Anna", marks[_i].text);
    snprintf(expected, sizeof(expected), "12:00 Anna: %s\n", marks[_i].shown);
    assert_shown(&post, expected);
}
END_TEST

START_TEST(numbers_of_posts_are_shown_where_they_are_wanted)
{
    static const char expected[] =
        DATE "#1 12:00 Anna: hello\n#12 12:00 Ben, to #1: hm\n";
    struct board_post posts[] = {post_of("Anna", "hello"),
                                 post_of("Ben", "hm")};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct screen screen = screen_on(out);
    posts[1].id = 12;
    posts[1].reply = 1;
    screen.numbers = true;
    screen_post(&screen, &posts[0]);
    screen_post(&screen, &posts[1]);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

START_TEST(colour_says_bold_and_red_and_ends_with_the_line)
{
    struct board_post post = post_of("Anna", "[b][color=red]Bob[/color][/b]");
    char *shown = screen_of(&post, 1, true, NULL);
    ck_assert_ptr_nonnull(strstr(shown, "\033[0;1;31mBob\033[0m\n"));
    ck_assert_ptr_null(strchr(shown, '*'));
    free(shown);
}
END_TEST

START_TEST(colour_goes_on_behind_the_margin_of_the_next_line)
{
    struct board_post post = post_of(
        "Anna", "**one two three four five six seven eight nine ten eleven "
                "twelve thirteen**");
    char *shown = screen_of(&post, 1, true, NULL);
    ck_assert_ptr_nonnull(strstr(shown, "\033[0m\n      \033[0;1mthirteen"));
    free(shown);
}
END_TEST

/* ---- lines --------------------------------------------------------------- */

/* Columns that the widest line takes. */
static unsigned
widest(const char *text)
{
    unsigned most = 0;
    unsigned columns = 0;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    while (*bytes != '\0') {
        utf8proc_int32_t codepoint = 0;
        bytes += utf8proc_iterate(bytes, -1, &codepoint);
        int width = utf8proc_charwidth(codepoint);
        columns = codepoint == '\n' ? 0 : columns + (unsigned)width;
        most = columns > most ? columns : most;
    }
    return most;
}

static const char *const long_texts[] = {
    "A line of many short words that goes on and on until it is surely much "
    "longer than eighty columns, and then still goes on for a while.",
    "AWordThatIsLongerThanAnyLineOfThePaperAWordThatIsLongerThanAnyLineOfThe"
    "PaperAWordThatIsLongerThanAnyLineOfThePaperAWordThatIsLonger",
    "🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥🟥",
    "[b]A line of many short words that goes on and on[/b] [color=red]until it "
    "is surely[/color] [b]much longer than eighty columns, **is** it not?[/b]",
    "> A quoted line of many short words that goes on and on until it is surely "
    "much longer than eighty columns, and then still goes on for a while.",
};

START_TEST(no_line_is_wider_than_eighty_columns)
{
    struct board_post post = post_of("Anna", long_texts[_i]);
    char *shown = screen_of(&post, 1, false, NULL);
    ck_assert_uint_le(widest(shown), 80);
    ck_assert_uint_gt(widest(shown), 60);
    ck_assert_ptr_null(strstr(shown, " \n"));
    free(shown);
}
END_TEST

START_TEST(a_quote_that_wraps_stays_one)
{
    struct board_post post = post_of("Anna", long_texts[4]);
    char *shown = screen_of(&post, 1, false, NULL);
    ck_assert_ptr_nonnull(strstr(shown, "12:00 Anna: > A quoted"));
    ck_assert_ptr_nonnull(strstr(shown, "\n      > "));
    free(shown);
}
END_TEST

/* ---- who, when, to whom -------------------------------------------------- */

START_TEST(the_host_and_private_dms_stand_apart)
{
    struct board_post posts[] = {
        post_of("Anna", "hello"),
        post_of(BOARD_HOST, "**Round 1**\n\nAnna?"),
        post_of(BOARD_HOST, "Secret.\n\nRead it alone."),
        post_of("Anna", "discard 2"),
        post_of("Bob", "hm"),
        post_of("Carl", "hm"),
    };
    posts[2].place = "talk/Anna";
    posts[3].place = "talk/Anna";
    char *shown = screen_of(posts, 6, false, NULL);
    ck_assert_str_eq(shown, DATE "12:00 Anna: hello\n"
                                 "\n"
                                 "12:00 placard:\n"
                                 "      **Round 1**\n"
                                 "\n"
                                 "      Anna?\n"
                                 "\n"
                                 "12:00 placard to Anna, in private:\n"
                                 "    | Secret.\n"
                                 "    |\n"
                                 "    | Read it alone.\n"
                                 "\n"
                                 "12:00 Anna to placard, in private:\n"
                                 "    | discard 2\n"
                                 "\n"
                                 "12:00 Bob: hm\n"
                                 "12:00 Carl: hm\n");
    free(shown);
}
END_TEST

START_TEST(each_day_has_its_line)
{
    struct board_post posts[] = {post_of("Anna", "a"), post_of("Bob", "b"),
                                 post_of("Carl", "c")};
    posts[1].stamp += HOUR_MS;
    posts[2].stamp += DAY_MS;
    char *shown = screen_of(posts, 3, false, NULL);
    ck_assert_str_eq(shown, DATE "12:00 Anna: a\n"
                                 "13:00 Bob: b\n"
                                 "\n"
                                 "── Tue 6 Jan 2026, UTC ──\n"
                                 "\n"
                                 "12:00 Carl: c\n");
    free(shown);
}
END_TEST

START_TEST(reactions_and_edits_are_told)
{
    struct board_post post = post_of("Anna", "**Ja!**");
    post.reactions = "✅ by placard";
    assert_shown(&post, "12:00 Anna: **Ja!** (✅)\n");
    post.reactions = "✅ by placard, 👍 by Bob";
    post.edited = NOON + MINUTE_MS;
    assert_shown(&post, "12:00 Anna, edited 12:01: **Ja!** (✅, 👍 by Bob)\n");
}
END_TEST

/* ---- what must not come through ------------------------------------------ */

START_TEST(nothing_in_a_post_steers_the_terminal)
{
    static const char *const hostile[] = {
        "\033[2J\033[31mred",
        "\a\b\x7f",
        "a\302\23331mb", /* U+009B, which begins a sequence as well */
        "turn \xe2\x80\xae around",
        "\xff\xfe",
        "end\r\nover\rwrite",
    };
    for (unsigned i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
        struct board_post post = post_of("An\033na", hostile[i]);
        char *shown = screen_of(&post, 1, false, NULL);
        for (const char *c = shown; *c != '\0'; c++) {
            ck_assert((unsigned char)*c >= 0x20 || *c == '\n');
            ck_assert_int_ne(*c, 0x7f);
        }
        ck_assert_ptr_null(strstr(shown, "\xe2\x80\xae"));
        ck_assert_ptr_null(strstr(shown, "\xc2\x9b"));
        free(shown);
    }
}
END_TEST

START_TEST(the_escape_of_the_board_is_not_seen)
{
    struct board_post post = post_of("Anna", "*\xe2\x80\x8b*x*\xe2\x80\x8b*");
    assert_shown(&post, "12:00 Anna: **x**\n");
}
END_TEST

START_TEST(a_post_that_cant_be_read_says_so)
{
    size_t len = 70000;
    char *text = malloc(len + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', len);
    text[len] = '\0';
    struct board_post post = post_of("Anna", text);
    assert_shown(&post, "12:00 Anna: (a post that can't be read)\n");
    free(text);
}
END_TEST

START_TEST(nothing_is_coloured_where_no_colour_is_wished)
{
    struct screen screen;
    ck_assert_int_eq(setenv("NO_COLOR", "1", 1), 0);
    screen_init(&screen, stdout);
    ck_assert(!screen.colour);
}
END_TEST

/* ---- notes --------------------------------------------------------------- */

START_TEST(a_note_stands_apart_and_has_no_header)
{
    char *shown = screen_with_notes("Your vote: `**Ja!**`.", false);
    ck_assert_str_eq(shown,
                     "Your vote: `**Ja!**`.\n\n" DATE "12:00 Bob: hello\n"
                     "\nYour vote: `**Ja!**`.\n");
    free(shown);
}
END_TEST

START_TEST(a_note_is_wrapped_between_words)
{
    static const char first[] =
        "Personne d’autre n’a rien à dire : on vous attend. `/wait` laisse le "
        "temps qui\nreste s’écouler.\n";
    char *shown = screen_with_notes(
        "Personne d’autre n’a rien à dire : on vous attend. `/wait` laisse le "
        "temps qui reste s’écouler.",
        false);
    ck_assert_msg(strncmp(shown, first, sizeof(first) - 1) == 0, "%s", shown);
    free(shown);
}
END_TEST

START_TEST(a_note_has_its_marks_in_colour)
{
    static const char first[] = "vote: \033[0;36m**Ja!**\033[0m\n";
    char *shown = screen_with_notes("vote: `**Ja!**`", true);
    ck_assert_msg(strncmp(shown, first, sizeof(first) - 1) == 0, "%s", shown);
    free(shown);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("paper");
    TCase *tests = tcase_create("paper");
    tcase_add_loop_test(tests, marks_are_shown_in_plain_text, 0,
                        (int)(sizeof(marks) / sizeof(marks[0])));
    tcase_add_test(tests, numbers_of_posts_are_shown_where_they_are_wanted);
    tcase_add_test(tests, colour_says_bold_and_red_and_ends_with_the_line);
    tcase_add_test(tests, colour_goes_on_behind_the_margin_of_the_next_line);
    tcase_add_loop_test(tests, no_line_is_wider_than_eighty_columns, 0,
                        (int)(sizeof(long_texts) / sizeof(long_texts[0])));
    tcase_add_test(tests, a_quote_that_wraps_stays_one);
    tcase_add_test(tests, the_host_and_private_dms_stand_apart);
    tcase_add_test(tests, each_day_has_its_line);
    tcase_add_test(tests, reactions_and_edits_are_told);
    tcase_add_test(tests, nothing_in_a_post_steers_the_terminal);
    tcase_add_test(tests, the_escape_of_the_board_is_not_seen);
    tcase_add_test(tests, a_post_that_cant_be_read_says_so);
    tcase_add_test(tests, nothing_is_coloured_where_no_colour_is_wished);
    tcase_add_test(tests, a_note_stands_apart_and_has_no_header);
    tcase_add_test(tests, a_note_is_wrapped_between_words);
    tcase_add_test(tests, a_note_has_its_marks_in_colour);
    suite_add_tcase(suite, tests);
    return suite;
}
