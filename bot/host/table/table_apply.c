/*
 * Which moves a table takes, and what they do: moves.def has a row for each.
 */
#include <assert.h>
#include <string.h>

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
    /* and only if all are true, where they are asked: */
    PLAYER = OVER << 3, /* its user has a seat */
    PERSON = OVER << 4, /* they have one, or stand by */
    TIMED = OVER << 5,  /* it has an `until` */
};

static const unsigned states[MOVE_KINDS] = {
#define MOVE(kind, word, fields, when, ...) when,
#include "bot/host/table/moves.def"
#undef MOVE
};

static unsigned
state_of(const struct table *table)
{
    return table->id[0] == '\0' ? UNOPENED
           : table->state == TABLE_RUNNING && table->paused
               ? PAUSED
               : 1U << table->state;
}

/* Is what else its row asks true of a move? */
static bool
may_besides(const struct table *table, const struct move *move)
{
    switch (move->kind) {
#define IF(may)          may(table, move)
#define WHERE(condition) (condition)
#define ALWAYS           true
#define MOVE(kind, word, fields, when, may, apply)                             \
    case MOVE_##kind:                                                          \
        return may;
#include "bot/host/table/moves.def"
#undef MOVE
#undef ALWAYS
#undef WHERE
#undef IF
    case MOVE_KINDS:
        break;
    }
    return false;
}

bool
table_may(const struct table *table, const struct move *move)
{
    unsigned when = states[move->kind];
    bool player = table_has_player(table, move->user);
    bool person = player || table_reserve(table, move->user) != NO_SEAT;
    return (when & state_of(table)) != 0 && (!(when & PLAYER) || player) &&
           (!(when & PERSON) || person) &&
           (!(when & TIMED) || move->until != 0) && may_besides(table, move);
}

static struct seat *
find_person(struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    unsigned reserve = table_reserve(table, user);
    return seat != NO_SEAT      ? &table->seats[seat]
           : reserve != NO_SEAT ? &table->reserves[reserve]
                                : NULL;
}

static void
apply_row(struct table *table, const struct move *move, struct made *made)
{
    struct seat *person = made->person;
    switch (move->kind) {
#define BY(apply)          apply(table, move, made);
#define SET(member, value) member = (value);
#define NAME(member, text) name_set(&(member), text);
#define LINE(...)                                                              \
    table_write_line(table, move, made, (struct record_line){__VA_ARGS__});
#define MOVE(kind, word, fields, when, may, apply)                             \
    case MOVE_##kind:                                                          \
        assert(person != NULL || !((when) & (PLAYER | PERSON)));               \
        {                                                                      \
            apply                                                              \
        }                                                                      \
        break;
#include "bot/host/table/moves.def"
#undef MOVE
#undef LINE
#undef NAME
#undef SET
#undef BY
    case MOVE_KINDS:
        break;
    }
}

enum refusal
table_apply(struct table *table, const struct move *move, struct events *events,
            struct buf *lines)
{
    struct made made = {.seat = table_seat(table, move->user),
                        .person = find_person(table, move->user),
                        .events = events,
                        .lines = lines};
    bool free = table_open_seats(table) != 0;
    assert(table_may(table, move));
    events->count = 0;
    apply_row(table, move, &made);
    table->vacancies += !free && table_open_seats(table) != 0;
    table->rows += made.refusal == REFUSAL_NONE;
    return made.refusal;
}
