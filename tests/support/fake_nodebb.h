/*
 * A NodeBB forum in memory, as far as the adapter asks it for anything.  The
 * bot is "placard", a moderator; topic 7 is that of games.  What is written is
 * shown as Markdown (adapters/markup), but what begins with "<": that is what
 * the forum makes of what was typed.
 */
#ifndef TESTS_FAKE_NODEBB_H
#define TESTS_FAKE_NODEBB_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

#define NODEBB_BASE  "https://bb.test"
#define NODEBB_TOPIC "https://bb.test/topic/7/the-table/3"
#define NODEBB_BOT   "placard"

/* The header by which a request is a player's, whose name it has. */
#define NODEBB_PLAYER "Player"

struct nodebb;
struct shown_post;

struct nodebb *nodebb_new(void);
void nodebb_free(struct nodebb *forum);

/* Answer a request of the bot at a time; what `reply` points to is in `body`.
 */
void nodebb_serve(struct nodebb *forum, int64_t now,
                  const struct request *request, struct buf *body,
                  struct reply *reply);

/* A user posts Markdown in the topic of games, or in the chat with the bot;
 * gives the post's id.  One with "@" in the name is of another server. */
int64_t nodebb_post(struct nodebb *forum, const char *user, bool in_private,
                    const char *text, int64_t now);

/* The same in any topic (0: in the chat). */
int64_t nodebb_write(struct nodebb *forum, const char *user, int64_t topic,
                     const char *text, int64_t now);

/* The nth post (tests/support/fake_service.h). */
bool nodebb_look(struct nodebb *forum, size_t at, struct shown_post *shown);

/* Somebody, whom tests go on to name as before, takes another name, which shows
 * in all that they wrote; what mentions the old one stays
 * (tests/fixtures/nodebb/README.md). */
void nodebb_rename(struct nodebb *forum, const char *user, const char *name);

/* What somebody is called now. */
const char *nodebb_called(struct nodebb *forum, const char *user);

/* The shortest post from now on; 5 at first: it was lowered, for votes. */
void nodebb_demand(struct nodebb *forum, size_t shortest);

/* So many of the recent topics are on a page, and not 20. */
void nodebb_show_recent(struct nodebb *forum, unsigned topics);

/* The next so many requests are refused, in all the ways there are. */
void nodebb_storm(struct nodebb *forum, unsigned requests);

/* Somebody edits a post of a topic, deletes it, or purges it. */
void nodebb_change(struct nodebb *forum, int64_t id, const char *text,
                   int64_t now);
void nodebb_remove(struct nodebb *forum, int64_t id);
void nodebb_purge(struct nodebb *forum, int64_t id);

/* A user asks another into the chat with the bot. */
void nodebb_ask_in(struct nodebb *forum, const char *user, const char *other);

/* A user leaves the chat with the bot, which stays there alone, or begins one
 * with that text, whose id is given; is somebody in one?  From now on that
 * person blocks the bot, which may not begin a chat with them (borrowed; NULL:
 * nobody). */
void nodebb_leave(struct nodebb *forum, const char *user);
int64_t nodebb_begin_chat(struct nodebb *forum, const char *user,
                          const char *text, int64_t now);
bool nodebb_in_chat(struct nodebb *forum, const char *user);
void nodebb_block(struct nodebb *forum, const char *user);

/* From now on the bot's posts wait for approval; or it may post once in so many
 * seconds (0: whenever it likes). */
void nodebb_queue(struct nodebb *forum, bool unapproved);
void nodebb_slow(struct nodebb *forum, int seconds);

/* From now on the bot is refused what it writes, or no more: the topic is
 * locked (as for who is no moderator); it is muted; its token is none any more;
 * or with those words, in topics (borrowed; NULL: no more). */
void nodebb_lock(struct nodebb *forum, bool locked);
void nodebb_mute(struct nodebb *forum, bool muted);
void nodebb_reset_token(struct nodebb *forum, bool reset);
void nodebb_refuse(struct nodebb *forum, const char *words);

/* From now on nobody has chats, or all have them again. */
void nodebb_close_chats(struct nodebb *forum, bool closed);

/* From now on a chat's message has so many characters at most. */
void nodebb_shorten(struct nodebb *forum, unsigned longest);

/* A moderator deletes a topic, or recovers it; the bot, which is one too, still
 * reads it. */
void nodebb_delete_topic(struct nodebb *forum, int64_t topic, bool deleted);

/* … or merges it into another: its posts stand there, by the same numbers, and
 * it is deleted (tests/fixtures/nodebb/README.md). */
void nodebb_merge(struct nodebb *forum, int64_t topic, int64_t into);

/* … or moves one post into another topic, where it stands by its time. */
void nodebb_move(struct nodebb *forum, int64_t id, int64_t into);

/* The bot may not read a topic from now on, so that no list of its own has it;
 * or may again. */
void nodebb_hide(struct nodebb *forum, int64_t topic, bool hidden);

/* How many chats there are, and topics beside that of games. */
unsigned nodebb_chats(const struct nodebb *forum);
unsigned nodebb_topics(const struct nodebb *forum);

/* The last post of the chat with a user, or of the topic of games (NULL), as it
 * was written; NULL: none. */
const char *nodebb_last(struct nodebb *forum, const char *user);

#endif
