/*
 * One game of Secret Hitler as a plain value, and the one function that moves
 * it.
 *
 * struct game has no pointers and no padding: `=` saves and undoes it, memcmp
 * compares it.  Anybody may read its members; only game_step changes them.
 *
 * Chance comes in as data.  The engine throws no dice and reads no clock: it
 * tells what it awaits (game_awaits), a deal and a reshuffle among it, and
 * checks what it is given.  The same commands give the same events for ever.
 *
 * Seats are numbered 0 … players-1 in seat order.  A seat is *living* until it
 * is executed, *vacant* while it lives but has no player, *present* when it
 * lives and has one.  Majorities, candidates, nominees and voters are of the
 * present.
 */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/pile.h"
#include "engine/rules.h"

enum {
    PLAYERS_MIN = 5,
    PLAYERS_MAX = 10,
    NO_SEAT = 255, /* nobody */
};

enum {
    LIBERAL_WIN = 5,    /* the fifth liberal policy wins */
    FASCIST_WIN = 6,    /* the sixth fascist policy wins */
    FASCIST_DANGER = 3, /* from here on Hitler as chancellor wins */
    FASCIST_VETO = 5,   /* from here on a government may veto */
    TRACKER_CHAOS = 3,  /* failed governments in a row that bring chaos */
};

typedef uint16_t seat_set; /* bit i: seat i */

/* The set of one seat (MUST be below 16). */
static inline seat_set
seat_bit(unsigned seat)
{
    return (seat_set)(1U << seat);
}

/* Is this seat (MUST be below 16) in the set? */
static inline bool
seat_in(unsigned seat, seat_set seats)
{
    return seats >> seat & 1U;
}

/* Count the seats of a set (all MUST be below PLAYERS_MAX). */
static inline unsigned
seat_count(seat_set seats)
{
    /* Of five seats at a time: votes are counted at every vote. */
    static const uint8_t fives[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2,
                                    3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3,
                                    3, 4, 2, 3, 3, 4, 3, 4, 4, 5};
    return (unsigned)fives[seats & 31U] + fives[seats >> 5 & 31U];
}

enum role {
    ROLE_LIBERAL,
    ROLE_FASCIST,
    ROLE_HITLER,
};

enum party {
    PARTY_LIBERAL,
    PARTY_FASCIST,
};

enum power {
    POWER_NONE,
    POWER_INVESTIGATE,
    POWER_SPECIAL_ELECTION,
    POWER_PEEK,
    POWER_EXECUTION,
};

enum ending {
    ENDING_NONE,
    ENDING_FIVE_LIBERAL,
    ENDING_HITLER_EXECUTED,
    ENDING_SIX_FASCIST,
    ENDING_HITLER_CHANCELLOR,
    ENDING_ABANDONED,
};

enum election_reason {
    ELECTION_MAJORITY, /* elected */
    ELECTION_REJECTED, /* all voted, or Nein is at least half */
    ELECTION_DEADLINE, /* votes or the name itself were missing */
    ELECTION_TIE,      /* elected by a tie: tie_elects_hitler */
};

/* What the game waits for. */
enum question {
    QUESTION_DEAL,             /* chance: roles, deck, first candidate */
    QUESTION_RESHUFFLE,        /* chance: the tiles due in a new order */
    QUESTION_NOMINATE,         /* the candidate */
    QUESTION_VOTE,             /* every present seat that has not voted */
    QUESTION_DISCARD,          /* the president */
    QUESTION_ENACT,            /* the chancellor */
    QUESTION_VETO,             /* the president's answer */
    QUESTION_INVESTIGATE,      /* the president, a power */
    QUESTION_SPECIAL_ELECTION, /* the president, a power */
    QUESTION_EXECUTION,        /* the president, a power */
    QUESTION_NONE,             /* nothing: the game is over */
};

/*
 * An order to the engine.  `lots` is read for every kind; which other members
 * are read is told by kind, the rest SHOULD be zero.
 */
enum command_kind {
    COMMAND_DEAL,        /* chance: hitler, fascists, tiles (17), first */
    COMMAND_RESHUFFLE,   /* chance: tiles */
    COMMAND_NOMINATE,    /* seat, target */
    COMMAND_VOTE,        /* seat, yes (Ja) */
    COMMAND_DISCARD,     /* seat, card (0 … 2 in the hand's order) */
    COMMAND_ENACT,       /* seat, card (0 … 1 in the hand's order) */
    COMMAND_ASK_VETO,    /* seat */
    COMMAND_ANSWER_VETO, /* seat, yes (agreed) */
    COMMAND_TARGET,      /* seat, target: of the power that is due */
    COMMAND_CLOSE,       /* time: nomination, vote fail, a veto is declined */
    COMMAND_FORFEIT,     /* time: the power that is due is lost */
    COMMAND_VACATE,      /* target: a present seat loses its player */
    COMMAND_FILL,        /* target: a vacant seat has a player again */
    COMMAND_KNOWN,       /* after an undone hand or peek: the draw pile must
                            be reshuffled alone, then play goes on */
    COMMAND_ABANDON,     /* the host ends the game without a winner */
};

struct command {
    uint8_t kind; /* enum command_kind */
    uint8_t seat; /* who acts */
    uint8_t target;
    uint8_t card;
    bool yes;
    bool lots; /* drawn by lots for an absent player, whose seat may be vacant:
                  DISCARD, ENACT and TARGET only */
    uint8_t hitler;
    uint8_t first;
    seat_set fascists; /* without Hitler */
    struct pile tiles;
};

enum event_kind {
#define EVENT(kind, name, line, secret, notice) EVENT_##kind,
#include "engine/event_list.h"
#undef EVENT
    EVENT_KINDS,
};

enum audience {
    AUDIENCE_NONE,
    AUDIENCE_ALL,
    AUDIENCE_HOST,
    AUDIENCE_SEAT,
    AUDIENCE_GOVERNMENT,
    AUDIENCE_BALLOT,
};

/* A row of engine/event_list.h, by enum event_kind. */
struct event_fact {
    const char *name;
    enum audience line;
    enum audience secret;
    const char *notice;
};
extern const struct event_fact event_facts[EVENT_KINDS];

/*
 * What has happened.  Which members hold is told by kind; the rest are zero.
 *
 *   DEALT           target (Hitler), seats (the fascists without him), cards
 *   ROUND           round, seat (the candidate), yes (special), seats (the
 *                   eligible)
 *   NOMINATED       seat, target
 *   VOTED           seat, yes (Ja)
 *   ELECTION        seat, target (NO_SEAT: nobody was named), yes (elected),
 *                   ja, nein, present (players, of whom a majority elects),
 *                   seats (voted Ja), against (voted Nein), reason, tracker
 *   CLEARED         seat (the chancellor)
 *   HAND            seat (the president), cards
 *   PASSED          seat (the president), target (the chancellor), is_liberal
 *                   (the tile discarded), cards (the two handed on)
 *   VETO_ASKED      seat (the chancellor)
 *   VETO_ANSWERED   seat (the president), yes (agreed), tracker
 *   ENACTED         is_liberal, by_chaos, liberal, fascist, tracker; seat and
 *                   target (president and chancellor; by chaos NO_SEAT)
 *   RESHUFFLED      cards (the whole draw pile)
 *   POWER           seat (the president), power
 *   INVESTIGATED    seat (the president), target, party
 *   SPECIAL_CALLED  seat (the president), target
 *   PEEKED          seat (the president), cards
 *   EXECUTED        seat (the president), target
 *   FORFEITED       seat (the president), power
 *   LOTS            seat (of the absent); power, or POWER_NONE for a card, and
 *                   then discarding
 *   VACATED         seat (the one vacated)
 *   FILLED          seat (the one filled)
 *   ENDED           reason, party (the winner; not when abandoned)
 */
struct event {
    uint8_t kind; /* enum event_kind */
    uint8_t seat;
    uint8_t target;
    uint8_t power;  /* enum power */
    uint8_t reason; /* enum election_reason, or enum ending */
    uint8_t party;  /* enum party */
    uint8_t ja, nein, present;
    uint8_t liberal, fascist, tracker; /* as they are after it */
    bool yes;
    bool is_liberal;
    bool by_chaos;
    bool discarding; /* the president's discard, else the chancellor's choice */
    seat_set seats;
    seat_set against;
    uint32_t round;
    struct pile cards;
};

/* No command makes more than EVENTS_MAX events (asserted). */
enum {
    EVENTS_MAX = 8,
};

struct events {
    unsigned count;
    struct event list[EVENTS_MAX];
};

enum refusal {
    REFUSAL_NONE,
#define REFUSAL(kind, key) REFUSAL_##kind,
#include "engine/refusal_list.h"
#undef REFUSAL
    REFUSALS,
};

/* Tell the catalogue key of a refusal, "none" of REFUSAL_NONE. */
const char *refusal_key(enum refusal refusal);

/* What goes on once the tiles due have been reshuffled. */
enum resume {
    RESUME_NONE,
    RESUME_POWER,    /* the president uses due_power */
    RESUME_CHAOS,    /* the tracker stands at three */
    RESUME_ROUND,    /* the next ordinary round */
    RESUME_QUESTION, /* resumed_question, after COMMAND_KNOWN */
};

struct game {
    struct rules rules;
    uint8_t players;
    uint8_t question;         /* enum question */
    uint8_t unused;           /* zero: nothing is padding */
    uint32_t round;           /* from 1; 0 before the deal */
    uint8_t resume;           /* enum resume, while QUESTION_RESHUFFLE */
    uint8_t resumed_question; /* enum question, while RESUME_QUESTION */
    uint8_t rotation;         /* the last candidate of the ordinary rotation;
                                 NO_SEAT before the deal */
    uint8_t president;        /* the candidate, once elected the president;
                                 NO_SEAT before the deal */
    uint8_t chancellor;       /* the nominee, once elected the chancellor;
                                 NO_SEAT until one is named */
    bool special;             /* this round was called by special election */
    bool in_session;          /* elected, and neither enacted nor vetoed */
    bool veto_power;          /* the session began with five fascist policies */
    bool veto_declined;       /* asked for and declined in this session */
    uint8_t limited_president;  /* or NO_SEAT */
    uint8_t limited_chancellor; /* or NO_SEAT */
    uint8_t tracker;            /* 0 … 2, and 3 while RESUME_CHAOS */
    uint8_t liberal, fascist;   /* policies on the board */
    uint8_t discarded_liberal, discarded_fascist;
    uint8_t due_power; /* enum power, from the policy that brings it until it is
                          used or lost */
    uint8_t hitler;
    uint8_t ending;    /* enum ending */
    uint8_t winner;    /* enum party, when over and not abandoned */
    seat_set fascists; /* without Hitler */
    seat_set living, vacant, investigated;
    seat_set voted, ja; /* this round's votes, also of seats vacated since */
    struct pile draw, hand;
};

/* What is awaited, of whom, and what they may choose from. */
struct awaits {
    enum question question;
    seat_set seats;   /* whose answer is awaited; but for votes a vacant one
                         too, which answers once filled, or by lots */
    seat_set choices; /* seats that may be named */
    unsigned cards;   /* cards to choose from */
    bool may_veto;    /* the chancellor may ask for a veto instead */
    unsigned due_liberal, due_fascist; /* tiles due of a deal or reshuffle */
};

/* Begin a game of 5 to 10 players (asserted); it awaits the deal. */
void game_init(struct game *game, unsigned players, const struct rules *rules);

/*
 * Obey a command: check it first, then change the game and list what has
 * happened.  On a refusal the game is untouched and `events` is empty.
 */
enum refusal game_step(struct game *game, const struct command *command,
                       struct events *events);

/* Tell what is awaited now. */
struct awaits game_awaits(const struct game *game);

/* Seats that are living and not vacant. */
static inline seat_set
game_present(const struct game *game)
{
    return game->living & (seat_set)~game->vacant;
}

/*
 * Tell whom the present candidate may nominate, as things stand: it changes
 * when a seat is vacated or filled.  Nobody before the deal.
 */
seat_set game_eligible(const struct game *game);

static inline bool
game_is_over(const struct game *game)
{
    return game->question == QUESTION_NONE;
}

/* Count the Ja votes that elect: more than half of the present players. */
unsigned game_majority(const struct game *game);

/* Would a tie elect Hitler, were he nominated?  It tells nothing of the nominee
 * whom the players vote on. */
static inline bool
game_tie_may_elect(const struct game *game)
{
    return game->rules.tie_elects_hitler == HOUSE_RULE_ON &&
           game->fascist >= FASCIST_DANGER;
}

/* Would that option have closed the open vote by now? */
bool game_vote_is_closed(const struct game *game, enum vote_closes closes);

/* Is a vote open that stays open whatever the next vote is? */
bool game_vote_goes_on(const struct game *game);

/* Tell a seat's role and party; the game MUST have been dealt. */
enum role game_role(const struct game *game, unsigned seat);
enum party game_party(const struct game *game, unsigned seat);

/* Does Hitler learn the fascists in this game? */
bool game_hitler_knows(const struct game *game);

/* Tell the power that the nth (1 … 5) fascist policy brings to 5 … 10. */
enum power game_track_power(unsigned players, unsigned nth);

/* Count the fascists besides Hitler in a game of 5 to 10 players. */
unsigned game_fascist_count(unsigned players);

/*
 * Tell the candidate of the next ordinary round, were it to begin now; the game
 * MUST have been dealt.
 */
unsigned game_next_candidate(const struct game *game);

/* Break (assert) where an invariant of the game does not hold. */
void game_check(const struct game *game);

#endif
