/*
 * A pile of policy tiles in order, top first, as a plain value.
 *
 * Bit i of `liberal` is set when the i-th tile from the top is liberal; the
 * bits from `count` on are zero, always.  There is no padding, so two piles are
 * the same exactly when their bytes are.  A pile holds at most TILES tiles.
 */
#ifndef ENGINE_PILE_H
#define ENGINE_PILE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LIBERAL_TILES = 6,
    FASCIST_TILES = 11,
    TILES = LIBERAL_TILES + FASCIST_TILES,
    HAND_TILES = 3,
};

struct pile {
    uint32_t liberal;
    uint32_t count;
};

/* Is the tile at `position` (0 is the top; MUST be below count) liberal? */
static inline bool
pile_is_liberal(struct pile pile, unsigned position)
{
    return pile.liberal >> position & 1U;
}

/* Count the liberal tiles of a pile. */
static inline unsigned
pile_liberals(struct pile pile)
{
    return (unsigned)__builtin_popcount(pile.liberal);
}

/* Lift the top `count` tiles (MUST be there) off a pile, in order. */
static inline struct pile
pile_lift(struct pile *pile, unsigned count)
{
    struct pile lifted = {pile->liberal & ((1U << count) - 1), count};
    pile->liberal >>= count;
    pile->count -= count;
    return lifted;
}

/* Take out the tile at `position` (MUST be below count): is it liberal? */
static inline bool
pile_take(struct pile *pile, unsigned position)
{
    bool liberal = pile_is_liberal(*pile, position);
    uint32_t above = pile->liberal & ((1U << position) - 1);
    uint32_t below = pile->liberal >> (position + 1) << position;
    pile->liberal = above | below;
    pile->count--;
    return liberal;
}

/* Lay a tile under a pile (MUST hold fewer than TILES). */
static inline void
pile_add(struct pile *pile, bool liberal)
{
    pile->liberal |= (uint32_t)liberal << pile->count;
    pile->count++;
}

#endif
