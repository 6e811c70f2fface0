/*
 * Matrix: logging in by a browser, where accounts are kept by a service of
 * their own (C-S, "OAuth 2.0 API"; the device authorisation grant, since
 * version 1.18).
 *
 * The host registers as a client and shows an address; whoever has the account
 * allows it there.  What comes of that is one text, GRANT_PREFIX "client device
 * token", which stands where a password would.  Its token gives an access token
 * that lasts for minutes, and the token for the next one.  Who uses an old one
 * again may be logged out ("Refresh token grant"), so the newest text is
 * adapter state, with the one in the account's file: if another was put there,
 * that is the newest.  A new access token is used once it is saved: until then
 * the old refresh token is good, should the host be killed.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"
#include "bot/base/version.h"

#define DEVICE_CODE "urn:ietf:params:oauth:grant-type:device_code"
#define STATE_CODE  "secret.code" /* of a log-in under way */
#define STATE_FILE  "secret.file"

enum grant_step {
    GRANT_BEGIN,
    GRANT_METADATA,
    GRANT_REGISTER,
    GRANT_DEVICE,
    GRANT_TOKEN,
    GRANT_WHO
};

struct granting {
    enum grant_step step;
    char client[ADAPTER_ID_MAX + 1], device[ADAPTER_ID_MAX + 1];
    char token[ADAPTER_ID_MAX + 1];    /* or the code, while it is under way */
    char endpoint[ADAPTER_ID_MAX + 1]; /* where the code is given */
};

/* Read the newest text; false: there is none. */
static bool
read_grant(const struct exchange *exchange, struct granting *granting)
{
    const char *file = exchange->service->password;
    const char *text = exchange->op->kind == OP_GRANT
                           ? exchange_state(exchange, STATE_CODE)
                       : strcmp(exchange_state(exchange, STATE_FILE), file) == 0
                           ? exchange_state(exchange, STATE_GRANT)
                           : file;

    return sscanf(text, GRANT_PREFIX "%255s %255s %255s", granting->client,
                  granting->device, granting->token) == 3;
}

static void
set_grant(struct exchange *exchange, const char *key, const char *token,
          const struct granting *granting)
{
    struct buf text = BUF_INIT;

    buf_addf(&text, GRANT_PREFIX "%s %s %s", granting->client, granting->device,
             token);
    (void)exchange_set_state(exchange, key, buf_text(&text));
    buf_wipe(&text);
}

/* ---- asking -------------------------------------------------------------- */

enum advance
ask_metadata(struct exchange *exchange)
{
    ask(exchange, "GET", "/_matrix/client/v1/auth_metadata");
    exchange->out->request.authorized = false;
    return ADVANCE_REQUEST;
}

bool
offers_grant(const struct exchange *exchange)
{
    json_object *grants = jdoc_get(exchange->value, "grant_types_supported");

    return is_success(exchange) && grants != NULL &&
           strstr(json_object_to_json_string(grants), "\"" DEVICE_CODE "\"") !=
               NULL;
}

/* Begin a request to an endpoint, which may be at another server. */
static void
ask_endpoint(struct exchange *exchange, const char *url)
{
    ask(exchange, "POST", "");
    buf_clear(&exchange->out->request.url);
    buf_add_text(&exchange->out->request.url, url);
    exchange->out->request.authorized = false;
    ask_route(exchange, ROUTE_LOGIN);
}

static void
ask_field(struct exchange *exchange, const char *name, const char *value)
{
    static const char type[] = "application/x-www-form-urlencoded";
    struct request *request = &exchange->out->request;

    buf_addf(&request->body, "%s%s=", request->body.len > 0 ? "&" : "", name);
    url_add_part(&request->body, value);
    memcpy(request->type, type, sizeof(type));
}

/* Ask for tokens, by the code or by the token before. */
static enum advance
ask_tokens(struct exchange *exchange, const struct granting *granting)
{
    const char *url = parse_id(exchange->value, "token_endpoint");
    bool code = exchange->op->kind == OP_GRANT;

    if (!is_success(exchange) || url == NULL) {
        return exchange_refused(exchange);
    }
    ask_endpoint(exchange, url);
    ask_field(exchange, "grant_type", code ? DEVICE_CODE : "refresh_token");
    ask_field(exchange, code ? "device_code" : "refresh_token",
              granting->token);
    ask_field(exchange, "client_id", granting->client);
    return ADVANCE_REQUEST;
}

/* C-S, "Client registration"; the grant needs no address to go back to. */
static enum advance
ask_registration(struct exchange *exchange, struct granting *granting)
{
    const char *url = parse_id(exchange->value, "registration_endpoint");
    const char *next =
        parse_id(exchange->value, "device_authorization_endpoint");

    if (!is_success(exchange) || url == NULL || next == NULL) {
        return exchange_refused(exchange);
    }
    memcpy(granting->endpoint, next, strlen(next) + 1);
    ask_endpoint(exchange, url);
    ask_text(exchange, "client_name", "placard");
    ask_text(exchange, "client_uri", placard_url);
    ask_text(exchange, "application_type", "native");
    ask_text(exchange, "token_endpoint_auth_method", "none");
    ask_json(exchange, "grant_types",
             "[\"refresh_token\",\"" DEVICE_CODE "\"]");
    ask_end(exchange, ROUTE_LOGIN);
    return ADVANCE_REQUEST;
}

/* ---- replies ------------------------------------------------------------- */

/* An OAuth 2.0 service refuses by one word (RFC 6749, 5.2; RFC 8628, 3.5).
 * Nothing polls it: whoever logs in says when it is to be asked. */
static enum advance
grant_refused(struct exchange *exchange)
{
    const char *error = jdoc_string(exchange->value, "error");
    int status = exchange->reply->status;

    if (error == NULL || (status != 400 && status != 401)) {
        return exchange_refused(exchange);
    }
    bool early = strcmp(error, "authorization_pending") == 0 ||
                 strcmp(error, "slow_down") == 0;

    exchange->out->refused = REFUSED_LOCKED; /* no other secret would help */
    return outcome_fail(
        exchange->out, exchange->why, early ? ERR_LATER : ERR_DENIED,
        "%s: %s (%.40s)", exchange->service->name,
        early ? "it is not allowed there yet"
        : exchange->op->kind == OP_GRANT
            ? "the log-in is refused"
            : "the host was logged out: have `placard setup` log it in once "
              "more, then reload",
        error);
}

/* A registration is new each time, so its id makes the device's unique. */
static enum advance
parse_client(struct exchange *exchange, struct granting *granting)
{
    const char *client = parse_id(exchange->value, "client_id");
    struct buf text = BUF_INIT;

    if (!is_success(exchange) || client == NULL) {
        return grant_refused(exchange);
    }
    memcpy(granting->client, client, strlen(client) + 1);
    exchange_add_name(&client, 1, &text);
    memcpy(granting->device, buf_text(&text), text.len + 1);
    buf_clear(&text);
    buf_addf(&text, "urn:matrix:client:api:* urn:matrix:client:device:%s",
             granting->device);
    ask_endpoint(exchange, granting->endpoint);
    ask_field(exchange, "client_id", client);
    ask_field(exchange, "scope", buf_text(&text));
    buf_release(&text);
    return ADVANCE_REQUEST;
}

static enum advance
parse_device(struct exchange *exchange, const struct granting *granting)
{
    const char *code = parse_id(exchange->value, "device_code");
    const char *page = parse_id(exchange->value, "verification_uri");
    const char *typed = parse_id(exchange->value, "user_code");

    if (!is_success(exchange) || code == NULL || page == NULL ||
        typed == NULL) {
        return grant_refused(exchange);
    }
    set_grant(exchange, STATE_CODE, code, granting);
    buf_addf(&exchange->out->shown, "%s (code %s)", page, typed);
    return ADVANCE_DONE;
}

/* Without a new refresh token the old one stays (RFC 6749, 6). */
static enum advance
parse_tokens(struct exchange *exchange, const struct granting *granting)
{
    const char *access = parse_id(exchange->value, "access_token");
    const char *refresh = parse_id(exchange->value, "refresh_token");
    int64_t seconds = 0;

    if (!is_success(exchange) || access == NULL) {
        return grant_refused(exchange);
    }
    set_grant(exchange, STATE_GRANT,
              refresh != NULL ? refresh : granting->token, granting);
    (void)exchange_set_state(exchange, STATE_TOKEN, access);
    (void)exchange_set_state(exchange, "device", granting->device);
    if (exchange->op->kind == OP_GRANT) {
        ask(exchange, "GET", WHOAMI);
        exchange->out->request.authorized = false; /* that has no token yet */
        buf_addf(&exchange->out->request.headers, "Authorization: Bearer %s\n",
                 access);
        return ADVANCE_REQUEST;
    }
    if (jdoc_integer(exchange->value, "expires_in", &seconds) && seconds > 0 &&
        seconds < DAY_MS) {
        exchange->out->wait = seconds * SECOND_MS * 4 / 5;
    }
    (void)exchange_set_state(exchange, STATE_FILE, exchange->service->password);
    answer_id(exchange, exchange->service->user);
    buf_add_buf(&exchange->out->shown, &exchange->out->id);
    return ADVANCE_DONE;
}

enum advance
matrix_grant(struct exchange *exchange)
{
    struct granting *granting = exchange_memory(exchange, sizeof(*granting));

    switch (granting->step++) {
    case GRANT_BEGIN:
        if (!exchange->op->guest) {
            return ask_metadata(exchange);
        }
        granting->step = GRANT_WHO; /* the host alone renews its log-in */
        ask(exchange, "GET", WHOAMI);
        return ADVANCE_REQUEST;
    case GRANT_METADATA:
        if (!read_grant(exchange, granting)) {
            return ask_registration(exchange, granting);
        }
        granting->step = GRANT_TOKEN;
        return ask_tokens(exchange, granting);
    case GRANT_REGISTER:
        return parse_client(exchange, granting);
    case GRANT_DEVICE:
        return parse_device(exchange, granting);
    case GRANT_TOKEN:
        return parse_tokens(exchange, granting);
    case GRANT_WHO:
        break;
    }
    return parse_account(exchange);
}
