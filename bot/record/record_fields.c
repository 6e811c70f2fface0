#include "bot/record/record_fields.h"

#include <assert.h>
#include <string.h>

/* ---- words --------------------------------------------------------------- */

/* What lots are drawn for, in one number. */
#define LOTS_FOR(power, discarding) ((power) << 1 | (discarding))

const struct record_word record_roles[] = {
    {"liberal", ROLE_LIBERAL},
    {"fascist", ROLE_FASCIST},
    {"hitler", ROLE_HITLER},
    {NULL, 0},
};

const struct record_word record_tiles[] = {
    {"L", true}, {"F", false}, {NULL, 0}};

static const struct record_word parties[] = {
    {"liberal", PARTY_LIBERAL},
    {"fascist", PARTY_FASCIST},
    {NULL, 0},
};

static const struct record_word powers[] = {
    {"investigate", POWER_INVESTIGATE},
    {"special_election", POWER_SPECIAL_ELECTION},
    {"peek", POWER_PEEK},
    {"execution", POWER_EXECUTION},
    {NULL, 0},
};

/* Powers that show their user something. */
static const struct record_word claimed_powers[] = {
    {"investigate", POWER_INVESTIGATE},
    {"peek", POWER_PEEK},
    {NULL, 0},
};

const struct record_word record_endings[] = {
    {"five_liberal", ENDING_FIVE_LIBERAL},
    {"hitler_executed", ENDING_HITLER_EXECUTED},
    {"six_fascist", ENDING_SIX_FASCIST},
    {"hitler_chancellor", ENDING_HITLER_CHANCELLOR},
    {"abandoned", ENDING_ABANDONED},
    {NULL, 0},
};

static const struct record_word reasons[] = {
    {"majority", ELECTION_MAJORITY},
    {"rejected", ELECTION_REJECTED},
    {"deadline", ELECTION_DEADLINE},
    {"tie", ELECTION_TIE},
    {NULL, 0},
};

static const struct record_word lots[] = {
    {"discard", LOTS_FOR(POWER_NONE, 1)},
    {"enact", LOTS_FOR(POWER_NONE, 0)},
    {"investigate", LOTS_FOR(POWER_INVESTIGATE, 0)},
    {"special_election", LOTS_FOR(POWER_SPECIAL_ELECTION, 0)},
    {"execution", LOTS_FOR(POWER_EXECUTION, 0)},
    {NULL, 0},
};

static const struct record_word votes[] = {
    {"ja", true}, {"nein", false}, {NULL, 0}};

static const struct record_word pressed[] = {
    {"press", RECORD_BY_PRESS},
    {NULL, 0},
};

static const struct record_word planned[] = {
    {"plan", RECORD_BY_PLAN},
    {NULL, 0},
};

static const struct record_word makers[] = {
    {"government", false},
    {"chaos", true},
    {NULL, 0},
};

const char *
record_word_name(const struct record_word *words, unsigned value)
{
    while (words->name != NULL && words->value != value) {
        words++;
    }
    assert(words->name != NULL);
    return words->name;
}

const struct record_word *
record_word_find(const struct record_word *words, const char *name)
{
    for (; words->name != NULL; words++) {
        if (strcmp(words->name, name) == 0) {
            return words;
        }
    }
    return NULL;
}

const char *
record_role_name(enum role role)
{
    return record_word_name(record_roles, role);
}

const char *
record_party_name(enum party party)
{
    return record_word_name(parties, party);
}

const char *
record_reason_name(enum election_reason reason)
{
    return record_word_name(reasons, reason);
}

const char *
record_power_name(enum power power)
{
    return record_word_name(powers, power);
}

const char *
record_ending_name(enum ending ending)
{
    return record_word_name(record_endings, ending);
}

/* ---- fields -------------------------------------------------------------- */

enum {
    FIELDS_MAX = 5
};

#define FIELD(key, form, member)                                               \
    {                                                                          \
        key, form, offsetof(struct record_line, member), NULL, 0, 0            \
    }
#define FIELD_WORD(key, form, member, words)                                   \
    {                                                                          \
        key, form, offsetof(struct record_line, member), words, 0, 0           \
    }
#define FIELD_TILES(key, least, most)                                          \
    {                                                                          \
        key, FORM_TILES, offsetof(struct record_line, event.cards), NULL,      \
            least, most                                                        \
    }

static const struct record_field fields[RECORD_KINDS][FIELDS_MAX + 1] = {
    [EVENT_DEALT] = {FIELD("roles", FORM_ROLES, event),
                     FIELD_TILES("deck", TILES, TILES)},
    [EVENT_ROUND] = {FIELD("round", FORM_NUMBER, event.round),
                     FIELD("president", FORM_SEAT, event.seat),
                     FIELD("special", FORM_FLAG, event.yes),
                     FIELD("eligible", FORM_SEATS, event.seats)},
    [EVENT_NOMINATED] = {FIELD("president", FORM_SEAT, event.seat),
                         FIELD("chancellor", FORM_SEAT, event.target),
                         FIELD_WORD("by", FORM_BY, by, planned)},
    [EVENT_VOTED] = {FIELD("player", FORM_SEAT, event.seat),
                     FIELD_WORD("vote", FORM_WORD, event.yes, votes),
                     FIELD_WORD("by", FORM_BY, by, pressed)},
    [EVENT_ELECTION] = {FIELD("elected", FORM_FLAG, event.yes),
                        FIELD("ja", FORM_SMALL, event.ja),
                        FIELD("nein", FORM_SMALL, event.nein),
                        FIELD_WORD("reason", FORM_WORD, event.reason, reasons),
                        FIELD("tracker", FORM_SMALL, event.tracker)},
    [EVENT_CLEARED] = {FIELD("player", FORM_SEAT, event.seat)},
    [EVENT_HAND] = {FIELD("to", FORM_SEAT, event.seat),
                    FIELD_TILES("cards", HAND_TILES, HAND_TILES)},
    [EVENT_PASSED] = {FIELD("president", FORM_SEAT, event.seat),
                      FIELD_WORD("discarded", FORM_WORD, event.is_liberal,
                                 record_tiles),
                      FIELD_TILES("cards", HAND_TILES - 1, HAND_TILES - 1)},
    [EVENT_VETO_ASKED] = {FIELD("chancellor", FORM_SEAT, event.seat)},
    [EVENT_VETO_ANSWERED] = {FIELD("president", FORM_SEAT, event.seat),
                             FIELD("agreed", FORM_FLAG, event.yes),
                             FIELD("tracker", FORM_SMALL, event.tracker)},
    [EVENT_ENACTED] = {FIELD_WORD("policy", FORM_WORD, event.is_liberal,
                                  record_tiles),
                       FIELD_WORD("by", FORM_WORD, event.by_chaos, makers),
                       FIELD("liberal", FORM_SMALL, event.liberal),
                       FIELD("fascist", FORM_SMALL, event.fascist),
                       FIELD("tracker", FORM_SMALL, event.tracker)},
    [EVENT_RESHUFFLED] = {FIELD_TILES("deck", 1, TILES)},
    [EVENT_POWER] = {FIELD_WORD("power", FORM_WORD, event.power, powers),
                     FIELD("president", FORM_SEAT, event.seat)},
    [EVENT_INVESTIGATED] = {FIELD("president", FORM_SEAT, event.seat),
                            FIELD("target", FORM_SEAT, event.target),
                            FIELD_WORD("party", FORM_WORD, event.party,
                                       parties)},
    [EVENT_SPECIAL_CALLED] = {FIELD("president", FORM_SEAT, event.seat),
                              FIELD("target", FORM_SEAT, event.target)},
    [EVENT_PEEKED] = {FIELD("president", FORM_SEAT, event.seat),
                      FIELD_TILES("cards", HAND_TILES, HAND_TILES)},
    [EVENT_EXECUTED] = {FIELD("president", FORM_SEAT, event.seat),
                        FIELD("target", FORM_SEAT, event.target)},
    [EVENT_FORFEITED] = {FIELD("president", FORM_SEAT, event.seat),
                         FIELD_WORD("power", FORM_WORD, event.power, powers)},
    [EVENT_LOTS] = {FIELD("player", FORM_SEAT, event.seat),
                    FIELD_WORD("for", FORM_LOTS, event, lots)},
    [EVENT_VACATED] = {FIELD("player", FORM_SEAT, event.seat)},
    [EVENT_FILLED] = {FIELD("out", FORM_TEXT, out), FIELD("in", FORM_TEXT, in)},
    [EVENT_ENDED] = {FIELD_WORD("winner", FORM_WINNER, event.party, parties),
                     FIELD_WORD("reason", FORM_WORD, event.reason,
                                record_endings)},
    [RECORD_REVEALED] = {FIELD("roles", FORM_REVEAL, event)},
    [RECORD_PAUSED] = {FIELD("reason", FORM_REASON, text)},
    [RECORD_RESUMED] = {FIELD("deadline", FORM_TIME, deadline)},
    [RECORD_EXTENDED] = {FIELD("deadline", FORM_TIME, deadline),
                         FIELD("reason", FORM_REASON, text)},
    [RECORD_REMINDED] = {FIELD("players", FORM_PLAYERS, event.seats)},
    [RECORD_NOTED] = {FIELD("text", FORM_TEXT, text)},
    [RECORD_CLAIMED] = {FIELD("player", FORM_SEAT, event.seat),
                        FIELD("round", FORM_NUMBER, event.round),
                        FIELD_TILES("cards", 1, HAND_TILES),
                        FIELD_WORD("of", FORM_OF, event.power, claimed_powers),
                        FIELD("target", FORM_TARGET, event.target)},
    [RECORD_REWOUND] = {FIELD("to", FORM_NUMBER, to)},
};

const struct record_field *
record_fields(int kind)
{
    assert(kind >= 0 && kind < RECORD_KINDS);
    return fields[kind];
}

/* ---- kinds --------------------------------------------------------------- */

static const char *const host_kinds[] = {
    [RECORD_OPENED - EVENT_KINDS] = "opened",
    [RECORD_SEATED - EVENT_KINDS] = "seated",
    [RECORD_REVEALED - EVENT_KINDS] = "revealed",
    [RECORD_PAUSED - EVENT_KINDS] = "paused",
    [RECORD_RESUMED - EVENT_KINDS] = "resumed",
    [RECORD_EXTENDED - EVENT_KINDS] = "extended",
    [RECORD_REMINDED - EVENT_KINDS] = "reminded",
    [RECORD_NOTED - EVENT_KINDS] = "noted",
    [RECORD_CLAIMED - EVENT_KINDS] = "claimed",
    [RECORD_REWOUND - EVENT_KINDS] = "rewound",
};

const char *
record_kind_name(int kind)
{
    assert(kind >= 0 && kind < RECORD_KINDS);
    return kind < EVENT_KINDS ? event_facts[kind].name
                              : host_kinds[kind - EVENT_KINDS];
}

int
record_kind_find(const char *name)
{
    int kind = 0;
    while (kind < RECORD_KINDS && strcmp(record_kind_name(kind), name) != 0) {
        kind++;
    }
    return kind;
}
