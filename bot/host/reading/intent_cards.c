/* D1 to D5 and D7: which card a private message discards or enacts. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    HAND_MAX = 3,
    KINDS = 2, /* F and L */
};

static const char kinds[KINDS + 1] = "FL";

/* The English words of each meaning, a blank around each. */
static const char *const english[CARD_WORDS] = {
    [CARD_WORD_DISCARD] =
        " discard discards discarding discarded drop drops dropping dropped"
        " bin bins binning binned trash trashes trashing trashed"
        " burn burns burning burned burnt remove removes removing removed"
        " throw throws throwing threw thrown toss tosses tossing tossed ",
    [CARD_WORD_PASS] =
        " pass passes passing passed keep keeps keeping kept"
        " give gives giving gave given send sends sending sent"
        " enact enacts enacting enacted play plays playing played"
        " choose chooses choosing chose chosen pick picks picking picked"
        " take takes taking took taken ",
    [CARD_WORD_FASCIST] = " f fas fasc fascist fascists red reds ",
    [CARD_WORD_LIBERAL] = " l lib libs liberal liberals blue blues ",
    [CARD_WORD_ONE] = " one 1 ",
    [CARD_WORD_TWO] = " two 2 both ",
    [CARD_WORD_THREE] = " three 3 ",
    [CARD_WORD_NOT] = " not never dont cannot ",
    [CARD_WORD_NO] = " no without ",
    [CARD_WORD_VETO] = " veto ",
    [CARD_WORD_UNIT] = " hour hours hr hrs h min mins minute minutes"
                       " day days week weeks am pm ",
};

/* A word of the answer: letters, or digits, not both. */
struct token {
    struct slice text;
    bool digits;
    bool near; /* nothing but blanks before it */
};

/* The cards that one side of the answer names. */
struct side {
    unsigned places;       /* bit per card named by its number */
    unsigned count[KINDS]; /* cards named by their party */
    unsigned items;
};

enum {
    BARE,
    PASSED,
    DISCARDED,
    SIDES
};

struct answer {
    struct slice key;
    size_t at; /* of the next token */
    const struct reading *reading;
    const char *hand;
    unsigned size;        /* of the hand */
    unsigned held[KINDS]; /* cards of each party in it */
    struct side sides[SIDES];
    unsigned owner;        /* the side that the next items belong to */
    enum card_word before; /* of the word before */
    bool numbers, parties; /* which kinds of items there are */
    bool foreign, twice;   /* no such card; the same card again */
    bool behind;           /* the word before has named a card */
    bool negated, veto;
};

/* ---- words --------------------------------------------------------------- */

static bool
is_digit(int32_t codepoint)
{
    return codepoint >= '0' && codepoint <= '9';
}

static bool
is_apostrophe(int32_t codepoint)
{
    return codepoint == '\'' || codepoint == 0x2019;
}

/* Find where the word that begins at `at` ends.  A word is digits, or
 * letters with apostrophes between them. */
static size_t
token_end(struct slice key, size_t at, bool digits)
{
    size_t end = at;

    while (at < key.len) {
        int32_t codepoint = 0;
        size_t used = letter_next(key.text, key.len, at, &codepoint);
        if (!is_apostrophe(codepoint) || digits) {
            if (!letter_is_word(codepoint) || is_digit(codepoint) != digits) {
                break;
            }
            end = at + used;
        }
        at += used;
    }
    return end;
}

/* The next word; false: there is none. */
static bool
next_token(struct slice key, size_t *at, struct token *token)
{
    bool near = true;

    while (*at < key.len) {
        int32_t codepoint = 0;
        size_t used = letter_next(key.text, key.len, *at, &codepoint);
        if (letter_is_word(codepoint)) {
            bool digits = is_digit(codepoint);
            size_t end = token_end(key, *at, digits);
            *token = (struct token){{key.text + *at, end - *at}, digits, near};
            *at = end;
            return true;
        }
        near = near && letter_is_blank(codepoint);
        *at += used;
    }
    return false;
}

static bool
ends_with(struct slice text, const char *end)
{
    size_t len = strlen(end);

    return text.len >= len && memcmp(text.text + text.len - len, end, len) == 0;
}

/* What a word means in the place's language, compared without accents;
 * CARD_WORDS: nothing there. */
static enum card_word
meaning_there(const struct reading *reading, struct slice text)
{
    struct buf loose = BUF_INIT;
    unsigned meaning = 0;

    name_loose_key(text.text, text.len, &loose);
    /* What is elided is a word only before an apostrophe. */
    while (meaning < CARD_WORDS &&
           (meaning == CARD_WORD_ELIDED ||
            !list_has(reading->cards[meaning], slice_of(&loose)))) {
        meaning++;
    }
    buf_wipe(&loose);
    return (enum card_word)meaning;
}

static enum card_word
meaning_of(const struct reading *reading, struct slice text)
{
    enum card_word there = meaning_there(reading, text);

    if (there != CARD_WORDS) {
        return there;
    }
    for (unsigned i = 0; i < CARD_WORDS; i++) {
        if (list_has(english[i], text)) {
            return (enum card_word)i;
        }
    }
    if (ends_with(text, "n't") || ends_with(text, "n’t")) {
        return CARD_WORD_NOT;
    }
    return CARD_WORD_PLAIN;
}

static bool
is_party(enum card_word meaning)
{
    return meaning == CARD_WORD_FASCIST || meaning == CARD_WORD_LIBERAL;
}

/* What the next word means, if it follows directly. */
static enum card_word
meaning_behind(const struct answer *answer)
{
    size_t at = answer->at;
    struct token token;

    if (!next_token(answer->key, &at, &token) || !token.near) {
        return CARD_WORD_PLAIN;
    }
    return meaning_of(answer->reading, token.text);
}

/* ---- items --------------------------------------------------------------- */

static void
add_place(struct answer *answer, char digit)
{
    struct side *side = &answer->sides[answer->owner];
    unsigned place = (unsigned)(digit - '1');

    answer->numbers = true;
    side->items++;
    if (digit < '1' || place >= answer->size) {
        answer->foreign = true;
        return;
    }
    answer->twice = answer->twice || (side->places >> place & 1U) != 0;
    side->places |= 1U << place;
}

static void
add_cards(struct answer *answer, unsigned kind, unsigned count)
{
    struct side *side = &answer->sides[answer->owner];

    answer->parties = true;
    side->count[kind] += count;
    side->items += count;
}

/* Add the cards of "fl", "llf": a word of nothing but letters that stand for
 * one each. */
static void
add_glued(struct answer *answer, struct slice text)
{
    unsigned count[KINDS] = {0, 0};

    for (size_t at = 0; at < text.len;) {
        int32_t letter = 0;
        size_t used = letter_next(text.text, text.len, at, &letter);
        enum card_word meaning =
            meaning_of(answer->reading, (struct slice){text.text + at, used});
        if (!is_party(meaning)) {
            return;
        }
        count[meaning == CARD_WORD_LIBERAL]++;
        at += used;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (count[kind] > 0) {
            add_cards(answer, kind, count[kind]);
        }
    }
}

/* How many cards the word before a party stands for. */
static unsigned
count_of(enum card_word meaning)
{
    switch (meaning) {
    case CARD_WORD_TWO:
        return 2;
    case CARD_WORD_THREE:
        return 3;
    case CARD_WORD_PLAIN:
    case CARD_WORD_DISCARD:
    case CARD_WORD_AWAY:
    case CARD_WORD_PASS:
    case CARD_WORD_FASCIST:
    case CARD_WORD_LIBERAL:
    case CARD_WORD_ONE:
    case CARD_WORD_NOT:
    case CARD_WORD_NO:
    case CARD_WORD_VETO:
    case CARD_WORD_UNIT:
    case CARD_WORD_ELIDED:
    case CARD_WORDS:
        break;
    }
    return 1;
}

static void
read_digits(struct answer *answer, const struct token *token,
            enum card_word meaning)
{
    enum card_word behind = meaning_behind(answer);

    if (behind == CARD_WORD_UNIT ||
        (is_party(behind) && meaning != CARD_WORD_PLAIN)) {
        return; /* no card, or a count: the next word adds the cards */
    }
    for (size_t i = 0; i < token->text.len; i++) {
        add_place(answer, token->text.text[i]);
    }
}

static unsigned
items_of(const struct answer *answer)
{
    return answer->sides[BARE].items + answer->sides[PASSED].items +
           answer->sides[DISCARDED].items;
}

/* In some languages the verb comes last. It then belongs to the one card
 * that was named, unless another verb has it already. */
static void
take_away(struct answer *answer)
{
    if (answer->behind && items_of(answer) == 1 &&
        answer->sides[BARE].items == 1) {
        answer->sides[DISCARDED] = answer->sides[BARE];
        answer->sides[BARE] = (struct side){.items = 0};
    }
}

static void
read_letters(struct answer *answer, const struct token *token,
             enum card_word meaning)
{
    unsigned count = token->near ? count_of(answer->before) : 1;

    switch (meaning) {
    case CARD_WORD_AWAY:
        if (token->near) {
            take_away(answer);
        }
        answer->owner = DISCARDED;
        break;
    case CARD_WORD_DISCARD:
        answer->owner = DISCARDED;
        break;
    case CARD_WORD_PASS:
        answer->owner = PASSED;
        break;
    case CARD_WORD_FASCIST:
        add_cards(answer, 0, count);
        break;
    case CARD_WORD_LIBERAL:
        add_cards(answer, 1, count);
        break;
    case CARD_WORD_NOT:
        answer->negated = true;
        break;
    case CARD_WORD_VETO:
        answer->veto = true;
        answer->negated = answer->negated || answer->before == CARD_WORD_NO;
        break;
    case CARD_WORD_PLAIN:
        add_glued(answer, token->text);
        break;
    case CARD_WORD_ONE:
    case CARD_WORD_TWO:
    case CARD_WORD_THREE:
    case CARD_WORD_NO:
    case CARD_WORD_UNIT:
    case CARD_WORD_ELIDED:
    case CARD_WORDS:
        break;
    }
}

/* Cut an elided article or negation off the beginning of a word ("l'autre",
 * "n'adopte"). */
static void
drop_elided(struct answer *answer, struct token *token)
{
    struct slice text = token->text;
    size_t len = 0;
    int32_t letter = 0;
    size_t used = 0;

    while (len < text.len && !is_apostrophe(letter)) {
        len += used;
        used = letter_next(text.text, text.len, len, &letter);
    }
    struct slice head = {text.text, len};
    if (!is_apostrophe(letter) ||
        !list_has(answer->reading->cards[CARD_WORD_ELIDED], head)) {
        return;
    }
    if (meaning_of(answer->reading, head) == CARD_WORD_NOT) {
        answer->negated = true;
    }
    token->text = (struct slice){text.text + len + used, text.len - len - used};
}

/* Does a word that names no card by its letters follow directly? */
static bool
is_before_word(const struct answer *answer)
{
    size_t at = answer->at;
    struct token token;

    return next_token(answer->key, &at, &token) && token.near &&
           strspn(token.text.text, "fl") < token.text.len;
}

static void
read_answer(struct answer *answer)
{
    struct token token;

    while (next_token(answer->key, &answer->at, &token)) {
        drop_elided(answer, &token);
        enum card_word meaning = meaning_of(answer->reading, token.text);
        /* "l autre" has the article, but "L" and "F L" are cards. */
        if (list_has(answer->reading->cards[CARD_WORD_ELIDED], token.text) &&
            is_before_word(answer)) {
            meaning = CARD_WORD_ELIDED;
        }
        unsigned items = items_of(answer);
        if (token.digits) {
            read_digits(answer, &token, meaning);
        } else {
            read_letters(answer, &token, meaning);
        }
        answer->before = meaning;
        answer->behind = items_of(answer) > items;
    }
}

/* ---- what it comes to ---------------------------------------------------- */

/* What the whole answer says: a card, or why there is none. */
struct choice {
    bool made;
    unsigned discarded; /* place in the hand */
    enum question_back question;
    const char *why;
};

static struct choice
unclear(enum question_back question, const char *why)
{
    return (struct choice){.question = question, .why = why};
}

static struct choice
discard(unsigned place)
{
    return (struct choice){.made = true, .discarded = place};
}

/* The cards that are passed on: named as such, or named without a verb. */
static bool
merge_passed(const struct answer *answer, struct side *passed)
{
    const struct side *bare = &answer->sides[BARE];
    const struct side *said = &answer->sides[PASSED];

    *passed = bare->items > 0 ? *bare : *said;
    /* If it is said twice, both must be the same. */
    return bare->items == 0 || said->items == 0 ||
           memcmp(bare, said, sizeof *bare) == 0;
}

static unsigned
place_outside(unsigned places)
{
    unsigned place = 0;

    while ((places >> place & 1U) != 0) {
        place++;
    }
    return place;
}

static struct choice
choose_by_number(const struct answer *answer, const struct side *passed)
{
    const struct side *dropped = &answer->sides[DISCARDED];
    unsigned all = (1U << answer->size) - 1;

    if (dropped->items == 1) {
        if ((passed->places & dropped->places) != 0) {
            return unclear(ASK_CARDS,
                           "D4: one card is named both to keep and to discard");
        }
        return discard(place_outside(all & ~dropped->places));
    }
    return discard(place_outside(passed->places));
}

static unsigned
place_of_kind(const struct answer *answer, unsigned kind)
{
    unsigned place = 0;

    while (place < answer->size && answer->hand[place] != kinds[kind]) {
        place++;
    }
    return place;
}

static struct choice
choose_by_party(const struct answer *answer, const struct side *passed)
{
    const struct side *dropped = &answer->sides[DISCARDED];
    unsigned gone = dropped->count[1] > 0 ? 1 : 0;

    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (passed->count[kind] > answer->held[kind] ||
            dropped->count[kind] > answer->held[kind]) {
            return unclear(ASK_NOT_IN_HAND,
                           "D4: not all the cards named are in this hand");
        }
        if (passed->count[kind] + dropped->count[kind] > answer->held[kind]) {
            return unclear(
                ASK_CARDS,
                "D4: the cards to keep and those to discard contradict");
        }
    }
    if (dropped->items == 0) {
        gone = passed->count[1] < answer->held[1] ? 1 : 0;
    }
    return discard(place_of_kind(answer, gone));
}

/* Rule D4, as far as it can be applied without knowing the cards. */
static const char *
reason_to_ask(const struct answer *answer)
{
    if (memchr(answer->key.text, '?', answer->key.len) != NULL) {
        return "D4: the answer is a question";
    }
    if (answer->negated) {
        return "D4: the answer says not";
    }
    if (answer->veto) {
        return "D4: the answer names both a card and a veto";
    }
    if (answer->numbers && answer->parties) {
        return "D4: some cards are named by number, others by party";
    }
    return answer->twice ? "D4: the same card is named twice" : NULL;
}

static struct choice
choose(const struct answer *answer)
{
    const struct side *dropped = &answer->sides[DISCARDED];
    unsigned rest = answer->size - 1; /* cards that go on */
    struct side passed;

    if (answer->size < 2 || answer->held[0] + answer->held[1] != answer->size) {
        return unclear(ASK_NOT_IN_HAND, "D4: there is no hand to answer for");
    }
    const char *reason = reason_to_ask(answer);
    if (reason != NULL) {
        return unclear(ASK_CARDS, reason);
    }
    if (answer->foreign) {
        return unclear(ASK_NOT_IN_HAND, "D4: there is no card of that number");
    }
    if (!merge_passed(answer, &passed)) {
        return unclear(ASK_CARDS,
                       "D4: the cards are named twice, and differently");
    }
    if (dropped->items > 1 || passed.items > rest ||
        (dropped->items == 0 && passed.items < rest)) {
        return unclear(ASK_CARDS,
                       "D4: the answer names too many cards, or too few");
    }
    if (answer->sides[BARE].items > 0 && passed.items < rest) {
        return unclear(ASK_CARDS,
                       "D4: the answer does not say what to do with one card");
    }
    return answer->numbers ? choose_by_number(answer, &passed)
                           : choose_by_party(answer, &passed);
}

static void
set_choice(const struct answer *answer, const struct choice *choice,
           bool president, struct intent *intent, struct buf *why)
{
    if (!choice->made) {
        intent->kind = INTENT_AMBIGUOUS;
        intent->question = choice->question;
        buf_addf(why, "%s, so nothing was done", choice->why);
    } else if (president) {
        intent->kind = INTENT_PASS;
        intent->card = choice->discarded;
        buf_add_text(why, "D3: one card is discarded, the other two go on");
    } else {
        intent->kind = INTENT_ENACT;
        intent->card = answer->size - 1 - choice->discarded;
        buf_add_text(why, "D3: one card is enacted");
    }
}

/* D7: the message says veto, and nothing else in it counts. */
static void
read_veto(const struct answer *answer, bool president, struct intent *intent,
          struct buf *why)
{
    const char *reason = NULL;

    if (president) {
        reason = "D4: the president can't ask for a veto";
    } else if (memchr(answer->key.text, '?', answer->key.len) != NULL) {
        reason = "D4: the answer is a question";
    } else if (answer->negated) {
        reason = "D4: the answer says not";
    }
    if (reason == NULL) {
        intent->kind = INTENT_VETO;
        buf_add_text(why, "D7: the chancellor asks for a veto");
        return;
    }
    intent->kind = INTENT_AMBIGUOUS;
    intent->question = ASK_CARDS;
    buf_addf(why, "%s, so nothing was done", reason);
}

void
cards_read(const struct rich *post, const struct reading *reading,
           struct intent *intent, struct buf *why)
{
    bool president = reading->phase == PHASE_DM_PRESIDENT;
    struct answer answer = {.reading = reading, .hand = reading->hand};
    struct buf text = BUF_INIT;
    struct buf key = BUF_INIT;

    answer.size = (unsigned)strlen(reading->hand);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned i = 0; i < answer.size; i++) {
            answer.held[kind] += reading->hand[i] == kinds[kind];
        }
    }
    intent_visible(post, &text);
    name_key(buf_text(&text), text.len, &key);
    answer.key = slice_of(&key);
    intent_set_text(intent, buf_text(&text), text.len);
    read_answer(&answer);
    if (items_of(&answer) > 0) {
        struct choice choice = choose(&answer);
        set_choice(&answer, &choice, president, intent, why);
    } else if (answer.veto) {
        read_veto(&answer, president, intent, why);
    } else {
        buf_add_text(why, "D5: the message names no card");
    }
    buf_wipe(&text);
    buf_wipe(&key);
}
