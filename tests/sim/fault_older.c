#include "tests/sim/fault_older.h"

#include "bot/store/store_inner.h"
#include "tests/sim/fault_world.h"

/* Games had outlines.  That somebody had left their DM was a DM, and a post
 * that waited for approval a post. */
static const char to_14[] =
    "DROP INDEX game_thread;"
    "DROP INDEX game_ended;"
    "ALTER TABLE game RENAME TO game_15;"
    "CREATE TABLE game(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " place TEXT NOT NULL, thread TEXT NOT NULL, over INTEGER NOT NULL,"
    " held INTEGER NOT NULL DEFAULT 0, rows INTEGER NOT NULL DEFAULT 0,"
    " ended INTEGER NOT NULL DEFAULT 0, round INTEGER NOT NULL DEFAULT 0,"
    " ending INTEGER NOT NULL DEFAULT -1, outline SEALED BLOB,"
    " sum INTEGER AS (checksum(number, id, place, thread, over, held, rows,"
    " ended, round, ending, outline)) STORED CHECK (sum = checksum(number, id,"
    " place, thread, over, held, rows, ended, round, ending, outline)));"
    "CREATE INDEX game_thread ON game(thread);"
    "CREATE INDEX game_ended ON game(place) WHERE over = 1;"
    "INSERT INTO game(number, id, place, thread, over, held, rows, ended,"
    " round, ending)"
    " SELECT number, id, place, thread, over, held, rows, ended, round, ending"
    " FROM game_15;"
    "DROP TABLE game_15;"
    "DROP INDEX dm_place;"
    "ALTER TABLE dm RENAME TO dm_15;"
    "CREATE TABLE dm(service TEXT NOT NULL, user TEXT NOT NULL,"
    " place TEXT NOT NULL, proof SEALED BLOB NOT NULL,"
    " sum INTEGER AS (checksum(service, user, place, proof)) STORED"
    " CHECK (sum = checksum(service, user, place, proof)),"
    " PRIMARY KEY(service, user));"
    "CREATE INDEX dm_place ON dm(service, place);"
    "INSERT INTO dm(service, user, place, proof)"
    " SELECT service, user, place, proof FROM dm_15 UNION ALL"
    " SELECT service, 'left ' || user, place, x'' FROM dm_15 WHERE absent = 1;"
    "DROP TABLE dm_15;"
    "INSERT INTO post(place, id, author, stamp)"
    " SELECT place, 'pending ' || id, author, stamp FROM pending_post;"
    "DROP TABLE pending_post;"
    "INSERT INTO attempt(what, at, count)"
    " SELECT rtrim(kind || ' ' || about), text, 0 FROM note;"
    "DROP TABLE note;"
    "DROP TABLE result;"
    "CREATE TABLE result(game TEXT PRIMARY KEY, text TEXT NOT NULL,"
    " sum INTEGER AS (checksum(game, text)) STORED"
    " CHECK (sum = checksum(game, text))) WITHOUT ROWID;"
    "PRAGMA user_version = 14;";

/* Each post had the names of its service and its place. */
static const char to_13[] =
    "ALTER TABLE post RENAME TO post_14;"
    "CREATE TABLE post(service TEXT NOT NULL, place TEXT NOT NULL,"
    " id TEXT NOT NULL, author TEXT NOT NULL, stamp INTEGER NOT NULL,"
    " verdict SEALED BLOB, fingerprint INTEGER,"
    " sum INTEGER AS (checksum(service, place, id, author, stamp, verdict,"
    " fingerprint)) STORED CHECK (sum = checksum(service, place, id, author,"
    " stamp, verdict, fingerprint)),"
    " PRIMARY KEY(service, place, id));"
    "CREATE INDEX post_id ON post(service, id);"
    "INSERT INTO post(service, place, id, author, stamp, verdict, fingerprint)"
    " SELECT service, post_place.place, id, author, stamp, verdict, fingerprint"
    " FROM post_14 JOIN post_place ON number = post_14.place;"
    "DROP TABLE post_14;"
    "DROP TABLE post_place;"
    "PRAGMA user_version = 13;";

_Static_assert(STORE_FORMAT == 15, "the newest format can be turned back");

void
fault_older_make(const char *path, int format)
{
    struct db *db = NULL;
    struct buf why = BUF_INIT;
    enum err err = store_open_db(path, DB_WRITE, &db, &why);
    if (err == ERR_NONE) {
        db_begin(db);
        db_make(db, to_14);
        db_make(db, format <= 13 ? to_13 : "");
        db_commit(db);
        err = db_err(db, &why);
    }
    if (err != ERR_NONE) {
        world_fail("a store of format %d: %s", format, buf_text(&why));
    }
    db_close(db);
}
