/*
 * The verifier: each rule of the game is named where it is broken.
 */
#include <string.h>

#include <check.h>

#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"
#include "tests/support/verdicts.h"

static const struct record_line noted = {.kind = RECORD_NOTED, .text = "so"};

/* ---- every rule by its name ---------------------------------------------- */

START_TEST(an_untouched_scripted_is_legal)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 5);
    assert_legal(scripted_game(scripted));
    scripted_end(scripted);
}
END_TEST

START_TEST(a_vacant_candidate_names_nobody)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_do(scripted, nominate(0, 1));
    struct record_game *game = scripted_game(scripted);
    insert(game, line_of(game, EVENT_NOMINATED, 1),
           (struct record_line){.kind = EVENT_VACATED,
                                .event = {.kind = EVENT_VACATED, .seat = 0}});
    assert_broken(game, 5, "Words");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_vacant_president_discards_by_lots_alone)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_elected(scripted, 1);
    scripted_do(scripted, vacate(0));
    scripted_do(scripted, by_lots(discard(0, 0)));
    struct record_game *game = scripted_game(scripted);
    assert_legal(game);
    unsigned seq = line_of(game, EVENT_LOTS, 1)->seq;
    drop(game, line_of(game, EVENT_LOTS, 1));
    assert_broken(game, seq, "Words");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_vacant_seat_is_not_vacated_again)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_do(scripted, vacate(3));
    scripted_do(scripted, vacate(4));
    struct record_game *game = scripted_game(scripted);
    line_of(game, EVENT_VACATED, 2)->event.seat = 3;
    assert_broken(game, 5, "Words");
    scripted_end(scripted);
}
END_TEST

START_TEST(as_many_fascists_are_dealt_as_there_must_be)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    struct record_game *game = scripted_game(scripted);
    line_of(game, EVENT_DEALT, 1)->event.seats = seat_bit(0);
    assert_broken(game, 2, "Set-up");
    line_of(game, EVENT_DEALT, 1)->event.seats = seat_bit(0) | seat_bit(1);
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(the_deck_has_six_liberal_policies)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    struct record_game *game = scripted_game(scripted);
    line_of(game, EVENT_DEALT, 1)->event.cards.liberal ^= 1;
    assert_broken(game, 2, "Set-up");
    scripted_end(scripted);
}
END_TEST

START_TEST(nothing_is_played_before_the_deal)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    struct record_game *game = scripted_game(scripted);
    drop(game, line_of(game, EVENT_DEALT, 1));
    assert_broken(game, 2, "Set-up");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_power_is_the_one_of_its_space)
{
    struct scripted *scripted = scripted_begin(9, "play-by-post", "FFF");
    scripted_policy(scripted, 1, false);
    struct record_game *game = scripted_game(scripted);
    struct record_line *power = line_of(game, EVENT_POWER, 1);
    power->event.power = POWER_PEEK;
    assert_broken(game, power->seq, "Set-up");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_candidate_is_the_next_in_order)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 2);
    round->event.seat = 2;
    round->event.seats = 0x7B;
    assert_broken(game, round->seq, "Election 1");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_first_candidate_may_be_anybody)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 1);
    round->event.seat = 5;
    round->event.seats = 0x5F;
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(rounds_are_counted)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 2);
    round->event.round = 3;
    assert_broken(game, round->seq, "record: round");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_limited_player_is_not_nominated)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_policy(scripted, 3, false);
    scripted_do(scripted, nominate(1, 2));
    struct record_game *game = scripted_game(scripted);
    struct record_line *nominated = line_of(game, EVENT_NOMINATED, 2);
    nominated->event.target = 0;
    assert_broken(game, nominated->seq, "Election 2");
    nominated->event.target = 3;
    assert_broken(game, nominated->seq, "Election 2");
    nominated->event.target = 1;
    assert_broken(game, nominated->seq, "Election 2");
    nominated->event.target = 4;
    assert_legal(game);
    nominated->event.seat = 2;
    assert_broken(game, nominated->seq, "Election 2");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_eligible_are_all_of_them_and_nobody_else)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_policy(scripted, 3, false);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 2);
    for (unsigned seat = 0; seat < 7; seat++) {
        round->event.seats ^= seat_bit(seat);
        assert_broken(game, round->seq, "Election 2");
        round->event.seats ^= seat_bit(seat);
    }
    scripted_end(scripted);
}
END_TEST

START_TEST(the_options_decide_and_not_the_preset)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_policy(scripted, 3, false);
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    strcpy(game->preset, "play-by-post");
    assert_legal(game);
    strcpy(game->preset, "official");
    game->rules.vote_closes = VOTE_CLOSES_MAJORITY;
    assert_broken(game, 9, "Election 3");
    scripted_end(scripted);
}
END_TEST

/* A game of six under both house rules. */
static struct scripted *
under_house_rules(void)
{
    struct scripted *scripted = scripted_begin(6, "official", scripted_deck);
    scripted->engine.game.rules.tie_elects_hitler = HOUSE_RULE_ON;
    scripted->engine.game.rules.chaos_power = HOUSE_RULE_ON;
    return scripted;
}

static struct record_game *
house_game(struct scripted *scripted)
{
    struct record_game *game = scripted_game(scripted);
    game->rules.tie_elects_hitler = HOUSE_RULE_ON;
    game->rules.chaos_power = HOUSE_RULE_ON;
    return game;
}

START_TEST(a_tie_on_hitler_elects_by_the_house_rule_alone)
{
    struct scripted *scripted = under_house_rules();
    scripted_fascist(scripted, 3);
    scripted_do(scripted, nominate(3, 5));
    for (unsigned seat = 0; seat < 6; seat++) {
        scripted_do(scripted, vote(seat, seat < 3));
    }
    struct record_game *game = house_game(scripted);
    struct record_line *election = line_of(game, EVENT_ELECTION, 0);
    struct record_line right = *election;
    unsigned seq = election->seq;
    ck_assert_uint_eq(right.event.reason, ELECTION_TIE);
    assert_legal(game);
    election->event.reason = ELECTION_MAJORITY;
    assert_broken(game, seq, "Election 3");
    *election = right;
    election->event.yes = false;
    assert_broken(game, seq, "Election 3");
    *election = right;
    /* Of anybody else a tie fails. */
    line_of(game, EVENT_NOMINATED, 0)->event.target = 4;
    assert_broken(game, seq, "Election 3");
    line_of(game, EVENT_NOMINATED, 0)->event.target = 5;
    game->rules.tie_elects_hitler = HOUSE_RULE_OFF;
    assert_broken(game, seq, "Election 3");
    scripted_end(scripted);
}
END_TEST

/* Three times in a row nobody is elected, and a fascist policy lies on top. */
START_TEST(chaos_brings_a_power_by_the_house_rule_alone)
{
    struct scripted *scripted = under_house_rules();
    scripted_fascist(scripted, 2);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    struct record_game *game = house_game(scripted);
    struct record_line *power = line_of(game, EVENT_POWER, 1);
    unsigned seq = power->seq;
    ck_assert_uint_eq(power->event.power, POWER_PEEK);
    ck_assert_uint_eq(power->event.seat, 4);
    assert_legal(game);
    power->event.seat = 5;
    assert_broken(game, seq, "Executive action");
    power->event.seat = 4;
    game->rules.chaos_power = HOUSE_RULE_OFF;
    assert_broken(game, seq, "Legislative session 5");
    scripted_end(scripted);
}
END_TEST

START_TEST(seat_1_begins_by_the_house_rule_alone)
{
    struct scripted *scripted = under_house_rules();
    scripted_rejected(scripted);
    struct record_game *game = house_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 1);
    game->rules.first = FIRST_SEAT_1;
    assert_legal(game);
    round->event.seat = 1;
    assert_broken(game, round->seq, "Election 1");
    game->rules.first = FIRST_LOT; /* now only the eligible are wrong */
    assert_broken(game, round->seq, "Election 2");
    scripted_end(scripted);
}
END_TEST

/* After a limit has fallen for the round it does not come back with a player.
 */
START_TEST(a_limit_that_fell_has_fallen_for_the_round)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "LLLFFF");
    scripted_policy(scripted, 2, true);
    scripted_do(scripted, vacate(3));
    scripted_do(scripted, vacate(4));
    engine_game_do(&scripted->engine, fill(4));
    scripted_write(scripted, (struct record_line){
                                 .kind = EVENT_FILLED, .out = "E", .in = "E"});
    scripted_do(scripted, nominate(1, 4));
    struct record_game *game = scripted_game(scripted);
    assert_legal(game);
    struct record_line *nominated = line_of(game, EVENT_NOMINATED, 0);
    nominated->event.target = 0;
    assert_legal(game);
    nominated->event.target = 2;
    assert_broken(game, nominated->seq, "Election 2");
    scripted_end(scripted);
}
END_TEST

START_TEST(nobody_votes_twice)
{
    struct scripted *scripted = scripted_begin(7, "official", "");
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    line_of(game, EVENT_VOTED, 4)->event.seat = 1;
    assert_broken(game, 8, "Election 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(nobody_votes_once_the_vote_has_closed)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_elected(scripted, 1);
    struct record_game *game = scripted_game(scripted);
    struct record_line late = *line_of(game, EVENT_VOTED, 1);
    late.event.seat = 6;
    insert(game, line_of(game, EVENT_ELECTION, 1), late);
    assert_broken(game, 9, "Election 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_executed_have_no_vote)
{
    struct scripted *scripted = scripted_begin(5, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_elected(scripted, scripted_nominee(scripted));
    scripted_session(scripted, false);
    scripted_do(scripted, target(3, 2));
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    assert_legal(game);
    struct record_line *voted = line_of(game, EVENT_VOTED, 0);
    voted->event.seat = 2;
    assert_broken(game, voted->seq, "Election 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(votes_are_counted_right)
{
    struct scripted *scripted = scripted_begin(7, "official", "");
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *election = line_of(game, EVENT_ELECTION, 1);
    struct record_line right = *election;
    election->event.ja = 1;
    assert_broken(game, election->seq, "Election 3");
    *election = right;
    election->event.nein = 6;
    assert_broken(game, election->seq, "Election 3");
    *election = right;
    election->event.yes = true;
    assert_broken(game, election->seq, "Election 3");
    *election = right;
    election->event.reason = ELECTION_DEADLINE;
    assert_broken(game, election->seq, "Election 3");
    scripted_end(scripted);
}
END_TEST

/* Time is not judged: a vote may always have come to its deadline. */
START_TEST(an_election_that_closes_early_has_met_its_deadline)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_do(scripted, nominate(0, 1));
    scripted_do(scripted, vote(2, false));
    scripted_do(scripted, vote(3, true));
    scripted_do(scripted, plain(COMMAND_CLOSE));
    struct record_game *game = scripted_game(scripted);
    struct record_line *election = line_of(game, EVENT_ELECTION, 1);
    assert_legal(game);
    election->event.reason = ELECTION_REJECTED;
    assert_broken(game, election->seq, "Election 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_chancellor_is_cleared_when_hitler_could_win)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_elected(scripted, scripted_nominee(scripted));
    struct record_game *game = scripted_game(scripted);
    struct record_line *cleared = line_of(game, EVENT_CLEARED, 1);
    unsigned seq = cleared->seq;
    cleared->event.seat = 2;
    assert_broken(game, seq, "Election 4");
    drop(game, cleared);
    assert_broken(game, seq, "Election 4");
    scripted_end(scripted);
}
END_TEST

START_TEST(nobody_is_cleared_before)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    scripted_elected(scripted, 0);
    struct record_game *game = scripted_game(scripted);
    struct record_line *hand = line_of(game, EVENT_HAND, 3);
    unsigned seq = hand->seq;
    insert(game, hand,
           (struct record_line){.kind = EVENT_CLEARED,
                                .event = {.kind = EVENT_CLEARED, .seat = 0}});
    assert_broken(game, seq, "Election 4");
    scripted_end(scripted);
}
END_TEST

START_TEST(hitler_as_chancellor_wins_at_once)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_elected(scripted, 6);
    struct record_game *game = scripted_game(scripted);
    struct record_line *ended = line_of(game, EVENT_ENDED, 1);
    unsigned seq = ended->seq;
    ended->event.party = PARTY_LIBERAL;
    assert_broken(game, seq, "Election 4");
    ended->event.reason = ENDING_SIX_FASCIST;
    assert_broken(game, seq, "Election 4");
    *ended = (struct record_line){.kind = EVENT_CLEARED,
                                  .event = {.kind = EVENT_CLEARED, .seat = 6}};
    renumber(game);
    assert_broken(game, seq, "Election 4");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_rejected_government_moves_the_tracker)
{
    struct scripted *scripted = scripted_begin(7, "official", "");
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *election = line_of(game, EVENT_ELECTION, 1);
    election->event.tracker = 0;
    assert_broken(game, election->seq, "Election 5");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_third_brings_chaos)
{
    struct scripted *scripted = scripted_begin(7, "official", "LFF");
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *enacted = line_of(game, EVENT_ENACTED, 1);
    struct record_line right = *enacted;
    unsigned seq = enacted->seq;
    enacted->event.is_liberal = false;
    enacted->event.fascist = 1;
    enacted->event.liberal = 0;
    assert_broken(game, seq, "Election 6");
    *enacted = right;
    enacted->event.by_chaos = false;
    assert_broken(game, seq, "Election 6");
    *enacted = right;
    enacted->event.liberal = 2;
    assert_broken(game, seq, "Election 6");
    *enacted = right;
    drop(game, enacted);
    assert_broken(game, seq, "Election 6");
    scripted_end(scripted);
}
END_TEST

START_TEST(chaos_forgets_all_limits)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFFL");
    scripted_policy(scripted, 2, false);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 0);
    ck_assert_uint_eq(round->event.seats, 0x6F);
    assert_legal(game);
    round->event.seats = 0x6A;
    assert_broken(game, round->seq, "Election 2");
    scripted_end(scripted);
}
END_TEST

START_TEST(few_tiles_are_reshuffled_after_chaos)
{
    struct scripted *scripted =
        scripted_begin(7, "play-by-post", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_policy(scripted, scripted_nominee(scripted), true);
    for (unsigned i = 0; i < 9; i++) {
        scripted_rejected(scripted);
    }
    scripted_reshuffled(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *reshuffled = line_of(game, EVENT_RESHUFFLED, 1);
    unsigned seq = reshuffled->seq;
    ck_assert_int_eq(game->lines[seq - 1].event.by_chaos, true);
    assert_legal(game);
    drop(game, reshuffled);
    assert_broken(game, seq, "Election 6");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_tracker_returns_to_nought_as_the_option_says)
{
    struct scripted *scripted = scripted_begin(7, "french", "FFF");
    scripted_rejected(scripted);
    scripted_elected(scripted, 4);
    struct record_game *game = scripted_game(scripted);
    struct record_line *election = line_of(game, EVENT_ELECTION, 2);
    assert_legal(game);
    game->rules.tracker_resets_on = TRACKER_RESETS_ON_POLICY;
    assert_broken(game, election->seq, "Election 7");
    election->event.tracker = 1;
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(a_policy_returns_the_tracker_to_nought)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_rejected(scripted);
    scripted_policy(scripted, 4, false);
    struct record_game *game = scripted_game(scripted);
    struct record_line *enacted = line_of(game, EVENT_ENACTED, 1);
    enacted->event.tracker = 1;
    assert_broken(game, enacted->seq, "Election 7");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_hand_is_the_top_of_the_deck)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "FLFFLF");
    scripted_elected(scripted, 1);
    struct record_game *game = scripted_game(scripted);
    struct record_line *hand = line_of(game, EVENT_HAND, 1);
    hand->event.cards.liberal = 4;
    assert_broken(game, hand->seq, "Legislative session 1");
    hand->event.cards.liberal = 2;
    hand->event.seat = 1;
    assert_broken(game, hand->seq, "Legislative session 1");
    scripted_end(scripted);
}
END_TEST

START_TEST(what_is_passed_on_is_the_hand_in_its_order)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "FLF");
    scripted_elected(scripted, 1);
    scripted_do(scripted, discard(0, 0));
    struct record_game *game = scripted_game(scripted);
    struct record_line *passed = line_of(game, EVENT_PASSED, 1);
    passed->event.cards.liberal = 2;
    assert_legal(game); /* the last one may be that which was discarded */
    passed->event.is_liberal = true;
    assert_broken(game, passed->seq, "Legislative session 1");
    passed->event.cards.liberal = 0;
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(what_is_enacted_was_passed_on)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "FFL");
    scripted_elected(scripted, 1);
    scripted_do(scripted, discard(0, 2));
    scripted_do(scripted, enact(1, 0));
    struct record_game *game = scripted_game(scripted);
    struct record_line *enacted = line_of(game, EVENT_ENACTED, 1);
    struct record_line right = *enacted;
    enacted->event.is_liberal = true;
    assert_broken(game, enacted->seq, "Legislative session 1");
    *enacted = right;
    enacted->event.fascist = 2;
    assert_broken(game, enacted->seq, "Legislative session 1");
    *enacted = right;
    enacted->event.by_chaos = true;
    assert_broken(game, enacted->seq, "Legislative session 1");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_fifth_liberal_policy_wins_at_once)
{
    struct scripted *scripted =
        scripted_begin(7, "play-by-post", "LFFLFFLFFLFFLFF");
    for (unsigned i = 0; i < 5; i++) {
        scripted_policy(scripted, scripted_nominee(scripted), true);
    }
    struct record_game *game = scripted_game(scripted);
    struct record_line *ended = line_of(game, EVENT_ENDED, 1);
    unsigned seq = ended->seq;
    assert_legal(game);
    ended->event.party = PARTY_FASCIST;
    assert_broken(game, seq, "Legislative session 2");
    *ended = (struct record_line){
        .kind = EVENT_ROUND,
        .event = {.kind = EVENT_ROUND, .round = 6, .seat = 5, .seats = 0x57}};
    renumber(game);
    assert_broken(game, seq, "Legislative session 2");
    scripted_end(scripted);
}
END_TEST

START_TEST(nobody_wins_too_early)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_do(scripted, plain(COMMAND_ABANDON));
    struct record_game *game = scripted_game(scripted);
    struct record_line *ended = line_of(game, EVENT_ENDED, 1);
    assert_legal(game);
    ended->event.reason = ENDING_FIVE_LIBERAL;
    assert_broken(game, ended->seq, "Legislative session 2");
    ended->event.reason = ENDING_HITLER_EXECUTED;
    assert_broken(game, ended->seq, "Executive action");
    scripted_end(scripted);
}
END_TEST

/* Five fascist policies, then a veto. */
static struct scripted *
veto_scripted(bool agreed)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 5);
    scripted_elected(scripted, 3);
    scripted_do(scripted, discard(scripted->engine.game.president, 0));
    scripted_do(scripted, ask_veto(3));
    scripted_do(scripted, answer_veto(scripted->engine.game.president, agreed));
    scripted_reshuffled(scripted);
    return scripted;
}

START_TEST(a_veto_takes_five_fascist_policies)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    scripted_elected(scripted, 3);
    scripted_do(scripted, discard(scripted->engine.game.president, 0));
    scripted_do(scripted, enact(3, 0));
    struct record_game *game = scripted_game(scripted);
    struct record_line *enacted = line_of(game, EVENT_ENACTED, 0);
    unsigned seq = enacted->seq;
    insert(
        game, enacted,
        (struct record_line){.kind = EVENT_VETO_ASKED,
                             .event = {.kind = EVENT_VETO_ASKED, .seat = 3}});
    assert_broken(game, seq, "Legislative session 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_veto_is_asked_for_once_a_session)
{
    struct scripted *scripted = veto_scripted(false);
    struct record_game *game = scripted_game(scripted);
    struct record_line asked = *line_of(game, EVENT_VETO_ASKED, 1);
    assert_legal(game);
    game->lines[game->line_count++] = asked;
    renumber(game);
    assert_broken(game, (unsigned)game->line_count - 1,
                  "Legislative session 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(an_agreed_veto_moves_the_tracker)
{
    struct scripted *scripted = veto_scripted(true);
    struct record_game *game = scripted_game(scripted);
    struct record_line *answered = line_of(game, EVENT_VETO_ANSWERED, 1);
    assert_legal(game);
    answered->event.tracker = 0;
    assert_broken(game, answered->seq, "Legislative session 3");
    answered->event.tracker = 1;
    answered->event.seat = 3;
    assert_broken(game, answered->seq, "Legislative session 3");
    drop(game, answered);
    assert_broken(game, answered->seq, "Legislative session 3");
    scripted_end(scripted);
}
END_TEST

START_TEST(few_tiles_are_reshuffled_after_a_session)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 5);
    struct record_game *game = scripted_game(scripted);
    struct record_line *reshuffled = line_of(game, EVENT_RESHUFFLED, 1);
    struct record_line right = *reshuffled;
    unsigned seq = reshuffled->seq;
    reshuffled->event.cards.liberal ^= 1;
    assert_broken(game, seq, "Legislative session 4");
    *reshuffled = right;
    (void)pile_take(&reshuffled->event.cards, 0);
    assert_broken(game, seq, "Legislative session 4");
    *reshuffled = right;
    drop(game, reshuffled);
    assert_broken(game, seq, "Legislative session 4");
    scripted_end(scripted);
}
END_TEST

START_TEST(enough_tiles_are_not_reshuffled)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 1);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 2);
    unsigned seq = round->seq;
    insert(game, round,
           (struct record_line){
               .kind = EVENT_RESHUFFLED,
               .event = {.kind = EVENT_RESHUFFLED, .cards = {0x3F, 16}}});
    assert_broken(game, seq, "Legislative session 4");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_power_is_not_passed_over)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    struct record_game *game = scripted_game(scripted);
    struct record_line *power = line_of(game, EVENT_POWER, 1);
    unsigned seq = power->seq;
    drop(game, power);
    assert_broken(game, seq, "Legislative session 5");
    drop(game, power);
    assert_broken(game, seq, "Legislative session 5");
    scripted_end(scripted);
}
END_TEST

START_TEST(chaos_grants_no_power)
{
    struct scripted *scripted = scripted_begin(9, "official", scripted_deck);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 0);
    unsigned seq = round->seq;
    insert(game, round,
           (struct record_line){.kind = EVENT_POWER,
                                .event = {.kind = EVENT_POWER,
                                          .seat = 2,
                                          .power = POWER_INVESTIGATE}});
    assert_broken(game, seq, "Legislative session 5");
    scripted_end(scripted);
}
END_TEST

START_TEST(an_investigation_tells_the_party)
{
    struct scripted *scripted = scripted_begin(9, "official", scripted_deck);
    scripted_policy(scripted, 3, false);
    scripted_do(scripted, target(0, 8));
    scripted_policy(scripted, 4, false);
    scripted_do(scripted, target(1, 2));
    struct record_game *game = scripted_game(scripted);
    struct record_line *first = line_of(game, EVENT_INVESTIGATED, 1);
    struct record_line *second = line_of(game, EVENT_INVESTIGATED, 2);
    assert_legal(game);
    second->event.target = 8;
    second->event.party = PARTY_FASCIST;
    assert_broken(game, second->seq, "Executive action");
    second->event.target = 1;
    assert_broken(game, second->seq, "Executive action");
    first->event.party = PARTY_LIBERAL;
    assert_broken(game, first->seq, "Executive action");
    first->event.party = PARTY_FASCIST;
    first->event.seat = 1;
    assert_broken(game, first->seq, "Executive action");
    scripted_end(scripted);
}
END_TEST

/* The president of the third session, a special election called. */
static struct scripted *
special_scripted(void)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    scripted_policy(scripted, 4, false);
    scripted_do(scripted, target(2, 6));
    return scripted;
}

START_TEST(a_special_candidate_is_the_one_called)
{
    struct scripted *scripted = special_scripted();
    scripted_rejected(scripted);
    struct record_game *game = scripted_game(scripted);
    struct record_line *special = line_of(game, EVENT_ROUND, 4);
    struct record_line *after = line_of(game, EVENT_ROUND, 5);
    assert_legal(game);
    ck_assert_uint_eq(after->event.seat, 3);
    special->event.yes = false;
    assert_broken(game, special->seq, "Executive action");
    special->event.yes = true;
    special->event.seat = 3;
    assert_broken(game, special->seq, "Executive action");
    special->event.seat = 6;
    after->event.seat = 0;
    assert_broken(game, after->seq, "Election 1");
    after->event.seat = 3;
    after->event.yes = true;
    assert_broken(game, after->seq, "Executive action");
    scripted_end(scripted);
}
END_TEST

/* Vacated before that round begins: the rotation goes on at once. */
START_TEST(a_special_candidate_who_leaves_is_passed_over)
{
    struct scripted *scripted = special_scripted();
    struct record_game *game = scripted_game(scripted);
    struct record_line *round = line_of(game, EVENT_ROUND, 4);
    unsigned seq = round->seq;
    insert(game, round,
           (struct record_line){.kind = EVENT_VACATED,
                                .event = {.kind = EVENT_VACATED, .seat = 6}});
    assert_broken(game, seq + 1, "Executive action");
    round[1].event.yes = false;
    assert_broken(game, seq + 1, "Election 1");
    round[1].event.seat = 3;
    round[1].event.seats = 0x33;
    assert_broken(game, seq + 1, "Election 2");
    round[1].event.seats = 0x23;
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(a_peek_shows_the_top_of_the_deck)
{
    struct scripted *scripted = scripted_begin(5, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    scripted_policy(scripted, scripted_nominee(scripted), false);
    struct record_game *game = scripted_game(scripted);
    struct record_line *peeked = line_of(game, EVENT_PEEKED, 1);
    unsigned seq = peeked->seq;
    peeked->event.cards.liberal = 5;
    assert_broken(game, seq, "Executive action");
    peeked->event.cards.liberal = 3;
    assert_legal(game);
    *peeked = (struct record_line){
        .kind = EVENT_FORFEITED,
        .event = {.kind = EVENT_FORFEITED, .seat = 2, .power = POWER_PEEK}};
    renumber(game);
    assert_broken(game, seq, "When time runs out");
    scripted_end(scripted);
}
END_TEST

START_TEST(hitler_executed_ends_the_game)
{
    struct scripted *scripted = scripted_begin(5, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_policy(scripted, scripted_nominee(scripted), false);
    scripted_do(scripted, target(3, 4));
    struct record_game *game = scripted_game(scripted);
    struct record_line *executed = line_of(game, EVENT_EXECUTED, 1);
    unsigned seq = executed->seq;
    assert_legal(game);
    executed->event.target = 3;
    assert_broken(game, seq, "Executive action");
    executed->event.target = 2;
    assert_broken(game, seq + 1, "Executive action");
    executed->event.target = 4;
    line_of(game, EVENT_ENDED, 1)->event.reason = ENDING_ABANDONED;
    assert_broken(game, seq + 1, "Executive action");
    scripted_end(scripted);
}
END_TEST

START_TEST(lots_decide_what_is_due_and_nothing_else)
{
    struct scripted *scripted = scripted_begin(9, "official", scripted_deck);
    scripted_elected(scripted, 3);
    scripted_do(scripted, by_lots(discard(0, 0)));
    scripted_do(scripted, by_lots(enact(3, 0)));
    scripted_do(scripted, by_lots(target(0, 5)));
    struct record_game *game = scripted_game(scripted);
    assert_legal(game);
    for (unsigned nth = 1; nth <= 3; nth++) {
        struct record_line *lots = line_of(game, EVENT_LOTS, nth);
        struct record_line right = *lots;
        lots->event.seat = 7;
        assert_broken(game, lots->seq, "When time runs out");
        *lots = right;
        lots->event.discarding = nth == 2;
        lots->event.power = nth == 2 ? POWER_NONE : POWER_EXECUTION;
        assert_broken(game, lots->seq, "When time runs out");
        *lots = right;
    }
    insert(game, line_of(game, EVENT_NOMINATED, 1),
           *line_of(game, EVENT_LOTS, 1));
    assert_broken(game, 4, "When time runs out");
    scripted_end(scripted);
}
END_TEST

START_TEST(lots_stand_directly_before_what_they_decide)
{
    struct scripted *scripted = scripted_begin(9, "official", scripted_deck);
    scripted_elected(scripted, 3);
    scripted_do(scripted, by_lots(discard(0, 0)));
    struct record_game *game = scripted_game(scripted);
    struct record_line *passed = line_of(game, EVENT_PASSED, 1);
    unsigned seq = passed->seq;
    insert(game, passed, noted);
    assert_broken(game, seq, "record: lots");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_power_that_is_forfeited_was_due)
{
    struct scripted *scripted = scripted_begin(9, "official", scripted_deck);
    scripted_policy(scripted, 3, false);
    scripted_do(scripted, plain(COMMAND_FORFEIT));
    struct record_game *game = scripted_game(scripted);
    struct record_line *forfeited = line_of(game, EVENT_FORFEITED, 1);
    forfeited->event.power = POWER_EXECUTION;
    assert_broken(game, forfeited->seq, "When time runs out");
    forfeited->event.power = POWER_INVESTIGATE;
    forfeited->event.seat = 3;
    assert_broken(game, forfeited->seq, "When time runs out");
    forfeited->event.seat = 0;
    assert_legal(game);
    drop(game, forfeited);
    assert_broken(game, forfeited->seq, "Executive action");
    scripted_end(scripted);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("verify: rules");
    TCase *tcase = tcase_create("verify: rules");
    tcase_add_test(tcase, an_untouched_scripted_is_legal);
    tcase_add_test(tcase, a_vacant_candidate_names_nobody);
    tcase_add_test(tcase, a_vacant_president_discards_by_lots_alone);
    tcase_add_test(tcase, a_vacant_seat_is_not_vacated_again);
    tcase_add_test(tcase, as_many_fascists_are_dealt_as_there_must_be);
    tcase_add_test(tcase, the_deck_has_six_liberal_policies);
    tcase_add_test(tcase, nothing_is_played_before_the_deal);
    tcase_add_test(tcase, a_power_is_the_one_of_its_space);
    tcase_add_test(tcase, the_candidate_is_the_next_in_order);
    tcase_add_test(tcase, the_first_candidate_may_be_anybody);
    tcase_add_test(tcase, rounds_are_counted);
    tcase_add_test(tcase, a_limited_player_is_not_nominated);
    tcase_add_test(tcase, the_eligible_are_all_of_them_and_nobody_else);
    tcase_add_test(tcase, the_options_decide_and_not_the_preset);
    tcase_add_test(tcase, a_tie_on_hitler_elects_by_the_house_rule_alone);
    tcase_add_test(tcase, chaos_brings_a_power_by_the_house_rule_alone);
    tcase_add_test(tcase, seat_1_begins_by_the_house_rule_alone);
    tcase_add_test(tcase, a_limit_that_fell_has_fallen_for_the_round);
    tcase_add_test(tcase, nobody_votes_twice);
    tcase_add_test(tcase, nobody_votes_once_the_vote_has_closed);
    tcase_add_test(tcase, the_executed_have_no_vote);
    tcase_add_test(tcase, votes_are_counted_right);
    tcase_add_test(tcase, an_election_that_closes_early_has_met_its_deadline);
    tcase_add_test(tcase, a_chancellor_is_cleared_when_hitler_could_win);
    tcase_add_test(tcase, nobody_is_cleared_before);
    tcase_add_test(tcase, hitler_as_chancellor_wins_at_once);
    tcase_add_test(tcase, a_rejected_government_moves_the_tracker);
    tcase_add_test(tcase, the_third_brings_chaos);
    tcase_add_test(tcase, chaos_forgets_all_limits);
    tcase_add_test(tcase, few_tiles_are_reshuffled_after_chaos);
    tcase_add_test(tcase, the_tracker_returns_to_nought_as_the_option_says);
    tcase_add_test(tcase, a_policy_returns_the_tracker_to_nought);
    tcase_add_test(tcase, the_hand_is_the_top_of_the_deck);
    tcase_add_test(tcase, what_is_passed_on_is_the_hand_in_its_order);
    tcase_add_test(tcase, what_is_enacted_was_passed_on);
    tcase_add_test(tcase, the_fifth_liberal_policy_wins_at_once);
    tcase_add_test(tcase, nobody_wins_too_early);
    tcase_add_test(tcase, a_veto_takes_five_fascist_policies);
    tcase_add_test(tcase, a_veto_is_asked_for_once_a_session);
    tcase_add_test(tcase, an_agreed_veto_moves_the_tracker);
    tcase_add_test(tcase, few_tiles_are_reshuffled_after_a_session);
    tcase_add_test(tcase, enough_tiles_are_not_reshuffled);
    tcase_add_test(tcase, a_power_is_not_passed_over);
    tcase_add_test(tcase, chaos_grants_no_power);
    tcase_add_test(tcase, an_investigation_tells_the_party);
    tcase_add_test(tcase, a_special_candidate_is_the_one_called);
    tcase_add_test(tcase, a_special_candidate_who_leaves_is_passed_over);
    tcase_add_test(tcase, a_peek_shows_the_top_of_the_deck);
    tcase_add_test(tcase, hitler_executed_ends_the_game);
    tcase_add_test(tcase, lots_decide_what_is_due_and_nothing_else);
    tcase_add_test(tcase, lots_stand_directly_before_what_they_decide);
    tcase_add_test(tcase, the_power_that_is_forfeited_was_due);
    suite_add_tcase(suite, tcase);
    return suite;
}
