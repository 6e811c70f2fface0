/*
 * Forums without an API: a session, which cookies are, and logging in.
 *
 * A page that is not a member's means that the session is over: then the
 * operation logs in and starts over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

#define COOKIES "secret.cookies"

enum {
    BEHIND_MAX = 2048 /* bytes that may stand behind a page's end */
};

static const struct forum_login *
login_of(const struct exchange *exchange)
{
    return forum_of(exchange)->login;
}

static struct forum_session *
session_of(const struct exchange *exchange)
{
    return &forum_job(exchange)->session;
}

const char *
forum_cookies(const struct exchange *exchange)
{
    return session_of(exchange)->cookies;
}

int64_t
forum_member(const struct exchange *exchange)
{
    const char *name = login_of(exchange)->member;
    const char *at = strstr(forum_cookies(exchange), name);
    int64_t number = at == NULL ? 0 : strtoll(at + strlen(name), NULL, 10);

    return number >= forum_of(exchange)->members ? number : 0;
}

/* ---- cookies ------------------------------------------------------------- */

/* Put a cookie in: "name=value".  One that does not fit is dropped, and the
 * forum will ask for the log-in once more. */
static void
keep_cookie(struct forum_session *session, const char *cookie, size_t len)
{
    const char *equals = memchr(cookie, '=', len);
    struct buf all = BUF_INIT;
    const char *at = session->cookies;

    if (equals == NULL) {
        return;
    }
    size_t name = (size_t)(equals - cookie) + 1;

    while (*at != '\0') {
        size_t one = strcspn(at, ";");

        if (one < name || memcmp(at, cookie, name) != 0) {
            buf_addf(&all, "%s%.*s", all.len > 0 ? "; " : "", (int)one, at);
        }
        at += one;
        at += strspn(at, "; ");
    }
    buf_addf(&all, "%s%.*s", all.len > 0 ? "; " : "", (int)len, cookie);
    if (all.len <= FORUM_COOKIES_MAX) {
        memcpy(session->cookies, buf_text(&all), all.len + 1);
    }
    buf_wipe(&all);
}

static bool
is_of_session(const struct forum_login *login, const char *cookie, size_t len)
{
    size_t name = strcspn(cookie, "=");

    for (size_t i = 0; i < FORUM_NAMES_MAX && login->cookies[i] != NULL; i++) {
        size_t end = strlen(login->cookies[i]);

        if (name < len && name > end &&
            memcmp(cookie + name - end, login->cookies[i], end) == 0) {
            return true;
        }
    }
    return false;
}

static void
keep_cookies(struct exchange *exchange)
{
    static const char key[] = "set-cookie: ";
    const char *line =
        exchange->reply->headers == NULL ? "" : exchange->reply->headers;

    while (*line != '\0') {
        size_t len = strcspn(line, "\n");

        if (strncmp(line, key, sizeof(key) - 1) == 0) {
            const char *cookie = line + sizeof(key) - 1;
            size_t end = strcspn(cookie, ";\n");

            if (is_of_session(login_of(exchange), cookie, end)) {
                keep_cookie(session_of(exchange), cookie, end);
            }
        }
        line += len + (line[len] == '\n' ? 1 : 0);
    }
}

/* ---- logging in ---------------------------------------------------------- */

/* The operation from its first step on. */
static enum advance
begin_op(struct exchange *exchange)
{
    session_of(exchange)->enters = false;
    forum_begin_again(exchange);
    return forum_take(exchange);
}

/* Older boards say so on a page before they lead on. */
static enum advance
parse_entry(struct exchange *exchange)
{
    if (exchange->reply->status / 100 <= 3 && forum_member(exchange) != 0) {
        session_of(exchange)->renewed = true;
        return begin_op(exchange);
    }
    (void)forum_refused(exchange);
    if (exchange->out->refused == REFUSED_LOGIN) {
        buf_addf(exchange->why,
                 "; log in once as %s in a browser, and the board lets the "
                 "host in again",
                 exchange->service->user);
    } else if (exchange->out->refused == REFUSED_ACCOUNT) {
        buf_addf(exchange->why,
                 "; \"user\" must be the account's name, and is \"%s\"",
                 exchange->service->user);
    }
    return ADVANCE_FAILED;
}

static enum advance
enter(struct exchange *exchange)
{
    struct forum_session *session = session_of(exchange);

    if (exchange->service->password == NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: a board has no tokens: write user = \"NAME\" "
                            "into the service, and the account's password into "
                            "its token_file",
                            exchange->service->name);
    }
    session->enters = true;
    session->cookies[0] = '\0';
    return forum_ask(exchange, &login_of(exchange)->send, parse_entry);
}

/* ---- steps --------------------------------------------------------------- */

/* Did the page come whole?  Some hosts add a line of theirs behind it. */
static bool
is_whole(const struct exchange *exchange)
{
    static const char end[] = "</html>";
    const size_t end_len = sizeof(end) - 1;
    const char *body = exchange->reply->body;
    size_t len = exchange->reply->len;

    for (size_t left = BEHIND_MAX; left > 0 && len >= end_len; left--) {
        if (memcmp(body + len - end_len, end, end_len) == 0) {
            return true;
        }
        len--;
    }
    return false;
}

static enum advance
begin(struct exchange *exchange)
{
    const char *cookies = exchange_state(exchange, COOKIES);

    (void)snprintf(session_of(exchange)->cookies, FORUM_COOKIES_MAX + 1, "%s",
                   cookies);
    return *cookies == '\0' ? enter(exchange) : begin_op(exchange);
}

/* A guest gets many of the pages too, but not as a member sees them. */
static enum advance
take_reply(struct exchange *exchange)
{
    const struct forum_session *session = session_of(exchange);
    bool entered = session->enters && forum_job(exchange)->sending.tries > 0;
    bool page = exchange->reply->status == 200 && !session->anybody && !entered;

    if (page && !is_whole(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the page is cut off", exchange->service->name);
    }
    if (page && !session->enters && !login_of(exchange)->is_inside(exchange)) {
        return session->renewed ? forum_refused(exchange) : enter(exchange);
    }
    return forum_take(exchange);
}

enum advance
forum_take_inside(struct exchange *exchange)
{
    if (exchange->reply != NULL) {
        keep_cookies(exchange);
    }
    enum advance advance =
        exchange->reply == NULL ? begin(exchange) : take_reply(exchange);

    if (advance == ADVANCE_DONE &&
        strcmp(forum_cookies(exchange), exchange_state(exchange, COOKIES)) !=
            0) {
        (void)exchange_set_state(exchange, COOKIES, forum_cookies(exchange));
    }
    return advance;
}
