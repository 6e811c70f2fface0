#include "bot/host/judge/outage.h"

#include "bot/host/table/deadline.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"

/* When the time for what is asked at a table is up. */
static int64_t
ends(const struct table *table)
{
    return table_is_coming(table) ? table_coming_ends(table) : table->deadline;
}

/* Does a gap take away what people count on: the last quarter of the time for a
 * question, or that for a second thought? */
static bool
takes_time(const struct table *table, const struct gap *gap)
{
    int64_t end = ends(table);
    int64_t quarter = (end - table->opened) / 4;
    if (table->aim != NO_SEAT) {
        return gap->from < table->aim_due &&
               gap->to > table->aim_due - table->settings.second_thought;
    }
    if (!table_is_coming(table) && table_in_session(table)) {
        return gap->from < table->session_ends &&
               gap->to > table->session_began;
    }
    return gap->from < end && gap->to > end - quarter;
}

/* Name the times of a gap under {from} and {to}. */
static void
say_times(struct speech *speech, const struct gap *gap, struct buf *from,
          struct buf *to)
{
    const struct house *house = speech->house;
    catalogue_time(house->catalogue, gap->from, house->zone, from);
    catalogue_time(house->catalogue, gap->to, house->zone, to);
    params_text(&speech->params, "from", buf_text(from));
    params_text(&speech->params, "to", buf_text(to));
}

/* Move the deadline, if it is to be moved. */
static bool
stretch(struct docket *docket, const struct gap *gap)
{
    const struct table *table = docket->table;
    struct move move = docket_move(docket, MOVE_EXTEND, gap->to);
    int64_t length = gap->to - gap->from;
    struct speech speech;
    struct buf from = BUF_INIT;
    struct buf to = BUF_INIT;
    move.number = EXTENDED_FOR_OUTAGE;
    move.until = deadline_moved(ends(table), length, &table->settings,
                                docket->house->zone);
    if (!table_is_coming(table) && table_in_session(table)) {
        move.session = deadline_moved(table->session_ends, length,
                                      &table->settings, docket->house->zone);
    }
    if (!takes_time(table, gap) || !table_may(table, &move)) {
        return false;
    }
    speech_init(&speech, docket->house, table, NULL);
    say_times(&speech, gap, &from, &to);
    params_number(&speech.params, "outage", gap->outage >= GAP_LEAST);
    speech_reason(&speech, "gap_reason", &move);
    speech_release(&speech);
    buf_release(&from);
    buf_release(&to);
    (void)docket_play(docket, &move);
    return true;
}

void
gap_tell(struct docket *docket, const struct gap *gap)
{
    const struct table *table = docket->table;
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf from = BUF_INIT;
    struct buf to = BUF_INIT;
    struct buf aim = BUF_INIT;
    struct buf end = BUF_INIT;
    bool coming = table_is_coming(table);
    if (coming && table_coming_ends(table) == 0) {
        return; /* nobody is waiting for an end */
    }
    bool moved = stretch(docket, gap);
    int64_t due = coming ? table_coming_ends(table) : table_due(table);
    speech_init(&speech, docket->house, table, NULL);
    say_times(&speech, gap, &from, &to);
    if (table->aim != NO_SEAT) {
        speech_time(docket->house, table, table->aim_due, &aim);
    }
    params_text(&speech.params, "aim", buf_text(&aim));
    params_number(&speech.params, "outage", gap->outage >= GAP_LEAST);
    params_number(&speech.params, "moved", moved);
    params_number(&speech.params, "over", due != 0 && due <= gap->to);
    if (coming) {
        speech_time(docket->house, table, due, &end);
        params_text(&speech.params, "end", buf_text(&end));
        params_number(&speech.params, "check", table->state == TABLE_CHECK);
    }
    speech_say(&speech, coming ? "gap_coming" : "gap", &text);
    docket_post(docket, &text);
    if (moved) {
        notice_status(docket);
    }
    rich_release(&text);
    buf_release(&from);
    buf_release(&to);
    buf_release(&aim);
    buf_release(&end);
    speech_release(&speech);
}

/* The same before the game. */
static void
begin_coming_anew(struct docket *docket)
{
    const struct table *table = docket->table;
    struct move move = docket_move(docket, MOVE_CALLED, 0);
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf end = BUF_INIT;
    move.number = CALLED_ANEW;
    move.until =
        deadline_moved(move.now, table_coming_ends(table) - table->opened,
                       &table->settings, docket->house->zone);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_time(docket->house, table, table_coming_ends(table), &end);
    params_text(&speech.params, "end", buf_text(&end));
    params_number(&speech.params, "check", table->state == TABLE_CHECK);
    speech_say(&speech, "clock_wrong_coming", &text);
    docket_post(docket, &text);
    notice_status(docket);
    rich_release(&text);
    buf_release(&end);
    speech_release(&speech);
}

void
gap_begin_anew(struct docket *docket)
{
    const struct table *table = docket->table;
    const struct settings *settings = &table->settings;
    const struct zone *zone = docket->house->zone;
    struct move move = docket_move(docket, MOVE_CALLED, 0);
    struct speech speech;
    struct rich text = {.count = 0};
    if (table_is_coming(table)) {
        begin_coming_anew(docket);
        return;
    }
    move.number = CALLED_ANEW;
    move.until = deadline_from(move.now, table->length, settings, zone);
    if (table_in_session(table)) {
        move.session = table->game.question == QUESTION_ENACT
                           ? move.until
                           : deadline_session(move.until, settings, zone);
    }
    speech_init(&speech, docket->house, table, NULL);
    speech_reason(&speech, "clock_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_say(&speech, "clock_wrong", &text);
    docket_post(docket, &text);
    notice_status(docket);
    rich_release(&text);
    speech_release(&speech);
}
