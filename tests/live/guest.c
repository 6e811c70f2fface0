#include "tests/live/guest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <check.h>
#include <curl/curl.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "bot/base/civil.h"
#include "tests/live/account.h"

enum {
    TRIES = 40,
    PATIENCE_MS = 3000, /* if a service doesn't say how long to wait */
};

/* ---- time ---------------------------------------------------------------- */

/* The clock may run faster than the one that sleep uses. */
void
guest_wait(int64_t time)
{
    int64_t until = live_now() + time;

    while (live_now() < until) {
        struct timespec nap = {0, 10000000};

        (void)nanosleep(&nap, NULL);
    }
}

/* ---- asking -------------------------------------------------------------- */

void
response_release(struct response *response)
{
    buf_release(&response->body);
    buf_release(&response->location);
}

static size_t
take_body(char *bytes, size_t size, size_t count, void *context)
{
    buf_add(context, bytes, size * count);
    return size * count;
}

/* Put a cookie in, "name=value". */
static void
keep_cookie(struct guest *guest, const char *cookie, size_t len)
{
    struct buf all = BUF_INIT;
    size_t name = (size_t)((const char *)memchr(cookie, '=', len) - cookie) + 1;
    const char *at = guest->cookies;

    while (*at != '\0') {
        size_t one = strcspn(at, ";");

        if (strncmp(at, cookie, name) != 0) {
            buf_addf(&all, "%.*s; ", (int)one, at);
        }
        at += one;
        at += strspn(at, "; ");
    }
    buf_addf(&all, "%.*s", (int)len, cookie);
    ck_assert_uint_lt(all.len, sizeof(guest->cookies));
    memcpy(guest->cookies, buf_text(&all), all.len + 1);
    buf_release(&all);
}

struct listening {
    struct guest *guest;
    struct response *response;
    long retry; /* seconds; 0: not told */
};

static size_t
take_header(char *bytes, size_t size, size_t count, void *context)
{
    static const char cookie[] = "set-cookie: ";
    static const char place[] = "location: ";
    static const char retry[] = "retry-after: ";
    struct listening *listening = context;
    size_t len = size * count;

    if (len > sizeof(cookie) &&
        strncasecmp(bytes, cookie, sizeof(cookie) - 1) == 0) {
        size_t from = sizeof(cookie) - 1;
        size_t end = from;

        while (end < len && strchr(";\r\n", bytes[end]) == NULL) {
            end++;
        }
        if (memchr(bytes + from, '=', end - from) != NULL) {
            keep_cookie(listening->guest, bytes + from, end - from);
        }
    } else if (strncasecmp(bytes, place, sizeof(place) - 1) == 0) {
        buf_clear(&listening->response->location);
        buf_add(&listening->response->location, bytes + sizeof(place) - 1,
                len - sizeof(place) + 1);
    } else if (strncasecmp(bytes, retry, sizeof(retry) - 1) == 0) {
        listening->retry = strtol(bytes + sizeof(retry) - 1, NULL, 10);
    }
    return len;
}

static struct curl_slist *
header_lines(const struct guest *guest, const char *type)
{
    const char *headers = buf_text(&guest->headers);
    struct curl_slist *list = NULL;
    struct buf line = BUF_INIT;

    while (*headers != '\0') {
        size_t len = strcspn(headers, "\n");

        buf_clear(&line);
        buf_add(&line, headers, len);
        list = curl_slist_append(list, buf_text(&line));
        headers += len + (headers[len] == '\n');
    }
    if (type != NULL) {
        buf_clear(&line);
        buf_addf(&line, "Content-Type: %s", type);
        list = curl_slist_append(list, buf_text(&line));
    }
    if (guest->cookies[0] != '\0') {
        buf_clear(&line);
        buf_addf(&line, "Cookie: %s", guest->cookies);
        list = curl_slist_append(list, buf_text(&line));
    }
    buf_release(&line);
    return list;
}

/* One connection for all requests. */
static CURL *handle;

/* Send once; answers how many ms to wait before it is sent again, 0: it was
 * answered. */
static int64_t
ask_once(struct guest *guest, const char *method, const char *url,
         struct curl_slist *headers, const struct buf *body,
         struct response *response)
{
    struct listening listening = {guest, response, 0};

    response->status = 0;
    buf_clear(&response->body);
    buf_clear(&response->location);
    curl_easy_reset(handle);
    (void)curl_easy_setopt(handle, CURLOPT_URL, url);
    (void)curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(handle, CURLOPT_WRITEDATA, &response->body);
    (void)curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    (void)curl_easy_setopt(handle, CURLOPT_HEADERDATA, &listening);
    (void)curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, 60000L);
    (void)curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
    if (body != NULL) {
        (void)curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, (long)body->len);
        (void)curl_easy_setopt(handle, CURLOPT_POSTFIELDS, buf_text(body));
    }
    CURLcode code = curl_easy_perform(handle);

    ck_assert_msg(code == CURLE_OK, "%s: %s %s: %s", guest->name, method, url,
                  curl_easy_strerror(code));
    (void)curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->status);
    guest->asked++;
    if (response->status != 429 && response->status < 502) {
        return 0;
    }
    return listening.retry > 0 ? listening.retry * SECOND_MS : PATIENCE_MS;
}

void
guest_ask(struct guest *guest, const char *method, const char *path,
          const char *type, const struct buf *body, struct response *response)
{
    struct curl_slist *list = header_lines(guest, type);
    struct buf url = BUF_INIT;
    int64_t wait = 1;

    if (handle == NULL) {
        handle = curl_easy_init();
        ck_assert_ptr_nonnull(handle);
    }
    buf_addf(&url, "%s%s", guest->base, path);
    for (int i = 0; wait > 0; i++) {
        ck_assert_msg(i < TRIES, "%s: %s %s: %ld", guest->name, method, path,
                      response->status);
        wait = ask_once(guest, method, buf_text(&url), list, body, response);
        if (wait > 0) {
            guest_wait(wait);
        }
    }
    curl_slist_free_all(list);
    buf_release(&url);
}

json_object *
guest_ask_json(struct guest *guest, const char *method, const char *path,
               const struct buf *body)
{
    struct response response = {.status = 0};

    guest_ask(guest, method, path, body == NULL ? NULL : "application/json",
              body, &response);
    ck_assert_msg(response.status == 200, "%s: %s %s: %ld %s", guest->name,
                  method, path, response.status, buf_text(&response.body));
    json_object *value = json_tokener_parse(buf_text(&response.body));

    ck_assert_ptr_nonnull(value);
    response_release(&response);
    return value;
}

json_object *
guest_send_json(struct guest *guest, const char *method, const char *path,
                const char *key, const char *text)
{
    struct buf body = BUF_INIT;

    if (text != NULL) {
        buf_add_char(&body, '{');
        jtext_key(&body, key);
        jtext_string(&body, text);
        buf_add_char(&body, '}');
    }
    json_object *value =
        guest_ask_json(guest, method, path, text == NULL ? NULL : &body);

    buf_release(&body);
    return value;
}

void
guest_enter_lower(struct guest *guest)
{
    for (size_t i = 0; guest->name[i] != '\0'; i++) {
        guest->user[i] = (char)tolower((unsigned char)guest->name[i]);
    }
}

/* ---- seeing -------------------------------------------------------------- */

bool
guest_is(const char *name, const char *other)
{
    return name != NULL && strcasecmp(name, other) == 0;
}

bool
guest_has_seen(const struct guest *guest, const char *id, bool dm)
{
    for (size_t i = 0; i < guest->count; i++) {
        if (guest->posts[i].dm == dm && strcmp(guest->posts[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* A forum may show the straight apostrophes of a post as curved ones
 * (enable_markdown_typographer). */
static void
straighten(char *text)
{
    static const char curved[] = "\xe2\x80\x99";
    char *from = text;

    while ((from = strstr(text, curved)) != NULL) {
        *from = '\'';
        text = from + 1;
        memmove(text, from + strlen(curved), strlen(from + strlen(curved)) + 1);
    }
}

void
guest_see(struct guest *guest, const char *id, bool dm, bool by_host,
          const char *body, size_t len, const char *dialect)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    if (guest_has_seen(guest, id, dm)) {
        return;
    }
    ck_assert_uint_lt(guest->count, GUEST_POSTS_MAX);
    dialects_find(dialect)->read(body, len, &rich, &unread);
    ck_assert(!unread);
    struct guest_post *post = &guest->posts[guest->count++];

    snprintf(post->id, sizeof(post->id), "%s", id);
    post->dm = dm;
    post->by_host = by_host;
    post->text = buf_take(&rich.text);
    straighten(post->text);
    rich_release(&rich);
}

void
guest_add_dm(struct guest *guest, const char *id)
{
    for (unsigned i = 0; i < guest->dm_count; i++) {
        if (strcmp(guest->dms[i], id) == 0) {
            return;
        }
    }
    ck_assert_uint_lt(guest->dm_count, DMS_MAX);
    snprintf(guest->dms[guest->dm_count++], sizeof(guest->dms[0]), "%s", id);
}

void
guest_enter(struct guest *guest, const struct guest_kind *kind)
{
    guest->kind = kind;
    guest->posts = must_alloc(GUEST_POSTS_MAX * sizeof(*guest->posts));
    kind->enter(guest);
}

void
guest_release(struct guest *guest)
{
    for (size_t i = 0; i < guest->count; i++) {
        free(guest->posts[i].text);
    }
    free(guest->posts);
    buf_wipe(&guest->headers);
}
