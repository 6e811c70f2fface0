/*
 * Sub-commands: one file each, one row each in the table of bot/cli/main.c.
 *
 * To add one: bot/cli/<name>.c with its function, its declaration here,
 * its row in bot/cli/main.c, its line in the Makefile and in the manual page.
 */
#ifndef BOT_CLI_COMMAND_H
#define BOT_CLI_COMMAND_H

#include <stdbool.h>

#include "bot/base/err.h"
#include "config/config.h"
#include "config/secrets.h"

/* Exit codes. */
enum {
    EXIT_DONE = 0,
    EXIT_FAULT = 1,
    EXIT_USAGE = 2,
    EXIT_UNKNOWN = 3 /* of `status` and `doctor`: it can't be told now */
};

struct subcommand {
    const char *name;
    const char *usage;   /* the line of its synopsis, without "placard" */
    const char *summary; /* one line */
    const char *help;    /* its options, for --help */
    int (*run)(int argc, char **argv); /* argv[0] is the sub-command */
};

int command_backup(int argc, char **argv);
int command_board(int argc, char **argv);
int command_catalogue(int argc, char **argv);
int command_check(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_forget(int argc, char **argv);
int command_games(int argc, char **argv);
int command_undelivered(int argc, char **argv);
int command_play(int argc, char **argv);
int command_post(int argc, char **argv);
int command_read(int argc, char **argv);
int command_record(int argc, char **argv);
int command_report(int argc, char **argv);
int command_restore(int argc, char **argv);
int command_rules(int argc, char **argv);
int command_run(int argc, char **argv);
int command_setup(int argc, char **argv);
int command_show(int argc, char **argv);
int command_simulate(int argc, char **argv);
int command_stats(int argc, char **argv);
int command_status(int argc, char **argv);
int command_thread(int argc, char **argv);
int command_verify(int argc, char **argv);

/* `play --replay FILE [--record FILE]` (bot/cli/replay.c). */
int replay_file(const char *file, const char *record);

/* ---- options: bot/cli/options.c -------------------------------------------
 */

/* An option of a sub-command: `--name VALUE`, `--name=VALUE`, or a flag. */
struct option_row {
    const char *name;   /* with its dashes: "--seed", "-c" */
    const char **value; /* set to the value; NULL: a flag */
    bool *flag;
    /* An option that may be given more than once: called with each value. */
    void (*each)(void *context, const char *value);
    void *context;
};

/* Read the options before or between other words; *argc and argv keep the
 * words.  False: wrong usage, and standard error says what is wrong. */
bool options_read(const struct option_row *rows, int *argc, char **argv);

/* Read the options of a sub-command that takes no other words.  False: wrong
 * usage, and standard error says what is wrong. */
bool options_alone(const struct option_row *rows, int argc, char **argv);

/* Read the options and the one word beside them; NULL: wrong usage, and
 * standard error says what is wrong: without the word, or with more of them,
 * `which`. */
const char *options_word(const struct option_row *rows, int argc, char **argv,
                         const char *which);

/* Read the value of an option (NULL leaves *number as it is): only digits, from
 * `least` to `most`.  False: it is not that, and standard error says so. */
bool options_number(const char *command, const char *option, const char *word,
                    unsigned least, unsigned most, unsigned *number);

/* Say on standard error what is wrong with the words of a sub-command; returns
 * false. */
bool options_refuse(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Load the configuration named by -c, or the one found.  Returns EXIT_DONE;
 * EXIT_USAGE: standard error says what is wrong with it. */
int options_conf(const char *file, struct conf *conf);

/* Load a configuration, do `work` with it, and release it again; returns as
 * options_conf, and EXIT_FAULT if the work fails, which is printed. */
typedef enum err options_work(const struct conf *conf, void *context,
                              struct buf *why);
int options_do(const char *file, options_work *work, void *context);

/* Load it as options_conf does, with mistakes in `why` as conf_load says them.
 */
enum err options_load(const char *file, struct conf *conf,
                      struct buf *why) MUST_USE;

/* Read the secrets of its accounts; returns as options_conf. */
int options_secrets(const struct conf *conf, struct secrets *secrets);

/* Print an error on standard error and return EXIT_FAULT. */
int command_fail(const struct buf *why);

/* End with EXIT_DONE, or as command_fail does; releases `why`. */
int command_end(enum err err, struct buf *why);

/* Write to a file, as file_write does, or (NULL) to standard output. */
enum err command_write(const struct buf *bytes, const char *file, unsigned mode,
                       struct buf *why) MUST_USE;

/* Forget again, in a store that no host has open, whoever was forgotten since
 * it was copied; *count: how many. */
enum err forget_again(const struct conf *conf, unsigned *count,
                      struct buf *why) MUST_USE;

#endif
