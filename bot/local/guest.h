/*
 * The guest: the person at a local table, what they are shown and what they
 * type.
 *
 * They read the thread and the DM of their seat; if no person has a seat, all
 * DMs. What they type is posted as they typed it, in the thread or, while the
 * host waits for a private answer, in their DM.  Lines that begin with a slash
 * are for the play itself.
 */
#ifndef BOT_LOCAL_GUEST_H
#define BOT_LOCAL_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/local/prompt.h"
#include "bot/local/screen.h"
#include "bot/local/sim_table.h"

struct guest {
    struct sim_table *sim_table; /* borrowed */
    struct screen screen;
    struct prompt prompt;
    bool reads_all;   /* no person has a seat: everybody's DMs */
    int64_t shown;    /* id of the last post that was looked at */
    int64_t since;    /* posts with an earlier stamp are skipped */
    unsigned updates; /* posts shown in the last step */
    uint32_t spoken;  /* the round about whose session they may have spoken */
    bool leaves;      /* they have asked to leave */
    bool told_how;    /* what else can be typed */
    bool told_gone;   /* that they are out of the game */
};

/* Read standard input and write standard output.  The simulated table is looked
 * at from guest_begin on. */
void guest_init(struct guest *guest);
void guest_begin(struct guest *guest, struct sim_table *sim_table);
void guest_release(struct guest *guest);

/* Say a key of the catalogue between the posts. */
void guest_say(struct guest *guest, const char *key,
               const struct params *params);

/* Show what is new on the board. */
enum err guest_show(struct guest *guest, struct buf *why) MUST_USE;

/* Has a policy of theirs just come out, about which they may speak now?  True
 * only at a terminal, once per session, and not while an answer of theirs is
 * due. */
bool guest_may_speak(const struct guest *guest);

/* Ask for one line and do what it says.  At the end of the input their seat is
 * simulated from then on. */
enum err guest_converse(struct guest *guest, struct buf *why) MUST_USE;

/* Let so many ms pass; at a terminal they may type something meanwhile. */
enum err guest_pause(struct guest *guest, int64_t pause,
                     struct buf *why) MUST_USE;

#endif
