#include "bot/loop/loop.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"

double
loop_chance(struct loop *loop)
{
    loop->chance = loop->chance * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407) + (uint64_t)loop->now;
    return (double)(loop->chance >> 33) / (double)(UINT64_C(1) << 31);
}

/* ---- services ------------------------------------------------------------ */

struct asking *
loop_asking(struct loop *loop, const struct service *service)
{
    return &loop->services[service - loop->desk->services];
}

bool
loop_is_open(const struct loop *loop, const struct service *service)
{
    return loop->services[service - loop->desk->services].done;
}

enum err
loop_take_notes(struct loop *loop, const struct service *service,
                const struct outcome *outcome, struct buf *why)
{
    service_authorize_by(service, outcome->notes, outcome->note_count,
                         loop->courier);
    return desk_note(loop->desk, service, outcome, why);
}

/* ---- asking -------------------------------------------------------------- */

enum err
loop_ask(struct loop *loop, const struct service *service,
         struct errand *errand, int64_t ticket, struct buf *why)
{
    struct note notes[ADAPTER_NOTES_MAX];
    errand->notes = notes;
    errand->now = loop->now;
    enum err err = store_notes(loop->desk->store, service->name, notes,
                               &errand->note_count, why);
    if (err == ERR_NONE) {
        courier_submit(loop->courier, service, errand, ticket);
    }
    wipe(notes, sizeof notes);
    return err;
}

/* Has each place of a service been found, and where its moderators talk, or
 * could not be?  Else a feed in which the posts of several come would bring
 * some that are of no place yet, and they would be lost. */
static bool
knows_places(const struct loop *loop, const struct service *service)
{
    struct desk *desk = loop->desk;
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        const struct asking *talk = &loop->talks[i];
        bool place =
            desk->threads[i][0] != '\0' || loop->places[i].failures > 0;
        bool talks = desk->conf->places[i].moderators_talk[0] == '\0' ||
                     desk->moderators_talks[i][0] != '\0' || talk->failures > 0;
        bool trail = loop->trails[i].done || loop->trails[i].failures > 0 ||
                     desk_astray(desk, i) == NULL;
        if ((!place || !talks || !trail) &&
            desk_service_of(desk, i) == service) {
            return false;
        }
    }
    return true;
}

/* Can a feed be read now, if it is to be? */
bool
loop_can_read(const struct loop *loop, const struct feed *feed)
{
    return loop_is_open(loop, feed->service) &&
           knows_places(loop, feed->service);
}
