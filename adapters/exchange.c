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

/* A body that is not JSON only lacks a value: a proxy's error page does not
 * make the reply garbled. */
static json_object *
parse_body(const struct reply *reply, const char *const *keys)
{
    json_object *value = NULL;
    struct buf trouble = BUF_INIT;

    if (keys != NULL && reply_err(reply) == ERR_NONE) {
        (void)!jdoc_parse_members(reply->body, reply->len, keys, &value,
                                  &trouble);
    } else {
        (void)!jdoc_parse(reply->body, reply->len, false, &value, &trouble);
    }
    buf_release(&trouble);
    return value;
}

enum advance
exchange_advance(enum advance (*take)(struct exchange *exchange),
                 const char *const *keys, const struct service *service,
                 const struct op *op, struct buf *scratch,
                 const struct reply *reply, struct outcome *out,
                 struct buf *why)
{
    struct exchange exchange = {service, op, scratch, reply, NULL, out, why};

    if (reply != NULL && reply->len > 0) {
        exchange.value = parse_body(reply, keys);
    }
    enum advance advance = take(&exchange);

    json_object_put(exchange.value);
    return advance;
}

enum advance
exchange_take(struct exchange *exchange,
              const struct exchange_op ops[EXCHANGE_OPS])
{
    const struct exchange_op *op = &ops[exchange->op->kind];

    assert(op->take != NULL || op->lacks != NULL);
    return op->take != NULL
               ? op->take(exchange)
               : outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                              "%s: %s", exchange->service->name, op->lacks);
}

void *
exchange_memory(struct exchange *exchange, size_t size)
{
    if (exchange->scratch->len == 0) {
        void *empty = must_alloc(size);

        buf_add(exchange->scratch, empty, size);
        free(empty);
    }
    assert(exchange->scratch->len == size);
    return exchange->scratch->data;
}

const char *
exchange_state(const struct exchange *exchange, const char *key)
{
    return adapter_states_find(exchange->op->states, exchange->op->state_count,
                               key);
}

bool
exchange_set_state(struct exchange *exchange, const char *key,
                   const char *value)
{
    return adapter_states_set(&exchange->out->states, key, value);
}

void
exchange_add_name(const char *const *texts, size_t count, struct buf *name)
{
    unsigned char hash[NAME_BYTES];
    crypto_generichash_state state;

    (void)crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    for (size_t i = 0; i < count; i++) {
        /* With its NUL, so that no two lists of texts give the same bytes. */
        (void)crypto_generichash_update(&state, (const unsigned char *)texts[i],
                                        strlen(texts[i]) + 1);
    }
    (void)crypto_generichash_final(&state, hash, sizeof(hash));
    buf_add_hex(name, hash, sizeof(hash));
}

enum advance
exchange_refused_with(struct exchange *exchange, const char *said)
{
    if (reply_err(exchange->reply) == ERR_NONE) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the reply is not what was asked for",
                            exchange->service->name);
    }
    return outcome_refused(exchange->service, exchange->reply, said,
                           exchange->out, exchange->why);
}

/* ---- asking -------------------------------------------------------------- */

void
ask(struct exchange *exchange, const char *method, const char *path)
{
    struct request *request = &exchange->out->request;

    assert(strlen(method) < sizeof(request->method));
    request_clear(request);
    memcpy(request->method, method, strlen(method) + 1);
    buf_add_text(&request->url, exchange->service->base);
    buf_add_text(&request->url, path);
    request->authorized = true;
}

void
ask_part(struct exchange *exchange, const char *part)
{
    buf_add_char(&exchange->out->request.url, '/');
    url_add_part(&exchange->out->request.url, part);
}

void
ask_query(struct exchange *exchange, const char *key, const char *value)
{
    struct buf *url = &exchange->out->request.url;

    buf_addf(url, "%c%s=", strchr(buf_text(url), '?') == NULL ? '?' : '&', key);
    url_add_part(url, value);
}

static void
begin_member(struct exchange *exchange, const char *key)
{
    struct buf *body = &exchange->out->request.body;

    if (body->len == 0) {
        buf_add_text(body, "{");
    }
    jtext_key(body, key);
}

void
ask_text(struct exchange *exchange, const char *key, const char *text)
{
    begin_member(exchange, key);
    jtext_string(&exchange->out->request.body, text);
}

void
ask_json(struct exchange *exchange, const char *key, const char *json)
{
    begin_member(exchange, key);
    buf_add_text(&exchange->out->request.body, json);
}

void
ask_route(struct exchange *exchange, const char *route)
{
    struct request *request = &exchange->out->request;

    assert(strlen(route) < sizeof(request->route));
    memcpy(request->route, route, strlen(route) + 1);
}

void
ask_end(struct exchange *exchange, const char *route)
{
    static const char type[] = "application/json";
    struct request *request = &exchange->out->request;

    buf_add_text(&request->body, request->body.len == 0 ? "{}" : "}");
    memcpy(request->type, type, sizeof(type));
    ask_route(exchange, route);
}

void
exchange_without_picture(struct exchange *exchange)
{
    int status = exchange->reply->status;

    if (status / 100 != 5) {
        exchange->out->unpictured = true;
        buf_clear(&exchange->out->shown);
        buf_addf(&exchange->out->shown, "HTTP %d", status);
    }
}

int64_t
exchange_since(const struct exchange *exchange)
{
    const struct op *op = exchange->op;
    const struct reply *reply = exchange->reply;
    bool known = op->now > 0 && reply != NULL && reply->date > 0;
    int64_t tried = known ? op->tried - (op->now - reply->date) : op->tried;

    return op->tried != 0 && tried < op->since ? tried : op->since;
}

bool
exchange_is_other(const struct exchange *exchange, const char *post)
{
    const char *at = exchange->op->others;
    size_t len = strcspn(at, "\n");

    while (*at != '\0' &&
           (len != strlen(post) || strncmp(at, post, len) != 0)) {
        at += len;
        at += *at == '\n';
        len = strcspn(at, "\n");
    }
    return *at != '\0';
}

enum advance
exchange_looked(struct exchange *exchange, enum found found)
{
    struct outcome *out = exchange->out;

    out->found = out->id.len > 0 ? FOUND_IT : found;
    if (out->found != FOUND_NOT_YET) {
        buf_clear(&out->cursor);
    }
    return ADVANCE_DONE;
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

/* A line that occurs neither in a field nor in the picture. */
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
ask_picture(struct exchange *exchange, const struct form_field *fields,
            size_t count, const char *name)
{
    const struct picture *picture = &exchange->op->picture;
    struct request *request = &exchange->out->request;
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

/* ---- replies ------------------------------------------------------------- */

bool
is_success(const struct exchange *exchange)
{
    return exchange->reply != NULL && reply_err(exchange->reply) == ERR_NONE &&
           exchange->value != NULL;
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
parse_id(json_object *object, const char *key)
{
    const char *id = jdoc_string(object, key);

    return id == NULL || !is_id(id) ? NULL : id;
}

void
answer_id(struct exchange *exchange, const char *id)
{
    buf_clear(&exchange->out->id);
    buf_add_text(&exchange->out->id, id);
}

bool
parse_result(struct exchange *exchange, const char *key)
{
    const char *id =
        is_success(exchange) ? parse_id(exchange->value, key) : NULL;

    if (id == NULL) {
        return false;
    }
    answer_id(exchange, id);
    return true;
}

bool
parse_time(json_object *object, const char *key, int64_t *time)
{
    int64_t value;

    if (!jdoc_integer(object, key, &value) || value < 0 ||
        value > EXCHANGE_TIME_MAX) {
        return false;
    }
    *time = value;
    return true;
}
