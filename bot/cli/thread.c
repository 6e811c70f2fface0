#include <stdio.h>

#include "adapters/board/board_server.h"
#include "bot/cli/command.h"
#include "bot/local/screen.h"

static void
show_post(void *context, const struct board_post *post)
{
    screen_post(context, post);
}

static enum err
show_thread(const struct conf *conf, void *context, struct buf *why)
{
    const char *const *reader = context;
    struct board *board = NULL;
    struct catalogue english;
    struct screen screen;
    enum err err = catalogue_load(&english, "en", THEME_ORIGINAL, why);
    screen_init(&screen, stdout);
    screen.numbers = true;
    screen.catalogue = &english;
    ERR_THEN(err, board_open(conf->board, false, &board, why));
    if (err == ERR_NONE) {
        err = board_read(board, 0, *reader, show_post, &screen, why);
        board_close(board);
    }
    catalogue_release(&english);
    return err;
}

int
command_thread(int argc, char **argv)
{
    const char *file = NULL;
    const char *reader = NULL;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--as", .value = &reader},
        {.name = NULL},
    };
    return options_alone(rows, argc, argv)
               ? options_do(file, show_thread, &reader)
               : EXIT_USAGE;
}
