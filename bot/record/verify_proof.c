#include <sodium.h>
#include <string.h>

#include "bot/record/deal.h"
#include "bot/record/verify_inner.h"

/* ---- what was committed to ----------------------------------------------- */

static void
add_digest(struct buf *out, const struct buf *text)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)buf_text(text),
                             text->len);
    buf_add_hex(out, digest, sizeof digest);
}

/* C = SHA-256("SH-DEAL-1 " game-id " " hex(R) "\n"). */
static bool
demand_commitment(struct judge *judge)
{
    const struct record_game *game = judge->game;
    struct buf text = BUF_INIT;
    struct buf digest = BUF_INIT;
    buf_addf(&text, "SH-DEAL-1 %s %s\n", game->id, game->seed);
    add_digest(&digest, &text);
    bool same = buf_equals(&digest, game->commitment);
    buf_release(&digest);
    buf_release(&text);
    return same || fault(judge, RULE_FAIR_1,
                         "`seed` is not what `commitment` was made from");
}

/* What the transcript says before its players. */
static void
add_heading(struct buf *out, const struct record_game *game)
{
    struct buf options = BUF_INIT;
    buf_addf(&options, "preset=%s\n", game->preset);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        buf_addf(&options, "%s=%s\n", rules_options[i].name,
                 rules_get(&game->rules, &rules_options[i]));
    }
    buf_addf(out, "SH-DEAL-1\ngame: %s\ncommit: %s\nrules: ", game->id,
             game->commitment);
    add_digest(out, &options);
    buf_add_char(out, '\n');
    buf_release(&options);
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
    add_heading(&heading, game);
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
same_cards(struct pile one, struct pile other)
{
    return one.count == other.count && one.liberal == other.liberal;
}

static bool
demand_deal(struct judge *judge, const unsigned char key[DEAL_KEY])
{
    struct command deal = deal_game(key, judge->game->players);
    const struct event *dealt = &judge->line->event;
    if (dealt->target != deal.hitler || dealt->seats != deal.fascists) {
        return fault(judge, RULE_FAIR_4, "`roles` are not those committed to");
    }
    return same_cards(dealt->cards, deal.tiles) ||
           fault(judge, RULE_FAIR_4, "`deck` is not the one committed to");
}

/* The first candidate; whoever follows, should that seat be vacant by then. */
static bool
demand_first(struct judge *judge, const unsigned char key[DEAL_KEY])
{
    unsigned players = judge->game->players;
    seat_set present = present_seats(&judge->steps[judge->line->seq].ledger);
    unsigned first = deal_game(key, players).first;
    while (!seat_in(first, present)) {
        first = (first + 1) % players;
    }
    return demand_seat(judge, RULE_FAIR_4, "president", judge->line->event.seat,
                       first);
}

static bool
demand_deck(struct judge *judge, const unsigned char key[DEAL_KEY], unsigned k)
{
    struct pile deck = judge->line->event.cards;
    unsigned liberal = pile_liberals(deck);
    struct command due = deal_reshuffle(key, k, liberal, deck.count - liberal);
    return same_cards(deck, due.tiles) ||
           fault(judge, RULE_FAIR_5, "`deck` is not shuffle %u", k);
}

/* Did the choice of that number, from 0, give the line after the lots? */
static bool
is_choice(const struct ledger *ledger, const struct event *decided,
          unsigned choice)
{
    seat_set targets = power_targets(ledger);
    seat_set before = (seat_set)(seat_bit(decided->target) - 1U);
    switch ((enum lots)ledger->lots) {
    case LOTS_DISCARD:
        return ledger->hand.liberal[choice] == decided->is_liberal &&
               ledger->hand.liberal[choice == 0] ==
                   pile_is_liberal(decided->cards, 0) &&
               ledger->hand.liberal[choice == 2 ? 1 : 2] ==
                   pile_is_liberal(decided->cards, 1);
    case LOTS_ENACT:
        return ledger->hand.liberal[choice] == decided->is_liberal;
    case LOTS_USE:
        return count_seats(targets & before) == choice;
    case LOTS_NONE:
        break;
    }
    return true;
}

/* Choices in order: seats in seat order, cards by position. */
static bool
demand_lots(struct judge *judge, const unsigned char key[DEAL_KEY], unsigned k)
{
    const struct record_game *game = judge->game;
    size_t seq = judge->line->seq;
    const struct ledger *ledger = &judge->steps[seq].ledger;
    bool decided =
        seq + 1 < game->line_count && game->lines[seq + 1].kind < EVENT_KINDS;
    if (!decided) {
        return true;
    }
    unsigned choices = ledger->lots == LOTS_USE
                           ? count_seats(power_targets(ledger))
                           : ledger->hand.count;
    unsigned choice = deal_lots(key, k, choices);
    return is_choice(ledger, &game->lines[seq + 1].event, choice) ||
           fault(judge, RULE_FAIR_6, "lots %u drew another choice", k);
}

/* Streams are numbered by all lines of their kind, undone ones too. */
static bool
demand_chance(struct judge *judge, const unsigned char key[DEAL_KEY])
{
    unsigned shuffles = 0;
    unsigned lots = 0;
    bool fair = true;
    for (size_t i = 0; fair && i < judge->game->line_count; i++) {
        judge->line = &judge->game->lines[i];
        if (judge->line->kind == EVENT_DEALT) {
            fair = demand_deal(judge, key);
        } else if (judge->begun && i == judge->first_round) {
            fair = demand_first(judge, key);
        } else if (judge->line->kind == EVENT_RESHUFFLED) {
            fair = demand_deck(judge, key, ++shuffles);
        } else if (judge->line->kind == EVENT_LOTS) {
            fair = demand_lots(judge, key, ++lots);
        }
    }
    return fair;
}

/* ---- the proof ----------------------------------------------------------- */

static int
digit_value(char digit)
{
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

/* The reader saw to it that a seed is 64 lower-case digits. */
static void
key_of(const struct record_game *game, unsigned char key[DEAL_KEY])
{
    unsigned char secret[DEAL_SECRET];
    const char *digit = game->seed;
    for (unsigned i = 0; i < DEAL_SECRET; i++, digit += 2) {
        secret[i] =
            (unsigned char)(digit_value(digit[0]) << 4 | digit_value(digit[1]));
    }
    deal_key(secret, game->transcript, strlen(game->transcript), key);
}

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
        return !judge->now.dealt ||
               fault(judge, RULE_FAIR_2,
                     "`transcript` is missing, though the deal was committed "
                     "to");
    }
    return transcript_fits(game) ||
           fault(judge, RULE_FAIR_2,
                 "`transcript` is not that of this game, its rules and its "
                 "players");
}

/* All three are there, or as much of them as the game came to. */
static bool
demand_proof(struct judge *judge)
{
    unsigned char key[DEAL_KEY];
    if (!demand_commitment(judge) || !demand_transcript(judge)) {
        return false;
    }
    if (judge->game->transcript == NULL) {
        return true;
    }
    key_of(judge->game, key);
    return demand_chance(judge, key);
}

void
judge_proof(struct judge *judge)
{
    const struct record_game *game = judge->game;
    const struct record_line *revealed = line_of(game, RECORD_REVEALED);
    const struct record_line *seated = line_of(game, RECORD_SEATED);
    if (game->commitment[0] == '\0') {
        if (game->seed[0] != '\0' || game->transcript != NULL) {
            judge->line = game->transcript != NULL ? seated : revealed;
            (void)fault(judge, RULE_FAIR_1, "nothing was committed to");
        }
        return;
    }
    if (revealed == NULL) {
        judge->verdict->proof = PROOF_OPEN;
        return;
    }
    judge->line = revealed;
    if (game->seed[0] == '\0') {
        (void)fault(judge, RULE_FAIR_7,
                    "`seed` is missing, though the deal was committed to");
    } else if (demand_proof(judge)) {
        judge->verdict->proof = PROOF_HOLDS;
    }
}
