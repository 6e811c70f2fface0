/*
 * Letters: what the host sends, from when it is written until it is sent.
 */
#ifndef BOT_HOST_TABLE_MESSAGE_H
#define BOT_HOST_TABLE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum letter_kind {
    LETTER_POST,       /* into the game's thread */
    LETTER_PRIVATE,    /* to a user, in their private talk */
    LETTER_STATUS,     /* the status post: sent once, then edited in place */
    LETTER_REACT,      /* a reaction to somebody's post */
    LETTER_DELETE,     /* somebody's post is deleted */
    LETTER_TRANSCRIPT, /* into the game's thread; the deal waits until it is
                          sent */
    LETTER_OPEN,       /* a thread of its own is opened for the game, once the
                          status post stands where it was called for */
    LETTER_LOCK,       /* somebody's post is locked against edits */
};

/* What to do with a letter that has been said before (same `once`). */
enum letter_again {
    AGAIN_DROP,
    AGAIN_PRIVATE,
    AGAIN_POST, /* it is said all the same */
};

/* Texts are owned: release with letter_release, which wipes the text. */
struct letter {
    enum letter_kind kind;
    char *text;   /* in the place's dialect; of LETTER_REACT: the emoji; of
                     LETTER_OPEN: the title */
    char *user;   /* LETTER_PRIVATE: to whom; or NULL */
    char *post;   /* LETTER_REACT, LETTER_DELETE, LETTER_LOCK: which; its place
                     is `place`; of a question to the moderators: the user who
                     asks */
    char *place;  /* of that post, or where it goes; NULL: the game's thread */
    char *rings;  /* whom it rings, ids each ended by LF: those it mentions;
                     NULL: nobody */
    char *once;   /* what may be said once only, or NULL */
    char *report; /* the page of this game, which is over, goes with it; NULL:
                     none does */
    enum letter_again again;
    bool follows;      /* it goes on with the letter before it, and shares its
                          fate: all but kind, text and rings are the other's */
    bool waits;        /* until the private ones written with it are sent */
    bool picture;      /* with one of the board as it is when this is written;
                          drawn when it is sent */
    int64_t not_after; /* useless from then on; 0: never */
    int64_t written;   /* when; by the host's clock */
    unsigned calls;    /* the number of the question that it asks; 0: none */
    int64_t deadline;  /* the deadline that its slots name, as it was when this
                          was written; 0: it has no slot */
};

void letter_release(struct letter *letter);

#endif
