#include <string.h>

#include "bot/base/text.h"
#include "bot/record/deal.h"
#include "bot/record/verify_inner.h"

/* ---- what was committed to ----------------------------------------------- */

static bool
demand_commitment(struct judge *judge)
{
    const struct record_game *game = judge->game;
    unsigned char secret[DEAL_SECRET];
    char commitment[DEAL_HEX + 1];
    (void)text_read_hex(game->seed, secret, DEAL_SECRET);
    deal_commit(secret, game->id, commitment);
    return strcmp(commitment, game->commitment) == 0 ||
           fault(judge, RULE_FAIR_1,
                 "the commitment does not hold: `seed` is not what "
                 "`commitment` was made from");
}

/* Pass over `player: <user id> <post id>`; NULL: it is none. */
static const char *
skip_player(const char *line)
{
    static const char key[] = "player: ";
    if (strncmp(line, key, sizeof key - 1) != 0) {
        return NULL;
    }
    const char *user = line + sizeof key - 1;
    const char *post = user + strcspn(user, " \n");
    if (post == user || *post != ' ') {
        return NULL;
    }
    const char *end = post + 1 + strcspn(post + 1, " \n");
    return end > post + 1 && *end == '\n' ? end + 1 : NULL;
}

/* One line, the last: the players' own words, or none. */
static bool
is_entropy(const char *line)
{
    static const char key[] = "entropy:";
    if (strncmp(line, key, sizeof key - 1) != 0) {
        return false;
    }
    const char *words = line + sizeof key - 1;
    const char *end = strchr(words, '\n');
    return (*words == ' ' || *words == '\n') && end != NULL && end[1] == '\0';
}

static bool
transcript_fits(const struct record_game *game)
{
    struct buf heading = BUF_INIT;
    deal_heading(game->id, game->commitment, game->preset, &game->rules,
                 &heading);
    const char *at = game->transcript;
    bool fits = strncmp(at, buf_text(&heading), heading.len) == 0;
    if (fits) {
        at += heading.len;
    }
    for (unsigned i = 0; fits && i < game->players; i++) {
        at = skip_player(at);
        fits = at != NULL;
    }
    fits = fits && is_entropy(at);
    buf_release(&heading);
    return fits;
}

/* ---- what chance gave ---------------------------------------------------- */

static bool
same_roles(const struct event *dealt, const struct command *deal)
{
    return dealt->target == deal->hitler && dealt->seats == deal->fascists;
}

/* The first candidate; whoever follows, should that seat be vacant by then. */
static unsigned
first_candidate(const struct judge *judge, const struct command *deal)
{
    seat_set present = present_seats(&judge->steps[judge->first_round].ledger);
    unsigned first =
        judge->game->rules.first == FIRST_SEAT_1 ? 0U : deal->first;
    while (!seat_in(first, present)) {
        first = (first + 1) % judge->game->players;
    }
    return first;
}

static bool
deck_holds(const struct record_line *line, const unsigned char key[DEAL_KEY],
           unsigned k)
{
    struct pile deck = line->event.cards;
    unsigned liberal = pile_liberals(deck);
    struct command due = deal_reshuffle(key, k, liberal, deck.count - liberal);
    return same_tiles(deck, due.tiles);
}

/* Did the choice of that number, from 0, give the line after the lots? */
static bool
is_choice(const struct ledger *ledger, const struct event *decided,
          unsigned choice)
{
    struct pile hand = ledger->hand;
    seat_set targets = power_targets(ledger);
    seat_set before = (seat_set)(seat_bit(decided->target) - 1U);
    switch ((enum lots)ledger->lots) {
    case LOTS_DISCARD:
        return pile_take(&hand, choice) == decided->is_liberal &&
               same_tiles(hand, decided->cards);
    case LOTS_ENACT:
        return pile_is_liberal(hand, choice) == decided->is_liberal;
    case LOTS_USE:
        return seat_count(targets & before) == choice;
    case LOTS_NONE:
        break;
    }
    return true;
}

/* Choices in order: seats in seat order, cards by position. */
static bool
lots_hold(const struct judge *judge, const struct record_line *line,
          const unsigned char key[DEAL_KEY], unsigned k)
{
    const struct record_game *game = judge->game;
    size_t seq = line->seq;
    const struct ledger *ledger = &judge->steps[seq].ledger;
    bool decided =
        seq + 1 < game->line_count && game->lines[seq + 1].kind < EVENT_KINDS;
    if (!decided) {
        return true;
    }
    unsigned choices = ledger->lots == LOTS_USE
                           ? seat_count(power_targets(ledger))
                           : ledger->hand.count;
    unsigned choice = deal_lots(key, k, choices);
    return is_choice(ledger, &game->lines[seq + 1].event, choice);
}

enum part {
    PART_ROLES,
    PART_DECK,
    PART_FIRST,
    PART_RESHUFFLE,
    PART_LOTS
};

/* What is wrong with it: how many parts, and the first of them. */
struct wrongs {
    unsigned count;
    bool deck; /* the first deck is */
    const struct record_line *line;
    enum part part;
    unsigned k;
};

static void
note_part(struct wrongs *wrongs, const struct record_line *line, enum part part,
          unsigned k, bool holds)
{
    if (holds) {
        return;
    }
    if (wrongs->count++ == 0) {
        wrongs->line = line;
        wrongs->part = part;
        wrongs->k = k;
    }
    wrongs->deck = wrongs->deck || part == PART_DECK;
}

/* Streams are numbered by all lines of their kind, undone ones too. */
static struct wrongs
find_wrongs(const struct judge *judge, const unsigned char key[DEAL_KEY],
            const struct command *deal)
{
    struct wrongs wrongs = {.count = 0};
    unsigned shuffles = 0;
    unsigned lots = 0;
    for (size_t i = 0; i < judge->game->line_count; i++) {
        const struct record_line *line = &judge->game->lines[i];
        if (line->kind == EVENT_DEALT) {
            note_part(&wrongs, line, PART_ROLES, 0,
                      same_roles(&line->event, deal));
            note_part(&wrongs, line, PART_DECK, 0,
                      same_tiles(line->event.cards, deal->tiles));
        } else if (judge->begun && i == judge->first_round) {
            note_part(&wrongs, line, PART_FIRST, 0,
                      line->event.seat == first_candidate(judge, deal));
        } else if (line->kind == EVENT_RESHUFFLED) {
            ++shuffles;
            note_part(&wrongs, line, PART_RESHUFFLE, shuffles,
                      deck_holds(line, key, shuffles));
        } else if (line->kind == EVENT_LOTS) {
            ++lots;
            note_part(&wrongs, line, PART_LOTS, lots,
                      lots_hold(judge, line, key, lots));
        }
    }
    return wrongs;
}

static bool
fault_part(struct judge *judge, const struct wrongs *wrongs,
           const struct command *deal)
{
    judge->line = wrongs->line;
    switch (wrongs->part) {
    case PART_ROLES:
        return fault(judge, RULE_FAIR_4,
                     "the roles do not hold: `roles` are not those committed "
                     "to");
    case PART_DECK:
        return fault(judge, RULE_FAIR_4,
                     "the deck does not hold: `deck` is not the one committed "
                     "to");
    case PART_FIRST:
        return fault(judge, RULE_FAIR_4,
                     "the first candidate does not hold: `president` must be "
                     "\"%s\"",
                     judge->names[first_candidate(judge, deal)]);
    case PART_RESHUFFLE:
        return fault(judge, RULE_FAIR_5,
                     "reshuffle %u does not hold: `deck` is not the one "
                     "committed to",
                     wrongs->k);
    case PART_LOTS:
        break;
    }
    return fault(judge, RULE_FAIR_6,
                 "lots %u do not hold: another choice was drawn", wrongs->k);
}

/* ---- the proof ----------------------------------------------------------- */

/* The first line of a kind, or NULL. */
static const struct record_line *
line_of(const struct record_game *game, int kind)
{
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == kind) {
            return &game->lines[i];
        }
    }
    return NULL;
}

static bool
demand_transcript(struct judge *judge)
{
    const struct record_game *game = judge->game;
    judge->line = line_of(game, RECORD_SEATED);
    if (judge->line == NULL) {
        return true;
    }
    if (game->transcript == NULL) {
        return !judge->now.dealt || game->key[0] != '\0' ||
               fault(judge, RULE_FAIR_2,
                     "the transcript is missing, though the deal was "
                     "committed to");
    }
    if (game->key[0] != '\0') {
        return fault(judge, RULE_FAIR_2,
                     "there is a key beside the transcript that it follows "
                     "from");
    }
    return transcript_fits(game) ||
           fault(judge, RULE_FAIR_2,
                 "the transcript does not hold: `transcript` is not that of "
                 "this game, its rules and its players");
}

/* A deck that is wrong together with anything else: it is the transcript that
 * was changed, in what no record can tell of it, ids and words. */
static bool
demand_chance(struct judge *judge, const unsigned char key[DEAL_KEY])
{
    struct command deal = deal_game(key, judge->game->players);
    struct wrongs wrongs = find_wrongs(judge, key, &deal);
    if (wrongs.count == 0) {
        return true;
    }
    if (!wrongs.deck || wrongs.count == 1) {
        return fault_part(judge, &wrongs, &deal);
    }
    judge->line = line_of(judge->game, RECORD_SEATED);
    return fault(judge, RULE_FAIR_2,
                 judge->game->transcript == NULL
                     ? "the key does not hold: the deal does not follow from "
                       "`key`"
                     : "the transcript does not hold: the deal does not follow "
                       "from `transcript`");
}

/* Check all three, as far as the game got. */
static bool
demand_proof(struct judge *judge)
{
    const struct record_game *game = judge->game;
    unsigned char secret[DEAL_SECRET];
    unsigned char key[DEAL_KEY];
    if (!demand_commitment(judge) || !demand_transcript(judge)) {
        return false;
    }
    if (game->transcript != NULL) {
        (void)text_read_hex(game->seed, secret, DEAL_SECRET);
        deal_key(secret, game->transcript, strlen(game->transcript), key);
    } else if (game->key[0] != '\0') {
        (void)text_read_hex(game->key, key, DEAL_KEY);
    } else {
        return true;
    }
    return demand_chance(judge, key);
}

void
judge_proof(struct judge *judge)
{
    const struct record_game *game = judge->game;
    const struct record_line *revealed = line_of(game, RECORD_REVEALED);
    const struct record_line *seated = line_of(game, RECORD_SEATED);
    if (game->commitment[0] == '\0') {
        bool seats_tell = game->transcript != NULL || game->key[0] != '\0';
        if (game->seed[0] != '\0' || seats_tell) {
            judge->line = seats_tell ? seated : revealed;
            (void)fault(judge, RULE_FAIR_1,
                        "the commitment is missing: nothing was committed to");
        }
        return;
    }
    if (revealed == NULL) {
        if (demand_transcript(judge)) {
            judge->verdict->proof = PROOF_OPEN;
        }
        return;
    }
    judge->line = revealed;
    if (game->seed[0] == '\0') {
        (void)fault(judge, RULE_FAIR_7,
                    "the seed is missing, though the deal was committed to");
    } else if (demand_proof(judge)) {
        judge->verdict->proof = game->key[0] == '\0' ? PROOF_HOLDS : PROOF_KEY;
    }
}
