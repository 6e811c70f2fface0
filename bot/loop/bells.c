#include "bot/loop/bells.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/doorbell.h"
#include "adapters/http/http.h"
#include "bot/base/log.h"
#include "bot/feeds/feeds.h"
#include "bot/loop/locating.h"
#include "bot/loop/loop.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/presses.h"
#include "bot/loop/reader.h"
#include "bot/places/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/unreachable.h"

/* So long what is pressed may not come while a doorbell is opened again. */
#define OPENED_WITHIN (5 * MINUTE_MS)

enum {
    EVENTS_AT_ONCE = 1000 /* of a doorbell in a turn; the next takes the rest,
                             without waiting: thousands come after a start */
};

static const struct service *
service_of(const struct loop *loop, const struct bell *bell)
{
    return &loop->tables->services.list[bell - loop->bells.list];
}

static void
wipe_session(struct loop *loop, struct bell *bell)
{
    if (bell->session != NULL) {
        wipe(bell->session, service_of(loop, bell)->adapter->doorbell->size);
        free(bell->session);
        bell->session = NULL;
    }
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
        dispatch_close_socket(loop->dispatch, bell->socket);
    }
    if (bell->stream != NULL) {
        dispatch_close_stream(loop->dispatch, bell->stream);
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
bells_release(struct loop *loop)
{
    for (unsigned i = 0; i < loop->bells.count; i++) {
        struct bell *bell = &loop->bells.list[i];
        disconnect(loop, bell);
        forget_address(bell);
        wipe_session(loop, bell);
    }
    free(loop->bells.list);
    loop->bells = (struct bells){NULL, 0};
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
    const struct service *service = service_of(loop, bell);
    return !is_open(bell) && !bell->never && job_is_due(&bell->job, now) &&
           is_wanted(loop, service) && locating_can_read(loop, service) &&
           dispatch_has_room(loop->dispatch, service, TICKET_BELL);
}

/* It does not listen any more: feeds are polled as without it. */
static void
fall_silent(struct loop *loop, struct bell *bell)
{
    if (bell->listens) {
        log_about(
            LOG_LEVEL_DEBUG,
            &(struct log_subject){.service = service_of(loop, bell)->name},
            "%s: its doorbell is silent", service_of(loop, bell)->name);
        bell->listens = false;
        bell->silent = loop->steady;
        loop->reader.rings[bell - loop->bells.list] = false;
        reader_read_all(loop->tables, service_of(loop, bell), loop->steady);
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
lack_bell(struct loop *loop, struct bell *bell, const struct buf *why)
{
    log_about(LOG_LEVEL_WARNING,
              &(struct log_subject){.service = service_of(loop, bell)->name},
              "%s: %s; the host reads by polling", service_of(loop, bell)->name,
              buf_text(why));
    put_off(loop, bell, true, 0);
    fall_silent(loop, bell);
}

static void
begin_session(struct loop *loop, struct bell *bell)
{
    if (bell->session == NULL) {
        bell->session =
            must_alloc(service_of(loop, bell)->adapter->doorbell->size);
    }
}

/* Poll for all feeds that there are. */
static void
open_poll(struct loop *loop, struct bell *bell)
{
    const struct service *service = service_of(loop, bell);
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
    begin_session(loop, bell);
    bell->feeds = feeds->count;
    bell->own_feeds = all.count;
    if (doorbell->poll(service, bell->session, &all, loop->now, &request,
                       &why)) {
        bell->stream =
            dispatch_open_stream(loop->dispatch, service, &request,
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
open_socket(struct loop *loop, struct bell *bell, const char *url)
{
    struct buf why = BUF_INIT;
    begin_session(loop, bell);
    bell->socket = dispatch_open_socket(loop->dispatch, service_of(loop, bell),
                                        url, loop->now, &why);
    if (bell->socket == NULL) {
        lack_bell(loop, bell, &why);
    }
    buf_release(&why);
}

static void
open_bell(struct loop *loop, struct bell *bell, const char *address)
{
    if (service_of(loop, bell)->adapter->doorbell->poll == NULL) {
        open_socket(loop, bell, address);
    } else {
        bell->address = must_copy(address);
        open_poll(loop, bell);
    }
}

void
bells_ask(struct loop *loop)
{
    struct bells *bells = &loop->bells;
    if (bells->list == NULL) {
        bells->count = loop->tables->services.count;
        bells->list = must_alloc((bells->count + 1) * sizeof(struct bell));
        for (unsigned i = 0; i < bells->count; i++) {
            bells->list[i].silent = loop->steady;
        }
    }
    for (unsigned i = 0; i < bells->count; i++) {
        struct ticket ticket = {.kind = TICKET_BELL, .of = {.service = i}};
        struct op op = {.kind = OP_BELL};
        if (!is_due(loop, &bells->list[i], loop->steady)) {
            continue;
        }
        if (bells->list[i].address != NULL) {
            open_poll(loop, &bells->list[i]);
        } else {
            bells->list[i].job.busy = true;
            loop_ask(loop, &loop->tables->services.list[i], &op, ticket);
        }
    }
}

enum err
bells_take(struct loop *loop, const struct delivery *delivery, struct buf *why)
{
    struct bell *bell = &loop->bells.list[delivery->ticket.of.service];
    bool lacks = delivery->err != ERR_NONE && delivery->err != ERR_LATER &&
                 delivery->err != ERR_LIMITED && !delivery->unauthorized;
    (void)why;
    if (delivery->err == ERR_NONE) {
        bell->job.busy = false;
        open_bell(loop, bell, buf_text(&delivery->outcome.id));
        return ERR_NONE;
    }
    loop_note(loop, &bell->job, delivery);
    bell->never = lacks;
    log_about(delivery->err == ERR_LIMITED
                  ? LOG_LEVEL_DEBUG
                  : loop_level_of(bell->job.failures, delivery),
              &(struct log_subject){.service = service_of(loop, bell)->name},
              "%s; the host reads by polling", buf_text(&delivery->why));
    return ERR_NONE;
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

static void
begin_listening(struct loop *loop, struct bell *bell)
{
    const struct service *service = service_of(loop, bell);
    if (!bell->listens) {
        log_about(LOG_LEVEL_DEBUG,
                  &(struct log_subject){.service = service->name},
                  "%s: its doorbell listens", service->name);
    }
    bell->listens = true;
    loop->reader.rings[bell - loop->bells.list] = true;
}

/* What is to be kept is kept before anything is sent. */
static enum err
obey(struct loop *loop, struct bell *bell, struct bell_output *output,
     struct buf *why)
{
    const struct service *service = service_of(loop, bell);
    enum err err =
        services_save_states(&loop->tables->services, loop->tables->store,
                             service, &output->states, why);
    for (unsigned i = 0; err == ERR_NONE && i < output->text_count; i++) {
        dispatch_send_text(loop->dispatch, bell->socket, &output->texts[i].text,
                           output->texts[i].token_at);
    }
    if (output->wake != 0) {
        bell->wake = tables_steady(loop->tables, output->wake);
    }
    if (output->listens) {
        begin_listening(loop, bell);
    }
    if (output->listens || output->missed) {
        bell->job.failures = 0;
    }
    if (output->missed) {
        reader_read_all(loop->tables, service, loop->steady);
    }
    if (output->rings) {
        reader_ring(loop->tables, service, output->feed, output->post);
    }
    if (err == ERR_NONE) {
        presses_come(loop, service, output);
    }
    return err;
}

/* Hand what happened to the adapter, and do what it says. */
static enum err
tell_once(struct loop *loop, struct bell *bell, struct bell_input *input,
          bool *more, struct buf *why)
{
    const struct service *service = service_of(loop, bell);
    struct bell_output output = {.text_count = 0};
    struct buf said = BUF_INIT;
    input->now = loop->now;
    input->chance = loop_chance(loop);
    service->adapter->doorbell->take(service, bell->session, input, &output,
                                     &said);
    enum err err = obey(loop, bell, &output, why);
    if (said.len > 0) {
        log_about(
            output.never ? LOG_LEVEL_WARNING
                         : loop_level(bell->job.failures + 1),
            &(struct log_subject){.service = service_of(loop, bell)->name},
            "%s", buf_text(&said));
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
    return err;
}

static enum err
tell(struct loop *loop, struct bell *bell, struct bell_input *input,
     struct buf *why)
{
    enum err err = ERR_NONE;
    bool more = true;
    while (err == ERR_NONE && more) {
        err = tell_once(loop, bell, input, &more, why);
    }
    return err;
}

static enum err
tell_opened(struct loop *loop, struct bell *bell, struct buf *why)
{
    const struct adapter_states *states =
        services_states(&loop->tables->services, service_of(loop, bell));
    struct bell_input input = {.event = BELL_OPENED,
                               .states = states->list,
                               .state_count = states->count};
    return tell(loop, bell, &input, why);
}

static enum err
take_event(struct loop *loop, struct bell *bell,
           const struct socket_event *event, struct buf *why)
{
    struct bell_input input = {.event = BELL_TEXT,
                               .text = event->text,
                               .len = event->len,
                               .code = event->code};
    switch (event->kind) {
    case SOCKET_OPENED:
        return tell_opened(loop, bell, why);
    case SOCKET_TEXT:
        break;
    case SOCKET_CLOSED:
        input.event = BELL_CLOSED;
        log_about(
            LOG_LEVEL_DEBUG,
            &(struct log_subject){.service = service_of(loop, bell)->name},
            "%s: its doorbell was closed (%u)%s%s",
            service_of(loop, bell)->name, event->code,
            event->trouble[0] != '\0' ? ": " : "", event->trouble);
        break;
    }
    return tell(loop, bell, &input, why);
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
    const struct feeds *feeds = &loop->tables->feeds;
    const struct service *service = service_of(loop, bell);
    size_t count = 0;
    if (bell->stream == NULL || bell->feeds == feeds->count) {
        return;
    }
    bell->feeds = feeds->count;
    for (size_t i = 0; i < feeds->count; i++) {
        count += feeds->list[i]->service == service;
    }
    if (count != bell->own_feeds) {
        disconnect(loop, bell);
        open_poll(loop, bell);
    }
}

static enum err
work_bell(struct loop *loop, struct bell *bell, struct buf *why)
{
    struct socket_event event;
    enum err err = ERR_NONE;
    for (unsigned i = 0;
         err == ERR_NONE && i < EVENTS_AT_ONCE && next_event(bell, &event);
         i++) {
        err = take_event(loop, bell, &event, why);
    }
    follow_feeds(loop, bell);
    if (err == ERR_NONE && is_open(bell) && bell->wake != 0 &&
        bell->wake <= loop->steady) {
        struct bell_input input = {.event = BELL_TIME};
        bell->wake = 0;
        err = tell(loop, bell, &input, why);
    }
    return err;
}

enum err
bells_work(struct loop *loop, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < loop->bells.count; i++) {
        err = work_bell(loop, &loop->bells.list[i], why);
    }
    return err;
}

/* ---- what is pressed ----------------------------------------------------- */

/* When nothing that is pressed comes any more; INT64_MAX: it does, or there is
 * nothing to press. */
static int64_t
lost_from(const struct loop *loop, const struct bell *bell)
{
    const struct service *service = service_of(loop, bell);
    bool hears = service->adapter->doorbell == NULL || bell->listens ||
                 !services_have_buttons(&loop->tables->services, service);
    return hears ? INT64_MAX : bell->silent + OPENED_WITHIN;
}

static enum err
follow_presses(struct loop *loop, const struct bell *bell, int64_t now,
               struct buf *why)
{
    const struct service *service = service_of(loop, bell);
    bool lost = lost_from(loop, bell) <= loop->steady;
    if (lost == services_presses_lost(&loop->tables->services, service)) {
        return ERR_NONE;
    }
    log_about(
        lost ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO,
        &(struct log_subject){.service = service->name},
        lost
            ? "%s: nothing has come by its gateway for five minutes, so buttons "
              "and slash commands do nothing; posts count as ever"
            : "%s: buttons and slash commands work again",
        service->name);
    return tables_lose_presses(loop->tables, service, lost, now, why);
}

enum err
bells_follow_presses(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < loop->bells.count; i++) {
        err = follow_presses(loop, &loop->bells.list[i], now, why);
    }
    return err;
}

/* ---- when ---------------------------------------------------------------- */

int64_t
bells_wake(const struct loop *loop, int64_t wake)
{
    for (unsigned i = 0; i < loop->bells.count; i++) {
        const struct bell *bell = &loop->bells.list[i];
        if (!services_presses_lost(&loop->tables->services,
                                   service_of(loop, bell)) &&
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
