#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/cli/command.h"
#include "bot/cli/health.h"

/* The place that was polled longest ago. */
static const struct health_place *
least_read(const struct health *health)
{
    const struct health_place *least = NULL;
    for (unsigned i = 0; i < health->place_count; i++) {
        if (least == NULL || health->places[i].polled < least->polled) {
            least = &health->places[i];
        }
    }
    return least;
}

static void
print_status(const struct health *health, const struct health_place *least)
{
    struct buf line = BUF_INIT;
    buf_add_text(&line, health->running ? "running" : "not running");
    if (health->process != 0) {
        buf_addf(&line, " (process %ld)", health->process);
    }
    buf_addf(&line, "; %u table%s on", health->tables,
             health->tables == 1 ? "" : "s");
    if (health->held > 0) {
        buf_addf(&line, ", %u of them held", health->held);
    }
    buf_addf(&line, "; %u message%s not delivered", health->undelivered,
             health->undelivered == 1 ? "" : "s");
    if (least != NULL) {
        buf_addf(&line, "; %s: ", least->name);
        health_add_poll(health, least, &line);
    }
    if (health->refused.len > 0) {
        buf_addf(&line, "; refused: %s", buf_text(&health->refused));
    }
    (void)printf("%s\n", buf_text(&line));
    buf_release(&line);
}

int
command_status(int argc, char **argv)
{
    const char *file = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = NULL}};
    struct health health;
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (!health_look(file, clock_now(), &health)) {
        return EXIT_FAULT;
    }
    const struct health_place *least = least_read(&health);
    print_status(&health, least);
    bool good = health.running && !health.damaged && health.refused.len == 0 &&
                (least == NULL || !health_is_unread(&health, least));
    health_release(&health);
    return good ? EXIT_DONE : EXIT_FAULT;
}
