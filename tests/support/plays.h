/*
 * Plays: whole games as scripts, a line for each thing that somebody does and
 * each thing that must come of it.  The grammar is in tests/play/README.md.
 *
 * A play is performed by a host on a stage (bot/local/stage.h) in a folder
 * of its own, which is removed; the clock stands where the play puts it, and
 * chance gives what the play says.
 */
#ifndef TESTS_PLAYS_H
#define TESTS_PLAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

/* What a performance leaves behind. */
struct performance {
    struct buf record; /* of the game, as the store has it */
    struct buf board;  /* every post of the thread and of all DMs */
    struct buf fault;  /* "file:line: what is wrong", where it went wrong */
};

/*
 * Perform a play; `file` is what its faults are told with.  With `restarts` the
 * host is closed and opened again after every act.  False: it did not go as
 * written, and `fault` tells why.  Release the performance either way.
 */
bool play_perform(const char *file, const char *text, bool restarts,
                  struct performance *performance);

/*
 * Perform a play as one of two twins, in which the same happens in public and
 * what the president chooses comes early, or as `late` as it may.  By dice that
 * are thrown with the seed, moderators and others are at work in the sessions;
 * so the play's checks are left out, and it ends where it goes otherwise.
 * `board` has what was logged, and what the public can see, without ids. False:
 * it ended early.
 */
bool play_twin(const char *file, const char *text, bool late, unsigned seed,
               struct performance *performance);

void performance_release(struct performance *performance);

#endif
