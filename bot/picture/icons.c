#include "bot/picture/icons.h"

static const double whole_turn = 6.28318530717958647692;

static void
stroke(struct canvas *canvas, double reach)
{
    cairo_set_line_width(canvas->cairo, reach * 0.2);
    cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(canvas->cairo);
}

static void
line(struct canvas *canvas, double x, double y, double to_x, double to_y)
{
    cairo_move_to(canvas->cairo, x, y);
    cairo_line_to(canvas->cairo, to_x, to_y);
}

static void
glass(struct canvas *canvas, double x, double y, double reach)
{
    double middle = reach * 0.22;
    cairo_new_sub_path(canvas->cairo);
    cairo_arc(canvas->cairo, x - middle, y - middle, reach * 0.6, 0,
              whole_turn);
    line(canvas, x + reach * 0.22, y + reach * 0.22, x + reach * 0.85,
         y + reach * 0.85);
    stroke(canvas, reach);
}

/* A placard on its stick, and an arrow to whom it goes. */
static void
placard(struct canvas *canvas, double x, double y, double reach)
{
    canvas_box(canvas, x - reach * 0.9, y - reach * 0.85, reach * 1.0,
               reach * 0.85, reach * 0.12);
    line(canvas, x - reach * 0.4, y, x - reach * 0.4, y + reach * 0.9);
    line(canvas, x - reach * 0.02, y + reach * 0.5, x + reach * 0.85,
         y + reach * 0.5);
    cairo_move_to(canvas->cairo, x + reach * 0.5, y + reach * 0.15);
    cairo_line_to(canvas->cairo, x + reach * 0.85, y + reach * 0.5);
    cairo_line_to(canvas->cairo, x + reach * 0.5, y + reach * 0.85);
    stroke(canvas, reach);
}

static void
eye(struct canvas *canvas, double x, double y, double reach)
{
    cairo_t *cairo = canvas->cairo;
    cairo_move_to(cairo, x - reach, y);
    cairo_curve_to(cairo, x - reach * 0.5, y - reach * 0.85, x + reach * 0.5,
                   y - reach * 0.85, x + reach, y);
    cairo_curve_to(cairo, x + reach * 0.5, y + reach * 0.85, x - reach * 0.5,
                   y + reach * 0.85, x - reach, y);
    cairo_close_path(cairo);
    stroke(canvas, reach);
    cairo_arc(cairo, x, y, reach * 0.3, 0, whole_turn);
    cairo_fill(cairo);
}

static void
target(struct canvas *canvas, double x, double y, double reach)
{
    cairo_new_sub_path(canvas->cairo);
    cairo_arc(canvas->cairo, x, y, reach * 0.62, 0, whole_turn);
    line(canvas, x, y - reach, x, y - reach * 0.35);
    line(canvas, x, y + reach * 0.35, x, y + reach);
    line(canvas, x - reach, y, x - reach * 0.35, y);
    line(canvas, x + reach * 0.35, y, x + reach, y);
    stroke(canvas, reach);
}

void
icon_power(struct canvas *canvas, enum power power, double x, double y,
           double reach)
{
    switch (power) {
    case POWER_NONE:
        break;
    case POWER_INVESTIGATE:
        glass(canvas, x, y, reach);
        break;
    case POWER_SPECIAL_ELECTION:
        placard(canvas, x, y, reach);
        break;
    case POWER_PEEK:
        eye(canvas, x, y, reach);
        break;
    case POWER_EXECUTION:
        target(canvas, x, y, reach);
        break;
    }
}

void
icon_veto(struct canvas *canvas, double x, double y, double reach)
{
    canvas_box(canvas, x - reach * 0.6, y - reach * 0.85, reach * 1.2,
               reach * 1.7, reach * 0.12);
    line(canvas, x - reach * 0.95, y + reach * 0.6, x + reach * 0.95,
         y - reach * 0.6);
    stroke(canvas, reach);
}

void
icon_chaos(struct canvas *canvas, double x, double y, double reach)
{
    cairo_t *cairo = canvas->cairo;
    cairo_move_to(cairo, x + reach * 0.3, y - reach);
    cairo_line_to(cairo, x - reach * 0.55, y + reach * 0.15);
    cairo_line_to(cairo, x + reach * 0.05, y + reach * 0.15);
    cairo_line_to(cairo, x - reach * 0.3, y + reach);
    cairo_line_to(cairo, x + reach * 0.55, y - reach * 0.15);
    cairo_line_to(cairo, x - reach * 0.05, y - reach * 0.15);
    cairo_close_path(cairo);
    cairo_fill(cairo);
}
