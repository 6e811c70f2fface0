#include "bot/report/site.h"

#include <string.h>

#include "bot/report/page.h"

enum {
    LATEST = 20 /* games on the index */
};

/* ---- names of files ------------------------------------------------------ */

void
site_game_file(const char *game, struct buf *name)
{
    buf_addf(name, "game-%s.html", game);
}

/* Small letters and digits stay.  Any other byte is written in hex, so that two
 * places never have the same file, nor one outside of the folder. */
void
site_place_file(const char *place, struct buf *name)
{
    buf_add_text(name, "place-");
    for (; *place != '\0'; place++) {
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", *place) != NULL) {
            buf_add_char(name, *place);
        } else {
            buf_addf(name, "_%02x", (unsigned char)*place);
        }
    }
    buf_add_text(name, ".html");
}

/* ---- parts of pages ------------------------------------------------------ */

static void
write_name(struct page *page, const char *name)
{
    struct buf clean = BUF_INIT;
    page_clean(name, &clean);
    page_raw(page, "<bdi>");
    page_text(page, buf_text(&clean));
    page_raw(page, "</bdi>");
    buf_release(&clean);
}

static void
write_number(struct page *page, unsigned number)
{
    buf_addf(page->out, "<td>%u</td>", number);
}

/* Begin a table whose columns have these keys, up to NULL. */
static void
begin_table(struct page *page, const char *class, const char *const *keys)
{
    buf_addf(page->out,
             "<div class=\"scroll\" tabindex=\"0\" role=\"group\">\n"
             "<table class=\"%s\">\n<thead><tr>",
             class);
    for (; *keys != NULL; keys++) {
        page_column(page, *keys);
    }
    page_raw(page, "</tr></thead>\n<tbody>\n");
}

static void
write_place_link(struct page *page, const char *place)
{
    struct buf file = BUF_INIT;
    site_place_file(place, &file);
    buf_addf(page->out, "<a href=\"%s\">", buf_text(&file));
    write_name(page, place);
    page_raw(page, "</a>");
    buf_release(&file);
}

static void
write_table_name(struct page *page, const struct site_game *game)
{
    struct params params = {.count = 0};
    params_text(&params, "table", game->id);
    if (game->has_page) {
        struct buf file = BUF_INIT;
        site_game_file(game->id, &file);
        buf_addf(page->out, "<a href=\"%s\">", buf_text(&file));
        buf_release(&file);
    }
    page_say(page, "site_table", &params);
    if (game->has_page) {
        page_raw(page, "</a>");
    }
}

/* Write a game as a row; `place`: with its place, or NULL. */
static void
write_game(struct page *page, const struct site_game *game, const char *place)
{
    page_raw(page, "<tr><th scope=\"row\">");
    write_table_name(page, game);
    page_raw(page, "</th>");
    if (place != NULL) {
        page_cell(page, "site_place");
        write_place_link(page, place);
        page_raw(page, "</td>");
    }
    page_cell(page, "site_result");
    page_say(page, catalogue_ending_key(game->ending, true), NULL);
    page_raw(page, "</td>");
    page_cell(page, "site_players");
    buf_addf(page->out, "%u</td>", game->players);
    page_cell(page, "site_rounds");
    buf_addf(page->out, "%u</td>", game->rounds);
    page_cell(page, "site_ended");
    page_date(page, game->ended);
    page_raw(page, "</td></tr>\n");
}

static void
write_wins(struct page *page, const struct wins *wins)
{
    struct params params = {.count = 0};
    unsigned games = wins_games(wins);
    params_number(&params, "games", games);
    params_number(&params, "liberal", wins->liberal);
    params_number(&params, "fascist", wins->fascist);
    params_number(&params, "abandoned", wins->abandoned);
    page_element(page, "p class=\"lead\"",
                 games == 0 ? "site_empty" : "site_lead", &params);
}

/* Up to the header's end; `place`: whose page it is, or "". */
static void
begin_page(struct page *page, const char *language, const char *key,
           const char *place, const struct wins *wins)
{
    struct params params = {.count = 0};
    struct buf name = BUF_INIT;
    page_clean(place, &name);
    params_text(&params, "place", buf_text(&name));
    page_begin(page, language, key, &params);
    page_raw(page, "<header>\n");
    page_element(page, "h1", key, &params);
    write_wins(page, wins);
    page_raw(page, "</header>\n");
    buf_release(&name);
}

static void
end_page(struct page *page)
{
    page_raw(page, "</main>\n");
    page_end(page);
}

/* ---- the index ----------------------------------------------------------- */

static void
write_places(struct page *page, const struct site *site)
{
    static const char *const columns[] = {"site_place",     "site_games",
                                          "site_liberals",  "site_fascists",
                                          "site_abandoned", NULL};
    page_begin_section(page, "places", "site_places");
    begin_table(page, "counts", columns);
    for (size_t i = 0; i < site->place_count; i++) {
        const struct site_place *place = &site->places[i];
        page_raw(page, "<tr><th scope=\"row\">");
        write_place_link(page, place->name);
        page_raw(page, "</th>");
        write_number(page, wins_games(&place->wins));
        write_number(page, place->wins.liberal);
        write_number(page, place->wins.fascist);
        write_number(page, place->wins.abandoned);
        page_raw(page, "</tr>\n");
    }
    page_end_table(page);
    page_raw(page, "</section>\n");
}

/* The game that ended last before another did (NULL: the last of all); NULL:
 * there is none.  They may end in any order. */
static const struct site_game *
next_latest(const struct site *site, const struct site_game *other)
{
    const struct site_game *found = NULL;
    for (size_t i = 0; i < site->game_count; i++) {
        const struct site_game *game = &site->games[i];
        bool later =
            other != NULL && (game->ended > other->ended ||
                              (game->ended == other->ended && game >= other));
        if (!later && (found == NULL || game->ended >= found->ended)) {
            found = game;
        }
    }
    return found;
}

static void
write_latest(struct page *page, const struct site *site)
{
    static const char *const columns[] = {
        "site_game",   "site_place", "site_result", "site_players",
        "site_rounds", "site_ended", NULL};
    const struct site_game *game = NULL;
    page_begin_section(page, "latest", "site_latest");
    begin_table(page, "games", columns);
    for (unsigned i = 0; i < LATEST; i++) {
        game = next_latest(site, game);
        if (game == NULL) {
            break;
        }
        write_game(page, game, site->places[game->place].name);
    }
    page_end_table(page);
    page_raw(page, "</section>\n");
}

void
site_write_index(const struct site *site, const struct site_words *words,
                 struct buf *html)
{
    struct page page = {html, words->catalogue, words->zone};
    struct wins all = {0};
    for (size_t i = 0; i < site->place_count; i++) {
        all.liberal += site->places[i].wins.liberal;
        all.fascist += site->places[i].wins.fascist;
        all.abandoned += site->places[i].wins.abandoned;
    }
    begin_page(&page, words->language, "site_title", "", &all);
    page_raw(&page, "<main>\n");
    if (site->place_count > 0) {
        write_places(&page, site);
        write_latest(&page, site);
    }
    end_page(&page);
}

/* ---- a place ------------------------------------------------------------- */

static void
write_players(struct page *page, const struct standings *standings)
{
    static const char *const columns[] = {
        "report_player",   "site_games",     "site_won", "site_as_liberal",
        "site_as_fascist", "site_as_hitler", NULL};
    page_begin_section(page, "players", "site_players");
    page_element(page, "p class=\"key\"", "site_players_key", NULL);
    begin_table(page, "counts", columns);
    for (size_t i = 0; i < standings->count; i++) {
        const struct score *score = &standings->list[i].score;
        page_raw(page, "<tr><th scope=\"row\">");
        write_name(page, standings->list[i].name);
        page_raw(page, "</th>");
        write_number(page, score_games(score));
        write_number(page, score_won(score));
        for (unsigned role = 0; role < RESULT_ROLES; role++) {
            buf_addf(page->out,
                     score->games[role] == 0 ? "<td>–</td>" : "<td>%u/%u</td>",
                     score->won[role], score->games[role]);
        }
        page_raw(page, "</tr>\n");
    }
    page_end_table(page);
    page_raw(page, "</section>\n");
}

static void
write_games(struct page *page, const struct site *site, size_t place)
{
    static const char *const columns[] = {"site_game",    "site_result",
                                          "site_players", "site_rounds",
                                          "site_ended",   NULL};
    page_begin_section(page, "games", "site_games");
    begin_table(page, "games", columns);
    for (size_t i = site->game_count; i-- > 0;) {
        if (site->games[i].place == place) {
            write_game(page, &site->games[i], NULL);
        }
    }
    page_end_table(page);
    page_raw(page, "</section>\n");
}

void
site_write_place(const struct site *site, size_t number,
                 const struct site_words *words, struct buf *html)
{
    struct page page = {html, words->catalogue, words->zone};
    const struct site_place *place = &site->places[number];
    begin_page(&page, words->language, "site_place_title", place->name,
               &place->wins);
    page_raw(&page, "<nav><ul><li><a href=\"" SITE_INDEX "\">");
    page_say(&page, "site_all", NULL);
    page_raw(&page, "</a></li></ul></nav>\n<main>\n");
    if (place->standings.count > 0) {
        write_players(&page, &place->standings);
    }
    write_games(&page, site, number);
    end_page(&page);
}
