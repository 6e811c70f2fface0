#include <string.h>
#include <utf8proc.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    TEXT_MAX = 40, /* code points of a player's text that are quoted */
    COUNT_MAX = 8, /* characters of a count in brackets, "( 12 )" */
    RIGHT_QUOTE = 0x2019,
    HYPHEN = 0x2010,
    FIRM_HYPHEN = 0x2011,
    FIRM_BLANK = 0xA0,
    FIRM_THIN_BLANK = 0x202F,
    LEFT_TO_RIGHT = 0x202D,
    RIGHT_TO_LEFT = 0x202E,
    OPENING_MARK = 0xA1,
    HEAVY_MARK = 0x2757,
    WHITE_MARK = 0x2755,
};

/* ---- slices of keys ------------------------------------------------------ */

struct slice
slice_of(const struct buf *key)
{
    return (struct slice){buf_text(key), key->len};
}

bool
slice_equals(struct slice one, struct slice other)
{
    return one.len == other.len && memcmp(one.text, other.text, one.len) == 0;
}

bool
list_next(const char **list, struct slice *word)
{
    const char *at = *list;

    while (at != NULL && *at == ' ') {
        at++;
    }
    if (at == NULL || *at == '\0') {
        return false;
    }
    word->text = at;
    while (*at != ' ' && *at != '\0') {
        at++;
    }
    word->len = (size_t)(at - word->text);
    *list = at;
    return true;
}

bool
list_has(const char *list, struct slice word)
{
    struct slice listed;

    while (list_next(&list, &listed)) {
        if (slice_equals(word, listed)) {
            return true;
        }
    }
    return false;
}

bool
letter_is_free_mark(int32_t codepoint)
{
    return codepoint == '!' || codepoint == '.' || codepoint == OPENING_MARK ||
           codepoint == HEAVY_MARK || codepoint == WHITE_MARK;
}

static bool
is_free(int32_t codepoint)
{
    return letter_is_free_mark(codepoint) || letter_is_blank(codepoint);
}

static bool
is_no_word(int32_t codepoint)
{
    return !letter_is_word(codepoint);
}

/* Step back to the beginning of the character that ends before `at`. */
static size_t
letter_before(const char *text, size_t at, int32_t *codepoint)
{
    size_t begin = at - 1;

    while (begin > 0 && at - begin < 4 &&
           ((unsigned char)text[begin] & 0xC0) == 0x80) {
        begin--;
    }
    letter_next(text, at, begin, codepoint);
    return begin;
}

static struct slice
strip(struct slice key, bool (*goes)(int32_t codepoint))
{
    size_t begin = 0;
    size_t end = key.len;
    int32_t codepoint = 0;

    while (begin < end) {
        size_t used = letter_next(key.text, end, begin, &codepoint);
        if (!goes(codepoint)) {
            break;
        }
        begin += used;
    }
    while (end > begin) {
        size_t before = letter_before(key.text, end, &codepoint);
        if (!goes(codepoint)) {
            break;
        }
        end = before;
    }
    return (struct slice){key.text + begin, end - begin};
}

struct slice
slice_strip(struct slice key)
{
    return strip(key, is_free);
}

struct slice
slice_trim(struct slice text)
{
    return strip(text, letter_is_blank);
}

struct slice
slice_core(struct slice key)
{
    return strip(key, is_no_word);
}

bool
slice_word_at(struct slice key, size_t at, struct slice word)
{
    int32_t inside = 0;
    int32_t outside = 0;

    if (word.len == 0 || word.len > key.len - at ||
        key.text[at] != word.text[0] ||
        memcmp(key.text + at, word.text, word.len) != 0) {
        return false;
    }
    if (at > 0) {
        letter_before(key.text, at, &outside);
        letter_next(word.text, word.len, 0, &inside);
        if (letter_is_word(outside) && letter_is_word(inside)) {
            return false;
        }
    }
    size_t end = at + word.len;
    if (end < key.len) {
        letter_next(key.text, key.len, end, &outside);
        letter_before(word.text, word.len, &inside);
        return !letter_is_word(outside) || !letter_is_word(inside);
    }
    return true;
}

bool
slice_holds_word(struct slice key, struct slice word)
{
    size_t at = 0;
    bool found = false;

    while (!found && word.len > 0 && at < key.len) {
        const char *first = memchr(key.text + at, word.text[0], key.len - at);
        at = first == NULL ? key.len : (size_t)(first - key.text);
        found = first != NULL && slice_word_at(key, at, word);
        at++;
    }
    return found;
}

size_t
slice_codepoints(struct slice key)
{
    size_t count = 0;

    for (size_t i = 0; i < key.len; i++) {
        count += ((unsigned char)key.text[i] & 0xC0) != 0x80;
    }
    return count;
}

/* ---- stretches ----------------------------------------------------------- */

static bool
is_bold(const struct run *run)
{
    return (run->marks & MARK_BOLD) != 0 && (run->marks & MARKS_EXCLUDED) == 0;
}

static bool
is_red(const struct run *run)
{
    return (run->marks & MARK_RED) != 0;
}

bool
stretch_next(const struct rich *post, bool by_colour, size_t *run,
             struct stretch *stretch)
{
    size_t first = *run;

    while (first < post->count && !is_bold(&post->runs[first])) {
        first++;
    }
    *run = first;
    if (first == post->count) {
        return false;
    }
    *stretch = (struct stretch){.run = first,
                                .start = post->runs[first].start,
                                .red = is_red(&post->runs[first])};
    /* A line feed is never bold, so a stretch stays on its line. */
    while (*run < post->count && is_bold(&post->runs[*run]) &&
           (!by_colour || is_red(&post->runs[*run]) == stretch->red)) {
        stretch->len += post->runs[*run].len;
        (*run)++;
    }
    stretch->past = *run;
    return true;
}

/* What a character outside a stretch is taken for: of a full-width or joined
 * mark ("：", "⁉") its plain form, a question mark if there is one in it.
 * Blanks that do not break stay themselves. */
static int32_t
plain_form(int32_t codepoint)
{
    utf8proc_int32_t parts[32];
    int boundary = 0;

    if (codepoint < 0x80 || codepoint == FIRM_BLANK ||
        codepoint == FIRM_THIN_BLANK) {
        return codepoint;
    }
    utf8proc_ssize_t count = utf8proc_decompose_char(
        codepoint, parts, 32, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &boundary);
    if (count < 1 || count > 32) {
        return codepoint;
    }
    for (utf8proc_ssize_t i = 1; i < count; i++) {
        if (parts[i] == '?') {
            return '?';
        }
    }
    return parts[0];
}

static bool
is_excluded(const struct run *run)
{
    return (run->marks & MARKS_EXCLUDED) != 0;
}

int32_t
spot_step(struct spot *spot)
{
    const struct rich *post = spot->post;
    int32_t codepoint = 0;

    if (spot->run == post->count || post->text.data[spot->at] == '\n') {
        return LINE_END;
    }
    const struct run *run = &post->runs[spot->run];
    size_t end = run->start + run->len;
    if (is_excluded(run)) {
        const char *feed =
            memchr(post->text.data + spot->at, '\n', end - spot->at);
        spot->at = feed == NULL ? end : (size_t)(feed - post->text.data);
        codepoint = CUT_OUT;
    } else {
        spot->at += letter_next(post->text.data, end, spot->at, &codepoint);
        codepoint = plain_form(codepoint);
    }
    if (spot->at == end) {
        spot->run++;
    }
    return codepoint;
}

/* The same backwards. */
static int32_t
step_back(struct spot *spot)
{
    const struct rich *post = spot->post;
    int32_t codepoint = 0;

    if (spot->at == 0 || post->text.data[spot->at - 1] == '\n') {
        return LINE_END;
    }
    if (spot->run == post->count || spot->at == post->runs[spot->run].start) {
        spot->run--;
    }
    const struct run *run = &post->runs[spot->run];
    if (is_excluded(run)) {
        while (spot->at > run->start && post->text.data[spot->at - 1] != '\n') {
            spot->at--;
        }
        return CUT_OUT;
    }
    spot->at = letter_before(post->text.data, spot->at, &codepoint);
    return plain_form(codepoint);
}

/* The same, but skip invisible characters first. */
static int32_t
step_seen(struct spot *spot)
{
    int32_t codepoint = spot_step(spot);

    while (codepoint >= 0 && letter_is_unseen(codepoint)) {
        codepoint = spot_step(spot);
    }
    return codepoint;
}

static int32_t
step_back_seen(struct spot *spot)
{
    int32_t codepoint = step_back(spot);

    while (codepoint >= 0 && letter_is_unseen(codepoint)) {
        codepoint = step_back(spot);
    }
    return codepoint;
}

static struct spot
spot_before(const struct rich *post, const struct stretch *stretch)
{
    return (struct spot){post, stretch->run, stretch->start};
}

struct spot
spot_behind(const struct rich *post, const struct stretch *stretch)
{
    return (struct spot){post, stretch->past, stretch->start + stretch->len};
}

static bool
is_word(int32_t codepoint)
{
    return codepoint >= 0 && letter_is_word(codepoint);
}

static bool
is_blank(int32_t codepoint)
{
    return codepoint >= 0 && letter_is_blank(codepoint);
}

/* What joins two halves of a word: "Ja-Sager", "Anna's". */
static bool
is_joint(int32_t codepoint)
{
    return codepoint == '\'' || codepoint == RIGHT_QUOTE || codepoint == '-' ||
           codepoint == '_' || codepoint == HYPHEN || codepoint == FIRM_HYPHEN;
}

/* The first and last character of a stretch that people see; 0: there is
 * none. */
static void
ends_of(const struct rich *post, const struct stretch *stretch, int32_t *first,
        int32_t *last)
{
    const char *text = post->text.data + stretch->start;

    *first = 0;
    *last = 0;
    for (size_t at = 0; at < stretch->len && *first == 0;) {
        int32_t codepoint = 0;
        at += letter_next(text, stretch->len, at, &codepoint);
        *first = letter_is_unseen(codepoint) ? 0 : codepoint;
    }
    for (size_t at = stretch->len; at > 0 && *last == 0;) {
        int32_t codepoint = 0;
        at = letter_before(text, at, &codepoint);
        *last = letter_is_unseen(codepoint) ? 0 : codepoint;
    }
}

static bool
is_piece(const struct rich *post, const struct stretch *stretch)
{
    struct spot before = spot_before(post, stretch);
    struct spot behind = spot_behind(post, stretch);
    int32_t first = 0;
    int32_t last = 0;

    ends_of(post, stretch, &first, &last);
    if (is_word(first)) {
        int32_t near = step_back_seen(&before);
        if (is_word(near) ||
            (is_joint(near) && is_word(step_back_seen(&before)))) {
            return true;
        }
    }
    if (is_word(last)) {
        int32_t near = step_seen(&behind);
        return is_word(near) || (is_joint(near) && is_word(step_seen(&behind)));
    }
    return false;
}

/* Skip a count in brackets, " (3)"; false: there is none. */
static bool
skip_count(struct spot *spot)
{
    int32_t codepoint = step_seen(spot);
    bool digit = false;

    while (is_blank(codepoint)) {
        codepoint = step_seen(spot);
    }
    if (codepoint != '(' && codepoint != '[') {
        return false;
    }
    for (int i = 0; i < COUNT_MAX; i++) {
        codepoint = step_seen(spot);
        if (codepoint == ')' || codepoint == ']') {
            return digit;
        }
        if (codepoint >= '0' && codepoint <= '9') {
            digit = true;
        } else if (!is_blank(codepoint)) {
            return false;
        }
    }
    return false;
}

/* Is it a label: a colon here, and then a blank or nothing?  ":)" is none. */
static bool
is_label(struct spot spot)
{
    if (step_seen(&spot) != ':') {
        return false;
    }
    int32_t next = step_seen(&spot);
    return next < 0 || is_blank(next);
}

enum edge
stretch_edge(const struct rich *post, const struct stretch *stretch)
{
    struct spot here = spot_behind(post, stretch);
    struct spot next = here;

    if (is_piece(post, stretch)) {
        return EDGE_PIECE;
    }
    int32_t mark = step_seen(&next);
    /* The French put a blank that does not break before "?" and ":". */
    while (letter_is_free_mark(mark) || mark == FIRM_BLANK ||
           mark == FIRM_THIN_BLANK) {
        here = next;
        mark = step_seen(&next);
    }
    if (mark == '?') {
        return EDGE_QUESTION;
    }
    struct spot counted = here;
    if (is_label(here) || (skip_count(&counted) && is_label(counted))) {
        return EDGE_LABEL;
    }
    return mark == ',' ? EDGE_COMMA : EDGE_FREE;
}

bool
spot_line_begin(const struct rich *post, const struct stretch *stretch,
                unsigned most, struct spot *begin)
{
    struct spot before = spot_before(post, stretch);
    unsigned steps = 0;

    do {
        *begin = before;
    } while (step_back(&before) != LINE_END && ++steps <= most);
    return steps <= most;
}

bool
stretch_is_alone(const struct rich *post, const struct stretch *stretch)
{
    struct spot before = spot_before(post, stretch);
    struct spot behind = spot_behind(post, stretch);
    int32_t codepoint = 0;

    do {
        codepoint = step_back_seen(&before);
    } while (codepoint == CUT_OUT || (codepoint >= 0 && is_free(codepoint)));
    if (codepoint != LINE_END) {
        return false;
    }
    do {
        codepoint = step_seen(&behind);
    } while (codepoint == CUT_OUT || (codepoint >= 0 && is_free(codepoint)));
    return codepoint == LINE_END;
}

bool
stretch_says_something(const struct rich *post, const struct stretch *stretch)
{
    const char *text = post->text.data + stretch->start;

    for (size_t at = 0; at < stretch->len;) {
        int32_t codepoint = 0;
        at += letter_next(text, stretch->len, at, &codepoint);
        if (!letter_is_unseen(codepoint) &&
            (letter_is_word(codepoint) || letter_is_symbol(codepoint))) {
            return true;
        }
    }
    return false;
}

bool
stretch_is_turned(const struct rich *post, const struct stretch *stretch)
{
    const char *text = post->text.data + stretch->start;

    for (size_t at = 0; at < stretch->len;) {
        int32_t codepoint = 0;
        at += letter_next(text, stretch->len, at, &codepoint);
        if (codepoint == LEFT_TO_RIGHT || codepoint == RIGHT_TO_LEFT) {
            return true;
        }
    }
    return false;
}

void
stretch_key(const struct rich *post, const struct stretch *stretch,
            struct buf *key)
{
    name_key(post->text.data + stretch->start, stretch->len, key);
}

/* ---- findings and the tally ---------------------------------------------- */

void
finding_set_word(struct finding *finding, struct slice word)
{
    size_t len = word.len;

    if (len > sizeof finding->word - 1) {
        len = sizeof finding->word - 1;
        while (len > 0 && ((unsigned char)word.text[len] & 0xC0) == 0x80) {
            len--;
        }
    }
    memcpy(finding->word, word.text, len);
    finding->word[len] = '\0';
}

unsigned
values_count(uint32_t values)
{
    unsigned count = 0;

    for (; values != 0; values &= values - 1) {
        count++;
    }
    return count;
}

void
tally_add(struct tally *tally, const struct finding *finding,
          const struct stretch *stretch)
{
    struct finding *first = &tally->silent;
    struct stretch *at = &tally->silent_at;

    if (finding->acts) {
        tally->acts |= finding->values;
        first = &tally->act;
        at = &tally->act_at;
    } else if (finding->question != ASK_NONE) {
        tally->dms |= finding->values;
        tally->unclear = tally->unclear || finding->values == 0;
        tally->asked++;
        first = &tally->ask;
        at = &tally->ask_at;
    }
    if (first->rule == NULL) {
        *first = *finding;
        *at = *stretch;
    }
}

void
finding_explain(const struct finding *finding, const struct intent *intent,
                struct buf *why)
{
    const char *end = "it is only talk";

    if (finding->acts) {
        end = "it counts";
    } else if (finding->question != ASK_NONE) {
        end = "nothing was counted";
    }
    buf_addf(why, "%s: “%s” %s, so %s", finding->rule, intent->text,
             finding->says, end);
}

static void
set_text_at(struct intent *intent, const struct rich *post,
            const struct stretch *stretch)
{
    intent_set_text(intent, buf_text(&post->text) + stretch->start,
                    stretch->len);
}

/* Why a post says nothing. */
static void
explain_none(const struct tally *tally, const struct rich *post,
             struct intent *intent, struct buf *why)
{
    unsigned bold = 0;

    if (tally->silent.rule != NULL) {
        set_text_at(intent, post, &tally->silent_at);
        finding_explain(&tally->silent, intent, why);
        return;
    }
    for (size_t i = 0; i < post->count; i++) {
        bold |= post->runs[i].marks & MARK_BOLD;
    }
    buf_add_text(why, bold == 0
                          ? "R3: nothing in this post is bold, so it is only "
                            "talk"
                          : "R2: what is quoted, code, struck out or folded "
                            "is not read, and nothing else that is bold says "
                            "anything");
}

enum outcome
tally_conclude(const struct tally *tally, const struct rich *post,
               struct intent *intent, struct buf *why)
{
    bool ask = tally->asked > 0;

    if (values_count(tally->acts | tally->dms) >= 2) {
        set_text_at(intent, post, ask ? &tally->ask_at : &tally->act_at);
        return OUTCOME_BOTH;
    }
    if (tally->acts != 0) {
        set_text_at(intent, post, &tally->act_at);
        finding_explain(&tally->act, intent, why);
        return OUTCOME_ACT;
    }
    if (ask) {
        set_text_at(intent, post, &tally->ask_at);
        intent->question = tally->ask.question;
        memcpy(intent->word, tally->ask.word, sizeof intent->word);
        finding_explain(&tally->ask, intent, why);
        return OUTCOME_ASK;
    }
    explain_none(tally, post, intent, why);
    return OUTCOME_NONE;
}

/* ---- texts --------------------------------------------------------------- */

void
intent_set_text(struct intent *intent, const char *text, size_t len)
{
    struct buf shown = BUF_INIT;
    unsigned count = 0;
    bool gap = false;

    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(text, len, at, &codepoint);
        bool blank = codepoint < ' ' || letter_is_blank(codepoint);
        if (blank || letter_is_unseen(codepoint)) {
            gap = gap || (blank && count > 0);
            continue;
        }
        if (count + (gap ? 1U : 0U) >= TEXT_MAX) {
            buf_add_text(&shown, "…");
            break;
        }
        if (gap) {
            buf_add_char(&shown, ' ');
            count++;
        }
        gap = false;
        buf_add_codepoint(&shown, (uint32_t)codepoint);
        count++;
    }
    memcpy(intent->text, buf_text(&shown), shown.len);
    intent->text[shown.len] = '\0';
    buf_wipe(&shown);
}

void
intent_visible(const struct rich *post, struct buf *text)
{
    for (size_t i = 0; i < post->count; i++) {
        const struct run *run = &post->runs[i];
        if (is_excluded(run)) {
            buf_add_char(text, ' ');
        } else {
            buf_add(text, rich_run_text(post, run), run->len);
        }
    }
}

/* A blank, or the end of a line, that stands before what is added next. */
static char
gap_with(char gap, char byte)
{
    return gap == '\n' || byte == '\n' ? '\n' : ' ';
}

/* Add bytes with these marks.  No byte of UTF-8 is 0xff, so nothing that
 * somebody writes can be taken for marks. */
static void
add_words(const char *text, size_t len, unsigned marks, unsigned *last,
          char *gap, struct buf *words)
{
    size_t i = 0;

    while (i < len) {
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
            *gap = gap_with(*gap, text[i++]);
            continue;
        }
        if (*gap != '\0' && words->len > 0) {
            buf_add_char(words, *gap);
        }
        if (marks != *last) {
            buf_add_char(words, '\xff');
            buf_add_char(words, (char)('0' + marks));
        }
        *gap = '\0';
        *last = marks;
        buf_add_char(words, text[i++]);
    }
}

void
intent_words(const struct rich *post, struct buf *words)
{
    unsigned last = 0;
    char gap = '\0';

    for (size_t i = 0; i < post->count; i++) {
        const struct run *run = &post->runs[i];
        unsigned marks =
            run->marks & (unsigned)(MARK_BOLD | MARK_RED | MARK_MENTION);

        if (is_excluded(run)) {
            gap = gap_with(gap, ' ');
        } else if (run->marks & MARK_MENTION) {
            add_words(rich_run_id(post, run), run->id_len, marks, &last, &gap,
                      words);
        } else {
            add_words(rich_run_text(post, run), run->len, marks, &last, &gap,
                      words);
        }
    }
}
