/*
 * Recorded games, hosted again: random ones, made here with the engine and the
 * record's writers, give the same events; altered ones are refused at the line
 * that was altered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/record/record.h"
#include "tests/cli/command_line.h"
#include "tests/support/effort.h"
#include "tests/support/rewrite.h"
#include "tests/support/runner.h"

/* ---- making a game ------------------------------------------------------- */

/* How the players of a made game behave: of so many, one (0: never). */
struct habits {
    unsigned late;   /* lets a question's deadline pass */
    unsigned silent; /* lets a veto be declined by it */
    unsigned misses; /* the setting under which seats are vacated */
    bool power_lots; /* lots decide a power that is not used */
    bool no_second;  /* nobody recorded a power's second deadline */
};

struct maker {
    struct game game;
    struct habits habits;
    const char *names[PLAYERS_MAX];
    const char *vote_closes; /* NULL: as the preset has it */
    unsigned missed[PLAYERS_MAX];
    unsigned seq;
    uint64_t chance;
    struct buf lines;
};

static const char *const plain_names[PLAYERS_MAX] = {
    "Player 1", "Player 2", "Player 3", "Player 4", "Player 5",
    "Player 6", "Player 7", "Player 8", "Player 9", "Player 10"};

static unsigned
pick(struct maker *maker, unsigned of)
{
    maker->chance ^= maker->chance << 13;
    maker->chance ^= maker->chance >> 7;
    maker->chance ^= maker->chance << 17;
    return (unsigned)(maker->chance >> 20) % of;
}

static bool
once_in(struct maker *maker, unsigned of)
{
    return of > 0 && pick(maker, of) == 0;
}

static unsigned
pick_seat(struct maker *maker, seat_set seats)
{
    unsigned left = pick(maker, seat_count(seats));
    unsigned seat = 0;
    while (!seat_in(seat, seats) || left-- > 0) {
        seat++;
    }
    return seat;
}

static struct pile
pick_tiles(struct maker *maker, unsigned liberal, unsigned fascist)
{
    struct pile tiles = {0, 0};
    while (liberal + fascist > 0) {
        bool is_liberal = pick(maker, liberal + fascist) < liberal;
        pile_add(&tiles, is_liberal);
        liberal -= is_liberal;
        fascist -= !is_liberal;
    }
    return tiles;
}

static struct record_head
next_head(struct maker *maker)
{
    int64_t at = 946684800000 + (int64_t)maker->seq * 1000;
    return (struct record_head){maker->seq++, at};
}

static void
make_step(struct maker *maker, const struct command *command)
{
    struct events events;
    ck_assert_int_eq(game_step(&maker->game, command, &events), REFUSAL_NONE);
    for (unsigned i = 0; i < events.count; i++) {
        record_write_event(&maker->lines, next_head(maker), &events.list[i],
                           &maker->game, maker->names);
    }
}

static struct command
pick_deal(struct maker *maker)
{
    unsigned players = maker->game.players;
    struct command command = {.kind = COMMAND_DEAL};
    command.hitler = (uint8_t)pick(maker, players);
    command.first = (uint8_t)pick(maker, players);
    seat_set others = maker->game.living & (seat_set)~seat_bit(command.hitler);
    while (seat_count(command.fascists) < game_fascist_count(players)) {
        command.fascists |= seat_bit(pick_seat(maker, others));
    }
    command.tiles = pick_tiles(maker, LIBERAL_TILES, FASCIST_TILES);
    return command;
}

/* Chance answers whenever it is awaited. */
static void
make_chance(struct maker *maker)
{
    struct awaits awaits = game_awaits(&maker->game);
    while (awaits.question == QUESTION_RESHUFFLE) {
        struct command command = {
            .kind = COMMAND_RESHUFFLE,
            .tiles = pick_tiles(maker, awaits.due_liberal, awaits.due_fascist)};
        make_step(maker, &command);
        awaits = game_awaits(&maker->game);
    }
}

static void
make_move(struct maker *maker, const struct command *command)
{
    make_step(maker, command);
    make_chance(maker);
}

/* Time is up: as the host counts, and as it vacates. */
static void
make_late(struct maker *maker, const struct command *command)
{
    seat_set awaited = game_awaits(&maker->game).seats;
    unsigned most = maker->habits.misses;
    make_move(maker, command);
    for (unsigned seat = 0; seat < maker->game.players; seat++) {
        seat_set present = game_present(&maker->game);
        maker->missed[seat] += seat_in(seat, awaited & present);
    }
    for (unsigned seat = 0; most > 0 && seat < maker->game.players; seat++) {
        seat_set present = game_present(&maker->game);
        if (!game_is_over(&maker->game) && maker->missed[seat] >= most &&
            seat_in(seat, present) && present != seat_bit(seat)) {
            struct command vacate = {.kind = COMMAND_VACATE,
                                     .target = (uint8_t)seat};
            make_step(maker, &vacate);
        }
    }
}

/* Nobody used the power: a second deadline, then it is lost or drawn for. */
static void
make_power_late(struct maker *maker, const struct awaits *awaits)
{
    struct command command = {.kind = COMMAND_FORFEIT};
    if (!maker->habits.no_second) {
        struct record_head head = next_head(maker);
        struct record_line line = {.seq = head.seq,
                                   .at = head.at,
                                   .kind = RECORD_EXTENDED,
                                   .deadline = 946684800000,
                                   .text = "once more as long"};
        record_write_line(&maker->lines, &line, NULL, 0);
    }
    if (maker->habits.power_lots && awaits->choices != 0) {
        command.kind = COMMAND_TARGET;
        command.lots = true;
        command.seat = maker->game.president;
        command.target = (uint8_t)pick_seat(maker, awaits->choices);
    }
    make_late(maker, &command);
}

static void
make_card(struct maker *maker, const struct awaits *awaits, bool late)
{
    bool discard = awaits->question == QUESTION_DISCARD;
    struct command command = {.kind = discard ? COMMAND_DISCARD : COMMAND_ENACT,
                              .seat = discard ? maker->game.president
                                              : maker->game.chancellor,
                              .card = (uint8_t)pick(maker, awaits->cards)};
    if (late) {
        command.lots = true;
        make_late(maker, &command);
        return;
    }
    if (awaits->may_veto && pick(maker, 3) > 0) {
        command.kind = COMMAND_ASK_VETO;
    }
    make_move(maker, &command);
}

static void
make_answer(struct maker *maker, const struct awaits *awaits)
{
    struct command command = {.yes = pick(maker, 2) > 0};
    command.seat = (uint8_t)pick_seat(maker, awaits->seats);
    if (awaits->question == QUESTION_NOMINATE) {
        command.kind = COMMAND_NOMINATE;
        command.target = (uint8_t)pick_seat(maker, awaits->choices);
    } else if (awaits->question == QUESTION_VOTE) {
        command.kind = COMMAND_VOTE;
        command.yes = pick(maker, 3) > 0;
    } else if (awaits->question == QUESTION_VETO) {
        command.kind = COMMAND_ANSWER_VETO;
    } else {
        command.kind = COMMAND_TARGET;
        command.target = (uint8_t)pick_seat(maker, awaits->choices);
    }
    make_move(maker, &command);
}

static bool
is_late(struct maker *maker, const struct awaits *awaits)
{
    bool nobody = (awaits->seats & game_present(&maker->game)) == 0;
    bool power = awaits->question == QUESTION_INVESTIGATE ||
                 awaits->question == QUESTION_SPECIAL_ELECTION ||
                 awaits->question == QUESTION_EXECUTION;
    unsigned rarely = awaits->question == QUESTION_VETO ? maker->habits.silent
                      : awaits->question == QUESTION_VOTE
                          ? 4 * maker->habits.late
                          : maker->habits.late;
    return nobody || once_in(maker, rarely) ||
           ((power || awaits->question == QUESTION_NOMINATE) &&
            awaits->choices == 0);
}

static void
make_turn(struct maker *maker)
{
    const struct command close = {.kind = COMMAND_CLOSE};
    struct awaits awaits = game_awaits(&maker->game);
    bool late = is_late(maker, &awaits);
    if (awaits.cards > 0) {
        make_card(maker, &awaits, late);
    } else if (!late) {
        make_answer(maker, &awaits);
    } else if (awaits.question == QUESTION_INVESTIGATE ||
               awaits.question == QUESTION_SPECIAL_ELECTION ||
               awaits.question == QUESTION_EXECUTION) {
        make_power_late(maker, &awaits);
    } else {
        make_late(maker, &close);
    }
}

static void
make_begin(struct maker *maker, unsigned players, const char *preset,
           unsigned seed)
{
    struct rules rules;
    ck_assert(rules_set_preset(&rules, preset));
    ck_assert(maker->vote_closes == NULL ||
              rules_set(&rules, "vote_closes", maker->vote_closes));
    maker->chance = 0x9E3779B97F4A7C15U * (seed + 1U);
    for (unsigned seat = 0; seat < players; seat++) {
        if (maker->names[seat] == NULL) {
            maker->names[seat] = plain_names[seat];
        }
    }
    game_init(&maker->game, players, &rules);
    record_write_opened(&maker->lines, next_head(maker), "made-1", preset,
                        &rules, NULL);
    record_write_seated(&maker->lines, next_head(maker), maker->names, players,
                        NULL, NULL);
    struct command command = pick_deal(maker);
    make_step(maker, &command);
}

/* A whole game. */
static void
make_game(struct maker *maker, unsigned players, const char *preset,
          unsigned seed)
{
    make_begin(maker, players, preset, seed);
    while (!game_is_over(&maker->game)) {
        make_turn(maker);
    }
    record_write_revealed(&maker->lines, next_head(maker), NULL, &maker->game,
                          maker->names);
}

/* ---- hosting it again ---------------------------------------------------- */

/* Replays have their folders in one of the test's. */
static void
set_up(void)
{
    command_line_set_up();
    ck_assert_int_eq(mkdir(scratch_path("stages"), 0700), 0);
    ck_assert_int_eq(setenv("TMPDIR", scratch_path("stages"), 1), 0);
}

static void
tear_down(void)
{
    /* A replay leaves nothing behind. */
    ck_assert_int_eq(rmdir(scratch_path("stages")), 0);
    command_line_tear_down();
}

/* Replay a file of the folder; the host's record comes into "made". */
static int
replay_named(const char *name)
{
    struct command_line_streams before = command_line_begin();
    int code = replay_file(scratch_path(name), scratch_path("made"));
    command_line_end(before);
    return code;
}

static int
replay_lines(const struct buf *lines)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(file_write(scratch_path("game"), buf_text(lines),
                                lines->len, 0600, &why),
                     ERR_NONE);
    return replay_named("game");
}

/* ---- records beside records ---------------------------------------------- */

static void
load(const char *name, struct record *record)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    command_line_read(name, &text);
    enum err err = record_read(buf_text(&text), text.len, record, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    ck_assert_uint_eq(record->game_count, 1);
    buf_release(&text);
}

static void
save(const struct record *record, struct buf *lines)
{
    buf_clear(lines);
    rewrite_game(&record->games[0], lines);
}

/* A record without numbers, times and the game's id; a second deadline on the
 * way only if asked for. */
static void
canon(const char *name, bool second, struct buf *out)
{
    struct record record;
    load(name, &record);
    struct record_game *game = &record.games[0];
    size_t kept = 0;
    strcpy(game->id, "-");
    for (size_t i = 0; i < game->line_count; i++) {
        struct record_line line = game->lines[i];
        line.seq = 0;
        line.at = 0;
        line.deadline = 0;
        line.text = NULL;
        if (second || line.kind != RECORD_EXTENDED) {
            game->lines[kept++] = line;
        }
    }
    game->line_count = kept;
    save(&record, out);
    record_release(&record);
}

static void
assert_same_events(bool second)
{
    struct buf file = BUF_INIT;
    struct buf host = BUF_INIT;
    canon("game", second, &file);
    canon("made", second, &host);
    ck_assert_str_eq(buf_text(&file), buf_text(&host));
    buf_release(&file);
    buf_release(&host);
}

static void
assert_replays(struct maker *maker)
{
    int code = replay_lines(&maker->lines);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    ck_assert_str_eq(buf_text(&errors), "");
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "ends as recorded"));
    assert_same_events(!maker->habits.no_second);
    buf_release(&maker->lines);
}

static bool
says(const struct buf *text, const char *what)
{
    return strstr(buf_text(text), what) != NULL;
}

/* It stopped at the line at lines[at], and said there what and why. */
static void
assert_stops_at(int code, size_t at, const char *what, const char *why)
{
    struct buf where = BUF_INIT;
    buf_addf(&where, "game, line %zu (seq %zu): ", at + 1, at);
    ck_assert_int_eq(code, EXIT_FAULT);
    ck_assert_msg(says(&errors, buf_text(&where)), "no %sin:\n%s",
                  buf_text(&where), buf_text(&errors));
    ck_assert_msg(says(&errors, what), "no %s in:\n%s", what,
                  buf_text(&errors));
    ck_assert_msg(says(&errors, why), "no %s in:\n%s", why, buf_text(&errors));
    buf_release(&where);
}

/* ---- games as they were recorded ----------------------------------------- */

START_TEST(a_game_of_any_size_and_preset_is_hosted_as_recorded)
{
    struct maker maker = {.habits = {.late = 0}};
    unsigned number = (unsigned)_i;
    if (number % effort_one_in(1) != 0) {
        return;
    }
    make_game(&maker, PLAYERS_MIN + number / RULES_PRESETS,
              rules_preset_name(number % RULES_PRESETS), number);
    assert_replays(&maker);
}
END_TEST

START_TEST(options_are_those_recorded_whatever_the_preset)
{
    struct maker maker = {.habits = {.late = 9}, .vote_closes = "decided"};
    unsigned number = (unsigned)_i;
    make_game(&maker, 6, rules_preset_name(number), 50 + number);
    assert_replays(&maker);
}
END_TEST

START_TEST(deadlines_lots_and_forfeits_come_when_they_were_recorded)
{
    struct maker maker = {.habits = {.late = 3, .silent = 2}};
    if ((unsigned)_i % effort_one_in(1) != 0) {
        return;
    }
    unsigned number = (unsigned)_i;
    make_game(&maker, PLAYERS_MIN + number % 6,
              rules_preset_name(number % RULES_PRESETS), 100 + number);
    assert_replays(&maker);
}
END_TEST

START_TEST(powers_are_decided_by_lots_where_they_were)
{
    struct maker maker = {.habits = {.late = 2, .power_lots = true}};
    make_game(&maker, 10 - (unsigned)_i, rules_preset_name(0),
              200 + (unsigned)_i);
    assert_replays(&maker);
}
END_TEST

START_TEST(seats_are_vacated_when_they_were)
{
    struct maker maker = {
        .habits = {.late = 6, .silent = 2, .misses = 1 + (unsigned)_i % 3}};
    if ((unsigned)_i % effort_one_in(1) != 0) {
        return;
    }
    make_game(&maker, 10 - (unsigned)_i % 3, rules_preset_name(1),
              300 + (unsigned)_i);
    assert_replays(&maker);
}
END_TEST

START_TEST(a_second_deadline_that_was_not_recorded_passes_all_the_same)
{
    struct maker maker = {.habits = {.late = 2, .no_second = true}};
    make_game(&maker, 7, rules_preset_name(2), 7);
    assert_replays(&maker);
}
END_TEST

/* Make games until one has a line of that kind. */
static size_t
make_game_with(struct maker *maker, int kind, unsigned players,
               const char *preset, const struct habits *habits)
{
    for (unsigned seed = 1000;; seed++) {
        struct buf why = BUF_INIT;
        struct record record;
        *maker = (struct maker){.habits = *habits};
        make_game(maker, players, preset, seed);
        ck_assert_int_eq(record_read(buf_text(&maker->lines), maker->lines.len,
                                     &record, &why),
                         ERR_NONE);
        const struct record_game *game = &record.games[0];
        size_t at = 0;
        while (at < game->line_count && game->lines[at].kind != kind) {
            at++;
        }
        bool found = at < game->line_count;
        record_release(&record);
        if (found) {
            return at;
        }
        buf_release(&maker->lines);
    }
}

START_TEST(a_veto_is_asked_and_answered_as_it_was)
{
    struct maker maker;
    const struct habits habits = {.silent = 3};
    (void)make_game_with(&maker, EVENT_VETO_ANSWERED, 5,
                         rules_preset_name((unsigned)_i), &habits);
    assert_replays(&maker);
}
END_TEST

START_TEST(a_power_used_after_its_first_deadline_shows_that_deadline)
{
    struct maker maker;
    struct record record;
    const struct habits habits = {.late = 0};
    size_t at = make_game_with(&maker, EVENT_EXECUTED, 5, "official", &habits);
    struct buf lines = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        record_read(buf_text(&maker.lines), maker.lines.len, &record, &why),
        ERR_NONE);
    /* The line of the power becomes two. */
    struct record_game *game = &record.games[0];
    game->lines =
        must_grow(game->lines, (game->line_count + 1) * sizeof game->lines[0]);
    memmove(&game->lines[at + 1], &game->lines[at],
            (game->line_count - at) * sizeof game->lines[0]);
    game->line_count++;
    game->lines[at] = (struct record_line){.kind = RECORD_EXTENDED};
    for (unsigned i = 0; i < game->line_count; i++) {
        game->lines[i].seq = i;
    }
    save(&record, &maker.lines);
    assert_replays(&maker);
    record_release(&record);
    buf_release(&lines);
}
END_TEST

START_TEST(names_of_all_kinds_are_named_as_they_are)
{
    static const char *const odd[] = {
        "[b]Ja![/b]", "Nein", "**Zoë**",  "Mo",      "[quote=\"Bob\"]",
        "P1",         "P10",  "!join me", "a\\b\"c", "😀 Łódź"};
    struct maker maker = {.habits = {.late = 9}};
    memcpy(maker.names, odd, sizeof odd);
    make_game(&maker, 10, "play-by-post", (unsigned)_i);
    assert_replays(&maker);
}
END_TEST

START_TEST(private_messages_are_not_shown)
{
    struct maker maker = {.habits = {.late = 0}};
    make_game(&maker, 5, "official", 1);
    ck_assert_int_eq(replay_lines(&maker.lines), EXIT_DONE);
    ck_assert(says(&said, "!new players=5 rules=official"));
    ck_assert(says(&said, "Round 1"));
    ck_assert(!says(&said, "your cards are below"));
    ck_assert(!says(&said, "discard 1"));
    ck_assert(!says(&said, "enact 1"));
    buf_release(&maker.lines);
}
END_TEST

/* ---- records that end early, or hold more -------------------------------- */

START_TEST(a_record_may_end_at_any_line)
{
    struct maker maker = {.habits = {.late = 9}};
    make_game(&maker, 6, "play-by-post", 3);
    /* Not before the deal, nor with the end: at each tenth line between. */
    size_t keep = 3 + 10 * (size_t)_i;
    const char *end = buf_text(&maker.lines);
    for (size_t i = 0; i < keep && end != NULL; i++) {
        end = strchr(end, '\n') + 1;
    }
    buf_truncate(&maker.lines, (size_t)(end - buf_text(&maker.lines)));
    int code = replay_lines(&maker.lines);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    ck_assert(says(&said, "The record ends here; the game goes on."));
    buf_release(&maker.lines);
}
END_TEST

START_TEST(an_abandoned_game_is_hosted_up_to_its_end)
{
    struct maker maker = {.habits = {.late = 0}};
    const struct command abandon = {.kind = COMMAND_ABANDON};
    make_begin(&maker, 5, "play-by-post", 4);
    for (unsigned i = 0; i < 20; i++) {
        make_turn(&maker);
    }
    make_step(&maker, &abandon);
    ck_assert_int_eq(replay_lines(&maker.lines), EXIT_DONE);
    ck_assert(says(&said, "The game was abandoned at line "));
    buf_release(&maker.lines);
}
END_TEST

/* A game whose lines can be altered. */
struct altered {
    struct maker maker;
    struct record record;
    struct record_game *game;
};

static void
alter_begin(struct altered *altered, unsigned players, const char *preset,
            unsigned seed)
{
    struct buf why = BUF_INIT;
    *altered = (struct altered){.maker = {.seq = 0}};
    make_game(&altered->maker, players, preset, seed);
    const struct buf *lines = &altered->maker.lines;
    ck_assert_int_eq(
        record_read(buf_text(lines), lines->len, &altered->record, &why),
        ERR_NONE);
    altered->game = &altered->record.games[0];
}

/* The nth (from 1) line of a kind, which MUST be there. */
static size_t
find(const struct altered *altered, int kind, unsigned nth)
{
    size_t at = 0;
    while (altered->game->lines[at].kind != kind || --nth > 0) {
        ck_assert_uint_lt(++at, altered->game->line_count);
    }
    return at;
}

static struct event *
find_event(struct altered *altered, int kind, unsigned nth)
{
    return &altered->game->lines[find(altered, kind, nth)].event;
}

static void
insert(struct altered *altered, size_t at, const struct record_line *line)
{
    struct record_game *game = altered->game;
    game->lines =
        must_grow(game->lines, (game->line_count + 1) * sizeof *game->lines);
    memmove(&game->lines[at + 1], &game->lines[at],
            (game->line_count - at) * sizeof *game->lines);
    game->lines[at] = *line;
    game->line_count++;
}

static int
replay_altered(struct altered *altered)
{
    for (unsigned i = 0; i < altered->game->line_count; i++) {
        altered->game->lines[i].seq = i;
    }
    save(&altered->record, &altered->maker.lines);
    return replay_lines(&altered->maker.lines);
}

static void
alter_end(struct altered *altered)
{
    record_release(&altered->record);
    buf_release(&altered->maker.lines);
}

START_TEST(lines_of_the_host_alone_are_skipped_with_a_remark)
{
    struct altered altered;
    const struct record_line lines[] = {
        {.kind = RECORD_NOTED, .text = "a look"},
        {.kind = RECORD_PAUSED},
        {.kind = RECORD_RESUMED},
        {.kind = RECORD_REMINDED, .event = {.seats = 3}},
        {.kind = RECORD_EXTENDED, .deadline = 946684800000, .text = "a wish"},
        {.kind = RECORD_CLAIMED, .event = {.round = 1, .cards = {.count = 3}}},
        {.kind = RECORD_NOTED, .text = "another"}};
    alter_begin(&altered, 5, "play-by-post", 5);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        insert(&altered, 7 * (i + 1), &lines[i]);
    }
    int code = replay_altered(&altered);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    ck_assert(says(&said, "ends as recorded"));
    ck_assert(says(&said, "Not hosted again: 1 paused, 1 resumed, 1 extended, "
                          "1 reminded, 2 noted, 1 claimed."));
    alter_end(&altered);
}
END_TEST

/* ---- records that are refused -------------------------------------------- */

START_TEST(a_nomination_of_the_last_chancellor_is_refused_with_the_hosts_words)
{
    struct altered altered;
    alter_begin(&altered, 8, "official", 6);
    /* The round after the first government: its chancellor once more. */
    size_t hand = find(&altered, EVENT_HAND, 1);
    uint8_t chancellor = NO_SEAT;
    size_t at = 0;
    for (size_t i = 0; at == 0; i++) {
        const struct record_line *line = &altered.game->lines[i];
        if (line->kind == EVENT_NOMINATED && i < hand) {
            chancellor = line->event.target;
        } else if (line->kind == EVENT_NOMINATED) {
            at = i;
        }
    }
    altered.game->lines[at].event.target = chancellor;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the host refuses this",
                    "was in the last government and can't be Chancellor");
    ck_assert(says(&said, "can't be Chancellor"));
    alter_end(&altered);
}
END_TEST

START_TEST(votes_that_were_pressed_are_posted)
{
    struct altered altered;
    alter_begin(&altered, 5, "official", 8);
    for (size_t i = 0; i < altered.game->line_count; i++) {
        struct record_line *line = &altered.game->lines[i];
        line->by = line->kind == EVENT_VOTED && i % 2 == 0 ? RECORD_BY_PRESS
                                                           : RECORD_BY_POST;
    }
    int code = replay_altered(&altered);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    ck_assert(says(&said, "ends as recorded"));
    alter_end(&altered);
}
END_TEST

START_TEST(nominations_that_were_planned_come_when_time_is_up)
{
    struct altered altered;
    alter_begin(&altered, 5, "official", 8);
    for (size_t i = 0; i < altered.game->line_count; i++) {
        struct record_line *line = &altered.game->lines[i];
        if (line->kind == EVENT_NOMINATED && line->event.seat % 2 == 0) {
            line->by = RECORD_BY_PLAN;
        }
    }
    int code = replay_altered(&altered);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    ck_assert(says(&said, "ends as recorded"));
    ck_assert(says(&said, "who had left a plan with me"));
    alter_end(&altered);
}
END_TEST

START_TEST(a_vote_that_was_altered_shows_where_votes_are_counted)
{
    struct altered altered;
    alter_begin(&altered, 5, "official", 8);
    size_t at = find(&altered, EVENT_ELECTION, 2);
    altered.game->lines[at - 1].event.yes ^= true;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "the host records: {\"event\":\"election\"");
    alter_end(&altered);
}
END_TEST

START_TEST(a_second_vote_is_refused)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 9);
    size_t at = find(&altered, EVENT_VOTED, 1) + 1;
    struct record_line line = altered.game->lines[at - 1];
    line.event.yes ^= true;
    insert(&altered, at, &line);
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the host refuses this",
                    "your vote is already in");
    alter_end(&altered);
}
END_TEST

START_TEST(who_is_not_awaited_is_not_heard)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 10);
    size_t at = find(&altered, EVENT_NOMINATED, 1);
    struct event *event = &altered.game->lines[at].event;
    uint8_t candidate = event->seat;
    event->seat = event->target;
    event->target = candidate;
    int code = replay_altered(&altered);
    struct buf why = BUF_INIT;
    buf_addf(&why, "the host awaits a nomination by %s",
             plain_names[candidate]);
    assert_stops_at(code, at, "the host refuses this", buf_text(&why));
    buf_release(&why);
    alter_end(&altered);
}
END_TEST

START_TEST(a_card_that_is_not_in_hand_can_not_be_passed_on)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 11);
    size_t at = find(&altered, EVENT_PASSED, 1);
    altered.game->lines[at].event.cards.liberal ^= 3;
    altered.game->lines[at].event.is_liberal ^= true;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "not what the hand leaves",
                    "the host awaits a discard of");
    alter_end(&altered);
}
END_TEST

START_TEST(a_hand_that_the_deck_does_not_give_is_told)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 12);
    size_t at = find(&altered, EVENT_HAND, 1);
    altered.game->lines[at].event.cards.liberal ^= 7;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "the host records: {\"event\":\"hand\"");
    alter_end(&altered);
}
END_TEST

START_TEST(a_deck_of_the_wrong_tiles_is_not_dealt)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 13);
    size_t at = find(&altered, EVENT_DEALT, 1);
    altered.game->lines[at].event.cards.liberal ^= 1;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "can't deal that: the deck is not of the tiles");
    alter_end(&altered);
}
END_TEST

START_TEST(roles_that_do_not_fit_the_table_are_not_dealt)
{
    struct altered altered;
    alter_begin(&altered, 7, "play-by-post", 14);
    find_event(&altered, EVENT_DEALT, 1)->seats &=
        (seat_set)(find_event(&altered, EVENT_DEALT, 1)->seats - 1);
    int code = replay_altered(&altered);
    assert_stops_at(code, 2, "the game goes on otherwise",
                    "can't deal that: there are not as many fascists");
    alter_end(&altered);
}
END_TEST

START_TEST(a_reshuffle_of_the_wrong_tiles_is_not_dealt)
{
    struct maker maker;
    struct altered altered;
    const struct habits habits = {.late = 0};
    struct buf why = BUF_INIT;
    size_t at =
        make_game_with(&maker, EVENT_RESHUFFLED, 6, "official", &habits);
    altered.maker = maker;
    ck_assert_int_eq(record_read(buf_text(&maker.lines), maker.lines.len,
                                 &altered.record, &why),
                     ERR_NONE);
    altered.game = &altered.record.games[0];
    altered.game->lines[at].event.cards.liberal ^= 1;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "can't deal that: the deck is not of the tiles");
    alter_end(&altered);
}
END_TEST

START_TEST(a_line_left_out_is_missed_where_it_stood)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 15);
    size_t at = find(&altered, EVENT_ELECTION, 1);
    struct record_game *game = altered.game;
    memmove(&game->lines[at], &game->lines[at + 1],
            (game->line_count - at - 1) * sizeof *game->lines);
    game->line_count--;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "the host records: {\"event\":\"election\"");
    alter_end(&altered);
}
END_TEST

START_TEST(a_seat_that_a_moderator_has_vacated_is_vacated_again)
{
    struct buf lines = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_msg(
        file_read("tests/fixtures/record/vacated-by-a-moderator.jsonl", &lines,
                  &why) == ERR_NONE,
        "%s", buf_text(&why));
    int code = replay_lines(&lines);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    buf_release(&lines);
    ck_assert(says(&said, "The record ends here; the game goes on."));
}
END_TEST

START_TEST(lots_that_nobody_drew_are_refused)
{
    struct altered altered;
    const struct record_line line = {
        .kind = EVENT_LOTS, .event = {.kind = EVENT_LOTS, .discarding = true}};
    alter_begin(&altered, 7, "play-by-post", 17);
    size_t at = find(&altered, EVENT_NOMINATED, 1);
    insert(&altered, at, &line);
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "nothing brings this about now",
                    "the host awaits a nomination by");
    alter_end(&altered);
}
END_TEST

START_TEST(another_winner_is_no_winner)
{
    struct altered altered;
    alter_begin(&altered, 5, "french", 18);
    size_t at = find(&altered, EVENT_ENDED, 1);
    altered.game->lines[at].event.party ^= 1;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the game goes on otherwise",
                    "the host records: {\"event\":\"ended\"");
    alter_end(&altered);
}
END_TEST

START_TEST(nothing_is_played_after_the_end)
{
    struct altered altered;
    alter_begin(&altered, 5, "french", 19);
    struct record_line line = altered.game->lines[4];
    ck_assert_int_eq(line.kind, EVENT_NOMINATED);
    size_t at = altered.game->line_count;
    insert(&altered, at, &line);
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the host refuses this", "the game is over");
    alter_end(&altered);
}
END_TEST

START_TEST(players_whose_names_read_the_same_do_not_all_get_a_seat)
{
    struct altered altered;
    alter_begin(&altered, 5, "french", 20);
    strcpy(altered.game->names[3], "PLAYER 1");
    int code = replay_altered(&altered);
    assert_stops_at(code, 1, "the host refuses this", "the host says: ");
    alter_end(&altered);
}
END_TEST

START_TEST(the_host_is_no_player)
{
    struct altered altered;
    alter_begin(&altered, 5, "french", 21);
    strcpy(altered.game->names[3], "placard");
    int code = replay_altered(&altered);
    assert_stops_at(code, 1, "this can't be hosted", "placard");
    alter_end(&altered);
}
END_TEST

START_TEST(the_record_is_saved_as_far_as_it_goes)
{
    struct altered altered;
    struct record record;
    alter_begin(&altered, 5, "play-by-post", 22);
    size_t at = find(&altered, EVENT_NOMINATED, 2);
    altered.game->lines[at].event.target = altered.game->lines[at].event.seat;
    int code = replay_altered(&altered);
    assert_stops_at(code, at, "the host refuses this",
                    "you can't name yourself");
    load("made", &record);
    ck_assert_uint_eq(record.games[0].line_count, at);
    record_release(&record);
    alter_end(&altered);
}
END_TEST

/* ---- files that are not hosted at all ------------------------------------ */

START_TEST(somebody_replaced_is_not_hosted_yet)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 23);
    const struct record_line line = {.kind = EVENT_FILLED,
                                     .event = {.seat = 4},
                                     .out = "Player 5",
                                     .in = "Somebody"};
    insert(&altered, 5, &line);
    int code = replay_altered(&altered);
    assert_stops_at(code, 5, "somebody was replaced", "nothing was played");
    ck_assert_str_eq(buf_text(&said), "");
    alter_end(&altered);
}
END_TEST

START_TEST(something_undone_is_not_hosted_yet)
{
    struct altered altered;
    alter_begin(&altered, 5, "play-by-post", 24);
    const struct record_line line = {.kind = RECORD_REWOUND, .to = 3};
    insert(&altered, 5, &line);
    int code = replay_altered(&altered);
    assert_stops_at(code, 5, "something was undone", "nothing was played");
    ck_assert_str_eq(buf_text(&said), "");
    alter_end(&altered);
}
END_TEST

START_TEST(one_game_is_hosted_at_a_time)
{
    struct maker maker = {.habits = {.late = 0}};
    make_game(&maker, 5, "french", 25);
    maker.seq = 0;
    make_game(&maker, 5, "french", 26);
    ck_assert_int_eq(replay_lines(&maker.lines), EXIT_FAULT);
    ck_assert(says(&errors, "holds 2 games"));
    buf_release(&maker.lines);
}
END_TEST

START_TEST(a_game_that_was_never_dealt_is_not_hosted)
{
    struct maker maker = {.habits = {.late = 0}};
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "french"));
    record_write_opened(&maker.lines, next_head(&maker), "made-1", "french",
                        &rules, NULL);
    ck_assert_int_eq(replay_lines(&maker.lines), EXIT_FAULT);
    ck_assert(says(&errors, "never dealt"));
    buf_release(&maker.lines);
}
END_TEST

START_TEST(what_is_no_record_is_told_with_its_line)
{
    struct maker maker = {.habits = {.late = 0}};
    make_begin(&maker, 5, "french", 27);
    buf_add_text(&maker.lines, "{}\n");
    ck_assert_int_eq(replay_lines(&maker.lines), EXIT_FAULT);
    ck_assert(says(&errors, "game: line 5: "));
    ck_assert_int_eq(replay_named("nowhere"), EXIT_FAULT);
    ck_assert(says(&errors, "nowhere"));
    buf_release(&maker.lines);
}
END_TEST

START_TEST(a_preset_that_is_not_ours_is_hosted_by_its_options)
{
    struct altered altered;
    alter_begin(&altered, 5, "french", 28);
    strcpy(altered.game->preset, "our-own");
    int code = replay_altered(&altered);
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    alter_end(&altered);
}
END_TEST

/* ---- suite --------------------------------------------------------------- */

Suite *
test_suite(void)
{
    Suite *suite = suite_create("replay");
    TCase *as_recorded = tcase_create("as recorded");
    TCase *other = tcase_create("other lines");
    TCase *refused = tcase_create("refused");
    TCase *not_hosted = tcase_create("not hosted");

    tcase_add_checked_fixture(as_recorded, set_up, tear_down);
    tcase_add_loop_test(as_recorded,
                        a_game_of_any_size_and_preset_is_hosted_as_recorded, 0,
                        18);
    tcase_add_loop_test(as_recorded,
                        options_are_those_recorded_whatever_the_preset, 0,
                        RULES_PRESETS);
    tcase_add_loop_test(
        as_recorded, deadlines_lots_and_forfeits_come_when_they_were_recorded,
        0, 9);
    tcase_add_loop_test(as_recorded, powers_are_decided_by_lots_where_they_were,
                        0, 4);
    tcase_add_loop_test(as_recorded, seats_are_vacated_when_they_were, 0, 9);
    tcase_add_test(as_recorded,
                   a_second_deadline_that_was_not_recorded_passes_all_the_same);
    tcase_add_loop_test(as_recorded, a_veto_is_asked_and_answered_as_it_was, 0,
                        RULES_PRESETS);
    tcase_add_test(as_recorded,
                   a_power_used_after_its_first_deadline_shows_that_deadline);
    tcase_add_loop_test(as_recorded, names_of_all_kinds_are_named_as_they_are,
                        0, 2);
    tcase_add_test(as_recorded, private_messages_are_not_shown);
    suite_add_tcase(suite, as_recorded);

    tcase_add_checked_fixture(other, set_up, tear_down);
    tcase_add_loop_test(other, a_record_may_end_at_any_line, 0, 8);
    tcase_add_test(other, an_abandoned_game_is_hosted_up_to_its_end);
    tcase_add_test(other, lines_of_the_host_alone_are_skipped_with_a_remark);
    tcase_add_test(other, a_preset_that_is_not_ours_is_hosted_by_its_options);
    suite_add_tcase(suite, other);

    tcase_add_checked_fixture(refused, set_up, tear_down);
    tcase_add_test(
        refused,
        a_nomination_of_the_last_chancellor_is_refused_with_the_hosts_words);
    tcase_add_test(refused,
                   a_vote_that_was_altered_shows_where_votes_are_counted);
    tcase_add_test(refused, votes_that_were_pressed_are_posted);
    tcase_add_test(refused, nominations_that_were_planned_come_when_time_is_up);
    tcase_add_test(refused, a_second_vote_is_refused);
    tcase_add_test(refused, who_is_not_awaited_is_not_heard);
    tcase_add_test(refused, a_card_that_is_not_in_hand_can_not_be_passed_on);
    tcase_add_test(refused, a_hand_that_the_deck_does_not_give_is_told);
    tcase_add_test(refused, a_deck_of_the_wrong_tiles_is_not_dealt);
    tcase_add_test(refused, roles_that_do_not_fit_the_table_are_not_dealt);
    tcase_add_test(refused, a_reshuffle_of_the_wrong_tiles_is_not_dealt);
    tcase_add_test(refused, a_line_left_out_is_missed_where_it_stood);
    tcase_add_test(refused,
                   a_seat_that_a_moderator_has_vacated_is_vacated_again);
    tcase_add_test(refused, lots_that_nobody_drew_are_refused);
    tcase_add_test(refused, another_winner_is_no_winner);
    tcase_add_test(refused, nothing_is_played_after_the_end);
    tcase_add_test(refused,
                   players_whose_names_read_the_same_do_not_all_get_a_seat);
    tcase_add_test(refused, the_host_is_no_player);
    tcase_add_test(refused, the_record_is_saved_as_far_as_it_goes);
    suite_add_tcase(suite, refused);

    tcase_add_checked_fixture(not_hosted, set_up, tear_down);
    tcase_add_test(not_hosted, somebody_replaced_is_not_hosted_yet);
    tcase_add_test(not_hosted, something_undone_is_not_hosted_yet);
    tcase_add_test(not_hosted, one_game_is_hosted_at_a_time);
    tcase_add_test(not_hosted, a_game_that_was_never_dealt_is_not_hosted);
    tcase_add_test(not_hosted, what_is_no_record_is_told_with_its_line);
    suite_add_tcase(suite, not_hosted);
    return suite;
}
