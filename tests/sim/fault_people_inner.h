/*
 * What fault_people.c (what players are asked, and do), fault_moderator.c (what
 * Mo and Zoe do), fault_commands.c (what they are answered), fault_presses.c
 * (what is pressed) and fault_rooms.c (what becomes of rooms and DMs) share;
 * nobody else includes it.
 */
#ifndef TESTS_FAULT_PEOPLE_INNER_H
#define TESTS_FAULT_PEOPLE_INNER_H

#include "tests/sim/fault_people.h"
#include "tests/sim/fault_world.h"
#include "tests/support/player.h"

enum {
    ACTS_MAX = 1024,
    TABLES = FAULT_TABLES_MAX,
    ROUNDS_MAX = 64,
    SEATS_MAX = 10,
    ASKED_MAX =
        100,     /* commands of a kind of fault: games of weeks have enough */
    MO = PEOPLE, /* the moderators, who are nobody of the people */
    ZOE,
};

/* What a number of the seed is for. */
enum purpose {
    FOR_VOTE = 100,
    FOR_NOMINEE,
    FOR_TARGET,
    FOR_DISCARD,
    FOR_ENACT,
    FOR_VETO,
    FOR_DELAY,
    FOR_MO,
    FOR_DM,
    FOR_SKIP = 200,
};

/* How far somebody is who presses. */
enum pressing {
    PRESSING_FIRST, /* a button of the thread, or a slash command */
    PRESSING_CARD,  /* … one of the cards that they were shown */
    PRESSING_YES,   /* … that it is meant */
};

/* What somebody will do. */
struct act {
    int64_t at;
    unsigned who, table, round; /* a person, or a moderator */
    uint64_t topic;             /* 0: in private */
    char text[512];
    bool answer;             /* which card it is to be */
    unsigned card;           /* … from 1; 0: none */
    uint64_t edits, deletes; /* a post, instead of a new one */
    bool vote, nominates, targets, marked;
    unsigned tries;
    char press[64]; /* a button's label, instead; "": none */
    bool peeks;     /* that button shows them their cards, if they have any */
    bool writes;    /* they were not answered: no button, no slash command */
    const struct fake_press *pressed; /* whose answer is looked for, or NULL */
    int64_t pressed_at;
    enum pressing step;
    char *event; /* what Discord tells of it by then, or NULL: owned */
};

struct table_there {
    unsigned seats[SEATS_MAX], players; /* who sits there now */
    uint64_t topic;                     /* 0: not open yet */
    int64_t announced; /* when, where it was asked for; 0: not yet */
    size_t status;     /* the post that tells how things stand */
    unsigned rounds;
    char president[64];
    struct task open; /* what was asked in public last */
    int64_t asked[ROUNDS_MAX][ASKED_KINDS];
    /* Bits of people, or of cards from 1: mostly one, more where a moderator
     * has chosen too, or a seat has changed hands. */
    unsigned chosen[ROUNDS_MAX][ASKED_KINDS];
    /* Bits of people who were to be president, or chancellor, in a round, as
     * was said in public; or who have taken such a seat since. */
    unsigned named[ROUNDS_MAX][2];
    unsigned dealt[ROUNDS_MAX][2]; /* … who were sent its cards */
    unsigned heirs[PEOPLE];    /* … who were told to have a seat of theirs */
    unsigned lots[ROUNDS_MAX]; /* by Mo: bits of what was asked */
    bool enacts[ROUNDS_MAX];   /* of twins: a liberal policy, in that round */
    unsigned counted[ROUNDS_MAX]; /* bits of people for whom Mo has voted */
    unsigned voided[ROUNDS_MAX];  /* … whose vote was taken back */
    uint64_t mixed[ROUNDS_MAX];   /* bits of rounds from which Mo went back
                                     to that one: votes may have crossed it */
    unsigned holder;              /* who was sent cards last; PEOPLE: nobody */
    struct {
        uint64_t post; /* 0: none */
        unsigned round;
    } votes[PEOPLE];        /* the newest of each */
    char words[PEOPLE][64]; /* of the ready check; "": they have none */
    unsigned dead; /* bits of people who were executed once, even if a moderator
                      has taken that back */
    unsigned put_out;  /* bits of people whose seat Mo has emptied, ever */
    unsigned vacant;   /* whose seat is empty now; PEOPLE: nobody's */
    int64_t paused_at; /* 0: it is not, as far as Mo knows */
    bool unheard;      /* somebody did not answer the ready check */
    bool unplayed; /* … and sign-up was closed, one player short, or by Mo */
    bool over, asked_for;
};

struct crowd {
    struct act acts[ACTS_MAX];
    unsigned act_count;
    size_t taken; /* posts that were looked at */
    struct table_there tables[TABLES];
    unsigned left; /* bits of people who gave up a seat, or wait for one */
    int64_t heard;
    int64_t next_look;
    int64_t together_at;          /* when many acted in one millisecond, last */
    int64_t closed_until[PEOPLE]; /* DMs; 0: they are open */
    int64_t gone_until[PEOPLE];   /* people, from the service; 0: they are there
                                   */
    int64_t asked_at[PEOPLE]; /* who have left theirs, last, for their role; 0:
                                 not since */
    struct {
        int64_t at; /* 0: no, or all are told */
        unsigned round;
    } refused[PEOPLE];           /* do they take no private message? */
    unsigned told_round[PEOPLE]; /* in which that was told last, plus 1; 0:
                                    never */
    bool missed;   /* Mo was told that a thread is gone, and it was not */
    unsigned told; /* bits of people who have had a private message */
};
extern struct crowd crowd;

const struct fake_service *people_service(void);
const char *people_name(unsigned who);

/* Plan an act of somebody's in so many ms; borrowed until the next is planned
 * or done.  `topic` 0: in private.  The text is a form of the service's, filled
 * in. */
struct act *people_plan(unsigned who, unsigned table, uint64_t topic,
                        int64_t after);
struct act *people_plan_post(unsigned who, unsigned table, int64_t after,
                             const char *way, const char *word,
                             const char *name);
/* A command, in the table's thread; in private. */
void people_plan_command(unsigned who, unsigned table, int64_t after,
                         const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void people_plan_private(unsigned who, unsigned table, int64_t after,
                         const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* How long somebody takes. */
int64_t people_delay(unsigned who);

/* Does a table have a thread of its own there? */
bool people_have_threads(void);

bool people_sit(unsigned table, unsigned who);

/* These people, and all who have taken a seat of theirs since. */
unsigned people_with_heirs(const struct table_there *there, unsigned seated);

/* Note what was chosen in a round: a bit of a person, or of a card. */
void people_note_choice(unsigned table, unsigned round,
                        enum question_asked asked, unsigned chosen);

/* What the moderators do at a time, and upon what the host says. */
void moderator_act(void);
void moderator_read(unsigned table, const char *before, const char *text);
void moderator_read_private(unsigned who, const char *before, const char *text);

/* A moderator gives a command in a table's thread.  Which of them asked for
 * what has that number and is to be confirmed; PEOPLE: nobody. */
void commands_give(unsigned who, unsigned table, const char *text);
void commands_read(unsigned table, const char *before, const char *text);
unsigned commands_asker(unsigned table, unsigned number);

/* What a moderator is shown for a slash command: it has to be an answer. */
void commands_show(unsigned who, unsigned table, const char *command,
                   const char *text);

/* Note which cards somebody is sent, or shown; they read that, and act. */
void people_see_hand(unsigned who, const char *text);
void people_read_private(unsigned who, const char *text);

/* People have buttons and slash commands from now on, where the plan says so.
 */
void presses_open(void);

/* Press what an act says, or give the slash command, instead of writing it;
 * false: there is no such button or command, or they write. */
bool presses_begin(const struct act *act);

/* Mo asks for a table by the slash command that does the same as one in a post:
 * false if there is none, or it was given in vain. */
bool presses_ask_for(unsigned table, const char *command);

/* Discord tells of a press that was made before; its event is freed. */
void presses_tell(const struct act *act);

/* Look for the answer to a press, and go on from there. */
void presses_look(const struct act *act);

/* Whoever takes no messages looks for their cards; call it once a minute. */
void presses_act(void);

/* Something happens to DMs and to the places of games. */
void rooms_act(void);

/* Has the host said in public whom its messages do not reach? */
void rooms_read(const char *before, const char *text);

/* Has somebody left the service?  Then they write nothing until they are back.
 */
bool rooms_is_gone(unsigned who);

/* Can somebody write to the host in private?  Who has left their DM asks for
 * another. */
bool rooms_have_dm(unsigned who);
void rooms_ask_for_dm(unsigned who, unsigned table);

#endif
