/*
 * `play`: whole games through the command itself, and games that are cut off
 * and gone on with.
 */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/buf.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/local/guest.h"
#include "tests/cli/command_line.h"
#include "tests/cli/sim_game.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"
#include "tests/support/terminal.h"

/* ---- a folder, and the command in it ------------------------------------- */

static void
set_up(void)
{
    command_line_set_up();
    ck_assert_int_eq(setenv("XDG_STATE_HOME", scratch, 1), 0);
}

static void
tear_down(void)
{
    if (access(scratch_path("placard"), F_OK) == 0) {
        scratch_remove_tree(scratch_path("placard"));
    }
    command_line_tear_down();
}

/* Run `play` with these words (blank between them), and this to read. */
static int
play(const char *words, const char *input)
{
    char line[512];
    snprintf(line, sizeof line, "play %s", words);
    return command_line_run_with(command_play, line, input);
}

static bool
holds(const struct buf *text, const char *part)
{
    return strstr(buf_text(text), part) != NULL;
}

/* The n-th line from the end (1: the last), yours to free. */
static char *
line_from_end(const struct buf *text, unsigned n)
{
    const char *end = buf_text(text) + text->len;
    const char *begin = end;
    for (unsigned i = 0; i < n; i++) {
        ck_assert(begin > buf_text(text));
        end = begin - 1; /* its line feed */
        begin = end;
        while (begin > buf_text(text) && begin[-1] != '\n') {
            begin--;
        }
    }
    return strndup(begin, (size_t)(end - begin));
}

/* Compare two records, and show the first line in which they differ. */
static void
assert_same_record(const struct buf *one, const struct buf *two)
{
    const char *left = buf_text(one);
    const char *right = buf_text(two);
    ck_assert_uint_gt(one->len, 2000);
    while (*left != '\0' && *left == *right) {
        left++;
        right++;
    }
    bool same = *left == *right;
    while (left > buf_text(one) && left[-1] != '\n') {
        left--;
        right--;
    }
    ck_assert_msg(same, "%.400s\nbut\n%.400s", left, right);
}

/* ---- whole games --------------------------------------------------------- */

START_TEST(a_seed_gives_the_same_record_byte_for_byte)
{
    struct buf one = BUF_INIT;
    struct buf two = BUF_INIT;
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(
            play("--auto --seed 5ec7e7 --players 5 --record @record", ""),
            EXIT_DONE);
        command_line_read("record", i == 0 ? &one : &two);
    }
    assert_same_record(&one, &two);
    ck_assert_int_eq(play("--auto --seed 5ec7e8 --players 5", ""), EXIT_DONE);
    buf_release(&one);
    buf_release(&two);
}
END_TEST

START_TEST(the_last_lines_tell_who_won_by_what_the_roles_and_the_record)
{
    struct stat there;
    ck_assert_int_eq(play("--auto --seed=5ec7e7", ""), EXIT_DONE);
    ck_assert_uint_eq(errors.len, 0);
    char *won = line_from_end(&said, 3);
    char *roles = line_from_end(&said, 2);
    char *record = line_from_end(&said, 1);
    ck_assert(strncmp(won, "Liberals win: ", 14) == 0 ||
              strncmp(won, "Fascists win: ", 14) == 0);
    ck_assert_ptr_nonnull(strstr(roles, "Roles: Anna "));
    ck_assert_ptr_nonnull(strstr(roles, " (Hitler)"));
    ck_assert_int_eq(strncmp(record, "Record: ", 8), 0);
    ck_assert_int_eq(stat(record + 8, &there), 0);
    ck_assert_int_gt(there.st_size, 2000);
    /* A reader sees who, when, to whom; bold, and the boards. */
    ck_assert(holds(&said, "18:00 Mo: !new players=7"));
    ck_assert(holds(&said, "placard to Anna, in private:\n"));
    ck_assert(holds(&said, "**Round 1**"));
    ck_assert(holds(&said, "**Ja!**"));
    ck_assert(holds(&said, "🟥"));
    free(won);
    free(roles);
    free(record);
}
END_TEST

START_TEST(rules_and_settings_are_those_that_were_asked_for)
{
    struct buf record = BUF_INIT;
    ck_assert_int_eq(
        play("--auto --seed 1 --players 5 --rules official --set ballot=open "
             "--set zone=Europe/Berlin --set red=required --record @record",
             ""),
        EXIT_DONE);
    command_line_read("record", &record);
    ck_assert(holds(&record, "\"preset\":\"official\""));
    ck_assert(holds(&record, "\"ballot\":\"open\""));
    ck_assert(holds(&said, "!new players=5 rules=official"));
    ck_assert(holds(&said, "CET"));
    ck_assert(holds(&said, ": **["));
    buf_release(&record);
}
END_TEST

/* ---- a person at the table ----------------------------------------------- */

START_TEST(at_the_end_of_input_the_seat_plays_by_itself)
{
    ck_assert_int_eq(play("--seed 5ec7e7", ""), EXIT_DONE);
    ck_assert(holds(&said, "End of input"));
    ck_assert(holds(&said, " win: "));
    ck_assert(holds(&said, "Newcomer: !join"));
}
END_TEST

START_TEST(a_person_reads_their_own_dm_alone)
{
    (void)play("--seed 5ec7e7 --seat Zoe", "");
    ck_assert(holds(&said, "placard to Zoe, in private:"));
    ck_assert(!holds(&said, "placard to Bob, in private:"));
    ck_assert(!holds(&said, "Bob to placard, in private:"));
}
END_TEST

START_TEST(what_is_typed_is_posted_where_it_is_awaited)
{
    struct buf typed = BUF_INIT;
    /* Votes until the end; in office, cards and a name that can't be. */
    for (unsigned i = 0; i < 60; i++) {
        buf_add_text(&typed, "I think so\n**Ja!**\ndiscard 1\nenact 1\n"
                             "/say not telling\n/dm hm\n\n");
    }
    ck_assert_int_eq(play("--seed 5ec7e7", buf_text(&typed)), EXIT_DONE);
    ck_assert(holds(&said, "Newcomer: I think so"));
    ck_assert(holds(&said, "Newcomer: **Ja!** (✅)"));
    ck_assert(holds(&said, "Newcomer: not telling"));
    ck_assert(holds(&said, "Newcomer to placard, in private:\n    | hm\n"));
    buf_release(&typed);
}
END_TEST

START_TEST(slash_lines_are_for_the_play)
{
    ck_assert_int_eq(play("--seed 5ec7e7",
                          "/help\n/status\n/private\n/nonsense\n/say\n/quit\n"),
                     EXIT_DONE);
    ck_assert(holds(&said, "/wait"));
    ck_assert(holds(&said, "placard, edited "));
    ck_assert(holds(&said, "Seats: 1 "));
    ck_assert(holds(&said, "There's no such command"));
    ck_assert(holds(&said, "There's nothing to post in that."));
    ck_assert(holds(&said, "`placard play --resume`"));
    ck_assert(!holds(&said, "/nonsense\n12"));
    ck_assert(!holds(&said, " win: "));
}
END_TEST

START_TEST(whoever_waits_lets_the_others_and_the_time_go_on)
{
    struct buf typed = BUF_INIT;
    for (unsigned i = 0; i < 40; i++) {
        buf_add_text(&typed, "/wait\n");
    }
    buf_add_text(&typed, "/quit\n");
    ck_assert_int_eq(play("--seed 5ec7e7", buf_text(&typed)), EXIT_DONE);
    ck_assert(!holds(&said, "Newcomer: **"));
    ck_assert(holds(&said, "**Round 2**"));
    buf_release(&typed);
}
END_TEST

START_TEST(an_empty_line_never_lets_the_own_time_run_out)
{
    struct buf typed = BUF_INIT;
    for (unsigned i = 0; i < 40; i++) {
        buf_add_text(&typed, "\n");
    }
    buf_add_text(&typed, "/quit\n");
    /* All must vote, and the person does not. */
    ck_assert_int_eq(
        play("--seed 5ec7e7 --set vote_closes=all", buf_text(&typed)),
        EXIT_DONE);
    ck_assert(holds(&said, "Nobody else has anything to say"));
    ck_assert(!holds(&said, "Time is up"));
    ck_assert(!holds(&said, "**Round 2**"));
    buf_release(&typed);
}
END_TEST

/* ---- in the game's language ---------------------------------------------- */

static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};

/* A text without the marks of a terminal and the ends of its lines. */
static void
smooth(struct buf *text)
{
    struct buf plain = BUF_INIT;
    for (size_t i = 0; i < text->len; i++) {
        char c = text->data[i];
        if (c != '`') {
            buf_add_char(&plain, (char)(c == '\n' ? ' ' : c));
        }
    }
    buf_clear(text);
    buf_add_buf(text, &plain);
    buf_release(&plain);
}

static void
assert_told(const struct buf *out, const struct catalogue *catalogue,
            const char *key, const struct params *params)
{
    struct buf text = BUF_INIT;
    catalogue_text(catalogue, key, params, &text);
    smooth(&text);
    ck_assert_msg(holds(out, buf_text(&text)), "%s: %s\n%s", key,
                  buf_text(&text), buf_text(out));
    buf_release(&text);
}

START_TEST(a_person_is_told_everything_in_the_games_language)
{
    static const char *const told[] = {
        "guest_how",     "guest_unknown", "guest_nothing",
        "guest_awaited", "guest_left",
    };
    struct buf why = BUF_INIT;
    struct catalogue catalogue;
    struct params params = {.count = 0};
    char words[256];
    ck_assert_msg(catalogue_load(&catalogue, languages[_i], "prison", &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    snprintf(words, sizeof(words),
             "--seed 5ec7e7 --language %s --theme prison --set vote_closes=all",
             languages[_i]);
    ck_assert_int_eq(
        play(words, "/help\n/nonsense\n/say\n\n\n\n\n\n\n\n\n\n\n\n\n/quit\n"),
        EXIT_DONE);
    smooth(&said);
    params_text(&params, "prefix", "!");
    assert_told(&said, &catalogue, "guest_help", &params);
    params_number(&params, "players", 7);
    params_text(&params, "seat",
                language_find(&catalogue.language, "guest_seat"));
    assert_told(&said, &catalogue, "guest_welcome", &params);
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        assert_told(&said, &catalogue, told[i], NULL);
    }
    /* The others join in its words, too. */
    const char *join = language_find(&catalogue.language, "command_join");
    snprintf(words, sizeof(words), "Anna%s !%.*s (✅)",
             language_find(&catalogue.language, "play_says"),
             (int)strcspn(join, " "), join);
    ck_assert_msg(holds(&said, words), "%s", words);
    catalogue_release(&catalogue);
}
END_TEST

/* ---- left, and gone on with ---------------------------------------------- */

START_TEST(a_game_that_was_left_goes_on)
{
    (void)play("--seed 5ec7e8 --players 6 --seat Zoe --rules official",
               "/quit\n");
    ck_assert(holds(&said, "placard to Zoe, in private:"));
    ck_assert_int_eq(play("--resume", "/quit\n"), EXIT_DONE);
    ck_assert(holds(&said, "Back to the game"));
    ck_assert(holds(&said, "Zoe, to the host alone> "));
    ck_assert_int_eq(play("--resume --auto", ""), EXIT_DONE);
    ck_assert(holds(&said, " win: "));
    ck_assert(holds(&said, "Zoe "));
    /* It can be looked at once more. */
    ck_assert_int_eq(play("--resume", ""), EXIT_DONE);
    ck_assert(holds(&said, " win: "));
}
END_TEST

START_TEST(an_unfinished_game_of_a_person_is_never_thrown_away)
{
    struct stat there;
    (void)play("--seed 5ec7e7", "/quit\n");
    ck_assert_int_eq(play("--seed 2 --auto", ""), EXIT_DONE);
    ck_assert(holds(&errors, "placard/play.old;"));
    ck_assert_int_eq(stat(scratch_path("placard/play.old/store.db"), &there),
                     0);
    (void)play("--seed 5ec7e7", "/quit\n");
    (void)play("--seed 2", "/quit\n");
    ck_assert(holds(&errors, "placard/play.old-2;"));
    ck_assert_int_eq(stat(scratch_path("placard/play.old-2/store.db"), &there),
                     0);
}
END_TEST

START_TEST(a_finished_game_makes_room_and_its_record_stays)
{
    struct stat there;
    (void)play("--seed 5ec7e7 --players 5", "");
    ck_assert_int_eq(play("--seed 2 --players 5 --auto", ""), EXIT_DONE);
    ck_assert_uint_eq(errors.len, 0);
    ck_assert_int_ne(stat(scratch_path("placard/play.old"), &there), 0);
    ck_assert_int_eq(
        stat(scratch_path("placard/play/2026-01-05-180000-5ec7e7.jsonl"),
             &there),
        0);
}
END_TEST

START_TEST(there_must_be_a_game_to_go_on_with)
{
    ck_assert_int_eq(play("--resume", ""), EXIT_FAULT);
    ck_assert(holds(&errors, "no game lies in"));
}
END_TEST

START_TEST(two_plays_do_not_meet_in_one_folder)
{
    struct buf why = BUF_INIT;
    int lock = -1;
    (void)play("--seed 5ec7e7", "/quit\n");
    ck_assert_int_eq(
        file_lock(scratch_path("placard/play/store.db.lock"), &lock, &why),
        ERR_NONE);
    ck_assert_int_eq(play("--seed 2 --auto", ""), EXIT_FAULT);
    ck_assert(holds(&errors, "another placard"));
    ck_assert_int_eq(play("--resume", ""), EXIT_FAULT);
    file_unlock(lock);
    ck_assert_int_eq(play("--resume", "/quit\n"), EXIT_DONE);
    buf_release(&why);
}
END_TEST

START_TEST(a_record_that_cant_be_written_is_said)
{
    ck_assert_int_eq(
        play("--auto --seed 1 --players 5 --record @nowhere/record", ""),
        EXIT_FAULT);
    ck_assert(holds(&errors, "nowhere"));
    ck_assert_int_eq(play("--resume", ""), EXIT_DONE);
    ck_assert(holds(&said, "Record: "));
}
END_TEST

/* ---- wrong use ----------------------------------------------------------- */

static const struct {
    const char *words, *said;
} wrong_uses[] = {
    {"--players 4", "from 5 to 10"},
    {"--players eleven", "from 5 to 10"},
    {"--seed xyz", "hex digits"},
    {"--seed 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
     "hex digits"},
    {"--theme space", "theme: can't be \"space\"; write one of the themes"},
    {"--language xx", "language"},
    {"--rules chess", "rules"},
    {"--set ballot", "option=value"},
    {"--set ballot=maybe", "ballot"},
    {"--set ballott=open", "ballott"},
    {"--set nomination=2d", "nomination"},
    {"--pace fast", "milliseconds"},
    {"--seat Mo", "somebody else's name"},
    {"--seat placard", "somebody else's name"},
    {"--seat *x*", "letters, digits"},
    {"--seat [b]", "letters, digits"},
    {"--auto --seat Zoe", "--auto"},
    {"--resume --players 5", "--resume"},
    {"--resume --seed 5", "--resume"},
    {"--replay x --auto", "--replay"},
    {"--nonsense", "unknown option"},
    {"seven", "is no option"},
};

START_TEST(wrong_use_is_said_and_nothing_begins)
{
    struct stat there;
    int code = play(wrong_uses[_i].words, "");
    ck_assert_msg(code == EXIT_USAGE, "%s", wrong_uses[_i].words);
    ck_assert_msg(holds(&errors, wrong_uses[_i].said), "%s", buf_text(&errors));
    ck_assert_uint_eq(said.len, 0);
    ck_assert_int_ne(stat(scratch_path("placard"), &there), 0);
}
END_TEST

/* ---- cut off anywhere ---------------------------------------------------- */

/* Post what comes next, but let the host not see it before the crash. */
static void
post_unseen(struct sim_game *sim_game)
{
    const struct posting *posting = sim_game_next(sim_game);
    struct stage *stage = sim_game->room.stage;
    int64_t due = stage_due(stage);
    if (posting == NULL || (due != 0 && posting->at > due)) {
        return;
    }
    if (posting->at > stage->now) {
        stage->now = posting->at;
    }
    sim_game_must(sim_game,
                  stage_post(stage, posting->author, posting->in_private,
                             posting->text, posting->key, &sim_game->room.why));
}

/* Crash after every so many steps, half of the times with a post that the host
 * has not seen. */
static void
crash_often(struct sim_game *sim_game, unsigned every)
{
    unsigned steps = 0;
    while (sim_game_step(sim_game) == SIM_TABLE_ACTED) {
        ck_assert_uint_lt(steps++, STEPS_MAX);
        if (steps % every == 0) {
            if (steps % (2 * every) == 0) {
                post_unseen(sim_game);
            }
            sim_game_crash(sim_game);
        }
    }
}

static const char *const presets[] = {"play-by-post", "official", "french"};

START_TEST(a_play_cut_off_at_many_points_gives_the_same_record)
{
    struct sim_game whole;
    struct sim_game cut;
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    sim_game_begin(&whole, "c0ffee", 7, presets[_i], "");
    sim_game_play(&whole);
    room_record(&whole.room, "1", &records[0]);
    sim_game_end(&whole);
    for (unsigned every = 1; every <= 5; every += 2) {
        if (((unsigned)_i + every / 2) % effort_one_in(1) != 0) {
            continue;
        }
        buf_clear(&records[1]);
        sim_game_begin(&cut, "c0ffee", 7, presets[_i], "");
        crash_often(&cut, every);
        room_record(&cut.room, "1", &records[1]);
        assert_same_record(&records[0], &records[1]);
        sim_game_end(&cut);
    }
    buf_release(&records[0]);
    buf_release(&records[1]);
}
END_TEST

/* ---- a person who plays to the end --------------------------------------- */

/* Answer with what a simulated player would post in the person's seat. */
static void
answer(struct sim_game *sim_game, bool in_private)
{
    const struct table *table = stage_table(sim_game->room.stage);
    struct cast cast = sim_game->sim_table->cast;
    struct schedule *schedule = must_alloc(sizeof(*schedule));
    const char *text = NULL;
    cast.human = NULL;
    sim_players_schedule(
        &cast, table, stage_catalogue(sim_game->room.stage, table), schedule);
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct posting *posting = &schedule->list[i];
        if (strcmp(posting->author, sim_game->plan.seat) == 0 &&
            strstr(posting->key, ".act") != NULL) {
            ck_assert_int_eq(posting->in_private, in_private);
            text = posting->text;
        }
    }
    ck_assert_ptr_nonnull(text);
    sim_game_must(sim_game, sim_table_say(sim_game->sim_table, in_private, text,
                                          &sim_game->room.why));
    free(schedule);
}

START_TEST(a_person_plays_to_the_end_and_may_speak_after_each_session)
{
    struct sim_game sim_game;
    struct guest guest;
    enum sim_table_turn turn = SIM_TABLE_ACTED;
    unsigned steps = 0;
    unsigned answers = 0;
    unsigned words = 0;
    sim_game_begin(&sim_game, "2c", 5, presets[_i], "Zoe");
    guest_init(&guest);
    guest_begin(&guest, sim_game.sim_table);
    while (turn != SIM_TABLE_OVER) {
        bool in_private = false;
        turn = sim_game_step(&sim_game);
        ck_assert_uint_lt(steps++, STEPS_MAX);
        guest.prompt.terminal = false;
        ck_assert(!guest_may_speak(&guest));
        guest.prompt.terminal = true;
        if (turn == SIM_TABLE_AWAITS) {
            ck_assert(!guest_may_speak(&guest));
            ck_assert(sim_table_awaits(sim_game.sim_table, &in_private));
            answer(&sim_game, in_private);
            answers++;
        } else if (guest_may_speak(&guest)) {
            guest.spoken = stage_table(sim_game.room.stage)->game.round;
            words++;
        }
    }
    ck_assert_uint_gt(answers, 5);
    ck_assert_uint_gt(words, 0);
    guest_release(&guest);
    sim_game_end(&sim_game);
}
END_TEST

/* ---- lines --------------------------------------------------------------- */

static void
prompt_with(struct prompt *prompt, const char *bytes, size_t len)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], bytes, len), (ssize_t)len);
    (void)!close(ends[1]);
    prompt_init(prompt, ends[0]);
}

static const struct {
    const char *typed, *read;
} typed_lines[] = {
    {"**Ja!**\n", "**Ja!**"},
    {"no end", "no end"},
    {"  blanks \t\n", "blanks"},
    {"\n", ""},
    {"crlf\r\n", "crlf"},
    {"Zoë 🟥\n", "Zoë 🟥"},
    {"bad \xff byte\n", "bad \xef\xbf\xbd byte"},
    {"es\033[Acape\n", "es [Acape"},
};

START_TEST(a_typed_line_is_made_clean)
{
    struct prompt prompt;
    struct buf line = BUF_INIT;
    prompt_with(&prompt, typed_lines[_i].typed, strlen(typed_lines[_i].typed));
    ck_assert_int_eq(prompt_read(&prompt, -1, &line), PROMPT_LINE);
    ck_assert_str_eq(buf_text(&line), typed_lines[_i].read);
    ck_assert(!line.cut);
    ck_assert_int_eq(prompt_read(&prompt, -1, &line), PROMPT_END);
    (void)!close(prompt.file);
    prompt_release(&prompt);
    buf_release(&line);
}
END_TEST

START_TEST(a_long_line_is_cut_between_characters)
{
    struct prompt prompt;
    struct buf line = BUF_INIT;
    struct buf typed = BUF_INIT;
    buf_add_text(&typed, "x"); /* so that no character ends at the limit */
    while (typed.len < 10000) {
        buf_add_text(&typed, "ë");
    }
    buf_add_text(&typed, "\nnext\n");
    prompt_with(&prompt, buf_text(&typed), typed.len);
    ck_assert_int_eq(prompt_read(&prompt, -1, &line), PROMPT_LINE);
    ck_assert(line.cut);
    ck_assert_uint_le(line.len, PROMPT_LINE_MAX);
    ck_assert_uint_gt(line.len, PROMPT_LINE_MAX - 4);
    ck_assert_ptr_null(strstr(buf_text(&line), "\xef\xbf\xbd"));
    ck_assert_int_eq(prompt_read(&prompt, -1, &line), PROMPT_LINE);
    ck_assert(!line.cut);
    ck_assert_str_eq(buf_text(&line), "next");
    (void)!close(prompt.file);
    prompt_release(&prompt);
    buf_release(&line);
    buf_release(&typed);
}
END_TEST

START_TEST(nothing_is_waited_for_longer_than_asked)
{
    struct prompt prompt;
    struct buf line = BUF_INIT;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    prompt_init(&prompt, ends[0]);
    ck_assert_int_eq(prompt_read(&prompt, 0, &line), PROMPT_NOTHING);
    ck_assert_int_eq(write(ends[1], "half", 4), 4);
    ck_assert_int_eq(prompt_read(&prompt, 0, &line), PROMPT_NOTHING);
    ck_assert_int_eq(write(ends[1], " a line\n", 8), 8);
    ck_assert_int_eq(prompt_read(&prompt, 0, &line), PROMPT_LINE);
    ck_assert_str_eq(buf_text(&line), "half a line");
    (void)!close(ends[0]);
    (void)!close(ends[1]);
    prompt_release(&prompt);
    buf_release(&line);
}
END_TEST

/* ---- watched at a terminal ------------------------------------------------
 */

enum {
    HOUR = 3600 * 1000, /* a pause that no test lives to see the end of */
    PATIENCE = 60       /* seconds */
};

/* Whether keys were taken and lines are again, as an exit code. */
static int
watch(void)
{
    struct prompt prompt;
    struct termios before;
    struct termios after;
    prompt_init(&prompt, STDIN_FILENO);
    bool good = tcgetattr(STDIN_FILENO, &before) == 0 &&
                prompt_take_keys(&prompt) && write(1, "watching", 8) == 8;
    prompt_pause(&prompt, HOUR);
    prompt_pause(&prompt, 0);
    prompt_release(&prompt);
    good = good && tcgetattr(STDIN_FILENO, &after) == 0;
    return good && after.c_lflag == before.c_lflag ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}

START_TEST(any_key_ends_a_pause_and_is_not_shown)
{
    char seen[64] = "";
    int screen = -1;
    int status = -1;
    if (!terminal_is_there()) {
        return;
    }
    pid_t watcher = forkpty(&screen, NULL, NULL, NULL);
    ck_assert_int_ge(watcher, 0);
    if (watcher == 0) {
        _exit(watch());
    }
    ck_assert_int_eq(read(screen, seen, sizeof(seen) - 1), 8);
    ck_assert_str_eq(seen, "watching");
    ck_assert_int_eq(write(screen, "x", 1), 1);
    ck_assert_int_eq(waitpid(watcher, &status, 0), watcher);
    ck_assert_int_eq(status, 0);
    /* Its end is closed, and nothing came before. */
    ck_assert_int_le(read(screen, seen, sizeof(seen)), 0);
    (void)close(screen);
}
END_TEST

/* What a whole game shows at a terminal. */
static void
watch_a_game(struct terminal *terminal, const char *colours)
{
    const char *const words[] = {TEST_PROGRAM, "play",   "--auto", "--seed",
                                 "5ec7e7",     "--pace", "1",      NULL};
    char state[512];
    const char *const environment[] = {state, colours, NULL};
    snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", scratch);
    terminal_open(terminal, ".", words, environment);
    while (terminal->screen >= 0) {
        if (!terminal_work(terminal) && terminal->screen >= 0) {
            struct pollfd wait = {.fd = terminal->screen, .events = POLLIN};
            (void)poll(&wait, 1, -1);
        }
    }
    ck_assert_int_eq(terminal_end(terminal), EXIT_DONE);
}

START_TEST(who_watches_at_a_terminal_is_told_how_and_sees_colours)
{
    struct terminal terminal;
    if (!terminal_is_there()) {
        return;
    }
    watch_a_game(&terminal, "NO_COLOR=");
    ck_assert(terminal_has_shown(&terminal, "press any key"));
    ck_assert(terminal_has_shown(&terminal, "\033[0;33;1mplacard"));
    ck_assert(terminal_has_shown(&terminal, "Liberals win: "));
    terminal_close(&terminal);
    watch_a_game(&terminal, "NO_COLOR=1");
    ck_assert(terminal_has_shown(&terminal, "**Ja!**"));
    ck_assert(!holds(&terminal.seen, "\033"));
    terminal_close(&terminal);
}
END_TEST

START_TEST(nobody_watches_in_a_pipe)
{
    ck_assert_int_eq(play("--auto --seed 5ec7e7", ""), EXIT_DONE);
    ck_assert(!holds(&said, "press any key"));
}
END_TEST

/* ---- names --------------------------------------------------------------- */

START_TEST(the_cast_makes_way_for_a_persons_name)
{
    static const char *const names[] = {
        "Anna", "ANNA", "Jan", "Karin", "Zoë", "J.R. O'Neill-Smith 2"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct sim_game sim_game;
        char name[RECORD_NAME_MAX + 1];
        unsigned found = 0;
        struct buf why = BUF_INIT;
        ck_assert_msg(sim_table_name(names[i], name, &why) == ERR_NONE, "%s",
                      buf_text(&why));
        sim_game_begin(&sim_game, "1", PLAYERS_MAX, "play-by-post", name);
        for (unsigned place = 0; place < PLAYERS_MAX; place++) {
            ck_assert_ptr_nonnull(sim_game.sim_table->people[place]);
            found += strcmp(sim_game.sim_table->people[place], name) == 0;
        }
        ck_assert_uint_eq(found, 1);
        (void)sim_game_step(&sim_game);
        sim_game_end(&sim_game);
        buf_release(&why);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("play");
    TCase *tests = tcase_create("play");
    TCase *keys = tcase_create("keys");
    TCase *cuts = tcase_create("cuts");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_seed_gives_the_same_record_byte_for_byte);
    tcase_add_test(
        tests, the_last_lines_tell_who_won_by_what_the_roles_and_the_record);
    tcase_add_test(tests, rules_and_settings_are_those_that_were_asked_for);
    tcase_add_test(tests, at_the_end_of_input_the_seat_plays_by_itself);
    tcase_add_test(tests, a_person_reads_their_own_dm_alone);
    tcase_add_loop_test(tests,
                        a_person_is_told_everything_in_the_games_language, 0,
                        sizeof(languages) / sizeof(languages[0]));
    tcase_add_test(tests, what_is_typed_is_posted_where_it_is_awaited);
    tcase_add_test(tests, slash_lines_are_for_the_play);
    tcase_add_test(tests, whoever_waits_lets_the_others_and_the_time_go_on);
    tcase_add_test(tests, an_empty_line_never_lets_the_own_time_run_out);
    tcase_add_test(tests, a_game_that_was_left_goes_on);
    tcase_add_test(tests, an_unfinished_game_of_a_person_is_never_thrown_away);
    tcase_add_test(tests, a_finished_game_makes_room_and_its_record_stays);
    tcase_add_test(tests, there_must_be_a_game_to_go_on_with);
    tcase_add_test(tests, two_plays_do_not_meet_in_one_folder);
    tcase_add_test(tests, a_record_that_cant_be_written_is_said);
    tcase_add_loop_test(tests, wrong_use_is_said_and_nothing_begins, 0,
                        (int)(sizeof(wrong_uses) / sizeof(wrong_uses[0])));
    tcase_add_test(tests,
                   who_watches_at_a_terminal_is_told_how_and_sees_colours);
    tcase_add_test(tests, nobody_watches_in_a_pipe);
    suite_add_tcase(suite, tests);
    tcase_set_timeout(keys, PATIENCE);
    tcase_add_test(keys, any_key_ends_a_pause_and_is_not_shown);
    suite_add_tcase(suite, keys);
    tcase_add_loop_test(
        cuts, a_play_cut_off_at_many_points_gives_the_same_record, 0, 3);
    tcase_add_loop_test(
        cuts, a_person_plays_to_the_end_and_may_speak_after_each_session, 0, 3);
    tcase_add_loop_test(cuts, a_typed_line_is_made_clean, 0,
                        (int)(sizeof(typed_lines) / sizeof(typed_lines[0])));
    tcase_add_test(cuts, a_long_line_is_cut_between_characters);
    tcase_add_test(cuts, nothing_is_waited_for_longer_than_asked);
    tcase_add_test(cuts, the_cast_makes_way_for_a_persons_name);
    suite_add_tcase(suite, cuts);
    return suite;
}
