/*
 * A command as it came, and how the office answers: what the files of this room
 * share; nobody else includes it.
 */
#ifndef BOT_HOST_OFFICE_ORDER_H
#define BOT_HOST_OFFICE_ORDER_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "bot/host/docket.h"
#include "bot/host/referee.h"
#include "bot/host/words/speech.h"

/* All borrowed but the two buffers. */
struct order {
    struct docket *docket;
    const struct hearing *hearing;
    const char *next_id; /* of a game that this order may open */
    struct buf word;     /* the command, case-folded, without the prefix */
    struct buf rest;     /* of the line, trimmed */
};

/* Is the author a player of a table that is not over; may they moderate it? */
bool order_by_player(const struct order *order);
bool order_by_moderator(const struct order *order);

/* Answer where it was asked: in the thread, or in the private talk.  The
 * letters are borrowed until the next one is added. */
struct letter *order_answer(struct order *order, const char *key);
/* As a speech says it; {player} is the author. */
struct letter *order_answer_speech(struct order *order, struct speech *speech,
                                   const char *key);
/* A text, which is wiped. */
struct letter *order_answer_text(struct order *order, struct rich *text);
/* With the command as it was given as {word}, cut short. */
struct letter *order_answer_quoting(struct order *order, const char *key);

/* Say that it is done: a reaction, where the service has them. */
void order_acknowledge(struct order *order);

/* ---- the commands, by the file they are in ------------------------------- */

/* signup.c */
void order_new(struct order *order);
void order_join(struct order *order);
void order_leave(struct order *order);
void order_start(struct order *order);

/* questions.c */
void order_status(struct order *order);
void order_help(struct order *order);

#endif
