/*
 * The Discourse adapter and what a real forum answered: each recording of
 * tests/fixtures/discourse/recorded is heard in an errand in which it comes,
 * and what becomes of that is told.  Some are then cut, or have another value,
 * or lack a member: whatever is not understood is told as a failure, and of a
 * page that is taken no post is missing.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/forum/forum.h"
#include "tests/adapters/script.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    REPLIES_MAX = 6
};

enum who {
    HOST,   /* placard, a moderator */
    MEMBER, /* plain, of trust level 1 */
    NEWCOMER
};

enum where {
    TOPIC,
    TALK,
    PICTURE /* a post in the topic with one */
};

static const struct service services[] = {
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "placard",
     .self = "placard"},
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "plain",
     .self = "plain"},
    {.adapter = &adapter_discourse,
     .name = "forum",
     .base = "http://127.0.0.1",
     .user = "newbie",
     .self = "newbie"},
};

static const unsigned char png[] = {0x89, 'P', 'N', 'G'};

/* An errand with the recordings that answer it, and what comes of it: its id,
 * or words of what it says; how many posts. */
static const struct row {
    const char *replies[REPLIES_MAX];
    enum who who;
    enum errand_kind kind;
    enum where where;
    enum err err; /* ERR_NONE: it is done */
    enum refused refused;
    const char *words;
    size_t posts;
} rows[] = {
    {{"account_moderator"},
     HOST,
     ERRAND_WHO,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "placard",
     0},
    {{"account_member"},
     MEMBER,
     ERRAND_WHO,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "plain",
     0},
    {{"account_new"},
     NEWCOMER,
     ERRAND_WHO,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "newbie",
     0},
    {{"account_silenced"},
     MEMBER,
     ERRAND_WHO,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "plain",
     0},
    {{"key_wrong"},
     HOST,
     ERRAND_WHO,
     TOPIC,
     ERR_DENIED,
     REFUSED_ACCOUNT,
     "the API key is not accepted",
     0},
    {{"key_of_another"},
     HOST,
     ERRAND_WHO,
     TOPIC,
     ERR_DENIED,
     REFUSED_ACCOUNT,
     "the API key is not accepted",
     0},
    {{"key_unknown_user"},
     HOST,
     ERRAND_WHO,
     TOPIC,
     ERR_DENIED,
     REFUSED_ACCOUNT,
     "the API key is not accepted",
     0},
    {{"key_limit_user"},
     HOST,
     ERRAND_WHO,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"person"}, HOST, ERRAND_USER, TOPIC, ERR_NONE, REFUSED_RIGHT, "anna", 0},
    {{"person_dotted"},
     HOST,
     ERRAND_USER,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "jane.doe",
     0},
    {{"person_silenced"},
     HOST,
     ERRAND_USER,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "anna",
     0},
    {{"person_refuses"},
     HOST,
     ERRAND_USER,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "hans",
     0},
    {{"person_unknown"},
     HOST,
     ERRAND_USER,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "nobody called",
     0},
    {{"topic"}, HOST, ERRAND_PLACE, TOPIC, ERR_NONE, REFUSED_RIGHT, "5", 0},
    {{"read_only_topic"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "5",
     0},
    {{"topic_silenced"},
     MEMBER,
     ERRAND_PLACE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "5",
     0},
    {{"topic_closed_staff"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "5",
     0},
    {{"topic_unknown"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "could not be found",
     0},
    {{"topic_unseen"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "could not be found",
     0},
    {{"topic_deleted_member"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "could not be found",
     0},
    {{"topic_deleted"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "was deleted",
     0},
    {{"talk"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_CONFIG,
     REFUSED_RIGHT,
     "is a private message",
     0},
    {{"suspended"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_DENIED,
     REFUSED_ACCOUNT,
     "",
     0},
    {{"key_limit_topic"},
     HOST,
     ERRAND_PLACE,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_closed", "account_member", "inbox_empty", "category_games",
      "settings"},
     MEMBER,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_archived", "account_member", "inbox_empty", "category_games",
      "settings"},
     MEMBER,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_read_only", "account_member", "inbox_empty", "category",
      "settings"},
     MEMBER,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_slow", "account_member", "inbox_empty", "category_games",
      "settings"},
     MEMBER,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_newcomer", "account_member", "inbox_empty", "category_games",
      "settings"},
     MEMBER,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_archived_staff", "account_moderator", "inbox",
      "category_games_staff", "settings"},
     HOST,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic", "account_moderator", "inbox_granular", "category_games",
      "settings"},
     HOST,
     ERRAND_PROBE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic", "account_moderator", "key_limit_inbox"},
     HOST,
     ERRAND_PROBE,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic", "account_moderator", "inbox_empty", "key_limit_category"},
     HOST,
     ERRAND_PROBE,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic", "account_moderator", "inbox_empty", "category",
      "key_limit_settings"},
     HOST,
     ERRAND_PROBE,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_with_votes", "posts_raw"},
     HOST,
     ERRAND_READ,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     6},
    {{"topic_with_votes", "posts"},
     HOST,
     ERRAND_READ,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     6},
    {{"topic_after", "posts_after"},
     HOST,
     ERRAND_READ,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     7},
    {{"topic_after", "posts_after_member"},
     MEMBER,
     ERRAND_READ,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     6},
    {{"topic_with_votes", "posts_locked"},
     HOST,
     ERRAND_READ,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     1},
    {{"topic_with_votes", "key_limit_posts"},
     HOST,
     ERRAND_READ,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"inbox_lagging", "sent_lagging", "sent_end", "talk", "talk_posts"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     2},
    {{"inbox", "inbox_end", "sent_lagging", "sent_end", "talk", "talk_posts"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     2},
    {{"talk_lagging", "sent_list", "sent_end", "talk", "talk_posts_raw"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     2},
    {{"inbox_empty", "inbox_empty"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"inbox_granular"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"inbox_empty", "sent_granular"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"inbox_empty", "key_limit_sent"},
     HOST,
     ERRAND_READ,
     TALK,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_with_votes", "posts_raw"},
     HOST,
     ERRAND_FIND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"sent"}, HOST, ERRAND_SEND, TOPIC, ERR_NONE, REFUSED_RIGHT, "16", 0},
    {{"sent_again"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"sent_similar_staff"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "17",
     0},
    {{"sent_member"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "18",
     0},
    {{"sent_member_again"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "18",
     0},
    {{"word_approval_staff"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "26",
     0},
    {{"archived_staff"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"queued"}, MEMBER, ERRAND_SEND, TOPIC, ERR_NONE, REFUSED_RIGHT, "", 0},
    {{"word_approval_member"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"too_short", "topic_with_votes", "posts"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"too_long", "topic_with_votes", "posts"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"word_blocked", "topic_with_votes", "posts"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"shouted", "topic_with_votes", "posts"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"shouted_member", "topic_with_votes", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"mentions_member", "topic_with_votes", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"word_blocked_member", "topic_with_votes", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"similar", "topic_with_votes", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "",
     0},
    {{"newcomer_links", "topic_with_votes", "posts"},
     NEWCOMER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "2 links",
     0},
    {{"in_a_row", "topic_in_a_row", "posts_in_a_row"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "No more than 3",
     0},
    {{"newcomer_topic_limit", "topic_newcomer", "posts_newcomer"},
     NEWCOMER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "limited to 3",
     0},
    {{"slow", "topic_slow", "posts_slow"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "slow mode",
     0},
    {{"closed", "topic_closed", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "Something has gone wrong",
     0},
    {{"archived", "topic_archived", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "Something has gone wrong",
     0},
    {{"read_only_reply", "topic_read_only", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "Something has gone wrong",
     0},
    {{"silenced", "topic_silenced", "posts"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "Something has gone wrong",
     0},
    {{"unseen_reply", "topic_unseen"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"topic_deleted_reply", "topic_deleted"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "was deleted",
     0},
    {{"de_topic_deleted_reply", "topic_deleted"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"flood"},
     MEMBER,
     ERRAND_SEND,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "too quickly",
     0},
    {{"newcomer_day_limit"},
     NEWCOMER,
     ERRAND_SEND,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"key_limit_post"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"read_only"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_LATER,
     REFUSED_RIGHT,
     "read only",
     0},
    {{"sent_readonly_key"},
     HOST,
     ERRAND_SEND,
     TOPIC,
     ERR_DENIED,
     REFUSED_ACCOUNT,
     "",
     0},
    {{"upload", "sent"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"upload_new_user", "sent"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"upload_refused", "sent"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"upload_broken", "sent"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"upload_granular_denied", "sent"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_NONE,
     REFUSED_RIGHT,
     "16",
     0},
    {{"key_limit_upload"},
     HOST,
     ERRAND_SEND,
     PICTURE,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"talk", "talk_sent"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "8",
     0},
    {{"talk_of_three"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "is not alone",
     0},
    {{"talk_left"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "is not alone",
     0},
    {{"talk_with_group"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "is not alone",
     0},
    {{"talk_deleted_for_staff"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "was deleted",
     0},
    {{"talk_deleted_for_member"},
     MEMBER,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"talk", "talk_deleted_reply", "talk_deleted_for_staff"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "was deleted",
     0},
    {{"talk", "talk_deleted_reply_member", "talk_deleted_for_member"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_GONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"talk", "talk_full_reply", "talk_full_member", "posts"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"talk", "talk_full_reply_staff"},
     HOST,
     ERRAND_SEND,
     TALK,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_found", "talk"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"external_unknown", "talk_created"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"external_unknown", "talk_person_refuses_staff"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm",
     0},
    {{"external_found", "talk_deleted_for_staff", "external_unknown",
      "talk_created"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"external_found", "talk_full", "external_unknown", "talk_created"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"external_unknown", "talk_external_taken", "person", "external_found",
      "talk"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"talk_deleted_external", "talk_deleted_external_taken", "person",
      "external_unknown", "talk_created"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"de_unknown", "de_talk_external_taken", "person", "external_unknown",
      "talk_created"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "pm6",
     0},
    {{"external_unknown", "talk_nobody", "person_unknown"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "nobody called",
     0},
    {{"external_unknown", "talk_person_refuses", "person_refuses"},
     MEMBER,
     ERRAND_TALK,
     TOPIC,
     ERR_DENIED,
     REFUSED_PERSON,
     "not accepting messages",
     0},
    {{"external_unknown", "talk_too_new", "account_new"},
     NEWCOMER,
     ERRAND_TALK,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "cannot send",
     0},
    {{"external_unknown", "silenced_talk", "person_silenced"},
     MEMBER,
     ERRAND_TALK,
     TOPIC,
     ERR_DENIED,
     REFUSED_PERSON,
     "",
     0},
    {{"external_unknown", "talk_limit"},
     MEMBER,
     ERRAND_TALK,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"key_limit_external"},
     HOST,
     ERRAND_TALK,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_found"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "6",
     0},
    {{"external_unknown", "topic", "topic_created"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "title_taken", "de_unknown",
      "topic_created"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "topic_external_taken", "de_unknown",
      "topic_created"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "de_title_taken", "de_unknown",
      "topic_created"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "de_external_taken", "de_unknown",
      "topic_created"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "title_short", "external_unknown",
      "title_short"},
     HOST,
     ERRAND_OPEN,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "Title is too short",
     0},
    {{"external_unknown", "topic", "topic_create_denied"},
     MEMBER,
     ERRAND_OPEN,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"external_unknown", "topic", "queued_topic"},
     MEMBER,
     ERRAND_OPEN,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "until somebody approves",
     0},
    {{"edited"}, HOST, ERRAND_EDIT, TOPIC, ERR_NONE, REFUSED_RIGHT, "", 0},
    {{"edited_member"},
     MEMBER,
     ERRAND_EDIT,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"edit_deleted"},
     HOST,
     ERRAND_EDIT,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "was deleted",
     0},
    {{"edit_unknown"},
     HOST,
     ERRAND_EDIT,
     TOPIC,
     ERR_GONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"edit_of_another"},
     MEMBER,
     ERRAND_EDIT,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"silenced_edit"},
     MEMBER,
     ERRAND_EDIT,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"edit_too_short", "posts"},
     HOST,
     ERRAND_EDIT,
     TOPIC,
     ERR_DENIED,
     REFUSED_WORDS,
     "too short",
     0},
    {{"edit_too_late", "posts_after_member"},
     MEMBER,
     ERRAND_EDIT,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "too long ago",
     0},
    {{"edit_limit"},
     MEMBER,
     ERRAND_EDIT,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"key_limit_edit"},
     HOST,
     ERRAND_EDIT,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"locked"}, HOST, ERRAND_LOCK, TOPIC, ERR_NONE, REFUSED_RIGHT, "", 0},
    {{"lock_deleted"},
     HOST,
     ERRAND_LOCK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"lock_unknown"},
     HOST,
     ERRAND_LOCK,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"lock_denied"},
     MEMBER,
     ERRAND_LOCK,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"lock_granular"},
     HOST,
     ERRAND_LOCK,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"key_limit_lock"},
     HOST,
     ERRAND_LOCK,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
    {{"deleted"}, HOST, ERRAND_DELETE, TOPIC, ERR_NONE, REFUSED_RIGHT, "", 0},
    {{"deleted_again"},
     HOST,
     ERRAND_DELETE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"delete_unknown"},
     HOST,
     ERRAND_DELETE,
     TOPIC,
     ERR_NONE,
     REFUSED_RIGHT,
     "",
     0},
    {{"delete_denied"},
     MEMBER,
     ERRAND_DELETE,
     TOPIC,
     ERR_DENIED,
     REFUSED_RIGHT,
     "",
     0},
    {{"key_limit_delete"},
     HOST,
     ERRAND_DELETE,
     TOPIC,
     ERR_LIMITED,
     REFUSED_RIGHT,
     "",
     0},
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0])
};

/* The feeds are read from the first post on, and from a minute before the first
 * private message on. */
static struct errand
errand_of(const struct row *row)
{
    bool talk = row->where == TALK;
    struct errand errand = {
        .kind = row->kind,
        .feed = talk ? FORUM_INBOX : "5",
        .cursor = talk ? "1795369400000.1795369400000"
                       : "0.5:5,16,17,18,21,22,23,24,25",
        .place = talk ? "pm6" : "5",
        .post = "16",
        .user = "anna",
        .text = row->kind == ERRAND_PLACE  ? "5"
                : row->kind == ERRAND_OPEN ? "Secret Hitler, table 9"
                                           : "Round 2 begins.",
        .key = "1.31",
        .since = row->kind == ERRAND_READ && !talk ? 1 : 0,
        .talk = talk,
    };

    if (row->where == PICTURE) {
        errand.picture =
            (struct picture){png, sizeof(png), 720, 944, "The board.", NULL};
    }
    return errand;
}

static const struct recordings *
recorded(void)
{
    return recordings_of("discourse");
}

static size_t
count_replies(const struct row *row)
{
    size_t count = 0;

    while (count < REPLIES_MAX && row->replies[count] != NULL) {
        count++;
    }
    return count;
}

static void
begin(struct script *script, const struct row *row)
{
    struct errand errand = errand_of(row);

    script_begin(script, &services[row->who], &errand);
}

/* The next turn, with a recording, or with another body in its place. */
static void
hear(struct script *script, const char *name, const struct buf *body)
{
    struct reply reply = recording_reply(recordings_named(recorded(), name));

    if (body != NULL) {
        reply.body = buf_text(body);
        reply.len = body->len;
    }
    request_clear(&script->out.request);
    script->turn = script->service->adapter->turn(
        script->service, &script->errand, &script->work, &reply, &script->out,
        &script->why);
    note_request(script);
}

/* All of them; in the nth another body, where there is one. */
static void
run(struct script *script, const struct row *row, size_t nth,
    const struct buf *body)
{
    size_t count = count_replies(row);

    begin(script, row);
    for (size_t i = 0; i < count && script->turn == TURN_REQUEST; i++) {
        hear(script, row->replies[i], i == nth ? body : NULL);
    }
    page_finish(&script->out.page);
}

START_TEST(each_recording_is_understood)
{
    const struct row *row = &rows[_i];
    struct script script;

    run(&script, row, 0, NULL);
    const char *said = script.turn == TURN_FAILED ? buf_text(&script.why)
                                                  : buf_text(&script.out.id);

    ck_assert_msg(script.turn ==
                          (row->err == ERR_NONE ? TURN_DONE : TURN_FAILED) &&
                      script.out.err == row->err,
                  "%s: %d %s%s", row->replies[0], (int)script.out.err,
                  buf_text(&script.asked), buf_text(&script.why));
    ck_assert_msg(script.out.refused == row->refused, "%s: refused %d, %s",
                  row->replies[0], (int)script.out.refused, said);
    ck_assert_msg(strstr(said, row->words) != NULL, "%s: %s", row->replies[0],
                  said);
    ck_assert_msg(script.out.page.count == row->posts, "%s: %zu posts",
                  row->replies[0], script.out.page.count);
    ck_assert(script.out.queued || script_is_sane(&script));
    script_release(&script);
}
END_TEST

START_TEST(no_recording_is_left_out)
{
    for (size_t i = 0; i < recordings_count(recorded()); i++) {
        const char *name = recordings_at(recorded(), i)->name;
        bool heard = false;

        for (size_t at = 0; at < ROWS && !heard; at++) {
            for (size_t n = 0; n < count_replies(&rows[at]) && !heard; n++) {
                heard = strcmp(rows[at].replies[n], name) == 0;
            }
        }
        ck_assert_msg(heard, "%s: no errand hears it", name);
    }
}
END_TEST

/* ---- what they tell ------------------------------------------------------ */

static const struct row *
row_of(const char *first)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].replies[0], first) == 0) {
            return &rows[i];
        }
    }
    ck_abort_msg("no row begins with %s", first);
}

/* 24 has gone from the stream; then come all that are left. */
START_TEST(edits_and_deletions_are_told)
{
    static const struct {
        const char *id;
        enum post_kind kind;
        bool edited;
    } expected[] = {
        {"24", POST_DELETED, false}, {"16", POST_WRITTEN, true},
        {"21", POST_WRITTEN, true},  {"22", POST_WRITTEN, true},
        {"23", POST_DELETED, true},  {"24", POST_DELETED, false},
        {"25", POST_WRITTEN, false},
    };
    struct script script;

    run(&script, row_of("topic_after"), 0, NULL);
    ck_assert_uint_eq(script.out.page.count, 7);
    for (size_t i = 0; i < 7; i++) {
        const struct post *post = &script.out.page.posts[i];

        ck_assert_str_eq(post->id, expected[i].id);
        ck_assert_int_eq(post->kind, expected[i].kind);
        ck_assert_msg((post->edited > 0) == expected[i].edited, "%s", post->id);
        ck_assert(post->own == (strcmp(post->author, "placard") == 0));
    }
    script_release(&script);
}
END_TEST

START_TEST(a_reply_names_the_post_that_it_answers)
{
    struct script script;

    run(&script, row_of("topic_with_votes"), 0, NULL);
    ck_assert_str_eq(script.out.page.posts[1].author, "anna");
    ck_assert_str_eq(script.out.page.posts[1].author_name, "Anna");
    ck_assert_str_eq(script.out.page.posts[2].author, "ben");
    ck_assert_str_eq(script.out.page.posts[2].reply_to, "21");
    script_release(&script);
}
END_TEST

/* What is shown of it may be in another language, by the reader's. */
START_TEST(of_a_post_that_is_translated_the_source_is_read)
{
    const struct recording *posts = recordings_named(recorded(), "posts_raw");
    const char *text = buf_text(&posts->body);
    const char *at = strstr(text, "\"username\":\"Anna\"");
    struct buf body = BUF_INIT;
    struct script script;

    ck_assert_ptr_nonnull(at);
    buf_add(&body, text, (size_t)(at - text));
    buf_add_text(&body, "\"is_localized\":true,");
    buf_add_text(&body, at);
    run(&script, row_of("topic_with_votes"), 1, &body);
    ck_assert_str_eq(script.out.page.posts[1].body, "I vote **Ja!** of course");
    ck_assert_ptr_eq(script.out.page.posts[1].dialect,
                     dialect_find("markdown"));
    script_release(&script);
    buf_release(&body);
}
END_TEST

START_TEST(what_may_be_done_is_told)
{
    static const struct {
        const char *account;
        unsigned rights;
        const char *advice;
    } expected[] = {
        {"account_moderator",
         RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_TALK | RIGHT_UPLOAD |
             RIGHT_DELETE | RIGHT_LOCK | RIGHT_OPEN,
         ""},
        {"account_member",
         RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_TALK | RIGHT_UPLOAD |
             RIGHT_OPEN,
         "Make placard a moderator"},
        {"account_new", RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_OPEN,
         "may not send personal messages"},
        {"account_silenced", RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_OPEN,
         "end its silence"},
    };
    struct row row = {.kind = ERRAND_PROBE,
                      .replies = {"topic", NULL, "inbox_empty",
                                  "category_games_staff", "settings"}};
    struct script script;

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        row.replies[1] = expected[i].account;
        run(&script, &row, 0, NULL);
        ck_assert_msg(script.out.rights == expected[i].rights, "%s: %x",
                      expected[i].account, script.out.rights);
        ck_assert_msg(
            strstr(buf_text(&script.out.advice), expected[i].advice) != NULL,
            "%s", buf_text(&script.out.advice));
        ck_assert_uint_eq(script.out.shortest, 5);
        ck_assert_uint_eq(script.out.longest, 32000);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_granular_key_is_told_before_the_game)
{
    struct row row = {.kind = ERRAND_PROBE,
                      .replies = {"topic", "account_moderator",
                                  "inbox_granular", "category_games",
                                  "settings"}};
    struct script script;

    run(&script, &row, 0, NULL);
    ck_assert_int_eq(script.turn, TURN_DONE);
    ck_assert_uint_eq(script.out.rights & (RIGHT_TALK | RIGHT_LOCK), 0);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.out.advice), "with the scope Global"));
    script_release(&script);
}
END_TEST

/* ---- as they may be ------------------------------------------------------ */

static const char *const changed[] = {"topic_with_votes", "inbox_lagging",
                                      "sent"};

enum {
    CHANGED = sizeof(changed) / sizeof(changed[0])
};

/* Is it done as with the whole reply, or failed, or does it ask on? */
static void
assert_sane(const struct row *row, const struct script *script,
            const char *what)
{
    ck_assert_msg(script_is_sane(script), "%s: %s", what,
                  buf_text(&script->why));
    ck_assert_msg(
        script->turn == TURN_FAILED ||
            (script->turn == TURN_REQUEST && script->out.page.count == 0) ||
            script->out.page.count >= row->posts,
        "%s: %zu posts", what, script->out.page.count);
}

START_TEST(a_reply_that_is_cut_anywhere_is_never_trusted_half)
{
    const struct row *row = row_of(changed[_i]);
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct recording *recording =
            recordings_named(recorded(), row->replies[nth]);

        for (size_t len = 0; len < recording->body.len; len += 1 + len / 60) {
            struct buf body = BUF_INIT;

            buf_add(&body, buf_text(&recording->body), len);
            run(&script, row, nth, &body);
            ck_assert_msg(script.turn == TURN_FAILED &&
                              script.out.err == ERR_GARBLED,
                          "%s cut at %zu", row->replies[nth], len);
            script_release(&script);
            buf_release(&body);
        }
    }
}
END_TEST

/* A talk in which nobody has written has no last post. */
static bool
may_lack(const char *member)
{
    static const char last[] = "\"last_posted_at\"";

    return strncmp(member, last, sizeof(last) - 1) == 0;
}

/* The name of the member whose value begins at `at`. */
static const char *
begin_of_member(const struct buf *body, size_t at)
{
    for (at -= 3; at > 0 && body->data[at] != '"'; at--) {
    }
    return body->data + at;
}

START_TEST(with_a_value_of_another_type_no_post_is_lost)
{
    static const char *const values[] = {
        "null", "true",        "-1",
        "1e99", "\"\"",        "[{}]",
        "{}",   "\"\\u0000\"", "9223372036854775807"};
    const struct row *row = row_of(changed[_i]);
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body =
            &recordings_named(recorded(), row->replies[nth])->body;

        for (size_t at = 2; at < body->len; at++) {
            if (body->data[at - 1] != ':' || body->data[at - 2] != '"' ||
                body->data[at] == '{' || body->data[at] == '[' ||
                may_lack(begin_of_member(body, at))) {
                continue;
            }
            size_t i = at % (sizeof(values) / sizeof(values[0]));

            script_swap_value(body, at, values[i], &odd);
            run(&script, row, nth, &odd);
            assert_sane(row, &script, begin_of_member(body, at));
            script_release(&script);
        }
    }
    buf_release(&odd);
}
END_TEST

/* A member that is not there at all: under another name nobody knows it. */
START_TEST(with_a_member_that_is_missing_no_post_is_lost)
{
    const struct row *row = row_of(changed[_i]);
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t nth = 0; nth < count_replies(row); nth++) {
        const struct buf *body =
            &recordings_named(recorded(), row->replies[nth])->body;

        for (size_t at = 1; at + 1 < body->len; at++) {
            if (body->data[at] != '"' ||
                strchr("{,", body->data[at - 1]) == NULL ||
                may_lack(body->data + at)) {
                continue;
            }
            buf_clear(&odd);
            buf_add(&odd, body->data, at + 1);
            buf_add_text(&odd, "no ");
            buf_add(&odd, body->data + at + 1, body->len - at - 1);
            run(&script, row, nth, &odd);
            assert_sane(row, &script, body->data + at);
            script_release(&script);
        }
    }
    buf_release(&odd);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discourse_recorded");
    TCase *tcase = tcase_create("recorded");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, each_recording_is_understood, 0, ROWS);
    tcase_add_test(tcase, no_recording_is_left_out);
    tcase_add_test(tcase, edits_and_deletions_are_told);
    tcase_add_test(tcase, a_reply_names_the_post_that_it_answers);
    tcase_add_test(tcase, of_a_post_that_is_translated_the_source_is_read);
    tcase_add_test(tcase, what_may_be_done_is_told);
    tcase_add_test(tcase, a_granular_key_is_told_before_the_game);
    tcase_add_loop_test(
        tcase, a_reply_that_is_cut_anywhere_is_never_trusted_half, 0, CHANGED);
    tcase_add_loop_test(tcase, with_a_value_of_another_type_no_post_is_lost, 0,
                        CHANGED);
    tcase_add_loop_test(tcase, with_a_member_that_is_missing_no_post_is_lost, 0,
                        CHANGED);
    suite_add_tcase(suite, tcase);
    return suite;
}
