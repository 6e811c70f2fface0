/*
 * placard at real forums, and at servers of Discord's kind: a whole game at
 * each that the environment names (game.h), played by people's own accounts.
 * It is played once, then looked at: each test says one thing that the accounts
 * saw, or did not see.
 *
 * What is not named is not played, which is said.  Times are real here, and
 * waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/json.h"
#include "tests/live/game.h"
#include "tests/live/look.h"
#include "tests/support/runner.h"

static const struct guest_kind *const kinds[] = {
    &guest_discourse, &guest_nodebb, &guest_phpbb, &guest_discord};

enum {
    KINDS = sizeof(kinds) / sizeof(kinds[0])
};

static struct live_game game; /* the one that is played */
static json_object *record;

/* ---- looking back -------------------------------------------------------- */

static const char *
path_of(const char *name)
{
    static char path[600];

    snprintf(path, sizeof(path), "%s/%s", game.host.folder, name);
    return path;
}

/* What the record says of the first event of that name. */
static json_object *
line_of(const char *event)
{
    size_t from = 0;

    return look_line(record, event, &from);
}

static const char *
role_in(const char *text)
{
    if (strstr(text, "You are Hitler") != NULL) {
        return "hitler";
    }
    return strstr(text, "You are a Fascist") != NULL ? "fascist" : "liberal";
}

/* The role that an account was told; the test fails if there are two. */
static const char *
role_of(const struct guest *guest)
{
    const char *role = NULL;

    for (size_t i = 0; i < guest->count; i++) {
        const struct guest_post *post = &guest->posts[i];

        if (post->dm && post->by_host &&
            strstr(post->text, "your role is below") != NULL) {
            ck_assert_msg(role == NULL, "%s is told a role twice", guest->name);
            role = role_in(post->text);
        }
    }
    ck_assert_msg(role != NULL, "%s is told no role", guest->name);
    return role;
}

/* The value of a member, whatever the case of its key. */
static const char *
member_of(json_object *object, const char *name)
{
    json_object_object_foreach(object, key, value)
    {
        if (guest_is(name, key)) {
            return json_object_get_string(value);
        }
    }
    return "";
}

static unsigned
count_events(const char *event)
{
    unsigned count = 0;

    for (size_t i = 0; i < json_object_array_length(record); i++) {
        const char *is =
            jdoc_string(json_object_array_get_idx(record, i), "event");

        count += is != NULL && strcmp(is, event) == 0;
    }
    return count;
}

/* ---- the tests ----------------------------------------------------------- */

START_TEST(the_game_ends_with_the_roles_revealed)
{
    for (unsigned i = 0; i < game.count; i++) {
        ck_assert_uint_eq(game_count(&game.guests[i], false, "Welcome, all"),
                          1);
        ck_assert_uint_ge(game_count(&game.guests[i], false, " win"), 1);
        ck_assert_uint_ge(
            game_count(&game.guests[i], false, " was Hitler") +
                game_count(&game.guests[i], false, " is Hitler. The "),
            1);
    }
}
END_TEST

START_TEST(each_player_is_told_the_role_of_the_record_once)
{
    json_object *roles = jdoc_get(line_of("dealt"), "roles");

    for (unsigned i = 1; i < game.count; i++) {
        const struct guest *guest = &game.guests[i];

        ck_assert_str_eq(role_of(guest), member_of(roles, guest->name));
    }
}
END_TEST

START_TEST(each_round_and_each_hand_of_the_record_is_told_once)
{
    unsigned hands = 0;
    unsigned passed = 0;

    for (unsigned i = 1; i < game.count; i++) {
        hands += game_count(&game.guests[i], true, "you're President,");
        passed += game_count(&game.guests[i], true, "two cards are below");
    }
    ck_assert_uint_gt(count_events("round"), 0);
    ck_assert_uint_eq(
        game_count(&game.guests[0], false, " is up for President"),
        count_events("round"));
    ck_assert_uint_eq(hands, count_events("hand"));
    ck_assert_uint_eq(passed, count_events("passed"));
}
END_TEST

/* Is every line of a private text that says something absent from what another
 * account sees?  A copy of an answer in the topic begins with a mention. */
static void
assert_unseen(const char *secret, const struct guest *guest, bool dm)
{
    while (*secret != '\0') {
        size_t len = strcspn(secret, "\n");
        char line[512];

        snprintf(line, sizeof(line), "%.*s", (int)len, secret);
        for (size_t i = 0; len >= 20 && i < guest->count; i++) {
            const struct guest_post *post = &guest->posts[i];

            ck_assert_msg(post->dm != dm || strstr(post->text, line) == NULL,
                          "%s sees: %s", guest->name, line);
        }
        secret += len + (secret[len] == '\n');
    }
}

START_TEST(nothing_private_is_seen_in_the_topic)
{
    unsigned secrets = 0;

    for (unsigned i = 1; i < game.count; i++) {
        const struct guest *guest = &game.guests[i];

        for (size_t n = 0; n < guest->count; n++) {
            if (guest->posts[n].dm && guest->posts[n].by_host &&
                guest->posts[n].text[0] != '@') {
                assert_unseen(guest->posts[n].text, &game.guests[0], false);
                secrets++;
            }
        }
    }
    ck_assert_uint_gt(secrets, game.count);
}
END_TEST

START_TEST(who_does_not_play_is_told_nothing_in_private)
{
    ck_assert_uint_eq(game_count(&game.guests[0], true, "role is below"), 0);
    ck_assert_uint_eq(game_count(&game.guests[0], true, "cards"), 0);
}
END_TEST

/* No two posts of the host are the same: each has its round, or its time. */
START_TEST(no_post_is_there_twice)
{
    const struct guest *guest = &game.guests[0];

    for (size_t i = 0; i < guest->count; i++) {
        const struct guest_post *one = &guest->posts[i];

        for (size_t n = 0; one->by_host && n < i; n++) {
            const struct guest_post *other = &guest->posts[n];

            ck_assert_msg(!other->by_host || other->dm != one->dm ||
                              strstr(one->text, "Round ") == NULL ||
                              strcmp(one->text, other->text) != 0,
                          "twice: %s", one->text);
        }
    }
}
END_TEST

START_TEST(an_edit_that_would_be_a_vote_is_told_once_and_counts_for_nothing)
{
    ck_assert_uint_eq(
        game_count(&game.guests[0], false,
                   "editing it changes nothing. You "
                   "haven't voted yet"),
        game.kind->told_soon && strcmp(game.votes, "open") == 0 ? 1 : 0);
}
END_TEST

START_TEST(the_record_proves_the_game)
{
    const char *const verify[] = {"verify", path_of("game.jsonl"), NULL};

    ck_assert_int_eq(host_command(&game.host, verify, "verify.out"), 0);
}
END_TEST

/* Run `placard check`, whose words are added; its exit code. */
static int
check(const struct host *host, struct buf *said)
{
    const char *const words[] = {"check", "-c", "CONF", NULL};
    char path[300];
    int code = host_command(host, words, "check.out");

    snprintf(path, sizeof(path), "%s/check.out", host->folder);
    live_read(path, said);
    return code;
}

static void
assert_checked(const struct buf *said, const char *words)
{
    ck_assert_msg(strstr(buf_text(said), words) != NULL, "“%s” is not in: %s",
                  words, buf_text(said));
}

START_TEST(a_check_finds_the_service_fit_to_play_at)
{
    struct buf said = BUF_INIT;
    int code = check(&game.host, &said);

    ck_assert_msg(code == 0, "%s", buf_text(&said));
    assert_checked(&said, "  may:     read, post, edit its posts, send private "
                          "messages, ");
    assert_checked(&said, "  posts:   ");
    assert_checked(&said, "  names:   in bold");
    if (game.kind->told_soon) {
        assert_checked(&said, "  limits:  ");
    }
    printf("%s", buf_text(&said));
    buf_release(&said);
}
END_TEST

/* On servers like Discord a player's token is not a bot's. */
START_TEST(a_check_tells_what_a_players_account_lacks)
{
    const struct guest *guest = &game.guests[1];
    struct host host;
    struct buf said = BUF_INIT;
    struct buf words = BUF_INIT;

    if (game.kind->told_soon) {
        game_set_host(&game, &host, "ordinary", guest->name, guest->secret);
        ck_assert_int_eq(check(&host, &said), 0);
        assert_checked(&said, "  may not: ");
        buf_addf(&words, "  change:  Make %s a moderator",
                 game.kind->names_host ? guest->name : guest->user);
        assert_checked(&said, buf_text(&words));
    }
    buf_release(&said);
    buf_release(&words);
}
END_TEST

/* ---- the suite ----------------------------------------------------------- */

static void
print_numbers(void)
{
    unsigned asked = 0;

    for (unsigned i = 0; i < game.count; i++) {
        asked += game.guests[i].asked;
    }
    printf("  %s: %u rounds in %lld s; %u requests of players\n",
           game.kind->name, game.rounds,
           (long long)(game.ended - game.begun) / SECOND_MS, asked);
    (void)fflush(stdout);
}

static void
play(const struct guest_kind *kind)
{
    const char *const export[] = {"record", "-c", "CONF", "1",
                                  "-o",     NULL, NULL};
    const char *words[sizeof(export) / sizeof(export[0])];

    ck_assert(game_is_set(&game, kind));
    game_play(&game);
    memcpy(words, export, sizeof(export));
    words[5] = path_of("game.jsonl");
    ck_assert_int_eq(host_command(&game.host, words, "record.out"), 0);
    record = look_record(path_of("game.jsonl"));
    print_numbers();
}

static void
play_discourse(void)
{
    play(&guest_discourse);
}

static void
play_nodebb(void)
{
    play(&guest_nodebb);
}

static void
play_phpbb(void)
{
    play(&guest_phpbb);
}

static void
play_guild(void)
{
    play(&guest_discord);
}

static void
end(void)
{
    json_object_put(record);
    game_release(&game);
}

static void
add_tests(TCase *tests)
{
    tcase_add_test(tests, the_game_ends_with_the_roles_revealed);
    tcase_add_test(tests, each_player_is_told_the_role_of_the_record_once);
    tcase_add_test(tests, each_round_and_each_hand_of_the_record_is_told_once);
    tcase_add_test(tests, nothing_private_is_seen_in_the_topic);
    tcase_add_test(tests, who_does_not_play_is_told_nothing_in_private);
    tcase_add_test(tests, no_post_is_there_twice);
    tcase_add_test(
        tests,
        an_edit_that_would_be_a_vote_is_told_once_and_counts_for_nothing);
    tcase_add_test(tests, the_record_proves_the_game);
    tcase_add_test(tests, a_check_finds_the_service_fit_to_play_at);
    tcase_add_test(tests, a_check_tells_what_a_players_account_lacks);
}

Suite *
test_suite(void)
{
    static void (*const plays[KINDS])(void) = {play_discourse, play_nodebb,
                                               play_phpbb, play_guild};
    const char *scratch = getenv("PLACARD_LIVE");
    Suite *suite = suite_create("live/games");

    for (size_t i = 0; i < KINDS; i++) {
        if (!game_is_set(&game, kinds[i])) {
            continue;
        }
        TCase *tests = tcase_create(kinds[i]->name);

        if (scratch == NULL) {
            die("PLACARD_LIVE names no folder; `make check-live` does");
        }
        tcase_set_timeout(tests, 3600);
        tcase_add_unchecked_fixture(tests, plays[i], end);
        add_tests(tests);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
