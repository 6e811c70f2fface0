/*
 * A scripted player: what the host's posts ask for, as people read it, and what
 * is answered.  It knows the words alone, whatever service shows them; how an
 * answer is posted is up to the caller.
 *
 * Players know each other's roles, and play for six fascist policies without
 * Hitler as chancellor, so that every kind of question comes.
 */
#ifndef TESTS_PLAYER_H
#define TESTS_PLAYER_H

#include <stdbool.h>
#include <stddef.h>

/* Pieces of the host's sentences in their full form (style = "full"), in a
 * language and a theme, and the words that are written to it. */
struct phrases {
    const char *candidate;               /* behind a name */
    const char *possible, * or ;         /* before names, before the last */
    const char *names, *as;              /* round the second name of a vote */
    const char *secret, *session, *veto; /* in what is asked, or told */
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
extern const struct phrases phrases_english;

enum task_kind {
    TASK_NOTHING,
    /* In public. */
    TASK_NOMINEE,  /* `who` names one of `list` */
    TASK_TARGET,   /* `who` chooses one of `list`, for a power */
    TASK_VOTE,     /* all vote on `president` and `chancellor` */
    TASK_SECRETLY, /* the same, but in private */
    TASK_VETO,     /* the president answers */
    TASK_SESSION,  /* nothing in public: the government is in session */
    TASK_OVER,     /* nothing any more: the game has ended */
    /* In private; there is an `answer`. */
    TASK_WORD, /* for the ready check: to be posted in public, in bold */
    TASK_DISCARD,
    TASK_ENACT,
    TASK_BALLOT, /* no answer: it is the caller's choice */
};

struct task {
    enum task_kind kind;
    char who[64], president[64], chancellor[64], executed[64];
    char list[1024]; /* "A, B, C" */
    char answer[64];
};

/* Read a public post.  A question that is not complete yet is none. */
void player_read(const char *text, const struct phrases *phrases,
                 struct task *task);

/* Read a private message. */
void player_read_private(const char *text, const struct phrases *phrases,
                         struct task *task);

/* Choose of "A, B, C" who is worth most to be named, the first of several;
 * `worth` of a name is 0 for nobody who may be named.  Fails the test if there
 * is nobody. */
void player_choose(const char *list,
                   unsigned (*worth)(const void *context, const char *name),
                   const void *context, char chosen[64]);

/* Copy the text between two others; "" where they are not there. */
void player_between(const char *text, const char *before, const char *behind,
                    char *out, size_t size);

#endif
