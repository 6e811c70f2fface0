#include "adapters/markup/html/html_elements.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/rich.h"

enum {
    NAME_MAX_LEN = 10, /* bytes of the longest name below */
    FLOW = HTML_LINES | HTML_ENDS_P,
};

/* Sorted.  Headings and <th> are shown in bold but don't count as bold: people
 * mark acts, not titles. */
static const struct html_element elements[] = {
    {"a", HTML_ANCHOR, 0, 0},
    {"address", HTML_BLOCK, FLOW | HTML_PASSED, 0},
    {"applet", HTML_ENCLOSED, HTML_HIDDEN, 0},
    {"area", HTML_VOID, 0, 0},
    {"article", HTML_BLOCK, FLOW, 0},
    {"aside", HTML_BLOCK, FLOW, 0},
    {"audio", HTML_INLINE, HTML_HIDDEN, 0},
    {"b", HTML_FORMATTING, 0, MARK_BOLD},
    {"base", HTML_VOID, 0, 0},
    {"basefont", HTML_VOID, 0, 0},
    {"bgsound", HTML_VOID, 0, 0},
    {"big", HTML_FORMATTING, 0, 0},
    {"blockquote", HTML_BLOCK, FLOW, MARK_QUOTED},
    {"body", HTML_IGNORED, 0, 0},
    {"br", HTML_VOID, HTML_FEED, 0},
    {"button", HTML_ENCLOSED, 0, 0},
    {"canvas", HTML_INLINE, HTML_HIDDEN, 0},
    {"caption", HTML_CELL, HTML_LINES, 0},
    {"center", HTML_BLOCK, FLOW, 0},
    {"code", HTML_FORMATTING, 0, MARK_CODE},
    {"col", HTML_IGNORED, 0, 0},
    {"colgroup", HTML_IGNORED, 0, 0},
    {"datalist", HTML_INLINE, HTML_HIDDEN, 0},
    {"dd", HTML_TERM, FLOW, 0},
    {"del", HTML_INLINE, 0, MARK_STRUCK},
    {"details", HTML_BLOCK, FLOW, MARK_SPOILER},
    {"dialog", HTML_BLOCK, FLOW | HTML_HIDDEN, 0},
    {"dir", HTML_BLOCK, FLOW, 0},
    {"div", HTML_BLOCK, FLOW | HTML_PASSED, 0},
    {"dl", HTML_BLOCK, FLOW, 0},
    {"dt", HTML_TERM, FLOW, 0},
    {"em", HTML_FORMATTING, 0, 0},
    {"embed", HTML_VOID, HTML_OBJECT, 0},
    {"fieldset", HTML_BLOCK, FLOW, 0},
    {"figcaption", HTML_BLOCK, FLOW, 0},
    {"figure", HTML_BLOCK, FLOW, 0},
    {"font", HTML_FORMATTING, 0, 0},
    {"footer", HTML_BLOCK, FLOW, 0},
    {"form", HTML_BLOCK, FLOW, 0},
    {"frame", HTML_IGNORED, 0, 0},
    {"frameset", HTML_IGNORED, 0, 0},
    {"h1", HTML_HEADING, FLOW, 0},
    {"h2", HTML_HEADING, FLOW, 0},
    {"h3", HTML_HEADING, FLOW, 0},
    {"h4", HTML_HEADING, FLOW, 0},
    {"h5", HTML_HEADING, FLOW, 0},
    {"h6", HTML_HEADING, FLOW, 0},
    {"head", HTML_INLINE, HTML_HIDDEN, 0},
    {"header", HTML_BLOCK, FLOW, 0},
    {"hgroup", HTML_BLOCK, FLOW, 0},
    {"hr", HTML_VOID, FLOW, 0},
    {"html", HTML_IGNORED, 0, 0},
    {"i", HTML_FORMATTING, 0, 0},
    {"iframe", HTML_RAW, HTML_HIDDEN, 0},
    {"img", HTML_VOID, HTML_OBJECT, 0},
    {"input", HTML_VOID, HTML_OBJECT, 0},
    {"keygen", HTML_VOID, 0, 0},
    {"legend", HTML_INLINE, HTML_LINES, 0},
    {"li", HTML_ITEM, FLOW, 0},
    {"link", HTML_VOID, 0, 0},
    {"listing", HTML_BLOCK, FLOW | HTML_PRE, MARK_CODE},
    {"main", HTML_BLOCK, FLOW, 0},
    {"marquee", HTML_ENCLOSED, 0, 0},
    {"math", HTML_FOREIGN, HTML_HIDDEN, 0},
    {"menu", HTML_BLOCK, FLOW, 0},
    {"meta", HTML_VOID, 0, 0},
    {"mx-reply", HTML_INLINE, HTML_LINES, MARK_QUOTED},
    {"nav", HTML_BLOCK, FLOW, 0},
    {"nobr", HTML_ANCHOR, 0, 0},
    {"noembed", HTML_RAW, HTML_HIDDEN, 0},
    {"noframes", HTML_RAW, HTML_HIDDEN, 0},
    {"noscript", HTML_RAW, HTML_HIDDEN, 0},
    {"object", HTML_ENCLOSED, HTML_HIDDEN, 0},
    {"ol", HTML_LIST, FLOW, 0},
    {"p", HTML_PARAGRAPH, FLOW | HTML_PASSED, 0},
    {"param", HTML_VOID, 0, 0},
    {"plaintext", HTML_RAW, FLOW | HTML_PRE, MARK_CODE},
    {"pre", HTML_BLOCK, FLOW | HTML_PRE, MARK_CODE},
    {"rp", HTML_INLINE, HTML_HIDDEN, 0},
    {"s", HTML_FORMATTING, 0, MARK_STRUCK},
    {"script", HTML_RAW, HTML_HIDDEN, 0},
    {"search", HTML_BLOCK, FLOW, 0},
    {"section", HTML_BLOCK, FLOW, 0},
    {"select", HTML_ENCLOSED, HTML_HIDDEN, 0},
    {"small", HTML_FORMATTING, 0, 0},
    {"source", HTML_VOID, 0, 0},
    {"span", HTML_INLINE, 0, 0},
    {"strike", HTML_FORMATTING, 0, MARK_STRUCK},
    {"strong", HTML_FORMATTING, 0, MARK_BOLD},
    {"style", HTML_RAW, HTML_HIDDEN, 0},
    {"summary", HTML_BLOCK, FLOW, 0},
    {"svg", HTML_FOREIGN, HTML_HIDDEN, 0},
    {"table", HTML_TABLE, FLOW, 0},
    {"tbody", HTML_SECTION, HTML_LINES, 0},
    {"td", HTML_CELL, HTML_LINES, 0},
    {"template", HTML_ENCLOSED, HTML_HIDDEN, 0},
    {"textarea", HTML_RAW, HTML_HIDDEN, 0},
    {"tfoot", HTML_SECTION, HTML_LINES, 0},
    {"th", HTML_CELL, HTML_LINES, 0},
    {"thead", HTML_SECTION, HTML_LINES, 0},
    {"title", HTML_RAW, HTML_HIDDEN, 0},
    {"tr", HTML_ROW, HTML_LINES, 0},
    {"track", HTML_VOID, 0, 0},
    {"tt", HTML_FORMATTING, 0, 0},
    {"u", HTML_FORMATTING, 0, 0},
    {"ul", HTML_LIST, FLOW, 0},
    {"video", HTML_INLINE, HTML_HIDDEN, 0},
    {"wbr", HTML_VOID, 0, 0},
    {"xmp", HTML_RAW, FLOW | HTML_PRE, MARK_CODE},
};

static const struct html_element unknown = {NULL, HTML_INLINE, 0, 0};

static int
compare(const void *name, const void *element)
{
    return strcmp(name, ((const struct html_element *)element)->name);
}

const struct html_element *
html_element_find(struct html_span name)
{
    char lower[NAME_MAX_LEN + 1] = "";

    if (name.len > NAME_MAX_LEN) {
        return &unknown;
    }
    for (size_t i = 0; i < name.len; i++) {
        lower[i] = ascii_lower(name.text[i]);
    }
    const struct html_element *found =
        bsearch(lower, elements, sizeof elements / sizeof elements[0],
                sizeof elements[0], compare);
    return found == NULL ? &unknown : found;
}
