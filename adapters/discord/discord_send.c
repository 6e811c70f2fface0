/*
 * Discord: whatever is written.
 *
 * A message that is sent twice with the same nonce is one, for some minutes (D
 * "Create Message", enforce_nonce); later, and at servers that know no nonce,
 * it is looked for by its text.  All other acts may be repeated.
 *
 * Each message and each edit says whom it rings: without that Discord would
 * ring whomever the text names, everybody included (D "Allowed Mentions
 * Object").
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* D "Message Flags". */
enum {
    FLAG_NO_EMBEDS = 1 << 2,
    FLAG_SILENT = 1 << 12,
};

enum {
    NONCE_MAX = 25,
    REACT_APART_MS = 300,   /* hidden: discord-api-docs, issue 2886 */
    DELETE_APART_MS = 1000, /* hidden: discord-api-docs, issue 2761 */
};

/* ---- a message ------------------------------------------------------------
 */

static void
add_mention(const char *user, struct buf *text)
{
    buf_addf(text, "<@%s>", user);
}

/* Whom it rings must stand in it. */
static void
add_content(const struct errand *errand, struct buf *content)
{
    struct buf mention = BUF_INIT;

    if (errand->rings.everybody) {
        buf_add_text(content, "@everyone\n");
    }
    buf_add_text(content, errand->text);
    for (unsigned i = 0; i < errand->rings.count; i++) {
        buf_clear(&mention);
        add_mention(errand->rings.users[i], &mention);
        if (strstr(errand->text, buf_text(&mention)) == NULL) {
            buf_add_text(content, " ");
            buf_add_buf(content, &mention);
        }
    }
    buf_release(&mention);
}

static void
ask_mentions(struct trip *trip, const struct rings *rings)
{
    struct buf list = BUF_INIT;

    buf_addf(&list, "{\"parse\":[%s]", rings->everybody ? "\"everyone\"" : "");
    jtext_key(&list, "users");
    buf_add_char(&list, '[');
    for (unsigned i = 0; i < rings->count; i++) {
        jtext_comma(&list);
        jtext_string(&list, rings->users[i]);
    }
    buf_add_text(&list, "]}");
    ask_json(trip, "allowed_mentions", buf_text(&list));
    buf_release(&list);
}

static void
ask_number(struct trip *trip, const char *key, int64_t number)
{
    struct buf text = BUF_INIT;

    buf_add_number(&text, number);
    ask_json(trip, key, buf_text(&text));
    buf_release(&text);
}

/* What rings nobody makes no sound either.  `bare`: without what is newer, for
 * servers that refuse whatever they do not know, as Spacebar did before it knew
 * of enforce_nonce (src/schemas/uncategorised/MessageCreateSchema.ts). */
static void
ask_message(struct trip *trip, bool bare)
{
    const struct errand *errand = trip->errand;
    bool silent =
        !errand->talk && !errand->rings.everybody && errand->rings.count == 0;
    bool named = *errand->key != '\0' && strlen(errand->key) <= NONCE_MAX;
    struct buf content = BUF_INIT;

    add_content(errand, &content);
    ask_text(trip, "content", buf_text(&content));
    if (named) {
        ask_text(trip, "nonce", errand->key);
    }
    if (named && !bare) {
        ask_json(trip, "enforce_nonce", "true");
    }
    ask_mentions(trip, &errand->rings);
    if (!bare) {
        ask_number(trip, "flags", FLAG_NO_EMBEDS | (silent ? FLAG_SILENT : 0));
    }
    buf_wipe(&content);
}

/* ---- with a picture -------------------------------------------------------
 */

/* Put the message's JSON and the picture together (D "Uploading Files"). */
static void
wrap_picture(struct trip *trip)
{
    struct buf message = trip->out->request.body;
    struct form_field field = {"payload_json", "application/json",
                               buf_text(&message)};

    trip->out->request.body = (struct buf)BUF_INIT;
    ask_picture(trip, &field, 1, "files[0]");
    buf_wipe(&message);
}

static void
ask_description(struct trip *trip)
{
    struct buf list = BUF_INIT;

    buf_add_text(&list,
                 "[{\"id\":0,\"filename\":\"board.png\",\"description\":");
    jtext_string(&list, trip->errand->picture.caption);
    buf_add_text(&list, "}]");
    ask_json(trip, "attachments", buf_text(&list));
    buf_release(&list);
}

/* ---- sending --------------------------------------------------------------
 */

/* How it is sent: with a picture that says what it shows, with a picture alone
 * (for servers that know no more), or without; and each without what is newer.
 */
enum send_step {
    SEND_BEGIN,
    SEND_DESCRIBED,
    SEND_PICTURE,
    SEND_BARE_PICTURE,
    SEND_TEXT,
    SEND_BARE_TEXT,
};

static enum turn
ask_send(struct trip *trip, enum send_step *step, uint64_t channel,
         enum send_step how)
{
    *step = how;
    ask_channel(trip, "POST", channel, "/messages");
    ask_message(trip, how == SEND_BARE_PICTURE || how == SEND_BARE_TEXT);
    if (how == SEND_DESCRIBED) {
        ask_description(trip);
    }
    ask_end(trip, "");
    if (how < SEND_TEXT) {
        wrap_picture(trip);
    }
    limit_by(trip, "send", channel, 0);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* No picture is no reason to send nothing.  A server that takes no files at all
 * may break over them: the Discord twin (src/server.ts). */
static bool
may_do_without(const struct trip *trip)
{
    int status = trip->reply->status;

    return heard_strict(trip) ||
           (trip->value != NULL &&
            (status == 400 || status == 403 || status == 413 || status == 415));
}

/* How to send it after it was refused; the same: in no other way. */
static enum send_step
next_step(const struct trip *trip, enum send_step step)
{
    if (step == SEND_TEXT) {
        return heard_strict(trip) && trip->reply->status != 500 ? SEND_BARE_TEXT
                                                                : step;
    }
    if (step == SEND_BARE_TEXT || !may_do_without(trip)) {
        return step;
    }
    return step == SEND_PICTURE && !heard_strict(trip) ? SEND_TEXT : step + 1;
}

/* A page needs no words for what it shows. */
static enum send_step
first_step(const struct picture *picture)
{
    if (picture->bytes == NULL) {
        return SEND_TEXT;
    }
    return picture_is_page(picture) ? SEND_PICTURE : SEND_DESCRIBED;
}

enum turn
discord_send(struct trip *trip)
{
    enum send_step *step = trip_memory(trip, sizeof(*step));
    struct spot spot;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    if (trip->errand->talk && spot.guild != 0) {
        /* Nothing secret goes where others could read it. */
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: a private message is for a private talk alone",
                            trip->service->name);
    }
    if (trip->reply == NULL) {
        return ask_send(trip, step, spot.channel,
                        first_step(&trip->errand->picture));
    }
    if (hear_own_id(trip)) {
        return TURN_DONE;
    }
    enum send_step next = next_step(trip, *step);

    if (*step < SEND_TEXT && next >= SEND_TEXT) {
        trip_without_picture(trip);
    }
    return next != *step ? ask_send(trip, step, spot.channel, next)
                         : discord_refused(trip);
}

/* ---- finding --------------------------------------------------------------
 */

enum {
    FIND_REQUESTS_MAX = 10, /* a hundred messages each */
    FIND_SLACK_MS = 2000,
};

struct finding {
    unsigned requests;
    uint64_t before;
};

static enum turn
ask_older(struct trip *trip, struct finding *finding, uint64_t channel)
{
    char before[24];

    finding->requests++;
    ask_channel(trip, "GET", channel, "/messages");
    if (finding->before != 0) {
        (void)snprintf(before, sizeof(before), "%" PRIu64, finding->before);
        ask_query(trip, "before", before);
    }
    ask_query(trip, "limit", "100");
    limit_by(trip, "read", channel, 0);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

static bool
is_blank(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Are they the same but for blanks at both ends, which the service cuts? */
static bool
same_text(const char *one, const char *two)
{
    size_t first = strlen(one);
    size_t second = strlen(two);

    for (; is_blank(*one); one++, first--) {
    }
    for (; is_blank(*two); two++, second--) {
    }
    while (first > 0 && is_blank(one[first - 1])) {
        first--;
    }
    while (second > 0 && is_blank(two[second - 1])) {
        second--;
    }
    return first == second && memcmp(one, two, first) == 0;
}

/* Was a message sent as this letter?  The nonce says so where it is kept. */
static bool
is_letter(const struct trip *trip, json_object *message, const char *content)
{
    const char *text = jdoc_string(message, "content");
    const char *nonce = jdoc_string(message, "nonce");
    uint64_t author = 0;
    uint64_t self = 0;

    if (!hear_snowflake(jdoc_get(message, "author"), "id", &author) ||
        !snowflake_read(trip->service->self, &self) || author != self) {
        return false;
    }
    if (nonce != NULL && *nonce != '\0') {
        return strcmp(nonce, trip->errand->key) == 0;
    }
    return text != NULL && same_text(text, content);
}

/* When it was not sent before, by the service's clock: by ours the letter was
 * written. */
static int64_t
first_time(const struct trip *trip)
{
    int64_t behind = 0;

    if (trip->errand->now > 0 && trip->reply->date > 0) {
        behind = trip->reply->date - trip->errand->now;
    }
    return trip->errand->since + (behind < 0 ? behind : 0) - FIND_SLACK_MS;
}

/* Look through a page; true: older ones may be it. */
static bool
look_through(struct trip *trip, struct finding *finding)
{
    size_t count = json_object_array_length(trip->value);
    uint64_t oldest = finding->before;
    int64_t first = 0;
    struct buf content = BUF_INIT;

    add_content(trip->errand, &content);
    for (size_t i = 0; i < count; i++) {
        json_object *message = json_object_array_get_idx(trip->value, i);
        uint64_t id;

        if (!hear_snowflake(message, "id", &id)) {
            continue;
        }
        int64_t time = message_time(trip, message, id);

        if (oldest == 0 || id < oldest) {
            oldest = id;
            first = time;
        }
        if (trip->out->id.len == 0 && time >= first_time(trip) &&
            is_letter(trip, message, buf_text(&content))) {
            give_id(trip, id);
        }
    }
    bool more = trip->out->id.len == 0 &&
                page_is_full(trip, count, DISCORD_PAGE) &&
                oldest != finding->before && first >= first_time(trip);

    finding->before = oldest;
    buf_wipe(&content);
    return more;
}

enum turn
discord_find(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));
    struct spot spot;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    if (trip->reply == NULL) {
        return ask_older(trip, finding, spot.channel);
    }
    if (!heard_well(trip) ||
        !json_object_is_type(trip->value, json_type_array)) {
        return discord_refused(trip);
    }
    if (look_through(trip, finding) && finding->requests < FIND_REQUESTS_MAX) {
        return ask_older(trip, finding, spot.channel);
    }
    return TURN_DONE;
}

/* ---- acts upon a message --------------------------------------------------
 */

/* What is there already is acted upon once more where the first try says what
 * has to be done before. */
struct act {
    bool begun;
    bool opening; /* a thread that was put away is opened again, */
    bool opened;
    bool other; /* by the other way that a server may know */
};

/* Ask for the act of an errand upon its message. */
typedef void ask_act(struct trip *trip, uint64_t channel, uint64_t post,
                     bool other);

static void
ask_edit(struct trip *trip, uint64_t channel, uint64_t post, bool other)
{
    static const struct rings nobody = {NULL, 0, false};

    ask_channel(trip, "PATCH", channel, "/messages");
    ask_id(trip, post);
    ask_text(trip, "content", trip->errand->text);
    ask_mentions(trip, &nobody);
    if (!other) {
        ask_number(trip, "flags", FLAG_NO_EMBEDS);
    }
    ask_end(trip, "");
    limit_by(trip, "edit", channel, 0);
}

/* Emoji come with U+FE0F or without: a server may know one alone. */
static void
add_emoji(struct buf *url, const char *emoji, bool bare)
{
    static const char selector[] = "\xEF\xB8\x8F";
    struct buf text = BUF_INIT;
    const char *at = NULL;

    while (bare && (at = strstr(emoji, selector)) != NULL) {
        buf_add(&text, emoji, (size_t)(at - emoji));
        emoji = at + 3;
    }
    buf_add_text(&text, emoji);
    buf_add_char(url, '/');
    url_add_part(url, buf_text(&text));
    buf_release(&text);
}

static void
ask_reaction(struct trip *trip, uint64_t channel, uint64_t post, bool other)
{
    ask_channel(trip, "PUT", channel, "/messages");
    ask_id(trip, post);
    buf_add_text(&trip->out->request.url, "/reactions");
    add_emoji(&trip->out->request.url, trip->errand->text, other);
    buf_add_text(&trip->out->request.url, "/@me");
    limit_by(trip, "react", channel, REACT_APART_MS);
}

static void
ask_deletion(struct trip *trip, uint64_t channel, uint64_t post, bool other)
{
    (void)other;
    ask_channel(trip, "DELETE", channel, "/messages");
    ask_id(trip, post);
    limit_by(trip, "delete", channel, DELETE_APART_MS);
}

/* D "Pin Message"; the other way is the one that was before. */
static void
ask_pin(struct trip *trip, uint64_t channel, uint64_t post, bool other)
{
    ask_channel(trip, "PUT", channel, other ? "/pins" : "/messages/pins");
    ask_id(trip, post);
    limit_by(trip, "pin", channel, DELETE_APART_MS);
}

/* Is the other way worth a try? */
static bool
has_other_way(const struct trip *trip)
{
    int64_t code = heard_code(trip);

    if (trip->errand->kind == ERRAND_REACT) {
        return code == CODE_UNKNOWN_EMOJI;
    }
    if (trip->errand->kind == ERRAND_EDIT) {
        return heard_strict(trip) && trip->reply->status != 500;
    }
    return trip->errand->kind == ERRAND_PIN &&
           ((code == 0 && heard_lack(trip)) || heard_want(trip));
}

static enum turn
act_upon(struct trip *trip, struct act *act, ask_act *how, struct spot spot)
{
    uint64_t post;

    act->begun = true;
    act->opening = false;
    if (!snowflake_read(trip->errand->post, &post)) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: a saved post is none of this service's",
                            trip->service->name);
    }
    how(trip, spot.channel, post, act->other);
    return TURN_REQUEST;
}

/* In a thread that was put away nothing can be changed (D "Threads"). */
static enum turn
open_again(struct trip *trip, struct act *act, struct spot spot)
{
    act->opening = true;
    act->opened = true;
    ask_channel(trip, "PATCH", spot.channel, "");
    ask_json(trip, "archived", "false");
    ask_end(trip, "");
    limit_by(trip, "channel", spot.channel, 0);
    return TURN_REQUEST;
}

static enum turn
act(struct trip *trip, ask_act *how)
{
    struct act *act = trip_memory(trip, sizeof(*act));
    struct spot spot;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    if (!act->begun) {
        return act_upon(trip, act, how, spot);
    }
    if (reply_err(trip->reply) == ERR_NONE) {
        return act->opening ? act_upon(trip, act, how, spot) : TURN_DONE;
    }
    if (!act->opening && !act->opened && heard_code(trip) == CODE_ARCHIVED) {
        return open_again(trip, act, spot);
    }
    if (!act->opening && !act->other && has_other_way(trip)) {
        act->other = true;
        return act_upon(trip, act, how, spot);
    }
    return discord_lacking(trip);
}

enum turn
discord_edit(struct trip *trip)
{
    return act(trip, ask_edit);
}

enum turn
discord_react(struct trip *trip)
{
    return act(trip, ask_reaction);
}

enum turn
discord_delete(struct trip *trip)
{
    return act(trip, ask_deletion);
}

enum turn
discord_pin(struct trip *trip)
{
    return act(trip, ask_pin);
}
