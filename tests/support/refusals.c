#include "tests/support/refusals.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/recordings_inner.h"

enum {
    PARTS = 4 /* of a message's key */
};

/* How long a right is missing; how long "slow down" is meant. */
#define A_WHILE   .lasts = 20000
#define SECONDS   INT64_C(1000) *
#define ONCE      .times = 1
#define TWICE     .times = 2
#define IN_THREAD .struck = STRUCK_PUBLIC
#define IN_DM     .struck = STRUCK_PRIVATE
#define HOURS     .long_game = true
/* At Discourse answers are sent to where talks are opened. */
#define DM_OPENED .only = "\"archetype\":\"private_message\""

const struct refused_request refused_requests[] = {
    /* Discord: messages */
    {&fake_service_discord, "discord_sent_forbidden", A_WHILE},
    {&fake_service_discord, "discord_sent_no_access", A_WHILE},
    {&fake_service_discord, "discord_sent_no_channel", IN_THREAD, A_WHILE},
    {&fake_service_discord, "discord_sent_locked", IN_THREAD, A_WHILE},
    {&fake_service_discord, "discord_sent_bad_token", A_WHILE, HOURS},
    {&fake_service_discord, "discord_sent_no_token", A_WHILE, HOURS},
    {&fake_service_discord, "discord_sent_limited", .lasts = SECONDS 65},
    {&fake_service_discord, "discord_sent_shut_out", A_WHILE},
    {&fake_service_discord, "discord_sent_automod", ONCE},
    {&fake_service_discord, "discord_sent_automod", TWICE},
    {&fake_service_discord, "discord_sent_links", ONCE},
    {&fake_service_discord, "discord_sent_form", ONCE},
    {&fake_service_discord, "discord_sent_too_large", ONCE},
    {&fake_service_discord, "discord_sent_empty", ONCE},
    {&fake_service_discord, "discord_sent_closed", IN_DM, A_WHILE, HOURS},
    {&fake_service_discord, "discord_sent_no_mutual", IN_DM, A_WHILE, HOURS},
    /* edits */
    {&fake_service_discord, "discord_edit_forbidden", A_WHILE},
    {&fake_service_discord, "discord_edit_no_access", A_WHILE},
    {&fake_service_discord, "discord_edit_no_channel", A_WHILE},
    {&fake_service_discord, "discord_edit_no_message", A_WHILE},
    {&fake_service_discord, "discord_edit_locked", A_WHILE},
    /* A thread is, never a channel. */
    {&fake_service_discord, "discord_edit_archived", A_WHILE, .own = true,
     .spared = "/channels/500000000000000002/"},
    {&fake_service_discord, "discord_edit_many", A_WHILE},
    {&fake_service_discord, "discord_edit_limited", .lasts = SECONDS 65},
    {&fake_service_discord, "discord_edit_shut_out", A_WHILE},
    /* DMs, threads, reactions, pins */
    {&fake_service_discord, "discord_talk_fast", A_WHILE},
    {&fake_service_discord, "discord_talk_limited", .lasts = SECONDS 65},
    {&fake_service_discord, "discord_talk_shut_out", A_WHILE},
    {&fake_service_discord, "discord_thread_forbidden", A_WHILE, .own = true},
    {&fake_service_discord, "discord_thread_limited", .lasts = SECONDS 65,
     .own = true},
    {&fake_service_discord, "discord_react_forbidden", A_WHILE},
    {&fake_service_discord, "discord_react_limited", .lasts = SECONDS 65},
    {&fake_service_discord, "discord_react_no_message", A_WHILE},
    {&fake_service_discord, "discord_pin_forbidden", A_WHILE},
    /* Spacebar */
    {&fake_service_discord_alike, "spacebar_sent_forbidden", A_WHILE},
    {&fake_service_discord_alike, "spacebar_sent_hidden", A_WHILE},
    {&fake_service_discord_alike, "spacebar_sent_token", A_WHILE, HOURS},
    {&fake_service_discord_alike, "spacebar_sent_flood", A_WHILE},
    {&fake_service_discord_alike, "spacebar_sent_slow", A_WHILE},
    {&fake_service_discord_alike, "spacebar_sent_unknown", IN_THREAD, A_WHILE},
    {&fake_service_discord_alike, "spacebar_sent_too_large", ONCE},
    {&fake_service_discord_alike, "spacebar_sent_too_long", ONCE},
    {&fake_service_discord_alike, "spacebar_talk_closed", IN_DM, A_WHILE,
     HOURS},
    {&fake_service_discord_alike, "spacebar_talk_unknown", A_WHILE},
    {&fake_service_discord_alike, "spacebar_thread_sent_locked", IN_THREAD,
     A_WHILE},
    {&fake_service_discord_alike, "spacebar_thread_sent_forbidden", IN_THREAD,
     A_WHILE},
    {&fake_service_discord_alike, "spacebar_edit_forbidden", A_WHILE},
    {&fake_service_discord_alike, "spacebar_edit_unknown", A_WHILE},
    {&fake_service_discord_alike, "spacebar_edit_too_long", A_WHILE},
    {&fake_service_discord_alike, "spacebar_react_forbidden", A_WHILE},
    /* Discourse: posts */
    {&fake_service_discourse, "closed", IN_THREAD, A_WHILE, .shut = true},
    {&fake_service_discourse, "archived", IN_THREAD, A_WHILE, .shut = true},
    {&fake_service_discourse, "silenced", A_WHILE, .shut = true},
    {&fake_service_discourse, "read_only_reply", IN_THREAD, A_WHILE,
     .shut = true},
    {&fake_service_discourse, "read_only", A_WHILE},
    {&fake_service_discourse, "sent_readonly_key", A_WHILE},
    {&fake_service_discourse, "flood", .lasts = SECONDS 30},
    {&fake_service_discourse, "key_limit_post", .lasts = SECONDS 57},
    {&fake_service_discourse, "newcomer_day_limit", A_WHILE, HOURS},
    {&fake_service_discourse, "too_short", IN_THREAD, ONCE},
    {&fake_service_discourse, "too_long", IN_THREAD, ONCE},
    {&fake_service_discourse, "shouted", IN_THREAD, ONCE},
    {&fake_service_discourse, "mentions_member", IN_THREAD, ONCE},
    {&fake_service_discourse, "word_blocked", ONCE},
    {&fake_service_discourse, "word_blocked", TWICE},
    {&fake_service_discourse, "similar", IN_THREAD, ONCE},
    /* DMs, edits, pictures, locks, topics */
    {&fake_service_discourse, "silenced_talk", DM_OPENED, A_WHILE, HOURS,
     .shut = true},
    {&fake_service_discourse, "talk_limit", DM_OPENED, A_WHILE, HOURS},
    {&fake_service_discourse, "talk_person_refuses", DM_OPENED, A_WHILE, HOURS},
    {&fake_service_discourse, "edit_limit", A_WHILE},
    {&fake_service_discourse, "edit_of_another", A_WHILE},
    {&fake_service_discourse, "edit_too_late", A_WHILE},
    {&fake_service_discourse, "edit_unknown", A_WHILE},
    {&fake_service_discourse, "key_limit_edit", .lasts = SECONDS 56},
    {&fake_service_discourse, "upload_refused", A_WHILE},
    {&fake_service_discourse, "upload_new_user", A_WHILE},
    {&fake_service_discourse, "key_limit_upload", .lasts = SECONDS 56},
    {&fake_service_discourse, "lock_denied", A_WHILE, .locks = true},
    {&fake_service_discourse, "key_limit_lock", .lasts = SECONDS 56,
     .locks = true},
    {&fake_service_discourse, "topic_create_denied", A_WHILE, .own = true,
     .only = "\"category\":"},
    /* Matrix: messages and their edits */
    {&fake_service_matrix, "send_muted", A_WHILE},
    {&fake_service_matrix, "send_muted", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_refused", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_kicked", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_banned", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_closed", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_suspended", A_WHILE},
    {&fake_service_matrix, "send_locked", A_WHILE},
    {&fake_service_matrix, "send_deleted", IN_THREAD, A_WHILE},
    {&fake_service_matrix, "send_deactivated", A_WHILE},
    {&fake_service_matrix, "send_unconsented", A_WHILE},
    {&fake_service_matrix, "send_closed_server", A_WHILE},
    {&fake_service_matrix, "send_unknown_token", A_WHILE},
    /* not "limited": of a text and its picture, the second would be refused for
       ever; the fake service's storms refuse requests like that */
    {&fake_service_matrix, "too_large", ONCE},
    {&fake_service_matrix, "too_large", TWICE},
    /* DMs */
    {&fake_service_matrix, "create_limited", .lasts = SECONDS 2},
    {&fake_service_matrix, "create_blocked", A_WHILE},
    {&fake_service_matrix, "create_closed_server", A_WHILE},
    {&fake_service_matrix, "create_user_limit", A_WHILE},
    {&fake_service_matrix, "members_refused", A_WHILE},
    {&fake_service_matrix, "profile_nothing", A_WHILE},
    /* reactions, pins, pictures, reading */
    {&fake_service_matrix, "reaction_muted", A_WHILE},
    {&fake_service_matrix, "pin_refused", A_WHILE},
    {&fake_service_matrix, "pin_limited", .lasts = SECONDS 2},
    {&fake_service_matrix, "upload_too_large", A_WHILE},
    {&fake_service_matrix, "sync_unknown_token", A_WHILE},
    {&fake_service_matrix, "sync_locked", A_WHILE},
    /* NodeBB: posts */
    {&fake_service_nodebb, "sent_locked", A_WHILE},
    {&fake_service_nodebb, "sent_muted", A_WHILE, HOURS},
    {&fake_service_nodebb, "sent_muted_hours", A_WHILE, HOURS},
    {&fake_service_nodebb, "sent_no_right", A_WHILE},
    {&fake_service_nodebb, "sent_banned", A_WHILE},
    {&fake_service_nodebb, "sent_wrong_token", A_WHILE},
    {&fake_service_nodebb, "sent_master", A_WHILE},
    {&fake_service_nodebb, "sent_gone", A_WHILE},
    {&fake_service_nodebb, "sent_topic_deleted", A_WHILE},
    {&fake_service_nodebb, "maintenance_sent", A_WHILE},
    {&fake_service_nodebb, "sent_at_once", A_WHILE},
    {&fake_service_nodebb, "sent_too_soon", .lasts = SECONDS 10},
    {&fake_service_nodebb, "sent_newbie", .lasts = SECONDS 120},
    {&fake_service_nodebb, "sent_too_new", A_WHILE, HOURS},
    {&fake_service_nodebb, "sent_links", ONCE},
    {&fake_service_nodebb, "sent_short", ONCE},
    {&fake_service_nodebb, "sent_long", ONCE},
    {&fake_service_nodebb, "sent_long", TWICE},
    /* chats */
    {&fake_service_nodebb, "message_muted", A_WHILE, HOURS},
    {&fake_service_nodebb, "message_denied", A_WHILE},
    {&fake_service_nodebb, "message_kicked", A_WHILE},
    {&fake_service_nodebb, "message_gone", A_WHILE},
    {&fake_service_nodebb, "message_chats_off", A_WHILE},
    {&fake_service_nodebb, "message_wrong_token", A_WHILE},
    {&fake_service_nodebb, "message_long", ONCE},
    {&fake_service_nodebb, "message_long", TWICE},
    {&fake_service_nodebb, "chat_denied", A_WHILE},
    {&fake_service_nodebb, "chat_off", A_WHILE},
    {&fake_service_nodebb, "chat_reputation", A_WHILE},
    {&fake_service_nodebb, "chat_restricted", A_WHILE, HOURS},
    /* edits, topics */
    {&fake_service_nodebb, "edit_locked", A_WHILE},
    {&fake_service_nodebb, "edit_no_right", A_WHILE},
    {&fake_service_nodebb, "edit_late", A_WHILE},
    {&fake_service_nodebb, "edit_wrong_token", A_WHILE},
    {&fake_service_nodebb, "open_no_right", A_WHILE, .own = true},
    /* phpBB: posts */
    {&fake_service_phpbb_slow, "reply_locked", A_WHILE},
    {&fake_service_phpbb_slow, "reply_topic_deleted", A_WHILE},
    {&fake_service_phpbb_slow, "reply_no_right", A_WHILE},
    {&fake_service_phpbb_slow, "reply_as_guest", A_WHILE},
    {&fake_service_phpbb_slow, "reply_as_guest", A_WHILE,
     .beside = "login_captcha", HOURS},
    {&fake_service_phpbb_slow, "reply_as_guest", A_WHILE,
     .beside = "login_wrong", HOURS},
    {&fake_service_phpbb_slow, "reply_as_guest", A_WHILE,
     .beside = "login_banned", HOURS},
    {&fake_service_phpbb_slow, "reply_sent_as_guest", A_WHILE},
    {&fake_service_phpbb_slow, "reply_form_refused", A_WHILE},
    {&fake_service_phpbb_slow, "reply_flood", .lasts = SECONDS 15},
    {&fake_service_phpbb_slow, "reply_too_short", ONCE},
    {&fake_service_phpbb_slow, "reply_too_long", ONCE},
    {&fake_service_phpbb_slow, "reply_too_long", TWICE},
    {&fake_service_phpbb_slow, "reply_too_many_links", ONCE},
    /* private messages, edits, topics */
    {&fake_service_phpbb_slow, "compose_no_right", A_WHILE},
    {&fake_service_phpbb_slow, "compose_newcomer", A_WHILE},
    {&fake_service_phpbb_slow, "compose_no_pm", A_WHILE, HOURS},
    {&fake_service_phpbb_slow, "compose_as_guest", A_WHILE},
    {&fake_service_phpbb_slow, "compose_flood", .lasts = SECONDS 15},
    {&fake_service_phpbb_slow, "edit_no_right", A_WHILE},
    {&fake_service_phpbb_slow, "edit_missing", A_WHILE},
    {&fake_service_phpbb_slow, "edit_as_guest", A_WHILE},
    {&fake_service_phpbb_slow, "edit_sent_as_guest", A_WHILE},
    {&fake_service_phpbb, "new_no_right", A_WHILE, .own = true},
};

const unsigned refused_request_count =
    sizeof refused_requests / sizeof refused_requests[0];

/* ---- what is struck ------------------------------------------------------ */

static bool
is_on_route(const struct refusing *refusing, const char *recording,
            const char *method, const char *target)
{
    const struct recordings *all =
        recordings_of(refusing->kind->fake_service->adapter);
    return recordings_named(all, recording)->route ==
           recordings_route(all, method, target);
}

static bool
is_struck(const struct refusing *refusing, const char *method,
          const char *target, const struct buf *body)
{
    const struct refused_request *kind = refusing->kind;
    if (!is_on_route(refusing, kind->recording, method, target) ||
        (kind->spared != NULL && strstr(target, kind->spared) != NULL) ||
        (kind->only != NULL && strstr(buf_text(body), kind->only) == NULL)) {
        return false;
    }
    ck_assert(kind->struck == STRUCK_ALL ||
              kind->fake_service->is_private != NULL);
    return kind->struck == STRUCK_ALL ||
           kind->fake_service->is_private(refusing->server, target,
                                          buf_text(body)) ==
               (kind->struck == STRUCK_PRIVATE);
}

/* ---- how often ----------------------------------------------------------- */

/* Where a message's key stands in a request; NULL: nowhere. */
static const char *
find_key(const char *body)
{
    static const char *const marks[] = {"\"nonce\":\"", "#", "%23"};
    const char *found = NULL;
    for (unsigned i = 0; i < 3 && found == NULL; i++) {
        for (const char *at = body; (at = strstr(at, marks[i])) != NULL;) {
            at += strlen(marks[i]);
            found = at;
        }
    }
    return found;
}

/* The same in an address: at Matrix it is the transaction's. */
static const char *
find_transaction(const char *target)
{
    static const char mark[] = "/send/m.room.message/m.";
    const char *found = strstr(target, mark);
    return found == NULL ? NULL : found + strlen(mark);
}

/* The message that a request sends, or a line of it; 0: it sends none.  The
 * parts of a key behind the fourth name the line. */
static uint64_t
message_of(const char *target, const struct buf *body)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const char *transaction = find_transaction(target);
    const char *key =
        transaction != NULL ? transaction : find_key(buf_text(body));
    uint64_t hash = 5381;
    unsigned parts = 0;
    for (; key != NULL && parts < PARTS; parts++) {
        size_t len = strspn(key, digits);
        for (size_t i = 0; i <= len; i++) {
            hash = hash * 33 + (unsigned char)(i < len ? key[i] : '.');
        }
        key = key[len] == '.' ? key + len + 1 : NULL;
    }
    return parts == 0 ? 0 : hash;
}

static bool
is_refused_again(struct refusing *refusing, const char *target,
                 const struct buf *body)
{
    uint64_t message = message_of(target, body);
    unsigned at = 0;
    while (at < refusing->key_count && refusing->keys[at] != message) {
        at++;
    }
    if (at == refusing->key_count) {
        ck_assert_uint_lt(at, STRUCK_MAX);
        refusing->keys[refusing->key_count++] = message;
    }
    return message != 0 && refusing->times[at]++ < refusing->kind->times;
}

/* What is struck is refused for a while; then one is taken, and the next is
 * struck. */
static bool
is_refused_now(struct refusing *refusing, int64_t now)
{
    if (now >= refusing->until && refusing->passed) {
        refusing->until = now + refusing->kind->lasts;
        refusing->passed = false;
        refusing_goes_on(refusing, now);
    }
    return now < refusing->until;
}

/* ---- striking ------------------------------------------------------------ */

void
refusing_goes_on(struct refusing *refusing, int64_t now)
{
    const struct refused_request *kind = refusing->kind;
    bool shut = kind != NULL && kind->shut && now < refusing->until;
    if (shut != refusing->shut) {
        refusing->shut = shut;
        kind->fake_service->shut(refusing->server, shut);
    }
}

const struct recording *
refusing_strikes(struct refusing *refusing, int64_t now, const char *method,
                 const char *target, const struct buf *body)
{
    const struct refused_request *kind = refusing->kind;
    const char *answer = NULL;
    if (kind == NULL) {
        return NULL;
    }
    if (kind->beside != NULL && now < refusing->until &&
        is_on_route(refusing, kind->beside, method, target)) {
        answer = kind->beside;
    } else if (is_struck(refusing, method, target, body) &&
               (kind->times > 0 ? is_refused_again(refusing, target, body)
                                : is_refused_now(refusing, now))) {
        answer = kind->recording;
    }
    refusing->count += answer != NULL;
    return answer == NULL
               ? NULL
               : recordings_named(recordings_of(kind->fake_service->adapter),
                                  answer);
}

void
refusing_took(struct refusing *refusing, int64_t now, const char *method,
              const char *target, const struct buf *body, int status)
{
    const struct refused_request *kind = refusing->kind;
    if (kind == NULL || now < refusing->until || status >= 400 ||
        strcmp(method, "GET") == 0) {
        return;
    }
    const struct recording *recording = recordings_named(
        recordings_of(kind->fake_service->adapter), kind->recording);
    /* What is refused as it is read (a form) is taken with what is written. */
    bool reads = strcmp(recording->method, "GET") == 0;
    refusing->passed =
        refusing->passed || reads || is_struck(refusing, method, target, body);
}
