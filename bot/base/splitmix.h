/*
 * splitmix64 (Steele, Lea, Flood 2014): random-looking numbers that are the
 * same for the same seed.  For simulations and tests: never for cards or
 * secrets, which come from libsodium.
 */
#ifndef BOT_BASE_SPLITMIX_H
#define BOT_BASE_SPLITMIX_H

#include <stdint.h>

/* The next number; any state will do as a seed. */
static inline uint64_t
splitmix_next(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/* The next number, brought down to less than `bound`, which MUST NOT be 0. */
static inline unsigned
splitmix_below(uint64_t *state, unsigned bound)
{
    return (unsigned)((splitmix_next(state) >> 32) * bound >> 32);
}

#endif
