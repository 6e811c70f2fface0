/*
 * Which moves a table takes, and what each one changes.
 */
#include <assert.h>
#include <string.h>

#include "bot/host/table/deadline.h"
#include "bot/host/table/table.h"
#include "bot/host/table/table_inner.h"

/* ---- what the events of the engine leave behind -------------------------- */

/* Before the deal nothing is played but that; after it, everything else. */
static bool
may_play(const struct table *table, const struct move *move)
{
    switch ((enum command_kind)move->command.kind) {
    case COMMAND_DEAL:
        return table->state == TABLE_SEATED;
    case COMMAND_ABANDON:
        return table_is_seated(table);
    case COMMAND_FILL:
    case COMMAND_KNOWN:
        return false;
    case COMMAND_RESHUFFLE:
    case COMMAND_NOMINATE:
    case COMMAND_VOTE:
    case COMMAND_DISCARD:
    case COMMAND_ENACT:
    case COMMAND_ASK_VETO:
    case COMMAND_ANSWER_VETO:
    case COMMAND_TARGET:
    case COMMAND_CLOSE:
    case COMMAND_FORFEIT:
    case COMMAND_VACATE:
        break;
    }
    return table->state == TABLE_RUNNING;
}

/* Can the game be taken back to how it was?  Not once it is over: then the
 * secret is told, and with it whatever would be dealt.  Nor so far that
 * somebody lives who was told the roles. */
static bool
may_rewind(const struct table *table, const struct move *move)
{
    return table->state == TABLE_RUNNING && move->past != NULL &&
           move->past->state == TABLE_RUNNING && move->past->game.round > 0 &&
           (table->gallery & move->past->game.living) == 0;
}

/* May the time be changed of what is on: a game, or what comes before it? */
static bool
may_change_time(const struct table *table, const struct move *move)
{
    return table->state == TABLE_RUNNING ? may_move_time(table, move)
                                         : may_delay(table, move);
}

static bool
may_take_alias(const struct table *table, const struct move *move)
{
    bool seated = table_seat(table, move->user) != NO_SEAT;
    bool here = seated || table_reserve(table, move->user) != NO_SEAT;
    return strlen(move->name) <= SEAT_ALIAS_MAX && here &&
           (move->number == 1 ? table_is_coming(table) : seated);
}

/* Can a seat keep what somebody chose for themselves? */
static bool
fits_seat(const struct move *move)
{
    return move->kind == MOVE_LANGUAGE ? strlen(move->text) <= SEAT_LANGUAGE_MAX
           : move->kind == MOVE_ZONE   ? strlen(move->text) <= SEAT_ZONE_MAX
                                       : move->number <= REMINDERS_OFF;
}

static bool
may_remind(const struct table *table)
{
    return table->state == TABLE_RUNNING || table->state == TABLE_CHECK ||
           table_remind_start(table) != 0;
}

bool
table_may(const struct table *table, const struct move *move)
{
    bool opened = table->id[0] != '\0';
    bool running = opened && table->state == TABLE_RUNNING;
    bool on = opened && table->state != TABLE_OVER;
    switch (move->kind) {
    case MOVE_OPEN:
        return !opened;
    case MOVE_THREAD:
        return on && table->opening;
    case MOVE_JOIN:
    case MOVE_RESERVE:
    case MOVE_LEAVE:
    case MOVE_LUCK:
    case MOVE_CHECK:
    case MOVE_READY:
    case MOVE_REOPEN:
    case MOVE_START:
    case MOVE_PLAYERS:
    case MOVE_CLOSE:
        return on && may_sign_up(table, move);
    case MOVE_EXTEND:
    case MOVE_CALLED:
        return on && may_change_time(table, move);
    case MOVE_PLAY:
        return opened && may_play(table, move);
    case MOVE_REMIND:
        return opened && may_remind(table);
    case MOVE_RING:
    case MOVE_PAUSE:
    case MOVE_RESUME:
    case MOVE_NOTE:
        return running && may_move_time(table, move);
    case MOVE_ANNOUNCE:
    case MOVE_REPLACE:
    case MOVE_AGREE:
    case MOVE_CLAIM:
    case MOVE_AWAY:
    case MOVE_PROD:
    case MOVE_PLAN:
    case MOVE_RECEIPTS:
    case MOVE_GALLERY:
        return running && may_beside(table, move);
    case MOVE_WARN:
        return running && may_warn(table, move);
    case MOVE_FLAG:
        return on && may_flag(table, move);
    case MOVE_TOLD:
        return running;
    case MOVE_RENAME:
        return on && table_seat(table, move->user) != NO_SEAT;
    case MOVE_REWIND:
        return opened && may_rewind(table, move);
    case MOVE_ANSWERED:
        return opened && table_asked(table, move->number) != NULL;
    case MOVE_MODERATOR:
        return on && table->moderator_count < TABLE_MODERATORS_MAX;
    case MOVE_ALIAS:
        return on && may_take_alias(table, move);
    case MOVE_LANGUAGE:
    case MOVE_ZONE:
    case MOVE_REMINDERS:
    case MOVE_EMOJI:
        return on && table_seat(table, move->user) != NO_SEAT &&
               fits_seat(move);
    case MOVE_SET:
        return on && (move->name[0] == '\0' || may_set(table, move));
    case MOVE_ASK:
        return on && table_has_room_to_ask(table, move);
    }
    return false;
}

enum refusal
table_apply(struct table *table, const struct move *move, struct events *events,
            struct buf *lines)
{
    enum refusal refusal = REFUSAL_NONE;
    bool free = table_open_seats(table) != 0;
    events->count = 0;
    switch (move->kind) {
    case MOVE_OPEN:
    case MOVE_THREAD:
    case MOVE_JOIN:
    case MOVE_RESERVE:
    case MOVE_LEAVE:
    case MOVE_ALIAS:
    case MOVE_LUCK:
    case MOVE_LANGUAGE:
    case MOVE_ZONE:
    case MOVE_REMINDERS:
    case MOVE_EMOJI:
    case MOVE_PLAYERS:
    case MOVE_CHECK:
    case MOVE_READY:
    case MOVE_REOPEN:
    case MOVE_START:
    case MOVE_CLOSE:
        apply_sign_up(table, move, lines);
        break;
    case MOVE_PLAY:
        assert(table_is_seated(table));
        refusal = table_step(table, move, &move->command, events, lines);
        break;
    case MOVE_RING:
    case MOVE_EXTEND:
    case MOVE_PAUSE:
    case MOVE_RESUME:
    case MOVE_REMIND:
    case MOVE_CALLED:
        apply_time(table, move, lines);
        break;
    case MOVE_REWIND:
        apply_rewind(table, move, events, lines);
        break;
    case MOVE_ANNOUNCE:
    case MOVE_REPLACE:
    case MOVE_ASK:
    case MOVE_AGREE:
    case MOVE_ANSWERED:
    case MOVE_SET:
    case MOVE_MODERATOR:
    case MOVE_AWAY:
    case MOVE_CLAIM:
    case MOVE_NOTE:
    case MOVE_WARN:
    case MOVE_FLAG:
    case MOVE_TOLD:
    case MOVE_PROD:
    case MOVE_PLAN:
    case MOVE_RECEIPTS:
    case MOVE_GALLERY:
    case MOVE_RENAME:
        apply_beside(table, move, events, lines);
        break;
    }
    table->vacancies += !free && table_open_seats(table) != 0;
    table->rows += refusal == REFUSAL_NONE;
    return refusal;
}
