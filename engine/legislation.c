#include <assert.h>

#include "engine/moves.h"

static void
put_aside(struct game *game, bool liberal)
{
    if (liberal) {
        game->discarded_liberal++;
    } else {
        game->discarded_fascist++;
    }
}

void
session_begin(struct game *game, struct events *events)
{
    assert(game->draw.count >= HAND_TILES && game->hand.count == 0);
    game->hand = pile_lift(&game->draw, HAND_TILES);
    game->in_session = true;
    game->veto_power = game->fascist >= FASCIST_VETO;
    game->veto_declined = false;
    game->question = QUESTION_DISCARD;

    struct event *event = events_add(events, EVENT_HAND);
    event->seat = game->president;
    event->cards = game->hand;
}

enum refusal
session_may_discard(const struct game *game, const struct command *command)
{
    enum refusal refusal = seat_may_act(
        game, command, game->question == QUESTION_DISCARD, game->president);
    if (refusal == REFUSAL_NONE && command->card >= game->hand.count) {
        refusal = REFUSAL_NO_SUCH_CARD;
    }
    return refusal;
}

void
session_discard(struct game *game, const struct command *command,
                struct events *events)
{
    bool liberal = pile_take(&game->hand, command->card);
    put_aside(game, liberal);
    game->question = QUESTION_ENACT;

    struct event *event = events_add(events, EVENT_PASSED);
    event->seat = game->president;
    event->target = game->chancellor;
    event->is_liberal = liberal;
    event->cards = game->hand;
}

enum refusal
session_may_enact(const struct game *game, const struct command *command)
{
    enum refusal refusal = seat_may_act(
        game, command, game->question == QUESTION_ENACT, game->chancellor);
    if (refusal == REFUSAL_NONE && command->card >= game->hand.count) {
        refusal = REFUSAL_NO_SUCH_CARD;
    }
    return refusal;
}

void
session_enact(struct game *game, const struct command *command,
              struct events *events)
{
    bool liberal = pile_take(&game->hand, command->card);
    put_aside(game, pile_take(&game->hand, 0));
    game->in_session = false;
    if (game->rules.term_limit == TERM_LIMIT_LAST_ENACTED) {
        election_limit(game);
    }
    if (policy_enact(game, liberal, false, events)) {
        return;
    }
    game->resume = RESUME_ROUND;
    if (!liberal) {
        power_grant(game);
    }
}

enum refusal
session_may_ask_veto(const struct game *game, const struct command *command)
{
    enum refusal refusal = seat_may_act(
        game, command, game->question == QUESTION_ENACT, game->chancellor);
    if (refusal == REFUSAL_NONE && !game->veto_power) {
        refusal = REFUSAL_VETO_NOT_DUE;
    }
    if (refusal == REFUSAL_NONE && game->veto_declined) {
        refusal = REFUSAL_VETO_DECLINED;
    }
    return refusal;
}

void
session_ask_veto(struct game *game, const struct command *command,
                 struct events *events)
{
    (void)command;
    game->question = QUESTION_VETO;
    events_add(events, EVENT_VETO_ASKED)->seat = game->chancellor;
}

enum refusal
session_may_answer_veto(const struct game *game, const struct command *command)
{
    return seat_may_act(game, command, game->question == QUESTION_VETO,
                        game->president);
}

static void
answer_veto(struct game *game, bool agreed, struct events *events)
{
    if (agreed) {
        put_aside(game, pile_take(&game->hand, 0));
        put_aside(game, pile_take(&game->hand, 0));
        game->in_session = false;
        tracker_advance(game);
    } else {
        game->veto_declined = true;
        game->question = QUESTION_ENACT;
    }

    struct event *event = events_add(events, EVENT_VETO_ANSWERED);
    event->seat = game->president;
    event->yes = agreed;
    event->tracker = game->tracker;
}

void
session_answer_veto(struct game *game, const struct command *command,
                    struct events *events)
{
    answer_veto(game, command->yes, events);
}

void
session_decline_veto(struct game *game, struct events *events)
{
    answer_veto(game, false, events);
}

bool
policy_enact(struct game *game, bool liberal, bool by_chaos,
             struct events *events)
{
    if (liberal) {
        game->liberal++;
    } else {
        game->fascist++;
    }
    game->tracker = 0;

    struct event *event = events_add(events, EVENT_ENACTED);
    event->seat = by_chaos ? NO_SEAT : game->president;
    event->target = by_chaos ? NO_SEAT : game->chancellor;
    event->is_liberal = liberal;
    event->by_chaos = by_chaos;
    event->liberal = game->liberal;
    event->fascist = game->fascist;
    event->tracker = game->tracker;

    if (game->liberal == LIBERAL_WIN) {
        game_end(game, ENDING_FIVE_LIBERAL, events);
        return true;
    }
    if (game->fascist == FASCIST_WIN) {
        game_end(game, ENDING_SIX_FASCIST, events);
        return true;
    }
    return false;
}
