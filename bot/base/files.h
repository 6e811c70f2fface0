/*
 * Whole files, folders and the lock that keeps a second host out.
 */
#ifndef BOT_BASE_FILES_H
#define BOT_BASE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* Say what a failed system call (errno) on `path` means and what to do. */
enum err file_fail(struct buf *why, const char *path, int error) MUST_USE;

/* Read a whole file of at most `into->max` bytes (0: any); "-" is standard
 * input.  ERR_GONE: not there, ERR_DENIED, ERR_FULL: longer than that. */
enum err file_read(const char *path, struct buf *into,
                   struct buf *why) MUST_USE;

/* Read the next line, with its LF if it has one, as soon as it is there; of one
 * longer than `line->max` what fits is kept (line->cut).  False: the file has
 * ended, or can't be read (ferror). */
bool file_read_line(FILE *file, struct buf *line);

/* Replace a file's contents so that it always has the old ones or the new ones,
 * never a part (temporary file beside it, fsync, rename).  Mode e.g. 0644.  A
 * pipe or a device is written to as it is; a link stays one. */
enum err file_write(const char *path, const void *bytes, size_t len,
                    unsigned mode, struct buf *why) MUST_USE;

/* Give a file another name, in place of what has that name, so that it outlives
 * a power cut. */
enum err file_rename(const char *from, const char *to,
                     struct buf *why) MUST_USE;

/* Make a folder and those above it, mode 0700, if they are missing. */
enum err folder_make(const char *path, struct buf *why) MUST_USE;

bool file_exists(const char *path);

/* How many bytes a file has (0: it is not there), and how many may still be
 * written on its disk (-1: unknown). */
int64_t file_size(const char *path);
int64_t file_disk_left(const char *path);

/* Could a file be written, and others be made beside it?  It need not be
 * there.  If not, `why` says what to do. */
enum err file_may_write(const char *path, struct buf *why) MUST_USE;

/* Take the lock file `path` for this process's life, or say who may have it:
 * ERR_DENIED.  *lock is a descriptor for file_unlock.  The file contains the
 * process's number until it is unlocked: one that nobody has locked, and that
 * is not empty, was left by a process that died. */
enum err file_lock(const char *path, int *lock, struct buf *why) MUST_USE;
void file_unlock(int lock);

/* Does a living process have the lock?  *holder: which one; 0: it does not say.
 * A lock file that is missing is nobody's. */
enum err file_locked(const char *path, bool *locked, long *holder,
                     struct buf *why) MUST_USE;

/* The user's state folder for this program: $XDG_STATE_HOME/placard, otherwise
 * $HOME/.local/state/placard; with a final path part if `name` is not "". */
enum err state_path(const char *name, struct buf *path,
                    struct buf *why) MUST_USE;

#endif
