#include "bot/tables/turns/presence.h"

#include <string.h>

#include "bot/tables/turns/left.h"

/* Is it a private message that the author of a post refused, and waits? */
static bool
is_missed(const struct tables *tables, const struct service *service,
          const struct queued_message *queued)
{
    return queued->state == QUEUED_WAITING && queued->refused_at != 0 &&
           queued->message.kind == MESSAGE_PRIVATE &&
           places_service(&tables->places, queued->place) == service;
}

enum err
presence_note(struct tables *tables, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct queued_message *queued = NULL;
    size_t at = 0;
    while ((queued = outbox_next_to(&tables->outbox, post->author, &at)) !=
           NULL) {
        if (is_missed(tables, service, queued)) {
            outbox_hasten(&tables->outbox, queued);
        }
    }
    if (post->kind == POST_CAME) {
        return post->dm ? left_came_back(tables, service, post, why) : ERR_NONE;
    }
    return left_ask_back(tables, service, post, now, why);
}
