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
 * When the time for a question is up: `opened` is when it was put,
 * `round_opened` when its round began (the vote's time and the nomination's
 * both run from there).  0: no deadline (chance, or nothing is awaited).
 *
 * It is the question's length away; then the next daily hour, where one is set;
 * and where that lies in the quiet hours or on a day off, their end (of the
 * daily hour the one of the next day that is none).  At a daily hour a day is
 * one by the zone's clocks, and a 24th of the length may be missing: the vote
 * that opens a minute after 21:00 ends at 21:00 tomorrow.  The
 * nomination's is not moved to the daily hour, and of the vote's time as much
 * is left after it, and after the vote was opened, as the settings have: a vote
 * is never starved.
 */
int64_t deadline_of(enum question question, int64_t opened,
                    int64_t round_opened, const struct settings *settings,
                    const struct zone *zone);

/*
 * The same for the question that has just opened at a table.  The chancellor's
 * is the end of the session that was announced, so that nothing that is seen
 * tells when the president chose.  Only where too little is left until then
 * (the choice came late, or a veto was declined) it has one of its own.
 */
int64_t deadline_open(const struct table *table, const struct zone *zone);

/* The same for any other time that is to be `length` ms from `start` on. */
int64_t deadline_from(int64_t start, int64_t length,
                      const struct settings *settings, const struct zone *zone);

/* A deadline moved by so many ms: out of the quiet hours and the days off, but
 * not to the daily hour. */
int64_t deadline_moved(int64_t deadline, int64_t by,
                       const struct settings *settings,
                       const struct zone *zone);

/* When a session ends at the latest whose discard has this deadline. */
int64_t deadline_session(int64_t discard, const struct settings *settings,
                         const struct zone *zone);

/*
 * The deadline of a table's open question, if that is asked at `at` only: as it
 * is, unless more than a twentieth of its time would be missing.  At a daily
 * hour, and where people have set it, it stays as long as half of the time is
 * left.
 */
int64_t deadline_called(const struct table *table, int64_t at,
                        const struct zone *zone);

/* Is an instant in the quiet hours? */
bool deadline_is_quiet(int64_t instant, const struct settings *settings,
                       const struct zone *zone);

/*
 * Give a move the times that it has to bring along (move.h): `until`, if it is
 * 0 and the move opens a question, or opens it anew; `session` and `remind`.
 */
void deadline_give(const struct table *table, struct move *move,
                   const struct zone *zone);

/* The time that a question gets at least, in ms; 0: none. */
int64_t deadline_length(enum question question,
                        const struct settings *settings);

/* So much later than it was put a question may be called without moving its
 * deadline: a twentieth of its time. */
int64_t deadline_tolerance(enum question question,
                           const struct settings *settings);

/* When those awaited are to be reminded of a deadline first after an instant;
 * 0: not any more.  A reminder in the quiet hours falls. */
int64_t deadline_reminder(int64_t deadline, int64_t after,
                          const struct settings *settings,
                          const struct zone *zone);

#endif
