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

/* Take out an element; its names were dropped. */
void table_cut(void *list, unsigned *count, unsigned at, size_t size);

/* ---- table_signup.c ------------------------------------------------------ */

/* Write the record's first line, as the rules are set now, before the start. */
void table_write_opened(struct table *table, struct buf *lines);

/* Take somebody off the reserve; before the game, off the table too. */
void table_take_out(struct table *table, const char *user);

/* ---- table_former.c ------------------------------------------------------ */

/* The player of a seat is about to be replaced: what they have done so far
 * stays theirs. */
void table_remember_former(struct table *table, unsigned seat);

/* ---- moves.def ----------------------------------------------------------- */

/* What is made of a move, besides the table. */
struct made {
    unsigned seat;       /* that the move's user had before; or NO_SEAT */
    struct seat *person; /* the same, or their place in the reserve; or NULL */
    struct events *events; /* what the engine saw */
    struct buf *lines;     /* of the record */
    enum refusal refusal;  /* by the engine: then nothing is changed */
};

/* Write a line of the record, given without its head. */
void table_write_line(struct table *table, const struct move *move,
                      struct made *made, struct record_line line);

/* May a move be made, when its row allows it?  Make it: it may be. */
#define IF(may) bool may(const struct table *table, const struct move *move);
#define WHERE(condition)
#define ALWAYS
#define BY(apply)                                                              \
    void apply(struct table *table, const struct move *move, struct made *made);
#define SET(member, value)
#define NAME(member, text)
#define LINE(...)
#define MOVE(kind, word, fields, when, may, apply) may apply
#include "bot/host/table/moves.def"
#undef MOVE
#undef LINE
#undef NAME
#undef SET
#undef BY
#undef ALWAYS
#undef WHERE
#undef IF

#endif
