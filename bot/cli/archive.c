#include "bot/cli/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/store/recover.h"

enum err
archive_open_store(struct archive *archive, struct buf *why)
{
    enum err err = store_open(archive->conf.store, archive->conf.key_file,
                              STORE_READ, &archive->store, why);
    if (err == ERR_GONE) {
        buf_add_text(why, "; `placard run` makes it when it hosts first");
    }
    return err;
}

int
archive_open(const char *file, struct archive **archive)
{
    struct archive *opened = must_alloc(sizeof *opened);
    struct buf why = BUF_INIT;
    int code = options_conf(file, &opened->conf);
    if (code == EXIT_DONE && archive_open_store(opened, &why) != ERR_NONE) {
        code = command_fail(&why);
    }
    buf_release(&why);
    if (code != EXIT_DONE) {
        archive_close(opened);
        return code;
    }
    *archive = opened;
    return EXIT_DONE;
}

void
archive_close(struct archive *archive)
{
    store_close(archive->store);
    conf_release(&archive->conf);
    free(archive);
}

int
archive_do(const char *file, archive_work *work, void *context)
{
    struct archive *archive = NULL;
    struct buf why = BUF_INIT;
    int code = archive_open(file, &archive);
    if (code == EXIT_DONE) {
        code = command_end(work(archive, context, &why), &why);
        archive_close(archive);
    }
    return code;
}

enum err
archive_table(struct archive *archive, const char *game, struct table *table,
              struct buf *why)
{
    enum err err = recover_table(archive->store, game, table, why);
    if (err == ERR_NONE && table->id[0] == '\0') {
        return err_say(why, ERR_GONE,
                       "no game is called \"%s\"; `placard games` lists them",
                       game);
    }
    return err;
}

enum err
archive_say(struct archive *archive, const struct table *table,
            archive_sayer *say, struct buf *out, struct buf *why)
{
    const struct place *place = conf_place(&archive->conf, table->place);
    const struct adapter *adapter = adapter_find(conf_kind_of(
        &archive->conf, place == NULL ? CONF_BOARD : place->service));
    struct catalogue catalogue;
    struct zone *zone = NULL;
    struct rich text = {.count = 0};
    enum err err = catalogue_load(&catalogue, table->settings.language,
                                  table->settings.theme, why);
    if (err != ERR_NONE) {
        return err;
    }
    err = zone_load(table->settings.zone, &zone, why);
    if (err == ERR_NONE) {
        struct host_env env = {
            .catalogue = &catalogue,
            .dialect = adapter->dialect,
            .capabilities = &adapter->capabilities,
            .zone = zone,
            .place = place,
            .now = clock_now(),
        };
        say(&env, table, &text);
        buf_add_buf(out, &text.text);
    }
    rich_wipe(&text);
    zone_free(zone);
    catalogue_release(&catalogue);
    return err;
}

void
archive_say_hidden(unsigned games)
{
    if (games > 0) {
        (void)fprintf(stderr,
                      "placard: %u finished game%s left out: `publish` is off "
                      "in %s place, or the place is not configured\n",
                      games, games == 1 ? " is" : "s are",
                      games == 1 ? "its" : "their");
    }
}
