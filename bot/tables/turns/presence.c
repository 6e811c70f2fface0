/*
 * Where a DM is a room, somebody may not be in it.  Their table is told once.
 * They are invited again when they next post in public: sending them a message
 * does that (OP_SEND), or it opens another DM.
 */
#include <string.h>

#include "bot/host/judge/reachability.h"
#include "bot/tables/delivery/unreachable.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/turns_inner.h"

/* Is a table told that somebody has left?  In a session nothing is said of the
 * government: it may be the chancellor's message that was declined. */
static bool
is_told(const struct table *table, const char *user)
{
    return table->state != TABLE_SIGNUP && table->state != TABLE_OVER &&
           !unreachable_is_hidden(table, user, 0);
}

/* Tell the tables of somebody that they are not in their DM. */
static enum err
tell_left(struct tables *tables, const struct service *service,
          const char *user, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    while (err == ERR_NONE &&
           (hosted = hosted_next_of_user(tables, service, user, &at)) != NULL) {
        if (is_told(&hosted->table, user)) {
            struct rule rule;
            rule_begin(tables, hosted, now, &rule);
            reach_left(&rule.ruling, user);
            err = rule_end(tables, &rule, why);
        }
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
           hosted_next_of_user(owner->tables, owner->service, user, &at) !=
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

/* Somebody has left their DM, or declined the invitation. */
static enum err
note_left(struct tables *tables, const struct service *service,
          const struct post *post, int64_t now, struct buf *why)
{
    struct owner owner = {tables, service, post->place, BUF_INIT};
    enum err err = find_owner(&owner, post, why);
    const char *user = buf_text(&owner.user);
    if (err == ERR_NONE && user[0] != '\0') {
        err = store_set_absent(tables->store, service->name, user, true, why);
    }
    if (err == ERR_NONE && user[0] != '\0') {
        err = tell_left(tables, service, user, now, why);
    }
    buf_release(&owner.user);
    return err;
}

/* Somebody posts in public: if they have left their DM they are invited again.
 */
static enum err
ask_back(struct tables *tables, const struct service *service,
         const struct post *post, int64_t now, struct buf *why)
{
    bool left = false;
    size_t at = 0;
    struct hosted_table *hosted =
        post->dm || !service->adapter->capabilities.leaves
            ? NULL
            : hosted_next_of_user(tables, service, post->author, &at);
    if (hosted == NULL) {
        return ERR_NONE;
    }
    enum err err =
        store_is_absent(tables->store, service->name, post->author, &left, why);
    if (err != ERR_NONE || !left) {
        return err;
    }
    err = store_set_absent(tables->store, service->name, post->author, false,
                           why);
    if (err == ERR_NONE) {
        struct rule rule;
        rule_begin(tables, hosted, now, &rule);
        reach_back(&rule.ruling, post->author);
        err = rule_end(tables, &rule, why);
    }
    return err;
}

/* Is it a private message that the author of a post refused, and waits? */
static bool
is_missed(const struct tables *tables, const struct service *service,
          const struct queued_message *queued)
{
    return queued->state == QUEUED_WAITING && queued->refused_at != 0 &&
           queued->message.kind == MESSAGE_PRIVATE &&
           places_service(&tables->places, queued->place) == service;
}

/* Send them what could not be delivered. */
static void
hasten_missed(struct tables *tables, const struct service *service,
              const char *user)
{
    struct queued_message *queued = NULL;
    size_t at = 0;
    while ((queued = outbox_next_to(&tables->outbox, user, &at)) != NULL) {
        if (is_missed(tables, service, queued)) {
            outbox_hasten(&tables->outbox, queued);
        }
    }
}

enum err
presence_note(struct tables *tables, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    if (post->kind == POST_LEFT) {
        return note_left(tables, service, post, now, why);
    }
    hasten_missed(tables, service, post->author);
    if (post->kind != POST_CAME) {
        return ask_back(tables, service, post, now, why);
    }
    return post->dm ? store_set_absent(tables->store, service->name,
                                       post->author, false, why)
                    : ERR_NONE;
}
