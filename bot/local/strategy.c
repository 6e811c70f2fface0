#include "bot/local/strategy.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "bot/base/splitmix.h"
#include "bot/host/words/speech.h"

/* What a whim is for; the callers' own purposes have lower numbers. */
enum {
    WHIM_STRATEGY = 100,
    WHIM_CLAIM,
    WHIM_FINDING,
    WHIM_PEEK,
};

/* Salts that keep the decisions of one strategy apart. */
enum decision {
    DECIDE_NOISE = 1,
    DECIDE_NOMINEE,
    DECIDE_VOTE,
    DECIDE_CARD,
    DECIDE_VETO,
    DECIDE_TARGET,
};

/* For a player who is certainly of the other party, or certainly not. */
enum {
    SURE = 100,
    NOISE = 4, /* by how much people differ */
};

/* ---- chance -------------------------------------------------------------- */

static void
whim_salt(struct whim *whim, uint64_t salt)
{
    whim->state ^= salt;
    whim->state = splitmix_next(&whim->state);
}

void
whim_init(struct whim *whim, const struct cast *cast, const char *game,
          unsigned number, unsigned seat, unsigned purpose)
{
    whim->state = cast->seed;
    for (; *game != '\0'; game++) {
        whim_salt(whim, (unsigned char)*game);
    }
    whim_salt(whim, number);
    whim_salt(whim, seat);
    whim_salt(whim, purpose);
}

unsigned
whim_below(struct whim *whim, unsigned count)
{
    assert(count > 0);
    return (unsigned)(splitmix_next(&whim->state) % count);
}

bool
whim_chance(struct whim *whim, unsigned permille)
{
    return whim_below(whim, 1000) < permille;
}

/* The whim for one decision, independent of all others. */
static struct whim
whim_of(const struct strategy *strategy, enum decision decision)
{
    struct whim whim = strategy->whim;
    whim_salt(&whim, (uint64_t)decision);
    return whim;
}

/* ---- what is said -------------------------------------------------------- */

bool
cast_plays(const struct cast *cast, const struct table *table, unsigned seat)
{
    return seat < table->seated &&
           (cast->human == NULL ||
            strcmp(table->seats[seat].user, cast->human) != 0);
}

/* A fascist president says that the discarded liberal card was never there. */
static struct claim
lie_as_president(struct whim *whim, const struct past_round *round,
                 bool mate_is_chancellor)
{
    struct claim claim = {(uint8_t)pile_liberals(round->drawn),
                          (uint8_t)pile_liberals(round->passed)};
    if (claim.drawn > claim.passed) {
        claim.drawn = claim.passed;
    }
    bool covers = mate_is_chancellor && !round->liberal && claim.passed > 0;
    if (covers && whim_chance(whim, 800)) {
        claim.drawn = 0;
        claim.passed = 0;
    }
    return claim;
}

struct claim
strategy_claim(const struct cast *cast, const struct table *table,
               const struct past_round *round, unsigned seat)
{
    const struct game *game = &table->game;
    struct claim claim = {(uint8_t)pile_liberals(round->drawn),
                          (uint8_t)pile_liberals(round->passed)};
    bool honest = game_role(game, seat) == ROLE_LIBERAL;
    if (seat == round->president && !honest) {
        struct whim whim;
        bool knows = game_role(game, seat) == ROLE_FASCIST;
        bool mate = game_party(game, round->chancellor) == PARTY_FASCIST;
        whim_init(&whim, cast, table->id, round->round, seat, WHIM_CLAIM);
        return lie_as_president(&whim, round, knows && mate);
    }
    if (seat == round->chancellor && !honest && !round->liberal) {
        claim.passed = 0;
    }
    return claim;
}

enum known
strategy_finding(const struct cast *cast, const struct table *table,
                 unsigned target)
{
    const struct game *game = &table->game;
    unsigned seat = table->seats[target].investigated_by;
    if (!cast_plays(cast, table, seat)) {
        return KNOWN_NOT;
    }
    bool liberal = game_party(game, target) == PARTY_LIBERAL;
    if (game_role(game, seat) == ROLE_LIBERAL) {
        return liberal ? KNOWN_LIBERAL : KNOWN_FASCIST;
    }
    struct whim whim;
    whim_init(&whim, cast, table->id, target, seat, WHIM_FINDING);
    return liberal && whim_chance(&whim, 500) ? KNOWN_FASCIST : KNOWN_LIBERAL;
}

unsigned
strategy_peek(const struct cast *cast, const struct table *table, unsigned seat)
{
    struct pile draw = table->game.draw;
    if (draw.count < HAND_TILES) {
        return 0;
    }
    unsigned liberals = pile_liberals(pile_lift(&draw, HAND_TILES));
    if (game_role(&table->game, seat) == ROLE_LIBERAL) {
        return liberals;
    }
    struct whim whim;
    whim_init(&whim, cast, table->id, table->game.round, seat, WHIM_PEEK);
    return whim_below(&whim, 3);
}

/* ---- what is known ------------------------------------------------------- */

/* From the role message, and from one's own investigations. */
static void
learn_people(struct strategy *strategy, const struct table *table)
{
    static const enum known by_role[] = {[ROLE_LIBERAL] = KNOWN_LIBERAL,
                                         [ROLE_FASCIST] = KNOWN_FASCIST,
                                         [ROLE_HITLER] = KNOWN_HITLER};
    const struct game *game = &table->game;
    strategy->told = strategy->role == ROLE_FASCIST ||
                     (strategy->role == ROLE_HITLER && game_hitler_knows(game));
    for (unsigned other = 0; other < strategy->players; other++) {
        if (strategy->told) {
            strategy->known[other] = by_role[game_role(game, other)];
        } else if (table->seats[other].investigated_by == strategy->seat) {
            bool liberal = game_party(game, other) == PARTY_LIBERAL;
            strategy->known[other] = liberal ? KNOWN_LIBERAL : KNOWN_FASCIST;
        }
    }
}

/* The cards before this seat, as they are shown to it. */
static void
learn_hand(struct strategy *strategy, const struct table *table)
{
    const struct game *game = &table->game;
    const struct past_round *round = table_round(table);
    bool presides = game->president == strategy->seat;
    bool discards = presides && game->question == QUESTION_DISCARD;
    bool enacts =
        game->chancellor == strategy->seat && game->question == QUESTION_ENACT;
    if (discards || enacts) {
        uint8_t order[3];
        speech_order(game->hand, enacts, order);
        for (unsigned i = 0; i < game->hand.count; i++) {
            pile_add(&strategy->hand, pile_is_liberal(game->hand, order[i]));
        }
    } else if (presides && game->question == QUESTION_VETO && round != NULL) {
        strategy->hand = round->passed;
    }
}

/* ---- what is thought ----------------------------------------------------- */

/* What the policies of a government say of its two members. */
static void
weigh_round(struct strategy *strategy, const struct past_round *round)
{
    int *distrust = strategy->distrust;
    distrust[round->president] += round->liberal ? -9 : 11;
    distrust[round->chancellor] += round->liberal ? -12 : 9;
    if (round->president == strategy->seat && !round->liberal &&
        !strategy->told && pile_liberals(round->passed) > 0) {
        distrust[round->chancellor] += SURE;
    }
}

/* How much it matters that a seat is, or is said to be, of a party. */
static int
weight_of_party(enum known known, int liberal, int fascist)
{
    return known == KNOWN_NOT ? 0 : known == KNOWN_LIBERAL ? liberal : fascist;
}

/* What the rounds and findings so far say of each seat, and what only this one
 * knows of it, unless its player must not show that knowledge. */
static void
think(struct strategy *strategy, const struct cast *cast,
      const struct table *table)
{
    struct whim whim = whim_of(strategy, DECIDE_NOISE);
    for (unsigned i = 0; i < table->past_count; i++) {
        if (table->past[i].outcome == PAST_ENACTED) {
            weigh_round(strategy, &table->past[i]);
        }
    }
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        enum known said = strategy_finding(cast, table, seat);
        enum known known = strategy->told ? KNOWN_NOT : strategy->known[seat];
        strategy->distrust[seat] += weight_of_party(said, -14, 26) +
                                    weight_of_party(known, -SURE, SURE) +
                                    (int)whim_below(&whim, 2 * NOISE + 1) -
                                    NOISE;
    }
}

void
strategy_init(struct strategy *strategy, const struct cast *cast,
              const struct table *table, unsigned seat)
{
    const struct game *game = &table->game;
    struct awaits awaits = game_awaits(game);
    memset(strategy, 0, sizeof(*strategy));
    strategy->seat = seat;
    strategy->players = table->seated;
    strategy->role = game_role(game, seat);
    strategy->choices = awaits.choices;
    strategy->president = game->president;
    strategy->chancellor = game->chancellor;
    strategy->liberal = game->liberal;
    strategy->fascist = game->fascist;
    strategy->tracker = game->tracker;
    strategy->may_veto = awaits.may_veto;
    whim_init(&strategy->whim, cast, table->id, table->phase, seat,
              WHIM_STRATEGY);
    learn_people(strategy, table);
    learn_hand(strategy, table);
    think(strategy, cast, table);
}

/* ---- elections ----------------------------------------------------------- */

static seat_set
seats_known(const struct strategy *strategy, seat_set seats, enum known known)
{
    seat_set found = 0;
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        if (seat_in(seat, seats) && strategy->known[seat] == known) {
            found |= seat_bit(seat);
        }
    }
    return found;
}

static seat_set
seats_of_mates(const struct strategy *strategy, seat_set seats)
{
    return strategy->role == ROLE_LIBERAL
               ? 0
               : seats_known(strategy, seats, KNOWN_FASCIST) |
                     seats_known(strategy, seats, KNOWN_HITLER);
}

/* The seat of a set with the most distrust, or the least if `sign` is -1; the
 * whim decides between close ones.  NO_SEAT if the set is empty. */
static unsigned
extreme(const struct strategy *strategy, int sign, seat_set seats,
        struct whim *whim)
{
    unsigned found = NO_SEAT;
    int best = INT_MIN;
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        int score =
            sign * strategy->distrust[seat] + (int)whim_below(whim, NOISE);
        if (seat_in(seat, seats) && seat != strategy->seat && score > best) {
            best = score;
            found = seat;
        }
    }
    return found;
}

unsigned
strategy_nominee(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_NOMINEE);
    seat_set seats = strategy->choices;
    seat_set mates = seats_of_mates(strategy, seats);
    seat_set hitler = seats_known(strategy, mates, KNOWN_HITLER);
    bool danger = strategy->fascist >= FASCIST_DANGER;
    if (danger && hitler != 0 && whim_chance(&whim, 600)) {
        seats = hitler;
    } else if (mates != 0 && whim_chance(&whim, 450)) {
        seats = mates;
    }
    return extreme(strategy, -1, seats, &whim);
}

/* How much a player of the government counts against it. */
static int
weight_of(const struct strategy *strategy, unsigned seat)
{
    return seat == strategy->seat ? 0 : strategy->distrust[seat];
}

static bool
would_elect(const struct strategy *strategy, struct whim *whim)
{
    int chancellor = weight_of(strategy, strategy->chancellor);
    int against = weight_of(strategy, strategy->president) + chancellor;
    int limit = 1 + (int)whim_below(whim, 13) - 6;
    limit += strategy->tracker == 1 ? 4 : 0;
    limit += strategy->tracker == 2 ? 20 : 0;
    if (strategy->fascist >= FASCIST_DANGER) {
        against += chancellor / 2;
    }
    return against <= limit;
}

bool
strategy_vote(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_VOTE);
    bool liberal = strategy->role == ROLE_LIBERAL;
    bool in_office = strategy->seat == strategy->president ||
                     strategy->seat == strategy->chancellor;
    seat_set government =
        seat_bit(strategy->president) | seat_bit(strategy->chancellor);
    bool mates = seats_of_mates(strategy, government) != 0;
    bool wins = strategy->fascist >= FASCIST_DANGER &&
                strategy->known[strategy->chancellor] == KNOWN_HITLER;
    return wins || (in_office && whim_chance(&whim, liberal ? 700 : 1000)) ||
           (mates && whim_chance(&whim, 600)) || would_elect(strategy, &whim);
}

/* ---- cards --------------------------------------------------------------- */

/* A position of that kind in the hand, which MUST have one. */
static unsigned
position_of(const struct strategy *strategy, bool liberal, struct whim *whim)
{
    unsigned first = whim_below(whim, strategy->hand.count);
    while (pile_is_liberal(strategy->hand, first) != liberal) {
        first = (first + 1) % strategy->hand.count;
    }
    return first;
}

/* Does this player now play openly for the fascist party? */
static bool
plays_openly(const struct strategy *strategy, unsigned fascist, unsigned hitler,
             struct whim *whim)
{
    bool decisive = strategy->fascist == FASCIST_WIN - 1 ||
                    strategy->liberal == LIBERAL_WIN - 1;
    if (strategy->role == ROLE_LIBERAL) {
        return false;
    }
    if (decisive) {
        return true;
    }
    return whim_chance(whim, strategy->role == ROLE_FASCIST ? fascist : hitler);
}

unsigned
strategy_discard(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_CARD);
    unsigned liberals = pile_liberals(strategy->hand);
    bool discards_liberal = plays_openly(strategy, 700, 300, &whim);
    if (liberals == 0 || liberals == strategy->hand.count) {
        discards_liberal = liberals > 0;
    }
    return position_of(strategy, discards_liberal, &whim);
}

bool
strategy_enacts_liberal(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_CARD);
    unsigned liberals = pile_liberals(strategy->hand);
    if (liberals == 0 || liberals == strategy->hand.count) {
        return liberals > 0;
    }
    bool early = strategy->fascist == 0 && strategy->liberal < 2;
    return !plays_openly(strategy, early ? 550 : 880, 300, &whim);
}

/* Is nothing in the hand that this player would enact? */
static bool
rejects_hand(const struct strategy *strategy)
{
    return pile_liberals(strategy->hand) ==
           (strategy->role == ROLE_LIBERAL ? 0 : strategy->hand.count);
}

bool
strategy_asks_veto(const struct strategy *strategy)
{
    return strategy->may_veto && rejects_hand(strategy);
}

bool
strategy_agrees_veto(const struct strategy *strategy)
{
    return rejects_hand(strategy);
}

/* ---- powers -------------------------------------------------------------- */

/* A special election goes to a friend; any other power is used on a suspect,
 * and never on somebody of one's own side if there is anybody else. */
unsigned
strategy_target(const struct strategy *strategy, enum question question)
{
    struct whim whim = whim_of(strategy, DECIDE_TARGET);
    seat_set seats = strategy->choices;
    seat_set mates = seats_of_mates(strategy, seats);
    if (question == QUESTION_SPECIAL_ELECTION) {
        bool helps = mates != 0 && whim_chance(&whim, 350);
        return extreme(strategy, -1, helps ? mates : seats, &whim);
    }
    seats = mates == seats ? seats : seats & (seat_set)~mates;
    return extreme(strategy, 1, seats, &whim);
}
