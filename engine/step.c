/*
 * One step of a game: is the command allowed, what does it do, and what
 * follows.
 */

#include "engine/game.h"
#include "engine/moves.h"

/* ---- chance -------------------------------------------------------------- */

static bool
tiles_are(struct pile tiles, unsigned liberal, unsigned fascist)
{
    unsigned count = liberal + fascist;
    return tiles.count == count && tiles.liberal >> count == 0 &&
           pile_liberals(tiles) == liberal;
}

static enum refusal
may_deal(const struct game *game, const struct command *command)
{
    if (game->question != QUESTION_DEAL) {
        return REFUSAL_NOT_NOW;
    }
    if (command->hitler >= game->players || command->first >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if ((command->fascists & (seat_set)~game->living) != 0 ||
        seat_in(command->hitler, command->fascists) ||
        seat_count(command->fascists) != game_fascist_count(game->players)) {
        return REFUSAL_WRONG_ROLES;
    }
    return tiles_are(command->tiles, LIBERAL_TILES, FASCIST_TILES)
               ? REFUSAL_NONE
               : REFUSAL_WRONG_TILES;
}

static void
deal(struct game *game, const struct command *command, struct events *events)
{
    game->hitler = command->hitler;
    game->fascists = command->fascists;
    game->draw = command->tiles;
    /* As if the seat before the first candidate had been the last one. */
    unsigned before = command->first + game->players - 1U;
    game->rotation = (uint8_t)(before % game->players);
    game->resume = RESUME_ROUND;

    struct event *event = events_add(events, EVENT_DEALT);
    event->target = game->hitler;
    event->seats = game->fascists;
    event->cards = game->draw;
}

static enum refusal
may_reshuffle(const struct game *game, const struct command *command)
{
    if (game->question != QUESTION_RESHUFFLE) {
        return REFUSAL_NOT_NOW;
    }
    return tiles_are(command->tiles, due_liberal(game), due_fascist(game))
               ? REFUSAL_NONE
               : REFUSAL_WRONG_TILES;
}

static void
reshuffle(struct game *game, struct pile tiles, struct events *events)
{
    game->draw = tiles;
    if (game->resume != RESUME_QUESTION) {
        game->discarded_liberal = 0;
        game->discarded_fascist = 0;
    }
    game->question = QUESTION_NONE;
    events_add(events, EVENT_RESHUFFLED)->cards = game->draw;
}

/* ---- what the host does -------------------------------------------------- */

/* Between the deal and the end: something of a seat or of chance is awaited. */
static bool
is_under_way(const struct game *game)
{
    return game->question != QUESTION_DEAL && game->question != QUESTION_NONE;
}

static enum refusal
may_close(const struct game *game)
{
    bool due = game->question == QUESTION_NOMINATE ||
               game->question == QUESTION_VOTE ||
               game->question == QUESTION_VETO;
    return due ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

/* Who names nobody in time, or has too few votes by then, has failed; who does
 * not answer the chancellor has not agreed to a veto. */
static void
close_question(struct game *game, struct events *events)
{
    if (game->question == QUESTION_VETO) {
        session_answer_veto(game, false, events);
    } else {
        election_close(game, events);
    }
}

static enum refusal
may_forfeit(const struct game *game)
{
    return power_is_awaited(game) ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

static enum refusal
may_vacate(const struct game *game, unsigned seat)
{
    if (!is_under_way(game)) {
        return REFUSAL_NOT_NOW;
    }
    if (seat >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if (!seat_in(seat, game->living)) {
        return REFUSAL_EXECUTED;
    }
    if (seat_in(seat, game->vacant)) {
        return REFUSAL_VACANT;
    }
    return game_present(game) == seat_bit(seat) ? REFUSAL_LAST_PRESENT
                                                : REFUSAL_NONE;
}

/* With one voter fewer all may have voted, or a majority be there already. */
static void
vacate(struct game *game, unsigned seat, struct events *events)
{
    game->vacant |= seat_bit(seat);
    events_add(events, EVENT_VACATED)->seat = (uint8_t)seat;
    if (game->question == QUESTION_VOTE && election_is_closed(game)) {
        election_close(game, events);
    }
}

static enum refusal
may_fill(const struct game *game, unsigned seat)
{
    if (!is_under_way(game)) {
        return REFUSAL_NOT_NOW;
    }
    if (seat >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if (!seat_in(seat, game->living)) {
        return REFUSAL_EXECUTED;
    }
    return seat_in(seat, game->vacant) ? REFUSAL_NONE : REFUSAL_NOT_VACANT;
}

static void
fill(struct game *game, unsigned seat, struct events *events)
{
    game->vacant &= (seat_set)~seat_bit(seat);
    events_add(events, EVENT_FILLED)->seat = (uint8_t)seat;
}

static enum refusal
may_make_known(const struct game *game)
{
    bool due = is_under_way(game) && game->question != QUESTION_RESHUFFLE &&
               game->draw.count > 0;
    return due ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

static void
make_known(struct game *game)
{
    game->resumed_question = game->question;
    game->resume = RESUME_QUESTION;
    game->question = QUESTION_RESHUFFLE;
}

/* ---- a step -------------------------------------------------------------- */

static enum refusal
may_obey(const struct game *game, const struct command *command)
{
    switch ((enum command_kind)command->kind) {
    case COMMAND_DEAL:
        return may_deal(game, command);
    case COMMAND_RESHUFFLE:
        return may_reshuffle(game, command);
    case COMMAND_NOMINATE:
        return election_may_nominate(game, command);
    case COMMAND_VOTE:
        return election_may_vote(game, command);
    case COMMAND_DISCARD:
        return session_may_discard(game, command);
    case COMMAND_ENACT:
        return session_may_enact(game, command);
    case COMMAND_ASK_VETO:
        return session_may_ask_veto(game, command);
    case COMMAND_ANSWER_VETO:
        return session_may_answer_veto(game, command);
    case COMMAND_TARGET:
        return power_may_target(game, command);
    case COMMAND_CLOSE:
        return may_close(game);
    case COMMAND_FORFEIT:
        return may_forfeit(game);
    case COMMAND_VACATE:
        return may_vacate(game, command->target);
    case COMMAND_FILL:
        return may_fill(game, command->target);
    case COMMAND_KNOWN:
        return may_make_known(game);
    case COMMAND_ABANDON:
        return REFUSAL_NONE;
    }
    return REFUSAL_MALFORMED;
}

/* What holds of every command, then what holds of its kind. */
static enum refusal
check(const struct game *game, const struct command *command)
{
    if (command->kind > COMMAND_ABANDON) {
        return REFUSAL_MALFORMED;
    }
    if (game_is_over(game)) {
        return REFUSAL_GAME_OVER;
    }
    /* Lots stand in for a card or a target only: nobody's vote, nominee or
     * consent to a veto is left to chance. */
    if (command->lots && command->kind != COMMAND_DISCARD &&
        command->kind != COMMAND_ENACT && command->kind != COMMAND_TARGET) {
        return REFUSAL_NO_LOTS;
    }
    return may_obey(game, command);
}

static void
tell_lots(const struct game *game, const struct command *command,
          struct events *events)
{
    struct event *event = events_add(events, EVENT_LOTS);
    event->seat = command->seat;
    event->power = game->due_power;
    event->discarding = command->kind == COMMAND_DISCARD;
}

static void
obey(struct game *game, const struct command *command, struct events *events)
{
    switch ((enum command_kind)command->kind) {
    case COMMAND_DEAL:
        deal(game, command, events);
        break;
    case COMMAND_RESHUFFLE:
        reshuffle(game, command->tiles, events);
        break;
    case COMMAND_NOMINATE:
        election_nominate(game, command->target, events);
        break;
    case COMMAND_VOTE:
        election_vote(game, command->seat, command->yes, events);
        break;
    case COMMAND_DISCARD:
        session_discard(game, command->card, events);
        break;
    case COMMAND_ENACT:
        session_enact(game, command->card, events);
        break;
    case COMMAND_ASK_VETO:
        session_ask_veto(game, events);
        break;
    case COMMAND_ANSWER_VETO:
        session_answer_veto(game, command->yes, events);
        break;
    case COMMAND_TARGET:
        power_target(game, command->target, events);
        break;
    case COMMAND_CLOSE:
        close_question(game, events);
        break;
    case COMMAND_FORFEIT:
        power_forfeit(game, events);
        break;
    case COMMAND_VACATE:
        vacate(game, command->target, events);
        break;
    case COMMAND_FILL:
        fill(game, command->target, events);
        break;
    case COMMAND_KNOWN:
        make_known(game);
        break;
    case COMMAND_ABANDON:
        game_end(game, ENDING_ABANDONED, events);
        break;
    }
}

/* Back to the question that COMMAND_KNOWN broke off.  Seats may have been
 * vacated meanwhile, so a vote may be over. */
static void
resume_question(struct game *game, struct events *events)
{
    game->question = game->resumed_question;
    game->resumed_question = 0;
    if (game->question == QUESTION_VOTE && election_is_closed(game)) {
        election_close(game, events);
    }
}

/* Go on until a seat or chance is awaited. */
static void
go_on(struct game *game, struct events *events)
{
    while (game->resume != RESUME_NONE &&
           game->question != QUESTION_RESHUFFLE) {
        enum resume resume = (enum resume)game->resume;
        /* A session or chaos that leaves fewer than three tiles in the deck
         * is followed by a reshuffle, before all that comes next. */
        if (resume != RESUME_QUESTION && game->draw.count < HAND_TILES) {
            game->question = QUESTION_RESHUFFLE;
            return;
        }
        game->resume = RESUME_NONE;
        switch (resume) {
        case RESUME_POWER:
            power_begin(game, events);
            break;
        case RESUME_CHAOS:
            chaos(game, events);
            break;
        case RESUME_ROUND:
            round_begin(game, events);
            break;
        case RESUME_QUESTION:
            resume_question(game, events);
            break;
        case RESUME_NONE:
            break;
        }
    }
}

enum refusal
game_step(struct game *game, const struct command *command,
          struct events *events)
{
    events->count = 0;
    enum refusal refusal = check(game, command);
    if (refusal != REFUSAL_NONE) {
        return refusal;
    }
    if (command->lots) {
        tell_lots(game, command, events);
    }
    obey(game, command, events);
    go_on(game, events);
    return REFUSAL_NONE;
}
