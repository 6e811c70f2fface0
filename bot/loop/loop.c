#include "bot/loop/loop.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"
#include "bot/places/services.h"
#include "bot/tables/tables.h"

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
    return &loop->services[service - loop->tables->services.list];
}

bool
loop_is_open(const struct loop *loop, const struct service *service)
{
    return loop->services[service - loop->tables->services.list].done;
}

enum err
loop_take_states(struct loop *loop, const struct service *service,
                 const struct outcome *outcome, struct buf *why)
{
    service_authorize_by(service, &outcome->states, loop->dispatch);
    return services_save_states(&loop->tables->services, loop->tables->store,
                                service, &outcome->states, why);
}

/* ---- asking -------------------------------------------------------------- */

void
loop_ask(struct loop *loop, const struct service *service, struct op *op,
         struct ticket ticket)
{
    const struct adapter_states *states =
        services_states(&loop->tables->services, service);
    op->states = states->list;
    op->state_count = states->count;
    op->now = loop->now;
    dispatch_submit(loop->dispatch, service, op, ticket);
}

void
loop_open(struct loop *loop, struct tables *tables, struct dispatch *dispatch)
{
    unsigned services = tables->services.count;
    memset(loop, 0, sizeof *loop);
    loop->tables = tables;
    loop->dispatch = dispatch;
    loop->disk_left = -1;
    loop->reader.rings = must_alloc((services + 1) * sizeof(bool));
    loop->reader.looks = must_alloc((services + 1) * sizeof(size_t));
    loop->services = must_alloc((services + 1) * sizeof(struct asking));
    loop->unknown = must_alloc((services + 1) * sizeof(unsigned));
    loop->places = must_alloc(((size_t)tables->conf->place_count + 1) *
                              sizeof(struct loop_place));
}
