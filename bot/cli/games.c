#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/cli/health.h"
#include "bot/cli/undelivered.h"
#include "bot/host/words/status.h"
#include "bot/record/record.h"

struct listing {
    struct archive *archive;
    bool as_json;
    struct buf json;
};

/* One game per line: number, place, state. */
static void
print_game(const struct health_game *game, const struct buf *trouble)
{
    const struct store_game *row = game->row;
    (void)printf("%-6s %-16s ", row->id, row->place);
    if (trouble->len > 0) {
        (void)printf("%s\n", buf_text(trouble));
    } else if (game->line.len == 0) {
        enum ending ending = (enum ending)game->ending;
        (void)printf("round %u: over, %s\n", game->round,
                     ending == ENDING_NONE ? "closed before it began"
                                           : record_ending_name(ending));
    } else if (game->round == 0) {
        (void)printf("%s\n", buf_text(&game->line));
    } else {
        (void)printf("round %u: %s%s\n", game->round, row->held ? "held; " : "",
                     buf_text(&game->line));
    }
}

static enum err
list_game(void *context, const struct store_game *row, struct buf *why)
{
    struct listing *listing = context;
    struct health_game game;
    struct buf trouble = BUF_INIT;
    enum err err =
        health_game(listing->archive, row,
                    listing->as_json ? NULL : status_line, &game, &trouble);
    if (err != ERR_NONE && err != ERR_DENIED) {
        buf_add_buf(why, &trouble);
    } else if (listing->as_json) {
        health_add_game(&game, &listing->json);
    } else {
        print_game(&game, &trouble);
    }
    buf_release(&game.line);
    buf_release(&trouble);
    return err == ERR_DENIED ? ERR_NONE : err;
}

static enum err
list(struct archive *archive, void *context, struct buf *why)
{
    struct listing *listing = context;
    struct store *store = archive->store;
    listing->archive = archive;
    int64_t count = store_count_games(store);
    enum err err = store_err(store, why);
    if (err == ERR_NONE && count == 0 && !listing->as_json) {
        (void)printf("No game was opened yet. A moderator opens one with "
                     "`!new` in a place that is hosted.\n");
    }
    buf_add_text(&listing->json, "{\"games\":[");
    ERR_THEN(err, store_games(store, list_game, listing, why));
    if (err == ERR_NONE && listing->as_json) {
        (void)printf("%s]}\n", buf_text(&listing->json));
    } else if (err == ERR_NONE) {
        err = undelivered_print(store, clock_now(), why);
    }
    buf_release(&listing->json);
    return err;
}

int
command_games(int argc, char **argv)
{
    const char *file = NULL;
    struct listing listing = {.as_json = false};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--json", .flag = &listing.as_json},
        {.name = NULL}};
    return options_alone(rows, argc, argv) ? archive_do(file, list, &listing)
                                           : EXIT_USAGE;
}
