#include "bot/local/strategy.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "bot/host/words/speech.h"

/* What a whim is for; the numbers of the callers' purposes are below these. */
enum {
    WHIM_MIND = 100,
    WHIM_CLAIM,
    WHIM_FINDING,
    WHIM_PEEK,
};

/* Salts that keep the decisions of one mind apart. */
enum decision {
    DECIDE_NOISE = 1,
    DECIDE_NOMINEE,
    DECIDE_VOTE,
    DECIDE_CARD,
    DECIDE_VETO,
    DECIDE_TARGET,
    DECIDE_PRAISE,
    DECIDE_BLAME,
};

/* Of somebody who is surely of the other party, or surely not. */
enum {
    SURE = 100,
    NOISE = 4, /* people differ by so much */
};

/* ---- chance -------------------------------------------------------------- */

/* One step of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t
stir(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

static void
whim_salt(struct whim *whim, uint64_t salt)
{
    whim->state ^= salt;
    whim->state = stir(&whim->state);
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
    return (unsigned)(stir(&whim->state) % count);
}

bool
whim_chance(struct whim *whim, unsigned permille)
{
    return whim_below(whim, 1000) < permille;
}

/* Dice for one decision: whatever else was decided before it. */
static struct whim
whim_of(const struct mind *mind, enum decision decision)
{
    struct whim whim = mind->whim;
    whim_salt(&whim, (uint64_t)decision);
    return whim;
}

/* ---- what is said -------------------------------------------------------- */

bool
cast_plays(const struct cast *cast, const struct table *table, unsigned seat)
{
    return seat < table->seated &&
           (cast->human == NULL ||
            strcmp(table->people[seat].user, cast->human) != 0);
}

/* Of a fascist president: the liberal card that is gone was never there. */
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
mind_claim(const struct cast *cast, const struct table *table,
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
mind_finding(const struct cast *cast, const struct table *table,
             unsigned target)
{
    const struct game *game = &table->game;
    unsigned seat = table->investigated_by[target];
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
mind_peek(const struct cast *cast, const struct table *table, unsigned seat)
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

/* By the role message, and by own investigations. */
static void
learn_people(struct mind *mind, const struct table *table)
{
    const struct game *game = &table->game;
    mind->told = mind->role == ROLE_FASCIST ||
                 (mind->role == ROLE_HITLER && game_hitler_knows(game));
    for (unsigned other = 0; other < mind->players; other++) {
        if (mind->told) {
            mind->known[other] = known_role(game, other);
        } else if (table->investigated_by[other] == mind->seat) {
            bool liberal = game_party(game, other) == PARTY_LIBERAL;
            mind->known[other] = liberal ? KNOWN_LIBERAL : KNOWN_FASCIST;
        }
    }
}

static void
learn_session(struct mind *mind, const struct cast *cast,
              const struct table *table, const struct past_round *round)
{
    struct session *session = &mind->sessions[mind->session_count++];
    bool presided = round->president == mind->seat;
    session->round = round->round;
    session->president = round->president;
    session->chancellor = round->chancellor;
    session->liberal = round->liberal;
    session->ja = round->ja;
    session->nein = round->voted & (seat_set)~round->ja;
    session->drawn = presided ? (uint8_t)pile_liberals(round->drawn) : NOT_TOLD;
    session->passed = presided || round->chancellor == mind->seat
                          ? (uint8_t)pile_liberals(round->passed)
                          : NOT_TOLD;
    struct claim claim = mind_claim(cast, table, round, round->president);
    session->said_drawn = claim.drawn;
    session->said_passed = claim.passed;
    claim = mind_claim(cast, table, round, round->chancellor);
    session->said_handed = claim.passed;
}

static void
learn_history(struct mind *mind, const struct cast *cast,
              const struct table *table)
{
    unsigned fascist = 0;
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        bool enacted = round->outcome == PAST_ENACTED;
        bool governed = enacted || round->outcome == PAST_VETOED;
        if (governed && fascist >= FASCIST_DANGER) {
            mind->cleared |= seat_bit(round->chancellor);
        }
        if (enacted) {
            learn_session(mind, cast, table, round);
        }
        fascist += enacted && !round->liberal ? 1 : 0;
        fascist += round->chaos && !round->chaos_liberal ? 1 : 0;
    }
    for (unsigned other = 0; other < mind->players; other++) {
        mind->said[other] = mind_finding(cast, table, other);
        mind->said_by[other] = table->investigated_by[other];
    }
}

/* The cards that lie before this seat, as they are shown to it. */
static void
learn_hand(struct mind *mind, const struct table *table)
{
    const struct game *game = &table->game;
    const struct past_round *round = table_round(table);
    bool presides = game->president == mind->seat;
    bool discards = presides && game->question == QUESTION_DISCARD;
    bool enacts =
        game->chancellor == mind->seat && game->question == QUESTION_ENACT;
    if (discards || enacts) {
        uint8_t order[3];
        speech_order(game->hand, enacts, order);
        for (unsigned i = 0; i < game->hand.count; i++) {
            pile_add(&mind->hand, pile_is_liberal(game->hand, order[i]));
        }
    } else if (presides && game->question == QUESTION_VETO && round != NULL) {
        mind->hand = round->passed;
    }
}

/* ---- what is thought ----------------------------------------------------- */

static void
weigh_votes(int *rumour, const struct mind *mind, seat_set seats, int weight)
{
    for (unsigned seat = 0; seat < mind->players; seat++) {
        rumour[seat] += seat_in(seat, seats) ? weight : 0;
    }
}

static void
weigh_session(int *rumour, const struct mind *mind,
              const struct session *session)
{
    int *president = &rumour[session->president];
    int *chancellor = &rumour[session->chancellor];
    if (session->liberal) {
        *president -= 9;
        *chancellor -= 12;
        weigh_votes(rumour, mind, session->ja, -1);
        weigh_votes(rumour, mind, session->nein, 1);
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
    weigh_votes(rumour, mind, session->ja, 2);
}

static void
weigh_findings(int *rumour, const struct mind *mind)
{
    for (unsigned seat = 0; seat < mind->players; seat++) {
        if (mind->said[seat] == KNOWN_NOT) {
            continue;
        }
        bool believed = rumour[mind->said_by[seat]] < 18;
        if (mind->said[seat] == KNOWN_LIBERAL) {
            rumour[seat] -= believed ? 14 : 2;
        } else {
            rumour[seat] += believed ? 26 : 8;
            rumour[mind->said_by[seat]] += 6;
        }
    }
}

/* What the cards in one's own hand have told of the other. */
static void
weigh_own_session(struct mind *mind, const struct session *session)
{
    if (session->liberal || session->passed == NOT_TOLD) {
        return;
    }
    if (session->president == mind->seat) {
        mind->distrust[session->chancellor] += session->passed > 0 ? SURE : -8;
    } else {
        mind->distrust[session->president] += session->passed == 0 ? 6 : 0;
    }
}

static void
think(struct mind *mind)
{
    struct whim whim = whim_of(mind, DECIDE_NOISE);
    for (unsigned i = 0; i < mind->session_count; i++) {
        weigh_session(mind->rumour, mind, &mind->sessions[i]);
    }
    weigh_findings(mind->rumour, mind);
    for (unsigned seat = 0; seat < mind->players; seat++) {
        mind->distrust[seat] =
            mind->rumour[seat] + (int)whim_below(&whim, 2 * NOISE + 1) - NOISE;
    }
    for (unsigned i = 0; i < mind->session_count; i++) {
        weigh_own_session(mind, &mind->sessions[i]);
    }
    for (unsigned seat = 0; seat < mind->players; seat++) {
        if (mind->known[seat] == KNOWN_LIBERAL) {
            mind->distrust[seat] -= SURE;
        } else if (mind->known[seat] != KNOWN_NOT) {
            mind->distrust[seat] += SURE;
        }
    }
}

void
mind_init(struct mind *mind, const struct cast *cast, const struct table *table,
          unsigned seat)
{
    const struct game *game = &table->game;
    struct awaits awaits = game_awaits(game);
    memset(mind, 0, sizeof(*mind));
    mind->seat = seat;
    mind->players = table->seated;
    mind->role = game_role(game, seat);
    mind->present = game_present(game);
    mind->choices = awaits.choices;
    mind->president = game->president;
    mind->chancellor = game->chancellor;
    mind->liberal = game->liberal;
    mind->fascist = game->fascist;
    mind->tracker = game->tracker;
    mind->may_veto = awaits.may_veto;
    whim_init(&mind->whim, cast, table->id, table->phase, seat, WHIM_MIND);
    learn_people(mind, table);
    learn_history(mind, cast, table);
    learn_hand(mind, table);
    think(mind);
}

/* ---- choosing people ----------------------------------------------------- */

/* Does this seat know that the other is on its side? */
static bool
is_mate(const struct mind *mind, unsigned other)
{
    return mind->role != ROLE_LIBERAL && mind->known[other] != KNOWN_NOT &&
           mind->known[other] != KNOWN_LIBERAL;
}

static seat_set
seats_known(const struct mind *mind, seat_set seats, enum known known)
{
    seat_set found = 0;
    for (unsigned seat = 0; seat < mind->players; seat++) {
        if (seat_in(seat, seats) && mind->known[seat] == known) {
            found |= seat_bit(seat);
        }
    }
    return found;
}

static seat_set
seats_of_mates(const struct mind *mind, seat_set seats)
{
    seat_set found = 0;
    for (unsigned seat = 0; seat < mind->players; seat++) {
        if (seat_in(seat, seats) && is_mate(mind, seat)) {
            found |= seat_bit(seat);
        }
    }
    return found;
}

/* The seat of a set with the highest score, the lowest for `sign` -1; among
 * near ones the whim decides.  NO_SEAT of none. */
static unsigned
extreme(const struct mind *mind, const int *scores, int sign, seat_set seats,
        struct whim *whim)
{
    unsigned found = NO_SEAT;
    int best = INT_MIN;
    for (unsigned seat = 0; seat < mind->players; seat++) {
        int score = sign * scores[seat] + (int)whim_below(whim, NOISE);
        if (seat_in(seat, seats) && seat != mind->seat && score > best) {
            best = score;
            found = seat;
        }
    }
    return found;
}

/* What this seat shows: its thoughts, or those of anybody. */
static const int *
shown_distrust(const struct mind *mind)
{
    return mind->told ? mind->rumour : mind->distrust;
}

int
mind_doubt(const struct mind *mind, unsigned seat)
{
    return shown_distrust(mind)[seat];
}

unsigned
mind_favourite(const struct mind *mind, seat_set seats)
{
    struct whim whim = whim_of(mind, DECIDE_PRAISE);
    seat_set mates = seats_of_mates(mind, seats & ~seat_bit(mind->seat));
    if (mates != 0 && whim_chance(&whim, 350)) {
        seats = mates;
    }
    return extreme(mind, shown_distrust(mind), -1, seats, &whim);
}

unsigned
mind_suspect(const struct mind *mind, seat_set seats)
{
    struct whim whim = whim_of(mind, DECIDE_BLAME);
    seat_set others = seats_known(mind, seats, KNOWN_LIBERAL);
    if (mind->role == ROLE_FASCIST && (others & ~seat_bit(mind->seat)) != 0 &&
        whim_chance(&whim, 800)) {
        seats = others;
    }
    return extreme(mind, shown_distrust(mind), 1, seats, &whim);
}

/* ---- elections ----------------------------------------------------------- */

static unsigned
nominee_of_liberal(const struct mind *mind, struct whim *whim)
{
    int scores[PLAYERS_MAX];
    memcpy(scores, mind->distrust, sizeof(scores));
    for (unsigned seat = 0; seat < mind->players; seat++) {
        bool cleared = seat_in(seat, mind->cleared);
        scores[seat] -= mind->fascist >= FASCIST_DANGER && cleared ? 14 : 0;
    }
    return extreme(mind, scores, -1, mind->choices, whim);
}

unsigned
mind_nominee(const struct mind *mind)
{
    struct whim whim = whim_of(mind, DECIDE_NOMINEE);
    seat_set mates = seats_of_mates(mind, mind->choices);
    seat_set hitler = seats_known(mind, mates, KNOWN_HITLER);
    bool danger = mind->fascist >= FASCIST_DANGER;
    if (danger && hitler != 0 && whim_chance(&whim, 600)) {
        return extreme(mind, mind->rumour, -1, hitler, &whim);
    }
    if (mates != 0 && whim_chance(&whim, 450)) {
        return extreme(mind, mind->rumour, -1, mates, &whim);
    }
    return mind->told ? extreme(mind, mind->rumour, -1, mind->choices, &whim)
                      : nominee_of_liberal(mind, &whim);
}

/* How much a player of the government speaks against it. */
static int
weight_of(const struct mind *mind, const int *scores, unsigned seat)
{
    return seat == mind->seat ? 0 : scores[seat];
}

static bool
would_elect(const struct mind *mind, const int *scores, struct whim *whim)
{
    int against = weight_of(mind, scores, mind->president) +
                  weight_of(mind, scores, mind->chancellor);
    int limit = 1 + (int)whim_below(whim, 13) - 6;
    limit += mind->tracker == 1 ? 4 : 0;
    limit += mind->tracker == 2 ? 20 : 0;
    if (mind->fascist >= FASCIST_DANGER &&
        !seat_in(mind->chancellor, mind->cleared)) {
        limit -= 6;
        against += weight_of(mind, scores, mind->chancellor) / 2;
    }
    return against <= limit;
}

bool
mind_vote(const struct mind *mind)
{
    struct whim whim = whim_of(mind, DECIDE_VOTE);
    bool danger = mind->fascist >= FASCIST_DANGER;
    bool in_office =
        mind->seat == mind->president || mind->seat == mind->chancellor;
    bool mates =
        is_mate(mind, mind->president) || is_mate(mind, mind->chancellor);
    if (danger && mind->known[mind->chancellor] == KNOWN_HITLER) {
        return true;
    }
    if (mind->role == ROLE_LIBERAL) {
        return (in_office && whim_chance(&whim, 700)) ||
               would_elect(mind, mind->distrust, &whim);
    }
    if (in_office || (mates && whim_chance(&whim, 600))) {
        return true;
    }
    return would_elect(mind, shown_distrust(mind), &whim);
}

/* ---- cards --------------------------------------------------------------- */

/* A position of that kind in the hand, which MUST hold one. */
static unsigned
position_of(const struct mind *mind, bool liberal, struct whim *whim)
{
    unsigned first = whim_below(whim, mind->hand.count);
    while (pile_is_liberal(mind->hand, first) != liberal) {
        first = (first + 1) % mind->hand.count;
    }
    return first;
}

/* Does somebody of the fascist party show their colours just now? */
static bool
dares(const struct mind *mind, unsigned fascist, unsigned hitler,
      struct whim *whim)
{
    bool decisive =
        mind->fascist == FASCIST_WIN - 1 || mind->liberal == LIBERAL_WIN - 1;
    if (mind->role == ROLE_LIBERAL) {
        return false;
    }
    if (decisive) {
        return true;
    }
    return whim_chance(whim, mind->role == ROLE_FASCIST ? fascist : hitler);
}

unsigned
mind_discard(const struct mind *mind)
{
    struct whim whim = whim_of(mind, DECIDE_CARD);
    unsigned liberals = pile_liberals(mind->hand);
    bool discards_liberal = dares(mind, 700, 300, &whim);
    if (liberals == 0 || liberals == mind->hand.count) {
        discards_liberal = liberals > 0;
    }
    return position_of(mind, discards_liberal, &whim);
}

bool
mind_enacts_liberal(const struct mind *mind)
{
    struct whim whim = whim_of(mind, DECIDE_CARD);
    unsigned liberals = pile_liberals(mind->hand);
    if (liberals == 0 || liberals == mind->hand.count) {
        return liberals > 0;
    }
    bool early = mind->fascist == 0 && mind->liberal < 2;
    return !dares(mind, early ? 550 : 880, 300, &whim);
}

bool
mind_asks_veto(const struct mind *mind)
{
    unsigned liberals = pile_liberals(mind->hand);
    return mind->may_veto &&
           liberals == (mind->role == ROLE_LIBERAL ? 0 : mind->hand.count);
}

bool
mind_agrees_veto(const struct mind *mind)
{
    unsigned liberals = pile_liberals(mind->hand);
    return liberals == (mind->role == ROLE_LIBERAL ? 0 : mind->hand.count);
}

/* ---- powers -------------------------------------------------------------- */

/* Whom a power is turned against: a suspect, and none of one's own. */
static unsigned
victim(const struct mind *mind, struct whim *whim)
{
    seat_set seats = mind->choices & ~seats_of_mates(mind, mind->choices);
    if (seats == 0) {
        seats = mind->choices;
    }
    return extreme(mind, shown_distrust(mind), 1, seats, whim);
}

unsigned
mind_target(const struct mind *mind, enum question question)
{
    struct whim whim = whim_of(mind, DECIDE_TARGET);
    if (question == QUESTION_SPECIAL_ELECTION) {
        return mind_favourite(mind, mind->choices);
    }
    if (question == QUESTION_INVESTIGATE && !mind->told) {
        seat_set strangers = seats_known(mind, mind->choices, KNOWN_NOT);
        if (strangers != 0) {
            return extreme(mind, mind->distrust, 1, strangers, &whim);
        }
    }
    return victim(mind, &whim);
}
