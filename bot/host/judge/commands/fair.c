/* Answers players' questions about the deal, and takes the words they add. */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/words/proof.h"

void
chat_fair(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    if (table->id[0] != '\0' && table->fair) {
        proof_say_commitment(table,
                             speech_rich(chat_speech(chat), "commitment"));
    }
    (void)chat_answer(chat, "fair");
}

void
chat_luck(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_move(chat, MOVE_LUCK);
    deal_clean(buf_text(&chat->rest), move.text);
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        chat_answer_none(chat);
    } else if (!table_is_coming(table)) {
        (void)chat_answer(chat, "luck_late");
    } else if (!table_may(table, &move)) {
        (void)chat_answer(chat, "luck_not_in");
    } else if (move.text[0] == '\0') {
        (void)chat_answer(chat, "luck_bad");
    } else {
        (void)ruling_play(ruling, &move);
        chat_acknowledge(chat);
    }
}
