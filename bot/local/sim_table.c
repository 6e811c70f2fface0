#include "bot/local/sim_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/reading/names.h"

/* ---- people -------------------------------------------------------------- */

/* Marks in a name would be read as mark-up when others write it. */
static bool
is_plain(const char *name)
{
    size_t len = strlen(name);
    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(name, len, at, &codepoint);
        bool joins = codepoint == ' ' || codepoint == '-' || codepoint == '.' ||
                     codepoint == '\'';
        if (!letter_is_word(codepoint) && !joins) {
            return false;
        }
    }
    return true;
}

enum err
sim_table_name(const char *wish, char name[RECORD_NAME_MAX + 1],
               struct buf *why)
{
    struct buf clean = BUF_INIT;
    enum err err = ERR_NONE;
    if (!name_clean(wish, &clean) || clean.len > RECORD_NAME_MAX ||
        strcmp(buf_text(&clean), wish) != 0 || !is_plain(wish)) {
        err = err_say(why, ERR_CONFIG,
                      "a seat's name is at most %d letters, digits, blanks and "
                      "- . '",
                      NAME_CODEPOINTS_MAX);
    } else if (names_compare(wish, STAGE_MODERATOR) != NAMES_APART ||
               names_compare(wish, BOARD_HOST) != NAMES_APART) {
        err =
            err_say(why, ERR_CONFIG,
                    "\"%s\" is somebody else's name here; take another", wish);
    } else {
        memcpy(name, wish, clean.len + 1);
    }
    buf_release(&clean);
    return err;
}

/* Hash the whole secret seed into one number. */
static uint64_t
fold_seed(const unsigned char secret[DEAL_SECRET])
{
    uint64_t seed = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        seed = (seed ^ secret[i]) * UINT64_C(0x100000001B3);
    }
    return seed;
}

/* The person joins at a random place. */
static void
gather_people(struct sim_table *sim_table)
{
    struct whim whim;
    const char *seat = sim_table->plan.seat;
    unsigned name = 0;
    whim_init(&whim, &sim_table->cast, "", 0, PLAYERS_MAX, 0);
    unsigned place = whim_below(&whim, sim_table->plan.players);
    for (unsigned i = 0; i < sim_table->plan.players; i++) {
        if (seat[0] != '\0' && i == place) {
            sim_table->people[i] = seat;
            continue;
        }
        while (seat[0] != '\0' &&
               names_compare(actor_names[name], seat) != NAMES_APART) {
            name++;
            assert(actor_names[name] != NULL);
        }
        sim_table->people[i] = actor_names[name++];
    }
}

static void
note_id(void *context, const struct board_post *post)
{
    *(int64_t *)context = post->id;
}

enum err
sim_table_init(struct sim_table *sim_table, struct stage *stage,
               const struct sim_table_plan *plan, struct buf *why)
{
    memset(sim_table, 0, sizeof(*sim_table));
    sim_table->stage = stage;
    sim_table->plan = *plan;
    sim_table->cast.seed = fold_seed(stage->secret);
    sim_table->cast.human = plan->seat[0] == '\0' ? NULL : sim_table->plan.seat;
    gather_people(sim_table);
    char opens[32];
    actor_word(stage_catalogue(stage, NULL), "command_new", opens,
               sizeof(opens));
    (void)snprintf(sim_table->command, sizeof(sim_table->command),
                   "%s players=%u rules=%s", opens, plan->players,
                   stage->conf.settings.preset);
    /* A deadline may have fired that the board does not show yet. */
    const struct table *table = stage_table(stage);
    if (table != NULL && table->opened > stage->now) {
        stage->now = table->opened;
    }
    return board_read(stage->board, 0, "*", note_id, &sim_table->before, why);
}

void
sim_table_take_over(struct sim_table *sim_table)
{
    sim_table->cast.human = NULL;
    sim_table->scheduled = false;
}

bool
sim_table_awaits(const struct sim_table *sim_table, bool *in_private)
{
    const struct table *table = stage_table(sim_table->stage);
    const char *human = sim_table->cast.human;
    if (human == NULL || table == NULL || table->state != TABLE_RUNNING) {
        return false;
    }
    unsigned seat = table_seat(table, human);
    *in_private = table_is_secret(table);
    return seat != NO_SEAT && seat_in(seat, game_awaits(&table->game).seats &
                                                game_present(&table->game));
}

/* ---- steps --------------------------------------------------------------- */

/* Schedule the posts of the open question, once. */
static void
make_schedule(struct sim_table *sim_table)
{
    const struct table *table = stage_table(sim_table->stage);
    bool running = table != NULL && table->state == TABLE_RUNNING;
    const char *game = running ? table->id : "";
    unsigned phase = running ? table->phase : 0;
    if (sim_table->scheduled && strcmp(sim_table->game, game) == 0 &&
        sim_table->phase == phase) {
        return;
    }
    (void)snprintf(sim_table->game, sizeof(sim_table->game), "%s", game);
    sim_table->phase = phase;
    sim_table->scheduled = true;
    memset(sim_table->posted, 0, sizeof(sim_table->posted));
    if (running) {
        sim_players_schedule(&sim_table->cast, table,
                             stage_catalogue(sim_table->stage, table),
                             &sim_table->schedule);
        return;
    }
    const struct signup signup = {
        .catalogue = stage_catalogue(sim_table->stage, NULL),
        .moderator = STAGE_MODERATOR,
        .command = sim_table->command,
        .prefix = sim_table->stage->conf.settings.prefix,
        .people = sim_table->people,
        .count = sim_table->plan.players,
        .start = sim_table->plan.start,
    };
    sim_players_signup(&sim_table->cast, &signup, &sim_table->schedule);
}

/* The position of the next post; schedule.count: there is none. */
static unsigned
next_posting(const struct sim_table *sim_table, bool opening_only)
{
    const struct schedule *schedule = &sim_table->schedule;
    for (unsigned i = 0; i < schedule->count; i++) {
        if (!sim_table->posted[i] &&
            (schedule->list[i].opening || !opening_only)) {
            return i;
        }
    }
    return schedule->count;
}

/* Make a post, unless it was made before the play was interrupted. */
static enum err
post_next(struct sim_table *sim_table, unsigned place, bool *anew,
          struct buf *why)
{
    struct stage *stage = sim_table->stage;
    const struct posting *posting = &sim_table->schedule.list[place];
    int64_t id = 0;
    if (posting->at > stage->now) {
        stage->now = posting->at;
    }
    sim_table->posted[place] = true;
    enum err err =
        board_write(stage->board, posting->author, posting->in_private,
                    posting->text, posting->key, stage->now, &id, why);
    *anew = id > sim_table->before;
    return err == ERR_NONE && *anew ? stage_settle(stage, why) : err;
}

/* Make the next post that is due before the host acts; *anew: one was made. */
static enum err
post_due(struct sim_table *sim_table, bool opening_only, bool *anew,
         struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t due = stage_due(sim_table->stage);
    *anew = false;
    while (err == ERR_NONE && !*anew) {
        unsigned next = next_posting(sim_table, opening_only);
        bool there = next < sim_table->schedule.count;
        if (!there || (due != 0 && sim_table->schedule.list[next].at > due)) {
            break;
        }
        err = post_next(sim_table, next, anew, why);
    }
    return err;
}

/* The game has ended; it is over once its last posts are made, which may have
 * failed.  A board that refuses one for a day is damaged, and refuses it for
 * good. */
static enum err
wind_up(struct sim_table *sim_table, enum sim_table_turn *turn, struct buf *why)
{
    struct stage *stage = sim_table->stage;
    int64_t message = outbox_wake(&stage->tables.outbox, stage->now);
    if (sim_table->ended == 0) {
        sim_table->ended = stage->now;
    }
    bool over = message == 0 || stage->now > sim_table->ended + DAY_MS;
    *turn = over ? SIM_TABLE_OVER : SIM_TABLE_ACTED;
    return over ? ERR_NONE : stage_jump(stage, message, why);
}

/* Let the host do what is due.  If that can't be done yet, time passes: what it
 * waits for may be read later.  What can't be done for a day never will be,
 * because the board is damaged. */
static enum err
do_due(struct sim_table *sim_table, int64_t due, struct buf *why)
{
    struct stage *stage = sim_table->stage;
    if (due > stage->now) {
        sim_table->late = 0;
    } else if (sim_table->late == 0) {
        sim_table->late = stage->now;
    } else if (stage->now > sim_table->late + DAY_MS) {
        return err_say(why, ERR_GARBLED,
                       "%s: the game can't go on, because what was posted last "
                       "can't be read; restore the board from a backup",
                       stage->conf.board);
    } else {
        due = stage->now + MINUTE_MS;
    }
    return stage_jump(stage, due, why);
}

enum err
sim_table_step(struct sim_table *sim_table, enum patience patience,
               enum sim_table_turn *turn, struct buf *why)
{
    struct stage *stage = sim_table->stage;
    bool in_private = false;
    bool awaited = sim_table_awaits(sim_table, &in_private);
    *turn = SIM_TABLE_ACTED;
    if (stage_table(stage) == NULL && stage->tables.games > 0) {
        return wind_up(sim_table, turn, why);
    }
    make_schedule(sim_table);
    bool anew = false;
    enum err err =
        post_due(sim_table, awaited && patience == PATIENCE_PERSON, &anew, why);
    if (err != ERR_NONE || anew) {
        sim_table->late = 0;
        return err;
    }
    int64_t due = stage_due(stage);
    if (awaited && patience != PATIENCE_TIME) {
        *turn = SIM_TABLE_AWAITS;
        return ERR_NONE;
    }
    if (due == 0) {
        *turn = awaited ? SIM_TABLE_AWAITS : SIM_TABLE_STUCK;
        return ERR_NONE;
    }
    return do_due(sim_table, due, why);
}

enum err
sim_table_say(struct sim_table *sim_table, bool in_private, const char *text,
              struct buf *why)
{
    enum err err = stage_post(sim_table->stage, sim_table->plan.seat,
                              in_private, text, NULL, why);
    return err == ERR_NONE ? stage_settle(sim_table->stage, why) : err;
}
