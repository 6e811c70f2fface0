/*
 * What the files of the verifier share; nobody else includes it.
 *
 * A judge keeps a ledger of one game and a copy of it after each line, to which
 * a `rewound` goes back.  Each kind of line has a function that first demands
 * what the rules demand and then enters the line in the ledger; it returns
 * false once a demand was not met and the verdict is given.
 */
#ifndef BOT_RECORD_VERIFY_INNER_H
#define BOT_RECORD_VERIFY_INNER_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/record/verify.h"

/* The rules that a line may break: RULES.md by section and number, the
 * record's format, the fair deal. */
enum rule {
    RULE_NONE,
    RULE_WORDS,
    RULE_SETUP,
    RULE_ELECTION_1,
    RULE_ELECTION_2,
    RULE_ELECTION_3,
    RULE_ELECTION_4,
    RULE_ELECTION_5,
    RULE_ELECTION_6,
    RULE_ELECTION_7,
    RULE_SESSION_1,
    RULE_SESSION_2,
    RULE_SESSION_3,
    RULE_SESSION_4,
    RULE_SESSION_5,
    RULE_ACTION,
    RULE_TIME,
    RULE_ORDER,
    RULE_ROUND,
    RULE_LOTS,
    RULE_REPLACED,
    RULE_REWOUND,
    RULE_AFTER_END,
    RULE_REVEALED,
    RULE_FAIR_1,
    RULE_FAIR_2,
    RULE_FAIR_4,
    RULE_FAIR_5,
    RULE_FAIR_6,
    RULE_FAIR_7,
    RULES,
};

/* Which of the game's own lines is due. */
enum due {
    DUE_SEATED,
    DUE_DEALT,
    DUE_ROUND,
    DUE_NOMINATED, /* or an election that fails without a name */
    DUE_VOTED,     /* or the election, once time is up */
    DUE_ELECTION,  /* the vote has closed */
    DUE_CLEARED,
    DUE_HAND,
    DUE_PASSED,
    DUE_ENACTED, /* by the government, or veto_asked */
    DUE_ANSWER,  /* veto_answered */
    DUE_CHAOS,   /* enacted by chaos */
    DUE_POWER,
    DUE_USE,      /* of the power */
    DUE_ENDED,    /* somebody has won */
    DUE_REVEALED, /* the game is over */
    DUE_NOTHING,  /* and revealed */
    DUES,
};

/* A reshuffle that must come before the line that is due. */
enum shuffle {
    SHUFFLE_NONE,
    SHUFFLE_SESSION, /* a session has left fewer than three tiles */
    SHUFFLE_CHAOS,   /* chaos has */
};

/* Lots that were drawn; the next line tells what they decided. */
enum lots {
    LOTS_NONE,
    LOTS_DISCARD,
    LOTS_ENACT,
    LOTS_USE,
};

/* All that the lines have told, as it stands. */
struct ledger {
    uint8_t due;     /* enum due */
    uint8_t shuffle; /* enum shuffle */
    uint8_t lots;    /* enum lots */
    bool known; /* a draw pile that somebody knew waits for its reshuffle */

    bool dealt;
    uint8_t hitler;
    seat_set fascists; /* without Hitler */
    seat_set living, vacant, investigated;

    uint32_t round;
    uint8_t rotation; /* whom the next ordinary candidate follows; NO_SEAT */
    uint8_t called;   /* the next candidate by special election; NO_SEAT */
    uint8_t president, chancellor; /* also as candidates; chancellor: NO_SEAT */
    uint8_t limited_president, limited_chancellor; /* NO_SEAT */
    bool limit_fell; /* nobody was eligible: the president's, this round */

    seat_set voted, ja;
    bool elected; /* once the vote has closed, as the next */
    uint8_t reason;

    uint8_t tracker, liberal, fascist;
    uint8_t discarded_liberal, discarded_fascist;
    bool veto_declined; /* in this session */
    uint8_t power;      /* the one due, from enactment to use */
    uint8_t ending;     /* the one due */
    struct pile draw, hand;
};

/* The game after a line. */
struct step {
    struct ledger ledger;
    size_t before; /* the last line before it that stood then */
    bool undone;
};

struct judge {
    const struct record_game *game;
    const struct record_line *line; /* the one that is judged */
    struct verdict *verdict;
    struct ledger now;
    struct step *steps; /* by seq */
    size_t standing;    /* the last line that stands */
    const char *names[PLAYERS_MAX];
    bool begun;         /* there was a round */
    size_t first_round; /* its seq */
    size_t last_change; /* seq of the last vacated or replaced; 0: none */
    size_t last_seen;   /* seq of the last hand or peeked; 0: none */
};

/* ---- verify.c: demands --------------------------------------------------- */

/* Give the verdict that the line is wrong; returns false. */
bool fault(struct judge *judge, enum rule rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Demand that a value of the line is the one that it must be. */
bool demand_seat(struct judge *judge, enum rule rule, const char *key,
                 unsigned told, unsigned due);
bool demand_seats(struct judge *judge, enum rule rule, const char *key,
                  seat_set told, seat_set due);
bool demand_number(struct judge *judge, enum rule rule, const char *key,
                   unsigned told, unsigned due);
bool demand_flag(struct judge *judge, enum rule rule, const char *key,
                 bool told, bool due);

/* Demand that one of these is due now: bits 1 << enum due. */
bool demand_due(struct judge *judge, unsigned dues);

/* Demand that a seat which acts has a player, unless lots act for it. */
bool demand_player(struct judge *judge, unsigned seat);

/* ---- verify.c: seats and tiles ------------------------------------------- */

seat_set present_seats(const struct ledger *ledger);
bool same_tiles(struct pile one, struct pile other);

/* ---- verify_election.c --------------------------------------------------- */

bool judge_round(struct judge *judge, const struct event *event);
bool judge_nominated(struct judge *judge, const struct event *event);
bool judge_voted(struct judge *judge, const struct event *event);
bool judge_election(struct judge *judge, const struct event *event);
bool judge_cleared(struct judge *judge, const struct event *event);

/* Who is present has changed: a vote may be over, a limit may fall. */
void election_turns(struct judge *judge);

/* ---- verify_session.c ---------------------------------------------------- */

bool judge_hand(struct judge *judge, const struct event *event);
bool judge_passed(struct judge *judge, const struct event *event);
bool judge_veto_asked(struct judge *judge, const struct event *event);
bool judge_veto_answered(struct judge *judge, const struct event *event);
bool judge_enacted(struct judge *judge, const struct event *event);
bool judge_reshuffled(struct judge *judge, const struct event *event);

/* ---- verify_power.c ------------------------------------------------------ */

bool judge_power(struct judge *judge, const struct event *event);
bool judge_investigated(struct judge *judge, const struct event *event);
bool judge_special_called(struct judge *judge, const struct event *event);
bool judge_peeked(struct judge *judge, const struct event *event);
bool judge_executed(struct judge *judge, const struct event *event);
bool judge_forfeited(struct judge *judge, const struct event *event);

/* The power that this fascist policy brings in a game of so many. */
enum power power_of(unsigned players, unsigned fascist);

/* The seats on which the power that is due may be used. */
seat_set power_targets(const struct ledger *ledger);

/* ---- verify_host.c ------------------------------------------------------- */

bool judge_lots(struct judge *judge, const struct event *event);
bool judge_vacated(struct judge *judge, const struct event *event);
bool judge_replaced(struct judge *judge, const struct event *event);
bool judge_rewound(struct judge *judge, const struct event *event);

/* Demand that the line is the one that lots were drawn for just before. */
bool demand_decided(struct judge *judge);

/* ---- verify_proof.c ------------------------------------------------------ */

/* Judge the fairness proof of a game whose lines are legal. */
void judge_proof(struct judge *judge);

/* Give the verdict that the line stands where another one is due. */
bool out_of_order(struct judge *judge);

/* The rule by which a game ends so. */
enum rule ending_rule(enum ending ending);

#endif
