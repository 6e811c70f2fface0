/*
 * A service game: whole games at a service of the tests' own
 * (tests/support/fake_service.h), over HTTP on loopback, with a host in a
 * process of its own that is killed again and again.
 *
 * The host is what `placard run` runs except for its clock, which is ours: it
 * stands still while anything is asked or answered, and else jumps to what is
 * due next.  The host takes a step only when told to, so it does nothing while
 * the clock moves.
 *
 * The players act only on what the host posts.  All vote Ja, and they play for
 * six fascist policies, so that every kind of question comes up and every lost
 * act shows in the record.  They write as people write there, change their
 * minds too late, and delete what they wrote.  At some forums some vote in a
 * wrong topic, and a moderator moves that.
 */
#ifndef TESTS_SERVICE_GAME_H
#define TESTS_SERVICE_GAME_H

#include "tests/support/fake_service.h"
#include "tests/support/refusals.h"

enum {
    TABLES_MAX = 2
};

struct service_game {
    const struct fake_service *fake_service;
    /* Strikes at every message in turn (tests/support/refusals.h); NULL:
     * nothing is refused. */
    const struct refused_request *refusal;
    bool own;    /* each game is to have a topic of its own */
    bool denied; /* but the service has none: it stays where it was opened */
    /* Tables, one beside the other; the last of a table's players sit at the
     * next one, too. */
    unsigned tables, players[TABLES_MAX];
    unsigned kills, losses, storms; /* one request in so many; 0: never */
};

/* Play, and check that nothing was lost, doubled, or told to anybody whom it
 * does not concern: in what every account sees there, in the records, in the
 * host's files. Fails the test otherwise.  Two games of one seed meet the same
 * events. */
void service_game_play(const struct service_game *plan, uint64_t seed);

#endif
