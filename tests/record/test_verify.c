/*
 * The verifier: legal records are legal, whatever happened in them, and records
 * of which one thing was changed are what the engine says that they are.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/effort.h"
#include "tests/support/oracle.h"
#include "tests/support/random_record.h"
#include "tests/support/runner.h"
#include "tests/support/verdicts.h"

/* As ck_assert, but Check writes down each of those that is passed, and these
 * are passed millions of times. */
#define ENSURE(condition)                                                      \
    ((condition) ? (void)0 : ck_abort_msg("not so: %s", #condition))

enum {
    LINES_MAX = 8000,
    WAYS = 96, /* more than a line can be altered */
};

static enum legality
judge(const struct record_game *game, size_t *at)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    enum legality legality = verdict.legality;
    *at = verdict.seq;
    if (legality == LEGALITY_BROKEN) {
        ENSURE(verdict.rule != NULL && verdict.why.len > 0);
        ENSURE(verdict.number == verdict.seq + 1);
        ENSURE(strcmp(verdict.kind, record_kind_name(game->lines[*at].kind)) ==
               0);
    }
    verdict_release(&verdict);
    return legality;
}

/* ---- altering a line ----------------------------------------------------- */

static const uint8_t small[] = {0, 1, 2, 3, 5, 6, 7};

/* Change a seat into another one; 0 … 8. */
static bool
other_seat(uint8_t *seat, unsigned players, unsigned way)
{
    if (way + 1 >= players) {
        return false;
    }
    *seat = (uint8_t)((*seat + 1 + way) % players);
    return true;
}

/* 0 … 8: other numbers. */
static bool
other_number(uint8_t *number, unsigned way)
{
    uint8_t value = 0;
    if (way < sizeof small) {
        value = small[way];
    } else if (way == sizeof small) {
        value = (uint8_t)(*number + 1);
    } else if (way == sizeof small + 1) {
        value = (uint8_t)(*number - 1);
    }
    bool differs = way < sizeof small + 2 && value != *number;
    *number = differs ? value : *number;
    return differs;
}

/* Turn one tile, or swap two neighbours, or take the last away, or lay one
 * more: 0 … 35. */
static bool
other_cards(struct pile *pile, unsigned way)
{
    if (way < pile->count) {
        pile->liberal ^= 1U << way;
        return true;
    }
    way -= pile->count;
    if (way + 1 < pile->count) {
        bool differs =
            pile_is_liberal(*pile, way) != pile_is_liberal(*pile, way + 1);
        pile->liberal ^= differs ? 3U << way : 0;
        return differs;
    }
    return false;
}

static bool
other_deck(struct pile *pile, unsigned way)
{
    if (way == 0 && pile->count > 1) {
        (void)pile_take(pile, pile->count - 1);
        return true;
    }
    if (way <= 2 && way > 0 && pile->count < TILES) {
        pile_add(pile, way == 1);
        return true;
    }
    return way > 2 && other_cards(pile, way - 3);
}

/* Another Hitler, or a fascist more or less, or somebody else one. */
static bool
other_roles(struct event *event, unsigned players, unsigned way)
{
    if (way < players) {
        event->seats ^= seat_bit(way);
        return !seat_in(event->target, event->seats);
    }
    way -= players;
    if (way + 1 < players) {
        unsigned after = way + 1;
        bool first = seat_in(way, event->seats);
        bool second = seat_in(after, event->seats);
        if (way == event->target || after == event->target) {
            event->target = (uint8_t)(way == event->target ? after : way);
        }
        event->seats &= (seat_set) ~(seat_bit(way) | seat_bit(after));
        event->seats |= (seat_set)((first ? seat_bit(after) : 0) |
                                   (second ? seat_bit(way) : 0));
        return true;
    }
    return false;
}

/* Ways of altering one member each, tried one after the other. */
struct ways {
    unsigned way;
    bool altered;
};

#define TRY(ways, count, alteration)                                           \
    do {                                                                       \
        if ((ways)->way < (count)) {                                           \
            (ways)->altered = (alteration);                                    \
            return;                                                            \
        }                                                                      \
        (ways)->way -= (count);                                                \
    } while (0)

static bool
flip(bool *flag)
{
    *flag = !*flag;
    return true;
}

static bool
other_word(uint8_t *word, unsigned words, unsigned first, unsigned way)
{
    bool differs = first + way < words && first + way != *word;
    *word = differs ? (uint8_t)(first + way) : *word;
    return differs;
}

static void
alter_election(struct event *event, struct ways *ways)
{
    TRY(ways, 1, flip(&event->yes));
    TRY(ways, 9, other_number(&event->ja, ways->way));
    TRY(ways, 9, other_number(&event->nein, ways->way));
    TRY(ways, 9, other_number(&event->tracker, ways->way));
    TRY(ways, 3, other_word(&event->reason, 3, 0, ways->way));
}

static void
alter_enacted(struct event *event, struct ways *ways)
{
    TRY(ways, 1, flip(&event->is_liberal));
    TRY(ways, 1, flip(&event->by_chaos));
    TRY(ways, 9, other_number(&event->liberal, ways->way));
    TRY(ways, 9, other_number(&event->fascist, ways->way));
    TRY(ways, 9, other_number(&event->tracker, ways->way));
}

/* The five words of `for`. */
static bool
other_lots(struct event *event, unsigned way)
{
    static const uint8_t powers[] = {POWER_NONE, POWER_NONE, POWER_INVESTIGATE,
                                     POWER_SPECIAL_ELECTION, POWER_EXECUTION};
    bool differs =
        event->power != powers[way] || event->discarding != (way == 0);
    event->power = powers[way];
    event->discarding = way == 0;
    return differs;
}

static void
alter_lots(struct event *event, unsigned players, struct ways *ways)
{
    TRY(ways, 10, other_seat(&event->seat, players, ways->way));
    TRY(ways, 5, other_lots(event, ways->way));
}

static void
alter_round(struct event *event, unsigned players, struct ways *ways)
{
    TRY(ways, 2, (event->round += ways->way == 0 ? 1U : ~0U, true));
    TRY(ways, 10, other_seat(&event->seat, players, ways->way));
    TRY(ways, 1, flip(&event->yes));
    TRY(ways, players,
        (event->seats ^= seat_bit(ways->way), ways->way < players));
}

/* Seats and cards, and what stands beside them. */
static void
alter_rest(struct record_line *line, unsigned players, struct ways *ways)
{
    struct event *event = &line->event;
    TRY(ways, 10, other_seat(&event->seat, players, ways->way));
    if (line->kind == EVENT_NOMINATED || line->kind == EVENT_INVESTIGATED ||
        line->kind == EVENT_SPECIAL_CALLED || line->kind == EVENT_EXECUTED) {
        TRY(ways, 10, other_seat(&event->target, players, ways->way));
    }
    if (line->kind == EVENT_VOTED || line->kind == EVENT_VETO_ANSWERED) {
        TRY(ways, 1, flip(&event->yes));
    }
    if (line->kind == EVENT_VETO_ANSWERED) {
        TRY(ways, 9, other_number(&event->tracker, ways->way));
    }
    if (line->kind == EVENT_PASSED) {
        TRY(ways, 1, flip(&event->is_liberal));
    }
    if (event->cards.count > 0) {
        TRY(ways, 6, other_cards(&event->cards, ways->way));
    }
    if (line->kind == EVENT_POWER || line->kind == EVENT_FORFEITED) {
        TRY(ways, 4, other_word(&event->power, 5, 1, ways->way));
    }
    if (line->kind == EVENT_INVESTIGATED) {
        TRY(ways, 2, other_word(&event->party, 2, 0, ways->way));
    }
}

static void
alter_ended(struct event *event, struct ways *ways)
{
    TRY(ways, 2, other_word(&event->party, 2, 0, ways->way));
    TRY(ways, 5, other_word(&event->reason, 6, 1, ways->way));
}

/* Alter one value of the line in the way of that number. */
static void
alter(struct record_line *line, unsigned players, struct ways *ways)
{
    struct event *event = &line->event;
    switch (line->kind) {
    case EVENT_DEALT:
        TRY(ways, 33, other_cards(&event->cards, ways->way));
        TRY(ways, 20, other_roles(event, players, ways->way));
        break;
    case RECORD_REVEALED:
        TRY(ways, 1, (event->target = NO_SEAT, true));
        if (event->target != NO_SEAT) {
            TRY(ways, 20, other_roles(event, players, ways->way));
        }
        break;
    case EVENT_ROUND:
        alter_round(event, players, ways);
        break;
    case EVENT_ELECTION:
        alter_election(event, ways);
        break;
    case EVENT_ENACTED:
        alter_enacted(event, ways);
        break;
    case EVENT_RESHUFFLED:
        TRY(ways, 36, other_deck(&event->cards, ways->way));
        break;
    case EVENT_LOTS:
        alter_lots(event, players, ways);
        break;
    case EVENT_ENDED:
        alter_ended(event, ways);
        break;
    case RECORD_REWOUND:
        TRY(ways, 24, (line->to += ways->way - 12U, ways->way != 12));
        break;
    default:
        if (line->kind < EVENT_KINDS) {
            alter_rest(line, players, ways);
        }
    }
}

/* ---- the engine's opinion ------------------------------------------------ */

struct tally {
    unsigned legal, illegal, unsure;
};

static void
say_line(const struct record_game *game, size_t at, struct buf *out)
{
    const char *names[PLAYERS_MAX] = {"0", "1", "2", "3", "4",
                                      "5", "6", "7", "8", "9"};
    const struct record_line *line = &game->lines[at];
    bool plain_line = line->kind != RECORD_OPENED &&
                      line->kind != RECORD_SEATED &&
                      line->kind != RECORD_REVEALED;
    if (plain_line) {
        record_write_line(out, line, names, game->players);
    }
}

static void
abort_differing(const struct record_game *game, enum opinion opinion,
                size_t engine_at)
{
    struct verdict verdict;
    struct buf lines = BUF_INIT;
    verify_game(game, &verdict);
    for (size_t i = engine_at > 6 ? engine_at - 6 : 1;
         i < engine_at + 2 && i < game->line_count; i++) {
        say_line(game, i, &lines);
    }
    ck_abort_msg("%u players: verify says %d (seq %u, %s: %s), the engine %d "
                 "(at %zu)\n%s",
                 game->players, verdict.legality, verdict.seq,
                 verdict.rule == NULL ? "-" : verdict.rule,
                 buf_text(&verdict.why), opinion, engine_at, buf_text(&lines));
}

/* Engine and verifier must agree, and on the line too, but where lots and what
 * they decide are taken for one by the engine. */
static void
compare(const struct record_game *game, struct tally *tally)
{
    size_t at = 0;
    size_t engine_at = 0;
    enum legality legality = judge(game, &at);
    enum opinion opinion = oracle_judge(game, &engine_at);
    if (opinion == OPINION_NONE) {
        tally->unsure++;
        return;
    }
    bool broken = legality == LEGALITY_BROKEN;
    bool lots = engine_at < game->line_count &&
                game->lines[engine_at].kind == EVENT_LOTS;
    if (broken != (opinion == OPINION_ILLEGAL) ||
        (broken && at != engine_at && !(lots && at == engine_at + 1))) {
        abort_differing(game, opinion, engine_at);
    }
    tally->illegal += broken;
    tally->legal += !broken;
}

/* ---- mutations ----------------------------------------------------------- */

/* A game with a copy of its lines, for altering. */
struct altered {
    struct record_game game;
    struct record_line lines[LINES_MAX];
};

static void
altered_reset(struct altered *altered, const struct record_game *game)
{
    ENSURE(game->line_count + 2 < LINES_MAX);
    altered->game = *game;
    altered->game.lines = altered->lines;
    memcpy(altered->lines, game->lines,
           game->line_count * sizeof game->lines[0]);
}

static void
compare_altered(struct altered *altered, struct tally *tally)
{
    renumber(&altered->game);
    compare(&altered->game, tally);
}

/* Each value of the line, changed in each way. */
static void
try_values(struct altered *altered, const struct record_game *game, size_t at,
           struct tally *tally)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct ways ways = {.way = way};
        altered->lines[at] = game->lines[at];
        alter(&altered->lines[at], game->players, &ways);
        if (ways.altered) {
            compare_altered(altered, tally);
        }
    }
    altered->lines[at] = game->lines[at];
}

/* The lines up to `seated` are the reader's to judge. */
static bool
may_move(const struct record_game *game, size_t at)
{
    size_t seated = 0;
    while (game->lines[seated].kind != RECORD_SEATED) {
        seated++;
    }
    return at < game->line_count && at > seated;
}

static void
try_dropped(struct altered *altered, const struct record_game *game, size_t at,
            struct tally *tally)
{
    altered_reset(altered, game);
    altered->game.line_count--;
    memmove(&altered->lines[at], &altered->lines[at + 1],
            (game->line_count - at - 1) * sizeof altered->lines[0]);
    compare_altered(altered, tally);
}

/* Line `from` once more, at `to`. */
static void
try_inserted(struct altered *altered, const struct record_game *game,
             size_t from, size_t to, struct tally *tally)
{
    altered_reset(altered, game);
    altered->game.line_count++;
    memmove(&altered->lines[to + 1], &altered->lines[to],
            (game->line_count - to) * sizeof altered->lines[0]);
    altered->lines[to] = game->lines[from];
    compare_altered(altered, tally);
}

static void
try_swapped(struct altered *altered, const struct record_game *game, size_t at,
            size_t other, struct tally *tally)
{
    altered_reset(altered, game);
    altered->lines[at] = game->lines[other];
    altered->lines[other] = game->lines[at];
    compare_altered(altered, tally);
}

static void
try_rules(struct altered *altered, const struct record_game *game,
          struct tally *tally)
{
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        for (unsigned j = 0; rules_options[i].values[j] != NULL; j++) {
            altered_reset(altered, game);
            ENSURE(rules_set(&altered->game.rules, rules_options[i].name,
                             rules_options[i].values[j]));
            compare_altered(altered, tally);
        }
    }
}

/* Everything that may be wrong with one record, one thing at a time. */
static void
try_game(const struct record_game *game, unsigned seed, struct tally *tally)
{
    struct altered *altered = must_alloc(sizeof *altered);
    altered_reset(altered, game);
    compare_altered(altered, tally);
    try_rules(altered, game, tally);
    for (size_t at = 0; at < game->line_count; at++) {
        size_t other = (at * 31 + seed) % game->line_count;
        altered_reset(altered, game);
        try_values(altered, game, at, tally);
        altered->game.line_count = at;
        compare_altered(altered, tally);
        if (!may_move(game, at)) {
            continue;
        }
        try_dropped(altered, game, at, tally);
        try_inserted(altered, game, at, at, tally);
        if (may_move(game, at + 1)) {
            try_swapped(altered, game, at, at + 1, tally);
        }
        if (may_move(game, other)) {
            try_swapped(altered, game, at, other, tally);
            try_inserted(altered, game, other, at, tally);
        }
    }
    free(altered);
}

/* ---- random games -------------------------------------------------------- */

static struct rules
any_rules(unsigned number, const char **preset)
{
    struct rules rules;
    *preset = rules_preset_name(number % RULES_PRESETS);
    ENSURE(rules_set_preset(&rules, *preset));
    number /= RULES_PRESETS;
    if (number % 2 == 1) {
        for (unsigned i = 0; i < RULES_OPTIONS; i++) {
            unsigned count = rules_options[i].values[2] == NULL ? 2 : 3;
            number = number * 1103515245U + 12345U;
            ENSURE(rules_set(&rules, rules_options[i].name,
                             rules_options[i].values[(number >> 16) % count]));
        }
    }
    return rules;
}

static void
make_random_record(unsigned number, struct record *record)
{
    struct buf text = BUF_INIT;
    const char *preset = NULL;
    unsigned players = PLAYERS_MIN + number % (PLAYERS_MAX - PLAYERS_MIN + 1);
    struct rules rules = any_rules(number / 6, &preset);
    random_record_write(&text, players, preset, &rules, number);
    read_text(&text, record);
    buf_release(&text);
}

enum {
    LEGAL_GAMES = 6000,
    ALTERED_GAMES = 24, /* a test, of several */
    ALTERED_LEAST = 6,  /* for what is counted over all of them */
};

START_TEST(whatever_happened_in_a_legal_record_it_is_legal)
{
    unsigned finished = 0;
    unsigned games = effort_of(LEGAL_GAMES);
    unsigned kinds[RECORD_KINDS] = {0};
    for (unsigned i = 0; i < games; i++) {
        struct record record;
        size_t at = 0;
        make_random_record(i, &record);
        struct record_game *game = &record.games[0];
        enum legality legality = judge(game, &at);
        if (legality == LEGALITY_BROKEN) {
            assert_legal(game);
        }
        finished += legality == LEGALITY_FINISHED;
        for (size_t j = 0; j < game->line_count; j++) {
            kinds[game->lines[j].kind]++;
        }
        record_release(&record);
    }
    ck_assert_uint_gt(finished, games / 2);
    ck_assert_uint_lt(finished, games);
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        ck_assert_msg(kinds[kind] > 0, "no line %s", record_kind_name(kind));
    }
}
END_TEST

START_TEST(an_altered_record_is_what_the_engine_says_it_is)
{
    struct tally tally = {0, 0, 0};
    unsigned games = effort_of(ALTERED_GAMES);
    games = games < ALTERED_LEAST ? ALTERED_LEAST : games;
    for (unsigned i = 0; i < games; i++) {
        struct record record;
        unsigned number = (unsigned)_i * games + i;
        make_random_record(number, &record);
        try_game(&record.games[0], number, &tally);
        record_release(&record);
    }
    ck_assert_uint_gt(tally.illegal / 4, tally.legal);
    ck_assert_uint_gt(tally.legal / 20, tally.unsure);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("random games");
    tcase_add_test(tcase, whatever_happened_in_a_legal_record_it_is_legal);
    tcase_add_loop_test(tcase, an_altered_record_is_what_the_engine_says_it_is,
                        0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
