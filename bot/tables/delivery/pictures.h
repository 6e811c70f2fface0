/*
 * What goes with a message: a picture of the board, or a report.
 */
#ifndef BOT_TABLES_DELIVERY_PICTURES_H
#define BOT_TABLES_DELIVERY_PICTURES_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/picture/board_picture.h"
#include "bot/tables/tables.h"

/* Draw the board that goes with a message, as it was when the message was
 * written, in the words of its table; `alt` says what it shows.  Release the
 * picture. */
enum err pictures_draw(struct tables *tables,
                       const struct queued_message *queued, int64_t now,
                       struct board_picture *picture, struct buf *alt,
                       struct buf *why) MUST_USE;

/* Make the page that goes with a message: the report of a game that is over. */
enum err pictures_report(struct tables *tables,
                         const struct queued_message *queued, int64_t now,
                         struct buf *html, struct buf *why) MUST_USE;

#endif
