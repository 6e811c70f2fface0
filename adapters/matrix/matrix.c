/*
 * The adapter of Matrix: what its errands share.  Each errand stands in the
 * file that its kind is of: matrix_account.c (who, place, probe), matrix_talk.c
 * (private talks), matrix_send.c (whatever is written) and matrix_sync.c
 * (reading).
 */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    NAME_BYTES = 16
};

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
ask_room(struct trip *trip, const char *method, const char *room,
         const char *path)
{
    ask(trip, method, "/_matrix/client/v3/rooms");
    ask_part(trip, room);
    buf_add_text(&trip->out->request.url, path);
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
ask_end(struct trip *trip, const char *route)
{
    static const char type[] = "application/json";
    struct request *request = &trip->out->request;

    buf_add_text(&request->body, request->body.len == 0 ? "{}" : "}");
    memcpy(request->type, type, sizeof(type));
    assert(strlen(route) < sizeof(request->route));
    memcpy(request->route, route, strlen(route) + 1);
}

void
trip_name(const struct trip *trip, const char *first, const char *second,
          struct buf *name)
{
    const char *const texts[] = {trip_note(trip, "device"), trip->service->self,
                                 first, second};
    unsigned char hash[NAME_BYTES];
    crypto_generichash_state state;

    (void)crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        /* With its NUL, so that no two pairs of texts are alike. */
        (void)crypto_generichash_update(&state, (const unsigned char *)texts[i],
                                        strlen(texts[i]) + 1);
    }
    (void)crypto_generichash_final(&state, hash, sizeof(hash));
    buf_add_hex(name, hash, sizeof(hash));
}

/* ---- hearing ------------------------------------------------------------- */

bool
heard_well(const struct trip *trip)
{
    return reply_err(trip->reply) == ERR_NONE && trip->value != NULL;
}

bool
heard_no(const struct trip *trip, int status, const char *errcode)
{
    const char *heard = jdoc_string(trip->value, "errcode");

    return trip->reply->status == status && heard != NULL &&
           (*errcode == '\0' || strcmp(heard, errcode) == 0);
}

/* What a person has to do where the server's own words do not say it
 * (C-S, "Standard error response"). */
static const struct remedy {
    const char *errcode, *words;
} remedies[] = {
    {"M_UNKNOWN_TOKEN", "the access token is not valid any more: give the host "
                        "a new one"},
    {"M_MISSING_TOKEN", "the host has no access token"},
    {"M_USER_DEACTIVATED", "the account was deactivated: make another"},
    {"M_USER_LOCKED", "the account is locked: ask the homeserver's admin"},
    {"M_USER_SUSPENDED", "the account is suspended: ask the homeserver's "
                         "admin"},
    {"M_RESOURCE_LIMIT_EXCEEDED", "the homeserver is at its limits: its admin "
                                  "has to act"},
    {"M_USER_LIMIT_EXCEEDED", "the homeserver limits how much an account may "
                              "do: ask its admin"},
    {"M_CONSENT_NOT_GIVEN", "the account has to agree to the homeserver's "
                            "terms: log in to it once as a person"},
    {"M_UNRECOGNIZED", "the homeserver does not know this request: is the "
                       "address the homeserver's own?"},
    {"M_INVITE_BLOCKED", "the user takes no invitations from the host"},
};

/* A limit's time stands in the header, in whole seconds, or, as servers before
 * version 1.10 have it, in the body. */
static void
hear_wait(struct trip *trip)
{
    int64_t wait;

    if (trip->out->err == ERR_LIMITED &&
        hear_time(trip->value, "retry_after_ms", &wait) && wait <= DAY_MS &&
        (trip->reply->retry_after < 0 || wait > trip->out->wait)) {
        trip->out->wait = wait;
    }
}

static enum turn
fail_by_status(struct trip *trip)
{
    const char *errcode = jdoc_string(trip->value, "errcode");
    const char *error = jdoc_string(trip->value, "error");
    struct buf said = BUF_INIT;

    if (errcode != NULL) {
        buf_addf(&said, "%.40s%s%s", errcode, error != NULL ? ": " : "",
                 error != NULL ? error : "");
    }
    (void)outcome_refused(trip->service, trip->reply, buf_text(&said),
                          trip->out, trip->why);
    buf_release(&said);
    for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
        if (errcode != NULL && strcmp(errcode, remedies[i].errcode) == 0) {
            buf_addf(trip->why, "; %s", remedies[i].words);
        }
    }
    hear_wait(trip);
    return TURN_FAILED;
}

enum turn
trip_refused(struct trip *trip)
{
    if (reply_err(trip->reply) != ERR_NONE) {
        return fail_by_status(trip);
    }
    return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                        "%s: the reply is not what was asked for",
                        trip->service->name);
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
    return jdoc_integer(object, key, time) && *time >= 0 && *time <= TIME_MAX;
}

/* Is it the state event of that type and key? */
static bool
is_state(json_object *event, const char *type, const char *key)
{
    const char *has_type = jdoc_string(event, "type");
    const char *has_key = jdoc_string(event, "state_key");

    return has_type != NULL && has_key != NULL && strcmp(has_type, type) == 0 &&
           strcmp(has_key, key) == 0;
}

json_object *
hear_state(json_object *events, const char *type, const char *key)
{
    if (!json_object_is_type(events, json_type_array)) {
        return NULL;
    }
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        if (is_state(event, type, key)) {
            return jdoc_get(event, "content");
        }
    }
    return NULL;
}

const char *
server_of(const char *user)
{
    const char *colon = strchr(user, ':');

    return colon == NULL ? "" : colon + 1;
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
take_turn(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return turn_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_READ:
        return turn_read(trip);
    case ERRAND_SEND:
        return turn_send(trip);
    case ERRAND_EDIT:
        return turn_edit(trip);
    case ERRAND_TALK:
        return turn_talk(trip);
    case ERRAND_REACT:
        return turn_react(trip);
    case ERRAND_DELETE:
        return turn_delete(trip);
    case ERRAND_PIN:
        return turn_pin(trip);
    case ERRAND_PROBE:
        return turn_probe(trip);
    case ERRAND_FIND:
        return turn_find(trip);
    case ERRAND_OPEN:
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: a game has its room, and opens none",
                            trip->service->name);
    }
    return TURN_FAILED;
}

static enum turn
matrix_turn(const struct service *service, const struct errand *errand,
            struct buf *work, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    struct trip trip = {service, errand, work, reply, NULL, out, why};
    struct buf trouble = BUF_INIT;

    /* A body that is no JSON is told from one that is by its value alone: an
     * error page of a proxy is nothing to be garbled about. */
    if (reply != NULL && reply->len > 0) {
        (void)!jdoc_parse(reply->body, reply->len, false, &trip.value,
                          &trouble);
    }
    enum turn turn = take_turn(&trip);

    json_object_put(trip.value);
    buf_release(&trouble);
    return turn;
}

/* One sync reads all rooms. */
static void
matrix_feed(const struct service *service, const char *place, struct buf *feed)
{
    (void)service;
    (void)place;
    buf_add_text(feed, "sync");
}

/* matrix.to names (C-S appendices, "matrix.to navigation"). */
static void
matrix_link(const struct service *service, const char *place, const char *post,
            struct buf *link)
{
    (void)service;
    buf_add_text(link, "https://matrix.to/#/");
    url_add_part(link, place);
    buf_add_char(link, '/');
    url_add_part(link, post);
}

const struct adapter adapter_matrix = {
    .name = "matrix",
    .dialect = &dialect_matrix,
    .traits =
        {
            /* An event has 65,536 bytes at most (C-S, "Size limits") and holds
             * the text twice, with and without its marks; an edit once more
             * without. */
            .longest = 8000,
            .shortest = 0,
            .dedupe = DAY_MS, /* Synapse's, for a device, over restarts */
            .margin = MARGIN_MS,
            .pause = 0, /* a read waits for news by itself */
            .reactions = true,
            .edits = true,
            .deletes = true,
            .pins = true,
            .uploads = true,
            .threads = false,
            .shows_edits = true,
            .edits_follow = true,
            .tells_talks = false,
            /* No app has a button for it: a bold name will do, or a bold
             * mention. */
            .red = false,
            .red_required = false,
            .finds = true,
        },
    .token_header = "Authorization: Bearer %s",
    .turn = matrix_turn,
    .feed = matrix_feed,
    .link = matrix_link,
};
