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

/* The board, which does not take some posts, and notes what is
 * looked for. */
static struct {
    const char *unsent; /* what holds this is refused, or NULL */
    bool blind;         /* nothing can be looked for */
    int64_t copied;     /* when the backup was made */
    struct buf looked;  /* the keys that were looked for, a line each */
    unsigned sent;      /* posts, since the backup was put back */
} line;

static void
set_up(void)
{
    memset(&line, 0, sizeof line);
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

static struct adapter watched;

static bool
was_looked_for(const char *key)
{
    struct buf row = BUF_INIT;
    buf_addf(&row, "%s\n", key);
    bool found = strstr(buf_text(&line.looked), buf_text(&row)) != NULL;
    buf_release(&row);
    return found;
}

/* Nothing is sent that was not looked for, and all of it from the time of the
 * backup on: what it was has been posted since. */
static enum advance
watched_turn(const struct service *service, const struct op *op,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *trouble)
{
    if (op->kind == OP_SEND && line.unsent != NULL &&
        strstr(op->text, line.unsent) != NULL) {
        return outcome_fail(out, trouble, ERR_DENIED, "the host is muted");
    }
    if (line.blind && op->kind == OP_FIND) {
        return outcome_fail(out, trouble, ERR_LATER, "try again later");
    }
    if (line.copied != 0 && op->kind == OP_FIND && reply == NULL) {
        buf_addf(&line.looked, "%s\n", op->key);
        ck_assert_int_gt(op->tried, 0);
        ck_assert_int_le(op->tried, line.copied);
    }
    if (line.copied != 0 && op->kind == OP_SEND && reply == NULL) {
        ck_assert_msg(was_looked_for(op->key), "not looked for: %s", op->text);
        line.sent++;
    }
    return adapter_board.advance(service, op, work, reply, out, trouble);
}

static void
install(void)
{
    watched = adapter_board;
    watched.advance = watched_turn;
    room.stage->tables.services.list[0].adapter = &watched;
}

/* The host is gone; put the backup back. */
static void
put_back(void)
{
    struct restored restored;
    room_shut(&room);
    const struct restore how = {.path = room_path(&room, "store.db"),
                                .key_file = "",
                                .from = room_path(&room, "copy.db"),
                                .now = room.now,
                                .each = refuse_trouble};
    must(backup_restore(&how, &restored, &why));
    ck_assert_uint_eq(restored.running, 1);
    ck_assert_int_gt(restored.made, 0);
    line.copied = restored.made;
    buf_release(&restored.old);
}

/* The same, and open another host. */
static void
restore(void)
{
    put_back();
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
                                "SELECT count(*) FROM note"
                                " WHERE kind = 'copied'"),
                     0);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

START_TEST(a_restored_host_looks_for_all_it_says_from_the_time_of_the_backup)
{
    install();
    /* One message waits in the backup, and is delivered later. */
    line.unsent = "nominates";
    room_names(&room, 1);
    back_up();
    line.unsent = NULL;
    room_waits(&room, 5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "nominates"), 1);
    room_votes(&room, true);
    room_discards(&room, true);
    room_enacts(&room, false);
    room_names(&room, 3);
    unsigned posts = count_all();
    room_waits(&room, 3 * HOUR_MS);
    put_back();
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    must(stage_open(stage, room.folder, room.now, &why));
    room.stage = stage;
    install();
    room_settle(&room);
    ck_assert_uint_gt(line.looked.len, 0);
    ck_assert_uint_eq(line.sent, 0);
    ck_assert_uint_eq(count_all(), posts);
    buf_release(&line.looked);
}
END_TEST

/* What follows from one that is found may have been said, too. */
START_TEST(a_host_that_still_looks_for_a_message_has_not_caught_up)
{
    static const char copied[] =
        "SELECT count(*) FROM note WHERE kind = 'copied'";
    install();
    line.unsent = "nominates";
    room_names(&room, 1);
    back_up();
    put_back();
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    must(stage_open(stage, room.folder, room.now, &why));
    room.stage = stage;
    install();
    memset(&line, 0, sizeof line);
    line.blind = true;
    room_waits(&room, HOUR_MS);
    ck_assert_int_gt(store_copied(stage->tables.store), 0);
    ck_assert_int_eq(room_query(&room, "store.db", copied), 1);
    line.blind = false;
    room_waits(&room, HOUR_MS);
    ck_assert_int_eq(store_copied(stage->tables.store), 0);
    ck_assert_int_eq(room_query(&room, "store.db", copied), 0);
    ck_assert_uint_eq(room_count_said(&room, "nominates"), 1);
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
                                .each = refuse_trouble};
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
    tcase_add_test(
        tcase,
        a_restored_host_looks_for_all_it_says_from_the_time_of_the_backup);
    tcase_add_test(tcase,
                   a_host_that_still_looks_for_a_message_has_not_caught_up);
    tcase_add_loop_test(
        tcase, the_log_of_the_store_before_is_not_taken_for_the_restored_ones,
        0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
