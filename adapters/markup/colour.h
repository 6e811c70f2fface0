/*
 * Which colours are red: what people type and palettes write, for every
 * dialect (READING.md R13).
 */
#ifndef ADAPTERS_MARKUP_COLOUR_H
#define ADAPTERS_MARKUP_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

enum colour {
    COLOUR_NONE,    /* not a colour */
    COLOUR_OUTSIDE, /* as outside: inherit, currentcolor */
    COLOUR_RED,
    COLOUR_OTHER, /* another one, or one that cannot be seen */
};

/*
 * Read a colour: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla(),
 * or a CSS name, in any case, blanks around it allowed.  `bare`: three or six
 * hexadecimal digits without # are one too (BBCode).
 *
 * Red is a hue within 15 degrees of 0 with a saturation of 50 % at least and a
 * lightness of 25 to 65 %: pure red, darker and duller reds, not orange, pink
 * or magenta.  A name that is not one of CSS's red ones is another colour.
 */
enum colour colour_read(const char *text, size_t len, bool bare);

#endif
