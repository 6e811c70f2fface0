/*
 * The board's file: posts, reactions, threads, and what may be written in them.
 * board_server.c serves requests from it, and is the only other file that
 * includes this.  The functions for people (board_write, board_read) are in
 * board_file.c too.
 */
#ifndef ADAPTERS_BOARD_BOARD_FILE_H
#define ADAPTERS_BOARD_BOARD_FILE_H

#include "adapters/board/board_server.h"
#include "bot/base/db.h"

enum {
    BOARD_DIGITS_MAX = 18 /* digits of a number that always fits */
};

struct board {
    struct db *db;
};

/* Is it UTF-8 of 1 to `max` bytes, without control characters unless they are
 * allowed? */
bool board_is_text(const char *text, size_t max, bool controls);

bool board_is_name(const char *name);

/* Is it the name of a thread, open or not?  Of a thread, a DM or a gallery? */
bool board_is_thread(const char *place);
bool board_is_place(const char *place);

/* Append the place of a DM with a user. */
void board_dm(const char *user, struct buf *place);

/* A post to write. */
struct board_draft {
    const char *author, *place, *text;
    const char *key; /* NULL: none */
    int64_t reply;   /* id of the post it answers; 0: none */
};

/* May it be written?  ERR_FULL: it is too long; ERR_CONFIG: it is no valid
 * post. */
enum err board_check_draft(const struct board_draft *draft,
                           struct buf *why) MUST_USE;
enum err board_check_text(const char *text, struct buf *why) MUST_USE;

/* The board's clock: never behind the newest post. */
int64_t board_time(struct board *board, int64_t now);

/* Add a post, or find the one that its author already sent with this key; in a
 * transaction of its own. */
enum err board_add(struct board *board, const struct board_draft *draft,
                   int64_t now, int64_t *id, int64_t *time,
                   struct buf *why) MUST_USE;

/* The post that an author sent with a key; 0: none. */
int64_t board_find_key(struct board *board, const char *author,
                       const char *key);

/* Does a place exist that people can post in? */
bool board_has_place(struct board *board, const char *place);

/* Open a thread, or find the one that was opened with this key: its number. */
int64_t board_open_thread(struct board *board, const char *title,
                          const char *key);

/* The same with a gallery, and let a user in. */
int64_t board_open_gallery(struct board *board, const char *title,
                           const char *key, const char *user);

/* Was a user let into a gallery? */
bool board_is_member(struct board *board, const char *gallery,
                     const char *user);

/* Of a row of `posts`: can the user ?2 see its place, or all (?3)? */
#define BOARD_VISIBLE                                                          \
    "(?3 OR place LIKE 'thread%' OR place = 'talk/' || ?2"                     \
    " OR EXISTS (SELECT 1 FROM members WHERE gallery = place AND user = ?2))"

/* What has failed of the file; it is given up. */
enum err board_err(struct board *board, struct buf *why) MUST_USE;

#endif
