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
    "ok|so|well|alright|fine",
    ("(i) (hereby|formally|officially) nominate|choose|pick|select|name|propose"
     " X (as|for) (my|the) (chancellor) ; X for chancellor ; X is my chancellor"
     " ; my chancellor is X ; my chancellor will be X ; chancellor : X ;"
     " nominating X"),
    ("(i) (hereby|formally|officially) execute|shoot|kill|investigate|choose|"
     "pick X ; executing X"),
    "X for president",
    "i wish to veto (this) (agenda)",
    "i agree to the veto",
    "i do not agree to the veto",
};

/* A line as it is compared: words, and other characters one by one, with blanks
 * between: "Chancellor : X", where X stands for the name. */
struct line {
    struct buf text;
    bool bold; /* all of it is */
};

/* Read on from a spot to a place in the post, or to the end of the line. */
static void
read_to(struct line *line, struct spot spot, size_t end)
{
    const struct rich *post = spot.post;
    int32_t letter = ' ';
    bool word = false;

    for (unsigned i = 0; i < LINE_MAX && letter != LINE_END && spot.at < end;
         i++) {
        bool bold = spot.run < post->count &&
                    (post->runs[spot.run].marks & MARK_BOLD) != 0;
        letter = spot_step(&spot);
        bool gap = letter < 0 || letter_is_blank(letter) ||
                   letter_is_free_mark(letter);
        if (!gap && letter_is_unseen(letter)) {
            continue;
        }
        bool joint =
            word && (letter == '\'' || letter == '-' || letter == RIGHT_QUOTE);
        bool before = word;
        word = !gap && (joint || letter_is_word(letter));
        line->bold = line->bold && (gap || bold);
        buf_add_text(&line->text, word && before ? "" : " ");
        if (!gap) {
            buf_add_codepoint(&line->text, (uint32_t)letter);
        }
    }
    /* What is longer is no formula. */
    buf_add_text(&line->text, letter == LINE_END || spot.at >= end ? "" : " …");
}

/* Are two words the same but for case, accents and what joins them? */
static bool
is_same(struct slice one, struct slice other)
{
    struct buf keys[2] = {BUF_INIT, BUF_INIT};

    name_loose_key(one.text, one.len, &keys[0]);
    name_loose_key(other.text, other.len, &keys[1]);
    bool same = keys[0].len > 0 ? buf_equals(&keys[0], buf_text(&keys[1]))
                                : slice_equals(one, other);
    buf_release(&keys[0]);
    buf_release(&keys[1]);
    return same;
}

/* Is a word one of "this|that"? */
static bool
is_choice(struct slice choices, struct slice word)
{
    const char *bar = memchr(choices.text, '|', choices.len);
    bool found = false;

    while (bar != NULL && !found) {
        size_t len = (size_t)(bar - choices.text);
        found = is_same((struct slice){choices.text, len}, word);
        choices = (struct slice){bar + 1, choices.len - len - 1};
        bar = memchr(choices.text, '|', choices.len);
    }
    return found || is_same(choices, word);
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

    element.text += optional;
    element.len -= optional ? 2 : 0;
    for (unsigned i = 0; i < TOKENS_MAX && list_next(&tokens, &token); i++) {
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
    const char *tokens = buf_text(&line->text);
    struct slice element;
    uint32_t end = 1;
    uint32_t at = places;

    while (list_next(&tokens, &element)) {
        end <<= 1; /* and out of the set, if there are too many */
    }
    while (list_next(&formulas, &element)) {
        bool ends = slice_equals(element, (struct slice){";", 1});
        if (ends && (at & end) != 0) {
            break;
        }
        at = ends ? places : at == 0 ? 0 : move_on(line, at, element);
    }
    return (at & end) != 0;
}

static bool
is_formula(const struct line *line, const struct reading *reading,
           enum formula formula)
{
    const char *const openings[] = {reading->formulas[FORMULA_OPENING],
                                    english[FORMULA_OPENING]};
    uint32_t places = 1;

    for (unsigned i = 0; i < 2 && formula <= FORMULA_SPECIAL; i++) {
        const char *words = openings[i];
        struct slice opening;
        if (list_next(&words, &opening)) {
            places |= move_on(line, 1, opening);
        }
    }
    places |= move_on(line, places & 2, (struct slice){",", 1});
    return leads_through(line, places, reading->formulas[formula]) ||
           leads_through(line, places, english[formula]);
}

bool
stretch_is_formula(const struct rich *post, const struct reading *reading,
                   const struct stretch *stretch, enum formula formula)
{
    struct line line = {.bold = true};
    struct spot begin = {post, stretch->run, stretch->start};
    bool named = formula <= FORMULA_SPECIAL;
    bool found = false;

    if (!named) {
        read_to(&line, begin, stretch->start + stretch->len);
        found = is_formula(&line, reading, formula);
        buf_clear(&line.text);
    }
    if (!found && spot_line_begin(post, stretch, LINE_MAX, &begin)) {
        read_to(&line, begin, named ? stretch->start : post->text.len);
        if (named) {
            buf_add_text(&line.text, " X ");
            read_to(&line, spot_behind(post, stretch), post->text.len);
        }
        found = (named || line.bold) && is_formula(&line, reading, formula);
    }
    buf_release(&line.text);
    return found;
}
