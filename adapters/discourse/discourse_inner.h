/*
 * What the files of the Discourse adapter share; nobody else includes it.
 *
 * Facts come from recordings (tests/fixtures/discourse), Discourse's published
 * description of its API (commit 6737ac2, 2026-08-20: "description" and a
 * path), its source (a file), or its site settings (a name).
 */
#ifndef ADAPTERS_DISCOURSE_DISCOURSE_INNER_H
#define ADAPTERS_DISCOURSE_DISCOURSE_INNER_H

#include "adapters/forum/forum.h"

enum {
    DISCOURSE_CHUNK = 20, /* posts that come with a topic (chunk_size) */
    /* Posts asked for by their ids at once: any number may be
     * (app/controllers/topics_controller.rb, posts). */
    DISCOURSE_BATCH = 50,
    DISCOURSE_SHORTEST = 20,    /* min_post_length, the default */
    DISCOURSE_SHORTEST_DM = 10, /* min_personal_message_post_length */
    DISCOURSE_SAID_MAX = 512,   /* bytes of a refusal that is kept */
    /* One post of a topic is written after the other, each is stamped and
     * committed before the next one is begun (PostCreator#transaction), so that
     * none comes out of order.  Of two topics, or a topic and a private
     * message, one transaction may take longer. */
    DISCOURSE_DISORDER_MS = 100,
};

/* The cursor that reads a topic from its first post on. */
#define DISCOURSE_FROM_FIRST "0.0:"

/* The state with the numbers of galleries, which are no DMs. */
#define DISCOURSE_GALLERIES "galleries"

/* Routes.  Members have daily limits for edits and for DMs (max_edits_per_day,
 * max_personal_messages_per_day); at such a limit they can still post. */
#define DISCOURSE_ROUTE_POST   "post"
#define DISCOURSE_ROUTE_OPEN   "open"
#define DISCOURSE_ROUTE_EDIT   "edit"
#define DISCOURSE_ROUTE_UPLOAD "upload"

/* Start a request as the account; the reply is JSON. */
void discourse_ask(struct exchange *exchange, const char *method,
                   const char *path);
/* GET /t/{number}.json. */
void discourse_ask_topic(struct exchange *exchange, const char *number);
/* The same with the source of those posts that are nearest to one of that
 * number (TopicView#filter_posts_near), DISCOURSE_CHUNK of them; or from its
 * end: one is asked for whose number is not there yet. */
void discourse_ask_position(struct exchange *exchange, const char *number,
                            int64_t position);
void discourse_ask_end(struct exchange *exchange, const char *number);
/* GET /t/{number}/posts.json of at most DISCOURSE_BATCH posts, with their
 * source. */
void discourse_ask_posts(struct exchange *exchange, const char *number,
                         const int64_t *ids, size_t count);

/* GET /u/{name}.json. */
void discourse_ask_user(struct exchange *exchange, const char *name);
/* GET /topics/{list}/{account}.json, its nth page: "private-messages". */
void discourse_ask_list(struct exchange *exchange, const char *list,
                        unsigned page);

/* Was it refused with that status, by the forum and not a proxy? */
bool discourse_said(const struct exchange *exchange, int status);

/* Fail because of the reply, with the forum's own words. */
enum advance discourse_refused(struct exchange *exchange);

/* Keep the sentence of a refusal, and go on as if there was none: its reason is
 * looked for first. */
void discourse_keep_refusal(struct exchange *exchange,
                            char refusal[DISCOURSE_SAID_MAX]);

/* Is it there, where the account may not see it? */
bool discourse_is_unseen(const struct exchange *exchange);
/* Is the reply a topic that somebody has deleted?  Moderators still get it,
 * with the time. */
bool discourse_is_deleted(const struct exchange *exchange);
/* Can the account write in the topic of the reply?  Not if that is closed or
 * archived, or the account is silenced. */
bool discourse_is_open(const struct exchange *exchange);

/* The number of a topic in an address or path, "/t/slug/541/3"; NULL: none.
 * A number alone is one.  Owned. */
char *discourse_topic_of(const char *address);

/* The stream of the reply's topic: the ids of its posts in order; NULL: the
 * reply is no topic. */
json_object *discourse_stream(const struct exchange *exchange);
/* An id in the stream; 0: it is none. */
int64_t discourse_stream_at(json_object *stream, size_t index);
/* The posts that came with a topic, or were asked for. */
json_object *discourse_posts(const struct exchange *exchange);

/* Is it the account itself?  `key`: of the member with its number. */
bool discourse_is_self(const struct exchange *exchange, json_object *user,
                       const char *key);
/* Is that somebody the operation's user: by the number, if it is known, or else
 * by the name? */
bool discourse_is_user(const struct exchange *exchange, json_object *user);
/* Are only its user and the account in the DM of the reply? */
bool discourse_is_private(const struct exchange *exchange);
/* Do others read the private message of the reply, too? */
bool discourse_has_company(const struct exchange *exchange);
/* Is the operation's user in the private message, alone or with others? */
bool discourse_is_in(const struct exchange *exchange);

/* Answer with the id of the post in the reply, or that it is unapproved. */
enum advance discourse_parse_written(struct exchange *exchange);

enum advance discourse_probe(struct exchange *exchange);
enum advance discourse_read(struct exchange *exchange);
enum advance discourse_send(struct exchange *exchange);
enum advance discourse_edit(struct exchange *exchange);
enum advance discourse_delete(struct exchange *exchange);
enum advance discourse_lock(struct exchange *exchange);
enum advance discourse_find(struct exchange *exchange);
enum advance discourse_open(struct exchange *exchange); /* a DM, too */

#endif
