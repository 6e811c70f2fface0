/* `!plan`: whom the host nominates if a candidate's time runs out. */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"

/* Say what is planned, or that nothing is. */
static void
say_plan(struct chat_command *chat, unsigned seat)
{
    const struct table *table = chat->ruling->table;
    const struct plan *plan = &table->seats[seat].plan;
    struct speech *speech = chat_speech(chat);
    for (unsigned i = 0; i < plan->count; i++) {
        speech_seat(speech, "plan", plan->seats[i]);
    }
    (void)chat_answer(chat, plan->count == 0 ? "plan_none" : "plan_done");
}

/* Add one name to a plan; false, with an answer: it is nobody's who can be
 * nominated by the author. */
static bool
add_name(struct chat_command *chat, const char *name, size_t len, unsigned own,
         seat_set *seats, struct buf *plan)
{
    const struct table *table = chat->ruling->table;
    unsigned seat = NO_SEAT;
    if (!chat_find_seat(chat, name, len, &seat)) {
        return false;
    }
    if (seat == own || !seat_in(seat, table->game.living)) {
        struct speech *speech = chat_speech(chat);
        speech_seat(speech, "target", seat);
        params_number(&speech->params, "own", seat == own);
        (void)chat_answer(chat, "plan_wrong");
        return false;
    }
    if (!seat_in(seat, *seats)) {
        *seats |= seat_bit(seat);
        buf_addf(plan, "%s%u", plan->len == 0 ? "" : " ", seat + 1);
    }
    return true;
}

/* Read names with commas between them as the text of a MOVE_PLAN; false, with
 * an answer: they can't be planned. */
static bool
read_names(struct chat_command *chat, unsigned own, struct buf *plan)
{
    const char *at = buf_text(&chat->rest);
    seat_set seats = 0;
    bool good = true;
    while (good && *at != '\0') {
        size_t len = strcspn(at, ",");
        const char *next = at + len + (at[len] == ',');
        size_t skip = strspn(at, " \t");
        skip = skip < len ? skip : len;
        at += skip;
        len -= skip;
        while (len > 0 && strchr(" \t", at[len - 1]) != NULL) {
            len--;
        }
        good = len == 0 || add_name(chat, at, len, own, &seats, plan);
        at = next;
    }
    return good;
}

void
chat_plan(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_move(chat, MOVE_PLAN);
    unsigned seat = table_seat(table, move.user);
    struct buf plan = BUF_INIT;
    if (!chat->input->post->dm) {
        (void)chat_answer(chat, "plan_private");
    } else if (!table_may(table, &move)) {
        (void)chat_answer_quoting(chat, "command_late");
    } else if (chat->rest.len == 0) {
        say_plan(chat, seat);
    } else if (chat_matches(chat, buf_text(&chat->rest), "word_off", "off") ||
               read_names(chat, seat, &plan)) {
        (void)snprintf(move.text, sizeof move.text, "%s", buf_text(&plan));
        (void)ruling_play(ruling, &move);
        say_plan(chat, seat);
    }
    buf_wipe(&plan);
}
