/*
 * The sender: what goes out next, in which form, and what comes of it.
 *
 * The outbox says what waits for what; here is which services take anything,
 * what goes first where one limits what is sent, and what is done about a
 * refusal.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/plainer.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"
#include "bot/tables/calls.h"
#include "bot/tables/delivery.h"
#include "bot/tables/entry.h"
#include "bot/tables/pictures.h"
#include "bot/tables/places.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/timers.h"
#include "bot/tables/unreachable.h"

enum {
    PINGS_MAX = 64, /* of one message */
    TRIES = 3,      /* until it is done in another way */
};

/* A homeserver with limits lets us send every 5 s; this is a bit longer.  The
 * status post waits no longer than this for what is more urgent.  Reactions are
 * of no use later. */
#define SOON_MS       (6 * SECOND_MS)
#define STATUS_LATEST (30 * SECOND_MS)
#define REACT_LATEST  (10 * MINUTE_MS)
#define DELETE_LATEST DAY_MS
#define OPEN_LATEST   MINUTE_MS
#define ALARM_AFTER   (10 * MINUTE_MS)
#define PROBE_FIRST   (15 * SECOND_MS)

/* The place of a message, by its number; PLACES_MAX: not configured. */
static unsigned
place_number(const struct loop *loop, const struct queued_message *queued)
{
    const struct place *place = tables_place(loop->tables, queued->place);
    return place == NULL ? PLACES_MAX
                         : (unsigned)(place - loop->tables->conf->places);
}

/* ---- what goes next ------------------------------------------------------ */

/* What the game waits for goes first, then answers, then the status post, and
 * last what only marks posts of others. */
enum rank {
    RANK_GAME,
    RANK_ANSWER,
    RANK_STATUS,
    RANK_MARK,
};

static enum rank
rank_of(const struct queued_message *queued, int64_t now)
{
    switch (queued->message.kind) {
    case MESSAGE_STATUS:
        return now - queued->waiting >= STATUS_LATEST ? RANK_GAME : RANK_STATUS;
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_LOCK:
        return RANK_MARK;
    case MESSAGE_POST:
    case MESSAGE_PRIVATE:
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_OPEN:
        break;
    }
    return queued->batch > 0 ? RANK_GAME : RANK_ANSWER;
}

/* If a service limits what is sent, a status post or a mark goes alone, and
 * only when nothing of a better rank is about to go: it would take its turn. */
static bool
gives_way(const struct loop *loop, const struct queued_message *queued,
          const struct service *service, int64_t now)
{
    struct tables *tables = loop->tables;
    enum rank rank = rank_of(queued, now);
    if (rank == RANK_GAME ||
        !loop->services[service - tables->services].limited) {
        return false;
    }
    for (size_t i = 0; rank > RANK_ANSWER && i < tables->outbox.count; i++) {
        const struct queued_message *other = tables->outbox.list[i];
        if (other->state == QUEUED_IN_FLIGHT &&
            tables_service(tables, other->place) == service) {
            return true;
        }
    }
    int64_t soon = now + SOON_MS;
    const struct queued_message *other =
        outbox_next(&tables->outbox, NULL, soon);
    while (other != NULL) {
        if (rank_of(other, now) < rank &&
            tables_service(tables, other->place) == service) {
            return true;
        }
        other = outbox_next(&tables->outbox, other, soon);
    }
    return false;
}

/* The next message that may go.  If its service is closed, or its place has
 * left the configuration, it waits, and so do those behind it, but no
 * others. */
static struct queued_message *
next_message(const struct loop *loop, int64_t now)
{
    struct tables *tables = loop->tables;
    struct queued_message *queued = outbox_next(&tables->outbox, NULL, now);
    while (queued != NULL) {
        const struct service *service = tables_service(tables, queued->place);
        if (service != NULL && loop_is_open(loop, service) &&
            !gives_way(loop, queued, service, now)) {
            break;
        }
        queued = outbox_next(&tables->outbox, queued, now);
    }
    return queued;
}

bool
sender_is_ready(const struct loop *loop, int64_t now)
{
    return next_message(loop, now) != NULL;
}

/* ---- what is asked for it ------------------------------------------------ */

/* A message that may have been sent is looked for.  If its picture is a post of
 * its own, the message may be there without it: then it is sent again, for as
 * long as its key keeps the service from posting it twice. */
static bool
is_looked_for(const struct queued_message *queued,
              const struct service *service, int64_t now)
{
    const struct capabilities *capabilities = &service->adapter->capabilities;
    bool again = queued->message.picture && capabilities->pictures_apart &&
                 now - queued->message.written < capabilities->dedupe;
    return queued->doubtful && capabilities->finds && !again;
}

/* Is a status post posted anew?  One that can't be edited is, every other time,
 * unless the whole thread refuses posts: it would stand before what waits. */
static bool
is_posted_anew(const struct queued_message *queued)
{
    return queued->message.kind == MESSAGE_STATUS && queued->refused_at != 0 &&
           !queued->shut && queued->attempts >= TRIES &&
           queued->attempts % 2 == 1;
}

/* Is a post that was sent to be edited? */
static bool
is_edited(const struct queued_message *queued)
{
    bool there = queued->message.kind == MESSAGE_STATUS
                     ? queued->sent[0] != '\0'
                     : queued->delivered != 0;
    return there && queued->unapproved == 0 && !is_posted_anew(queued);
}

static enum op_kind
kind_of_mark(enum message_kind kind)
{
    return kind == MESSAGE_REACT  ? OP_REACT
           : kind == MESSAGE_LOCK ? OP_LOCK
                                  : OP_DELETE;
}

/* The operation for a message; false: its DM must be opened first.  `post`: the
 * one that a thread is to hang on. */
static bool
message_op(const struct queued_message *queued, const struct service *service,
           const char *dm, const char *post, int64_t now, struct op *op)
{
    const struct message *message = &queued->message;
    op->place = queued->thread;
    op->kind = OP_SEND;
    op->since = message->written;
    switch (message->kind) {
    case MESSAGE_TRANSCRIPT:
        break;
    case MESSAGE_PRIVATE:
        op->place = dm;
        op->dm = true;
        op->user = message->user;
        if (dm[0] == '\0') {
            op->kind = OP_DM;
            return false;
        }
        break;
    case MESSAGE_OPEN:
        op->kind = OP_OPEN;
        op->post = post;
        return true;
    case MESSAGE_POST:
    case MESSAGE_STATUS:
        if (is_edited(queued)) {
            op->kind = OP_EDIT;
            op->post = queued->sent;
            return true;
        }
        break;
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_LOCK:
        op->kind = kind_of_mark(message->kind);
        op->place = message->place;
        op->post = message->post;
        return true;
    }
    if (queued->unapproved != 0 || is_looked_for(queued, service, now)) {
        op->kind = OP_FIND;
        op->post = queued->unapproved != 0 ? queued->sent : NULL;
    }
    return true;
}

/* The key of what is sent: each line of a message that is sent line by line has
 * its own key, and so has each status post that replaces another. */
static void
message_key_of(const struct queued_message *queued, struct buf *key)
{
    char part[16] = "";
    bool split = queued->shape == SHAPE_SPLIT;
    if (split || queued->part > 0 || queued->shape == SHAPE_LINE) {
        (void)snprintf(part, sizeof part, ".%u", queued->part + split);
    }
    size_t len = strlen(queued->key);
    size_t over =
        len + strlen(part) > KEY_MAX ? len + strlen(part) - KEY_MAX : 0;
    buf_addf(key, "%s%s", queued->key + over, part);
}

/* The text in the form that is tried now. */
static void
message_text(struct loop *loop, const struct queued_message *queued,
             const struct service *service, int64_t now, struct buf *text)
{
    const struct dialect *dialect = service->adapter->dialect;
    struct buf whole = BUF_INIT;
    bool more = false;
    bool words = queued->message.kind <= MESSAGE_STATUS ||
                 queued->message.kind == MESSAGE_TRANSCRIPT;
    tables_fill(loop->tables, queued, now, &whole);
    switch (words ? queued->shape : SHAPE_WHOLE) {
    case SHAPE_WHOLE:
        buf_add_buf(text, &whole);
        break;
    case SHAPE_PLAIN:
        plainer_text(dialect, buf_text(&whole), text);
        break;
    case SHAPE_SPLIT:
        (void)plainer_line(dialect, buf_text(&whole), queued->part, text,
                           &more);
        break;
    case SHAPE_LINE:
        tables_say_refused(loop->tables, queued, now, text);
        break;
    }
    buf_wipe(&whole);
}

/* Point at each line of a list; line feeds become the ends of strings. */
static unsigned
split_lines(char *list, const char *lines[PINGS_MAX])
{
    unsigned count = 0;
    char *save = NULL;
    for (char *line = list == NULL ? NULL : strtok_r(list, "\n", &save);
         line != NULL && count < PINGS_MAX;
         line = strtok_r(NULL, "\n", &save)) {
        lines[count++] = line;
    }
    return count;
}

/* What goes with a message. */
struct enclosure {
    struct board_picture board;
    struct buf caption;
    struct buf page, name;
};

static void
enclosure_release(struct enclosure *enclosure)
{
    board_picture_release(&enclosure->board);
    buf_release(&enclosure->caption);
    buf_release(&enclosure->page);
    buf_release(&enclosure->name);
}

static enum err
enclose_board(struct loop *loop, const struct queued_message *queued,
              struct enclosure *enclosure, struct picture *picture,
              struct buf *why)
{
    struct board_picture *board = &enclosure->board;
    enum err err = tables_draw(loop->tables, queued, loop->now, board,
                               &enclosure->caption, why);
    if (err == ERR_NONE) {
        *picture = (struct picture){
            .bytes = (const unsigned char *)board->png.data,
            .len = board->png.len,
            .width = board->width,
            .height = board->height,
            .caption = buf_text(&enclosure->caption),
        };
    }
    return err;
}

static enum err
enclose_report(struct loop *loop, const struct queued_message *queued,
               struct enclosure *enclosure, struct picture *picture,
               struct buf *why)
{
    enum err err =
        tables_report(loop->tables, queued, loop->now, &enclosure->page, why);
    if (err == ERR_NONE) {
        buf_addf(&enclosure->name, "table-%s.html", queued->message.report);
        *picture = (struct picture){
            .bytes = (const unsigned char *)enclosure->page.data,
            .len = enclosure->page.len,
            .page = buf_text(&enclosure->name),
        };
    }
    return err;
}

/* Was a picture, or a page, refused there lately? */
static bool
is_unpictured(const struct loop *loop, const struct queued_message *queued,
              bool page)
{
    unsigned number = place_number(loop, queued);
    return number < PLACES_MAX && loop->now < loop->unpictured[number][page];
}

/* A refused picture is told once, and the next one is tried the day after. */
static void
note_unpictured(struct loop *loop, const struct queued_message *queued,
                const struct delivery *delivery, int64_t now)
{
    const struct service *service = tables_service(loop->tables, queued->place);
    unsigned number = place_number(loop, queued);
    bool page = queued->message.report != NULL && service != NULL &&
                service->adapter->capabilities.pages;
    if (delivery->kind != OP_SEND || !delivery->outcome.unpictured ||
        number == PLACES_MAX || is_unpictured(loop, queued, page)) {
        return;
    }
    loop->unpictured[number][page] = now + DAY_MS;
    log_line(LOG_LEVEL_WARNING,
             "place \"%s\": the service refused the %s that went with a post "
             "(%s); for a day, or until the host is started or reloads its "
             "configuration, posts go there without one",
             queued->place, page ? "page" : "picture",
             buf_text(&delivery->outcome.shown));
}

/* Make what goes with a message, if its service takes that; without it the
 * message says as much as it can. */
static void
enclose(struct loop *loop, const struct queued_message *queued,
        const struct service *service, struct enclosure *enclosure,
        struct op *op)
{
    const struct message *message = &queued->message;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    const struct capabilities *capabilities = &service->adapter->capabilities;
    bool page = message->report != NULL && capabilities->pages;
    if (op->kind != OP_SEND || queued->shape != SHAPE_WHOLE ||
        is_unpictured(loop, queued, page)) {
        return;
    }
    if (page) {
        err = enclose_report(loop, queued, enclosure, &op->picture, &why);
    } else if (message->picture && capabilities->uploads) {
        err = enclose_board(loop, queued, enclosure, &op->picture, &why);
    }
    if (err != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "letter %lld goes with nothing: %s",
                 (long long)queued->id, buf_text(&why));
    }
    buf_release(&why);
}

/* ---- sending ------------------------------------------------------------- */

/* Fill in what is sent, and to whom; *kept: it is saved as in flight. */
static enum err
prepare(struct loop *loop, struct queued_message *queued,
        const struct service *service, const char *dm, const char *post,
        struct op *op, struct buf *why)
{
    bool ready = message_op(queued, service, dm, post, loop->now, op);
    queued->state = QUEUED_IN_FLIGHT;
    if (!ready) {
        return ERR_NONE;
    }
    if (!queued->doubtful || queued->in_flight == 0) {
        queued->in_flight = loop->now;
    }
    if (!queued->doubtful && queued->message.deadline != 0) {
        queued->named = tables_names(loop->tables, queued, loop->now);
    }
    return store_save_queued(loop->tables->store, queued, why);
}

/* What the operation borrows until the dispatch has copied it. */
struct parcel {
    struct adapter_state states[ADAPTER_STATES_MAX];
    const char *users[PINGS_MAX];
    struct buf dm, post, key, text;
    struct enclosure enclosure;
    char *pings;
};

static void
parcel_release(struct parcel *parcel)
{
    wipe(parcel->states, sizeof parcel->states);
    buf_release(&parcel->dm);
    buf_release(&parcel->post);
    buf_release(&parcel->key);
    buf_wipe(&parcel->text);
    enclosure_release(&parcel->enclosure);
    free(parcel->pings);
    free(parcel);
}

static enum err
look_up(struct loop *loop, const struct queued_message *queued,
        struct service *service, struct parcel *parcel, unsigned *state_count,
        struct buf *why)
{
    struct tables *tables = loop->tables;
    enum err err = ERR_NONE;
    if (queued->message.kind == MESSAGE_PRIVATE) {
        err =
            tables_dm(tables, service, queued->message.user, &parcel->dm, why);
    }
    if (err == ERR_NONE && queued->message.kind == MESSAGE_OPEN) {
        err = store_status_post(tables->store, queued->game, queued->thread,
                                &parcel->post, why);
    }
    return err == ERR_NONE ? store_states(tables->store, service->name,
                                          parcel->states, state_count, why)
                           : err;
}

/* Save that it is in flight, and hand it to the dispatch. */
static enum err
send_message(struct loop *loop, struct queued_message *queued, struct buf *why)
{
    struct service *service = tables_service(loop->tables, queued->place);
    struct parcel *parcel = must_alloc(sizeof *parcel);
    struct op op = {.states = parcel->states, .now = loop->now};
    enum err err = look_up(loop, queued, service, parcel, &op.state_count, why);
    if (err == ERR_NONE) {
        err = prepare(loop, queued, service, buf_text(&parcel->dm),
                      buf_text(&parcel->post), &op, why);
    }
    if (err == ERR_NONE) {
        message_key_of(queued, &parcel->key);
        if (op.kind == OP_DM) {
            tables_topic(loop->tables, queued, loop->now, &parcel->text);
        } else {
            message_text(loop, queued, service, loop->now, &parcel->text);
        }
        parcel->pings = queued->message.pings == NULL
                            ? NULL
                            : must_copy(queued->message.pings);
        op.key = buf_text(&parcel->key);
        op.text = buf_text(&parcel->text);
        op.urgent = rank_of(queued, loop->now) == RANK_GAME;
        op.pings.users = parcel->users;
        op.pings.count = split_lines(parcel->pings, parcel->users);
        enclose(loop, queued, service, &parcel->enclosure, &op);
        dispatch_submit(loop->dispatch, service, &op,
                        (struct ticket){.kind = TICKET_MESSAGE,
                                        .of = {.message = queued->id}});
    }
    parcel_release(parcel);
    return err;
}

enum err
sender_end_saving(struct loop *loop, enum err err, struct buf *why)
{
    err = tables_end(loop->tables, err, why);
    tables_rest(loop->tables);
    return err;
}

/* Is it of no use any more? */
static bool
is_useless(const struct loop *loop, const struct queued_message *queued,
           int64_t now)
{
    const struct message *message = &queued->message;
    const struct service *service = tables_service(loop->tables, queued->place);
    bool late =
        ((message->kind == MESSAGE_REACT || message->kind == MESSAGE_LOCK) &&
         now - message->written >= REACT_LATEST) ||
        (message->kind == MESSAGE_DELETE &&
         now - message->written >= DELETE_LATEST);
    bool can_edit =
        queued->delivered == 0 || service->adapter->capabilities.edits;
    return late || !can_edit || queued_is_stale(queued, now) ||
           !tables_wants(loop->tables, queued);
}

/* It has ended. */
static enum err
end_message(struct loop *loop, struct queued_message *queued, struct buf *why)
{
    queued->state = QUEUED_SENT;
    enum err err = store_save_queued(loop->tables->store, queued, why);
    outbox_done(&loop->tables->outbox, queued->id);
    return err;
}

/* All that may go are marked as in flight in one transaction.  The dispatch has
 * them, but makes no request before it works next. */
enum err
sender_send(struct loop *loop, int64_t now, struct buf *why)
{
    struct queued_message *queued = next_message(loop, now);
    if (queued == NULL) {
        return ERR_NONE;
    }
    enum err err = store_begin(loop->tables->store, why);
    while (err == ERR_NONE && queued != NULL) {
        err = is_useless(loop, queued, now) ? end_message(loop, queued, why)
                                            : send_message(loop, queued, why);
        tables_rest(loop->tables);
        queued = next_message(loop, now);
    }
    return sender_end_saving(loop, err, why);
}

/* ---- failures ------------------------------------------------------------ */

/* A DM that is gone is opened anew. */
static enum err
forget_dm(struct loop *loop, const struct queued_message *queued,
          struct buf *why)
{
    const struct service *service = tables_service(loop->tables, queued->place);
    return service == NULL ? ERR_NONE
                           : store_set_dm(loop->tables->store, service->name,
                                          queued->message.user, "", why);
}

/* That a service limits what is sent is told once: it is no fault of a message,
 * and lasts for as long as there is much to send. */
static void
tell_limit(struct loop *loop, const struct service *service,
           const struct delivery *delivery)
{
    struct asking *asking = loop_asking(loop, service);
    log_line(asking->limited ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
             "%s; whatever is to be sent there waits its turn, what is "
             "urgent first (this is told once)",
             buf_text(&delivery->why));
    asking->limited = true;
}

/* Of which table it is, what, since when, and why.  Only the first failure of a
 * row is told; in a session nothing that tells who has acted. */
static void
tell_failure(struct loop *loop, const struct queued_message *queued,
             const struct delivery *delivery)
{
    const struct service *service = tables_service(loop->tables, queued->place);
    struct buf line = BUF_INIT;
    bool quiet = delivery->unauthorized || queued->attempts > 1 ||
                 tables_is_secret(loop->tables, queued);
    if (delivery->err == ERR_LIMITED && service != NULL) {
        tell_limit(loop, service, delivery);
        return;
    }
    /* A service may quote the words that it refuses. */
    bool words = queued->message.kind == MESSAGE_PRIVATE &&
                 queued->refused == REFUSED_WORDS &&
                 (delivery->err == ERR_DENIED || delivery->err == ERR_FULL);
    tables_describe(loop->tables, queued, &line);
    log_line(quiet ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
             "%s: %s; it is tried again", buf_text(&line),
             words ? "its words are refused" : buf_text(&delivery->why));
    buf_release(&line);
}

/* The status post is gone, or can't be edited in a thread that takes other
 * posts: another one replaces it. */
static void
replace_status(struct queued_message *queued)
{
    queued->sent[0] = '\0';
    queued->part++;
    queued->attempts = 0;
    queued->not_before = 0;
    queued->doubtful = false;
}

/* Does a refusal end the message?  A post that is gone needs no mark; and an
 * edit that is refused again and again is given up: what it would have said is
 * in the status post. */
static bool
ends_it(const struct queued_message *queued, const struct delivery *delivery)
{
    bool refused = delivery->err == ERR_DENIED || delivery->err == ERR_FULL;
    switch (queued->message.kind) {
    case MESSAGE_REACT:
    case MESSAGE_LOCK:
    case MESSAGE_DELETE:
        return delivery->err == ERR_GONE;
    case MESSAGE_POST:
        return queued->delivered != 0 &&
               (delivery->err == ERR_GONE ||
                (refused && queued->attempts >= TRIES));
    case MESSAGE_PRIVATE:
    case MESSAGE_STATUS:
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_OPEN:
        break;
    }
    return false;
}

/* A game that can't have a thread of its own is played where it was opened.
 * But a right that is missing only for a moment is waited for. */
static bool
stays_where_it_is(const struct queued_message *queued,
                  const struct delivery *delivery, int64_t now)
{
    bool refused = delivery->err == ERR_DENIED && !delivery->unauthorized;
    bool long_ago = now - queued->refused_at >= OPEN_LATEST;
    return queued->message.kind == MESSAGE_OPEN &&
           (delivery->err == ERR_GONE || delivery->err == ERR_FULL ||
            delivery->err == ERR_CONFIG ||
            (refused && long_ago && queued->attempts >= TRIES));
}

/* What a person does not accept is told at their table, and counts as refused.
 * What is only to be put in other words is not told. */
static enum err
tell_refused(struct loop *loop, const struct queued_message *queued,
             int64_t now, struct buf *why)
{
    bool words =
        queued->refused == REFUSED_WORDS || queued->refused == REFUSED_EXTRA;
    enum reachability reach =
        queued->refused == REFUSED_PERSON ? REACH_REFUSED : REACH_BARRED;
    enum err err =
        words ? ERR_NONE : tables_missed(loop->tables, queued, reach, now, why);
    return err == ERR_NONE && queued->message.calls != 0
               ? tables_called(loop->tables, queued, true, now, now, why)
               : err;
}

static void
note_failure(struct loop *loop, struct queued_message *queued,
             const struct delivery *delivery, int64_t now)
{
    struct failure failure = {
        .err = delivery->err,
        .refused = delivery->outcome.refused,
        .wait = delivery->outcome.wait,
        .chance = loop_chance(loop),
    };
    if (delivery->unauthorized && failure.refused != REFUSED_LOGIN) {
        failure.err = ERR_DENIED;
        failure.refused = REFUSED_ACCOUNT;
    }
    bool first = queued->refused_at == 0;
    queued_fail(queued, &failure, now);
    if (first && delivery->unauthorized) {
        queued->refused_at = 0; /* it was not refused for its own sake */
    }
    if (queued->message.kind == MESSAGE_STATUS &&
        queued->shape == SHAPE_SPLIT) {
        queued->shape = SHAPE_LINE;
    }
    queued->shut =
        outbox_is_shut(&loop->tables->outbox, queued->place, queued->thread);
    queued->part += is_posted_anew(queued); /* another post needs another key */
    if (queued->message.kind == MESSAGE_TRANSCRIPT &&
        queued->shape == SHAPE_SPLIT) {
        queued->shape = SHAPE_WHOLE; /* its bytes are the proof */
    }
    if (delivery->kind == OP_FIND) {
        queued->doubtful = true; /* whatever became of looking for it */
    }
    (void)snprintf(queued->trouble, sizeof queued->trouble, "%s",
                   queued->message.kind == MESSAGE_PRIVATE
                       ? ""
                       : buf_text(&delivery->why));
}

static enum err
message_failed(struct loop *loop, struct queued_message *queued,
               const struct delivery *delivery, int64_t now, struct buf *why)
{
    bool private = queued->message.kind == MESSAGE_PRIVATE;
    bool no_dm =
        delivery->err == ERR_GONE && delivery->kind == OP_SEND && private;
    bool first = queued->refused_at == 0;
    enum err err = ERR_NONE;
    note_failure(loop, queued, delivery, now);
    tell_failure(loop, queued, delivery);
    if (no_dm) {
        queued->refused_at = first ? 0 : queued->refused_at;
        queued->not_before = now + 2 * SECOND_MS * queued->attempts;
        return forget_dm(loop, queued, why);
    }
    if (ends_it(queued, delivery)) {
        return end_message(loop, queued, why);
    }
    if (stays_where_it_is(queued, delivery, now)) {
        err = tables_opened(loop->tables, queued, "", "", now, why);
        return err == ERR_NONE ? end_message(loop, queued, why) : err;
    }
    if (queued->message.kind == MESSAGE_STATUS && delivery->err == ERR_GONE &&
        delivery->kind == OP_EDIT) {
        replace_status(queued);
    }
    /* If it waits for another reason, it stays in flight on disk: it may have
     * arrived. */
    if (!queued->doubtful) {
        err = store_save_queued(loop->tables->store, queued, why);
    }
    return err == ERR_NONE && private && first && queued->refused_at != 0
               ? tell_refused(loop, queued, now, why)
               : err;
}

/* ---- successes ----------------------------------------------------------- */

/* A status post is pinned if possible, instead of those of games that are over;
 * if that is denied, it stands there all the same. */
static enum err
pin(struct loop *loop, const struct queued_message *queued, struct buf *why)
{
    const struct service *service = tables_service(loop->tables, queued->place);
    struct op op = {
        .kind = OP_PIN, .place = queued->thread, .post = queued->sent};
    struct buf old = BUF_INIT;
    if (service == NULL || !service->adapter->capabilities.pins) {
        return ERR_NONE;
    }
    enum err err =
        store_old_status(loop->tables->store, queued->thread, &old, why);
    if (err == ERR_NONE) {
        op.text = buf_text(&old);
        err = loop_ask(loop, service, &op, (struct ticket){.kind = TICKET_PIN},
                       why);
    }
    buf_release(&old);
    return err;
}

void
sender_take_pin(const struct delivery *delivery)
{
    if (delivery->err != ERR_NONE) {
        log_line(LOG_LEVEL_DEBUG, "a status post is not pinned: %s",
                 buf_text(&delivery->why));
    }
}

/* Is it a line of a message that has more lines? */
static bool
goes_on(struct loop *loop, const struct queued_message *queued,
        const struct service *service, int64_t now)
{
    struct buf whole = BUF_INIT;
    struct buf line = BUF_INIT;
    bool more = false;
    if (queued->shape == SHAPE_SPLIT && service != NULL) {
        tables_fill(loop->tables, queued, now, &whole);
        (void)plainer_line(service->adapter->dialect, buf_text(&whole),
                           queued->part, &line, &more);
    }
    buf_wipe(&whole);
    buf_wipe(&line);
    return more;
}

/* Does a call take several posts, another of which is not delivered? */
static bool
is_asked_in_part(const struct loop *loop, const struct queued_message *queued)
{
    const struct outbox *outbox = &loop->tables->outbox;
    bool more = false;
    for (size_t i = 0; !more && i < outbox->count; i++) {
        const struct queued_message *other = outbox->list[i];
        more = other != queued && other->delivered == 0 &&
               other->message.calls == queued->message.calls &&
               other->message.kind == queued->message.kind &&
               strcmp(other->game, queued->game) == 0 &&
               (other->message.user == NULL ||
                strcmp(other->message.user, queued->message.user) == 0);
    }
    return more;
}

/* Messages that have waited for long have arrived: once the last of them has,
 * their thread is told. */
static enum err
tell_again(struct loop *loop, struct queued_message *queued, int64_t now,
           struct buf *why)
{
    const struct outbox *outbox = &loop->tables->outbox;
    bool more = false;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *other = outbox->list[i];
        more = more || (other != queued && other->alarmed &&
                        other->message.kind == MESSAGE_POST &&
                        strcmp(other->place, queued->place) == 0 &&
                        strcmp(other->thread, queued->thread) == 0);
    }
    bool told = queued->alarmed && queued->message.kind == MESSAGE_POST &&
                queued->refused_at != 0 && !more;
    queued->alarmed = false;
    return told ? tables_works_again(loop->tables, queued, now, why) : ERR_NONE;
}

/* What is done once a message has arrived. */
static enum err
after_delivery(struct loop *loop, struct queued_message *queued,
               const struct delivery *delivery, int64_t now, struct buf *why)
{
    struct tables *tables = loop->tables;
    const struct service *service = tables_service(tables, queued->place);
    enum err err = ERR_NONE;
    if (delivery->outcome.unseen && !queued->opened) {
        err = tables_missed(tables, queued, REACH_UNSEEN, now, why);
    }
    if (service != NULL && queued->message.kind == MESSAGE_PRIVATE) {
        reader_hasten(tables, service, queued->message.user, now);
    }
    if (err == ERR_NONE && queued->message.kind == MESSAGE_TRANSCRIPT) {
        err = tables_deal(tables, queued->game, now, why);
    }
    if (err == ERR_NONE && queued->message.kind == MESSAGE_STATUS &&
        delivery->kind != OP_EDIT && tables_pins(tables, queued)) {
        err = pin(loop, queued, why);
    }
    if (err == ERR_NONE && delivery->kind == OP_OPEN) {
        err = tables_opened(tables, queued, buf_text(&delivery->outcome.id),
                            buf_text(&delivery->outcome.cursor), now, why);
    }
    return err == ERR_NONE ? tell_again(loop, queued, now, why) : err;
}

/* It is there: `at` is when it arrived, as far as is known. */
static enum err
message_delivered(struct loop *loop, struct queued_message *queued,
                  const struct delivery *delivery, int64_t now, struct buf *why)
{
    char game[TABLE_ID_MAX + 1];
    bool found = delivery->kind == OP_FIND;
    bool call = queued->message.calls != 0 && queued->delivered == 0;
    bool again =
        queued->message.kind == MESSAGE_STATUS && (queued->changed || found);
    if (queued->message.kind != MESSAGE_STATUS && queued->delivered == 0) {
        /* Nobody saw it before it was approved. */
        bool then = found && queued->in_flight != 0 && queued->unapproved == 0;
        queued->delivered = then ? queued->in_flight : now;
    }
    queued->unapproved = 0;
    queued->state = again ? QUEUED_WAITING : QUEUED_SENT;
    enum err err = store_save_queued(loop->tables->store, queued, why);
    queued->changed = again;
    if (err == ERR_NONE && call && !is_asked_in_part(loop, queued)) {
        err = tables_called(loop->tables, queued, false, queued->delivered, now,
                            why);
    }
    if (err == ERR_NONE) {
        err = after_delivery(loop, queued, delivery, now, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    /* Its time may have been moved before anybody knew that it had arrived. */
    unsigned calls =
        tables_misnames(loop->tables, queued, now) ? queued->message.calls : 0;
    (void)snprintf(game, sizeof game, "%s", queued->game);
    outbox_done(&loop->tables->outbox, queued->id);
    return calls == 0 ? ERR_NONE
                      : store_recall(loop->tables->store, game, calls,
                                     &loop->tables->outbox, why);
}

/* Is it there, but unseen until it is approved?  What was unapproved and is not
 * found still is. */
static bool
is_unapproved(const struct queued_message *queued,
              const struct delivery *delivery, const struct service *service)
{
    bool lacks = delivery->kind == OP_FIND && queued->unapproved != 0 &&
                 delivery->outcome.id.len == 0;
    return service != NULL && service->adapter->capabilities.finds &&
           (delivery->outcome.unapproved || lacks);
}

/* It waits for a moderator, and is looked for now and then; a second copy would
 * be approved, too. */
static enum err
message_unapproved(struct loop *loop, struct queued_message *queued,
                   const struct delivery *delivery, int64_t now,
                   struct buf *why)
{
    unsigned number = place_number(loop, queued);
    if (delivery->kind == OP_SEND || delivery->outcome.id.len > 0) {
        (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                       buf_text(&delivery->outcome.id));
    }
    if (queued->unapproved == 0) {
        queued->unapproved = now;
    }
    queued->state = QUEUED_WAITING;
    queued->doubtful = true;
    queued->attempts = 0;
    queued->trouble[0] = '\0';
    queued->not_before =
        now +
        (now - queued->unapproved < ALARM_AFTER ? MINUTE_MS : 5 * MINUTE_MS);
    enum err err = store_save_queued(loop->tables->store, queued, why);
    if (err != ERR_NONE || number == PLACES_MAX ||
        loop->unapproved_told[number] ||
        tables_is_secret(loop->tables, queued)) {
        return err;
    }
    loop->unapproved_told[number] = true;
    return tables_unapproved(loop->tables, queued, now, why);
}

/* A moderator did not approve it: it is sent again, but not at once, for the
 * next copy will wait, too.  This is told together with what is overdue. */
static enum err
message_rejected(struct loop *loop, struct queued_message *queued, int64_t now,
                 struct buf *why)
{
    struct buf line = BUF_INIT;
    tables_describe(loop->tables, queued, &line);
    log_line(LOG_LEVEL_WARNING,
             "%s: a moderator has not approved it; it is sent again in an "
             "hour, or at a start; let the host's account post without "
             "approval",
             buf_text(&line));
    buf_release(&line);
    queued->unapproved = 0;
    queued->sent[0] = '\0';
    queued->doubtful = false;
    queued->state = QUEUED_WAITING;
    queued->attempts = 1;
    queued->not_before = now + HOUR_MS;
    (void)snprintf(queued->trouble, sizeof queued->trouble,
                   "a moderator has not approved it");
    return store_save_queued(loop->tables->store, queued, why);
}

static enum err
message_sent(struct loop *loop, struct queued_message *queued,
             const struct delivery *delivery, int64_t now, struct buf *why)
{
    const char *id = buf_text(&delivery->outcome.id);
    const struct service *service = tables_service(loop->tables, queued->place);
    if (queued->unapproved != 0 && delivery->outcome.rejected) {
        return message_rejected(loop, queued, now, why);
    }
    if (is_unapproved(queued, delivery, service)) {
        return message_unapproved(loop, queued, delivery, now, why);
    }
    queued->doubtful = false;
    if (delivery->kind == OP_FIND && id[0] == '\0') {
        /* It never arrived: send it now. */
        queued->state = QUEUED_WAITING;
        return ERR_NONE;
    }
    if (delivery->kind != OP_EDIT) {
        (void)snprintf(queued->sent, sizeof queued->sent, "%s", id);
    }
    queued->attempts = 0;
    queued->trouble[0] = '\0';
    if (goes_on(loop, queued, service, now)) {
        queued->unapproved = 0;
        queued->part++;
        queued->state = QUEUED_WAITING;
        return store_save_queued(loop->tables->store, queued, why);
    }
    return message_delivered(loop, queued, delivery, now, why);
}

enum err
sender_take(struct loop *loop, const struct delivery *delivery, int64_t now,
            struct buf *why)
{
    struct queued_message *queued =
        outbox_find(&loop->tables->outbox, delivery->ticket.of.message);
    assert(queued != NULL);
    if (delivery->err != ERR_NONE) {
        return message_failed(loop, queued, delivery, now, why);
    }
    struct service *service = tables_service(loop->tables, queued->place);
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err != ERR_NONE) {
        return err;
    }
    note_unpictured(loop, queued, delivery, now);
    if (delivery->kind == OP_DM) {
        queued->state = QUEUED_WAITING;
        queued->opened = true;
        return tables_open_dm(loop->tables, service, queued->message.user,
                              buf_text(&delivery->outcome.id), why);
    }
    return message_sent(loop, queued, delivery, now, why);
}

/* ---- what waits ---------------------------------------------------------- */

/* Does a message wait for a right in its thread? */
static bool
waits_for_right(const struct queued_message *queued)
{
    enum message_kind kind = queued->message.kind;
    return queued->attempts > 0 && queued->refused_at != 0 &&
           queued->refused == REFUSED_RIGHT &&
           (kind == MESSAGE_POST || kind == MESSAGE_STATUS ||
            kind == MESSAGE_TRANSCRIPT || kind == MESSAGE_OPEN);
}

/* One probe of a place's thread serves all that waits there. */
static enum err
probe(struct loop *loop, const struct queued_message *queued, int64_t now,
      struct buf *why)
{
    unsigned number = place_number(loop, queued);
    const struct service *service = tables_service(loop->tables, queued->place);
    if (number == PLACES_MAX || !loop_is_open(loop, service)) {
        return ERR_NONE;
    }
    struct asking *asking = &loop->rights[number];
    if (asking->next == 0) {
        asking->next = now + PROBE_FIRST;
    }
    if (asking->busy || asking->next > now) {
        return ERR_NONE;
    }
    struct op op = {.kind = OP_PROBE, .place = queued->thread};
    asking->busy = true;
    asking->next = now + MINUTE_MS;
    (void)snprintf(loop->refusing[number], sizeof loop->refusing[number], "%s",
                   queued->thread);
    struct ticket ticket = {.kind = TICKET_RIGHT, .of = {.number = number}};
    return loop_ask(loop, service, &op, ticket, why);
}

void
sender_take_right(struct loop *loop, const struct delivery *delivery)
{
    unsigned number = delivery->ticket.of.number;
    struct asking *asking = &loop->rights[number];
    bool may = delivery->err == ERR_NONE &&
               (delivery->outcome.rights & RIGHT_POST) != 0;
    bool came = may && !asking->done;
    asking->busy = false;
    /* If the probe does not see what is refused, that is no reason to try. */
    asking->done = may;
    for (size_t i = 0; came && i < loop->tables->outbox.count; i++) {
        struct queued_message *queued = loop->tables->outbox.list[i];
        if (waits_for_right(queued) && queued->state == QUEUED_WAITING &&
            place_number(loop, queued) == number &&
            strcmp(queued->thread, loop->refusing[number]) == 0) {
            queued->not_before = 0;
        }
    }
}

/* Probe where rights are missing; a place where none are begins anew. */
static enum err
probe_places(struct loop *loop, int64_t now, struct buf *why)
{
    bool lacking[PLACES_MAX] = {false};
    const struct outbox *outbox = &loop->tables->outbox;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        unsigned number = place_number(loop, queued);
        if (waits_for_right(queued) && number < PLACES_MAX &&
            !lacking[number]) {
            lacking[number] = true;
            err = probe(loop, queued, now, why);
        }
    }
    for (unsigned i = 0; i < PLACES_MAX; i++) {
        if (!lacking[i] && !loop->rights[i].busy) {
            loop->rights[i] = (struct asking){.next = 0};
        }
    }
    return err;
}

/* Is it time to tell that a message waits? */
static bool
is_overdue(const struct loop *loop, const struct queued_message *queued,
           int64_t now)
{
    switch (queued->message.kind) {
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_LOCK:
        return false;
    case MESSAGE_POST:
    case MESSAGE_PRIVATE:
    case MESSAGE_STATUS:
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_OPEN:
        break;
    }
    return !queued->alarmed && queued->delivered == 0 && queued->attempts > 0 &&
           queued->game[0] != '\0' && now - queued->waiting >= ALARM_AFTER &&
           !tables_is_secret(loop->tables, queued);
}

/* Tell of everything that waits in that thread, or for that person. */
static enum err
mark_alarmed(struct loop *loop, const struct queued_message *first,
             struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < loop->tables->outbox.count; i++) {
        struct queued_message *other = loop->tables->outbox.list[i];
        bool private = first->message.kind == MESSAGE_PRIVATE;
        bool same =
            (other->message.kind == MESSAGE_PRIVATE) == private &&
            strcmp(other->place, first->place) == 0 &&
            (private ? strcmp(other->message.user, first->message.user) == 0
                     : strcmp(other->thread, first->thread) == 0);
        if (same && !other->alarmed) {
            other->alarmed = true;
            err = store_alarmed(loop->tables->store, other, why);
        }
    }
    return err;
}

/* Tell whoever runs the host of what has waited for ten minutes. */
static enum err
raise_alarm(struct loop *loop, int64_t now, struct buf *why)
{
    const struct outbox *outbox = &loop->tables->outbox;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < outbox->count; i++) {
        struct queued_message *queued = outbox->list[i];
        if (is_overdue(loop, queued, now)) {
            struct buf line = BUF_INIT;
            tables_describe(loop->tables, queued, &line);
            if (queued->trouble[0] != '\0') {
                buf_addf(&line, ": %s", queued->trouble);
            }
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&line));
            err = mark_alarmed(loop, queued, why);
            if (err == ERR_NONE) {
                err = tables_alarm(loop->tables, buf_text(&line), now, why);
            }
            buf_release(&line);
        }
    }
    return err;
}

/* Once nothing waits for approval any more, the next message that does is
 * told. */
static void
forget_queues(struct loop *loop)
{
    bool unapproved[PLACES_MAX + 1] = {false};
    for (size_t i = 0; i < loop->tables->outbox.count; i++) {
        const struct queued_message *queued = loop->tables->outbox.list[i];
        bool waits = queued->unapproved != 0;
        unapproved[place_number(loop, queued)] |= waits;
    }
    for (unsigned i = 0; i < PLACES_MAX; i++) {
        loop->unapproved_told[i] = loop->unapproved_told[i] && unapproved[i];
    }
}

enum err
sender_look_after(struct loop *loop, int64_t now, struct buf *why)
{
    forget_queues(loop);
    enum err err = probe_places(loop, now, why);
    return err == ERR_NONE ? raise_alarm(loop, now, why) : err;
}
