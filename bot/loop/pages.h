/*
 * The pages of feeds and of updates feeds: asked for when the reader says so,
 * and handed to the tables.
 */
#ifndef BOT_LOOP_PAGES_H
#define BOT_LOOP_PAGES_H

#include "bot/loop/loop.h"
#include "bot/tables/feeds/feeds.h"

/* Ask for the pages whose time has come. */
void pages_ask(struct loop *loop);

/* Is there room to read a feed of a queue? */
bool pages_have_room(const struct loop *loop, const struct service *service,
                     enum feed_queue queue);

/* Can an updates feed be asked for, once its time has come? */
bool pages_may_look(const struct loop *loop, const struct updates *updates);

/* Take a page of a feed. */
void pages_take(struct loop *loop, const struct delivery *delivery);

/* Take a page of an updates feed.  If it can't be had at all, each of its feeds
 * is read. */
void pages_take_updates(struct loop *loop, const struct delivery *delivery);

#endif
