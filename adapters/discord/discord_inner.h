/*
 * What the files of the Discord adapter share; nobody else includes it.
 *
 * Facts come from Discord's documentation (docs.discord.com/developers, "D" and
 * a page) and its OpenAPI description, version 10.  Facts about other servers
 * of the same API come from their sources: Spacebar (spacebarchat/server,
 * src/api), which was also tried, Symfonia (polyphony-chat/symfonia) and the
 * Discord twin that Kimaki is tested with (remorses/kimaki,
 * discord-digital-twin).  What one
 * lacks another may have, so no code asks which server it is: it goes by the
 * answers.
 */
#ifndef ADAPTERS_DISCORD_INNER_H
#define ADAPTERS_DISCORD_INNER_H

#include "adapters/exchange.h"

enum {
    DISCORD_MARGIN_MS = 5000,   /* until all posts of a time are surely there */
    DISCORD_DISORDER_MS = 1000, /* ids are in order of time, give or take this:
                                   an id is made before its message can be
                                   read, a tenth of a second as a rule */
    DISCORD_PAGE = 100,         /* messages in one reply, at most */
    DISCORD_ARCHIVE_MINUTES = 4320, /* a thread is archived after three days */
};

/* Kinds of channels (D "Channel Types"). */
enum channel_type {
    CHANNEL_TEXT = 0,
    CHANNEL_DM = 1,
    CHANNEL_VOICE = 2,
    CHANNEL_GROUP_DM = 3,
    CHANNEL_CATEGORY = 4,
    CHANNEL_ANNOUNCEMENT = 5,
    THREAD_ANNOUNCEMENT = 10,
    THREAD_PUBLIC = 11,
    THREAD_PRIVATE = 12,
    CHANNEL_FORUM = 15,
    CHANNEL_MEDIA = 16,
};
bool type_is_thread(int64_t type);

/* Is the service Discord itself?  There a refusal means what the documentation
 * says; elsewhere the bot does without whatever it can. */
bool is_discord(const struct exchange *exchange);
bool discord_is_home(const struct service *service);

/* Error codes that are acted upon (D "JSON Error Codes"). */
enum discord_code {
    CODE_UNKNOWN_CHANNEL = 10003,
    CODE_UNKNOWN_MESSAGE = 10008,
    CODE_UNKNOWN_EMOJI = 10014,
    CODE_UNKNOWN_INTERACTION = 10062,
    CODE_UNAUTHORIZED = 40001,
    CODE_ACKNOWLEDGED = 40060,
    CODE_MISSING_ACCESS = 50001,
    CODE_TOKEN = 50014,
    CODE_FORM = 50035,
    CODE_ARCHIVED = 50083,
    CODE_WRONG_CHANNEL = 50024,
    CODE_THREAD_THERE = 160004,
};

/* ---- ids ----------------------------------------------------------------- */

/* Read a text of 1 to 20 digits and nothing else, a 64-bit number other than 0;
 * false: it is none. */
bool snowflake_read(const char *text, uint64_t *id);
void snowflake_write(uint64_t id, struct buf *text);
/* Read a member that is such a text or number. */
bool parse_snowflake(json_object *object, const char *key, uint64_t *id);
/* When a snowflake was made.  The first that can be made at a time. */
int64_t snowflake_time(uint64_t id);
uint64_t snowflake_at(int64_t time);

/* When a message was written: by its id, or on other servers by its stamp if
 * that differs. */
int64_t message_time(const struct exchange *exchange, json_object *message,
                     uint64_t id);

/* A place: "GUILD/CHANNEL", or "CHANNEL" for a DM, whose guild is 0.  A feed
 * has the name of its place. */
struct channel_id {
    uint64_t guild, channel;
};
bool channel_id_read(const char *place, struct channel_id *where);
void channel_id_write(struct channel_id where, struct buf *place);

/* Read the operation's place; false: it is none of this service's, and the
 * operation has failed. */
bool exchange_channel(struct exchange *exchange, struct channel_id *where);

/* ---- asking -------------------------------------------------------------- */

/* Start a request: the path follows the API's address, "/users/@me". */
void discord_ask(struct exchange *exchange, const char *method,
                 const char *path);
/* The same for a path below a channel: "/messages". */
void ask_channel(struct exchange *exchange, const char *method,
                 uint64_t channel, const char *path);
void ask_guild(struct exchange *exchange, const char *method, uint64_t guild,
               const char *path);
/* Append a slash and an id to the path. */
void ask_id(struct exchange *exchange, uint64_t id);

enum {
    /* Between two readings of a channel, or of a server's lists: hidden limits
     * (discord-api-docs, issue 8161). */
    READ_APART_MS = 1000,
};

/* Set the request's route: its kind, for a channel or guild, and how many ms
 * two of them are apart at least. */
void limit_by(struct exchange *exchange, const char *kind, uint64_t id,
              int64_t apart);

/* ---- replies ------------------------------------------------------------- */

/* The error code of a refusal; 0: no code, or no refusal. */
int64_t refusal_code(const struct exchange *exchange);

/* Does the service itself (no proxy) say that there is no such thing, or that
 * the bot may not?  Then the bot may do without it. */
bool is_unavailable(const struct exchange *exchange);

/* Does another server refuse something in the request, not its purpose?  Then a
 * simpler request may work. */
bool is_too_strict(const struct exchange *exchange);

/* Does another server fail at this each time, so that it must lack it?  Then it
 * is not worth trying again. */
bool is_unsupported(const struct exchange *exchange);

/* Fail because of the reply, and say what a person can do about it. */
enum advance discord_refused(struct exchange *exchange);

/* The same, but what another server must lack counts as denied, for trying
 * again is no use. */
enum advance discord_lacking(struct exchange *exchange);

/* Can there be more messages after a page of so many, if `asked` were asked
 * for? */
bool page_is_full(const struct exchange *exchange, size_t count, size_t asked);

/* Put an id into out->id. */
void give_id(struct exchange *exchange, uint64_t id);
/* Put the reply's own id into out->id; false: it has none. */
bool parse_own_id(struct exchange *exchange);

/* ---- what the bot may do in a channel ------------------------------------ */

enum {
    ROLES_MAX = 250 /* of a server (D "Guild", max) */
};

enum probe_step {
    PROBE_BEGIN,
    PROBE_MEMBER,  /* the bot's roles */
    PROBE_GUILD,   /* what its roles may */
    PROBE_ROLES,   /* the same, if the server keeps it separately */
    PROBE_CHANNEL, /* the overwrites there */
    PROBE_PARENT,  /* a thread has those of its channel */
};

/* A role that is not the bot's, and its permissions. */
struct other_role {
    uint64_t id, may;
};

/* Begins zeroed. */
struct probe {
    enum probe_step step;
    bool unknown; /* the service does not tell */
    bool owner, thread;
    bool forum; /* the channel's posts are threads */
    uint64_t roles[ROLES_MAX];
    size_t role_count;
    uint64_t may;
    uint64_t everybody; /* what everybody may */
    struct other_role others[ROLES_MAX];
    size_t other_count;
};

/* Take a step of the probe; the result is in out->rights and out->advice. */
enum advance probe_take(struct exchange *exchange, struct probe *probe,
                        struct channel_id where);
/* Append the names of the permissions that the bot lacks and needs to host. */
void probe_name_lacks(const struct probe *probe, struct buf *text);

/* ---- the operations ------------------------------------------------------ */

/* The service's time when a reply came; ours, if it does not tell. */
int64_t discord_date(const struct exchange *exchange);

/* Where the reading of a place begins at that time of the service's; `last`:
 * the message that was written there last (0: none), beyond which it does not
 * begin.  A DM in which nothing was written is read from its beginning. */
uint64_t discord_first(int64_t date, struct channel_id where, uint64_t last);

enum advance discord_who(struct exchange *exchange);
enum advance discord_place(struct exchange *exchange);
enum advance discord_probe(struct exchange *exchange);
enum advance discord_user(struct exchange *exchange);
enum advance discord_dm(struct exchange *exchange);
enum advance discord_open(struct exchange *exchange);
enum advance discord_read(struct exchange *exchange);
enum advance discord_updates(struct exchange *exchange);
extern const char *const discord_read_keys[]; /* at Discord from 1 on */
extern const char *const discord_updates_keys[];
enum advance discord_send(struct exchange *exchange);
enum advance discord_find(struct exchange *exchange);
enum advance discord_edit(struct exchange *exchange);
enum advance discord_react(struct exchange *exchange);
enum advance discord_delete(struct exchange *exchange);
enum advance discord_pin(struct exchange *exchange);
enum advance discord_bell(struct exchange *exchange);
enum advance discord_acknowledge(struct exchange *exchange);
enum advance discord_reply(struct exchange *exchange);
enum advance discord_suggest(struct exchange *exchange);
enum advance discord_commands(struct exchange *exchange);
enum advance discord_places(struct exchange *exchange);

/* Add the member `components` to a message. */
void ask_buttons(struct exchange *exchange, const struct buttons *buttons);

/* Read an interaction (D "Interaction Object") as a press, or as a slash
 * command that is given or typed; false: it is none of these, or a part of it
 * is missing. */
bool parse_press(json_object *interaction, struct page *page,
                 struct buf *secret);

enum {
    SLASH_BODY_MAX = 1024 /* bytes of a slash command with its option */
};
/* Append the body of a slash command (POST_PRESSED) from an interaction's data;
 * false: it is none, or too long. */
bool slash_body(json_object *data, struct buf *body);

/* Who wrote or pressed something: owned. */
char *copy_id(uint64_t id);

/* Set what its author is called, and their roles, by a user and a member (D
 * "Guild Member Object"; NULL: it was not told, or they are in a DM). */
void meet_author(struct post *post, json_object *user, json_object *member);

/* May a role delete other people's messages, or a member by the permissions
 * that come with an interaction? */
bool may_manage(json_object *object);

extern const struct doorbell discord_gateway;

#endif
