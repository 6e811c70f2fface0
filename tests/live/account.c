#include "tests/live/account.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/json.h"

#define CLIENT "/_matrix/client/v3"

static CURLM *multi;

int64_t
live_now(void)
{
    return clock_now();
}

static size_t
take_body(char *bytes, size_t size, size_t count, void *context)
{
    buf_add(context, bytes, size * count);
    return size * count;
}

void
path_add(struct buf *path, const char *text)
{
    char *encoded = curl_easy_escape(NULL, text, 0);

    buf_add_text(path, encoded);
    curl_free(encoded);
}

static struct curl_slist *
headers_of(const struct account *account)
{
    struct buf line = BUF_INIT;

    buf_addf(&line, "Authorization: Bearer %s", account->token);
    struct curl_slist *headers = curl_slist_append(NULL, buf_text(&line));

    buf_release(&line);
    return curl_slist_append(headers, "Content-Type: application/json");
}

static CURL *
request(const char *url, const struct curl_slist *headers, struct buf *body)
{
    CURL *easy = curl_easy_init();

    ck_assert_ptr_nonnull(easy);
    (void)curl_easy_setopt(easy, CURLOPT_URL, url);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    return easy;
}

json_object *
account_ask(const struct account *account, const char *method, const char *path,
            const char *body, long *status)
{
    /* One connection for all that is asked. */
    static CURL *handle;
    struct buf url = BUF_INIT;
    struct buf answer = BUF_INIT;
    struct curl_slist *headers = headers_of(account);
    long got = 0;

    buf_addf(&url, "%s" CLIENT "%s", account->base, path);
    if (handle == NULL) {
        handle = curl_easy_init();
    }
    curl_easy_reset(handle);
    (void)curl_easy_setopt(handle, CURLOPT_URL, buf_text(&url));
    (void)curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer);
    (void)curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, 60000L);
    (void)curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
    if (body != NULL) {
        (void)curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body);
    }
    CURLcode code = curl_easy_perform(handle);

    (void)curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &got);
    ck_assert_msg(status != NULL || (code == CURLE_OK && got == 200),
                  "%s: %s %s: %ld %s %s", account->user, method, path, got,
                  curl_easy_strerror(code), buf_text(&answer));
    if (status != NULL) {
        *status = code == CURLE_OK ? got : 0;
    }
    json_object *value = json_tokener_parse(buf_text(&answer));

    curl_slist_free_all(headers);
    buf_release(&url);
    buf_release(&answer);
    return value;
}

void
account_send(const struct account *account, const char *room, const char *type,
             const char *content, char *id)
{
    static unsigned number;
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, room);
    buf_addf(&path, "/send/%s/live.%lld.%u", type, (long long)live_now(),
             number++);
    json_object *answer =
        account_ask(account, "PUT", buf_text(&path), content, NULL);

    if (id != NULL) {
        snprintf(id, 128, "%s", jdoc_string(answer, "event_id"));
    }
    json_object_put(answer);
    buf_release(&path);
}

void
account_join(const struct account *account, const char *room)
{
    struct buf path = BUF_INIT;
    long status = 0;

    buf_add_text(&path, "/join/");
    path_add(&path, room);
    json_object_put(
        account_ask(account, "POST", buf_text(&path), "{}", &status));
    buf_release(&path);
}

void
account_leave(const struct account *account, const char *room)
{
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, room);
    buf_add_text(&path, "/leave");
    json_object_put(account_ask(account, "POST", buf_text(&path), "{}", NULL));
    buf_release(&path);
}

/* ---- listening ----------------------------------------------------------- */

static void
write_filter(const struct account *account, struct buf *filter)
{
    buf_add_text(filter, "{\"presence\":{\"types\":[]},\"account_data\":"
                         "{\"types\":[]},\"room\":{\"ephemeral\":{\"types\":"
                         "[]},\"account_data\":{\"types\":[]},\"timeline\":"
                         "{\"limit\":100,\"types\":[\"m.room.message\","
                         "\"m.reaction\"]},\"state\":{\"types\":[]}");
    if (account->ignored_room[0] != '\0') {
        buf_add_text(filter, ",\"not_rooms\":[");
        jtext_string(filter, account->ignored_room);
        buf_add_text(filter, "]");
    }
    buf_add_text(filter, "}}");
}

static void
write_sync(const struct account *account, int timeout, struct buf *path)
{
    struct buf filter = BUF_INIT;

    write_filter(account, &filter);
    buf_addf(path, "/sync?set_presence=offline&timeout=%d&filter=", timeout);
    path_add(path, buf_text(&filter));
    if (account->since.len > 0) {
        buf_addf(path, "&since=%s", buf_text(&account->since));
    }
    buf_release(&filter);
}

static void
remember(struct account *account, json_object *sync)
{
    const char *next = jdoc_string(sync, "next_batch");

    ck_assert_ptr_nonnull(next);
    buf_clear(&account->since);
    buf_add_text(&account->since, next);
}

void
account_listen(struct account *account)
{
    struct buf path = BUF_INIT;

    if (multi == NULL) {
        multi = curl_multi_init();
    }
    write_sync(account, 0, &path);
    json_object *sync =
        account_ask(account, "GET", buf_text(&path), NULL, NULL);

    remember(account, sync);
    json_object_put(sync);
    buf_release(&path);
}

static void
begin_poll(struct account *account)
{
    buf_clear(&account->url);
    buf_clear(&account->reply);
    buf_addf(&account->url, "%s" CLIENT, account->base);
    write_sync(account, 30000, &account->url);
    account->headers = headers_of(account);
    account->poll =
        request(buf_text(&account->url), account->headers, &account->reply);
    (void)curl_easy_setopt(account->poll, CURLOPT_PRIVATE, account);
    (void)curl_multi_add_handle(multi, account->poll);
}

static void
end_poll(struct account *account)
{
    (void)curl_multi_remove_handle(multi, account->poll);
    curl_easy_cleanup(account->poll);
    curl_slist_free_all(account->headers);
    account->poll = NULL;
    account->headers = NULL;
}

void
account_close(struct account *account)
{
    if (account->poll != NULL) {
        end_poll(account);
    }
    buf_release(&account->since);
    buf_release(&account->reply);
    buf_release(&account->url);
}

static void
parse_rooms(struct account *account, json_object *rooms, account_taker *take)
{
    json_object *invited = jdoc_get(rooms, "invite");
    json_object *joined = jdoc_get(rooms, "join");

    if (invited != NULL && (account->accepts || account->declines)) {
        json_object_object_foreach(invited, room, state)
        {
            (void)state;
            if (account->declines) {
                account_leave(account, room);
            } else {
                account_join(account, room);
            }
        }
    }
    if (joined == NULL) {
        return;
    }
    json_object_object_foreach(joined, room, part)
    {
        json_object *events = jdoc_get(jdoc_get(part, "timeline"), "events");

        for (size_t i = 0; i < json_object_array_length(events); i++) {
            take(account, room, json_object_array_get_idx(events, i));
        }
    }
}

/* A poll that came to its end; a server that is not there is polled again after
 * a while. */
static void
take_poll(struct account *account, CURLcode code, account_taker *take)
{
    long status = 0;

    (void)curl_easy_getinfo(account->poll, CURLINFO_RESPONSE_CODE, &status);
    json_object *sync = code == CURLE_OK && status == 200
                            ? json_tokener_parse(buf_text(&account->reply))
                            : NULL;

    end_poll(account);
    if (sync == NULL) {
        account->pause = live_now() + 200;
        return;
    }
    remember(account, sync);
    parse_rooms(account, jdoc_get(sync, "rooms"), take);
    json_object_put(sync);
}

void
accounts_wait(struct account *const *accounts, size_t count, int64_t patience,
              account_taker *take)
{
    const CURLMsg *message;
    int left = 0;
    int64_t now = live_now();

    for (size_t i = 0; i < count; i++) {
        if (accounts[i]->poll == NULL && accounts[i]->pause <= now) {
            begin_poll(accounts[i]);
        }
    }
    (void)curl_multi_perform(multi, &left);
    (void)curl_multi_poll(multi, NULL, 0, (int)patience, NULL);
    (void)curl_multi_perform(multi, &left);
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        struct account *account = NULL;

        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
                                (char **)&account);
        take_poll(account, message->data.result, take);
    }
}
