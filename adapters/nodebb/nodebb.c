/*
 * NodeBB: the forum's description, and the adapter.  nodebb_quirks.c has what
 * only NodeBB does; nodebb_probe.c asks what the account may do.
 */
#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/civil.h"

/* Refusals are read, in English. */
#define ENGLISH "?lang=en-GB"

/* However the account, or the forum, likes it (controllers/topics.js). */
#define OLDEST_FIRST "sort=oldest_to_newest"

#define ROUTE_POST "post"

enum {
    APART_MS = 250,   /* a post is still "being posted" after the answer */
    A_WHILE_MS = 5000 /* if a refusal gives no time */
};

/* What a refusal is only its sentence says (public/language/en-GB/error.json).
 * A 400 does not mean a wrong request, but a text that isn't accepted. */
static const struct forum_refusal refusals[] = {
    {401, NULL, ERR_NONE, REFUSED_ACCOUNT, 0},
    /* "You can only post once every 10 second(s)", "As a new user, you can only
     * post once every 2 minute(s)", "Sorry, you are required to wait 10
     * second(s) before making your first post". */
    {400, "once every ", ERR_LIMITED, REFUSED_RIGHT, FORUM_TOLD},
    {400, "required to wait ", ERR_LIMITED, REFUSED_RIGHT, FORUM_TOLD},
    {400, "already posting", ERR_LIMITED, REFUSED_RIGHT, SECOND_MS},
    {400, "too many messages", ERR_LIMITED, REFUSED_RIGHT, A_WHILE_MS},
    {400, "have been muted", ERR_DENIED, REFUSED_WRITING, 0},
    {400, "Topic locked", ERR_DENIED, REFUSED_RIGHT, 0},
    {400, "topic-deleted", ERR_DENIED, REFUSED_RIGHT, 0},
    {400, "Chat system disabled", ERR_DENIED, REFUSED_RIGHT, 0},
    {400, "reputation to chat", ERR_DENIED, REFUSED_RIGHT, 0},
    {400, "not allowed to edit this", ERR_DENIED, REFUSED_RIGHT, 0},
    {400, "have been blocked", ERR_DENIED, REFUSED_PERSON, 0},
    {400, "restricted their chat", ERR_DENIED, REFUSED_PERSON, 0},
    {400, "reputation to post links", ERR_DENIED, REFUSED_EXTRA, 0},
    {400, "master token", ERR_DENIED, REFUSED_ACCOUNT, 0},
    {400, "enter a shorter", ERR_FULL, REFUSED_WORDS, 0},
    {400, "can not be longer than", ERR_FULL, REFUSED_WORDS, 0},
    {400, "only allowed to edit posts for", ERR_GONE, REFUSED_RIGHT, 0},
    {400, "Invalid Chat Message ID", ERR_GONE, REFUSED_RIGHT, 0},
    {400, "does not exist", ERR_GONE, REFUSED_RIGHT, 0},
    /* Too short, or whatever a plugin has against it. */
    {400, "", ERR_DENIED, REFUSED_WORDS, 0},
    {0},
};

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = forum_who},
    [OP_PLACE] = {.take = forum_place},
    [OP_PROBE] = {.take = forum_probe},
    [OP_READ] = {.take = forum_read_feed},
    [OP_SEND] = {.take = forum_send},
    [OP_EDIT] = {.take = forum_edit},
    [OP_FIND] = {.take = forum_find},
    [OP_DM] = {.take = nodebb_chat},
    [OP_OPEN] = {.take = nodebb_open},
    [OP_DELETE] = {.take = nodebb_delete},
    [OP_REACT] =
        {.lacks = "its only reactions are votes, which say more than \"seen\""},
    [OP_PIN] = {.lacks = "only topics can be pinned"},
    [OP_LOCK] = {.lacks = "only topics can be locked"},
    [OP_UPDATES] = {.take = forum_updates},
    [OP_USER] = {.take = forum_user_of},
    [OP_BELL] = {.lacks = "it has no doorbell"},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = forum_places},
    [OP_INVITE] = {.lacks = "a chat of two is a DM there"},
};

const struct forum forum_nodebb = {
    .ops = ops,
    .ask =
        {
            .self = FORUM_GET("/api/self"),
            .users = {FORUM_GET("/api/user/{user}"),
                      FORUM_GET("/api/user/username/{user}"),
                      FORUM_GET("/api/user/uid/{number}")},
            .topic = FORUM_GET("/api/v3/topics/{topic}"),
            .page = FORUM_GET("/api/topic/{topic}?page={number}&" OLDEST_FIRST),
            /* Any name of the topic will do. */
            .position =
                FORUM_GET("/api/topic/{topic}/post/{number}?" OLDEST_FIRST),
            .recent = FORUM_GET("/api/recent"),
            .dms = {FORUM_GET("/api/v3/chats[?start={number}]")},
            .messages = FORUM_GET("/api/v3/chats/{topic}/messages"
                                  "?start={number}"),
            .send = {.method = "POST",
                     .path = "/api/v3/topics/{topic}" ENGLISH,
                     .body = "{\"content\":\"{text}\"}",
                     .route = ROUTE_POST,
                     .apart = APART_MS},
            .send_dm = {.method = "POST",
                        .path = "/api/v3/chats/{topic}" ENGLISH,
                        .body = "{\"message\":\"{text}\"}",
                        .route = NODEBB_ROUTE_CHAT,
                        .apart = APART_MS,
                        .urgent = true},
            .edit = {.method = "PUT",
                     .path = "/api/v3/posts/{post}" ENGLISH,
                     .body = "{\"content\":\"{text}\"}",
                     .route = ROUTE_POST,
                     .apart = APART_MS},
            .edit_dm = {.method = "PUT",
                        .path = "/api/v3/chats/{topic}/messages/{post}" ENGLISH,
                        .body = "{\"message\":\"{text}\"}",
                        .route = NODEBB_ROUTE_CHAT,
                        .apart = APART_MS},
            .create = {.method = "POST",
                       .path = "/api/v3/topics" ENGLISH,
                       .body = "{\"cid\":{number},\"title\":\"{title}\","
                               "\"content\":\"{text}\"}",
                       .route = ROUTE_POST,
                       .apart = APART_MS},
            .queue = FORUM_GET("/api/post-queue/{post}"),
            .own = FORUM_GET("/api/user/{user}/posts"),
        },
    .shape =
        {
            .person = {.member = "uid", .name = "username", .slug = "userslug"},
            .topic = {.id = "tid",
                      .name = "title",
                      .stamp = "lastposttime",
                      .count = "postcount",
                      .deleted = "deleted"},
            .post = {.id = "pid",
                     .member = "uid",
                     .name = "user.username",
                     .slug = "user.userslug",
                     .body = "content",
                     .stamp = "timestamp",
                     .edited = "edited",
                     .deleted = "deleted",
                     .answers = "toPid",
                     .machine = "system",
                     .position = "index",
                     .finish = nodebb_keep_withheld},
            .message = {.id = "messageId",
                        .member = "fromuid",
                        .name = "fromUser.username",
                        .slug = "fromUser.userslug",
                        .body = "content",
                        .stamp = "timestamp",
                        .edited = "edited",
                        .deleted = "deleted",
                        .answers = "toMid",
                        .machine = "system",
                        .finish = nodebb_keep_withheld},
            /* A chat in which nothing was written has no teaser. */
            .dm = {.id = "roomId",
                   .stamp = "teaser.timestamp",
                   .count = "userCount"},
        },
    .path =
        {
            .topic = "response",
            .recent = "topics",
            .further = "tids",
            .posts = "posts",
            .pages = "pagination.pageCount",
            .dms = "response.rooms",
            .next_dms = "response.nextStart",
            .messages = "response.messages",
            .category = "response.cid",
            .probed = "cid",
            .sent = "response.pid",
            .sent_dm = "response.messageId",
            .created = "response.tid",
            .edited = "response",
            .queue = "posts",
            .own = "posts",
            .said = "status.message",
            .known = "loggedIn",
        },
    .refusals = refusals,
    .stages = nodebb_stages,
    .address = {.topic = "/topic/",
                .post = "/post/",
                .form = "/topic/NUMBER/name"},
    /* A link of no width: NodeBB shows comments as they stand, and points out
     * links without a text. */
    .mark = {.before = "[\xE2\x80\x8B](", .after = ")"},
    .messages = NODEBB_CHAT_PAGE,
    .escaped = true, /* Topics.getTopicsByTids */
    .add_slug = nodebb_add_slug,
    .refuse_self = nodebb_refuse_self,
    .check_dm = nodebb_check_chat,
    .is_unapproved = nodebb_is_unapproved,
    .is_queue_id = nodebb_is_queue_id,
    .see_dms = nodebb_see_chats,
    .doubt = nodebb_doubt,
};

/* ---- the adapter --------------------------------------------------------- */

static enum advance
nodebb_advance(const struct service *service, const struct op *op,
               struct buf *scratch, const struct reply *reply,
               struct outcome *out, struct buf *why)
{
    return forum_advance(&forum_nodebb, service, op, scratch, reply, out, why);
}

/* The chats have a list of their own, which is one look, too. */
static void
nodebb_updates_feed(const struct service *service, const char *feed,
                    struct buf *updates)
{
    (void)service;
    if (forum_is_number(feed)) {
        buf_add_text(updates, "recent");
    }
}

static void
nodebb_link(const struct service *service, const char *place, const char *post,
            struct buf *link)
{
    buf_addf(link, "%s/%s/", service->base, *post == '\0' ? "topic" : "post");
    url_add_part(link, *post == '\0' ? place : post);
}

const struct adapter adapter_nodebb = {
    .name = "nodebb",
    .dialect = &dialect_nodebb,
    .capabilities =
        {
            .longest = 30000, /* maximumPostLength is 32,767 at first */
            .longest_private = NODEBB_CHAT_MAX - NODEBB_MARK_MAX,
            .unit = LENGTH_UTF16, /* as JavaScript counts */
            .shortest = NODEBB_SHORTEST,
            .margin = FORUM_MARGIN_MS,
            .pause = FORUM_PAUSE_MS,
            .edits = true,
            .deletes = true,
            .uploads = false, /* not by token: a log-in's cookie is asked for */
            .threads = true,
            .rereads = true,
            .anyway = FORUM_EDITS_MS,
            .red = false, /* HTML and BBCode are shown as they stand */
            .finds = true,
            .merges = true,
            .leaves = true,
        },
    .token_header = "Authorization: Bearer %s",
    .token_names_user = true,
    .advance = nodebb_advance,
    .feed = forum_feed,
    .updates_feed = nodebb_updates_feed,
    .link = nodebb_link,
};
