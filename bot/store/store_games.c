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
    sqlite3_stmt *rows = NULL;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT " GAME_COLUMNS " FROM game"
                 " WHERE " GAME_READ " AND"
                 " (?1 = -1 OR over = 0 OR ended <> 0 AND ended + ?1 >"
                 " (SELECT coalesce(max(read), 0) FROM"
                 " (SELECT read FROM feed UNION ALL SELECT read FROM reading)))"
                 " ORDER BY number",
                 "i", past);
    while (db_next(store->db, rows, &err, why)) {
        struct store_game game;
        db_read(rows, GAME_LETTERS, GAME_INTO(&game));
        err = each(context, &game, why);
    }
    return err;
}

enum err
store_games(struct store *store, store_game_reader *each, void *context,
            struct buf *why)
{
    return store_games_since(store, -1, each, context, why);
}

enum err
store_game_of(struct store *store, const char *thread, struct store_game *game,
              bool *found, struct buf *why)
{
    return db_row(store->db, why, found,
                  "SELECT " GAME_COLUMNS " FROM game WHERE thread = ?"
                  " ORDER BY number DESC LIMIT 1",
                  "t>" GAME_LETTERS, thread, GAME_INTO(game));
}

enum err
store_last_game(struct store *store, const char *thread, const char *place,
                struct store_game *game, bool *found, struct buf *why)
{
    return db_row(store->db, why, found,
                  "SELECT " GAME_COLUMNS " FROM game"
                  " WHERE place = ? AND over = 1"
                  " ORDER BY thread = ? DESC, number DESC LIMIT 1",
                  "tt>" GAME_LETTERS, place, thread, GAME_INTO(game));
}

enum err
store_has_hosted(struct store *store, const char *place, bool *hosted,
                 struct buf *why)
{
    bool found = false;
    enum err err = db_row(store->db, why, &found,
                          "SELECT 1 FROM game WHERE place = ? AND over = 1"
                          " AND ending <> ? LIMIT 1",
                          "ti", place, (int64_t)ENDING_NONE);
    *hosted = err == ERR_NONE ? found : *hosted;
    return err;
}

enum err
store_is_over(struct store *store, const char *game, bool *over,
              struct buf *why)
{
    return db_row(store->db, why, over,
                  "SELECT 1 FROM game WHERE id = ? AND over = 1", "t>", game);
}

enum err
store_hold(struct store *store, const char *game, struct buf *why)
{
    return db_run(store->db, why, "UPDATE game SET held = 1 WHERE id = ?", "t",
                  game);
}

/* ---- attempts ------------------------------------------------------------ */

enum err
store_try(struct store *store, const char *what, const char *at, int64_t *tries,
          struct buf *why)
{
    *tries = 1;
    if (!store->died) {
        return ERR_NONE;
    }
    enum err err =
        db_row(store->db, why, NULL,
               "INSERT INTO attempt(what, at, count) VALUES(?, ?, 1)"
               " ON CONFLICT DO UPDATE SET"
               " count = CASE at WHEN excluded.at THEN count + 1 ELSE 1 END,"
               " at = excluded.at RETURNING count",
               "tt>i", what, at, tries);
    return err == ERR_NONE ? db_save(store->db, why) : err;
}

enum err
store_forget_attempt(struct store *store, const char *what, struct buf *why)
{
    return store->died ? db_run(store->db, why,
                                "DELETE FROM attempt WHERE what = ?", "t", what)
                       : ERR_NONE;
}

enum err
store_end_attempt(struct store *store, struct buf *why)
{
    return store->died ? db_save(store->db, why) : ERR_NONE;
}

/* ---- the operator looks at secrets --------------------------------------- */

enum err
store_note_look(const char *path, const char *game, struct buf *why)
{
    return store_run_beside(path, "INSERT INTO operator_look(game) VALUES(?2)",
                            0, game, why);
}

enum err
store_next_look(struct store *store, struct buf *game, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT game FROM operator_look ORDER BY number LIMIT 1",
                  ">t", game);
}

enum err
store_forget_look(struct store *store, const char *game, struct buf *why)
{
    return db_run(store->db, why, "DELETE FROM operator_look WHERE game = ?",
                  "t", game);
}
