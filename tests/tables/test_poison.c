/*
 * Posts and deadlines on which the process dies: the third death is the last.
 *
 * Three games in three threads, at a service whose dialect dies of one word,
 * with a dealer that dies of one game's lots.  Each host is a process of its
 * own here.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/tables_open.h"
#include "bot/tables/turns/timers.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    THREADS = 3,
    DEATHS = 4, /* until a post or a deadline is left alone */
    LINES_MAX = 8
};

static struct room room; /* its folder */
static struct buf why;
static struct conf conf;
static struct catalogues catalogues;
static struct tables tables;
static int64_t now;

/* ---- what kills ---------------------------------------------------------- */

static bool armed;             /* "BOOM" kills */
static const char *fatal_lots; /* the game whose lots do; NULL: none's */
static struct adapter fragile; /* the board's, with threads and a dialect … */
static struct dialect brittle; /* … that dies */
static struct dealer gambler;  /* who may die, too */
static unsigned pages_so_far;  /* so that each has posts of its own */
static bool pressed;           /* a page is a press, not one of the feed */

static void
fill_disk(void)
{
    struct rlimit none = {0, RLIM_INFINITY};
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
}

static void
read_or_die(const char *body, size_t len, struct rich *out, bool *unread)
{
    if (armed && strstr(body, "BOOM") != NULL) {
        abort();
    }
    if (armed && strstr(body, "FULL") != NULL) {
        fill_disk();
    }
    dialect_board.read(body, len, out, unread);
}

static unsigned
draw_or_die(void *context, const struct table *table, unsigned choices)
{
    (void)context;
    if (fatal_lots != NULL && strcmp(table->id, fatal_lots) == 0) {
        abort();
    }
    return choices - 1;
}

static struct command
deal_known(void *context, const struct table *table)
{
    (void)context;
    return deal(table->seated, "FFLFFLFFLFFLFFLFL");
}

/* ---- a host -------------------------------------------------------------- */

static void
configure(void)
{
    conf_defaults(&conf);
    stage_settings_plain(&conf.settings);
    TEXT_COPY(conf.store, room_path(&room, "store.db"));
    conf_make_places(&conf, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        struct place *place = &conf.places[i];
        (void)snprintf(place->name, sizeof place->name, "place %u", i);
        (void)snprintf(place->address, sizeof place->address, "thread/%u", i);
        TEXT_COPY(place->service, "board");
        TEXT_COPY(place->moderators[0], "Mo");
        place->moderator_count = 1;
        place->settings = conf.settings;
    }
    gambler = dealer_fair;
    gambler.generate_secret = NULL;
    gambler.deal = deal_known;
    gambler.lots = draw_or_die;
    brittle = dialect_board;
    brittle.read = read_or_die;
    fragile = adapter_board;
    fragile.dialect = &brittle;
}

static void
open_tables(void)
{
    ck_assert_msg(tables_open(&tables, &conf, &catalogues, NULL, &gambler,
                              OPEN_UNCHECKED, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    tables.services.list[0].adapter = &fragile;
    TEXT_COPY(tables.services.list[0].self, "placard");
    for (unsigned i = 0; i < THREADS; i++) {
        tables_feeds_found(&tables, tables.places.list[i],
                           conf.places[i].address);
    }
}

struct line {
    const char *place, *who, *text; /* place NULL: the last one was before */
};

/* Hand the tables a page, or none where it has read it already. */
static void
take_page(const struct line *lines)
{
    struct outcome outcome = {.err = ERR_NONE, .through = now};
    struct feed *feed = tables.feeds.list[0];
    buf_addf(&outcome.cursor, "%u", pages_so_far);
    bool read = buf_equals(&outcome.cursor, feed->cursor);
    for (unsigned i = 0; !read && lines[i].place != NULL; i++) {
        struct post *post = page_add(&outcome.page);
        struct buf id = BUF_INIT;
        buf_addf(&id, "%u.%u", pages_so_far, i);
        *post = (struct post){
            .id = buf_take(&id),
            .place = must_copy(lines[i].place),
            .author = must_copy(lines[i].who),
            .author_name = must_copy(lines[i].who),
            .body = must_copy(lines[i].text),
            .body_len = strlen(lines[i].text),
            .stamp = now,
            .dm = strncmp(lines[i].place, "talk/", 5) == 0,
        };
    }
    page_finish(&outcome.page);
    if (pressed) {
        intake_take_press(&tables, &tables.services.list[0],
                          &outcome.page.posts[0], now);
    } else {
        intake_take_page(&tables, feed, &outcome, now);
    }
    outcome_release(&outcome);
}

/* A page that everybody survives. */
static void
deliver(const struct line *lines)
{
    now += SECOND_MS;
    pages_so_far++;
    take_page(lines);
    ck_assert_msg(store_err(tables.store, &why) == ERR_NONE, "%s",
                  buf_text(&why));
}

/* The same, one post. */
static void
say(const char *place, const char *who, const char *text)
{
    const struct line lines[] = {{place, who, text}, {NULL, NULL, NULL}};
    deliver(lines);
}

static bool
is_on(const char *thread)
{
    for (size_t i = 0; i < tables.hosted.count; i++) {
        if (strcmp(tables.hosted.list[i]->table.thread, thread) == 0) {
            return true;
        }
    }
    return false;
}

static const struct table *
table_in(const char *thread)
{
    size_t at = 0;
    while (at < tables.hosted.count &&
           strcmp(tables.hosted.list[at]->table.thread, thread) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, tables.hosted.count);
    return &tables.hosted.list[at]->table;
}

static enum question
question_in(const char *thread)
{
    return (enum question)table_in(thread)->game.question;
}

static int64_t
count(const char *sql)
{
    return room_query(&room, "store.db", sql);
}

/* The same five play in all threads, another one is candidate in each. */
static void
set_up(void)
{
    room_init(&room);
    now = room.now;
    pressed = false;
    configure();
    open_tables();
    for (unsigned i = 0; i < THREADS; i++) {
        char thread[16];
        (void)snprintf(thread, sizeof thread, "thread/%u", i);
        say(thread, "Mo", "!new players=5");
        for (unsigned n = 0; n < 5; n++) {
            say(thread, room_player((n + i) % 5), "!join");
        }
    }
    armed = true;
}

static void
tear_down(void)
{
    tables_close(&tables);
    room_release(&room);
    buf_release(&why);
}

/* ---- what a host does until it dies -------------------------------------- */

enum end {
    WENT_ON,
    FAILED, /* by an error */
    DIED
};

/* Nothing is sent here; everything written counts as sent.  The store is not
 * told. */
static void
deliver_messages(void)
{
    for (size_t i = 0; i < tables.outbox.count; i++) {
        struct queued_message *queued = tables.outbox.list[i];
        queued->delivered = now;
        if (queued->message.kind == MESSAGE_PRIVATE) {
            queued->state = QUEUED_SENT;
        }
    }
}

/* A host of its own reads this page, then lets all deadlines fire that have
 * passed; this process has no tables open. */
static void
host(const struct line *lines)
{
    int nothing = open("/dev/null", O_WRONLY);
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)dup2(nothing, STDERR_FILENO);
    open_tables();
    take_page(lines);
    enum err err = store_err(tables.store, NULL);
    if (err == ERR_NONE) {
        deliver_messages();
        timers_work(&tables, now);
        err = store_err(tables.store, NULL);
    }
    tables_close(&tables);
    _exit(err == ERR_NONE ? WENT_ON : FAILED);
}

static enum end
start(const struct line *lines)
{
    int status = 0;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        host(lines);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        ck_assert_int_eq(WTERMSIG(status), SIGABRT);
        return DIED;
    }
    return (enum end)WEXITSTATUS(status);
}

/* Start it so often until it goes on. */
static void
assert_deaths(const struct line *lines, unsigned deaths)
{
    for (unsigned i = 0; i < deaths; i++) {
        ck_assert_msg(start(lines) == DIED, "at start %u it went on", i + 1);
    }
    ck_assert_int_eq(start(lines), WENT_ON);
}

/* Leave the tables to other hosts, for a page that is new to them. */
static void
leave(void)
{
    tables_close(&tables);
    now += SECOND_MS;
    pages_so_far++;
}

/* The thread of a game was told once that it is held; nobody else's was. */
static void
assert_held(const char *game)
{
    char sql[800];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM message WHERE game = '%s' AND kind = 0"
                   " AND " SQL_TEXT " LIKE 'Table %s is on hold: %%'",
                   game, game);
    ck_assert_int_eq(count(sql), 1);
    (void)snprintf(sql, sizeof sql, "SELECT held FROM game WHERE id = '%s'",
                   game);
    ck_assert_int_eq(count(sql), 1);
}

static void
assert_held_in_all(int64_t games)
{
    ck_assert_int_eq(count("SELECT sum(held) FROM game"), games);
    ck_assert_int_eq(count("SELECT count(*) FROM message"
                           " WHERE " SQL_TEXT " LIKE '%is on hold: %'"),
                     games);
    ck_assert_int_eq(count("SELECT count(*) FROM attempt"), 0);
}

/* ---- posts --------------------------------------------------------------- */

/* The candidates of all name somebody, and in the second game's thread there
 * is a post to die of. */
static const struct line page[] = {
    {"thread/0", "Anna", "**Bob**"},   {"thread/1", "Dora", "BOOM"},
    {"thread/1", "Bob", "**Carl**"},   {"thread/2", "Carl", "**Dora**"},
    {"thread/0", "Anna", "**Ja!**"},   {"thread/2", "Emil", "**Nein!**"},
    {"thread/0", "Emil", "**Nein!**"}, {NULL, NULL, NULL}};

START_TEST(a_post_it_died_on_four_times_is_set_aside)
{
    leave();
    assert_deaths(page, DEATHS);
    open_tables();
    ck_assert_int_eq(count("SELECT count(*) FROM " SQL_POSTS
                           " WHERE " SQL_VERDICT " LIKE 'set aside: %'"),
                     1);
    assert_held("2");
    assert_held_in_all(1);
    ck_assert(!is_on("thread/1"));
    ck_assert_int_eq(question_in("thread/0"), QUESTION_VOTE);
    ck_assert_uint_eq(seat_count(table_in("thread/0")->game.voted), 2);
    ck_assert_int_eq(question_in("thread/2"), QUESTION_VOTE);
    ck_assert_uint_eq(seat_count(table_in("thread/2")->game.voted), 1);
}
END_TEST

/* It is in no page, which would have been tried before. */
START_TEST(a_press_it_died_on_four_times_is_set_aside)
{
    static const struct line press[] = {{"thread/1", "Dora", "BOOM"},
                                        {NULL, NULL, NULL}};
    leave();
    pressed = true;
    assert_deaths(press, DEATHS);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
}
END_TEST

START_TEST(only_a_host_whose_last_one_has_died_notes_what_it_tries)
{
    leave();
    ck_assert_int_eq(start(page), DIED);
    ck_assert_int_eq(count("SELECT count(*) FROM attempt"), 0);
    ck_assert_int_eq(start(page), DIED);
    ck_assert_int_eq(count("SELECT count(*) FROM attempt"), 1);
    open_tables();
}
END_TEST

START_TEST(two_such_posts_on_one_page_hold_both_games)
{
    static const struct line both[] = {
        {"thread/0", "Anna", "**Bob**"}, {"thread/1", "Dora", "BOOM"},
        {"thread/0", "Carl", "BOOM"},    {"thread/2", "Carl", "**Dora**"},
        {"thread/0", "Anna", "**Ja!**"}, {NULL, NULL, NULL}};
    leave();
    /* Once more, since each is found by itself. */
    assert_deaths(both, DEATHS + 1);
    open_tables();
    assert_held("2");
    assert_held("1");
    assert_held_in_all(2);
    ck_assert_int_eq(question_in("thread/2"), QUESTION_VOTE);
    /* What came before it counted, what came after it did not. */
    ck_assert_int_eq(count("SELECT count(*) FROM journal WHERE game = '1'"),
                     count("SELECT count(*) FROM journal WHERE game = '2'") +
                         1);
}
END_TEST

START_TEST(two_such_posts_in_one_game_hold_it_once)
{
    static const struct line both[] = {{"thread/1", "Dora", "BOOM"},
                                       {"thread/1", "Dora", "BOOM again"},
                                       {"thread/0", "Anna", "**Bob**"},
                                       {NULL, NULL, NULL}};
    leave();
    assert_deaths(both, DEATHS + 1);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
    ck_assert_int_eq(question_in("thread/0"), QUESTION_VOTE);
}
END_TEST

/* Bob is president in the second thread and owes it an answer. */
static void
elect_second(void)
{
    say("thread/1", "Bob", "**Carl**");
    for (unsigned i = 0; i < 3; i++) {
        say("thread/1", room_player(i), "**Ja!**");
    }
    ck_assert_int_eq(question_in("thread/1"), QUESTION_DISCARD);
}

START_TEST(a_private_message_holds_the_game_that_awaited_it)
{
    static const struct line message[] = {{"talk/Bob", "Bob", "discard BOOM"},
                                          {"thread/0", "Anna", "**Bob**"},
                                          {NULL, NULL, NULL}};
    elect_second();
    leave();
    assert_deaths(message, DEATHS);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
    ck_assert_int_eq(question_in("thread/0"), QUESTION_VOTE);
}
END_TEST

START_TEST(a_post_that_is_about_no_game_holds_none)
{
    static const struct line strange[] = {{"thread/9", "Zoe", "BOOM"},
                                          {"talk/Zoe", "Zoe", "BOOM"},
                                          {"thread/0", "Anna", "**Bob**"},
                                          {NULL, NULL, NULL}};
    leave();
    assert_deaths(strange, DEATHS + 1);
    open_tables();
    assert_held_in_all(0);
    ck_assert_uint_eq(tables.hosted.count, THREADS);
    ck_assert_int_eq(question_in("thread/0"), QUESTION_VOTE);
}
END_TEST

START_TEST(its_thread_is_free_at_once)
{
    static const struct line next[] = {{"thread/1", "Dora", "BOOM"},
                                       {"thread/1", "Mo", "!new players=5"},
                                       {"thread/1", "Anna", "!join"},
                                       {NULL, NULL, NULL}};
    leave();
    assert_deaths(next, DEATHS);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
    ck_assert_str_eq(table_in("thread/1")->id, "4");
    ck_assert_uint_eq(table_in("thread/1")->seated, 1);
}
END_TEST

/* ---- deadlines ----------------------------------------------------------- */

static const struct line nothing[] = {{NULL, NULL, NULL}};

START_TEST(a_deadline_it_died_on_three_times_is_left_alone)
{
    elect_second();
    int64_t due = table_due(table_in("thread/1"));
    ck_assert_int_ge(due, table_due(table_in("thread/0")));
    fatal_lots = "2";
    leave();
    now = due;
    assert_deaths(nothing, DEATHS);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
    ck_assert_uint_eq(table_in("thread/0")->game.round, 2);
    ck_assert_uint_eq(table_in("thread/2")->game.round, 2);
}
END_TEST

START_TEST(a_post_deferred_for_a_deadline_harms_its_own_game_alone)
{
    int64_t due = table_due(table_in("thread/0"));
    armed = false;
    now = due + 30 * SECOND_MS;
    pages_so_far++;
    /* All have the same deadline and a post that came too late. */
    tables.feeds.list[0]->through = 0;
    static const struct line late[] = {{"thread/0", "Anna", "**Bob**"},
                                       {"thread/1", "Bob", "**Carl** BOOM"},
                                       {"thread/2", "Carl", "**Dora**"},
                                       {NULL, NULL, NULL}};
    take_page(late);
    ck_assert_int_eq(store_err(tables.store, NULL), ERR_NONE);
    ck_assert_int_eq(count("SELECT count(*) FROM deferred"), 3);
    armed = true;
    tables_close(&tables);
    assert_deaths(nothing, DEATHS);
    open_tables();
    assert_held("2");
    assert_held_in_all(1);
    ck_assert_uint_eq(table_in("thread/0")->game.round, 2);
    ck_assert_uint_eq(table_in("thread/2")->game.round, 2);
}
END_TEST

/* ---- what does not count ------------------------------------------------- */

START_TEST(who_ends_by_an_error_has_tried_nothing)
{
    static const struct line full[] = {{"thread/0", "Anna", "**Bob**"},
                                       {"thread/1", "Dora", "BOOM or FULL"},
                                       {NULL, NULL, NULL}};
    static const struct line errors[] = {{"thread/0", "Anna", "**Bob**"},
                                         {"thread/1", "Dora", "FULL"},
                                         {NULL, NULL, NULL}};
    leave();
    for (unsigned i = 0; i < 2 * DEATHS; i++) {
        ck_assert_int_eq(start(errors), FAILED);
    }
    /* Twice dead, and it might be the last time … */
    ck_assert_int_eq(start(full), DIED);
    ck_assert_int_eq(start(full), DIED);
    ck_assert_int_eq(start(errors), FAILED);
    ck_assert_int_eq(start(errors), FAILED);
    /* … but now the disk has room again. */
    armed = false;
    ck_assert_int_eq(start(errors), WENT_ON);
    open_tables();
    assert_held_in_all(0);
    ck_assert_int_eq(count("SELECT count(*) FROM " SQL_POSTS
                           " WHERE " SQL_VERDICT " LIKE 'set aside: %'"),
                     0);
    ck_assert_int_eq(question_in("thread/0"), QUESTION_VOTE);
}
END_TEST

START_TEST(who_dies_elsewhere_later_begins_to_count_anew)
{
    static const struct line second[] = {{"thread/2", "Dora", "BOOM"},
                                         {NULL, NULL, NULL}};
    leave();
    assert_deaths(page, DEATHS);
    now += SECOND_MS;
    pages_so_far++;
    assert_deaths(second, DEATHS);
    open_tables();
    assert_held("2");
    assert_held("3");
    assert_held_in_all(2);
}
END_TEST

/* ---- a game that is held ------------------------------------------------- */

/* Journal rows and messages of the second game. */
static int64_t
count_acts(void)
{
    return count("SELECT (SELECT count(*) FROM journal WHERE game = '2') * 1000"
                 " + (SELECT count(*) FROM message WHERE game = '2')");
}

/* All that people can do there, by post or by private message. */
static const struct line tries[] = {
    {"thread/1", "Dora", "**Ja!**"}, {"thread/1", "Anna", "!status"},
    {"thread/1", "Mo", "!start"},    {"thread/1", "Mo", "!close"},
    {"thread/1", "Bob", "!leave"},   {"talk/Bob", "Bob", "discard 1"},
    {"talk/Bob", "Bob", "!status"},  {NULL, NULL, NULL}};

START_TEST(nothing_moves_a_game_that_is_held)
{
    static const struct line message[] = {
        {"talk/Bob", "Bob", "discard BOOM"}, {"thread/1", "Dora", "**Ja!**"},
        {"talk/Bob", "Bob", "discard 1"},    {"thread/1", "Anna", "!status"},
        {"thread/1", "Zoe", "!join"},        {NULL, NULL, NULL}};
    elect_second();
    int64_t before = count_acts();
    int64_t due = table_due(table_in("thread/1"));
    leave();
    assert_deaths(message, DEATHS);
    ck_assert_int_eq(count_acts(), before + 1); /* it is held */
    open_tables();
    deliver(tries);
    ck_assert(!is_on("thread/1"));
    now = due + DAY_MS;
    deliver(nothing);
    deliver_messages();
    timers_work(&tables, now);
    ck_assert_uint_gt(table_in("thread/0")->game.round, 1);
    ck_assert_int_eq(count_acts(), before + 1);
    /* Its thread is free for another. */
    say("thread/1", "Mo", "!new players=5");
    ck_assert_str_eq(table_in("thread/1")->id, "4");
    deliver(tries);
    ck_assert_int_eq(count_acts(), before + 1);
    assert_held_in_all(1);
}
END_TEST

/* The feed of a thread, or NULL. */
static const struct feed *
feed_of(const char *thread)
{
    const struct feed *found = NULL;
    for (size_t i = 0; i < tables.feeds.count; i++) {
        const struct feed *feed = tables.feeds.list[i];
        found = strcmp(feed->thread, thread) == 0 ? feed : found;
    }
    return found;
}

/* At a service where each thread is a feed of its own; another game was opened
 * at its place since. */
START_TEST(the_thread_of_a_game_that_is_held_is_read_on_after_a_start)
{
    leave();
    assert_deaths(page, DEATHS);
    room_alter(&room, "store.db",
               "UPDATE game SET place = 'place 1' WHERE id = '3'");
    conf_make_accounts(&conf, 1);
    TEXT_COPY(conf.accounts[0].name, "guild");
    TEXT_COPY(conf.accounts[0].kind, "discord");
    for (unsigned i = 0; i < THREADS; i++) {
        TEXT_COPY(conf.places[i].service, "guild");
        TEXT_COPY(conf.places[i].address, "7777");
    }
    ck_assert_msg(tables_open(&tables, &conf, &catalogues, NULL, &gambler,
                              OPEN_UNCHECKED, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    const struct feed *feed = feed_of("thread/1");
    ck_assert_ptr_nonnull(feed);
    ck_assert_int_gt(feed->listens_until, now + 1000 * DAY_MS);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/poison");
    TCase *tcase = tcase_create("poison");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_post_it_died_on_four_times_is_set_aside);
    tcase_add_test(tcase, a_press_it_died_on_four_times_is_set_aside);
    tcase_add_test(tcase,
                   only_a_host_whose_last_one_has_died_notes_what_it_tries);
    tcase_add_test(tcase, two_such_posts_on_one_page_hold_both_games);
    tcase_add_test(tcase, two_such_posts_in_one_game_hold_it_once);
    tcase_add_test(tcase, a_private_message_holds_the_game_that_awaited_it);
    tcase_add_test(tcase, a_post_that_is_about_no_game_holds_none);
    tcase_add_test(tcase, its_thread_is_free_at_once);
    tcase_add_test(tcase, a_deadline_it_died_on_three_times_is_left_alone);
    tcase_add_test(tcase,
                   a_post_deferred_for_a_deadline_harms_its_own_game_alone);
    tcase_add_test(tcase, who_ends_by_an_error_has_tried_nothing);
    tcase_add_test(tcase, who_dies_elsewhere_later_begins_to_count_anew);
    tcase_add_test(tcase, nothing_moves_a_game_that_is_held);
    tcase_add_test(tcase,
                   the_thread_of_a_game_that_is_held_is_read_on_after_a_start);
    suite_add_tcase(suite, tcase);
    return suite;
}
