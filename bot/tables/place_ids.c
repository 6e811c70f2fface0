#include "bot/tables/place_ids.h"

#include <stdlib.h>
#include <string.h>

static char **
slot_of(const struct tables *tables, unsigned number, enum place_id which)
{
    return &tables->places[number].ids[which];
}

/* One index for all kinds of ids. */
static uint64_t
key_of(enum place_id which, const char *id)
{
    static const char *const groups[PLACE_IDS] = {
        [PLACE_THREAD] = "thread",         [PLACE_LAST_THREAD] = "last thread",
        [PLACE_MODERATORS] = "moderators", [PLACE_LEFT] = "left",
        [PLACE_UNREADABLE] = "unreadable", [PLACE_ENTERED] = "entered",
    };
    return index_key(groups[which], id);
}

void
place_ids_init(struct tables *tables)
{
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        for (unsigned which = 0; which < PLACE_IDS; which++) {
            tables->places[i].ids[which] = must_copy("");
        }
    }
}

void
place_ids_release(struct tables *tables)
{
    for (unsigned i = 0;
         tables->places != NULL && i < tables->conf->place_count; i++) {
        for (unsigned which = 0; which < PLACE_IDS; which++) {
            free(tables->places[i].ids[which]);
        }
    }
    index_release(&tables->places_by_id);
}

const char *
place_id(const struct tables *tables, unsigned number, enum place_id which)
{
    return *slot_of(tables, number, which);
}

void
place_id_set(struct tables *tables, unsigned number, enum place_id which,
             const char *id)
{
    char **slot = slot_of(tables, number, which);
    uintptr_t value = (uintptr_t)number + 1;
    if ((*slot)[0] != '\0') {
        index_remove(&tables->places_by_id, key_of(which, *slot), value);
    }
    must_replace(slot, id);
    if (id[0] != '\0') {
        index_add(&tables->places_by_id, key_of(which, *slot), value);
    }
}

unsigned
place_ids_next(const struct tables *tables, const struct service *service,
               enum place_id which, const char *id, size_t *at)
{
    uint64_t key = key_of(which, id);
    size_t number = index_next(&tables->places_by_id, key, at);
    while (number != 0 &&
           (tables->places[number - 1].service != service ||
            strcmp(tables->places[number - 1].ids[which], id) != 0)) {
        number = index_next(&tables->places_by_id, key, at);
    }
    return number == 0 ? NO_PLACE : (unsigned)(number - 1);
}

const struct place *
place_ids_find(const struct tables *tables, const struct service *service,
               enum place_id which, const char *id)
{
    unsigned first = NO_PLACE;
    unsigned number = NO_PLACE;
    size_t at = 0;
    while ((number = place_ids_next(tables, service, which, id, &at)) !=
           NO_PLACE) {
        first = number < first ? number : first;
    }
    return first == NO_PLACE ? NULL : &tables->conf->places[first];
}
