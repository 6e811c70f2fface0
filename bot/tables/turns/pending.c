#include "bot/host/judge/reachability.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/turns_inner.h"

void
pending_take(struct tables *tables, struct service *service,
             const struct post *post, int64_t now)
{
    struct hosted_table *hosted = hosted_of_post(tables, service, post);
    if (hosted == NULL || !reach_awaits(&hosted->table, post)) {
        return;
    }
    /* If it was read already, it waits because of an edit. */
    if (!store_was_seen(tables->store, service->name, post) &&
        !store_set_pending(tables->store, service->name, post)) {
        rule_say(tables, hosted, post, reach_pending, now);
    }
}

bool
pending_approved(struct tables *tables, struct service *service,
                 const struct post *post, int64_t now)
{
    struct hosted_table *hosted = hosted_of_post(tables, service, post);
    bool late = hosted != NULL && hosted->table.state == TABLE_RUNNING &&
                post_time(post) < hosted->table.since &&
                store_was_pending(tables->store, service->name, post);
    if (late) {
        rule_say(tables, hosted, post, reach_approved_late, now);
    }
    return late;
}
