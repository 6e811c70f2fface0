#include "bot/record/verify_inner.h"

/* ---- tiles --------------------------------------------------------------- */

static void
put_aside(struct ledger *ledger, bool liberal)
{
    if (liberal) {
        ledger->discarded_liberal++;
    } else {
        ledger->discarded_fascist++;
    }
}

/* At the end of every session, and after chaos, fewer than three tiles in the
 * deck are shuffled together with the discards. */
static void
end_with(struct ledger *ledger, enum shuffle shuffle)
{
    ledger->shuffle =
        ledger->draw.count < HAND_TILES ? (uint8_t)shuffle : SHUFFLE_NONE;
}

/* ---- president and chancellor -------------------------------------------- */

bool
judge_hand(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_HAND) ||
        !demand_seat(judge, RULE_SESSION_1, "to", event->seat,
                     now->president)) {
        return false;
    }
    now->hand = pile_lift(&now->draw, HAND_TILES);
    if (!same_tiles(now->hand, event->cards)) {
        return fault(judge, RULE_SESSION_1,
                     "`cards` must be the top three of the deck, in order");
    }
    now->veto_declined = false;
    now->due = DUE_PASSED;
    judge->last_seen = judge->line->seq;
    return true;
}

/* Is the hand the tile discarded and the cards handed on, these in order? */
static bool
is_of_hand(struct pile hand, const struct event *event)
{
    for (unsigned i = 0; i < hand.count; i++) {
        struct pile left = hand;
        if (pile_take(&left, i) == event->is_liberal &&
            same_tiles(left, event->cards)) {
            return true;
        }
    }
    return false;
}

bool
judge_passed(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_PASSED) ||
        !demand_seat(judge, RULE_SESSION_1, "president", event->seat,
                     now->president) ||
        !demand_player(judge, event->seat)) {
        return false;
    }
    if (!is_of_hand(now->hand, event)) {
        return fault(judge, RULE_SESSION_1,
                     "`discarded` and `cards` must be the hand, in its order");
    }
    put_aside(now, event->is_liberal);
    now->hand = event->cards;
    now->due = DUE_ENACTED;
    return true;
}

/* ---- veto ---------------------------------------------------------------- */

bool
judge_veto_asked(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_ENACTED) ||
        !demand_seat(judge, RULE_SESSION_3, "chancellor", event->seat,
                     now->chancellor) ||
        !demand_player(judge, event->seat)) {
        return false;
    }
    if (now->fascist < FASCIST_VETO) {
        return fault(judge, RULE_SESSION_3,
                     "the session began with %u fascist policies, not %d",
                     now->fascist, FASCIST_VETO);
    }
    if (now->veto_declined) {
        return fault(judge, RULE_SESSION_3,
                     "a veto was asked for and declined in this session");
    }
    now->due = DUE_ANSWER;
    return true;
}

static void
agree(struct ledger *ledger)
{
    for (unsigned i = 0; i < ledger->hand.count; i++) {
        put_aside(ledger, pile_is_liberal(ledger->hand, i));
    }
    ledger->hand.count = 0;
    ledger->tracker++;
    ledger->due = ledger->tracker == TRACKER_CHAOS ? DUE_CHAOS : DUE_ROUND;
    end_with(ledger, SHUFFLE_SESSION);
}

bool
judge_veto_answered(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_ANSWER) ||
        !demand_seat(judge, RULE_SESSION_3, "president", event->seat,
                     now->president)) {
        return false;
    }
    if (event->yes) {
        if (!demand_player(judge, event->seat)) {
            return false;
        }
        agree(now);
    } else {
        /* A deadline may have declined it, so the seat may be vacant. */
        now->veto_declined = true;
        now->due = DUE_ENACTED;
    }
    return demand_number(judge, RULE_SESSION_3, "tracker", event->tracker,
                         now->tracker);
}

/* ---- policies ------------------------------------------------------------ */

/* Lay the policy on the board, and hold the line against it. */
static bool
lay(struct judge *judge, const struct event *event, enum rule rule)
{
    struct ledger *now = &judge->now;
    if (event->is_liberal) {
        now->liberal++;
    } else {
        now->fascist++;
    }
    now->tracker = 0;
    return demand_number(judge, rule, "liberal", event->liberal,
                         now->liberal) &&
           demand_number(judge, rule, "fascist", event->fascist,
                         now->fascist) &&
           demand_number(judge, RULE_ELECTION_7, "tracker", event->tracker, 0);
}

/* The fifth liberal and the sixth fascist policy end the game at once. */
static bool
is_won(struct ledger *ledger)
{
    ledger->ending = ledger->liberal == LIBERAL_WIN   ? ENDING_FIVE_LIBERAL
                     : ledger->fascist == FASCIST_WIN ? ENDING_SIX_FASCIST
                                                      : ENDING_NONE;
    if (ledger->ending == ENDING_NONE) {
        return false;
    }
    ledger->due = DUE_ENDED;
    return true;
}

/* After a policy that has not won: its power, if it is fascist and has one, or
 * the next round. */
static void
go_on(struct judge *judge, bool brings_power)
{
    struct ledger *now = &judge->now;
    now->power = brings_power
                     ? (uint8_t)power_of(judge->game->players, now->fascist)
                     : POWER_NONE;
    now->due = now->power == POWER_NONE ? DUE_ROUND : DUE_POWER;
}

/* The chancellor enacts one of the two and discards the other. */
static bool
enact_by_government(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    bool first = pile_is_liberal(now->hand, 0) == event->is_liberal;
    if (pile_take(&now->hand, first ? 0 : 1) != event->is_liberal) {
        return fault(judge, RULE_SESSION_1,
                     "`policy` must be one of the two handed on");
    }
    put_aside(now, pile_take(&now->hand, 0));
    if (judge->game->rules.term_limit == TERM_LIMIT_LAST_ENACTED) {
        now->limited_president = now->president;
        now->limited_chancellor = now->chancellor;
    }
    if (!lay(judge, event, RULE_SESSION_1)) {
        return false;
    }
    if (is_won(now)) {
        return true;
    }
    go_on(judge, !event->is_liberal);
    end_with(now, SHUFFLE_SESSION);
    return true;
}

/* The top policy is enacted, its power is ignored but by a house rule, all
 * limits are forgotten. */
static bool
enact_by_chaos(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (pile_take(&now->draw, 0) != event->is_liberal) {
        return fault(judge, RULE_ELECTION_6,
                     "`policy` must be the top one of the deck");
    }
    now->limited_president = NO_SEAT;
    now->limited_chancellor = NO_SEAT;
    if (!lay(judge, event, RULE_ELECTION_6)) {
        return false;
    }
    if (!is_won(now)) {
        go_on(judge, !event->is_liberal &&
                         judge->game->rules.chaos_power == HOUSE_RULE_ON);
        end_with(now, SHUFFLE_CHAOS);
    }
    return true;
}

bool
judge_enacted(struct judge *judge, const struct event *event)
{
    const struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_ENACTED | 1U << DUE_CHAOS)) {
        return false;
    }
    if (now->due == DUE_CHAOS) {
        return event->by_chaos
                   ? enact_by_chaos(judge, event)
                   : fault(judge, RULE_ELECTION_6, "`by` must be \"chaos\"");
    }
    if (event->by_chaos) {
        return fault(judge, RULE_SESSION_1, "`by` must be \"government\"");
    }
    return demand_player(judge, now->chancellor) &&
           enact_by_government(judge, event);
}

/* ---- reshuffles ---------------------------------------------------------- */

/* The draw pile alone, or all tiles that are not on the board. */
bool
judge_reshuffled(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    struct pile deck = event->cards;
    unsigned liberal = pile_liberals(now->draw);
    unsigned fascist = now->draw.count - liberal;
    enum rule rule = RULE_REWOUND;
    if (!now->known) {
        if (now->shuffle == SHUFFLE_NONE) {
            return fault(judge, RULE_SESSION_4, "no reshuffle is due");
        }
        liberal += now->discarded_liberal;
        fascist += now->discarded_fascist;
        rule =
            now->shuffle == SHUFFLE_SESSION ? RULE_SESSION_4 : RULE_ELECTION_6;
        now->discarded_liberal = 0;
        now->discarded_fascist = 0;
        now->shuffle = SHUFFLE_NONE;
    }
    if (deck.count != liberal + fascist || pile_liberals(deck) != liberal) {
        return fault(judge, rule,
                     "`deck` must be of %u liberal and %u fascist policies",
                     liberal, fascist);
    }
    now->known = false;
    now->draw = deck;
    return true;
}
