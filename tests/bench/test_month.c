/*
 * A month of the bench in small: whatever happens to the doorbell, people are
 * answered soon, though all feeds are to be read again.  All times are those of
 * the service: no speed is measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "tests/bench/month.h"
#include "tests/support/runner.h"

enum {
    GAMES = 100, /* with 700 DMs: to read them all takes 18 s, and 3 to 5 those
                    in which something may be new */
    GUILDS = 4,
    SOON_MS = 8000
};

static char folder[32];

static void
set_up(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    (void)snprintf(folder, sizeof folder, "%s/placard-test-XXXXXX",
                   memory ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void
tear_down(void)
{
    static const char *const names[] = {"placard.cfg",   "store.db",
                                        "store.db-wal",  "store.db-shm",
                                        "store.db.lock", "store.db.key"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)remove(path);
    }
    (void)remove(folder);
}

/* Every other time the service has forgotten the session: what was written
 * while nobody was connected rings for nobody. */
START_TEST(a_lost_bell_makes_nobody_wait_for_long)
{
    struct month_plan plan = {.games = GAMES,
                              .guilds = GUILDS,
                              .think = 20 * MINUTE_MS,
                              .span = 20 * MINUTE_MS,
                              .break_every = 2 * MINUTE_MS};
    struct month *month = month_new(&plan, folder);
    const struct players_count *players = month_pass(month)->players;
    ck_assert_uint_eq(players->unanswered, 0);
    for (unsigned i = 0; i < DEEDS_TOLD; i++) {
        const struct delays *delays = &players->delays[i];
        ck_assert_uint_ge(delays->count, 20);
        for (size_t j = 0; j < delays->count; j++) {
            ck_assert_double_le(delays->list[j], SOON_MS);
        }
    }
    month_free(month);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("bench/month");
    TCase *tcase = tcase_create("month");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_lost_bell_makes_nobody_wait_for_long);
    suite_add_tcase(suite, tcase);
    return suite;
}
