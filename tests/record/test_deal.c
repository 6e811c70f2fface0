/*
 * The expected values were worked out without this program.  Each block of a
 * stream can be had with
 *
 *   printf 'deck/0/0' |
 *       openssl dgst -sha256 -mac HMAC -macopt hexkey:$K
 *
 * ($K in hex; K itself the same way from R and the transcript), and Python 3
 * does the rest:
 *
 *   import hmac
 *   def words(label):
 *       for i in range(99):
 *           b = hmac.digest(K, b"%s/%d" % (label, i), "sha256")
 *           yield from (int.from_bytes(b[j:j+4], "big")
 *                       for j in range(0, 32, 4))
 *   def draw(stream, n):
 *       return next(w for w in stream if w < 2**32 // n * n) % n
 *   def shuffle(label, items):
 *       items, stream = list(items), words(label)
 *       for i in range(len(items) - 1, 0, -1):
 *           j = draw(stream, i + 1)
 *           items[i], items[j] = items[j], items[i]
 *       return items
 *   shuffle(b"deck/0", 6 * "L" + 11 * "F")
 */
#include <string.h>

#include "bot/base/buf.h"
#include "bot/record/deal.h"
#include "tests/support/runner.h"

/* R is the bytes 00 01 02 … 1f. */
static const char transcript[] =
    "SH-DEAL-1\n"
    "game: demo-1\n"
    "commit: "
    "ea30550292e1f7e25dfc009e6d3566827a4be4ebb515e53201d85ef08aa5cea9\n"
    "rules: "
    "0000000000000000000000000000000000000000000000000000000000000000\n"
    "player: user1 101\n"
    "player: user2 102\n"
    "player: user3 103\n"
    "player: user4 104\n"
    "player: user5 105\n"
    "player: user6 106\n"
    "player: user7 107\n"
    "entropy: horse battery\n";

static void
some_secret(unsigned char secret[DEAL_SECRET])
{
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        secret[i] = (unsigned char)i;
    }
}

static void
some_key(unsigned char key[DEAL_KEY])
{
    unsigned char secret[DEAL_SECRET];
    some_secret(secret);
    deal_key(secret, transcript, strlen(transcript), key);
}

static void
assert_tiles(struct pile pile, const char *tiles)
{
    char got[TILES + 1] = "";
    ck_assert_uint_le(pile.count, TILES);
    for (unsigned i = 0; i < pile.count; i++) {
        got[i] = pile_is_liberal(pile, i) ? 'L' : 'F';
    }
    ck_assert_str_eq(got, tiles);
    ck_assert_uint_eq(pile.liberal >> pile.count, 0);
}

static void
assert_ends(const char *text, const char *end)
{
    size_t len = strlen(end);
    ck_assert_uint_ge(strlen(text), len);
    ck_assert_str_eq(text + strlen(text) - len, end);
}

START_TEST(the_commitment_is_the_hash_of_secret_and_game)
{
    unsigned char secret[DEAL_SECRET];
    char commitment[DEAL_HEX + 1];
    some_secret(secret);
    /* printf 'SH-DEAL-1 %s %s\n' demo-1 $R | sha256sum */
    deal_commit(secret, "demo-1", commitment);
    ck_assert_str_eq(
        commitment,
        "ea30550292e1f7e25dfc009e6d3566827a4be4ebb515e53201d85ef08aa5cea9");
}
END_TEST

START_TEST(a_transcript_is_these_lines)
{
    static const struct deal_player players[] = {
        {"@anna:example.org", "$event-1", "horse battery"},
        {"Bob the 100% `builder`", "17", ""},
        {"Carl", "", "Z\xC3\xBCrich"},
    };
    struct rules rules;
    struct buf text = BUF_INIT;
    ck_assert(rules_set_preset(&rules, "official"));
    deal_transcript("g-7", "c0ffee", "official", &rules, players, 3, &text);
    /* printf '%s\n' preset=official hitler_knows_fascists=small
     *     term_limit=last_elected president_term_limit=over_five_living
     *     tracker_resets_on=policy ballot=sealed vote_closes=all | sha256sum */
    ck_assert_str_eq(
        buf_text(&text),
        "SH-DEAL-1\n"
        "game: g-7\n"
        "commit: c0ffee\n"
        "rules: "
        "7f0f3a6732a88ca4bd18b0f2001256c8d140e9bd2d00ef5e964b5fc259c3b404\n"
        "player: @anna:example.org $event-1\n"
        "player: Bob%20the%20100%25%20%60builder%60 17\n"
        "player: Carl -\n"
        "entropy: horse battery Z\xC3\xBCrich\n");
    buf_release(&text);
    deal_transcript("g-7", "c0ffee", "official", &rules, players + 1, 1, &text);
    assert_ends(buf_text(&text), "\nentropy:\n");
    buf_release(&text);
    /* The same lines and chaos_power=on: a house rule that is on. */
    ck_assert(rules_set(&rules, "chaos_power", "on"));
    deal_heading("g-7", "c0ffee", "official", &rules, &text);
    assert_ends(
        buf_text(&text),
        "\nrules: d48b15c7fbdeeef94cc9c382683d1bca82b0d1dd9e75cce67b5822b7efabb835\n");
    buf_release(&text);
}
END_TEST

START_TEST(the_key_is_the_hmac_of_the_transcript)
{
    unsigned char key[DEAL_KEY];
    some_key(key);
    struct buf hex = BUF_INIT;
    buf_add_hex(&hex, key, sizeof key);
    ck_assert_str_eq(
        buf_text(&hex),
        "c42bf07865fd5a9bc5d076e8ef6525af84f66e780d993064024626b32159ea78");
    buf_release(&hex);
}
END_TEST

START_TEST(a_flipped_bit_of_secret_or_transcript_gives_another_key)
{
    unsigned char key[DEAL_KEY];
    some_key(key);
    unsigned char secret[DEAL_SECRET];
    unsigned char other[DEAL_KEY];
    for (unsigned bit = 0; bit < 8 * DEAL_SECRET; bit++) {
        some_secret(secret);
        secret[bit / 8] ^= (unsigned char)(1U << bit % 8);
        deal_key(secret, transcript, strlen(transcript), other);
        ck_assert_mem_ne(other, key, sizeof key);
    }
    some_secret(secret);
    char text[sizeof transcript];
    for (size_t bit = 0; bit < 8 * (sizeof text - 1); bit++) {
        memcpy(text, transcript, sizeof text);
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        deal_key(secret, text, sizeof text - 1, other);
        ck_assert_mem_ne(other, key, sizeof key);
    }
}
END_TEST

START_TEST(seats_are_the_sign_up_order_shuffled)
{
    static const uint8_t seven[] = {1, 0, 3, 5, 2, 6, 4};
    static const uint8_t ten[] = {2, 3, 7, 8, 1, 6, 5, 0, 4, 9};
    unsigned char key[DEAL_KEY];
    some_key(key);
    uint8_t order[PLAYERS_MAX];
    deal_seats(key, 7, order);
    ck_assert_mem_eq(order, seven, sizeof seven);
    deal_seats(key, 10, order);
    ck_assert_mem_eq(order, ten, sizeof ten);
}
END_TEST

START_TEST(roles_first_candidate_and_deck_are_those_worked_out_by_hand)
{
    static const struct {
        const char *roles;
        unsigned first;
    } expected[] = {
        {"LLHFL", 2},    {"LFLHLL", 4},    {"HFLLLFL", 3},
        {"FFLLLHLL", 2}, {"FLLFHLFLL", 1}, {"LLLLFFFHLL", 2},
    };
    unsigned char key[DEAL_KEY];
    some_key(key);
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct command command = deal_game(key, players);
        char roles[PLAYERS_MAX + 1] = "";
        for (unsigned seat = 0; seat < players; seat++) {
            bool fascist = seat_in(seat, command.fascists);
            roles[seat] = fascist ? 'F' : 'L';
        }
        ck_assert_uint_lt(command.hitler, players);
        ck_assert_int_eq(roles[command.hitler], 'L');
        roles[command.hitler] = 'H';
        ck_assert_str_eq(roles, expected[players - PLAYERS_MIN].roles);
        ck_assert_uint_eq(command.first, expected[players - PLAYERS_MIN].first);
        assert_tiles(command.tiles, "FFLFLLFFFFLLLFFFF");
    }
}
END_TEST

START_TEST(the_engine_accepts_the_deal)
{
    unsigned char key[DEAL_KEY];
    some_key(key);
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "play-by-post"));
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct game game;
        struct events events;
        game_init(&game, players, &rules);
        struct command command = deal_game(key, players);
        ck_assert_uint_eq(game_step(&game, &command, &events), REFUSAL_NONE);
        ck_assert_uint_eq(game.president, command.first);
    }
}
END_TEST

START_TEST(each_reshuffle_has_a_stream_of_its_own)
{
    unsigned char key[DEAL_KEY];
    some_key(key);
    struct command command = deal_reshuffle(key, 1, 5, 7);
    ck_assert_uint_eq(command.kind, COMMAND_RESHUFFLE);
    assert_tiles(command.tiles, "FFLFFLFFFLLL");
    assert_tiles(deal_reshuffle(key, 2, 3, 0).tiles, "LLL");
    assert_tiles(deal_reshuffle(key, 3, 0, 4).tiles, "FFFF");
    assert_tiles(deal_reshuffle(key, 17, 6, 11).tiles, "FFLFFLFLFFLFLFLFF");
    assert_tiles(deal_reshuffle(key, UINT32_MAX, 2, 3).tiles, "FFFLL");
    assert_tiles(deal_reshuffle(key, 1, 0, 0).tiles, "");
}
END_TEST

START_TEST(lots_are_one_draw_each)
{
    unsigned char key[DEAL_KEY];
    some_key(key);
    ck_assert_uint_eq(deal_lots(key, 1, 3), 1);
    ck_assert_uint_eq(deal_lots(key, 2, 2), 0);
    ck_assert_uint_eq(deal_lots(key, 3, 1), 0);
    ck_assert_uint_eq(deal_lots(key, 4, 9), 8);
    ck_assert_uint_eq(deal_lots(key, 1000, 7), 1);
}
END_TEST

/* A bound of 3·10^9 passes over three words in ten; with the bounds of a game
 * it would take a thousand million draws to see one. */
START_TEST(words_beyond_the_last_multiple_are_passed_over)
{
    static const unsigned expected[] = {
        2626493887, 1004341056, 136486856, /* three passed over */
        2540330855, 1779981610,            /* one */
        2464567837, 3259699,    709419555,
    };
    unsigned char key[DEAL_KEY];
    some_key(key);
    for (unsigned k = 1; k <= 8; k++) {
        ck_assert_uint_eq(deal_lots(key, k, 3000000000), expected[k - 1]);
    }
}
END_TEST

START_TEST(two_throws_differ)
{
    unsigned char one[DEAL_SECRET] = {0};
    unsigned char other[DEAL_SECRET] = {0};
    deal_generate_secret(one);
    deal_generate_secret(other);
    ck_assert_mem_ne(one, other, sizeof one);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("deal");
    TCase *tcase = tcase_create("deal");
    tcase_add_test(tcase, the_commitment_is_the_hash_of_secret_and_game);
    tcase_add_test(tcase, a_transcript_is_these_lines);
    tcase_add_test(tcase, the_key_is_the_hmac_of_the_transcript);
    tcase_add_test(tcase,
                   a_flipped_bit_of_secret_or_transcript_gives_another_key);
    tcase_add_test(tcase, seats_are_the_sign_up_order_shuffled);
    tcase_add_test(tcase,
                   roles_first_candidate_and_deck_are_those_worked_out_by_hand);
    tcase_add_test(tcase, the_engine_accepts_the_deal);
    tcase_add_test(tcase, each_reshuffle_has_a_stream_of_its_own);
    tcase_add_test(tcase, lots_are_one_draw_each);
    tcase_add_test(tcase, words_beyond_the_last_multiple_are_passed_over);
    tcase_add_test(tcase, two_throws_differ);
    suite_add_tcase(suite, tcase);
    return suite;
}
