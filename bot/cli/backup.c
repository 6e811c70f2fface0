#include "bot/store/backup.h"

#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/cli/command.h"

static void
print_made(const struct conf *conf, const char *to, bool noted)
{
    (void)printf("%s: the store as it is now.\n", to);
    if (conf->key_file[0] == '\0') {
        (void)printf("The key is not in it: %s.key.", conf->store);
    } else {
        (void)printf("The key is not in it: %s.", conf->key_file);
    }
    (void)printf(" Without it no game of the backup can go on. Keep a copy of "
                 "the key in another place: with both, whoever finds them "
                 "reads everything.\n");
    if (!noted) {
        (void)fprintf(stderr,
                      "placard backup: %s.backup could not be written: "
                      "`placard doctor` will not know of this backup\n",
                      conf->store);
    }
}

static enum err
make(const struct conf *conf, void *context, struct buf *why)
{
    struct backup *backup = context;
    bool noted = false;
    backup->path = conf->store;
    enum err err = backup_make(backup, &noted, why);
    if (err == ERR_NONE) {
        print_made(conf, backup->to, noted);
    }
    return err;
}

int
command_backup(int argc, char **argv)
{
    const char *file = NULL;
    struct backup backup = {.now = clock_now()};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--replace", .flag = &backup.replace},
        {.name = NULL}};
    backup.to = options_word(rows, argc, argv, "name the file to make");
    return backup.to != NULL ? options_do(file, make, &backup) : EXIT_USAGE;
}
