#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/version.h"
#include "bot/cli/command.h"
#include "bot/cli/health.h"
#include "bot/cli/undelivered.h"

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

static void
add_text(struct doctor *doctor, const char *key, const char *text)
{
    jtext_key(&doctor->json, key);
    jtext_string(&doctor->json, text);
}

static void
add_number(struct doctor *doctor, const char *key, int64_t number)
{
    jtext_key(&doctor->json, key);
    buf_addf(&doctor->json, "%" PRId64, number);
}

static void
add_bool(struct doctor *doctor, const char *key, bool value)
{
    jtext_key(&doctor->json, key);
    buf_add_text(&doctor->json, value ? "true" : "false");
}

/* A time that is not known is null. */
static void
add_instant(struct doctor *doctor, const char *key, int64_t instant)
{
    struct buf text = BUF_INIT;
    if (instant == 0) {
        jtext_key(&doctor->json, key);
        buf_add_text(&doctor->json, "null");
    } else {
        instant_write(instant, &text);
        add_text(doctor, key, buf_text(&text));
    }
    buf_release(&text);
}

static void
begin_item(struct doctor *doctor)
{
    jtext_comma(&doctor->json);
    buf_add_char(&doctor->json, '{');
}

/* ---- each part ----------------------------------------------------------- */

static void
tell_host(struct doctor *doctor)
{
    const struct health *health = &doctor->health;
    struct buf line = BUF_INIT;
    add_text(doctor, "version", placard_version);
    add_text(doctor, "store", health->archive->conf.store);
    add_bool(doctor, "running", health->running);
    add_bool(doctor, "damaged", health->damaged);
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
        add_text(doctor, "refused", buf_text(&health->refused));
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
    jtext_key(&doctor->json, "places");
    buf_add_char(&doctor->json, '[');
    for (unsigned i = 0; i < health->place_count; i++) {
        const struct health_place *place = &health->places[i];
        struct buf line = BUF_INIT;
        begin_item(doctor);
        add_text(doctor, "name", place->name);
        add_instant(doctor, "read", place->polled);
        add_number(doctor, "clock_behind_ms", place->behind_by);
        buf_add_char(&doctor->json, '}');
        buf_addf(&line, "%s: ", place->name);
        health_add_poll(health, place, &line);
        tell(doctor, health_is_unread(health, place), &line);
        if (i == 0 || strcmp(place[-1].service, place->service) != 0) {
            tell_clock(doctor, place);
        }
        buf_release(&line);
    }
    buf_add_char(&doctor->json, ']');
}

/* What its thread is told: nothing here says what is secret. */
static void
tell_table(struct doctor *doctor, const struct store_game *game,
           const struct table *table)
{
    int64_t due =
        table->state == TABLE_RUNNING && !table->paused ? table_told(table) : 0;
    int64_t left = due - doctor->health.now;
    bool late = due != 0 && left < -HEALTH_SENT_WITHIN;
    struct buf line = BUF_INIT;
    add_instant(doctor, "deadline", due);
    buf_addf(&line, "table %s, %s: ", game->id, game->place);
    if (due == 0) {
        buf_add_text(&line, "no deadline");
    } else {
        buf_add_text(&line, left < 0 ? "its deadline passed " : "deadline in ");
        health_add_time(left < 0 ? -left : left, &line);
        buf_add_text(&line, left < 0 ? " ago" : "");
    }
    if (due == 0 || left <= HEALTH_SOON) {
        tell(doctor, late, &line);
    }
    buf_release(&line);
}

static enum err
take_table(void *context, const struct store_game *game, struct buf *why)
{
    struct doctor *doctor = context;
    struct buf line = BUF_INIT;
    struct buf trouble = BUF_INIT;
    (void)why;
    if (game->over) {
        return ERR_NONE;
    }
    struct table *table = must_alloc(sizeof *table);
    enum err err =
        archive_table(doctor->health.archive, game->id, table, &trouble);
    begin_item(doctor);
    add_text(doctor, "table", game->id);
    add_text(doctor, "place", game->place);
    add_bool(doctor, "held", game->held || err != ERR_NONE);
    if (game->held || err != ERR_NONE) {
        buf_addf(&line, "table %s, %s: held%s%s", game->id, game->place,
                 trouble.len > 0 ? ": " : "", buf_text(&trouble));
        tell(doctor, true, &line);
    } else {
        tell_table(doctor, game, table);
    }
    buf_add_char(&doctor->json, '}');
    wipe(table, sizeof *table);
    free(table);
    buf_release(&line);
    buf_release(&trouble);
    return ERR_NONE;
}

static enum err
tell_message(void *context, const struct store_message *message,
             struct buf *why)
{
    struct doctor *doctor = context;
    struct buf line = BUF_INIT;
    (void)why;
    begin_item(doctor);
    add_text(doctor, "table", message->game);
    add_text(doctor, "place", message->place);
    add_text(doctor, "what", undelivered_name(message));
    add_number(doctor, "count", message->count);
    add_instant(doctor, "since", message->written);
    add_text(doctor, "why", message->trouble);
    buf_add_char(&doctor->json, '}');
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
    jtext_key(&doctor->json, "tables");
    buf_add_char(&doctor->json, '[');
    enum err err = store_games(store, take_table, doctor, why);
    buf_add_char(&doctor->json, ']');
    if (err == ERR_NONE) {
        jtext_key(&doctor->json, "undelivered");
        buf_add_char(&doctor->json, '[');
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
    bool full =
        health->free_bytes >= 0 && health->free_bytes < HEALTH_FREE_LEAST;
    struct buf line = BUF_INIT;
    add_number(doctor, "free_bytes", health->free_bytes);
    add_instant(doctor, "backup", health->backup);
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
    if (!health_look(file, clock_now(), &doctor.health)) {
        return EXIT_FAULT;
    }
    buf_add_char(&doctor.json, '{');
    tell_host(&doctor);
    tell_places(&doctor);
    int code = EXIT_FAULT;
    if (tell_tables(&doctor, &why) == ERR_NONE) {
        tell_files(&doctor);
        add_bool(&doctor, "good", !doctor.bad);
        code = doctor.bad ? EXIT_FAULT : EXIT_DONE;
        if (doctor.as_json) {
            (void)printf("%s}\n", buf_text(&doctor.json));
        }
    } else {
        code = command_fail(&why);
    }
    health_release(&doctor.health);
    buf_release(&doctor.json);
    buf_release(&why);
    return code;
}
