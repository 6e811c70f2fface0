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

/* What the options say about a post. */
struct posting {
    const char *author, *thread, *text;
    const char *reply; /* number of the post it answers; NULL: none */
    bool in_private;
};

/* Answer a post, with or without a "#" before its number. */
static enum err
answer(struct board *board, const struct posting *posting, const char *text,
       struct buf *why)
{
    const char *number = posting->reply + (posting->reply[0] == '#');
    char *end = NULL;
    long long id = strtoll(number, &end, 10);
    if (end == number || *end != '\0' || id <= 0) {
        return err_say(why, ERR_CONFIG,
                       "%s: --reply takes the number of a post, as `placard "
                       "thread` shows it",
                       posting->reply);
    }
    return board_reply(board, posting->author, id, text, clock_now(), NULL,
                       why);
}

static enum err
write_post(const struct conf *conf, void *context, struct buf *why)
{
    const struct posting *posting = context;
    const char *text = posting->text;
    struct board *board = NULL;
    struct buf input = BUF_INIT;
    buf_init(&input, TEXT_MAX);
    enum err err = ERR_NONE;
    if (strcmp(text, "-") == 0) {
        err = file_read("-", &input, why);
        text = buf_text(&input);
    }
    ERR_THEN(err, board_open(conf->board, true, &board, why));
    if (err == ERR_NONE) {
        err = posting->reply != NULL
                  ? answer(board, posting, text, why)
                  : write_to(board, posting->author, posting->in_private,
                             posting->thread, text, why);
        board_close(board);
    }
    buf_release(&input);
    return err;
}

int
command_post(int argc, char **argv)
{
    const char *file = NULL;
    struct posting posting = {.author = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--as", .value = &posting.author},
        {.name = "--private", .flag = &posting.in_private},
        {.name = "--thread", .value = &posting.thread},
        {.name = "--reply", .value = &posting.reply},
        {.name = NULL},
    };
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    int where =
        posting.in_private + (posting.thread != NULL) + (posting.reply != NULL);
    if (posting.author == NULL || argc != 2 || where > 1) {
        (void)fprintf(stderr,
                      "placard post: say who writes and what: placard post "
                      "--as NAME [--private | --thread N | --reply N] TEXT\n");
        return EXIT_USAGE;
    }
    posting.text = argv[1];
    return options_do(file, write_post, &posting);
}
