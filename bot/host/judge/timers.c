#include "bot/host/judge/timers.h"

#include <assert.h>
#include <string.h>

#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/lots.h"
#include "bot/host/judge/prods.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/absence.h"
#include "bot/host/words/catchup.h"
#include "bot/host/words/speech.h"

enum {
    LAST_MINUTES = 5
};

/* ---- deadlines ------------------------------------------------------------
 */

/* A power was not used: its holder gets a ping and the same time again; after
 * that it is forfeited, or decided by lots. */
static void
power_time(struct ruling *ruling, const struct awaits *awaits)
{
    struct table *table = ruling->table;
    int64_t due = table_due(table);
    bool lots = strcmp(table->settings.power_timeout, "lots") == 0;
    if (table->rung) {
        if (lots && awaits->choices != 0) {
            lots_draw(ruling, "", due);
        } else {
            struct command command = {.kind = COMMAND_FORFEIT};
            lots_play(ruling, &command, "", due);
        }
        return;
    }
    struct move move = ruling_move(ruling, MOVE_RING, due);
    move.until = deadline_from(
        move.now, deadline_length(awaits->question, &table->settings),
        &table->settings, ruling->env->zone);
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    speech_reason(&speech, "ring_reason", &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    speech_open_slots(&speech);
    params_set_number(&speech.params, "lots", lots);
    speech_begin_notice(&speech, ruling, "ring_power");
    ruling->opening_calls = true;
    speech_release(&speech);
}

static bool
has_missed_too_many(const struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    const struct dealer *dealer = ruling->env->dealer;
    int64_t most = table->settings.misses;
    if (dealer->vacates != NULL) {
        return dealer->vacates(dealer->context, table, seat);
    }
    return most > 0 && table_misses(table, seat) >= most;
}

/* A player who has missed too many deadlines loses the seat for the time
 * being. */
static void
vacate_absent(struct ruling *ruling, int64_t due)
{
    struct table *table = ruling->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (table->state != TABLE_RUNNING ||
            !(game_present(&table->game) & seat_bit(seat)) ||
            !has_missed_too_many(ruling, seat)) {
            continue;
        }
        struct move move = ruling_move(ruling, MOVE_PLAY, due);
        move.command.kind = COMMAND_VACATE;
        move.command.target = (uint8_t)seat;
        (void)ruling_play(ruling, &move); /* the last player present stays */
    }
}

/* The session goes on with more time than was announced. */
static void
prolong(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_EXTEND, table_due(table));
    struct speech speech;
    move.number = EXTENDED_FOR_CALL;
    move.until = table->called_until;
    move.session = table->called_until;
    speech_init(&speech, ruling->env, table, NULL);
    speech_reason(&speech, "call_reason", &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    speech_post(&speech, ruling, "call_late");
    speech_release(&speech);
}

/* The chancellor's time is up.  But their cards may have arrived late, or not
 * at all, and nothing was announced. */
static void
end_session(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    unsigned seat = table->game.chancellor;
    int64_t due = table_due(table);
    if (table->called_until > table->deadline) {
        prolong(ruling);
    } else if (seat_in(seat, ruling->unasked)) {
        reach_missed(ruling, table->seats[seat].user,
                     seat_in(seat, ruling->closed) ? REACH_REFUSED
                                                   : REACH_BARRED);
    }
    if (table_due(table) == due) {
        lots_draw(ruling, "", due);
    }
}

/* The candidate has named nobody; but they may have told the host beforehand
 * whom they would. */
static void
end_nomination(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_PLAY, table_due(table));
    unsigned target = table_planned(table);
    struct speech speech;
    if (target == NO_SEAT) {
        struct command close = {.kind = COMMAND_CLOSE};
        lots_play(ruling, &close, "", table_due(table));
        return;
    }
    move.command = (struct command){.kind = COMMAND_NOMINATE,
                                    .seat = table->game.president,
                                    .target = (uint8_t)target};
    move.planned = true;
    enum refusal refusal = ruling_play(ruling, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
    speech_init(&speech, ruling->env, table, NULL);
    speech_begin_notice(&speech, ruling, "plan_used");
    speech_release(&speech);
}

/* Who takes no messages could not answer by a button either: they get more
 * time, as whoever can't be reached does.  Of a session end_session tells. */
static bool
waits_for_presses(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    seat_set seats = ruling->closed & game_awaits(&table->game).seats;
    int64_t due = table_due(table);
    bool lost =
        ruling->env->presses_lost && table->game.question != QUESTION_ENACT;
    for (unsigned seat = 0; lost && seat < table->seated; seat++) {
        if (seat_in(seat, seats)) {
            reach_missed(ruling, table->seats[seat].user, REACH_REFUSED);
        }
    }
    return table_due(table) != due;
}

/* Time is up for the open question (RULES.md, "When time runs out"). */
static void
end_question(struct ruling *ruling)
{
    struct awaits awaits = game_awaits(&ruling->table->game);
    struct command close = {.kind = COMMAND_CLOSE};
    int64_t due = table_due(ruling->table);
    if (table_is_held(ruling->table) && due < ruling->table->deadline) {
        ruling_close_vote(ruling, due);
        return;
    }
    if (waits_for_presses(ruling)) {
        return;
    }
    switch (awaits.question) {
    case QUESTION_NOMINATE:
        end_nomination(ruling);
        break;
    case QUESTION_VOTE:
    case QUESTION_VETO:
        lots_play(ruling, &close, "", due);
        break;
    case QUESTION_DISCARD:
        lots_draw(ruling, "", due);
        break;
    case QUESTION_ENACT:
        end_session(ruling);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        power_time(ruling, &awaits);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        assert(false && "nothing that is awaited has a deadline");
        break;
    }
    vacate_absent(ruling, due);
}

/* ---- reminders ------------------------------------------------------------
 */

/* The key of the reminder; NULL: it goes by private message, because in a
 * session it would give away who is slow. */
static const char *
reminder_key(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "remind_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "remind_vote_sealed"
                                                   : "remind_vote";
    case QUESTION_VETO:
        return "remind_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "remind_power";
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return NULL;
}

/* Put how much time is left under {left}: to the hour, of the last three to the
 * minute, and the last minutes to the second. */
static void
say_left(struct speech *speech, int64_t now)
{
    int64_t left = speech->table->deadline - now;
    int64_t unit = left < LAST_MINUTES * MINUTE_MS ? SECOND_MS
                   : left < 3 * HOUR_MS            ? MINUTE_MS
                                                   : HOUR_MS;
    int64_t units = (left + unit / 2) / unit;
    catalogue_duration(speech->env->catalogue, (units > 0 ? units : 1) * unit,
                       speech_text(speech, "left"));
}

/* Of some seats, those whose players want to be reminded in that way. */
static seat_set
reminded_by(const struct table *table, seat_set seats, enum reminders reminders)
{
    seat_set chosen = 0;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, seats) && table->seats[seat].reminders == reminders) {
            chosen |= seat_bit(seat);
        }
    }
    return chosen;
}

/* Say a reminder to the players of some seats; `reader`: to that one alone. */
static void
say_reminder(const struct ruling *ruling, const char *key, seat_set late,
             unsigned reader, struct rich *out)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    struct speech speech;
    speech_init_for(&speech, ruling->env, table, NULL, reader);
    say_left(&speech, ruling->env->now);
    absence_call(&speech, "late", late);
    params_number(&speech.params, "ja", speech_count(game->ja));
    params_number(&speech.params, "nein",
                  speech_count((seat_set)(game->voted & ~game->ja)));
    speech_say(&speech, key, out);
    speech_release(&speech);
}

/* A reminder is of no use once the question is over. */
static void
ends_then(const struct ruling *ruling, struct message *message)
{
    message->not_after = ruling->table->deadline;
    ruling_about(ruling, message);
}

/* What the thread would be told, to one player in private. */
static void
remind_privately(struct ruling *ruling, const char *key, unsigned seat)
{
    const struct table *table = ruling->table;
    struct rich whole = {.count = 0};
    struct speech speech;
    speech_init_for(&speech, ruling->env, table, NULL, seat);
    say_reminder(ruling, key, seat_bit(seat), seat,
                 speech_rich(&speech, "text"));
    speech_say(&speech, "remind_own", &whole);
    ends_then(ruling, ruling_private(ruling, table->seats[seat].user, &whole));
    speech_release(&speech);
}

/* Whoever has been silent for a day, while things went on, is told first what
 * happened: once in that silence. */
static bool
must_catch_up(const struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    int64_t heard = prods_heard(ruling, table->seats[seat].user, INT64_MAX);
    return ruling->env->now - heard >= DAY_MS &&
           table->seats[seat].caught_up <= heard &&
           catchup_has_news(table, heard);
}

static seat_set
choose_catch_ups(const struct ruling *ruling, seat_set reminded)
{
    seat_set chosen = 0;
    for (unsigned seat = 0; seat < ruling->table->seated; seat++) {
        if (seat_in(seat, reminded) && must_catch_up(ruling, seat)) {
            chosen |= seat_bit(seat);
        }
    }
    return chosen;
}

static void
send_catch_ups(struct ruling *ruling, seat_set chosen)
{
    const struct table *table = ruling->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct rich text = {.count = 0};
        if (seat_in(seat, chosen)) {
            const char *user = table->seats[seat].user;
            catchup_say(ruling->env, table, seat,
                        prods_heard(ruling, user, INT64_MAX), &text);
            ends_then(ruling, ruling_private(ruling, user, &text));
        }
        rich_wipe(&text);
    }
}

/* Who is away gets no ping, and nothing in private but about their cards. */
static void
remind(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    seat_set awaited = game_awaits(game).seats & game_present(game);
    seat_set here = awaited & (seat_set)~table_away(table, ruling->env->now);
    struct move move = ruling_move(ruling, MOVE_REMIND, table->remind);
    const char *key = reminder_key(game);
    seat_set publicly = reminded_by(table, awaited, REMINDERS_THREAD);
    seat_set privately = reminded_by(table, awaited, REMINDERS_PRIVATE);
    seat_set catch_ups =
        choose_catch_ups(ruling, here & (publicly | privately));
    move.number = catch_ups;
    (void)ruling_play(ruling, &move);
    send_catch_ups(ruling, catch_ups);
    if (key == NULL) {
        privately |= publicly;
        publicly = 0;
    } else {
        privately &= here;
    }
    if (publicly != 0) {
        struct rich text = {.count = 0};
        say_reminder(ruling, key, publicly, NO_SEAT, &text);
        ends_then(ruling, ruling_post(ruling, &text));
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (!seat_in(seat, privately)) {
            continue;
        }
        if (key != NULL) {
            remind_privately(ruling, key, seat);
        } else {
            struct rich text = {.count = 0};
            say_reminder(ruling, "remind_cards", awaited, seat, &text);
            ends_then(ruling,
                      ruling_private(ruling, table->seats[seat].user, &text));
        }
    }
}

/* ---- second thoughts ----------------------------------------------------- */

/* The announced execution is done. */
static void
execute(struct ruling *ruling)
{
    struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_PLAY, table->announced_due);
    move.command = (struct command){.kind = COMMAND_TARGET,
                                    .seat = table->game.president,
                                    .target = table->announced};
    enum refusal refusal = ruling_play(ruling, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

void
timers_fire(struct ruling *ruling, int64_t through)
{
    int64_t due = table_due(ruling->table);
    enum timer_kind kind = table_timer(ruling->table).kind;
    bool coming = table_is_coming(ruling->table);
    int64_t ends = coming ? table_coming_ends(ruling->table) : 0;
    if (kind == TIMER_REMIND && ends != 0 && ends <= through) {
        kind = TIMER_START;
    } else if (kind == TIMER_REMIND && due != 0 && due <= through) {
        kind = TIMER_DEADLINE; /* nobody needs a reminder of something that is
                                  over */
    }
    switch (kind) {
    case TIMER_DEADLINE:
        end_question(ruling);
        break;
    case TIMER_REMIND:
        if (coming) {
            signup_remind(ruling);
        } else {
            remind(ruling);
        }
        break;
    case TIMER_PAUSE:
        moderators_end_pause(ruling);
        break;
    case TIMER_PROD:
        prods_look(ruling);
        break;
    case TIMER_ANNOUNCED:
        execute(ruling);
        break;
    case TIMER_START:
    case TIMER_CHECK:
        signup_time(ruling);
        break;
    case TIMER_ASKED:
        moderators_time(ruling);
        break;
    case TIMER_NONE:
        assert(false && "a timer is due");
        break;
    }
}
