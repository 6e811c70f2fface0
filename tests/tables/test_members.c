/*
 * Members whose names are their ids, and who take others: what is theirs stays
 * theirs, and who takes a name that was another's is somebody else.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/tables/hosted.h"
#include "bot/tables/places/members.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

enum {
    NAMES = 12,
    FIRST = 100 /* number of a member */
};

/* Who at the board is called otherwise, as if it were a forum. */
static struct {
    bool numbered; /* the board tells numbers */
    bool lists;    /* … and what all are called, beside the posts */
    char who[NAMES][32], called[NAMES][32];
    unsigned count;
    char to[64]; /* to whom the last private message went, by that name */
} forum;

static unsigned
place_of(const char *who)
{
    unsigned at = 0;
    while (at < forum.count && strcmp(forum.who[at], who) != 0) {
        at++;
    }
    if (at == forum.count) {
        ck_assert_uint_lt(forum.count++, NAMES);
        TEXT_COPY(forum.who[at], who);
        TEXT_COPY(forum.called[at], who);
    }
    return at;
}

static void
call(const char *who, const char *name)
{
    TEXT_COPY(forum.called[place_of(who)], name);
}

static void
sign(struct post *post)
{
    unsigned at = place_of(post->author);
    free(post->author);
    free(post->author_name);
    post->author = must_copy(forum.called[at]);
    post->author_name = must_copy(forum.called[at]);
    post->member = FIRST + at;
}

/* A private message goes to whoever has that number, and not to who has the
 * name. */
static const char *
receiver(const struct op *op)
{
    TEXT_COPY(forum.to, op->user);
    return op->member == 0 ? op->user : forum.who[op->member - FIRST];
}

static enum advance
odd_advance(const struct service *service, const struct op *op,
            struct buf *scratch, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    struct op known = *op;
    if (op->user[0] != '\0') {
        known.user = receiver(op);
    }
    enum advance advance =
        adapter_board.advance(service, &known, scratch, reply, out, why);
    for (size_t i = 0; forum.numbered && i < out->page.count; i++) {
        if (!out->page.posts[i].own) {
            sign(&out->page.posts[i]);
        }
    }
    for (unsigned i = 0; forum.lists && advance == ADVANCE_DONE &&
                         op->kind == OP_READ && i < forum.count;
         i++) {
        outcome_add_called(out, FIRST + i, must_copy(forum.called[i]));
    }
    return advance;
}

static struct adapter odd;

static void
open_forum(void)
{
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    forum.numbered = true;
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&forum, 0, sizeof forum);
    odd = adapter_board;
    odd.advance = odd_advance;
    open_forum();
}

static void
tear_down(void)
{
    room_release(&room);
}

static const struct service *
service(void)
{
    return &room.stage->tables.services.list[0];
}

/* The host's newest post in the thread, as it is written. */
static const char *
raw_said(void)
{
    const char *newest = "";
    (void)room_said(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->author, BOARD_HOST) == 0 &&
            strncmp(post->place, "thread", strlen("thread")) == 0) {
            newest = post->raw;
        }
    }
    return newest;
}

/* ---- moderators ---------------------------------------------------------- */

/* Where ids are for good, they may be numbers. */
START_TEST(what_a_moderator_is_called_outlives_a_restart)
{
    char mo[] = "Mo";
    char maud[] = "Maud";
    char place[] = "p";
    struct post post = {.author = mo, .author_name = maud, .place = place};
    forum.numbered = false;
    room_begin(&room, 5);
    char *called = room.stage->conf.places[0].moderator_names[0];
    members_meet(&room.stage->tables.members, service(), &post);
    ck_assert_str_eq(called, "Maud");
    called[0] = '\0';
    room_reopen(&room);
    ck_assert_str_eq(room.stage->conf.places[0].moderator_names[0], "Maud");
    /* It is nobody's id. */
    ck_assert_ptr_null(
        members_user(&room.stage->tables.members, service(), "Maud"));
    ck_assert_ptr_null(
        members_name(&room.stage->tables.members, service(), "Mo"));
}
END_TEST

static void
meet(const char *user, bool moderates)
{
    char author[16];
    char name[24];
    struct post post = {.author = author, .author_name = name};
    snprintf(author, sizeof author, "%s", user);
    snprintf(name, sizeof name, "Miss %s", user);
    members_moderate(&room.stage->tables.members,
                     room.stage->tables.places.list[0], &post, moderates);
}

static bool
moderates(const char *user)
{
    return place_moderates(&room.stage->conf.places[0], room_table(&room),
                           user);
}

/* One is configured, and stays. */
START_TEST(whoever_is_met_with_the_role_moderates_until_met_without)
{
    struct place *place = &room.stage->conf.places[0];
    forum.numbered = false;
    room_begin(&room, 5);
    ck_assert_uint_eq(place->moderator_count, 1);
    TEXT_COPY(place->moderator_role, "@Mods");
    meet("71", true);
    meet("72", true);
    meet("72", true);
    meet("73", true);
    ck_assert_uint_eq(place_moderators(place), 4);
    meet("71", false);
    meet("79", false);
    meet(place->moderators[0], false);
    ck_assert(!moderates("71") && moderates("72") && moderates("73"));
    ck_assert(moderates(place->moderators[0]));
    ck_assert_uint_eq(place_moderators(place), 3);

    room_reopen(&room);
    place = &room.stage->conf.places[0];
    ck_assert(!moderates("72"));
    /* As it is where the configuration says so at the start. */
    TEXT_COPY(place->moderator_role, "@Mods");
    place->moderators_met = 0;
    members_load(&room.stage->tables.members);
    ck_assert(!moderates("71") && moderates("72") && moderates("73"));
    ck_assert_uint_eq(place_moderators(place), 3);
    /* Nobody moderates by a role that is not configured any more. */
    place->moderator_role[0] = '\0';
    ck_assert(!moderates("72"));
    ck_assert_uint_eq(place_moderators(place), 1);
}
END_TEST

START_TEST(of_very_many_who_moderate_the_last_are_known)
{
    struct place *place = &room.stage->conf.places[0];
    room_begin(&room, 5);
    TEXT_COPY(place->moderator_role, "@Mods");
    for (unsigned i = 0; i < 3 * SETTING_LIST_MAX; i++) {
        char user[16];
        snprintf(user, sizeof user, "%u", 100 + i);
        meet(user, true);
        ck_assert(moderates(user));
    }
    ck_assert_uint_eq(place_moderators(place), SETTING_LIST_MAX);
    ck_assert(moderates(place->moderators[0]) && moderates("100"));
}
END_TEST

/* ---- the seat ------------------------------------------------------------ */

START_TEST(who_takes_another_name_keeps_the_seat_and_is_called_by_it)
{
    room_begin(&room, 5);
    call("Anna", "Bea");
    room_says(&room, "Anna", "**Bob**");
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
    room_votes(&room, true);
    ck_assert_str_eq(forum.to, "Bea");
    assert_holds(room_told(&room, "Anna"), "you're President");
    ck_assert_str_eq(room_table(&room)->seats[0].user, "Anna");
    ck_assert_str_eq(room_table(&room)->seats[0].now, "Bea");
    ck_assert_str_eq(
        members_name(&room.stage->tables.members, service(), "Anna"), "Bea");
}
END_TEST

START_TEST(the_host_mentions_people_by_the_names_that_they_have)
{
    room_begin(&room, 5);
    call("Anna", "Bea");
    call("Carl", "Cy");
    room_says(&room, "Carl", "hm");
    room_names(&room, 1);
    assert_holds(raw_said(), "[mention=Bea]");
    assert_holds(raw_said(), "[mention=Cy]");
    assert_lacks(raw_said(), "[mention=Anna]");
}
END_TEST

START_TEST(people_mention_each_other_by_the_names_that_they_have)
{
    room_begin(&room, 5);
    call("Bob", "Bert");
    room_says(&room, "Bob", "hm");
    room_says(&room, "Anna",
              "[color=red][b][mention=Bert]@Bert[/mention][/b]"
              "[/color]");
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
}
END_TEST

/* "Bob (now Gunnar)" says the status post. */
START_TEST(whoever_has_another_name_is_named_by_either)
{
    room_begin(&room, 5);
    call("Bob", "Gunnar");
    room_says(&room, "Bob", "hm");
    room_says(&room, "Anna", "**Gunnar**");
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
    room_says(&room, "Mo", "!vacate Gunnar");
    assert_lacks(raw_said(), "don't know who");
}
END_TEST

START_TEST(a_name_is_not_that_of_who_took_it_later)
{
    room_begin(&room, 5);
    call("Carl", "Zed");
    call("Bob", "Carl");
    room_says(&room, "Carl", "hm");
    room_says(&room, "Bob", "hm");
    ck_assert_str_eq(room_table(&room)->seats[1].now, "Carl");
    room_says(&room, "Anna", "**Carl**");
    ck_assert_uint_eq(room_game(&room)->chancellor, 2);
}
END_TEST

/* Discourse writes it so into the mentions of before. */
START_TEST(people_are_mentioned_by_a_name_as_they_have_typed_it)
{
    room_begin(&room, 5);
    call("Bob", "bert");
    room_says(&room, "Bob", "hm");
    room_says(&room, "Anna",
              "[color=red][b][mention=Bert]@Bert[/mention][/b]"
              "[/color]");
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
}
END_TEST

/* The new name shows in what was read before, too, as pages are read anew. */
START_TEST(a_new_name_is_seen_in_old_posts)
{
    room_begin(&room, 5);
    room_says(&room, "Anna", "Hello, all.");
    room_read(&room);
    char id[32];
    snprintf(id, sizeof id, "%lld",
             (long long)room.posts[room.post_count - 1].id);
    room_delivers(&room,
                  &(struct odd_post){.id = id,
                                     .who = "Bea",
                                     .text = "Hello, all.",
                                     .stamp = room.stage->now - 1000,
                                     .member = FIRST + place_of("Anna")});
    ck_assert_str_eq(
        members_name(&room.stage->tables.members, service(), "Anna"), "Bea");
}
END_TEST

/* … and beside the posts, of those who have been silent for long. */
START_TEST(a_new_name_is_seen_among_those_who_have_posted)
{
    room_begin(&room, 5);
    room_says(&room, "Anna", "Hello, all.");
    place_of("Zoe"); /* was never met */
    call("Anna", "Bea");
    call("Zoe", "Anna");
    forum.lists = true;
    room_says(&room, "Carl", "Hello, Bea.");
    ck_assert_str_eq(
        members_name(&room.stage->tables.members, service(), "Anna"), "Bea");
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM member"
                                " WHERE user = 'Anna' AND name = 'Bea'"),
                     1);
    ck_assert_ptr_null(
        members_user(&room.stage->tables.members, service(), "Anna"));
}
END_TEST

START_TEST(a_restarted_host_knows_them)
{
    room_begin(&room, 5);
    call("Anna", "Bea");
    room_says(&room, "Anna", "hm");
    room_shut(&room);
    open_forum();
    room_says(&room, "Anna", "**Bob**");
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
}
END_TEST

/* ---- names that others take ---------------------------------------------- */

START_TEST(who_takes_the_name_of_a_player_has_no_seat)
{
    room_begin(&room, 5);
    call("Carl", "Cy");
    call("Zoe", "Carl");
    room_says(&room, "Zoe", "hm");
    room_tells(&room, "Zoe", "!role");
    ck_assert_uint_eq(room_count_told(&room, "Zoe", "role is below"), 0);
    /* Nobody is rung, as long as it is not known who. */
    room_names(&room, 1);
    assert_holds(raw_said(), ", Carl, ");
    assert_holds(raw_said(), "[mention=Dora]");
    assert_lacks(raw_said(), "[mention=Carl]");
    room_says(&room, "Zoe", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
}
END_TEST

START_TEST(names_can_be_exchanged)
{
    room_begin(&room, 5);
    call("Anna", "Bob");
    call("Bob", "Anna");
    room_says(&room, "Bob", "**Carl**");
    ck_assert_uint_eq(room_game(&room)->question, QUESTION_NOMINATE);
    room_says(&room, "Anna", "**Carl**");
    ck_assert_uint_eq(room_game(&room)->chancellor, 2);
    room_votes(&room, true);
    assert_holds(room_told(&room, "Anna"), "you're President");
    ck_assert_str_eq(forum.to, "Bob");
}
END_TEST

START_TEST(another_name_ends_no_block)
{
    room_says(&room, "Zoe", "Hello.");
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Mo", "!block Zoe");
    call("Zoe", "Zora");
    room_says(&room, "Zoe", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 0);
}
END_TEST

/* ---- games and places from before ---------------------------------------- */

START_TEST(a_game_from_before_goes_on_with_people_who_are_called_as_ever)
{
    forum.numbered = false;
    room_begin(&room, 5);
    forum.numbered = true;
    room_names(&room, 1);
    room_votes(&room, true);
    assert_holds(room_told(&room, "Anna"), "you're President");
    call("Anna", "Bea");
    room_tells(&room, "Anna", "!role");
    assert_holds(room_told(&room, "Anna"), "Liberal");
}
END_TEST

START_TEST(moderators_are_configured_by_the_names_that_they_have)
{
    room_begin(&room, 5);
    call("Mo", "Max");
    room_says(&room, "Mo", "!pause for the night");
    ck_assert(room_table(&room)->paused);
    room_shut(&room);
    /* The one called Mo in the configuration has the id Maxine. */
    room_alter(&room, "store.db",
               "UPDATE member SET user = 'Maxine', name = 'Mo'"
               " WHERE user = 'Mo'");
    room_open(&room);
    ck_assert_str_eq(room.stage->tables.conf->places[0].moderators[0],
                     "Maxine");
}
END_TEST

START_TEST(moderators_are_called_as_they_call_themselves)
{
    room_says(&room, "Mo", "Hello.");
    call("Mo", "Max");
    room_says(&room, "Mo", "Hello again.");
    room_says(&room, "Anna", "!new");
    assert_holds(room_said(&room), "the moderators open the tables: Max.");
}
END_TEST

START_TEST(a_moderator_who_is_met_by_a_configured_name_is_known_at_once)
{
    room_begin(&room, 5);
    call("Zoe", "Zora");
    room_says(&room, "Zoe", "Hello.");
    hosted_name_moderator(&room.stage->tables,
                          room.stage->tables.places.list[0], 0,
                          "Zelda"); /* as if it were configured */
    call("Zoe", "Zelda");
    room_says(&room, "Zoe", "!pause for the night");
    ck_assert(room_table(&room)->paused);
}
END_TEST

/* Whoever takes a moderator's name moderates nothing. */
START_TEST(a_moderators_name_makes_nobody_a_moderator)
{
    room_begin(&room, 5);
    call("Mo", "Max");
    call("Zoe", "Mo");
    room_says(&room, "Zoe", "!pause for ever");
    ck_assert(!room_table(&room)->paused);
    room_shut(&room);
    open_forum();
    ck_assert_str_eq(room.stage->tables.conf->places[0].moderators[0], "Mo");
    room_says(&room, "Zoe", "!pause for ever");
    ck_assert(!room_table(&room)->paused);
    room_says(&room, "Mo", "!pause for the night");
    ck_assert(room_table(&room)->paused);
}
END_TEST

START_TEST(a_command_names_people_by_the_names_that_they_have)
{
    room_begin(&room, 5);
    call("Zoe", "Zora");
    room_says(&room, "Zoe", "Hello.");
    call("Zoe", "Zelda");
    room_says(&room, "Zoe", "Hello again.");
    room_says(&room, "Mo", "!moderator Zelda");
    ck_assert_str_eq(room_table(&room)->moderators[0], "Zora");
    room_says(&room, "Zoe", "!pause for the night");
    ck_assert(room_table(&room)->paused);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/members");
    TCase *tcase = tcase_create("members");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase,
                   who_takes_another_name_keeps_the_seat_and_is_called_by_it);
    tcase_add_test(tcase, what_a_moderator_is_called_outlives_a_restart);
    tcase_add_test(tcase,
                   whoever_is_met_with_the_role_moderates_until_met_without);
    tcase_add_test(tcase, of_very_many_who_moderate_the_last_are_known);
    tcase_add_test(tcase, the_host_mentions_people_by_the_names_that_they_have);
    tcase_add_test(tcase,
                   people_mention_each_other_by_the_names_that_they_have);
    tcase_add_test(tcase, whoever_has_another_name_is_named_by_either);
    tcase_add_test(tcase, a_name_is_not_that_of_who_took_it_later);
    tcase_add_test(tcase, people_are_mentioned_by_a_name_as_they_have_typed_it);
    tcase_add_test(tcase, a_new_name_is_seen_in_old_posts);
    tcase_add_test(tcase, a_new_name_is_seen_among_those_who_have_posted);
    tcase_add_test(tcase, a_restarted_host_knows_them);
    tcase_add_test(tcase, who_takes_the_name_of_a_player_has_no_seat);
    tcase_add_test(tcase, names_can_be_exchanged);
    tcase_add_test(tcase, another_name_ends_no_block);
    tcase_add_test(
        tcase, a_game_from_before_goes_on_with_people_who_are_called_as_ever);
    tcase_add_test(tcase,
                   moderators_are_configured_by_the_names_that_they_have);
    tcase_add_test(tcase, moderators_are_called_as_they_call_themselves);
    tcase_add_test(
        tcase, a_moderator_who_is_met_by_a_configured_name_is_known_at_once);
    tcase_add_test(tcase, a_moderators_name_makes_nobody_a_moderator);
    tcase_add_test(tcase, a_command_names_people_by_the_names_that_they_have);
    suite_add_tcase(suite, tcase);
    return suite;
}
