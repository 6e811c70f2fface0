/*
 * What the files of plays share; nobody else includes it.
 *
 * plays.c reads the lines and does what they say; plays_mishaps.c has what goes
 * wrong; plays_host.c is where a play is performed: its host, its clock, its
 * chance, and who was told what; plays_checks.c compares; plays_facts.c
 * compares what was said last with the game.  Functions that return bool return
 * false once something was wrong and the fault has been reported.
 */
#ifndef TESTS_PLAYS_INNER_H
#define TESTS_PLAYS_INNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/local/stage.h"
#include "tests/support/plays.h"
#include "tests/support/room.h"

enum {
    WORD_MAX = 32,   /* bytes of a name or a keyword */
    WORDS_MAX = 16,  /* of a line that is split */
    CHANCES_MAX = 8, /* reshuffles and lots that wait to be drawn */
    ANSWERS_MAX = PLAYERS_MAX + 4
};

/* The place of a play, where its table is opened; the game itself is there,
 * too, unless it has a thread of its own. */
#define PLAY_PLACE   "thread"
#define PLAY_GALLERY "gallery/1"

/* What the last act brought from the host in one place: a post a line, all
 * white space folded. */
struct answers {
    char place[WORD_MAX + 6];
    struct buf said;
    size_t found; /* where the text that was found last ends */
};

struct play {
    const char *file;
    unsigned line;
    bool restarts;
    struct performance *out;

    char players[PLAYERS_MAX][WORD_MAX];
    unsigned player_count;
    char signup[8];      /* how many may play, where they join by and by; "" */
    struct command deal; /* with the top of the deck, and what is below it */
    char reshuffles[CHANCES_MAX][TILES + 1];
    unsigned reshuffle_count, reshuffle_next;
    unsigned lots[CHANCES_MAX];
    unsigned lots_count, lots_next;
    const char *mischance; /* why chance could not be as told; or NULL */

    enum trouble {
        TROUBLE_NONE,
        TROUBLE_HOST,    /* it is away */
        TROUBLE_SERVICE, /* it does not answer */
    } trouble;
    bool was_away;                       /* the host is coming back */
    char blocked[PLAYERS_MAX][WORD_MAX]; /* whom DMs don't reach */
    unsigned blocked_count;

    enum twin {
        TWIN_NONE,
        TWIN_EARLY,
        TWIN_LATE
    } twin;
    struct dice dice; /* of twins */
    struct buf log;   /* of one: what was logged, and when */
    char held[64];    /* what the late one holds back; "": nothing */
    char holder[WORD_MAX];

    char folder[256];
    struct settings settings;
    char publish[8];           /* of the place; "": as by default */
    struct stage *stage;       /* NULL: closed */
    int64_t now;               /* where its clock stood when it was closed */
    char id[TABLE_ID_MAX + 1]; /* of the game; "": not begun */
    char thread[ADAPTER_ID_MAX + 1]; /* as of play_thread; "": unknown */
    bool ended;                      /* there was an `end` */
    char writer[WORD_MAX];           /* who last wrote in private */

    int64_t newest; /* the newest post that was looked at */
    int64_t status; /* the status post */
    struct answers answers[ANSWERS_MAX];
    unsigned answers_count;
    struct buf record;   /* its lines so far */
    size_t record_act;   /* where those of the last act begin */
    size_t record_found; /* where the line that was found last ends */
};

/* ---- plays.c ------------------------------------------------------------- */

/* Tell what is wrong, once; answers false. */
bool play_fault(struct play *play, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The world failed; answers whether it did not, and releases `why`. */
bool play_works(struct play *play, enum err err, struct buf *why);

/* Split a line in place at its blanks; 0: there are too many words. */
unsigned play_split(char *text, char *words[WORDS_MAX]);

/* ---- plays_host.c ------------------------------------------------------- */

/* Lay tiles, "FFL…", on top and all others that are due beneath them, liberal
 * ones first; false: not so many are due. */
bool play_tiles(const char *top, unsigned liberal, unsigned fascist,
                struct pile *tiles);

/* Open a host in the play's folder, which is made; close it; remove the
 * folder. */
bool play_open(struct play *play);
void play_close(struct play *play);
void play_clear(struct play *play);

/* Of twins: keep what was logged just now. */
void play_catch_log(struct play *play);

/* Post as somebody, at the time that it is, and let the host answer. */
bool play_post(struct play *play, const char *who, bool in_private,
               const char *text);

/* The same in the place, if the game has a thread of its own; or in its
 * gallery. */
bool play_post_in(struct play *play, const char *place, const char *who,
                  const char *text);

/* The thread of the game.  Borrowed until something is posted. */
const char *play_thread(struct play *play);

/* Move the clock on, and let the host do what is due. */
bool play_jump(struct play *play, int64_t time);

/* The game, if it is running, or NULL.  Borrowed until something is posted. */
const struct game *play_game(const struct play *play);

/* An act begins: what the last one brought is past. */
void play_begin_act(struct play *play);

/* It has ended: read what it brought. */
bool play_end_act(struct play *play);

/* What was said in a place, NULL if there is no more room. */
struct answers *play_answers(struct play *play, const char *place);

/* Append what people see of a post, as one line. */
void play_add_visible(const char *raw, struct buf *out);

/* ---- plays_mishaps.c ----------------------------------------------------- */

/* Let the stage's service have the play's troubles. */
void play_trouble(struct play *play);

/* Time passes in trouble. */
bool play_pass_time(struct play *play, int64_t time);

bool act_host(struct play *play, char *rest);
bool act_service(struct play *play, char *rest);
bool act_blocks(struct play *play, char *rest);
bool act_unblocks(struct play *play, char *rest);

/* ---- plays_twins.c ------------------------------------------------------- */

/* Are the cards of a government out? */
bool play_in_session(const struct play *play);

/* Of twins: let others be at work in a session. */
bool play_disturb(struct play *play);

/* A line of a twin is next. */
bool play_before_line(struct play *play, const char *line);

/* Is this private message held back? */
bool play_holds_back(struct play *play, const char *who, const char *text);

/* What was held back comes now. */
bool play_let_go(struct play *play);

/* ---- plays_facts.c ------------------------------------------------------- */

/* Check that what the thread says last of each matter is still so: the
 * majority, who is left, who can be chosen, who is missing, the deadline, the
 * tracker, the piles and the policies. */
bool play_check_facts(struct play *play);

/* ---- plays_checks.c ------------------------------------------------------ */

/* Check whether the last act has brought a text from the host in a place. */
bool play_check_answers(struct play *play, const char *place, bool wanted,
                        const char *text);

/* Check the status post as it stands. */
bool play_check_status(struct play *play, bool wanted, const char *text);

/* Check what the host has posted in the place, as it stands. */
bool play_check_place(struct play *play, bool wanted, const char *text);

/* Check whether the last act has brought a line, "event key=value …". */
bool play_check_record(struct play *play, bool wanted, const char *told);

/* Check that the last act has ended the game so. */
bool play_check_end(struct play *play, const char *winner, const char *reason);

#endif
