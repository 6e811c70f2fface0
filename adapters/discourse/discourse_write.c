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
#define QUEUE_ID    "pending-" /* and the number in the queue */

enum {
    FIND_MAX = 200,    /* posts looked through at a time */
    ADDRESS_MAX = 100, /* of a file's short address, behind its scheme */
    IN_A_ROW = 3       /* max_consecutive_replies, but for staff */
};

/* ---- posting ------------------------------------------------------------- */

/* What a forum puts into its queue is no post yet, and may never be seen. */
enum advance
discourse_parse_written(struct exchange *exchange)
{
    const char *action = jdoc_string(exchange->value, "action");
    char id[FORUM_ID_MAX + 1];

    if (is_success(exchange) && action != NULL &&
        strcmp(action, "enqueued") == 0) {
        exchange->out->unapproved = true;
        return ADVANCE_DONE;
    }
    if (!is_success(exchange) ||
        !forum_parse_number(exchange->value, "id", id)) {
        return discourse_refused(exchange);
    }
    answer_id(exchange, id);
    return ADVANCE_DONE;
}

/* ---- finding ------------------------------------------------------------- */

struct finding {
    bool queue;    /* the queue was asked */
    bool unqueued; /* the post is not there */
    bool asked;
    bool shut;             /* the account can't write in the topic */
    bool closed;           /* nor can anybody who is no staff */
    int64_t slow;          /* ms that slow mode still holds the account back */
    unsigned in_row;       /* of its last posts, how many are the account's */
    bool restrained;       /* who wrote those is neither staff nor trusted */
    int64_t ids[FIND_MAX]; /* the last of the topic's stream, */
    size_t from, left;     /* behind so many; not looked at yet */
};

static enum advance
look_further(struct exchange *exchange, struct finding *finding,
             const char *number)
{
    size_t count =
        finding->left < DISCOURSE_BATCH ? finding->left : DISCOURSE_BATCH;

    if (count == 0) {
        return exchange_looked(exchange, finding->from > 0 ? FOUND_NOT_YET
                                                           : FOUND_NOTHING);
    }
    finding->left -= count;
    discourse_ask_posts(exchange, number, finding->ids + finding->left, count);
    return ADVANCE_REQUEST;
}

static bool
is_that_message(struct exchange *exchange, json_object *post, const char *id)
{
    const char *raw = jdoc_string(post, "raw");

    return raw != NULL && discourse_is_self(exchange, post, "user_id") &&
           forum_is_marked(exchange, raw, id);
}

/* What holds back an account, in its last posts: of staff, and of a member
 * that is trusted a little, the forum takes more. */
static void
note_own(const struct exchange *exchange, struct finding *finding,
         json_object *posts)
{
    size_t count = json_object_array_length(posts);

    for (size_t i = count; finding->in_row < IN_A_ROW && i-- > 0;) {
        json_object *post = json_object_array_get_idx(posts, i);
        int64_t level = 0;

        if (!discourse_is_self(exchange, post, "user_id")) {
            return;
        }
        finding->in_row++;
        (void)jdoc_integer(post, "trust_level", &level);
        finding->restrained = !forum_is_set(post, "staff") &&
                              (level == 0 || finding->in_row == IN_A_ROW);
    }
}

static enum advance
parse_chunk(struct exchange *exchange, struct finding *finding,
            const char *number)
{
    json_object *posts = discourse_posts(exchange);

    if (posts == NULL) {
        return discourse_refused(exchange);
    }
    bool older = json_object_array_length(posts) > 0;

    if (finding->in_row == 0) {
        note_own(exchange, finding, posts);
    }
    buf_clear(&exchange->out->cursor);
    /* One post may be older where it was moved into the topic. */
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        char id[FORUM_ID_MAX + 1];
        int64_t stamp;

        if (!forum_parse_time(post, "created_at", &stamp) ||
            !forum_parse_number(post, "id", id)) {
            return discourse_refused(exchange);
        }
        older = older && stamp + FORUM_FIND_SLACK_MS < exchange_since(exchange);
        if (is_that_message(exchange, post, id)) {
            answer_id(exchange, id);
        }
    }
    if (exchange->out->id.len > 0 || older) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (finding->from + finding->left > 0) {
        buf_add_number(&exchange->out->cursor,
                       (int64_t)(finding->from + finding->left));
    }
    return look_further(exchange, finding, number);
}

/* For how long slow mode still keeps the account from posting.  The topic tells
 * it to moderators, too, who may post at any time. */
static int64_t
parse_slow(const struct exchange *exchange)
{
    int64_t seconds = 0;
    int64_t posted;

    if (!jdoc_integer(exchange->value, "slow_mode_seconds", &seconds) ||
        seconds <= 0 || seconds > DAY_MS / SECOND_MS ||
        !forum_parse_time(exchange->value, "user_last_posted_at", &posted)) {
        return 0;
    }
    int64_t end = posted + seconds * SECOND_MS + FORUM_MARGIN_MS;

    return end > exchange->reply->date ? end - exchange->reply->date : 0;
}

/* The cursor is how many posts of the topic's stream were not looked at. */
static enum advance
find(struct exchange *exchange, struct finding *finding, const char *number)
{
    if (finding->asked) {
        return parse_chunk(exchange, finding, number);
    }
    json_object *stream = discourse_stream(exchange);

    if (stream == NULL) {
        return discourse_refused(exchange);
    }
    size_t end = json_object_array_length(stream);
    int64_t most;

    if (forum_read_numbers(exchange->op->cursor, &most, 1) &&
        most < (int64_t)end) {
        end = (size_t)most;
    }
    finding->asked = true;
    finding->shut = !discourse_is_open(exchange);
    finding->closed = forum_is_set(exchange->value, "closed") ||
                      forum_is_set(exchange->value, "archived");
    finding->slow = parse_slow(exchange);
    finding->from = end > FIND_MAX ? end - FIND_MAX : 0;
    for (size_t i = finding->from; i < end; i++) {
        finding->ids[finding->left++] = discourse_stream_at(stream, i);
    }
    return look_further(exchange, finding, number);
}

/* The number in the queue that a post's id names; NULL: it is no such id. */
static const char *
queue_number(const char *id)
{
    size_t len = sizeof(QUEUE_ID) - 1;

    return strncmp(id, QUEUE_ID, len) == 0 && forum_is_number(id + len)
               ? id + len
               : NULL;
}

/* Does it wait in the queue, by its number or its mark? */
static void
parse_queue(struct exchange *exchange, struct finding *finding)
{
    json_object *waiting = jdoc_get(exchange->value, "pending_posts");
    const char *wanted = queue_number(exchange->op->post);
    char number[FORUM_ID_MAX + 1];

    finding->unqueued =
        is_success(exchange) && json_object_is_type(waiting, json_type_array);
    for (size_t i = 0;
         finding->unqueued && i < json_object_array_length(waiting); i++) {
        json_object *post = json_object_array_get_idx(waiting, i);
        const char *raw = jdoc_string(post, "raw_text");

        finding->unqueued = forum_parse_number(post, "id", number);
        if (finding->unqueued &&
            ((wanted != NULL && strcmp(number, wanted) == 0) ||
             (raw != NULL && forum_is_marked(exchange, raw, "")))) {
            exchange->out->unapproved = true;
            buf_clear(&exchange->out->id);
            buf_addf(&exchange->out->id, QUEUE_ID "%s", number);
            return;
        }
    }
}

/* The queue is asked before the topic is: an approved post is in the topic as
 * soon as it has left the queue (reviewable.rb, perform: one transaction).  A
 * granular key can't read it. */
static enum advance
find_queued(struct exchange *exchange, struct finding *finding,
            const char *number)
{
    if (exchange->reply == NULL) {
        finding->queue = true;
        discourse_ask(exchange, "GET", "/posts");
        ask_part(exchange, exchange->service->user);
        buf_add_text(&exchange->out->request.url, "/pending.json");
        return ADVANCE_REQUEST;
    }
    enum err err = reply_err(exchange->reply);

    if (exchange->value == NULL || err == ERR_LATER || err == ERR_LIMITED) {
        return discourse_refused(exchange);
    }
    finding->queue = false;
    parse_queue(exchange, finding);
    if (exchange->out->unapproved) {
        return exchange_looked(exchange, FOUND_IT);
    }
    discourse_ask_topic(exchange, number);
    return ADVANCE_REQUEST;
}

enum advance
discourse_find(struct exchange *exchange)
{
    struct finding *finding = exchange_memory(exchange, sizeof(*finding));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);
    bool waited = queue_number(exchange->op->post) != NULL;

    if (number == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (finding->queue || (exchange->reply == NULL &&
                           (waited || *exchange->op->cursor == '\0'))) {
        return find_queued(exchange, finding, number);
    }
    if (exchange->reply == NULL) {
        discourse_ask_topic(exchange, number);
        return ADVANCE_REQUEST;
    }
    enum advance advance = find(exchange, finding, number);

    if (exchange->out->found == FOUND_NOTHING && waited && !finding->unqueued) {
        exchange->out->found = FOUND_NOT_YET;
    }
    return advance;
}

/* ---- sending ------------------------------------------------------------- */

enum send_step {
    SEND_BEGIN,
    SEND_LOOK, /* who is in the DM? */
    SEND_UPLOAD,
    SEND_POST,
    SEND_FIND
};

struct sending {
    enum send_step step;
    struct finding finding;
    bool again;                       /* this is the second request */
    char refusal[DISCOURSE_SAID_MAX]; /* of the forum */
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

/* Its caption, which the forum shows below the picture, has names in it, which
 * may be made of whatever acts as mark-up there: a blank stands for that. */
static void
add_picture(const struct picture *picture, const char *address,
            struct buf *shown)
{
    buf_add_text(shown, "\n\n![");
    for (const char *at = picture->caption; *at != '\0'; at++) {
        bool plain = (unsigned char)*at > ' ' && *at != 0x7F &&
                     strchr("[]<>|\\`*_~!&@#\"", *at) == NULL;

        buf_add_char(shown, (char)(plain ? *at : ' '));
    }
    buf_addf(shown, "|%ux%u](%s)", picture->width, picture->height, address);
}

/* A line feed at the end makes a second request differ from the first; the
 * forum cuts it off the post. */
static enum advance
ask_post(struct exchange *exchange, struct sending *sending, const char *number)
{
    struct buf raw = BUF_INIT;

    sending->step = SEND_POST;
    buf_add_text(&raw, exchange->op->text);
    if (sending->picture[0] != '\0') {
        add_picture(&exchange->op->picture, sending->picture, &raw);
    }
    forum_add_mark(exchange->op, "<!-- ", " -->", &raw);
    buf_add_text(&raw, sending->again ? "\n" : "");
    discourse_ask(exchange, "POST", "/posts.json");
    exchange->out->request.urgent = exchange->op->dm;
    ask_json(exchange, "topic_id", number);
    ask_text(exchange, "raw", buf_text(&raw));
    ask_end(exchange, DISCOURSE_ROUTE_POST);
    buf_wipe(&raw);
    return ADVANCE_REQUEST;
}

/* What waits has a number of its own, under which its author finds it. */
static void
note_unapproved(struct exchange *exchange)
{
    char number[FORUM_ID_MAX + 1];

    if (forum_parse_number(jdoc_get(exchange->value, "pending_post"), "id",
                           number)) {
        buf_clear(&exchange->out->id);
        buf_addf(&exchange->out->id, QUEUE_ID "%s", number);
    }
}

/* A text that was posted a few minutes ago is not taken again
 * (unique_posts_mins): it may be this very message. */
static enum advance
parse_posted(struct exchange *exchange, struct sending *sending,
             const char *number)
{
    enum advance advance = discourse_parse_written(exchange);

    if (exchange->out->unapproved) {
        note_unapproved(exchange);
    }
    if (advance == ADVANCE_DONE || exchange->reply->status != 422 ||
        sending->again) {
        return advance;
    }
    sending->step = SEND_FIND;
    discourse_keep_refusal(exchange, sending->refusal);
    discourse_ask_topic(exchange, number);
    return ADVANCE_REQUEST;
}

/* It is not there: why was it refused?  Where nothing holds the account back
 * any more, the forum may have repeated its answer to an earlier try: post
 * again, as a request that it has not seen. */
static enum advance
explain_refusal(struct exchange *exchange, struct sending *sending,
                const char *number)
{
    const struct finding *finding = &sending->finding;

    if (!finding->shut && !finding->restrained && finding->slow == 0) {
        if (exchange->out->found == FOUND_NOT_YET) {
            return outcome_fail(exchange->out, exchange->why, ERR_LATER,
                                "%s; it may be there already",
                                sending->refusal);
        }
        sending->again = true;
        return ask_post(exchange, sending, number);
    }
    if (finding->slow > 0 && !finding->shut) {
        exchange->out->wait = finding->slow;
        return outcome_fail(exchange->out, exchange->why, ERR_LIMITED, "%s",
                            sending->refusal);
    }
    exchange->out->refused = REFUSED_RIGHT;
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                       sending->refusal);
    if (finding->shut && finding->closed) {
        buf_add_text(exchange->why, "; the topic is closed");
    } else if (finding->shut) {
        buf_addf(exchange->why, "; %s may not reply there, or is silenced",
                 exchange->service->user);
    }
    return ADVANCE_FAILED;
}

static enum advance
parse_found_posted(struct exchange *exchange, struct sending *sending,
                   const char *number)
{
    enum advance advance = find(exchange, &sending->finding, number);

    return advance == ADVANCE_DONE && exchange->out->found != FOUND_IT
               ? explain_refusal(exchange, sending, number)
               : advance;
}

/* ("description", /uploads).  What was uploaded twice is one file: its short
 * address is made of what is in it. */
static enum advance
ask_upload(struct exchange *exchange, struct sending *sending)
{
    static const struct form_field fields[] = {
        {"upload_type", "", "composer"},
        {"synchronous", "", "true"},
    };

    sending->step = SEND_UPLOAD;
    discourse_ask(exchange, "POST", "/uploads.json");
    ask_picture(exchange, fields, sizeof(fields) / sizeof(fields[0]), "file");
    ask_route(exchange, DISCOURSE_ROUTE_UPLOAD);
    return ADVANCE_REQUEST;
}

static enum advance
ask_message(struct exchange *exchange, struct sending *sending,
            const char *number)
{
    const struct picture *picture = &exchange->op->picture;

    if (picture->bytes != NULL && !picture_is_page(picture)) {
        return ask_upload(exchange, sending);
    }
    return ask_post(exchange, sending, number);
}

/* Without its picture the post is still sent: the text says the same. */
static enum advance
parse_upload(struct exchange *exchange, struct sending *sending,
             const char *number)
{
    const char *address = jdoc_string(exchange->value, "short_url");

    if (exchange->reply->status == 0 ||
        reply_err(exchange->reply) == ERR_LIMITED) {
        return discourse_refused(exchange);
    }
    if (is_success(exchange) && is_short_address(address)) {
        (void)snprintf(sending->picture, sizeof(sending->picture), "%s",
                       address);
    } else {
        exchange_without_picture(exchange);
    }
    return ask_post(exchange, sending, number);
}

static enum advance
parse_occupants(struct exchange *exchange, struct sending *sending,
                const char *number)
{
    if (discourse_stream(exchange) == NULL) {
        return discourse_refused(exchange);
    }
    if (!discourse_is_private(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: %s is not alone in the DM with the "
                            "host",
                            exchange->service->name, exchange->op->user);
    }
    /* It closes at 500 posts (auto_close_messages_post_count): staff can still
     * write there, but nobody could answer. */
    if (forum_is_set(exchange->value, "closed")) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the DM with %s is closed",
                            exchange->service->name, exchange->op->user);
    }
    return ask_message(exchange, sending, number);
}

enum advance
discourse_send(struct exchange *exchange)
{
    struct sending *sending = exchange_memory(exchange, sizeof(*sending));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (number == NULL) {
        return forum_no_place(exchange);
    }
    switch (sending->step) {
    case SEND_BEGIN:
        if (!dm) {
            return ask_message(exchange, sending, number);
        }
        sending->step = SEND_LOOK;
        discourse_ask_topic(exchange, number);
        exchange->out->request.urgent = true;
        return ADVANCE_REQUEST;
    case SEND_LOOK:
        return parse_occupants(exchange, sending, number);
    case SEND_UPLOAD:
        return parse_upload(exchange, sending, number);
    case SEND_POST:
        return parse_posted(exchange, sending, number);
    case SEND_FIND:
        break;
    }
    return parse_found_posted(exchange, sending, number);
}

/* ---- changing ------------------------------------------------------------ */

enum edit_step {
    EDIT_BEGIN,
    EDIT_POST,
    EDIT_LOOK /* it was refused: may it be edited at all? */
};

struct editing {
    enum edit_step step;
    char refusal[DISCOURSE_SAID_MAX];
};

/* Without a bump, where the account may ask for that: the status post changes
 * often. */
static enum advance
ask_edit(struct exchange *exchange, struct editing *editing)
{
    struct buf post = BUF_INIT;
    struct buf raw = BUF_INIT;

    editing->step = EDIT_POST;
    buf_add_text(&raw, exchange->op->text);
    forum_add_mark(exchange->op, "<!-- ", " -->", &raw);
    buf_add_text(&post, "{\"raw\":");
    jtext_string(&post, buf_text(&raw));
    buf_add_char(&post, '}');
    discourse_ask(exchange, "PUT", "/posts");
    ask_part(exchange, exchange->op->post);
    buf_add_text(&exchange->out->request.url, ".json");
    ask_json(exchange, "post", buf_text(&post));
    ask_json(exchange, "bypass_bump", "true");
    ask_end(exchange, DISCOURSE_ROUTE_EDIT);
    buf_release(&post);
    buf_release(&raw);
    return ADVANCE_REQUEST;
}

/* Moderators edit what was deleted, too, and nobody sees it. */
static enum advance
parse_edited(struct exchange *exchange, struct editing *editing)
{
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);
    int64_t post = strtoll(exchange->op->post, NULL, 10);

    if (is_success(exchange) &&
        jdoc_string(jdoc_get(exchange->value, "post"), "deleted_at") != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the post was deleted",
                            exchange->service->name);
    }
    if (is_success(exchange)) {
        return ADVANCE_DONE;
    }
    (void)discourse_refused(exchange);
    if (!discourse_said(exchange, 422) || number == NULL) {
        return ADVANCE_FAILED;
    }
    editing->step = EDIT_LOOK;
    discourse_keep_refusal(exchange, editing->refusal);
    discourse_ask_posts(exchange, number, &post, 1);
    return ADVANCE_REQUEST;
}

static enum advance
parse_editable(struct exchange *exchange, const struct editing *editing)
{
    json_object *posts = discourse_posts(exchange);

    if (posts == NULL) {
        return discourse_refused(exchange);
    }
    exchange->out->refused =
        forum_is_set(json_object_array_get_idx(posts, 0), "can_edit")
            ? REFUSED_WORDS
            : REFUSED_RIGHT;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                        editing->refusal);
}

enum advance
discourse_edit(struct exchange *exchange)
{
    struct editing *editing = exchange_memory(exchange, sizeof(*editing));

    switch (editing->step) {
    case EDIT_BEGIN:
        return ask_edit(exchange, editing);
    case EDIT_POST:
        return parse_edited(exchange, editing);
    case EDIT_LOOK:
        break;
    }
    return parse_editable(exchange, editing);
}

enum advance
discourse_delete(struct exchange *exchange)
{
    if (exchange->reply == NULL) {
        discourse_ask(exchange, "DELETE", "/posts");
        ask_part(exchange, exchange->op->post);
        buf_add_text(&exchange->out->request.url, ".json");
        return ADVANCE_REQUEST;
    }
    /* What is not there any more need not be deleted. */
    return reply_err(exchange->reply) == ERR_NONE ||
                   discourse_said(exchange, 404)
               ? ADVANCE_DONE
               : discourse_refused(exchange);
}

/* ("description", /posts/{id}/locked): for staff alone. */
enum advance
discourse_lock(struct exchange *exchange)
{
    bool locked = false;

    if (exchange->reply == NULL) {
        discourse_ask(exchange, "PUT", "/posts");
        ask_part(exchange, exchange->op->post);
        buf_add_text(&exchange->out->request.url, "/locked.json");
        ask_text(exchange, "locked", "true");
        ask_end(exchange, DISCOURSE_ROUTE_EDIT);
        return ADVANCE_REQUEST;
    }
    /* What is not there any more can't be edited. */
    if (discourse_said(exchange, 404)) {
        return ADVANCE_DONE;
    }
    if (is_success(exchange) && jdoc_bool(exchange->value, "locked", &locked) &&
        locked) {
        return ADVANCE_DONE;
    }
    (void)discourse_refused(exchange);
    if (discourse_said(exchange, 403)) {
        exchange->out->refused = REFUSED_RIGHT; /* no Granular key can do it */
    }
    return ADVANCE_FAILED;
}
