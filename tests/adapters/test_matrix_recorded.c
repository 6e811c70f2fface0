/*
 * Every recording of a homeserver, read by the Matrix adapter: which operation
 * it answers, after which other replies, and what comes of it.
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
    enum op_kind kind;
    const char *before[BEFORE_MAX]; /* what was answered first */
    const char *text;               /* of the operation; NULL: the usual one */
    bool login;                     /* with a password, and no token yet */
    bool dm, picture;               /* into a DM; with a picture */
    bool first;                     /* a reading without a cursor */
    bool older;                     /* what is looked for may be older */
    bool twelve;                    /* in a room of version 12 */
    bool known;                     /* one that knows the newest event */
    enum advance advance;           /* the one after the reply */
    enum err err;                   /* of a failure, */
    enum refused refused;           /* and what was refused */
} rows[] = {
    {.name = "whoami", .kind = OP_WHO, .advance = ADVANCE_DONE},
    {.name = "unknown_token",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "soft_logout",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "missing_token",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "whoami_locked",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "whoami_deactivated",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "whoami_suspended", .kind = OP_WHO, .advance = ADVANCE_DONE},
    {.name = "unrecognized",
     .kind = OP_WHO,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "login",
     .kind = OP_WHO,
     .login = true,
     .before = {"login_flows"},
     .advance = ADVANCE_DONE},
    {.name = "login_refused",
     .kind = OP_WHO,
     .login = true,
     .before = {"login_flows"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "login_deactivated",
     .kind = OP_WHO,
     .login = true,
     .before = {"login_flows"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "login_limited",
     .kind = OP_WHO,
     .login = true,
     .before = {"login_flows"},
     .advance = ADVANCE_FAILED,
     .err = ERR_LIMITED},
    {.name = "join", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "join_by_id", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "join_12", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "join_refused", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "join_banned",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "join_kicked", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "join_unknown",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "join_unknown_id",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "tombstone",
     .kind = OP_PLACE,
     .before = {"join"},
     .advance = ADVANCE_REQUEST},
    {.name = "tombstone_nothing",
     .kind = OP_PLACE,
     .before = {"join"},
     .advance = ADVANCE_REQUEST},
    {.name = "join_replacement",
     .kind = OP_PLACE,
     .before = {"join", "tombstone"},
     .advance = ADVANCE_REQUEST},
    {.name = "join_replacement_refused",
     .kind = OP_PLACE,
     .before = {"join", "tombstone"},
     .advance = ADVANCE_REQUEST},
    {.name = "create",
     .kind = OP_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "create_replacement",
     .kind = OP_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "create_replacement_12",
     .kind = OP_PLACE,
     .before = {"join", "tombstone", "join_replacement"},
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "encryption",
     .kind = OP_PLACE,
     .before = {"join", "tombstone_nothing"},
     .advance = ADVANCE_FAILED,
     .err = ERR_CONFIG},
    {.name = "nothing",
     .kind = OP_PLACE,
     .before = {"join", "tombstone_nothing"},
     .advance = ADVANCE_DONE},
    {.name = "power_levels", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "power_levels_moderator",
     .kind = OP_PROBE,
     .advance = ADVANCE_DONE},
    {.name = "power_levels_muted", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "power_levels_closed", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "power_levels_12", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "state_kicked", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "state_refused", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "create_event_12",
     .kind = OP_PROBE,
     .twelve = true,
     .advance = ADVANCE_REQUEST},
    {.name = "create_event_12_additional",
     .kind = OP_PROBE,
     .twelve = true,
     .advance = ADVANCE_REQUEST},
    {.name = "create_event_12_other",
     .kind = OP_PROBE,
     .twelve = true,
     .advance = ADVANCE_REQUEST},
    {.name = "power_levels_12_own",
     .kind = OP_PROBE,
     .twelve = true,
     .before = {"create_event_12"},
     .advance = ADVANCE_DONE},
    {.name = "well_known", .kind = OP_SITE, .advance = ADVANCE_DONE},
    {.name = "versions",
     .kind = OP_SITE,
     .before = {"unrecognized"},
     .advance = ADVANCE_REQUEST},
    {.name = "auth_metadata_none",
     .kind = OP_SITE,
     .before = {"unrecognized", "versions"},
     .advance = ADVANCE_DONE},
    {.name = "create_hall", .kind = OP_MAKE, .advance = ADVANCE_REQUEST},
    {.name = "hall_in_use",
     .kind = OP_MAKE,
     .advance = ADVANCE_FAILED,
     .err = ERR_FULL},
    {.name = "state_hall",
     .kind = OP_MAKE,
     .before = {"create_hall"},
     .advance = ADVANCE_DONE},
    {.name = "invite_moderator",
     .kind = OP_APPOINT,
     .advance = ADVANCE_REQUEST},
    {.name = "power_levels_hall",
     .kind = OP_APPOINT,
     .before = {"invite_moderator"},
     .advance = ADVANCE_REQUEST},
    {.name = "power_levels_set",
     .kind = OP_APPOINT,
     .before = {"invite_moderator", "power_levels_hall"},
     .advance = ADVANCE_DONE},
    {.name = "power_levels_12_set",
     .kind = OP_APPOINT,
     .before = {"invite_moderator", "power_levels_12_own"},
     .advance = ADVANCE_DONE},
    {.name = "power_levels_12_creator",
     .kind = OP_APPOINT,
     .before = {"invite_moderator", "power_levels_12_own"},
     .advance = ADVANCE_FAILED,
     .err = ERR_GARBLED},
    {.name = "login_flows",
     .kind = OP_WHO,
     .login = true,
     .advance = ADVANCE_REQUEST},
    {.name = "knock",
     .kind = OP_PLACE,
     .before = {"join_knock"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "knock_again",
     .kind = OP_PLACE,
     .before = {"join_knock"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "knock_refused",
     .kind = OP_PLACE,
     .before = {"join_refused"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "join_knock", .kind = OP_PLACE, .advance = ADVANCE_REQUEST},
    {.name = "send_spam",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WORDS},
    {.name = "send_judged",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WORDS},
    {.name = "profile_zone", .kind = OP_USER, .advance = ADVANCE_DONE},
    {.name = "sync_rooms_more", .kind = OP_PLACES, .advance = ADVANCE_DONE},
    {.name = "profile", .kind = OP_USER, .advance = ADVANCE_DONE},
    {.name = "profile_nothing",
     .kind = OP_USER,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "profile_malformed",
     .kind = OP_USER,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "profile_elsewhere", .kind = OP_USER, .advance = ADVANCE_DONE},
    {.name = "profile_deactivated", .kind = OP_USER, .advance = ADVANCE_DONE},
    {.name = "directory_search",
     .kind = OP_USER,
     .text = "Nobody At All",
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "directory_search_nobody",
     .kind = OP_USER,
     .text = "Nobody At All",
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "sync_rooms", .kind = OP_PLACES, .advance = ADVANCE_DONE},
    {.name = "sync_rooms_own", .kind = OP_PLACES, .advance = ADVANCE_DONE},
    {.name = "directory", .kind = OP_DM, .advance = ADVANCE_REQUEST},
    {.name = "directory_nothing", .kind = OP_DM, .advance = ADVANCE_REQUEST},
    {.name = "create_room",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_REQUEST},
    {.name = "room_in_use",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_REQUEST},
    {.name = "create_denied",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "create_malformed",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_GARBLED},
    {.name = "create_limited",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_LIMITED},
    {.name = "create_closed_server",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "create_blocked",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "create_user_limit",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT},
    {.name = "state_invited",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_DONE},
    {.name = "state_joined",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_DONE},
    {.name = "state_left",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_REQUEST},
    {.name = "state_three",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "state_gallery",
     .kind = OP_INVITE,
     .before = {"directory"},
     .advance = ADVANCE_REQUEST},
    {.name = "state_encrypted",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_REQUEST},
    {.name = "state_whole_refused",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_REQUEST},
    {.name = "state_whole_unknown",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_REQUEST},
    {.name = "state_whole_kicked",
     .kind = OP_DM,
     .before = {"directory"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invited_again",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_DONE},
    {.name = "invite_again_invited",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_DONE},
    {.name = "invite_refused",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_blocked",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_joined",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "invite_not_in_room",
     .kind = OP_DM,
     .before = {"directory", "state_left"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "kick",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted"},
     .advance = ADVANCE_REQUEST},
    {.name = "kick_refused",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted"},
     .advance = ADVANCE_REQUEST},
    {.name = "kick_banned",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted"},
     .advance = ADVANCE_REQUEST},
    {.name = "alias_deleted",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted", "kick"},
     .advance = ADVANCE_REQUEST},
    {.name = "alias_gone",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted", "kick"},
     .advance = ADVANCE_REQUEST},
    {.name = "leave",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted", "kick", "alias_deleted"},
     .advance = ADVANCE_REQUEST},
    {.name = "leave_refused",
     .kind = OP_DM,
     .before = {"directory", "state_encrypted", "kick", "alias_deleted"},
     .advance = ADVANCE_REQUEST},
    {.name = "sent", .kind = OP_SEND, .advance = ADVANCE_REQUEST},
    {.name = "sent_twice", .kind = OP_SEND, .advance = ADVANCE_REQUEST},
    {.name = "send_refused",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "send_kicked",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "send_banned",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "send_muted",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "send_closed",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "send_suspended",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "send_unknown_token",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "send_unconsented",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "send_closed_server",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "send_deactivated",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "limited",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_LIMITED},
    {.name = "too_large",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_FULL,
     .refused = REFUSED_WORDS},
    {.name = "not_json",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_GARBLED},
    {.name = "bad_content",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_GARBLED},
    {.name = "sent_encrypted", .kind = OP_SEND, .advance = ADVANCE_REQUEST},
    {.name = "encryption_refused",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "members_invited",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_REQUEST},
    {.name = "members_joined",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_REQUEST},
    {.name = "members_left",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_REQUEST},
    {.name = "members_three",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "members_refused",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "members_kicked",
     .kind = OP_SEND,
     .dm = true,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON},
    {.name = "upload",
     .kind = OP_SEND,
     .before = {"sent", "event_sent"},
     .picture = true,
     .advance = ADVANCE_REQUEST},
    {.name = "upload_too_large",
     .kind = OP_SEND,
     .before = {"sent", "event_sent"},
     .picture = true,
     .advance = ADVANCE_DONE},
    {.name = "event_edited", .kind = OP_EDIT, .advance = ADVANCE_REQUEST},
    {.name = "event_own_edited", .kind = OP_EDIT, .advance = ADVANCE_REQUEST},
    {.name = "event_edited_html", .kind = OP_EDIT, .advance = ADVANCE_REQUEST},
    {.name = "event_unknown",
     .kind = OP_EDIT,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "event_redacted",
     .kind = OP_EDIT,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "sent_edit",
     .kind = OP_EDIT,
     .before = {"event_edited"},
     .advance = ADVANCE_DONE},
    {.name = "edit_muted",
     .kind = OP_EDIT,
     .before = {"event_edited"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "reacted", .kind = OP_REACT, .advance = ADVANCE_DONE},
    {.name = "reaction_there", .kind = OP_REACT, .advance = ADVANCE_DONE},
    {.name = "reaction_muted",
     .kind = OP_REACT,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "redacted", .kind = OP_DELETE, .advance = ADVANCE_DONE},
    {.name = "redacted_twice", .kind = OP_DELETE, .advance = ADVANCE_DONE},
    {.name = "redact_unknown", .kind = OP_DELETE, .advance = ADVANCE_DONE},
    {.name = "redact_refused",
     .kind = OP_DELETE,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "redact_muted",
     .kind = OP_DELETE,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "pinned", .kind = OP_PIN, .advance = ADVANCE_REQUEST},
    {.name = "pinned_nothing", .kind = OP_PIN, .advance = ADVANCE_REQUEST},
    {.name = "pin",
     .kind = OP_PIN,
     .before = {"pinned_nothing"},
     .advance = ADVANCE_DONE},
    {.name = "pin_refused",
     .kind = OP_PIN,
     .before = {"pinned_nothing"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "pin_limited",
     .kind = OP_PIN,
     .before = {"pinned_nothing"},
     .advance = ADVANCE_FAILED,
     .err = ERR_LIMITED},
    {.name = "messages_back", .kind = OP_FIND, .advance = ADVANCE_DONE},
    {.name = "messages_back_end", .kind = OP_FIND, .advance = ADVANCE_DONE},
    {.name = "messages_back_own",
     .kind = OP_FIND,
     .advance = ADVANCE_DONE,
     .older = true},
    {.name = "messages_back_redacted",
     .kind = OP_FIND,
     .advance = ADVANCE_DONE,
     .older = true},
    {.name = "sync_begin",
     .kind = OP_READ,
     .first = true,
     .advance = ADVANCE_DONE},
    {.name = "sync_nothing", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_posts", .kind = OP_READ, .advance = ADVANCE_REQUEST},
    {.name = "sync_gap", .kind = OP_READ, .advance = ADVANCE_REQUEST},
    {.name = "sync_arrived", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_invites", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_put_out", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_banned", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_put_out_invited", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_back_put_out", .kind = OP_READ, .advance = ADVANCE_REQUEST},
    {.name = "sync_encryption", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_upgraded", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_upgraded_12", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_followed", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_invited", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_declined", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_sealed_talk", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_own", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_made", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_made_gallery", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "bad_token", .kind = OP_READ, .advance = ADVANCE_REQUEST},
    {.name = "event_of_anna",
     .kind = OP_READ,
     .before = {"sync_posts"},
     .advance = ADVANCE_REQUEST},
    {.name = "sync_unknown_token",
     .kind = OP_READ,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT},
    {.name = "event_html_edited",
     .kind = OP_READ,
     .before = {"sync_posts"},
     .advance = ADVANCE_REQUEST},
    {.name = "messages_1",
     .kind = OP_READ,
     .before = {"sync_gap"},
     .advance = ADVANCE_REQUEST},
    {.name = "messages_2",
     .kind = OP_READ,
     .before = {"sync_gap"},
     .advance = ADVANCE_REQUEST},
    {.name = "messages_3",
     .kind = OP_READ,
     .before = {"sync_gap"},
     .advance = ADVANCE_DONE},
    {.name = "messages_refused",
     .kind = OP_READ,
     .before = {"sync_gap"},
     .advance = ADVANCE_DONE},
    {.name = "messages_own",
     .kind = OP_READ,
     .before = {"sync_gap"},
     .advance = ADVANCE_REQUEST},
    {.name = "login_locked",
     .kind = OP_WHO,
     .login = true,
     .before = {"login_flows"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "join_suspended",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "join_deleted",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "join_blocked",
     .kind = OP_PLACE,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "power_levels_deleted", .kind = OP_PROBE, .advance = ADVANCE_DONE},
    {.name = "create_suspended",
     .kind = OP_DM,
     .before = {"directory_nothing", "profile"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "invite_suspended",
     .kind = OP_SEND,
     .before = {"members_left"},
     .dm = true,
     .advance = ADVANCE_REQUEST},
    {.name = "send_locked",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "send_deleted",
     .kind = OP_SEND,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED},
    {.name = "sent_swallowed", .kind = OP_SEND, .advance = ADVANCE_REQUEST},
    {.name = "event_sent",
     .kind = OP_SEND,
     .before = {"sent"},
     .advance = ADVANCE_DONE},
    {.name = "event_swallowed",
     .kind = OP_SEND,
     .before = {"sent_swallowed", "event_swallowed", "sent_swallowed"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "event_own_redacted",
     .kind = OP_EDIT,
     .advance = ADVANCE_FAILED,
     .err = ERR_GONE},
    {.name = "edit_suspended",
     .kind = OP_EDIT,
     .before = {"event_edited"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "reaction_suspended",
     .kind = OP_REACT,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "pin_suspended",
     .kind = OP_PIN,
     .before = {"pinned"},
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_WRITING},
    {.name = "sync_shown", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_restored", .kind = OP_READ, .advance = ADVANCE_DONE},
    {.name = "sync_locked",
     .kind = OP_READ,
     .advance = ADVANCE_FAILED,
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED},
    {.name = "event_edit",
     .kind = OP_READ,
     .known = true,
     .before = {"sync_restored"},
     .advance = ADVANCE_REQUEST},
    {.name = "event_reaction",
     .kind = OP_READ,
     .known = true,
     .before = {"sync_restored"},
     .advance = ADVANCE_REQUEST},
    {.name = "event_reply",
     .kind = OP_READ,
     .known = true,
     .before = {"sync_restored"},
     .advance = ADVANCE_REQUEST},
    {.name = "event_redaction",
     .kind = OP_READ,
     .known = true,
     .before = {"sync_restored"},
     .advance = ADVANCE_REQUEST},
    {.name = "event_member",
     .kind = OP_READ,
     .known = true,
     .before = {"sync_restored"},
     .advance = ADVANCE_REQUEST},
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
parse_recording(struct script *script, const struct row *row, const char *name)
{
    const struct recording *recording =
        recordings_named(recordings_of("matrix"), name);
    struct reply reply = recording_reply(recording);

    ck_assert_msg(script->advance == ADVANCE_REQUEST, "%s: before %s",
                  row->name, name);
    request_clear(&script->out.request);
    script->advance = script->service->adapter->advance(
        script->service, &script->op, &script->scratch, &reply, &script->out,
        &script->why);
    note_request(script);
}

static void
begin_row(struct script *script, const struct row *row)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0};
    struct op op = script_op(row->kind);

    op.text = row->text != NULL      ? row->text
              : row->kind == OP_USER ? "@anna:hs.test"
                                     : op.text;
    op.dm = row->dm;
    if (row->first) {
        op.cursor = "";
    }
    if (row->known) {
        op.cursor = "1795276000000 s91 !room:hs.test $known";
    }
    if (row->twelve) {
        op.place = "!TJZvfgPrWW7TmQErA95y5S2JqNSdcjdcfEUkiqVmffc";
    }
    if (row->kind == OP_INVITE) {
        op.post = "";
        op.key = "47121ea2.2"; /* of state_gallery */
    }
    if (row->picture) {
        op.picture =
            (struct picture){png, sizeof(png), 640, 480, "The board", NULL};
    }
    script_begin(script, row->login ? &script_login : &script_service, &op);
    for (size_t i = 0; i < BEFORE_MAX && row->before[i] != NULL; i++) {
        parse_recording(script, row, row->before[i]);
    }
}

START_TEST(each_recording_is_read_as_what_it_is)
{
    const struct row *row = &rows[_i];
    struct script script;

    begin_row(&script, row);
    parse_recording(&script, row, row->name);
    page_finish(&script.out.page);
    ck_assert_msg(script_is_sane(&script), "%s: %s", row->name,
                  buf_text(&script.why));
    ck_assert_msg(
        script.advance == row->advance && script.out.err == row->err &&
            script.out.refused == row->refused,
        "%s: turn %d, %d, refused %d: %s", row->name, (int)script.advance,
        (int)script.out.err, (int)script.out.refused, buf_text(&script.why));
    ck_assert(row->kind != OP_FIND ||
              row->older == (script.out.cursor.len > 0));
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
        const struct row row = {.name = ends[i].name, .kind = OP_READ};
        struct script script;

        begin_row(&script, &row);
        parse_recording(&script, &row, row.name);
        page_finish(&script.out.page);
        ck_assert_int_eq(script.advance, ADVANCE_DONE);
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

/* The bot is in an encrypted room, too. */
START_TEST(rooms_without_encryption_can_be_chosen)
{
    static const struct row row = {.name = "sync_rooms", .kind = OP_PLACES};
    struct script script;

    begin_row(&script, &row);
    parse_recording(&script, &row, row.name);
    ck_assert_str_eq(buf_text(&script.out.places),
                     "#open:hs.test\tOpen house, #open:hs.test\n"
                     "!zEIJGtfkjhVeflFxRd:hs.test\tThe Parlour, "
                     "#parlour:hs.test (an invitation)\n");
    script_release(&script);
}
END_TEST

/* Nor a Space, a room that an app keeps for talk with one person, one into
 * which somebody asks the host for that, a gallery.  Invitations come last. */
START_TEST(rooms_that_are_for_something_else_can_not_be_chosen)
{
    static const struct row row = {.name = "sync_rooms_more",
                                   .kind = OP_PLACES};
    struct script script;

    begin_row(&script, &row);
    parse_recording(&script, &row, row.name);
    const char *places = buf_text(&script.out.places);
    const char *asked = strstr(places, "Parlour (an invitation)\n");

    ck_assert_msg(strstr(places, "Secret Hitler, #secret-hitler:hs.test\n") &&
                      strstr(places, "\tTwelve\n") && asked != NULL,
                  "%s", places);
    ck_assert_ptr_null(strstr(asked + 1, "\n!"));
    ck_assert_msg(strstr(places, "Space") == NULL &&
                      strstr(places, "gallery") == NULL &&
                      strstr(places, "!ZfOtLXkzLDEZMnccMm") == NULL,
                  "%s", places);
    script_release(&script);
}
END_TEST

START_TEST(rooms_of_the_hosts_own_can_not_be_chosen)
{
    static const struct row row = {.name = "sync_rooms_own", .kind = OP_PLACES};
    struct script script;

    begin_row(&script, &row);
    parse_recording(&script, &row, row.name);
    ck_assert_str_eq(buf_text(&script.out.places), "");
    script_release(&script);
}
END_TEST

/* In the parent of all tests: read once, not by each. */
static void
read_recordings(void)
{
    (void)recordings_of("matrix");
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/matrix_recorded");
    TCase *tests = tcase_create("recorded");

    tcase_add_unchecked_fixture(tests, read_recordings, NULL);
    tcase_add_loop_test(tests, each_recording_is_read_as_what_it_is, 0, ROWS);
    tcase_add_test(tests, no_recording_is_left_out);
    tcase_add_test(tests, what_ends_a_room_is_told_in_order);
    tcase_add_test(tests, rooms_without_encryption_can_be_chosen);
    tcase_add_test(tests, rooms_that_are_for_something_else_can_not_be_chosen);
    tcase_add_test(tests, rooms_of_the_hosts_own_can_not_be_chosen);
    suite_add_tcase(suite, tests);
    return suite;
}
