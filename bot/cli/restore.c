#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/cli/command.h"
#include "bot/store/backup.h"

static void
print_unhosted(void *context, const char *game, const char *trouble)
{
    unsigned *unhosted = context;
    (void)printf("%s\n", trouble);
    *unhosted += game[0] != '\0';
}

static void
print_restored(const struct conf *conf, const struct restored *restored,
               unsigned unhosted, unsigned forgotten)
{
    struct buf made = BUF_INIT;
    if (restored->made == 0) {
        buf_add_text(&made, "an unknown time");
    } else {
        instant_write(restored->made, &made);
    }
    (void)printf("%s: the store is as it was at %s", conf->store,
                 buf_text(&made));
    if (!restored->older) {
        (void)printf(", %u game%s on", restored->running,
                     restored->running == 1 ? "" : "s");
    }
    (void)printf(".\n");
    if (unhosted > 0) {
        (void)printf("%u of them can't go on, and will be held.\n", unhosted);
    }
    if (forgotten > 0) {
        (void)printf("People who were forgotten since, and are again: %u.\n",
                     forgotten);
    }
    if (restored->old.len > 0) {
        (void)printf("The store that was there is kept: %s.\n",
                     buf_text(&restored->old));
    }
    (void)printf("Next: `placard run`. %sIt reads again what was posted since "
                 "then, decides it again, and finds what it had posted itself. "
                 "Where a deadline has passed since, the question is asked "
                 "anew.\n",
                 restored->older ? "It rebuilds the store in its format. "
                                 : "");
    buf_release(&made);
}

static enum err
restore(const struct conf *conf, void *context, struct buf *why)
{
    struct restored restored = {.running = 0};
    unsigned unhosted = 0;
    unsigned forgotten = 0;
    const struct restore restore = {.path = conf->store,
                                    .key_file = conf->key_file,
                                    .from = *(const char *const *)context,
                                    .now = clock_now(),
                                    .each = print_unhosted,
                                    .context = &unhosted};
    enum err err = backup_restore(&restore, &restored, why);
    if (err == ERR_NONE && !restored.older) { /* else the host does it */
        err = forget_again(conf, &forgotten, why);
    }
    if (err == ERR_NONE) {
        print_restored(conf, &restored, unhosted, forgotten);
    }
    buf_release(&restored.old);
    return err;
}

int
command_restore(int argc, char **argv)
{
    const char *file = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = NULL}};
    const char *word = options_word(rows, argc, argv, "name the backup");
    return word != NULL ? options_do(file, restore, &word) : EXIT_USAGE;
}
