#include "bot/host/judge/reachability.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/turns_inner.h"

enum err
pending_take(struct tables *tables, struct service *service,
             const struct post *post, int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_of_post(tables, service, post);
    bool again = false;
    enum err err = ERR_NONE;
    if (hosted == NULL || !reach_awaits(&hosted->table, post)) {
        return ERR_NONE;
    }
    /* If it was read already, it waits because of an edit. */
    err = store_was_seen(tables->store, service->name, post, &again, why);
    if (err == ERR_NONE && !again) {
        err =
            store_set_pending(tables->store, service->name, post, &again, why);
    }
    return err == ERR_NONE && !again
               ? rule_say(tables, hosted, post, reach_pending, now, why)
               : err;
}

enum err
pending_approved(struct tables *tables, struct service *service,
                 const struct post *post, bool *late, int64_t now,
                 struct buf *why)
{
    struct hosted_table *hosted = hosted_of_post(tables, service, post);
    *late = false;
    if (hosted == NULL || hosted->table.state != TABLE_RUNNING ||
        post_time(post) >= hosted->table.since) {
        return ERR_NONE;
    }
    enum err err =
        store_was_pending(tables->store, service->name, post, late, why);
    return err == ERR_NONE && *late
               ? rule_say(tables, hosted, post, reach_approved_late, now, why)
               : err;
}
