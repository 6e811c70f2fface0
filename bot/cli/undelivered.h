/*
 * The messages that a host could not deliver yet, for commands that run beside
 * it.
 */
#ifndef BOT_CLI_UNDELIVERED_H
#define BOT_CLI_UNDELIVERED_H

#include "bot/store/store.h"

/* Call `each` for, or print a line for, each kind of message of a game that was
 * refused, or has waited for longer than a minute: which kind, how many, since
 * when, and why. Private messages of a game in session are left out: a waiting
 * one would show who has acted. */
enum err undelivered_each(struct store *store, int64_t now,
                          store_message_reader *each, void *context,
                          struct buf *why) MUST_USE;
enum err undelivered_print(struct store *store, int64_t now,
                           struct buf *why) MUST_USE;

/* What it is, as many as there are: "post", "status posts". */
const char *undelivered_name(const struct store_message *message);

#endif
