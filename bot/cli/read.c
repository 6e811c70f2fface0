#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/markup/dialects.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/cli/post_line.h"
#include "bot/host/words/catalogue.h"

/* What was asked for on the command line. */
struct chat_command {
    const char *file, *conf, *place;
};

/* ---- reading ------------------------------------------------------------- */

/* Read line by line to the end; *good: all could be read. */
static enum err
read_lines(FILE *file, const char *path, const struct manner *manner,
           bool *good, struct buf *why)
{
    struct buf line = BUF_INIT;
    struct buf verdict = BUF_INIT;
    enum err err = ERR_NONE;
    *good = true;
    buf_init(&line, POST_LINE_MAX + 1);
    for (size_t number = 1; err == ERR_NONE && file_read_line(file, &line);
         number++) {
        size_t len = line.len - (line.data[line.len - 1] == '\n');
        buf_clear(&verdict);
        if (line.cut || len > POST_LINE_MAX) {
            post_line_refuse(number, &verdict);
            *good = false;
        } else if (!post_line_judge(line.data, len, number, manner, &verdict)) {
            *good = false;
        }
        err = command_write(&verdict, NULL, 0, why);
    }
    if (err == ERR_NONE && ferror(file) != 0) {
        err = file_fail(why, path, errno);
    }
    buf_release(&line);
    buf_release(&verdict);
    return err;
}

static int
read_file(const char *path, const struct manner *manner)
{
    bool piped = path == NULL || strcmp(path, "-") == 0;
    FILE *file = piped ? stdin : fopen(path, "r");
    struct buf why = BUF_INIT;
    bool good = false;
    enum err err = file == NULL
                       ? file_fail(&why, path, errno)
                       : read_lines(file, piped ? "standard input" : path,
                                    manner, &good, &why);
    if (file != NULL && !piped) {
        (void)fclose(file);
    }
    int code = command_end(err, &why);
    return good ? code : EXIT_FAULT;
}

/* ---- the place ----------------------------------------------------------- */

static void
set_manner(struct manner *manner, const struct conf *conf,
           const struct place *place, const struct catalogue *catalogue)
{
    const struct adapter *adapter =
        adapter_find(conf_kind_of(conf, place->service));
    const struct settings *settings = &place->settings;
    manner->dialect = dialects_find(adapter->dialect->name);
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
    struct conf conf = {.place_count = 0};
    int code = options_conf(order.conf, &conf);
    code = code == EXIT_DONE ? read_for_place(&order, &conf) : code;
    conf_release(&conf);
    return code;
}
