/*
 * A scenario: the real program at work in a folder of its own, on a disk that
 * fails when told to, with a clock that jumps.
 *
 * The disk and the clock are those of tests/support/shim/fault_shim.c, which is
 * preloaded; the program itself knows nothing of it.  A program that does not
 * end within ten minutes is killed.  Nothing here may fail: every error is
 * asserted.
 */
#ifndef TESTS_SCENARIO_H
#define TESTS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bot/base/buf.h"

struct scenario {
    char folder[64];
    char state[96];   /* XDG_STATE_HOME: all that counts as the disk */
    char record[128]; /* where a play saves its record */
    char clock[96];   /* a file with how many ms the clock is ahead */
    unsigned number;  /* of the last program that was started */
    struct buf said;  /* on standard error, by the last program that ended */
};

/* Make the folder; remove it and all that is in it. */
void scenario_set(struct scenario *scenario);
void scenario_strike(struct scenario *scenario);

/* The path of a file of a play's, borrowed until the fourth call from here. */
const char *scenario_file(const struct scenario *scenario, const char *name);

/* Replace a scenario's files with those of another. */
void scenario_copy(const struct scenario *from, struct scenario *to);

/* What the disk does, and when: see the shim.  NULL: nothing. */
struct fault {
    const char *what;     /* "kill", "full", … ; NULL: nothing */
    unsigned at;          /* the number of the point, from 1 */
    const char *unsynced; /* files of which no sync is done; NULL: none */
};

/* Start a program; wait for its end.  It ended with an exit code, or by a
 * signal, which is told as a negative number. */
pid_t scenario_start(struct scenario *scenario, const struct fault *fault,
                     const char *const *words);
int scenario_wait(pid_t program);

/* Both at once. */
int scenario_run(struct scenario *scenario, const struct fault *fault,
                 const char *const *words);

/* In a child: the program that it becomes goes by the scenario's clock, once
 * that was set. */
void scenario_set_clock(const struct scenario *scenario);

/* Set the clock of all programs, those that run too, so many ms ahead. */
void scenario_shift(const struct scenario *scenario, int64_t shift);

/* `placard play --auto`: begin a game (its options), go on with it, or
 * whichever fits what is there. */
int scenario_play(struct scenario *scenario, const struct fault *fault,
                  const char *const *game);
int scenario_resume(struct scenario *scenario, const struct fault *fault);
int scenario_go_on(struct scenario *scenario, const char *const *game);

/* A short game of five, by its options. */
extern const char *const scenario_game[];

/* How many points the last program has passed; what was done at one. */
unsigned scenario_points(const struct scenario *scenario);
void scenario_point(const struct scenario *scenario, unsigned at,
                    struct buf *out);

/* Everything on the board, place by place, with its times or without. */
void scenario_board(const struct scenario *scenario, bool times,
                    struct buf *out);
void scenario_record(const struct scenario *scenario, struct buf *out);

/* Two such texts are the same; else the test fails, says `when`, and shows
 * where they part. */
void scenario_same(const char *found, const char *expected, const char *when);

/* The standard error of the last program was one line that holds this text;
 * else the test fails and says what `when` says. */
void scenario_said(const struct scenario *scenario, const char *text,
                   const char *when);

#endif
