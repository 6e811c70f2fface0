#include "tests/support/on_loopback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"

const char *
loopback_header(const struct httpd_request *from, const char *name,
                struct buf *value)
{
    buf_clear(value);
    (void)httpd_header(from, name, value);
    return buf_text(value);
}

const char *
loopback_owner(const char *secret)
{
    static const char prefix[] = "key-of-";

    return strncmp(secret, prefix, sizeof(prefix) - 1) == 0
               ? secret + sizeof(prefix) - 1
               : NULL;
}

static void
open_request(const struct httpd_request *from, const char *base,
             struct request *request)
{
    struct buf value = BUF_INIT;

    memset(request, 0, sizeof(*request));
    snprintf(request->method, sizeof(request->method), "%.7s", from->method);
    buf_addf(&request->url, "%s%s", base, buf_text(&from->target));
    buf_add_buf(&request->body, &from->body);
    snprintf(request->type, sizeof(request->type), "%s",
             loopback_header(from, "content-type", &value));
    buf_release(&value);
}

/* Their base becomes the address at which they are found here. */
static void
add_headers(const char *from, const char *base, const struct httpd *httpd,
            struct buf *headers)
{
    const char *at = from == NULL ? NULL : strstr(from, base);

    if (at == NULL) {
        buf_add_text(headers, from == NULL ? "" : from);
        return;
    }
    buf_add(headers, from, (size_t)(at - from));
    buf_addf(headers, "%s%s", httpd_url(httpd), at + strlen(base));
}

static void
send_reply(struct httpd_request *to, const char *base,
           const struct reply *reply)
{
    struct buf headers = BUF_INIT;

    httpd_add_date(reply->date, &headers);
    add_headers(reply->headers, base, to->httpd, &headers);
    httpd_answer_bytes(to, reply->status, buf_text(&headers), reply->body,
                       reply->len);
    buf_release(&headers);
}

/* ---- the services -------------------------------------------------------- */

void
loopback_discourse(struct discourse *discourse, int64_t now,
                   struct httpd_request *from)
{
    struct request request;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf value = BUF_INIT;

    open_request(from, DISCOURSE_BASE, &request);
    const char *owner =
        loopback_owner(loopback_header(from, "api-key", &value));
    struct buf name = BUF_INIT;

    (void)loopback_header(from, "api-username", &name);
    request.authorized = owner != NULL && strcmp(owner, buf_text(&name)) == 0;
    buf_addf(&request.headers, "Api-Username: %s\n", buf_text(&name));
    discourse_serve(discourse, now, &request, &body, &reply);
    send_reply(from, DISCOURSE_BASE, &reply);
    request_clear(&request);
    buf_release(&body);
    buf_release(&value);
    buf_release(&name);
}

void
loopback_nodebb(struct nodebb *nodebb, int64_t now, struct httpd_request *from)
{
    static const char bearer[] = "Bearer ";
    struct request request;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf value = BUF_INIT;
    const char *secret = loopback_header(from, "authorization", &value);
    const char *owner = strncmp(secret, bearer, sizeof(bearer) - 1) == 0
                            ? loopback_owner(secret + sizeof(bearer) - 1)
                            : NULL;

    if (owner == NULL) {
        httpd_answer(from, 401, "", "\"not-authorized\"");
        buf_release(&value);
        return;
    }
    open_request(from, NODEBB_BASE, &request);
    request.authorized = true;
    buf_addf(&request.headers, NODEBB_PLAYER ": %s\n", owner);
    nodebb_serve(nodebb, now, &request, &body, &reply);
    send_reply(from, NODEBB_BASE, &reply);
    request_clear(&request);
    buf_release(&body);
    buf_release(&value);
}

void
loopback_phpbb(struct phpbb *phpbb, int64_t now, struct httpd_request *from)
{
    struct request request;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf value = BUF_INIT;

    open_request(from, PHPBB_BASE, &request);
    buf_addf(&request.headers, "Cookie: %s\n",
             loopback_header(from, "cookie", &value));
    phpbb_serve(phpbb, now, &request, &body, &reply);
    send_reply(from, PHPBB_BASE, &reply);
    request_clear(&request);
    buf_release(&body);
    buf_release(&value);
}

void
loopback_discord(struct fake_discord *fake_discord, int64_t now,
                 struct httpd_request *from)
{
    struct request request;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf value = BUF_INIT;
    const char *token = loopback_header(from, "authorization", &value);

    if (strcmp(token, "Bot " GUILD_TOKEN) != 0) {
        httpd_answer(from, 401, "",
                     "{\"message\": \"401: Unauthorized\", \"code\": 0}");
        buf_release(&value);
        return;
    }
    open_request(from, GUILD_BASE, &request);
    request.authorized = true;
    buf_addf(&request.headers, "User-Agent: %s\n",
             loopback_header(from, "user-agent", &value));
    fake_discord_serve(fake_discord, now, &request, &body, &reply);
    send_reply(from, GUILD_BASE, &reply);
    request_clear(&request);
    buf_release(&body);
    buf_release(&value);
}

/* What a homeserver says to a stranger (C-S, "Client Authentication"). */
static void
refuse_stranger(struct httpd_request *from, bool has_token)
{
    httpd_answer(from, 401, "",
                 has_token ? "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"error\":"
                             "\"Invalid access token passed.\"}"
                           : "{\"errcode\":\"M_MISSING_TOKEN\",\"error\":"
                             "\"Missing access token\"}");
}

/* It is at the top of this server, whichever of its addresses is asked. */
static void
say_where(struct httpd_request *from)
{
    struct buf answer = BUF_INIT;

    buf_addf(&answer, "{\"m.homeserver\":{\"base_url\":\"%s/\"}}",
             httpd_url(from->httpd));
    httpd_answer(from, 200, "", buf_text(&answer));
    buf_release(&answer);
}

/* C-S, "POST /login". */
static void
log_in(struct httpd_request *from)
{
    bool right = strstr(buf_text(&from->body), "\"pass-of-placard\"") != NULL;

    httpd_answer(from, right ? 200 : 403, "",
                 right ? "{\"user_id\":\"@placard:hs.test\",\"device_id\":"
                         "\"DEVICE\",\"access_token\":\"key-of-placard\"}"
                       : "{\"errcode\":\"M_FORBIDDEN\",\"error\":"
                         "\"Invalid username or password\"}");
}

void
loopback_matrix(struct homeserver *server, int64_t now,
                struct httpd_request *from)
{
    loopback_matrix_with(server, NULL, now, from);
}

void
loopback_matrix_with(struct homeserver *server, struct fake_grants *grants,
                     int64_t now, struct httpd_request *from)
{
    struct request request;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf value = BUF_INIT;
    const char *token = loopback_header(from, "authorization", &value);

    const char *path = buf_text(&from->target);
    bool known = strstr(path, "/.well-known/matrix/client") != NULL;
    bool login = strcmp(path, "/_matrix/client/v3/login") == 0;
    bool open = strcmp(from->method, "GET") == 0 &&
                (login || strcmp(path, "/_matrix/client/versions") == 0 ||
                 strcmp(path, "/_matrix/client/v1/auth_metadata") == 0);
    bool right = strcmp(token, "Bearer key-of-placard") == 0 ||
                 (grants != NULL && strncmp(token, "Bearer ", 7) == 0 &&
                  fake_grants_know(grants, token + 7));

    if (grants != NULL && fake_grants_serve(grants, from)) {
        /* It has answered. */
    } else if (known) {
        say_where(from);
    } else if (login && !open) {
        log_in(from);
    } else if (!open && !right) {
        refuse_stranger(from, *token != '\0');
    } else {
        open_request(from, HOMESERVER_BASE, &request);
        request.authorized = !open;
        homeserver_serve(server, now, &request, &body, &reply);
        send_reply(from, HOMESERVER_BASE, &reply);
        request_clear(&request);
    }
    buf_release(&body);
    buf_release(&value);
}
