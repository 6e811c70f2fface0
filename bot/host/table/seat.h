/*
 * A seat: all that a table keeps about one player, or about somebody of the
 * reserve.
 */
#ifndef BOT_HOST_TABLE_SEAT_H
#define BOT_HOST_TABLE_SEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game.h"

enum {
    SEAT_ALIAS_MAX = 47, /* bytes */
    SEAT_LANGUAGE_MAX = 15,
    SEAT_ZONE_MAX = 47,
    SEAT_FLAGS_MAX = 3, /* by one person, within 24 hours */
};

/* Whom the clock is to nominate if a player's time as candidate runs out: the
 * first of these seats who is eligible then. */
struct plan {
    uint8_t count;
    uint8_t seats[PLAYERS_MAX];
};

/* Times are by the service's clock.  The texts are kept names
 * (bot/base/name.h). */
struct seat {
    const char *user;
    const char *name;     /* frozen at sign-up */
    const char *alias;    /* is read as the name; "": none */
    const char *post;     /* with which they signed up */
    const char *words;    /* their own, for the deal; "": none */
    const char *now;      /* what they are called now; "": the same */
    const char *language; /* their own; "": the table's */
    const char *zone;     /* the same, for times told in private */
    int64_t came; /* the stamp of the act that gave them somebody's seat; 0: it
                     was always theirs */
    int64_t flagged[SEAT_FLAGS_MAX]; /* the stamps of their latest `!flag`, the
                                        oldest first; 0: none */
    int64_t away;                    /* until when; 0: present */
    /* What the seat misses in this time is excused: its player said so in
     * advance. */
    int64_t excused_from, excused_until;
    int64_t acted; /* its latest answer; 0: none yet */
    /* Since when nobody has heard from it, as it was when that was last looked
     * at. */
    int64_t silent_since;
    int64_t caught_up; /* when it was last told, with a reminder, what had
                          happened; 0: never */
    uint32_t investigated_in; /* round */
    uint8_t prodded;      /* what was done about its silence: enum prodded */
    uint8_t reminders;    /* enum reminders */
    uint8_t misses;       /* deadlines missed; without votes */
    uint8_t votes_missed; /* in a row, up to now */
    uint8_t excuses;      /* how often, in this game */
    uint8_t warnings;
    uint8_t investigated_by;  /* seat, or NO_SEAT */
    uint8_t investigator_was; /* as in struct past_round */
    struct plan plan;         /* used once */
    bool no_emoji;            /* in private messages */
    bool receipts;            /* wants one for each vote */
    bool reached; /* by messages, as they have shown in the ready check */
    bool held;    /* `name` is the host's, because their own can't be used */
};

/* Make it a seat of nobody; what it has is not looked at. */
void seat_init(struct seat *seat);

/* Copy a seat into one whose content is not looked at; seat_release it. */
void seat_clone(struct seat *to, const struct seat *from);

/* Drop its names, and make it a seat of nobody. */
void seat_release(struct seat *seat);

/* Call a function for each of its names. */
void seat_each_name(struct seat *seat, void (*each)(const char **name));

#endif
