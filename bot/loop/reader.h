/*
 * Which feeds are read, when, and how.
 *
 * A feed whose service has an updates feed of it is not read while the updates
 * feed says that nothing was posted in it: then it has been read as far as the
 * updates feed. Where time is up for something at a table, its thread is read
 * itself, and once more from where its question began: what was edited since
 * shows in no updates feed and behind no cursor.
 *
 * A DM is in no updates feed.  At a service with a rate that is known, the
 * talks share a part of it: those in which an answer is awaited take turns
 * faster than those in which nobody is asked.
 */
#ifndef BOT_LOOP_READER_H
#define BOT_LOOP_READER_H

#include "bot/tables/tables.h"

/* Is a feed to be read, or looked up in its updates feed?  One that nobody
 * needs is put off. */
bool reader_is_due(struct tables *tables, struct feed *feed, int64_t now);

/* The updates feed that knows of a feed's news; NULL: it has to be read itself.
 * Borrowed until the next is asked for. */
struct updates *reader_updates(struct tables *tables, const struct feed *feed,
                               int64_t now);

/* A feed waits for its updates feed's news. */
void reader_look_up(struct tables *tables, struct feed *feed,
                    struct updates *updates, int64_t now);

/* The updates feed has come: what has no news has been read, the rest is read
 * now. */
void reader_take_updates(struct tables *tables, struct updates *updates,
                         const struct outcome *outcome, int64_t now);

/* It has not: it is asked again after the pause (`off`: not for a while, and
 * its feeds are read each by itself). */
void reader_lack_updates(struct tables *tables, struct updates *updates,
                         int64_t pause, bool off, int64_t now);

/* From when on a feed is to be read once more; 0: what is new will do. */
int64_t reader_since(struct tables *tables, const struct feed *feed,
                     int64_t now);

/* How long a feed that was read to its end is left alone. */
int64_t reader_pause(struct tables *tables, struct feed *feed);

/* How long a round is in which so many talks take their turns, at a service
 * with a rate: those in which an answer is awaited, or the others. */
int64_t reader_round(const struct capabilities *capabilities, bool awaited,
                     int64_t dms);

/* Somebody was written to in private: an answer may come soon. */
void reader_hasten(struct tables *tables, const struct service *service,
                   const char *user, int64_t now);

#endif
