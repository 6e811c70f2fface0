#include <stdio.h>
#include <stdlib.h>

#include "adapters/board_server.h"
#include "bot/base/civil.h"
#include "bot/commands/command.h"
#include "bot/courier.h"
#include "bot/host/words/catalogue.h"

/* What the bot may do, in the order in which it is told. */
static const struct {
    enum right right;
    const char *words;
} rights[] = {
    {RIGHT_READ, "read"},
    {RIGHT_POST, "post"},
    {RIGHT_EDIT, "edit its posts"},
    {RIGHT_TALK, "send private messages"},
    {RIGHT_REACT, "react"},
    {RIGHT_DELETE, "delete posts"},
    {RIGHT_PIN, "pin"},
    {RIGHT_UPLOAD, "upload"},
};
enum {
    RIGHTS = sizeof rights / sizeof rights[0]
};

/* Run one errand to its end; yours to release. */
static void
run_errand(struct courier *courier, const struct service *service,
           const struct errand *errand, struct delivery *delivery)
{
    courier_submit(courier, service, errand, 1);
    while (!courier_next(courier, delivery)) {
        courier_work(courier, clock_now(), SECOND_MS);
    }
}

static void
print_rights(unsigned held)
{
    const char *title = "  may:     ";
    for (unsigned i = 0; i < RIGHTS; i++) {
        if (held & rights[i].right) {
            (void)printf("%s%s", title, rights[i].words);
            title = ", ";
        }
    }
    title = "\n  may not: ";
    for (unsigned i = 0; i < RIGHTS; i++) {
        if (!(held & rights[i].right)) {
            (void)printf("%s%s", title, rights[i].words);
            title = ", ";
        }
    }
    (void)printf("\n");
}

static void
print_length(const struct traits *traits)
{
    if (traits->longest > 0) {
        (void)printf("  posts:   %zu to %zu characters\n",
                     traits->shortest == 0 ? (size_t)1 : traits->shortest,
                     traits->longest);
    }
}

static bool
check_language(const struct place *place, struct buf *why)
{
    struct catalogue catalogue;
    if (catalogue_load(&catalogue, place->settings.language, why) != ERR_NONE) {
        return false;
    }
    catalogue_release(&catalogue);
    return true;
}

/* Ask a place what the bot may do there. */
static bool
check_place(struct courier *courier, const struct place *place, struct buf *why)
{
    struct service service = {.adapter = adapter_find(place->service)};
    struct delivery delivery;
    struct buf thread = BUF_INIT;
    (void)snprintf(service.name, sizeof service.name, "%s", place->service);
    (void)snprintf(service.base, sizeof service.base, "%s:", place->service);
    (void)printf("%s (%s)\n", place->name, place->service);
    struct errand errand = {.kind = ERRAND_WHO};
    run_errand(courier, &service, &errand, &delivery);
    bool good = delivery.err == ERR_NONE;
    if (good) {
        (void)printf("  account: %s\n", buf_text(&delivery.outcome.id));
        (void)snprintf(service.self, sizeof service.self, "%s",
                       buf_text(&delivery.outcome.id));
    }
    buf_add_buf(why, &delivery.why);
    delivery_release(&delivery);
    if (!good) {
        return false;
    }
    errand.kind = ERRAND_PLACE;
    errand.text = place->address;
    run_errand(courier, &service, &errand, &delivery);
    good = delivery.err == ERR_NONE;
    buf_add_buf(&thread, &delivery.outcome.id);
    buf_add_buf(why, &delivery.why);
    delivery_release(&delivery);
    if (!good) {
        buf_release(&thread);
        return false;
    }
    errand = (struct errand){.kind = ERRAND_PROBE, .place = buf_text(&thread)};
    run_errand(courier, &service, &errand, &delivery);
    good = delivery.err == ERR_NONE;
    if (good) {
        print_rights(delivery.outcome.rights);
        print_length(&service.adapter->traits);
    }
    buf_add_buf(why, &delivery.why);
    delivery_release(&delivery);
    buf_release(&thread);
    return good;
}

static bool
check_places(const struct conf *conf)
{
    struct board *board = NULL;
    struct buf why = BUF_INIT;
    bool good = true;
    if (board_open(conf->board, true, &board, &why) != ERR_NONE) {
        (void)command_fail(&why);
        buf_release(&why);
        return false;
    }
    struct courier *courier = courier_new(board);
    for (unsigned i = 0; i < conf->place_count; i++) {
        const struct place *place = &conf->places[i];
        if (!check_language(place, &why) ||
            !check_place(courier, place, &why)) {
            (void)fprintf(stderr, "placard: place \"%s\": %s\n", place->name,
                          buf_text(&why));
            good = false;
        }
        buf_clear(&why);
    }
    courier_free(courier);
    board_close(board);
    buf_release(&why);
    return good;
}

int
command_check(int argc, char **argv)
{
    const char *file = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = NULL}};
    if (!options_read(rows, &argc, argv) || argc != 1) {
        return EXIT_USAGE;
    }
    struct conf *conf = must_alloc(sizeof *conf);
    int code = EXIT_FAULT;
    if (options_conf(file, conf)) {
        (void)printf("%s: no mistakes\n", conf->file);
        code = check_places(conf) ? EXIT_DONE : EXIT_FAULT;
    }
    free(conf);
    return code;
}
