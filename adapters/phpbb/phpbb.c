/*
 * The phpBB adapter: the session, and logging in. phpbb_read.c reads;
 * phpbb_write.c does the rest; phpbb_page.c knows how pages are laid out;
 * phpbb_probe.c finds out what the account may do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

#define LOGIN "/ucp.php?mode=login"

#define COOKIES "secret.cookies"

enum {
    BEHIND_MAX = 2048 /* bytes that may stand behind a page's end */
};

/* ---- the session --------------------------------------------------------- */

/* Put a cookie in: "name=value".  One that does not fit is dropped, and the
 * board will ask for the log-in once more. */
static void
keep_cookie(struct phpbb_session *session, const char *cookie, size_t len)
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
    if (all.len <= PHPBB_COOKIES_MAX) {
        memcpy(session->cookies, buf_text(&all), all.len + 1);
    }
    buf_wipe(&all);
}

/* The three of a session end in _u, _k and _sid. */
static bool
is_of_session(const char *cookie, size_t len)
{
    static const char *const ends[] = {"_u", "_k", "_sid"};
    size_t name = strcspn(cookie, "=");

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t end = strlen(ends[i]);

        if (name < len && name > end &&
            memcmp(cookie + name - end, ends[i], end) == 0) {
            return true;
        }
    }
    return false;
}

static void
parse_cookies(struct exchange *exchange, struct phpbb_session *session)
{
    static const char key[] = "set-cookie: ";
    const char *line =
        exchange->reply->headers == NULL ? "" : exchange->reply->headers;

    while (*line != '\0') {
        size_t len = strcspn(line, "\n");

        if (strncmp(line, key, sizeof(key) - 1) == 0) {
            const char *cookie = line + sizeof(key) - 1;
            size_t end = strcspn(cookie, ";\n");

            if (is_of_session(cookie, end)) {
                keep_cookie(session, cookie, end);
            }
        }
        line += len + (line[len] == '\n' ? 1 : 0);
    }
}

/* ---- replies ------------------------------------------------------------- */

/* Only members can log out; and the link to it has the session's id
 * (functions.php), which nobody else can write into a post. */
static bool
is_inside(const struct exchange *exchange, const struct phpbb_session *session)
{
    const char *at = strstr(session->cookies, "_sid=");
    struct html_span head = page_head(phpbb_page(exchange));
    struct buf sid = BUF_INIT;
    struct buf href = BUF_INIT;

    if (at != NULL) {
        at += sizeof("_sid=") - 1;
        buf_addf(&sid, "sid=%.*s", (int)strcspn(at, ";"), at);
    }
    bool inside = exchange->reply->status == 200 && at != NULL &&
                  page_find_link(head, "mode=logout", &href) &&
                  strstr(buf_text(&href), buf_text(&sid)) != NULL;

    buf_wipe(&sid);
    buf_wipe(&href);
    return inside;
}

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

/* ---- logging in ---------------------------------------------------------- */

static enum advance
ask_login_form(struct exchange *exchange, struct phpbb_session *session)
{
    if (exchange->service->password == NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: a board has no tokens: write user = \"NAME\" "
                            "into the service, and the account's password into "
                            "its token_file",
                            exchange->service->name);
    }
    session->step = SESSION_FORM;
    session->cookies[0] = '\0';
    phpbb_get_form(exchange, LOGIN);
    exchange->out->request.login = true;
    return ADVANCE_REQUEST;
}

static enum advance
send_login(struct exchange *exchange, struct phpbb_session *session)
{
    struct html_span form;
    struct buf fields = BUF_INIT;

    if (exchange->reply->status != 200 ||
        !page_find_form(phpbb_page(exchange), "password", &form)) {
        return phpbb_refused(exchange);
    }
    page_add_hidden(form, " login redirect ", &fields);
    page_add_field(&fields, "username", exchange->service->user);
    page_add_field(&fields, "password", exchange->service->password);
    page_add_field(&fields, "redirect", "index.php");
    page_add_field(&fields, "autologin", "on");
    page_add_field(&fields, "login", "Login");
    session->step = SESSION_SENT;
    phpbb_post(exchange, LOGIN, &fields);
    exchange->out->request.login = true;
    return ADVANCE_REQUEST;
}

static enum advance
parse_login(struct exchange *exchange, struct phpbb_session *session)
{
    /* Older boards say so on a page before they lead on. */
    if (exchange->reply->status / 100 <= 3 && phpbb_member_of(session) != 0) {
        return ADVANCE_DONE;
    }
    (void)phpbb_refused(exchange);
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

/* ---- a configured topic -------------------------------------------------- */

static long long
topic_of(const char *address)
{
    return forum_is_number(address) ? strtoll(address, NULL, 10)
                                    : page_number(address, "t=");
}

static enum advance
do_place(struct exchange *exchange)
{
    long long topic = topic_of(exchange->op->text);
    struct html_span page;
    char path[64];

    if (topic == 0) {
        return forum_no_topic(exchange, "/viewtopic.php?t=NUMBER");
    }
    if (exchange->reply == NULL) {
        (void)snprintf(path, sizeof(path), "/viewtopic.php?t=%lld", topic);
        phpbb_get(exchange, path);
        return ADVANCE_REQUEST;
    }
    page = phpbb_page(exchange);
    if (page_total(page) < 0) {
        return phpbb_refused(exchange);
    }
    buf_addf(&exchange->out->id, "%lld", topic);
    return ADVANCE_DONE;
}

/* ---- the adapter --------------------------------------------------------- */

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = phpbb_who},
    [OP_PLACE] = {.take = do_place},
    [OP_PROBE] = {.take = phpbb_probe},
    [OP_READ] = {.take = phpbb_read},
    [OP_SEND] = {.take = phpbb_send},
    [OP_EDIT] = {.take = phpbb_edit},
    [OP_FIND] = {.take = phpbb_find},
    [OP_DM] = {.take = phpbb_dm},
    [OP_DELETE] = {.take = phpbb_delete},
    [OP_OPEN] = {.take = phpbb_open},
    [OP_REACT] = {.lacks = "it has no reactions"},
    [OP_PIN] = {.lacks = "it has no pinned posts"},
    [OP_LOCK] = {.lacks = "it has no locked posts"},
    [OP_UPDATES] = {.take = phpbb_updates},
    [OP_USER] = {.take = phpbb_person},
    [OP_BELL] = {.lacks = "it has no doorbell"},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = phpbb_places},
    [OP_INVITE] = {.lacks = "nobody can be let into a private message later"},
};

/* The operation from its first step on. */
static enum advance
begin_op(struct exchange *exchange, struct phpbb_session *session)
{
    session->step = SESSION_OWN;
    memset(session->memory, 0, sizeof(session->memory));
    exchange->reply = NULL;
    return exchange_take(exchange, ops);
}

static enum advance
cut_off(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                        "%s: the page is cut off", exchange->service->name);
}

static enum advance
take_step(struct exchange *exchange)
{
    struct phpbb_session *session = phpbb_session(exchange);
    enum advance advance;

    if (exchange->reply == NULL) {
        const char *cookies = exchange_state(exchange, COOKIES);

        (void)snprintf(session->cookies, sizeof(session->cookies), "%s",
                       cookies);
        return *cookies == '\0' ? ask_login_form(exchange, session)
                                : begin_op(exchange, session);
    }
    parse_cookies(exchange, session);
    switch (session->step) {
    case SESSION_FORM:
        return exchange->reply->status == 200 && !is_whole(exchange)
                   ? cut_off(exchange)
                   : send_login(exchange, session);
    case SESSION_SENT:
        advance = parse_login(exchange, session);
        session->renewed = true;
        return advance == ADVANCE_DONE ? begin_op(exchange, session) : advance;
    case SESSION_OWN:
        break;
    }
    bool page = exchange->reply->status == 200 && !session->anybody;

    if (page && !is_whole(exchange)) {
        return cut_off(exchange);
    }
    /* A guest gets many of the pages too, but not as a member sees them. */
    if (page && !is_inside(exchange, session)) {
        return session->renewed ? phpbb_refused(exchange)
                                : ask_login_form(exchange, session);
    }
    return exchange_take(exchange, ops);
}

static enum advance
phpbb_advance(const struct service *service, const struct op *op,
              struct buf *scratch, const struct reply *reply,
              struct outcome *out, struct buf *why)
{
    struct exchange exchange = {service, op, scratch, reply, NULL, out, why};
    enum advance advance = take_step(&exchange);
    const struct phpbb_session *session = phpbb_session(&exchange);

    if (advance == ADVANCE_DONE &&
        strcmp(session->cookies, exchange_state(&exchange, COOKIES)) != 0) {
        (void)exchange_set_state(&exchange, COOKIES, session->cookies);
    }
    return advance;
}

/* One page tells of all topics, and of the inbox. */
static void
phpbb_updates_feed(const struct service *service, const char *feed,
                   struct buf *updates)
{
    (void)service;
    (void)feed;
    buf_add_text(updates, PHPBB_ACTIVE);
}

static void
phpbb_link(const struct service *service, const char *place, const char *post,
           struct buf *link)
{
    if (*post == '\0') {
        buf_addf(link, "%s/viewtopic.php?t=%s", service->base, place);
    } else {
        buf_addf(link, "%s/viewtopic.php?p=%s#p%s", service->base, post, post);
    }
}

const struct adapter adapter_phpbb = {
    .name = "phpbb",
    .dialect = &dialect_bbcode,
    .capabilities =
        {
            .longest =
                50000, /* max_post_chars is 60,000 by default, also for DMs */
            .shortest = 1, /* min_post_chars */
            .margin = FORUM_MARGIN_MS,
            .pause = FORUM_PAUSE_MS,
            .edits = true,
            .deletes = true,
            .threads = true,
            .rereads = true,
            .anyway = FORUM_EDITS_MS,
            .red = true,
            .finds = true,
            .merges = true,
        },
    .advance = phpbb_advance,
    .feed = forum_feed,
    .updates_feed = phpbb_updates_feed,
    .link = phpbb_link,
};
