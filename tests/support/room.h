/*
 * A host to test with: a stage (bot/local/stage.h) in a folder of its own,
 * at a clock that stands still, with a dealer whose cards are known.
 *
 * The cast is that of tests/support/engine_game.h: Hitler sits in the last
 * seat, the fascists in those before it, seat 0 is the first candidate. Players
 * sign up as Anna, Bob, Carl, Dora, Emil, Frida, Gert, Hanna, Ida, Jan; Mo
 * opens the tables.  What a person does is done a second after the last, and
 * the host settles after it.  Nothing here may fail: every error is asserted.
 */
#ifndef TESTS_ROOM_H
#define TESTS_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bot/base/db.h"
#include "bot/local/stage.h"

/* A post as somebody sees it: the visible text, without marks and without
 * U+200B.  Strings are owned by the room. */
struct seen_post {
    int64_t id, stamp, edited;
    char *place, *author, *raw, *text, *reactions;
};

struct room {
    char folder[64];
    struct stage *stage; /* NULL: closed */
    int64_t now;         /* where the clock stood when it was closed */
    struct settings settings;
    const char *publish; /* of the place */
    struct buf why;
    /* For the dealer: the top of the deck (the rest lies beneath it, liberal
     * tiles first; after a reshuffle they alternate), `lot`, what lots draw,
     * and a cast. */
    const char *deck;
    unsigned lot;
    const struct command *cast;
    seat_set silent; /* random players who never come */
    bool prompt;     /* random players never let their time run out */
    bool fair;       /* the fair deal, from a seed */
    const char *seed;
    const char *thread; /* in which the host is listened to */
    bool no_leaps;      /* while it is shut the host is away */
    bool checks;        /* all is checked when it is opened, as by `play` */
    bool keeps_log;     /* it is looked at what the host logs (caught_log.h) */
    struct buf log;     /* which is here then */
    struct seen_post *posts; /* as hall_read left them */
    size_t post_count, post_room;
};

/* ---- opening ------------------------------------------------------------- */

/* Make the folder.  Settings may be set from here to hall_open. */
void room_init(struct room *room);
void room_set(struct room *room, const char *key, const char *value);
void room_open(struct room *room);

/* Have the open host say this template for a key that there is. */
void room_word(struct room *room, const char *key, const char *template);

/* Close the host as it stands (a crash), and open it again. */
void room_shut(struct room *room);
void room_reopen(struct room *room);

/* Close it and remove the folder. */
void room_release(struct room *room);

/* The path of a file in the folder, borrowed until the fourth call from here.
 */
const char *room_path(const struct room *room, const char *name);

/* Run SQL on store.db or board.db: change something while no host runs; or ask
 * for a number.  In the store, opened(place, value) is the text of a sealed
 * value, and closed(place, text) such a value. */
sqlite3 *room_open_file(const struct room *room, const char *file);
void room_alter(const struct room *room, const char *file, const char *sql);
int64_t room_query(const struct room *room, const char *file, const char *sql);

/* Columns of the store that are sealed, as text; and what sets them. */
#define SQL_ROW(part)                                                          \
    "'game '||game||': row '||row||' of its journal (" part ")'"
#define SQL_MOVE            "opened(" SQL_ROW("move") ", move)"
#define SQL_LINES           "opened(" SQL_ROW("lines") ", lines)"
#define SQL_SET_MOVE(text)  "move = closed(" SQL_ROW("move") ", " text ")"
#define SQL_SET_LINES(text) "lines = closed(" SQL_ROW("lines") ", " text ")"
#define SQL_PART(what, column)                                                 \
    "||'" what "'||length(CAST(coalesce(" column ", '') AS BLOB))||':'"        \
    "||coalesce(" column ", '')"
#define SQL_MESSAGE                                                            \
    "'message '||id||', kind '||kind" SQL_PART(", to ", "user")                \
        SQL_PART(", at ", "place") SQL_PART(", in ", "thread")                 \
            SQL_PART(", on ", "post") SQL_PART(" in ", "post_place")
#define SQL_TEXT           "opened(" SQL_MESSAGE ", text)"
#define SQL_SET_TEXT(text) "text = closed(" SQL_MESSAGE ", " text ")"
#define SQL_DELIVERY                                                           \
    "opened('the delivery of message '||id||', '" SQL_PART("at ", "place")     \
        SQL_PART(", in ", "thread") ", delivery)"
/* The posts that were read, with the names of their places. */
#define SQL_POSTS                                                              \
    "(SELECT service, post_place.place, id, author, stamp, verdict,"           \
    " fingerprint FROM post JOIN post_place ON number = post.place)"
#define SQL_VERDICT                                                            \
    "opened(service||': how post '||id||' in '||place||' was read', verdict)"
#define SQL_STATE "opened(service||': the adapter state '||key, value)"

/* ---- what people do ------------------------------------------------------ */

/* Post in the newest thread, or write to the host, and let the host settle. */
void room_says(struct room *room, const char *who, const char *text);
void room_tells(struct room *room, const char *who, const char *text);

/* Post in a thread of that name, "thread/2". */
void room_says_in(struct room *room, const char *thread, const char *who,
                  const char *text);

/* The same, but the host is not there. */
void room_posts(struct room *room, const char *who, const char *text);
void room_writes(struct room *room, const char *who, const char *text);

void room_settle(struct room *room);

/* Hand the tables a page with one post that is not on the board: as the service
 * might deliver it, late, edited or again. */
struct odd_post {
    const char *id, *who, *text;
    const char *place;    /* the thread's name; NULL: "thread" */
    const char *reply_to; /* or NULL */
    const char *shown;    /* what they call themselves; NULL: `who` */
    int64_t stamp, edited;
    int64_t member; /* the number of who has written it; 0: none */
    bool dm, company, own, machine, pending;
    bool nameless; /* it doesn't say who it is by */
    enum post_kind kind;
};
void room_delivers(struct room *room, const struct odd_post *odd);

/* Move the clock on, and settle. */
void room_waits(struct room *room, int64_t time);

/* Move the clock to the next deadline, which MUST be there, and settle. */
void room_expires(struct room *room);

/* ---- the game ------------------------------------------------------------ */

/* The table that is on (asserted), and its game. */
const struct table *room_table(const struct room *room);
const struct game *room_game(const struct room *room);

/* The name of the n-th to sign up, of a seat, of who is awaited (first). */
const char *room_player(unsigned number);
const char *room_name(const struct room *room, unsigned seat);
const char *room_awaited(const struct room *room);

/* Mo opens a table for so many, who join: it begins. */
void room_begin(struct room *room, unsigned players);

/* The candidate names, or the president's power is used upon, a seat. */
void room_names(struct room *room, unsigned seat);

/* All who are awaited vote alike, in seat order, until the vote is closed. */
void room_votes(struct room *room, bool ja);

/* A chancellor is named and elected. */
void room_elects(struct room *room, unsigned chancellor);

/* The first eligible seat is named and rejected. */
void room_rejects(struct room *room);

/* The president discards a policy of this colour, the chancellor enacts one:
 * it MUST be there. */
void room_discards(struct room *room, bool liberal);
void room_enacts(struct room *room, bool liberal);

/* Elect a chancellor, then this policy is enacted. */
void room_governs(struct room *room, unsigned chancellor, bool liberal);

/* The first who can be named and is not Hitler. */
unsigned room_choice(const struct room *room);

/* Govern, with the first eligible chancellor who is not Hitler, until so many
 * fascist policies are out; powers are used upon the first who can be. */
void room_govern_to(struct room *room, unsigned fascist);

/* ---- random players ------------------------------------------------------ */

/* Dice. */
struct dice {
    uint64_t state;
};
unsigned dice_below(struct dice *dice, unsigned bound);
unsigned dice_seat(struct dice *dice, seat_set seats);

/*
 * Somebody who is awaited does something legal, as people write it, at times
 * with talk around it; or the clock moves to the next deadline.  The host does
 * not settle.  False: no table is on.
 */
bool room_improvise(struct room *room, struct dice *dice);

/* ---- what is to be seen -------------------------------------------------- */

/* Read the whole board into room->posts. */
void room_read(struct room *room);

/* The host's newest post in the thread, or in somebody's talk: its text, ""
 * without any.  Borrowed until the board is read again. */
const char *room_said(struct room *room);
const char *room_told(struct room *room, const char *who);

/* How many of the host's posts in the thread, or in somebody's talk, hold a
 * text ("": all). */
unsigned room_count_said(struct room *room, const char *text);
unsigned room_count_told(struct room *room, const char *who, const char *text);

/* The newest status post. */
const struct seen_post *room_status(struct room *room);

/* The record of a game as the store has it. */
void room_record(struct room *room, const char *game, struct buf *out);

/* Everything of one place as text: author and text of each post, with
 * reactions, status posts as they stand. */
void room_transcript(struct room *room, const char *place, struct buf *out);

/* ---- small things -------------------------------------------------------- */

/* Copy a text into an array of chars. */
#define TEXT_COPY(array, text)                                                 \
    ((void)snprintf((array), sizeof(array), "%s", (text)))

/* Append a text without the U+200B that writers put in. */
void add_without_guards(const char *text, size_t len, struct buf *out);

/* The text that a reader of this post sees, appended. */
void visible_text(const char *raw, struct buf *out);

/* Does one text hold another?  Else the test fails and shows both. */
void assert_holds(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);

#endif
