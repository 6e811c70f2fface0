/*
 * Every deadline is computed here, by one pure function, and nowhere else.
 */
#ifndef BOT_HOST_TABLE_DEADLINE_H
#define BOT_HOST_TABLE_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/civil.h"
#include "bot/host/table/table.h"
#include "config/config.h"
#include "engine/game.h"

/*
 * When the time for a question is up.  `opened`: when it was put; `round_from`,
 * of a vote: from when its round's time runs (table_round_from).  0: no
 * deadline (it is up to chance, or nothing is asked).
 *
 * It is the question's length away; then it moves to the next daily hour, if
 * one is set; and if that is in the quiet hours or on a day off, to their end
 * (the daily hour to that of the next day that is no day off).  With a daily
 * hour, a day is one by the zone's clocks, and a 24th of the length may be
 * missing: the vote that opens a minute after 21:00 ends at 21:00 tomorrow.
 * The nomination's deadline is not moved to the daily hour.  If it is asked for
 * in the quiet hours, its time runs from their end; and at least eight hours of
 * it, or all of it if it is shorter, are outside of them.  The vote's is moved
 * to the daily hour, but it keeps as much time after that hour, and after the
 * vote was opened, as the settings say: a vote never has too little.
 */
int64_t deadline_of(enum question question, int64_t opened, int64_t round_from,
                    const struct settings *settings, const struct zone *zone);

/*
 * The same for the question that has just opened at a table.  The chancellor's
 * is the end of the session as it was announced, so that nothing visible tells
 * when the president chose.  It has one of its own only if too little time is
 * left until then (the choice came late, or a veto was declined), and nobody
 * has set that end.
 */
int64_t deadline_open(const struct table *table, const struct zone *zone);

/* The same for any other time that is to be `length` ms after `start`. */
int64_t deadline_from(int64_t start, int64_t length,
                      const struct settings *settings, const struct zone *zone);

/* The same time of the day, so many days later by a zone's clocks. */
int64_t deadline_days_later(int64_t start, int64_t days,
                            const struct zone *zone);

/* A deadline moved by so many ms: out of the quiet hours and the days off, but
 * not to the daily hour. */
int64_t deadline_moved(int64_t deadline, int64_t by,
                       const struct settings *settings,
                       const struct zone *zone);

/* The latest end of a session whose discard has this deadline. */
int64_t deadline_session(int64_t discard, const struct settings *settings,
                         const struct zone *zone);

/*
 * The deadline of a table's open question if that is asked only at `at`:
 * unchanged, unless more than a twentieth of its time would be missing.  With a
 * daily hour, or if people have set the deadline, it stays as long as half of
 * the time is left.
 */
int64_t deadline_called(const struct table *table, int64_t at,
                        const struct zone *zone);

/* The instant by which so many ms have passed since `start` that are not in the
 * quiet hours. */
int64_t deadline_awake(int64_t start, int64_t length,
                       const struct settings *settings,
                       const struct zone *zone);

/* When somebody who was last heard of at `since` has been silent for so many
 * ms, not counting the quiet hours and the table's pauses. */
int64_t deadline_silent(const struct table *table, int64_t since,
                        int64_t length, const struct zone *zone);

/* Is an instant in the quiet hours? */
bool deadline_is_quiet(int64_t instant, const struct settings *settings,
                       const struct zone *zone);

/*
 * Give a move the times that it must bring along (move.h): `until`, if it is 0
 * and the move opens a question, or opens it anew; `session` and `remind`.
 */
void deadline_give(const struct table *table, struct move *move,
                   const struct zone *zone);

/* The least time that a question gets, in ms; 0: none. */
int64_t deadline_length(enum question question,
                        const struct settings *settings);

/* How much later than it was put a question may be asked without moving its
 * deadline: a twentieth of its time. */
int64_t deadline_tolerance(enum question question,
                           const struct settings *settings);

/* The first time after an instant when people are to be reminded of a deadline;
 * 0: no more.  A reminder in the quiet hours is dropped. */
int64_t deadline_reminder(int64_t deadline, int64_t after,
                          const struct settings *settings,
                          const struct zone *zone);

#endif
