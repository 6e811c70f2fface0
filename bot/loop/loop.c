#include "bot/loop/loop.h"

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"

double
loop_chance(struct loop *loop)
{
    loop->chance = loop->chance * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407) + (uint64_t)loop->now;
    return (double)(loop->chance >> 33) / (double)(UINT64_C(1) << 31);
}

/* ---- services ------------------------------------------------------------ */

bool
loop_is_open(const struct loop *loop, const struct service *service)
{
    return loop->services[service->number].who.done;
}

void
loop_take_states(struct loop *loop, const struct service *service,
                 const struct outcome *outcome)
{
    service_authorize_by(service, &outcome->states, loop->dispatch);
    services_save_states(&loop->tables->services, loop->tables->store, service,
                         &outcome->states);
}

/* ---- asking -------------------------------------------------------------- */

void
loop_ask(struct loop *loop, const struct service *service, struct op *op,
         struct ticket ticket)
{
    const struct adapter_states *states =
        &loop->tables->services.states[service->number];
    op->states = states->list;
    op->state_count = states->count;
    op->now = loop->now;
    dispatch_submit(loop->dispatch, service, op, ticket);
}

/* ---- what fails ---------------------------------------------------------- */

void
loop_note(struct loop *loop, struct job *job, const struct delivery *delivery)
{
    if (delivery->err == ERR_NONE) {
        job_end(job);
    } else {
        loop_fail(loop, job, delivery);
    }
}

void
loop_fail(struct loop *loop, struct job *job, const struct delivery *delivery)
{
    double chance = loop_chance(loop);
    if (delivery->err == ERR_LIMITED) {
        job_limit(job, delivery->outcome.wait, chance, loop->steady);
    } else {
        job_fail(job, loop_pause(job->failures + 1), chance, loop->steady);
    }
}

bool
loop_lacks(const struct delivery *delivery)
{
    return delivery->err != ERR_LATER && delivery->err != ERR_LIMITED &&
           !delivery->unauthorized;
}

int64_t
loop_pause(unsigned failures)
{
    return job_pause(failures, SECOND_MS, 5 * MINUTE_MS);
}

enum log_level
loop_level(unsigned failures)
{
    return failures == 1 ? LOG_LEVEL_WARNING : LOG_LEVEL_DEBUG;
}

enum log_level
loop_level_of(unsigned failures, const struct delivery *delivery)
{
    return delivery->unauthorized ? LOG_LEVEL_DEBUG : loop_level(failures);
}

void
loop_alarm(struct loop *loop, unsigned failures,
           const struct delivery *delivery)
{
    bool needs_somebody =
        delivery->err == ERR_DENIED || delivery->err == ERR_GONE;
    if (failures == 1 && needs_somebody) {
        delivery_alarm(loop->tables, buf_text(&delivery->why), loop->now);
    }
}
