/* Commands: lines that speak to the host. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

/* One line of a post as far as it is read. */
struct line {
    struct buf text;  /* what is seen outside cut-out regions */
    size_t spoken_to; /* bytes of a mention of the bot at its beginning */
    size_t bold_from, bold_to; /* the first that is bold; to 0: nothing */
    bool begun;                /* something but blanks stands on it */
    bool cut;                  /* it begins with a cut-out region */
};

static bool
is_blank_text(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(text, len, at, &codepoint);
        if (!letter_is_blank(codepoint) && !letter_is_unseen(codepoint)) {
            return false;
        }
    }
    return true;
}

static bool
mentions_bot(const struct rich *post, const struct run *run, const char *bot_id)
{
    return bot_id != NULL && (run->marks & MARK_MENTION) != 0 &&
           strlen(bot_id) == run->id_len &&
           memcmp(rich_run_id(post, run), bot_id, run->id_len) == 0;
}

/* Add a piece of one run to the line. */
static void
add_piece(struct line *line, const struct rich *post, const struct run *run,
          const char *text, size_t len, const char *bot_id)
{
    bool first = !line->begun && !is_blank_text(text, len);

    line->begun = line->begun || first;
    if (!first && (run->marks & MARKS_EXCLUDED) == MARK_ADDRESS) {
        /* The post that a command is about may be given as a link. */
        buf_add(&line->text, text, len);
        return;
    }
    if ((run->marks & MARKS_EXCLUDED) != 0) {
        line->cut = line->cut || first;
        buf_add_char(&line->text, ' ');
        return;
    }
    /* A mention may continue in a run with other marks. */
    bool on = line->spoken_to > 0 && line->spoken_to == line->text.len;
    buf_add(&line->text, text, len);
    if ((first || on) && mentions_bot(post, run, bot_id)) {
        line->spoken_to = line->text.len;
    } else if ((run->marks & MARK_BOLD) != 0 && line->bold_to == 0) {
        line->bold_from = line->text.len - len;
        line->bold_to = line->text.len;
    }
}

/* Where reading stands in a post. */
struct place {
    size_t run, at;
};

static void
next_line(const struct rich *post, const char *bot_id, struct place *place,
          struct line *line)
{
    bool ended = false;

    buf_clear(&line->text);
    line->spoken_to = 0;
    line->bold_from = 0;
    line->bold_to = 0;
    line->begun = false;
    line->cut = false;
    while (place->run < post->count && !ended) {
        const struct run *run = &post->runs[place->run];
        size_t end = run->start + run->len;
        const char *from = post->text.data + place->at;
        const char *feed = memchr(from, '\n', end - place->at);
        size_t len = feed == NULL ? end - place->at : (size_t)(feed - from);

        if (len > 0) {
            add_piece(line, post, run, from, len, bot_id);
        }
        ended = feed != NULL;
        place->at += len + (ended ? 1 : 0);
        place->run += place->at == end;
    }
}

/* Skip blanks and, after a mention, the punctuation that people put there. */
static size_t
skip_blanks(struct slice text, size_t at, bool marks)
{
    while (at < text.len) {
        int32_t codepoint = 0;
        size_t used = letter_next(text.text, text.len, at, &codepoint);
        bool mark = marks && (codepoint == ':' || codepoint == ',');
        if (!mark && !letter_is_blank(codepoint) &&
            !letter_is_unseen(codepoint)) {
            break;
        }
        at += used;
    }
    return at;
}

static size_t
word_end(struct slice text, size_t at)
{
    while (at < text.len) {
        int32_t codepoint = 0;
        size_t used = letter_next(text.text, text.len, at, &codepoint);
        if (letter_is_blank(codepoint)) {
            break;
        }
        at += used;
    }
    return at;
}

/* Does a word made of letters begin here? */
static bool
is_word_begin(struct slice text, size_t at)
{
    int32_t codepoint = 0;

    if (at >= text.len) {
        return false;
    }
    letter_next(text.text, text.len, at, &codepoint);
    return letter_is_word(codepoint);
}

static bool
read_command(const struct line *line, const char *prefix, struct buf *word,
             struct buf *rest)
{
    struct slice text = slice_of(&line->text);
    size_t prefix_len = strlen(prefix);
    bool spoken_to = line->spoken_to > 0;

    if (line->cut) {
        return false;
    }
    size_t at = skip_blanks(text, line->spoken_to, spoken_to);
    bool prefixed = prefix_len > 0 && text.len - at >= prefix_len &&
                    memcmp(text.text + at, prefix, prefix_len) == 0;
    if (prefixed) {
        at += prefix_len;
    }
    /* Bold is the act: "@host **Ja!**" is a vote, and no command. */
    bool act = !prefixed && at >= line->bold_from && at < line->bold_to;
    if ((!prefixed && !spoken_to) || act || !is_word_begin(text, at)) {
        return false;
    }
    size_t end = word_end(text, at);
    size_t after = skip_blanks(text, end, false);
    struct buf key = BUF_INIT;
    struct slice last =
        slice_trim((struct slice){text.text + after, text.len - after});

    name_key(text.text + at, end - at, &key);
    struct slice core = slice_core(slice_of(&key)); /* "join" of "!join!" */
    buf_add(word, core.text, core.len);
    buf_add(rest, last.text, last.len);
    buf_release(&key);
    return true;
}

/* The run that contains a position in the text. */
static size_t
run_at(const struct rich *post, size_t at)
{
    size_t low = 0;
    size_t high = post->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (post->runs[middle].start + post->runs[middle].len <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool
intent_command(const struct rich *post, const char *prefix, const char *bot_id,
               size_t *from, struct buf *word, struct buf *rest)
{
    struct line line = {.begun = false};
    struct place place = {run_at(post, *from), *from};
    bool found = false;

    while (place.run < post->count && !found) {
        next_line(post, bot_id, &place, &line);
        found = read_command(&line, prefix, word, rest);
    }
    *from = place.at;
    buf_release(&line.text);
    return found;
}

/* ---- almost a command ------------------------------------------------------
 */

/* Is the only command in a line one of the words?  Who lists several explains
 * them. */
static bool
has_prefixed(struct slice line, const char *prefix, const char *words)
{
    size_t len = strlen(prefix);
    bool found = false;

    for (size_t at = 0; len > 0 && at + len < line.len; at++) {
        struct slice rest = {line.text + at + len, line.len - at - len};
        if (memcmp(line.text + at, prefix, len) == 0 &&
            is_word_begin(rest, 0)) {
            struct buf key = BUF_INIT;
            bool other = found;
            name_key(rest.text, word_end(rest, 0), &key);
            found = list_has(words, slice_core(slice_of(&key)));
            buf_release(&key);
            if (other || !found) {
                return false;
            }
        }
    }
    return found;
}

/* Is a part of a line, up to a mark with a blank behind it, one of these? */
static bool
has_clause(const struct line *line, const char *phrases)
{
    struct buf key = BUF_INIT; /* "…" is three marks */
    size_t begin = 0;
    bool found = false;

    name_key(buf_text(&line->text), line->text.len, &key);
    const char *text = buf_text(&key);
    for (size_t at = 0; at <= key.len && !found; at++) {
        /* The end of the text is a mark, too. */
        if (strchr(".,;:!?", text[at]) != NULL &&
            (at == key.len || strchr(" .,;:!?", text[at + 1]) != NULL)) {
            struct buf loose = BUF_INIT;
            name_loose_key(text + begin, at - begin, &loose);
            found = list_has(phrases, slice_of(&loose));
            buf_release(&loose);
            begin = at + 1;
        }
    }
    buf_release(&key);
    return found;
}

bool
intent_says(const struct rich *post, const char *prefix, const char *command,
            const char *phrases)
{
    struct line line = {.begun = false};
    struct place place = {0, 0};
    bool found = false;

    while (place.run < post->count && !found) {
        next_line(post, NULL, &place, &line);
        found = !line.cut &&
                (has_clause(&line, command) || has_clause(&line, phrases) ||
                 has_prefixed(slice_of(&line.text), prefix, command));
    }
    buf_release(&line.text);
    return found;
}

void
intent_without_bot(const struct rich *post, const char *bot_id,
                   struct rich *rest)
{
    for (size_t i = 0; i < post->count; i++) {
        const struct run *run = &post->runs[i];

        if (!mentions_bot(post, run, bot_id)) {
            rich_add_part(rest, post, run->start, run->len);
        }
    }
}
