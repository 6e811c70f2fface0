#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/cli/recorded.h"
#include "bot/host/words/board_words.h"

/* What was asked for. */
struct wishes {
    const char *to;    /* -o */
    const char *line;  /* of the file, from 1 */
    const char *round; /* from 1 */
    bool alt;
};

/* A whole number from 1 up; 0: it is not one. */
static size_t
read_number(const char *text)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    return errno != 0 || *end != '\0' || number < 1 ? 0 : (size_t)number;
}

/* The number of the game's lines up to that line of the file. */
static size_t
lines_to(const struct record_game *game, size_t number)
{
    size_t count = 0;
    while (count < game->line_count && game->lines[count].number <= number) {
        count++;
    }
    return count;
}

/* The number of lines up to the end of a round; 0: there is no such round. */
static size_t
lines_to_round(const struct record_game *game, size_t round)
{
    bool *stands = must_alloc(game->line_count * sizeof *stands);
    bool there = false;
    size_t count = 0;
    record_standing(game, game->line_count, stands);
    for (; count < game->line_count; count++) {
        const struct record_line *line = &game->lines[count];
        if (stands[count] && line->kind == EVENT_ROUND) {
            if (there) {
                break;
            }
            there = line->event.round == round;
        }
    }
    free(stands);
    return there ? count : 0;
}

/* The number of lines that make the requested state; 0: there is no such state,
 * and a message was printed. */
static size_t
count_lines(const struct recorded *recorded, const struct wishes *wishes)
{
    const struct record_game *game = recorded->lines;
    const char *text = wishes->line != NULL ? wishes->line : wishes->round;
    size_t number = text == NULL ? 1 : read_number(text);
    size_t count = game->line_count;
    if (number > 0 && wishes->line != NULL) {
        count = lines_to(game, number);
    } else if (number > 0 && wishes->round != NULL) {
        count = lines_to_round(game, number);
    }
    if (number == 0 || count < 2) { /* opened, seated */
        (void)fprintf(stderr,
                      "placard board: there is no board at %s %s of %s\n",
                      wishes->line != NULL ? "line" : "round",
                      text == NULL ? "" : text, recorded->name);
        return 0;
    }
    return count;
}

static enum err
write_picture(const struct board_picture *picture, const char *to,
              struct buf *why)
{
    if (to == NULL && isatty(STDOUT_FILENO) == 1) {
        return err_say(why, ERR_CONFIG,
                       "a picture can't be shown in a terminal: -o FILE.png "
                       "saves it, --alt says it in words");
    }
    return command_write(&picture->png, to, 0644, why);
}

static enum err
draw(const struct catalogue *catalogue, const struct public_board *board,
     const char *to, struct buf *why)
{
    struct board_labels labels;
    struct board_picture picture;
    board_words(catalogue, board, &labels);
    enum err err = board_picture_draw(board, &labels, &picture, why);
    ERR_THEN(err, write_picture(&picture, to, why));
    board_picture_release(&picture);
    board_labels_release(&labels);
    return err;
}

static int
show_board(const struct recorded *recorded, const struct wishes *wishes)
{
    struct public_board board;
    struct buf alt = BUF_INIT;
    struct buf why = BUF_INIT;
    size_t count = count_lines(recorded, wishes);
    if (count == 0) {
        return EXIT_FAULT;
    }
    record_board(recorded->lines, count, &board);
    enum err err = ERR_NONE;
    if (wishes->alt) {
        board_alt(&recorded->catalogue, &board, &alt);
        (void)printf("%s\n", buf_text(&alt));
    }
    if (!wishes->alt || wishes->to != NULL) {
        err = draw(&recorded->catalogue, &board, wishes->to, &why);
    }
    buf_release(&alt);
    return command_end(err, &why);
}

int
command_board(int argc, char **argv)
{
    struct wishes wishes = {.to = NULL};
    struct recorded recorded = {.name = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &recorded.conf},
        {.name = "-o", .value = &wishes.to},
        {.name = "--line", .value = &wishes.line},
        {.name = "--round", .value = &wishes.round},
        {.name = "--game", .value = &recorded.game},
        {.name = "--language", .value = &recorded.language},
        {.name = "--theme", .value = &recorded.theme},
        {.name = "--alt", .flag = &wishes.alt},
        {.name = NULL},
    };
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc != 2 || (wishes.line != NULL && wishes.round != NULL)) {
        (void)fprintf(stderr, "placard board: %s\n",
                      argc != 2 ? "of which game? GAME (`placard games` lists "
                                  "them), or the FILE of a record"
                                : "--line or --round, not both");
        return EXIT_USAGE;
    }
    recorded.name = argv[1];
    int code = recorded_load(&recorded);
    code = code == EXIT_DONE ? show_board(&recorded, &wishes) : code;
    recorded_release(&recorded);
    return code;
}
