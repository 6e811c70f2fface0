#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/sending.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"

/* Tell of everything that waits in that thread, or for that person. */
static void
mark_alarmed(struct loop *loop, const struct queued_message *first)
{
    struct outbox *outbox = &loop->tables->outbox;
    bool private = first->message.kind == MESSAGE_PRIVATE;
    struct queued_message *other = NULL;
    size_t at = 0;
    while ((other = private ? outbox_next_to(outbox, first->message.user, &at)
                            : outbox_next_in_thread(outbox, first->thread,
                                                    &at)) != NULL) {
        if ((other->message.kind == MESSAGE_PRIVATE) == private &&
            strcmp(other->place, first->place) == 0 && !other->alarmed) {
            other->alarmed = true;
            outbox_changed(outbox, other);
            store_alarmed(loop->tables->store, other);
        }
    }
}

static void
raise_alarm(struct loop *loop, const struct queued_message *queued)
{
    struct buf line = BUF_INIT;
    delivery_describe(queued, &line);
    if (queued->searched != 0) {
        buf_addf(&line,
                 "; it may have arrived: the posts since then are looked "
                 "through; if you see it, `placard undelivered --there %lld`, "
                 "if it is not there, `placard undelivered --again %lld`",
                 (long long)queued->id, (long long)queued->id);
    } else if (queued->trouble[0] != '\0') {
        buf_addf(&line, ": %s", queued->trouble);
    }
    struct log_subject subject = delivery_subject(loop->tables, queued);
    mark_alarmed(loop, queued);
    delivery_warn(loop->tables, &subject, buf_text(&line), loop->now);
    buf_release(&line);
}

/* One that is refused for a moment is told to nobody. */
void
waiting_note_refused(struct loop *loop, const struct queued_message *queued)
{
    enum message_kind kind = queued->message.kind;
    bool lacks = queued->refused_at != 0 && queued->refused == REFUSED_RIGHT &&
                 queued->job.failures >= SENDING_TRIES &&
                 (kind == MESSAGE_POST || kind == MESSAGE_STATUS ||
                  kind == MESSAGE_TRANSCRIPT || kind == MESSAGE_OPEN);
    if (lacks && !queued->alarmed &&
        !delivery_is_secret(loop->tables, queued)) {
        raise_alarm(loop, queued);
    }
}

/* What was written in a session has waited since its end, as far as may be
 * told. */
static int64_t
later(int64_t from, const struct hosted_table *hosted)
{
    return hosted != NULL && table_put_at(&hosted->table) > from
               ? table_put_at(&hosted->table)
               : from;
}

/* Tell whoever runs the host of what has waited for ten minutes; of what is
 * secret only once it is not. */
void
waiting_look_after(struct loop *loop)
{
    struct outbox *outbox = &loop->tables->outbox;
    struct queued_message *queued = NULL;
    int64_t since = loop->now - SENDING_ALARM_AFTER;
    while ((queued = outbox_overdue(outbox, since)) != NULL) {
        int64_t from = queued->searched != 0
                           ? queued->searched + SENDING_SEARCH_LONGER
                           : queued->waiting;
        if (queued->hidden) {
            from = later(from, hosted_named(loop->tables, queued->game));
        }
        if (from > since) {
            outbox_put_off(outbox, queued, from);
        } else if (delivery_is_secret(loop->tables, queued)) {
            outbox_put_off(outbox, queued, since + SECOND_MS);
        } else {
            raise_alarm(loop, queued);
        }
    }
}
