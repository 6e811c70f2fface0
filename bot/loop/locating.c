#include "bot/loop/locating.h"

#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/log.h"
#include "bot/loop/login.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/place_ids.h"
#include "bot/tables/places.h"
#include "bot/tables/slash.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

/* At most so many places are asked about at a time, or a start would read
 * nothing until it has asked about thousands.  Without their details the host
 * can read and answer. */
enum {
    ASKED_MAX = 4,
    DETAILS_ASKED_MAX = 2,
    COMMANDS_ASKED_MAX = 1, /* each changes the same state */
    DOUBTED_PAUSE = 5 * MINUTE_MS,
};

/* ---- what is asked ------------------------------------------------------- */

/* Where is a place that was not found yet? */
static bool
asks_place(const struct loop *loop, unsigned number, struct op *op)
{
    op->kind = OP_PLACE;
    op->text = loop->tables->conf->places[number].address;
    return place_id(loop->tables, number, PLACE_THREAD)[0] == '\0';
}

/* The thread of a game which is not its place's, once it is known what was
 * written there: that counts.  NULL: there is none. */
static const char *
left_behind(const struct loop *loop, unsigned number, bool *doubted)
{
    bool known = loop->tables->places[number].keeps_astray ||
                 tables_is_unread(loop->tables, number);
    return known ? NULL : tables_astray(loop->tables, number, doubted);
}

/* Has the thread of a game moved to where its place is now?  While it is not
 * known what has arrived there, the host comes into it by asking, if it was put
 * out: otherwise it could not look. */
static bool
asks_trail(const struct loop *loop, unsigned number, struct op *op)
{
    struct job *job = &loop->places[number].jobs[TICKET_TRAIL];
    bool doubted = false;
    op->kind = OP_PLACE;
    op->text = left_behind(loop, number, &doubted);
    if (op->text != NULL && !doubted && job->done) {
        job->next = loop->steady;
    }
    return op->text != NULL;
}

/* And where do the moderators of a place talk? */
static bool
asks_moderators(const struct loop *loop, unsigned number, struct op *op)
{
    op->kind = OP_PLACE;
    op->text = loop->tables->conf->places[number].moderators_channel;
    return op->text[0] != '\0' &&
           place_id(loop->tables, number, PLACE_MODERATORS)[0] == '\0';
}

/* How long may posts be at a place that was found? */
static bool
asks_lengths(const struct loop *loop, unsigned number, struct op *op)
{
    op->kind = OP_PROBE;
    op->place = place_id(loop->tables, number, PLACE_THREAD);
    return op->place[0] != '\0' &&
           !loop->places[number].jobs[TICKET_LENGTHS].done;
}

/* Which slash commands does its service offer?  None if they are off: it may
 * have some of before. */
static bool
asks_commands(const struct loop *loop, unsigned number, struct op *op)
{
    static const struct slash_commands none = {.count = 0};
    struct tables *tables = loop->tables;
    const struct service *service = tables_service_of(tables, number);
    op->kind = OP_COMMANDS;
    op->place = place_id(tables, number, PLACE_THREAD);
    if (op->place[0] == '\0' || !service->adapter->capabilities.commands ||
        loop->places[number].jobs[TICKET_COMMANDS].done) {
        return false;
    }
    op->commands =
        tables_has_commands(tables, service) ? tables_commands(tables) : &none;
    return true;
}

/* ---- what is answered ---------------------------------------------------- */

static enum err
take_place(struct loop *loop, unsigned number, const struct delivery *delivery,
           struct buf *why)
{
    login_log_advice(tables_service_of(loop->tables, number),
                     &delivery->outcome);
    return tables_found(loop->tables, number, buf_text(&delivery->outcome.id),
                        why);
}

static enum err
take_moderators(struct loop *loop, unsigned number,
                const struct delivery *delivery, struct buf *why)
{
    return tables_found_moderators(loop->tables, number,
                                   buf_text(&delivery->outcome.id), why);
}

/* What the host may not do there shows when it is refused; `check` tells it in
 * advance. */
static enum err
take_lengths(struct loop *loop, unsigned number,
             const struct delivery *delivery, struct buf *why)
{
    (void)why;
    tables_measure(loop->tables, number, &delivery->outcome);
    return ERR_NONE;
}

/* A game whose thread was closed goes on in that of its place, once the host
 * has read what was written there while it was outside.  A game whose thread is
 * still there stays: its place was configured anew. */
static enum err
take_trail(struct loop *loop, unsigned number, const struct delivery *delivery,
           struct buf *why)
{
    struct tables *tables = loop->tables;
    bool doubted = false;
    const char *old = tables_astray(tables, number, &doubted);
    const char *new = buf_text(&delivery->outcome.id);
    if (old == NULL) {
        return ERR_NONE;
    }
    if (strcmp(new, old) == 0 ||
        strcmp(new, place_id(tables, number, PLACE_THREAD)) != 0) {
        tables->places[number].keeps_astray = true;
        return ERR_NONE;
    }
    bool entered = strcmp(place_id(tables, number, PLACE_ENTERED), old) == 0;
    if (!entered) {
        tables_entered(tables, number, old);
    }
    if (doubted) {
        loop->places[number].jobs[TICKET_TRAIL].next =
            loop->steady + DOUBTED_PAUSE;
    }
    return doubted || !entered
               ? ERR_NONE
               : tables_moved(tables, number, old, loop->now, why);
}

/* What is asked about places, in this order. */
static const struct {
    /* Is it to be asked about a place?  Then the operation. */
    bool (*asks)(const struct loop *, unsigned number, struct op *);
    /* Take the answer; NULL: its states are all that matters. */
    enum err (*take)(struct loop *, unsigned number, const struct delivery *,
                     struct buf *why);
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
ask(struct loop *loop, enum ticket_kind kind, unsigned number)
{
    struct job *job = &loop->places[number].jobs[kind];
    struct ticket ticket = {.kind = kind, .of = {.number = number}};
    const struct service *service = tables_service_of(loop->tables, number);
    struct op op = {.now = loop->now};
    if (!questions[kind].asks(loop, number, &op) ||
        !job_is_due(job, loop->steady) || !loop_is_open(loop, service)) {
        return;
    }
    if (loop->places_asked >= questions[kind].most) {
        loop->places_wait = true;
    } else if (dispatch_has_room(loop->dispatch, service, kind)) {
        job->busy = true;
        loop->places_asked++;
        loop_ask(loop, service, &op, ticket);
    }
}

/* When something is asked about a place, at the latest at `wake`. */
static int64_t
wake_of_place(const struct loop *loop, unsigned number, int64_t wake)
{
    bool open = loop_is_open(loop, tables_service_of(loop->tables, number));
    for (unsigned kind = 0; open && kind < QUESTIONS; kind++) {
        struct op op = {.now = loop->now};
        if (questions[kind].asks(loop, number, &op)) {
            wake = job_wake(&loop->places[number].jobs[kind], wake);
        }
    }
    return wake;
}

/* Has a place been found, and where its moderators talk, or did that prove
 * impossible? */
static bool
knows_place(const struct loop *loop, unsigned number)
{
    bool doubted = false;
    bool known = left_behind(loop, number, &doubted) == NULL || doubted ||
                 loop->places[number].jobs[TICKET_TRAIL].failures > 0;
    for (unsigned kind = TICKET_PLACE; known && kind <= TICKET_MODERATORS;
         kind++) {
        struct op op = {.now = loop->now};
        known = kind == TICKET_TRAIL ||
                loop->places[number].jobs[kind].failures > 0 ||
                !questions[kind].asks(loop, number, &op);
    }
    return known;
}

/* There may be thousands: they are not gone through in every turn. */
static void
look_at_places(struct loop *loop)
{
    struct tables *tables = loop->tables;
    tables->places_changed = false;
    loop->places_wake = INT64_MAX;
    for (unsigned i = 0; i < tables->service_count; i++) {
        loop->services[i].unknown = 0;
    }
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        loop->places_wake = wake_of_place(loop, i, loop->places_wake);
        loop_service(loop, tables_service_of(tables, i))->unknown +=
            !knows_place(loop, i);
    }
}

int64_t
locating_wake(const struct loop *loop, int64_t wake)
{
    const struct tables *tables = loop->tables;
    if (!tables->places_changed) {
        /* What was due in the last turn had no room: the end of another
         * operation wakes the loop. */
        bool crowded = loop->places_wake <= loop->steady &&
                       dispatch_busy(loop->dispatch) > 0;
        return !crowded && loop->places_wake < wake ? loop->places_wake : wake;
    }
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        wake = wake_of_place(loop, i, wake);
    }
    return wake;
}

static bool
knows_places(const struct loop *loop, const struct service *service)
{
    struct tables *tables = loop->tables;
    bool known = true;
    if (!tables->places_changed) {
        return loop->services[service - tables->services].unknown == 0;
    }
    for (unsigned i = 0; known && i < tables->conf->place_count; i++) {
        known = tables_service_of(tables, i) != service || knows_place(loop, i);
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

void
locating_ask(struct loop *loop)
{
    bool due = loop->places_wake <= loop->steady && !loop->places_wait;
    if (!loop->tables->places_changed && !due) {
        return;
    }
    loop->places_wait = false;
    for (unsigned kind = 0; kind < QUESTIONS; kind++) {
        for (unsigned i = 0; i < loop->tables->conf->place_count; i++) {
            ask(loop, (enum ticket_kind)kind, i);
        }
    }
    look_at_places(loop);
}

/* ---- what comes back ----------------------------------------------------- */

/* Posts do without slash commands.  What is missing is told once, and not again
 * for each place of a server. */
static enum err
lack_commands(struct loop *loop, const struct job *job,
              const struct delivery *delivery, struct buf *why)
{
    const char *said = buf_text(&delivery->why);
    if (delivery->unauthorized ||
        strstr(buf_text(&loop->told_commands), said) != NULL) {
        return ERR_NONE;
    }
    buf_addf(&loop->told_commands, "%s\n", said);
    log_line(loop_level_of(job->failures, delivery),
             "%s; people can write posts meanwhile", said);
    return loop_alarm(loop, job->failures, delivery, why);
}

/* There is no answer. */
static enum err
lack(struct loop *loop, unsigned number, const struct delivery *delivery,
     struct buf *why)
{
    enum ticket_kind kind = delivery->ticket.kind;
    const struct job *job = &loop->places[number].jobs[kind];
    const char *place = loop->tables->conf->places[number].name;
    if (kind == TICKET_COMMANDS) {
        return lack_commands(loop, job, delivery, why);
    }
    log_about(loop_level_of(job->failures, delivery),
              &(struct log_subject){.place = place}, "place \"%s\"%s: %s",
              place, questions[kind].trouble, buf_text(&delivery->why));
    if (kind != TICKET_PLACE) {
        return ERR_NONE;
    }
    loop->tables->places[number].missing = true;
    if (delivery->err == ERR_CONFIG) {
        place_id_set(loop->tables, number, PLACE_UNREADABLE,
                     buf_text(&delivery->outcome.id));
    }
    return delivery->unauthorized
               ? ERR_NONE
               : loop_alarm(loop, job->failures, delivery, why);
}

enum err
locating_take(struct loop *loop, const struct delivery *delivery,
              struct buf *why)
{
    enum ticket_kind kind = delivery->ticket.kind;
    unsigned number = delivery->ticket.of.number;
    struct job *job = &loop->places[number].jobs[kind];
    bool failed_before = job->failures > 0;
    const char *place = loop->tables->conf->places[number].name;
    loop->places_asked--;
    loop->tables->places_changed = true;
    loop_note(loop, job, delivery);
    if (delivery->err != ERR_NONE) {
        return lack(loop, number, delivery, why);
    }
    if (failed_before && kind == TICKET_PLACE) {
        log_about(LOG_LEVEL_INFO, &(struct log_subject){.place = place},
                  "place \"%s\": the host is there now", place);
    }
    enum err err = loop_take_states(
        loop, tables_service_of(loop->tables, number), &delivery->outcome, why);
    return err == ERR_NONE && questions[kind].take != NULL
               ? questions[kind].take(loop, number, delivery, why)
               : err;
}
