/*
 * Chat commands, and the sign-up that they make.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
}

/* A sign-up of 5 to 7, with so many at the table. */
static void
sign_up(unsigned players)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5-7");
    for (unsigned i = 0; i < players; i++) {
        room_says(&room, room_player(i), "!join");
    }
}

static int64_t
pinging(const char *pings)
{
    struct buf sql = BUF_INIT;
    buf_addf(&sql, "SELECT count(*) FROM message WHERE pings = '%s'", pings);
    int64_t count = room_query(&room, "store.db", buf_text(&sql));
    buf_release(&sql);
    return count;
}

START_TEST(a_new_table_notifies_whom_the_place_recruits)
{
    static const struct {
        const char *recruit, *pings;
        bool all, roles;
    } cases[] = {
        {"everybody", "*", true, false},
        {"everybody", "", false, true},
        {"81", "&81", false, true},
        {"81", "", true, false},
        {"", "", true, true},
    };
    struct adapter adapter = adapter_board;
    adapter.capabilities.pings_all = cases[_i].all;
    adapter.capabilities.pings_roles = cases[_i].roles;
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &adapter;
    TEXT_COPY(room.stage->conf.places[0].recruit, cases[_i].recruit);
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Anna", "!join");
    if (cases[_i].pings[0] != '\0') {
        ck_assert_int_eq(pinging(cases[_i].pings), 1);
    }
    ck_assert_int_eq(pinging("*") + pinging("&81"), cases[_i].pings[0] != '\0');
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

/* Everybody's account was made a day before the games begin, but Zed's. */
static int64_t
account_made(const char *user)
{
    static const int64_t day = INT64_C(1795168800000); /* 20 Nov, 10:00 UTC */
    return strcmp(user, "Zed") == 0 ? 0 : day;
}

START_TEST(who_joins_needs_an_account_that_is_old_enough)
{
    struct adapter adapter = adapter_board;
    adapter.account_made = account_made;
    sign_up(1);
    room.stage->tables.services.list[0].adapter = &adapter;
    room.stage->conf.places[0].min_account_age = 2 * DAY_MS;
    room_says(&room, "Bob", "!join");
    assert_holds(room_said(&room),
                 "Bob, to join a game here an account has to be 2d old, "
                 "and yours is younger. You're welcome from Sun 22 Nov, 10:00 "
                 "UTC on.");
    room_says(&room, "Carl", "!reserve");
    assert_holds(room_said(&room), "Carl, to join a game here");
    room_says(&room, "Zed", "!join"); /* nobody knows */
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    ck_assert_uint_eq(room_table(&room)->reserve_count, 0);
    room_waits(&room, DAY_MS);
    room_says(&room, "Bob", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 3);
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

/* What is posted tells no roles. */
START_TEST(where_a_role_is_needed_whoever_posts_is_told_to_press)
{
    static struct capabilities tells;
    sign_up(1);
    struct adapter adapter = adapter_board;
    tells = adapter_board.capabilities;
    tells.roles = true;
    adapter.capabilities = tells;
    struct place *place = &room.stage->conf.places[0];
    TEXT_COPY(place->join_roles[0], "7");
    place->join_role_count = 1;
    room_says(&room, "Bob", "!join"); /* the board tells no roles */
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    room.stage->tables.services.list[0].adapter = &adapter;
    room_says(&room, "Carl", "!join");
    assert_holds(room_said(&room),
                 "Carl, to join a game here you need a certain role");
    room_says(&room, "Dora", "!reserve");
    assert_holds(room_said(&room), "press the button");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    ck_assert_uint_eq(room_table(&room)->reserve_count, 0);
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

/* A game with a gallery, at a service that may lack one or tell roles. */
static void
begin_so(struct adapter *adapter, const char *gallery, unsigned seats)
{
    *adapter = adapter_board;
    room_set(&room, "gallery", gallery);
    room_open(&room);
    room_begin(&room, seats);
    room.stage->tables.services.list[0].adapter = adapter;
}

static void
begin_with_gallery(struct adapter *adapter)
{
    begin_so(adapter, "on", 5);
}

START_TEST(where_a_role_is_needed_no_spectator_is_let_into_the_gallery)
{
    struct adapter adapter;
    begin_with_gallery(&adapter);
    adapter.capabilities.roles = true;
    struct place *place = &room.stage->conf.places[0];
    TEXT_COPY(place->join_roles[0], "7");
    place->join_role_count = 1;
    room_says(&room, "Zed", "!gallery");
    assert_holds(room_said(&room),
                 "So only the executed are let into the gallery.");
    ck_assert_uint_eq(room_table(&room)->watcher_count, 0);
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

START_TEST(where_no_gallery_can_be_opened_that_is_said)
{
    struct adapter adapter;
    begin_with_gallery(&adapter);
    adapter.capabilities.galleries = false;
    room_says(&room, "Zed", "!gallery");
    assert_holds(room_said(&room), "there's no gallery here");
    ck_assert_uint_eq(room_table(&room)->watcher_count, 0);
    room_says(&room, "Zed", "!help");
    assert_lacks(room_said(&room), "gallery");
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

START_TEST(the_executed_are_helped_to_what_their_service_has)
{
    static const char *const settings[] = {"on", "roles"};
    struct adapter adapter;
    begin_so(&adapter, settings[_i], 7);
    adapter.capabilities.galleries = false;
    room_govern_to(&room, 4);
    room_names(&room, 5);
    room_says(&room, "Frida", "!help");
    assert_holds(room_said(&room), "You've been executed.");
    bool told = strstr(room_said(&room), "!gallery") != NULL;
    ck_assert_int_eq(told, _i == 1);
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

START_TEST(a_gallery_that_is_full_lets_in_again_who_was_in_it)
{
    struct adapter adapter;
    char name[16];
    begin_with_gallery(&adapter);
    for (unsigned i = 0; i < TABLE_WATCHERS_MAX; i++) {
        snprintf(name, sizeof name, "Guest %u", i);
        room_says(&room, name, "!gallery");
    }
    ck_assert_uint_eq(room_table(&room)->watcher_count, TABLE_WATCHERS_MAX);
    room_says(&room, "Zed", "!gallery");
    assert_holds(room_said(&room), "Zed, the gallery is full.");
    room_says(&room, "Guest 3", "!gallery");
    assert_holds(room_said(&room), "I'm letting you into the gallery");
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

START_TEST(ones_own_name_beats_the_alias_of_another)
{
    sign_up(2);
    room_says(&room, "Anna", "!alias Carl");
    room_says(&room, "Bob", "!alias carl");
    assert_holds(room_said(&room), "Anna");
    room_says(&room, "Carl", "!join");
    const struct table *table = room_table(&room);
    ck_assert_uint_eq(table_seat(table, "Carl"), 2);
    ck_assert_str_eq(table->seats[0].alias, "");
    ck_assert_uint_eq(room_count_said(&room, "your other name, “Carl”"), 1);
    room_says(&room, "Anna", "!alias Carl");
    ck_assert_str_eq(table->seats[0].alias, "");
    room_says(&room, "Bob", "!alias Dora");
    room_says(&room, "Dora", "!reserve");
    ck_assert_str_eq(table->seats[1].alias, "");
}
END_TEST

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
}

static void
assert_signup(void)
{
    ck_assert_int_eq(room_table(&room)->state, TABLE_SIGNUP);
}

/* Nobody answers; not even a reaction. */
static void
assert_silence(const char *who, const char *text)
{
    room_read(&room);
    size_t posts = room.post_count;
    room_says(&room, who, text);
    room_read(&room);
    ck_assert_msg(room.post_count == posts + 1, "%s", room_said(&room));
    ck_assert_str_eq(room.posts[posts].reactions, "");
}

/* ---- new ----------------------------------------------------------------- */

START_TEST(a_moderator_opens_a_table)
{
    room_open(&room);
    room_says(&room, "Mo", "!new");
    assert_signup();
    ck_assert_uint_eq(room_table(&room)->players_min, 5);
    ck_assert_uint_eq(room_table(&room)->players_max, 10);
    ck_assert_str_eq(room_table(&room)->opener, "Mo");
    ck_assert_str_eq(room_table(&room)->id, "1");
    room_read(&room);
    ck_assert_str_eq(room.posts[0].reactions, "✅ by placard");
}
END_TEST

START_TEST(options_of_a_table_are_its_own)
{
    room_open(&room);
    room_says(&room, "Mo",
              "Here we go!\n!new players=7-10 rules=official ballot=open "
              "election=36h misses=3 seats=random\nWho is in?");
    const struct table *table = room_table(&room);
    ck_assert_uint_eq(table->players_min, 7);
    ck_assert_uint_eq(table->players_max, 10);
    ck_assert_str_eq(table->settings.preset, "official");
    ck_assert_str_eq(table->settings.rules[4], "open");
    ck_assert_int_eq(table->settings.election, 36 * HOUR_MS);
    ck_assert_int_eq(table->settings.misses, 3);
    ck_assert(table->settings.random_seats);
    ck_assert_int_eq(room.stage->conf.settings.misses, 2);
}
END_TEST

START_TEST(a_value_of_several_words_needs_no_quotation_marks)
{
    room_open(&room);
    room_says(&room, "Mo",
              "!new election=24 hours players=7-10 nomination=six hours "
              "reminders=3h, 1h  start=Sun 20:00");
    const struct table *table = room_table(&room);
    ck_assert_int_eq(table->settings.election, 24 * HOUR_MS);
    ck_assert_int_eq(table->settings.nomination, 6 * HOUR_MS);
    ck_assert_uint_eq(table->players_max, 10);
    ck_assert_str_eq(table->settings.reminders, "3h, 1h");
    assert_holds(room_said(&room), "20:00");
}
END_TEST

START_TEST(wrong_options_open_nothing_and_are_named)
{
    static const struct {
        const char *order, *problem;
    } cases[] = {
        {"!new players=4", "players is a number from 5 to 10"},
        {"!new players=11", "players is a number from 5 to 10"},
        {"!new players=7-5", "players is a number from 5 to 10"},
        {"!new players=7-", "players is a number from 5 to 10"},
        {"!new players=many", "players is a number from 5 to 10"},
        {"!new players=", "players is a number from 5 to 10"},
        {"!new seven", "“seven” is not option=value."},
        {"!new seven players=7", "“seven” is not option=value."},
        {"!new players=7 please", "players is a number from 5 to 10"},
        {"!new election=24 ballots", "election can't be “24 ballots”"},
        {"!new colour=red", "colour"},
        {"!new rules=chess", "\"play-by-post\", \"official\" or \"french\""},
        {"!new election=1h nomination=2h", "nomination"},
        {"!new players=7 ballot=loud", "ballot"},
        {"!new ballot=sealed", "ballot: sealed votes need vote_closes=all."},
        {"!new rules=french vote_closes=decided", "need vote_closes=all."},
        {"!new store=elsewhere", "store"},
    };
    room_open(&room);
    room_says(&room, "Mo", cases[_i].order);
    ck_assert_ptr_null(stage_table(room.stage));
    assert_holds(room_said(&room), "Mo, I can't open a table like that: ");
    assert_holds(room_said(&room), cases[_i].problem);
    room_says(&room, "Mo", "!new");
    ck_assert_str_eq(room_table(&room)->id, "1");
}
END_TEST

/* The settings know by themselves what the presets say of these two. */
START_TEST(sealed_votes_never_close_early_in_a_new_game)
{
    static const char *const ballots[] = {"", "open", "sealed"};
    static const char *const closes[] = {"", "majority", "decided", "all"};
    struct complaint complaint;
    for (unsigned i = 0; i < RULES_PRESETS * 3 * 4; i++) {
        struct settings settings = room.settings;
        struct rules rules;
        TEXT_COPY(settings.preset, rules_preset_name(i / 12));
        TEXT_COPY(settings.rules[4], ballots[i / 4 % 3]);
        TEXT_COPY(settings.rules[5], closes[i % 4]);
        table_rules(&settings, &rules);
        bool told = rules.ballot == BALLOT_SEALED &&
                    rules.vote_closes != VOTE_CLOSES_ALL;
        ck_assert_int_eq(settings_fit(&settings, &complaint), !told);
        ck_assert_int_eq(complaint.kind,
                         told ? COMPLAINT_SEALED : COMPLAINT_NONE);
    }
}
END_TEST

/* A game that was opened before goes on, and its times can be set. */
START_TEST(an_older_game_with_sealed_votes_that_close_early_goes_on)
{
    room_set(&room, "ballot", "sealed"); /* as `run` would not take it */
    room_open(&room);
    room_begin(&room, 5);
    room_says(&room, "Mo", "!set reminders=3h");
    assert_lacks(room_said(&room), "I can't set that");
    ck_assert_str_eq(room_table(&room)->settings.reminders, "3h");
    room_elects(&room, 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(nobody_else_opens_a_table_where_there_are_moderators)
{
    room_open(&room);
    room_says(&room, "Anna", "!new");
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_str_eq(room_said(&room), "Anna, here the moderators open the "
                                       "tables: Mo. Please ask one of them.");
}
END_TEST

START_TEST(where_there_is_no_moderator_anybody_opens_a_table)
{
    room_open(&room);
    room.stage->conf.places[0].moderator_count = 0;
    room_says(&room, "Anna", "!new");
    ck_assert_str_eq(room_table(&room)->opener, "Anna");
}
END_TEST

START_TEST(one_table_at_a_time_in_a_thread)
{
    sign_up(2);
    room_says(&room, "Mo", "!new");
    assert_holds(room_said(&room), "Mo, table 1 is still signing up here.");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    for (unsigned i = 2; i < 7; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Mo", "!new");
    ck_assert_uint_eq(room_count_said(&room, "table 1 is being played in this"),
                      1);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 1);
}
END_TEST

START_TEST(after_the_end_the_next_table_has_the_next_number)
{
    begin(5);
    room_govern_to(&room, 4);
    room_names(&room, 4); /* Hitler */
    ck_assert_ptr_null(stage_table(room.stage));
    room_says(&room, "Mo", "!new");
    ck_assert_str_eq(room_table(&room)->id, "2");
    room_says(&room, "Anna", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

START_TEST(a_table_opened_in_the_breath_of_the_last_has_its_own_number)
{
    begin(5);
    room_govern_to(&room, 4);
    char text[32];
    snprintf(text, sizeof text, "**Emil**");
    room_posts(&room, room_awaited(&room), text);
    room_posts(&room, "Mo", "!new players=5");
    room_posts(&room, "Anna", "!join");
    room_settle(&room);
    ck_assert_str_eq(room_table(&room)->id, "2");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
    ck_assert_int_eq(room.stage->tables.games, 2);
    room_reopen(&room);
    ck_assert_str_eq(room_table(&room)->id, "2");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

/* ---- joining and leaving ------------------------------------------------- */

START_TEST(people_join_in_their_order_until_the_table_is_full)
{
    sign_up(6);
    assert_signup();
    room_says(&room, "Mo", "!join");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_str_eq(room_name(&room, 0), "Anna");
    ck_assert_str_eq(room_name(&room, 5), "Frida");
    ck_assert_str_eq(room_name(&room, 6), "Mo");
}
END_TEST

START_TEST(joining_is_acknowledged_by_a_reaction)
{
    sign_up(1);
    room_read(&room);
    ck_assert_str_eq(room.posts[room.post_count - 1].reactions, "✅ by placard");
    ck_assert_uint_eq(room_count_said(&room, ""), 1);
}
END_TEST

START_TEST(nobody_joins_twice)
{
    sign_up(2);
    room_says(&room, "Anna", "!join");
    ck_assert_str_eq(room_said(&room), "Anna, you're already at the table.");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
}
END_TEST

START_TEST(names_that_read_the_same_are_refused)
{
    static const char *const names[] = {"ANNA", "\xD0\x90nna", "Ann\xC3\xA1",
                                        "@Anna"};
    static const bool clash[] = {true, false, false, true};
    sign_up(1);
    room_says(&room, names[_i], "!join");
    ck_assert_uint_eq(room_table(&room)->seated, clash[_i] ? 1 : 2);
    if (clash[_i]) {
        assert_holds(room_said(&room), "your name reads the same as Anna's");
    }
}
END_TEST

START_TEST(a_name_that_would_deceive_is_held_until_there_is_another)
{
    static const char *const names[] = {
        "Carl. Nein: Dora", "Anna, Bob",        "Anna and Bob",
        "Placard",          "\xD0\x9C\xD0\xBE", "Bob\xC2\xB7 Dora",
    };
    const char *name = names[_i];
    sign_up(1);
    room_says(&room, name, "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    ck_assert_str_eq(room_name(&room, 1), "Guest 1");
    assert_holds(room_said(&room), "Guest 1, your own name could be mistaken");
    ck_assert_uint_eq(room_count_said(&room, "could be mistaken"), 1);
    ck_assert_uint_eq(room_count_told(&room, name, "could be mistaken"), 0);
    ck_assert_ptr_null(strstr(room_status(&room)->text, name));
    room_says(&room, name, "!alias Mo, Bob");
    assert_holds(room_said(&room), "Guest 1, I can't use that as a name");
    room_says(&room, name, "!alias Anna");
    assert_holds(room_said(&room), "“Anna” reads like Anna's name");
    room_says(&room, name, "!alias Fred");
    ck_assert_str_eq(room_name(&room, 1), "Fred");
    room_reopen(&room);
    ck_assert_str_eq(room_name(&room, 1), "Fred");
    assert_holds(room_status(&room)->text, "Anna, Fred");
    /* From then on it is a name like others. */
    room_says(&room, name, "!alias Fredo");
    ck_assert_str_eq(room_name(&room, 1), "Fred");
    room_says(&room, name, "!reserve");
    room_says(&room, name, "!join");
    ck_assert_str_eq(room_name(&room, 1), "Fred");
}
END_TEST

START_TEST(a_name_with_marks_in_it_may_be_nobody_elses)
{
    static const char *const names[] = {"St. John",      "Bob :)",       "J.R.",
                                        "Carl (he/him)", "Andy Orlando", "Mo"};
    sign_up(1);
    room_says(&room, names[_i], "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    ck_assert_str_eq(room_name(&room, 1), names[_i]);
}
END_TEST

START_TEST(a_name_without_a_letter_is_refused)
{
    sign_up(0);
    room_says(&room, "…", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 0);
    assert_holds(room_said(&room), "I can't write your name");
}
END_TEST

START_TEST(who_leaves_makes_room)
{
    sign_up(3);
    room_says(&room, "Anna", "!leave");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    ck_assert_str_eq(room_name(&room, 0), "Bob");
    assert_holds(room_status(&room)->text, "Signed up so far (2): Bob, Carl.");
    room_says(&room, "Anna", "!join");
    ck_assert_str_eq(room_name(&room, 2), "Anna");
}
END_TEST

START_TEST(who_is_not_there_can_not_leave)
{
    sign_up(1);
    room_says(&room, "Mo", "!leave");
    assert_holds(room_said(&room), "Mo, you aren't at the table");
}
END_TEST

START_TEST(once_the_game_is_on_nobody_joins_or_leaves)
{
    begin(5);
    room_says(&room, "Frida", "!join");
    assert_holds(room_said(&room), "Frida, the game has begun");
    room_says(&room, "Anna", "!leave");
    assert_holds(room_said(&room), "Anna can't go on and has asked for a "
                                   "replacement.");
    ck_assert_uint_eq(room_table(&room)->seated, 5);
    ck_assert_uint_eq(seat_count(game_present(room_game(&room))), 5);
}
END_TEST

START_TEST(where_no_table_is_open_nobody_joins)
{
    room_open(&room);
    room_says(&room, "Anna", "!join");
    ck_assert_str_eq(room_said(&room), "Anna, no table is open here. A "
                                       "moderator opens one with !new.");
}
END_TEST

/* ---- start --------------------------------------------------------------- */

START_TEST(the_opener_starts_with_enough_players)
{
    sign_up(5);
    assert_signup();
    room_says(&room, "Mo", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
}
END_TEST

START_TEST(too_few_players_are_told_how_many_are_missing)
{
    sign_up(3);
    room_says(&room, "Mo", "!start");
    assert_signup();
    ck_assert_str_eq(room_said(&room), "Mo, there are 3 of us, and we need at "
                                       "least 5: 2 more, and we can begin.");
    room_says(&room, "Dora", "!join");
    room_says(&room, "Mo", "!start");
    ck_assert_str_eq(
        room_said(&room),
        "Mo, there are 4 of us, and we need at least 5: one more, and we "
        "can begin.");
}
END_TEST

START_TEST(a_player_does_not_start_the_table)
{
    sign_up(5);
    room_says(&room, "Anna", "!start");
    assert_signup();
    ck_assert_str_eq(room_said(&room),
                     "Anna, only Mo or a moderator can start this table.");
}
END_TEST

START_TEST(a_game_that_is_on_is_not_started_again)
{
    begin(5);
    room_says(&room, "Mo", "!start");
    assert_holds(room_said(&room), "Mo, “!start” can't be done right now.");
}
END_TEST

/* ---- help ---------------------------------------------------------------- */

START_TEST(strangers_are_helped_as_things_stand)
{
    room_open(&room);
    room_says(&room, "Zoe", "!help");
    assert_holds(room_said(&room), "No table is open; a moderator opens one");
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Zoe", "!help");
    assert_holds(room_said(&room), "A table is open: post !join");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Zoe", "!help");
    assert_holds(room_said(&room), "A game is being played; read along");
}
END_TEST

static void
assert_help(const char *who, const char *help)
{
    room_says(&room, who, "!help");
    assert_holds(room_said(&room), help);
    assert_lacks(room_said(&room), "{");
}

START_TEST(players_are_helped_in_every_phase)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=7");
    for (unsigned i = 0; i < 6; i++) {
        room_says(&room, room_player(i), "!join");
    }
    assert_help(
        "Anna",
        "You're at table 1. It begins when it's full, or when Mo posts !start;");
    room_says(&room, "Gert", "!join");
    assert_help("Anna", "Please name your Chancellor by Sat 21 Nov, "
                        "22:00 UTC");
    assert_help("Bob", "Nothing to do but talk. Anna has to name a Chancellor");
    room_names(&room, 1);
    assert_help("Carl", "Your vote is missing; please post **Ja!** or "
                        "**Nein!** in bold by Sun 22 Nov, 10:00 UTC.");
    room_says(&room, "Carl", "**Ja!**");
    assert_help("Carl", "Your vote is in and can't be changed. 1 of 7 "
                        "has voted");
    room_votes(&room, true);
    assert_help("Anna", "The government is in session until");
    assert_help("Carl", "The government is in session until");
    room_discards(&room, true);
    assert_help("Anna", "The government is in session until");
    assert_help("Bob", "The government is in session until");
    room_enacts(&room, false);
    room_govern_to(&room, 2);
    assert_help("Bob", "You have a power to use (investigation) by");
    assert_help("Carl", "Nothing to do but talk.");
    room_govern_to(&room, 4);
    room_names(&room, 5);
    assert_help("Frida", "You've been executed. Thank you for playing");
}
END_TEST

START_TEST(the_president_is_helped_with_a_veto)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto**");
    assert_help(room_awaited(&room), "The Chancellor wants a veto. The "
                                     "President answers with **Approved** or "
                                     "**Declined**");
}
END_TEST

START_TEST(a_sealed_vote_is_helped_with_in_its_own_words)
{
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_names(&room, 1);
    assert_help("Carl", "answer my private message with one word");
}
END_TEST

START_TEST(help_asked_for_in_private_is_given_there)
{
    begin(5);
    unsigned said = room_count_said(&room, "");
    room_tells(&room, "Anna", "!help");
    assert_holds(room_told(&room, "Anna"), "Please name your Chancellor");
    ck_assert_uint_eq(room_count_said(&room, ""), said);
}
END_TEST

START_TEST(who_sits_at_no_table_learns_nothing_of_a_game_in_private)
{
    begin(5);
    room_read(&room);
    size_t posts = room.post_count;
    room_tells(&room, "Zoe", "!help");
    assert_holds(room_told(&room, "Zoe"), "No table is open");
    room_tells(&room, "Zed", "!status");
    assert_holds(room_told(&room, "Zed"),
                 "No table is taking players right now.");
    assert_lacks(room_told(&room, "Zed"), "Anna");
    room_tells(&room, "Zed", "!role");
    room_read(&room);
    ck_assert_uint_eq(room.post_count, posts + 5);
}
END_TEST

/* ---- what is no command -------------------------------------------------- */

/* Where others write, it is another bot's. */
START_TEST(an_unknown_command_is_answered_in_private_once_a_question)
{
    begin(5);
    assert_silence("Bob", "!dance with me");
    assert_silence("Mo", "!dance with me");
    room_tells(&room, "Bob", "!dance with me");
    ck_assert_str_eq(room_told(&room, "Bob"),
                     "Bob, I don't know “!dance”. !help "
                     "lists what you can do now.");
    room_tells(&room, "Bob", "!sing");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "I don't know"), 1);
    room_tells(&room, "Carl", "!sing");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "I don't know"), 1);
    room_names(&room, 1);
    room_tells(&room, "Bob", "!sing");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "I don't know"), 2);
}
END_TEST

START_TEST(an_unknown_command_of_any_length_is_quoted_short)
{
    char text[400] = "!";
    begin(5);
    memset(text + 1, 'x', 300);
    room_tells(&room, "Bob", text);
    assert_holds(room_told(&room, "Bob"), "I don't know “!xxxxxxxx");
    ck_assert_uint_lt(strlen(room_told(&room, "Bob")), 150);
}
END_TEST

/* Whoever mentions the host means it. */
START_TEST(an_unknown_command_to_the_host_is_answered)
{
    begin(5);
    room_says(&room, "Bob", "[mention=placard]placard[/mention] dance!");
    assert_holds(room_said(&room), "Bob, I don't know “!dance”.");
    assert_silence("Zed", "[mention=placard]placard[/mention] dance!");
}
END_TEST

static const struct near {
    const char *who, *typed, *meant; /* NULL: another bot's */
} nears[] = {
    {"Zed", "!jion", "!join"},      {"Bob", "!ruls", "!rules"},
    {"Bob", "!Statsu?", "!status"}, {"Bob", "!rule powers", "!rules"},
    {"Mo", "!puase 2h", "!pause"},  {"Zed", "!reserv", "!reserve"},
    {"Bob", "!jjioin", NULL},       {"Bob", "!play jazz", NULL},
    {"Bob", "!roll 1d6", NULL},     {"Bob", "!raed", NULL},
    {"Bob", "!nwe", NULL},          {"Bob", "!sed", NULL},
    {"Bob", "!puase 2h", NULL},     {"Zed", "!votse", NULL},
    {"Zed", "!ban", NULL},          {"Zed", "I said !jion", NULL},
};

START_TEST(a_slip_in_a_command_is_asked_about_once)
{
    const struct near *now = &nears[_i];
    char asked[80];
    begin(5);
    if (now->meant == NULL) {
        assert_silence(now->who, now->typed);
        return;
    }
    room_says(&room, now->who, now->typed);
    snprintf(asked, sizeof asked, "%s, did you mean %s?", now->who, now->meant);
    ck_assert_str_eq(room_said(&room), asked);
    assert_silence(now->who, now->typed);
    room_names(&room, 1);
    assert_silence(now->who, now->typed);
    /* Another person, and another word. */
    room_says(&room, "Anna", "!ruels");
    room_says(&room, "Anna", "!hepl");
    assert_holds(room_said(&room), "Anna, did you mean !help?");
}
END_TEST

START_TEST(a_slip_in_the_games_language_is_asked_about)
{
    room_set(&room, "language", "nl");
    begin(5);
    room_says(&room, "Zed", "!medoen");
    ck_assert_str_eq(room_said(&room), "Zed, bedoel je !meedoen?");
    room_says(&room, "Zed", "!resreve");
    ck_assert_str_eq(room_said(&room), "Zed, bedoel je !reserve?");
}
END_TEST

START_TEST(a_slip_before_any_game_is_asked_about)
{
    room_open(&room);
    room_says(&room, "Anna", "!jion");
    ck_assert_str_eq(room_said(&room), "Anna, did you mean !join?");
    assert_silence("Anna", "!jion");
    room_tells(&room, "Anna", "!hepl");
    assert_lacks(room_told(&room, "Anna"), "did you mean");
}
END_TEST

/* ---- !yes without its number --------------------------------------------- */

START_TEST(a_bare_yes_confirms_the_only_request)
{
    begin(5);
    room_says(&room, "Mo", "!choose Anna nominate Bob");
    assert_holds(room_said(&room), "To go ahead, post !yes 1 by");
    room_says(&room, "Mo", "!yes");
    assert_holds(room_said(&room), "Anna nominates Bob");
    room_says(&room, "Mo", "!yes");
    assert_holds(room_said(&room), "Mo, no request of yours is waiting.");
}
END_TEST

START_TEST(a_bare_yes_never_takes_back_ends_or_replaces)
{
    static const char *const commands[] = {"!end enough",
                                           "!replace Bob with Frida", "!undo"};
    char which[80];
    begin(5);
    room_says(&room, "Frida", "!reserve");
    room_names(&room, 1);
    room_says(&room, "Mo", commands[_i]);
    assert_holds(room_said(&room), "To go ahead, post !yes ");
    uint32_t phase = room_table(&room)->phase;
    room_says(&room, "Mo", "!yes");
    snprintf(which, sizeof which,
             "Mo, please add the number: !yes %u goes ahead with “%s",
             room_table(&room)->asks, commands[_i]);
    assert_holds(room_said(&room), which);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
}
END_TEST

START_TEST(a_bare_yes_among_several_requests_asks_which)
{
    begin(5);
    room_says(&room, "Mo", "!choose Anna nominate Bob");
    room_says(&room, "Mo", "!choose Anna nominate Carl");
    room_says(&room, "Mo", "!yes");
    ck_assert_str_eq(room_said(&room),
                     "Mo, please add the number: !yes 2 goes ahead with "
                     "“!choose Anna nominate Carl”.");
    room_says(&room, "Mo", "!yes 2");
    assert_holds(room_said(&room), "Anna nominates Carl");
}
END_TEST

/* Marks of writing direction, and others that nobody sees, turn nothing around
 * in what the host repeats. */
START_TEST(no_unseen_mark_is_repeated)
{
    begin(5);
    room_tells(&room, "Bob", "!da\u202ence");
    assert_holds(room_told(&room, "Bob"), "Bob, I don't know “!dance”.");
    room_says(&room, "Mo", "!pause ho\u202elidays\u2069");
    assert_holds(room_said(&room), "The game is paused: holidays.");
    room_says(&room, "Z\u202eoe", "!reserve");
    room_says(&room, "Z\u202eoe", "!reserve");
    assert_holds(room_said(&room), "Zoe, you're already in reserve.");
}
END_TEST

/* With a mark that turns the direction of writing, too, be it a name or a vote
 * that is asked for. */
START_TEST(a_command_in_bold_is_answered_once)
{
    room_set(&room, "red", "accepted");
    begin(5);
    for (unsigned i = 0; i < 2; i++) {
        const char *name = room_player(room_game(&room)->president);
        room_says(&room, name, "[b]\u202e!rules[/b]");
        assert_holds(room_said(&room), "more than half");
        assert_lacks(room_said(&room), "no player called");
        assert_lacks(room_said(&room), "stands alone");
        room_names(&room, 1);
    }
    /* An unclear answer beside a command is still asked about. */
    room_says(&room, room_player(3), "!rules\n[b]\u202eJa![/b]");
    assert_holds(room_said(&room), "stands alone");
}
END_TEST

START_TEST(strangers_may_be_talking_to_another_bot)
{
    static const char *const orders[] = {"!dance", "!status", "!start",
                                         "!leave"};
    begin(5);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        assert_silence("Zoe", orders[i]);
    }
}
END_TEST

START_TEST(only_a_line_of_its_own_is_a_command)
{
    static const char *const silent[] = {
        "[quote]!join[/quote]",
        "`!join`",
        "!",
        "You can !join, or !leave again.",
    };
    static const struct {
        const char *who, *text;
    } told[] = {
        {"Anna", "Shall I !join?"},
        {"Bob", "! join"},
        {"Carl", "join"},
    };
    sign_up(0);
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        assert_silence("Anna", silent[i]);
    }
    assert_silence("Mo", "Tell them to !join");
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        room_says(&room, told[i].who, told[i].text);
        assert_holds(room_said(&room), told[i].who);
        assert_holds(room_said(&room), "to join, post");
    }
    ck_assert_uint_eq(room_table(&room)->seated, 0);
}
END_TEST

START_TEST(a_length_of_time_may_be_said_in_words)
{
    room_open(&room);
    room_says(&room, "Mo", "!new election=\"36 hours\" power=\"two days\"");
    ck_assert_int_eq(room_table(&room)->settings.election, 36 * HOUR_MS);
    ck_assert_int_eq(room_table(&room)->settings.power, 2 * DAY_MS);
}
END_TEST

START_TEST(commands_are_case_blind_and_stand_anywhere_in_a_post)
{
    sign_up(0);
    room_says(&room, "Anna", "Hello, all!\n  !JOIN\nSee you.");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
    room_says(&room, "Bob", "[mention=placard]placard[/mention] join");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
}
END_TEST

START_TEST(a_few_commands_of_a_post_are_obeyed_in_order)
{
    sign_up(0);
    room_says(&room, "Anna", "!join\n!leave\n!join");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
    room_says(&room, "Bob", "!join\n!leave\n!join\n!leave\n!join\n!join");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

START_TEST(another_prefix_can_be_set)
{
    room_set(&room, "prefix", "?!");
    room_open(&room);
    room_says(&room, "Mo", "!new");
    ck_assert_ptr_null(stage_table(room.stage));
    room_says(&room, "Mo", "?!new");
    assert_signup();
    assert_holds(room_status(&room)->text, "post ?!join on a line");
}
END_TEST

START_TEST(a_command_and_a_vote_in_one_post_both_count)
{
    begin(5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**\n!status");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
    assert_holds(room_said(&room), "Vote on President Anna");
}
END_TEST

static void
add_signup(Suite *suite)
{
    TCase *tcase = tcase_create("sign-up");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, sealed_votes_never_close_early_in_a_new_game);
    tcase_add_test(tcase,
                   an_older_game_with_sealed_votes_that_close_early_goes_on);
    tcase_add_loop_test(tcase, a_new_table_notifies_whom_the_place_recruits, 0,
                        5);
    tcase_add_test(tcase, who_joins_needs_an_account_that_is_old_enough);
    tcase_add_test(tcase,
                   where_a_role_is_needed_whoever_posts_is_told_to_press);
    tcase_add_test(tcase, ones_own_name_beats_the_alias_of_another);
    tcase_add_test(tcase, a_moderator_opens_a_table);
    tcase_add_test(tcase, options_of_a_table_are_its_own);
    tcase_add_test(tcase,
                   where_a_role_is_needed_no_spectator_is_let_into_the_gallery);
    tcase_add_test(tcase, where_no_gallery_can_be_opened_that_is_said);
    tcase_add_loop_test(
        tcase, the_executed_are_helped_to_what_their_service_has, 0, 2);
    tcase_add_test(tcase, a_gallery_that_is_full_lets_in_again_who_was_in_it);
    tcase_add_test(tcase, a_value_of_several_words_needs_no_quotation_marks);
    tcase_add_loop_test(tcase, wrong_options_open_nothing_and_are_named, 0, 15);
    tcase_add_test(tcase, nobody_else_opens_a_table_where_there_are_moderators);
    tcase_add_test(tcase, where_there_is_no_moderator_anybody_opens_a_table);
    tcase_add_test(tcase, one_table_at_a_time_in_a_thread);
    tcase_add_test(tcase, after_the_end_the_next_table_has_the_next_number);
    tcase_add_test(tcase,
                   a_table_opened_in_the_breath_of_the_last_has_its_own_number);
    tcase_add_test(tcase, people_join_in_their_order_until_the_table_is_full);
    tcase_add_test(tcase, joining_is_acknowledged_by_a_reaction);
    tcase_add_test(tcase, nobody_joins_twice);
    tcase_add_loop_test(tcase, names_that_read_the_same_are_refused, 0, 4);
    tcase_add_loop_test(
        tcase, a_name_that_would_deceive_is_held_until_there_is_another, 0, 6);
    tcase_add_loop_test(tcase, a_name_with_marks_in_it_may_be_nobody_elses, 0,
                        6);
    tcase_add_test(tcase, a_name_without_a_letter_is_refused);
    tcase_add_test(tcase, who_leaves_makes_room);
    tcase_add_test(tcase, who_is_not_there_can_not_leave);
    tcase_add_test(tcase, once_the_game_is_on_nobody_joins_or_leaves);
    tcase_add_test(tcase, where_no_table_is_open_nobody_joins);
    tcase_add_test(tcase, the_opener_starts_with_enough_players);
    tcase_add_test(tcase, too_few_players_are_told_how_many_are_missing);
    tcase_add_test(tcase, a_player_does_not_start_the_table);
    tcase_add_test(tcase, a_game_that_is_on_is_not_started_again);
    suite_add_tcase(suite, tcase);
}

static void
add_commands(Suite *suite)
{
    TCase *tcase = tcase_create("commands");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, strangers_are_helped_as_things_stand);
    tcase_add_test(tcase, players_are_helped_in_every_phase);
    tcase_add_test(tcase, the_president_is_helped_with_a_veto);
    tcase_add_test(tcase, a_sealed_vote_is_helped_with_in_its_own_words);
    tcase_add_test(tcase, help_asked_for_in_private_is_given_there);
    tcase_add_test(tcase,
                   who_sits_at_no_table_learns_nothing_of_a_game_in_private);
    tcase_add_test(tcase,
                   an_unknown_command_is_answered_in_private_once_a_question);
    tcase_add_test(tcase, an_unknown_command_to_the_host_is_answered);
    tcase_add_loop_test(tcase, a_slip_in_a_command_is_asked_about_once, 0,
                        sizeof nears / sizeof nears[0]);
    tcase_add_test(tcase, a_slip_in_the_games_language_is_asked_about);
    tcase_add_test(tcase, a_slip_before_any_game_is_asked_about);
    tcase_add_test(tcase, a_bare_yes_confirms_the_only_request);
    tcase_add_loop_test(tcase, a_bare_yes_never_takes_back_ends_or_replaces, 0,
                        3);
    tcase_add_test(tcase, a_bare_yes_among_several_requests_asks_which);
    tcase_add_test(tcase, an_unknown_command_of_any_length_is_quoted_short);
    tcase_add_test(tcase, no_unseen_mark_is_repeated);
    tcase_add_test(tcase, a_command_in_bold_is_answered_once);
    tcase_add_test(tcase, strangers_may_be_talking_to_another_bot);
    tcase_add_test(tcase, only_a_line_of_its_own_is_a_command);
    tcase_add_test(tcase, a_length_of_time_may_be_said_in_words);
    tcase_add_test(tcase, commands_are_case_blind_and_stand_anywhere_in_a_post);
    tcase_add_test(tcase, a_few_commands_of_a_post_are_obeyed_in_order);
    tcase_add_test(tcase, another_prefix_can_be_set);
    tcase_add_test(tcase, a_command_and_a_vote_in_one_post_both_count);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/chat_commands");
    add_signup(suite);
    add_commands(suite);
    return suite;
}
