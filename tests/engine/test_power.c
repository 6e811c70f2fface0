#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* A government of the candidate and `chancellor` lays the nth fascist policy;
 * the draw pile stays long enough. */
static void
lay_fascist(struct engine_game *t, unsigned nth, unsigned chancellor)
{
    engine_game_board(t, 0, nth - 1, "FFFLLLLF");
    engine_game_govern(t, chancellor, false);
}

START_TEST(each_fascist_policy_of_a_government_brings_its_power)
{
    static const char *const told[] = {
        "enacted round",
        "enacted power", /* investigate */
        "enacted power", /* special election */
        "enacted power peeked round",
        "enacted power", /* execution */
    };
    static const enum question questions[] = {
        QUESTION_NOMINATE, QUESTION_INVESTIGATE, QUESTION_SPECIAL_ELECTION,
        QUESTION_NOMINATE, QUESTION_EXECUTION,
    };
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        for (unsigned nth = 1; nth <= 5; nth++) {
            struct engine_game t;
            engine_game_begin(&t, players, "official", "");
            lay_fascist(&t, nth, 1);
            enum power power = game_track_power(players, nth);
            engine_game_told(&t, told[power]);
            ck_assert_uint_eq(t.game.question, questions[power]);
            if (power != POWER_NONE) {
                ck_assert_uint_eq(engine_game_event(&t, EVENT_POWER)->power,
                                  power);
                ck_assert_uint_eq(engine_game_event(&t, EVENT_POWER)->seat, 0);
            }
        }
    }
}
END_TEST

START_TEST(a_liberal_policy_brings_none)
{
    for (unsigned fascist = 0; fascist <= 5; fascist++) {
        struct engine_game t;
        engine_game_begin(&t, 9, "official", "");
        engine_game_board(&t, 0, fascist, "LLLFFF");
        engine_game_govern(&t, 1, true);
        engine_game_told(&t, "enacted round");
    }
}
END_TEST

START_TEST(only_the_president_uses_the_power)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_execute(&t, 5);
    engine_game_refuse(&t, target(0, 1), REFUSAL_NOT_NOW);
    lay_fascist(&t, 2, 1);
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_refuse(&t, target(1, 2), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, target(5, 2), REFUSAL_EXECUTED);
    engine_game_refuse(&t, target(7, 2), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
    engine_game_do(&t, target(0, 2));
    engine_game_refuse(&t, target(0, 3), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(a_target_is_another_living_player)
{
    static const unsigned nth[] = {2, 3, 4};
    for (unsigned i = 0; i < 3; i++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        engine_game_execute(&t, 2);
        lay_fascist(&t, nth[i], 1);
        assert_seats(game_awaits(&t.game).choices, "1 3 4 5 6");
        engine_game_refuse(&t, target(0, 0), REFUSAL_SELF);
        engine_game_refuse(&t, target(0, 2), REFUSAL_EXECUTED);
        engine_game_refuse(&t, target(0, 7), REFUSAL_NO_SUCH_SEAT);
        engine_game_refuse(&t, target(0, NO_SEAT), REFUSAL_NO_SUCH_SEAT);
    }
}
END_TEST

/* ---- investigation ------------------------------------------------------- */

START_TEST(an_investigation_tells_the_party)
{
    for (unsigned seat = 1; seat < 7; seat++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        lay_fascist(&t, 2, 1);
        engine_game_do(&t, target(0, seat));
        engine_game_told(&t, "investigated round");
        const struct event *event = engine_game_event(&t, EVENT_INVESTIGATED);
        ck_assert_uint_eq(event->seat, 0);
        ck_assert_uint_eq(event->target, seat);
        /* Hitler's card, in the last seat, looks like any fascist's. */
        ck_assert_uint_eq(event->party,
                          seat < 4 ? PARTY_LIBERAL : PARTY_FASCIST);
        ck_assert_uint_eq(t.game.president, 1);
    }
}
END_TEST

START_TEST(nobody_is_investigated_twice)
{
    struct engine_game t;
    engine_game_begin(&t, 10, "official", "");
    lay_fascist(&t, 1, 1);
    engine_game_do(&t, target(0, 4));
    lay_fascist(&t, 2, 2);
    assert_seats(game_awaits(&t.game).choices, "0 2 3 5 6 7 8 9");
    engine_game_refuse(&t, target(1, 4), REFUSAL_INVESTIGATED);
    engine_game_do(&t, target(1, 5));
    assert_seats(t.game.investigated, "4 5");
}
END_TEST

START_TEST(the_investigated_may_still_be_executed)
{
    struct engine_game t;
    engine_game_begin(&t, 10, "official", "");
    lay_fascist(&t, 1, 1);
    engine_game_do(&t, target(0, 4));
    lay_fascist(&t, 4, 2);
    engine_game_do(&t, target(1, 4));
}
END_TEST

/* ---- special election ---------------------------------------------------- */

START_TEST(a_special_election_skips_nobody)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 1);
    engine_game_do(&t, target(0, 4));
    engine_game_told(&t, "special_called round");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_SPECIAL_CALLED)->seat, 0);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_SPECIAL_CALLED)->target, 4);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ROUND)->seat, 4);
    ck_assert(engine_game_event(&t, EVENT_ROUND)->yes);
    ck_assert(t.game.special);
    ck_assert_uint_eq(t.game.round, 2);
    ck_assert_uint_eq(game_next_candidate(&t.game), 1);
    engine_game_reject(&t);
    ck_assert(!engine_game_event(&t, EVENT_ROUND)->yes);
    ck_assert_uint_eq(t.game.president, 1);
    ck_assert(!t.game.special);
}
END_TEST

START_TEST(the_next_in_line_may_be_candidate_twice_running)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 5);
    engine_game_do(&t, target(0, 1));
    ck_assert_uint_eq(t.game.president, 1);
    lay_fascist(&t, 4, 2);
    engine_game_do(&t, plain(COMMAND_FORFEIT));
    ck_assert_uint_eq(t.game.president, 1);
    ck_assert(!t.game.special);
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 2);
}
END_TEST

START_TEST(the_seat_before_the_caller_may_be_called)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 1);
    engine_game_do(&t, target(0, 6));
    ck_assert_uint_eq(t.game.president, 6);
    ck_assert_uint_eq(game_next_candidate(&t.game), 1);
}
END_TEST

START_TEST(the_last_seat_may_call_the_first)
{
    struct engine_game t;
    engine_game_open(&t, 7, "official");
    struct command command = deal(7, "");
    command.first = 6;
    engine_game_do(&t, command);
    lay_fascist(&t, 3, 5);
    engine_game_do(&t, target(6, 0));
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 0);
}
END_TEST

START_TEST(the_term_limited_may_be_called)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 1);
    ck_assert_uint_eq(t.game.limited_chancellor, 1);
    engine_game_do(&t, target(0, 1));
    /* The caller is limited as chancellor in the special round. */
    assert_seats(engine_game_event(&t, EVENT_ROUND)->seats, "2 3 4 5 6");
}
END_TEST

START_TEST(a_special_government_uses_its_own_power)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 1);
    engine_game_do(&t, target(0, 4));
    lay_fascist(&t, 4, 2);
    engine_game_told(&t, "enacted power");
    assert_seats(game_awaits(&t.game).seats, "4");
    /* The executed: the one who called, with the rotation at their seat. */
    engine_game_do(&t, target(4, 0));
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(a_special_round_that_fails_counts_on_the_tracker)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 3, 1);
    engine_game_do(&t, target(0, 4));
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted round");
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

/* ---- peek ---------------------------------------------------------------- */

START_TEST(a_peek_shows_the_top_three_and_leaves_them)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 0, 2, "FFFLFLFF");
    engine_game_govern(&t, 1, false);
    engine_game_told(&t, "enacted power peeked round");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_PEEKED)->seat, 0);
    assert_pile(engine_game_event(&t, EVENT_PEEKED)->cards, "LFL");
    assert_pile(t.game.draw, "LFLFF");
    ck_assert_uint_eq(t.game.due_power, POWER_NONE);
}
END_TEST

/* ---- execution ----------------------------------------------------------- */

START_TEST(executing_hitler_wins)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 4, 1);
    engine_game_do(&t, target(0, 6));
    engine_game_told(&t, "executed ended");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_EXECUTED)->seat, 0);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_EXECUTED)->target, 6);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->reason,
                      ENDING_HITLER_EXECUTED);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->party, PARTY_LIBERAL);
    ck_assert_uint_eq(t.game.winner, PARTY_LIBERAL);
}
END_TEST

START_TEST(executing_anyone_else_tells_no_role)
{
    for (unsigned seat = 1; seat < 6; seat++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        lay_fascist(&t, 4, 1);
        engine_game_do(&t, target(0, seat));
        engine_game_told(&t, "executed round");
        ck_assert_uint_eq(engine_game_event(&t, EVENT_EXECUTED)->party, 0);
        ck_assert(!seat_in(seat, t.game.living));
    }
}
END_TEST

START_TEST(the_executed_take_no_part)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    lay_fascist(&t, 4, 5);
    engine_game_do(&t, target(0, 1));
    /* The next in line is gone. */
    ck_assert_uint_eq(t.game.president, 2);
    assert_seats(game_eligible(&t.game), "3 4 6");
    engine_game_refuse(&t, nominate(2, 1), REFUSAL_EXECUTED);
    engine_game_do(&t, nominate(2, 3));
    engine_game_refuse(&t, vote(1, true), REFUSAL_EXECUTED);
    ck_assert_uint_eq(game_majority(&t.game), 4);
    engine_game_refuse(&t, vacate(1), REFUSAL_EXECUTED);
    engine_game_refuse(&t, fill(1), REFUSAL_EXECUTED);
}
END_TEST

START_TEST(five_players_come_down_to_three)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    lay_fascist(&t, 4, 1);
    engine_game_do(&t, target(0, 2));
    ck_assert_uint_eq(t.game.president, 1);
    /* Four left, two of them limited. */
    assert_seats(game_eligible(&t.game), "3 4");
    lay_fascist(&t, 5, 3);
    engine_game_do(&t, target(1, 0));
    ck_assert_uint_eq(t.game.president, 3);
    ck_assert_uint_eq(seat_count(t.game.living), 3);
    /* Seats 1, 3 and 4 are left: 1 and 3 enacted last, 3 is the candidate. */
    assert_seats(game_eligible(&t.game), "4");
    ck_assert_uint_eq(game_majority(&t.game), 2);
    engine_game_do(&t, nominate(3, 4));
    engine_game_do(&t, vote(3, false));
    engine_game_do(&t, vote(1, false));
    engine_game_told(&t, "voted election round");
    ck_assert_uint_eq(t.game.president, 4);
    /* Chancellor 3 is limited, so the limit on president 1 falls. */
    assert_seats(game_eligible(&t.game), "1");
    engine_game_board(&t, 0, 5, "LLLLFF");
    engine_game_govern(&t, 1, true);
    ck_assert_uint_eq(t.game.liberal, 1);
}
END_TEST

/* ---- forfeit ------------------------------------------------------------- */

START_TEST(a_power_not_used_in_time_is_forfeited)
{
    static const enum power powers[] = {
        POWER_INVESTIGATE, POWER_SPECIAL_ELECTION, POWER_EXECUTION};
    for (unsigned i = 0; i < 3; i++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        lay_fascist(&t, i + 2, 1);
        engine_game_do(&t, plain(COMMAND_FORFEIT));
        engine_game_told(&t, "forfeited round");
        ck_assert_uint_eq(engine_game_event(&t, EVENT_FORFEITED)->seat, 0);
        ck_assert_uint_eq(engine_game_event(&t, EVENT_FORFEITED)->power,
                          powers[i]);
        ck_assert_uint_eq(t.game.president, 1);
        ck_assert_uint_eq(t.game.due_power, POWER_NONE);
        ck_assert_uint_eq(t.game.living, 0x7f);
        ck_assert_uint_eq(t.game.investigated, 0);
    }
}
END_TEST

START_TEST(without_a_power_there_is_nothing_to_forfeit)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    lay_fascist(&t, 3, 1);
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    engine_game_do(&t, nominate(1, 2));
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/power");
    TCase *any = tcase_create("any power");
    tcase_add_test(any, each_fascist_policy_of_a_government_brings_its_power);
    tcase_add_test(any, a_liberal_policy_brings_none);
    tcase_add_test(any, only_the_president_uses_the_power);
    tcase_add_test(any, a_target_is_another_living_player);
    tcase_add_test(any, a_power_not_used_in_time_is_forfeited);
    tcase_add_test(any, without_a_power_there_is_nothing_to_forfeit);
    suite_add_tcase(suite, any);

    TCase *investigation = tcase_create("investigation");
    tcase_add_test(investigation, an_investigation_tells_the_party);
    tcase_add_test(investigation, nobody_is_investigated_twice);
    tcase_add_test(investigation, the_investigated_may_still_be_executed);
    suite_add_tcase(suite, investigation);

    TCase *special = tcase_create("special election");
    tcase_add_test(special, a_special_election_skips_nobody);
    tcase_add_test(special, the_next_in_line_may_be_candidate_twice_running);
    tcase_add_test(special, the_seat_before_the_caller_may_be_called);
    tcase_add_test(special, the_last_seat_may_call_the_first);
    tcase_add_test(special, the_term_limited_may_be_called);
    tcase_add_test(special, a_special_government_uses_its_own_power);
    tcase_add_test(special, a_special_round_that_fails_counts_on_the_tracker);
    suite_add_tcase(suite, special);

    TCase *peek = tcase_create("peek");
    tcase_add_test(peek, a_peek_shows_the_top_three_and_leaves_them);
    suite_add_tcase(suite, peek);

    TCase *execution = tcase_create("execution");
    tcase_add_test(execution, executing_hitler_wins);
    tcase_add_test(execution, executing_anyone_else_tells_no_role);
    tcase_add_test(execution, the_executed_take_no_part);
    tcase_add_test(execution, five_players_come_down_to_three);
    suite_add_tcase(suite, execution);
    return suite;
}
