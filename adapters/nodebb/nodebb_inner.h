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
};

/* Routes.  NodeBB takes one post of an account at a time and refuses others
 * meanwhile (controllers/write/topics.js: lockPosting). */
#define NODEBB_ROUTE_CHAT "chat"

extern const struct forum forum_nodebb;
extern const struct forum_stage nodebb_stages[]; /* nodebb_probe.c */

/* The hooks of the description (adapters/forum/forum.h: struct forum). */
void nodebb_add_slug(const char *name, struct buf *slug);
void nodebb_keep_withheld(struct forum_item *item);
void nodebb_see_chats(struct exchange *exchange, int64_t date);
bool nodebb_is_unapproved(struct exchange *exchange);
bool nodebb_is_queue_id(const char *id);
enum advance nodebb_refuse_self(struct exchange *exchange);
enum advance nodebb_doubt(struct exchange *exchange);
enum advance nodebb_check_chat(struct exchange *exchange);

enum advance nodebb_delete(struct exchange *exchange);
enum advance nodebb_chat(struct exchange *exchange);
enum advance nodebb_open(struct exchange *exchange);

#endif
