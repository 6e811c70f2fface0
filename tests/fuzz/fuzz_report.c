/*
 * A record's board, picture and report: whatever was read makes a board of its
 * form after each line, and a page on which nothing of it is mark-up.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/words/board_words.h"
#include "bot/report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    BOARDS_MAX = 64 /* of one input: each goes through all lines before it */
};

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static const struct catalogue *
words(void)
{
    static struct catalogue catalogue;
    static bool loaded;
    struct buf why = BUF_INIT;
    if (!loaded) {
        (void)setenv("PLACARD_DATA", "config", 0);
        demand(catalogue_load(&catalogue, "en", THEME_ORIGINAL, &why) ==
               ERR_NONE);
        loaded = true;
    }
    return &catalogue;
}

static void
draw(const struct public_board *board)
{
    struct board_labels labels;
    struct board_picture picture;
    struct buf why = BUF_INIT;
    board_words(words(), board, &labels);
    demand(board_picture_draw(board, &labels, &picture, &why) == ERR_NONE);
    demand(!picture.cut && picture.png.len <= BOARD_PICTURE_MAX);
    board_picture_release(&picture);
    board_labels_release(&labels);
}

static void
look(const struct record_game *game)
{
    struct public_board board;
    size_t step = game->line_count / BOARDS_MAX + 1;
    for (size_t count = 0; count <= game->line_count; count += step) {
        record_board(game, count, &board);
        demand(board.liberal <= LIBERAL_WIN && board.fascist <= FASCIST_WIN);
        demand(board.tracker <= TRACKER_CHAOS);
        demand(board.deck + board.discards <= TILES);
    }
    if (board.players > 0) {
        draw(&board);
    }
}

/* As many tags open as close, but for those that never do. */
static void
tell(const struct record_game *game)
{
    struct buf html = BUF_INIT;
    long open = 0;
    report_write(game, words(), (struct report_form){.site = false}, "en",
                 zone_utc(), &html);
    for (const char *at = buf_text(&html); (at = strchr(at, '<')) != NULL;
         at++) {
        bool alone = at[1] == '!' || strncmp(at, "<meta", 5) == 0;
        open += alone ? 0 : at[1] == '/' ? -1 : 1;
    }
    demand(open == 0);
    demand(strstr(buf_text(&html), "<script") == NULL);
    buf_release(&html);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record record;
    struct buf why = BUF_INIT;
    (void)!record_read((const char *)data, size, &record, &why);
    for (size_t i = 0; i < record.game_count; i++) {
        look(&record.games[i]);
        if (record.games[i].players > 0) {
            tell(&record.games[i]);
        }
    }
    record_release(&record);
    buf_release(&why);
    return 0;
}
