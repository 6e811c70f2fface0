#include "bot/tables/delivery/unreachable.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/words/gallery.h"
#include "bot/host/words/notice.h"
#include "bot/tables/delivery/buttons.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

/* Only the president's cards are sent at a moment that all know.  (Of the
 * chancellor's bot/host/judge/timers.c tells when the session would end.) */
bool
tables_is_hidden(const struct table *table, const char *user, unsigned calls)
{
    unsigned seat = table_seat(table, user);
    bool asks = calls != 0 && table->game.question == QUESTION_DISCARD;
    return table_in_session(table) && !asks &&
           (seat == table->game.president || seat == table->game.chancellor);
}

/* Whoever takes no messages from the host finds buttons in the thread for all
 * that they are asked and may know, and nobody else can tell which way was
 * taken.  Before the deal the host says that it can't write to them, for they
 * may want to mend it. */
static bool
is_needless(struct tables *tables, const struct table *table,
            enum reachability reach)
{
    return reach == REACH_REFUSED && buttons_ask(tables, table);
}

enum err
tables_missed(struct tables *tables, const struct queued_message *queued,
              enum reachability reach, int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    bool helps = queued->message.about != 0 &&
                 queued->message.about != ABOUT_SEAT; /* it asks nothing */
    if (hosted == NULL || helps ||
        tables_is_hidden(&hosted->table, queued->message.user,
                         queued->message.calls) ||
        is_needless(tables, &hosted->table, reach)) {
        return ERR_NONE; /* its game is over, or nobody may know */
    }
    rule_begin_now(tables, hosted, now, &rule);
    reach_missed(&rule.ruling, queued->message.user, reach);
    return rule_end(tables, &rule, why);
}

enum err
tables_lose_presses(struct tables *tables, const struct service *service,
                    bool lost, int64_t now, struct buf *why)
{
    const struct outbox *outbox = &tables->outbox;
    size_t count = lost ? outbox->count : 0; /* more are added */
    enum err err = ERR_NONE;
    services_note_presses(&tables->services, service, lost);
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        const struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_PRIVATE && queued_waits(queued) &&
            outbox_is_unwanted(queued) &&
            places_service(&tables->places, queued->place) == service) {
            err = tables_missed(tables, queued, REACH_REFUSED, now, why);
        }
    }
    return err;
}

/* ---- threads of games ---------------------------------------------------- */

enum err
tables_opened(struct tables *tables, const struct queued_message *queued,
              const char *thread, const char *cursor, int64_t now,
              struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL || !hosted->table.opening) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.table = queued->game,
                                        .place = queued->place},
                  "table %s has begun where it was opened: its own thread came "
                  "too late",
                  queued->game);
        return ERR_NONE;
    }
    rule_begin_now(tables, hosted, now, &rule);
    struct move move = ruling_move(&rule.ruling, MOVE_THREAD, 0);
    (void)snprintf(move.thread, sizeof move.thread, "%s", thread);
    (void)ruling_play(&rule.ruling, &move);
    notice_status(&rule.ruling);
    enum err err = rule_end(tables, &rule, why);
    return err == ERR_NONE && hosted->table.home[0] != '\0'
               ? tables_feeds_add_thread(tables, hosted, cursor, why)
               : err;
}

/* ---- galleries ----------------------------------------------------------- */

enum err
tables_invited(struct tables *tables, const struct queued_message *queued,
               const char *place, int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL || strcmp(hosted->table.gallery_place, place) == 0) {
        return ERR_NONE;
    }
    rule_begin_now(tables, hosted, now, &rule);
    struct move move = ruling_move(&rule.ruling, MOVE_GALLERY, 0);
    (void)snprintf(move.thread, sizeof move.thread, "%s", place);
    (void)ruling_play(&rule.ruling, &move);
    gallery_begin(&rule.ruling);
    return rule_end(tables, &rule, why);
}

enum err
tables_uninvited(struct tables *tables, const struct queued_message *queued,
                 bool none, int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL) {
        return ERR_NONE; /* its game is over */
    }
    rule_begin_now(tables, hosted, now, &rule);
    gallery_refuse(&rule.ruling, queued->message.user, none);
    return rule_end(tables, &rule, why);
}

/* ---- what is still wanted ------------------------------------------------ */

/* Does a status post stand where its game is no more? */
static bool
is_left_behind(const struct queued_message *queued,
               const struct hosted_table *hosted)
{
    return queued->sent[0] != '\0' && hosted != NULL &&
           strcmp(queued->thread, hosted->table.thread) != 0 &&
           strcmp(queued->thread, hosted->table.home) != 0;
}

/* The same of what is said about a game.  One on hold has no table, either. */
static bool
is_wanted(struct tables *tables, const struct queued_message *queued,
          struct hosted_table *hosted)
{
    struct buf why = BUF_INIT;
    const struct table *table = NULL;
    bool known = true;
    if (queued->message.calls == 0 && queued->message.about == 0) {
        return true;
    }
    if (hosted != NULL) {
        table = &hosted->table;
        known = table != NULL;
    } else if (store_is_over(tables->store, queued->game, &known, &why) !=
               ERR_NONE) {
        known = false;
    }
    buf_release(&why);
    return !known || queued_is_wanted(queued, table);
}

bool
tables_wants(struct tables *tables, const struct queued_message *queued)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    switch (queued->message.kind) {
    case MESSAGE_OPEN:
        return hosted != NULL && hosted->table.opening;
    case MESSAGE_STATUS:
        return !is_left_behind(queued, hosted);
    case MESSAGE_INVITE:
        return hosted != NULL;
    case MESSAGE_POST:
    case MESSAGE_PRIVATE:
        return is_wanted(tables, queued, hosted);
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_REACT:
    case MESSAGE_LOCK:
    case MESSAGE_DELETE:
        break;
    }
    return true;
}

bool
tables_pins(const struct tables *tables, const struct queued_message *queued)
{
    const struct hosted_table *hosted = hosted_named(tables, queued->game);
    return hosted == NULL ||
           (!hosted->table.opening &&
            strcmp(hosted->table.thread, queued->thread) == 0);
}
