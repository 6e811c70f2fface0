#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/refusal.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/tables.h"

/* Is it time for another token?  What is under way may end with the old one. */
static void
renew(struct loop *loop, struct loop_service *service)
{
    if (service->renew != 0 && service->renew <= loop->steady) {
        service->renew = 0;
        service->who.done = false;
        service->who.next = 0;
        places_change(&loop->tables->places);
    }
}

void
login_ask(struct loop *loop)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        struct ticket ticket = {.kind = TICKET_WHO, .of = {.service = i}};
        struct job *job = &loop->services[i].who;
        const struct service *service = &loop->tables->services.list[i];
        struct op op = {
            .kind = OP_WHO,
            .presses =
                services_have_buttons(&loop->tables->services, service) ||
                services_have_commands(&loop->tables->services, service)};
        renew(loop, &loop->services[i]);
        if (!job->done && job_is_due(job, loop->steady) &&
            dispatch_has_room(loop->dispatch, service, TICKET_WHO, ROOM_DUE)) {
            job->busy = true;
            loop_ask(loop, service, &op, ticket);
        }
    }
}

/* When an account that is refused is asked about again.  A log-in that was
 * refused is left alone for long: going on trying would only make it worse. */
static void
leave_alone(struct loop *loop, struct job *job, const struct delivery *delivery)
{
    if (delivery->err == ERR_DENIED) {
        int64_t pause = refusal_pause(
            delivery->locked_out ? REFUSED_LOGIN : delivery->outcome.refused,
            job->failures);
        job->next = loop->steady + pause +
                    (int64_t)(loop_chance(loop) * (double)pause / 10);
    }
}

void
login_log_advice(const struct service *service, const struct outcome *outcome)
{
    const char *at = buf_text(&outcome->advice);
    while (*at != '\0') {
        size_t len = strcspn(at, "\n");
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = service->name}, "%s: %.*s",
                  service->name, (int)len, at);
        at += len + (at[len] == '\n');
    }
}

/* A service that does not answer at all: none of its feeds can be read. */
static void
put_off_feeds(struct loop *loop, const struct service *service)
{
    struct feeds *feeds = &loop->tables->feeds;
    int64_t pause =
        loop_pause(loop->services[service->number].who.failures + 1);
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        if (feed->service == service) {
            feed_miss(feed, loop->steady);
            feeds_plan(feeds, feed, loop->steady + pause);
        }
    }
}

/* A service refuses us, or is not there: tell it once, and go on asking.  What
 * does not pass by itself is noted for `status` and `doctor`. */
static void
take_refusal(struct loop *loop, const struct delivery *delivery)
{
    const struct service *service = delivery->service;
    const struct account *account =
        conf_account(loop->tables->conf, service->name);
    struct job *job = &loop->services[service->number].who;
    struct buf text = BUF_INIT;
    bool secret = service_doubts_secret(delivery->outcome.refused);
    bool lasts = delivery->err != ERR_LATER && delivery->err != ERR_LIMITED;
    loop_note(loop, job, delivery);
    leave_alone(loop, job, delivery);
    buf_add_buf(&text, &delivery->why);
    if (lasts && secret) {
        service_advise(service, loop->tables->conf, delivery->err, &text);
    }
    if (delivery->err == ERR_DENIED && secret && account != NULL &&
        account->token_env[0] == '\0') {
        buf_add_text(&text, ", then reload (SIGHUP)");
    }
    log_about(loop_level(job->failures),
              &(struct log_subject){.service = service->name},
              "%s; it is asked again and again", buf_text(&text));
    if (lasts) {
        store_note(loop->tables->store, "refused", service->name, 0,
                   buf_text(&text));
    }
    buf_release(&text);
    loop_alarm(loop, job->failures, delivery);
}

void
login_take(struct loop *loop, const struct delivery *delivery)
{
    unsigned number = delivery->ticket.of.service;
    struct service *service = &loop->tables->services.list[number];
    bool failed_before = loop->services[number].who.failures > 0;
    places_change(&loop->tables->places);
    if (delivery->err == ERR_LATER) {
        put_off_feeds(loop, service);
    }
    if (delivery->err != ERR_NONE) {
        take_refusal(loop, delivery);
        return;
    }
    loop_note(loop, &loop->services[number].who, delivery);
    loop->services[number].silenced = false;
    loop->services[number].renew =
        delivery->outcome.wait > 0 ? loop->steady + delivery->outcome.wait : 0;
    store_note(loop->tables->store, "refused", service->name, 0, NULL);
    if (failed_before) {
        log_about(LOG_LEVEL_INFO,
                  &(struct log_subject){.service = service->name},
                  "%s: answers now", service->name);
        reader_read_all(loop, service);
    }
    (void)snprintf(service->self, sizeof service->self, "%s",
                   buf_text(&delivery->outcome.id));
    service->member = delivery->outcome.member;
    login_log_advice(service, &delivery->outcome);
    loop_take_states(loop, service, &delivery->outcome);
}

/* Find out, before anything else, whether we can get a new token.  If that was
 * tried already, it is no use. */
void
login_close(struct loop *loop, const struct delivery *delivery)
{
    struct job *job = &loop->services[delivery->service->number].who;
    if (!job->done) {
        return;
    }
    places_change(&loop->tables->places);
    job->done = false;
    job->failures = 0;
    job->next = 0;
    if (delivery->locked_out) {
        take_refusal(loop, delivery);
    }
}
