#include "bot/tables/delivery/pictures.h"

#include <stdlib.h>

#include "bot/host/words/board_words.h"
#include "bot/report/report.h"
#include "bot/store/recover.h"
#include "bot/tables/tables.h"

/* The board as it was after a message's rows: from the record, for the table
 * may have moved on since. */
static enum err
read_board(struct tables *tables, const struct queued_message *queued,
           struct public_board *board, struct buf *why)
{
    struct buf lines = BUF_INIT;
    struct record record = {.games = NULL};
    enum err err = store_record_to(tables->store, queued->game, queued->batch,
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

/* The environment of a game, which may be over and no longer among the tables;
 * its language is the settings'. */
static enum err
find_house(struct tables *tables, const struct queued_message *queued,
           const char *game, int64_t now, struct settings *settings,
           struct host_env *env, struct buf *why)
{
    const struct hosted_place *place =
        places_find(&tables->places, queued->place);
    struct table table;
    table_init(&table);
    enum err err = recover_table(tables->store, game, &table, why);
    if (err == ERR_NONE) {
        *settings = table.settings;
        *env = tables_env_for(tables, place, settings, now);
    }
    table_release(&table);
    return err;
}

enum err
pictures_draw(struct tables *tables, const struct queued_message *queued,
              int64_t now, struct board_picture *picture, struct buf *alt,
              struct buf *why)
{
    struct public_board board;
    struct board_labels labels;
    struct settings settings;
    struct host_env env;
    enum err err = read_board(tables, queued, &board, why);
    if (err == ERR_NONE) {
        err =
            find_house(tables, queued, queued->game, now, &settings, &env, why);
    }
    if (err == ERR_NONE) {
        board_alt(env.catalogue, &board, alt);
        board_words(env.catalogue, &board, &labels);
        err = board_picture_draw(&board, &labels, picture, why);
        board_labels_release(&labels);
    }
    return err;
}

/* Has a game ended that had begun?  Of others nothing is told. */
static bool
is_over(const struct record_game *game)
{
    bool over = false;
    for (size_t i = 0; i < game->line_count; i++) {
        over = over || game->lines[i].kind == EVENT_ENDED;
    }
    return over && game->players > 0;
}

enum err
pictures_report(struct tables *tables, const struct queued_message *queued,
                int64_t now, struct buf *html, struct buf *why)
{
    const char *game = queued->message.report;
    struct settings settings;
    struct host_env env;
    struct buf lines = BUF_INIT;
    struct record record = {.games = NULL};
    enum err err = find_house(tables, queued, game, now, &settings, &env, why);
    if (err == ERR_NONE) {
        err = store_record(tables->store, game, &lines, why);
    }
    if (err == ERR_NONE) {
        err = record_read(buf_text(&lines), lines.len, &record, why);
    }
    if (err == ERR_NONE && !is_over(&record.games[0])) {
        err = err_say(why, ERR_DENIED, "game %s has not ended", game);
    }
    if (err == ERR_NONE) {
        report_write(&record.games[0], env.catalogue,
                     (struct report_form){.site = false}, settings.language,
                     env.zone, html);
    }
    record_release(&record);
    buf_wipe(&lines);
    return err;
}
