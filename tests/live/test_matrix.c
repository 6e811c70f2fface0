/*
 * placard at a real Matrix homeserver: whole games, played by ordinary accounts
 * in several rooms at once, while hosts are killed and the homeserver is
 * restarted.  All is played once, then looked at: each test says one thing that
 * the accounts saw, or did not see.
 *
 * Without PLACARD_SYNAPSE_UP (tests/live/homes.h) nothing is played, which is
 * said.  Times are real here, and waited for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/json.h"
#include "tests/live/homes.h"
#include "tests/live/party.h"
#include "tests/support/runner.h"

enum {
    KILLS = 50,
    EVENING_MS = 230000, /* then whatever is not over has failed */
    LATE_SEATS = 5,
    SLOW_ROUNDS = 3, /* two, and the vote of a third */
};

static const char users[] =
    "bot bot2 mo zach anna ben carl dora emil frida gert "
    "hanna ida jan kurt lena max nora otto pia quin rosa sven tina udo vera "
    "wim xena yves zoe abel gus hugo beth cleo doug edna finn";
static const char users_limited[] = "bot mo anna ben carl dora emil";

/* All that is there this evening. */
static struct {
    char folder[64];
    struct home home, limited;
    struct account accounts[ACCOUNTS_MAX_LIVE];
    struct account *list[ACCOUNTS_MAX_LIVE];
    unsigned count;
    struct account bots[3];
    struct account *mo, *zach, *mo_limited;
    /* Seven, ten; five whose host is killed; five of whom some do not come to
     * their talks; five who vote late; five at a homeserver with limits. */
    struct party seven, ten, killed, absent, late, slow;
    struct host hosts[3]; /* of seven and ten; of the next three; of the last */
    unsigned kills, both;
    bool late_set, late_done;
    int64_t begun, absent_asked, lots;
    long cpu, memory;
    double minutes;
    unsigned seed;
} evening;

/* ---- the cast ------------------------------------------------------------ */

static struct account *
invite(const struct home *home, const char *name)
{
    struct account *account = &evening.accounts[evening.count];

    ck_assert_uint_lt(evening.count, ACCOUNTS_MAX_LIVE);
    *account = home_account(home, name);
    evening.list[evening.count++] = account;
    return account;
}

/* A party of the people in a list of names with blanks between. */
static void
gather(struct party *party, const struct home *home, struct account *mo,
       const struct account *bot, const char *names, const char *options)
{
    char copy[256];
    char *save = NULL;

    party->mo = mo;
    party->bot = bot->user;
    party->options = options;
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name != NULL;
         name = strtok_r(NULL, " ", &save)) {
        party->players[party->count++] = invite(home, name);
    }
}

static void
add_place(struct buf *places, const char *name, const struct party *party,
          const char *settings)
{
    buf_addf(places,
             "%s  { name = \"%s\"; service = \"matrix\"; address = \"%s\"; "
             "moderators = [ \"%s\" ]; %s }",
             places->len > 0 ? ",\n" : "", name, party->room, party->mo->user,
             settings);
}

static const char *
path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", evening.folder, name);
    return path;
}

static void
set_host(unsigned number, const struct home *home, const struct buf *places)
{
    char name[16];

    snprintf(name, sizeof(name), "host%u", number);
    host_set(&evening.hosts[number], path_of(name), home, &evening.bots[number],
             buf_text(places));
    host_start(&evening.hosts[number]);
}

/* Who does not come to the private talk: one never accepts, one ignores the
 * host; one comes, and leaves (see take_leave). */
static void
set_absent(void)
{
    struct account *const *players = evening.absent.players;
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    players[1]->accepts = false;
    buf_add_text(&path, "/user/");
    path_add(&path, players[2]->user);
    buf_add_text(&path, "/account_data/m.ignored_user_list");
    buf_addf(&body, "{\"ignored_users\":{\"%s\":{}}}", evening.bots[1].user);
    json_object_put(
        account_ask(players[2], "PUT", buf_text(&path), buf_text(&body), NULL));
    evening.absent.deaf = 1U << 0 | 1U << 1 | 1U << 2;
    buf_release(&path);
    buf_release(&body);
}

static void
gather_all(void)
{
    const struct account *bots = evening.bots;

    evening.bots[0] = home_account(&evening.home, "bot");
    evening.bots[1] = home_account(&evening.home, "bot2");
    evening.bots[2] = home_account(&evening.limited, "bot");
    evening.mo = invite(&evening.home, "mo");
    evening.zach = invite(&evening.home, "zach");
    evening.mo_limited = invite(&evening.limited, "mo");
    gather(&evening.seven, &evening.home, evening.mo, &bots[0],
           "anna ben carl dora emil frida gert", "");
    gather(&evening.ten, &evening.home, evening.mo, &bots[0],
           "hanna ida jan kurt lena max nora otto pia quin", "");
    gather(&evening.killed, &evening.home, evening.mo, &bots[1],
           "rosa sven tina udo vera", "ballot=sealed");
    gather(&evening.absent, &evening.home, evening.mo, &bots[1],
           "wim xena yves zoe abel gus hugo", "ballot=sealed");
    gather(&evening.late, &evening.home, evening.mo, &bots[1],
           "beth cleo doug edna finn", "");
    gather(&evening.slow, &evening.limited, evening.mo_limited, &bots[2],
           "anna ben carl dora emil", "");
    evening.seven.mischief = true;
    evening.seven.stranger = evening.zach;
    evening.late.silent = (1U << LATE_SEATS) - 1;
    evening.slow.all_nein = true;
}

static void
meet(void)
{
    struct buf places[3] = {BUF_INIT, BUF_INIT, BUF_INIT};

    party_meet(&evening.seven);
    party_meet(&evening.ten);
    party_meet(&evening.killed);
    party_meet(&evening.absent);
    party_meet(&evening.late);
    party_meet(&evening.slow);
    set_absent();
    account_listen(evening.mo);
    account_listen(evening.zach);
    account_listen(evening.mo_limited);
    add_place(&places[0], "seven", &evening.seven, "second_thought = \"0\";");
    add_place(&places[0], "ten", &evening.ten, "second_thought = \"0\";");
    add_place(&places[1], "killed", &evening.killed, "second_thought = \"0\";");
    add_place(&places[1], "absent", &evening.absent,
              "ready_check = \"off\"; undeliverable = \"0\"; "
              "president = \"1m\"; chancellor = \"1m\";");
    add_place(&places[1], "late", &evening.late,
              "ready_check = \"off\"; nomination = \"1m\"; "
              "election = \"1m\";");
    add_place(&places[2], "slow", &evening.slow, "ready_check = \"off\";");
    set_host(0, &evening.home, &places[0]);
    set_host(1, &evening.home, &places[1]);
    set_host(2, &evening.limited, &places[2]);
    for (unsigned i = 0; i < 3; i++) {
        buf_release(&places[i]);
    }
}

/* ---- what happens -------------------------------------------------------- */

static void
hear(struct account *account, const char *room, json_object *event)
{
    struct party *const parties[] = {&evening.seven,  &evening.ten,
                                     &evening.killed, &evening.absent,
                                     &evening.late,   &evening.slow};

    for (size_t i = 0; i < sizeof(parties) / sizeof(parties[0]); i++) {
        if (party_hear(parties[i], account, room, event)) {
            return;
        }
    }
}

static void
hear_all(int64_t patience)
{
    accounts_wait(evening.list, evening.count, patience, hear);
}

/* Wait until a place's host says something in answer: so it is there. */
static bool
is_open(const struct party *party)
{
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, party->room);
    buf_add_text(&path, "/joined_members");
    json_object *members =
        account_ask(party->mo, "GET", buf_text(&path), NULL, NULL);
    bool there = jdoc_get(jdoc_get(members, "joined"), party->bot) != NULL;

    json_object_put(members);
    buf_release(&path);
    return there;
}

/* A host reads from its arrival on: nobody begins before. */
static void
begin_when_open(struct party *party, bool *begun)
{
    if (!*begun && is_open(party)) {
        *begun = true;
        party_begin(party);
    }
}

/* The rooms that an account is in, but for one. */
static json_object *
rooms_of(const struct account *account)
{
    json_object *answer =
        account_ask(account, "GET", "/joined_rooms", NULL, NULL);
    json_object *rooms = json_object_get(jdoc_get(answer, "joined_rooms"));

    json_object_put(answer);
    return rooms;
}

static const char *
room_at(json_object *rooms, size_t at)
{
    return json_object_get_string(json_object_array_get_idx(rooms, at));
}

/* The first of the absent leaves the talk as soon as there is one. */
static void
take_leave(void)
{
    static bool gone;
    struct account *wim = evening.absent.players[0];
    json_object *rooms = gone ? NULL : rooms_of(wim);

    for (size_t i = 0; !gone && i < json_object_array_length(rooms); i++) {
        struct buf path = BUF_INIT;

        if (strcmp(room_at(rooms, i), evening.absent.room) != 0) {
            wim->accepts = false;
            gone = true;
            buf_add_text(&path, "/rooms/");
            path_add(&path, room_at(rooms, i));
            buf_add_text(&path, "/leave");
            json_object_put(
                account_ask(wim, "POST", buf_text(&path), "{}", NULL));
        }
        buf_release(&path);
    }
    json_object_put(rooms);
}

/* Of the five who vote late: one votes in time.  Then the host is killed; one
 * more votes in time, and two, who would make it a majority, after the
 * deadline.  Then the host is started again. */
static void
play_late(void)
{
    struct party *party = &evening.late;
    struct host *host = &evening.hosts[1];
    int64_t now = live_now();
    static unsigned step;

    if (strstr(party->last, "shall President") == NULL) {
        return;
    }
    /* A minute from the opening, which may have been a while before it was
     * posted; what is near it is not tried here. */
    int64_t due = party->opened + MINUTE_MS;

    if (step == 0) {
        party_vote(party, 0, true);
        step = 1;
    } else if (step == 1 && now >= due - 15 * SECOND_MS) {
        host_kill(host);
        party_vote(party, 1, true);
        evening.late_set = true;
        step = 2;
    } else if (step == 2 && now >= due + 5 * SECOND_MS) {
        party_vote(party, 2, true);
        party_vote(party, 3, true);
        host_start(host);
        evening.late_set = false;
        evening.late_done = true;
        party->tired = true;
        step = 3;
    }
}

/* Kill the second host now and then; three times the homeserver is stopped as
 * well, or alone. */
static void
harm(void)
{
    static int64_t next;
    struct host *host = &evening.hosts[1];
    int64_t now = live_now();

    if (evening.late_set || evening.kills >= KILLS || now < next) {
        return;
    }
    next = now + 100 + rand_r(&evening.seed) % 1900;
    host_kill(host);
    evening.kills++;
    bool quiet = evening.seven.over && evening.ten.over;

    if (quiet && evening.both < 2) {
        /* Once with the host alive beside it, once with both gone. */
        if (evening.both == 0) {
            host_start(host);
        }
        home_stop(&evening.home);
        home_restart(&evening.home);
        evening.both++;
        if (host->pid != 0) {
            return;
        }
    }
    host_start(host);
}

/* ---- the evening --------------------------------------------------------- */

static bool
is_over(void)
{
    return evening.seven.over && evening.ten.over && evening.killed.games > 0 &&
           evening.kills >= KILLS && evening.both == 2 && evening.late_done &&
           evening.slow.rounds >= SLOW_ROUNDS && evening.lots != 0;
}

static void
say_missing(void)
{
    printf("  %3lld s: seven over: %d, rounds %u; ten over: %d, rounds %u; "
           "killed games: %u, kills %u, with the homeserver %u; late: %d; slow "
           "rounds: %u; lots: %d\n",
           (long long)(live_now() - evening.begun) / SECOND_MS,
           evening.seven.over, evening.seven.rounds, evening.ten.over,
           evening.ten.rounds, evening.killed.games, evening.kills,
           evening.both, evening.late_done, evening.slow.rounds,
           evening.lots != 0);
    (void)fflush(stdout);
}

static void
play_on(void)
{
    if (evening.killed.over && evening.kills < KILLS) {
        party_begin(&evening.killed);
    }
    take_leave();
    play_late();
    harm();
    if (evening.lots == 0 &&
        strstr(evening.absent.last, "is in session") != NULL) {
        evening.absent_asked = evening.absent.called;
    }
    if (evening.absent_asked != 0 && evening.lots == 0 &&
        strstr(evening.absent.last, "is in session") == NULL) {
        evening.lots = evening.absent.called;
        evening.absent.tired = true;
    }
    evening.slow.tired = evening.slow.rounds >= SLOW_ROUNDS;
    if (evening.cpu == 0 && evening.seven.over && evening.ten.over) {
        host_usage(&evening.hosts[0], &evening.cpu, &evening.memory);
        evening.minutes = (double)(live_now() - evening.begun) / MINUTE_MS;
    }
}

static void
play(void)
{
    struct party *const parties[] = {&evening.slow,   &evening.late,
                                     &evening.absent, &evening.seven,
                                     &evening.ten,    &evening.killed};
    bool begun[6] = {false};

    evening.begun = live_now();
    int64_t told = evening.begun;
    while (!is_over()) {
        int64_t now = live_now();

        if (now - told > 15 * SECOND_MS) {
            say_missing();
            told = now;
        }
        if (now > evening.begun + EVENING_MS) {
            ck_abort_msg("the evening did not come to its end");
        }
        for (size_t i = 0; i < 6; i++) {
            begin_when_open(parties[i], &begun[i]);
        }
        hear_all(50);
        play_on();
    }
}

static void
end(void)
{
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(host_stop(&evening.hosts[i]), 0);
    }
}

/* ---- looking back -------------------------------------------------------- */

/* Every message that an account can see in a room, oldest first: an array of
 * events. */
static json_object *
read_room(const struct account *account, const char *room)
{
    json_object *all = json_object_new_array();
    struct buf from = BUF_INIT;
    bool more = true;

    while (more) {
        struct buf path = BUF_INIT;

        buf_add_text(&path, "/rooms/");
        path_add(&path, room);
        buf_addf(&path, "/messages?dir=f&limit=1000%s%s",
                 from.len > 0 ? "&from=" : "", buf_text(&from));
        json_object *answer =
            account_ask(account, "GET", buf_text(&path), NULL, NULL);
        json_object *chunk = jdoc_get(answer, "chunk");
        const char *end = jdoc_string(answer, "end");

        for (size_t i = 0; i < json_object_array_length(chunk); i++) {
            json_object_array_add(
                all, json_object_get(json_object_array_get_idx(chunk, i)));
        }
        buf_clear(&from);
        buf_add_text(&from, end == NULL ? "" : end);
        more = end != NULL && json_object_array_length(chunk) > 0;
        json_object_put(answer);
        buf_release(&path);
    }
    buf_release(&from);
    return all;
}

/* The text of a message; "" of any other event. */
static const char *
text_of(json_object *event)
{
    const char *text = jdoc_string(jdoc_get(event, "content"), "body");

    return text == NULL ? "" : text;
}

static bool
is_by(json_object *event, const char *user)
{
    const char *sender = jdoc_string(event, "sender");

    return sender != NULL && strcmp(sender, user) == 0;
}

static bool
is_edit(json_object *event)
{
    json_object *relation =
        jdoc_get(jdoc_get(event, "content"), "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    return kind != NULL && strcmp(kind, "m.replace") == 0;
}

/* How many posts of the host in a room hold a text. */
static unsigned
count_said(const struct party *party, const char *text)
{
    json_object *events = read_room(party->mo, party->room);
    unsigned count = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        count += is_by(event, party->bot) && !is_edit(event) &&
                 strstr(text_of(event), text) != NULL;
    }
    json_object_put(events);
    return count;
}

static void
assert_said(const struct party *party, const char *text)
{
    ck_assert_msg(count_said(party, text) > 0, "never said: %s", text);
}

/* The private room of a player: the one that is not the party's; "" if none. */
static void
talk_of(const struct party *party, unsigned player, char *room, size_t size)
{
    json_object *rooms = rooms_of(party->players[player]);

    room[0] = '\0';
    for (size_t i = 0; i < json_object_array_length(rooms); i++) {
        if (strcmp(room_at(rooms, i), party->room) != 0) {
            ck_assert_msg(room[0] == '\0', "%s has two talks",
                          party->players[player]->user);
            snprintf(room, size, "%s", room_at(rooms, i));
        }
    }
    json_object_put(rooms);
}

static struct party *const games[] = {&evening.seven, &evening.ten,
                                      &evening.killed};

/* ---- the tests ----------------------------------------------------------- */

START_TEST(whole_games_end_with_the_roles_revealed)
{
    const struct party *party = games[_i];

    assert_said(party, "Welcome, all");
    ck_assert_uint_gt(party->rounds, 0);
    ck_assert_uint_ge(count_said(party, " win"), 1);
    assert_said(party, "Hitler: ");
    ck_assert_uint_lt(party->hitler, party->count);
}
END_TEST

START_TEST(every_player_gets_one_role_and_every_government_one_hand)
{
    const struct party *party = games[_i];
    unsigned roles = 0;
    unsigned hands = 0;
    unsigned passes = 0;

    for (unsigned i = 0; i < party->count; i++) {
        char room[128];
        unsigned own = 0;

        talk_of(party, i, room, sizeof(room));
        json_object *events = read_room(party->players[i], room);

        for (size_t j = 0; j < json_object_array_length(events); j++) {
            json_object *event = json_object_array_get_idx(events, j);
            bool bot = is_by(event, party->bot);

            own += bot && strstr(text_of(event), "your role is below") != NULL;
            hands +=
                bot && strstr(text_of(event), "you are President;") != NULL;
            passes += bot && strstr(text_of(event), "hands you two") != NULL;
        }
        ck_assert_msg(own == count_said(party, "Welcome, all"),
                      "%s got %u roles", party->players[i]->name, own);
        roles += own;
        json_object_put(events);
    }
    ck_assert_uint_gt(roles, 0);
    ck_assert_uint_eq(hands, count_said(party, "is in session"));
    ck_assert_uint_le(hands - passes, 1);
    ck_assert_uint_ge(count_said(party, " policy.\n"), 1);
}
END_TEST

/* Two posts of the host never say the same: each has its round, or its time. */
START_TEST(no_post_is_there_twice)
{
    const struct party *party = games[_i];
    json_object *events = read_room(party->mo, party->room);
    json_object *seen = json_object_new_object();

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = text_of(event);

        if (strstr(text, "Welcome, all") != NULL) {
            json_object_put(seen); /* of another game */
            seen = json_object_new_object();
        }
        if (is_by(event, party->bot) && !is_edit(event) && *text != '\0' &&
            strstr(text, "Round ") != NULL) {
            ck_assert_msg(jdoc_get(seen, text) == NULL, "twice: %s", text);
            json_object_object_add(seen, text, json_object_new_boolean(1));
        }
    }
    ck_assert_int_gt(json_object_object_length(seen), 0);
    json_object_put(seen);
    json_object_put(events);
}
END_TEST

/* Add each line of a private text that says something. */
static void
add_secrets(json_object *secrets, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        if (len >= 15) {
            json_object_array_add(secrets,
                                  json_object_new_string_len(text, (int)len));
        }
        text += len + (text[len] == '\n');
    }
}

/* All that the host wrote in private at a party. */
static json_object *
secrets_of(const struct party *party)
{
    json_object *secrets = json_object_new_array();

    for (unsigned i = 0; i < party->count; i++) {
        char room[128];

        talk_of(party, i, room, sizeof(room));
        json_object *events = *room == '\0'
                                  ? json_object_new_array()
                                  : read_room(party->players[i], room);

        for (size_t j = 0; j < json_object_array_length(events); j++) {
            json_object *event = json_object_array_get_idx(events, j);

            if (is_by(event, party->bot)) {
                add_secrets(secrets, text_of(event));
            }
        }
        json_object_put(events);
    }
    return secrets;
}

static void
assert_no_secret(json_object *events, json_object *secrets, const char *who)
{
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        const char *text =
            json_object_to_json_string_ext(json_object_array_get_idx(events, i),
                                           JSON_C_TO_STRING_NOSLASHESCAPE);

        for (size_t j = 0; j < json_object_array_length(secrets); j++) {
            const char *secret =
                json_object_get_string(json_object_array_get_idx(secrets, j));

            ck_assert_msg(strstr(text, secret) == NULL, "%s sees: %s", who,
                          secret);
        }
    }
}

START_TEST(no_account_sees_a_secret_that_is_not_its_own)
{
    const struct party *party = games[_i];
    json_object *secrets = secrets_of(party);
    json_object *events = read_room(evening.mo, party->room);

    ck_assert_uint_gt(json_object_array_length(secrets),
                      (size_t)5 * party->count);
    assert_no_secret(events, secrets, "everybody");
    json_object_put(events);
    /* Whatever else an account can see is its own talk, with itself and the
     * host in it, and nobody asked in. */
    for (unsigned i = 0; i < evening.count; i++) {
        const struct account *account = evening.list[i];
        json_object *rooms = rooms_of(account);

        for (size_t j = 0; j < json_object_array_length(rooms); j++) {
            struct buf path = BUF_INIT;
            const char *room = room_at(rooms, j);

            if (account->context != party || strcmp(room, party->room) == 0) {
                continue;
            }
            buf_add_text(&path, "/rooms/");
            path_add(&path, room);
            buf_add_text(&path, "/members?not_membership=leave");
            json_object *answer =
                account_ask(account, "GET", buf_text(&path), NULL, NULL);

            ck_assert_uint_eq(
                json_object_array_length(jdoc_get(answer, "chunk")), 2);
            json_object_put(answer);
            buf_release(&path);
        }
        /* Nobody but the players has a talk with the host. */
        if (account->context == NULL && account != evening.mo) {
            ck_assert_uint_le(json_object_array_length(rooms), 1);
        }
        json_object_put(rooms);
    }
    json_object_put(secrets);
}
END_TEST

START_TEST(what_is_no_vote_counts_for_none)
{
    /* Edits, quotes, notices, reactions, strangers: nobody had voted. */
    ck_assert_msg(strstr(evening.seven.status, "0 of 7 have voted") != NULL,
                  "%s", evening.seven.status);
    /* Then they voted Nein, until four of seven had. */
    assert_said(&evening.seven, "Rejected, 0 Ja to 4 Nein");
}
END_TEST

START_TEST(the_executed_vote_no_more)
{
    const struct party *party = &evening.seven;
    json_object *events = read_room(party->mo, party->room);
    char who[64] = "";
    unsigned votes = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = text_of(event);
        const char *tally = strstr(text, "\nJa: ");

        if (!is_by(event, party->bot) || is_edit(event)) {
            continue;
        }
        if (*who != '\0' && tally != NULL) {
            char line[512];

            snprintf(line, sizeof(line), "%.*s", (int)strcspn(tally + 1, "\n"),
                     tally + 1);
            ck_assert_msg(strstr(line, who) == NULL, "%s", line);
            votes++;
        }
        const char *executed = strstr(text, " executes ");

        if (executed != NULL) {
            executed += strlen(" executes ");
            snprintf(who, sizeof(who), "%.*s", (int)strcspn(executed, "."),
                     executed);
        }
    }
    ck_assert_str_ne(who, "");
    ck_assert_uint_gt(votes, 0);
    json_object_put(events);
}
END_TEST

/* Does a host's record of a game prove it?  False: it is not over, or there is
 * none. */
static bool
is_proven(const struct host *host, int game)
{
    char number[16];
    char record[128];
    const char *const export[] = {"record", "-c",   "CONF", number,
                                  "-o",     record, NULL};
    const char *const verify[] = {"verify", record, NULL};

    snprintf(number, sizeof(number), "%d", game);
    snprintf(record, sizeof(record), "%s/record.jsonl", evening.folder);
    if (host_command(host, export, "record.out") != 0) {
        return false;
    }
    ck_assert_int_eq(host_command(host, verify, "verify.out"), 0);
    return true;
}

START_TEST(every_game_is_one_that_its_record_proves)
{
    unsigned proven[2] = {0};

    ck_assert_uint_ge(evening.kills, KILLS);
    ck_assert_uint_ge(evening.hosts[1].starts, KILLS);
    for (int game = 1; game <= 2 + (int)KILLS; game++) {
        proven[0] += game <= 2 && is_proven(&evening.hosts[0], game);
        proven[1] += game <= 3 + (int)evening.killed.games &&
                     is_proven(&evening.hosts[1], game);
    }
    ck_assert_uint_eq(proven[0], 2);
    ck_assert_uint_eq(proven[1], evening.killed.games);
}
END_TEST

START_TEST(
    a_late_vote_does_not_count_and_one_in_time_does_though_nobody_read_it)
{
    const struct party *party = &evening.late;
    char line[256];

    assert_said(party, "Time is up, 2 Ja to 0 Nein");
    snprintf(line, sizeof(line), "Ja: %s, %s.", party->players[0]->name,
             party->players[1]->name);
    assert_said(party, line);
    ck_assert_uint_eq(count_said(party, "Time is up, "), 1);
}
END_TEST

/* Everybody was sent a ballot: who left, who never came, who ignores the host;
 * and those who came. */
START_TEST(who_does_not_come_to_the_talk_is_asked_to_in_the_thread)
{
    const struct party *party = &evening.absent;

    for (unsigned i = 0; i < party->count; i++) {
        char line[128];
        bool absent = party->deaf >> i & 1U;

        snprintf(line, sizeof(line), "%s, there is a private message for you",
                 party->players[i]->name);
        ck_assert_msg((count_said(party, line) > 0) == absent, "%s", line);
        ck_assert_uint_le(count_said(party, line), 2);
    }
}
END_TEST

START_TEST(a_choice_that_nobody_makes_is_drawn_by_lots_in_time)
{
    assert_said(&evening.absent, "lots were drawn among the cards");
    int64_t took = evening.lots - evening.absent_asked;

    ck_assert_int_ge(took, MINUTE_MS - 5 * SECOND_MS);
    ck_assert_int_le(took, 2 * MINUTE_MS + 30 * SECOND_MS);
}
END_TEST

/* What the homeserver has answered the bot, one line a request. */
static void
read_log(const struct home *home, struct buf *text)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/synapse.log", home->folder);
    live_read(path, text);
}

/* Is a line of the log a request of an account, that was answered? */
static bool
is_request(const char *line, const char *user)
{
    char who[160];
    size_t len = strcspn(line, "\n");

    snprintf(who, sizeof(who), "{%s}", user);
    const char *at = strstr(line, who);
    const char *done = strstr(line, "Processed request");

    return at != NULL && at < line + len && done != NULL && done < line + len;
}

/* A line of the log: when the request was answered, and how long that took, in
 * ms of the day. */
static void
times_of(const char *line, long *start, long *end)
{
    const char *at = strstr(line, "Processed request: ");
    char *rest = NULL;
    long parts[4];

    /* "2026-11-21 17:03:26,059 …": the hour stands behind the first blank. */
    rest = strchr(line, ' ');
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(rest);
        parts[i] = strtol(rest + 1, &rest, 10);
    }
    *end = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3];
    ck_assert_ptr_nonnull(at);
    *start = *end -
             (long)(strtod(at + strlen("Processed request: "), NULL) * 1000.0);
}

/* Whoever waits as long as was said is not refused again, unless something else
 * was let through since.  What is sent and what makes rooms have limits of
 * their own beside the common one. */
START_TEST(nothing_is_asked_before_its_time_where_the_server_limits)
{
    struct buf text = BUF_INIT;
    unsigned refused[2] = {0};
    long last_refused[2] = {0};
    long last_passed = 0;

    read_log(&evening.limited, &text);
    for (const char *line = buf_text(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        char copy[1024];
        long start;
        long end;

        snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
        line += len + (line[len] == '\n');
        if (!is_request(copy, evening.bots[2].user) ||
            strstr(copy, "\"GET ") != NULL) {
            continue;
        }
        bool makes = strstr(copy, "/createRoom ") != NULL;

        times_of(copy, &start, &end);
        if (strstr(copy, " 429 ") == NULL) {
            last_passed = end;
            continue;
        }
        ck_assert_msg(refused[makes] == 0 || start <= last_refused[makes] ||
                          last_passed >= last_refused[makes],
                      "%s", copy);
        last_refused[makes] = end;
        refused[makes]++;
    }
    printf("  where the homeserver limits, %u requests were refused\n",
           refused[0] + refused[1]);
    ck_assert_uint_gt(refused[0], 0);
    ck_assert_uint_ge(evening.slow.rounds, SLOW_ROUNDS);
    ck_assert_uint_ge(count_said(&evening.slow, "Rejected, 0 Ja to "), 2);
    buf_release(&text);
}
END_TEST

/* ---- numbers ------------------------------------------------------------- */

static int
compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one;
    int64_t b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

static void
print_latency(const char *name, const struct party *party)
{
    int64_t times[PARTY_VOTES_MAX];
    unsigned count = 0;

    for (unsigned i = 0; i < party->vote_count; i++) {
        if (party->votes[i].seen != 0) {
            times[count++] = party->votes[i].seen - party->votes[i].sent;
        }
    }
    qsort(times, count, sizeof(times[0]), compare);
    if (count > 0) {
        printf("  %s: %u rounds; from a vote to its acknowledgement: median "
               "%lld ms, 95%% within %lld ms, at most %lld ms (%u of %u "
               "votes)\n",
               name, party->rounds, (long long)times[count / 2],
               (long long)times[count * 95 / 100], (long long)times[count - 1],
               count, party->vote_count);
    }
}

static void
print_requests(void)
{
    static const char *const kinds[] = {"/sync?",
                                        "/send/m.room.message/",
                                        "/send/m.reaction/",
                                        "/members?",
                                        "/event/",
                                        "/createRoom"};
    unsigned counts[6] = {0};
    unsigned all = 0;
    struct buf text = BUF_INIT;

    read_log(&evening.home, &text);
    for (const char *line = buf_text(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        char copy[2048];

        snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
        if (is_request(copy, evening.bots[0].user)) {
            all++;
            for (size_t i = 0; i < 6; i++) {
                counts[i] += strstr(copy, kinds[i]) != NULL;
            }
        }
        line += len + (line[len] == '\n');
    }
    unsigned phases = evening.seven.calls + evening.ten.calls;

    printf("  requests of the first host: %u in %u phases, %.1f a phase "
           "(sync %u, messages %u, reactions %u, members %u, events %u, rooms "
           "%u)\n",
           all, phases, phases > 0 ? (double)all / phases : 0.0, counts[0],
           counts[1], counts[2], counts[3], counts[4], counts[5]);
    buf_release(&text);
}

static void
print_numbers(void)
{
    printf("  the evening took %.0f s\n",
           (double)(live_now() - evening.begun) / SECOND_MS);
    print_latency("seven", &evening.seven);
    print_latency("ten", &evening.ten);
    print_requests();
    printf("  the first host used %ld ms of CPU in %.1f minutes, and %ld MiB\n",
           evening.cpu, evening.minutes, evening.memory / 1024);
    printf("  the second was killed %u times, with %u games ended\n",
           evening.kills, evening.killed.games);
}

/* ---- the suite ----------------------------------------------------------- */

/* Nothing is left behind, whatever ends the test. */
static void
clear_up(void)
{
    for (unsigned i = 0; i < 3; i++) {
        if (evening.hosts[i].pid > 1) {
            (void)kill(evening.hosts[i].pid, SIGKILL);
        }
    }
    home_stop(&evening.home);
    home_stop(&evening.limited);
}

static pid_t first;

static void
at_exit(void)
{
    if (getpid() == first) {
        clear_up();
    }
}

static void
begin_evening(void)
{
    const char *seed = getenv("PLACARD_LIVE_SEED");

    evening.seed =
        seed == NULL ? (unsigned)live_now() : (unsigned)strtoul(seed, NULL, 10);
    printf("  PLACARD_LIVE_SEED=%u\n", evening.seed);
    gather_all();
    meet();
    play();
    print_numbers();
    (void)fflush(stdout);
}

static void
end_evening(void)
{
    end();
    for (unsigned i = 0; i < evening.count; i++) {
        account_close(evening.list[i]);
    }
    home_release(&evening.home);
    home_release(&evening.limited);
}

/* A homeserver is there, or nothing is tested. */
static bool
set_up(void)
{
    if (getenv("PLACARD_SYNAPSE_UP") == NULL) {
        printf("  SKIP  live: PLACARD_SYNAPSE_UP names no program that starts "
               "a homeserver\n");
        return false;
    }
    snprintf(evening.folder, sizeof(evening.folder),
             "/tmp/placard-live-XXXXXX");
    if (mkdtemp(evening.folder) == NULL) {
        die("no folder in /tmp");
    }
    first = getpid();
    (void)atexit(at_exit);
    return home_start(&evening.home, path_of("home"), "relaxed", users) &&
           home_start(&evening.limited, path_of("limited"), "normal",
                      users_limited);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("live/matrix");
    TCase *tests = tcase_create("live");
    enum {
        GAMES = sizeof(games) / sizeof(games[0])
    };

    tcase_set_timeout(tests, 120);
    if (!set_up()) {
        return suite;
    }
    tcase_add_unchecked_fixture(tests, begin_evening, end_evening);
    tcase_add_loop_test(tests, whole_games_end_with_the_roles_revealed, 0,
                        GAMES);
    tcase_add_loop_test(
        tests, every_player_gets_one_role_and_every_government_one_hand, 0,
        GAMES);
    tcase_add_loop_test(tests, no_post_is_there_twice, 0, GAMES);
    tcase_add_loop_test(tests, no_account_sees_a_secret_that_is_not_its_own, 0,
                        GAMES);
    tcase_add_test(tests, what_is_no_vote_counts_for_none);
    tcase_add_test(tests, the_executed_vote_no_more);
    tcase_add_test(tests, every_game_is_one_that_its_record_proves);
    tcase_add_test(
        tests,
        a_late_vote_does_not_count_and_one_in_time_does_though_nobody_read_it);
    tcase_add_test(tests,
                   who_does_not_come_to_the_talk_is_asked_to_in_the_thread);
    tcase_add_test(tests, a_choice_that_nobody_makes_is_drawn_by_lots_in_time);
    tcase_add_test(tests,
                   nothing_is_asked_before_its_time_where_the_server_limits);
    suite_add_tcase(suite, tests);
    return suite;
}
