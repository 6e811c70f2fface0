/*
 * A host with a thousand and with ten thousand running games: how long it takes
 * to start, what a game holds of memory, what a post costs.
 *
 * The games are made as any are, by posts on the board: sign-up, and some
 * rounds.  A board has one thread, so one game can be on there at a time; once
 * it runs it is over for the tables, and runs on in the store.  A host that
 * recovers them all is told that each has a thread of its own.
 */
#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/local/stage.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/tables_open.h"
#include "tests/bench/bench.h"
#include "tests/bench/writes.h"

enum {
    FEW = 1000,
    MANY = 10000,
    PLAYERS = 7,
    VOTES = PLAYERS / 2 + 1,
    ROUNDS = 3,
    PAUSE = 10,             /* ms between two posts */
    BETWEEN = 2 * 60 * 1000 /* and two games: one person opens them all */
};

/* Noon of 2026-11-21. */
#define BEGUN INT64_C(1795262400000)

static void
must(enum err err, const struct buf *why)
{
    if (err != ERR_NONE) {
        die("%s", buf_text(why));
    }
}

/* What was said in posts. */
static struct {
    double posts, bytes;
} said;

/* ---- a host -------------------------------------------------------------- */

/* Where a store and a board lie, and how many games run there. */
struct folder {
    unsigned games;
    char path[128];
    char store[160];
};

static struct folder
folder_in(const char *scratch, const char *name, unsigned games)
{
    struct folder folder = {.games = games};
    (void)snprintf(folder.path, sizeof folder.path, "%s/%s", scratch, name);
    (void)snprintf(folder.store, sizeof folder.store, "%s/store.db",
                   folder.path);
    return folder;
}

/* Nothing is due before the last game is on. */
static void
set_times(struct settings *settings)
{
    stage_settings_plain(settings);
    settings->election = settings->nomination = 30 * DAY_MS;
    settings->president = settings->chancellor = 30 * DAY_MS;
    settings->power = 30 * DAY_MS;
}

static struct stage *
open_stage(const struct folder *folder)
{
    struct buf why = BUF_INIT;
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    set_times(&stage->conf.settings);
    must(stage_open(stage, folder->path, BEGUN, &why), &why);
    return stage;
}

static void
close_stage(struct stage *stage)
{
    stage_close(stage);
    free(stage);
}

/* ---- a game -------------------------------------------------------------- */

/* How posts are read: each before the next is written, or many at once. */
enum pace {
    ONE_BY_ONE,
    TOGETHER
};

static void
settle(struct stage *stage)
{
    struct buf why = BUF_INIT;
    must(stage_settle(stage, &why), &why);
}

/* Somebody posts, or writes to the host. */
static void
say(struct stage *stage, enum pace pace, const char *who, bool in_private,
    const char *text)
{
    struct buf why = BUF_INIT;
    stage->now += PAUSE;
    must(stage_post(stage, who, in_private, text, NULL, &why), &why);
    said.posts++;
    said.bytes += (double)strlen(text);
    if (pace == ONE_BY_ONE) {
        settle(stage);
    }
}

/* Sign-up: of people who sit at no other table. */
static void
sign_up(struct stage *stage, enum pace pace, unsigned number)
{
    char text[64];
    char who[64];
    (void)snprintf(text, sizeof text, "!new players=%d", PLAYERS);
    say(stage, pace, STAGE_MODERATOR, false, text);
    for (unsigned i = 1; i <= PLAYERS; i++) {
        (void)snprintf(who, sizeof who, "Player %u-%u", number, i);
        say(stage, pace, who, false, "Count me in.\n!join");
    }
    settle(stage);
}

/* The table that was opened last. */
static const struct table *
newest(const struct stage *stage)
{
    const struct hosted_tables *hosted = &stage->tables.hosted;
    return &hosted->list[hosted->count - 1]->table;
}

static const char *
first_of(const struct table *table, seat_set seats)
{
    return table->seats[__builtin_ctz(seats)].name;
}

/* The President names the first who may be named. */
static void
name_first(struct stage *stage, enum pace pace)
{
    const struct table *table = newest(stage);
    struct awaits awaits = game_awaits(&table->game);
    char text[RECORD_NAME_MAX + 64];
    (void)snprintf(text, sizeof text, "I take this one:\n[b]%s[/b]",
                   first_of(table, awaits.choices));
    say(stage, pace, first_of(table, awaits.seats), false, text);
}

/* A round: whoever is named is elected.  A power that is won is used. */
static void
play_round(struct stage *stage, enum pace pace)
{
    const struct table *table = newest(stage);
    struct awaits awaits = game_awaits(&table->game);
    const char *president = first_of(table, awaits.seats);
    const char *chancellor = first_of(table, awaits.choices);
    name_first(stage, pace);
    for (unsigned i = 0; i < VOTES; i++) {
        say(stage, pace, table->seats[i].name, false,
            "Well, why not. [b]Ja![/b] And you?");
    }
    say(stage, pace, president, true, "discard 1");
    say(stage, pace, chancellor, true, "enact 1");
    settle(stage);
    if (newest(stage)->game.question != QUESTION_NOMINATE) {
        name_first(stage, pace);
        settle(stage);
    }
}

/* Take the newest table from the tables; the store has it. */
static void
leave_running(struct tables *tables)
{
    tables->hosted.list[tables->hosted.count - 1]->table.state = TABLE_OVER;
    tables->hosted.ended = true;
    hosted_clear(tables);
}

/* One game from the sign-up on, until some rounds are over. */
static void
host_game(struct stage *stage, enum pace pace, unsigned number)
{
    stage->now += BETWEEN;
    sign_up(stage, pace, number);
    for (unsigned i = 0; i < ROUNDS; i++) {
        play_round(stage, pace);
    }
    if (newest(stage)->game.round != ROUNDS + 1) {
        die("the games of the bench do not go as they should");
    }
    leave_running(&stage->tables);
}

static void
make_games(void *context)
{
    const struct folder *folder = context;
    struct stage *stage = open_stage(folder);
    for (unsigned i = 0; i < folder->games; i++) {
        host_game(stage, TOGETHER, i);
    }
    close_stage(stage);
}

/* ---- starting ------------------------------------------------------------ */

static struct catalogues catalogues; /* of the tables that are open */

static void
open_tables(struct tables *tables, struct conf *conf,
            const struct folder *folder)
{
    struct buf why = BUF_INIT;
    conf_defaults(conf);
    conf_make_places(conf, 1);
    struct place *place = &conf->places[0];
    (void)snprintf(conf->store, sizeof conf->store, "%s", folder->store);
    (void)snprintf(place->name, sizeof place->name, "board");
    (void)snprintf(place->service, sizeof place->service, "board");
    place->settings = conf->settings;
    must(tables_open(tables, conf, &catalogues, NULL, &dealer_fair,
                     OPEN_UNCHECKED, &why),
         &why);
    if (tables->hosted.count != folder->games) {
        die("not all games are recovered");
    }
}

/* Seconds for all games to be there. */
static double
start_host(void *folder)
{
    static struct tables tables;
    static struct conf conf;
    double begun = bench_seconds();
    open_tables(&tables, &conf, folder);
    double took = bench_seconds() - begun;
    tables_close(&tables);
    catalogues_release(&catalogues);
    conf_release(&conf);
    return took;
}

/* Seconds to see every byte of the journal go by. */
static double
read_journal(void *context)
{
    const struct folder *folder = context;
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    size_t bytes = 0;
    double begun = bench_seconds();
    if (sqlite3_open(folder->store, &db) != SQLITE_OK ||
        sqlite3_prepare_v2(db,
                           "SELECT game, move, lines FROM journal"
                           " ORDER BY game, row",
                           -1, &rows, NULL) != SQLITE_OK) {
        die("%s: %s", folder->store, sqlite3_errmsg(db));
    }
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < 3; i++) {
            if (sqlite3_column_blob(rows, i) != NULL) {
                bytes += (size_t)sqlite3_column_bytes(rows, i);
            }
        }
    }
    if (sqlite3_finalize(rows) != SQLITE_OK || bytes == 0) {
        die("%s: %s", folder->store, sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
    return bench_seconds() - begun;
}

/* What is allocated, but for SQLite's cache, which does not grow with games. */
static double
allocated(void)
{
    struct mallinfo2 heap = mallinfo2();
    return (double)(heap.uordblks + heap.hblkhd) -
           (double)sqlite3_memory_used();
}

static void
weigh_tables(void *context)
{
    const struct folder *folder = context;
    static struct tables tables;
    static struct conf conf;
    double before = allocated();
    open_tables(&tables, &conf, folder);
    bench_limit("heap of a game, bytes", (allocated() - before) / folder->games,
                15000, "the goal");
    tables_close(&tables);
    catalogues_release(&catalogues);
    conf_release(&conf);
}

/* ---- posts --------------------------------------------------------------- */

/* A host of all those games, and one of none but that which is played. */
struct hosts {
    struct stage *many, *one;
    unsigned number; /* of the next game */
};

static double
posts_a_second(struct hosts *hosts, struct stage *stage)
{
    double posts = said.posts;
    double begun = bench_seconds();
    host_game(stage, ONE_BY_ONE, MANY + hosts->number++);
    return (said.posts - posts) / (bench_seconds() - begun);
}

static double
host_many(void *hosts)
{
    return posts_a_second(hosts, ((struct hosts *)hosts)->many);
}

static double
host_one(void *hosts)
{
    return posts_a_second(hosts, ((struct hosts *)hosts)->one);
}

/* The board plays the service: what it writes is none of the host's. */
static void
count_writes(struct hosts *hosts)
{
    struct store_writes store = *store_writes();
    struct store_writes board = *other_writes();
    double posts = said.posts;
    double bytes = said.bytes;
    host_game(hosts->many, ONE_BY_ONE, MANY + hosts->number++);
    posts = said.posts - posts;
    bench_limit("bytes written to the store for a post, kB",
                (store_writes()->bytes - store.bytes) / posts / 1000, 40,
                "the goal");
    bench_limit("syncs of the store for a post",
                (store_writes()->syncs - store.syncs) / posts, 1.5, "the goal");
    bench_alone("bytes written to the board, kB",
                (other_writes()->bytes - board.bytes) / posts / 1000,
                "of the post's own: ", (said.bytes - bytes) / posts / 1000);
}

/* Give each table a thread of its own. */
static void
part_threads(struct tables *tables)
{
    for (size_t i = 0; i < tables->hosted.count; i++) {
        struct table *table = &tables->hosted.list[i]->table;
        char thread[32];
        (void)snprintf(thread, sizeof thread, "thread %zu", i);
        table_set_thread(table, thread);
        hosted_note(tables, tables->hosted.list[i]);
    }
}

static void
play_on(const struct folder *many, const struct folder *one)
{
    store_writes_count(many->store);
    struct hosts hosts = {open_stage(many), open_stage(one), 0};
    part_threads(&hosts.many->tables);
    bench_compare("posts hosted, a second", host_many, host_one, &hosts,
                  "with no other game on");
    count_writes(&hosts);
    close_stage(hosts.many);
    close_stage(hosts.one);
}

/* Make the games, and start with them. */
static void
start_with(struct folder *folder, double limit)
{
    char heading[64];
    (void)snprintf(heading, sizeof heading, "A host with %u running games",
                   folder->games);
    bench_heading(heading);
    bench_apart(make_games, folder);
    bench_apart(weigh_tables, folder);
    double took =
        bench_compare("from the start until all are there, s", start_host,
                      read_journal, folder, "SQLite reading the journal");
    bench_limit("from the start: beside the goal, s", took, limit, "the goal");
}

void
bench_host(void *scratch)
{
    struct folder few = folder_in(scratch, "few", FEW);
    struct folder many = folder_in(scratch, "many", MANY);
    struct folder one = folder_in(scratch, "one", 0);
    start_with(&few, 0.5);
    start_with(&many, 5);
    play_on(&many, &one);
}
