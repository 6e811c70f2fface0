#include <stdlib.h>
#include <string.h>

#include "adapters/doorbell.h"
#include "adapters/http/http.h"
#include "bot/base/log.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/presses.h"
#include "bot/loop/reader.h"
#include "bot/tables/delivery/unreachable.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"

/* So long what is pressed may not come while a doorbell is opened again. */
#define OPENED_WITHIN (5 * MINUTE_MS)

enum {
    EVENTS_AT_ONCE = 1000 /* of a doorbell in a turn; the next takes the rest,
                             without waiting: thousands come after a start */
};

static void
say(const struct bell *bell, enum log_level level, const char *said)
{
    log_about(level, &(struct log_subject){.service = bell->service->name},
              "%s: %s", bell->service->name, said);
}

static bool
is_open(const struct bell *bell)
{
    return bell->socket != NULL || bell->stream != NULL;
}

/* Cut the connection, if there is one. */
static void
disconnect(struct loop *loop, struct bell *bell)
{
    if (bell->socket != NULL) {
        http_close_socket(dispatch_http(loop->dispatch), bell->socket);
    }
    if (bell->stream != NULL) {
        http_close_stream(dispatch_http(loop->dispatch), bell->stream);
    }
    bell->socket = NULL;
    bell->stream = NULL;
    bell->wake = 0;
}

static void
forget_address(struct bell *bell)
{
    free(bell->address);
    bell->address = NULL;
}

void
bells_open(struct loop *loop)
{
    struct services *services = &loop->tables->services;
    loop->bells = must_alloc((services->count + 1) * sizeof(struct bell));
    for (unsigned i = 0; i < services->count; i++) {
        loop->bells[i].service = &services->list[i];
    }
}

void
bells_release(struct loop *loop)
{
    for (struct bell *bell = loop->bells; bell != NULL && bell->service != NULL;
         bell++) {
        disconnect(loop, bell);
        forget_address(bell);
        if (bell->session != NULL) {
            wipe(bell->session, bell->service->adapter->doorbell->size);
            free(bell->session);
        }
    }
    free(loop->bells);
    loop->bells = NULL;
}

/* ---- opening ------------------------------------------------------------- */

/* Is there one, and does the operator want it? */
static bool
is_wanted(const struct loop *loop, const struct service *service)
{
    const struct account *account =
        conf_account(loop->tables->conf, service->name);
    return service->adapter->doorbell != NULL &&
           (account == NULL || account->doorbell);
}

static bool
is_due(const struct loop *loop, const struct bell *bell, int64_t now)
{
    const struct service *service = bell->service;
    return !is_open(bell) && !bell->never && job_is_due(&bell->job, now) &&
           is_wanted(loop, service) && locating_can_read(loop, service) &&
           dispatch_has_room(loop->dispatch, service, TICKET_BELL, ROOM_DUE);
}

/* Does it listen, so that all that is new at its service rings? */
static bool *
listens(const struct loop *loop, const struct bell *bell)
{
    return &loop->reader.rings[bell->service->number];
}

/* It does not listen any more: feeds are polled as without it. */
static void
fall_silent(struct loop *loop, struct bell *bell)
{
    bell->silent = bell->presses ? loop->steady : bell->silent;
    bell->presses = false;
    if (*listens(loop, bell)) {
        say(bell, LOG_LEVEL_DEBUG, "its doorbell is silent");
        *listens(loop, bell) = false;
        reader_read_all(loop, bell->service);
    }
}

/* It is not open: open it again after a pause, if at all. */
static void
put_off(const struct loop *loop, struct bell *bell, bool never, int64_t pause)
{
    int64_t least = loop_pause(bell->job.failures);
    bell->never = never;
    bell->job.next = loop->steady + (pause > least ? pause : least);
}

static void
lack_bell(struct loop *loop, struct bell *bell, struct buf *why)
{
    buf_add_text(why, "; the host reads by polling");
    say(bell, LOG_LEVEL_WARNING, buf_text(why));
    put_off(loop, bell, true, 0);
    fall_silent(loop, bell);
}

/* Poll for all feeds that there are. */
static void
open_poll(struct loop *loop, struct bell *bell)
{
    const struct service *service = bell->service;
    const struct doorbell *doorbell = service->adapter->doorbell;
    const struct feeds *feeds = &loop->tables->feeds;
    const char **names = must_alloc((feeds->count + 1) * sizeof(*names));
    struct bell_feeds all = {bell->address, names, 0};
    struct request request = {.timeout = 0};
    struct buf why = BUF_INIT;
    for (size_t i = 0; i < feeds->count; i++) {
        if (feeds->list[i]->service == service) {
            names[all.count++] = feeds->list[i]->name;
        }
    }
    bell->feeds = feeds->count;
    if (doorbell->poll(service, bell->session, &all, loop->now, &request,
                       &why)) {
        bell->stream =
            http_open_stream(dispatch_http(loop->dispatch), service, &request,
                             doorbell->delimiter, loop->now, &why);
    }
    if (bell->stream == NULL) {
        lack_bell(loop, bell, &why);
    }
    request_clear(&request);
    buf_release(&why);
    free(names);
}

static void
open_bell(struct loop *loop, struct bell *bell, const char *address)
{
    const struct doorbell *doorbell = bell->service->adapter->doorbell;
    struct buf why = BUF_INIT;
    if (bell->session == NULL) {
        bell->session = must_alloc(doorbell->size);
    }
    if (doorbell->poll != NULL) {
        bell->address = must_copy(address);
        open_poll(loop, bell);
        return;
    }
    bell->socket = http_open_socket(dispatch_http(loop->dispatch),
                                    bell->service, address, loop->now, &why);
    if (bell->socket == NULL) {
        lack_bell(loop, bell, &why);
    }
    buf_release(&why);
}

void
bells_ask(struct loop *loop)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        struct ticket ticket = {.kind = TICKET_BELL, .of = {.service = i}};
        struct op op = {.kind = OP_BELL};
        struct bell *bell = &loop->bells[i];
        bell->silent = bell->silent == 0 ? loop->steady : bell->silent;
        if (!is_due(loop, bell, loop->steady)) {
            continue;
        }
        if (bell->address != NULL) {
            open_poll(loop, bell);
        } else {
            bell->job.busy = true;
            loop_ask(loop, bell->service, &op, ticket);
        }
    }
}

void
bells_take(struct loop *loop, const struct delivery *delivery)
{
    struct bell *bell = &loop->bells[delivery->ticket.of.service];
    if (delivery->err == ERR_NONE) {
        bell->job.busy = false;
        open_bell(loop, bell, buf_text(&delivery->outcome.id));
        return;
    }
    loop_note(loop, &bell->job, delivery);
    bell->never = loop_lacks(delivery);
    log_about(delivery->err == ERR_LIMITED
                  ? LOG_LEVEL_DEBUG
                  : loop_level_of(bell->job.failures, delivery),
              &(struct log_subject){.service = bell->service->name},
              "%s; the host reads by polling", buf_text(&delivery->why));
}

/* ---- what is said -------------------------------------------------------- */

static void
close_bell(struct loop *loop, struct bell *bell,
           const struct bell_output *output)
{
    disconnect(loop, bell);
    if (output->again) {
        bell->job.next = loop->steady + output->pause;
        return;
    }
    forget_address(bell);
    bell->job.failures++;
    put_off(loop, bell, output->never, output->pause);
    fall_silent(loop, bell);
}

/* What is to be kept is kept before anything is sent. */
static void
obey(struct loop *loop, struct bell *bell, struct bell_output *output)
{
    const struct service *service = bell->service;
    services_save_states(&loop->tables->services, loop->tables->store, service,
                         &output->states);
    if (store_err(loop->tables->store, NULL) != ERR_NONE) {
        return;
    }
    for (unsigned i = 0; i < output->text_count; i++) {
        http_send_text(dispatch_http(loop->dispatch), bell->socket,
                       &output->texts[i].text, output->texts[i].token_at);
    }
    if (output->wake != 0) {
        bell->wake = tables_steady(loop->tables, output->wake);
    }
    if (output->listens && !*listens(loop, bell)) {
        say(bell, LOG_LEVEL_DEBUG, "its doorbell listens");
        *listens(loop, bell) = true;
    }
    bell->presses = bell->presses || output->presses;
    if (output->listens || output->missed) {
        bell->job.failures = 0;
    }
    if (output->missed) {
        reader_read_all(loop, service);
    }
    if (output->rings) {
        reader_ring(loop->tables, service, output->feed, output->post);
    }
    presses_come(loop, service, output);
}

/* Hand what happened to the adapter, and do what it says. */
static void
tell_once(struct loop *loop, struct bell *bell, struct bell_input *input,
          bool *more)
{
    const struct service *service = bell->service;
    struct bell_output output = {.text_count = 0};
    struct buf said = BUF_INIT;
    input->now = loop->now;
    input->chance = loop_chance(loop);
    service->adapter->doorbell->take(service, bell->session, input, &output,
                                     &said);
    obey(loop, bell, &output);
    if (said.len > 0) {
        log_about(output.never ? LOG_LEVEL_WARNING
                               : loop_level(bell->job.failures + 1),
                  &(struct log_subject){.service = bell->service->name}, "%s",
                  buf_text(&said));
    }
    if (output.shut && bell->socket != NULL) {
        web_socket_close(bell->socket, output.code);
    }
    if (output.shut || input->event == BELL_CLOSED) {
        close_bell(loop, bell, &output);
    }
    *more = output.more && is_open(bell);
    bell_output_release(&output);
    buf_release(&said);
}

static void
tell(struct loop *loop, struct bell *bell, struct bell_input *input)
{
    bool more = true;
    while (more) {
        tell_once(loop, bell, input, &more);
    }
}

static void
take_event(struct loop *loop, struct bell *bell,
           const struct socket_event *event)
{
    const struct adapter_states *states =
        &loop->tables->services.states[bell->service->number];
    struct bell_input input = {.event = BELL_TEXT,
                               .text = event->text,
                               .len = event->len,
                               .code = event->code};
    if (event->kind == SOCKET_OPENED) {
        input = (struct bell_input){.event = BELL_OPENED,
                                    .states = states->list,
                                    .state_count = states->count};
    } else if (event->kind == SOCKET_CLOSED) {
        input.event = BELL_CLOSED;
        log_about(LOG_LEVEL_DEBUG,
                  &(struct log_subject){.service = bell->service->name},
                  "%s: its doorbell was closed (%u)%s%s", bell->service->name,
                  event->code, event->trouble[0] != '\0' ? ": " : "",
                  event->trouble);
    }
    tell(loop, bell, &input);
}

static bool
next_event(struct bell *bell, struct socket_event *event)
{
    return (bell->socket != NULL && web_socket_next(bell->socket, event)) ||
           (bell->stream != NULL && http_stream_next(bell->stream, event));
}

/* A poll rings only for the feeds that it names. */
static void
follow_feeds(struct loop *loop, struct bell *bell)
{
    if (bell->stream != NULL && bell->feeds != loop->tables->feeds.count) {
        disconnect(loop, bell);
        open_poll(loop, bell);
    }
}

static void
work_bell(struct loop *loop, struct bell *bell)
{
    struct socket_event event;
    for (unsigned i = 0; i < EVENTS_AT_ONCE && next_event(bell, &event); i++) {
        take_event(loop, bell, &event);
    }
    follow_feeds(loop, bell);
    if (is_open(bell) && bell->wake != 0 && bell->wake <= loop->steady) {
        struct bell_input input = {.event = BELL_TIME};
        bell->wake = 0;
        tell(loop, bell, &input);
    }
}

void
bells_work(struct loop *loop)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        work_bell(loop, &loop->bells[i]);
    }
}

/* ---- what is pressed ----------------------------------------------------- */

/* When nothing that is pressed comes any more; INT64_MAX: it does, or there is
 * nothing to press. */
static int64_t
lost_from(const struct loop *loop, const struct bell *bell)
{
    const struct service *service = bell->service;
    bool hears = service->adapter->doorbell == NULL || bell->presses ||
                 !services_have_buttons(&loop->tables->services, service);
    return hears ? INT64_MAX : bell->silent + OPENED_WITHIN;
}

static void
follow_presses(struct loop *loop, const struct bell *bell)
{
    const struct service *service = bell->service;
    bool lost = lost_from(loop, bell) <= loop->steady;
    if (lost == services_presses_lost(&loop->tables->services, service)) {
        return;
    }
    say(bell, lost ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO,
        lost ? "nothing has come by its gateway for five minutes, so buttons "
               "and slash commands do nothing; posts count as ever"
             : "buttons and slash commands work again");
    unreachable_lose_presses(loop->tables, service, lost, loop->now);
}

void
bells_follow_presses(struct loop *loop)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        follow_presses(loop, &loop->bells[i]);
    }
}

/* ---- when ---------------------------------------------------------------- */

int64_t
bells_wake(const struct loop *loop, int64_t wake)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        const struct bell *bell = &loop->bells[i];
        if (!services_presses_lost(&loop->tables->services, bell->service) &&
            lost_from(loop, bell) < wake) {
            wake = lost_from(loop, bell);
        }
        if (is_open(bell)) {
            wake = bell->wake != 0 && bell->wake < wake ? bell->wake : wake;
        } else if (is_due(loop, bell, INT64_MAX) && bell->job.next < wake) {
            wake = bell->job.next;
        }
    }
    return wake;
}
