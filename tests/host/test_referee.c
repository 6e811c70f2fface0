/*
 * The referee: who may act when and how, what is asked back, and what the
 * clock decides.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

/* A game of so many players in which every hand holds two fascist policies. */
static void
begin(unsigned players)
{
    hall.deck = "FFLFFLFFLFFLFFLFL";
    hall_open(&hall);
    hall_begin(&hall, players);
}

static enum question
question(void)
{
    return (enum question)hall_game(&hall)->question;
}

static void
assert_question(enum question expected)
{
    ck_assert_int_eq(question(), expected);
}

/* A post of somebody who has to be silent: it is no act. */
static void
assert_no_act(const char *who, const char *text)
{
    struct game before = hall_table(&hall)->game;
    hall_says(&hall, who, text);
    ck_assert_mem_eq(&before, &hall_table(&hall)->game, sizeof before);
}

/* A post that must change nothing and be answered by nothing. */
static void
assert_silence(const char *who, const char *text)
{
    struct table before = *hall_table(&hall);
    hall_read(&hall);
    size_t posts = hall.post_count;
    hall_says(&hall, who, text);
    hall_read(&hall);
    ck_assert_mem_eq(&before, hall_table(&hall), sizeof before);
    ck_assert_uint_eq(hall.post_count, posts + 1);
    ck_assert_str_eq(hall.posts[posts].reactions, "");
}

/* ---- nominating ---------------------------------------------------------- */

START_TEST(a_bold_name_nominates)
{
    static const char *const posts[] = {
        "[b]Bob[/b]",
        "**Bob**",
        "Let me think …\n**bob!**\nWell?",
        "[b][color=red]Bob[/color][/b]",
        "I trust [b][color=red]Bob[/color][/b].",
        "[b][mention=Bob]Bob[/mention][/b]",
    };
    begin(5);
    hall_says(&hall, "Anna", posts[_i]);
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(hall_game(&hall)->chancellor, 1);
    assert_holds(hall_said(&hall), "Anna names Bob.");
}
END_TEST

START_TEST(only_the_candidate_nominates)
{
    begin(5);
    assert_silence("Carl", "**Bob**");
    assert_silence("Mo", "**Carl**");
    assert_silence("Stranger", "**Carl**");
    assert_question(QUESTION_NOMINATE);
}
END_TEST

START_TEST(a_nomination_by_private_message_does_nothing)
{
    begin(5);
    hall_tells(&hall, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
}
END_TEST

START_TEST(quotes_code_and_talk_nominate_nobody)
{
    static const char *const posts[] = {
        "[quote]**Bob**[/quote]",     "`**Bob**`",          "[s][b]Bob[/b][/s]",
        "[spoiler]**Bob**[/spoiler]", "Good morning, all!",
    };
    begin(5);
    for (size_t i = 0; i < sizeof posts / sizeof posts[0]; i++) {
        assert_silence("Anna", posts[i]);
    }
}
END_TEST

START_TEST(an_unbold_name_gets_one_hint_a_question)
{
    begin(5);
    hall_says(&hall, "Anna", "I nominate Bob");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_count_said(&hall, "so nobody is named yet"), 1);
    assert_holds(hall_said(&hall), "Anna: names count in bold");
    assert_silence("Anna", "I nominate Bob!");
    /* The same is due again in the next round that is theirs. */
    hall_names(&hall, 1);
    hall_votes(&hall, false);
    hall_says(&hall, "Bob", "I nominate Carl");
    ck_assert_uint_eq(hall_count_said(&hall, "so nobody is named yet"), 2);
}
END_TEST

START_TEST(where_red_is_required_bold_alone_is_only_hinted_at)
{
    hall_set(&hall, "red", "required");
    begin(5);
    hall_says(&hall, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall),
                 "Anna: names count in bold red only, alone on a line, so "
                 "nobody is named yet: [b][color=red]name[/color][/b].");
    assert_silence("Anna", "[b][mention=Bob]Bob[/mention][/b]");
    hall_says(&hall, "Anna", "I trust [b][color=red]Bob[/color][/b].");
    assert_question(QUESTION_VOTE);
}
END_TEST

START_TEST(on_the_board_red_is_required_unless_it_is_set)
{
    hall_set(&hall, "red", "");
    begin(5);
    hall_says(&hall, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
}
END_TEST

START_TEST(the_next_candidate_is_told_once_that_it_is_too_early)
{
    begin(5);
    hall_says(&hall, "Bob", "**Carl**");
    assert_holds(hall_said(&hall), "Bob: your round is not open yet");
    assert_silence("Bob", "**Dora**");
    hall_names(&hall, 2);
    assert_silence("Bob", "I will name Dora.");
    assert_silence("Dora", "**Carl**");
    hall_says(&hall, "Bob", "Then it's\n**Dora**");
    ck_assert_uint_eq(hall_count_said(&hall, "your round is not open yet"), 2);
    hall_says(&hall, "Bob", "**Ja!** and then\n**Dora**");
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(1));
    ck_assert_uint_eq(hall_count_said(&hall, "your round is not open yet"), 2);
}
END_TEST

START_TEST(a_name_posted_just_before_the_round_is_too_early)
{
    begin(5);
    hall_rejects(&hall);
    assert_question(QUESTION_NOMINATE);
    hall_delivers(&hall,
                  &(struct odd_post){.id = "a",
                                     .who = "Bob",
                                     .text = "**Carl**",
                                     .stamp = hall_table(&hall)->since - 1});
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), "Bob: your round is not open yet");
}
END_TEST

START_TEST(a_power_is_no_early_nomination)
{
    begin(5);
    hall_govern_to(&hall, 4);
    assert_question(QUESTION_EXECUTION);
    hall_says(&hall, hall_awaited(&hall), "Is it [b]Bob[/b]?");
    ck_assert_uint_eq(hall_count_said(&hall, "your round is not open yet"), 0);
}
END_TEST

START_TEST(an_unclear_name_is_asked_about)
{
    static const struct {
        const char *post, *answer;
    } cases[] = {
        {"[b][color=red]Ann[/color][/b]",
         "I am not sure that “Ann” is to name somebody"},
        {"[b][color=red]Zoe[/color][/b]", "there is no player called “Zoe”"},
        {"**Bob**\n**Carl**", "you named several players (Bob, Carl)"},
        {"[b][mention=Carl]Bob[/mention][/b]",
         "your mention shows one player and points to another"},
        {"**I name Bob**", "I am not sure that “I name Bob” is to name"},
    };
    begin(5);
    hall_says(&hall, "Anna", cases[_i].post);
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), cases[_i].answer);
    assert_holds(hall_said(&hall), "Anna: ");
    assert_holds(hall_said(&hall), "Nothing was done");
}
END_TEST

START_TEST(the_second_unclear_post_is_answered_in_private)
{
    begin(5);
    hall_says(&hall, "Anna", "[b][color=red]Zoe[/color][/b]");
    hall_says(&hall, "Anna", "[b][color=red]Zac[/color][/b]");
    ck_assert_uint_eq(hall_count_said(&hall, "there is no player"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "there is no player"), 1);
    assert_holds(hall_told(&hall, "Anna"), "“Zac”");
}
END_TEST

START_TEST(what_a_player_wrote_is_quoted_as_text)
{
    begin(5);
    hall_says(&hall, "Anna",
              "[b][color=red]{@everybody} *a* {x?y}[/color][/b]");
    assert_holds(hall_said(&hall), "“{@everybody} *a* {x?y}”");
}
END_TEST

START_TEST(a_nomination_that_the_rules_refuse_is_answered_in_words)
{
    begin(5);
    hall_governs(&hall, 1, false);
    hall_says(&hall, "Bob", "**Bob**");
    assert_holds(hall_said(&hall), "Bob: you can't name yourself. "
                                   "Possible: Carl, Dora, Emil.");
    hall_says(&hall, "Bob", "**Anna**");
    assert_holds(hall_said(&hall),
                 "Bob: Anna was in the last government that enacted a policy "
                 "and can't be chancellor this time. Possible: Carl, Dora, "
                 "Emil.");
    assert_question(QUESTION_NOMINATE);
    /* The same refusal twice: by private message. */
    hall_says(&hall, "Bob", "**Anna**");
    ck_assert_uint_eq(hall_count_said(&hall, "can't be chancellor this time"),
                      1);
    ck_assert_uint_eq(
        hall_count_told(&hall, "Bob", "can't be chancellor this time"), 1);
}
END_TEST

START_TEST(the_executed_are_named_in_vain)
{
    begin(5);
    hall_govern_to(&hall, 4);
    hall_names(&hall, 1); /* Bob is executed */
    assert_holds(hall_said(&hall), "executes Bob.");
    char text[64];
    const char *candidate = hall_awaited(&hall);
    snprintf(text, sizeof text, "%s: Bob was executed", candidate);
    hall_names(&hall, 1);
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), text);
}
END_TEST

/* ---- voting -------------------------------------------------------------- */

START_TEST(everybody_votes_the_candidates_too)
{
    hall_set(&hall, "vote_closes", "all");
    begin(5);
    hall_names(&hall, 1);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(seat_count(hall_game(&hall)->voted), i);
        hall_says(&hall, hall_player(i), i < 3 ? "**Ja!**" : "**Nein!**");
    }
    assert_question(QUESTION_DISCARD);
    assert_holds(hall_said(&hall), "Elected with 3 to 2");
    assert_holds(hall_said(&hall), "Ja: Anna, Bob, Carl. Nein: Dora, Emil.");
}
END_TEST

START_TEST(a_counted_vote_gets_a_reaction)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "So be it. [b]Ja[/b]");
    hall_read(&hall);
    ck_assert_str_eq(hall.posts[hall.post_count - 1].reactions, "✅ by placard");
}
END_TEST

START_TEST(a_game_may_have_its_own_vote_words)
{
    hall_set(&hall, "words", "Oui/Non,Nein");
    begin(5);
    hall_names(&hall, 1);
    assert_holds(hall_said(&hall), "Post **Oui** or **Non** in bold.");
    hall_says(&hall, "Carl", "**Yes!**");
    assert_holds(hall_said(&hall), "votes in this game are **Oui** or **Non**");
    hall_says(&hall, "Dora", "oui");
    assert_holds(hall_said(&hall), "Dora: votes count in bold only");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    hall_says(&hall, "Carl", "**Oui !**");
    hall_says(&hall, "Dora", "**nein**");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(2));
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(ja_and_nein_count_in_every_game)
{
    hall_set(&hall, "words", "Oui/Non");
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    hall_says(&hall, "Dora", "**Nein!**");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(2));
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(votes_of_strangers_and_moderators_are_none)
{
    begin(5);
    hall_names(&hall, 1);
    assert_no_act("Mo", "**Ja!**");
    assert_holds(hall_said(&hall), "only those at the table vote");
    unsigned said = hall_count_said(&hall, "");
    assert_no_act("Stranger", "**Nein!**");
    ck_assert_uint_eq(hall_count_said(&hall, ""), said);
    ck_assert_uint_eq(hall_table(&hall)->strangers, 2);
}
END_TEST

START_TEST(votes_of_the_executed_are_none)
{
    begin(5);
    hall_govern_to(&hall, 4);
    hall_names(&hall, 2);
    hall_names(&hall, 0);
    assert_question(QUESTION_VOTE);
    assert_no_act("Carl", "**Ja!**");
    assert_no_act("Carl", "Ja!");
}
END_TEST

static void
react(const char *id, const char *who)
{
    hall_delivers(&hall, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .reply_to = "1",
                                            .stamp = hall.stage->now,
                                            .kind = POST_REACTED});
}

START_TEST(who_was_executed_is_warned_of_reactions_once)
{
    begin(5);
    hall_govern_to(&hall, 4);
    react("r1", "Carl");
    hall_names(&hall, 2);
    unsigned said = hall_count_said(&hall, "");
    react("r2", "Dora");
    ck_assert_uint_eq(hall_count_said(&hall, ""), said);
    react("r3", "Carl");
    react("r3", "Carl");
    react("r4", "Carl");
    ck_assert_uint_eq(hall_count_said(&hall, ""), said + 1);
    assert_holds(hall_said(&hall), "Carl, you were executed: ");
    ck_assert_uint_eq(hall_table(&hall)->warnings[2], 2);
    ck_assert_uint_eq(hall_table(&hall)->warnings[3], 0);
}
END_TEST

START_TEST(a_vote_in_private_is_none_in_an_open_ballot)
{
    begin(5);
    hall_names(&hall, 1);
    hall_tells(&hall, "Carl", "Ja!");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
}
END_TEST

START_TEST(the_first_vote_stays_and_a_change_is_pointed_out_once)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    hall_says(&hall, "Carl", "**Nein!**");
    hall_says(&hall, "Carl", "**Nein!** I say!");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(2));
    ck_assert_uint_eq(hall_count_said(&hall, "the first one stays"), 1);
    assert_holds(hall_said(&hall),
                 "Carl: your vote is counted already; the first one stays.");
}
END_TEST

START_TEST(the_same_vote_again_is_no_change)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    assert_silence("Carl", "**JA**");
    /* Whoever has voted may talk in bold as they like. */
    assert_silence("Carl", "**Ja or Nein?**");
    assert_silence("Carl", "Ja");
}
END_TEST

START_TEST(an_unclear_vote_is_asked_about)
{
    static const struct {
        const char *post, *answer;
    } cases[] = {
        {"**Ja!** or **Nein!**", "so I counted neither"},
        {"**I vote Ja!**", "only when it stands alone (I read “I vote Ja!”)"},
        {"**Yes!**", "votes in this game are **Ja!** or **Nein!**"},
        {"**J\xD0\xB0!**", "letters that only look like “ja”"},
    };
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", cases[_i].post);
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    assert_holds(hall_said(&hall), "Carl: ");
    assert_holds(hall_said(&hall), cases[_i].answer);
}
END_TEST

START_TEST(a_vote_inside_talk_is_asked_about_once_and_in_private_too)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "Why did you vote **Ja!** last time, Anna?");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    ck_assert_uint_eq(hall_count_said(&hall, "reads like talk"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "reads like talk"), 1);
    hall_says(&hall, "Carl", "I'd never vote **Nein!** here");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    ck_assert_uint_eq(hall_count_said(&hall, "reads like talk"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "reads like talk"), 1);
    hall_says(&hall, "Carl", "I don't know, but **Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(2));
}
END_TEST

START_TEST(a_mention_inside_talk_is_asked_about_once_and_in_private_too)
{
    begin(5);
    hall_says(&hall, "Anna", "I suspect [b][mention=Bob]Bob[/mention][/b].");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna: you mention Bob"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you mention Bob"), 1);
    hall_says(&hall, "Anna", "[b][mention=Bob]Bob[/mention][/b] why not?");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_count_said(&hall, "you mention Bob"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you mention Bob"), 1);
    hall_says(&hall, "Anna", "I pick [b][mention=Bob]Bob[/mention][/b].");
    assert_question(QUESTION_VOTE);
}
END_TEST

START_TEST(an_unbold_vote_gets_one_hint)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "Ja!");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    assert_holds(hall_said(&hall), "Carl: votes count in bold only");
    assert_silence("Carl", "Ja!!");
    hall_says(&hall, "Dora", "Nein");
    ck_assert_uint_eq(hall_count_said(&hall, "votes count in bold only"), 2);
}
END_TEST

START_TEST(a_hint_is_not_sent_to_who_has_voted_by_then)
{
    begin(5);
    hall_names(&hall, 1);
    hall_posts(&hall, "Carl", "Ja!");
    hall_posts(&hall, "Carl", "I'd never vote **Nein!** here");
    hall_posts(&hall, "Carl", "**Ja!**");
    hall_posts(&hall, "Dora", "Ja!");
    hall_settle(&hall);
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(2));
    ck_assert_uint_eq(hall_count_said(&hall, "Carl: votes count"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "reads like talk"), 0);
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "reads like talk"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "Dora: votes count"), 1);
}
END_TEST

START_TEST(a_vote_from_before_the_nomination_is_none)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t since = hall_table(&hall)->since;
    hall_delivers(&hall, &(struct odd_post){.id = "a",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = since - 1});
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    hall_delivers(&hall, &(struct odd_post){.id = "b",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = since});
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2));
}
END_TEST

START_TEST(an_edit_changes_nothing)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t now = hall.stage->now;
    struct odd_post post = {.id = "a", .who = "Carl", .stamp = now};
    post.text = "Hm.";
    hall_delivers(&hall, &post);
    post.text = "**Ja!**";
    post.edited = now + 1;
    hall_delivers(&hall, &post);
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
}
END_TEST

START_TEST(a_post_first_seen_edited_counts_from_its_edit)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t since = hall_table(&hall)->since;
    int64_t due = table_due(hall_table(&hall));
    struct odd_post post = {.id = "a",
                            .who = "Carl",
                            .text = "**Ja!**",
                            .stamp = since - 1,
                            .edited = since};
    hall_delivers(&hall, &post);
    hall_waits(&hall, 2 * SECOND_MS); /* what came before the edit is read */
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2));
    post = (struct odd_post){.id = "b",
                             .who = "Dora",
                             .text = "**Ja!**",
                             .stamp = since,
                             .edited = due + 1};
    hall_delivers(&hall, &post);
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2));
}
END_TEST

START_TEST(a_post_edited_nobody_knows_when_is_none)
{
    begin(5);
    hall_names(&hall, 1);
    hall_delivers(&hall, &(struct odd_post){.id = "a",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = hall.stage->now,
                                            .edited = -1});
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
}
END_TEST

START_TEST(own_posts_and_machines_never_count)
{
    begin(5);
    hall_names(&hall, 1);
    struct odd_post post = {.id = "a",
                            .who = "Carl",
                            .text = "**Ja!**",
                            .stamp = hall.stage->now,
                            .machine = true};
    hall_delivers(&hall, &post);
    post.machine = false;
    post.own = true;
    post.id = "b";
    hall_delivers(&hall, &post);
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
}
END_TEST

/* ---- sealed ballots ------------------------------------------------------ */

START_TEST(a_sealed_vote_is_one_word_in_private)
{
    hall_set(&hall, "ballot", "sealed");
    begin(5);
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Emil",
                                      "shall President Anna and "
                                      "Chancellor Bob govern?"),
                      1);
    hall_tells(&hall, "Emil", "Ja, of course!");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    assert_holds(hall_told(&hall, "Emil"), "A vote is one word");
    hall_tells(&hall, "Emil", "nein");
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(4));
    assert_holds(hall_told(&hall, "Emil"), "your vote is in");
    assert_holds(hall_told(&hall, "Emil"), "Nein!");
}
END_TEST

START_TEST(a_sealed_vote_stays_as_it_was_first)
{
    hall_set(&hall, "ballot", "sealed");
    begin(5);
    hall_names(&hall, 1);
    hall_tells(&hall, "Emil", "Ja");
    hall_tells(&hall, "Emil", "Nein");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(4));
}
END_TEST

START_TEST(in_the_thread_a_sealed_vote_is_answered_not_counted)
{
    hall_set(&hall, "ballot", "sealed");
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    assert_holds(hall_said(&hall), "Carl: this vote is secret");
    assert_silence("Carl", "**Nein!**");
    hall_says(&hall, "Dora", "Nein!");
    assert_holds(hall_said(&hall), "Dora: this vote is secret");
}
END_TEST

START_TEST(nothing_is_shown_of_sealed_votes_before_the_last)
{
    hall_set(&hall, "ballot", "sealed");
    hall_set(&hall, "vote_closes", "all");
    begin(5);
    hall_names(&hall, 1);
    unsigned said = hall_count_said(&hall, "");
    for (unsigned i = 0; i < 4; i++) {
        hall_tells(&hall, hall_player(i), i < 3 ? "Nein" : "Ja");
        ck_assert_uint_eq(hall_count_said(&hall, ""), said);
        assert_lacks(hall_status(&hall)->text, "Nein");
    }
    assert_holds(hall_status(&hall)->text, "4 of 5 have voted");
    assert_holds(hall_status(&hall)->text, "Awaited: Emil");
    hall_tells(&hall, "Emil", "Ja");
    assert_holds(hall_said(&hall), "Ja: Dora, Emil. Nein: Anna, Bob, Carl.");
}
END_TEST

/* ---- cards --------------------------------------------------------------- */

START_TEST(cards_are_chosen_in_private_alone)
{
    hall.deck = "FLF";
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    hall_says(&hall, "Anna", "discard 1");
    hall_says(&hall, "Anna", "**discard 1**");
    assert_question(QUESTION_DISCARD);
    hall_tells(&hall, "Bob", "discard 1"); /* not Bob's to choose */
    assert_question(QUESTION_DISCARD);
    hall_tells(&hall, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
    hall_tells(&hall, "Anna", "enact 1");
    assert_question(QUESTION_ENACT);
    hall_tells(&hall, "Bob", "enact 1");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_game(&hall)->liberal, 1);
}
END_TEST

START_TEST(the_president_answers_in_words_of_their_own)
{
    static const struct {
        const char *answer, *passed;
    } cases[] = {
        {"discard 2", "Bob gets Fascist and Fascist"},
        {"drop the liberal", "Bob gets Fascist and Fascist"},
        {"13", "Bob gets Fascist and Fascist"},
        {"FL", "Bob gets Liberal and Fascist"},
        {"pass 2 and 3", "Bob gets Liberal and Fascist"},
    };
    hall.deck = "FLF";
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    hall_tells(&hall, "Anna", cases[_i].answer);
    assert_question(QUESTION_ENACT);
    assert_holds(hall_told(&hall, "Anna"), cases[_i].passed);
}
END_TEST

START_TEST(an_unclear_card_is_asked_about_in_private)
{
    static const struct {
        const char *answer, *asked;
    } cases[] = {
        {"2", "I am not sure which card you mean (I read “2”)"},
        {"discard 4", "That is not in your hand"},
        {"discard 1 or 2?", "I am not sure which card you mean"},
        {"LL", "That is not in your hand"},
    };
    hall.deck = "FLF";
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    unsigned said = hall_count_said(&hall, "");
    hall_tells(&hall, "Anna", cases[_i].answer);
    hall_tells(&hall, "Anna", cases[_i].answer);
    assert_question(QUESTION_DISCARD);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", cases[_i].asked), 2);
    assert_holds(hall_told(&hall, "Anna"), "discard");
    ck_assert_uint_eq(hall_count_said(&hall, ""), said);
}
END_TEST

START_TEST(the_chancellor_sees_the_liberal_policy_first)
{
    static const char *const decks[] = {"FLF", "FFL", "LFF"};
    hall.deck = decks[_i];
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    hall_discards(&hall, false);
    assert_holds(hall_told(&hall, "Bob"), "\n1 Liberal\n2 Fascist\n");
    hall_tells(&hall, "Bob", "enact 2");
    ck_assert_uint_eq(hall_game(&hall)->fascist, 1);
    assert_holds(hall_told(&hall, "Bob"),
                 "You enacted Fascist; Liberal was discarded unseen");
}
END_TEST

START_TEST(a_card_answer_in_the_thread_gets_one_neutral_line)
{
    begin(5);
    hall_elects(&hall, 1);
    hall_says(&hall, "Bob", "enact 1"); /* not awaited yet: the same line */
    assert_holds(hall_said(&hall),
                 "Bob: cards and other private answers do nothing here");
    hall_says(&hall, "Anna", "discard 2");
    assert_holds(hall_said(&hall),
                 "Anna: cards and other private answers do nothing here");
    assert_silence("Anna", "discard 3, I mean!");
    assert_silence("Carl", "discard 2"); /* has none */
}
END_TEST

START_TEST(a_private_message_that_nothing_asked_for_is_answered_once)
{
    begin(5);
    hall_tells(&hall, "Bob", "Who is Hitler?");
    assert_holds(hall_told(&hall, "Bob"), "Nothing is asked of you just now.");
    hall_tells(&hall, "Bob", "Please!");
    ck_assert_uint_eq(hall_count_told(&hall, "Bob", "Nothing is asked"), 1);
    /* A command there has its own answer. */
    hall_tells(&hall, "Carl", "!status");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "Nothing is asked"), 0);
    assert_holds(hall_told(&hall, "Carl"), "Secret Hitler, table 1");
}
END_TEST

/* ---- the veto ------------------------------------------------------------ */

/* A session with five fascist policies out, the chancellor is to enact. */
static void
begin_veto(void)
{
    begin(7);
    hall_govern_to(&hall, 5);
    hall_names(&hall, 0); /* Anna is executed */
    hall_elects(&hall, hall_choice(&hall));
    hall_discards(&hall, false);
    assert_question(QUESTION_ENACT);
}

static const char *
president(void)
{
    return hall_name(&hall, hall_game(&hall)->president);
}

static const char *
chancellor(void)
{
    return hall_name(&hall, hall_game(&hall)->chancellor);
}

START_TEST(a_veto_is_asked_for_in_the_thread_or_in_private)
{
    begin_veto();
    assert_holds(hall_told(&hall, chancellor()), "Rather none? Answer veto:");
    if (_i == 0) {
        hall_says(&hall, chancellor(), "**Veto!**");
    } else {
        hall_tells(&hall, chancellor(), "veto");
    }
    assert_question(QUESTION_VETO);
    ck_assert_uint_eq(
        hall_count_told(&hall, chancellor(), "You ask for a veto."), 1);
    assert_holds(hall_said(&hall), "asks to veto this agenda.");
    assert_holds(hall_said(&hall), "do you agree to the veto?");
}
END_TEST

START_TEST(only_the_chancellor_asks_for_a_veto)
{
    begin_veto();
    assert_no_act(president(), "**Veto!**");
    assert_no_act("Mo", "**Veto!**");
    assert_no_act("Anna", "**Veto!**");
}
END_TEST

START_TEST(before_five_fascist_policies_there_is_no_veto)
{
    begin(5);
    hall_elects(&hall, 1);
    hall_discards(&hall, false);
    assert_lacks(hall_told(&hall, "Bob"), "veto");
    assert_silence("Bob", "**Veto!**");
    hall_tells(&hall, "Bob", "veto");
    assert_question(QUESTION_ENACT);
    assert_holds(hall_told(&hall, "Bob"),
                 "there is no veto before five fascist policies are out");
}
END_TEST

START_TEST(the_president_agrees_to_a_veto_in_the_thread)
{
    begin_veto();
    hall_says(&hall, chancellor(), "**Veto**");
    assert_silence(chancellor(), "**Approved**");
    assert_silence("Mo", "**Approved**");
    hall_tells(&hall, president(), "Approved");
    assert_question(QUESTION_VETO);
    hall_says(&hall, president(), "**Approved or Declined?**");
    assert_holds(hall_said(&hall), "so I counted neither");
    uint32_t round = hall_game(&hall)->round;
    hall_says(&hall, president(), "**Approved**");
    ck_assert_uint_eq(hall_game(&hall)->round, round + 1);
    assert_holds(hall_said(&hall), "agrees to the veto: both cards are "
                                   "discarded unseen. The tracker goes to 1.");
}
END_TEST

START_TEST(a_declined_veto_is_asked_for_once_only)
{
    begin_veto();
    hall_says(&hall, chancellor(), "**Veto**");
    hall_says(&hall, president(), "**Declined**");
    assert_question(QUESTION_ENACT);
    assert_holds(hall_said(&hall), "declines the veto");
    assert_holds(hall_told(&hall, chancellor()), "Which one do you enact?");
    assert_lacks(hall_told(&hall, chancellor()), "Rather none?");
    hall_says(&hall, chancellor(), "**Veto**");
    assert_holds(hall_said(&hall), "the veto was declined; one of the two "
                                   "cards must be enacted");
    hall_tells(&hall, chancellor(), "veto");
    assert_holds(hall_told(&hall, chancellor()), "the veto was declined");
    assert_question(QUESTION_ENACT);
}
END_TEST

/* ---- powers -------------------------------------------------------------- */

START_TEST(the_president_alone_uses_a_power)
{
    begin(7);
    hall_govern_to(&hall, 2);
    assert_question(QUESTION_INVESTIGATE);
    assert_silence("Gert", "**Emil**");
    assert_silence("Mo", "**Emil**");
    hall_says(&hall, president(), "What about Emil?");
    assert_question(QUESTION_INVESTIGATE);
    hall_says(&hall, president(), "**Emil**");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_count_told(&hall, "Bob",
                                      "Emil is a member of the "
                                      "Fascist party."),
                      1);
    assert_lacks(hall_said(&hall), "Fascist party");
}
END_TEST

START_TEST(nobody_is_investigated_twice)
{
    hall.deck = "FFFFFF";
    hall_open(&hall);
    hall_begin(&hall, 9);
    hall_govern_to(&hall, 1);
    hall_says(&hall, president(), "**Emil**");
    hall_govern_to(&hall, 2);
    char text[64];
    snprintf(text, sizeof text, "%s: Emil was investigated before",
             president());
    hall_says(&hall, president(), "**Emil**");
    assert_question(QUESTION_INVESTIGATE);
    assert_holds(hall_said(&hall), text);
}
END_TEST

START_TEST(the_executed_can_do_nothing_more)
{
    begin(7);
    hall_govern_to(&hall, 4);
    hall_says(&hall, president(), "**Frida**");
    assert_holds(hall_said(&hall), "Frida was not Hitler");
    assert_holds(hall_said(&hall), "6 are left: 4 Ja elect from now on.");
    assert_no_act("Frida", "**Gert**");
    hall_tells(&hall, "Frida", "discard 1");
    ck_assert_uint_eq(hall_count_told(&hall, "Frida", ""), 1);
}
END_TEST

/* ---- time ---------------------------------------------------------------- */

START_TEST(without_a_name_by_the_deadline_the_government_fails)
{
    begin(5);
    hall_expires(&hall);
    assert_holds(hall_said(&hall), "Time is up: Anna has named nobody");
    assert_holds(hall_said(&hall), "The tracker goes to 1.");
    assert_holds(hall_said(&hall), "Candidate for president: Bob");
    ck_assert_uint_eq(hall_table(&hall)->misses[0], 1);
}
END_TEST

/* The id of the host's post about a request of this number. */
static void
find_ask(unsigned number, char *id, size_t size)
{
    char words[24];
    id[0] = '\0';
    snprintf(words, sizeof words, "!agree %u", number);
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        if (strstr(hall.posts[i].text, words) != NULL) {
            snprintf(id, size, "%lld", (long long)hall.posts[i].id);
        }
    }
    ck_assert_str_ne(id, "");
}

/* Where two requests are open, a reply to what the host posted about one of
 * them says which is meant. */
START_TEST(who_replies_to_the_hosts_post_about_a_request_agrees_to_that_one)
{
    char id[24];
    hall_set(&hall, "moderation", "table");
    begin(5);
    hall_says(&hall, "Carl", "!extend 2h");
    hall_says(&hall, "Dora", "!pause");
    const struct table *table = hall_table(&hall);
    ck_assert_uint_ne(table->asked[0].number, 0);
    ck_assert_uint_ne(table->asked[1].number, 0);
    find_ask(table->asked[1].number, id, sizeof id);
    hall_delivers(&hall, &(struct odd_post){.id = "a1",
                                            .who = "Bob",
                                            .text = "!agree",
                                            .reply_to = id,
                                            .stamp = hall.stage->now});
    ck_assert_uint_eq(hall_table(&hall)->asked[0].agreed, 0);
    ck_assert_uint_eq(hall_table(&hall)->asked[1].agreed, seat_bit(1));
}
END_TEST

/* Let Mo have something done, and confirm it where that is asked for. */
static void
moderate(const char *order)
{
    char yes[24];
    hall_says(&hall, "Mo", order);
    if (hall_table(&hall)->asked[0].number != 0) {
        snprintf(yes, sizeof yes, "!yes %u",
                 hall_table(&hall)->asked[0].number);
        hall_says(&hall, "Mo", yes);
    }
}

/* It is no miss of the player, nor an answer that makes up for missed votes. */
START_TEST(what_a_moderator_chooses_for_a_player_changes_no_misses)
{
    begin(5);
    hall_says(&hall, "Anna", "**Bob**");
    hall_says(&hall, "Carl", "**Ja!**");
    hall_expires(&hall);
    ck_assert_uint_eq(hall_table(&hall)->votes_missed[1], 1);
    moderate("!choose Bob nominate Carl");
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(hall_table(&hall)->votes_missed[1], 1);
    for (unsigned i = 2; i < 5; i++) {
        hall_says(&hall, hall_player(i), "**Ja!**");
    }
    assert_question(QUESTION_DISCARD);
    moderate("!choose Bob lots");
    assert_question(QUESTION_ENACT);
    moderate("!choose Carl lots");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(hall_table(&hall)->misses[1], 0);
    ck_assert_uint_eq(hall_table(&hall)->votes_missed[1], 1);
    ck_assert_uint_eq(hall_table(&hall)->misses[2], 0);
}
END_TEST

START_TEST(without_votes_by_the_deadline_the_government_fails)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    hall_says(&hall, "Dora", "**Nein!**");
    hall_expires(&hall);
    assert_holds(hall_said(&hall),
                 "Time is up, 1 Ja to 1 Nein: 3 Ja were needed, so the "
                 "government of Anna and Bob has failed.\n"
                 "Ja: Carl. Nein: Dora. No vote: Anna, Bob, Emil.");
    ck_assert_uint_eq(hall_game(&hall)->tracker, 1);
}
END_TEST

START_TEST(the_third_failure_brings_chaos)
{
    begin(5);
    for (unsigned i = 0; i < 3; i++) {
        hall_rejects(&hall);
    }
    assert_holds(hall_said(&hall), "Three governments have failed in a row");
    assert_holds(hall_said(&hall), "it is FASCIST");
    assert_lacks(hall_said(&hall), "The tracker goes to 3");
    ck_assert_uint_eq(hall_game(&hall)->fascist, 1);
}
END_TEST

START_TEST(a_veto_without_an_answer_is_declined)
{
    begin_veto();
    hall_says(&hall, chancellor(), "**Veto**");
    hall_expires(&hall);
    assert_question(QUESTION_ENACT);
    assert_holds(hall_said(&hall), "There was no answer in time, so the veto "
                                   "is declined.");
    assert_lacks(hall_said(&hall), "declines the veto");
}
END_TEST

START_TEST(lots_decide_for_an_absent_president_and_chancellor)
{
    hall.deck = "FLF";
    hall.lot = 1;
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    hall_expires(&hall);
    assert_question(QUESTION_ENACT);
    assert_holds(hall_said(&hall),
                 "Time was up, so lots were drawn among the cards for Anna.");
    assert_holds(hall_told(&hall, "Anna"), "You discarded Liberal");
    assert_holds(hall_told(&hall, "Bob"), "you are Chancellor");
    hall_expires(&hall);
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_told(&hall, "Bob"), "You enacted Fascist");
    assert_holds(hall_said(&hall),
                 "Time was up, so lots were drawn among the cards for Bob.");
    assert_holds(hall_said(&hall), "enact a FASCIST policy");
}
END_TEST

START_TEST(where_cards_wait_no_lots_are_drawn)
{
    hall_set(&hall, "cards_timeout", "wait");
    begin(5);
    hall_elects(&hall, 1);
    ck_assert_int_eq(stage_due(hall.stage), 0);
    hall_waits(&hall, 30 * DAY_MS);
    assert_question(QUESTION_DISCARD);
    hall_tells(&hall, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
}
END_TEST

START_TEST(a_grace_is_for_cards_and_powers_alone)
{
    hall_set(&hall, "grace", "2h");
    begin(5);
    ck_assert_int_eq(table_due(hall_table(&hall)), hall_table(&hall)->deadline);
    hall_elects(&hall, 1);
    int64_t deadline = hall_table(&hall)->deadline;
    ck_assert_int_eq(table_due(hall_table(&hall)), deadline + 2 * HOUR_MS);
    hall_waits(&hall, deadline + HOUR_MS - hall.stage->now);
    assert_question(QUESTION_DISCARD);
    hall_tells(&hall, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
}
END_TEST

/* Up to the power of the second fascist policy of seven players. */
static void
begin_power(void)
{
    begin(7);
    hall_govern_to(&hall, 2);
    assert_question(QUESTION_INVESTIGATE);
}

START_TEST(an_unused_power_is_rung_once_then_forfeited)
{
    begin_power();
    int64_t deadline = hall_table(&hall)->deadline;
    hall_expires(&hall);
    assert_question(QUESTION_INVESTIGATE);
    assert_holds(hall_said(&hall), "Bob, your time is up and your power is not "
                                   "used. You have once more as long, until ");
    assert_holds(hall_said(&hall), "after that it is forfeited.");
    ck_assert_int_ge(hall_table(&hall)->deadline, deadline + 24 * HOUR_MS);
    ck_assert_uint_eq(hall_table(&hall)->misses[1], 0);
    hall_expires(&hall);
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), "Time is up again: President Bob's power "
                                   "(investigation) is forfeited.");
    ck_assert_uint_eq(hall_table(&hall)->misses[1], 1);
}
END_TEST

START_TEST(a_power_is_used_after_it_was_rung)
{
    begin_power();
    hall_expires(&hall);
    hall_says(&hall, "Bob", "**Gert**");
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), "investigates Gert");
}
END_TEST

START_TEST(an_unused_power_is_decided_by_lots_where_that_is_set)
{
    hall_set(&hall, "power_timeout", "lots");
    hall.lot = 2; /* of Anna, Carl, Dora, … */
    begin_power();
    hall_expires(&hall);
    assert_holds(hall_said(&hall), "after that it is decided by lots.");
    hall_expires(&hall);
    assert_question(QUESTION_NOMINATE);
    assert_holds(hall_said(&hall), "Time was up, so lots were drawn among the "
                                   "possible players for Bob.");
    assert_holds(hall_said(&hall), "President Bob investigates Dora.");
    ck_assert_uint_eq(hall_count_told(&hall, "Bob", "Dora is a member"), 1);
}
END_TEST

START_TEST(where_powers_wait_nothing_fires)
{
    hall_set(&hall, "power_timeout", "wait");
    begin_power();
    ck_assert_int_eq(stage_due(hall.stage), 0);
    hall_waits(&hall, 30 * DAY_MS);
    assert_question(QUESTION_INVESTIGATE);
}
END_TEST

START_TEST(who_misses_two_deadlines_loses_the_seat)
{
    begin(5);
    for (unsigned i = 0; i < 5; i++) {
        hall_expires(&hall); /* five candidates name nobody */
        ck_assert_uint_eq(hall_count_said(&hall, "the seat is vacant"), 0);
    }
    hall_expires(&hall);
    assert_holds(hall_said(&hall),
                 "Anna has missed 2 deadlines, so the seat is vacant");
    assert_holds(hall_said(&hall), "4 are present, 3 Ja elect.");
    ck_assert_uint_eq(hall_game(&hall)->vacant, seat_bit(0));
    assert_holds(hall_status(&hall)->text, "1 Anna (vacant)");
    assert_holds(hall_said(&hall),
                 "whoever doesn't play yet may post !join and takes the seat");
    assert_no_act("Anna", "**Bob**");
    assert_holds(hall_said(&hall), "Anna, you missed too many deadlines");
    assert_no_act("Anna", "**Bob**"); /* told once a question */
    ck_assert_uint_eq(hall_count_said(&hall, "too many deadlines"), 1);
}
END_TEST

START_TEST(misses_can_be_without_consequence)
{
    hall_set(&hall, "misses", "0");
    hall.deck = "LFFLFFLFFLFF";
    hall_open(&hall);
    hall_begin(&hall, 5);
    for (unsigned i = 0; i < 11; i++) {
        hall_expires(&hall);
    }
    ck_assert_uint_eq(hall_game(&hall)->vacant, 0);
    ck_assert_uint_eq(hall_table(&hall)->misses[0], 3);
}
END_TEST

START_TEST(the_last_one_present_stays)
{
    hall_set(&hall, "misses", "1");
    begin(5);
    hall_names(&hall, 1);
    hall_expires(&hall); /* nobody votes: everybody has missed one */
    ck_assert_uint_eq(seat_count(game_present(hall_game(&hall))), 1);
    assert_holds(hall_said(&hall),
                 "Anna, Bob, Carl, Dora have missed a deadline");
}
END_TEST

START_TEST(an_absent_presidents_veto_is_declined_by_time_not_by_them)
{
    hall_set(&hall, "misses", "1");
    begin(7);
    hall_govern_to(&hall, 5);
    hall_names(&hall, 0);
    hall_elects(&hall, hall_choice(&hall));
    hall_expires(&hall); /* the president's seat is vacated */
    ck_assert_uint_eq(hall_game(&hall)->vacant,
                      seat_bit(hall_game(&hall)->president));
    hall_says(&hall, chancellor(), "**Veto**");
    assert_question(QUESTION_VETO);
    hall_expires(&hall);
    assert_holds(hall_said(&hall), "There was no answer in time");
}
END_TEST

/* ---- posts around a deadline --------------------------------------------- */

/* Move the clock behind the deadline, where it can't have fired yet: the board
 * is read up to two seconds ago. */
static int64_t
pass_deadline(void)
{
    int64_t due = table_due(hall_table(&hall));
    hall_waits(&hall, due - hall.stage->now);
    return due;
}

START_TEST(a_vote_at_the_deadline_counts_one_after_it_does_not)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t due = pass_deadline();
    ck_assert_uint_eq(hall_game(&hall)->round, 1);
    hall_delivers(
        &hall, &(struct odd_post){
                   .id = "a", .who = "Carl", .text = "**Ja!**", .stamp = due});
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2));
    hall_says(&hall, "Dora", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(2));
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_game(&hall)->round, 2);
    assert_holds(hall_said(&hall), "1 Ja to 0 Nein: 3 Ja were needed");
    assert_holds(hall_said(&hall), "No vote: Anna, Bob, Dora, Emil.");
    ck_assert_uint_eq(hall_count_said(&hall, "Dora: "), 0);
}
END_TEST

START_TEST(what_was_posted_for_the_next_question_waits_for_it)
{
    begin(5);
    hall_names(&hall, 1);
    (void)pass_deadline();
    hall_says(&hall, "Bob", "**Dora**"); /* is the next candidate */
    ck_assert_uint_eq(hall_game(&hall)->round, 1);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_game(&hall)->round, 2);
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(hall_game(&hall)->chancellor, 3);
}
END_TEST

START_TEST(a_card_that_came_too_late_is_not_played)
{
    hall.deck = "FLF";
    hall.lot = 0;
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_elects(&hall, 1);
    (void)pass_deadline();
    hall_tells(&hall, "Anna", "discard 2");
    assert_question(QUESTION_DISCARD);
    hall_waits(&hall, 2 * SECOND_MS);
    assert_question(QUESTION_ENACT);
    assert_holds(hall_said(&hall), "lots were drawn among the cards for Anna");
    ck_assert_uint_eq(pile_liberals(hall_game(&hall)->hand), 1);
}
END_TEST

START_TEST(a_command_after_a_deadline_is_obeyed_once_it_has_fired)
{
    begin(5);
    (void)pass_deadline();
    hall_says(&hall, "Carl", "!status");
    ck_assert_uint_eq(hall_count_said(&hall, "Secret Hitler, table 1"), 1);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_game(&hall)->round, 2);
    ck_assert_uint_eq(hall_count_said(&hall, "Secret Hitler, table 1"), 2);
    assert_holds(hall_said(&hall), "Bob is to name a chancellor");
}
END_TEST

static void
add_tests(Suite *suite)
{
    TCase *tcase = tcase_create("nominating");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, a_bold_name_nominates, 0, 6);
    tcase_add_test(tcase, only_the_candidate_nominates);
    tcase_add_test(tcase, a_nomination_by_private_message_does_nothing);
    tcase_add_test(tcase, quotes_code_and_talk_nominate_nobody);
    tcase_add_test(tcase, an_unbold_name_gets_one_hint_a_question);
    tcase_add_test(tcase, where_red_is_required_bold_alone_is_only_hinted_at);
    tcase_add_test(tcase, on_the_board_red_is_required_unless_it_is_set);
    tcase_add_test(tcase, the_next_candidate_is_told_once_that_it_is_too_early);
    tcase_add_test(tcase, a_name_posted_just_before_the_round_is_too_early);
    tcase_add_test(tcase, a_power_is_no_early_nomination);
    tcase_add_test(tcase, where_red_is_required_bold_alone_is_only_hinted_at);
    tcase_add_loop_test(tcase, an_unclear_name_is_asked_about, 0, 5);
    tcase_add_test(tcase, the_second_unclear_post_is_answered_in_private);
    tcase_add_test(tcase, what_a_player_wrote_is_quoted_as_text);
    tcase_add_test(tcase,
                   a_nomination_that_the_rules_refuse_is_answered_in_words);
    tcase_add_test(tcase, the_executed_are_named_in_vain);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("voting");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, everybody_votes_the_candidates_too);
    tcase_add_test(tcase, a_counted_vote_gets_a_reaction);
    tcase_add_test(tcase, a_game_may_have_its_own_vote_words);
    tcase_add_test(tcase, ja_and_nein_count_in_every_game);
    tcase_add_test(tcase, votes_of_strangers_and_moderators_are_none);
    tcase_add_test(tcase, votes_of_the_executed_are_none);
    tcase_add_test(tcase, who_was_executed_is_warned_of_reactions_once);
    tcase_add_test(tcase, a_vote_in_private_is_none_in_an_open_ballot);
    tcase_add_test(tcase,
                   the_first_vote_stays_and_a_change_is_pointed_out_once);
    tcase_add_test(tcase, the_same_vote_again_is_no_change);
    tcase_add_loop_test(tcase, an_unclear_vote_is_asked_about, 0, 4);
    tcase_add_test(tcase,
                   a_vote_inside_talk_is_asked_about_once_and_in_private_too);
    tcase_add_test(
        tcase, a_mention_inside_talk_is_asked_about_once_and_in_private_too);
    tcase_add_test(tcase, an_unbold_vote_gets_one_hint);
    tcase_add_test(tcase, a_hint_is_not_sent_to_who_has_voted_by_then);
    tcase_add_test(tcase, a_vote_from_before_the_nomination_is_none);
    tcase_add_test(tcase, an_edit_changes_nothing);
    tcase_add_test(tcase, a_post_first_seen_edited_counts_from_its_edit);
    tcase_add_test(tcase, a_post_edited_nobody_knows_when_is_none);
    tcase_add_test(tcase, own_posts_and_machines_never_count);
    tcase_add_test(tcase, a_sealed_vote_is_one_word_in_private);
    tcase_add_test(tcase, a_sealed_vote_stays_as_it_was_first);
    tcase_add_test(tcase, in_the_thread_a_sealed_vote_is_answered_not_counted);
    tcase_add_test(tcase, nothing_is_shown_of_sealed_votes_before_the_last);
    suite_add_tcase(suite, tcase);
}

static void
add_more_tests(Suite *suite)
{
    TCase *tcase = tcase_create("cards, vetoes, powers");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, cards_are_chosen_in_private_alone);
    tcase_add_loop_test(tcase, the_president_answers_in_words_of_their_own, 0,
                        5);
    tcase_add_loop_test(tcase, an_unclear_card_is_asked_about_in_private, 0, 4);
    tcase_add_loop_test(tcase, the_chancellor_sees_the_liberal_policy_first, 0,
                        3);
    tcase_add_test(tcase, a_card_answer_in_the_thread_gets_one_neutral_line);
    tcase_add_test(tcase,
                   a_private_message_that_nothing_asked_for_is_answered_once);
    tcase_add_loop_test(tcase, a_veto_is_asked_for_in_the_thread_or_in_private,
                        0, 2);
    tcase_add_test(tcase, only_the_chancellor_asks_for_a_veto);
    tcase_add_test(tcase, before_five_fascist_policies_there_is_no_veto);
    tcase_add_test(tcase, the_president_agrees_to_a_veto_in_the_thread);
    tcase_add_test(tcase, a_declined_veto_is_asked_for_once_only);
    tcase_add_test(tcase, the_president_alone_uses_a_power);
    tcase_add_test(tcase, nobody_is_investigated_twice);
    tcase_add_test(tcase, the_executed_can_do_nothing_more);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("time");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, without_a_name_by_the_deadline_the_government_fails);
    tcase_add_test(
        tcase,
        who_replies_to_the_hosts_post_about_a_request_agrees_to_that_one);
    tcase_add_test(tcase,
                   what_a_moderator_chooses_for_a_player_changes_no_misses);
    tcase_add_test(tcase, without_votes_by_the_deadline_the_government_fails);
    tcase_add_test(tcase, the_third_failure_brings_chaos);
    tcase_add_test(tcase, a_veto_without_an_answer_is_declined);
    tcase_add_test(tcase, lots_decide_for_an_absent_president_and_chancellor);
    tcase_add_test(tcase, where_cards_wait_no_lots_are_drawn);
    tcase_add_test(tcase, a_grace_is_for_cards_and_powers_alone);
    tcase_add_test(tcase, an_unused_power_is_rung_once_then_forfeited);
    tcase_add_test(tcase, a_power_is_used_after_it_was_rung);
    tcase_add_test(tcase, an_unused_power_is_decided_by_lots_where_that_is_set);
    tcase_add_test(tcase, where_powers_wait_nothing_fires);
    tcase_add_test(tcase, who_misses_two_deadlines_loses_the_seat);
    tcase_add_test(tcase, misses_can_be_without_consequence);
    tcase_add_test(tcase, the_last_one_present_stays);
    tcase_add_test(tcase,
                   an_absent_presidents_veto_is_declined_by_time_not_by_them);
    tcase_add_test(tcase, a_vote_at_the_deadline_counts_one_after_it_does_not);
    tcase_add_test(tcase, what_was_posted_for_the_next_question_waits_for_it);
    tcase_add_test(tcase, a_card_that_came_too_late_is_not_played);
    tcase_add_test(tcase,
                   a_command_after_a_deadline_is_obeyed_once_it_has_fired);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/referee");
    add_tests(suite);
    add_more_tests(suite);
    return suite;
}
