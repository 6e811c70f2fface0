/*
 * Every recording of a homeserver, read by the Matrix adapter: which errand it
 * answers, after which other replies, and what comes of it.
 */
#include <stdio.h>

#include <check.h>

#include "tests/adapters/matrix_script.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    BEFORE_MAX = 4
};

static const struct row {
    const char *name;
    enum errand_kind kind;
    const char *before[BEFORE_MAX]; /* what was answered first */
    const char *text;               /* of the errand; NULL: the usual one */
    bool login;                     /* with a password, and no token yet */
    bool talk, picture;             /* into a private talk; with a picture */
    bool first;                     /* a reading without a cursor */
    enum turn turn;                 /* the one after the reply */
    enum err err;                   /* of a failure, */
    enum refused refused;           /* and what was refused */
} rows[] = {
    {.name = "whoami", .kind = ERRAND_WHO, .turn = TURN_DONE},
    {.name = "unknown_token",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "soft_logout",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "missing_token",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "whoami_locked",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "whoami_deactivated",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "whoami_suspended", .kind = ERRAND_WHO, .turn = TURN_DONE},
    {.name = "unrecognized",
     .kind = ERRAND_WHO,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "login", .kind = ERRAND_WHO, .login = true, .turn = TURN_DONE},
    {.name = "login_refused",
     .kind = ERRAND_WHO,
     .login = true,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "login_deactivated",
     .kind = ERRAND_WHO,
     .login = true,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "login_limited",
     .kind = ERRAND_WHO,
     .login = true,
     .turn = TURN_FAILED,
     .err = ERR_LIMITED},
    {.name = "join", .kind = ERRAND_PLACE, .turn = TURN_REQUEST},
    {.name = "join_by_id", .kind = ERRAND_PLACE, .turn = TURN_REQUEST},
    {.name = "join_12", .kind = ERRAND_PLACE, .turn = TURN_REQUEST},
    {.name = "join_refused",
     .kind = ERRAND_PLACE,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "join_banned",
     .kind = ERRAND_PLACE,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "join_kicked",
     .kind = ERRAND_PLACE,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "join_unknown",
     .kind = ERRAND_PLACE,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "join_unknown_id",
     .kind = ERRAND_PLACE,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "tombstone",
     .kind = ERRAND_PLACE,
     .before = {"join"},
     .turn = TURN_REQUEST},
    {.name = "tombstone_nothing",
     .kind = ERRAND_PLACE,
     .before = {"join"},
     .turn = TURN_REQUEST},
    {.name = "join_replacement",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone"},
     .turn = TURN_REQUEST},
    {.name = "join_replacement_refused",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "create",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "create_replacement",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "create_replacement_12",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "encryption",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone_nothing"},
     .turn = TURN_FAILED,
     .err = ERR_CONFIG},
    {.name = "nothing",
     .kind = ERRAND_PLACE,
     .before = {"join", "tombstone_nothing"},
     .turn = TURN_DONE},
    {.name = "power_levels", .kind = ERRAND_PROBE, .turn = TURN_REQUEST},
    {.name = "power_levels_moderator",
     .kind = ERRAND_PROBE,
     .turn = TURN_REQUEST},
    {.name = "power_levels_muted", .kind = ERRAND_PROBE, .turn = TURN_REQUEST},
    {.name = "power_levels_closed", .kind = ERRAND_PROBE, .turn = TURN_REQUEST},
    {.name = "power_levels_12", .kind = ERRAND_PROBE, .turn = TURN_REQUEST},
    {.name = "state_kicked", .kind = ERRAND_PROBE, .turn = TURN_REQUEST},
    {.name = "state_refused", .kind = ERRAND_PROBE, .turn = TURN_DONE},
    {.name = "media_config",
     .kind = ERRAND_PROBE,
     .before = {"power_levels", "nothing"},
     .turn = TURN_DONE},
    {.name = "profile", .kind = ERRAND_USER, .turn = TURN_DONE},
    {.name = "profile_nothing",
     .kind = ERRAND_USER,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "profile_malformed",
     .kind = ERRAND_USER,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "profile_elsewhere", .kind = ERRAND_USER, .turn = TURN_DONE},
    {.name = "profile_deactivated", .kind = ERRAND_USER, .turn = TURN_DONE},
    {.name = "directory_search",
     .kind = ERRAND_USER,
     .text = "Nobody At All",
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "directory_search_nobody",
     .kind = ERRAND_USER,
     .text = "Nobody At All",
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "directory", .kind = ERRAND_TALK, .turn = TURN_REQUEST},
    {.name = "directory_nothing", .kind = ERRAND_TALK, .turn = TURN_REQUEST},
    {.name = "create_room",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_REQUEST},
    {.name = "room_in_use",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_REQUEST},
    {.name = "create_denied",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "create_malformed",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_GARBLED},
    {.name = "create_limited",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_LIMITED},
    {.name = "create_closed_server",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "create_blocked",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "create_user_limit",
     .kind = ERRAND_TALK,
     .before = {"directory_nothing", "profile"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT},
    {.name = "state_invited",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_DONE},
    {.name = "state_joined",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_DONE},
    {.name = "state_left",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_REQUEST},
    {.name = "state_three",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "state_encrypted",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_REQUEST},
    {.name = "state_whole_refused",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_REQUEST},
    {.name = "state_whole_unknown",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_REQUEST},
    {.name = "state_whole_kicked",
     .kind = ERRAND_TALK,
     .before = {"directory"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invited_again",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_DONE},
    {.name = "invite_again_invited",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_DONE},
    {.name = "invite_refused",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_blocked",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_joined",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_not_in_room",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_left"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "kick",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted"},
     .turn = TURN_REQUEST},
    {.name = "kick_refused",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted"},
     .turn = TURN_REQUEST},
    {.name = "kick_banned",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted"},
     .turn = TURN_REQUEST},
    {.name = "alias_deleted",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted", "kick"},
     .turn = TURN_REQUEST},
    {.name = "alias_gone",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted", "kick"},
     .turn = TURN_REQUEST},
    {.name = "leave",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted", "kick", "alias_deleted"},
     .turn = TURN_REQUEST},
    {.name = "leave_refused",
     .kind = ERRAND_TALK,
     .before = {"directory", "state_encrypted", "kick", "alias_deleted"},
     .turn = TURN_REQUEST},
    {.name = "sent", .kind = ERRAND_SEND, .turn = TURN_DONE},
    {.name = "sent_twice", .kind = ERRAND_SEND, .turn = TURN_DONE},
    {.name = "send_refused",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "send_kicked",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "send_banned",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "send_muted",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "send_closed",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "send_suspended",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "send_unknown_token",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "send_unconsented",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "send_closed_server",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "send_deactivated",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "limited",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_LIMITED},
    {.name = "too_large",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_FULL,
     .refused = REFUSED_WORDS},
    {.name = "not_json",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_GARBLED},
    {.name = "bad_content",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_GARBLED},
    {.name = "sent_encrypted", .kind = ERRAND_SEND, .turn = TURN_DONE},
    {.name = "encryption_refused",
     .kind = ERRAND_SEND,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "members_invited",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_REQUEST},
    {.name = "members_joined",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_REQUEST},
    {.name = "members_left",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_REQUEST},
    {.name = "members_three",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "members_refused",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "members_kicked",
     .kind = ERRAND_SEND,
     .talk = true,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "upload",
     .kind = ERRAND_SEND,
     .before = {"sent"},
     .picture = true,
     .turn = TURN_REQUEST},
    {.name = "upload_too_large",
     .kind = ERRAND_SEND,
     .before = {"sent"},
     .picture = true,
     .turn = TURN_DONE},
    {.name = "event_edited", .kind = ERRAND_EDIT, .turn = TURN_REQUEST},
    {.name = "event_own_edited", .kind = ERRAND_EDIT, .turn = TURN_REQUEST},
    {.name = "event_edited_html", .kind = ERRAND_EDIT, .turn = TURN_REQUEST},
    {.name = "event_unknown",
     .kind = ERRAND_EDIT,
     .turn = TURN_FAILED,
     .err = ERR_GONE},
    {.name = "event_redacted", .kind = ERRAND_EDIT, .turn = TURN_REQUEST},
    {.name = "sent_edit",
     .kind = ERRAND_EDIT,
     .before = {"event_edited"},
     .turn = TURN_DONE},
    {.name = "edit_muted",
     .kind = ERRAND_EDIT,
     .before = {"event_edited"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "reacted", .kind = ERRAND_REACT, .turn = TURN_DONE},
    {.name = "reaction_there", .kind = ERRAND_REACT, .turn = TURN_DONE},
    {.name = "reaction_muted",
     .kind = ERRAND_REACT,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "redacted", .kind = ERRAND_DELETE, .turn = TURN_DONE},
    {.name = "redacted_twice", .kind = ERRAND_DELETE, .turn = TURN_DONE},
    {.name = "redact_unknown", .kind = ERRAND_DELETE, .turn = TURN_DONE},
    {.name = "redact_refused",
     .kind = ERRAND_DELETE,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "redact_muted",
     .kind = ERRAND_DELETE,
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "pinned", .kind = ERRAND_PIN, .turn = TURN_REQUEST},
    {.name = "pinned_nothing", .kind = ERRAND_PIN, .turn = TURN_REQUEST},
    {.name = "pin",
     .kind = ERRAND_PIN,
     .before = {"pinned_nothing"},
     .turn = TURN_DONE},
    {.name = "pin_refused",
     .kind = ERRAND_PIN,
     .before = {"pinned_nothing"},
     .turn = TURN_FAILED,
     .err = ERR_DENIED},
    {.name = "pin_limited",
     .kind = ERRAND_PIN,
     .before = {"pinned_nothing"},
     .turn = TURN_FAILED,
     .err = ERR_LIMITED},
    {.name = "messages_back", .kind = ERRAND_FIND, .turn = TURN_DONE},
    {.name = "messages_back_end", .kind = ERRAND_FIND, .turn = TURN_DONE},
    {.name = "messages_back_own", .kind = ERRAND_FIND, .turn = TURN_REQUEST},
    {.name = "messages_back_redacted",
     .kind = ERRAND_FIND,
     .turn = TURN_REQUEST},
    {.name = "sync_begin",
     .kind = ERRAND_READ,
     .first = true,
     .turn = TURN_DONE},
    {.name = "sync_nothing", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_posts", .kind = ERRAND_READ, .turn = TURN_REQUEST},
    {.name = "sync_gap", .kind = ERRAND_READ, .turn = TURN_REQUEST},
    {.name = "sync_arrived", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_invites", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_put_out", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_banned", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_encryption", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_upgraded", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_upgraded_12", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_followed", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_invited", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_declined", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_sealed_talk", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_own", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "sync_made", .kind = ERRAND_READ, .turn = TURN_DONE},
    {.name = "bad_token", .kind = ERRAND_READ, .turn = TURN_REQUEST},
    {.name = "event_of_anna",
     .kind = ERRAND_READ,
     .before = {"sync_posts"},
     .turn = TURN_REQUEST},
    {.name = "sync_unknown_token",
     .kind = ERRAND_READ,
     .turn = TURN_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "event_html_edited",
     .kind = ERRAND_READ,
     .before = {"sync_posts"},
     .turn = TURN_REQUEST},
    {.name = "messages_1",
     .kind = ERRAND_READ,
     .before = {"sync_gap"},
     .turn = TURN_REQUEST},
    {.name = "messages_2",
     .kind = ERRAND_READ,
     .before = {"sync_gap"},
     .turn = TURN_REQUEST},
    {.name = "messages_3",
     .kind = ERRAND_READ,
     .before = {"sync_gap"},
     .turn = TURN_DONE},
    {.name = "messages_refused",
     .kind = ERRAND_READ,
     .before = {"sync_gap"},
     .turn = TURN_DONE},
    {.name = "messages_own",
     .kind = ERRAND_READ,
     .before = {"sync_gap"},
     .turn = TURN_REQUEST},
};

enum {
    ROWS = sizeof rows / sizeof rows[0]
};

/* One that logs in with a password, and has not done so yet. */
static const struct service script_login = {
    .adapter = &adapter_matrix,
    .name = "matrix",
    .base = "https://hs.test",
    .user = "bot",
    .password = "a secret word",
    .self = "@bot:hs.test",
};

static void
hear_recording(struct script *script, const struct row *row, const char *name)
{
    const struct recording *recording =
        recordings_named(recordings_of("matrix"), name);
    struct reply reply = recording_reply(recording);

    ck_assert_msg(script->turn == TURN_REQUEST, "%s: before %s", row->name,
                  name);
    request_clear(&script->out.request);
    script->turn = script->service->adapter->turn(
        script->service, &script->errand, &script->work, &reply, &script->out,
        &script->why);
    note_request(script);
}

static void
begin_row(struct script *script, const struct row *row)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0};
    struct errand errand = script_errand(row->kind);

    errand.text = row->text != NULL          ? row->text
                  : row->kind == ERRAND_USER ? "@anna:hs.test"
                                             : errand.text;
    errand.talk = row->talk;
    if (row->first) {
        errand.cursor = "";
    }
    if (row->picture) {
        errand.picture =
            (struct picture){png, sizeof(png), 640, 480, "The board", NULL};
    }
    script_begin(script, row->login ? &script_login : &script_service, &errand);
    for (size_t i = 0; i < BEFORE_MAX && row->before[i] != NULL; i++) {
        hear_recording(script, row, row->before[i]);
    }
}

START_TEST(each_recording_is_read_as_what_it_is)
{
    const struct row *row = &rows[_i];
    struct script script;

    begin_row(&script, row);
    hear_recording(&script, row, row->name);
    page_finish(&script.out.page);
    ck_assert_msg(script_is_sane(&script), "%s: %s", row->name,
                  buf_text(&script.why));
    ck_assert_msg(script.turn == row->turn && script.out.err == row->err &&
                      script.out.refused == row->refused,
                  "%s: turn %d, %s, refused %d: %s", row->name,
                  (int)script.turn, err_name(script.out.err),
                  (int)script.out.refused, buf_text(&script.why));
    script_release(&script);
}
END_TEST

START_TEST(no_recording_is_left_out)
{
    const struct recordings *recordings = recordings_of("matrix");

    for (size_t i = 0; i < recordings_count(recordings); i++) {
        const char *name = recordings_at(recordings, i)->name;
        bool found = false;

        for (size_t n = 0; !found && n < ROWS; n++) {
            found = strcmp(rows[n].name, name) == 0;
        }
        ck_assert_msg(found, "%s", name);
    }
    ck_assert_uint_eq(recordings_count(recordings), ROWS);
}
END_TEST

START_TEST(what_ends_a_room_is_told_in_order)
{
    static const struct {
        const char *name;
        enum post_kind kind;
        const char *next;
    } ends[] = {
        {"sync_encryption", POST_ENCRYPTED, ""},
        {"sync_upgraded", POST_MOVED, "!iwYGfeDuDOaVqkHvEW:hs.test"},
        {"sync_upgraded_12", POST_MOVED, NULL},
    };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const struct row row = {.name = ends[i].name, .kind = ERRAND_READ};
        struct script script;

        begin_row(&script, &row);
        hear_recording(&script, &row, row.name);
        page_finish(&script.out.page);
        ck_assert_int_eq(script.turn, TURN_DONE);
        ck_assert_uint_ge(script.out.page.count, 1);
        const struct post *post = &script.out.page.posts[0];

        ck_assert_int_eq(post->kind, ends[i].kind);
        ck_assert_str_eq(post->author, "@mod:hs.test");
        if (ends[i].next != NULL) {
            ck_assert_str_eq(post->reply_to, ends[i].next);
        } else {
            ck_assert_int_eq(post->reply_to[0], '!');
            ck_assert(strchr(post->reply_to, ':') == NULL);
        }
        script_release(&script);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/matrix_recorded");
    TCase *tests = tcase_create("recorded");

    tcase_add_loop_test(tests, each_recording_is_read_as_what_it_is, 0, ROWS);
    tcase_add_test(tests, no_recording_is_left_out);
    tcase_add_test(tests, what_ends_a_room_is_told_in_order);
    suite_add_tcase(suite, tests);
    return suite;
}
