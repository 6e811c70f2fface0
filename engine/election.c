
#include "engine/moves.h"

unsigned
game_majority(const struct game *game)
{
    return seat_count(game_present(game)) / 2 + 1;
}

enum refusal
election_may_nominate(const struct game *game, const struct command *command)
{
    enum refusal refusal = seat_may_act(
        game, command, game->question == QUESTION_NOMINATE, game->president);
    if (refusal == REFUSAL_NONE) {
        refusal =
            seat_may_be_named(game, game->president, command->target, false);
    }
    if (refusal == REFUSAL_NONE &&
        !seat_in(command->target, game_eligible(game))) {
        refusal = REFUSAL_TERM_LIMITED;
    }
    return refusal;
}

void
election_nominate(struct game *game, const struct command *command,
                  struct events *events)
{
    game->chancellor = command->target;
    game->question = QUESTION_VOTE;

    struct event *event = events_add(events, EVENT_NOMINATED);
    event->seat = game->president;
    event->target = game->chancellor;
}

enum refusal
election_may_vote(const struct game *game, const struct command *command)
{
    enum refusal refusal = seat_may_act(
        game, command, game->question == QUESTION_VOTE, command->seat);
    if (refusal == REFUSAL_NONE && seat_in(command->seat, game->voted)) {
        refusal = REFUSAL_VOTED_ALREADY;
    }
    return refusal;
}

void
election_vote(struct game *game, const struct command *command,
              struct events *events)
{
    game->voted |= seat_bit(command->seat);
    game->ja |= (seat_set)((unsigned)command->yes << command->seat);

    struct event *event = events_add(events, EVENT_VOTED);
    event->seat = command->seat;
    event->yes = command->yes;

    if (election_is_closed(game)) {
        election_close(game, events);
    }
}

/* Votes cast, also by seats vacated since. */
static unsigned
ja_votes(const struct game *game)
{
    return seat_count(game->ja);
}

static unsigned
nein_votes(const struct game *game)
{
    return seat_count(game->voted & (seat_set)~game->ja);
}

/* Does a number of votes exceed half of the present players, or reach it? */
static bool
is_majority(const struct game *game, unsigned votes)
{
    return 2 * votes > seat_count(game_present(game));
}

static bool
is_half(const struct game *game, unsigned votes)
{
    return 2 * votes >= seat_count(game_present(game));
}

bool
election_is_closed(const struct game *game)
{
    return game_vote_is_closed(game, (enum vote_closes)game->rules.vote_closes);
}

bool
game_vote_is_closed(const struct game *game, enum vote_closes closes)
{
    seat_set present = game_present(game);
    if ((present & (seat_set)~game->voted) == 0) {
        return true;
    }
    unsigned all = seat_count(present);
    unsigned ja = ja_votes(game);
    unsigned nein = nein_votes(game);
    switch (closes) {
    case VOTE_CLOSES_MAJORITY:
        return 2 * ja > all || 2 * nein > all;
    case VOTE_CLOSES_DECIDED:
        /* Nein at half decides nothing while a tie may elect, and that must
         * not depend on who the nominee is. */
        return 2 * ja > all || 2 * nein > all ||
               (2 * nein == all && !game_tie_may_elect(game));
    case VOTE_CLOSES_ALL:
        return false;
    }
    return false;
}

bool
game_vote_goes_on(const struct game *game)
{
    struct game tried = *game;
    seat_set due = game_awaits(game).seats;
    if (game->question != QUESTION_VOTE || seat_count(due) < 2) {
        return false;
    }
    seat_set voter = due & (~due + 1U);
    tried.voted |= voter;
    bool nein_ends = election_is_closed(&tried);
    tried.ja |= voter;
    return !nein_ends && !election_is_closed(&tried);
}

/* By the house rule, Ja and Nein of half of the present players each elect
 * Hitler once there are three fascist policies; with any other chancellor a
 * tie is a failure. */
static bool
is_elected_by_tie(const struct game *game)
{
    unsigned all = seat_count(game_present(game));
    return game_tie_may_elect(game) && game->chancellor == game->hitler &&
           2 * ja_votes(game) == all && 2 * nein_votes(game) == all;
}

/* The government is in office: is its chancellor Hitler, with the fascists far
 * enough to win by it?  Else the session begins. */
static void
take_office(struct game *game, struct events *events)
{
    if (game->rules.term_limit == TERM_LIMIT_LAST_ELECTED) {
        election_limit(game);
    }
    if (game->fascist >= FASCIST_DANGER) {
        if (game->chancellor == game->hitler) {
            game_end(game, ENDING_HITLER_CHANCELLOR, events);
            return;
        }
        events_add(events, EVENT_CLEARED)->seat = game->chancellor;
    }
    session_begin(game, events);
}

void
election_close(struct game *game, struct events *events)
{
    unsigned ja = ja_votes(game);
    unsigned nein = nein_votes(game);
    bool tied = is_elected_by_tie(game);
    bool elected = tied || is_majority(game, ja);
    enum election_reason reason = tied ? ELECTION_TIE : ELECTION_MAJORITY;

    if (!elected) {
        /* Once all have voted, Nein is half of them at least. */
        reason = is_half(game, nein) ? ELECTION_REJECTED : ELECTION_DEADLINE;
        tracker_advance(game);
    } else if (game->rules.tracker_resets_on == TRACKER_RESETS_ON_ELECTION) {
        game->tracker = 0;
    }

    struct event *event = events_add(events, EVENT_ELECTION);
    event->seat = game->president;
    event->target = game->chancellor;
    event->yes = elected;
    event->ja = (uint8_t)ja;
    event->nein = (uint8_t)nein;
    event->present = (uint8_t)seat_count(game_present(game));
    event->seats = game->ja;
    event->against = game->voted & (seat_set)~game->ja;
    event->reason = (uint8_t)reason;
    event->tracker = game->tracker;

    if (elected) {
        take_office(game, events);
    }
}

/*
 * The third failure in a row: the top policy is enacted and all may be
 * nominated again.  Its power is ignored, or by the house rule used by the
 * candidate whose government failed last.
 */
void
chaos(struct game *game, struct events *events)
{
    game->limited_president = NO_SEAT;
    game->limited_chancellor = NO_SEAT;
    bool liberal = pile_take(&game->draw, 0);
    if (policy_enact(game, liberal, true, events)) {
        return;
    }
    game->resume = RESUME_ROUND;
    if (!liberal && game->rules.chaos_power == HOUSE_RULE_ON) {
        power_grant(game);
    }
}
