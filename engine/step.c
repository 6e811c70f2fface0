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
    unsigned first = game->rules.first == FIRST_SEAT_1 ? 0U : command->first;
    unsigned before = first + game->players - 1U;
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
reshuffle(struct game *game, const struct command *command,
          struct events *events)
{
    game->draw = command->tiles;
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
may_close(const struct game *game, const struct command *command)
{
    (void)command;
    bool due = game->question == QUESTION_NOMINATE ||
               game->question == QUESTION_VOTE ||
               game->question == QUESTION_VETO;
    return due ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

/* Who names nobody in time, or has too few votes by then, has failed; who does
 * not answer the chancellor has not agreed to a veto. */
static void
close_question(struct game *game, const struct command *command,
               struct events *events)
{
    (void)command;
    if (game->question == QUESTION_VETO) {
        session_decline_veto(game, events);
    } else {
        election_close(game, events);
    }
}

static enum refusal
may_vacate(const struct game *game, const struct command *command)
{
    unsigned seat = command->target;
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
vacate(struct game *game, const struct command *command, struct events *events)
{
    game->vacant |= seat_bit(command->target);
    events_add(events, EVENT_VACATED)->seat = command->target;
    if (game->question == QUESTION_VOTE && election_is_closed(game)) {
        election_close(game, events);
    }
}

static enum refusal
may_fill(const struct game *game, const struct command *command)
{
    unsigned seat = command->target;
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
fill(struct game *game, const struct command *command, struct events *events)
{
    game->vacant &= (seat_set)~seat_bit(command->target);
    events_add(events, EVENT_FILLED)->seat = command->target;
}

static enum refusal
may_make_known(const struct game *game, const struct command *command)
{
    (void)command;
    bool due = is_under_way(game) && game->question != QUESTION_RESHUFFLE &&
               game->draw.count > 0;
    return due ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

static void
make_known(struct game *game, const struct command *command,
           struct events *events)
{
    (void)command;
    (void)events;
    game->resumed_question = game->question;
    game->resume = RESUME_QUESTION;
    game->question = QUESTION_RESHUFFLE;
}

static enum refusal
may_abandon(const struct game *game, const struct command *command)
{
    (void)game;
    (void)command;
    return REFUSAL_NONE;
}

static void
abandon(struct game *game, const struct command *command, struct events *events)
{
    (void)command;
    game_end(game, ENDING_ABANDONED, events);
}

/* ---- a step -------------------------------------------------------------- */

/* What holds of every command. */
static enum refusal
check(const struct game *game, const struct command *command)
{
    if (command->kind > COMMAND_ABANDON) { /* the last kind */
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
    return REFUSAL_NONE;
}

static void
add_lots(const struct game *game, const struct command *command,
         struct events *events)
{
    struct event *event = events_add(events, EVENT_LOTS);
    event->seat = command->seat;
    event->power = game->due_power;
    event->discarding = command->kind == COMMAND_DISCARD;
}

/* Obey a command if `may` allows it. */
static inline enum refusal
obey(struct game *game, const struct command *command, struct events *events,
     enum refusal (*may)(const struct game *, const struct command *),
     void (*apply)(struct game *, const struct command *, struct events *))
{
    enum refusal refusal = may(game, command);
    if (refusal != REFUSAL_NONE) {
        return refusal;
    }
    if (command->lots) {
        add_lots(game, command, events);
    }
    apply(game, command, events);
    return REFUSAL_NONE;
}

/* For each kind of command: when the rules allow it, and what it does.  A table
 * of functions would be tidier, and a third slower: none could be inlined. */
static inline enum refusal
obey_kind(struct game *game, const struct command *command,
          struct events *events)
{
    switch ((enum command_kind)command->kind) {
    case COMMAND_DEAL:
        return obey(game, command, events, may_deal, deal);
    case COMMAND_RESHUFFLE:
        return obey(game, command, events, may_reshuffle, reshuffle);
    case COMMAND_NOMINATE:
        return obey(game, command, events, election_may_nominate,
                    election_nominate);
    case COMMAND_VOTE:
        return obey(game, command, events, election_may_vote, election_vote);
    case COMMAND_DISCARD:
        return obey(game, command, events, session_may_discard,
                    session_discard);
    case COMMAND_ENACT:
        return obey(game, command, events, session_may_enact, session_enact);
    case COMMAND_ASK_VETO:
        return obey(game, command, events, session_may_ask_veto,
                    session_ask_veto);
    case COMMAND_ANSWER_VETO:
        return obey(game, command, events, session_may_answer_veto,
                    session_answer_veto);
    case COMMAND_TARGET:
        return obey(game, command, events, power_may_target, power_target);
    case COMMAND_CLOSE:
        return obey(game, command, events, may_close, close_question);
    case COMMAND_FORFEIT:
        return obey(game, command, events, power_may_forfeit, power_forfeit);
    case COMMAND_VACATE:
        return obey(game, command, events, may_vacate, vacate);
    case COMMAND_FILL:
        return obey(game, command, events, may_fill, fill);
    case COMMAND_KNOWN:
        return obey(game, command, events, may_make_known, make_known);
    case COMMAND_ABANDON:
        return obey(game, command, events, may_abandon, abandon);
    }
    return REFUSAL_MALFORMED;
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

/* Is neither a seat nor chance awaited, but what game->resume says? */
static inline bool
is_to_go_on(const struct game *game)
{
    return game->resume != RESUME_NONE && game->question != QUESTION_RESHUFFLE;
}

static void
go_on(struct game *game, struct events *events)
{
    enum resume resume = (enum resume)game->resume;
    /* A session or chaos that leaves fewer than three tiles in the deck is
     * followed by a reshuffle, before all that comes next. */
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

enum refusal
game_step(struct game *game, const struct command *command,
          struct events *events)
{
    events->count = 0;
    enum refusal refusal = check(game, command);
    if (refusal == REFUSAL_NONE) {
        refusal = obey_kind(game, command, events);
    }
    if (refusal != REFUSAL_NONE) {
        return refusal;
    }
    while (is_to_go_on(game)) {
        go_on(game, events);
    }
    return REFUSAL_NONE;
}
