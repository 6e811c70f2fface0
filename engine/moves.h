/*
 * What the engine's own files share; nobody else includes it.
 *
 * Each kind of command has two functions: `…_may_…` tells whether the rules
 * allow it and changes nothing, its namesake obeys it and can't fail.  A move
 * that ends a phase only sets game->resume; game_step then goes on, by way of a
 * reshuffle where one is due, until a seat or chance is awaited.
 */
#ifndef ENGINE_MOVES_H
#define ENGINE_MOVES_H

#include <assert.h>
#include <string.h>

#include "engine/game.h"

/* Add an event, all zero but its kind, for the caller to fill in. */
static inline struct event *
events_add(struct events *events, enum event_kind kind)
{
    assert(events->count < EVENTS_MAX);
    struct event *event = &events->list[events->count++];
    memset(event, 0, sizeof *event);
    event->kind = (uint8_t)kind;
    return event;
}

/*
 * May command->seat act now?  `due`: what it does is awaited, of that seat
 * alone (a voter is awaited as itself).
 */
static inline enum refusal
seat_may_act(const struct game *game, const struct command *command, bool due,
             unsigned awaited)
{
    if (command->seat >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if (!seat_in(command->seat, game->living)) {
        return REFUSAL_EXECUTED;
    }
    if (seat_in(command->seat, game->vacant) && !command->lots) {
        return REFUSAL_VACANT;
    }
    if (!due) {
        return REFUSAL_NOT_NOW;
    }
    return command->seat == awaited ? REFUSAL_NONE : REFUSAL_NOT_YOUR_TURN;
}

/*
 * May `seat` name `target`, as far as every naming goes: another seat, living,
 * and present unless `vacant_too`?
 */
enum refusal seat_may_be_named(const struct game *game, unsigned seat,
                               unsigned target, bool vacant_too);

/* The tiles of either party that a reshuffle owes. */
unsigned due_liberal(const struct game *game);
unsigned due_fascist(const struct game *game);

void game_end(struct game *game, enum ending ending, struct events *events);

/* ---- election.c ---------------------------------------------------------- */

/* Begin the next round of the ordinary rotation, or one for `candidate`. */
void round_begin(struct game *game, struct events *events);
void round_begin_special(struct game *game, unsigned candidate,
                         struct events *events);

enum refusal election_may_nominate(const struct game *game,
                                   const struct command *command);
void election_nominate(struct game *game, const struct command *command,
                       struct events *events);
enum refusal election_may_vote(const struct game *game,
                               const struct command *command);
void election_vote(struct game *game, const struct command *command,
                   struct events *events);

/* Is the vote over before its deadline? */
bool election_is_closed(const struct game *game);

/* Count the votes: the government is elected, or has failed. */
void election_close(struct game *game, struct events *events);

/* Bind the present government by the term limit. */
void election_limit(struct game *game);

/* A government has failed: the tracker advances, the third time into chaos. */
void tracker_advance(struct game *game);
void chaos(struct game *game, struct events *events);

/* ---- legislation.c ------------------------------------------------------- */

void session_begin(struct game *game, struct events *events);
enum refusal session_may_discard(const struct game *game,
                                 const struct command *command);
void session_discard(struct game *game, const struct command *command,
                     struct events *events);
enum refusal session_may_enact(const struct game *game,
                               const struct command *command);
void session_enact(struct game *game, const struct command *command,
                   struct events *events);
enum refusal session_may_ask_veto(const struct game *game,
                                  const struct command *command);
void session_ask_veto(struct game *game, const struct command *command,
                      struct events *events);
enum refusal session_may_answer_veto(const struct game *game,
                                     const struct command *command);
void session_answer_veto(struct game *game, const struct command *command,
                         struct events *events);
void session_decline_veto(struct game *game, struct events *events);

/* Lay a policy on the board: does it win the game? */
bool policy_enact(struct game *game, bool liberal, bool by_chaos,
                  struct events *events);

/* ---- power.c ------------------------------------------------------------- */

/* The last fascist policy brings its power, if it bears one, to the present
 * candidate or president, before the next round. */
void power_grant(struct game *game);
void power_begin(struct game *game, struct events *events);

/* Is a use of the power that is due awaited?  Upon whom may it be used? */
bool power_is_awaited(const struct game *game);
seat_set power_choices(const struct game *game);

enum refusal power_may_target(const struct game *game,
                              const struct command *command);
void power_target(struct game *game, const struct command *command,
                  struct events *events);
enum refusal power_may_forfeit(const struct game *game,
                               const struct command *command);
void power_forfeit(struct game *game, const struct command *command,
                   struct events *events);

#endif
