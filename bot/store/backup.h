/*
 * Backups: copies of a store, made beside a running host, and put back while
 * none runs.
 *
 * A backup is a store of one file, without the key.  It says of itself that it
 * is a copy, and of when: a host that opens it knows that it may have posted
 * since, and looks for each message before it sends it (store_note_caught_up).
 */
#ifndef BOT_STORE_BACKUP_H
#define BOT_STORE_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* Copy the store at `path`, as it is at one moment, into the file `to`, mode
 * 0600, which appears whole or not at all; then check the copy.  `now`: ms by
 * the host's clock.  ERR_DENIED: there is a file of that name already, unless
 * `replace`, or it can't be written; ERR_GONE: there is no store; ERR_FULL: the
 * disk; ERR_GARBLED: the store is damaged, or of another format.  It is noted
 * beside the store, in <path>.backup, when that was; if this fails, the backup
 * is good all the same, and *noted false. */
struct backup {
    const char *path, *to;
    int64_t now;
    bool replace;
};
enum err backup_make(const struct backup *backup, bool *noted,
                     struct buf *why) MUST_USE;

/* When the newest backup of a store was made, and (appended) into which file;
 * 0: none that is known of. */
enum err backup_last(const char *path, int64_t *at, struct buf *file,
                     struct buf *why) MUST_USE;

/*
 * Put a backup in the place of the store at `path`.  It is copied and checked
 * first, and stays where it is.  `key_file`: as for store_open.  `each` gets
 * the running games that can't go on, with a sentence.
 *
 * ERR_DENIED: a host runs, or the backup was made with another key; ERR_GONE:
 * there is no such file, or the key is missing; ERR_GARBLED: the backup is
 * damaged, or no store that this version can read.  Then nothing has changed.
 */
struct restore {
    const char *path, *key_file, *from;
    int64_t now;
    void (*each)(void *context, const char *game, const char *trouble);
    void *context;
};
struct restored {
    int64_t made;     /* when the copy was; 0: unknown */
    unsigned running; /* games */
    bool older;       /* the next host rebuilds it; its games were not looked
                         at */
    struct buf old;   /* where the store is that was there before; "": there
                         was none */
};
enum err backup_restore(const struct restore *restore,
                        struct restored *restored, struct buf *why) MUST_USE;

#endif
