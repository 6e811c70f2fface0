/*
 * The verifier: the fairness proof holds, and nothing else does.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/runner.h"
#include "tests/support/tale.h"
#include "tests/support/verdicts.h"

/* ---- fairness ------------------------------------------------------------ */

struct fair {
    unsigned char secret[DEAL_SECRET];
    unsigned char key[DEAL_KEY];
    char seed[RECORD_HEX + 1];
    struct buf commitment, transcript, text;
    struct game game;
    unsigned seq, shuffles, lots, chance;
};

static void
add_sha256(struct buf *out, const struct buf *text)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)buf_text(text),
                             text->len);
    buf_add_hex(out, digest, sizeof digest);
}

static void
fair_commit(struct fair *fair)
{
    struct buf text = BUF_INIT;
    struct buf hex = BUF_INIT;
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        fair->secret[i] = (unsigned char)(i * 37 + 11);
    }
    buf_add_hex(&hex, fair->secret, sizeof fair->secret);
    memcpy(fair->seed, buf_text(&hex), sizeof fair->seed);
    buf_addf(&text, "SH-DEAL-1 fair-1 %s\n", fair->seed);
    add_sha256(&fair->commitment, &text);
    buf_release(&text);
    buf_release(&hex);
}

static void
fair_sign_up(struct fair *fair, unsigned players)
{
    struct buf *text = &fair->transcript;
    struct buf options = BUF_INIT;
    buf_add_text(&options, "preset=official\n"
                           "hitler_knows_fascists=small\n"
                           "term_limit=last_elected\n"
                           "president_term_limit=over_five_living\n"
                           "tracker_resets_on=policy\n"
                           "ballot=sealed\n"
                           "vote_closes=all\n");
    buf_addf(text, "SH-DEAL-1\ngame: fair-1\ncommit: %s\nrules: ",
             buf_text(&fair->commitment));
    add_sha256(text, &options);
    buf_add_char(text, '\n');
    for (unsigned i = 0; i < players; i++) {
        buf_addf(text, "player: user%%20%u post-%u\n", i, 100 + i);
    }
    buf_add_text(text, "entropy: lucky seven\n");
    buf_release(&options);
    deal_key(fair->secret, buf_text(text), text->len, fair->key);
}

static void
fair_step(struct fair *fair, struct command command)
{
    struct events events;
    ck_assert_int_eq(game_step(&fair->game, &command, &events), REFUSAL_NONE);
    for (unsigned i = 0; i < events.count; i++) {
        struct record_head head = {fair->seq++, 0};
        record_write_event(&fair->text, head, &events.list[i], &fair->game,
                           tale_names);
    }
}

static uint8_t
nth_seat(seat_set seats, unsigned nth)
{
    uint8_t seat = 0;
    while (!seat_in(seat, seats) || nth-- > 0) {
        seat++;
    }
    return seat;
}

/* Everybody is asleep but in votes; lots decide all they may. */
static struct command
fair_command(struct fair *fair)
{
    struct awaits awaits = game_awaits(&fair->game);
    seat_set seats = awaits.seats;
    struct command command = {.kind = COMMAND_TARGET, .lots = true};
    fair->chance = fair->chance * 1103515245U + 12345U;
    if (awaits.question == QUESTION_RESHUFFLE) {
        return deal_reshuffle(fair->key, ++fair->shuffles, awaits.due_liberal,
                              awaits.due_fascist);
    }
    command.seat = nth_seat(seats, 0);
    if (awaits.cards > 0) {
        command.kind = awaits.question == QUESTION_DISCARD ? COMMAND_DISCARD
                                                           : COMMAND_ENACT;
        command.card =
            (uint8_t)deal_lots(fair->key, ++fair->lots, awaits.cards);
    } else if (awaits.question == QUESTION_VOTE ||
               awaits.question == QUESTION_NOMINATE) {
        command.lots = false;
        command.yes = (fair->chance >> 16) % 8 > 1;
        command.kind =
            awaits.question == QUESTION_VOTE ? COMMAND_VOTE : COMMAND_NOMINATE;
        if (awaits.choices != 0) {
            command.target =
                nth_seat(awaits.choices,
                         (fair->chance >> 20) % seat_count(awaits.choices));
        }
    } else {
        unsigned choice =
            deal_lots(fair->key, ++fair->lots, seat_count(awaits.choices));
        command.target = nth_seat(awaits.choices, choice);
    }
    return command;
}

static void
fair_play(struct fair *fair, unsigned players, unsigned chance)
{
    struct rules rules;
    memset(fair, 0, sizeof *fair);
    fair->chance = chance;
    ck_assert(rules_set_preset(&rules, "official"));
    fair_commit(fair);
    fair_sign_up(fair, players);
    game_init(&fair->game, players, &rules);
    record_write_opened(&fair->text, (struct record_head){fair->seq++, 0},
                        "fair-1", "official", &rules,
                        buf_text(&fair->commitment));
    record_write_seated(&fair->text, (struct record_head){fair->seq++, 0},
                        tale_names, players, buf_text(&fair->transcript));
    fair_step(fair, deal_game(fair->key, players));
    while (!game_is_over(&fair->game)) {
        fair_step(fair, fair_command(fair));
    }
    record_write_revealed(&fair->text, (struct record_head){fair->seq++, 0},
                          fair->seed, &fair->game, tale_names);
}

static void
fair_release(struct fair *fair)
{
    buf_release(&fair->commitment);
    buf_release(&fair->transcript);
    buf_release(&fair->text);
}

static void
assert_unfair(const struct record_game *game, const char *rule)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    if (verdict.legality != LEGALITY_BROKEN) {
        ck_abort_msg("an unfair game was found fair");
    }
    if (rule != NULL) {
        ck_assert_str_eq(verdict.rule, rule);
    }
    verdict_release(&verdict);
}

START_TEST(a_fair_game_is_proved_fair)
{
    unsigned shuffles = 0;
    unsigned lots = 0;
    for (unsigned i = 0; i < 60; i++) {
        struct fair fair;
        struct record record;
        struct verdict verdict;
        fair_play(&fair, PLAYERS_MIN + i % 6, i);
        read_text(&fair.text, &record);
        verify_game(&record.games[0], &verdict);
        ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "%s: %s",
                      verdict.rule, buf_text(&verdict.why));
        ck_assert_int_eq(verdict.proof, PROOF_HOLDS);
        verdict_release(&verdict);
        record.games[0].line_count--;
        verify_game(&record.games[0], &verdict);
        ck_assert_int_eq(verdict.proof, PROOF_OPEN);
        verdict_release(&verdict);
        shuffles += fair.shuffles;
        lots += fair.lots;
        record_release(&record);
        fair_release(&fair);
    }
    ck_assert_uint_gt(shuffles, 10);
    ck_assert_uint_gt(lots, 100);
}
END_TEST

START_TEST(a_flipped_bit_in_seed_or_commitment_is_found)
{
    struct fair fair;
    struct record record;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    for (unsigned i = 0; i < RECORD_HEX; i++) {
        static const char digits[] = "0123456789abcdef";
        for (unsigned bit = 1; bit < 16; bit <<= 1) {
            char *places[] = {&game->seed[i], &game->commitment[i]};
            for (unsigned j = 0; j < 2; j++) {
                char right = *places[j];
                unsigned value = (unsigned)(strchr(digits, right) - digits);
                *places[j] = digits[value ^ bit];
                assert_unfair(game, "fairness 1");
                *places[j] = right;
            }
        }
    }
    record_release(&record);
    fair_release(&fair);
}
END_TEST

START_TEST(a_flipped_bit_in_the_transcript_is_found)
{
    struct fair fair;
    struct record record;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    char *transcript = must_copy(game->transcript);
    game->transcript = transcript;
    for (size_t i = 0; transcript[i] != '\0'; i++) {
        for (unsigned bit = 1; bit < 256; bit <<= 1) {
            char right = transcript[i];
            transcript[i] = (char)(right ^ (char)bit);
            assert_unfair(game, NULL);
            transcript[i] = right;
        }
    }
    assert_legal(game);
    free(transcript);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

START_TEST(what_chance_gave_was_committed_to)
{
    struct fair fair;
    struct record record;
    unsigned chance = 0;
    fair_play(&fair, 9, chance);
    while (fair.shuffles == 0) {
        fair_release(&fair);
        fair_play(&fair, 9, ++chance);
    }
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    struct record_line *dealt = line_of(game, EVENT_DEALT, 1);
    struct record_line *revealed = line_of(game, RECORD_REVEALED, 1);
    /* Somebody else might have been given the same party. */
    uint8_t other = nth_seat(dealt->event.seats, 0);
    struct event right = dealt->event;
    dealt->event.seats ^= (seat_set)(seat_bit(other) | seat_bit(right.target));
    dealt->event.target = other;
    revealed->event.seats = dealt->event.seats;
    revealed->event.target = other;
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_BROKEN);
    verdict_release(&verdict);
    dealt->event = right;
    revealed->event.seats = right.seats;
    revealed->event.target = right.target;
    assert_legal(game);
    /* What lies under all that was drawn can't break a rule of the game. */
    struct record_line *shuffled = line_of(game, EVENT_RESHUFFLED, 0);
    struct pile pile = shuffled->event.cards;
    unsigned last = pile.count - 1;
    unsigned swapped = last;
    while (swapped > 0 &&
           pile_is_liberal(pile, swapped) == pile_is_liberal(pile, last)) {
        swapped--;
    }
    shuffled->event.cards.liberal ^= 1U << last | 1U << swapped;
    assert_unfair(game, NULL);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

START_TEST(a_proof_is_whole_or_none)
{
    struct fair fair;
    struct record record;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    struct record_game whole = *game;
    game->seed[0] = '\0';
    assert_unfair(game, "fairness 7");
    *game = whole;
    game->transcript = NULL;
    assert_unfair(game, "fairness 2");
    *game = whole;
    game->commitment[0] = '\0';
    assert_unfair(game, "fairness 1");
    game->transcript = NULL;
    assert_unfair(game, "fairness 1");
    game->seed[0] = '\0';
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_FINISHED);
    ck_assert_int_eq(verdict.proof, PROOF_NONE);
    verdict_release(&verdict);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("verify: proof");
    TCase *tcase = tcase_create("verify: proof");
    tcase_add_test(tcase, a_fair_game_is_proved_fair);
    tcase_add_test(tcase, a_flipped_bit_in_seed_or_commitment_is_found);
    tcase_add_test(tcase, a_flipped_bit_in_the_transcript_is_found);
    tcase_add_test(tcase, what_chance_gave_was_committed_to);
    tcase_add_test(tcase, a_proof_is_whole_or_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
