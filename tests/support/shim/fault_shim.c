/*
 * A disk that fails, and a clock that jumps: preloaded (LD_PRELOAD) into the
 * real program, which knows nothing of it.
 *
 * Every call that changes a file beneath one folder is a *point*, numbered from
 * 1: a write, a sync, a truncation, a file made, renamed or removed.  At one of
 * them something happens.  What lies on the disk when the power fails is
 * modelled too: what was written since the last sync of a file, and which names
 * were made since the last sync of their folder, is known and can be undone.
 *
 *   FAULT_FOLDER  the folder; without it nothing is counted
 *   FAULT_TRACE   a file that gets a line per point: what is done, to what
 *   FAULT_AT      the number of the point at which it happens
 *   FAULT_DO      what happens:
 *       kill      SIGKILL, before the point
 *       torn      SIGKILL, after it; of what is written there only half is
 *       stop      SIGTERM, and the program goes on
 *       cut       power fails: what was not synced is undone; SIGKILL
 *       partly    the same, but some files' contents were written by chance
 *       full      the disk is full from there on (ENOSPC)
 *       broken    writing and syncing fail from there on (EIO)
 *       readonly  nothing may be changed from there on (EROFS)
 *       once      that one point fails (EIO)
 *       short     from there on a write writes but half
 *
 *   FAULT_UNSYNCED  syncs of files with this in their path do nothing, which is
 *                   a mistake that a test must find
 *   FAULT_CLOCK     a file with a number: the clock is so many ms ahead
 *   FAULT_NAP       whoever waits waits at most so many ms
 */
/* For RTLD_NEXT.  NOLINTNEXTLINE */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    UNDO_MAX = 65536,
    FILES_MAX = 512
};

/* ---- the real calls ------------------------------------------------------ */

static void *
real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

/* A pointer to a function can't be cast from one to an object; it is copied. */
#define REAL(result, name, ...)                                                \
    static result (*real_##name)(__VA_ARGS__);                                 \
    if (real_##name == NULL) {                                                 \
        void *found = real(#name);                                             \
        memcpy(&real_##name, &found, sizeof found);                            \
    }

static int
really_open(const char *path, int flags, mode_t mode)
{
    REAL(int, open64, const char *, int, ...)
    return real_open64(path, flags | O_LARGEFILE, mode);
}

static ssize_t
really_pwrite(int file, const void *bytes, size_t len, off64_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    return real_pwrite64(file, bytes, len, at);
}

static ssize_t
really_write(int file, const void *bytes, size_t len)
{
    REAL(ssize_t, write, int, const void *, size_t)
    return real_write(file, bytes, len);
}

static int
really_truncate(int file, off64_t len)
{
    REAL(int, ftruncate64, int, off64_t)
    return real_ftruncate64(file, len);
}

static int
really_rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *)
    return real_rename(from, to);
}

static int
really_unlink(const char *path)
{
    REAL(int, unlink, const char *)
    return real_unlink(path);
}

static int
really_sync(int file)
{
    REAL(int, fsync, int)
    return real_fsync(file);
}

/* ---- what is asked of us ------------------------------------------------- */

enum fault {
    FAULT_NONE,
    FAULT_KILL,
    FAULT_TORN,
    FAULT_STOP,
    FAULT_CUT,
    FAULT_PARTLY,
    FAULT_FULL,
    FAULT_BROKEN,
    FAULT_READONLY,
    FAULT_ONCE,
    FAULT_SHORT
};

static const char *const fault_names[] = {
    "",     "kill",   "torn",     "stop", "cut",   "partly",
    "full", "broken", "readonly", "once", "short",
};

static struct {
    bool ready;
    char folder[PATH_MAX];
    const char *unsynced;
    int trace;
    long at;
    enum fault fault;
    long point; /* the last one */
} shim;

static void
set_up(void)
{
    const char *folder = getenv("FAULT_FOLDER");
    const char *trace = getenv("FAULT_TRACE");
    const char *at = getenv("FAULT_AT");
    const char *wanted = getenv("FAULT_DO");
    shim.ready = true;
    shim.trace = -1;
    shim.unsynced = getenv("FAULT_UNSYNCED");
    if (folder == NULL || realpath(folder, shim.folder) == NULL) {
        shim.folder[0] = '\0';
        return;
    }
    shim.at = at == NULL ? 0 : strtol(at, NULL, 10);
    for (unsigned i = 1; i < sizeof fault_names / sizeof fault_names[0]; i++) {
        if (wanted != NULL && strcmp(wanted, fault_names[i]) == 0) {
            shim.fault = (enum fault)i;
        }
    }
    if (trace != NULL) {
        shim.trace =
            really_open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

/* Does a path lie in the folder? */
static bool
is_ours(const char *path)
{
    char copy[PATH_MAX];
    char whole[PATH_MAX];
    if (!shim.ready) {
        set_up();
    }
    size_t len = strlen(shim.folder);
    if (len == 0 || strlen(path) >= sizeof copy) {
        return false;
    }
    /* Of a file that is not there, the folder it is to be in. */
    memcpy(copy, path, strlen(path) + 1);
    if (realpath(copy, whole) == NULL &&
        realpath(dirname(copy), whole) == NULL) {
        return false;
    }
    return strncmp(whole, shim.folder, len) == 0 &&
           (whole[len] == '/' || whole[len] == '\0');
}

/* The path of an open file; "" where it has none.  A removed one keeps the
 * name it had. */
static void
path_of(int file, char path[PATH_MAX])
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t len = readlink(link, path, PATH_MAX - 1);
    path[len > 0 ? len : 0] = '\0';
    char *end = strstr(path, " (deleted)");
    if (end != NULL) {
        *end = '\0';
    }
}

/* Is it a file or a folder of ours? */
static bool
is_our_file(int file, char path[PATH_MAX])
{
    int error = errno;
    path_of(file, path);
    bool ours = path[0] == '/' && is_ours(path);
    errno = error;
    return ours;
}

/* ---- what the disk does not have yet ------------------------------------- */

/* A file that was written to, held open for ever: to close it would drop the
 * locks that the program has on it. */
struct known {
    dev_t device;
    ino_t inode;
    int file;
    const char *path; /* as it was called first */
};

enum undo_kind {
    UNDO_NOTHING,
    UNDO_WRITE,  /* put `old` back at `at`, then cut to `size` */
    UNDO_MAKE,   /* remove `path` */
    UNDO_REMOVE, /* put `file` back as `path` */
    UNDO_RENAME  /* `to` was `path`; `file` (-1: none) lay there */
};

struct undo {
    enum undo_kind kind;
    int file; /* of a `known` */
    off64_t at, size;
    char *old;
    size_t old_len;
    char *path, *to;
    dev_t device; /* of the folder of `path` */
    ino_t inode;
};

static struct known files[FILES_MAX];
static unsigned file_count;
static struct undo undos[UNDO_MAX];
static unsigned undo_count;

static bool
keeps_undo(void)
{
    return shim.fault == FAULT_CUT || shim.fault == FAULT_PARTLY;
}

static struct undo *
add_undo(enum undo_kind kind)
{
    /* What was synced is forgotten as soon as there is no room. */
    if (undo_count == UNDO_MAX) {
        unsigned kept = 0;
        for (unsigned i = 0; i < undo_count; i++) {
            if (undos[i].kind != UNDO_NOTHING) {
                undos[kept++] = undos[i];
            }
        }
        undo_count = kept;
    }
    if (undo_count == UNDO_MAX) {
        abort();
    }
    struct undo *undo = &undos[undo_count++];
    memset(undo, 0, sizeof *undo);
    undo->kind = kind;
    undo->file = -1;
    return undo;
}

static void
forget(struct undo *undo)
{
    free(undo->old);
    free(undo->path);
    free(undo->to);
    memset(undo, 0, sizeof *undo);
}

/* The file that is held open for this one; -1: it can't be. */
static int
hold(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) {
        return -1;
    }
    for (unsigned i = 0; i < file_count; i++) {
        if (files[i].device == there.st_dev && files[i].inode == there.st_ino) {
            return files[i].file;
        }
    }
    int file = really_open(path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0 || file_count == FILES_MAX) {
        abort();
    }
    files[file_count++] =
        (struct known){there.st_dev, there.st_ino, file, strdup(path)};
    return file;
}

static void
note_write(int file, off64_t at, size_t len)
{
    char link[64];
    struct stat there;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int held = hold(link);
    if (held < 0 || fstat(held, &there) != 0) {
        return;
    }
    struct undo *undo = add_undo(UNDO_WRITE);
    undo->file = held;
    undo->at = at;
    undo->size = there.st_size;
    undo->old = malloc(len + 1);
    ssize_t got =
        at < there.st_size ? pread(held, undo->old, len, (off_t)at) : 0;
    undo->old_len = got > 0 ? (size_t)got : 0;
}

static void
set_folder(struct undo *undo, const char *path)
{
    char copy[PATH_MAX];
    struct stat there;
    (void)snprintf(copy, sizeof copy, "%s", path);
    if (stat(dirname(copy), &there) == 0) {
        undo->device = there.st_dev;
        undo->inode = there.st_ino;
    }
    undo->path = strdup(path);
}

/* A file or a folder is safe: nothing of it is undone. */
static void
note_sync(int file)
{
    struct stat there;
    if (fstat(file, &there) != 0) {
        return;
    }
    for (unsigned i = 0; i < undo_count; i++) {
        struct undo *undo = &undos[i];
        struct stat held;
        bool same = undo->device == there.st_dev && undo->inode == there.st_ino;
        if (undo->kind == UNDO_WRITE) {
            same = fstat(undo->file, &held) == 0 &&
                   held.st_dev == there.st_dev && held.st_ino == there.st_ino;
        }
        if (undo->kind != UNDO_NOTHING && same) {
            forget(undo);
        }
    }
}

static void
put_back(int file, const char *path)
{
    char bytes[65536];
    int made = really_open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    off64_t at = 0;
    ssize_t got = 0;
    while ((got = pread64(file, bytes, sizeof bytes, at)) > 0) {
        if (really_pwrite(made, bytes, (size_t)got, at) != got) {
            abort();
        }
        at += got;
    }
}

/* Did chance write this file's contents before the power failed? */
static bool
was_lucky(const struct undo *undo)
{
    return shim.fault == FAULT_PARTLY &&
           ((unsigned)undo->file * 2654435761U + (unsigned)shim.at) / 7 % 2 ==
               0;
}

static void
undo_name(const struct undo *undo)
{
    switch (undo->kind) {
    case UNDO_MAKE:
        (void)really_unlink(undo->path);
        break;
    case UNDO_REMOVE:
        put_back(undo->file, undo->path);
        break;
    case UNDO_RENAME:
        (void)really_rename(undo->to, undo->path);
        if (undo->file >= 0) {
            put_back(undo->file, undo->to);
        }
        break;
    case UNDO_WRITE:
    case UNDO_NOTHING:
        break;
    }
}

/* The power fails. */
static void
cut_power(void)
{
    for (unsigned i = undo_count; i-- > 0;) {
        const struct undo *undo = &undos[i];
        if (undo->kind != UNDO_WRITE || was_lucky(undo)) {
            continue;
        }
        if (really_pwrite(undo->file, undo->old, undo->old_len, undo->at) !=
                (ssize_t)undo->old_len ||
            really_truncate(undo->file, undo->size) != 0) {
            abort();
        }
    }
    for (unsigned i = undo_count; i-- > 0;) {
        undo_name(&undos[i]);
    }
}

/* ---- points -------------------------------------------------------------- */

static void
kill_now(void)
{
    (void)raise(SIGKILL);
}

/* Say in the trace what is about to be done. */
static void
trace(const char *what, const char *path)
{
    char line[PATH_MAX + 64];
    const char *name = strrchr(path, '/');
    if (shim.trace >= 0) {
        int len = snprintf(line, sizeof line, "%ld %s %s\n", shim.point, what,
                           name == NULL ? path : name + 1);
        (void)!really_write(shim.trace, line, (size_t)len);
    }
}

/* Does a call of this kind fail on this disk? */
static int
error_of(bool adds, bool syncs)
{
    bool here = shim.point >= shim.at && shim.at > 0;
    switch (shim.fault) {
    case FAULT_FULL:
        return here && adds ? ENOSPC : 0;
    case FAULT_BROKEN:
        return here && (adds || syncs) ? EIO : 0;
    case FAULT_READONLY:
        return here && !syncs ? EROFS : 0;
    case FAULT_ONCE:
        return shim.point == shim.at ? EIO : 0;
    case FAULT_NONE:
    case FAULT_KILL:
    case FAULT_TORN:
    case FAULT_STOP:
    case FAULT_CUT:
    case FAULT_PARTLY:
    case FAULT_SHORT:
        break;
    }
    return 0;
}

/* Reach the next point; false: it fails, with errno set. */
static bool
reach(const char *what, const char *path, bool adds, bool syncs)
{
    int saved = errno;
    shim.point++;
    trace(what, path);
    bool here = shim.point == shim.at;
    if (here && shim.fault == FAULT_KILL) {
        kill_now();
    } else if (here && shim.fault == FAULT_STOP) {
        (void)raise(SIGTERM);
    } else if (here && keeps_undo()) {
        cut_power();
        kill_now();
    }
    int error = error_of(adds, syncs);
    errno = error != 0 ? error : saved;
    return error == 0;
}

/* After the point that is torn there is nothing any more. */
static void
leave(void)
{
    if (shim.point == shim.at && shim.fault == FAULT_TORN) {
        kill_now();
    }
}

/* How much of a write is done. */
static size_t
share(size_t len)
{
    bool torn = shim.fault == FAULT_TORN && shim.point == shim.at;
    bool cut = shim.fault == FAULT_SHORT && shim.point >= shim.at;
    return (torn || cut) && len > 1 ? len / 2 : len;
}

/* ---- the calls we stand before ------------------------------------------- */

static ssize_t
write_at(int file, const void *bytes, size_t len, off64_t at)
{
    char path[PATH_MAX];
    if (!is_our_file(file, path)) {
        return really_pwrite(file, bytes, len, at);
    }
    if (!reach("write", path, true, false)) {
        return -1;
    }
    if (keeps_undo()) {
        note_write(file, at, len);
    }
    ssize_t done = really_pwrite(file, bytes, share(len), at);
    leave();
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t len, off64_t at);
ssize_t
pwrite64(int file, const void *bytes, size_t len, off64_t at)
{
    return write_at(file, bytes, len, at);
}

ssize_t
pwrite(int file, const void *bytes, size_t len, off_t at)
{
    return write_at(file, bytes, len, at);
}

ssize_t
write(int file, const void *bytes, size_t len)
{
    char path[PATH_MAX];
    if (!is_our_file(file, path)) {
        return really_write(file, bytes, len);
    }
    if (!reach("write", path, true, false)) {
        return -1;
    }
    if (keeps_undo()) {
        note_write(file, lseek64(file, 0, SEEK_CUR), len);
    }
    ssize_t done = really_write(file, bytes, share(len));
    leave();
    return done;
}

/* Are the syncs of this file left out? */
static bool
is_unsynced(const char *path)
{
    return shim.unsynced != NULL && strstr(path, shim.unsynced) != NULL;
}

/* A disk in memory or an idle one has nothing to wait for: the sync itself is
 * left out, so that a thousand of them take no time. */
static int
sync_file(int file)
{
    char path[PATH_MAX];
    if (!is_our_file(file, path)) {
        return really_sync(file);
    }
    if (!reach("sync", path, false, true)) {
        return -1;
    }
    if (keeps_undo() && !is_unsynced(path)) {
        note_sync(file);
    }
    leave();
    return 0;
}

int
fsync(int file)
{
    return sync_file(file);
}

int
fdatasync(int file)
{
    return sync_file(file);
}

static int
truncate_file(int file, off64_t len)
{
    char path[PATH_MAX];
    struct stat there;
    if (!is_our_file(file, path)) {
        return really_truncate(file, len);
    }
    if (!reach("truncate", path, false, false)) {
        return -1;
    }
    if (keeps_undo() && fstat(file, &there) == 0) {
        note_write(file, len,
                   there.st_size > len ? (size_t)(there.st_size - len) : 0);
    }
    int done = really_truncate(file, len);
    leave();
    return done;
}

int ftruncate64(int file, off64_t len);
int
ftruncate64(int file, off64_t len)
{
    return truncate_file(file, len);
}

int
ftruncate(int file, off_t len)
{
    return truncate_file(file, len);
}

static void
note_make(const char *path)
{
    set_folder(add_undo(UNDO_MAKE), path);
}

static int
open_file(const char *path, int flags, mode_t mode)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    bool makes = (flags & O_CREAT) && access(path, F_OK) != 0;
    if ((!writes && !makes) || !is_ours(path)) {
        return really_open(path, flags, mode);
    }
    if (!makes) {
        /* Nothing changes, but a disk that may not be written says so. */
        if (shim.fault == FAULT_READONLY && shim.point + 1 >= shim.at) {
            errno = EROFS;
            return -1;
        }
        return really_open(path, flags, mode);
    }
    if (!reach("make", path, true, false)) {
        return -1;
    }
    int file = really_open(path, flags, mode);
    if (file >= 0 && keeps_undo()) {
        note_make(path);
    }
    leave();
    return file;
}

/* The mode stands behind the flags where a file may be made. */
#define MODE_AFTER(flags, mode)                                                \
    mode_t mode = 0;                                                           \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                     \
        va_list args;                                                          \
        va_start(args, flags);                                                 \
        mode = va_arg(args, mode_t);                                           \
        va_end(args);                                                          \
    }

int
open(const char *path, int flags, ...)
{
    MODE_AFTER(flags, mode)
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...);
int
open64(const char *path, int flags, ...)
{
    MODE_AFTER(flags, mode)
    return open_file(path, flags, mode);
}

int
mkstemp(char *pattern)
{
    REAL(int, mkstemp, char *)
    if (!is_ours(pattern)) {
        return real_mkstemp(pattern);
    }
    if (!reach("make", pattern, true, false)) {
        return -1;
    }
    int file = real_mkstemp(pattern);
    if (file >= 0 && keeps_undo()) {
        note_make(pattern);
    }
    leave();
    return file;
}

/* A folder that was made stays: what is in it is what we look at. */
int
mkdir(const char *path, mode_t mode)
{
    REAL(int, mkdir, const char *, mode_t)
    if (access(path, F_OK) == 0 || !is_ours(path)) {
        return real_mkdir(path, mode);
    }
    if (!reach("mkdir", path, true, false)) {
        return -1;
    }
    int done = real_mkdir(path, mode);
    leave();
    return done;
}

int
unlink(const char *path)
{
    if (access(path, F_OK) != 0 || !is_ours(path)) {
        return really_unlink(path);
    }
    if (!reach("unlink", path, false, false)) {
        return -1;
    }
    if (keeps_undo()) {
        struct undo *undo = add_undo(UNDO_REMOVE);
        set_folder(undo, path);
        undo->file = hold(path);
    }
    int done = really_unlink(path);
    leave();
    return done;
}

int
rename(const char *from, const char *to)
{
    if (!is_ours(from)) {
        return really_rename(from, to);
    }
    if (!reach("rename", to, false, false)) {
        return -1;
    }
    if (keeps_undo()) {
        struct undo *undo = add_undo(UNDO_RENAME);
        set_folder(undo, from);
        undo->to = strdup(to);
        undo->file = hold(to);
    }
    int done = really_rename(from, to);
    leave();
    return done;
}

/* ---- the clock ----------------------------------------------------------- */

static int64_t
clock_shift(void)
{
    char text[32] = "";
    const char *path = getenv("FAULT_CLOCK");
    int file = path == NULL ? -1 : really_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) {
        return 0;
    }
    (void)!read(file, text, sizeof text - 1);
    (void)close(file);
    return strtoll(text, NULL, 10);
}

int
clock_gettime(clockid_t clock, struct timespec *now)
{
    REAL(int, clock_gettime, clockid_t, struct timespec *)
    int done = real_clock_gettime(clock, now);
    if (done == 0 &&
        (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += (time_t)(clock_shift() / 1000);
    }
    return done;
}

int
poll(struct pollfd *list, nfds_t count, int timeout)
{
    REAL(int, poll, struct pollfd *, nfds_t, int)
    const char *nap = getenv("FAULT_NAP");
    long most = nap == NULL ? timeout : strtol(nap, NULL, 10);
    return real_poll(list, count, timeout > most ? (int)most : timeout);
}
