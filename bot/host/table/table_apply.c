/*
 * Which moves a table takes: moves.def has a row for each.
 */
#include <assert.h>

#include "bot/host/table/table_inner.h"

/* When a move may be made: in any of these states of its table, */
enum {
    SIGNUP = 1 << TABLE_SIGNUP,
    CHECK = 1 << TABLE_CHECK,
    SEATED = 1 << TABLE_SEATED,
    GOING_ON = 1 << TABLE_RUNNING, /* and not paused */
    OVER = 1 << TABLE_OVER,
    PAUSED = OVER << 1,
    UNOPENED = OVER << 2,
    COMING = SIGNUP | CHECK,
    RUNNING = GOING_ON | PAUSED,
    ON = COMING | SEATED | RUNNING,
    /* and only if both are true, where they are asked: */
    PLAYER = OVER << 3, /* its user has a seat */
    TIMED = OVER << 4,  /* it has an `until` */
};

static const struct {
    unsigned when;
    bool (*may)(const struct table *table, const struct move *move);
    void (*apply)(struct table *table, const struct move *move,
                  struct made *made);
} rows[MOVE_KINDS] = {
#define IF(may)                                    may
#define ALWAYS                                     NULL
#define MOVE(kind, word, fields, when, may, apply) {when, may, apply},
#include "bot/host/table/moves.def"
#undef MOVE
#undef ALWAYS
#undef IF
};

static unsigned
state_of(const struct table *table)
{
    return table->id[0] == '\0' ? UNOPENED
           : table->state == TABLE_RUNNING && table->paused
               ? PAUSED
               : 1U << table->state;
}

bool
table_may(const struct table *table, const struct move *move)
{
    unsigned when = rows[move->kind].when;
    return (when & state_of(table)) != 0 &&
           (!(when & PLAYER) || table_seat(table, move->user) != NO_SEAT) &&
           (!(when & TIMED) || move->until != 0) &&
           (rows[move->kind].may == NULL || rows[move->kind].may(table, move));
}

enum refusal
table_apply(struct table *table, const struct move *move, struct events *events,
            struct buf *lines)
{
    struct made made = {.seat = table_seat(table, move->user),
                        .events = events,
                        .lines = lines};
    bool free = table_open_seats(table) != 0;
    assert(table_may(table, move));
    events->count = 0;
    rows[move->kind].apply(table, move, &made);
    table->vacancies += !free && table_open_seats(table) != 0;
    table->rows += made.refusal == REFUSAL_NONE;
    return made.refusal;
}
