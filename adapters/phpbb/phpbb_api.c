/*
 * phpBB: what all matters of the adapter share: the session, and how it is
 * asked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- the session --------------------------------------------------------- */

struct phpbb_session *
phpbb_session(struct trip *trip)
{
    return trip_memory(trip, sizeof(struct phpbb_session));
}

void *
phpbb_memory(struct trip *trip, size_t size)
{
    assert(size <= PHPBB_MEMORY);
    return phpbb_session(trip)->memory;
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
phpbb_member(struct trip *trip)
{
    return phpbb_member_of(phpbb_session(trip));
}

/* ---- asking -------------------------------------------------------------- */

void
phpbb_get(struct trip *trip, const char *path)
{
    ask(trip, "GET", path);
    trip->out->request.authorized = false;
    if (phpbb_session(trip)->cookies[0] != '\0') {
        buf_addf(&trip->out->request.headers, "Cookie: %s\n",
                 phpbb_session(trip)->cookies);
    }
    ask_route(trip, PHPBB_ROUTE_PAGE);
    phpbb_session(trip)->anybody = false;
}

void
phpbb_get_form(struct trip *trip, const char *path)
{
    phpbb_get(trip, path);
    ask_route(trip, PHPBB_ROUTE_FORM);
    trip->out->request.apart = PHPBB_APART_MS;
}

void
phpbb_get_feed(struct trip *trip, const char *path)
{
    phpbb_get(trip, path);
    phpbb_session(trip)->anybody = true;
}

void
phpbb_post(struct trip *trip, const char *path, struct buf *fields)
{
    static const char type[] = "application/x-www-form-urlencoded";
    struct request *request = &trip->out->request;

    phpbb_get_form(trip, path);
    memcpy(request->method, "POST", sizeof("POST"));
    memcpy(request->type, type, sizeof(type));
    buf_add_buf(&request->body, fields);
    buf_wipe(fields);
}

/* ---- hearing ------------------------------------------------------------- */

struct html_span
phpbb_page(const struct trip *trip)
{
    struct html_span page = {trip->reply->body, trip->reply->len};

    return page;
}
