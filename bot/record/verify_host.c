#include "bot/record/verify_inner.h"

/* ---- lots ---------------------------------------------------------------- */

/* What lots would be drawn for now; LOTS_NONE: for nothing. */
static enum lots
lots_due(const struct ledger *ledger)
{
    if (ledger->shuffle != SHUFFLE_NONE) {
        return LOTS_NONE;
    }
    if (ledger->due == DUE_PASSED) {
        return LOTS_DISCARD;
    }
    if (ledger->due == DUE_ENACTED) {
        return LOTS_ENACT;
    }
    return ledger->due == DUE_USE && ledger->power != POWER_PEEK ? LOTS_USE
                                                                 : LOTS_NONE;
}

/* `for` tells the power, or a card and which. */
static bool
is_for(const struct event *event, enum lots lots, uint8_t power)
{
    if (lots == LOTS_USE) {
        return event->power == power;
    }
    return event->power == POWER_NONE &&
           event->discarding == (lots == LOTS_DISCARD);
}

bool
judge_lots(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    enum lots lots = lots_due(now);
    if (lots == LOTS_NONE) {
        return fault(judge, RULE_TIME, "nothing is due that lots may decide");
    }
    if (!is_for(event, lots, now->power)) {
        return fault(judge, RULE_TIME, "`for` must be what is due");
    }
    unsigned actor = lots == LOTS_ENACT ? now->chancellor : now->president;
    if (!demand_seat(judge, RULE_TIME, "player", event->seat, actor)) {
        return false;
    }
    now->lots = (uint8_t)lots;
    return true;
}

bool
demand_decided(struct judge *judge)
{
    static const int uses[] = {
        [POWER_INVESTIGATE] = EVENT_INVESTIGATED,
        [POWER_SPECIAL_ELECTION] = EVENT_SPECIAL_CALLED,
        [POWER_EXECUTION] = EVENT_EXECUTED,
    };
    const struct ledger *now = &judge->now;
    int kind = now->lots == LOTS_DISCARD ? EVENT_PASSED
               : now->lots == LOTS_ENACT ? EVENT_ENACTED
                                         : uses[now->power];
    return now->lots == LOTS_NONE || judge->line->kind == kind ||
           fault(judge, RULE_LOTS,
                 "lots stand directly before the line they decide, here `%s`",
                 record_kind_name(kind));
}

/* ---- players ------------------------------------------------------------- */

bool
judge_vacated(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!seat_in(event->seat, present_seats(now))) {
        return fault(judge, RULE_WORDS, "this seat is %s",
                     seat_in(event->seat, now->vacant) ? "vacant before"
                                                       : "executed");
    }
    if (present_seats(now) == seat_bit(event->seat)) {
        return fault(judge, RULE_WORDS, "nobody would be left to play");
    }
    now->vacant |= seat_bit(event->seat);
    /* Vacated before that round begins: the rotation goes on at once. */
    if (now->called == event->seat) {
        now->called = NO_SEAT;
    }
    judge->last_change = judge->line->seq;
    election_turns(judge);
    return true;
}

bool
judge_replaced(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!seat_in(event->seat, now->living)) {
        return fault(judge, RULE_REPLACED, "nobody replaces the executed");
    }
    now->vacant &= (seat_set)~seat_bit(event->seat);
    judge->names[event->seat] = judge->line->in;
    judge->last_change = judge->line->seq;
    election_turns(judge);
    return true;
}

/* ---- taking back --------------------------------------------------------- */

static bool
demand_target(struct judge *judge, size_t to)
{
    if (to >= judge->line->seq) {
        return fault(judge, RULE_REWOUND, "`to` must be an earlier line");
    }
    if (!judge->begun || to < judge->first_round) {
        return fault(judge, RULE_REWOUND,
                     "`to` must not be before the first `round`");
    }
    if (to < judge->last_change) {
        return fault(judge, RULE_REWOUND,
                     "a `vacated` or `replaced` after `to` can't be undone");
    }
    return !judge->steps[to].undone ||
           fault(judge, RULE_REWOUND, "`to` must be a line that stands");
}

bool
judge_rewound(struct judge *judge, const struct event *event)
{
    (void)event;
    size_t to = judge->line->to;
    if (!demand_target(judge, to)) {
        return false;
    }
    while (judge->standing > to) {
        struct step *step = &judge->steps[judge->standing];
        step->undone = true;
        judge->standing = step->before;
    }
    judge->now = judge->steps[to].ledger;
    /* If a `hand` or `peeked` was undone, now or before, somebody knew the
     * draw pile, unless it is empty. */
    if (judge->last_seen > to && judge->now.draw.count > 0) {
        judge->now.known = true;
    }
    return true;
}
