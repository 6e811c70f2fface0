/*
 * The mind of a simulated player: what a person in that seat may know, and what
 * it decides.
 *
 * mind_init is the only function that looks at a whole table; it takes over
 * what is public, what the seat's own messages have told it, and what others
 * have said.  Everything else reads the mind alone, so no simulated player can
 * act on what it must not know.  Nothing is remembered: each decision is a pure
 * function of the cast's seed, the game's id, a number (of the open question,
 * or of a round) and the seat, so that a play that was killed goes on as it
 * would have gone.
 */
#ifndef BOT_LOCAL_STRATEGY_H
#define BOT_LOCAL_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/host/table/table.h"
#include "bot/host/words/catalogue.h"
#include "engine/game.h"

/* Who plays. */
struct cast {
    uint64_t seed;
    const char *human;       /* the user who plays for themselves, or NULL */
    struct library *library; /* of the languages they write, borrowed */
};

/* ---- whims --------------------------------------------------------------- */

struct whim {
    uint64_t state;
};

/* A whim that is always the same for the same arguments. */
void whim_init(struct whim *whim, const struct cast *cast, const char *game,
               unsigned number, unsigned seat, unsigned purpose);

/* From 0 to `count` - 1; `count` MUST NOT be 0. */
unsigned whim_below(struct whim *whim, unsigned count);

/* True so many times in a thousand. */
bool whim_chance(struct whim *whim, unsigned permille);

/* ---- what is known ------------------------------------------------------- */

enum known {
    KNOWN_NOT,
    KNOWN_LIBERAL,
    KNOWN_FASCIST, /* of the party; it may be Hitler */
    KNOWN_HITLER,
};

enum {
    NOT_TOLD = 255
};

/* A government that enacted a policy. */
struct session {
    uint32_t round;
    uint8_t president, chancellor;
    bool liberal;
    seat_set ja, nein;
    uint8_t drawn, passed; /* liberal cards, as far as this seat saw them, or
                              NOT_TOLD */
    uint8_t said_drawn, said_passed; /* by the president in the thread */
    uint8_t said_handed;             /* by the chancellor */
};

struct mind {
    unsigned seat, players;
    enum role role;
    bool told; /* by its role message: who is who */
    enum known known[PLAYERS_MAX];
    enum known said[PLAYERS_MAX]; /* by who investigated that seat, in public */
    uint8_t said_by[PLAYERS_MAX];
    struct session sessions[TABLE_PAST_MAX];
    unsigned session_count;
    seat_set present, choices;
    seat_set cleared; /* chancellors who were found not to be Hitler */
    unsigned president, chancellor;
    unsigned liberal, fascist, tracker;
    struct pile hand; /* as shown to this seat; empty: it has none */
    bool may_veto;
    int distrust[PLAYERS_MAX]; /* what it thinks */
    int rumour[PLAYERS_MAX];   /* what anybody could think */
    struct whim whim;          /* of the open question and the seat */
};

/* Know what the seat's player knows now. */
void mind_init(struct mind *mind, const struct cast *cast,
               const struct table *table, unsigned seat);

/* Is this seat's player simulated? */
bool cast_plays(const struct cast *cast, const struct table *table,
                unsigned seat);

/* ---- what is said -------------------------------------------------------- */

/* What the president of a session claims (drawn, passed) and its chancellor
 * (passed): liberal cards.  NOT_TOLD where a human sat there. */
struct claim {
    uint8_t drawn, passed;
};
struct claim mind_claim(const struct cast *cast, const struct table *table,
                        const struct past_round *round, unsigned seat);

/* What the investigator of a seat says it found; KNOWN_NOT: nothing. */
enum known mind_finding(const struct cast *cast, const struct table *table,
                        unsigned target);

/* Liberal cards among the top three that a president says they were shown. */
unsigned mind_peek(const struct cast *cast, const struct table *table,
                   unsigned seat);

/* ---- what is decided ----------------------------------------------------- */

/* Each MUST only be asked of the seat whose turn it is. */
unsigned mind_nominee(const struct mind *mind);
bool mind_vote(const struct mind *mind);
unsigned mind_discard(const struct mind *mind); /* position in the hand */
bool mind_enacts_liberal(const struct mind *mind);
bool mind_asks_veto(const struct mind *mind);
bool mind_agrees_veto(const struct mind *mind);
unsigned mind_target(const struct mind *mind, enum question question);

/* Of a set without the seat itself: whom it praises, whom it blames. */
unsigned mind_favourite(const struct mind *mind, seat_set seats);
unsigned mind_suspect(const struct mind *mind, seat_set seats);

/* How much it would say against a seat: 0 of a stranger, below it trust. */
int mind_doubt(const struct mind *mind, unsigned seat);

#endif
