/*
 * A disk in memory for SQLite: a VFS that keeps what was written apart from
 * what was synced.  When the power is cut, each write that was not synced is
 * there, or not, or in part.
 *
 * All databases that are opened from then on are on it; other files are not.
 * One connection at a time may have a database open.
 */
#ifndef TESTS_SUPPORT_FAULT_DISK_H
#define TESTS_SUPPORT_FAULT_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* Asked before each write and each sync: SQLITE_OK lets it happen, an error of
 * SQLite's (SQLITE_FULL, SQLITE_IOERR_FSYNC …) takes its place.  It need not
 * return. */
typedef int fault_disk_watch(void *context, bool sync);

/* Lay the disk under SQLite, empty. */
void fault_disk_open(fault_disk_watch *watch, void *context);

/* Whoever had files open is dead.  Where the power is cut, `chance` says what
 * becomes of what was not synced. */
void fault_disk_kill(bool power, uint64_t *chance);

/* Copy a file that nobody has open in the place of another. */
void fault_disk_copy(const char *from, const char *to);

/* Writes that were lost or torn so far. */
unsigned fault_disk_lost(void);

#endif
