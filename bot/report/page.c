#include "bot/report/page.h"

#include <string.h>

void
page_raw(struct page *page, const char *html)
{
    buf_add_text(page->out, html);
}

enum {
    SIGNS = 6
};

/* The number of the sign at `text`, from 0; SIGNS: there is none. */
static unsigned
sign_at(const char *text)
{
    unsigned char last = 0;
    if (strncmp(text, "\xEE\x80", 2) != 0) {
        return SIGNS;
    }
    last = (unsigned char)text[2];
    return last >= 0x80 && last < 0x80 + SIGNS ? last - 0x80U : SIGNS;
}

void
page_clean(const char *text, struct buf *out)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (sign_at(at) < SIGNS) {
            at += 2;
        } else if (((unsigned char)*at >= ' ' && *at != 0x7F) || *at == '\n') {
            buf_add_char(out, *at);
        }
    }
}

static void
add_tile(struct page *page, const char *class, const char *key)
{
    buf_addf(page->out, "<b class=\"tile %s\">", class);
    page_say(page, key, NULL);
    page_raw(page, "</b>");
}

static void
add_sign(struct page *page, unsigned sign)
{
    switch (sign) {
    case 0:
        add_tile(page, "lib", "letter_liberal");
        break;
    case 1:
        add_tile(page, "fas", "letter_fascist");
        break;
    case 2:
        page_raw(page, "<bdi>");
        break;
    case 3:
        page_raw(page, "</bdi>");
        break;
    case 4:
        page_raw(page, "<span class=\"tiles\">");
        break;
    default:
        page_raw(page, "</span>");
        break;
    }
}

void
page_text(struct page *page, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        unsigned sign = sign_at(at);
        if (sign < SIGNS) {
            add_sign(page, sign);
            at += 2;
        } else if (*at == '&') {
            page_raw(page, "&amp;");
        } else if (*at == '<') {
            page_raw(page, "&lt;");
        } else if (*at == '>') {
            page_raw(page, "&gt;");
        } else if (*at == '"') {
            page_raw(page, "&quot;");
        } else if (*at == '\'') {
            page_raw(page, "&#39;");
        } else {
            buf_add_char(page->out, *at);
        }
    }
}

void
page_say(struct page *page, const char *key, const struct params *params)
{
    struct buf said = BUF_INIT;
    catalogue_text(page->catalogue, key, params, &said);
    page_text(page, buf_text(&said));
    buf_release(&said);
}

void
page_element(struct page *page, const char *element, const char *key,
             const struct params *params)
{
    buf_addf(page->out, "<%s>", element);
    page_say(page, key, params);
    buf_addf(page->out, "</%.*s>\n", (int)strcspn(element, " "), element);
}

/* The policies have the colour of the squares with which a theme draws them in
 * a post. */
static void
write_colour(struct page *page, const char *name, const char *key)
{
    static const char *const colours[][2] = {
        {"🟦", "blue"},   {"🟥", "red"},    {"🟩", "green"},
        {"🟧", "orange"}, {"🟨", "yellow"}, {"🟪", "purple"},
        {"🟫", "brown"},
    };
    struct buf square = BUF_INIT;
    catalogue_text(page->catalogue, key, NULL, &square);
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        if (strcmp(buf_text(&square), colours[i][0]) == 0) {
            buf_addf(page->out, ":root{--%s:var(--%s)}\n", name, colours[i][1]);
        }
    }
    buf_release(&square);
}

void
page_begin(struct page *page, const char *language, const char *key,
           const struct params *params)
{
    page_raw(page, "<!DOCTYPE html>\n<html lang=\"");
    page_text(page, language);
    page_raw(page, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\""
                   "default-src 'none'; style-src 'unsafe-inline'\">\n");
    page_element(page, "title", key, params);
    page_raw(page, "<style>\n");
    page_raw(page, bot_report_report_css);
    write_colour(page, "lib", "tile_liberal");
    write_colour(page, "fas", "tile_fascist");
    page_raw(page, "</style>\n</head>\n<body>\n");
}

void
page_end(struct page *page)
{
    page_raw(page, "<footer>");
    page_element(page, "p", "report_credit", NULL);
    page_raw(page, "</footer>\n</body>\n</html>\n");
}

void
page_begin_section(struct page *page, const char *id, const char *key)
{
    buf_addf(page->out,
             "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
             "<h2 id=\"%s-title\">",
             id, id, id);
    page_say(page, key, NULL);
    page_raw(page, "</h2>\n");
}

void
page_column(struct page *page, const char *key)
{
    page_raw(page, "<th scope=\"col\">");
    page_say(page, key, NULL);
    page_raw(page, "</th>");
}

void
page_cell(struct page *page, const char *key)
{
    page_raw(page, "<td data-label=\"");
    page_say(page, key, NULL);
    page_raw(page, "\">");
}

void
page_end_table(struct page *page)
{
    page_raw(page, "</tbody>\n</table>\n</div>\n");
}

static void
write_instant(struct page *page, int64_t instant, const struct buf *words)
{
    page_raw(page, "<time datetime=\"");
    instant_write(instant, page->out);
    page_raw(page, "\">");
    page_text(page, buf_text(words));
    page_raw(page, "</time>");
}

void
page_time(struct page *page, int64_t instant)
{
    struct buf time = BUF_INIT;
    catalogue_time(page->catalogue, instant, page->zone, &time);
    write_instant(page, instant, &time);
    buf_release(&time);
}

void
page_date(struct page *page, int64_t instant)
{
    struct buf date = BUF_INIT;
    catalogue_date(page->catalogue, instant, &date);
    write_instant(page, instant, &date);
    buf_release(&date);
}
