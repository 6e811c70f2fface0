/*
 * Stores of older formats: what a host of an earlier version has left is
 * rebuilt in one transaction.
 */
#ifndef BOT_STORE_STORE_UPGRADE_H
#define BOT_STORE_STORE_UPGRADE_H

#include "bot/store/store.h"

/* Can stores of a format be rebuilt? */
bool store_can_upgrade(int format);

/* Rebuild the store at `path`, which has such a format, and keep the old one
 * beside it as <path>.format-<format>. */
enum err store_upgrade(const char *path, int format, struct buf *why) MUST_USE;

/* Save the results of the games that were over by then, in the store that was
 * rebuilt and opened. */
enum err store_upgrade_games(struct store *store, struct buf *why) MUST_USE;

#endif
