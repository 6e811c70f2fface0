/*
 * A phpBB board in memory, as far as the adapter asks it for anything: its
 * pages are made as those of phpBB 3.3 are.  The bot is "placard", user 2, a
 * moderator with the password "a long password"; topic 7 is that of games. What
 * is written is shown as BBCode (adapters/markup), but what begins with "<":
 * that is what the board makes of what was typed.
 */
#ifndef TESTS_FAKE_PHPBB_H
#define TESTS_FAKE_PHPBB_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

#define PHPBB_BASE     "https://board.test"
#define PHPBB_TOPIC    "https://board.test/viewtopic.php?t=7"
#define PHPBB_ANNA     "4" /* the user Anna */
#define PHPBB_PASSWORD "a long password"

/* Whoever is a user can log in, with this password and the name behind it. */
#define PHPBB_PASSWORD_OF "password-of-"

struct phpbb;
struct shown_post;

struct phpbb *phpbb_new(void);
void phpbb_free(struct phpbb *board);

/* Answer a request of the bot at a time; what `reply` points to is in `body`.
 */
void phpbb_serve(struct phpbb *board, int64_t now,
                 const struct request *request, struct buf *body,
                 struct reply *reply);

/* A user posts BBCode in the topic of games, or writes to the bot; gives the
 * post's id. */
int64_t phpbb_write_as(struct phpbb *board, const char *user, bool in_private,
                       const char *text, int64_t now);

/* The same in any topic (0: to the bot). */
int64_t phpbb_write(struct phpbb *board, const char *user, int64_t topic,
                    const char *text, int64_t now);

/* The nth post (tests/support/fake_service.h). */
bool phpbb_look(struct phpbb *board, size_t at, struct shown_post *shown);

/* The next so many requests are refused, in all the ways there are. */
void phpbb_storm(struct phpbb *board, unsigned requests);

/* What the bot has sent is read, the newest so many of its outbox. */
void phpbb_read_sent(struct phpbb *board, int messages);

/* The bot may not delete private messages. */
void phpbb_keep_messages(struct phpbb *board);

/* How many topics there are beside that of games; messages in the bot's inbox,
 * which takes 50, or as many as it is told, and holds back what comes then. */
unsigned phpbb_topics(const struct phpbb *board);
int phpbb_inbox(const struct phpbb *board);
void phpbb_limit_inbox(struct phpbb *board, int messages);

/* Somebody looks into the inbox as the bot: what is new comes in, if there is
 * room. */
void phpbb_visit_inbox(struct phpbb *board);

/* So many of the active topics are on a page, and not 25. */
void phpbb_show_active(struct phpbb *board, int topics);

/* Somebody edits a post (with a mark, or as the last one of a topic without),
 * or a moderator deletes it. */
void phpbb_change(struct phpbb *board, int64_t id, const char *text,
                  bool marked, int64_t now);
void phpbb_remove(struct phpbb *board, int64_t id);

/* A moderator moves a post into another topic, where it stands by its time. */
void phpbb_move(struct phpbb *board, int64_t id, int64_t into);

/* A moderator deletes a topic for good, with all its posts. */
void phpbb_purge(struct phpbb *board, int64_t topic);

/* The bot may not read a topic from now on, so that no list of its own has it;
 * or may again. */
void phpbb_hide(struct phpbb *board, int64_t topic, bool hidden);

/* The number of a user, who is made if there is none. */
int64_t phpbb_user(struct phpbb *board, const char *user);

/* A user is called otherwise from now on, in all that they have written. */
void phpbb_rename(struct phpbb *board, const char *user, const char *shown);

/* A user takes no private messages; NULL: all do. */
void phpbb_spare(struct phpbb *board, const char *user);

/* Somebody pushes a topic up by its last post. */
void phpbb_push(struct phpbb *board, int64_t id);

/* The session ends; the bot is no member any more whom the password lets in; it
 * may post once in so many seconds; it may neither write messages nor delete;
 * feeds are answered with a status that says that there are none. */
void phpbb_end_session(struct phpbb *board);
void phpbb_lock_out(struct phpbb *board);
void phpbb_slow(struct phpbb *board, int seconds);
void phpbb_silence(struct phpbb *board);
void phpbb_no_feeds(struct phpbb *board, int status);

/* A captcha stands before the log-in, or none does; how often somebody has
 * tried to log in. */
void phpbb_ask_captcha(struct phpbb *board, bool ask);
unsigned phpbb_attempts(const struct phpbb *board);

/* How often somebody has logged in. */
unsigned phpbb_logins(const struct phpbb *board);

/* The last message to a user, or post of the topic of games (NULL), as it was
 * written; NULL: none. */
const char *phpbb_last(struct phpbb *board, const char *user);

#endif
