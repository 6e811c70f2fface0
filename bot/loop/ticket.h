/*
 * What an operation is for: the loop's, handed to the dispatch with the
 * operation and handed back with what came of it.
 */
#ifndef BOT_LOOP_TICKET_H
#define BOT_LOOP_TICKET_H

#include <stdint.h>

struct feed;
struct updates;
struct hosted_place;
struct press_slot;

enum ticket_kind {
    TICKET_PLACE,      /* where is a configured place? */
    TICKET_TRAIL,      /* where has the thread of its game gone? */
    TICKET_MODERATORS, /* where do its moderators talk? */
    TICKET_LENGTHS,    /* how long may posts be there? */
    TICKET_COMMANDS,   /* which slash commands are offered there? */
    TICKET_ROLES,      /* somebody's role there is to change */
    TICKET_MESSAGE,    /* a message is sent */
    TICKET_FEED,       /* a feed is read */
    TICKET_UPDATES,    /* an updates feed is read */
    TICKET_WHO,        /* who are we at a service? */
    TICKET_BELL,       /* where does a service's doorbell hang? */
    TICKET_PRESS,      /* a press is acknowledged, or answered */
    TICKET_PIN,        /* a status post is pinned; nobody waits for that */
};

enum {
    PLACE_TICKETS = TICKET_ROLES + 1 /* the first so many are about places */
};

struct ticket {
    enum ticket_kind kind;
    union {
        int64_t message;            /* its id */
        struct press_slot *press;   /* borrowed until the delivery, */
        struct feed *feed;          /* likewise, */
        struct updates *updates;    /* likewise */
        unsigned service;           /* its number */
        struct hosted_place *place; /* borrowed for good */
    } of;
};

#endif
