#include <string.h>

#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* ---- the placard --------------------------------------------------------- */

START_TEST(the_placard_goes_round_in_seat_order)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    for (unsigned round = 1; round <= 12; round++) {
        ck_assert_uint_eq(t.game.round, round);
        ck_assert_uint_eq(t.game.president, (round - 1) % 5);
        ck_assert_uint_eq(game_next_candidate(&t.game), round % 5);
        engine_game_reject(&t);
        engine_game_reshuffle(&t);
    }
}
END_TEST

START_TEST(the_placard_passes_over_the_executed)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_execute(&t, 1);
    engine_game_execute(&t, 2);
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 3);
    assert_seats(engine_game_event(&t, EVENT_ROUND)->seats, "0 4");
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 4);
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 0);
}
END_TEST

START_TEST(a_tie_moves_the_placard_on)
{
    struct engine_game t;
    engine_game_begin(&t, 6, "play-by-post", "");
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 0; seat < 6; seat++) {
        engine_game_do(&t, vote(seat, seat % 2 == 0));
    }
    engine_game_told(&t, "voted election round");
    const struct event *election = engine_game_event(&t, EVENT_ELECTION);
    ck_assert(!election->yes);
    ck_assert_uint_eq(election->ja, 3);
    ck_assert_uint_eq(election->nein, 3);
    ck_assert_uint_eq(election->reason, ELECTION_REJECTED);
    ck_assert_uint_eq(election->tracker, 1);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

/* ---- nomination ---------------------------------------------------------- */

START_TEST(the_candidate_nominates)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_NOMINATE);
    assert_seats(game_awaits(&t.game).seats, "0");
    assert_seats(game_awaits(&t.game).choices, "1 2 3 4 5 6");
    engine_game_do(&t, nominate(0, 4));
    engine_game_told(&t, "nominated");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_NOMINATED)->seat, 0);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_NOMINATED)->target, 4);
    ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_VOTE);
    assert_seats(game_awaits(&t.game).seats, "0 1 2 3 4 5 6");
}
END_TEST

START_TEST(nobody_else_nominates)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_execute(&t, 2);
    engine_game_refuse(&t, nominate(1, 0), REFUSAL_NOT_YOUR_TURN);
    engine_game_refuse(&t, nominate(2, 0), REFUSAL_EXECUTED);
    engine_game_refuse(&t, nominate(7, 0), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, nominate(NO_SEAT, 0), REFUSAL_NO_SUCH_SEAT);
    engine_game_do(&t, nominate(0, 1));
    engine_game_refuse(&t, nominate(0, 3), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(a_nominee_is_another_living_player)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_execute(&t, 2);
    engine_game_refuse(&t, nominate(0, 0), REFUSAL_SELF);
    engine_game_refuse(&t, nominate(0, 2), REFUSAL_EXECUTED);
    engine_game_refuse(&t, nominate(0, 7), REFUSAL_NO_SUCH_SEAT);
    engine_game_refuse(&t, nominate(0, 200), REFUSAL_NO_SUCH_SEAT);
    assert_seats(game_eligible(&t.game), "1 3 4 5 6");
}
END_TEST

START_TEST(who_names_nobody_in_time_has_failed)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_told(&t, "election round");
    const struct event *election = engine_game_event(&t, EVENT_ELECTION);
    ck_assert(!election->yes);
    ck_assert_uint_eq(election->seat, 0);
    ck_assert_uint_eq(election->target, NO_SEAT);
    ck_assert_uint_eq(election->ja, 0);
    ck_assert_uint_eq(election->nein, 0);
    ck_assert_uint_eq(election->reason, ELECTION_DEADLINE);
    ck_assert_uint_eq(election->tracker, 1);
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

/* ---- term limits --------------------------------------------------------- */

START_TEST(the_last_government_is_limited)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "LLL");
    engine_game_govern(&t, 3, true);
    ck_assert_uint_eq(t.game.president, 1);
    assert_seats(game_eligible(&t.game), "2 4 5 6");
    engine_game_refuse(&t, nominate(1, 0), REFUSAL_TERM_LIMITED);
    engine_game_refuse(&t, nominate(1, 3), REFUSAL_TERM_LIMITED);

    /* A rejected government changes nothing. */
    engine_game_reject(&t);
    assert_seats(game_eligible(&t.game), "1 4 5 6");

    /* The next one takes the place of the last. */
    engine_game_govern(&t, 4, true);
    assert_seats(game_eligible(&t.game), "0 1 5 6");
}
END_TEST

START_TEST(the_limited_may_be_candidates)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "LLL");
    engine_game_govern(&t, 1, true);
    ck_assert_uint_eq(t.game.president, 1);
    engine_game_do(&t, nominate(1, 2));
}
END_TEST

/* Two governments, the second of which vetoes: whom does that leave limited? */
static void
veto_after_a_government(struct engine_game *t, const char *term_limit)
{
    engine_game_open(t, 7, "official");
    engine_game_set(t, "term_limit", term_limit);
    engine_game_do(t, deal(7, ""));
    engine_game_board(t, 0, 5, "LLLLLLFFF");
    engine_game_govern(t, 4, true);
    engine_game_elect(t, 5);
    engine_game_do(t, discard(1, 0));
    engine_game_do(t, ask_veto(5));
    engine_game_do(t, answer_veto(1, true));
    ck_assert_uint_eq(t->game.president, 2);
}

START_TEST(a_veto_leaves_the_limit_of_the_last_that_enacted)
{
    struct engine_game t;
    veto_after_a_government(&t, "last_enacted");
    assert_seats(game_eligible(&t.game), "1 3 5 6");
}
END_TEST

START_TEST(a_veto_limits_the_last_that_was_elected)
{
    struct engine_game t;
    veto_after_a_government(&t, "last_elected");
    assert_seats(game_eligible(&t.game), "0 3 4 6");
}
END_TEST

START_TEST(the_limit_of_the_elected_holds_from_the_election_on)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_elect(&t, 3);
    ck_assert_uint_eq(t.game.limited_president, 0);
    ck_assert_uint_eq(t.game.limited_chancellor, 3);
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_elect(&t, 3);
    ck_assert_uint_eq(t.game.limited_president, NO_SEAT);
    ck_assert_uint_eq(t.game.limited_chancellor, NO_SEAT);
}
END_TEST

START_TEST(when_the_president_is_limited_is_an_option)
{
    static const struct {
        const char *limit;
        unsigned players;
        unsigned executed; /* from seat 1 on */
        bool limited;
    } cases[] = {
        {"always", 5, 0, true},
        {"always", 7, 2, true},
        {"over_five_living", 5, 0, false},
        {"over_five_living", 6, 0, true},
        {"over_five_living", 6, 1, false},
        {"over_five_living", 7, 1, true},
        {"over_five_living", 7, 2, false},
        {"over_six_seated", 6, 0, false},
        {"over_six_seated", 6, 1, false},
        {"over_six_seated", 7, 0, true},
        {"over_six_seated", 7, 2, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_game t;
        unsigned players = cases[i].players;
        engine_game_open(&t, players, "play-by-post");
        engine_game_set(&t, "president_term_limit", cases[i].limit);
        engine_game_do(&t, deal(players, "LLLLLL"));
        engine_game_govern(&t, players - 1, true);
        for (unsigned j = 0; j < cases[i].executed; j++) {
            engine_game_execute(&t, j + 2);
        }
        ck_assert_uint_eq(t.game.president, 1);
        ck_assert_int_eq(seat_in(0, game_eligible(&t.game)), !cases[i].limited);
        ck_assert(!seat_in(players - 1, game_eligible(&t.game)));
        if (cases[i].limited) {
            engine_game_refuse(&t, nominate(1, 0), REFUSAL_TERM_LIMITED);
        } else {
            engine_game_do(&t, nominate(1, 0));
        }
    }
}
END_TEST

START_TEST(with_nobody_else_left_the_former_president_may_be_nominated)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "LLLLLL");
    engine_game_execute(&t, 1);
    engine_game_execute(&t, 3);
    engine_game_govern(&t, 4, true);
    ck_assert_uint_eq(t.game.president, 2);
    assert_seats(engine_game_event(&t, EVENT_ROUND)->seats, "0");
    engine_game_refuse(&t, nominate(2, 4), REFUSAL_TERM_LIMITED);
    engine_game_do(&t, nominate(2, 0));
}
END_TEST

START_TEST(with_somebody_left_the_former_president_stays_limited)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "LLLLLL");
    engine_game_execute(&t, 1);
    engine_game_govern(&t, 4, true);
    ck_assert_uint_eq(t.game.president, 2);
    assert_seats(game_eligible(&t.game), "3");
    engine_game_refuse(&t, nominate(2, 0), REFUSAL_TERM_LIMITED);
}
END_TEST

START_TEST(chaos_forgets_the_limits)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "LLL");
    engine_game_govern(&t, 3, true);
    engine_game_reject(&t);
    engine_game_reject(&t);
    assert_seats(game_eligible(&t.game), "1 2 4 5 6");
    engine_game_reject(&t);
    ck_assert_uint_eq(t.game.president, 4);
    assert_seats(engine_game_event(&t, EVENT_ROUND)->seats, "0 1 2 3 5 6");
    /* Until the next government. */
    engine_game_reject(&t);
    assert_seats(game_eligible(&t.game), "0 1 2 3 4 6");
    engine_game_govern(&t, 0, true);
    assert_seats(game_eligible(&t.game), "1 2 3 4");
}
END_TEST

/* ---- votes --------------------------------------------------------------- */

START_TEST(every_player_votes_once)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_execute(&t, 2);
    engine_game_refuse(&t, vote(1, true), REFUSAL_NOT_NOW);
    engine_game_do(&t, nominate(0, 1));
    engine_game_refuse(&t, vote(2, true), REFUSAL_EXECUTED);
    engine_game_refuse(&t, vote(7, true), REFUSAL_NO_SUCH_SEAT);
    engine_game_do(&t, vote(0, true));
    engine_game_told(&t, "voted");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_VOTED)->seat, 0);
    ck_assert(engine_game_event(&t, EVENT_VOTED)->yes);
    engine_game_refuse(&t, vote(0, true), REFUSAL_VOTED_ALREADY);
    engine_game_refuse(&t, vote(0, false), REFUSAL_VOTED_ALREADY);
    engine_game_do(&t, vote(1, false));
    ck_assert(!engine_game_event(&t, EVENT_VOTED)->yes);
    assert_seats(game_awaits(&t.game).seats, "3 4 5 6");
    assert_seats(t.game.ja, "0");
    assert_seats(t.game.voted, "0 1");
}
END_TEST

START_TEST(the_election_tells_who_voted_what)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_do(&t, nominate(0, 1));
    for (unsigned seat = 7; seat-- > 0;) {
        engine_game_do(&t, vote(seat, seat != 2 && seat != 6));
    }
    engine_game_told(&t, "voted election hand");
    const struct event *election = engine_game_event(&t, EVENT_ELECTION);
    ck_assert(election->yes);
    ck_assert_uint_eq(election->seat, 0);
    ck_assert_uint_eq(election->target, 1);
    ck_assert_uint_eq(election->ja, 5);
    ck_assert_uint_eq(election->nein, 2);
    assert_seats(election->seats, "0 1 3 4 5");
    assert_seats(election->against, "2 6");
    /* The next round begins with no votes. */
    engine_game_do(&t, discard(0, 0));
    engine_game_do(&t, enact(1, 0));
    ck_assert_uint_eq(t.game.voted, 0);
    ck_assert_uint_eq(t.game.ja, 0);
}
END_TEST

START_TEST(a_majority_is_more_than_half_of_the_present)
{
    static const unsigned majority[] = {3, 4, 4, 5, 5, 6};
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct engine_game t;
        engine_game_begin(&t, players, "play-by-post", "");
        ck_assert_uint_eq(game_majority(&t.game),
                          majority[players - PLAYERS_MIN]);
    }
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_execute(&t, 1);
    ck_assert_uint_eq(game_majority(&t.game), 3);
    engine_game_execute(&t, 2);
    ck_assert_uint_eq(game_majority(&t.game), 2);
}
END_TEST

/* Votes as they are cast, in seat order. */
static const struct {
    const char *closes;
    unsigned players;
    const char *votes;
    bool open; /* they do not close the vote: the deadline does */
    bool elected;
    enum election_reason reason;
} votes[] = {
    {"majority", 7, "JJJJ", false, true, ELECTION_MAJORITY},
    {"majority", 7, "NJJNJJ", false, true, ELECTION_MAJORITY},
    {"majority", 7, "NNNN", false, false, ELECTION_REJECTED},
    {"majority", 6, "NNN", true, false, ELECTION_REJECTED},
    {"majority", 6, "NNNJJ", true, false, ELECTION_REJECTED},
    {"majority", 6, "NNNJJJ", false, false, ELECTION_REJECTED},
    {"majority", 6, "NNNJN", false, false, ELECTION_REJECTED},
    {"majority", 6, "JJJ", true, false, ELECTION_DEADLINE},
    {"majority", 6, "JJJJ", false, true, ELECTION_MAJORITY},
    {"majority", 7, "JJJNNN", true, false, ELECTION_DEADLINE},
    {"majority", 7, "", true, false, ELECTION_DEADLINE},
    {"majority", 10, "JJJJJNNNN", true, false, ELECTION_DEADLINE},
    {"majority", 10, "JJJJJNNNNN", false, false, ELECTION_REJECTED},
    {"decided", 6, "NNN", false, false, ELECTION_REJECTED},
    {"decided", 6, "NN", true, false, ELECTION_DEADLINE},
    {"decided", 6, "JJJNN", true, false, ELECTION_DEADLINE},
    {"decided", 6, "JJJNNN", false, false, ELECTION_REJECTED},
    {"decided", 7, "NNN", true, false, ELECTION_DEADLINE},
    {"decided", 7, "NNNN", false, false, ELECTION_REJECTED},
    {"decided", 7, "JJJJ", false, true, ELECTION_MAJORITY},
    {"all", 5, "JJJJJ", false, true, ELECTION_MAJORITY},
    {"all", 5, "JJJ", true, true, ELECTION_MAJORITY},
    {"all", 5, "NNNN", true, false, ELECTION_REJECTED},
    {"all", 5, "NNNNN", false, false, ELECTION_REJECTED},
    {"all", 5, "JJNN", true, false, ELECTION_DEADLINE},
    {"all", 6, "NNN", true, false, ELECTION_REJECTED},
    {"all", 6, "JJJNNN", false, false, ELECTION_REJECTED},
};

/* Is the vote still open after one more, Ja or Nein, by any seat that is due?
 */
static bool
stays_open(const struct game *game)
{
    seat_set due =
        game->question == QUESTION_VOTE ? game_awaits(game).seats : 0;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        for (int ja = 0; seat_in(seat, due) && ja < 2; ja++) {
            struct game tried = *game;
            struct events events;
            struct command command = vote(seat, ja != 0);
            ck_assert_int_eq(game_step(&tried, &command, &events),
                             REFUSAL_NONE);
            if (tried.question != QUESTION_VOTE) {
                return false;
            }
        }
    }
    return game->question == QUESTION_VOTE;
}

START_TEST(a_vote_closes_by_the_option_or_at_the_deadline)
{
    struct engine_game t;
    engine_game_open(&t, votes[_i].players, "play-by-post");
    engine_game_set(&t, "vote_closes", votes[_i].closes);
    engine_game_do(&t, deal(votes[_i].players, ""));
    engine_game_do(&t, nominate(0, 1));
    unsigned ja = 0;
    unsigned nein = 0;
    for (const char *word = votes[_i].votes; *word != '\0'; word++) {
        ck_assert_uint_eq(t.game.question, QUESTION_VOTE);
        ck_assert(game_vote_goes_on(&t.game) == stays_open(&t.game));
        engine_game_do(&t, vote(ja + nein, *word == 'J'));
        ja += *word == 'J' ? 1 : 0;
        nein += *word == 'J' ? 0 : 1;
    }
    ck_assert_int_eq(t.game.question == QUESTION_VOTE, votes[_i].open);
    ck_assert(game_vote_goes_on(&t.game) == stays_open(&t.game));
    if (votes[_i].open) {
        engine_game_do(&t, plain(COMMAND_CLOSE));
    }
    const struct event *election = engine_game_event(&t, EVENT_ELECTION);
    ck_assert_int_eq(election->yes, votes[_i].elected);
    ck_assert_uint_eq(election->reason, votes[_i].reason);
    ck_assert_uint_eq(election->ja, ja);
    ck_assert_uint_eq(election->nein, nein);
    ck_assert_uint_eq(t.game.question,
                      votes[_i].elected ? QUESTION_DISCARD : QUESTION_NOMINATE);
}
END_TEST

START_TEST(a_late_vote_never_counts)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_do(&t, nominate(0, 1));
    engine_game_do(&t, vote(0, true));
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_refuse(&t, vote(1, true), REFUSAL_NOT_NOW);
    engine_game_elect(&t, 2);
    engine_game_refuse(&t, vote(4, true), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(the_ballot_is_no_business_of_the_count)
{
    struct engine_game open;
    struct engine_game sealed;
    engine_game_begin(&open, 7, "play-by-post", "");
    engine_game_open(&sealed, 7, "play-by-post");
    engine_game_set(&sealed, "ballot", "sealed");
    engine_game_do(&sealed, deal(7, ""));
    engine_game_elect(&open, 2);
    engine_game_elect(&sealed, 2);
    sealed.game.rules = open.game.rules;
    ck_assert_mem_eq(&open.game, &sealed.game, sizeof open.game);
}
END_TEST

/* ---- Hitler as chancellor ------------------------------------------------ */

START_TEST(hitler_elected_after_three_fascist_policies_wins)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "FFFF");
    t.game.tracker = 1;
    engine_game_elect(&t, 6);
    engine_game_told(&t, "voted election ended");
    ck_assert(engine_game_event(&t, EVENT_ELECTION)->yes);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->reason,
                      ENDING_HITLER_CHANCELLOR);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ENDED)->party, PARTY_FASCIST);
    ck_assert(game_is_over(&t.game));
    ck_assert_uint_eq(t.game.winner, PARTY_FASCIST);
    engine_game_refuse(&t, nominate(1, 2), REFUSAL_GAME_OVER);
    engine_game_refuse(&t, plain(COMMAND_ABANDON), REFUSAL_GAME_OVER);
    engine_game_refuse(&t, vacate(2), REFUSAL_GAME_OVER);
    ck_assert_uint_eq(game_awaits(&t.game).question, QUESTION_NONE);
    ck_assert_uint_eq(game_awaits(&t.game).seats, 0);
}
END_TEST

START_TEST(hitler_elected_after_two_fascist_policies_governs)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 4, 2, "FFFF");
    engine_game_elect(&t, 6);
    engine_game_told(&t, "voted election hand");
    /* The third comes in this session: too late for it. */
    engine_game_do(&t, discard(0, 0));
    engine_game_do(&t, enact(6, 0));
    ck_assert(!game_is_over(&t.game));
    ck_assert_uint_eq(t.game.fascist, 3);
}
END_TEST

START_TEST(a_chancellor_after_three_fascist_policies_is_cleared)
{
    for (unsigned fascist = 3; fascist <= 5; fascist++) {
        struct engine_game t;
        engine_game_begin(&t, 7, "official", "");
        engine_game_board(&t, 0, fascist, "FFFF");
        engine_game_elect(&t, 5);
        engine_game_told(&t, "voted election cleared hand");
        ck_assert_uint_eq(engine_game_event(&t, EVENT_CLEARED)->seat, 5);
    }
}
END_TEST

START_TEST(hitler_may_be_president)
{
    struct engine_game t;
    engine_game_open(&t, 7, "official");
    struct command command = deal(7, "");
    command.first = 6;
    engine_game_do(&t, command);
    engine_game_board(&t, 0, 3, "FFFF");
    engine_game_elect(&t, 5);
    engine_game_told(&t, "voted election cleared hand");
}
END_TEST

START_TEST(hitler_rejected_as_chancellor_does_not_win)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_board(&t, 0, 3, "FFFF");
    engine_game_do(&t, nominate(0, 6));
    engine_game_vote(&t, false);
    engine_game_told(&t, "voted election round");
}
END_TEST

/* ---- the tracker and chaos ----------------------------------------------- */

START_TEST(the_third_failure_in_a_row_is_chaos)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "LFL");
    engine_game_reject(&t);
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->tracker, 1);
    engine_game_do(&t, plain(COMMAND_CLOSE));
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->tracker, 2);
    engine_game_do(&t, nominate(2, 0));
    engine_game_do(&t, plain(COMMAND_CLOSE));
    engine_game_told(&t, "election enacted round");
    ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->tracker, 3);
    const struct event *enacted = engine_game_event(&t, EVENT_ENACTED);
    ck_assert(enacted->by_chaos);
    ck_assert(enacted->is_liberal);
    ck_assert_uint_eq(enacted->seat, NO_SEAT);
    ck_assert_uint_eq(enacted->target, NO_SEAT);
    ck_assert_uint_eq(enacted->liberal, 1);
    ck_assert_uint_eq(enacted->fascist, 0);
    ck_assert_uint_eq(enacted->tracker, 0);
    ck_assert_uint_eq(t.game.tracker, 0);
    ck_assert_uint_eq(t.game.draw.count, 16);
    ck_assert(!pile_is_liberal(t.game.draw, 0));
}
END_TEST

START_TEST(a_fascist_policy_of_chaos_grants_no_power)
{
    for (unsigned fascist = 0; fascist <= 4; fascist++) {
        struct engine_game t;
        engine_game_begin(&t, 9, "play-by-post", "");
        engine_game_board(&t, 0, fascist, "FLLL");
        t.game.tracker = 2;
        engine_game_reject(&t);
        engine_game_told(&t, "voted election enacted round");
        ck_assert_uint_eq(t.game.fascist, fascist + 1);
        ck_assert_uint_eq(t.game.due_power, POWER_NONE);
    }
}
END_TEST

START_TEST(chaos_may_enact_the_fifth_liberal_policy)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_board(&t, 4, 5, "LFF");
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted ended");
    ck_assert_uint_eq(t.game.ending, ENDING_FIVE_LIBERAL);
    ck_assert_uint_eq(t.game.winner, PARTY_LIBERAL);
}
END_TEST

START_TEST(chaos_may_enact_the_sixth_fascist_policy)
{
    struct engine_game t;
    engine_game_begin(&t, 5, "play-by-post", "");
    engine_game_board(&t, 4, 5, "FLL");
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted ended");
    ck_assert_uint_eq(t.game.ending, ENDING_SIX_FASCIST);
    ck_assert_uint_eq(t.game.winner, PARTY_FASCIST);
}
END_TEST

START_TEST(after_chaos_a_deck_of_two_is_reshuffled)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_board(&t, 2, 1, "FFL");
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted");
    ck_assert_uint_eq(t.game.question, QUESTION_RESHUFFLE);
    ck_assert_uint_eq(game_awaits(&t.game).due_liberal, 4);
    ck_assert_uint_eq(game_awaits(&t.game).due_fascist, 9);
    engine_game_do(&t, reshuffle("FFFFFFFFFLLLL"));
    engine_game_told(&t, "reshuffled round");
    ck_assert_uint_eq(t.game.president, 1);
}
END_TEST

START_TEST(after_chaos_a_deck_of_three_stays)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    engine_game_board(&t, 2, 1, "FFLF");
    t.game.tracker = 2;
    engine_game_reject(&t);
    engine_game_told(&t, "voted election enacted round");
    assert_pile(t.game.draw, "FLF");
}
END_TEST

START_TEST(an_election_resets_the_tracker_by_the_option)
{
    static const struct {
        const char *on;
        unsigned elected; /* the tracker once a government is elected */
    } cases[] = {{"election", 0}, {"policy", 2}};
    for (unsigned i = 0; i < 2; i++) {
        struct engine_game t;
        engine_game_open(&t, 7, "official");
        engine_game_set(&t, "tracker_resets_on", cases[i].on);
        engine_game_do(&t, deal(7, ""));
        engine_game_reject(&t);
        engine_game_reject(&t);
        engine_game_elect(&t, 0);
        ck_assert_uint_eq(engine_game_event(&t, EVENT_ELECTION)->tracker,
                          cases[i].elected);
        engine_game_do(&t, discard(2, 0));
        engine_game_do(&t, enact(0, 0));
        ck_assert_uint_eq(engine_game_event(&t, EVENT_ENACTED)->tracker, 0);
        ck_assert_uint_eq(t.game.tracker, 0);
    }
}
END_TEST

START_TEST(nothing_but_an_election_or_a_veto_is_closed)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "official", "");
    engine_game_elect(&t, 1);
    engine_game_refuse(&t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
    engine_game_do(&t, discard(0, 0));
    engine_game_refuse(&t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/election");
    TCase *placard = tcase_create("placard");
    tcase_add_test(placard, the_placard_goes_round_in_seat_order);
    tcase_add_test(placard, the_placard_passes_over_the_executed);
    tcase_add_test(placard, a_tie_moves_the_placard_on);
    suite_add_tcase(suite, placard);

    TCase *nomination = tcase_create("nomination");
    tcase_add_test(nomination, the_candidate_nominates);
    tcase_add_test(nomination, nobody_else_nominates);
    tcase_add_test(nomination, a_nominee_is_another_living_player);
    tcase_add_test(nomination, who_names_nobody_in_time_has_failed);
    suite_add_tcase(suite, nomination);

    TCase *limits = tcase_create("term limits");
    tcase_add_test(limits, the_last_government_is_limited);
    tcase_add_test(limits, the_limited_may_be_candidates);
    tcase_add_test(limits, a_veto_leaves_the_limit_of_the_last_that_enacted);
    tcase_add_test(limits, a_veto_limits_the_last_that_was_elected);
    tcase_add_test(limits, the_limit_of_the_elected_holds_from_the_election_on);
    tcase_add_test(limits, when_the_president_is_limited_is_an_option);
    tcase_add_test(limits,
                   with_nobody_else_left_the_former_president_may_be_nominated);
    tcase_add_test(limits,
                   with_somebody_left_the_former_president_stays_limited);
    tcase_add_test(limits, chaos_forgets_the_limits);
    suite_add_tcase(suite, limits);

    TCase *voting = tcase_create("votes");
    tcase_add_test(voting, every_player_votes_once);
    tcase_add_test(voting, the_election_tells_who_voted_what);
    tcase_add_test(voting, a_majority_is_more_than_half_of_the_present);
    tcase_add_loop_test(voting, a_vote_closes_by_the_option_or_at_the_deadline,
                        0, sizeof votes / sizeof votes[0]);
    tcase_add_test(voting, a_late_vote_never_counts);
    tcase_add_test(voting, the_ballot_is_no_business_of_the_count);
    suite_add_tcase(suite, voting);

    TCase *hitler = tcase_create("Hitler");
    tcase_add_test(hitler, hitler_elected_after_three_fascist_policies_wins);
    tcase_add_test(hitler, hitler_elected_after_two_fascist_policies_governs);
    tcase_add_test(hitler,
                   a_chancellor_after_three_fascist_policies_is_cleared);
    tcase_add_test(hitler, hitler_may_be_president);
    tcase_add_test(hitler, hitler_rejected_as_chancellor_does_not_win);
    suite_add_tcase(suite, hitler);

    TCase *tracker = tcase_create("tracker");
    tcase_add_test(tracker, the_third_failure_in_a_row_is_chaos);
    tcase_add_test(tracker, a_fascist_policy_of_chaos_grants_no_power);
    tcase_add_test(tracker, chaos_may_enact_the_fifth_liberal_policy);
    tcase_add_test(tracker, chaos_may_enact_the_sixth_fascist_policy);
    tcase_add_test(tracker, after_chaos_a_deck_of_two_is_reshuffled);
    tcase_add_test(tracker, after_chaos_a_deck_of_three_stays);
    tcase_add_test(tracker, an_election_resets_the_tracker_by_the_option);
    tcase_add_test(tracker, nothing_but_an_election_or_a_veto_is_closed);
    suite_add_tcase(suite, tracker);
    return suite;
}
