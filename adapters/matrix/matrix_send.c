/*
 * Matrix: whatever is written.
 *
 * A transaction id makes a request that is sent twice one (C-S, "Transaction
 * identifiers").  Synapse keeps them by room and device for all kinds of events
 * together, so each kind of act has ids of its own: a letter's own key with a
 * letter before it, or a name made of what the act is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

#define PINNED "/state/m.room.pinned_events"
#define UPLOAD "/_matrix/media/v3/upload"

/* Begin the request that puts an event of a type into the errand's place. */
static void
ask_event(struct trip *trip, const char *type, const char *transaction)
{
    ask_room(trip, "PUT", trip->errand->place, "/send");
    ask_part(trip, type);
    ask_part(trip, transaction);
}

static void
add_named_transaction(const struct trip *trip, char kind, const char *first,
                      const char *second, struct buf *transaction)
{
    buf_addf(transaction, "%c.", kind);
    trip_name(trip, first, second, transaction);
}

/* ---- the content of a message -------------------------------------------- */

/* The text as people see it who are shown no marks. */
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
ask_mentions(struct trip *trip, const struct rings *rings)
{
    struct buf list = BUF_INIT;

    buf_add_char(&list, '{');
    if (rings->everybody) {
        buf_add_text(&list, "\"room\":true");
    }
    if (rings->count > 0) {
        jtext_key(&list, "user_ids");
        buf_add_char(&list, '[');
        for (unsigned i = 0; i < rings->count; i++) {
            jtext_comma(&list);
            jtext_string(&list, rings->users[i]);
        }
        buf_add_char(&list, ']');
    }
    buf_add_char(&list, '}');
    ask_json(trip, "m.mentions", buf_text(&list));
    buf_release(&list);
}

static void
ask_formatted(struct trip *trip, const char *plain)
{
    ask_text(trip, "body", plain);
    ask_text(trip, "format", "org.matrix.custom.html");
    ask_text(trip, "formatted_body", trip->errand->text);
}

/* A notice never rings, whomever it mentions (C-S, "Default Override Rules");
 * so a notice is all that must not. */
static const char *
message_type(const struct errand *errand)
{
    bool rings =
        errand->talk || errand->rings.everybody || errand->rings.count > 0;

    return rings ? "m.text" : "m.notice";
}

static void
ask_message(struct trip *trip)
{
    struct buf plain = BUF_INIT;
    struct buf transaction = BUF_INIT;

    buf_addf(&transaction, "m.%s", trip->errand->key);
    ask_event(trip, "m.room.message", buf_text(&transaction));
    add_plain(trip->errand->text, &plain);
    ask_text(trip, "msgtype", message_type(trip->errand));
    ask_formatted(trip, buf_text(&plain));
    ask_mentions(trip, &trip->errand->rings);
    ask_end(trip, ROUTE_SEND);
    trip->out->request.urgent = true;
    buf_release(&transaction);
    buf_wipe(&plain);
}

/* ---- sending ------------------------------------------------------------- */

enum send_step {
    SEND_BEGIN,
    SEND_COMPANY,
    SEND_INVITE,
    SEND_TEXT,
    SEND_UPLOAD,
    SEND_PICTURE,
};

/* Who is in the talk? */
static enum turn
ask_members(struct trip *trip)
{
    ask_room(trip, "GET", trip->errand->place, "/members");
    ask_query(trip, "not_membership", "leave");
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

static enum turn
ask_send(struct trip *trip, enum send_step *step)
{
    *step = SEND_TEXT;
    ask_message(trip);
    return TURN_REQUEST;
}

/* Nothing secret goes where anybody else could read it. */
static enum turn
hear_members(struct trip *trip, enum send_step *step)
{
    json_object *members = jdoc_get(trip->value, "chunk");

    if (heard_no(trip, 403, "M_FORBIDDEN")) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the host is not in its talk with %s any more",
                            trip->service->name, trip->errand->user);
    }
    if (!heard_well(trip) || !json_object_is_type(members, json_type_array)) {
        return trip_refused(trip);
    }
    struct company company = hear_company(trip, members);

    if (company.others || company.banned) {
        trip->out->refused = REFUSED_PERSON;
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: the private talk with %s is not private",
                            trip->service->name, trip->errand->user);
    }
    trip->out->unseen = !company.here;
    if (company.here || company.invited) {
        return ask_send(trip, step);
    }
    *step = SEND_INVITE;
    ask_room(trip, "POST", trip->errand->place, "/invite");
    ask_text(trip, "user_id", trip->errand->user);
    ask_end(trip, ROUTE_INVITE);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* Who can't be asked in again finds the letter there all the same. */
static enum turn
hear_invite(struct trip *trip, enum send_step *step)
{
    if (!heard_well(trip) && !heard_no(trip, 403, "")) {
        return trip_refused(trip);
    }
    return ask_send(trip, step);
}

static enum turn
ask_upload(struct trip *trip, enum send_step *step)
{
    const struct picture *picture = &trip->errand->picture;
    struct request *request = &trip->out->request;

    *step = SEND_UPLOAD;
    ask(trip, "POST", UPLOAD);
    ask_query(trip, "filename", picture_name(picture));
    buf_add(&request->body, picture->bytes, picture->len);
    (void)snprintf(request->type, sizeof(request->type), "%s",
                   picture_type(picture));
    memcpy(request->route, "upload", sizeof("upload"));
    request->urgent = true; /* what comes behind the post waits for it */
    return TURN_REQUEST;
}

static enum turn
hear_sent(struct trip *trip, enum send_step *step)
{
    if (!hear_result(trip, "event_id")) {
        return trip_refused(trip);
    }
    return trip->errand->picture.bytes == NULL ? TURN_DONE
                                               : ask_upload(trip, step);
}

/* The post is there, and says the same: a picture that the server does not
 * take, for whatever reason, is no reason to hold what comes behind it. */
static bool
is_without_picture(struct trip *trip, const char *id)
{
    bool without = trip->reply->status != 0 && trip->reply->status != 429 &&
                   (!heard_well(trip) || id == NULL);

    if (without) {
        trip_without_picture(trip);
    }
    return without;
}

static enum turn
hear_upload(struct trip *trip, enum send_step *step)
{
    const struct picture *picture = &trip->errand->picture;
    const char *address = hear_id(trip->value, "content_uri");
    struct buf text = BUF_INIT;

    if (is_without_picture(trip, address)) {
        return TURN_DONE;
    }
    if (address == NULL) {
        return trip_refused(trip);
    }
    *step = SEND_PICTURE;
    buf_addf(&text, "i.%s", trip->errand->key);
    ask_event(trip, "m.room.message", buf_text(&text));
    ask_text(trip, "msgtype", picture_is_page(picture) ? "m.file" : "m.image");
    ask_text(trip, "url", address);
    /* Without a file name the body of a picture is not shown beside it but
     * stands for it (C-S, "Media captions"): what it says stands in the post
     * above. */
    ask_text(trip, "body",
             picture_is_page(picture) ? picture->page : picture->caption);
    buf_clear(&text);
    buf_addf(&text, "{\"mimetype\":\"%s\",\"size\":%zu", picture_type(picture),
             picture->len);
    if (!picture_is_page(picture)) {
        buf_addf(&text, ",\"w\":%u,\"h\":%u", picture->width, picture->height);
    }
    buf_add_char(&text, '}');
    ask_json(trip, "info", buf_text(&text));
    ask_json(trip, "m.mentions", "{}");
    ask_end(trip, ROUTE_SEND);
    trip->out->request.urgent = true;
    buf_release(&text);
    return TURN_REQUEST;
}

static enum turn
hear_picture(struct trip *trip)
{
    const char *id = hear_id(trip->value, "event_id");

    return id != NULL || is_without_picture(trip, id) ? TURN_DONE
                                                      : trip_refused(trip);
}

enum turn
turn_send(struct trip *trip)
{
    enum send_step *step = trip_memory(trip, sizeof(*step));

    switch (*step) {
    case SEND_BEGIN:
        if (!trip->errand->talk) {
            return ask_send(trip, step);
        }
        *step = SEND_COMPANY;
        return ask_members(trip);
    case SEND_COMPANY:
        return hear_members(trip, step);
    case SEND_INVITE:
        return hear_invite(trip, step);
    case SEND_TEXT:
        return hear_sent(trip, step);
    case SEND_UPLOAD:
        return hear_upload(trip, step);
    case SEND_PICTURE:
        break;
    }
    return hear_picture(trip);
}

/* ---- finding ------------------------------------------------------------- */

enum {
    FIND_REQUESTS_MAX = 30,         /* a hundred events each */
    FIND_SLACK_MS = 10 * MINUTE_MS, /* our clock and the server's may differ */
};

struct finding {
    unsigned requests;
    bool found; /* and now: who is in the talk in which it lies? */
    char from[ADAPTER_ID_MAX + 1], like[ADAPTER_ID_MAX + 1];
};

static enum turn
ask_older(struct trip *trip, struct finding *finding)
{
    struct buf filter = BUF_INIT;

    finding->requests++;
    ask_room(trip, "GET", trip->errand->place, "/messages");
    ask_query(trip, "dir", "b");
    if (finding->from[0] != '\0') {
        ask_query(trip, "from", finding->from);
    }
    ask_query(trip, "limit", "100");
    buf_add_text(&filter, "{\"types\":[\"m.room.message\"],\"senders\":[");
    jtext_string(&filter, trip->service->self);
    buf_add_text(&filter, "]}");
    ask_query(trip, "filter", buf_text(&filter));
    trip->out->request.urgent = true;
    buf_release(&filter);
    return TURN_REQUEST;
}

/* Was an event sent as this letter?  Its transaction id says so as long as the
 * server keeps it; of older ones, their text. */
static bool
is_letter(const struct trip *trip, json_object *event, bool *like)
{
    json_object *content = jdoc_get(event, "content");
    const char *id = jdoc_string(jdoc_get(event, "unsigned"), "transaction_id");
    const char *text = jdoc_string(content, "formatted_body");

    *like = id == NULL && text != NULL &&
            jdoc_get(content, "m.relates_to") == NULL &&
            strcmp(text, trip->errand->text) == 0;
    return id != NULL && strncmp(id, "m.", 2) == 0 &&
           strcmp(id + 2, trip->errand->key) == 0;
}

/* Look through a page; false: what is older was sent before the letter was
 * written. */
static bool
look_through(struct trip *trip, struct finding *finding, json_object *chunk)
{
    const char *sender;
    int64_t stamp = TRIP_TIME_MAX;
    bool like;

    for (size_t i = 0; i < json_object_array_length(chunk); i++) {
        json_object *event = json_object_array_get_idx(chunk, i);
        const char *id = hear_id(event, "event_id");

        sender = jdoc_string(event, "sender");
        (void)hear_time(event, "origin_server_ts", &stamp);
        if (stamp + FIND_SLACK_MS < trip->errand->since) {
            return false;
        }
        if (id == NULL || sender == NULL ||
            strcmp(sender, trip->service->self) != 0) {
            continue;
        }
        if (is_letter(trip, event, &like)) {
            buf_add_text(&trip->out->id, id);
            return false;
        }
        if (like) {
            memcpy(finding->like, id, strlen(id) + 1);
        }
    }
    return json_object_array_length(chunk) > 0;
}

static enum turn
hear_finder(struct trip *trip)
{
    json_object *members = jdoc_get(trip->value, "chunk");

    if (!heard_well(trip) || !json_object_is_type(members, json_type_array)) {
        return trip_refused(trip);
    }
    trip->out->unseen = !hear_company(trip, members).here;
    return TURN_DONE;
}

enum turn
turn_find(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));
    json_object *chunk = jdoc_get(trip->value, "chunk");
    const char *end = hear_id(trip->value, "end");

    if (trip->reply == NULL) {
        return ask_older(trip, finding);
    }
    if (finding->found) {
        return hear_finder(trip);
    }
    if (!heard_well(trip) || !json_object_is_type(chunk, json_type_array)) {
        return trip_refused(trip);
    }
    if (look_through(trip, finding, chunk) && end != NULL &&
        finding->requests < FIND_REQUESTS_MAX) {
        memcpy(finding->from, end, strlen(end) + 1);
        return ask_older(trip, finding);
    }
    if (trip->out->id.len == 0) {
        buf_add_text(&trip->out->id, finding->like);
    }
    finding->found = trip->errand->talk && trip->out->id.len > 0;
    return finding->found ? ask_members(trip) : TURN_DONE;
}

/* ---- editing ------------------------------------------------------------- */

enum edit_step {
    EDIT_BEGIN,
    EDIT_LATEST,
    EDIT_SENT,
};

/* The edit that holds now, "" if none; NULL: the text is there already. */
static const char *
latest_edit(const struct trip *trip)
{
    json_object *relations =
        jdoc_get(jdoc_get(trip->value, "unsigned"), "m.relations");
    json_object *latest = jdoc_get(relations, "m.replace");
    json_object *content =
        jdoc_get(jdoc_get(latest, "content"), "m.new_content");
    const char *text = jdoc_string(content, "formatted_body");
    const char *id = hear_id(latest, "event_id");

    if (text != NULL && strcmp(text, trip->errand->text) == 0) {
        return NULL;
    }
    return id != NULL ? id : "";
}

static void
add_new_content(const struct trip *trip, const char *plain, struct buf *out)
{
    buf_add_char(out, '{');
    jtext_key(out, "msgtype");
    jtext_string(out, "m.notice");
    jtext_key(out, "body");
    jtext_string(out, plain);
    jtext_key(out, "format");
    jtext_string(out, "org.matrix.custom.html");
    jtext_key(out, "formatted_body");
    jtext_string(out, trip->errand->text);
    buf_add_text(out, ",\"m.mentions\":{}}");
}

/* C-S, "Event replacements".  The id holds which edit came before: what was
 * written earlier may be written again. */
static void
ask_edit(struct trip *trip, const char *latest)
{
    struct buf plain = BUF_INIT;
    struct buf text = BUF_INIT;

    add_named_transaction(trip, 'e', latest, trip->errand->text, &text);
    ask_event(trip, "m.room.message", buf_text(&text));
    add_plain(trip->errand->text, &plain);
    buf_clear(&text);
    buf_addf(&text, "* %s", buf_text(&plain));
    ask_text(trip, "msgtype", "m.notice");
    ask_text(trip, "body", buf_text(&text));
    buf_clear(&text);
    add_new_content(trip, buf_text(&plain), &text);
    ask_json(trip, "m.new_content", buf_text(&text));
    ask_json(trip, "m.mentions", "{}");
    buf_clear(&text);
    buf_add_text(&text, "{\"rel_type\":\"m.replace\",\"event_id\":");
    jtext_string(&text, trip->errand->post);
    buf_add_char(&text, '}');
    ask_json(trip, "m.relates_to", buf_text(&text));
    ask_end(trip, ROUTE_SEND);
    trip->out->request.urgent = trip->errand->urgent;
    buf_release(&plain);
    buf_release(&text);
}

static enum turn
hear_latest(struct trip *trip)
{
    if (!heard_well(trip) || hear_id(trip->value, "event_id") == NULL) {
        return trip_refused(trip);
    }
    const char *latest = latest_edit(trip);

    if (latest == NULL) {
        return TURN_DONE;
    }
    ask_edit(trip, latest);
    return TURN_REQUEST;
}

static enum turn
hear_event(struct trip *trip)
{
    if (!heard_well(trip) || hear_id(trip->value, "event_id") == NULL) {
        return trip_refused(trip);
    }
    return TURN_DONE;
}

enum turn
turn_edit(struct trip *trip)
{
    enum edit_step *step = trip_memory(trip, sizeof(*step));

    switch ((*step)++) {
    case EDIT_BEGIN:
        ask_room(trip, "GET", trip->errand->place, "/event");
        ask_part(trip, trip->errand->post);
        return TURN_REQUEST;
    case EDIT_LATEST:
        return hear_latest(trip);
    case EDIT_SENT:
        break;
    }
    return hear_event(trip);
}

/* ---- reacting, deleting -------------------------------------------------- */

enum turn
turn_react(struct trip *trip)
{
    struct buf text = BUF_INIT;

    if (trip->reply != NULL) {
        /* It stands there already. */
        return heard_no(trip, 400, "M_DUPLICATE_ANNOTATION") ? TURN_DONE
                                                             : hear_event(trip);
    }
    add_named_transaction(trip, 'r', trip->errand->post, trip->errand->text,
                          &text);
    ask_event(trip, "m.reaction", buf_text(&text));
    buf_clear(&text);
    buf_add_text(&text, "{\"rel_type\":\"m.annotation\",\"event_id\":");
    jtext_string(&text, trip->errand->post);
    jtext_key(&text, "key");
    jtext_string(&text, trip->errand->text);
    buf_add_char(&text, '}');
    ask_json(trip, "m.relates_to", buf_text(&text));
    ask_end(trip, ROUTE_SEND);
    buf_release(&text);
    return TURN_REQUEST;
}

enum turn
turn_delete(struct trip *trip)
{
    struct buf transaction = BUF_INIT;

    if (trip->reply != NULL) {
        return hear_event(trip);
    }
    add_named_transaction(trip, 'd', trip->errand->post, "", &transaction);
    ask_room(trip, "PUT", trip->errand->place, "/redact");
    ask_part(trip, trip->errand->post);
    ask_part(trip, buf_text(&transaction));
    ask_end(trip, ROUTE_SEND);
    buf_release(&transaction);
    return TURN_REQUEST;
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

/* Append what is to be pinned: the posts that are, without those that are to be
 * no more, and ours; false: that is what is pinned now. */
static bool
add_pins(const struct trip *trip, struct buf *list)
{
    const char *post = trip->errand->post;
    json_object *pinned = jdoc_get(trip->value, "pinned");
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

        if (is_listed(trip->errand->text, id)) {
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

static enum turn
hear_pins(struct trip *trip)
{
    struct buf list = BUF_INIT;
    enum turn turn = TURN_DONE;

    if (!heard_no(trip, 404, "") &&
        (!heard_well(trip) ||
         !json_object_is_type(trip->value, json_type_object))) {
        return trip_refused(trip);
    }
    if (add_pins(trip, &list)) {
        ask_room(trip, "PUT", trip->errand->place, PINNED);
        ask_json(trip, "pinned", buf_text(&list));
        ask_end(trip, ROUTE_SEND);
        turn = TURN_REQUEST;
    }
    buf_release(&list);
    return turn;
}

enum turn
turn_pin(struct trip *trip)
{
    enum pin_step *step = trip_memory(trip, sizeof(*step));

    switch ((*step)++) {
    case PIN_BEGIN:
        ask_room(trip, "GET", trip->errand->place, PINNED);
        return TURN_REQUEST;
    case PIN_LIST:
        return hear_pins(trip);
    case PIN_SENT:
        break;
    }
    return hear_event(trip);
}
