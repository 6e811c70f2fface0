/* What SQLite's codes mean for people. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bot/base/db_inner.h"
#include "bot/base/files.h"

/* Why nothing can be made or opened beside a file: SQLite tries several ways,
 * and forgets why the first one failed. */
static int
folder_error(const char *path)
{
    struct buf beside = BUF_INIT;

    buf_addf(&beside, "%s.XXXXXX", path);
    int file = mkstemp(beside.data);
    int error = file < 0 ? errno : EACCES;
    if (file >= 0) {
        (void)!close(file);
        (void)!unlink(beside.data);
    }
    buf_release(&beside);
    return error;
}

/* What the system said to the call that failed.  SQLite does not note it for a
 * failed COMMIT, but errno still has it: it was 0 before the step. */
static int
disk_error(const struct db *db)
{
    int error = errno;
    int noted = sqlite3_system_errno(db->handle);

    error = noted != 0 ? noted : error;
    return error == ENOSPC || error == EDQUOT || error == EROFS ? error : EIO;
}

enum err
db_fail(struct db *db, int code, struct buf *why)
{
    const char *path = db->path;

    switch (code & 0xFF) {
    case SQLITE_NOMEM:
        die("out of memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return err_say(why, ERR_LATER,
                       "%s: in use by another program; try again in a while",
                       path);
    case SQLITE_INTERRUPT:
        return err_say(why, ERR_LATER, "%s: its reading was stopped", path);
    case SQLITE_FULL:
        return file_fail(why, path, ENOSPC);
    case SQLITE_TOOBIG:
        return err_say(why, ERR_FULL, "%s: a value is too long", path);
    case SQLITE_IOERR:
        return file_fail(why, path, disk_error(db));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return file_fail(why, path, folder_error(path));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return err_say(why, ERR_GARBLED,
                       "%s: damaged, or no database; restore it from a backup",
                       path);
    default:
        return err_say(why, ERR_GARBLED,
                       "%s: damaged, or written by another placard (%s); "
                       "restore it from a backup",
                       path, sqlite3_errmsg(db->handle));
    }
}
