/* Opening a store: its lock, its key, and the upgrade of an older one. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/store/store_copied.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_upgrade.h"

static void
draw_id(char id[ID_SIZE])
{
    unsigned char draw[DEAL_SECRET];
    deal_generate_secret(draw);
    (void)snprintf(id, ID_SIZE, "%02x%02x%02x%02x", draw[0], draw[1], draw[2],
                   draw[3]);
}

static void
make_id(struct store *store)
{
    if (!db_row(store->db, "SELECT id FROM host", ">s", store->id,
                sizeof store->id)) {
        draw_id(store->id);
        db_run(store->db, "INSERT INTO host(id) VALUES(?)", "t", store->id);
    }
}

/* Take the lock.  Did its last owner die: did it not release it? */
static enum err
take_lock(struct store *store, const char *path, struct buf *why)
{
    struct buf lock = store_beside(path, ".lock");
    struct buf holder = BUF_INIT;
    store->died =
        file_read(buf_text(&lock), &holder, NULL) == ERR_NONE && holder.len > 0;
    enum err err = file_lock(buf_text(&lock), &store->lock, why);
    buf_release(&lock);
    buf_release(&holder);
    return err;
}

enum err
store_require_key(struct store *store, struct buf *why)
{
    /* Of one that is not open yet: it may have some. */
    int64_t games = !store->absent;
    enum err err = ERR_NONE;
    if (store->seal != NULL) {
        return ERR_NONE;
    }
    if (store->db != NULL) {
        games = store_count_games(store);
        err = store_err(store, why);
    }
    return err != ERR_NONE || games == 0
               ? err
               : err_say(why, ERR_GONE,
                         "%s; without the key no game of the store can go on: "
                         "put it back, from where you keep a copy, or, if "
                         "there is none, move the store away to begin anew",
                         buf_text(&store->no_key));
}

/* Open the key's file.  A reader may do without, and is told why there is none;
 * a host makes one, but not for games that were sealed with another. */
static enum err
open_key(struct store *store, const char *path, const char *key_file,
         enum store_mode mode, struct buf *why)
{
    struct buf beside = store_beside(path, ".key");
    bool made = false;
    const char *key = key_file[0] == '\0' ? buf_text(&beside) : key_file;
    enum err err = seal_open(key, false, &store->seal, &made, &store->no_key);
    if (err == ERR_GONE && mode != STORE_READ) {
        err = store_require_key(store, why);
        ERR_THEN(err, mode == STORE_TRY
                          ? file_may_write(key, why)
                          : seal_open(key, true, &store->seal, &made, why));
    } else if (mode != STORE_READ || err == ERR_CONFIG) {
        buf_add_buf(why, &store->no_key);
    } else {
        err = ERR_NONE;
    }
    buf_release(&beside);
    return err;
}

/* A store left by a host of an earlier version is rebuilt first; a reader
 * leaves that to the host. */
static enum err
open_older(struct store *store, const char *path, const char *key_file,
           enum store_mode mode, bool *rebuilt, struct buf *why)
{
    int format = 0;
    enum err err =
        db_format(path, mode == STORE_READ ? DB_READ : DB_WRITE, &format, why);
    if (err != ERR_NONE || !store_can_upgrade(format)) {
        return err;
    }
    if (mode == STORE_READ) {
        return err_say(why, ERR_GARBLED,
                       "%s: was made by an earlier version of placard (its "
                       "format is %d, this one's %d); start `placard run` "
                       "once, which rebuilds it",
                       path, format, STORE_FORMAT);
    }
    err = open_key(store, path, key_file, mode, why);
    ERR_THEN(err, store_upgrade(path, format, why));
    *rebuilt = err == ERR_NONE;
    return err;
}

/* ---- damage -------------------------------------------------------------- */

enum err
store_note_damage(const char *path, struct buf *why)
{
    struct buf mark = store_beside(path, ".damaged");
    enum err err = file_write(buf_text(&mark), "", 0, 0600, why);
    buf_release(&mark);
    return err;
}

static enum err
open_db(const char *path, enum store_mode mode, struct db **db, struct buf *why)
{
    struct buf mark = store_beside(path, ".damaged");
    bool marked = access(buf_text(&mark), F_OK) == 0;
    bool reads = mode == STORE_READ || (mode == STORE_TRY && !marked);
    enum db_mode how = reads ? DB_READ
                       : mode == STORE_HOST_AT_ONCE && !marked
                           ? DB_CREATE_UNCHECKED
                           : DB_CREATE;
    enum err err = store_open_db(path, how, db, why);
    if (err == ERR_NONE && marked && how == DB_CREATE) {
        (void)!unlink(buf_text(&mark)); /* it was mended, or replaced */
    }
    buf_release(&mark);
    return err;
}

/* ---- opening ------------------------------------------------------------- */

enum err
store_open(const char *path, const char *key_file, enum store_mode mode,
           struct store **store, struct buf *why)
{
    struct store *opened = must_alloc(sizeof *opened);
    enum err err = ERR_NONE;
    bool rebuilt = false;
    opened->lock = -1;
    if (mode != STORE_READ) {
        err = take_lock(opened, path, why);
    }
    ERR_THEN(err, open_older(opened, path, key_file, mode, &rebuilt, why));
    ERR_THEN(err, open_db(path, mode, &opened->db, why));
    if (err == ERR_NONE && mode != STORE_READ) {
        err = store_check_schema(opened->db, path, why);
    }
    if (err == ERR_NONE && mode != STORE_READ) {
        /* an earlier host of this format may lack a table */
        db_make(opened->db, bot_store_schema_sql);
    }
    if (err == ERR_NONE && opened->seal == NULL) {
        err = open_key(opened, path, key_file, mode, why);
    }
    if (err == ERR_NONE && mode != STORE_READ) {
        draw_id(opened->epoch);
        make_id(opened);
        opened->copied = store_copied_at(opened->db, STORE_FORMAT);
        err = store_err(opened, why);
    }
    if (err == ERR_NONE && rebuilt) {
        err = store_upgrade_games(opened, why);
    }
    if (err == ERR_NONE && mode != STORE_READ && !opened->died) {
        /* What a host tried without dying of it does not count as tried.  (It
         * could not save that itself: perhaps the disk was full.) */
        db_run(opened->db, "DELETE FROM attempt", "");
        err = store_err(opened, why);
    }
    if (err != ERR_NONE) {
        store_close(opened);
        return err;
    }
    *store = opened;
    return ERR_NONE;
}

enum err
store_may_host(const char *path, const char *key_file, struct buf *why)
{
    struct store *store = must_alloc(sizeof *store);
    struct buf said = BUF_INIT;
    int format = 0;
    store->lock = -1;
    enum err err = file_may_write(path, why);
    ERR_THEN(err, db_format(path, DB_READ, &format, why));
    if (err == ERR_NONE && !store_can_upgrade(format)) {
        err = open_db(path, STORE_TRY, &store->db, &said);
        store->absent = err == ERR_GONE;
        buf_add_text(why, store->absent ? "" : buf_text(&said));
        err = store->absent ? ERR_NONE : err;
    }
    if (err == ERR_NONE && store->db != NULL) {
        err = store_check_schema(store->db, path, why);
    }
    ERR_THEN(err, open_key(store, path, key_file, STORE_TRY, why));
    store_close(store);
    buf_release(&said);
    return err;
}
