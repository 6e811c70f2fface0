#include "bot/tables/places/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

/* ---- what is configured -------------------------------------------------- */

static enum err
set_up(struct hosted_place *place, struct services *services,
       const struct secrets *secrets, struct buf *why)
{
    const struct place *conf = place->conf;
    place->service = services_take(services, secrets, conf->service);
    if (place->service == NULL) {
        return err_say(why, ERR_CONFIG,
                       "place \"%s\": no service is called \"%s\"", conf->name,
                       conf->service);
    }
    return strcmp(conf->settings.zone, "UTC") == 0
               ? ERR_NONE
               : zone_load(conf->settings.zone, &place->zone, why);
}

enum err
places_init(struct places *places, struct services *services,
            const struct conf *conf, const struct secrets *secrets,
            struct buf *why)
{
    enum err err = ERR_NONE;
    *places = (struct places){
        .list = must_alloc(((size_t)conf->place_count + 1) *
                           sizeof(struct hosted_place *)),
        .count = conf->place_count,
        .changed = true,
    };
    for (unsigned i = 0; i < places->count; i++) {
        struct hosted_place *place = must_alloc(sizeof *place);
        places->list[i] = place;
        place->conf = &conf->places[i];
        place->id = place->conf->name;
        place->number = i;
        for (unsigned which = 0; which < PLACE_IDS; which++) {
            place->ids[which] = must_copy("");
        }
        index_add(&places->by_name, index_key("", place->id), (uintptr_t)place);
        err = err == ERR_NONE ? set_up(place, services, secrets, why) : err;
    }
    return err;
}

void
places_release(struct places *places)
{
    for (unsigned i = 0; i < places->count; i++) {
        struct hosted_place *place = places->list[i];
        for (unsigned which = 0; which < PLACE_IDS; which++) {
            free(place->ids[which]);
        }
        if (place->zone != NULL) {
            zone_free(place->zone);
        }
        free(place->capabilities);
        free(place->roles);
        free(place);
    }
    free(places->list);
    index_release(&places->by_name);
    index_release(&places->by_id);
    memset(places, 0, sizeof *places);
}

struct hosted_place *
places_find(const struct places *places, const char *name)
{
    struct hosted_place *place = NULL;
    size_t at = 0;
    do {
        place = index_next_pointer(&places->by_name, index_key("", name), &at);
    } while (place != NULL && strcmp(place->id, name) != 0);
    return place;
}

struct service *
places_service(const struct places *places, const char *name)
{
    const struct hosted_place *place = places_find(places, name);
    return place == NULL ? NULL : place->service;
}

const struct capabilities *
places_capabilities(const struct hosted_place *place)
{
    return place->capabilities == NULL ? &place->service->adapter->capabilities
                                       : place->capabilities;
}

/* ---- where they are ------------------------------------------------------ */

/* One index for all kinds of ids. */
static uint64_t
key_of(enum place_id which, const char *id)
{
    static const char *const groups[PLACE_IDS] = {
        [PLACE_THREAD] = "thread",
        [PLACE_LAST_THREAD] = "last thread",
        [PLACE_MODERATORS] = "moderators",
        [PLACE_UNREADABLE] = "unreadable",
    };
    return index_key(groups[which], id);
}

struct hosted_place *
places_next_at(const struct places *places, const struct service *service,
               enum place_id which, const char *id, size_t *at)
{
    struct hosted_place *place = NULL;
    do {
        place = index_next_pointer(&places->by_id, key_of(which, id), at);
    } while (place != NULL &&
             (place->service != service || strcmp(place->ids[which], id) != 0));
    return place;
}

struct hosted_place *
places_at(const struct places *places, const struct service *service,
          enum place_id which, const char *id)
{
    struct hosted_place *first = NULL;
    struct hosted_place *place = NULL;
    size_t at = 0;
    while ((place = places_next_at(places, service, which, id, &at)) != NULL) {
        first = first == NULL || place->number < first->number ? place : first;
    }
    return first;
}

void
places_set_id(struct places *places, struct hosted_place *place,
              enum place_id which, const char *id)
{
    char **slot = &place->ids[which];
    if (strcmp(*slot, id) == 0) {
        return;
    }
    if ((*slot)[0] != '\0') {
        index_remove(&places->by_id, key_of(which, *slot), (uintptr_t)place);
    }
    must_replace(slot, id);
    if (id[0] != '\0') {
        index_add(&places->by_id, key_of(which, id), (uintptr_t)place);
    }
    places->changed = true;
}

void
places_found(struct places *places, struct hosted_place *place,
             const char *thread)
{
    places_set_id(places, place, PLACE_THREAD, thread);
    places_set_id(places, place, PLACE_UNREADABLE, "");
    place->keeps_astray = false;
    place->missing = false;
    places->changed = true;
}

void
places_miss(struct hosted_place *place)
{
    place->missing = true;
}

void
places_count_astray(struct places *places, struct hosted_place *place, int more)
{
    place->astray += (size_t)more;
    places->astray += (size_t)more;
    places->changed = places->changed || more != 0;
}

void
places_keep_astray(struct hosted_place *place)
{
    place->keeps_astray = true;
}

void
places_change(struct places *places)
{
    places->changed = true;
}

void
places_seen(struct places *places)
{
    places->changed = false;
}

/* ---- what posts may be there --------------------------------------------- */

/* Most places allow what their service allows everywhere. */
void
places_measure(struct hosted_place *place, const struct outcome *outcome)
{
    const struct capabilities *usual = &place->service->adapter->capabilities;
    struct capabilities own = *usual;
    if (outcome->longest != 0) {
        own.longest = outcome->longest;
    }
    if (outcome->shortest != 0) {
        own.shortest = outcome->shortest;
    }
    if (outcome->longest_private != 0) {
        own.longest_private = outcome->longest_private;
    }
    must_replace(&place->roles, buf_text(&outcome->roles));
    free(place->capabilities);
    place->capabilities = NULL;
    if (own.longest != usual->longest || own.shortest != usual->shortest ||
        own.longest_private != usual->longest_private) {
        place->capabilities = must_alloc(sizeof own);
        *place->capabilities = own;
    }
}

void
places_note_written(struct hosted_place *place, const char *post,
                    unsigned words)
{
    (void)snprintf(place->written, sizeof place->written, "%s", post);
    place->written_words = words;
}

unsigned
places_take_written(struct hosted_place *place, const char *post)
{
    bool same = strcmp(place->written, post) == 0;
    if (same) {
        place->written[0] = '\0';
    }
    return same ? place->written_words : 0;
}
