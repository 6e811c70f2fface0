/*
 * Who can be reached: messages that nobody sees, that are denied, whose DM is
 * gone; posts that nobody can read; whom a post pings; and the bot itself,
 * removed from a room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/sending.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/places/places.h"
#include "bot/tables/turns/threads.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

/* The board, as if it were a service of another kind. */
static struct {
    bool unseen;  /* private messages lie there unseen */
    enum err err; /* of private messages with this text */
    enum refused refused;
    const char *text;           /* NULL: of none */
    bool silent;                /* it does not tell DMs */
    unsigned dms, places, pins; /* operations begun */
    char pinned[64];            /* the post that was pinned last */
    char unpinned[64];          /* and those that were to be no more */
    const char *moved;          /* what the thread is called now, or NULL */
    const char *stays;      /* whose posts stand under the old name, or NULL */
    enum err no_edits;      /* why nothing can be edited; likewise */
    unsigned edits;         /* that were tried, */
    unsigned edits_before;  /* of them, before the last public post */
    enum err no_entry;      /* why it can't be entered; ERR_NONE: it can */
    char pinged[256];       /* whom the last public post pinged */
    unsigned pings_of_five; /* public posts that rang five people */
} quirks;

static void
note_pings(const struct op *op)
{
    quirks.pinged[0] = '\0';
    quirks.pings_of_five += op->pings.count == 5;
    for (unsigned i = 0; i < op->pings.count; i++) {
        size_t len = strlen(quirks.pinged);

        snprintf(quirks.pinged + len, sizeof quirks.pinged - len, "%s ",
                 op->pings.users[i]);
    }
}

/* An operation begins. */
static void
note_op(const struct op *op)
{
    quirks.dms += op->kind == OP_DM;
    quirks.places += op->kind == OP_PLACE;
    quirks.edits += op->kind == OP_EDIT;
    if (op->kind == OP_PIN) {
        quirks.pins++;
        TEXT_COPY(quirks.pinned, op->post);
        TEXT_COPY(quirks.unpinned, op->text);
    }
    if (op->kind == OP_SEND && !op->dm) {
        quirks.edits_before = quirks.edits;
        note_pings(op);
    }
}

static bool
is_refused(const struct op *op)
{
    return op->kind == OP_SEND && op->dm && quirks.text != NULL &&
           strstr(op->text, quirks.text) != NULL;
}

/* Is it what the thread is called since it was moved? */
static bool
is_new(const char *place)
{
    return quirks.moved != NULL && strcmp(place, quirks.moved) == 0;
}

static bool
stays(const struct post *post)
{
    return quirks.stays != NULL && strcmp(post->author, quirks.stays) == 0;
}

/* Posts of the thread come under its new name. */
static void
rename_posts(struct page *page)
{
    for (size_t i = 0; quirks.moved != NULL && i < page->count; i++) {
        struct post *post = &page->posts[i];

        if (strcmp(post->place, "thread") == 0 && !stays(post)) {
            free(post->place);
            post->place = must_copy(quirks.moved);
        }
    }
}

/* Whoever asks where the thread is, is led to the new one. */
static enum advance
lead_on(struct outcome *out, struct buf *why)
{
    if (quirks.no_entry != ERR_NONE) {
        buf_add_text(&out->id, quirks.no_entry == ERR_CONFIG ? "thread" : "");
        return outcome_fail(out, why, quirks.no_entry, "nobody may enter");
    }
    buf_add_text(&out->id, quirks.moved);
    return ADVANCE_DONE;
}

static void
odd_feed(const struct service *service, const char *place, struct buf *feed)
{
    adapter_board.feed(service, is_new(place) ? "thread" : place, feed);
}

static enum advance
odd_advance(const struct service *service, const struct op *op,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    if (reply == NULL) {
        note_op(op);
        if (op->kind == OP_EDIT && quirks.no_edits != ERR_NONE) {
            return outcome_fail(out, why, quirks.no_edits, "not now");
        }
        if (is_refused(op)) {
            out->refused = quirks.refused;
            return outcome_fail(out, why, quirks.err, "the quirks is down");
        }
    }
    if (op->kind == OP_PLACE &&
        (quirks.moved != NULL || quirks.no_entry != ERR_NONE)) {
        return lead_on(out, why);
    }
    if (op->kind == OP_SEND && quirks.stays != NULL &&
        strcmp(op->place, "thread") == 0) {
        return outcome_fail(out, why, ERR_DENIED, "the room is closed");
    }
    struct op known = *op;

    known.place = is_new(op->place) ? "thread" : op->place;
    ck_assert(op->kind != OP_SEND || quirks.moved == NULL ||
              strcmp(op->place, "thread") != 0);
    enum advance advance =
        adapter_board.advance(service, &known, work, reply, out, why);

    rename_posts(&out->page);
    out->unseen = advance == ADVANCE_DONE && quirks.unseen && op->dm;
    for (size_t i = 0; quirks.silent && i < out->page.count; i++) {
        out->page.posts[i].dm = false;
    }
    return advance;
}

static struct adapter odd;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&quirks, 0, sizeof quirks);
    odd = adapter_board;
    odd.advance = odd_advance;
    odd.feed = odd_feed;
    odd.capabilities.merges = true;
    odd.capabilities.leaves = true;
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
begin(void)
{
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    room_begin(&room, 5);
}

/* ---- messages ------------------------------------------------------------ */

START_TEST(who_has_not_come_to_the_dm_is_asked_to_once_a_round)
{
    begin();
    quirks.unseen = true;
    room_elects(&room, 1);
    ck_assert_uint_eq(
        room_count_said(&room, "accept my invitation to a direct chat"), 1);
    assert_holds(room_said(&room), "Anna, there's a private message from me");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
    room_tells(&room, "Anna", "which one?");
    room_discards(&room, false);
    ck_assert_uint_eq(room_count_said(&room, "Anna, there's a private"), 1);
    /* Of Bob's cards nothing is told: that would tell when they came. */
    ck_assert_uint_eq(room_count_said(&room, "Bob, there's a private"), 0);
    /* And once more in another round. */
    room_enacts(&room, false);
    room_elects(&room, room_choice(&room));
    ck_assert_uint_eq(room_count_said(&room, "accept my invitation"), 3);
}
END_TEST

START_TEST(nobody_is_asked_to_come_before_they_can_have)
{
    quirks.unseen = true;
    begin();
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(
            room_count_told(&room, room_player(i), "your role is below"), 1);
    }
    ck_assert_uint_eq(room_count_said(&room, "accept my invitation"), 0);
    room_elects(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "accept my invitation"), 1);
}
END_TEST

START_TEST(moderators_are_told_of_it_where_they_talk_and_not_rung)
{
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    TEXT_COPY(room.stage->conf.places[0].moderators_channel, "talk/Zoe");
    places_change(&room.stage->tables.places);
    room_begin(&room, 5);
    quirks.text = "you're President";
    quirks.err = ERR_DENIED;
    room_elects(&room, 1);
    ck_assert_uint_eq(
        room_count_said(&room, "Anna, my private messages don't reach you"), 1);
    ck_assert_uint_eq(room_count_said(&room, "please help, if you know"), 0);
    ck_assert_uint_eq(
        room_count_told(&room, "Zoe", "my private messages don't reach Anna"),
        1);
    assert_holds(room_told(&room, "Zoe"), "The game waits until ");
}
END_TEST

START_TEST(a_message_that_is_denied_is_said_and_tried_when_its_reader_posts)
{
    begin();
    quirks.text = "you're President";
    quirks.err = ERR_DENIED;
    room_elects(&room, 1);
    ck_assert_uint_eq(
        room_count_said(&room, "Anna, my private messages don't reach you"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    quirks.text = NULL;
    room_says(&room, "Bob", "Anna?");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    room_says(&room, "Anna", "Now it should be all right.");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
}
END_TEST

START_TEST(a_post_that_is_read_once_more_is_no_sign_of_its_author)
{
    const struct odd_post old = {
        .id = "old", .who = "Anna", .text = "Here I am.", .kind = POST_WRITTEN};

    begin();
    room_delivers(&room, &old);
    quirks.text = "you're President";
    quirks.err = ERR_DENIED;
    quirks.refused = REFUSED_PERSON;
    room_elects(&room, 1);
    quirks.text = NULL;
    room_delivers(&room, &old);
    room_waits(&room, MINUTE_MS);
    room_delivers(&room, &old);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    room_says(&room, "Anna", "Now it should be all right.");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
}
END_TEST

START_TEST(a_message_that_was_denied_is_tried_when_its_reader_comes)
{
    begin();
    quirks.text = "you're President";
    quirks.err = ERR_DENIED;
    room_elects(&room, 1);
    quirks.text = NULL;
    room_delivers(&room, &(struct odd_post){.id = "join",
                                            .who = "Anna",
                                            .text = "",
                                            .dm = true,
                                            .kind = POST_CAME});
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
}
END_TEST

/* Somebody leaves their DM, or declines to come into it. */
static void
deliver_left(const char *id, const char *who, enum post_kind kind)
{
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .dm = true,
                                            .stamp = room.stage->now,
                                            .kind = kind});
}

START_TEST(a_declined_dm_is_told_once_and_offered_when_its_owner_posts)
{
    begin();
    room_elects(&room, 1);
    room_discards(&room, false);
    room_enacts(&room, false);
    deliver_left("l1", "Carl", POST_LEFT);
    deliver_left("l2", "Carl", POST_LEFT);
    ck_assert_uint_eq(
        room_count_said(&room, "Carl, you aren't in our private chat"), 1);
    room_reopen(&room); /* it is known after a restart, too */
    room.stage->tables.services.list[0].adapter = &odd;
    room_says(&room, "Dora", "Carl?");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 0);
    room_says(&room, "Carl", "Nothing came.");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 1);
    room_says(&room, "Carl", "Still nothing.");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 1);
}
END_TEST

/* The host knows whose DM it is, of those who sit at a table. */
START_TEST(a_dm_that_somebody_has_left_tells_who_it_was)
{
    struct odd_post left = {.id = "l1",
                            .who = "Carl",
                            .text = "",
                            .dm = true,
                            .nameless = true,
                            .kind = POST_LEFT};

    begin();
    left.stamp = room.stage->now;
    room_delivers(&room, &left);
    ck_assert_uint_eq(
        room_count_said(&room, "Carl, you aren't in our private chat"), 1);
    room_says(&room, "Dora", "Carl?");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 0);
    room_says(&room, "Carl", "Nothing came.");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 1);
    left.who = "Zoe";
    room_delivers(&room, &left);
    ck_assert_uint_eq(room_count_said(&room, "n't in our private chat"), 1);
}
END_TEST

START_TEST(who_comes_back_by_themself_is_not_asked_back)
{
    begin();
    deliver_left("l1", "Carl", POST_LEFT);
    deliver_left("l2", "Carl", POST_CAME);
    room_says(&room, "Carl", "Here I am.");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 0);
    /* Nobody at the table. */
    deliver_left("l3", "Zoe", POST_LEFT);
    ck_assert_uint_eq(room_count_said(&room, "n't in our private chat"), 1);
}
END_TEST

START_TEST(who_gets_another_dm_is_not_asked_back)
{
    begin();
    deliver_left("l1", "Carl", POST_LEFT);
    store_set_dm(room.stage->tables.store,
                 room.stage->tables.services.list[0].name, "Carl", "");
    room_says(&room, "Carl", "Here I am.");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "invited you to our"), 0);
}
END_TEST

/* It may be the chancellor's message that was declined: that would tell when
 * the president has chosen. */
START_TEST(a_chancellor_who_leaves_the_dm_tells_nothing_of_the_session)
{
    begin();
    room_elects(&room, 1);
    deliver_left("l1", "Carl", POST_LEFT);
    room_discards(&room, false);
    deliver_left("l2", "Bob", POST_LEFT);
    ck_assert_uint_eq(room_count_said(&room, "Carl, you aren't in our"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Bob, you aren't in our"), 0);
    room_says(&room, "Bob", "Nothing came.");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "invited you to our"), 1);
}
END_TEST

START_TEST(a_dm_that_is_gone_is_opened_anew)
{
    begin();
    unsigned dms = quirks.dms;
    quirks.text = "you're President";
    quirks.err = ERR_GONE;
    room_elects(&room, 1);
    quirks.text = NULL;
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_uint_eq(quirks.dms, dms + 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
    ck_assert_uint_eq(room_count_said(&room, "don't reach you"), 0);
}
END_TEST

START_TEST(a_post_pings_whom_it_mentions_and_nobody_else)
{
    begin();
    ck_assert_str_eq(quirks.pinged, "Anna ");
    room_names(&room, 1);
    ck_assert_str_eq(quirks.pinged, "Anna Bob Carl Dora Emil ");
    room_votes(&room, true);
    ck_assert_str_eq(quirks.pinged, "Anna "); /* the president */
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

static void
deliver_sealed(const char *id, const char *who, bool dm)
{
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = who,
                                            .text = "",
                                            .dm = dm,
                                            .stamp = room.stage->now,
                                            .kind = POST_SEALED});
}

START_TEST(a_game_that_begins_and_one_that_ends_ring_everybody)
{
    begin();
    ck_assert_uint_eq(quirks.pings_of_five, 1);
    room_says(&room, "Mo", "!end");
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_says(&room, "Mo", yes);
    ck_assert_uint_eq(quirks.pings_of_five, 2);
}
END_TEST

START_TEST(who_writes_what_can_not_be_read_is_told_once_a_round)
{
    begin();
    deliver_sealed("s1", "Bob", false);
    deliver_sealed("s2", "Bob", false);
    ck_assert_uint_eq(room_count_said(&room, "Bob, your message was encrypted"),
                      1);
    deliver_sealed("s3", "Bob", true);
    deliver_sealed("s4", "Bob", true);
    ck_assert_uint_eq(
        room_count_told(&room, "Bob", "Your message here was encrypted"), 1);
    /* A DM that somebody has opened comes as one post of itself. */
    deliver_sealed("talk/Carl", "Carl", true);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "I only read this chat"),
                      1);
    deliver_sealed("s5", "Zoe", false);
    deliver_sealed("s6", "Zoe", true);
    ck_assert_uint_eq(room_count_said(&room, "was encrypted"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Zoe", ""), 0);
}
END_TEST

/* Others have read it, so it is not secret any more, and must not count. */
START_TEST(what_is_written_to_the_host_and_others_does_not_count)
{
    struct odd_post post = {.who = "Anna", .dm = true, .company = true};

    begin();
    room_elects(&room, 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
    for (int i = 0; i < 2; i++) {
        post.id = i == 0 ? "c1" : "c2";
        post.text = i == 0 ? "discard 1" : "!role";
        post.stamp = room.stage->now;
        room_delivers(&room, &post);
    }
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
    ck_assert_uint_eq(
        room_count_told(&room, "Anna", "went to other people, too"), 1);
    ck_assert_uint_eq(room_count_said(&room, "went to other people, too"), 0);
    post.id = "c3";
    post.who = "Zoe";
    room_delivers(&room, &post);
    ck_assert_uint_eq(room_count_told(&room, "Zoe", ""), 0);
    room_tells(&room, "Anna", "discard 1");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
}
END_TEST

START_TEST(whose_words_are_hidden_is_told_how_to_be_read_once_a_round)
{
    begin();
    for (int i = 0; i < 2; i++) {
        room_delivers(&room, &(struct odd_post){.id = i == 0 ? "h1" : "h2",
                                                .who = "Bob",
                                                .text = "",
                                                .stamp = room.stage->now,
                                                .kind = POST_HIDDEN});
    }
    ck_assert_uint_eq(room_count_said(&room, "Bob, I can't see what you write"),
                      1);
}
END_TEST

/* One that was read before it was deleted is nothing new. */
START_TEST(whose_post_was_deleted_before_it_was_read_is_told_once_a_round)
{
    struct odd_post post = {.who = "Bob", .text = "**Ja!**"};

    begin();
    room_names(&room, 1);
    post.stamp = room.stage->now;
    post.id = "d1";
    room_delivers(&room, &post);
    post.kind = POST_DELETED;
    room_delivers(&room, &post);
    ck_assert_uint_eq(room_count_said(&room, "was deleted before I had"), 0);
    post.id = "d2";
    room_delivers(&room, &post);
    post.id = "d3";
    room_delivers(&room, &post);
    ck_assert_uint_eq(
        room_count_said(&room, "Bob, a post of yours was deleted before"), 1);
}
END_TEST

START_TEST(a_dm_that_the_service_does_not_tell_is_known_from_its_opening)
{
    quirks.silent = true;
    begin();
    room_elects(&room, 1);
    room_tells(&room, "Anna", "discard 1");
    assert_holds(room_told(&room, "Bob"), "two cards are below");
}
END_TEST

START_TEST(an_edit_of_what_was_never_read_counts_for_nothing_where_edits_follow)
{
    for (int follows = 0; follows <= 1; follows++) {
        struct odd_post edit = {.id = "77777", .who = "Bob", .text = "**Ja!**"};

        odd.capabilities.edits_follow = follows == 1;
        begin();
        room_names(&room, 1);
        edit.stamp = room.stage->now - DAY_MS;
        edit.edited = room.stage->now;
        room_delivers(&room, &edit);
        room_waits(&room, 10 * SECOND_MS);
        ck_assert_uint_eq(room_game(&room)->voted == 0, follows == 1);
        tear_down();
        set_up();
    }
}
END_TEST

START_TEST(a_room_that_the_bot_was_put_out_of_is_looked_for_again)
{
    begin();
    unsigned places = quirks.places;
    room_delivers(&room, &(struct odd_post){.id = "out",
                                            .who = "placard",
                                            .text = "",
                                            .own = true,
                                            .kind = POST_LEFT});
    ck_assert_uint_eq(quirks.places, places + 1);
    ck_assert_str_eq(room.stage->tables.places.list[0]->ids[PLACE_THREAD],
                     "thread");
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

/* What is written there meanwhile counts, and is read once it is back. */
START_TEST(no_time_is_up_where_the_bot_was_put_out)
{
    begin();
    odd.capabilities.moves = true;
    quirks.no_entry = ERR_DENIED;
    room_delivers(&room, &(struct odd_post){.id = "out",
                                            .who = "placard",
                                            .text = "",
                                            .own = true,
                                            .kind = POST_LEFT});
    room_waits(&room, 2 * DAY_MS);
    ck_assert_uint_eq(room_count_said(&room, "No nomination in time"), 0);
    quirks.no_entry = ERR_NONE;
    room_waits(&room, HOUR_MS);
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "No nomination in time"), 1);
}
END_TEST

static void
deliver_shut(const char *id, enum post_kind kind, const char *next)
{
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = "Mo",
                                            .text = "",
                                            .reply_to = next,
                                            .stamp = room.stage->now,
                                            .kind = kind});
}

START_TEST(a_thread_that_is_encrypted_pauses_its_game_and_says_so_once)
{
    begin();
    deliver_shut("e1", POST_ENCRYPTED, NULL);
    ck_assert(room_table(&room)->paused);
    assert_holds(room_said(&room), "Encryption was turned on in this room");
    deliver_shut("e1", POST_ENCRYPTED, NULL);
    deliver_shut("e2", POST_ENCRYPTED, NULL);
    ck_assert_uint_eq(room_count_said(&room, "Encryption was turned on"), 1);
    /* Those who must act are written to, and can, in private. */
    ck_assert_uint_eq(
        room_count_told(&room, "Mo", "Encryption was turned on in this room"),
        1);
    room_tells(&room, "Mo", "!end");
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_tells(&room, "Mo", yes);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
}
END_TEST

/* The host may stay in it, and can't be told more of where it is. */
START_TEST(an_encrypted_game_is_ended_in_private_after_a_restart_too)
{
    begin();
    odd.capabilities.moves = true;
    deliver_shut("e1", POST_ENCRYPTED, NULL);
    quirks.no_entry = ERR_CONFIG;
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    room_settle(&room);
    ck_assert_str_eq(room.stage->tables.places.list[0]->ids[PLACE_THREAD], "");
    ck_assert_str_eq(room.stage->tables.places.list[0]->ids[PLACE_UNREADABLE],
                     "thread");
    room_tells(&room, "Mo", "!end");
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_tells(&room, "Mo", yes);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
}
END_TEST

/* Their posts keep their ids, their authors and their times. */
START_TEST(what_was_moved_here_from_another_topic_does_not_count_again)
{
    struct odd_post vote = {.id = "m1", .who = "Anna", .text = "**Ja!**"};
    begin();
    room_names(&room, 1);
    room.stage->now += MINUTE_MS;
    vote.stamp = room.stage->now;
    char place[] = "elsewhere";
    char id[] = "m1";
    char author[] = "Anna";
    struct post elsewhere = {
        .place = place, .id = id, .author = author, .stamp = vote.stamp};
    (void)store_see(room.stage->tables.store,
                    room.stage->tables.services.list[0].name, &elsewhere, 0,
                    "");
    room_delivers(&room, &vote);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    vote.id = "m2";
    room_delivers(&room, &vote);
    ck_assert_uint_ne(room_game(&room)->voted, 0);
}
END_TEST

/* After an hour, and once for each question; a request that fails otherwise
 * begins no hour anew. */
START_TEST(the_moderators_are_told_of_a_thread_that_is_gone)
{
    static const struct {
        int64_t after;
        enum err read;
    } reads[] = {{0, ERR_GONE},
                 {HOUR_MS / 2, ERR_LATER},
                 {HOUR_MS - 1, ERR_GONE},
                 {HOUR_MS, ERR_GONE},
                 {3 * HOUR_MS, ERR_GONE}};
    begin();
    struct feed *feed = room.stage->tables.feeds.list[0];
    for (unsigned i = 0; i < 5; i++) {
        threads_note_gone(&room.stage->tables, feed, reads[i].read,
                          room.stage->now + reads[i].after);
        ck_assert_uint_eq(feed->state == FEED_MISSING, i >= 3);
    }
    room_settle(&room);
    ck_assert_uint_eq(
        room_count_told(&room, "Mo", "can't find the game's thread"), 1);
    threads_note_gone(&room.stage->tables, feed, ERR_NONE, room.stage->now);
    ck_assert_int_ne(feed->state, FEED_MISSING);
}
END_TEST

/* The thread is closed; from now on it is called otherwise. */
static void
move_thread(const char *name)
{
    odd.capabilities.moves = true;
    quirks.moved = name;
    deliver_shut(name, POST_MOVED, name);
}

START_TEST(a_game_goes_on_in_the_room_that_replaces_its_own)
{
    begin();
    room_names(&room, 1);
    move_thread("new");
    ck_assert_str_eq(room.stage->tables.places.list[0]->ids[PLACE_THREAD],
                     "new");
    ck_assert_str_eq(room_table(&room)->thread, "new");
    ck_assert_uint_eq(room_count_said(&room, "goes on in this room"), 1);
    room_votes(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
    /* Also after a restart. */
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    ck_assert_str_eq(room_table(&room)->thread, "new");
    room_discards(&room, false);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    ck_assert_uint_eq(room_count_said(&room, "goes on in this room"), 1);
}
END_TEST

/* The edit has an older message. */
START_TEST(what_is_said_goes_before_the_edit_of_the_status_post)
{
    begin();
    quirks.edits = 0;
    room_names(&room, 1);
    ck_assert_uint_ge(quirks.edits, 1);
    ck_assert_uint_eq(quirks.edits_before, 0);
}
END_TEST

/* A status post's edit that could not be sent yet; NULL: there is none. */
static struct queued_message *
find_edit(void)
{
    const struct outbox *outbox = &room.stage->tables.outbox;
    for (size_t i = 0; i < outbox->count; i++) {
        struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_STATUS && queued->sent[0] != '\0') {
            return queued;
        }
    }
    return NULL;
}

/* Its outcome may come, or fail to, after the room was closed. */
START_TEST(an_edit_in_flight_to_a_room_that_is_closed_ends_with_its_outcome)
{
    static const enum err outcomes[] = {ERR_NONE, ERR_LATER};
    begin();
    quirks.no_edits = ERR_LATER;
    room_names(&room, 1);
    struct queued_message *edit = find_edit();
    ck_assert_ptr_nonnull(edit);
    struct delivery delivery = {
        .ticket = {.kind = TICKET_MESSAGE, .of = {.message = edit->id}},
        .service = room.stage->tables.services.list,
        .kind = OP_EDIT,
        .err = outcomes[_i]};
    edit->state = QUEUED_IN_FLIGHT;
    edit->changed = true;
    outbox_changed(&room.stage->tables.outbox, edit);
    move_thread("new");
    ck_assert_str_eq(room_table(&room)->thread, "new");
    ck_assert_ptr_eq(find_edit(), edit);
    unsigned edits = quirks.edits;
    sent_take(&room.stage->loop, &delivery);
    room_waits(&room, MINUTE_MS);
    ck_assert_ptr_null(find_edit());
    ck_assert_uint_eq(quirks.edits, edits);
    room_reopen(&room);
    ck_assert_ptr_null(find_edit());
}
END_TEST

START_TEST(an_edit_that_waits_for_a_room_that_is_closed_is_dropped)
{
    begin();
    quirks.no_edits = ERR_LATER;
    room_names(&room, 1);
    struct queued_message *edit = find_edit();
    ck_assert_ptr_nonnull(edit);
    edit->changed = true;
    move_thread("new");
    ck_assert_ptr_null(find_edit());
}
END_TEST

START_TEST(a_post_of_the_closed_room_can_still_be_asked_about)
{
    begin();
    room_names(&room, 1);
    room_says(&room, "Carl", "so **Ja!**");
    room_tells(&room, "Carl", "I am a Fascist");
    room_read(&room);
    char why[64];
    int64_t dm = 0;
    int64_t vote = 0;
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        bool carls = strcmp(post->author, "Carl") == 0;

        vote = carls && strstr(post->text, "Ja!") != NULL ? post->id : vote;
        dm = carls && strstr(post->text, "I am") != NULL ? post->id : dm;
    }
    move_thread("new");
    snprintf(why, sizeof why, "!why %lld", (long long)vote);
    room_says(&room, "Anna", why);
    assert_holds(room_said(&room), "This is how I read that post: ");
    /* Of what somebody has written in private nothing is told. */
    snprintf(why, sizeof why, "!why %lld", (long long)dm);
    room_says(&room, "Anna", why);
    ck_assert_uint_eq(room_count_said(&room, "I don't know that post"), 1);
    ck_assert_uint_eq(room_count_said(&room, "This is how I read that post: "),
                      1);
}
END_TEST

START_TEST(what_was_posted_before_the_room_was_closed_counts_after_a_restart)
{
    begin();
    odd.capabilities.moves = true;
    odd.capabilities.feeds_apart = false;
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    quirks.moved = "new";
    quirks.stays = "Anna";
    room_posts(&room, "Anna", "**Bob**");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_NOMINATE);
    room_settle(&room);
    ck_assert_str_eq(room_table(&room)->thread, "new");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_count_said(&room, "goes on in this room"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

START_TEST(a_game_waits_for_the_host_to_be_let_into_the_new_room)
{
    begin();
    room_names(&room, 1);
    quirks.no_entry = ERR_DENIED;
    move_thread("new");
    ck_assert_str_eq(room.stage->tables.places.list[0]->ids[PLACE_THREAD], "");
    /* While it waits the host is restarted: the post does not come again. */
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &odd;
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    room_settle(&room);
    ck_assert_str_eq(room_table(&room)->thread, "thread");
    quirks.no_entry = ERR_NONE;
    room_waits(&room, 10 * MINUTE_MS);
    ck_assert_str_eq(room_table(&room)->thread, "new");
    ck_assert_uint_eq(room_count_said(&room, "goes on in this room"), 1);
    room_votes(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(who_can_post_again_only_in_the_new_room_has_time_left_for_it)
{
    begin();
    room_names(&room, 1);
    quirks.no_entry = ERR_DENIED;
    quirks.stays = "nobody";
    move_thread("new");
    room_waits(&room, 3 * DAY_MS);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    quirks.no_entry = ERR_NONE;
    room_waits(&room, HOUR_MS);
    ck_assert_str_eq(room_table(&room)->thread, "new");
    ck_assert_uint_eq(room_count_said(&room, "You have until "), 1);
    ck_assert_int_ge(room_table(&room)->deadline,
                     room.stage->now + 2 * HOUR_MS);
    room_votes(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(a_game_stays_where_it_is_when_its_place_is_configured_anew)
{
    begin();
    odd.capabilities.moves = true;
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "elsewhere");
    places_change(&room.stage->tables.places);
    room_settle(&room);
    ck_assert_str_eq(room_table(&room)->thread, "thread");
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "goes on in this room"), 0);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

START_TEST(the_status_post_of_a_game_that_is_over_is_pinned_no_more)
{
    char status[64];
    char yes[32];

    odd.capabilities.pins = true;
    begin();
    snprintf(status, sizeof status, "%lld\n",
             (long long)room_status(&room)->id);
    ck_assert_str_eq(quirks.unpinned, "");
    room_says(&room, "Mo", "!end");
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_says(&room, "Mo", yes);
    room_says(&room, "Mo", "!new");
    ck_assert_uint_eq(quirks.pins, 2);
    ck_assert_str_eq(quirks.unpinned, status);
}
END_TEST

/* The board denies it, and nothing comes of that. */
START_TEST(a_status_post_is_pinned_once_where_that_is_possible)
{
    char status[64];

    odd.capabilities.pins = true;
    begin();
    room_names(&room, 1);
    snprintf(status, sizeof status, "%lld", (long long)room_status(&room)->id);
    ck_assert_uint_eq(quirks.pins, 1);
    ck_assert_str_eq(quirks.pinned, status);
    room_votes(&room, true);
    room_reopen(&room);
    ck_assert_uint_eq(quirks.pins, 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/reachability");
    TCase *tests = tcase_create("reach");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, who_has_not_come_to_the_dm_is_asked_to_once_a_round);
    tcase_add_test(tests, nobody_is_asked_to_come_before_they_can_have);
    tcase_add_test(tests,
                   moderators_are_told_of_it_where_they_talk_and_not_rung);
    tcase_add_test(
        tests,
        a_message_that_is_denied_is_said_and_tried_when_its_reader_posts);
    tcase_add_test(tests,
                   a_post_that_is_read_once_more_is_no_sign_of_its_author);
    tcase_add_test(tests,
                   a_message_that_was_denied_is_tried_when_its_reader_comes);
    tcase_add_test(tests,
                   a_declined_dm_is_told_once_and_offered_when_its_owner_posts);
    tcase_add_test(tests, a_dm_that_somebody_has_left_tells_who_it_was);
    tcase_add_test(tests, who_comes_back_by_themself_is_not_asked_back);
    tcase_add_test(tests, who_gets_another_dm_is_not_asked_back);
    tcase_add_test(tests,
                   a_chancellor_who_leaves_the_dm_tells_nothing_of_the_session);
    tcase_add_test(tests, a_dm_that_is_gone_is_opened_anew);
    tcase_add_test(tests, a_post_pings_whom_it_mentions_and_nobody_else);
    tcase_add_test(tests, a_game_that_begins_and_one_that_ends_ring_everybody);
    tcase_add_test(tests, who_writes_what_can_not_be_read_is_told_once_a_round);
    tcase_add_test(tests,
                   what_is_written_to_the_host_and_others_does_not_count);
    tcase_add_test(tests,
                   whose_words_are_hidden_is_told_how_to_be_read_once_a_round);
    tcase_add_test(
        tests, whose_post_was_deleted_before_it_was_read_is_told_once_a_round);
    tcase_add_test(
        tests, a_dm_that_the_service_does_not_tell_is_known_from_its_opening);
    tcase_add_test(
        tests,
        an_edit_of_what_was_never_read_counts_for_nothing_where_edits_follow);
    tcase_add_test(tests,
                   a_room_that_the_bot_was_put_out_of_is_looked_for_again);
    tcase_add_test(tests, no_time_is_up_where_the_bot_was_put_out);
    tcase_add_test(tests,
                   what_was_moved_here_from_another_topic_does_not_count_again);
    tcase_add_test(tests, the_moderators_are_told_of_a_thread_that_is_gone);
    tcase_add_test(tests, a_status_post_is_pinned_once_where_that_is_possible);
    tcase_add_test(tests,
                   the_status_post_of_a_game_that_is_over_is_pinned_no_more);
    tcase_add_test(tests,
                   a_thread_that_is_encrypted_pauses_its_game_and_says_so_once);
    tcase_add_test(tests,
                   an_encrypted_game_is_ended_in_private_after_a_restart_too);
    tcase_add_test(tests, a_game_goes_on_in_the_room_that_replaces_its_own);
    tcase_add_test(tests, what_is_said_goes_before_the_edit_of_the_status_post);
    tcase_add_loop_test(
        tests, an_edit_in_flight_to_a_room_that_is_closed_ends_with_its_outcome,
        0, 2);
    tcase_add_test(tests,
                   an_edit_that_waits_for_a_room_that_is_closed_is_dropped);
    tcase_add_test(tests, a_post_of_the_closed_room_can_still_be_asked_about);
    tcase_add_test(
        tests,
        what_was_posted_before_the_room_was_closed_counts_after_a_restart);
    tcase_add_test(tests,
                   a_game_waits_for_the_host_to_be_let_into_the_new_room);
    tcase_add_test(
        tests, who_can_post_again_only_in_the_new_room_has_time_left_for_it);
    tcase_add_test(tests,
                   a_game_stays_where_it_is_when_its_place_is_configured_anew);
    suite_add_tcase(suite, tests);
    return suite;
}
