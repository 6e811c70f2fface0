/*
 * Whole games on a Discord in memory, through its gateway: by presses alone, by
 * posts alone, or half of the players press, the others write, and the host is
 * killed now and then.
 *
 * Everything but the network and the clock is the product's: tables, loop,
 * dispatch, HTTP client and adapter.  People know no more than they are shown:
 * they can press only what stands under a message, or under an answer to them
 * (tests/support/fake_presses.h, which holds the bot to Discord's limits).
 */
/* For memmem.  NOLINTNEXTLINE */
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/base/splitmix.h"
#include "bot/record/verify.h"
#include "bot/tables/hosted.h"
#include "tests/bench/fake_curl.h"
#include "tests/bench/fake_gateway.h"
#include "tests/support/fake_presses.h"
#include "tests/support/runner.h"
#include "tests/support/virtual_host.h"

enum {
    STILL_TURNS = 4, /* at one time, then it goes on by a millisecond */
    GATEWAY_MS = 60,
};

static struct fake_discord *discord;
static struct fake_presses *presses;
static struct virtual_host host;
static struct fake_line line;
static struct buf why;
static char folder[64], conf[96];
static int64_t now;
static unsigned still;
static uint64_t channel; /* where the game is played */
static uint64_t chance;
/* Who presses: every second player, all, or nobody. */
static enum {
    MIXED,
    PRESSED,
    POSTED
} way;
static bool slash; /* who presses gives commands instead where there are some */
static bool blind; /* without Message Content: who writes mentions the bot */
static const char *of_place; /* its settings */

static const char *const names[] = {"Anna",  "Bob",  "Carl",  "Dora", "Emil",
                                    "Frida", "Gert", "Hanna", "Ida",  "Jan"};

static void
must(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

/* ---- time ---------------------------------------------------------------- */

static bool
serve(void *context, int64_t at, const struct request *request,
      struct buf *body, struct reply *reply)
{
    (void)context;
    fake_discord_serve(discord, at, request, body, reply);
    return true;
}

static void
open_host(void)
{
    fake_curl_open(&line);
    fake_gateway_open(GATEWAY_MS);
    /* The host takes it out of the environment. */
    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", GUILD_TOKEN, 1), 0);
    must(virtual_host_open(&host, conf, &why));
    host.sleeps = true;
}

static int64_t
wake_of_host(void)
{
    int64_t polled = fake_curl_polled();
    int64_t wake = host.wake;

    if (polled > 0 && polled < wake) {
        wake = polled;
    }
    if (polled == 0 && host.busy > 0) {
        wake = now;
    }
    if (wake > now) {
        still = 0;
        return wake;
    }
    return ++still < STILL_TURNS ? now : now + 1;
}

static int64_t
earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* Let the host sleep until something wakes it, at the latest at `end`. */
static void
sleep_until(int64_t end)
{
    int64_t wake = earlier(end, wake_of_host());

    for (;;) {
        int64_t request = fake_curl_next_request();
        int64_t woken =
            earlier(wake, earlier(fake_curl_next_reply(), fake_gateway_next()));
        int64_t next = earlier(woken, request);

        now = next > now ? next : now;
        fake_curl_tell(now);
        fake_gateway_tell(discord, now);
        if (woken <= request) {
            return;
        }
    }
}

static void
pass(int64_t time)
{
    int64_t end = now + time;

    while (now < end) {
        must(virtual_host_turn(&host, now, &why));
        sleep_until(end);
    }
}

/* It dies as it stands, and is started again. */
static void
kill_host(void)
{
    virtual_host_close(&host);
    open_host();
}

/* ---- opening ------------------------------------------------------------- */

static void
write_conf(const char *settings)
{
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "store = \"store.db\";\n%s"
             "services = ( { name = \"discord\"; buttons = \"on\"; "
             "commands = \"%s\"; "
             "token_env = \"PLACARD_TEST_TOKEN\"; } );\n"
             "places = ( { name = \"parlour\"; service = \"discord\"; "
             "address = \"" GUILD_PLACE "\"; thread = \"here\"; %s} );\n",
             settings, slash ? "on" : "off", of_place);
    must(file_write(conf, buf_text(&text), text.len, 0600, &why));
    buf_release(&text);
}

static void
set_up(void)
{
    snprintf(folder, sizeof(folder), "%s/placard-test-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(conf, sizeof(conf), "%s/placard.cfg", folder);
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
    log_set_level(LOG_LEVEL_ERROR);
    discord = fake_discord_new();
    fake_discord_habits(discord)->unheld = true;
    presses = fake_presses_new(discord);
    channel = strtoull(GUILD_CHANNEL, NULL, 10);
    line =
        (struct fake_line){.serve = serve,
                           .there = 25,
                           .back = 35,
                           .jitter = 40,
                           .token_header = "Authorization: Bot " GUILD_TOKEN};
    now = GUILD_START;
    still = 0;
    way = MIXED;
    slash = false;
    blind = false;
    of_place = "";
}

static bool
presses_it(unsigned seat)
{
    return way == PRESSED || (way == MIXED && seat % 2 == 0);
}

static void
remove_folder(void)
{
    static const char *const files[] = {"placard.cfg",  "store.db",
                                        "store.db-wal", "store.db-shm",
                                        "store.db.key", "store.db.lock"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[128];

        snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        (void)remove(path);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

static void
tear_down(void)
{
    virtual_host_close(&host);
    fake_presses_free(presses);
    fake_discord_free(discord);
    remove_folder();
    buf_release(&why);
}

/* ---- people -------------------------------------------------------------- */

static bool
is_on(void)
{
    return host.tables.hosted.count > 0;
}

/* The table that is on. */
static const struct table *
table(void)
{
    ck_assert(is_on());
    const struct table *found = &host.tables.hosted.list[0]->table;
    if (found == NULL) {
        ck_abort_msg("it can't be loaded");
    }
    return found;
}

static void
write_post(const char *user, uint64_t where, const char *text)
{
    struct buf words = BUF_INIT;

    if (blind && where != 0) {
        /* A command that mentions the bot needs no sign before it. */
        buf_addf(&words, "<@" GUILD_BOT "> %s", text + (*text == '!'));
    } else {
        buf_add_text(&words, text);
    }
    (void)fake_discord_post(discord, user, where, buf_text(&words), now);
    fake_gateway_tell(discord, now);
    pass(15 * SECOND_MS);
    buf_release(&words);
}

/* Somebody presses. */
static struct fake_press *
begin_press(const char *user, uint64_t where, const char *label)
{
    struct buf event = BUF_INIT;
    struct fake_press *press =
        fake_presses_press(presses, user, where, label, now, &event);

    if (press == NULL) {
        ck_abort_msg("%s finds no \"%s\"", user, label);
    }
    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), now);
    buf_release(&event);
    return press;
}

static void
await_answer(const struct fake_press *press, const char *what)
{
    /* What is asked in private waits until all DMs were looked into. */
    bool secret = is_on() && table_is_secret(table());
    for (unsigned i = 0; i < (secret ? 30 : 1) && press->answers == 0; i++) {
        pass(10 * SECOND_MS);
    }
    ck_assert_msg(press->acknowledged && press->answers == 1,
                  "%s has pressed \"%s\": acknowledged %d, %u answers",
                  press->user, what, press->acknowledged, press->answers);
}

/* The same, and they are answered. */
static void
press(const char *user, uint64_t where, const char *label)
{
    await_answer(begin_press(user, where, label), label);
}

/* Somebody gives a slash command, and is answered. */
static struct fake_press *
command(const char *user, const char *name, const char *value)
{
    struct buf event = BUF_INIT;
    struct fake_press *given =
        fake_presses_command(presses, user, channel, name, value, now, &event);

    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), now);
    buf_release(&event);
    await_answer(given, name);
    return given;
}

/* Somebody asks in a player's menu for their votes, and is told. */
static void
assert_votes_of(const char *user, const char *person, const char *told)
{
    struct buf event = BUF_INIT;
    struct fake_press *given = fake_presses_ask_of(
        presses, user, channel, "Their votes", person, now, &event);

    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), now);
    buf_release(&event);
    await_answer(given, "Their votes");
    ck_assert_msg(strstr(given->content, told) != NULL, "%s", given->content);
}

static void
begin_game(const char *settings, unsigned players)
{
    char text[32];

    write_conf(settings);
    open_host();
    pass(MINUTE_MS);
    snprintf(text, sizeof(text), "!new players=%u", players);
    write_post("Mo", channel, text);
    for (unsigned i = 0; i < players; i++) {
        if (presses_it(i) && slash) {
            command(names[i], "join", "");
        } else if (presses_it(i)) {
            press(names[i], channel, "Join");
        } else {
            write_post(names[i], channel, "!join");
        }
    }
    if (table()->state == TABLE_CHECK) {
        for (unsigned i = 0; i < players; i++) {
            press(names[i], channel, "I'm ready");
        }
    }
    pass(2 * MINUTE_MS);
    ck_assert_int_eq(table()->state, TABLE_RUNNING);
}

/* One of a set of seats. */
static unsigned
choose(seat_set seats)
{
    unsigned skip = splitmix_below(&chance, seat_count(seats));
    unsigned seat = 0;

    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
    }
    return seat;
}

/* What an awaited seat does: a label, and the words for the same. */
static bool
choose_act(char label[160], char words[200])
{
    struct awaits awaits = game_awaits(&table()->game);
    bool yes = splitmix_below(&chance, 3) > 0;

    if (awaits.question == QUESTION_VOTE) {
        snprintf(label, 160, "%s", yes ? "Ja!" : "Nein!");
    } else if (awaits.question == QUESTION_VETO) {
        snprintf(label, 160, "%s", yes ? "Approve" : "Decline");
        snprintf(words, 200, "**%s**", yes ? "Approved" : "Declined");
        return true;
    } else if (awaits.choices != 0) {
        snprintf(label, 160, "%s", table()->seats[choose(awaits.choices)].name);
    } else {
        return false;
    }
    snprintf(words, 200, "**%s**", label);
    return true;
}

/* Whoever is asked for a card shows the hand, and takes the first. */
static void
press_card(const char *user)
{
    const struct game *game = &table()->game;
    bool liberal = game->question == QUESTION_DISCARD
                       ? pile_is_liberal(game->hand, 0)
                       : pile_liberals(game->hand) > 0;

    if (slash) {
        command(user, "hand", "");
    } else {
        press(user, channel, "Show my cards");
    }
    press(user, 0, liberal ? "1 Liberal" : "1 Fascist");
    press(user, 0, "Yes");
}

/* Buttons stand only under what asks the open question, and those that show a
 * role.  Those under private messages go once the session is over. */
static void
assert_settled_is_bare(void)
{
    bool on = is_on();
    unsigned phase = on ? table_phase(table()) : UINT_MAX;
    bool secret = on && table_is_secret(table());

    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, i);
        const char *at = message->components;
        bool dm = *fake_discord_dm(discord, message->channel) != '\0';

        while (at != NULL && (at = strstr(at, ": \"1.")) != NULL) {
            char *choice = NULL;
            unsigned long asks = strtoul(at + strlen(": \"1."), &choice, 10);

            ck_assert_msg(strncmp(choice, ".s", 2) == 0 || asks >= phase ||
                              (secret && dm && asks == phase - 1),
                          "%s\nhas %s in %u", message->content,
                          message->components, phase);
            at = choice;
        }
    }
}

/* The next awaited seat acts. */
static bool
play_on(void)
{
    char label[160] = "";
    char words[200];

    if (!is_on()) {
        return false;
    }
    struct awaits awaits = game_awaits(&table()->game);
    ck_assert_uint_ne(awaits.seats, 0);
    unsigned seat = choose(awaits.seats);
    char user[64];
    snprintf(user, sizeof(user), "%s", table()->seats[seat].name);
    if (!choose_act(label, words) && presses_it(seat)) {
        press_card(user);
    } else if (*label == '\0') {
        write_post(user, 0,
                   awaits.question == QUESTION_DISCARD ? "discard 1"
                                                       : "enact 1");
    } else if (presses_it(seat) && slash && awaits.question == QUESTION_VOTE) {
        command(user, "vote", strcmp(label, "Ja!") == 0 ? "ja" : "nein");
    } else if (presses_it(seat) && slash &&
               awaits.question == QUESTION_NOMINATE) {
        command(user, "nominate", label);
    } else if (presses_it(seat)) {
        press(user, channel, label);
        press(user, 0, "Yes");
    } else if (table_is_secret(table())) {
        write_post(user, 0, label);
    } else {
        write_post(user, channel, words);
    }
    pass(10 * SECOND_MS);
    return true;
}

/* ---- who people are in the server ---------------------------------------- */

static const struct seat *
seat_of(const char *user)
{
    unsigned seat = table_seat(table(), fake_discord_user(discord, user));

    ck_assert_uint_ne(seat, NO_SEAT);
    return &table()->seats[seat];
}

/* Max opens a table as a moderator by a role, and five people join it, two of
 * them with a nickname. */
static void
open_moderated(const char *role)
{
    char setting[80];

    snprintf(setting, sizeof(setting), "moderator_role = \"%s\"; ", role);
    of_place = setting;
    slash = true;
    fake_discord_enrol(discord, "Max", "The Boss", "82," GUILD_MODS);
    fake_discord_enrol(discord, "Anna", "Annie", "82");
    fake_discord_enrol(discord, "Bob", "Bobby", "");
    write_conf("");
    of_place = "";
    open_host();
    pass(MINUTE_MS);
    write_post("Anna", channel, "!new players=5");
    ck_assert(!is_on());
    write_post("Max", channel, "!new players=5");
    ck_assert(is_on());
    write_post("Anna", channel, "!join");
    for (unsigned i = 1; i < 5; i++) {
        command(names[i], "join", "");
    }
    for (unsigned i = 0; i < 5; i++) {
        press(names[i], channel, "I'm ready");
    }
    pass(2 * MINUTE_MS);
    ck_assert_int_eq(table()->state, TABLE_RUNNING);
}

START_TEST(a_role_moderates_by_posts_and_presses_until_it_is_lost)
{
    static const char *const roles[] = {"@mods", GUILD_MODS, "manage-messages"};

    open_moderated(roles[_i]);
    write_post("Anna", channel, "!pause");
    ck_assert(!table()->paused);
    write_post("Max", channel, "!pause");
    ck_assert(table()->paused);
    command("Max", "resume", "");
    ck_assert(!table()->paused);
    command("Max", "pause", "");
    ck_assert(table()->paused);

    fake_discord_enrol(discord, "Max", "The Boss", "82");
    write_post("Max", channel, "!resume");
    ck_assert(table()->paused);
    command("Max", "resume", "");
    ck_assert(table()->paused);

    fake_discord_enrol(discord, "Max", "The Boss", GUILD_MODS);
    command("Max", "resume", "");
    ck_assert(!table()->paused);
}
END_TEST

START_TEST(a_moderator_by_role_is_one_after_a_restart)
{
    open_moderated("@Mods");
    kill_host();
    fake_gateway_miss(1);
    pass(MINUTE_MS);
    write_post("Max", channel, "!pause");
    pass(2 * MINUTE_MS);
    ck_assert(table()->paused);

    /* It was lost, and known to be, before the next. */
    fake_gateway_miss(0);
    fake_discord_enrol(discord, "Max", "", "");
    write_post("Max", channel, "Good evening.");
    kill_host();
    fake_gateway_miss(1);
    pass(MINUTE_MS);
    write_post("Max", channel, "!resume");
    pass(2 * MINUTE_MS);
    ck_assert(table()->paused);
    fake_gateway_miss(0);
}
END_TEST

START_TEST(a_moderator_by_role_who_plays_has_no_powers)
{
    open_moderated("@Mods");
    fake_discord_enrol(discord, "Carl", "", GUILD_MODS);
    write_post("Carl", channel, "!pause");
    command("Carl", "pause", "");
    ck_assert(!table()->paused);
}
END_TEST

START_TEST(people_are_called_by_their_nicknames)
{
    open_moderated("@Mods");
    ck_assert_str_eq(seat_of("Anna")->name, "Annie");
    ck_assert_str_eq(seat_of("Bob")->name, "Bobby");
    ck_assert_str_eq(seat_of("Carl")->name, "Carl");

    const struct seat *candidate =
        &table()->seats[choose(game_awaits(&table()->game).seats)];
    const char *named = seat_of("Anna") == candidate ? "Bob" : "Anna";
    for (unsigned i = 0; i < 5; i++) {
        if (seat_of(names[i]) == candidate) {
            write_post(names[i], channel,
                       *named == 'B' ? "**Bobby**" : "**Annie**");
            break;
        }
    }
    ck_assert_int_eq(table()->game.question, QUESTION_VOTE);
    ck_assert_ptr_eq(&table()->seats[table()->game.chancellor], seat_of(named));

    /* What everybody is called elsewhere does not come before it. */
    fake_gateway_miss(1);
    kill_host();
    write_post("Anna", channel, "Hm.");
    pass(2 * MINUTE_MS);
    ck_assert_str_eq(seat_of("Anna")->now, "");
    write_post("Anna", 0, "Hm.");
    pass(2 * MINUTE_MS);
    ck_assert_str_eq(seat_of("Anna")->now, "");

    fake_gateway_miss(0);
    fake_discord_enrol(discord, "Anna", "Anja", "");
    write_post("Anna", channel, "Hm.");
    ck_assert_str_eq(seat_of("Anna")->now, "Anja");
    ck_assert_str_eq(seat_of("Anna")->name, "Annie");
}
END_TEST

START_TEST(the_menu_of_a_player_tells_their_votes)
{
    open_moderated("@Mods");
    assert_votes_of("Max", "Bob", "Bobby has not had a vote");
    unsigned named =
        seat_of("Carl") ==
                &table()->seats[choose(game_awaits(&table()->game).seats)]
            ? 3
            : 2;
    for (unsigned i = 0; i < 5; i++) {
        if (table()->game.question == QUESTION_NOMINATE) {
            (void)command(names[i], "nominate", names[named]);
        }
    }
    ck_assert_int_eq(table()->game.question, QUESTION_VOTE);
    for (unsigned i = 0; i < 5; i++) {
        (void)command(names[i], "vote", "ja");
    }
    pass(10 * SECOND_MS);
    assert_votes_of("Max", "Bob", "Bobby, votes so far:\nRound 1, ");
    assert_votes_of("Anna", "Bob", ": Ja");
    /* The third Ja has ended the vote. */
    assert_votes_of("Bob", "Emil", ": no vote");
    assert_votes_of("Bob", "Max", "that isn't a player of this game");
}
END_TEST

/* ---- whole games --------------------------------------------------------- */

/* Nothing that was shown to one person stands in public. */
static void
assert_nothing_secret(void)
{
    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, i);

        ck_assert_ptr_null(strstr(message->content, "sure?"));
        ck_assert_ptr_null(strstr(message->content, "canary"));
        ck_assert_ptr_null(strstr(message->content, "discard it?"));
        ck_assert(*fake_discord_dm(discord, message->channel) != '\0' ||
                  strstr(message->content, "your cards are below") == NULL);
    }
}

/* The record is legal, and says who has pressed. */
static void
assert_record(void)
{
    struct buf text = BUF_INIT;
    struct record record = {.games = NULL};
    struct verdict verdict = {.number = 0};
    unsigned pressed = 0;

    must(store_record(host.tables.store, "1", &text, &why));
    must(record_read(text.data, text.len, &record, &why));
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "%s",
                  buf_text(&verdict.why));
    for (size_t i = 0; i < record.games[0].line_count; i++) {
        const struct record_line *voted = &record.games[0].lines[i];

        if (voted->kind == EVENT_VOTED) {
            bool press = voted->by == RECORD_BY_PRESS;
            ck_assert_int_eq(press, presses_it(voted->event.seat));
            pressed += press;
        }
    }
    ck_assert_int_eq(pressed > 0, way != POSTED);
    verdict_release(&verdict);
    record_release(&record);
    buf_release(&text);
}

/* The votes stand under each call for them, and in the post with the result. */
static void
assert_votes_are_told(void)
{
    unsigned called = 0;
    unsigned closed = 0;

    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, i);
        bool votes = strstr(message->content, ": Ja (<t:") != NULL ||
                     strstr(message->content, ": Nein (<t:") != NULL;

        called += votes && strstr(message->content, "**Votes, ") != NULL;
        closed += votes && strstr(message->content, "**Votes, ") == NULL;
        ck_assert_ptr_null(strstr(message->content, "\xEE\x80\x82"));
    }
    ck_assert_uint_gt(called, 0);
    ck_assert_uint_eq(called, closed);
}

/* Buttons and commands are on, and nobody needs them; or everybody uses them,
 * and all that is written is that the table opens. */
START_TEST(a_game_is_whole_by_presses_alone_and_by_posts_alone)
{
    unsigned steps = 0;

    way = _i < 3 ? PRESSED : POSTED;
    slash = _i % 3 == 1;
    blind = _i % 3 == 2;
    fake_discord_habits(discord)->intent_off = blind;
    chance = (uint64_t)_i + 1;
    begin_game(way == PRESSED
                   ? "ready_check = \"on\";\nsecond_thought = \"0\";\n"
                   : "ready_check = \"off\";\nsecond_thought = \"0\";\n",
               _i % 2 == 0 ? 7 : 5);
    while (play_on()) {
        ck_assert_uint_lt(++steps, 1000);
    }
    pass(MINUTE_MS);
    assert_record();
    assert_nothing_secret();
    assert_settled_is_bare();
    assert_votes_are_told();
    for (size_t i = 0; way == PRESSED && i < fake_discord_count(discord); i++) {
        const char *author = fake_discord_at(discord, i)->author;

        ck_assert(*author == '\0' || strcmp(author, "Mo") == 0);
    }
    ck_assert_int_eq(fake_presses_count(presses) > 0, way == PRESSED);
    ck_assert_uint_eq(fake_presses_failed(presses, now), 0);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
}
END_TEST

START_TEST(half_of_the_players_press)
{
    static const struct {
        const char *settings;
        unsigned players;
    } games[] = {
        {"ready_check = \"off\";\nsecond_thought = \"0\";\n", 5},
        {"ready_check = \"on\";\nsecond_thought = \"0\";\n", 7},
        {"ready_check = \"off\";\nsecond_thought = \"0\";\nrules = \"official\";\n",
         5},
        {"ready_check = \"off\";\nsecond_thought = \"0\";\n", 10},
    };
    unsigned steps = 0;

    chance = (uint64_t)_i + 1;
    begin_game(games[_i].settings, games[_i].players);
    while (play_on()) {
        ck_assert_uint_lt(++steps, 1000);
        assert_settled_is_bare();
        if (steps % 7 == 0) {
            kill_host();
            pass(MINUTE_MS);
        }
    }
    assert_record();
    assert_nothing_secret();
    assert_settled_is_bare();
    ck_assert_uint_eq(fake_presses_failed(presses, now), 0);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
    if (_i != 2) {
        assert_votes_are_told();
    }
}
END_TEST

static unsigned
count_said(const char *words)
{
    unsigned count = 0;

    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        count += strstr(fake_discord_at(discord, i)->content, words) != NULL;
    }
    return count;
}

/* D "Message Content Intent": the bot sees what mentions it, and DMs.  All
 * else is talk, of which each who is waited for hears at most once. */
START_TEST(a_game_is_whole_without_message_content)
{
    unsigned steps = 0;

    blind = true;
    slash = _i % 2 == 1;
    fake_discord_habits(discord)->intent_off = true;
    chance = (uint64_t)_i + 1;
    begin_game(_i == 2 ? "ready_check = \"on\";\nsecond_thought = \"0\";\n"
                       : "ready_check = \"off\";\nsecond_thought = \"0\";\n",
               _i == 0 ? 5 : 7);
    while (play_on()) {
        ck_assert_uint_lt(++steps, 1000);
        for (unsigned i = 0; i < 5; i++) {
            (void)fake_discord_post(discord, names[i], channel, "Hm.", now);
        }
        fake_gateway_tell(discord, now);
    }
    assert_record();
    assert_nothing_secret();
    assert_settled_is_bare();
    ck_assert_uint_le(count_said("I can't see what you write here"), 5);
    ck_assert_uint_eq(count_said("lack a permission"), 0);
    ck_assert_uint_eq(fake_presses_failed(presses, now), 0);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
}
END_TEST

START_TEST(half_of_the_players_give_commands)
{
    unsigned steps = 0;

    slash = true;
    chance = (uint64_t)_i + 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n",
               _i == 0 ? 5 : 7);
    while (play_on()) {
        ck_assert_uint_lt(++steps, 1000);
        assert_settled_is_bare();
        if (steps % 7 == 0) {
            kill_host();
            pass(MINUTE_MS);
        }
    }
    assert_record();
    assert_nothing_secret();
    assert_settled_is_bare();
    assert_votes_are_told();
    ck_assert_uint_eq(fake_presses_failed(presses, now), 0);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
    /* Each host looks; the list stays as the first has made it. */
    ck_assert_uint_gt(fake_presses_listed(presses), 1);
    ck_assert_uint_eq(fake_presses_replaced(presses), 1);
}
END_TEST

START_TEST(commands_that_are_off_again_are_taken_away_once)
{
    slash = true;
    write_conf("");
    open_host();
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(fake_presses_replaced(presses), 1);
    slash = false;
    write_conf("");
    for (unsigned starts = 0; starts < 2; starts++) {
        kill_host();
        pass(2 * MINUTE_MS);
        ck_assert_uint_eq(fake_presses_replaced(presses), 2);
        ck_assert_uint_eq(fake_presses_listed(presses), 1);
    }
    slash = true;
    write_conf("");
    kill_host();
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(fake_presses_replaced(presses), 3);
}
END_TEST

START_TEST(without_the_scope_the_game_goes_on_with_posts)
{
    fake_presses_take_scope(presses, true);
    slash = true;
    write_conf("alarm = \"parlour\";\n");
    open_host();
    pass(2 * MINUTE_MS);
    write_post("Mo", channel, "!new players=5");
    write_post("Anna", channel, "!join");
    ck_assert_uint_eq(table()->seated, 1);
    press("Bob", channel, "Join");
    ck_assert_uint_eq(table()->seated, 2);
    pass(6 * HOUR_MS);
    unsigned told = 0;
    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        told += strstr(fake_discord_at(discord, i)->content,
                       "scope=bot+applications.commands") != NULL;
    }
    ck_assert_uint_eq(told, 1);
    /* It is given later, and found. */
    fake_presses_take_scope(presses, false);
    pass(DAY_MS);
    ck_assert_uint_eq(fake_presses_replaced(presses), 1);
    command("Carl", "join", "");
    ck_assert_uint_eq(table()->seated, 3);
}
END_TEST

START_TEST(a_command_elsewhere_is_answered_there)
{
    slash = true;
    write_conf("");
    open_host();
    pass(MINUTE_MS);
    channel = strtoull(GUILD_FORUM, NULL, 10);
    struct fake_press *given = command("Mo", "new", "");
    ck_assert_ptr_nonnull(strstr(given->content, "No games are hosted"));
    ck_assert(!is_on());
}
END_TEST

/* ---- what goes wrong ----------------------------------------------------- */

static void
begin_vote(void)
{
    chance = 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n", 5);
    const char *president =
        table()->seats[__builtin_ctz(game_awaits(&table()->game).seats)].name;
    char words[160];
    snprintf(words, sizeof(words), "**%s**",
             table()->seats[choose(game_awaits(&table()->game).choices)].name);
    write_post(president, channel, words);
    ck_assert_int_eq(table()->game.question, QUESTION_VOTE);
}

static unsigned
count_votes(void)
{
    return seat_count(table()->game.voted);
}

START_TEST(what_the_gateway_tells_too_late_has_failed)
{
    begin_vote();
    fake_gateway_open(3500);
    struct fake_press *late = begin_press("Anna", channel, "Ja!");
    pass(MINUTE_MS);
    fake_gateway_open(GATEWAY_MS);
    ck_assert(!late->acknowledged);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
    press("Anna", channel, "Ja!");
}
END_TEST

START_TEST(what_a_resumed_session_tells_again_counts_once)
{
    begin_vote();
    press("Anna", channel, "Ja!");
    press("Anna", 0, "Yes");
    ck_assert_uint_eq(count_votes(), 1);
    /* Told while nobody was there: told again, and too late. */
    virtual_host_close(&host);
    struct fake_press *missed = begin_press("Bob", channel, "Ja!");
    now += MINUTE_MS;
    open_host();
    pass(2 * MINUTE_MS);
    ck_assert(!missed->acknowledged);
    ck_assert_uint_eq(count_votes(), 1);
    press("Bob", channel, "Ja!");
}
END_TEST

START_TEST(what_the_gateway_tells_twice_counts_once)
{
    struct buf event = BUF_INIT;

    begin_vote();
    press("Anna", channel, "Ja!");
    struct fake_press *yes =
        fake_presses_press(presses, "Anna", 0, "Yes", now, &event);
    if (yes == NULL) {
        ck_abort_msg("Anna finds no \"Yes\"");
    }
    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), now);
    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), now);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(yes->answers, 1);
    ck_assert_uint_eq(count_votes(), 1);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
    buf_release(&event);
}
END_TEST

START_TEST(a_host_that_dies_at_any_moment_counts_a_press_once_or_not_at_all)
{
    begin_vote();
    press("Anna", channel, "Ja!");
    struct fake_press *yes = begin_press("Anna", 0, "Yes");
    pass((int64_t)_i * 25);
    kill_host();
    pass(2 * MINUTE_MS);
    ck_assert_uint_le(count_votes(), 1);
    /* Nobody goes on reading that the bot is thinking, and whoever was told
     * that it counts, counts. */
    ck_assert(!yes->acknowledged || yes->answers > 0);
    if (yes->answers > 0 && strstr(yes->content, "interrupted") == NULL) {
        ck_assert_uint_eq(count_votes(), 1);
    }
    if (count_votes() == 0) {
        press("Anna", channel, "Ja!");
        press("Anna", 0, "Yes");
    }
    ck_assert_uint_eq(count_votes(), 1);
    pass(MINUTE_MS);
    unsigned told = 0;
    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        told += strstr(fake_discord_at(discord, i)->content,
                       "**Votes, 1 of 5:** Anna: Ja (<t:") != NULL;
    }
    ck_assert_uint_eq(told, 1);
}
END_TEST

static void
count_press(void *context, const char *service, const char *id,
            const char *place, int64_t came, const char *secret)
{
    unsigned *count = context;

    (void)service;
    (void)id;
    (void)place;
    (void)came;
    ck_assert_str_ne(secret, "");
    (*count)++;
}

/* How many presses does the store have the secrets of? */
static unsigned
saved_presses(void)
{
    unsigned count = 0;

    store_presses(host.tables.store, count_press, &count);
    must(store_err(host.tables.store, &why));
    return count;
}

/* Is a text in the store's files, in the clear? */
static bool
store_shows(const char *text)
{
    static const char *const files[] = {"store.db", "store.db-wal"};
    bool shows = false;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct buf bytes = BUF_INIT;
        char path[128];

        snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        must(file_read(path, &bytes, &why));
        shows =
            shows || memmem(bytes.data, bytes.len, text, strlen(text)) != NULL;
        buf_release(&bytes);
    }
    return shows;
}

START_TEST(who_waits_when_the_host_is_restarted_is_answered_while_that_can_be)
{
    write_conf("");
    open_host();
    pass(MINUTE_MS);
    write_post("Mo", channel, "!new players=5");
    struct fake_press *join = begin_press("Anna", channel, "Join");
    pass(SECOND_MS);
    ck_assert(join->acknowledged);
    ck_assert_uint_eq(join->answers, 0);
    ck_assert_uint_eq(saved_presses(), 1);
    char id[24];
    snprintf(id, sizeof(id), "%" PRIu64, join->id);
    ck_assert(store_shows(id));
    ck_assert(!store_shows(join->token));
    kill_host();
    pass(MINUTE_MS);
    ck_assert_uint_eq(join->answers, 1);
    ck_assert_ptr_nonnull(strstr(join->content, "You're in"));
    ck_assert_uint_eq(table()->seated, 1);
    ck_assert_uint_eq(saved_presses(), 0);

    /* Its token is of no use any more: it counts, and nothing is asked. */
    join = begin_press("Bob", channel, "Join");
    pass(SECOND_MS);
    ck_assert(join->acknowledged);
    virtual_host_close(&host);
    now += 20 * MINUTE_MS;
    open_host();
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(join->answers, 0);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
    ck_assert_uint_eq(table()->seated, 2);
    ck_assert_uint_eq(saved_presses(), 0);
}
END_TEST

START_TEST(two_people_who_press_at_the_same_moment_both_count)
{
    begin_vote();
    press("Anna", channel, "Ja!");
    press("Bob", channel, "Nein!");
    struct fake_press *one = begin_press("Anna", 0, "Yes");
    struct fake_press *two = begin_press("Bob", 0, "Yes");
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(one->answers + two->answers, 2);
    ck_assert_uint_eq(count_votes(), 2);
    bool told = false;
    for (size_t i = 0; i < fake_discord_count(discord); i++) {
        const char *content = fake_discord_at(discord, i)->content;
        told = told || (strstr(content, "**Votes, 2 of 5:** ") != NULL &&
                        strstr(content, "Anna: Ja (<t:") != NULL &&
                        strstr(content, "Bob: Nein (<t:") != NULL);
    }
    ck_assert(told);
}
END_TEST

/* Somebody's DM, in which the bot has written. */
static uint64_t
dm_of(const char *user)
{
    for (size_t i = fake_discord_count(discord); i-- > 0;) {
        uint64_t place = fake_discord_at(discord, i)->channel;

        if (strcmp(fake_discord_dm(discord, place), user) == 0) {
            return place;
        }
    }
    ck_abort_msg("%s has no DM", user);
}

/* Where a push notification leads. */
START_TEST(cards_and_sealed_votes_are_chosen_under_the_private_message)
{
    unsigned pressed = 0;

    chance = 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n"
               "rules = \"official\";\n",
               5);
    while (is_on() && pressed < 12) {
        struct awaits awaits = game_awaits(&table()->game);
        const struct game *game = &table()->game;
        bool asked = table_is_secret(table());
        const char *label = "Ja!";
        char user[64];

        snprintf(user, sizeof(user), "%s",
                 table()->seats[__builtin_ctz(awaits.seats)].name);
        if (game->question == QUESTION_DISCARD) {
            label = pile_is_liberal(game->hand, 0) ? "1 Liberal" : "1 Fascist";
        } else if (game->question == QUESTION_ENACT) {
            label = pile_liberals(game->hand) > 0 ? "1 Liberal" : "1 Fascist";
        }
        if (!asked) {
            ck_assert(play_on());
            continue;
        }
        press(user, dm_of(user), label);
        press(user, 0, "Yes");
        pressed++;
    }
    ck_assert_uint_eq(pressed, 12);
    ck_assert_uint_eq(fake_presses_refused(presses), 0);
}
END_TEST

START_TEST(a_question_that_somebody_deletes_is_posted_again)
{
    begin_vote();
    press("Anna", channel, "Ja!");
    press("Anna", 0, "Yes");
    size_t before = fake_discord_count(discord);
    struct buf event = BUF_INIT;
    for (size_t i = before; i-- > 0;) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, i);

        if (message->channel == channel &&
            strstr(message->content, "**Votes, 1 of 5:**") != NULL) {
            buf_addf(&event,
                     "{\"id\":\"%" PRIu64 "\",\"channel_id\":\"%" PRIu64
                     "\",\"guild_id\":\"%s\"}",
                     message->id, channel,
                     fake_discord_guild_of(discord, channel));
        }
    }
    ck_assert_uint_gt(event.len, 0);
    fake_gateway_send("MESSAGE_DELETE", buf_text(&event), now);
    pass(MINUTE_MS);
    buf_release(&event);
    ck_assert_uint_eq(fake_discord_count(discord), before + 1);
    ck_assert_ptr_nonnull(strstr(fake_discord_at(discord, before)->content,
                                 "**Votes, 1 of 5:** Anna: Ja (<t:"));
    press("Bob", channel, "Ja!");
}
END_TEST

/* So many presses of each kind, between people's talk. */
enum {
    MEASURED = 4
};

static int
compare_times(const void *one, const void *other)
{
    const int64_t *a = one;
    const int64_t *b = other;

    return (*a > *b) - (*a < *b);
}

static int64_t
median(int64_t times[MEASURED])
{
    qsort(times, MEASURED, sizeof(times[0]), compare_times);
    return times[MEASURED / 2];
}

static int64_t
time_of(const struct fake_press *press)
{
    pass(10 * SECOND_MS);
    ck_assert_int_gt(press->answered, 0);
    return press->answered - press->made;
}

/* The baseline is a press that changes nothing, and so never waits. */
START_TEST(a_vote_whose_order_does_not_matter_is_answered_at_once)
{
    int64_t asked[MEASURED];
    int64_t counted[MEASURED];
    unsigned count = 0;

    chance = 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n"
               "vote_closes = \"all\";\n",
               10);
    while (table()->game.question != QUESTION_VOTE) {
        ck_assert(play_on());
    }
    for (unsigned seat = 0; count < MEASURED; seat++) {
        const char *user = table()->seats[seat].name;
        asked[count] = time_of(begin_press(user, channel, "Ja!"));
        struct fake_press *vote = begin_press(user, 0, "Yes");
        counted[count++] = time_of(vote);
        ck_assert_msg(strstr(vote->content, ": your vote counts.") != NULL,
                      "%s", vote->content);
        write_post("Mo", channel, "Exciting!");
    }
    ck_assert_uint_eq(count_votes(), MEASURED);
    int64_t baseline = median(asked);
    int64_t votes = median(counted);
    ck_assert_msg(votes <= 300 && votes <= baseline + 60,
                  "a vote is answered after %lld ms, a question after %lld",
                  (long long)votes, (long long)baseline);
}
END_TEST

/* How long until a post has a mark? */
static int64_t
time_of_mark(const char *user, const char *text)
{
    int64_t begun = now;
    uint64_t id = fake_discord_post(discord, user, channel, text, now)->id;
    const struct fake_discord_message *message = NULL;

    fake_gateway_tell(discord, now);
    do {
        pass(10);
        message = fake_discord_find(discord, id);
        ck_assert_int_lt(now - begun, MINUTE_MS);
    } while (message == NULL || message->reactions[0] == '\0');
    return now - begun;
}

START_TEST(a_vote_that_is_posted_is_marked_at_once)
{
    int64_t marked[MEASURED];
    unsigned count = 0;

    chance = 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n"
               "vote_closes = \"all\";\n",
               10);
    while (table()->game.question != QUESTION_VOTE) {
        ck_assert(play_on());
    }
    for (unsigned seat = 0; count < MEASURED; seat++) {
        marked[count++] = time_of_mark(table()->seats[seat].name, "**Ja!**");
        write_post("Mo", channel, "Exciting!");
    }
    ck_assert_uint_eq(count_votes(), MEASURED);
    int64_t mark = median(marked);
    ck_assert_msg(mark <= 300, "a vote is marked after %lld ms",
                  (long long)mark);
}
END_TEST

/* The call for the vote that is on. */
static const struct fake_discord_message *
newest_call(void)
{
    size_t at = fake_discord_count(discord);

    while (at-- > 0) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, at);

        if (message->channel == channel && message->components != NULL &&
            strstr(message->components, "\"Ja!\"") != NULL) {
            return message;
        }
    }
    ck_abort_msg("there is no call for a vote");
}

START_TEST(votes_that_come_close_together_share_an_edit)
{
    unsigned edits = 0;
    int64_t edited = 0;

    chance = 1;
    begin_game("ready_check = \"off\";\nsecond_thought = \"0\";\n"
               "vote_closes = \"all\";\n",
               10);
    while (table()->game.question != QUESTION_VOTE) {
        ck_assert(play_on());
    }
    const uint64_t call = newest_call()->id;
    for (unsigned seat = 0; seat < 6; seat++) {
        press(table()->seats[seat].name, channel, "Ja!");
    }
    char *said = strdup(fake_discord_find(discord, call)->content);
    for (unsigned turn = 0; turn < 600; turn++) {
        if (turn % 20 == 0 && turn / 20 < 6) {
            (void)begin_press(table()->seats[turn / 20].name, 0, "Yes");
        }
        pass(10);
        const char *says = fake_discord_find(discord, call)->content;
        if (strcmp(says, said) != 0) {
            ck_assert(edited == 0 || now - edited >= 900);
            edited = now;
            edits++;
            free(said);
            said = strdup(says);
        }
    }
    ck_assert_msg(strstr(said, "**Votes, 6 of 10:**") != NULL, "%s", said);
    ck_assert_uint_le(edits, 3);
    free(said);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("gateway/presses");
    TCase *group = tcase_create("presses");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_loop_test(group, half_of_the_players_press, 0, 4);
    tcase_add_loop_test(group, half_of_the_players_give_commands, 0, 2);
    tcase_add_loop_test(
        group, a_game_is_whole_by_presses_alone_and_by_posts_alone, 0, 6);
    tcase_add_loop_test(group, a_game_is_whole_without_message_content, 0, 4);
    tcase_add_test(group, commands_that_are_off_again_are_taken_away_once);
    tcase_add_test(group, without_the_scope_the_game_goes_on_with_posts);
    tcase_add_test(group, a_command_elsewhere_is_answered_there);
    tcase_add_test(group,
                   a_vote_whose_order_does_not_matter_is_answered_at_once);
    tcase_add_test(group, a_vote_that_is_posted_is_marked_at_once);
    tcase_add_test(group, votes_that_come_close_together_share_an_edit);
    tcase_add_test(group,
                   cards_and_sealed_votes_are_chosen_under_the_private_message);
    tcase_add_test(group, a_question_that_somebody_deletes_is_posted_again);
    tcase_add_loop_test(
        group, a_role_moderates_by_posts_and_presses_until_it_is_lost, 0, 3);
    tcase_add_test(group, a_moderator_by_role_is_one_after_a_restart);
    tcase_add_test(group, a_moderator_by_role_who_plays_has_no_powers);
    tcase_add_test(group, people_are_called_by_their_nicknames);
    tcase_add_test(group, the_menu_of_a_player_tells_their_votes);
    tcase_add_test(group, what_the_gateway_tells_too_late_has_failed);
    tcase_add_test(group, what_a_resumed_session_tells_again_counts_once);
    tcase_add_test(group, what_the_gateway_tells_twice_counts_once);
    tcase_add_loop_test(
        group, a_host_that_dies_at_any_moment_counts_a_press_once_or_not_at_all,
        0, 24);
    tcase_add_test(
        group,
        who_waits_when_the_host_is_restarted_is_answered_while_that_can_be);
    tcase_add_test(group, two_people_who_press_at_the_same_moment_both_count);
    suite_add_tcase(suite, group);
    return suite;
}
