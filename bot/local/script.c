#include "bot/local/script.h"

#include <string.h>

bool
script_has(int kind)
{
    return kind < EVENT_KINDS || kind == RECORD_OPENED ||
           kind == RECORD_SEATED || kind == RECORD_EXTENDED ||
           kind == RECORD_REVEALED;
}

static const struct record_line *
line_at(const struct script *script, size_t at)
{
    return at < script->game->line_count ? &script->game->lines[at] : NULL;
}

/* The number of the nth (from 1) line of a kind; line_count: there is none. */
static size_t
find_line(const struct script *script, int kind, unsigned nth)
{
    size_t at = 0;
    for (; at < script->game->line_count; at++) {
        if (script->game->lines[at].kind == kind && --nth == 0) {
            break;
        }
    }
    return at;
}

/* ---- cues ---------------------------------------------------------------- */

static struct cue
cue_none(const char *why)
{
    return (struct cue){.kind = CUE_NONE, .why = why};
}

static struct cue
cue_act(enum command_kind kind, const struct event *event)
{
    return (struct cue){.kind = CUE_PLAYER,
                        .command = {.kind = (uint8_t)kind,
                                    .seat = event->seat,
                                    .target = event->target,
                                    .yes = event->yes}};
}

static struct cue
cue_clock(bool due, enum command_kind kind)
{
    if (!due) {
        return cue_none(NULL);
    }
    return (struct cue){.kind = CUE_CLOCK, .command = {.kind = (uint8_t)kind}};
}

/* The card whose discard leaves the two recorded cards in their order. */
static struct cue
cue_discard(const struct game *game, const struct event *event)
{
    if (game->question != QUESTION_DISCARD) {
        return cue_none(NULL);
    }
    for (unsigned card = 0; card < game->hand.count; card++) {
        struct pile rest = game->hand;
        if (pile_take(&rest, card) == event->is_liberal &&
            rest.liberal == event->cards.liberal) {
            struct cue cue = cue_act(COMMAND_DISCARD, event);
            cue.command.card = (uint8_t)card;
            return cue;
        }
    }
    return cue_none("these cards are not what the hand leaves");
}

static struct cue
cue_enact(const struct game *game, const struct event *event)
{
    if (event->by_chaos || game->question != QUESTION_ENACT) {
        return cue_none(NULL);
    }
    for (unsigned card = 0; card < game->hand.count; card++) {
        if (pile_is_liberal(game->hand, card) == event->is_liberal) {
            struct cue cue = cue_act(COMMAND_ENACT, event);
            cue.command.seat = game->chancellor;
            cue.command.card = (uint8_t)card;
            return cue;
        }
    }
    return cue_none("the chancellor has no such card");
}

/* The next line after `at` that records an event of the engine. */
static size_t
next_event(const struct record_game *game, size_t at)
{
    while (at < game->line_count && game->lines[at].kind >= EVENT_KINDS) {
        at++;
    }
    return at;
}

/* Did a seat's silence count as its answer?  The player lost the seat for
 * it. */
static bool
loses_seat_next(const struct script *script, size_t at, unsigned seat)
{
    const struct record_line *line =
        line_at(script, next_event(script->game, at + 1));
    return line != NULL && line->kind == EVENT_VACATED &&
           line->event.seat == seat;
}

/* A veto that nobody answers counts as declined. */
static struct cue
cue_veto_answer(const struct script *script, size_t at, const struct game *game)
{
    const struct event *event = &script->game->lines[at].event;
    bool silent = seat_in(event->seat, game->vacant) ||
                  loses_seat_next(script, at, event->seat);
    if (event->yes || !silent) {
        return cue_act(COMMAND_ANSWER_VETO, event);
    }
    return cue_clock(game->question == QUESTION_VETO, COMMAND_CLOSE);
}

static bool
awaits_power(const struct game *game)
{
    return game->question == QUESTION_INVESTIGATE ||
           game->question == QUESTION_SPECIAL_ELECTION ||
           game->question == QUESTION_EXECUTION;
}

/* Lots decide the line after them: a card, or the target of a power. */
static struct cue
cue_lots(const struct script *script, size_t at, const struct game *game)
{
    size_t next = at + 1;
    while (next < script->game->line_count &&
           !script_has(script->game->lines[next].kind)) {
        next++;
    }
    const struct record_line *line = line_at(script, next);
    struct cue cue = cue_none(NULL);
    if (line == NULL) {
        return cue_clock(game_awaits(game).cards > 0 || awaits_power(game),
                         COMMAND_FORFEIT);
    }
    if (line->kind == EVENT_PASSED) {
        cue = cue_discard(game, &line->event);
    } else if (line->kind == EVENT_ENACTED) {
        cue = cue_enact(game, &line->event);
    } else if (awaits_power(game) && (line->kind == EVENT_INVESTIGATED ||
                                      line->kind == EVENT_SPECIAL_CALLED ||
                                      line->kind == EVENT_EXECUTED)) {
        cue = cue_act(COMMAND_TARGET, &line->event);
    }
    if (cue.kind == CUE_PLAYER) {
        cue.kind = CUE_CLOCK;
        cue.command.seat = script->game->lines[at].event.seat;
        cue.command.lots = true;
    }
    return cue;
}

static struct cue
cue_nominate(const struct record_line *line)
{
    struct cue cue = cue_act(COMMAND_NOMINATE, &line->event);
    if (line->by == RECORD_BY_PLAN) {
        cue.kind = CUE_PLAN;
    }
    return cue;
}

static struct cue
cue_event(const struct script *script, size_t at, const struct game *game)
{
    const struct event *event = &script->game->lines[at].event;
    switch ((enum event_kind)event->kind) {
    case EVENT_NOMINATED:
        return cue_nominate(&script->game->lines[at]);
    case EVENT_VOTED:
        return cue_act(COMMAND_VOTE, event);
    case EVENT_ELECTION:
        return cue_clock(game->question == QUESTION_NOMINATE ||
                             game->question == QUESTION_VOTE,
                         COMMAND_CLOSE);
    case EVENT_PASSED:
        return cue_discard(game, event);
    case EVENT_ENACTED:
        return cue_enact(game, event);
    case EVENT_VETO_ASKED:
        return cue_act(COMMAND_ASK_VETO, event);
    case EVENT_VETO_ANSWERED:
        return cue_veto_answer(script, at, game);
    case EVENT_INVESTIGATED:
    case EVENT_SPECIAL_CALLED:
    case EVENT_EXECUTED:
        return cue_act(COMMAND_TARGET, event);
    case EVENT_FORFEITED:
        return cue_clock(awaits_power(game), COMMAND_FORFEIT);
    case EVENT_LOTS:
        return cue_lots(script, at, game);
    case EVENT_VACATED:
        /* For missed deadlines the host has done it by itself. */
        return (struct cue){
            .kind = CUE_VACATE,
            .command = {.kind = COMMAND_VACATE, .target = event->seat}};
    case EVENT_DEALT:
    case EVENT_ROUND:
    case EVENT_CLEARED:
    case EVENT_HAND:
    case EVENT_RESHUFFLED:
    case EVENT_POWER:
    case EVENT_PEEKED:
    case EVENT_FILLED:
    case EVENT_ENDED:
    case EVENT_KINDS:
        break;
    }
    return cue_none(NULL);
}

struct cue
script_cue(const struct script *script, size_t at, const struct game *game)
{
    const struct record_line *line = &script->game->lines[at];
    if (line->kind < EVENT_KINDS) {
        return cue_event(script, at, game);
    }
    if (line->kind == RECORD_OPENED) {
        return (struct cue){.kind = CUE_OPEN};
    }
    if (line->kind == RECORD_SEATED) {
        return (struct cue){.kind = CUE_JOIN};
    }
    /* A second deadline is set only after a power's first one has passed. */
    return cue_clock(line->kind == RECORD_EXTENDED && awaits_power(game),
                     COMMAND_FORFEIT);
}

/* ---- chance -------------------------------------------------------------- */

/* If the rules refuse it, something else is dealt, and the replay stops at that
 * line. */
static bool
chance_is_legal(struct script *script, const struct game *game,
                const struct command *command)
{
    struct game copy = *game;
    struct events events;
    enum refusal refusal = game_step(&copy, command, &events);
    if (refusal == REFUSAL_NONE) {
        return true;
    }
    script->fault = refusal == REFUSAL_WRONG_ROLES
                        ? "there are not as many fascists as are due"
                        : "the deck is not of the tiles that are due";
    return false;
}

static struct command
recorded_roles(const struct script *script)
{
    size_t at = find_line(script, EVENT_DEALT, 1);
    const struct event *dealt = &script->game->lines[at].event;
    const struct record_line *round =
        line_at(script, find_line(script, EVENT_ROUND, 1));
    return (struct command){.kind = COMMAND_DEAL,
                            .hitler = dealt->target,
                            .fascists = dealt->seats,
                            .tiles = dealt->cards,
                            .first = round == NULL ? 0 : round->event.seat};
}

static struct command
recorded_deal(void *context, const struct table *table)
{
    struct script *script = context;
    struct command command = recorded_roles(script);
    return chance_is_legal(script, &table->game, &command)
               ? command
               : deal_game(table->key, table->seated);
}

static struct command
recorded_reshuffle(void *context, const struct table *table)
{
    struct script *script = context;
    size_t at = find_line(script, EVENT_RESHUFFLED, table->reshuffles + 1);
    const struct record_line *line = line_at(script, at);
    if (line != NULL) {
        struct command command = {.kind = COMMAND_RESHUFFLE,
                                  .tiles = line->event.cards};
        if (chance_is_legal(script, &table->game, &command)) {
            return command;
        }
    }
    return dealer_fair.reshuffle(NULL, table);
}

static unsigned
recorded_lots(void *context, const struct table *table, unsigned choices)
{
    const struct script *script = context;
    size_t at = find_line(script, EVENT_LOTS, table->lots + 1);
    if (at == script->game->line_count) {
        return 0;
    }
    struct awaits awaits = game_awaits(&table->game);
    struct cue cue = script_cue(script, at, &table->game);
    unsigned place = cue.command.card;
    if (awaits.cards == 0 && cue.command.target < PLAYERS_MAX) {
        seat_set before = (seat_set)(seat_bit(cue.command.target) - 1U);
        place = seat_count(awaits.choices & before);
    }
    return place < choices ? place : 0;
}

/* A seat is vacated where the record says, whatever it had missed: not every
 * miss counts, and the record does not say which ones did. */
static bool
recorded_vacation(void *context, const struct table *table, unsigned seat)
{
    const struct script *script = context;
    for (unsigned i = 0; i < script->vacation_count; i++) {
        const struct vacation *vacation = &script->vacations[i];
        if (vacation->seat == seat &&
            memcmp(&vacation->game, &table->game, sizeof table->game) == 0) {
            return true;
        }
    }
    return false;
}

struct dealer
script_dealer(struct script *script)
{
    return (struct dealer){script,        NULL,
                           recorded_deal, recorded_reshuffle,
                           recorded_lots, recorded_vacation};
}

/* ---- who was absent ------------------------------------------------------ */

/* The game, played on the engine alone. */
struct rehearsal {
    struct script *script;
    struct game game;
    seat_set late; /* who missed the last deadline, or may have */
};

static void
note_vacated(struct rehearsal *rehearsal, unsigned seat)
{
    struct script *script = rehearsal->script;
    if (seat_in(seat, rehearsal->late) &&
        script->vacation_count < PLAYERS_MAX) {
        script->vacations[script->vacation_count++] =
            (struct vacation){seat, rehearsal->game};
    }
}

/* Before a step, note the seat that it vacates, or the seats whose players miss
 * a deadline. */
static void
note_step(struct rehearsal *rehearsal, const struct cue *cue)
{
    const struct command *command = &cue->command;
    const struct game *game = &rehearsal->game;
    if (command->kind == COMMAND_VACATE) {
        note_vacated(rehearsal, command->target);
    } else if (cue->kind == CUE_CLOCK) {
        rehearsal->late = game_awaits(game).seats & game_present(game);
    } else if (command->kind != COMMAND_RESHUFFLE) {
        rehearsal->late = 0;
    }
}

/* As script_cue, but chance and vacations count as cues too. */
static struct cue
rehearse_cue(const struct rehearsal *rehearsal, size_t at)
{
    const struct record_line *line = &rehearsal->script->game->lines[at];
    struct cue cue = {.kind = CUE_PLAYER};
    if (line->kind == EVENT_DEALT) {
        cue.command = recorded_roles(rehearsal->script);
    } else if (line->kind == EVENT_RESHUFFLED) {
        cue.command.kind = COMMAND_RESHUFFLE;
        cue.command.tiles = line->event.cards;
    } else if (line->kind == EVENT_VACATED) {
        cue.command.kind = COMMAND_VACATE;
        cue.command.target = line->event.seat;
    } else {
        cue = script_cue(rehearsal->script, at, &rehearsal->game);
    }
    return cue;
}

/* Play as far as record and rules agree. */
static void
rehearse(struct rehearsal *rehearsal)
{
    const struct record_game *game = rehearsal->script->game;
    size_t at = next_event(game, 0);
    while (at < game->line_count) {
        struct events events;
        struct cue cue = rehearse_cue(rehearsal, at);
        if (cue.kind == CUE_NONE) {
            return;
        }
        note_step(rehearsal, &cue);
        if (game_step(&rehearsal->game, &cue.command, &events) !=
            REFUSAL_NONE) {
            return;
        }
        for (unsigned i = 0; i < events.count && at < game->line_count; i++) {
            if (game->lines[at].kind != events.list[i].kind) {
                return;
            }
            at = next_event(game, at + 1);
        }
    }
}

static bool
has_power_lots(const struct record_game *game)
{
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == EVENT_LOTS &&
            game->lines[i].event.power != POWER_NONE) {
            return true;
        }
    }
    return false;
}

void
script_init(struct script *script, const struct record_game *game)
{
    struct rehearsal rehearsal = {.script = script};
    memset(script, 0, sizeof *script);
    script->game = game;
    script->power_lots = has_power_lots(game);
    game_init(&rehearsal.game, game->players, &game->rules);
    rehearse(&rehearsal);
}
