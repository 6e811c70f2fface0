/*
 * Where the configured places are, and how long posts may be there.
 */
#ifndef BOT_LOOP_LOCATING_H
#define BOT_LOOP_LOCATING_H

#include "bot/loop/loop.h"

/* The places have changed: look at all of them.  There may be thousands, so it
 * is not done in every turn. */
void locating_follow(struct loop *loop);

/* Ask what is not known yet of places whose service is open. */
void locating_ask(struct loop *loop);

/* When something is asked about a place, at the latest at `wake`. */
int64_t locating_wake(const struct loop *loop, int64_t wake);

/* May feeds of a service be read: is it open, and has each of its places been
 * found, and where its moderators talk, or did that prove impossible?  Before
 * that, a feed that brings several places' posts would bring some that belong
 * to no place yet, and they would be lost.  Where there are no such feeds,
 * nothing waits for the places. */
bool locating_can_read(const struct loop *loop, const struct service *service);

/* Take an answer to what was asked about a place: where it is, where its
 * moderators talk, how long posts may be there, its slash commands (or why
 * there are none), or where the thread of its game has gone. */
enum err locating_take(struct loop *loop, const struct delivery *delivery,
                       struct buf *why) MUST_USE;

#endif
