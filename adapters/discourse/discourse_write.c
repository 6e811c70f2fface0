/*
 * Discourse: posts that are written, found again, edited, deleted and locked.
 *
 * A refusal (status 422) is a sentence in the forum's language and nothing
 * else, so what it means is looked up: in the topic, and in the posts there.
 * The forum remembers its answer to a request for two minutes, also a refusal,
 * and gives it again to the same request (posts_controller.rb, create).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

#define FILE_SCHEME "upload://"

enum {
    FIND_MAX = 200,    /* posts looked through for one's own */
    SAID_MAX = 512,    /* bytes of a refusal */
    ADDRESS_MAX = 100, /* of a file's short address, behind its scheme */
    IN_A_ROW = 3       /* max_consecutive_replies, but for staff */
};

/* ---- posting ------------------------------------------------------------- */

/* What a forum puts into its queue has no id yet, and may never be seen. */
enum turn
discourse_hear_written(struct trip *trip)
{
    const char *action = jdoc_string(trip->value, "action");
    char id[FORUM_ID_MAX + 1];

    if (heard_well(trip) && action != NULL && strcmp(action, "enqueued") == 0) {
        trip->out->queued = true;
        return TURN_DONE;
    }
    if (!heard_well(trip) || !forum_hear_number(trip->value, "id", id)) {
        return discourse_refused(trip);
    }
    buf_clear(&trip->out->id);
    buf_add_text(&trip->out->id, id);
    return TURN_DONE;
}

/* ---- finding ------------------------------------------------------------- */

struct finding {
    bool asked;
    bool shut;             /* the account can't write in the topic */
    bool closed;           /* nor can anybody who is no staff */
    int64_t slow;          /* ms that slow mode still holds the account back */
    unsigned in_row;       /* of its last posts, how many are the account's */
    bool restrained;       /* who wrote those is neither staff nor trusted */
    int64_t ids[FIND_MAX]; /* the last of the topic's stream */
    size_t left;
};

static enum turn
look_further(struct trip *trip, struct finding *finding, const char *number)
{
    size_t count =
        finding->left < DISCOURSE_CHUNK ? finding->left : DISCOURSE_CHUNK;

    if (count == 0) {
        return TURN_DONE;
    }
    finding->left -= count;
    discourse_ask_posts(trip, number, finding->ids + finding->left, count,
                        true);
    return TURN_REQUEST;
}

static bool
is_letter(const struct trip *trip, json_object *post)
{
    const char *raw = jdoc_string(post, "raw");
    char *author = forum_user(jdoc_string(post, "username"));
    bool is = raw != NULL && author != NULL &&
              strcmp(author, trip->service->self) == 0 &&
              forum_is_marked(raw, trip->errand->key);

    free(author);
    return is;
}

/* What holds back an account, in its last posts: of staff, and of a member
 * that is trusted a little, the forum takes more. */
static void
note_own(const struct trip *trip, struct finding *finding, json_object *posts)
{
    size_t count = json_object_array_length(posts);

    for (size_t i = count; finding->in_row < IN_A_ROW && i-- > 0;) {
        json_object *post = json_object_array_get_idx(posts, i);
        char *author = forum_user(jdoc_string(post, "username"));
        bool own = author != NULL && strcmp(author, trip->service->self) == 0;
        int64_t level = 0;

        free(author);
        if (!own) {
            return;
        }
        finding->in_row++;
        (void)jdoc_integer(post, "trust_level", &level);
        finding->restrained = !forum_is_set(post, "staff") &&
                              (level == 0 || finding->in_row == IN_A_ROW);
    }
}

static enum turn
hear_chunk(struct trip *trip, struct finding *finding, const char *number)
{
    json_object *posts = discourse_posts(trip);
    bool older = false;

    if (posts == NULL) {
        return discourse_refused(trip);
    }
    if (finding->in_row == 0) {
        note_own(trip, finding, posts);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        char id[FORUM_ID_MAX + 1];
        int64_t stamp;

        if (!forum_hear_time(post, "created_at", &stamp) ||
            !forum_hear_number(post, "id", id)) {
            return discourse_refused(trip);
        }
        older = older || stamp + FORUM_FIND_SLACK_MS < trip->errand->since;
        if (is_letter(trip, post)) {
            buf_clear(&trip->out->id);
            buf_add_text(&trip->out->id, id);
            return TURN_DONE;
        }
    }
    return older ? TURN_DONE : look_further(trip, finding, number);
}

/* For how long slow mode still keeps the account from posting.  The topic tells
 * it to moderators, too, who may post at any time. */
static int64_t
hear_slow(const struct trip *trip)
{
    int64_t seconds = 0;
    int64_t posted;

    if (!jdoc_integer(trip->value, "slow_mode_seconds", &seconds) ||
        seconds <= 0 || seconds > DAY_MS / SECOND_MS ||
        !forum_hear_time(trip->value, "user_last_posted_at", &posted)) {
        return 0;
    }
    int64_t end = posted + seconds * SECOND_MS + FORUM_MARGIN_MS;

    return end > trip->reply->date ? end - trip->reply->date : 0;
}

/* Done with the letter's id, or with none. */
static enum turn
find(struct trip *trip, struct finding *finding, const char *number)
{
    if (finding->asked) {
        return hear_chunk(trip, finding, number);
    }
    json_object *stream = discourse_stream(trip);

    if (stream == NULL) {
        return discourse_refused(trip);
    }
    size_t end = json_object_array_length(stream);

    finding->asked = true;
    finding->shut = !discourse_is_open(trip);
    finding->closed = forum_is_set(trip->value, "closed") ||
                      forum_is_set(trip->value, "archived");
    finding->slow = hear_slow(trip);
    for (size_t i = end > FIND_MAX ? end - FIND_MAX : 0; i < end; i++) {
        finding->ids[finding->left++] = discourse_stream_at(stream, i);
    }
    return look_further(trip, finding, number);
}

enum turn
discourse_find(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return TURN_DONE;
    }
    if (trip->reply == NULL) {
        discourse_ask_topic(trip, number, false);
        return TURN_REQUEST;
    }
    return find(trip, finding, number);
}

/* ---- sending ------------------------------------------------------------- */

enum send_step {
    SEND_BEGIN,
    SEND_LOOK, /* who is in the talk? */
    SEND_UPLOAD,
    SEND_POST,
    SEND_FIND
};

struct sending {
    enum send_step step;
    struct finding finding;
    bool again;             /* this is the second request */
    char refusal[SAID_MAX]; /* of the forum */
    char picture[ADDRESS_MAX + sizeof(FILE_SCHEME)]; /* its address; "": none */
};

/* The short address of a file: "upload://qUm0DGR49PAZshIi7HxMd3cAlzn.png". */
static bool
is_short_address(const char *address)
{
    size_t len = sizeof(FILE_SCHEME) - 1;

    if (address == NULL || strncmp(address, FILE_SCHEME, len) != 0) {
        return false;
    }
    size_t name = strspn(address + len, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "abcdefghijklmnopqrstuvwxyz.");

    return name > 0 && name <= ADDRESS_MAX && address[len + name] == '\0';
}

/* Its caption has names in it, which may be made of whatever acts as mark-up
 * there: a blank stands for that. */
static void
add_picture(const struct picture *picture, const char *address,
            struct buf *shown)
{
    buf_add_text(shown, "\n\n![");
    for (const char *at = picture->caption; *at != '\0'; at++) {
        bool plain = (unsigned char)*at > ' ' && *at != 0x7F &&
                     strchr("[]()<>|\\`*_~!&@#:\"", *at) == NULL;

        buf_add_char(shown, (char)(plain ? *at : ' '));
    }
    buf_addf(shown, "|%ux%u](%s)", picture->width, picture->height, address);
}

/* A line feed at the end makes a second request differ from the first; the
 * forum cuts it off the post. */
static enum turn
ask_post(struct trip *trip, struct sending *sending, const char *number)
{
    struct buf raw = BUF_INIT;

    sending->step = SEND_POST;
    buf_add_text(&raw, trip->errand->text);
    if (sending->picture[0] != '\0') {
        add_picture(&trip->errand->picture, sending->picture, &raw);
    }
    forum_add_mark(trip->errand, true, &raw);
    buf_add_text(&raw, sending->again ? "\n" : "");
    discourse_ask(trip, "POST", "/posts.json");
    trip->out->request.urgent = trip->errand->talk;
    ask_json(trip, "topic_id", number);
    ask_text(trip, "raw", buf_text(&raw));
    ask_end(trip, DISCOURSE_ROUTE_POST);
    buf_wipe(&raw);
    return TURN_REQUEST;
}

/* A text that was posted a few minutes ago is not taken again
 * (unique_posts_mins): it may be this very letter. */
static enum turn
hear_posted(struct trip *trip, struct sending *sending, const char *number)
{
    enum turn turn = discourse_hear_written(trip);

    if (turn == TURN_DONE || trip->reply->status != 422 || sending->again) {
        return turn;
    }
    sending->step = SEND_FIND;
    (void)snprintf(sending->refusal, sizeof(sending->refusal), "%s",
                   buf_text(trip->why));
    buf_clear(trip->why);
    trip->out->err = ERR_NONE;
    trip->out->refused = REFUSED_RIGHT;
    discourse_ask_topic(trip, number, false);
    return TURN_REQUEST;
}

/* It is not there: why was it refused?  Where nothing holds the account back
 * any more, the forum may have repeated its answer to an earlier try: post
 * again, as a request that it has not seen. */
static enum turn
explain_refusal(struct trip *trip, struct sending *sending, const char *number)
{
    const struct finding *finding = &sending->finding;

    if (!finding->shut && !finding->restrained && finding->slow == 0) {
        sending->again = true;
        return ask_post(trip, sending, number);
    }
    if (finding->slow > 0 && !finding->shut) {
        trip->out->wait = finding->slow;
        return outcome_fail(trip->out, trip->why, ERR_LIMITED, "%s",
                            sending->refusal);
    }
    trip->out->refused = REFUSED_RIGHT;
    (void)outcome_fail(trip->out, trip->why, ERR_DENIED, "%s",
                       sending->refusal);
    if (finding->shut && finding->closed) {
        buf_add_text(trip->why, "; the topic is closed");
    } else if (finding->shut) {
        buf_addf(trip->why, "; %s may not reply there, or is silenced",
                 trip->service->user);
    }
    return TURN_FAILED;
}

static enum turn
hear_found_posted(struct trip *trip, struct sending *sending,
                  const char *number)
{
    enum turn turn = find(trip, &sending->finding, number);

    return turn == TURN_DONE && trip->out->id.len == 0
               ? explain_refusal(trip, sending, number)
               : turn;
}

/* ("description", /uploads).  What was uploaded twice is one file: its short
 * address is made of what is in it. */
static enum turn
ask_upload(struct trip *trip, struct sending *sending)
{
    static const struct form_field fields[] = {
        {"upload_type", "", "composer"},
        {"synchronous", "", "true"},
    };

    sending->step = SEND_UPLOAD;
    discourse_ask(trip, "POST", "/uploads.json");
    ask_picture(trip, fields, sizeof(fields) / sizeof(fields[0]), "file");
    ask_route(trip, DISCOURSE_ROUTE_UPLOAD);
    return TURN_REQUEST;
}

static enum turn
ask_letter(struct trip *trip, struct sending *sending, const char *number)
{
    const struct picture *picture = &trip->errand->picture;

    if (picture->bytes != NULL && !picture_is_page(picture)) {
        return ask_upload(trip, sending);
    }
    return ask_post(trip, sending, number);
}

/* No picture is no reason to send nothing: the text says the same. */
static enum turn
hear_upload(struct trip *trip, struct sending *sending, const char *number)
{
    const char *address = jdoc_string(trip->value, "short_url");

    if (trip->reply->status == 0 || reply_err(trip->reply) == ERR_LIMITED) {
        return discourse_refused(trip);
    }
    if (heard_well(trip) && is_short_address(address)) {
        (void)snprintf(sending->picture, sizeof(sending->picture), "%s",
                       address);
    } else {
        trip_without_picture(trip);
    }
    return ask_post(trip, sending, number);
}

static enum turn
hear_company(struct trip *trip, struct sending *sending, const char *number)
{
    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    if (!discourse_is_private(trip)) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: %s is not alone in the private talk with the "
                            "host",
                            trip->service->name, trip->errand->user);
    }
    /* It closes at 500 posts (auto_close_messages_post_count): staff can still
     * write there, but nobody could answer. */
    if (forum_is_set(trip->value, "closed")) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the private talk with %s is closed",
                            trip->service->name, trip->errand->user);
    }
    return ask_letter(trip, sending, number);
}

enum turn
discourse_send(struct trip *trip)
{
    struct sending *sending = trip_memory(trip, sizeof(*sending));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: there is no topic %s", trip->service->name,
                            trip->errand->place);
    }
    switch (sending->step) {
    case SEND_BEGIN:
        if (!talk) {
            return ask_letter(trip, sending, number);
        }
        sending->step = SEND_LOOK;
        discourse_ask_topic(trip, number, false);
        trip->out->request.urgent = true;
        return TURN_REQUEST;
    case SEND_LOOK:
        return hear_company(trip, sending, number);
    case SEND_UPLOAD:
        return hear_upload(trip, sending, number);
    case SEND_POST:
        return hear_posted(trip, sending, number);
    case SEND_FIND:
        break;
    }
    return hear_found_posted(trip, sending, number);
}

/* ---- changing ------------------------------------------------------------ */

enum edit_step {
    EDIT_BEGIN,
    EDIT_POST,
    EDIT_LOOK /* it was refused: may it be edited at all? */
};

struct editing {
    enum edit_step step;
    char refusal[SAID_MAX];
};

/* Without a bump, where the account may ask for that: the status post changes
 * often. */
static enum turn
ask_edit(struct trip *trip, struct editing *editing)
{
    struct buf post = BUF_INIT;
    struct buf raw = BUF_INIT;

    editing->step = EDIT_POST;
    buf_add_text(&raw, trip->errand->text);
    forum_add_mark(trip->errand, true, &raw);
    buf_add_text(&post, "{\"raw\":");
    jtext_string(&post, buf_text(&raw));
    buf_add_char(&post, '}');
    discourse_ask(trip, "PUT", "/posts");
    ask_part(trip, trip->errand->post);
    buf_add_text(&trip->out->request.url, ".json");
    ask_json(trip, "post", buf_text(&post));
    ask_json(trip, "bypass_bump", "true");
    ask_end(trip, DISCOURSE_ROUTE_EDIT);
    buf_release(&post);
    buf_release(&raw);
    return TURN_REQUEST;
}

/* Moderators edit what was deleted, too, and nobody sees it. */
static enum turn
hear_edited(struct trip *trip, struct editing *editing)
{
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);
    int64_t post = strtoll(trip->errand->post, NULL, 10);

    if (heard_well(trip) &&
        jdoc_string(jdoc_get(trip->value, "post"), "deleted_at") != NULL) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the post was deleted", trip->service->name);
    }
    if (heard_well(trip)) {
        return TURN_DONE;
    }
    (void)discourse_refused(trip);
    if (!discourse_said(trip, 422) || number == NULL) {
        return TURN_FAILED;
    }
    editing->step = EDIT_LOOK;
    (void)snprintf(editing->refusal, sizeof(editing->refusal), "%s",
                   buf_text(trip->why));
    buf_clear(trip->why);
    trip->out->err = ERR_NONE;
    trip->out->refused = REFUSED_RIGHT;
    discourse_ask_posts(trip, number, &post, 1, false);
    return TURN_REQUEST;
}

static enum turn
hear_editable(struct trip *trip, const struct editing *editing)
{
    json_object *posts = discourse_posts(trip);

    if (posts == NULL) {
        return discourse_refused(trip);
    }
    trip->out->refused =
        forum_is_set(json_object_array_get_idx(posts, 0), "can_edit")
            ? REFUSED_WORDS
            : REFUSED_RIGHT;
    return outcome_fail(trip->out, trip->why, ERR_DENIED, "%s",
                        editing->refusal);
}

enum turn
discourse_edit(struct trip *trip)
{
    struct editing *editing = trip_memory(trip, sizeof(*editing));

    switch (editing->step) {
    case EDIT_BEGIN:
        return ask_edit(trip, editing);
    case EDIT_POST:
        return hear_edited(trip, editing);
    case EDIT_LOOK:
        break;
    }
    return hear_editable(trip, editing);
}

enum turn
discourse_delete(struct trip *trip)
{
    if (trip->reply == NULL) {
        discourse_ask(trip, "DELETE", "/posts");
        ask_part(trip, trip->errand->post);
        buf_add_text(&trip->out->request.url, ".json");
        return TURN_REQUEST;
    }
    /* What is not there any more need not be deleted. */
    return reply_err(trip->reply) == ERR_NONE || discourse_said(trip, 404)
               ? TURN_DONE
               : discourse_refused(trip);
}

/* ("description", /posts/{id}/locked): for staff alone. */
enum turn
discourse_lock(struct trip *trip)
{
    bool locked = false;

    if (trip->reply == NULL) {
        discourse_ask(trip, "PUT", "/posts");
        ask_part(trip, trip->errand->post);
        buf_add_text(&trip->out->request.url, "/locked.json");
        ask_text(trip, "locked", "true");
        ask_end(trip, DISCOURSE_ROUTE_EDIT);
        return TURN_REQUEST;
    }
    /* What is not there any more can't be edited. */
    if (discourse_said(trip, 404)) {
        return TURN_DONE;
    }
    if (heard_well(trip) && jdoc_bool(trip->value, "locked", &locked) &&
        locked) {
        return TURN_DONE;
    }
    (void)discourse_refused(trip);
    if (discourse_said(trip, 403)) {
        trip->out->refused = REFUSED_RIGHT; /* no Granular key can do it */
    }
    return TURN_FAILED;
}
