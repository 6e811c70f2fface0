/*
 * What was meant as an act and is none, in every dialect, and what is wrong
 * with it (READING.md E9).
 */
#include <string.h>

#include <check.h>

#include "bot/host/reading/intent.h"
#include "tests/support/runner.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum {
    NOBODY = 99,
    ALL_OF_IT = 3, /* the number of players: no name in it */
};

static struct reading
usual(enum phase phase, bool bold_names)
{
    static const char *const names[] = {"Anna", "Bob", "Eva Marie"};
    struct reading reading = {.phase = phase,
                              .bold_names = bold_names,
                              .prefix = "!",
                              .player_count = COUNT(names)};
    for (unsigned i = 0; i < COUNT(names); i++) {
        reading.players[i].name = names[i];
        reading.players[i].id = names[i];
    }
    return reading;
}

/* A post is no act, and an attempt at it in this way. */
static void
assert_slip(const struct dialect *dialect, const struct reading *reading,
            const char *body, enum slip slip, unsigned player)
{
    struct rich post = {.count = 0};
    struct intent intent;
    struct buf why = BUF_INIT;
    unsigned found = NOBODY;
    bool unread = false;
    dialect->read(body, strlen(body), &post, &unread);
    intent_read(&post, reading, &intent, &why);
    ck_assert_msg(intent.kind == INTENT_NONE, "%s: “%s” is %s", dialect->name,
                  body, intent_name(&intent));
    enum slip got = intent_nearly(&post, reading, &found);
    ck_assert_msg(got == slip, "%s: “%s”: %d, not %d", dialect->name, body,
                  (int)got, (int)slip);
    ck_assert_msg(found == player, "%s: “%s”: %u, not %u", dialect->name, body,
                  found, player);
    buf_release(&why);
    rich_release(&post);
}

static const struct attempt {
    const struct dialect *dialect;
    const char *body;
    enum slip slip;
} votes[] = {
    {&dialect_discord, "Ja!", SLIP_UNBOLD},
    {&dialect_discord, "[b]Ja![/b]", SLIP_MARKS},
    {&dialect_discord, "`**Ja!**`", SLIP_CODE},
    {&dialect_discord, "```\n**Nein!**\n```", SLIP_CODE},
    {&dialect_discord, "**Ja!", SLIP_UNCLOSED},
    {&dialect_discord, "Ja!**", SLIP_UNCLOSED},
    {&dialect_discord, "<b>Ja!</b>", SLIP_MARKS},
    {&dialect_discord, "<strong>Ja!", SLIP_UNCLOSED},
    {&dialect_discord, "*Ja!*", SLIP_UNBOLD},
    {&dialect_discord, "__Ja!__", SLIP_UNBOLD},
    {&dialect_discord, "\\*\\*Ja!\\*\\*", SLIP_MARKS},
    {&dialect_discord, "||**Ja!**||", SLIP_HIDDEN},
    {&dialect_discord, "# Ja!", SLIP_UNBOLD},
    {&dialect_discord, "<@77> Ja!", SLIP_UNBOLD},
    {&dialect_discord, "Ja! <:party:123>", SLIP_UNBOLD},
    {&dialect_discord, "/vote ja", SLIP_COMMAND},
    {&dialect_bbcode, "**Ja!**", SLIP_MARKS},
    {&dialect_bbcode, "[b]Ja!", SLIP_UNCLOSED},
    {&dialect_bbcode, "Ja![/b]", SLIP_UNCLOSED},
    {&dialect_bbcode, "[i]Ja![/i]", SLIP_UNBOLD},
    {&dialect_bbcode, "[color=red]Nein![/color]", SLIP_UNBOLD},
    {&dialect_bbcode, "<b>Ja!</b>", SLIP_MARKS},
    {&dialect_bbcode, "__Ja!__", SLIP_MARKS},
    {&dialect_bbcode, "`Ja!`", SLIP_CODE},
    {&dialect_bbcode, "[code][b]Ja![/b][/code]", SLIP_CODE},
    {&dialect_bbcode, "[spoiler][b]Ja![/b][/spoiler]", SLIP_HIDDEN},
    {&dialect_html, "<p>[b]Ja![/b]</p>", SLIP_MARKS},
    {&dialect_html, "<p>**Ja!**</p>", SLIP_MARKS},
    {&dialect_html, "<p><code>**Ja!**</code></p>", SLIP_CODE},
    {&dialect_html, "<p><em>Ja!</em></p>", SLIP_UNBOLD},
    {&dialect_matrix, "&lt;b&gt;Ja!&lt;/b&gt;", SLIP_MARKS},
    {&dialect_plain, "*Ja!*", SLIP_MARKS},
    {&dialect_plain, "** Ja! **", SLIP_MARKS},
    {&dialect_plain, "[b]Nein[/b]", SLIP_MARKS},
    {&dialect_board, "Vote: Ja!", SLIP_UNBOLD},
    {&dialect_board, "I vote ja", SLIP_UNBOLD},
    {&dialect_board, "I'm voting Nein!", SLIP_UNBOLD},
    {&dialect_board, "my vote is no", SLIP_UNBOLD},
    {&dialect_board, "How do I vote? Ja!", SLIP_UNBOLD},
    {&dialect_board, "Ja! 👍", SLIP_UNBOLD},
    {&dialect_board, "Ja! :tada: ;P", SLIP_UNBOLD},
    {&dialect_board, "@placard: Ja!", SLIP_UNBOLD},
    {&dialect_board, "JA JA JA", SLIP_UNBOLD},
    {&dialect_board, "Well.\n nein \nThat's it.", SLIP_UNBOLD},
    {&dialect_board, "[quote]x[/quote] ja", SLIP_UNBOLD},
    {&dialect_board, "**J**a!", SLIP_UNBOLD},
    {&dialect_board, "!vote ja", SLIP_COMMAND},
    {&dialect_board, "!ja", SLIP_COMMAND},
    {&dialect_board, "!vote", SLIP_COMMAND},
    {&dialect_board, "!unvote", SLIP_COMMAND},
    {&dialect_board, "> ja", SLIP_NONE},
    {&dialect_board, "[s]Ja![/s]", SLIP_NONE},
    {&dialect_board, "ja, but later", SLIP_NONE},
    {&dialect_board, "Ja or Nein", SLIP_NONE},
    {&dialect_board, "Jahr", SLIP_NONE},
    {&dialect_board, "!roll 2d6", SLIP_NONE},
    {&dialect_board, "I vote for Bob", SLIP_UNBOLD},
    {&dialect_board, "my vote goes for [mention=Bob]him[/mention]",
     SLIP_UNBOLD},
    {&dialect_board, "how is Bob?", SLIP_NONE},
    {&dialect_board, "[quote]**Ja!**[/quote]", SLIP_HIDDEN},
    {&dialect_board, "[s]**Ja!**[/s]\n", SLIP_HIDDEN},
    {&dialect_discord, "> **Ja!**", SLIP_HIDDEN},
    {&dialect_html, "<blockquote>Bob wrote:<p><b>Ja!</b></p></blockquote>",
     SLIP_HIDDEN},
    {&dialect_board, "[quote]**Ja!**[/quote] why?", SLIP_NONE},
    {&dialect_board, "[quote]**Ja!** or **Nein!**[/quote]", SLIP_NONE},
    {&dialect_board, "", SLIP_NONE},
};

START_TEST(a_vote_word_in_any_marks_is_an_attempt)
{
    for (size_t i = 0; i < COUNT(votes); i++) {
        struct reading reading = usual(PHASE_VOTING, true);
        assert_slip(votes[i].dialect, &reading, votes[i].body, votes[i].slip,
                    NOBODY);
    }
}
END_TEST

START_TEST(a_vote_is_attempted_in_the_words_of_the_language)
{
    struct reading reading = usual(PHASE_VOTING, true);
    reading.ja[0] = "Oui !";
    reading.nein[0] = "Non !";
    reading.ja_count = 1;
    reading.nein_count = 1;
    reading.voting = "je vote comment pour";
    assert_slip(&dialect_board, &reading, "Je vote oui", SLIP_UNBOLD, NOBODY);
    assert_slip(&dialect_board, &reading, "Comment je vote ? Non !",
                SLIP_UNBOLD, NOBODY);
    assert_slip(&dialect_board, &reading, "ja", SLIP_UNBOLD, NOBODY);
}
END_TEST

static const struct {
    const struct dialect *dialect;
    const char *body;
    enum slip slip;
    unsigned player;
    bool red; /* a name must be red */
} names[] = {
    {&dialect_board, "I nominate Anna.", SLIP_UNBOLD, 0, false},
    {&dialect_board, "I nominate @Bob, Bob!", SLIP_UNBOLD, 1, false},
    {&dialect_board, "so, [mention=Bob]him[/mention]", SLIP_UNBOLD, 1, false},
    {&dialect_board, "Bob it is", SLIP_UNBOLD, 1, false},
    {&dialect_board, "Carl and the rest are fishy.\nI'd name Bob.", SLIP_UNBOLD,
     1, false},
    {&dialect_board, "[b]Bob[/b]", SLIP_BLACK, 1, true},
    {&dialect_board, "[color=red]Bob[/color]", SLIP_THIN, 1, true},
    {&dialect_board, "[color=red]Bob[/color]", SLIP_UNBOLD, 1, false},
    {&dialect_board, "[color=red][b]Bob[/color]", SLIP_UNCLOSED, 1, true},
    {&dialect_board, "<strong>Eva Marie</strong>", SLIP_MARKS, 2, false},
    {&dialect_board, "`**Bob**`", SLIP_CODE, 1, false},
    {&dialect_board, "[spoiler]**Bob**[/spoiler]", SLIP_HIDDEN, 1, false},
    {&dialect_discord, "[b]Bob[/b]", SLIP_MARKS, 1, false},
    {&dialect_discord, "**Bob", SLIP_UNCLOSED, 1, false},
    {&dialect_discord, "*Bob*", SLIP_UNBOLD, 1, false},
    {&dialect_discord, "/nominate Bob", SLIP_COMMAND, 1, false},
    {&dialect_html, "<p>**Bob**</p>", SLIP_MARKS, 1, true},
    {&dialect_board, "!nominate Bob", SLIP_COMMAND, 1, false},
    {&dialect_board, "!bob", SLIP_COMMAND, 1, false},
    {&dialect_board, "!nominate", SLIP_COMMAND, ALL_OF_IT, false},
    {&dialect_board, "!unvote", SLIP_COMMAND, ALL_OF_IT, false},
    {&dialect_board, "Bob?", SLIP_TALK, 1, false},
    {&dialect_board, "I don't trust Bob", SLIP_TALK, 1, false},
    {&dialect_board, "I wonder what Bob has drawn in round 2", SLIP_TALK, 1,
     false},
    {&dialect_board, "Bob or Anna", SLIP_NONE, NOBODY, false},
    {&dialect_board, "Annabel", SLIP_NONE, NOBODY, false},
    {&dialect_board, "[quote]Anna[/quote] indeed", SLIP_NONE, NOBODY, false},
    {&dialect_board, "[quote]**Bob**[/quote]", SLIP_HIDDEN, 1, false},
    {&dialect_board, "[quote]Bob wrote: hm[/quote]", SLIP_NONE, NOBODY, false},
    {&dialect_board, "!roll 2d6", SLIP_NONE, NOBODY, false},
    {&dialect_board, "nobody", SLIP_NONE, NOBODY, false},
};

START_TEST(a_name_in_any_marks_is_an_attempt)
{
    for (size_t i = 0; i < COUNT(names); i++) {
        struct reading reading = usual(PHASE_NOMINATION, !names[i].red);
        assert_slip(names[i].dialect, &reading, names[i].body, names[i].slip,
                    names[i].player);
        reading.phase = PHASE_EXECUTIVE;
        assert_slip(names[i].dialect, &reading, names[i].body, names[i].slip,
                    names[i].player);
    }
}
END_TEST

START_TEST(whatever_speaks_of_the_veto_is_an_attempt)
{
    static const struct attempt cases[] = {
        {&dialect_board, "Approved", SLIP_UNBOLD},
        {&dialect_board, "I agree to the veto.", SLIP_UNBOLD},
        {&dialect_discord, "[b]Declined[/b]", SLIP_MARKS},
        {&dialect_discord, "`**Declined**`", SLIP_CODE},
        {&dialect_discord, "!approve", SLIP_COMMAND},
        {&dialect_board, "**No way**", SLIP_UNBOLD},
        {&dialect_board, "Nope.", SLIP_UNBOLD},
        {&dialect_board, "What do you think of this veto?", SLIP_NONE},
        {&dialect_board, "I have to think", SLIP_NONE},
    };
    struct reading reading = usual(PHASE_VETO_PRESIDENT, true);
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_slip(cases[i].dialect, &reading, cases[i].body, cases[i].slip,
                    NOBODY);
    }
}
END_TEST

START_TEST(a_command_may_be_meant_as_an_act)
{
    static const char *const acts[] = {"vote", "ja",  "nein",    "no",
                                       "bob",  "oui", "discard", "nominate",
                                       "veto", "kill"};
    static const char *const others[] = {"roll", "dance", "jion", "play"};
    struct reading reading = usual(PHASE_NOMINATION, true);
    for (size_t i = 0; i < COUNT(acts); i++) {
        ck_assert_msg(intent_is_act_word(&reading, acts[i]), "%s", acts[i]);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        ck_assert_msg(!intent_is_act_word(&reading, others[i]), "%s",
                      others[i]);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/intent_attempt");
    TCase *tcase = tcase_create("attempts");
    tcase_add_test(tcase, a_vote_word_in_any_marks_is_an_attempt);
    tcase_add_test(tcase, a_vote_is_attempted_in_the_words_of_the_language);
    tcase_add_test(tcase, a_name_in_any_marks_is_an_attempt);
    tcase_add_test(tcase, whatever_speaks_of_the_veto_is_an_attempt);
    tcase_add_test(tcase, a_command_may_be_meant_as_an_act);
    suite_add_tcase(suite, tcase);
    return suite;
}
