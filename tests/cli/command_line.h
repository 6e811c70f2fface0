/*
 * A command run within a test as it is typed, and what it said: files in the
 * test's scratch folder.  Static functions, since a test program is one source
 * file.
 */
#ifndef TESTS_CLI_COMMAND_LINE_H
#define TESTS_CLI_COMMAND_LINE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/buf.h"
#include "bot/base/files.h"
#include "tests/base/scratch.h"

enum {
    COMMAND_LINE_WORDS_MAX = 16
};

static struct buf said;   /* on standard output */
static struct buf errors; /* on standard error */

static inline void
command_line_set_up(void)
{
    scratch_make();
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
}

static inline void
command_line_tear_down(void)
{
    buf_release(&said);
    buf_release(&errors);
    scratch_remove();
}

/* Read a file of the folder. */
static inline void
command_line_read(const char *name, struct buf *into)
{
    struct buf why = BUF_INIT;
    buf_release(into);
    ck_assert_int_eq(file_read(scratch_path(name), into, &why), ERR_NONE);
}

/* Where the streams went before. */
struct command_line_streams {
    int out, err;
};

/* Remove a folder of files. */
static inline void
command_line_remove(const char *folder)
{
    DIR *dir = opendir(scratch_path(folder));
    const struct dirent *entry = NULL;
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0) {
            ck_assert_int_eq(unlinkat(dirfd(dir), entry->d_name, 0), 0);
        }
    }
    (void)closedir(dir);
    ck_assert_int_eq(rmdir(scratch_path(folder)), 0);
}

static inline int
command_line_divert(int number, const char *name, int flags)
{
    (void)fflush(NULL);
    int before = dup(number);
    int file = open(scratch_path(name), flags, 0600);
    ck_assert_int_ge(before, 0);
    ck_assert_int_ge(file, 0);
    ck_assert_int_ge(dup2(file, number), 0);
    (void)close(file);
    return before;
}

static inline void
command_line_restore(int number, int before)
{
    (void)fflush(NULL);
    ck_assert_int_ge(dup2(before, number), 0);
    (void)close(before);
}

/* From here on it is listened to what is said. */
static inline struct command_line_streams
command_line_begin(void)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    int out = command_line_divert(STDOUT_FILENO, "out", flags);
    int err = command_line_divert(STDERR_FILENO, "err", flags);
    return (struct command_line_streams){out, err};
}

/* Up to here: it stands in `said` and `errors`. */
static inline void
command_line_end(struct command_line_streams before)
{
    command_line_restore(STDERR_FILENO, before.err);
    command_line_restore(STDOUT_FILENO, before.out);
    command_line_read("out", &said);
    command_line_read("err", &errors);
}

/* Run a command with a line, "board @game.jsonl --round 1": blanks part words,
 * names of files of the folder begin with @. */
static inline int
command_line_run(int (*command)(int count, char **words), const char *line)
{
    char copy[512];
    char paths[COMMAND_LINE_WORDS_MAX][384];
    char *words[COMMAND_LINE_WORDS_MAX + 1] = {NULL};
    int count = 0;
    char *rest = NULL;
    int len = snprintf(copy, sizeof copy, "%s", line);
    ck_assert_int_lt(len, (int)sizeof copy);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        ck_assert_int_lt(count, COMMAND_LINE_WORDS_MAX);
        if (word[0] == '@') {
            (void)snprintf(paths[count], sizeof paths[count], "%s/%s", scratch,
                           word + 1);
            word = paths[count];
        }
        words[count++] = word;
    }
    struct command_line_streams before = command_line_begin();
    int code = command(count, words);
    command_line_end(before);
    return code;
}

/* The same, with this to read. */
static inline int
command_line_run_with(int (*command)(int count, char **words), const char *line,
                      const char *input)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_write(scratch_path("in"), input, strlen(input), 0600, &why),
        ERR_NONE);
    int before = command_line_divert(STDIN_FILENO, "in", O_RDONLY);
    int code = command_line_run(command, line);
    command_line_restore(STDIN_FILENO, before);
    return code;
}

#endif
