#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"
#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "tests/adapters/dialect_cases.h"
#include "tests/support/runner.h"

/* ---- reading ------------------------------------------------------------- */

/* What both dialects read alike. */
static const struct dialect_case common_cases[] = {
    {"", ""},
    {"plain", "(plain)"},
    /* R1: bold. */
    {"<b>Ja!</b>", "b(Ja!)"},
    {"<STRONG>Ja!</strong>", "b(Ja!)"},
    {"<b class='x' id=y>Ja!</b >", "b(Ja!)"},
    {"<span style=\"font-weight: bold;\" class=\"mycode_b\">Ja!</span>",
     "b(Ja!)"},
    {"<span class=\"noboldsig\">Ja!</span>", "b(Ja!)"},
    {"<span class='bbcode-b'>a</span><i class='x mycode_b y'>b</i>", "b(ab)"},
    {"<i class='bbcode-bold'>a</i><i class='not-mycode_b'>b</i>", "(ab)"},
    {"<i style='font-weight:bolder'>a</i><i style=font-weight:600>b</i>"
     "<i style='FONT-WEIGHT : 900 !important'>c</i>",
     "b(abc)"},
    {"<i style=font-weight:599>a</i><i style='font-weight:what'>b</i>"
     "<i style='x-font-weight:bold'>c</i>",
     "(abc)"},
    {"<b style=font-weight:normal>a</b><b style='font-weight:400'>b</b>"
     "<b style='font-weight:lighter'>c</b>",
     "(abc)"},
    {"<b>a<i style='font-weight:normal'>b<b>c</b>d</i>e</b>",
     "b(a)(b)b(c)(d)b(e)"},
    {"<b style='font-weight:inherit'>a</b><b>b<i style='font-weight:inherit'>c",
     "(a)b(bc)"},
    {"<b style='font-weight:bold;font-weight:normal'>a</b>", "(a)"},
    {"<b style='font-weight:normal;font-weight:what'>a</b>", "(a)"},
    {"<h1>a</h1><table><tr><th>b</th></tr></table>", "(a\nb)"},
    {"<h2><b>a</b></h2>", "b(a)"},
    {"&lt;b&gt;Ja!&lt;/b&gt;", "(<b>Ja!</b>)"},
    {"<b title='<b>'>a</b>", "b(a)"},
    {"< b>a</b>", "(< b>a)"},
    {"<bold>a</bold>", "(a)"},
    {"**a** [b]a[/b]", "(**a** [b]a[/b])"},
    {"1 < 2 <3 > 1", "(1 < 2 <3 > 1)"},
    /* R1: unclosed is bold to the end, crossed is bold across. */
    {"<b>a", "b(a)"},
    {"<p><b>a</p><p>b</p>c", "b(a)(\n)b(b)(\n)b(c)"},
    {"<p>a<b>b</p>c</b>d", "(a)b(b)(\n)b(c)(d)"},
    {"<b><p>a</p><p>b</p></b>c", "b(a)(\n)b(b)(\nc)"},
    {"<b><p>a</b>b</p>c", "b(a)(b\nc)"},
    {"<b>a<i>b</b>c</i>", "b(ab)(c)"},
    {"<i>a<b>b</i>c</b>d", "(a)b(bc)(d)"},
    {"<b>a<span class=quote>b</b>c</span>", "b(a)bq(b)(c)"},
    {"<b><div><span>a<p>b</b>c</span>d", "b(a)(\n)b(b)(cd)"},
    {"a</b>b</p>c</span>d</div>", "(ab\ncd)"},
    {"<span><p>a</span>b", "(ab)"},
    {"<b><b>a</b>b</b>c", "b(ab)(c)"},
    {"<ul><li><b>a<li>b</ul>c", "b(a)(\n)b(b)(\n)b(c)"},
    {"<table><tr><td><b>a</td><td>b</td></tr></table>c", "b(a)(\nb\nc)"},
    {"<b>a<table><tr><td>b</b>c</table>d", "b(a)(\n)b(bc)(\n)b(d)"},
    {"<b><a href=x>a</b>b</a>c", "b(a)(bc)"},
    {"<p><b>a<p><b>b<p><b>c<p><b>d<p><b>e<p>f",
     "b(a)(\n)b(b)(\n)b(c)(\n)b(d)(\n)b(e)(\n)b(f)"},
    {"<b><b><b><b>a</b></b></b></b>b", "b(a)(b)"},
    /* Comments, and tags without end. */
    {"a<!-- <b> -->b<!-->c<!--->d", "(abcd)"},
    {"a<!-- b", "(a)"},
    {"a<!DOCTYPE html><?php ?></ b>c", "(ac)"},
    {"a <b", "(a )"},
    {"a <b x='>c</b>", "(a )"},
    {"<b>a</b", "b(a)"},
    {"a </", "(a </)"},
    {"a <", "(a <)"},
    {"<b>J</b><!-- x --><b>a!</b>", "b(Ja!)"},
    {"\xC3<i></i>\xA9\xC3\xA9", "(\xEF\xBF\xBD\xEF\xBF\xBDé)"},
    /* References. */
    {"<b>Ja&excl;&nbsp;&amp;lt;</b>", "b(Ja!\xC2\xA0&lt;)"},
    {"J&shy;a&#33;&#x21;&#0;", "(J\xC2\xAD"
                               "a!!\xEF\xBF\xBD)"},
    {"<i class='&quot;qu&#111;te'>a</i>", "q(a)"},
    /* White space. */
    {"  a  b \n\t c ", "(a b c )"},
    {"a <b> b </b> c", "(a )b(b )(c)"},
    {"a&#32;&#10;b&nbsp; c", "(a b\xC2\xA0 c)"},
    {"a\tb\t c\r\nd", "(a\tb\tc d)"},
    {"<p>\n  a\n</p>\n<p>\n  b\n</p>\n", "(a \nb )"},
    {"<pre>\n a\n  b\n</pre>c", "c( a\n  b\n)(c)"},
    {"<pre>\r\n\na</pre>", "c(\na)"},
    {"<pre><b>\na</b></pre>", "c(\n)bc(a)"},
    {"<code>a  b\nc</code>", "c(a b c)"},
    /* R3: lines. */
    {"a<br>b<br/>c</br>d<BR clear=all>e", "(a\nb\nc\nd\ne)"},
    {"<b>a<br>b</b>", "b(a)(\n)b(b)"},
    {"a<br><br>b", "(a\n\nb)"},
    {"<p>a</p><br><p>b</p>", "(a\n\nb)"},
    {"<p>a<br></p><p>b</p>", "(a\nb)"},
    {"a<br>", "(a\n)"},
    {"a<p>b</p>c<div>d<div>e</div></div>f", "(a\nb\nc\nd\ne\nf)"},
    {"<p></p><div><div></div></div>a", "(a)"},
    {"a<hr>b", "(a\nb)"},
    {"a</p>b", "(a\nb)"},
    {"<b>J<p>a!</b>", "b(J)(\n)b(a!)"},
    {"<b>J<span>a!</span></b>", "b(Ja!)"},
    {"<ul><li>a<li>b</li><li>c</ul>d", "(a\nb\nc\nd)"},
    {"<ul><li>a<ul><li>b</ul><li>c</ul>", "(a\nb\nc)"},
    {"<dl><dt>a<dd>b<dt>c</dl>d", "(a\nb\nc\nd)"},
    {"<table><caption>a</caption><thead><tr><th>b<th>c</thead>"
     "<tbody><tr><td>d<td>e<tr><td>f</table>g",
     "(a\nb\nc\nd\ne\nf\ng)"},
    {"<table><tr><td>a<table><tr><td>b</table>c<td>d</table>e",
     "(a\nb\nc\nd\ne)"},
    {"<h1>a<h2>b</h1>c", "(a\nb\nc)"},
    {"<td>a</td>b<tr>c", "(ab\nc)"},
    {"<html><head></head><body>a</body></html>b", "o()(ab)"},
    /* R2: quotes. */
    {"<blockquote>a</blockquote>b", "q(a)(\nb)"},
    {"<blockquote>a<blockquote>b</blockquote>c</blockquote>d",
     "q(a\nb\nc)(\nd)"},
    {"<blockquote>a</blockquote><blockquote>b</blockquote>", "q(a)(\n)q(b)"},
    {"<blockquote>a<b>b", "q(a)bq(b)"},
    {"<b>a<blockquote>b</b>c</blockquote>d", "b(a)(\n)bq(b)q(c)(\nd)"},
    {"<div class='bbCodeBlock--quote'>a</div>b", "q(a)(\nb)"},
    {"<div class='mycode_Quote x'><cite>a</cite>b</div>c", "q(ab)(\nc)"},
    {"<aside class=\"quote no-group\" data-post=\"1\"><div class=\"title\">a:"
     "</div><blockquote><p><strong>b</strong></p></blockquote></aside><p>c</p>",
     "q(a:\n)bq(b)(\nc)"},
    {"<blockquote cite=x class=\"uncited\"><div>a</div></blockquote>b",
     "q(a)(\nb)"},
    {"<mx-reply><blockquote>a<br>b</blockquote></mx-reply>c", "q(a\nb)(\nc)"},
    {"<aside class=\"onebox allowlistedgeneric\"><header>a</header><article>"
     "<h3>b</h3><p><strong>c</strong></p></article></aside><p>d</p>",
     "q(a\nb\n)bq(c)(\nd)"},
    {"<b>a <a class=inline-onebox href=x>Ja!</a></b>", "b(a )bq(Ja!)"},
    {"<div class=lightbox-wrapper><a class=lightbox><img><span class=filename>a"
     "</span><span>690x387 80 KB</span></a></div>b",
     "qo()q(a690x387 80 KB)(\nb)"},
    {"<div class='card link-preview p-0'><h5>a</h5><p>b</p></div>c",
     "q(a\nb)(\nc)"},
    {"a<div class=inline-attachment><dl><dt><img></dt><dd>b viewed 3 times</dd>"
     "</dl></div>",
     "(a\n)qo()q(\nb viewed 3 times)"},
    {"<q>a</q>", "(a)"},
    {"<span title=quote>a</span>", "(a)"},
    /* Code. */
    {"<code><b>a</b></code>b", "bc(a)(b)"},
    {"<pre><code class=\"lang-c\">a\nb</code></pre>c", "c(a\nb)(\nc)"},
    {"<p><code>a</p>b", "c(a)(\n)c(b)"},
    {"<xmp><b>&lt;</xmp>a", "c(<b>&lt;)(\na)"},
    /* Struck. */
    {"<s>a</s><strike>b</strike><del>c</del>d", "s(abc)(d)"},
    {"<i style='text-decoration: line-through'>a</i>"
     "<i style=\"text-decoration-line:underline line-through\">b</i>"
     "<i class=mycode_s>c</i><i class='bbcode-s'>d</i>e",
     "s(abcd)(e)"},
    {"<p><s>a</p><p><b>b</b></p>", "s(a)(\n)bs(b)"},
    /* Folded. */
    {"<details><summary>a</summary>b</details>c", "f(a\nb)(\nc)"},
    {"<span class='spoiler'>a</span><div class=bbCodeSpoiler>b</div>c",
     "f(a)(\n)f(b)(\nc)"},
    {"<span data-mx-spoiler>a</span><i data-mx-spoiler='why'>b</i>c",
     "f(ab)(c)"},
    /* What nobody sees. */
    {"<b>J<i style='display:none'>x</i>a!</b>", "b(J)bo()b(a!)"},
    {"a<div hidden><b>Ja!</b></div>b", "(a\n)o()(\nb)"},
    {"a<i style='visibility: hidden'>b<i>c</i></i>d", "(a)o()(d)"},
    {"a<i style='DISPLAY:NONE!important'>b</i>c", "(a)o()(c)"},
    {"a<i style='display:inline'>b</i>c", "(abc)"},
    {"a<script>if (1 < 2) '<b>';</script>b", "(a)o()(b)"},
    {"a<style><b></style>b<title>&lt;c</title>d", "(a)o()(b)o()(d)"},
    {"a<textarea><b>b</b></textarea>c<iframe><b></iframe>d", "(a)o()(c)o()(d)"},
    {"a<select><option><b>b</b></select>c", "(a)o()(c)"},
    {"a<object><b>b</object>c<template>d</template>e", "(a)o()(c)o()(e)"},
    {"a<svg><text>b</text></svg>c<math><mi>d</math>e", "(a)o()(c)o()(e)"},
    {"a<svg/>b<svg width='1' />c", "(a)o()(b)o()(c)"},
    {"a<video><b>b</b></video>c<noscript><b>d</b></noscript>e",
     "(a)o()(c)o()(e)"},
    {"a<head><b>b", "(a)o()"},
    {"a<script>b", "(a)o()"},
    {"<i hidden>a<br><hr><img><s></s>b</i>c", "o()(c)"},
    {"a <i hidden>b </i> c", "(a )o()( c)"},
    /* An empty region still parts what stands beside it. */
    {"<b>J<s></s>a</b>", "b(J)bso()b(a)"},
    {"<b>J<code><i></i></code>a</b>", "b(J)bco()b(a)"},
    {"<b>J<span class=spoiler></b>a", "b(J)bfo()(a)"},
    /* Pictures, and emoji. */
    {"a<img src=x alt='Ja!'>b", "(a)o()(b)"},
    {"<b>Ja!<img class=\"emoji\" alt=\"😀\" title=':grin:'></b>", "b(Ja!😀)"},
    {"<img class='x twemoji' alt='&amp;'>", "(&)"},
    {"<img class=emoji alt=':tada:'><img class=emoji alt=''><img class=emoji>",
     "o()"},
    {"<img class=emoji alt=':)'>", "(:))"},
    {"<img class=emoji alt='a' hidden>", "o()"},
    {"a <embed> <input value=b> c<wbr>d", "(a )o()( )o()( cd)"},
    /* R13: the font's colour. */
    {"<font color=red>a</font><FONT COLOR='#FF0000'>b</FONT>", "r(ab)"},
    {"<font color=red>a<font color=blue>b</font>c</font>", "r(a)(b)r(c)"},
    {"<font color=ff0000>a</font><font color='what?'>b</font>", "(ab)"},
    {"<font color=red>a<font color=''>b</font><font size=5>c", "r(abc)"},
    {"<font color=red>a<font color=what>b", "r(a)(b)"},
    {"<font color=red color=blue>a", "r(a)"},
    {"<b><font color=red>a</b>b</font>c", "br(a)r(b)(c)"},
    {"<i color=red>a</i>", "(a)"},
    {"<p><font color=red><b>a</p><p>b", "br(a)(\n)br(b)"},
};

static const struct dialect_case html_cases[] = {
    /* R13: colours by style. */
    {"<b><span style=\"color:red\">a</span></b>", "br(a)"},
    {"<b style='color:#b8312f'>a</b>", "br(a)"},
    {"<b style='color: rgb(184, 49, 47); margin:0'>a</b>", "br(a)"},
    {"<i style='color:red;color:blue'>a</i><i style='color:blue;COLOR : Red'>b",
     "(a)r(b)"},
    {"<i style='color:red !important;color:blue'>a", "(a)"},
    {"<i style='background-color:red;border-color:red'>a", "(a)"},
    {"<i style='background:url(\";color:red\")'>a", "(a)"},
    {"<i style='background:url(x;color:red)'>a", "(a)"},
    {"<i style='font-family:\"x;y\";color:red'>a", "r(a)"},
    {"<i style='/* ; */color/**/:red/* blue */'>a", "r(a)"},
    {"<i style='color:red;/* color:blue'>a", "r(a)"},
    {"<i style='color:red;'>a<i style='color:inherit'>b<i style='color:initial'>"
     "c<i style=color:currentColor>d",
     "r(ab)(cd)"},
    {"<i style='color:red'>a<i style='color:what'>b", "r(a)(b)"},
    {"<i style='color:red'>a<i style='color:;x'>b", "r(ab)"},
    {"<i style='color'>a<i style=';;:red'>b", "(ab)"},
    {"<font color=blue style='color:red'>a<font color=red style='color:blue'>b",
     "r(a)(b)"},
    {"<span data-mx-color='#ff0000'>a", "(a)"},
    {"<i style='color:red' style='color:blue'>a", "r(a)"},
    {"<i style='color:&#114;ed'>a", "r(a)"},
    /* Mentions. */
    {"<a class=\"mention\" href=\"/u/bob\">@Bob</a>", "mbob(@Bob)"},
    {"<b><a class='mention' href='https://f.example/x/u/bob%20b?c#d'>@Bob</a>",
     "bmbob b(@Bob)"},
    {"<a class=\"plugin-mentions-user plugin-mentions-a\" href=\"/user/bob\">@"
     "<bdi>bob</bdi></a>!",
     "mbob(@bob)(!)"},
    {"<a class='mention' href='/u/a/b'>a</a><a class=mention href=/u/>b</a>"
     "<a class=mention>c</a><a class=mention href=bob>d</a>",
     "(abcd)"},
    {"<a class='mention-group' href='/groups/a'>@a</a>"
     "<a class=mention href=/groups/b>@b</a>"
     "<span class=mention href='/u/c'>@c</span>",
     "(@a@b@c)"},
    {"<a href='/u/bob'>Bob</a>", "(Bob)"},
    {"<a class=mention href=/u/a>a<a class=mention href=/u/b>b</a>c",
     "ma(a)mb(b)(c)"},
    {"<p><a class=mention href=/u/a>a</p>b</a>c", "ma(a)(\n)ma(b)(c)"},
    {"<a class=mention href=/u/a>a<table><tr><td><a href=x>b</a>c</table>d",
     "ma(a)(\n)ma(bc)(\n)ma(d)"},
    {"<a class=mention href=/u/a>a<table><a>b</table>c", "ma(a)(\nb\nc)"},
    {"<a href='https://matrix.to/#/@bob:example.org'>Bob</a>", "(Bob)"},
};

static const struct dialect_case matrix_cases[] = {
    /* R13: Matrix's own colours alone. */
    {"<strong><span data-mx-color=\"#ff0000\">a</span></strong>", "br(a)"},
    {"<font data-mx-color='#C0392B'>a</font>", "r(a)"},
    {"<font color=red data-mx-color='#0000ff'>a<font color=blue "
     "data-mx-color='#f00'>b",
     "(a)r(b)"},
    {"<span data-mx-bg-color='#ff0000'>a</span><b data-mx-color='#ff0000'>b",
     "(a)b(b)"},
    {"<span style='color:red'>a</span><font style='color:blue' color=red>b",
     "(a)r(b)"},
    /* R15: mentions. */
    {"<a href=\"https://matrix.to/#/@bob:example.org\">Bob</a>",
     "m@bob:example.org(Bob)"},
    {"<a href='HTTPS://Matrix.TO/#/%40bob%3aexample.org?via=x&amp;via=y'>Bob",
     "m@bob:example.org(Bob)"},
    {"<a href='https://matrix.to/#/@a/b=c:example.org:8448'>Bob</a>",
     "m@a/b=c:example.org:8448(Bob)"},
    {"<a href='matrix:u/bob:example.org?action=chat'>Bob</a>",
     "m@bob:example.org(Bob)"},
    {"<strong><a href='matrix:u/bob%25:x'>B<i>o</i>b</a></strong>",
     "bm@bob%:x(Bob)"},
    {"<a href='https://matrix.to/#/!r:example.org/$e?via=x'>a</a>"
     "<a href='https://matrix.to/#/#room:example.org'>b</a>"
     "<a href='matrix:r/room:example.org'>c</a>"
     "<a href='matrix:roomid/room:example.org'>d</a>",
     "(abcd)"},
    {"<a href='https://matrix.to/#/@'>a</a><a href='matrix:u/'>b</a>"
     "<a href='https://matrix.to/@bob:x'>c</a><a href='https://matrix.to'>d</a>"
     "<a href='https://matrix.to.evil/#/@bob:x'>e</a><a>f</a>",
     "(abcdef)"},
    {"<a href='https://matrix.to/#/?@bob:x'>a</a>", "(a)"},
    {"<a href='https://matrix.to/#/@b%zz%4:x%'>a</a>", "m@b%zz%4:x%(a)"},
    {"<a href='https://matrix.to/#/@b%00:x'>a</a>", "(a)"},
    {"<span href='https://matrix.to/#/@bob:x'>a</span>", "(a)"},
    {"<a class=mention href=/u/bob>@Bob</a>", "(@Bob)"},
    {"<img data-mx-emoticon src='mxc://x/y' alt=':a:'>", "o()"},
};

START_TEST(html_is_read_as_browsers_show_it)
{
    assert_case(&dialect_html, &common_cases[_i]);
    assert_case(&dialect_matrix, &common_cases[_i]);
}
END_TEST

START_TEST(what_forums_write_is_read)
{
    assert_case(&dialect_html, &html_cases[_i]);
}
END_TEST

/* Whole names only, in their own case; an empty list names none. */
START_TEST(a_sites_own_classes_are_bold)
{
    static const struct {
        const char *classes, *body;
        bool bold;
    } rows[] = {
        {"strong-text", "<i class='strong-text'>a</i>", true},
        {"fat strong-text", "<i class='x strong-text y'>a</i>", true},
        {"  fat  strong-text ", "<i class=fat>a</i>", true},
        {"strong-text", "<i class='bbcode-b'>a</i>", true},
        {"strong-text", "<b>a</b>", true},
        {"strong-text", "<i class='strong'>a</i>", false},
        {"strong-text", "<i class='strong-text2 a-strong-text'>a</i>", false},
        {"strong-text", "<i class='Strong-Text'>a</i>", false},
        {"strong-text", "<i class='strong-text' style='font-weight:400'>a</i>",
         false},
        {"", "<i class='' id=x>a</i>", false},
        {" ", "<i class=' '>a</i>", false},
        {NULL, "<i class='strong-text'>a</i>", false},
    };
    struct rich rich = {.count = 0};
    bool unread = false;

    for (size_t i = 0; i < COUNT(rows); i++) {
        dialects_read(&dialect_html, rows[i].body, strlen(rows[i].body),
                      rows[i].classes, &rich, &unread);
        ck_assert(!unread && rich.count == 1);
        ck_assert_msg(((rich.runs[0].marks & MARK_BOLD) != 0) == rows[i].bold,
                      "%s", rows[i].body);
    }
    dialects_read(&dialect_matrix, rows[0].body, strlen(rows[0].body),
                  rows[0].classes, &rich, &unread);
    ck_assert_uint_eq(rich.runs[0].marks & MARK_BOLD, 0);
    rich_release(&rich);
}
END_TEST

START_TEST(a_services_posts_are_read_with_its_own_classes)
{
    char body[] = "<i class='strong-text'>a</i>";
    const struct service service = {.adapter = &adapter_nodebb,
                                    .bold_classes = "strong-text"};
    const struct post post = {
        .dialect = &dialect_html, .body = body, .body_len = strlen(body)};
    struct rich rich = {.count = 0};
    bool unread = false;

    post_read(&service, &post, &rich, &unread);
    ck_assert(!unread && rich.count == 1);
    ck_assert_uint_ne(rich.runs[0].marks & MARK_BOLD, 0);
    rich_release(&rich);
}
END_TEST

START_TEST(what_matrix_clients_write_is_read)
{
    assert_case(&dialect_matrix, &matrix_cases[_i]);
}
END_TEST

START_TEST(cut_posts_are_read)
{
    for (size_t i = 0; i < COUNT(common_cases); i++) {
        assert_bears_cuts(&dialect_html, common_cases[i].body);
    }
    for (size_t i = 0; i < COUNT(html_cases); i++) {
        assert_bears_cuts(&dialect_html, html_cases[i].body);
    }
    for (size_t i = 0; i < COUNT(matrix_cases); i++) {
        assert_bears_cuts(&dialect_matrix, matrix_cases[i].body);
    }
}
END_TEST

START_TEST(an_id_that_is_too_long_is_none)
{
    struct buf body = BUF_INIT;
    struct buf shown = BUF_INIT;

    for (unsigned letters = 254; letters < 256; letters++) {
        buf_clear(&body);
        buf_clear(&shown);
        buf_add_text(&shown, letters == 254 ? "m@" : "");
        buf_add_text(&body, "<a href='https://matrix.to/#/@");
        repeat(&body, "x", letters);
        repeat(&shown, "x", letters == 254 ? letters : 0);
        buf_add_text(&body, "'>a</a>");
        buf_add_text(&shown, "(a)");
        assert_reads(&dialect_matrix, body.data, body.len, buf_text(&shown));
    }
    buf_release(&body);
    buf_release(&shown);
}
END_TEST

/* ---- limits -------------------------------------------------------------- */

START_TEST(a_post_with_a_nul_or_too_long_is_not_read)
{
    assert_keeps_limits(&dialect_html);
    assert_keeps_limits(&dialect_matrix);
}
END_TEST

static bool
is_too_deep(const char *outer, const char *inner, unsigned times)
{
    struct buf body = BUF_INIT;

    buf_add_text(&body, outer);
    repeat(&body, inner, times);
    buf_add_text(&body, "x");
    bool unread = is_unread(&dialect_html, &body);
    buf_release(&body);
    return unread;
}

START_TEST(a_post_nested_too_deeply_is_not_read)
{
    ck_assert(!is_too_deep("", "<div>", RICH_DEPTH_MAX));
    ck_assert(is_too_deep("", "<div>", RICH_DEPTH_MAX + 1));
    ck_assert(!is_too_deep("", "<b>", RICH_DEPTH_MAX));
    ck_assert(is_too_deep("", "<b>", RICH_DEPTH_MAX + 1));
    ck_assert(!is_too_deep("<p>", "<xmp></xmp><br>", 1000));
    /* Opened again behind the block, they nest as deep as before. */
    ck_assert(!is_too_deep("", "<p><font color=red>", 1000));
    ck_assert(!is_too_deep("", "<p><a href=x>", 1000));
    ck_assert(is_too_deep("",
                          "<p><font color=red><b><i><s><u><em><tt><big><small>"
                          "<font color=blue><b hidden><table><tr><td>",
                          20));
}
END_TEST

/* Of what a naive reader would search through again and again. */
static const char *const floods[] = {
    "<",
    "</",
    "<!",
    "<!--",
    "<!-- -",
    "<b",
    "<b ",
    "<b x='",
    "<b x=\"'>",
    "<b/",
    "</b>",
    "</p>",
    "<p>",
    "<p><b>",
    "<p><b style=x>",
    "<p></b><b>",
    "<b></p>",
    "<s></s>",
    "<p><s></p>",
    "<p><s><span></p>",
    "<b><p></b>",
    "<li>",
    "<ul><li></ul>",
    "<td>",
    "<table><td></table>",
    "<a href=x>",
    "<a class=mention href=/u/x>a</a>",
    "<br>",
    "<img>",
    "<script>",
    "<script></script>",
    "<textarea></textare",
    "<xmp>a</xmp>",
    "<svg/>",
    "&",
    "&#",
    "&#1",
    "&#0;",
    "&notit",
    "&ampamp",
    "<i style='a:(;\"'>",
    "<i style='/*'></i>",
    "<i class='quote quote'></i>",
    "a b ",
    "<i> ",
    "\xCC",
    "</b x",
    "<b x x x x ",
};

START_TEST(a_flood_is_read)
{
    flood_is_unread(&dialect_html, floods[_i]);
    flood_is_unread(&dialect_matrix, floods[_i]);
}
END_TEST

/* What a flood may be inside of. */
static const char *const openings[] = {
    "<b style=\"", "<b style='color:red;",
    "<b class='",  "<b x=",
    "<b ",         "<!-- ",
    "<script>",    "<pre>",
    "<b hidden>",
};

START_TEST(a_flood_inside_something_is_read)
{
    struct buf body = BUF_INIT;

    for (size_t i = 0; i < COUNT(floods); i++) {
        buf_clear(&body);
        buf_add_text(&body, openings[_i]);
        repeat(&body, floods[i], (unsigned)(60000 / strlen(floods[i])));
        is_unread(&dialect_html, &body);
        buf_add_text(&body, "'\">Ja!</script>");
        is_unread(&dialect_matrix, &body);
    }
    buf_release(&body);
}
END_TEST

/* The deepest stack there is, searched by every tag of a long post. */
START_TEST(a_flood_under_many_open_elements_is_read)
{
    struct buf body = BUF_INIT;

    for (size_t i = 0; i < COUNT(floods); i++) {
        buf_clear(&body);
        repeat(&body, "<b><span><div>", 32);
        repeat(&body, floods[i], (unsigned)(60000 / strlen(floods[i])));
        is_unread(&dialect_html, &body);
    }
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
    rich_add_text(&rich, "<b>Nein!</b>", MARK_CODE);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "Anna", MARK_BOLD | MARK_RED);
    rich_add_text(&rich, " & Bob", MARK_BOLD);
    rich_add_text(&rich, "x", MARK_STRUCK);
    rich_add_text(&rich, "y", MARK_SPOILER);
    rich_add_mention(&rich, "@b \"<:example.org", "@Bob", MARK_BOLD);
    rich_add_mention(&rich, "7", "@Carl", 0);
    assert_writes(&dialect_html, &rich,
                  "Vote <strong>Ja!</strong> or "
                  "<code>&lt;b&gt;Nein!&lt;/b&gt;</code><br>"
                  "<strong><span style=\"color:red\">Anna</span> &amp; Bob"
                  "</strong><del>x</del><span class=\"spoiler\">y</span>"
                  "<strong><a class=\"mention\" "
                  "href=\"/u/@b%20%22%3C:example.org\">@Bob</a></strong>"
                  "<a class=\"mention\" href=\"/u/7\">@Carl</a>");
    assert_writes(&dialect_matrix, &rich,
                  "Vote <strong>Ja!</strong> or "
                  "<code>&lt;b&gt;Nein!&lt;/b&gt;</code><br>"
                  "<strong><font color=\"#ff0000\" data-mx-color=\"#ff0000\">"
                  "Anna</font> &amp; Bob</strong><del>x</del>"
                  "<span data-mx-spoiler>y</span>"
                  "<strong><a href=\"https://matrix.to/#/"
                  "@b%20%22%3C:example.org\">@Bob</a></strong>@Carl");
    rich_release(&rich);
}
END_TEST

START_TEST(quoted_lines_are_written_as_a_block)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, "Anna:\n", 0);
    rich_add_text(&rich, "a\n", MARK_QUOTED);
    rich_add_text(&rich, "b", MARK_QUOTED | MARK_BOLD);
    rich_add_text(&rich, "\n", 0);
    rich_add_text(&rich, "c", MARK_QUOTED);
    rich_add_text(&rich, "\n\nsaid ", 0);
    rich_add_text(&rich, "d", MARK_QUOTED);
    rich_add_text(&rich, "\n", 0);
    assert_writes(&dialect_matrix, &rich,
                  "Anna:<br><blockquote>a<br><strong>b</strong></blockquote>"
                  "<blockquote>c</blockquote><br>said "
                  "<span class=\"quote\">d</span><br>");
    assert_round_trip(&dialect_matrix, &rich, 0);
    rich_release(&rich);
}
END_TEST

START_TEST(white_space_is_kept)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, " a  b\n c", 0);
    assert_writes(&dialect_html, &rich,
                  "\xE2\x80\x8B a \xE2\x80\x8B b<br>\xE2\x80\x8B c");
    rich_release(&rich);
}
END_TEST

START_TEST(text_stays_text)
{
    assert_text_stays(&dialect_html, plain_texts[_i]);
    assert_text_stays(&dialect_matrix, plain_texts[_i]);
}
END_TEST

START_TEST(what_is_written_is_read_as_the_same)
{
    static const char *const ids[] = {
        "@anna:example.org",
        "@a/b=c.d_e-f:example.org:8448",
        "@\">&amp;<b>'?via=x#y%41\\:z",
        "@\xFF\xC3\xA9\n\t \x01~",
        "@@/u/@",
        "@u\xE2\x80\x8B:x",
    };
    static const char *const names[] = {
        "anna", "Anna B.", "/", "..", "%2F", "a/u/b", "<>\"'&?#\xFF", "@x:y",
    };
    static const struct dialect_range html = {.dialect = &dialect_html,
                                              .marks = ~0U,
                                              .ids = names,
                                              .id_count = COUNT(names)};
    static const struct dialect_range matrix = {.dialect = &dialect_matrix,
                                                .marks = ~0U,
                                                .ids = ids,
                                                .id_count = COUNT(ids)};

    assert_round_trips(&html);
    assert_round_trips(&matrix);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/html");
    TCase *reading = tcase_create("reading");
    TCase *limits = tcase_create("limits");
    TCase *writing = tcase_create("writing");

    tcase_add_loop_test(reading, html_is_read_as_browsers_show_it, 0,
                        COUNT(common_cases));
    tcase_add_loop_test(reading, what_forums_write_is_read, 0,
                        COUNT(html_cases));
    tcase_add_loop_test(reading, what_matrix_clients_write_is_read, 0,
                        COUNT(matrix_cases));
    tcase_add_test(reading, a_sites_own_classes_are_bold);
    tcase_add_test(reading, a_services_posts_are_read_with_its_own_classes);
    tcase_add_test(reading, cut_posts_are_read);
    tcase_add_test(reading, an_id_that_is_too_long_is_none);
    suite_add_tcase(suite, reading);
    tcase_add_test(limits, a_post_with_a_nul_or_too_long_is_not_read);
    tcase_add_test(limits, a_post_nested_too_deeply_is_not_read);
    tcase_add_loop_test(limits, a_flood_is_read, 0, COUNT(floods));
    tcase_add_loop_test(limits, a_flood_inside_something_is_read, 0,
                        COUNT(openings));
    tcase_add_test(limits, a_flood_under_many_open_elements_is_read);
    suite_add_tcase(suite, limits);
    tcase_add_test(writing, marks_are_written);
    tcase_add_test(writing, quoted_lines_are_written_as_a_block);
    tcase_add_test(writing, white_space_is_kept);
    tcase_add_loop_test(writing, text_stays_text, 0, COUNT(plain_texts));
    tcase_add_test(writing, what_is_written_is_read_as_the_same);
    suite_add_tcase(suite, writing);
    return suite;
}
