/*
 * One recorded game as a command is given it: GAME of the store, or FILE, a
 * record.  What is no game's id (`[a-z0-9-]`), or lies there as a file, is a
 * FILE; "-" is standard input.
 */
#ifndef BOT_CLI_RECORDED_H
#define BOT_CLI_RECORDED_H

#include "bot/cli/command.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/record.h"

struct recorded {
    const char *name;     /* GAME or FILE, borrowed */
    const char *conf;     /* the configuration; NULL: found */
    const char *game;     /* which one of a file; NULL: it has one alone */
    const char *language; /* NULL: of its place, of a file "en"; set once it
                             was loaded, borrowed */
    const char *theme;    /* NULL: of its place, of a file none */

    /* Once it was loaded: */
    struct record record;
    struct record_game *lines; /* the game in it */
    struct catalogue catalogue;
    struct zone *zone; /* NULL: UTC */
    bool over;
    struct settings settings; /* the game's; of a file those of any place */
};

/* Load what was asked for.  Says on standard error what is wrong; release it
 * either way. */
bool recorded_load(struct recorded *recorded);
void recorded_release(struct recorded *recorded);

#endif
