/*
 * Discord: buttons, and what is pressed (D "Receiving and Responding", D
 * "Component Reference").  Slash commands that are given come the same way.
 *
 * A press is an interaction.  It is acknowledged within three seconds, and then
 * has a quarter of an hour to be answered, with a token that only its event
 * brings.  A press under a post of ours is answered with a message that its
 * author alone sees; one under such a message changes that message.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* D "Interaction Type", "Interaction Callback Type", "Message Flags",
 * "Component Types", "Button Styles". */
enum {
    INTERACTION_COMMAND = 2,
    INTERACTION_COMPONENT = 3,
    INTERACTION_AUTOCOMPLETE = 4,
    CALLBACK_DEFERRED_MESSAGE = 5,
    CALLBACK_DEFERRED_UPDATE = 6,
    CALLBACK_CHOICES = 8,
    FLAG_EPHEMERAL = 1 << 6,
    COMPONENT_ROW = 1,
    COMPONENT_BUTTON = 2,
    COMPONENT_MENU = 3,
    STYLE_PLAIN = 2,
    STYLE_ALARMING = 4,
    ROW_MAX = 5, /* buttons in a row */
    TOKEN_MAX = 1024,
};

/* ---- buttons ------------------------------------------------------------- */

static void
add_row(struct buf *list)
{
    jtext_comma(list);
    buf_addf(list, "{\"type\":%d,\"components\":[", COMPONENT_ROW);
}

static void
add_button(const struct button *button, struct buf *list)
{
    jtext_comma(list);
    buf_addf(list, "{\"type\":%d,\"style\":%d", COMPONENT_BUTTON,
             button->alarming ? STYLE_ALARMING : STYLE_PLAIN);
    jtext_add_text(list, "label", button->label);
    jtext_add_text(list, "custom_id", button->id);
    buf_add_char(list, '}');
}

/* A menu has an id of its own, which is not needed: each choice has its. */
static void
add_menu(const struct buttons *buttons, struct buf *list)
{
    add_row(list);
    buf_addf(list, "{\"type\":%d,\"custom_id\":\"menu\"", COMPONENT_MENU);
    jtext_add_text(list, "placeholder", buttons->menu);
    jtext_begin_list(list, "options");
    for (unsigned i = 0; i < buttons->count; i++) {
        jtext_begin_item(list);
        jtext_add_text(list, "label", buttons->list[i].label);
        jtext_add_text(list, "value", buttons->list[i].id);
        buf_add_char(list, '}');
    }
    buf_add_text(list, "]}]}");
}

static void
add_rows(const struct buttons *buttons, struct buf *list)
{
    for (unsigned i = 0; i < buttons->count; i++) {
        if (i % ROW_MAX == 0) {
            add_row(list);
        }
        add_button(&buttons->list[i], list);
        if (i % ROW_MAX == ROW_MAX - 1 || i + 1 == buttons->count) {
            buf_add_text(list, "]}");
        }
    }
}

void
ask_buttons(struct exchange *exchange, const struct buttons *buttons)
{
    struct buf list = BUF_INIT;

    if (buttons == NULL) {
        return;
    }
    buf_add_char(&list, '[');
    if (buttons->menu[0] != '\0' && buttons->count > 0) {
        add_menu(buttons, &list);
    } else {
        add_rows(buttons, &list);
    }
    buf_add_char(&list, ']');
    ask_json(exchange, "components", buf_text(&list));
    buf_release(&list);
}

/* ---- a press ------------------------------------------------------------- */

/* The button, or what was chosen from a menu; NULL: neither. */
static const char *
pressed(json_object *data)
{
    json_object *values = jdoc_get(data, "values");
    const char *id = jdoc_string(data, "custom_id");

    if (json_object_is_type(values, json_type_array)) {
        json_object *first = json_object_array_get_idx(values, 0);

        id = json_object_array_length(values) == 1 &&
                     json_object_is_type(first, json_type_string)
                 ? json_object_get_string(first)
                 : NULL;
    }
    return id == NULL || *id == '\0' || strlen(id) > BUTTON_ID_MAX ? NULL : id;
}

/* Does the button stand under a message that its presser alone sees? */
static bool
is_ephemeral(json_object *interaction)
{
    int64_t flags = 0;

    return jdoc_integer(jdoc_get(interaction, "message"), "flags", &flags) &&
           (flags & FLAG_EPHEMERAL) != 0;
}

/* A token goes into a path as it stands. */
static bool
is_token(const char *token)
{
    return token != NULL && *token != '\0' && strlen(token) <= TOKEN_MAX &&
           strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                         "0123456789._~=-") == strlen(token);
}

/* The body of the press, of a type of interaction; false: it is none of ours.
 */
static bool
parse_body(json_object *interaction, int64_t type, struct buf *body)
{
    json_object *data = jdoc_get(interaction, "data");
    const char *button = NULL;

    if (type == INTERACTION_COMMAND || type == INTERACTION_AUTOCOMPLETE) {
        return slash_body(data, body);
    }
    button = type == INTERACTION_COMPONENT ? pressed(data) : NULL;
    if (button == NULL || button[0] == '/') {
        return false;
    }
    buf_add_text(body, button);
    return true;
}

static int
callback_of(json_object *interaction, int64_t type)
{
    return type == INTERACTION_AUTOCOMPLETE ? CALLBACK_CHOICES
           : is_ephemeral(interaction)      ? CALLBACK_DEFERRED_UPDATE
                                            : CALLBACK_DEFERRED_MESSAGE;
}

/* The language of whoever pressed, without what it is called in a country (D
 * "Locales": "en-GB"); NULL: it was not told. */
static char *
copy_language(json_object *interaction)
{
    const char *locale = jdoc_string(interaction, "locale");
    size_t len =
        locale == NULL ? 0 : strspn(locale, "abcdefghijklmnopqrstuvwxyz");

    if (len != 2 || (locale[len] != '\0' && locale[len] != '-')) {
        return NULL;
    }
    char language[3] = {locale[0], locale[1], '\0'};

    return must_copy(strcmp(language, "no") == 0 ? "nb" : language);
}

/* The secret of a press is "CALLBACK APPLICATION TOKEN". */
bool
parse_press(json_object *interaction, struct page *page, struct buf *secret)
{
    json_object *member = jdoc_get(interaction, "member");
    json_object *user = jdoc_get(member != NULL ? member : interaction, "user");
    const char *token = jdoc_string(interaction, "token");
    struct buf body = BUF_INIT;
    struct channel_id where = {0, 0};
    struct buf place = BUF_INIT;
    uint64_t id = 0;
    uint64_t author = 0;
    uint64_t application = 0;
    int64_t type = 0;

    (void)parse_snowflake(interaction, "guild_id", &where.guild);
    if (!jdoc_integer(interaction, "type", &type) ||
        !parse_body(interaction, type, &body) || !is_token(token) ||
        !parse_snowflake(interaction, "id", &id) ||
        !parse_snowflake(interaction, "application_id", &application) ||
        !parse_snowflake(interaction, "channel_id", &where.channel) ||
        !parse_snowflake(user, "id", &author)) {
        buf_release(&body);
        return false;
    }
    struct post *post = page_add(page);

    channel_id_write(where, &place);
    post->kind = type == INTERACTION_AUTOCOMPLETE ? POST_TYPED : POST_PRESSED;
    post->id = copy_id(id);
    post->place = buf_take(&place);
    post->author = copy_id(author);
    meet_author(post, user, member);
    post->language = copy_language(interaction);
    post->body_len = body.len;
    post->body = buf_take(&body);
    post->stamp = snowflake_time(id);
    post->dm = where.guild == 0;
    page_finish(page);
    buf_addf(secret, "%d %" PRIu64 " %s", callback_of(interaction, type),
             application, token);
    return true;
}

/* ---- answering ----------------------------------------------------------- */

/* What the secret of a press holds; false: it is none. */
struct press_secret {
    int64_t callback;
    char *application;
    const char *token; /* borrowed */
};

static bool
read_secret(const char *secret, struct press_secret *parts)
{
    size_t first = strcspn(secret, " ");
    size_t second = secret[first] == ' ' ? strcspn(secret + first + 1, " ") : 0;

    if (second == 0 || secret[first + 1 + second] != ' ') {
        return false;
    }
    parts->callback = secret[0] - '0';
    parts->application = must_copy(secret + first + 1);
    parts->application[second] = '\0';
    parts->token = secret + first + 2 + second;
    return true;
}

/* Neither needs the bot's token (D "Receiving and Responding").  All of them
 * count towards one limit of ours, whose name must not hold the token. */
static void
ask_press(struct exchange *exchange, const char *method, const char *path)
{
    discord_ask(exchange, method, path);
    exchange->out->request.authorized = false;
    exchange->out->request.urgent = true;
}

static enum advance
fail_unknown(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                        "%s: what came with a press can't be used",
                        exchange->service->name);
}

/* It tells no words of the service: they might hold the token. */
static enum advance
fail_press(struct exchange *exchange)
{
    if (refusal_code(exchange) == CODE_UNKNOWN_INTERACTION) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: a press was acknowledged too late",
                            exchange->service->name);
    }
    return exchange_refused_with(exchange, "");
}

/* The reply to an acknowledgement, or to what can be chosen.  That to a success
 * is empty; said twice, it is refused. */
static enum advance
take_callback(struct exchange *exchange)
{
    return reply_err(exchange->reply) == ERR_NONE ||
                   refusal_code(exchange) == CODE_ACKNOWLEDGED
               ? ADVANCE_DONE
               : fail_press(exchange);
}

/* The request is complete. */
static enum advance
end_press(struct exchange *exchange, struct press_secret *secret,
          struct buf *path)
{
    ask_end(exchange, "");
    free(secret->application);
    buf_wipe(path);
    return ADVANCE_REQUEST;
}

enum advance
discord_acknowledge(struct exchange *exchange)
{
    struct press_secret secret = {0, NULL, NULL};
    struct buf path = BUF_INIT;
    struct buf data = BUF_INIT;

    if (exchange->reply != NULL) {
        return take_callback(exchange);
    }
    if (!read_secret(exchange->op->secret, &secret)) {
        return fail_unknown(exchange);
    }
    buf_addf(&path, "/interactions/%s/%s/callback", exchange->op->post,
             secret.token);
    ask_press(exchange, "POST", buf_text(&path));
    buf_addf(&data, "%" PRId64, secret.callback);
    ask_json(exchange, "type", buf_text(&data));
    if (secret.callback == CALLBACK_DEFERRED_MESSAGE) {
        buf_clear(&data);
        buf_addf(&data, "{\"flags\":%d}", FLAG_EPHEMERAL);
        ask_json(exchange, "data", buf_text(&data));
    }
    buf_release(&data);
    return end_press(exchange, &secret, &path);
}

enum advance
discord_reply(struct exchange *exchange)
{
    static const struct buttons none = {.count = 0};
    const struct op *op = exchange->op;
    struct press_secret secret = {0, NULL, NULL};
    struct buf path = BUF_INIT;

    if (exchange->reply != NULL) {
        return reply_err(exchange->reply) == ERR_NONE ? ADVANCE_DONE
                                                      : fail_press(exchange);
    }
    if (!read_secret(op->secret, &secret)) {
        return fail_unknown(exchange);
    }
    buf_addf(&path, "/webhooks/%s/%s/messages/@original", secret.application,
             secret.token);
    ask_press(exchange, "PATCH", buf_text(&path));
    /* Else they are ignored (D "Using Message Components"). */
    ask_query(exchange, "with_components", "true");
    ask_text(exchange, "content", op->text);
    ask_json(exchange, "allowed_mentions", "{\"parse\":[]}");
    ask_buttons(exchange, op->buttons != NULL ? op->buttons : &none);
    return end_press(exchange, &secret, &path);
}

/* What can be chosen is told at once (D "Autocomplete"): nothing was
 * acknowledged. */
enum advance
discord_suggest(struct exchange *exchange)
{
    const struct buttons *choices = exchange->op->buttons;
    struct press_secret secret = {0, NULL, NULL};
    struct buf path = BUF_INIT;
    struct buf data = BUF_INIT;

    if (exchange->reply != NULL) {
        return take_callback(exchange);
    }
    if (!read_secret(exchange->op->secret, &secret)) {
        return fail_unknown(exchange);
    }
    buf_addf(&path, "/interactions/%s/%s/callback", exchange->op->post,
             secret.token);
    ask_press(exchange, "POST", buf_text(&path));
    buf_add_text(&data, "{\"choices\":[");
    for (unsigned i = 0; choices != NULL && i < choices->count; i++) {
        jtext_begin_item(&data);
        jtext_add_text(&data, "name", choices->list[i].label);
        jtext_add_text(&data, "value", choices->list[i].label);
        buf_add_char(&data, '}');
    }
    buf_add_text(&data, "]}");
    ask_json(exchange, "data", buf_text(&data));
    buf_clear(&data);
    buf_addf(&data, "%d", CALLBACK_CHOICES);
    ask_json(exchange, "type", buf_text(&data));
    buf_release(&data);
    return end_press(exchange, &secret, &path);
}
