/*
 * Notices: one post per step, private before public, and nothing in public
 * that depends on a secret.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "style", "full");
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
}

/* The host's newest post in the thread, as it was written. */
static const struct seen_post *
newest(void)
{
    const struct seen_post *found = NULL;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].author, BOARD_HOST) == 0 &&
            strcmp(room.posts[i].place, "thread") == 0) {
            found = &room.posts[i];
        }
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

/* How many people a post pings. */
static unsigned
pings(const struct seen_post *post)
{
    unsigned count = 0;
    const char *at = post->raw;
    while ((at = strstr(at, "[mention=")) != NULL) {
        count++;
        at++;
    }
    return count;
}

/* ---- the start ----------------------------------------------------------- */

START_TEST(the_start_tells_the_order_and_who_is_among_them)
{
    static const struct {
        unsigned players;
        const char *named, *preset, *among;
    } cases[] = {
        {5, "five", "play-by-post",
         "Among you are 3 Liberals, 1 Fascist and Hitler. The Fascist knows who "
         "Hitler is; Hitler knows nobody."},
        {6, "six", "official",
         "Among you are 4 Liberals, 1 Fascist and Hitler. The Fascist and Hitler "
         "know each other."},
        {7, "seven", "official",
         "Among you are 4 Liberals, 2 Fascists and Hitler. The Fascists know each "
         "other and Hitler; Hitler knows nobody."},
        {10, "ten", "french",
         "Among you are 6 Liberals, 3 Fascists and Hitler. The Fascists know each "
         "other and Hitler; Hitler knows nobody."},
    };
    room_set(&room, "rules", cases[_i].preset);
    begin(cases[_i].players);
    room_read(&room);
    const char *post = room.posts[room.post_count - 2].text;
    char welcome[64];
    snprintf(welcome, sizeof welcome, "Welcome, all %s! Table 1 begins.\n",
             cases[_i].named);
    assert_holds(post, welcome);
    assert_holds(post, "goes round in this order: Anna, Bob, Carl, Dora, Emil");
    assert_holds(post, "By lot, Anna goes first.");
    assert_holds(post, cases[_i].among);
}
END_TEST

START_TEST(the_start_is_posted_after_all_roles_are_sent)
{
    begin(7);
    room_read(&room);
    size_t start = 0;
    while (strncmp(room.posts[start].text, "Welcome", 7) != 0) {
        start++;
    }
    for (size_t i = 0; i < room.post_count; i++) {
        bool dm = strncmp(room.posts[i].place, "talk/", 5) == 0;
        ck_assert(!dm || i < start);
    }
    ck_assert_uint_eq(start + 2, room.post_count);
}
END_TEST

/* ---- calls --------------------------------------------------------------- */

START_TEST(a_round_calls_for_a_name_with_all_that_matters)
{
    begin(5);
    room_governs(&room, 1, false);
    const struct seen_post *post = newest();
    assert_holds(
        post->text,
        "Round 2 · Bob is up for President.\n\nBob, who is "
        "your Chancellor? Post the name in bold, on a line of its own, by Sat 21 Nov, 22:00 UTC: **name**.");
    assert_holds(post->text,
                 "You can choose Carl, Dora or Emil. Not this time: "
                 "Anna (the last government that enacted a policy).");
    assert_holds(post->text,
                 "the tracker goes to 1 of 3, and at 3 the top policy is "
                 "enacted unseen. After Bob: Carl.");
    ck_assert_uint_eq(pings(post), 1);
    assert_holds(post->raw, "[mention=Bob]");
}
END_TEST

START_TEST(the_last_chance_is_told)
{
    begin(5);
    room_rejects(&room);
    room_rejects(&room);
    assert_holds(room_said(&room), "The tracker goes to 2 of 3: if the next "
                                   "government fails too, the top policy is "
                                   "enacted unseen.");
    assert_holds(room_said(&room), "and the election fails: the top policy is "
                                   "enacted unseen.");
    room_names(&room, 3);
    assert_holds(room_said(&room), "If it fails, the top policy is enacted "
                                   "unseen.");
}
END_TEST

START_TEST(a_vote_calls_everybody)
{
    begin(6);
    room_names(&room, 1);
    const struct seen_post *post = newest();
    assert_holds(
        post->text,
        "Round 1 · Anna nominates Bob as Chancellor.\n\nAnna, Bob, Carl, Dora, Emil, Frida, please vote");
    assert_holds(
        post->text,
        "by Sun 22 Nov, 10:00 UTC: post **Ja!** or **Nein!** in bold.");
    assert_holds(post->text, "4 of 6 must say Ja");
    assert_lacks(post->text, "is Hitler");
    ck_assert_uint_eq(pings(post), 6);
}
END_TEST

START_TEST(who_is_away_is_named_and_gets_no_ping_of_a_vote)
{
    begin(6);
    room_says(&room, "Carl", "!away 3d");
    room_says(&room, "Anna", "!away 2d");
    room_names(&room, 1);
    const struct seen_post *post = newest();
    assert_holds(post->text, "Anna, Bob, Carl, Dora, Emil, Frida, please vote");
    assert_holds(post->text, "Away: Anna until Mon 23 Nov");
    assert_holds(post->text, ", Carl until Tue 24 Nov");
    ck_assert_uint_eq(pings(post), 4);
}
END_TEST

START_TEST(what_waits_for_one_who_is_away_pings_them_all_the_same)
{
    begin(6);
    room_says(&room, "Bob", "!away 3d");
    room_rejects(&room);
    assert_holds(room_said(&room), "Bob is up for President");
    assert_holds(room_said(&room), "Away: Bob until Tue 24 Nov");
    ck_assert_uint_eq(pings(newest()), 1);
}
END_TEST

START_TEST(from_three_fascist_policies_on_the_danger_is_told)
{
    begin(5);
    room_govern_to(&room, 3);
    room_names(&room, room_choice(&room));
    assert_holds(room_said(&room), "is Hitler, the Fascists win.");
    room_votes(&room, true);
    assert_holds(room_said(&room), "is not Hitler.");
}
END_TEST

START_TEST(a_sealed_vote_is_called_for_in_private)
{
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_names(&room, 1);
    assert_holds(room_said(&room), "This vote is secret: answer my private "
                                   "message with one word");
    for (unsigned i = 0; i < 5; i++) {
        assert_holds(room_told(&room, room_player(i)), "Answer with one word");
    }
}
END_TEST

START_TEST(deadlines_are_told_in_the_places_zone_and_in_utc)
{
    room_set(&room, "zone", "Europe/Berlin");
    begin(5);
    assert_holds(room_said(&room),
                 "by Sat 21 Nov, 23:00 CET (22:00 UTC): **name**");
}
END_TEST

/* ---- one post a step ----------------------------------------------------- */

/* What the host posted since the last look: that many posts. */
static unsigned said_before;

static unsigned
updates(void)
{
    unsigned said = room_count_said(&room, "");
    unsigned count = said - said_before;
    said_before = said;
    return count;
}

START_TEST(the_result_and_the_next_call_are_one_post)
{
    room_set(&room, "vote_closes", "all");
    begin(5);
    (void)updates();
    room_names(&room, 1);
    ck_assert_uint_eq(updates(), 1);
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, room_player(i), "**Ja!**");
        ck_assert_uint_eq(updates(), 0);
    }
    room_says(&room, "Emil", "**Ja!**");
    ck_assert_uint_eq(updates(), 1);
    assert_holds(room_said(&room), "Elected, 5 to 0");
    assert_holds(room_said(&room), "the policy is out (Sun 22 "
                                   "Nov, 10:00 UTC");
    room_discards(&room, true);
    ck_assert_uint_eq(updates(), 0);
    room_enacts(&room, false);
    ck_assert_uint_eq(updates(), 1);
    assert_holds(room_said(&room), "enact a FASCIST policy.");
    assert_holds(room_said(&room), "Bob is up for President.");
    room_rejects(&room);
    ck_assert_uint_eq(updates(), 2);
    assert_holds(room_said(&room), "Rejected, 0 to 5. It took 3 Ja.");
    assert_holds(room_said(&room), "Carl is up for President.");
}
END_TEST

/* A table of ten whose names are long; a missed deadline costs the seat. */
START_TEST(what_a_moderator_does_and_the_next_call_are_one_post)
{
    begin(5);
    room_says(&room, "Mo", "!choose Anna nominate Bob");
    (void)updates();
    room_says(&room, "Mo", "!yes 1");
    ck_assert_uint_eq(updates(), 1);
    assert_holds(newest()->text, "Mo decides: Bob counts as Anna's choice.");
    assert_holds(newest()->text, "Anna nominates Bob");
    room_says(&room, "Mo", "!undo");
    (void)updates();
    room_says(&room, "Mo", "!yes 2");
    ck_assert_uint_eq(updates(), 1);
    assert_holds(newest()->text, "We are back in round 1");
    assert_holds(newest()->text, "Anna is up for President");
    room_says(&room, "Mo", "!end nobody has time");
    (void)updates();
    room_says(&room, "Mo", "!yes 3");
    ck_assert_uint_eq(updates(), 1);
    assert_holds(newest()->text, "The game has been ended by Mo");
    assert_holds(newest()->text, "Thank you, all five");
}
END_TEST

START_TEST(lots_that_a_moderator_has_drawn_are_not_said_to_be_late)
{
    begin(5);
    room_elects(&room, 1);
    room_says(&room, "Mo", "!choose Anna lots");
    (void)updates();
    room_says(&room, "Mo", "!yes 3");
    ck_assert_uint_eq(updates(), 1);
    assert_holds(newest()->text, "Mo decides: I draw lots for Anna.");
    assert_lacks(newest()->text, "ime was up");
}
END_TEST

static void
begin_with_long_names(void)
{
    char name[64];
    room_set(&room, "misses", "1");
    room_open(&room);
    room_says(&room, "Mo", "!new players=10");
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "%s-of-the-Long-House", room_player(i));
        room_says(&room, name, "!join");
    }
}

START_TEST(a_result_and_a_call_too_long_for_one_post_are_two)
{
    begin_with_long_names();
    room_rejects(&room);
    room_rejects(&room);
    room_names(&room, 0);
    for (unsigned seat = 0; seat < 4; seat++) {
        room_says(&room, room_name(&room, seat), "**Nein!**");
    }
    (void)updates();
    room_expires(&room);
    ck_assert_uint_eq(updates(), 2);
    const struct seen_post *call = newest();
    const struct seen_post *result = call - 1;
    ck_assert_str_eq(result->place, "thread");
    assert_holds(result->text, "Time is up: rejected, 0 to 4");
    assert_holds(result->text, "Three governments in a row have failed");
    assert_holds(result->text, "those seats are empty now.");
    assert_lacks(result->text, "Round 4");
    ck_assert_int_eq(strncmp(call->text, "Round 4 · Dora", 14), 0);
    assert_holds(call->text, "on a line of its own, by Sun 22 Nov, 22:00 UTC");
    /* Each pings those whom it names. */
    ck_assert_uint_eq(pings(result), 6);
    ck_assert_uint_eq(pings(call), 1);
}
END_TEST

START_TEST(a_power_is_called_for_with_the_policy_that_brings_it)
{
    static const struct {
        unsigned players, policies;
        const char *call;
    } cases[] = {
        {7, 2, "must investigate someone"},
        {7, 3, "must choose the next candidate for President"},
        {7, 4, "must execute someone"},
    };
    begin(cases[_i].players);
    room_govern_to(&room, cases[_i].policies);
    const struct seen_post *post = newest();
    assert_holds(post->text, "enact a FASCIST policy.");
    assert_holds(post->text, ", you must ");
    assert_holds(post->text, cases[_i].call);
    ck_assert_uint_eq(pings(post), 1);
}
END_TEST

START_TEST(a_peek_is_shown_at_once)
{
    begin(5);
    room_govern_to(&room, 3);
    assert_holds(room_said(&room), "Carl has peeked at the top three cards.");
    assert_holds(room_said(&room), "Dora is up for President.");
    assert_holds(room_told(&room, "Carl"), "1 Fascist\n2 Fascist\n3 Liberal");
}
END_TEST

START_TEST(the_next_power_is_announced_with_the_board)
{
    begin(7);
    room_govern_to(&room, 1);
    assert_holds(room_said(&room), "Fascist 1 of 6 🟥⬜⬜⬜⬜⬜");
    assert_holds(room_said(&room), "Liberal 0 of 5 ⬜⬜⬜⬜⬜");
    assert_holds(room_said(&room),
                 "Tracker 0 of 3 · deck 14, discarded 2 · next Fascist policy: "
                 "investigation");
    room_govern_to(&room, 4);
    assert_holds(room_said(&room), "next Fascist policy: execution + veto");
}
END_TEST

START_TEST(a_special_election_is_announced_and_then_called)
{
    begin(7);
    room_govern_to(&room, 3);
    room_names(&room, 5);
    assert_holds(room_said(&room), "chooses Frida as the next candidate for "
                                   "President.");
    assert_holds(room_said(&room), "Frida is up for President. "
                                   "This is the special election.");
}
END_TEST

START_TEST(a_tie_is_explained)
{
    room_set(&room, "vote_closes", "all");
    begin(6);
    room_names(&room, 1);
    for (unsigned i = 0; i < 6; i++) {
        room_says(&room, room_player(i), i % 2 ? "**Ja!**" : "**Nein!**");
    }
    assert_holds(room_said(&room), "Rejected, 3 to 3. A tie isn't enough; it "
                                   "took 4 Ja.");
}
END_TEST

START_TEST(the_tracker_that_returns_to_nought_is_told)
{
    begin(5);
    room_rejects(&room);
    room_elects(&room, 2);
    assert_holds(room_said(&room), "The tracker is back to 0.");
}
END_TEST

START_TEST(a_reshuffle_is_told)
{
    begin(7);
    room_govern_to(&room, 5);
    assert_holds(room_said(&room), "Fewer than three cards were left, so "
                                   "I've shuffled the discards back in.");
    assert_holds(room_said(&room), "deck 12, discarded 0");
}
END_TEST

/* ---- vetoes -------------------------------------------------------------- */

static void
begin_veto(void)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
}

static void
request_veto(void)
{
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto!**");
}

START_TEST(an_agreed_veto_calls_the_next_round)
{
    begin_veto();
    request_veto();
    assert_holds(room_said(&room), "do you agree? Post "
                                   "**Approved** or **Declined**, in bold "
                                   "and nothing else");
    assert_holds(room_said(&room), "the tracker goes to 1 of 3.");
    ck_assert_uint_eq(pings(newest()), 1);
    room_says(&room, room_awaited(&room), "**Approved**");
    assert_holds(room_said(&room), "agrees, and both policies are discarded "
                                   "unseen");
    assert_holds(room_said(&room), "may talk again.");
    assert_holds(room_said(&room), " is up for President");
}
END_TEST

START_TEST(the_veto_that_brings_chaos_says_so)
{
    /* Where the tracker returns to 0 only with a policy, a veto can be the
     * third failure. */
    room_set(&room, "tracker_resets_on", "policy");
    begin_veto();
    room_rejects(&room);
    room_rejects(&room);
    request_veto();
    assert_holds(room_said(&room), "Approved: both policies are discarded "
                                   "unseen and the top policy is "
                                   "enacted");
    room_says(&room, room_awaited(&room), "**Approved**");
    assert_holds(room_said(&room),
                 "agrees, and both policies are discarded unseen. ");
    assert_lacks(room_said(&room), "The tracker goes to");
    assert_holds(
        room_said(&room),
        "The tracker has reached 3, so the country takes matters into its "
        "own hands: the top "
        "policy");
    assert_lacks(room_said(&room), "Three governments in a row have failed");
}
END_TEST

/* ---- what is secret stays so --------------------------------------------- */

START_TEST(nothing_in_public_tells_that_the_president_has_chosen)
{
    begin(5);
    room_elects(&room, 1);
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    room_transcript(&room, "thread", &before);
    int64_t edited = room_status(&room)->edited;
    room_waits(&room, HOUR_MS);
    room_discards(&room, false);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    room_transcript(&room, "thread", &after);
    ck_assert_str_eq(buf_text(&before), buf_text(&after));
    ck_assert_int_eq(room_status(&room)->edited, edited);
    /* Nor does the answer to a question. */
    room_says(&room, "Carl", "!status");
    assert_holds(room_said(&room), "are in session, until Sun 22 Nov, 10:00");
    assert_holds(room_said(&room), "discarded 0");
    room_says(&room, "Bob", "!help");
    assert_holds(room_said(&room), "in session until Sun 22 Nov, 10:00");
    buf_release(&before);
    buf_release(&after);
}
END_TEST

/* Two games that differ in all that is secret and in nothing public. */
static const struct {
    const char *deck;
    unsigned hitler, fascists[2];
} casts[2] = {
    {"FFFLFFLFFLFFLFLFL", 6, {4, 5}},
    {"FLFFFFLLFLLFFFFFL", 5, {0, 6}},
};

static struct command
deal_cast(unsigned at)
{
    struct command command = deal(7, casts[at].deck);
    command.hitler = (uint8_t)casts[at].hitler;
    command.fascists = (seat_set)(seat_bit(casts[at].fascists[0]) |
                                  seat_bit(casts[at].fascists[1]));
    return command;
}

/* The lowest seat that may be named but 5 and 6, Hitler in either cast. */
static unsigned
neutral_choice(void)
{
    seat_set choices = game_awaits(room_game(&room)).choices;
    unsigned seat = 0;
    while (!seat_in(seat, choices)) {
        seat++;
        ck_assert_uint_lt(seat, 5);
    }
    return seat;
}

static void
play_publicly_alike(void)
{
    for (unsigned i = 0; i < 3; i++) {
        room_names(&room, neutral_choice());
        room_votes(&room, false);
    }
    while (room_game(&room)->fascist < 5) {
        if (room_game(&room)->due_power != POWER_NONE) {
            room_names(&room, neutral_choice());
        } else {
            room_governs(&room, neutral_choice(), false);
        }
    }
    room_names(&room, neutral_choice());
    room_elects(&room, neutral_choice());
    bool liberal = pile_liberals(room_game(&room)->hand) > 0;
    room_discards(&room, liberal);
    room_says(&room, room_awaited(&room), "**Veto!**");
    room_says(&room, room_awaited(&room), "**Declined!**");
    room_expires(&room); /* lots for the chancellor: the first card */
}

START_TEST(public_posts_depend_on_nothing_secret)
{
    struct buf seen[2] = {BUF_INIT, BUF_INIT};
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    for (unsigned at = 0; at < 2; at++) {
        struct command cast = deal_cast(at);
        if (at == 1) {
            room_release(&room);
            room_init(&room);
            room_set(&room, "style", "full");
        }
        room.cast = &cast;
        if (_i == 1) {
            room_set(&room, "ballot", "sealed");
        }
        begin(7);
        play_publicly_alike();
        room_transcript(&room, "thread", &seen[at]);
        room_record(&room, "1", &records[at]);
    }
    /* The last policy may end one of the games: up to there they are alike. */
    const char *last = strstr(buf_text(&seen[0]), "drew a card at random");
    ck_assert_ptr_nonnull(last);
    size_t len = (size_t)(last - buf_text(&seen[0]));
    ck_assert_uint_gt(len, 10000);
    ck_assert_int_eq(strncmp(buf_text(&seen[0]), buf_text(&seen[1]), len), 0);
    ck_assert_str_ne(buf_text(&records[0]), buf_text(&records[1]));
    for (unsigned at = 0; at < 2; at++) {
        buf_release(&seen[at]);
        buf_release(&records[at]);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/notice");
    TCase *tcase = tcase_create("notices");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, the_start_tells_the_order_and_who_is_among_them,
                        0, 4);
    tcase_add_test(tcase, the_start_is_posted_after_all_roles_are_sent);
    tcase_add_test(tcase, a_round_calls_for_a_name_with_all_that_matters);
    tcase_add_test(tcase, the_last_chance_is_told);
    tcase_add_test(tcase, a_vote_calls_everybody);
    tcase_add_test(tcase, who_is_away_is_named_and_gets_no_ping_of_a_vote);
    tcase_add_test(tcase,
                   what_waits_for_one_who_is_away_pings_them_all_the_same);
    tcase_add_test(tcase, from_three_fascist_policies_on_the_danger_is_told);
    tcase_add_test(tcase, a_sealed_vote_is_called_for_in_private);
    tcase_add_test(tcase, deadlines_are_told_in_the_places_zone_and_in_utc);
    tcase_add_test(tcase, the_result_and_the_next_call_are_one_post);
    tcase_add_test(tcase, what_a_moderator_does_and_the_next_call_are_one_post);
    tcase_add_test(tcase,
                   lots_that_a_moderator_has_drawn_are_not_said_to_be_late);
    tcase_add_test(tcase, a_result_and_a_call_too_long_for_one_post_are_two);
    tcase_add_loop_test(
        tcase, a_power_is_called_for_with_the_policy_that_brings_it, 0, 3);
    tcase_add_test(tcase, a_peek_is_shown_at_once);
    tcase_add_test(tcase, the_next_power_is_announced_with_the_board);
    tcase_add_test(tcase, a_special_election_is_announced_and_then_called);
    tcase_add_test(tcase, a_tie_is_explained);
    tcase_add_test(tcase, the_tracker_that_returns_to_nought_is_told);
    tcase_add_test(tcase, a_reshuffle_is_told);
    tcase_add_test(tcase, an_agreed_veto_calls_the_next_round);
    tcase_add_test(tcase, the_veto_that_brings_chaos_says_so);
    tcase_add_test(tcase,
                   nothing_in_public_tells_that_the_president_has_chosen);
    tcase_add_loop_test(tcase, public_posts_depend_on_nothing_secret, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
