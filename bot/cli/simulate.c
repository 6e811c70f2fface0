/*
 * `simulate`: random legal games on the engine alone, to see how often each
 * side wins, and to make records for testing other programs.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/splitmix.h"
#include "bot/cli/command.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "engine/game.h"

enum {
    GAMES_DEFAULT = 1000,
    GAMES_MAX = 1000000000,
    PLAYERS_DEFAULT = 7,
    SETS_MAX = 16,
    LATE_BALLOT = 32,     /* one in this many is left to the deadline */
    LATE_NOMINATION = 16, /* the same */
    VETO = 3,             /* it is asked for one time in this many */
};

/* Every line's `at`: 2000-01-01T00:00:00Z. */
#define RECORDED_AT INT64_C(946684800000)

/* ---- chance -------------------------------------------------------------- */

/* SplitMix64: fast, and good enough for anything except secrets. */
struct chance {
    uint64_t state;
};

/* Each part of the seed is mixed with the parts before it. */
static void
chance_begin(struct chance *chance, const unsigned char seed[DEAL_SECRET])
{
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        chance->state ^= seed[i];
        chance->state = splitmix_next(&chance->state);
    }
}

static inline unsigned
chance_below(struct chance *chance, unsigned bound)
{
    return splitmix_below(&chance->state, bound);
}

static bool
chance_once_in(struct chance *chance, unsigned times)
{
    return chance_below(chance, times) == 0;
}

/* One of a set of seats (MUST NOT be empty).  The loop takes away the lowest
 * seat as often as chance says, and counts on to the end: where it ends can't
 * be foretold, and a processor that guesses it wrong waits longer. */
static inline uint8_t
chance_seat(struct chance *chance, seat_set seats)
{
    unsigned left = seats;
    unsigned skip = chance_below(chance, seat_count(seats));
    for (unsigned i = 0; i < PLAYERS_MAX - 1; i++) {
        left &= left - (i < skip);
    }
    return (uint8_t)__builtin_ctz(left);
}

/* Tiles in an order of chance: the liberal ones get their positions one by one,
 * each set of positions equally likely (Floyd; Bentley 1987). */
static struct pile
chance_tiles(struct chance *chance, unsigned liberal, unsigned fascist)
{
    struct pile pile = {0, liberal + fascist};
    for (unsigned last = fascist; last < pile.count; last++) {
        unsigned at = chance_below(chance, last + 1);
        at = pile_is_liberal(pile, at) ? last : at;
        pile.liberal |= 1U << at;
    }
    return pile;
}

/* ---- a game -------------------------------------------------------------- */

struct wishes {
    unsigned games, players;
    const char *preset;
    struct rules rules;
    unsigned char seed[DEAL_SECRET];
    const char *record; /* NULL: none */
    bool json;
};

struct simulation {
    const struct wishes *wishes;
    struct chance chance;
    struct game game;
    FILE *record; /* NULL: none is written */
    struct buf lines;
    unsigned seq;
    unsigned endings[ENDING_ABANDONED + 1];
    uint64_t rounds;
};

static const char *const names[PLAYERS_MAX] = {
    "Player 1", "Player 2", "Player 3", "Player 4", "Player 5",
    "Player 6", "Player 7", "Player 8", "Player 9", "Player 10"};

static struct record_head
next_head(struct simulation *simulation)
{
    return (struct record_head){simulation->seq++, RECORDED_AT};
}

static void
write_events(struct simulation *simulation, const struct events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        record_write_event(&simulation->lines, next_head(simulation),
                           &events->list[i], &simulation->game, names);
    }
}

static inline void
step(struct simulation *simulation, const struct command *command)
{
    struct events events;
    enum refusal refusal = game_step(&simulation->game, command, &events);
    if (refusal != REFUSAL_NONE) {
        die("a legal move was refused: %s", refusal_key(refusal));
    }
    if (simulation->record != NULL) {
        write_events(simulation, &events);
    }
}

static void
deal(struct simulation *simulation)
{
    struct chance *chance = &simulation->chance;
    unsigned players = simulation->game.players;
    seat_set left = (seat_set)((1U << players) - 1);
    struct command command = {.kind = COMMAND_DEAL};
    command.hitler = chance_seat(chance, left);
    left &= (seat_set)~seat_bit(command.hitler);
    for (unsigned i = game_fascist_count(players); i > 0; i--) {
        unsigned seat = chance_seat(chance, left);
        left &= (seat_set)~seat_bit(seat);
        command.fascists |= seat_bit(seat);
    }
    command.first = (uint8_t)chance_below(chance, players);
    command.tiles = chance_tiles(chance, LIBERAL_TILES, FASCIST_TILES);
    step(simulation, &command);
}

/* Ballots come in any order; missing ones are left to the deadline, unless the
 * vote closes without them. */
static void
vote(struct simulation *simulation, seat_set awaited)
{
    const struct game *game = &simulation->game;
    struct command command = {.kind = COMMAND_VOTE};
    uint8_t seats[PLAYERS_MAX];
    unsigned left = 0;
    for (unsigned set = awaited; set != 0; set &= set - 1) {
        seats[left++] = (uint8_t)__builtin_ctz(set);
    }
    while (left > 0 && game->question == QUESTION_VOTE) {
        unsigned at = chance_below(&simulation->chance, left);
        unsigned late = chance_below(&simulation->chance, 2 * LATE_BALLOT);
        command.seat = seats[at];
        command.yes = late & 1U;
        seats[at] = seats[--left];
        if (late >> 1 != 0) {
            step(simulation, &command);
        }
    }
    if (game->question == QUESTION_VOTE) {
        step(simulation, &(struct command){.kind = COMMAND_CLOSE});
    }
}

/* The answer of the seat whose turn it is, or of chance; votes are not asked
 * for here. */
static struct command
answer(struct chance *chance, const struct awaits *awaits)
{
    struct command command = {.kind = COMMAND_TARGET};
    if (awaits->seats != 0) {
        command.seat = (uint8_t)__builtin_ctz(awaits->seats);
    }
    if (awaits->choices != 0) {
        command.target = chance_seat(chance, awaits->choices);
    }
    if (awaits->cards != 0) {
        command.card = (uint8_t)chance_below(chance, awaits->cards);
    }
    switch (awaits->question) {
    case QUESTION_RESHUFFLE:
        command.kind = COMMAND_RESHUFFLE;
        command.tiles =
            chance_tiles(chance, awaits->due_liberal, awaits->due_fascist);
        break;
    case QUESTION_NOMINATE:
        command.kind = chance_once_in(chance, LATE_NOMINATION)
                           ? COMMAND_CLOSE
                           : COMMAND_NOMINATE;
        break;
    case QUESTION_DISCARD:
        command.kind = COMMAND_DISCARD;
        break;
    case QUESTION_ENACT:
        command.kind = awaits->may_veto && chance_once_in(chance, VETO)
                           ? COMMAND_ASK_VETO
                           : COMMAND_ENACT;
        break;
    case QUESTION_VETO:
        command.kind = COMMAND_ANSWER_VETO;
        command.yes = chance_once_in(chance, 2);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
    case QUESTION_DEAL:
    case QUESTION_VOTE:
    case QUESTION_NONE:
        break;
    }
    return command;
}

static void
play(struct simulation *simulation)
{
    const struct wishes *wishes = simulation->wishes;
    const struct game *game = &simulation->game;
    game_init(&simulation->game, wishes->players, &wishes->rules);
    deal(simulation);
    while (!game_is_over(game)) {
        struct awaits awaits = game_awaits(game);
        if (awaits.question == QUESTION_VOTE) {
            vote(simulation, awaits.seats);
        } else {
            struct command command = answer(&simulation->chance, &awaits);
            step(simulation, &command);
        }
    }
    simulation->endings[game->ending]++;
    simulation->rounds += game->round;
}

/* A game and its record. */
static enum err
play_recorded(struct simulation *simulation, unsigned number, struct buf *why)
{
    const struct wishes *wishes = simulation->wishes;
    struct buf *lines = &simulation->lines;
    char id[RECORD_GAME_MAX + 1];
    (void)snprintf(id, sizeof id, "sim-%u", number);
    simulation->seq = 0;
    buf_clear(lines);
    record_write_opened(lines, next_head(simulation), id, wishes->preset,
                        &wishes->rules, NULL);
    record_write_seated(lines, next_head(simulation), names, wishes->players,
                        NULL, NULL);
    play(simulation);
    record_write_revealed(lines, next_head(simulation), NULL, &simulation->game,
                          names);
    if (fwrite(buf_text(lines), 1, lines->len, simulation->record) !=
        lines->len) {
        return err_say(why, ERR_FULL, "%s: %s", wishes->record,
                       strerror(errno));
    }
    return ERR_NONE;
}

/* ---- what came of it ----------------------------------------------------- */

static void
print_progress(unsigned done, unsigned games, bool last)
{
    if (last) {
        (void)fprintf(stderr, "\r\033[K");
    } else {
        (void)fprintf(stderr, "\r%u of %u games", done, games);
    }
    (void)fflush(stderr);
}

static enum err
simulate(struct simulation *simulation, struct buf *why)
{
    unsigned games = simulation->wishes->games;
    unsigned part = games / 100 + 1;
    bool shows = games >= 100 && isatty(STDERR_FILENO) != 0;
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < games; i++) {
        if (shows && i % part == 0) {
            print_progress(i, games, false);
        }
        if (simulation->record != NULL) {
            err = play_recorded(simulation, i + 1, why);
        } else {
            play(simulation);
        }
    }
    if (shows) {
        print_progress(games, games, true);
    }
    return err;
}

/* The ways to win, by who wins. */
static const struct {
    enum party party;
    enum ending endings[2];
    const char *words[2];
} wins[] = {
    {PARTY_LIBERAL,
     {ENDING_FIVE_LIBERAL, ENDING_HITLER_EXECUTED},
     {"five liberal policies", "Hitler executed"}},
    {PARTY_FASCIST,
     {ENDING_SIX_FASCIST, ENDING_HITLER_CHANCELLOR},
     {"six fascist policies", "Hitler elected chancellor"}},
};
enum {
    WINS = sizeof wins / sizeof wins[0]
};

static void
add_share(struct buf *out, const char *words, unsigned count, unsigned games)
{
    buf_addf(out, "  %-26s %10u %6.2f %%\n", words, count,
             100.0 * count / games);
}

static void
add_table(struct buf *out, const struct simulation *simulation, int64_t speed)
{
    const struct wishes *wishes = simulation->wishes;
    unsigned games = wishes->games;
    buf_addf(out, "%u game%s of %u players\nrules: %s;", games,
             games == 1 ? "" : "s", wishes->players, wishes->preset);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        if (rules_is_named(&wishes->rules, &rules_options[i])) {
            buf_addf(out, " %s=%s", rules_options[i].name,
                     rules_get(&wishes->rules, &rules_options[i]));
        }
    }
    buf_add_text(out, "\nseed: ");
    buf_add_hex(out, wishes->seed, sizeof wishes->seed);
    buf_add_text(out, "\n\n");
    for (unsigned i = 0; i < WINS; i++) {
        const unsigned *endings = simulation->endings;
        unsigned first = endings[wins[i].endings[0]];
        unsigned second = endings[wins[i].endings[1]];
        add_share(out, wins[i].words[0], first, games);
        add_share(out, wins[i].words[1], second, games);
        add_share(out,
                  wins[i].party == PARTY_LIBERAL ? "liberals win"
                                                 : "fascists win",
                  first + second, games);
        buf_add_char(out, '\n');
    }
    buf_addf(out, "  %-26s %17.2f\n", "rounds a game",
             (double)simulation->rounds / games);
    buf_addf(out, "  %-26s %17lld\n", "games a second", (long long)speed);
}

static void
add_json(struct buf *out, const struct simulation *simulation, int64_t speed)
{
    const struct wishes *wishes = simulation->wishes;
    buf_add_char(out, '{');
    jtext_add_number(out, "games", wishes->games);
    jtext_add_number(out, "players", wishes->players);
    record_write_rules(out, wishes->preset, &wishes->rules);
    jtext_key(out, "seed");
    buf_add_char(out, '"');
    buf_add_hex(out, wishes->seed, sizeof wishes->seed);
    buf_add_char(out, '"');
    for (unsigned i = 0; i < WINS; i++) {
        jtext_begin_object(out, record_party_name(wins[i].party));
        for (unsigned j = 0; j < 2; j++) {
            enum ending ending = wins[i].endings[j];
            jtext_add_number(out, record_ending_name(ending),
                             simulation->endings[ending]);
        }
        buf_add_char(out, '}');
    }
    jtext_add_number(out, "rounds", (int64_t)simulation->rounds);
    jtext_add_number(out, "games_per_second", speed);
    buf_add_text(out, "}\n");
}

/* Print on standard output, unless the records go there. */
static enum err
print_outcome(const struct simulation *simulation, int64_t took,
              struct buf *why)
{
    struct buf text = BUF_INIT;
    FILE *out = simulation->record == stdout ? stderr : stdout;
    int64_t speed =
        simulation->wishes->games * SECOND_MS / (took > 0 ? took : 1);
    if (simulation->wishes->json) {
        add_json(&text, simulation, speed);
    } else {
        add_table(&text, simulation, speed);
    }
    bool done = fwrite(buf_text(&text), 1, text.len, out) == text.len &&
                fflush(out) == 0;
    buf_release(&text);
    return done ? ERR_NONE
                : err_say(why, ERR_FULL, "the outcome can't be written out");
}

static enum err
close_record(FILE *record, const char *path, struct buf *why)
{
    bool done = record == stdout ? fflush(record) == 0 : fclose(record) == 0;
    return done ? ERR_NONE
                : err_say(why, ERR_FULL, "%s: %s", path, strerror(errno));
}

static enum err
run(const struct wishes *wishes, struct buf *why)
{
    struct simulation simulation = {.wishes = wishes};
    chance_begin(&simulation.chance, wishes->seed);
    if (wishes->record != NULL) {
        bool out = strcmp(wishes->record, "-") == 0;
        simulation.record = out ? stdout : fopen(wishes->record, "w");
        if (simulation.record == NULL) {
            return err_say(why, ERR_DENIED, "%s: %s", wishes->record,
                           strerror(errno));
        }
    }
    int64_t begun = clock_now();
    enum err err = simulate(&simulation, why);
    int64_t took = clock_now() - begun;
    if (simulation.record != NULL) {
        struct buf closing = BUF_INIT;
        enum err closed =
            close_record(simulation.record, wishes->record, &closing);
        if (err == ERR_NONE && closed != ERR_NONE) {
            err = err_say(why, closed, "%s", buf_text(&closing));
        }
        buf_release(&closing);
    }
    ERR_THEN(err, print_outcome(&simulation, took, why));
    buf_release(&simulation.lines);
    return err;
}

/* ---- options ------------------------------------------------------------- */

/* Options as they were typed. */
struct words {
    const char *games, *players, *rules, *seed;
    const char *sets[SETS_MAX];
    unsigned set_count;
};

static void
take_set(void *context, const char *value)
{
    struct words *words = context;
    if (words->set_count < SETS_MAX) {
        words->sets[words->set_count] = value;
    }
    words->set_count++;
}

static bool
read_seed(const char *word, unsigned char seed[DEAL_SECRET])
{
    if (word == NULL) {
        deal_generate_secret(seed);
        return true;
    }
    return deal_read_secret(word, seed) ||
           options_refuse("simulate",
                          "--seed has 1 to 64 hex digits, which \"%s\" has not",
                          word);
}

static bool
read_preset(const char *word, struct wishes *wishes)
{
    wishes->preset = word == NULL ? rules_preset_name(0) : word;
    return rules_set_preset(&wishes->rules, wishes->preset) ||
           options_refuse("simulate",
                          "no rules are named \"%s\"; there are %s, %s and %s",
                          word, rules_preset_name(0), rules_preset_name(1),
                          rules_preset_name(2));
}

/* Name the values that an option can have, or all the options. */
static bool
refuse_set(const char *word, const char *option)
{
    struct buf list = BUF_INIT;
    struct buf known = BUF_INIT;
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *row = &rules_options[i];
        bool named = strcmp(row->name, option) == 0;
        buf_addf(&known, " %s", row->name);
        for (unsigned j = 0; named && row->values[j] != NULL; j++) {
            buf_addf(&list, " %s=%s", row->name, row->values[j]);
        }
    }
    (void)options_refuse("simulate", "--set %s is no rule; there %s:%s", word,
                         list.len > 0 ? "are" : "are rules of these names",
                         buf_text(list.len > 0 ? &list : &known));
    buf_release(&known);
    buf_release(&list);
    return false;
}

static bool
read_set(const char *word, struct rules *rules)
{
    char option[64] = "";
    const char *equals = strchr(word, '=');
    size_t len = equals == NULL ? 0 : (size_t)(equals - word);
    if (len < sizeof option) {
        memcpy(option, word, len);
    }
    return (equals != NULL && rules_set(rules, option, equals + 1)) ||
           refuse_set(word, option);
}

static bool
read_wishes(const struct words *words, struct wishes *wishes)
{
    wishes->games = GAMES_DEFAULT;
    wishes->players = PLAYERS_DEFAULT;
    if (!options_number("simulate", "--games", words->games, 1, GAMES_MAX,
                        &wishes->games) ||
        !options_number("simulate", "--players", words->players, PLAYERS_MIN,
                        PLAYERS_MAX, &wishes->players) ||
        !read_preset(words->rules, wishes) ||
        !read_seed(words->seed, wishes->seed)) {
        return false;
    }
    if (words->set_count > SETS_MAX) {
        return options_refuse("simulate", "--set may be given %d times at most",
                              SETS_MAX);
    }
    for (unsigned i = 0; i < words->set_count; i++) {
        if (!read_set(words->sets[i], &wishes->rules)) {
            return false;
        }
    }
    return true;
}

int
command_simulate(int argc, char **argv)
{
    struct wishes wishes = {.games = 0};
    struct words words = {.games = NULL};
    const struct option_row rows[] = {
        {.name = "--games", .value = &words.games},
        {.name = "--players", .value = &words.players},
        {.name = "--rules", .value = &words.rules},
        {.name = "--set", .each = take_set, .context = &words},
        {.name = "--seed", .value = &words.seed},
        {.name = "--record", .value = &wishes.record},
        {.name = "--json", .flag = &wishes.json},
        {.name = NULL},
    };
    if (!options_alone(rows, argc, argv) || !read_wishes(&words, &wishes)) {
        return EXIT_USAGE;
    }
    struct buf why = BUF_INIT;
    return command_end(run(&wishes, &why), &why);
}
