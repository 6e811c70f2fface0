/*
 * A room whose board has buttons, and people who press them.
 *
 * The board's adapter sends the host's posts as ever; the buttons that go with
 * them are kept here, and nobody can press one that was not sent.  A press
 * comes to the loop as a doorbell would bring it.
 */
#ifndef TESTS_PRESSING_H
#define TESTS_PRESSING_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "tests/support/room.h"

/* What a presser was shown. */
struct shown {
    bool there; /* there was an answer */
    char text[2048];
    struct buttons buttons;
};

struct pressing {
    struct room room;
    struct buttons under;         /* those of the host's newest post with any */
    char role[BUTTON_ID_MAX + 1]; /* under the post that welcomes all */
    struct buttons edited;        /* those that an edit gave to a post last */
    unsigned bared;               /* edits that took all from a post */
    unsigned acknowledged, replied; /* requests so far */
    enum err refuse; /* how acknowledgements fail, so many times */
    unsigned refusals;
    enum err unanswered; /* how answers fail, so many times */
    unsigned failures;
    bool commands;         /* slash commands are offered; set before it opens */
    unsigned registered;   /* requests to register them */
    unsigned taken_away;   /* requests to have none */
    enum err unregistered; /* how they fail */
    bool disordered;       /* posts may come a second late */
    bool unread;           /* pages can't be read now */
    bool mute;             /* posts in the thread can't be sent, or edited */
    const bool *unsaved;   /* MUST be false when a presser is answered, or NULL
                            */
    const char *closed;    /* who takes no private messages, or NULL */
    const char *roles;     /* of whoever presses, a line each, or NULL */
    const char *language;  /* likewise */
    struct shown shown;    /* to the presser who was answered last */
    char to[64];           /* which press that was */
    struct buttons suggested; /* to whoever typed last */
    char changed[1024]; /* roles: "Anna +GIVEN -TAKEN\n"; may be cleared */
};

/* There is one at a time.  Settings may be set between the two. */
struct pressing *pressing_new(void);
void pressing_open(struct pressing *pressing);
/* The host dies, and is started again. */
void pressing_reopen(struct pressing *pressing);
/* The doorbell by which presses come listens, or does not, from now on; before,
 * there is none. */
void pressing_hears(struct pressing *pressing, bool hears);
void pressing_free(struct pressing *pressing);

/* A button of the newest post, or of the newest answer, by its label; the test
 * fails if it is not there. */
const char *pressing_button(const struct pressing *pressing, const char *label);
const char *pressing_answer(const struct pressing *pressing, const char *label);

/* Somebody presses a button, by its id: the loop is told, and nothing else is
 * done.  The press has that id and time. */
void pressing_comes(struct pressing *pressing, const char *press,
                    const char *who, const char *button, int64_t stamp);

/* The same a second after the last thing done; the host settles.  *shown: what
 * the presser was answered. */
void pressing_press(struct pressing *pressing, const char *who,
                    const char *button);

/* Somebody gives a slash command, "/vote ja" a second after the last thing
 * done, in the thread or elsewhere; or types it.  The host settles. */
void pressing_slash(struct pressing *pressing, const char *who,
                    const char *body);
void pressing_slash_in(struct pressing *pressing, const char *channel,
                       const char *who, const char *body);
void pressing_types(struct pressing *pressing, const char *who,
                    const char *body);

/* Press a button of the newest post by its label, and confirm it. */
void pressing_act(struct pressing *pressing, const char *who,
                  const char *label);

#endif
