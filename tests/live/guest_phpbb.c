/*
 * A player at a phpBB board, as in a browser: forms and pages.  Where things
 * stand in a page is known to adapters/phpbb/phpbb_pages.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/phpbb/phpbb_inner.h"
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
        int64_t number = 0;

        (void)page_number(buf_text(&response.location), "p=", &number);
        snprintf(id, 32, "%lld", (long long)number);
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
see(struct guest *guest, json_object *page, const char *id)
{
    json_object *posts = forum_get(page, "posts");
    struct forum_item post;
    unsigned count = 0;

    while (forum_read_nth(&forum_phpbb.shape.post, posts, count, &post)) {
        const char *body = post.body == NULL ? "" : post.body;
        bool by_host = post.name != NULL && guest_is(post.name, guest->host);

        if (by_host) {
            snprintf(guest->host_id, sizeof(guest->host_id), "%lld",
                     (long long)post.member);
        }
        guest_see(guest, id == NULL ? post.id : id, id != NULL, by_host, body,
                  strlen(body), "html");
        count++;
    }
    return count;
}

static json_object *
parts_of(const struct response *response)
{
    const struct reply reply = {.status = (int)response->status,
                                .body = buf_text(&response->body),
                                .len = response->body.len};

    return forum_read_page(&forum_phpbb, &reply);
}

/* From what was seen last on: `pages` counts posts here. */
static void
look(struct guest *guest)
{
    int64_t total;
    int asked = 0;

    do {
        struct buf path = BUF_INIT;
        struct response response = {.status = 0};
        unsigned from = guest->pages == 0 ? 0 : guest->pages - 1;

        ck_assert_int_lt(asked++, PAGE_MOST);
        buf_addf(&path, "/viewtopic.php?t=%s&start=%u", guest->topic, from);
        get(guest, buf_text(&path), &response);
        json_object *page = parts_of(&response);

        total = 0;
        (void)forum_number(page, "total", &total);
        guest->pages = from + see(guest, page, NULL);
        json_object_put(page);
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
    json_object *page = parts_of(&response);

    ck_assert_uint_eq(see(guest, page, id), 1);
    json_object_put(page);
    buf_release(&path);
    response_release(&response);
}

/* The newest stand first; they are opened the oldest first. */
static void
look_private(struct guest *guest)
{
    struct response response = {.status = 0};

    get(guest, "/ucp.php?i=pm&folder=inbox", &response);
    json_object *page = parts_of(&response);
    json_object *rows = forum_get(page, "rows");
    size_t count = json_object_array_length(rows);

    while (count-- > 0) {
        char id[FORUM_ID_MAX + 1];

        (void)forum_id(json_object_array_get_idx(rows, count), "message", id);
        if (!guest_has_seen(guest, id, true)) {
            open_message(guest, id);
        }
    }
    json_object_put(page);
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
