/*
 * A player at a phpBB board, as in a browser: forms and pages.  Where things
 * stand in a page is known to adapters/phpbb/phpbb_page.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/phpbb/phpbb_page.h"
#include "tests/live/guest.h"

enum {
    APART_MS = 2100, /* a form comes back in a later second */
    PAGE_MOST = 100,
    FLOODS_MAX = 20
};

static struct html_span
page_of(const struct response *response)
{
    struct html_span page = {buf_text(&response->body), response->body.len};

    return page;
}

static void
get(struct guest *guest, const char *path, struct response *response)
{
    guest_ask(guest, "GET", path, NULL, NULL, response);
    ck_assert_msg(response->status == 200, "%s: %s: %ld", guest->name, path,
                  response->status);
}

/* What stands in the form's subject stays, as it would in a browser. */
static void
add_subject(struct html_span form, struct buf *body)
{
    struct buf subject = BUF_INIT;

    if (page_field_value(form, "subject", &subject)) {
        page_add_field(body, "subject",
                       subject.len > 0 ? buf_text(&subject) : "Well");
    }
    buf_release(&subject);
}

/* Get a form, and send it to its own address with these fields besides its own.
 */
static void
send_form_to(struct guest *guest, const char *path, const char *action,
             const char *field, const char *const *fields,
             struct response *response)
{
    struct html_span form;
    struct buf body = BUF_INIT;

    get(guest, path, response);
    ck_assert_msg(page_find_form(page_of(response), field, &form), "%s: %s: %s",
                  guest->name, path, buf_text(&response->body));
    for (; *fields != NULL; fields += 2) {
        page_add_field(&body, fields[0], fields[1]);
    }
    add_subject(form, &body);
    page_add_hidden(form, " topic_cur_post_id redirect ", &body);
    guest_wait(APART_MS);
    guest_ask(guest, "POST", action, "application/x-www-form-urlencoded", &body,
              response);
    buf_release(&body);
}

/* Most forms are sent to where they came from. */
static void
send_form(struct guest *guest, const char *path, const char *field,
          const char *const *fields, struct response *response)
{
    send_form_to(guest, path, path, field, fields, response);
}

static void
enter(struct guest *guest)
{
    const char *const fields[] = {"username",    guest->name, "password",
                                  guest->secret, "login",     "Login",
                                  "redirect",    "index.php", NULL};
    struct response response = {.status = 0};

    send_form(guest, "/ucp.php?mode=login", "username", fields, &response);
    ck_assert_msg(response.status == 302, "%s may not log in: %s", guest->name,
                  buf_text(&response.body));
    const char *number = strstr(guest->cookies, "_u=");

    ck_assert_ptr_nonnull(number);
    snprintf(guest->user, sizeof(guest->user), "%ld",
             strtol(number + 3, NULL, 10));
    response_release(&response);
}

/* Was it too soon after the last? */
static bool
is_flood(const struct response *response)
{
    return response->status == 200 &&
           strstr(buf_text(&response->body), "so soon after your last") != NULL;
}

static void
say(struct guest *guest, const char *text, char *id)
{
    struct buf path = BUF_INIT;
    struct response response = {.status = 0};
    const char *const fields[] = {"message",           text, "post", "Submit",
                                  "topic_cur_post_id", "0",  NULL};

    buf_addf(&path, "/posting.php?mode=reply&t=%s", guest->topic);
    for (int i = 0; response.status != 302; i++) {
        send_form(guest, buf_text(&path), "message", fields, &response);
        ck_assert_msg(
            response.status == 302 || (is_flood(&response) && i < FLOODS_MAX),
            "%s: not posted: %s", guest->name, buf_text(&response.body));
    }
    if (id != NULL) {
        snprintf(id, 32, "%lld",
                 page_number(buf_text(&response.location), "p="));
    }
    buf_release(&path);
    response_release(&response);
}

#define COMPOSE "/ucp.php?i=pm&mode=compose"

static void
answer(struct guest *guest, const char *text)
{
    struct buf path = BUF_INIT;
    struct response response = {.status = 0};

    buf_addf(&path, COMPOSE "&u=%s", guest->host_id);
    const char *const fields[] = {"message", text, "post", "Submit", NULL};

    do {
        send_form_to(guest, buf_text(&path), COMPOSE "&action=post", "message",
                     fields, &response);
    } while (is_flood(&response));
    ck_assert_msg(response.status == 200 &&
                      strstr(buf_text(&response.body), "successfully") != NULL,
                  "%s: not sent: %s", guest->name, buf_text(&response.body));
    buf_release(&path);
    response_release(&response);
}

static void
alter(struct guest *guest, const char *id, const char *text)
{
    struct buf path = BUF_INIT;
    struct response response = {.status = 0};
    const char *const fields[] = {"message", text, "post", "Submit", NULL};

    buf_addf(&path, "/posting.php?mode=edit&p=%s", id);
    send_form(guest, buf_text(&path), "message", fields, &response);
    ck_assert_msg(response.status == 302, "%s: not edited: %s", guest->name,
                  buf_text(&response.body));
    buf_release(&path);
    response_release(&response);
}

/* See the posts of a page; how many they are.  `id`: what the one message of a
 * page is called. */
static unsigned
see(struct guest *guest, const struct response *response, const char *id)
{
    struct html_span rest = page_of(response);
    struct page_post post;
    unsigned count = 0;

    while (page_next_post(&rest, &post)) {
        bool by_host = guest_is(buf_text(&post.name), guest->host);
        char number[32];

        snprintf(number, sizeof(number), "%lld", post.id);
        if (by_host) {
            snprintf(guest->host_id, sizeof(guest->host_id), "%lld",
                     post.author);
        }
        guest_see(guest, id == NULL ? number : id, id != NULL, by_host,
                  post.content.text, post.content.len, "html");
        page_post_release(&post);
        count++;
    }
    return count;
}

/* From what was seen last on: `pages` counts posts here. */
static void
look(struct guest *guest)
{
    long long total;
    int asked = 0;

    do {
        struct buf path = BUF_INIT;
        struct response response = {.status = 0};
        unsigned from = guest->pages == 0 ? 0 : guest->pages - 1;

        ck_assert_int_lt(asked++, PAGE_MOST);
        buf_addf(&path, "/viewtopic.php?t=%s&start=%u", guest->topic, from);
        get(guest, buf_text(&path), &response);
        total = page_total(page_of(&response));
        guest->pages = from + see(guest, &response, NULL);
        buf_release(&path);
        response_release(&response);
    } while (guest->pages < total);
}

static void
open_message(struct guest *guest, const char *id)
{
    struct buf path = BUF_INIT;
    struct response response = {.status = 0};

    buf_addf(&path, "/ucp.php?i=pm&mode=view&f=0&p=%s", id);
    get(guest, buf_text(&path), &response);
    ck_assert_uint_eq(see(guest, &response, id), 1);
    buf_release(&path);
    response_release(&response);
}

/* The newest stand first; they are opened the oldest first. */
static void
look_private(struct guest *guest)
{
    struct response response = {.status = 0};
    struct html_tag tag;
    struct buf href = BUF_INIT;
    long long found[PAGE_MOST];
    unsigned count = 0;

    get(guest, "/ucp.php?i=pm&folder=inbox", &response);
    struct html_span rest = page_of(&response);

    while (page_next_tag(&rest, &tag)) {
        if (!tag.closing && html_is(tag.name, "a") && count < PAGE_MOST &&
            page_attribute(&tag, "href", &href) &&
            strstr(buf_text(&href), "mode=view&f=") != NULL &&
            page_number(buf_text(&href), "p=") > 0) {
            found[count++] = page_number(buf_text(&href), "p=");
        }
    }
    while (count-- > 0) {
        char id[32];

        snprintf(id, sizeof(id), "%lld", found[count]);
        if (!guest_has_seen(guest, id, true)) {
            open_message(guest, id);
        }
    }
    buf_release(&href);
    response_release(&response);
}

const struct guest_kind guest_phpbb = {
    .name = "phpbb",
    .bold = "[b]%s[/b]",
    .named = "[b][color=red]%s[/color][/b]",
    .names_host = true,
    .told_soon = true,
    .enter = enter,
    .say = say,
    .answer = answer,
    .alter = alter,
    .look = look,
    .look_private = look_private,
};
