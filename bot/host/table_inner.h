/*
 * What the two halves of the fold share: table.c (sign-up and play) and
 * table_host.c (what the host and the moderators do); nobody else includes it.
 */
#ifndef BOT_HOST_TABLE_INNER_H
#define BOT_HOST_TABLE_INNER_H

#include "bot/host/table.h"

/* The head of the next record line. */
struct record_head table_head(struct table *table, const struct move *move);

/* Write the record's first line, as the rules are set now, before the start. */
void table_write_opened(struct table *table, struct buf *lines);

/* Copy a text that MUST fit (asserted). */
void table_copy(char *to, size_t size, const char *from);

/* Step the engine and write the lines of its events. */
enum refusal table_step(struct table *table, const struct move *move,
                        const struct command *command, struct events *events,
                        struct buf *lines);

/* The open question begins anew with a deadline. */
void table_reopen(struct table *table, const struct move *move);

/* ---- table_host.c: one fold for each kind of move -------------------------
 */

void fold_extend(struct table *table, const struct move *move,
                 struct buf *lines);
void fold_pause(struct table *table, const struct move *move,
                struct buf *lines);
void fold_resume(struct table *table, const struct move *move,
                 struct buf *lines);
void fold_remind(struct table *table, const struct move *move,
                 struct buf *lines);
void fold_replace(struct table *table, const struct move *move,
                  struct events *events, struct buf *lines);
void fold_rewind(struct table *table, const struct move *move,
                 struct events *events, struct buf *lines);
void fold_ask(struct table *table, const struct move *move);
void fold_set(struct table *table, const struct move *move, struct buf *lines);
void fold_moderator(struct table *table, const struct move *move);
void fold_claim(struct table *table, const struct move *move,
                struct buf *lines);
void fold_note(struct table *table, const struct move *move, struct buf *lines);

#endif
