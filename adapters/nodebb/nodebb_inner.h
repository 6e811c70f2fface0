/*
 * What the files of the NodeBB adapter share; nobody else includes it.
 *
 * Facts come from trying NodeBB 4.11.2 and 4.15.1.  It has two APIs: /api
 * before a page's path gives what the page shows, and the replies of /api/v3
 * are {"status":
 * {"code", "message"}, "response": {}}.
 *
 * From version 4 on a forum is part of the fediverse unless that is turned off
 * (install/data/defaults.json: activitypubEnabled): people on other servers
 * reply in its topics and write to its members.  Their posts have addresses
 * instead of numbers.  They can't take seats and are not read.
 */
#ifndef ADAPTERS_NODEBB_NODEBB_INNER_H
#define ADAPTERS_NODEBB_NODEBB_INNER_H

#include "adapters/forum/forum.h"

enum {
    NODEBB_CHAT_PAGE = 50,  /* messages in a page of a chat */
    NODEBB_CHAT_MAX = 1000, /* maximumChatMessageLength, the default */
    NODEBB_SHORTEST = 8,    /* minimumPostLength, the default */
    NODEBB_MARK_MAX = 36,   /* UTF-16 units of a message's mark, at most */
    NODEBB_APART_MS = 250, /* a post is still "being posted" after the answer */
    NODEBB_WHILE = 5,      /* seconds, if a refusal gives no time */
    NODEBB_LEFT_MAX = 100, /* chats that were left, in the adapter state: more
                              than the pages that are looked at have */
    NODEBB_LIST_MAX =
        500 /* posts, messages, rooms in a reply: more than there ever are */
};

/* The cursor that reads a topic from its first post on. */
#define NODEBB_FROM_FIRST "0.0.1.0.0"

/* The updates feed of all topics. */
#define NODEBB_RECENT "recent"

/* Routes.  NodeBB takes one post of an account at a time and refuses others
 * meanwhile (controllers/write/topics.js: lockPosting). */
#define NODEBB_ROUTE_POST "post"
#define NODEBB_ROUTE_CHAT "chat"

/* The response of /api/v3; NULL: there is none. */
json_object *nodebb_response(const struct exchange *exchange);
/* A list in an object; NULL: no list, or too long. */
json_object *nodebb_list(json_object *object, const char *key);

/* Fail because of the reply, with the forum's own words. */
enum advance nodebb_refused(struct exchange *exchange);

/* Is the page what guests see, because the token is not valid?  Fail because of
 * that. */
bool nodebb_is_guest(const struct exchange *exchange);
enum advance nodebb_refuse_guest(struct exchange *exchange);

/* The id of a post's or room's user: the name as written in addresses; owned,
 * never NULL. */
char *nodebb_user(json_object *user, int64_t uid);

/* Is that user the account itself? */
bool nodebb_is_self(const struct exchange *exchange, json_object *user);

/* Ask for a user's posts that wait for approval, by name. */
void nodebb_ask_queue(struct exchange *exchange, const char *id);

/* Ask for a page of a topic: by the page's number, or the one with the nth
 * post. */
void nodebb_ask_page(struct exchange *exchange, const char *topic,
                     int64_t page);
void nodebb_ask_position(struct exchange *exchange, const char *topic,
                         int64_t position);
/* Ask for a chat's messages, skipping the newest `start` ones. */
void nodebb_ask_messages(struct exchange *exchange, const char *room,
                         int64_t start);

/* The chats that the account is alone in, and of which it was told that the
 * other has left: from the adapter state, and to be saved there. */
struct nodebb_left {
    unsigned count;
    bool changed;
    int64_t rooms[NODEBB_LEFT_MAX]; /* in the order in which it was told */
};

void nodebb_left_begin(const struct exchange *exchange,
                       struct nodebb_left *left);
/* Add a POST_LEFT, of nobody in particular, for each other one in a list of
 * chats that was given at a time. */
void nodebb_left_look(struct exchange *exchange, struct nodebb_left *left,
                      json_object *rooms, int64_t date);
void nodebb_left_end(struct exchange *exchange, const struct nodebb_left *left);

/* Ask for a person, by the name in their address. */
void nodebb_ask_user(struct exchange *exchange, const char *slug);

/* The posts of the page in the reply, and how many pages there are; NULL: it is
 * no such page. */
json_object *nodebb_posts(const struct exchange *exchange, int64_t *pages);

enum advance nodebb_read(struct exchange *exchange);
enum advance nodebb_updates(struct exchange *exchange);
enum advance nodebb_places(struct exchange *exchange);
enum advance nodebb_probe(struct exchange *exchange);
enum advance nodebb_send(struct exchange *exchange);
enum advance nodebb_edit(struct exchange *exchange);
enum advance nodebb_delete(struct exchange *exchange);
enum advance nodebb_find(struct exchange *exchange);
enum advance nodebb_dm(struct exchange *exchange);
enum advance nodebb_open(struct exchange *exchange);

#endif
