/*
 * Notices: the host's messages about what has happened.
 *
 * They turn the events on a ruling into its messages: one public post with the
 * result and the next call (two, where one would be too long), and private
 * messages to those who, by the event table (engine/event_list.h), may see a
 * secret.  No sentence is in the code: all words are the catalogue's.
 */
#ifndef BOT_HOST_WORDS_NOTICE_H
#define BOT_HOST_WORDS_NOTICE_H

#include "bot/host/table/ruling.h"

/* Write the messages for the events gathered on a ruling. */
void notice_write(struct ruling *ruling);

/* Add the call for the open question to a post ("… name your chancellor"); its
 * deadline is a slot.  False: the question is asked only in private. */
bool notice_call(const struct host_env *env, const struct table *table,
                 struct rich *out);

/* The opening post of a sign-up, which becomes the status post; later the
 * status of the game (bot/host/words/status.c). */
void notice_status(struct ruling *ruling);

#endif
