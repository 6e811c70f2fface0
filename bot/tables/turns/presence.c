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
static void
tell_left(struct tables *tables, const struct service *service,
          const char *user, int64_t now)
{
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    while ((hosted = hosted_next_of_user(tables, service, user, &at)) != NULL) {
        if (is_told(&hosted->table, user)) {
            struct rule rule;
            rule_begin(tables, hosted, now, &rule);
            reach_left(&rule.ruling, user);
            rule_end(tables, &rule);
        }
    }
}

/* Somebody has left their DM, or declined the invitation.  A service may not
 * tell who it was that left. */
static void
note_left(struct tables *tables, const struct service *service,
          const struct post *post, int64_t now)
{
    struct buf owner = BUF_INIT;
    store_dm_user(tables->store, service->name, post->place, &owner);
    const char *user = buf_text(&owner);
    bool theirs = user[0] != '\0' &&
                  (post->author[0] == '\0' || strcmp(post->author, user) == 0);
    if (theirs) {
        store_set_absent(tables->store, service->name, user, true);
        tell_left(tables, service, user, now);
    }
    buf_release(&owner);
}

/* Somebody posts in public: if they have left their DM they are invited again.
 */
static void
ask_back(struct tables *tables, const struct service *service,
         const struct post *post, int64_t now)
{
    size_t at = 0;
    struct hosted_table *hosted =
        post->dm || !service->adapter->capabilities.leaves
            ? NULL
            : hosted_next_of_user(tables, service, post->author, &at);
    if (hosted == NULL ||
        !store_is_absent(tables->store, service->name, post->author)) {
        return;
    }
    store_set_absent(tables->store, service->name, post->author, false);
    struct rule rule;
    rule_begin(tables, hosted, now, &rule);
    reach_back(&rule.ruling, post->author);
    rule_end(tables, &rule);
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

void
presence_note(struct tables *tables, struct service *service,
              const struct post *post, int64_t now)
{
    if (post->kind == POST_LEFT) {
        note_left(tables, service, post, now);
        return;
    }
    hasten_missed(tables, service, post->author);
    if (post->kind != POST_CAME) {
        ask_back(tables, service, post, now);
    } else if (post->dm) {
        store_set_absent(tables->store, service->name, post->author, false);
    }
}
