/*
 * Discord: all writing.
 *
 * Sent twice with the same nonce, a message is posted once, for some minutes (D
 * "Create Message", enforce_nonce); later, and at servers without nonces, it is
 * looked for by its text.  All other acts may be repeated.
 *
 * Each message and each edit says whom it pings: else Discord would ping
 * whomever the text names, everybody included (D "Allowed Mentions Object").
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
    EDIT_APART_MS = 1000, /* ours: what changes meanwhile goes into one edit */
    REACT_APART_MS = 300, /* hidden: discord-api-docs, issue 2886 */
    DELETE_APART_MS = 1000, /* hidden: discord-api-docs, issue 2761 */
};

/* ---- a message ----------------------------------------------------------- */

static void
add_mention(const char *user, struct buf *text)
{
    buf_addf(text, "<@%s>", user);
}

static bool
has_role(const struct pings *pings)
{
    return pings->role != NULL && *pings->role != '\0';
}

/* Whoever is pinged must be named in the text. */
static void
add_content(const struct op *op, struct buf *content)
{
    struct buf mention = BUF_INIT;

    if (op->pings.everybody) {
        buf_add_text(content, "@everyone\n");
    }
    if (has_role(&op->pings)) {
        buf_addf(content, "<@&%s>\n", op->pings.role);
    }
    buf_add_text(content, op->text);
    for (unsigned i = 0; i < op->pings.count; i++) {
        buf_clear(&mention);
        add_mention(op->pings.users[i], &mention);
        if (strstr(op->text, buf_text(&mention)) == NULL) {
            buf_add_text(content, " ");
            buf_add_buf(content, &mention);
        }
    }
    buf_release(&mention);
}

static void
ask_mentions(struct exchange *exchange, const struct pings *pings)
{
    struct buf list = BUF_INIT;

    buf_addf(&list, "{\"parse\":[%s]", pings->everybody ? "\"everyone\"" : "");
    jtext_begin_list(&list, "users");
    for (unsigned i = 0; i < pings->count; i++) {
        jtext_comma(&list);
        jtext_string(&list, pings->users[i]);
    }
    buf_add_char(&list, ']');
    if (has_role(pings)) {
        jtext_begin_list(&list, "roles");
        jtext_string(&list, pings->role);
        buf_add_char(&list, ']');
    }
    buf_add_char(&list, '}');
    ask_json(exchange, "allowed_mentions", buf_text(&list));
    buf_release(&list);
}

static void
ask_number(struct exchange *exchange, const char *key, int64_t number)
{
    struct buf text = BUF_INIT;

    buf_add_number(&text, number);
    ask_json(exchange, key, buf_text(&text));
    buf_release(&text);
}

/* What pings nobody makes no sound either.  `bare`: without newer members, for
 * servers that refuse what they do not know, as Spacebar did before it knew
 * enforce_nonce (src/schemas/uncategorised/MessageCreateSchema.ts). */
static void
ask_message(struct exchange *exchange, bool bare)
{
    const struct op *op = exchange->op;
    bool silent = !op->dm && !op->pings.everybody && !has_role(&op->pings) &&
                  op->pings.count == 0;
    bool named = *op->key != '\0' && strlen(op->key) <= NONCE_MAX;
    struct buf content = BUF_INIT;

    add_content(op, &content);
    ask_text(exchange, "content", buf_text(&content));
    if (named) {
        ask_text(exchange, "nonce", op->key);
    }
    if (named && !bare) {
        ask_json(exchange, "enforce_nonce", "true");
    }
    ask_mentions(exchange, &op->pings);
    if (!bare) {
        ask_buttons(exchange, op->buttons);
        ask_number(exchange, "flags",
                   FLAG_NO_EMBEDS | (silent ? FLAG_SILENT : 0));
    }
    buf_wipe(&content);
}

/* ---- with a picture ------------------------------------------------------ */

/* Put the message's JSON and the picture together (D "Uploading Files"). */
static void
wrap_picture(struct exchange *exchange)
{
    struct buf message = exchange->out->request.body;
    struct form_field field = {"payload_json", "application/json",
                               buf_text(&message)};

    exchange->out->request.body = (struct buf)BUF_INIT;
    ask_picture(exchange, &field, 1, "files[0]");
    buf_wipe(&message);
}

static void
ask_description(struct exchange *exchange)
{
    struct buf list = BUF_INIT;

    buf_add_text(&list,
                 "[{\"id\":0,\"filename\":\"board.png\",\"description\":");
    jtext_string(&list, exchange->op->picture.caption);
    buf_add_text(&list, "}]");
    ask_json(exchange, "attachments", buf_text(&list));
    buf_release(&list);
}

/* ---- sending ------------------------------------------------------------- */

/* How to send it: with a picture and its caption, with a picture alone (for
 * servers that know no captions), or without; each of them also without newer
 * members. */
enum send_step {
    SEND_BEGIN,
    SEND_DESCRIBED,
    SEND_PICTURE,
    SEND_BARE_PICTURE,
    SEND_TEXT,
    SEND_BARE_TEXT,
};

static enum advance
ask_send(struct exchange *exchange, enum send_step *step, uint64_t channel,
         enum send_step how)
{
    *step = how;
    ask_channel(exchange, "POST", channel, "/messages");
    ask_message(exchange, how == SEND_BARE_PICTURE || how == SEND_BARE_TEXT);
    if (how == SEND_DESCRIBED) {
        ask_description(exchange);
    }
    ask_end(exchange, "");
    if (how < SEND_TEXT) {
        wrap_picture(exchange);
    }
    limit_by(exchange, "send", channel, 0);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* Without its picture the message is still sent.  A server that takes no files
 * may fail on them: the Discord twin (src/server.ts). */
static bool
may_do_without(const struct exchange *exchange)
{
    int status = exchange->reply->status;

    return is_too_strict(exchange) ||
           (exchange->value != NULL &&
            (status == 400 || status == 403 || status == 413 || status == 415));
}

/* How to send it after a refusal; the same as before: there is no other way. */
static enum send_step
next_step(const struct exchange *exchange, enum send_step step)
{
    if (step == SEND_TEXT) {
        return is_too_strict(exchange) && exchange->reply->status != 500
                   ? SEND_BARE_TEXT
                   : step;
    }
    if (step == SEND_BARE_TEXT || !may_do_without(exchange)) {
        return step;
    }
    return step == SEND_PICTURE && !is_too_strict(exchange) ? SEND_TEXT
                                                            : step + 1;
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

enum advance
discord_send(struct exchange *exchange)
{
    enum send_step *step = exchange_memory(exchange, sizeof(*step));
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    if (exchange->op->dm && where.guild != 0) {
        /* Nothing secret goes where others could read it. */
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: a private message is for a DM alone",
                            exchange->service->name);
    }
    if (exchange->reply == NULL) {
        return ask_send(exchange, step, where.channel,
                        first_step(&exchange->op->picture));
    }
    if (parse_own_id(exchange)) {
        return ADVANCE_DONE;
    }
    enum send_step next = next_step(exchange, *step);

    if (*step < SEND_TEXT && next >= SEND_TEXT) {
        exchange_without_picture(exchange);
    }
    return next != *step ? ask_send(exchange, step, where.channel, next)
                         : discord_refused(exchange);
}

/* ---- finding ------------------------------------------------------------- */

enum {
    FIND_SLACK_MS = 10 * MINUTE_MS, /* our clock may have been set since */
    ALIKE_SLACK_MS = 2000, /* but the same answer may have been given before */
};

/* The cursor is the oldest message that was looked at. */
static enum advance
ask_older(struct exchange *exchange, uint64_t channel)
{
    ask_channel(exchange, "GET", channel, "/messages");
    if (*exchange->op->cursor != '\0') {
        ask_query(exchange, "before", exchange->op->cursor);
    }
    ask_query(exchange, "limit", "100");
    limit_by(exchange, "read", channel, READ_APART_MS);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

static bool
is_blank(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Are they, or their first lines, the same apart from blanks at both ends,
 * which the service cuts? */
static bool
same_text(const char *one, const char *two, bool first_line)
{
    while (is_blank(*one)) {
        one++;
    }
    while (is_blank(*two)) {
        two++;
    }
    size_t first = first_line ? strcspn(one, "\n") : strlen(one);
    size_t second = first_line ? strcspn(two, "\n") : strlen(two);

    while (first > 0 && is_blank(one[first - 1])) {
        first--;
    }
    while (second > 0 && is_blank(two[second - 1])) {
        second--;
    }
    return first == second && memcmp(one, two, first) == 0;
}

/* Was a message of that time sent as this message?  The nonce says so where it
 * is kept; of messages with the same text each is another post. */
static bool
is_that_message(const struct exchange *exchange, json_object *message,
                int64_t time, const char *content)
{
    const char *id = jdoc_string(message, "id");
    const char *text = jdoc_string(message, "content");
    const char *nonce = jdoc_string(message, "nonce");
    uint64_t author = 0;
    uint64_t self = 0;

    if (!parse_snowflake(jdoc_get(message, "author"), "id", &author) ||
        !snowflake_read(exchange->service->self, &self) || author != self) {
        return false;
    }
    if (nonce != NULL && *nonce != '\0') {
        return strcmp(nonce, exchange->op->key) == 0;
    }
    int64_t slack = exchange->op->once ? FIND_SLACK_MS : ALIKE_SLACK_MS;
    return text != NULL && time >= exchange_since(exchange) - slack &&
           id != NULL && !exchange_is_other(exchange, id) &&
           same_text(text, content, exchange->op->changed);
}

/* Look through a page. */
static enum advance
look_through(struct exchange *exchange)
{
    size_t count = json_object_array_length(exchange->value);
    uint64_t oldest = 0;
    int64_t first = 0;
    struct buf content = BUF_INIT;

    add_content(exchange->op, &content);
    for (size_t i = 0; i < count; i++) {
        json_object *message = json_object_array_get_idx(exchange->value, i);
        uint64_t id;

        if (!parse_snowflake(message, "id", &id)) {
            continue;
        }
        int64_t time = message_time(exchange, message, id);

        if (oldest == 0 || id < oldest) {
            oldest = id;
            first = time;
        }
        if (exchange->out->id.len == 0 &&
            is_that_message(exchange, message, time, buf_text(&content))) {
            give_id(exchange, id);
        }
    }
    buf_wipe(&content);
    if (count > 0 && oldest == 0) {
        return discord_refused(exchange);
    }
    bool goes_on = page_is_full(exchange, count, DISCORD_PAGE) &&
                   first >= exchange_since(exchange) - FIND_SLACK_MS;

    buf_addf(&exchange->out->cursor, "%" PRIu64, oldest);
    return exchange_looked(exchange, goes_on ? FOUND_NOT_YET : FOUND_NOTHING);
}

enum advance
discord_find(struct exchange *exchange)
{
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    if (exchange->reply == NULL) {
        return ask_older(exchange, where.channel);
    }
    return is_success(exchange) &&
                   json_object_is_type(exchange->value, json_type_array)
               ? look_through(exchange)
               : discord_refused(exchange);
}

/* ---- acts upon a message ------------------------------------------------- */

/* Act once more on the message if the first try shows what has to be done
 * before. */
struct act {
    bool begun;
    bool opening; /* an archived thread is opened again, */
    bool opened;
    bool other; /* in the other way that a server may know */
};

/* Make the request that does the operation to its message. */
typedef void ask_act(struct exchange *exchange, uint64_t channel, uint64_t post,
                     bool other);

static void
ask_edit(struct exchange *exchange, uint64_t channel, uint64_t post, bool other)
{
    static const struct pings nobody = {NULL, 0, false, NULL};

    ask_channel(exchange, "PATCH", channel, "/messages");
    ask_id(exchange, post);
    if (exchange->op->text[0] != '\0') {
        ask_text(exchange, "content", exchange->op->text);
    }
    ask_mentions(exchange, &nobody);
    if (!other) {
        ask_buttons(exchange, exchange->op->buttons);
        ask_number(exchange, "flags", FLAG_NO_EMBEDS);
    }
    ask_end(exchange, "");
    limit_by(exchange, "edit", channel, EDIT_APART_MS);
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
ask_reaction(struct exchange *exchange, uint64_t channel, uint64_t post,
             bool other)
{
    ask_channel(exchange, "PUT", channel, "/messages");
    ask_id(exchange, post);
    buf_add_text(&exchange->out->request.url, "/reactions");
    add_emoji(&exchange->out->request.url, exchange->op->text, other);
    buf_add_text(&exchange->out->request.url, "/@me");
    limit_by(exchange, "react", channel, REACT_APART_MS);
}

static void
ask_deletion(struct exchange *exchange, uint64_t channel, uint64_t post,
             bool other)
{
    (void)other;
    ask_channel(exchange, "DELETE", channel, "/messages");
    ask_id(exchange, post);
    limit_by(exchange, "delete", channel, DELETE_APART_MS);
}

/* D "Pin Message"; the other way is the one that was before. */
static void
ask_pin(struct exchange *exchange, uint64_t channel, uint64_t post, bool other)
{
    ask_channel(exchange, "PUT", channel, other ? "/pins" : "/messages/pins");
    ask_id(exchange, post);
    limit_by(exchange, "pin", channel, DELETE_APART_MS);
}

/* Is the other way worth a try? */
static bool
has_other_way(const struct exchange *exchange)
{
    int64_t code = refusal_code(exchange);

    if (exchange->op->kind == OP_REACT) {
        return code == CODE_UNKNOWN_EMOJI;
    }
    if (exchange->op->kind == OP_EDIT) {
        return is_too_strict(exchange) && exchange->reply->status != 500;
    }
    return exchange->op->kind == OP_PIN &&
           ((code == 0 && is_unavailable(exchange)) ||
            is_unsupported(exchange));
}

static enum advance
act_upon(struct exchange *exchange, struct act *act, ask_act *how,
         struct channel_id where)
{
    uint64_t post;

    act->begun = true;
    act->opening = false;
    if (!snowflake_read(exchange->op->post, &post)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: a saved post is none of this service's",
                            exchange->service->name);
    }
    how(exchange, where.channel, post, act->other);
    return ADVANCE_REQUEST;
}

/* In an archived thread nothing can be changed (D "Threads"). */
static enum advance
open_again(struct exchange *exchange, struct act *act, struct channel_id where)
{
    act->opening = true;
    act->opened = true;
    ask_channel(exchange, "PATCH", where.channel, "");
    ask_json(exchange, "archived", "false");
    ask_end(exchange, "");
    limit_by(exchange, "channel", where.channel, 0);
    return ADVANCE_REQUEST;
}

static enum advance
act(struct exchange *exchange, ask_act *how)
{
    struct act *act = exchange_memory(exchange, sizeof(*act));
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    if (!act->begun) {
        return act_upon(exchange, act, how, where);
    }
    if (reply_err(exchange->reply) == ERR_NONE) {
        return act->opening ? act_upon(exchange, act, how, where)
                            : ADVANCE_DONE;
    }
    if (!act->opening && !act->opened &&
        refusal_code(exchange) == CODE_ARCHIVED) {
        return open_again(exchange, act, where);
    }
    if (!act->opening && !act->other && has_other_way(exchange)) {
        act->other = true;
        return act_upon(exchange, act, how, where);
    }
    return discord_lacking(exchange);
}

enum advance
discord_edit(struct exchange *exchange)
{
    return act(exchange, ask_edit);
}

enum advance
discord_react(struct exchange *exchange)
{
    return act(exchange, ask_reaction);
}

enum advance
discord_delete(struct exchange *exchange)
{
    return act(exchange, ask_deletion);
}

enum advance
discord_pin(struct exchange *exchange)
{
    return act(exchange, ask_pin);
}
