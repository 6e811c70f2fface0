/*
 * The embedded board: a forum in this process, in a SQLite file of its own.  It
 * has one main thread, a thread for each game that the host opens one for, and
 * DMs.  It is a service like any other: the host reaches it only through its
 * adapter's requests (scheme `board:`), people with `placard post`, `placard
 * thread` and `placard play`.
 *
 * Post ids are one rising number across threads and DMs.  Posts are kept for
 * ever: a deleted post is hidden, and the first version of an edited one is
 * kept. Several processes may serve one file at a time (SQLite's locks); each
 * request that writes is one transaction.
 *
 * Requests (bodies and replies are JSON; errors {"error": sentence}):
 *   GET    board:/who                       {id, name, time}: the caller
 *   GET    board:/posts?after=ID&limit=N    {posts: [...], more, time}
 *   POST   board:/posts {place, text, key}  {id, time}: the same key of the
 *          same author twice gives the first one's id and posts nothing;
 *          without a key (absent or "") it always posts
 *   PUT    board:/posts/ID {text}           {time}: own posts only
 *   DELETE board:/posts/ID                  {time}: hides it; the host alone
 *   POST   board:/posts/ID/reactions {text} {time}: once per author and text
 *   GET    board:/keys/KEY                  {id, time}: own; 0 if none
 *   POST   board:/dms {user}                {place, time}
 *   POST   board:/threads {title, key}      {place, time}: the host alone; the
 *          same key twice gives the first one
 *   POST   board:/galleries {title, key, user} {place, time}: the host alone;
 *          the same, of a gallery, and lets that user into it
 * A post is {id, place, author, text, stamp, edited, reply}; `edited` is 0 if
 * it never was, `reply` the id of the post that it answers, 0 or absent if
 * none.  Places are "thread", "thread/1" and so on (those that were opened),
 * the DMs "talk/USER", and the galleries "gallery/1" and so on.  The author is
 * the caller (below).  `time` is the board's clock: later posts get this stamp
 * or a later one, as far as their writer's clock agrees.  A page ends at N
 * posts (at most 100), or earlier if they are long; `more`: there are more
 * posts.
 *
 * Limits: a text has 1 to 65,536 bytes of UTF-8 without NUL, a user's name 1 to
 * 250 bytes without control characters, and is not "*"; a key or a reaction has
 * 1 to 64 bytes.  Parts of a path are percent-encoded UTF-8.
 */
#ifndef ADAPTERS_BOARD_BOARD_SERVER_H
#define ADAPTERS_BOARD_BOARD_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"

#define BOARD_HOST "placard" /* the host's user id on the board */

struct board;

enum {
    BOARD_PAGE_MAX = 100,   /* posts */
    BOARD_TEXT_MAX = 65536, /* bytes */
    BOARD_NAME_MAX =
        250, /* bytes: with "talk/" before it, it must fit in an id */
    BOARD_SHORT_MAX = 64, /* bytes of a key or a reaction */
};

/* Open a board's file, creating it if `create` (else ERR_GONE if it is
 * missing); owned. */
enum err board_open(const char *path, bool create, struct board **board,
                    struct buf *why) MUST_USE;
void board_close(struct board *board);

/*
 * Serve a request of user `caller` at the time `now` (ms): stamps come from it,
 * but are never earlier than the newest post's.  Fills in the status, and puts
 * the body into `body` (reply->body points there until it changes).  A user
 * other than the host can read and write only the threads, their own DM and the
 * galleries they were let into.
 */
void board_serve(struct board *board, const char *caller, int64_t now,
                 const struct request *request, struct buf *body,
                 struct reply *reply);

/* A post as a reader of the board sees it. */
struct board_post {
    int64_t id, stamp, edited;
    const char *place, *author, *text; /* borrowed for the callback */
    const char *reactions;             /* "✓ by placard", … or "" */
    int64_t reply;                     /* id of the post it answers; 0: none */
};

/* Call `each` for every post after id `after`, oldest first: those in threads,
 * and in DMs and galleries (`dms`: the user's, NULL: none, "*": all), without
 * deleted ones.
 * `each` MUST NOT call the board. */
enum err board_read(struct board *board, int64_t after, const char *dms,
                    void (*each)(void *context, const struct board_post *post),
                    void *context, struct buf *why) MUST_USE;

/* Post as a person, in their DM or in the thread that was opened last; with a
 * key (or NULL) as in POST above.  `id` may be NULL.  ERR_CONFIG: not a name,
 * or the host's; ERR_FULL: the text is too long. */
enum err board_write(struct board *board, const char *author, bool in_private,
                     const char *text, const char *key, int64_t now,
                     int64_t *id, struct buf *why) MUST_USE;

/* The same, in a thread ("thread", "thread/2"), or a gallery that the author
 * was let into; ERR_GONE: there is none. */
enum err board_write_in(struct board *board, const char *author,
                        const char *thread, const char *text, const char *key,
                        int64_t now, int64_t *id, struct buf *why) MUST_USE;

/* The same, in answer to a post that the author can see, and there;
 * ERR_GONE: there is no such post. */
enum err board_reply(struct board *board, const char *author, int64_t reply,
                     const char *text, int64_t now, int64_t *id,
                     struct buf *why) MUST_USE;

/* Append the title of a thread; the main thread has none. */
enum err board_title(struct board *board, const char *thread, struct buf *title,
                     struct buf *why) MUST_USE;

/* The latest stamp on the board; 0 if it is empty. */
enum err board_latest(struct board *board, int64_t *stamp,
                      struct buf *why) MUST_USE;

/* The stamp of the newest post, 0 if the board is empty.  If its clock was
 * wrong for a time, other posts may have later stamps. */
enum err board_newest(struct board *board, int64_t *stamp,
                      struct buf *why) MUST_USE;

#endif
