#include "bot/loop/locating.h"

#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/log.h"
#include "bot/loop/login.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/commands.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/threads.h"

/* At most so many places are asked about at a time, or a start would read
 * nothing until it has asked about thousands.  Without their details the host
 * can read and answer. */
enum {
    ASKED_MAX = 4,
    DETAILS_ASKED_MAX = 2,
    COMMANDS_ASKED_MAX = 1, /* each changes the same state */
    DOUBTED_PAUSE = 5 * MINUTE_MS,
};

/* ---- asking -------------------------------------------------------------- */

static unsigned
asked_max(enum ticket_kind kind)
{
    return kind == TICKET_COMMANDS  ? COMMANDS_ASKED_MAX
           : kind == TICKET_LENGTHS ? DETAILS_ASKED_MAX
                                    : ASKED_MAX;
}

/* Ask about a place, if it is time to. */
static void
ask(struct loop *loop, struct asking *asking, struct op *op,
    enum ticket_kind kind, struct hosted_place *place)
{
    struct ticket ticket = {.kind = kind, .of = {.place = place}};
    const struct service *service = place->service;
    if (!asking_is_due(asking, loop->now) || !loop_is_open(loop, service)) {
        return;
    }
    if (loop->places_asked >= asked_max(kind)) {
        loop->places_wait = true;
    } else if (dispatch_has_room(loop->dispatch, service, kind)) {
        asking->busy = true;
        loop->places_asked++;
        loop_ask(loop, service, op, ticket);
    }
}

/* Where is a place that was not found yet? */
static void
ask_place(struct loop *loop, struct hosted_place *place)
{
    struct op op = {.kind = OP_PLACE, .text = place->conf->address};
    if (place->ids[PLACE_THREAD][0] == '\0') {
        ask(loop, &loop->places[place->number].where, &op, TICKET_PLACE, place);
    }
}

/* The thread of a game which is not its place's, once it is known what was
 * written there: that counts.  NULL: there is none. */
static const char *
left_behind(const struct loop *loop, struct hosted_place *place, bool *doubted)
{
    bool known = place->keeps_astray || tables_is_unread(loop->tables, place);
    return known ? NULL : threads_astray(loop->tables, place, doubted);
}

/* Has the thread of a game moved to where its place is now?  While it is not
 * known what has arrived there, the host comes into it by asking, if it was put
 * out: otherwise it could not look. */
static void
ask_trail(struct loop *loop, struct hosted_place *place)
{
    struct asking *asking = &loop->places[place->number].trail;
    bool doubted = false;
    struct op op = {.kind = OP_PLACE,
                    .text = left_behind(loop, place, &doubted)};
    if (op.text != NULL) {
        if (!doubted && asking->done) {
            asking->next = loop->now;
        }
        ask(loop, asking, &op, TICKET_TRAIL, place);
    }
}

/* And where do the moderators of a place talk? */
static void
ask_dm(struct loop *loop, struct hosted_place *place)
{
    const char *found = place->ids[PLACE_MODERATORS];
    struct op op = {.kind = OP_PLACE, .text = place->conf->moderators_channel};
    if (op.text[0] != '\0' && found[0] == '\0') {
        ask(loop, &loop->places[place->number].dms, &op, TICKET_MODERATORS,
            place);
    }
}

/* How long may posts be at a place that was found? */
static void
ask_lengths(struct loop *loop, struct hosted_place *place)
{
    struct asking *asking = &loop->places[place->number].probe;
    struct op op = {.kind = OP_PROBE, .place = place->ids[PLACE_THREAD]};
    if (op.place[0] != '\0' && !asking->done) {
        ask(loop, asking, &op, TICKET_LENGTHS, place);
    }
}

/* Which slash commands does a service offer?  None if they are off: it may have
 * some of before.  NULL: it can't have any. */
static const struct slash_commands *
commands_of(struct tables *tables, const struct service *service)
{
    static const struct slash_commands none = {.count = 0};
    return !service->adapter->capabilities.commands ? NULL
           : services_have_commands(&tables->services, service)
               ? commands_all(tables)
               : &none;
}

static void
ask_commands(struct loop *loop, struct hosted_place *place)
{
    struct asking *asking = &loop->places[place->number].commands;
    struct op op = {.kind = OP_COMMANDS, .place = place->ids[PLACE_THREAD]};
    if (op.place[0] == '\0' || asking->done) {
        return;
    }
    op.commands = commands_of(loop->tables, place->service);
    if (op.commands != NULL) {
        ask(loop, asking, &op, TICKET_COMMANDS, place);
    }
}

/* ---- all places ---------------------------------------------------------- */

/* When something is asked about a place, at the latest at `wake`. */
static int64_t
wake_of_place(const struct loop *loop, struct hosted_place *place, int64_t wake)
{
    struct tables *tables = loop->tables;
    const struct loop_place *asked = &loop->places[place->number];
    bool found = place->ids[PLACE_THREAD][0] != '\0';
    if (!loop_is_open(loop, place->service)) {
        return wake;
    }
    if (!found || !asked->probe.done) {
        wake = asking_wake(found ? &asked->probe : &asked->where, wake);
    }
    if (found && !asked->commands.done &&
        commands_of(tables, place->service) != NULL) {
        wake = asking_wake(&asked->commands, wake);
    }
    if (place->conf->moderators_channel[0] != '\0' &&
        place->ids[PLACE_MODERATORS][0] == '\0') {
        wake = asking_wake(&asked->dms, wake);
    }
    bool doubted = false;
    if (left_behind(loop, place, &doubted) != NULL) {
        wake = asking_wake(&asked->trail, wake);
    }
    return wake;
}

/* Has a place been found, and where its moderators talk, or did that prove
 * impossible? */
static bool
knows_place(const struct loop *loop, struct hosted_place *place)
{
    const struct loop_place *asked = &loop->places[place->number];
    bool thread =
        place->ids[PLACE_THREAD][0] != '\0' || asked->where.failures > 0;
    bool dms = place->conf->moderators_channel[0] == '\0' ||
               place->ids[PLACE_MODERATORS][0] != '\0' ||
               asked->dms.failures > 0;
    bool doubted = false;
    bool trail = asked->trail.failures > 0 ||
                 left_behind(loop, place, &doubted) == NULL || doubted;
    return thread && dms && trail;
}

/* There may be thousands: they are not gone through in every turn. */
static void
look_at_places(struct loop *loop)
{
    struct tables *tables = loop->tables;
    places_seen(&tables->places);
    loop->places_wake = INT64_MAX;
    memset(loop->unknown, 0, tables->services.count * sizeof(unsigned));
    for (unsigned i = 0; i < tables->places.count; i++) {
        struct hosted_place *place = tables->places.list[i];
        unsigned service = services_number(&tables->services, place->service);
        loop->places_wake = wake_of_place(loop, place, loop->places_wake);
        loop->unknown[service] += !knows_place(loop, place);
    }
}

int64_t
locating_wake(const struct loop *loop, int64_t wake)
{
    const struct tables *tables = loop->tables;
    if (!tables->places.changed) {
        /* What was due in the last turn had no room: the end of another
         * operation wakes the loop. */
        bool crowded =
            loop->places_wake <= loop->now && dispatch_busy(loop->dispatch) > 0;
        return !crowded && loop->places_wake < wake ? loop->places_wake : wake;
    }
    for (unsigned i = 0; i < tables->places.count; i++) {
        wake = wake_of_place(loop, tables->places.list[i], wake);
    }
    return wake;
}

static bool
knows_places(const struct loop *loop, const struct service *service)
{
    struct tables *tables = loop->tables;
    bool known = true;
    if (!tables->places.changed) {
        return loop->unknown[services_number(&tables->services, service)] == 0;
    }
    for (unsigned i = 0; known && i < tables->places.count; i++) {
        struct hosted_place *place = tables->places.list[i];
        known = place->service != service || knows_place(loop, place);
    }
    return known;
}

bool
locating_can_read(const struct loop *loop, const struct service *service)
{
    return loop_is_open(loop, service) &&
           (service->adapter->capabilities.feeds_apart ||
            knows_places(loop, service));
}

static void
ask_of_all(struct loop *loop,
           void (*question)(struct loop *, struct hosted_place *))
{
    for (unsigned i = 0; i < loop->tables->places.count; i++) {
        question(loop, loop->tables->places.list[i]);
    }
}

void
locating_ask(struct loop *loop)
{
    bool due = loop->places_wake <= loop->now && !loop->places_wait;
    if (!loop->tables->places.changed && !due) {
        return;
    }
    loop->places_wait = false;
    ask_of_all(loop, ask_place);
    ask_of_all(loop, ask_trail);
    ask_of_all(loop, ask_dm);
    ask_of_all(loop, ask_lengths);
    ask_of_all(loop, ask_commands);
    look_at_places(loop);
}

/* ---- what comes back ----------------------------------------------------- */

/* An answer came to what was asked about a place; false: there is none, which
 * is logged with what was asked for, after the place's name. */
static bool
take(struct loop *loop, struct asking *asking, const struct delivery *delivery,
     const char *what, int64_t now)
{
    const char *place = delivery->ticket.of.place->id;
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err != ERR_NONE) {
        log_about(asking_level_of(asking->failures, delivery),
                  &(struct log_subject){.place = place}, "place \"%s\"%s: %s",
                  place, what, buf_text(&delivery->why));
    }
    return delivery->err == ERR_NONE;
}

static enum err
take_place(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    struct hosted_place *place = delivery->ticket.of.place;
    struct asking *asking = &loop->places[place->number].where;
    const struct service *service = place->service;
    bool failed_before = asking->failures > 0;
    if (!take(loop, asking, delivery, "", now)) {
        places_miss(place);
        if (delivery->err == ERR_CONFIG) {
            places_set_id(&loop->tables->places, place, PLACE_UNREADABLE,
                          buf_text(&delivery->outcome.id));
        }
        return delivery->unauthorized
                   ? ERR_NONE
                   : asking_alarm(loop->tables, asking->failures, delivery, now,
                                  why);
    }
    if (failed_before) {
        log_about(LOG_LEVEL_INFO, &(struct log_subject){.place = place->id},
                  "place \"%s\": the host is there now", place->id);
    }
    login_log_advice(service, &delivery->outcome);
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found(loop->tables, place, buf_text(&delivery->outcome.id),
                           why);
    }
    return err;
}

static enum err
take_dm(struct loop *loop, const struct delivery *delivery, int64_t now,
        struct buf *why)
{
    struct hosted_place *place = delivery->ticket.of.place;
    const struct service *service = place->service;
    if (!take(loop, &loop->places[place->number].dms, delivery,
              ", moderators_talk", now)) {
        return ERR_NONE;
    }
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found_dm(loop->tables, place,
                              buf_text(&delivery->outcome.id), why);
    }
    return err;
}

/* What the host may not do there shows when it is refused; `check` tells it in
 * advance. */
static enum err
take_lengths(struct loop *loop, const struct delivery *delivery, int64_t now,
             struct buf *why)
{
    struct hosted_place *place = delivery->ticket.of.place;
    const struct service *service = place->service;
    if (!take(loop, &loop->places[place->number].probe, delivery,
              ": how long posts may be is not known yet", now)) {
        return ERR_NONE;
    }
    places_measure(place, &delivery->outcome);
    return loop_take_states(loop, service, &delivery->outcome, why);
}

/* Posts do without slash commands.  What is missing is told once, and not again
 * for each place of a server. */
static enum err
take_commands(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    struct hosted_place *place = delivery->ticket.of.place;
    struct asking *asking = &loop->places[place->number].commands;
    const char *said = buf_text(&delivery->why);
    asking_take(asking, loop_chance(loop), delivery, now);
    if (delivery->err == ERR_NONE) {
        return loop_take_states(loop, place->service, &delivery->outcome, why);
    }
    if (delivery->unauthorized ||
        strstr(buf_text(&loop->told_commands), said) != NULL) {
        return ERR_NONE;
    }
    buf_addf(&loop->told_commands, "%s\n", said);
    log_line(asking_level_of(asking->failures, delivery),
             "%s; people can write posts meanwhile", said);
    return asking_alarm(loop->tables, asking->failures, delivery, now, why);
}

/* A game whose thread was closed goes on in that of its place, once the host
 * has read what was written there while it was outside.  A game whose thread is
 * still there stays: its place was configured anew. */
static enum err
take_trail(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    struct hosted_place *place = delivery->ticket.of.place;
    struct asking *asking = &loop->places[place->number].trail;
    struct tables *tables = loop->tables;
    bool doubted = false;
    const char *old = threads_astray(tables, place, &doubted);
    const char *new = buf_text(&delivery->outcome.id);
    if (!take(loop, asking, delivery, ", a game of another room", now) ||
        old == NULL) {
        return ERR_NONE;
    }
    if (strcmp(new, old) == 0 || strcmp(new, place->ids[PLACE_THREAD]) != 0) {
        places_keep_astray(place);
        return ERR_NONE;
    }
    bool entered = strcmp(place->ids[PLACE_ENTERED], old) == 0;
    if (!entered) {
        tables_entered(tables, place, old);
    }
    if (doubted) {
        asking->next = now + DOUBTED_PAUSE;
    }
    return doubted || !entered ? ERR_NONE
                               : threads_move(tables, place, old, now, why);
}

enum err
locating_take(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    static enum err (*const takes[])(struct loop *, const struct delivery *,
                                     int64_t, struct buf *) = {
        [TICKET_PLACE] = take_place,     [TICKET_MODERATORS] = take_dm,
        [TICKET_LENGTHS] = take_lengths, [TICKET_COMMANDS] = take_commands,
        [TICKET_TRAIL] = take_trail,
    };
    loop->places_asked--;
    places_change(&loop->tables->places);
    return takes[delivery->ticket.kind](loop, delivery, now, why);
}
