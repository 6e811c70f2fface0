/* E9: what was meant as an act, and is none. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    TAG_MAX = 60,   /* bytes of a tag, "[color=#ff0000]" */
    FEW_WORDS = 5,  /* so short a line is no talk, whatever its words */
    EMOJI_MAX = 32, /* bytes of ":thumbsup:" */
    RIGHT_QUOTE = 0x2019,
};

/* Around a vote word; commands that would be acts. */
static const char english_voting[] =
    "i im my vote votes voting unvote is how do for goes";
static const char english_acts[] =
    "vote voting unvote discard enact pass keep play policy veto approve "
    "approved decline declined agree";

/* Tags of any service that change how text looks, or whom it names. */
static const char tags[] =
    "b strong bold i em u s color colour size font center left right span div "
    "p big mark h1 h2 h3 vote user mention url highlight";

/* What is looked through for marks. */
struct scan {
    struct slice text;
    size_t at;
    bool names; /* an "@name" stays */
    unsigned opened, closed, stars, lines;
    bool ticks, command;
    struct buf words;
};

/* A blank beyond the end. */
static char
byte_at(const struct scan *scan, size_t at)
{
    static const char blank = ' ';
    return at < scan->text.len ? scan->text.text[at] : blank;
}

static bool
is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* The bytes of a tag here, "[b]", "</strong>"; 0: there is none. */
static size_t
skip_tag(struct scan *scan)
{
    int end = byte_at(scan, scan->at) == '[' ? ']' : '>';
    size_t begin = scan->at + 1;
    bool closes = byte_at(scan, begin) == '/';
    struct buf name = BUF_INIT;
    begin += closes;
    size_t past = begin;
    while (is_letter(byte_at(scan, past)) ||
           (past > begin && strchr("123", byte_at(scan, past)) != NULL)) {
        past++;
    }
    name_key(scan->text.text + begin, past - begin, &name);
    const char *last =
        list_has(tags, slice_of(&name))
            ? memchr(scan->text.text + past, end,
                     scan->text.len - past < TAG_MAX ? scan->text.len - past
                                                     : TAG_MAX)
            : NULL;
    if (last != NULL && list_has("b strong bold", slice_of(&name))) {
        scan->opened += !closes;
        scan->closed += closes;
    }
    buf_release(&name);
    return last == NULL ? 0 : (size_t)(last - scan->text.text) + 1 - scan->at;
}

/* The bytes of a smiley here, ":tada:", ";P"; 0: there is none. */
static size_t
skip_smiley(const struct scan *scan)
{
    size_t end = scan->at + 1;
    if (is_letter(byte_at(scan, end)) && !is_letter(byte_at(scan, end + 1))) {
        return 2;
    }
    while (is_letter(byte_at(scan, end)) ||
           strchr("0123456789_+-", byte_at(scan, end)) != NULL) {
        end++;
    }
    size_t len = end - scan->at;
    return len > 1 && len < EMOJI_MAX && byte_at(scan, end) == ':' ? len + 1
                                                                   : 0;
}

/* The bytes of a run of stars or lines here.  Those that touch a word on one
 * side alone are marks. */
static size_t
skip_marks(struct scan *scan)
{
    char mark = byte_at(scan, scan->at);
    size_t end = scan->at;
    while (byte_at(scan, end) == mark) {
        end++;
    }
    bool begins = scan->at == 0 || byte_at(scan, scan->at - 1) == ' ';
    if (begins != (byte_at(scan, end) == ' ')) {
        *(mark == '*' ? &scan->stars : &scan->lines) += 1;
    }
    return end - scan->at;
}

/* An "@name" of somebody who is spoken to. */
static size_t
skip_address(const struct scan *scan)
{
    const char *text = scan->text.text + scan->at;
    const char *end = memchr(text, ' ', scan->text.len - scan->at);
    return end == NULL ? scan->text.len - scan->at : (size_t)(end - text);
}

static size_t
skip_mark(struct scan *scan)
{
    switch (byte_at(scan, scan->at)) {
    case '[':
    case '<':
        return skip_tag(scan);
    case ':':
    case ';':
        return skip_smiley(scan);
    case '*':
    case '_':
        return skip_marks(scan);
    case '@':
        return scan->names ? 0 : skip_address(scan);
    case '`':
        scan->ticks = true;
        break;
    default:
        break;
    }
    return 0;
}

static void
add_words(struct scan *scan)
{
    while (scan->at < scan->text.len) {
        int32_t codepoint = 0;
        size_t skipped = skip_mark(scan);
        size_t used =
            letter_next(scan->text.text, scan->text.len, scan->at, &codepoint);
        bool joint = codepoint == '\'' || codepoint == RIGHT_QUOTE;
        if (skipped == 0 && joint) {
            buf_add_char(&scan->words, '\'');
        } else if (skipped == 0 &&
                   (letter_is_word(codepoint) || letter_is_unseen(codepoint))) {
            buf_add(&scan->words, scan->text.text + scan->at, used);
        } else {
            buf_add_char(&scan->words, ' ');
        }
        scan->at += skipped == 0 ? used : skipped;
    }
}

/* Skip what begins a command, ours or a service's. */
static void
skip_prefix(struct scan *scan, const struct reading *reading)
{
    size_t len = reading->prefix == NULL ? 0 : strlen(reading->prefix);
    scan->at = strspn(scan->text.text, " ");
    const char *text = scan->text.text + scan->at;
    bool ours = len > 0 && strncmp(text, reading->prefix, len) == 0;
    len = ours ? len : *text == '/';
    scan->command = len > 0 && is_letter(byte_at(scan, scan->at + len));
    scan->at += scan->command ? len : 0;
}

static enum slip
slip_of(const struct scan *scan, const struct reading *reading, unsigned marks)
{
    bool red = scan->names && !reading->bold_names;
    if (scan->command) {
        return SLIP_COMMAND;
    }
    if (scan->ticks || (marks & MARK_CODE) != 0) {
        return SLIP_CODE;
    }
    if ((marks & MARK_SPOILER) != 0) {
        return SLIP_HIDDEN;
    }
    if (scan->opened != scan->closed || scan->stars == 1) {
        return SLIP_UNCLOSED;
    }
    if (scan->opened + scan->stars + scan->lines > 0) {
        return SLIP_MARKS;
    }
    if (red && (marks & MARK_BOLD) != 0) {
        return SLIP_BLACK;
    }
    return red && (marks & MARK_RED) != 0 ? SLIP_THIN : SLIP_UNBOLD;
}

/* Add what a run shows on the line. */
static void
add_run(const struct rich *post, const struct reading *reading,
        const struct run *run, struct slice text, struct meant *line)
{
    unsigned cut =
        run->marks & (unsigned)(MARKS_EXCLUDED & ~MARK_CODE & ~MARK_SPOILER);
    if (cut != 0 || ((run->marks & MARK_MENTION) != 0 && !line->names)) {
        buf_add_char(&line->raw, ' ');
        return;
    }
    line->marks |= text.len > 0 ? run->marks : 0;
    buf_add(&line->raw, text.text, text.len);
    unsigned player =
        (run->marks & MARK_MENTION) == 0
            ? reading->player_count
            : player_with_id(reading, rich_run_id(post, run), run->id_len);
    line->mentioned |= player < reading->player_count ? player_bit(player) : 0;
}

static void
find_words(const struct reading *reading, struct meant *line)
{
    struct buf key = BUF_INIT;
    struct scan scan = {.text = slice_of(&line->raw), .names = line->names};
    skip_prefix(&scan, reading);
    add_words(&scan);
    line->slip = slip_of(&scan, reading, line->marks);
    buf_clear(&line->words);
    name_key(buf_text(&scan.words), scan.words.len, &line->words);
    name_key(buf_text(&line->raw), line->raw.len, &key);
    buf_clear(&line->raw);
    buf_add_buf(&line->raw, &key);
    line->asks = key.len > 0 && key.data[key.len - 1] == '?';
    buf_release(&key);
    buf_release(&scan.words);
}

bool
meant_next(const struct rich *post, const struct reading *reading,
           struct meant *line)
{
    bool ended = false;
    buf_clear(&line->raw);
    line->marks = 0;
    line->mentioned = 0;
    line->names =
        reading->phase == PHASE_NOMINATION || reading->phase == PHASE_EXECUTIVE;
    if (line->run == post->count) {
        return false;
    }
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
    find_words(reading, line);
    return true;
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
    struct buf loose = BUF_INIT;
    name_loose_key(word.text, word.len, &loose);
    bool found = list_has(reading->voting, slice_of(&loose)) ||
                 list_has(english_voting, slice_of(&loose));
    buf_release(&loose);
    return found;
}

bool
meant_is_talk(const struct reading *reading, const struct meant *line)
{
    const char *words = buf_text(&line->words);
    struct slice word;
    unsigned count = 0;
    bool names = false;
    bool doubts = line->asks;
    while (list_next(&words, &word)) {
        names = names || word_is_naming(reading, word);
        doubts = doubts || word_is_doubt(reading, word);
        count++;
    }
    return doubts || (!names && count > FEW_WORDS);
}

bool
intent_is_act_word(const struct reading *reading, const char *text)
{
    struct slice word = {text, strlen(text)};
    unsigned player = 0;
    bool found = list_has(english_acts, word) ||
                 list_has(reading->voting, word) ||
                 list_has(reading->approved, word) ||
                 list_has(reading->declined, word) ||
                 word_is_naming(reading, word) || votes_has(reading, word);
    for (unsigned i = 0; !found && i < CARD_WORDS; i++) {
        found = list_has(reading->cards[i], word);
    }
    return found || intent_find_player(reading, text, word.len, &player);
}

enum slip
intent_nearly(const struct rich *post, const struct reading *reading,
              unsigned *player)
{
    switch (reading->phase) {
    case PHASE_NOMINATION:
    case PHASE_EXECUTIVE:
        return names_nearly(post, reading, player);
    case PHASE_VOTING:
    case PHASE_VETO_CHANCELLOR:
    case PHASE_VETO_PRESIDENT:
        return votes_nearly(post, reading);
    case PHASE_DM_PRESIDENT:
    case PHASE_DM_CHANCELLOR:
    case PHASE_DM_BALLOT:
        break;
    }
    return SLIP_NONE;
}
