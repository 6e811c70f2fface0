/*
 * Discord: slash commands (D "Application Commands").
 *
 * A server has a list of ours, which is read, compared and, if it differs,
 * replaced as a whole.  Which servers have one is kept in a state: when none is
 * wanted any more, it is emptied there and nowhere else.  What people give
 * comes as an interaction (discord_press.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* D "Application Command Types", "Application Command Option Type". */
enum {
    COMMAND_SLASH = 1,
    COMMAND_USER = 2,
    COMMAND_MESSAGE = 3,
    OPTION_TEXT = 3,
    OPTION_MOST = 200, /* code points that people may give */
};

#define MANAGE_MESSAGES (UINT64_C(1) << 13) /* D "Permissions" */

/* ---- what was given ------------------------------------------------------ */

/* Append a text on one line. */
static void
add_line(const char *text, struct buf *body)
{
    for (const char *at = text; *at != '\0'; at++) {
        char c = *at;

        if ((unsigned char)c < ' ') {
            c = ' ';
        }
        buf_add_char(body, c);
    }
}

bool
slash_body(json_object *data, struct buf *body)
{
    const char *name = jdoc_string(data, "name");
    json_object *options = jdoc_get(data, "options");
    size_t count = json_object_is_type(options, json_type_array)
                       ? json_object_array_length(options)
                       : 0;
    int64_t type = 0;

    (void)jdoc_integer(data, "type", &type);
    if (type == COMMAND_MESSAGE || type == COMMAND_USER) {
        uint64_t target = 0;

        buf_addf(body, "%s%" PRIu64,
                 type == COMMAND_USER ? "/votes @" : "/why ",
                 parse_snowflake(data, "target_id", &target) ? target : 0);
        return target != 0;
    }
    if (type != COMMAND_SLASH || name == NULL || *name == '\0') {
        return false;
    }
    buf_add_char(body, '/');
    add_line(name, body);
    for (size_t i = 0; i < count; i++) {
        const char *value =
            jdoc_string(json_object_array_get_idx(options, i), "value");

        if (value == NULL) {
            return false;
        }
        buf_add_char(body, ' ');
        add_line(value, body);
    }
    return body->len <= SLASH_BODY_MAX;
}

/* ---- the list ------------------------------------------------------------ */

/* What Discord calls a language (D "Locales"); NULL: that of the plain texts.
 */
static const char *
locale_of(const char *language)
{
    return strcmp(language, "nb") == 0   ? "no"
           : strcmp(language, "en") == 0 ? NULL
                                         : language;
}

/* A text of one thing in other languages. */
static void
add_localized(const struct slash_words *words, unsigned languages,
              const char *key, bool names, struct buf *list)
{
    jtext_begin_object(list, key);
    for (unsigned i = 1; i < languages; i++) {
        const char *locale = locale_of(words[i].language);

        if (locale != NULL) {
            jtext_add_text(list, locale, names ? words[i].name : words[i].text);
        }
    }
    buf_add_char(list, '}');
}

static void
add_words(const struct slash_words *words, unsigned languages, struct buf *list)
{
    jtext_add_text(list, "name", words[0].name);
    add_localized(words, languages, "name_localizations", true, list);
    if (words[0].text[0] == '\0') {
        return;
    }
    jtext_add_text(list, "description", words[0].text);
    add_localized(words, languages, "description_localizations", false, list);
}

static void
add_choices(const struct slash_command *command, unsigned languages,
            struct buf *list)
{
    jtext_begin_list(list, "choices");
    for (unsigned i = 0; i < command->choice_count; i++) {
        const struct slash_choice *choice = &command->choices[i];

        jtext_begin_item(list);
        jtext_add_text(list, "name", choice->labels[0]);
        jtext_begin_object(list, "name_localizations");
        for (unsigned at = 1; at < languages; at++) {
            const char *locale = locale_of(command->words[at].language);

            if (locale != NULL) {
                jtext_add_text(list, locale, choice->labels[at]);
            }
        }
        buf_add_char(list, '}');
        jtext_add_text(list, "value", choice->value);
        buf_add_char(list, '}');
    }
    buf_add_char(list, ']');
}

static void
add_option(const struct slash_command *command, unsigned languages,
           struct buf *list)
{
    jtext_key(list, "options");
    buf_addf(list, "[{\"type\":%d", OPTION_TEXT);
    add_words(command->option, languages, list);
    jtext_add_bool(list, "required", command->required);
    jtext_add_bool(list, "autocomplete", command->suggests);
    if (command->choice_count > 0) {
        add_choices(command, languages, list);
    } else {
        buf_addf(list, ",\"max_length\":%d", OPTION_MOST);
    }
    buf_add_text(list, "}]");
}

/* A command that needs no permission says so: one that needed it earlier is
 * another. */
static void
add_command(const struct slash_command *command, unsigned languages,
            struct buf *list)
{
    jtext_comma(list);
    buf_addf(list, "{\"type\":%d",
             command->post     ? COMMAND_MESSAGE
             : command->person ? COMMAND_USER
                               : COMMAND_SLASH);
    add_words(command->words, languages, list);
    jtext_key(list, "default_member_permissions");
    if (command->moderators) {
        buf_addf(list, "\"%" PRIu64 "\"", MANAGE_MESSAGES);
    } else {
        buf_add_text(list, "null");
    }
    if (command->option[0].name[0] != '\0') {
        add_option(command, languages, list);
    } else if (!command->post && !command->person) {
        buf_add_text(list, ",\"options\":[]");
    }
    buf_add_char(list, '}');
}

static void
write_list(const struct slash_commands *commands, struct buf *list)
{
    buf_add_char(list, '[');
    for (unsigned i = 0; i < commands->count; i++) {
        add_command(&commands->list[i], commands->languages, list);
    }
    buf_add_char(list, ']');
}

/* ---- comparing ----------------------------------------------------------- */

enum {
    DEPTH_MAX = 8 /* of what we write */
};

/* Discord may leave out what is false or empty. */
static bool
is_nothing(json_object *value)
{
    return value == NULL ||
           (json_object_is_type(value, json_type_boolean) &&
            !json_object_get_boolean(value)) ||
           (json_object_is_type(value, json_type_array) &&
            json_object_array_length(value) == 0) ||
           (json_object_is_type(value, json_type_object) &&
            json_object_object_length(value) == 0);
}

/* Does a thing there have all that we want of it?  Discord adds members of its
 * own (ids, a version), and keeps the order of lists. */
static bool
has_all(json_object *wanted, json_object *found, unsigned depth)
{
    if (depth == DEPTH_MAX) {
        return false;
    }
    if (is_nothing(wanted)) {
        return is_nothing(found);
    }
    if (json_object_is_type(wanted, json_type_array)) {
        size_t count = json_object_array_length(wanted);
        bool same = json_object_is_type(found, json_type_array) &&
                    json_object_array_length(found) == count;
        for (size_t i = 0; same && i < count; i++) {
            same = has_all(json_object_array_get_idx(wanted, i),
                           json_object_array_get_idx(found, i), depth + 1);
        }
        return same;
    }
    if (!json_object_is_type(wanted, json_type_object)) {
        return json_object_equal(wanted, found) != 0;
    }
    bool same = json_object_is_type(found, json_type_object);
    json_object_object_foreach(wanted, key, value)
    {
        same = same && has_all(value, jdoc_get(found, key), depth + 1);
    }
    return same;
}

/* Is a command in the list, just as it should be?  Their order is Discord's. */
static bool
is_there(json_object *wanted, json_object *list)
{
    size_t count = json_object_array_length(list);
    bool there = false;

    for (size_t i = 0; !there && i < count; i++) {
        there = has_all(wanted, json_object_array_get_idx(list, i), 0);
    }
    return there;
}

static bool
is_same(json_object *list, const char *wanted)
{
    json_object *commands = json_tokener_parse(wanted);
    size_t count = json_object_array_length(commands);
    bool same = json_object_array_length(list) == count;

    for (size_t i = 0; same && i < count; i++) {
        same = is_there(json_object_array_get_idx(commands, i), list);
    }
    json_object_put(commands);
    return same;
}

/* ---- registering --------------------------------------------------------- */

struct registering {
    enum {
        REGISTER_BEGIN,
        REGISTER_APPLICATION,
        REGISTER_LIST,
        REGISTER_DONE
    } step;
    uint64_t application;
    uint64_t guild;
};

/* The servers that have a list of ours: "GUILD GUILD". */
static const char servers_key[] = "commands";

/* Is a server one of them?  The others are appended. */
static bool
find_server(const struct exchange *exchange, uint64_t guild, struct buf *others)
{
    const char *at = exchange_state(exchange, servers_key);
    bool found = false;

    while (*at != '\0') {
        size_t len = strcspn(at, " ");

        if (strtoull(at, NULL, 10) == guild) {
            found = true;
        } else {
            buf_add_text(others, others->len > 0 ? " " : "");
            buf_add(others, at, len);
        }
        at += len + strspn(at + len, " ");
    }
    return found;
}

/* There is a list in the server now, or none.  In more servers than fit, it
 * stays there. */
static enum advance
end(struct exchange *exchange, uint64_t guild, bool there)
{
    struct buf servers = BUF_INIT;

    (void)find_server(exchange, guild, &servers);
    if (there) {
        buf_addf(&servers, "%s%" PRIu64, servers.len > 0 ? " " : "", guild);
    }
    (void)exchange_set_state(exchange, servers_key, buf_text(&servers));
    buf_release(&servers);
    return ADVANCE_DONE;
}

/* Without the scope a bot has no commands in a server: 403, code 50001
 * (D "Application Commands", "Authorizing Your Application"). */
static enum advance
fail(struct exchange *exchange, const struct registering *registering)
{
    if (refusal_code(exchange) != CODE_MISSING_ACCESS) {
        return discord_lacking(exchange);
    }
    return outcome_fail(
        exchange->out, exchange->why, ERR_DENIED,
        "%s: the bot may have no slash commands in the server %" PRIu64
        "; somebody who manages the server has to open "
        "https://discord.com/oauth2/authorize?client_id=%" PRIu64
        "&scope=bot+applications.commands and choose it",
        exchange->service->name, registering->guild, registering->application);
}

static void
ask_commands(struct exchange *exchange, const char *method,
             const struct registering *registering)
{
    discord_ask(exchange, method, "/applications");
    ask_id(exchange, registering->application);
    buf_add_text(&exchange->out->request.url, "/guilds");
    ask_id(exchange, registering->guild);
    buf_add_text(&exchange->out->request.url, "/commands");
    limit_by(exchange, "commands", registering->guild, 0);
}

/* D "Bulk Overwrite Guild Application Commands". */
static enum advance
put_list(struct exchange *exchange, struct registering *registering,
         const struct buf *list)
{
    static const char type[] = "application/json";
    struct request *request = &exchange->out->request;

    ask_commands(exchange, "PUT", registering);
    buf_add_buf(&request->body, list);
    memcpy(request->type, type, sizeof(type));
    registering->step = REGISTER_DONE;
    return ADVANCE_REQUEST;
}

static enum advance
ask_list(struct exchange *exchange, struct registering *registering)
{
    if (!is_success(exchange) ||
        !parse_snowflake(exchange->value, "id", &registering->application)) {
        return discord_lacking(exchange);
    }
    if (exchange->op->commands->count == 0) {
        struct buf none = BUF_INIT;

        buf_add_text(&none, "[]");
        enum advance advance = put_list(exchange, registering, &none);

        buf_release(&none);
        return advance;
    }
    ask_commands(exchange, "GET", registering);
    /* Else each text comes in one language alone (D "Get Guild Application
     * Commands"). */
    ask_query(exchange, "with_localizations", "true");
    return ADVANCE_REQUEST;
}

static enum advance
replace_list(struct exchange *exchange, struct registering *registering)
{
    struct buf list = BUF_INIT;

    if (!is_success(exchange) ||
        !json_object_is_type(exchange->value, json_type_array)) {
        return fail(exchange, registering);
    }
    write_list(exchange->op->commands, &list);
    enum advance advance = is_same(exchange->value, buf_text(&list))
                               ? end(exchange, registering->guild, true)
                               : put_list(exchange, registering, &list);

    buf_release(&list);
    return advance;
}

/* In a server where the bot may have no commands, or is not any more, nothing
 * is left to be taken away. */
static enum advance
take_put(struct exchange *exchange, struct registering *registering)
{
    enum err err = reply_err(exchange->reply);
    bool there = exchange->op->commands->count > 0;
    bool gone = !there && (refusal_code(exchange) == CODE_MISSING_ACCESS ||
                           err == ERR_GONE);

    return err == ERR_NONE || gone ? end(exchange, registering->guild, there)
                                   : fail(exchange, registering);
}

/* Nothing is asked if there is no list, and none is wanted. */
static enum advance
begin(struct exchange *exchange, struct registering *registering)
{
    struct channel_id where = {0, 0};
    struct buf others = BUF_INIT;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    registering->guild = where.guild;
    bool there = find_server(exchange, where.guild, &others);

    buf_release(&others);
    if (!there && exchange->op->commands->count == 0) {
        return ADVANCE_DONE;
    }
    discord_ask(exchange, "GET", "/applications/@me");
    return ADVANCE_REQUEST;
}

enum advance
discord_commands(struct exchange *exchange)
{
    struct registering *registering =
        exchange_memory(exchange, sizeof(*registering));

    switch (registering->step++) {
    case REGISTER_BEGIN:
        return begin(exchange, registering);
    case REGISTER_APPLICATION:
        return ask_list(exchange, registering);
    case REGISTER_LIST:
        return replace_list(exchange, registering);
    case REGISTER_DONE:
        break;
    }
    return take_put(exchange, registering);
}
