#include "bot/play/script.h"

#include <limits.h>
#include <string.h>

/* Above this no count of missed deadlines is looked for. */
enum {
    MISSES_MAX = 20
};

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

/* The card whose discard leaves the two recorded, in their order. */
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

/* How many vetoes a seat had declined before this line. */
static unsigned
declined_before(const struct script *script, size_t at, unsigned seat)
{
    unsigned count = 0;
    for (size_t i = 0; i < at; i++) {
        const struct record_line *line = &script->game->lines[i];
        count += line->kind == EVENT_VETO_ANSWERED && !line->event.yes &&
                 line->event.seat == seat;
    }
    return count;
}

/* A veto that nobody answers is declined too. */
static struct cue
cue_veto_answer(const struct script *script, size_t at, const struct game *game)
{
    const struct event *event = &script->game->lines[at].event;
    bool silent = seat_in(event->seat, game->vacant) ||
                  declined_before(script, at, event->seat) >=
                      script->declines[event->seat];
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

/* Lots decide what the line after them tells: a card, or whom a power hits. */
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
cue_event(const struct script *script, size_t at, const struct game *game)
{
    const struct event *event = &script->game->lines[at].event;
    switch ((enum event_kind)event->kind) {
    case EVENT_NOMINATED:
        return cue_act(COMMAND_NOMINATE, event);
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
        return cue_none("a seat is vacated for missed deadlines alone, and no "
                        "number of them gives what is recorded");
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
    /* A second deadline is put only where a power's first has passed. */
    return cue_clock(line->kind == RECORD_EXTENDED && awaits_power(game),
                     COMMAND_FORFEIT);
}

/* ---- chance -------------------------------------------------------------- */

/* The rules refuse it: then something else is dealt, and the replay stops at
 * that line. */
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

struct dealer
script_dealer(struct script *script)
{
    return (struct dealer){script, NULL, recorded_deal, recorded_reshuffle,
                           recorded_lots};
}

/* ---- who was absent ------------------------------------------------------ */

/* What is known of a seat's deadlines up to its vacation, or to the end. */
struct absence {
    unsigned missed;   /* surely */
    unsigned declined; /* vetoes: by an answer, or by silence */
    bool vacated;
    bool by_silence; /* the last of the vetoes is what it was vacated for */
};

/* The game, played on the engine alone. */
struct rehearsal {
    const struct script *script;
    struct game game;
    struct absence absences[PLAYERS_MAX];
    seat_set late; /* who missed the deadline just past, or may have */
    bool silence;  /* it was that of a veto's answer */
    bool foreign;  /* a seat was vacated for something else */
};

static void
note_vacated(struct rehearsal *rehearsal, unsigned seat)
{
    struct absence *absence = &rehearsal->absences[seat];
    absence->vacated = true;
    absence->by_silence = rehearsal->silence;
    if (!seat_in(seat, rehearsal->late)) {
        rehearsal->foreign = true;
    }
}

/* Count as a table does: those awaited who are present once time is up. */
static void
note_deadline(struct rehearsal *rehearsal, seat_set awaited)
{
    rehearsal->late = awaited & game_present(&rehearsal->game);
    rehearsal->silence = false;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        rehearsal->absences[seat].missed += seat_in(seat, rehearsal->late);
    }
}

static void
note_act(struct rehearsal *rehearsal, const struct command *command)
{
    rehearsal->late = 0;
    rehearsal->silence = command->kind == COMMAND_ANSWER_VETO && !command->yes;
    if (rehearsal->silence) {
        rehearsal->late = seat_bit(command->seat);
        rehearsal->absences[command->seat].declined++;
    }
}

static void
note_step(struct rehearsal *rehearsal, const struct cue *cue, seat_set awaited)
{
    if (cue->command.kind == COMMAND_VACATE) {
        note_vacated(rehearsal, cue->command.target);
    } else if (cue->kind == CUE_CLOCK) {
        note_deadline(rehearsal, awaited);
    } else if (cue->command.kind != COMMAND_RESHUFFLE) {
        note_act(rehearsal, &cue->command);
    }
}

/* As script_cue, but chance and vacations are cues too. */
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

/* The line after `at` that tells an event of the engine. */
static size_t
next_event(const struct record_game *game, size_t at)
{
    while (at < game->line_count && game->lines[at].kind >= EVENT_KINDS) {
        at++;
    }
    return at;
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
        seat_set awaited = game_awaits(&rehearsal->game).seats;
        if (cue.kind == CUE_NONE || game_step(&rehearsal->game, &cue.command,
                                              &events) != REFUSAL_NONE) {
            return;
        }
        note_step(rehearsal, &cue, awaited);
        for (unsigned i = 0; i < events.count && at < game->line_count; i++) {
            if (game->lines[at].kind != events.list[i].kind) {
                return;
            }
            at = next_event(game, at + 1);
        }
    }
}

/* Would a seat that may miss fewer deadlines than that be vacated when it was,
 * or never?  The last one present stays, and nobody is vacated when the game
 * is over, or after the record's last line. */
static bool
fits(const struct rehearsal *rehearsal, unsigned seat, unsigned misses)
{
    const struct absence *absence = &rehearsal->absences[seat];
    unsigned least = absence->missed + absence->by_silence;
    if (!absence->vacated) {
        return absence->missed < misses || seat_in(seat, rehearsal->late) ||
               game_present(&rehearsal->game) == seat_bit(seat);
    }
    return misses >= least && misses <= absence->missed + absence->declined;
}

static bool
all_fit(const struct rehearsal *rehearsal, unsigned misses)
{
    for (unsigned seat = 0; seat < rehearsal->game.players; seat++) {
        if (!fits(rehearsal, seat, misses)) {
            return false;
        }
    }
    return true;
}

/* The setting under which the seats are vacated as recorded: the usual one if
 * that will do, 0 (never) where none were, or where none fits. */
static unsigned
find_misses(const struct rehearsal *rehearsal)
{
    struct settings usual;
    settings_defaults(&usual);
    if (find_line(rehearsal->script, EVENT_VACATED, 1) ==
            rehearsal->script->game->line_count ||
        rehearsal->foreign) {
        return 0;
    }
    if (usual.misses > 0 && all_fit(rehearsal, (unsigned)usual.misses)) {
        return (unsigned)usual.misses;
    }
    for (unsigned misses = 1; misses <= MISSES_MAX; misses++) {
        if (all_fit(rehearsal, misses)) {
            return misses;
        }
    }
    return 0;
}

/* The last of a vacated seat's vetoes were declined by its silence, as many as
 * the deadlines it surely missed leave open. */
static void
find_declines(struct script *script, const struct rehearsal *rehearsal)
{
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        const struct absence *absence = &rehearsal->absences[seat];
        script->declines[seat] = UINT_MAX;
        if (absence->vacated && script->misses > 0) {
            script->declines[seat] =
                absence->declined -
                ((unsigned)script->misses - absence->missed);
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
    memset(script->declines, 0xFF, sizeof script->declines);
    game_init(&rehearsal.game, game->players, &game->rules);
    rehearse(&rehearsal);
    script->misses = find_misses(&rehearsal);
    find_declines(script, &rehearsal);
}
