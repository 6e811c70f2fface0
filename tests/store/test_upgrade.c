/*
 * Stores that a host of an earlier version has left are opened, rebuilt, and
 * hosted on.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define FOLDER "tests/fixtures/store/format-9"

static struct room room;
static struct buf why;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* What a host has left, copied into the room's folder. */
static void
bring(const char *name)
{
    static const char *const files[] = {"store.db", "store.db.key", "board.db"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[200];
        struct buf bytes = BUF_INIT;
        snprintf(path, sizeof path, FOLDER "/%s/%s", name, files[i]);
        ck_assert_msg(file_read(path, &bytes, &why) == ERR_NONE, "%s",
                      buf_text(&why));
        ck_assert(file_write(room_path(&room, files[i]), bytes.data, bytes.len,
                             0600, &why) == ERR_NONE);
        buf_release(&bytes);
    }
}

/* ---- where each game stood, and how it goes on --------------------------- */

static void
join(void)
{
    room_says(&room, "Dora", "!join");
    room_says(&room, "Emil", "!join");
    room_says(&room, "Mo", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}

/* Each posts the word that the host of the earlier version has sent. */
static void
get_ready(void)
{
    static const char before[] = "alone: ";
    room_read(&room);
    for (unsigned i = 0; i < 5; i++) {
        char dm[32];
        char post[64] = "";
        snprintf(dm, sizeof dm, "talk/%s", room_player(i));
        for (size_t at = 0; at < room.post_count; at++) {
            const char *word = strstr(room.posts[at].text, before);
            if (word != NULL && strcmp(room.posts[at].place, dm) == 0) {
                snprintf(post, sizeof post, "**%s**", word + sizeof before - 1);
            }
        }
        room_posts(&room, room_player(i), post);
    }
    room_settle(&room);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}

static void
vote(void)
{
    room_votes(&room, true);
    assert_holds(room_said(&room), "Elected with");
}

static void
vote_in_private(void)
{
    room_tells(&room, "Bob", "Ja");
    room_tells(&room, "Emil", "Ja");
    ck_assert_uint_eq(room_count_said(&room, "Elected with 4 to 1"), 1);
}

static void
discard(void)
{
    room_tells(&room, "Bob", "discard 1");
    room_tells(&room, "Carl", "enact 1");
    ck_assert_uint_eq(room_game(&room)->round, 3);
}

static void
enact(void)
{
    room_tells(&room, "Carl", "enact 1");
    ck_assert_uint_eq(room_game(&room)->round, 3);
}

static void
investigate(void)
{
    room_says(&room, "Bob", "**Dora**");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "Dora is a member"), 1);
}

static void
resume(void)
{
    room_says(&room, "Mo", "!resume");
    room_votes(&room, true);
    assert_holds(room_said(&room), "Elected with");
}

/* What was refused before is delivered at the start. */
static void
come_to_hear(void)
{
    ck_assert_uint_eq(room_count_told(&room, "Bob", "you are President"), 1);
    discard();
}

static void
nothing(void)
{
    ck_assert_uint_eq(room.stage->tables.table_count, 0);
}

static const struct {
    const char *name;
    void (*go_on)(void);
} stores[] = {
    {"signup", join},
    {"ready-check", get_ready},
    {"open-vote", vote},
    {"session", discard},
    {"chancellor", enact},
    {"power", investigate},
    {"sealed-ballots", vote_in_private},
    {"undelivered", come_to_hear},
    {"paused", resume},
    {"over", nothing},
};

enum {
    STORES = sizeof stores / sizeof stores[0]
};

static void
must_be_legal(void)
{
    struct buf lines = BUF_INIT;
    struct record record = {.game_count = 0};
    struct verdict verdict;
    room_record(&room, "1", &lines);
    ck_assert_msg(record_read(buf_text(&lines), lines.len, &record, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality != LEGALITY_BROKEN, "%s",
                  buf_text(&verdict.why));
    verdict_release(&verdict);
    record_release(&record);
    buf_release(&lines);
}

START_TEST(an_older_store_is_rebuilt_and_its_game_goes_on)
{
    bring(stores[_i].name);
    room_open(&room);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     10);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM game WHERE held = 1"),
                     0);
    stores[_i].go_on();
    room_settle(&room);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    must_be_legal();
    /* The next start finds nothing to rebuild. */
    room_reopen(&room);
    must_be_legal();
}
END_TEST

START_TEST(the_old_store_is_kept_as_it_was)
{
    struct stat there;
    bring("open-vote");
    room_open(&room);
    ck_assert_int_eq(room_query(&room, "store.db.format-9",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     9);
    ck_assert_int_eq(
        room_query(&room, "store.db.format-9", "SELECT count(*) FROM letter"),
        28);
    ck_assert_int_eq(stat(room_path(&room, "store.db.format-9"), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
}
END_TEST

START_TEST(numbers_of_messages_are_not_used_again)
{
    bring("open-vote");
    room_alter(&room, "store.db", "DELETE FROM letter WHERE id > 10");
    room_open(&room);
    room_votes(&room, true);
    ck_assert_int_gt(room_query(&room, "store.db",
                                "SELECT min(id) FROM letter WHERE id > 10"),
                     28);
}
END_TEST

/* The file is written to in one transaction, or not at all. */
START_TEST(a_store_that_can_not_be_rebuilt_stays_as_it_is)
{
    struct store *store = NULL;
    bring("open-vote");
    room_alter(&room, "store.db",
               "CREATE TABLE letter_9 AS SELECT 1 AS id;"
               " UPDATE game SET held = 0");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) != ERR_NONE);
    ck_assert_uint_gt(why.len, 0);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     9);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM letter"), 28);
}
END_TEST

START_TEST(a_reader_leaves_it_to_the_host)
{
    struct store *store = NULL;
    bring("open-vote");
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_READ, &store, &why),
        ERR_GARBLED);
    assert_holds(buf_text(&why), "start `placard run` once");
}
END_TEST

/* Whoever can write to the store can't have a message sent to somebody else. */
START_TEST(a_message_with_another_address_is_not_sent)
{
    bring("undelivered");
    room_open(&room);
    room_tells(&room, "Bob", "discard 1");
    room_shut(&room);
    room_alter(
        &room, "store.db",
        "UPDATE letter SET state = 0, sent = '', delivered = 0, key = 'a.1',"
        " text = closed(" SQL_MESSAGE ", 'You hold two cards.')"
        " WHERE id = (SELECT max(id) FROM letter WHERE user = 'Carl')");
    room_alter(&room, "store.db",
               "UPDATE letter SET user = 'Dora' WHERE state = 0");
    room_open(&room);
    ck_assert_uint_eq(room_count_told(&room, "Dora", "You hold"), 0);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE letter SET user = 'Carl' WHERE state = 0");
    room_open(&room);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "You hold two cards."), 1);
}
END_TEST

/* A public thread that is written in as somebody's talk is none. */
START_TEST(a_thread_is_no_dm_because_a_row_says_so)
{
    struct store *store = NULL;
    bool dm = true;
    bring("session");
    room_open(&room);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE talk SET place = 'thread' WHERE user = 'Bob'");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    ck_assert(store_is_dm(store, "board", "thread", &dm, &why) == ERR_NONE);
    ck_assert(!dm);
    store_close(store);
}
END_TEST

START_TEST(a_dm_with_another_address_is_opened_anew)
{
    struct buf place = BUF_INIT;
    struct store *store = NULL;
    bool dm = true;
    bring("session");
    room_open(&room);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE talk SET place = 'talk/Emil' WHERE user = 'Bob'");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    ck_assert(store_dm(store, "board", "Bob", &place, &why) == ERR_NONE);
    ck_assert_str_eq(buf_text(&place), "");
    ck_assert(store_dm(store, "board", "Emil", &place, &why) == ERR_NONE);
    ck_assert_str_eq(buf_text(&place), "talk/Emil");
    buf_release(&place);
    ck_assert(store_is_dm(store, "board", "talk/Emil", &dm, &why) == ERR_NONE);
    ck_assert(dm);
    store_close(store);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/upgrade");
    TCase *tcase = tcase_create("upgrade");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, an_older_store_is_rebuilt_and_its_game_goes_on,
                        0, STORES);
    tcase_add_test(tcase, the_old_store_is_kept_as_it_was);
    tcase_add_test(tcase, numbers_of_messages_are_not_used_again);
    tcase_add_test(tcase, a_store_that_can_not_be_rebuilt_stays_as_it_is);
    tcase_add_test(tcase, a_reader_leaves_it_to_the_host);
    tcase_add_test(tcase, a_message_with_another_address_is_not_sent);
    tcase_add_test(tcase, a_thread_is_no_dm_because_a_row_says_so);
    tcase_add_test(tcase, a_dm_with_another_address_is_opened_anew);
    suite_add_tcase(suite, tcase);
    return suite;
}
