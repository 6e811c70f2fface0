#include "tests/sim/fault_recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/store/store.h"
#include "tests/sim/fault_world.h"

enum {
    ID_DIGITS = 15 /* an id with so many holds its time, as Discord's do */
};

static void
write_file(const char *kind, const struct buf *text)
{
    char path[512];
    struct buf why = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s/%" PRIu64 ".%s",
                   world.plan->recordings, world.plan->seed, kind);
    if (file_write(path, buf_text(text), text->len, 0600, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    buf_release(&why);
}

/* A table that was not opened has none. */
static void
write_records(const char *path)
{
    struct store *store = NULL;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    if (store_open(path, "", STORE_READ, &store, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    for (unsigned i = 1; i <= world.plan->tables; i++) {
        struct buf record = BUF_INIT;
        char id[16];
        (void)snprintf(id, sizeof id, "%u", i);
        if (store_record(store, id, &record, &why) == ERR_NONE) {
            buf_add_buf(&text, &record);
        }
        buf_release(&record);
    }
    store_close(store);
    write_file("record", &text);
    buf_release(&text);
    buf_release(&why);
}

/* Add a text with a # for each id. */
static void
add_without_ids(const char *text, struct buf *out)
{
    while (*text != '\0') {
        size_t digits = strspn(text, "0123456789");
        if (digits >= ID_DIGITS) {
            buf_add_char(out, '#');
        } else {
            buf_add(out, text, digits == 0 ? 1 : digits);
        }
        text += digits == 0 ? 1 : digits;
    }
    buf_add_text(out, "\n\n");
}

static void
write_posts(void)
{
    const struct fake_people *at = &world.people;
    struct shown_post shown;
    struct buf posts = BUF_INIT;
    for (size_t i = 0; at->service->look(at->server, i, &shown); i++) {
        if (shown.author[0] == '\0') {
            buf_addf(&posts, "[%s%s] %s\n\n", *shown.dm == '\0' ? "" : "to ",
                     shown.dm, shown.text);
        }
    }
    write_file("posts", &posts);
    buf_release(&posts);
}

/* Add what was posted where the nth post stands, if that is the first there. */
static void
add_topic(size_t first, struct buf *out)
{
    const struct fake_people *at = &world.people;
    struct shown_post shown;
    (void)at->service->look(at->server, first, &shown);
    uint64_t topic = shown.topic;
    for (size_t i = 0; i < first; i++) {
        (void)at->service->look(at->server, i, &shown);
        if (*shown.dm == '\0' && shown.topic == topic) {
            return;
        }
    }
    for (size_t i = first; at->service->look(at->server, i, &shown); i++) {
        if (*shown.dm == '\0' && shown.topic == topic &&
            shown.author[0] == '\0' && shown.key[0] != '\0') {
            add_without_ids(shown.text, out);
        }
    }
}

static void
write_rulings(void)
{
    const struct fake_people *at = &world.people;
    struct shown_post shown;
    struct buf rulings = BUF_INIT;
    for (size_t i = 0; at->service->look(at->server, i, &shown); i++) {
        if (*shown.dm == '\0') {
            add_topic(i, &rulings);
        }
    }
    write_file("rulings", &rulings);
    buf_release(&rulings);
}

void
fault_recording_write(const char *store)
{
    write_records(store);
    write_posts();
    write_rulings();
}
