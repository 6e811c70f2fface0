/*
 * A Matrix homeserver in memory, with what the adapter uses: rooms as lists of
 * events, from which everything else is made.  The bot is "@placard:hs.test";
 * "#table:hs.test" is the room of games, in which "Mo" and the bot are.
 */
#ifndef TESTS_FAKE_MATRIX_H
#define TESTS_FAKE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

#define HOMESERVER_BASE "https://hs.test"
#define HOMESERVER_ROOM "#table:hs.test"

struct homeserver;
struct shown_post;

struct homeserver *homeserver_new(void);
void homeserver_free(struct homeserver *server);

/* Answer a request of the bot at a time; what `reply` points to is in `body`.
 */
void homeserver_serve(struct homeserver *server, int64_t now,
                      const struct request *request, struct buf *body,
                      struct reply *reply);

/* A user ("Anna": "@Anna:hs.test") posts in the room of games, or in the
 * DM that the bot has opened for "Anna". */
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

/* ---- as a fake service (tests/support/fake_service.h) ---------------------
 *
 * Rooms are numbered from 1, and posts from 1.  A user has a whole id.
 */

/* From now on a sync tells of so many events of a room in which the bot was all
 * the time; at first of 100. */
void homeserver_shorten(struct homeserver *server, unsigned events);

/* From now on whoever is invited to a DM comes at once. */
void homeserver_sociable(struct homeserver *server);

/* A user is shown by another name in all their rooms; people are in all that
 * are no DMs. */
void homeserver_rename(struct homeserver *server, const char *user,
                       const char *shown, int64_t now);

/* A user leaves their DM, and does not come when asked in; then they come as
 * soon as they are asked, or at once if they were.  Are they there? */
void homeserver_leave_dm(struct homeserver *server, const char *user,
                         int64_t now);
void homeserver_come_back(struct homeserver *server, const char *user,
                          int64_t now);
bool homeserver_in_dm(const struct homeserver *server, const char *user);

/* A user makes a room, and asks the bot into it, to talk to it alone. */
void homeserver_begin_chat(struct homeserver *server, const char *user,
                           int64_t now);

/* The same of all rooms, the DM among them; then they join all rooms again. */
void homeserver_leave(struct homeserver *server, const char *user, int64_t now);
void homeserver_return(struct homeserver *server, const char *user,
                       int64_t now);

/* A user writes HTML in a room, or (0) in their DM. */
uint64_t homeserver_write(struct homeserver *server, const char *user,
                          uint64_t room, const char *type, const char *html,
                          int64_t now);
void homeserver_change(struct homeserver *server, uint64_t post,
                       const char *user, const char *html, int64_t now);
void homeserver_remove(struct homeserver *server, uint64_t post, int64_t now);

/* Mo upgrades a room, and asks the bot into the new one, whose number is given.
 */
uint64_t homeserver_upgrade(struct homeserver *server, uint64_t room,
                            int64_t now);

/* Mo puts the bot out of a room, and invites it again. */
void homeserver_put_out(struct homeserver *server, uint64_t room, int64_t now);
void homeserver_ask_back(struct homeserver *server, uint64_t room, int64_t now);

/* Mo turns on encryption in a room; somebody writes what only apps can read. */
void homeserver_encrypt(struct homeserver *server, uint64_t room, int64_t now);
void homeserver_write_sealed(struct homeserver *server, const char *user,
                             uint64_t room, int64_t now);

/* What was sent as the nth, with its newest text; false: nothing.  What people
 * do not read as a post is by "-". */
bool homeserver_look(const struct homeserver *server, size_t at,
                     struct shown_post *shown);

/* Has the bot reacted to a post? */
bool homeserver_counted(const struct homeserver *server, uint64_t post);

/* The next so many requests that are limited are refused. */
void homeserver_storm(struct homeserver *server, unsigned requests);

/* Is an address one of something in a DM? */
bool homeserver_is_dm(const struct homeserver *server, const char *url);

/* Is it a request that waits for something new since a time, and is there
 * nothing? */
bool homeserver_holds(const struct homeserver *server, int64_t now,
                      const char *url, int64_t begun);

/* How many rooms the bot has made. */
unsigned homeserver_dms(const struct homeserver *server);

#endif
