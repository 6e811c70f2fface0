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

int
command_backup(int argc, char **argv)
{
    const char *file = NULL;
    bool replace = false;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = "--replace", .flag = &replace},
                                      {.name = NULL}};
    struct conf conf = {.place_count = 0};
    struct buf why = BUF_INIT;
    bool noted = false;
    const char *word = options_word(rows, argc, argv, "name the file to make");
    if (word == NULL) {
        return EXIT_USAGE;
    }
    int code = options_conf(file, &conf);
    if (code == EXIT_DONE) {
        const struct backup backup = {.path = conf.store,
                                      .to = word,
                                      .now = clock_now(),
                                      .replace = replace};
        if (backup_make(&backup, &noted, &why) == ERR_NONE) {
            print_made(&conf, word, noted);
        } else {
            code = command_fail(&why);
        }
    }
    conf_release(&conf);
    buf_release(&why);
    return code;
}
