#include "engine/game.h"

#include <assert.h>
#include <string.h>

#include "engine/moves.h"

/* So that games and piles can be compared by their bytes. */
static_assert(sizeof(struct pile) == 2 * sizeof(uint32_t), "padding");
static_assert(sizeof(struct game) ==
                  sizeof(struct rules) + 18 * sizeof(uint8_t) +
                      4 * sizeof(bool) + sizeof(uint32_t) +
                      6 * sizeof(seat_set) + 2 * sizeof(struct pile),
              "padding");

const struct event_fact event_facts[EVENT_KINDS] = {
#define EVENT(kind, name, line, secret, notice)                                \
    {name, AUDIENCE_##line, AUDIENCE_##secret, notice},
#include "engine/event_list.h"
#undef EVENT
};

const char *
refusal_key(enum refusal refusal)
{
    static const char *const keys[REFUSALS] = {
        "none",
#define REFUSAL(kind, key) key,
#include "engine/refusal_list.h"
#undef REFUSAL
    };
    assert(refusal < REFUSALS);
    return keys[refusal];
}

/* ---- set-up -------------------------------------------------------------- */

unsigned
game_fascist_count(unsigned players)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    return (players - 3) / 2;
}

void
game_init(struct game *game, unsigned players, const struct rules *rules)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    memset(game, 0, sizeof *game);
    game->rules = *rules;
    game->players = (uint8_t)players;
    game->question = QUESTION_DEAL;
    game->rotation = NO_SEAT;
    game->president = NO_SEAT;
    game->chancellor = NO_SEAT;
    game->limited_president = NO_SEAT;
    game->limited_chancellor = NO_SEAT;
    game->living = (seat_set)((1U << players) - 1);
}

bool
game_hitler_knows(const struct game *game)
{
    return game->rules.hitler_knows_fascists == HITLER_KNOWS_SMALL &&
           game->players <= 6;
}

enum role
game_role(const struct game *game, unsigned seat)
{
    assert(seat < game->players && game->round > 0);
    if (seat == game->hitler) {
        return ROLE_HITLER;
    }
    return seat_in(seat, game->fascists) ? ROLE_FASCIST : ROLE_LIBERAL;
}

enum party
game_party(const struct game *game, unsigned seat)
{
    return game_role(game, seat) == ROLE_LIBERAL ? PARTY_LIBERAL
                                                 : PARTY_FASCIST;
}

/* ---- what is awaited ----------------------------------------------------- */

/* The tiles due of a reshuffle: after an undone hand or peek those of the draw
 * pile alone, else all that are not on the board. */
static unsigned
due_liberal(const struct game *game)
{
    unsigned discarded =
        game->resume == RESUME_QUESTION ? 0 : game->discarded_liberal;
    return pile_liberals(game->draw) + discarded;
}

static unsigned
due_fascist(const struct game *game)
{
    unsigned discarded =
        game->resume == RESUME_QUESTION ? 0 : game->discarded_fascist;
    return game->draw.count - pile_liberals(game->draw) + discarded;
}

struct awaits
game_awaits(const struct game *game)
{
    struct awaits awaits = {.question = (enum question)game->question};
    switch (awaits.question) {
    case QUESTION_DEAL:
        awaits.due_liberal = LIBERAL_TILES;
        awaits.due_fascist = FASCIST_TILES;
        break;
    case QUESTION_RESHUFFLE:
        awaits.due_liberal = due_liberal(game);
        awaits.due_fascist = due_fascist(game);
        break;
    case QUESTION_NOMINATE:
        awaits.seats = seat_bit(game->president);
        awaits.choices = game_eligible(game);
        break;
    case QUESTION_VOTE:
        awaits.seats = game_present(game) & (seat_set)~game->voted;
        break;
    case QUESTION_DISCARD:
        awaits.seats = seat_bit(game->president);
        awaits.cards = game->hand.count;
        break;
    case QUESTION_ENACT:
        awaits.seats = seat_bit(game->chancellor);
        awaits.cards = game->hand.count;
        awaits.may_veto = game->veto_power && !game->veto_declined;
        break;
    case QUESTION_VETO:
        awaits.seats = seat_bit(game->president);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        awaits.seats = seat_bit(game->president);
        awaits.choices = power_choices(game);
        break;
    case QUESTION_NONE:
        break;
    }
    return awaits;
}

/* ---- what the moves share ------------------------------------------------ */

enum refusal
seat_may_be_named(const struct game *game, unsigned seat, unsigned target,
                  bool vacant_too)
{
    if (target >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if (target == seat) {
        return REFUSAL_SELF;
    }
    if (!seat_in(target, game->living)) {
        return REFUSAL_EXECUTED;
    }
    if (seat_in(target, game->vacant) && !vacant_too) {
        return REFUSAL_VACANT;
    }
    return REFUSAL_NONE;
}

void
game_end(struct game *game, enum ending ending, struct events *events)
{
    game->question = QUESTION_NONE;
    game->resume = RESUME_NONE;
    game->resumed_question = 0;
    game->ending = (uint8_t)ending;
    game->winner =
        ending == ENDING_SIX_FASCIST || ending == ENDING_HITLER_CHANCELLOR
            ? PARTY_FASCIST
            : PARTY_LIBERAL;

    struct event *event = events_add(events, EVENT_ENDED);
    event->reason = game->ending;
    event->party = game->winner;
}

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
