/*
 * A player's account at a forum, or at a server of Discord's kind: it knows
 * nothing of placard and speaks plain HTTP, like a browser or an app.
 *
 * A guest writes in the game's topic, answers in the DM with the host, and sees
 * the posts of the topic and its own DMs.  A request that fails fails the test,
 * except one that comes too soon, which is sent again later.
 */
#ifndef TESTS_LIVE_GUEST_H
#define TESTS_LIVE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/json.h"

enum {
    GUEST_POSTS_MAX = 1024,
    DMS_MAX = 8,
    SECRET_SIZE = 1024 /* of a token that is signed, with its NUL */
};

/* A post as an account sees it. */
struct guest_post {
    char id[32];
    bool dm, by_host;
    char *text; /* its text as shown, without marks; owned */
};

struct guest {
    const struct guest_kind *kind;
    const char *base;  /* of the service, borrowed */
    const char *topic; /* its number, or that of the channel */
    const char *host;  /* what the host is called there */
    char name[64], secret[SECRET_SIZE];
    char user[64];            /* its id */
    char host_id[64];         /* "": not known yet */
    char dms[DMS_MAX][32];    /* the last one is answered in */
    unsigned dm_count, pages; /* of the topic, that were read */
    struct buf headers; /* of each request, as lines: what identifies it */
    char cookies[512];
    uint64_t first; /* older DMs are not looked at */
    struct guest_post *posts;
    size_t count;
    size_t taken;   /* the caller's: how many of them it has looked at */
    unsigned asked; /* requests */
};

struct guest_kind {
    const char *name; /* the adapter's */
    /* How a word is written in bold, and how a player is named. */
    const char *bold, *named;
    bool names_host; /* the configuration has its account */
    bool told_soon;  /* the host notices an edit within minutes */
    void (*enter)(struct guest *guest); /* learns its id, sets its headers */
    /* Post in the topic; its id is written to `id` (32 bytes, or NULL). */
    void (*say)(struct guest *guest, const char *text, char *id);
    void (*answer)(struct guest *guest, const char *text);
    void (*alter)(struct guest *guest, const char *id, const char *text);
    /* Read what is new in the topic; in private. */
    void (*look)(struct guest *guest);
    void (*look_private)(struct guest *guest);
};

extern const struct guest_kind guest_discourse, guest_nodebb, guest_phpbb,
    guest_discord;

/* Log in; release it when done. */
void guest_enter(struct guest *guest, const struct guest_kind *kind);
void guest_release(struct guest *guest);

/* See a post, as a dialect shows it, unless it was seen before. */
void guest_see(struct guest *guest, const char *id, bool dm, bool by_host,
               const char *body, size_t len, const char *dialect);
bool guest_has_seen(const struct guest *guest, const char *id, bool dm);

/* Is it the name of that user, in upper or lower case? */
bool guest_is(const char *name, const char *other);

/* Remember a DM. */
void guest_add_dm(struct guest *guest, const char *id);

/* What a request was answered with. */
struct response {
    long status;
    struct buf body, location;
};
void response_release(struct response *response);

/* Ask, with a body (NULL: none) of that media type.  Cookies are kept.  Waits
 * and asks again where the service says so. */
void guest_ask(struct guest *guest, const char *method, const char *path,
               const char *type, const struct buf *body,
               struct response *response);

/* The same, answered with JSON, which is yours to put; anything else fails the
 * test. */
json_object *guest_ask_json(struct guest *guest, const char *method,
                            const char *path, const struct buf *body);

/* Ask so with {KEY: TEXT}; NULL: with nothing. */
json_object *guest_send_json(struct guest *guest, const char *method,
                             const char *path, const char *key,
                             const char *text);

/* For services where a user's id is the name in lower case. */
void guest_enter_lower(struct guest *guest);

/* Wait so many ms of the tests' clock. */
void guest_wait(int64_t time);

#endif
