/*
 * phpBB: what the whole adapter shares: the session and requests.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- the session --------------------------------------------------------- */

struct phpbb_session *
phpbb_session(struct exchange *exchange)
{
    return exchange_memory(exchange, sizeof(struct phpbb_session));
}

void *
phpbb_memory(struct exchange *exchange, size_t size)
{
    assert(size <= PHPBB_MEMORY);
    return phpbb_session(exchange)->memory;
}

/* The account's number, which the cookie that ends in _u has; 0: a guest's,
 * whose number is 1. */
long long
phpbb_member_of(const struct phpbb_session *session)
{
    const char *at = strstr(session->cookies, "_u=");
    long long number = at == NULL ? 0 : strtoll(at + 3, NULL, 10);

    return number > 1 ? number : 0;
}

long long
phpbb_member(struct exchange *exchange)
{
    return phpbb_member_of(phpbb_session(exchange));
}

/* ---- asking -------------------------------------------------------------- */

void
phpbb_get(struct exchange *exchange, const char *path)
{
    ask(exchange, "GET", path);
    exchange->out->request.authorized = false;
    if (phpbb_session(exchange)->cookies[0] != '\0') {
        buf_addf(&exchange->out->request.headers, "Cookie: %s\n",
                 phpbb_session(exchange)->cookies);
    }
    ask_route(exchange, PHPBB_ROUTE_PAGE);
    phpbb_session(exchange)->anybody = false;
}

void
phpbb_get_form(struct exchange *exchange, const char *path)
{
    phpbb_get(exchange, path);
    ask_route(exchange, PHPBB_ROUTE_FORM);
    exchange->out->request.apart = PHPBB_APART_MS;
}

void
phpbb_get_feed(struct exchange *exchange, const char *path)
{
    phpbb_get(exchange, path);
    phpbb_session(exchange)->anybody = true;
}

void
phpbb_post(struct exchange *exchange, const char *path, struct buf *fields)
{
    static const char type[] = "application/x-www-form-urlencoded";
    struct request *request = &exchange->out->request;

    phpbb_get_form(exchange, path);
    memcpy(request->method, "POST", sizeof("POST"));
    memcpy(request->type, type, sizeof(type));
    buf_add_buf(&request->body, fields);
    buf_wipe(fields);
}

/* ---- replies ------------------------------------------------------------- */

struct html_span
phpbb_page(const struct exchange *exchange)
{
    struct html_span page = {exchange->reply->body, exchange->reply->len};

    return page;
}
