/* What belongs to a service: how far its feeds were read, the states of its
 * adapter, its members, and DMs. */
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"

/* ---- feeds --------------------------------------------------------------- */

void
store_feed(struct store *store, const char *service, const char *feed,
           struct buf *cursor, struct feed_reading *reading)
{
    *reading = (struct feed_reading){.at = 0};
    (void)db_row(store->db,
                 "SELECT cursor, read, through FROM feed"
                 " WHERE service = ? AND name = ?",
                 "tt>tii", service, feed, cursor, &reading->at,
                 &reading->through);
}

void
store_feeds(struct store *store, store_feed_reader *each, void *context)
{
    sqlite3_stmt *rows = db_query(
        store->db, "SELECT service, name, cursor, read, through FROM feed", "");
    while (db_next(store->db, rows)) {
        const struct feed_reading reading = {.at = db_int(rows, 3),
                                             .through = db_int(rows, 4)};
        each(context, db_text(rows, 0), db_text(rows, 1), db_text(rows, 2),
             &reading);
    }
}

void
store_set_cursor(struct store *store, const char *service, const char *feed,
                 const char *cursor)
{
    db_run(store->db,
           "INSERT INTO feed(service, name, cursor) VALUES(?, ?, ?)"
           " ON CONFLICT DO UPDATE SET cursor = excluded.cursor",
           "ttt", service, feed, cursor);
}

void
store_set_reading(struct store *store, const char *service, const char *feed,
                  int64_t at, int64_t through)
{
    db_run(store->db,
           "INSERT INTO feed(service, name, cursor, read, through)"
           " VALUES(?, ?, '', ?, ?)"
           " ON CONFLICT DO UPDATE SET read = excluded.read,"
           " through = excluded.through",
           "ttii", service, feed, at, through);
}

void
store_share_reading(struct store *store, const char *service, const char *feed,
                    int64_t through)
{
    store_set_reading(store, service, feed, -1, through);
}

void
store_set_shared_reading(struct store *store, const char *service, int64_t at,
                         int64_t through)
{
    db_run(store->db,
           "INSERT INTO reading(service, read, through) VALUES(?, ?, ?)"
           " ON CONFLICT DO UPDATE SET read = excluded.read,"
           " through = excluded.through",
           "tii", service, at, through);
}

void
store_part_readings(struct store *store)
{
    db_run(store->db,
           "UPDATE feed SET read = reading.read,"
           " through = reading.through FROM reading"
           " WHERE reading.service = feed.service AND feed.read = -1",
           "");
}

/* ---- adapter states ------------------------------------------------------ */

/* Add an adapter state.  One that can't be opened, which is logged, has to be
 * saved anew. */
static void
read_state(const struct store *store, const char *service, sqlite3_stmt *rows,
           struct adapter_states *states)
{
    struct buf value = BUF_INIT;
    struct buf trouble = BUF_INIT;
    if (store_unseal(store, rows, 1, &value, &trouble, NAME_STATE, service,
                     db_text(rows, 0)) != ERR_NONE ||
        !adapter_states_set(states, db_text(rows, 0), buf_text(&value))) {
        log_line(LOG_LEVEL_DEBUG, "%s", buf_text(&trouble));
    }
    buf_wipe(&value);
    buf_release(&trouble);
}

void
store_states(struct store *store, const char *service,
             struct adapter_states *states)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT key, value FROM adapter_state WHERE service = ?"
                 " ORDER BY key LIMIT 16",
                 "t", service);
    adapter_states_release(states);
    while (db_next(store->db, rows)) {
        read_state(store, service, rows, states);
    }
}

void
store_set_state(struct store *store, const char *service,
                const struct adapter_state *state)
{
    size_t len = strlen(state->value);
    struct buf sealed =
        store_seal(store, state->value, len, padded(len + 1, ROOM_STATE),
                   NAME_STATE, service, state->key);
    db_run(store->db,
           "INSERT INTO adapter_state(service, key, value) VALUES(?, ?, ?)"
           " ON CONFLICT DO UPDATE SET value = excluded.value",
           "ttb", service, state->key, sealed.data, sealed.len);
    buf_release(&sealed);
}

void
store_last_reading(struct store *store, const char *service, int64_t *at,
                   int64_t *through)
{
    *at = 0;
    *through = 0;
    (void)db_row(store->db,
                 "SELECT read, through FROM feed WHERE service = ?1"
                 " UNION ALL"
                 " SELECT read, through FROM reading WHERE service = ?1"
                 " ORDER BY read DESC LIMIT 1",
                 "t>ii", service, at, through);
}

/* ---- who may not join ---------------------------------------------------- */

void
store_blocked(struct store *store, const char *place,
              store_blocked_reader *each, void *context)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT user, name FROM blocked WHERE place = ?"
                 " ORDER BY name, user",
                 "t", place);
    while (db_next(store->db, rows)) {
        each(context, db_text(rows, 0), db_text(rows, 1));
    }
}

/* ---- members ------------------------------------------------------------- */

void
store_members(struct store *store, store_member_reader *each, void *context)
{
    sqlite3_stmt *rows = db_query(
        store->db, "SELECT service, number, user, name FROM member", "");
    while (db_next(store->db, rows)) {
        each(context, db_text(rows, 0), db_int(rows, 1), db_text(rows, 2),
             db_text(rows, 3));
    }
}

void
store_set_member(struct store *store, const char *service, int64_t number,
                 const char *user, const char *name)
{
    db_run(store->db,
           "INSERT INTO member(service, number, user, name)"
           " VALUES(?, ?, ?, ?)"
           " ON CONFLICT DO UPDATE SET name = excluded.name",
           "titt", service, number, user, name);
}

/* ---- DMs ----------------------------------------------------------------- */

#define DM_COLUMNS "service, user, place, proof"

/* Was the place of the current row's DM saved by a host with our key, as its
 * proof says?  Otherwise it is opened anew: somebody may have put another
 * person's there. */
static bool
is_our_dm(const struct store *store, sqlite3_stmt *rows)
{
    struct buf nothing = BUF_INIT;
    struct buf trouble = BUF_INIT;
    bool ours =
        store_unseal(store, rows, 3, &nothing, &trouble, NAME_DM,
                     PART_OF(db_text(rows, 0)), PART_OF(db_text(rows, 1)),
                     PART_OF(db_text(rows, 2))) == ERR_NONE;
    if (!ours) {
        log_line(LOG_LEVEL_WARNING, "%s; it does not count, and is opened anew",
                 buf_text(&trouble));
    }
    buf_release(&nothing);
    buf_release(&trouble);
    return ours;
}

void
store_dm(struct store *store, const char *service, const char *user,
         struct buf *place)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT " DM_COLUMNS " FROM dm WHERE service = ?"
                 " AND user = ? AND place <> ''",
                 "tt", service, user);
    while (db_next(store->db, rows)) {
        buf_add_text(place, is_our_dm(store, rows) ? db_text(rows, 2) : "");
    }
}

void
store_dms(struct store *store, store_dm_filter *wanted, store_dm_reader *each,
          void *context)
{
    sqlite3_stmt *rows = db_query(
        store->db, "SELECT " DM_COLUMNS " FROM dm WHERE place <> ''", "");
    while (db_next(store->db, rows)) {
        const char *service = db_text(rows, 0);
        const char *user = db_text(rows, 1);
        if (wanted(context, service, user) && is_our_dm(store, rows)) {
            each(context, service, user, db_text(rows, 2));
        }
    }
}

void
store_dm_user(struct store *store, const char *service, const char *place,
              struct buf *user)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT " DM_COLUMNS " FROM dm"
                 " INDEXED BY dm_place"
                 " WHERE service = ? AND place = ? AND place <> ''",
                 "tt", service, place);
    while (db_next(store->db, rows)) {
        if (user->len == 0 && is_our_dm(store, rows)) {
            buf_add_text(user, db_text(rows, 1));
        }
    }
}

void
store_set_dm(struct store *store, const char *service, const char *user,
             const char *place)
{
    struct buf proof = store_seal(store, "", 0, 0, NAME_DM, PART_OF(service),
                                  PART_OF(user), PART_OF(place));
    db_run(store->db,
           "INSERT INTO dm(service, user, place, proof)"
           " VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
           " absent = iif(place = excluded.place, absent, 0),"
           " place = excluded.place, proof = excluded.proof",
           "tttb", service, user, place, proof.data, proof.len);
    buf_release(&proof);
}

void
store_set_absent(struct store *store, const char *service, const char *user,
                 bool absent)
{
    db_run(store->db,
           "UPDATE dm SET absent = ?1 WHERE service = ?2 AND user = ?3"
           " AND absent <> ?1",
           "itt", (int64_t)absent, service, user);
}

bool
store_is_absent(struct store *store, const char *service, const char *user)
{
    return db_row(store->db,
                  "SELECT 1 FROM dm WHERE service = ? AND user = ?"
                  " AND absent = 1",
                  "tt", service, user);
}
