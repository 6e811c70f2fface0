/*
 * Which feeds are read, when, and how.
 *
 * If a service has an updates feed that covers a feed, the feed is not read
 * while the updates feed says that nothing was posted in it: then it has been
 * read as far as the updates feed.  So a host that starts asks updates feeds
 * first, and reads where something was posted while it was away.  When time is
 * up for something at a table, its thread is read itself, and once more from
 * where its question began: edits made since then show in no updates feed and
 * behind no cursor.
 *
 * Where that costs one request (capabilities.anyway), an updates feed is asked
 * for every three seconds while a game runs there, else every half minute, for
 * all feeds at once of which it has said anything.  Such a feed is read when
 * its state has changed; and every minute all the same, if it has a game: for
 * edits.
 *
 * How often any other feed is read depends on what is waited for there: every
 * few seconds while an answer is due, rarely where no game runs, and hardly
 * ever while the service's doorbell listens.  If a post or a timer waits only
 * until the feed was read up to it, the feed is read as soon as that can be.
 * The feeds of one updates feed are due at the same moments, so that one look
 * serves them all.
 *
 * A single user's DM is in no updates feed.  At a service with a known rate,
 * the DMs share a part of it: those in which an answer is due take turns faster
 * than those in which nobody is asked.
 */
#ifndef BOT_LOOP_READER_H
#define BOT_LOOP_READER_H

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/tables.h"

struct loop;

/* An updates feed: it says which of many feeds of a service have new posts. */
struct updates {
    struct service *service;
    char *name;
    struct job job;       /* to ask for it; this and what follows by
                             tables_steady */
    int64_t off_until;    /* until then it can't be had */
    int64_t asked_at;     /* when it was last asked for */
    int64_t answered;     /* when it last came; 0: never */
    struct feed *waiting; /* the feeds that wait for it, through `behind` */
};

/* Zeroed, and so are the lists by service: it knows of no updates feed, and no
 * doorbell listens. */
struct reader {
    struct updates **updates;
    size_t count;
    struct index by_name; /* pointers to them */
    bool *rings;          /* owned; by service: all that is new there rings */
    size_t *looks;        /* owned; by service: how many updates feeds it has */
};

void reader_release(struct reader *reader);

/* The next feed of a queue of a service that is to be read, or looked up in its
 * updates feed; NULL: none.  Those that nobody needs are put off. */
struct feed *reader_next(const struct loop *loop, const struct service *service,
                         enum feed_queue queue);

/* Does anybody need a feed whose time has come?  If not, it is put off; `now`
 * is that of tables_steady. */
bool reader_is_due(struct tables *tables, struct feed *feed, int64_t now);

/* The updates feed that covers a feed; NULL: the feed has to be read itself.
 * Borrowed from the reader. */
struct updates *reader_updates(struct loop *loop, const struct feed *feed);

/* A feed waits for its updates feed. */
void reader_look_up(struct loop *loop, struct feed *feed,
                    struct updates *updates);

/* The updates feed has come: feeds without new posts count as read, the others
 * are read now. */
void reader_take_updates(struct loop *loop, struct updates *updates,
                         const struct outcome *outcome);

/* An updates feed is being asked for: where that costs little, for all feeds of
 * which it says something, so that they need no other soon. */
void reader_begin_look(struct loop *loop, struct updates *updates);

/* The updates feed has failed (`outage`: by the service's fault): its feeds
 * wait as long as its job (`off`: it is not asked for a while, and each of its
 * feeds is read by itself). */
void reader_lack_updates(struct loop *loop, struct updates *updates,
                         bool outage, bool off);

/* The time from which a feed is to be read once more; 0: only what is new. */
int64_t reader_since(const struct loop *loop, const struct feed *feed);

/* How long to wait before reading again a feed that was read to its end, if
 * nothing waits for it. */
int64_t reader_pause(struct loop *loop, struct feed *feed);

/* Plan when such a feed is read again. */
void reader_plan(struct loop *loop, struct feed *feed);

/* Posts of a feed wait until other feeds were read up to them: read these as
 * soon as that can be. */
void reader_hurry(struct loop *loop, const struct feed *feed);

/* A press in a place may wait until its feed, and others, were read up to it:
 * read these as soon as that can be. */
void reader_hurry_press(struct loop *loop, const struct service *service,
                        const char *place);

/* Read all feeds of a service at once: something may be new in each.  Those
 * that wait for an updates feed that is yet to be asked for are looked up by
 * that. */
void reader_read_all(struct loop *loop, const struct service *service);

/* A service's doorbell has rung: a feed has something new, this post ("": it is
 * not known which).  It is read at once, past its updates feed, and again until
 * the post is there. */
void reader_ring(struct tables *tables, const struct service *service,
                 const char *name, const char *post);

/* Does a service's doorbell tell of all that is new, and of nothing that the
 * author of a press may have written, there or in private, and was not read? */
bool reader_is_quiet(const struct loop *loop, const struct service *service,
                     const struct post *post);

/* How long a round takes in which so many DMs take their turns, at a service
 * with a rate: those in which an answer is due, or the others. */
int64_t reader_round(const struct capabilities *capabilities, bool awaited,
                     int64_t dms);

/* Somebody was written to in private: an answer may come soon. */
void reader_hasten(struct loop *loop, const struct service *service,
                   const char *user);

#endif
