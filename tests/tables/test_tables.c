/*
 * The desk: pages, deadlines and looks, each one transaction; many tables.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/tables/tables.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;
static struct buf why;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    hall_release(&hall);
    buf_release(&why);
}

static void
begin(unsigned players)
{
    hall_open(&hall);
    hall_begin(&hall, players);
}

static int64_t
count(const char *sql)
{
    return hall_query(&hall, "store.db", sql);
}

/* ---- opening ------------------------------------------------------------- */

/* Try to open a desk over a configuration of one place. */
static enum err
try_open(const char *service, const char *language, const char *zone)
{
    static struct conf conf;
    static struct desk desk;
    conf_defaults(&conf);
    snprintf(conf.store, sizeof conf.store, "%s", hall_path(&hall, "store.db"));
    TEXT_COPY(conf.places[0].name, "here");
    TEXT_COPY(conf.places[0].service, service);
    conf.places[0].settings = conf.settings;
    TEXT_COPY(conf.places[0].settings.language, language);
    TEXT_COPY(conf.places[0].settings.zone, zone);
    conf.place_count = 1;
    enum err err = desk_open(&desk, &conf, NULL, &dealer_fair, &why);
    if (err == ERR_NONE) {
        ck_assert_ptr_nonnull(desk_place(&desk, "here"));
        ck_assert_ptr_null(desk_place(&desk, "there"));
        ck_assert_ptr_nonnull(desk_service(&desk, "here"));
        ck_assert_ptr_null(desk_service(&desk, "there"));
        ck_assert_uint_eq(desk.feed_count, 1);
        ck_assert_int_eq(desk_due(&desk), 0);
        desk_close(&desk);
    }
    return err;
}

START_TEST(a_desk_opens_over_what_is_configured)
{
    ck_assert_int_eq(try_open("board", "en", "UTC"), ERR_NONE);
    ck_assert_int_eq(try_open("board", "en", "Europe/Oslo"), ERR_NONE);
}
END_TEST

START_TEST(what_is_configured_wrongly_is_told)
{
    ck_assert_int_eq(try_open("pigeon", "en", "UTC"), ERR_CONFIG);
    assert_holds(buf_text(&why), "place \"here\": no service is called "
                                 "\"pigeon\"");
    buf_clear(&why);
    ck_assert_int_ne(try_open("board", "xx", "UTC"), ERR_NONE);
    assert_holds(buf_text(&why), "languages/xx.cfg");
    buf_clear(&why);
    ck_assert_int_eq(try_open("board", "en", "Mars/Olympus"), ERR_CONFIG);
    assert_holds(buf_text(&why), "Mars/Olympus");
}
END_TEST

START_TEST(a_second_host_is_refused)
{
    struct stage second;
    hall_open(&hall);
    memset(&second, 0, sizeof second);
    conf_defaults(&second.conf);
    ck_assert_int_eq(stage_open(&second, hall.folder, hall.now, &why),
                     ERR_DENIED);
    assert_holds(buf_text(&why), "store.db.lock");
    hall_says(&hall, "Mo", "!new");
    ck_assert_ptr_nonnull(stage_table(hall.stage));
}
END_TEST

START_TEST(a_game_whose_place_left_the_configuration_waits)
{
    begin(5);
    hall_shut(&hall);
    ck_assert_int_eq(try_open("board", "en", "UTC"), ERR_NONE); /* "here" */
    hall_open(&hall);
    ck_assert_str_eq(hall_awaited(&hall), "Anna");
}
END_TEST

START_TEST(games_that_are_over_are_let_go)
{
    begin(5);
    hall_govern_to(&hall, 4);
    ck_assert_uint_eq(hall.stage->desk.table_count, 1);
    hall_names(&hall, 4); /* Hitler */
    ck_assert_uint_eq(hall.stage->desk.table_count, 0);
    ck_assert_int_eq(hall.stage->desk.games, 1);
    hall_reopen(&hall);
    ck_assert_uint_eq(hall.stage->desk.table_count, 0);
    ck_assert_int_eq(count("SELECT over FROM game"), 1);
}
END_TEST

/* A board numbers its people, and its topics: by chance alike. */
START_TEST(who_is_called_like_the_thread_is_at_one_table)
{
    static const char *const others[] = {"Bob", "Carl", "Dora", "Emil"};
    hall_open(&hall);
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "thread", "!join");
    for (unsigned i = 0; i < 4; i++) {
        hall_says(&hall, others[i], "!join");
    }
    hall_elects(&hall, 1);
    hall_tells(&hall, "thread", "discard 1");
    assert_holds(hall_told(&hall, "Bob"), "hands you two cards");
    ck_assert_uint_eq(hall_count_told(&hall, "thread", "more than one table"),
                      0);
}
END_TEST

/* ---- pages --------------------------------------------------------------- */

START_TEST(a_post_that_comes_again_changes_nothing)
{
    begin(5);
    hall_names(&hall, 1);
    struct odd_post post = {
        .id = "2", .who = "Carl", .text = "**Ja!**", .stamp = hall.stage->now};
    hall_delivers(&hall, &post);
    struct table before = *hall_table(&hall);
    int64_t letters = count("SELECT count(*) FROM letter");
    int64_t rows = count("SELECT count(*) FROM journal");
    hall_delivers(&hall, &post);
    post.text = "Nein!\n!help";
    hall_delivers(&hall, &post);
    ck_assert_mem_eq(&before, hall_table(&hall), sizeof before);
    ck_assert_int_eq(count("SELECT count(*) FROM letter"), letters);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), rows);
    hall_reopen(&hall);
    hall_delivers(&hall, &post);
    ck_assert_mem_eq(&before, hall_table(&hall), sizeof before);
}
END_TEST

START_TEST(how_a_post_was_read_is_noted)
{
    begin(5);
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    ck_assert_int_eq(count("SELECT count(*) FROM post WHERE author = 'Carl'"
                           " AND " SQL_VERDICT " LIKE 'R4%'"),
                     1);
    ck_assert_int_eq(
        count("SELECT count(*) FROM post WHERE " SQL_VERDICT " = 'a command'"),
        6);
}
END_TEST

START_TEST(posts_that_can_not_be_read_or_are_elsewhere_are_let_pass)
{
    static char flood[70000];
    begin(5);
    struct table before = *hall_table(&hall);
    memset(flood, 'x', sizeof flood - 1);
    hall_delivers(&hall, &(struct odd_post){.id = "a",
                                            .who = "Anna",
                                            .text = flood,
                                            .stamp = hall.stage->now});
    hall_tells(&hall, "Stranger", "discard 1");
    ck_assert_mem_eq(&before, hall_table(&hall), sizeof before);
    ck_assert_int_eq(
        count("SELECT count(*) FROM post WHERE " SQL_VERDICT " LIKE 'R0%'"), 1);
}
END_TEST

/* Let the next insertion of a row fail in the middle of a page. */
static void
break_journal(void)
{
    hall_shut(&hall);
    hall_alter(&hall, "store.db",
               "UPDATE host SET id = id;"
               "CREATE TRIGGER broken BEFORE INSERT ON journal"
               " WHEN new.row = 4"
               " BEGIN SELECT raise(ABORT, 'the disk is gone'); END");
    hall_open(&hall);
}

START_TEST(a_page_is_saved_whole_or_not_at_all)
{
    hall_open(&hall);
    hall_says(&hall, "Mo", "!new players=5");
    break_journal();
    int64_t seen = count("SELECT count(*) FROM post");
    hall_posts(&hall, "Anna", "!join");
    hall_posts(&hall, "Bob", "!join");
    hall_posts(&hall, "Carl", "!join");
    hall_posts(&hall, "Dora", "!join");
    ck_assert_int_ne(stage_settle(hall.stage, &why), ERR_NONE);
    assert_holds(buf_text(&why), "the disk is gone");
    hall_shut(&hall);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), 1);
    ck_assert_int_eq(count("SELECT count(*) FROM post"), seen);
    ck_assert_int_eq(count("SELECT count(*) FROM letter WHERE kind = 3"), 1);
    hall_alter(&hall, "store.db",
               "DROP TRIGGER broken; UPDATE host SET id = id");
    hall_open(&hall);
    ck_assert_uint_eq(hall_table(&hall)->seated, 4);
    assert_holds(hall_status(&hall)->text, "(4): Anna, Bob, Carl, Dora.");
}
END_TEST

static void
limit_files(rlim_t size)
{
    struct rlimit limit = {size, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(a_commit_that_fails_ends_it_and_nothing_is_sent)
{
    struct stat wal;
    begin(5);
    ck_assert_int_eq(stat(hall_path(&hall, "store.db-wal"), &wal), 0);
    hall_posts(&hall, "Anna", "[b]Bob[/b]");
    hall_read(&hall);
    size_t posts = hall.post_count;
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    limit_files((rlim_t)wal.st_size); /* the disk is full */
    enum err err = stage_settle(hall.stage, &why);
    limit_files(RLIM_INFINITY);
    ck_assert_int_ne(err, ERR_NONE);
    assert_holds(buf_text(&why), "store.db");
    hall_read(&hall);
    ck_assert_uint_eq(hall.post_count, posts);
    /* With room again a new start goes on from what is on disk. */
    hall_reopen(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
}
END_TEST

START_TEST(the_place_in_a_feed_is_kept)
{
    begin(5);
    hall_settle(&hall); /* the host's own posts are read, too */
    char cursor[ADAPTER_ID_MAX + 1];
    TEXT_COPY(cursor, hall.stage->desk.feeds[0].cursor);
    ck_assert_str_ne(cursor, "");
    hall_shut(&hall);
    hall_alter(&hall, "store.db", "DELETE FROM post"); /* nothing was seen */
    hall_open(&hall);
    ck_assert_str_eq(hall.stage->desk.feeds[0].cursor, cursor);
    ck_assert_int_eq(count("SELECT count(*) FROM post"), 0);
}
END_TEST

START_TEST(notes_of_a_page_are_kept_with_it)
{
    struct outcome outcome = {.note_count = 1};
    hall_open(&hall);
    struct desk *desk = &hall.stage->desk;
    TEXT_COPY(outcome.notes[0].key, "device");
    TEXT_COPY(outcome.notes[0].value, "7");
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, "99");
    outcome.through = 5000;
    ck_assert_int_eq(desk_fold(desk, &desk->feeds[0], &outcome, 1, &why),
                     ERR_NONE);
    ck_assert_int_eq(
        count("SELECT count(*) FROM note WHERE " SQL_NOTE " = '7'"), 1);
    ck_assert_str_eq(desk->feeds[0].cursor, "99");
    /* What was read does not become unread. */
    int64_t through = desk->feeds[0].through;
    outcome.through = 4000;
    ck_assert_int_eq(desk_fold(desk, &desk->feeds[0], &outcome, 1, &why),
                     ERR_NONE);
    ck_assert_int_eq(desk->feeds[0].through, through);
    outcome_release(&outcome);
}
END_TEST

/* ---- time ---------------------------------------------------------------- */

START_TEST(a_deadline_fires_once_the_feed_is_read_up_to_it)
{
    begin(5);
    int64_t due = table_due(hall_table(&hall));
    int64_t margin = adapter_board.traits.margin;
    ck_assert_int_eq(desk_due(&hall.stage->desk), due + margin);
    hall_waits(&hall, due + margin - 1 - hall.stage->now);
    ck_assert_uint_eq(hall_game(&hall)->round, 1);
    hall_waits(&hall, 1);
    ck_assert_uint_eq(hall_game(&hall)->round, 2);
}
END_TEST

START_TEST(deadlines_that_passed_while_nobody_hosted_fire_once)
{
    begin(5);
    hall_shut(&hall);
    hall.now += 3 * DAY_MS;
    hall_open(&hall);
    /* Anna's time is up; Bob's began when that was told. */
    ck_assert_uint_eq(hall_game(&hall)->round, 2);
    ck_assert_int_eq(hall_table(&hall)->opened, hall.stage->now);
    assert_holds(hall_said(&hall), "Bob, name your chancellor until Tue 24 "
                                   "Nov");
}
END_TEST

START_TEST(posts_of_the_time_without_a_host_count)
{
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_posts(&hall, "Anna", "**Bob**");
    for (unsigned i = 0; i < 3; i++) {
        hall_posts(&hall, hall_player(i), "**Ja!**");
    }
    hall_shut(&hall);
    hall.now += 3 * DAY_MS;
    hall_open(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with 3 to 0"), 1);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(a_kept_post_outlives_the_host)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t due = table_due(hall_table(&hall));
    hall_waits(&hall, due - hall.stage->now);
    hall_says(&hall, "Bob", "**Dora**");
    ck_assert_int_eq(count("SELECT count(*) FROM kept"), 1);
    hall_reopen(&hall);
    ck_assert_int_eq(count("SELECT count(*) FROM kept"), 1);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_int_eq(count("SELECT count(*) FROM kept"), 0);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_VOTE);
    ck_assert_uint_eq(hall_game(&hall)->president, 1);
}
END_TEST

/* ---- looks --------------------------------------------------------------- */

static void
look(const char *game)
{
    ck_assert_int_eq(store_note_look(hall_path(&hall, "store.db"), game, &why),
                     ERR_NONE);
    hall_waits(&hall, MINUTE_MS);
}

START_TEST(a_look_of_the_operator_is_told_in_the_thread)
{
    begin(5);
    look("1");
    assert_holds(hall_said(&hall), "the operator of this host has looked at "
                                   "the secrets of table 1");
    hall_waits(&hall, MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "has looked"), 1);
    look("1");
    ck_assert_uint_eq(hall_count_said(&hall, "has looked"), 2);
    hall_reopen(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "has looked"), 2);
}
END_TEST

START_TEST(a_look_at_a_game_that_is_not_on_is_forgotten)
{
    begin(5);
    look("7");
    ck_assert_int_eq(count("SELECT count(*) FROM look"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "has looked"), 0);
    look("1");
    ck_assert_uint_eq(hall_count_said(&hall, "has looked"), 1);
}
END_TEST

/* ---- many games ---------------------------------------------------------- */

enum {
    THREADS = 3
};

/* Open a host of several threads, one a place, over the hall's folder. */
static void
open_many(void)
{
    hall_open(&hall);
    struct desk *desk = &hall.stage->desk;
    struct conf *conf = &hall.stage->conf;
    for (unsigned i = 0; i < THREADS; i++) {
        conf->places[i] = conf->places[0];
        snprintf(conf->places[i].name, sizeof conf->places[i].name, "place %u",
                 i);
        snprintf(conf->places[i].address, sizeof conf->places[i].address,
                 "thread/%u", i);
        ck_assert(desk_found(desk, i, conf->places[i].address, &why) ==
                  ERR_NONE);
    }
    conf->place_count = THREADS;
}

static unsigned next_post;

static void
deliver(const char *place, const char *who, const char *text)
{
    struct desk *desk = &hall.stage->desk;
    struct outcome outcome = {.err = ERR_NONE};
    struct post *post = page_add(&outcome.page);
    char id[16];
    snprintf(id, sizeof id, "x%u", next_post++);
    hall.stage->now += SECOND_MS;
    *post = (struct post){.id = must_copy(id),
                          .place = must_copy(place),
                          .author = must_copy(who),
                          .author_name = must_copy(who),
                          .body = must_copy(text),
                          .body_len = strlen(text),
                          .stamp = hall.stage->now,
                          .talk = strncmp(place, "talk/", 5) == 0};
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, desk->feeds[0].cursor);
    ck_assert_msg(desk_fold(desk, &desk->feeds[0], &outcome, hall.stage->now,
                            &why) == ERR_NONE,
                  "%s", buf_text(&why));
    outcome_release(&outcome);
}

static const struct table *
table_in(const char *thread)
{
    const struct desk *desk = &hall.stage->desk;
    size_t at = 0;
    while (at < desk->table_count &&
           strcmp(desk->tables[at]->thread, thread) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, desk->table_count);
    return desk->tables[at];
}

/* The same people play in every thread, in another order. */
static void
begin_many(void)
{
    next_post = 0;
    open_many();
    for (unsigned i = 0; i < THREADS; i++) {
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%u", i);
        deliver(thread, "Mo", "!new players=5");
        for (unsigned n = 0; n < 5; n++) {
            deliver(thread, hall_player((n + i) % 5), "!join");
        }
        ck_assert_int_eq(table_in(thread)->state, TABLE_RUNNING);
    }
}

START_TEST(many_games_go_on_side_by_side)
{
    begin_many();
    ck_assert_uint_eq(hall.stage->desk.table_count, THREADS);
    ck_assert_str_eq(table_in("thread/0")->id, "1");
    ck_assert_str_eq(table_in("thread/2")->id, "3");
    ck_assert_str_eq(table_in("thread/2")->place, "place 2");
    /* Anna is the candidate of the first alone. */
    deliver("thread/1", "Anna", "**Carl**");
    deliver("thread/0", "Anna", "**Bob**");
    deliver("thread/1", "Bob", "**Anna**");
    ck_assert_int_eq(table_in("thread/0")->game.question, QUESTION_VOTE);
    ck_assert_int_eq(table_in("thread/1")->game.question, QUESTION_VOTE);
    ck_assert_int_eq(table_in("thread/2")->game.question, QUESTION_NOMINATE);
    deliver("thread/1", "Carl", "**Ja!**");
    ck_assert_uint_eq(table_in("thread/0")->game.voted, 0);
    ck_assert_uint_eq(seat_count(table_in("thread/1")->game.voted), 1);
    deliver("thread/9", "Carl", "**Ja!**"); /* not ours */
    deliver("thread/9", "Mo", "!new");
    ck_assert_uint_eq(hall.stage->desk.table_count, THREADS);
}
END_TEST

static void
elect_in(const char *thread, unsigned first)
{
    char name[32];
    snprintf(name, sizeof name, "**%s**", hall_player((first + 1) % 5));
    deliver(thread, hall_player(first), name);
    for (unsigned i = 0; i < 3; i++) {
        deliver(thread, hall_player(i), "**Ja!**");
    }
    ck_assert_int_eq(table_in(thread)->game.question, QUESTION_DISCARD);
}

START_TEST(a_private_answer_goes_to_the_game_that_asked)
{
    begin_many();
    elect_in("thread/1", 1);
    deliver("talk/Bob", "Bob", "discard 1");
    ck_assert_int_eq(table_in("thread/1")->game.question, QUESTION_ENACT);
    elect_in("thread/2", 2);
    deliver("talk/Carl", "Carl", "enact 1"); /* of which? */
    ck_assert_int_eq(table_in("thread/1")->game.question, QUESTION_ENACT);
    deliver("talk/Carl", "Carl", "#2 enact 1"); /* chancellor of the one … */
    ck_assert_int_eq(table_in("thread/1")->game.question, QUESTION_NOMINATE);
    deliver("talk/Carl", "Carl", "discard 1"); /* … president of the other */
    ck_assert_int_eq(table_in("thread/2")->game.question, QUESTION_ENACT);
    ck_assert_int_eq(table_in("thread/0")->game.question, QUESTION_NOMINATE);
}
END_TEST

START_TEST(each_game_has_its_own_letters_and_its_own_status)
{
    begin_many();
    const struct outbox *outbox = &hall.stage->desk.outbox;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *envelope = outbox->list[i];
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%c", envelope->game[0] - 1);
        ck_assert_str_eq(envelope->thread, thread);
    }
    for (unsigned i = 1; i <= THREADS; i++) {
        char game[4];
        snprintf(game, sizeof game, "%u", i);
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%u", i - 1);
        ck_assert_ptr_nonnull(
            outbox_status(&hall.stage->desk.outbox, game, thread));
    }
}
END_TEST

START_TEST(all_games_are_there_after_a_new_start)
{
    static struct conf conf;
    static struct desk desk;
    struct table before[THREADS];
    begin_many();
    elect_in("thread/1", 1);
    for (unsigned i = 0; i < THREADS; i++) {
        before[i] = *hall.stage->desk.tables[i];
    }
    conf = hall.stage->conf;
    hall_shut(&hall);
    ck_assert_int_eq(desk_open(&desk, &conf, NULL, &dealer_fair, &why),
                     ERR_NONE);
    ck_assert_uint_eq(desk.table_count, THREADS);
    ck_assert_int_eq(desk.games, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_mem_eq(desk.tables[i], &before[i], sizeof before[i]);
    }
    desk_close(&desk);
}
END_TEST

START_TEST(each_deadline_fires_in_its_own_game)
{
    begin_many();
    elect_in("thread/1", 1);
    struct desk *desk = &hall.stage->desk;
    int64_t due = desk_due(desk);
    ck_assert_int_eq(due, table_due(table_in("thread/0")) +
                              adapter_board.traits.margin);
    for (size_t i = 0; i < desk->outbox.count; i++) {
        desk->outbox.list[i]->delivered = 1; /* nothing is sent here */
    }
    desk->feeds[0].through = table_due(table_in("thread/0"));
    ck_assert_int_eq(desk_time(desk, due, &why), ERR_NONE);
    ck_assert_uint_eq(table_in("thread/0")->game.round, 2);
    ck_assert_uint_eq(table_in("thread/1")->game.round, 1);
    ck_assert_uint_eq(table_in("thread/2")->game.round, 1);
}
END_TEST

static void
add_many(Suite *suite)
{
    TCase *tcase = tcase_create("many games");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, many_games_go_on_side_by_side);
    tcase_add_test(tcase, a_private_answer_goes_to_the_game_that_asked);
    tcase_add_test(tcase, each_game_has_its_own_letters_and_its_own_status);
    tcase_add_test(tcase, all_games_are_there_after_a_new_start);
    tcase_add_test(tcase, each_deadline_fires_in_its_own_game);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/tables");
    TCase *tcase = tcase_create("desk");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_desk_opens_over_what_is_configured);
    tcase_add_test(tcase, what_is_configured_wrongly_is_told);
    tcase_add_test(tcase, a_second_host_is_refused);
    tcase_add_test(tcase, a_game_whose_place_left_the_configuration_waits);
    tcase_add_test(tcase, games_that_are_over_are_let_go);
    tcase_add_test(tcase, who_is_called_like_the_thread_is_at_one_table);
    tcase_add_test(tcase, a_post_that_comes_again_changes_nothing);
    tcase_add_test(tcase, how_a_post_was_read_is_noted);
    tcase_add_test(tcase,
                   posts_that_can_not_be_read_or_are_elsewhere_are_let_pass);
    tcase_add_test(tcase, a_page_is_saved_whole_or_not_at_all);
    tcase_add_test(tcase, a_commit_that_fails_ends_it_and_nothing_is_sent);
    tcase_add_test(tcase, the_place_in_a_feed_is_kept);
    tcase_add_test(tcase, notes_of_a_page_are_kept_with_it);
    tcase_add_test(tcase, a_deadline_fires_once_the_feed_is_read_up_to_it);
    tcase_add_test(tcase, deadlines_that_passed_while_nobody_hosted_fire_once);
    tcase_add_test(tcase, posts_of_the_time_without_a_host_count);
    tcase_add_test(tcase, a_kept_post_outlives_the_host);
    tcase_add_test(tcase, a_look_of_the_operator_is_told_in_the_thread);
    tcase_add_test(tcase, a_look_at_a_game_that_is_not_on_is_forgotten);
    suite_add_tcase(suite, tcase);
    add_many(suite);
    return suite;
}
