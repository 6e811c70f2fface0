/*
 * The outbox says what waits for what; here is which services take anything,
 * and what goes first where one limits what is sent.
 */
#include "bot/loop/sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/plainer.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/searches.h"
#include "bot/loop/sending.h"
#include "bot/loop/sent.h"
#include "bot/places/members.h"
#include "bot/tables/buttons.h"
#include "bot/tables/calls.h"
#include "bot/tables/delivery.h"
#include "bot/tables/dms.h"
#include "bot/tables/entry.h"
#include "bot/tables/pictures.h"
#include "bot/tables/tables.h"
#include "bot/tables/unreachable.h"

enum {
    PINGS_MAX = 64, /* of one message */
    AHEAD_MAX = 8   /* answers that are marked before their turn */
};

/* A homeserver with limits lets us send every 5 s; this is a bit longer.  The
 * status post waits no longer than this for what is more urgent.  Reactions are
 * of no use later. */
#define SOON_MS       (6 * SECOND_MS)
#define STATUS_LATEST (30 * SECOND_MS)
#define REACT_LATEST  (10 * MINUTE_MS)
#define DELETE_LATEST DAY_MS

/* ---- what goes next ------------------------------------------------------ */

static enum rank
rank_of(const struct queued_message *queued, int64_t now)
{
    enum rank rank = queued_rank(queued);
    return rank == RANK_STATUS && now - queued->waiting >= STATUS_LATEST
               ? RANK_GAME
               : rank;
}

/* Is anything of a better rank about to go to a service? */
static bool
better_is_due(const struct tables *tables, unsigned service, enum rank rank,
              int64_t now)
{
    bool due = false;
    int64_t soon = tables_steady(tables, now) + SOON_MS;
    for (unsigned i = 0; !due && i < (unsigned)rank; i++) {
        due = outbox_may_by(&tables->outbox, service, (enum rank)i, soon);
    }
    const struct queued_message *status = outbox_first(
        &tables->outbox, service, RANK_STATUS, tables_steady(tables, now));
    return due || (status != NULL && rank_of(status, now) < rank);
}

/* If a service limits what is sent, a status post or a mark goes alone, and
 * only when nothing of a better rank is about to go: it would take its turn. */
static bool
gives_way(const struct loop *loop, unsigned service, enum rank rank,
          int64_t now)
{
    struct outbox *outbox = &loop->tables->outbox;
    if (rank == RANK_GAME || !loop->services[service].limited) {
        return false;
    }
    return (rank > RANK_ANSWER && outbox_flies(outbox, service)) ||
           better_is_due(loop->tables, service, rank, now);
}

/* Can a service take a message now? */
static bool
is_ready(const struct loop *loop, const struct service *service, enum rank rank)
{
    return loop_is_open(loop, service) &&
           (rank == RANK_GAME
                ? dispatch_has_room_for_urgent(loop->dispatch, service)
                : dispatch_has_room(loop->dispatch, service, TICKET_MESSAGE));
}

/* The next message of one rank to a service; NULL: none may go. */
static struct queued_message *
next_of_rank(const struct loop *loop, unsigned service, enum rank rank,
             int64_t now)
{
    struct tables *tables = loop->tables;
    struct queued_message *queued = outbox_first(&tables->outbox, service, rank,
                                                 tables_steady(tables, now));
    if (queued == NULL) {
        return NULL;
    }
    rank = rank_of(queued, now);
    return is_ready(loop, &tables->services.list[service], rank) &&
                   !gives_way(loop, service, rank, now)
               ? queued
               : NULL;
}

/* The oldest message of the best of some ranks that may go to a service that is
 * open and has room. */
static struct queued_message *
next_of_ranks(const struct loop *loop, enum rank first, enum rank last,
              int64_t now)
{
    struct queued_message *next = NULL;
    for (unsigned i = 0; next == NULL && i < loop->tables->services.count;
         i++) {
        for (unsigned rank = first; next == NULL && rank <= (unsigned)last;
             rank++) {
            next = next_of_rank(loop, i, (enum rank)rank, now);
        }
    }
    return next;
}

/* What is no mark of others' posts. */
static struct queued_message *
next_message(const struct loop *loop, int64_t now)
{
    return next_of_ranks(loop, RANK_GAME, RANK_STATUS, now);
}

static struct queued_message *
next_mark(const struct loop *loop, int64_t now)
{
    return next_of_ranks(loop, RANK_MARK, RANK_MARK, now);
}

bool
sender_is_ready(const struct loop *loop, int64_t now)
{
    return next_message(loop, now) != NULL || next_mark(loop, now) != NULL;
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
    return queued->state == QUEUED_DOUBTFUL && capabilities->finds && !again;
}

/* Is a post that was sent to be edited? */
static bool
is_edited(const struct queued_message *queued)
{
    return queued->sent[0] != '\0' && queued->unapproved == 0 &&
           (queued->message.kind == MESSAGE_STATUS || queued->delivered != 0);
}

static enum op_kind
kind_of_mark(enum message_kind kind)
{
    return kind == MESSAGE_REACT  ? OP_REACT
           : kind == MESSAGE_LOCK ? OP_LOCK
                                  : OP_DELETE;
}

/* The operation for a message; false: its DM must be opened first.  `post`: the
 * one that a thread is to hang on; or where the gallery is. */
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
    case MESSAGE_INVITE:
        op->kind = OP_INVITE;
        op->post = post;
        op->user = message->user;
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
        op->cursor = queued->cursor;
        op->post = queued->unapproved != 0 ? queued->sent : NULL;
        op->changed = queued->changed || message->kind == MESSAGE_STATUS;
        op->once =
            message->kind == MESSAGE_POST && queued_rank(queued) == RANK_GAME;
    }
    return true;
}

/* All who are let into a game's gallery have its key: whoever is first, it is
 * opened once. */
static void
add_gallery_key(const struct loop *loop, const struct queued_message *queued,
                struct buf *key)
{
    struct buf whole = BUF_INIT;
    buf_addf(&whole, "%s.%s", store_id(loop->tables->store), queued->game);
    size_t over = whole.len > KEY_MAX ? whole.len - KEY_MAX : 0;
    buf_add_text(key, buf_text(&whole) + over);
    buf_release(&whole);
}

/* The key of what is sent: each line of a message that is sent line by line has
 * its own key, and so has each status post that replaces another. */
static void
message_key_of(const struct loop *loop, const struct queued_message *queued,
               struct buf *key)
{
    if (queued->message.kind == MESSAGE_INVITE) {
        add_gallery_key(loop, queued, key);
        return;
    }
    char part[16] = "";
    bool split = queued_is_split(queued);
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
        (void)plainer_line(dialect, buf_text(&whole), queued_line(queued), text,
                           &more);
        break;
    case SHAPE_LINE:
        tables_say_refused(loop->tables, queued, now, text);
        break;
    }
    buf_wipe(&whole);
}

/* Read whom a message notifies: its text is cut into the users' ids. */
static void
split_pings(char *list, const char *users[PINGS_MAX], struct pings *pings)
{
    char *save = NULL;
    *pings = (struct pings){.users = users, .role = ""};
    for (char *line = list == NULL ? NULL : strtok_r(list, "\n", &save);
         line != NULL && pings->count < PINGS_MAX;
         line = strtok_r(NULL, "\n", &save)) {
        if (strcmp(line, PINGS_ALL) == 0) {
            pings->everybody = true;
        } else if (line[0] == PINGS_ROLE) {
            pings->role = line + 1;
        } else {
            users[pings->count++] = line;
        }
    }
}

/* What an operation borrows until the dispatch has copied it. */
struct borrowed {
    const char *users[PINGS_MAX];
    struct buf dm, post, key, text, others;
    int64_t since; /* of a gallery; 0: of nothing */
    struct board_picture board;
    struct buf caption, page, name; /* of what goes with the message */
    struct buttons buttons;
    char *pings;
};

static void
borrowed_release(struct borrowed *borrowed)
{
    struct buf *bufs[] = {
        &borrowed->dm,     &borrowed->post, &borrowed->key, &borrowed->caption,
        &borrowed->others, &borrowed->page, &borrowed->name};
    for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++) {
        buf_release(bufs[i]);
    }
    buf_wipe(&borrowed->text);
    board_picture_release(&borrowed->board);
    free(borrowed->pings);
    free(borrowed);
}

static enum err
enclose_board(struct loop *loop, const struct queued_message *queued,
              struct borrowed *borrowed, struct picture *picture,
              struct buf *why)
{
    struct board_picture *board = &borrowed->board;
    enum err err = tables_draw(loop->tables, queued, loop->now, board,
                               &borrowed->caption, why);
    if (err == ERR_NONE) {
        *picture = (struct picture){
            .bytes = (const unsigned char *)board->png.data,
            .len = board->png.len,
            .width = board->width,
            .height = board->height,
            .caption = buf_text(&borrowed->caption),
        };
    }
    return err;
}

static enum err
enclose_report(struct loop *loop, const struct queued_message *queued,
               struct borrowed *borrowed, struct picture *picture,
               struct buf *why)
{
    enum err err =
        tables_report(loop->tables, queued, loop->now, &borrowed->page, why);
    if (err == ERR_NONE) {
        buf_addf(&borrowed->name, "table-%s.html", queued->message.report);
        *picture = (struct picture){
            .bytes = (const unsigned char *)borrowed->page.data,
            .len = borrowed->page.len,
            .page = buf_text(&borrowed->name),
        };
    }
    return err;
}

/* Make what goes with a message, if its service takes that; without it the
 * message says as much as it can. */
static void
enclose(struct loop *loop, const struct queued_message *queued,
        const struct service *service, struct borrowed *borrowed, struct op *op)
{
    const struct message *message = &queued->message;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    const struct capabilities *capabilities = &service->adapter->capabilities;
    bool page = message->report != NULL && capabilities->pages;
    if (op->kind != OP_SEND || queued->shape != SHAPE_WHOLE ||
        sending_is_unpictured(loop, queued, page)) {
        return;
    }
    if (page) {
        err = enclose_report(loop, queued, borrowed, &op->picture, &why);
    } else if (message->picture && capabilities->uploads) {
        err = enclose_board(loop, queued, borrowed, &op->picture, &why);
    }
    if (err != ERR_NONE) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.table = queued->game,
                                        .place = queued->place},
                  "message %lld goes without its picture or page: %s",
                  (long long)queued->id, buf_text(&why));
    }
    buf_release(&why);
}

/* ---- sending ------------------------------------------------------------- */

/* Whom it is for, by the name that they have now. */
static void
name_user(const struct loop *loop, const struct service *service, struct op *op)
{
    if (op->user != NULL) {
        const char *name =
            members_name(&loop->tables->members, service, op->user);
        op->member = members_number(&loop->tables->members, service, op->user);
        op->user = name == NULL || name[0] == '\0' ? op->user : name;
    }
}

/* Fill in what is sent, and to whom, and save that it is in flight.  It may
 * have been sent since it was written, or since it was first tried where that
 * is earlier: the service's clock was ahead when it was written, then. */
static enum err
prepare(struct loop *loop, struct queued_message *queued,
        const struct service *service, const char *dm, const char *post,
        struct op *op, struct buf *why)
{
    bool ready = message_op(queued, service, dm, post, loop->now, op);
    bool doubtful = queued->state == QUEUED_DOUBTFUL;
    bool first = !doubtful || queued->in_flight == 0;
    name_user(loop, service, op);
    queued->state = doubtful ? QUEUED_SOUGHT : QUEUED_IN_FLIGHT;
    outbox_changed(&loop->tables->outbox, queued);
    if (!ready) {
        return ERR_NONE;
    }
    if (first) {
        queued->in_flight = loop->now;
    }
    op->tried = searches_tried(loop, queued);
    if (!doubtful && queued->message.deadline != 0) {
        queued->named = tables_names(loop->tables, queued, loop->now);
    }
    return store_save_queued(loop->tables->store, queued, why);
}

/* Where the gallery is, and since when there may be one: as long as the
 * table. */
static void
look_up_gallery(struct loop *loop, const struct queued_message *queued,
                struct borrowed *borrowed)
{
    const struct table *table = tables_find(loop->tables, queued->game);
    if (table != NULL) {
        buf_add_text(&borrowed->post, table->gallery_place);
        borrowed->since = table->began;
    }
}

static enum err
look_up(struct loop *loop, const struct queued_message *queued,
        struct service *service, struct borrowed *borrowed, struct buf *why)
{
    struct tables *tables = loop->tables;
    enum err err = ERR_NONE;
    if (queued->message.kind == MESSAGE_PRIVATE) {
        err = feeds_dm(&tables->feeds, service, queued->message.user,
                       &borrowed->dm, why);
    }
    if (err == ERR_NONE && queued->message.kind == MESSAGE_OPEN) {
        err = store_status_post(tables->store, queued->game, queued->thread,
                                &borrowed->post, why);
    }
    if (err == ERR_NONE && queued->message.kind == MESSAGE_INVITE) {
        look_up_gallery(loop, queued, borrowed);
    }
    return err;
}

/* Must everything be on disk before it is asked for?  Not for what tells
 * nothing that would not be so again after a power cut: the mark of a post, and
 * the opening of a DM. */
static bool
needs_sync(const struct queued_message *queued, enum op_kind kind)
{
    return queued_rank(queued) != RANK_MARK && kind != OP_DM;
}

/* Save that it is in flight, and hand it to the dispatch. */
static enum err
send_message(struct loop *loop, struct queued_message *queued, bool *synced,
             struct buf *why)
{
    struct service *service =
        places_service(&loop->tables->places, queued->place);
    struct borrowed *borrowed = must_alloc(sizeof *borrowed);
    struct op op = {.now = loop->now};
    struct delivery known = {
        .kind = OP_FIND,
        .ticket = {.kind = TICKET_MESSAGE, .of = {.message = queued->id}}};
    enum err err = look_up(loop, queued, service, borrowed, why);
    if (err == ERR_NONE) {
        err = prepare(loop, queued, service, buf_text(&borrowed->dm),
                      buf_text(&borrowed->post), &op, why);
        *synced = *synced || needs_sync(queued, op.kind);
    }
    message_key_of(loop, queued, &borrowed->key);
    if (err == ERR_NONE && op.kind == OP_FIND &&
        searches_tell(loop, queued, buf_text(&borrowed->key),
                      &known.outcome.id)) {
        err = sent_take(loop, &known, why);
        delivery_release(&known);
        borrowed_release(borrowed);
        return err;
    }
    if (err == ERR_NONE && op.kind == OP_FIND) {
        err = store_sent_posts(loop->tables->store, queued->game,
                               queued->thread, &borrowed->others, why);
    }
    if (err == ERR_NONE) {
        op.others = buf_text(&borrowed->others);
        op.since = borrowed->since != 0 ? borrowed->since : op.since;
        if (op.kind == OP_DM) {
            dms_topic(loop->tables, queued, loop->now, &borrowed->text);
        } else {
            message_text(loop, queued, service, loop->now, &borrowed->text);
        }
        borrowed->pings = queued->message.pings == NULL
                              ? NULL
                              : must_copy(queued->message.pings);
        op.key = buf_text(&borrowed->key);
        op.text = buf_text(&borrowed->text);
        op.urgent = rank_of(queued, loop->now) == RANK_GAME;
        split_pings(borrowed->pings, borrowed->users, &op.pings);
        enclose(loop, queued, service, borrowed, &op);
        if ((op.kind == OP_SEND || op.kind == OP_EDIT) &&
            buttons_under(loop->tables, queued, loop->now,
                          &borrowed->buttons)) {
            op.buttons = &borrowed->buttons;
        }
        loop_ask(loop, service, &op, known.ticket);
    }
    borrowed_release(borrowed);
    return err;
}

/* Is it of no use any more? */
static bool
is_useless(const struct loop *loop, const struct queued_message *queued,
           int64_t now)
{
    const struct message *message = &queued->message;
    const struct service *service =
        places_service(&loop->tables->places, queued->place);
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

/* May it be there, so that it is looked for before it is dropped? */
static bool
is_unsettled(const struct loop *loop, const struct queued_message *queued,
             int64_t now)
{
    return (queued->message.kind == MESSAGE_POST ||
            queued->message.kind == MESSAGE_PRIVATE) &&
           queued->delivered == 0 &&
           is_looked_for(queued,
                         places_service(&loop->tables->places, queued->place),
                         now);
}

/* Messages go before marks. */
enum err
sender_send(struct loop *loop, int64_t now, bool *synced, struct buf *why)
{
    struct queued_message *queued = NULL;
    enum err err = ERR_NONE;
    bool any = next_message(loop, now) != NULL;
    *synced = false;
    while (err == ERR_NONE &&
           ((any && (queued = next_message(loop, now)) != NULL) ||
            (queued = next_mark(loop, now)) != NULL)) {
        err = is_useless(loop, queued, now) && !is_unsettled(loop, queued, now)
                  ? store_end_queued(loop->tables->store, &loop->tables->outbox,
                                     queued, why)
                  : send_message(loop, queued, synced, why);
    }
    return err;
}
