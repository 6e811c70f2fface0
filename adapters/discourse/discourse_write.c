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

#define QUEUE_ID "pending-" /* and the number in the queue */

enum {
    FIND_MAX = DISCOURSE_IDS_MAX, /* posts looked through at a time */
    IN_A_ROW = 3                  /* max_consecutive_replies, but for staff */
};

/* What is kept of a message that is sent or looked for. */
struct message {
    forum_step *found; /* goes on after a search */
    bool unqueued;     /* the queue was asked, and it is not there */
    bool listed;       /* the account's latest posts were asked for */
    bool shut;         /* the account can't write in the topic */
    bool closed;       /* nor can anybody who is no staff */
    int64_t slow;      /* ms that slow mode still holds the account back */
    unsigned in_row;   /* of its last posts, how many are the account's */
    bool restrained;   /* who wrote those is neither staff nor trusted */
    struct discourse_ids ids;         /* the last of the topic's stream, */
    size_t from;                      /* behind so many */
    bool again;                       /* this is the second request */
    char refusal[DISCOURSE_SAID_MAX]; /* of the forum */
    char picture[DISCOURSE_ADDRESS_MAX + sizeof(DISCOURSE_FILE)]; /* its
                                                      address; "": none */
};

static struct message *
message_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct message));
}

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
    if (!is_success(exchange) || !forum_id(exchange->value, "id", id)) {
        return forum_refused(exchange);
    }
    answer_id(exchange, id);
    return ADVANCE_DONE;
}

/* ---- finding ------------------------------------------------------------- */

/* What holds back an account, in its last posts: of staff, and of a member
 * that is trusted a little, the forum takes more. */
static void
note_own(const struct exchange *exchange, struct message *message,
         json_object *posts)
{
    struct forum_item post;

    for (size_t i = json_object_array_length(posts);
         message->in_row < IN_A_ROW && i-- > 0;) {
        int64_t level = 0;

        (void)forum_read_nth(&forum_discourse.shape.post, posts, i, &post);
        if (!forum_is_self(exchange, post.member, post.slug)) {
            return;
        }
        message->in_row++;
        (void)jdoc_integer(post.from, "trust_level", &level);
        message->restrained = !forum_flag(post.from, "staff") &&
                              (level == 0 || message->in_row == IN_A_ROW);
    }
}

static forum_step parse_chunk;

static enum advance
end_search(struct exchange *exchange, enum found found)
{
    (void)exchange_looked(exchange, found);
    return message_of(exchange)->found(exchange);
}

static enum advance
look_further(struct exchange *exchange, struct message *message)
{
    bool dm;

    return message->ids.left == 0
               ? end_search(exchange,
                            message->from > 0 ? FOUND_NOT_YET : FOUND_NOTHING)
               : discourse_ask_ids(exchange,
                                   forum_number_of(exchange->op->place, &dm),
                                   &message->ids, parse_chunk);
}

/* Look through posts; false: all are older than it.  One may be older where it
 * was moved into the topic.  *sane: each is one. */
static bool
look_through(struct exchange *exchange, json_object *posts, bool *sane)
{
    struct forum_item post;
    bool older = json_object_array_length(posts) > 0;

    for (size_t i = 0;
         forum_read_nth(&forum_discourse.shape.post, posts, i, &post); i++) {
        const char *raw = jdoc_string(post.from, "raw");

        *sane = *sane && post.stamp > 0 && post.number != 0;
        older = older &&
                post.stamp + FORUM_FIND_SLACK_MS < exchange_since(exchange);
        if (raw != NULL && forum_is_self(exchange, post.member, post.slug) &&
            forum_is_marked(exchange, raw, post.id)) {
            answer_id(exchange, post.id);
        }
    }
    return !older;
}

/* They tell only that it is there: see forum_find.c. */
static enum advance
parse_own(struct exchange *exchange)
{
    json_object *posts = discourse_posts(exchange);
    bool sane = true;

    if (posts != NULL) {
        (void)look_through(exchange, posts, &sane);
    }
    return exchange->out->id.len > 0
               ? end_search(exchange, FOUND_IT)
               : look_further(exchange, message_of(exchange));
}

static enum advance
parse_chunk(struct exchange *exchange)
{
    struct message *message = message_of(exchange);
    json_object *posts = discourse_posts(exchange);
    bool sane = true;

    if (posts == NULL) {
        return forum_refused(exchange);
    }
    if (message->in_row == 0) {
        note_own(exchange, message, posts);
    }
    bool goes_on = look_through(exchange, posts, &sane);

    if (!sane) {
        return forum_refused(exchange);
    }
    buf_clear(&exchange->out->cursor);
    if (exchange->out->id.len > 0 || !goes_on) {
        return end_search(exchange, FOUND_NOTHING);
    }
    if (message->from + message->ids.left > 0) {
        buf_add_number(&exchange->out->cursor,
                       (int64_t)(message->from + message->ids.left));
    }
    if (!message->listed && *exchange->op->cursor == '\0' &&
        exchange->out->cursor.len > 0) {
        message->listed = true;
        return forum_ask_for(
            exchange, &forum_discourse.ask.own,
            (struct forum_values){.user = exchange->service->self}, parse_own);
    }
    return look_further(exchange, message);
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

/* Look for the message in the topic that came; the cursor is how many posts of
 * its stream were not looked at. */
static enum advance
parse_topic(struct exchange *exchange)
{
    struct message *message = message_of(exchange);
    json_object *stream = discourse_stream(exchange);
    int64_t most;

    if (stream == NULL) {
        return forum_refused(exchange);
    }
    size_t end = json_object_array_length(stream);

    if (forum_read_numbers(exchange->op->cursor, &most, 1) &&
        most < (int64_t)end) {
        end = (size_t)most;
    }
    message->shut = !discourse_is_open(exchange);
    message->closed = discourse_is_closed(exchange);
    message->slow = parse_slow(exchange);
    message->from = end > FIND_MAX ? end - FIND_MAX : 0;
    discourse_keep_ids(&message->ids, stream, end, FIND_MAX);
    return look_further(exchange, message);
}

static enum advance
find(struct exchange *exchange, forum_step *found)
{
    message_of(exchange)->found = found;
    return forum_ask(exchange, &forum_discourse.ask.topic, parse_topic);
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

/* One that waited is not there where the queue was read, too. */
static enum advance
end_finding(struct exchange *exchange)
{
    struct outcome *out = exchange->out;

    if (out->found == FOUND_NOTHING && !message_of(exchange)->unqueued &&
        queue_number(exchange->op->post) != NULL) {
        out->found = FOUND_NOT_YET;
    }
    return ADVANCE_DONE;
}

/* Does it wait in the queue, by its number or its mark?  *all: all that wait
 * were looked at. */
static bool
look_through_queue(struct exchange *exchange, json_object *waiting, bool *all)
{
    const char *wanted = queue_number(exchange->op->post);
    size_t count = waiting == NULL ? 0 : json_object_array_length(waiting);

    *all = waiting != NULL;
    for (size_t i = 0; *all && i < count; i++) {
        json_object *post = json_object_array_get_idx(waiting, i);
        const char *raw = jdoc_string(post, "raw_text");
        char number[FORUM_ID_MAX + 1];

        *all = forum_id(post, "id", number);
        if (*all && ((wanted != NULL && strcmp(number, wanted) == 0) ||
                     (raw != NULL && forum_is_marked(exchange, raw, "")))) {
            buf_clear(&exchange->out->id);
            buf_addf(&exchange->out->id, QUEUE_ID "%s", number);
            return true;
        }
    }
    return false;
}

/* The queue is asked before the topic is: an approved post is in the topic as
 * soon as it has left the queue (reviewable.rb, perform: one transaction).  A
 * granular key can't read it. */
static enum advance
parse_queue(struct exchange *exchange)
{
    enum err err = reply_err(exchange->reply);

    if (exchange->value == NULL || err == ERR_LATER || err == ERR_LIMITED) {
        return forum_refused(exchange);
    }
    if (look_through_queue(exchange,
                           forum_list(exchange, forum_discourse.path.queue),
                           &message_of(exchange)->unqueued)) {
        exchange->out->unapproved = true;
        return exchange_looked(exchange, FOUND_IT);
    }
    return find(exchange, end_finding);
}

enum advance
discourse_find(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    bool dm;

    (void)message_of(exchange);
    if (forum_number_of(op->place, &dm) == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    return queue_number(op->post) != NULL || *op->cursor == '\0'
               ? forum_ask(exchange, &forum_discourse.ask.queue, parse_queue)
               : find(exchange, end_finding);
}

/* ---- pictures ------------------------------------------------------------ */

/* The short address of a file: "upload://qUm0DGR49PAZshIi7HxMd3cAlzn.png". */
static bool
is_short_address(const char *address)
{
    size_t len = sizeof(DISCOURSE_FILE) - 1;

    if (address == NULL || strncmp(address, DISCOURSE_FILE, len) != 0) {
        return false;
    }
    size_t name = strspn(address + len, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "abcdefghijklmnopqrstuvwxyz.");

    return name > 0 && name <= DISCOURSE_ADDRESS_MAX &&
           address[len + name] == '\0';
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

void
discourse_show(const struct exchange *exchange, struct buf *out)
{
    buf_add_text(out, exchange->op->text);
    if (exchange->op->kind == OP_SEND &&
        message_of(exchange)->picture[0] != '\0') {
        add_picture(&exchange->op->picture, message_of(exchange)->picture, out);
    }
}

/* ---- sending ------------------------------------------------------------- */

static forum_step explain_refusal;

/* What waits has a number of its own, under which its author finds it. */
static void
note_unapproved(struct exchange *exchange)
{
    char number[FORUM_ID_MAX + 1];

    if (forum_id(jdoc_get(exchange->value, "pending_post"), "id", number)) {
        buf_clear(&exchange->out->id);
        buf_addf(&exchange->out->id, QUEUE_ID "%s", number);
    }
}

/* A text that was posted a few minutes ago is not taken again
 * (unique_posts_mins): it may be this very message. */
static enum advance
parse_posted(struct exchange *exchange)
{
    struct message *message = message_of(exchange);
    enum advance advance = discourse_parse_written(exchange);

    if (exchange->out->unapproved) {
        note_unapproved(exchange);
    }
    if (advance == ADVANCE_DONE || exchange->reply->status != 422 ||
        message->again) {
        return advance;
    }
    discourse_keep_refusal(exchange, message->refusal);
    return find(exchange, explain_refusal);
}

static enum advance
ask_post(struct exchange *exchange)
{
    const struct forum_endpoint *send = exchange->op->dm
                                            ? &forum_discourse.ask.send_dm
                                            : &forum_discourse.ask.send;

    return forum_ask(exchange, send, parse_posted);
}

/* A line feed at the end makes a second request differ from the first; the
 * forum cuts it off the post. */
static enum advance
ask_again(struct exchange *exchange)
{
    struct forum_endpoint again = forum_discourse.ask.send;

    again.body = "{\"topic_id\":{topic},\"raw\":\"{text}\\n\"}";
    again.urgent = exchange->op->dm;
    message_of(exchange)->again = true;
    return forum_ask(exchange, &again, parse_posted);
}

/* It is not there: why was it refused?  Where nothing holds the account back
 * any more, the forum may have repeated its answer to an earlier try: post
 * again, as a request that it has not seen. */
static enum advance
explain_refusal(struct exchange *exchange)
{
    const struct message *message = message_of(exchange);

    if (exchange->out->found == FOUND_IT) {
        return ADVANCE_DONE;
    }
    if (!message->shut && !message->restrained && message->slow == 0) {
        return exchange->out->found == FOUND_NOT_YET
                   ? outcome_fail(exchange->out, exchange->why, ERR_LATER,
                                  "%s; it may be there already",
                                  message->refusal)
                   : ask_again(exchange);
    }
    if (message->slow > 0 && !message->shut) {
        exchange->out->wait = message->slow;
        return outcome_fail(exchange->out, exchange->why, ERR_LIMITED, "%s",
                            message->refusal);
    }
    exchange->out->refused = REFUSED_RIGHT;
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                       message->refusal);
    if (message->shut && message->closed) {
        buf_add_text(exchange->why, "; the topic is closed");
    } else if (message->shut) {
        buf_addf(exchange->why, "; %s may not reply there, or is silenced",
                 exchange->service->user);
    }
    return ADVANCE_FAILED;
}

/* Without its picture the post is still sent: the text says the same. */
static enum advance
parse_upload(struct exchange *exchange)
{
    struct message *message = message_of(exchange);
    const char *address = jdoc_string(exchange->value, "short_url");

    if (exchange->reply->status == 0 ||
        reply_err(exchange->reply) == ERR_LIMITED) {
        return forum_refused(exchange);
    }
    if (is_success(exchange) && is_short_address(address)) {
        (void)snprintf(message->picture, sizeof(message->picture), "%s",
                       address);
    } else {
        exchange_without_picture(exchange);
    }
    return ask_post(exchange);
}

/* ("description", /uploads).  What was uploaded twice is one file: its short
 * address is made of what is in it. */
static enum advance
ask_message(struct exchange *exchange)
{
    static const struct form_field fields[] = {
        {"upload_type", "", "composer"},
        {"synchronous", "", "true"},
    };
    static const struct forum_endpoint upload = {
        .method = "POST", .path = "/uploads.json", .route = "upload"};
    const struct picture *picture = &exchange->op->picture;

    if (picture->bytes == NULL || picture_is_page(picture)) {
        return ask_post(exchange);
    }
    enum advance advance = forum_ask(exchange, &upload, parse_upload);

    ask_picture(exchange, fields, sizeof(fields) / sizeof(fields[0]), "file");
    return advance;
}

static enum advance
parse_occupants(struct exchange *exchange)
{
    if (discourse_stream(exchange) == NULL) {
        return forum_refused(exchange);
    }
    if (!discourse_is_private(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: %s is not alone in the DM with the "
                            "host",
                            exchange->service->name, exchange->op->user);
    }
    /* It closes at 500 posts (auto_close_messages_post_count): staff can still
     * write there, but nobody could answer. */
    if (forum_flag(exchange->value, "closed")) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the DM with %s is closed",
                            exchange->service->name, exchange->op->user);
    }
    return ask_message(exchange);
}

enum advance
discourse_send(struct exchange *exchange)
{
    bool dm;

    (void)message_of(exchange);
    if (forum_number_of(exchange->op->place, &dm) == NULL) {
        return forum_no_place(exchange);
    }
    if (!dm) {
        return ask_message(exchange);
    }
    enum advance advance =
        forum_ask(exchange, &forum_discourse.ask.topic, parse_occupants);

    exchange->out->request.urgent = true;
    return advance;
}

/* ---- changing ------------------------------------------------------------ */

struct editing {
    struct discourse_ids post; /* the one alone */
    char refusal[DISCOURSE_SAID_MAX];
};

/* It was refused: may it be edited at all? */
static enum advance
parse_editable(struct exchange *exchange)
{
    const struct editing *editing = forum_memory(exchange, sizeof(*editing));
    json_object *posts = discourse_posts(exchange);

    if (posts == NULL) {
        return forum_refused(exchange);
    }
    exchange->out->refused =
        forum_flag(json_object_array_get_idx(posts, 0), "can_edit")
            ? REFUSED_WORDS
            : REFUSED_RIGHT;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                        editing->refusal);
}

/* Moderators edit what was deleted, too, and nobody sees it. */
static enum advance
parse_edited(struct exchange *exchange)
{
    struct editing *editing = forum_memory(exchange, sizeof(*editing));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (is_success(exchange) &&
        forum_text(exchange->value, "post.deleted_at") != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the post was deleted",
                            exchange->service->name);
    }
    if (is_success(exchange)) {
        return ADVANCE_DONE;
    }
    (void)forum_refused(exchange);
    if (!discourse_said(exchange, 422) || number == NULL) {
        return ADVANCE_FAILED;
    }
    discourse_keep_refusal(exchange, editing->refusal);
    editing->post = (struct discourse_ids){
        .list = {strtoll(exchange->op->post, NULL, 10)}, .left = 1};
    return discourse_ask_ids(exchange, number, &editing->post, parse_editable);
}

enum advance
discourse_edit(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_discourse.ask.edit, parse_edited);
}

/* What is not there any more can't be edited. */
static enum advance
parse_locked(struct exchange *exchange)
{
    bool locked = false;

    return discourse_said(exchange, 404) ||
                   (is_success(exchange) &&
                    jdoc_bool(exchange->value, "locked", &locked) && locked)
               ? ADVANCE_DONE
               : forum_refused(exchange);
}

/* ("description", /posts/{id}/locked): for staff alone. */
enum advance
discourse_lock(struct exchange *exchange)
{
    static const struct forum_endpoint lock = {.method = "PUT",
                                               .path =
                                                   "/posts/{post}/locked.json",
                                               .body = "{\"locked\":\"true\"}",
                                               .route = DISCOURSE_ROUTE_EDIT};

    return forum_ask(exchange, &lock, parse_locked);
}
