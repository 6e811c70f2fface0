/*
 * A game in which things go wrong: the host as `placard run` runs it, at a
 * service of the tests' own, on a disk and a network that fail, at clocks that
 * jump.  All of it is one process, at a virtual time, and follows from a seed.
 *
 * The parts of the simulator share the world.  There is one in a process.
 */
#ifndef TESTS_FAULT_WORLD_H
#define TESTS_FAULT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"
#include "bot/record/deal.h"
#include "tests/sim/fault_plan.h"
#include "tests/support/fake_people.h"

#define WORLD_START INT64_C(1795276800000) /* when the services begin */

struct fault_world {
    const struct fault_plan *plan;
    struct fake_people people; /* and the service */
    int64_t now;               /* as it is, and as people know it */
    int64_t skew;              /* the host's clock is so many ms ahead */
    int64_t service_skew;      /* … and the service's */
    bool spoiled;              /* faults may strike */
    bool restored;    /* from a backup: what time decides is decided anew, and
                         people do not repeat what they wrote */
    unsigned copies;  /* of the store that were put back, or ran beside it */
    unsigned misled;  /* hosts that died while their clock was far ahead */
    int64_t stirred;  /* when something happened last */
    int64_t troubled; /* when something kept the host from its work last */
    struct fault_tally tally;
};
extern struct fault_world world;

/* What the service's clock shows. */
int64_t world_service_now(void);

/* A number that follows from the seed and what it is for. */
uint64_t world_hash(unsigned purpose, unsigned one, unsigned two,
                    unsigned three);

/* The same, and from how often it was asked for. */
uint64_t world_next(unsigned purpose, unsigned one, unsigned two);

/* Tell the story, if it is to be told. */
void world_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Something is not as it has to be: say so, and end. */
_Noreturn void world_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/*
 * What strikes follows from the seed, the kind of fault, what is dealt with,
 * and how often that was asked before.  So a request more or fewer changes what
 * becomes of it, and not all that strikes from then on.
 */

/* What is dealt with from now on, in words and numbers that stay the same where
 * something else goes otherwise: a round, rather than a time. */
void world_about(const char *what, const char *text, unsigned one,
                 unsigned two);

/* … a request that has come: by its address, and its message's key, or the
 * minute in which it reads. */
void world_about_request(const struct request *request);

/* … a write, or a sync, to the disk: by its number since the last message. */
void world_about_write(bool sync);

/* Does a fault of that kind strike now? It is counted. */
bool world_strikes(enum fault_kind kind);

/* A number below that, for a fault of that kind. */
unsigned world_dice(enum fault_kind kind, unsigned bound);

/* A state for splitmix, for a fault of that kind. */
uint64_t world_chance(enum fault_kind kind);

/* The next secret of a deal, as a dealer generates it: from a stream of their
 * own. */
void world_secret(void *context, unsigned char secret[DEAL_SECRET]);

/* Begin: it is early, and all chance follows from the plan's seed. */
void world_begin(const struct fault_plan *plan);

#endif
