#include "bot/tables/game_log.h"

#include "bot/base/log.h"

/* Kinds beside those of events. */
#define MOVED(move) (EVENT_KINDS + (int)(move))
#define TIME_IS_UP  MOVED(MOVE_KINDS)

static const char *const endings[] = {
    [ENDING_FIVE_LIBERAL] = "the Liberals win with five policies",
    [ENDING_HITLER_EXECUTED] = "the Liberals win, for Hitler is executed",
    [ENDING_SIX_FASCIST] = "the Fascists win with six policies",
    [ENDING_HITLER_CHANCELLOR] = "the Fascists win, for Hitler is Chancellor",
    [ENDING_ABANDONED] = "a moderator has ended it",
};

static void
say(const struct table *table, unsigned round, int kind,
    const struct event *event)
{
    unsigned seat = event->seat + 1U;
    unsigned target = event->target + 1U;
    const char *name = NULL;
    struct buf line = BUF_INIT;
    switch (kind) {
#define SAID(what, word, ...)                                                  \
    case what:                                                                 \
        name = word;                                                           \
        buf_addf(&line, __VA_ARGS__);                                          \
        break;
#include "bot/tables/game_log_list.h"
#undef SAID
    default:
        return;
    }
    log_about(LOG_LEVEL_INFO,
              &(struct log_subject){.place = table->place,
                                    .table = table->id,
                                    .event = name,
                                    .round = round},
              "table %s: %s", table->id, buf_text(&line));
    buf_release(&line);
}

void
game_log(const struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct event *event = ruling->events;
    unsigned round = ruling->undone ? table->game.round : ruling->first_round;
    if (ruling->timed_out && ruling->cause == NULL) {
        say(table, round, TIME_IS_UP, &(struct event){.seat = 0});
    }
    for (unsigned i = 0; i < ruling->row_count; i++) {
        const struct ruling_row *row = &ruling->rows[i];
        const struct event *end = event + row->event_count;
        say(table, round, MOVED(row->kind),
            &(struct event){.seat = row->seat,
                            .reason = (uint8_t)row->extended});
        for (; event < end; event++) {
            round = event->kind == EVENT_ROUND ? event->round : round;
            if (event_facts[event->kind].line == AUDIENCE_ALL) {
                say(table, round, event->kind, event);
            }
        }
    }
}
