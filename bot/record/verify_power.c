#include "bot/record/verify_inner.h"

enum {
    TRACK_SPACES = 6, /* fascist policies; the sixth brings the end */
};

/* The table of Set-up, from the first fascist policy on: for 5 and 6 players,
 * 7 and 8, 9 and 10. */
static const uint8_t spaces[][TRACK_SPACES] = {
    {POWER_NONE, POWER_NONE, POWER_PEEK, POWER_EXECUTION, POWER_EXECUTION,
     POWER_NONE},
    {POWER_NONE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION, POWER_EXECUTION,
     POWER_EXECUTION, POWER_NONE},
    {POWER_INVESTIGATE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION,
     POWER_EXECUTION, POWER_EXECUTION, POWER_NONE},
};

enum power
power_of(unsigned players, unsigned fascist)
{
    return (enum power)spaces[(players - PLAYERS_MIN) / 2][fascist - 1];
}

/* Another living seat, or present player, by the power. */
seat_set
power_targets(const struct ledger *ledger)
{
    seat_set others = ledger->living & (seat_set)~seat_bit(ledger->president);
    seat_set present = present_seats(ledger);
    switch ((enum power)ledger->power) {
    case POWER_INVESTIGATE:
        return others & (seat_set)~ledger->investigated;
    case POWER_SPECIAL_ELECTION:
        return others & present;
    case POWER_EXECUTION:
        /* At least one player must remain. */
        return seat_count(present) == 1 ? others & (seat_set)~present : others;
    case POWER_NONE:
    case POWER_PEEK:
        break;
    }
    return 0;
}

bool
judge_power(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_POWER)) {
        return false;
    }
    if (event->power != now->power) {
        return fault(judge, RULE_SETUP, "`power` must be \"%s\"",
                     record_power_name((enum power)now->power));
    }
    if (!demand_seat(judge, RULE_ACTION, "president", event->seat,
                     now->president)) {
        return false;
    }
    now->due = DUE_USE;
    return true;
}

/* The use of a power: the one due, by its president. */
static bool
demand_use(struct judge *judge, const struct event *event, enum power power)
{
    const struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_USE)) {
        return false;
    }
    if (now->power != power) {
        return fault(judge, RULE_ACTION, "the power due is \"%s\"",
                     record_power_name((enum power)now->power));
    }
    return demand_seat(judge, RULE_ACTION, "president", event->seat,
                       now->president);
}

/* The same for a power that is used on somebody; the power is then done
 * with. */
static bool
use_upon(struct judge *judge, const struct event *event, enum power power)
{
    struct ledger *now = &judge->now;
    if (!demand_use(judge, event, power) ||
        !demand_player(judge, event->seat)) {
        return false;
    }
    if (!seat_in(event->target, power_targets(now))) {
        return fault(judge, RULE_ACTION, "`target` can't be this player");
    }
    now->power = POWER_NONE;
    now->due = DUE_ROUND;
    return true;
}

bool
judge_investigated(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    seat_set fascists = now->fascists | seat_bit(now->hitler);
    if (!use_upon(judge, event, POWER_INVESTIGATE)) {
        return false;
    }
    enum party party =
        seat_in(event->target, fascists) ? PARTY_FASCIST : PARTY_LIBERAL;
    if (event->party != party) {
        return fault(judge, RULE_ACTION, "`party` must be \"%s\"",
                     record_party_name(party));
    }
    now->investigated |= seat_bit(event->target);
    return true;
}

/* After that round the rotation goes on with the next seat after the president
 * who called it. */
bool
judge_special_called(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!use_upon(judge, event, POWER_SPECIAL_ELECTION)) {
        return false;
    }
    now->rotation = now->president;
    now->called = event->target;
    return true;
}

/* The host shows the cards at once, so a vacant seat does not matter. */
bool
judge_peeked(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_use(judge, event, POWER_PEEK)) {
        return false;
    }
    struct pile rest = now->draw;
    if (!same_tiles(pile_lift(&rest, HAND_TILES), event->cards)) {
        return fault(judge, RULE_ACTION,
                     "`cards` must be the top three of the deck, in order");
    }
    now->power = POWER_NONE;
    now->due = DUE_ROUND;
    judge->last_seen = judge->line->seq;
    return true;
}

bool
judge_executed(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!use_upon(judge, event, POWER_EXECUTION)) {
        return false;
    }
    now->living &= (seat_set)~seat_bit(event->target);
    now->vacant &= (seat_set)~seat_bit(event->target);
    if (event->target == now->hitler) {
        now->due = DUE_ENDED;
        now->ending = ENDING_HITLER_EXECUTED;
    }
    return true;
}

bool
judge_forfeited(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_USE)) {
        return false;
    }
    if (now->power == POWER_PEEK) {
        return fault(judge, RULE_TIME, "a peek is never forfeited");
    }
    if (event->power != now->power) {
        return fault(judge, RULE_TIME, "`power` must be \"%s\"",
                     record_power_name((enum power)now->power));
    }
    if (!demand_seat(judge, RULE_TIME, "president", event->seat,
                     now->president)) {
        return false;
    }
    now->power = POWER_NONE;
    now->due = DUE_ROUND;
    return true;
}
