#include "bot/host/words/board_words.h"

#include <string.h>

static const char *const mark_keys[SEAT_MARKS] = {
    [SEAT_CANDIDATE] = "mark_candidate", [SEAT_NOMINEE] = "mark_nominee",
    [SEAT_PRESIDENT] = "mark_president", [SEAT_CHANCELLOR] = "mark_chancellor",
    [SEAT_LIMITED] = "board_limited",    [SEAT_EXECUTED] = "mark_executed",
    [SEAT_VACANT] = "mark_vacant",
};

/* The squares with which a theme draws its policies in a post. */
static const struct {
    const char *square;
    enum tile_colour colour;
} squares[] = {
    {"🟦", TILE_BLUE},   {"🟥", TILE_RED},    {"🟩", TILE_GREEN},
    {"🟧", TILE_ORANGE}, {"🟨", TILE_YELLOW}, {"🟪", TILE_PURPLE},
    {"🟫", TILE_BROWN},
};

/* The picture's policies have the colour of the posts' squares. */
static enum tile_colour
colour_of(const struct catalogue *catalogue, const char *key)
{
    const char *square = language_find(&catalogue->language, key);
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++) {
        if (square != NULL && strcmp(square, squares[i].square) == 0) {
            return squares[i].colour;
        }
    }
    return TILE_OWN;
}

static const char *
title_key(const struct public_board *board)
{
    if (!board->over) {
        return "board_round";
    }
    switch (board->ending) {
    case ENDING_FIVE_LIBERAL:
    case ENDING_HITLER_EXECUTED:
        return "board_liberals_win";
    case ENDING_SIX_FASCIST:
    case ENDING_HITLER_CHANCELLOR:
        return "board_fascists_win";
    case ENDING_NONE:
    case ENDING_ABANDONED:
        break;
    }
    return "board_over";
}

static void
set_numbers(const struct public_board *board, struct params *params)
{
    params_number(params, "round", board->round);
    params_number(params, "policies",
                  board->ending == ENDING_FIVE_LIBERAL ||
                      board->ending == ENDING_SIX_FASCIST);
    params_number(params, "liberal", board->liberal);
    params_number(params, "fascist", board->fascist);
    params_number(params, "tracker", board->tracker);
    params_number(params, "deck", board->deck);
    params_number(params, "discards", board->discards);
}

void
board_words(const struct catalogue *catalogue, const struct public_board *board,
            struct board_labels *labels)
{
    struct params params = {.count = 0};
    *labels = (struct board_labels){.title = BUF_INIT};
    set_numbers(board, &params);
    catalogue_text(catalogue, title_key(board), &params, &labels->title);
    catalogue_text(catalogue, "board_liberal", &params, &labels->liberal);
    catalogue_text(catalogue, "board_fascist", &params, &labels->fascist);
    catalogue_text(catalogue, "board_tracker", &params, &labels->tracker);
    catalogue_text(catalogue, "board_tiles", &params, &labels->tiles);
    catalogue_text(catalogue, "letter_liberal", NULL, &labels->letter_liberal);
    catalogue_text(catalogue, "letter_fascist", NULL, &labels->letter_fascist);
    labels->colour_liberal = colour_of(catalogue, "tile_liberal");
    labels->colour_fascist = colour_of(catalogue, "tile_fascist");
    catalogue_text(catalogue, "board_veto", NULL, &labels->veto);
    catalogue_text(catalogue, "board_wins", NULL, &labels->wins);
    catalogue_text(catalogue, "board_chaos", NULL, &labels->chaos);
    catalogue_text(catalogue, "board_danger", NULL, &labels->danger);
    for (unsigned i = 0; i < BOARD_POWERS; i++) {
        const char *key = catalogue_power_key((enum power)i, 0);
        if (key != NULL) {
            catalogue_text(catalogue, key, NULL, &labels->powers[i]);
        }
    }
    for (unsigned i = 0; i < SEAT_MARKS; i++) {
        if (mark_keys[i] != NULL) {
            catalogue_text(catalogue, mark_keys[i], NULL, &labels->marks[i]);
        }
    }
}

/* ---- in words ------------------------------------------------------------ */

/* The powers of the track, each with the number of its policy. */
static void
add_powers(const struct catalogue *catalogue, unsigned players, struct buf *out)
{
    for (unsigned nth = 1; nth < FASCIST_WIN; nth++) {
        enum power power = game_track_power(players, nth);
        struct buf word = BUF_INIT;
        struct params params = {.count = 0};
        if (power == POWER_NONE) {
            continue;
        }
        catalogue_text(catalogue, catalogue_power_key(power, nth), NULL, &word);
        params_number(&params, "number", nth);
        params_text(&params, "power", buf_text(&word));
        if (out->len > 0) {
            catalogue_text(catalogue, "list_separator", NULL, out);
        }
        catalogue_text(catalogue, "board_power", &params, out);
        buf_release(&word);
    }
}

static void
add_seats(const struct catalogue *catalogue, const struct public_board *board,
          struct buf *out)
{
    for (unsigned seat = 0; seat < board->players; seat++) {
        const struct public_seat *sitting = &board->seats[seat];
        struct buf mark = BUF_INIT;
        struct params params = {.count = 0};
        if (mark_keys[sitting->mark] != NULL) {
            catalogue_text(catalogue, mark_keys[sitting->mark], NULL, &mark);
        }
        params_number(&params, "number", seat + 1);
        params_text(&params, "name", sitting->name);
        params_text(&params, "marks", buf_text(&mark));
        if (seat > 0) {
            catalogue_text(catalogue, "list_separator", NULL, out);
        }
        catalogue_text(catalogue, "status_seat", &params, out);
        buf_release(&mark);
    }
}

void
board_alt(const struct catalogue *catalogue, const struct public_board *board,
          struct buf *out)
{
    struct board_labels labels;
    struct buf powers = BUF_INIT;
    struct buf seats = BUF_INIT;
    struct params params = {.count = 0};
    board_words(catalogue, board, &labels);
    add_powers(catalogue, board->players, &powers);
    add_seats(catalogue, board, &seats);
    params_text(&params, "title", buf_text(&labels.title));
    params_text(&params, "liberal", buf_text(&labels.liberal));
    params_text(&params, "fascist", buf_text(&labels.fascist));
    params_text(&params, "powers", buf_text(&powers));
    params_text(&params, "tracker", buf_text(&labels.tracker));
    params_text(&params, "tiles", buf_text(&labels.tiles));
    params_text(&params, "seats", buf_text(&seats));
    catalogue_text(catalogue, "board_alt", &params, out);
    buf_add_char(out, ' ');
    params_number(&params, "danger", FASCIST_DANGER);
    catalogue_text(catalogue, "board_alt_danger", &params, out);
    board_labels_release(&labels);
    buf_release(&powers);
    buf_release(&seats);
}
