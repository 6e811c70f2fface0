/*
 * The archive: the games in a store, for commands that may run beside a host.
 */
#ifndef BOT_CLI_ARCHIVE_H
#define BOT_CLI_ARCHIVE_H

#include "bot/cli/command.h"
#include "bot/host/table/ruling.h"
#include "bot/store/store.h"

struct archive {
    struct conf conf;
    struct store *store;
};

/* Load the configuration in `file` (NULL: the one found) and open its store for
 * reading; *archive is owned.  Returns EXIT_DONE; if not, standard error
 * says why: EXIT_USAGE, for the configuration is wrong, or EXIT_FAULT. */
int archive_open(const char *file, struct archive **archive);
/* Open the store alone, of a configuration that is loaded. */
enum err archive_open_store(struct archive *archive, struct buf *why) MUST_USE;
void archive_close(struct archive *archive);

/* Open an archive, do `work` with it, and close it again; returns as
 * archive_open, and EXIT_FAULT if the work fails, which is printed. */
typedef enum err archive_work(struct archive *archive, void *context,
                              struct buf *why);
int archive_do(const char *file, archive_work *work, void *context);

/* Restore the table of a game from its journal; ERR_GONE: no such game. */
enum err archive_table(struct archive *archive, const char *game,
                       struct table *table, struct buf *why) MUST_USE;

/* Append the text of `say` about a table, as plain text in the language of its
 * place ("en" if the place is no longer configured). */
typedef void archive_sayer(const struct host_env *env,
                           const struct table *table, struct rich *out);
enum err archive_say(struct archive *archive, const struct table *table,
                     archive_sayer *say, struct buf *out,
                     struct buf *why) MUST_USE;

/* Say on standard error how many games are left out because their places
 * publish none; nothing of 0. */
void archive_say_hidden(unsigned games);

#endif
