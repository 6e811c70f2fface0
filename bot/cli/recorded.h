/*
 * One recorded game as named on the command line: GAME, in the store, or FILE,
 * a record.  A word that can't be a game's id (`[a-z0-9-]`), or that exists as
 * a file, is a FILE; "-" is standard input.
 */
#ifndef BOT_CLI_RECORDED_H
#define BOT_CLI_RECORDED_H

#include "bot/cli/archive.h"
#include "bot/cli/command.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/record.h"

struct recorded {
    const char *name;     /* GAME or FILE, borrowed */
    const char *conf;     /* the configuration; NULL: found */
    const char *game;     /* which game of a file; NULL: it has only one */
    const char *language; /* NULL: its place's, for a file "en"; set after
                             loading, borrowed */
    const char *theme;    /* NULL: its place's, for a file none */

    /* After loading: */
    struct record record;
    struct record_game *lines; /* the game in it */
    struct catalogue catalogue;
    struct zone *zone;
    bool over;
    struct settings settings; /* the game's; for a file, the general defaults */
};

/* Load the game; returns as archive_open.  Release it in either case. */
int recorded_load(struct recorded *recorded);
/* The same of a game of an archive that is open. */
enum err recorded_load_game(struct recorded *recorded, struct archive *archive,
                            struct buf *why) MUST_USE;
void recorded_release(struct recorded *recorded);

#endif
