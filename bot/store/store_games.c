/* Games, and what is noted about them. */
#include <stdio.h>

#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"

/* ---- games --------------------------------------------------------------- */

/* The columns of a game, their letters, and where they go (bot/base/db.h). */
#define GAME_COLUMNS "id, place, thread, over, held, ended, round, ending"
#define GAME_LETTERS "sssyyiun"
#define GAME_INTO(game)                                                        \
    (game)->id, sizeof(game)->id, (game)->place, sizeof(game)->place,          \
        (game)->thread, sizeof(game)->thread, &(game)->over, &(game)->held,    \
        &(game)->ended, &(game)->round, &(game)->ending

enum err
store_games_since(struct store *store, int64_t past, store_game_reader *each,
                  void *context, struct buf *why)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT " GAME_COLUMNS " FROM game"
                 " WHERE " GAME_READ " AND"
                 " (?1 = -1 OR over = 0 OR ended <> 0 AND ended + ?1 >"
                 " (SELECT coalesce(max(read), 0) FROM"
                 " (SELECT read FROM feed UNION ALL SELECT read FROM reading)))"
                 " ORDER BY number",
                 "i", past);
    enum err err = ERR_NONE;
    while (err == ERR_NONE && db_next(store->db, rows)) {
        struct store_game game;
        db_read(rows, GAME_LETTERS, GAME_INTO(&game));
        err = each(context, &game, why);
    }
    return db_end(store->db, rows, err, why);
}

enum err
store_games(struct store *store, store_game_reader *each, void *context,
            struct buf *why)
{
    return store_games_since(store, -1, each, context, why);
}

bool
store_game_of(struct store *store, const char *thread, struct store_game *game)
{
    return db_row(store->db,
                  "SELECT " GAME_COLUMNS " FROM game WHERE thread = ?"
                  " ORDER BY number DESC LIMIT 1",
                  "t>" GAME_LETTERS, thread, GAME_INTO(game));
}

bool
store_last_game(struct store *store, const char *thread, const char *place,
                struct store_game *game)
{
    return db_row(store->db,
                  "SELECT " GAME_COLUMNS " FROM game"
                  " WHERE place = ? AND over = 1"
                  " ORDER BY thread = ? DESC, number DESC LIMIT 1",
                  "tt>" GAME_LETTERS, place, thread, GAME_INTO(game));
}

bool
store_has_hosted(struct store *store, const char *place)
{
    return db_row(store->db,
                  "SELECT 1 FROM game WHERE place = ? AND over = 1"
                  " AND ending <> ? LIMIT 1",
                  "ti", place, (int64_t)ENDING_NONE);
}

bool
store_is_over(struct store *store, const char *game)
{
    return db_row(store->db, "SELECT 1 FROM game WHERE id = ? AND over = 1",
                  "t>", game);
}

void
store_hold(struct store *store, const char *game)
{
    db_run(store->db, "UPDATE game SET held = 1 WHERE id = ?", "t", game);
}

/* ---- attempts ------------------------------------------------------------ */

int64_t
store_try(struct store *store, const char *what, const char *at)
{
    int64_t tries = 1;
    if (store->died) {
        (void)db_row(
            store->db,
            "INSERT INTO attempt(what, at, count) VALUES(?, ?, 1)"
            " ON CONFLICT DO UPDATE SET"
            " count = CASE at WHEN excluded.at THEN count + 1 ELSE 1 END,"
            " at = excluded.at RETURNING count",
            "tt>i", what, at, &tries);
        db_save(store->db);
    }
    return tries;
}

void
store_forget_attempt(struct store *store, const char *what)
{
    if (store->died) {
        db_run(store->db, "DELETE FROM attempt WHERE what = ?", "t", what);
    }
}

void
store_end_attempt(struct store *store)
{
    if (store->died) {
        db_save(store->db);
    }
}

/* ---- the operator looks at secrets --------------------------------------- */

enum err
store_note_look(const char *path, const char *game, struct buf *why)
{
    return store_run_beside(path, "INSERT INTO operator_look(game) VALUES(?2)",
                            0, game, why);
}

void
store_next_look(struct store *store, struct buf *game)
{
    (void)db_row(store->db,
                 "SELECT game FROM operator_look ORDER BY number LIMIT 1", ">t",
                 game);
}

void
store_forget_look(struct store *store, const char *game)
{
    db_run(store->db, "DELETE FROM operator_look WHERE game = ?", "t", game);
}
