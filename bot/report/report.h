/*
 * The report of a finished game: one page of HTML that needs nothing but
 * itself.  No script, no address that a browser would fetch; it can be read
 * offline, printed, by keyboard and by a screen reader, in a light room and in
 * a dark one.
 *
 * It tells every secret there was, so it MUST NOT be made of a game that is
 * running.  Time and length grow with the number of lines alone.
 */
#ifndef BOT_REPORT_REPORT_H
#define BOT_REPORT_REPORT_H

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/record.h"

/* What kind of page. */
struct report_form {
    bool site;     /* of a site: it leads to the index (site.h) */
    bool numbered; /* players are numbers, and what could tell who they are is
                      left out: ids, and what people wrote */
};

/* Append the page of a game that has ended and has players.  `language` is
 * the catalogue's, as a tag ("nl"); times are shown in `zone`. */
void report_write(const struct record_game *game,
                  const struct catalogue *catalogue, struct report_form form,
                  const char *language, const struct zone *zone,
                  struct buf *html);

#endif
