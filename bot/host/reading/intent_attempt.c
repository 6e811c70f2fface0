/* E9: what was meant as an act, and is none. */
#include <string.h>

#include "bot/base/text.h"
#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    FEW_WORDS = 5, /* so short a line is no talk, whatever its words */
    REGIONS = MARK_QUOTED | MARK_CODE | MARK_STRUCK | MARK_SPOILER,
    RIGHT_QUOTE = 0x2019,
};

/* What stands around a vote word: talk of voting, and the tags of services. */
static const char english_voting[] =
    "im my vote votes voting unvote is how do for goes strong bold em color "
    "colour size red";

static enum slip
slip_of(const struct reading *reading, const struct meant *line)
{
    const char *raw = buf_text(&line->raw);
    bool red = line->names && !reading->bold_names;
    unsigned begun = text_count(raw, "[b]") + text_count(raw, "<b>") +
                     text_count(raw, "<strong>");
    unsigned ended = text_count(raw, "[/b]") + text_count(raw, "</b>") +
                     text_count(raw, "</strong>");
    if (line->ordered) {
        return SLIP_COMMAND;
    }
    if (strchr(raw, '`') != NULL || (line->marks & MARK_CODE) != 0) {
        return SLIP_CODE;
    }
    if ((line->marks & (MARK_SPOILER | MARK_QUOTED | MARK_STRUCK)) != 0) {
        return SLIP_HIDDEN;
    }
    if (begun != ended || text_count(raw, "**") % 2 == 1) {
        return SLIP_UNCLOSED;
    }
    if (begun > 0 || strchr(raw, '*') != NULL || strstr(raw, "__") != NULL) {
        return SLIP_MARKS;
    }
    if (red && (line->marks & (MARK_BOLD | MARK_RED)) != 0) {
        return (line->marks & MARK_BOLD) != 0 ? SLIP_BLACK : SLIP_THIN;
    }
    return SLIP_UNBOLD;
}

/* Add the loose key of each word but those of one letter, as tags and smileys
 * have them, "@names" and ":emoji:". */
static void
find_words(struct meant *line)
{
    const char *raw = buf_text(&line->raw);
    size_t begin = 0;

    buf_clear(&line->words);
    for (size_t at = 0; at <= line->raw.len;) {
        int32_t codepoint = ' ';
        char before = raw[begin == 0 ? line->raw.len : begin - 1];
        size_t used = 1;
        if (at < line->raw.len) {
            used = letter_next(raw, line->raw.len, at, &codepoint);
        }
        if (!letter_is_word(codepoint) && codepoint != '\'' &&
            codepoint != RIGHT_QUOTE) {
            bool emoji = before == ':' && raw[at] == ':';
            if (at > begin + 1 && before != '@' && !emoji) {
                name_loose_key(raw + begin, at - begin, &line->words);
                buf_add_char(&line->words, ' ');
            }
            begin = at + used;
        }
        at += used;
    }
}

/* Does a post show nothing outside of quotes and other excluded regions? */
static bool
is_excluded(const struct rich *post)
{
    bool only = true;
    for (size_t i = 0; i < post->count; i++) {
        const struct run *run = &post->runs[i];
        struct slice text = {rich_run_text(post, run), run->len};
        only =
            only && ((run->marks & REGIONS) != 0 || slice_trim(text).len == 0);
    }
    return only;
}

/* Add what a run shows on the line; of what is quoted or struck what is bold,
 * if there is nothing else. */
static void
add_run(const struct rich *post, const struct reading *reading,
        const struct run *run, struct slice part, struct meant *line)
{
    unsigned cut = MARKS_EXCLUDED & ~(unsigned)(MARK_CODE | MARK_SPOILER);
    unsigned player = reading->player_count;
    if (line->excluded && (run->marks & MARK_BOLD) != 0) {
        cut = MARK_OBJECT | MARK_ADDRESS;
    }
    if ((run->marks & (cut | (line->names ? 0 : MARK_MENTION))) != 0) {
        buf_add_char(&line->raw, ' ');
        return;
    }
    line->marks |= part.len > 0 ? run->marks : 0;
    buf_add(&line->raw, part.text, part.len);
    if ((run->marks & MARK_MENTION) != 0) {
        player = player_with_id(reading, rich_run_id(post, run), run->id_len);
    }
    line->mentioned |= player < reading->player_count ? player_bit(player) : 0;
}

bool
meant_next(const struct rich *post, const struct reading *reading,
           struct meant *line)
{
    const char *prefix = reading->prefix == NULL ? "/" : reading->prefix;
    struct buf key = BUF_INIT;
    bool more = line->run < post->count;
    bool ended = false;

    if (line->run == 0 && line->at == 0) {
        line->excluded = is_excluded(post);
    }
    buf_clear(&line->raw);
    line->marks = 0;
    line->mentioned = 0;
    line->names =
        reading->phase == PHASE_NOMINATION || reading->phase == PHASE_EXECUTIVE;
    while (line->run < post->count && !ended) {
        const struct run *run = &post->runs[line->run];
        size_t end = run->start + run->len;
        const char *from = post->text.data + line->at;
        const char *feed = memchr(from, '\n', end - line->at);
        size_t len = feed == NULL ? end - line->at : (size_t)(feed - from);
        ended = feed != NULL;
        add_run(post, reading, run, (struct slice){from, len}, line);
        line->at += len + (ended ? 1 : 0);
        line->run += line->at == end;
    }
    name_key(buf_text(&line->raw), line->raw.len, &key);
    buf_clear(&line->raw);
    buf_add_buf(&line->raw, &key);
    find_words(line);
    line->ordered = line->words.len > 0 &&
                    (*buf_text(&key) == '/' ||
                     strncmp(buf_text(&key), prefix, strlen(prefix)) == 0);
    line->slip = slip_of(reading, line);
    buf_release(&key);
    return more;
}

void
meant_release(struct meant *line)
{
    buf_release(&line->raw);
    buf_release(&line->words);
}

bool
meant_is_voting(const struct reading *reading, struct slice word)
{
    return list_has(reading->voting, word) || list_has(english_voting, word);
}

bool
meant_is_talk(const struct reading *reading, const struct meant *line)
{
    const char *words = buf_text(&line->words);
    struct slice word;
    unsigned count = 0;
    bool names = false;
    bool doubts = strchr(buf_text(&line->raw), '?') != NULL;
    while (list_next(&words, &word)) {
        names = names || word_is_naming(reading, word);
        doubts = doubts || word_is_doubt(reading, word);
        count++;
    }
    return doubts || (!names && count > FEW_WORDS);
}
