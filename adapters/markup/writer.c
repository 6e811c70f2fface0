#include "adapters/markup/writer.h"

#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/quotes.h"

char
writer_last(const struct writer *writer)
{
    size_t len = writer->out->len;

    if (len == writer->line) {
        return '\n';
    }
    return writer->out->data[len - 1];
}

bool
writer_has(const struct writer *writer, int step, unsigned marks)
{
    const struct rich *rich = writer->rich;
    size_t index = writer->index + (size_t)step;

    return index < rich->count && (rich->runs[index].marks & marks) != 0;
}

size_t
writer_end_of(const struct writer *writer, unsigned mark)
{
    size_t end = writer->index;

    while (end < writer->rich->count &&
           (writer->rich->runs[end].marks & mark) != 0) {
        end++;
    }
    return end;
}

bool
writer_begins(const char *text, size_t len, const char *with)
{
    size_t i = 0;

    while (i < len && with[i] != '\0' && ascii_lower(text[i]) == with[i]) {
        i++;
    }
    return with[i] == '\0';
}

size_t
writer_add_sign(struct writer *writer, const char *text, size_t len)
{
    const char *const *sign = writer->tags->signs;

    for (; sign != NULL && *sign != NULL; sign += 2) {
        size_t long_is = strlen(*sign);

        if (len >= long_is && memcmp(text, *sign, long_is) == 0) {
            buf_add_text(writer->out, sign[1]);
            return long_is;
        }
    }
    return 0;
}

/* ---- what can be written ------------------------------------------------- */

/* Append a part of a run; U+200B apart if it escapes. */
static void
keep_text(const struct tags *tags, const struct rich *rich,
          const struct run *run, size_t id_len, unsigned marks,
          struct rich *kept)
{
    const char *id = rich_run_id(rich, run);
    const char *text = rich_run_text(rich, run);
    const char *end = text + run->len;

    while (text < end) {
        const char *guard = text;

        while (guard < end && !(tags->escapes && end - guard >= 3 &&
                                memcmp(guard, WRITER_GUARD, 3) == 0)) {
            guard++;
        }
        rich_add_mention_len(kept, id, id_len, text, (size_t)(guard - text),
                             marks);
        text = guard < end ? guard + 3 : end;
    }
}

/* Append what the dialect can say of a text. */
static void
keep(const struct tags *tags, const struct rich *rich, struct rich *kept)
{
    unsigned known = tags->lines ? MARK_QUOTED : 0;

    for (const struct tag *tag = tags->list; tag->mark != 0; tag++) {
        known |= tag->mark & ~(unsigned)MARK_MENTION;
    }
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        unsigned marks = run->marks & known;
        bool time = (run->marks & MARK_TIME) != 0;
        bool named = (run->marks & tags->bare) == 0 && tags->is_user != NULL &&
                     tags->is_user(rich_run_id(rich, run), run->id_len) &&
                     (!time || tags->times);

        marks |= named && time ? run->marks & (MARK_TIME | MARK_CLOCK) : 0;
        marks |= (run->marks & MARK_ADDRESS) != 0 && tags->is_address != NULL &&
                         tags->is_address(rich_run_text(rich, run), run->len,
                                          run->marks)
                     ? (unsigned)MARK_ADDRESS
                     : 0;
        keep_text(tags, rich, run, named ? run->id_len : 0, marks, kept);
    }
}

/* ---- tags ---------------------------------------------------------------- */

/* Is this mark open as the run wants it: a mention, of the same user? */
static bool
stays(const struct writer *writer, const struct run *run, unsigned mark)
{
    if (((writer->open ^ writer->want) & mark) != 0) {
        return false;
    }
    return mark != MARK_MENTION || (writer->want & mark) == 0 ||
           (writer->id_len == run->id_len &&
            memcmp(writer->id, rich_run_id(writer->rich, run), run->id_len) ==
                0);
}

/* Close the innermost tag, if that or another that is open has to end. */
static bool
close_tag(struct writer *writer, const struct run *run)
{
    const struct tag *tag = writer->tags->list;
    const struct tag *innermost = NULL;

    while (tag->mark != 0 && stays(writer, run, tag->mark)) {
        tag++;
    }
    for (; tag->mark != 0; tag++) {
        innermost = (writer->open & tag->mark) != 0 ? tag : innermost;
    }
    if (innermost == NULL) {
        return false;
    }
    writer->open &= ~innermost->mark;
    if (writer->tags->close != NULL) {
        writer->tags->close(writer, innermost);
    } else {
        bool code = innermost->mark == MARK_CODE && writer->code != NULL;
        buf_add_text(writer->out, code ? writer->code : innermost->close);
    }
    return true;
}

static bool
open_tag(struct writer *writer, const struct run *run)
{
    const struct tag *tag = writer->tags->list;

    while (tag->mark != 0 && (writer->want & ~writer->open & tag->mark) == 0) {
        tag++;
    }
    if (tag->mark == 0) {
        return false;
    }
    writer->open |= tag->mark;
    if (tag->mark == MARK_MENTION) {
        writer->id = rich_run_id(writer->rich, run);
        writer->id_len = run->id_len;
    }
    if (writer->tags->open != NULL) {
        writer->tags->open(writer, tag);
    } else {
        buf_add_text(writer->out, tag->open);
    }
    return true;
}

static void
begin_quoted_line(struct writer *writer)
{
    const struct buf *out = writer->out;

    if (out->len > 0 && out->data[out->len - 1] != '\n') {
        buf_add_char(writer->out, '\n');
    }
    buf_add_text(writer->out, "> ");
    writer->blank = true;
    writer->state = 0;
}

static void
write_run(struct writer *writer)
{
    const struct run *run = &writer->rich->runs[writer->index];

    if (writer->tags->lines && quotes_begin(writer->rich, writer->index)) {
        begin_quoted_line(writer);
    }
    writer->want =
        writer->tags->want == NULL ? run->marks : writer->tags->want(writer);
    while (close_tag(writer, run)) {
    }
    while (open_tag(writer, run)) {
    }
    writer->tags->write(writer, run);
}

void
writer_write(const struct tags *tags, const struct rich *rich, struct buf *out)
{
    struct rich kept = {.count = 0};
    struct rich parted = {.count = 0};
    struct writer writer = {.tags = tags,
                            .rich = tags->lines ? &parted : &kept,
                            .out = out,
                            .line = out->len,
                            .blank = true};

    keep(tags, rich, &kept);
    if (tags->lines) {
        quotes_part(&kept, &parted);
    }
    for (; writer.index < writer.rich->count; writer.index++) {
        write_run(&writer);
    }
    writer.want = 0;
    while (close_tag(&writer, NULL)) {
    }
    if (tags->end != NULL && writer.rich->count > 0) {
        tags->end(&writer);
    }
    rich_wipe(&kept);
    rich_wipe(&parted);
}
