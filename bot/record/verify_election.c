#include "bot/record/verify_inner.h"

/* ---- who may be candidate and nominee ------------------------------------ */

static seat_set
without(seat_set seats, unsigned seat)
{
    return seat == NO_SEAT ? seats : seats & (seat_set)~seat_bit(seat);
}

/* Does the limit bind the president of the last government too? */
static bool
president_is_bound(const struct judge *judge)
{
    switch ((enum president_limit)judge->game->rules.president_term_limit) {
    case PRESIDENT_LIMIT_ALWAYS:
        return true;
    case PRESIDENT_LIMIT_OVER_FIVE_LIVING:
        return seat_count(present_seats(&judge->now)) > 5;
    case PRESIDENT_LIMIT_OVER_SIX_SEATED:
        return judge->game->players > 6;
    }
    return true;
}

/* If nobody is eligible, the limit on the former president does not apply in
 * this round. */
static seat_set
eligible_seats(struct judge *judge)
{
    struct ledger *now = &judge->now;
    seat_set others = without(present_seats(now), now->president);
    others = without(others, now->limited_chancellor);
    if (!president_is_bound(judge)) {
        return others;
    }
    seat_set eligible = without(others, now->limited_president);
    if (eligible == 0) {
        now->limit_fell = true;
    }
    return now->limit_fell ? others : eligible;
}

/* The following present seat, wrapping round; NO_SEAT: nobody is present. */
static unsigned
next_seat(const struct judge *judge, unsigned after)
{
    unsigned players = judge->game->players;
    seat_set present = present_seats(&judge->now);
    for (unsigned i = 1; i <= players; i++) {
        if (seat_in((after + i) % players, present)) {
            return (after + i) % players;
        }
    }
    return NO_SEAT;
}

/* ---- a round ------------------------------------------------------------- */

/* The first candidate is drawn, of those who are there, or begins at seat 1. */
static bool
demand_candidate(struct judge *judge, const struct event *event)
{
    const struct ledger *now = &judge->now;
    if (now->called != NO_SEAT) {
        return demand_flag(judge, RULE_ACTION, "special", event->yes, true) &&
               demand_seat(judge, RULE_ACTION, "president", event->seat,
                           now->called);
    }
    if (event->yes) {
        return fault(judge, RULE_ACTION, "no special election was called");
    }
    unsigned after = now->rotation;
    if (after == NO_SEAT && judge->game->rules.first == FIRST_SEAT_1) {
        after = judge->game->players - 1U;
    }
    if (after != NO_SEAT) {
        return demand_seat(judge, RULE_ELECTION_1, "president", event->seat,
                           next_seat(judge, after));
    }
    return seat_in(event->seat, present_seats(now)) ||
           fault(judge, RULE_ELECTION_1, "`president` must be present");
}

bool
judge_round(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_ROUND) ||
        !demand_number(judge, RULE_ROUND, "round", event->round,
                       now->round + 1) ||
        !demand_candidate(judge, event)) {
        return false;
    }
    /* The rotation stays where it is while a special election is held. */
    if (now->called == NO_SEAT) {
        now->rotation = event->seat;
    }
    now->round = event->round;
    now->called = NO_SEAT;
    now->president = event->seat;
    now->chancellor = NO_SEAT;
    now->limit_fell = false;
    now->voted = 0;
    now->ja = 0;
    now->due = DUE_NOMINATED;
    if (!judge->begun) {
        judge->begun = true;
        judge->first_round = judge->line->seq;
    }
    return demand_seats(judge, RULE_ELECTION_2, "eligible", event->seats,
                        eligible_seats(judge));
}

bool
judge_nominated(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_NOMINATED) ||
        !demand_seat(judge, RULE_ELECTION_2, "president", event->seat,
                     now->president) ||
        !demand_player(judge, event->seat)) {
        return false;
    }
    if (!seat_in(event->target, eligible_seats(judge))) {
        return fault(judge, RULE_ELECTION_2,
                     "this player is not eligible: the candidate, term-limited "
                     "or not present");
    }
    now->chancellor = event->target;
    now->due = DUE_VOTED;
    return true;
}

/* ---- the vote ------------------------------------------------------------ */

struct count {
    unsigned present, ja, nein;
    bool all_voted;
};

/* Votes of seats vacated since stand and count. */
static struct count
count_votes(const struct ledger *ledger)
{
    seat_set present = present_seats(ledger);
    return (struct count){
        .present = seat_count(present),
        .ja = seat_count(ledger->ja),
        .nein = seat_count(ledger->voted & (seat_set)~ledger->ja),
        .all_voted = (present & (seat_set)~ledger->voted) == 0,
    };
}

/* Does a tie elect Hitler?  By a house rule, with three fascist policies and
 * more on the board. */
static bool
tie_counts(const struct judge *judge)
{
    return judge->game->rules.tie_elects_hitler == HOUSE_RULE_ON &&
           judge->now.fascist >= FASCIST_DANGER;
}

/* Is the vote over before its deadline? */
static bool
vote_is_closed(const struct judge *judge, struct count count)
{
    bool elected = 2 * count.ja > count.present;
    if (count.all_voted) {
        return true;
    }
    switch ((enum vote_closes)judge->game->rules.vote_closes) {
    case VOTE_CLOSES_MAJORITY:
        return elected || 2 * count.nein > count.present;
    case VOTE_CLOSES_DECIDED:
        return elected || 2 * count.nein > count.present ||
               (2 * count.nein == count.present && !tie_counts(judge));
    case VOTE_CLOSES_ALL:
        return false;
    }
    return false;
}

/* Elected: Ja votes are more than half of the present players, or, where a tie
 * counts, half of them as Nein votes are, with Hitler as nominee. */
static void
settle(struct judge *judge, struct count count)
{
    struct ledger *now = &judge->now;
    bool refused = count.all_voted || 2 * count.nein >= count.present;
    bool majority = 2 * count.ja > count.present;
    bool tie = 2 * count.ja == count.present && 2 * count.nein == count.present;
    tie = tie && tie_counts(judge) && now->chancellor == now->hitler;
    now->elected = majority || tie;
    now->reason = majority  ? ELECTION_MAJORITY
                  : tie     ? ELECTION_TIE
                  : refused ? ELECTION_REJECTED
                            : ELECTION_DEADLINE;
}

void
election_turns(struct judge *judge)
{
    struct ledger *now = &judge->now;
    struct count count = count_votes(now);
    if (now->due == DUE_NOMINATED) {
        (void)eligible_seats(judge);
    }
    if (now->due == DUE_VOTED && vote_is_closed(judge, count)) {
        settle(judge, count);
        now->due = DUE_ELECTION;
    }
}

bool
judge_voted(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (now->due == DUE_ELECTION) {
        return fault(judge, RULE_ELECTION_3, "the vote has closed before");
    }
    if (!demand_due(judge, 1U << DUE_VOTED)) {
        return false;
    }
    if (!seat_in(event->seat, present_seats(now))) {
        return fault(judge, RULE_ELECTION_3,
                     "this player is not present and has no vote");
    }
    if (seat_in(event->seat, now->voted)) {
        return fault(judge, RULE_ELECTION_3,
                     "this seat has voted, and a vote can't be changed");
    }
    now->voted |= seat_bit(event->seat);
    if (event->yes) {
        now->ja |= seat_bit(event->seat);
    }
    election_turns(judge);
    return true;
}

/* ---- its outcome --------------------------------------------------------- */

static bool
demand_outcome(struct judge *judge, const struct event *event)
{
    const struct ledger *now = &judge->now;
    struct count count = count_votes(now);
    if (!demand_flag(judge, RULE_ELECTION_3, "elected", event->yes,
                     now->elected) ||
        !demand_number(judge, RULE_ELECTION_3, "ja", event->ja, count.ja) ||
        !demand_number(judge, RULE_ELECTION_3, "nein", event->nein,
                       count.nein)) {
        return false;
    }
    return event->reason == now->reason ||
           fault(judge, RULE_ELECTION_3, "`reason` must be \"%s\"",
                 record_reason_name((enum election_reason)now->reason));
}

/* With three fascist policies and more on the board before this session: if
 * the chancellor is Hitler the fascists win at once. */
static void
take_office(struct judge *judge)
{
    struct ledger *now = &judge->now;
    if (judge->game->rules.term_limit == TERM_LIMIT_LAST_ELECTED) {
        now->limited_president = now->president;
        now->limited_chancellor = now->chancellor;
    }
    if (now->fascist < FASCIST_DANGER) {
        now->due = DUE_HAND;
    } else if (now->chancellor == now->hitler) {
        now->due = DUE_ENDED;
        now->ending = ENDING_HITLER_CHANCELLOR;
    } else {
        now->due = DUE_CLEARED;
    }
}

bool
judge_election(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (!demand_due(judge, 1U << DUE_NOMINATED | 1U << DUE_VOTED |
                               1U << DUE_ELECTION)) {
        return false;
    }
    /* The vote was not complete, so its deadline has passed. */
    if (now->due != DUE_ELECTION) {
        settle(judge, count_votes(now));
    }
    if (!demand_outcome(judge, event)) {
        return false;
    }
    bool resets =
        judge->game->rules.tracker_resets_on == TRACKER_RESETS_ON_ELECTION;
    if (!now->elected) {
        now->tracker++;
        now->due = now->tracker == TRACKER_CHAOS ? DUE_CHAOS : DUE_ROUND;
    } else {
        now->tracker = resets ? 0 : now->tracker;
        take_office(judge);
    }
    return demand_number(judge,
                         now->elected ? RULE_ELECTION_7 : RULE_ELECTION_5,
                         "tracker", event->tracker, now->tracker);
}

bool
judge_cleared(struct judge *judge, const struct event *event)
{
    if (!demand_due(judge, 1U << DUE_CLEARED) ||
        !demand_seat(judge, RULE_ELECTION_4, "player", event->seat,
                     judge->now.chancellor)) {
        return false;
    }
    judge->now.due = DUE_HAND;
    return true;
}
