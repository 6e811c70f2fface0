/*
 * Messages: what the host sends, from when it is written until it is sent.
 */
#ifndef BOT_HOST_TABLE_MESSAGE_H
#define BOT_HOST_TABLE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_kind {
    MESSAGE_POST,       /* into the game's thread */
    MESSAGE_PRIVATE,    /* to a user, in their DM */
    MESSAGE_STATUS,     /* the status post: sent once, then edited in place */
    MESSAGE_REACT,      /* a reaction to somebody's post */
    MESSAGE_DELETE,     /* somebody's post is deleted */
    MESSAGE_TRANSCRIPT, /* into the game's thread; the deal waits until it is
                          sent */
    MESSAGE_OPEN,   /* a thread is opened for the game, once the status post is
                       where the game was called for */
    MESSAGE_LOCK,   /* somebody's post is locked against edits */
    MESSAGE_INVITE, /* a user is let into the game's gallery, which is opened
                       for the first of them */
    MESSAGE_BARE,   /* the buttons go from a post of ours: its question is
                       settled */
};

/* In a message's pings: everybody in the place; who has the role of that id. */
#define PINGS_ALL  "*"
#define PINGS_ROLE '&'

/* What to do with a message that was said before (same `once`). */
enum message_again {
    AGAIN_DROP,
    AGAIN_PRIVATE,
    AGAIN_POST, /* say it all the same */
    AGAIN_EDIT, /* the post that said it says this instead; if it was not said
                   before, say nothing */
    AGAIN_ATTEMPT, /* a post: say it again, three times at most; within a minute
                      of the last time as AGAIN_EDIT, if the service can */
};

/* No game has so many questions. */
enum {
    CALLS_READY = 0x7fffffff,
    ABOUT_SEAT = CALLS_READY - 1
};

/* Texts are owned: release with message_release, which wipes the text. */
struct message {
    enum message_kind kind;
    char *text;  /* in the place's dialect; MESSAGE_REACT: the emoji;
                    MESSAGE_OPEN, MESSAGE_INVITE: the title */
    char *user;  /* MESSAGE_PRIVATE: to whom; MESSAGE_INVITE: who; or NULL */
    char *post;  /* MESSAGE_REACT, MESSAGE_DELETE, MESSAGE_LOCK, MESSAGE_BARE:
                    which, at `place`; a question to the moderators: the asker */
    char *place; /* of that post, or where it goes; NULL: the game's thread */
    char *pings; /* whom it notifies, a line each: the ids of those it mentions,
                    PINGS_ALL, or PINGS_ROLE and the id of a role;
                    NULL: nobody */
    char *once;  /* a name for what may be said only once, or NULL */
    char *report; /* the report of this game, which is over, goes with it; NULL:
                     none does */
    enum message_again again;
    bool follows; /* it continues the message before it, and shares its fate:
                     all but kind, text and pings are the other's */
    bool waits; /* until the private messages written with it are sent, and the
                   status post, if there was none; an answer: until the results
                   before it are sent */
    bool reply; /* to a press: its presser alone sees it, and it is not saved */
    bool picture; /* with one of the board as it is when this is written; drawn
                     when it is sent */
    int64_t not_after; /* of no use from then on; 0: never */
    int64_t written;   /* when; by the service's clock */
    unsigned calls;    /* the number of the question that it asks; CALLS_READY:
                          the ready check, or its sign-up that is open again;
                          0: none */
    unsigned about;    /* of one that asks nothing: the number of the question
                          with which it ends; ABOUT_SEAT: it is for its reader
                          as long as they have their seat; 0: neither */
    int64_t deadline;  /* the deadline that its slots name, as of when this was
                          written; 0: it has no slot */
};

void message_release(struct message *message);

#endif
