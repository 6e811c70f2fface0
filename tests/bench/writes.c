#include "tests/bench/writes.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

#include "bot/base/memory.h"

/*
 * SQLite's own way to the disk with a counter before it: of the files that are
 * opened as the store's, and of all others.  A database is opened with other
 * methods than the files beside it.
 */
static struct {
    const char *path;
    sqlite3_vfs vfs;
    sqlite3_vfs *disk;
    sqlite3_io_methods store[2], others[2]; /* beside a database, and its own */
    int (*write)(sqlite3_file *, const void *, int, sqlite3_int64);
    int (*sync)(sqlite3_file *, int);
    struct store_writes of_store, of_others;
} counter;

static struct store_writes *
writes_of(const sqlite3_file *file)
{
    return file->pMethods == &counter.store[0] ||
                   file->pMethods == &counter.store[1]
               ? &counter.of_store
               : &counter.of_others;
}

static int
count_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    writes_of(file)->bytes += len;
    return counter.write(file, bytes, len, at);
}

static int
count_sync(sqlite3_file *file, int flags)
{
    writes_of(file)->syncs++;
    return counter.sync(file, flags);
}

static int
open_counted(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
             int *opened)
{
    (void)vfs;
    int code = counter.disk->xOpen(counter.disk, name, file, flags, opened);
    if (code != SQLITE_OK || name == NULL) {
        return code;
    }
    bool ours = strncmp(name, counter.path, strlen(counter.path)) == 0;
    bool database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    sqlite3_io_methods *methods =
        &(ours ? counter.store : counter.others)[database];
    *methods = *file->pMethods;
    counter.write = methods->xWrite;
    counter.sync = methods->xSync;
    methods->xWrite = count_write;
    methods->xSync = count_sync;
    file->pMethods = methods;
    return code;
}

void
store_writes_count(const char *path)
{
    counter.path = path;
    counter.disk = sqlite3_vfs_find(NULL);
    counter.vfs = *counter.disk;
    counter.vfs.zName = "counted";
    counter.vfs.xOpen = open_counted;
    if (sqlite3_vfs_register(&counter.vfs, 1) != SQLITE_OK) {
        die("SQLite takes no counter");
    }
}

const struct store_writes *
store_writes(void)
{
    return &counter.of_store;
}

const struct store_writes *
other_writes(void)
{
    return &counter.of_others;
}
