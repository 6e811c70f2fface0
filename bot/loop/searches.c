#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/loop/sending.h"
#include "bot/tables/tables.h"

/* What the searches through a thread have told. */
struct search {
    struct search *next;
    const struct service *service;
    char *thread;
    struct buf marks; /* as in struct outcome */
    /* All that may have been sent since both of these is among the marks; tried
     * is 0 until a search went back so far: it ends where it finds its
     * message. */
    int64_t written, tried;
};

int64_t
searches_tried(const struct loop *loop, const struct queued_message *queued)
{
    int64_t tried = queued->in_flight != 0 ? queued->in_flight : loop->now;
    int64_t copied = store_copied(loop->tables->store);
    return copied != 0 && copied < tried ? copied : tried;
}

/* Those of a message's thread; NULL: none has told of it.  What this host has
 * sent itself may have come since the thread was read. */
static struct search *
find(struct loop *loop, const struct queued_message *queued, bool add)
{
    const struct service *service = sending_service(loop, queued);
    struct search *search = loop->searches;
    if (queued->message.kind == MESSAGE_PRIVATE || queued->unapproved != 0 ||
        queued->lost_at != 0) {
        return NULL;
    }
    while (search != NULL && (search->service != service ||
                              strcmp(search->thread, queued->thread) != 0)) {
        search = search->next;
    }
    if (search == NULL && add) {
        search = must_alloc(sizeof *search);
        *search = (struct search){.next = loop->searches,
                                  .service = service,
                                  .thread = must_copy(queued->thread)};
        loop->searches = search;
    }
    return search;
}

void
searches_note(struct loop *loop, const struct queued_message *queued,
              const struct delivery *delivery)
{
    const struct outcome *out = &delivery->outcome;
    struct search *search = find(loop, queued, out->marks.len > 0);
    if (delivery->kind != OP_FIND || search == NULL) {
        return;
    }
    /* The same page is read again after a look that failed. */
    if (strstr(buf_text(&search->marks), buf_text(&out->marks)) == NULL) {
        buf_add_buf(&search->marks, &out->marks);
    }
    if (delivery->err == ERR_NONE && out->found == FOUND_NOTHING &&
        (search->tried == 0 || queued->message.written < search->written)) {
        search->written = queued->message.written;
        search->tried = searches_tried(loop, queued);
    }
}

bool
searches_tell(struct loop *loop, const struct queued_message *queued,
              const char *key, struct outcome *known)
{
    const struct search *search = find(loop, queued, false);
    const char *at = search == NULL ? "" : buf_text(&search->marks);
    size_t len = strlen(key);
    while (*at != '\0' && (strncmp(at, key, len) != 0 || at[len] != ' ')) {
        at += strcspn(at, "\n") + 1;
    }
    if (*at != '\0') {
        const char *id = at + len + 1;
        buf_add(&known->id, id, strcspn(id, "\n"));
        known->found = FOUND_IT;
        return known->id.len > 0;
    }
    known->found = FOUND_NOTHING;
    return search != NULL && search->tried != 0 &&
           queued->message.written >= search->written &&
           searches_tried(loop, queued) >= search->tried;
}

void
searches_release(struct loop *loop)
{
    while (loop->searches != NULL) {
        struct search *search = loop->searches;
        loop->searches = search->next;
        free(search->thread);
        buf_release(&search->marks);
        free(search);
    }
}
