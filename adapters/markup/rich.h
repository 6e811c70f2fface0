/*
 * Rich text: the one form of every post, read from or written in any dialect.
 *
 * Text is UTF-8 in one buffer; runs cover it from end to end, in order, without
 * gaps, each with the same marks throughout; neighbours differ.  Lines end with
 * a line feed, which carries no marks but those of the region it is in (quote,
 * code, spoiler).  Anything that is not text (a picture, an emoji of the
 * service, the place of an empty cut-out region) is U+FFFC with MARK_OBJECT,
 * and nothing else is U+FFFC or has that mark.
 */
#ifndef ADAPTERS_MARKUP_RICH_H
#define ADAPTERS_MARKUP_RICH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"

enum mark {
    MARK_BOLD = 1 << 0,
    MARK_RED = 1 << 1, /* by hue: READING.md R13 */
    MARK_QUOTED = 1 << 2,
    MARK_CODE = 1 << 3,
    MARK_STRUCK = 1 << 4,
    MARK_SPOILER = 1 << 5, /* folded or hidden */
    MARK_MENTION = 1 << 6, /* of the user `id`; the text is what is shown */
    MARK_OBJECT = 1 << 7,
    MARK_TIME = 1 << 8, /* an instant: `id` is its second since 1970, the text
                           says it; written by dialects with `times` alone */
    MARK_ADDRESS = 1 << 9, /* the text is an address, "https://…", that a click
                              follows */
    MARK_CLOCK = 1 << 10,  /* beside MARK_TIME: its time of day is enough */
    /* Regions in which nothing counts as an act (READING.md R2). */
    MARKS_EXCLUDED = MARK_QUOTED | MARK_CODE | MARK_STRUCK | MARK_SPOILER |
                     MARK_OBJECT | MARK_ADDRESS,
};

/* Ceilings: of a post that is read (READING.md R0), of the text it gives (each
 * byte that is not UTF-8 becomes three), of the ids in it, of open elements. */
enum {
    POST_MAX = 65536,
    RICH_TEXT_MAX = 3 * POST_MAX,
    RICH_IDS_MAX = 4 * POST_MAX,
    RICH_DEPTH_MAX = 100,
};

struct run {
    size_t start, len; /* in text */
    unsigned marks;
    size_t id, id_len; /* in ids: the user mentioned, or the second; len 0:
                          none */
};

struct rich {
    struct buf text;
    struct buf ids;
    struct run *runs;
    size_t count, room;
};

/* A zeroed struct is an empty rich text. */
void rich_release(struct rich *rich);
void rich_wipe(struct rich *rich); /* release, and wipe the memory */
void rich_clear(struct rich *rich);

/*
 * Append text with these marks.  Bytes that are not UTF-8, and U+0000, become
 * U+FFFD; a carriage return goes before a line feed and is a blank elsewhere;
 * U+FFFC is an object.  MARK_MENTION and MARK_OBJECT MUST NOT be given.  Text
 * beyond RICH_TEXT_MAX is dropped, and text.cut is set.
 */
void rich_add(struct rich *rich, const char *text, size_t len, unsigned marks);
void rich_add_text(struct rich *rich, const char *text, unsigned marks);

/* Append a mention; the second form takes lengths.  Without an id, or if there
 * is no room for it, it is plain text. */
void rich_add_mention(struct rich *rich, const char *id, const char *shown,
                      unsigned marks);
void rich_add_mention_len(struct rich *rich, const char *id, size_t id_len,
                          const char *shown, size_t len, unsigned marks);

void rich_add_object(struct rich *rich, unsigned marks);
void rich_add_rich(struct rich *rich, const struct rich *other);
/* The same, with these marks besides its own. */
void rich_add_marked(struct rich *rich, const struct rich *other,
                     unsigned marks);

/* Append `len` bytes of another text from a byte on; both ends MUST be between
 * characters. */
void rich_add_part(struct rich *rich, const struct rich *other, size_t from,
                   size_t len);

/* Append an instant (ms) with the text for it, and MARK_CLOCK or no other mark;
 * an instant before 1970 becomes that text alone. */
void rich_add_time(struct rich *rich, int64_t instant, const char *shown,
                   unsigned marks);

/* Let its mentions be of the users whom `map` gives for their ids; NULL: of the
 * same.  "": of nobody, so that they are plain text.  What it gives is borrowed
 * for the moment. */
void rich_map_mentions(struct rich *rich,
                       const char *(*map)(void *context, const char *id),
                       void *context);

/* End the line, unless nothing stands on it: for the edges of blocks. */
void rich_end_line(struct rich *rich, unsigned marks);

/* The text of a run, borrowed; not terminated. */
const char *rich_run_text(const struct rich *rich, const struct run *run);

/* The id of the user whom a run mentions, borrowed; not terminated. */
const char *rich_run_id(const struct rich *rich, const struct run *run);

/*
 * A dialect: how one kind of service writes marks.  read MUST take any bytes
 * (READING.md R0: a post that must not be read gives an empty text and sets
 * `unread`); `out` is emptied first.  write appends, and MUST escape anything
 * in the text that would act as mark-up, a mention or a command, so that
 * reading it back gives the same runs; it MAY drop or insert U+200B, which
 * comparisons ignore.  If the dialect has no form for something (colour, say,
 * or a quote that is not whole lines), it is written in the nearest form that
 * does not count for more.
 */
struct dialect {
    const char *name;
    void (*read)(const char *body, size_t len, struct rich *out, bool *unread);
    void (*write)(const struct rich *rich, struct buf *out);
    /* How a person types bold, and bold red (NULL: no colour there), with %s
     * for the text: for examples in the host's posts. */
    const char *bold_example;
    const char *red_example;
    /* Other ways to name a player there than bold red, if nothing else is set
     * (READING.md R12): in bold alone, where people have no colours; by a bold
     * mention, even where a bold name is not enough. */
    bool bold_names, mention_names;
    bool times; /* an instant can be shown to each reader in their own zone */
};

extern const struct dialect dialect_bbcode; /* with all tags that are read */
extern const struct dialect dialect_phpbb;  /* with those of a phpBB */
extern const struct dialect dialect_board;  /* BBCode, and ** as well */
extern const struct dialect dialect_discord;
extern const struct dialect dialect_html;     /* forums' rendered posts */
extern const struct dialect dialect_matrix;   /* Matrix's formatted_body */
extern const struct dialect dialect_markdown; /* written for Discourse */
extern const struct dialect dialect_nodebb;   /* and for NodeBB */
extern const struct dialect dialect_plain;    /* ** and > lines, nothing else */

/* How a service measures a post. */
enum length {
    LENGTH_POINTS, /* in code points */
    LENGTH_UTF16,  /* in UTF-16 code units: characters beyond U+FFFF are two */
    LENGTH_BYTES,  /* of UTF-8 */
};

size_t length_of(enum length unit, const char *text, size_t len);

enum {
    MENTIONS_MAX = 32
};

/* How much a post can hold. */
struct measure {
    enum length unit;
    size_t longest;    /* in its written form; MUST NOT be 0 */
    unsigned mentions; /* people mentioned, at most; no more than MENTIONS_MAX;
                          0: any number */
};

/*
 * Find the end of the first piece of a text, from a byte on, that fits in one
 * post; *next: where the second piece begins, or the end of the text.  A cut is
 * made at a blank line, else at the end of a line, else between words and
 * outside of marks, before an ordinary word.  So no new line begins with a
 * command or an example, and two examples with a word between them stay
 * together.  If there is no such place, the cut is made before a mention or
 * inside a word; if there is no word, between characters.  White space at a cut
 * is dropped.  Takes time linear in `longest`.
 */
size_t rich_piece(const struct rich *rich, size_t from,
                  const struct dialect *dialect, const struct measure *measure,
                  size_t *next);

#endif
