/*
 * The tables: pages, deadlines and looks, each one transaction; many tables.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/places/places.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/tables_open.h"
#include "bot/tables/turns/timers.h"
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

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
}

static int64_t
count(const char *sql)
{
    return room_query(&room, "store.db", sql);
}

/* ---- opening ------------------------------------------------------------- */

/* Try to open the tables of a configuration with one place. */
static enum err
try_open(const char *service, const char *language, const char *zone)
{
    static struct conf conf;
    static struct catalogues catalogues;
    static struct tables tables;
    conf_defaults(&conf);
    snprintf(conf.store, sizeof conf.store, "%s", room_path(&room, "store.db"));
    conf_make_places(&conf, 1);
    TEXT_COPY(conf.places[0].name, "here");
    TEXT_COPY(conf.places[0].service, service);
    conf.places[0].settings = conf.settings;
    TEXT_COPY(conf.places[0].settings.language, language);
    TEXT_COPY(conf.places[0].settings.zone, zone);
    enum err err = tables_open(&tables, &conf, &catalogues, NULL, &dealer_fair,
                               OPEN_UNCHECKED, &why);
    if (err == ERR_NONE) {
        ck_assert_ptr_nonnull(places_find(&tables.places, "here"));
        ck_assert_ptr_null(places_find(&tables.places, "there"));
        ck_assert_ptr_nonnull(places_service(&tables.places, "here"));
        ck_assert_ptr_null(places_service(&tables.places, "there"));
        ck_assert_uint_eq(tables.feeds.count, 1);
        ck_assert_int_eq(timers_due(&tables), 0);
        tables_close(&tables);
    }
    conf_release(&conf);
    return err;
}

START_TEST(a_tables_opens_over_what_is_configured)
{
    ck_assert_int_eq(try_open("board", "en", "UTC"), ERR_NONE);
    ck_assert_int_eq(try_open("board", "en", "Europe/Oslo"), ERR_NONE);
}
END_TEST

START_TEST(what_is_configured_wrongly_is_told)
{
    ck_assert_int_eq(try_open("unknown", "en", "UTC"), ERR_CONFIG);
    assert_holds(buf_text(&why), "place \"here\": no service is called "
                                 "\"unknown\"");
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
    room_open(&room);
    memset(&second, 0, sizeof second);
    conf_defaults(&second.conf);
    ck_assert_int_eq(stage_open(&second, room.folder, room.now, &why),
                     ERR_DENIED);
    assert_holds(buf_text(&why), "store.db.lock");
    room_says(&room, "Mo", "!new");
    ck_assert_ptr_nonnull(stage_table(room.stage));
}
END_TEST

START_TEST(a_game_whose_place_left_the_configuration_waits)
{
    begin(5);
    room_shut(&room);
    ck_assert_int_eq(try_open("board", "en", "UTC"), ERR_NONE); /* "here" */
    room_open(&room);
    ck_assert_str_eq(room_awaited(&room), "Anna");
}
END_TEST

START_TEST(games_that_are_over_are_let_go)
{
    begin(5);
    room_govern_to(&room, 4);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 1);
    room_names(&room, 4); /* Hitler */
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    ck_assert_int_eq(room.stage->tables.games, 1);
    room_reopen(&room);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    ck_assert_int_eq(count("SELECT over FROM game"), 1);
}
END_TEST

/* A board numbers its people, and its topics: by chance alike. */
START_TEST(who_is_called_like_the_thread_is_at_one_table)
{
    static const char *const others[] = {"Bob", "Carl", "Dora", "Emil"};
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "thread", "!join");
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, others[i], "!join");
    }
    room_elects(&room, 1);
    room_tells(&room, "thread", "discard 1");
    assert_holds(room_told(&room, "Bob"), "two cards are below");
    ck_assert_uint_eq(room_count_told(&room, "thread", "more than one table"),
                      0);
}
END_TEST

/* ---- pages --------------------------------------------------------------- */

START_TEST(a_post_that_comes_again_changes_nothing)
{
    begin(5);
    room_names(&room, 1);
    struct odd_post post = {
        .id = "2", .who = "Carl", .text = "**Ja!**", .stamp = room.stage->now};
    room_delivers(&room, &post);
    struct table before;
    table_clone(&before, room_table(&room));
    int64_t messages = count("SELECT count(*) FROM message");
    int64_t rows = count("SELECT count(*) FROM journal");
    room_delivers(&room, &post);
    post.text = "Nein!\n!help";
    room_delivers(&room, &post);
    ck_assert(table_equal(&before, room_table(&room)));
    ck_assert_int_eq(count("SELECT count(*) FROM message"), messages);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), rows);
    room_reopen(&room);
    room_delivers(&room, &post);
    ck_assert(table_equal(&before, room_table(&room)));
    table_release(&before);
}
END_TEST

START_TEST(how_a_post_was_read_is_noted)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_int_eq(count("SELECT count(*) FROM " SQL_POSTS
                           " WHERE author = 'Carl'"
                           " AND " SQL_VERDICT " LIKE 'R4%'"),
                     1);
    ck_assert_int_eq(count("SELECT count(*) FROM " SQL_POSTS
                           " WHERE " SQL_VERDICT " = 'a command'"),
                     6);
}
END_TEST

START_TEST(posts_that_can_not_be_read_or_are_elsewhere_are_let_pass)
{
    static char flood[70000];
    begin(5);
    struct table before;
    table_clone(&before, room_table(&room));
    memset(flood, 'x', sizeof flood - 1);
    room_delivers(&room, &(struct odd_post){.id = "a",
                                            .who = "Anna",
                                            .text = flood,
                                            .stamp = room.stage->now});
    room_tells(&room, "Stranger", "discard 1");
    ck_assert(table_equal(&before, room_table(&room)));
    table_release(&before);
    ck_assert_int_eq(count("SELECT count(*) FROM " SQL_POSTS
                           " WHERE " SQL_VERDICT " LIKE 'R0%'"),
                     1);
}
END_TEST

/* Let the next insertion of a row fail in the middle of a page. */
/* A host does not begin with such a trigger. */
static void
break_journal(void)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(room_path(&room, "store.db"), &db),
                     SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(db,
                     "CREATE TRIGGER broken BEFORE INSERT ON journal"
                     " WHEN new.row = 4"
                     " BEGIN SELECT raise(ABORT, 'the disk is gone'); END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

START_TEST(a_page_is_saved_whole_or_not_at_all)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    break_journal();
    int64_t seen = count("SELECT count(*) FROM post");
    room_posts(&room, "Anna", "!join");
    room_posts(&room, "Bob", "!join");
    room_posts(&room, "Carl", "!join");
    room_posts(&room, "Dora", "!join");
    ck_assert_int_ne(stage_settle(room.stage, &why), ERR_NONE);
    assert_holds(buf_text(&why), "the disk is gone");
    room_shut(&room);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), 1);
    ck_assert_int_eq(count("SELECT count(*) FROM post"), seen);
    ck_assert_int_eq(count("SELECT count(*) FROM message WHERE kind = 3"), 1);
    room_alter(&room, "store.db",
               "DROP TRIGGER broken; UPDATE host SET id = id");
    room_open(&room);
    ck_assert_uint_eq(room_table(&room)->seated, 4);
    assert_holds(room_status(&room)->text, "(4): Anna, Bob, Carl, Dora.");
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
    ck_assert_int_eq(stat(room_path(&room, "store.db-wal"), &wal), 0);
    room_posts(&room, "Anna", "[b]Bob[/b]");
    room_read(&room);
    size_t posts = room.post_count;
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    limit_files((rlim_t)wal.st_size); /* the disk is full */
    enum err err = stage_settle(room.stage, &why);
    limit_files(RLIM_INFINITY);
    ck_assert_int_ne(err, ERR_NONE);
    assert_holds(buf_text(&why), "store.db");
    room_read(&room);
    ck_assert_uint_eq(room.post_count, posts);
    /* With room again a new start goes on from what is on disk. */
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(the_place_in_a_feed_is_kept)
{
    begin(5);
    room_settle(&room); /* the host's own posts are read, too */
    char cursor[ADAPTER_ID_MAX + 1];
    TEXT_COPY(cursor, room.stage->tables.feeds.list[0]->cursor);
    ck_assert_str_ne(cursor, "");
    room_shut(&room);
    room_alter(&room, "store.db", "DELETE FROM post"); /* nothing was seen */
    room_open(&room);
    ck_assert_str_eq(room.stage->tables.feeds.list[0]->cursor, cursor);
    ck_assert_int_eq(count("SELECT count(*) FROM post"), 0);
}
END_TEST

START_TEST(adapter_states_of_a_page_are_saved_with_it)
{
    struct outcome outcome = {.err = ERR_NONE};
    room_open(&room);
    struct tables *tables = &room.stage->tables;
    ck_assert(adapter_states_set(&outcome.states, "device", "7"));
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, "99");
    outcome.through = 5000;
    intake_take_page(tables, tables->feeds.list[0], &outcome, 1);
    ck_assert_int_eq(
        count("SELECT count(*) FROM adapter_state WHERE " SQL_STATE " = '7'"),
        1);
    ck_assert_str_eq(tables->feeds.list[0]->cursor, "99");
    /* What was read does not become unread. */
    int64_t through = tables->feeds.list[0]->through;
    outcome.through = 4000;
    intake_take_page(tables, tables->feeds.list[0], &outcome, 1);
    ck_assert_int_eq(tables->feeds.list[0]->through, through);
    outcome_release(&outcome);
}
END_TEST

START_TEST(a_place_is_found_by_where_it_is_now)
{
    room_open(&room);
    struct tables *tables = &room.stage->tables;
    const struct service *board = &tables->services.list[0];
    struct hosted_place *place = tables->places.list[0];
    char old[ADAPTER_ID_MAX + 1];
    TEXT_COPY(old, place->ids[PLACE_THREAD]);
    ck_assert_ptr_eq(places_at(&tables->places, board, PLACE_THREAD, old),
                     place);
    ck_assert_ptr_null(
        places_at(&tables->places, board + 1, PLACE_THREAD, old));
    places_set_id(&tables->places, place, PLACE_MODERATORS, "office");
    ck_assert_ptr_null(
        places_at(&tables->places, board, PLACE_THREAD, "office"));
    places_set_id(&tables->places, place, PLACE_THREAD, "new");
    ck_assert_ptr_null(places_at(&tables->places, board, PLACE_THREAD, old));
    ck_assert_ptr_eq(places_at(&tables->places, board, PLACE_THREAD, "new"),
                     place);
    places_set_id(&tables->places, place, PLACE_THREAD, "");
    ck_assert_ptr_null(places_at(&tables->places, board, PLACE_THREAD, ""));
    ck_assert_ptr_null(places_at(&tables->places, board, PLACE_THREAD, "new"));
}
END_TEST

/* The adapter state "device" of the board. */
static const char *
device(void)
{
    const struct tables *tables = &room.stage->tables;
    const struct adapter_states *states = &tables->services.states[0];
    return adapter_states_find(states->list, states->count, "device");
}

static void
save_device(const char *value)
{
    struct adapter_states states = {.count = 0};
    struct tables *tables = &room.stage->tables;
    ck_assert(adapter_states_set(&states, "device", value));
    services_save_states(&tables->services, tables->store,
                         &tables->services.list[0], &states);
    adapter_states_release(&states);
}

START_TEST(an_adapter_state_is_known_at_once_and_after_a_start)
{
    room_open(&room);
    ck_assert_str_eq(device(), "");
    save_device("7");
    ck_assert_str_eq(device(), "7");
    save_device("8");
    ck_assert_str_eq(device(), "8");
    room_reopen(&room);
    ck_assert_str_eq(device(), "8");
}
END_TEST

START_TEST(an_adapter_state_that_has_not_changed_is_not_written_again)
{
    room_open(&room);
    save_device("7");
    int64_t sum = count("SELECT sum FROM adapter_state");
    save_device("7"); /* sealed anew it would be other bytes */
    ck_assert_int_eq(count("SELECT sum FROM adapter_state"), sum);
    save_device("8");
    ck_assert_int_ne(count("SELECT sum FROM adapter_state"), sum);
}
END_TEST

/* ---- time ---------------------------------------------------------------- */

START_TEST(a_deadline_fires_once_the_feed_is_read_up_to_it)
{
    begin(5);
    int64_t due = table_due(room_table(&room));
    int64_t margin = adapter_board.capabilities.margin;
    ck_assert_int_eq(timers_due(&room.stage->tables), due + margin);
    room_waits(&room, due + margin - 1 - room.stage->now);
    ck_assert_uint_eq(room_game(&room)->round, 1);
    room_waits(&room, 1);
    ck_assert_uint_eq(room_game(&room)->round, 2);
}
END_TEST

START_TEST(deadlines_that_passed_while_nobody_hosted_fire_once)
{
    begin(5);
    room_shut(&room);
    room.now += 3 * DAY_MS;
    room_open(&room);
    /* Anna's time is up; Bob's began when that was told. */
    ck_assert_uint_eq(room_game(&room)->round, 2);
    ck_assert_int_eq(room_table(&room)->opened, room.stage->now);
    assert_holds(room_said(&room), "Bob, who is your Chancellor? Post the "
                                   "name in bold, on a line of its own, "
                                   "by Tue 24 Nov");
}
END_TEST

START_TEST(posts_of_the_time_without_a_host_count)
{
    room_open(&room);
    room_begin(&room, 5);
    room_posts(&room, "Anna", "**Bob**");
    for (unsigned i = 0; i < 3; i++) {
        room_posts(&room, room_player(i), "**Ja!**");
    }
    room_shut(&room);
    room.now += 3 * DAY_MS;
    room_open(&room);
    ck_assert_uint_eq(room_count_said(&room, "Elected, 3 to 0"), 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(a_deferred_post_outlives_the_host)
{
    begin(5);
    room_names(&room, 1);
    int64_t due = table_due(room_table(&room));
    room_waits(&room, due - room.stage->now);
    room_says(&room, "Bob", "**Dora**");
    ck_assert_int_eq(count("SELECT count(*) FROM deferred"), 1);
    room_reopen(&room);
    ck_assert_int_eq(count("SELECT count(*) FROM deferred"), 1);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_int_eq(count("SELECT count(*) FROM deferred"), 0);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(&room)->president, 1);
}
END_TEST

/* ---- looks --------------------------------------------------------------- */

static void
look(const char *game)
{
    ck_assert_int_eq(store_note_look(room_path(&room, "store.db"), game, &why),
                     ERR_NONE);
    room_waits(&room, MINUTE_MS);
}

START_TEST(a_look_of_the_operator_is_told_in_the_thread)
{
    begin(5);
    look("1");
    assert_holds(room_said(&room),
                 "the operator of this host has looked at table 1's secrets");
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 1);
    look("1");
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 2);
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 2);
}
END_TEST

START_TEST(a_look_at_a_game_that_is_not_on_is_forgotten)
{
    begin(5);
    look("7");
    ck_assert_int_eq(count("SELECT count(*) FROM operator_look"), 0);
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 0);
    look("1");
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 1);
}
END_TEST

/* ---- many games ---------------------------------------------------------- */

enum {
    THREADS = 3
};

/* Configure several threads, one a place, each as the one that there is. */
static void
configure_many(struct conf *conf)
{
    struct place only = conf->places[0];
    conf_make_places(conf, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        struct place *place = &conf->places[i];
        *place = only;
        snprintf(place->name, sizeof place->name, "place %u", i);
        snprintf(place->address, sizeof place->address, "thread/%u", i);
    }
}

/* Open a host of several threads over the room's folder. */
static void
open_many(void)
{
    room_open(&room);
    struct stage *stage = room.stage;
    loop_close(&stage->loop);
    tables_close(&stage->tables);
    configure_many(&stage->conf);
    ck_assert(tables_open(&stage->tables, &stage->conf, &stage->catalogues,
                          NULL, &stage->dealer, OPEN_UNCHECKED,
                          &why) == ERR_NONE);
    loop_open(&stage->loop, &stage->tables, stage->dispatch);
    TEXT_COPY(stage->tables.services.list[0].self, BOARD_HOST);
    for (unsigned i = 0; i < THREADS; i++) {
        tables_feeds_found(&stage->tables, stage->tables.places.list[i],
                           stage->conf.places[i].address);
    }
}

static unsigned next_post;

static enum err
try_deliver(const char *place, const char *who, const char *text)
{
    struct tables *tables = &room.stage->tables;
    struct outcome outcome = {.err = ERR_NONE};
    struct post *post = page_add(&outcome.page);
    char id[16];
    snprintf(id, sizeof id, "x%u", next_post++);
    room.stage->now += SECOND_MS;
    *post = (struct post){.id = must_copy(id),
                          .place = must_copy(place),
                          .author = must_copy(who),
                          .author_name = must_copy(who),
                          .body = must_copy(text),
                          .body_len = strlen(text),
                          .stamp = room.stage->now,
                          .dm = strncmp(place, "talk/", 5) == 0};
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, tables->feeds.list[0]->cursor);
    intake_take_page(tables, tables->feeds.list[0], &outcome, room.stage->now);
    outcome_release(&outcome);
    return store_err(tables->store, &why);
}

static void
deliver(const char *place, const char *who, const char *text)
{
    ck_assert_msg(try_deliver(place, who, text) == ERR_NONE, "%s",
                  buf_text(&why));
}

static const struct table *
table_in(const char *thread)
{
    struct tables *tables = &room.stage->tables;
    size_t at = 0;
    while (at < tables->hosted.count &&
           strcmp(tables->hosted.list[at]->table.thread, thread) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, tables->hosted.count);
    return &tables->hosted.list[at]->table;
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
            deliver(thread, room_player((n + i) % 5), "!join");
        }
        ck_assert_int_eq(table_in(thread)->state, TABLE_RUNNING);
    }
}

START_TEST(many_games_go_on_side_by_side)
{
    begin_many();
    ck_assert_uint_eq(room.stage->tables.hosted.count, THREADS);
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
    ck_assert_uint_eq(room.stage->tables.hosted.count, THREADS);
}
END_TEST

static void
elect_in(const char *thread, unsigned first)
{
    char name[32];
    snprintf(name, sizeof name, "**%s**", room_player((first + 1) % 5));
    deliver(thread, room_player(first), name);
    for (unsigned i = 0; i < 3; i++) {
        deliver(thread, room_player(i), "**Ja!**");
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

START_TEST(each_game_has_its_own_messages_and_its_own_status)
{
    begin_many();
    const struct outbox *outbox = &room.stage->tables.outbox;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%c", queued->game[0] - 1);
        ck_assert_str_eq(queued->thread, thread);
    }
    for (unsigned i = 1; i <= THREADS; i++) {
        char game[4];
        snprintf(game, sizeof game, "%u", i);
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%u", i - 1);
        ck_assert_ptr_nonnull(
            outbox_status(&room.stage->tables.outbox, game, thread));
    }
}
END_TEST

START_TEST(all_games_are_there_after_a_new_start)
{
    static struct conf conf;
    static struct catalogues catalogues;
    static struct tables tables;
    struct table before[THREADS];
    begin_many();
    elect_in("thread/1", 1);
    for (unsigned i = 0; i < THREADS; i++) {
        struct tables *there = &room.stage->tables;
        table_clone(&before[i], &there->hosted.list[i]->table);
    }
    conf = room.stage->conf;
    room.stage->conf.places = NULL; /* they are taken over */
    room_shut(&room);
    ck_assert_int_eq(tables_open(&tables, &conf, &catalogues, NULL,
                                 &dealer_fair, OPEN_UNCHECKED, &why),
                     ERR_NONE);
    ck_assert_uint_eq(tables.hosted.count, THREADS);
    ck_assert_int_eq(tables.games, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert(table_equal(&tables.hosted.list[i]->table, &before[i]));
        table_release(&before[i]);
    }
    tables_close(&tables);
    conf_release(&conf);
}
END_TEST

START_TEST(each_deadline_fires_in_its_own_game)
{
    begin_many();
    elect_in("thread/1", 1);
    struct tables *tables = &room.stage->tables;
    int64_t due = timers_due(tables);
    ck_assert_int_eq(due, table_due(table_in("thread/0")) +
                              adapter_board.capabilities.margin);
    for (size_t i = 0; i < tables->outbox.count; i++) {
        tables->outbox.list[i]->delivered = 1; /* nothing is sent here */
    }
    feeds_read_through(&tables->feeds, tables->feeds.list[0],
                       table_due(table_in("thread/0")));
    timers_work(tables, due);
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
    tcase_add_test(tcase, each_game_has_its_own_messages_and_its_own_status);
    tcase_add_test(tcase, all_games_are_there_after_a_new_start);
    tcase_add_test(tcase, each_deadline_fires_in_its_own_game);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/tables");
    TCase *tcase = tcase_create("tables");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_tables_opens_over_what_is_configured);
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
    tcase_add_test(tcase, adapter_states_of_a_page_are_saved_with_it);
    tcase_add_test(tcase, a_place_is_found_by_where_it_is_now);
    tcase_add_test(tcase, an_adapter_state_is_known_at_once_and_after_a_start);
    tcase_add_test(tcase,
                   an_adapter_state_that_has_not_changed_is_not_written_again);
    tcase_add_test(tcase, a_deadline_fires_once_the_feed_is_read_up_to_it);
    tcase_add_test(tcase, deadlines_that_passed_while_nobody_hosted_fire_once);
    tcase_add_test(tcase, posts_of_the_time_without_a_host_count);
    tcase_add_test(tcase, a_deferred_post_outlives_the_host);
    tcase_add_test(tcase, a_look_of_the_operator_is_told_in_the_thread);
    tcase_add_test(tcase, a_look_at_a_game_that_is_not_on_is_forgotten);
    suite_add_tcase(suite, tcase);
    add_many(suite);
    return suite;
}
