#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* ---- vacating and filling ------------------------------------------------ */

START_TEST(a_vacated_seat_is_not_present)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_do(&t, vacate(1));
    engine_game_told(&t, "vacated");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_VACATED)->seat, 1);
    engine_game_do(&t, vacate(2));
    ck_assert_uint_eq(game_majority(&t.game), 3);
    assert_seats(game_present(&t.game), "0 3 4 5 6");
    assert_seats(game_eligible(&t.game), "3 4 5 6");
    engine_game_refuse(&t, nominate(0, 1), REFUSAL_VACANT);
    ck_assert_uint_eq(game_next_candidate(&t.game), 3);
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 3);
}
END_TEST

START_TEST(a_filled_seat_is_present_again)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_do(&t, vacate(1));
    engine_game_do(&t, fill(1));
    engine_game_told(&t, "replaced");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_FILLED)->seat, 1);
    ck_assert_uint_eq(game_majority(&t.game), 4);
    assert_seats(game_eligible(&t.game), "1 2 3 4 5 6");
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(only_a_present_seat_is_vacated)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_execute(&t, 3);
    engine_game_refuse(&t, vacate(5), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, vacate(NO_SEAT), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, vacate(3), REFUSAL_EXECUTED);
    engine_game_do(&t, vacate(1));
    engine_game_refuse(&t, vacate(1), REFUSAL_VACANT);
    engine_game_do(&t, vacate(2));
    engine_game_do(&t, vacate(0));
    engine_game_refuse(&t, vacate(4), REFUSAL_LAST_PRESENT);
}
END_TEST

START_TEST(only_a_vacant_seat_is_filled)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_execute(&t, 3);
    engine_game_refuse(&t, fill(5), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, fill(3), REFUSAL_EXECUTED);
    engine_game_refuse(&t, fill(1), REFUSAL_NOT_VACANT);
    engine_game_do(&t, vacate(1));
    engine_game_do(&t, fill(1));
    engine_game_refuse(&t, fill(1), REFUSAL_NOT_VACANT);
}
END_TEST

START_TEST(an_absent_candidate_is_awaited_until_the_deadline)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_do(&t, vacate(0));
    ck_assert_uint_eq(t.game.president, 0);
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_refuse(&t, nominate(0, 1), REFUSAL_VACANT);
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_NOT_YOUR_TURN);
    struct game before = t.game;
    engine_game_do(&t, fill(0));
    engine_game_do(&t, nominate(0, 1));

    t.game = before;
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_told(&t, "election round");
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(a_lonely_player_is_candidate_again_and_again)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "FLFLFLFL");
    for (unsigned seat = 0; seat < 4; seat++) {
        engine_game_do(&t, vacate(seat));
    }
    engine_game_do(&t, plain(COMMAND_CLOSE));
    for (unsigned i = 0; i < 8; i++) {
        ck_assert_uint_eq(t.game.president, 4);
        ck_assert_uint_eq(game_awaits(&t.game).choices, 0);
        for (unsigned seat = 0; seat < 4; seat++) {
            engine_game_refuse(&t, nominate(4, seat), REFUSAL_VACANT);
        }
        engine_game_do(&t, plain(COMMAND_CLOSE));
        engine_game_reshuffle(&t);
    }
    /* Nine rounds have failed: chaos three times. */
    ck_assert_uint_eq(t.game.liberal + t.game.fascist, 3);
}
END_TEST

START_TEST(the_five_who_are_left_are_the_present)
{
    struct engine_game t;
    engine_game_begin(&t, 6, "official", "LLLFFF");
    engine_game_govern(&t, 2, true);
    assert_seats(game_eligible(&t.game), "3 4 5");
    engine_game_do(&t, vacate(5));
    assert_seats(game_eligible(&t.game), "0 3 4");
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_TERM_LIMITED);
    engine_game_do(&t, fill(5));
    engine_game_refuse(&t, nominate(1, 0), REFUSAL_TERM_LIMITED);
}
END_TEST

START_TEST(the_limit_falls_with_the_last_who_could_be_named)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "LLLFFF");
    engine_game_govern(&t, 2, true);
    assert_seats(game_eligible(&t.game), "3 4");
    engine_game_do(&t, vacate(3));
    assert_seats(game_eligible(&t.game), "4");
    engine_game_do(&t, vacate(4));
    assert_seats(game_eligible(&t.game), "0");
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_TERM_LIMITED);
    struct game before = t.game;
    engine_game_do(&t, nominate(1, 0));

    t.game = before;
    engine_game_do(&t, fill(4));
    engine_game_refuse(&t, nominate(1, 0), REFUSAL_TERM_LIMITED);
    engine_game_do(&t, vacate(4));
    engine_game_do(&t, vacate(0));
    /* The chancellor's limit stays: nobody can be named. */
    ck_assert_uint_eq(game_eligible(&t.game), 0);
}
END_TEST

/* ---- in the middle of a vote --------------------------------------------- */

/* A vote of seven, by seat ('-': not yet cast); then one seat is vacated. */
static const struct {
    const char *closes;
    const char *votes;
    unsigned vacated;
    const char *told;
} vacating[] = {
    /* Three Ja are no majority of six, three Nein neither, but half of it. */
    {"majority", "JJJ----", 6, "vacated"},
    {"majority", "NNN----", 6, "vacated"},
    {"decided", "JJJ----", 6, "vacated"},
    {"decided", "NNN----", 6, "vacated election round"},
    /* The last who had not voted goes. */
    {"majority", "JJJNNN-", 6, "vacated election round"},
    {"decided", "NJJNJ--", 6, "vacated"},
    {"all", "JJJJ---", 6, "vacated"},
    {"all", "JJJJNN-", 6, "vacated election hand"},
    {"all", "JJJNNN-", 6, "vacated election round"},
    /* One goes who has voted: the vote stands. */
    {"all", "JJJN---", 3, "vacated"},
    {"majority", "JJJNN--", 4, "vacated"},
    {"decided", "NNNJ---", 3, "vacated election round"},
};

START_TEST(vacating_a_seat_may_close_the_vote)
{
    struct engine_game t;
    engine_game_open(&t, 7, "play-by-post");
    engine_game_set(&t, "vote_closes", vacating[_i].closes);
    engine_game_do(&t, deal(7, ""));
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 7; seat++) {
        if (vacating[_i].votes[seat] != '-') {
            engine_game_do(&t, vote(seat, vacating[_i].votes[seat] == 'J'));
        }
    }
    engine_game_do(&t, vacate(vacating[_i].vacated));
    engine_game_told(&t, vacating[_i].told);
}
END_TEST

START_TEST(a_second_vacancy_makes_three_ja_a_majority)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 3; seat++) {
        engine_game_do(&t, vote(seat, true));
    }
    engine_game_do(&t, vacate(6));
    engine_game_told(&t, "vacated");
    engine_game_do(&t, vacate(5));
    engine_game_told(&t, "vacated election hand");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->ja, 3);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->nein, 0);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->reason,
                      ELECTION_MAJORITY);
}
END_TEST

START_TEST(a_vote_cast_stands_when_its_seat_is_vacated)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 4; seat++) {
        engine_game_do(&t, vote(seat, true));
        engine_game_do(&t, vacate(seat));
    }
    assert_seats(game_awaits(&t.game).seats, "4 5 6");
    engine_game_do(&t, vote(4, false));
    engine_game_do(&t, vote(5, false));
    engine_game_do(&t, vote(6, false));
    /* Ja and Nein are both more than half of three: elected by the Ja. */
    engine_game_told(&t, "voted election hand");
    const struct event *election = engine_game_event(&t, EVENT_ELECTION);
    ck_assert_uint_eq(election->ja, 4);
    ck_assert_uint_eq(election->nein, 3);
    assert_seats(election->seats, "0 1 2 3");
    /* The new president and chancellor are awaited, absent as they are. */
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_refuse(&t, discard(0, 0), REFUSAL_VACANT);
}
END_TEST

START_TEST(who_takes_the_seat_of_a_voter_does_not_vote_again)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vote(3, false));
    engine_game_do(&t, vacate(3));
    engine_game_refuse(&t, vote(3, true), REFUSAL_VACANT);
    engine_game_do(&t, fill(3));
    engine_game_refuse(&t, vote(3, true), REFUSAL_VOTED_ALREADY);
    assert_seats(game_awaits(&t.game).seats, "0 1 2 4 5 6");
}
END_TEST

START_TEST(who_takes_the_seat_of_one_who_did_not_vote_may)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vacate(3));
    assert_seats(game_awaits(&t.game).seats, "0 1 2 4 5 6");
    engine_game_do(&t, fill(3));
    engine_game_do(&t, vote(3, true));
}
END_TEST

START_TEST(a_vacated_nominee_may_be_elected)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vacate(1));
    engine_game_vote(&t, true);
    engine_game_told(&t, "voted election hand");
    engine_game_do(&t, discard(0, 0));
    engine_game_refuse(&t, enact(1, 0), REFUSAL_VACANT);
    engine_game_do(&t, fill(1));
    engine_game_do(&t, enact(1, 0));
}
END_TEST

START_TEST(hitler_elected_while_vacant_wins_all_the_same)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "FFFF");
    engine_game_do(&t, nominate(0, 6));
    engine_game_do(&t, vacate(6));
    engine_game_vote(&t, true);
    engine_game_told(&t, "voted election ended");
    ck_assert_uint_eq(t.game.ending, ENDING_HITLER_CHANCELLOR);
}
END_TEST

START_TEST(vacating_may_bring_chaos)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_board(&t, 4, 0, "LFFF");
    t.game.tracker = 2;
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 4; seat++) {
        engine_game_do(&t, vote(seat, false));
    }
    engine_game_do(&t, vacate(4));
    engine_game_told(&t, "vacated election enacted ended");
}
END_TEST

/* ---- absent in the session, with a power --------------------------------- */

START_TEST(an_absent_government_waits_for_its_replacements)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 5, "LFFLLLFF");
    engine_game_elect(&t, 1);
    engine_game_do(&t, vacate(0));
    engine_game_do(&t, vacate(1));
    engine_game_refuse(&t, discard(0, 0), REFUSAL_VACANT);
    engine_game_do(&t, fill(0));
    engine_game_do(&t, discard(0, 1));
    engine_game_refuse(&t, enact(1, 0), REFUSAL_VACANT);
    engine_game_refuse(&t, ask_veto(1), REFUSAL_VACANT);
    engine_game_do(&t, fill(1));
    engine_game_do(&t, ask_veto(1));
    engine_game_do(&t, vacate(0));
    engine_game_refuse(&t, answer_veto(0, true), REFUSAL_VACANT);
    assert_seats(game_awaits(&t.game).seats, "0");
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_do(&t, enact(1, 0));
    engine_game_told(&t, "enacted round");
}
END_TEST

START_TEST(lots_may_fall_on_cards)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "LFF");
    engine_game_elect(&t, 1);
    engine_game_refuse(&t, by_lots(discard(1, 0)), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, by_lots(discard(0, 3)), REFUSAL_NO_SUCH_CARD);
    /* Whether its seat is vacant, or its player just stays away. */
    engine_game_do(&t, vacate(0));
    engine_game_do(&t, by_lots(discard(0, 2)));
    engine_game_told(&t, "lots passed");
    const struct event *lots = engine_game_event(&t, EVENT_LOTS);
    ck_assert_uint_eq(lots->seat, 0);
    ck_assert_uint_eq(lots->power, POWER_NONE);
    ck_assert(lots->discarding);
    engine_game_do(&t, by_lots(enact(1, 0)));
    engine_game_told(&t, "lots enacted round");
    lots = engine_game_event(&t, EVENT_LOTS);
    ck_assert_uint_eq(lots->seat, 1);
    ck_assert_uint_eq(lots->power, POWER_NONE);
    ck_assert(!lots->discarding);
}
END_TEST

START_TEST(lots_may_fall_on_targets)
{
    static const struct {
        unsigned nth;
        enum power power;
        const char *told;
    } cases[] = {
        {2, POWER_INVESTIGATE, "lots investigated round"},
        {3, POWER_SPECIAL_ELECTION, "lots special_called round"},
        {4, POWER_EXECUTION, "lots executed round"},
    };
    for (unsigned i = 0; i < 3; i++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        engine_game_board(&t, 0, cases[i].nth - 1, "FFFLLL");
        engine_game_govern(&t, 1, false);
        engine_game_do(&t, vacate(0));
        engine_game_refuse(&t, target(0, 2), REFUSAL_VACANT);
        engine_game_refuse(&t, by_lots(target(2, 3)), REFUSAL_NOT_YOUR_TURN);
        engine_game_refuse(&t, by_lots(target(0, 0)), REFUSAL_SELF);
        engine_game_do(&t, by_lots(target(0, 2)));
        engine_game_told(&t, cases[i].told);
        const struct event *lots = engine_game_event(&t, EVENT_LOTS);
        ck_assert_uint_eq(lots->seat, 0);
        ck_assert_uint_eq(lots->power, cases[i].power);
        ck_assert(!lots->discarding);
    }
}
END_TEST

START_TEST(lots_fall_on_nothing_else)
{
    struct engine_game t;
    engine_game_open(&t, 7, "official");
    engine_game_refuse(&t, by_lots(deal(7, "")), REFUSAL_NO_LOTS);
    engine_game_do(&t, deal(7, ""));
    engine_game_board(&t, 0, 5, "LFFLFF");
    engine_game_refuse(&t, by_lots(nominate(0, 1)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(plain(COMMAND_CLOSE)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(plain(COMMAND_FORFEIT)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(plain(COMMAND_KNOWN)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(plain(COMMAND_ABANDON)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(vacate(1)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(fill(1)), REFUSAL_NO_LOTS);
    engine_game_refuse(&t, by_lots(reshuffle("")), REFUSAL_NO_LOTS);
    engine_game_do(&t, nominate(0, 1));
    engine_game_refuse(&t, by_lots(vote(0, true)), REFUSAL_NO_LOTS);
    engine_game_vote(&t, true);
    engine_game_do(&t, discard(0, 0));
    engine_game_refuse(&t, by_lots(ask_veto(1)), REFUSAL_NO_LOTS);
    engine_game_do(&t, ask_veto(1));
    engine_game_refuse(&t, by_lots(answer_veto(0, true)), REFUSAL_NO_LOTS);
}
END_TEST

START_TEST(a_vacant_seat_may_be_investigated_and_executed)
{
    struct engine_game t;
    engine_game_begin(&t, 10, "official", "");
    engine_game_board(&t, 0, 0, "FFFLLL");
    engine_game_govern(&t, 1, false);
    engine_game_do(&t, vacate(3));
    ck_assert(seat_in(3, game_awaits(&t.game).choices));
    engine_game_do(&t, target(0, 3));
    engine_game_told(&t, "investigated round");

    engine_game_board(&t, 0, 3, "FFFLLL");
    engine_game_govern(&t, 2, false);
    ck_assert(seat_in(3, game_awaits(&t.game).choices));
    engine_game_do(&t, target(1, 3));
    engine_game_told(&t, "executed round");
    ck_assert(!seat_in(3, t.game.living));
    ck_assert(!seat_in(3, t.game.vacant));
    engine_game_refuse(&t, fill(3), REFUSAL_EXECUTED);
}
END_TEST

START_TEST(a_vacant_seat_may_not_be_called)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 2, "FFFLLL");
    engine_game_govern(&t, 1, false);
    engine_game_do(&t, vacate(3));
    assert_seats(game_awaits(&t.game).choices, "1 2 4 5 6");
    engine_game_refuse(&t, target(0, 3), REFUSAL_VACANT);
    engine_game_refuse(&t, by_lots(target(0, 3)), REFUSAL_VACANT);
}
END_TEST

START_TEST(lots_do_not_execute_the_last_who_is_present)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "FFFLLL");
    engine_game_govern(&t, 1, false);
    for (unsigned seat = 0; seat < 6; seat++) {
        engine_game_do(&t, vacate(seat));
    }
    assert_seats(game_awaits(&t.game).choices, "1 2 3 4 5");
    engine_game_refuse(&t, by_lots(target(0, 6)), REFUSAL_LAST_PRESENT);
    engine_game_do(&t, by_lots(target(0, 5)));
    ck_assert_uint_eq(t.game.president, 6);
}
END_TEST

START_TEST(the_caller_may_leave_before_the_rotation_goes_on)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 2, "FFFLLL");
    engine_game_govern(&t, 1, false);
    engine_game_do(&t, target(0, 4));
    engine_game_do(&t, vacate(0));
    engine_game_do(&t, vacate(1));
    engine_game_do(&t, plain(COMMAND_CLOSE));
    ck_assert_uint_eq(t.game.president, 2);
}
END_TEST

START_TEST(seats_come_and_go_while_a_reshuffle_is_due)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 0, "LLLF");
    engine_game_govern(&t, 1, true);
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    engine_game_do(&t, vacate(1));
    engine_game_told(&t, "vacated");
    engine_game_do(&t, vacate(2));
    engine_game_do(&t, fill(2));
    engine_game_reshuffle(&t);
    ck_assert_uint_eq(t.game.president, 2);
}
END_TEST

/* ---- somebody knew ------------------------------------------------------- */

/* Reshuffle the draw pile alone: nothing changes but its order. */
static void
make_known(struct engine_game *t, const char *order)
{
    struct game before = t->game;
    engine_game_do(t, plain(COMMAND_KNOWN));
    engine_game_told(t, "");
    ck_assert_uint_eq(t->game.question, QUESTION_RESHUFFLE);
    struct awaits awaits = game_awaits(&t->game);
    ck_assert_uint_eq(awaits.due_liberal, pile_liberals(before.draw));
    ck_assert_uint_eq(awaits.due_liberal + awaits.due_fascist,
                      before.draw.count);
    engine_game_refuse(t, plain(COMMAND_KNOWN), REFUSAL_NOT_NOW);
    engine_game_refuse(t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
    engine_game_do(t, reshuffle(order));
    engine_game_told(t, "reshuffled");
    assert_pile(t->game.draw, order);
    before.draw = t->game.draw;
    ck_assert_mem_eq(&t->game, &before, sizeof before);
}

START_TEST(a_known_draw_pile_is_reshuffled_alone)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 1, 3, "FFFLLFFF");
    make_known(&t, "LLFFFFFF");
    engine_game_do(&t, nominate(0, 1));
    make_known(&t, "FFFFLLFF");
    engine_game_vote(&t, true);
    ck_assert_uint_eq(t.game.question, QUESTION_DISCARD);
    make_known(&t, "LLFFF");
    engine_game_do(&t, discard(0, 0));
    make_known(&t, "FFFLL");
    engine_game_do(&t, enact(1, 0));
    ck_assert_uint_eq(t.game.question, QUESTION_EXECUTION);
    make_known(&t, "FLFLF");
}
END_TEST

START_TEST(a_known_draw_pile_may_be_short)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 5, "FFFLF");
    engine_game_elect(&t, 1);
    make_known(&t, "FL");
    engine_game_do(&t, discard(0, 0));
    engine_game_do(&t, ask_veto(1));
    make_known(&t, "LF");

    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 5, "FFF");
    engine_game_elect(&t, 1);
    engine_game_refuse(&t, plain(COMMAND_KNOWN), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(a_known_draw_pile_stays_the_same_tiles)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 1, 3, "LFFF");
    engine_game_do(&t, plain(COMMAND_KNOWN));
    engine_game_refuse(&t, reshuffle("FFFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LLFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LFF"), REFUSAL_WRONG_TILES);
    engine_game_refuse(&t, reshuffle("LLLLLFFFFFFFF"), REFUSAL_WRONG_TILES);
    engine_game_do(&t, reshuffle("FFFL"));
}
END_TEST

START_TEST(a_vote_ended_by_a_vacancy_waits_for_the_reshuffle)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "official", "");
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 4; seat++) {
        engine_game_do(&t, vote(seat, true));
    }
    engine_game_do(&t, plain(COMMAND_KNOWN));
    engine_game_do(&t, vacate(4));
    engine_game_told(&t, "vacated");
    engine_game_do(&t, reshuffle("FFFFFFFFFFFLLLLLL"));
    engine_game_told(&t, "reshuffled election hand");
    assert_pile(engine_game_event(&t, EVENT_HAND)->cards, "FFF");
}
END_TEST

/* ---- abandoned ----------------------------------------------------------- */

static void
abandon(struct engine_game t)
{
    engine_game_do(&t, plain(COMMAND_ABANDON));
    engine_game_told(&t, "ended");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->reason,
                      ENDING_ABANDONED);
    ck_assert(game_is_over(&t.game));
    engine_game_refuse(&t, plain(COMMAND_ABANDON), REFUSAL_GAME_OVER);
}

START_TEST(a_game_may_be_abandoned_at_any_time)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    abandon(t);
    engine_game_board(&t, 0, 5, "FFFLL");
    t.game.tracker = 2;
    engine_game_do(&t, nominate(0, 1));
    abandon(t);
    engine_game_vote(&t, true);
    abandon(t);
    engine_game_do(&t, discard(0, 0));
    abandon(t);
    engine_game_do(&t, plain(COMMAND_KNOWN));
    abandon(t);
    engine_game_do(&t, reshuffle("LL"));
    engine_game_do(&t, ask_veto(1));
    abandon(t);
    engine_game_do(&t, answer_veto(0, true));
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    abandon(t);

    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "FFFFF");
    engine_game_govern(&t, 1, false);
    abandon(t);
    engine_game_do(&t, reshuffle("LLLLLLFFFFFFF"));
    abandon(t);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/absence");
    TCase *seats = tcase_create("seats");
    tcase_add_test(seats, a_vacated_seat_is_not_present);
    tcase_add_test(seats, a_filled_seat_is_present_again);
    tcase_add_test(seats, only_a_present_seat_is_vacated);
    tcase_add_test(seats, only_a_vacant_seat_is_filled);
    tcase_add_test(seats, an_absent_candidate_is_awaited_until_the_deadline);
    tcase_add_test(seats, a_lonely_player_is_candidate_again_and_again);
    tcase_add_test(seats, the_five_who_are_left_are_the_present);
    tcase_add_test(seats, the_limit_falls_with_the_last_who_could_be_named);
    suite_add_tcase(suite, seats);

    TCase *voting = tcase_create("vote");
    tcase_add_loop_test(voting, vacating_a_seat_may_close_the_vote, 0,
                        sizeof vacating / sizeof vacating[0]);
    tcase_add_test(voting, a_second_vacancy_makes_three_ja_a_majority);
    tcase_add_test(voting, a_vote_cast_stands_when_its_seat_is_vacated);
    tcase_add_test(voting, who_takes_the_seat_of_a_voter_does_not_vote_again);
    tcase_add_test(voting, who_takes_the_seat_of_one_who_did_not_vote_may);
    tcase_add_test(voting, a_vacated_nominee_may_be_elected);
    tcase_add_test(voting, hitler_elected_while_vacant_wins_all_the_same);
    tcase_add_test(voting, vacating_may_bring_chaos);
    suite_add_tcase(suite, voting);

    TCase *lots = tcase_create("lots");
    tcase_add_test(lots, an_absent_government_waits_for_its_replacements);
    tcase_add_test(lots, lots_may_fall_on_cards);
    tcase_add_test(lots, lots_may_fall_on_targets);
    tcase_add_test(lots, lots_fall_on_nothing_else);
    tcase_add_test(lots, a_vacant_seat_may_be_investigated_and_executed);
    tcase_add_test(lots, a_vacant_seat_may_not_be_called);
    tcase_add_test(lots, lots_do_not_execute_the_last_who_is_present);
    tcase_add_test(lots, the_caller_may_leave_before_the_rotation_goes_on);
    tcase_add_test(lots, seats_come_and_go_while_a_reshuffle_is_due);
    suite_add_tcase(suite, lots);

    TCase *known = tcase_create("known");
    tcase_add_test(known, a_known_draw_pile_is_reshuffled_alone);
    tcase_add_test(known, a_known_draw_pile_may_be_short);
    tcase_add_test(known, a_known_draw_pile_stays_the_same_tiles);
    tcase_add_test(known, a_vote_ended_by_a_vacancy_waits_for_the_reshuffle);
    suite_add_tcase(suite, known);

    TCase *abandoned = tcase_create("abandoned");
    tcase_add_test(abandoned, a_game_may_be_abandoned_at_any_time);
    suite_add_tcase(suite, abandoned);
    return suite;
}
