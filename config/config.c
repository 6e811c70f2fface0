#include "config/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libconfig.h>

#include "bot/base/files.h"
#include "bot/base/index.h"

enum {
    FILE_MAX = 16 * 1024 * 1024
};

/* One reading of a file. */
struct reading {
    struct conf *conf;
    const struct conf_kind *kinds;
    struct buf *why;
    unsigned mistakes;
    struct buf general; /* what settings_check says of the top level */
    /* Numbers from 1: of accounts and places by their names, and of places by
     * their services and addresses. */
    struct index accounts, names, addresses;
};

/* A group of settings: the top level, a service, or a place. */
struct level {
    config_setting_t *group;
    char prefix[28]; /* of its keys: "", "places[0]." */
    enum setting_scope scope;
    void *own;                 /* struct conf, struct account, struct place */
    struct settings *settings; /* NULL: none may stand here */
};

/* Give every setting of a scope its default. */
static void
set_defaults(void *own, enum setting_scope scope)
{
    struct buf why = BUF_INIT;
    const struct setting *setting = setting_at(0);

    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        if (setting->scope == scope && !setting_is_groups(setting) &&
            setting->normal[0] != '\0' &&
            setting_read(setting, setting->normal, own, &why) != ERR_NONE) {
            die("%s: %s", setting->key, buf_text(&why));
        }
    }
    buf_release(&why);
}

void
conf_defaults(struct conf *conf)
{
    memset(conf, 0, sizeof(*conf));
    settings_defaults(&conf->settings);
    set_defaults(conf, SCOPE_TOP);
}

void
conf_make_accounts(struct conf *conf, unsigned count)
{
    free(conf->accounts);
    conf->accounts = must_alloc((count + 1) * sizeof(struct account));
    conf->account_count = count;
}

void
conf_make_places(struct conf *conf, unsigned count)
{
    free(conf->places);
    conf->places = must_alloc((count + 1) * sizeof(struct place));
    conf->place_count = count;
    for (unsigned i = 0; i < count; i++) {
        set_defaults(&conf->places[i], SCOPE_PLACE);
    }
}

void
conf_release(struct conf *conf)
{
    buf_release(&conf->said);
    free(conf->accounts);
    free(conf->places);
    conf->accounts = NULL;
    conf->account_count = 0;
    conf->places = NULL;
    conf->place_count = 0;
}

const char *
conf_find(void)
{
    static const char *const files[] = {"placard.cfg",
                                        "/etc/placard/placard.cfg"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (file_exists(files[i])) {
            return files[i];
        }
    }
    return NULL;
}

const struct account *
conf_account(const struct conf *conf, const char *name)
{
    for (unsigned i = 0; i < conf->account_count; i++) {
        if (strcmp(conf->accounts[i].name, name) == 0) {
            return &conf->accounts[i];
        }
    }
    return NULL;
}

bool
conf_uses_board(const struct conf *conf)
{
    unsigned i = 0;

    while (i < conf->place_count &&
           strcmp(conf->places[i].service, CONF_BOARD) != 0) {
        i++;
    }
    return i < conf->place_count;
}

const char *
conf_kind_of(const struct conf *conf, const char *service)
{
    const struct account *account = conf_account(conf, service);

    return account == NULL ? CONF_BOARD : account->kind;
}

const struct place *
conf_place(const struct conf *conf, const char *name)
{
    for (unsigned i = 0; i < conf->place_count; i++) {
        if (strcmp(conf->places[i].name, name) == 0) {
            return &conf->places[i];
        }
    }
    return NULL;
}

const char *
conf_service_of(const void *conf, const char *place)
{
    const struct place *found = conf_place(conf, place);

    return found == NULL ? place : found->service;
}

bool
place_publishes_names(const struct place *place)
{
    return place != NULL && strcmp(place->publish, "names") == 0;
}

bool
place_is_moderated(const struct place *place)
{
    return place->moderator_count > 0 || place->moderator_role[0] != '\0';
}

unsigned
place_moderators(const struct place *place)
{
    bool role = place->moderator_role[0] != '\0';

    return place->moderator_count + (role ? place->moderators_met : 0);
}

bool
place_publishes(const struct place *place)
{
    return place_publishes_names(place) ||
           (place != NULL && strcmp(place->publish, "seats") == 0);
}

/* ---- mistakes ------------------------------------------------------------ */

/* Begin the line of a mistake: "placard.cfg:12: ". */
static void
begin_mistake(struct reading *reading, const config_setting_t *where)
{
    const char *file = config_setting_source_file(where);

    buf_addf(reading->why, "%s%s:%u: ", reading->mistakes > 0 ? "\n" : "",
             file == NULL ? reading->conf->file : file,
             (unsigned)config_setting_source_line(where));
    reading->mistakes++;
}

/* A mistake in one setting of a level. */
static void __attribute__((format(printf, 5, 6)))
mistake(struct reading *reading, const struct level *level,
        const config_setting_t *where, const char *key, const char *format, ...)
{
    va_list args;

    begin_mistake(reading, where);
    buf_addf(reading->why, "%s%s: ", level->prefix, key);
    va_start(args, format);
    buf_vaddf(reading->why, format, args);
    va_end(args);
}

static const char *
type_name(const config_setting_t *value)
{
    switch (config_setting_type(value)) {
    case CONFIG_TYPE_GROUP:
        return "a group";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
    case CONFIG_TYPE_FLOAT:
        return "a number";
    case CONFIG_TYPE_STRING:
        return "a text in quotes";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    default:
        return "a list";
    }
}

static void
ill_typed(struct reading *reading, const struct level *level,
          const struct setting *setting, const config_setting_t *value)
{
    mistake(reading, level, value, setting->key, "can't be %s; write ",
            type_name(value));
    setting_say_right(setting, reading->why);
}

/* ---- reading ------------------------------------------------------------- */

/* The text of a value that may stand for a setting of this type: a number
 * without quotes where numbers are wanted, and 0 for no time. */
static bool
text_of(const struct setting *setting, const config_setting_t *value,
        struct buf *text)
{
    if (config_setting_type(value) == CONFIG_TYPE_INT) {
        int number = config_setting_get_int(value);
        buf_add_number(text, number);
        return setting->type == SETTING_NUMBER ||
               (setting->type == SETTING_DURATION && number == 0);
    }
    if (config_setting_type(value) == CONFIG_TYPE_STRING) {
        buf_add_text(text, config_setting_get_string(value));
        return setting->type != SETTING_NUMBER;
    }
    return false;
}

static void
read_one(struct reading *reading, const struct level *level,
         const struct setting *setting, const config_setting_t *value)
{
    struct buf text = BUF_INIT;
    struct buf wrong = BUF_INIT;
    void *into =
        setting->scope == SCOPE_GAME ? (void *)level->settings : level->own;

    if (!text_of(setting, value, &text)) {
        ill_typed(reading, level, setting, value);
    } else if (setting_read(setting, buf_text(&text), into, &wrong) !=
               ERR_NONE) {
        mistake(reading, level, value, setting->key, "%s", buf_text(&wrong));
    }
    buf_addf(&reading->conf->said, "%s%s = %s\n", level->prefix, setting->key,
             buf_text(&text));
    buf_release(&text);
    buf_release(&wrong);
}

static void
read_list(struct reading *reading, const struct level *level,
          const struct setting *setting, config_setting_t *value)
{
    char *texts = (char *)level->own + setting->offset;
    unsigned *deferred =
        (unsigned *)(void *)((char *)level->own + setting->count);
    int count = config_setting_length(value);

    if ((!config_setting_is_list(value) && !config_setting_is_array(value)) ||
        count > SETTING_LIST_MAX) {
        ill_typed(reading, level, setting, value);
        return;
    }
    for (int i = 0; i < count; i++) {
        config_setting_t *element = config_setting_get_elem(value, (unsigned)i);
        const char *text = config_setting_get_string(element);
        if (text == NULL || text[0] == '\0' ||
            strlen(text) >= SETTING_TEXT_MAX) {
            char key[64];
            snprintf(key, sizeof(key), "%s[%d]", setting->key, i);
            /* For a value in a list, libconfig gives the line of the next
             * one. */
            mistake(reading, level, value, key,
                    "must be a text of 1 to %d bytes in quotes",
                    SETTING_TEXT_MAX - 1);
            continue;
        }
        memcpy(texts + (size_t)*deferred * SETTING_TEXT_MAX, text,
               strlen(text) + 1);
        buf_addf(&reading->conf->said, "%s%s has %s\n", level->prefix,
                 setting->key, text);
        ++*deferred;
    }
}

static const char *
where(enum setting_scope scope)
{
    switch (scope) {
    case SCOPE_TOP:
        return "at the top level";
    case SCOPE_SERVICE:
        return "in a service";
    case SCOPE_PLACE:
        return "in a place";
    case SCOPE_GAME:
        break;
    }
    return "at the top level or in a place";
}

static void
unknown(struct reading *reading, const struct level *level,
        const struct setting *setting, const config_setting_t *value)
{
    const char *key = config_setting_name(value);

    mistake(reading, level, value, key, "unknown setting");
    if (setting == NULL) {
        settings_suggest(key, level->scope, reading->why);
    } else {
        buf_addf(reading->why, " here; it stands %s", where(setting->scope));
    }
}

static void
read_level(struct reading *reading, const struct level *level)
{
    int count = config_setting_length(level->group);

    for (int i = 0; i < count; i++) {
        config_setting_t *value =
            config_setting_get_elem(level->group, (unsigned)i);
        const struct setting *setting =
            setting_find(config_setting_name(value), level->scope);
        if (setting == NULL || !setting_stands_in(setting, level->scope)) {
            unknown(reading, level, setting, value);
        } else if (setting->type == SETTING_LIST) {
            read_list(reading, level, setting, value);
        } else if (!setting_is_groups(setting)) {
            read_one(reading, level, setting, value);
        }
    }
}

/* The setting of a level that a sentence is about: it begins with its key, but
 * that one may have its default, and another be at fault. */
static const config_setting_t *
meant(const struct level *level, const char *sentence)
{
    int count = config_setting_length(level->group);
    size_t key_len = strcspn(sentence, ":");

    for (int i = 0; i < count; i++) {
        const config_setting_t *value =
            config_setting_get_elem(level->group, (unsigned)i);
        const char *key = config_setting_name(value);
        if (strlen(key) == key_len && strncmp(key, sentence, key_len) == 0) {
            return value;
        }
    }
    for (int i = 0; i < count; i++) {
        const config_setting_t *value =
            config_setting_get_elem(level->group, (unsigned)i);
        if (strstr(sentence, config_setting_name(value)) != NULL) {
            return value;
        }
    }
    return level->group;
}

/* Do the settings of a level fit each other?  A mistake that a place
 * inherits from the top level is reported only there. */
static void
check_level(struct reading *reading, const struct level *level)
{
    struct buf wrong = BUF_INIT;

    if (settings_check(level->settings, &wrong) != ERR_NONE &&
        !buf_equals(&wrong, buf_text(&reading->general))) {
        begin_mistake(reading, meant(level, buf_text(&wrong)));
        buf_addf(reading->why, "%s%s", level->prefix, buf_text(&wrong));
        if (level->scope == SCOPE_TOP) {
            buf_add_buf(&reading->general, &wrong);
        }
    }
    buf_release(&wrong);
}

/* ---- lines and files ----------------------------------------------------- */

static const config_setting_t *
line_of(const struct level *level, const char *key)
{
    const config_setting_t *value =
        config_setting_get_member(level->group, key);

    return value == NULL ? level->group : value;
}

/* Paths in the file are relative to its folder. */
static void
place_files(struct reading *reading, const struct level *level)
{
    const struct conf *conf = reading->conf;
    const char *slash = strrchr(conf->file, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - conf->file) + 1;
    const struct setting *setting = setting_at(0);

    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        if (setting->type != SETTING_FILE || setting->scope != level->scope) {
            continue;
        }
        char *path = (char *)level->own + setting->offset;
        size_t size = strlen(path) + 1;
        if (path[0] == '/' || path[0] == '\0') {
            continue;
        }
        if (folder + size > setting->size) {
            mistake(reading, level, line_of(level, setting->key), setting->key,
                    "the path is too long with this file's folder; write at "
                    "most %zu bytes",
                    setting->size - 1);
            continue;
        }
        memmove(path + folder, path, size);
        memcpy(path, conf->file, folder);
    }
}

/* ---- names --------------------------------------------------------------- */

/* The account of that name, among those that were read; NULL: none. */
static const struct account *
read_account(const struct reading *reading, const char *name)
{
    uint64_t key = index_key("", name);
    size_t at = 0;
    size_t number = index_next(&reading->accounts, key, &at);

    while (number != 0 &&
           strcmp(reading->conf->accounts[number - 1].name, name) != 0) {
        number = index_next(&reading->accounts, key, &at);
    }
    return number == 0 ? NULL : &reading->conf->accounts[number - 1];
}

static bool
has_name(const struct place *one, const struct place *other)
{
    return strcmp(one->name, other->name) == 0;
}

static bool
has_address(const struct place *one, const struct place *other)
{
    return strcmp(one->service, other->service) == 0 &&
           strcmp(one->address, other->address) == 0;
}

/* The place under a key that has something in common with this one, which is
 * put there if there is none; NULL: none. */
static const struct place *
find_other(struct reading *reading, struct index *index, uint64_t key,
           const struct place *place,
           bool (*is_same)(const struct place *, const struct place *))
{
    const struct place *places = reading->conf->places;
    size_t at = 0;
    size_t number = index_next(index, key, &at);

    while (number != 0 && !is_same(place, &places[number - 1])) {
        number = index_next(index, key, &at);
    }
    if (number == 0) {
        index_add(index, key, (uintptr_t)(place - places) + 1);
        return NULL;
    }
    return &places[number - 1];
}

/* ---- places -------------------------------------------------------------- */

static void
check_service(struct reading *reading, const struct level *level,
              const struct place *place)
{
    const struct conf *conf = reading->conf;

    if (strcmp(place->service, CONF_BOARD) == 0 ||
        read_account(reading, place->service) != NULL) {
        return;
    }
    mistake(reading, level, line_of(level, "service"), "service",
            "there is no service \"%s\"; write \"" CONF_BOARD "\"",
            place->service);
    for (unsigned i = 0; i < conf->account_count; i++) {
        buf_addf(reading->why, " or \"%s\"", conf->accounts[i].name);
    }
}

/* Two places must differ in name and in address. */
static void
check_apart(struct reading *reading, const struct level *level,
            const struct place *place)
{
    const struct place *other = NULL;

    if (place->name[0] != '\0' &&
        find_other(reading, &reading->names, index_key("", place->name), place,
                   has_name) != NULL) {
        mistake(reading, level, line_of(level, "name"), "name",
                "another place is called \"%s\" too; write another name",
                place->name);
    }
    if (place->service[0] != '\0') {
        other = find_other(reading, &reading->addresses,
                           index_key(place->service, place->address), place,
                           has_address);
    }
    if (other != NULL) {
        mistake(reading, level, line_of(level, "address"), "address",
                "is that of the place \"%s\" too; write another address",
                other->name);
    }
}

static void
check_place(struct reading *reading, const struct level *level,
            const struct place *place)
{
    if (config_setting_get_member(level->group, "name") == NULL) {
        mistake(reading, level, level->group, "name",
                "is missing; write what the place is to be called, such as "
                "\"board\"");
    }
    if (config_setting_get_member(level->group, "service") == NULL) {
        mistake(reading, level, level->group, "service",
                "is missing; write what kind of place it is, such as "
                "\"board\"");
    } else if (place->service[0] != '\0') {
        check_service(reading, level, place);
    }
    check_apart(reading, level, place);
}

/* The list of groups called `key`; NULL: none is there. */
static config_setting_t *
find_list(struct reading *reading, const struct level *top, const char *key)
{
    config_setting_t *list = config_setting_get_member(top->group, key);

    if (list != NULL && !config_setting_is_list(list)) {
        ill_typed(reading, top, setting_find(key, SCOPE_TOP), list);
        list = NULL;
    }
    return list;
}

/* Set a level to the group of that number in a list. */
static bool
find_group(struct reading *reading, const struct level *top,
           config_setting_t *list, int number, const char *sample,
           struct level *level)
{
    char key[24];

    snprintf(key, sizeof(key), "%s[%d]", config_setting_name(list), number);
    snprintf(level->prefix, sizeof(level->prefix), "%s.", key);
    level->group = config_setting_get_elem(list, (unsigned)number);
    if (!config_setting_is_group(level->group)) {
        mistake(reading, top, list, key, "must be a group, such as %s", sample);
        return false;
    }
    return true;
}

const struct place *
conf_alarm(const struct conf *conf, const char **user)
{
    const char *blank = strchr(conf->alarm, ' ');
    size_t len =
        blank == NULL ? strlen(conf->alarm) : (size_t)(blank - conf->alarm);

    *user = blank == NULL ? "" : blank + 1;
    for (unsigned i = 0; i < conf->place_count; i++) {
        const char *name = conf->places[i].name;

        if (strlen(name) == len && strncmp(name, conf->alarm, len) == 0) {
            return &conf->places[i];
        }
    }
    return NULL;
}

static void
check_alarm(struct reading *reading, const struct level *top)
{
    const char *user = NULL;

    if (reading->conf->alarm[0] != '\0' &&
        conf_alarm(reading->conf, &user) == NULL) {
        mistake(reading, top, line_of(top, "alarm"), "alarm",
                "no place is called so; write the name of a place, or such a "
                "name, a blank, and a user id there");
    }
}

static void
read_places(struct reading *reading, const struct level *top)
{
    config_setting_t *places = find_list(reading, top, "places");
    int count = places == NULL ? 0 : config_setting_length(places);

    if (places != NULL && count == 0) {
        mistake(reading, top, places, "places",
                "is empty; write at least one place, such as ( { name = "
                "\"board\"; service = \"board\"; } )");
    }
    conf_make_places(reading->conf, (unsigned)count);
    for (int i = 0; i < count; i++) {
        struct place *place = &reading->conf->places[i];
        struct level level = {
            .scope = SCOPE_PLACE, .own = place, .settings = &place->settings};
        if (find_group(reading, top, places, i,
                       "{ name = \"board\"; service = \"board\"; }", &level)) {
            place->settings = reading->conf->settings;
            read_level(reading, &level);
            check_level(reading, &level);
            check_place(reading, &level, place);
        }
    }
}

/* ---- services ------------------------------------------------------------ */

static const struct conf_kind *
find_kind(const struct reading *reading, const char *name)
{
    const struct conf_kind *kind = reading->kinds;

    while (kind->name != NULL && strcmp(kind->name, name) != 0) {
        kind++;
    }
    return kind->name == NULL ? NULL : kind;
}

static void
check_kind(struct reading *reading, const struct level *level,
           struct account *account)
{
    bool named = account->kind[0] != '\0';
    const char *kind = named ? account->kind : account->name;
    const struct conf_kind *found = find_kind(reading, kind);
    const char *between = "";

    if (found != NULL) {
        snprintf(account->kind, sizeof(account->kind), "%s", found->name);
        /* One that can't be was told. */
        if (config_setting_get_member(level->group, "url") == NULL &&
            !found->has_url) {
            mistake(reading, level, level->group, "url", "is missing; write ");
            setting_say_right(setting_find("url", SCOPE_SERVICE), reading->why);
        }
        return;
    }
    mistake(reading, level, line_of(level, named ? "kind" : "name"), "kind",
            "there is no kind of service called \"%s\"; write ", kind);
    for (const struct conf_kind *at = reading->kinds; at->name != NULL; at++) {
        buf_addf(reading->why, "%s\"%s\"", between, at->name);
        between = " or ";
    }
}

static void
check_name(struct reading *reading, const struct level *level,
           const struct account *account)
{
    const struct account *same = read_account(reading, account->name);

    if (config_setting_get_member(level->group, "name") == NULL) {
        mistake(reading, level, level->group, "name",
                "is missing; write what the service is to be called, such as "
                "\"matrix\"");
    } else if (strcmp(account->name, CONF_BOARD) == 0) {
        mistake(reading, level, line_of(level, "name"), "name",
                "\"" CONF_BOARD "\" is the embedded board, which needs no "
                "account; write another name");
    } else if (account->name[0] != '\0' && same != NULL) {
        mistake(reading, level, line_of(level, "name"), "name",
                "another service is called \"%s\" too; write another name",
                account->name);
    } else {
        index_add(&reading->accounts, index_key("", account->name),
                  (uintptr_t)(account - reading->conf->accounts) + 1);
    }
}

/* Its token or password must be given in exactly one place. */
static void
check_secret(struct reading *reading, const struct level *level,
             struct account *account)
{
    const char *key =
        account->token_env[0] != '\0' ? "token_env" : "token_file";
    const config_setting_t *line = line_of(level, key);
    const char *file = config_setting_source_file(line);

    snprintf(account->where, sizeof(account->where), "%s:%u: %s%s",
             file == NULL ? reading->conf->file : file,
             (unsigned)config_setting_source_line(line), level->prefix, key);
    if (account->token_file[0] != '\0' && account->token_env[0] != '\0') {
        mistake(reading, level, line, key,
                "token_file says where the token is, too; leave one of the two "
                "out");
    } else if (line == level->group) {
        mistake(reading, level, line, key,
                "is missing; write where the account's token is, such as "
                "\"matrix.token\", or name a variable in token_env");
    }
}

/* The URL that requests begin with has no slash at its end. */
static void
cut_slashes(char *url)
{
    size_t len = strlen(url);

    while (len > 0 && url[len - 1] == '/') {
        url[--len] = '\0';
    }
}

/* What is pressed or commanded comes by the doorbell. */
static void
check_needing_bell(struct reading *reading, const struct level *level,
                   const struct account *account)
{
    const struct {
        const char *key;
        bool on;
    } needing[] = {{"buttons", account->buttons},
                   {"commands", account->commands}};

    for (size_t i = 0; i < sizeof(needing) / sizeof(needing[0]); i++) {
        if (needing[i].on && !account->doorbell) {
            mistake(reading, level, line_of(level, needing[i].key),
                    needing[i].key,
                    "they need the doorbell; write doorbell = \"on\"");
        }
    }
}

static void
check_classes(struct reading *reading, const struct level *level,
              const struct account *account)
{
    static const char key[] = "bold_classes";

    if (strpbrk(account->bold_classes, ".,;#<>=\"'&") != NULL) {
        mistake(reading, level, line_of(level, key), key,
                "write only names of classes, with blanks between and no dots, "
                "such as \"strong-text\"");
    }
}

static void
read_services(struct reading *reading, const struct level *top)
{
    config_setting_t *list = find_list(reading, top, "services");
    int count = list == NULL ? 0 : config_setting_length(list);

    conf_make_accounts(reading->conf, (unsigned)count);
    for (int i = 0; i < count; i++) {
        struct account *account = &reading->conf->accounts[i];
        struct level level = {.scope = SCOPE_SERVICE, .own = account};
        if (find_group(reading, top, list, i,
                       "{ name = \"matrix\"; token_file = \"matrix.token\"; }",
                       &level)) {
            set_defaults(account, SCOPE_SERVICE);
            read_level(reading, &level);
            cut_slashes(account->url);
            check_name(reading, &level, account);
            check_kind(reading, &level, account);
            check_secret(reading, &level, account);
            check_needing_bell(reading, &level, account);
            check_classes(reading, &level, account);
            place_files(reading, &level);
        }
    }
}

/* ---- the file ------------------------------------------------------------ */

static void
read_all(struct reading *reading, config_t *parsed)
{
    struct conf *conf = reading->conf;
    const struct level top = {
        .group = config_root_setting(parsed),
        .scope = SCOPE_TOP,
        .own = conf,
        .settings = &conf->settings,
    };

    read_level(reading, &top);
    check_level(reading, &top);
    place_files(reading, &top);
    read_services(reading, &top);
    read_places(reading, &top);
    check_alarm(reading, &top);
}

/* The folder that @include is relative to. */
static void
set_folder(config_t *parsed, const char *file)
{
    char *folder = must_copy(file);
    char *slash = strrchr(folder, '/');

    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
        config_set_include_dir(parsed, folder);
    }
    free(folder);
}

static void
release(struct reading *reading)
{
    buf_release(&reading->general);
    index_release(&reading->accounts);
    index_release(&reading->names);
    index_release(&reading->addresses);
}

enum err
conf_load(struct conf *conf, const char *file, const struct conf_kind *kinds,
          struct buf *why)
{
    struct reading reading = {.conf = conf, .kinds = kinds, .why = why};
    struct buf text;
    config_t parsed;

    conf_defaults(conf);
    if (strlen(file) >= sizeof(conf->file)) {
        return err_say(why, ERR_CONFIG, "%.40s…: the path is too long", file);
    }
    memcpy(conf->file, file, strlen(file) + 1);
    buf_init(&text, FILE_MAX);
    enum err err = file_read(file, &text, why);
    if (err != ERR_NONE) {
        buf_release(&text);
        return err;
    }
    config_init(&parsed);
    set_folder(&parsed, file);
    if (config_read_string(&parsed, buf_text(&text)) == CONFIG_TRUE) {
        read_all(&reading, &parsed);
        err = reading.mistakes == 0 ? ERR_NONE : ERR_CONFIG;
    } else {
        const char *included = config_error_file(&parsed);
        err = err_say(why, ERR_CONFIG,
                      "%s:%d: %s here or just before; a setting is written "
                      "key = value; with a text in \"quotes\"",
                      included == NULL ? file : included,
                      config_error_line(&parsed), config_error_text(&parsed));
    }
    config_destroy(&parsed);
    if (err != ERR_NONE) {
        conf_release(conf);
    }
    release(&reading);
    buf_release(&text);
    return err;
}
