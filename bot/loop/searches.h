/*
 * What searches through a thread have told of the host's other messages there.
 * A host that was killed, or whose backup was put back, looks for many: one
 * reading of the thread serves all that may have been sent before it started.
 */
#ifndef BOT_LOOP_SEARCHES_H
#define BOT_LOOP_SEARCHES_H

#include "bot/loop/loop.h"

/* Since when a message that is looked for may have been sent, by our clock. */
int64_t searches_tried(const struct loop *loop,
                       const struct queued_message *queued);

/* Note what a look for a message has told. */
void searches_note(struct loop *loop, const struct queued_message *queued,
                   const struct delivery *delivery);

/* Is it told already whether the message with that key is there?  Puts its
 * post's id into `post`; "": it is not there. */
bool searches_tell(struct loop *loop, const struct queued_message *queued,
                   const char *key, struct buf *post);

void searches_release(struct loop *loop);

#endif
