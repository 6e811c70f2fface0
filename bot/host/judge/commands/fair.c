/* What players ask of the deal, and what they give to it. */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/words/proof.h"

void
order_fair(struct order *order)
{
    const struct table *table = order->docket->table;
    struct speech speech;
    struct rich commitment = {.count = 0};
    speech_init(&speech, order->docket->house, table, NULL);
    if (table->id[0] != '\0' && table->fair) {
        proof_say_commitment(table, &commitment);
        params_rich(&speech.params, "commitment", &commitment);
    }
    (void)order_answer_speech(order, &speech, "fair");
    rich_release(&commitment);
    speech_release(&speech);
}

void
order_luck(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    struct move move = docket_move(docket, MOVE_LUCK, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    deal_clean(buf_text(&order->rest), move.text);
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        (void)order_answer(order, "signup_none");
    } else if (!table_is_coming(table)) {
        (void)order_answer(order, "luck_late");
    } else if (!table_may(table, &move)) {
        (void)order_answer(order, "luck_not_in");
    } else if (move.text[0] == '\0') {
        (void)order_answer(order, "luck_bad");
    } else {
        (void)docket_play(docket, &move);
        order_acknowledge(order);
    }
}
