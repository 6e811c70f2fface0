/*
 * Matrix: all writing.
 *
 * With a transaction id, a request that is sent twice counts once (C-S,
 * "Transaction identifiers").  Synapse keeps them by room and device for all
 * kinds of events together, so each kind of act has ids of its own: a message's
 * own key with a message before it, or a name made of what the act is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* Ends a message's key in a transaction id; no key contains it. */
#define AGAIN  '~'
#define PINNED "/state/m.room.pinned_events"
#define UPLOAD "/_matrix/media/v3/upload"

/* Begin the request that puts an event of a type into the operation's place. */
static void
ask_event(struct exchange *exchange, const char *type, const char *transaction)
{
    ask_room(exchange, "PUT", exchange->op->place, "/send");
    ask_part(exchange, type);
    ask_part(exchange, transaction);
}

static void
add_named_transaction(const struct exchange *exchange, char kind,
                      const char *first, const char *second,
                      struct buf *transaction)
{
    buf_addf(transaction, "%c.", kind);
    exchange_name(exchange, first, second, transaction);
}

/* ---- the content of a message -------------------------------------------- */

/* The text for people whose apps show no marks. */
static void
add_plain(const char *text, struct buf *plain)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    dialect_matrix.read(text, strlen(text), &rich, &unread);
    if (unread) {
        buf_add_text(plain, text);
    } else {
        buf_add_buf(plain, &rich.text);
    }
    rich_wipe(&rich);
}

/* m.mentions (C-S, "User and room mentions"): it says all; without it, clients
 * look for names in the text. */
static void
ask_mentions(struct exchange *exchange, const struct pings *pings)
{
    struct buf list = BUF_INIT;

    buf_add_char(&list, '{');
    if (pings->everybody) {
        buf_add_text(&list, "\"room\":true");
    }
    if (pings->count > 0) {
        jtext_begin_list(&list, "user_ids");
        for (unsigned i = 0; i < pings->count; i++) {
            jtext_comma(&list);
            jtext_string(&list, pings->users[i]);
        }
        buf_add_char(&list, ']');
    }
    buf_add_char(&list, '}');
    ask_json(exchange, "m.mentions", buf_text(&list));
    buf_release(&list);
}

static void
ask_formatted(struct exchange *exchange, const char *plain)
{
    ask_text(exchange, "body", plain);
    ask_text(exchange, "format", "org.matrix.custom.html");
    ask_text(exchange, "formatted_body", exchange->op->text);
}

/* A notice never pings, whomever it mentions (C-S, "Default Override Rules");
 * so whatever must not ping is a notice. */
static const char *
message_type(const struct op *op)
{
    bool pings = op->dm || op->pings.everybody || op->pings.count > 0;

    return pings ? "m.text" : "m.notice";
}

/* `again`: with another transaction id, of the same message. */
static void
ask_message(struct exchange *exchange, bool again)
{
    struct buf plain = BUF_INIT;
    struct buf transaction = BUF_INIT;

    buf_addf(&transaction, "m.%s", exchange->op->key);
    if (again) {
        buf_addf(&transaction, "%c%lld", AGAIN, (long long)exchange->op->now);
    }
    ask_event(exchange, "m.room.message", buf_text(&transaction));
    add_plain(exchange->op->text, &plain);
    ask_text(exchange, "msgtype", message_type(exchange->op));
    ask_formatted(exchange, buf_text(&plain));
    ask_mentions(exchange, &exchange->op->pings);
    ask_end(exchange, ROUTE_SEND);
    exchange->out->request.urgent = true;
    buf_release(&transaction);
    buf_wipe(&plain);
}

/* ---- sending ------------------------------------------------------------- */

enum send_step {
    SEND_BEGIN,
    SEND_SIM_TABLE,
    SEND_INVITE,
    SEND_TEXT,
    SEND_CHECK, /* is it there? */
    SEND_AGAIN,
    SEND_CHECK_AGAIN,
    SEND_UPLOAD,
    SEND_PICTURE,
};

/* Who is in the DM? */
static enum advance
ask_members(struct exchange *exchange)
{
    ask_room(exchange, "GET", exchange->op->place, "/members");
    ask_query(exchange, "not_membership", "leave");
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

static enum advance
ask_send(struct exchange *exchange, enum send_step *step)
{
    *step = SEND_TEXT;
    ask_message(exchange, false);
    return ADVANCE_REQUEST;
}

/* Never send a secret where anybody else could read it. */
static enum advance
parse_members(struct exchange *exchange, enum send_step *step)
{
    json_object *members = jdoc_get(exchange->value, "chunk");

    if (is_refusal(exchange, 403, "M_FORBIDDEN")) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the host is not in its DM with %s any more",
                            exchange->service->name, exchange->op->user);
    }
    if (!is_success(exchange) ||
        !json_object_is_type(members, json_type_array)) {
        return exchange_refused(exchange);
    }
    struct occupants there = parse_occupants(exchange, members);

    if (there.others || there.banned) {
        exchange->out->refused = REFUSED_PERSON;
        return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                            "%s: the DM with %s is not private",
                            exchange->service->name, exchange->op->user);
    }
    exchange->out->unseen = !there.here;
    if (there.here || there.invited) {
        return ask_send(exchange, step);
    }
    *step = SEND_INVITE;
    ask_room(exchange, "POST", exchange->op->place, "/invite");
    ask_text(exchange, "user_id", exchange->op->user);
    ask_end(exchange, ROUTE_INVITE);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* If the user can't be invited again, the message is there all the same. */
static enum advance
parse_invite(struct exchange *exchange, enum send_step *step)
{
    if (!is_success(exchange) && !is_refusal(exchange, 403, "")) {
        return exchange_refused(exchange);
    }
    return ask_send(exchange, step);
}

static enum advance
ask_upload(struct exchange *exchange, enum send_step *step)
{
    const struct picture *picture = &exchange->op->picture;
    struct request *request = &exchange->out->request;

    *step = SEND_UPLOAD;
    ask(exchange, "POST", UPLOAD);
    ask_query(exchange, "filename", picture_name(picture));
    buf_add(&request->body, picture->bytes, picture->len);
    (void)snprintf(request->type, sizeof(request->type), "%s",
                   picture_type(picture));
    memcpy(request->route, "upload", sizeof("upload"));
    request->urgent = true; /* what comes behind the post waits for it */
    return ADVANCE_REQUEST;
}

static enum advance
parse_sent(struct exchange *exchange, enum send_step *step)
{
    if (!parse_result(exchange, "event_id")) {
        return exchange_refused(exchange);
    }
    (*step)++;
    ask_room(exchange, "GET", exchange->op->place, "/event");
    ask_part(exchange, buf_text(&exchange->out->id));
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* The room tells whether a message is there, not the reply: Synapse answers an
 * account that its admin has shadow-banned as if all went well, and gives the
 * id of an event that never was; to the same transaction id again, for half an
 * hour, even if the account may write by then. */
static enum advance
parse_check(struct exchange *exchange, enum send_step *step)
{
    bool there =
        is_success(exchange) && parse_id(exchange->value, "event_id") != NULL;

    if (there || is_refusal(exchange, 403, "")) {
        return exchange->op->picture.bytes == NULL ? ADVANCE_DONE
                                                   : ask_upload(exchange, step);
    }
    if (!is_refusal(exchange, 404, "M_NOT_FOUND")) {
        return exchange_refused(exchange);
    }
    if (*step == SEND_CHECK) {
        *step = SEND_AGAIN;
        ask_message(exchange, true);
        return ADVANCE_REQUEST;
    }
    exchange->out->refused = REFUSED_WRITING;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: the homeserver said that it has sent a message, "
                        "but the room does not have it: ask its admin whether "
                        "the account is shadow-banned",
                        exchange->service->name);
}

/* The post is there and says the same, so a picture that the server does not
 * take, for whatever reason, does not hold up what follows. */
static bool
is_without_picture(struct exchange *exchange, const char *id)
{
    bool without = exchange->reply->status != 0 &&
                   exchange->reply->status != 429 &&
                   (!is_success(exchange) || id == NULL);

    if (without) {
        exchange_without_picture(exchange);
    }
    return without;
}

static enum advance
parse_upload(struct exchange *exchange, enum send_step *step)
{
    const struct picture *picture = &exchange->op->picture;
    const char *address = parse_id(exchange->value, "content_uri");
    struct buf text = BUF_INIT;

    if (is_without_picture(exchange, address)) {
        return ADVANCE_DONE;
    }
    if (address == NULL) {
        return exchange_refused(exchange);
    }
    *step = SEND_PICTURE;
    buf_addf(&text, "i.%s", exchange->op->key);
    ask_event(exchange, "m.room.message", buf_text(&text));
    ask_text(exchange, "msgtype",
             picture_is_page(picture) ? "m.file" : "m.image");
    ask_text(exchange, "url", address);
    /* Without a file name the body of a picture is not shown beside it but
     * stands for it (C-S, "Media captions"): what it says stands in the post
     * above. */
    ask_text(exchange, "body",
             picture_is_page(picture) ? picture->page : picture->caption);
    buf_clear(&text);
    buf_addf(&text, "{\"mimetype\":\"%s\",\"size\":%zu", picture_type(picture),
             picture->len);
    if (!picture_is_page(picture)) {
        buf_addf(&text, ",\"w\":%u,\"h\":%u", picture->width, picture->height);
    }
    buf_add_char(&text, '}');
    ask_json(exchange, "info", buf_text(&text));
    ask_json(exchange, "m.mentions", "{}");
    ask_end(exchange, ROUTE_SEND);
    exchange->out->request.urgent = true;
    buf_release(&text);
    return ADVANCE_REQUEST;
}

static enum advance
parse_picture(struct exchange *exchange)
{
    const char *id = parse_id(exchange->value, "event_id");

    return id != NULL || is_without_picture(exchange, id)
               ? ADVANCE_DONE
               : exchange_refused(exchange);
}

enum advance
matrix_send(struct exchange *exchange)
{
    enum send_step *step = exchange_memory(exchange, sizeof(*step));

    switch (*step) {
    case SEND_BEGIN:
        if (!exchange->op->dm) {
            return ask_send(exchange, step);
        }
        *step = SEND_SIM_TABLE;
        return ask_members(exchange);
    case SEND_SIM_TABLE:
        return parse_members(exchange, step);
    case SEND_INVITE:
        return parse_invite(exchange, step);
    case SEND_TEXT:
    case SEND_AGAIN:
        return parse_sent(exchange, step);
    case SEND_CHECK:
    case SEND_CHECK_AGAIN:
        return parse_check(exchange, step);
    case SEND_UPLOAD:
        return parse_upload(exchange, step);
    case SEND_PICTURE:
        break;
    }
    return parse_picture(exchange);
}

/* ---- finding ------------------------------------------------------------- */

enum {
    FIND_SLACK_MS = 10 * MINUTE_MS, /* our clock and the server's may differ */
};

/* The cursor is the server's own. */
static enum advance
ask_older(struct exchange *exchange)
{
    struct buf filter = BUF_INIT;

    ask_room(exchange, "GET", exchange->op->place, "/messages");
    ask_query(exchange, "dir", "b");
    if (*exchange->op->cursor != '\0') {
        ask_query(exchange, "from", exchange->op->cursor);
    }
    ask_query(exchange, "limit", "100");
    buf_add_text(&filter, "{\"types\":[\"m.room.message\"],\"senders\":[");
    jtext_string(&filter, exchange->service->self);
    buf_add_text(&filter, "]}");
    ask_query(exchange, "filter", buf_text(&filter));
    exchange->out->request.urgent = true;
    buf_release(&filter);
    return ADVANCE_REQUEST;
}

/* Was an event sent as this letter?  Its transaction id says so as long as the
 * server keeps it; of older ones, their text, unless it is another letter's. */
static bool
is_message(const struct exchange *exchange, json_object *event,
           const char *event_id, bool *like)
{
    json_object *content = jdoc_get(event, "content");
    const char *id = jdoc_string(jdoc_get(event, "unsigned"), "transaction_id");
    const char *text = jdoc_string(content, "formatted_body");

    *like = id == NULL && text != NULL &&
            !exchange_is_other(exchange, event_id) &&
            jdoc_get(content, "m.relates_to") == NULL &&
            strcmp(text, exchange->op->text) == 0;
    size_t len = strlen(exchange->op->key);
    return id != NULL && strncmp(id, "m.", 2) == 0 &&
           strncmp(id + 2, exchange->op->key, len) == 0 &&
           (id[2 + len] == '\0' || id[2 + len] == AGAIN);
}

/* Look through a page; false: everything older was sent before the message was
 * written. */
static bool
look_through(struct exchange *exchange, json_object *chunk)
{
    const char *alike = NULL;
    int64_t stamp = EXCHANGE_TIME_MAX;
    bool goes_on = true;
    bool like;

    for (size_t i = 0; goes_on && i < json_object_array_length(chunk); i++) {
        json_object *event = json_object_array_get_idx(chunk, i);
        const char *id = parse_id(event, "event_id");
        const char *sender = jdoc_string(event, "sender");

        (void)parse_time(event, "origin_server_ts", &stamp);
        goes_on = stamp + FIND_SLACK_MS >= exchange_since(exchange);
        if (!goes_on || id == NULL || sender == NULL ||
            strcmp(sender, exchange->service->self) != 0) {
            continue;
        }
        if (is_message(exchange, event, id, &like)) {
            answer_id(exchange, id);
            return false;
        }
        alike = like ? id : alike;
    }
    if (alike != NULL) {
        answer_id(exchange, alike);
    }
    return goes_on && alike == NULL;
}

static enum advance
parse_finder(struct exchange *exchange)
{
    json_object *members = jdoc_get(exchange->value, "chunk");

    if (!is_success(exchange) ||
        !json_object_is_type(members, json_type_array)) {
        return exchange_refused(exchange);
    }
    exchange->out->unseen = !parse_occupants(exchange, members).here;
    return ADVANCE_DONE;
}

/* A page may be empty where older events follow. */
enum advance
matrix_find(struct exchange *exchange)
{
    bool *found = exchange_memory(exchange, sizeof(*found));
    json_object *chunk = jdoc_get(exchange->value, "chunk");
    const char *end = parse_id(exchange->value, "end");

    if (exchange->reply == NULL) {
        return ask_older(exchange);
    }
    if (*found) {
        return parse_finder(exchange);
    }
    if (!is_success(exchange) || !json_object_is_type(chunk, json_type_array) ||
        (end == NULL && jdoc_get(exchange->value, "end") != NULL)) {
        return exchange_refused(exchange);
    }
    bool goes_on = look_through(exchange, chunk) && end != NULL &&
                   strcmp(end, exchange->op->cursor) != 0;

    buf_add_text(&exchange->out->cursor, goes_on ? end : "");
    (void)exchange_looked(exchange, goes_on ? FOUND_NOT_YET : FOUND_NOTHING);
    *found = exchange->op->dm && exchange->out->found == FOUND_IT;
    return *found ? ask_members(exchange) : ADVANCE_DONE;
}

/* ---- editing ------------------------------------------------------------- */

enum edit_step {
    EDIT_BEGIN,
    EDIT_LATEST,
    EDIT_SENT,
};

/* The edit that holds now, "" if none; NULL: the text is there already. */
static const char *
latest_edit(const struct exchange *exchange)
{
    json_object *relations =
        jdoc_get(jdoc_get(exchange->value, "unsigned"), "m.relations");
    json_object *latest = jdoc_get(relations, "m.replace");
    json_object *content =
        jdoc_get(jdoc_get(latest, "content"), "m.new_content");
    const char *text = jdoc_string(content, "formatted_body");
    const char *id = parse_id(latest, "event_id");

    if (text != NULL && strcmp(text, exchange->op->text) == 0) {
        return NULL;
    }
    return id != NULL ? id : "";
}

static void
add_new_content(const struct exchange *exchange, const char *plain,
                struct buf *out)
{
    buf_add_char(out, '{');
    jtext_add_text(out, "msgtype", "m.notice");
    jtext_add_text(out, "body", plain);
    jtext_add_text(out, "format", "org.matrix.custom.html");
    jtext_add_text(out, "formatted_body", exchange->op->text);
    buf_add_text(out, ",\"m.mentions\":{}}");
}

/* C-S, "Event replacements".  The id holds which edit came before: what was
 * written earlier may be written again. */
static void
ask_edit(struct exchange *exchange, const char *latest)
{
    struct buf plain = BUF_INIT;
    struct buf text = BUF_INIT;

    add_named_transaction(exchange, 'e', latest, exchange->op->text, &text);
    ask_event(exchange, "m.room.message", buf_text(&text));
    add_plain(exchange->op->text, &plain);
    buf_clear(&text);
    buf_addf(&text, "* %s", buf_text(&plain));
    ask_text(exchange, "msgtype", "m.notice");
    ask_text(exchange, "body", buf_text(&text));
    buf_clear(&text);
    add_new_content(exchange, buf_text(&plain), &text);
    ask_json(exchange, "m.new_content", buf_text(&text));
    ask_json(exchange, "m.mentions", "{}");
    buf_clear(&text);
    buf_add_text(&text, "{\"rel_type\":\"m.replace\",\"event_id\":");
    jtext_string(&text, exchange->op->post);
    buf_add_char(&text, '}');
    ask_json(exchange, "m.relates_to", buf_text(&text));
    ask_end(exchange, ROUTE_SEND);
    exchange->out->request.urgent = exchange->op->urgent;
    buf_release(&plain);
    buf_release(&text);
}

static enum advance
parse_latest(struct exchange *exchange)
{
    if (!is_success(exchange) ||
        parse_id(exchange->value, "event_id") == NULL) {
        return exchange_refused(exchange);
    }
    if (jdoc_get(jdoc_get(exchange->value, "unsigned"), "redacted_because") !=
        NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the message was deleted",
                            exchange->service->name);
    }
    const char *latest = latest_edit(exchange);

    if (latest == NULL) {
        return ADVANCE_DONE;
    }
    ask_edit(exchange, latest);
    return ADVANCE_REQUEST;
}

static enum advance
parse_event(struct exchange *exchange)
{
    if (!is_success(exchange) ||
        parse_id(exchange->value, "event_id") == NULL) {
        return exchange_refused(exchange);
    }
    return ADVANCE_DONE;
}

enum advance
matrix_edit(struct exchange *exchange)
{
    enum edit_step *step = exchange_memory(exchange, sizeof(*step));

    switch ((*step)++) {
    case EDIT_BEGIN:
        ask_room(exchange, "GET", exchange->op->place, "/event");
        ask_part(exchange, exchange->op->post);
        return ADVANCE_REQUEST;
    case EDIT_LATEST:
        return parse_latest(exchange);
    case EDIT_SENT:
        break;
    }
    return parse_event(exchange);
}

/* ---- reacting, deleting -------------------------------------------------- */

enum advance
matrix_react(struct exchange *exchange)
{
    struct buf text = BUF_INIT;

    if (exchange->reply != NULL) {
        /* It stands there already. */
        return is_refusal(exchange, 400, "M_DUPLICATE_ANNOTATION")
                   ? ADVANCE_DONE
                   : parse_event(exchange);
    }
    add_named_transaction(exchange, 'r', exchange->op->post, exchange->op->text,
                          &text);
    ask_event(exchange, "m.reaction", buf_text(&text));
    buf_clear(&text);
    buf_add_text(&text, "{\"rel_type\":\"m.annotation\",\"event_id\":");
    jtext_string(&text, exchange->op->post);
    jtext_add_text(&text, "key", exchange->op->text);
    buf_add_char(&text, '}');
    ask_json(exchange, "m.relates_to", buf_text(&text));
    ask_end(exchange, ROUTE_SEND);
    buf_release(&text);
    return ADVANCE_REQUEST;
}

enum advance
matrix_delete(struct exchange *exchange)
{
    struct buf transaction = BUF_INIT;

    if (exchange->reply != NULL) {
        return parse_event(exchange);
    }
    add_named_transaction(exchange, 'd', exchange->op->post, "", &transaction);
    ask_room(exchange, "PUT", exchange->op->place, "/redact");
    ask_part(exchange, exchange->op->post);
    ask_part(exchange, buf_text(&transaction));
    ask_end(exchange, ROUTE_SEND);
    buf_release(&transaction);
    return ADVANCE_REQUEST;
}

/* ---- pinning ------------------------------------------------------------- */

enum pin_step {
    PIN_BEGIN,
    PIN_LIST,
    PIN_SENT,
};

/* Is a post among the ids of a list, a line each? */
static bool
is_listed(const char *list, const char *id)
{
    size_t len = strlen(id);

    for (const char *line = list; *line != '\0';) {
        size_t end = strcspn(line, "\n");

        if (end == len && strncmp(line, id, len) == 0) {
            return true;
        }
        line += end + (line[end] == '\n');
    }
    return false;
}

/* Append what is to be pinned: the pinned posts without those to unpin, and
 * ours; false: nothing changes. */
static bool
add_pins(const struct exchange *exchange, struct buf *list)
{
    const char *post = exchange->op->post;
    json_object *pinned = jdoc_get(exchange->value, "pinned");
    size_t count = json_object_is_type(pinned, json_type_array)
                       ? json_object_array_length(pinned)
                       : 0;
    bool there = false;
    bool dropped = false;

    buf_add_char(list, '[');
    for (size_t i = 0; i < count; i++) {
        json_object *pin = json_object_array_get_idx(pinned, i);
        const char *id = json_object_is_type(pin, json_type_string)
                             ? json_object_get_string(pin)
                             : "";

        if (is_listed(exchange->op->text, id)) {
            dropped = true;
        } else if (is_id(id)) {
            there = there || strcmp(id, post) == 0;
            jtext_comma(list);
            jtext_string(list, id);
        }
    }
    if (!there) {
        jtext_comma(list);
        jtext_string(list, post);
    }
    buf_add_char(list, ']');
    return dropped || !there;
}

static enum advance
parse_pins(struct exchange *exchange)
{
    struct buf list = BUF_INIT;
    enum advance advance = ADVANCE_DONE;

    if (!is_refusal(exchange, 404, "") &&
        (!is_success(exchange) ||
         !json_object_is_type(exchange->value, json_type_object))) {
        return exchange_refused(exchange);
    }
    if (add_pins(exchange, &list)) {
        ask_room(exchange, "PUT", exchange->op->place, PINNED);
        ask_json(exchange, "pinned", buf_text(&list));
        ask_end(exchange, ROUTE_SEND);
        advance = ADVANCE_REQUEST;
    }
    buf_release(&list);
    return advance;
}

enum advance
matrix_pin(struct exchange *exchange)
{
    enum pin_step *step = exchange_memory(exchange, sizeof(*step));

    switch ((*step)++) {
    case PIN_BEGIN:
        ask_room(exchange, "GET", exchange->op->place, PINNED);
        return ADVANCE_REQUEST;
    case PIN_LIST:
        return parse_pins(exchange);
    case PIN_SENT:
        break;
    }
    return parse_event(exchange);
}
