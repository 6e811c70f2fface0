#include "bot/store/store_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/pack.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"

/* ---- writing ------------------------------------------------------------- */

/* The length of a ballot's line must not give the vote away, so each counts
 * as long as Nein. */
static size_t
public_len(const struct buf *lines)
{
    static const char ja[] = "\"vote\":\"ja\"";
    size_t len = lines->len;
    const char *at = buf_text(lines);
    while ((at = strstr(at, ja)) != NULL) {
        len += strlen("nein") - strlen("ja");
        at += sizeof ja - 1;
    }
    return len;
}

void
store_add_row(struct store *store, const char *game,
              const struct ruling_row *row, int64_t number)
{
    struct buf move = store_seal(store, buf_text(&row->move), row->move.len,
                                 padded(row->move.len, ROOM_ROW), NAME_ROW,
                                 game, (long long)number, "move");
    struct buf lines = store_seal(store, buf_text(&row->lines), row->lines.len,
                                  padded(public_len(&row->lines), ROOM_ROW),
                                  NAME_ROW, game, (long long)number, "lines");
    db_run(store->db,
           "INSERT INTO journal(row, game, move, lines) VALUES(?, ?, ?, ?)",
           "itbb", number, game, move.data, move.len, lines.data, lines.len);
    buf_release(&move);
    buf_release(&lines);
}

/* ---- reading ------------------------------------------------------------- */

/* What is done with each row up to a number. */
struct reading {
    struct store *store;
    const char *game;
    int64_t last;
    store_row_reader *each;
    void *context;
};

static enum err
say_damaged(const char *game, struct buf *why)
{
    return err_say(why, ERR_GARBLED,
                   "game %s: its journal is damaged, so the game is on hold; "
                   "restore the store from a backup",
                   game);
}

/* Open a row of the journal and hand it on. */
static enum err
read_row(const struct reading *reading, sqlite3_stmt *rows, struct buf *why)
{
    struct buf move = BUF_INIT;
    struct buf lines = BUF_INIT;
    struct store_row row = {.number = db_int(rows, 0)};
    enum err err = store_unseal(reading->store, rows, 1, &move, why, NAME_ROW,
                                reading->game, (long long)row.number, "move");
    ERR_THEN(err, store_unseal(reading->store, rows, 2, &lines, why, NAME_ROW,
                               reading->game, (long long)row.number, "lines"));
    if (err == ERR_NONE) {
        row.move = buf_text(&move);
        row.move_len = move.len;
        row.lines = buf_text(&lines);
        row.lines_len = lines.len;
        err = reading->each(reading->context, &row, why);
    }
    buf_wipe(&move);
    buf_wipe(&lines);
    return err;
}

/* ---- packed journals -----------------------------------------------------
 *
 * Each row is its number and the lengths of its texts, "17 210 140\n", and the
 * texts.
 */

void
store_pack_row(const struct store_row *row, struct buf *text)
{
    buf_addf(text, "%lld %zu %zu\n", (long long)row->number, row->move_len,
             row->lines_len);
    buf_add(text, row->move, row->move_len);
    buf_add(text, row->lines, row->lines_len);
}

static enum err
pack_row(void *context, const struct store_row *row, struct buf *why)
{
    (void)why;
    store_pack_row(row, context);
    return ERR_NONE;
}

/* Take a row off the front; false: this is none. */
static bool
take_row(const char **at, const char *past, struct store_row *row)
{
    int64_t move_len = 0;
    int64_t lines_len = 0;
    if (!store_take_number(at, ' ', &row->number) ||
        !store_take_number(at, ' ', &move_len) ||
        !store_take_number(at, '\n', &lines_len) || row->number < 0 ||
        move_len < 0 || move_len > past - *at || lines_len < 0 ||
        lines_len > past - *at - move_len) {
        return false;
    }
    row->move = *at;
    row->move_len = (size_t)move_len;
    row->lines = row->move + move_len;
    row->lines_len = (size_t)lines_len;
    *at = row->lines + lines_len;
    return true;
}

enum err
store_take_rows(const char *game, const struct buf *text, int64_t last,
                store_row_reader *each, void *context, struct buf *why)
{
    const char *at = buf_text(text);
    const char *past = at + text->len;
    enum err err = ERR_NONE;
    while (err == ERR_NONE && at < past) {
        struct store_row row;
        if (!take_row(&at, past, &row)) {
            err = say_damaged(game, why);
        } else if (row.number <= last) {
            err = each(context, &row, why);
        }
    }
    return err;
}

/* Open and unpack what the current row has, and hand it on. */
static enum err
read_packed(const struct reading *reading, sqlite3_stmt *rows, struct buf *why)
{
    struct buf packed = BUF_INIT;
    struct buf text = BUF_INIT;
    enum err err = store_unseal(reading->store, rows, 1, &packed, why,
                                NAME_JOURNAL, reading->game);
    ERR_THEN(err, pack_take(buf_text(&packed), packed.len, PACKED_MAX, &text)
                      ? store_take_rows(reading->game, &text, reading->last,
                                        reading->each, reading->context, why)
                      : say_damaged(reading->game, why));
    buf_wipe(&packed);
    buf_wipe(&text);
    return err;
}

/* Read it in one statement, for a host may pack it meanwhile. */
static enum err
read_journal(const struct reading *reading, struct buf *why)
{
    struct db *db = reading->store->db;
    sqlite3_stmt *rows =
        db_query(db,
                 "SELECT 0, rows, NULL, sum = checksum(game, rows)"
                 " FROM packed_journal WHERE game = ?"
                 " UNION ALL"
                 " SELECT row, move, lines,"
                 " sum = checksum(row, game, move, lines)"
                 " FROM journal WHERE game = ? AND row <= ?"
                 " ORDER BY 1",
                 "tti", reading->game, reading->game, reading->last);
    enum err err = ERR_NONE;
    while (err == ERR_NONE && db_next(db, rows)) {
        if (db_int(rows, 3) == 0) {
            err = say_damaged(reading->game, why);
        } else if (db_int(rows, 0) == 0) {
            err = read_packed(reading, rows, why);
        } else {
            err = read_row(reading, rows, why);
        }
    }
    return db_end(db, rows, err, why);
}

enum err
store_journal(struct store *store, const char *game, store_row_reader *each,
              void *context, struct buf *why)
{
    const struct reading reading = {store, game, INT64_MAX, each, context};
    return read_journal(&reading, why);
}

static enum err
add_lines(void *context, const struct store_row *row, struct buf *why)
{
    (void)why;
    record_add(context, row->lines, row->lines_len);
    return ERR_NONE;
}

enum err
store_record(struct store *store, const char *game, struct buf *out,
             struct buf *why)
{
    return store_record_to(store, game, INT64_MAX, out, why);
}

enum err
store_record_to(struct store *store, const char *game, int64_t batch,
                struct buf *out, struct buf *why)
{
    const struct reading reading = {store, game, batch, add_lines, out};
    return read_journal(&reading, why);
}

/* ---- packing ------------------------------------------------------------- */

void
store_save_packed(struct store *store, const char *game, const struct buf *text)
{
    struct buf packed = BUF_INIT;
    pack_put(buf_text(text), text->len, &packed);
    struct buf sealed = store_seal(store, buf_text(&packed), packed.len,
                                   packed.len, NAME_JOURNAL, game);
    db_run(store->db,
           "INSERT OR REPLACE INTO packed_journal(game, rows)"
           " VALUES(?, ?)",
           "tb", game, sealed.data, sealed.len);
    db_run(store->db, "DELETE FROM journal WHERE game = ?", "t", game);
    buf_wipe(&packed);
    buf_release(&sealed);
}

/* ---- games that are over ------------------------------------------------- */

/* What still waits goes once it is sent (store_save_queued). */
void
store_put_away(struct store *store, const char *game, const char *thread)
{
    struct buf text = BUF_INIT;
    struct buf trouble = BUF_INIT;
    store_forget_sent(store, game, thread);
    enum err err = store_journal(store, game, pack_row, &text, &trouble);
    if (err == ERR_NONE) {
        store_save_packed(store, game, &text);
    }
    buf_wipe(&text);
    store_pass_over(store, err, &trouble);
}
