#include "tests/support/fake_presses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"

#define APPLICATION GUILD_APPLICATION

struct fake_presses {
    struct fake_discord *fake_discord;
    struct fake_press **list;
    size_t count;
    unsigned refused;
    json_object *commands; /* as registered, with ids; NULL: never */
    unsigned listed, replaced;
    bool scopeless;
};

/* ---- components ---------------------------------------------------------- */

static const char *
text_of(json_object *object, const char *key, size_t longest)
{
    const char *text = jdoc_string(object, key);

    ck_assert_msg(text != NULL && *text != '\0' &&
                      length_of(LENGTH_UTF16, text, strlen(text)) <= longest,
                  "%s of a component: %s", key, text == NULL ? "-" : text);
    return text;
}

static int64_t
type_of(json_object *object)
{
    int64_t type = 0;

    ck_assert(jdoc_integer(object, "type", &type));
    return type;
}

/* The id of the choice of that label; "": it is not there. */
static const char *
find_option(json_object *menu, const char *label)
{
    json_object *options = jdoc_get(menu, "options");
    const char *found = "";

    (void)text_of(menu, "custom_id", 100);
    (void)text_of(menu, "placeholder", 150);
    ck_assert(json_object_is_type(options, json_type_array));
    size_t count = json_object_array_length(options);
    ck_assert(count >= 1 && count <= 25);
    for (size_t i = 0; i < count; i++) {
        json_object *option = json_object_array_get_idx(options, i);
        const char *value = text_of(option, "value", 100);

        if (strcmp(text_of(option, "label", 100), label) == 0) {
            found = value;
        }
    }
    return found;
}

/* Look at all of a row; the id of what has that label. */
static const char *
find_in_row(json_object *row, const char *label, bool *menu)
{
    json_object *parts = jdoc_get(row, "components");
    const char *found = "";
    int64_t style = 0;

    ck_assert_int_eq(type_of(row), 1);
    ck_assert(json_object_is_type(parts, json_type_array));
    size_t count = json_object_array_length(parts);
    ck_assert(count >= 1 && count <= 5);
    for (size_t i = 0; i < count; i++) {
        json_object *part = json_object_array_get_idx(parts, i);

        if (type_of(part) == 3) {
            ck_assert_uint_eq(count, 1);
            const char *option = find_option(part, label);
            *menu = *menu || *option != '\0';
            found = *option != '\0' ? option : found;
            continue;
        }
        ck_assert_int_eq(type_of(part), 2);
        ck_assert(jdoc_integer(part, "style", &style));
        ck_assert(style >= 1 && style <= 4);
        const char *id = text_of(part, "custom_id", 100);
        if (strcmp(text_of(part, "label", 80), label) == 0) {
            found = id;
        }
    }
    return found;
}

/* Look at all components; copy the id of what has that label.  False: there is
 * none. */
static bool
find_component(const char *components, const char *label, char id[101],
               bool *menu)
{
    json_object *rows = json_tokener_parse(components);

    *id = '\0';
    ck_assert(json_object_is_type(rows, json_type_array));
    ck_assert_uint_le(json_object_array_length(rows), 5);
    for (size_t i = 0; i < json_object_array_length(rows); i++) {
        const char *found =
            find_in_row(json_object_array_get_idx(rows, i), label, menu);

        if (*found != '\0') {
            snprintf(id, 101, "%s", found);
        }
    }
    json_object_put(rows);
    return *id != '\0';
}

/* ---- requests ------------------------------------------------------------ */

static struct fake_press *
find_token(const struct fake_presses *presses, const char *token)
{
    for (size_t i = 0; i < presses->count; i++) {
        if (strcmp(presses->list[i]->token, token) == 0) {
            return presses->list[i];
        }
    }
    return NULL;
}

static int
refuse(struct fake_presses *presses, json_object *answer, int status, int code,
       const char *message)
{
    presses->refused++;
    json_object_object_add(answer, "message", json_object_new_string(message));
    json_object_object_add(answer, "code", json_object_new_int(code));
    return status;
}

/* D "Autocomplete": at most 25. */
static void
check_choices(const struct fake_discord_call *call)
{
    json_object *choices = jdoc_get(jdoc_get(call->body, "data"), "choices");

    ck_assert_int_eq(type_of(call->body), 8);
    ck_assert(json_object_is_type(choices, json_type_array));
    ck_assert_uint_le(json_object_array_length(choices), 25);
    for (size_t i = 0; i < json_object_array_length(choices); i++) {
        json_object *choice = json_object_array_get_idx(choices, i);

        (void)text_of(choice, "name", 100);
        (void)text_of(choice, "value", 100);
    }
}

/* A message that nobody else sees; or that it is under will be edited. */
static void
check_deferral(const struct fake_press *press,
               const struct fake_discord_call *call)
{
    int64_t flags = 0;

    ck_assert_int_eq(type_of(call->body), press->of == NULL ? 5 : 6);
    if (press->of == NULL) {
        ck_assert(jdoc_integer(jdoc_get(call->body, "data"), "flags", &flags));
        ck_assert_int_eq(flags, 64);
    }
}

static int
acknowledge(struct fake_presses *presses, struct fake_press *press,
            const struct fake_discord_call *call)
{
    if (press->acknowledged) {
        return refuse(presses, call->answer, 400, 40060,
                      "Interaction has already been acknowledged.");
    }
    if (call->now - press->made > 3 * SECOND_MS) {
        return refuse(presses, call->answer, 404, 10062, "Unknown interaction");
    }
    if (press->typed) {
        check_choices(call);
    } else {
        check_deferral(press, call);
    }
    press->acknowledged = true;
    return 204;
}

static int
edit(struct fake_presses *presses, struct fake_press *press,
     const struct fake_discord_call *call)
{
    json_object *components = jdoc_get(call->body, "components");
    const char *content = jdoc_string(call->body, "content");
    bool menu = false;
    char id[101];

    if (!press->acknowledged) {
        return refuse(presses, call->answer, 404, 10015, "Unknown Webhook");
    }
    if (call->now - press->made > 15 * MINUTE_MS) {
        return refuse(presses, call->answer, 401, 50027,
                      "Invalid Webhook Token");
    }
    ck_assert(content != NULL && *content != '\0');
    ck_assert_uint_le(length_of(LENGTH_UTF16, content, strlen(content)), 2000);
    ck_assert_ptr_nonnull(components);
    ck_assert_ptr_nonnull(jdoc_get(call->body, "allowed_mentions"));
    free(press->content);
    free(press->components);
    press->content = strdup(content);
    press->components = strdup(json_object_to_json_string(components));
    (void)find_component(press->components, "", id, &menu);
    press->answers++;
    press->answered = press->answered == 0 ? call->now : press->answered;
    return 200;
}

/* ---- slash commands ------------------------------------------------------ */

/* A name and a description (D "Application Command Naming"), and those of other
 * languages. */
static void
check_words(json_object *thing)
{
    const char *name = text_of(thing, "name", 32);

    ck_assert_uint_eq(strcspn(name, " ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                      strlen(name));
    (void)text_of(thing, "description", 100);
    json_object_object_foreach(jdoc_get(thing, "name_localizations"), key,
                               value)
    {
        ck_assert_ptr_nonnull(strstr("de fr nl no", key));
        const char *text = json_object_get_string(value);
        ck_assert_uint_eq(strcspn(text, " "), strlen(text));
        (void)text_of(jdoc_get(thing, "name_localizations"), key, 32);
        (void)text_of(jdoc_get(thing, "description_localizations"), key, 100);
    }
}

/* D "User Commands", "Message Commands": a name, which may have blanks and
 * capitals, and neither a description nor options. */
static void
check_menu_command(json_object *command)
{
    (void)text_of(command, "name", 32);
    ck_assert_ptr_null(jdoc_get(command, "description"));
    ck_assert_ptr_null(jdoc_get(command, "options"));
    json_object_object_foreach(jdoc_get(command, "name_localizations"), key,
                               value)
    {
        (void)value;
        (void)text_of(jdoc_get(command, "name_localizations"), key, 32);
    }
}

/* D "Application Command Object", "Bulk Overwrite Guild Application Commands".
 */
static void
replace(struct fake_presses *presses, const struct fake_discord_call *call)
{
    json_object *list = call->body;
    uint64_t id = 600000000000000001;

    ck_assert(json_object_is_type(list, json_type_array));
    ck_assert_uint_le(json_object_array_length(list), 100);
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *command = json_object_array_get_idx(list, i);
        json_object *options = jdoc_get(command, "options");
        char text[24];

        if (type_of(command) == 2 || type_of(command) == 3) {
            check_menu_command(command);
        } else {
            ck_assert_int_eq(type_of(command), 1);
            check_words(command);
        }
        for (size_t at = 0;
             options != NULL && at < json_object_array_length(options); at++) {
            check_words(json_object_array_get_idx(options, at));
        }
        snprintf(text, sizeof(text), "%" PRIu64, id++);
        json_object_object_add(command, "id", json_object_new_string(text));
        json_object_object_add(command, "version", json_object_new_string("1"));
    }
    json_object_put(presses->commands);
    presses->commands = json_object_get(list);
    presses->replaced++;
}

/* GET or PUT /applications/APP/guilds/GUILD/commands */
static void
register_commands(struct fake_presses *presses, struct fake_discord_call *call)
{
    ck_assert(call->authorized);
    ck_assert_str_eq(call->parts[1], APPLICATION);
    ck_assert_str_eq(call->parts[3], GUILD_ID);
    call->status = 200;
    if (presses->scopeless) {
        call->status =
            refuse(presses, call->answer, 403, 50001, "Missing Access");
        return;
    }
    if (strcmp(call->method, "PUT") == 0) {
        replace(presses, call);
    } else {
        ck_assert_str_eq(call->method, "GET");
        ck_assert_ptr_nonnull(strstr(call->query, "with_localizations=true"));
        presses->listed++;
    }
    call->list = presses->commands == NULL ? json_object_new_array()
                                           : json_object_get(presses->commands);
}

/* POST /interactions/ID/TOKEN/callback, PATCH /webhooks/APP/TOKEN/messages/
 * @original; neither has the bot's token. */
static bool
take(void *context, struct fake_discord_call *call)
{
    struct fake_presses *presses = context;
    bool callback = strcmp(call->parts[0], "interactions") == 0;

    if (strcmp(call->parts[0], "applications") == 0 &&
        strcmp(call->parts[4], "commands") == 0) {
        register_commands(presses, call);
        return true;
    }
    if (!callback && strcmp(call->parts[0], "webhooks") != 0) {
        return false;
    }
    ck_assert(!call->authorized);
    struct fake_press *press = find_token(presses, call->parts[2]);
    if (press == NULL) {
        call->status =
            refuse(presses, call->answer, 404, 10015, "Unknown Webhook");
    } else if (callback) {
        ck_assert_str_eq(call->method, "POST");
        ck_assert_uint_eq(strtoull(call->parts[1], NULL, 10), press->id);
        ck_assert_str_eq(call->parts[3], "callback");
        call->status = acknowledge(presses, press, call);
    } else {
        ck_assert_str_eq(call->method, "PATCH");
        ck_assert_str_eq(call->parts[1], APPLICATION);
        ck_assert_str_eq(call->parts[4], "@original");
        call->status = edit(presses, press, call);
    }
    return true;
}

struct fake_presses *
fake_presses_new(struct fake_discord *fake_discord)
{
    struct fake_presses *presses = calloc(1, sizeof(*presses));

    ck_assert_ptr_nonnull(presses);
    presses->fake_discord = fake_discord;
    fake_discord_extend(fake_discord, take, presses);
    return presses;
}

void
fake_presses_free(struct fake_presses *presses)
{
    for (size_t i = 0; i < presses->count; i++) {
        free(presses->list[i]->content);
        free(presses->list[i]->components);
        free(presses->list[i]);
    }
    json_object_put(presses->commands);
    free(presses->list);
    free(presses);
}

/* ---- pressing ------------------------------------------------------------ */

/* What somebody was shown last. */
static struct fake_press *
shown_last(const struct fake_presses *presses, const char *user)
{
    for (size_t i = presses->count; i-- > 0;) {
        struct fake_press *press = presses->list[i];

        if (press->content != NULL && strcmp(press->user, user) == 0) {
            return press;
        }
    }
    return NULL;
}

/* The newest message of a channel with that label under it. */
static const struct fake_discord_message *
find_message(const struct fake_presses *presses, uint64_t channel,
             const char *label, char id[101], bool *menu)
{
    for (size_t i = fake_discord_count(presses->fake_discord); i-- > 0;) {
        const struct fake_discord_message *message =
            fake_discord_at(presses->fake_discord, i);

        if (message->channel == channel && message->components != NULL &&
            find_component(message->components, label, id, menu)) {
            return message;
        }
    }
    return NULL;
}

static struct fake_press *
add(struct fake_presses *presses, const char *user, int64_t now)
{
    struct fake_press *press = calloc(1, sizeof(*press));

    ck_assert_ptr_nonnull(press);
    presses->list = realloc(presses->list,
                            (presses->count + 1) * sizeof(struct fake_press *));
    ck_assert_ptr_nonnull(presses->list);
    presses->list[presses->count++] = press;
    /* Another worker than that of messages gives these ids (D "Snowflakes"). */
    press->id = (uint64_t)(now - INT64_C(1420070400000)) << 22 | 1U << 17 |
                (presses->count & 0xFFF);
    press->made = now;
    press->user = fake_discord_name(
        presses->fake_discord, fake_discord_user(presses->fake_discord, user));
    snprintf(press->token, sizeof(press->token), "dG9rZW4canary%zu",
             presses->count);
    return press;
}

/* An answer that its presser alone sees. */
static void
show_answer(const struct fake_press *of, struct buf *out)
{
    buf_addf(out,
             "{\"id\":\"%" PRIu64 "\",\"channel_id\":\"%" PRIu64
             "\",\"type\":0,\"flags\":64,\"content\":\"\",\"timestamp\":"
             "\"2026-11-21T12:00:00.000000+00:00\",\"edited_timestamp\":null,"
             "\"tts\":false,\"pinned\":false,\"mention_everyone\":false,"
             "\"mentions\":[],\"mention_roles\":[],\"attachments\":[],"
             "\"embeds\":[],\"components\":%s,\"author\":{\"id\":\"" GUILD_BOT
             "\",\"username\":\"placard\",\"discriminator\":\"0\","
             "\"avatar\":null,\"global_name\":null,\"bot\":true}}",
             of->id, of->channel, of->components);
}

static bool
is_in_dm(const struct fake_presses *presses, const struct fake_press *press)
{
    return *fake_discord_dm(presses->fake_discord, press->channel) != '\0';
}

/* What an interaction has besides what the host reads ("Interaction Object").
 * In a DM there is a user instead of a member. */
static void
add_presser(const struct fake_presses *presses, const struct fake_press *press,
            struct buf *event)
{
    if (is_in_dm(presses, press)) {
        buf_addf(event,
                 "\"user\":{\"id\":\"%s\",\"username\":\"%s\","
                 "\"discriminator\":\"0\",\"avatar\":null,"
                 "\"global_name\":null},\"app_permissions\":\"0\","
                 "\"locale\":\"en-GB\",\"entitlements\":[],"
                 "\"authorizing_integration_owners\":{\"0\":\"0\"},"
                 "\"context\":1,\"attachment_size_limit\":10485760,",
                 fake_discord_user(presses->fake_discord, press->user),
                 press->user);
        return;
    }
    buf_addf(event,
             "\"member\":{\"user\":{\"id\":\"%s\",\"username\":\"%s\","
             "\"discriminator\":\"0\",\"avatar\":null,\"global_name\":null}",
             fake_discord_user(presses->fake_discord, press->user),
             press->user);
    fake_discord_member(presses->fake_discord, press->user, event);
    buf_add_text(event, ",\"flags\":0,\"deaf\":false,"
                        "\"mute\":false,\"joined_at\":null},"
                        "\"app_permissions\":\"0\",\"locale\":\"en-GB\","
                        "\"guild_locale\":\"en-US\",\"entitlements\":[],"
                        "\"authorizing_integration_owners\":{},\"context\":0,"
                        "\"attachment_size_limit\":10485760,");
}

static void
tell(const struct fake_presses *presses, const struct fake_press *press,
     const struct fake_discord_message *message, const char *id, bool menu,
     struct buf *event)
{
    buf_addf(event,
             "{\"version\":1,\"type\":3,\"token\":\"%s\",\"id\":\"%" PRIu64
             "\",\"application_id\":\"" APPLICATION
             "\",\"channel_id\":\"%" PRIu64 "\",\"channel\":{\"id\":\"%" PRIu64
             "\",\"type\":%d},",
             press->token, press->id, press->channel, press->channel,
             is_in_dm(presses, press) ? 1 : 0);
    if (!is_in_dm(presses, press)) {
        buf_addf(event, "\"guild_id\":\"%s\",",
                 fake_discord_guild_of(presses->fake_discord, press->channel));
    }
    buf_add_text(event, "\"message\":");
    if (message == NULL) {
        show_answer(press->of, event);
    } else {
        fake_discord_show(presses->fake_discord, message, event);
    }
    buf_add_text(event, ",");
    add_presser(presses, press, event);
    if (menu) {
        buf_addf(event,
                 "\"data\":{\"component_type\":3,\"custom_id\":\"menu\","
                 "\"values\":[\"%s\"]}}",
                 id);
    } else {
        buf_addf(event, "\"data\":{\"component_type\":2,\"custom_id\":\"%s\"}}",
                 id);
    }
}

struct fake_press *
fake_presses_press(struct fake_presses *presses, const char *user,
                   uint64_t channel, const char *label, int64_t now,
                   struct buf *event)
{
    struct fake_press *of = channel == 0 ? shown_last(presses, user) : NULL;
    const struct fake_discord_message *message = NULL;
    bool menu = false;
    char id[101] = "";

    if (channel != 0) {
        message = find_message(presses, channel, label, id, &menu);
    } else if (of != NULL) {
        (void)find_component(of->components, label, id, &menu);
    }
    if (*id == '\0') {
        return NULL;
    }
    struct fake_press *press = add(presses, user, now);

    press->channel = of == NULL ? channel : of->channel;
    press->of = of;
    tell(presses, press, message, id, menu, event);
    return press;
}

bool
fake_presses_label(const struct fake_press *press, const char *beginning,
                   char label[FAKE_LABEL_MAX])
{
    json_object *rows = json_tokener_parse(press->components);
    size_t len = strlen(beginning);
    bool found = false;

    for (size_t i = 0; i < json_object_array_length(rows); i++) {
        json_object *parts =
            jdoc_get(json_object_array_get_idx(rows, i), "components");

        for (size_t at = 0; at < json_object_array_length(parts); at++) {
            const char *text =
                jdoc_string(json_object_array_get_idx(parts, at), "label");

            if (!found && text != NULL && strncmp(text, beginning, len) == 0) {
                snprintf(label, FAKE_LABEL_MAX, "%s", text);
                found = true;
            }
        }
    }
    json_object_put(rows);
    return found;
}

static size_t
length_of_list(json_object *list)
{
    return json_object_is_type(list, json_type_array)
               ? json_object_array_length(list)
               : 0;
}

/* A registered command; NULL: there is none of that name. */
static json_object *
find_command(const struct fake_presses *presses, const char *name)
{
    for (size_t i = 0; i < length_of_list(presses->commands); i++) {
        json_object *command = json_object_array_get_idx(presses->commands, i);

        if (strcmp(jdoc_string(command, "name"), name) == 0) {
            return command;
        }
    }
    return NULL;
}

/* Its option; NULL: it has none. */
static json_object *
option_of(json_object *command)
{
    json_object *options = jdoc_get(command, "options");

    return length_of_list(options) == 0 ? NULL
                                        : json_object_array_get_idx(options, 0);
}

bool
fake_presses_takes(const struct fake_presses *presses, const char *name,
                   const char *value)
{
    json_object *command = find_command(presses, name);
    json_object *option = option_of(command);
    json_object *required = jdoc_get(option, "required");
    json_object *choices = jdoc_get(option, "choices");
    size_t count = length_of_list(choices);
    bool chosen = count == 0;

    if (command == NULL || *value == '\0') {
        return command != NULL && !json_object_get_boolean(required);
    }
    for (size_t i = 0; i < count; i++) {
        json_object *choice = json_object_array_get_idx(choices, i);

        chosen = chosen || strcmp(jdoc_string(choice, "value"), value) == 0;
    }
    return option != NULL && chosen;
}

/* The event up to the name of the command. */
static void
begin_command(const struct fake_presses *presses,
              const struct fake_press *press, int type, const char *name,
              struct buf *event)
{
    buf_addf(event,
             "{\"version\":1,\"type\":%d,\"token\":\"%s\",\"id\":\"%" PRIu64
             "\",\"application_id\":\"" APPLICATION
             "\",\"channel_id\":\"%" PRIu64 "\",\"channel\":{\"id\":\"%" PRIu64
             "\",\"type\":0},\"guild_id\":\"%s\",",
             press->typed ? 4 : 2, press->token, press->id, press->channel,
             press->channel,
             fake_discord_guild_of(presses->fake_discord, press->channel));
    add_presser(presses, press, event);
    buf_addf(event, "\"data\":{\"id\":\"7\",\"type\":%d,\"name\":\"%s\"", type,
             name);
}

struct fake_press *
fake_presses_command(struct fake_presses *presses, const char *user,
                     uint64_t channel, const char *name, const char *value,
                     int64_t now, struct buf *event)
{
    json_object *option = option_of(find_command(presses, name));
    struct fake_press *press = add(presses, user, now);

    ck_assert_msg(fake_presses_takes(presses, name, value),
                  "nobody can give \"/%s %s\"", name, value);
    press->channel = channel;
    begin_command(presses, press, 1, name, event);
    if (*value != '\0') {
        buf_addf(event, ",\"options\":[{\"type\":3,\"name\":\"%s\",",
                 jdoc_string(option, "name"));
        buf_add_text(event, "\"value\":");
        jtext_string(event, value);
        buf_add_text(event, "}]");
    }
    buf_add_text(event, "}}");
    return press;
}

/* D "Application Command Data Structure", "Resolved Data Structure". */
struct fake_press *
fake_presses_ask_of(struct fake_presses *presses, const char *user,
                    uint64_t channel, const char *name, const char *person,
                    int64_t now, struct buf *event)
{
    const char *id = fake_discord_user(presses->fake_discord, person);
    json_object *command = find_command(presses, name);
    struct fake_press *press = add(presses, user, now);

    ck_assert_int_eq(type_of(command), 2);
    press->channel = channel;
    begin_command(presses, press, 2, name, event);
    buf_addf(event,
             ",\"target_id\":\"%s\",\"resolved\":{\"users\":{\"%s\":{"
             "\"id\":\"%s\",\"username\":\"%s\",\"discriminator\":\"0\","
             "\"avatar\":null,\"global_name\":null}},\"members\":{\"%s\":{"
             "\"joined_at\":null,\"flags\":0",
             id, id, id, person, id);
    fake_discord_member(presses->fake_discord, person, event);
    buf_add_text(event, "}}}}}");
    return press;
}

struct fake_press *
fake_presses_type(struct fake_presses *presses, const char *user,
                  uint64_t channel, const char *name, const char *option,
                  int64_t now, struct buf *event)
{
    struct fake_press *press = add(presses, user, now);

    press->channel = channel;
    press->typed = true;
    begin_command(presses, press, 1, name, event);
    buf_addf(event,
             ",\"options\":[{\"type\":3,\"name\":\"%s\",\"value\":\"\","
             "\"focused\":true}]}}",
             option);
    return press;
}

/* ---- what came of it ----------------------------------------------------- */

const struct fake_press *
fake_presses_at(const struct fake_presses *presses, size_t at)
{
    return at < presses->count ? presses->list[at] : NULL;
}

unsigned
fake_presses_count(const struct fake_presses *presses)
{
    return (unsigned)presses->count;
}

unsigned
fake_presses_failed(const struct fake_presses *presses, int64_t now)
{
    unsigned failed = 0;

    for (size_t i = 0; i < presses->count; i++) {
        failed += !presses->list[i]->acknowledged &&
                  now - presses->list[i]->made > 3 * SECOND_MS;
    }
    return failed;
}

unsigned
fake_presses_refused(const struct fake_presses *presses)
{
    return presses->refused;
}

bool
fake_presses_showed(const struct fake_presses *presses, const char *user,
                    const char *text)
{
    for (size_t i = 0; i < presses->count; i++) {
        const struct fake_press *press = presses->list[i];

        if (press->content != NULL && strcmp(press->user, user) == 0 &&
            strstr(press->content, text) != NULL) {
            return true;
        }
    }
    return false;
}

void
fake_presses_take_scope(struct fake_presses *presses, bool taken)
{
    presses->scopeless = taken;
}

unsigned
fake_presses_listed(const struct fake_presses *presses)
{
    return presses->listed;
}

unsigned
fake_presses_replaced(const struct fake_presses *presses)
{
    return presses->replaced;
}
