#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/log.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/threads.h"

/* At most so many places are asked about at a time, or a start would read
 * nothing until it has asked about thousands.  Without their details the host
 * can read and answer. */
enum {
    ASKED_MAX = 4,
    DETAILS_ASKED_MAX = 2,
    COMMANDS_ASKED_MAX = 1, /* each changes the same state */
};

/* ---- what is asked ------------------------------------------------------- */

/* Where is a place that was not found yet? */
static bool
asks_place(const struct loop *loop, struct hosted_place *place, struct op *op)
{
    (void)loop;
    op->kind = OP_PLACE;
    op->text = place->conf->address;
    return place->ids[PLACE_THREAD][0] == '\0';
}

/* The thread of a game which is not its place's, once it is known what was
 * written there: that counts.  NULL: there is none. */
static const char *
left_behind(const struct loop *loop, struct hosted_place *place)
{
    bool known =
        place->keeps_astray || feeds_is_unread(&loop->tables->feeds, place);
    return known ? NULL : threads_astray(loop->tables, place);
}

/* Has the thread of a game moved to where its place is now? */
static bool
asks_trail(const struct loop *loop, struct hosted_place *place, struct op *op)
{
    op->kind = OP_PLACE;
    op->text = left_behind(loop, place);
    return op->text != NULL;
}

/* And where do the moderators of a place talk? */
static bool
asks_moderators(const struct loop *loop, struct hosted_place *place,
                struct op *op)
{
    (void)loop;
    op->kind = OP_PLACE;
    op->text = place->conf->moderators_channel;
    return op->text[0] != '\0' && place->ids[PLACE_MODERATORS][0] == '\0';
}

/* How long may posts be at a place that was found? */
static bool
asks_lengths(const struct loop *loop, struct hosted_place *place, struct op *op)
{
    op->kind = OP_PROBE;
    op->place = place->ids[PLACE_THREAD];
    op->text = place->conf->moderator_role;
    return op->place[0] != '\0' &&
           !loop->places[place->number].jobs[TICKET_LENGTHS].done;
}

/* Which slash commands does its service offer?  None if they are off: it may
 * have some of before. */
static bool
asks_commands(const struct loop *loop, struct hosted_place *place,
              struct op *op)
{
    static const struct slash_commands none = {.count = 0};
    struct tables *tables = loop->tables;
    const struct service *service = place->service;
    op->kind = OP_COMMANDS;
    op->place = place->ids[PLACE_THREAD];
    if (op->place[0] == '\0' || !service->adapter->capabilities.commands ||
        loop->places[place->number].jobs[TICKET_COMMANDS].done) {
        return false;
    }
    op->commands = services_have_commands(&tables->services, service)
                       ? tables_commands(tables)
                       : &none;
    return true;
}

/* ---- what is answered ---------------------------------------------------- */

static void
take_place(struct loop *loop, struct hosted_place *place,
           const struct delivery *delivery)
{
    login_log_advice(place->service, &delivery->outcome);
    tables_feeds_found(loop->tables, place, buf_text(&delivery->outcome.id));
}

static void
take_moderators(struct loop *loop, struct hosted_place *place,
                const struct delivery *delivery)
{
    const char *dm = buf_text(&delivery->outcome.id);
    places_set_id(&loop->tables->places, place, PLACE_MODERATORS, dm);
    feeds_read(&loop->tables->feeds, place->service, dm, "");
}

/* What the host may not do there shows when it is refused; `check` tells it in
 * advance. */
static void
take_lengths(struct loop *loop, struct hosted_place *place,
             const struct delivery *delivery)
{
    struct job *job = &loop->places[place->number].jobs[TICKET_LENGTHS];
    places_measure(place, &delivery->outcome);
    if (place->conf->moderator_role[0] != '\0') {
        job->done = false;
        job->next = loop->steady + HOUR_MS; /* others may moderate by then */
    }
}

/* A game whose thread was closed goes on in that of its place.  A game whose
 * thread is still there stays: its place was configured anew. */
static void
take_trail(struct loop *loop, struct hosted_place *place,
           const struct delivery *delivery)
{
    struct tables *tables = loop->tables;
    const char *old = threads_astray(tables, place);
    const char *new = buf_text(&delivery->outcome.id);
    if (old == NULL) {
        return;
    }
    if (strcmp(new, old) == 0 || strcmp(new, place->ids[PLACE_THREAD]) != 0) {
        places_keep_astray(place);
        return;
    }
    threads_move(tables, place, old, loop->now);
}

/* What is asked about places, in this order. */
static const struct {
    /* Is it to be asked about a place?  Then the operation. */
    bool (*asks)(const struct loop *, struct hosted_place *place, struct op *);
    /* Take the answer; NULL: its states are all that matters. */
    void (*take)(struct loop *, struct hosted_place *place,
                 const struct delivery *);
    unsigned most;       /* with so many about places under way it waits */
    const char *trouble; /* for the log, behind the place's name */
} questions[] = {
    [TICKET_PLACE] = {asks_place, take_place, ASKED_MAX, ""},
    [TICKET_TRAIL] = {asks_trail, take_trail, ASKED_MAX,
                      ", a game of another room"},
    [TICKET_MODERATORS] = {asks_moderators, take_moderators, ASKED_MAX,
                           ", moderators_talk"},
    [TICKET_LENGTHS] = {asks_lengths, take_lengths, DETAILS_ASKED_MAX,
                        ": how long posts may be is not known yet"},
    [TICKET_COMMANDS] = {asks_commands, NULL, COMMANDS_ASKED_MAX, NULL},
};

enum {
    QUESTIONS = sizeof questions / sizeof questions[0]
};

/* ---- all places ---------------------------------------------------------- */

/* Ask about a place, if it is time to. */
static void
ask(struct loop *loop, enum ticket_kind kind, struct hosted_place *place)
{
    struct job *job = &loop->places[place->number].jobs[kind];
    struct ticket ticket = {.kind = kind, .of = {.place = place}};
    const struct service *service = place->service;
    struct op op = {.now = loop->now};
    if (!questions[kind].asks(loop, place, &op) ||
        !job_is_due(job, loop->steady) || !loop_is_open(loop, service)) {
        return;
    }
    if (loop->places_asked >= questions[kind].most) {
        loop->places_wait = true;
    } else if (dispatch_has_room(loop->dispatch, service, kind, ROOM_DUE)) {
        job->busy = true;
        loop->places_asked++;
        loop_ask(loop, service, &op, ticket);
    }
}

/* When something is asked about a place, at the latest at `wake`. */
static int64_t
wake_of_place(const struct loop *loop, struct hosted_place *place, int64_t wake)
{
    bool open = loop_is_open(loop, place->service);
    for (unsigned kind = 0; open && kind < QUESTIONS; kind++) {
        struct op op = {.now = loop->now};
        if (questions[kind].asks(loop, place, &op)) {
            wake = job_wake(&loop->places[place->number].jobs[kind], wake);
        }
    }
    return wake;
}

/* Has a place been found, and where its moderators talk, or did that prove
 * impossible? */
static bool
knows_place(const struct loop *loop, struct hosted_place *place)
{
    bool known = left_behind(loop, place) == NULL ||
                 loop->places[place->number].jobs[TICKET_TRAIL].failures > 0;
    for (unsigned kind = TICKET_PLACE; known && kind <= TICKET_MODERATORS;
         kind++) {
        struct op op = {.now = loop->now};
        known = kind == TICKET_TRAIL ||
                loop->places[place->number].jobs[kind].failures > 0 ||
                !questions[kind].asks(loop, place, &op);
    }
    return known;
}

void
locating_follow(struct loop *loop)
{
    struct tables *tables = loop->tables;
    loop->places_wake = INT64_MAX;
    for (unsigned i = 0; i < tables->services.count; i++) {
        loop->services[i].unknown = 0;
    }
    for (unsigned i = 0; i < tables->places.count; i++) {
        struct hosted_place *place = tables->places.list[i];
        loop->places_wake = wake_of_place(loop, place, loop->places_wake);
        loop->services[place->service->number].unknown +=
            !knows_place(loop, place);
    }
}

int64_t
locating_wake(const struct loop *loop, int64_t wake)
{
    /* What was due in the last turn had no room: the end of another operation
     * wakes the loop. */
    bool crowded =
        loop->places_wake <= loop->steady && dispatch_busy(loop->dispatch) > 0;
    if (loop->tables->places.changed) {
        return loop->steady;
    }
    return !crowded && loop->places_wake < wake ? loop->places_wake : wake;
}

bool
locating_can_read(const struct loop *loop, const struct service *service)
{
    return loop_is_open(loop, service) &&
           (service->adapter->capabilities.feeds_apart ||
            loop->services[service->number].unknown == 0);
}

void
locating_ask(struct loop *loop)
{
    bool due = loop->places_wake <= loop->steady && !loop->places_wait;
    if (!loop->tables->places.changed && !due) {
        return;
    }
    loop->places_wait = false;
    for (unsigned kind = 0; kind < QUESTIONS; kind++) {
        for (unsigned i = 0; i < loop->tables->places.count; i++) {
            ask(loop, (enum ticket_kind)kind, loop->tables->places.list[i]);
        }
    }
    locating_follow(loop);
    places_seen(&loop->tables->places);
}

/* ---- what comes back ----------------------------------------------------- */

/* Posts do without slash commands.  What is missing is told once, and not again
 * for each place of a server. */
static void
lack_commands(struct loop *loop, const struct job *job,
              const struct delivery *delivery)
{
    const char *said = buf_text(&delivery->why);
    if (delivery->unauthorized ||
        strstr(buf_text(&loop->told_commands), said) != NULL) {
        return;
    }
    buf_addf(&loop->told_commands, "%s\n", said);
    log_line(loop_level_of(job->failures, delivery),
             "%s; people can write posts meanwhile", said);
    loop_alarm(loop, job->failures, delivery);
}

/* There is no answer. */
static void
lack(struct loop *loop, struct hosted_place *place,
     const struct delivery *delivery)
{
    enum ticket_kind kind = delivery->ticket.kind;
    const struct job *job = &loop->places[place->number].jobs[kind];
    const char *name = place->id;
    if (kind == TICKET_COMMANDS) {
        lack_commands(loop, job, delivery);
        return;
    }
    log_about(loop_level_of(job->failures, delivery),
              &(struct log_subject){.place = name}, "place \"%s\"%s: %s", name,
              questions[kind].trouble, buf_text(&delivery->why));
    if (kind != TICKET_PLACE) {
        return;
    }
    places_miss(place);
    if (delivery->err == ERR_CONFIG) {
        places_set_id(&loop->tables->places, place, PLACE_UNREADABLE,
                      buf_text(&delivery->outcome.id));
    }
    if (!delivery->unauthorized) {
        loop_alarm(loop, job->failures, delivery);
    }
}

void
locating_take(struct loop *loop, const struct delivery *delivery)
{
    enum ticket_kind kind = delivery->ticket.kind;
    struct hosted_place *place = delivery->ticket.of.place;
    struct job *job = &loop->places[place->number].jobs[kind];
    bool failed_before = job->failures > 0;
    const char *name = place->id;
    loop->places_asked--;
    places_change(&loop->tables->places);
    loop_note(loop, job, delivery);
    if (delivery->err != ERR_NONE) {
        lack(loop, place, delivery);
        return;
    }
    if (failed_before && kind == TICKET_PLACE) {
        log_about(LOG_LEVEL_INFO, &(struct log_subject){.place = name},
                  "place \"%s\": the host is there now", name);
    }
    loop_take_states(loop, place->service, &delivery->outcome);
    if (questions[kind].take != NULL) {
        questions[kind].take(loop, place, delivery);
    }
}
