/*
 * What a game leaves on the disk when it is over.
 */
#include <sqlite3.h>
#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "tests/bench/bench.h"
#include "tests/bench/month.h"

enum {
    GAMES = 10,
    GUILDS = 2,
    DAYS = 3 /* at a time: for a week all its posts are still known */
};

/* The number that a query answers. */
static double
ask(sqlite3 *db, const char *query)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(db, query, -1, &rows, NULL) != SQLITE_OK ||
        sqlite3_step(rows) != SQLITE_ROW) {
        die("%s: %s", query, sqlite3_errmsg(db));
    }
    double number = sqlite3_column_double(rows, 0);
    (void)sqlite3_finalize(rows);
    return number;
}

struct on_disk {
    double bytes, finished, posts;
};

static struct on_disk
measure(const char *folder)
{
    char path[160];
    sqlite3 *db = NULL;
    (void)snprintf(path, sizeof path, "%s/store.db", folder);
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        die("%s: %s", path, sqlite3_errmsg(db));
    }
    struct on_disk found = {
        .bytes =
            ask(db, "PRAGMA page_size") *
            (ask(db, "PRAGMA page_count") - ask(db, "PRAGMA freelist_count")),
        .finished = ask(db, "SELECT count(*) FROM game WHERE over = 1"),
        .posts = ask(db, "SELECT count(*) FROM post")};
    (void)sqlite3_close(db);
    return found;
}

/* In the first days the games come to be at different stages.  After the next
 * ones they are so again: what has been added is that of finished ones. */
void
bench_disk(void *scratch)
{
    struct month_plan plan = {.games = GAMES,
                              .guilds = GUILDS,
                              .span = DAYS * DAY_MS,
                              .think = HOUR_MS};
    bench_heading("Games that end, on Discord, and stay in the store");
    struct month *month = month_new(&plan, scratch);
    (void)month_pass(month);
    struct on_disk before = measure(scratch);
    (void)month_pass(month);
    struct on_disk after = measure(scratch);
    double finished = after.finished - before.finished;
    bench_limit("on the disk for a game of the last week, kB",
                (after.bytes - before.bytes) / finished / 1000, 25, "the goal");
    bench_alone("posts of people that it knows of each",
                (after.posts - before.posts) / finished,
                "games that ended: ", finished);
    month_free(month);
}
