#include "bot/host/judge/outage.h"

#include "bot/host/table/deadline.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"

/* The time at which a table stops waiting. */
static int64_t
ends(const struct table *table)
{
    return table_is_coming(table) ? table_coming_ends(table) : table->deadline;
}

/* When the time begins that people count on: the last quarter of the time for a
 * question, or the time for second thoughts.  In a session it is all of it.  A
 * question that came late has its time from then on: what took it before that
 * has been made up for. */
static int64_t
counts_from(const struct table *table)
{
    int64_t length =
        table_is_coming(table) ? ends(table) - table->opened : table->length;
    return table->announced != NO_SEAT ? table->announced_due - table->thought
                                       : ends(table) - length / 4;
}

/* How much time is given for an outage: its length, if it covers some of what
 * people count on; 0: none.  In a session it is what was taken from that, which
 * begins when its cards are there, a little before the outage is known to end.
 */
static int64_t
given(const struct table *table, const struct outage *outage)
{
    if (!table_is_coming(table) && table_in_session(table)) {
        int64_t began = table->session_began;
        int64_t soon =
            began + deadline_tolerance(QUESTION_DISCARD, &table->settings);
        bool early = outage->from < began;
        return outage->from >= table->session_ends ||
                       (early && outage->to <= soon)
                   ? 0
                   : outage->to - (early ? began : outage->from);
    }
    int64_t end =
        table->announced != NO_SEAT ? table->announced_due : ends(table);
    bool takes = outage->from < end && outage->to > counts_from(table);
    return takes ? outage->to - outage->from : 0;
}

/* Put the times of an outage under {from} and {to}. */
static void
say_times(struct speech *speech, const struct outage *outage)
{
    speech_set_time(speech, "from", outage->from);
    speech_set_time(speech, "to", outage->to);
}

/* Move the deadline, if it has to move. */
static bool
stretch(struct ruling *ruling, const struct outage *outage, const char *reason)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_EXTEND, outage->to);
    int64_t length = given(table, outage);
    struct speech speech;
    move.extended = EXTENDED_FOR_OUTAGE;
    move.until = deadline_moved(ends(table), length, &table->settings,
                                ruling->env->zone);
    if (!table_is_coming(table) && table_in_session(table)) {
        move.session = deadline_moved(table->session_ends, length,
                                      &table->settings, ruling->env->zone);
    }
    if (length == 0 || !table_may(table, &move)) {
        return false;
    }
    speech_init(&speech, ruling->env, table, NULL);
    say_times(&speech, outage);
    params_number(&speech.params, "outage", outage->outage >= OUTAGE_LEAST);
    speech_reason(&speech, reason, &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    return true;
}

bool
outage_leave_time(struct ruling *ruling, const char *reason)
{
    const struct table *table = ruling->table;
    bool waits = (table->state == TABLE_RUNNING || table_is_coming(table)) &&
                 ends(table) != 0;
    struct outage outage = {.from = waits ? counts_from(table) : 0,
                            .to = ruling->env->now};
    return waits && outage.from < outage.to && stretch(ruling, &outage, reason);
}

/* Put the time of an execution that was announced under {aim}. */
static void
say_aim(struct speech *speech, const struct table *table)
{
    speech_set_time(speech, "aim",
                    table->announced != NO_SEAT ? table->announced_due : 0);
}

void
outage_tell(struct ruling *ruling, const struct outage *outage)
{
    const struct table *table = ruling->table;
    struct speech speech;
    bool coming = table_is_coming(table);
    if (coming && table_coming_ends(table) == 0) {
        return; /* nobody is waiting for an end */
    }
    bool moved = stretch(ruling, outage, "gap_reason");
    int64_t due = coming ? table_coming_ends(table) : table_due(table);
    bool over = !moved && due != 0 && due <= outage->to;
    speech_init(&speech, ruling->env, table, NULL);
    say_times(&speech, outage);
    say_aim(&speech, table);
    params_number(&speech.params, "outage", outage->outage >= OUTAGE_LEAST);
    params_number(&speech.params, "lost", outage->lost);
    params_number(&speech.params, "moved", moved);
    params_number(&speech.params, "over", over);
    params_number(&speech.params, "still", due != 0 && !moved && !over);
    if (coming) {
        speech_set_time(&speech, "end", due);
        params_number(&speech.params, "check", table->state == TABLE_CHECK);
    }
    speech_post(&speech, ruling, coming ? "gap_coming" : "gap");
    if (moved) {
        notice_status(ruling);
    }
    speech_release(&speech);
}

/* The same before the game. */
static void
begin_coming_anew(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_CALLED, 0);
    struct speech speech;
    move.called = CALLED_ANEW;
    move.until =
        deadline_moved(move.now, table_coming_ends(table) - table->opened,
                       &table->settings, ruling->env->zone);
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    speech_set_time(&speech, "end", table_coming_ends(table));
    params_number(&speech.params, "check", table->state == TABLE_CHECK);
    speech_post(&speech, ruling, "clock_wrong_coming");
    notice_status(ruling);
    speech_release(&speech);
}

void
outage_begin_anew(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct settings *settings = &table->settings;
    const struct zone *zone = ruling->env->zone;
    struct move move = ruling_move(ruling, MOVE_CALLED, 0);
    enum question question = (enum question)table->game.question;
    int64_t length = table->length;
    struct speech speech;
    if (table_is_coming(table)) {
        begin_coming_anew(ruling);
        return;
    }
    if (length <= 0) { /* a session had ended by the clock that was wrong */
        length = deadline_length(question, settings);
    }
    move.called = CALLED_ANEW;
    move.until = deadline_from(move.now, length, settings, zone);
    if (table_in_session(table)) {
        move.session = question == QUESTION_ENACT
                           ? move.until
                           : deadline_session(move.until, settings, zone);
    }
    speech_init(&speech, ruling->env, table, NULL);
    speech_reason(&speech, "clock_reason", &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    say_aim(&speech, table);
    speech_post(&speech, ruling, "clock_wrong");
    notice_status(ruling);
    speech_release(&speech);
}
