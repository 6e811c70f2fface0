/*
 * placard at a real Matrix homeserver: whole games, played by ordinary accounts
 * (matrix_run.h).  Everything is played once, then looked at: each test checks
 * one thing that the accounts saw or did not see.
 *
 * Without PLACARD_SYNAPSE_UP (homes.h) nothing is played, and a message says
 * so. Times are real here, and waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/json.h"
#include "tests/live/barred.h"
#include "tests/live/french.h"
#include "tests/live/look.h"
#include "tests/live/matrix_run.h"
#include "tests/support/runner.h"

static struct group *const games[] = {&run.seven, &run.ten, &run.killed};
enum {
    GAMES = sizeof(games) / sizeof(games[0]),
    STATUS_LATEST_MS = 30000, /* the longest that the status post may wait */
};

static struct told truths[GAMES]; /* of each of them, by the records */

/* ---- looking back -------------------------------------------------------- */

static void
assert_said(const struct group *group, const char *text)
{
    ck_assert_msg(look_count(group, text) > 0, "never said: %s", text);
}

/* ---- records ------------------------------------------------------------- */

/* The record of a host's game, in a file; borrowed until the next. */
static const char *
record_of(unsigned host, int game)
{
    static char path[300];

    snprintf(path, sizeof(path), "%s/record.%u.%d", run.folder, host, game);
    return path;
}

static bool
has_record(unsigned host, int game)
{
    return access(record_of(host, game), R_OK) == 0;
}

/* Has the game been played to its end? */
static bool
is_whole(unsigned host, int game)
{
    json_object *lines = look_record(record_of(host, game));
    bool whole = false;

    for (size_t i = 0; !whole && i < json_object_array_length(lines); i++) {
        json_object *line = json_object_array_get_idx(lines, i);

        whole = strcmp(jdoc_string(line, "event"), "ended") == 0;
    }
    json_object_put(lines);
    return whole;
}

/* Which of the groups that play whole games has played it?  It is known by
 * what they must have received. */
static void
tell_record(unsigned host, int game)
{
    json_object *lines = look_record(record_of(host, game));
    bool told = false;

    for (size_t i = 0; !told && i < GAMES; i++) {
        told = (games[i] == &run.killed) == (host == 1) &&
               told_by_record(&truths[i], games[i], lines);
    }
    json_object_put(lines);
}

/* The record of the only game that a group at a host has played; yours to put.
 */
static json_object *
record_with(unsigned host, const struct group *group)
{
    json_object *found = NULL;

    for (int game = 1; found == NULL && has_record(host, game); game++) {
        struct told told = {.rounds = 0};
        json_object *lines = look_record(record_of(host, game));

        if (told_by_record(&told, group, lines)) {
            found = json_object_get(lines);
        }
        told_release(&told);
        json_object_put(lines);
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

/* Have the records of the first two hosts' games written, those of games that
 * are not over, too. */
static void
export_records(void)
{
    for (unsigned host = 0; host < 2; host++) {
        char number[16];
        int game = 0;
        int code = 0;

        while (code == 0) {
            const char *const export[] = {"record",
                                          "-c",
                                          "CONF",
                                          number,
                                          "--host",
                                          "-o",
                                          record_of(host, ++game),
                                          NULL};

            snprintf(number, sizeof(number), "%d", game);
            code = host_command(&run.hosts[host], export, "record.out");
            if (code == 0) {
                tell_record(host, game);
            }
        }
    }
}

/* ---- the tests ----------------------------------------------------------- */

START_TEST(whole_games_end_with_the_roles_revealed)
{
    const struct group *group = games[_i];

    assert_said(group, "Welcome, all");
    ck_assert_uint_gt(group->rounds, 0);
    ck_assert_uint_ge(look_count(group, " win"), 1);
    ck_assert_uint_gt(look_count(group, " was Hitler. ") +
                          look_count(group, " is Hitler. The "),
                      0);
    ck_assert_uint_lt(group->hitler, group->count);
}
END_TEST

/* Nothing is lost, nothing is doubled, and nobody receives what is meant for
 * another. */
START_TEST(each_player_is_told_just_the_roles_and_hands_of_the_record)
{
    const struct group *group = games[_i];
    struct told seen = {.rounds = 0};

    for (unsigned i = 0; i < group->count; i++) {
        told_in_dm(&seen, group, i);
        ck_assert_msg(
            buf_equals(&truths[_i].players[i], buf_text(&seen.players[i])),
            "%s was told %s, the record has %s", group->players[i]->name,
            buf_text(&seen.players[i]), buf_text(&truths[_i].players[i]));
        ck_assert_ptr_nonnull(strstr(buf_text(&seen.players[i]), "role "));
    }
    told_release(&seen);
}
END_TEST

START_TEST(each_round_and_each_session_of_the_record_is_called_once)
{
    const struct group *group = games[_i];

    ck_assert_uint_gt(truths[_i].rounds, 0);
    ck_assert_uint_eq(look_count(group, " is up for President"),
                      truths[_i].rounds);
    ck_assert_uint_eq(look_count(group, "Not a word here from either of you"),
                      truths[_i].sessions);
}
END_TEST

START_TEST(the_board_comes_as_a_picture_with_each_policy)
{
    const struct group *group = games[_i];
    json_object *events = look_room(group->mo, group->room);
    unsigned pictures = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        json_object *content = jdoc_get(event, "content");
        const char *type = jdoc_string(content, "msgtype");
        const char *url = jdoc_string(content, "url");

        if (type != NULL && strcmp(type, "m.image") == 0) {
            ck_assert(look_is_by(event, group->bot));
            ck_assert_msg(url != NULL && strncmp(url, "mxc://", 6) == 0, "%s",
                          url);
            ck_assert_str_ne(look_text(event), "");
            pictures++;
        }
    }
    ck_assert_uint_gt(pictures, 0);
    ck_assert_uint_eq(pictures, truths[_i].policies);
    json_object_put(events);
}
END_TEST

/* No two posts of the host are the same: each has its round, or its time. */
START_TEST(no_post_is_there_twice)
{
    const struct group *group = games[_i];
    json_object *events = look_room(group->mo, group->room);
    json_object *seen = json_object_new_object();

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = look_text(event);

        if (strstr(text, "Welcome, all") != NULL) {
            json_object_put(seen); /* of another game */
            seen = json_object_new_object();
        }
        if (look_is_by(event, group->bot) && !look_is_edit(event) &&
            *text != '\0' && strstr(text, "Round ") != NULL) {
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

/* Add all that the host wrote to a player in private.  Who lost a seat hears of
 * it wherever they write, in the room in the same words: no secret.  Nor is how
 * to vote. */
static void
add_secrets_of(json_object *secrets, const struct group *group, unsigned player)
{
    char room[128];

    look_dm(group, player, room, sizeof(room));
    json_object *events = *room == '\0'
                              ? json_object_new_array()
                              : look_room(group->players[player], room);

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        if (look_is_by(event, group->bot) &&
            strstr(look_text(event), ", your seat is empty") == NULL &&
            strstr(look_text(event), " only count in bold") == NULL) {
            add_secrets(secrets, look_text(event));
        }
    }
    json_object_put(events);
}

static void
assert_no_secret(json_object *events, json_object *secrets, const char *who)
{
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        const char *text =
            json_object_to_json_string_ext(json_object_array_get_idx(events, i),
                                           JSON_C_TO_STRING_NOSLASHESCAPE);

        for (size_t j = 0; j < json_object_array_length(secrets); j++) {
            ck_assert_msg(strstr(text, look_at(secrets, j)) == NULL,
                          "%s sees: %s", who, look_at(secrets, j));
        }
    }
}

/* How many people are in a room, or are invited. */
static size_t
count_people(const struct account *account, const char *room)
{
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, room);
    buf_add_text(&path, "/members?not_membership=leave");
    json_object *answer =
        account_ask(account, "GET", buf_text(&path), NULL, NULL);

    size_t count = json_object_array_length(jdoc_get(answer, "chunk"));

    json_object_put(answer);
    buf_release(&path);
    return count;
}

/* The number of an account among a group's players; its count: none. */
static unsigned
number_of(const struct group *group, const struct account *account)
{
    unsigned player = 0;

    while (player < group->count && group->players[player] != account) {
        player++;
    }
    return player;
}

/* Look through all rooms that an account is in.  In its own DM is what is its
 * own, as the records have it (see above); nothing secret is anywhere else. */
static void
look_through(const struct account *account, json_object *secrets,
             json_object *seen)
{
    const struct group *group = account->context;
    json_object *rooms = look_rooms(account);
    char dm[128] = "";

    if (group != NULL) {
        look_dm(group, number_of(group, account), dm, sizeof(dm));
    }
    for (size_t i = 0; i < json_object_array_length(rooms); i++) {
        const char *room = look_at(rooms, i);

        if (strcmp(room, dm) == 0) {
            ck_assert_uint_eq(count_people(account, room), 2);
        } else if (jdoc_get(seen, room) == NULL) {
            json_object *events = look_room(account, room);

            assert_no_secret(events, secrets, account->user);
            json_object_object_add(seen, room, json_object_new_boolean(1));
            json_object_put(events);
        }
    }
    json_object_put(rooms);
}

START_TEST(no_account_sees_a_secret_that_is_not_its_own)
{
    json_object *secrets = json_object_new_array();
    json_object *seen = json_object_new_object();

    for (unsigned i = 0; i < run.count; i++) {
        const struct group *group = run.list[i]->context;

        if (group != NULL) {
            add_secrets_of(secrets, group, number_of(group, run.list[i]));
        }
    }
    ck_assert_uint_gt(json_object_array_length(secrets), 200);
    for (unsigned i = 0; i < run.count; i++) {
        look_through(run.list[i], secrets, seen);
    }
    /* Ten rooms, the moderators', one that is encrypted, and one that a
     * player has made. */
    ck_assert_int_eq(json_object_object_length(seen), 13);
    json_object_put(seen);
    json_object_put(secrets);
}
END_TEST

START_TEST(moderators_are_asked_and_answer_through_the_host)
{
    const struct group *group = &run.seven;
    char dm[128];
    char id[128];

    look_dm(group, 0, dm, sizeof(dm));
    ck_assert_uint_eq(
        look_find(group->mo, run.staff_room, group->bot, QUESTION, id), 1);
    ck_assert_uint_eq(look_find(group->players[0], dm, group->bot, ANSWER, id),
                      1);
    ck_assert_uint_eq(look_count(group, QUESTION), 0);
    ck_assert_uint_eq(look_count(group, ANSWER), 0);
}
END_TEST

/* Apps call a room by its name, else by its alias, else by who is in it. */
START_TEST(a_dm_is_called_by_the_host_in_it)
{
    const struct group *group = &run.seven;

    for (unsigned i = 0; i < group->count; i++) {
        const struct account *player = group->players[i];
        char room[128];

        look_dm(group, i, room, sizeof(room));
        json_object *name = look_state(player, room, "m.room.name");
        json_object *alias = look_state(player, room, "m.room.canonical_alias");

        ck_assert_ptr_null(jdoc_get(name, "name"));
        ck_assert_ptr_null(jdoc_get(alias, "alias"));
        json_object_put(name);
        json_object_put(alias);
    }
}
END_TEST

START_TEST(what_is_no_vote_counts_for_none)
{
    /* Edits, quotes, notices, reactions, strangers: nobody had voted. */
    ck_assert_msg(strstr(run.seven.status, "0 of 7 have voted") != NULL, "%s",
                  run.seven.status);
    /* Then they voted Nein, until four of seven had. */
    assert_said(&run.seven, "Rejected, 0 to 4");
}
END_TEST

START_TEST(the_executed_vote_no_more)
{
    const struct group *group = &run.seven;
    json_object *events = look_room(group->mo, group->room);
    char who[64] = "";
    unsigned votes = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = look_text(event);
        const char *tally = strstr(text, "\nJa: ");

        tally = tally == NULL ? strstr(text, "\nNein: ") : tally;
        if (!look_is_by(event, group->bot) || look_is_edit(event)) {
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

/* Was a message deleted?  The event stays, and has nothing in it. */
static bool
is_deleted(json_object *event)
{
    json_object *content = jdoc_get(event, "content");

    return strcmp(jdoc_string(event, "type"), "m.room.message") == 0 &&
           json_object_object_length(content) == 0;
}

/* The executed of both tables go on voting: their posts are deleted where it is
 * set so, and nobody else's is. */
START_TEST(what_the_executed_post_is_deleted_where_it_is_set_so)
{
    static const struct group *const groups[] = {&run.seven, &run.ten};

    for (size_t i = 0; i < 2; i++) {
        const struct group *group = groups[i];
        json_object *events = look_room(group->mo, group->room);
        unsigned deleted = 0;

        for (size_t j = 0; j < json_object_array_length(events); j++) {
            json_object *event = json_object_array_get_idx(events, j);
            bool dead = false;

            for (unsigned k = 0; k < group->count; k++) {
                dead = dead || (group->executed >> k & 1U &&
                                look_is_by(event, group->players[k]->user));
            }
            ck_assert(!is_deleted(event) || dead);
            deleted += is_deleted(event);
        }
        ck_assert_uint_ne(group->executed, 0);
        ck_assert_int_eq(deleted > 0, group->moderated);
        json_object_put(events);
    }
}
END_TEST

/* Three of seven do nothing once the cards are dealt: their seats become
 * vacant, and those who are left play to the end, or time does. */
START_TEST(a_game_of_seconds_ends_by_itself_though_half_of_it_is_silent)
{
    const struct group *group = &run.quick;

    assert_said(group, "Welcome, all seven!");
    assert_said(group, " empty now. ");
    assert_said(group, " win");
    assert_said(group, "Thank you, all seven, for your lies");
    ck_assert_uint_eq(group->games, 1);
}
END_TEST

START_TEST(every_game_is_one_that_its_record_proves)
{
    unsigned proven[2] = {0};

    ck_assert_uint_ge(run.kills, KILLS);
    ck_assert_uint_ge(run.hosts[1].starts, KILLS);
    for (unsigned host = 0; host < 2; host++) {
        for (int game = 1; has_record(host, game); game++) {
            const char *const verify[] = {"verify", record_of(host, game),
                                          NULL};

            if (is_whole(host, game)) {
                ck_assert_int_eq(
                    host_command(&run.hosts[host], verify, "verify.out"), 0);
                proven[host]++;
            }
        }
    }
    ck_assert_uint_eq(proven[0], 3);
    ck_assert_uint_eq(proven[1], run.killed.games);
}
END_TEST

START_TEST(
    a_late_vote_does_not_count_and_one_in_time_does_though_nobody_read_it)
{
    const struct group *group = &run.late;
    char line[256];

    assert_said(group, "Time is up: rejected, 2 to 0");
    snprintf(line, sizeof(line), "Ja: %s, %s.", group->players[0]->name,
             group->players[1]->name);
    assert_said(group, line);
    ck_assert_uint_eq(look_count(group, "Time is up: rejected, "), 1);
}
END_TEST

/* Some were asked something in private: who left, who never came, who ignores
 * the host; and those who came.  It is said once a round, and once more to who
 * is waited for. */
START_TEST(who_does_not_come_to_the_dm_is_asked_to_in_the_thread)
{
    const struct group *group = &run.absent;
    json_object *lines = record_with(1, group);
    struct told told = {.rounds = 0};
    unsigned asked = 0; /* of the absent */

    ck_assert(told_by_record(&told, group, lines));
    for (unsigned i = 0; i < group->count; i++) {
        char line[128];
        bool absent = group->deaf >> i & 1U;

        snprintf(line, sizeof(line), "%s, there's a private message from me",
                 group->players[i]->name);
        asked += absent && look_count(group, line) > 0;
        ck_assert_uint_le(look_count(group, line), 1 + told.rounds);
    }
    ck_assert_uint_gt(asked, 0);
    told_release(&told);
    json_object_put(lines);
}
END_TEST

/* A time runs from when the host says so, which may be a while after what
 * brought it about; it is never cut short, whatever is killed meanwhile. */
static void
assert_time(int64_t time, int64_t set)
{
    ck_assert_int_ge(time, set - SECOND_MS); /* they are cut to seconds */
    ck_assert_int_le(time, set + MINUTE_MS);
}

START_TEST(a_vote_ends_when_its_time_is_up)
{
    json_object *lines = record_with(1, &run.late);
    size_t at = 0;
    int64_t opened = look_time(look_line(lines, "round", &at));
    json_object *election = look_line(lines, "election", &at);

    ck_assert_str_eq(jdoc_string(election, "reason"), "deadline");
    assert_time(look_time(election) - opened, LATE_MS);
    json_object_put(lines);
}
END_TEST

/* Is a line of a record about one of those who do not come to the DM? */
static bool
is_of_absent(json_object *line, const char *key)
{
    const struct group *group = &run.absent;
    const char *name = jdoc_string(line, key);
    unsigned player = name == NULL ? group->count : group_find(group, name);

    return player < group->count && (group->deaf >> player & 1U);
}

/* A president who does not come to the DM is waited for, and that is said: a
 * host that is killed before it has noticed may give the usual time alone.  Of
 * a chancellor nothing is said before the session ends as it was announced. */
START_TEST(who_does_not_come_is_waited_for_and_then_lots_are_drawn)
{
    json_object *lines = record_with(1, &run.absent);
    int64_t asked = 0;
    bool president = false;
    unsigned presidents = 0;
    unsigned chancellors = 0;

    assert_said(&run.absent, "I'm waiting for you: the deadline is ");
    assert_said(&run.absent, "I drew a card at random");
    for (size_t i = 0; i < json_object_array_length(lines); i++) {
        json_object *line = json_object_array_get_idx(lines, i);
        const char *event = jdoc_string(line, "event");

        if (strcmp(event, "hand") == 0) {
            asked = look_time(line);
            president = is_of_absent(line, "to");
        } else if (strcmp(event, "lots") == 0 &&
                   strcmp(jdoc_string(line, "for"), "discard") == 0) {
            ck_assert(president);
            assert_time(look_time(line) - asked, PRESIDENT_MS);
            presidents++;
        } else if (strcmp(event, "lots") == 0 && !president) {
            ck_assert(is_of_absent(line, "player"));
            assert_time(look_time(line) - asked, PRESIDENT_MS + CHANCELLOR_MS);
            chancellors++;
        }
    }
    ck_assert_uint_gt(presidents, 0);
    printf("  lots were drawn for %u presidents and %u chancellors\n",
           presidents, chancellors);
    json_object_put(lines);
}
END_TEST

/* ---- a host that is barred ----------------------------------------------- */

START_TEST(who_declines_the_private_dm_is_told_and_asked_again)
{
    const struct group *group = &barred.group;
    const struct account *shy = group->players[BARRED_SHY];
    char line[160];
    char room[128];
    char id[128];

    snprintf(line, sizeof(line), "%s, you aren't in our private chat",
             shy->name);
    ck_assert_uint_eq(look_count(group, line), 1);
    ck_assert_uint_eq(look_count(group, "you aren't in our private chat"), 1);
    look_dm(group, BARRED_SHY, room, sizeof(room));
    ck_assert_uint_eq(look_find(shy, room, group->bot,
                                "invited you to our private chat again", id),
                      1);
    assert_said(group, "Welcome, all five!");
}
END_TEST

struct turn {
    long long round;
    const char *president, *chancellor;
};

/* What the thread says of a line of the record; false: nothing that is looked
 * for here. */
static bool
say_of(json_object *line, struct turn *turn, char text[160])
{
    const char *event = jdoc_string(line, "event");
    int64_t round = turn->round;

    (void)jdoc_integer(line, "round", &round);
    turn->round = round;
    if (strcmp(event, "round") == 0) {
        turn->president = jdoc_string(line, "president");
        snprintf(text, 160, "Round %lld · %s is up for President", turn->round,
                 turn->president);
    } else if (strcmp(event, "nominated") == 0) {
        turn->chancellor = jdoc_string(line, "chancellor");
        snprintf(text, 160, "Round %lld · %s nominates %s", turn->round,
                 turn->president, turn->chancellor);
    } else if (strcmp(event, "election") == 0) {
        snprintf(text, 160, "Elected, 3 to 0: President %s and Chancellor %s.",
                 turn->president, turn->chancellor);
    } else if (strcmp(event, "enacted") == 0) {
        snprintf(text, 160, "%s and %s enact a ", turn->president,
                 turn->chancellor);
    } else {
        return false;
    }
    return true;
}

/* Where the host says a text in the barred room: which of its bytes it is. */
static size_t
said_at(json_object *events, const char *text, unsigned *times)
{
    size_t at = 0;
    size_t before = 0;

    *times = 0;
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *whole = look_text(event);
        const char *found = strstr(whole, text);

        if (!look_is_by(event, barred.group.bot) || look_is_edit(event)) {
            continue;
        }
        if (found != NULL && ++*times == 1) {
            at = before + (size_t)(found - whole);
        }
        before += strlen(whole);
    }
    return at;
}

START_TEST(a_host_that_is_muted_and_put_out_says_all_of_it_once_and_in_order)
{
    json_object *lines = record_with(0, &barred.group);
    json_object *events = look_room(barred.group.mo, barred.group.room);
    size_t last = 0;
    struct turn turn = {0};
    unsigned said = 0;

    for (size_t i = 0; i < json_object_array_length(lines); i++) {
        char text[160];
        unsigned times = 0;

        if (!say_of(json_object_array_get_idx(lines, i), &turn, text)) {
            continue;
        }
        size_t at = said_at(events, text, &times);

        ck_assert_msg(times == 1, "said %u times: %s", times, text);
        ck_assert_msg(at > last, "not in its turn: %s", text);
        last = at;
        said++;
    }
    ck_assert_uint_ge(said, 10); /* two rounds, and the vote of a third */
    ck_assert_int_ge(barred.lifted - barred.muted, BARRED_MUTE_MS);
    json_object_put(events);
    json_object_put(lines);
}
END_TEST

/* The second round was called while the host was muted: where that took more
 * than a twentieth of its time, that was set on.  Nobody has missed anything.
 */
START_TEST(no_time_runs_out_while_the_host_is_barred)
{
    static const int64_t part = BARRED_PHASE_S * SECOND_MS / 20;
    json_object *lines = record_with(0, &barred.group);
    size_t at = 0;

    (void)look_line(lines, "round", &at);
    int64_t late = barred.lifted - look_time(look_line(lines, "round", &at));

    printf("  the second call of a muted host came %.1f s late\n",
           (double)late / SECOND_MS);
    /* Somebody may have read it, and answered, before the host knew that it had
     * arrived. */
    size_t next = at;
    int64_t named = look_time(look_line(lines, "nominated", &next));
    if (late > part + SECOND_MS && named > barred.called + SECOND_MS) {
        (void)look_line(lines, "extended", &at);
    }
    (void)look_line(lines, "nominated", &at);
    for (size_t i = 0; i < json_object_array_length(lines); i++) {
        json_object *line = json_object_array_get_idx(lines, i);
        const char *event = jdoc_string(line, "event");
        const char *reason = jdoc_string(line, "reason");

        ck_assert_str_ne(event, "missed");
        ck_assert_str_ne(event, "lots");
        ck_assert(reason == NULL || strcmp(reason, "deadline") != 0);
    }
    json_object_put(lines);
}
END_TEST

/* ---- where the homeserver limits ----------------------------------------- */

/* How long a post of the host was newer than its status post: until the next
 * edit, or the last that was seen there. */
static int64_t
behind(json_object *events, size_t post)
{
    size_t count = json_object_array_length(events);
    int64_t written = 0;
    int64_t then = 0;

    ck_assert(jdoc_integer(json_object_array_get_idx(events, post),
                           "origin_server_ts", &written));
    for (size_t i = post + 1; i < count; i++) {
        json_object *event = json_object_array_get_idx(events, i);

        (void)jdoc_integer(event, "origin_server_ts", &then);
        if (look_is_by(event, run.bots[2].user) && look_is_edit(event)) {
            break;
        }
    }
    return then > written ? then - written : 0;
}

/* The time is printed: the aim is a minute at most, 20 to 50 seconds are usual.
 * The bound is wide enough for a busy machine. */
START_TEST(the_status_post_is_not_far_behind_where_the_server_limits)
{
    const struct group *group = &run.slow;
    json_object *events = look_room(group->mo, group->room);
    bool dealt = false;
    int64_t longest = 0;
    unsigned posts = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = look_text(event);

        dealt = dealt || strstr(text, "Welcome, all") != NULL;
        if (dealt && look_is_by(event, group->bot) && !look_is_edit(event) &&
            strstr(text, "Round ") != NULL) {
            int64_t time = behind(events, i);

            longest = time > longest ? time : longest;
            posts++;
        }
    }
    printf(
        "  where the homeserver limits, the status post was %.1f s behind at "
        "most (%u posts)\n",
        (double)longest / SECOND_MS, posts);
    ck_assert_uint_ge(posts, SLOW_ROUNDS);
    ck_assert_int_le(longest, 5 * MINUTE_MS);
    json_object_put(events);
}
END_TEST

static bool
holds(const struct asked *asked, const char *part)
{
    return strstr(asked->path, part) != NULL;
}

/* Was something let through between two requests that were refused?  It may
 * have been answered behind the second. */
static bool
was_let_through(const struct asked *all, size_t count,
                const struct asked *refused, const struct asked *again)
{
    bool was = false;

    for (size_t i = 0; !was && i < count; i++) {
        was = all[i].status != 429 && strcmp(all[i].method, "GET") != 0 &&
              all[i].end >= refused->end && all[i].start <= again->end;
    }
    return was;
}

/* Whoever waits as long as was said is not refused again, unless something else
 * was let through since.  What is sent and what makes rooms have limits of
 * their own beside the common one. */
START_TEST(nothing_is_asked_before_its_time_where_the_server_limits)
{
    size_t count;
    struct asked *all = look_asked(&run.limited, run.bots[2].user, &count);
    const struct asked *refused[2] = {NULL};
    unsigned times = 0;

    for (size_t i = 0; i < count; i++) {
        bool makes = holds(&all[i], "/createRoom");
        const struct asked *last = refused[makes];

        if (all[i].status != 429) {
            continue;
        }
        ck_assert_msg(last == NULL || all[i].start <= last->end ||
                          was_let_through(all, count, last, &all[i]),
                      "refused again after %lld ms: %s",
                      (long long)(all[i].start - last->end), all[i].path);
        refused[makes] = &all[i];
        times++;
    }
    printf("  where the homeserver limits, %u requests were refused\n", times);
    ck_assert_uint_gt(times, 0);
    ck_assert_uint_ge(run.slow.rounds, SLOW_ROUNDS);
    ck_assert_uint_ge(look_count(&run.slow, "Rejected, 0 to "), 2);
    free(all);
}
END_TEST

/* Where was a request let through that had been refused? */
static size_t
let_through(const struct asked *all, size_t count, size_t refused)
{
    size_t at = refused + 1;

    while (at < count && (all[at].status == 429 ||
                          strcmp(all[at].path, all[refused].path) != 0)) {
        at++;
    }
    return at;
}

/* When the edit before this one was let through; 0: none was. */
static int64_t
edit_before(const struct asked *all, size_t at)
{
    for (size_t i = at; i-- > 0;) {
        if (holds(&all[i], "/m.room.message/e.") && all[i].status == 200) {
            return all[i].end;
        }
    }
    return 0;
}

/* Did a request of a lower rank go though a message had been refused before?
 * The status post may, if it has waited for half a minute. */
static bool
jumps(const struct asked *all, size_t at)
{
    bool edit = holds(&all[at], "/m.room.message/e.");

    return all[at].status != 429 &&
           (holds(&all[at], "/m.reaction/") ||
            (edit && all[at].end - edit_before(all, at) < STATUS_LATEST_MS));
}

/* A message (whose transaction begins with m) that was refused goes before each
 * reaction and edit that begins after that. */
START_TEST(messages_go_before_reactions_and_edits_where_the_server_limits)
{
    size_t count;
    struct asked *all = look_asked(&run.limited, run.bots[2].user, &count);
    unsigned messages = 0;

    for (size_t i = 0; i < count; i++) {
        if (all[i].status != 429 || !holds(&all[i], "/m.room.message/m.")) {
            continue;
        }
        size_t end = let_through(all, count, i);

        messages++;
        for (size_t j = i + 1; j < end && end < count; j++) {
            ck_assert_msg(!jumps(all, j) || all[j].start <= all[i].end,
                          "%s waits for %s", all[i].path, all[j].path);
        }
    }
    ck_assert_uint_gt(messages, 0);
    free(all);
}
END_TEST

/* How often a text stands in a host's log. */
static unsigned
count_logged(const struct host *host, const char *text)
{
    char path[300];
    struct buf log = BUF_INIT;
    unsigned count = 0;

    snprintf(path, sizeof(path), "%s/log", host->folder);
    live_read(path, &log);
    for (const char *at = strstr(buf_text(&log), text); at != NULL;
         at = strstr(at + 1, text)) {
        count++;
    }
    buf_release(&log);
    return count;
}

START_TEST(the_log_tells_once_that_the_server_limits)
{
    ck_assert_uint_eq(count_logged(&run.hosts[2], "M_LIMIT_EXCEEDED"), 1);
}
END_TEST

START_TEST(where_private_rooms_are_encrypted_the_dms_are_not)
{
    const struct group *group = &run.secret;

    assert_said(group, "Welcome, all");
    for (unsigned i = 0; i < group->count; i++) {
        struct told told = {.rounds = 0};
        char room[128];

        look_dm(group, i, room, sizeof(room));
        json_object *encrypted =
            look_state(group->players[i], room, "m.room.encryption");

        ck_assert_ptr_null(encrypted);
        told_in_dm(&told, group, i);
        ck_assert_ptr_nonnull(strstr(buf_text(&told.players[i]), "role "));
        told_release(&told);
    }
}
END_TEST

START_TEST(what_is_encrypted_is_answered_in_words)
{
    const struct group *group = &run.secret;
    char line[128];
    char room[128];
    unsigned answered = 0;

    snprintf(line, sizeof(line), "%s, your message was encrypted",
             group->players[0]->name);
    ck_assert_uint_eq(look_count(group, line), 1);
    look_dm(group, 1, room, sizeof(room));
    json_object *events = look_room(group->players[1], room);

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        answered +=
            strstr(look_text(json_object_array_get_idx(events, i)),
                   "I can't read what you write to me elsewhere") != NULL;
    }
    ck_assert_uint_eq(answered, 1);
    json_object_put(events);
}
END_TEST

START_TEST(where_every_room_is_encrypted_the_thread_says_so)
{
    const struct group *group = &run.locked;

    for (unsigned i = 0; i < group->count; i++) {
        char line[128];

        snprintf(line, sizeof(line), "%s, my private messages don't reach you",
                 group->players[i]->name);
        ck_assert_uint_ge(look_count(group, line), 1);
    }
}
END_TEST

/* Does a post ping somebody? */
static bool
pings(json_object *event, const char *user)
{
    json_object *mentions = jdoc_get(jdoc_get(event, "content"), "m.mentions");
    json_object *users = jdoc_get(mentions, "user_ids");
    bool does = false;

    for (size_t i = 0; users != NULL && i < json_object_array_length(users);
         i++) {
        does = does || strcmp(look_at(users, i), user) == 0;
    }
    return does;
}

START_TEST(the_moderators_are_rung_where_private_messages_are_refused)
{
    const struct group *group = &run.locked;
    json_object *events = look_room(group->mo, group->room);
    unsigned rung = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        rung += look_is_by(event, group->bot) &&
                strstr(look_text(event), group->watch) != NULL &&
                pings(event, group->mo->user);
    }
    ck_assert_uint_eq(rung, look_count(group, group->watch));
    ck_assert_uint_ge(rung, group->count);
    json_object_put(events);
}
END_TEST

START_TEST(an_encrypted_room_is_refused_in_words)
{
    static const char words[] = "is encrypted, so the host can read nothing";
    const char *const check[] = {"check", "-c", "CONF", NULL};
    char path[300];
    struct buf said = BUF_INIT;

    ck_assert_uint_eq(count_logged(&run.hosts[3], words), 1);
    ck_assert_int_eq(host_command(&run.hosts[3], check, "check.out"), 1);
    snprintf(path, sizeof(path), "%s/check.out", run.hosts[3].folder);
    live_read(path, &said);
    ck_assert_msg(strstr(buf_text(&said), words) != NULL, "%s",
                  buf_text(&said));
    buf_release(&said);
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
print_latency(const char *name, const struct group *group)
{
    int64_t times[GROUP_VOTES_MAX];
    unsigned count = 0;

    for (unsigned i = 0; i < group->vote_count; i++) {
        if (group->votes[i].seen != 0) {
            times[count++] = group->votes[i].seen - group->votes[i].sent;
        }
    }
    qsort(times, count, sizeof(times[0]), compare);
    if (count > 0) {
        printf("  %s: %u rounds; from a vote to its acknowledgement: median "
               "%lld ms, 95%% within %lld ms, at most %lld ms (%u of %u "
               "votes)\n",
               name, group->rounds, (long long)times[count / 2],
               (long long)times[count * 95 / 100], (long long)times[count - 1],
               count, group->vote_count);
    }
}

static void
print_requests(void)
{
    static const struct {
        const char *part, *name;
    } kinds[] = {
        {"/sync?", "sync"},
        {"/m.room.message/m.", "letters"},
        {"/m.room.message/e.", "edits"},
        {"/m.reaction/", "reactions"},
        {"/members?", "members"},
        {"/event/", "events"},
        {"/createRoom", "rooms"},
    };
    size_t count;
    struct asked *all = look_asked(&run.home, run.bots[0].user, &count);
    unsigned phases = run.seven.calls + run.ten.calls;

    printf("  requests of the first host: %zu in %u phases, %.1f a phase:",
           count, phases, phases > 0 ? (double)count / phases : 0.0);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        unsigned some = 0;

        for (size_t j = 0; j < count; j++) {
            some += holds(&all[j], kinds[i].part);
        }
        printf("%s %s %u", i == 0 ? "" : ",", kinds[i].name, some);
    }
    printf("\n");
    free(all);
}

static void
print_numbers(void)
{
    printf("  the run took %.0f s\n",
           (double)(run.ended - run.begun) / SECOND_MS);
    print_latency("seven", &run.seven);
    print_latency("ten", &run.ten);
    print_requests();
    printf("  the first host used %ld ms of CPU in %.1f minutes, and %ld MiB\n",
           run.cpu, run.minutes, run.memory / 1024);
    printf("  the second was killed %u times, with %u games ended\n", run.kills,
           run.killed.games);
    (void)fflush(stdout);
}

/* ---- in French, in a prison ---------------------------------------------- */

/* How many texts of the host in the group's room hold one of some words; the
 * last of those is left for a message. */
static unsigned
count_words(json_object *events, const char *const *words, size_t count,
            const char **found)
{
    unsigned sum = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = look_text(event);

        for (size_t j = 0; look_is_by(event, french.bot) && j < count; j++) {
            if (strstr(text, words[j]) != NULL) {
                *found = text;
                sum++;
            }
        }
    }
    return sum;
}

START_TEST(a_game_in_french_is_told_in_its_language_and_setting_alone)
{
    static const char *const own[] = {"Secret Directeur, table 1",
                                      "porte-parole", "intendant",
                                      "Les gardiens"};
    static const char *const foreign[] = {
        "Secret Hitler", "Hitler :",  "iberal",   "ibéral", "ascis",
        "hancel",        "président", "Liberals", "Round ", " the ",
        "Ja!",           "Nein!",     "{",        "<"};
    const char *found = "";
    json_object *events = look_room(french.mo, french.room);

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        ck_assert_uint_gt(count_words(events, &own[i], 1, &found), 0);
    }
    ck_assert_msg(count_words(events, foreign,
                              sizeof(foreign) / sizeof(foreign[0]),
                              &found) == 0,
                  "%s", found);
    ck_assert_uint_gt(french.rounds, 0);
    ck_assert_uint_gt(look_count(&french, " était le Directeur") +
                          look_count(&french, " est le Directeur. Les "),
                      0);
    assert_said(&french, " gagnent");
    json_object_put(events);
}
END_TEST

START_TEST(votes_count_as_french_people_write_them)
{
    char tally[128];

    /* Of five one is against; each vote was acknowledged, with whatever space,
     * by whatever app. */
    snprintf(tally, sizeof(tally), "Contre : %s.",
             french.players[FRENCH_AVERSE]->name);
    assert_said(&french, "Gouvernement élu, 4 contre 1");
    assert_said(&french, tally);
    ck_assert_uint_ge(french.vote_count, FRENCH_PLAYERS);
    for (unsigned i = 0; i < french.vote_count; i++) {
        ck_assert_msg(french.votes[i].seen != 0, "vote %u", i);
    }
}
END_TEST

START_TEST(who_asks_for_english_is_written_to_in_english_and_nobody_else)
{
    for (unsigned i = 0; i < french.count; i++) {
        const struct account *player = french.players[i];
        bool english = i == FRENCH_ENGLISH;
        char room[128];
        char id[128];

        look_dm(&french, i, room, sizeof(room));
        ck_assert_uint_eq(look_find(player, room, french.bot,
                                    "Secret Warden, table 1: your role", id),
                          english);
        ck_assert_uint_eq(
            look_find(player, room, french.bot, "ton rôle est ci-dessous", id),
            !english);
        /* The first message came before they could ask. */
        ck_assert_uint_eq(
            look_find(player, room, french.bot, "Écris ce mot en gras", id), 1);
        ck_assert_uint_eq(
            look_find(player, room, french.bot, "Hitler, table", id), 0);
    }
}
END_TEST

START_TEST(two_who_watch_are_let_into_a_gallery_that_no_player_can_read)
{
    ck_assert_uint_eq(gallery.in, (1U << FRENCH_WATCHERS) - 1);
    ck_assert_int_eq(gallery.joined, 403);
    ck_assert_int_eq(gallery.read, 403);
    ck_assert_int_eq(gallery.invited, 403);
    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        ck_assert_uint_eq(count_people(gallery.watchers[i], gallery.room),
                          FRENCH_WATCHERS + 1);
    }
}
END_TEST

/* How many events of the host are in the gallery, without those that make the
 * room what it is. */
static unsigned
count_in_gallery(const struct account *watcher)
{
    json_object *events = look_room(watcher, gallery.room);
    unsigned count = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        count += look_is_by(event, french.bot) &&
                 jdoc_get(event, "state_key") == NULL;
    }
    json_object_put(events);
    return count;
}

/* The host says in it what it is for, and that the game is over. */
START_TEST(nothing_that_is_posted_in_the_gallery_counts_or_is_answered)
{
    const struct account *watcher = gallery.watchers[0];
    char id[128];

    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        const char *user = gallery.watchers[i]->user;

        ck_assert_uint_eq(
            look_find(watcher, gallery.room, user, FRENCH_VOTE, id), 1);
        ck_assert_uint_eq(
            look_find(watcher, gallery.room, user, FRENCH_ORDER, id), 1);
    }
    ck_assert_uint_eq(look_find(watcher, gallery.room, french.bot,
                                "Voici la galerie de la table 1", id),
                      1);
    ck_assert_uint_eq(look_find(watcher, gallery.room, french.bot,
                                "La partie de la table 1 est terminée", id),
                      1);
    ck_assert_uint_eq(count_in_gallery(watcher), 2);
    /* Once for each, when they asked in the room. */
    ck_assert_uint_eq(look_count(&french, "je te fais entrer dans la galerie"),
                      FRENCH_WATCHERS);
}
END_TEST

START_TEST(the_boards_picture_is_told_in_french_too)
{
    json_object *events = look_room(french.mo, french.room);
    unsigned pictures = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *type = jdoc_string(jdoc_get(event, "content"), "msgtype");
        const char *text = look_text(event);

        if (type != NULL && strcmp(type, "m.image") == 0) {
            ck_assert(look_is_by(event, french.bot));
            ck_assert_msg(strncmp(text, "Le plateau. ", 12) == 0, "%s", text);
            ck_assert_msg(strstr(text, "Réformes : ") != NULL &&
                              strstr(text, "Sanctions : ") != NULL &&
                              strstr(text, "Places : ") != NULL,
                          "%s", text);
            pictures++;
        }
    }
    ck_assert_uint_gt(pictures, 0);
    ck_assert_uint_eq(pictures, look_count(&french, " font adopter une ") +
                                    look_count(&french, "C’est une "));
    json_object_put(events);
}
END_TEST

/* ---- the suite ----------------------------------------------------------- */

/* Play, and keep the records of the games that are over. */
static void
begin(void)
{
    matrix_run_play();
    export_records();
    print_numbers();
}

static void
end(void)
{
    for (size_t i = 0; i < GAMES; i++) {
        told_release(&truths[i]);
    }
    matrix_run_release();
}

/* A homeserver is there, or nothing is tested. */
static bool
set_up(void)
{
    const char *folder = getenv("PLACARD_LIVE");

    if (getenv("PLACARD_SYNAPSE_UP") == NULL) {
        printf("  SKIP  live: PLACARD_SYNAPSE_UP names no program that starts "
               "a homeserver\n");
        return false;
    }
    if (folder == NULL) {
        die("PLACARD_LIVE names no folder; `make check-live` does");
    }
    return matrix_run_set_up(folder);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("live/matrix");
    TCase *elsewhere = tcase_create("french");
    TCase *tests = tcase_create("live");

    tcase_set_timeout(elsewhere, 300);
    tcase_set_timeout(tests, 300);
    if (!set_up()) {
        return suite;
    }
    tcase_add_unchecked_fixture(elsewhere, french_play, french_release);
    tcase_add_test(elsewhere,
                   a_game_in_french_is_told_in_its_language_and_setting_alone);
    tcase_add_test(elsewhere, votes_count_as_french_people_write_them);
    tcase_add_test(
        elsewhere,
        who_asks_for_english_is_written_to_in_english_and_nobody_else);
    tcase_add_test(elsewhere, the_boards_picture_is_told_in_french_too);
    tcase_add_test(
        elsewhere,
        two_who_watch_are_let_into_a_gallery_that_no_player_can_read);
    tcase_add_test(elsewhere,
                   nothing_that_is_posted_in_the_gallery_counts_or_is_answered);
    suite_add_tcase(suite, elsewhere);
    tcase_add_unchecked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, whole_games_end_with_the_roles_revealed, 0,
                        GAMES);
    tcase_add_loop_test(
        tests, each_player_is_told_just_the_roles_and_hands_of_the_record, 0,
        GAMES);
    tcase_add_loop_test(
        tests, each_round_and_each_session_of_the_record_is_called_once, 0,
        GAMES);
    tcase_add_loop_test(tests, the_board_comes_as_a_picture_with_each_policy, 0,
                        GAMES);
    tcase_add_loop_test(tests, no_post_is_there_twice, 0, GAMES);
    tcase_add_test(tests, no_account_sees_a_secret_that_is_not_its_own);
    tcase_add_test(tests, moderators_are_asked_and_answer_through_the_host);
    tcase_add_test(tests, a_dm_is_called_by_the_host_in_it);
    tcase_add_test(tests, what_is_no_vote_counts_for_none);
    tcase_add_test(tests, the_executed_vote_no_more);
    tcase_add_test(tests, what_the_executed_post_is_deleted_where_it_is_set_so);
    tcase_add_test(
        tests, a_game_of_seconds_ends_by_itself_though_half_of_it_is_silent);
    tcase_add_test(tests, every_game_is_one_that_its_record_proves);
    tcase_add_test(
        tests,
        a_late_vote_does_not_count_and_one_in_time_does_though_nobody_read_it);
    tcase_add_test(tests,
                   who_does_not_come_to_the_dm_is_asked_to_in_the_thread);
    tcase_add_test(tests, a_vote_ends_when_its_time_is_up);
    tcase_add_test(tests,
                   who_does_not_come_is_waited_for_and_then_lots_are_drawn);
    tcase_add_test(tests, who_declines_the_private_dm_is_told_and_asked_again);
    tcase_add_test(
        tests,
        a_host_that_is_muted_and_put_out_says_all_of_it_once_and_in_order);
    tcase_add_test(tests, no_time_runs_out_while_the_host_is_barred);
    tcase_add_test(tests,
                   the_status_post_is_not_far_behind_where_the_server_limits);
    tcase_add_test(tests,
                   nothing_is_asked_before_its_time_where_the_server_limits);
    tcase_add_test(
        tests, messages_go_before_reactions_and_edits_where_the_server_limits);
    tcase_add_test(tests, the_log_tells_once_that_the_server_limits);
    tcase_add_test(tests, where_private_rooms_are_encrypted_the_dms_are_not);
    tcase_add_test(tests, what_is_encrypted_is_answered_in_words);
    tcase_add_test(tests, where_every_room_is_encrypted_the_thread_says_so);
    tcase_add_test(tests,
                   the_moderators_are_rung_where_private_messages_are_refused);
    tcase_add_test(tests, an_encrypted_room_is_refused_in_words);
    suite_add_tcase(suite, tests);
    return suite;
}
