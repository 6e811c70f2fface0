/*
 * The pages of a site of finished games, besides the reports: an index, and a
 * page for each place.  As a report, a page needs nothing but itself; its links
 * are names of files in the same folder.
 */
#ifndef BOT_REPORT_SITE_H
#define BOT_REPORT_SITE_H

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/result.h"

#define SITE_INDEX "index.html"

/* A finished game; its result without the players. */
struct site_game {
    char id[RECORD_GAME_MAX + 1];
    size_t place; /* which, in struct site */
    int64_t ended;
    unsigned rounds, players;
    enum ending ending;
    bool has_page; /* there is a report to link to */
};

struct site_place {
    char name[RESULT_PLACE_MAX + 1];
    struct wins wins;
    struct standings standings; /* sorted */
};

struct site {
    struct site_place *places;
    size_t place_count;
    struct site_game *games; /* as they were opened */
    size_t game_count;
};

/* What a page is written in.  All borrowed; `language` is a tag ("nl"). */
struct site_words {
    const struct catalogue *catalogue;
    const char *language;
    const struct zone *zone;
};

/* Append the name of the file of a game's report, of a place's page. */
void site_game_file(const char *game, struct buf *name);
void site_place_file(const char *place, struct buf *name);

/* Append the index; the page of a place, by its number in the site. */
void site_write_index(const struct site *site, const struct site_words *words,
                      struct buf *html);
void site_write_place(const struct site *site, size_t number,
                      const struct site_words *words, struct buf *html);

#endif
