/* The desk: the picture of the board that goes with a letter. */
#include <stdlib.h>

#include "bot/desk_inner.h"
#include "bot/host/words/board_words.h"
#include "bot/recover.h"

/* The board as it was after a letter's rows: by the record, for the table may
 * have moved on since. */
static enum err
read_board(struct desk *desk, const struct envelope *envelope,
           struct public_board *board, struct buf *why)
{
    struct buf lines = BUF_INIT;
    struct record record = {.games = NULL};
    enum err err = store_record_to(desk->store, envelope->game, envelope->batch,
                                   &lines, why);
    if (err == ERR_NONE) {
        err = record_read(buf_text(&lines), lines.len, &record, why);
    }
    if (err == ERR_NONE) {
        record_board(&record.games[0], record.games[0].line_count, board);
        if (board->players == 0) {
            err = err_say(why, ERR_GARBLED, "nobody is seated yet");
        }
    }
    record_release(&record);
    buf_wipe(&lines);
    return err;
}

/* The words of a table, which may be over and gone from the desk. */
static enum err
find_words(struct desk *desk, const struct envelope *envelope, int64_t now,
           const struct catalogue **catalogue, struct buf *why)
{
    const struct place *place = desk_place(desk, envelope->place);
    struct service *service = desk_service(desk, envelope->place);
    struct table *table = must_alloc(sizeof *table);
    enum err err = recover_table(desk->store, envelope->game, table, why);
    if (err == ERR_NONE && (place == NULL || service == NULL)) {
        err = err_say(why, ERR_GONE, "its place is not configured any more");
    }
    if (err == ERR_NONE) {
        *catalogue = desk_house_for(desk, service, place, &table->settings, now)
                         .catalogue;
    }
    wipe(table, sizeof *table);
    free(table);
    return err;
}

enum err
desk_draw(struct desk *desk, const struct envelope *envelope, int64_t now,
          struct board_picture *picture, struct buf *alt, struct buf *why)
{
    struct public_board board;
    struct board_labels labels;
    const struct catalogue *catalogue = NULL;
    enum err err = read_board(desk, envelope, &board, why);
    if (err == ERR_NONE) {
        err = find_words(desk, envelope, now, &catalogue, why);
    }
    if (err == ERR_NONE) {
        board_alt(catalogue, &board, alt);
        board_words(catalogue, &board, &labels);
        err = board_picture_draw(&board, &labels, picture, why);
        board_labels_release(&labels);
    }
    return err;
}
