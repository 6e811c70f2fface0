/*
 * Simulated players: what they post is lawful, steady while a question is open,
 * and never made of what they must not know.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/reading/names.h"
#include "bot/local/sim_players.h"
#include "bot/local/strategy.h"
#include "tests/cli/sim_game.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

static const char *const presets[] = {"play-by-post", "official", "french"};

static bool
is_act(const struct posting *posting)
{
    const char *purpose = strrchr(posting->key, '.');
    return strcmp(purpose, ".act") == 0;
}

START_TEST(no_two_names_read_alike)
{
    unsigned count = 0;
    for (; actor_names[count] != NULL; count++) {
        for (unsigned i = 0; i < count; i++) {
            ck_assert_int_eq(names_compare(actor_names[i], actor_names[count]),
                             NAMES_APART);
        }
    }
    /* One may be dropped that reads like a person's own. */
    ck_assert_uint_gt(count, PLAYERS_MAX);
}
END_TEST

START_TEST(a_whim_is_the_same_for_the_same_purpose)
{
    const struct cast cast = {.seed = 42};
    struct whim one;
    struct whim same;
    struct whim other;
    unsigned differ = 0;
    whim_init(&one, &cast, "1", 3, 2, 1);
    whim_init(&same, &cast, "1", 3, 2, 1);
    whim_init(&other, &cast, "1", 3, 2, 2);
    for (unsigned i = 0; i < 64; i++) {
        unsigned thrown = whim_below(&one, 1000);
        ck_assert_uint_lt(thrown, 1000);
        ck_assert_uint_eq(thrown, whim_below(&same, 1000));
        differ += thrown != whim_below(&other, 1000);
    }
    ck_assert_uint_gt(differ, 32);
}
END_TEST

START_TEST(whims_reach_every_side)
{
    const struct cast cast = {.seed = 7};
    struct whim whim;
    unsigned thrown[6] = {0};
    whim_init(&whim, &cast, "1", 1, 1, 1);
    for (unsigned i = 0; i < 600; i++) {
        thrown[whim_below(&whim, 6)]++;
    }
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_uint_gt(thrown[i], 50);
    }
}
END_TEST

/* ---- schedules ----------------------------------------------------------- */

static void
assert_sane_schedule(const struct schedule *schedule, const struct table *table)
{
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct posting *posting = &schedule->list[i];
        ck_assert(i == 0 || schedule->list[i - 1].at <= posting->at);
        ck_assert_int_ge(posting->at, table->opened);
        ck_assert_uint_gt(strlen(posting->text), 0);
        ck_assert_uint_le(strlen(posting->key), BOARD_SHORT_MAX);
        ck_assert_uint_eq(table_seat(table, posting->author), posting->number);
        ck_assert(seat_in(posting->number, game_present(&table->game)));
        for (unsigned j = 0; j < i; j++) {
            ck_assert_str_ne(schedule->list[j].key, posting->key);
        }
    }
}

static bool
same_posting(const struct posting *one, const struct posting *other)
{
    return one->at == other->at && one->in_private == other->in_private &&
           one->opening == other->opening &&
           strcmp(one->author, other->author) == 0 &&
           strcmp(one->key, other->key) == 0 &&
           strcmp(one->text, other->text) == 0;
}

/* The next post of a seat (NO_SEAT: of anybody) from a place on. */
static unsigned
next_of(const struct schedule *schedule, unsigned place, unsigned seat)
{
    while (place < schedule->count && seat != NO_SEAT &&
           schedule->list[place].number != seat) {
        place++;
    }
    return place;
}

/* The posts of a seat (NO_SEAT: all) are the same, none is missing. */
static void
assert_same_posts(const struct schedule *one, const struct schedule *other,
                  unsigned seat)
{
    unsigned left = next_of(one, 0, seat);
    unsigned right = next_of(other, 0, seat);
    while (left < one->count && right < other->count) {
        ck_assert_msg(same_posting(&one->list[left], &other->list[right]),
                      "%s: \"%s\" and \"%s\"", one->list[left].key,
                      one->list[left].text, other->list[right].text);
        left = next_of(one, left + 1, seat);
        right = next_of(other, right + 1, seat);
    }
    ck_assert_uint_eq(left, one->count);
    ck_assert_uint_eq(right, other->count);
}

START_TEST(a_schedule_stays_while_its_question_is_open)
{
    struct sim_game sim_game;
    struct schedule *first = must_alloc(sizeof(*first));
    struct schedule *now = must_alloc(sizeof(*now));
    unsigned phase = 0;
    sim_game_begin(&sim_game, "b0a7", 8, presets[_i], "");
    while (sim_game_step(&sim_game) == SIM_TABLE_ACTED) {
        const struct table *table = stage_table(sim_game.room.stage);
        if (table == NULL || table->state != TABLE_RUNNING) {
            continue;
        }
        sim_players_schedule(&sim_game.sim_table->cast, table,
                             stage_catalogue(sim_game.room.stage, table), now);
        assert_sane_schedule(now, table);
        if (table->phase != phase) {
            phase = table->phase;
            *first = *now;
        }
        assert_same_posts(first, now, NO_SEAT);
    }
    ck_assert_uint_gt(phase, 10);
    free(first);
    free(now);
    sim_game_end(&sim_game);
}
END_TEST

/* All others have lost their seats. */
START_TEST(nobody_is_named_where_nobody_can_be)
{
    struct sim_game sim_game;
    struct table *alone = must_alloc(sizeof(*alone));
    struct schedule *schedule = must_alloc(sizeof(*schedule));
    const struct table *table = NULL;
    sim_game_begin(&sim_game, "a10e", 5, "play-by-post", "");
    do {
        ck_assert_int_eq(sim_game_step(&sim_game), SIM_TABLE_ACTED);
        table = stage_table(sim_game.room.stage);
    } while (table == NULL || table->state != TABLE_RUNNING);
    ck_assert_int_eq(table->game.question, QUESTION_NOMINATE);
    table_clone(alone, table);
    alone->game.vacant =
        alone->game.living & (seat_set)~seat_bit(table->game.president);
    sim_players_schedule(&sim_game.sim_table->cast, alone,
                         stage_catalogue(sim_game.room.stage, alone), schedule);
    for (unsigned i = 0; i < schedule->count; i++) {
        ck_assert_ptr_null(strstr(schedule->list[i].text, "**"));
    }
    table_release(alone);
    free(alone);
    free(schedule);
    sim_game_end(&sim_game);
}
END_TEST

/* ---- what may be known --------------------------------------------------- */

static unsigned
role_knowing_nothing(const struct game *game)
{
    unsigned seat = 0;
    while (game_role(game, seat) != ROLE_LIBERAL) {
        seat++;
    }
    return seat;
}

/* A table in which two other seats have changed their roles. */
static void
swap_roles(struct table *table, unsigned seat)
{
    struct game *game = &table->game;
    unsigned liberal = 0;
    while (liberal == seat || game_role(game, liberal) != ROLE_LIBERAL) {
        liberal++;
    }
    game->hitler = (uint8_t)liberal;
}

static void
turn_deck(struct game *game)
{
    uint32_t all = (1U << game->draw.count) - 1;
    game->draw.liberal = ~game->draw.liberal & all;
}

START_TEST(a_liberal_acts_the_same_whoever_is_hitler)
{
    struct sim_game sim_game;
    struct table *other = must_alloc(sizeof(*other));
    table_init(other);
    struct schedule *one = must_alloc(sizeof(*one));
    struct schedule *two = must_alloc(sizeof(*two));
    unsigned compared = 0;
    sim_game_begin(&sim_game, "d0d0", 7, "play-by-post", "");
    while (sim_game_step(&sim_game) == SIM_TABLE_ACTED) {
        const struct table *table = stage_table(sim_game.room.stage);
        if (table == NULL || table->state != TABLE_RUNNING) {
            continue;
        }
        if (table->past_count > 1) {
            break; /* now there are claims, which others made by their roles */
        }
        unsigned seat = role_knowing_nothing(&table->game);
        table_release(other);
        table_clone(other, table);
        swap_roles(other, seat);
        sim_players_schedule(&sim_game.sim_table->cast, table,
                             stage_catalogue(sim_game.room.stage, table), one);
        sim_players_schedule(&sim_game.sim_table->cast, other,
                             stage_catalogue(sim_game.room.stage, other), two);
        assert_same_posts(one, two, seat);
        compared++;
    }
    ck_assert_uint_gt(compared, 3);
    table_release(other);
    free(other);
    free(one);
    free(two);
    sim_game_end(&sim_game);
}
END_TEST

START_TEST(nobody_acts_on_the_deck_or_on_others_cards)
{
    struct sim_game sim_game;
    struct table *other = must_alloc(sizeof(*other));
    table_init(other);
    struct schedule *one = must_alloc(sizeof(*one));
    struct schedule *two = must_alloc(sizeof(*two));
    sim_game_begin(&sim_game, "c0de", 9, "official", "");
    while (sim_game_step(&sim_game) == SIM_TABLE_ACTED) {
        const struct table *table = stage_table(sim_game.room.stage);
        if (table == NULL || table->state != TABLE_RUNNING) {
            continue;
        }
        const struct game *game = &table->game;
        unsigned holder = NO_SEAT;
        if (game->question == QUESTION_DISCARD) {
            holder = game->president;
        } else if (game->question == QUESTION_ENACT) {
            holder = game->chancellor;
        }
        table_release(other);
        table_clone(other, table);
        turn_deck(&other->game);
        if (holder != NO_SEAT) {
            uint32_t all = (1U << game->hand.count) - 1;
            other->game.hand.liberal = ~game->hand.liberal & all;
        }
        sim_players_schedule(&sim_game.sim_table->cast, table,
                             stage_catalogue(sim_game.room.stage, table), one);
        sim_players_schedule(&sim_game.sim_table->cast, other,
                             stage_catalogue(sim_game.room.stage, other), two);
        for (unsigned seat = 0; seat < table->seated; seat++) {
            if (seat != holder) {
                assert_same_posts(one, two, seat);
            }
        }
    }
    table_release(other);
    free(other);
    free(one);
    free(two);
    sim_game_end(&sim_game);
}
END_TEST

START_TEST(a_persons_posts_are_their_own)
{
    struct sim_game sim_game;
    bool in_private = false;
    unsigned steps = 0;
    sim_game_begin(&sim_game, "ba5e", 6, "play-by-post", "Newcomer");
    while (sim_game_step(&sim_game) == SIM_TABLE_ACTED) {
        ck_assert_uint_lt(steps++, STEPS_MAX);
    }
    ck_assert(sim_table_awaits(sim_game.sim_table, &in_private));
    const struct schedule *schedule = &sim_game.sim_table->schedule;
    for (unsigned i = 0; i < schedule->count; i++) {
        ck_assert_str_ne(schedule->list[i].author, "Newcomer");
    }
    /* What is said before the person is asked was said, and nothing was done
     * over their head. */
    const struct posting *next = sim_game_next(&sim_game);
    ck_assert(next == NULL || !next->opening);
    sim_game_end(&sim_game);
}
END_TEST

/* ---- whole games --------------------------------------------------------- */

/* What was seen in games: of a record, and of keys. */
struct tally {
    unsigned games, rounds, most_rounds;
    unsigned claims, deadlines, rejected, liberal_wins;
};

static unsigned
count_text(const char *text, const char *part)
{
    unsigned count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) {
        count++;
    }
    return count;
}

/* Whoever posts the act that is due is awaited no more. */
static void
assert_act_counts(const struct sim_game *sim_game, unsigned phase,
                  unsigned seat)
{
    const struct table *table = stage_table(sim_game->room.stage);
    if (table == NULL || table->phase != phase) {
        return;
    }
    ck_assert_msg(!seat_in(seat, game_awaits(&table->game).seats),
                  "%s is still awaited in phase %u", table->seats[seat].name,
                  phase);
}

static void
watch_game(struct sim_game *sim_game, struct tally *tally)
{
    unsigned steps = 0;
    enum sim_table_turn turn = SIM_TABLE_ACTED;
    while (turn == SIM_TABLE_ACTED) {
        bool posted[SCHEDULE_MAX];
        unsigned phase = sim_game->sim_table->phase;
        memcpy(posted, sim_game->sim_table->posted, sizeof(posted));
        turn = sim_game_step(sim_game);
        ck_assert_uint_lt(steps++, STEPS_MAX);
        if (sim_game->sim_table->phase != phase || phase == 0) {
            continue;
        }
        for (unsigned i = 0; i < sim_game->sim_table->schedule.count; i++) {
            const struct posting *posting =
                &sim_game->sim_table->schedule.list[i];
            if (posted[i] || !sim_game->sim_table->posted[i]) {
                continue;
            }
            tally->claims += strstr(posting->text, "→") != NULL;
            if (is_act(posting)) {
                assert_act_counts(sim_game, phase, posting->number);
            }
        }
    }
    ck_assert_int_eq(turn, SIM_TABLE_OVER);
}

static void
look_at_record(struct sim_game *sim_game, struct tally *tally)
{
    struct buf record = BUF_INIT;
    room_record(&sim_game->room, "1", &record);
    const char *text = buf_text(&record);
    unsigned rounds = count_text(text, "\"event\":\"round\"");
    ck_assert_uint_eq(count_text(text, "\"event\":\"ended\""), 1);
    ck_assert_uint_eq(count_text(text, "\"abandoned\""), 0);
    tally->games++;
    tally->rounds += rounds;
    if (rounds > tally->most_rounds) {
        tally->most_rounds = rounds;
    }
    tally->deadlines += count_text(text, "\"reason\":\"deadline\"");
    tally->rejected += count_text(text, "\"elected\":false");
    tally->liberal_wins += count_text(text, "\"winner\":\"liberal\"");
    buf_release(&record);
}

/* Three presets, tables of every size. */
START_TEST(games_of_every_size_come_to_an_end)
{
    struct tally tally = {0};
    const char *const seeds[] = {"5ec7e7", "1", "feed"};
    unsigned each = effort_of(sizeof(seeds) / sizeof(seeds[0]));
    each = each > 3 ? 3 : each;
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        for (unsigned i = 0; i < each; i++) {
            struct sim_game sim_game;
            sim_game_begin(&sim_game, seeds[i], players, presets[_i], "");
            watch_game(&sim_game, &tally);
            look_at_record(&sim_game, &tally);
            sim_game_end(&sim_game);
        }
    }
    ck_assert_uint_eq(tally.games, 6UL * each);
    ck_assert_uint_le(tally.most_rounds, 40);
    ck_assert_uint_ge(tally.rounds / tally.games, 5);
    ck_assert_uint_le(tally.rounds / tally.games, 20);
    /* They claim, dawdle and disagree; both sides win. */
    ck_assert_uint_gt(tally.claims, tally.rounds / 2);
    ck_assert_uint_gt(tally.deadlines, 0);
    ck_assert_uint_gt(tally.rejected, tally.deadlines);
    ck_assert_uint_gt(tally.liberal_wins, 0);
    ck_assert_uint_lt(tally.liberal_wins, tally.games);
}
END_TEST

START_TEST(short_deadlines_are_kept_too)
{
    struct sim_game sim_game;
    struct tally tally = {0};
    memset(&sim_game, 0, sizeof(sim_game));
    room_init(&sim_game.room);
    room_set(&sim_game.room, "election", "2m");
    room_set(&sim_game.room, "nomination", "1m");
    room_set(&sim_game.room, "president", "1m");
    room_set(&sim_game.room, "chancellor", "1m");
    room_set(&sim_game.room, "veto", "1m");
    room_set(&sim_game.room, "power", "1m");
    sim_game.room.fair = true;
    sim_game.plan.players = 5;
    sim_game.plan.start = sim_game.room.now;
    sim_game_enter(&sim_game);
    watch_game(&sim_game, &tally);
    sim_game_end(&sim_game);
}
END_TEST

START_TEST(a_host_that_waits_for_cards_gets_them)
{
    struct sim_game sim_game;
    struct tally tally = {0};
    memset(&sim_game, 0, sizeof(sim_game));
    room_init(&sim_game.room);
    room_set(&sim_game.room, "cards_timeout", "wait");
    room_set(&sim_game.room, "power_timeout", "wait");
    room_set(&sim_game.room, "grace", "6h");
    sim_game.room.fair = true;
    sim_game.room.seed = "77";
    sim_game.plan.players = 10;
    sim_game.plan.start = sim_game.room.now;
    sim_game_enter(&sim_game);
    watch_game(&sim_game, &tally);
    sim_game_end(&sim_game);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim_players");
    TCase *tests = tcase_create("sim_players");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, no_two_names_read_alike);
    tcase_add_test(tests, a_whim_is_the_same_for_the_same_purpose);
    tcase_add_test(tests, whims_reach_every_side);
    tcase_add_loop_test(tests, a_schedule_stays_while_its_question_is_open, 0,
                        3);
    tcase_add_test(tests, nobody_is_named_where_nobody_can_be);
    tcase_add_test(tests, a_liberal_acts_the_same_whoever_is_hitler);
    tcase_add_test(tests, nobody_acts_on_the_deck_or_on_others_cards);
    tcase_add_test(tests, a_persons_posts_are_their_own);
    tcase_add_loop_test(tests, games_of_every_size_come_to_an_end, 0, 3);
    tcase_add_test(tests, short_deadlines_are_kept_too);
    tcase_add_test(tests, a_host_that_waits_for_cards_gets_them);
    suite_add_tcase(suite, tests);
    return suite;
}
