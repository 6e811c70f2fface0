/*
 * Writes rich text in a dialect, in one pass, from the dialect's table of tags:
 * which marks it has, how each begins and ends, and what else it can't say.
 *
 * A tag is opened and closed around a stretch of text, and one further up the
 * table is always outside one further down.  So a tag that is open inside one
 * that ends is closed first and opened again.  A mark without a tag is not
 * written, and its text is.
 */
#ifndef ADAPTERS_MARKUP_WRITER_H
#define ADAPTERS_MARKUP_WRITER_H

#include "adapters/markup/rich.h"

/* A mark, and what is written where it begins and ends. */
struct tag {
    unsigned mark;
    const char *open, *close;
};

/* Invisible, and a letter to every service: U+200B between two characters keeps
 * them from being a mark. */
#define WRITER_GUARD "\xE2\x80\x8B"

struct writer;

struct tags {
    struct tag list[8]; /* the outermost first; ends with a zeroed one */
    bool chat;          /* the marks of a chat are marks, too */
    bool lines;         /* a quote is whole lines, each after "> " */
    bool escapes;       /* a U+200B escapes: those of the text are dropped */
    bool boxes;         /* code that has lines of its own is shown as a box */
    bool times;         /* `write` writes instants */
    unsigned bare;      /* marks in which nobody is mentioned */
    const char *const *signs; /* each with what is shown in its place, outside
                                 code; ends with NULL.  NULL: none */
    /* Can this id be written?  NULL: none can. */
    bool (*is_user)(const char *id, size_t len);
    /* Can this address, in text with these marks?  NULL: none can. */
    bool (*is_address)(const char *text, size_t len, unsigned marks);
    /* Which of a run's marks get their tags; NULL: all that have one. */
    unsigned (*want)(struct writer *writer);
    /* Write the beginning or the end of a tag; NULL: as in the table. */
    void (*open)(struct writer *writer, const struct tag *tag);
    void (*close)(struct writer *writer, const struct tag *tag);
    void (*write)(struct writer *writer, const struct run *run);
    void (*end)(struct writer *writer); /* of the text; or NULL */
};

struct writer {
    const struct tags *tags;
    const struct rich *rich; /* what this dialect can say of the text */
    struct buf *out;
    size_t index;   /* of the run that is written; behind the last: the end */
    unsigned open;  /* the marks whose tags are */
    unsigned want;  /* and which of the run's are to be */
    const char *id; /* of the mention that is open, borrowed */
    size_t id_len;
    const char *code; /* what ends the code that is open; NULL: its tag */
    size_t line;      /* where in `out` the line begins */
    bool blank;       /* nothing but blanks on it so far */
    bool block;       /* the open quote is a block */
    unsigned state;   /* the dialect's own */
};

/* Append a text in the dialect with these tags. */
void writer_write(const struct tags *tags, const struct rich *rich,
                  struct buf *out);

/* The last byte on the line; a line feed: there is none. */
char writer_last(const struct writer *writer);

/* Has the run before (-1), the one that is written (0) or the next (1) one of
 * these marks? */
bool writer_has(const struct writer *writer, int step, unsigned marks);

/* The first run behind those with this mark, the one that is written first. */
size_t writer_end_of(const struct writer *writer, unsigned mark);

/* Write what is shown in place of the sign with which a text begins; how many
 * bytes the sign has, 0: there is none. */
size_t writer_add_sign(struct writer *writer, const char *text, size_t len);

/* Does a text begin with these lower-case letters, in any case? */
bool writer_begins(const char *text, size_t len, const char *with);

#endif
