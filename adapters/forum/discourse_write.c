/*
 * Discourse: whatever is written, and what was.
 *
 * A topic that the bot opens, for a game or for a private talk, has an external
 * id made of what it is for: a forum takes such an id once, and leads from it
 * to the topic ("description", /t/external_id).  So one whose answer got lost
 * is found again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/discourse_inner.h"
#include "bot/base/json.h"

enum {
    TALKS_MAX = 5,     /* that others were asked into, before it is given up */
    FIND_MAX = 200,    /* posts looked through for one's own */
    SAID_MAX = 512,    /* bytes of a refusal */
    ADDRESS_MAX = 100, /* of a file's short address, behind its scheme */
    TITLE_MIN = 15     /* min_topic_title_length, in code points */
};

#define TALK_TITLE "Private messages of the host of your games"
#define TALK_TEXT                                                              \
    "In this talk the host of your games writes to you alone. Answer here. "   \
    "Please ask nobody else into it: the host then begins another."

/* ---- posting ------------------------------------------------------------- */

/* What a forum puts into a queue is not there yet, and may never be. */
static enum turn
hear_written(struct trip *trip)
{
    const char *action = jdoc_string(trip->value, "action");
    char id[FORUM_ID_MAX + 1];

    if (heard_well(trip) && action != NULL && strcmp(action, "enqueued") == 0) {
        return outcome_fail(
            trip->out, trip->why, ERR_DENIED,
            "%s: the forum keeps the posts of %s until somebody approves them: "
            "raise its trust level, or make it a moderator",
            trip->service->name, trip->service->user);
    }
    if (!heard_well(trip) || !forum_hear_number(trip->value, "id", id)) {
        return discourse_refused(trip);
    }
    buf_clear(&trip->out->id);
    buf_add_text(&trip->out->id, id);
    return TURN_DONE;
}

/* `shown`: what stands below the text. */
static enum turn
ask_post(struct trip *trip, const char *number, const char *shown)
{
    struct buf raw = BUF_INIT;

    buf_add_text(&raw, trip->errand->text);
    buf_add_text(&raw, shown);
    forum_add_mark(trip->errand, true, &raw);
    discourse_ask(trip, "POST", "/posts.json");
    trip->out->request.urgent = trip->errand->talk;
    ask_json(trip, "topic_id", number);
    ask_text(trip, "raw", buf_text(&raw));
    ask_end(trip, DISCOURSE_ROUTE_POST);
    buf_wipe(&raw);
    return TURN_REQUEST;
}

/* ---- finding ------------------------------------------------------------- */

struct finding {
    bool asked;
    int64_t ids[FIND_MAX]; /* the last of the topic's stream */
    size_t left;
};

static enum turn
look_further(struct trip *trip, struct finding *finding, const char *number)
{
    size_t count =
        finding->left < DISCOURSE_CHUNK ? finding->left : DISCOURSE_CHUNK;

    if (count == 0) {
        return TURN_DONE;
    }
    finding->left -= count;
    discourse_ask_posts(trip, number, finding->ids + finding->left, count,
                        true);
    return TURN_REQUEST;
}

static bool
is_letter(const struct trip *trip, json_object *post)
{
    const char *raw = jdoc_string(post, "raw");
    char *author = forum_user(jdoc_string(post, "username"));
    bool is = raw != NULL && author != NULL &&
              strcmp(author, trip->service->self) == 0 &&
              forum_is_marked(raw, trip->errand->key);

    free(author);
    return is;
}

static enum turn
hear_chunk(struct trip *trip, struct finding *finding, const char *number)
{
    json_object *posts = discourse_posts(trip);
    bool older = false;

    if (posts == NULL) {
        return discourse_refused(trip);
    }
    for (size_t i = 0; i < json_object_array_length(posts); i++) {
        json_object *post = json_object_array_get_idx(posts, i);
        char id[FORUM_ID_MAX + 1];
        int64_t stamp;

        if (!forum_hear_time(post, "created_at", &stamp) ||
            !forum_hear_number(post, "id", id)) {
            return discourse_refused(trip);
        }
        older = older || stamp + FORUM_FIND_SLACK_MS < trip->errand->since;
        if (is_letter(trip, post)) {
            buf_clear(&trip->out->id);
            buf_add_text(&trip->out->id, id);
            return TURN_DONE;
        }
    }
    return older ? TURN_DONE : look_further(trip, finding, number);
}

/* Done with the letter's id, or with none. */
static enum turn
find(struct trip *trip, struct finding *finding, const char *number)
{
    if (finding->asked) {
        return hear_chunk(trip, finding, number);
    }
    json_object *stream = discourse_stream(trip);

    if (stream == NULL) {
        return discourse_refused(trip);
    }
    size_t end = json_object_array_length(stream);

    finding->asked = true;
    for (size_t i = end > FIND_MAX ? end - FIND_MAX : 0; i < end; i++) {
        finding->ids[finding->left++] = discourse_stream_at(stream, i);
    }
    return look_further(trip, finding, number);
}

enum turn
discourse_find(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return TURN_DONE;
    }
    if (trip->reply == NULL) {
        discourse_ask_topic(trip, number, false);
        return TURN_REQUEST;
    }
    return find(trip, finding, number);
}

/* ---- sending ------------------------------------------------------------- */

enum send_step {
    SEND_BEGIN,
    SEND_LOOK, /* who is in the talk? */
    SEND_UPLOAD,
    SEND_POST,
    SEND_FIND
};

struct sending {
    enum send_step step;
    struct finding finding;
    char refusal[SAID_MAX]; /* of the forum */
};

/* A text that was posted a few minutes ago is not taken again
 * (unique_posts_mins): it may be this very letter. */
static enum turn
hear_posted(struct trip *trip, struct sending *sending, const char *number)
{
    enum turn turn = hear_written(trip);

    if (turn == TURN_DONE || trip->reply->status != 422) {
        return turn;
    }
    sending->step = SEND_FIND;
    (void)snprintf(sending->refusal, sizeof(sending->refusal), "%s",
                   buf_text(trip->why));
    buf_clear(trip->why);
    trip->out->err = ERR_NONE;
    discourse_ask_topic(trip, number, false);
    return TURN_REQUEST;
}

static enum turn
hear_found_posted(struct trip *trip, struct sending *sending,
                  const char *number)
{
    enum turn turn = find(trip, &sending->finding, number);

    return turn == TURN_DONE && trip->out->id.len == 0
               ? outcome_fail(trip->out, trip->why, ERR_DENIED, "%s",
                              sending->refusal)
               : turn;
}

/* ("description", /uploads).  What was uploaded twice is one file: its short
 * address is made of what is in it. */
static enum turn
ask_upload(struct trip *trip, struct sending *sending)
{
    static const struct form_field fields[] = {
        {"upload_type", "", "composer"},
        {"synchronous", "", "true"},
    };

    sending->step = SEND_UPLOAD;
    discourse_ask(trip, "POST", "/uploads.json");
    ask_picture(trip, fields, sizeof(fields) / sizeof(fields[0]), "file");
    ask_route(trip, DISCOURSE_ROUTE_UPLOAD);
    return TURN_REQUEST;
}

static enum turn
ask_letter(struct trip *trip, struct sending *sending, const char *number)
{
    const struct picture *picture = &trip->errand->picture;

    if (picture->bytes != NULL && !picture_is_page(picture)) {
        return ask_upload(trip, sending);
    }
    sending->step = SEND_POST;
    return ask_post(trip, number, "");
}

/* The short address of a file: "upload://qUm0DGR49PAZshIi7HxMd3cAlzn.png". */
static bool
is_short_address(const char *address)
{
    static const char scheme[] = "upload://";
    size_t len = sizeof(scheme) - 1;

    if (address == NULL || strncmp(address, scheme, len) != 0) {
        return false;
    }
    size_t name = strspn(address + len, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "abcdefghijklmnopqrstuvwxyz.");

    return name > 0 && name <= ADDRESS_MAX && address[len + name] == '\0';
}

/* Its caption has names in it, which may be made of whatever acts as mark-up
 * there: a blank stands for that. */
static void
add_picture(const struct picture *picture, const char *address,
            struct buf *shown)
{
    buf_add_text(shown, "\n\n![");
    for (const char *at = picture->caption; *at != '\0'; at++) {
        bool plain = (unsigned char)*at > ' ' && *at != 0x7F &&
                     strchr("[]()<>|\\`*_~!&@#:\"", *at) == NULL;

        buf_add_char(shown, (char)(plain ? *at : ' '));
    }
    buf_addf(shown, "|%ux%u](%s)", picture->width, picture->height, address);
}

/* No picture is no reason to send nothing: the text says the same. */
static enum turn
hear_upload(struct trip *trip, struct sending *sending, const char *number)
{
    const char *address = jdoc_string(trip->value, "short_url");
    struct buf shown = BUF_INIT;

    if (trip->reply->status == 0 || reply_err(trip->reply) == ERR_LIMITED) {
        return discourse_refused(trip);
    }
    if (heard_well(trip) && is_short_address(address)) {
        add_picture(&trip->errand->picture, address, &shown);
    }
    sending->step = SEND_POST;
    enum turn turn = ask_post(trip, number, buf_text(&shown));

    buf_release(&shown);
    return turn;
}

static enum turn
hear_company(struct trip *trip, struct sending *sending, const char *number)
{
    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    if (!discourse_is_private(trip)) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: %s is not alone in the private talk with the "
                            "host",
                            trip->service->name, trip->errand->user);
    }
    return ask_letter(trip, sending, number);
}

enum turn
discourse_send(struct trip *trip)
{
    struct sending *sending = trip_memory(trip, sizeof(*sending));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    if (number == NULL) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: there is no topic %s", trip->service->name,
                            trip->errand->place);
    }
    switch (sending->step) {
    case SEND_BEGIN:
        if (!talk) {
            return ask_letter(trip, sending, number);
        }
        sending->step = SEND_LOOK;
        discourse_ask_topic(trip, number, false);
        trip->out->request.urgent = true;
        return TURN_REQUEST;
    case SEND_LOOK:
        return hear_company(trip, sending, number);
    case SEND_UPLOAD:
        return hear_upload(trip, sending, number);
    case SEND_POST:
        return hear_posted(trip, sending, number);
    case SEND_FIND:
        break;
    }
    return hear_found_posted(trip, sending, number);
}

/* ---- changing ------------------------------------------------------------ */

/* Without a bump, where that is allowed: the status post changes often. */
enum turn
discourse_edit(struct trip *trip)
{
    bool *bumps = trip_memory(trip, sizeof(*bumps));
    struct buf post = BUF_INIT;
    struct buf raw = BUF_INIT;

    if (trip->reply != NULL && (!discourse_said(trip, 403) || *bumps)) {
        return heard_well(trip) ? TURN_DONE : discourse_refused(trip);
    }
    *bumps = trip->reply != NULL;
    buf_add_text(&raw, trip->errand->text);
    forum_add_mark(trip->errand, true, &raw);
    buf_add_text(&post, "{\"raw\":");
    jtext_string(&post, buf_text(&raw));
    buf_add_char(&post, '}');
    discourse_ask(trip, "PUT", "/posts");
    ask_part(trip, trip->errand->post);
    buf_add_text(&trip->out->request.url, ".json");
    ask_json(trip, "post", buf_text(&post));
    if (!*bumps) {
        ask_json(trip, "bypass_bump", "true");
    }
    ask_end(trip, DISCOURSE_ROUTE_POST);
    buf_release(&post);
    buf_release(&raw);
    return TURN_REQUEST;
}

enum turn
discourse_delete(struct trip *trip)
{
    if (trip->reply == NULL) {
        discourse_ask(trip, "DELETE", "/posts");
        ask_part(trip, trip->errand->post);
        buf_add_text(&trip->out->request.url, ".json");
        return TURN_REQUEST;
    }
    /* What is not there any more need not be deleted. */
    return reply_err(trip->reply) == ERR_NONE || discourse_said(trip, 404)
               ? TURN_DONE
               : discourse_refused(trip);
}

/* ("description", /posts/{id}/locked): for staff alone. */
enum turn
discourse_lock(struct trip *trip)
{
    bool locked = false;

    if (trip->reply == NULL) {
        discourse_ask(trip, "PUT", "/posts");
        ask_part(trip, trip->errand->post);
        buf_add_text(&trip->out->request.url, "/locked.json");
        ask_text(trip, "locked", "true");
        ask_end(trip, DISCOURSE_ROUTE_POST);
        return TURN_REQUEST;
    }
    /* What is not there any more can't be edited. */
    if (discourse_said(trip, 404)) {
        return TURN_DONE;
    }
    return heard_well(trip) && jdoc_bool(trip->value, "locked", &locked) &&
                   locked
               ? TURN_DONE
               : discourse_refused(trip);
}

/* ---- topics of one's own ------------------------------------------------- */

enum open_step {
    OPEN_BEGIN,
    OPEN_LOOK,     /* is there one with that external id? */
    OPEN_FOUND,    /* is it as it has to be? */
    OPEN_CATEGORY, /* where is it to stand? */
    OPEN_CREATE
};

struct opening {
    enum open_step step;
    unsigned tries; /* talks that somebody else is in, or that are gone */
    char number[FORUM_ID_MAX + 1];
};

/* At most 50 bytes of [A-Za-z0-9_-] (Topic::EXTERNAL_ID_MAX_LENGTH). */
static void
add_external_id(const struct trip *trip, const struct opening *opening,
                struct buf *out)
{
    const struct errand *errand = trip->errand;
    const char *const texts[] = {
        trip->service->self, errand->kind == ERRAND_TALK ? "talk" : "game",
        errand->kind == ERRAND_TALK ? errand->user : errand->key};

    buf_add_text(out, "placard-");
    trip_add_name(texts, sizeof(texts) / sizeof(texts[0]), out);
    buf_addf(out, "-%u", opening->tries);
}

static enum turn
ask_external(struct trip *trip, struct opening *opening)
{
    struct buf id = BUF_INIT;

    opening->step = OPEN_LOOK;
    add_external_id(trip, opening, &id);
    discourse_ask(trip, "GET", "/t/external_id");
    ask_part(trip, buf_text(&id));
    buf_add_text(&trip->out->request.url, ".json");
    buf_release(&id);
    return TURN_REQUEST;
}

static enum turn
ask_create(struct trip *trip, struct opening *opening, const char *category)
{
    bool talk = trip->errand->kind == ERRAND_TALK;
    const char *title = trip->errand->text;
    struct buf external = BUF_INIT;
    struct buf text = BUF_INIT;

    opening->step = OPEN_CREATE;
    add_external_id(trip, opening, &external);
    discourse_ask(trip, "POST", "/posts.json");
    if (talk) {
        ask_text(trip, "title", TALK_TITLE);
        /* No two posts of a few minutes may be the same. */
        buf_addf(&text, "%s\n\n<!-- %s -->", TALK_TEXT, buf_text(&external));
        ask_text(trip, "raw", buf_text(&text));
        ask_text(trip, "archetype", "private_message");
        ask_text(trip, "target_recipients", trip->errand->user);
    } else {
        /* A short title is made longer with the topic it comes from. */
        buf_addf(&text, "%s%s", title,
                 strlen(title) < TITLE_MIN ? " · a game hosted here" : "");
        ask_text(trip, "title", buf_text(&text));
        buf_clear(&text);
        buf_addf(&text, "%s\n\n%s/t/%s", title, trip->service->base,
                 trip->errand->place);
        ask_text(trip, "raw", buf_text(&text));
        if (*category != '\0') {
            ask_json(trip, "category", category);
        }
    }
    ask_text(trip, "external_id", buf_text(&external));
    ask_end(trip, DISCOURSE_ROUTE_POST);
    buf_release(&external);
    buf_release(&text);
    return TURN_REQUEST;
}

/* A game's topic is read from its first post on. */
static enum turn
end_opening(struct trip *trip, const struct opening *opening)
{
    if (trip->errand->kind == ERRAND_OPEN) {
        buf_clear(&trip->out->cursor);
        buf_add_text(&trip->out->cursor, DISCOURSE_FROM_FIRST);
    }
    buf_clear(&trip->out->id);
    buf_addf(&trip->out->id, "%s%s",
             trip->errand->kind == ERRAND_TALK ? FORUM_TALK : "",
             opening->number);
    return TURN_DONE;
}

/* It leads to the topic by a redirection, which nobody follows by himself. */
static enum turn
hear_external(struct trip *trip, struct opening *opening)
{
    bool talk = trip->errand->kind == ERRAND_TALK;
    int status = trip->reply->status;
    bool none = discourse_said(trip, 404);
    struct buf location = BUF_INIT;
    char *number = NULL;

    if (none && talk) {
        return ask_create(trip, opening, "");
    }
    if (none) {
        opening->step = OPEN_CATEGORY;
        discourse_ask_topic(trip, trip->errand->place, false);
        return TURN_REQUEST;
    }
    if (status >= 300 && status < 400 &&
        reply_header(trip->reply, "location", &location)) {
        number = discourse_topic_of(buf_text(&location));
    } else if (forum_hear_number(trip->value, "id", opening->number)) {
        number = must_copy(opening->number);
    }
    buf_release(&location);
    if (number == NULL) {
        return discourse_refused(trip);
    }
    memcpy(opening->number, number, strlen(number) + 1);
    free(number);
    if (!talk) {
        return end_opening(trip, opening);
    }
    opening->step = OPEN_FOUND;
    discourse_ask_topic(trip, opening->number, false);
    return TURN_REQUEST;
}

static enum turn
hear_found(struct trip *trip, struct opening *opening)
{
    if (!discourse_said(trip, 404) && discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    if (discourse_is_private(trip)) {
        return end_opening(trip, opening);
    }
    if (++opening->tries == TALKS_MAX) {
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: others are in each of the private talks with "
                            "%s",
                            trip->service->name, trip->errand->user);
    }
    return ask_external(trip, opening);
}

static enum turn
hear_category(struct trip *trip, struct opening *opening)
{
    char category[FORUM_ID_MAX + 1];

    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    (void)forum_hear_number(trip->value, "category_id", category);
    return ask_create(trip, opening, category);
}

/* The id of a topic that was deleted is still taken, though nothing is found by
 * it (Rails: uniqueness looks at all rows). */
static bool
is_taken(const struct trip *trip)
{
    if (!discourse_said(trip, 422)) {
        return false;
    }
    const char *first = json_object_get_string(
        json_object_array_get_idx(jdoc_get(trip->value, "errors"), 0));

    return first != NULL && strstr(first, "already been taken") != NULL;
}

static enum turn
hear_created(struct trip *trip, struct opening *opening)
{
    if (is_taken(trip) && ++opening->tries < TALKS_MAX) {
        return ask_external(trip, opening);
    }
    enum turn turn = hear_written(trip);

    if (turn != TURN_DONE) {
        return turn;
    }
    if (!forum_hear_number(trip->value, "topic_id", opening->number)) {
        return discourse_refused(trip);
    }
    return end_opening(trip, opening);
}

enum turn
discourse_open(struct trip *trip)
{
    struct opening *opening = trip_memory(trip, sizeof(*opening));

    switch (opening->step) {
    case OPEN_BEGIN:
        return ask_external(trip, opening);
    case OPEN_LOOK:
        return hear_external(trip, opening);
    case OPEN_FOUND:
        return hear_found(trip, opening);
    case OPEN_CATEGORY:
        return hear_category(trip, opening);
    case OPEN_CREATE:
        break;
    }
    return hear_created(trip, opening);
}
