/*
 * NodeBB: what the account may do in a topic, in chats, and in the topic's
 * category; and how long posts may be.
 *
 * Whether it may write to people is in no setting that it can read: that takes
 * a privilege (Chat), reputation (min:rep:chat), and that it is not muted.  So
 * the profiles of some who have posted in the topic are asked for, which say
 * whether one can chat with them.
 */
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

enum {
    PEOPLE_MAX = 3, /* asked whether they can be written to */
    SLUG_MAX = 127, /* bytes of their names in addresses */
};

/* Facts. */
enum {
    MODERATES = 1 << 0,
    LOCKED = 1 << 1,
    REPLIES = 1 << 2,
    BANNED = 1 << 3,
    MUTED = 1 << 4,
    OPENS = 1 << 5
};

struct probe {
    struct forum_probing probing;
    unsigned count, next;
    char people[PEOPLE_MAX][SLUG_MAX + 1];
};

static struct probe *
probe_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct probe));
}

/* ---- rows ---------------------------------------------------------------- */

static const struct forum_check in_topic[] = {
    {.gives = RIGHT_READ | RIGHT_DM},
    {.path = "privileges.isAdminOrMod",
     .notes = MODERATES,
     .gives = RIGHT_DELETE},
    {.path = "locked",
     .unless = MODERATES,
     .notes = LOCKED,
     .advice = "The topic is locked: unlock it (Topic Tools → Unlock Topic)."},
    {.path = "privileges.topics:reply",
     .unless = LOCKED,
     .notes = REPLIES,
     .gives = RIGHT_POST},
    {.path = "privileges.posts:edit", .when = REPLIES, .gives = RIGHT_EDIT},
    {.unless = LOCKED | REPLIES,
     .advice = "Let {account} reply in the topic's category (Admin → Manage → "
               "Privileges: Post Replies, Edit Posts)."},
    {.when = MODERATES,
     .limits =
         "No pause between two posts, no queue, and edits at any time: it "
         "is a moderator."},
    {.unless = MODERATES,
     .limits = "10 seconds between two posts at first, 120 for an account with "
               "less than 3 reputation, which can edit its posts for an hour "
               "only (Admin → Settings → Posts: Posting Restrictions, New User "
               "Restrictions).",
     .advice = "Make {account} a moderator of the category (Admin → Manage → "
               "Privileges): then no queue holds its posts back, it may post "
               "without a pause between, edit them at any time, and delete "
               "posts."},
    {0}};

static const struct forum_check in_config[] = {
    {.path = "maximumPostLength",
     .under = 501, /* nothing can be hosted with */
     .takes = RIGHT_POST,
     .advice = "The forum takes no post of more than {number} characters, "
               "which is too short to host in: raise that (Admin → Settings → "
               "Posts: Maximum Post Length is 32767 at first)."},
    {.path = "minimumPostLength",
     .over = 7, /* "**Ja!**" */
     .otherwise = NODEBB_SHORTEST,
     .advice = "The forum takes no post of less than {number} characters, so "
               "no bare vote: lower that to 5 (Admin → Settings → Posts: "
               "Minimum Post Length), or have players write a few words with "
               "their votes."},
    {.path = "maximumChatMessageLength", .under = 201, .takes = RIGHT_DM},
    {.path = "maximumChatMessageLength",
     .under = NODEBB_CHAT_MAX,
     .advice = "The forum takes no chat message of more than {number} "
               "characters: raise that to 1000 (Admin → Settings → Chat: "
               "Maximum length of chat messages)."},
    {.path = "disableChat",
     .takes = RIGHT_DM,
     .advice = "Chats are off, so nobody can be told a role: turn them on "
               "(Admin → Settings → Chat: Disable chat)."},
    {.path = "postQueue",
     .unless = MODERATES,
     .limits = "The post queue is on: posts of an account with less than 1 "
               "reputation wait for a moderator, each of them, unless it is in "
               "a group that is exempt (Admin → Settings → Posts: Post "
               "Queue)."},
    {0}};

static const struct forum_check in_self[] = {
    {.path = "banned",
     .notes = BANNED,
     .takes = RIGHT_POST | RIGHT_DM,
     .advice = "{account} is banned: lift that (its profile)."},
    {.path = "muted",
     .unless = BANNED,
     .notes = MUTED,
     .takes = RIGHT_DM,
     .advice = "{account} is muted, so it can send no private messages: lift "
               "that (its profile → Unmute)."},
    {.when = MUTED, .unless = MODERATES, .takes = RIGHT_POST},
    {0}};

static const struct forum_check in_chats[] = {
    {.when = FORUM_UNTOLD,
     .takes = RIGHT_DM,
     .advice = "Let {account} write private messages, or nobody can be told a "
               "role (Admin → Manage → Privileges → Global: Chat)."},
    {0}};

static const struct forum_check in_category[] = {
    {.path = "privileges.topics:create", .notes = OPENS, .gives = RIGHT_OPEN},
    {.unless = OPENS,
     .advice =
         "Let {account} open topics in the category, if games are to have "
         "topics of their own (Admin → Manage → Privileges: Create "
         "Topics)."},
    {0}};

/* ---- the topic, and lengths ---------------------------------------------- */

/* Remember who has posted in the topic, but the account itself. */
static void
note_person(const struct exchange *exchange, struct probe *probe,
            const struct forum_item *post)
{
    const char *slug = post->slug;
    bool known = slug == NULL || strlen(slug) > SLUG_MAX ||
                 forum_is_self(exchange, post->member, slug) ||
                 probe->count == PEOPLE_MAX;

    for (unsigned i = 0; i < probe->count && !known; i++) {
        known = strcmp(probe->people[i], slug) == 0;
    }
    if (!known) {
        memcpy(probe->people[probe->count++], slug, strlen(slug) + 1);
    }
}

static enum advance
note_people(struct exchange *exchange)
{
    struct forum_item post;
    int64_t pages;
    json_object *posts = forum_posts(exchange, &pages);

    for (size_t i = 0;
         forum_read_nth(&forum_nodebb.shape.post, posts, i, &post); i++) {
        note_person(exchange, probe_of(exchange), &post);
    }
    return posts != NULL ? ADVANCE_DONE : forum_refused(exchange);
}

/* A length that posts can have, less that of the mark; 0: it says none. */
static size_t
read_length(const struct exchange *exchange, const char *path, int64_t less,
            int64_t most)
{
    int64_t length = 0;

    (void)forum_number(exchange->value, path, &length);
    return length > less && length < most ? (size_t)(length - less) : 0;
}

static enum advance
take_lengths(struct exchange *exchange)
{
    struct outcome *out = exchange->out;

    out->shortest = read_length(exchange, "minimumPostLength", 0, 1000);
    out->longest =
        read_length(exchange, "maximumPostLength", NODEBB_MARK_MAX, POST_MAX);
    out->longest_private = read_length(exchange, "maximumChatMessageLength",
                                       NODEBB_MARK_MAX, POST_MAX);
    return ADVANCE_DONE;
}

/* ---- people -------------------------------------------------------------- */

static forum_step parse_person;

/* ADVANCE_DONE: there is nobody to ask for. */
static enum advance
ask_person(struct exchange *exchange)
{
    struct probe *probe = probe_of(exchange);

    return probe->next == probe->count ||
                   (exchange->out->rights & RIGHT_DM) == 0
               ? ADVANCE_DONE
               : forum_ask_for(exchange, &forum_nodebb.ask.users[0],
                               (struct forum_values){
                                   .user = probe->people[probe->next++]},
                               parse_person);
}

/* One to whom it can write will do: some take no chats, or not from it. */
static enum advance
parse_person(struct exchange *exchange)
{
    const struct probe *probe = probe_of(exchange);
    int status = exchange->reply->status;

    if (!is_success(exchange) && status != 403 && status != 404) {
        return forum_refused(exchange);
    }
    if (is_success(exchange) && forum_flag(exchange->value, "canChat")) {
        return forum_probe_next(exchange);
    }
    if (probe->next == probe->count) {
        exchange->out->rights &= ~(unsigned)RIGHT_DM;
        buf_addf(&exchange->out->advice,
                 "%s can't write to %s in private: a privilege is missing "
                 "(Admin → Manage → Privileges → Global: Chat), or reputation "
                 "(Admin → Settings → Reputation: to send chat messages), or "
                 "they take chats only from people they follow; a moderator "
                 "needs none of these but the privilege.\n",
                 exchange->service->self, probe->people[0]);
    }
    enum advance advance = ask_person(exchange);

    return advance == ADVANCE_DONE ? forum_probe_next(exchange) : advance;
}

/* ---- stages -------------------------------------------------------------- */

/* The category may be one that the account may not see. */
const struct forum_stage nodebb_stages[] = {
    {.ask = FORUM_GET("/api/topic/{topic}?page=1&sort=oldest_to_newest"),
     .path = "privileges",
     .rows = in_topic,
     .take = note_people},
    {.ask = FORUM_GET("/api/config"),
     .path = "",
     .rows = in_config,
     .take = take_lengths},
    {.ask = FORUM_GET("/api/self"), .path = "", .rows = in_self},
    {.ask = FORUM_GET("/api/v3/chats"),
     .path = "response.rooms",
     .untold = {403},
     .rows = in_chats},
    {.path = "", .take = ask_person},
    {.ask = FORUM_GET("/api/category/{number}"),
     .path = "",
     .untold = {403, 404},
     .rows = in_category},
    {.path = NULL},
};
