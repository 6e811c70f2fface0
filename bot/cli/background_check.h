/*
 * The check of the store beside a running host, on a thread of its own: a host
 * that starts reads its services at once, and knows some seconds later whether
 * its file is whole.
 */
#ifndef BOT_CLI_BACKGROUND_CHECK_H
#define BOT_CLI_BACKGROUND_CHECK_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

struct background_check;

/* Begin to check the file of the store at `path`, as store_check does.  When
 * the check has ended, a byte is written to `wake`.  NULL: no thread can be
 * had, and this is logged. */
struct background_check *background_check_begin(const char *path, int wake);

/* Has it ended?  *err: as of store_check. */
bool background_check_ended(struct background_check *check, enum err *err,
                            struct buf *why);

/* Stop and free it; NULL: nothing. */
void background_check_free(struct background_check *check);

#endif
