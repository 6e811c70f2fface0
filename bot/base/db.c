#include "bot/base/db.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/db_inner.h"
#include "bot/base/files.h"

enum {
    BUSY_MS = 5000,
    PAUSE_MS = 10
};

/* ---- checksums ----------------------------------------------------------- */

/* FNV-1a, 64 bits: it need not stop an attacker, only find a faulty disk. */
#define PRIME UINT64_C(0x100000001B3)

static uint64_t
mix(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ byte[i]) * PRIME;
    }
    return hash;
}

static uint64_t
mix_number(uint64_t hash, int64_t number)
{
    static const uint64_t prime_4 = PRIME * PRIME * PRIME * PRIME;
    unsigned char bytes[8]; /* the same on every machine */

    if (number >= 0 && number <= UCHAR_MAX) {
        /* Types and lengths: seven bytes of zero follow the first. */
        return (hash ^ (uint64_t)number) * prime_4 * prime_4;
    }
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (unsigned char)((uint64_t)number >> 8 * i);
    }
    return mix(hash, bytes, sizeof(bytes));
}

static void
checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (int i = 0; i < count; i++) {
        int type = sqlite3_value_type(values[i]);
        hash = mix_number(hash, type);
        if (type == SQLITE_INTEGER) {
            hash = mix_number(hash, sqlite3_value_int64(values[i]));
        } else {
            const void *bytes = sqlite3_value_blob(values[i]);
            int len = sqlite3_value_bytes(values[i]);
            hash = mix(mix_number(hash, len), bytes, (size_t)len);
        }
    }
    sqlite3_result_int64(context, (int64_t)hash);
}

int
db_add_functions(sqlite3 *handle)
{
    return sqlite3_create_function_v2(handle, "checksum", -1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC |
                                          SQLITE_INNOCUOUS,
                                      NULL, checksum, NULL, NULL, NULL);
}

void
db_add_function(struct db *db, const char *name, int arguments,
                void (*call)(sqlite3_context *context, int count,
                             sqlite3_value **values),
                void *context)
{
    db_note(db, sqlite3_create_function_v2(db->handle, name, arguments,
                                           SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                           context, call, NULL, NULL, NULL));
}

/* ---- opening ------------------------------------------------------------- */

/* Make a missing file with a mode that protects its secrets: SQLite would
 * follow the umask, and gives its helper files the mode of this one. */
static enum err
make_file(struct db *db, struct buf *why)
{
    int file = open(db->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (file >= 0) {
        /* Only a file that was just made: closing another one would drop the
         * locks that this process may have on it. */
        (void)!close(file);
        return ERR_NONE;
    }
    if (errno == EEXIST) {
        return ERR_NONE;
    }
    if (errno == ENOENT) {
        return err_say(why, ERR_DENIED,
                       "%s: can't be made; make its folder first", db->path);
    }
    return file_fail(why, db->path, errno);
}

static bool
creates(enum db_mode mode)
{
    return mode == DB_CREATE || mode == DB_CREATE_UNCHECKED;
}

static enum err
check_there(struct db *db, enum db_mode mode, struct buf *why)
{
    struct stat there;

    if (stat(db->path, &there) != 0) {
        return errno == ENOENT && !creates(mode)
                   ? err_say(why, ERR_GONE, "%s: no such file", db->path)
                   : ERR_NONE;
    }
    return S_ISREG(there.st_mode)
               ? ERR_NONE
               : err_say(why, ERR_CONFIG,
                         "%s: is a folder or a device; name a file", db->path);
}

static enum err
open_file(struct db *db, enum db_mode mode, struct buf *why)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    enum err err = check_there(db, mode, why);

    flags |= mode == DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (err == ERR_NONE && creates(mode)) {
        err = make_file(db, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    errno = 0;
    int code = sqlite3_open_v2(db->path, &db->handle, flags, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(db->handle, BUSY_MS);
    }
    if (code == SQLITE_OK) {
        code = db_add_functions(db->handle);
    }
    return code == SQLITE_OK ? ERR_NONE : db_fail(db, code, why);
}

void
db_make(struct db *db, const char *schema)
{
    if (db->err == ERR_NONE) {
        errno = 0;
        db_note(db, sqlite3_exec(db->handle, schema, NULL, NULL, NULL));
    }
}

/* A new file has the smallest pages that SQLite knows: a commit writes each
 * page that it touches as a whole, and what it changes there is mostly a short
 * row.  One that is there keeps its size. */
#define PAGE_SIZE "512"

/* So long may the WAL become before it is written into the file. */
#define WAL_BYTES (4 << 20)

static void
limit_wal(struct db *db)
{
    int64_t page = 0;

    if (db_row(db, "PRAGMA page_size", ">i", &page) && page > 0) {
        sqlite3_wal_autocheckpoint(db->handle, (int)(WAL_BYTES / page));
    }
}

/* Set the connection up.  If several find a new file, only one at a time can
 * turn it to WAL, and SQLite itself waits only for some of the locks involved:
 * so here it waits for none, and we for all. */
static void
set_modes(struct db *db)
{
    int code = SQLITE_BUSY;

    sqlite3_busy_timeout(db->handle, 0);
    for (int waited = 0; (code & 0xFF) == SQLITE_BUSY && waited < BUSY_MS;
         waited += PAUSE_MS) {
        if (waited > 0) {
            sqlite3_sleep(PAUSE_MS);
        }
        errno = 0;
        code = sqlite3_exec(db->handle,
                            "PRAGMA page_size = " PAGE_SIZE
                            "; PRAGMA journal_mode = WAL",
                            NULL, NULL, NULL);
    }
    db_note(db, code);
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    db_make(db, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
                "PRAGMA trusted_schema = OFF");
    limit_wal(db);
}

/* What a file says about itself. */
struct label {
    int64_t format; /* 0: none */
    int64_t tables;
};

/* Both in one statement: between two, another process could make them. */
static struct label
read_label(struct db *db)
{
    struct label label = {0, 0};

    (void)db_row(db,
                 "SELECT user_version, (SELECT count(*) FROM sqlite_schema)"
                 " FROM pragma_user_version",
                 ">ii", &label.format, &label.tables);
    return label;
}

static bool
is_new(const struct label *label)
{
    return label->format == 0 && label->tables == 0;
}

static enum err
make_schema(struct db *db, int format, const char *schema, struct label *label,
            struct buf *why)
{
    struct buf sql = BUF_INIT;

    db_begin(db);
    /* Asked again under the lock: another process may have been first. */
    *label = read_label(db);
    if (is_new(label)) {
        buf_addf(&sql, "%s; PRAGMA user_version = %d", schema, format);
        db_make(db, buf_text(&sql));
        label->format = format;
    }
    buf_release(&sql);
    db_commit(db);
    return db_err(db, why);
}

static enum err
check_format(struct db *db, enum db_mode mode, int format, const char *schema,
             struct buf *why)
{
    struct label label = read_label(db);
    enum err err = db_err(db, why);

    if (err == ERR_NONE && is_new(&label)) {
        if (mode == DB_READ) {
            return err_say(why, ERR_GONE, "%s: nothing is in it yet", db->path);
        }
        err = make_schema(db, format, schema, &label, why);
    }
    if (err != ERR_NONE || label.format == format) {
        return err;
    }
    if (label.format == 0) {
        return err_say(why, ERR_GARBLED, "%s: not a file of placard's",
                       db->path);
    }
    return err_say(why, ERR_GARBLED,
                   "%s: was made by %s version of placard (its format is %lld, "
                   "this one's %d); use that version, or move the file away to "
                   "begin anew",
                   db->path, label.format < format ? "an earlier" : "a later",
                   (long long)label.format, format);
}

/* Is the last page complete?  SQLite would read zeroes. */
static enum err
ends_whole(struct db *db, bool *whole, struct buf *why)
{
    struct stat there;
    int64_t page = 0;

    (void)db_row(db, "PRAGMA page_size", ">i", &page);
    if (stat(db->path, &there) != 0) {
        return file_fail(why, db->path, errno);
    }
    *whole = page > 0 && there.st_size % page == 0;
    return db_err(db, why);
}

/* A checkpoint that was interrupted may have left the last page half written:
 * it is still in the log, and is written again from there. */
static enum err
check_end(struct db *db, struct buf *why)
{
    bool whole = false;
    enum err err = ends_whole(db, &whole, why);

    if (err == ERR_NONE && !whole) {
        db_make(db, "PRAGMA wal_checkpoint");
        err = ends_whole(db, &whole, why);
    }
    return err != ERR_NONE || whole ? err : db_fail(db, SQLITE_CORRUPT, why);
}

enum err
db_check(struct db *db, struct buf *why)
{
    struct buf found = BUF_INIT;

    if (db_row(db, "PRAGMA integrity_check(1)", ">t", &found) &&
        strcmp(buf_text(&found), "ok") != 0) {
        db_note(db, SQLITE_CORRUPT);
    }
    buf_release(&found);
    return db_err(db, why);
}

enum err
db_open(const char *path, enum db_mode mode, int format, const char *schema,
        struct db **db, struct buf *why)
{
    assert(format > 0);
    struct db *made = must_alloc(sizeof(*made));

    *db = NULL;
    made->path = must_copy(path);
    enum err err = open_file(made, mode, why);
    if (err == ERR_NONE && creates(mode)) {
        set_modes(made);
    }
    ERR_THEN(err, check_format(made, mode, format, schema, why));
    if (err == ERR_NONE && creates(mode)) {
        err = check_end(made, why);
    }
    if (err == ERR_NONE && mode == DB_CREATE) {
        err = db_check(made, why);
    }
    if (err != ERR_NONE) {
        db_close(made);
        return err;
    }
    *db = made;
    return ERR_NONE;
}

/* How many of SQLite's instructions run between two looks at `stop`: about a
 * millisecond. */
enum {
    INSTRUCTIONS = 20000
};

static int
is_stopped(void *context)
{
    const atomic_bool *stop = context;

    return atomic_load(stop);
}

void
db_stop_when(struct db *db, const atomic_bool *stop)
{
    union {
        const atomic_bool *stop;
        void *context;
    } as = {.stop = stop};

    if (stop != NULL) {
        sqlite3_progress_handler(db->handle, INSTRUCTIONS, is_stopped,
                                 as.context);
    }
}

enum err
db_format(const char *path, enum db_mode mode, int *format, struct buf *why)
{
    *format = 0;
    if (!file_exists(path)) {
        return ERR_NONE;
    }
    struct db *db = must_alloc(sizeof(*db));
    db->path = must_copy(path);
    enum err err = open_file(db, mode, why);
    if (err == ERR_NONE) {
        *format = (int)read_label(db).format;
        err = db_err(db, why);
    }
    db_close(db);
    return err;
}

/* Make sure that what was written is on the disk. */
static enum err
sync_file(const char *path, struct buf *why)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool good = file >= 0 && fsync(file) == 0;
    int error = errno;

    if (file >= 0) {
        (void)!close(file);
    }
    return good ? ERR_NONE : file_fail(why, path, error);
}

/* Copy all pages at one moment; the copy is one file, without a log.  What goes
 * wrong is said of the copy, unless it is damage. */
static enum err
copy_pages(struct db *db, struct db *to, struct buf *why)
{
    errno = 0;
    int code =
        sqlite3_open_v2(to->path, &to->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);
    sqlite3_backup *backup = NULL;
    if (code == SQLITE_OK) {
        backup = sqlite3_backup_init(to->handle, "main", db->handle, "main");
        code = sqlite3_extended_errcode(to->handle);
    }
    if (backup != NULL) {
        (void)sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(to->handle, "PRAGMA journal_mode = DELETE", NULL,
                            NULL, NULL);
    }
    bool damaged =
        (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB;
    return code == SQLITE_OK ? ERR_NONE : db_fail(damaged ? db : to, code, why);
}

enum err
db_copy(struct db *db, const char *to, struct buf *why)
{
    struct buf part = BUF_INIT;
    buf_addf(&part, "%s.part", to);
    const char *path = buf_text(&part);
    struct db *copy = must_alloc(sizeof(*copy));
    copy->path = must_copy(path);
    /* SQLite fills an empty file, and keeps its mode. */
    enum err err = file_write(path, "", 0, 0600, why);
    ERR_THEN(err, copy_pages(db, copy, why));
    db_close(copy);
    ERR_THEN(err, sync_file(path, why));
    ERR_THEN(err, file_rename(path, to, why));
    if (err != ERR_NONE) {
        (void)!unlink(path);
    }
    buf_release(&part);
    return err;
}

void
db_close(struct db *db)
{
    if (db == NULL) {
        return;
    }
    for (size_t i = 0; i < db->count; i++) {
        sqlite3_finalize(db->statements[i].handle);
        free(db->statements[i].sql);
    }
    int code = sqlite3_close(db->handle);
    assert(code == SQLITE_OK);
    (void)code;
    free(db->statements);
    buf_release(&db->why);
    free(db->path);
    free(db);
}
