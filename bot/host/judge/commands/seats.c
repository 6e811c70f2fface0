/* Seats that change hands during the game. */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/private.h"
#include "bot/host/words/vacancy.h"

void
chat_seat(struct chat_command *chat, unsigned seat, const char *user,
          const char *name)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_begin_move(chat, MOVE_REPLACE);
    struct rich text = {.count = 0};
    char out[RECORD_NAME_MAX + 1];
    (void)snprintf(move.out, sizeof move.out, "%s", table->seats[seat].user);
    (void)snprintf(move.user, sizeof move.user, "%s", user);
    (void)snprintf(move.name, sizeof move.name, "%s", name);
    (void)snprintf(out, sizeof out, "%s", table->seats[seat].name);
    bool returns = strcmp(move.out, move.user) == 0;
    (void)ruling_play(ruling, &move);
    private_hand_over(ruling, seat);
    struct speech *speech = chat_speech(chat);
    params_text(&speech->params, "out", out);
    speech_seat(speech, "newcomer", seat);
    params_number(&speech->params, "silent", table_is_secret(table));
    speech_say(speech, returns ? "returned" : "replaced", &text);
    vacancy_say_change(ruling, speech, true, &text);
    ruling_post(ruling, &text)->waits = true;
}

/* The first open seat: a vacant one, if there is one. */
static unsigned
first_open(const struct table *table)
{
    seat_set open = table_open_seats(table);
    seat_set vacant = open & table->game.vacant;
    seat_set best = vacant != 0 ? vacant : open;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, best)) {
            return seat;
        }
    }
    return NO_SEAT;
}

/* A player at the table posts `!join`: they return to a vacant seat, or
 * stay. */
static void
come_back(struct chat_command *chat, unsigned seat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    if (seat_in(seat, table->game.vacant & table->game.living)) {
        chat_seat(chat, seat, table->seats[seat].user, table->seats[seat].name);
    } else if (seat_in(seat, table->leaving)) {
        struct move move = chat_move(chat, MOVE_JOIN);
        (void)ruling_play(ruling, &move);
        (void)chat_announce(chat, "stays");
    } else {
        (void)chat_answer(chat, seat_in(seat, table->game.living)
                                    ? "signup_joined_already"
                                    : "help_executed");
    }
}

/* A newcomer takes the first open seat. */
static void
step_in(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const struct post *post = chat->input->post;
    unsigned reserve = table_reserve(table, post->author);
    struct move move = {.user = ""};
    if (reserve != NO_SEAT) {
        chat_seat(chat, first_open(table), post->author,
                  table->reserves[reserve].name);
    } else if (chat_take_own_name(chat, &move)) {
        chat_seat(chat, first_open(table), post->author, move.name);
        (void)snprintf(move.user, sizeof move.user, "%s", post->author);
        chat_ask_for_name(chat, &move);
    }
}

void
chat_take_seat(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const char *author = chat->input->post->author;
    unsigned seat = table_seat(table, author);
    unsigned rows = chat->ruling->row_count;
    if (seat != NO_SEAT) {
        come_back(chat, seat);
    } else if (table_is_former(table, author)) {
        (void)chat_answer(chat, "join_former");
    } else if (table_is_watcher(table, author)) {
        (void)chat_answer(chat, "join_gallery");
    } else if (table_open_seats(table) == 0) {
        (void)chat_answer(chat, "signup_too_late");
    } else {
        step_in(chat);
    }
    if (chat->ruling->row_count > rows &&
        strcmp(chat->input->post->place, table->thread) != 0) {
        chat_acknowledge(chat); /* the thread is told, elsewhere nobody */
    }
}

void
chat_ask_replacement(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_move(chat, MOVE_LEAVE);
    if (!table_may(table, &move)) {
        (void)chat_answer_quoting(chat, "command_late");
        return;
    }
    (void)ruling_play(ruling, &move);
    struct speech *speech = chat_speech(chat);
    speech_moderators(speech);
    speech_seat(speech, "leaver", table_seat(table, move.user));
    (void)chat_announce(chat, "leave_running");
}
