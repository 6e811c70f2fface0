/*
 * Which feeds are read, when, and how.
 *
 * A feed whose service has a digest of it is not read while the digest says
 * that nothing was posted in it: then it has been read as far as the digest.
 * Where time is up for something at a table, its thread is read itself, and
 * once more from where its question began: what was edited since shows in no
 * digest and behind no cursor.
 *
 * A private talk is in no digest.  At a service with a rate that is known, the
 * talks share a part of it: those in which an answer is awaited take turns
 * faster than those in which nobody is asked.
 */
#ifndef BOT_LOOP_READER_H
#define BOT_LOOP_READER_H

#include "bot/tables/tables.h"

/* Is a feed to be read, or looked up in its digest?  One that nobody needs is
 * put off. */
bool feeds_is_due(struct desk *desk, struct feed *feed, int64_t now);

/* The digest that knows of a feed's news; NULL: it has to be read itself.
 * Borrowed until the next is asked for. */
struct digest *feeds_digest(struct desk *desk, const struct feed *feed,
                            int64_t now);

/* A feed waits for its digest's news. */
void feeds_look_up(struct desk *desk, struct feed *feed, struct digest *digest,
                   int64_t now);

/* The digest has come: what has no news has been read, the rest is read now. */
void feeds_take_news(struct desk *desk, struct digest *digest,
                     const struct outcome *outcome, int64_t now);

/* It has not: it is asked again after the pause (`off`: not for a while, and
 * its feeds are read each by itself). */
void feeds_lack_news(struct desk *desk, struct digest *digest, int64_t pause,
                     bool off, int64_t now);

/* From when on a feed is to be read once more; 0: what is new will do. */
int64_t feeds_since(struct desk *desk, const struct feed *feed, int64_t now);

/* How long a feed that was read to its end is left alone. */
int64_t feeds_pause(struct desk *desk, struct feed *feed);

/* How long a round is in which so many talks take their turns, at a service
 * with a rate: those in which an answer is awaited, or the others. */
int64_t feeds_round(const struct traits *traits, bool awaited, int64_t talks);

/* Somebody was written to in private: an answer may come soon. */
void feeds_hasten(struct desk *desk, const struct service *service,
                  const char *user, int64_t now);

#endif
