/*
 * A post in Markdown as a list of pieces, between what finds them (md4c, and
 * markdown_scan.c for what md4c does not know) and what makes text of them
 * (markdown_reader.c).
 */
#ifndef TESTS_MARKDOWN_PIECES_H
#define TESTS_MARKDOWN_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/markup/html/html_elements.h"

enum piece_kind {
    PIECE_TEXT,
    PIECE_REFERENCE, /* "&lt;" */
    PIECE_MENTION,   /* "@name" */
    PIECE_BLANKS,    /* `len` of them, which do not stand in the source */
    PIECE_FEED,      /* the line ends */
    PIECE_EDGE, /* of a block: the line ends, if there is something on it */
    PIECE_OBJECT,
    PIECE_OPEN, /* sets marks up to the PIECE_CLOSE that has it as partner */
    PIECE_CLOSE,
};

struct piece {
    enum piece_kind kind;
    unsigned marks; /* of PIECE_OPEN */
    size_t at, len; /* in the source, if it stands there */
    size_t partner; /* of PIECE_CLOSE */
    /* While pieces are found: what was open before it, plus 1, and whose it
     * is, md4c's or HTML's. */
    size_t below;
    int type;
    const struct html_element *element;
    size_t shown; /* while they are shown: the length of the text before it */
};

struct pieces {
    struct piece *all; /* owned: free it */
    size_t count, room;
};

enum {
    PIECES_PADDING = 16, /* bytes: md4c looks beyond the end for `</script>` */
    PIECES_INDENT = 16,  /* the most blanks of one PIECE_BLANKS */
};

/*
 * Find the pieces of a source, which ends with a line feed, has no other line
 * ends than those and no NUL, but PIECES_PADDING of them behind its end.
 * false: md4c is at a loss, or tags nest too deeply.
 */
bool markdown_scan(const char *source, size_t len, struct pieces *pieces);

#endif
