/*
 * The elements of HTML: how their tags nest in browsers (HTML Living Standard,
 * 13.2.6 "Tree construction"), and what they do to their content.
 */
#ifndef ADAPTERS_MARKUP_HTML_ELEMENTS_H
#define ADAPTERS_MARKUP_HTML_ELEMENTS_H

#include <stdbool.h>

#include "adapters/markup/html/html_tokens.h"

/* How an element begins and ends.  Elements from HTML_BLOCK on are not ended by
 * the closing tag of a kind listed before it. */
enum html_kind {
    HTML_INLINE,     /* ends with its tag, or with what it stands in */
    HTML_FORMATTING, /* ends with its tag alone: it goes on behind a block */
    HTML_ANCHOR,     /* the same, and ends with the next of its name */
    HTML_VOID,       /* has no content */
    HTML_RAW,        /* has no tags inside */
    HTML_FOREIGN,    /* is not HTML inside: "/>" ends it at once */
    HTML_IGNORED,    /* means nothing in a post */
    HTML_BLOCK,
    HTML_LIST,
    HTML_ITEM,
    HTML_TERM,
    HTML_PARAGRAPH,
    HTML_HEADING,
    HTML_ENCLOSED, /* no tag inside ends what is open outside */
    HTML_TABLE,    /* the same; when a part of a table begins, the parts that */
    HTML_SECTION,  /* stand further down this list, or beside it, end */
    HTML_ROW,
    HTML_CELL, /* as HTML_ENCLOSED */
};

enum {
    HTML_LINES = 1 << 0,  /* stands on lines of its own */
    HTML_PRE = 1 << 1,    /* keeps its white space */
    HTML_HIDDEN = 1 << 2, /* its content is not shown */
    HTML_OBJECT = 1 << 3, /* is not text */
    HTML_ENDS_P = 1 << 4, /* ends an open paragraph when it begins */
    HTML_PASSED = 1 << 5, /* the next item of a list ends it as well */
    HTML_FEED = 1 << 6,   /* is the end of a line */
};

struct html_element {
    const char *name; /* NULL: one that is not in the table */
    enum html_kind kind;
    unsigned flags;
    unsigned marks; /* of its content: enum mark */
};

/* The element of this name, in any case.  Never NULL: an unknown name is an
 * inline element without flags and marks. */
const struct html_element *html_element_find(struct html_span name);

#endif
