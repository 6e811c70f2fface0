/*
 * `forget` as it is typed: who played under a name has a pseudonym, and all
 * else is as it was.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/cli/command.h"
#include "bot/record/verify.h"
#include "tests/cli/command_line.h"
#include "tests/support/caught_log.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

static void
put_conf(const char *places)
{
    struct buf conf = BUF_INIT;
    buf_addf(&conf,
             "store = \"%s/store.db\";\nboard = \"%s/board.db\";\n"
             "places = ( %s );\n",
             room.folder, room.folder, places);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    buf_release(&conf);
}

static void
set_up(void)
{
    command_line_set_up();
    room_init(&room);
    room.fair = true;
    put_conf("{ name = \"board\"; service = \"board\"; publish = \"names\"; }");
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
    command_line_tear_down();
}

static int
forget(const char *words)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "forget -c @placard.cfg %s", words);
    int code = command_line_run(command_forget, buf_text(&line));
    buf_release(&line);
    return code;
}

static void
assert_done(int code)
{
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
}

/* A moderator confirms what was asked last. */
static void
confirm(void)
{
    const char *yes = strstr(room_said(&room), "!yes ");
    char words[32];
    ck_assert_ptr_nonnull(yes);
    (void)snprintf(words, sizeof words, "%.*s",
                   5 + (int)strspn(yes + 5, "0123456789"), yes);
    room_says(&room, "Mo", words);
}

/* A game with all that names people: words for the deal, aliases, reasons, a
 * replacement, moves that were undone. */
static void
play_a_game(void)
{
    room_says(&room, "Mo", "!new players=6");
    for (unsigned i = 0; i < 6; i++) {
        room_says(&room, room_player(i), "!join");
        if (i == 0) {
            room_says(&room, "Anna", "!luck annasluck");
            room_says(&room, "Anna", "!alias Annie");
        }
    }
    room_rejects(&room);
    room_says(&room, "Anna", "!away 3d my wedding");
    room_says(&room, "Mo", "!pause Annie is away, says Hannah");
    room_says(&room, "Mo", "!resume");
    room_says(&room, "Zoe", "!reserve");
    room_rejects(&room);
    room_says(&room, "Mo", "!undo");
    confirm();
    room_votes(&room, false);
    room_says(&room, "Mo", "!replace Bob with Zoe");
    confirm();
    room_rejects(&room);
}

static void
end_the_game(void)
{
    room_says(&room, "Mo", "!end enough, Anna");
    confirm();
}

static void
read_record(const char *game, struct buf *record)
{
    room_shut(&room);
    room_open(&room);
    room_record(&room, game, record);
    room_shut(&room);
}

static void
assert_proof(const struct buf *lines, enum proof proof)
{
    struct record record;
    struct verdict verdict;
    ck_assert_msg(record_read(buf_text(lines), lines->len, &record, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "%s",
                  buf_text(&verdict.why));
    ck_assert_int_eq(verdict.proof, proof);
    verdict_release(&verdict);
    record_release(&record);
}

START_TEST(a_player_has_a_pseudonym_and_the_deal_its_key)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    room_open(&room);
    play_a_game();
    end_the_game();
    room_record(&room, "1", &before);
    assert_proof(&before, PROOF_HOLDS);
    assert_holds(buf_text(&before), "annasluck");
    assert_holds(buf_text(&before), "Annie");
    room_shut(&room);
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "Anna is Anon 1 in finished games: 1.");
    assert_holds(buf_text(&said), "with the transcript as it was posted.");
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Anna");
    assert_lacks(buf_text(&after), "Annie");
    assert_lacks(buf_text(&after), "annasluck");
    assert_lacks(buf_text(&after), "wedding");
    /* In words, and in no part of one. */
    assert_holds(buf_text(&after), "Anon 1 is away, says Hannah");
    assert_holds(buf_text(&after), "\"Anon 1\",\"Bob\",\"Carl\"");
    assert_holds(buf_text(&after), "\"transcript\":null,\"key\":\"");
    assert_proof(&after, PROOF_KEY);
    ck_assert_int_eq(
        command_line_run(command_check, "check -c @placard.cfg --store"),
        EXIT_DONE);
    /* What is in the clear: of the posts that were read. */
    ck_assert_int_eq(
        room_query(&room, "store.db",
                   "SELECT count(*) FROM post WHERE author = 'Anna'"),
        0);
    ck_assert_int_gt(
        room_query(&room, "store.db",
                   "SELECT count(*) FROM post WHERE author = 'anon-1'"),
        0);
    assert_done(
        command_line_run(command_stats, "stats -c @placard.cfg --json"));
    assert_lacks(buf_text(&said), "Anna");
    /* The game can be read in every other way as well. */
    assert_done(command_line_run(command_show, "show -c @placard.cfg 1"));
    assert_done(command_line_run(command_report, "report -c @placard.cfg 1"));
    assert_holds(buf_text(&said), "fair if the key below");
    buf_release(&before);
    buf_release(&after);
}
END_TEST

static int64_t
count(const char *what)
{
    char sql[160];
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", what);
    return room_query(&room, "store.db", sql);
}

START_TEST(where_ids_are_names_the_host_knows_them_no_more)
{
    room_open(&room);
    play_a_game();
    end_the_game();
    room_shut(&room);
    room_alter(&room, "store.db",
               "INSERT INTO member(service, number, user, name) VALUES"
               " ('board', 1, 'Anna', 'ann'), ('board', 2, 'Carl', 'Carl'),"
               " ('board', 3, 'Dora', 'dora'), ('other', 1, 'Anna', 'Anna');"
               "INSERT INTO blocked(place, user, name)"
               " VALUES('board', 'Dora', 'Dora')");
    ck_assert_int_eq(count("dm WHERE user = 'Anna'"), 1);
    assert_done(forget("--dry-run Anna"));
    ck_assert_int_eq(count("member WHERE number > 0"), 4);
    assert_done(forget("Anna"));
    ck_assert_int_eq(count("member WHERE service = 'board' AND number = 1"), 0);
    ck_assert_int_eq(count("member WHERE number > 0"), 3);
    ck_assert_int_eq(count("dm WHERE user = 'Anna'"), 0);
    ck_assert_int_eq(count("dm WHERE user = 'Carl'"), 1);
    /* Where ids are for good their DM goes, too; and a block stays. */
    assert_done(forget("Emil"));
    ck_assert_int_eq(count("dm WHERE user = 'Emil'"), 0);
    assert_done(forget("Dora"));
    ck_assert_int_eq(count("member WHERE number > 0"), 3);
    ck_assert_int_eq(count("dm WHERE user = 'Dora'"), 0);
    assert_holds(buf_text(&said), "rows of the table blocked: 1");
    assert_holds(buf_text(&said), "rows of the table member: 1");
}
END_TEST

/* Who is in no transcript leaves the whole proof behind. */
START_TEST(who_took_a_seat_over_or_moderated_leaves_the_transcript)
{
    struct buf after = BUF_INIT;
    room_open(&room);
    play_a_game();
    end_the_game();
    room_shut(&room);
    assert_done(forget("Zoe"));
    assert_done(forget("Mo"));
    assert_holds(buf_text(&said), "Mo is Anon 2 in finished games: 1.");
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Zoe");
    assert_lacks(buf_text(&after), "Mo\"");
    assert_lacks(buf_text(&after), " Mo ");
    assert_holds(buf_text(&after), "annasluck");
    assert_proof(&after, PROOF_HOLDS);
    assert_done(forget("Carl"));
    assert_done(forget("Anna"));
    buf_clear(&after);
    read_record("1", &after);
    assert_proof(&after, PROOF_KEY);
    assert_holds(buf_text(&after), "\"Anon 4\",\"Bob\",\"Anon 3\"");
    ck_assert_int_eq(forget("Anna"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "nobody with this user id");
    buf_release(&after);
}
END_TEST

/* Do the bytes of the store's files hold a name? */
static bool
files_hold(const char *name)
{
    static const char *const files[] = {"store.db", "store.db-wal"};
    bool found = false;
    for (unsigned i = 0; i < 2; i++) {
        struct buf bytes = BUF_INIT;
        ck_assert_int_eq(file_read(room_path(&room, files[i]), &bytes, &why),
                         ERR_NONE);
        for (size_t at = 0; !found && at + strlen(name) <= bytes.len; at++) {
            found = memcmp(bytes.data + at, name, strlen(name)) == 0;
        }
        buf_release(&bytes);
    }
    return found;
}

/* The host is opened anew, as a host that runs does by itself once it has
 * noticed, which takes it ten minutes. */
static void
let_the_host_notice(void)
{
    room_waits(&room, 8 * MINUTE_MS);
    ck_assert(!room.stage->tables.upkeep.reopen);
    room_waits(&room, 2 * MINUTE_MS);
    ck_assert(room.stage->tables.upkeep.reopen);
    room_reopen(&room);
    room_waits(&room, 3 * HOUR_MS);
    ck_assert(!room.stage->tables.upkeep.reopen);
}

START_TEST(a_host_that_runs_does_it_soon)
{
    struct buf after = BUF_INIT;
    room_open(&room);
    play_a_game();
    end_the_game();
    room_waits(&room, MINUTE_MS);
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "does it within ten minutes");
    ck_assert(files_hold("Anna"));
    let_the_host_notice();
    ck_assert(!files_hold("Anna"));
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Anna");
    assert_holds(buf_text(&after), "Anon 1");
    buf_release(&after);
}
END_TEST

/* Who asked for it hears it from whoever runs the host. */
START_TEST(a_host_logs_what_is_left_of_whom_it_forgets)
{
    struct buf log = BUF_INIT;
    room_open(&room);
    play_a_game();
    end_the_game();
    room_shut(&room);
    if (_i == 1) {
        room_alter(&room, "store.db",
                   "INSERT INTO blocked(place, user, name)"
                   " VALUES('board', '77', 'annie B')");
    }
    room_open(&room);
    assert_done(forget("Anna"));
    caught_log_begin();
    let_the_host_notice();
    caught_log_take(0, &log);
    caught_log_end();
    assert_holds(buf_text(&log), "people who are forgotten now: 1");
    assert_holds(buf_text(&log), _i == 1
                                     ? "still in: rows of the table blocked: 1"
                                     : "still in: nothing");
    buf_release(&log);
}
END_TEST

START_TEST(who_is_in_a_game_that_is_on_is_forgotten_after_it)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    room_open(&room);
    play_a_game();
    end_the_game();
    room_record(&room, "1", &before);
    room_begin(&room, 5);
    room_shut(&room);
    assert_done(forget("Zoe --dry-run"));
    assert_holds(buf_text(&said), "Zoe would be Anon 1 in finished games: 1.");
    assert_holds(buf_text(&said), "Nothing is changed yet");
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "after it has ended");
    assert_holds(buf_text(&said), "Games: 2.");
    ck_assert_int_eq(forget("Zoe --service elsewhere"), EXIT_DONE);
    room_open(&room);
    room_record(&room, "1", &after);
    ck_assert_str_eq(buf_text(&before), buf_text(&after));
    room_rejects(&room);
    room_waits(&room, HOUR_MS);
    ck_assert(!room.stage->tables.upkeep.reopen);
    end_the_game();
    room_waits(&room, MINUTE_MS);
    ck_assert(room.stage->tables.upkeep.reopen);
    room_reopen(&room);
    for (unsigned i = 0; i < 2; i++) {
        buf_clear(&after);
        read_record(i == 0 ? "1" : "2", &after);
        assert_lacks(buf_text(&after), "Anna");
    }
    buf_release(&before);
    buf_release(&after);
}
END_TEST

/* Somebody confirms what they were asked last. */
static void
confirm_as(const char *who, const char *asked)
{
    const char *yes = strstr(asked, "!forget me ");
    char words[32];
    ck_assert_msg(yes != NULL, "%s", asked);
    (void)snprintf(words, sizeof words, "%.*s",
                   11 + (int)strspn(yes + 11, "0123456789"), yes);
    room_says(&room, who, words);
}

START_TEST(a_player_can_ask_for_it)
{
    struct buf after = BUF_INIT;
    char asked[800];
    room_open(&room);
    room_begin(&room, 5);
    room_says(&room, "Anna", "!forget Bob");
    assert_holds(room_said(&room), "Anna, this can't be taken back");
    room_says(&room, "Anna", "!forget me");
    TEXT_COPY(asked, room_said(&room));
    assert_holds(asked, "You also leave this game");
    confirm_as("Bob", asked); /* another's number */
    ck_assert_int_eq(count("forgotten"), 0);
    confirm_as("Anna", asked);
    ck_assert_int_eq(count("forgotten WHERE waits IS NOT NULL"), 1);
    ck_assert_uint_ne(room_table(&room)->leaving, 0);
    room_says(&room, "Zoe", "!join");
    end_the_game();
    room_reopen(&room);
    ck_assert_int_eq(count("forgotten WHERE waits IS NOT NULL"), 0);
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Anna");
    /* Who sits nowhere can, too. */
    room_open(&room);
    room_says(&room, "Carl", "!forget me");
    TEXT_COPY(asked, room_said(&room));
    assert_lacks(asked, "leave this game");
    confirm_as("Carl", asked);
    room_reopen(&room);
    room_shut(&room);
    buf_clear(&after);
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Carl");
    ck_assert_int_eq(count("dm WHERE user = 'Carl'"), 0);
    buf_release(&after);
}
END_TEST

/* ---- what is left ---------------------------------------------------------
 */

/* An adapter keeps a text that has their name. */
static void
keep_a_state(void)
{
    const struct adapter_state state = {.key = "note",
                                        .value = "{\"for\":\"anna\"}"};
    struct store *store = NULL;
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_NONE);
    store_set_state(store, "board", &state);
    store_close(store);
}

/* Whatever the column is sealed for. */
START_TEST(what_is_sealed_is_searched_too)
{
    room_open(&room);
    room_begin(&room, 5);
    room_tells(&room, "Anna", "hello");
    room_shut(&room);
    keep_a_state();
    assert_done(forget("Anna --dry-run"));
    assert_holds(buf_text(&said), "rows of the table adapter_state: 1");
    assert_holds(buf_text(&said), "rows of the table journal: ");
    assert_holds(buf_text(&said), "rows of the table message: ");
    assert_done(forget("Quentin --dry-run --service board"));
    assert_holds(buf_text(&said), "a block stays): nothing\n");
    /* What can't be opened may have the name. */
    room_alter(&room, "store.db", "UPDATE dm SET proof = x'00'");
    assert_done(forget("Quentin --dry-run --service board"));
    assert_holds(buf_text(&said), "a block stays): rows of the table dm: ");
}
END_TEST

START_TEST(what_is_left_is_told)
{
    room_open(&room);
    play_a_game();
    room_tells(&room, "Anna", "hello");
    room_says(&room, "Mo", "!pause ANNIE, annie and ÄNNIE");
    end_the_game();
    room_shut(&room);
    assert_done(forget("Anna --dry-run"));
    assert_holds(buf_text(&said), "rows of the table packed_journal: 1");
    assert_holds(buf_text(&said), "rows of the table post_place: 1");
    room_alter(&room, "store.db",
               "INSERT INTO blocked(place, user, name)"
               " VALUES('board', '77', 'annie B')");
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "rows of the table blocked: 1");
    assert_lacks(buf_text(&said), "journal");
    assert_lacks(buf_text(&said), "table post");
    assert_lacks(buf_text(&said), "table dm");
    /* Elsewhere, in what is sealed: whoever is named in another's game. */
    assert_done(forget("Bob"));
    assert_holds(buf_text(&said), "a block stays): nothing\n");
}
END_TEST

/* ---- backups --------------------------------------------------------------
 */

static void
assert_restored(const char *words)
{
    assert_done(
        command_line_run(command_restore, "restore -c @placard.cfg @copy.db"));
    assert_holds(buf_text(&said), words);
    /* Another one in the same second would have its name. */
    char old[400] = "";
    const char *kept = strstr(buf_text(&said), "is kept: ");
    ck_assert_ptr_nonnull(kept);
    (void)snprintf(old, sizeof old, "%.*s", (int)strcspn(kept + 9, "\n") - 1,
                   kept + 9);
    ck_assert_int_eq(unlink(old), 0);
}

START_TEST(nobody_comes_back_with_a_backup)
{
    struct buf after = BUF_INIT;
    struct buf marks = BUF_INIT;
    room_open(&room);
    play_a_game();
    assert_done(
        command_line_run(command_backup, "backup -c @placard.cfg @on.db"));
    end_the_game();
    room_shut(&room);
    assert_done(
        command_line_run(command_backup, "backup -c @placard.cfg @copy.db"));
    assert_done(forget("Anna"));
    ck_assert_int_eq(
        file_read(room_path(&room, "store.db.forgotten"), &marks, &why),
        ERR_NONE);
    assert_lacks(buf_text(&marks), "Anna");
    assert_restored("People who were forgotten since, and are again: 1.");
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Anna");
    assert_lacks(buf_text(&after), "Annie");
    ck_assert_int_eq(count("dm WHERE user = 'Anna'"), 0);
    /* A game that is on in the backup goes on with them, as it did, and they
     * are forgotten when it is over. */
    ck_assert_int_eq(rename(scratch_path("on.db"), scratch_path("copy.db")), 0);
    assert_restored("1 game on");
    ck_assert_int_eq(count("forgotten WHERE waits IS NOT NULL"), 1);
    room_open(&room);
    room_reopen(&room);
    buf_clear(&after);
    read_record("1", &after);
    assert_lacks(buf_text(&after), "Annie");
    /* One that was made since knows it by itself. */
    ck_assert_int_eq(unlink(scratch_path("copy.db")), 0);
    assert_done(
        command_line_run(command_backup, "backup -c @placard.cfg @copy.db"));
    ck_assert_int_eq(unlink(room_path(&room, "store.db.forgotten")), 0);
    assert_restored("0 games on");
    ck_assert(file_exists(room_path(&room, "store.db.forgotten")));
    buf_release(&after);
    buf_release(&marks);
}
END_TEST

START_TEST(what_is_no_request_is_refused)
{
    room_open(&room);
    room_begin(&room, 5);
    room_shut(&room);
    ck_assert_int_eq(forget(""), EXIT_USAGE);
    ck_assert_int_eq(forget("Anna Bob"), EXIT_USAGE);
    ck_assert_int_eq(forget("Nobody"), EXIT_FAULT);
    ck_assert_int_eq(
        rename(room_path(&room, "store.db.key"), room_path(&room, "key.aside")),
        0);
    ck_assert_int_eq(forget("Anna"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "without the key no game");
    ck_assert(!file_exists(room_path(&room, "store.db.key")));
    ck_assert_int_eq(
        rename(room_path(&room, "key.aside"), room_path(&room, "store.db.key")),
        0);
    put_conf("{ name = \"other\"; service = \"board\"; }");
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "a game that is on");
}
END_TEST

/* What a move names besides its user stays as it is. */
START_TEST(claims_stay_what_they_were)
{
    struct buf record = BUF_INIT;
    room.fair = false;
    room.deck = "FFFFFFFFFLLLLLLFF";
    room_open(&room);
    room_begin(&room, 5);
    room_govern_to(&room, 3);
    room_says(&room, "Carl", "!claim peek FLL");
    room_says(&room, "Mo", "!pause Carl had a peek");
    end_the_game();
    room_shut(&room);
    assert_done(forget("Carl"));
    read_record("1", &record);
    assert_holds(buf_text(&record), "\"player\":\"Anon 1\",\"round\":3,"
                                    "\"cards\":[\"F\",\"L\",\"L\"],"
                                    "\"of\":\"peek\"");
    assert_holds(buf_text(&record), "Anon 1 had a peek");
    assert_lacks(buf_text(&record), "Carl");
    buf_release(&record);
}
END_TEST

static void
put_page(const char *name, const char *html)
{
    char path[64];
    snprintf(path, sizeof path, "site/%s.html", name);
    ck_assert_int_eq(
        file_write(scratch_path(path), html, strlen(html), 0600, &why),
        ERR_NONE);
}

/* A page that was made before has the name still. */
START_TEST(the_site_is_written_anew)
{
    static const char site[] = "report -c @placard.cfg --site @site";
    struct buf page = BUF_INIT;
    room_open(&room);
    play_a_game();
    room_says(&room, "Anna", "!alias O'Brien");
    end_the_game();
    room_shut(&room);
    assert_done(command_line_run(command_report, site));
    put_page("escaped", "<p>O&#39;Brien &lt;3 &amp;quot;</p>");
    put_page("none", "<p>O&#39;Neill, &amp;#39;</p>");
    assert_done(forget("Anna"));
    assert_holds(buf_text(&said), "stays): pages in /");
    assert_holds(buf_text(&said), "/site: 2\n");
    put_page("escaped", "");
    assert_done(command_line_run(command_report, site));
    assert_done(forget("Anna --dry-run --service board"));
    assert_holds(buf_text(&said), "a block stays): nothing\n");
    command_line_read("site/game-1.html", &page);
    assert_lacks(buf_text(&page), "<bdi>Anna</bdi>");
    assert_holds(buf_text(&page), "<bdi>Anon 1</bdi>");
    buf_release(&page);
    command_line_remove("site");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/forget");
    TCase *tests = tcase_create("forget");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_player_has_a_pseudonym_and_the_deal_its_key);
    tcase_add_test(tests, where_ids_are_names_the_host_knows_them_no_more);
    tcase_add_test(tests,
                   who_took_a_seat_over_or_moderated_leaves_the_transcript);
    tcase_add_test(tests, a_host_that_runs_does_it_soon);
    tcase_add_loop_test(tests, a_host_logs_what_is_left_of_whom_it_forgets, 0,
                        2);
    tcase_add_test(tests, who_is_in_a_game_that_is_on_is_forgotten_after_it);
    tcase_add_test(tests, a_player_can_ask_for_it);
    tcase_add_test(tests, what_is_sealed_is_searched_too);
    tcase_add_test(tests, what_is_left_is_told);
    tcase_add_test(tests, nobody_comes_back_with_a_backup);
    tcase_add_test(tests, what_is_no_request_is_refused);
    tcase_add_test(tests, claims_stay_what_they_were);
    tcase_add_test(tests, the_site_is_written_anew);
    suite_add_tcase(suite, tests);
    return suite;
}
