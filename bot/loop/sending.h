/*
 * Messages: what goes out next, and in which form (sender.c); what came of it:
 * delivered, unapproved, tried again (sent.c); what waits for long (waiting.c);
 * what searches have told (searches.c); and what these share (sending.c).
 */
#ifndef BOT_LOOP_SENDING_H
#define BOT_LOOP_SENDING_H

#include "bot/base/log.h"
#include "bot/loop/loop.h"

enum {
    SENDING_TRIES = 3 /* until it is done in another way */
};

/* After how long whoever runs the host is told that a message waits. */
#define SENDING_ALARM_AFTER (10 * MINUTE_MS)
/* How much later, and from when it is looked for, of one whose search has no
 * end. */
#define SENDING_SEARCH_LONGER (5 * MINUTE_MS)

/* The place of a message, which MUST be configured. */
struct loop_place *sending_place(const struct loop *loop,
                                 const struct queued_message *queued);

/* Its service; NULL: not configured. */
struct service *sending_service(const struct loop *loop,
                                const struct queued_message *queued);

/* Was a picture, or a page, refused there lately? */
bool sending_is_unpictured(const struct loop *loop,
                           const struct queued_message *queued, bool page);

/* Log of which table a message is, what, since when, and behind that what is
 * `said`.  `event`: see struct log_subject; NULL: none. */
void sending_log(const struct loop *loop, const struct queued_message *queued,
                 enum log_level level, const char *event, const char *said);

/* ---- sender.c ------------------------------------------------------------ */

/* Send all that may go: mark it as in flight, and submit it.  The dispatch MUST
 * NOT work before that is committed; *synced: nor before it is synced. */
void sender_send(struct loop *loop, bool *synced);

/* May something be sent at once? */
bool sender_is_ready(const struct loop *loop, int64_t now);

/* ---- sent.c -------------------------------------------------------------- */

/* Take what came of a message; within a transaction. */
void sent_take(struct loop *loop, const struct delivery *delivery);

/* Do what whoever runs the host says of messages that may have arrived. */
void sent_settle(struct loop *loop);

/* ---- waiting.c ----------------------------------------------------------- */

/* Tell whoever runs the host what has waited for long. */
void waiting_look_after(struct loop *loop);

/* A message has failed: if a right is missing for sure, whoever runs the host
 * is told at once. */
void waiting_note_refused(struct loop *loop,
                          const struct queued_message *queued);

/* ---- searches.c ---------------------------------------------------------- */

/* What searches through a thread have told of the host's other messages there.
 * A host that was killed, or whose backup was put back, looks for many: one
 * reading of the thread serves all that may have been sent before it started.
 */

/* Since when a message that is looked for may have been sent, by our clock. */
int64_t searches_tried(const struct loop *loop,
                       const struct queued_message *queued);

/* Note what a look for a message has told. */
void searches_note(struct loop *loop, const struct queued_message *queued,
                   const struct delivery *delivery);

/* Is it told already whether the message with that key is there?  `known`:
 * what a look for it would tell. */
bool searches_tell(struct loop *loop, const struct queued_message *queued,
                   const char *key, struct outcome *known);

void searches_release(struct loop *loop);

#endif
