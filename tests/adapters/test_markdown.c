#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/markdown.h"
#include "adapters/markup/rich.h"
#include "tests/adapters/dialect_cases.h"
#include "tests/support/effort.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/runner.h"

#define ZERO_WIDTH "\xE2\x80\x8B"

/* ---- reading ------------------------------------------------------------- */

static const struct dialect_case cases[] = {
    {"", ""},
    {"plain", "(plain)"},
    /* R1: strong emphasis, with what may stand beside its marks. */
    {"**Ja!**", "b(Ja!)"},
    {"__Ja!__", "b(Ja!)"},
    {"** Ja! **", "(** Ja! **)"},
    {"**Ja!", "(**Ja!)"},
    {"**Ja!**nein", "(**Ja!**nein)"},
    {"son**ja**", "(son)b(ja)"},
    {"a__b__c", "(a__b__c)"},
    {"*Ja!* _Ja!_", "(Ja! Ja!)"},
    {"***Ja!***", "b(Ja!)"},
    {"**a *b* c**", "b(a b c)"},
    {"*a **b** c*", "(a )b(b)( c)"},
    {"**a**b**c**", "b(a)(b)b(c)"},
    {"**a\nb**", "b(a)(\n)b(b)"},
    {"**a\n\nb**", "(**a\nb**)"},
    {"\\*\\*Ja!\\*\\*", "(**Ja!**)"},
    {"**Ja\\!**", "b(Ja!)"},
    {"\\\\**a**", "(\\)b(a)"},
    {"**Ja&#33;** &lt;b&gt;x&lt;/b&gt;", "b(Ja!)( <b>x</b>)"},
    {"&foo; &amp &#0; &#x4A;a", "(&foo; &amp \xEF\xBF\xBD Ja)"},
    {"a&#10;**b**", "(a )b(b)"},
    {"**\xC2\xA0Ja!**", "(**\xC2\xA0Ja!**)"},
    /* Blocks are transparent, and stand on lines of their own. */
    {"# Ja!\n## **b**", "(Ja!\n)b(b)"},
    {"**Ja!**\n===\na\n---\nb", "b(Ja!)(\na\nb)"},
    {"- **a**\n- b\n\n1. c", "b(a)(\nb\nc)"},
    {"- a\n  - **b**\n- c", "(a\n)b(b)(\nc)"},
    {"a\n\n***\n\nb", "(a\nb)"},
    {"a  \nb\\\nc", "(a\nb\nc)"},
    {"\xEF\xBB\xBF**a**\r\nb\rc", "(\xEF\xBB\xBF)b(a)(\nb\nc)"},
    {"| a | **b** |\n|---|---|\n| c | d |",
     "(| a | )b(b)( |\n|---|---|\n| c | d |)"},
    /* Links show their text, pictures are objects. */
    {"[**a**](http://b \"**c**\")", "b(a)"},
    {"[a][b] **[b]**\n\n[b]: <**c**> '**d**'", "(a )b(b)"},
    {"<https://x.y/**a**> https://x.y/a_b_c",
     "(https://x.y/**a** https://x.y/a_b_c)"},
    {"![**Ja!** <b>x [y](z)](u)**a**", "o()b(a)"},
    {"**a![b](c)d**", "b(a)bo()b(d)"},
    {"![a ![b](c) d](e)", "o()"},
    /* R2: quotes. */
    {"> a\n> b\nlazy\n\nc", "q(a\nb\nlazy)(\nc)"},
    {">**a**", "bq(a)"},
    {"> a\n\n> b", "q(a)(\n)q(b)"},
    {"> a\n>\n> b", "q(a\nb)"},
    {">> a\n> b", "q(a\nb)"},
    {"a\n> b", "(a\n)q(b)"},
    {"- > a\n- b", "q(a)(\nb)"},
    {">", "qo()"},
    {"[quote=\"bob, post:1, topic:2\"]\n**a**\n[/quote]\n**b**",
     "q(\n)bq(a)q(\n)(\n)b(b)"},
    {"[quote=\"a_b *c* d\"]e[/quote]f", "q(e)(f)"},
    {"[QUOTE]a[/Quote]b", "q(a)(b)"},
    {"[quote][quote]a[/quote]b[/quote]c", "q(ab)(c)"},
    {"[quote]\n> a\n[/quote]\n\n**b**", "q(a\n)b(b)"},
    {"[quote]\n\n- a\n\n[/quote]\n\nb", "q(a)(\nb)"},
    {"[quote]a\n\n**b**", "q(a\n)bq(b)"},
    {"[quote a", "([quote a)"},
    {"[quote\n]a", "([quote\n]a)"},
    {"[quotes]a[/quotes]", "([quotes]a[/quotes])"},
    {"[/quote]a [/quote=1]", "([/quote]a [/quote=1])"},
    {"\\[quote]a", "([quote]a)"},
    {"\\\\[quote]a", "(\\)q(a)"},
    {"[chat quote=\"bob;1;2\"]a[/chat]b [chat] c", "q(a)(b [chat] c)"},
    /* Spoilers and what is folded. */
    {"[spoiler]**a**[/spoiler]b", "bf(a)(b)"},
    {"**a [spoiler]b** c[/spoiler]d", "b(a )bf(b)f( c)(d)"},
    {"[details=\"A\"]\n\n**a**\n\n[/details]\n\nb", "bf(a)(\nb)"},
    {"[details open]a[/details]b", "f(a)(b)"},
    {"**J[spoiler][/spoiler]a!**", "b(J)bfo()b(a!)"},
    /* Code. */
    {"`**a**` ``b`c``", "c(**a**)( )c(b`c)"},
    {"`a\nb`", "c(a b)"},
    {"`a", "(`a)"},
    {"**a `b**` c**", "b(a )bc(b**)b( c)"},
    {"    **a**\n\n    b\nc", "c(**a**\n\nb)(\nc)"},
    {"\t**a**", "c(**a**)"},
    {"a\n    **b**", "(a\n)b(b)"},
    {"```diff\n- **a**\n\n  b\n```\nc", "c(- **a**\n\n  b)(\nc)"},
    {"~~~\n**a**\n~~~", "c(**a**)"},
    {"```\n**a**\n\n**b**", "c(**a**\n\n**b**)"},
    {"```\n```\na", "co()(\na)"},
    {"[code]**a** [b]c[/b] [quote][/code]d", "bc(a)c( [b]c[/b] [quote])(d)"},
    {"`[quote]` a", "c([quote])( a)"},
    /* Struck: two tildes. */
    {"~~**Ja!**~~ **Nein!**", "bs(Ja!)( )b(Nein!)"},
    {"~Ja!~ ~ a ~~ b ~~ ~~c", "(~Ja!~ ~ a ~~ b ~~ ~~c)"},
    {"**a ~~b** c~~d", "b(a )bs(b)s( c)(d)"},
    {"~~a\n\nb~~", "(~~a\nb~~)"},
    {"~~a\nb~~c", "s(a)(\n)s(b)(c)"},
    {"~~a ~~b~~ c~~d", "s(a b c)(d)"},
    {"a~~b~~c \\~~d~~", "(a)s(b)(c ~~d~~)"},
    {"[s]a[/s]b vote[s] **c**", "s(a)(b vote[s] )b(c)"},
    /* `[b]`: inside one paragraph and one mark. */
    {"[b]Ja![/b]", "b(Ja!)"},
    {"[B]Ja![/B][b]a", "b(Ja!)([b]a)"},
    {"[b]a\n\nb[/b]", "([b]a\nb[/b])"},
    {"[b]*a[/b]*", "b(a)"},
    {"*[b]a*[/b]", "([b]a[/b])"},
    {"[b]**a**[/b]b", "b(a)(b)"},
    {"[b]a[b]b[/b]c[/b]d", "b(abc)(d)"},
    {"[b=1]a[/b] [ b ]a", "([b=1]a[/b] [ b ]a)"},
    {"[b]a[/b]\n\n[b]: /c", "(ba[/b])"},
    {"[color=red]a[/color] [i]b[/i]", "([color=red]a[/color] [i]b[/i])"},
    /* HTML among text. */
    {"<b>Ja!</b> <STRONG>x</STRONG>", "b(Ja!)( )b(x)"},
    {"a <b>b **c**\n\nd", "(a )b(b c)(\n)b(d)"},
    {"<b style=\"font-weight: normal\">a</b>", "(a)"},
    {"<span style=\"font-weight: bold\">a</span>", "(a)"},
    {"<i><b>a</i></b>b</b>", "b(a)(b)"},
    {"< b>a</b>", "(< b>a)"},
    {"**J<!-- x -->a<i></i>!**", "b(Ja!)"},
    {"**J<br>a<img src=x>b**", "b(J)(\n)b(a)bo()b(b)"},
    {"x<s>a<del>b</s>c</del>d", "(x)s(abc)(d)"},
    {"x<code>**a**</code>y", "(x)bc(a)(y)"},
    {"x <span class=\"my-spoiler\">a<span>b</span>c</span>d", "(x )f(abc)(d)"},
    {"x <span hidden>a</span><em class=quote>b</em>c", "(x )f(a)q(b)(c)"},
    {"x<div>**a**</div>b", "(x\n)b(a)(b)"},
    {"x<s>a\n\n**b**", "(x)s(a)(\n)bs(b)"},
    {"x <s\nclass=a>b</s>c", "(x )s(b)(c)"},
    {"a &lt;s>b <font color=red>c</font>", "(a <s>b c)"},
    /* Blocks of HTML are objects, and what they open goes on. */
    {"<div>\n**a** <b>b</b>\n</div>\n\nc", "o()(\nc)"},
    {"<b>\n**a**\n</b>", "o()"},
    {"<details>\n<summary>a</summary>\n\n**b**\n\n</details>\n\n**c**",
     "fo()f(\n)bf(b)(\n)o()(\n)b(c)"},
    {"<blockquote>\n\n**a**\n\n> b", "qo()q(\n)bq(a)q(\nb)"},
    {"<!-- <s> -->\n\n**a**", "o()(\n)b(a)"},
    {"> <div>\n> <s>\n\nb", "qso()(\n)s(b)"},
    {"<div title=\"a\n\n**b**", "fo()f(\n)bf(b)"},
    /* Mentions: the id is the name in lower case. */
    {"@Anna", "manna(@Anna)"},
    {"**@Anna**!", "bmanna(@Anna)(!)"},
    {"(@bob.b-2_3.)", "(()mbob.b-2_3(@bob.b-2_3)(.))"},
    {"hi@x.y @ a @- @_ \\@b", "(hi@x.y @ a @- @_ @b)"},
    {"a **b**@c *@d*@e <x@f> <!-- -->@g", "(a )b(b)(@c )md(@d)(@e x@f )mg(@g)"},
    {"@\xC3\x9Cnal,@a@b", "m\xC3\xBCnal(@\xC3\x9Cnal)(,)ma(@a)(@b)"},
    {"[@anna](x) `@bob` *@**c**", "manna(@anna)( )c(@bob)( *@)b(c)"},
    {"@" ZERO_WIDTH "anna", "(@anna)"},
    {"[quote]@a[/quote] [code]@b[/code]", "qma(@a)( )c(@b)"},
};

START_TEST(markdown_is_read)
{
    assert_case(&forum_markdown, &cases[_i]);
}
END_TEST

START_TEST(cut_posts_are_read)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_bears_cuts(&forum_markdown, cases[i].body);
    }
}
END_TEST

START_TEST(a_name_has_at_most_60_letters)
{
    static const char letters[] =
        "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij";

    ck_assert_uint_eq(markdown_name_len(letters, 60), 60);
    ck_assert_uint_eq(markdown_name_len("a_--b.-", 7), 5);
    assert_reads(&forum_markdown,
                 "@abcdefghijabcdefghijabcdefghijabcdefghij"
                 "abcdefghijabcdefghijk",
                 62,
                 "(@abcdefghijabcdefghijabcdefghijabcdefghij"
                 "abcdefghijabcdefghijk)");
}
END_TEST

/* ---- limits -------------------------------------------------------------- */

START_TEST(a_post_with_a_nul_or_too_long_is_not_read)
{
    assert_keeps_limits(&forum_markdown);
}
END_TEST

/* Is a post not read that has an opening, its times over, then a text, then
 * as often a closing? */
static bool
nest_is_unread(const char *opening, unsigned times, const char *closing)
{
    struct buf body = BUF_INIT;

    repeat(&body, opening, times);
    buf_add_text(&body, "a");
    repeat(&body, closing, times);
    bool unread = is_unread(&forum_markdown, &body);
    buf_release(&body);
    return unread;
}

START_TEST(a_post_nested_too_deeply_is_not_read)
{
    static const char *const nests[][2] = {
        {">", ""},          {"- ", ""},
        {"* > ", ""},       {"1. ", ""},
        {"**a ", " b**"},   {"<s>", "</s>"},
        {"<b>", ""},        {"[quote]", ""},
        {"[b]", "[/b]"},    {"~~a ", " b~~"},
        {"[", "]"},         {"<details>\n\n", ""},
        {"a *b ", "c* d "}, {"<i class=quote>", ""},
    };

    for (size_t i = 0; i < COUNT(nests); i++) {
        ck_assert_msg(!nest_is_unread(nests[i][0], 20, nests[i][1]), "%s",
                      nests[i][0]);
        ck_assert_msg(
            nest_is_unread(nests[i][0], RICH_DEPTH_MAX + 1, nests[i][1]), "%s",
            nests[i][0]);
    }
}
END_TEST

START_TEST(a_post_with_too_many_brackets_is_not_read)
{
    struct buf body = BUF_INIT;

    repeat(&body, "[a] ", MARKDOWN_BRACKETS_MAX);
    ck_assert(!is_unread(&forum_markdown, &body));
    buf_add_char(&body, '[');
    ck_assert(is_unread(&forum_markdown, &body));
    buf_clear(&body);
    /* Those that are open at the end of a paragraph do not add up, and an
     * escaped one is none. */
    repeat(&body, "[\n\n", RICH_DEPTH_MAX + 1);
    repeat(&body, "\\[", RICH_DEPTH_MAX + 1);
    ck_assert(!is_unread(&forum_markdown, &body));
    buf_release(&body);
}
END_TEST

START_TEST(a_post_with_links_to_too_much_is_not_read)
{
    static const char *const kinds[] = {"[a] ", "![a] "};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct buf body = BUF_INIT;

        buf_add_text(&body, "[a]: ");
        repeat(&body, "b", MARKDOWN_LINKS_MAX / 100);
        buf_add_text(&body, "\n\n");
        repeat(&body, kinds[i], 100);
        ck_assert(!is_unread(&forum_markdown, &body));
        buf_add_text(&body, kinds[i]);
        ck_assert(is_unread(&forum_markdown, &body));
        buf_release(&body);
    }
}
END_TEST

/* Emphasis that crosses links, at the end of which md4c ends what it has not
 * begun. */
START_TEST(a_post_that_md4c_gets_wrong_is_not_read)
{
    static const char body[] = " [a](]*a])*\\a1. b****a";
    struct rich rich = {.count = 0};
    bool unread = false;

    forum_markdown.read(body, sizeof body - 1, &rich, &unread);
    ck_assert(unread);
    ck_assert_uint_eq(rich.count, 0);
    rich_release(&rich);
}
END_TEST

/* Floods of what a reader might search through again and again. */
static const char *const floods[] = {
    "*",
    "**",
    "**a ",
    "*a _b ",
    "_",
    "~~",
    "~~a ",
    "`",
    "` `` ",
    "``a`",
    "```a\n",
    "> a\n",
    "- a\n",
    "- a\n\n",
    "\n",
    "\t",
    "#",
    "a\n=\n",
    "<",
    "<a ",
    "<!--",
    "<a b=\"",
    "<a b=\"\n",
    "<div>\n",
    "<b></b>",
    "<i>",
    "</s>",
    "<s a=b>x</s>",
    "<?",
    "&",
    "&amp;",
    "@",
    "@a.",
    "@a",
    "\\",
    "\\\n",
    "]",
    "](a",
    "\xCC",
    "a\xCC\x96",
    "a  \n",
    "\r",
    "\r\n",
    "1. a\n",
    "|",
    "a|b\n-|-\nc\n",
    "\xEF\xBF\xBC",
    "<br>",
};

START_TEST(a_flood_is_read)
{
    ck_assert(!flood_is_unread(&forum_markdown, floods[_i]));
}
END_TEST

START_TEST(code_behind_tabulators_is_hardly_longer_than_its_post)
{
    struct buf body = BUF_INIT;
    struct rich rich = {.count = 0};
    bool unread = true;

    repeat(&body, "\t", POST_MAX - 1);
    buf_add_char(&body, 'a');
    forum_markdown.read(body.data, body.len, &rich, &unread);
    ck_assert(!unread && !rich.text.cut);
    ck_assert_uint_le(rich.text.len, body.len + 16);
    ck_assert_uint_eq(rich.runs[0].marks, MARK_CODE);
    buf_release(&body);
    rich_release(&rich);
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

/* Is what is written read as the same, as forums show it and by the program? */
static void
assert_both_read(const struct rich *rich, uint32_t seed)
{
    assert_round_trip(&forum_markdown, rich, seed);
    assert_round_trip(&dialect_markdown, rich, seed);
}

START_TEST(marks_are_written)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "Vote ", 0);
    rich_add_text(&rich, "Ja!", MARK_BOLD);
    rich_add_text(&rich, " or ", 0);
    rich_add_text(&rich, "**Nein!**", MARK_CODE);
    rich_add_text(&rich, ", ", 0);
    rich_add_mention(&rich, "anna", "Anna", MARK_BOLD);
    rich_add_text(&rich, ".\n\n", 0);
    rich_add_text(&rich, "no\nno", MARK_QUOTED);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "x", MARK_STRUCK);
    rich_add_text(&rich, "y", MARK_SPOILER);
    rich_add_text(&rich, "z", MARK_RED);
    assert_writes(&dialect_markdown, &rich,
                  "Vote **Ja!** or `**Nein!**`, **@Anna**.\n" ZERO_WIDTH "\n"
                  "> no\n> no\n\n~~x~~[spoiler]y[/spoiler]z");
    rich_release(&rich);
}
END_TEST

static const struct writing_case {
    const char *text;
    unsigned marks;
    const char *written;
} writing_cases[] = {
    {"*a* _b_ `c` <d> &amp; ~e~", 0,
     "\\*a\\* \\_b\\_ \\`c\\` \\<d> \\&amp; \\~e\\~"},
    {"# a\n- b\n2. c\n3 d\n> e", 0,
     ZERO_WIDTH "# a\n" ZERO_WIDTH "- b\n" ZERO_WIDTH "2. c\n3 d\n" ZERO_WIDTH
                "> e"},
    {"  a \n b", 0, ZERO_WIDTH "  a " ZERO_WIDTH "\n" ZERO_WIDTH " b"},
    {"@anna x@y.z @", 0, "@" ZERO_WIDTH "anna x@y.z @"},
    {"[a](b) ![c]", 0, "\\[a]" ZERO_WIDTH "(b) !\\[c]"},
    {"a`b", MARK_CODE, "``a`b``"},
    {"`", MARK_CODE, "`` ` ``"},
    {" a ", MARK_CODE, "`  a  `"},
    {"a\n*b*", MARK_CODE, ZERO_WIDTH "<code>a\n\\*b\\*</code>"},
    {"a", MARK_BOLD | MARK_STRUCK, "~~**a**~~"},
    {" a ", MARK_BOLD, "**" ZERO_WIDTH " a " ZERO_WIDTH "**"},
    {"(a)", MARK_BOLD, "**(a)**"},
    {"(a)", MARK_SPOILER, "[spoiler]" ZERO_WIDTH "(a)[/spoiler]"},
    {"a\nb", MARK_SPOILER, "[spoiler]a\nb[/spoiler]"},
};

START_TEST(what_would_act_is_escaped)
{
    const struct writing_case *now = &writing_cases[_i];
    struct rich rich = {.count = 0};

    rich_add_text(&rich, now->text, now->marks);
    assert_writes(&dialect_markdown, &rich, now->written);
    rich_release(&rich);
}
END_TEST

/* What Discourse alone knows would stand there as it is. */
START_TEST(nodebb_gets_no_tag_that_it_shows_as_text)
{
    static const struct {
        const char *before, *text, *after;
        unsigned marks;
        const char *written, *read;
    } texts[] = {
        {"a ", "b", " c", MARK_SPOILER, "a b c", "a b c"},
        {"a [spoiler] ", "[spoiler]", "", MARK_CODE,
         "a \\[spoiler] `[spoiler]`", "a [spoiler] [spoiler]"},
        {"a\n", "0123", "", MARK_CODE | MARK_SPOILER, "a\n`0123`", "a\n0123"},
        {"a\n", "b\n# <c> [spoiler]", "\n# d", MARK_CODE | MARK_SPOILER,
         "a\n```\nb\n# <c> [spoiler]\n```\n" ZERO_WIDTH "# d",
         "a\nb\n# <c> [spoiler]\n# d"},
        {"a ", "```\nb", "", MARK_CODE, "a \n~~~\n```\nb\n~~~\n", "a \n```\nb"},
        {"a ", "b\n\n", "", MARK_CODE, "a \n```\nb\n\n```\n", "a \nb\n"},
        {"<code>a", "", "", 0, "\\<code>a", "<code>a"},
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rich rich = {.count = 0};
        bool unread = true;

        rich_add_text(&rich, texts[i].before, 0);
        rich_add_text(&rich, texts[i].text, texts[i].marks);
        rich_add_text(&rich, texts[i].after, 0);
        assert_writes(&dialect_nodebb, &rich, texts[i].written);
        dialect_nodebb.read(texts[i].written, strlen(texts[i].written), &rich,
                            &unread);
        ck_assert(!unread);
        ck_assert_str_eq(buf_text(&rich.text), texts[i].read);
        rich_release(&rich);
    }
}
END_TEST

START_TEST(a_mark_between_letters_is_one)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "a", 0);
    rich_add_text(&rich, "(Ja!)", MARK_BOLD);
    rich_add_text(&rich, "b", 0);
    rich_add_text(&rich, "c", MARK_BOLD);
    rich_add_text(&rich, "d", 0);
    assert_writes(&dialect_markdown, &rich,
                  "a**" ZERO_WIDTH "(Ja!)" ZERO_WIDTH "**b**c**d");
    rich_release(&rich);
}
END_TEST

START_TEST(a_mention_is_written_as_the_users_name)
{
    struct rich rich = {.count = 0};

    rich_add_mention(&rich, "anna", "@ANNA", 0);
    rich_add_text(&rich, ", ", 0);
    rich_add_mention(&rich, "bob-2", "The Bob", 0);
    rich_add_text(&rich, "s", 0);
    rich_add_mention(&rich, "anna", "Anna", 0);
    rich_add_text(&rich, ". ", 0);
    rich_add_mention(&rich, "Carl", "Carl", 0);
    rich_add_mention(&rich, "d e", "Dora", 0);
    rich_add_mention(&rich, "emil", "Emil", MARK_CODE);
    assert_writes(&dialect_markdown, &rich,
                  "@ANNA, @bob-2" ZERO_WIDTH "s" ZERO_WIDTH
                  "@Anna. CarlDora`Emil`");
    rich_release(&rich);
}
END_TEST

START_TEST(a_mention_ends_where_its_name_does)
{
    static const char *const texts[] = {
        "s",
        "-s",
        "..s",
        "_s",
        "1",
        ".",
        "'s",
        "\xCC\x81",
        "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"};

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rich rich = {.count = 0};

        rich_add_mention(&rich, "anna", "@Anna", 0);
        rich_add_text(&rich, texts[i], 0);
        assert_both_read(&rich, 0);
        rich_release(&rich);
    }
}
END_TEST

/* More brackets of code than may be open in a paragraph, each of which opens
 * one to a reader who does not yet know that it is code. */
START_TEST(much_code_with_brackets_is_escaped)
{
    struct rich rich = {.count = 0};

    for (int i = 0; i < RICH_DEPTH_MAX + 1; i++) {
        rich_add_text(&rich, "[", MARK_CODE);
        rich_add_text(&rich, "a", 0);
    }
    assert_both_read(&rich, 0);
    rich_release(&rich);
}
END_TEST

START_TEST(text_stays_text)
{
    assert_text_stays(&forum_markdown, plain_texts[_i]);
    assert_text_stays(&dialect_markdown, plain_texts[_i]);
}
END_TEST

START_TEST(what_is_written_is_read_as_the_same)
{
    const struct dialect_range range = {
        .dialect = _i == 0 ? &forum_markdown : &dialect_markdown,
        .marks = ~(unsigned)MARK_RED,
    };

    assert_round_trips(&range);
}
END_TEST

/* What people write may mean more than the program can tell. */
START_TEST(nothing_else_is_read)
{
    static const char *const bodies[] = {
        "*Ja!*",      "[a](b)", "[quote=\"Bob\"]**Ja!**[/quote]",
        "<b>Ja!</b>", "~a~",    "`a",
        "``a`",
    };

    for (size_t i = 0; i < COUNT(bodies); i++) {
        struct buf body = BUF_INIT;

        buf_add_text(&body, bodies[i]);
        ck_assert_msg(is_unread(&dialect_markdown, &body), "%s", bodies[i]);
        buf_release(&body);
    }
    assert_keeps_limits(&dialect_markdown);
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_bears_cuts(&dialect_markdown, cases[i].body);
    }
}
END_TEST

/* Mentions show their users' names: those alone come back. */
START_TEST(mentions_are_read_as_they_are_written)
{
    static const char *const users[][2] = {{"anna", "@Anna"},
                                           {"bob-2", "@bob-2"},
                                           {"\xC3\xBCnal", "@\xC3\x9Cnal"}};

    for (uint32_t seed = 0; seed < effort_of(20000); seed++) {
        struct rich rich = {.count = 0};
        uint32_t state = seed * 2654435761U + 1;

        for (uint32_t left = 1 + roll(&state, 6); left > 0; left--) {
            const char *const *user = users[roll(&state, COUNT(users))];
            unsigned marks =
                roll(&state, 64) & ~(unsigned)(MARK_RED | MARK_CODE);
            rich_add_mention(&rich, user[0], user[1], marks);
            rich_add_text(&rich,
                          random_pieces[roll(&state, COUNT(random_pieces))],
                          roll(&state, 2) == 0 ? marks : 0U);
        }
        assert_both_read(&rich, seed);
        rich_release(&rich);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/markdown");
    TCase *reading = tcase_create("reading");
    TCase *writing = tcase_create("writing");

    tcase_add_loop_test(reading, markdown_is_read, 0, COUNT(cases));
    tcase_add_test(reading, cut_posts_are_read);
    tcase_add_test(reading, a_name_has_at_most_60_letters);
    tcase_add_test(reading, a_post_with_a_nul_or_too_long_is_not_read);
    tcase_add_test(reading, a_post_nested_too_deeply_is_not_read);
    tcase_add_test(reading, a_post_with_too_many_brackets_is_not_read);
    tcase_add_test(reading, a_post_with_links_to_too_much_is_not_read);
    tcase_add_test(reading, a_post_that_md4c_gets_wrong_is_not_read);
    tcase_add_loop_test(reading, a_flood_is_read, 0, COUNT(floods));
    tcase_add_test(reading,
                   code_behind_tabulators_is_hardly_longer_than_its_post);
    suite_add_tcase(suite, reading);
    tcase_add_test(writing, marks_are_written);
    tcase_add_loop_test(writing, what_would_act_is_escaped, 0,
                        COUNT(writing_cases));
    tcase_add_test(writing, nodebb_gets_no_tag_that_it_shows_as_text);
    tcase_add_test(writing, a_mark_between_letters_is_one);
    tcase_add_test(writing, a_mention_is_written_as_the_users_name);
    tcase_add_test(writing, a_mention_ends_where_its_name_does);
    tcase_add_test(writing, much_code_with_brackets_is_escaped);
    tcase_add_loop_test(writing, text_stays_text, 0, COUNT(plain_texts));
    tcase_add_loop_test(writing, what_is_written_is_read_as_the_same, 0, 2);
    tcase_add_test(writing, nothing_else_is_read);
    tcase_add_test(writing, mentions_are_read_as_they_are_written);
    suite_add_tcase(suite, writing);
    return suite;
}
