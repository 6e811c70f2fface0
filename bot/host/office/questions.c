#include "bot/host/office/order.h"
#include "bot/host/words/status.h"

void
order_status(struct order *order)
{
    const struct table *table = order->docket->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0') {
        (void)order_answer(order, "signup_none");
        return;
    }
    status_say(order->docket->house, table, &text);
    (void)order_answer_text(order, &text);
    rich_release(&text);
}

/* What a player who is awaited can do now. */
static const char *
help_awaited(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "help_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "help_vote_sealed"
                                                   : "help_vote";
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        return "help_session";
    case QUESTION_VETO:
        return "help_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "help_power";
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return "help_wait";
}

static const char *
help_key(const struct table *table, unsigned seat)
{
    const struct game *game = &table->game;
    if (table->state == TABLE_SIGNUP) {
        return "help_signup";
    }
    if (table->state == TABLE_CHECK) {
        return "help_check";
    }
    if (!(game->living & seat_bit(seat))) {
        return "help_executed";
    }
    bool session =
        game->question == QUESTION_DISCARD || game->question == QUESTION_ENACT;
    /* In a session everybody gets the same answer: who is awaited is a tell. */
    if (session || (game_awaits(game).seats & seat_bit(seat))) {
        return help_awaited(game);
    }
    return game->question == QUESTION_VOTE ? "help_voted" : "help_wait";
}

void
order_help(struct order *order)
{
    const struct table *table = order->docket->table;
    unsigned seat = table_seat(table, order->hearing->post->author);
    struct speech speech;
    struct rich line = {.count = 0};
    speech_init(&speech, order->docket->house, table, NULL);
    bool open = table->id[0] != '\0';
    params_number(&speech.params, "signup",
                  open && table->state == TABLE_SIGNUP);
    params_number(&speech.params, "running", table->state == TABLE_RUNNING);
    const char *key = "help_out";
    if (open && seat != NO_SEAT && table->state != TABLE_OVER) {
        key = help_key(table, seat);
        status_line(order->docket->house, table, &line);
        params_rich(&speech.params, "line", &line);
        params_number(
            &speech.params, "voted",
            speech_count(table->game.voted & game_present(&table->game)));
    }
    (void)order_answer_speech(order, &speech, key);
    rich_release(&line);
    speech_release(&speech);
}
