/* The rules that communities add: a tie on Hitler, and powers from chaos. */
#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* ---- a tie elects Hitler ------------------------------------------------- */

/* A game of six, its first candidate's nominee being voted on with so many
 * fascist policies on the board.  Hitler has seat 5. */
static void
nominated(struct engine_game *t, const char *closes, unsigned fascist,
          unsigned nominee)
{
    engine_game_open(t, 6, "play-by-post");
    engine_game_set(t, "tie_elects_hitler", "on");
    engine_game_set(t, "vote_closes", closes);
    engine_game_do(t, deal(6, ""));
    engine_game_board(t, 0, fascist, "LLLFFFFF");
    engine_game_do(t, nominate(0, nominee));
}

/* Votes in seat order, one letter each. */
static void
cast(struct engine_game *t, const char *votes)
{
    for (unsigned seat = 0; votes[seat] != '\0'; seat++) {
        if (votes[seat] != '-') {
            engine_game_do(t, vote(seat, votes[seat] == 'J'));
        }
    }
}

START_TEST(a_tie_on_hitler_wins_from_the_third_fascist_policy_on)
{
    for (unsigned fascist = 0; fascist <= 5; fascist++) {
        struct engine_game t;
        nominated(&t, "majority", fascist, 5);
        cast(&t, "JJNNNJ");
        const struct event *election = engine_game_event(&t, EVENT_ELECTION);
        ck_assert_uint_eq(election->ja, 3);
        ck_assert_uint_eq(election->nein, 3);
        if (fascist < 3) {
            engine_game_told(&t, "voted election round");
            ck_assert(!election->yes);
            ck_assert_uint_eq(election->reason, ELECTION_REJECTED);
            ck_assert_uint_eq(election->tracker, 1);
        } else {
            engine_game_told(&t, "voted election ended");
            ck_assert(election->yes);
            ck_assert_uint_eq(election->reason, ELECTION_TIE);
            ck_assert_uint_eq(election->tracker, 0);
            ck_assert_uint_eq(t.game.ending, ENDING_HITLER_CHANCELLOR);
            ck_assert_uint_eq(t.game.winner, PARTY_FASCIST);
        }
    }
}
END_TEST

/* Seat 4 is a fascist, the others are liberal. */
START_TEST(a_tie_on_anybody_else_fails)
{
    for (unsigned nominee = 1; nominee <= 4; nominee++) {
        struct engine_game t;
        nominated(&t, "all", 3, nominee);
        cast(&t, "JJJNNN");
        engine_game_told(&t, "voted election round");
        ck_assert(!engine_game_event(&t, EVENT_ELECTION)->yes);
        ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->reason,
                          ELECTION_REJECTED);
    }
}
END_TEST

START_TEST(without_the_rule_a_tie_on_hitler_fails)
{
    struct engine_game t;
    engine_game_begin(&t, 6, "play-by-post", "");
    engine_game_board(&t, 0, 3, "LLLFFFFF");
    engine_game_do(&t, nominate(0, 5));
    cast(&t, "JJJNNN");
    engine_game_told(&t, "voted election round");
}
END_TEST

/* Of five present nobody can tie, however they vote; of six with one executed
 * or one vacant neither. */
START_TEST(an_odd_number_never_ties)
{
    for (unsigned way = 0; way < 2; way++) {
        struct engine_game t;
        nominated(&t, "all", 3, 5);
        if (way == 0) {
            engine_game_execute(&t, 4);
        } else {
            engine_game_do(&t, vacate(4));
        }
        cast(&t, "JJNN-N");
        engine_game_told(&t, "voted election round");
        nominated(&t, "all", 3, 5);
        engine_game_do(&t, vacate(4));
        cast(&t, "JJNN-J");
        engine_game_told(&t, "voted election ended");
        ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->reason,
                          ELECTION_MAJORITY);
    }
}
END_TEST

/* Whoever has not voted counts for neither side: two to two of six is none,
 * and neither is three to two. */
START_TEST(at_the_deadline_half_of_the_present_must_have_voted_each_way)
{
    static const char *const votes[] = {"JJNN", "JJJNN", "JJNNN", ""};
    for (unsigned i = 0; i < sizeof votes / sizeof votes[0]; i++) {
        struct engine_game t;
        nominated(&t, "all", 3, 5);
        cast(&t, votes[i]);
        engine_game_do(&t, plain(COMMAND_CLOSE));
        engine_game_told(&t, "election round");
    }
    struct engine_game t;
    nominated(&t, "all", 4, 5);
    cast(&t, "JJNN");
    engine_game_do(&t, vacate(4));
    engine_game_do(&t, vacate(5));
    /* Two to two of the four who are left. */
    engine_game_told(&t, "vacated election ended");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->reason,
                      ELECTION_TIE);
}
END_TEST

/* Else an early end would tell that the nominee is not Hitler. */
START_TEST(while_a_tie_may_elect_half_nein_closes_no_vote)
{
    for (unsigned nominee = 4; nominee <= 5; nominee++) {
        struct engine_game t;
        nominated(&t, "decided", 3, nominee);
        cast(&t, "NNN");
        ck_assert_uint_eq(t.game.question, QUESTION_VOTE);
        engine_game_do(&t, vote(3, false));
        engine_game_told(&t, "voted election round");
    }
    struct engine_game t;
    nominated(&t, "decided", 2, 5);
    cast(&t, "NNN");
    engine_game_told(&t, "voted election round");
}
END_TEST

/* ---- chaos with power ---------------------------------------------------- */

/* The second failure in a row is behind; `draw` is what lies on top. */
static void
before_chaos(struct engine_game *t, unsigned players, unsigned fascist,
             const char *draw)
{
    engine_game_open(t, players, "play-by-post");
    engine_game_set(t, "chaos_power", "on");
    engine_game_do(t, deal(players, ""));
    engine_game_board(t, 0, fascist, draw);
    t->game.tracker = 2;
}

START_TEST(each_fascist_policy_of_chaos_brings_its_power)
{
    static const char *const told[] = {
        [POWER_NONE] = "voted election enacted round",
        [POWER_INVESTIGATE] = "voted election enacted power",
        [POWER_SPECIAL_ELECTION] = "voted election enacted power",
        [POWER_PEEK] = "voted election enacted power peeked round",
        [POWER_EXECUTION] = "voted election enacted power",
    };
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        for (unsigned nth = 1; nth <= 5; nth++) {
            struct engine_game t;
            enum power power = game_track_power(players, nth);
            before_chaos(&t, players, nth - 1, "FLLL");
            engine_game_reject(&t);
            engine_game_told(&t, told[power]);
            ck_assert(engine_game_event(&t, EVENT_ENACTED)->by_chaos);
            if (power != POWER_NONE) {
                ck_assert_uint_eq(engine_game_event(&t, EVENT_POWER)->power,
                                  power);
                ck_assert_uint_eq(engine_game_event(&t, EVENT_POWER)->seat, 0);
            }
        }
    }
}
END_TEST

START_TEST(a_liberal_policy_of_chaos_brings_none)
{
    for (unsigned fascist = 0; fascist <= 5; fascist++) {
        struct engine_game t;
        before_chaos(&t, 9, fascist, "LFFF");
        engine_game_reject(&t);
        engine_game_told(&t, "voted election enacted round");
    }
}
END_TEST

START_TEST(the_sixth_fascist_policy_of_chaos_wins)
{
    struct engine_game t;
    before_chaos(&t, 7, 5, "FLLL");
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted ended");
    ck_assert_uint_eq(t.game.ending, ENDING_SIX_FASCIST);
}
END_TEST

START_TEST(an_investigation_after_chaos_tells_the_party)
{
    struct engine_game t;
    before_chaos(&t, 7, 1, "FLLL");
    engine_game_reject(&t);
    engine_game_refuse(&t, target(1, 6), REFUSAL_NOT_YOUR_TURN);
    engine_game_do(&t, target(0, 6));
    engine_game_told(&t, "investigated round");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_INVESTIGATED)->party,
                      PARTY_FASCIST);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

/* The rotation goes on after the candidate who failed and called it. */
START_TEST(a_special_election_after_chaos_skips_nobody)
{
    struct engine_game t;
    before_chaos(&t, 7, 2, "FLLLLLL");
    engine_game_reject(&t);
    engine_game_do(&t, target(0, 4));
    engine_game_told(&t, "special_called round");
    ck_assert_uint_eq(t.game.president, 4);
    ck_assert(t.game.special);
    /* Chaos has lifted all limits. */
    assert_seats(game_eligible(&t.game), "0 1 2 3 5 6");
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(an_execution_after_chaos_may_win)
{
    struct engine_game t;
    before_chaos(&t, 7, 3, "FLLL");
    engine_game_reject(&t);
    engine_game_refuse(&t, target(0, 0), REFUSAL_SELF);
    engine_game_do(&t, target(0, 6));
    engine_game_told(&t, "executed ended");
    ck_assert_uint_eq(t.game.ending, ENDING_HITLER_EXECUTED);

    before_chaos(&t, 7, 4, "FLLL");
    engine_game_reject(&t);
    engine_game_do(&t, target(0, 1));
    engine_game_told(&t, "executed round");
    ck_assert_uint_eq(t.game.president, 2);
}
END_TEST

START_TEST(a_candidate_who_named_nobody_has_the_power_too)
{
    struct engine_game t;
    before_chaos(&t, 9, 0, "FLLL");
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_told(&t, "election enacted power");
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_do(&t, plain(COMMAND_FORFEIT));
    engine_game_told(&t, "forfeited round");
}
END_TEST

/* A vacant seat's power waits, for a replacement, for lots or for its end; a
 * peek waits for nobody. */
START_TEST(the_power_of_a_vacant_candidate_waits)
{
    struct engine_game t;
    before_chaos(&t, 7, 3, "FLLL");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vacate(0));
    engine_game_vote(&t, false);
    engine_game_told(&t, "voted election enacted power");
    engine_game_refuse(&t, target(0, 1), REFUSAL_VACANT);
    assert_seats(game_awaits(&t.game).seats, "0");
    assert_seats(game_awaits(&t.game).choices, "1 2 3 4 5 6");
    struct engine_game forfeited = t;
    engine_game_do(&forfeited, plain(COMMAND_FORFEIT));
    engine_game_told(&forfeited, "forfeited round");
    struct engine_game drawn = t;
    engine_game_do(&drawn, by_lots(target(0, 1)));
    engine_game_told(&drawn, "lots executed round");
    engine_game_do(&t, fill(0));
    engine_game_do(&t, target(0, 2));
    engine_game_told(&t, "executed round");

    before_chaos(&t, 5, 2, "FLLL");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vacate(0));
    engine_game_vote(&t, false);
    engine_game_told(&t, "voted election enacted power peeked round");
}
END_TEST

/* So that a peek finds three tiles. */
START_TEST(after_chaos_few_tiles_are_reshuffled_before_the_power)
{
    struct engine_game t;
    before_chaos(&t, 5, 2, "FLL");
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted");
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    engine_game_do(&t, reshuffle("FFLFFFFFFLLLLL"));
    engine_game_told(&t, "reshuffled power peeked round");
    assert_pile(engine_game_event(&t, EVENT_PEEKED)->cards, "FFL");
}
END_TEST

/* A veto needs five fascist policies, and a sixth wins: so no power follows. */
START_TEST(chaos_after_a_veto_wins_or_brings_none)
{
    for (int liberal = 0; liberal < 2; liberal++) {
        struct engine_game t;
        before_chaos(&t, 7, 5, liberal != 0 ? "FFLLFFF" : "FFLFLLL");
        engine_game_set(&t, "tracker_resets_on", "policy");
        engine_game_elect(&t, 1);
        engine_game_do(&t, discard(0, 0));
        engine_game_do(&t, ask_veto(1));
        engine_game_do(&t, answer_veto(0, true));
        engine_game_told(&t, liberal != 0 ? "veto_answered enacted round"
                                          : "veto_answered enacted ended");
    }
}
END_TEST

/* From the fifth fascist policy on a government may veto, whoever laid it. */
START_TEST(chaos_may_bring_the_veto)
{
    struct engine_game t;
    before_chaos(&t, 7, 4, "FFLLFFF");
    engine_game_reject(&t);
    engine_game_do(&t, plain(COMMAND_FORFEIT));
    engine_game_elect(&t, 2);
    engine_game_do(&t, discard(1, 0));
    ck_assert(game_awaits(&t.game).may_veto);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/house_rules");
    TCase *tie = tcase_create("a tie");
    tcase_add_test(tie, a_tie_on_hitler_wins_from_the_third_fascist_policy_on);
    tcase_add_test(tie, a_tie_on_anybody_else_fails);
    tcase_add_test(tie, without_the_rule_a_tie_on_hitler_fails);
    tcase_add_test(tie, an_odd_number_never_ties);
    tcase_add_test(
        tie, at_the_deadline_half_of_the_present_must_have_voted_each_way);
    tcase_add_test(tie, while_a_tie_may_elect_half_nein_closes_no_vote);
    suite_add_tcase(suite, tie);

    TCase *power = tcase_create("chaos");
    tcase_add_test(power, each_fascist_policy_of_chaos_brings_its_power);
    tcase_add_test(power, a_liberal_policy_of_chaos_brings_none);
    tcase_add_test(power, the_sixth_fascist_policy_of_chaos_wins);
    tcase_add_test(power, an_investigation_after_chaos_tells_the_party);
    tcase_add_test(power, a_special_election_after_chaos_skips_nobody);
    tcase_add_test(power, an_execution_after_chaos_may_win);
    tcase_add_test(power, a_candidate_who_named_nobody_has_the_power_too);
    tcase_add_test(power, the_power_of_a_vacant_candidate_waits);
    tcase_add_test(power,
                   after_chaos_few_tiles_are_reshuffled_before_the_power);
    tcase_add_test(power, chaos_after_a_veto_wins_or_brings_none);
    tcase_add_test(power, chaos_may_bring_the_veto);
    suite_add_tcase(suite, power);
    return suite;
}
