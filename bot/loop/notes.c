#include "bot/loop/notes.h"

#include "bot/base/log.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/delivery/delivery.h"

/* "FAILED LEFT", or nothing where none has failed and no rate is known. */
static void
note_operations(struct loop *loop, const struct service *service)
{
    unsigned failed = loop->services[service->number].failed;
    int64_t left = dispatch_take_left(loop->dispatch, service);
    struct buf text = BUF_INIT;
    buf_addf(&text, "%u %lld", failed, (long long)left);
    store_note(loop->tables->store, "operations", service->name, 0,
               failed == 0 && left < 0 ? NULL : buf_text(&text));
    buf_release(&text);
}

/* Told once, also over a restart. */
static void
watch_disk(struct loop *loop)
{
    struct store *store = loop->tables->store;
    struct buf told = BUF_INIT;
    struct buf line = BUF_INIT;
    store_noted(store, "disk", "", &told);
    bool was_low = told.len > 0;
    bool low = loop->disk_left < (was_low ? 2 : 1) * DISK_LEFT_LEAST;
    if (low != was_low) {
        buf_addf(&line, "%s: its disk has %lld MB left%s",
                 loop->tables->conf->store,
                 (long long)(loop->disk_left / 1000000),
                 low ? "; make room: once it is full, nothing can be saved and "
                       "the host ends"
                     : " again");
        log_line(low ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO, "%s",
                 buf_text(&line));
        store_note(store, "disk", "", low ? loop->now : 0, NULL);
        delivery_alarm(loop->tables, buf_text(&line), loop->now);
    }
    buf_release(&told);
    buf_release(&line);
}

void
notes_save(struct loop *loop)
{
    int64_t now = loop->now;
    if (now >= loop->noted && now - loop->noted < MINUTE_MS) {
        return;
    }
    bool any = feeds_note_polls(&loop->tables->feeds, &loop->tables->places);
    /* Nothing is polled yet: again in a second. */
    loop->noted = any ? now : now - MINUTE_MS + SECOND_MS;
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        note_operations(loop, &loop->tables->services.list[i]);
    }
    if (loop->disk_left >= 0) {
        watch_disk(loop);
    }
}
