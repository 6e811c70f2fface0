/*
 * The places: what is configured of each, and what the host knows of it: where
 * it is at its service, what posts may be there, which of its games went
 * astray.
 *
 * Only bot/tables/places/places.c writes a place.  There may be thousands, so
 * they are found by indices.
 */
#ifndef BOT_TABLES_PLACES_PLACES_H
#define BOT_TABLES_PLACES_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/adapter.h"
#include "bot/base/index.h"
#include "bot/base/zone.h"
#include "bot/store/store.h"
#include "bot/tables/places/services.h"
#include "config/config.h"

/* Where a place is, and what else is found by its id. */
enum place_id {
    PLACE_THREAD,      /* the place's */
    PLACE_LAST_THREAD, /* of the newest game */
    PLACE_MODERATORS,  /* where its moderators talk */
    PLACE_UNREADABLE,  /* where its address leads, if nothing can be read there
                        */
    PLACE_IDS,
};

struct hosted_place {
    const char *id;     /* by which the store and the log name it: that in the
                           configuration.  Borrowed */
    unsigned number;    /* how many were there before it */
    struct place *conf; /* borrowed; what its moderators are called now, and
                           which words are shown as others, is noted there */
    struct service *service;
    struct zone *zone; /* owned; NULL: UTC */
    /* Those that hold there.  Owned; NULL: the adapter's. */
    struct capabilities *capabilities;
    char *roles; /* that moderate (struct outcome).  Owned; NULL: not known */
    char *ids[PLACE_IDS]; /* owned; "": not known, or there is none */
    size_t astray;        /* how many of its tables are */
    bool keeps_astray;    /* they stay in their threads, which are still open */
    bool missing; /* it was looked for in vain, and was not found since */
    /* The last post with needed words that was sent there and not read yet ("":
     * none), and a bit for each of them (bot/tables/delivery/delivery.c). */
    char written[ADAPTER_ID_MAX + 1];
    unsigned written_words;
};

struct places {
    struct hosted_place **list; /* owned; as in the configuration */
    unsigned count;
    struct index by_name, by_id;
    size_t astray; /* the sum of those of all places */
    bool changed;  /* what is known of one, or may be asked about it: the loop
                      is to look at all of them */
};

/* Take up the places of a configuration, and their services.  On an error they
 * are to be released all the same. */
enum err places_init(struct places *places, struct services *services,
                     const struct conf *conf, const struct secrets *secrets,
                     struct buf *why) MUST_USE;
void places_release(struct places *places); /* also of zeroed ones */

/* The place of that name, and its service; NULL: there is none. */
struct hosted_place *places_find(const struct places *places, const char *name);
struct service *places_service(const struct places *places, const char *name);

/* The next place of a service with that id; NULL: no more.  In any order; *at
 * is 0 for the first.  None may be set meanwhile. */
struct hosted_place *places_next_at(const struct places *places,
                                    const struct service *service,
                                    enum place_id which, const char *id,
                                    size_t *at);

/* The first in the configuration, or NULL. */
struct hosted_place *places_at(const struct places *places,
                               const struct service *service,
                               enum place_id which, const char *id);

/* The capabilities that hold at a place. */
const struct capabilities *places_capabilities(
    const struct hosted_place *place);

/* ---- what is learned of them --------------------------------------------- */

/* "": not known, or there is none. */
void places_set_id(struct places *places, struct hosted_place *place,
                   enum place_id which, const char *id);

/* It was found there; or was looked for in vain. */
void places_found(struct places *places, struct hosted_place *place,
                  const char *thread);
void places_miss(struct hosted_place *place);

/* It was probed: from now on posts there are as long as it allows, and it is
 * known which roles moderate. */
void places_measure(struct hosted_place *place, const struct outcome *outcome);

/* So many more of its tables, or fewer, are astray; or they stay there. */
void places_count_astray(struct places *places, struct hosted_place *place,
                         int more);
void places_keep_astray(struct hosted_place *place);

/* The loop is to look at all of them; or it has. */
void places_change(struct places *places);
void places_seen(struct places *places);

/* A post with such words was sent there.  And: it was read, and is the last of
 * them; 0: it is not. */
void places_note_written(struct hosted_place *place, const char *post,
                         unsigned words);
unsigned places_take_written(struct hosted_place *place, const char *post);

#endif
