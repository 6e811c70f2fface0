#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/cli/post_line.h"
#include "bot/host/words/catalogue.h"

/* The lines of a file, each given as soon as it arrives. */
struct lines {
    int file;
    const char *path;
    char chunk[1 << 16];
    size_t at, end;  /* of the chunk */
    struct buf line; /* line.cut: it is too long */
    bool over;       /* the file has ended */
};

/* What was asked for on the command line. */
struct chat_command {
    const char *file, *conf, *place;
};

/* ---- lines --------------------------------------------------------------- */

static enum err
fill(struct lines *lines, struct buf *why)
{
    ssize_t got = 0;
    do {
        got = read(lines->file, lines->chunk, sizeof lines->chunk);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return file_fail(why, lines->path, errno);
    }
    lines->at = 0;
    lines->end = (size_t)got;
    lines->over = got == 0;
    return ERR_NONE;
}

/* Read the next line, without its end; *there is false at the end of the
 * file. */
static enum err
next_line(struct lines *lines, bool *there, struct buf *why)
{
    bool whole = false;
    *there = false;
    buf_clear(&lines->line);
    lines->line.cut = false;
    while (!whole && !lines->over) {
        if (lines->at == lines->end) {
            enum err err = fill(lines, why);
            if (err != ERR_NONE) {
                return err;
            }
            continue;
        }
        const char *from = lines->chunk + lines->at;
        size_t left = lines->end - lines->at;
        const char *feed = memchr(from, '\n', left);
        size_t len = feed == NULL ? left : (size_t)(feed - from);
        whole = feed != NULL;
        buf_add(&lines->line, from, len);
        lines->at += len + (whole ? 1 : 0);
        *there = true;
    }
    return ERR_NONE;
}

/* ---- reading ------------------------------------------------------------- */

/* Read line by line to the end; *good: all could be read. */
static enum err
read_lines(struct lines *lines, const struct manner *manner, bool *good,
           struct buf *why)
{
    struct buf verdict = BUF_INIT;
    enum err err = ERR_NONE;
    bool there = true;
    *good = true;
    for (size_t number = 1; err == ERR_NONE && there; number++) {
        err = next_line(lines, &there, why);
        if (err != ERR_NONE || !there) {
            break;
        }
        const struct buf *line = &lines->line;
        buf_clear(&verdict);
        if (line->cut) {
            post_line_refuse(number, &verdict);
            *good = false;
        } else if (!post_line_judge(buf_text(line), line->len, number, manner,
                                    &verdict)) {
            *good = false;
        }
        err = command_write(&verdict, NULL, 0, why);
    }
    buf_release(&verdict);
    return err;
}

static int
read_file(const char *path, const struct manner *manner)
{
    bool piped = path == NULL || strcmp(path, "-") == 0;
    struct lines *lines = must_alloc(sizeof *lines);
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    bool good = false;
    lines->path = piped ? "standard input" : path;
    lines->file = piped ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    buf_init(&lines->line, POST_LINE_MAX);
    if (lines->file < 0) {
        err = file_fail(&why, path, errno);
    } else {
        err = read_lines(lines, manner, &good, &why);
    }
    if (err != ERR_NONE) {
        good = false;
        (void)command_fail(&why);
    }
    if (lines->file >= 0 && !piped) {
        (void)close(lines->file);
    }
    buf_release(&lines->line);
    buf_release(&why);
    free(lines);
    return good ? EXIT_DONE : EXIT_FAULT;
}

/* ---- the place ----------------------------------------------------------- */

static void
set_manner(struct manner *manner, const struct conf *conf,
           const struct place *place, const struct catalogue *catalogue)
{
    const struct adapter *adapter =
        adapter_find(conf_kind_of(conf, place->service));
    const struct settings *settings = &place->settings;
    manner->dialect = dialect_find(adapter->dialect->name);
    if (manner->dialect == NULL) {
        manner->dialect = &dialect_html; /* a forum's posts, as it shows them */
    }
    const struct account *account = conf_account(conf, place->service);
    manner->bold_classes = account == NULL ? NULL : account->bold_classes;
    manner->red_required =
        capabilities_require_red(&adapter->capabilities, settings->red);
    vocabulary_init(&manner->vocabulary, catalogue, settings);
}

static const struct place *
find_place(const struct conf *conf, const char *name)
{
    const struct place *place = conf_place(conf, name);
    if (place == NULL) {
        (void)fprintf(stderr,
                      "placard: %s: there is no place \"%s\"; the "
                      "places there:",
                      conf->file, name);
        for (unsigned i = 0; i < conf->place_count; i++) {
            (void)fprintf(stderr, "%s \"%s\"", i == 0 ? "" : ",",
                          conf->places[i].name);
        }
        (void)fprintf(stderr, "\n");
    }
    return place;
}

/* Read as in a place of the configuration. */
static int
read_for_place(const struct chat_command *order, const struct conf *conf)
{
    const struct place *place = find_place(conf, order->place);
    struct catalogue catalogue;
    struct manner manner = {.dialect = NULL};
    struct buf why = BUF_INIT;
    int code = EXIT_FAULT;
    if (place == NULL) {
        return EXIT_FAULT;
    }
    if (catalogue_load(&catalogue, place->settings.language,
                       place->settings.theme, &why) == ERR_NONE) {
        set_manner(&manner, conf, place, &catalogue);
        code = read_file(order->file, &manner);
        catalogue_release(&catalogue);
    } else {
        code = command_fail(&why);
    }
    buf_release(&why);
    return code;
}

int
command_read(int argc, char **argv)
{
    struct chat_command order = {.file = NULL};
    const struct option_row rows[] = {
        {.name = "--place", .value = &order.place},
        {.name = "-c", .value = &order.conf},
        {.name = NULL},
    };
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc > 2 || (order.conf != NULL && order.place == NULL)) {
        (void)fprintf(stderr, argc > 2
                                  ? "placard read: one FILE, or - for standard "
                                    "input\n"
                                  : "placard read: -c needs the place whose "
                                    "settings are meant: --place NAME\n");
        return EXIT_USAGE;
    }
    order.file = argc == 2 ? argv[1] : NULL;
    if (order.place == NULL) {
        const struct manner manner = {.dialect = NULL};
        return read_file(order.file, &manner);
    }
    struct conf *conf = must_alloc(sizeof *conf);
    int code = options_conf(order.conf, conf);
    code = code == EXIT_DONE ? read_for_place(&order, conf) : code;
    conf_release(conf);
    free(conf);
    return code;
}
