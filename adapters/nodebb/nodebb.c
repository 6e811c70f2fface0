/*
 * The adapter of NodeBB: its table of errands, the account, and people.
 * nodebb_read.c reads; nodebb_probe.c asks what the account may do; and
 * nodebb_write.c does the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- is it the token? -----------------------------------------------------
 *
 * Whoever comes with a token that is none is a guest to NodeBB: a post is then
 * refused as one by somebody who may not (403).  So after such a refusal it is
 * asked who we are, and only /api/self tells.
 */

/* Is the errand's failure only to be explained? */
static bool
is_doubting(const struct trip *trip)
{
    return trip->reply != NULL && trip->out->err == ERR_DENIED;
}

static enum turn
doubt(struct trip *trip)
{
    trip->out->err = ERR_DENIED;
    trip->out->refused = REFUSED_RIGHT;
    ask(trip, "GET", "/api/self");
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

static enum turn
end_doubt(struct trip *trip)
{
    if (trip->reply->status == 401) {
        buf_clear(trip->why);
        (void)outcome_fail(trip->out, trip->why, ERR_DENIED,
                           "%s: the forum does not accept the token any more",
                           trip->service->name);
        trip->out->refused = REFUSED_ACCOUNT;
    }
    return TURN_FAILED;
}

/* ---- who am I? ----------------------------------------------------------- */

static bool
is_master(const struct trip *trip)
{
    const char *error = jdoc_string(trip->value, "error");

    return error != NULL && strstr(error, "master-token") != NULL;
}

static enum turn
refuse_who(struct trip *trip)
{
    const char *name = trip->service->name;

    if (is_master(trip)) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the token is a master token, which is "
                            "nobody's: make one for the host's account (Admin "
                            "→ Settings → API Access, with its user id)",
                            name);
    }
    if (trip->reply->status != 401) {
        return nodebb_refused(trip);
    }
    (void)outcome_fail(trip->out, trip->why, ERR_DENIED,
                       "%s: the forum knows no such token (make one in Admin → "
                       "Settings → API Access, with the account's user id)",
                       name);
    trip->out->refused = REFUSED_ACCOUNT;
    return TURN_FAILED;
}

/* Whose token it is, a name beside it need not say; it may not say another. */
static bool
is_named(const struct trip *trip, const char *id)
{
    char *named = forum_user(trip->service->user);
    bool is = named == NULL || strcmp(named, id) == 0;

    free(named);
    return is;
}

static enum turn
turn_who(struct trip *trip)
{
    const char *name = jdoc_string(trip->value, "username");
    int64_t uid = 0;
    enum turn turn = TURN_DONE;

    if (trip->reply == NULL) {
        ask(trip, "GET", "/api/self");
        return TURN_REQUEST;
    }
    if (!heard_well(trip) || name == NULL ||
        !jdoc_integer(trip->value, "uid", &uid) || uid <= 0) {
        return refuse_who(trip);
    }
    char *id = nodebb_user(trip->value, uid);

    if (is_named(trip, id)) {
        buf_add_text(&trip->out->id, id);
        buf_add_text(&trip->out->shown, name);
    } else {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the token is one for %s, not for %s: leave "
                            "`user` out, or put in %s's token",
                            trip->service->name, name, trip->service->user,
                            trip->service->user);
    }
    free(id);
    return turn;
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
ask_by_slug(struct trip *trip, const char *name)
{
    struct buf slug = BUF_INIT;

    for (; *name != '\0'; name++) {
        bool upper = *name >= 'A' && *name <= 'Z';

        buf_add_char(&slug, (char)(*name == ' ' ? '-'
                                   : upper      ? *name | 0x20
                                                : *name));
    }
    nodebb_ask_user(trip, buf_text(&slug));
    buf_release(&slug);
}

static enum turn
nobody(struct trip *trip)
{
    return outcome_fail(trip->out, trip->why, ERR_GONE,
                        "%s: nobody is called \"%s\" there",
                        trip->service->name, trip->errand->text);
}

/* Nobody was found that way; the next. */
static enum turn
ask_further(struct trip *trip, enum user_step step, const char *name)
{
    if (step == USER_SLUG || (step == USER_NAME && forum_is_number(name))) {
        ask(trip, "GET",
            step == USER_SLUG ? "/api/user/username" : "/api/user/uid");
        ask_part(trip, name);
        return TURN_REQUEST;
    }
    return nobody(trip);
}

static enum turn
turn_user(struct trip *trip)
{
    enum user_step *step = trip_memory(trip, sizeof(*step));
    const char *name = trip->errand->text + (*trip->errand->text == '@');
    int64_t uid = 0;

    switch ((*step)++) {
    case USER_BEGIN:
        if (*name == '\0') {
            return nobody(trip);
        }
        ask_by_slug(trip, name);
        return TURN_REQUEST;
    case USER_SLUG:
    case USER_NAME:
    case USER_NUMBER:
        break;
    }
    if (trip->reply->status == 404) {
        return ask_further(trip, *step - 1, name);
    }
    if (!heard_well(trip) || !jdoc_integer(trip->value, "uid", &uid)) {
        return nodebb_refused(trip);
    }
    if (uid <= 0) { /* whose account was deleted, or never was */
        return nobody(trip);
    }
    char *id = nodebb_user(trip->value, uid);

    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, jdoc_string(trip->value, "username") == NULL
                                        ? id
                                        : jdoc_string(trip->value, "username"));
    free(id);
    return TURN_DONE;
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
ask_topic(struct trip *trip, const char *number)
{
    ask(trip, "GET", "/api/v3/topics");
    ask_part(trip, number);
}

static enum turn
turn_place(struct trip *trip)
{
    char *number = topic_of(trip->errand->text);
    char heard[FORUM_ID_MAX + 1];
    enum turn turn = TURN_REQUEST;

    if (number == NULL) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no topic: write its address, "
                            "%s/topic/NUMBER/name, or its number",
                            trip->service->name, trip->errand->text,
                            trip->service->base);
    } else if (trip->reply == NULL) {
        ask_topic(trip, number);
    } else if (!forum_hear_number(nodebb_response(trip), "tid", heard)) {
        turn = nodebb_refused(trip);
    } else {
        buf_add_text(&trip->out->id, heard);
        turn = TURN_DONE;
    }
    free(number);
    return turn;
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
run_errand(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return turn_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_PROBE:
        return nodebb_probe(trip);
    case ERRAND_READ:
        return nodebb_read(trip);
    case ERRAND_SEND:
        return nodebb_send(trip);
    case ERRAND_EDIT:
        return nodebb_edit(trip);
    case ERRAND_FIND:
        return nodebb_find(trip);
    case ERRAND_TALK:
        return nodebb_talk(trip);
    case ERRAND_OPEN:
        return nodebb_open(trip);
    case ERRAND_DELETE:
        return nodebb_delete(trip);
    case ERRAND_REACT:
        return forum_deny(trip,
                          "reactions but votes, which say more than seen");
    case ERRAND_PIN:
        return forum_deny(trip, "pinned posts, for pinned topics alone");
    case ERRAND_LOCK:
        return forum_deny(trip, "locked posts, but locked topics");
    case ERRAND_NEWS:
        return forum_deny(trip, "news of several topics");
    case ERRAND_USER:
        return turn_user(trip);
    }
    return TURN_FAILED;
}

static enum turn
take_turn(struct trip *trip)
{
    if (is_doubting(trip)) {
        return end_doubt(trip);
    }
    enum turn turn = run_errand(trip);
    bool doubtful = turn == TURN_FAILED && trip->reply != NULL &&
                    trip->reply->status == 403 &&
                    trip->out->err == ERR_DENIED &&
                    trip->errand->kind != ERRAND_WHO;

    return doubtful ? doubt(trip) : turn;
}

static enum turn
nodebb_turn(const struct service *service, const struct errand *errand,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
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
    .traits =
        {
            .longest = 30000, /* maximumPostLength is 32,767 at first */
            .longest_private = NODEBB_CHAT_MAX - NODEBB_MARK_MAX,
            .unit = LENGTH_UTF16, /* as JavaScript counts */
            .shortest = NODEBB_SHORTEST,
            .dedupe = 0,
            .margin = FORUM_MARGIN_MS + SECOND_MS,
            .pause = FORUM_PAUSE_MS,
            .reactions = false,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = false, /* not by token: a log-in's cookie is asked for */
            .threads = true,
            .shows_edits = true,
            .edits_follow = false,
            .rereads = true,
            .tells_talks = true,
            .disorder = false,
            .red = false, /* HTML and BBCode are shown as they stand */
            .red_required = false,
            .finds = true,
        },
    .token_header = "Authorization: Bearer %s",
    .token_names_user = true,
    .turn = nodebb_turn,
    .feed = forum_feed,
    .link = nodebb_link,
};
