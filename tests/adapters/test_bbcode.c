#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/colour.h"
#include "adapters/markup/rich.h"
#include "tests/adapters/dialect_cases.h"
#include "tests/support/runner.h"

/* ---- reading ------------------------------------------------------------- */

static const struct dialect_case bbcode_cases[] = {
    {"", ""},
    {"plain", "(plain)"},
    /* R1: what is a tag, and what is text. */
    {"[b]Ja![/b]", "b(Ja!)"},
    {"[B]Ja![/b]", "b(Ja!)"},
    {"a[b]Ja!", "(a[b]Ja!)"},
    {"Ja![/b]", "(Ja![/b])"},
    {"[ b ]Ja![/b]", "([ b ]Ja![/b])"},
    {"[b ]Ja![/b]", "([b ]Ja![/b])"},
    {"[b=1]Ja![/b]", "([b=1]Ja![/b])"},
    {"[b][b]Ja![/b]", "([b])b(Ja!)"},
    {"[b][b]Ja![/b] no[/b]", "b(Ja! no)"},
    {"[b]Ja![/b][/b]", "b(Ja!)([/b])"},
    {"[foo]x[/foo]", "([foo]x[/foo])"},
    {"[b][foo]Ja![/foo][/b]", "b([foo]Ja![/foo])"},
    {"**Ja!** <b>x</b> `y`", "(**Ja!** <b>x</b> `y`)"},
    {"[b]J[/b][b]a![/b][b][/b]", "b(Ja!)"},
    {"[b", "([b)"},
    {"[", "([)"},
    {"[/", "([/)"},
    {"[[b]x[/b]]", "([)b(x)(])"},
    {"[b]a\nb[/b]", "b(a)(\n)b(b)"},
    {"[b]a\r\nb[/b]", "b(a)(\n)b(b)"},
    /* Crossed pairs. */
    {"[b][color=red]X[/b][/color]", "br(X)"},
    {"[b]a[i]b[/b]c[/i]", "b(ab)(c)"},
    {"[b][quote]a[/b]b[/quote]c", "bq(a)q(b)(c)"},
    {"[quote]a[b]b[/quote]c[/b]", "q(a)bq(b)b(c)"},
    /* Transparent elements. */
    {"[size=5][b][u]x[/u][/b][/size]", "b(x)"},
    {"[url=http://a.b/?c=d&e]x[/url]", "(x)"},
    {"[url]http://a.b[/url]", "(http://a.b)"},
    {"[highlight=yellow]x[/highlight][user=5]@y[/user]", "(x@y)"},
    {"[mention=5]@Anna[/mention]", "(@Anna)"},
    {"[i]open", "([i]open)"},
    /* Elements that stand on lines of their own. */
    {"a[center]b[/center]c", "(a\nb\nc)"},
    {"[b]J[center]a[/center][/b]", "b(J)(\n)b(a)(\n)"},
    {"[list][*]a[*][b]b[/b][/list]c", "(a\n)b(b)(\nc)"},
    {"[list]\n[*]a[/*]\n[/list]", "(\na\n\n)"},
    {"[*]a[/*][/*]", "(a\n[/*])"},
    {"[table][tr][td]J[/td][td]a[/td][/tr][/table]", "(J\na\n)"},
    /* R2: quotes. */
    {"[quote]a[/quote]b", "q(a)(b)"},
    {"[q]a[/q]b", "q(a)(b)"},
    {"[quote=Bob]a[/quote]b", "q(a)(b)"},
    {"[quote=\"[GM] Bob\"]a[/quote]b", "q(a)(b)"},
    {"[quote='B]b' pid='1' dateline='2']a[/quote]b", "q(a)(b)"},
    {"[quote=\"Bob, post: 1, member: 2\"]a[/quote]b", "q(a)(b)"},
    {"[quote author=Bob link=x date=1]a[/quote]b", "q(a)(b)"},
    {"[quote=\"B\\\"]\\\"b\"]a[/quote]b", "q(a)(b)"},
    {"[quote=O'Brien]a[/quote]b", "q(a)(b)"},
    {"[quote=\"Bob]a[/quote] \"hi\" b", "q(a)( \"hi\" b)"},
    {"[quote=[GM] Bob]a[/quote]b", "q( Bob]a)(b)"},
    {"[quote][quote]a[/quote]b[/quote]c", "q(ab)(c)"},
    {"[quote][quote]a[/quote] [b]b[/b]", "q(a )bq(b)"},
    {"[quote]a[/quote ] b", "q(a[/quote ] b)"},
    {"[/quote]a", "([/quote]a)"},
    {"[quotes]a[/quotes]", "([quotes]a[/quotes])"},
    /* Code: nothing inside is a tag. */
    {"[code][b]x[/b][/code]y", "c([b]x[/b])(y)"},
    {"[noparse][quote][/noparse][b]y[/b]", "c([quote])b(y)"},
    {"[php][/code][/PHP]y", "c([/code])(y)"},
    {"[code=c]x[/code]y", "c(x)(y)"},
    {"[code]x[/b]", "c(x[/b])"},
    {"[b][pre]x[/pre][/b]", "bc(x)"},
    /* Struck, folded. */
    {"[s]a[/s][strike]b[/strike][del]c[/del][-]d[/-]e", "s(abcd)(e)"},
    {"[s]a[b]b[/b]", "s(a)bs(b)"},
    {"[-] a", "s( a)"},
    {"[s]a[/strike]", "s(a[/strike])"},
    {"[spoiler=x]a[/spoiler][ispoiler]b[/ispoiler][hide]c[/hide]d",
     "f(abc)(d)"},
    /* An empty region still parts what stands beside it. */
    {"[b]J[s][/s]a[/b]", "b(J)bso()b(a)"},
    {"[b]J[code][/code]a[/b]", "b(J)bco()b(a)"},
    {"[b]J[s][i][/i][/s]a[/b]", "b(J)bso()b(a)"},
    /* Objects. */
    {"a[img]http://x/[b].png[/img]b", "(a)o()(b)"},
    {"[IMG width=5]x[/IMG][b][youtube]y[/youtube][/b]", "o()bo()"},
    {"[img]x [b]y[/b]", "([img]x )b(y)"},
    {"[img][img]x[/img]", "o()"},
    /* R13: the innermost colour decides. */
    {"[color=red]a[color=blue]b[/color]c[/color]", "r(a)(b)r(c)"},
    {"[color=blue]a[color=#F00]b[/color]c[/color]", "(a)r(b)(c)"},
    {"[color=\"red\"]a[/color][COLOR='Red']b[/COLOR]", "r(ab)"},
    {"[color= red ]a[/color]", "r(a)"},
    {"[color=rgb(226, 80, 65)]a[/color]", "r(a)"},
    {"[color=red]a[color]b[/color][color=what?]c[/color][/color]", "r(a)(bc)"},
    {"[color=f00]a[/color][color=c0392b]b[/color]", "r(ab)"},
    {"[color=red]a", "([color=red]a)"},
    {"[color=red\n]a[/color]", "([color=red\n]a[/color])"},
};

static const struct dialect_case board_cases[] = {
    {"[b]Ja![/b] [color=red]x[/color]", "b(Ja!)( )r(x)"},
    {"**Ja!**", "b(Ja!)"},
    {"** Ja! **", "b( Ja! )"},
    {"***Ja!***", "b(Ja!)"},
    {"****Ja!****", "b(Ja!)"},
    {"***Ja!**", "b(*Ja!)"},
    {"**Ja!***", "b(Ja!*)"},
    {"*Ja!*", "(*Ja!*)"},
    {"**Ja!", "(**Ja!)"},
    {"\\*\\*Ja!\\*\\*", "(\\*\\*Ja!\\*\\*)"},
    {"__Ja!__", "(__Ja!__)"},
    {"**a\nb**", "b(a)(\n)b(b)"},
    {"son**ja**", "(son)b(ja)"},
    {"**a** **b**", "b(a)( )b(b)"},
    {"****", "(****)"},
    {"**a[b]b**c[/b]", "b(abc)"},
    {"**[color=red]Anna[/color]**", "br(Anna)"},
    {"~~**Ja!**~~ **Nein!**", "bs(Ja!)( )b(Nein!)"},
    {"**a ~~b** c~~d", "b(a )bs(b)s( c)(d)"},
    {"~~a", "(~~a)"},
    {"||**a**||b", "bf(a)(b)"},
    {"a | b || c", "(a | b || c)"},
    /* Code. */
    {"`**a**` b", "c(**a**)( b)"},
    {"`[b]a[/b]`", "c([b]a[/b])"},
    {"``a`b`` c", "c(a`b)( c)"},
    {"`a\nb`", "(`a\nb`)"},
    {"`a", "(`a)"},
    {"a `` b ` c", "(a `` b ` c)"},
    {"```\n**a**\n```b", "c(**a**\n)(b)"},
    {"```diff\r\n- a\n```", "c(- a\n)"},
    {"```a b```c", "c(a b)(c)"},
    {"```x\n[/code]**a**", "c([/code]**a**)"},
    {"[code]```[/code]a", "c(```)(a)"},
    {"**a `b**` c**", "b(a )bc(b**)b( c)"},
    /* Quoted lines. */
    {"> a\nb", "q(a)(\nb)"},
    {"> a\n> b\nc", "q(a)(\n)q(b)(\nc)"},
    {"  > a\nb", "(  )q(a)(\nb)"},
    {">a", "(>a)"},
    {">> a", "(>> a)"},
    {"a > b", "(a > b)"},
    {">>> a\nb\n\n**c**", "q(a\nb\n\n)bq(c)"},
    {"> **a\nb**", "q(**a)(\nb**)"},
    {"**a\n> b**\n**c**", "(**a\n)q(b**)(\n)b(c)"},
    {"> `a\n> b`", "q(`a)(\n)q(b`)"},
    {"[quote]a\n> b\nc[/quote]d", "q(a\nb\nc)(d)"},
    {"**a [quote]b**[/quote]c**", "(**a )q(b**)(c**)"},
    {"```\n> a\n```", "c(> a\n)"},
    /* Mentions. */
    {"[mention=12]@Anna[/mention]", "m12(@Anna)"},
    {"**[mention=12]@Anna[/mention]**", "bm12(@Anna)"},
    {"[mention=\"12\"]@An[b]na[/b][/mention]", "m12(@An)bm12(na)"},
    {"[mention=1]a[mention=2]b[/mention]c[/mention]", "m1(a)m2(b)m1(c)"},
    {"[mention]@Anna[/mention]", "(@Anna)"},
    {"[mention=1[2]@Anna[/mention]", "(@Anna)"},
    {"[mention=\xC3\xA9]@Anna[/mention]", "(@Anna)"},
    {"[mention=12]@Anna", "([mention=12]@Anna)"},
    {"@[user 12] @Anna", "(@[user 12] @Anna)"},
    /* U+200B takes a mark's meaning. */
    {"*\xE2\x80\x8B*a*\xE2\x80\x8B*", "(**a**)"},
    {"\xE2\x80\x8B`a\xE2\x80\x8B`", "(`a`)"},
    {"`a\xE2\x80\x8B` b`", "c(a` b)"},
    {"\xE2\x80\x8B> a", "(> a)"},
    {"[\xE2\x80\x8B"
     "b]a[/b]",
     "([b]a[/b])"},
};

START_TEST(bbcode_is_read)
{
    assert_case(&dialect_bbcode, &bbcode_cases[_i]);
}
END_TEST

START_TEST(the_board_is_read)
{
    assert_case(&dialect_board, &board_cases[_i]);
}
END_TEST

START_TEST(cut_posts_are_read)
{
    for (size_t i = 0; i < COUNT(bbcode_cases); i++) {
        assert_bears_cuts(&dialect_bbcode, bbcode_cases[i].body);
        assert_bears_cuts(&dialect_board, bbcode_cases[i].body);
    }
    for (size_t i = 0; i < COUNT(board_cases); i++) {
        assert_bears_cuts(&dialect_board, board_cases[i].body);
    }
}
END_TEST

/* ---- limits -------------------------------------------------------------- */

START_TEST(a_post_with_a_nul_or_too_long_is_not_read)
{
    assert_keeps_limits(&dialect_bbcode);
    assert_keeps_limits(&dialect_board);
}
END_TEST

START_TEST(a_post_nested_too_deeply_is_not_read)
{
    struct buf body = BUF_INIT;

    repeat(&body, "[b]", RICH_DEPTH_MAX);
    repeat(&body, "[/b]", RICH_DEPTH_MAX);
    ck_assert(!is_unread(&dialect_board, &body));
    buf_clear(&body);
    repeat(&body, "[color=red]", RICH_DEPTH_MAX + 1);
    repeat(&body, "[/color]", RICH_DEPTH_MAX + 1);
    ck_assert(is_unread(&dialect_board, &body));
    buf_clear(&body);
    repeat(&body, "[mention=5]", RICH_DEPTH_MAX + 1);
    repeat(&body, "[/mention]", RICH_DEPTH_MAX + 1);
    ck_assert(is_unread(&dialect_board, &body));
    buf_release(&body);
}
END_TEST

/* Floods that mark nothing, of what a naive reader would search through again
 * and again. */
static const char *const floods[] = {
    "[b]",  "[/b]",         "[q=",    "[quote=\"", "[quote='x",     "[img]",
    "`",    "` `` ``` ",    "**",     "*** ",      "~~||**",        "[code",
    "> a[", "[mention=5]a", "[*]",    "[td]",      "=\"=\"",        "[url=\"\\",
    "\xCC", "a\xCC\x96",    "[/img]", "> > ",      "\xE2\x80\x8B`",
};

START_TEST(a_flood_is_read)
{
    flood_is_unread(&dialect_bbcode, floods[_i]);
    ck_assert(!flood_is_unread(&dialect_board, floods[_i]));
}
END_TEST

START_TEST(a_flood_of_tags_without_end_marks_nothing)
{
    struct buf body = BUF_INIT;
    struct rich rich = {.count = 0};
    bool unread;

    repeat(&body, "[b]Ja!", 10000);
    dialect_bbcode.read(body.data, body.len, &rich, &unread);
    ck_assert(!unread);
    ck_assert_uint_eq(rich.count, 1);
    ck_assert_uint_eq(rich.runs[0].marks, 0);
    ck_assert_uint_eq(rich.text.len, body.len);
    buf_release(&body);
    rich_release(&rich);
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

START_TEST(marks_are_written)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "Vote ", 0);
    rich_add_text(&rich, "Ja!", MARK_BOLD);
    rich_add_text(&rich, " or ", 0);
    rich_add_text(&rich, "[b]Nein![/b]", MARK_CODE);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "Anna", MARK_BOLD | MARK_RED);
    rich_add_text(&rich, " said ", MARK_BOLD);
    rich_add_text(&rich, "no\nno", MARK_QUOTED);
    rich_add_text(&rich, "x", MARK_STRUCK);
    rich_add_text(&rich, "y", MARK_SPOILER);
    rich_add_mention(&rich, "12", "@Bob", MARK_BOLD);
    assert_writes(&dialect_bbcode, &rich,
                  "Vote [b]Ja![/b] or [code][b]Nein![/b][/code]\n"
                  "[b][color=red]Anna[/color] said [/b]"
                  "[quote]no\nno[/quote][s]x[/s][spoiler]y[/spoiler]"
                  "[b]@Bob[/b]");
    assert_writes(&dialect_board, &rich,
                  "Vote [b]Ja![/b] or `[b]Nein![/b]`\n"
                  "[b][color=red]Anna[/color] said [/b]"
                  "[quote]no\nno[/quote][s]x[/s][spoiler]y[/spoiler]"
                  "[b][mention=12]@Bob[/mention][/b]");
    rich_release(&rich);
}
END_TEST

/* A phpBB knows no spoilers, struck text or mentions; its code is a box. */
START_TEST(a_phpbb_gets_no_tag_that_it_does_not_know)
{
    static const struct {
        const char *before, *text, *after;
        unsigned marks;
        const char *written;
    } cases[] = {
        {"", "Anna", ", name", MARK_SPOILER | MARK_STRUCK, "Anna, name"},
        {"Post ", "!join", " on a line.", MARK_CODE,
         "Post [i]!join[/i] on a line."},
        {"", "!join", " to join", MARK_CODE, "[i]!join[/i] to join"},
        {"a\n", "!join", "\nb", MARK_CODE, "a\n[code]!join[/code]\nb"},
        {"a\n", "0123", "\nb", MARK_CODE | MARK_SPOILER,
         "a\n[code]0123[/code]\nb"},
        {"a\n", "0123", "\nb", MARK_CODE | MARK_BOLD,
         "a\n[b][i]0123[/i][/b]\nb"},
        {"a\n", "0123", "\nb", MARK_CODE | MARK_QUOTED,
         "a\n[quote][i]0123[/i][/quote]\nb"},
        {"so: ", "[b]Anna[/b] [s]", ".", MARK_CODE,
         "so: [i][[i][/i]b]Anna[[i][/i]/b] [[i][/i]s][/i]."},
        {"so: ", "[/code]", ".", MARK_CODE, "so: [i][[i][/i]/code][/i]."},
        {"so: ", "a\nb", ".", MARK_CODE, "so: [code]a\nb[/code]."},
        {"Liberal \U0001F7E6", "\u2B1C", "", 0,
         "Liberal [color=#2060D0]\u25A0[/color]\u25A1"},
        {"", "\U0001F7E6", "", MARK_CODE, "[code]\U0001F7E6[/code]"},
        {"[code]", "a[/code]", "", 0, "[\u200Bcode]a[\u200B/code]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rich rich = {.count = 0};

        rich_add_text(&rich, cases[i].before, 0);
        rich_add_text(&rich, cases[i].text, cases[i].marks);
        rich_add_text(&rich, cases[i].after, 0);
        assert_writes(&dialect_phpbb, &rich, cases[i].written);
        rich_release(&rich);
    }
}
END_TEST

START_TEST(nobody_is_mentioned_on_a_phpbb)
{
    struct rich rich = {.count = 0};

    rich_add_mention(&rich, "4", "Anna", MARK_BOLD);
    rich_add_text(&rich, ", name your chancellor.", 0);
    assert_writes(&dialect_phpbb, &rich, "[b]Anna[/b], name your chancellor.");
    rich_release(&rich);
}
END_TEST

START_TEST(text_stays_text)
{
    assert_text_stays(&dialect_bbcode, plain_texts[_i]);
    assert_text_stays(&dialect_phpbb, plain_texts[_i]);
    assert_text_stays(&dialect_board, plain_texts[_i]);
}
END_TEST

START_TEST(what_is_written_is_read_as_the_same)
{
    static const char *const ids[] = {"1", "22", "@anna:example.org"};
    static const struct dialect_range bbcode = {.dialect = &dialect_bbcode,
                                                .marks = ~0U};
    static const struct dialect_range board = {.dialect = &dialect_board,
                                               .marks = ~0U,
                                               .ids = ids,
                                               .id_count = COUNT(ids)};

    assert_round_trips(&bbcode);
    assert_round_trips(&board);
}
END_TEST

/* ---- colours ------------------------------------------------------------- */

static const struct colour_case {
    const char *text;
    enum colour colour;
    bool bare;
} colour_cases[] = {
    {"red", COLOUR_RED, false},
    {" Red ", COLOUR_RED, false},
    {"darkred", COLOUR_RED, false},
    {"firebrick", COLOUR_RED, false},
    {"Crimson", COLOUR_RED, false},
    {"maroon", COLOUR_RED, false},
    {"indianred", COLOUR_RED, false},
    {"brown", COLOUR_RED, false},
    {"tomato", COLOUR_RED, false},
    {"orangered", COLOUR_OTHER, false},
    {"salmon", COLOUR_OTHER, false},
    {"magenta", COLOUR_OTHER, false},
    {"pink", COLOUR_OTHER, false},
    {"orange", COLOUR_OTHER, false},
    {"inherit", COLOUR_OUTSIDE, false},
    {"currentColor", COLOUR_OUTSIDE, false},
    {"initial", COLOUR_OTHER, false},
    {"", COLOUR_NONE, false},
    {"?", COLOUR_NONE, false},
    {"red;", COLOUR_NONE, false},
    {"#f00", COLOUR_RED, false},
    {"#F00F", COLOUR_RED, false},
    {"#f000", COLOUR_OTHER, false},
    {"#FF0000", COLOUR_RED, false},
    {"#ff000080", COLOUR_RED, false},
    {"#ff000000", COLOUR_OTHER, false},
    {"#c00", COLOUR_RED, false},
    {"#B22222", COLOUR_RED, false},
    {"#C0392B", COLOUR_RED, false},
    {"#b8312f", COLOUR_RED, false},
    {"#e25041", COLOUR_RED, false},
    {"#CD5C5C", COLOUR_RED, false},
    {"#A52A2A", COLOUR_RED, false},
    {"#FF6347", COLOUR_RED, false},
    {"#FF4500", COLOUR_OTHER, false},
    {"#FA8072", COLOUR_OTHER, false},
    {"#FF00FF", COLOUR_OTHER, false},
    {"#FFC0CB", COLOUR_OTHER, false},
    {"#800000", COLOUR_RED, false},
    {"#7f0000", COLOUR_OTHER, false},
    {"#ff4c4c", COLOUR_RED, false},
    {"#ff4d4d", COLOUR_OTHER, false},
    {"#ff3f00", COLOUR_RED, false},
    {"#ff4000", COLOUR_OTHER, false},
    {"#ff003f", COLOUR_RED, false},
    {"#ff0040", COLOUR_OTHER, false},
    {"#000", COLOUR_OTHER, false},
    {"#808080", COLOUR_OTHER, false},
    {"#ff00", COLOUR_OTHER, false},
    {"#ff000", COLOUR_NONE, false},
    {"#ggg", COLOUR_NONE, false},
    {"f00", COLOUR_NONE, false},
    {"f00", COLOUR_RED, true},
    {"FF0000", COLOUR_RED, true},
    {"f00f", COLOUR_NONE, true},
    {"00f", COLOUR_OTHER, true},
    {"red", COLOUR_RED, true},
    {"maroon", COLOUR_RED, true},
    {"rgb(255,0,0)", COLOUR_RED, false},
    {"RGB( 226, 80, 65 )", COLOUR_RED, false},
    {"rgb(184 49 47 / 50%)", COLOUR_RED, false},
    {"rgba(255, 0, 0, 0.5)", COLOUR_RED, false},
    {"rgba(255, 0, 0, 0)", COLOUR_OTHER, false},
    {"rgb(100%, 0%, 0%)", COLOUR_RED, false},
    {"rgb(999, -5, 0)", COLOUR_RED, false},
    {"rgb(0, 0, 255)", COLOUR_OTHER, false},
    {"rgb(255, 0)", COLOUR_NONE, false},
    {"rgb(255, 0, 0", COLOUR_NONE, false},
    {"rgb(255, 0, 0, 1, 1)", COLOUR_NONE, false},
    {"rgb(99999999999, 0, 0)", COLOUR_NONE, false},
    {"rgb(a, b, c)", COLOUR_NONE, false},
    {"rgb()", COLOUR_NONE, false},
    {"hsl(0, 100%, 50%)", COLOUR_RED, false},
    {"hsl(15deg 50% 25%)", COLOUR_RED, false},
    {"hsl(-15, 100%, 65%)", COLOUR_RED, false},
    {"hsl(345.5 100% 50%)", COLOUR_RED, false},
    {"hsla(720, 100%, 50%, 1)", COLOUR_RED, false},
    {"hsl(16, 100%, 50%)", COLOUR_OTHER, false},
    {"hsl(0, 49.9%, 50%)", COLOUR_OTHER, false},
    {"hsl(0, 100%, 66%)", COLOUR_OTHER, false},
    {"hsl(0, 100%, 24%)", COLOUR_OTHER, false},
    {"hsl(0.5turn, 100%, 50%)", COLOUR_NONE, false},
    {"lab(50% 70 50)", COLOUR_NONE, false},
    {"url(red)", COLOUR_NONE, false},
};

START_TEST(red_is_told_from_other_colours)
{
    const struct colour_case *now = &colour_cases[_i];

    ck_assert_msg(colour_read(now->text, strlen(now->text), now->bare) ==
                      now->colour,
                  "%s", now->text);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/bbcode");
    TCase *reading = tcase_create("reading");
    TCase *writing = tcase_create("writing");
    TCase *colours = tcase_create("colours");

    tcase_add_loop_test(reading, bbcode_is_read, 0, COUNT(bbcode_cases));
    tcase_add_loop_test(reading, the_board_is_read, 0, COUNT(board_cases));
    tcase_add_test(reading, cut_posts_are_read);
    tcase_add_test(reading, a_post_with_a_nul_or_too_long_is_not_read);
    tcase_add_test(reading, a_post_nested_too_deeply_is_not_read);
    tcase_add_loop_test(reading, a_flood_is_read, 0, COUNT(floods));
    tcase_add_test(reading, a_flood_of_tags_without_end_marks_nothing);
    suite_add_tcase(suite, reading);
    tcase_add_test(writing, marks_are_written);
    tcase_add_test(writing, a_phpbb_gets_no_tag_that_it_does_not_know);
    tcase_add_test(writing, nobody_is_mentioned_on_a_phpbb);
    tcase_add_loop_test(writing, text_stays_text, 0, COUNT(plain_texts));
    tcase_add_test(writing, what_is_written_is_read_as_the_same);
    suite_add_tcase(suite, writing);
    tcase_add_loop_test(colours, red_is_told_from_other_colours, 0,
                        COUNT(colour_cases));
    suite_add_tcase(suite, colours);
    return suite;
}
