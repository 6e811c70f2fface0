#include <stdio.h>

#include "bot/cli/archive.h"

static enum err
export_game(struct archive *archive, const char *game, const char *to,
            bool host, struct buf *why)
{
    struct table table;
    struct buf lines = BUF_INIT;
    table_init(&table);
    enum err err = archive_table(archive, game, &table, why);
    if (err == ERR_NONE && table.state == TABLE_RUNNING) {
        err = host ? archive_note_look(archive, game, why)
                   : err_say(why, ERR_DENIED,
                             "game %s is running: its record holds all roles "
                             "and cards; --host exports it anyway, and the "
                             "thread is told",
                             game);
    }
    if (err == ERR_NONE) {
        err = store_record(archive->store, game, &lines, why);
    }
    if (err == ERR_NONE) {
        err = command_write(&lines, to, 0600, why);
    }
    table_release(&table);
    buf_wipe(&lines);
    return err;
}

int
command_record(int argc, char **argv)
{
    const char *file = NULL;
    const char *to = NULL;
    bool host = false;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "-o", .value = &to},
        {.name = "--host", .flag = &host},
        {.name = NULL},
    };
    struct archive *archive = NULL;
    struct buf why = BUF_INIT;
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc != 2) {
        (void)fprintf(stderr, "placard record: which game? `placard games` "
                              "lists them\n");
        return EXIT_USAGE;
    }
    int code = archive_open(file, &archive);
    if (code != EXIT_DONE) {
        return code;
    }
    code = export_game(archive, argv[1], to, host, &why) == ERR_NONE
               ? EXIT_DONE
               : command_fail(&why);
    buf_release(&why);
    archive_close(archive);
    return code;
}
