/*
 * A Matrix homeserver in memory, as far as the adapter asks it for anything:
 * rooms as lists of events, of which all else is made.  The bot is
 * "@placard:hs.test"; "#table:hs.test" is the room of games, in which "Mo" and
 * the bot are.
 */
#ifndef TESTS_HOMESERVER_H
#define TESTS_HOMESERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

#define HOMESERVER_BASE "https://hs.test"
#define HOMESERVER_ROOM "#table:hs.test"

struct homeserver;

struct homeserver *homeserver_new(void);
void homeserver_free(struct homeserver *server);

/* Answer a request of the bot at a time; what `reply` points to is in `body`.
 */
void homeserver_serve(struct homeserver *server, int64_t now,
                      const struct request *request, struct buf *body,
                      struct reply *reply);

/* A user ("Anna": "@Anna:hs.test") posts in the room of games, or in the
 * private talk that the bot has opened for "Anna". */
void homeserver_post(struct homeserver *server, const char *user,
                     bool in_private, const char *text, int64_t now);

/* A user reacts to a post in the room of games. */
void homeserver_react(struct homeserver *server, const char *user,
                      const char *post, int64_t now);

/* The content of the newest message of a type ("m.image") of the bot's, as
 * JSON, borrowed until it is served again; NULL: there is none.  And how long
 * the newest upload was, in bytes; 0: there was none. */
const char *homeserver_message(const struct homeserver *server,
                               const char *type);
size_t homeserver_upload(const struct homeserver *server);

/* How many rooms the bot has made. */
unsigned homeserver_talks(const struct homeserver *server);

#endif
