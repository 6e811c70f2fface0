/*
 * Matrix: what events say.
 *
 * Stamps.  An event's time is what the sender's server says (C-S,
 * origin_server_ts), and a player's own server can lie.  The times of the bot's
 * own server are taken as they are; any other is clamped between the nearest of
 * those in the room or, without any, between the last reading and this one.
 */
#include "adapters/matrix/matrix_event.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- stamps -------------------------------------------------------------- */

bool
is_trusted(const struct exchange *exchange, json_object *event, int64_t *stamp)
{
    const char *sender = jdoc_string(event, "sender");

    return sender != NULL && parse_time(event, "origin_server_ts", stamp) &&
           strcmp(server_of(sender), server_of(exchange->service->self)) == 0;
}

int64_t
hold_stamp(int64_t told, int64_t earliest, int64_t latest)
{
    if (told > latest) {
        told = latest;
    }
    return told < earliest ? earliest : told;
}

static void
settle_stamps(const struct exchange *exchange, struct stretch *stretch)
{
    int64_t earliest = stretch->arrival > 0 ? 0 : stretch->last;
    int64_t latest = stretch->date + SECOND_MS - 1;
    int64_t stamp;

    /* Backwards: the latest that each may be; then forwards. */
    for (size_t i = stretch->count; i > 0; i--) {
        json_object *event = json_object_array_get_idx(stretch->events, i - 1);

        if (is_trusted(exchange, event, &stamp) && stamp < latest) {
            latest = stamp;
        }
        stretch->stamps[i - 1] = latest;
    }
    for (size_t i = 0; i < stretch->count; i++) {
        json_object *event = json_object_array_get_idx(stretch->events, i);

        if (is_trusted(exchange, event, &stamp)) {
            earliest = stamp > earliest ? stamp : earliest;
            stretch->stamps[i] = stamp;
        } else {
            bool told = parse_time(event, "origin_server_ts", &stamp);

            stretch->stamps[i] = hold_stamp(told ? stamp : earliest, earliest,
                                            stretch->stamps[i]);
        }
    }
}

/* ---- events -------------------------------------------------------------- */

static const char *
membership(json_object *content)
{
    const char *is = jdoc_string(content, "membership");

    return is != NULL ? is : "";
}

const char *
membership_in(json_object *event, const char *user)
{
    const char *type = jdoc_string(event, "type");
    const char *key = jdoc_string(event, "state_key");

    return type != NULL && key != NULL && strcmp(key, user) == 0 &&
                   strcmp(type, "m.room.member") == 0
               ? membership(jdoc_get(event, "content"))
               : "";
}

const char *
membership_before(json_object *event)
{
    return membership(jdoc_get(jdoc_get(event, "unsigned"), "prev_content"));
}

/* The name of a member in a list of events, the latest before `end`; NULL: it
 * has none there. */
static const char *
name_in(json_object *events, size_t end, const char *user)
{
    for (size_t i = end; i > 0; i--) {
        json_object *event = json_object_array_get_idx(events, i - 1);
        const char *is = membership_in(event, user);

        /* A member who leaves keeps the last name shown. */
        if (strcmp(is, "join") == 0 || strcmp(is, "invite") == 0) {
            return jdoc_string(jdoc_get(event, "content"), "displayname");
        }
    }
    return NULL;
}

/* A user's name in the room of an event: the display name there, or the first
 * part of the id. */
static char *
name_of(const struct stretch *stretch, size_t at, const char *user)
{
    const char *name = name_in(stretch->events, at + 1, user);
    struct buf part = BUF_INIT;

    if (name == NULL) {
        name = name_in(stretch->state, json_object_array_length(stretch->state),
                       user);
    }
    if (name != NULL && *name != '\0' && strlen(name) <= ADAPTER_ID_MAX) {
        return must_copy(name);
    }
    buf_add(&part, user + 1, strcspn(user + 1, ":"));
    return buf_take(&part);
}

struct post *
parse_post(struct exchange *exchange, const struct stretch *stretch, size_t at,
           enum post_kind kind, const char *id, const char *author)
{
    struct post *post = page_add(&exchange->out->page);

    post->kind = kind;
    post->id = must_copy(id);
    post->place = must_copy(stretch->room);
    post->stamp = stretch->stamps[at];
    if (*author != '\0') {
        post->author = must_copy(author);
        post->author_name = name_of(stretch, at, author);
        post->own = strcmp(author, exchange->service->self) == 0;
    }
    return post;
}

/* Copy a text, which may have a NUL in it. */
static void
copy_body(struct post *post, json_object *text)
{
    size_t len = (size_t)json_object_get_string_len(text);

    post->body = must_alloc(len + 1);
    memcpy(post->body, json_object_get_string(text), len);
    post->body_len = len;
}

/* Is it a text?  Anything else is a picture, a file, a voice message or a
 * place, and has a caption if that is not just the file's name (C-S, "Media
 * captions"). */
static bool
is_text(const char *type)
{
    return strcmp(type, "m.text") == 0 || strcmp(type, "m.emote") == 0 ||
           strcmp(type, "m.notice") == 0;
}

/* Something is shown that is no text: an object, and its caption, which counts
 * as a quote (READING.md R2). */
static void
show_object(struct post *post, json_object *content)
{
    const char *file = jdoc_string(content, "filename");
    const char *caption = jdoc_string(content, "body");
    struct buf body = BUF_INIT;

    post->dialect = &dialect_plain;
    buf_add_text(&body, POST_OBJECT);
    if (file != NULL && caption != NULL && strcmp(file, caption) != 0) {
        for (bool more = true; more;) {
            size_t len = strcspn(caption, "\n");

            buf_addf(&body, "\n> %.*s", (int)len, caption);
            more = caption[len] == '\n';
            caption += len + more;
        }
    }
    post->body_len = body.len;
    post->body = buf_take(&body);
}

/* A message's body: its HTML, or its text as it is (READING.md E5). */
static void
copy_words(struct post *post, json_object *content)
{
    const char *format = jdoc_string(content, "format");
    const char *type = jdoc_string(content, "msgtype");
    json_object *html = jdoc_get(content, "formatted_body");
    json_object *text = jdoc_get(content, "body");

    post->machine = type != NULL && strcmp(type, "m.notice") == 0;
    if (type == NULL || strncmp(type, "m.key.", 6) == 0) {
        post->dialect = &dialect_plain; /* no client shows it */
    } else if (!is_text(type)) {
        show_object(post, content);
    } else if (format != NULL &&
               strcmp(format, "org.matrix.custom.html") == 0 &&
               json_object_is_type(html, json_type_string)) {
        copy_body(post, html);
    } else if (json_object_is_type(text, json_type_string)) {
        post->dialect = &dialect_plain;
        copy_body(post, text);
    }
}

/* What a message answers; a thread's messages name one for clients that know no
 * threads (C-S, "Fallback for unthreaded clients"). */
static const char *
parse_reply_to(json_object *relation)
{
    json_object *reply = jdoc_get(relation, "m.in_reply_to");
    const char *id = parse_id(reply, "event_id");
    bool fallback = false;

    (void)jdoc_bool(relation, "is_falling_back", &fallback);
    return id == NULL || fallback ? "" : id;
}

/* Anybody may send an edit of anybody's message, and every client gets it: it
 * is valid only if one person sent both (C-S, "Validity of replacement
 * events").  One of somebody else is looked at later (matrix_sync.c); until
 * then it has no stamp. */
static void
parse_edit(struct exchange *exchange, const struct stretch *stretch, size_t at,
           const char *sender, json_object *content)
{
    const char *first = parse_id(jdoc_get(content, "m.relates_to"), "event_id");
    json_object *words = jdoc_get(content, "m.new_content");

    if (first == NULL || !json_object_is_type(words, json_type_object)) {
        return;
    }
    struct post *post =
        parse_post(exchange, stretch, at, POST_WRITTEN, first, sender);

    post->edited = post->stamp;
    post->stamp = post->own ? post->edited : -1;
    copy_words(post, words);
}

/* Does everybody see an event that is no message?  (C-S, "m.sticker"; MSC3381:
 * clients still send polls under that name.) */
static bool
is_shown(const char *type)
{
    return strcmp(type, "m.sticker") == 0 || strstr(type, "poll.start") != NULL;
}

static void
parse_message(struct exchange *exchange, const struct stretch *stretch,
              size_t at, const char *id, const char *sender)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    json_object *content = jdoc_get(event, "content");
    json_object *relation = jdoc_get(content, "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    if (jdoc_get(event, "state_key") != NULL) {
        return; /* state of the room, and nobody's message */
    }
    if (jdoc_get(jdoc_get(event, "unsigned"), "redacted_because") != NULL) {
        (void)parse_post(exchange, stretch, at, POST_DELETED, id, sender);
    } else if (kind != NULL && strcmp(kind, "m.replace") == 0) {
        parse_edit(exchange, stretch, at, sender, content);
    } else {
        struct post *post =
            parse_post(exchange, stretch, at, POST_WRITTEN, id, sender);

        if (is_shown(jdoc_string(event, "type"))) {
            show_object(post, content);
        } else {
            copy_words(post, content);
        }
        post->reply_to = must_copy(parse_reply_to(relation));
    }
}

/* C-S, "Annotations"; or a vote in a poll.  The bot's own say nothing. */
static void
parse_reaction(struct exchange *exchange, const struct stretch *stretch,
               size_t at, const char *id, const char *sender)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    json_object *relation =
        jdoc_get(jdoc_get(event, "content"), "m.relates_to");
    const char *post = parse_id(relation, "event_id");

    if (post != NULL && strcmp(sender, exchange->service->self) != 0) {
        parse_post(exchange, stretch, at, POST_REACTED, id, sender)->reply_to =
            must_copy(post);
    }
}

/* Since room version 11 the redacted event stands in the content. */
static void
parse_redaction(struct exchange *exchange, const struct stretch *stretch,
                size_t at)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *id = parse_id(jdoc_get(event, "content"), "redacts");

    id = id != NULL ? id : parse_id(event, "redacts");
    if (id != NULL) {
        (void)parse_post(exchange, stretch, at, POST_DELETED, id, "");
    }
}

static void
parse_member(struct exchange *exchange, const struct stretch *stretch,
             size_t at, const char *id)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *user = parse_id(event, "state_key");
    const char *is = membership(jdoc_get(event, "content"));
    const char *was = membership_before(event);
    bool came = strcmp(is, "join") == 0 && strcmp(was, "join") != 0;
    bool left = (strcmp(is, "leave") == 0 || strcmp(is, "ban") == 0) &&
                strcmp(was, "leave") != 0 && strcmp(was, "ban") != 0;

    bool over = at < stretch->arrival && user != NULL &&
                strcmp(user, exchange->service->self) == 0;

    if (user != NULL && (came || left) && !over) {
        (void)parse_post(exchange, stretch, at, came ? POST_CAME : POST_LEFT,
                         id, user);
    }
}

/* Does a state event end what the bot can do in a room? */
static bool
shuts(const char *type)
{
    return strcmp(type, "m.room.encryption") == 0 ||
           strcmp(type, "m.room.tombstone") == 0;
}

static void
parse_shutting(struct exchange *exchange, const struct stretch *stretch,
               size_t at, const char *id, const char *sender)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *key = jdoc_string(event, "state_key");
    json_object *content = jdoc_get(event, "content");
    bool moved = strcmp(jdoc_string(event, "type"), "m.room.tombstone") == 0;

    if (key == NULL || *key != '\0' ||
        (!moved && jdoc_string(content, "algorithm") == NULL)) {
        return;
    }
    struct post *post = parse_post(
        exchange, stretch, at, moved ? POST_MOVED : POST_ENCRYPTED, id, sender);
    const char *next = parse_id(content, "replacement_room");

    if (moved && next != NULL) {
        post->reply_to = must_copy(next);
    }
}

/* Whatever is not an event of a known kind is skipped: others choose what is
 * there, and it must not spoil the page. */
static void
parse_event(struct exchange *exchange, const struct stretch *stretch, size_t at)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *type = jdoc_string(event, "type");
    const char *id = parse_id(event, "event_id");
    const char *sender = parse_id(event, "sender");

    if (type == NULL || id == NULL || sender == NULL || sender[0] != '@') {
        return;
    }
    if (strcmp(type, "m.room.message") == 0 || is_shown(type)) {
        parse_message(exchange, stretch, at, id, sender);
    } else if (strcmp(type, "m.room.encrypted") == 0) {
        (void)parse_post(exchange, stretch, at, POST_SEALED, id, sender);
    } else if (strcmp(type, "m.reaction") == 0 ||
               strstr(type, "poll.response") != NULL) {
        parse_reaction(exchange, stretch, at, id, sender);
    } else if (strcmp(type, "m.room.redaction") == 0) {
        parse_redaction(exchange, stretch, at);
    } else if (strcmp(type, "m.room.member") == 0) {
        parse_member(exchange, stretch, at, id);
    } else if (shuts(type)) {
        parse_shutting(exchange, stretch, at, id, sender);
    }
}

/* The state of a room may hold what its timeline leaves out. */
void
parse_shut(struct exchange *exchange, const struct stretch *stretch)
{
    struct stretch state = *stretch;

    state.events = stretch->state;
    state.count = json_object_array_length(state.events);
    state.stamps = must_alloc((state.count + 1) * sizeof(int64_t));
    for (size_t i = 0; i < state.count; i++) {
        json_object *event = json_object_array_get_idx(state.events, i);
        const char *type = jdoc_string(event, "type");

        state.stamps[i] = stretch->last;
        if (type != NULL && shuts(type)) {
            parse_event(exchange, &state, i);
        }
    }
    free(state.stamps);
}

void
parse_stretch(struct exchange *exchange, struct stretch *stretch, size_t first)
{
    stretch->stamps = must_alloc((stretch->count + 1) * sizeof(int64_t));
    settle_stamps(exchange, stretch);
    for (size_t i = first; i < stretch->count; i++) {
        if (!stretch->lost || stretch->stamps[i] >= stretch->last - MARGIN_MS) {
            parse_event(exchange, stretch, i);
        }
    }
    free(stretch->stamps);
}
