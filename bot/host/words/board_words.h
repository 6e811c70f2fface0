/*
 * The words in a board picture, and the text that describes it to people who
 * can't see it.
 */
#ifndef BOT_HOST_WORDS_BOARD_WORDS_H
#define BOT_HOST_WORDS_BOARD_WORDS_H

#include "bot/host/words/catalogue.h"
#include "bot/picture/board_picture.h"

/* Fill in the words for the picture of a board; release them. */
void board_words(const struct catalogue *catalogue,
                 const struct public_board *board, struct board_labels *labels);

/* Append the alternative text: one line that describes everything in the
 * picture. */
void board_alt(const struct catalogue *catalogue,
               const struct public_board *board, struct buf *out);

#endif
