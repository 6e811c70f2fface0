/*
 * What the files of the Discourse adapter share; nobody else includes it.
 *
 * Facts are of recordings (tests/fixtures/discourse), of Discourse's published
 * description of its API (commit 6737ac2, 2026-08-20: "description" and a
 * path), of its source by file, or of its site settings by name.
 */
#ifndef ADAPTERS_DISCOURSE_DISCOURSE_INNER_H
#define ADAPTERS_DISCOURSE_DISCOURSE_INNER_H

#include "adapters/forum/forum.h"

enum {
    DISCOURSE_CHUNK = 20,      /* posts asked for at once (chunk_size) */
    DISCOURSE_SHORTEST = 20,   /* min_post_length as it is at first */
    DISCOURSE_SHORTEST_DM = 10 /* min_personal_message_post_length */
};

/* The cursor with which a topic is read from its first post on. */
#define DISCOURSE_FROM_FIRST "0.0:"

/* What limits requests.  Members have limits a day for edits and for private
 * messages (max_edits_per_day, max_personal_messages_per_day): where one is
 * reached, their posts go on. */
#define DISCOURSE_ROUTE_POST   "post"
#define DISCOURSE_ROUTE_OPEN   "open"
#define DISCOURSE_ROUTE_EDIT   "edit"
#define DISCOURSE_ROUTE_UPLOAD "upload"

/* Begin a request as the account; what comes back is JSON. */
void discourse_ask(struct exchange *exchange, const char *method,
                   const char *path);
/* GET /t/{number}.json, with the source of its posts where `raw`. */
void discourse_ask_topic(struct exchange *exchange, const char *number,
                         bool raw);
/* GET /t/{number}/posts.json of at most DISCOURSE_CHUNK posts. */
void discourse_ask_posts(struct exchange *exchange, const char *number,
                         const int64_t *ids, size_t count, bool raw);

/* GET /u/{name}.json. */
void discourse_ask_user(struct exchange *exchange, const char *name);
/* GET /topics/{list}/{account}.json, its nth page: "private-messages". */
void discourse_ask_list(struct exchange *exchange, const char *list,
                        unsigned page);

/* Was it refused with that status, by the forum and by no proxy? */
bool discourse_said(const struct exchange *exchange, int status);

/* Fail because of the reply, with the forum's own words. */
enum advance discourse_refused(struct exchange *exchange);

/* Is what was heard a topic that somebody has deleted?  Moderators get it all
 * the same, with the time. */
bool discourse_is_deleted(const struct exchange *exchange);
/* Can the account write in the topic that was heard?  It can't where that is
 * closed or archived, or the account is silenced. */
bool discourse_is_open(const struct exchange *exchange);

/* The number of a topic in an address or path, "/t/slug/541/3"; NULL: none.
 * A number alone is one.  Owned. */
char *discourse_topic_of(const char *address);

/* The stream of the topic that was heard: the ids of its posts in their order;
 * NULL: the reply is no topic. */
json_object *discourse_stream(const struct exchange *exchange);
/* An id of it; 0: it is none. */
int64_t discourse_stream_at(json_object *stream, size_t index);
/* The posts that came with a topic, or were asked for. */
json_object *discourse_posts(const struct exchange *exchange);

/* Are its user and the account in the DM that was heard, and nobody
 * else? */
bool discourse_is_private(const struct exchange *exchange);

/* A post was asked for: its id, or that it is queued. */
enum advance discourse_hear_written(struct exchange *exchange);

enum advance discourse_probe(struct exchange *exchange);
enum advance discourse_read(struct exchange *exchange);
enum advance discourse_send(struct exchange *exchange);
enum advance discourse_edit(struct exchange *exchange);
enum advance discourse_delete(struct exchange *exchange);
enum advance discourse_lock(struct exchange *exchange);
enum advance discourse_find(struct exchange *exchange);
enum advance discourse_open(struct exchange *exchange); /* a DM, too */

#endif
