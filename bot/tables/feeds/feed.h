/*
 * A feed: a stream of posts, with how far it was read and when it is read next.
 * Only bot/tables/feeds writes it.
 */
#ifndef BOT_TABLES_FEEDS_FEED_H
#define BOT_TABLES_FEEDS_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
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
    FEED_CURRENT, /* nothing is known that is yet to be read */
    FEED_BEHIND,  /* there was more when a page last came */
    FEED_LOST,    /* it was denied, or gone, when it was last asked for */
    FEED_MISSING, /* it has been so for long, and its tables were told */
};

/* Its strings are owned, not NULL (but for `rung`). */
struct feed {
    struct service *service;
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
    struct job job;    /* to read it; this and what follows by the clock that
                          is never set back */
    int64_t asked_at;  /* when its last page was asked for */
    int64_t read_at;   /* when the last page came; 0: never */
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
    struct updates *updates; /* which it waits for; NULL: none */
    struct feed *behind;     /* the next one that waits for that */
    struct heap_item due;
    uint64_t
        heard_state;     /* what its updates feed last said of it; 0: nothing */
    uint64_t read_state; /* and when it was last read to its end */
    char *rung; /* the doorbell has, for a post that was not read yet: its id,
                   or its DM's; "": it is not known; NULL: it has not */
    uint64_t *last_page; /* numbers of its posts (bot/tables/turns/repeats.c);
                            owned */
    size_t last_count;
    unsigned rung_reads; /* in vain */
    unsigned unread; /* readings to its end until it has brought all that was
                        written in a place before the host found that */
    bool hurried;    /* feeds_hurry, and it was not read since */
    bool listed;     /* its updates feed has named it since the start */
    bool shared;     /* DMs of several people come in it */
    bool shares_reading; /* it was read as far as is saved of all such of its
                            service (bot/tables/feeds/readings.h) */
};

/* One of that name, of which nothing is known; yours to free. */
struct feed *feed_new(struct service *service, const char *name);
void feed_free(struct feed *feed);

/* Do DMs come in it? */
bool feed_has_dms(const struct feed *feed);

/* Is it denied, or gone? */
bool feed_is_lost(const struct feed *feed);

/* ---- `now` below is that of the clock that is never set back ------------- */

void feed_set_user(struct feed *feed, const char *user);
void feed_set_cursor(struct feed *feed, const char *cursor);
void feed_set_thread(struct feed *feed, const char *thread);

/* The doorbell has rung for a post; or it was read, or looked for long enough
 * (NULL). */
void feed_set_rung(struct feed *feed, const char *post);

/* A page has come; is the next one to be read at once, because the doorbell has
 * rung for something that was not in it?  Then in so many ms; -1: no. */
int64_t feed_rings_again(struct feed *feed, const struct page *page);

/* Though its game is over, it is read until then. */
void feed_listen(struct feed *feed, int64_t until);

/* Its updates feed has named it; and said that of it. */
void feed_list(struct feed *feed);
void feed_hear(struct feed *feed, uint64_t state);

/* The numbers of the last page's posts, which it owns from now on.  And: was
 * that a number of the page before? */
void feed_set_page(struct feed *feed, uint64_t *numbers, size_t count);
bool feed_had(const struct feed *feed, uint64_t number);

/* A page has come: what its updates feed has said until now was read, unless
 * there is more.  If it was read again and there is more, the next page begins
 * where this one ended. */
void feed_note_page(struct feed *feed, const struct outcome *outcome);

/* It could not be read: if it brings DMs, whatever its updates feed says next
 * is new. */
void feed_note_failure(struct feed *feed);

/* A page was asked for in vain, and not by our fault.  Call it before the
 * feed's job is put off. */
void feed_miss(struct feed *feed, int64_t now);

/* For how many ms it has been asked for in vain, until a page that comes
 * now. */
int64_t feed_missed(const struct feed *feed, int64_t now);

/* It was denied, or is gone; may be called each time.  If it brings a DM,
 * nobody waits for that any more. */
void feed_lose(struct feed *feed, const char *trouble);

/* The same of a thread.  True once an hour, but not at first: its tables are to
 * be told. */
bool feed_note_gone(struct feed *feed, int64_t now);

/* It can be read: it is not lost any more. */
void feed_find_again(struct feed *feed);

#endif
