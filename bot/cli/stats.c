#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/cli/archive.h"
#include "bot/store/results.h"

/* A place with games. */
struct place_wins {
    char place[RESULT_PLACE_MAX + 1];
    struct wins wins;
};

struct stats {
    const struct conf *conf;
    struct place_wins *places; /* in the order of their first games */
    size_t place_count, place_room;
    unsigned hidden;            /* games of places that publish none */
    struct standings standings; /* in groups: the services */
};

static struct place_wins *
find_place(struct stats *stats, const char *name)
{
    for (size_t i = 0; i < stats->place_count; i++) {
        if (strcmp(stats->places[i].place, name) == 0) {
            return &stats->places[i];
        }
    }
    if (stats->place_count == stats->place_room) {
        stats->place_room = 2 * stats->place_room + 8;
        stats->places =
            must_grow(stats->places, stats->place_room * sizeof *stats->places);
    }
    struct place_wins *place = &stats->places[stats->place_count++];
    memset(place, 0, sizeof *place);
    (void)snprintf(place->place, sizeof place->place, "%s", name);
    return place;
}

static enum err
count(void *context, const struct result *result, struct buf *why)
{
    struct stats *stats = context;
    const struct place *place = conf_place(stats->conf, result->place);
    (void)why;
    if (!place_publishes(place)) {
        stats->hidden++;
        return ERR_NONE;
    }
    wins_add(&find_place(stats, result->place)->wins, result);
    if (place_publishes_names(place)) {
        standings_add(&stats->standings, place->service, result);
    }
    return ERR_NONE;
}

/* ---- as a table ---------------------------------------------------------- */

/* A name of a stranger's, so that a terminal shows it and does nothing else. */
static void
print_name(const char *name)
{
    for (; *name != '\0'; name++) {
        bool control = (unsigned char)*name < ' ' || *name == 0x7F;
        (void)putchar(control ? '?' : *name);
    }
    (void)putchar('\n');
}

static void
print_table(const struct stats *stats)
{
    (void)printf("liberal  fascist  abandoned  place\n");
    for (size_t i = 0; i < stats->place_count; i++) {
        const struct wins *wins = &stats->places[i].wins;
        (void)printf("%7u  %7u  %9u  %s\n", wins->liberal, wins->fascist,
                     wins->abandoned, stats->places[i].place);
    }
    if (stats->standings.count == 0) {
        return;
    }
    (void)printf("\ngames  won  as liberal  as fascist   as Hitler  player\n");
    for (size_t i = 0; i < stats->standings.count; i++) {
        const struct standing *standing = &stats->standings.list[i];
        const struct score *score = &standing->score;
        (void)printf("%5u  %3u", score_games(score), score_won(score));
        for (unsigned role = 0; role < RESULT_ROLES; role++) {
            (void)printf("  %3u of %3u", score->won[role], score->games[role]);
        }
        (void)printf("  ");
        print_name(standing->name);
    }
}

/* ---- as JSON ------------------------------------------------------------- */

static void
add_place(struct buf *out, const struct place_wins *place)
{
    jtext_begin_item(out);
    jtext_add_text(out, "place", place->place);
    jtext_add_number(out, "liberal", place->wins.liberal);
    jtext_add_number(out, "fascist", place->wins.fascist);
    jtext_add_number(out, "abandoned", place->wins.abandoned);
    buf_add_char(out, '}');
}

static void
add_player(struct buf *out, const struct standing *standing)
{
    const struct score *score = &standing->score;
    jtext_begin_item(out);
    jtext_add_text(out, "service", standing->group);
    jtext_add_text(out, "user", standing->user);
    jtext_add_text(out, "name", standing->name);
    jtext_add_number(out, "games", score_games(score));
    jtext_add_number(out, "won", score_won(score));
    jtext_begin_object(out, "roles");
    for (unsigned role = 0; role < RESULT_ROLES; role++) {
        jtext_begin_object(out, record_role_name((enum role)role));
        jtext_add_number(out, "games", score->games[role]);
        jtext_add_number(out, "won", score->won[role]);
        buf_add_char(out, '}');
    }
    buf_add_text(out, "}}");
}

static void
print_json(const struct stats *stats)
{
    struct buf out = BUF_INIT;
    buf_add_char(&out, '{');
    jtext_begin_list(&out, "places");
    for (size_t i = 0; i < stats->place_count; i++) {
        add_place(&out, &stats->places[i]);
    }
    buf_add_char(&out, ']');
    jtext_begin_list(&out, "players");
    for (size_t i = 0; i < stats->standings.count; i++) {
        add_player(&out, &stats->standings.list[i]);
    }
    buf_add_text(&out, "]}\n");
    (void)fputs(buf_text(&out), stdout);
    buf_release(&out);
}

/* ---- the command --------------------------------------------------------- */

static enum err
tell(struct archive *archive, void *json, struct buf *why)
{
    struct stats stats = {.conf = &archive->conf};
    enum err err = store_results(archive->store, NULL, count, &stats, why);
    standings_sort(&stats.standings);
    if (err == ERR_NONE && *(bool *)json) {
        print_json(&stats);
    } else if (err == ERR_NONE && stats.place_count + stats.hidden == 0) {
        (void)printf("No game has ended yet.\n");
    } else if (err == ERR_NONE && stats.place_count > 0) {
        print_table(&stats);
    }
    if (err == ERR_NONE) {
        archive_say_hidden(stats.hidden);
    }
    if (err == ERR_NONE && fflush(stdout) != 0) {
        err = err_say(why, ERR_FULL, "the counts can't be written out");
    }
    standings_release(&stats.standings);
    free(stats.places);
    return err;
}

int
command_stats(int argc, char **argv)
{
    const char *file = NULL;
    bool json = false;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = "--json", .flag = &json},
                                      {.name = NULL}};
    return options_alone(rows, argc, argv) ? archive_do(file, tell, &json)
                                           : EXIT_USAGE;
}
