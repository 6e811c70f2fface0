#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/version.h"
#include "bot/cli/command.h"
#include "bot/cli/health.h"
#include "bot/cli/undelivered.h"
#include "bot/loop/notes.h"

/* What is told, as lines or as JSON; `bad`: something needs somebody. */
struct doctor {
    struct health health;
    bool as_json, bad;
    struct buf json; /* an object that is open */
};

static void
tell(struct doctor *doctor, bool bad, const struct buf *line)
{
    doctor->bad = doctor->bad || bad;
    if (!doctor->as_json) {
        (void)printf("%c %s\n", bad ? '!' : ' ', buf_text(line));
    }
}

/* ---- each part ----------------------------------------------------------- */

static void
tell_host(struct doctor *doctor)
{
    const struct health *health = &doctor->health;
    struct buf line = BUF_INIT;
    buf_addf(&line, "placard %s: ", placard_version);
    if (health->running) {
        buf_addf(&line, "a host runs, process %ld", health->process);
    } else {
        buf_add_text(&line, "no host runs; start it: `placard run`");
    }
    tell(doctor, !health->running, &line);
    if (health->damaged) {
        buf_clear(&line);
        buf_addf(&line, "%s is damaged; restore a backup",
                 health->archive->conf.store);
        tell(doctor, true, &line);
    }
    if (health->refused.len > 0) {
        tell(doctor, true, &health->refused);
    }
    buf_release(&line);
}

static void
tell_clock(struct doctor *doctor, const struct health_place *place)
{
    int64_t by = place->behind_by;
    struct buf line = BUF_INIT;
    bool bad = by > HEALTH_CLOCK_WITHIN || by < -HEALTH_CLOCK_WITHIN;
    if (bad) {
        buf_addf(&line, "%s: its clock is ", place->service);
        health_add_time(by < 0 ? -by : by, &line);
        buf_addf(&line, " %s this machine's; set this machine's by NTP",
                 by > 0 ? "behind" : "ahead of");
        tell(doctor, true, &line);
    }
    buf_release(&line);
}

static void
tell_places(struct doctor *doctor)
{
    const struct health *health = &doctor->health;
    for (unsigned i = 0; i < health->place_count; i++) {
        const struct health_place *place = &health->places[i];
        struct buf line = BUF_INIT;
        buf_addf(&line, "%s: ", place->name);
        health_add_poll(health, place, &line);
        tell(doctor, health_is_unread(health, place), &line);
        if (i == 0 || strcmp(place[-1].service, place->service) != 0) {
            tell_clock(doctor, place);
        }
        buf_release(&line);
    }
}

static void
tell_game(struct doctor *doctor, const struct health_game *game)
{
    int64_t left = game->deadline - doctor->health.now;
    bool late = game->deadline != 0 && left < -HEALTH_SENT_WITHIN;
    struct buf line = BUF_INIT;
    buf_addf(&line, "table %s, %s: ", game->row->id, game->row->place);
    if (game->deadline == 0) {
        buf_add_text(&line, "no deadline");
    } else {
        buf_add_text(&line, left < 0 ? "its deadline passed " : "deadline in ");
        health_add_time(left < 0 ? -left : left, &line);
        buf_add_text(&line, left < 0 ? " ago" : "");
    }
    if (game->deadline == 0 || left <= HEALTH_SOON) {
        tell(doctor, late, &line);
    }
    buf_release(&line);
}

static enum err
take_game(void *context, const struct store_game *row, struct buf *why)
{
    struct doctor *doctor = context;
    struct health_game game;
    struct buf line = BUF_INIT;
    struct buf trouble = BUF_INIT;
    (void)why;
    if (row->over) {
        return ERR_NONE;
    }
    enum err err =
        health_game(doctor->health.archive, row, NULL, &game, &trouble);
    health_add_game(&game, &doctor->json);
    if (row->held || err != ERR_NONE) {
        buf_addf(&line, "table %s, %s: held%s%s", row->id, row->place,
                 trouble.len > 0 ? ": " : "", buf_text(&trouble));
        tell(doctor, true, &line);
    } else {
        tell_game(doctor, &game);
    }
    buf_release(&line);
    buf_release(&trouble);
    return ERR_NONE;
}

static enum err
tell_message(void *context, const struct store_message *message,
             struct buf *why)
{
    struct doctor *doctor = context;
    struct buf *json = &doctor->json;
    struct buf line = BUF_INIT;
    (void)why;
    jtext_begin_item(json);
    jtext_add_text(json, "table", message->game);
    jtext_add_text(json, "place", message->place);
    jtext_add_text(json, "what", undelivered_name(message));
    jtext_add_number(json, "count", message->count);
    jtext_add_instant(json, "since", message->written);
    jtext_add_text(json, "why", message->trouble);
    buf_add_char(json, '}');
    buf_addf(&line, "%s: %lld %s not delivered for ", message->place,
             (long long)message->count, undelivered_name(message));
    health_add_time(doctor->health.now - message->written, &line);
    buf_addf(&line, "%s%s", message->trouble[0] == '\0' ? "" : ": ",
             message->trouble);
    tell(doctor, doctor->health.now - message->written > HEALTH_SENT_WITHIN,
         &line);
    buf_release(&line);
    return ERR_NONE;
}

static enum err
tell_tables(struct doctor *doctor, struct buf *why)
{
    struct store *store = doctor->health.archive->store;
    jtext_begin_list(&doctor->json, "tables");
    enum err err = store_games(store, take_game, doctor, why);
    buf_add_char(&doctor->json, ']');
    if (err == ERR_NONE) {
        jtext_begin_list(&doctor->json, "undelivered");
        err = undelivered_each(store, doctor->health.now, tell_message, doctor,
                               why);
        buf_add_char(&doctor->json, ']');
    }
    return err;
}

/* A backup that is missing or old is said, and is no fault: it may be made in
 * another way. */
static void
tell_files(struct doctor *doctor)
{
    const struct health *health = &doctor->health;
    bool full = health->free_bytes >= 0 && health->free_bytes < DISK_LEFT_LEAST;
    struct buf line = BUF_INIT;
    if (health->free_bytes >= 0) {
        buf_addf(&line, "disk: %lld MB free",
                 (long long)(health->free_bytes / 1000000));
        tell(doctor, full, &line);
        buf_clear(&line);
    }
    if (health->backup == 0) {
        buf_add_text(&line, "backup: none by `placard backup` is known of");
    } else {
        buf_add_text(&line, "backup: ");
        health_add_time(health->now - health->backup, &line);
        buf_addf(&line, " ago, %s", buf_text(&health->backup_file));
        if (health->now - health->backup > HEALTH_BACKUP_EVERY) {
            buf_add_text(&line, "; make one");
        }
    }
    tell(doctor, false, &line);
    buf_release(&line);
}

int
command_doctor(int argc, char **argv)
{
    const char *file = NULL;
    struct doctor doctor = {.bad = false};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--json", .flag = &doctor.as_json},
        {.name = NULL}};
    struct buf why = BUF_INIT;
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    int code = health_look(file, clock_now(), &doctor.health);
    if (code != EXIT_DONE) {
        return code;
    }
    buf_add_char(&doctor.json, '{');
    health_add_json(&doctor.health, &doctor.json);
    tell_host(&doctor);
    tell_places(&doctor);
    enum err err = tell_tables(&doctor, &why);
    if (err == ERR_NONE) {
        tell_files(&doctor);
        jtext_add_bool(&doctor.json, "good", !doctor.bad);
        code = doctor.bad ? EXIT_FAULT : EXIT_DONE;
        if (doctor.as_json) {
            (void)printf("%s}\n", buf_text(&doctor.json));
        }
    } else {
        code = health_fail(err, &why);
    }
    health_release(&doctor.health);
    buf_release(&doctor.json);
    buf_release(&why);
    return code;
}
