#include "bot/record/record_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/base/json.h"

void
record_stream_init(struct record_stream *stream, FILE *file)
{
    memset(stream, 0, sizeof *stream);
    stream->file = file;
    /* The reader refuses longer lines, so the rest of them is not needed. */
    buf_init(&stream->line, RECORD_LINE_MAX + 1);
}

void
record_stream_release(struct record_stream *stream)
{
    buf_release(&stream->text);
    buf_release(&stream->line);
    memset(stream, 0, sizeof *stream);
}

/* ---- lines --------------------------------------------------------------- */

/* Read the next line: empty at the end of the file. */
static enum err
read_line(struct record_stream *stream, struct buf *why)
{
    errno = 0;
    stream->is_over = !file_read_line(stream->file, &stream->line);
    return ferror(stream->file) == 0
               ? ERR_NONE
               : err_say(why, ERR_LATER, "it can't be read: %s",
                         strerror(errno));
}

/* Does this line begin a game?  The word stands in few others, and may be
 * written with escapes: such lines are parsed to know. */
static bool
is_opened(const struct buf *line)
{
    if (strstr(buf_text(line), "opened") == NULL &&
        memchr(buf_text(line), '\\', line->len) == NULL) {
        return false;
    }
    json_object *object = NULL;
    struct buf why = BUF_INIT;
    bool opened = false;
    if (jdoc_parse(buf_text(line), line->len, false, &object, &why) ==
        ERR_NONE) {
        const char *event = jdoc_string(object, "event");
        opened = event != NULL &&
                 strcmp(event, record_kind_name(RECORD_OPENED)) == 0;
        json_object_put(object);
    }
    buf_release(&why);
    return opened;
}

/* ---- games --------------------------------------------------------------- */

/* Add the line to those of this game; false: the game can't be read whole, and
 * the reader will say why of what there is. */
static bool
add_line(struct record_stream *stream)
{
    bool sound = !stream->line.cut;
    /* No game begins with another line, however many of them there are. */
    if (stream->text.len == 0 && !is_opened(&stream->line)) {
        sound = false;
    }
    buf_add_buf(&stream->text, &stream->line);
    if (stream->line.cut) {
        buf_add_char(&stream->text, '\n');
    }
    return sound && stream->text.len <= RECORD_GAME_TEXT_MAX;
}

/* Gather the lines up to the next that begins a game. */
static enum err
gather(struct record_stream *stream, struct buf *why)
{
    buf_clear(&stream->text);
    while (!stream->is_over || stream->is_ahead) {
        if (!stream->is_ahead) {
            enum err err = read_line(stream, why);
            if (err != ERR_NONE) {
                return err;
            }
        }
        stream->is_ahead = stream->text.len > 0 && is_opened(&stream->line);
        if (stream->is_ahead) {
            return ERR_NONE;
        }
        if (stream->line.len > 0 && !add_line(stream)) {
            stream->is_over = true;
        }
    }
    return ERR_NONE;
}

static enum err
read_game(struct record_stream *stream, struct record *record, struct buf *why)
{
    enum err err = record_read_from(stream->line_count, buf_text(&stream->text),
                                    stream->text.len, record, why);
    if (err == ERR_NONE && stream->text.len > RECORD_GAME_TEXT_MAX) {
        err = err_say(why, ERR_FULL,
                      "line %zu: the game that begins here is longer than %d "
                      "bytes",
                      stream->line_count + 1, RECORD_GAME_TEXT_MAX);
    } else if (err == ERR_NONE) {
        stream->line_count += record->games[0].line_count;
    }
    stream->is_begun = true;
    if (err != ERR_NONE) {
        stream->is_over = true;
        stream->is_ahead = false;
    }
    return err;
}

enum err
record_stream_next(struct record_stream *stream, struct record *record,
                   struct buf *why)
{
    memset(record, 0, sizeof *record);
    enum err err = gather(stream, why);
    if (err != ERR_NONE) {
        return err;
    }
    /* Leave it to the reader to refuse a file without any game. */
    if (stream->text.len == 0 && stream->is_begun) {
        return ERR_NONE;
    }
    return read_game(stream, record, why);
}
