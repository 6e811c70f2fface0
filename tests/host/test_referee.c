/*
 * The referee: who may act when and how, what is asked back, and what the
 * clock decides.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

/* A game of so many players in which every hand holds two fascist policies. */
static void
begin(unsigned players)
{
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    room_begin(&room, players);
}

static enum question
question(void)
{
    return (enum question)room_game(&room)->question;
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
    struct game before = room_table(&room)->game;
    room_says(&room, who, text);
    ck_assert_mem_eq(&before, &room_table(&room)->game, sizeof before);
}

/* A post that must change nothing and be answered by nothing. */
static void
assert_silence(const char *who, const char *text)
{
    struct table before;
    table_clone(&before, room_table(&room));
    room_read(&room);
    size_t posts = room.post_count;
    room_says(&room, who, text);
    room_read(&room);
    ck_assert(table_equal(&before, room_table(&room)));
    table_release(&before);
    ck_assert_uint_eq(room.post_count, posts + 1);
    ck_assert_str_eq(room.posts[posts].reactions, "");
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
    room_says(&room, "Anna", posts[_i]);
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
    assert_holds(room_said(&room), "Anna nominates Bob");
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
    room_tells(&room, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
}
END_TEST

START_TEST(quotes_and_talk_nominate_nobody)
{
    static const char *const posts[] = {
        "[quote]**Bob**[/quote] hm",
        "[s][b]Bob[/b][/s] hm",
        "Good morning, all!",
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
    room_says(&room, "Anna", "I nominate Bob");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(room_count_said(&room, "so that didn't count"), 1);
    assert_holds(room_said(&room), "Anna, names only count in bold");
    assert_silence("Anna", "I nominate Bob!");
    /* The same is due again in the next round that is theirs. */
    room_names(&room, 1);
    room_votes(&room, false);
    room_says(&room, "Bob", "I nominate Carl");
    ck_assert_uint_eq(room_count_said(&room, "so that didn't count"), 2);
}
END_TEST

START_TEST(where_red_is_required_bold_alone_is_only_hinted_at)
{
    room_set(&room, "red", "required");
    begin(5);
    room_says(&room, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room),
                 "Anna, names only count in bold red, on a line of their "
                 "own, so that didn't count: it's bold, "
                 "but not red. Post it like this: "
                 "[b][color=red]name[/color][/b].");
    assert_silence("Anna", "[b][mention=Bob]Bob[/mention][/b]");
    room_says(&room, "Anna", "I trust [b][color=red]Bob[/color][/b].");
    assert_question(QUESTION_VOTE);
}
END_TEST

START_TEST(on_the_board_red_is_required_unless_it_is_set)
{
    room_set(&room, "red", "");
    begin(5);
    room_says(&room, "Anna", "**Bob**");
    assert_question(QUESTION_NOMINATE);
}
END_TEST

START_TEST(the_next_candidate_is_told_once_that_it_is_too_early)
{
    begin(5);
    room_says(&room, "Bob", "**Carl**");
    assert_holds(room_said(&room), "Bob, it isn't your round yet");
    assert_silence("Bob", "**Dora**");
    room_names(&room, 2);
    assert_silence("Bob", "I will name Dora.");
    assert_silence("Dora", "**Carl**");
    room_says(&room, "Bob", "Then it's\n**Dora**");
    ck_assert_uint_eq(room_count_said(&room, "it isn't your round yet"), 2);
    room_says(&room, "Bob", "**Ja!** and then\n**Dora**");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(1));
    ck_assert_uint_eq(room_count_said(&room, "it isn't your round yet"), 2);
}
END_TEST

START_TEST(a_name_posted_just_before_the_round_is_too_early)
{
    begin(5);
    room_rejects(&room);
    assert_question(QUESTION_NOMINATE);
    room_delivers(&room,
                  &(struct odd_post){.id = "a",
                                     .who = "Bob",
                                     .text = "**Carl**",
                                     .stamp = room_table(&room)->since - 1});
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), "Bob, it isn't your round yet");
}
END_TEST

START_TEST(a_power_is_no_early_nomination)
{
    begin(5);
    room_govern_to(&room, 4);
    assert_question(QUESTION_EXECUTION);
    room_says(&room, room_awaited(&room), "Is it [b]Bob[/b]?");
    ck_assert_uint_eq(room_count_said(&room, "it isn't your round yet"), 0);
}
END_TEST

START_TEST(an_unclear_name_is_asked_about)
{
    static const struct {
        const char *post, *answer;
    } cases[] = {
        {"[b][color=red]Ann[/color][/b]", "I'm not sure who “Ann” is"},
        {"[b][color=red]Zoe[/color][/b]", "there's no player called “Zoe”"},
        {"**Bob**\n**Carl**", "you've named several players (Bob, Carl)"},
        {"[b][mention=Carl]Bob[/mention][/b]",
         "your mention shows one player and points to another"},
        {"**I name Bob**",
         "to nominate Bob, post the name in bold, on a line of "
         "its own: **name**."},
    };
    begin(5);
    room_says(&room, "Anna", cases[_i].post);
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), cases[_i].answer);
    assert_holds(room_said(&room), "Anna, ");
    assert_holds(room_said(&room), "Nothing was done");
}
END_TEST

START_TEST(each_unclear_post_is_answered_once_a_minute_in_public_three_times)
{
    static const char *const posts[] = {"[b][color=red]Zoe[/color][/b]",
                                        "**Zac**", "**Zack**", "**Zach**"};
    begin(5);
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, "Anna", posts[i]);
        ck_assert_uint_eq(room_count_said(&room, "there's no player"),
                          i < 3 ? i + 1 : 3);
        ck_assert_uint_eq(room_count_told(&room, "Anna", "there's no player"),
                          i + 1);
        room_waits(&room, MINUTE_MS);
    }
    assert_holds(room_told(&room, "Anna"), "“Zach”");
}
END_TEST

START_TEST(within_a_minute_the_answer_says_what_is_wrong_with_the_newest_post)
{
    begin(5);
    room_says(&room, "Anna", "[b][color=red]Zoe[/color][/b]");
    assert_holds(room_told(&room, "Anna"), "“Zoe”");
    room_says(&room, "Anna", "I nominate Bob");
    ck_assert_uint_eq(room_count_said(&room, "there's no player"), 0);
    assert_holds(room_said(&room), "Anna, names only count in bold");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "post this"), 0);
}
END_TEST

START_TEST(what_a_player_wrote_is_quoted_as_text)
{
    begin(5);
    room_says(&room, "Anna",
              "[b][color=red]{@everybody} *a* {x?y}[/color][/b]");
    assert_holds(room_said(&room), "“{@everybody} *a* {x?y}”");
}
END_TEST

START_TEST(a_nomination_that_the_rules_refuse_is_answered_in_words)
{
    begin(5);
    room_governs(&room, 1, false);
    room_says(&room, "Bob", "**Bob**");
    assert_holds(room_said(&room), "Bob, you can't name yourself. You can "
                                   "choose Carl, Dora or Emil.");
    room_says(&room, "Bob", "**Anna**");
    assert_holds(room_said(&room),
                 "Bob, Anna was in the last government that enacted a policy "
                 "and can't be Chancellor this time. You can choose Carl, "
                 "Dora or Emil.");
    assert_question(QUESTION_NOMINATE);
    /* The same refusal twice: by private message alone. */
    room_says(&room, "Bob", "**Anna**");
    ck_assert_uint_eq(room_count_said(&room, "can't be Chancellor this time"),
                      1);
    ck_assert_uint_eq(
        room_count_told(&room, "Bob", "can't be Chancellor this time"), 2);
}
END_TEST

START_TEST(the_executed_are_named_in_vain)
{
    begin(5);
    room_govern_to(&room, 4);
    room_names(&room, 1); /* Bob is executed */
    assert_holds(room_said(&room), "executes Bob.");
    char text[64];
    const char *candidate = room_awaited(&room);
    snprintf(text, sizeof text, "%s, Bob has been executed", candidate);
    room_names(&room, 1);
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), text);
}
END_TEST

/* ---- voting -------------------------------------------------------------- */

START_TEST(everybody_votes_the_candidates_too)
{
    room_set(&room, "vote_closes", "all");
    begin(5);
    room_names(&room, 1);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(seat_count(room_game(&room)->voted), i);
        room_says(&room, room_player(i), i < 3 ? "**Ja!**" : "**Nein!**");
    }
    assert_question(QUESTION_DISCARD);
    assert_holds(room_said(&room), "Elected, 3 to 2");
    assert_holds(room_said(&room), "Ja: Anna, Bob, Carl. Nein: Dora, Emil.");
}
END_TEST

START_TEST(a_counted_vote_gets_a_reaction)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "So be it. [b]Ja[/b]");
    room_read(&room);
    ck_assert_str_eq(room.posts[room.post_count - 1].reactions, "✅ by placard");
}
END_TEST

START_TEST(a_game_may_have_its_own_vote_words)
{
    room_set(&room, "words", "Oui/Non,Nein");
    begin(5);
    room_names(&room, 1);
    assert_holds(room_said(&room), "post **Oui** or **Non** in bold.");
    room_says(&room, "Carl", "**Yes!**");
    assert_holds(room_said(&room), "votes in this game are **Oui** or **Non**");
    room_says(&room, "Dora", "oui");
    assert_holds(room_said(&room), "Dora, votes only count in bold");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_says(&room, "Carl", "**Oui !**");
    room_says(&room, "Dora", "**nein**");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(ja_and_nein_count_in_every_game)
{
    room_set(&room, "words", "Oui/Non");
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    room_says(&room, "Dora", "**Nein!**");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(votes_of_strangers_and_moderators_are_none)
{
    begin(5);
    room_names(&room, 1);
    assert_no_act("Mo", "**Ja!**");
    assert_holds(room_said(&room), "only the players vote");
    unsigned said = room_count_said(&room, "");
    assert_no_act("Stranger", "**Nein!**");
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    ck_assert_uint_eq(room_table(&room)->strangers, 2);
}
END_TEST

START_TEST(votes_of_the_executed_are_none)
{
    begin(5);
    room_govern_to(&room, 4);
    room_names(&room, 2);
    room_names(&room, 0);
    assert_question(QUESTION_VOTE);
    assert_no_act("Carl", "**Ja!**");
    assert_no_act("Carl", "Ja!");
}
END_TEST

static void
react(const char *id, const char *who)
{
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .reply_to = "1",
                                            .stamp = room.stage->now,
                                            .kind = POST_REACTED});
}

START_TEST(who_was_executed_is_warned_of_reactions_once)
{
    begin(5);
    room_govern_to(&room, 4);
    react("r1", "Carl");
    room_names(&room, 2);
    unsigned said = room_count_said(&room, "");
    react("r2", "Dora");
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    react("r3", "Carl");
    react("r3", "Carl");
    react("r4", "Carl");
    ck_assert_uint_eq(room_count_said(&room, ""), said + 1);
    assert_holds(room_said(&room), "Carl, you've been executed: ");
    ck_assert_uint_eq(room_table(&room)->seats[2].warnings, 2);
    ck_assert_uint_eq(room_table(&room)->seats[3].warnings, 0);
}
END_TEST

/* A picture, a sticker, a poll; with a caption, which is a quote. */
START_TEST(who_was_executed_is_warned_of_whatever_they_show)
{
    begin(5);
    room_govern_to(&room, 4);
    room_names(&room, 2);
    room_says(&room, "Carl", POST_OBJECT);
    assert_holds(room_said(&room), "Carl, you've been executed: ");
    room_names(&room, 0);
    assert_silence("Anna", POST_OBJECT);
    assert_silence("Anna", POST_OBJECT "\n[quote]**Ja!**[/quote]");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    ck_assert_uint_eq(room_table(&room)->seats[2].warnings, 1);
}
END_TEST

START_TEST(a_vote_in_private_is_none_in_an_open_ballot)
{
    begin(5);
    room_names(&room, 1);
    room_tells(&room, "Carl", "Ja!");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

START_TEST(the_first_vote_stays_and_a_change_is_pointed_out_once)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    room_says(&room, "Carl", "**Nein!**");
    room_says(&room, "Carl", "**Nein!** I say!");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    ck_assert_uint_eq(room_count_said(&room, "the first one stands"), 1);
    assert_holds(room_said(&room),
                 "Carl, your vote is already in; the first one stands.");
}
END_TEST

START_TEST(the_same_vote_again_is_no_change)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
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
        {"**I vote Ja!**",
         "only counts when the word stands alone (I read “I vote Ja!”)"},
        {"**Yes!**", "votes in this game are **Ja!** or **Nein!**"},
        {"**J\xD0\xB0!**", "letters that only look like “ja”"},
    };
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", cases[_i].post);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_said(&room), "Carl, ");
    assert_holds(room_said(&room), cases[_i].answer);
}
END_TEST

START_TEST(a_vote_inside_talk_is_asked_about_once_and_in_private_too)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "Why did you vote **Ja!** last time, Anna?");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    ck_assert_uint_eq(room_count_said(&room, "reads like talk"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "reads like talk"), 1);
    room_says(&room, "Carl", "I'd never vote **Nein!** here");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    ck_assert_uint_eq(room_count_said(&room, "reads like talk"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "reads like talk"), 1);
    room_says(&room, "Carl", "I don't know, but **Ja!**");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
}
END_TEST

START_TEST(a_mention_inside_talk_is_asked_about_once_and_in_private_too)
{
    begin(5);
    room_says(&room, "Anna", "I suspect [b][mention=Bob]Bob[/mention][/b].");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(room_count_said(&room, "Anna, you mention Bob"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you mention Bob"), 1);
    room_says(&room, "Anna", "[b][mention=Bob]Bob[/mention][/b] why not?");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(room_count_said(&room, "you mention Bob"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you mention Bob"), 1);
    room_says(&room, "Anna", "I pick [b][mention=Bob]Bob[/mention][/b].");
    assert_question(QUESTION_VOTE);
}
END_TEST

START_TEST(an_unbold_vote_gets_one_hint)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "Ja!");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_said(&room), "Carl, votes only count in bold");
    assert_silence("Carl", "Ja!!");
    room_says(&room, "Dora", "Nein");
    ck_assert_uint_eq(room_count_said(&room, "votes only count in bold"), 2);
}
END_TEST

START_TEST(a_hint_is_not_sent_to_who_has_voted_by_then)
{
    begin(5);
    room_names(&room, 1);
    room_posts(&room, "Carl", "Ja!");
    room_posts(&room, "Carl", "I'd never vote **Nein!** here");
    room_posts(&room, "Carl", "**Ja!**");
    room_posts(&room, "Dora", "Ja!");
    room_settle(&room);
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    ck_assert_uint_eq(room_count_said(&room, "Carl, votes count"), 0);
    ck_assert_uint_eq(room_count_said(&room, "reads like talk"), 0);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "reads like talk"), 0);
    ck_assert_uint_eq(room_count_said(&room, "Dora, votes only count"), 1);
}
END_TEST

START_TEST(a_vote_from_before_the_nomination_is_none)
{
    begin(5);
    room_names(&room, 1);
    int64_t since = room_table(&room)->since;
    room_delivers(&room, &(struct odd_post){.id = "a",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = since - 1});
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_delivers(&room, &(struct odd_post){.id = "b",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = since});
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
}
END_TEST

START_TEST(an_edit_changes_nothing)
{
    begin(5);
    room_names(&room, 1);
    int64_t now = room.stage->now;
    struct odd_post post = {.id = "a", .who = "Carl", .stamp = now};
    post.text = "Hm.";
    room_delivers(&room, &post);
    post.text = "**Ja!**";
    post.edited = now + 1;
    room_delivers(&room, &post);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

START_TEST(a_post_first_seen_edited_counts_from_its_edit)
{
    begin(5);
    room_names(&room, 1);
    int64_t since = room_table(&room)->since;
    int64_t due = table_due(room_table(&room));
    struct odd_post post = {.id = "a",
                            .who = "Carl",
                            .text = "**Ja!**",
                            .stamp = since - 1,
                            .edited = since};
    room_delivers(&room, &post);
    room_waits(&room, 2 * SECOND_MS); /* what came before the edit is read */
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    post = (struct odd_post){.id = "b",
                             .who = "Dora",
                             .text = "**Ja!**",
                             .stamp = since,
                             .edited = due + 1};
    room_delivers(&room, &post);
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
}
END_TEST

START_TEST(a_post_edited_nobody_knows_when_is_none)
{
    begin(5);
    room_names(&room, 1);
    room_delivers(&room, &(struct odd_post){.id = "a",
                                            .who = "Carl",
                                            .text = "**Ja!**",
                                            .stamp = room.stage->now,
                                            .edited = -1});
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

START_TEST(own_posts_and_machines_never_count)
{
    begin(5);
    room_names(&room, 1);
    struct odd_post post = {.id = "a",
                            .who = "Carl",
                            .text = "**Ja!**",
                            .stamp = room.stage->now,
                            .machine = true};
    room_delivers(&room, &post);
    post.machine = false;
    post.own = true;
    post.id = "b";
    room_delivers(&room, &post);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

/* ---- sealed ballots ------------------------------------------------------ */

START_TEST(a_sealed_vote_is_one_word_in_private)
{
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_told(&room, "Emil",
                                      "Shall President Anna and Chancellor "
                                      "Bob govern?"),
                      1);
    room_tells(&room, "Emil", "Ja, of course!");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_told(&room, "Emil"), "A vote is one word");
    room_tells(&room, "Emil", "nein");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(4));
    assert_holds(room_told(&room, "Emil"), "your vote is in");
    assert_holds(room_told(&room, "Emil"), "Nein!");
}
END_TEST

START_TEST(a_sealed_vote_stays_as_it_was_first)
{
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_names(&room, 1);
    room_tells(&room, "Emil", "Ja");
    room_tells(&room, "Emil", "Nein");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(4));
}
END_TEST

START_TEST(in_the_thread_a_sealed_vote_is_answered_not_counted)
{
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_told(&room, "Carl"), "Carl, this vote is secret");
    assert_silence("Carl", "**Nein!**");
    room_says(&room, "Dora", "Nein!");
    assert_holds(room_told(&room, "Dora"), "Dora, this vote is secret");
    ck_assert_uint_eq(room_count_said(&room, "Carl, this vote"), 0);
}
END_TEST

START_TEST(nothing_is_shown_of_sealed_votes_before_the_last)
{
    room_set(&room, "ballot", "sealed");
    room_set(&room, "vote_closes", "all");
    begin(5);
    room_names(&room, 1);
    unsigned said = room_count_said(&room, "");
    for (unsigned i = 0; i < 4; i++) {
        room_tells(&room, room_player(i), i < 3 ? "Nein" : "Ja");
        ck_assert_uint_eq(room_count_said(&room, ""), said);
        assert_lacks(room_status(&room)->text, "Nein");
    }
    assert_holds(room_status(&room)->text, "4 of 5 have voted");
    assert_holds(room_status(&room)->text, "Missing: Emil");
    room_tells(&room, "Emil", "Ja");
    assert_holds(room_said(&room), "Ja: Dora, Emil. Nein: Anna, Bob, Carl.");
}
END_TEST

/* ---- cards --------------------------------------------------------------- */

START_TEST(cards_are_chosen_in_private_alone)
{
    room.deck = "FLF";
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_says(&room, "Anna", "discard 1");
    room_says(&room, "Anna", "**discard 1**");
    assert_question(QUESTION_DISCARD);
    room_tells(&room, "Bob", "discard 1"); /* not Bob's to choose */
    assert_question(QUESTION_DISCARD);
    room_tells(&room, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
    room_tells(&room, "Anna", "enact 1");
    assert_question(QUESTION_ENACT);
    room_tells(&room, "Bob", "enact 1");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(room_game(&room)->liberal, 1);
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
    room.deck = "FLF";
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_tells(&room, "Anna", cases[_i].answer);
    assert_question(QUESTION_ENACT);
    assert_holds(room_told(&room, "Anna"), cases[_i].passed);
}
END_TEST

START_TEST(an_unclear_card_is_asked_about_in_private)
{
    static const struct {
        const char *answer, *asked;
    } cases[] = {
        {"2", "Card 2: do you discard it, or keep it?"},
        {"discard 4", "That isn't in your hand"},
        {"discard 1 or 2?", "I'm not sure which card you mean"},
        {"LL", "That isn't in your hand"},
    };
    room.deck = "FLF";
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    unsigned said = room_count_said(&room, "");
    room_tells(&room, "Anna", cases[_i].answer);
    room_tells(&room, "Anna", cases[_i].answer);
    assert_question(QUESTION_DISCARD);
    ck_assert_uint_eq(room_count_told(&room, "Anna", cases[_i].asked), 2);
    assert_holds(room_told(&room, "Anna"), "discard");
    ck_assert_uint_eq(room_count_said(&room, ""), said);
}
END_TEST

START_TEST(the_chancellor_sees_the_liberal_policy_first)
{
    static const char *const decks[] = {"FLF", "FFL", "LFF"};
    room.deck = decks[_i];
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_discards(&room, false);
    assert_holds(room_told(&room, "Bob"), "\n1 Liberal\n2 Fascist\n");
    room_tells(&room, "Bob", "enact 2");
    ck_assert_uint_eq(room_game(&room)->fascist, 1);
    assert_holds(room_told(&room, "Bob"),
                 "You enacted Fascist; Liberal was discarded unseen");
}
END_TEST

START_TEST(a_card_answer_in_the_thread_gets_one_neutral_line)
{
    begin(5);
    room_elects(&room, 1);
    room_says(&room, "Bob", "enact 1"); /* not awaited yet: the same line */
    assert_holds(room_said(&room),
                 "Bob, cards and other private answers do nothing here");
    room_says(&room, "Anna", "discard 2");
    assert_holds(room_said(&room),
                 "Anna, cards and other private answers do nothing here");
    assert_silence("Anna", "discard 3, I mean!");
    assert_silence("Carl", "discard 2"); /* has none */
}
END_TEST

START_TEST(a_private_message_that_nothing_asked_for_is_answered_once)
{
    begin(5);
    room_tells(&room, "Bob", "Who is Hitler?");
    assert_holds(room_told(&room, "Bob"), "Nothing for you to answer here just "
                                          "now.");
    room_tells(&room, "Bob", "Please!");
    ck_assert_uint_eq(
        room_count_told(&room, "Bob", "Nothing for you to answer"), 1);
    /* A command there has its own answer. */
    room_tells(&room, "Carl", "!status");
    ck_assert_uint_eq(
        room_count_told(&room, "Carl", "Nothing for you to answer"), 0);
    assert_holds(room_told(&room, "Carl"), "Secret Hitler, table 1");
}
END_TEST

/* ---- the veto ------------------------------------------------------------ */

/* A session with five fascist policies out, the chancellor is to enact. */
static void
begin_veto(void)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0); /* Anna is executed */
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    assert_question(QUESTION_ENACT);
}

static const char *
president(void)
{
    return room_name(&room, room_game(&room)->president);
}

static const char *
chancellor(void)
{
    return room_name(&room, room_game(&room)->chancellor);
}

START_TEST(a_veto_is_asked_for_in_the_thread_or_in_private)
{
    begin_veto();
    assert_holds(room_told(&room, chancellor()), "Want neither? Answer veto");
    if (_i == 0) {
        room_says(&room, chancellor(), "**Veto!**");
    } else {
        room_tells(&room, chancellor(), "veto");
    }
    assert_question(QUESTION_VETO);
    ck_assert_uint_eq(
        room_count_told(&room, chancellor(), "You've asked for a veto."), 1);
    assert_holds(room_said(&room), "wants to veto this agenda.");
    assert_holds(room_said(&room), "do you agree?");
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
    room_elects(&room, 1);
    room_discards(&room, false);
    assert_lacks(room_told(&room, "Bob"), "veto");
    /* The same to both, whoever has the cards. */
    room_says(&room, "Bob", "**Veto!**");
    assert_holds(room_said(&room), "Bob, there's no veto before five");
    room_says(&room, "Anna", "**I wish to veto this agenda.**");
    assert_holds(room_said(&room), "Anna, there's no veto before five");
    assert_question(QUESTION_ENACT);
    room_tells(&room, "Bob", "veto");
    assert_question(QUESTION_ENACT);
    assert_holds(room_told(&room, "Bob"),
                 "there's no veto before five Fascist policies are out");
}
END_TEST

START_TEST(the_president_agrees_to_a_veto_in_the_thread)
{
    begin_veto();
    room_says(&room, chancellor(), "**Veto**");
    assert_silence(chancellor(), "**Approved**");
    assert_silence("Mo", "**Approved**");
    room_tells(&room, president(), "Approved");
    assert_question(QUESTION_VETO);
    room_says(&room, president(), "**Approved or Declined?**");
    assert_holds(room_said(&room), "so I counted neither");
    uint32_t round = room_game(&room)->round;
    room_says(&room, president(), "**Approved**");
    ck_assert_uint_eq(room_game(&room)->round, round + 1);
    assert_holds(room_said(&room), "agrees, and both policies are discarded "
                                   "unseen. "
                                   "The tracker goes to 1 of 3.");
}
END_TEST

START_TEST(a_declined_veto_is_asked_for_once_only)
{
    begin_veto();
    room_says(&room, chancellor(), "**Veto**");
    room_says(&room, president(), "**Declined**");
    assert_question(QUESTION_ENACT);
    assert_holds(room_said(&room), "declines. Chancellor");
    assert_holds(room_told(&room, chancellor()), "Which one do you enact?");
    assert_lacks(room_told(&room, chancellor()), "Rather none?");
    room_says(&room, chancellor(), "**Veto**");
    assert_holds(room_said(&room), "the veto was declined; one of the two "
                                   "cards has to be enacted");
    room_tells(&room, chancellor(), "veto");
    assert_holds(room_told(&room, chancellor()), "the veto was declined");
    assert_question(QUESTION_ENACT);
}
END_TEST

/* ---- powers -------------------------------------------------------------- */

START_TEST(the_president_alone_uses_a_power)
{
    begin(7);
    room_govern_to(&room, 2);
    assert_question(QUESTION_INVESTIGATE);
    assert_silence("Gert", "**Emil**");
    assert_silence("Mo", "**Emil**");
    room_says(&room, president(), "What about Emil?");
    assert_question(QUESTION_INVESTIGATE);
    room_says(&room, president(), "**Emil**");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(
        room_count_told(&room, "Bob", "Emil belongs to the Fascist party."), 1);
    assert_lacks(room_said(&room), "Fascist party");
}
END_TEST

START_TEST(nobody_is_investigated_twice)
{
    room.deck = "FFFFFF";
    room_open(&room);
    room_begin(&room, 9);
    room_govern_to(&room, 1);
    room_says(&room, president(), "**Emil**");
    room_govern_to(&room, 2);
    char text[64];
    snprintf(text, sizeof text, "%s, Emil has been investigated before",
             president());
    room_says(&room, president(), "**Emil**");
    assert_question(QUESTION_INVESTIGATE);
    assert_holds(room_said(&room), text);
}
END_TEST

START_TEST(the_executed_can_do_nothing_more)
{
    begin(7);
    room_govern_to(&room, 4);
    room_says(&room, president(), "**Frida**");
    assert_holds(room_said(&room), "Frida was not Hitler");
    assert_holds(room_said(&room), "That leaves six of you; 4 Ja are enough.");
    assert_no_act("Frida", "**Gert**");
    room_tells(&room, "Frida", "discard 1");
    ck_assert_uint_eq(room_count_told(&room, "Frida", ""), 1);
}
END_TEST

/* ---- time ---------------------------------------------------------------- */

START_TEST(without_a_name_by_the_deadline_the_government_fails)
{
    begin(5);
    room_expires(&room);
    assert_holds(room_said(&room), "No nomination in time: Anna named nobody");
    assert_holds(room_said(&room), "The tracker goes to 1 of 3.");
    assert_holds(room_said(&room), "Bob is up for President.");
    ck_assert_uint_eq(room_table(&room)->seats[0].misses, 1);
}
END_TEST

/* The id of the host's post about a request of this number. */
static void
find_ask(unsigned number, char *id, size_t size)
{
    char words[24];
    id[0] = '\0';
    snprintf(words, sizeof words, "!agree %u", number);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strstr(room.posts[i].text, words) != NULL) {
            snprintf(id, size, "%lld", (long long)room.posts[i].id);
        }
    }
    ck_assert_str_ne(id, "");
}

/* Where two requests are open, a reply to what the host posted about one of
 * them says which is meant. */
START_TEST(who_replies_to_the_hosts_post_about_a_request_agrees_to_that_one)
{
    char id[24];
    room_set(&room, "moderation", "table");
    begin(5);
    room_says(&room, "Carl", "!extend 2h");
    room_says(&room, "Dora", "!pause");
    const struct table *table = room_table(&room);
    ck_assert_uint_ne(table->asked[0].number, 0);
    ck_assert_uint_ne(table->asked[1].number, 0);
    find_ask(table->asked[1].number, id, sizeof id);
    room_delivers(&room, &(struct odd_post){.id = "a1",
                                            .who = "Bob",
                                            .text = "!agree",
                                            .reply_to = id,
                                            .stamp = room.stage->now});
    ck_assert_uint_eq(room_table(&room)->asked[0].agreed, 0);
    ck_assert_uint_eq(room_table(&room)->asked[1].agreed, seat_bit(1));
}
END_TEST

/* Post in answer to another post. */
static void
reply(const char *who, long long target, const char *text)
{
    static unsigned count = 0;
    char id[24];
    char to[24];
    snprintf(id, sizeof id, "r%u", ++count);
    snprintf(to, sizeof to, "%lld", target);
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = text,
                                            .reply_to = to,
                                            .stamp = room.stage->now});
}

/* The number of the vote that somebody has posted. */
static long long
vote(const char *who, const char *text)
{
    room_posts(&room, who, text);
    room_read(&room);
    long long post = room.posts[room.post_count - 1].id;
    room_settle(&room);
    return post;
}

START_TEST(a_command_about_a_post_may_be_a_reply_to_it)
{
    begin(5);
    reply("Mo", vote("Carl", "**Ja!** to whoever it is"), "!why");
    assert_holds(room_said(&room), "nobody was waiting for that");
    room_names(&room, 1);
    room_posts(&room, "Carl", "Ja! from me");
    room_read(&room);
    long long post = room.posts[room.post_count - 1].id;
    room_settle(&room);
    reply("Mo", post, "!why");
    assert_holds(room_said(&room), "nothing in it is bold");
    reply("Mo", post, "!count ja");
    assert_holds(room_said(&room), "Carl's post counts as Ja");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    post = vote("Dora", "**Nein!**");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2) | seat_bit(3));
    reply("Mo", post, "!void");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    assert_holds(room_said(&room), "Dora, please vote again by ");
    reply("Mo", post, "!count");
    assert_holds(room_said(&room), "say which post and which word");
}
END_TEST

START_TEST(of_a_post_of_an_earlier_game_it_is_not_told_how_it_was_read)
{
    char yes[32];
    begin(5);
    room_names(&room, 1);
    long long post = vote("Carl", "**Ja!**");
    reply("Mo", post, "!why");
    assert_holds(room_said(&room), "(R4)");
    room_says(&room, "Mo", "!end");
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asks);
    room_says(&room, "Mo", yes);
    ck_assert_int_eq(
        room_query(&room, "store.db",
                   "SELECT count(*) FROM post WHERE verdict IS NOT NULL"
                   " AND author <> 'Mo'"),
        0); /* but for how the end itself was confirmed */
    room_begin(&room, 5);
    reply("Mo", post, "!why");
    assert_holds(room_said(&room), "is from a game that is over");
}
END_TEST

/* The moderator meant another vote, which has ended meanwhile. */
START_TEST(no_post_is_counted_for_a_vote_that_opened_later)
{
    begin(5);
    room_posts(&room, "Carl", "Ja! from me");
    room_read(&room);
    char post[24];
    snprintf(post, sizeof post, "%lld",
             (long long)room.posts[room.post_count - 1].id);
    room_names(&room, 1);
    room_delivers(&room,
                  &(struct odd_post){.id = "early",
                                     .who = "Mo",
                                     .text = "!count ja",
                                     .reply_to = post,
                                     .stamp = room_table(&room)->since - 1});
    assert_holds(room_said(&room), "has no vote open right now");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

/* Whoever says that it is meant replies to nothing, or to the host. */
START_TEST(an_undo_that_replies_to_a_post_goes_back_behind_that_one)
{
    begin(5);
    room_names(&room, 1);
    long long post = vote("Carl", "**Ja!**");
    (void)vote("Dora", "**Nein!**");
    reply("Mo", post, "!undo");
    assert_holds(room_said(&room), "the votes of Carl and Dora in round 1");
    char yes[24];
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asked[0].number);
    room_says(&room, "Mo", yes);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_said(&room), "the votes of Carl and Dora in round 1");
}
END_TEST

START_TEST(whose_vote_is_voided_late_has_time_to_vote_again)
{
    begin(5);
    room_names(&room, 1);
    int64_t due = room_table(&room)->deadline;
    /* Early enough, the deadline stays. */
    reply("Mo", vote("Dora", "**Nein!**"), "!void");
    ck_assert_int_eq(room_table(&room)->deadline, due);
    long long post = vote("Dora", "**Ja!**");
    room_waits(&room, due - room.stage->now - MINUTE_MS);
    reply("Mo", post, "!void");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    int64_t later = room_table(&room)->deadline;
    ck_assert_int_ge(later, due + 2 * HOUR_MS);
    ck_assert_int_le(later, due + 4 * HOUR_MS);
    /* What a pause has left stays, too. */
    post = vote("Dora", "**Ja!**");
    room_says(&room, "Mo", "!pause");
    room_waits(&room, 2 * DAY_MS);
    reply("Mo", post, "!void");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_says(&room, "Mo", "!resume");
    ck_assert_int_ge(room_table(&room)->deadline, later + 2 * DAY_MS - HOUR_MS);
}
END_TEST

/* Let Mo have something done, and confirm it where that is asked for. */
static void
moderate(const char *order)
{
    char yes[24];
    room_says(&room, "Mo", order);
    if (room_table(&room)->asked[0].number != 0) {
        snprintf(yes, sizeof yes, "!yes %u",
                 room_table(&room)->asked[0].number);
        room_says(&room, "Mo", yes);
    }
}

/* It is no miss of the player, nor an answer that makes up for missed votes. */
START_TEST(what_a_moderator_chooses_for_a_player_changes_no_misses)
{
    begin(5);
    room_says(&room, "Anna", "**Bob**");
    room_says(&room, "Carl", "**Ja!**");
    room_expires(&room);
    ck_assert_uint_eq(room_table(&room)->seats[1].votes_missed, 1);
    moderate("!choose Bob nominate Carl");
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(room_table(&room)->seats[1].votes_missed, 1);
    for (unsigned i = 2; i < 5; i++) {
        room_says(&room, room_player(i), "**Ja!**");
    }
    assert_question(QUESTION_DISCARD);
    moderate("!choose Bob lots");
    assert_question(QUESTION_ENACT);
    moderate("!choose Carl lots");
    assert_question(QUESTION_NOMINATE);
    ck_assert_uint_eq(room_table(&room)->seats[1].misses, 0);
    ck_assert_uint_eq(room_table(&room)->seats[1].votes_missed, 1);
    ck_assert_uint_eq(room_table(&room)->seats[2].misses, 0);
}
END_TEST

START_TEST(without_votes_by_the_deadline_the_government_fails)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    room_says(&room, "Dora", "**Nein!**");
    room_expires(&room);
    assert_holds(room_said(&room),
                 "Time is up: rejected, 1 to 1. It took 3 Ja.\nJa: Carl. "
                 "Nein: Dora. No vote: Anna, Bob, Emil.");
    ck_assert_uint_eq(room_game(&room)->tracker, 1);
}
END_TEST

START_TEST(the_third_failure_brings_chaos)
{
    begin(5);
    for (unsigned i = 0; i < 3; i++) {
        room_rejects(&room);
    }
    assert_holds(room_said(&room), "Three governments in a row have failed");
    assert_holds(room_said(&room), "It's FASCIST");
    assert_lacks(room_said(&room), "The tracker goes to 3");
    ck_assert_uint_eq(room_game(&room)->fascist, 1);
}
END_TEST

/* Does a post that says so ping somebody? */
static bool
pings(const char *words, const char *user)
{
    char mention[64];
    bool found = false;
    (void)snprintf(mention, sizeof mention, "[mention=%s]", user);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        found = found || (strstr(room.posts[i].text, words) != NULL &&
                          strstr(room.posts[i].raw, mention) != NULL);
    }
    return found;
}

START_TEST(a_veto_without_an_answer_is_declined)
{
    begin_veto();
    room_says(&room, chancellor(), "**Veto**");
    room_expires(&room);
    assert_question(QUESTION_ENACT);
    assert_holds(room_said(&room), "No veto: there was no answer in time.");
    ck_assert(pings("No veto", chancellor()));
    assert_lacks(room_said(&room), "declines. Chancellor");
}
END_TEST

START_TEST(lots_decide_for_an_absent_president_and_chancellor)
{
    room.deck = "FLF";
    room.lot = 1;
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_expires(&room);
    assert_question(QUESTION_ENACT);
    assert_holds(room_said(&room), "so I drew a card at random.");
    assert_holds(room_told(&room, "Anna"), "You discarded Liberal");
    assert_holds(room_told(&room, "Bob"), "you're Chancellor");
    room_expires(&room);
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_told(&room, "Bob"), "You enacted Fascist");
    assert_holds(room_said(&room), "so I drew a card at random.");
    assert_holds(room_said(&room), "enact a FASCIST policy");
}
END_TEST

START_TEST(where_cards_wait_no_lots_are_drawn)
{
    room_set(&room, "cards_timeout", "wait");
    begin(5);
    room_elects(&room, 1);
    ck_assert_int_eq(stage_due(room.stage), 0);
    room_waits(&room, 30 * DAY_MS);
    assert_question(QUESTION_DISCARD);
    room_tells(&room, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
}
END_TEST

START_TEST(a_grace_is_for_cards_and_powers_alone)
{
    room_set(&room, "grace", "2h");
    begin(5);
    ck_assert_int_eq(table_due(room_table(&room)), room_table(&room)->deadline);
    room_elects(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    ck_assert_int_eq(table_due(room_table(&room)), deadline + 2 * HOUR_MS);
    room_waits(&room, deadline + HOUR_MS - room.stage->now);
    assert_question(QUESTION_DISCARD);
    room_tells(&room, "Anna", "discard 1");
    assert_question(QUESTION_ENACT);
}
END_TEST

/* Up to the power of the second fascist policy of seven players. */
static void
begin_power(void)
{
    begin(7);
    room_govern_to(&room, 2);
    assert_question(QUESTION_INVESTIGATE);
}

START_TEST(an_unused_power_is_rung_once_then_forfeited)
{
    begin_power();
    int64_t deadline = room_table(&room)->deadline;
    room_expires(&room);
    assert_question(QUESTION_INVESTIGATE);
    assert_holds(room_said(&room), "Bob, time is up and you haven't used "
                                   "your power. You have as long again, "
                                   "until ");
    assert_holds(room_said(&room), "after that the power is lost.");
    ck_assert_int_ge(room_table(&room)->deadline, deadline + 24 * HOUR_MS);
    ck_assert_uint_eq(room_table(&room)->seats[1].misses, 0);
    room_expires(&room);
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), "Time is up again, so President Bob's "
                                   "power is lost: investigation.");
    ck_assert_uint_eq(room_table(&room)->seats[1].misses, 1);
}
END_TEST

START_TEST(a_power_is_used_after_it_was_rung)
{
    begin_power();
    room_expires(&room);
    room_says(&room, "Bob", "**Gert**");
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), "looked at Gert");
}
END_TEST

START_TEST(an_unused_power_is_decided_by_lots_where_that_is_set)
{
    room_set(&room, "power_timeout", "lots");
    room.lot = 2; /* of Anna, Carl, Dora, … */
    begin_power();
    room_expires(&room);
    assert_holds(room_said(&room), "after that I draw a name at random.");
    room_expires(&room);
    assert_question(QUESTION_NOMINATE);
    assert_holds(room_said(&room), "Time was up for Bob, so "
                                   "I drew a name at random.");
    assert_holds(room_said(&room), "Bob has looked at Dora's party card");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "Dora belongs to"), 1);
}
END_TEST

START_TEST(where_powers_wait_nothing_fires)
{
    room_set(&room, "power_timeout", "wait");
    begin_power();
    ck_assert_int_eq(stage_due(room.stage), 0);
    room_waits(&room, 30 * DAY_MS);
    assert_question(QUESTION_INVESTIGATE);
}
END_TEST

START_TEST(who_misses_two_deadlines_loses_the_seat)
{
    begin(5);
    for (unsigned i = 0; i < 5; i++) {
        room_expires(&room); /* five candidates name nobody */
        ck_assert_uint_eq(room_count_said(&room, "the seat is vacant"), 0);
    }
    room_expires(&room);
    assert_holds(room_said(&room),
                 "Anna has missed 2 deadlines, so that seat is "
                 "empty now");
    assert_holds(room_said(&room),
                 "4 of you are left; 3 Ja elect a government.");
    ck_assert_uint_eq(room_game(&room)->vacant, seat_bit(0));
    assert_holds(room_status(&room)->text, "1 Anna (vacant)");
    assert_holds(room_said(&room),
                 "anyone who isn't playing yet can take the seat with !join");
    assert_no_act("Anna", "**Bob**");
    assert_holds(room_said(&room),
                 "Anna, your seat is empty: you've missed too many deadlines");
    assert_no_act("Anna", "**Bob**"); /* told once a question */
    ck_assert_uint_eq(room_count_said(&room, "too many deadlines"), 1);
}
END_TEST

START_TEST(misses_can_be_without_consequence)
{
    room_set(&room, "misses", "0");
    room.deck = "LFFLFFLFFLFF";
    room_open(&room);
    room_begin(&room, 5);
    for (unsigned i = 0; i < 11; i++) {
        room_expires(&room);
    }
    ck_assert_uint_eq(room_game(&room)->vacant, 0);
    ck_assert_uint_eq(room_table(&room)->seats[0].misses, 3);
}
END_TEST

START_TEST(the_last_one_present_stays)
{
    room_set(&room, "misses", "1");
    begin(5);
    room_names(&room, 1);
    room_expires(&room); /* nobody votes: everybody has missed one */
    ck_assert_uint_eq(seat_count(game_present(room_game(&room))), 1);
    assert_holds(room_said(&room),
                 "Anna, Bob, Carl, Dora have missed a deadline");
}
END_TEST

START_TEST(an_absent_presidents_veto_is_declined_by_time_not_by_them)
{
    room_set(&room, "misses", "1");
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_expires(&room); /* the president's seat is vacated */
    ck_assert_uint_eq(room_game(&room)->vacant,
                      seat_bit(room_game(&room)->president));
    room_says(&room, chancellor(), "**Veto**");
    assert_question(QUESTION_VETO);
    room_expires(&room);
    assert_holds(room_said(&room), "there was no answer in time");
}
END_TEST

/* ---- posts around a deadline --------------------------------------------- */

/* Move the clock behind the deadline, where it can't have fired yet: the board
 * is read up to two seconds ago. */
static int64_t
pass_deadline(void)
{
    int64_t due = table_due(room_table(&room));
    room_waits(&room, due - room.stage->now);
    return due;
}

START_TEST(a_vote_at_the_deadline_counts_one_after_it_does_not)
{
    begin(5);
    room_names(&room, 1);
    int64_t due = pass_deadline();
    ck_assert_uint_eq(room_game(&room)->round, 1);
    room_delivers(
        &room, &(struct odd_post){
                   .id = "a", .who = "Carl", .text = "**Ja!**", .stamp = due});
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    room_says(&room, "Dora", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_game(&room)->round, 2);
    ck_assert_uint_eq(room_count_said(&room, "rejected, 1 to 0. It took 3 Ja"),
                      1);
    ck_assert_uint_eq(room_count_said(&room, "No vote: Anna, Bob, Dora, Emil."),
                      1);
    ck_assert_uint_eq(room_count_said(&room, "Dora, voting had already closed"),
                      1);
}
END_TEST

START_TEST(what_was_posted_for_the_next_question_waits_for_it)
{
    begin(5);
    room_names(&room, 1);
    (void)pass_deadline();
    room_says(&room, "Bob", "**Dora**"); /* is the next candidate */
    ck_assert_uint_eq(room_game(&room)->round, 1);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_game(&room)->round, 2);
    assert_question(QUESTION_VOTE);
    ck_assert_uint_eq(room_game(&room)->chancellor, 3);
}
END_TEST

/* The result waits until the hand is sent. */
START_TEST(that_a_vote_had_closed_is_told_below_the_result)
{
    size_t elected = 0;
    size_t closed = 0;
    begin(5);
    room_names(&room, 1);
    for (unsigned i = 0; i < 4; i++) {
        room_posts(&room, room_player(i), "**Ja!**");
    }
    room_settle(&room);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        elected = strstr(room.posts[i].text, "Elected") != NULL ? i : elected;
        closed = strstr(room.posts[i].text, "voting had already closed") != NULL
                     ? i
                     : closed;
    }
    ck_assert_uint_gt(elected, 0);
    ck_assert_uint_gt(closed, elected);
}
END_TEST

START_TEST(a_card_that_came_too_late_is_not_played)
{
    room.deck = "FLF";
    room.lot = 0;
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    (void)pass_deadline();
    room_tells(&room, "Anna", "discard 2");
    assert_question(QUESTION_DISCARD);
    room_waits(&room, 2 * SECOND_MS);
    assert_question(QUESTION_ENACT);
    assert_holds(room_said(&room), "I drew a card at random");
    ck_assert_uint_eq(pile_liberals(room_game(&room)->hand), 1);
}
END_TEST

START_TEST(a_command_after_a_deadline_is_obeyed_once_it_has_fired)
{
    begin(5);
    (void)pass_deadline();
    room_says(&room, "Carl", "!status");
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 1);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_game(&room)->round, 2);
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 2);
    assert_holds(room_said(&room), "Bob has to name a Chancellor");
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
    tcase_add_test(tcase, quotes_and_talk_nominate_nobody);
    tcase_add_test(tcase, an_unbold_name_gets_one_hint_a_question);
    tcase_add_test(tcase, where_red_is_required_bold_alone_is_only_hinted_at);
    tcase_add_test(tcase, on_the_board_red_is_required_unless_it_is_set);
    tcase_add_test(tcase, the_next_candidate_is_told_once_that_it_is_too_early);
    tcase_add_test(tcase, a_name_posted_just_before_the_round_is_too_early);
    tcase_add_test(tcase, a_power_is_no_early_nomination);
    tcase_add_test(tcase, where_red_is_required_bold_alone_is_only_hinted_at);
    tcase_add_loop_test(tcase, an_unclear_name_is_asked_about, 0, 5);
    tcase_add_test(
        tcase,
        each_unclear_post_is_answered_once_a_minute_in_public_three_times);
    tcase_add_test(
        tcase,
        within_a_minute_the_answer_says_what_is_wrong_with_the_newest_post);
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
    tcase_add_test(tcase, who_was_executed_is_warned_of_whatever_they_show);
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
    tcase_add_test(tcase, a_command_about_a_post_may_be_a_reply_to_it);
    tcase_add_test(tcase,
                   of_a_post_of_an_earlier_game_it_is_not_told_how_it_was_read);
    tcase_add_test(tcase, no_post_is_counted_for_a_vote_that_opened_later);
    tcase_add_test(tcase,
                   an_undo_that_replies_to_a_post_goes_back_behind_that_one);
    tcase_add_test(tcase, whose_vote_is_voided_late_has_time_to_vote_again);
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
    tcase_add_test(tcase, that_a_vote_had_closed_is_told_below_the_result);
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
