/*
 * A post in BBCode, or in the board's dialect, as a list of pieces.
 * bbcode_scan.c finds and pairs them; bbcode.c turns them into text with marks.
 */
#ifndef ADAPTERS_MARKUP_BBCODE_PIECES_H
#define ADAPTERS_MARKUP_BBCODE_PIECES_H

#include <stdbool.h>
#include <stddef.h>

/* What an element does to its content. */
enum effect {
    EFFECT_NONE,
    EFFECT_BLOCK, /* stands on lines of its own */
    EFFECT_ITEM,  /* begins a line */
    EFFECT_BOLD,
    EFFECT_COLOUR,
    EFFECT_MENTION,
    EFFECT_QUOTE,
    EFFECT_STRUCK,
    EFFECT_SPOILER,
    EFFECT_CODE,   /* nothing inside is mark-up */
    EFFECT_OBJECT, /* the content is an address */
};

/* Something in the body that may not be text. */
enum piece_kind {
    PIECE_TEXT, /* text after all: nothing closes it, or nothing opened it */
    PIECE_OPEN,
    PIECE_CLOSE,
    PIECE_BREAK,      /* [*] */
    PIECE_OBJECT,     /* from [img] to [/img] */
    PIECE_QUOTE_LINE, /* the line from here on is quoted */
    PIECE_QUOTE_REST, /* the post from here on is quoted */
};

struct piece {
    size_t at, len;
    enum piece_kind kind;
    enum effect effect;
    size_t below;            /* the open piece of its name before it, plus 1 */
    size_t partner;          /* of PIECE_CLOSE: its PIECE_OPEN */
    size_t value, value_len; /* the text after "=" */
    size_t shown;            /* of PIECE_OPEN: how much text stood before it */
};

struct bbcode_post {
    const char *body;
    size_t len;
    bool chat;            /* the board's marks too */
    struct piece *pieces; /* in the order of the body; owned: free them */
    size_t count;
};

/* Find the pieces of a body, in linear time. */
void bbcode_scan(struct bbcode_post *post);

/* Is the content of such an element never an act? */
bool effect_is_exclusion(enum effect effect);

#endif
