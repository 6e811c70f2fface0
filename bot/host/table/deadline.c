#include "bot/host/table/deadline.h"

#include <sodium.h>

int64_t
deadline_length(enum question question, const struct settings *settings)
{
    switch (question) {
    case QUESTION_NOMINATE:
        return settings->nomination;
    case QUESTION_VOTE:
        return settings->election;
    case QUESTION_DISCARD:
        return settings->president;
    case QUESTION_ENACT:
        return settings->chancellor;
    case QUESTION_VETO:
        return settings->veto;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return settings->power;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return 0;
}

int64_t
deadline_tolerance(enum question question, const struct settings *settings)
{
    return deadline_length(question, settings) / 20;
}

/* The instant at which a zone's clocks show a minute of that day. */
static int64_t
at_minute(struct civil day, int minute, const struct zone *zone)
{
    day.hour = minute / 60;
    day.minute = minute % 60;
    day.second = 0;
    return civil_instant(&day, zone);
}

static bool
is_day_off(const struct civil *civil, const struct settings *settings)
{
    unsigned days = 0;
    (void)weekdays_read(settings->days_off, &days);
    return days >> civil->weekday & 1U;
}

bool
deadline_is_quiet(int64_t instant, const struct settings *settings,
                  const struct zone *zone)
{
    int from = 0;
    int to = 0;
    struct civil civil = civil_at(instant, zone);
    return hours_read(settings->quiet, &from, &to) &&
           hours_hold(from, to, civil.hour * 60 + civil.minute);
}

/* The end of the quiet hours that an instant lies in. */
static int64_t
quiet_end(int64_t instant, const struct settings *settings,
          const struct zone *zone)
{
    int from = 0;
    int to = 0;
    struct civil civil = civil_at(instant, zone);
    (void)hours_read(settings->quiet, &from, &to);
    int minute = civil.hour * 60 + civil.minute;
    if (to <= from && minute >= from) {
        civil.day++; /* past midnight */
    }
    int64_t end = at_minute(civil, to, zone);
    /* In the hour that comes twice, the end may be over and yet to come. */
    return end > instant ? end : instant + (to - minute) * MINUTE_MS;
}

/* The next beginning of the quiet hours after an instant that is not in them.
 */
static int64_t
quiet_begin(int64_t instant, const struct settings *settings,
            const struct zone *zone)
{
    int from = 0;
    int to = 0;
    struct civil civil = civil_at(instant, zone);
    if (!hours_read(settings->quiet, &from, &to)) {
        return INT64_MAX;
    }
    if (civil.hour * 60 + civil.minute >= from) {
        civil.day++;
    }
    int64_t begin = at_minute(civil, from, zone);
    /* The hour may be skipped, or come twice. */
    return begin > instant ? begin : instant + MINUTE_MS;
}

/* Time passes from `at` on until so many ms of it were awake, or until `end`.
 */
struct walk {
    int64_t at, awake;
};

static struct walk
walk_awake(int64_t at, int64_t length, int64_t end,
           const struct settings *settings, const struct zone *zone)
{
    enum {
        TURNS_MOST = 4096 /* two a day; all hours may be quiet */
    };
    struct walk walk = {at, 0};
    for (unsigned i = 0; i < TURNS_MOST && walk.awake < length && walk.at < end;
         i++) {
        if (deadline_is_quiet(walk.at, settings, zone)) {
            walk.at = quiet_end(walk.at, settings, zone);
            continue;
        }
        int64_t step = quiet_begin(walk.at, settings, zone) - walk.at;
        step = step < length - walk.awake ? step : length - walk.awake;
        step = step < end - walk.at ? step : end - walk.at;
        walk.at += step;
        walk.awake += step;
    }
    return walk;
}

int64_t
deadline_awake(int64_t start, int64_t length, const struct settings *settings,
               const struct zone *zone)
{
    return walk_awake(start, length, INT64_MAX, settings, zone).at;
}

int64_t
deadline_silent(const struct table *table, int64_t since, int64_t length,
                const struct zone *zone)
{
    const struct settings *settings = &table->settings;
    int64_t due = deadline_awake(since, length, settings, zone);
    for (unsigned i = 0; i < table->pause_count; i++) {
        const struct pause *pause = &table->pauses[i];
        int64_t from = pause->from > since ? pause->from : since;
        if (from < due && from < pause->to) {
            length +=
                walk_awake(from, INT64_MAX, pause->to, settings, zone).awake;
            due = deadline_awake(since, length, settings, zone);
        }
    }
    return due;
}

/* The first instant from this one on that is neither quiet nor on a day off. */
static int64_t
settle(int64_t instant, const struct settings *settings,
       const struct zone *zone)
{
    for (int days = 0; days < 14; days++) { /* at most six days are off */
        struct civil civil = civil_at(instant, zone);
        if (is_day_off(&civil, settings)) {
            civil.day++;
            instant = at_minute(civil, 0, zone);
        } else if (deadline_is_quiet(instant, settings, zone)) {
            instant = quiet_end(instant, settings, zone);
        } else {
            break;
        }
    }
    return instant;
}

int64_t
deadline_days_later(int64_t start, int64_t days, const struct zone *zone)
{
    struct civil civil = civil_at(start, zone);
    civil.day += (int)days;
    return days == 0 ? start : civil_instant(&civil, zone) + start % SECOND_MS;
}

/* So long after an instant by a zone's clocks: a day is a day, even one of 23
 * hours. */
static int64_t
later_by_clock(int64_t start, int64_t length, const struct zone *zone)
{
    struct civil civil = civil_at(start, zone);
    civil.second += (int)(length / SECOND_MS);
    return civil_instant(&civil, zone);
}

/* The first daily hour from an instant on that is not on a day off. */
static int64_t
next_daily(int64_t instant, int minute, const struct settings *settings,
           const struct zone *zone)
{
    struct civil civil = civil_at(instant, zone);
    int64_t daily = at_minute(civil, minute, zone);
    for (int days = 0; days < 14; days++) {
        struct civil day = civil_at(daily, zone);
        if (daily >= instant && !is_day_off(&day, settings)) {
            break;
        }
        civil.day++;
        daily = at_minute(civil, minute, zone);
    }
    return daily;
}

int64_t
deadline_moved(int64_t deadline, int64_t by, const struct settings *settings,
               const struct zone *zone)
{
    return settle(deadline + by, settings, zone);
}

int64_t
deadline_from(int64_t start, int64_t length, const struct settings *settings,
              const struct zone *zone)
{
    int daily = 0;
    if (hour_read(settings->daily, &daily)) {
        /* What opens when the last deadline fires opens a little after the
         * hour, and should not wait another day for that. */
        int64_t least = later_by_clock(start, length, zone) - length / 24;
        return settle(next_daily(least, daily, settings, zone), settings, zone);
    }
    return settle(start + length, settings, zone);
}

/* A candidate who is called at night has all of the time from the morning on;
 * and at least eight waking hours, if the whole time is as long. */
static int64_t
name_deadline(int64_t opened, const struct settings *settings,
              const struct zone *zone)
{
    const int64_t waking = 8 * HOUR_MS;
    int64_t length = settings->nomination;
    bool quiet = deadline_is_quiet(opened, settings, zone);
    int64_t from = quiet ? quiet_end(opened, settings, zone) : opened;
    int64_t least =
        deadline_awake(from, length < waking ? length : waking, settings, zone);
    int64_t until = from + length;
    return settle(until > least ? until : least, settings, zone);
}

/* The vote has what the nomination has left of its round's time, and never less
 * than its least, however late it was asked. */
static int64_t
vote_deadline(int64_t opened, int64_t round_from,
              const struct settings *settings, const struct zone *zone)
{
    int64_t left = settings->election - settings->nomination;
    int64_t until =
        deadline_from(round_from, settings->election, settings, zone);
    int64_t least = opened + left;
    return until >= least ? until : deadline_from(opened, left, settings, zone);
}

int64_t
deadline_of(enum question question, int64_t opened, int64_t round_from,
            const struct settings *settings, const struct zone *zone)
{
    int64_t length = deadline_length(question, settings);
    if (length == 0) {
        return 0;
    }
    if (question == QUESTION_NOMINATE) {
        return name_deadline(opened, settings, zone);
    }
    if (question == QUESTION_VOTE) {
        return vote_deadline(opened, round_from, settings, zone);
    }
    return deadline_from(opened, length, settings, zone);
}

int64_t
deadline_session(int64_t discard, const struct settings *settings,
                 const struct zone *zone)
{
    return deadline_from(discard + settings->grace, settings->chancellor,
                         settings, zone);
}

/* The time that the open question has from when it is asked: the chancellor's
 * may have been put early in a session. */
static int64_t
call_length(const struct table *table)
{
    int64_t most = table->settings.chancellor;
    bool shorter =
        table->game.question == QUESTION_ENACT && most < table->length;
    return shorter ? most : table->length;
}

int64_t
deadline_called(const struct table *table, int64_t at, const struct zone *zone)
{
    const struct settings *settings = &table->settings;
    int64_t length = call_length(table);
    int64_t wanted = deadline_moved(at, length, settings, zone);
    int daily = 0;
    bool fixed = table->set_by_people || hour_read(settings->daily, &daily);
    if (table->deadline == 0 || wanted - table->deadline <= length / 20 ||
        (fixed && table->deadline - at >= length / 2)) {
        return table->deadline;
    }
    return hour_read(settings->daily, &daily) &&
                   table->game.question != QUESTION_NOMINATE
               ? deadline_from(at, length, settings, zone)
               : wanted;
}

int64_t
deadline_reminder(int64_t deadline, int64_t after,
                  const struct settings *settings, const struct zone *zone)
{
    int64_t before[REMINDERS_MAX];
    unsigned count = 0;
    int64_t next = 0;
    (void)durations_read(settings->reminders, before, REMINDERS_MAX, &count);
    for (unsigned i = 0; i < count; i++) {
        int64_t at = deadline - before[i];
        if (at > after && at < deadline && (next == 0 || at < next) &&
            !deadline_is_quiet(at, settings, zone)) {
            next = at;
        }
    }
    return next;
}

int64_t
deadline_open(const struct table *table, const struct zone *zone)
{
    const struct settings *settings = &table->settings;
    enum question question = (enum question)table->game.question;
    int64_t least =
        table->set_by_people
            ? 1
            : settings->chancellor - deadline_tolerance(question, settings);
    if (question == QUESTION_ENACT &&
        table->session_ends - table->opened >= least) {
        return table->session_ends;
    }
    return deadline_of(question, table->opened, table->round_from, settings,
                       zone);
}

/* Has the president chosen?  The end that was told stays, whatever was set
 * since: a new one would tell when that was. */
static bool
is_choice(const struct table *before, const struct table *after,
          const struct move *move)
{
    return before->game.question == QUESTION_DISCARD &&
           after->game.question == QUESTION_ENACT && !move->command.lots &&
           after->session_ends != 0;
}

void
deadline_give(const struct table *table, struct move *move,
              const struct zone *zone)
{
    struct table after;
    struct events events;
    struct buf lines = BUF_INIT;
    const struct settings *settings = &after.settings;
    int64_t remind = move->remind;
    move->remind = -1; /* which a move that sets it leaves in the table */
    table_clone(&after, table);
    if (table_apply(&after, move, &events, &lines) == REFUSAL_NONE &&
        after.state == TABLE_RUNNING) {
        enum question question = (enum question)after.game.question;
        bool opens = after.phase != table->phase;
        if (opens && move->until == 0) {
            move->until = is_choice(table, &after, move)
                              ? after.session_ends
                              : deadline_open(&after, zone);
            after.deadline = move->until;
        }
        if (opens && question == QUESTION_DISCARD) {
            move->session = deadline_session(move->until, settings, zone);
        }
        if (after.deadline != 0 && after.remind == move->remind) {
            remind =
                deadline_reminder(after.deadline, move->now, settings, zone);
        }
    }
    move->remind = remind;
    buf_wipe(&lines);
    table_release(&after);
}
