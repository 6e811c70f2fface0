#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "tests/adapters/dialect_cases.h"
#include "tests/adapters/expressible.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

/* ---- reading ------------------------------------------------------------- */

static const struct dialect_case cases[] = {
    {"", ""},
    {"plain", "(plain)"},
    /* Bold. */
    {"**Ja!**", "b(Ja!)"},
    {"** Ja! **", "b( Ja! )"},
    {"***Ja!***", "b(Ja!)"},
    {"****Ja!****", "b(Ja!)"},
    {"*****Ja!*****", "b(Ja!)"},
    {"******\n**Ja!**\n_______", "(******\n)b(Ja!)(\n_______)"},
    {"***Ja!**", "b(*Ja!)"},
    {"**Ja!***", "b(Ja!*)"},
    {"**a** **b**", "b(a)( )b(b)"},
    {"son**ja**x", "(son)b(ja)(x)"},
    {"**a\nb**", "b(a)(\n)b(b)"},
    {"**a\r\nb**", "b(a)(\n)b(b)"},
    {"**Ja!", "(**Ja!)"},
    {"Ja!**", "(Ja!**)"},
    {"****", "(****)"},
    {"*****", "(*****)"},
    {"** **", "b( )"},
    {"**a**b**", "b(a)(b**)"},
    {"\xEF\xBC\x8A\xEF\xBC\x8AJa!\xEF\xBC\x8A\xEF\xBC\x8A",
     "(\xEF\xBC\x8A\xEF\xBC\x8AJa!\xEF\xBC\x8A\xEF\xBC\x8A)"},
    {"[b]Ja![/b] <b>Ja!</b>", "([b]Ja![/b] <b>Ja!</b>)"},
    {"    **a**", "(    )b(a)"},
    /* Slanted and underlined: seen, and nothing else. */
    {"*Ja!* _Ja!_ __Ja!__", "(Ja! Ja! Ja!)"},
    {"__**Ja!**__ **__Nein!__**", "b(Ja!)( )b(Nein!)"},
    {"*a **b** c*", "(a )b(b)( c)"},
    {"_**Ja!**_", "b(Ja!)"},
    {"***a** b*", "b(a)( b)"},
    {"***a* b**", "b(a b)"},
    {"*a **b* c**", "(a **b c**)"},
    {"**a *b** c*", "b(a *b)( c*)"},
    {"__a **b__ c**", "(a **b c**)"},
    {"**a __b** c__", "b(a __b)( c__)"},
    {"* a * **b**", "(a * )b(b)"},
    {"2 * 3 * **b**", "(2 * 3 * )b(b)"},
    {"snake_case_x **b**", "(snake_case_x )b(b)"},
    {"*a", "(*a)"},
    {"_a __b", "(_a __b)"},
    {"___a___", "(a)"},
    {"_____", "(_____)"},
    /* Struck and folded. */
    {"~~**Ja!**~~ **Nein!**", "bs(Ja!)( )b(Nein!)"},
    {"~~ a ~~", "s( a )"},
    {"~~~a~~~", "s(~a)(~)"},
    {"~~a", "(~~a)"},
    {"~a~ ~~~~", "(~a~ ~~~~)"},
    {"~~a~~_", "(~~a~~_)"},
    {"__~~**a**~~__", "bs(a)"},
    {"__~~a~~_b~~__", "s(a~~_b)"},
    {"**a ~~b** c~~d", "b(a ~~b)( c~~d)"},
    {"||**a**||b", "bf(a)(b)"},
    {"||a|||", "f(a)(|)"},
    {"|||a||", "f(|a)"},
    {"||||", "(||||)"},
    {"||a\nb||", "f(a\nb)"},
    {"||a", "(||a)"},
    {"||a\\||**b**", "f(a\\)b(b)"},
    {"||a **b|| c**", "f(a **b)( c**)"},
    {"**a**||x||**b**", "b(a)f(x)b(b)"},
    /* Code. */
    {"`**a**` b", "c(**a**)( b)"},
    {"``a`b`` c", "c(a`b)( c)"},
    {"``a`", "c(`a)"},
    {"`a``", "(`a``)"},
    {"`a", "(`a)"},
    {"`a\nb`", "c(a\nb)"},
    {"`a\\`", "c(a\\)"},
    {"a `` b ` c", "(a )c(` b )( c)"},
    {"**a `b** c` d**", "b(a `b)( c` d**)"},
    {"||`||`||", "f(`)(`||)"},
    {"``` a ``` b", "c( a )( b)"},
    {"````a````", "c(`a)(`)"},
    {"`````` **a**", "(`````` )b(a)"},
    {"```````", "c(`)"},
    {"`````````````` **a**", "c(``)( )b(a)"},
    {"```````````````", "c(``)(`)"},
    {"```\n**Ja!**\n```", "c(**Ja!**\n)"},
    {"```diff\n- a\n```b", "c(- a\n)(b)"},
    {"```ansi\n\x1B[1;31mJa!\x1B[0m\n```", "c(\x1B[1;31mJa!\x1B[0m\n)"},
    {"```a b```", "c(a b)"},
    {"```diff```", "c(diff)"},
    {"```diff\n```", "c(diff\n)"},
    {"```\n\n```", "c(\n)"},
    {"```\n\n```**Ja!**```", "c(\n```**Ja!**)"},
    {"```\n**Ja!**", "(```\n)b(Ja!)"},
    {"```a``", "c(`a)"},
    {"```\n> a\n# b\n```", "c(> a\n# b\n)"},
    /* Quotes. */
    {"> **Ja!**\n**Nein!**", "bq(Ja!)(\n)b(Nein!)"},
    {"> a\n> b\nc", "q(a)(\n)q(b)(\nc)"},
    {"> a\r\nb", "q(a )(\nb)"},
    {"   > a", "q(a)"},
    {">  a", "q( a)"},
    {"> > a", "q(> a)"},
    {"> ", ""},
    {"> \n**b**", "(\n)b(b)"},
    {">a", "(>a)"},
    {">> a", "(>> a)"},
    {"\t> a", "(\t> a)"},
    {"a > b", "(a > b)"},
    {">>> a\nb\n\n**c**", "q(a\nb\n\n)bq(c)"},
    {"a\n >>> b\n> c", "(a\n)q(b\n> c)"},
    {">>>a", "(>>>a)"},
    {"> **a\nb**", "q(**a)(\nb**)"},
    {"> `a\n> b`", "q(`a)(\n)q(b`)"},
    {"> ```\n**Ja!**\n> ```", "q(```)(\n)b(Ja!)(\n)q(```)"},
    {"**a\n> b** **c**", "b(a)(\n)bq(b)q( )bq(c)"},
    {"**a\n>>> b** c\nd", "b(a)(\n)bq(b)q( c\nd)"},
    {"**> Ja!** **b**", "bq(Ja!)q( )bq(b)"},
    {"x **> Ja!**", "(x )b(> Ja!)"},
    {"# > **Ja!**", "bq(Ja!)"},
    {"1. > **Ja!**", "q(1. )bq(Ja!)"},
    /* The beginnings of lines. */
    {"# Ja!", "(Ja!)"},
    {"### **a**\n#### b", "b(a)(\n#### b)"},
    {"#a\n#\n# ", "(#a\n#\n# )"},
    {" # **a**", "( # )b(a)"},
    {"-# **a**", "b(a)"},
    {"- **a**\n  * b", "b(a)(\nb)"},
    {"* **a**", "b(a)"},
    {"-a\n- \n*", "(-a\n- \n*)"},
    {"1. **a**\n2) b", "(1. )b(a)(\n2) b)"},
    {"# **a\nb**", "(**a\nb**)"},
    {"- **a\nb** **c**", "(**a\nb)b( )(c**)"},
    {"1. **a\nb** **c**", "(1. **a\nb)b( )(c**)"},
    {"**a\n# b\nc**", "b(a)(\n)b(b)(\n)b(c)"},
    {"> # a\n> - b", "q(a)(\n)q(b)"},
    {"**# a**", "b(# a)"},
    /* Backslashes. */
    {"\\*\\*Ja!\\*\\*", "(**Ja!**)"},
    {"**Ja\\!**", "b(Ja!)"},
    {"\\**a**", "(**a**)"},
    {"**a\\** b**", "b(a** b)"},
    {"**a\\\\**", "b(a\\)"},
    {"\\a \\\xC3\xA9 \\", "(\\a \\\xC3\xA9 \\)"},
    {"\\`**a**\\`", "(`)b(a)(`)"},
    {"\\> a\n\\# b\n\\- c", "(> a\n# b\n- c)"},
    {"\\<@5> \\[a](http://x.y)", "(<@5> [a]()a(http://x.y)())"},
    {"**\\*a\\***", "b(*a*)"},
    /* Mentions. */
    {"<@80351110224678912>", "m80351110224678912(@80351110224678912)"},
    {"**<@!5>**", "bm5(@5)"},
    {"**<@1> <@2>**", "bm1(@1)b( )bm2(@2)"},
    {"<@> <@a> <@5 > <@!> < @5>", "(<@> <@a> <@5 > <@!> < @5>)"},
    {"<@123456789012345678901>", "(<@123456789012345678901>)"},
    {"<@\xE2\x80\x8B"
     "5>",
     "(<@5>)"},
    {"<**@5>**", "(<)b(@5>)"},
    {"`<@5>`", "c(<@5>)"},
    /* Objects. */
    {"**a<@&5>b**", "b(a)bo()b(b)"},
    {"<#5><:ja:1><a:b_c:2><t:0><t:-1:R></a b:3>", "o()"},
    {"<@&> <#a> <::1> <:a:> <t:> <t:1:> <t:1:R </a> <x:a:1>",
     "(<@&> <#a> <::1> <:a:> <t:> <t:1:> <t:1:R </a> <x:a:1>)"},
    {"@everyone @here @Anna", "o()( )o()( @Anna)"},
    {"a http://x.y/**b**, **c**", "(a )a(http://x.y/**b**)(, )b(c)"},
    {"**https://ja/**", "ba(https://ja/)"},
    {"https://x.y\xE3\x80\x80**a**", "a(https://x.y)(\xE3\x80\x80)b(a)"},
    {"<https://x.y/**a**>b", "a(https://x.y/**a**)(b)"},
    {"<https://x.y/**a** b>", "(<)a(https://x.y/**a**)( b>)"},
    {"http:// https://x http", "(http:// https://x http)"},
    {"https\\://x.y/**a**", "(https://x.y/)b(a)"},
    {"a\xEF\xBF\xBC"
     "b",
     "(a)o()(b)"},
    /* Links behind words. */
    {"[**Ja!**](https://x.y)", "b(Ja!)"},
    {"**[Ja!](<https://x.y/(a)> \"b\")**c", "b(Ja!)(c)"},
    {"[a [b] c](http://x.y) d", "(a [b] c d)"},
    {"[a **b](http://x.y) c**", "(a **b c**)"},
    {"**a [b** c](http://x.y)", "b(a [b)( c]()a(http://x.y)())"},
    {"[a](x.y) [](http://x.y)", "([a](x.y) []()a(http://x.y)())"},
    {"[a](http://x.y", "([a]()a(http://x.y)"},
    {"[a] (http://x.y)", "([a] ()a(http://x.y)())"},
    {"[a]](http://x.y) [", "([a]]()a(http://x.y)() [)"},
};

START_TEST(discord_is_read)
{
    assert_case(&dialect_discord, &cases[_i]);
}
END_TEST

START_TEST(cut_posts_are_read)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_bears_cuts(&dialect_discord, cases[i].body);
    }
}
END_TEST

/* ---- limits -------------------------------------------------------------- */

START_TEST(a_post_with_a_nul_or_too_long_is_not_read)
{
    assert_keeps_limits(&dialect_discord);
}
END_TEST

START_TEST(a_post_nested_too_deeply_is_not_read)
{
    struct buf body = BUF_INIT;

    repeat(&body, "[", RICH_DEPTH_MAX);
    buf_add_char(&body, 'a');
    repeat(&body, "](http://x.y)", RICH_DEPTH_MAX);
    ck_assert(!is_unread(&dialect_discord, &body));
    buf_clear(&body);
    repeat(&body, "[", RICH_DEPTH_MAX + 1);
    buf_add_char(&body, 'a');
    repeat(&body, "](http://x.y)", RICH_DEPTH_MAX + 1);
    ck_assert(is_unread(&dialect_discord, &body));
    buf_release(&body);
}
END_TEST

/* What a naive reader would search through again and again. */
static const char *const floods[] = {
    "**a ",        "*a ",
    "__a ",        "_a ",
    "_a",          "** ",
    "*a **b ***c", "~~_ ",
    "~~a",         "||a",
    "|",           "`a``",
    "` `` ``` ",   "```a ",
    "```\n",       "```a\n",
    "[",           "[a](http://",
    "[[]",         "[a](http://x '",
    "]",           "]( ",
    "<",           "<@1",
    "<http://",    "<:a",
    "<t:1",        "</a ",
    "http://",     "http://.",
    "https",       "@everyone",
    "> ",          "> **a\n",
    ">>> ",        "# ",
    "# **a\n",     "- \n",
    "1. ",         "\\",
    "**\\",        "\xE2\x80\x8B",
    "\xFF",        "*a\\ ",
    "**a\n> b**",  "~~a~~_",
    "__~~a",       "*_~|`<[@#-\n",
    "*",           "_",
    "**_",
};

START_TEST(a_flood_is_read)
{
    ck_assert(!flood_is_unread(&dialect_discord, floods[_i]));
}
END_TEST

START_TEST(runs_of_backticks_of_every_length_are_read)
{
    struct buf body = BUF_INIT;

    for (unsigned len = 1; body.len + len < POST_MAX; len++) {
        repeat(&body, "`", len);
        buf_add_char(&body, ' ');
    }
    ck_assert(!is_unread(&dialect_discord, &body));
    buf_release(&body);
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

START_TEST(marks_are_written)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "Vote ", 0);
    rich_add_text(&rich, "Ja!", MARK_BOLD);
    rich_add_text(&rich, " or ", 0);
    rich_add_text(&rich, "**Nein!**", MARK_CODE);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "Anna", MARK_BOLD | MARK_RED);
    rich_add_text(&rich, " said ", MARK_BOLD);
    rich_add_text(&rich, "no\nno", MARK_QUOTED);
    rich_add_text(&rich, "x", MARK_STRUCK);
    rich_add_text(&rich, "y", MARK_SPOILER);
    rich_add_mention(&rich, "12", "@Bob", MARK_BOLD);
    rich_add_mention(&rich, "@bob:example.org", "@Bob", 0);
    assert_writes(&dialect_discord, &rich,
                  "Vote **Ja!** or `**Nein!**`\n**Anna said **\n"
                  "> no\n> no\n~~x~~||y||**<@12>**@Bob");
    rich_release(&rich);
}
END_TEST

/* A text, and how it is written so that it stays one. */
static const struct {
    const char *text;
    unsigned marks;
    const char *written;
} escapes[] = {
    {"**Ja!**", 0, "\\*\\*Ja!\\*\\*"},
    {"*a*", MARK_BOLD, "**\\*a\\*\xE2\x80\x8B**"},
    {"a_b ~c~ |d| `e`", 0, "a\\_b \\~c\\~ \\|d\\| \\`e\\`"},
    {"|", MARK_SPOILER, "||\\|\xE2\x80\x8B||"},
    {"a\\", MARK_BOLD, "**a\\\\**"},
    {"# a\n#b #c\n -# d", 0, "\\# a\n\\#b #c\n \\-# d"},
    {"- a - b\n* c\n1. d. e\n 12. f", 0,
     "\\- a - b\n\\* c\n1\\. d. e\n 12\\. f"},
    {"> a > b\n>>> c", 0, "\\> a > b\n\\>>> c"},
    {"# a", MARK_BOLD, "**\\# a**"},
    {"> a\n# b", MARK_QUOTED, "> \\> a\n> \\# b"},
    {"@everyone @Here @Anna", 0,
     "@\xE2\x80\x8B"
     "everyone @\xE2\x80\x8BHere @Anna"},
    {"@everyone", MARK_CODE,
     "`@\xE2\x80\x8B"
     "everyone`"},
    {"<@5> <@&5> <#5> <:a:5> <t:5>", 0,
     "\\<@\xE2\x80\x8B"
     "5> \\<@\xE2\x80\x8B&5> \\<#5> \\<:a:5> \\<t:5>"},
    {"[a](https://x.y)", 0, "\\[a](https\\://x.y)"},
    {"```\na\n```", 0, "\\`\\`\\`\na\n\\`\\`\\`"},
    {"`a``", MARK_CODE, "``\xE2\x80\x8B`a`\xE2\x80\x8B`\xE2\x80\x8B``"},
    {"**a**", MARK_CODE | MARK_BOLD, "**`*\xE2\x80\x8B*a*\xE2\x80\x8B*`**"},
    {"a\nb", MARK_BOLD, "**a**\n**b**"},
    {"a\nb", MARK_SPOILER, "||a\nb||"},
    {"a\n`b``", MARK_CODE, "```\na\n`b`\xE2\x80\x8B`\xE2\x80\x8B```"},
    {"\n", MARK_CODE, "`\n`"},
};

START_TEST(what_would_act_is_escaped)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, escapes[_i].text, escapes[_i].marks);
    assert_writes(&dialect_discord, &rich, escapes[_i].written);
    rich_release(&rich);
}
END_TEST

START_TEST(a_quote_begins_a_line_of_what_it_is_added_to)
{
    struct rich rich = {.count = 0};
    struct buf body = BUF_INIT;

    buf_add_text(&body, "a");
    rich_add_text(&rich, "b", MARK_QUOTED);
    dialect_discord.write(&rich, &body);
    ck_assert_str_eq(buf_text(&body), "a\n> b");
    rich_release(&rich);
    buf_release(&body);
}
END_TEST

START_TEST(text_stays_text)
{
    assert_text_stays(&dialect_discord, plain_texts[_i]);
}
END_TEST

START_TEST(what_comes_together_without_its_colour_pings_nobody)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "@", 0);
    rich_add_text(&rich, "every", MARK_RED);
    rich_add_mention(&rich, "@anna:example.org", "one <", 0);
    rich_add_text(&rich, "@5>", MARK_RED);
    assert_writes(&dialect_discord, &rich,
                  "@\xE2\x80\x8B"
                  "everyone \\<@\xE2\x80\x8B"
                  "5>");
    rich_release(&rich);
}
END_TEST

/* ---- the round-exchange -------------------------------------------------- */

static void
assert_says(const struct rich *rich, uint32_t seed)
{
    struct rich expressible = {.count = 0};
    struct buf body = BUF_INIT;

    expressible_discord(rich, &expressible);
    dialect_discord.write(rich, &body);
    assert_writes(&dialect_discord, &expressible, buf_text(&body));
    assert_round_trip(&dialect_discord, &expressible, seed);
    rich_release(&expressible);
    buf_release(&body);
}

START_TEST(what_is_written_is_read_as_the_same)
{
    static const char *const ids[] = {"1",
                                      "80351110224678912",
                                      "123456789012345678901",
                                      "@anna:example.org",
                                      "1>",
                                      "&1",
                                      "1> <@2"};
    static const struct dialect_range range = {.dialect = &dialect_discord,
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

        dialect_discord.read(cases[i].body, strlen(cases[i].body), &rich,
                             &unread);
        assert_says(&rich, (uint32_t)i);
        rich_release(&rich);
    }
}
END_TEST

/* An address, what stands behind it, and how both are written. */
static const struct {
    const char *address, *behind, *written;
    unsigned marks;
} addresses[] = {
    {"https://x.y/c/1/2", "", "https://x.y/c/1/2", 0},
    {"https://x.y/a_b_c", " and so on", "https://x.y/a_b_c and so on", 0},
    {"https://x.y/1", ".", "<https://x.y/1>.", 0},
    {"http://127.0.0.1:3001/1", "\n- a", "http://127.0.0.1:3001/1\n\\- a", 0},
    {"https://x.y/1", "", "**https://x.y/1**", MARK_BOLD},
    {"https://x.y/1", "", "`https://x.y/1`", MARK_CODE},
    {"https://x.y/a|b", "", "||https\\://x.y/a\\|b||", MARK_SPOILER},
    {"https://x.y/ **Ja!**", "", "https\\://x.y/ \\*\\*Ja!\\*\\*", 0},
    {"javascript:1", "", "javascript:1", 0},
};

START_TEST(an_address_that_is_one_can_be_followed)
{
    struct rich rich = {.count = 0};
    struct buf out = BUF_INIT;

    rich_add_text(&rich, addresses[_i].address,
                  MARK_ADDRESS | addresses[_i].marks);
    rich_add_text(&rich, addresses[_i].behind, 0);
    dialect_discord.write(&rich, &out);
    ck_assert_str_eq(buf_text(&out), addresses[_i].written);
    rich_release(&rich);
    buf_release(&out);
}
END_TEST

START_TEST(an_instant_is_shown_to_each_reader_in_their_own_zone)
{
    struct rich rich = {.count = 0};
    struct rich back = {.count = 0};
    struct buf out = BUF_INIT;
    bool unread = false;

    rich_add_text(&rich, "Vote until ", 0);
    rich_add_time(&rich, INT64_C(1795276800999), "Sat 22 Nov, 09:00", 0);
    rich_add_text(&rich, ".", 0);
    rich_add_time(&back, INT64_C(1795276800999), "09:00", MARK_CLOCK);
    dialect_discord.write(&back, &out);
    ck_assert_str_eq(buf_text(&out), "<t:1795276800:t>");
    buf_clear(&out);
    dialect_discord.write(&rich, &out);
    ck_assert_str_eq(buf_text(&out),
                     "Vote until <t:1795276800:f> (<t:1795276800:R>).");
    dialect_discord.read(buf_text(&out), out.len, &back, &unread);
    ck_assert_str_eq(buf_text(&back.text),
                     "Vote until \xEF\xBF\xBC (\xEF\xBF\xBC).");
    buf_clear(&out);
    rich_clear(&back);
    rich_add_rich(&back, &rich);
    dialect_board.write(&back, &out);
    ck_assert_str_eq(buf_text(&out), "Vote until Sat 22 Nov, 09:00.");
    rich_release(&rich);
    rich_release(&back);
    buf_release(&out);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/discord");
    TCase *reading = tcase_create("reading");
    TCase *writing = tcase_create("writing");

    tcase_add_loop_test(reading, discord_is_read, 0, COUNT(cases));
    tcase_add_test(reading, cut_posts_are_read);
    tcase_add_test(reading, a_post_with_a_nul_or_too_long_is_not_read);
    tcase_add_test(reading, a_post_nested_too_deeply_is_not_read);
    tcase_add_loop_test(reading, a_flood_is_read, 0, COUNT(floods));
    tcase_add_test(reading, runs_of_backticks_of_every_length_are_read);
    suite_add_tcase(suite, reading);
    tcase_add_test(writing, marks_are_written);
    tcase_add_loop_test(writing, what_would_act_is_escaped, 0, COUNT(escapes));
    tcase_add_test(writing, a_quote_begins_a_line_of_what_it_is_added_to);
    tcase_add_loop_test(writing, text_stays_text, 0, COUNT(plain_texts));
    tcase_add_test(writing,
                   what_comes_together_without_its_colour_pings_nobody);
    tcase_add_test(writing, what_is_written_is_read_as_the_same);
    tcase_add_test(writing, what_is_read_is_written_as_the_same);
    tcase_add_loop_test(writing, an_address_that_is_one_can_be_followed, 0,
                        COUNT(addresses));
    tcase_add_test(writing,
                   an_instant_is_shown_to_each_reader_in_their_own_zone);
    suite_add_tcase(suite, writing);
    return suite;
}
