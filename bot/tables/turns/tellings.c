#include "bot/tables/turns/tellings.h"

#include "bot/host/words/notice.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/posts.h"

static enum err
tell(struct tables *tables, struct hosted_table *hosted, int64_t now,
     struct buf *why)
{
    struct rule rule;
    enum err err = store_begin(tables->store, why);
    if (err != ERR_NONE) {
        return err;
    }
    rule_begin(tables, hosted, tables_service_now(tables, hosted->service, now),
               &rule);
    notice_votes(&rule.ruling);
    err = rule_end(tables, &rule, why);
    return tables_end(tables, err, why);
}

enum err
tellings_work(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct heap_item *first = NULL;
    while (err == ERR_NONE &&
           (first = heap_first(&tables->hosted.tellings)) != NULL &&
           first->at <= now) {
        heap_remove(&tables->hosted.tellings, first);
        err = tell(tables, first->owner, now, why);
    }
    return err;
}

int64_t
tellings_wake(const struct tables *tables, int64_t wake)
{
    const struct heap_item *first = heap_first(&tables->hosted.tellings);
    return first != NULL && first->at < wake ? first->at : wake;
}
