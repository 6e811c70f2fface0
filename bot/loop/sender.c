/*
 * The outbox says what waits for what; here is which services take anything,
 * and what goes first where one limits what is sent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/slot.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/sending.h"
#include "bot/tables/delivery/buttons.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/delivery/pictures.h"
#include "bot/tables/delivery/unreachable.h"
#include "bot/tables/dms.h"
#include "bot/tables/hosted.h"
#include "bot/tables/places/members.h"
#include "bot/tables/tables.h"

enum {
    PINGS_MAX = 64 /* of one message */
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
           dispatch_has_room(loop->dispatch, service, TICKET_MESSAGE,
                             rank == RANK_GAME ? ROOM_URGENT : ROOM_DUE);
}

/* The oldest message of the best rank that may go to a service that is open and
 * has room; NULL: none may go. */
static struct queued_message *
next_message(const struct loop *loop, int64_t now)
{
    struct tables *tables = loop->tables;
    for (unsigned rank = RANK_GAME; rank <= RANK_MARK; rank++) {
        for (unsigned i = 0; i < tables->services.count; i++) {
            struct queued_message *queued =
                outbox_first(&tables->outbox, i, (enum rank)rank,
                             tables_steady(tables, now));
            if (queued != NULL &&
                is_ready(loop, &tables->services.list[i],
                         rank_of(queued, now)) &&
                !gives_way(loop, i, rank_of(queued, now), now)) {
                return queued;
            }
        }
    }
    return NULL;
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
    return queued->state == QUEUED_DOUBTFUL && capabilities->finds && !again;
}

/* Is a post that was sent to be edited? */
static bool
is_edited(const struct queued_message *queued)
{
    return queued->sent[0] != '\0' && queued->unapproved == 0 &&
           (queued->message.kind == MESSAGE_STATUS ||
            (queued->message.kind == MESSAGE_POST && queued->delivered != 0));
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

/* The operation for a message; false: its DM must be opened first. */
static bool
message_op(const struct queued_message *queued, const struct service *service,
           const struct borrowed *borrowed, int64_t now, struct op *op)
{
    static const enum op_kind kinds[] = {
        [MESSAGE_POST] = OP_SEND,     [MESSAGE_PRIVATE] = OP_SEND,
        [MESSAGE_STATUS] = OP_SEND,   [MESSAGE_TRANSCRIPT] = OP_SEND,
        [MESSAGE_OPEN] = OP_OPEN,     [MESSAGE_INVITE] = OP_INVITE,
        [MESSAGE_REACT] = OP_REACT,   [MESSAGE_LOCK] = OP_LOCK,
        [MESSAGE_DELETE] = OP_DELETE, [MESSAGE_BARE] = OP_EDIT,
    };
    const struct message *message = &queued->message;
    bool private = message->kind == MESSAGE_PRIVATE;
    bool mark = queued_rank(queued) == RANK_MARK;
    op->kind = kinds[message->kind];
    op->since = message->written;
    op->place = private ? buf_text(&borrowed->dm)
                : mark  ? message->place
                        : queued->thread;
    op->post = mark ? message->post : buf_text(&borrowed->post);
    op->dm = private;
    op->user =
        private || message->kind == MESSAGE_INVITE ? message->user : NULL;
    if (private && op->place[0] == '\0') {
        op->kind = OP_DM;
        return false;
    }
    if (op->kind == OP_SEND && is_edited(queued)) {
        op->kind = OP_EDIT;
        op->post = queued->sent;
    } else if (op->kind == OP_SEND && (queued->unapproved != 0 ||
                                       is_looked_for(queued, service, now))) {
        op->kind = OP_FIND;
        op->cursor = queued->cursor;
        op->post = queued->unapproved != 0 ? queued->sent : NULL;
        op->changed = queued->changed || message->kind == MESSAGE_STATUS ||
                      slot_of_votes(message->text) != NULL;
        op->once =
            message->kind == MESSAGE_POST && queued_rank(queued) == RANK_GAME;
    }
    return true;
}

/* The key of what is sent, the end of it if it is too long: each line of a
 * message that is sent line by line has its own key, and so has each status
 * post that replaces another.  All who are let into a game's gallery have its
 * key: whoever is first, it is opened once. */
static void
message_key_of(const struct loop *loop, const struct queued_message *queued,
               struct buf *key)
{
    struct buf whole = BUF_INIT;
    bool split = queued_is_split(queued);
    if (queued->message.kind == MESSAGE_INVITE) {
        buf_addf(&whole, "%s.%s", store_id(loop->tables->store), queued->game);
    } else {
        buf_add_text(&whole, queued->key);
        if (split || queued->part > 0 || queued->shape == SHAPE_LINE) {
            buf_addf(&whole, ".%u", queued->part + split);
        }
    }
    size_t over = whole.len > KEY_MAX ? whole.len - KEY_MAX : 0;
    buf_add_text(key, buf_text(&whole) + over);
    buf_release(&whole);
}

/* Read whom a message notifies: its list is cut into the users' ids. */
static void
split_pings(const char *list, struct borrowed *borrowed, struct pings *pings)
{
    char *save = NULL;
    *pings = (struct pings){.users = borrowed->users, .role = ""};
    borrowed->pings = must_copy(list == NULL ? "" : list);
    for (char *line = strtok_r(borrowed->pings, "\n", &save);
         line != NULL && pings->count < PINGS_MAX;
         line = strtok_r(NULL, "\n", &save)) {
        if (strcmp(line, PINGS_ALL) == 0) {
            pings->everybody = true;
        } else if (line[0] == PINGS_ROLE) {
            pings->role = line + 1;
        } else {
            borrowed->users[pings->count++] = line;
        }
    }
}

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
    wipe(&borrowed->buttons,
         sizeof borrowed->buttons); /* they may name cards */
    board_picture_release(&borrowed->board);
    free(borrowed->pings);
    free(borrowed);
}

/* A board, or a page. */
static enum err
draw(struct loop *loop, const struct queued_message *queued, bool page,
     struct borrowed *borrowed, struct picture *picture, struct buf *why)
{
    struct board_picture *board = &borrowed->board;
    const struct buf *bytes = page ? &borrowed->page : &board->png;
    enum err err = page ? pictures_report(loop->tables, queued, loop->now,
                                          &borrowed->page, why)
                        : pictures_draw(loop->tables, queued, loop->now, board,
                                        &borrowed->caption, why);
    if (page) {
        buf_addf(&borrowed->name, "table-%s.html", queued->message.report);
    }
    if (err == ERR_NONE) {
        *picture = (struct picture){
            .bytes = (const unsigned char *)bytes->data,
            .len = bytes->len,
            .width = board->width,
            .height = board->height,
            .caption = buf_text(&borrowed->caption),
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
    if (page || (message->picture && capabilities->uploads)) {
        err = draw(loop, queued, page, borrowed, &op->picture, &why);
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
static void
prepare(struct loop *loop, struct queued_message *queued,
        const struct service *service, const struct borrowed *borrowed,
        struct op *op)
{
    bool ready = message_op(queued, service, borrowed, loop->now, op);
    bool doubtful = queued->state == QUEUED_DOUBTFUL;
    bool first = !doubtful || queued->in_flight == 0;
    name_user(loop, service, op);
    queued->state = doubtful ? QUEUED_SOUGHT : QUEUED_IN_FLIGHT;
    outbox_changed(&loop->tables->outbox, queued);
    if (!ready) {
        return;
    }
    if (first) {
        queued->in_flight = loop->now;
    }
    op->tried = searches_tried(loop, queued);
    if (!doubtful && queued->message.deadline != 0) {
        queued->named = calls_deadline(loop->tables, queued, loop->now);
    }
    store_save_queued(loop->tables->store, queued);
}

/* Where a DM is, the post that a thread is to hang on, or the gallery, and
 * since when there may be one: as long as the table. */
static void
look_up(struct loop *loop, const struct queued_message *queued,
        struct service *service, struct borrowed *borrowed)
{
    struct tables *tables = loop->tables;
    const struct table *table = hosted_find(tables, queued->game);
    if (queued->message.kind == MESSAGE_PRIVATE) {
        feeds_dm(&tables->feeds, service, queued->message.user, &borrowed->dm);
    }
    if (queued->message.kind == MESSAGE_OPEN) {
        store_status_post(tables->store, queued->game, queued->thread,
                          &borrowed->post);
    }
    if (queued->message.kind == MESSAGE_INVITE && table != NULL) {
        buf_add_text(&borrowed->post, table->gallery_place);
        borrowed->since = table->began;
    }
}

/* Fill in the rest of an operation. */
static void
fill(struct loop *loop, const struct queued_message *queued,
     const struct service *service, struct borrowed *borrowed, struct op *op)
{
    if (op->kind == OP_FIND) {
        store_sent_posts(loop->tables->store, queued->game, queued->thread,
                         &borrowed->others);
    }
    op->others = buf_text(&borrowed->others);
    op->since = borrowed->since != 0 ? borrowed->since : op->since;
    if (op->kind == OP_DM) {
        dms_topic(loop->tables, queued, loop->now, &borrowed->text);
    } else {
        delivery_say(loop->tables, queued, service->adapter->dialect, loop->now,
                     &borrowed->text);
    }
    op->key = buf_text(&borrowed->key);
    op->text = buf_text(&borrowed->text);
    op->urgent = rank_of(queued, loop->now) == RANK_GAME;
    split_pings(queued->message.pings, borrowed, &op->pings);
    enclose(loop, queued, service, borrowed, op);
    if ((op->kind == OP_SEND || op->kind == OP_EDIT) &&
        buttons_under(loop->tables, queued, loop->now, &borrowed->buttons)) {
        op->buttons = &borrowed->buttons;
    }
}

/* Save that it is in flight, and hand it to the dispatch; or take what is known
 * of it already. */
static void
send_message(struct loop *loop, struct queued_message *queued, bool *synced)
{
    struct service *service = sending_service(loop, queued);
    struct borrowed *borrowed = must_alloc(sizeof *borrowed);
    struct op op = {.now = loop->now};
    struct delivery known = {
        .kind = OP_FIND,
        .service = service,
        .ticket = {.kind = TICKET_MESSAGE, .of = {.message = queued->id}}};
    look_up(loop, queued, service, borrowed);
    prepare(loop, queued, service, borrowed, &op);
    /* The mark of a post, and the opening of a DM, tell nothing that would
     * not be so again after a power cut. */
    *synced = *synced || (queued_rank(queued) != RANK_MARK && op.kind != OP_DM);
    message_key_of(loop, queued, &borrowed->key);
    if (op.kind == OP_FIND &&
        searches_tell(loop, queued, buf_text(&borrowed->key), &known.outcome)) {
        sent_take(loop, &known);
    } else {
        fill(loop, queued, service, borrowed, &op);
        loop_ask(loop, service, &op, known.ticket);
    }
    delivery_release(&known);
    borrowed_release(borrowed);
}

/* Is it of no use any more? */
static bool
is_useless(const struct loop *loop, const struct queued_message *queued)
{
    const struct message *message = &queued->message;
    const struct service *service = sending_service(loop, queued);
    bool late =
        ((message->kind == MESSAGE_REACT || message->kind == MESSAGE_LOCK) &&
         loop->now - message->written >= REACT_LATEST) ||
        ((message->kind == MESSAGE_DELETE || message->kind == MESSAGE_BARE) &&
         loop->now - message->written >= DELETE_LATEST);
    bool can_edit =
        queued->delivered == 0 || service->adapter->capabilities.edits;
    return late || !can_edit || queued_is_stale(queued, loop->now) ||
           !delivery_wants(loop->tables, queued);
}

/* May it be there, so that it is looked for before it is dropped? */
static bool
is_unsettled(const struct loop *loop, const struct queued_message *queued)
{
    return (queued->message.kind == MESSAGE_POST ||
            queued->message.kind == MESSAGE_PRIVATE) &&
           queued->delivered == 0 &&
           is_looked_for(queued, sending_service(loop, queued), loop->now);
}

void
sender_send(struct loop *loop, bool *synced)
{
    struct queued_message *queued = NULL;
    *synced = false;
    while ((queued = next_message(loop, loop->now)) != NULL) {
        if (is_useless(loop, queued) && !is_unsettled(loop, queued)) {
            store_end_queued(loop->tables->store, &loop->tables->outbox,
                             queued);
        } else {
            send_message(loop, queued, synced);
        }
    }
}
