/*
 * The NodeBB adapter: its table of operations, the account, and people.
 * nodebb_read.c reads; nodebb_probe.c asks what the account may do; and
 * nodebb_write.c does the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- is it the token? -----------------------------------------------------
 *
 * With an invalid token the bot is a guest to NodeBB: its post is then refused
 * for want of a right (403).  So after such a refusal the adapter asks who we
 * are; only /api/self tells. */

/* Is the operation's failure only to be explained? */
static bool
is_doubting(const struct exchange *exchange)
{
    return exchange->reply != NULL && exchange->out->err == ERR_DENIED;
}

static enum advance
doubt(struct exchange *exchange)
{
    exchange->out->err = ERR_DENIED;
    exchange->out->refused = REFUSED_RIGHT;
    ask(exchange, "GET", "/api/self");
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

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

/* ---- who am I? ----------------------------------------------------------- */

static bool
is_master(const struct exchange *exchange)
{
    const char *error = jdoc_string(exchange->value, "error");

    return error != NULL && strstr(error, "master-token") != NULL;
}

static enum advance
refuse_who(struct exchange *exchange)
{
    const char *name = exchange->service->name;

    if (is_master(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: the token is a master token, which is "
                            "nobody's: make one for the host's account (Admin "
                            "→ Settings → API Access, with its user id)",
                            name);
    }
    if (exchange->reply->status != 401) {
        return nodebb_refused(exchange);
    }
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                       "%s: the forum knows no such token (make one in Admin → "
                       "Settings → API Access, with the account's user id)",
                       name);
    exchange->out->refused = REFUSED_ACCOUNT;
    return ADVANCE_FAILED;
}

/* Whose token it is, a name beside it need not say; it may not say another. */
static bool
is_named(const struct exchange *exchange, const char *id)
{
    char *named = forum_user(exchange->service->user);
    bool is = named == NULL || strcmp(named, id) == 0;

    free(named);
    return is;
}

static enum advance
do_who(struct exchange *exchange)
{
    const char *name = jdoc_string(exchange->value, "username");
    int64_t uid = 0;

    if (exchange->reply == NULL) {
        ask(exchange, "GET", "/api/self");
        return ADVANCE_REQUEST;
    }
    if (!is_success(exchange) || name == NULL ||
        !jdoc_integer(exchange->value, "uid", &uid) || uid <= 0) {
        return refuse_who(exchange);
    }
    char *id = nodebb_user(exchange->value, uid);

    exchange->out->member = uid;
    if (is_named(exchange, id)) {
        return forum_answer_user(exchange, id, name);
    }
    free(id);
    return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                        "%s: the token is one for %s, not for %s: leave `user` "
                        "out, or put in %s's token",
                        exchange->service->name, name, exchange->service->user,
                        exchange->service->user);
}

/* ---- who is that? -------------------------------------------------------- */

enum user_step {
    USER_BEGIN,
    USER_SLUG,
    USER_NAME,
    USER_NUMBER
};

/* The part of an address that a name makes: "J.R. Ewing", "j.r.-ewing". */
static void
ask_by_slug(struct exchange *exchange, const char *name)
{
    struct buf slug = BUF_INIT;

    for (; *name != '\0'; name++) {
        bool upper = *name >= 'A' && *name <= 'Z';

        buf_add_char(&slug, (char)(*name == ' ' ? '-'
                                   : upper      ? *name | 0x20
                                                : *name));
    }
    nodebb_ask_user(exchange, buf_text(&slug));
    buf_release(&slug);
}

static enum advance
nobody(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: nobody is called \"%s\" there",
                        exchange->service->name, exchange->op->text);
}

/* Nobody was found that way; the next. */
static enum advance
ask_further(struct exchange *exchange, enum user_step step, const char *name)
{
    if (step == USER_SLUG || (step == USER_NAME && forum_is_number(name))) {
        ask(exchange, "GET",
            step == USER_SLUG ? "/api/user/username" : "/api/user/uid");
        ask_part(exchange, name);
        return ADVANCE_REQUEST;
    }
    return nobody(exchange);
}

static enum advance
do_user(struct exchange *exchange)
{
    enum user_step *step = exchange_memory(exchange, sizeof(*step));
    const char *name = exchange->op->text + (*exchange->op->text == '@');
    const char *shown = jdoc_string(exchange->value, "username");
    int64_t uid = 0;

    switch ((*step)++) {
    case USER_BEGIN:
        if (*name == '\0') {
            return nobody(exchange);
        }
        ask_by_slug(exchange, name);
        return ADVANCE_REQUEST;
    case USER_SLUG:
    case USER_NAME:
    case USER_NUMBER:
        break;
    }
    if (exchange->reply->status == 404) {
        return ask_further(exchange, *step - 1, name);
    }
    if (!is_success(exchange) || !jdoc_integer(exchange->value, "uid", &uid)) {
        return nodebb_refused(exchange);
    }
    if (uid <= 0) { /* whose account was deleted, or never was */
        return nobody(exchange);
    }
    char *id = nodebb_user(exchange->value, uid);

    return forum_answer_user(exchange, id, shown == NULL ? id : shown);
}

/* ---- a configured topic -------------------------------------------------- */

/* "12", or an address with "/topic/12/name"; owned, NULL: neither. */
static char *
topic_of(const char *address)
{
    static const char path[] = "/topic/";
    const char *at = strstr(address, path);
    const char *part = at == NULL ? address : at + sizeof(path) - 1;
    size_t len = strspn(part, "0123456789");
    struct buf number = BUF_INIT;

    buf_add(&number, part, len);
    if (!forum_is_number(buf_text(&number)) ||
        (at == NULL ? part[len] != '\0'
                    : part[len] != '\0' && strchr("/?#", part[len]) == NULL)) {
        buf_release(&number);
        return NULL;
    }
    return buf_take(&number);
}

static void
ask_topic(struct exchange *exchange, const char *number)
{
    ask(exchange, "GET", "/api/v3/topics");
    ask_part(exchange, number);
}

static enum advance
do_place(struct exchange *exchange)
{
    char *number = topic_of(exchange->op->text);
    char heard[FORUM_ID_MAX + 1];
    enum advance advance = ADVANCE_REQUEST;

    if (number == NULL) {
        advance = forum_no_topic(exchange, "/topic/NUMBER/name");
    } else if (exchange->reply == NULL) {
        ask_topic(exchange, number);
    } else if (!forum_parse_number(nodebb_response(exchange), "tid", heard)) {
        advance = nodebb_refused(exchange);
    } else {
        buf_add_text(&exchange->out->id, heard);
        advance = ADVANCE_DONE;
    }
    free(number);
    return advance;
}

/* ---- the adapter --------------------------------------------------------- */

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = do_who},
    [OP_PLACE] = {.take = do_place},
    [OP_PROBE] = {.take = nodebb_probe},
    [OP_READ] = {.take = nodebb_read},
    [OP_SEND] = {.take = nodebb_send},
    [OP_EDIT] = {.take = nodebb_edit},
    [OP_FIND] = {.take = nodebb_find},
    [OP_DM] = {.take = nodebb_dm},
    [OP_OPEN] = {.take = nodebb_open},
    [OP_DELETE] = {.take = nodebb_delete},
    [OP_REACT] =
        {.lacks = "its only reactions are votes, which say more than \"seen\""},
    [OP_PIN] = {.lacks = "only topics can be pinned"},
    [OP_LOCK] = {.lacks = "only topics can be locked"},
    [OP_UPDATES] = {.take = nodebb_updates},
    [OP_USER] = {.take = do_user},
    [OP_BELL] = {.lacks = "it has no doorbell"},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = nodebb_places},
    [OP_INVITE] = {.lacks = "a chat of two is a DM there"},
};

static enum advance
take_step(struct exchange *exchange)
{
    if (is_doubting(exchange)) {
        return end_doubt(exchange);
    }
    enum advance advance = exchange_take(exchange, ops);
    bool doubtful = advance == ADVANCE_FAILED && exchange->reply != NULL &&
                    exchange->reply->status == 403 &&
                    exchange->out->err == ERR_DENIED &&
                    exchange->op->kind != OP_WHO;

    return doubtful ? doubt(exchange) : advance;
}

static enum advance
nodebb_advance(const struct service *service, const struct op *op,
               struct buf *scratch, const struct reply *reply,
               struct outcome *out, struct buf *why)
{
    return exchange_advance(take_step, NULL, service, op, scratch, reply, out,
                            why);
}

/* The chats have a list of their own, which is one look, too. */
static void
nodebb_updates_feed(const struct service *service, const char *feed,
                    struct buf *updates)
{
    (void)service;
    if (forum_is_number(feed)) {
        buf_add_text(updates, NODEBB_RECENT);
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
    .dialect = &dialect_markdown,
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
