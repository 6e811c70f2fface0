#include "bot/cli/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/cli/archive.h"
#include "bot/record/record_stream.h"

static bool
is_file(const char *name)
{
    bool id =
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
    return !id || strcmp(name, "-") == 0 || file_exists(name);
}

/* ---- of a file ----------------------------------------------------------- */

/* Is the game just read the right one? *err: there is another game, and the
 * command line does not say which. */
static bool
takes(const struct recorded *recorded, const struct record_game *game,
      enum err *err, struct buf *why)
{
    if (recorded->game != NULL) {
        return recorded->lines == NULL && strcmp(recorded->game, game->id) == 0;
    }
    if (recorded->lines != NULL) {
        *err = err_say(why, ERR_CONFIG,
                       "it holds several games (%s, %s …): say which with "
                       "--game ID",
                       recorded->lines->id, game->id);
        return false;
    }
    return true;
}

static enum err
find_game(struct recorded *recorded, struct record_stream *stream,
          struct buf *why)
{
    enum err err = ERR_NONE;
    bool more = true;
    while (more && err == ERR_NONE) {
        struct record record;
        err = record_stream_next(stream, &record, why);
        more = err == ERR_NONE && record.game_count > 0;
        if (more && takes(recorded, &record.games[0], &err, why)) {
            recorded->record = record;
            recorded->lines = &recorded->record.games[0];
        } else {
            record_release(&record);
        }
    }
    if (err == ERR_NONE && recorded->lines == NULL) {
        err = err_say(why, ERR_GONE, "there is no game %s in it",
                      recorded->game == NULL ? "" : recorded->game);
    }
    return err;
}

static enum err
load_file(struct recorded *recorded, struct buf *why)
{
    struct record_stream stream;
    bool standard = strcmp(recorded->name, "-") == 0;
    FILE *file = standard ? stdin : fopen(recorded->name, "r");
    if (file == NULL) {
        return file_fail(why, recorded->name, errno);
    }
    buf_addf(why, "%s: ", standard ? "standard input" : recorded->name);
    size_t prefix = why->len;
    record_stream_init(&stream, file);
    enum err err = find_game(recorded, &stream, why);
    record_stream_release(&stream);
    if (!standard) {
        (void)fclose(file);
    }
    if (err == ERR_NONE) {
        buf_truncate(why, why->len - prefix);
        const struct record_game *game = recorded->lines;
        for (size_t i = 0; i < game->line_count; i++) {
            recorded->over =
                recorded->over || game->lines[i].kind == EVENT_ENDED;
        }
    }
    return err;
}

/* ---- of the store -------------------------------------------------------- */

static enum err
load_game(struct recorded *recorded, struct archive *archive, struct buf *why)
{
    struct table table;
    struct buf lines = BUF_INIT;
    table_init(&table);
    enum err err = archive_table(archive, recorded->name, &table, why);
    if (err == ERR_NONE) {
        recorded->settings = table.settings;
        recorded->over = table.state == TABLE_OVER;
        err = store_record(archive->store, recorded->name, &lines, why);
    }
    if (err == ERR_NONE && lines.len == 0) {
        err = err_say(why, ERR_GONE, "game %s has not begun", recorded->name);
    }
    ERR_THEN(err,
             record_read(buf_text(&lines), lines.len, &recorded->record, why));
    if (err == ERR_NONE) {
        recorded->lines = &recorded->record.games[0];
    }
    table_release(&table);
    buf_wipe(&lines);
    return err;
}

/* ---- either -------------------------------------------------------------- */

/* The lines are loaded; now load the words that describe them. */
static enum err
load_words(struct recorded *recorded, struct buf *why)
{
    if (recorded->lines->players == 0) {
        return err_say(why, ERR_GONE, "game %s has not begun",
                       recorded->lines->id);
    }
    if (recorded->language == NULL) {
        recorded->language = recorded->settings.language;
    } else if (!language_exists(recorded->language)) {
        enum err err =
            err_say(why, ERR_CONFIG, "there is no language \"%s\"; there are ",
                    recorded->language);
        language_names(why);
        return err;
    }
    enum err err =
        recorded->theme == NULL
            ? ERR_NONE
            : settings_set(&recorded->settings, "theme", recorded->theme, why);
    ERR_THEN(err, catalogue_load(&recorded->catalogue, recorded->language,
                                 recorded->settings.theme, why));
    ERR_THEN(err, zone_load(recorded->settings.zone, &recorded->zone, why));
    return err;
}

enum err
recorded_load_game(struct recorded *recorded, struct archive *archive,
                   struct buf *why)
{
    settings_defaults(&recorded->settings);
    enum err err = load_game(recorded, archive, why);
    return err == ERR_NONE ? load_words(recorded, why) : err;
}

int
recorded_load(struct recorded *recorded)
{
    struct archive *archive = NULL;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    settings_defaults(&recorded->settings);
    if (is_file(recorded->name)) {
        err = load_file(recorded, &why);
    } else {
        int code = archive_open(recorded->conf, &archive);
        if (code != EXIT_DONE) {
            return code;
        }
        err = load_game(recorded, archive, &why);
        archive_close(archive);
    }
    ERR_THEN(err, load_words(recorded, &why));
    return command_end(err, &why);
}

void
recorded_release(struct recorded *recorded)
{
    record_release(&recorded->record);
    catalogue_release(&recorded->catalogue);
    zone_free(recorded->zone);
    recorded->zone = NULL;
}
