/*
 * Where a DM is a room, somebody may not be in it.  Their table is told once.
 * They are invited again when they next post in public: sending them a message
 * does that (OP_SEND), or it opens another DM.  That this is still to be done
 * is in the store, as nobody's DM: "left" and the person's id.
 */
#include "bot/tables/left.h"

#include <string.h>

#include "bot/host/judge/reachability.h"
#include "bot/tables/entry.h"
#include "bot/tables/tables.h"
#include "bot/tables/unreachable.h"

/* Save that a person is not in the DM (`place`), or that they were invited
 * again (""). */
static enum err
save_left(struct tables *tables, const struct service *service,
          const char *user, const char *place, struct buf *why)
{
    struct buf name = BUF_INIT;
    buf_addf(&name, "left %s", user);
    enum err err =
        store_set_dm(tables->store, service->name, buf_text(&name), place, why);
    buf_release(&name);
    return err;
}

/* Is it noted that a person is not in their DM?  They may have another since.
 */
static enum err
has_left(struct tables *tables, const struct service *service, const char *user,
         bool *left, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf place = BUF_INIT;
    struct buf dm = BUF_INIT;
    buf_addf(&name, "left %s", user);
    enum err err =
        store_dm(tables->store, service->name, buf_text(&name), &place, why);
    if (err == ERR_NONE) {
        err = store_dm(tables->store, service->name, user, &dm, why);
    }
    *left = place.len > 0 && strcmp(buf_text(&place), buf_text(&dm)) == 0;
    buf_release(&name);
    buf_release(&place);
    buf_release(&dm);
    return err;
}

/* Is a table told that somebody has left?  In a session nothing is said of the
 * government: it may be the chancellor's message that was declined. */
static bool
is_told(const struct table *table, const char *user)
{
    return table->state != TABLE_SIGNUP && table->state != TABLE_OVER &&
           !tables_is_hidden(table, user, 0);
}

/* Tell the tables of somebody that they are not in their DM. */
static enum err
tell_left(struct tables *tables, const struct service *service,
          const char *user, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct entry *entry = NULL;
    size_t at = 0;
    while (err == ERR_NONE &&
           (entry = tables_next_of_user(tables, service, user, &at)) != NULL) {
        struct table *table = &entry->table;
        struct ruling ruling;
        if (table == NULL || !is_told(table, user)) {
            continue;
        }
        struct host_env env = tables_env(tables, table, now);
        ruling_init(&ruling, &env, table);
        reach_left(&ruling, user);
        err = tables_save_and_release(tables, &ruling, why);
    }
    return err;
}

/* Whose DM a place is. */
struct owner {
    struct tables *tables;
    const struct service *service;
    const char *place;
    struct buf user; /* "": of nobody at a table */
};

static bool
may_own(void *context, const char *service, const char *user)
{
    const struct owner *owner = context;
    size_t at = 0;
    return strcmp(service, owner->service->name) == 0 &&
           tables_next_of_user(owner->tables, owner->service, user, &at) !=
               NULL;
}

static void
take_owner(void *context, const char *service, const char *user,
           const char *place)
{
    struct owner *owner = context;
    (void)service;
    if (strcmp(place, owner->place) == 0) {
        buf_clear(&owner->user);
        buf_add_text(&owner->user, user);
    }
}

/* Who is not in the DM any more of which a post says so. */
static enum err
find_owner(struct owner *owner, const struct post *post, struct buf *why)
{
    struct store *store = owner->tables->store;
    if (post->author[0] == '\0') {
        return store_dms(store, may_own, take_owner, owner, why);
    }
    struct buf dm = BUF_INIT;
    enum err err =
        store_dm(store, owner->service->name, post->author, &dm, why);
    if (err == ERR_NONE) {
        take_owner(owner, owner->service->name, post->author, buf_text(&dm));
    }
    buf_release(&dm);
    return err;
}

enum err
left_note(struct tables *tables, struct service *service,
          const struct post *post, int64_t now, struct buf *why)
{
    struct owner owner = {tables, service, post->place, BUF_INIT};
    enum err err = find_owner(&owner, post, why);
    const char *user = buf_text(&owner.user);
    if (err == ERR_NONE && user[0] != '\0') {
        err = save_left(tables, service, user, post->place, why);
    }
    if (err == ERR_NONE && user[0] != '\0') {
        err = tell_left(tables, service, user, now, why);
    }
    buf_release(&owner.user);
    return err;
}

enum err
left_came_back(struct tables *tables, const struct service *service,
               const struct post *post, struct buf *why)
{
    bool left = false;
    enum err err = has_left(tables, service, post->author, &left, why);
    return err == ERR_NONE && left
               ? save_left(tables, service, post->author, "", why)
               : err;
}

enum err
left_ask_back(struct tables *tables, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct ruling ruling;
    bool left = false;
    size_t at = 0;
    struct entry *entry =
        post->dm || !service->adapter->capabilities.leaves
            ? NULL
            : tables_next_of_user(tables, service, post->author, &at);
    if (entry == NULL) {
        return ERR_NONE;
    }
    enum err err = has_left(tables, service, post->author, &left, why);
    if (err != ERR_NONE || !left) {
        return err;
    }
    err = save_left(tables, service, post->author, "", why);
    struct table *table = &entry->table;
    if (err == ERR_NONE && table != NULL) {
        struct host_env env = tables_env(tables, table, now);
        ruling_init(&ruling, &env, table);
        reach_back(&ruling, post->author);
        err = tables_save_and_release(tables, &ruling, why);
    }
    return err;
}
