/*
 * The script of a replay: what players, the clock and chance must do to cause
 * each line of a recorded game.
 *
 * Lines are counted by their position in the game's list.  Lines that a host
 * can't be made to write again (notes, claims, pauses, reminders) are not part
 * of the script; `extended` is, because the host itself moves a power's
 * deadline.
 */
#ifndef BOT_LOCAL_SCRIPT_H
#define BOT_LOCAL_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/host/table/ruling.h"
#include "bot/record/record.h"

/* What causes a recorded line. */
enum cue_kind {
    CUE_NONE,   /* nothing that a player or the clock does */
    CUE_OPEN,   /* the moderator opens a table */
    CUE_JOIN,   /* everybody joins */
    CUE_PLAYER, /* a player acts: `command` */
    CUE_CLOCK,  /* the deadline of the open question: `command` */
    CUE_PLAN,   /* the same, which does what a player has planned */
    CUE_VACATE, /* the moderator vacates a seat: the command's target */
};

struct cue {
    enum cue_kind kind;
    struct command command;
    const char *why; /* CUE_NONE: the reason, or NULL */
};

/* A seat that lost its player for missed deadlines, and the game as it was
 * then. */
struct vacation {
    unsigned seat;
    struct game game;
};

struct script {
    const struct record_game *game; /* borrowed */
    bool power_lots; /* a power that was not used was decided by lots */
    struct vacation vacations[PLAYERS_MAX];
    unsigned vacation_count;
    const char *fault; /* why the recorded deal or lots are impossible; NULL
                          until found */
};

/*
 * Begin the script of a game, which MUST have a `dealt` line and no `replaced`
 * or `rewound`.  Plays the game on the engine alone, as far as it goes, to find
 * out who lost their seats, and when.
 */
void script_init(struct script *script, const struct record_game *game);

/* Does a replaying host write this kind of line again? */
bool script_has(int kind);

/* The cue that causes the line `at` in the present state of the game.  Before
 * the deal, `game` is used only for the players' lines. */
struct cue script_cue(const struct script *script, size_t at,
                      const struct game *game);

/* A dealer that repeats the record, including vacated seats.  Borrows the
 * script.  Where the record ends, or is impossible (`fault`), it deals
 * something legal. */
struct dealer script_dealer(struct script *script);

#endif
