#include "bot/tables/delivery/unreachable.h"

#include "bot/tables/delivery/buttons.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"

/* Only the president's cards are sent at a moment that all know.  (Of the
 * chancellor's bot/host/judge/timers.c tells when the session would end.) */
bool
unreachable_is_hidden(const struct table *table, const char *user,
                      unsigned calls)
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

void
unreachable_missed(struct tables *tables, const struct queued_message *queued,
                   enum reachability reach, int64_t now)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    bool helps = queued->message.about != 0 &&
                 queued->message.about != ABOUT_SEAT; /* it asks nothing */
    if (hosted == NULL || helps ||
        unreachable_is_hidden(&hosted->table, queued->message.user,
                              queued->message.calls) ||
        is_needless(tables, &hosted->table, reach)) {
        return;
        /* its game is over, or nobody may know */
    }
    rule_begin_now(tables, hosted, now, &rule);
    reach_missed(&rule.ruling, queued->message.user, reach);
    rule_end(tables, &rule);
}

void
unreachable_lose_presses(struct tables *tables, const struct service *service,
                         bool lost, int64_t now)
{
    const struct outbox *outbox = &tables->outbox;
    size_t count = lost ? outbox->count : 0; /* more are added */
    services_note_presses(&tables->services, service, lost);
    for (size_t i = 0; i < count; i++) {
        const struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_PRIVATE && queued_waits(queued) &&
            outbox_is_unwanted(queued) &&
            places_service(&tables->places, queued->place) == service) {
            unreachable_missed(tables, queued, REACH_REFUSED, now);
        }
    }
}
