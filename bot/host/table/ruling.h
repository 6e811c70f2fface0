/*
 * The ruling: all that one post, or one timer, causes at one table.
 *
 * The referee and the chat commands add moves and messages to it; then it is
 * saved as a whole in one transaction, or not at all.  Playing a move applies
 * it to the ruling's own table, lets chance answer where that is due, and
 * gathers the events.  From these notice_write writes the messages: the result
 * and the next call in one post, or in two where one would be too long.
 */
#ifndef BOT_HOST_TABLE_RULING_H
#define BOT_HOST_TABLE_RULING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"
#include "bot/host/table/message.h"
#include "bot/host/table/table.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/result.h"

/*
 * Where chance comes from in hosted games.  A table deals itself by the fair
 * deal.  A replay of a recorded game deals what was recorded, and has no secret
 * (generate_secret is NULL): such a game has no proof, and its deal waits for
 * nothing.  `context` is the dealer's own.
 */
struct dealer {
    void *context;
    void (*generate_secret)(void *context, unsigned char secret[DEAL_SECRET]);
    struct command (*deal)(void *context, const struct table *table);
    struct command (*reshuffle)(void *context, const struct table *table);
    unsigned (*lots)(void *context, const struct table *table,
                     unsigned choices);
    /* Does a seat lose its player now, after a missed deadline?  NULL: it does
     * once it has missed too many. */
    bool (*vacates)(void *context, const struct table *table, unsigned seat);
};

/* The fair deal (FAIRNESS.md). */
extern const struct dealer dealer_fair;

/* A post that was read before. */
struct read_post {
    char id[ADAPTER_ID_MAX + 1];
    char place[ADAPTER_ID_MAX + 1];
    char author[ADAPTER_ID_MAX + 1];
    char verdict[256]; /* how it was read: a line for people; "": it was not
                          judged, or its game is over */
    int64_t stamp;
};

/* A move that would be undone, as it may be told: no card, no vote's word. */
struct fallen {
    enum command_kind kind; /* an announced execution is a COMMAND_TARGET */
    uint8_t seat, target;   /* as in the command; of what has none, 0 */
    uint32_t round;
};

enum {
    FALLEN_MAX = 32
};

/* A table as it was before something, and what would be undone. */
struct before {
    struct table table;
    struct fallen moves[FALLEN_MAX]; /* the first of them, oldest first */
    unsigned move_count;
    unsigned row;     /* it is as it was after this row of the journal */
    unsigned fallen;  /* moves of the game that would be undone; hidden ones
                         (move.h) are not counted */
    bool people_came; /* a seat was vacated or filled since, so it can't be
                         undone */
};

/* An empty one; before_free wipes and frees it. */
struct before *before_new(void);
void before_free(struct before *before);

/*
 * What the host can look up: posts that it has read, and how a table was.
 * `context` is its own.
 */
struct history {
    void *context;
    /* The post of that id at the table's service; false: it was never read. */
    bool (*post)(void *context, const struct table *table, const char *id,
                 struct read_post *post);
    /* How the table was before the act that a post was, or (id: "") before the
     * last act of the game that everybody saw, at the time of the request
     * `asked` (0: by now); false: there is none that still stands. */
    bool (*before)(void *context, const struct table *table, const char *id,
                   unsigned asked, struct before *before);
    /* The number of the request that the host's post of that id asks people to
     * agree to; 0: none.  May be NULL. */
    unsigned (*request)(void *context, const struct table *table,
                        const char *id);
    /* Has the host ever read a post of that user at the table's service? */
    bool (*user)(void *context, const struct table *table, const char *user);
    /* The id by which the host knows whoever has that id at the table's
     * service now; and the one that a user has there now, "" if it is not
     * known.  They differ where ids are names, and people took others.  NULL:
     * the same.  May be NULL. */
    const char *(*known_as)(void *context, const struct table *table,
                            const char *id);
    const char *(*id_now)(void *context, const struct table *table,
                          const char *user);
    /* The stamp of the newest post of that user in the table's thread that is
     * older than `before`; 0: there is none.  May be NULL. */
    int64_t (*wrote)(void *context, const struct table *table, const char *user,
                     int64_t before);
    /* The game that ended last in a thread, or otherwise at a place, into a
     * table that the caller has made (table_init) and releases; false:
     * none. */
    bool (*last)(void *context, const char *thread, const struct place *place,
                 struct table *table);
    /* Call `each` for everybody who may not join games at a place.  May be
     * NULL: nobody is blocked. */
    void (*blocked)(void *context, const struct place *place,
                    void (*each)(void *reader, const char *user,
                                 const char *name),
                    void *reader);
    /* Has a game that began ended at a place?  May be NULL: yes. */
    bool (*hosted)(void *context, const struct place *place);
    /* Count the games that have ended at a place, and a user's own among them,
     * into zeroed counts; false: it can't be told.  May be NULL. */
    bool (*counts)(void *context, const struct place *place, const char *user,
                   struct wins *wins, struct score *own);
};

/* What a table is hosted with.  All borrowed. */
struct host_env {
    const struct catalogue *catalogue; /* of the table's language and theme */
    struct catalogues *catalogues; /* of all other languages and themes; NULL:
                                      there are none */
    const struct dialect *dialect;
    const struct capabilities *capabilities;
    const struct zone *zone;        /* in which deadlines are set */
    const struct zone *reader_zone; /* in which times are written; NULL: as
                                       above */
    bool no_emoji;                  /* the reader wants none */
    struct zones *zones;            /* by name; NULL: there are none */
    const struct dealer *dealer;
    const struct place *place; /* its configuration */
    const struct service *service;
    const char *self;               /* the bot's user id */
    const char *home;               /* the thread of the place, as configured */
    const char *moderators_channel; /* where the moderators talk; "": nowhere */
    const struct history *history;
    bool buttons;      /* under the host's posts, and what is pressed comes */
    bool presses_lost; /* there are some, but nothing that is pressed comes */
    bool cards;        /* calls for votes are edited to show the votes so far */
    unsigned signups;  /* tables that were opened here, have their own threads,
                          and take people */
    bool opens_too_many; /* the author has opened several tables just now */
    const char *on_hold; /* the id of the game that this thread is of, if it is
                            on hold, so that there is no table; else NULL */
    int64_t now;
    int64_t shown; /* what the service's clock had surely reached when it was
                      asked last; 0: unknown, or it is not believed, or what is
                      judged now was judged and told before */
};

/* One of the moderators of a table, whether they play or not: first the
 * place's, then its own; NULL: there are not so many.  Borrowed from either. */
const char *place_moderator(const struct place *place,
                            const struct table *table, unsigned number);

/* Is somebody a moderator of a table?  Players have no powers in their own
 * game. */
bool place_moderates(const struct place *place, const struct table *table,
                     const char *user);

/* Append the link to a post of a place (post "": to the place); nothing if the
 * service has none. */
void env_link(const struct host_env *env, const char *place, const char *post,
              struct buf *link);

/* The zone in which times are written. */
const struct zone *env_reader_zone(const struct host_env *env);

enum {
    RULING_EVENTS_MAX = 64,
    RULING_ROWS_MAX = 32,
    RULING_MESSAGES_MAX = 256,
    RULING_BLOCKS_MAX = 4, /* commands in one post */
    NOTICE_MAX = 1200      /* code points of a post that people still read */
};

/* From now on somebody may not join games at the place; or may again. */
struct block {
    char user[ADAPTER_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
    bool lifted;
};

struct ruling_row {
    struct buf move, lines; /* secrets: wiped on release */
    enum move_kind kind;
    enum extended extended; /* as in the move */
    uint8_t seat;           /* MOVE_REPLACE: which one is filled */
    unsigned event_count;   /* so many of the ruling's events it has made */
};

struct ruling {
    const struct host_env *env; /* as it was handed in, or `own` */
    struct host_env own;        /* once the table's language has changed */
    struct table *table;        /* borrowed: changed as moves are played */
    const char *cause; /* id of the post that causes it, borrowed; NULL: the
                          clock does */
    bool pressed;      /* the cause is a press, and no post */
    struct buttons buttons; /* under the reply to it */
    unsigned first_round; /* number of the round that was on at the beginning */
    unsigned first_phase; /* number of the question that was open */
    unsigned first_asked; /* the same, as everybody knows it */
    int64_t first_told;   /* its deadline, as it was told */
    bool first_paused;    /* and whether that stood still */
    seat_set first_open;  /* the seats that were free */
    seat_set first_voted, first_ja;        /* the votes that were in */
    seat_set first_present, first_choices; /* before: game_awaits */
    seat_set unasked; /* whom the private question has not reached */
    seat_set closed;  /* and which of them take no messages from the host */
    unsigned event_count;
    unsigned row_count;
    unsigned message_count;
    struct rich opening; /* what the notice begins with */
    struct buf votes;    /* the votes as they are now, for the end of the call
                            for them, whose post is edited */
    unsigned votes_of;   /* the number of that vote; 0: they have not changed */
    bool opening_calls;  /* it asks for the answer to the open question */
    bool undone; /* the game was taken back: unsent messages of the rows after
                    `undone_to` are not to be sent any more */
    unsigned undone_to;
    struct block blocks[RULING_BLOCKS_MAX];
    unsigned block_count;
    char forgets[ADAPTER_ID_MAX +
                 1]; /* who is to be forgotten (bot/store/forget.h);
                        "": nobody */
    bool opened;     /* a table was: its deal is committed to */
    /* Who has answered the open question ("": nobody): what they were to be
     * told about it, and is not in flight yet, is not sent any more. */
    char answered[ADAPTER_ID_MAX + 1];
    bool lots_fell; /* a lots event is among them */
    bool timed_out; /* the clock has decided something */
    uint8_t first_tracker;
    /* Last, for most rulings have few: each is zeroed when it is added. */
    struct event events[RULING_EVENTS_MAX];
    struct ruling_row rows[RULING_ROWS_MAX];
    struct message messages[RULING_MESSAGES_MAX];
};

void ruling_init(struct ruling *ruling, const struct host_env *env,
                 struct table *table);
void ruling_release(struct ruling *ruling);

/* Play a move, with the deadline of the question that it opens unless it has
 * one already, and then what chance owes.  A refusal leaves no trace. */
enum refusal ruling_play(struct ruling *ruling, const struct move *move);

/* Close the vote that is decided, before its deadline.  ruling_play does it
 * once the vote has been open for long enough; the clock, when that time comes.
 */
void ruling_close_vote(struct ruling *ruling, int64_t at);

/* Deal a table that is seated.  The deal's time is the end of the sign-up. */
void ruling_deal(struct ruling *ruling);

/* An empty move of that kind at the environment's time, caused by a post
 * stamped `at` (0: by the host). */
struct move ruling_move(const struct ruling *ruling, enum move_kind kind,
                        int64_t at);

/* Nobody else has seen the act behind a move: the question that it opens can't
 * be answered before it is told, which is from now on (READING.md E10). */
void ruling_unseen(const struct ruling *ruling, struct move *move);

/* Add a message to the ruling, in as many pieces as the limits of the service's
 * posts, or private messages, demand.  `text` is wiped and released.  The
 * message is borrowed until the next one is added; what is set in it holds for
 * all its pieces. */
struct message *ruling_post(struct ruling *ruling, struct rich *text);
/* The same, of a text whose part from the byte `call` on asks for something
 * (the text's length: nothing does).  If it is longer than NOTICE_MAX, that
 * part is a message of its own. */
struct message *ruling_post_call(struct ruling *ruling, struct rich *text,
                                 size_t call);
/* Begin the notice with a paragraph, so that one post says it and what came of
 * it.  `text` is wiped and released. */
void ruling_begin_notice(struct ruling *ruling, struct rich *text);
/* The transcript of the deal; the deal waits until it is sent. */
struct message *ruling_transcript(struct ruling *ruling, struct rich *text);
struct message *ruling_private(struct ruling *ruling, const char *user,
                               struct rich *text);
/* To whoever has pressed a button, which MUST be the cause.  What is too long
 * for one post is cut. */
struct message *ruling_reply(struct ruling *ruling, struct rich *text);
/* Have the votes of the newest vote shown at the end of the call for them.
 * `text` is released. */
void ruling_votes(struct ruling *ruling, struct rich *text);
/* To where the moderators talk, which MUST be known (host_env). */
struct message *ruling_moderators(struct ruling *ruling, struct rich *text);
/* Pass a player's question on to the moderators who don't play, where they talk
 * or to each of them.  Returns how many messages that makes. */
unsigned ruling_ask(struct ruling *ruling, const char *user, struct rich *text);

/* The status post's new text.  `place`: of the post where the table was opened;
 * NULL: of the one in its thread. */
struct message *ruling_status(struct ruling *ruling, const char *place,
                              struct rich *text);

/* Have a thread opened for the game. */
void ruling_open(struct ruling *ruling, struct rich *title);

/* Have somebody let into the game's gallery; title as above. */
void ruling_invite(struct ruling *ruling, const char *user, struct rich *title);
struct message *ruling_react(struct ruling *ruling, const struct post *post,
                             const char *emoji);

/* Have a post of somebody deleted. */
void ruling_delete(struct ruling *ruling, const struct post *post);

/* Have a post that has counted locked against edits, if that is wanted and the
 * service can do it; a private post is left alone. */
void ruling_lock(struct ruling *ruling, const struct post *post);

/* Say that a post has counted: by a reaction, if the service has them and they
 * are wanted. */
void ruling_acknowledge(struct ruling *ruling, const struct post *post);

/* Somebody has answered the open question; called before the move is played. */
void ruling_answered(struct ruling *ruling, const char *user);

/* Let a message end with the question that is open for its reader. */
void ruling_about(const struct ruling *ruling, struct message *message);

/* Say a message only once: per person, per matter, per open question. */
void ruling_once(struct ruling *ruling, struct message *message,
                 const char *user, const char *matter,
                 enum message_again again);

#endif
