#include <stdio.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
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
add_line(const struct health *health, const struct health_place *least,
         struct buf *line)
{
    buf_add_text(line, health->running ? "running" : "not running");
    if (health->process != 0) {
        buf_addf(line, " (process %ld)", health->process);
    }
    unsigned held = health->games[HEALTH_HELD];
    unsigned on =
        health->games[HEALTH_SIGNUP] + health->games[HEALTH_RUNNING] + held;
    buf_addf(line, "; %u table%s on", on, on == 1 ? "" : "s");
    if (held > 0) {
        buf_addf(line, ", %u of them held", held);
    }
    buf_addf(line, "; %u message%s not delivered", health->undelivered,
             health->undelivered == 1 ? "" : "s");
    if (least != NULL) {
        buf_addf(line, "; %s: ", least->name);
        health_add_poll(health, least, line);
    }
    if (health->refused.len > 0) {
        buf_addf(line, "; refused: %s", buf_text(&health->refused));
    }
    buf_add_char(line, '\n');
}

/* Metrics tell by themselves what is wrong: with them that is no fault. */
static int
tell(const struct health *health, bool json, bool metrics, const char *to)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    const struct health_place *least = least_read(health);
    bool good = health->running && !health->damaged &&
                health->refused.len == 0 &&
                (least == NULL || !health_is_unread(health, least));
    int code = good || metrics ? EXIT_DONE : EXIT_FAULT;
    if (metrics) {
        health_add_metrics(health, &text);
    } else if (json) {
        buf_add_char(&text, '{');
        health_add_json(health, &text);
        jtext_add_bool(&text, "good", good);
        buf_add_text(&text, "}\n");
    } else {
        add_line(health, least, &text);
    }
    if (command_write(&text, to, 0644, &why) != ERR_NONE) {
        code = command_fail(&why);
    }
    buf_release(&text);
    buf_release(&why);
    return code;
}

int
command_status(int argc, char **argv)
{
    const char *file = NULL;
    const char *to = NULL;
    bool json = false;
    bool metrics = false;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "-o", .value = &to},
        {.name = "--json", .flag = &json},
        {.name = "--prometheus", .flag = &metrics},
        {.name = NULL}};
    struct health health;
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (json && metrics) {
        (void)fprintf(stderr, "placard status: as JSON, or for Prometheus? "
                              "Give one of both\n");
        return EXIT_USAGE;
    }
    int code = health_look(file, clock_now(), &health);
    if (code == EXIT_DONE) {
        code = tell(&health, json, metrics, to);
        health_release(&health);
    }
    return code;
}
