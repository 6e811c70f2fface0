/*
 * A command as it came, and how the office answers: what the files of this room
 * share; nobody else includes it.
 */
#ifndef BOT_HOST_JUDGE_COMMANDS_CHAT_COMMAND_H
#define BOT_HOST_JUDGE_COMMANDS_CHAT_COMMAND_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"
#include "bot/host/words/speech.h"

/* All borrowed but the two buffers. */
struct order {
    struct docket *docket;
    const struct hearing *hearing;
    const struct catalogue *table_catalogue; /* the docket's; it answers in
                                                private in another */
    const char *next_id; /* of a game that this order may open */
    struct buf word;     /* the command, case-folded, without the prefix */
    struct buf rest;     /* of the line, trimmed */
    bool by_table;       /* a player asks the table, which moderates itself */
    bool confirmed; /* it was asked for before, and confirmed or agreed to */
    unsigned asked_phase; /* then: the number of the question that was open */
};

/* Is the author a player of a table that is not over; may they moderate it? */
bool order_by_player(const struct order *order);
bool order_by_moderator(const struct order *order);

/* Answer where it was asked: in the thread, or in the private talk.  The
 * letters are borrowed until the next one is added. */
struct letter *order_answer(struct order *order, const char *key);
/* Answer that no table is open, or which one is not told. */
void order_answer_none(struct order *order);
/* As a speech says it; {player} is the author. */
struct letter *order_answer_speech(struct order *order, struct speech *speech,
                                   const char *key);
/* A text, which is wiped. */
struct letter *order_answer_text(struct order *order, struct rich *text);
/* With the command as it was given as {word}, cut short. */
struct letter *order_answer_quoting(struct order *order, const char *key);

/*
 * Ask before it is done: a moderator confirms with `!yes 41`, where 41 is the
 * number of the request, so that it can't hit another; a table that
 * moderates itself agrees, more than half of the others.  `key` says what will
 * happen.  false: it was confirmed, and is to be done now.
 */
bool order_must_wait(struct order *order, struct speech *speech,
                     const char *key);

/* Put into the record what a moderator, or the table, has done; `key` is a
 * sentence of the speech, which is posted as well. */
void order_tell(struct order *order, struct speech *speech, const char *key);

/* The seat of a player whom a text names, with a sentence to the author where
 * it names none, or several; false. */
bool order_find_seat(struct order *order, const char *text, size_t len,
                     unsigned *seat);

/* Is a name free at this table?  Else say so; a look-alike is warned about. */
bool order_name_is_free(struct order *order, const char *name);
/* The same for the name that somebody really has: before it another player's
 * alias falls. */
bool order_own_name_is_free(struct order *order, const char *name);

/* Take the next word off the rest of the line into `word`, which is emptied
 * first; false: nothing is left. */
bool order_next_word(struct order *order, struct buf *word);

/*
 * Which post a text means: by its id ("#" before it or not), or by an address
 * as the host writes it or as people copy it: of which the last part of the
 * path is the id, percent-encoded; matrix: and matrix.to; phpBB's "?p=".  Where
 * it tells only the post's place in its topic, as the address bars of NodeBB
 * and Discourse do, nothing is appended.
 */
enum meant {
    MEANT_NOTHING,
    MEANT_POST,
    MEANT_POSITION
};
enum meant order_read_address(const char *text, struct buf *id);

/* Say that it is done: a reaction, where the service has them. */
void order_acknowledge(struct order *order);

/* ---- the commands, by the file they are in ------------------------------- */

/* signup.c */
void order_new(struct order *order);
void order_again(struct order *order);
void order_join(struct order *order);
void order_leave(struct order *order);
void order_start(struct order *order);

void order_reserve(struct order *order);
void order_alias(struct order *order);

/* Set how many may play, "7-10", before the start: no fewer than have joined.
 * A table that is full then begins. */
void order_set_players(struct order *order, const char *value);

/* seats.c */
void order_take_seat(struct order *order);
void order_ask_replacement(struct order *order);
/* Give a seat to somebody, with all that was known there. */
void order_seat(struct order *order, unsigned seat,
                const struct person *person);

/* moderators.c */
void order_pause(struct order *order);
void order_resume(struct order *order);
void order_extend(struct order *order);
void order_deadline(struct order *order);
void order_vacate(struct order *order);
void order_replace(struct order *order);
void order_choose(struct order *order);
void order_moderator(struct order *order);
void order_warnings(struct order *order);
void order_end(struct order *order);
void order_yes(struct order *order);
void order_agree(struct order *order);

/* settings.c */
void order_set(struct order *order);
/* Answer that something can't be set, and why. */
void order_refuse_setting(struct order *order, const char *problem);

/* mending.c */
void order_undo(struct order *order);
void order_void(struct order *order);
void order_count(struct order *order);
void order_why(struct order *order);

/* ready.c */
/* Sign-up ends: with the ready check, or at once where there is none. */
void ready_end_signup(struct docket *docket, int64_t at);
/* Somebody has come while the check is on: they get their word, and an hour at
 * least. */
void ready_welcome(struct docket *docket, unsigned person);
/* Somebody has left while it is on. */
void ready_left(struct docket *docket, int64_t at);
/* Begin with those who have answered, if they are enough. */
void ready_start(struct order *order);
void ready_deadline(struct order *order, int64_t until);

/* Send those who have not passed the ready check their words, again. */
void signup_send_words(struct docket *docket);

/* Do what a command says; `order->word` and `rest` are it.  false: there is no
 * such command. */
bool order_obey(struct order *order);

/* fair.c */
void order_fair(struct order *order);
void order_luck(struct order *order);

/* questions.c */
void order_status(struct order *order);
void order_votes(struct order *order);
void order_history(struct order *order);
void order_report(struct order *order);
void order_rules(struct order *order);
void order_role(struct order *order);
void order_claim(struct order *order);
void order_away(struct order *order);
void order_ask(struct order *order);
void order_give_answer(struct order *order);
void order_receipts(struct order *order);
void order_language(struct order *order);
void order_help(struct order *order);

#endif
