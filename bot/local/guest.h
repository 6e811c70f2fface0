/*
 * The guest: the person at a local table.  Shows them posts and acts on what
 * they type.
 *
 * They read the thread and the DM of their seat; if no person has a seat, all
 * DMs. Their lines are posted as typed, in the thread or, while the host waits
 * for a private answer, in their DM.  Lines that begin with a slash are for the
 * play itself.
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
    int64_t shown;    /* id of the last post that was examined */
    int64_t since;    /* posts with an earlier stamp are skipped */
    unsigned updates; /* posts shown in the last step */
    uint32_t spoken;  /* the last round in which they had the chance to talk
                         about its session */
    bool leaves;      /* they have asked to leave */
    bool told_how;    /* they were told what else they can type */
    bool told_gone;   /* they were told that they are out of the game */
};

/* Read standard input and write standard output.  The simulated table is used
 * from guest_begin on. */
void guest_init(struct guest *guest);
void guest_begin(struct guest *guest, struct sim_table *sim_table);
void guest_release(struct guest *guest);

/* Print the text of a catalogue key between the posts. */
void guest_say(struct guest *guest, const char *key,
               const struct params *params);

/* Show the new posts on the board. */
enum err guest_show(struct guest *guest, struct buf *why) MUST_USE;

/* Has a policy of their government just been enacted, so that they may now talk
 * about it?  True only at a terminal, once per session, and not while an answer
 * of theirs is due. */
bool guest_may_speak(const struct guest *guest);

/* Ask for one line and act on it.  Once the input ends, their seat is
 * simulated. */
enum err guest_converse(struct guest *guest, struct buf *why) MUST_USE;

/* Let `pause` ms pass; at a terminal they may type something meanwhile, or
 * hurry it with a key if they only watch. */
enum err guest_pause(struct guest *guest, int64_t pause,
                     struct buf *why) MUST_USE;

#endif
