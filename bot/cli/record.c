#include <stdio.h>

#include "bot/cli/archive.h"

struct export
{
    const char *game, *to;
    bool host; /* even while it runs */
};

static enum err
export_game(struct archive *archive, void *context, struct buf *why)
{
    const struct export *export = context;
    const char *game = export->game;
    struct table table;
    struct buf lines = BUF_INIT;
    table_init(&table);
    enum err err = archive_table(archive, game, &table, why);
    if (err == ERR_NONE && table.state == TABLE_RUNNING) {
        err = export->host
                  ? store_note_look(archive->conf.store, game, why)
                  : err_say(why, ERR_DENIED,
                            "game %s is running: its record holds all roles "
                            "and cards; --host exports it anyway, and the "
                            "thread is told",
                            game);
    }
    ERR_THEN(err, store_record(archive->store, game, &lines, why));
    ERR_THEN(err, command_write(&lines, export->to, 0600, why));
    table_release(&table);
    buf_wipe(&lines);
    return err;
}

int
command_record(int argc, char **argv)
{
    const char *file = NULL;
    struct export export = {.game = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "-o", .value = &export.to},
        {.name = "--host", .flag = &export.host},
        {.name = NULL},
    };
    export.game = options_word(rows, argc, argv,
                               "which game? `placard games` lists them");
    return export.game != NULL ? archive_do(file, export_game, &export)
                               : EXIT_USAGE;
}
