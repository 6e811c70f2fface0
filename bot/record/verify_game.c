/*
 * A recorded game from its first line to its last: each is judged where it
 * stands.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/base/json.h"
#include "bot/record/verify.h"
#include "bot/record/verify_inner.h"

/* ---- beginning and end --------------------------------------------------- */

static bool
judge_opened(struct judge *judge, const struct event *event)
{
    (void)event;
    return judge->line->seq == 0 ||
           fault(judge, RULE_SETUP, "the game is open already");
}

static bool
judge_seated(struct judge *judge, const struct event *event)
{
    (void)event;
    if (!demand_due(judge, 1U << DUE_SEATED)) {
        return false;
    }
    judge->now.living = (seat_set)((1U << judge->game->players) - 1);
    judge->now.due = DUE_DEALT;
    return true;
}

/* The table of Set-up: how many fascists there are besides Hitler. */
static unsigned
fascists_of(unsigned players)
{
    return players <= 6 ? 1 : players <= 8 ? 2 : 3;
}

static bool
judge_dealt(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    unsigned fascists = fascists_of(judge->game->players);
    if (!demand_due(judge, 1U << DUE_DEALT)) {
        return false;
    }
    if (seat_count(event->seats) != fascists) {
        return fault(judge, RULE_SETUP,
                     "of %u players %u must be fascists besides Hitler",
                     judge->game->players, fascists);
    }
    if (pile_liberals(event->cards) != LIBERAL_TILES) {
        return fault(judge, RULE_SETUP,
                     "`deck` must be of %d liberal and %d fascist policies",
                     LIBERAL_TILES, FASCIST_TILES);
    }
    now->dealt = true;
    now->hitler = event->target;
    now->fascists = event->seats;
    now->draw = event->cards;
    now->due = DUE_ROUND;
    return true;
}

static enum party
winner_by(enum ending ending)
{
    return ending == ENDING_SIX_FASCIST || ending == ENDING_HITLER_CHANCELLOR
               ? PARTY_FASCIST
               : PARTY_LIBERAL;
}

/* A game ends when it is won, at once, or when the host gives it up. */
static bool
judge_ended(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    enum ending reason = (enum ending)event->reason;
    if (now->due != DUE_ENDED && reason != ENDING_ABANDONED) {
        return fault(judge, ending_rule(reason), "nobody has won so");
    }
    if (now->due == DUE_ENDED && reason != now->ending) {
        return fault(judge, ending_rule((enum ending)now->ending),
                     "`reason` must be \"%s\"",
                     record_ending_name((enum ending)now->ending));
    }
    enum party winner = winner_by(reason);
    if (reason != ENDING_ABANDONED && event->party != winner) {
        return fault(judge, ending_rule(reason), "`winner` must be \"%s\"",
                     record_party_name(winner));
    }
    now->due = DUE_REVEALED;
    return true;
}

static bool
judge_revealed(struct judge *judge, const struct event *event)
{
    struct ledger *now = &judge->now;
    if (now->due != DUE_REVEALED) {
        return fault(judge, RULE_REVEALED, "it stands %s",
                     now->due == DUE_NOTHING ? "there twice"
                                             : "before the game has ended");
    }
    if (!now->dealt && event->target != NO_SEAT) {
        return fault(judge, RULE_REVEALED, "no roles were dealt");
    }
    if (now->dealt &&
        (event->target != now->hitler || event->seats != now->fascists)) {
        return fault(judge, RULE_REVEALED, "`roles` must be those dealt");
    }
    now->due = DUE_NOTHING;
    return true;
}

/* Lines of the host that change nothing may stand anywhere. */
static bool
judge_nothing(struct judge *judge, const struct event *event)
{
    (void)judge;
    (void)event;
    return true;
}

/* ---- lines --------------------------------------------------------------- */

static bool (*const judges[RECORD_KINDS])(struct judge *judge,
                                          const struct event *event) = {
    [EVENT_DEALT] = judge_dealt,
    [EVENT_ROUND] = judge_round,
    [EVENT_NOMINATED] = judge_nominated,
    [EVENT_VOTED] = judge_voted,
    [EVENT_ELECTION] = judge_election,
    [EVENT_CLEARED] = judge_cleared,
    [EVENT_HAND] = judge_hand,
    [EVENT_PASSED] = judge_passed,
    [EVENT_VETO_ASKED] = judge_veto_asked,
    [EVENT_VETO_ANSWERED] = judge_veto_answered,
    [EVENT_ENACTED] = judge_enacted,
    [EVENT_RESHUFFLED] = judge_reshuffled,
    [EVENT_POWER] = judge_power,
    [EVENT_INVESTIGATED] = judge_investigated,
    [EVENT_SPECIAL_CALLED] = judge_special_called,
    [EVENT_PEEKED] = judge_peeked,
    [EVENT_EXECUTED] = judge_executed,
    [EVENT_FORFEITED] = judge_forfeited,
    [EVENT_LOTS] = judge_lots,
    [EVENT_VACATED] = judge_vacated,
    [EVENT_FILLED] = judge_replaced,
    [EVENT_ENDED] = judge_ended,
    [RECORD_OPENED] = judge_opened,
    [RECORD_SEATED] = judge_seated,
    [RECORD_REVEALED] = judge_revealed,
    [RECORD_PAUSED] = judge_nothing,
    [RECORD_RESUMED] = judge_nothing,
    [RECORD_EXTENDED] = judge_nothing,
    [RECORD_REMINDED] = judge_nothing,
    [RECORD_NOTED] = judge_nothing,
    [RECORD_CLAIMED] = judge_nothing,
    [RECORD_REWOUND] = judge_rewound,
};

/* After `ended` come only `revealed`, `claimed` and `noted`. */
static bool
may_follow_end(int kind)
{
    return kind == RECORD_REVEALED || kind == RECORD_CLAIMED ||
           kind == RECORD_NOTED;
}

/* What holds of a line whatever its kind. */
static bool
judge_place(struct judge *judge)
{
    const struct ledger *now = &judge->now;
    int kind = judge->line->kind;
    if (now->known && kind != EVENT_RESHUFFLED) {
        return fault(judge, RULE_REWOUND,
                     "a `reshuffled` of the draw pile must stand here: "
                     "somebody knew its order");
    }
    if (now->lots != LOTS_NONE && !demand_decided(judge)) {
        return false;
    }
    bool over = now->due == DUE_REVEALED || now->due == DUE_NOTHING;
    if (over && !may_follow_end(kind)) {
        return fault(judge, RULE_AFTER_END, "the game has ended before");
    }
    /* A win ends the game at once: nobody may join, leave or undo anything
     * after it. */
    if (now->due == DUE_ENDED && kind != EVENT_ENDED &&
        judges[kind] != judge_nothing) {
        return out_of_order(judge);
    }
    return true;
}

static bool
judge_line(struct judge *judge)
{
    const struct event *event = &judge->line->event;
    if (!judge_place(judge) || !judges[judge->line->kind](judge, event)) {
        return false;
    }
    if (judge->line->kind != EVENT_LOTS) {
        judge->now.lots = LOTS_NONE;
    }
    return true;
}

/* Enter the line among those that stand. */
static void
enter(struct judge *judge, size_t seq)
{
    struct step *step = &judge->steps[seq];
    step->ledger = judge->now;
    step->before = judge->standing;
    step->undone = false;
    judge->standing = seq;
}

static bool
judge_lines(struct judge *judge)
{
    for (size_t i = 0; i < judge->game->line_count; i++) {
        judge->line = &judge->game->lines[i];
        if (!judge_line(judge)) {
            return false;
        }
        enter(judge, i);
    }
    return true;
}

static void
judge_begin(struct judge *judge, const struct record_game *game,
            struct verdict *verdict)
{
    memset(judge, 0, sizeof *judge);
    judge->game = game;
    judge->verdict = verdict;
    judge->steps = must_alloc((game->line_count + 1) * sizeof *judge->steps);
    judge->now.rotation = NO_SEAT;
    judge->now.called = NO_SEAT;
    judge->now.president = NO_SEAT;
    judge->now.chancellor = NO_SEAT;
    judge->now.limited_president = NO_SEAT;
    judge->now.limited_chancellor = NO_SEAT;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        judge->names[seat] = game->names[seat];
    }
}

void
verify_game(const struct record_game *game, struct verdict *verdict)
{
    struct judge judge;
    memset(verdict, 0, sizeof *verdict);
    judge_begin(&judge, game, verdict);
    if (judge_lines(&judge)) {
        bool over =
            judge.now.due == DUE_REVEALED || judge.now.due == DUE_NOTHING;
        verdict->legality = over ? LEGALITY_FINISHED : LEGALITY_SO_FAR;
        judge_proof(&judge);
    }
    free(judge.steps);
}
