/*
 * A store of a hundred thousand finished games: how long it takes to list them,
 * and to start a host that has nothing else.
 *
 * Only their rows in the list of games are there, made by SQL: neither looks
 * further.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "bot/base/db.h"
#include "bot/base/files.h"
#include "bot/local/stage.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/tables_open.h"
#include "tests/bench/bench.h"

#define GAMES "100000"

/* Noon of 2026-11-21. */
#define BEGUN INT64_C(1795262400000)

struct archive {
    char folder[128];
    char store[160], conf[160];
};

static void
must(enum err err, const struct buf *why)
{
    if (err != ERR_NONE) {
        die("%s", buf_text(why));
    }
}

static sqlite3 *
open_store(const struct archive *archive)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(archive->store, &db) != SQLITE_OK ||
        db_add_functions(db) != SQLITE_OK) {
        die("%s: %s", archive->store, sqlite3_errmsg(db));
    }
    return db;
}

/* A store as a host leaves it, and the rows of games that are over. */
static void
make_store(void *context)
{
    const struct archive *archive = context;
    struct stage *stage = must_alloc(sizeof *stage);
    struct buf why = BUF_INIT;
    struct buf conf = BUF_INIT;
    conf_defaults(&stage->conf);
    must(stage_open(stage, archive->folder, BEGUN, &why), &why);
    stage_close(stage);
    free(stage);
    buf_addf(&conf,
             "store = \"%s\";\n"
             "places = ( { name = \"board\"; service = \"board\"; } );\n",
             archive->store);
    must(file_write(archive->conf, buf_text(&conf), conf.len, 0600, &why),
         &why);
    buf_release(&conf);
    sqlite3 *db = open_store(archive);
    if (sqlite3_exec(
            db,
            "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL"
            " SELECT i + 1 FROM numbers LIMIT " GAMES ")"
            " INSERT INTO game(id, place, thread, over, rows, round, ending)"
            " SELECT i, 'board', 'thread ' || i, 1, 80, 10, 1 FROM numbers",
            NULL, NULL, NULL) != SQLITE_OK) {
        die("%s: %s", archive->store, sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
}

/* Each of these answers seconds. */

static double
list_games(void *context)
{
    const struct archive *archive = context;
    struct buf command = BUF_INIT;
    buf_addf(&command, TEST_PROGRAM " games -c %s >/dev/null", archive->conf);
    double begun = bench_seconds();
    if (system(buf_text(&command)) != 0) {
        die("%s: it has failed", buf_text(&command));
    }
    buf_release(&command);
    return bench_seconds() - begun;
}

static double
start_host(void *context)
{
    const struct archive *archive = context;
    static struct catalogues catalogues;
    static struct tables tables;
    static struct conf conf;
    struct buf why = BUF_INIT;
    conf_defaults(&conf);
    (void)snprintf(conf.store, sizeof conf.store, "%s", archive->store);
    conf_make_places(&conf, 1);
    struct place *place = &conf.places[0];
    (void)snprintf(place->name, sizeof place->name, "board");
    (void)snprintf(place->service, sizeof place->service, "board");
    place->settings = conf.settings;
    double begun = bench_seconds();
    must(tables_open(&tables, &conf, &catalogues, NULL, &dealer_fair,
                     OPEN_UNCHECKED, &why),
         &why);
    double took = bench_seconds() - begun;
    tables_close(&tables);
    catalogues_release(&catalogues);
    conf_release(&conf);
    return took;
}

/* The least that can be asked of SQLite: each row, and nothing printed. */
static double
read_rows(void *context)
{
    size_t bytes = 0;
    sqlite3_stmt *rows = NULL;
    double begun = bench_seconds();
    sqlite3 *db = open_store(context);
    if (sqlite3_prepare_v2(db, "SELECT id, place, round, ending FROM game", -1,
                           &rows, NULL) != SQLITE_OK) {
        die("%s", sqlite3_errmsg(db));
    }
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < 4; i++) {
            bytes += sqlite3_column_text(rows, i)[0] != '\0';
        }
    }
    if (sqlite3_finalize(rows) != SQLITE_OK || bytes == 0) {
        die("%s", sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
    return bench_seconds() - begun;
}

void
bench_finished(void *scratch)
{
    struct archive archive;
    (void)snprintf(archive.folder, sizeof archive.folder, "%s/finished",
                   (char *)scratch);
    (void)snprintf(archive.store, sizeof archive.store, "%s/store.db",
                   archive.folder);
    (void)snprintf(archive.conf, sizeof archive.conf, "%s/placard.cfg",
                   archive.folder);
    bench_heading("A store of 100,000 finished games");
    bench_apart(make_store, &archive);
    bench_compare("placard games, s", list_games, read_rows, &archive,
                  "SQLite reading their rows");
    bench_compare("from the start until a host is there, s", start_host,
                  read_rows, &archive, "SQLite reading their rows");
}
