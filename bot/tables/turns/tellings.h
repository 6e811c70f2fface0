/*
 * Telling of votes that were pressed: no post shows them, so the thread is
 * told, of those of a few seconds at once.  Nothing in the game waits for that.
 */
#ifndef BOT_TABLES_TURNS_TELLINGS_H
#define BOT_TABLES_TURNS_TELLINGS_H

#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/tables/hosted.h"

struct tables;

/* Tell what is due, each in a transaction of its own. */
enum err tellings_work(struct tables *tables, int64_t now,
                       struct buf *why) MUST_USE;

/* When the next one is due, at the latest at `wake`. */
int64_t tellings_wake(const struct tables *tables, int64_t wake);

#endif
