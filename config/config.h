/*
 * The configuration: what the operator wrote, checked, with defaults filled in.
 *
 * The only includer of libconfig is this folder (whose functions are called
 * config_…: ours are conf_…).  The settings themselves are the rows of the
 * table in settings.c.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "config/settings.h"

enum {
    PLACES_MAX = 64
};

/* A place where the bot hosts games. */
struct place {
    char name[64];
    char service[16];               /* the adapter's name: "board" */
    char address[SETTING_TEXT_MAX]; /* channel, room, topic; of the board: "" */
    char moderators[SETTING_LIST_MAX][SETTING_TEXT_MAX]; /* user ids */
    unsigned moderator_count;
    struct settings settings;
};

struct conf {
    char file[SETTING_TEXT_MAX];  /* as it was named, for messages */
    char store[SETTING_TEXT_MAX]; /* the games' database */
    char board[SETTING_TEXT_MAX]; /* the embedded board's database */
    struct settings settings;
    struct place places[PLACES_MAX];
    unsigned place_count;
};

/* The defaults of every setting, no places. */
void conf_defaults(struct conf *conf);

/*
 * Read a configuration file.  `services` are the names a place's service may
 * have, NULL after the last.  On a mistake ERR_CONFIG and one line in `why`
 * for *every* mistake found, as "file:line: key: what is wrong; what would be
 * right", without a line feed after the last; `conf` is then not to be used.
 * Relative paths in the file are meant from the file's own folder.
 */
enum err conf_load(struct conf *conf, const char *file,
                   const char *const *services, struct buf *why) MUST_USE;

/* The file to read where `-c` is not given: ./placard.cfg, then
 * /etc/placard/placard.cfg; NULL where there is neither. */
const char *conf_find(void);

/* The place of that name, borrowed from `conf`; NULL: none. */
const struct place *conf_place(const struct conf *conf, const char *name);

/* Append the commented sample (`config/placard.cfg`), made from the table. */
void conf_sample(struct buf *out);

#endif
