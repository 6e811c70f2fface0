/*
 * Reading a file of many games one after the other: memory grows with the
 * longest game, not with the file.
 */
#ifndef BOT_RECORD_RECORD_STREAM_H
#define BOT_RECORD_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/record/record.h"

/* Bytes of one game's lines; a game played has some tens of thousands. */
enum {
    RECORD_GAME_TEXT_MAX = 1 << 28
};

struct record_stream {
    FILE *file;        /* borrowed */
    struct buf text;   /* the lines of the game that is being gathered */
    struct buf line;   /* the last line that was read, with its LF */
    bool is_ahead;     /* it begins the next game */
    bool is_over;      /* nothing more is to be read */
    bool is_begun;     /* a game was read */
    size_t line_count; /* of the games read so far */
};

/* Begin with a file that is open for reading; release the stream. */
void record_stream_init(struct record_stream *stream, FILE *file);
void record_stream_release(struct record_stream *stream);

/*
 * Read the next game: `record` then holds this one, or none where the file has
 * ended; release it either way.  Lines are numbered through the file.
 * ERR_GARBLED as record_read has it: nothing more can be read; `record` holds
 * what was read of this game before the line.  ERR_FULL: a game of more than
 * RECORD_GAME_TEXT_MAX bytes.  ERR_LATER: the file could not be read.
 */
enum err record_stream_next(struct record_stream *stream, struct record *record,
                            struct buf *why) MUST_USE;

#endif
