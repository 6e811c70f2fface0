/*
 * How far feeds were read, as the store has it for the next start.
 *
 * Thousands of feeds are read again and again, mostly without anything new.  So
 * the store has one row of them all, which is saved every minute: up to
 * when each feed of a service was read that says so in its own row.  The others
 * have a time in theirs: those that could not be read for a while, or not to
 * their end.  When a host starts each gets one, as that row has it, for the
 * host may not read all of them.
 */
#ifndef BOT_TABLES_FEEDS_READINGS_H
#define BOT_TABLES_FEEDS_READINGS_H

#include "bot/tables/feeds/feeds.h"

/* ---- `now` below is that of the clock that is never set back ------------- */

/* A feed was reached: is it time to save how far it and the others were
 * read? */
bool readings_due(const struct feeds *feeds, const struct feed *feed,
                  int64_t now);

/* Save it, in a transaction of the caller's.  And: save it of this feed alone,
 * at once, so that no outage before now is found again; `taken`: the posts of
 * its last page are saved. */
void readings_save(struct feeds *feeds, struct feed *feed, int64_t now);
void readings_save_apart(struct feeds *feeds, struct feed *feed, bool taken);

/* The posts of a page that was reached are saved: only now does what is saved
 * of its feed say that they were read.  (A host that dies in between reads them
 * again, though no updates feed tells of them any more.) */
void readings_taken(struct feeds *feeds, struct feed *feed,
                    const struct outcome *outcome, int64_t now);

#endif
