/*
 * A page of HTML that is written from front to back: words of the catalogue,
 * names and texts of strangers, all of them escaped here and nowhere else.
 *
 * A sentence is plain text until it is written.  What is to be marked up inside
 * of one (a policy's tile, a name that may run from right to left) is set with
 * a sign that no text from outside can hold, for page_clean takes them out:
 * PAGE_LIBERAL and PAGE_FASCIST are tiles, PAGE_TILES … PAGE_TILES_END encloses
 * those that stay on one line, PAGE_NAME … PAGE_NAME_END a name.
 */
#ifndef BOT_REPORT_PAGE_H
#define BOT_REPORT_PAGE_H

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/host/words/catalogue.h"

#define PAGE_LIBERAL   "\xEE\x80\x80" /* U+E000 … U+E005, for private use */
#define PAGE_FASCIST   "\xEE\x80\x81"
#define PAGE_NAME      "\xEE\x80\x82"
#define PAGE_NAME_END  "\xEE\x80\x83"
#define PAGE_TILES     "\xEE\x80\x84"
#define PAGE_TILES_END "\xEE\x80\x85"

/* report.css, embedded: the inside of the page's <style>. */
extern const char bot_report_report_css[];

/* All borrowed. */
struct page {
    struct buf *out;
    const struct catalogue *catalogue;
    const struct zone *zone;
};

/* Append a text from outside without the signs above and without control
 * characters but line feeds. */
void page_clean(const char *text, struct buf *out);

/* Write mark-up as it stands; a text, escaped; a sentence, escaped. */
void page_raw(struct page *page, const char *html);
void page_text(struct page *page, const char *text);
void page_say(struct page *page, const char *key, const struct params *params);

/* Write a sentence as an element: page_element(page, "h2", …). */
void page_element(struct page *page, const char *element, const char *key,
                  const struct params *params);

/* Write the page's head, with a sentence as its title, and begin its body. */
void page_begin(struct page *page, const char *language, const char *key,
                const struct params *params);

/* Write the page's foot, and end it. */
void page_end(struct page *page);

/* Begin a section with a heading. */
void page_begin_section(struct page *page, const char *id, const char *key);

/* The head of a table's column.  Begin a cell with that head as a label, too:
 * on a narrow screen the cells of a row stand below each other.  End the
 * table. */
void page_column(struct page *page, const char *key);
void page_cell(struct page *page, const char *key);
void page_end_table(struct page *page);

/* Write an instant, or its day, for people and for programs. */
void page_time(struct page *page, int64_t instant);
void page_date(struct page *page, int64_t instant);

#endif
