/* R4 to R11, R17 and R19: what is said with one of a few words. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    SIDE_YES = 1 << 0,
    SIDE_NO = 1 << 1,
    WORDS_MAX = 2 * INTENT_WORDS_MAX + 4,
    SLIP_LETTERS = 4, /* shorter words have too many neighbours */
};

/* A word that may be said, as keys: itself, its letters and digits without
 * accents, with doubled letters once. */
struct word {
    struct buf key, letters, squeezed;
    uint32_t side;
};

struct words {
    struct word all[WORDS_MAX];
    unsigned count;
    bool vote; /* votes: other languages' words are known (R11) */
};

static const struct foreign {
    const char *word;
    uint32_t side;
} foreign_words[] = {
    {"yes", SIDE_YES}, {"oui", SIDE_YES}, {"ja", SIDE_YES}, {"no", SIDE_NO},
    {"non", SIDE_NO},  {"nee", SIDE_NO},  {"nei", SIDE_NO}, {"nein", SIDE_NO},
};

static const char english_abstain[] = "abstain abstaining abstained abstention";

/* ---- the words ----------------------------------------------------------- */

/* Append the letters and digits of a text, accents dropped. */
static void
add_letters(struct slice text, struct buf *letters)
{
    struct buf loose = BUF_INIT;

    name_loose_key(text.text, text.len, &loose);
    for (size_t at = 0; at < loose.len;) {
        int32_t codepoint = 0;
        at += letter_next(loose.data, loose.len, at, &codepoint);
        if (letter_is_word(codepoint)) {
            buf_add_codepoint(letters, (uint32_t)codepoint);
        }
    }
    buf_release(&loose);
}

/* Append a text with repeated letters once. */
static void
add_squeezed(struct slice text, struct buf *squeezed)
{
    int32_t before = 0;

    for (size_t at = 0; at < text.len;) {
        int32_t codepoint = 0;
        at += letter_next(text.text, text.len, at, &codepoint);
        if (codepoint != before) {
            buf_add_codepoint(squeezed, (uint32_t)codepoint);
        }
        before = codepoint;
    }
}

static void
add_slice(struct words *words, struct slice text, uint32_t side)
{
    struct buf whole = BUF_INIT;

    name_key(text.text, text.len, &whole);
    struct slice key = slice_strip(slice_of(&whole));
    if (key.len > 0 && words->count < WORDS_MAX) {
        struct word *word = &words->all[words->count];
        *word = (struct word){.side = side};
        buf_add(&word->key, key.text, key.len);
        add_letters(key, &word->letters);
        add_squeezed(key, &word->squeezed);
        words->count++;
    }
    buf_release(&whole);
}

static void
add_word(struct words *words, const char *text, uint32_t side)
{
    add_slice(words, (struct slice){text, strlen(text)}, side);
}

/* Add each word of a list. */
static void
add_list(struct words *words, const char *list, uint32_t side)
{
    struct slice word;

    while (list_next(&list, &word)) {
        add_slice(words, word, side);
    }
}

static void
add_words(struct words *words, const char *const *texts, unsigned count,
          const char *fallback, uint32_t side)
{
    if (count == 0) {
        add_word(words, fallback, side);
    }
    for (unsigned i = 0; i < count; i++) {
        add_word(words, texts[i], side);
    }
}

/* The words of a phase. */
static void
words_init(struct words *words, const struct reading *reading)
{
    words->count = 0;
    words->vote = false;
    switch (reading->phase) {
    case PHASE_VOTING:
    case PHASE_DM_BALLOT:
        add_words(words, reading->ja, reading->ja_count, "ja", SIDE_YES);
        add_words(words, reading->nein, reading->nein_count, "nein", SIDE_NO);
        words->vote = true;
        break;
    case PHASE_VETO_CHANCELLOR:
        add_word(words, "veto", SIDE_YES);
        break;
    case PHASE_VETO_PRESIDENT:
        add_word(words, "approved", SIDE_YES);
        add_word(words, "approve", SIDE_YES);
        add_word(words, "declined", SIDE_NO);
        add_word(words, "decline", SIDE_NO);
        add_list(words, reading->approved, SIDE_YES);
        add_list(words, reading->declined, SIDE_NO);
        break;
    case PHASE_NOMINATION:
    case PHASE_EXECUTIVE:
    case PHASE_DM_PRESIDENT:
    case PHASE_DM_CHANCELLOR:
        break;
    }
}

static void
words_release(struct words *words)
{
    for (unsigned i = 0; i < words->count; i++) {
        buf_release(&words->all[i].key);
        buf_release(&words->all[i].letters);
        buf_release(&words->all[i].squeezed);
    }
}

/* The side that a word stands for; both, if a game uses it for both. */
static uint32_t
side_of_word(const struct words *words, struct slice text)
{
    uint32_t sides = 0;

    for (unsigned i = 0; i < words->count; i++) {
        if (slice_equals(text, slice_of(&words->all[i].key))) {
            sides |= words->all[i].side;
        }
    }
    return sides;
}

/* R11: the side of another language's word. */
static uint32_t
side_of_foreign(const struct words *words, struct slice text)
{
    size_t count = sizeof foreign_words / sizeof foreign_words[0];

    for (size_t i = 0; words->vote && i < count; i++) {
        const char *word = foreign_words[i].word;
        if (slice_equals(text, (struct slice){word, strlen(word)})) {
            return foreign_words[i].side;
        }
    }
    return 0;
}

/* R6: the sides whose words stand in the text as whole words. */
static uint32_t
sides_mentioned(const struct words *words, struct slice text)
{
    uint32_t sides = 0;

    for (unsigned i = 0; i < words->count; i++) {
        if ((sides & words->all[i].side) == 0 &&
            slice_holds_word(text, slice_of(&words->all[i].key))) {
            sides |= words->all[i].side;
        }
    }
    return sides;
}

/* R7: is the text this word with a typing error? */
static bool
is_misspelt(struct slice text, const struct word *word)
{
    struct slice key = slice_of(&word->key);
    struct buf squeezed = BUF_INIT;

    add_squeezed(text, &squeezed);
    bool near = slice_equals(slice_of(&squeezed), slice_of(&word->squeezed));
    buf_release(&squeezed);

    struct slice bare = text;
    while (bare.len > 0 && bare.text[bare.len - 1] == '1') {
        bare.len--;
    }
    return near || slice_equals(bare, key) ||
           (slice_codepoints(key) >= SLIP_LETTERS &&
            name_is_slip(text.text, text.len, key.text, key.len));
}

/* Is it one word, without anything between its letters? */
static bool
is_single(struct slice core)
{
    for (size_t at = 0; at < core.len;) {
        int32_t codepoint = 0;
        at += letter_next(core.text, core.len, at, &codepoint);
        if (!letter_is_word(codepoint)) {
            return false;
        }
    }
    return core.len > 0;
}

/* R7: the sides whose words the text is close to. */
static uint32_t
sides_nearly(const struct words *words, struct slice text)
{
    struct slice core = slice_core(text);
    struct buf letters = BUF_INIT;
    bool single = is_single(core);
    uint32_t sides = 0;

    add_letters(text, &letters);
    for (unsigned i = 0; i < words->count; i++) {
        const struct word *word = &words->all[i];
        if (slice_equals(slice_of(&letters), slice_of(&word->letters)) ||
            (single && is_misspelt(core, word))) {
            sides |= word->side;
        }
    }
    buf_release(&letters);
    return sides;
}

/* R10: the word that the text only looks like; NULL: none. */
static const struct word *
word_disguised(const struct words *words, struct slice text)
{
    const struct word *found = NULL;
    struct buf skeleton = BUF_INIT;

    if (!name_has_foreign_letter(text.text, text.len)) {
        return NULL;
    }
    name_skeleton(text.text, text.len, &skeleton);
    struct slice look = slice_strip(slice_of(&skeleton));
    for (unsigned i = 0; i < words->count && found == NULL; i++) {
        if (slice_equals(look, slice_of(&words->all[i].key))) {
            found = &words->all[i];
        }
    }
    buf_release(&skeleton);
    return found;
}

/* ---- judging one stretch ------------------------------------------------- */

static struct finding
ask(uint32_t values, enum question_back question, const char *rule,
    const char *says)
{
    return (struct finding){
        .values = values, .question = question, .rule = rule, .says = says};
}

static struct finding
silence(const char *rule, const char *says)
{
    return (struct finding){.rule = rule, .says = says};
}

static struct finding
piece_of_word(void)
{
    return silence("R5", "is a piece of a longer word");
}

/* The text is exactly a vote word; whether it counts depends on what touches
 * it, then on its sentence. */
static struct finding
judge_clean(uint32_t side, enum edge edge, bool dm)
{
    switch (edge) {
    case EDGE_PIECE:
        return piece_of_word();
    case EDGE_QUESTION:
        return ask(side, ASK_NOT_ALONE, "R5", "has a question mark behind it");
    case EDGE_LABEL:
        return ask(side, ASK_NOT_ALONE, "R5",
                   "has a colon behind it, as in a tally of votes");
    case EDGE_FREE:
    case EDGE_COMMA:
        break;
    }
    if (dm) {
        return ask(side, ASK_DM, "R19",
                   "stands in a sentence that is talk, not an answer");
    }
    return (struct finding){.acts = true,
                            .values = side,
                            .rule = "R4",
                            .says = "is bold and exactly one of the words"};
}

/* The text is not a vote word; is it close to one? */
static struct finding
judge_unclean(const struct words *words, struct slice key,
              struct slice original)
{
    uint32_t sides = sides_mentioned(words, key);
    if (sides != 0) {
        return ask(sides, ASK_NOT_ALONE, "R6",
                   "has more in bold than one of the words alone");
    }
    /* The look of a letter is that of the text as posted. */
    const struct word *look = word_disguised(words, original);
    if (look != NULL) {
        struct finding finding =
            ask(look->side, ASK_DISGUISE, "R10",
                "has letters that only look like those of a word that counts");
        finding_set_word(&finding, slice_of(&look->key));
        return finding;
    }
    sides = side_of_foreign(words, key);
    if (sides != 0) {
        return ask(sides, ASK_OTHER_WORDS, "R11",
                   "is a vote in another language, not in this game's words");
    }
    sides = sides_nearly(words, key);
    if (sides != 0) {
        return ask(sides, ASK_NOT_ALONE, "R7",
                   "is only nearly one of the words");
    }
    return silence("R4", "is bold, but none of the words that count now");
}

/* R21: the side that a whole sentence stands for; 0: it is none. */
static uint32_t
side_of_sentence(const struct sentence *sentence, const struct stretch *stretch)
{
    const struct rich *post = sentence->post;
    const struct reading *reading = sentence->reading;
    bool asked = reading->phase == PHASE_VETO_PRESIDENT;
    enum formula yes = asked ? FORMULA_APPROVED : FORMULA_VETO;

    if (!asked && reading->phase != PHASE_VETO_CHANCELLOR) {
        return 0;
    }
    return stretch_is_formula(post, reading, stretch, yes) ? SIDE_YES
           : asked &&
                   stretch_is_formula(post, reading, stretch, FORMULA_DECLINED)
               ? SIDE_NO
               : 0;
}

/* A mention of a player called "Ja" is talk. */
static bool
has_mention(const struct rich *post, const struct stretch *stretch)
{
    unsigned marks = 0;

    for (size_t i = stretch->run; i < stretch->past; i++) {
        marks |= post->runs[i].marks;
    }
    return (marks & MARK_MENTION) != 0;
}

static struct finding
judge(const struct words *words, struct sentence *sentence,
      const struct stretch *stretch)
{
    const struct rich *post = sentence->post;
    struct slice original = {post->text.data + stretch->start, stretch->len};
    struct buf whole = BUF_INIT;
    struct finding finding;

    if (!stretch_says_something(post, stretch)) {
        return silence(NULL, NULL);
    }
    stretch_key(post, stretch, &whole);
    struct slice key = slice_strip(slice_of(&whole));
    uint32_t side = side_of_word(words, key);
    const char *rule = side != 0 ? "R4" : "R21";
    side = side != 0 ? side : side_of_sentence(sentence, stretch);
    enum edge edge = stretch_edge(post, stretch);
    if (stretch_is_turned(post, stretch)) {
        finding = ask(sides_mentioned(words, key), ASK_NOT_ALONE, "R10",
                      "has marks that turn the direction of writing");
    } else if (side != 0 && has_mention(post, stretch)) {
        finding = ask(side, ASK_NOT_ALONE, "R18",
                      "is a mention of somebody, not the word");
    } else if (side != 0) {
        bool dm = sentence_is_talk(sentence, stretch);
        finding = judge_clean(side, edge, dm);
        finding.rule = finding.acts ? rule : finding.rule;
    } else {
        finding = judge_unclean(words, key, original);
        /* If the text contains the whole word, the player is asked in any
         * case. */
        if (edge == EDGE_PIECE && sides_mentioned(words, key) == 0 &&
            finding.question != ASK_NONE) {
            finding = piece_of_word();
        }
    }
    buf_release(&whole);
    return finding;
}

/* ---- the post ------------------------------------------------------------ */

static void
set_kind(struct intent *intent, enum phase phase, uint32_t side)
{
    intent->yes = side == SIDE_YES;
    switch (phase) {
    case PHASE_VOTING:
    case PHASE_DM_BALLOT:
        intent->kind = INTENT_VOTE;
        break;
    case PHASE_VETO_CHANCELLOR:
        intent->kind = INTENT_VETO;
        break;
    case PHASE_VETO_PRESIDENT:
        intent->kind = INTENT_VETO_REPLY;
        break;
    case PHASE_NOMINATION:
    case PHASE_EXECUTIVE:
    case PHASE_DM_PRESIDENT:
    case PHASE_DM_CHANCELLOR:
        break;
    }
}

void
votes_read(const struct rich *post, const struct reading *reading,
           struct intent *intent, struct buf *why)
{
    struct words words;
    struct tally tally = {.acts = 0};
    struct sentence sentence;
    struct stretch stretch;
    size_t run = 0;

    words.count = 0;
    sentence_init(&sentence, post, reading);
    while (stretch_next(post, false, &run, &stretch)) {
        if (words.count == 0) { /* most posts have nothing in bold */
            words_init(&words, reading);
        }
        sentence_reach(&sentence, &stretch);
        struct finding finding = judge(&words, &sentence, &stretch);
        tally_add(&tally, &finding, &stretch);
        sentence_pass(&sentence, &stretch,
                      finding.acts || finding.question == ASK_DM);
    }
    sentence_release(&sentence);
    words_release(&words);
    switch (tally_conclude(&tally, post, intent, why)) {
    case OUTCOME_NONE:
        break;
    case OUTCOME_ACT:
        set_kind(intent, reading->phase, tally.acts);
        break;
    case OUTCOME_ASK:
        intent->kind = INTENT_AMBIGUOUS;
        break;
    case OUTCOME_BOTH:
        intent->kind = INTENT_AMBIGUOUS;
        intent->question = ASK_BOTH;
        buf_add_text(
            why,
            "R8: this post has both answers in bold, so neither was counted");
        break;
    }
}

void
votes_read_ballot(const struct rich *post, const struct reading *reading,
                  struct intent *intent, struct buf *why)
{
    struct words words;
    struct buf text = BUF_INIT;
    struct buf whole = BUF_INIT;

    words_init(&words, reading);
    intent_visible(post, &text);
    name_key(buf_text(&text), text.len, &whole);
    intent_set_text(intent, buf_text(&text), text.len);
    struct slice key = slice_strip(slice_of(&whole));
    uint32_t side = side_of_word(&words, key);
    if (values_count(side) == 1) {
        set_kind(intent, reading->phase, side);
        buf_add_text(why,
                     "D6: the message is exactly one vote word, so it counts");
    } else if (key.len == 0) {
        buf_add_text(why, "D6: there is nothing to read in the message");
    } else {
        intent->kind = INTENT_AMBIGUOUS;
        intent->question = ASK_BALLOT;
        buf_add_text(
            why,
            "D6: a ballot is one vote word and nothing else, so nothing was counted");
    }
    words_release(&words);
    buf_wipe(&text);
    buf_wipe(&whole);
}

/* ---- hints --------------------------------------------------------------- */

/*
 * Is there one side's word in a line with something around it as a vote has it:
 * marks before it, or its exclamation mark behind, if the line begins with the
 * word or is short?
 */
static bool
is_cried(const struct words *words, const struct reading *reading,
         const struct meant *line)
{
    struct slice raw = slice_of(&line->raw);
    bool begins = false;
    bool marked = false;
    bool cried = false;

    if (values_count(sides_mentioned(words, raw)) != 1) {
        return false;
    }
    for (size_t at = 0; at < raw.len && !marked && !cried; at++) {
        for (unsigned i = 0; i < words->count; i++) {
            struct slice word = slice_of(&words->all[i].key);
            if (slice_word_at(raw, at, word)) {
                const char *behind = raw.text + at + word.len;
                marked = at > 0 && strchr("*_`>]", raw.text[at - 1]) != NULL;
                cried = behind[strspn(behind, " ")] == '!';
                begins = slice_core(raw).text == raw.text + at;
            }
        }
    }
    return (marked && strchr(raw.text, '?') == NULL) ||
           (cried && (begins || !meant_is_talk(reading, line)));
}

/* Is a line only a vote word, whatever words about voting are around it, or has
 * it one that is cried; or is it nothing but such words and, behind them, a
 * player, "I vote for Bob"? */
static bool
is_vote(const struct words *words, const struct reading *reading,
        const struct meant *line)
{
    struct slice raw = slice_strip(slice_of(&line->raw));
    const char *list = buf_text(&line->words);
    struct slice word;
    struct slice last = {"", 0};
    unsigned others = 0;
    unsigned said = 0;
    unsigned player = 0;

    while (list_next(&list, &word)) {
        if (meant_is_voting(reading, word)) {
            said++;
        } else if (!slice_equals(word, last) &&
                   (said < 2 || !intent_find_player(reading, word.text,
                                                    word.len, &player))) {
            last = word;
            others++;
        }
    }
    said = memchr(raw.text, '?', raw.len) == NULL ? said : 0;
    return side_of_word(words, raw) != 0 ||
           (others == 1 && (sides_nearly(words, last) != 0 ||
                            side_of_foreign(words, last) != 0)) ||
           (others == 0 && (line->ordered || said > 1)) ||
           is_cried(words, reading, line);
}

/* Does it speak of the veto, or is it to answer it: with anything in bold, or
 * in one word? */
static bool
is_veto(const struct words *words, const struct reading *reading,
        const struct meant *line)
{
    struct slice text = slice_trim(slice_of(&line->words));
    bool answers = reading->phase == PHASE_VETO_PRESIDENT &&
                   ((line->marks & MARK_BOLD) != 0 ||
                    (text.len > 0 && memchr(text.text, ' ', text.len) == NULL));

    return strchr(buf_text(&line->raw), '?') == NULL &&
           (answers || sides_mentioned(words, text) != 0 ||
            slice_holds_word(text, (struct slice){"veto", strlen("veto")}));
}

enum slip
votes_nearly(const struct rich *post, const struct reading *reading)
{
    struct words words;
    struct meant line = {.run = 0};
    enum slip slip = SLIP_NONE;

    words_init(&words, reading);
    while (slip == SLIP_NONE && meant_next(post, reading, &line)) {
        if (words.vote ? is_vote(&words, reading, &line)
                       : is_veto(&words, reading, &line)) {
            slip = line.slip;
        }
    }
    meant_release(&line);
    words_release(&words);
    return slip;
}

/* Does a line that is no question say that somebody abstains: in bold, or
 * without much talk? */
static bool
is_abstention(const struct reading *reading, const struct meant *line)
{
    const char *list = buf_text(&line->words);
    bool bold = (line->marks & MARK_BOLD) != 0;
    struct slice word;
    bool abstains = false;

    while (!abstains && list_next(&list, &word)) {
        abstains =
            list_has(english_abstain, word) || list_has(reading->abstain, word);
    }
    return abstains && strchr(buf_text(&line->raw), '?') == NULL &&
           (bold || !meant_is_talk(reading, line));
}

bool
votes_guess(const struct rich *post, const struct reading *reading,
            struct intent *intent)
{
    struct slice whole =
        slice_strip((struct slice){buf_text(&post->text), post->text.len});
    struct words words;
    struct meant line = {.run = 0};
    struct stretch stretch;
    size_t run = 0;
    unsigned player = 0;
    bool abstains = false;
    bool votes = false;

    words_init(&words, reading);
    while (meant_next(post, reading, &line)) {
        abstains = abstains || is_abstention(reading, &line);
        votes = votes || is_vote(&words, reading, &line);
    }
    meant_release(&line);
    words_release(&words);
    bool bold = stretch_next(post, false, &run, &stretch) &&
                stretch.len >= whole.len &&
                (votes || is_single(slice_core(whole))) &&
                !intent_find_player(reading, whole.text, whole.len, &player);
    if (abstains || bold) {
        intent->kind = INTENT_AMBIGUOUS;
        intent->question = abstains ? ASK_ABSTAIN : ASK_OTHER_WORDS;
        intent_set_text(intent, whole.text, whole.len);
    }
    return abstains || bold;
}

bool
votes_has(const struct reading *reading, struct slice word)
{
    struct reading voting = *reading;
    struct words words;

    voting.phase = PHASE_VOTING;
    words_init(&words, &voting);
    bool found =
        side_of_word(&words, word) != 0 || side_of_foreign(&words, word) != 0;
    words_release(&words);
    return found;
}
