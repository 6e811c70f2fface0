/* For realpath, which glibc counts as an extension.  NOLINTNEXTLINE */
#define _DEFAULT_SOURCE

#include "bot/base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum err
file_fail(struct buf *why, const char *path, int error)
{
    switch (error) {
    case ENOENT:
        return err_say(why, ERR_GONE, "%s: no such file or folder", path);
    case ENOSPC:
    case EDQUOT:
        return err_say(why, ERR_FULL, "%s: disk full; free some space", path);
    case EFBIG:
        return err_say(why, ERR_FULL, "%s: the file is too large", path);
    case EMFILE:
    case ENFILE:
    case EINTR:
    case EAGAIN:
        return err_say(why, ERR_LATER, "%s: %s", path, strerror(error));
    case EROFS:
        return err_say(why, ERR_DENIED,
                       "%s: the disk may only be read; mount it for writing",
                       path);
    case EIO:
        return err_say(why, ERR_DENIED,
                       "%s: the disk answers with an error; look at it", path);
    case EACCES:
    case EPERM:
        return err_say(why, ERR_DENIED,
                       "%s: may not be opened or written; change the owner or "
                       "the mode of the file and of its folder",
                       path);
    default:
        return err_say(why, ERR_DENIED, "%s: %s", path, strerror(error));
    }
}

static enum err
read_all(int file, const char *path, struct buf *into, struct buf *why)
{
    char chunk[16384];

    for (;;) {
        ssize_t got = read(file, chunk, sizeof(chunk));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return file_fail(why, path, errno);
        }
        if (got == 0) {
            return ERR_NONE;
        }
        buf_add(into, chunk, (size_t)got);
        if (into->cut) {
            return err_say(why, ERR_FULL, "%s: longer than %zu bytes", path,
                           into->max);
        }
    }
}

enum err
file_read(const char *path, struct buf *into, struct buf *why)
{
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, "standard input", into, why);
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return file_fail(why, path, errno);
    }
    enum err err = read_all(file, path, into, why);
    if (close(file) != 0 && err == ERR_NONE) {
        err = file_fail(why, path, errno);
    }
    return err;
}

bool
file_read_line(FILE *file, struct buf *line)
{
    int byte = 0;

    buf_clear(line);
    while (byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
        buf_add_char(line, (char)byte);
    }
    return line->len > 0;
}

/* Make a change of a folder's list of names durable. */
static enum err
sync_folder(const char *inside, struct buf *why)
{
    char *copy = must_copy(inside);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum err err = ERR_NONE;

    if (folder < 0) {
        err = file_fail(why, inside, errno);
        goto out;
    }
    /* Some file systems have no fsync of folders and say EINVAL. */
    if (fsync(folder) != 0 && errno != EINVAL) {
        err = file_fail(why, inside, errno);
    }
    if (close(folder) != 0 && err == ERR_NONE) {
        err = file_fail(why, inside, errno);
    }
out:
    free(copy);
    return err;
}

enum err
file_rename(const char *from, const char *to, struct buf *why)
{
    if (rename(from, to) != 0) {
        return file_fail(why, to, errno);
    }
    return sync_folder(to, why);
}

static enum err
put_all(int file, const char *path, const char *bytes, size_t len,
        struct buf *why)
{
    size_t done = 0;

    while (done < len) {
        ssize_t put = write(file, bytes + done, len - done);
        if (put >= 0) {
            done += (size_t)put;
        } else if (errno != EINTR) {
            return file_fail(why, path, errno);
        }
    }
    return ERR_NONE;
}

/* Write all bytes to a descriptor and close it in any case. */
static enum err
write_all(int file, const char *path, const char *bytes, size_t len, bool sync,
          struct buf *why)
{
    enum err err = put_all(file, path, bytes, len, why);

    if (err == ERR_NONE && sync && fsync(file) != 0) {
        err = file_fail(why, path, errno);
    }
    if (close(file) != 0 && err == ERR_NONE) {
        err = file_fail(why, path, errno);
    }
    return err;
}

static enum err
replace(const char *path, const void *bytes, size_t len, unsigned mode,
        struct buf *why)
{
    struct buf beside = BUF_INIT;

    buf_addf(&beside, "%s.XXXXXX", path);
    int file = mkstemp(beside.data);
    if (file < 0) {
        enum err err = file_fail(why, path, errno);
        buf_release(&beside);
        return err;
    }
    enum err err = write_all(file, path, bytes, len, true, why);
    if (err == ERR_NONE && (chmod(beside.data, (mode_t)mode) != 0 ||
                            rename(beside.data, path) != 0)) {
        err = file_fail(why, path, errno);
    }
    if (err == ERR_NONE) {
        err = sync_folder(path, why);
    } else {
        (void)!unlink(beside.data);
    }
    buf_release(&beside);
    return err;
}

enum err
file_write(const char *path, const void *bytes, size_t len, unsigned mode,
           struct buf *why)
{
    struct stat there;

    if (stat(path, &there) != 0) {
        return replace(path, bytes, len, mode, why);
    }
    if (!S_ISREG(there.st_mode)) {
        int file = open(path, O_WRONLY | O_CLOEXEC);
        if (file < 0) {
            return file_fail(why, path, errno);
        }
        return write_all(file, path, bytes, len, false, why);
    }
    /* A link stays a link: the file that it leads to is replaced. */
    char *target = realpath(path, NULL);
    if (target == NULL) {
        return file_fail(why, path, errno);
    }
    enum err err = replace(target, bytes, len, mode, why);
    free(target);
    return err;
}

static enum err
make_one(const char *path, struct buf *why)
{
    struct stat there;

    if (mkdir(path, 0700) == 0) {
        return ERR_NONE;
    }
    int error = errno;
    if (stat(path, &there) != 0) {
        return file_fail(why, path, error);
    }
    if (!S_ISDIR(there.st_mode)) {
        return file_fail(why, path, ENOTDIR);
    }
    return ERR_NONE;
}

enum err
folder_make(const char *path, struct buf *why)
{
    char *part = must_copy(path);
    enum err err = ERR_NONE;

    for (char *slash = strchr(part + (part[0] == '/'), '/');
         slash != NULL && err == ERR_NONE; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        err = make_one(part, why);
        *slash = '/';
    }
    ERR_THEN(err, make_one(part, why));
    free(part);
    return err;
}

enum err
file_may_write(const char *path, struct buf *why)
{
    char *copy = must_copy(path);
    bool good = (access(path, W_OK) == 0 || errno == ENOENT) &&
                access(dirname(copy), W_OK | X_OK) == 0;
    int error = errno;

    free(copy);
    if (!good && error == ENOENT) {
        return err_say(why, ERR_DENIED,
                       "%s: can't be made; make its folder first", path);
    }
    return good ? ERR_NONE : file_fail(why, path, error);
}

bool
file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int64_t
file_size(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (int64_t)file.st_size : 0;
}

int64_t
file_disk_left(const char *path)
{
    struct statvfs disk;
    return statvfs(path, &disk) == 0
               ? (int64_t)((uint64_t)disk.f_bavail * disk.f_frsize)
               : -1;
}

/* Who wrote their process id into the lock file, as far as one can tell. */
static enum err
say_locked(int file, const char *path, struct buf *why)
{
    char holder[16] = "";
    ssize_t got = read(file, holder, sizeof(holder) - 1);
    size_t digits = got > 0 ? strspn(holder, "0123456789") : 0;

    holder[digits] = '\0';
    return err_say(why, ERR_DENIED,
                   "%s: another placard%s%s%s is hosting with this store; stop "
                   "it first, or name another store",
                   path, digits > 0 ? ", process " : "", holder,
                   digits > 0 ? "," : "");
}

enum err
file_lock(const char *path, int *lock, struct buf *why)
{
    char holder[16];
    enum err err;

    *lock = -1;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return file_fail(why, path, errno);
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            err = say_locked(file, path, why);
        } else {
            err = file_fail(why, path, errno);
        }
        (void)!close(file);
        return err;
    }
    int len = snprintf(holder, sizeof(holder), "%ld\n", (long)getpid());
    /* Written first, then shortened: a number that a dead process has left
     * is replaced, but never lost. */
    err = put_all(file, path, holder, (size_t)len, why);
    if (err == ERR_NONE && ftruncate(file, len) != 0) {
        err = file_fail(why, path, errno);
    }
    if (err != ERR_NONE) {
        (void)!close(file);
        return err;
    }
    *lock = file;
    return ERR_NONE;
}

void
file_unlock(int lock)
{
    if (lock >= 0) {
        (void)!ftruncate(lock, 0);
        (void)!close(lock);
    }
}

/* One that was given up is empty, and is not touched: only where its owner died
 * does asking take the lock, for a moment. */
enum err
file_locked(const char *path, bool *locked, long *holder, struct buf *why)
{
    char text[16] = "";

    *locked = false;
    *holder = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT ? ERR_NONE : file_fail(why, path, errno);
    }
    if (read(file, text, sizeof(text) - 1) > 0) {
        *locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        *holder = *locked ? strtol(text, NULL, 10) : 0;
    }
    (void)!close(file);
    return ERR_NONE;
}

enum err
state_path(const char *name, struct buf *path, struct buf *why)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    /* The XDG base directory specification: a relative path is to be
     * ignored. */
    if (state != NULL && state[0] == '/') {
        buf_addf(path, "%s/placard", state);
    } else if (home != NULL && home[0] == '/') {
        buf_addf(path, "%s/.local/state/placard", home);
    } else {
        return err_say(why, ERR_CONFIG,
                       "no folder to keep a game in: set HOME, or "
                       "XDG_STATE_HOME, to a full path");
    }
    if (name[0] != '\0') {
        buf_addf(path, "/%s", name);
    }
    return ERR_NONE;
}
