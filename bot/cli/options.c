#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"

enum {
    KINDS_MAX = 32
};

/* The row of an option as typed, with or without `=VALUE`. */
static const struct option_row *
find_row(const struct option_row *rows, const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    size_t len = equals == NULL ? strlen(word) : (size_t)(equals - word);
    for (; rows->name != NULL; rows++) {
        if (strlen(rows->name) == len && strncmp(rows->name, word, len) == 0) {
            *value = equals == NULL ? NULL : equals + 1;
            return rows;
        }
    }
    return NULL;
}

/* Take one option at argv[at]; the number of words it used, 0: wrong. */
static int
take_option(const struct option_row *rows, char **argv, int at, int argc)
{
    const char *value = NULL;
    const struct option_row *row = find_row(rows, argv[at], &value);
    if (row == NULL) {
        (void)fprintf(stderr,
                      "placard %s: unknown option %s; see `placard %s "
                      "--help`\n",
                      argv[0], argv[at], argv[0]);
        return 0;
    }
    if (row->flag != NULL) {
        if (value != NULL) {
            (void)fprintf(stderr, "placard %s: %s takes no value\n", argv[0],
                          row->name);
            return 0;
        }
        *row->flag = true;
        return 1;
    }
    int used = 1;
    if (value == NULL) {
        if (at + 1 >= argc) {
            (void)fprintf(stderr, "placard %s: %s needs a value\n", argv[0],
                          row->name);
            return 0;
        }
        value = argv[at + 1];
        used = 2;
    }
    if (row->each != NULL) {
        row->each(row->context, value);
    } else {
        *row->value = value;
    }
    return used;
}

bool
options_read(const struct option_row *rows, int *argc, char **argv)
{
    int deferred = 1;
    int at = 1;
    while (at < *argc) {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        if (argv[at][0] != '-' || argv[at][1] == '\0') {
            argv[deferred++] = argv[at++];
            continue;
        }
        int used = take_option(rows, argv, at, *argc);
        if (used == 0) {
            return false;
        }
        at += used;
    }
    while (at < *argc) {
        argv[deferred++] = argv[at++];
    }
    *argc = deferred;
    return true;
}

bool
options_alone(const struct option_row *rows, int argc, char **argv)
{
    if (!options_read(rows, &argc, argv)) {
        return false;
    }
    if (argc != 1) {
        (void)fprintf(stderr,
                      "placard %s: \"%s\" is no option; see `placard %s "
                      "--help`\n",
                      argv[0], argv[1], argv[0]);
    }
    return argc == 1;
}

const char *
options_word(const struct option_row *rows, int argc, char **argv,
             const char *which)
{
    if (!options_read(rows, &argc, argv)) {
        return NULL;
    }
    if (argc != 2) {
        (void)fprintf(stderr, "placard %s: %s\n", argv[0], which);
    }
    return argc == 2 ? argv[1] : NULL;
}

bool
options_refuse(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "placard %s: ", command);
    (void)vfprintf(stderr, format, args);
    (void)fprintf(stderr, "\n");
    va_end(args);
    return false;
}

bool
options_number(const char *command, const char *option, const char *word,
               unsigned least, unsigned most, unsigned *number)
{
    if (word == NULL) {
        return true;
    }
    size_t digits = strspn(word, "0123456789");
    unsigned long value = strtoul(word, NULL, 10);
    if (digits == 0 || digits > 10 || word[digits] != '\0' || value < least ||
        value > most) {
        return options_refuse(command,
                              "%s must be a number from %u to %u, not \"%s\"",
                              option, least, most, word);
    }
    *number = (unsigned)value;
    return true;
}

int
command_fail(const struct buf *why)
{
    (void)fprintf(stderr, "placard: %s\n", buf_text(why));
    return EXIT_FAULT;
}

int
command_end(enum err err, struct buf *why)
{
    int code = err == ERR_NONE ? EXIT_DONE : command_fail(why);
    buf_release(why);
    return code;
}

enum err
command_write(const struct buf *bytes, const char *file, unsigned mode,
              struct buf *why)
{
    if (file != NULL) {
        return file_write(file, buf_text(bytes), bytes->len, mode, why);
    }
    return fwrite(buf_text(bytes), 1, bytes->len, stdout) == bytes->len &&
                   fflush(stdout) == 0
               ? ERR_NONE
               : file_fail(why, "standard output", errno);
}

enum err
options_load(const char *file, struct conf *conf, struct buf *why)
{
    struct conf_kind kinds[KINDS_MAX + 1] = {{.name = NULL}};
    file = file == NULL ? conf_find() : file;
    if (file == NULL) {
        return err_say(why, ERR_CONFIG,
                       "no configuration: neither ./placard.cfg nor "
                       "/etc/placard/placard.cfg is there; name one with -c "
                       "FILE, or make one: `placard setup`");
    }
    unsigned count = 0;
    for (unsigned i = 0; service_kinds[i] != NULL; i++) {
        const struct service_kind *kind = service_kinds[i];
        if (!kind->embedded) {
            assert(count < KINDS_MAX);
            kinds[count++] =
                (struct conf_kind){kind->adapter->name, kind->base != NULL};
        }
    }
    return conf_load(conf, file, kinds, why);
}

/* Print what is wrong with a configuration; the exit code. */
static int
refuse(enum err err, struct buf *why)
{
    if (err != ERR_NONE) {
        (void)fprintf(stderr, "%s\n", buf_text(why));
    }
    buf_release(why);
    return err == ERR_NONE ? EXIT_DONE : EXIT_USAGE;
}

int
options_conf(const char *file, struct conf *conf)
{
    struct buf why = BUF_INIT;
    return refuse(options_load(file, conf, &why), &why);
}

int
options_do(const char *file, options_work *work, void *context)
{
    struct conf conf = {.place_count = 0};
    struct buf why = BUF_INIT;
    int code = options_conf(file, &conf);
    if (code == EXIT_DONE) {
        code = command_end(work(&conf, context, &why), &why);
    }
    conf_release(&conf);
    return code;
}

int
options_secrets(const struct conf *conf, struct secrets *secrets)
{
    struct buf why = BUF_INIT;
    return refuse(secrets_load(secrets, conf, &why), &why);
}
