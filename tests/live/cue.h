/*
 * What a post of the host asks for, as players read it: its words alone,
 * whatever service shows them.
 */
#ifndef TESTS_LIVE_CUE_H
#define TESTS_LIVE_CUE_H

#include <stddef.h>

/* What the host is understood by in a language and a theme: pieces of its
 * sentences, and the words that are written to it. */
struct tongue {
    const char *candidate, *possible;    /* before a name, before names */
    const char *shall, *with, *govern;   /* round the names of a vote */
    const char *secret, *session, *veto; /* in what is called */
    const char *powers[3];               /* behind who uses one */
    const char *executes, *voted;
    const char *ends[2];         /* in the last post, and in no other */
    const char *show, *hitler;   /* in private: the ready check, a role */
    const char *hand, *handed;   /* the president's, the chancellor's */
    const char *ballot;          /* asked in private */
    const char *liberal;         /* a card */
    const char *fascist;         /* a card */
    const char *discard;         /* as it is written */
    const char *enact;           /* as it is written */
    const char *ja[3], *nein[3]; /* as people write them */
    const char *declined;
};
extern const struct tongue tongue_english;

enum cue_kind {
    CUE_NONE,
    CUE_ROUND,   /* `who` names one of `list` */
    CUE_POWER,   /* `who` chooses one of `list` */
    CUE_VOTE,    /* all vote on `president` and `chancellor` */
    CUE_SECRET,  /* the same, in private */
    CUE_VETO,    /* the president answers */
    CUE_SESSION, /* nothing is asked in public */
    CUE_OVER,    /* the game has ended */
};

struct cue {
    enum cue_kind kind;
    char who[64], president[64], chancellor[64], executed[64];
    char list[1024]; /* "A, B, C" */
};

/* Read a public post. */
void cue_read(const char *text, const struct tongue *tongue, struct cue *cue);

/* What a DM asks for. */
enum cue_private {
    PRIVATE_NONE,
    PRIVATE_WORD,    /* the ready check: its last word, in bold */
    PRIVATE_DISCARD, /* of three cards */
    PRIVATE_ENACT,   /* of two */
    PRIVATE_BALLOT,
};
enum cue_private cue_private(const char *text, const struct tongue *tongue);

/* The number of the first card of that party in "1 Fascist\n2 Liberal"; 1 where
 * there is none. */
unsigned cue_card(const char *text, const char *party);

/* Copy the text between two others; "" where they are not there. */
void cue_between(const char *text, const char *before, const char *behind,
                 char *out, size_t size);

#endif
