/*
 * The adapter of phpBB boards: the session, and logging in.
 * phpbb_read.c reads; phpbb_write.c does the rest; phpbb_page.c knows what
 * stands where in a page; phpbb_probe.c, what the account may.
 */
#include <assert.h>
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
hear_cookies(struct trip *trip, struct phpbb_session *session)
{
    static const char key[] = "set-cookie: ";
    const char *line = trip->reply->headers == NULL ? "" : trip->reply->headers;

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

/* ---- hearing ------------------------------------------------------------- */

/* Only members can log out; and the link to it has the session's id
 * (functions.php), which nobody else can write into a post. */
static bool
is_inside(const struct trip *trip, const struct phpbb_session *session)
{
    const char *at = strstr(session->cookies, "_sid=");
    struct html_span head = page_head(phpbb_page(trip));
    struct buf sid = BUF_INIT;
    struct buf href = BUF_INIT;

    if (at != NULL) {
        at += sizeof("_sid=") - 1;
        buf_addf(&sid, "sid=%.*s", (int)strcspn(at, ";"), at);
    }
    bool inside = trip->reply->status == 200 && at != NULL &&
                  page_find_link(head, "mode=logout", &href) &&
                  strstr(buf_text(&href), buf_text(&sid)) != NULL;

    buf_wipe(&sid);
    buf_wipe(&href);
    return inside;
}

/* Did the page come whole?  Some hosts add a line of theirs behind it. */
static bool
is_whole(const struct trip *trip)
{
    static const char end[] = "</html>";
    const size_t end_len = sizeof(end) - 1;
    const char *body = trip->reply->body;
    size_t len = trip->reply->len;

    for (size_t left = BEHIND_MAX; left > 0 && len >= end_len; left--) {
        if (memcmp(body + len - end_len, end, end_len) == 0) {
            return true;
        }
        len--;
    }
    return false;
}

/* ---- logging in ---------------------------------------------------------- */

static enum turn
ask_login_form(struct trip *trip, struct phpbb_session *session)
{
    if (trip->service->password == NULL) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: a board has no tokens: write user = \"NAME\" "
                            "into the service, and the account's password into "
                            "its token_file",
                            trip->service->name);
    }
    session->step = SESSION_FORM;
    session->cookies[0] = '\0';
    phpbb_get_form(trip, LOGIN);
    trip->out->request.login = true;
    return TURN_REQUEST;
}

static enum turn
send_login(struct trip *trip, struct phpbb_session *session)
{
    struct html_span form;
    struct buf fields = BUF_INIT;

    if (trip->reply->status != 200 ||
        !page_find_form(phpbb_page(trip), "password", &form)) {
        return phpbb_refused(trip);
    }
    page_add_hidden(form, " login redirect ", &fields);
    page_add_field(&fields, "username", trip->service->user);
    page_add_field(&fields, "password", trip->service->password);
    page_add_field(&fields, "redirect", "index.php");
    page_add_field(&fields, "autologin", "on");
    page_add_field(&fields, "login", "Login");
    session->step = SESSION_SENT;
    phpbb_post(trip, LOGIN, &fields);
    trip->out->request.login = true;
    return TURN_REQUEST;
}

static enum turn
hear_login(struct trip *trip, struct phpbb_session *session)
{
    /* Older boards say so on a page before they lead on. */
    if (trip->reply->status / 100 <= 3 && phpbb_member_of(session) != 0) {
        return TURN_DONE;
    }
    (void)phpbb_refused(trip);
    if (trip->out->refused == REFUSED_LOGIN) {
        buf_addf(trip->why,
                 "; log in once as %s in a browser, and the board lets the "
                 "host in again",
                 trip->service->user);
    } else if (trip->out->refused == REFUSED_ACCOUNT) {
        buf_addf(trip->why,
                 "; \"user\" must be the account's name, and is \"%s\"",
                 trip->service->user);
    }
    return TURN_FAILED;
}

/* ---- a configured topic -------------------------------------------------- */

static long long
topic_of(const char *address)
{
    return forum_is_number(address) ? strtoll(address, NULL, 10)
                                    : page_number(address, "t=");
}

static enum turn
turn_place(struct trip *trip)
{
    long long topic = topic_of(trip->errand->text);
    struct html_span page;
    char path[64];

    if (topic == 0) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no topic: write its address, "
                            "%s/viewtopic.php?t=NUMBER, or its number",
                            trip->service->name, trip->errand->text,
                            trip->service->base);
    }
    if (trip->reply == NULL) {
        (void)snprintf(path, sizeof(path), "/viewtopic.php?t=%lld", topic);
        phpbb_get(trip, path);
        return TURN_REQUEST;
    }
    page = phpbb_page(trip);
    if (page_total(page) < 0) {
        return phpbb_refused(trip);
    }
    buf_addf(&trip->out->id, "%lld", topic);
    return TURN_DONE;
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
take_errand(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return phpbb_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_PROBE:
        return phpbb_probe(trip);
    case ERRAND_READ:
        return phpbb_read(trip);
    case ERRAND_SEND:
        return phpbb_send(trip);
    case ERRAND_EDIT:
        return phpbb_edit(trip);
    case ERRAND_FIND:
        return phpbb_find(trip);
    case ERRAND_TALK:
        return phpbb_talk(trip);
    case ERRAND_DELETE:
        return phpbb_delete(trip);
    case ERRAND_OPEN:
        return phpbb_open(trip);
    case ERRAND_REACT:
        return forum_deny(trip, "reactions");
    case ERRAND_PIN:
        return forum_deny(trip, "pinned posts");
    case ERRAND_LOCK:
        return forum_deny(trip, "locked posts");
    case ERRAND_NEWS:
        return forum_deny(trip, "news of several topics");
    case ERRAND_USER:
        return phpbb_person(trip);
    }
    return TURN_FAILED;
}

/* The errand from its first turn on. */
static enum turn
begin_errand(struct trip *trip, struct phpbb_session *session)
{
    session->step = SESSION_OWN;
    memset(session->memory, 0, sizeof(session->memory));
    trip->reply = NULL;
    return take_errand(trip);
}

static enum turn
take_turn(struct trip *trip)
{
    struct phpbb_session *session = phpbb_session(trip);
    enum turn turn;

    if (trip->reply == NULL) {
        const char *cookies = trip_note(trip, COOKIES);

        (void)snprintf(session->cookies, sizeof(session->cookies), "%s",
                       cookies);
        return *cookies == '\0' ? ask_login_form(trip, session)
                                : begin_errand(trip, session);
    }
    hear_cookies(trip, session);
    switch (session->step) {
    case SESSION_FORM:
        return send_login(trip, session);
    case SESSION_SENT:
        turn = hear_login(trip, session);
        session->renewed = true;
        return turn == TURN_DONE ? begin_errand(trip, session) : turn;
    case SESSION_OWN:
        break;
    }
    bool page = trip->reply->status == 200 && !session->anybody;

    if (page && !is_whole(trip)) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the page is cut off", trip->service->name);
    }
    /* A guest sees many a page as well, but not as a member does. */
    if (page && !is_inside(trip, session)) {
        return session->renewed ? phpbb_refused(trip)
                                : ask_login_form(trip, session);
    }
    return take_errand(trip);
}

static enum turn
phpbb_turn(const struct service *service, const struct errand *errand,
           struct buf *work, const struct reply *reply, struct outcome *out,
           struct buf *why)
{
    struct trip trip = {service, errand, work, reply, NULL, out, why};
    enum turn turn = take_turn(&trip);
    const struct phpbb_session *session = phpbb_session(&trip);

    if (turn == TURN_DONE &&
        strcmp(session->cookies, trip_note(&trip, COOKIES)) != 0) {
        (void)trip_set_note(&trip, COOKIES, session->cookies);
    }
    return turn;
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
    .traits =
        {
            .longest = 50000, /* max_post_chars is 60,000 at first, of
                                 private messages, too */
            .shortest = 1,    /* min_post_chars */
            .dedupe = 0,
            .margin = FORUM_MARGIN_MS + SECOND_MS,
            .pause = FORUM_PAUSE_MS,
            .reactions = false,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = false,
            .threads = true,
            .shows_edits = true,
            .edits_follow = false,
            .rereads = true,
            .tells_talks = true,
            .hides_own = true, /* the inbox has what others have written */
            .disorder = false,
            .red = true,
            .red_required = true,
            .finds = true,
        },
    .turn = phpbb_turn,
    .feed = forum_feed,
    .link = phpbb_link,
};
