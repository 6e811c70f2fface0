#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* ---- the session --------------------------------------------------------- */

START_TEST(the_president_draws_the_top_three_in_order)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "LFFLF");
    engine_game_elect(&t, 1);
    const struct event *hand = engine_game_event(&t, EVENT_HAND);
    ck_assert_uint_eq(hand->seat, 0);
    assert_pile(hand->cards, "LFF");
    ck_assert_uint_eq(t.game.question, QUESTION_DISCARD);
    ck_assert(t.game.in_session);
    assert_seats(game_awaits(&t.game).seats, "0");
    ck_assert_uint_eq(game_awaits(&t.game).cards, 3);
    ck_assert_uint_eq(t.game.draw.count, 14);
    ck_assert(pile_is_liberal(t.game.draw, 0));
}
END_TEST

START_TEST(the_president_discards_one_and_hands_on_two)
{
    static const struct {
        unsigned card;
        bool liberal;
        const char *passed;
    } cases[] = {{0, true, "FL"}, {1, false, "LL"}, {2, true, "LF"}};
    for (unsigned i = 0; i < 3; i++) {
        struct engine_game t;
        engine_game_begin(&t, 5, "official", "LFL");
        engine_game_elect(&t, 1);
        engine_game_do(&t, discard(0, cases[i].card));
        engine_game_told(&t, "passed");
        const struct event *passed = engine_game_event(&t, EVENT_PASSED);
        ck_assert_uint_eq(passed->seat, 0);
        ck_assert_uint_eq(passed->target, 1);
        ck_assert_int_eq(passed->is_liberal, cases[i].liberal);
        assert_pile(passed->cards, cases[i].passed);
        ck_assert_uint_eq(t.game.discarded_liberal, cases[i].liberal ? 1 : 0);
        ck_assert_uint_eq(t.game.discarded_fascist, cases[i].liberal ? 0 : 1);
        ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_ENACT);
        assert_seats(game_awaits(&t.game).seats, "1");
        ck_assert_uint_eq(game_awaits(&t.game).cards, 2);
        ck_assert(!game_awaits(&t.game).may_veto);
    }
}
END_TEST

START_TEST(the_chancellor_enacts_one_and_discards_the_other)
{
    for (unsigned card = 0; card < 2; card++) {
        struct engine_game t;
        engine_game_begin(&t, 5, "official", "LFL");
        engine_game_elect(&t, 1);
        engine_game_do(&t, discard(0, 2));
        engine_game_do(&t, enact(1, card));
        engine_game_told(&t, "enacted round");
        const struct event *enacted = engine_game_event(&t, EVENT_ENACTED);
        ck_assert_uint_eq(enacted->seat, 0);
        ck_assert_uint_eq(enacted->target, 1);
        ck_assert_int_eq(enacted->is_liberal, card == 0);
        ck_assert(!enacted->by_chaos);
        ck_assert_uint_eq(enacted->liberal, card == 0 ? 1 : 0);
        ck_assert_uint_eq(enacted->fascist, card == 0 ? 0 : 1);
        ck_assert_uint_eq(t.game.discarded_liberal, card == 0 ? 1 : 2);
        ck_assert_uint_eq(t.game.discarded_fascist, card == 0 ? 1 : 0);
        ck_assert_uint_eq(t.game.hand.count, 0);
        ck_assert(!t.game.in_session);
        ck_assert_uint_eq(t.game.president, 1);
        ck_assert_uint_eq(t.game.chancellor, NO_SEAT);
    }
}
END_TEST

START_TEST(only_the_one_awaited_acts_in_the_session)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_execute(&t, 3);
    engine_game_refuse(&t, discard(0, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, enact(1, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, ask_veto(1), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, answer_veto(0, true), REFUSAL_NOT_NOW);
    engine_game_elect(&t, 1);
    engine_game_refuse(&t, discard(1, 0), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, discard(3, 0), REFUSAL_EXECUTED);
    engine_game_refuse(&t, discard(7, 0), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, discard(0, 3), REFUSAL_NO_SUCH_CARD);
    engine_game_refuse(&t, discard(0, 255), REFUSAL_NO_SUCH_CARD);
    engine_game_refuse(&t, enact(1, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, nominate(0, 1), REFUSAL_NOT_NOW);
    engine_game_do(&t, discard(0, 0));
    engine_game_refuse(&t, discard(0, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, enact(0, 0), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, enact(3, 0), REFUSAL_EXECUTED);
    engine_game_refuse(&t, enact(7, 0), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, enact(1, 2), REFUSAL_NO_SUCH_CARD);
    engine_game_refuse(&t, answer_veto(0, true), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, target(0, 1), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    engine_game_do(&t, enact(1, 1));
}
END_TEST

/* ---- winning ------------------------------------------------------------- */

START_TEST(the_fifth_liberal_policy_wins_at_once)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 4, 2, "LLF");
    engine_game_govern(&t, 1, true);
    /* No reshuffle, though the deck is out. */
    engine_game_told(&t, "enacted ended");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->reason,
                      ENDING_FIVE_LIBERAL);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->party, PARTY_LIBERAL);
    ck_assert_uint_eq(t.game.winner, PARTY_LIBERAL);
    engine_game_refuse(&t, plain(COMMAND_KNOWN), REFUSAL_GAME_OVER);
    engine_game_refuse(&t, reshuffle("FF"), REFUSAL_GAME_OVER);
}
END_TEST

START_TEST(the_sixth_fascist_policy_wins_at_once)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 4, 5, "FFF");
    engine_game_govern(&t, 1, false);
    engine_game_told(&t, "enacted ended");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->reason,
                      ENDING_SIX_FASCIST);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->party, PARTY_FASCIST);
    ck_assert_uint_eq(t.game.winner, PARTY_FASCIST);
}
END_TEST

START_TEST(four_liberal_and_five_fascist_policies_win_nothing)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 3, 5, "LLLFFF");
    engine_game_govern(&t, 1, true);
    engine_game_told(&t, "enacted round");
    ck_assert_uint_eq(t.game.liberal, 4);
}
END_TEST

/* ---- reshuffles ---------------------------------------------------------- */

START_TEST(with_fewer_than_three_tiles_the_deck_is_reshuffled)
{
    static const char *const draws[] = {"LFF", "LFFL", "LFFLF", "LFFLFF"};
    for (unsigned left = 0; left <= 3; left++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        engine_game_board(&t, 1, 0, draws[left]);
        engine_game_govern(&t, 1, true);
        if (left == 3) {
            engine_game_told(&t, "enacted round");
            continue;
        }
        engine_game_told(&t, "enacted");
        struct awaits awaits = game_awaits(&t.game);
        ck_assert_uint_eq(awaits.question, QUESTION_RESHUFFLE);
        ck_assert_uint_eq(awaits.seats, 0);
        ck_assert_uint_eq(awaits.due_liberal, 4);
        ck_assert_uint_eq(awaits.due_fascist, 11);
        engine_game_do(&t, reshuffle("FFFFFFFFFFFLLLL"));
        engine_game_told(&t, "reshuffled round");
        assert_pile(engine_game_event(&t, EVENT_RESHUFFLED)->cards,
                    "FFFFFFFFFFFLLLL");
        ck_assert_uint_eq(t.game.discarded_liberal, 0);
        ck_assert_uint_eq(t.game.discarded_fascist, 0);
    }
}
END_TEST

START_TEST(a_reshuffle_of_other_tiles_is_refused)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_refuse(&t, reshuffle("LLLLLLFFFFFFFFFFF"), REFUSAL_NOT_NOW);
    engine_game_board(&t, 3, 2, "LFF");
    engine_game_govern(&t, 1, true);
    engine_game_refuse(&t, reshuffle("LLFFFFFFFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LLFFFFFFFFFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LLLFFFFFFFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LFFFFFFFFFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle(""), REFUSAL_WRONG_TILES);
    struct command beneath = reshuffle("LFFFFFFFFFF");
    beneath.tiles.liberal |= 1U << 11;
    engine_game_refuse(&t, beneath, REFUSAL_WRONG_TILES);
    beneath = reshuffle("LLFFFFFFFFF");
    beneath.tiles.liberal |= 1U << 31;
    engine_game_refuse(&t, beneath, REFUSAL_WRONG_TILES);
    engine_game_do(&t, reshuffle("FLFLFFFFFFF"));
}
END_TEST

START_TEST(nothing_else_goes_on_while_a_reshuffle_is_due)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 3, 2, "LFF");
    engine_game_govern(&t, 1, true);
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, vote(1, true), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_KNOWN), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, target(0, 2), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(a_reshuffle_comes_before_the_power)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "LFF");
    engine_game_govern(&t, 1, false);
    engine_game_told(&t, "enacted");
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    engine_game_refuse(&t, target(0, 2), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    engine_game_do(&t, reshuffle("LLLLLLFFFFFFF"));
    engine_game_told(&t, "reshuffled power");
    ck_assert_uint_eq(t.game.question, QUESTION_EXECUTION);
    engine_game_do(&t, target(0, 2));
    engine_game_told(&t, "executed round");
}
END_TEST

START_TEST(a_peek_is_into_the_reshuffled_deck)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 0, 2, "LFFL");
    engine_game_govern(&t, 1, false);
    engine_game_told(&t, "enacted");
    engine_game_do(&t, reshuffle("FLFLLLLLFFFFFF"));
    engine_game_told(&t, "reshuffled power peeked round");
    assert_pile(engine_game_event(&t, EVENT_PEEKED)->cards, "FLF");
}
END_TEST

/* ---- the veto ------------------------------------------------------------ */

/* The chancellor, seat 1, holds two tiles with five fascist policies laid. */
static void
session_of_five(struct engine_game *t, const char *preset, const char *draw)
{
    engine_game_begin(t, 7, preset, "");
    engine_game_board(t, 0, 5, draw);
    engine_game_elect(t, 1);
    engine_game_do(t, discard(0, 0));
    ck_assert(game_awaits(&t->game).may_veto);
}

START_TEST(a_veto_needs_five_fascist_policies_before_the_session)
{
    struct engine_game t;
    for (unsigned fascist = 0; fascist <= 4; fascist++) {
        engine_game_begin(&t, 7, "official", "");
        engine_game_board(&t, 0, fascist, "FFFF");
        engine_game_elect(&t, 1);
        engine_game_do(&t, discard(0, 0));
        ck_assert(!game_awaits(&t.game).may_veto);
        engine_game_refuse(&t, ask_veto(1), REFUSAL_VETO_NOT_DUE);
    }
    /* Chaos may lay the fifth too. */
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 4, "FFFF");
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_elect(&t, 2);
    engine_game_do(&t, discard(1, 0));
    engine_game_do(&t, ask_veto(2));
}
END_TEST

START_TEST(the_chancellor_asks_and_the_president_answers)
{
    struct engine_game t;
    session_of_five(&t, "official", "LFFFFF");
    engine_game_refuse(&t, ask_veto(0), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, ask_veto(2), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, ask_veto(9), REFUSAL_NO_SUCH_SEAT);
    engine_game_do(&t, ask_veto(1));
    engine_game_told(&t, "veto_asked");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_VETO_ASKED)->seat, 1);
    ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_VETO);
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_refuse(&t, enact(1, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, ask_veto(1), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, answer_veto(1, true), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, answer_veto(9, true), REFUSAL_NO_SUCH_SEAT);
    engine_game_do(&t, answer_veto(0, true));
}
END_TEST

START_TEST(an_agreed_veto_discards_both_and_advances_the_tracker)
{
    struct engine_game t;
    session_of_five(&t, "official", "LLFFFF");
    engine_game_do(&t, ask_veto(1));
    engine_game_do(&t, answer_veto(0, true));
    engine_game_told(&t, "veto_answered round");
    const struct event *answered = engine_game_event(&t, EVENT_VETO_ANSWERED);
    ck_assert_uint_eq(answered->seat, 0);
    ck_assert(answered->yes);
    ck_assert_uint_eq(answered->tracker, 1);
    ck_assert_uint_eq(t.game.tracker, 1);
    ck_assert_uint_eq(t.game.liberal, 0);
    ck_assert_uint_eq(t.game.fascist, 5);
    ck_assert_uint_eq(t.game.discarded_liberal, 6);
    ck_assert(!t.game.in_session);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(a_declined_veto_leaves_the_choice_of_two)
{
    struct engine_game t;
    session_of_five(&t, "official", "LLFFFF");
    engine_game_do(&t, ask_veto(1));
    engine_game_do(&t, answer_veto(0, false));
    engine_game_told(&t, "veto_answered");
    ck_assert(!engine_game_event(&t, EVENT_VETO_ANSWERED)->yes);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_VETO_ANSWERED)->tracker, 0);
    ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_ENACT);
    ck_assert_uint_eq(game_awaits(&t.game).cards, 2);
    ck_assert(!game_awaits(&t.game).may_veto);
    engine_game_refuse(&t, ask_veto(1), REFUSAL_VETO_DECLINED);
    engine_game_do(&t, enact(1, 0));
    engine_game_told(&t, "enacted round");

    /* In the next session it may be asked for again. */
    engine_game_elect(&t, 2);
    engine_game_do(&t, discard(1, 0));
    ck_assert(game_awaits(&t.game).may_veto);
}
END_TEST

START_TEST(a_veto_not_answered_in_time_is_declined)
{
    struct engine_game t;
    session_of_five(&t, "official", "LLFFFF");
    engine_game_do(&t, ask_veto(1));
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_told(&t, "veto_answered");
    ck_assert(!engine_game_event(&t, EVENT_VETO_ANSWERED)->yes);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_VETO_ANSWERED)->seat, 0);
    engine_game_refuse(&t, answer_veto(0, true), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, ask_veto(1), REFUSAL_VETO_DECLINED);
}
END_TEST

START_TEST(a_veto_counts_by_the_option_from_the_tracker_it_finds)
{
    static const struct {
        const char *resets;
        unsigned tracker;
    } cases[] = {{"policy", 2}, {"election", 1}};
    for (unsigned i = 0; i < 2; i++) {
        struct engine_game t;
        engine_game_open(&t, 7, "official");
        engine_game_set(&t, "tracker_resets_on", cases[i].resets);
        engine_game_do(&t, deal(7, ""));
        engine_game_board(&t, 0, 5, "LLFFFF");
        engine_game_reject(&t);
        engine_game_elect(&t, 0);
        engine_game_do(&t, discard(1, 0));
        engine_game_do(&t, ask_veto(0));
        engine_game_do(&t, answer_veto(1, true));
        ck_assert_uint_eq(t.game.tracker, cases[i].tracker);
    }
}
END_TEST

/* An agreed veto with the tracker at two: chaos from what is left to draw. */
static void
veto_into_chaos(struct engine_game *t, unsigned liberal, const char *draw)
{
    engine_game_begin(t, 7, "official", "");
    engine_game_board(t, liberal, 5, draw);
    t->game.tracker = 2;
    engine_game_elect(t, 1);
    engine_game_do(t, discard(0, 0));
    engine_game_do(t, ask_veto(1));
    engine_game_do(t, answer_veto(0, true));
    ck_assert_uint_eq(engine_game_event(t, EVENT_VETO_ANSWERED)->tracker, 3);
}

START_TEST(a_veto_may_bring_chaos)
{
    struct engine_game t;
    veto_into_chaos(&t, 0, "FFFLFFF");
    engine_game_told(&t, "veto_answered enacted round");
    ck_assert(engine_game_event(&t, EVENT_ENACTED)->by_chaos);
    ck_assert(engine_game_event(&t, EVENT_ENACTED)->is_liberal);
    ck_assert_uint_eq(t.game.tracker, 0);
    /* Chaos forgets the limits of the very government that vetoed. */
    assert_seats(game_eligible(&t.game), "0 2 3 4 5 6");
}
END_TEST

START_TEST(a_veto_reshuffles_before_its_chaos)
{
    for (unsigned left = 0; left <= 2; left++) {
        struct engine_game t;
        veto_into_chaos(&t, 1, &"LLFFF"[2 - left]);
        engine_game_told(&t, "veto_answered");
        ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
        ck_assert_uint_eq(t.game.tracker, 3);
        ck_assert_uint_eq(game_awaits(&t.game).due_liberal, 5);
        ck_assert_uint_eq(game_awaits(&t.game).due_fascist, 6);
        engine_game_do(&t, reshuffle("LFFFFFFLLLL"));
        engine_game_told(&t, "reshuffled enacted round");
        ck_assert(engine_game_event(&t, EVENT_ENACTED)->is_liberal);
        ck_assert_uint_eq(t.game.tracker, 0);
        ck_assert_uint_eq(t.game.draw.count, 10);
    }
}
END_TEST

START_TEST(chaos_after_a_veto_may_need_a_reshuffle_too)
{
    struct engine_game t;
    veto_into_chaos(&t, 1, "FFFLFF");
    engine_game_told(&t, "veto_answered enacted");
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    ck_assert_uint_eq(game_awaits(&t.game).due_liberal, 4);
    ck_assert_uint_eq(game_awaits(&t.game).due_fascist, 6);
    engine_game_do(&t, reshuffle("FFFFFFLLLL"));
    engine_game_told(&t, "reshuffled round");
}
END_TEST

START_TEST(chaos_after_a_veto_may_end_the_game)
{
    struct engine_game t;
    veto_into_chaos(&t, 0, "LLLFLL");
    engine_game_told(&t, "veto_answered enacted ended");
    ck_assert_uint_eq(t.game.ending, ENDING_SIX_FASCIST);
    veto_into_chaos(&t, 4, "FFFF");
    engine_game_do(&t, reshuffle("LLFFFFFF"));
    engine_game_told(&t, "reshuffled enacted ended");
    ck_assert_uint_eq(t.game.ending, ENDING_FIVE_LIBERAL);
}
END_TEST

START_TEST(a_veto_without_chaos_reshuffles_before_the_round)
{
    struct engine_game t;
    session_of_five(&t, "official", "LLFFF");
    engine_game_do(&t, ask_veto(1));
    engine_game_do(&t, answer_veto(0, true));
    engine_game_told(&t, "veto_answered");
    engine_game_do(&t, reshuffle("FFFFFFLLLLLL"));
    engine_game_told(&t, "reshuffled round");
    ck_assert_uint_eq(t.game.tracker, 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/legislation");
    TCase *session = tcase_create("session");
    tcase_add_test(session, the_president_draws_the_top_three_in_order);
    tcase_add_test(session, the_president_discards_one_and_hands_on_two);
    tcase_add_test(session, the_chancellor_enacts_one_and_discards_the_other);
    tcase_add_test(session, only_the_one_awaited_acts_in_the_session);
    suite_add_tcase(suite, session);

    TCase *winning = tcase_create("winning");
    tcase_add_test(winning, the_fifth_liberal_policy_wins_at_once);
    tcase_add_test(winning, the_sixth_fascist_policy_wins_at_once);
    tcase_add_test(winning, four_liberal_and_five_fascist_policies_win_nothing);
    suite_add_tcase(suite, winning);

    TCase *deck = tcase_create("reshuffles");
    tcase_add_test(deck, with_fewer_than_three_tiles_the_deck_is_reshuffled);
    tcase_add_test(deck, a_reshuffle_of_other_tiles_is_refused);
    tcase_add_test(deck, nothing_else_goes_on_while_a_reshuffle_is_due);
    tcase_add_test(deck, a_reshuffle_comes_before_the_power);
    tcase_add_test(deck, a_peek_is_into_the_reshuffled_deck);
    suite_add_tcase(suite, deck);

    TCase *veto = tcase_create("veto");
    tcase_add_test(veto, a_veto_needs_five_fascist_policies_before_the_session);
    tcase_add_test(veto, the_chancellor_asks_and_the_president_answers);
    tcase_add_test(veto, an_agreed_veto_discards_both_and_advances_the_tracker);
    tcase_add_test(veto, a_declined_veto_leaves_the_choice_of_two);
    tcase_add_test(veto, a_veto_not_answered_in_time_is_declined);
    tcase_add_test(veto, a_veto_counts_by_the_option_from_the_tracker_it_finds);
    tcase_add_test(veto, a_veto_may_bring_chaos);
    tcase_add_test(veto, a_veto_reshuffles_before_its_chaos);
    tcase_add_test(veto, chaos_after_a_veto_may_need_a_reshuffle_too);
    tcase_add_test(veto, chaos_after_a_veto_may_end_the_game);
    tcase_add_test(veto, a_veto_without_chaos_reshuffles_before_the_round);
    suite_add_tcase(suite, veto);
    return suite;
}
