#include "bot/store/backup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/store/store_copied.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_upgrade.h"

/* ---- small things -------------------------------------------------------- */

static bool
same_file(const char *one, const char *two)
{
    struct stat first;
    struct stat second;
    return stat(one, &first) == 0 && stat(two, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* ---- making one ---------------------------------------------------------- */

static enum err
note_backup(const struct backup *backup, struct buf *why)
{
    struct buf note = store_beside(backup->path, ".backup");
    struct buf text = BUF_INIT;
    char folder[4096];
    instant_write(backup->now, &text);
    buf_add_char(&text, ' ');
    if (backup->to[0] != '/' && getcwd(folder, sizeof folder) != NULL) {
        buf_addf(&text, "%s/", folder);
    }
    buf_addf(&text, "%s\n", backup->to);
    enum err err =
        file_write(buf_text(&note), buf_text(&text), text.len, 0600, why);
    buf_release(&note);
    buf_release(&text);
    return err;
}

static enum err
check_target(const struct backup *backup, struct buf *why)
{
    if (same_file(backup->path, backup->to)) {
        return err_say(why, ERR_DENIED,
                       "%s: is the store itself; name another file",
                       backup->to);
    }
    if (!backup->replace && file_exists(backup->to)) {
        return err_say(why, ERR_DENIED,
                       "%s: there already; name another file, or have it "
                       "replaced with --replace",
                       backup->to);
    }
    return ERR_NONE;
}

static enum err
copy_store(const char *from, int format, const char *copy, struct buf *why)
{
    struct db *db = NULL;
    enum err err = db_open(from, DB_READ, format, "", &db, why);
    if (err == ERR_NONE) {
        err = db_copy(db, copy, why);
        db_close(db);
    }
    return err;
}

/* Have a copy say what it is, of when (0: that is not known), and see that it
 * is whole.  *made: of when it says that it is. */
static enum err
finish_copy(const char *copy, int format, int64_t at, int64_t *made,
            struct buf *why)
{
    struct db *db = NULL;
    enum err err = db_open(copy, DB_WRITE, format, "", &db, why);
    if (err != ERR_NONE) {
        return err;
    }
    err = db_check(db, why);
    store_mark_copied(db, format, at);
    *made = store_copied_at(db, format);
    ERR_THEN(err, db_err(db, why));
    db_close(db);
    return err;
}

/* Give a copy that was made the name that it is for, or be rid of it. */
static enum err
put_copy(const char *copy, const char *to, enum err err, struct buf *why)
{
    ERR_THEN(err, file_rename(copy, to, why));
    if (err != ERR_NONE) {
        (void)!unlink(copy);
    }
    return err;
}

/* The copy is not told from others' by its name while it is made: two backups
 * into one file at a time are none of ours. */
enum err
backup_make(const struct backup *backup, bool *noted, struct buf *why)
{
    struct buf copy = store_beside(backup->to, ".new");
    int64_t made = 0;
    enum err err = check_target(backup, why);
    ERR_THEN(err, copy_store(backup->path, STORE_FORMAT, buf_text(&copy), why));
    if (err == ERR_NONE) {
        err =
            finish_copy(buf_text(&copy), STORE_FORMAT, backup->now, &made, why);
        err = put_copy(buf_text(&copy), backup->to, err, why);
    }
    *noted = err == ERR_NONE && note_backup(backup, NULL) == ERR_NONE;
    buf_release(&copy);
    return err;
}

enum err
backup_last(const char *path, int64_t *at, struct buf *file, struct buf *why)
{
    struct buf note = store_beside(path, ".backup");
    struct buf text = BUF_INIT;
    *at = 0;
    enum err err = file_exists(buf_text(&note))
                       ? file_read(buf_text(&note), &text, why)
                       : ERR_NONE;
    char *blank = text.len > 0 ? strchr(text.data, ' ') : NULL;
    if (err == ERR_NONE && blank != NULL) {
        *blank = '\0';
        text.data[text.len - 1] = '\0'; /* the line feed */
        if (instant_read(text.data, at)) {
            buf_add_text(file, blank + 1);
        } else {
            *at = 0;
        }
    }
    buf_release(&note);
    buf_release(&text);
    return err;
}

/* ---- looking at one ------------------------------------------------------ */

/* A store whose key was lost once has games of two keys: one that opens will
 * do.  One that is damaged is found by the check of the games. */
static enum err
check_key(const char *copy, const char *key_file, const char *from,
          struct buf *why)
{
    struct store *store = NULL;
    bool opens = false;
    bool denies = false;
    enum err err = store_open(copy, key_file, STORE_READ, &store, why);
    if (err != ERR_NONE) {
        return err;
    }
    sqlite3_stmt *rows = db_query(store->db, "SELECT id FROM game", "");
    while (!opens && db_next(store->db, rows)) {
        struct buf unread = BUF_INIT;
        enum err read = store_record(store, db_text(rows, 0), &unread, NULL);
        opens = read == ERR_NONE;
        denies = denies || read == ERR_DENIED;
        buf_wipe(&unread);
    }
    err = store_err(store, why);
    store_close(store);
    return err == ERR_NONE && denies && !opens
               ? err_say(why, ERR_DENIED,
                         "%s: was made with another key than %s; put the key "
                         "of that store there first",
                         from, key_file)
               : err;
}

/* The copy is what is checked: the check writes, and the backup may be on a
 * disk that can only be read. */
static enum err
check_copy(const struct restore *restore, const char *copy, int format,
           struct restored *restored, struct buf *why)
{
    bool named = restore->key_file[0] != '\0';
    struct buf key = named ? store_beside(restore->key_file, "")
                           : store_beside(restore->path, ".key");
    const struct store_check check = {.path = copy,
                                      .key_file = buf_text(&key),
                                      .each = restore->each,
                                      .context = restore->context};
    enum err err = finish_copy(copy, format, 0, &restored->made, why);
    restored->older = format != STORE_FORMAT;
    if (err == ERR_NONE && !file_exists(buf_text(&key))) {
        err = err_say(why, ERR_GONE,
                      "%s: the key is missing; put it there first: without "
                      "it no game of the backup can go on",
                      buf_text(&key));
    }
    if (err == ERR_NONE && !restored->older) {
        err = check_key(copy, buf_text(&key), restore->from, why);
        ERR_THEN(err, store_check(&check, &restored->running, why));
    }
    buf_release(&key);
    return err;
}

/* ---- putting one back ---------------------------------------------------- */

static enum err
find_format(const char *from, int *format, struct buf *why)
{
    if (!file_exists(from)) {
        return file_fail(why, from, errno);
    }
    enum err err = db_format(from, DB_READ, format, why);
    if (err == ERR_NONE && *format != STORE_FORMAT &&
        !store_can_upgrade(*format)) {
        return err_say(why, ERR_GARBLED,
                       *format > STORE_FORMAT
                           ? "%s: was made by a later version of placard (its "
                             "format is %d, this one's %d); restore it with "
                             "that version"
                           : "%s: not a backup that this version of placard "
                             "can read (its format is %d, this one's %d)",
                       from, *format, STORE_FORMAT);
    }
    return err;
}

/* Move a helper file of SQLite's along with its database. */
static enum err
move_helper(const char *from, const char *to, const char *ending,
            struct buf *why)
{
    struct buf old = store_beside(from, ending);
    struct buf new = store_beside(to, ending);
    enum err err = file_exists(buf_text(&old))
                       ? file_rename(buf_text(&old), buf_text(&new), why)
                       : ERR_NONE;
    buf_release(&old);
    buf_release(&new);
    return err;
}

/* Keep the store that is there, damaged or not.  What was committed last may be
 * in its log alone: whoever opens and closes it moves that into the file; where
 * this fails the log goes along.  One that is left without its store would be
 * taken for the restored one's. */
static enum err
put_aside(const char *path, int64_t now, struct buf *old, struct buf *why)
{
    struct db *db = NULL;
    bool there = file_exists(path);
    *old = store_beside(path, ".replaced-");
    instant_write(now, old);
    if (file_exists(buf_text(old))) {
        return err_say(why, ERR_LATER, "%s: there already; try again",
                       buf_text(old));
    }
    if (there &&
        store_open_db(path, DB_CREATE_UNCHECKED, &db, NULL) == ERR_NONE) {
        db_close(db);
    }
    enum err err = move_helper(path, buf_text(old), "-wal", why);
    ERR_THEN(err, move_helper(path, buf_text(old), "-shm", why));
    /* A second name for it: there is a store at any moment.  Some file systems
     * have no such names. */
    if (err == ERR_NONE && there && link(path, buf_text(old)) != 0) {
        err = file_rename(path, buf_text(old), why);
    }
    if (!there) {
        buf_clear(old);
    }
    return err;
}

static enum err
restore_locked(const struct restore *restore, struct restored *restored,
               struct buf *why)
{
    struct buf copy = store_beside(restore->path, ".restored");
    int format = 0;
    enum err err = find_format(restore->from, &format, why);
    ERR_THEN(err, copy_store(restore->from, format, buf_text(&copy), why));
    if (err == ERR_NONE) {
        err = check_copy(restore, buf_text(&copy), format, restored, why);
        ERR_THEN(err,
                 put_aside(restore->path, restore->now, &restored->old, why));
        err = put_copy(buf_text(&copy), restore->path, err, why);
    }
    buf_release(&copy);
    return err;
}

enum err
backup_restore(const struct restore *restore, struct restored *restored,
               struct buf *why)
{
    int locked = -1;
    memset(restored, 0, sizeof *restored);
    if (same_file(restore->path, restore->from)) {
        return err_say(why, ERR_DENIED,
                       "%s: is the store itself; name a backup of it",
                       restore->from);
    }
    struct buf lock = store_beside(restore->path, ".lock");
    enum err err = file_lock(buf_text(&lock), &locked, why);
    if (err == ERR_NONE) {
        err = restore_locked(restore, restored, why);
        file_unlock(locked);
    }
    buf_release(&lock);
    return err;
}
