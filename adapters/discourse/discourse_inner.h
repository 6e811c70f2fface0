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
    DISCOURSE_BEYOND_END = 1000000, /* a topic has 10,000 posts at most */
    DISCOURSE_IDS_MAX = 10 * DISCOURSE_CHUNK,
    DISCOURSE_ADDRESS_MAX = 100, /* of a file's short address */
};

/* The cursor that reads a topic from its first post on. */
#define DISCOURSE_FROM_FIRST "0.0:"

/* The state with the numbers of galleries, which are no DMs. */
#define DISCOURSE_GALLERIES "galleries"

/* Routes.  Members have daily limits for edits and for DMs (max_edits_per_day,
 * max_personal_messages_per_day); at such a limit they can still post. */
#define DISCOURSE_ROUTE_POST "post"
#define DISCOURSE_ROUTE_OPEN "open"
#define DISCOURSE_ROUTE_EDIT "edit"

/* What a text begins with that shows a file. */
#define DISCOURSE_FILE "upload://"

extern const struct forum forum_discourse;
extern const struct forum_stage discourse_stages[]; /* discourse_probe.c */

/* Ids of a topic's posts, of which the last are asked for first. */
struct discourse_ids {
    int64_t list[DISCOURSE_IDS_MAX];
    size_t left; /* not yet asked for */
};

/* Keep the ids of the stream's last posts before `end`, `most` at most. */
void discourse_keep_ids(struct discourse_ids *ids, json_object *stream,
                        size_t end, size_t most);
/* Ask for the last DISCOURSE_BATCH of them that were not asked for. */
enum advance discourse_ask_ids(struct exchange *exchange, const char *topic,
                               struct discourse_ids *ids, forum_step *next);

/* Ask for a topic; from its end: a post whose number is not there yet. */
enum advance discourse_ask_topic(struct exchange *exchange, const char *topic,
                                 forum_step *next);
enum advance discourse_ask_end(struct exchange *exchange, const char *topic,
                               forum_step *next);

/* The stream of the reply's topic: the ids of its posts in order; NULL: the
 * reply is no topic. */
json_object *discourse_stream(const struct exchange *exchange);
/* An id in the stream; 0: it is none. */
int64_t discourse_stream_at(json_object *stream, size_t index);
/* The posts that came with a topic, or were asked for. */
json_object *discourse_posts(const struct exchange *exchange);

/* Was it refused with that status, by the forum and not a proxy? */
bool discourse_said(const struct exchange *exchange, int status);
/* Is it there, where the account may not see it? */
bool discourse_is_unseen(const struct exchange *exchange);
/* Is the reply a topic that somebody has deleted?  Moderators still get it,
 * with the time. */
bool discourse_is_deleted(const struct exchange *exchange);
/* Keep the sentence of a refusal, and go on as if there was none: its reason is
 * looked for first. */
void discourse_keep_refusal(struct exchange *exchange,
                            char refusal[DISCOURSE_SAID_MAX]);

/* Is the topic of the reply closed to all, or archived?  Can the account write
 * there?  Not if it is silenced. */
bool discourse_is_closed(const struct exchange *exchange);
bool discourse_is_open(const struct exchange *exchange);

/* Is that somebody the operation's user: by the number, if it is known, or else
 * by the name? */
bool discourse_is_user(const struct exchange *exchange, json_object *user);
/* Who reads the private message of the reply? */
struct discourse_readers {
    bool user;   /* the operation's user */
    bool others; /* anybody but those two */
    bool many;   /* more than two, or a group */
};
struct discourse_readers discourse_readers(const struct exchange *exchange);
/* Are only its user and the account in the DM of the reply? */
bool discourse_is_private(const struct exchange *exchange);

/* Answer with the id of the post in the reply, or that it is unapproved. */
enum advance discourse_parse_written(struct exchange *exchange);

/* The hooks of the description (adapters/forum/forum.h: struct forum). */
void discourse_finish_post(struct forum_item *item);
void discourse_finish_topic(struct forum_item *item);
void discourse_add_name(const char *text, struct buf *name);
void discourse_show(const struct exchange *exchange, struct buf *out);
void discourse_explain(struct exchange *exchange);
enum advance discourse_check_place(struct exchange *exchange);
enum advance discourse_visit(struct exchange *exchange);

enum advance discourse_who(struct exchange *exchange);

enum advance discourse_read(struct exchange *exchange);
enum advance discourse_send(struct exchange *exchange);
enum advance discourse_edit(struct exchange *exchange);
enum advance discourse_lock(struct exchange *exchange);
enum advance discourse_find(struct exchange *exchange);
enum advance discourse_open(struct exchange *exchange); /* a DM, too */

#endif
