/* R19 and R12: is a bold word an answer, or only mentioned? */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    WORD_MAX = 64, /* bytes; no listed word is as long */
    RIGHT_QUOTE = 0x2019,
    HYPHEN = 0x2010,
    FIRM_HYPHEN = 0x2011,
    FIRST_DASH = 0x2012,
    LAST_DASH = 0x2015,
};

/* The English words, which are always valid. */
static const char english_question[] =
    "who whom what why when where which how should shall would could can do "
    "does did is are was were has have will";
static const char english_doubt[] =
    "not never cannot can't won't wouldn't don't doesn't didn't if unless";
static const char english_but[] = "but";
static const char english_naming[] =
    "nominate nominates nominating nominated name names naming named "
    "choose chooses choosing chose chosen pick picks picking picked "
    "select selects selecting selected propose proposes proposing proposed "
    "execute executes executing executed shoot shoots shooting shot "
    "kill kills killing killed "
    "investigate investigates investigating investigated";

/* ---- words --------------------------------------------------------------- */

/* People leave the apostrophe out: "dont" is "don't". */
static bool
is_contracted(struct slice word, const char *list)
{
    struct slice listed;

    while (list_next(&list, &listed)) {
        const char *mark = memchr(listed.text, '\'', listed.len);
        if (mark != NULL && word.len == listed.len - 1) {
            size_t before = (size_t)(mark - listed.text);
            if (memcmp(listed.text, word.text, before) == 0 &&
                memcmp(mark + 1, word.text + before, word.len - before) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Is a word, or a part of it before or behind an apostrophe or a hyphen, in
 * one of two lists? */
static bool
is_listed(struct slice word, const char *own, const char *english)
{
    if (list_has(own, word) || list_has(english, word) ||
        is_contracted(word, own) || is_contracted(word, english)) {
        return true;
    }
    for (size_t at = 0; at < word.len;) {
        size_t end = at;
        while (end < word.len && word.text[end] != '\'' &&
               word.text[end] != '-') {
            end++;
        }
        struct slice part = {word.text + at, end - at};
        if (part.len < word.len &&
            (list_has(own, part) || list_has(english, part))) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

static bool
is_hyphen(int32_t codepoint)
{
    return codepoint == '-' || codepoint == HYPHEN || codepoint == FIRM_HYPHEN;
}

static bool
is_apostrophe(int32_t codepoint)
{
    return codepoint == '\'' || codepoint == RIGHT_QUOTE;
}

static bool
is_joint(char byte)
{
    return byte == '\'' || byte == '-';
}

/* The key of a word: each part loosely, joined as they were. */
static void
add_word_key(const struct buf *word, struct buf *key)
{
    for (size_t at = 0; at < word->len;) {
        size_t end = at;
        while (end < word->len && !is_joint(word->data[end])) {
            end++;
        }
        name_loose_key(word->data + at, end - at, key);
        if (end < word->len) {
            buf_add_char(key, word->data[end]);
        }
        at = end + 1;
    }
}

bool
word_is_naming(const struct reading *reading, struct slice word)
{
    return is_listed(word, reading->naming, english_naming);
}

bool
word_is_doubt(const struct reading *reading, struct slice word)
{
    return is_listed(word, reading->doubt, english_doubt);
}

/* ---- the sentence -------------------------------------------------------- */

static void
begin_anew(struct sentence *sentence)
{
    sentence->ending = false;
    sentence->begun = false;
    sentence->question = false;
    sentence->doubted = false;
    sentence->named = false;
}

/* A word has ended: note what it says about the sentence. */
static void
end_word(struct sentence *sentence)
{
    const struct reading *reading = sentence->reading;
    struct buf *word = &sentence->word;
    struct buf key = BUF_INIT;

    while (word->len > 0 && is_joint(word->data[word->len - 1])) {
        word->len--;
    }
    if (word->len == 0) {
        return;
    }
    if (word->len < WORD_MAX) {
        add_word_key(word, &key);
    }
    struct slice text = slice_of(&key);
    if (!sentence->begun) {
        sentence->question =
            is_listed(text, reading->question, english_question);
    }
    sentence->begun = true;
    if (is_listed(text, reading->doubt, english_doubt)) {
        sentence->doubted = true;
    } else if (list_has(reading->but, text) || list_has(english_but, text)) {
        sentence->doubted = false;
    } else if (is_listed(text, reading->naming, english_naming)) {
        sentence->named = true;
    }
    buf_release(&key);
    buf_clear(word);
}

/* Does it end a doubt: comma, colon, dash, closing bracket? */
static bool
is_break(int32_t codepoint)
{
    return codepoint == ',' || codepoint == ':' || codepoint == ')' ||
           codepoint == ']' || codepoint == '}' || is_hyphen(codepoint) ||
           (codepoint >= FIRST_DASH && codepoint <= LAST_DASH);
}

static bool
is_end(int32_t codepoint)
{
    return codepoint == '.' || codepoint == '!' || codepoint == '?';
}

/* Take in one character, between words or within one. */
static void
take_mark(struct sentence *sentence, int32_t codepoint)
{
    struct buf *word = &sentence->word;
    bool joins = is_apostrophe(codepoint) || is_hyphen(codepoint);

    if (joins && word->len > 0 && !is_joint(word->data[word->len - 1])) {
        buf_add_char(word, is_hyphen(codepoint) ? '-' : '\'');
        return;
    }
    bool dash = word->len > 0 && word->data[word->len - 1] == '-';
    end_word(sentence);
    if (is_end(codepoint)) {
        sentence->ending = true;
    } else if (sentence->ending) {
        begin_anew(sentence);
    }
    if (dash || is_break(codepoint)) {
        sentence->doubted = false;
    }
}

static void
take(struct sentence *sentence, int32_t codepoint)
{
    if (letter_is_unseen(codepoint)) {
        return;
    }
    if (!letter_is_word(codepoint)) {
        take_mark(sentence, codepoint);
        return;
    }
    if (sentence->ending) {
        begin_anew(sentence);
    }
    if (sentence->word.len < WORD_MAX) {
        buf_add_codepoint(&sentence->word, (uint32_t)codepoint);
    }
}

/* Past the end of a line. */
static void
next_line(struct spot *spot)
{
    const struct run *run = &spot->post->runs[spot->run];

    spot->at++;
    spot->run += spot->at == run->start + run->len;
}

/* A picture and the like stands where a word could; what is cut out does not.
 */
static bool
is_object(const struct spot *spot)
{
    unsigned marks =
        spot->run < spot->post->count ? spot->post->runs[spot->run].marks : 0;

    return (marks & MARKS_EXCLUDED) == MARK_OBJECT;
}

static bool
is_mention(const struct spot *spot)
{
    return spot->run < spot->post->count &&
           (spot->post->runs[spot->run].marks & MARK_MENTION) != 0;
}

static void
read_to(struct sentence *sentence, size_t end)
{
    struct spot *here = &sentence->here;

    while (here->at < end) {
        bool object = is_object(here);
        bool mention = is_mention(here);
        int32_t codepoint = spot_step(here);
        if (codepoint >= 0 || object) {
            take(sentence, object ? ' ' : codepoint);
            sentence->begun = sentence->begun || mention;
            continue;
        }
        end_word(sentence);
        begin_anew(sentence);
        if (codepoint == LINE_END) {
            next_line(here);
        }
    }
}

void
sentence_init(struct sentence *sentence, const struct rich *post,
              const struct reading *reading)
{
    *sentence = (struct sentence){
        .post = post, .reading = reading, .here = {.post = post}};
}

void
sentence_release(struct sentence *sentence)
{
    buf_release(&sentence->word);
}

void
sentence_reach(struct sentence *sentence, const struct stretch *stretch)
{
    read_to(sentence, stretch->start);
    /* "not-" before bold text is a word and a dash. */
    bool dash = sentence->word.len > 0 &&
                sentence->word.data[sentence->word.len - 1] == '-';
    end_word(sentence);
    sentence->doubted = sentence->doubted && !dash;
}

void
sentence_pass(struct sentence *sentence, const struct stretch *stretch,
              bool acts)
{
    if (!acts) {
        read_to(sentence, stretch->start + stretch->len);
        return;
    }
    sentence->begun = true;
    sentence->ending = false;
    sentence->here = spot_behind(sentence->post, stretch);
    struct spot next = sentence->here;
    while (letter_is_free_mark(spot_step(&next))) {
        sentence->here = next;
    }
}

/* ---- how it ends --------------------------------------------------------- */

/* Find out where the sentence ends and how.  Marks in bold text, or touching
 * it, are other votes'. */
static void
find_end(struct sentence *sentence, const struct stretch *stretch)
{
    struct spot spot = spot_behind(sentence->post, stretch);
    bool marked = false;
    bool touches = true;

    sentence->asks = false;
    for (;;) {
        bool object = is_object(&spot);
        bool bold = spot.run < sentence->post->count &&
                    (sentence->post->runs[spot.run].marks & MARK_BOLD) != 0;
        int32_t codepoint = spot_step(&spot);
        if ((codepoint < 0 && !object) || (marked && !is_end(codepoint))) {
            break;
        }
        touches = bold || (touches && letter_is_free_mark(codepoint));
        sentence->asks = sentence->asks || codepoint == '?';
        marked = marked || codepoint == '?' || (is_end(codepoint) && !touches);
    }
    sentence->end = spot.at;
}

/* Is it a question, from its beginning to its end? */
static bool
is_question(struct sentence *sentence, const struct stretch *stretch)
{
    if (!sentence->question) {
        return false;
    }
    if (stretch->start + stretch->len >= sentence->end) {
        find_end(sentence, stretch);
    }
    return sentence->asks;
}

bool
sentence_is_talk(struct sentence *sentence, const struct stretch *stretch)
{
    return sentence->doubted || is_question(sentence, stretch);
}

bool
sentence_is_alone(const struct sentence *sentence,
                  const struct stretch *stretch)
{
    struct spot spot = spot_behind(sentence->post, stretch);
    bool touches = true;

    if (sentence->begun) {
        return false;
    }
    for (;;) {
        bool object = is_object(&spot);
        bool mention = is_mention(&spot);
        int32_t codepoint = spot_step(&spot);
        touches = touches && letter_is_free_mark(codepoint);
        if ((codepoint < 0 && !object) || (is_end(codepoint) && !touches)) {
            return true;
        }
        if (mention || (codepoint >= 0 && letter_is_word(codepoint))) {
            return false;
        }
    }
}
