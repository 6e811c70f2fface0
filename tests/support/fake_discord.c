#include "tests/support/fake_discord.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>
#include <json-c/json.h>

#include "bot/base/civil.h"
#include "bot/base/index.h"
#include "bot/base/json.h"
#include "tests/support/payloads.h"
#include "tests/support/recordings_inner.h"

#define EPOCH_MS INT64_C(1420070400000)

enum {
    PARTS_MAX = 8,
    PART_MAX = 128,
    NONCE_MS = 3 * 60000,
};

#define BIT(number) (UINT64_C(1) << (number))

struct user {
    char name[32], id[32];
    struct channel *dm; /* NULL: none yet */
    bool closed;        /* they take no DMs */
    bool gone;          /* they have left the server */
    char nick[64], roles[128];
    char shown[64]; /* "": by that name */
};

/* Numbers of things, in the order in which they were added. */
struct numbers {
    size_t *list;
    size_t count, room;
};

struct channel {
    uint64_t id, parent, last;
    int type;
    char *name;
    char owner[24];
    struct guild *guild;   /* NULL: none */
    struct user *user;     /* of a DM; NULL: none */
    struct numbers posted; /* of the messages in it */
    bool archived, locked;
    bool deleted; /* it is on no list any more */
};

/* A server: the one of the header, and others. */
struct guild {
    char id[24];
    struct numbers channels;
};

/* How often something was asked for of late. */
struct tally {
    char *name;
    int64_t since;
    unsigned count;
};

/* All of them lie where they are until the end; the indexes have their numbers,
 * from 1. */
struct fake_discord {
    struct fake_discord_habits habits;
    struct fake_discord_message **messages; /* their ids rise */
    size_t count, room;
    struct user **users;
    size_t user_count;
    struct channel **channels;
    size_t channel_count;
    struct guild **guilds;
    size_t guild_count;
    struct tally **tallies;
    size_t tally_count;
    struct index users_by_name, channels_by_id, guilds_by_id, by_nonce,
        tallies_by_name;
    fake_discord_watch *watch;
    void *watcher;
    fake_discord_extension *extension;
    void *context;
    uint64_t last_id;
    unsigned storm, storms, beyond, requests;
    struct buf headers;
};

/* A request, taken apart; and the answer. */
struct call {
    struct fake_discord *fake_discord;
    int64_t now;
    const char *method;
    char parts[PARTS_MAX][PART_MAX]; /* of its path, behind /api/v10 */
    unsigned part_count;
    const char *target; /* path and query */
    char *query;        /* "&key=value…" */
    json_object *body;
    bool picture, authorized;
    int status;
    json_object *answer; /* NULL: no body */
    const char *page;    /* no JSON but this; NULL: JSON */
};

/* ---- making -------------------------------------------------------------- */

static uint64_t
new_id(struct fake_discord *fake_discord, int64_t now)
{
    uint64_t id = (uint64_t)(now - EPOCH_MS) << 22;

    /* Several in one millisecond rise as well. */
    id = id > fake_discord->last_id && !fake_discord->habits.counted
             ? id
             : fake_discord->last_id + 1;
    fake_discord->last_id = id;
    return id;
}

/* Room for one more in a list of pointers. */
static void *
widen(void *list, size_t count)
{
    bool full = count == 0 || (count >= 16 && (count & (count - 1)) == 0);

    return full
               ? must_grow(list, (count < 16 ? 16 : 2 * count) * sizeof(void *))
               : list;
}

static void
add_number(struct numbers *numbers, size_t number)
{
    if (numbers->count == numbers->room) {
        numbers->room = numbers->room == 0 ? 4 : 2 * numbers->room;
        numbers->list =
            must_grow(numbers->list, numbers->room * sizeof(size_t));
    }
    numbers->list[numbers->count++] = number;
}

/* A key of an id: index_key's groups keep kinds apart. */
static uint64_t
key_of(uint64_t id)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, id);
    return index_key("", text);
}

static struct channel *
add_channel(struct fake_discord *fake_discord, struct guild *guild, uint64_t id,
            int type, const char *name)
{
    struct channel *channel = must_alloc(sizeof(*channel));

    *channel = (struct channel){
        .id = id, .type = type, .name = must_copy(name), .guild = guild};
    fake_discord->channels =
        widen(fake_discord->channels, fake_discord->channel_count);
    fake_discord->channels[fake_discord->channel_count++] = channel;
    index_add(&fake_discord->channels_by_id, key_of(id),
              fake_discord->channel_count);
    if (guild != NULL) {
        add_number(&guild->channels, fake_discord->channel_count - 1);
    }
    return channel;
}

static struct guild *
add_guild(struct fake_discord *fake_discord, const char *id)
{
    struct guild *guild = must_alloc(sizeof(*guild));

    snprintf(guild->id, sizeof(guild->id), "%s", id);
    fake_discord->guilds =
        widen(fake_discord->guilds, fake_discord->guild_count);
    fake_discord->guilds[fake_discord->guild_count++] = guild;
    index_add(&fake_discord->guilds_by_id, index_key("", id),
              fake_discord->guild_count);
    return guild;
}

void
fake_discord_add_guild(struct fake_discord *fake_discord,
                       struct fake_discord_guild *added)
{
    unsigned number = (unsigned)fake_discord->guild_count;

    snprintf(added->id, sizeof(added->id), "5000000001%08u", 2 * number);
    snprintf(added->channel, sizeof(added->channel), "5000000001%08u",
             2 * number + 1);
    (void)add_channel(fake_discord, add_guild(fake_discord, added->id),
                      strtoull(added->channel, NULL, 10), 0, "parlour");
}

struct fake_discord *
fake_discord_new(void)
{
    struct fake_discord *fake_discord = must_alloc(sizeof(*fake_discord));

    struct guild *guild = add_guild(fake_discord, GUILD_ID);

    fake_discord->habits.may = ~UINT64_C(0) & ~BIT(3);
    (void)add_channel(fake_discord, guild, strtoull(GUILD_CHANNEL, NULL, 10), 0,
                      "parlour");
    (void)add_channel(fake_discord, guild, strtoull(GUILD_FORUM, NULL, 10), 15,
                      "games");
    (void)fake_discord_post(fake_discord, "Mo", fake_discord->channels[0]->id,
                            "from before", GUILD_START - HOUR_MS);
    return fake_discord;
}

static void
free_message(struct fake_discord_message *message)
{
    free(message->content);
    free(message->pings);
    free(message->components);
    free(message);
}

void
fake_discord_free(struct fake_discord *fake_discord)
{
    for (size_t i = 0; i < fake_discord->count; i++) {
        free_message(fake_discord->messages[i]);
    }
    for (size_t i = 0; i < fake_discord->user_count; i++) {
        free(fake_discord->users[i]);
    }
    for (size_t i = 0; i < fake_discord->channel_count; i++) {
        free(fake_discord->channels[i]->name);
        free(fake_discord->channels[i]->posted.list);
        free(fake_discord->channels[i]);
    }
    for (size_t i = 0; i < fake_discord->guild_count; i++) {
        free(fake_discord->guilds[i]->channels.list);
        free(fake_discord->guilds[i]);
    }
    for (size_t i = 0; i < fake_discord->tally_count; i++) {
        free(fake_discord->tallies[i]->name);
        free(fake_discord->tallies[i]);
    }
    free(fake_discord->messages);
    free(fake_discord->users);
    free(fake_discord->channels);
    free(fake_discord->guilds);
    free(fake_discord->tallies);
    index_release(&fake_discord->users_by_name);
    index_release(&fake_discord->channels_by_id);
    index_release(&fake_discord->guilds_by_id);
    index_release(&fake_discord->by_nonce);
    index_release(&fake_discord->tallies_by_name);
    buf_release(&fake_discord->headers);
    free(fake_discord);
}

struct fake_discord_habits *
fake_discord_habits(struct fake_discord *fake_discord)
{
    return &fake_discord->habits;
}

void
fake_discord_tell(struct fake_discord *fake_discord, fake_discord_watch *watch,
                  void *watcher)
{
    fake_discord->watch = watch;
    fake_discord->watcher = watcher;
}

static void
tell(const struct fake_discord *fake_discord,
     const struct fake_discord_message *message, enum fake_discord_act act,
     int64_t now)
{
    if (fake_discord->watch != NULL) {
        fake_discord->watch(fake_discord->watcher, message, act, now);
    }
}

void
fake_discord_extend(struct fake_discord *fake_discord,
                    fake_discord_extension *extension, void *context)
{
    fake_discord->extension = extension;
    fake_discord->context = context;
}

/* ---- who and where ------------------------------------------------------- */

/* A user by name or id; NULL: there is none. */
static struct user *
look_up_user(const struct fake_discord *fake_discord, const char *name)
{
    uint64_t key = index_key("", name);
    uintptr_t number = 0;
    size_t at = 0;

    while ((number = index_next(&fake_discord->users_by_name, key, &at)) != 0) {
        struct user *user = fake_discord->users[number - 1];

        if (strcmp(user->name, name) == 0 || strcmp(user->id, name) == 0) {
            return user;
        }
    }
    return NULL;
}

static struct user *
find_user(struct fake_discord *fake_discord, const char *name)
{
    struct user *user = look_up_user(fake_discord, name);

    if (user != NULL) {
        return user;
    }
    user = must_alloc(sizeof(*user));
    fake_discord->users = widen(fake_discord->users, fake_discord->user_count);
    fake_discord->users[fake_discord->user_count++] = user;
    snprintf(user->name, sizeof(user->name), "%s", name);
    snprintf(user->id, sizeof(user->id), "3000000000%08u",
             (unsigned)fake_discord->user_count);
    index_add(&fake_discord->users_by_name, index_key("", user->name),
              fake_discord->user_count);
    index_add(&fake_discord->users_by_name, index_key("", user->id),
              fake_discord->user_count);
    return user;
}

const char *
fake_discord_user(struct fake_discord *fake_discord, const char *name)
{
    return *name == '\0' ? GUILD_BOT : find_user(fake_discord, name)->id;
}

const char *
fake_discord_name(const struct fake_discord *fake_discord, const char *id)
{
    const struct user *user = look_up_user(fake_discord, id);

    return user == NULL || strcmp(user->id, id) != 0 ? "" : user->name;
}

void
fake_discord_rename(struct fake_discord *fake_discord, const char *user,
                    const char *shown)
{
    struct user *renamed = find_user(fake_discord, user);

    snprintf(renamed->shown, sizeof(renamed->shown), "%s", shown);
}

void
fake_discord_enrol(struct fake_discord *fake_discord, const char *user,
                   const char *nick, const char *roles)
{
    struct user *member = find_user(fake_discord, user);

    snprintf(member->nick, sizeof(member->nick), "%s", nick);
    snprintf(member->roles, sizeof(member->roles), "%s", roles);
}

void
fake_discord_member(struct fake_discord *fake_discord, const char *user,
                    struct buf *out)
{
    const struct user *member = find_user(fake_discord, user);
    bool mods = strstr(member->roles, GUILD_MODS) != NULL;

    jtext_add_text(out, "permissions", mods ? "8192" : "0");
    jtext_key(out, "nick");
    if (member->nick[0] == '\0') {
        buf_add_text(out, "null");
    } else {
        jtext_string(out, member->nick);
    }
    jtext_begin_list(out, "roles");
    for (const char *at = member->roles; *at != '\0'; at += strspn(at, ",")) {
        size_t len = strcspn(at, ",");

        jtext_comma(out);
        jtext_string_len(out, at, len);
        at += len;
    }
    buf_add_char(out, ']');
}

void
fake_discord_close(struct fake_discord *fake_discord, const char *user,
                   bool closed)
{
    find_user(fake_discord, user)->closed = closed;
}

void
fake_discord_leave(struct fake_discord *fake_discord, const char *user,
                   bool gone)
{
    find_user(fake_discord, user)->gone = gone;
}

static struct channel *
find_channel(const struct fake_discord *fake_discord, uint64_t id)
{
    uintptr_t number = 0;
    size_t at = 0;

    while ((number = index_next(&fake_discord->channels_by_id, key_of(id),
                                &at)) != 0) {
        if (fake_discord->channels[number - 1]->id == id) {
            return fake_discord->channels[number - 1];
        }
    }
    return NULL;
}

static struct guild *
find_guild(const struct fake_discord *fake_discord, const char *id)
{
    uintptr_t number = 0;
    size_t at = 0;

    while ((number = index_next(&fake_discord->guilds_by_id, index_key("", id),
                                &at)) != 0) {
        if (strcmp(fake_discord->guilds[number - 1]->id, id) == 0) {
            return fake_discord->guilds[number - 1];
        }
    }
    return NULL;
}

const char *
fake_discord_dm(const struct fake_discord *fake_discord, uint64_t channel)
{
    const struct channel *at = find_channel(fake_discord, channel);

    return at != NULL && at->type == 1 ? at->user->name : "";
}

const char *
fake_discord_guild_of(const struct fake_discord *fake_discord, uint64_t channel)
{
    const struct channel *at = find_channel(fake_discord, channel);

    return at != NULL && at->guild != NULL ? at->guild->id : "";
}

bool
fake_discord_is_thread(const struct fake_discord *fake_discord,
                       uint64_t channel)
{
    const struct channel *at = find_channel(fake_discord, channel);

    return at != NULL && at->parent != 0;
}

unsigned
fake_discord_channels(const struct fake_discord *fake_discord, int type)
{
    unsigned count = 0;

    for (size_t i = 0; i < fake_discord->channel_count; i++) {
        count += fake_discord->channels[i]->type == type;
    }
    return count;
}

uint64_t
fake_discord_thread(struct fake_discord *fake_discord, const char *name,
                    int64_t now)
{
    struct channel *thread = add_channel(fake_discord, fake_discord->guilds[0],
                                         new_id(fake_discord, now), 11, name);

    thread->parent = fake_discord->channels[0]->id;
    return thread->id;
}

void
fake_discord_archive(struct fake_discord *fake_discord, uint64_t thread,
                     bool archived, bool locked)
{
    struct channel *channel = find_channel(fake_discord, thread);

    ck_assert_ptr_nonnull(channel);
    channel->archived = archived;
    channel->locked = locked;
}

void
fake_discord_delete(struct fake_discord *fake_discord, uint64_t channel)
{
    find_channel(fake_discord, channel)->deleted = true;
}

bool
fake_discord_archived(const struct fake_discord *fake_discord, uint64_t thread)
{
    const struct channel *channel = find_channel(fake_discord, thread);

    return channel != NULL && channel->archived;
}

size_t
fake_discord_count(const struct fake_discord *fake_discord)
{
    return fake_discord->count;
}

struct fake_discord_message *
fake_discord_at(const struct fake_discord *fake_discord, size_t at)
{
    return fake_discord->messages[at];
}

/* The first of some messages whose id is not below that; `posted` NULL: of
 * all. */
static size_t
first_from(const struct fake_discord *fake_discord,
           const struct numbers *posted, uint64_t id)
{
    size_t low = 0;
    size_t high = posted == NULL ? fake_discord->count : posted->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t at = posted == NULL ? middle : posted->list[middle];

        if (fake_discord->messages[at]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct fake_discord_message *
fake_discord_find(const struct fake_discord *fake_discord, uint64_t id)
{
    size_t at = first_from(fake_discord, NULL, id);

    return at < fake_discord->count && fake_discord->messages[at]->id == id
               ? fake_discord->messages[at]
               : NULL;
}

static struct fake_discord_message *
add_message(struct fake_discord *fake_discord, const char *author,
            struct channel *channel, const char *text, int64_t now)
{
    struct fake_discord_message *message = must_alloc(sizeof(*message));

    fake_discord->messages = widen(fake_discord->messages, fake_discord->count);
    fake_discord->messages[fake_discord->count++] = message;
    message->id = new_id(fake_discord, now);
    message->stamp = now;
    message->channel = channel->id;
    message->content = must_copy(text);
    message->pings = must_copy("");
    message->author = author;
    add_number(&channel->posted, fake_discord->count - 1);
    channel->last = message->id;
    channel->archived = channel->archived && channel->locked;
    return message;
}

struct fake_discord_message *
fake_discord_post(struct fake_discord *fake_discord, const char *user,
                  uint64_t channel, const char *text, int64_t now)
{
    struct user *writes = find_user(fake_discord, user);
    struct channel *where =
        channel != 0 ? find_channel(fake_discord, channel) : writes->dm;

    ck_assert_msg(where != NULL, "%s has no talk", user);
    return add_message(fake_discord, writes->name, where, text, now);
}

void
fake_discord_edit(struct fake_discord *fake_discord, uint64_t id,
                  const char *text, int64_t now)
{
    struct fake_discord_message *message = fake_discord_find(fake_discord, id);

    ck_assert_ptr_nonnull(message);
    free(message->content);
    message->content = must_copy(text);
    message->edited = now;
}

/* ---- answers ------------------------------------------------------------- */

static void
put(json_object *object, const char *key, json_object *value)
{
    ck_assert_int_eq(json_object_object_add(object, key, value), 0);
}

static void
put_text(json_object *object, const char *key, const char *text)
{
    put(object, key, json_object_new_string(text));
}

static void
put_id(json_object *object, const char *key, uint64_t id)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, id);
    put_text(object, key, text);
}

static void
put_time(json_object *object, const char *key, int64_t time)
{
    struct buf text = BUF_INIT;

    if (time == 0) {
        put(object, key, NULL);
        return;
    }
    instant_write(time, &text);
    buf_truncate(&text, text.len - 1); /* the Z */
    buf_addf(&text, ".%03d000+00:00", (int)(time % 1000));
    put_text(object, key, buf_text(&text));
    buf_release(&text);
}

static const char *
string_in(json_object *object, const char *key)
{
    const char *text = jdoc_string(object, key);

    return text == NULL ? "" : text;
}

/* Is a reply that was recorded the refusal which Discord gives that code? */
static bool
means(const struct recording *recording, int code)
{
    const char *message = jdoc_string(recording->value, "message");
    int64_t told = 0;

    (void)jdoc_integer(recording->value, "code", &told);
    switch (code) {
    case 0:
    case 10003:
    case 10008:
    case 10014:
        return recording->status == 404;
    case 50001:
        return message != NULL && strstr(message, "VIEW_CHANNEL") != NULL;
    case 50013:
        return message != NULL && strstr(message, "permissions") != NULL &&
               strstr(message, "VIEW_CHANNEL") == NULL;
    default:
        return told == code;
    }
}

/* Refuse as Spacebar does; false: it was not seen to do so there. */
static bool
refuse_as_recorded(struct call *call, int code)
{
    const struct recordings *recordings = recordings_of("discord");
    const char *route =
        recordings_route(recordings, call->method, call->target);

    for (size_t i = 0; i < recordings_count(recordings); i++) {
        const struct recording *recording = recordings_at(recordings, i);

        if (recording->route == route && !recording->documented &&
            recording->status >= 400 && recording->status != 429 &&
            means(recording, code)) {
            call->status = recording->status;
            json_object_put(call->answer);
            call->answer = json_object_get(recording->value);
            return true;
        }
    }
    return false;
}

static void
refuse(struct call *call, int status, int code, const char *message)
{
    if (call->fake_discord->habits.spacebar && refuse_as_recorded(call, code)) {
        return;
    }
    call->status = status;
    json_object_put(call->answer);
    call->answer = json_object_new_object();
    put_text(call->answer, "message", message);
    put(call->answer, "code", json_object_new_int(code));
}

/* There is nothing at that address, says what the server is made with. */
static void
refuse_unknown(struct call *call)
{
    if (call->fake_discord->habits.bare) {
        call->status = 404;
        call->page = "<!DOCTYPE html><pre>Cannot do that</pre>";
    } else {
        refuse(call, 404, 0, "404: Not Found");
    }
}

static void
empty(struct call *call)
{
    json_object_put(call->answer);
    call->answer = NULL;
    call->status = 204;
}

/* A number or a text of the query; NULL: it is not there.  Borrowed until the
 * next. */
static const char *
parameter(const struct call *call, const char *key)
{
    static char value[64];
    char start[32];

    snprintf(start, sizeof(start), "&%s=", key);
    const char *at = strstr(call->query, start);

    if (at == NULL) {
        return NULL;
    }
    at += strlen(start);
    snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "&"), at);
    return value;
}

static uint64_t
number_parameter(const struct call *call, const char *key, uint64_t normal)
{
    const char *text = parameter(call, key);

    return text == NULL ? normal : strtoull(text, NULL, 10);
}

/* ---- what is shown ------------------------------------------------------- */

/* What the bot may read of others without the intent (Discord's documentation,
 * "Message Content Intent"). */
static bool
is_readable(const struct fake_discord *fake_discord,
            const struct fake_discord_message *message)
{
    const struct fake_discord_message *target =
        message->reply_to == 0
            ? NULL
            : fake_discord_find(fake_discord, message->reply_to);

    return !fake_discord->habits.intent_off || message->author[0] == '\0' ||
           *fake_discord_dm(fake_discord, message->channel) != '\0' ||
           strstr(message->content, "<@" GUILD_BOT ">") != NULL ||
           (target != NULL && target->author[0] == '\0');
}

static json_object *
show_author(struct fake_discord *fake_discord,
            const struct fake_discord_message *message)
{
    json_object *author = json_object_new_object();
    bool own = message->author[0] == '\0';
    const char *name = own ? "placard" : message->author;
    const char *shown =
        own ? name : find_user(fake_discord, message->author)->shown;
    bool nulls = fake_discord->habits.nulls || own;

    put_text(author, "id",
             message->webhook
                 ? "700000000000000001"
                 : fake_discord_user(fake_discord, message->author));
    put_text(author, "username", name);
    put_text(author, "discriminator", "0");
    put(author, "avatar", NULL);
    if (nulls) {
        put(author, "global_name", NULL);
    } else {
        put_text(author, "global_name", *shown == '\0' ? name : shown);
    }
    if (own || message->bot || message->webhook) {
        put(author, "bot", json_object_new_boolean(true));
    }
    return author;
}

static void
put_reference(json_object *shown, const struct fake_discord_message *message)
{
    json_object *reference = json_object_new_object();

    put(reference, "type", json_object_new_int(message->forward ? 1 : 0));
    put_id(reference, "message_id",
           message->forward ? message->id - 1 : message->reply_to);
    put_id(reference, "channel_id", message->channel);
    put(shown, "message_reference", reference);
}

static json_object *
show(struct fake_discord *fake_discord,
     const struct fake_discord_message *message)
{
    json_object *shown = json_object_new_object();
    json_object *files = json_object_new_array();
    bool readable = is_readable(fake_discord, message);

    put_id(shown, "id", message->id);
    put_id(shown, "channel_id", message->channel);
    put(shown, "type", json_object_new_int(message->type));
    put(shown, "author", show_author(fake_discord, message));
    put_text(shown, "content", readable ? message->content : "");
    put_time(shown, "timestamp", message->stamp);
    put_time(shown, "edited_timestamp", message->edited);
    put(shown, "tts", json_object_new_boolean(false));
    put(shown, "pinned", json_object_new_boolean(false));
    put(shown, "mention_everyone", json_object_new_boolean(false));
    if (message->picture && readable) {
        json_object *file = json_object_new_object();

        put_text(file, "id", "800000000000000001");
        put_text(file, "filename", "board.png");
        put(file, "size", json_object_new_int(1));
        put_text(file, "url", "https://cdn.discordapp.com/board.png");
        put_text(file, "proxy_url", "https://media.discordapp.net/board.png");
        json_object_array_add(files, file);
    }
    if (fake_discord->habits.nulls) {
        json_object_put(files);
    } else {
        put(shown, "attachments", files);
        put(shown, "embeds", json_object_new_array());
        put(shown, "mentions", json_object_new_array());
        put(shown, "mention_roles", json_object_new_array());
        put(shown, "components", json_object_new_array());
        put(shown, "flags",
            json_object_new_int(message->forward ? 1 << 14 : 0));
    }
    if (message->webhook) {
        put_text(shown, "webhook_id", "700000000000000001");
    }
    if (message->reply_to != 0 || message->forward) {
        put_reference(shown, message);
    }
    return shown;
}

void
fake_discord_show(struct fake_discord *fake_discord,
                  const struct fake_discord_message *message, struct buf *out)
{
    json_object *shown = show(fake_discord, message);

    buf_add_text(out, json_object_to_json_string(shown));
    json_object_put(shown);
}

void
fake_discord_announce(struct fake_discord *fake_discord,
                      const struct fake_discord_message *message,
                      struct buf *out)
{
    json_object *shown = show(fake_discord, message);
    const char *guild = fake_discord_guild_of(fake_discord, message->channel);

    if (*guild != '\0') {
        put_text(shown, "guild_id", guild);
    }
    if (*guild != '\0' && !message->webhook && message->author[0] != '\0') {
        struct buf member = BUF_INIT;

        buf_add_text(&member, "{\"joined_at\":null,\"flags\":0,"
                              "\"deaf\":false,\"mute\":false");
        fake_discord_member(fake_discord, message->author, &member);
        buf_add_char(&member, '}');
        put(shown, "member", json_tokener_parse(buf_text(&member)));
        json_object_object_del(jdoc_get(shown, "member"), "permissions");
        buf_release(&member);
    }
    buf_add_text(out, json_object_to_json_string(shown));
    json_object_put(shown);
}

static json_object *
show_channel(const struct fake_discord *fake_discord,
             const struct channel *channel)
{
    json_object *shown = json_object_new_object();
    char bits[24];

    put_id(shown, "id", channel->id);
    put(shown, "type", json_object_new_int(channel->type));
    if (channel->type != 1) {
        put_text(shown, "guild_id", channel->guild->id);
    }
    if (channel->type != 1) {
        put_text(shown, "name", channel->name);
    }
    if (channel->last == 0 || fake_discord->habits.timeless) {
        put(shown, "last_message_id", NULL);
    } else {
        put_id(shown, "last_message_id", channel->last);
    }
    if (channel->parent != 0) {
        json_object *state = json_object_new_object();

        put_id(shown, "parent_id", channel->parent);
        put_text(shown, "owner_id", channel->owner);
        put(state, "archived", json_object_new_boolean(channel->archived));
        put(state, "locked", json_object_new_boolean(channel->locked));
        put(shown, "thread_metadata", state);
    }
    if (channel->type == 1 || channel->parent != 0) {
        return shown;
    }
    json_object *list = json_object_new_array();
    json_object *overwrite = json_object_new_object();

    snprintf(bits, sizeof(bits), "%" PRIu64, fake_discord->habits.denied);
    put_text(overwrite, "id", channel->guild->id);
    put(overwrite, "type", json_object_new_int(0));
    put_text(overwrite, "allow", "0");
    put_text(overwrite, "deny", bits);
    json_object_array_add(list, overwrite);
    put(shown, "permission_overwrites", list);
    return shown;
}

/* ---- messages ------------------------------------------------------------ */

static bool
may(struct call *call, const struct channel *channel, uint64_t bits)
{
    const struct fake_discord_habits *habits = &call->fake_discord->habits;
    uint64_t has = habits->may & ~habits->denied;

    if (channel->type == 1 || (has & bits) == bits) {
        return true;
    }
    if ((has & BIT(10)) == 0) {
        refuse(call, 403, 50001, "Missing access");
    } else {
        refuse(call, 403, 50013, "You lack permissions to perform that action");
    }
    return false;
}

/* Those of a channel that stand in a page, the oldest first. */
static size_t
choose_page(struct call *call, const struct channel *channel, size_t *page,
            size_t limit)
{
    const struct fake_discord *fake_discord = call->fake_discord;
    const struct numbers *posted = &channel->posted;
    uint64_t after = number_parameter(call, "after", 0);
    size_t first = first_from(fake_discord, posted, after + 1);
    size_t end = first_from(fake_discord, posted,
                            number_parameter(call, "before", UINT64_MAX));
    bool nearest =
        parameter(call, "after") != NULL && !fake_discord->habits.newest_after;
    size_t count = 0;

    for (size_t i = first; i < end && count < limit; i++) {
        size_t at = posted->list[nearest ? i : end - 1 - (i - first)];

        if (!fake_discord->messages[at]->deleted) {
            page[count++] = at;
        }
    }
    for (size_t i = 0; !nearest && i < count / 2; i++) {
        size_t kept = page[i];

        page[i] = page[count - 1 - i];
        page[count - 1 - i] = kept;
    }
    return count;
}

static void
answer_page(struct call *call, const struct channel *channel)
{
    size_t page[100];
    size_t limit = (size_t)number_parameter(call, "limit", 50);
    bool blind =
        (call->fake_discord->habits.may & BIT(16)) == 0 && channel->type != 1;

    ck_assert(limit >= 1 && limit <= 100);
    if (!may(call, channel, BIT(10))) {
        return;
    }
    size_t count = blind ? 0 : choose_page(call, channel, page, limit);

    json_object_put(call->answer);
    call->answer = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        size_t at = call->fake_discord->habits.ascending ? i : count - 1 - i;

        struct fake_discord_message *message =
            call->fake_discord->messages[page[at]];

        json_object_array_add(call->answer, show(call->fake_discord, message));
        tell(call->fake_discord, message, FAKE_DISCORD_READ, call->now);
    }
}

/* Each post says whom it pings. */
static void
read_mentions(struct call *call, struct buf *pings)
{
    json_object *allowed = jdoc_get(call->body, "allowed_mentions");
    json_object *users = jdoc_get(allowed, "users");

    ck_assert_msg(
        json_object_is_type(jdoc_get(allowed, "parse"), json_type_array), "%s",
        json_object_to_json_string(call->body));
    for (size_t i = 0; users != NULL && i < json_object_array_length(users);
         i++) {
        buf_addf(pings, "%s ",
                 json_object_get_string(json_object_array_get_idx(users, i)));
    }
}

static size_t
code_points(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

/* The same nonce again, of late. */
static struct fake_discord_message *
find_nonce(const struct call *call, const char *nonce)
{
    const struct fake_discord *fake_discord = call->fake_discord;
    uint64_t key = index_key("", nonce);
    uintptr_t number = 0;
    size_t at = 0;

    while (*nonce != '\0' &&
           (number = index_next(&fake_discord->by_nonce, key, &at)) != 0) {
        struct fake_discord_message *message =
            fake_discord->messages[number - 1];

        if (strcmp(message->nonce, nonce) == 0 &&
            call->now - message->stamp <= NONCE_MS) {
            return message;
        }
    }
    return NULL;
}

static bool
is_closed(struct call *call, const struct channel *channel)
{
    if (channel->type != 1 ||
        (!channel->user->closed && !channel->user->gone)) {
        return false;
    }
    if (channel->user->gone) {
        refuse(call, 403, 50278,
               "Cannot send messages to this user due to having no mutual "
               "guilds");
    } else {
        refuse(call, 403, 50007, "Cannot send messages to this user");
    }
    return true;
}

static bool
is_stuck(struct call *call, const struct channel *channel, bool wakes)
{
    if (channel->locked) {
        refuse(call, 403, 160005, "Thread is locked");
        return true;
    }
    if (channel->archived && !wakes) {
        refuse(call, 400, 50083,
               "Tried to perform an operation on an archived thread, such as "
               "editing a message or adding a user to the thread");
        return true;
    }
    return false;
}

/* Is there a member in the request that a strict server does not know? */
static bool
knows_not(const struct call *call)
{
    static const char *const newer[] = {"enforce_nonce", "flags", "attachments",
                                        "recipient_id"};

    for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++) {
        if (call->fake_discord->habits.strict &&
            jdoc_get(call->body, newer[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* What a request leaves out stays as it was. */
static void
take_components(struct fake_discord_message *message, json_object *body)
{
    json_object *components = jdoc_get(body, "components");

    if (components != NULL) {
        free(message->components);
        message->components = must_copy(json_object_to_json_string(components));
        message->had_buttons =
            message->had_buttons || strstr(message->components, "type") != NULL;
    }
}

static void
write_message(struct call *call, struct channel *channel)
{
    struct fake_discord *fake_discord = call->fake_discord;
    const char *nonce = string_in(call->body, "nonce");
    const char *content = string_in(call->body, "content");
    bool enforced = false;
    bool described = jdoc_get(call->body, "attachments") != NULL;
    int64_t flags = 0;
    struct buf pings = BUF_INIT;

    ck_assert_uint_le(strlen(nonce), 25);
    if (call->picture && fake_discord->habits.no_files) {
        refuse(call, 500, 0, "Internal Server Error");
    } else if (channel->type == 15) {
        refuse(call, 400, 40058, "Cannot send a message in a forum channel");
    } else if (*content == '\0') {
        refuse(call, 400, 50006, "Cannot send an empty message");
    } else if (code_points(content) > 2000 || knows_not(call) ||
               (described && fake_discord->habits.no_described)) {
        refuse(call, 400, 50035, "Invalid Form Body");
    } else if (strstr(content, "forbidden words") != NULL) {
        refuse(call, 400, 200000,
               "Message was blocked by automatic moderation");
    } else if (may(call, channel,
                   BIT(10) | (channel->parent != 0 ? BIT(38) : BIT(11)) |
                       (call->picture ? BIT(15) : 0)) &&
               !is_closed(call, channel) && !is_stuck(call, channel, true)) {
        struct fake_discord_message *message = NULL;

        (void)jdoc_bool(call->body, "enforce_nonce", &enforced);
        (void)jdoc_integer(call->body, "flags", &flags);
        /* Strict ones look at each. */
        if ((enforced || fake_discord->habits.strict) &&
            !fake_discord->habits.no_nonce) {
            message = find_nonce(call, nonce);
        }
        if (message == NULL) {
            message =
                add_message(fake_discord, "", channel, content, call->now);
            snprintf(message->nonce, sizeof(message->nonce), "%s", nonce);
            index_add(&fake_discord->by_nonce, index_key("", nonce),
                      fake_discord->count);
            message->picture = call->picture;
            message->silent = (flags & 1 << 12) != 0;
            read_mentions(call, &pings);
            free(message->pings);
            message->pings = buf_take(&pings);
            take_components(message, call->body);
            tell(fake_discord, message, FAKE_DISCORD_WROTE, call->now);
        }
        json_object_put(call->answer);
        call->answer = show(fake_discord, message);
    }
}

static void
edit_message(struct call *call, struct fake_discord_message *message)
{
    struct buf pings = BUF_INIT;

    ck_assert_str_eq(message->author, "");
    if (knows_not(call)) {
        refuse(call, 400, 50035, "Invalid Form Body");
        return;
    }
    read_mentions(call, &pings);
    ck_assert_str_eq(buf_text(&pings), "");
    buf_release(&pings);
    /* D "Edit Message": what is not given stays.  Buttons are taken only from
     * where some were (once more, if nobody heard that they are gone), or from
     * what has called somebody: before a game that may have had some. */
    if (jdoc_get(call->body, "content") != NULL) {
        fake_discord_edit(call->fake_discord, message->id,
                          string_in(call->body, "content"), call->now);
    } else {
        ck_assert_msg(message->had_buttons || message->pings[0] != '\0',
                      "%s\nhad no buttons", message->content);
    }
    take_components(message, call->body);
    json_object_put(call->answer);
    call->answer = show(call->fake_discord, message);
}

static void
react(struct call *call, struct channel *channel,
      struct fake_discord_message *message)
{
    if (!may(call, channel, BIT(6) | BIT(16))) {
        return;
    }
    ck_assert_str_eq(call->parts[6], "@me");
    if (strchr(call->parts[5], '?') != NULL) {
        refuse(call, 400, 10014, "Unknown emoji");
        return;
    }
    if (strstr(message->reactions, call->parts[5]) == NULL) {
        size_t len = strlen(message->reactions);

        ck_assert_uint_lt(len + strlen(call->parts[5]),
                          sizeof(message->reactions));
        memcpy(message->reactions + len, call->parts[5],
               strlen(call->parts[5]) + 1);
    }
    tell(call->fake_discord, message, FAKE_DISCORD_REACTED, call->now);
    empty(call);
}

static void
act_upon_message(struct call *call, struct channel *channel)
{
    struct fake_discord_message *message = fake_discord_find(
        call->fake_discord, strtoull(call->parts[3], NULL, 10));

    if (message == NULL || message->deleted ||
        message->channel != channel->id) {
        refuse(call, 404, 10008, "Unknown message");
    } else if (is_stuck(call, channel, false)) {
        return;
    } else if (call->part_count > 4 && call->fake_discord->habits.bare) {
        refuse_unknown(call);
    } else if (call->part_count > 4 &&
               strcmp(call->parts[4], "reactions") == 0) {
        react(call, channel, message);
    } else if (strcmp(call->method, "PATCH") == 0) {
        edit_message(call, message);
    } else if (strcmp(call->method, "DELETE") == 0) {
        if (message->author[0] == '\0' || may(call, channel, BIT(13))) {
            message->deleted = true;
            empty(call);
        }
    } else {
        json_object_put(call->answer);
        call->answer = show(call->fake_discord, message);
    }
}

static void
pin(struct call *call, struct channel *channel, const char *id)
{
    struct fake_discord_message *message =
        fake_discord_find(call->fake_discord, strtoull(id, NULL, 10));

    if (message == NULL) {
        refuse(call, 404, 10008, "Unknown message");
    } else if (may(call, channel, BIT(51))) {
        message->pinned = true;
        empty(call);
    }
}

/* ---- channels ------------------------------------------------------------ */

static void
answer_thread(struct call *call, struct channel *channel, uint64_t id)
{
    struct fake_discord *fake_discord = call->fake_discord;
    const char *name = string_in(call->body, "name");
    json_object *first = jdoc_get(call->body, "message");

    ck_assert(*name != '\0' && code_points(name) <= 100);
    if (fake_discord->habits.bare) {
        refuse_unknown(call);
        return;
    }
    if (channel->parent != 0) {
        refuse(call, 400, 50024, "Cannot execute action on this channel type");
        return;
    }
    int64_t type = 11;

    /* A private thread has a type (D "Start Thread without Message"), and a
     * permission, of its own (D "Permissions", CREATE_PRIVATE_THREADS). */
    (void)jdoc_integer(call->body, "type", &type);
    if (!may(call, channel, type == 12 ? BIT(36) : BIT(35))) {
        return;
    }
    if (fake_discord->habits.many_threads) {
        id = 0;
    }
    if (find_channel(fake_discord, id) != NULL) {
        refuse(call, 400, 160004,
               "A thread has already been created for this message");
        return;
    }
    ck_assert_int_eq(first != NULL, channel->type == 15);
    struct channel *thread =
        add_channel(fake_discord, channel->guild,
                    id != 0 ? id : new_id(fake_discord, call->now),
                    type == 12 ? 12 : 11, name);

    thread->parent = channel->id;
    snprintf(thread->owner, sizeof(thread->owner), "%s", GUILD_BOT);
    if (first != NULL) {
        struct fake_discord_message *message = add_message(
            fake_discord, "", thread, string_in(first, "content"), call->now);
        message->id = thread->id;
        thread->last = thread->id;
    }
    json_object_put(call->answer);
    call->answer = show_channel(fake_discord, thread);
}

/* D "Add Thread Member": 204 also for one who is there already. */
static void
add_member(struct call *call, const struct channel *thread)
{
    if (thread->archived) {
        refuse(call, 400, 50083,
               "Tried to perform an operation on an archived thread, such as "
               "editing a message or adding a user to the thread");
    } else if (may(call, thread, BIT(38))) {
        empty(call);
    }
}

static void
change_channel(struct call *call, struct channel *channel)
{
    bool archived = true;

    if (channel->locked) {
        refuse(call, 403, 50013, "You lack permissions to perform that action");
        return;
    }
    ck_assert(jdoc_bool(call->body, "archived", &archived));
    channel->archived = archived;
    json_object_put(call->answer);
    call->answer = show_channel(call->fake_discord, channel);
}

static void
answer_messages(struct call *call, struct channel *channel)
{
    bool post = strcmp(call->method, "POST") == 0;

    if (call->part_count == 3 && post) {
        write_message(call, channel);
    } else if (call->part_count == 3) {
        answer_page(call, channel);
    } else if (strcmp(call->parts[3], "pins") == 0) {
        if (call->fake_discord->habits.old_pins ||
            call->fake_discord->habits.bare) {
            refuse_unknown(call);
        } else if (call->part_count == 4) {
            return; /* the list of them */
        } else {
            pin(call, channel, call->parts[4]);
        }
    } else if (post && strcmp(call->parts[4], "threads") == 0) {
        answer_thread(call, channel, strtoull(call->parts[3], NULL, 10));
    } else {
        act_upon_message(call, channel);
    }
}

static void
answer_channels(struct call *call)
{
    struct channel *channel =
        find_channel(call->fake_discord, strtoull(call->parts[1], NULL, 10));

    if (channel == NULL) {
        refuse(call, 404, 10003, "Unknown channel");
    } else if (call->part_count == 2) {
        if (strcmp(call->method, "PATCH") == 0) {
            change_channel(call, channel);
        } else if (may(call, channel, BIT(10))) {
            json_object_put(call->answer);
            call->answer = show_channel(call->fake_discord, channel);
        }
    } else if (strcmp(call->parts[2], "messages") == 0) {
        answer_messages(call, channel);
    } else if (strcmp(call->parts[2], "threads") == 0) {
        answer_thread(call, channel, 0);
    } else if (strcmp(call->parts[2], "thread-members") == 0 &&
               !call->fake_discord->habits.bare) {
        add_member(call, channel);
    } else if (strcmp(call->parts[2], "pins") == 0 &&
               !call->fake_discord->habits.bare) {
        if (call->part_count > 3) {
            pin(call, channel, call->parts[3]);
        }
    } else {
        refuse_unknown(call);
    }
}

/* ---- the rest ------------------------------------------------------------ */

static void
answer_list(struct call *call, const struct guild *guild, bool threads)
{
    json_object *list = json_object_new_array();

    for (size_t i = 0; i < guild->channels.count; i++) {
        const struct channel *channel =
            call->fake_discord->channels[guild->channels.list[i]];

        if ((channel->parent != 0) == threads && !channel->archived &&
            !channel->deleted) {
            json_object_array_add(list,
                                  show_channel(call->fake_discord, channel));
        }
    }
    if (threads) {
        put(call->answer, "threads", list);
        return;
    }
    json_object_put(call->answer);
    call->answer = list;
}

/* The roles that there are: the third is not the bot's, and may everything. */
static json_object *
list_roles(const struct fake_discord *fake_discord, const struct guild *guild)
{
    const char *const ids[] = {
        guild->id,   "600000000000000001", "600000000000000002", GUILD_MODS,
        GUILD_ALIVE, GUILD_DEAD,           GUILD_WATCHING};
    const char *const role_names[] = {"@everyone", "placard", "Admins",
                                      "Mods",      "Alive",   "Dead",
                                      "Spectators"};
    json_object *roles = json_object_new_array();
    char bits[24];
    char all[24];

    snprintf(bits, sizeof(bits), "%" PRIu64, fake_discord->habits.may);
    snprintf(all, sizeof(all), "%" PRIu64, fake_discord->habits.players_may);
    for (int i = 0; i < 7; i++) {
        json_object *role = json_object_new_object();

        put_text(role, "id", ids[i]);
        put_text(role, "name", role_names[i]);
        put_text(role, "permissions",
                 i == 0   ? all
                 : i == 1 ? bits
                 : i == 2 ? "8"
                 : i == 3 ? "8192"
                          : "0");
        json_object_array_add(roles, role);
    }
    return roles;
}

/* A guild, or a member of it, has its roles in it, unless the habits are
 * otherwise. */
static void
put_roles(struct call *call, json_object *roles)
{
    if (call->fake_discord->habits.no_roles) {
        json_object_put(roles);
    } else {
        put(call->answer, "roles", roles);
    }
}

static void
answer_member(struct call *call)
{
    json_object *roles = json_object_new_array();

    json_object_array_add(roles, json_object_new_string("600000000000000001"));
    put_roles(call, roles);
}

/* D "Add Guild Member Role", "Remove Guild Member Role": 204 also where nothing
 * changes. */
static void
change_role(struct call *call)
{
    struct user *user = find_user(call->fake_discord, call->parts[3]);
    const char *role = call->parts[5];
    char kept[sizeof(user->roles)] = "";
    size_t len = 0;

    if (call->fake_discord->habits.no_giving) {
        refuse(call, 403, 50013, "Missing Permissions");
        return;
    }
    if (user->gone) {
        refuse(call, 404, 10007, "Unknown Member");
        return;
    }
    for (const char *at = user->roles; *at != '\0'; at += strspn(at, ",")) {
        size_t size = strcspn(at, ",");

        if (strncmp(at, role, size) != 0 || strlen(role) != size) {
            len += (size_t)snprintf(kept + len, sizeof(kept) - len, "%s%.*s",
                                    len > 0 ? "," : "", (int)size, at);
        }
        at += size;
    }
    if (strcmp(call->method, "PUT") == 0) {
        snprintf(kept + len, sizeof(kept) - len, "%s%s", len > 0 ? "," : "",
                 role);
    }
    snprintf(user->roles, sizeof(user->roles), "%s", kept);
    empty(call);
}

const char *
fake_discord_roles(struct fake_discord *fake_discord, const char *user)
{
    return find_user(fake_discord, user)->roles;
}

/* The members whose names begin with a text. */
static void
answer_search(struct call *call)
{
    const char *query = strstr(call->query, "&query=");
    json_object *list = json_object_new_array();
    size_t len = 0;

    ck_assert_ptr_nonnull(query);
    query += strlen("&query=");
    len = strcspn(query, "&");
    for (size_t i = 0; i < call->fake_discord->user_count; i++) {
        const struct user *user = call->fake_discord->users[i];
        json_object *member = json_object_new_object();
        json_object *who = json_object_new_object();

        put_text(who, "id", user->id);
        put_text(who, "username", user->name);
        put(member, "user", who);
        if (strncasecmp(user->name, query, len) == 0) {
            json_object_array_add(list, member);
        } else {
            json_object_put(member);
        }
    }
    json_object_put(call->answer);
    call->answer = list;
}

static void
answer_guilds(struct call *call)
{
    const struct fake_discord_habits *habits = &call->fake_discord->habits;
    const char *what = call->part_count > 2 ? call->parts[2] : "";
    bool threads = strcmp(what, "threads") == 0;
    bool members = strcmp(what, "members") == 0;
    const struct guild *guild = find_guild(call->fake_discord, call->parts[1]);

    ck_assert_ptr_nonnull(guild);
    if ((habits->no_lists && threads) ||
        (habits->bare && (threads || members))) {
        refuse_unknown(call);
    } else if (threads || strcmp(what, "channels") == 0) {
        answer_list(call, guild, threads);
    } else if (members && call->part_count == 6) {
        change_role(call);
    } else if (members && strcmp(call->parts[3], "search") == 0) {
        answer_search(call);
    } else if (members) {
        answer_member(call);
    } else if (strcmp(what, "roles") == 0) {
        json_object_put(call->answer);
        call->answer = list_roles(call->fake_discord, guild);
    } else {
        put_text(call->answer, "owner_id", "300000000000000001");
        put_roles(call, list_roles(call->fake_discord, guild));
    }
}

static void
answer_dm(struct call *call)
{
    struct fake_discord *fake_discord = call->fake_discord;
    json_object *list = jdoc_get(call->body, "recipients");

    if (knows_not(call)) {
        refuse(call, 400, 50035, "Invalid Form Body");
        return;
    }
    struct user *user = find_user(
        fake_discord, list != NULL ? json_object_get_string(
                                         json_object_array_get_idx(list, 0))
                                   : string_in(call->body, "recipient_id"));

    if (user->dm == NULL) {
        user->dm = add_channel(fake_discord, NULL,
                               new_id(fake_discord, call->now), 1, "");
        user->dm->user = user;
    }
    json_object_put(call->answer);
    call->answer = show_channel(fake_discord, user->dm);
}

/* The servers that the bot is in. */
static void
answer_own_guilds(struct call *call)
{
    json_object *list = json_object_new_array();

    for (size_t i = 0; i < call->fake_discord->guild_count; i++) {
        json_object *guild = json_object_new_object();

        put_text(guild, "id", call->fake_discord->guilds[i]->id);
        put_text(guild, "name", "The Club");
        json_object_array_add(list, guild);
    }
    json_object_put(call->answer);
    call->answer = list;
}

static void
answer_users(struct call *call)
{
    if (call->part_count == 3 && strcmp(call->parts[2], "guilds") == 0) {
        answer_own_guilds(call);
        return;
    }
    if (call->part_count == 3) {
        answer_dm(call);
        return;
    }
    bool self = call->part_count < 2 || strcmp(call->parts[1], "@me") == 0 ||
                strcmp(call->parts[1], GUILD_BOT) == 0;
    const char *name =
        self ? "placard"
             : fake_discord_name(call->fake_discord, call->parts[1]);

    if (*name == '\0') {
        refuse(call, 404, 10013, "Unknown user");
        return;
    }
    put_text(call->answer, "id", self ? GUILD_BOT : call->parts[1]);
    put_text(call->answer, "username", name);
    put(call->answer, "bot", json_object_new_boolean(self));
}

static void
answer_applications(struct call *call)
{
    if (call->fake_discord->habits.bare) {
        refuse_unknown(call);
        return;
    }
    put_text(call->answer, "id", GUILD_APPLICATION);
    put(call->answer, "flags",
        json_object_new_int(call->fake_discord->habits.spacebar     ? 0
                            : call->fake_discord->habits.intent_off ? 1 << 12
                                                                    : 1 << 19));
}

/* Where its gateway hangs; nobody is there, so the host polls. */
static void
answer_gateway(struct call *call)
{
    static const char *const limits[][2] = {{"total", "1000"},
                                            {"remaining", "999"},
                                            {"reset_after", "14400000"},
                                            {"max_concurrency", "1"}};
    json_object *limit = json_object_new_object();

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        put(limit, limits[i][0],
            json_object_new_int64(strtoll(limits[i][1], NULL, 10)));
    }
    put_text(call->answer, "url", "ws://127.0.0.1:9");
    put(call->answer, "shards", json_object_new_int(1));
    put(call->answer, "session_start_limit", limit);
}

/* ---- limits -------------------------------------------------------------- */

static struct tally *
find_tally(struct fake_discord *fake_discord, const char *name)
{
    uint64_t key = index_key("", name);
    uintptr_t number = 0;
    size_t at = 0;

    while ((number = index_next(&fake_discord->tallies_by_name, key, &at)) !=
           0) {
        if (strcmp(fake_discord->tallies[number - 1]->name, name) == 0) {
            return fake_discord->tallies[number - 1];
        }
    }
    struct tally *tally = must_alloc(sizeof(*tally));

    tally->name = must_copy(name);
    fake_discord->tallies =
        widen(fake_discord->tallies, fake_discord->tally_count);
    fake_discord->tallies[fake_discord->tally_count++] = tally;
    index_add(&fake_discord->tallies_by_name, key, fake_discord->tally_count);
    return tally;
}

/* Count one of a kind; false: it is beyond `most` in `time` ms. */
static bool
count(struct call *call, const char *name, unsigned most, int64_t time)
{
    struct fake_discord *fake_discord = call->fake_discord;
    struct tally *tally = find_tally(fake_discord, name);

    if (call->now - tally->since >= time) {
        tally->since = call->now;
        tally->count = 0;
    }
    tally->count++;
    buf_addf(&fake_discord->headers,
             "x-ratelimit-bucket: %.*s\nx-ratelimit-limit: %u\n"
             "x-ratelimit-remaining: %u\nx-ratelimit-reset-after: %.3f\n",
             (int)strcspn(name, " "), name, most,
             tally->count < most ? most - tally->count : 0,
             (double)(time - (call->now - tally->since)) / SECOND_MS);
    return tally->count <= most;
}

static void
turn_away(struct call *call, const char *scope, int64_t wait)
{
    struct fake_discord *fake_discord = call->fake_discord;

    refuse(call, 429, 0, "You are being rate limited.");
    put(call->answer, "retry_after",
        json_object_new_double((double)wait / SECOND_MS));
    put(call->answer, "global",
        json_object_new_boolean(strcmp(scope, "global") == 0));
    buf_addf(&fake_discord->headers,
             "retry-after: %lld\nx-ratelimit-scope: %s\n",
             (long long)((wait + SECOND_MS - 1) / SECOND_MS), scope);
    if (strcmp(scope, "global") == 0) {
        buf_add_text(&fake_discord->headers, "x-ratelimit-global: true\n");
    }
}

/* No refusal is recorded of who looks for pins, roles, or people. */
static bool
can_be_turned_away(const struct call *call)
{
    const char *last = call->parts[call->part_count - 1];

    return strcmp(call->method, "GET") != 0 ||
           !(strcmp(last, "pins") == 0 || strcmp(last, "roles") == 0 ||
             (strcmp(call->parts[0], "users") == 0 &&
              strcmp(last, "@me") != 0));
}

/* All the ways in which a request is refused. */
static void
storm(struct call *call)
{
    struct fake_discord *fake_discord = call->fake_discord;

    fake_discord->storm--;
    switch (fake_discord->storms++ % 4) {
    case 0:
        turn_away(call, "user", 1337);
        break;
    case 1:
        turn_away(call, "global", 800);
        break;
    case 2:
        turn_away(call, "shared", 2500);
        break;
    default:
        call->status = 429;
        call->page = "<!DOCTYPE html><title>Access denied | Error 1015"
                     "</title><p>You are being rate limited</p>";
        break;
    }
}

/* What a request is counted by, and how often it may be made; the limit for
 * reading is hidden. */
static bool
is_within(struct call *call)
{
    const char *kind = call->part_count > 2 ? call->parts[2] : "";
    bool get = strcmp(call->method, "GET") == 0;
    bool reaction =
        call->part_count > 4 && strcmp(call->parts[4], "reactions") == 0;
    char name[300];
    size_t told = call->fake_discord->headers.len;

    if (!count(call, "global", 50, SECOND_MS)) {
        buf_truncate(&call->fake_discord->headers, told);
        turn_away(call, "global", SECOND_MS);
        return false;
    }
    buf_truncate(&call->fake_discord->headers, told);
    snprintf(name, sizeof(name), "%s-%s-%d %s", call->method, kind, reaction,
             call->parts[1]);
    bool good = true;

    if (strcmp(call->parts[0], "users") == 0 && call->part_count == 3 && !get) {
        good = count(call, "talks", 1, 3 * SECOND_MS);
        if (!good) {
            refuse(call, 403, 40003,
                   "You are opening direct messages too fast");
            return false;
        }
    } else if (get && strcmp(kind, "messages") == 0 &&
               strcmp(call->parts[3], "pins") != 0) {
        good = count(call, name, 1, 900);
        buf_truncate(&call->fake_discord->headers, told);
    } else if (reaction) {
        good = count(call, name, 1, 250);
    } else if (!get) {
        good = count(call, name, 5, 5 * SECOND_MS);
    }
    if (!good) {
        turn_away(call, "user", SECOND_MS);
    }
    return good;
}

/* ---- requests ------------------------------------------------------------ */

/* Interactions count towards no limit (D "Rate Limits"). */
static bool
is_extended(struct call *call)
{
    struct fake_discord *fake_discord = call->fake_discord;
    struct fake_discord_call extended = {.method = call->method,
                                         .body = call->body,
                                         .authorized = call->authorized,
                                         .now = call->now,
                                         .query = call->query,
                                         .answer = call->answer};

    for (unsigned i = 0; i < PARTS_MAX; i++) {
        extended.parts[i] = i < call->part_count ? call->parts[i] : "";
    }
    if (fake_discord->extension == NULL ||
        !fake_discord->extension(fake_discord->context, &extended)) {
        return false;
    }
    call->status = extended.status;
    if (extended.list != NULL) {
        json_object_put(call->answer);
        call->answer = extended.list;
    }
    if (extended.status == 204) {
        empty(call);
    }
    return true;
}

static void
answer(struct call *call)
{
    static const struct {
        const char *part;
        void (*answer)(struct call *call);
    } calls[] = {
        {"users", answer_users},     {"applications", answer_applications},
        {"gateway", answer_gateway}, {"channels", answer_channels},
        {"guilds", answer_guilds},
    };

    call->fake_discord->requests++;
    if (is_extended(call)) {
        return;
    }
    ck_assert(call->authorized);
    if (call->fake_discord->storm > 0 && can_be_turned_away(call)) {
        storm(call);
        return;
    }
    if (call->fake_discord->habits.limits && !is_within(call)) {
        call->fake_discord->beyond++;
        return;
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(call->parts[0], calls[i].part) == 0) {
            calls[i].answer(call);
            return;
        }
    }
    refuse_unknown(call);
}

/* The byte that a text begins with, %XX or as it stands; how long that is. */
static size_t
decode(const char *text, char *byte)
{
    char digits[3] = "";

    if (text[0] != '%') {
        *byte = text[0];
        return 1;
    }
    memcpy(digits, text + 1, 2);
    *byte = (char)strtoul(digits, NULL, 16);
    return 3;
}

static void
take_apart(struct call *call, const char *target)
{
    static const char root[] = "/api/v10/";
    size_t end = strcspn(target, "?");

    ck_assert_msg(strncmp(target, root, strlen(root)) == 0, "%s", target);
    call->query = must_copy(target[end] == '?' ? target + end : "");
    if (*call->query != '\0') {
        call->query[0] = '&';
    }
    for (size_t i = strlen(root); i < end;) {
        char *part = call->parts[call->part_count++];
        size_t len = 0;

        ck_assert_uint_lt(call->part_count, PARTS_MAX);
        while (i < end && target[i] != '/') {
            ck_assert_uint_lt(len, PART_MAX - 1);
            i += decode(target + i, &part[len++]);
        }
        i++;
    }
}

/* The JSON of a request with a picture, which follows it. */
static json_object *
take_parts(struct call *call, const char *body, size_t len, const char *type)
{
    static const char key[] = "boundary=";
    const char *boundary = strstr(type, key);
    const char *json = strstr(body, "\r\n\r\n");
    char end[64];

    ck_assert(boundary != NULL && json != NULL);
    snprintf(end, sizeof(end), "\r\n--%s", boundary + strlen(key));
    const char *stop = strstr(json, end);

    ck_assert_ptr_nonnull(stop);
    ck_assert_ptr_nonnull(strstr(stop, "name=\"files[0]\""));
    ck_assert_uint_gt(len, (size_t)(stop - body));
    call->picture = true;
    char *text = must_copy(json);

    text[stop - json] = '\0';
    json_object *value = json_tokener_parse(text);

    free(text);
    ck_assert_ptr_nonnull(value);
    return value;
}

static void
take_body(struct call *call, const char *body, size_t len, const char *type)
{
    if (len == 0) {
        return;
    }
    if (strncmp(type, "multipart/", 10) == 0) {
        call->body = take_parts(call, body, len, type);
        return;
    }
    ck_assert_str_eq(type, "application/json");
    call->body = json_tokener_parse(body);
    ck_assert_msg(call->body != NULL, "%s", body);
}

/* Servers that could not be had: what they do is of their sources alone, which
 * the adapter names. */
static bool
is_of_another_make(const struct fake_discord_habits *habits)
{
    return habits->bare || habits->strict || habits->no_files || habits->unheld;
}

/* No server answers otherwise than one was seen to, or is documented to. */
static void
hold(struct call *call, const char *target)
{
    const struct recordings *recordings = recordings_of("discord");

    if (is_of_another_make(&call->fake_discord->habits)) {
        return;
    }
    if (call->page != NULL) {
        recordings_hold_text(recordings, call->method, target, call->status,
                             call->page);
    } else if (call->answer != NULL) {
        recordings_hold_json(recordings, call->method, target, call->status,
                             call->answer);
    }
}

static void
serve(struct call *call, const char *target, struct buf *body)
{
    buf_clear(&call->fake_discord->headers);
    call->target = target;
    call->status = 200;
    call->answer = json_object_new_object();
    take_apart(call, target);
    if (call->body != NULL) {
        payloads_keep_request(call->method, target + strlen("/api/v10/"),
                              json_object_to_json_string(call->body));
    }
    answer(call);
    hold(call, target);
    buf_clear(body);
    if (call->page != NULL) {
        buf_add_text(body, call->page);
        buf_clear(&call->fake_discord->headers);
    } else if (call->answer != NULL) {
        buf_add_text(body, json_object_to_json_string(call->answer));
    }
    json_object_put(call->answer);
    json_object_put(call->body);
    free(call->query);
}

static int64_t
header_wait(const char *headers)
{
    const char *at = strstr(headers, "retry-after: ");

    return at == NULL ? -1 : strtoll(at + 13, NULL, 10) * SECOND_MS;
}

void
fake_discord_serve(struct fake_discord *fake_discord, int64_t now,
                   const struct request *request, struct buf *body,
                   struct reply *reply)
{
    struct call call = {.fake_discord = fake_discord,
                        .now = now,
                        .method = request->method,
                        .authorized = request->authorized};
    const char *url = buf_text(&request->url);

    size_t base = strncmp(url, GUILD_BASE, strlen(GUILD_BASE)) == 0
                      ? strlen(GUILD_BASE)
                      : strlen(GUILD_OTHER);

    ck_assert(base == strlen(GUILD_BASE) ||
              strncmp(url, GUILD_OTHER, base) == 0);
    take_body(&call, buf_text(&request->body), request->body.len,
              request->type);
    serve(&call, url + base, body);
    *reply = (struct reply){
        .status = call.status,
        .body = buf_text(body),
        .len = body->len,
        .date = fake_discord->habits.timeless ? 0 : now / SECOND_MS * SECOND_MS,
        .headers = buf_text(&fake_discord->headers),
        .retry_after = header_wait(buf_text(&fake_discord->headers))};
}

void
fake_discord_storm(struct fake_discord *fake_discord, unsigned requests)
{
    fake_discord->storm = requests;
}

unsigned
fake_discord_beyond(const struct fake_discord *fake_discord)
{
    return fake_discord->beyond;
}

unsigned
fake_discord_requests(const struct fake_discord *fake_discord)
{
    return fake_discord->requests;
}
