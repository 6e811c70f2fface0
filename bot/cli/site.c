#include "bot/cli/site.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/base/version.h"
#include "bot/cli/recorded.h"
#include "bot/report/report.h"
#include "bot/report/site.h"
#include "bot/store/results.h"

/* The file that makes a folder a site of ours: its first line, the store, and
 * how the reports are written, in which places with names, and when somebody
 * was last forgotten.  Reports that are older than it are written anew. */
#define MARKER       ".placard-site"
#define MARKER_FIRST "placard-site/1 of the store "

enum {
    FOLDER_MODE = 0755,
    PAGE_MODE = 0644, /* a web server reads them */
    MARKER_MAX = 4096
};

struct making {
    struct archive *archive;
    const char *folder, *language, *theme;
    struct timespec since; /* a report that is older is out of date */
    struct site site;
    size_t place_room, game_room;
    unsigned written, removed, failed;
    unsigned hidden; /* games of places that publish none */
};

static void
path_of(const struct making *making, const char *file, struct buf *path)
{
    buf_clear(path);
    buf_addf(path, "%s/%s", making->folder, file);
}

/* ---- the folder ---------------------------------------------------------- */

/* Is nothing in a folder?  ERR_NONE, or why it can't be looked at. */
static enum err
look_in(const char *folder, bool *empty, struct buf *why)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry = NULL;
    *empty = true;
    if (dir == NULL) {
        return file_fail(why, folder, errno);
    }
    while ((entry = readdir(dir)) != NULL) {
        *empty = *empty && (strcmp(entry->d_name, ".") == 0 ||
                            strcmp(entry->d_name, "..") == 0);
    }
    (void)closedir(dir);
    return ERR_NONE;
}

static enum err
refuse(const struct making *making, const char *what, struct buf *why)
{
    return err_say(why, ERR_DENIED,
                   "%s %s: name a folder that is new, empty, or holds the site "
                   "of this store",
                   making->folder, what);
}

/* May the site be written there?  *marker: what its marker says now; "": it is
 * empty. */
static enum err
check_folder(const struct making *making, const char *first, struct buf *marker,
             struct buf *why)
{
    struct buf path = BUF_INIT;
    bool empty = false;
    path_of(making, MARKER, &path);
    enum err err = ERR_NONE;
    if (mkdir(making->folder, FOLDER_MODE) != 0 && errno != EEXIST) {
        err = file_fail(why, making->folder, errno);
    } else if (file_exists(buf_text(&path))) {
        marker->max = MARKER_MAX;
        err = file_read(buf_text(&path), marker, why);
        if (err == ERR_NONE &&
            strncmp(buf_text(marker), first, strlen(first)) != 0) {
            err = refuse(making, "is the site of another store", why);
        }
    } else {
        err = look_in(making->folder, &empty, why);
        if (err == ERR_NONE && !empty) {
            err = refuse(making, "holds something else", why);
        }
    }
    buf_release(&path);
    return err;
}

/* Mark the folder, unless it is marked so already. */
static enum err
take_folder(struct making *making, struct buf *why)
{
    struct buf path = BUF_INIT;
    struct buf old = BUF_INIT;
    struct buf new = BUF_INIT;
    struct stat marker;
    buf_addf(&new, MARKER_FIRST "%s\n", store_id(making->archive->store));
    enum err err = check_folder(making, buf_text(&new), &old, why);
    buf_addf(&new, "version %s\nlanguage %s\ntheme %s\n", placard_version,
             making->language == NULL ? "" : making->language,
             making->theme == NULL ? "" : making->theme);
    for (size_t i = 0; i < making->site.place_count; i++) {
        const char *place = making->site.places[i].name;
        buf_addf(&new, "%s: %s\n", place,
                 conf_place(&making->archive->conf, place)->publish);
    }
    if (err == ERR_NONE) {
        buf_add_text(&new, "forgot ");
        store_noted(making->archive->store, "forgot", "", &new);
        err = store_err(making->archive->store, why);
        buf_add_char(&new, '\n');
    }
    path_of(making, MARKER, &path);
    if (err == ERR_NONE && strcmp(buf_text(&old), buf_text(&new)) != 0) {
        err = file_write(buf_text(&path), new.data, new.len, PAGE_MODE, why);
    }
    if (err == ERR_NONE && stat(buf_text(&path), &marker) != 0) {
        err = file_fail(why, buf_text(&path), errno);
    }
    if (err == ERR_NONE) {
        making->since = marker.st_mtim;
    }
    buf_release(&path);
    buf_release(&old);
    buf_release(&new);
    return err;
}

/* ---- pages --------------------------------------------------------------- */

/* Write a page, unless it says that already. */
static enum err
put_page(struct making *making, const char *file, const struct buf *html,
         struct buf *why)
{
    struct buf path = BUF_INIT;
    struct buf old = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    enum err err = ERR_NONE;
    path_of(making, file, &path);
    old.max = html->len;
    bool same = file_read(buf_text(&path), &old, &unsaid) == ERR_NONE &&
                old.len == html->len &&
                memcmp(buf_text(&old), buf_text(html), html->len) == 0;
    if (!same) {
        err =
            file_write(buf_text(&path), html->data, html->len, PAGE_MODE, why);
        making->written += err == ERR_NONE;
    }
    buf_release(&path);
    buf_release(&old);
    buf_release(&unsaid);
    return err;
}

/* Is a report there that needs not be written again? */
static bool
is_current(const struct making *making, const char *file)
{
    struct buf path = BUF_INIT;
    struct stat page;
    path_of(making, file, &path);
    bool current = stat(buf_text(&path), &page) == 0 &&
                   (page.st_mtim.tv_sec > making->since.tv_sec ||
                    (page.st_mtim.tv_sec == making->since.tv_sec &&
                     page.st_mtim.tv_nsec >= making->since.tv_nsec));
    buf_release(&path);
    return current;
}

static void
write_report(const struct making *making, const struct site_game *game,
             const struct recorded *recorded, struct buf *html)
{
    const char *place = making->site.places[game->place].name;
    bool names =
        place_publishes_names(conf_place(&making->archive->conf, place));
    report_write(recorded->lines, &recorded->catalogue,
                 (struct report_form){.site = true, .numbered = !names},
                 recorded->language, recorded->zone, html);
}

/* Write a game's report.  If the game can't be read, say so and go on. */
static enum err
put_report(struct making *making, struct site_game *game, const char *file,
           struct buf *why)
{
    struct recorded recorded = {
        .name = game->id, .language = making->language, .theme = making->theme};
    struct buf html = BUF_INIT;
    struct buf trouble = BUF_INIT;
    enum err err = recorded_load_game(&recorded, making->archive, &trouble);
    game->has_page = err == ERR_NONE && recorded.over;
    if (game->has_page) {
        write_report(making, game, &recorded, &html);
        err = put_page(making, file, &html, why);
    } else if (err == ERR_GARBLED) {
        (void)command_fail(&trouble);
        making->failed++;
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    recorded_release(&recorded);
    buf_release(&html);
    buf_release(&trouble);
    return err;
}

static enum err
put_reports(struct making *making, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < making->site.game_count; i++) {
        struct site_game *game = &making->site.games[i];
        struct buf file = BUF_INIT;
        site_game_file(game->id, &file);
        game->has_page = is_current(making, buf_text(&file));
        if (!game->has_page) {
            err = put_report(making, game, buf_text(&file), why);
        }
        buf_release(&file);
    }
    return err;
}

/* Write a place's page, or (place_count) the index, in that place's words. */
static enum err
put_overview(struct making *making, size_t number, struct buf *why)
{
    const struct site *site = &making->site;
    const struct conf *conf = &making->archive->conf;
    bool index = number == site->place_count;
    const struct place *place =
        index ? NULL : conf_place(conf, site->places[number].name);
    struct settings settings = place == NULL ? conf->settings : place->settings;
    struct catalogue catalogue;
    struct buf html = BUF_INIT;
    struct buf file = BUF_INIT;
    const char *language =
        making->language == NULL ? settings.language : making->language;
    enum err err = making->theme == NULL
                       ? ERR_NONE
                       : settings_set(&settings, "theme", making->theme, why);
    ERR_THEN(err, catalogue_load(&catalogue, language, settings.theme, why));
    const struct site_words words = {&catalogue, language, zone_utc()};
    if (err == ERR_NONE && index) {
        buf_add_text(&file, SITE_INDEX);
        site_write_index(site, &words, &html);
    } else if (err == ERR_NONE) {
        site_place_file(site->places[number].name, &file);
        site_write_place(site, number, &words, &html);
    }
    ERR_THEN(err, put_page(making, buf_text(&file), &html, why));
    catalogue_release(&catalogue);
    buf_release(&html);
    buf_release(&file);
    return err;
}

/* ---- what is not published ----------------------------------------------- */

/* Remove a page, if there is one. */
static enum err
remove_page(struct making *making, const char *file, struct buf *why)
{
    struct buf path = BUF_INIT;
    enum err err = ERR_NONE;
    path_of(making, file, &path);
    if (unlink(buf_text(&path)) == 0) {
        making->removed++;
    } else if (errno != ENOENT) {
        err = file_fail(why, buf_text(&path), errno);
    }
    buf_release(&path);
    return err;
}

/* Remove the pages of a game that was published once, and of its place. */
static enum err
withdraw_game(void *context, const struct store_game *game, struct buf *why)
{
    struct making *making = context;
    struct buf file = BUF_INIT;
    if (place_publishes(conf_place(&making->archive->conf, game->place))) {
        return ERR_NONE;
    }
    site_game_file(game->id, &file);
    enum err err = remove_page(making, buf_text(&file), why);
    buf_clear(&file);
    site_place_file(game->place, &file);
    ERR_THEN(err, remove_page(making, buf_text(&file), why));
    buf_release(&file);
    return err;
}

/* ---- what is to be told -------------------------------------------------- */

static size_t
find_place(struct making *making, const char *name)
{
    struct site *site = &making->site;
    for (size_t i = 0; i < site->place_count; i++) {
        if (strcmp(site->places[i].name, name) == 0) {
            return i;
        }
    }
    if (site->place_count == making->place_room) {
        making->place_room = 2 * making->place_room + 8;
        site->places =
            must_grow(site->places, making->place_room * sizeof *site->places);
    }
    struct site_place *place = &site->places[site->place_count];
    memset(place, 0, sizeof *place);
    (void)snprintf(place->name, sizeof place->name, "%s", name);
    return site->place_count++;
}

static enum err
note_result(void *context, const struct result *result, struct buf *why)
{
    struct making *making = context;
    struct site *site = &making->site;
    const struct place *conf =
        conf_place(&making->archive->conf, result->place);
    (void)why;
    if (!place_publishes(conf)) {
        making->hidden++;
        return ERR_NONE;
    }
    size_t place = find_place(making, result->place);
    wins_add(&site->places[place].wins, result);
    if (place_publishes_names(conf)) {
        standings_add(&site->places[place].standings, "", result);
    }
    if (site->game_count == making->game_room) {
        making->game_room = 2 * making->game_room + 64;
        site->games =
            must_grow(site->games, making->game_room * sizeof *site->games);
    }
    struct site_game *game = &site->games[site->game_count++];
    *game = (struct site_game){.place = place,
                               .ended = result->ended,
                               .rounds = result->rounds,
                               .players = result->players,
                               .ending = result->ending};
    (void)snprintf(game->id, sizeof game->id, "%s", result->game);
    return ERR_NONE;
}

static void
release_site(struct site *site)
{
    for (size_t i = 0; i < site->place_count; i++) {
        standings_release(&site->places[i].standings);
    }
    free(site->places);
    free(site->games);
}

/* ---- the command --------------------------------------------------------- */

static enum err
make_site(struct archive *archive, void *context, struct buf *why)
{
    struct making *making = context;
    enum err err = ERR_NONE;
    making->archive = archive;
    if (making->language != NULL && !language_exists(making->language)) {
        err =
            err_say(why, ERR_CONFIG, "there is no language \"%s\"; there are ",
                    making->language);
        language_names(why);
        return err;
    }
    err = store_results(making->archive->store, NULL, note_result, making, why);
    ERR_THEN(err, take_folder(making, why));
    ERR_THEN(err,
             store_games(making->archive->store, withdraw_game, making, why));
    ERR_THEN(err, put_reports(making, why));
    for (size_t i = 0; err == ERR_NONE && i <= making->site.place_count; i++) {
        if (i < making->site.place_count) {
            standings_sort(&making->site.places[i].standings);
        }
        err = put_overview(making, i, why);
    }
    char here[4096];
    struct buf folder = BUF_INIT;
    struct buf trouble = BUF_INIT;
    if (making->folder[0] != '/' && getcwd(here, sizeof here) != NULL) {
        buf_addf(&folder, "%s/", here);
    }
    buf_add_text(&folder, making->folder);
    if (err == ERR_NONE &&
        store_note_site(making->archive->conf.store, buf_text(&folder),
                        &trouble) != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING,
                 "`placard forget` will not search these pages: %s",
                 buf_text(&trouble));
    }
    buf_release(&folder);
    buf_release(&trouble);
    return err;
}

int
site_command(const char *folder, const char *conf, const char *language,
             const char *theme)
{
    struct making making = {
        .folder = folder, .language = language, .theme = theme};
    int code = archive_do(conf, make_site, &making);
    if (code == EXIT_DONE) {
        (void)printf("%s: %zu games, %u pages written", folder,
                     making.site.game_count, making.written);
        (void)printf(making.removed > 0 ? ", %u removed\n" : "\n",
                     making.removed);
        archive_say_hidden(making.hidden);
        code = making.failed == 0 ? EXIT_DONE : EXIT_FAULT;
    }
    release_site(&making.site);
    return code;
}
