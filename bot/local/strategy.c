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
    DECIDE_FAVOURITE,
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
    struct claim claim = {NOT_TOLD, NOT_TOLD};
    if (!cast_plays(cast, table, seat)) {
        return claim;
    }
    bool honest = game_role(game, seat) == ROLE_LIBERAL;
    if (seat == round->president) {
        struct whim whim;
        bool knows = game_role(game, seat) == ROLE_FASCIST;
        bool mate = game_party(game, round->chancellor) == PARTY_FASCIST;
        whim_init(&whim, cast, table->id, round->round, seat, WHIM_CLAIM);
        if (!honest) {
            return lie_as_president(&whim, round, knows && mate);
        }
        claim.drawn = (uint8_t)pile_liberals(round->drawn);
    }
    claim.passed = (uint8_t)pile_liberals(round->passed);
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

static enum known
known_role(const struct game *game, unsigned seat)
{
    switch (game_role(game, seat)) {
    case ROLE_LIBERAL:
        return KNOWN_LIBERAL;
    case ROLE_FASCIST:
        return KNOWN_FASCIST;
    case ROLE_HITLER:
        break;
    }
    return KNOWN_HITLER;
}

/* From the role message, and from one's own investigations. */
static void
learn_people(struct strategy *strategy, const struct table *table)
{
    const struct game *game = &table->game;
    strategy->told = strategy->role == ROLE_FASCIST ||
                     (strategy->role == ROLE_HITLER && game_hitler_knows(game));
    for (unsigned other = 0; other < strategy->players; other++) {
        if (strategy->told) {
            strategy->known[other] = known_role(game, other);
        } else if (table->seats[other].investigated_by == strategy->seat) {
            bool liberal = game_party(game, other) == PARTY_LIBERAL;
            strategy->known[other] = liberal ? KNOWN_LIBERAL : KNOWN_FASCIST;
        }
    }
}

static void
learn_session(struct strategy *strategy, const struct cast *cast,
              const struct table *table, const struct past_round *round)
{
    struct session *session = &strategy->sessions[strategy->session_count++];
    bool presided = round->president == strategy->seat;
    session->president = round->president;
    session->chancellor = round->chancellor;
    session->liberal = round->liberal;
    session->ja = round->ja;
    session->nein = round->voted & (seat_set)~round->ja;
    session->passed = presided || round->chancellor == strategy->seat
                          ? (uint8_t)pile_liberals(round->passed)
                          : NOT_TOLD;
    struct claim claim = strategy_claim(cast, table, round, round->president);
    session->said_passed = claim.passed;
    claim = strategy_claim(cast, table, round, round->chancellor);
    session->said_handed = claim.passed;
}

static void
learn_history(struct strategy *strategy, const struct cast *cast,
              const struct table *table)
{
    unsigned fascist = 0;
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        bool enacted = round->outcome == PAST_ENACTED;
        bool governed = enacted || round->outcome == PAST_VETOED;
        if (governed && fascist >= FASCIST_DANGER) {
            strategy->cleared |= seat_bit(round->chancellor);
        }
        if (enacted) {
            learn_session(strategy, cast, table, round);
        }
        fascist += enacted && !round->liberal ? 1 : 0;
        fascist += round->chaos && !round->chaos_liberal ? 1 : 0;
    }
    for (unsigned other = 0; other < strategy->players; other++) {
        strategy->said[other] = strategy_finding(cast, table, other);
        strategy->said_by[other] = table->seats[other].investigated_by;
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

static void
weigh_votes(int *rumour, const struct strategy *strategy, seat_set seats,
            int weight)
{
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        rumour[seat] += seat_in(seat, seats) ? weight : 0;
    }
}

static void
weigh_session(int *rumour, const struct strategy *strategy,
              const struct session *session)
{
    int *president = &rumour[session->president];
    int *chancellor = &rumour[session->chancellor];
    if (session->liberal) {
        *president -= 9;
        *chancellor -= 12;
        weigh_votes(rumour, strategy, session->ja, -1);
        weigh_votes(rumour, strategy, session->nein, 1);
        return;
    }
    bool both =
        session->said_passed != NOT_TOLD && session->said_handed != NOT_TOLD;
    if (both && session->said_passed != session->said_handed) {
        *president += 20; /* one of the two lies */
        *chancellor += 22;
    } else if (both) {
        *president += 10; /* a bad draw, or the president's work */
        *chancellor += 5;
    } else {
        *president += 12;
        *chancellor += 15;
    }
    weigh_votes(rumour, strategy, session->ja, 2);
}

static void
weigh_findings(int *rumour, const struct strategy *strategy)
{
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        if (strategy->said[seat] == KNOWN_NOT) {
            continue;
        }
        bool believed = rumour[strategy->said_by[seat]] < 18;
        if (strategy->said[seat] == KNOWN_LIBERAL) {
            rumour[seat] -= believed ? 14 : 2;
        } else {
            rumour[seat] += believed ? 26 : 8;
            rumour[strategy->said_by[seat]] += 6;
        }
    }
}

/* What the player's own hand has shown about the other member of the
 * government. */
static void
weigh_own_session(struct strategy *strategy, const struct session *session)
{
    if (session->liberal || session->passed == NOT_TOLD) {
        return;
    }
    if (session->president == strategy->seat) {
        strategy->distrust[session->chancellor] +=
            session->passed > 0 ? SURE : -8;
    } else {
        strategy->distrust[session->president] += session->passed == 0 ? 6 : 0;
    }
}

static void
think(struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_NOISE);
    for (unsigned i = 0; i < strategy->session_count; i++) {
        weigh_session(strategy->rumour, strategy, &strategy->sessions[i]);
    }
    weigh_findings(strategy->rumour, strategy);
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        strategy->distrust[seat] = strategy->rumour[seat] +
                                   (int)whim_below(&whim, 2 * NOISE + 1) -
                                   NOISE;
    }
    for (unsigned i = 0; i < strategy->session_count; i++) {
        weigh_own_session(strategy, &strategy->sessions[i]);
    }
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        if (strategy->known[seat] == KNOWN_LIBERAL) {
            strategy->distrust[seat] -= SURE;
        } else if (strategy->known[seat] != KNOWN_NOT) {
            strategy->distrust[seat] += SURE;
        }
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
    learn_history(strategy, cast, table);
    learn_hand(strategy, table);
    think(strategy);
}

/* ---- choosing people ----------------------------------------------------- */

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

/* The seat of a set with the highest score, or the lowest if `sign` is -1; the
 * whim decides between close ones.  NO_SEAT if the set is empty. */
static unsigned
extreme(const struct strategy *strategy, const int *scores, int sign,
        seat_set seats, struct whim *whim)
{
    unsigned found = NO_SEAT;
    int best = INT_MIN;
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        int score = sign * scores[seat] + (int)whim_below(whim, NOISE);
        if (seat_in(seat, seats) && seat != strategy->seat && score > best) {
            best = score;
            found = seat;
        }
    }
    return found;
}

/* The scores that this seat may act on in public: its own distrust, or what
 * anybody could believe. */
static const int *
shown_distrust(const struct strategy *strategy)
{
    return strategy->told ? strategy->rumour : strategy->distrust;
}

static unsigned
favourite(const struct strategy *strategy, seat_set seats)
{
    struct whim whim = whim_of(strategy, DECIDE_FAVOURITE);
    seat_set mates =
        seats_of_mates(strategy, seats & ~seat_bit(strategy->seat));
    if (mates != 0 && whim_chance(&whim, 350)) {
        seats = mates;
    }
    return extreme(strategy, shown_distrust(strategy), -1, seats, &whim);
}

/* ---- elections ----------------------------------------------------------- */

static unsigned
nominee_of_liberal(const struct strategy *strategy, struct whim *whim)
{
    int scores[PLAYERS_MAX];
    memcpy(scores, strategy->distrust, sizeof(scores));
    for (unsigned seat = 0; seat < strategy->players; seat++) {
        bool cleared = seat_in(seat, strategy->cleared);
        scores[seat] -= strategy->fascist >= FASCIST_DANGER && cleared ? 14 : 0;
    }
    return extreme(strategy, scores, -1, strategy->choices, whim);
}

unsigned
strategy_nominee(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_NOMINEE);
    seat_set mates = seats_of_mates(strategy, strategy->choices);
    seat_set hitler = seats_known(strategy, mates, KNOWN_HITLER);
    bool danger = strategy->fascist >= FASCIST_DANGER;
    if (danger && hitler != 0 && whim_chance(&whim, 600)) {
        return extreme(strategy, strategy->rumour, -1, hitler, &whim);
    }
    if (mates != 0 && whim_chance(&whim, 450)) {
        return extreme(strategy, strategy->rumour, -1, mates, &whim);
    }
    return strategy->told ? extreme(strategy, strategy->rumour, -1,
                                    strategy->choices, &whim)
                          : nominee_of_liberal(strategy, &whim);
}

/* How much a player of the government counts against it. */
static int
weight_of(const struct strategy *strategy, const int *scores, unsigned seat)
{
    return seat == strategy->seat ? 0 : scores[seat];
}

static bool
would_elect(const struct strategy *strategy, const int *scores,
            struct whim *whim)
{
    int against = weight_of(strategy, scores, strategy->president) +
                  weight_of(strategy, scores, strategy->chancellor);
    int limit = 1 + (int)whim_below(whim, 13) - 6;
    limit += strategy->tracker == 1 ? 4 : 0;
    limit += strategy->tracker == 2 ? 20 : 0;
    if (strategy->fascist >= FASCIST_DANGER &&
        !seat_in(strategy->chancellor, strategy->cleared)) {
        limit -= 6;
        against += weight_of(strategy, scores, strategy->chancellor) / 2;
    }
    return against <= limit;
}

bool
strategy_vote(const struct strategy *strategy)
{
    struct whim whim = whim_of(strategy, DECIDE_VOTE);
    bool danger = strategy->fascist >= FASCIST_DANGER;
    bool in_office = strategy->seat == strategy->president ||
                     strategy->seat == strategy->chancellor;
    seat_set government =
        seat_bit(strategy->president) | seat_bit(strategy->chancellor);
    bool mates = seats_of_mates(strategy, government) != 0;
    if (danger && strategy->known[strategy->chancellor] == KNOWN_HITLER) {
        return true;
    }
    if (strategy->role == ROLE_LIBERAL) {
        return (in_office && whim_chance(&whim, 700)) ||
               would_elect(strategy, strategy->distrust, &whim);
    }
    if (in_office || (mates && whim_chance(&whim, 600))) {
        return true;
    }
    return would_elect(strategy, shown_distrust(strategy), &whim);
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

bool
strategy_asks_veto(const struct strategy *strategy)
{
    unsigned liberals = pile_liberals(strategy->hand);
    return strategy->may_veto &&
           liberals ==
               (strategy->role == ROLE_LIBERAL ? 0 : strategy->hand.count);
}

bool
strategy_agrees_veto(const struct strategy *strategy)
{
    unsigned liberals = pile_liberals(strategy->hand);
    return liberals ==
           (strategy->role == ROLE_LIBERAL ? 0 : strategy->hand.count);
}

/* ---- powers -------------------------------------------------------------- */

/* Choose a power's target: a suspect, and never somebody of one's own side. */
static unsigned
victim(const struct strategy *strategy, struct whim *whim)
{
    seat_set seats =
        strategy->choices & ~seats_of_mates(strategy, strategy->choices);
    if (seats == 0) {
        seats = strategy->choices;
    }
    return extreme(strategy, shown_distrust(strategy), 1, seats, whim);
}

unsigned
strategy_target(const struct strategy *strategy, enum question question)
{
    struct whim whim = whim_of(strategy, DECIDE_TARGET);
    if (question == QUESTION_SPECIAL_ELECTION) {
        return favourite(strategy, strategy->choices);
    }
    if (question == QUESTION_INVESTIGATE && !strategy->told) {
        seat_set strangers =
            seats_known(strategy, strategy->choices, KNOWN_NOT);
        if (strangers != 0) {
            return extreme(strategy, strategy->distrust, 1, strangers, &whim);
        }
    }
    return victim(strategy, &whim);
}
