#include "bot/loop/notes.h"

#include "bot/base/log.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/delivery/delivery.h"

/* "FAILED LEFT", or nothing where none has failed and no rate is known. */
static enum err
note_operations(struct loop *loop, const struct service *service,
                struct buf *why)
{
    unsigned failed = loop->services[service->number].failed;
    int64_t left = dispatch_take_left(loop->dispatch, service);
    struct buf text = BUF_INIT;
    buf_addf(&text, "%u %lld", failed, (long long)left);
    enum err err =
        store_note(loop->tables->store, "operations", service->name, 0,
                   failed == 0 && left < 0 ? NULL : buf_text(&text), why);
    buf_release(&text);
    return err;
}

/* Told once, also over a restart. */
static enum err
watch_disk(struct loop *loop, struct buf *why)
{
    struct store *store = loop->tables->store;
    struct buf told = BUF_INIT;
    struct buf line = BUF_INIT;
    enum err err = store_noted(store, "disk", "", &told, why);
    bool was_low = told.len > 0;
    bool low = loop->disk_left < (was_low ? 2 : 1) * DISK_LEFT_LEAST;
    if (err == ERR_NONE && low != was_low) {
        buf_addf(&line, "%s: its disk has %lld MB left%s",
                 loop->tables->conf->store,
                 (long long)(loop->disk_left / 1000000),
                 low ? "; make room: once it is full, nothing can be saved and "
                       "the host ends"
                     : " again");
        log_line(low ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO, "%s",
                 buf_text(&line));
        err = store_note(store, "disk", "", low ? loop->now : 0, NULL, why);
    }
    if (err == ERR_NONE && low != was_low) {
        err = delivery_alarm(loop->tables, buf_text(&line), loop->now, why);
    }
    buf_release(&told);
    buf_release(&line);
    return err;
}

enum err
notes_save(struct loop *loop, struct buf *why)
{
    int64_t now = loop->now;
    if (now >= loop->noted && now - loop->noted < MINUTE_MS) {
        return ERR_NONE;
    }
    bool any = false;
    enum err err = feeds_note_polls(&loop->tables->feeds, &loop->tables->places,
                                    &any, why);
    /* Nothing is polled yet: again in a second. */
    loop->noted = any ? now : now - MINUTE_MS + SECOND_MS;
    for (unsigned i = 0; err == ERR_NONE && i < loop->tables->services.count;
         i++) {
        err = note_operations(loop, &loop->tables->services.list[i], why);
    }
    return err == ERR_NONE && loop->disk_left >= 0 ? watch_disk(loop, why)
                                                   : err;
}
