/*
 * A backup that is put back in mid-game: what people wrote since is read again
 * and decided as before, and what the host said since is found where it stands.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/store/backup.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

static void
must(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "LFFLFFLFF";
    room_open(&room);
    room_begin(&room, 7);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

static void
back_up(void)
{
    bool noted = false;
    const struct backup backup = {.path = room_path(&room, "store.db"),
                                  .to = room_path(&room, "copy.db"),
                                  .now = room.stage->now};
    must(backup_make(&backup, &noted, &why));
    ck_assert(noted);
}

static void
refuse_trouble(void *context, const char *game, const char *trouble)
{
    (void)context;
    ck_abort_msg("game %s: %s", game, trouble);
}

static const char *
at_board(const void *context, const char *place)
{
    (void)context;
    (void)place;
    return "board";
}

/* The host is gone; put the backup back, and open another one. */
static void
restore(void)
{
    struct restored restored;
    room_shut(&room);
    const struct restore how = {.path = room_path(&room, "store.db"),
                                .key_file = "",
                                .from = room_path(&room, "copy.db"),
                                .now = room.now,
                                .each = refuse_trouble,
                                .service_of = at_board};
    must(backup_restore(&how, &restored, &why));
    ck_assert_uint_eq(restored.running, 1);
    ck_assert_int_gt(restored.made, 0);
    buf_release(&restored.old);
    room_open(&room);
}

/* All that stands in the thread and in everybody's DM, without what edits
 * change: who wrote each post. */
static unsigned
count_all(void)
{
    unsigned count = room_count_said(&room, "");
    for (unsigned i = 0; i < 7; i++) {
        count += room_count_told(&room, room_player(i), "");
    }
    return count;
}

START_TEST(what_was_done_since_a_backup_is_done_again_and_nothing_is_doubled)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    room_governs(&room, 1, true);
    back_up();
    room_names(&room, 2);
    room_votes(&room, true);
    room_discards(&room, true);
    room_enacts(&room, false);
    room_names(&room, 3);
    const struct game game = *room_game(&room);
    unsigned posts = count_all();
    room_transcript(&room, "thread", &before);
    restore();
    room_transcript(&room, "thread", &after);
    ck_assert_uint_eq(room_game(&room)->round, game.round);
    ck_assert_int_eq(room_game(&room)->question, game.question);
    ck_assert_uint_eq(room_game(&room)->fascist, game.fascist);
    ck_assert_uint_eq(room_game(&room)->liberal, game.liberal);
    ck_assert_msg(count_all() == posts, "before:\n%s\nafter:\n%s",
                  buf_text(&before), buf_text(&after));
    /* And it goes on. */
    room_votes(&room, true);
    ck_assert_uint_gt(count_all(), posts);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM attempt"
                                " WHERE what = 'copied'"),
                     0);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

/* What a host that was killed has left: its last commits are in the log alone.
 * The store is damaged (`damaged`), or somebody has removed it. */
static void
leave_log(bool damaged)
{
    static const char garbage[1024] = "no database";
    struct buf log = BUF_INIT;
    must(file_read(room_path(&room, "store.db-wal"), &log, &why));
    ck_assert_uint_gt(log.len, 1000);
    room_shut(&room);
    must(file_write(room_path(&room, "store.db-wal"), log.data, log.len, 0600,
                    &why));
    if (damaged) {
        must(file_write(room_path(&room, "store.db"), garbage, sizeof garbage,
                        0600, &why));
    } else {
        ck_assert_int_eq(unlink(room_path(&room, "store.db")), 0);
    }
    buf_release(&log);
}

START_TEST(the_log_of_the_store_before_is_not_taken_for_the_restored_ones)
{
    struct restored restored;
    room_governs(&room, 1, true);
    back_up();
    room_names(&room, 2);
    room_votes(&room, true);
    leave_log(_i == 1);
    const struct restore how = {.path = room_path(&room, "store.db"),
                                .key_file = "",
                                .from = room_path(&room, "copy.db"),
                                .now = room.now,
                                .each = refuse_trouble,
                                .service_of = at_board};
    must(backup_restore(&how, &restored, &why));
    ck_assert(!file_exists(room_path(&room, "store.db-wal")));
    ck_assert_int_eq(restored.old.len > 0, _i == 1);
    buf_release(&restored.old);
    room_open(&room);
    room_discards(&room, true);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/restore");
    TCase *tcase = tcase_create("restore");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(
        tcase,
        what_was_done_since_a_backup_is_done_again_and_nothing_is_doubled);
    tcase_add_loop_test(
        tcase, the_log_of_the_store_before_is_not_taken_for_the_restored_ones,
        0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
