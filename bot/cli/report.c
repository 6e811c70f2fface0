#include "bot/report/report.h"

#include <stdio.h>

#include "bot/cli/recorded.h"
#include "bot/cli/site.h"

enum {
    REPORT_MODE = 0644, /* it holds only what everybody at the table was told */
};

static int
report_game(const struct recorded *recorded, const char *to)
{
    struct buf html = BUF_INIT;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    if (recorded->over) {
        report_write(recorded->lines, &recorded->catalogue,
                     (struct report_form){.site = false}, recorded->language,
                     recorded->zone, &html);
        err = command_write(&html, to, REPORT_MODE, &why);
    } else {
        err = err_say(&why, ERR_DENIED,
                      "game %s has not ended: a report tells all roles and "
                      "cards, so there is one after the end",
                      recorded->lines->id);
    }
    buf_release(&html);
    return command_end(err, &why);
}

int
command_report(int argc, char **argv)
{
    const char *to = NULL;
    const char *site = NULL;
    struct recorded recorded = {.name = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &recorded.conf},
        {.name = "-o", .value = &to},
        {.name = "--site", .value = &site},
        {.name = "--game", .value = &recorded.game},
        {.name = "--language", .value = &recorded.language},
        {.name = "--theme", .value = &recorded.theme},
        {.name = NULL},
    };
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (site != NULL) {
        if (argc == 1 && to == NULL && recorded.game == NULL) {
            return site_command(site, recorded.conf, recorded.language,
                                recorded.theme);
        }
        (void)fprintf(stderr, "placard report: --site writes pages of all "
                              "finished games, so name no game and no -o\n");
        return EXIT_USAGE;
    }
    if (argc != 2) {
        (void)fprintf(stderr, "placard report: of which game? GAME (`placard "
                              "games` lists them), or the FILE of a record\n");
        return EXIT_USAGE;
    }
    recorded.name = argv[1];
    int code = recorded_load(&recorded);
    code = code == EXIT_DONE ? report_game(&recorded, to) : code;
    recorded_release(&recorded);
    return code;
}
