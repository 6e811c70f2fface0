/*
 * Whole games of random players, posted on the board: what the thread and the
 * DMs show of them, what the record says, and that neither crashes nor
 * faults of the service change anything.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/db_inner.h"
#include "bot/record/verify.h"
#include "bot/store/recover.h"
#include "bot/store/store_inner.h"
#include "tests/support/effort.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    GAMES = 18,     /* 5 to 10 players, three presets */
    ACTS_MAX = 3000 /* by then a game has ended, far and away */
};

static struct room room;
static struct buf why;

static void
set_up(void)
{
    room_init(&room);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* Open the n-th kind of game, dealt fairly from a seed. */
static void
begin(struct room *of, unsigned number)
{
    static const char *const presets[] = {"play-by-post", "official", "french"};
    static char seeds[2][16];
    char *seed = seeds[number % 2];
    snprintf(seed, sizeof seeds[0], "%x", 0xabc + 7919 * number);
    of->fair = true;
    of->seed = seed;
    room_set(of, "rules", presets[number % 3]);
    room_set(of, "misses", number % 4 == 3 ? "1" : "2");
    room_set(of, "power_timeout", number % 5 == 4 ? "lots" : "forfeit");
    room_open(of);
    room_begin(of, 5 + number / 3 % 6);
}

static void
play(struct room *of, struct dice *dice)
{
    unsigned acts = 0;
    while (room_improvise(of, dice)) {
        room_settle(of);
        ck_assert_uint_lt(acts++, ACTS_MAX);
    }
}

/* ---- what is to be seen -------------------------------------------------- */

static bool
is_hosts(const struct seen_post *post)
{
    return strcmp(post->author, BOARD_HOST) == 0;
}

static bool
is_public(const struct seen_post *post)
{
    return strcmp(post->place, "thread") == 0;
}

static size_t
code_points(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

static bool
is_end_post(const struct seen_post *post)
{
    return strstr(post->text, "Thank you, all ") != NULL;
}

/* The start, the end and the status post are lists; and when a deadline empties
 * seats besides, there is much to say at once. */
static size_t
longest(const struct seen_post *post)
{
    static const char *const lists[] = {
        "Welcome, all ", "Secret Hitler, table 1 ", "Secret Hitler, table 1\n"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strncmp(post->text, lists[i], strlen(lists[i])) == 0) {
            return SIZE_MAX;
        }
    }
    if (is_end_post(post)) {
        return SIZE_MAX;
    }
    return strstr(post->text, " empty now. ") != NULL ? 1200 : 1000;
}

/* Nothing public before the last post speaks of roles, hands or parties. */
static void
assert_no_secret(const struct seen_post *post)
{
    static const char *const secrets[] = {
        "You are a ",
        "You are Hitler",
        "you're President",
        "you're Chancellor",
        "belongs to",
        "your choice is in",
        "cards are bel",
        "discard L",
        "discard F",
        "You discarded",
        "You enacted",
        "1 Liberal",
        " → ",
        "you all know each other",
    };
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        assert_lacks(post->text, secrets[i]);
    }
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        char text[64];
        snprintf(text, sizeof text, "Hitler is %s", room_player(i));
        assert_lacks(post->text, text);
        snprintf(text, sizeof text, "%s was Hitler", room_player(i));
        assert_lacks(post->text, text);
    }
}

static void
assert_posts_are_fit(void)
{
    unsigned ends = 0;
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (!is_hosts(post)) {
            continue;
        }
        ck_assert_msg(code_points(post->text) <= longest(post), "%zu: %s",
                      code_points(post->text), post->text);
        assert_lacks(post->text, "{");
        assert_lacks(post->text, "()");
        if (is_public(post) && is_end_post(post)) {
            ends++;
        } else if (is_public(post)) {
            assert_no_secret(post);
        }
    }
    ck_assert_uint_eq(ends, 1);
}

/* How many private messages to somebody, or to everybody else, hold a text. */
static unsigned
count_told(const char *who, const char *text, bool others)
{
    char place[300];
    unsigned count = 0;
    snprintf(place, sizeof place, "talk/%s", who);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        count += is_hosts(post) && !is_public(post) &&
                 (strcmp(post->place, place) != 0) == others &&
                 strstr(post->text, text) != NULL;
    }
    return count;
}

static void
assert_told(const char *who, const char *text, unsigned most)
{
    unsigned told = count_told(who, text, false);
    ck_assert_msg(told >= 1 && told <= most, "%s: %s: %u", who, text, told);
    ck_assert_msg(count_told(who, text, true) == 0, "not only %s: %s", who,
                  text);
}

/* Each secret line of the record was told to whom it belongs, and to nobody
 * else. */
static void
assert_line_told(const struct record_game *game, const struct record_line *line,
                 unsigned round)
{
    const struct event *event = &line->event;
    const char *who = game->names[event->seat];
    char text[100];
    if (line->kind == EVENT_HAND) {
        snprintf(text, sizeof text, "round %u: you're President,", round);
        assert_told(who, text, 1);
    } else if (line->kind == EVENT_PEEKED) {
        snprintf(text, sizeof text, "round %u: the next three cards", round);
        assert_told(who, text, 1);
    } else if (line->kind == EVENT_INVESTIGATED) {
        snprintf(text, sizeof text,
                 "round %u: the result of your investigation", round);
        assert_told(who, text, 1);
    }
}

static void
assert_chancellor_told(const struct record_game *game, unsigned chancellor,
                       unsigned round)
{
    char text[100];
    snprintf(text, sizeof text, "round %u: you're Chancellor,", round);
    assert_told(game->names[chancellor], text, 2); /* after a veto: again */
}

static void
assert_role_told(const struct record_game *game, const struct event *dealt,
                 unsigned seat)
{
    static const char *const roles[] = {
        "You are a Liberal.", "You are a Fascist.", "You are Hitler."};
    unsigned role = seat_in(seat, dealt->seats) ? 1
                    : seat == dealt->target     ? 2
                                                : 0;
    for (unsigned other = 0; other < 3; other++) {
        ck_assert_uint_eq(count_told(game->names[seat], roles[other], false),
                          other == role);
    }
}

static void
assert_secrets_were_told(const struct record_game *game)
{
    unsigned round = 0;
    unsigned nominee = NO_SEAT;
    for (size_t i = 0; i < game->line_count; i++) {
        const struct record_line *line = &game->lines[i];
        if (line->kind == EVENT_ROUND) {
            round = line->event.round;
        } else if (line->kind == EVENT_NOMINATED) {
            nominee = line->event.target;
        } else if (line->kind == EVENT_PASSED) {
            assert_chancellor_told(game, nominee, round);
        } else if (line->kind == EVENT_DEALT) {
            for (unsigned seat = 0; seat < game->players; seat++) {
                assert_role_told(game, &line->event, seat);
            }
        }
        assert_line_told(game, line, round);
    }
}

/* Is every seat still there?  A vacant one is told nothing. */
static bool
is_anybody_vacant(const struct record_game *game)
{
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == EVENT_VACATED) {
            return true;
        }
    }
    return false;
}

static void
assert_legal(const struct buf *text, enum legality legality,
             struct record *record)
{
    struct verdict verdict;
    ck_assert_msg(record_read(text->data, text->len, record, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_uint_eq(record->game_count, 1);
    verify_game(&record->games[0], &verdict);
    ck_assert_msg(verdict.legality == legality, "line %zu (%s): %s: %s",
                  verdict.number, verdict.kind,
                  verdict.rule == NULL ? "" : verdict.rule,
                  buf_text(&verdict.why));
    verdict_release(&verdict);
}

START_TEST(a_random_game_is_told_and_recorded_as_it_should)
{
    struct dice dice = {(uint64_t)_i * 12345 + 1};
    struct buf text = BUF_INIT;
    struct record record = {.games = NULL};
    struct table table;
    table_init(&table);
    begin(&room, (unsigned)_i);
    play(&room, &dice);
    room_read(&room);
    assert_posts_are_fit();
    room_record(&room, "1", &text);
    assert_legal(&text, LEGALITY_FINISHED, &record);
    if (!is_anybody_vacant(&record.games[0])) {
        assert_secrets_were_told(&record.games[0]);
    }
    /* What the engine makes of the journal is what the record tells. */
    ck_assert_msg(recover_table(room.stage->tables.store, "1", &table, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_int_eq(table.state, TABLE_OVER);
    assert_sane_game(&table.game);
    ck_assert_uint_eq(table.seq, record.games[0].line_count);
    ck_assert_int_eq(outbox_wake(&room.stage->tables.outbox, 0), 0);
    table_release(&table);
    record_release(&record);
    buf_release(&text);
}
END_TEST

START_TEST(at_any_time_the_record_is_legal_so_far)
{
    struct dice dice = {(uint64_t)_i + 77};
    unsigned acts = 0;
    begin(&room, (unsigned)_i * 5);
    while (room_improvise(&room, &dice)) {
        struct buf text = BUF_INIT;
        struct record record = {.games = NULL};
        room_settle(&room);
        if (stage_table(room.stage) != NULL && acts++ % 7 == 0) {
            room_record(&room, "1", &text);
            assert_legal(&text, LEGALITY_SO_FAR, &record);
        }
        record_release(&record);
        buf_release(&text);
    }
}
END_TEST

/* ---- crashes ------------------------------------------------------------- */

static int
by_place_then_author(const struct seen_post *one, const struct seen_post *other)
{
    int place = strcmp(one->place, other->place);
    return place != 0 ? place : (int)is_hosts(other) - (int)is_hosts(one);
}

/* Everything on the board by place, the host's posts first. */
static void
add_board(struct room *of, struct buf *out)
{
    room_read(of);
    for (size_t i = 1; i < of->post_count; i++) {
        struct seen_post post = of->posts[i];
        size_t at = i;
        while (at > 0 && by_place_then_author(&of->posts[at - 1], &post) > 0) {
            of->posts[at] = of->posts[at - 1];
            at--;
        }
        of->posts[at] = post;
    }
    for (size_t i = 0; i < of->post_count; i++) {
        const struct seen_post *post = &of->posts[i];
        buf_addf(out, "%s %s: %s%s\n", post->place, post->author, post->raw,
                 post->reactions);
    }
}

/* Crash, at once or after some rounds of the loop, and come back. */
static void
crash(struct room *of, struct dice *dice)
{
    for (unsigned turns = dice_below(dice, 4); turns > 0; turns--) {
        enum err err = loop_turn(&of->stage->loop, of->stage->now, 0, &why);
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    }
    room_shut(of);
    room_open(of);
}

static void
play_with_crashes(struct room *of, struct dice *dice, struct dice *crashes)
{
    while (room_improvise(of, dice)) {
        if (dice_below(crashes, 2) == 0) {
            crash(of, crashes);
        } else {
            room_settle(of);
        }
    }
}

START_TEST(crashes_at_any_time_change_nothing)
{
    struct room other;
    struct buf boards[2] = {BUF_INIT, BUF_INIT};
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct dice dice[2] = {{(uint64_t)_i + 5}, {(uint64_t)_i + 5}};
    struct dice crashes = {(uint64_t)_i + 99};
    begin(&room, (unsigned)_i * 7 + 1);
    play(&room, &dice[0]);
    room_init(&other);
    begin(&other, (unsigned)_i * 7 + 1);
    play_with_crashes(&other, &dice[1], &crashes);
    room_record(&room, "1", &records[0]);
    room_record(&other, "1", &records[1]);
    ck_assert_str_eq(buf_text(&records[0]), buf_text(&records[1]));
    room_transcript(&room, "thread", &boards[0]);
    room_transcript(&other, "thread", &boards[1]);
    ck_assert_str_eq(buf_text(&boards[0]), buf_text(&boards[1]));
    add_board(&room, &boards[0]);
    add_board(&other, &boards[1]);
    ck_assert_str_eq(buf_text(&boards[0]), buf_text(&boards[1]));
    room_release(&other);
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&boards[i]);
        buf_release(&records[i]);
    }
}
END_TEST

enum {
    FIRST_POSTS = 30 /* more than a sign-up has */
};

/* Post again what people posted in another room, at the same times; the host
 * looks now and then, and after each private post: what follows from it, people
 * know from the host alone. */
static void
post_again(struct room *of, struct dice *dice)
{
    bool secret = false;
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (is_hosts(post)) {
            continue;
        }
        if (secret) {
            room_settle(of);
        }
        secret = !is_public(post);
        of->stage->now = post->stamp;
        enum err err = stage_post(of->stage, post->author, !is_public(post),
                                  post->raw, NULL, &why);
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
        /* Sign-up goes post by post: its ids are in the transcript. */
        if (i < FIRST_POSTS || dice_below(dice, 5) == 0) {
            room_settle(of);
        }
    }
    room_settle(of);
}

START_TEST(posts_count_alike_one_by_one_and_many_at_once)
{
    struct room other;
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct dice dice = {(uint64_t)_i + 1000};
    room.prompt = true;
    begin(&room, (unsigned)_i * 5);
    play(&room, &dice);
    room_read(&room);
    room_init(&other);
    other.fair = true;
    other.seed = room.seed;
    other.settings = room.settings;
    room_open(&other);
    post_again(&other, &dice);
    room_record(&room, "1", &records[0]);
    room_record(&other, "1", &records[1]);
    ck_assert_str_eq(buf_text(&records[0]), buf_text(&records[1]));
    room_release(&other);
    buf_release(&records[0]);
    buf_release(&records[1]);
}
END_TEST

/* Every other seat never comes: within phases of a minute they lose their
 * seats, and the others play on to a real end. */
START_TEST(a_game_in_which_half_go_silent_ends_by_itself)
{
    static const char *const times[] = {"nomination", "election", "president",
                                        "chancellor", "veto",     "power"};
    struct dice dice = {(uint64_t)_i + 77};
    struct buf lines = BUF_INIT;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        room_set(&room, times[i], "1m");
    }
    room.prompt = true;
    room.silent = _i % 2 == 0 ? 0x155 : 0x2aa;
    begin(&room, (unsigned)_i * 3);
    unsigned players = room_table(&room)->seated;
    int64_t began = room.stage->now;
    play(&room, &dice);
    room_record(&room, "1", &lines);
    ck_assert_msg(strstr(buf_text(&lines), "\"ended\"") != NULL &&
                      strstr(buf_text(&lines), "\"abandoned\"") == NULL,
                  "no end: %s", buf_text(&lines));
    ck_assert_int_lt(room.stage->now - began, 3 * HOUR_MS);
    ck_assert_uint_ge(room_count_said(&room, " empty now. "), 1);
    for (unsigned i = 0; i < players; i++) {
        /* Absent people are sent their questions and say nothing. */
        ck_assert_uint_eq(room_count_told(&room, room_player(i), "role is"), 1);
    }
    buf_release(&lines);
}
END_TEST

/* SQLite takes a partial index only where a statement states the index's own
 * condition; without one it reads every row of all games. */
static void
assert_reads_few(sqlite3 *handle, const char *sql)
{
    static const char *const long_tables[] = {"SCAN journal", "SCAN message",
                                              "SCAN post", "SCAN game"};
    struct buf plan = BUF_INIT;
    sqlite3_stmt *rows = NULL;
    buf_addf(&plan, "EXPLAIN QUERY PLAN %s", sql);
    ck_assert_int_eq(
        sqlite3_prepare_v2(handle, buf_text(&plan), -1, &rows, NULL),
        SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(rows, 3);
        for (size_t i = 0; i < sizeof long_tables / sizeof *long_tables; i++) {
            ck_assert_msg(strcmp(step, long_tables[i]) != 0, "%s: %s", step,
                          sql);
        }
    }
    sqlite3_finalize(rows);
    buf_release(&plan);
}

START_TEST(what_a_game_asks_the_store_takes_no_longer_with_others_there)
{
    struct dice dice = {(uint64_t)_i + 7};
    room_open(&room);
    const struct db *db = room.stage->tables.store->db;
    size_t opened = db->count;
    room_begin(&room, 7);
    play(&room, &dice);
    ck_assert_uint_gt(db->count, opened);
    for (size_t i = opened; i < db->count; i++) {
        assert_reads_few(db->handle, db->statements[i].sql);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/whole_games");
    TCase *tcase = tcase_create("whole games");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, a_random_game_is_told_and_recorded_as_it_should,
                        0, (int)effort_of(GAMES));
    tcase_add_loop_test(tcase, a_game_in_which_half_go_silent_ends_by_itself, 0,
                        12);
    tcase_add_loop_test(tcase, at_any_time_the_record_is_legal_so_far, 0, 6);
    tcase_add_loop_test(tcase, crashes_at_any_time_change_nothing, 0, 6);
    tcase_add_loop_test(tcase, posts_count_alike_one_by_one_and_many_at_once, 0,
                        6);
    tcase_add_loop_test(
        tcase, what_a_game_asks_the_store_takes_no_longer_with_others_there, 0,
        3);
    suite_add_tcase(suite, tcase);
    return suite;
}
