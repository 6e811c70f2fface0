/* Who was replaced, and what remains theirs: rounds, votes and claims are told
 * under the name of whoever had the seat then. */
#include <assert.h>
#include <string.h>

#include "bot/host/table/table_inner.h"

bool
table_is_former(const struct table *table, const char *user)
{
    for (unsigned i = 0; i < table->former_count; i++) {
        if (strcmp(table->former[i].user, user) == 0) {
            return true;
        }
    }
    return false;
}

bool
table_is_watcher(const struct table *table, const char *user)
{
    for (unsigned i = 0; i < table->watcher_count; i++) {
        if (strcmp(table->watchers[i], user) == 0) {
            return true;
        }
    }
    return false;
}

enum table_part
table_part(const struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    seat_set bit = seat == NO_SEAT ? 0 : seat_bit(seat);
    if (table->state != TABLE_RUNNING) {
        return PART_NONE;
    }
    if (bit != 0 && !(table->game.living & bit)) {
        return PART_DEAD;
    }
    if (bit != 0 && !(table->game.vacant & bit)) {
        return PART_LIVING;
    }
    return bit != 0 || !table_is_outsider(table, user) ? PART_WATCHING
                                                       : PART_NONE;
}

bool
table_is_outsider(const struct table *table, const char *user)
{
    return !table_is_former(table, user) && !table_is_watcher(table, user);
}

const char *
table_name_then(const struct table *table, unsigned seat, unsigned former)
{
    assert(former <= table->former_count && seat < PLAYERS_MAX);
    return former == 0 ? table->seats[seat].name
                       : table->former[former - 1].name;
}

/* It is theirs, unless it is somebody's who had the seat before. */
static void
credit(uint8_t *was, bool theirs, unsigned number)
{
    if (theirs && *was == 0) {
        *was = (uint8_t)number;
    }
}

static void
credit_round(struct past_round *round, unsigned seat, unsigned number)
{
    bool governed = round->outcome != PAST_NOT_YET;
    bool closed = round->present != 0;
    credit(&round->president_was, governed && round->president == seat, number);
    credit(&round->chancellor_was, governed && round->chancellor == seat,
           number);
    credit(&round->passed_was,
           round->passed.count > 0 && round->president == seat, number);
    credit(&round->voter_was[seat], closed || seat_in(seat, round->voted),
           number);
}

void
table_remember_former(struct table *table, unsigned seat)
{
    table->former =
        table_grow(table->former, table->former_count, sizeof table->former[0]);
    table->former[table->former_count++] = (struct former){
        name_keep(table->seats[seat].user), name_keep(table->seats[seat].name)};
    for (unsigned i = 0; i < table->past_count; i++) {
        credit_round(&table->past[i], seat, table->former_count);
    }
    for (unsigned i = 0; i < table->claim_count; i++) {
        struct table_claim *claim = &table->claims[i];
        credit(&claim->was, claim->seat == seat, table->former_count);
    }
    for (unsigned target = 0; target < PLAYERS_MAX; target++) {
        credit(&table->seats[target].investigator_was,
               table->seats[target].investigated_by == seat,
               table->former_count);
    }
}
