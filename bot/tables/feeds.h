/*
 * The feeds of a process: streams of posts, each with how far it was read and
 * when it is read next.
 *
 * There may be very many: each table has a thread, and each player a DM.  So a
 * feed is found by its name or its user without a search, and the next one to
 * be read is the first of a heap.  Each service has four heaps, because
 * thousands of feeds may be due at once: those of an earlier one are read
 * first (enum feed_queue).  A feed that is being read, or waits for its updates
 * feed, is in none.
 *
 * Change a feed's people, its time, its place in the heap and its turns by the
 * functions below only; all else is the caller's.
 */
#ifndef BOT_TABLES_FEEDS_H
#define BOT_TABLES_FEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
#include "bot/base/index.h"
#include "bot/base/job.h"

struct updates; /* bot/loop/reader.h */

/* With which others a feed takes turns (bot/loop/reader.h). */
enum feed_turns {
    TURNS_NONE,
    TURNS_CALM,
    TURNS_AWAITED, /* an answer is due */
    TURNS_THREAD,  /* no DM, but the thread of a game */
    TURNS_COUNT
};

/* Which of the feeds that are due are read first. */
enum feed_queue {
    QUEUE_RUNG,    /* a doorbell has rung for something new */
    QUEUE_NEWS,    /* something is known to be new, or waits for the feed */
    QUEUE_THREADS, /* threads, and what several people's DMs come in */
    QUEUE_AWAITED, /* DMs in which an answer is due, */
    QUEUE_CALM,    /* and all others */
    FEED_QUEUES
};

enum {
    FEED_LISTEN_MS = 7 * 24 * 3600 * 1000 /* after a game's end */
};

/* What is known of a feed.  It rests until its job's time, unless it is asked
 * for (job.busy), or waits for its updates feed. */
enum feed_state {
    FEED_UNREAD,  /* it was not read since the start */
    FEED_TAKING,  /* a page has come whose posts are not saved yet */
    FEED_BEHIND,  /* there was more when a page last came */
    FEED_CURRENT, /* it was read to its end */
    FEED_LOST,    /* it was denied, or gone, when it was last asked for */
    FEED_MISSING, /* it has been so for long, and its tables were told */
};

/* A feed that is read.  Its strings are owned, not NULL (but for
 * `rung`), and set by the functions below only. */
struct feed {
    struct service *service;
    unsigned number; /* in the list */
    enum feed_state state;
    char *name;
    char *user; /* whose DM comes in it alone; "": no single user's */
    char *cursor;
    char *thread;    /* a game's own that comes in it alone; "": a place's, or
                        a DM */
    int64_t through; /* the service's time up to which it was read; 0: not since
                        the start */
    int64_t heard; /* the same, but also as saved before the start: every outage
                      before it has been told, or needs no telling */
    int64_t saved; /* the same, as it was saved before the start; 0: never, or
                      more was to be read then */
    int64_t again; /* from which time on it is read again, since posts may have
                      been edited; 0: none; < 0: only what is new, for where the
                      last page ended is not known */
    struct job job;    /* to read it; this and what follows by tables_steady */
    int64_t asked_at;  /* when its last page was asked for */
    int64_t read_at;   /* when the last page came; 0: never */
    int64_t noted_at;  /* the same, as it was last saved for this feed */
    int64_t polled_at; /* when it last came, or was told to have nothing new, by
                          the host's clock; 0: not since the start */
    int64_t failed_at; /* when it was last asked for in vain; 0: not since the
                          last page */
    int64_t outage;  /* ms for which it has been asked for in vain since then */
    int64_t gone_at; /* FEED_LOST, FEED_MISSING: since when, or when its tables
                        were told last */
    int64_t listens_until; /* its game is over, but people may still ask
                              there */
    enum feed_turns turns;
    enum feed_queue queue;   /* in which it is, or was last */
    struct updates *updates; /* which it waits for; NULL: none.  The reader's */
    struct feed *behind; /* the next one that waits for that.  The reader's */
    struct heap_item due;
    uint64_t
        heard_state;     /* what its updates feed last said of it; 0: nothing */
    uint64_t read_state; /* and when it was last read to its end */
    char *rung; /* the doorbell has, for a post that was not read yet: its id,
                   or its DM's; "": it is not known; NULL: it has not */
    uint64_t
        *last_page; /* numbers of its posts (bot/tables/repeats.h); owned */
    size_t last_count;
    unsigned rung_reads; /* in vain */
    unsigned unread; /* readings to its end until it has brought all that was
                        written in a place before the host found that */
    bool hurried;    /* feeds_hurry, and it was not read since */
    bool brought;    /* the last page had posts that all may read */
    bool listed;     /* its updates feed has named it since the start */
    bool shared;     /* DMs of several people come in it */
    bool shares_reading; /* it was read as far as is saved of all such of its
                            service (bot/tables/readings.h) */
};

/* What many feeds of a service share in the store (bot/tables/readings.h). */
struct shared_reading {
    int64_t noted_at;  /* when it was last saved, host's clock; 0: not since the
                          start */
    bool behind;       /* one of them was not read since the start */
    struct buf others; /* owned; those that shared it before the start and were
                          not listed then: their names, each with its NUL */
};

/* What there is of a service's feeds. */
struct service_feeds {
    struct heap due[FEED_QUEUES];
    int64_t latest;            /* the latest `through` */
    size_t turns[TURNS_COUNT]; /* how many take such turns */
    struct shared_reading shared;
};

struct feeds {
    const struct service *services; /* borrowed; a service's number is its place
                                       there */
    unsigned service_count;
    struct feed **list;
    size_t count, room;
    struct index by_name, by_user; /* pointers to feeds */
    struct feed **shared;          /* in which DMs of several people come */
    size_t shared_count;
    struct service_feeds *by_service; /* owned */
};

/* No feeds, of so many services at most. */
void feeds_init(struct feeds *feeds, const struct service *services,
                unsigned service_count);
void feeds_release(struct feeds *feeds);

/* Do DMs come in it? */
bool feed_has_dms(const struct feed *feed);

/* Is it denied, or gone? */
bool feed_is_lost(const struct feed *feed);

/* It can be read: it is not lost any more. */
void feed_find_again(struct feed *feed);

/* The feed of that name; NULL: there is none. */
struct feed *feeds_find(const struct feeds *feeds,
                        const struct service *service, const char *name);

/* Add a feed, which MUST NOT be there.  It is due at once. */
struct feed *feeds_add(struct feeds *feeds, struct service *service,
                       const char *name);

/* It brings the DM of a user, and of no other as far as is known. */
void feeds_set_user(struct feeds *feeds, struct feed *feed, const char *user);

/* DMs of several people come in it, or posts of a thread as well. */
void feeds_share(struct feeds *feeds, struct feed *feed, bool dms);

/* The next feed that brings a user's DM alone; NULL: no more.  *at is 0 for the
 * first. */
struct feed *feeds_next_of_user(const struct feeds *feeds,
                                const struct service *service, const char *user,
                                size_t *at);

void feed_set_cursor(struct feed *feed, const char *cursor);
void feed_set_thread(struct feed *feed, const char *thread);

/* The doorbell has rung for a post; or it was read, or looked for long enough
 * (NULL). */
void feed_set_rung(struct feed *feed, const char *post);

/* It was read up to that time of its service: never back, except by
 * feeds_unread. */
void feeds_read_through(struct feeds *feeds, struct feed *feed, int64_t time);

/* What was read of a service after that time has to be read again. */
void feeds_unread(struct feeds *feeds, const struct service *service,
                  int64_t time);

/* The latest time up to which any feed of a service was read; 0: none was. */
int64_t feeds_latest(const struct feeds *feeds, const struct service *service);

/* The latest time at which any feed of a service was heard of, by its clock, as
 * the store has it after a start; 0: none was.  It goes through all of them. */
int64_t feeds_heard(const struct feeds *feeds, const struct service *service);

/* What those of a service share: the caller's. */
struct shared_reading *feeds_shared_reading(const struct feeds *feeds,
                                            const struct service *service);

/* It is to be read at `at` (once it is neither busy nor waiting). */
void feeds_plan(struct feeds *feeds, struct feed *feed, int64_t at);

/* The same, before all that is merely due, and past its updates feed: something
 * is known to be new there, or waits for it. */
void feeds_hurry(struct feeds *feeds, struct feed *feed, int64_t at);

/* It is being read, or not any more. */
void feeds_set_busy(struct feeds *feeds, struct feed *feed, bool busy);

/* It waits for an updates feed, or for none (NULL). */
void feeds_wait(struct feeds *feeds, struct feed *feed,
                struct updates *updates);

/* The first to be read of a queue of a service's feeds; NULL: it is empty. */
struct feed *feeds_first(const struct feeds *feeds,
                         const struct service *service, enum feed_queue queue);

void feeds_set_turns(struct feeds *feeds, struct feed *feed,
                     enum feed_turns turns);

/* How many DMs of a service take such turns. */
size_t feeds_count_turns(const struct feeds *feeds,
                         const struct service *service, enum feed_turns turns);

#endif
