/* R20 and R21: sentences that can mean only one thing, from closed lists. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    TOKENS_MAX = 31, /* of a line; a set of places among them is 32 bits */
    LINE_MAX = 400,  /* characters; no formula is as long */
    RIGHT_QUOTE = 0x2019,
};

/* The English sentences, which are always valid. */
static const char *const english[FORMULAS] = {
    [FORMULA_OPENING] = "ok so well alright fine",
    [FORMULA_NOMINATION] =
        "(i) (hereby|formally|officially)"
        " nominate|choose|pick|select|name|propose"
        " X (as|for) (my|the) (chancellor) ; X for chancellor ;"
        " X is my chancellor ; my chancellor is X ; my chancellor will be X ;"
        " chancellor : X ; nominating X",
    [FORMULA_POWER] = "(i) (hereby|formally|officially)"
                      " execute|shoot|kill|investigate|choose|pick X ;"
                      " executing X",
    [FORMULA_SPECIAL] = "X for president",
    [FORMULA_VETO] = "i wish to veto (this) (agenda)",
    [FORMULA_APPROVED] = "i agree to the veto",
    [FORMULA_DECLINED] = "i do not agree to the veto",
};

/* ---- a line as tokens ---------------------------------------------------- */

/* Words as word_add_key makes them, and other characters one by one, with
 * blanks between: "chancellor : X", where X stands for the name. */
struct line {
    struct buf text, word;
    unsigned count;
    bool bold; /* all of it is */
};

static void
end_word(struct line *line)
{
    if (line->word.len > 0) {
        buf_add_char(&line->text, ' ');
        word_add_key(&line->word, &line->text);
        buf_clear(&line->word);
        line->count++;
    }
}

static void
add_token(struct line *line, int32_t codepoint)
{
    end_word(line);
    buf_add_char(&line->text, ' ');
    buf_add_codepoint(&line->text, (uint32_t)codepoint);
    line->count++;
}

/* Take in a character; `bold` if it is. */
static void
take(struct line *line, int32_t codepoint, bool bold)
{
    bool joint = codepoint == '\'' || codepoint == RIGHT_QUOTE;

    if (codepoint >= 0 && letter_is_unseen(codepoint)) {
        return;
    }
    if (codepoint < 0 || letter_is_blank(codepoint) ||
        letter_is_free_mark(codepoint)) {
        end_word(line);
        return;
    }
    line->bold = line->bold && bold;
    if (letter_is_word(codepoint)) {
        buf_add_codepoint(&line->word, (uint32_t)codepoint);
    } else if (line->word.len > 0 && (joint || codepoint == '-')) {
        buf_add_char(&line->word, joint ? '\'' : '-');
    } else {
        add_token(line, codepoint);
    }
}

/* Read on from a spot to a place in the post, or to the end of the line.
 * False: it is longer than any formula. */
static bool
read_to(struct line *line, struct spot *spot, size_t end)
{
    const struct rich *post = spot->post;
    bool over = false;

    for (unsigned i = 0; i < LINE_MAX && !over && spot->at < end; i++) {
        bool bold = spot->run < post->count &&
                    (post->runs[spot->run].marks & MARK_BOLD) != 0;
        int32_t codepoint = spot_step(spot);
        over = codepoint == LINE_END;
        take(line, codepoint, bold);
    }
    end_word(line);
    return (over || spot->at >= end) && line->count <= TOKENS_MAX;
}

/* ---- formulas ------------------------------------------------------------ */

/* Is a word one of "this|that"?  The theme's are written as it shows them. */
static bool
is_choice(struct slice choices, struct slice word)
{
    struct buf shown = BUF_INIT;
    struct buf key = BUF_INIT;
    bool found = false;

    for (size_t at = 0; at <= choices.len && !found; at++) {
        struct slice choice = {choices.text + at, choices.len - at};
        const char *bar = memchr(choice.text, '|', choice.len);
        choice.len = bar == NULL ? choice.len : (size_t)(bar - choice.text);
        buf_clear(&shown);
        buf_clear(&key);
        buf_add(&shown, choice.text, choice.len);
        word_add_key(&shown, &key);
        found =
            slice_equals(choice, word) || slice_equals(slice_of(&key), word);
        at += choice.len;
    }
    buf_release(&shown);
    buf_release(&key);
    return found;
}

/* From each of a set of places in a line, bits, move past a token that an
 * element of a formula asks for; "(this|that)" may be left out. */
static uint32_t
move_on(const struct line *line, uint32_t places, struct slice element)
{
    const char *tokens = buf_text(&line->text);
    bool optional = element.len > 2 && element.text[0] == '(' &&
                    element.text[element.len - 1] == ')';
    uint32_t moved = optional ? places : 0;
    struct slice token;

    if (optional) {
        element = (struct slice){element.text + 1, element.len - 2};
    }
    for (unsigned i = 0; list_next(&tokens, &token); i++) {
        if ((places & 1U << i) != 0 && is_choice(element, token)) {
            moved |= 2U << i;
        }
    }
    return moved;
}

/* Does one of the formulas, which ";" separates, lead from one of these places
 * to the end of the line? */
static bool
leads_through(const struct line *line, uint32_t places, const char *formulas)
{
    uint32_t end = 1U << line->count;
    uint32_t at = places;
    struct slice element;

    while (list_next(&formulas, &element)) {
        if (element.text[0] != ';') {
            at = move_on(line, at, element);
        } else if ((at & end) != 0) {
            return true;
        } else {
            at = places;
        }
    }
    return (at & end) != 0;
}

static bool
is_formula(const struct line *line, uint32_t places,
           const struct reading *reading, enum formula formula)
{
    return leads_through(line, places, reading->formulas[formula]) ||
           leads_through(line, places, english[formula]);
}

/* Where the sentence may begin: with the first word, or behind one such as "ok"
 * and a comma. */
static uint32_t
beginnings(const struct line *line, const struct reading *reading)
{
    const char *tokens = buf_text(&line->text);
    struct slice first;
    uint32_t places = 1;

    if (list_next(&tokens, &first) &&
        (list_has(reading->formulas[FORMULA_OPENING], first) ||
         list_has(english[FORMULA_OPENING], first))) {
        places |= 2;
        places |= move_on(line, 2, (struct slice){",", 1});
    }
    return places;
}

static void
line_release(struct line *line)
{
    buf_release(&line->text);
    buf_release(&line->word);
}

bool
stretch_is_in_formula(const struct rich *post, const struct reading *reading,
                      const struct stretch *stretch)
{
    struct line line = {.count = 0};
    struct spot spot;
    bool found = false;

    if (!spot_line_begin(post, stretch, LINE_MAX, &spot) ||
        !read_to(&line, &spot, stretch->start)) {
        line_release(&line);
        return false;
    }
    add_token(&line, 'X');
    spot = spot_behind(post, stretch);
    if (read_to(&line, &spot, post->text.len)) {
        uint32_t places = beginnings(&line, reading);
        found = reading->phase == PHASE_NOMINATION
                    ? is_formula(&line, places, reading, FORMULA_NOMINATION)
                    : is_formula(&line, places, reading, FORMULA_POWER) ||
                          (reading->special &&
                           is_formula(&line, places, reading, FORMULA_SPECIAL));
    }
    line_release(&line);
    return found;
}

bool
stretch_says(const struct rich *post, const struct reading *reading,
             const struct stretch *stretch, enum formula formula)
{
    struct line run = {.count = 0};
    struct line line = {.bold = true};
    struct spot spot = {post, stretch->run, stretch->start};

    bool found = read_to(&run, &spot, stretch->start + stretch->len) &&
                 is_formula(&run, 1, reading, formula);
    if (!found && spot_line_begin(post, stretch, LINE_MAX, &spot)) {
        found = read_to(&line, &spot, post->text.len) && line.bold &&
                is_formula(&line, 1, reading, formula);
    }
    line_release(&run);
    line_release(&line);
    return found;
}
