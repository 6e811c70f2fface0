/*
 * What only NodeBB does.
 */
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

/* ---- is it the token? -----------------------------------------------------
 *
 * With an invalid token the bot is a guest to NodeBB: its post is then refused
 * for want of a right (403).  So after such a refusal the adapter asks who we
 * are; only /api/self tells. */

static enum advance
end_doubt(struct exchange *exchange)
{
    if (exchange->reply->status == 401) {
        buf_clear(exchange->why);
        (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                           "%s: the forum does not accept the token any more",
                           exchange->service->name);
        exchange->out->refused = REFUSED_ACCOUNT;
    }
    return ADVANCE_FAILED;
}

enum advance
nodebb_doubt(struct exchange *exchange)
{
    static const struct forum_endpoint self = {
        .method = "GET", .path = "/api/self", .urgent = true};

    return exchange->reply->status == 403 && exchange->out->err == ERR_DENIED &&
                   exchange->op->kind != OP_WHO
               ? forum_ask(exchange, &self, end_doubt)
               : ADVANCE_FAILED;
}

/* ---- the account, and people --------------------------------------------- */

enum advance
nodebb_refuse_self(struct exchange *exchange)
{
    const char *error = jdoc_string(exchange->value, "error");
    const char *name = exchange->service->name;

    if (error != NULL && strstr(error, "master-token") != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: the token is a master token, which is "
                            "nobody's: make one for the host's account (Admin "
                            "→ Settings → API Access, with its user id)",
                            name);
    }
    if (exchange->reply->status != 401) {
        return forum_refused(exchange);
    }
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                       "%s: the forum knows no such token (make one in Admin → "
                       "Settings → API Access, with the account's user id)",
                       name);
    exchange->out->refused = REFUSED_ACCOUNT;
    return ADVANCE_FAILED;
}

/* The part of an address that a name makes: "J.R. Ewing", "j.r.-ewing". */
void
nodebb_add_slug(const char *name, struct buf *slug)
{
    for (; *name != '\0'; name++) {
        bool upper = *name >= 'A' && *name <= 'Z';

        buf_add_char(slug, (char)(*name == ' ' ? '-'
                                  : upper      ? *name | 0x20
                                               : *name));
    }
}

/* ---- posts --------------------------------------------------------------- */

/* A moderator still reads what was deleted, and what was read counts: deleting
 * a post takes nothing back.  From others its words are kept: then a key of the
 * forum's language stands in their place, "[[topic:post-is-deleted]]",
 * "[[modules:chat.message-deleted]]". */
void
nodebb_keep_withheld(struct forum_item *item)
{
    item->deleted =
        item->deleted && (item->body == NULL ||
                          strstr(item->body, "post-is-deleted]]") != NULL ||
                          strstr(item->body, "message-deleted]]") != NULL);
}

/* "reply-" and when it came, in ms. */
bool
nodebb_is_queue_id(const char *id)
{
    static const char begin[] = "reply-";

    return strncmp(id, begin, sizeof(begin) - 1) == 0 &&
           forum_is_number(id + sizeof(begin) - 1);
}

/* A post that waits has a name of its own, by which its author finds it. */
bool
nodebb_is_unapproved(struct exchange *exchange)
{
    json_object *response = jdoc_get(exchange->value, "response");
    const char *id = jdoc_string(response, "id");
    bool queued = false;

    if (!is_success(exchange) || !jdoc_bool(response, "queued", &queued) ||
        !queued) {
        return false;
    }
    if (id != NULL && nodebb_is_queue_id(id)) {
        answer_id(exchange, id);
    }
    return true;
}

/* ---- chats --------------------------------------------------------------- */

static const char state_left[] = "left";

/* Of somebody who leaves a chat no message tells.  But the list says how many
 * are in each: one in which only the account is left was left by the other, of
 * nobody in particular.  Those that were told of are in the adapter state. */
void
nodebb_see_chats(struct exchange *exchange, int64_t date)
{
    json_object *rooms = forum_list(exchange, forum_nodebb.path.dms);
    struct forum_item room;

    for (size_t i = 0; forum_read_nth(&forum_nodebb.shape.dm, rooms, i, &room);
         i++) {
        if (room.count != 1 || room.number == 0 ||
            forum_is_noted(exchange, state_left, room.id)) {
            continue;
        }
        struct post *post = forum_add_post(&exchange->out->page, room.id, true);

        post->kind = POST_LEFT;
        post->id = must_copy(room.id);
        post->author = must_copy("");
        post->body = must_copy("");
        post->stamp = date;
        forum_note(exchange, state_left, room.id);
    }
}

enum {
    OCCUPANTS = 2 /* of a DM */
};

/* The numbers of those in a chat. */
struct occupants {
    int64_t members[OCCUPANTS];
};

static const struct forum_endpoint ask_occupants = {
    .method = "GET", .path = "/api/v3/chats/{topic}/users", .urgent = true};
static const struct forum_endpoint ask_whose = {
    .method = "GET", .path = "/api/user/{user}", .urgent = true};

static enum advance
not_alone(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: %s is not alone in the chat with the host",
                        exchange->service->name, exchange->op->user);
}

/* Send, if the account and that user are in the chat. */
static enum advance
send_if_private(struct exchange *exchange, int64_t user)
{
    const struct occupants *in = forum_memory(exchange, sizeof(*in));
    int64_t self = exchange->service->member;
    bool private =
        user > 0 && ((in->members[0] == self && in->members[1] == user) ||
                     (in->members[0] == user && in->members[1] == self));

    return private ? forum_send_message(exchange) : not_alone(exchange);
}

/* A profile says whose it is. */
static enum advance
parse_whose(struct exchange *exchange)
{
    struct forum_item user;

    forum_read_item(&forum_nodebb.shape.person, exchange->value, &user);
    return is_success(exchange) ? send_if_private(exchange, user.member)
                                : forum_refused(exchange);
}

/* Somebody removed from a chat can't look into it. */
static bool
is_outside(const struct exchange *exchange)
{
    const char *said = forum_text(exchange->value, forum_nodebb.path.said);

    return exchange->reply->status == 403 && said != NULL &&
           strstr(said, "enough privileges") != NULL;
}

static enum advance
parse_occupants(struct exchange *exchange)
{
    struct occupants *in = forum_memory(exchange, sizeof(*in));
    json_object *users = forum_list(exchange, "response.users");
    struct forum_item user;
    size_t count = 0;

    if (is_outside(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the host is not in its chat with %s any more",
                            exchange->service->name, exchange->op->user);
    }
    if (users == NULL) {
        return forum_refused(exchange);
    }
    for (; forum_read_nth(&forum_nodebb.shape.person, users, count, &user);
         count++) {
        if (count < OCCUPANTS) {
            in->members[count] = user.member;
        }
    }
    if (count < OCCUPANTS) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: %s has left the chat with the host",
                            exchange->service->name, exchange->op->user);
    }
    if (count > OCCUPANTS) {
        return not_alone(exchange);
    }
    return exchange->op->member != 0
               ? send_if_private(exchange, exchange->op->member)
               : forum_ask(exchange, &ask_whose, parse_whose);
}

enum advance
nodebb_check_chat(struct exchange *exchange)
{
    (void)forum_memory(exchange, sizeof(struct occupants));
    return forum_ask(exchange, &ask_occupants, parse_occupants);
}

/* Making a chat is not idempotent, so the existing one is asked for first. */
static enum advance
parse_chat(struct exchange *exchange)
{
    char room[FORUM_ID_MAX + 1];

    return is_success(exchange) &&
                   forum_id(exchange->value, "response.roomId", room)
               ? forum_answer_dm(exchange, room)
               : forum_refused(exchange);
}

static enum advance
parse_room(struct exchange *exchange)
{
    static const struct forum_endpoint make = {.method = "POST",
                                               .path =
                                                   "/api/v3/chats?lang=en-GB",
                                               .body = "{\"uids\":[{number}]}",
                                               .route = NODEBB_ROUTE_CHAT};
    const int64_t *member = forum_memory(exchange, sizeof(*member));
    json_object *response = jdoc_get(exchange->value, "response");

    if (!is_success(exchange) || response == NULL ||
        jdoc_get(response, "roomId") != NULL) {
        return parse_chat(exchange);
    }
    return forum_ask_for(exchange, &make,
                         (struct forum_values){.number = *member}, parse_chat);
}

static enum advance
ask_room(struct exchange *exchange, int64_t number)
{
    static const struct forum_endpoint room =
        FORUM_GET("/api/v3/users/{number}/chat");
    int64_t *member = forum_memory(exchange, sizeof(*member));

    *member = number;
    return forum_ask_for(exchange, &room,
                         (struct forum_values){.number = number}, parse_room);
}

static enum advance
parse_user(struct exchange *exchange)
{
    struct forum_item user;

    forum_read_item(&forum_nodebb.shape.person, exchange->value, &user);
    return is_success(exchange) && user.member > 0
               ? ask_room(exchange, user.member)
               : forum_refused(exchange);
}

enum advance
nodebb_chat(struct exchange *exchange)
{
    return exchange->op->member != 0
               ? ask_room(exchange, exchange->op->member)
               : forum_ask(exchange, &forum_nodebb.ask.users[0], parse_user);
}

/* ---- a topic for a game -------------------------------------------------- */

static enum advance
parse_own_topics(struct exchange *exchange)
{
    return forum_open_unless(exchange, "topics", 0);
}

/* What the account is called now, its topics are listed under. */
static enum advance
parse_self(struct exchange *exchange)
{
    static const struct forum_endpoint own =
        FORUM_GET("/api/user/{user}/topics");
    const char *slug = jdoc_string(exchange->value, "userslug");

    return is_success(exchange) && slug != NULL
               ? forum_ask_for(exchange, &own,
                               (struct forum_values){.user = slug},
                               parse_own_topics)
               : forum_refused(exchange);
}

enum advance
nodebb_open(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_nodebb.ask.self, parse_self);
}

/* ---- deleting ------------------------------------------------------------ */

static enum advance
parse_post(struct exchange *exchange)
{
    if (!is_success(exchange) ||
        jdoc_get(exchange->value, "response") == NULL) {
        return forum_refused(exchange);
    }
    return forum_flag(exchange->value, "response.deleted")
               ? ADVANCE_DONE
               : outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                              "%s: the forum does not delete post %s",
                              exchange->service->name, exchange->op->post);
}

/* What was deleted before is refused with a sentence; so it is looked at. */
static enum advance
parse_deleted(struct exchange *exchange)
{
    static const struct forum_endpoint post = FORUM_GET("/api/v3/posts/{post}");

    if (exchange->reply->status == 400) {
        return forum_ask(exchange, &post, parse_post);
    }
    return reply_err(exchange->reply) == ERR_NONE ? ADVANCE_DONE
                                                  : forum_refused(exchange);
}

enum advance
nodebb_delete(struct exchange *exchange)
{
    static const struct forum_endpoint erase = {
        .method = "DELETE", .path = "/api/v3/posts/{post}/state?lang=en-GB"};

    return forum_ask(exchange, &erase, parse_deleted);
}
