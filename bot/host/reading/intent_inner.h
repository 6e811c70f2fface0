/*
 * What the files of the intent share: stretches of bold text, what is found in
 * each, and the tally of one post (READING.md R3, R5, R8).  For intent*.c only.
 */
#ifndef BOT_HOST_READING_INTENT_INNER_H
#define BOT_HOST_READING_INTENT_INNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/host/reading/intent.h"

/* R3: bold text on one line, outside all excluded regions, as long as it
 * continues; if colour matters, red and not red separate it. */
struct stretch {
    size_t run, past;  /* its runs in the post: the first, one past the last */
    size_t start, len; /* in the post's text */
    bool red;
};

/* The next stretch from run *run on, which moves past it; false: no more. */
bool stretch_next(const struct rich *post, bool by_colour, size_t *run,
                  struct stretch *stretch);

/* R5: what touches a stretch on its line. */
enum edge {
    EDGE_FREE,
    EDGE_PIECE,    /* it is a piece of a longer word */
    EDGE_QUESTION, /* a question mark behind */
    EDGE_LABEL,    /* a colon behind, then a blank or nothing */
    EDGE_COMMA,    /* a comma behind */
};
enum edge stretch_edge(const struct rich *post, const struct stretch *stretch);

/* Is there nothing else on its line but blanks, the marks of R4 and excluded
 * regions? */
bool stretch_is_alone(const struct rich *post, const struct stretch *stretch);

/* R3: does it contain a letter, digit or symbol? */
bool stretch_says_something(const struct rich *post,
                            const struct stretch *stretch);

/* R10: does it contain a mark that overrides the direction of writing? */
bool stretch_is_turned(const struct rich *post, const struct stretch *stretch);

/* Append the comparison key of a stretch. */
void stretch_key(const struct rich *post, const struct stretch *stretch,
                 struct buf *key);

/* A position between two characters of a post. */
struct spot {
    const struct rich *post;
    size_t run; /* of the character behind it */
    size_t at;
};

enum {
    LINE_END = -1, /* beyond the last character of the line */
    CUT_OUT = -2,  /* an excluded region, or a thing that is no text */
};

/* Where the line of a stretch begins; false: more than so many characters
 * before it. */
bool spot_line_begin(const struct rich *post, const struct stretch *stretch,
                     unsigned most, struct spot *begin);

/* Right behind a stretch. */
struct spot spot_behind(const struct rich *post, const struct stretch *stretch);

/* The next character on the line, moving past it: LINE_END (it stays there),
 * CUT_OUT (in one step for the whole run), or the plain form of what it is. */
int32_t spot_step(struct spot *spot);

/* One of the marks that may stand around a vote word (R4)? */
bool letter_is_free_mark(int32_t codepoint);

/*
 * R19: the sentence in which a stretch stands.  It begins after ". ! ? …", the
 * end of a line or an excluded region, and ends with the next of these; marks
 * that touch the stretch neither begin nor end one.  A reader goes through the
 * post once: sentence_reach for each stretch in order, then sentence_pass.
 */
struct sentence {
    const struct rich *post;
    const struct reading *reading;
    struct spot here; /* what stands before it has been read */
    struct buf word;  /* the word that it stands in, if any */
    bool ending;      /* the marks that end a sentence are right before it */
    bool begun;       /* there is a word in the sentence */
    bool question;    /* it begins as a question does */
    bool doubted;     /* a negation or a condition holds here */
    bool named;       /* it contains a word that names somebody */
    size_t end;       /* where the sentence ends, as far as known */
    bool asks;        /* and whether it ends with a question mark */
};

void sentence_init(struct sentence *sentence, const struct rich *post,
                   const struct reading *reading);
void sentence_release(struct sentence *sentence);

/* Read up to a stretch. */
void sentence_reach(struct sentence *sentence, const struct stretch *stretch);

/* Move past the stretch that was reached; if it acts, the marks in and behind
 * it end nothing. */
void sentence_pass(struct sentence *sentence, const struct stretch *stretch,
                   bool acts);

/* R19: is the stretch that was reached only mentioned, and not said? */
bool sentence_is_talk(struct sentence *sentence, const struct stretch *stretch);

/* R12: is it alone in its sentence? */
bool sentence_is_alone(const struct sentence *sentence,
                       const struct stretch *stretch);

/* R20: is the line one of these formulas, with the stretch as its name?  R21,
 * of the formulas for a veto: is the stretch, or its line if all of it is bold?
 */
bool stretch_is_formula(const struct rich *post, const struct reading *reading,
                        const struct stretch *stretch, enum formula formula);

/* A piece of a key, borrowed. */
struct slice {
    const char *text;
    size_t len;
};

struct slice slice_of(const struct buf *key);
bool slice_equals(struct slice one, struct slice other);
/* R4: remove blanks and "! . ¡ ❗ ❕" from both ends. */
struct slice slice_strip(struct slice key);
struct slice slice_trim(struct slice text); /* without blanks at both ends */
/* Remove what is before the first and after the last letter, digit or mark. */
struct slice slice_core(struct slice key);
/* Does the word stand at `at`, as a whole word? */
bool slice_word_at(struct slice key, size_t at, struct slice word);
/* Is it there anywhere? */
bool slice_holds_word(struct slice key, struct slice word);
size_t slice_codepoints(struct slice key);

/* A list is words with blanks between; NULL is an empty one.  Take its next
 * word off it; false: there is none. */
bool list_next(const char **list, struct slice *word);
bool list_has(const char *list, struct slice word);

/* R12, R19: is it one of the language's words, or an English one, that names
 * somebody, or doubts? */
bool word_is_naming(const struct reading *reading, struct slice word);
bool word_is_doubt(const struct reading *reading, struct slice word);

/*
 * E9: a line of a post as its author meant it: all that is seen of it outside
 * quotes and struck text.  Zeroed, it is before the first one.
 */
struct meant {
    size_t run, at;     /* where the next line begins */
    struct buf raw;     /* the key of the line; of a vote without mentions */
    struct buf words;   /* the loose keys of its words, blanks between, but of
                           those of one letter and "@names" */
    unsigned marks;     /* those of all of it */
    uint32_t mentioned; /* the players */
    bool names;         /* it is to name somebody */
    bool excluded;      /* all of the post is in regions that are cut out */
    bool ordered;       /* it begins as a command does */
    enum slip slip;     /* what is wrong with it if it was meant as an act */
};

/* Move to the next line; false: no more. */
bool meant_next(const struct rich *post, const struct reading *reading,
                struct meant *line);
void meant_release(struct meant *line);

/* Is it a word that people put around a vote? */
bool meant_is_voting(const struct reading *reading, struct slice word);

/* Does a line that names somebody only talk about them: a question, a doubt, or
 * many words and none that names? */
bool meant_is_talk(const struct reading *reading, const struct meant *line);

/* What one stretch says: it is an act, or a reason to ask back, or nothing. */
struct finding {
    bool acts;
    bool formula;                /* by R20 */
    uint32_t values;             /* bit per value: a side of a vote, a player */
    enum question_back question; /* ASK_NONE: it acts, or is silent */
    const char *rule, *says;     /* for `why`; NULL: nothing worth telling */
    unsigned shown, pointed;     /* ASK_SPOOFED */
    char word[32];               /* ASK_DISGUISE */
};

void finding_set_word(struct finding *finding, struct slice word);

/* Write why the text in the intent was read this way, as a line for a
 * person. */
void finding_explain(const struct finding *finding, const struct intent *intent,
                     struct buf *why);

/* R8: all findings of one post. */
struct tally {
    uint32_t acts, dms;
    bool unclear; /* asked about, without a value */
    unsigned asked;
    /* The first of each kind, and where; rule NULL: there is none. */
    struct finding act, ask, silent;
    struct stretch act_at, ask_at, silent_at;
};

void tally_add(struct tally *tally, const struct finding *finding,
               const struct stretch *stretch);

/* What follows from it.  Fills the intent's text, question (of one finding) and
 * word, and `why`; OUTCOME_BOTH: two values, `why` is left to the caller. */
enum outcome {
    OUTCOME_NONE,
    OUTCOME_ACT,
    OUTCOME_ASK,
    OUTCOME_BOTH
};
enum outcome tally_conclude(const struct tally *tally, const struct rich *post,
                            struct intent *intent, struct buf *why);

/* How many values there are in a set. */
unsigned values_count(uint32_t values);

/* Put what was read into the intent, shortened. */
void intent_set_text(struct intent *intent, const char *text, size_t len);

/* D1: append all text outside excluded regions, which leave a blank. */
void intent_visible(const struct rich *post, struct buf *text);

/* One name or alias of a player, in the three ways of comparing. */
struct known {
    struct buf key, loose, skeleton;
    unsigned player;
};

/* Everything that people at the table are called.  A set of players has a bit
 * for each, by index in reading.players. */
struct names {
    const struct reading *reading;
    struct known all[INTENT_PLAYERS_MAX * (1 + INTENT_ALIASES_MAX)];
    unsigned count;
};

void names_init(struct names *names, const struct reading *reading);
void names_release(struct names *names);

/* The same as names_init for names whose count is 0; else nothing.  Most posts
 * have nothing in bold, and need no names. */
void names_need(struct names *names, const struct reading *reading);

uint32_t player_bit(unsigned player);
unsigned players_first(uint32_t players); /* MUST NOT be empty */

struct slice name_without_at(struct slice key);
/* R14 (1): whose name is this key? */
uint32_t players_exactly(const struct names *names, struct slice key);
/* R14: the players whom the key (without "@") names; if there are several, it
 * is ambiguous. */
uint32_t players_named(const struct names *names, struct slice key);
/* R16: those named in it as whole words, the longest names first; those whose
 * name it begins, if it has so many code points; those whose name it is but
 * for one slip; those whose name it looks like. */
uint32_t players_contained(const struct names *names, struct slice key);
uint32_t players_begun(const struct names *names, struct slice key,
                       size_t least);
uint32_t players_misspelt(const struct names *names, struct slice key);
uint32_t players_alike(const struct names *names, struct slice text);
/* E9: those of whose name it begins any word, or is one slip away from: whom to
 * ask about where nobody is named. */
uint32_t players_near(const struct names *names, struct slice key);
/* The player with a user id; player_count: nobody. */
unsigned player_with_id(const struct reading *reading, const char *id,
                        size_t len);

/* The phases' readers. */
void votes_read(const struct rich *post, const struct reading *reading,
                struct intent *intent, struct buf *why);
void votes_read_ballot(const struct rich *post, const struct reading *reading,
                       struct intent *intent, struct buf *why);
enum slip votes_nearly(const struct rich *post, const struct reading *reading);
/* Does the post speak of abstaining, or is all of it bold and one word, or
 * nearly a vote, and nobody's name?  Then it was meant as a vote: turns the
 * intent into the question back. */
bool votes_guess(const struct rich *post, const struct reading *reading,
                 struct intent *intent);
/* Is it a vote word, of this game or of another language? */
bool votes_has(const struct reading *reading, struct slice word);
void names_read(const struct rich *post, const struct reading *reading,
                struct intent *intent, struct buf *why);
enum slip names_nearly(const struct rich *post, const struct reading *reading,
                       unsigned *player);
bool names_guess(const struct rich *post, const struct reading *reading,
                 struct intent *intent);
void cards_read(const struct rich *post, const struct reading *reading,
                struct intent *intent, struct buf *why);

#endif
