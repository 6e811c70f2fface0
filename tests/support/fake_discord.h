/*
 * A Discord in memory, strict, with what the adapter uses: one server (guild)
 * with a channel for games, a forum, threads and DMs.  It answers as Discord's
 * documentation says or, if its habits say so, as other servers of the same API
 * do, at another address (adapters/discord/ names them beside what it does
 * about them).  What no bot may do (a post that does not say whom it pings, a
 * wrong User-Agent, a private text in a channel) fails the test.
 */
#ifndef TESTS_FAKE_DISCORD_H
#define TESTS_FAKE_DISCORD_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "adapters/adapter.h"

#define GUILD_BASE        "https://discord.com"
#define GUILD_OTHER       "https://chat.test"
#define GUILD_TOKEN       "MTA.canary-T0ken.of-the-bot"
#define GUILD_ID          "500000000000000001"
#define GUILD_CHANNEL     "500000000000000002"
#define GUILD_FORUM       "500000000000000003"
#define GUILD_PLACE       GUILD_ID "/" GUILD_CHANNEL
#define GUILD_BOT         "400000000000000001"
#define GUILD_APPLICATION "400000000000000009"
#define GUILD_START       INT64_C(1795276800000)

/* How it differs from Discord as it is set up for most bots. */
struct fake_discord_habits {
    bool intent_off;   /* the message content intent */
    bool limits;       /* rate limits, told and hidden */
    bool ascending;    /* pages have the oldest first */
    bool spacebar;     /* refusals are as Spacebar was seen to write them */
    bool nulls;        /* what is not there is null, or not said at all */
    bool no_nonce;     /* a nonce is not looked at */
    bool no_lists;     /* no threads/active, no applications, no members */
    bool no_described; /* no pictures with a description */
    bool old_pins;     /* pins under their old address alone */
    bool newest_after; /* of what is behind a message, the newest come first */
    bool strict;       /* members of a request that are newer are refused */
    bool bare; /* no threads, pins or reactions at all: there stands a page */
    bool many_threads; /* a message may have any number, of ids of their own */
    bool no_files;     /* a post with a file breaks it */
    bool no_giving;    /* the bot may not give roles */
    bool no_roles;     /* a guild and a member come without them */
    bool timeless;     /* no time in headers, no last message of a channel */
    bool counted;      /* ids are counted, not made of the time */
    bool unheld;       /* replies are not held against the recorded ones: that
                          takes longer than all else */
    uint64_t may;      /* the bot's permissions */
    uint64_t denied;   /* of them, in the channel */
    uint64_t players_may; /* what everybody may */
};

struct fake_discord_message {
    uint64_t id, channel;
    const char *author; /* a name; "": the bot */
    char *content;
    int64_t stamp;
    int64_t edited; /* 0: never */
    bool deleted, webhook, bot, forward, pinned, picture, silent;
    int type;
    uint64_t reply_to;
    char nonce[32];
    char *pings;      /* ids, each with a blank behind it */
    char *components; /* as JSON; NULL: none */
    bool had_buttons;
    char reactions[64];
};

struct fake_discord;

struct fake_discord *fake_discord_new(void);
void fake_discord_free(struct fake_discord *fake_discord);
struct fake_discord_habits *fake_discord_habits(
    struct fake_discord *fake_discord);

/* Another server, with a channel for games. */
struct fake_discord_guild {
    char id[24], channel[24];
};
void fake_discord_add_guild(struct fake_discord *fake_discord,
                            struct fake_discord_guild *added);

/* Tell of each message that the bot writes, reacts to, or is shown on a page.
 */
enum fake_discord_act {
    FAKE_DISCORD_WROTE,
    FAKE_DISCORD_REACTED,
    FAKE_DISCORD_READ,
};
typedef void fake_discord_watch(void *watcher,
                                const struct fake_discord_message *message,
                                enum fake_discord_act act, int64_t now);
void fake_discord_tell(struct fake_discord *fake_discord,
                       fake_discord_watch *watch, void *watcher);

/* Answer a request of the bot at a time; what `reply` points to is in `body`,
 * or belongs to the fake until the next one. */
void fake_discord_serve(struct fake_discord *fake_discord, int64_t now,
                        const struct request *request, struct buf *body,
                        struct reply *reply);

/* A request that somebody else may answer: what is in its path behind /api/v10,
 * its body (NULL: none), and the answer. */
struct fake_discord_call {
    const char *method;
    const char *parts[8]; /* "": no more */
    json_object *body;
    bool authorized;
    int64_t now;
    int status;
    const char *query;   /* "&key=value…" */
    json_object *answer; /* an object, to be filled */
    json_object *list;   /* instead of it: owned by the call; NULL: none */
};
/* Let that answer what it likes; false: not this. */
typedef bool fake_discord_extension(void *context,
                                    struct fake_discord_call *call);
void fake_discord_extend(struct fake_discord *fake_discord,
                         fake_discord_extension *extension, void *context);

/* The next so many requests are refused with 429, in all the ways there are,
 * whatever the limits are. */
void fake_discord_storm(struct fake_discord *fake_discord, unsigned requests);

/* How many requests exceeded a limit: each is a fault of the bot. */
unsigned fake_discord_beyond(const struct fake_discord *fake_discord);
unsigned fake_discord_requests(const struct fake_discord *fake_discord);

/* A user ("Anna") posts, in a channel or (0) in the DM that the bot
 * has opened with them.  Borrowed until the next is posted. */
struct fake_discord_message *fake_discord_post(
    struct fake_discord *fake_discord, const char *user, uint64_t channel,
    const char *text, int64_t now);
void fake_discord_edit(struct fake_discord *fake_discord, uint64_t id,
                       const char *text, int64_t now);

/* A user is shown by another name from now on, in all that they have written.
 */
void fake_discord_rename(struct fake_discord *fake_discord, const char *user,
                         const char *shown);

/* Roles called Mods, which may manage messages (1 << 13), Alive, Dead and
 * Spectators. */
#define GUILD_MODS     "600000000000000003"
#define GUILD_ALIVE    "600000000000000004"
#define GUILD_DEAD     "600000000000000005"
#define GUILD_WATCHING "600000000000000006"

/* A user has a nickname in the server ("": none), and roles, whose ids have
 * commas between them, from now on. */
void fake_discord_enrol(struct fake_discord *fake_discord, const char *user,
                        const char *nick, const char *roles);

/* The roles that a user has, likewise; borrowed until they change. */
const char *fake_discord_roles(struct fake_discord *fake_discord,
                               const char *user);

/* Append what of a member tells that, as JSON. */
void fake_discord_member(struct fake_discord *fake_discord, const char *user,
                         struct buf *out);

/* A user takes no DMs any more, or takes them again. */
void fake_discord_close(struct fake_discord *fake_discord, const char *user,
                        bool closed);

/* A user leaves the server, or comes back to it. */
void fake_discord_leave(struct fake_discord *fake_discord, const char *user,
                        bool gone);

/* A thread of the channel, put away or locked. */
uint64_t fake_discord_thread(struct fake_discord *fake_discord,
                             const char *name, int64_t now);
void fake_discord_archive(struct fake_discord *fake_discord, uint64_t thread,
                          bool archived, bool locked);

/* A channel or thread is deleted: the lists of the server have it no more. What
 * is asked of itself is answered as before. */
void fake_discord_delete(struct fake_discord *fake_discord, uint64_t channel);

/* A user's id; who has an id; whose DM a channel is ("": it is
 * none). */
const char *fake_discord_user(struct fake_discord *fake_discord,
                              const char *name);
const char *fake_discord_name(const struct fake_discord *fake_discord,
                              const char *id);
const char *fake_discord_dm(const struct fake_discord *fake_discord,
                            uint64_t channel);

/* The id of the guild that has a channel; is the channel a thread? */
const char *fake_discord_guild_of(const struct fake_discord *fake_discord,
                                  uint64_t channel);
bool fake_discord_is_thread(const struct fake_discord *fake_discord,
                            uint64_t channel);

/* What was posted, in order; the number of channels of a kind; whether a thread
 * was put away. */
size_t fake_discord_count(const struct fake_discord *fake_discord);
/* Append a message as it is read; as the gateway tells of it. */
void fake_discord_show(struct fake_discord *fake_discord,
                       const struct fake_discord_message *message,
                       struct buf *out);
void fake_discord_announce(struct fake_discord *fake_discord,
                           const struct fake_discord_message *message,
                           struct buf *out);

/* A message by its id; NULL: there is none. */
struct fake_discord_message *fake_discord_find(
    const struct fake_discord *fake_discord, uint64_t id);
struct fake_discord_message *fake_discord_at(
    const struct fake_discord *fake_discord, size_t at);
unsigned fake_discord_channels(const struct fake_discord *fake_discord,
                               int type);
bool fake_discord_archived(const struct fake_discord *fake_discord,
                           uint64_t thread);

#endif
