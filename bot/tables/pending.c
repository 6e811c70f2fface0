#include "bot/tables/pending.h"

#include "bot/host/judge/reachability.h"
#include "bot/tables/entry.h"
#include "bot/tables/tables.h"

/* Save a post that waits for approval under this name until it is approved. */
static void
describe_pending(const struct post *post, struct post *note, struct buf *id)
{
    buf_addf(id, "pending %s", post->id);
    *note = *post;
    note->id = id->data;
}

/* Tell somebody something about a post, at the table of its thread. */
static enum err
notify_of_post(struct tables *tables, struct entry *entry,
               const struct post *post,
               void (*say)(struct ruling *ruling, const struct post *post),
               int64_t now, struct buf *why)
{
    struct table *table = &entry->table;
    struct ruling ruling;
    struct host_env env = tables_env(tables, table, now);
    ruling_init(&ruling, &env, table);
    say(&ruling, post);
    return tables_save_and_release(tables, &ruling, why);
}

enum err
pending_take(struct tables *tables, struct service *service,
             const struct post *post, int64_t now, struct buf *why)
{
    struct entry *entry =
        post->dm ? NULL : tables_of_thread(tables, service, post->place);
    struct buf id = BUF_INIT;
    struct post note;
    bool again = false;
    enum err err = ERR_NONE;
    struct table *table = entry == NULL ? NULL : &entry->table;
    if (table == NULL || !reach_awaits(table, post)) {
        return ERR_NONE;
    }
    /* If it was read already, it waits because of an edit. */
    err = store_was_seen(tables->store, service->name, post, &again, why);
    describe_pending(post, &note, &id);
    if (err == ERR_NONE && !again) {
        err = store_see(tables->store, service->name, &note, "", &again, why);
    }
    buf_release(&id);
    return err == ERR_NONE && !again
               ? notify_of_post(tables, entry, post, reach_pending, now, why)
               : err;
}

enum err
pending_approved(struct tables *tables, struct service *service,
                 const struct post *post, bool *late, int64_t now,
                 struct buf *why)
{
    struct entry *entry =
        post->dm ? NULL : tables_of_thread(tables, service, post->place);
    struct buf id = BUF_INIT;
    struct post note;
    *late = false;
    if (entry == NULL || entry->table.state != TABLE_RUNNING ||
        post_time(post) >= entry->table.since) {
        return ERR_NONE;
    }
    describe_pending(post, &note, &id);
    enum err err =
        store_was_seen(tables->store, service->name, &note, late, why);
    buf_release(&id);
    return err == ERR_NONE && *late
               ? notify_of_post(tables, entry, post, reach_approved_late, now,
                                why)
               : err;
}
