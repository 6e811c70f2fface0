#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/board/board_server.h"
#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"

enum {
    TEXT_MAX = 65536
};

/* Post in the thread with that number (0: the main one); without a number, in
 * the newest thread or in private to the host. */
static enum err
write_to(struct board *board, const char *author, bool in_private,
         const char *thread, const char *text, struct buf *why)
{
    struct buf place = BUF_INIT;
    if (thread == NULL) {
        return board_write(board, author, in_private, text, NULL, clock_now(),
                           NULL, why);
    }
    buf_add_text(&place, "thread");
    if (strcmp(thread, "0") != 0) {
        buf_addf(&place, "/%s", thread);
    }
    enum err err = board_write_in(board, author, buf_text(&place), text, NULL,
                                  clock_now(), NULL, why);
    buf_release(&place);
    return err;
}

static enum err
write_post(const struct conf *conf, const char *author, bool in_private,
           const char *thread, const char *text, struct buf *why)
{
    struct board *board = NULL;
    struct buf input = BUF_INIT;
    buf_init(&input, TEXT_MAX);
    enum err err = ERR_NONE;
    if (strcmp(text, "-") == 0) {
        err = file_read("-", &input, why);
        text = buf_text(&input);
    }
    if (err == ERR_NONE) {
        err = board_open(conf->board, true, &board, why);
    }
    if (err == ERR_NONE) {
        err = write_to(board, author, in_private, thread, text, why);
        board_close(board);
    }
    buf_release(&input);
    return err;
}

int
command_post(int argc, char **argv)
{
    const char *file = NULL;
    const char *author = NULL;
    const char *thread = NULL;
    bool in_private = false;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--as", .value = &author},
        {.name = "--private", .flag = &in_private},
        {.name = "--thread", .value = &thread},
        {.name = NULL},
    };
    struct buf why = BUF_INIT;
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (author == NULL || argc != 2 || (in_private && thread != NULL)) {
        (void)fprintf(stderr, "placard post: say who writes and what: placard "
                              "post --as NAME [--private | --thread N] TEXT\n");
        return EXIT_USAGE;
    }
    struct conf *conf = must_alloc(sizeof *conf);
    int code = EXIT_FAULT;
    if (options_conf(file, conf)) {
        code = write_post(conf, author, in_private, thread, argv[1], &why) ==
                       ERR_NONE
                   ? EXIT_DONE
                   : command_fail(&why);
    }
    conf_release(conf);
    free(conf);
    buf_release(&why);
    return code;
}
