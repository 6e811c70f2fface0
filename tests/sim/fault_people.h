/*
 * The people of a game in which things go wrong.  What somebody decides follows
 * from the seed and from what is asked, never from when or how often they were
 * asked, so it can be compared with what the record says.
 */
#ifndef TESTS_FAULT_PEOPLE_H
#define TESTS_FAULT_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FAULT_TABLES_MAX = 2
};

/* What is asked. */
enum question_asked {
    ASKED_NOMINEE,
    ASKED_VOTE,
    ASKED_DISCARD,
    ASKED_ENACT,
    ASKED_TARGET,
    ASKED_VETO,
    ASKED_KINDS,
};

/* What a chancellor may choose besides a card, from 1; a president's answer. */
enum {
    CHOSE_VETO = 4,
    VETO_DECLINED = 0,
    VETO_APPROVED = 1,
};

/* Come to the service; tables are asked for in a while. */
void fault_people_come(void);

/* Read what the host has posted, and act when it is time; when somebody acts
 * next, INT64_MAX: nobody does. */
int64_t fault_people_act(void);

/* Are all games over, as people see it? */
bool fault_people_are_done(void);

/* Does somebody stay away in a round of a table, when that is asked? */
bool fault_people_skip(unsigned table, unsigned round,
                       enum question_asked asked, unsigned who);

/* How somebody votes in a round. */
bool fault_people_vote(unsigned table, unsigned round, unsigned who);

/* … or may have, for a moderator has gone back to that round. */
bool fault_people_may_vote(unsigned table, unsigned round, unsigned who,
                           bool ja);

/* Is one of these what somebody has chosen in a round, or a moderator for them:
 * bits of people, or of cards from 1, or as above? */
bool fault_people_chose(unsigned table, unsigned round,
                        enum question_asked asked, unsigned choices);

/* Has a moderator taken somebody's vote of a round back?  The time to vote
 * again may be short. */
bool fault_people_was_voided(unsigned table, unsigned round, unsigned who);

/* Has a moderator let lots decide that?  Have they emptied somebody's seat? */
bool fault_people_drew_lots(unsigned table, unsigned round,
                            enum question_asked asked);
bool fault_people_put_out(unsigned table, unsigned who);

/* When that was asked first in a round; 0: never. */
int64_t fault_people_asked(unsigned table, unsigned round,
                           enum question_asked asked);

/* Has the host posted anything?  It ignores what was posted before it came. */
bool fault_people_begun(void);

/* Has there been a game at a table, as far as its thread says? */
bool fault_people_played(unsigned table);

/* Is the thread of a table still there? */
bool fault_people_can_be_told(unsigned table);

/* How many tables were asked for, up to now? */
unsigned fault_people_asked_for(void);

/* Rounds of all tables, as far as people know. */
unsigned fault_people_rounds(void);

/* Have all tables been dealt cards? */
bool fault_people_have_cards(void);

/* Fails if somebody was sent the cards of another. */
void fault_people_check_cards(void);

/* When the host posted last. */
int64_t fault_people_heard(void);

/* What was pressed, in order; NULL: no more. */
const struct fake_press *fault_presses_at(size_t at);

/* Was somebody told that their vote of a round counts, when they pressed? */
bool fault_presses_counted(unsigned table, unsigned round, unsigned who);

/* Discord has answered a request: does somebody take no private messages?  Then
 * the moderators have to be told. */
void fault_rooms_note(const char *url, int status, const char *body);

/* Each command of a moderator's was answered, unless its game ended first. */
void fault_commands_check(void);

/* What each waits for, for a game that is stuck. */
void fault_people_tell(void);

#endif
