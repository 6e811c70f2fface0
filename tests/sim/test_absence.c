/*
 * The host is stopped, for a minute to forty hours, at every point of whole
 * games, while players act: nothing of that is lost, nobody has missed
 * anything, and nobody pays for what they were not asked.
 *
 * A game is played up to a point; then the host is stopped, and goes on; and
 * then the game is played to its end.  `make test` tries some of the points;
 * another PLACARD_SEED tries others.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static const int64_t pauses[] = {
    MINUTE_MS, 20 * MINUTE_MS, 3 * HOUR_MS, 26 * HOUR_MS, 40 * HOUR_MS,
};

/* What the players do meanwhile. */
enum moment {
    MOMENT_EARLY, /* one of those who are awaited acts soon */
    MOMENT_LAST,  /* just before the time is up, or the host is back */
    MOMENT_NONE,  /* nobody acts */
};

/* The games: with votes in public or sealed, and with whatever else gives a
 * deadline its time. */
static const struct {
    unsigned players;
    const char *key, *value; /* a setting; NULL: as they are */
} games[] = {
    {7, NULL, NULL},
    {5, "ballot", "sealed"},
    {9, "second_thought", "15m"},
    {6, "quiet", "22:00-08:00"},
};

enum {
    PAUSES = sizeof pauses / sizeof pauses[0],
    MOMENTS = 3,
    GAMES = sizeof games / sizeof games[0],
    POINTS = 250, /* no game has more */
    ALL = GAMES * PAUSES * MOMENTS * POINTS,
    STRIDE = 7883, /* from one that is tried to the next: all are, in the end */
    USUAL = 16,
    STEPS_MAX = 2000,
};

static unsigned long seed;
static struct room room;

static void
begin(unsigned game, struct dice *dice)
{
    room_init(&room);
    room.no_leaps = true;
    room.prompt = true;
    if (games[game].key != NULL) {
        room_set(&room, games[game].key, games[game].value);
    }
    room_open(&room);
    room_begin(&room, games[game].players);
    dice->state = 2 * game + 1;
}

/* Is the game on?  It is over when no table is. */
static bool
is_on(void)
{
    return stage_table(room.stage) != NULL;
}

/* How far the game is: each act moves it. */
static unsigned
progress(void)
{
    const struct table *table = stage_table(room.stage);
    unsigned votes = 0;
    if (table == NULL) {
        return UINT32_MAX;
    }
    for (seat_set rest = table->game.voted; rest != 0;
         rest &= (seat_set)(rest - 1)) {
        votes++;
    }
    return 100 * table->phase + votes + (table->announced == NO_SEAT ? 0 : 50);
}

/* Somebody does what is asked, and the host is there.  An execution that is
 * announced is left to be done. */
static void
play_on(struct dice *dice)
{
    if (room_table(&room)->announced != NO_SEAT) {
        room_expires(&room);
    } else {
        (void)room_improvise(&room, dice);
    }
    room_settle(&room);
}

/* How long the host is stopped before somebody acts. */
static int64_t
time_of(enum moment moment, int64_t pause)
{
    int64_t left = room_table(&room)->deadline - room.stage->now;
    int64_t time = moment == MOMENT_EARLY ? pause / 3 : pause - 5 * SECOND_MS;
    return time < left - 5 * SECOND_MS ? time : left - 5 * SECOND_MS;
}

static void
assert_nobody_pays(void)
{
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 0);
    ck_assert_uint_eq(room_count_said(&room, "drew a card at random"), 0);
    if (is_on()) {
        const struct table *table = room_table(&room);
        for (unsigned seat = 0; seat < table->seated; seat++) {
            ck_assert_uint_eq(table_misses(table, seat), 0);
        }
    }
}

/* Whoever is waited for still has time: a quarter of it, if as much was left.
 */
static void
assert_time_is_left(int64_t left)
{
    const struct table *table = room_table(&room);
    int64_t least = left < table->length ? left : table->length;
    ck_assert_int_gt(table->deadline, room.stage->now);
    ck_assert_int_ge(table->deadline - room.stage->now,
                     least / 4 - 30 * MINUTE_MS);
}

static void
stop(int64_t pause, enum moment moment, struct dice *dice)
{
    unsigned before = progress();
    int64_t ends = room.stage->now + pause;
    int64_t left = room_table(&room)->deadline - room.stage->now;
    bool aimed = room_table(&room)->announced != NO_SEAT;
    if (moment != MOMENT_NONE) {
        room.stage->now += time_of(moment, pause);
        (void)room_improvise(&room, dice);
    }
    room.stage->now = ends > room.stage->now ? ends : room.stage->now;
    room_reopen(&room);
    room_settle(&room);
    assert_nobody_pays();
    if (aimed) {
        return; /* nobody is asked, and the execution may be done by now */
    }
    if (moment == MOMENT_NONE) {
        ck_assert_uint_eq(progress(), before);
        assert_time_is_left(left);
    } else {
        ck_assert_uint_gt(progress(), before);
    }
}

/* Play a game that is stopped at a point; 0, or where it ended before. */
static unsigned
play_stopped(unsigned game, int64_t pause, enum moment moment, unsigned point)
{
    struct dice dice;
    struct buf record = BUF_INIT;
    unsigned step = 0;
    begin(game, &dice);
    while (step < point && is_on()) {
        play_on(&dice);
        step++;
    }
    unsigned ended = is_on() ? 0 : step;
    if (ended == 0) {
        stop(pause, moment, &dice);
    }
    while (is_on() && step++ < STEPS_MAX) {
        play_on(&dice);
    }
    ck_assert(!is_on());
    assert_nobody_pays();
    room_record(&room, "1", &record);
    assert_lacks(buf_text(&record), ":\"deadline\"");
    buf_release(&record);
    room_release(&room);
    return ended;
}

START_TEST(a_host_that_was_stopped_takes_nothing_from_anybody)
{
    unsigned which = (unsigned)((seed + (unsigned long)_i * STRIDE) % ALL);
    enum moment moment = (enum moment)(which % MOMENTS);
    int64_t pause = pauses[which / MOMENTS % PAUSES];
    unsigned game = which / MOMENTS / PAUSES % GAMES;
    unsigned point = which / MOMENTS / PAUSES / GAMES;
    printf("game %u, point %u, %lld minutes, moment %d\n", game, point,
           (long long)(pause / MINUTE_MS), (int)moment);
    (void)fflush(stdout);
    unsigned ended = play_stopped(game, pause, moment, point);
    if (ended != 0 && effort_percent() <= EFFORT_LONG) {
        (void)play_stopped(game, pause, moment, point % ended);
    }
}
END_TEST

Suite *
test_suite(void)
{
    const char *said = getenv("PLACARD_SEED");
    Suite *suite = suite_create("sim/absence");
    TCase *tcase = tcase_create("absence");
    seed = said == NULL ? 1 : strtoul(said, NULL, 10) % ALL;
    printf("points by PLACARD_SEED=%lu\n", seed);
    tcase_add_loop_test(tcase,
                        a_host_that_was_stopped_takes_nothing_from_anybody, 0,
                        (int)effort_of(USUAL));
    suite_add_tcase(suite, tcase);
    return suite;
}
