/*
 * What table.c (play), table_value.c (copying), table_apply.c (which move it
 * is), table_signup.c (the sign-up), table_former.c (who was replaced) and
 * table_host.c (what the host and the moderators do) share; nobody else
 * includes it.
 */
#ifndef BOT_HOST_TABLE_TABLE_INNER_H
#define BOT_HOST_TABLE_TABLE_INNER_H

#include "bot/base/err.h"
#include "bot/base/name.h"
#include "bot/host/table/table.h"

/* The head of the next record line. */
struct record_head table_head(struct table *table, const struct move *move);

/* Step the engine and write the lines of its events. */
enum refusal table_step(struct table *table, const struct move *move,
                        const struct command *command, struct events *events,
                        struct buf *lines);

/* The open question begins anew with a deadline. */
void table_reopen(struct table *table, const struct move *move);

/* ---- table_value.c ------------------------------------------------------- */

/* Make room for one more element in a list of a table that has so many of
 * `size` bytes; the list's new place, zeroed behind them. */
void *table_grow(void *list, unsigned count, size_t size) MUST_USE;

/* ---- table_signup.c ------------------------------------------------------ */

/* Write the record's first line, as the rules are set now, before the start. */
void table_write_opened(struct table *table, struct buf *lines);

/* Take somebody off the reserve; before the game, off the table too. */
void table_take_out(struct table *table, const char *user);

/* People come and go, until seats are fixed or the sign-up is closed. */
bool table_has_room_to_ask(const struct table *table, const struct move *move);
bool may_sign_up(const struct table *table, const struct move *move);
void apply_sign_up(struct table *table, const struct move *move,
                   struct buf *lines);

/* ---- table_former.c ------------------------------------------------------ */

/* The player of a seat is about to be replaced: what they have done so far
 * stays theirs. */
void table_remember_former(struct table *table, unsigned seat);

/* ---- table_host.c -------------------------------------------------------- */

/* What changes when time is up; before the game the end of the sign-up, or of
 * the ready check, may be moved. */
bool may_move_time(const struct table *table, const struct move *move);
bool may_delay(const struct table *table, const struct move *move);
void apply_time(struct table *table, const struct move *move,
                struct buf *lines);

/* The game is taken back. */
void apply_rewind(struct table *table, const struct move *move,
                  struct events *events, struct buf *lines);

/* What people do beside the game; what is set; what is asked and noted. */
bool may_beside(const struct table *table, const struct move *move);
bool may_set(const struct table *table, const struct move *move);
bool may_warn(const struct table *table, const struct move *move);
bool may_flag(const struct table *table, const struct move *move);
void apply_beside(struct table *table, const struct move *move,
                  struct events *events, struct buf *lines);

#endif
