/*
 * A canvas: a surface of pixels with text that never leaves its box.
 *
 * Text is set with cairo's own calls in DejaVu Sans, read from where Debian's
 * fonts-dejavu-core has it: letters of Latin, Greek and Cyrillic with all
 * accents.  No other font of the machine is looked for.
 * Nothing is shaped or reordered, so that no text of a stranger reaches a
 * shaping engine, and one picture is the same on all machines.  Letters that
 * the font does not have (emoji), or that would have to be joined or set from
 * the right, are left out; whoever draws a name puts something beside it that
 * is always there.
 *
 * Lengths are pixels.
 */
#ifndef BOT_PICTURE_CANVAS_H
#define BOT_PICTURE_CANVAS_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

struct FT_LibraryRec_; /* FreeType's */

struct canvas {
    cairo_t *cairo;
    unsigned width, height;
    struct FT_LibraryRec_ *library;
    cairo_font_face_t *plain, *bold;
};

/* Begin with one colour (0xRRGGBB) all over; release it either way.  One at a
 * time.  ERR_CONFIG: the font is not there. */
enum err canvas_init(struct canvas *canvas, unsigned width, unsigned height,
                     uint32_t colour, struct buf *why) MUST_USE;
void canvas_release(struct canvas *canvas);

/* Draw with this colour (0xRRGGBB) from now on. */
void canvas_colour(struct canvas *canvas, uint32_t colour);

/* The path of a box with round corners, to be filled or stroked. */
void canvas_box(struct canvas *canvas, double x, double y, double width,
                double height, double radius);

/* The path of a star, and of a triangle, as far from a middle as that. */
void canvas_star(struct canvas *canvas, double x, double y, double reach);
void canvas_triangle(struct canvas *canvas, double x, double y, double reach);

/* How a line of text stands. */
struct lettering {
    double size;     /* of the font, where there is room */
    double smallest; /* it shrinks down to that, and is cut after it */
    bool bold;
    enum {
        STAND_LEFT,
        STAND_MIDDLE,
        STAND_RIGHT
    } stand;
};

/* Draw a line of text on the base line `y`, in the `width` from `x` on: it
 * shrinks, and then ends in "…".  Was all of it drawn?  *used (or NULL): the
 * width that it took. */
bool canvas_text(struct canvas *canvas, const char *text, double x, double y,
                 double width, struct lettering lettering, double *used);

/* Append the picture as a PNG file; ERR_FULL where there is no memory. */
enum err canvas_png(struct canvas *canvas, struct buf *png,
                    struct buf *why) MUST_USE;

#endif
