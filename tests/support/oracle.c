#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"

/* The engine's game, and those events of its last step that are still to be
 * told. */
struct moment {
    struct game game;
    struct events events;
    unsigned told;
    bool known; /* a rewound: the draw pile's reshuffle must follow at once */
    bool
        fell; /* in this round nobody but the former president could be named */
};

struct oracle {
    const struct record_game *game;
    struct moment now;
    struct moment *moments; /* after each line */
    bool *undone;
    size_t at;
    size_t first_round, last_change, last_seen;
    bool revealed;
    bool lots; /* the last line was one */
};

/* The line that is judged, and the one after it or NULL. */
static const struct record_line *
this_line(const struct oracle *oracle)
{
    return &oracle->game->lines[oracle->at];
}

static const struct record_line *
next_line(const struct oracle *oracle)
{
    size_t at = oracle->at + 1;
    return at < oracle->game->line_count ? &oracle->game->lines[at] : NULL;
}

/* ---- lines and events ---------------------------------------------------- */

static bool
same_cards(struct pile one, struct pile other)
{
    return one.count == other.count && one.liberal == other.liberal;
}

static bool
same_board(const struct event *line, const struct event *event)
{
    return line->is_liberal == event->is_liberal &&
           line->by_chaos == event->by_chaos &&
           line->liberal == event->liberal && line->fascist == event->fascist &&
           line->tracker == event->tracker;
}

static bool
same_ending(const struct event *line, const struct event *event)
{
    return line->reason == event->reason &&
           (line->reason == ENDING_ABANDONED || line->party == event->party);
}

/* Does the line tell this event, in all that it tells? */
static bool
tells(const struct record_line *told, const struct event *event)
{
    const struct event *line = &told->event;
    if (told->kind != event->kind) {
        return false;
    }
    switch ((enum event_kind)told->kind) {
    case EVENT_DEALT:
        return line->target == event->target && line->seats == event->seats &&
               same_cards(line->cards, event->cards);
    case EVENT_ROUND:
        return line->round == event->round && line->seat == event->seat &&
               line->yes == event->yes && line->seats == event->seats;
    case EVENT_ELECTION:
        return line->yes == event->yes && line->ja == event->ja &&
               line->nein == event->nein && line->reason == event->reason &&
               line->tracker == event->tracker;
    case EVENT_HAND:
    case EVENT_PEEKED:
        return line->seat == event->seat &&
               same_cards(line->cards, event->cards);
    case EVENT_PASSED:
        return line->seat == event->seat &&
               line->is_liberal == event->is_liberal &&
               same_cards(line->cards, event->cards);
    case EVENT_VOTED:
    case EVENT_VETO_ANSWERED:
        return line->seat == event->seat && line->yes == event->yes &&
               line->tracker == event->tracker;
    case EVENT_ENACTED:
        return same_board(line, event);
    case EVENT_RESHUFFLED:
        return same_cards(line->cards, event->cards);
    case EVENT_POWER:
    case EVENT_FORFEITED:
        return line->seat == event->seat && line->power == event->power;
    case EVENT_NOMINATED:
    case EVENT_SPECIAL_CALLED:
    case EVENT_EXECUTED:
        return line->seat == event->seat && line->target == event->target;
    case EVENT_INVESTIGATED:
        return line->seat == event->seat && line->target == event->target &&
               line->party == event->party;
    case EVENT_LOTS:
        return line->seat == event->seat && line->power == event->power &&
               line->discarding == event->discarding;
    case EVENT_CLEARED:
    case EVENT_VETO_ASKED:
    case EVENT_VACATED:
        return line->seat == event->seat;
    case EVENT_ENDED:
        return same_ending(line, event);
    case EVENT_FILLED:
    case EVENT_KINDS:
        break;
    }
    return false;
}

/* ---- commands ------------------------------------------------------------ */

/* Try a command: does its first event (its second, by lots) tell the line? */
static bool
try_command(struct oracle *oracle, struct command command)
{
    const struct record_line *line = this_line(oracle);
    const struct record_line *decided = next_line(oracle);
    struct moment next = {
        .game = oracle->now.game, .told = 1, .fell = oracle->now.fell};
    if (game_step(&next.game, &command, &next.events) != REFUSAL_NONE ||
        next.events.count == 0 || !tells(line, &next.events.list[0])) {
        return false;
    }
    if (command.lots && decided != NULL &&
        !tells(decided, &next.events.list[1])) {
        return false;
    }
    oracle->now = next;
    return true;
}

/* Any card that gives the line. */
static bool
try_cards(struct oracle *oracle, struct command command)
{
    for (unsigned card = 0; card < HAND_TILES; card++) {
        command.card = (uint8_t)card;
        if (try_command(oracle, command)) {
            return true;
        }
    }
    return false;
}

/* Lots decide what the next line tells. */
static bool
try_lots(struct oracle *oracle)
{
    const struct event *lots = &this_line(oracle)->event;
    const struct record_line *decided = next_line(oracle);
    struct command command = {.seat = lots->seat, .lots = true};
    if (lots->power == POWER_NONE) {
        command.kind = lots->discarding ? COMMAND_DISCARD : COMMAND_ENACT;
        return try_cards(oracle, command);
    }
    command.kind = COMMAND_TARGET;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        command.target = (uint8_t)seat;
        if ((decided == NULL || decided->event.target == seat) &&
            try_command(oracle, command)) {
            return true;
        }
    }
    return false;
}

/* The first candidate is the one of the next round that is told. */
static bool
try_deal(struct oracle *oracle)
{
    const struct event *dealt = &this_line(oracle)->event;
    struct command command = {.kind = COMMAND_DEAL,
                              .hitler = dealt->target,
                              .fascists = dealt->seats,
                              .tiles = dealt->cards};
    for (size_t i = oracle->at + 1; i < oracle->game->line_count; i++) {
        if (oracle->game->lines[i].kind == EVENT_ROUND) {
            command.first = oracle->game->lines[i].event.seat;
            break;
        }
    }
    return try_command(oracle, command);
}

/* What brings a kind of line about. */
static const struct {
    bool is_there;
    enum command_kind command;
} causes[EVENT_KINDS] = {
    [EVENT_DEALT] = {true, COMMAND_DEAL},
    [EVENT_RESHUFFLED] = {true, COMMAND_RESHUFFLE},
    [EVENT_NOMINATED] = {true, COMMAND_NOMINATE},
    [EVENT_VOTED] = {true, COMMAND_VOTE},
    [EVENT_ELECTION] = {true, COMMAND_CLOSE},
    [EVENT_PASSED] = {true, COMMAND_DISCARD},
    [EVENT_ENACTED] = {true, COMMAND_ENACT},
    [EVENT_VETO_ASKED] = {true, COMMAND_ASK_VETO},
    [EVENT_VETO_ANSWERED] = {true, COMMAND_ANSWER_VETO},
    [EVENT_INVESTIGATED] = {true, COMMAND_TARGET},
    [EVENT_SPECIAL_CALLED] = {true, COMMAND_TARGET},
    [EVENT_EXECUTED] = {true, COMMAND_TARGET},
    [EVENT_FORFEITED] = {true, COMMAND_FORFEIT},
    [EVENT_VACATED] = {true, COMMAND_VACATE},
    [EVENT_ENDED] = {true, COMMAND_ABANDON},
};

static bool
try_line(struct oracle *oracle)
{
    const struct record_line *line = this_line(oracle);
    const struct event *event = &line->event;
    if (line->kind == EVENT_DEALT) {
        return try_deal(oracle);
    }
    if (line->kind == EVENT_LOTS) {
        return try_lots(oracle);
    }
    if (!causes[line->kind].is_there) {
        return false;
    }
    struct command command = {.kind = (uint8_t)causes[line->kind].command,
                              .seat = event->seat,
                              .target = event->target,
                              .yes = event->yes,
                              .tiles = event->cards};
    if (line->kind == EVENT_PASSED) {
        return try_cards(oracle, command);
    }
    if (line->kind == EVENT_ENACTED) {
        command.seat = oracle->now.game.chancellor;
        return try_cards(oracle, command);
    }
    if (line->kind == EVENT_VACATED) {
        command.target = event->seat;
    }
    return try_command(oracle, command) ||
           (line->kind == EVENT_VETO_ANSWERED &&
            try_command(oracle, (struct command){.kind = COMMAND_CLOSE}));
}

/* ---- the host's lines ---------------------------------------------------- */

static bool
is_told(const struct moment *moment)
{
    return moment->told == moment->events.count;
}

static enum opinion
judge_filled(struct oracle *oracle)
{
    struct game *game = &oracle->now.game;
    unsigned seat = this_line(oracle)->event.seat;
    struct events events;
    struct command fill = {.kind = COMMAND_FILL, .target = (uint8_t)seat};
    if (!seat_in(seat, game->living)) {
        return OPINION_ILLEGAL;
    }
    (void)game_step(game, &fill, &events); /* of a vacant seat */
    return OPINION_LEGAL;
}

static enum opinion
judge_rewound(struct oracle *oracle)
{
    size_t to = this_line(oracle)->to;
    if (oracle->first_round == 0 || to >= oracle->at ||
        to < oracle->first_round || to < oracle->last_change ||
        oracle->undone[to]) {
        return OPINION_ILLEGAL;
    }
    const struct moment *moment = &oracle->moments[to];
    bool seen = oracle->last_seen > to;
    bool chance = moment->game.question == QUESTION_RESHUFFLE;
    if (!is_told(moment) || (seen && chance && !moment->known)) {
        return OPINION_NONE;
    }
    oracle->now = *moment;
    for (size_t i = to + 1; i < oracle->at; i++) {
        oracle->undone[i] = true;
    }
    if (seen && !moment->known && moment->game.draw.count > 0) {
        struct events events;
        struct command known = {.kind = COMMAND_KNOWN};
        oracle->now.known = true;
        (void)game_step(&oracle->now.game, &known, &events);
    }
    return OPINION_LEGAL;
}

static enum opinion
judge_revealed(struct oracle *oracle)
{
    const struct game *game = &oracle->now.game;
    const struct event *event = &this_line(oracle)->event;
    bool same = game->round == 0 ? event->target == NO_SEAT
                                 : event->target == game->hitler &&
                                       event->seats == game->fascists;
    if (!is_told(&oracle->now) || !game_is_over(game) || oracle->revealed ||
        !same) {
        return OPINION_ILLEGAL;
    }
    oracle->revealed = true;
    return OPINION_LEGAL;
}

/* ---- a line -------------------------------------------------------------- */

/* A limit that has fallen does so for the round; the engine has it back when a
 * seat is filled. */
static bool
names_fallen(const struct moment *moment, const struct event *event)
{
    const struct game *game = &moment->game;
    return moment->fell && game->question == QUESTION_NOMINATE &&
           event->seat == game->president &&
           seat_in(event->seat, game_present(game)) &&
           event->target == game->limited_president &&
           event->target != game->president &&
           event->target != game->limited_chancellor &&
           seat_in(event->target, game_present(game));
}

static enum opinion
judge_event(struct oracle *oracle)
{
    struct moment *now = &oracle->now;
    const struct record_line *line = this_line(oracle);
    const struct event *next = &now->events.list[now->told];
    if (is_told(now)) {
        bool dealt = now->game.question != QUESTION_DEAL;
        if (line->kind == EVENT_FILLED) {
            return dealt ? judge_filled(oracle) : OPINION_NONE;
        }
        if (line->kind == EVENT_VACATED && !dealt) {
            return OPINION_NONE;
        }
        if (try_line(oracle)) {
            return OPINION_LEGAL;
        }
        return line->kind == EVENT_NOMINATED && names_fallen(now, &line->event)
                   ? OPINION_NONE
                   : OPINION_ILLEGAL;
    }
    if (tells(line, next)) {
        now->told++;
        return OPINION_LEGAL;
    }
    bool won = next->kind == EVENT_ENDED;
    bool gives_up =
        line->kind == EVENT_ENDED && line->event.reason == ENDING_ABANDONED;
    return !won && (gives_up || line->kind == EVENT_VACATED ||
                    line->kind == EVENT_FILLED)
               ? OPINION_NONE
               : OPINION_ILLEGAL;
}

static enum opinion
judge_line(struct oracle *oracle)
{
    struct moment *now = &oracle->now;
    const struct record_line *line = this_line(oracle);
    bool over = is_told(now) && game_is_over(&now->game);
    if ((now->known && line->kind != EVENT_RESHUFFLED) ||
        (oracle->lots && line->kind > EVENT_KINDS)) {
        return OPINION_ILLEGAL;
    }
    if (over && line->kind != RECORD_REVEALED && line->kind != RECORD_CLAIMED &&
        line->kind != RECORD_NOTED) {
        return OPINION_ILLEGAL;
    }
    now->known = false;
    if (line->kind < EVENT_KINDS) {
        return judge_event(oracle);
    }
    if (line->kind == RECORD_REVEALED) {
        return judge_revealed(oracle);
    }
    if (line->kind == RECORD_REWOUND) {
        bool won =
            !is_told(now) && now->events.list[now->told].kind == EVENT_ENDED;
        return won ? OPINION_ILLEGAL : judge_rewound(oracle);
    }
    return OPINION_LEGAL;
}

static void
note_fallen(struct moment *moment)
{
    const struct game *game = &moment->game;
    seat_set others = game_present(game);
    if (game->question != QUESTION_NOMINATE) {
        moment->fell = false;
        return;
    }
    others &= (seat_set)~seat_bit(game->president);
    if (game->limited_president != NO_SEAT) {
        others &= (seat_set) ~(seat_bit(game->limited_president) |
                               seat_bit(game->limited_chancellor));
    }
    moment->fell = moment->fell || others == 0;
}

static void
note_line(struct oracle *oracle)
{
    int kind = oracle->game->lines[oracle->at].kind;
    note_fallen(&oracle->now);
    oracle->lots = kind == EVENT_LOTS;
    oracle->moments[oracle->at] = oracle->now;
    if (kind == EVENT_ROUND && oracle->first_round == 0) {
        oracle->first_round = oracle->at;
    }
    if (kind == EVENT_HAND || kind == EVENT_PEEKED) {
        oracle->last_seen = oracle->at;
    }
    if (kind == EVENT_VACATED || kind == EVENT_FILLED) {
        oracle->last_change = oracle->at;
    }
}

enum opinion
oracle_judge(const struct record_game *game, size_t *at)
{
    struct oracle oracle = {.game = game};
    enum opinion opinion = OPINION_LEGAL;
    oracle.moments = must_alloc(game->line_count * sizeof *oracle.moments);
    oracle.undone = must_alloc(game->line_count * sizeof *oracle.undone);
    game_init(&oracle.now.game, game->players, &game->rules);
    while (opinion == OPINION_LEGAL && oracle.at < game->line_count) {
        opinion = judge_line(&oracle);
        if (opinion == OPINION_LEGAL) {
            note_line(&oracle);
            oracle.at++;
        }
    }
    *at = oracle.at;
    free(oracle.moments);
    free(oracle.undone);
    return opinion;
}
