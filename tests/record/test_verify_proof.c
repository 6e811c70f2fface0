/*
 * The verifier: the fairness proof holds, and nothing else does.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/base/files.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"
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
                           scripted_names);
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
                        scripted_names, players, buf_text(&fair->transcript),
                        NULL);
    fair_step(fair, deal_game(fair->key, players));
    while (!game_is_over(&fair->game)) {
        fair_step(fair, fair_command(fair));
    }
    record_write_revealed(&fair->text, (struct record_head){fair->seq++, 0},
                          fair->seed, &fair->game, scripted_names);
}

static void
fair_release(struct fair *fair)
{
    buf_release(&fair->commitment);
    buf_release(&fair->transcript);
    buf_release(&fair->text);
}

/* The part that does not hold is the one that was changed. */
static void
assert_part(const struct record_game *game, const char *part)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_BROKEN);
    ck_assert_msg(strncmp(buf_text(&verdict.why), part, strlen(part)) == 0,
                  "%s: %s", part, buf_text(&verdict.why));
    verdict_release(&verdict);
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

/* Somebody in it was forgotten: the key stands in for the transcript, and all
 * that follows from it is still checked. */
START_TEST(a_key_proves_what_follows_from_it)
{
    struct fair fair;
    struct record record;
    struct verdict verdict;
    struct buf key = BUF_INIT;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    const char *transcript = game->transcript;
    buf_add_hex(&key, fair.key, sizeof fair.key);
    game->transcript = NULL;
    memcpy(game->key, buf_text(&key), sizeof game->key);
    verify_game(game, &verdict);
    ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "%s",
                  buf_text(&verdict.why));
    ck_assert_int_eq(verdict.proof, PROOF_KEY);
    verdict_release(&verdict);
    for (unsigned i = 0; i < RECORD_HEX; i++) {
        char digit = game->key[i];
        game->key[i] = digit == '0' ? '1' : '0';
        assert_unfair(game, NULL);
        game->key[i] = digit;
    }
    game->seed[0] = game->seed[0] == '0' ? '1' : '0';
    assert_part(game, "the commitment does not hold");
    game->seed[0] = game->seed[0] == '0' ? '1' : '0';
    game->transcript = transcript; /* both are too much */
    assert_part(game, "there is a key beside the transcript");
    buf_release(&key);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

/* Worked out by hand in bot/record/README.md. */
START_TEST(the_game_of_the_readme_is_proved_fair)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record record;
    struct verdict verdict;
    ck_assert_int_eq(file_read("tests/fixtures/record/fair.jsonl", &text, &why),
                     ERR_NONE);
    read_text(&text, &record);
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "%s",
                  buf_text(&verdict.why));
    ck_assert_int_eq(verdict.proof, PROOF_HOLDS);
    ck_assert_str_eq(
        record.games[0].commitment,
        "d51338763dc42a3fc6fae6dfd316893e6b2e78f4abf6554aeff052b5af1bd0b3");
    verdict_release(&verdict);
    record_release(&record);
    buf_release(&text);
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
                assert_part(game, "the commitment");
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
            assert_unfair(game, "fairness 2");
            transcript[i] = right;
        }
    }
    assert_legal(game);
    free(transcript);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

/* The last tile of a pile that differs from the one at the bottom: neither is
 * drawn, or both are shuffled again, so that no rule of the game is broken. */
static void
swap_bottom(struct pile *pile)
{
    unsigned last = pile->count - 1U;
    unsigned swapped = last;
    while (swapped > 0 &&
           pile_is_liberal(*pile, swapped) == pile_is_liberal(*pile, last)) {
        swapped--;
    }
    pile->liberal ^= 1U << last | 1U << swapped;
}

START_TEST(another_reshuffle_does_not_hold)
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
    struct record_line *shuffled = line_of(game, EVENT_RESHUFFLED, 0);
    struct pile pile = shuffled->event.cards;
    swap_bottom(&shuffled->event.cards);
    assert_part(game, "reshuffle ");
    shuffled->event.cards = pile;
    assert_legal(game);
    record_release(&record);
    fair_release(&fair);
}
END_TEST

/* A game of which little was played, with another deal. */
static void
assert_other_deal(struct command command, const char *part)
{
    struct fair fair;
    struct record record;
    struct rules rules;
    memset(&fair, 0, sizeof fair);
    ck_assert(rules_set_preset(&rules, "official"));
    fair_commit(&fair);
    fair_sign_up(&fair, 7);
    struct command deal = deal_game(fair.key, 7);
    game_init(&fair.game, 7, &rules);
    record_write_opened(&fair.text, (struct record_head){fair.seq++, 0},
                        "fair-1", "official", &rules,
                        buf_text(&fair.commitment));
    record_write_seated(&fair.text, (struct record_head){fair.seq++, 0},
                        scripted_names, 7, buf_text(&fair.transcript), NULL);
    deal.hitler ^= command.hitler;
    deal.fascists ^= command.fascists;
    deal.first = (uint8_t)((deal.first + command.first) % 7);
    deal.tiles.liberal ^= command.tiles.liberal;
    fair_step(&fair, deal);
    fair_step(&fair, (struct command){.kind = COMMAND_ABANDON});
    record_write_revealed(&fair.text, (struct record_head){fair.seq++, 0},
                          fair.seed, &fair.game, scripted_names);
    read_text(&fair.text, &record);
    if (part == NULL) {
        assert_legal(&record.games[0]);
    } else {
        assert_part(&record.games[0], part);
    }
    record_release(&record);
    fair_release(&fair);
}

START_TEST(another_deal_does_not_hold)
{
    struct fair fair;
    memset(&fair, 0, sizeof fair);
    fair_commit(&fair);
    fair_sign_up(&fair, 7);
    struct command right = deal_game(fair.key, 7);
    struct command none = {.hitler = 0};
    assert_other_deal(none, NULL);
    for (unsigned by = 1; by < 7; by++) {
        struct command other = none;
        other.first = (uint8_t)by;
        assert_other_deal(other, "the first candidate does not hold");
    }
    for (unsigned seat = 0; seat < 7; seat++) {
        struct command other = none;
        uint8_t fascist = nth_seat(right.fascists, 0);
        if (seat == right.hitler || seat_in(seat, right.fascists)) {
            continue;
        }
        other.fascists = (seat_set)(seat_bit(seat) | seat_bit(fascist));
        assert_other_deal(other, "the roles do not hold");
    }
    for (unsigned one = 0; one < TILES; one++) {
        for (unsigned two = 0; two < one; two++) {
            struct command other = none;
            if (pile_is_liberal(right.tiles, one) !=
                pile_is_liberal(right.tiles, two)) {
                other.tiles.liberal = 1U << one | 1U << two;
                assert_other_deal(other, "the deck does not hold");
            }
        }
    }
    fair_release(&fair);
}
END_TEST

START_TEST(other_lots_do_not_hold)
{
    struct fair fair;
    struct record record;
    unsigned named = 0;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    /* The lots of a discard fall on another card of the same hand. */
    for (size_t i = 0; i + 1 < game->line_count; i++) {
        struct record_line *passed = &game->lines[i + 1];
        struct verdict verdict;
        if (game->lines[i].kind != EVENT_LOTS || passed->kind != EVENT_PASSED) {
            continue;
        }
        struct event right = passed->event;
        unsigned liberals =
            pile_liberals(right.cards) + (right.is_liberal ? 1 : 0);
        if (liberals % 3 == 0) {
            continue;
        }
        for (unsigned first = 0; first < 4; first++) {
            passed->event.is_liberal = !right.is_liberal;
            passed->event.cards.liberal = first;
            verify_game(game, &verdict);
            ck_assert_int_eq(verdict.legality, LEGALITY_BROKEN);
            named += strncmp(buf_text(&verdict.why), "lots ", 5) == 0;
            verdict_release(&verdict);
        }
        passed->event = right;
    }
    ck_assert_uint_gt(named, 0);
    assert_legal(game);
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

START_TEST(a_transcript_is_judged_before_the_seed_is_shown)
{
    struct fair fair;
    struct record record;
    struct verdict verdict;
    fair_play(&fair, 7, 4);
    read_text(&fair.text, &record);
    struct record_game *game = &record.games[0];
    const char *right = game->transcript;
    char *other = must_copy(right);
    game->line_count--; /* without `revealed` */
    game->transcript = NULL;
    assert_unfair(game, "fairness 2");
    /* One digit of what it says was committed to. */
    char *digit = strstr(other, "commit: ") + strlen("commit: ");
    *digit = *digit == '0' ? '1' : '0';
    game->transcript = other;
    assert_unfair(game, "fairness 2");
    game->transcript = right;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.proof, PROOF_OPEN);
    verdict_release(&verdict);
    game->line_count = 2; /* nothing is dealt yet */
    game->transcript = NULL;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.proof, PROOF_OPEN);
    verdict_release(&verdict);
    free(other);
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
    tcase_add_test(tcase, a_key_proves_what_follows_from_it);
    tcase_add_test(tcase, the_game_of_the_readme_is_proved_fair);
    tcase_add_test(tcase, a_flipped_bit_in_seed_or_commitment_is_found);
    tcase_add_test(tcase, a_flipped_bit_in_the_transcript_is_found);
    tcase_add_test(tcase, another_reshuffle_does_not_hold);
    tcase_add_test(tcase, another_deal_does_not_hold);
    tcase_add_test(tcase, other_lots_do_not_hold);
    tcase_add_test(tcase, a_proof_is_whole_or_none);
    tcase_add_test(tcase, a_transcript_is_judged_before_the_seed_is_shown);
    suite_add_tcase(suite, tcase);
    return suite;
}
