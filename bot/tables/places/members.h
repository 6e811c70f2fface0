/*
 * Members of services where the id of a user is a name, which people may
 * change: Discourse and NodeBB (struct post.member).
 *
 * The host knows people by ids that are for good.  There, that is the name
 * under which it met a member first; the name that they have now stands beside
 * it, by their number.  So all that the host has of somebody stays theirs,
 * and whoever takes a name that was another's is somebody else.
 *
 * Where ids are for good, only the names of moderators are kept, as they were
 * when they last wrote or pressed; and who was met at a place that moderates
 * there by a role, until they are met without it.
 *
 * Where a post does not bring what its author is called in its place, the
 * doorbell has told it (POST_AUTHOR), and is heard first.
 *
 * Names are exchanged for ids as posts come in, and ids for names as messages
 * go out; nothing in between knows of names.
 */
#ifndef BOT_TABLES_PLACES_MEMBERS_H
#define BOT_TABLES_PLACES_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/index.h"
#include "bot/store/store.h"
#include "bot/tables/places/places.h"

enum {
    HEARD_MAX = 256 /* authors of posts; of two in one slot the older goes */
};

/* What the author of a post is called. */
struct heard {
    uint64_t post; /* by index_key */
    char name[ADAPTER_ID_MAX + 1];
};

struct members {
    struct store *store; /* borrowed, as is what follows */
    const struct services *services;
    const struct places *places;
    void *context;
    /* A moderator of a place is known by another id than was configured. */
    void (*name_moderator)(void *context, struct hosted_place *place,
                           unsigned which, const char *user);
    struct member **list; /* owned */
    size_t count;
    struct index by[3];            /* their numbers, ids, names */
    struct heard heard[HEARD_MAX]; /* each where the post's key is */
};

/* Load those of all services from the open store. */
void members_load(struct members *members);
void members_release(struct members *members); /* also of zeroed ones */

/* It was told what the author of a post is called. */
void members_hear(struct members *members, const struct service *service,
                  const struct post *post);

/* Somebody was met at a place: they moderate there by a role, or don't. */
void members_moderate(struct members *members, struct hosted_place *place,
                      const struct post *post, bool moderates);

/* Note who has written a post, and put the id in the place of the name.  The
 * page MUST NOT own it: what it is then belongs to the members. */
void members_meet(struct members *members, const struct service *service,
                  struct post *post);

/* Note what somebody is called now, if they were met. */
void members_call(struct members *members, const struct service *service,
                  int64_t number, const char *name);

/* The id of the member who has that name now; NULL: it is the name itself, as
 * far as is known. */
const char *members_user(const struct members *members,
                         const struct service *service, const char *name);

/* The name that a user has now, "" if it is not known; NULL: it is the id
 * itself. */
const char *members_name(const struct members *members,
                         const struct service *service, const char *user);

/* The number of a user; 0: it is not known. */
int64_t members_number(const struct members *members,
                       const struct service *service, const char *user);

/* Let what somebody has typed mention ids, not names. */
void members_read_mentions(const struct members *members,
                           const struct service *service, struct rich *rich);

#endif
