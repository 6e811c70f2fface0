/*
 * A table: everything about one game that lasts, from sign-up to the last post.
 *
 * A value: it can be cloned and compared, and shares nothing with its clones
 * but names (bot/base/name.h), which its texts are.  It follows from *moves*,
 * the rows of the journal, and from nothing else: what is not in a move is not
 * in the table. table_apply applies them, in play as in recovery, so the same
 * moves always give the same table and the same record lines.  People are
 * identified by the service's user id.
 */
#ifndef BOT_HOST_TABLE_TABLE_H
#define BOT_HOST_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/buf.h"
#include "bot/host/table/move.h"
#include "bot/host/table/seat.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "config/config.h"
#include "engine/game.h"

enum {
    TABLE_PAST_MAX = 64,
    TABLE_RESERVES_MAX = 6,
    TABLE_WATCHERS_MAX = 24,
    TABLE_MODERATORS_MAX = 4,
    TABLE_CLAIMS_MAX = 96,
    TABLE_STORIES_MAX = 4, /* kept of one player's about one thing */
    TABLE_ASKED_MAX = 127,
    TABLE_ASKS_MAX = 4,
    TABLE_WARNED_MAX = 8,
    TABLE_REASON_MAX = 127,
};

/* Who had a seat in this game, and was replaced. */
struct former {
    const char *user, *name;
};

/* What a player said that they saw: the cards of a session, "FFL FL", the next
 * three of a peek, "FFL", or the party of somebody investigated, "F". */
struct table_claim {
    uint32_t round;
    uint8_t seat;
    uint8_t was;    /* who said it, as in struct past_round */
    uint8_t power;  /* enum power; POWER_NONE: a session */
    uint8_t target; /* the seat that was investigated */
    char cards[8];
    int64_t at; /* the stamp of its post */
};

/* A pause that is over. */
struct pause {
    int64_t from, to;
};

/* A warning by a moderator. */
struct table_warning {
    uint8_t seat;
    const char *reason;
};

/* A request: what must be confirmed by `!yes 41`, or agreed to by more than
 * half. */
struct asked {
    unsigned number;  /* 41, its own; 0: there is no request */
    unsigned phase;   /* in which it was asked */
    const char *user; /* who asks */
    const char *post; /* in which post; "": unknown */
    const char *text; /* the command, without the prefix */
    int64_t until;    /* when it lapses */
    seat_set agreed;
};

/* How far a game has come. */
enum table_state {
    TABLE_SIGNUP,  /* people join */
    TABLE_CHECK,   /* they show that messages reach them: the ready check */
    TABLE_SEATED,  /* seats are fixed; the deal waits for its transcript to be
                      posted */
    TABLE_RUNNING, /* the game is on */
    TABLE_OVER,    /* ended, abandoned, or closed before it began */
};

enum past_outcome {
    PAST_NOT_YET,
    PAST_NO_NAME, /* nobody was nominated in time */
    PAST_REJECTED,
    PAST_ENACTED,
    PAST_VETOED,
    PAST_WON, /* Hitler was elected */
};

/*
 * One round, as the history and the last post tell it.  `…_was`: who it was at
 * that seat, if it has another player now: the number of a former one, from 1;
 * 0: the player whose seat it is.  Of the president and the chancellor it is
 * who held the seat when the policy was out, as the thread was told then.
 */
struct past_round {
    uint32_t round;
    uint8_t president, chancellor; /* seats; chancellor: or NO_SEAT */
    uint8_t outcome;               /* enum past_outcome */
    bool liberal;                  /* the policy the government enacted */
    bool chaos, chaos_liberal;     /* the tracker then brought a policy */
    uint8_t president_was, chancellor_was;
    uint8_t passed_was; /* who passed the cards on: secret until the end */
    uint8_t voter_was[PLAYERS_MAX];
    seat_set ja, voted, present;
    struct pile drawn, passed, peeked; /* secret until the end */
    uint8_t power, target; /* enum power: which was used; on which seat */
    int64_t told; /* the stamp of the act that brought its outcome, or used its
                     power; 0: none has */
    const char *post; /* that named the chancellor; "": none */
};

struct table {
    struct settings settings;
    int64_t began;      /* by the stamp of the post that opened it */
    int64_t starts;     /* sign-up ends then; 0: when the table is full */
    int64_t check_ends; /* of the ready check */
    struct game game;
    unsigned seq;              /* of the next record line */
    unsigned reshuffles, lots; /* so far: the next one's number minus one */
    unsigned phase;            /* number of the open question, from 1 */
    int64_t opened;     /* by the host's clock, and later by its pauses */
    int64_t round_from; /* of a vote: from when its round's time runs
                           (table_round_from) */
    int64_t since;    /* the stamp of the act that opened the question, or when
                         that was judged if nobody else had seen it: posts count
                         from then on (READING.md E10) */
    int64_t deadline; /* of the open question; 0: none */
    int64_t length;   /* of its time, as it was put */
    int64_t called_until; /* the chancellor's cards were late: their deadline,
                             which is told once the session would have ended */
    int64_t session_began;
    int64_t session_ends;  /* at the latest, as it was told in public */
    int64_t remind;        /* when people are next reminded; 0: not */
    int64_t held_until;    /* a vote stays open until then, even if it is
                              decided; 0: no vote, or no longer than needed */
    int64_t announced_due; /* when it is done */
    int64_t thought;       /* how long another could be named until then */
    int64_t paused_at;     /* the deadline keeps the time left from then */
    int64_t pause_began;   /* the stamp of the pause that is on */
    int64_t pause_ends;    /* when it ends by itself; 0: somebody ends it, and
                              the moderators hear of it once a week, */
    int64_t pause_told;    /* the last time then */
    int64_t voted_at[PLAYERS_MAX]; /* in the newest vote, by seat */
    int64_t prod_at; /* when silences are looked at next; 0: never */
    struct asked asked[TABLE_ASKS_MAX]; /* requests that are open */
    struct table_claim *claims;         /* the newest, oldest first */
    struct past_round *past;            /* the newest, oldest first */
    struct pause *pauses;               /* oldest first */
    unsigned vote_phase;                /* the number of the newest vote */
    unsigned vote_round;                /* and its round */
    unsigned vacancies;  /* how often a seat became free while none was */
    unsigned rows;       /* of its journal, so far */
    unsigned shown;      /* hands and peeks so far, undone ones too */
    unsigned asks;       /* the newest request's number */
    unsigned extensions; /* by the table's own vote */
    unsigned claim_count;
    unsigned past_count;
    enum table_state state;
    unsigned players_min, players_max;
    unsigned seated;
    unsigned reserve_count;
    unsigned moderator_count;
    unsigned pause_count;
    unsigned former_count;
    unsigned watcher_count;
    unsigned warned_count;
    unsigned strangers; /* votes by people not at the table */
    seat_set gallery; /* the executed who were let into it, or told all roles */
    seat_set ready;   /* in sign-up order: who has passed it */
    seat_set leaving; /* who asked to be replaced */
    seat_set put_out; /* whose seats a moderator has vacated */
    seat_set waited_for; /* whom no private message reached */
    uint8_t vote_closes; /* enum vote_closes, as the rules have it */
    bool start_told;     /* people were reminded of the start */
    bool postponed;      /* it was moved by a day, because too few had joined */
    bool rung;           /* a power's deadline was moved once */
    bool set_by_people;  /* the deadline was, by a moderator or the table; in a
                            session, its end */
    bool paused;
    bool opening; /* the thread of its own is not open yet */
    bool fair;    /* SH-DEAL-1: it has a secret, and a key once the game has
                     started */
    uint8_t announced; /* named for execution, which is due at announced_due
                          instead of any deadline; NO_SEAT: nobody */
    char id[TABLE_ID_MAX + 1];
    const char *place;  /* its name in the configuration */
    const char *thread; /* where it is played */
    const char *home;   /* where it was opened, if it has a thread of its own;
                           otherwise "" */
    const char *opener;
    const char *opener_name; /* as they were called then; "": not known */
    unsigned char secret[DEAL_SECRET]; /* R */
    unsigned char key[DEAL_KEY];       /* K */
    struct seat seats[PLAYERS_MAX];    /* sign-up order, then seat order */
    struct seat *reserves;             /* in order */
    struct former *former; /* in the order in which they were replaced:
                              what they know of the game belongs to no
                              other seat */
    /* Who was let into the gallery and has no seat: what they know belongs to
     * no seat either. */
    const char *watchers[TABLE_WATCHERS_MAX];
    const char *gallery_place;    /* where it is; "": nowhere yet */
    struct table_warning *warned; /* by moderators: the newest, oldest first */
    const char *moderators[TABLE_MODERATORS_MAX]; /* besides the place's */
};

/* Make it a table at which nothing has happened; what it has is not looked
 * at. */
void table_init(struct table *table);

/* The same, to speak where there is no table: in the words of a place. */
void table_blank(struct table *table, const struct settings *settings,
                 const char *place, const char *thread);

/* Copy a table into one whose content is not looked at; table_release it. */
void table_clone(struct table *to, const struct table *from);

/* Wipe what it has, and make it a table at which nothing has happened. */
void table_release(struct table *table);

/* Are two tables the same in everything? */
bool table_equal(const struct table *one, const struct table *two);

/* It is in another thread from now on: its place has moved. */
void table_set_thread(struct table *table, const char *thread);

/* Something that is due at an instant by the service's clock. */
enum timer_kind {
    TIMER_NONE,
    TIMER_START,     /* sign-up ends, with or without a game */
    TIMER_CHECK,     /* the ready check ends */
    TIMER_PROD,      /* who has been silent for long is nudged, or moderators
                        whose game has been paused for long */
    TIMER_REMIND,    /* people who must act are reminded; in the sign-up, of
                        the start */
    TIMER_ANNOUNCED, /* the announced execution is done */
    TIMER_ASKED,     /* a request lapses */
    TIMER_PAUSE,     /* the pause ends */
    TIMER_DEADLINE,  /* time is up for the open question */
};
struct timer {
    enum timer_kind kind;
    int64_t at;
};

/* What is due next; of several at one time, the one that decides more. */
struct timer table_timer(const struct table *table);

/* The open request of that number (0: the only one), or the one that lapses
 * first; NULL: there is none. */
const struct asked *table_asked(const struct table *table, unsigned number);
const struct asked *table_asked_first(const struct table *table);

/* The number of the next request.  It rises, and is at least that of the open
 * question, as in the days when requests had no numbers of their own. */
unsigned table_next_ask(const struct table *table);

/* May this move be applied now?  The engine judges players' moves and chance's;
 * all others are asserted when they are applied, so a caller that has one from
 * outside (the journal) asks first. */
bool table_may(const struct table *table, const struct move *move);

/*
 * Apply a move.  On success the table has it, `events` lists what the engine
 * saw, and the record lines are appended to `lines`, each ended by LF.  (If
 * rules are set before the start, that is the record's first line anew: see
 * record_add.)  On a refusal nothing is changed.  A host's move that can't be
 * (joining a running game) is a bug and asserted: the chat commands and the
 * referee ask first.
 */
enum refusal table_apply(struct table *table, const struct move *move,
                         struct events *events, struct buf *lines);

/* When people are reminded that the game begins a day later; 0: they are not,
 * or have been. */
int64_t table_remind_start(const struct table *table);

/* When its sign-up, or its ready check, ends; 0: once it is full. */
int64_t table_coming_ends(const struct table *table);

/* Is it before the game, so that people may come and go?  Are its seats fixed,
 * and is it not over? */
bool table_is_coming(const struct table *table);
bool table_is_seated(const struct table *table);

/* The rules that follow from settings. */
void table_rules(const struct settings *settings, struct rules *rules);

/* C of a fair deal, in hex. */
void table_commitment(const struct table *table, char commitment[DEAL_HEX + 1]);

/* Append T of a fair deal, as it is while people come and go. */
void table_transcript(const struct table *table, struct buf *out);

/* The seat of a user id, or NO_SEAT; in sign-up the place in the list. */
unsigned table_seat(const struct table *table, const char *user);

/* Does a user have a seat, or a place in that list? */
bool table_has_player(const struct table *table, const char *user);

/* The seat of a user who may be told its secrets: NO_SEAT if it is vacant, or
 * somebody else's by now. */
unsigned table_player(const struct table *table, const char *user);

/* Their place in the reserve, or NO_SEAT. */
unsigned table_reserve(const struct table *table, const char *user);

/* Have they had a seat in this game that somebody else has now? */
bool table_is_former(const struct table *table, const char *user);

/* Were they let into the gallery without having a seat? */
bool table_is_watcher(const struct table *table, const char *user);

/* What everybody knows somebody to be in a game that is on: somebody who has
 * lost their seat watches, like those in the gallery. */
enum table_part {
    PART_NONE,
    PART_LIVING,
    PART_DEAD,
    PART_WATCHING,
};
enum table_part table_part(const struct table *table, const char *user);

/* Can they know of the game only what its thread says: had they no seat that
 * somebody else has now, and are they not in the gallery? */
bool table_is_outsider(const struct table *table, const char *user);

/* The name of the former player with that number, from 1; 0: that of the seat's
 * player.  Borrowed from the table. */
const char *table_name_then(const struct table *table, unsigned seat,
                            unsigned former);

/* The seats that newcomers may take: vacant ones, and those of players who
 * asked to be replaced. */
seat_set table_open_seats(const struct table *table);

/* Names in seat order, borrowed from the table. */
void table_names(const struct table *table, const char *names[PLAYERS_MAX]);

/* Read the text of a MOVE_PLAN.  False: it is none of this table. */
bool table_read_plan(const struct table *table, const char *text,
                     struct plan *plan);

/* Whom the candidate's plan nominates now; NO_SEAT: nobody, or there is no
 * plan, or no nomination is due. */
unsigned table_planned(const struct table *table);

/* The seats whose players have said that they are away, and are at an
 * instant. */
seat_set table_away(const struct table *table, int64_t at);

/* Do two claims of one player speak of the same thing? */
bool table_is_same_story(const struct table_claim *one,
                         const struct table_claim *two);

/* Does the move of a claim only repeat what its player said of it last? */
bool table_repeats_claim(const struct table *table, const struct move *move);

/* The seats whose players are known not to be Hitler: elected chancellors, with
 * so many fascist policies out that Hitler would have won. */
seat_set table_cleared(const struct table *table);

/* The missed deadlines that count against a seat: votes in a row, all others of
 * the game. */
unsigned table_misses(const struct table *table, unsigned seat);

/* The number of the open question, as it may be told: a session's two choices
 * have the same one, for which of the government is slow is nobody's business;
 * the choice after a declined veto, which all know of, has its own. */
unsigned table_phase(const struct table *table);

/* The same as somebody in that seat (NO_SEAT: anybody) may know it: a
 * government knows which of its choices is open. */
unsigned table_phase_of(const struct table *table, unsigned seat);

/* Is the open question answered in secret (by private message)? */
bool table_is_secret(const struct table *table);

/* The seats whose private posts are read for the open question, second ballots
 * too; none if it is answered in the thread. */
seat_set table_private_seats(const struct table *table);

/* When the clock decides the open question (its deadline with grace, or an
 * announced execution); 0: never. */
int64_t table_due(const struct table *table);

/* Is the vote decided that is held open, and does nothing but the time keep it
 * open? */
bool table_is_held(const struct table *table);

/* The seats from which an answer to the open question is due. */
seat_set table_awaited(const struct table *table);

/* When what is open was put: the question, or the execution that was announced
 * later; 0: no time ends it. */
int64_t table_put_at(const struct table *table);

/* Is a vote in the thread open, and does the next ballot not end it? */
bool table_vote_goes_on(const struct table *table);

/* Is a free seat offered where the table was opened, which is not where it is
 * played? */
bool table_offers_seat(const struct table *table);

/* Is the government in session?  Then one time is told for both choices. */
bool table_in_session(const struct table *table);

/* Does the open question wait for its answer without end, as the settings
 * `cards_timeout` and `power_timeout` may have it?  Then its deadline only says
 * when people are reminded, and is told to nobody. */
bool table_waits(const struct table *table);

/* The deadline as it is told in public; 0: none is. */
int64_t table_told(const struct table *table);

/*
 * From when a round's time runs, which ends with the vote: from when its
 * nomination was `opened`, but later by all that the deadline of the nomination
 * was moved until it was `named`, be it by the quiet hours, an outage, a late
 * post, a moderator or a pause.  A moderator who sets an earlier one hurries
 * the candidate, and takes nothing from the voters.
 */
int64_t table_round_from(int64_t opened, int64_t named,
                         const struct settings *settings);

/* The round that is on, or NULL before the first. */
const struct past_round *table_round(const struct table *table);

#endif
