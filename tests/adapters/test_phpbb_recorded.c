/*
 * What a real phpBB answered, read through the adapter: every recording of
 * tests/fixtures/phpbb/recorded.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"
#include "adapters/forum/forum.h"
#include "bot/base/civil.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    STEPS_MAX = 10
};

/* An operation, what the board answered to each of its requests, and what it
 * comes to.  `says` stands in the id and the name of what was found, in the
 * advice, or in why it failed. */
static const struct walk {
    const char *replies[STEPS_MAX];
    struct op op;
    enum err err;
    enum refused refused;
    const char *says;
    unsigned rights;
    size_t posts;
    bool unapproved;
    enum found found;
    bool guest;       /* nobody is logged in yet */
    const char *self; /* who is; NULL: 69 */
} walks[] = {
    /* The session. */
    {.replies = {"login_form", "login_taken", "inbox_empty"},
     .op = {.kind = OP_WHO},
     .says = "69 marshal",
     .guest = true},
    {.replies = {"login_form", "login_wrong"},
     .op = {.kind = OP_WHO},
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT,
     .says = "incorrect password",
     .guest = true},
    {.replies = {"login_form", "login_nobody"},
     .op = {.kind = OP_WHO},
     .err = ERR_DENIED,
     .refused = REFUSED_ACCOUNT,
     .says = "incorrect username",
     .guest = true},
    {.replies = {"login_form", "login_inactive"},
     .op = {.kind = OP_WHO},
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED,
     .says = "currently inactive",
     .guest = true},
    {.replies = {"login_form", "login_banned"},
     .op = {.kind = OP_WHO},
     .err = ERR_DENIED,
     .refused = REFUSED_LOCKED,
     .says = "permanently banned",
     .guest = true},
    {.replies = {"login_form", "login_captcha"},
     .op = {.kind = OP_WHO},
     .err = ERR_DENIED,
     .refused = REFUSED_LOGIN,
     .says = "in a browser",
     .guest = true},
    {.replies = {"inbox_as_guest", "login_form", "login_taken", "inbox_empty"},
     .op = {.kind = OP_WHO},
     .says = "69 marshal"},
    {.replies = {"topic_as_guest", "login_form", "login_taken", "topic_end"},
     .op = {.kind = OP_READ, .feed = "1"}},
    {.replies = {"board_disabled"},
     .op = {.kind = OP_PLACE, .text = "1"},
     .err = ERR_LATER,
     .says = "currently unavailable"},

    /* What may be done. */
    {.replies = {"topic", "reply_form", "new_form", "compose_blank",
                 "delete_none"},
     .op = {.kind = OP_PROBE, .place = "1"},
     .rights = RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DELETE | RIGHT_DM |
               RIGHT_OPEN,
     .says = ""},
    {.replies = {"topic_as_player", "reply_no_right", "new_no_right",
                 "compose_newcomer"},
     .op = {.kind = OP_PROBE, .place = "1"},
     .rights = RIGHT_READ,
     .says = "may have just registered"},
    {.replies = {"topic_no_feeds", "reply_locked", "new_form", "compose_blank",
                 "delete_pm_no_right"},
     .op = {.kind = OP_PROBE, .place = "1"},
     .rights = RIGHT_READ | RIGHT_OPEN | RIGHT_DM | RIGHT_DELETE,
     .says = "delete private messages"},
    {.replies = {"topic_missing"},
     .op = {.kind = OP_PLACE, .text = "999"},
     .err = ERR_GONE,
     .says = "does not exist"},
    {.replies = {"topic_no_right"},
     .op = {.kind = OP_PLACE, .text = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "not authorised to read"},

    /* People. */
    {.replies = {"profile"},
     .op = {.kind = OP_USER, .text = "anna"},
     .says = "60 anna"},
    {.replies = {"profile_by_number"},
     .op = {.kind = OP_USER, .text = "60"},
     .says = "60 anna"},
    {.replies = {"profile_missing"},
     .op = {.kind = OP_USER, .text = "nobody"},
     .err = ERR_GONE,
     .says = "nobody is called"},
    {.replies = {"profile_no_right"},
     .op = {.kind = OP_USER, .text = "anna"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "not authorised to view"},

    /* Where something is new. */
    {.replies = {"active"}, .op = {.kind = OP_PLACES}},
    {.replies = {"active"}, .op = {.kind = OP_UPDATES, .feed = "active"}},
    {.replies = {"active_unread"},
     .op = {.kind = OP_UPDATES, .feed = "active"}},
    {.replies = {"active_none"}, .op = {.kind = OP_UPDATES, .feed = "active"}},
    {.replies = {"active_off"},
     .op = {.kind = OP_UPDATES, .feed = "active"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "not permitted to use the search"},

    /* A topic. */
    {.replies = {"topic_pending"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "10.0.0"},
     .posts = 10,
     .says = "14.0.108.8.75"},
    {.replies = {"topic_pending", "topic_pending_asked"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "10.0.0.3"},
     .posts = 11,
     .says = "14.0.108.8.75.3"},
    {.replies = {"topic_edited", "feed"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "12.0.0"},
     .posts = 10},
    {.replies = {"topic_edited", "feed_off"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "12.0.0"},
     .posts = 10},
    {.replies = {"topic_away"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "0.0.1"},
     .err = ERR_LATER,
     .refused = REFUSED_RIGHT,
     .says = "Away for repairs until noon"},
    {.replies = {"topic_disabled"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "0.0.1"},
     .err = ERR_LATER,
     .says = "the board is disabled"},
    {.replies = {"topic_deleted"},
     .op = {.kind = OP_READ, .feed = "12", .cursor = "0.0.1"},
     .posts = 2,
     .says = "2.0.333"},
    /* Of four posts up to 241; of two up to 239, the last of which was moved
     * among those. */
    {.replies = {"topic_moved"},
     .op = {.kind = OP_READ, .feed = "11", .cursor = "4.0.241"},
     .self = "58",
     .posts = 5,
     .says = "5.0.241"},
    {.replies = {"topic_moved_away"},
     .op = {.kind = OP_READ, .feed = "12", .cursor = "2.0.239"},
     .self = "58",
     .posts = 1,
     .says = "1.0.239"},
    {.replies = {"topic_first"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "0.0.1"},
     .posts = 10},
    {.replies = {"topic_marks", "feed"},
     .op = {.kind = OP_READ, .feed = "1", .cursor = "16.0.0"},
     .posts = 8},
    {.replies = {"find_post"},
     .op = {.kind = OP_FIND, .place = "1", .key = "a1b2.32"},
     .says = "91",
     .found = FOUND_IT},
    /* 300 posts behind it. */
    {.replies = {"find_behind", "own"},
     .op = {.kind = OP_FIND, .place = "4", .key = "f7fcd2e4.1.qu6ofs"},
     .self = "58",
     .says = "550",
     .found = FOUND_IT},
    {.replies = {"find_behind", "own"},
     .op = {.kind = OP_FIND, .place = "4", .key = "f7fcd2e4.1.other"},
     .self = "58",
     .says = " 319 ",
     .found = FOUND_NOT_YET},
    {.replies = {"find_behind", "own_none"},
     .op = {.kind = OP_FIND, .place = "4", .key = "f7fcd2e4.1.qu6ofs"},
     .self = "58",
     .says = " 319 ",
     .found = FOUND_NOT_YET},
    {.replies = {"find_behind", "own_off"},
     .op = {.kind = OP_FIND, .place = "4", .key = "f7fcd2e4.1.qu6ofs"},
     .self = "58",
     .says = " 319 ",
     .found = FOUND_NOT_YET},

    /* One that was seen waiting is not looked for among the account's own. */
    {.replies = {"find_behind", "find_behind"},
     .op = {.kind = OP_FIND,
            .place = "4",
            .key = "f7fcd2e4.1.qu6ofs",
            .post = "550"},
     .self = "58",
     .says = " 319 ",
     .found = FOUND_NOT_YET},

    /* Posts. */
    {.replies = {"reply_form", "reply_form_refused", "reply_flood"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_LIMITED,
     .says = "so soon"},
    {.replies = {"reply_form", "reply_too_long"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_WORDS,
     .says = "maximum number of allowed characters"},
    {.replies = {"reply_form", "reply_too_short"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_WORDS,
     .says = "at least 20 characters"},
    {.replies = {"reply_form", "reply_too_many_links"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_EXTRA,
     .says = "too many URLs"},
    {.replies = {"reply_locked"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "This topic is locked"},
    {.replies = {"reply_topic_deleted"},
     .op = {.kind = OP_SEND, .place = "12"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "This topic has not been approved"},
    {.replies = {"reply_no_right"},
     .op = {.kind = OP_SEND, .place = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "cannot reply"},
    {.replies = {"reply_form", "reply_form_refused", "reply_taken"},
     .op = {.kind = OP_SEND, .place = "1"},
     .says = "170"},
    {.replies = {"edit_form", "edit_taken"},
     .op = {.kind = OP_EDIT, .place = "1", .post = "91"}},
    {.replies = {"edit_missing"},
     .op = {.kind = OP_EDIT, .place = "1", .post = "99999"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "does not exist"},
    {.replies = {"edit_no_right"},
     .op = {.kind = OP_EDIT, .place = "1", .post = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "cannot edit"},
    {.replies = {"delete_asked", "delete_taken"},
     .op = {.kind = OP_DELETE, .place = "1", .post = "98"}},
    {.replies = {"delete_missing"},
     .op = {.kind = OP_DELETE, .place = "1", .post = "99999"}},
    {.replies = {"delete_no_right"},
     .op = {.kind = OP_DELETE, .place = "1", .post = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "cannot delete"},

    /* A game's own topic. */
    {.replies = {"topic", "forum", "new_form", "new_taken"},
     .op = {.kind = OP_OPEN, .place = "1", .text = "Table 9"},
     .says = "7"},
    {.replies = {"topic", "forum", "new_form", "new_queued"},
     .op = {.kind = OP_OPEN, .place = "1", .text = "Table 9"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "approved by a moderator"},

    /* Private messages. */
    {.replies = {"compose_form"},
     .op = {.kind = OP_DM, .user = "60"},
     .says = "pm60"},
    {.replies = {"compose_form", "compose_taken"},
     .op = {.kind = OP_SEND, .place = "pm60", .dm = true},
     .says = "pm-a1b2.31"},
    {.replies = {"compose_form", "compose_flood"},
     .op = {.kind = OP_SEND, .place = "pm60", .dm = true},
     .err = ERR_LIMITED,
     .says = "so soon"},
    {.replies = {"compose_no_pm"},
     .op = {.kind = OP_DM, .user = "65"},
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON,
     .says = "disabled private message receipt"},
    {.replies = {"compose_nobody"},
     .op = {.kind = OP_DM, .user = "999"},
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON,
     .says = "permission to read private messages"},
    {.replies = {"compose_guest"},
     .op = {.kind = OP_DM, .user = "1"},
     .err = ERR_DENIED,
     .refused = REFUSED_PERSON,
     .says = "takes no private messages"},
    {.replies = {"compose_no_right"},
     .op = {.kind = OP_DM, .user = "60"},
     .err = ERR_DENIED,
     .refused = REFUSED_RIGHT,
     .says = "not authorised to send"},
    {.replies = {"inbox", "message", "quote"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"},
     .posts = 1},
    {.replies = {"inbox", "message_edited", "quote"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"},
     .posts = 1},
    {.replies = {"inbox_held", "message_delete_asked", "message_deleted",
                 "message_delete_asked", "message_deleted"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "293.999.1"}},
    {.replies = {"inbox_read"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "46.99.1"}},
    {.replies = {"inbox_read_more", "message_delete_asked", "message_deleted",
                 "message_delete_asked", "message_deleted",
                 "message_delete_asked", "message_deleted",
                 "message_delete_asked", "message_deleted"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "95.999.1"}},
    {.replies = {"outbox"},
     .op = {.kind = OP_FIND, .place = "pm60", .dm = true, .key = "a1b2.99"},
     .says = "1.0.0",
     .found = FOUND_NOT_YET},
    {.replies = {"sentbox"},
     .op = {.kind = OP_FIND,
            .place = "pm60",
            .dm = true,
            .key = "a1b2.99",
            .cursor = "1.0.0"},
     .found = FOUND_NOTHING},
    {.replies = {"outbox"},
     .op = {.kind = OP_FIND, .place = "pm60", .dm = true, .key = "a1b2.35"},
     .says = "pm-a1b2.35",
     .found = FOUND_IT},

    /* Posts that wait for approval, as their author. */
    {.replies = {"reply_form", "reply_queued", "topic_queued_own"},
     .op = {.kind = OP_SEND, .place = "1", .key = "n.3"},
     .says = "112 n.3 \n",
     .unapproved = true,
     .self = "67"},
    {.replies = {"topic_queued_own"},
     .op = {.kind = OP_FIND, .place = "1", .key = "n.3", .post = "112"},
     .says = "112",
     .unapproved = true,
     .found = FOUND_IT,
     .self = "67"},
    {.replies = {"topic_rejected_own"},
     .op = {.kind = OP_FIND, .place = "1", .key = "n.3", .post = "112"},
     .found = FOUND_NOTHING,
     .self = "67"},
};

enum {
    WALKS = sizeof(walks) / sizeof(walks[0])
};

#define COOKIES                                                                \
    "phpbb3_x_u=69; phpbb3_x_k=; "                                             \
    "phpbb3_x_sid=00000000000000000000000000000000"

/* What an operation has come to. */
struct come {
    enum advance advance;
    struct buf scratch, why, says;
    struct outcome out;
};

static void
come_release(struct come *come)
{
    buf_release(&come->scratch);
    buf_release(&come->why);
    buf_release(&come->says);
    outcome_release(&come->out);
}

static void
fill_in(struct op *op)
{
    const char **const texts[] = {&op->feed, &op->cursor, &op->place,
                                  &op->post, &op->user,   &op->text};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = *texts[i] == NULL ? "" : *texts[i];
    }
    op->key = op->key == NULL ? "a1b2.31" : op->key;
}

/* Hold a request against that to which the reply was recorded. */
static void
expect_asked(const struct request *request, const struct recording *recorded)
{
    const char *query = strchr(buf_text(&recorded->path), '?');
    size_t page = query == NULL ? recorded->path.len
                                : (size_t)(query - buf_text(&recorded->path));
    const char *path = buf_text(&request->url) + strlen("http://127.0.0.1");

    ck_assert_msg(strcmp(request->method, recorded->method) == 0 &&
                      strncmp(path, buf_text(&recorded->path), page) == 0,
                  "%s: %s %s", recorded->name, request->method, path);
}

/* The session has ended: the board shows where to log in, whatever is asked. */
static const struct walk guests[] = {
    {.replies = {"reply_as_guest"}, .op = {.kind = OP_SEND, .place = "1"}},
    {.replies = {"reply_form", "reply_sent_as_guest"},
     .op = {.kind = OP_SEND, .place = "1"}},
    {.replies = {"edit_as_guest"},
     .op = {.kind = OP_EDIT, .place = "1", .post = "10"}},
    {.replies = {"edit_form", "edit_sent_as_guest"},
     .op = {.kind = OP_EDIT, .place = "1", .post = "91"}},
    {.replies = {"delete_as_guest"},
     .op = {.kind = OP_DELETE, .place = "1", .post = "10"}},
    {.replies = {"delete_asked", "delete_sent_as_guest"},
     .op = {.kind = OP_DELETE, .place = "1", .post = "98"}},
    {.replies = {"topic", "forum", "new_as_guest"},
     .op = {.kind = OP_OPEN, .place = "1", .text = "Table 9"}},
    {.replies = {"topic", "forum", "new_form", "new_sent_as_guest"},
     .op = {.kind = OP_OPEN, .place = "1", .text = "Table 9"}},
    {.replies = {"compose_as_guest"}, .op = {.kind = OP_DM, .user = "60"}},
    {.replies = {"outbox_as_guest"},
     .op = {.kind = OP_FIND,
            .place = "pm60",
            .user = "60",
            .dm = true,
            .key = "a1b2.32"}},
    {.replies = {"inbox", "message_as_guest"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"}},
    {.replies = {"inbox", "message_edited", "quote_as_guest"},
     .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"}},
    {.replies = {"profile_as_guest"}, .op = {.kind = OP_USER, .text = "anna"}},
    {.replies = {"find_behind", "own_as_guest"},
     .op = {.kind = OP_FIND, .place = "4", .key = "f7fcd2e4.1.qu6ofs"}},
    {.replies = {"active_as_guest"},
     .op = {.kind = OP_UPDATES, .feed = "active"}},
};

enum {
    GUESTS = sizeof(guests) / sizeof(guests[0]),
    WHOLE = STEPS_MAX /* no reply is cut */
};

/* Run an operation with the replies of a walk, the one at `at` cut to `len`
 * bytes. What is asked for after that is what it is: it is answered as before.
 */
static void
walk_cut(const struct walk *walk, size_t at, size_t len, struct come *come)
{
    static const struct adapter_state state = {"secret.cookies", COOKIES};
    struct service service = {.adapter = &adapter_phpbb,
                              .name = "forum",
                              .base = "http://127.0.0.1",
                              .user = "marshal",
                              .password = "SECRET"};
    const struct recordings *all = recordings_of("phpbb");
    struct op op = walk->op;

    snprintf(service.self, sizeof(service.self), "%s",
             walk->self == NULL ? "69" : walk->self);
    fill_in(&op);
    op.states = walk->guest ? NULL : &state;
    op.state_count = walk->guest ? 0 : 1;
    *come = (struct come){.advance = ADVANCE_REQUEST};
    come->advance = adapter_phpbb.advance(&service, &op, &come->scratch, NULL,
                                          &come->out, &come->why);
    for (size_t i = 0; i < STEPS_MAX && walk->replies[i] != NULL &&
                       (i <= at || come->advance == ADVANCE_REQUEST);
         i++) {
        const struct recording *recorded =
            recordings_named(all, walk->replies[i]);
        struct reply reply = recording_reply(recorded);
        struct buf body = BUF_INIT;

        ck_assert_msg(come->advance == ADVANCE_REQUEST,
                      "%s is not asked for: %s", recorded->name,
                      buf_text(&come->why));
        if (i <= at) {
            expect_asked(&come->out.request, recorded);
        }
        buf_add(&body, reply.body, i == at ? len : reply.len);
        reply.body = buf_text(&body);
        reply.len = body.len;
        request_clear(&come->out.request);
        come->advance = adapter_phpbb.advance(&service, &op, &come->scratch,
                                              &reply, &come->out, &come->why);
        buf_release(&body);
    }
    page_finish(&come->out.page);
}

static void
walk_along(const struct walk *walk, struct come *come)
{
    walk_cut(walk, WHOLE, 0, come);
    ck_assert_msg(come->advance != ADVANCE_REQUEST, "%s %s",
                  come->out.request.method, buf_text(&come->out.request.url));
}

/* All that an operation says. */
static const char *
says(struct come *come)
{
    buf_addf(&come->says, "%s %s%s %s %s %s", buf_text(&come->out.id),
             buf_text(&come->out.marks), buf_text(&come->out.shown),
             buf_text(&come->out.cursor), buf_text(&come->out.advice),
             buf_text(&come->why));
    return buf_text(&come->says);
}

START_TEST(each_recording_is_understood)
{
    const struct walk *walk = &walks[_i];
    struct come come;

    walk_along(walk, &come);
    ck_assert_msg(come.advance == (walk->err == ERR_NONE ? ADVANCE_DONE
                                                         : ADVANCE_FAILED) &&
                      come.out.err == walk->err,
                  "%s: %s", walk->replies[0], buf_text(&come.why));
    ck_assert_msg(walk->err != ERR_DENIED || come.out.refused == walk->refused,
                  "%s: refused %d", buf_text(&come.why), (int)come.out.refused);
    ck_assert_uint_eq(come.out.rights, walk->rights);
    ck_assert_uint_eq(come.out.page.count, walk->posts);
    ck_assert(come.out.unapproved == walk->unapproved);
    ck_assert_int_eq(come.out.found, walk->found);
    ck_assert_msg(strstr(says(&come), walk->says == NULL ? "" : walk->says) !=
                      NULL,
                  "%s", buf_text(&come.says));
    come_release(&come);
}
END_TEST

/* It fails with a sentence, asks on, or is done with all that was there. */
START_TEST(a_page_that_is_cut_anywhere_loses_no_post)
{
    const struct walk *walk = &walks[_i];
    const struct recordings *all = recordings_of("phpbb");
    struct come come;

    for (size_t at = 0;
         walk->err == ERR_NONE && at < STEPS_MAX && walk->replies[at] != NULL;
         at++) {
        size_t whole = recordings_named(all, walk->replies[at])->body.len;

        for (size_t len = 0; len < whole; len += 1 + whole / 40) {
            walk_cut(walk, at, len, &come);
            ck_assert_msg(come.advance != ADVANCE_FAILED || come.why.len > 0,
                          "%s cut at %zu", walk->replies[at], len);
            ck_assert_msg(come.advance != ADVANCE_DONE ||
                              come.out.page.count >= walk->posts,
                          "%s cut at %zu: %zu posts", walk->replies[at], len,
                          come.out.page.count);
            come_release(&come);
        }
    }
}
END_TEST

/* It logs in again; no page of a guest is taken for what was asked. */
START_TEST(a_session_that_has_ended_is_begun_anew)
{
    struct come come;

    walk_cut(&guests[_i], WHOLE, 0, &come);
    ck_assert_msg(come.advance == ADVANCE_REQUEST &&
                      strstr(buf_text(&come.out.request.url),
                             "/ucp.php?mode=login") != NULL,
                  "%s: %s%s", guests[_i].replies[0],
                  buf_text(&come.out.request.url), buf_text(&come.why));
    come_release(&come);
}
END_TEST

static bool
has_reply(const struct walk *walk, const char *name)
{
    for (size_t k = 0; k < STEPS_MAX && walk->replies[k] != NULL; k++) {
        if (strcmp(walk->replies[k], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool
is_walked(const char *name)
{
    bool walked = false;

    for (size_t i = 0; i < WALKS; i++) {
        walked |= has_reply(&walks[i], name);
    }
    for (size_t i = 0; i < GUESTS; i++) {
        walked |= has_reply(&guests[i], name);
    }
    return walked;
}

START_TEST(no_recording_is_left_out)
{
    const struct recordings *all = recordings_of("phpbb");

    for (size_t i = 0; i < recordings_count(all); i++) {
        const char *name = recordings_at(all, i)->name;

        ck_assert_msg(is_walked(name), "%s", name);
    }
}
END_TEST

/* Each of those that a moderator's account sees, and no other. */
START_TEST(a_post_that_waits_for_approval_is_told_as_such)
{
    static const struct walk walk = {
        .replies = {"topic_pending"},
        .op = {.kind = OP_READ, .feed = "1", .cursor = "10.0.0"}};
    struct come come;
    unsigned pending = 0;

    walk_along(&walk, &come);
    for (size_t i = 0; i < come.out.page.count; i++) {
        const struct post *post = &come.out.page.posts[i];
        bool waits = strcmp(post->id, "8") == 0 || strcmp(post->id, "75") == 0;

        ck_assert(post->pending == waits);
        pending += waits ? 1 : 0;
    }
    ck_assert_uint_eq(pending, 2);
    come_release(&come);
}
END_TEST

START_TEST(the_time_of_an_edit_is_that_of_the_feed)
{
    static const struct walk walk = {
        .replies = {"topic_edited", "feed"},
        .op = {.kind = OP_READ, .feed = "1", .cursor = "12.0.0"}};
    struct come come;
    bool found = false;

    walk_along(&walk, &come);
    for (size_t i = 0; i < come.out.page.count; i++) {
        const struct post *post = &come.out.page.posts[i];

        if (strcmp(post->id, "108") == 0) {
            found = true;
            ck_assert_int_gt(post->edited, post->stamp);
        }
    }
    ck_assert(found);
    come_release(&come);
}
END_TEST

/* Its notice begins with empty lines, as that of a topic which was pushed up.
 */
START_TEST(a_message_that_was_edited_is_told_as_such)
{
    static const struct walk walks_of_two[] = {
        {.replies = {"inbox", "message", "quote"},
         .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"}},
        {.replies = {"inbox", "message_edited", "quote"},
         .op = {.kind = OP_READ, .feed = "inbox", .cursor = "9999.59.1"}},
    };

    for (int i = 0; i < 2; i++) {
        struct come come;

        walk_along(&walks_of_two[i], &come);
        ck_assert_uint_eq(come.out.page.count, 1);
        ck_assert((come.out.page.posts[0].edited != 0) == (i == 1));
        come_release(&come);
    }
}
END_TEST

static const struct update *
find_update(const struct outcome *out, const char *feed)
{
    for (size_t i = 0; i < out->news_count; i++) {
        if (strcmp(out->updates[i].feed, feed) == 0) {
            return &out->updates[i];
        }
    }
    return NULL;
}

/* Look where something is new. */
static void
look(const char *recording, struct come *come)
{
    struct walk walk = {.replies = {recording},
                        .op = {.kind = OP_UPDATES, .feed = "active"}};

    walk_along(&walk, come);
    ck_assert_int_eq(come->advance, ADVANCE_DONE);
}

/* The page has 25 topics; the 26th and later ones were posted in before it. */
START_TEST(one_look_tells_of_all_topics_and_the_inbox)
{
    struct come come;
    int64_t time;

    look("active", &come);
    ck_assert_uint_eq(come.out.news_count, 25 + 1);
    ck_assert(timestamp_read("2026-11-23T21:57:53+00:00", &time));
    ck_assert_int_eq(find_update(&come.out, "3")->last, time);
    ck_assert_uint_eq(find_update(&come.out, "3")->state,
                      UINT64_C(184) * 1000003 + 80 + 1);
    ck_assert(timestamp_read("2026-11-23T22:02:53+00:00", &time));
    ck_assert_int_eq(come.out.through, time - FORUM_MARGIN_MS);
    ck_assert_int_eq(come.out.rest, come.out.updates[24].last);
    ck_assert_int_lt(come.out.rest, come.out.updates[23].last);
    ck_assert_uint_eq(find_update(&come.out, "inbox")->state, 1);
    come_release(&come);
}
END_TEST

START_TEST(an_unread_message_is_told_by_each_page)
{
    struct come come;

    look("active_unread", &come);
    ck_assert_int_gt(find_update(&come.out, "inbox")->last, come.out.through);
    ck_assert_uint_eq(find_update(&come.out, "inbox")->state, 2);
    come_release(&come);
}
END_TEST

START_TEST(on_a_quiet_board_no_topic_has_news)
{
    struct come come;

    look("active_none", &come);
    ck_assert_uint_eq(come.out.news_count, 1);
    ck_assert_int_gt(come.out.rest, come.out.through - 7 * DAY_MS);
    ck_assert_int_lt(come.out.rest, come.out.through - 5 * DAY_MS);
    come_release(&come);
}
END_TEST

/* In the parent of all tests: read once, not by each. */
static void
read_recordings(void)
{
    (void)recordings_of("phpbb");
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/phpbb_recorded");
    TCase *tcase = tcase_create("recorded");

    tcase_add_unchecked_fixture(tcase, read_recordings, NULL);
    tcase_add_loop_test(tcase, each_recording_is_understood, 0, WALKS);
    tcase_add_loop_test(tcase, a_page_that_is_cut_anywhere_loses_no_post, 0,
                        WALKS);
    tcase_add_loop_test(tcase, a_session_that_has_ended_is_begun_anew, 0,
                        GUESTS);
    tcase_add_test(tcase, no_recording_is_left_out);
    tcase_add_test(tcase, a_post_that_waits_for_approval_is_told_as_such);
    tcase_add_test(tcase, the_time_of_an_edit_is_that_of_the_feed);
    tcase_add_test(tcase, a_message_that_was_edited_is_told_as_such);
    tcase_add_test(tcase, one_look_tells_of_all_topics_and_the_inbox);
    tcase_add_test(tcase, an_unread_message_is_told_by_each_page);
    tcase_add_test(tcase, on_a_quiet_board_no_topic_has_news);
    suite_add_tcase(suite, tcase);
    return suite;
}
