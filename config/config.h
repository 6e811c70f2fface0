/*
 * The configuration: what the operator wrote, checked, with defaults filled in.
 *
 * The only includer of libconfig is this folder (whose functions are called
 * config_…: ours are conf_…).  The settings themselves are the rows of the
 * table in settings.c.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <limits.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "config/settings.h"

#define CONF_BOARD "board" /* the service that needs no account */

#define RECRUIT_ALL "everybody"

/* The number of a place that is not configured. */
#define NO_PLACE UINT_MAX

/* A kind of service that there is, with accounts. */
struct conf_kind {
    const char *name;
    bool has_url; /* of its own: none need be configured */
};

/* The bot's account at a service on the network.  Its token or password is not
 * in here (config/secrets.h). */
struct account {
    char name[64]; /* of the service */
    char kind[16];
    char url[SETTING_TEXT_MAX]; /* without a slash at its end; "": its kind's */
    char token_file[SETTING_TEXT_MAX]; /* or: */
    char token_env[64];
    char user[SETTING_TEXT_MAX]; /* "": the secret is a token; else the
                                    password of this account */
    bool doorbell;               /* where the service has one */
    bool buttons;                /* likewise; they need the doorbell */
    bool commands;               /* slash commands; likewise */
    /* Of the site's HTML, with blanks between (adapters/adapter.h). */
    char bold_classes[SETTING_TEXT_MAX];
    /* Where the file or variable is named: "placard.cfg:9: services[0]." */
    char where[SETTING_TEXT_MAX + 60];
};

/* A place where the bot hosts games. */
struct place {
    char name[64];
    char service[64];               /* an account's name, or CONF_BOARD */
    char address[SETTING_TEXT_MAX]; /* channel, room, topic; of the board: "" */
    char moderators[SETTING_LIST_MAX][SETTING_TEXT_MAX]; /* user ids */
    unsigned moderator_count;
    /* So many more stand behind them, who were met and have the role that
     * moderates; learned. */
    unsigned moderators_met;
    char moderator_role[SETTING_TEXT_MAX]; /* its name or id, or ROLE_MANAGES
                                              (adapters/adapter.h); "": none */
    /* What they are called, where ids are no names; "": not known.  Learned
     * from what they post, and not configured. */
    char moderator_names[SETTING_LIST_MAX][SETTING_TEXT_MAX];
    /* A bit for each word that is shown as another there
     * (bot/tables/delivery/delivery.c); also learned. */
    unsigned changed_words;
    char moderators_channel[SETTING_TEXT_MAX]; /* an address at the service; ""
                                                */
    char publish[8];  /* of finished games: names, seats, off */
    char recruit[64]; /* whom a new table notifies: RECRUIT_ALL, or a role's id;
                         "": nobody */
    int64_t min_account_age; /* of those who join; 0: any */
    char join_roles[SETTING_LIST_MAX]
                   [SETTING_TEXT_MAX]; /* who joins has one of these */
    unsigned join_role_count;          /* 0: anybody joins */
    struct settings settings;
};

struct conf {
    char file[SETTING_TEXT_MAX];     /* as it was named, for messages */
    char store[SETTING_TEXT_MAX];    /* the games' database */
    char key_file[SETTING_TEXT_MAX]; /* of its key; "": <store>.key */
    char board[SETTING_TEXT_MAX];    /* the embedded board's database */
    char alarm[SETTING_TEXT_MAX];    /* "PLACE" or "PLACE USER"; "": none */
    struct settings settings;
    /* What stands in the file: a line for each setting, "places[0].election =
     * 24h". */
    struct buf said;
    struct account *accounts; /* owned, as are the places */
    unsigned account_count;
    struct place *places;
    unsigned place_count;
};

/* The defaults of every setting, no services, no places.  What `conf` held is
 * not released. */
void conf_defaults(struct conf *conf);

/* Give it so many accounts, or places, instead of those that it has.  They are
 * zeroed, but for the defaults of a place's own settings. */
void conf_make_accounts(struct conf *conf, unsigned count);
void conf_make_places(struct conf *conf, unsigned count);

/* Free its accounts and places: it has none then.  Also one that is zeroed. */
void conf_release(struct conf *conf);

/*
 * Read a configuration file.  `kinds` are those that a service may be of, one
 * without a name after the last.  On a mistake ERR_CONFIG and one line in `why`
 * for *every* mistake found, as "file:line: key: what is wrong; what would be
 * right", without a line feed after the last; `conf` has then nothing to
 * release, and is not to be used.
 * Relative paths in the file are meant from the file's own folder.
 */
enum err conf_load(struct conf *conf, const char *file,
                   const struct conf_kind *kinds, struct buf *why) MUST_USE;

/* The file to read if `-c` is not given: ./placard.cfg, or else
 * /etc/placard/placard.cfg; NULL if there is neither. */
const char *conf_find(void);

/* The account at the service of that name, borrowed from `conf`; NULL: none. */
const struct account *conf_account(const struct conf *conf, const char *name);

/* Is a place on the embedded board? */
bool conf_uses_board(const struct conf *conf);

/* What kind of service it is: an account's, or CONF_BOARD. */
const char *conf_kind_of(const struct conf *conf, const char *service);

/* Does somebody moderate there?  And how many of them are known by id? */
bool place_is_moderated(const struct place *place);
unsigned place_moderators(const struct place *place);

/* May the site and the counts have the finished games of a place?  With the
 * names of people?  NULL: a place that is not configured, of which nothing
 * may. */
bool place_publishes(const struct place *place);
bool place_publishes_names(const struct place *place);

/* The place of that name, borrowed from `conf`; NULL: none. */
const struct place *conf_place(const struct conf *conf, const char *name);

/* The service of a place of a struct conf: whose user ids are known there.
 * Those of a place that is not configured are its own.  Borrowed. */
const char *conf_service_of(const void *conf, const char *place);

/* The place where the operator is told of trouble, and the user id to tell it
 * in private ("": at the place); NULL: nowhere. */
const struct place *conf_alarm(const struct conf *conf, const char **user);

#endif
