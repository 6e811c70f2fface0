/* Seats that change hands during the game. */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/private.h"

void
order_seat(struct order *order, unsigned seat, const struct person *person)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    struct move move =
        docket_move(docket, MOVE_REPLACE, order->hearing->post->stamp);
    struct speech speech;
    struct rich text = {.count = 0};
    char out[RECORD_NAME_MAX + 1];
    (void)snprintf(move.out, sizeof move.out, "%s", table->people[seat].user);
    (void)snprintf(move.user, sizeof move.user, "%s", person->user);
    (void)snprintf(move.name, sizeof move.name, "%s", person->name);
    (void)snprintf(out, sizeof out, "%s", table->people[seat].name);
    bool returns = strcmp(move.out, move.user) == 0;
    (void)docket_play(docket, &move);
    secrets_hand_over(docket, seat);
    speech_init(&speech, docket->house, table, NULL);
    params_text(&speech.params, "out", out);
    speech_seat(&speech, "newcomer", seat);
    params_number(&speech.params, "silent", table_is_secret(table));
    speech_say(&speech, returns ? "returned" : "replaced", &text);
    docket_post(docket, &text)->waits = true;
    rich_release(&text);
    speech_release(&speech);
}

/* The first of the seats that are open: a vacant one, if there is one. */
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

/* Who sits at the table posts `!join`: back to a vacant seat, or staying. */
static void
come_back(struct order *order, unsigned seat)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    if (seat_in(seat, table->game.vacant & table->game.living)) {
        struct person person = table->people[seat];
        order_seat(order, seat, &person);
    } else if (seat_in(seat, table->leaving)) {
        struct move move = docket_move(docket, MOVE_JOIN, post->stamp);
        (void)snprintf(move.user, sizeof move.user, "%s", post->author);
        (void)docket_play(docket, &move);
        (void)order_answer(order, "stays");
    } else {
        (void)order_answer(order, "signup_joined_already");
    }
}

/* Somebody from outside takes the first open seat. */
static void
step_in(struct order *order)
{
    const struct table *table = order->docket->table;
    const struct post *post = order->hearing->post;
    unsigned reserve = table_reserve(table, post->author);
    struct person person = {.user = ""};
    struct buf name = BUF_INIT;
    (void)snprintf(person.user, sizeof person.user, "%s", post->author);
    if (reserve != NO_SEAT) {
        person = table->reserves[reserve];
        order_seat(order, first_open(table), &person);
    } else if (!name_clean(post->author_name, &name)) {
        (void)order_answer(order, "signup_name_empty");
    } else if (order_own_name_is_free(order, buf_text(&name))) {
        (void)snprintf(person.name, sizeof person.name, "%s", buf_text(&name));
        order_seat(order, first_open(table), &person);
    }
    buf_release(&name);
}

void
order_take_seat(struct order *order)
{
    const struct table *table = order->docket->table;
    const char *author = order->hearing->post->author;
    unsigned seat = table_seat(table, author);
    if (seat != NO_SEAT) {
        come_back(order, seat);
    } else if (table_is_former(table, author)) {
        (void)order_answer(order, "join_former");
    } else if (table_open_seats(table) == 0) {
        (void)order_answer(order, "signup_too_late");
    } else {
        step_in(order);
    }
}

void
order_ask_replacement(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct place *place = docket->house->place;
    const struct post *post = order->hearing->post;
    struct speech speech;
    struct move move = docket_move(docket, MOVE_LEAVE, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (!table_may(table, &move)) {
        (void)order_answer_quoting(order, "command_late");
        return;
    }
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    for (unsigned i = 0; i < place->moderator_count; i++) {
        params_person(&speech.params, "moderators", place->moderators[i],
                      place->moderators[i]);
    }
    speech_seat(&speech, "leaver", table_seat(table, post->author));
    (void)order_answer_speech(order, &speech, "leave_running");
    speech_release(&speech);
}
