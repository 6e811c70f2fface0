/*
 * `play`: a whole game at a local table in the terminal.
 *
 * Files in its folder of the state directory: store.db and board.db, the game;
 * play.json, the options it began with, so that --resume can go on; and the
 * records of games that have ended.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/base/log.h"
#include "bot/cli/command.h"
#include "bot/local/guest.h"
#include "bot/local/sim_table.h"
#include "bot/record/deal.h"
#include "bot/store/recover.h"

enum {
    PACE_NORMAL = 300, /* ms per post, on a terminal */
    PACE_MAX = 60000,
    PAUSE_MAX = 4000, /* ms after a step, however many posts it brought */
    PLAN_MAX = 1 << 16,
    ASIDE_MAX = 99, /* unfinished games kept aside */
    PLAYERS_NORMAL = 7,
};

/* The clock of a play with a seed begins on Monday, 2026-01-05, 18:00 UTC. */
#define SEEDED_START INT64_C(1767636000000)
/* What was asked for on the command line; NULL: not given. */
struct wishes {
    const char *players, *seat, *language, *theme, *rules, *seed, *pace,
        *record, *replay;
    bool automatic, resume;
    bool sets; /* some --set was given */
    bool wrong;
    struct settings settings;
    struct buf why; /* what is wrong with a --set */
};

struct play {
    struct wishes wishes;
    struct stage stage;
    struct sim_table sim_table;
    struct sim_table_plan plan;
    struct buf seed;   /* hex */
    struct buf folder; /* of the game */
    bool over;         /* the game in the folder has ended */
    struct guest guest;
    int64_t pace;
};

/* ---- signals ------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void
stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

/* A signal interrupts any wait, so that the play can end cleanly. */
static void
listen_to_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = stop;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        (void)sigaction(signals[i], &action, NULL);
    }
}

/* ---- the plan on disk ---------------------------------------------------- */

static void
path_of(const struct play *play, const char *name, struct buf *path)
{
    buf_addf(path, "%s/%s", buf_text(&play->folder), name);
}

static void
write_settings(const struct settings *settings, struct buf *out)
{
    const struct setting *setting = NULL;
    for (size_t i = 0; (setting = setting_at(i)) != NULL; i++) {
        struct buf value = BUF_INIT;
        if (setting->scope == SCOPE_GAME &&
            settings_get(settings, setting->key, &value) && value.len > 0) {
            jtext_add_text(out, setting->key, buf_text(&value));
        }
        buf_release(&value);
    }
}

static enum err
save_plan(const struct play *play, struct buf *why)
{
    struct buf path = BUF_INIT;
    struct buf text = BUF_INIT;
    path_of(play, "play.json", &path);
    buf_add_text(&text, "{");
    jtext_add_text(&text, "seed", buf_text(&play->seed));
    jtext_add_number(&text, "start", play->plan.start);
    jtext_add_number(&text, "players", play->plan.players);
    jtext_add_text(&text, "seat", play->plan.seat);
    jtext_add_bool(&text, "over", play->over);
    jtext_begin_object(&text, "settings");
    write_settings(&play->stage.conf.settings, &text);
    buf_add_text(&text, "}}\n");
    enum err err =
        file_write(buf_text(&path), buf_text(&text), text.len, 0600, why);
    buf_release(&path);
    buf_release(&text);
    return err;
}

static bool
read_settings(json_object *object, struct settings *settings)
{
    struct buf trouble = BUF_INIT;
    bool good = true;
    json_object_object_foreach(object, key, value)
    {
        good = good && json_object_is_type(value, json_type_string) &&
               settings_set(settings, key, json_object_get_string(value),
                            &trouble) == ERR_NONE;
    }
    buf_release(&trouble);
    return good;
}

static bool
read_plan(struct play *play, json_object *object)
{
    struct sim_table_plan *plan = &play->plan;
    const char *seed = jdoc_string(object, "seed");
    const char *seat = jdoc_string(object, "seat");
    json_object *settings = jdoc_get(object, "settings");
    int64_t players = 0;
    if (seed == NULL || seat == NULL || strlen(seat) > RECORD_NAME_MAX ||
        !json_object_is_type(settings, json_type_object) ||
        !jdoc_integer(object, "start", &plan->start) ||
        !jdoc_integer(object, "players", &players) ||
        !jdoc_bool(object, "over", &play->over)) {
        return false;
    }
    if (players < PLAYERS_MIN || players > PLAYERS_MAX ||
        !stage_seed(&play->stage, seed)) {
        return false;
    }
    buf_clear(&play->seed);
    buf_add_text(&play->seed, seed);
    plan->players = (unsigned)players;
    memcpy(plan->seat, seat, strlen(seat) + 1);
    return read_settings(settings, &play->stage.conf.settings);
}

/* Load the plan of the game in the folder.  ERR_GONE: there is none. */
static enum err
load_plan(struct play *play, struct buf *why)
{
    struct buf path = BUF_INIT;
    struct buf text = BUF_INIT;
    json_object *object = NULL;
    path_of(play, "play.json", &path);
    buf_init(&text, PLAN_MAX);
    enum err err = file_read(buf_text(&path), &text, why);
    if (err == ERR_NONE) {
        struct buf trouble = BUF_INIT;
        bool good = jdoc_parse(buf_text(&text), text.len, true, &object,
                               &trouble) == ERR_NONE &&
                    read_plan(play, object);
        if (!good) {
            err = err_say(why, ERR_GARBLED,
                          "%s: not the plan of a game; restore it from a "
                          "backup, or begin anew without --resume",
                          buf_text(&path));
        }
        buf_release(&trouble);
    }
    json_object_put(object);
    buf_release(&path);
    buf_release(&text);
    return err;
}

/* ---- wishes -------------------------------------------------------------- */

static void
wish_setting(void *context, const char *value)
{
    struct wishes *wishes = context;
    const char *equals = strchr(value, '=');
    char key[64];
    wishes->sets = true;
    if (wishes->wrong) {
        return;
    }
    if (equals == NULL || (size_t)(equals - value) >= sizeof(key)) {
        buf_addf(&wishes->why, "--set takes option=value, not \"%s\"", value);
        wishes->wrong = true;
        return;
    }
    memcpy(key, value, (size_t)(equals - value));
    key[equals - value] = '\0';
    wishes->wrong = settings_set(&wishes->settings, key, equals + 1,
                                 &wishes->why) != ERR_NONE;
}

static bool
set_wish(struct wishes *wishes, const char *key, const char *value)
{
    return value == NULL || settings_set(&wishes->settings, key, value,
                                         &wishes->why) == ERR_NONE;
}

/* The wishes that apply at the start of a game; they can't change later. */
static bool
begins_a_game(const struct wishes *wishes)
{
    return wishes->players != NULL || wishes->seat != NULL ||
           wishes->language != NULL || wishes->theme != NULL ||
           wishes->rules != NULL || wishes->seed != NULL || wishes->sets;
}

static bool
wishes_fit(struct wishes *wishes)
{
    if (wishes->resume && begins_a_game(wishes)) {
        return options_refuse(
            "play", "--resume goes on with a game as it was begun; only "
                    "--auto, --pace and --record may stand beside it");
    }
    if (wishes->automatic && wishes->seat != NULL) {
        return options_refuse("play",
                              "--auto has no seat for you; leave --seat away");
    }
    if (wishes->wrong || !set_wish(wishes, "language", wishes->language) ||
        !set_wish(wishes, "theme", wishes->theme) ||
        !set_wish(wishes, "rules", wishes->rules) ||
        settings_check(&wishes->settings, &wishes->why) != ERR_NONE) {
        return options_refuse("play", "%s", buf_text(&wishes->why));
    }
    return true;
}

static bool
replay_fits(const struct wishes *wishes)
{
    if (begins_a_game(wishes) || wishes->automatic || wishes->resume ||
        wishes->pace != NULL) {
        return options_refuse("play",
                              "with --replay, only --record can be given");
    }
    return true;
}

/* Append a text from a catalogue that is loaded only for this. */
static enum err
add_text(const struct settings *settings, const char *key, struct buf *out,
         struct buf *why)
{
    struct catalogue catalogue;
    enum err err =
        catalogue_load(&catalogue, settings->language, settings->theme, why);
    if (err == ERR_NONE) {
        catalogue_text(&catalogue, key, NULL, out);
        catalogue_release(&catalogue);
    }
    return err;
}

/* The name that was asked for, or else a newcomer's name in the language. */
static enum err
take_seat(const struct wishes *wishes, char seat[RECORD_NAME_MAX + 1],
          struct buf *why)
{
    struct buf name = BUF_INIT;
    enum err err = ERR_NONE;
    if (wishes->seat != NULL) {
        buf_add_text(&name, wishes->seat);
    } else {
        err = add_text(&wishes->settings, "guest_seat", &name, why);
    }
    ERR_THEN(err, sim_table_name(buf_text(&name), seat, why));
    buf_release(&name);
    return err;
}

/* Apply the wishes; false: they are impossible, and a message was printed. */
static bool
take_wishes(struct play *play)
{
    const struct wishes *wishes = &play->wishes;
    struct sim_table_plan *plan = &play->plan;
    struct buf why = BUF_INIT;
    unsigned players = PLAYERS_NORMAL;
    unsigned pace = isatty(STDOUT_FILENO) == 1 ? PACE_NORMAL : 0;
    bool good = true;
    if (!options_number("play", "--players", wishes->players, PLAYERS_MIN,
                        PLAYERS_MAX, &players) ||
        !options_number("play", "--pace (milliseconds)", wishes->pace, 0,
                        PACE_MAX, &pace)) {
        return false;
    }
    if (wishes->seed != NULL && !stage_seed(&play->stage, wishes->seed)) {
        return options_refuse(
            "play", "--seed has 1 to 64 hex digits, which \"%s\" has not",
            wishes->seed);
    }
    if (!wishes->automatic) {
        good = take_seat(wishes, plan->seat, &why) == ERR_NONE ||
               options_refuse("play", "%s", buf_text(&why));
    }
    buf_release(&why);
    plan->players = players;
    play->pace = pace;
    play->stage.conf.settings = wishes->settings;
    return good;
}

/* ---- the folder ---------------------------------------------------------- */

/* Keep another play out of the folder while its files are moved. */
static enum err
lock_folder(const struct play *play, int *lock, struct buf *why)
{
    struct buf path = BUF_INIT;
    path_of(play, "store.db.lock", &path);
    enum err err = file_lock(buf_text(&path), lock, why);
    buf_release(&path);
    return err;
}

/* A name beside the folder that is not in use yet. */
static bool
free_place(const struct play *play, struct buf *place)
{
    for (int i = 1; i <= ASIDE_MAX; i++) {
        buf_clear(place);
        buf_addf(place, "%s.old", buf_text(&play->folder));
        if (i > 1) {
            buf_addf(place, "-%d", i);
        }
        if (!file_exists(buf_text(place))) {
            return true;
        }
    }
    return false;
}

/* A person's unfinished game is never thrown away. */
static enum err
move_aside(const struct play *play, struct buf *why)
{
    struct buf place = BUF_INIT;
    enum err err = ERR_NONE;
    const char *folder = buf_text(&play->folder);
    if (!free_place(play, &place)) {
        err = err_say(why, ERR_FULL,
                      "%s: too many unfinished games lie beside it; throw some "
                      "away",
                      folder);
    } else if (rename(folder, buf_text(&place)) != 0) {
        err = err_say(why, ERR_DENIED, "%s: can't be moved: %s", folder,
                      strerror(errno));
    } else {
        (void)fprintf(stderr,
                      "placard play: your unfinished game was moved to %s; to "
                      "go on with it, move it back and use --resume\n",
                      buf_text(&place));
        err = folder_make(folder, why);
    }
    buf_release(&place);
    return err;
}

static enum err
clear_folder(const struct play *play, struct buf *why)
{
    static const char *const names[] = {
        "play.json", "store.db",     "store.db-wal", "store.db-shm",
        "board.db",  "board.db-wal", "board.db-shm", "store.db.key",
    };
    enum err err = ERR_NONE;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct buf path = BUF_INIT;
        path_of(play, names[i], &path);
        if (err == ERR_NONE && unlink(buf_text(&path)) != 0 &&
            errno != ENOENT) {
            err = err_say(why, ERR_DENIED, "%s: can't be removed: %s",
                          buf_text(&path), strerror(errno));
        }
        buf_release(&path);
    }
    return err;
}

/* Is there a game that a person has not finished, and with which settings?
 * `other` is a scratch play for its plan. */
static bool
is_unfinished(const struct play *play, struct settings *settings)
{
    struct play *other = must_alloc(sizeof(*other));
    struct buf trouble = BUF_INIT;
    conf_defaults(&other->stage.conf);
    buf_add_buf(&other->folder, &play->folder);
    bool unfinished = load_plan(other, &trouble) == ERR_NONE && !other->over &&
                      other->plan.seat[0] != '\0';
    *settings = other->stage.conf.settings;
    buf_release(&other->folder);
    buf_release(&other->seed);
    buf_release(&trouble);
    free(other);
    return unfinished;
}

/* Ask a person at a terminal, in the game's language, what to do with their
 * unfinished game. If the language can't be loaded nothing is asked: resuming
 * the game then says why. */
static bool
wants_to_resume(struct play *play, const struct settings *settings)
{
    struct buf line = BUF_INIT;
    struct buf question = BUF_INIT;
    struct buf trouble = BUF_INIT;
    if (!play->guest.prompt.terminal || play->wishes.automatic ||
        begins_a_game(&play->wishes)) {
        return false;
    }
    bool said =
        add_text(settings, "guest_left_here", &question, &trouble) == ERR_NONE;
    buf_release(&trouble);
    if (!said) {
        return true;
    }
    (void)printf("%s ", buf_text(&question));
    (void)fflush(stdout);
    buf_release(&question);
    bool resumes = prompt_read(&play->guest.prompt, -1, &line) != PROMPT_LINE ||
                   (strcmp(buf_text(&line), "n") != 0 &&
                    strcmp(buf_text(&line), "N") != 0);
    buf_release(&line);
    return resumes;
}

static void
random_seed(struct play *play)
{
    unsigned char secret[DEAL_SECRET];
    if (play->wishes.seed != NULL) {
        buf_add_text(&play->seed, play->wishes.seed);
        play->plan.start = SEEDED_START;
        return;
    }
    deal_generate_secret(secret);
    buf_add_hex(&play->seed, secret, sizeof(secret));
    play->plan.start = clock_now();
    (void)stage_seed(&play->stage, buf_text(&play->seed));
}

static enum err
begin_afresh(struct play *play, bool unfinished, struct buf *why)
{
    int lock = -1;
    enum err err = lock_folder(play, &lock, why);
    if (err == ERR_NONE && unfinished) {
        err = move_aside(play, why);
    } else if (err == ERR_NONE) {
        err = clear_folder(play, why);
    }
    file_unlock(lock);
    if (err == ERR_NONE) {
        random_seed(play);
        err = save_plan(play, why);
    }
    return err;
}

static enum err
resume(struct play *play, struct buf *why)
{
    struct buf trouble = BUF_INIT;
    conf_defaults(&play->stage.conf);
    enum err err = load_plan(play, &trouble);
    if (err == ERR_GONE) {
        err_say(why, err, "no game lies in %s; begin one with `placard play`",
                buf_text(&play->folder));
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

/* Find the game, or begin it, and set up the stage. */
static enum err
prepare(struct play *play, struct buf *why)
{
    enum err err = state_path("play", &play->folder, why);
    ERR_THEN(err, folder_make(buf_text(&play->folder), why));
    if (err != ERR_NONE) {
        return err;
    }
    struct settings settings;
    bool unfinished = !play->wishes.resume && is_unfinished(play, &settings);
    if (unfinished) {
        play->wishes.resume = wants_to_resume(play, &settings);
    }
    err = play->wishes.resume ? resume(play, why)
                              : begin_afresh(play, unfinished, why);
    ERR_THEN(err, stage_open(&play->stage, buf_text(&play->folder),
                             play->plan.start, why));
    return err;
}

/* ---- the game ------------------------------------------------------------ */

static void
greet(struct play *play)
{
    const struct table *table = stage_table(&play->stage);
    bool person = play->sim_table.cast.human != NULL;
    struct params params = {.count = 0};
    if (play->wishes.resume) {
        bool ended = table == NULL && play->stage.tables.games > 0;
        play->guest.since =
            ended ? play->stage.now : (table == NULL ? 0 : table->opened);
        params_text(&params, "file", buf_text(&play->folder));
        guest_say(&play->guest, "guest_resumed", &params);
    } else if (person) {
        params_number(&params, "players", play->plan.players);
        params_text(&params, "seat", play->plan.seat);
        guest_say(&play->guest, "guest_welcome", &params);
    }
    if (!person && play->pace > 0 && prompt_take_keys(&play->guest.prompt)) {
        guest_say(&play->guest, "guest_watches", NULL);
    }
}

/* Show the posts of a step, and let the person answer if they are asked. */
static enum err
after_step(struct play *play, enum sim_table_turn advance, struct buf *why)
{
    struct guest *guest = &play->guest;
    int64_t pause = play->pace * guest->updates;
    if (advance == SIM_TABLE_STUCK) {
        return err_say(why, ERR_CONFIG,
                       "the game is stuck: nobody is going to post, and no "
                       "deadline is set");
    }
    if (advance == SIM_TABLE_AWAITS || guest_may_speak(guest)) {
        return guest_converse(guest, why);
    }
    return guest_pause(guest, pause < PAUSE_MAX ? pause : PAUSE_MAX, why);
}

/* Play until the game is over or is left; *over says which. */
static enum err
play_on(struct play *play, bool *over, struct buf *why)
{
    struct guest *guest = &play->guest;
    enum sim_table_turn advance = SIM_TABLE_ACTED;
    enum err err = stage_settle(&play->stage, why);
    ERR_THEN(err, guest_show(guest, why));
    while (err == ERR_NONE && advance != SIM_TABLE_OVER && !stopped &&
           !guest->leaves) {
        err = sim_table_step(&play->sim_table, PATIENCE_PERSON, &advance, why);
        ERR_THEN(err, guest_show(guest, why));
        if (err == ERR_NONE && advance != SIM_TABLE_OVER) {
            err = after_step(play, advance, why);
        }
    }
    *over = err == ERR_NONE && advance == SIM_TABLE_OVER;
    return err;
}

/* Print a line of the catalogue that may mention one thing. */
static void
print_line(const struct catalogue *catalogue, const char *key, const char *name,
           const char *value)
{
    struct params params = {.count = 0};
    struct buf line = BUF_INIT;
    params_text(&params, name, value);
    catalogue_text(catalogue, key, &params, &line);
    (void)printf("%s\n", buf_text(&line));
    buf_release(&line);
}

static void
print_roles(const struct catalogue *catalogue, const struct table *table)
{
    struct buf roles = BUF_INIT;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        buf_addf(&roles, "%s%s (", seat > 0 ? ", " : "",
                 table->seats[seat].name);
        catalogue_text(catalogue,
                       catalogue_role_key(game_role(&table->game, seat)), NULL,
                       &roles);
        buf_add_char(&roles, ')');
    }
    print_line(catalogue, "play_roles", "roles", buf_text(&roles));
    buf_release(&roles);
}

/* The record's file name: the start of the game and the end of its seed. */
static void
record_path(const struct play *play, struct buf *path)
{
    struct civil start = civil_at(play->plan.start, zone_utc());
    const char *seed = buf_text(&play->seed);
    size_t len = play->seed.len;
    if (play->wishes.record != NULL) {
        buf_add_text(path, play->wishes.record);
        return;
    }
    buf_addf(path, "%s/%04d-%02d-%02d-%02d%02d%02d-%s.jsonl",
             buf_text(&play->folder), start.year, start.month, start.day,
             start.hour, start.minute, start.second,
             len > 8 ? seed + len - 8 : seed);
}

/* The last lines: who won by which rule, the roles, and the record. */
static enum err
finish(struct play *play, struct buf *why)
{
    struct table table;
    struct buf game = BUF_INIT;
    struct buf path = BUF_INIT;
    struct buf record = BUF_INIT;
    table_init(&table);
    buf_add_number(&game, play->stage.tables.games);
    record_path(play, &path);
    enum err err =
        recover_table(play->stage.tables.store, buf_text(&game), &table, why);
    if (err == ERR_NONE && table.state != TABLE_OVER) {
        err = err_say(
            why, ERR_GARBLED,
            "game %s is on hold: placard has crashed on it three times; "
            "begin another with `placard play`",
            buf_text(&game));
    }
    ERR_THEN(err, store_record(play->stage.tables.store, buf_text(&game),
                               &record, why));
    ERR_THEN(err, file_write(buf_text(&path), buf_text(&record), record.len,
                             0644, why));
    if (err == ERR_NONE) {
        play->over = true;
        err = save_plan(play, why);
    }
    if (err == ERR_NONE) {
        const struct catalogue *catalogue =
            stage_catalogue(&play->stage, &table);
        (void)printf("\n");
        print_line(catalogue,
                   catalogue_ending_key((enum ending)table.game.ending, true),
                   "", "");
        print_roles(catalogue, &table);
        print_line(catalogue, "play_record", "file", buf_text(&path));
    }
    buf_release(&game);
    buf_release(&path);
    buf_release(&record);
    table_release(&table);
    return err;
}

static enum err
host(struct play *play, struct buf *why)
{
    bool over = false;
    /* The log is for operators; a play's last line says why it ended. */
    log_set_level(LOG_LEVEL_NONE);
    enum err err = prepare(play, why);
    if (err != ERR_NONE) {
        return err;
    }
    listen_to_signals();
    err = sim_table_init(&play->sim_table, &play->stage, &play->plan, why);
    if (err == ERR_NONE) {
        if (play->wishes.automatic) {
            sim_table_take_over(&play->sim_table);
        }
        guest_begin(&play->guest, &play->sim_table);
        greet(play);
        err = play_on(play, &over, why);
    }
    if (err == ERR_NONE && over) {
        err = finish(play, why);
    } else if (err == ERR_NONE) {
        guest_say(&play->guest, "guest_left", NULL);
    }
    stage_close(&play->stage);
    return err;
}

static bool
read_wishes(struct wishes *wishes, int argc, char **argv)
{
    const struct option_row rows[] = {
        {.name = "--players", .value = &wishes->players},
        {.name = "--seat", .value = &wishes->seat},
        {.name = "--language", .value = &wishes->language},
        {.name = "--theme", .value = &wishes->theme},
        {.name = "--rules", .value = &wishes->rules},
        {.name = "--set", .each = wish_setting, .context = wishes},
        {.name = "--seed", .value = &wishes->seed},
        {.name = "--auto", .flag = &wishes->automatic},
        {.name = "--pace", .value = &wishes->pace},
        {.name = "--record", .value = &wishes->record},
        {.name = "--resume", .flag = &wishes->resume},
        {.name = "--replay", .value = &wishes->replay},
        {.name = NULL},
    };
    stage_settings(&wishes->settings);
    /* As a place should have it: nobody is called at night and failed by the
     * afternoon. */
    (void)snprintf(wishes->settings.quiet, sizeof wishes->settings.quiet,
                   "23:00-07:00");
    if (!options_alone(rows, argc, argv)) {
        return false;
    }
    return wishes->replay != NULL ? replay_fits(wishes) : wishes_fit(wishes);
}

int
command_play(int argc, char **argv)
{
    struct play *play = must_alloc(sizeof(*play));
    struct buf why = BUF_INIT;
    int code = EXIT_USAGE;
    conf_defaults(&play->stage.conf);
    guest_init(&play->guest);
    bool good = read_wishes(&play->wishes, argc, argv);
    if (good && play->wishes.replay != NULL) {
        code = replay_file(play->wishes.replay, play->wishes.record);
    } else if (good && take_wishes(play)) {
        code = host(play, &why) == ERR_NONE ? EXIT_DONE : command_fail(&why);
    }
    guest_release(&play->guest);
    buf_release(&play->seed);
    buf_release(&play->folder);
    buf_release(&play->wishes.why);
    buf_release(&why);
    free(play);
    return code;
}
