/*
 * A service of the tests' own, at which a service game
 * (tests/support/service_game.h) is played.  What people type there is part of
 * it, for each service has its own mark-up.
 */
#ifndef TESTS_FAKE_SERVICE_H
#define TESTS_FAKE_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "adapters/adapter.h"

/* A post or message that lies there.  Borrowed until something is written. */
struct shown_post {
    uint64_t id;
    uint64_t topic;     /* where it stands; in private it has no meaning */
    const char *author; /* a name; "": the host */
    const char *dm;     /* in whose DM; "": in public */
    const char *text;   /* as it was written */
    char key[64];       /* of the host's: each was sent for another message */
};

enum loss {
    LOSS_EITHER,
    LOSS_WHOLE,
    LOSS_BEGUN,
};

struct fake_service {
    const char *adapter, *base;
    const char *account; /* its part of the service's configuration */
    const char *secret;  /* token, or password */
    const char *address; /* of the place */
    uint64_t topic;      /* the same, as a number */
    /* A reply that is lost: before its first byte, or in the middle.  What was
     * lost whole on a connection that was used before, libcurl repeats by
     * itself where it is let (adapters/http/http.h). */
    enum loss losses;

    void *(*open)(void);
    void (*close)(void *server);
    /* Answer a request; `reply` points into `body`, or to memory of the
     * service that lasts until the next request. */
    void (*serve)(void *server, int64_t now, const struct request *request,
                  struct buf *body, struct reply *reply);

    /* Append the id of a user. */
    void (*user)(void *server, const char *name, struct buf *id);
    /* A user writes, in a topic or (0) in private. */
    uint64_t (*post)(void *server, const char *user, uint64_t topic,
                     const char *text, int64_t now);
    void (*change)(void *server, uint64_t id, const char *text, bool marked,
                   int64_t now);
    /* Append a post's address, as people copy it. */
    void (*link)(void *server, uint64_t id, struct buf *link);
    void (*remove)(void *server, uint64_t id);
    /* A moderator moves a post into another topic.  NULL: there is none. */
    void (*move)(void *server, uint64_t id, uint64_t topic);
    /* Post in a topic what is nobody's vote, for it is by no player. */
    void (*intrude)(void *server, uint64_t topic, int64_t now);
    /* What was written as the nth; false: nothing. */
    bool (*look)(void *server, size_t at, struct shown_post *shown);
    /* Has the host marked a post as counted?  NULL: there are no such marks. */
    bool (*counted)(void *server, uint64_t id);
    /* The next so many requests are refused, in all the ways there are. */
    void (*storm)(void *server, unsigned requests);
    /* Is something sent to a DM?  NULL: the route tells. */
    bool (*is_private)(void *server, const char *target, const char *body);
    /* From now on its topics say that the host may not post, or no more; MAY
     * be NULL. */
    void (*shut)(void *server, bool shut);
    /* MAY be NULL: does a request that came at a time wait for something new?
     */
    bool (*holds)(void *server, int64_t now, const char *url, int64_t begun);
    /* MAY be NULL: something is so there that was not expected: check it. */
    void (*end)(void *server, bool killed);

    /* What people type: {word} stands for the vote or the command, {name} and
     * {id} for a player.  A vote, with NULL behind the last; the same that
     * counts nothing; a name; a line that is to stand alone in bold; a command;
     * an answer in private. */
    const char *const *votes, *const *idle, *const *names;
    const char *word, *command, *answer;
};

/* The key of a post that ends in its mark (adapters/forum/forum.h). */
static inline void
shown_post_set_key(struct shown_post *shown, const char *text)
{
    const char *mark = strrchr(text, '#');
    size_t len = mark == NULL ? 0
                              : strspn(mark + 1, "0123456789abcdefghijklmnopqr"
                                                 "stuvwxyz._");

    shown->key[0] = '\0';
    if (len > 0 && len < sizeof(shown->key)) {
        memcpy(shown->key, mark + 1, len);
        shown->key[len] = '\0';
    }
}

extern const struct fake_service fake_service_discord;
/* A server of another make, with the same API. */
extern const struct fake_service fake_service_discord_alike;
/* One that makes threads in another way, and one that has nearly nothing. */
extern const struct fake_service fake_service_discord_other;
extern const struct fake_service fake_service_discord_bare;
extern const struct fake_service fake_service_discourse;
extern const struct fake_service fake_service_matrix;
extern const struct fake_service fake_service_nodebb;
extern const struct fake_service fake_service_phpbb;
/* A board at which the host is no moderator. */
extern const struct fake_service fake_service_phpbb_slow;

#endif
