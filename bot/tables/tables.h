/*
 * The tables of a process, and what each page of posts and each deadline does
 * to them.
 *
 * A page is taken in within one transaction: posts seen, moves, messages, the
 * cursor and adapter states are saved together or not at all.  A failed commit
 * ends the process: nothing was sent, and the next start goes on from what is
 * on disk.
 *
 * A page or a deadline on which the process dies (an assertion) is skipped in
 * the end, and only its game is held (bot/tables/attempts.h).
 *
 * No function here reads a clock.
 */
#ifndef BOT_TABLES_TABLES_H
#define BOT_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"
#include "bot/base/index.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/outbox.h"
#include "bot/host/table/ruling.h"
#include "bot/picture/board_picture.h"
#include "bot/store/store.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/service_clock.h"
#include "config/config.h"
#include "config/secrets.h"

enum {
    FLOOD_ANSWERS = 5 /* in ten minutes */
};

/* Who was answered lately, and when (bot/tables/flood.h). */
struct answered {
    const struct service *service;
    char user[ADAPTER_ID_MAX + 1];
    int64_t at[FLOOD_ANSWERS];
};

/* How long a post may be at a place; 0: as the adapter's capabilities say. */
struct lengths {
    size_t longest, shortest, longest_private;
};

/* What the host knows of a configured place. */
struct hosted_place {
    struct service *service;
    struct zone *zone; /* NULL: UTC */
    struct lengths lengths;
    struct capabilities capabilities; /* the service's, with these lengths */
    char thread[ADAPTER_ID_MAX + 1];  /* its id at the service; "": not found
                                         yet */
    char moderators_channel[ADAPTER_ID_MAX + 1]; /* "": not found, or nowhere */
    char last_thread[ADAPTER_ID_MAX + 1]; /* the newest game's own; "": it has
                                             none */
    size_t astray;                        /* how many of its tables are */
};

struct tables {
    const struct conf *conf; /* borrowed */
    const struct dealer *dealer;
    struct store *store;
    struct history history;
    struct outbox outbox;
    struct service services[PLACES_MAX];
    struct service_clock clocks[PLACES_MAX]; /* of the services */
    unsigned service_count;
    struct hosted_place places[PLACES_MAX]; /* as in the configuration */
    struct catalogues
        catalogues;      /* of the places' languages, and the players' */
    struct entry **list; /* those that are not over, oldest first */
    size_t table_count, table_room;
    uint64_t added;     /* since the start */
    struct index known; /* entries by their threads, and by who sits there, or
                           moderates */
    struct index by_id, by_feed;
    struct heap timers[PLACES_MAX]; /* entries whose timer runs, by service */
    struct entry *newest, *oldest;  /* of those that are loaded: by last use */
    size_t loaded, loaded_max;
    enum err failed; /* why one could not be loaded */
    struct buf trouble;
    struct feeds feeds;
    struct deferred_post *deferred; /* in the order of their turns */
    size_t deferred_count, deferred_room;
    struct store_game
        *lost; /* games whose key is lost, whose threads are to be told */
    size_t lost_count;
    struct answered *answered; /* people who were answered lately */
    size_t answered_count;
    int64_t games; /* in the store, ended ones too */
    bool ended;    /* a table's game is over: it is to be cleared away */
    bool acted; /* a page or a deadline moved something: for a caller that waits
                   until all is quiet */
};

/* Open the store for hosting and recover every running game.  `secrets`: those
 * of the configuration's accounts, borrowed; NULL if it has none.  `dealer`:
 * dealer_fair, except in a replay.  A game that can't be recovered is held, and
 * this is logged. */
enum err tables_open(struct tables *tables, const struct conf *conf,
                     const struct secrets *secrets, const struct dealer *dealer,
                     struct buf *why) MUST_USE;
void tables_close(struct tables *tables); /* also one that is zeroed */

/* Do the store and the board belong together?  ERR_GARBLED with a sentence if
 * one of them was made anew, or comes from an older backup, without the other:
 * going on would mean another game. */
enum err tables_match(struct tables *tables, struct board *board,
                      struct buf *why) MUST_USE;

/* Take in what was read of a feed.  If the service's clock is ahead of `now`,
 * its time counts instead: no question may open in the service's past. */
enum err tables_take_page(struct tables *tables, struct feed *feed,
                          const struct outcome *outcome, int64_t now,
                          struct buf *why) MUST_USE;

/* Let every deadline fire, and judge every deferred post, whose turn has come
 * by the services' clocks. */
enum err tables_time(struct tables *tables, int64_t now,
                     struct buf *why) MUST_USE;

/* When the next deadline fires, or the next deferred post is judged, by the
 * service's clock, disorder allowed for; 0: none. */
int64_t tables_due(const struct tables *tables);

/* The configured place of that name, and its service; NULL: not there. */
const struct place *tables_place(const struct tables *tables, const char *name);
struct service *tables_service(struct tables *tables, const char *place);

/* The service of a configured place, by its number. */
struct service *tables_service_of(struct tables *tables, unsigned number);

/* Save the adapter states of a finished operation, within a transaction or
 * not. */
enum err tables_save_states(struct tables *tables,
                            const struct service *service,
                            const struct outcome *outcome,
                            struct buf *why) MUST_USE;

/* A configured place was found at its service: from now on it is read. */
enum err tables_found(struct tables *tables, unsigned number,
                      const char *thread, struct buf *why) MUST_USE;

/* The same for the place where its moderators talk. */
enum err tables_found_dm(struct tables *tables, unsigned number,
                         const char *place, struct buf *why) MUST_USE;

/* A place was probed: from now on posts there are as long as it allows. */
void tables_measure(struct tables *tables, unsigned number,
                    const struct outcome *outcome);
/* The thread of a place's game that is neither the place's thread any more nor
 * the game's own: it may have been closed.  NULL: there is none.  Borrowed
 * until the next turn of the loop. */
const char *tables_astray(struct tables *tables, unsigned number);

/* The thread `old` was replaced by the place's: its games go on there. */
enum err tables_moved(struct tables *tables, unsigned number, const char *old,
                      int64_t now, struct buf *why) MUST_USE;

/* Append what the DM is for that a message goes to. */
void tables_topic(struct tables *tables, const struct queued_message *queued,
                  int64_t now, struct buf *topic);

/* Tell the operator of trouble, if the configuration says where.  Within a
 * transaction or not. */
enum err tables_alarm(struct tables *tables, const char *text, int64_t now,
                      struct buf *why) MUST_USE;

/* A user's DM was opened, or found: save it, and read it from now on. */
enum err tables_open_dm(struct tables *tables, struct service *service,
                        const char *user, const char *dm,
                        struct buf *why) MUST_USE;

/* Append the place of a user's DM, and read it from now on at the latest.
 * Nothing if none is known. */
enum err tables_dm(struct tables *tables, struct service *service,
                   const char *user, struct buf *dm, struct buf *why) MUST_USE;

/* The transcript of a game's deal is posted: the cards are dealt.  Within the
 * transaction in which that is saved. */
enum err tables_deal(struct tables *tables, const char *game, int64_t now,
                     struct buf *why) MUST_USE;

/* A private message of a game was not seen, or can't be delivered: tell the
 * game's thread. */
enum err tables_missed(struct tables *tables,
                       const struct queued_message *queued,
                       enum reachability reach, int64_t now,
                       struct buf *why) MUST_USE;

/* ---- calls.c: the time that a question names ----------------------------- */

/* The deadline that a call names if it is delivered now. */
int64_t tables_names(struct tables *tables, const struct queued_message *queued,
                     int64_t now);

/* Does a delivered call name another time than the one that holds now?  Then it
 * must be edited. */
bool tables_misnames(struct tables *tables, const struct queued_message *queued,
                     int64_t now);

/* Append the text of a message with its slots filled: the times that it
 * names. */
void tables_fill(struct tables *tables, const struct queued_message *queued,
                 int64_t now, struct buf *text);

/* A call was delivered at that time, or was refused in private for the first
 * time. Within the transaction in which that is saved. */
enum err tables_called(struct tables *tables,
                       const struct queued_message *queued, bool refused,
                       int64_t at, int64_t now, struct buf *why) MUST_USE;

/* ---- delivery.c: what can't be delivered --------------------------------- */

/* Would it tell who has acted if it were known that a message waits?  In a
 * session it would. */
bool tables_is_secret(const struct tables *tables,
                      const struct queued_message *queued);

/* Append, for the log, which table and place a message belongs to, what it is,
 * and since when it waits. */
void tables_describe(const struct tables *tables,
                     const struct queued_message *queued, struct buf *out);

/* Tell a thread that what could not be delivered for long has arrived. */
enum err tables_works_again(struct tables *tables,
                            const struct queued_message *queued, int64_t now,
                            struct buf *why) MUST_USE;

/* A message waits for a moderator's approval: tell the moderators, and whoever
 * runs the host. */
enum err tables_unapproved(struct tables *tables,
                           const struct queued_message *queued, int64_t now,
                           struct buf *why) MUST_USE;

/* Append the line that stands for a message whose words are refused. */
void tables_say_refused(struct tables *tables,
                        const struct queued_message *queued, int64_t now,
                        struct buf *text);

/* ---- pictures.c: what goes with a message -------------------------------- */

/* Draw the board that goes with a message, as it was when the message was
 * written, in the words of its table; `alt` says what it shows.  Release the
 * picture. */
enum err tables_draw(struct tables *tables, const struct queued_message *queued,
                     int64_t now, struct board_picture *picture,
                     struct buf *alt, struct buf *why) MUST_USE;

/* Make the page that goes with a message: the report of a game that is over. */
enum err tables_report(struct tables *tables,
                       const struct queued_message *queued, int64_t now,
                       struct buf *html, struct buf *why) MUST_USE;

/* A page was asked for in vain, and not by our fault.  Call it before the
 * feed's next_read is set anew. */
void tables_waits(struct feed *feed, int64_t now);

/* A page has come and is not taken in yet.  If it is the first for half an hour
 * or more by the service's clock, tell the games whose thread comes in this
 * feed of the outage, which may move their deadlines
 * (bot/host/judge/outage.h). */
enum err tables_reached(struct tables *tables, struct feed *feed,
                        const struct outcome *outcome, int64_t now,
                        struct buf *why) MUST_USE;

/* A game's own thread was opened; read it from a cursor on ("": from now).
 * Thread "": it can't have one. */
enum err tables_opened(struct tables *tables,
                       const struct queued_message *queued, const char *thread,
                       const char *cursor, int64_t now,
                       struct buf *why) MUST_USE;

/* Is a message still wanted?  A game that has begun needs no thread any more.
 */
bool tables_wants(const struct tables *tables,
                  const struct queued_message *queued);

/* Is a status post to be pinned?  Not where a game soon gets its own thread. */
bool tables_pins(const struct tables *tables,
                 const struct queued_message *queued);

/* Is a feed to be read?  A DM's is while its user sits at a table; that of a
 * game's own thread is during the game, and after it until the place's next
 * game has one. */
bool tables_reads(const struct tables *tables, const struct feed *feed);

/* Does the feed of one user's DM bring an answer that is due in private? */
bool tables_awaits(struct tables *tables, const struct feed *feed);

/* A feed was denied, or is gone; may be called each time.  If it brings a DM,
 * nobody waits for that any more. */
void tables_lose(struct feed *feed, const char *trouble);

#endif
