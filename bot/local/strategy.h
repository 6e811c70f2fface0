/*
 * The strategy of a simulated player: what a person in that seat may know, and
 * how the player decides.
 *
 * strategy_init is the only function that looks at a whole table.  It copies
 * what is public, what the seat's own messages have said, and what others have
 * said.  Everything else reads only the strategy, so no simulated player can
 * act on what it must not know.  Nothing is remembered: each decision is a pure
 * function of the cast's seed, the game's id, a number (of the open question,
 * or of a round) and the seat.  So a play that was killed continues as it would
 * have done.
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
    const char *human; /* the user who plays for themselves, or NULL */
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

/* True `permille` times in a thousand. */
bool whim_chance(struct whim *whim, unsigned permille);

/* ---- what is known ------------------------------------------------------- */

enum known {
    KNOWN_NOT,
    KNOWN_LIBERAL,
    KNOWN_FASCIST, /* of the fascist party; may be Hitler */
    KNOWN_HITLER,
};

struct strategy {
    unsigned seat, players;
    enum role role;
    bool told; /* its role message named the others' roles */
    enum known known[PLAYERS_MAX];
    seat_set choices;
    unsigned president, chancellor;
    unsigned liberal, fascist, tracker;
    struct pile hand; /* as shown to this seat; empty: it has none */
    bool may_veto;
    int distrust[PLAYERS_MAX]; /* what it believes; if `told`, only what anybody
                                  could */
    struct whim whim;          /* of the open question and the seat */
};

/* Fill in what the seat's player knows now. */
void strategy_init(struct strategy *strategy, const struct cast *cast,
                   const struct table *table, unsigned seat);

/* Is this seat's player simulated? */
bool cast_plays(const struct cast *cast, const struct table *table,
                unsigned seat);

/* ---- what is said -------------------------------------------------------- */

/* What the president of a session claims (drawn, passed) and its chancellor
 * (passed): liberal cards. */
struct claim {
    uint8_t drawn, passed;
};
struct claim strategy_claim(const struct cast *cast, const struct table *table,
                            const struct past_round *round, unsigned seat);

/* What the investigator of a seat says it found; KNOWN_NOT: nothing. */
enum known strategy_finding(const struct cast *cast, const struct table *table,
                            unsigned target);

/* Liberal cards among the top three that a president says they were shown. */
unsigned strategy_peek(const struct cast *cast, const struct table *table,
                       unsigned seat);

/* ---- what is decided ----------------------------------------------------- */

/* Each MUST be called only for the seat whose turn it is.  NO_SEAT: nobody can
 * be named. */
unsigned strategy_nominee(const struct strategy *strategy);
bool strategy_vote(const struct strategy *strategy);
unsigned strategy_discard(
    const struct strategy *strategy); /* position in the hand */
bool strategy_enacts_liberal(const struct strategy *strategy);
bool strategy_asks_veto(const struct strategy *strategy);
bool strategy_agrees_veto(const struct strategy *strategy);
unsigned strategy_target(const struct strategy *strategy,
                         enum question question);

#endif
