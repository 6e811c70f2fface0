#include "bot/local/sim_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/reading/names.h"

/* ---- people -------------------------------------------------------------- */

/* Marks in a name would be read as mark-up where others write it. */
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
company_name(const char *wish, char name[RECORD_NAME_MAX + 1], struct buf *why)
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

/* All of the secret seed, in one number. */
static uint64_t
fold_seed(const unsigned char secret[DEAL_SECRET])
{
    uint64_t seed = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        seed = (seed ^ secret[i]) * UINT64_C(0x100000001B3);
    }
    return seed;
}

/* The person's place among the others is as good as any. */
static void
gather_people(struct company *company)
{
    struct whim whim;
    const char *seat = company->plan.seat;
    unsigned name = 0;
    whim_init(&whim, &company->cast, "", 0, PLAYERS_MAX, 0);
    unsigned place = whim_below(&whim, company->plan.players);
    for (unsigned i = 0; i < company->plan.players; i++) {
        if (seat[0] != '\0' && i == place) {
            company->people[i] = seat;
            continue;
        }
        while (seat[0] != '\0' &&
               names_compare(actor_names[name], seat) != NAMES_APART) {
            name++;
            assert(actor_names[name] != NULL);
        }
        company->people[i] = actor_names[name++];
    }
}

static void
note_id(void *context, const struct board_post *post)
{
    *(int64_t *)context = post->id;
}

enum err
company_init(struct company *company, struct stage *stage,
             const struct company_plan *plan, struct buf *why)
{
    memset(company, 0, sizeof(*company));
    company->stage = stage;
    company->plan = *plan;
    company->cast.seed = fold_seed(stage->secret);
    company->cast.library = &stage->desk.library;
    company->cast.human = plan->seat[0] == '\0' ? NULL : company->plan.seat;
    gather_people(company);
    char opens[32];
    actor_word(stage_catalogue(stage, NULL), "command_new", opens,
               sizeof(opens));
    (void)snprintf(company->command, sizeof(company->command),
                   "%s players=%u rules=%s", opens, plan->players,
                   stage->conf.settings.preset);
    /* A deadline may have fired of which nothing stands on the board yet. */
    const struct table *table = stage_table(stage);
    if (table != NULL && table->opened > stage->now) {
        stage->now = table->opened;
    }
    return board_read(stage->board, 0, "*", note_id, &company->before, why);
}

void
company_take_over(struct company *company)
{
    company->cast.human = NULL;
    company->scheduled = false;
}

bool
company_awaits(const struct company *company, bool *in_private)
{
    const struct table *table = stage_table(company->stage);
    const char *human = company->cast.human;
    if (human == NULL || table == NULL || table->state != TABLE_RUNNING) {
        return false;
    }
    unsigned seat = table_seat(table, human);
    *in_private = table_is_secret(table);
    return seat != NO_SEAT && seat_in(seat, game_awaits(&table->game).seats &
                                                game_present(&table->game));
}

/* ---- steps --------------------------------------------------------------- */

/* Ask for the posts of the open question, once. */
static void
make_schedule(struct company *company)
{
    const struct table *table = stage_table(company->stage);
    bool running = table != NULL && table->state == TABLE_RUNNING;
    const char *game = running ? table->id : "";
    unsigned phase = running ? table->phase : 0;
    if (company->scheduled && strcmp(company->game, game) == 0 &&
        company->phase == phase) {
        return;
    }
    (void)snprintf(company->game, sizeof(company->game), "%s", game);
    company->phase = phase;
    company->scheduled = true;
    memset(company->posted, 0, sizeof(company->posted));
    if (running) {
        actors_schedule(&company->cast, table, &company->schedule);
        return;
    }
    const struct signup signup = {
        .catalogue = stage_catalogue(company->stage, NULL),
        .moderator = STAGE_MODERATOR,
        .command = company->command,
        .prefix = company->stage->conf.settings.prefix,
        .people = company->people,
        .count = company->plan.players,
        .start = company->plan.start,
    };
    actors_signup(&company->cast, &signup, &company->schedule);
}

/* The place of the next post; schedule.count: there is none. */
static unsigned
next_posting(const struct company *company, bool opening_only)
{
    const struct schedule *schedule = &company->schedule;
    for (unsigned i = 0; i < schedule->count; i++) {
        if (!company->posted[i] &&
            (schedule->list[i].opening || !opening_only)) {
            return i;
        }
    }
    return schedule->count;
}

/* Make a post, unless it is there from before the company was cut off. */
static enum err
post_next(struct company *company, unsigned place, bool *anew, struct buf *why)
{
    struct stage *stage = company->stage;
    const struct posting *posting = &company->schedule.list[place];
    int64_t id = 0;
    if (posting->at > stage->now) {
        stage->now = posting->at;
    }
    company->posted[place] = true;
    enum err err =
        board_write(stage->board, posting->author, posting->in_private,
                    posting->text, posting->key, stage->now, &id, why);
    *anew = id > company->before;
    return err == ERR_NONE && *anew ? stage_settle(stage, why) : err;
}

/* Make the next post that is due before the host acts; *anew: there was one. */
static enum err
post_due(struct company *company, bool opening_only, bool *anew,
         struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t due = stage_due(company->stage);
    *anew = false;
    while (err == ERR_NONE && !*anew) {
        unsigned next = next_posting(company, opening_only);
        bool there = next < company->schedule.count;
        if (!there || (due != 0 && company->schedule.list[next].at > due)) {
            break;
        }
        err = post_next(company, next, anew, why);
    }
    return err;
}

enum err
company_step(struct company *company, enum patience patience,
             enum company_turn *turn, struct buf *why)
{
    struct stage *stage = company->stage;
    bool in_private = false;
    bool awaited = company_awaits(company, &in_private);
    *turn = COMPANY_ACTED;
    if (stage_table(stage) == NULL && stage->desk.games > 0) {
        *turn = COMPANY_OVER;
        return ERR_NONE;
    }
    make_schedule(company);
    bool anew = false;
    enum err err =
        post_due(company, awaited && patience == PATIENCE_PERSON, &anew, why);
    if (err != ERR_NONE || anew) {
        return err;
    }
    int64_t due = stage_due(stage);
    if (awaited && patience != PATIENCE_TIME) {
        *turn = COMPANY_AWAITS;
        return ERR_NONE;
    }
    if (due == 0) {
        *turn = awaited ? COMPANY_AWAITS : COMPANY_STUCK;
        return ERR_NONE;
    }
    return stage_jump(stage, due, why);
}

enum err
company_say(struct company *company, bool in_private, const char *text,
            struct buf *why)
{
    enum err err = stage_post(company->stage, company->plan.seat, in_private,
                              text, NULL, why);
    return err == ERR_NONE ? stage_settle(company->stage, why) : err;
}
