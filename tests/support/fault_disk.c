#include "tests/support/fault_disk.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/buf.h"
#include "bot/base/memory.h"
#include "bot/base/splitmix.h"

enum {
    PATH_MAX_BYTES = 512,
    REGIONS_MAX = 64
};

/* What was written since the last sync; `bytes` NULL: it was cut there. */
struct unsynced {
    struct unsynced *next;
    sqlite3_int64 at;
    char *bytes;
    size_t len;
};

struct content {
    struct content *next;
    char path[PATH_MAX_BYTES]; /* "": it has none */
    struct buf bytes, synced;
    struct unsynced *first, **last;
    char *regions[REGIONS_MAX]; /* shared memory of the WAL's index */
};

struct open_file {
    sqlite3_file base;
    struct content *content;
};

static struct {
    sqlite3_vfs vfs, *real;
    struct content *contents;
    fault_disk_watch *watch;
    void *context;
    unsigned lost;
} disk;

static struct content *
content_of(sqlite3_file *file)
{
    struct open_file *open = (struct open_file *)(void *)file;
    return open->content;
}

static struct content *
find_content(const char *path)
{
    struct content *content = disk.contents;
    while (content != NULL && strcmp(content->path, path) != 0) {
        content = content->next;
    }
    return content;
}

static struct content *
make_content(const char *path)
{
    struct content *content = must_alloc(sizeof *content);
    assert(strlen(path) < sizeof content->path);
    (void)strcpy(content->path, path);
    content->last = &content->first;
    content->next = disk.contents;
    disk.contents = content;
    return content;
}

static void
forget_unsynced(struct content *content)
{
    while (content->first != NULL) {
        struct unsynced *first = content->first;
        content->first = first->next;
        free(first->bytes);
        free(first);
    }
    content->last = &content->first;
}

static void
forget_content(struct content *content)
{
    struct content **at = &disk.contents;
    while (*at != content) {
        at = &(*at)->next;
    }
    *at = content->next;
    forget_unsynced(content);
    for (unsigned i = 0; i < REGIONS_MAX; i++) {
        free(content->regions[i]);
    }
    buf_release(&content->bytes);
    buf_release(&content->synced);
    free(content);
}

/* Write into a file, which gets longer where it must. */
static void
put(struct buf *bytes, sqlite3_int64 at, const char *from, size_t len)
{
    while (bytes->len < (size_t)at + len) {
        static const char zeros[512];
        size_t missing = (size_t)at + len - bytes->len;
        buf_add(bytes, zeros, missing < sizeof zeros ? missing : sizeof zeros);
    }
    memcpy(bytes->data + at, from, len);
}

static void
cut(struct buf *bytes, sqlite3_int64 at)
{
    if (bytes->len > (size_t)at) {
        buf_truncate(bytes, (size_t)at);
    }
}

static void
note_unsynced(struct content *content, sqlite3_int64 at, const char *bytes,
              size_t len)
{
    struct unsynced *unsynced = must_alloc(sizeof *unsynced);
    unsynced->at = at;
    unsynced->len = len;
    if (bytes != NULL) {
        unsynced->bytes = must_alloc(len + 1);
        memcpy(unsynced->bytes, bytes, len);
    }
    *content->last = unsynced;
    content->last = &unsynced->next;
}

/* ---- SQLite's side: files -------------------------------------------------
 */

static int
close_file(sqlite3_file *file)
{
    struct content *content = content_of(file);
    if (content->path[0] == '\0') {
        forget_content(content);
    }
    return SQLITE_OK;
}

static int
read_file(sqlite3_file *file, void *into, int len, sqlite3_int64 at)
{
    const struct content *content = content_of(file);
    size_t there =
        content->bytes.len > (size_t)at ? content->bytes.len - (size_t)at : 0;
    if (there >= (size_t)len) {
        memcpy(into, content->bytes.data + at, (size_t)len);
        return SQLITE_OK;
    }
    memset(into, 0, (size_t)len);
    if (there > 0) {
        memcpy(into, content->bytes.data + at, there);
    }
    return SQLITE_IOERR_SHORT_READ;
}

static int
write_file(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    struct content *content = content_of(file);
    int code = disk.watch(disk.context, false);
    if (code != SQLITE_OK) {
        return code;
    }
    put(&content->bytes, at, bytes, (size_t)len);
    note_unsynced(content, at, bytes, (size_t)len);
    return SQLITE_OK;
}

static int
truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    struct content *content = content_of(file);
    int code = disk.watch(disk.context, false);
    if (code != SQLITE_OK) {
        return code;
    }
    cut(&content->bytes, size);
    note_unsynced(content, size, NULL, 0);
    return SQLITE_OK;
}

static void
replay(struct buf *bytes, const struct unsynced *unsynced, size_t from,
       size_t len)
{
    if (unsynced->bytes == NULL) {
        cut(bytes, unsynced->at);
    } else if (len > 0) {
        put(bytes, unsynced->at + (sqlite3_int64)from, unsynced->bytes + from,
            len);
    }
}

static int
sync_file(sqlite3_file *file, int flags)
{
    struct content *content = content_of(file);
    (void)flags;
    int code = disk.watch(disk.context, true);
    if (code != SQLITE_OK) {
        return code;
    }
    for (const struct unsynced *at = content->first; at != NULL;
         at = at->next) {
        replay(&content->synced, at, 0, at->len);
    }
    forget_unsynced(content);
    return SQLITE_OK;
}

static int
size_of_file(sqlite3_file *file, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)content_of(file)->bytes.len;
    return SQLITE_OK;
}

static int
lock_file(sqlite3_file *file, int lock)
{
    (void)file;
    (void)lock;
    return SQLITE_OK;
}

static int
is_reserved(sqlite3_file *file, int *reserved)
{
    (void)file;
    *reserved = 0;
    return SQLITE_OK;
}

static int
control_file(sqlite3_file *file, int what, void *value)
{
    (void)file;
    (void)what;
    (void)value;
    return SQLITE_NOTFOUND;
}

static int
sector_size(sqlite3_file *file)
{
    (void)file;
    return 512;
}

static int
characteristics(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int
map_region(sqlite3_file *file, int region, int size, int extend,
           void volatile **at)
{
    struct content *content = content_of(file);
    assert(region < REGIONS_MAX);
    if (content->regions[region] == NULL && extend != 0) {
        content->regions[region] = must_alloc((size_t)size);
    }
    *at = content->regions[region];
    return SQLITE_OK;
}

static int
lock_region(sqlite3_file *file, int offset, int count, int flags)
{
    (void)file;
    (void)offset;
    (void)count;
    (void)flags;
    return SQLITE_OK;
}

static void
bar_regions(sqlite3_file *file)
{
    (void)file;
}

static void
forget_regions(struct content *content)
{
    for (unsigned i = 0; i < REGIONS_MAX; i++) {
        free(content->regions[i]);
        content->regions[i] = NULL;
    }
}

static int
unmap_regions(sqlite3_file *file, int remove)
{
    (void)remove;
    forget_regions(content_of(file));
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = lock_file,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_region,
    .xShmLock = lock_region,
    .xShmBarrier = bar_regions,
    .xShmUnmap = unmap_regions,
};

/* ---- SQLite's side: the disk ----------------------------------------------
 */

static int
open_file(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file,
          int flags, int *given)
{
    struct open_file *open = (struct open_file *)(void *)file;
    (void)vfs;
    open->content = path == NULL ? NULL : find_content(path);
    if (open->content == NULL) {
        open->content = make_content(path == NULL ? "" : path);
    }
    open->base.pMethods = &methods;
    if (given != NULL) {
        *given = flags;
    }
    return SQLITE_OK;
}

static int
delete_file(sqlite3_vfs *vfs, const char *path, int sync)
{
    struct content *content = find_content(path);
    (void)vfs;
    (void)sync;
    if (content == NULL) {
        return SQLITE_IOERR_DELETE_NOENT;
    }
    int code = disk.watch(disk.context, true);
    if (code == SQLITE_OK) {
        forget_content(content);
    }
    return code;
}

static int
is_there(sqlite3_vfs *vfs, const char *path, int flags, int *there)
{
    const struct content *content = find_content(path);
    (void)vfs;
    (void)flags;
    *there = content != NULL && content->bytes.len > 0;
    return SQLITE_OK;
}

static int
whole_path(sqlite3_vfs *vfs, const char *path, int size, char *whole)
{
    (void)vfs;
    sqlite3_snprintf(size, whole, "%s", path);
    return SQLITE_OK;
}

/* Nobody waits here: the time is the test's. */
static int
sleep_not(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

void
fault_disk_open(fault_disk_watch *watch, void *context)
{
    if (disk.real == NULL) {
        disk.real = sqlite3_vfs_find(NULL);
        disk.vfs = *disk.real;
        disk.vfs.pNext = NULL;
        disk.vfs.zName = "faults";
        disk.vfs.szOsFile = (int)sizeof(struct open_file);
        disk.vfs.mxPathname = PATH_MAX_BYTES - 1;
        disk.vfs.xOpen = open_file;
        disk.vfs.xDelete = delete_file;
        disk.vfs.xAccess = is_there;
        disk.vfs.xFullPathname = whole_path;
        disk.vfs.xSleep = sleep_not;
        (void)sqlite3_vfs_register(&disk.vfs, 1);
    }
    while (disk.contents != NULL) {
        forget_content(disk.contents);
    }
    disk.watch = watch;
    disk.context = context;
    disk.lost = 0;
}

/* What a power cut leaves of a file: of each write all, nothing, or a part. */
static void
cut_power(struct content *content, uint64_t *chance)
{
    for (const struct unsynced *at = content->first; at != NULL;
         at = at->next) {
        unsigned how = splitmix_below(chance, 4);
        unsigned part = splitmix_below(chance, (unsigned)at->len + 1);
        if (how == 0) {
            disk.lost++;
        } else if (how == 1 && at->bytes != NULL) {
            disk.lost++;
            replay(&content->synced, at, 0, part);
        } else if (how == 2 && at->bytes != NULL) {
            disk.lost++;
            replay(&content->synced, at, part, at->len - part);
        } else {
            replay(&content->synced, at, 0, at->len);
        }
    }
    buf_clear(&content->bytes);
    buf_add_buf(&content->bytes, &content->synced);
    forget_unsynced(content);
}

void
fault_disk_kill(bool power, uint64_t *chance)
{
    struct content *next = NULL;
    for (struct content *at = disk.contents; at != NULL; at = next) {
        next = at->next;
        forget_regions(at);
        if (at->path[0] == '\0') {
            forget_content(at);
        } else if (power) {
            cut_power(at, chance);
        }
    }
}

void
fault_disk_copy(const char *from, const char *to)
{
    struct content *there = find_content(to);
    if (there != NULL) {
        forget_content(there);
    }
    there = make_content(to);
    buf_add_buf(&there->bytes, &find_content(from)->bytes);
    buf_add_buf(&there->synced, &there->bytes);
}

unsigned
fault_disk_lost(void)
{
    return disk.lost;
}
