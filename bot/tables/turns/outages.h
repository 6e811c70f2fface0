/*
 * Times in which nothing could be read.
 */
#ifndef BOT_TABLES_TURNS_OUTAGES_H
#define BOT_TABLES_TURNS_OUTAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* A page that was asked for at `asked_at` (tables_steady) has come and is not
 * taken in yet, or an updates feed has said that there is nothing new.  If it
 * is the first for half an hour or more by the service's clock, or the service
 * has forgotten what was posted since the one before (outcome.forgotten), tell
 * the games whose thread comes in this feed of the outage, which may move their
 * deadlines (bot/host/judge/outage.h). */
void outages_reached(struct tables *tables, struct feed *feed,
                     const struct outcome *outcome, int64_t asked_at,
                     int64_t now);

#endif
