#include "tests/support/recordings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/http/rate_limits.h"
#include "bot/base/files.h"
#include "tests/support/recordings_inner.h"

enum {
    SERVICES_MAX = 8
};

/* ---- routes -------------------------------------------------------------- */

/* Does a part of a path fit a part of a route?  Both end at `ends`. */
static bool
part_fits(const char *route, size_t route_len, const char *path, size_t len)
{
    return route_len > 0 && route[0] == ':'
               ? len > 0
               : route_len == len && strncmp(route, path, len) == 0;
}

static bool
path_fits(const char *route, const char *path)
{
    while (*route == '/' && *path == '/') {
        size_t route_len = strcspn(++route, "/?");
        size_t len = strcspn(++path, "/?");

        if (!part_fits(route, route_len, path, len)) {
            return false;
        }
        route += route_len;
        path += len;
    }
    return (*route == '\0' || *route == '?') && (*path == '\0' || *path == '?');
}

/* Is a key, or a key and its value, in a query? */
static bool
query_has(const char *query, const char *field, size_t len)
{
    bool valued = memchr(field, '=', len) != NULL;

    while (*query != '\0') {
        size_t whole = strcspn(query, "&");
        size_t compared = valued ? whole : strcspn(query, "=&");

        if (compared == len && strncmp(query, field, len) == 0) {
            return true;
        }
        query += whole + (query[whole] == '&' ? 1 : 0);
    }
    return false;
}

static bool
query_fits(const char *route, const char *path)
{
    const char *wanted = strchr(route, '?');
    const char *query = strchr(path, '?');

    query = query == NULL ? "" : query + 1;
    for (wanted = wanted == NULL ? "" : wanted + 1; *wanted != '\0';) {
        size_t len = strcspn(wanted, "&");

        if (!query_has(query, wanted, len)) {
            return false;
        }
        wanted += len + (wanted[len] == '&' ? 1 : 0);
    }
    return true;
}

const char *
recordings_route(const struct recordings *recordings, const char *method,
                 const char *path)
{
    size_t len = strlen(method);

    for (unsigned i = 0; i < recordings->route_count; i++) {
        const char *route = recordings->routes[i];

        if (strncmp(route, method, len) == 0 && route[len] == ' ' &&
            path_fits(route + len + 1, path) &&
            query_fits(route + len + 1, path)) {
            return route;
        }
    }
    return NULL;
}

/* ---- files --------------------------------------------------------------- */

static void
read_file(const char *folder, const char *name, struct buf *text)
{
    struct buf path = BUF_INIT;
    struct buf why = BUF_INIT;

    buf_addf(&path, "%s/%s", folder, name);
    ck_assert_msg(file_read(buf_text(&path), text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    buf_release(&path);
    buf_release(&why);
}

static void
read_routes(struct recordings *recordings, const char *folder)
{
    struct buf text = BUF_INIT;

    read_file(folder, "ROUTES", &text);
    for (const char *line = buf_text(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");

        if (len > 0 && *line != '#') {
            ck_assert_uint_lt(recordings->route_count, ROUTES_MAX);
            ck_assert_uint_lt(len, ROUTE_LEN);
            snprintf(recordings->routes[recordings->route_count++], ROUTE_LEN,
                     "%.*s", (int)len, line);
        }
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    buf_release(&text);
}

/* Take the next line of a text; its length. */
static size_t
take_line(const char **at, const char **line)
{
    size_t len = strcspn(*at, "\n");

    *line = *at;
    *at += len + ((*at)[len] == '\n' ? 1 : 0);
    return len > 0 && (*line)[len - 1] == '\r' ? len - 1 : len;
}

/* Read header lines up to the blank one behind them. */
static void
take_headers(const char **at, struct buf *headers)
{
    const char *line;
    size_t len;

    while ((len = take_line(at, &line)) > 0) {
        if (headers != NULL) {
            buf_addf(headers, "%.*s\n", (int)len, line);
        }
    }
}

/* Comments, and the request's line. */
static void
take_request(struct recording *recording, const char **at)
{
    static const char source[] = "# source:";
    const char *line;
    size_t len = take_line(at, &line);

    while (len > 0 && *line == '#') {
        recording->documented |= strncmp(line, source, sizeof(source) - 1) == 0;
        len = take_line(at, &line);
    }
    size_t method = strcspn(line, " ");

    ck_assert_msg(method < len && method < sizeof(recording->method),
                  "%s.http: no request line", recording->name);
    snprintf(recording->method, sizeof(recording->method), "%.*s", (int)method,
             line);
    buf_add(&recording->path, line + method + 1, len - method - 1);
    take_headers(at, NULL);
}

/* A file's text, taken apart.  A body may have any bytes: only what stands
 * before the reply's is read by lines. */
static void
take_apart(struct recording *recording, const struct buf *text)
{
    static const char mark[] = "=== reply ";
    const char *at = buf_text(text);

    take_request(recording, &at);
    const char *reply = strncmp(at, mark, sizeof(mark) - 1) == 0
                            ? at
                            : strstr(at, "\n=== reply ");

    ck_assert_msg(reply != NULL, "%s.http: no line \"%sSTATUS\"",
                  recording->name, mark);
    buf_add(&recording->request, at, (size_t)(reply - at));
    at = reply + (*reply == '\n' ? 1 : 0);
    recording->status = (int)strtol(at + sizeof(mark) - 1, NULL, 10);
    const char *line;

    (void)take_line(&at, &line);
    take_headers(&at, &recording->headers);
    buf_add(&recording->body, at, text->len - (size_t)(at - buf_text(text)));
    recording->value = json_tokener_parse(buf_text(&recording->body));
}

static void
add_recording(struct recordings *recordings, const char *folder,
              const char *file)
{
    struct buf text = BUF_INIT;

    ck_assert_uint_lt(recordings->count, RECORDINGS_MAX);
    struct recording *recording = &recordings->list[recordings->count++];

    memset(recording, 0, sizeof(*recording));
    snprintf(recording->name, sizeof(recording->name), "%.*s",
             (int)(strlen(file) - strlen(".http")), file);
    read_file(folder, file, &text);
    take_apart(recording, &text);
    recording->route = recordings_route(recordings, recording->method,
                                        buf_text(&recording->path));
    ck_assert_msg(recording->route != NULL, "%s/%s: no route for %s %s", folder,
                  file, recording->method, buf_text(&recording->path));
    buf_release(&text);
}

static int
by_name(const void *a, const void *b)
{
    const struct recording *left = a;
    const struct recording *right = b;

    return strcmp(left->name, right->name);
}

static void
read_folder(struct recordings *recordings, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    ck_assert_msg(dir != NULL, "%s is not there", folder);
    while ((entry = readdir(dir)) != NULL) {
        const char *end = strrchr(entry->d_name, '.');

        if (end != NULL && strcmp(end, ".http") == 0) {
            add_recording(recordings, folder, entry->d_name);
        }
    }
    closedir(dir);
    ck_assert_msg(recordings->count > 0, "%s has no recordings", folder);
    qsort(recordings->list, recordings->count, sizeof(recordings->list[0]),
          by_name);
}

const struct recordings *
recordings_of(const char *service)
{
    static struct recordings *all[SERVICES_MAX];
    char folder[96];
    unsigned at = 0;

    while (at < SERVICES_MAX && all[at] != NULL &&
           strcmp(all[at]->service, service) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, SERVICES_MAX);
    if (all[at] == NULL) {
        all[at] = must_alloc(sizeof(*all[at]));
        snprintf(all[at]->service, sizeof(all[at]->service), "%s", service);
        snprintf(folder, sizeof(folder), "tests/fixtures/%s/recorded", service);
        read_routes(all[at], folder);
        read_folder(all[at], folder);
    }
    return all[at];
}

/* ---- one of them --------------------------------------------------------- */

size_t
recordings_count(const struct recordings *recordings)
{
    return recordings->count;
}

const struct recording *
recordings_at(const struct recordings *recordings, size_t at)
{
    ck_assert_uint_lt(at, recordings->count);
    return &recordings->list[at];
}

const struct recording *
recordings_named(const struct recordings *recordings, const char *name)
{
    for (size_t i = 0; i < recordings->count; i++) {
        if (strcmp(recordings->list[i].name, name) == 0) {
            return &recordings->list[i];
        }
    }
    ck_abort_msg("%s: no recording is called %s", recordings->service, name);
    return NULL;
}

struct reply
recording_reply(const struct recording *recording)
{
    struct reply reply = {.status = recording->status,
                          .body = buf_text(&recording->body),
                          .len = recording->body.len,
                          .retry_after = -1,
                          .headers = buf_text(&recording->headers)};

    limits_read_times(&reply, 0);
    return reply;
}

size_t
recordings_like(const struct recordings *recordings, const char *method,
                const char *path, int status,
                const struct recording *like[RECORDINGS_MAX], struct buf *why)
{
    const char *route = recordings_route(recordings, method, path);
    size_t count = 0;

    for (size_t i = 0; route != NULL && i < recordings->count; i++) {
        const struct recording *recording = &recordings->list[i];

        if (recording->route == route && recording->status == status) {
            like[count++] = recording;
        }
    }
    if (route == NULL) {
        buf_addf(why, "%s: no route for %s %s", recordings->service, method,
                 path);
    } else if (count == 0) {
        buf_addf(why, "%s: %s was never seen to answer %d (%s)",
                 recordings->service, route, status, path);
    }
    return count;
}
