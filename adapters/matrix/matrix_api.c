/*
 * Matrix: what the whole adapter shares: requests and refusals.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

void
ask_room(struct exchange *exchange, const char *method, const char *room,
         const char *path)
{
    ask(exchange, method, "/_matrix/client/v3/rooms");
    ask_part(exchange, room);
    buf_add_text(&exchange->out->request.url, path);
}

void
exchange_name(const struct exchange *exchange, const char *first,
              const char *second, struct buf *name)
{
    const char *const texts[] = {exchange_state(exchange, "device"),
                                 exchange->service->self, first, second};

    exchange_add_name(texts, sizeof(texts) / sizeof(texts[0]), name);
}

/* ---- replies ------------------------------------------------------------- */

bool
is_refusal(const struct exchange *exchange, int status, const char *errcode)
{
    const char *heard = jdoc_string(exchange->value, "errcode");

    return exchange->reply->status == status && heard != NULL &&
           (*errcode == '\0' || strcmp(heard, errcode) == 0);
}

/* What a refusal refuses, and what a person has to do if the server's own words
 * do not say it (C-S, "Standard error response").  Synapse does not send those
 * that are in no recording, or only other servers do. */
static const struct remedy {
    const char *errcode;
    enum refused refused;
    const char *words;
} remedies[] = {
    {"M_UNKNOWN_TOKEN", REFUSED_ACCOUNT,
     "the access token is not valid any more"},
    {"M_MISSING_TOKEN", REFUSED_ACCOUNT, "the host has no access token"},
    {"M_USER_DEACTIVATED", REFUSED_LOCKED,
     "the account was deactivated: make another"},
    {"M_USER_LOCKED", REFUSED_LOCKED,
     "the account is locked: ask the homeserver's admin"},
    {"M_USER_SUSPENDED", REFUSED_WRITING,
     "the account is suspended: ask the homeserver's admin"},
    {"M_RESOURCE_LIMIT_EXCEEDED", REFUSED_LOCKED,
     "the homeserver is at its limits: its admin has to act"},
    {"M_USER_LIMIT_EXCEEDED", REFUSED_RIGHT,
     "the homeserver limits how much an account may do: ask its admin"},
    {"M_CONSENT_NOT_GIVEN", REFUSED_WRITING,
     "the account has to agree to the homeserver's terms: log in to it once "
     "as a person"},
    {"M_UNRECOGNIZED", REFUSED_RIGHT,
     "the homeserver does not know this request: is the address the "
     "homeserver's own?"},
    {"M_INVITE_BLOCKED", REFUSED_PERSON,
     "the user takes no invitations from the host"},
    {"M_TOO_LARGE", REFUSED_WORDS, "the homeserver takes nothing that long"},
};

/* A rate limit's time is in the header, in whole seconds, or with servers
 * before version 1.10 in the body. */
static void
parse_wait(struct exchange *exchange)
{
    int64_t wait;

    if (parse_time(exchange->value, "retry_after_ms", &wait) &&
        wait <= DAY_MS &&
        (exchange->reply->retry_after < 0 || wait > exchange->out->wait)) {
        exchange->out->wait = wait;
    }
}

/* Log-ins have a limit of their own, which an admin can't lift for one account
 * (Synapse, rc_login). */
static void
remedy_limit(struct exchange *exchange)
{
    parse_wait(exchange);
    int64_t seconds = (exchange->out->wait + SECOND_MS - 1) / SECOND_MS;

    if (exchange->op->kind != OP_WHO) {
        buf_add_text(exchange->why,
                     "; the homeserver's admin can lift the limit "
                     "for the host's account");
    } else if (seconds < 120) {
        buf_addf(exchange->why, "; the host may log in again in %lld seconds",
                 (long long)seconds);
    } else {
        buf_addf(exchange->why, "; the host may log in again in %lld minutes",
                 (long long)(seconds + 59) / 60);
    }
}

/* Is a text refused, and not the account?  A room's policy server says 400,
 * which its homeserver passes on (S-S, "Policy Servers"); what else looks for
 * spam has words of its own (Synapse). */
static bool
is_judged(const struct exchange *exchange, const char *error)
{
    return is_refusal(exchange, 400, "M_FORBIDDEN") ||
           (is_refusal(exchange, 403, "M_FORBIDDEN") && error != NULL &&
            strstr(error, "probable spam") != NULL);
}

enum advance
exchange_refused(struct exchange *exchange)
{
    const char *errcode = jdoc_string(exchange->value, "errcode");
    const char *error = jdoc_string(exchange->value, "error");
    struct outcome *out = exchange->out;
    struct buf said = BUF_INIT;
    bool soft = false;

    soft = jdoc_bool(exchange->value, "soft_logout", &soft) && soft;
    if (errcode != NULL) {
        buf_addf(&said, "%.40s%s%s%s", errcode, soft ? " (soft_logout)" : "",
                 error != NULL ? ": " : "", error != NULL ? error : "");
    }
    (void)exchange_refused_with(exchange, buf_text(&said));
    buf_release(&said);
    out->refused = exchange->reply->status == 401   ? REFUSED_ACCOUNT
                   : exchange->reply->status == 413 ? REFUSED_WORDS
                                                    : REFUSED_RIGHT;
    for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
        if (errcode != NULL && strcmp(errcode, remedies[i].errcode) == 0) {
            out->refused = remedies[i].refused;
            buf_addf(exchange->why, "; %s", remedies[i].words);
        }
    }
    if (is_judged(exchange, error)) {
        out->err = ERR_DENIED;
        out->refused = REFUSED_WORDS;
        buf_add_text(exchange->why, "; the room's policy server, or a filter "
                                    "of the homeserver, takes it for spam: "
                                    "ask whoever runs it to let the host post");
    }
    if (out->err == ERR_LIMITED) {
        remedy_limit(exchange);
    }
    return ADVANCE_FAILED;
}

/* Is it the state event of that type and key? */
static bool
is_state(json_object *event, const char *type, const char *key)
{
    const char *has_type = jdoc_string(event, "type");
    const char *has_key = jdoc_string(event, "state_key");

    return has_type != NULL && has_key != NULL && strcmp(has_type, type) == 0 &&
           strcmp(has_key, key) == 0;
}

json_object *
parse_state(json_object *events, const char *type, const char *key)
{
    if (!json_object_is_type(events, json_type_array)) {
        return NULL;
    }
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        if (is_state(event, type, key)) {
            return jdoc_get(event, "content");
        }
    }
    return NULL;
}

const char *
server_of(const char *user)
{
    const char *colon = strchr(user, ':');

    return colon == NULL ? "" : colon + 1;
}

/* ---- the account ----------------------------------------------------------
 */

enum advance
parse_account(struct exchange *exchange)
{
    const char *device = parse_id(exchange->value, "device_id");

    if (!parse_result(exchange, "user_id")) {
        return exchange_refused(exchange);
    }
    buf_add_buf(&exchange->out->shown, &exchange->out->id);
    if (device != NULL &&
        strcmp(device, exchange_state(exchange, "device")) != 0) {
        (void)exchange_set_state(exchange, "device", device);
    }
    return ADVANCE_DONE;
}
