/*
 * Posts as lines of JSON: what is taken, what is refused and with which words,
 * and whose settings hold.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "bot/cli/post_line.h"
#include "tests/support/runner.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A line in the voting, and one in a nomination, of the text that follows. */
#define VOTING "{\"dialect\":\"bbcode\",\"phase\":\"voting\",\"text\":"
#define NOMINATION                                                             \
    "{\"dialect\":\"bbcode\",\"phase\":\"nomination\",\"text\":\"\","

static const struct manner no_place = {.dialect = NULL};
static struct buf verdict;

static void
tear_down(void)
{
    buf_release(&verdict);
}

/* Judge a line; the verdict is one object a line in any case. */
static bool
judge(const char *line, size_t len, const struct manner *manner)
{
    struct buf why = BUF_INIT;
    json_object *json = NULL;

    buf_clear(&verdict);
    bool readable = post_line_judge(line, len, 7, manner, &verdict);
    ck_assert_msg(jdoc_parse(verdict.data, verdict.len, true, &json, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_int_eq(json_object_object_length(json), 4);
    ck_assert_ptr_eq(strchr(verdict.data, '\n'),
                     verdict.data + verdict.len - 1);
    json_object_put(json);
    return readable;
}

static void
assert_said(const char *line, const char *expected, const struct manner *manner)
{
    judge(line, strlen(line), manner);
    ck_assert_msg(strncmp(verdict.data, expected, strlen(expected)) == 0,
                  "%s:\n%s", line, verdict.data);
}

/* ---- what is refused ----------------------------------------------------- */

#define PHASES                                                                 \
    "write \"nomination\", \"voting\", \"executive\", \"veto_chancellor\", "   \
    "\"veto_president\", \"dm_president\", \"dm_chancellor\" or \"dm_ballot\""
#define PLAYERS "write a list of 1 to 24 players, such as [\"Anna\", \"Bob\"]"
#define WORDS                                                                  \
    "write two lists of 1 to 8 words, such as {\"ja\": [\"oui\"], \"nein\": "  \
    "[\"non\"]}"

static const struct {
    const char *line, *why;
} refused[] = {
    {"", "it is empty; write one post a line"},
    {"\r", "it is empty; write one post a line"},
    {"  ", "JSON: cut off after 2 bytes"},
    {"{", "JSON: cut off after 1 bytes"},
    {"hello", "JSON: what begins at byte 1 is cut off, or none of JSON's"},
    {"{} {}", "JSON: byte 4: "},
    {"{\"id\":1,\"id\":2}", "JSON: an object has the same key twice"},
    {"{\"text\":\"\xFF\"}",
     "JSON: what begins at byte 9 is cut off, or none of JSON's"},
    {"[]", "it is no object; write {\"dialect\": …"},
    {"null", "it is no object; write "},
    {"{}", "\"phase\" is missing; " PHASES},
    {"{\"id\":[1]}", "\"id\" can't be [1]; write a text or a whole number"},
    {"{\"id\":1.5}", "\"id\" can't be 1.5; write a text or a whole number"},
    {"{\"phase\":\"vote\"}", "\"phase\" can't be \"vote\"; " PHASES},
    {"{\"phase\":3}", "\"phase\" can't be 3; " PHASES},
    {"{\"phase\":\"voting\\u0000\"}",
     "\"phase\" can't be \"voting\\u0000\"; " PHASES},
    {"{\"phase\":\"voting\"}", "\"dialect\" is missing; write \"bbcode\""},
    {"{\"phase\":\"voting\",\"dialect\":\"BBCode\"}",
     "\"dialect\" can't be \"BBCode\"; write \"bbcode\""},
    {"{\"phase\":\"voting\",\"dialect\":[\"bbcode\"]}",
     "\"dialect\" can't be [\"bbcode\"]; write \"bbcode\""},
    {"{\"phase\":\"voting\",\"dialect\":\"bbcode\"}",
     "\"text\" is missing; write the post as it was typed, a text"},
    {VOTING "null}", "\"text\" is missing; "},
    {VOTING "7}", "\"text\" can't be 7; write the post as it was typed"},
    {VOTING "[\"0123456789012345678901234567890123456é\"]}",
     "\"text\" can't be [\"0123456789012345678901234567890123456…; write "},
    /* players */
    {NOMINATION "\"x\":1}", "\"players\" is missing; " PLAYERS},
    {NOMINATION "\"players\":[]}", "\"players\" can't be []; " PLAYERS},
    {NOMINATION "\"players\":\"Anna\"}",
     "\"players\" can't be \"Anna\"; " PLAYERS},
    {NOMINATION "\"players\":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,"
                "5]}",
     "\"players\" can't be [1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0…; " PLAYERS},
    {NOMINATION "\"players\":[\"Anna\",7]}",
     "\"players\" can't be 7; write names, or objects of name, id and aliases"},
    {NOMINATION "\"players\":[null]}",
     "\"players\" can't be null; write names"},
    {NOMINATION "\"players\":[\"\"]}",
     "\"players\" can't be \"\"; write names"},
    {NOMINATION "\"players\":[\"An\\u0000na\"]}",
     "\"players\" can't be \"An\\u0000na\"; write names"},
    {NOMINATION "\"players\":[{\"id\":\"1\"}]}",
     "\"name\" is missing; write what the player is called"},
    {NOMINATION "\"players\":[{\"name\":7}]}",
     "\"name\" can't be 7; write what the player is called"},
    {NOMINATION "\"players\":[{\"name\":\"Anna\",\"id\":7}]}",
     "\"id\" can't be 7; write the player's user id, a text"},
    {NOMINATION "\"players\":[{\"name\":\"Anna\",\"aliases\":\"An\"}]}",
     "\"aliases\" can't be \"An\"; write a list of at most 8 names"},
    {NOMINATION "\"players\":[{\"name\":\"Anna\",\"aliases\":[\"a\",1]}]}",
     "\"aliases\" can't be [\"a\",1]; write a list of at most 8 names"},
    {NOMINATION
     "\"players\":[{\"name\":\"Anna\",\"aliases\":[\"a\",\"b\",\"c\",\"d\","
     "\"e\",\"f\",\"g\",\"h\",\"i\"]}]}",
     "\"aliases\" can't be "},
    /* words, red, hand */
    {VOTING "\"\",\"words\":[\"oui\",\"non\"]}",
     "\"words\" can't be [\"oui\",\"non\"]; " WORDS},
    {VOTING "\"\",\"words\":{\"ja\":[\"oui\"]}}",
     "\"words\" can't be {\"ja\":[\"oui\"]}; " WORDS},
    {VOTING "\"\",\"words\":{\"ja\":[\"oui\"],\"nein\":[]}}",
     "\"words\" can't be {"},
    {VOTING "\"\",\"words\":{\"ja\":[\"oui\"],\"nein\":[\"\"]}}",
     "\"words\" can't be {"},
    {VOTING "\"\",\"words\":{\"ja\":[\"oui\"],\"nein\":[\"1\",\"2\",\"3\","
            "\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}}",
     "\"words\" can't be {"},
    {VOTING "\"\",\"red\":\"no\"}",
     "\"red\" can't be \"no\"; write true or false"},
    {VOTING "\"\",\"red\":0}", "\"red\" can't be 0; write true or false"},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_president\",\"text\":\"\"}",
     "\"hand\" is missing; write the three cards, such as "
     "[\"F\", \"L\", \"F\"]"},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_president\",\"text\":\"\","
     "\"hand\":[\"F\",\"L\"]}",
     "\"hand\" can't be [\"F\",\"L\"]; write the three cards"},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_president\",\"text\":\"\","
     "\"hand\":[\"F\",\"L\",\"X\"]}",
     "\"hand\" can't be [\"F\",\"L\",\"X\"]; write the three cards"},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_chancellor\",\"text\":\"\","
     "\"hand\":\"FL\"}",
     "\"hand\" can't be \"FL\"; write the two cards, such as [\"L\", \"F\"]"},
};

START_TEST(a_line_that_cant_be_read_says_what_would_be_right)
{
    struct buf expected = BUF_INIT;

    buf_add_text(&expected, "line 7: ");
    buf_add_text(&expected, refused[_i].why);
    ck_assert_msg(!judge(refused[_i].line, strlen(refused[_i].line), &no_place),
                  "%s", refused[_i].line);
    json_object *json = json_tokener_parse(verdict.data);
    const char *why = jdoc_string(json, "why");
    ck_assert_str_eq(jdoc_string(json, "kind"), "error");
    ck_assert_ptr_null(jdoc_get(json, "value"));
    ck_assert_msg(strncmp(why, expected.data, expected.len) == 0, "%s:\n%s",
                  refused[_i].line, why);
    json_object_put(json);
    buf_release(&expected);
}
END_TEST

START_TEST(a_byte_that_is_nul_is_no_json)
{
    static const char line[] = VOTING "\"a\0b\"}";

    ck_assert(!judge(line, sizeof line - 1, &no_place));
    ck_assert_ptr_nonnull(strstr(verdict.data, "none of JSON's"));
}
END_TEST

START_TEST(a_line_may_nest_as_deep_as_it_likes)
{
    struct buf line = BUF_INIT;

    for (unsigned i = 0; i < 100000; i++) {
        buf_add_char(&line, '[');
    }
    ck_assert(!judge(line.data, line.len, &no_place));
    buf_release(&line);
}
END_TEST

START_TEST(a_line_that_is_too_long_is_told_of)
{
    post_line_refuse(12, &verdict);
    ck_assert_str_eq(verdict.data,
                     "{\"id\":null,\"kind\":\"error\",\"value\":null,\"why\":"
                     "\"line 12: it is longer than 4194304 bytes, and a post "
                     "is shorter\"}\n");
}
END_TEST

/* ---- what is taken ------------------------------------------------------- */

static const struct {
    const char *line, *said;
} taken[] = {
    {VOTING "\"[b]Ja![/b]\",\"id\":\"a\"}",
     "{\"id\":\"a\",\"kind\":\"vote\",\"value\":\"ja\",\"why\":\"R4: "},
    {VOTING "\"[b]Ja![/b]\",\"id\":12345678901234567890}\r",
     "{\"id\":12345678901234567890,\"kind\":\"vote\",\"value\":\"ja\","},
    {VOTING "\"\",\"id\":\"\\u0000\\n\\\"\"}",
     "{\"id\":\"\\u0000\\n\\\"\",\"kind\":\"none\",\"value\":null,"},
    {VOTING "\"\",\"id\":null,\"expect\":{\"kind\":\"vote\"},\"why\":7}",
     "{\"id\":null,\"kind\":\"none\","},
    {VOTING "\"[b]Ja![/b]\",\"players\":[]}",
     "{\"id\":null,\"kind\":\"vote\","},
    {VOTING "\"[b]Ja![/b]\",\"players\":null}",
     "{\"id\":null,\"kind\":\"vote\","},
    {VOTING "\"[b]\\ud800Ja[/b]\"}", "{\"id\":null,\"kind\":\"ambiguous\","},
    {VOTING "\"[b]Oui ![/b]\",\"words\":{\"ja\":[\"oui\"],\"nein\":[\"non\"]}}",
     "{\"id\":null,\"kind\":\"vote\",\"value\":\"ja\","},
    {"{\"dialect\":\"bbcode\",\"phase\":\"nomination\",\"players\":[\"Bob\","
     "{\"name\":\"Zoë \\\"Z\\\"\",\"id\":\"1\",\"aliases\":[\"Zed\"]}],"
     "\"text\":\"[b][color=red]zed[/color][/b]\"}",
     "{\"id\":null,\"kind\":\"nominate\",\"value\":\"Zoë \\\"Z\\\"\","},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_president\",\"hand\":[\"F\",\"L\","
     "\"L\"],\"text\":\"discard 2\"}",
     "{\"id\":null,\"kind\":\"pass\",\"value\":\"FL\",\"why\":\"D3: "},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_chancellor\",\"hand\":[\"F\","
     "\"L\"],\"text\":\"veto\"}",
     "{\"id\":null,\"kind\":\"veto\",\"value\":null,\"why\":\"D7: "},
    {"{\"dialect\":\"bbcode\",\"phase\":\"veto_president\","
     "\"text\":\"[b]Approved[/b]\"}",
     "{\"id\":null,\"kind\":\"veto_reply\",\"value\":\"approved\","},
    {"{\"dialect\":\"bbcode\",\"phase\":\"executive\",\"players\":[\"Bob\"],"
     "\"text\":\"[b][color=red]Bob[/color][/b]\"}",
     "{\"id\":null,\"kind\":\"target\",\"value\":\"Bob\","},
    {"{\"dialect\":\"bbcode\",\"phase\":\"dm_ballot\",\"text\":\"nein\"}",
     "{\"id\":null,\"kind\":\"vote\",\"value\":\"nein\",\"why\":\"D6: "},
    {"{\"dialect\":\"bbcode\",\"phase\":\"veto_chancellor\","
     "\"text\":\"[b]Veto[/b]\"}",
     "{\"id\":null,\"kind\":\"veto\",\"value\":null,\"why\":\"R4: "},
};

START_TEST(a_line_gives_one_verdict)
{
    ck_assert(judge(taken[_i].line, strlen(taken[_i].line), &no_place));
    assert_said(taken[_i].line, taken[_i].said, &no_place);
}
END_TEST

/* A post of exactly so many bytes that votes. */
static void
add_long_vote(struct buf *line, size_t len)
{
    buf_clear(line);
    buf_add_text(line, VOTING "\"[b]Ja![/b]");
    for (size_t i = strlen("[b]Ja![/b]"); i < len; i++) {
        buf_add_char(line, 'x');
    }
    buf_add_text(line, "\"}");
}

START_TEST(a_post_that_is_not_read_at_all_says_why)
{
    struct buf line = BUF_INIT;

    add_long_vote(&line, POST_MAX);
    assert_said(line.data, "{\"id\":null,\"kind\":\"vote\"", &no_place);
    add_long_vote(&line, POST_MAX + 1);
    assert_said(line.data,
                "{\"id\":null,\"kind\":\"none\",\"value\":null,\"why\":\"R0: "
                "the post is not read at all, for it is longer than 65536 "
                "bytes\"}",
                &no_place);
    assert_said(VOTING "\"[b]Ja![/b]\\u0000\"}",
                "{\"id\":null,\"kind\":\"none\",\"value\":null,\"why\":\"R0: "
                "the post is not read at all, for it holds a character "
                "U+0000\"}",
                &no_place);
    buf_clear(&line);
    buf_add_text(&line, VOTING "\"");
    for (int i = 0; i < 101; i++) {
        buf_add_text(&line, "[i]");
    }
    for (int i = 0; i < 101; i++) {
        buf_add_text(&line, "[/i]");
    }
    buf_add_text(&line, "\"}");
    assert_said(line.data,
                "{\"id\":null,\"kind\":\"none\",\"value\":null,\"why\":\"R0: "
                "the post is not read at all, for it nests more than 100 marks "
                "in one another\"}",
                &no_place);
    buf_release(&line);
}
END_TEST

/* ---- whose settings hold ------------------------------------------------- */

#define BOB(text, more)                                                        \
    "{\"phase\":\"nomination\",\"players\":[\"Bob\"],\"text\":\"" text         \
    "\"" more "}"
#define NAMED "{\"id\":null,\"kind\":\"nominate\",\"value\":\"Bob\","
#define DM    "{\"id\":null,\"kind\":\"none\","

START_TEST(a_place_says_whether_a_name_must_be_red)
{
    struct manner manner = {.dialect = &dialect_board, .red_required = true};

    assert_said(BOB("[b]Bob[/b]", ""), DM, &manner);
    assert_said(BOB("[b][color=red]Bob[/color][/b]", ""), NAMED, &manner);
    manner.red_required = false;
    assert_said(BOB("[b]Bob[/b]", ""), NAMED, &manner);
    assert_said(BOB("[b][color=red]Bob[/color][/b]", ""), NAMED, &manner);
    /* A line's own word holds. */
    assert_said(BOB("[b]Bob[/b]", ",\"red\":true"), DM, &manner);
    manner.red_required = true;
    assert_said(BOB("[b]Bob[/b]", ",\"red\":false"), NAMED, &manner);
}
END_TEST

START_TEST(without_a_place_the_dialect_says_so)
{
    assert_said(BOB("[b]Bob[/b]", ",\"dialect\":\"bbcode\""), DM, &no_place);
    assert_said(BOB("[b]Bob[/b]", ",\"dialect\":\"bbcode\",\"red\":false"),
                NAMED, &no_place);
    assert_said(BOB("[b]Bob[/b]", ",\"dialect\":\"bbcode\",\"red\":true"), DM,
                &no_place);
}
END_TEST

START_TEST(a_place_has_its_dialect_and_its_words)
{
    struct manner manner = {.dialect = &dialect_board};

    ck_assert(vote_words_read("Oui/Non", &manner.vocabulary.votes));
    manner.vocabulary.approved = "Entendu";
    manner.vocabulary.declined = "Refusé";
    assert_said("{\"phase\":\"voting\",\"text\":\"**oui**\"}",
                "{\"id\":null,\"kind\":\"vote\",\"value\":\"ja\"", &manner);
    assert_said("{\"phase\":\"voting\",\"text\":\"**ja**\"}",
                "{\"id\":null,\"kind\":\"ambiguous\"", &manner);
    assert_said("{\"phase\":\"veto_president\",\"text\":\"**entendu**\"}",
                "{\"id\":null,\"kind\":\"veto_reply\",\"value\":\"approved\"",
                &manner);
    /* A line's own words and dialect hold. */
    assert_said("{\"phase\":\"voting\",\"text\":\"**ja**\",\"words\":"
                "{\"ja\":[\"ja\"],\"nein\":[\"nein\"]}}",
                "{\"id\":null,\"kind\":\"vote\",\"value\":\"ja\"", &manner);
    assert_said("{\"phase\":\"voting\",\"text\":\"**oui**\",\"dialect\":"
                "\"bbcode\"}",
                "{\"id\":null,\"kind\":\"none\"", &manner);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/post_line");
    TCase *tcase = tcase_create("post_line");

    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_loop_test(tcase,
                        a_line_that_cant_be_read_says_what_would_be_right, 0,
                        COUNT(refused));
    tcase_add_test(tcase, a_byte_that_is_nul_is_no_json);
    tcase_add_test(tcase, a_line_may_nest_as_deep_as_it_likes);
    tcase_add_test(tcase, a_line_that_is_too_long_is_told_of);
    tcase_add_loop_test(tcase, a_line_gives_one_verdict, 0, COUNT(taken));
    tcase_add_test(tcase, a_post_that_is_not_read_at_all_says_why);
    tcase_add_test(tcase, a_place_says_whether_a_name_must_be_red);
    tcase_add_test(tcase, without_a_place_the_dialect_says_so);
    tcase_add_test(tcase, a_place_has_its_dialect_and_its_words);
    suite_add_tcase(suite, tcase);
    return suite;
}
