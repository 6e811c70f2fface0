/*
 * What happens to the places of a game: topics, threads and rooms are closed,
 * hidden from the host, deleted and recovered, upgraded.
 */
#ifndef TESTS_FAULT_PLACES_H
#define TESTS_FAULT_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

/* Let something happen to the place of a game, or end it.  Call it once a
 * minute.  `begun`: a game is on there.  Gives where it is by then. */
uint64_t fault_places_act(uint64_t topic, bool begun);

/* Is it encrypted?  Then nobody reads anything there any more, and a moderator
 * ends the game. */
bool fault_places_is_encrypted(uint64_t topic);

/* Is any? */
bool fault_places_one_is_encrypted(void);

/* Is it deleted for good, merged into another, or hidden from the host?  Then a
 * moderator ends the game, too. */
bool fault_places_is_gone(uint64_t topic);

/* Is any? */
bool fault_places_one_is_gone(void);

/* Can people write there now? */
bool fault_places_takes_posts(uint64_t topic);

/* May the host not write in a place just now? */
bool fault_places_host_is_mute(void);

/* Is the host put out of a place just now? */
bool fault_places_host_is_out(void);

/* The room that has replaced a room, and that one's, and so on: people are in
 * all of them. */
uint64_t fault_places_newest(uint64_t topic);

/* The host has written there.  Does it read what people write?  Not in a room
 * that replaces another, before it has found it: it then asks people to write
 * once more. */
void fault_places_read(uint64_t topic);
bool fault_places_is_read(uint64_t topic);

/* Refuse a request about a place that is barred, as the real service was
 * recorded to; false: it is none. */
bool fault_places_refuse(const struct request *request, struct buf *body,
                         struct reply *reply);

#endif
