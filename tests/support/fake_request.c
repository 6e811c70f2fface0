#include "tests/support/fake_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

static int
hex(char byte)
{
    const char *digits = "0123456789abcdef";
    const char *at = strchr(digits, byte | 0x20);

    return byte == '\0' || at == NULL ? -1 : (int)(at - digits);
}

/* Append what a part of a URL says; `form`: "+" is a blank. */
static void
decode(const char *text, size_t len, bool form, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '%' && i + 2 < len && hex(text[i + 1]) >= 0 &&
            hex(text[i + 2]) >= 0) {
            buf_add_char(out, (char)(16 * hex(text[i + 1]) + hex(text[i + 2])));
            i += 2;
        } else {
            buf_add_char(out, (char)(form && text[i] == '+' ? ' ' : text[i]));
        }
    }
}

static void
add_fields(struct web *web, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "&");
        size_t key = strcspn(text, "=&");
        struct buf name = BUF_INIT;
        struct buf value = BUF_INIT;

        ck_assert_uint_lt(web->field_count, WEB_FIELDS_MAX);
        struct web_field *field = &web->fields[web->field_count++];

        decode(text, key, true, &name);
        if (key < len) {
            decode(text + key + 1, len - key - 1, true, &value);
        }
        snprintf(field->key, sizeof(field->key), "%s", buf_text(&name));
        field->value = must_copy(buf_text(&value));
        buf_release(&name);
        buf_release(&value);
        text += len + (text[len] == '&' ? 1 : 0);
    }
}

static void
add_field(struct web *web, const char *key, size_t key_len, const char *value,
          size_t len)
{
    struct buf copy = BUF_INIT;

    ck_assert_uint_lt(web->field_count, WEB_FIELDS_MAX);
    struct web_field *field = &web->fields[web->field_count++];

    buf_add(&copy, value, len);
    snprintf(field->key, sizeof(field->key), "%.*s", (int)key_len, key);
    field->value = must_copy(buf_text(&copy));
    buf_release(&copy);
}

/* Where a text begins in bytes; NULL: nowhere. */
static const char *
find_bytes(const char *at, const char *end, const char *text)
{
    size_t len = strlen(text);

    for (; at + len <= end; at++) {
        if (memcmp(at, text, len) == 0) {
            return at;
        }
    }
    return NULL;
}

/* A part of a form: its header says its name, and that of a file. */
static void
add_part(struct web *web, const char *at, const char *end)
{
    static const char name_key[] = "form-data; name=\"";
    static const char file_key[] = "; filename=\"";
    const char *blank = find_bytes(at, end, "\r\n\r\n");

    ck_assert_ptr_nonnull(blank);
    const char *name = find_bytes(at, blank, name_key);
    const char *file = find_bytes(at, blank, file_key);

    ck_assert_ptr_nonnull(name);
    name += strlen(name_key);
    blank += 4;
    if (file != NULL) {
        file += strlen(file_key);
        web->file = blank;
        web->file_len = (size_t)(end - blank);
        add_field(web, name, strcspn(name, "\""), file, strcspn(file, "\""));
    } else {
        add_field(web, name, strcspn(name, "\""), blank, (size_t)(end - blank));
    }
}

/* A form with a file in it (RFC 7578). */
static void
add_parts(struct web *web, const char *boundary, const struct buf *body)
{
    const char *at = buf_text(body);
    const char *end = at + body->len;
    char line[96];

    snprintf(line, sizeof(line), "\r\n--%s", boundary);
    ck_assert_int_eq(strncmp(at, line + 2, strlen(line) - 2), 0);
    at += strlen(line) - 2;
    while (strncmp(at, "--\r\n", 4) != 0) {
        const char *next = find_bytes(at, end, line);

        ck_assert_ptr_nonnull(next);
        add_part(web, at, next);
        at = next + strlen(line);
    }
    ck_assert_ptr_eq(at + 4, end);
}

void
web_open(struct web *web, const char *base, const struct request *request)
{
    static const char multipart[] = "multipart/form-data; boundary=";
    const char *path = buf_text(&request->url);
    struct buf part = BUF_INIT;

    memset(web, 0, sizeof(*web));
    web->request = request;
    ck_assert_msg(strncmp(path, base, strlen(base)) == 0, "%s", path);
    path += strlen(base);
    while (*path == '/') {
        size_t len = strcspn(path + 1, "/?");

        ck_assert_uint_lt(web->part_count, WEB_PARTS_MAX);
        buf_clear(&part);
        decode(path + 1, len, false, &part);
        snprintf(web->parts[web->part_count++], WEB_TEXT_MAX, "%s",
                 buf_text(&part));
        path += 1 + len;
    }
    if (*path == '?') {
        add_fields(web, path + 1);
    }
    if (strstr(request->type, "json") != NULL) {
        web->body = json_tokener_parse(buf_text(&request->body));
        ck_assert_msg(web->body != NULL, "%s", buf_text(&request->body));
    } else if (strcmp(request->type, "application/x-www-form-urlencoded") ==
               0) {
        add_fields(web, buf_text(&request->body));
    } else if (strncmp(request->type, multipart, strlen(multipart)) == 0) {
        add_parts(web, request->type + strlen(multipart), &request->body);
    }
    buf_release(&part);
}

void
web_close(struct web *web)
{
    for (unsigned i = 0; i < web->field_count; i++) {
        free(web->fields[i].value);
    }
    json_object_put(web->body);
}

bool
web_is(const struct web *web, const char *method, unsigned parts,
       const char *first, const char *second)
{
    return strcmp(web->request->method, method) == 0 &&
           web->part_count == parts && strcmp(web->parts[0], first) == 0 &&
           (second == NULL || strcmp(web->parts[1], second) == 0);
}

const char *
web_field(const struct web *web, const char *key, unsigned n)
{
    for (unsigned i = 0; i < web->field_count; i++) {
        if (strcmp(web->fields[i].key, key) == 0 && n-- == 0) {
            return web->fields[i].value;
        }
    }
    return NULL;
}

const char *
web_header(const struct web *web, const char *name, struct buf *room)
{
    const char *line = buf_text(&web->request->headers);

    buf_clear(room);
    while (*line != '\0') {
        size_t len = strcspn(line, "\n");
        size_t key = strlen(name);

        if (strncmp(line, name, key) == 0 &&
            strncmp(line + key, ": ", 2) == 0) {
            buf_add(room, line + key + 2, len - key - 2);
        }
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    return buf_text(room);
}

void
web_put(json_object *object, const char *key, json_object *value)
{
    ck_assert_int_eq(json_object_object_add(object, key, value), 0);
}

void
web_put_text(json_object *object, const char *key, const char *text)
{
    web_put(object, key, json_object_new_string(text));
}

void
web_put_number(json_object *object, const char *key, int64_t number)
{
    web_put(object, key, json_object_new_int64(number));
}

void
web_put_bool(json_object *object, const char *key, bool value)
{
    web_put(object, key, json_object_new_boolean(value));
}

void
web_answer(int status, json_object *answer, int64_t now, struct buf *body,
           struct reply *reply)
{
    buf_clear(body);
    buf_add_text(body,
                 answer == NULL ? "" : json_object_to_json_string(answer));
    json_object_put(answer);
    *reply = (struct reply){.status = status,
                            .body = buf_text(body),
                            .len = body->len,
                            .retry_after = -1,
                            .date = now / 1000 * 1000};
}
