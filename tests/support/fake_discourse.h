/*
 * A Discourse forum in memory, with what the adapter uses.  The bot is
 * "placard", a moderator; games are in topic 7, "The table".  Posts are cooked
 * as Markdown (adapters/markup), except those that begin with "<": they are
 * taken as cooked already.
 */
#ifndef TESTS_FAKE_DISCOURSE_H
#define TESTS_FAKE_DISCOURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

#define DISCOURSE_BASE  "https://forum.test"
#define DISCOURSE_TOPIC "https://forum.test/t/the-table/7/2"
#define DISCOURSE_BOT   "placard"

struct discourse;
struct shown_post;

struct discourse *discourse_new(void);
void discourse_free(struct discourse *forum);

/* From now on a user of that name may make requests too. */
void discourse_admit(struct discourse *forum, const char *user);

/* Answer a request of the bot at a time; what `reply` points to is in `body`.
 */
void discourse_serve(struct discourse *forum, int64_t now,
                     const struct request *request, struct buf *body,
                     struct reply *reply);

/* A user posts Markdown in the topic of games, or in the DM that the
 * bot has opened for that user; gives the post's id. */
int64_t discourse_post(struct discourse *forum, const char *user,
                       bool in_private, const char *text, int64_t now);

/* The same in any topic (0: in private). */
int64_t discourse_write(struct discourse *forum, const char *user,
                        int64_t topic, const char *text, int64_t now);

/* The nth post (tests/support/fake_service.h). */
bool discourse_look(struct discourse *forum, size_t at,
                    struct shown_post *shown);

/* Somebody, whom tests go on to name as before, takes another name, which shows
 * in all that they wrote and where they are mentioned
 * (tests/fixtures/discourse/README.md, "Read, not seen"). */
void discourse_rename(struct discourse *forum, const char *user,
                      const char *name);

/* What somebody is called now. */
const char *discourse_called(struct discourse *forum, const char *user);

/* The shortest post, and the shortest private one, from now on; 5 at first: it
 * was lowered, for votes. */
void discourse_demand(struct discourse *forum, size_t shortest, size_t dm);

/* The next so many requests are refused, in all the ways there are. */
void discourse_storm(struct discourse *forum, unsigned requests);

/* Somebody edits a post, with a mark (a new version) or within the grace period
 * without one; or deletes it. */
void discourse_change(struct discourse *forum, int64_t id, const char *text,
                      bool marked, int64_t now);
void discourse_remove(struct discourse *forum, int64_t id);
/* Flags of others hide it until a moderator has looked at it. */
void discourse_hide(struct discourse *forum, int64_t id);

/* Was it locked against edits by its author? */
bool discourse_is_locked(struct discourse *forum, int64_t id);

/* A user invites another into the DM with the bot, leaves it, or begins another
 * with that text, whose id is given; a moderator deletes it. */
void discourse_ask_in(struct discourse *forum, const char *user,
                      const char *other);
void discourse_leave(struct discourse *forum, const char *user, int64_t now);
int64_t discourse_begin_dm(struct discourse *forum, const char *user,
                           const char *text, int64_t now);
bool discourse_in_dm(struct discourse *forum, const char *user);
/* An admin removes the bot from it. */
void discourse_put_out(struct discourse *forum, const char *user);
void discourse_throw_away(struct discourse *forum, const char *user);

/* All replies in the queue are approved, or rejected. */
void discourse_review(struct discourse *forum, bool approve, int64_t now);

/* A moderator deletes a topic, or recovers it. */
void discourse_delete_topic(struct discourse *forum, int64_t topic,
                            bool deleted);

/* A moderator moves a topic to another category, or back; makes it unlisted, or
 * listed. */
void discourse_move_topic(struct discourse *forum, int64_t topic,
                          bool elsewhere);
void discourse_unlist(struct discourse *forum, int64_t topic, bool unlisted);

/* … or moves all its posts into another, by the same numbers, whereupon it is
 * closed (tests/fixtures/discourse/README.md, "Read, not seen"). */
void discourse_merge(struct discourse *forum, int64_t topic, int64_t into,
                     int64_t now);

/* A moderator opens a topic that was closed. */
void discourse_reopen(struct discourse *forum, int64_t topic);

/* A talk is closed, as one is that is full. */
void discourse_close_dm(struct discourse *forum, const char *user);

/* What differs from forum to forum; may be changed at any time. */
struct discourse_habits {
    bool no_staff;      /* the bot is a member of trust level 1 */
    bool no_uploads;    /* it may not upload */
    bool german;        /* refusals are in the site's language */
    bool queue;         /* what is written waits for approval */
    bool silenced;      /* the bot may not write */
    const char *hermit; /* who takes no DMs; NULL: nobody */
};
struct discourse_habits *discourse_habits(struct discourse *forum);

/* How often an edit has brought its topic to the top of the list. */
unsigned discourse_bumps(const struct discourse *forum);

/* How many different files were uploaded. */
unsigned discourse_files(const struct discourse *forum);

/* How many topics there are beside that of games. */
unsigned discourse_topics(const struct discourse *forum);

/* The last post of a user's DM, or of the topic of games (NULL), as it was
 * written; NULL: none. */
const char *discourse_last(struct discourse *forum, const char *user);

#endif
