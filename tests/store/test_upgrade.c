/*
 * Stores that a host of an earlier version has left are opened, rebuilt, and
 * hosted on.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

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

/* What a host of a format has left, copied into the room's folder. */
static void
bring(int format, const char *name)
{
    static const char *const files[] = {"store.db", "store.db.key", "board.db"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[200];
        struct buf bytes = BUF_INIT;
        snprintf(path, sizeof path, "tests/fixtures/store/format-%d/%s/%s",
                 format, name, files[i]);
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
    assert_holds(room_said(&room), "Elected, ");
}

/* The vote ends when it was to end, and the next one has its whole time. */
static void
let_vote_end(void)
{
    int64_t due = room_table(&room)->deadline;
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    room_waits(&room, due - MINUTE_MS - room.stage->now);
    ck_assert_int_eq(room_table(&room)->deadline, due);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    room_expires(&room);
    assert_holds(room_said(&room), "Time is up");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_NOMINATE);
    int64_t opened = room_table(&room)->opened;
    room_names(&room, room_choice(&room));
    ck_assert_int_eq(room_table(&room)->deadline,
                     opened + room_table(&room)->settings.election);
    vote();
}

static void
vote_in_private(void)
{
    room_tells(&room, "Bob", "Ja");
    room_tells(&room, "Emil", "Ja");
    ck_assert_uint_eq(room_count_said(&room, "Elected, 4 to 1"), 1);
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
    ck_assert_uint_eq(room_count_told(&room, "Bob", "Dora belongs to"), 1);
}

static void
resume(void)
{
    room_says(&room, "Mo", "!resume");
    room_votes(&room, true);
    assert_holds(room_said(&room), "Elected, ");
}

/* What was refused before is delivered at the start. */
static void
come_to_hear(void)
{
    ck_assert_uint_eq(room_count_told(&room, "Bob", "you are President"), 1);
    discard();
}

/* A president's time ran out when the next one had just named somebody. */
static void
judge_deferred(void)
{
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM deferred"), 1);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM deferred"), 0);
    ck_assert_uint_eq(room_game(&room)->president, 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_count_said(&room, "the operator of this host has "
                                             "looked at table 1's secrets"),
                      1);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM adapter_state"
                                " WHERE " SQL_STATE " = 'PLACARD-7'"),
                     1);
    vote();
}

/* The host had judged a nomination, and said nothing yet. */
static void
say_what_waits(void)
{
    ck_assert_uint_eq(room_count_said(&room, "Anna names Bob"), 1);
    vote();
}

static void
nothing(void)
{
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
}

static const struct {
    int format;
    const char *name;
    void (*go_on)(void);
    int64_t now; /* when it was left; 0: when rooms begin */
} stores[] = {
    {13, "open-vote", vote, 0},
    {13, "open-vote", let_vote_end, 0},
    {13, "session", discard, 0},
    {13, "undelivered", come_to_hear, 0},
    {13, "over", nothing, 0},
    {13, "waiting", say_what_waits, 1795255208000},
    {14, "signup", join, 0},
    {14, "ready-check", get_ready, 0},
    {14, "open-vote", vote, 0},
    {14, "open-vote", let_vote_end, 0},
    {14, "session", discard, 0},
    {14, "chancellor", enact, 0},
    {14, "power", investigate, 0},
    {14, "sealed-ballots", vote_in_private, 0},
    {14, "undelivered", come_to_hear, 0},
    {14, "paused", resume, 0},
    {14, "over", nothing, 0},
    {14, "deferred", judge_deferred, 1795341607000},
    {14, "waiting", say_what_waits, 1795255208000},
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

static void
fail_check(void *context, const char *game, const char *trouble)
{
    (void)context;
    ck_abort_msg("%s: %s", game, trouble);
}

START_TEST(an_older_store_is_rebuilt_and_its_game_goes_on)
{
    unsigned count = 0;
    bring(stores[_i].format, stores[_i].name);
    room.now = stores[_i].now != 0 ? stores[_i].now : room.now;
    room_open(&room);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     STORE_FORMAT);
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
    room_shut(&room);
    const struct store_check check = {.path = room_path(&room, "store.db"),
                                      .key_file = "",
                                      .each = fail_check};
    ck_assert_msg(store_check(&check, &count, &why) == ERR_NONE, "%s",
                  buf_text(&why));
}
END_TEST

/* ---- what is lost -------------------------------------------------------- */

/* A game that was over is put away (tests/store/test_finished.c). */
#define GAME_IS_ON " game NOT IN (SELECT id FROM game WHERE over = 1)"

#define SQL_DM                                                                 \
    "opened('DM'" SQL_PART(", at ", "service") SQL_PART(", of ", "user")       \
        SQL_PART(", in ", "place") ", proof)"

/* What must be found in a store of format 14, and in what is made of it; NULL:
 * by the same query. */
static const struct {
    const char *before, *after;
} queries[] = {
    {"SELECT * FROM message WHERE" GAME_IS_ON " ORDER BY id", NULL},
    {"SELECT id, " SQL_TEXT " FROM message"
     " WHERE text IS NOT NULL AND" GAME_IS_ON " ORDER BY id",
     NULL},
    {"SELECT id, " SQL_DELIVERY " FROM message"
     " WHERE delivery IS NOT NULL AND" GAME_IS_ON " ORDER BY id",
     NULL},
    {"SELECT * FROM deferred ORDER BY number", NULL},
    {"SELECT opened('deferred post '||number, body) FROM deferred"
     " ORDER BY number",
     NULL},
    {"SELECT * FROM adapter_state ORDER BY service, key", NULL},
    {"SELECT " SQL_STATE " FROM adapter_state ORDER BY service, key", NULL},
    {"SELECT service, user, place, proof FROM dm"
     " WHERE user NOT LIKE 'left %' ORDER BY service, user",
     "SELECT service, user, place, proof FROM dm ORDER BY service, user"},
    {"SELECT " SQL_DM " FROM dm WHERE user NOT LIKE 'left %'"
     " ORDER BY service, user",
     "SELECT " SQL_DM " FROM dm ORDER BY service, user"},
    {"SELECT * FROM operator_look ORDER BY number", NULL},
    {"SELECT * FROM " SQL_POSTS " ORDER BY service, place, id", NULL},
    {"SELECT " SQL_VERDICT " FROM " SQL_POSTS " WHERE verdict IS NOT NULL"
     " ORDER BY service, place, id",
     NULL},
    {"SELECT row, game, " SQL_MOVE ", " SQL_LINES " FROM journal ORDER BY row",
     NULL},
    {"SELECT number, id, place, thread, over, held, rows, ended, round, ending"
     " FROM game ORDER BY number",
     NULL},
    {"SELECT * FROM feed ORDER BY service, name", NULL},
    {"SELECT * FROM attempt WHERE count > 0", "SELECT * FROM attempt"},
    {"SELECT id FROM host", NULL},
    {"SELECT name, seq FROM sqlite_sequence ORDER BY 1", NULL},
};

enum {
    QUERIES = sizeof queries / sizeof queries[0]
};

/* The rows of a query as text: of a blob its length, without checksums.  No
 * sealed value may be there that does not open. */
static void
list_rows(const char *file, const char *sql, struct buf *out)
{
    sqlite3 *db = room_open_file(&room, file);
    sqlite3_stmt *rows = NULL;
    bool all = strstr(sql, "opened(") == NULL;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &rows, NULL) == SQLITE_OK,
                  "%s: %s", sql, sqlite3_errmsg(db));
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            int type = sqlite3_column_type(rows, i);
            ck_assert_msg(all || type != SQLITE_NULL, "%s", sql);
            if (type == SQLITE_BLOB) {
                buf_addf(out, "%d bytes|", sqlite3_column_bytes(rows, i));
            } else if (strcmp(sqlite3_column_name(rows, i), "sum") != 0) {
                buf_addf(out, "%s|",
                         type == SQLITE_NULL
                             ? "-"
                             : (const char *)sqlite3_column_text(rows, i));
            }
        }
        buf_add_text(out, "\n");
    }
    sqlite3_finalize(rows);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static void
rebuild(void)
{
    struct store *store = NULL;
    ck_assert_msg(store_open(room_path(&room, "store.db"), "", STORE_HOST,
                             &store, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    store_close(store);
}

/* Each column gets a value of its own. */
static void
fill_columns(void)
{
    room_alter(&room, "store.db",
               "UPDATE message SET pings = 'Anna', once = 'once', waits = 1,"
               " not_after = 2, written = 3, picture = 4, report = '5',"
               " sent = '6', changed = 7, key = '8', calls = 9, deadline = 10,"
               " named = 11, in_flight = 12, refused_at = 13, refused = 14,"
               " trouble = '15', delivered = 16, shape = 17, part = 18,"
               " unapproved = 19, alarmed = 20"
               " WHERE id = (SELECT min(id) FROM message)");
}

static const char *const all_14[] = {
    "ready-check", "open-vote", "session", "sealed-ballots", "undelivered",
    "over",        "deferred",  "waiting", "random",
};

START_TEST(every_row_of_format_14_is_there_and_opens)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    bring(14, all_14[_i]);
    fill_columns();
    for (size_t i = 0; i < QUERIES; i++) {
        list_rows("store.db", queries[i].before, &before);
    }
    rebuild();
    for (size_t i = 0; i < QUERIES; i++) {
        list_rows("store.db",
                  queries[i].after != NULL ? queries[i].after
                                           : queries[i].before,
                  &after);
    }
    ck_assert_uint_gt(before.len, 500);
    ck_assert_str_eq(buf_text(&after), buf_text(&before));
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM"
                                " pragma_integrity_check WHERE"
                                " integrity_check <> 'ok'"),
                     0);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

/* Each post of format 13 had the names of its service and its place. */
START_TEST(every_post_of_format_13_is_there_and_opens)
{
    static const char *const names[] = {"open-vote", "session", "over"};
    static const char *const sources[] = {"post", SQL_POSTS};
    struct buf rows[2] = {BUF_INIT, BUF_INIT};
    bring(13, names[_i]);
    for (unsigned i = 0; i < 2; i++) {
        struct buf sql = BUF_INIT;
        buf_addf(&sql,
                 "SELECT service, place, id, author, stamp, verdict,"
                 " fingerprint FROM %s ORDER BY service, place, id",
                 sources[i]);
        list_rows("store.db", buf_text(&sql), &rows[i]);
        buf_clear(&sql);
        buf_addf(&sql,
                 "SELECT " SQL_VERDICT " FROM %s WHERE verdict IS NOT NULL"
                 " ORDER BY service, place, id",
                 sources[i]);
        list_rows("store.db", buf_text(&sql), &rows[i]);
        buf_release(&sql);
        rebuild();
    }
    ck_assert_uint_gt(rows[0].len, 200);
    ck_assert_str_eq(buf_text(&rows[1]), buf_text(&rows[0]));
    buf_release(&rows[0]);
    buf_release(&rows[1]);
}
END_TEST

/* It follows from the journal, which is packed. */
START_TEST(what_came_of_a_game_that_was_over_is_saved)
{
    bring(_i, "over");
    room_open(&room);
    ck_assert_int_eq(
        room_query(
            &room, "store.db",
            "SELECT count(*) FROM packed_journal JOIN result USING (game)"
            " WHERE users LIKE 'Anna%' AND lines <> ''"),
        1);
    must_be_legal();
}
END_TEST

/* Later steps rely on it. */
START_TEST(a_rebuilt_store_has_the_tables_of_a_new_one)
{
    static const char sql[] =
        "SELECT name, replace(replace(replace(sql, '\"', ''), ' ', ''),"
        " char(10), '') FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    struct buf old = BUF_INIT;
    struct buf new = BUF_INIT;
    struct store *store = NULL;
    bring(_i, "open-vote");
    rebuild();
    ck_assert(store_open(room_path(&room, "new.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    store_close(store);
    list_rows("store.db", sql, &old);
    list_rows("new.db", sql, &new);
    ck_assert_str_eq(buf_text(&old), buf_text(&new));
    buf_release(&old);
    buf_release(&new);
}
END_TEST

/* What was sealed with a lost key is no reason not to host.  With the key the
 * game comes back. */
START_TEST(a_store_is_rebuilt_once_its_key_is_there)
{
    struct store *store = NULL;
    bring(_i, "open-vote");
    ck_assert_int_eq(
        rename(room_path(&room, "store.db.key"), room_path(&room, "aside")), 0);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_GONE);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     _i);
    ck_assert_int_eq(
        rename(room_path(&room, "aside"), room_path(&room, "store.db.key")), 0);
    room_open(&room);
    vote();
}
END_TEST

/* A column of old stores. */
#define OUTLINE " pragma_table_info('game') WHERE name = 'outline'"

START_TEST(the_old_store_is_kept_as_it_was)
{
    struct stat there;
    char copy[40];
    snprintf(copy, sizeof copy, "store.db.format-%d", _i);
    bring(_i, "open-vote");
    room_open(&room);
    ck_assert_int_eq(room_query(&room, copy,
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     _i);
    ck_assert_int_eq(room_query(&room, copy, "SELECT count(*) FROM" OUTLINE),
                     1);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM" OUTLINE), 0);
    ck_assert_int_eq(stat(room_path(&room, copy), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
}
END_TEST

START_TEST(numbers_of_messages_are_not_used_again)
{
    bring(_i, "open-vote");
    room_alter(&room, "store.db", "DELETE FROM message WHERE id > 10");
    room_open(&room);
    room_votes(&room, true);
    ck_assert_int_gt(room_query(&room, "store.db",
                                "SELECT min(id) FROM message WHERE id > 10"),
                     28);
}
END_TEST

/* The file is written to in one transaction, or not at all. */
START_TEST(a_store_that_can_not_be_rebuilt_stays_as_it_is)
{
    struct store *store = NULL;
    bring(_i, "open-vote");
    room_alter(&room, "store.db",
               "CREATE TABLE dm_old AS SELECT 1 AS id;"
               " UPDATE game SET held = 0");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) != ERR_NONE);
    ck_assert_uint_gt(why.len, 0);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT user_version FROM"
                                " pragma_user_version"),
                     _i);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM" OUTLINE), 1);
}
END_TEST

START_TEST(a_reader_leaves_it_to_the_host)
{
    struct store *store = NULL;
    bring(_i, "open-vote");
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_READ, &store, &why),
        ERR_GARBLED);
    assert_holds(buf_text(&why), "start `placard run` once");
}
END_TEST

/* Whoever can write to the store can't have a message sent to somebody else. */
START_TEST(a_message_with_another_address_is_not_sent)
{
    bring(_i, "undelivered");
    room_open(&room);
    room_tells(&room, "Bob", "discard 1");
    room_shut(&room);
    room_alter(
        &room, "store.db",
        "UPDATE message SET state = 0, sent = '', delivered = 0, key = 'a.1',"
        " text = closed(" SQL_MESSAGE ", 'You hold two cards.')"
        " WHERE id = (SELECT max(id) FROM message WHERE user = 'Carl')");
    room_alter(&room, "store.db",
               "UPDATE message SET user = 'Dora' WHERE state = 0");
    room_open(&room);
    ck_assert_uint_eq(room_count_told(&room, "Dora", "You hold"), 0);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE message SET user = 'Carl' WHERE state = 0");
    room_open(&room);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "You hold two cards."), 1);
}
END_TEST

/* A public thread that is written in as somebody's DM is none. */
START_TEST(a_thread_is_no_dm_because_a_row_says_so)
{
    struct store *store = NULL;
    struct buf user = BUF_INIT;
    bring(_i, "session");
    room_open(&room);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE dm SET place = 'thread' WHERE user = 'Bob'");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    store_dm_user(store, "board", "thread", &user);
    ck_assert_str_eq(buf_text(&user), "");
    store_close(store);
}
END_TEST

START_TEST(a_dm_with_another_address_is_opened_anew)
{
    struct buf place = BUF_INIT;
    struct store *store = NULL;
    struct buf user = BUF_INIT;
    bring(_i, "session");
    room_open(&room);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE dm SET place = 'talk/Emil' WHERE user = 'Bob'");
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    store_dm(store, "board", "Bob", &place);
    ck_assert_str_eq(buf_text(&place), "");
    store_dm(store, "board", "Emil", &place);
    ck_assert_str_eq(buf_text(&place), "talk/Emil");
    buf_release(&place);
    store_dm_user(store, "board", "talk/Emil", &user);
    ck_assert_str_eq(buf_text(&user), "Emil");
    buf_release(&user);
    store_close(store);
}
END_TEST

/* What stood under a made-up key has a place of its own. */
START_TEST(who_left_and_what_is_pending_is_still_known)
{
    char place[] = "thread";
    char id[] = "77";
    const struct post post = {.place = place, .id = id};
    struct store *store = NULL;
    bool known[3] = {false};
    bring(14, "open-vote");
    room_alter(&room, "store.db",
               "INSERT INTO dm(service, user, place, proof)"
               " SELECT service, 'left Bob', place, proof FROM dm"
               " WHERE user = 'Bob';"
               "INSERT INTO dm(service, user, place, proof)"
               " VALUES('board', 'left Carl', 'another', x'00');"
               "INSERT INTO post(place, id, author, stamp)"
               " SELECT number, 'pending 77', 'Dora', 99 FROM post_place"
               " WHERE place = 'thread'");
    ck_assert_msg(store_open(room_path(&room, "store.db"), "", STORE_HOST,
                             &store, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    known[0] = store_is_absent(store, "board", "Bob");
    known[1] = store_is_absent(store, "board", "Carl");
    known[2] = store_was_pending(store, "board", &post);
    ck_assert(known[0] && !known[1] && known[2]);
    store_close(store);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT (SELECT count(*) FROM dm"
                                " WHERE user LIKE 'left %') + (SELECT count(*)"
                                " FROM post WHERE id LIKE 'pending %')"),
                     0);
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
    tcase_add_loop_test(tcase, every_row_of_format_14_is_there_and_opens, 0,
                        sizeof all_14 / sizeof all_14[0]);
    tcase_add_loop_test(tcase, every_post_of_format_13_is_there_and_opens, 0,
                        3);
    tcase_add_loop_test(tcase, what_came_of_a_game_that_was_over_is_saved, 13,
                        15);
    tcase_add_loop_test(tcase, a_rebuilt_store_has_the_tables_of_a_new_one, 13,
                        15);
    tcase_add_loop_test(tcase, a_store_is_rebuilt_once_its_key_is_there, 13,
                        15);
    tcase_add_loop_test(tcase, the_old_store_is_kept_as_it_was, 13, 15);
    tcase_add_loop_test(tcase, numbers_of_messages_are_not_used_again, 13, 15);
    tcase_add_loop_test(tcase, a_store_that_can_not_be_rebuilt_stays_as_it_is,
                        13, 15);
    tcase_add_loop_test(tcase, a_reader_leaves_it_to_the_host, 13, 15);
    tcase_add_loop_test(tcase, a_message_with_another_address_is_not_sent, 13,
                        15);
    tcase_add_loop_test(tcase, a_thread_is_no_dm_because_a_row_says_so, 13, 15);
    tcase_add_loop_test(tcase, a_dm_with_another_address_is_opened_anew, 13,
                        15);
    tcase_add_test(tcase, who_left_and_what_is_pending_is_still_known);
    suite_add_tcase(suite, tcase);
    return suite;
}
