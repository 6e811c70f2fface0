#include "bot/loop/locating.h"

#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/login.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/places.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

/* ---- asking -------------------------------------------------------------- */

/* Ask about a place, if it is time to. */
static enum err
ask(struct loop *loop, struct asking *asking, struct op *op,
    enum ticket_kind kind, unsigned number, struct buf *why)
{
    struct ticket ticket = {.kind = kind, .of = {.number = number}};
    const struct service *service = tables_service_of(loop->tables, number);
    if (!asking_is_due(asking, loop->now) || !loop_is_open(loop, service) ||
        !dispatch_has_room(loop->dispatch, service, kind)) {
        return ERR_NONE;
    }
    asking->busy = true;
    return loop_ask(loop, service, op, ticket, why);
}

/* Where is a place that was not found yet? */
static enum err
ask_place(struct loop *loop, unsigned number, struct buf *why)
{
    struct op op = {.kind = OP_PLACE,
                    .text = loop->tables->conf->places[number].address};
    return loop->tables->places[number].thread[0] == '\0'
               ? ask(loop, &loop->places[number].where, &op, TICKET_PLACE,
                     number, why)
               : ERR_NONE;
}

/* Has the thread of a game moved to where its place is now? */
static enum err
ask_trail(struct loop *loop, unsigned number, struct buf *why)
{
    struct asking *asking = &loop->places[number].trail;
    struct op op = {.kind = OP_PLACE,
                    .text = tables_astray(loop->tables, number)};
    return op.text != NULL && !asking->done
               ? ask(loop, asking, &op, TICKET_TRAIL, number, why)
               : ERR_NONE;
}

/* And where do the moderators of a place talk? */
static enum err
ask_dm(struct loop *loop, unsigned number, struct buf *why)
{
    const char *found = loop->tables->places[number].moderators_channel;
    struct op op = {.kind = OP_PLACE,
                    .text =
                        loop->tables->conf->places[number].moderators_channel};
    return op.text[0] != '\0' && found[0] == '\0'
               ? ask(loop, &loop->places[number].dms, &op, TICKET_MODERATORS,
                     number, why)
               : ERR_NONE;
}

/* How long may posts be at a place that was found? */
static enum err
ask_lengths(struct loop *loop, unsigned number, struct buf *why)
{
    struct asking *asking = &loop->places[number].probe;
    struct op op = {.kind = OP_PROBE,
                    .place = loop->tables->places[number].thread};
    return op.place[0] != '\0' && !asking->done
               ? ask(loop, asking, &op, TICKET_LENGTHS, number, why)
               : ERR_NONE;
}

enum err
locating_ask(struct loop *loop, struct buf *why)
{
    static enum err (*const questions[])(struct loop *, unsigned,
                                         struct buf *) = {ask_place, ask_trail,
                                                          ask_dm, ask_lengths};
    enum err err = ERR_NONE;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        for (unsigned number = 0;
             err == ERR_NONE && number < loop->tables->conf->place_count;
             number++) {
            err = questions[i](loop, number, why);
        }
    }
    return err;
}

/* ---- what comes back ----------------------------------------------------- */

enum err
locating_take_place(struct loop *loop, const struct delivery *delivery,
                    int64_t now, struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct asking *asking = &loop->places[number].where;
    const struct service *service = tables_service_of(loop->tables, number);
    bool failed_before = asking->failures > 0;
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(asking_level_of(asking->failures, delivery),
                 "place \"%s\": %s", loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return delivery->unauthorized
                   ? ERR_NONE
                   : asking_alarm(loop->tables, asking->failures, delivery, now,
                                  why);
    }
    if (failed_before) {
        log_line(LOG_LEVEL_INFO, "place \"%s\": the host is there now",
                 loop->tables->conf->places[number].name);
    }
    login_log_advice(service, &delivery->outcome);
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found(loop->tables, number,
                           buf_text(&delivery->outcome.id), why);
    }
    return err;
}

enum err
locating_take_dm(struct loop *loop, const struct delivery *delivery,
                 int64_t now, struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct asking *asking = &loop->places[number].dms;
    const struct service *service = tables_service_of(loop->tables, number);
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(asking_level_of(asking->failures, delivery),
                 "place \"%s\", moderators_talk: %s",
                 loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found_dm(loop->tables, number,
                              buf_text(&delivery->outcome.id), why);
    }
    return err;
}

/* What the host may not do there shows when it is refused; `check` tells it in
 * advance. */
enum err
locating_take_lengths(struct loop *loop, const struct delivery *delivery,
                      int64_t now, struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct asking *asking = &loop->places[number].probe;
    const struct service *service = tables_service_of(loop->tables, number);
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(asking_level_of(asking->failures, delivery),
                 "place \"%s\": how long posts may be is not known yet: %s",
                 loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    tables_measure(loop->tables, number, &delivery->outcome);
    return loop_take_states(loop, service, &delivery->outcome, why);
}

/* A game whose thread was closed goes on in that of its place.  A game whose
 * thread is still there stays: its place was configured anew. */
enum err
locating_take_trail(struct loop *loop, const struct delivery *delivery,
                    int64_t now, struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct asking *asking = &loop->places[number].trail;
    struct tables *tables = loop->tables;
    const char *old = tables_astray(tables, number);
    const char *new = buf_text(&delivery->outcome.id);
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(asking_level_of(asking->failures, delivery),
                 "place \"%s\", a game of another room: %s",
                 tables->conf->places[number].name, buf_text(&delivery->why));
        return ERR_NONE;
    }
    if (old == NULL || strcmp(new, old) == 0 ||
        strcmp(new, tables->places[number].thread) != 0) {
        return ERR_NONE;
    }
    asking->done = false; /* there may be games of yet another */
    return tables_moved(tables, number, old, now, why);
}
