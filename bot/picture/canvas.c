#include "bot/picture/canvas.h"

#include <cairo-ft.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define FONTS "/usr/share/fonts/truetype/dejavu/"

enum {
    TEXT_MAX = 512, /* bytes of a line of text that are looked at */
    SHADES = 16,
    PALETTE_MAX = 256,
};

static const double pi = 3.14159265358979323846;

/* ---- beginning, ending --------------------------------------------------- */

static void
close_font(void *face)
{
    (void)FT_Done_Face(face);
}

/* NULL: it is not there. */
static cairo_font_face_t *
open_font(struct canvas *canvas, const char *file)
{
    static const cairo_user_data_key_t key;
    FT_Face face = NULL;
    if (FT_New_Face(canvas->library, file, 0, &face) != 0) {
        return NULL;
    }
    cairo_font_face_t *font =
        cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(font, &key, face, close_font) !=
        CAIRO_STATUS_SUCCESS) {
        die("no memory for a font");
    }
    return font;
}

static enum err
open_fonts(struct canvas *canvas, struct buf *why)
{
    if (FT_Init_FreeType(&canvas->library) != 0) {
        return err_say(why, ERR_FULL, "no memory for fonts");
    }
    canvas->plain = open_font(canvas, FONTS "DejaVuSans.ttf");
    canvas->bold = open_font(canvas, FONTS "DejaVuSans-Bold.ttf");
    return canvas->plain != NULL && canvas->bold != NULL
               ? ERR_NONE
               : err_say(why, ERR_CONFIG,
                         "the font of pictures is not in %s: install the "
                         "package fonts-dejavu-core",
                         FONTS);
}

enum err
canvas_init(struct canvas *canvas, unsigned width, unsigned height,
            uint32_t colour, struct buf *why)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_font_options_t *options = cairo_font_options_create();
    *canvas = (struct canvas){
        .cairo = cairo_create(surface), .width = width, .height = height};
    cairo_surface_destroy(surface);
    /* Draw the shapes as they are, not adjusted to the screen of this
     * machine. */
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(canvas->cairo, options);
    cairo_font_options_destroy(options);
    canvas_colour(canvas, colour);
    cairo_paint(canvas->cairo);
    return open_fonts(canvas, why);
}

void
canvas_release(struct canvas *canvas)
{
    cairo_destroy(canvas->cairo);
    if (canvas->plain != NULL) {
        cairo_font_face_destroy(canvas->plain);
    }
    if (canvas->bold != NULL) {
        cairo_font_face_destroy(canvas->bold);
    }
    /* Cairo keeps fonts that were used, and they need the library. */
    cairo_debug_reset_static_data();
    if (canvas->library != NULL) {
        (void)FT_Done_FreeType(canvas->library);
    }
    *canvas = (struct canvas){.cairo = NULL};
}

void
canvas_colour(struct canvas *canvas, uint32_t colour)
{
    cairo_set_source_rgb(canvas->cairo, (colour >> 16 & 255) / 255.0,
                         (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
}

/* ---- paths --------------------------------------------------------------- */

void
canvas_box(struct canvas *canvas, double x, double y, double width,
           double height, double radius)
{
    cairo_t *cairo = canvas->cairo;
    double right = x + width - radius;
    double bottom = y + height - radius;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, right, y + radius, radius, -pi / 2, 0);
    cairo_arc(cairo, right, bottom, radius, 0, pi / 2);
    cairo_arc(cairo, x + radius, bottom, radius, pi / 2, pi);
    cairo_arc(cairo, x + radius, y + radius, radius, pi, pi * 3 / 2);
    cairo_close_path(cairo);
}

/* Points about a middle, each at its distance, the first on top. */
static void
add_points(struct canvas *canvas, double x, double y, int count,
           const double reach[2])
{
    cairo_t *cairo = canvas->cairo;
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    cairo_new_sub_path(cairo);
    for (int i = 0; i < count; i++) {
        cairo_line_to(cairo, 0, -reach[i % 2]);
        cairo_rotate(cairo, 2 * pi / count);
    }
    cairo_close_path(cairo);
    cairo_restore(cairo);
}

void
canvas_star(struct canvas *canvas, double x, double y, double reach)
{
    add_points(canvas, x, y, 10, (const double[]){reach, reach * 0.45});
}

void
canvas_triangle(struct canvas *canvas, double x, double y, double reach)
{
    add_points(canvas, x, y, 3, (const double[]){reach, reach});
}

/* ---- text ---------------------------------------------------------------- */

/* Does the font have this letter? */
static bool
has_glyph(cairo_scaled_font_t *font, const char *text, int len)
{
    cairo_glyph_t *glyphs = NULL;
    int count = 0;
    cairo_status_t status = cairo_scaled_font_text_to_glyphs(
        font, 0, 0, text, len, &glyphs, &count, NULL, NULL, NULL);
    bool has =
        status == CAIRO_STATUS_SUCCESS && count == 1 && glyphs[0].index != 0;
    if (status == CAIRO_STATUS_SUCCESS) {
        cairo_glyph_free(glyphs);
    }
    return has;
}

/* Can a letter stand by itself, left of the next?  No mark that no letter has
 * taken up, no control, no end of a line, nothing that is set from the right.
 */
static bool
stands_alone(utf8proc_int32_t letter)
{
    const utf8proc_property_t *property = utf8proc_get_property(letter);
    return strchr("MCZ", utf8proc_category_string(letter)[0]) == NULL &&
           property->bidi_class != UTF8PROC_BIDI_CLASS_R &&
           property->bidi_class != UTF8PROC_BIDI_CLASS_AL;
}

/* Append what of a text can be drawn, with accents on their letters and no
 * blanks but single ones between words. */
static void
add_drawable(cairo_scaled_font_t *font, const char *text, struct buf *out)
{
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)text,
                     (utf8proc_ssize_t)strnlen(text, TEXT_MAX), &composed,
                     UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    bool gap = false;
    for (utf8proc_ssize_t at = 0; at < len;) {
        utf8proc_int32_t letter = 0;
        utf8proc_ssize_t step =
            utf8proc_iterate(composed + at, len - at, &letter);
        if (step <= 0) {
            break;
        }
        const char *bytes = (const char *)composed + at;
        at += step;
        if (utf8proc_category(letter) == UTF8PROC_CATEGORY_ZS) {
            gap = out->len > 0;
        } else if (stands_alone(letter) && has_glyph(font, bytes, (int)step)) {
            if (gap) {
                buf_add_char(out, ' ');
            }
            gap = false;
            buf_add(out, bytes, (size_t)step);
        }
    }
    free(composed);
}

static double
width_of(struct canvas *canvas, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(canvas->cairo, text, &extents);
    /* The width: to where the next letter would be or to the end of the ink,
     * whichever is greater. */
    double ink = extents.x_bearing + extents.width;
    return ink > extents.x_advance ? ink : extents.x_advance;
}

/* Take the last letter away, and a blank before it. */
static void
drop_letter(struct buf *text)
{
    const char *bytes = buf_text(text);
    size_t len = text->len;
    do {
        len--;
    } while (len > 0 && ((unsigned char)bytes[len] & 0xC0) == 0x80);
    while (len > 0 && bytes[len - 1] == ' ') {
        len--;
    }
    buf_truncate(text, len);
}

/* Make it fit by cutting; the font is as small as it may be. */
static double
cut_text(struct canvas *canvas, struct buf *text, double width)
{
    struct buf whole = BUF_INIT;
    double needs = 0;
    do {
        drop_letter(text);
        buf_clear(&whole);
        buf_add_buf(&whole, text);
        buf_add_text(&whole, "…");
        needs = width_of(canvas, buf_text(&whole));
    } while (text->len > 0 && needs > width);
    buf_clear(text);
    buf_add_buf(text, &whole);
    buf_release(&whole);
    return needs;
}

bool
canvas_text(struct canvas *canvas, const char *text, double x, double y,
            double width, struct lettering lettering, double *used)
{
    struct buf drawn = BUF_INIT;
    bool whole = true;
    cairo_set_font_face(canvas->cairo,
                        lettering.bold ? canvas->bold : canvas->plain);
    cairo_set_font_size(canvas->cairo, lettering.size);
    add_drawable(cairo_get_scaled_font(canvas->cairo), text, &drawn);
    double needs = width_of(canvas, buf_text(&drawn));
    if (needs > width) {
        double size = lettering.size * width / needs;
        cairo_set_font_size(canvas->cairo, size > lettering.smallest
                                               ? size
                                               : lettering.smallest);
        needs = width_of(canvas, buf_text(&drawn));
        /* A hundredth: what the sizes of letters are rounded by. */
        if (needs > width * 1.01) {
            needs = cut_text(canvas, &drawn, width);
            whole = false;
        }
    }
    if (lettering.stand == STAND_MIDDLE) {
        x += (width - needs) / 2;
    } else if (lettering.stand == STAND_RIGHT) {
        x += width - needs;
    }
    cairo_move_to(canvas->cairo, x, y);
    cairo_show_text(canvas->cairo, buf_text(&drawn));
    cairo_new_path(canvas->cairo);
    buf_release(&drawn);
    if (used != NULL) {
        *used = needs;
    }
    return whole;
}

/* ---- the file ------------------------------------------------------------ */

/* Sixteen shades of red, green and blue are all that is kept of a colour: what
 * is drawn has few, and a file with a palette is a third as long. */
struct palette {
    png_byte colours[PALETTE_MAX][3];
    unsigned count;
    int16_t index[SHADES * SHADES * SHADES]; /* -1: not there yet */
};

/* The shade nearest to a byte. */
static unsigned
shade(uint32_t byte)
{
    return ((byte & 255) * (SHADES - 1) + 127) / 255;
}

static png_byte
palette_index(struct palette *palette, uint32_t pixel)
{
    unsigned shades[3] = {shade(pixel >> 16), shade(pixel >> 8), shade(pixel)};
    unsigned colour = (shades[0] * SHADES + shades[1]) * SHADES + shades[2];
    if (palette->index[colour] < 0 && palette->count < PALETTE_MAX) {
        for (unsigned i = 0; i < 3; i++) {
            palette->colours[palette->count][i] =
                (png_byte)(shades[i] * 255 / (SHADES - 1));
        }
        palette->index[colour] = (int16_t)palette->count++;
    }
    /* The palette is full: this is a pixel at an edge, for which the
     * ground's colour will do. */
    return palette->index[colour] < 0 ? 0 : (png_byte)palette->index[colour];
}

/* Most pixels are of the colour of the one before. */
static void
index_row(struct palette *palette, const unsigned char *row, size_t width,
          png_byte *pixels)
{
    uint32_t before = 0;
    for (size_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, row + x * sizeof pixel, sizeof pixel);
        pixels[x] = x > 0 && pixel == before ? pixels[x - 1]
                                             : palette_index(palette, pixel);
        before = pixel;
    }
}

static enum err
write_png(const png_byte *pixels, const struct palette *palette,
          png_image *image, struct buf *png, struct buf *why)
{
    char *file = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&file, &len);
    bool written =
        memory != NULL && png_image_write_to_stdio(image, memory, 0, pixels, 0,
                                                   palette->colours) != 0;
    if (memory == NULL || fclose(memory) != 0 || !written) {
        free(file);
        return err_say(why, ERR_FULL, "the picture can't be written: %s",
                       image->message);
    }
    buf_add(png, file, len);
    free(file);
    return ERR_NONE;
}

enum err
canvas_png(struct canvas *canvas, struct buf *png, struct buf *why)
{
    cairo_surface_t *surface = cairo_get_target(canvas->cairo);
    cairo_status_t status = cairo_status(canvas->cairo);
    if (status != CAIRO_STATUS_SUCCESS) {
        return err_say(why, ERR_FULL, "the picture can't be drawn: %s",
                       cairo_status_to_string(status));
    }
    cairo_surface_flush(surface);
    const unsigned char *rows = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    size_t width = canvas->width;
    png_byte *pixels = must_alloc(width * canvas->height);
    struct palette palette = {.count = 0};
    memset(palette.index, -1, sizeof palette.index);
    for (size_t y = 0; y < canvas->height; y++) {
        index_row(&palette, rows + y * stride, width, pixels + y * width);
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = canvas->width,
                       .height = canvas->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = palette.count};
    enum err err = write_png(pixels, &palette, &image, png, why);
    free(pixels);
    return err;
}
