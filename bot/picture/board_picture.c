#include "bot/picture/board_picture.h"

#include <assert.h>
#include <stdio.h>

#include "bot/picture/canvas.h"
#include "bot/picture/icons.h"

/* Each is one of the 4096 that a picture can have.  Contrast on the ground is
 * at least 4 of edges, 7 of all else; of dark on a tile, 8. */
enum colour {
    GROUND = 0x112233,
    PANEL = 0x223344,
    EDGE = 0x778899,
    SCREEN = 0xFFEEDD,
    FAINT = 0xBBCCDD,
    CROSS = 0xFF9966,
    DARK = 0x111122,
};

static const unsigned tile_colours[TILE_COLOURS] = {
    [TILE_BLUE] = 0x77BBFF,   [TILE_RED] = 0xFF9966,
    [TILE_GREEN] = 0x66DD88,  [TILE_ORANGE] = 0xFFAA33,
    [TILE_YELLOW] = 0xFFDD55, [TILE_PURPLE] = 0xCC99FF,
    [TILE_BROWN] = 0xDDAA77,
};

/* Where things are: pixels. */
enum {
    MARGIN = 28,
    INNER = BOARD_PICTURE_WIDTH - 2 * MARGIN,
    GAP = 10,
    TITLE_HEIGHT = 72,
    LABEL_HEIGHT = 46,
    LIBERAL_HEIGHT = 96,
    FASCIST_HEIGHT = 132,
    POWER_HEIGHT = 42, /* the foot of a fascist space */
    LEGEND_HEIGHT = 40,
    TRACKER_HEIGHT = 66,
    SEAT_HEIGHT = 70,
    BLOCK_GAP = 14,
};

struct drawing {
    struct canvas canvas;
    const struct public_board *board;
    const struct board_labels *labels;
    bool cut;
};

void
board_labels_release(struct board_labels *labels)
{
    buf_release(&labels->title);
    buf_release(&labels->liberal);
    buf_release(&labels->fascist);
    buf_release(&labels->tracker);
    buf_release(&labels->tiles);
    buf_release(&labels->letter_liberal);
    buf_release(&labels->letter_fascist);
    for (unsigned i = 0; i < BOARD_POWERS; i++) {
        buf_release(&labels->powers[i]);
    }
    buf_release(&labels->veto);
    buf_release(&labels->wins);
    buf_release(&labels->chaos);
    buf_release(&labels->danger);
    for (unsigned i = 0; i < SEAT_MARKS; i++) {
        buf_release(&labels->marks[i]);
    }
}

void
board_picture_release(struct board_picture *picture)
{
    buf_release(&picture->png);
}

/* Draw words that should be there whole; a player's name may be cut. */
static double
say(struct drawing *drawing, const struct buf *words, double x, double y,
    double width, struct lettering lettering)
{
    double used = 0;
    if (!canvas_text(&drawing->canvas, buf_text(words), x, y, width, lettering,
                     &used)) {
        drawing->cut = true;
    }
    return used;
}

static void
say_number(struct drawing *drawing, unsigned number, double x, double y,
           double width, struct lettering lettering)
{
    char digits[12];
    (void)snprintf(digits, sizeof digits, "%u", number);
    (void)canvas_text(&drawing->canvas, digits, x, y, width, lettering, NULL);
}

/* ---- tracks -------------------------------------------------------------- */

/* From here on draw in the colour of a policy. */
static void
choose_colour(struct drawing *drawing, bool liberal)
{
    enum tile_colour colour = liberal ? drawing->labels->colour_liberal
                                      : drawing->labels->colour_fascist;
    if (colour == TILE_OWN) {
        colour = liberal ? TILE_BLUE : TILE_RED;
    }
    canvas_colour(&drawing->canvas, tile_colours[colour]);
}

/* A policy on the board: its shape and its letter. */
static void
draw_tile(struct drawing *drawing, bool liberal, double x, double y,
          double width, double height)
{
    struct canvas *canvas = &drawing->canvas;
    const struct lettering message = {30, 16, true, STAND_MIDDLE};
    double middle = x + width / 2;
    double half = y + height / 2;
    choose_colour(drawing, liberal);
    canvas_box(canvas, x, y, width, height, 10);
    cairo_fill(canvas->cairo);
    canvas_colour(canvas, DARK);
    if (liberal) {
        cairo_arc(canvas->cairo, middle, half, 33, 0, 6.2832);
    } else {
        canvas_triangle(canvas, middle, half + 9, 46);
    }
    cairo_fill(canvas->cairo);
    canvas_colour(canvas, SCREEN);
    say(drawing,
        liberal ? &drawing->labels->letter_liberal
                : &drawing->labels->letter_fascist,
        middle - 22, half + (liberal ? 11 : 20), 44, message);
}

/* An empty space: its outline and its number, or who wins with it. */
static void
draw_space(struct drawing *drawing, unsigned number, bool wins, double x,
           double y, double width, double height)
{
    struct canvas *canvas = &drawing->canvas;
    const struct lettering digit = {28, 20, false, STAND_MIDDLE};
    const double dashes[] = {7, 6};
    canvas_colour(canvas, PANEL);
    canvas_box(canvas, x + 1.5, y + 1.5, width - 3, height - 3, 10);
    cairo_fill_preserve(canvas->cairo);
    canvas_colour(canvas, EDGE);
    cairo_set_line_width(canvas->cairo, 2);
    cairo_set_dash(canvas->cairo, dashes, 2, 0);
    cairo_stroke(canvas->cairo);
    cairo_set_dash(canvas->cairo, NULL, 0, 0);
    canvas_colour(canvas, FAINT);
    if (wins) {
        canvas_star(canvas, x + width / 2, y + height / 2 + 2, 26);
        cairo_fill(canvas->cairo);
    } else {
        say_number(drawing, number, x, y + height / 2 + 10, width, digit);
    }
}

/* The mark on the fascist track: from there on, electing Hitler ends the game.
 */
static void
draw_danger(struct drawing *drawing, double x, double y, double height)
{
    cairo_t *cairo = drawing->canvas.cairo;
    canvas_colour(&drawing->canvas, SCREEN);
    cairo_new_path(cairo);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x, y + height);
    cairo_set_line_width(cairo, 5);
    cairo_stroke(cairo);
}

/* What the nth fascist policy brings, in the foot of its space. */
static void
draw_power(struct drawing *drawing, unsigned nth, double x, double y,
           double width)
{
    struct canvas *canvas = &drawing->canvas;
    enum power power = nth < FASCIST_WIN
                           ? game_track_power(drawing->board->players, nth)
                           : POWER_NONE;
    double middle = x + width / 2;
    double half = y + POWER_HEIGHT / 2.0;
    canvas_colour(canvas, SCREEN);
    if (nth == FASCIST_VETO) {
        icon_power(canvas, power, middle - 24, half, 15);
        icon_veto(canvas, middle + 24, half, 15);
    } else {
        icon_power(canvas, power, middle, half, 15);
    }
}

static double
draw_liberal(struct drawing *drawing, double y)
{
    const struct lettering label = {27, 20, true, STAND_LEFT};
    const double width = (INNER - (LIBERAL_WIN - 1.0) * GAP) / LIBERAL_WIN;
    choose_colour(drawing, true);
    say(drawing, &drawing->labels->liberal, MARGIN, y + 32, INNER, label);
    y += LABEL_HEIGHT;
    for (unsigned i = 0; i < LIBERAL_WIN; i++) {
        double x = MARGIN + i * (width + GAP);
        if (i < drawing->board->liberal) {
            draw_tile(drawing, true, x, y, width, LIBERAL_HEIGHT);
        } else {
            draw_space(drawing, i + 1, i + 1 == LIBERAL_WIN, x, y, width,
                       LIBERAL_HEIGHT);
        }
    }
    return y + LIBERAL_HEIGHT + BLOCK_GAP;
}

static double
draw_fascist(struct drawing *drawing, double y)
{
    const struct lettering label = {27, 20, true, STAND_LEFT};
    const double width = (INNER - (FASCIST_WIN - 1.0) * GAP) / FASCIST_WIN;
    const double height = FASCIST_HEIGHT - POWER_HEIGHT;
    choose_colour(drawing, false);
    say(drawing, &drawing->labels->fascist, MARGIN, y + 32, INNER, label);
    y += LABEL_HEIGHT;
    for (unsigned i = 0; i < FASCIST_WIN; i++) {
        double x = MARGIN + i * (width + GAP);
        if (i < drawing->board->fascist) {
            draw_tile(drawing, false, x, y, width, height);
        } else {
            draw_space(drawing, i + 1, i + 1 == FASCIST_WIN, x, y, width,
                       height);
        }
        draw_power(drawing, i + 1, x, y + height, width);
    }
    draw_danger(drawing, MARGIN + FASCIST_DANGER * (width + GAP) - GAP / 2.0, y,
                height);
    return y + FASCIST_HEIGHT;
}

/* ---- what the signs mean ------------------------------------------------- */

/* A sign of the legend. */
struct sign {
    enum {
        SIGN_POWER,
        SIGN_VETO,
        SIGN_WIN,
        SIGN_CHAOS
    } kind;
    enum power power;
};

enum {
    SIGNS_MAX = FASCIST_WIN + 3
};

/* The signs that stand two in a row: the powers of a track, each once, in
 * order; then those that all tracks have. */
static unsigned
list_signs(unsigned players, struct sign signs[SIGNS_MAX])
{
    unsigned count = 0;
    for (unsigned nth = 1; nth < FASCIST_WIN; nth++) {
        enum power power = game_track_power(players, nth);
        if (power != POWER_NONE &&
            (count == 0 || signs[count - 1].power != power)) {
            signs[count++] = (struct sign){SIGN_POWER, power};
        }
    }
    signs[count++] = (struct sign){SIGN_VETO, POWER_NONE};
    signs[count++] = (struct sign){SIGN_WIN, POWER_NONE};
    signs[count++] = (struct sign){SIGN_CHAOS, POWER_NONE};
    return count;
}

/* The legend's rows: two signs in each, and the mark in the last. */
static unsigned
legend_rows(unsigned players)
{
    struct sign signs[SIGNS_MAX];
    return (list_signs(players, signs) + 1) / 2 + 1;
}

/* Draw a sign; what it means. */
static const struct buf *
draw_sign(struct drawing *drawing, const struct sign *sign, double x, double y)
{
    const double reach = 13;
    struct canvas *canvas = &drawing->canvas;
    const struct board_labels *labels = drawing->labels;
    canvas_colour(canvas, SCREEN);
    switch (sign->kind) {
    case SIGN_POWER:
        icon_power(canvas, sign->power, x, y, reach);
        return &labels->powers[sign->power];
    case SIGN_VETO:
        icon_veto(canvas, x, y, reach);
        return &labels->veto;
    case SIGN_WIN:
        canvas_star(canvas, x, y + 1, reach);
        cairo_fill(canvas->cairo);
        return &labels->wins;
    case SIGN_CHAOS:
        break;
    }
    icon_chaos(canvas, x, y, reach);
    return &labels->chaos;
}

static double
draw_legend(struct drawing *drawing, double y)
{
    const struct lettering small = {24, 20, false, STAND_LEFT};
    struct canvas *canvas = &drawing->canvas;
    struct sign signs[SIGNS_MAX];
    unsigned count = list_signs(drawing->board->players, signs);
    double half = INNER / 2.0;
    for (unsigned i = 0; i < count; i++) {
        unsigned row = i / 2;
        double x = MARGIN + (i % 2) * half;
        double top = y + LEGEND_HEIGHT * (double)row;
        const struct buf *words =
            draw_sign(drawing, &signs[i], x + 16, top + 20);
        canvas_colour(canvas, FAINT);
        say(drawing, words, x + 42, top + 28, half - 50, small);
    }
    unsigned rows = legend_rows(drawing->board->players);
    double last = y + LEGEND_HEIGHT * (double)(rows - 1);
    draw_danger(drawing, MARGIN + 16, last + 5, 30);
    canvas_colour(canvas, FAINT);
    say(drawing, &drawing->labels->danger, MARGIN + 42, last + 28, INNER - 42,
        small);
    return y + LEGEND_HEIGHT * (double)rows + BLOCK_GAP;
}

/* ---- tracker and tiles --------------------------------------------------- */

static double
draw_tracker(struct drawing *drawing, double y)
{
    struct canvas *canvas = &drawing->canvas;
    const struct lettering left = {24, 20, false, STAND_LEFT};
    const struct lettering right = {24, 20, false, STAND_RIGHT};
    double x = MARGIN + 18;
    double half = y + TRACKER_HEIGHT / 2.0;
    canvas_colour(canvas, PANEL);
    canvas_box(canvas, 0, y, BOARD_PICTURE_WIDTH, TRACKER_HEIGHT, 0.01);
    cairo_fill(canvas->cairo);
    for (unsigned i = 1; i <= TRACKER_CHAOS; i++) {
        bool reached = i <= drawing->board->tracker;
        canvas_colour(canvas, reached ? SCREEN : EDGE);
        cairo_new_path(canvas->cairo);
        cairo_arc(canvas->cairo, x, half, 15, 0, 6.2832);
        cairo_set_line_width(canvas->cairo, 3);
        if (reached) {
            cairo_fill_preserve(canvas->cairo);
        }
        cairo_stroke(canvas->cairo);
        if (i == TRACKER_CHAOS) {
            canvas_colour(canvas, reached ? DARK : FAINT);
            icon_chaos(canvas, x, half, 11);
        }
        x += 42;
    }
    x -= 12;
    canvas_colour(canvas, SCREEN);
    double room = (BOARD_PICTURE_WIDTH - MARGIN - x - GAP) / 2;
    double used =
        say(drawing, &drawing->labels->tracker, x, half + 9, room, left);
    x += used + 2 * GAP;
    canvas_colour(canvas, FAINT);
    say(drawing, &drawing->labels->tiles, x, half + 9,
        BOARD_PICTURE_WIDTH - MARGIN - x, right);
    return y + TRACKER_HEIGHT + BLOCK_GAP;
}

/* ---- seats --------------------------------------------------------------- */

static bool
holds_office(enum seat_mark mark)
{
    return mark == SEAT_CANDIDATE || mark == SEAT_NOMINEE ||
           mark == SEAT_PRESIDENT || mark == SEAT_CHANCELLOR;
}

/* The number in its ring: filled for an office, crossed for the executed,
 * dashed for a vacant seat. */
static void
draw_ring(struct drawing *drawing, unsigned seat, double x, double y)
{
    struct canvas *canvas = &drawing->canvas;
    const struct lettering digits = {24, 18, true, STAND_MIDDLE};
    const double dashes[] = {6, 5};
    enum seat_mark mark = drawing->board->seats[seat].mark;
    bool gone = mark == SEAT_EXECUTED || mark == SEAT_VACANT;
    cairo_t *cairo = canvas->cairo;
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, 22, 0, 6.2832);
    canvas_colour(canvas, gone ? EDGE : SCREEN);
    cairo_set_line_width(cairo, 2.5);
    if (holds_office(mark)) {
        cairo_fill_preserve(cairo);
    }
    cairo_set_dash(cairo, dashes, mark == SEAT_VACANT ? 2 : 0, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
    if (mark == SEAT_EXECUTED) {
        canvas_colour(canvas, CROSS);
        cairo_set_line_width(cairo, 4);
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
        cairo_move_to(cairo, x - 17, y + 17);
        cairo_line_to(cairo, x + 17, y - 17);
        cairo_stroke(cairo);
    }
    canvas_colour(canvas, holds_office(mark) ? DARK : SCREEN);
    say_number(drawing, seat + 1, x - 20, y + 9, 40, digits);
}

static void
draw_seat(struct drawing *drawing, unsigned seat, double x, double y,
          double width)
{
    struct canvas *canvas = &drawing->canvas;
    const struct public_seat *sitting = &drawing->board->seats[seat];
    const struct lettering name = {26, 20, holds_office(sitting->mark),
                                   STAND_LEFT};
    const struct lettering small = {21, 20, false, STAND_LEFT};
    bool plain = sitting->mark == SEAT_PLAIN;
    double used = 0;
    draw_ring(drawing, seat, x + 24, y + SEAT_HEIGHT / 2.0);
    x += 58;
    width -= 58;
    bool gone = sitting->mark == SEAT_EXECUTED || sitting->mark == SEAT_VACANT;
    canvas_colour(canvas, gone ? FAINT : SCREEN);
    double base = y + (plain ? 44 : 31);
    (void)canvas_text(canvas, sitting->name, x, base, width, name, &used);
    if (sitting->mark == SEAT_EXECUTED && used > 0) {
        cairo_set_line_width(canvas->cairo, 2);
        cairo_move_to(canvas->cairo, x, base - 8);
        cairo_line_to(canvas->cairo, x + used, base - 8);
        cairo_stroke(canvas->cairo);
    }
    if (!plain) {
        canvas_colour(canvas, FAINT);
        say(drawing, &drawing->labels->marks[sitting->mark], x, y + 58, width,
            small);
    }
}

static unsigned
seat_rows(const struct public_board *board)
{
    return (board->players + 1) / 2;
}

/* Down the first column, then down the second. */
static void
draw_seats(struct drawing *drawing, double y)
{
    unsigned rows = seat_rows(drawing->board);
    double half = INNER / 2.0;
    for (unsigned seat = 0; seat < drawing->board->players; seat++) {
        unsigned column = seat / rows;
        draw_seat(drawing, seat, MARGIN + column * half,
                  y + (seat % rows) * (double)SEAT_HEIGHT, half - 2 * GAP);
    }
}

/* ---- the whole ----------------------------------------------------------- */

static unsigned
height_of(const struct public_board *board)
{
    unsigned legend = legend_rows(board->players);
    return TITLE_HEIGHT + LABEL_HEIGHT + LIBERAL_HEIGHT + BLOCK_GAP +
           LABEL_HEIGHT + FASCIST_HEIGHT + legend * LEGEND_HEIGHT + BLOCK_GAP +
           TRACKER_HEIGHT + BLOCK_GAP + seat_rows(board) * SEAT_HEIGHT +
           BLOCK_GAP;
}

/* A border, so that the picture's edge shows on a page of the same colour,
 * too. */
static void
draw_edge(struct drawing *drawing)
{
    struct canvas *canvas = &drawing->canvas;
    canvas_colour(canvas, EDGE);
    cairo_set_line_width(canvas->cairo, 4);
    cairo_rectangle(canvas->cairo, 0, 0, canvas->width, canvas->height);
    cairo_stroke(canvas->cairo);
}

enum err
board_picture_draw(const struct public_board *board,
                   const struct board_labels *labels,
                   struct board_picture *picture, struct buf *why)
{
    const struct lettering title = {34, 22, true, STAND_LEFT};
    struct drawing drawing = {.board = board, .labels = labels};
    assert(board->players >= PLAYERS_MIN && board->players <= PLAYERS_MAX);
    *picture = (struct board_picture){.width = BOARD_PICTURE_WIDTH,
                                      .height = height_of(board)};
    enum err err = canvas_init(&drawing.canvas, picture->width, picture->height,
                               GROUND, why);
    if (err != ERR_NONE) {
        canvas_release(&drawing.canvas);
        return err;
    }
    canvas_colour(&drawing.canvas, SCREEN);
    say(&drawing, &labels->title, MARGIN, 50, INNER, title);
    double y = draw_liberal(&drawing, TITLE_HEIGHT);
    y = draw_fascist(&drawing, y);
    y = draw_legend(&drawing, y);
    y = draw_tracker(&drawing, y);
    draw_seats(&drawing, y);
    draw_edge(&drawing);
    picture->cut = drawing.cut;
    err = canvas_png(&drawing.canvas, &picture->png, why);
    canvas_release(&drawing.canvas);
    return err;
}
