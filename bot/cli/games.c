#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/cli/archive.h"
#include "bot/cli/undelivered.h"
#include "bot/host/words/status.h"
#include "bot/record/record.h"

static void
print_over(const struct store_game *game, unsigned round, enum ending ending)
{
    (void)printf("%-6s %-16s round %u: over, %s\n", game->id, game->place,
                 round,
                 ending == ENDING_NONE ? "closed before it began"
                                       : record_ending_name(ending));
}

/* What a game that is on waits for. */
static enum err
print_running(struct archive *archive, const struct store_game *game,
              const struct table *table, struct buf *why)
{
    struct buf line = BUF_INIT;
    enum err err = archive_say(archive, table, status_line, &line, why);
    if (err == ERR_NONE && table->game.round == 0) {
        (void)printf("%-6s %-16s %s\n", game->id, game->place, buf_text(&line));
    } else if (err == ERR_NONE) {
        (void)printf("%-6s %-16s round %u: %s%s\n", game->id, game->place,
                     (unsigned)table->game.round, game->held ? "held; " : "",
                     buf_text(&line));
    }
    buf_release(&line);
    return err;
}

/* A game whose row does not tell how it stands. */
static enum err
print_replayed(struct archive *archive, const struct store_game *game,
               struct buf *why)
{
    struct table table;
    struct buf trouble = BUF_INIT;
    enum err err = archive_table(archive, game->id, &table, &trouble);
    if (err == ERR_NONE && table.state == TABLE_OVER) {
        print_over(game, table.game.round, (enum ending)table.game.ending);
    } else if (err == ERR_NONE) {
        err = print_running(archive, game, &table, &trouble);
    }
    if (err == ERR_DENIED) {
        (void)printf("%-6s %-16s %s\n", game->id, game->place,
                     buf_text(&trouble));
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

/* One game per line: number, place, state. */
static enum err
print_game(void *context, const struct store_game *game, struct buf *why)
{
    if (game->over && game->ending >= 0) {
        print_over(game, game->round, (enum ending)game->ending);
        return ERR_NONE;
    }
    return print_replayed(context, game, why);
}

int
command_games(int argc, char **argv)
{
    const char *file = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = NULL}};
    struct archive *archive = NULL;
    struct buf why = BUF_INIT;
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (!archive_open(file, &archive)) {
        return EXIT_FAULT;
    }
    int64_t count = 0;
    enum err err = store_count_games(archive->store, &count, &why);
    if (err == ERR_NONE && count == 0) {
        (void)printf("No game was opened yet. A moderator opens one with "
                     "`!new` in a place that is hosted.\n");
    }
    if (err == ERR_NONE) {
        err = store_games(archive->store, print_game, archive, &why);
    }
    if (err == ERR_NONE) {
        err = undelivered_print(archive->store, clock_now(), &why);
    }
    int code = err == ERR_NONE ? EXIT_DONE : command_fail(&why);
    buf_release(&why);
    archive_close(archive);
    return code;
}
