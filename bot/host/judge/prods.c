#include "bot/host/judge/prods.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/table/deadline.h"
#include "bot/host/words/speech.h"

/* How long a seat has been silent, and what is to be done about it. */
struct silence {
    int64_t since;
    enum prodded done;
    int64_t due; /* of the next step */
};

static int64_t
later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t
prods_heard(const struct ruling *ruling, const char *user, int64_t before)
{
    const struct table *table = ruling->table;
    const struct history *history = ruling->env->history;
    unsigned seat = table_seat(table, user);
    int64_t heard = 0;
    if (seat != NO_SEAT) {
        heard = later(table->seats[seat].silent_since, table->seats[seat].came);
        heard = later(heard, table->seats[seat].acted);
    }
    if (history != NULL && history->wrote != NULL) {
        heard =
            later(heard, history->wrote(history->context, table, user, before));
    }
    return heard;
}

/* Which of a government is slow, and when the president chose, is nobody's
 * business: in a session moderators hear nothing of it, and afterwards the
 * president counts as heard of when it ended. */
static bool
is_governing(const struct table *table, unsigned seat)
{
    return table_in_session(table) &&
           (seat == table->game.president || seat == table->game.chancellor);
}

static int64_t
as_told(const struct table *table, unsigned seat, int64_t since)
{
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        if (round->president == seat && round->drawn.count > 0 &&
            round->told > since) {
            return round->told;
        }
    }
    return since;
}

/* An announced absence is no silence. */
static struct silence
silence_of(const struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    int64_t known = table->seats[seat].silent_since;
    int64_t since =
        later(table->seats[seat].away,
              prods_heard(ruling, table->seats[seat].user, INT64_MAX));
    struct silence silence = {.since = since, .done = PRODDED_NOT};
    if (since == known) {
        silence.done = (enum prodded)table->seats[seat].prodded;
    }
    if (silence.done == PRODDED_MODERATORS) {
        since = ruling->env->now; /* they may come back, and fall silent anew */
    }
    bool publicly = silence.done == PRODDED_PLAYER;
    int64_t length = (publicly ? 2 : 1) * table->settings.prod;
    silence.due =
        publicly && is_governing(table, seat)
            ? INT64_MAX
            : deadline_silent(table,
                              publicly ? as_told(table, seat, since) : since,
                              length, ruling->env->zone);
    return silence;
}

static void
begin_speech(struct speech *speech, const struct ruling *ruling, unsigned seat,
             enum prodded step)
{
    speech_init_for(speech, ruling->env, ruling->table, NULL,
                    step == PRODDED_PLAYER ? seat : NO_SEAT);
    catalogue_duration(speech->env->catalogue,
                       step * ruling->table->settings.prod,
                       speech_text(speech, "silent"));
    speech_seat(speech, "player", seat);
}

static void
prod_player(struct ruling *ruling, unsigned seat)
{
    struct speech speech;
    struct rich text = {.count = 0};
    begin_speech(&speech, ruling, seat, PRODDED_PLAYER);
    params_number(&speech.params, "waits",
                  seat_in(seat, game_awaits(&ruling->table->game).seats) &&
                      !table_in_session(ruling->table));
    speech_say(&speech, "prod", &text);
    ruling_about(
        ruling, ruling_private(ruling, ruling->table->seats[seat].user, &text));
    speech_release(&speech);
}

static void
tell_one(struct ruling *ruling, const char *moderator, const struct rich *text)
{
    struct rich copy = {.count = 0};
    if (table_seat(ruling->table, moderator) == NO_SEAT) {
        rich_add_rich(&copy, text);
        (void)ruling_private(ruling, moderator, &copy);
    }
    rich_release(&copy);
}

/* Where they talk, or each of them who doesn't play. */
static void
tell_moderators(struct ruling *ruling, struct speech *speech, const char *key)
{
    const struct place *place = ruling->env->place;
    const struct table *table = ruling->table;
    const char *moderator = NULL;
    struct rich text = {.count = 0};
    speech_say(speech, key, &text);
    if (ruling->env->moderators_channel[0] != '\0') {
        (void)ruling_moderators(ruling, &text);
    } else {
        for (unsigned i = 0;
             (moderator = place_moderator(place, table, i)) != NULL; i++) {
            tell_one(ruling, moderator, &text);
        }
    }
    rich_release(&text);
}

static void
tell_of_silence(struct ruling *ruling, unsigned seat)
{
    struct speech speech;
    begin_speech(&speech, ruling, seat, PRODDED_MODERATORS);
    tell_moderators(ruling, &speech, "prod_moderators");
    speech_release(&speech);
}

/* A pause without an end is not to be forgotten. */
static void
tell_of_pause(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_PROD, 0);
    struct speech speech;
    move.until = table->prod_at;
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    speech_set_time(&speech, "since", table->pause_began);
    tell_moderators(ruling, &speech, "paused_long");
    speech_release(&speech);
}

/* What is due at one seat: the next step, or nothing. */
static void
look_at(struct ruling *ruling, unsigned seat, struct silence *silence)
{
    struct move move = ruling_move(ruling, MOVE_PROD, 0);
    if (silence->due > ruling->env->now) {
        return;
    }
    silence->done++;
    (void)snprintf(move.user, sizeof move.user, "%s",
                   ruling->table->seats[seat].user);
    move.prodded = silence->done;
    move.session = silence->since;
    move.until = ruling->env->now;
    (void)ruling_play(ruling, &move);
    if (silence->done == PRODDED_PLAYER) {
        prod_player(ruling, seat);
    } else {
        tell_of_silence(ruling, seat);
    }
}

static void
look_next(struct ruling *ruling, int64_t at)
{
    struct move move = ruling_move(ruling, MOVE_PROD, 0);
    move.until = later(at, ruling->env->now + MINUTE_MS);
    (void)ruling_play(ruling, &move);
}

void
prods_look(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct host_env *env = ruling->env;
    if (table->paused) {
        tell_of_pause(ruling);
        return;
    }
    int64_t next = deadline_awake(env->now, table->settings.prod,
                                  &table->settings, env->zone);
    if (table_is_held(table) && table_due(table) <= env->now) {
        /* After an outage: its end comes first, and may be the game's. */
        ruling_close_vote(ruling, table_due(table));
    }
    if (table->state != TABLE_RUNNING) {
        return;
    }
    if (deadline_is_quiet(env->now, &table->settings, env->zone)) {
        look_next(ruling,
                  deadline_awake(env->now, 1, &table->settings, env->zone));
        return;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (!seat_in(seat, game_present(&table->game))) {
            continue;
        }
        struct silence silence = silence_of(ruling, seat);
        look_at(ruling, seat, &silence);
        silence = silence_of(ruling, seat);
        next = silence.due < next ? silence.due : next;
    }
    look_next(ruling, next);
}
