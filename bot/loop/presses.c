#include "bot/loop/presses.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/job.h"
#include "bot/base/log.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/hosted.h"
#include "bot/tables/replies.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/intake.h"

enum {
    PRESSES_MAX = 512, /* under way; more of them fail */
    PERSON_MAX = 32,   /* of one person, lest nobody else gets through */
};

/* Discord's limits (D "Receiving and Responding"): until it must be
 * acknowledged, and until it can be answered; a bit less of the second. */
#define FRESH_MS    (3 * SECOND_MS)
#define ANSWERED_BY (14 * MINUTE_MS)
/* Whoever waits for longer is told that they do. */
#define NOTED_MS (2 * SECOND_MS)
/* So long the answer to /new waits for the thread of its table. */
#define OPENED_MS (20 * SECOND_MS)
/* It may come twice, within so long. */
#define KNOWN_MS (10 * SECOND_MS)

enum stage {
    STAGE_ACKNOWLEDGE, /* that is under way */
    STAGE_TAKEN,       /* it is being judged */
    STAGE_READY,       /* to be answered */
    STAGE_REPLY,       /* that is under way, or what can be chosen is told */
    STAGE_DONE         /* only remembered */
};

struct press_slot {
    const struct service *service;
    struct page page; /* with the press */
    struct buf secret;
    int64_t came; /* by tables_steady */
    enum stage stage;
    struct job job; /* the acknowledgement, then the answer */
    struct press_reply reply;
    struct press_reply next; /* when that it is noted was told; no text: none */
};

static void
slot_free(struct press_slot *slot)
{
    page_release(&slot->page);
    buf_wipe(&slot->secret);
    reply_release(&slot->reply);
    reply_release(&slot->next);
    free(slot);
}

void
presses_release(struct presses *presses)
{
    for (size_t i = 0; i < presses->count; i++) {
        slot_free(presses->list[i]);
    }
    free(presses->list);
    *presses = (struct presses){.list = NULL};
}

static bool
is_typed(const struct post *post)
{
    return post->kind == POST_TYPED;
}

/* It is over: only its id is of use, while it may come again. */
static void
finish(struct loop *loop, struct press_slot *slot)
{
    const struct post *post = &slot->page.posts[0];
    slot->stage = STAGE_DONE;
    buf_wipe(&slot->secret);
    reply_release(&slot->reply);
    reply_release(&slot->next);
    if (!is_typed(post)) {
        store_forget_press(loop->tables->store, slot->service->name, post->id);
    }
}

static struct press_slot *
add_slot(struct presses *presses, const struct service *service, int64_t came)
{
    struct press_slot *slot = must_alloc(sizeof *slot);
    presses->list = must_grow(presses->list, (presses->count + 1) *
                                                 sizeof(struct press_slot *));
    presses->list[presses->count++] = slot;
    slot->service = service;
    slot->came = came;
    return slot;
}

static struct press_slot *
find(const struct presses *presses, const struct service *service,
     const char *id)
{
    for (size_t i = 0; i < presses->count; i++) {
        struct press_slot *slot = presses->list[i];
        if (slot->service == service &&
            strcmp(slot->page.posts[0].id, id) == 0) {
            return slot;
        }
    }
    return NULL;
}

/* ---- asking -------------------------------------------------------------- */

static void
ask(struct loop *loop, struct press_slot *slot, enum op_kind kind)
{
    struct ticket ticket = {.kind = TICKET_PRESS, .of = {.press = slot}};
    struct op op = {.kind = kind,
                    .post = slot->page.posts[0].id,
                    .place = slot->page.posts[0].place,
                    .text = slot->reply.text,
                    .buttons = &slot->reply.buttons,
                    .secret = buf_text(&slot->secret),
                    .urgent = true};
    slot->stage = kind == OP_ACKNOWLEDGE ? STAGE_ACKNOWLEDGE : STAGE_REPLY;
    loop_ask(loop, slot->service, &op, ticket);
}

/* Is it of a kind that is offered?  Slash commands are answered with buttons.
 */
static bool
is_offered(const struct loop *loop, const struct service *service,
           const struct post *post)
{
    bool slash = is_typed(post) || post->body[0] == '/';
    return services_have_commands(&loop->tables->services, service) ||
           (!slash && services_have_buttons(&loop->tables->services, service));
}

/* How many are there of one person? */
static unsigned
count_of(const struct presses *presses, const struct service *service,
         const char *author)
{
    unsigned count = 0;
    for (size_t i = 0; i < presses->count; i++) {
        const struct press_slot *slot = presses->list[i];
        count += slot->service == service &&
                 strcmp(slot->page.posts[0].author, author) == 0;
    }
    return count;
}

/* Does it come in time, for the first time, and is there room for it? */
static bool
is_good(struct loop *loop, const struct service *service,
        const struct post *post)
{
    int64_t age =
        tables_service_now(loop->tables, service, loop->now) - post->stamp;
    if (!is_offered(loop, service, post) ||
        find(&loop->presses, service, post->id) != NULL) {
        return false;
    }
    if (age > FRESH_MS) {
        log_about(
            LOG_LEVEL_DEBUG, &(struct log_subject){.service = service->name},
            "%s: a press came %lld ms late", service->name, (long long)age);
        return false;
    }
    return loop->presses.count < PRESSES_MAX &&
           count_of(&loop->presses, service, post->author) < PERSON_MAX &&
           dispatch_has_room(loop->dispatch, service, TICKET_PRESS,
                             ROOM_URGENT);
}

void
presses_come(struct loop *loop, const struct service *service,
             struct bell_output *output)
{
    struct presses *presses = &loop->presses;
    const struct post *post = output->pressed.posts;
    if (output->pressed.count > 0 && post->kind == POST_DELETED) {
        struct service *own = &loop->tables->services.list[service->number];
        if (hosted_of_thread(loop->tables, service, post->place) != NULL) {
            intake_take_press(loop->tables, own, post, loop->now);
        }
        return;
    }
    if (output->pressed.count > 0 && post->kind == POST_AUTHOR) {
        intake_meet(loop->tables, service, post);
        return;
    }
    if (output->pressed.count == 0 || !is_good(loop, service, post)) {
        return;
    }
    struct press_slot *slot = add_slot(presses, service, loop->steady);
    slot->page = output->pressed;
    slot->secret = output->secret;
    output->pressed = (struct page){NULL, 0};
    output->secret = (struct buf)BUF_INIT;
    bool typed = is_typed(post);
    if (typed) {
        tables_suggest(loop->tables, service, post, &slot->reply.buttons);
    } else {
        store_set_press(loop->tables->store, service->name, post, loop->now,
                        buf_text(&slot->secret));
    }
    ask(loop, slot, typed ? OP_SUGGEST : OP_ACKNOWLEDGE);
}

/* ---- what came of it ----------------------------------------------------- */

static void
take_in(struct loop *loop, struct press_slot *slot)
{
    struct tables *tables = loop->tables;
    struct post *post = &slot->page.posts[0];
    slot->stage = STAGE_TAKEN;
    post->quiet = reader_is_quiet(loop, slot->service, post);
    intake_take_press(tables, &tables->services.list[slot->service->number],
                      post, loop->now);
    reader_hurry_press(loop, slot->service, post->place);
}

static void
lose(struct loop *loop, struct press_slot *slot)
{
    slot->stage = STAGE_TAKEN;
    intake_lose_press(loop->tables,
                      &loop->tables->services.list[slot->service->number],
                      &slot->page.posts[0], loop->now);
}

/* Only what was acknowledged is taken in: of all else its author is told that
 * it failed; by us, if the service may have taken the acknowledgement. */
static void
take_acknowledged(struct loop *loop, struct press_slot *slot,
                  const struct delivery *delivery)
{
    if (delivery->err == ERR_NONE) {
        take_in(loop, slot);
        return;
    }
    log_line(LOG_LEVEL_DEBUG, "%s", buf_text(&delivery->why));
    if (delivery->err != ERR_LATER) {
        finish(loop, slot);
        return;
    }
    if (slot->job.failures++ == 0 && loop->steady - slot->came < FRESH_MS) {
        ask(loop, slot, OP_ACKNOWLEDGE);
    } else {
        lose(loop, slot);
    }
}

/* Whoever was told that it is noted is told the rest once that is known. */
static void
go_on(struct loop *loop, struct press_slot *slot)
{
    bool noted = slot->reply.noted;
    slot->job = (struct job){.next = 0};
    if (slot->next.text != NULL) {
        reply_release(&slot->reply);
        slot->reply = slot->next;
        slot->next.text = NULL;
        slot->stage = STAGE_READY;
    } else if (noted) {
        reply_release(&slot->reply);
        slot->stage = STAGE_TAKEN;
    } else {
        finish(loop, slot);
    }
}

/* A service that fails for minutes may answer again: until then its user sees
 * that the bot is thinking. */
static void
take_replied(struct loop *loop, struct press_slot *slot,
             const struct delivery *delivery)
{
    int64_t wait = delivery->outcome.wait;
    int64_t pause = job_pause(slot->job.failures + 1, SECOND_MS, MINUTE_MS);
    bool again = (delivery->err == ERR_LATER || delivery->err == ERR_LIMITED) &&
                 !is_typed(&slot->page.posts[0]) && slot->next.text == NULL &&
                 loop->steady - slot->came < ANSWERED_BY;
    if (delivery->err != ERR_NONE) {
        log_line(LOG_LEVEL_DEBUG, "%s", buf_text(&delivery->why));
    }
    if (delivery->err == ERR_NONE || !again) {
        go_on(loop, slot);
        return;
    }
    slot->stage = STAGE_READY;
    job_fail(&slot->job, wait > pause ? wait : pause, 0, loop->steady);
}

void
presses_take(struct loop *loop, const struct delivery *delivery)
{
    struct press_slot *slot = delivery->ticket.of.press;
    if (slot->stage == STAGE_ACKNOWLEDGE) {
        take_acknowledged(loop, slot, delivery);
    } else {
        take_replied(loop, slot, delivery);
    }
}

/* ---- answering ----------------------------------------------------------- */

/* That it is noted is told only if nothing else is to be told soon. */
static void
give(struct press_slot *slot, struct press_reply *reply, int64_t now)
{
    struct press_reply *to = &slot->reply;
    if (slot->stage == STAGE_REPLY) {
        to = &slot->next;
    } else {
        slot->stage = STAGE_READY;
        slot->job = (struct job){.next = reply->noted ? now + NOTED_MS : 0};
    }
    reply_release(to);
    *to = *reply;
}

static void
collect(struct loop *loop)
{
    struct replies *replies = &loop->tables->replies;
    for (size_t i = 0; i < replies->count; i++) {
        struct press_reply *reply = &replies->list[i];
        struct press_slot *slot =
            find(&loop->presses, reply->service, reply->press);
        if (slot != NULL && slot->stage != STAGE_ACKNOWLEDGE &&
            slot->stage != STAGE_DONE) {
            give(slot, reply, loop->steady);
        } else {
            reply_release(reply);
        }
    }
    replies->count = 0;
}

/* Can it be forgotten: does nothing refer to it? */
static bool
is_past(const struct press_slot *slot, int64_t now)
{
    bool under_way =
        slot->stage == STAGE_ACKNOWLEDGE || slot->stage == STAGE_REPLY;
    int64_t after = slot->stage == STAGE_DONE ? KNOWN_MS : ANSWERED_BY;
    return !under_way && now - slot->came >= after;
}

/* One that could not be answered in time is over: what it did shows in its
 * thread. */
static void
forget_past(struct loop *loop)
{
    struct presses *presses = &loop->presses;
    size_t kept = 0;
    for (size_t i = 0; i < presses->count; i++) {
        struct press_slot *slot = presses->list[i];
        if (!is_past(slot, loop->steady)) {
            presses->list[kept++] = slot;
            continue;
        }
        if (slot->stage != STAGE_DONE) {
            finish(loop, slot);
        }
        slot_free(slot);
    }
    presses->count = kept;
}

/* Of one of before the start no more is known than its id and place. */
static void
load_one(void *context, const char *service, const char *id, const char *place,
         int64_t came, const char *secret)
{
    struct loop *loop = context;
    const struct service *at = services_find(&loop->tables->services, service);
    if (at == NULL) {
        return;
    }
    struct press_slot *slot =
        add_slot(&loop->presses, at, loop->steady - (loop->now - came));
    struct post *post = page_add(&slot->page);
    post->kind = POST_PRESSED;
    post->id = must_copy(id);
    post->place = must_copy(place);
    page_finish(&slot->page);
    buf_add_text(&slot->secret, secret);
    slot->stage = STAGE_TAKEN;
}

/* Take up those of before the start.  Those that are deferred are answered when
 * they are judged. */
static void
load(struct loop *loop)
{
    struct store *store = loop->tables->store;
    store_presses(store, load_one, loop);
    loop->presses.loaded = true;
    collect(loop);
    for (size_t i = 0; i < loop->presses.count; i++) {
        struct press_slot *slot = loop->presses.list[i];
        if (slot->stage == STAGE_TAKEN &&
            !store_is_deferred(store, slot->service->name,
                               slot->page.posts[0].id)) {
            lose(loop, slot);
        }
    }
}

/* Who has opened a table is told where it is: at the end of the answer, once
 * its thread is there, or where it is called for if that takes long. */
static bool
tell_place(struct loop *loop, struct press_slot *slot)
{
    struct press_reply *reply = &slot->reply;
    struct hosted_table *hosted = hosted_named(loop->tables, reply->opened);
    const struct table *table = hosted == NULL ? NULL : &hosted->table;
    if (reply->opened[0] == '\0' || table == NULL ||
        slot->service->adapter->link == NULL) {
        return true;
    }
    if (table->settings.new_thread &&
        slot->service->adapter->capabilities.threads &&
        strcmp(table->thread, table->home) == 0 &&
        loop->steady - slot->came < OPENED_MS) {
        slot->job.next = loop->steady + SECOND_MS / 4;
        return false;
    }
    struct buf text = BUF_INIT;
    buf_addf(&text, "%s ", reply->text);
    slot->service->adapter->link(slot->service, table->thread, "", &text);
    free(reply->text);
    reply->text = buf_take(&text);
    reply->opened[0] = '\0';
    return true;
}

void
presses_answer(struct loop *loop)
{
    struct presses *presses = &loop->presses;
    if (!presses->loaded) {
        load(loop);
    }
    collect(loop);
    forget_past(loop);
    for (size_t i = 0; i < presses->count; i++) {
        struct press_slot *slot = presses->list[i];
        if (slot->stage == STAGE_READY &&
            job_is_due(&slot->job, loop->steady) &&
            dispatch_has_room(loop->dispatch, slot->service, TICKET_PRESS,
                              ROOM_URGENT) &&
            tell_place(loop, slot)) {
            ask(loop, slot, OP_REPLY);
        }
    }
}

int64_t
presses_wake(const struct loop *loop, int64_t wake)
{
    for (size_t i = 0; i < loop->presses.count; i++) {
        const struct press_slot *slot = loop->presses.list[i];
        if (slot->stage == STAGE_READY) {
            wake = job_wake(&slot->job, wake);
        }
    }
    return wake;
}
