/*
 * Who can be reached: letters that nobody sees, that are denied, whose talk is
 * gone; posts that nobody can read; whom a post rings; and the bot itself, put
 * out of a room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

/* The board, as if it were a service of another kind. */
static struct {
    bool unseen;  /* private letters lie there unseen */
    enum err err; /* of private letters with this text */
    enum refused refused;
    const char *text;             /* NULL: of none */
    bool silent;                  /* it does not tell talks */
    unsigned talks, places, pins; /* errands begun */
    char pinned[64];              /* the post that was pinned last */
    char unpinned[64];            /* and those that were to be no more */
    const char *moved;            /* what the thread is called now, or NULL */
    enum err no_entry;      /* why it can't be entered; ERR_NONE: it can */
    char rung[256];         /* whom the last public post rang */
    unsigned rings_of_five; /* public posts that rang five people */
} line;

static void
note_rings(const struct errand *errand)
{
    line.rung[0] = '\0';
    line.rings_of_five += errand->rings.count == 5;
    for (unsigned i = 0; i < errand->rings.count; i++) {
        size_t len = strlen(line.rung);

        snprintf(line.rung + len, sizeof line.rung - len, "%s ",
                 errand->rings.users[i]);
    }
}

static bool
is_refused(const struct errand *errand)
{
    return errand->kind == ERRAND_SEND && errand->talk && line.text != NULL &&
           strstr(errand->text, line.text) != NULL;
}

/* Is it what the thread is called since it was moved? */
static bool
is_new(const char *place)
{
    return line.moved != NULL && strcmp(place, line.moved) == 0;
}

/* Posts of the thread come under its new name. */
static void
rename_posts(struct page *page)
{
    for (size_t i = 0; line.moved != NULL && i < page->count; i++) {
        struct post *post = &page->posts[i];

        if (strcmp(post->place, "thread") == 0) {
            free(post->place);
            post->place = must_copy(line.moved);
        }
    }
}

/* Whoever asks where the thread is, is led to the new one. */
static enum turn
lead_on(struct outcome *out, struct buf *why)
{
    if (line.no_entry != ERR_NONE) {
        return outcome_fail(out, why, line.no_entry, "nobody may enter");
    }
    buf_add_text(&out->id, line.moved);
    return TURN_DONE;
}

static void
odd_feed(const struct service *service, const char *place, struct buf *feed)
{
    adapter_board.feed(service, is_new(place) ? "thread" : place, feed);
}

static enum turn
odd_turn(const struct service *service, const struct errand *errand,
         struct buf *work, const struct reply *reply, struct outcome *out,
         struct buf *why)
{
    if (reply == NULL) {
        line.talks += errand->kind == ERRAND_TALK;
        line.places += errand->kind == ERRAND_PLACE;
        if (errand->kind == ERRAND_PIN) {
            line.pins++;
            TEXT_COPY(line.pinned, errand->post);
            TEXT_COPY(line.unpinned, errand->text);
        }
        if (errand->kind == ERRAND_SEND && !errand->talk) {
            note_rings(errand);
        }
        if (is_refused(errand)) {
            out->refused = line.refused;
            return outcome_fail(out, why, line.err, "the line is down");
        }
    }
    if (errand->kind == ERRAND_PLACE && line.moved != NULL) {
        return lead_on(out, why);
    }
    struct errand known = *errand;

    known.place = is_new(errand->place) ? "thread" : errand->place;
    ck_assert(errand->kind != ERRAND_SEND || line.moved == NULL ||
              strcmp(errand->place, "thread") != 0);
    enum turn turn = adapter_board.turn(service, &known, work, reply, out, why);

    rename_posts(&out->page);
    out->unseen = turn == TURN_DONE && line.unseen && errand->talk;
    for (size_t i = 0; line.silent && i < out->page.count; i++) {
        out->page.posts[i].talk = false;
    }
    return turn;
}

static struct adapter odd;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    memset(&line, 0, sizeof line);
    odd = adapter_board;
    odd.turn = odd_turn;
    odd.feed = odd_feed;
}

static void
tear_down(void)
{
    hall_release(&hall);
}

static void
begin(void)
{
    hall_open(&hall);
    hall.stage->desk.services[0].adapter = &odd;
    hall_begin(&hall, 5);
}

/* ---- letters ------------------------------------------------------------- */

START_TEST(who_has_not_come_to_the_talk_is_asked_to_once_a_round)
{
    begin();
    line.unseen = true;
    hall_elects(&hall, 1);
    ck_assert_uint_eq(
        hall_count_said(&hall, "accept my invitation to a direct chat"), 1);
    assert_holds(hall_said(&hall), "Anna, there is a private message for you");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
    hall_tells(&hall, "Anna", "which one?");
    hall_discards(&hall, false);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna, there is a private"), 1);
    /* Of Bob's cards nothing is told: that would tell when they came. */
    ck_assert_uint_eq(hall_count_said(&hall, "Bob, there is a private"), 0);
    /* And once more in another round. */
    hall_enacts(&hall, false);
    hall_elects(&hall, hall_choice(&hall));
    ck_assert_uint_eq(hall_count_said(&hall, "accept my invitation"), 3);
}
END_TEST

START_TEST(nobody_is_asked_to_come_before_they_can_have)
{
    line.unseen = true;
    begin();
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(
            hall_count_told(&hall, hall_player(i), "your role is below"), 1);
    }
    ck_assert_uint_eq(hall_count_said(&hall, "accept my invitation"), 0);
    hall_elects(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "accept my invitation"), 1);
}
END_TEST

START_TEST(moderators_are_told_of_it_where_they_talk_and_not_rung)
{
    hall_open(&hall);
    hall.stage->desk.services[0].adapter = &odd;
    TEXT_COPY(hall.stage->conf.places[0].moderators_talk, "talk/Zoe");
    hall_begin(&hall, 5);
    line.text = "you are President";
    line.err = ERR_DENIED;
    hall_elects(&hall, 1);
    ck_assert_uint_eq(
        hall_count_said(&hall, "Anna, my private messages don't reach you"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "please help, if you know"), 0);
    ck_assert_uint_eq(
        hall_count_told(&hall, "Zoe", "my private messages don't reach Anna"),
        1);
    assert_holds(hall_told(&hall, "Zoe"), "The game waits until ");
}
END_TEST

START_TEST(a_letter_that_is_denied_is_said_and_tried_when_its_reader_posts)
{
    begin();
    line.text = "you are President";
    line.err = ERR_DENIED;
    hall_elects(&hall, 1);
    ck_assert_uint_eq(
        hall_count_said(&hall, "Anna, my private messages don't reach you"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    line.text = NULL;
    hall_says(&hall, "Bob", "Anna?");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    hall_says(&hall, "Anna", "Now it should be all right.");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
}
END_TEST

START_TEST(a_post_that_is_read_once_more_is_no_sign_of_its_author)
{
    const struct odd_post old = {
        .id = "old", .who = "Anna", .text = "Here I am.", .kind = POST_WRITTEN};

    begin();
    hall_delivers(&hall, &old);
    line.text = "you are President";
    line.err = ERR_DENIED;
    line.refused = REFUSED_PERSON;
    hall_elects(&hall, 1);
    line.text = NULL;
    hall_delivers(&hall, &old);
    hall_waits(&hall, MINUTE_MS);
    hall_delivers(&hall, &old);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    hall_says(&hall, "Anna", "Now it should be all right.");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
}
END_TEST

START_TEST(a_letter_that_was_denied_is_tried_when_its_reader_comes)
{
    begin();
    line.text = "you are President";
    line.err = ERR_DENIED;
    hall_elects(&hall, 1);
    line.text = NULL;
    hall_delivers(&hall, &(struct odd_post){.id = "join",
                                            .who = "Anna",
                                            .text = "",
                                            .talk = true,
                                            .kind = POST_CAME});
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
}
END_TEST

/* Somebody leaves their private talk, or declines to come into it. */
static void
deliver_left(const char *id, const char *who, enum post_kind kind)
{
    hall_delivers(&hall, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .talk = true,
                                            .stamp = hall.stage->now,
                                            .kind = kind});
}

START_TEST(a_declined_talk_is_told_once_and_offered_when_its_owner_posts)
{
    begin();
    hall_elects(&hall, 1);
    hall_discards(&hall, false);
    hall_enacts(&hall, false);
    deliver_left("l1", "Carl", POST_LEFT);
    deliver_left("l2", "Carl", POST_LEFT);
    ck_assert_uint_eq(
        hall_count_said(&hall, "Carl, you are not in our private chat"), 1);
    hall_reopen(&hall); /* it is known after a restart, too */
    hall.stage->desk.services[0].adapter = &odd;
    hall_says(&hall, "Dora", "Carl?");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "invited you to this"), 0);
    hall_says(&hall, "Carl", "Nothing came.");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "invited you to this"), 1);
    hall_says(&hall, "Carl", "Still nothing.");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "invited you to this"), 1);
}
END_TEST

START_TEST(who_comes_back_by_themself_is_not_asked_back)
{
    begin();
    deliver_left("l1", "Carl", POST_LEFT);
    deliver_left("l2", "Carl", POST_CAME);
    hall_says(&hall, "Carl", "Here I am.");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "invited you to this"), 0);
    /* Nobody at the table. */
    deliver_left("l3", "Zoe", POST_LEFT);
    ck_assert_uint_eq(hall_count_said(&hall, "not in our private chat"), 1);
}
END_TEST

/* It may be the chancellor's message that was declined: that would tell when
 * the president has chosen. */
START_TEST(a_chancellor_who_leaves_the_talk_tells_nothing_of_the_session)
{
    begin();
    hall_elects(&hall, 1);
    deliver_left("l1", "Carl", POST_LEFT);
    hall_discards(&hall, false);
    deliver_left("l2", "Bob", POST_LEFT);
    ck_assert_uint_eq(hall_count_said(&hall, "Carl, you are not in our"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Bob, you are not in our"), 0);
    hall_says(&hall, "Bob", "Nothing came.");
    ck_assert_uint_eq(hall_count_told(&hall, "Bob", "invited you to this"), 1);
}
END_TEST

START_TEST(a_talk_that_is_gone_is_opened_anew)
{
    begin();
    unsigned talks = line.talks;
    line.text = "you are President";
    line.err = ERR_GONE;
    hall_elects(&hall, 1);
    line.text = NULL;
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_uint_eq(line.talks, talks + 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "don't reach you"), 0);
}
END_TEST

START_TEST(a_post_rings_whom_it_mentions_and_nobody_else)
{
    begin();
    ck_assert_str_eq(line.rung, "Anna ");
    hall_names(&hall, 1);
    ck_assert_str_eq(line.rung, "Anna Bob Carl Dora Emil ");
    hall_votes(&hall, true);
    ck_assert_str_eq(line.rung, "");
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

static void
deliver_sealed(const char *id, const char *who, bool talk)
{
    hall_delivers(&hall, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .talk = talk,
                                            .stamp = hall.stage->now,
                                            .kind = POST_SEALED});
}

START_TEST(a_game_that_begins_and_one_that_ends_ring_everybody)
{
    begin();
    ck_assert_uint_eq(line.rings_of_five, 1);
    hall_says(&hall, "Mo", "!end");
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->phase);
    hall_says(&hall, "Mo", yes);
    ck_assert_uint_eq(line.rings_of_five, 2);
}
END_TEST

START_TEST(who_writes_what_can_not_be_read_is_told_once_a_round)
{
    begin();
    deliver_sealed("s1", "Bob", false);
    deliver_sealed("s2", "Bob", false);
    ck_assert_uint_eq(hall_count_said(&hall, "Bob, your message was encrypted"),
                      1);
    deliver_sealed("s3", "Bob", true);
    deliver_sealed("s4", "Bob", true);
    ck_assert_uint_eq(
        hall_count_told(&hall, "Bob", "Your message here was encrypted"), 1);
    /* A talk that somebody has opened comes as one post of itself. */
    deliver_sealed("talk/Carl", "Carl", true);
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "I read only this chat"),
                      1);
    deliver_sealed("s5", "Zoe", false);
    deliver_sealed("s6", "Zoe", true);
    ck_assert_uint_eq(hall_count_said(&hall, "was encrypted"), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Zoe", ""), 0);
}
END_TEST

START_TEST(whose_words_are_hidden_is_told_how_to_be_read_once_a_round)
{
    begin();
    for (int i = 0; i < 2; i++) {
        hall_delivers(&hall, &(struct odd_post){.id = i == 0 ? "h1" : "h2",
                                                .who = "Bob",
                                                .text = "",
                                                .stamp = hall.stage->now,
                                                .kind = POST_HIDDEN});
    }
    ck_assert_uint_eq(hall_count_said(&hall, "Bob, I can't see what you write"),
                      1);
}
END_TEST

/* One that was read before it was deleted is nothing new. */
START_TEST(whose_post_was_deleted_before_it_was_read_is_told_once_a_round)
{
    struct odd_post post = {.who = "Bob", .text = "**Ja!**"};

    begin();
    hall_names(&hall, 1);
    post.stamp = hall.stage->now;
    post.id = "d1";
    hall_delivers(&hall, &post);
    post.kind = POST_DELETED;
    hall_delivers(&hall, &post);
    ck_assert_uint_eq(hall_count_said(&hall, "was deleted before I had"), 0);
    post.id = "d2";
    hall_delivers(&hall, &post);
    post.id = "d3";
    hall_delivers(&hall, &post);
    ck_assert_uint_eq(
        hall_count_said(&hall, "Bob, a post of yours was deleted before"), 1);
}
END_TEST

START_TEST(a_talk_that_the_service_does_not_tell_is_known_from_its_opening)
{
    line.silent = true;
    begin();
    hall_elects(&hall, 1);
    hall_tells(&hall, "Anna", "discard 1");
    assert_holds(hall_told(&hall, "Bob"), "hands you two cards");
}
END_TEST

START_TEST(an_edit_of_what_was_never_read_counts_for_nothing_where_edits_follow)
{
    for (int follows = 0; follows <= 1; follows++) {
        struct odd_post edit = {.id = "77777", .who = "Bob", .text = "**Ja!**"};

        odd.traits.edits_follow = follows == 1;
        begin();
        hall_names(&hall, 1);
        edit.stamp = hall.stage->now - DAY_MS;
        edit.edited = hall.stage->now;
        hall_delivers(&hall, &edit);
        hall_waits(&hall, 10 * SECOND_MS);
        ck_assert_uint_eq(hall_game(&hall)->voted == 0, follows == 1);
        tear_down();
        set_up();
    }
}
END_TEST

START_TEST(a_room_that_the_bot_was_put_out_of_is_looked_for_again)
{
    begin();
    unsigned places = line.places;
    hall_delivers(&hall, &(struct odd_post){.id = "out",
                                            .who = "placard",
                                            .text = "",
                                            .own = true,
                                            .kind = POST_LEFT});
    ck_assert_uint_eq(line.places, places + 1);
    ck_assert_str_eq(hall.stage->desk.threads[0], "thread");
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
}
END_TEST

static void
deliver_shut(const char *id, enum post_kind kind, const char *next)
{
    hall_delivers(&hall, &(struct odd_post){.id = id,
                                            .who = "Mo",
                                            .text = "",
                                            .reply_to = next,
                                            .stamp = hall.stage->now,
                                            .kind = kind});
}

START_TEST(a_thread_that_is_encrypted_pauses_its_game_and_says_so_once)
{
    begin();
    deliver_shut("e1", POST_ENCRYPTED, NULL);
    ck_assert(hall_table(&hall)->paused);
    assert_holds(hall_said(&hall), "Encryption was turned on in this room");
    deliver_shut("e1", POST_ENCRYPTED, NULL);
    deliver_shut("e2", POST_ENCRYPTED, NULL);
    ck_assert_uint_eq(hall_count_said(&hall, "Encryption was turned on"), 1);
    /* Those who must act are written to, and can, in private. */
    ck_assert_uint_eq(
        hall_count_told(&hall, "Mo", "Encryption was turned on in this room"),
        1);
    hall_tells(&hall, "Mo", "!end");
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->phase);
    hall_tells(&hall, "Mo", yes);
    ck_assert_uint_eq(hall.stage->desk.table_count, 0);
}
END_TEST

/* The thread is closed; from now on it is called otherwise. */
static void
move_thread(const char *name)
{
    odd.traits.moves = true;
    line.moved = name;
    deliver_shut(name, POST_MOVED, name);
}

START_TEST(a_game_goes_on_in_the_room_that_replaces_its_own)
{
    begin();
    hall_names(&hall, 1);
    move_thread("new");
    ck_assert_str_eq(hall.stage->desk.threads[0], "new");
    ck_assert_str_eq(hall_table(&hall)->thread, "new");
    ck_assert_uint_eq(hall_count_said(&hall, "goes on in this room"), 1);
    hall_votes(&hall, true);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_DISCARD);
    /* Also after a restart. */
    hall_reopen(&hall);
    hall.stage->desk.services[0].adapter = &odd;
    hall.stage->desk.threads[0][0] = '\0';
    ck_assert_str_eq(hall_table(&hall)->thread, "new");
    hall_discards(&hall, false);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_ENACT);
    ck_assert_uint_eq(hall_count_said(&hall, "goes on in this room"), 1);
}
END_TEST

START_TEST(a_post_of_the_closed_room_can_still_be_asked_about)
{
    begin();
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "so **Ja!**");
    hall_tells(&hall, "Carl", "I am a Fascist");
    hall_read(&hall);
    char why[64];
    int64_t talk = 0;
    int64_t vote = 0;
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        bool carls = strcmp(post->author, "Carl") == 0;

        vote = carls && strstr(post->text, "Ja!") != NULL ? post->id : vote;
        talk = carls && strstr(post->text, "I am") != NULL ? post->id : talk;
    }
    move_thread("new");
    snprintf(why, sizeof why, "!why %lld", (long long)vote);
    hall_says(&hall, "Anna", why);
    assert_holds(hall_said(&hall), "I read that post so: ");
    /* Of what somebody has written in private nothing is told. */
    snprintf(why, sizeof why, "!why %lld", (long long)talk);
    hall_says(&hall, "Anna", why);
    ck_assert_uint_eq(hall_count_said(&hall, "I don't know that post"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "I read that post so: "), 1);
}
END_TEST

START_TEST(a_game_waits_for_the_host_to_be_let_into_the_new_room)
{
    begin();
    hall_names(&hall, 1);
    line.no_entry = ERR_DENIED;
    move_thread("new");
    ck_assert_str_eq(hall.stage->desk.threads[0], "");
    /* While it waits the host is started anew: the post comes no more. */
    hall_reopen(&hall);
    hall.stage->desk.services[0].adapter = &odd;
    hall.stage->desk.threads[0][0] = '\0';
    hall_settle(&hall);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread");
    line.no_entry = ERR_NONE;
    hall_waits(&hall, 10 * MINUTE_MS);
    ck_assert_str_eq(hall_table(&hall)->thread, "new");
    ck_assert_uint_eq(hall_count_said(&hall, "goes on in this room"), 1);
    hall_votes(&hall, true);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(a_game_stays_where_it_is_when_its_place_is_configured_anew)
{
    begin();
    odd.traits.moves = true;
    TEXT_COPY(hall.stage->desk.threads[0], "elsewhere");
    hall_settle(&hall);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread");
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "goes on in this room"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
}
END_TEST

START_TEST(the_status_post_of_a_game_that_is_over_is_pinned_no_more)
{
    char status[64];
    char yes[32];

    odd.traits.pins = true;
    begin();
    snprintf(status, sizeof status, "%lld\n",
             (long long)hall_status(&hall)->id);
    ck_assert_str_eq(line.unpinned, "");
    hall_says(&hall, "Mo", "!end");
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->phase);
    hall_says(&hall, "Mo", yes);
    hall_says(&hall, "Mo", "!new");
    ck_assert_uint_eq(line.pins, 2);
    ck_assert_str_eq(line.unpinned, status);
}
END_TEST

/* The board denies it, and nothing comes of that. */
START_TEST(a_status_post_is_pinned_once_where_that_is_possible)
{
    char status[64];

    odd.traits.pins = true;
    begin();
    hall_names(&hall, 1);
    snprintf(status, sizeof status, "%lld", (long long)hall_status(&hall)->id);
    ck_assert_uint_eq(line.pins, 1);
    ck_assert_str_eq(line.pinned, status);
    hall_votes(&hall, true);
    hall_reopen(&hall);
    ck_assert_uint_eq(line.pins, 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/reachability");
    TCase *tests = tcase_create("reach");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests,
                   who_has_not_come_to_the_talk_is_asked_to_once_a_round);
    tcase_add_test(tests, nobody_is_asked_to_come_before_they_can_have);
    tcase_add_test(tests,
                   moderators_are_told_of_it_where_they_talk_and_not_rung);
    tcase_add_test(
        tests, a_letter_that_is_denied_is_said_and_tried_when_its_reader_posts);
    tcase_add_test(tests,
                   a_post_that_is_read_once_more_is_no_sign_of_its_author);
    tcase_add_test(tests,
                   a_letter_that_was_denied_is_tried_when_its_reader_comes);
    tcase_add_test(
        tests, a_declined_talk_is_told_once_and_offered_when_its_owner_posts);
    tcase_add_test(tests, who_comes_back_by_themself_is_not_asked_back);
    tcase_add_test(
        tests, a_chancellor_who_leaves_the_talk_tells_nothing_of_the_session);
    tcase_add_test(tests, a_talk_that_is_gone_is_opened_anew);
    tcase_add_test(tests, a_post_rings_whom_it_mentions_and_nobody_else);
    tcase_add_test(tests, a_game_that_begins_and_one_that_ends_ring_everybody);
    tcase_add_test(tests, who_writes_what_can_not_be_read_is_told_once_a_round);
    tcase_add_test(tests,
                   whose_words_are_hidden_is_told_how_to_be_read_once_a_round);
    tcase_add_test(
        tests, whose_post_was_deleted_before_it_was_read_is_told_once_a_round);
    tcase_add_test(
        tests, a_talk_that_the_service_does_not_tell_is_known_from_its_opening);
    tcase_add_test(
        tests,
        an_edit_of_what_was_never_read_counts_for_nothing_where_edits_follow);
    tcase_add_test(tests,
                   a_room_that_the_bot_was_put_out_of_is_looked_for_again);
    tcase_add_test(tests, a_status_post_is_pinned_once_where_that_is_possible);
    tcase_add_test(tests,
                   the_status_post_of_a_game_that_is_over_is_pinned_no_more);
    tcase_add_test(tests,
                   a_thread_that_is_encrypted_pauses_its_game_and_says_so_once);
    tcase_add_test(tests, a_game_goes_on_in_the_room_that_replaces_its_own);
    tcase_add_test(tests, a_post_of_the_closed_room_can_still_be_asked_about);
    tcase_add_test(tests,
                   a_game_waits_for_the_host_to_be_let_into_the_new_room);
    tcase_add_test(tests,
                   a_game_stays_where_it_is_when_its_place_is_configured_anew);
    suite_add_tcase(suite, tests);
    return suite;
}
