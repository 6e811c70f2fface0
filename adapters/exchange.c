#include "adapters/exchange.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"

enum {
    NAME_BYTES = 16,
    BOUNDARY_SIZE = 40
};

enum turn
trip_turn(enum turn (*take)(struct trip *trip), const struct service *service,
          const struct errand *errand, struct buf *work,
          const struct reply *reply, struct outcome *out, struct buf *why)
{
    struct trip trip = {service, errand, work, reply, NULL, out, why};
    struct buf trouble = BUF_INIT;

    /* A body that is no JSON is told from one that is by its value alone: an
     * error page of a proxy is nothing to be garbled about. */
    if (reply != NULL && reply->len > 0) {
        (void)!jdoc_parse(reply->body, reply->len, false, &trip.value,
                          &trouble);
    }
    enum turn turn = take(&trip);

    json_object_put(trip.value);
    buf_release(&trouble);
    return turn;
}

void *
trip_memory(struct trip *trip, size_t size)
{
    if (trip->work->len == 0) {
        void *empty = must_alloc(size);

        buf_add(trip->work, empty, size);
        free(empty);
    }
    assert(trip->work->len == size);
    return trip->work->data;
}

const char *
trip_note(const struct trip *trip, const char *key)
{
    for (unsigned i = 0; i < trip->errand->note_count; i++) {
        if (strcmp(trip->errand->notes[i].key, key) == 0) {
            return trip->errand->notes[i].value;
        }
    }
    return "";
}

bool
trip_set_note(struct trip *trip, const char *key, const char *value)
{
    struct note *note = &trip->out->notes[trip->out->note_count];

    if (strlen(value) >= sizeof(note->value)) {
        return false;
    }
    assert(trip->out->note_count < ADAPTER_NOTES_MAX &&
           strlen(key) < sizeof(note->key));
    memcpy(note->key, key, strlen(key) + 1);
    memcpy(note->value, value, strlen(value) + 1);
    trip->out->note_count++;
    return true;
}

void
trip_add_name(const char *const *texts, size_t count, struct buf *name)
{
    unsigned char hash[NAME_BYTES];
    crypto_generichash_state state;

    (void)crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    for (size_t i = 0; i < count; i++) {
        /* With its NUL, so that no two rows of texts are alike. */
        (void)crypto_generichash_update(&state, (const unsigned char *)texts[i],
                                        strlen(texts[i]) + 1);
    }
    (void)crypto_generichash_final(&state, hash, sizeof(hash));
    buf_add_hex(name, hash, sizeof(hash));
}

enum turn
trip_refused_with(struct trip *trip, const char *said)
{
    if (reply_err(trip->reply) == ERR_NONE) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the reply is not what was asked for",
                            trip->service->name);
    }
    return outcome_refused(trip->service, trip->reply, said, trip->out,
                           trip->why);
}

/* ---- asking -------------------------------------------------------------- */

void
ask(struct trip *trip, const char *method, const char *path)
{
    struct request *request = &trip->out->request;

    assert(strlen(method) < sizeof(request->method));
    request_clear(request);
    memcpy(request->method, method, strlen(method) + 1);
    buf_add_text(&request->url, trip->service->base);
    buf_add_text(&request->url, path);
    request->authorized = true;
}

void
ask_part(struct trip *trip, const char *part)
{
    buf_add_char(&trip->out->request.url, '/');
    url_add_part(&trip->out->request.url, part);
}

void
ask_query(struct trip *trip, const char *key, const char *value)
{
    struct buf *url = &trip->out->request.url;

    buf_addf(url, "%c%s=", strchr(buf_text(url), '?') == NULL ? '?' : '&', key);
    url_add_part(url, value);
}

static void
begin_member(struct trip *trip, const char *key)
{
    struct buf *body = &trip->out->request.body;

    if (body->len == 0) {
        buf_add_text(body, "{");
    }
    jtext_key(body, key);
}

void
ask_text(struct trip *trip, const char *key, const char *text)
{
    begin_member(trip, key);
    jtext_string(&trip->out->request.body, text);
}

void
ask_json(struct trip *trip, const char *key, const char *json)
{
    begin_member(trip, key);
    buf_add_text(&trip->out->request.body, json);
}

void
ask_route(struct trip *trip, const char *route)
{
    struct request *request = &trip->out->request;

    assert(strlen(route) < sizeof(request->route));
    memcpy(request->route, route, strlen(route) + 1);
}

void
ask_end(struct trip *trip, const char *route)
{
    static const char type[] = "application/json";
    struct request *request = &trip->out->request;

    buf_add_text(&request->body, request->body.len == 0 ? "{}" : "}");
    memcpy(request->type, type, sizeof(type));
    ask_route(trip, route);
}

void
trip_without_picture(struct trip *trip)
{
    int status = trip->reply->status;

    if (status / 100 != 5) {
        trip->out->unpictured = true;
        buf_clear(&trip->out->shown);
        buf_addf(&trip->out->shown, "HTTP %d", status);
    }
}

/* ---- a form with a picture in it ----------------------------------------- */

static bool
holds(const unsigned char *bytes, size_t len, const char *text)
{
    size_t size = strlen(text);

    for (size_t i = 0; i + size <= len; i++) {
        if (memcmp(bytes + i, text, size) == 0) {
            return true;
        }
    }
    return false;
}

/* A line that neither a field nor the picture has in it. */
static void
choose_boundary(const struct picture *picture, const struct form_field *fields,
                size_t count, char boundary[BOUNDARY_SIZE])
{
    unsigned number = 0;
    bool taken;

    do {
        (void)snprintf(boundary, BOUNDARY_SIZE, "placard-%010u-picture",
                       number++);
        taken = holds(picture->bytes, picture->len, boundary);
        for (size_t i = 0; i < count; i++) {
            taken = taken || strstr(fields[i].value, boundary) != NULL;
        }
    } while (taken);
}

void
ask_picture(struct trip *trip, const struct form_field *fields, size_t count,
            const char *name)
{
    const struct picture *picture = &trip->errand->picture;
    struct request *request = &trip->out->request;
    struct buf body = BUF_INIT;
    char boundary[BOUNDARY_SIZE];

    choose_boundary(picture, fields, count, boundary);
    for (size_t i = 0; i < count; i++) {
        buf_addf(&body,
                 "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n",
                 boundary, fields[i].name);
        if (*fields[i].type != '\0') {
            buf_addf(&body, "Content-Type: %s\r\n", fields[i].type);
        }
        buf_addf(&body, "\r\n%s\r\n", fields[i].value);
    }
    buf_addf(&body,
             "--%s\r\nContent-Disposition: form-data; name=\"%s\"; "
             "filename=\"%s\"\r\nContent-Type: %s\r\n\r\n",
             boundary, name, picture_name(picture), picture_type(picture));
    buf_add(&body, picture->bytes, picture->len);
    buf_addf(&body, "\r\n--%s--\r\n", boundary);
    buf_wipe(&request->body);
    request->body = body;
    (void)snprintf(request->type, sizeof(request->type),
                   "multipart/form-data; boundary=%s", boundary);
}

/* ---- hearing ------------------------------------------------------------- */

bool
heard_well(const struct trip *trip)
{
    return trip->reply != NULL && reply_err(trip->reply) == ERR_NONE &&
           trip->value != NULL;
}

bool
is_id(const char *text)
{
    size_t len = 0;

    for (; text[len] != '\0'; len++) {
        if ((unsigned char)text[len] <= ' ' || text[len] == 0x7F) {
            return false;
        }
    }
    return len > 0 && len <= ADAPTER_ID_MAX;
}

const char *
hear_id(json_object *object, const char *key)
{
    const char *id = jdoc_string(object, key);

    return id == NULL || !is_id(id) ? NULL : id;
}

bool
hear_result(struct trip *trip, const char *key)
{
    const char *id = heard_well(trip) ? hear_id(trip->value, key) : NULL;

    if (id == NULL) {
        return false;
    }
    buf_clear(&trip->out->id);
    buf_add_text(&trip->out->id, id);
    return true;
}

bool
hear_time(json_object *object, const char *key, int64_t *time)
{
    int64_t heard;

    if (!jdoc_integer(object, key, &heard) || heard < 0 ||
        heard > TRIP_TIME_MAX) {
        return false;
    }
    *time = heard;
    return true;
}
