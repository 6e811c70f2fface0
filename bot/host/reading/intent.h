/*
 * What a post means: from rich text, the people at the table and the open
 * question to one act, or none, or a question back.  It never guesses.
 *
 * The rules with their reasons are in READING.md; their numbers (R0 … R21, D1 …
 * D7) are in every verdict. Pure: nothing is remembered here, and whether an
 * act is due or legal is for the referee and the engine to say.
 */
#ifndef BOT_HOST_READING_INTENT_H
#define BOT_HOST_READING_INTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"
#include "bot/base/buf.h"

/* What is being asked: the phases do not mix (R18). */
enum phase {
    PHASE_NOMINATION,
    PHASE_VOTING,
    PHASE_EXECUTIVE,
    PHASE_VETO_CHANCELLOR,
    PHASE_VETO_PRESIDENT,
    PHASE_DM_PRESIDENT,
    PHASE_DM_CHANCELLOR,
    PHASE_DM_BALLOT,
};

enum intent_kind {
    INTENT_NONE,
    INTENT_VOTE,     /* yes: Ja */
    INTENT_NOMINATE, /* player */
    INTENT_TARGET,   /* player */
    INTENT_VETO,
    INTENT_VETO_REPLY, /* yes: approved */
    INTENT_PASS,       /* card: the position that is *discarded* */
    INTENT_ENACT,      /* card: the position that is enacted */
    INTENT_AMBIGUOUS,  /* nothing counted; `question` tells what to answer */
};

/* Why an ambiguous post is ambiguous: the catalogue's key of the answer. */
enum question_back {
    ASK_NONE,
    ASK_BOTH,          /* both vote words in bold */
    ASK_NOT_ALONE,     /* sentence, question, label, typing error */
    ASK_DM,            /* bold in a sentence that is no vote */
    ASK_OTHER_WORDS,   /* another language's vote word */
    ASK_DISGUISE,      /* letters that only look like it */
    ASK_SEVERAL_NAMES, /* two players named */
    ASK_UNCLEAR_NAME,  /* whom? `players` lists candidates */
    ASK_UNKNOWN_NAME,  /* no such player */
    ASK_OWN_LINE,      /* a player's name, and more beside it */
    ASK_TALKED_ABOUT,  /* a player mentioned in a sentence that names nobody for
                          anything */
    ASK_SPOOFED,       /* the mention shows one player and points to another */
    ASK_CARDS,         /* which card is not clear */
    ASK_NOT_IN_HAND,   /* no such card in this hand */
    ASK_ABSTAIN,       /* as if there were abstaining */
    ASK_BALLOT,        /* a sealed ballot is one vote word, nothing else */
};

enum {
    INTENT_PLAYERS_MAX = 24,
    INTENT_WORDS_MAX = 8,
    INTENT_ALIASES_MAX = 8
};

/* What a word means in an answer by private message (D2 to D5). */
enum card_word {
    CARD_WORD_PLAIN, /* nothing, whatever it means in English */
    CARD_WORD_DISCARD,
    CARD_WORD_AWAY, /* the same, also right behind its card ("2 weg") */
    CARD_WORD_PASS, /* or enact: the card that is handed on */
    CARD_WORD_FASCIST,
    CARD_WORD_LIBERAL,
    CARD_WORD_ONE, /* counts directly before a party */
    CARD_WORD_TWO,
    CARD_WORD_THREE,
    CARD_WORD_NOT,
    CARD_WORD_NO, /* negates a veto */
    CARD_WORD_VETO,
    CARD_WORD_UNIT,   /* behind a number, which is then no card's ("in 2 hours")
                       */
    CARD_WORD_ELIDED, /* before an apostrophe: not part of the word behind it */
    CARD_WORDS
};

/* R20, R21: sentences that count as a whole. */
enum formula {
    FORMULA_OPENING, /* words that may stand before one with a name: "ok" */
    FORMULA_NOMINATION,
    FORMULA_POWER,
    FORMULA_SPECIAL, /* of the special election alone */
    FORMULA_VETO,
    FORMULA_APPROVED,
    FORMULA_DECLINED,
    FORMULAS
};

/* Somebody who can be named.  All borrowed for the call. */
struct nameable {
    const char *name;
    const char *id; /* the service's user id, for mentions; NULL: unknown */
    const char *aliases[INTENT_ALIASES_MAX];
    unsigned alias_count;
};

struct reading {
    enum phase phase;
    struct nameable players[INTENT_PLAYERS_MAX];
    unsigned player_count;
    const char *ja[INTENT_WORDS_MAX]; /* vote words; none: ja, nein */
    const char *nein[INTENT_WORDS_MAX];
    unsigned ja_count, nein_count;
    /* R17: the place's own words for the answer to a veto, separated by blanks;
     * NULL: English only. */
    const char *approved, *declined;
    /* R19, R12: the place's own words of each kind, blanks between, without
     * accents and in lower case, beside the English ones; NULL: English alone.
     * One that is part of a word, before or behind an apostrophe or a hyphen,
     * is met there too ("qu" in "qu'est-ce"). */
    const char *question; /* begin a question: "why", "did" */
    const char *doubt;    /* a negation or a condition: "never", "if" */
    const char *but;      /* what ends it: "but" */
    const char *naming;   /* name a player: "nominate", "shoot" */
    /* R20, R21: the place's own sentences beside the English ones, ";" between
     * them: words as in the lists above, "this|that" for either, "(this)" for
     * what may be left out, "X" for the name; NULL: English alone. */
    const char *formulas[FORMULAS];
    bool special;        /* PHASE_EXECUTIVE: it is a special election */
    const char *voting;  /* E9: stand around a vote: "i vote" */
    const char *abstain; /* E9: say that somebody abstains, as loose keys */
    const char *prefix;  /* of commands; NULL: there are none */
    /* D2: the place's own words of each meaning, separated by blanks, as their
     * loose keys (names.h), before the English ones; NULL: English only. */
    const char *cards[CARD_WORDS];
    /* R12: bold alone names a player, too, if it is alone on its line (where
     * people have no colour, or need none). */
    bool bold_names;
    /* R12: a bold mention names a player; with bold_names it always does. */
    bool mention_names;
    char hand[4]; /* the cards in the order shown, "FLF" */
};

struct intent {
    enum intent_kind kind;
    bool yes;
    bool formula;    /* named in a sentence (R20) */
    unsigned player; /* index in reading.players */
    unsigned card;   /* position in the hand as shown, from 0 */
    enum question_back question;
    unsigned players[3]; /* ambiguous names: the candidates; spoofed: whom the
                            mention shows, and to whom it points */
    unsigned player_count;
    char text[44 * 4 + 4]; /* what was read, at most 40 code points and "…",
                            * on one line, without characters nobody sees */
    char word[32];         /* disguise: the word it looks like */
};

/* Read a post.  `why` gets one line for a person, beginning with the rule's
 * number ("R4: “Ja!” is exactly a vote word"); for a private message it tells
 * nothing about the cards.  A post that its dialect left unread is an empty one
 * here: none (the caller tells R0). */
void intent_read(const struct rich *post, const struct reading *reading,
                 struct intent *intent, struct buf *why);

/* The result as `placard read` prints it: kind's name, and value ("ja",
 * a player's name, "FL"); false: the value is null. */
const char *intent_name(const struct intent *intent);
bool intent_value(const struct intent *intent, const struct reading *reading,
                  struct buf *value);

/*
 * Append what of a post can be an act: its text outside of quotes and other
 * excluded regions, what of it is bold or red, and the ids of those mentioned,
 * blanks and empty lines aside.  E1: two versions of a post that have the same
 * are no edit, for a service makes the rest anew when it likes: the HTML
 * around it, addresses of pictures, previews of links, the name that a mention
 * shows.  Not to be read by people.
 */
void intent_words(const struct rich *post, struct buf *words);

/* Whom a text names, as a command's argument: exactly, or loosely (R14),
 * without a leading "@".  False: nobody, or several. */
bool intent_find_player(const struct reading *reading, const char *name,
                        size_t len, unsigned *player);

/* E9: what keeps an attempt from being an act. */
enum slip {
    SLIP_NONE, /* it is no attempt */
    SLIP_TALK, /* it only talks about somebody */
    SLIP_UNBOLD,
    SLIP_BLACK,    /* bold, but not red */
    SLIP_THIN,     /* red, but not bold */
    SLIP_UNCLOSED, /* what begins the bold, or ends it, is missing */
    SLIP_MARKS,    /* marks that make nothing bold there */
    SLIP_CODE,
    SLIP_HIDDEN,  /* in a spoiler, or all of it quoted or struck */
    SLIP_COMMAND, /* given as a command */
};

/*
 * Is a post that was read as none an attempt at the act of its phase, in the
 * thread (E9), and what is wrong with it?  It is one if a line names or
 * mentions exactly one player, and no such line another (nomination, executive;
 * *player, or player_count: a command without a name); if a line is only a vote
 * word, of this game or of another language, nearly or whatever marks, emoji
 * and words about voting are around it; if a line that is no question speaks of
 * the veto or, as the president's, has something in bold or is one word.
 */
enum slip intent_nearly(const struct rich *post, const struct reading *reading,
                        unsigned *player);

/* Would a command with that word, as of intent_command, be an act of some
 * phase: "vote", "nominate", a player's name? */
bool intent_is_act_word(const struct reading *reading, const char *word);

/*
 * The same for a name that is nobody's, also if the post was asked about for
 * it: text in bold red or, where bold alone names, one word or a text near
 * somebody's name that is bold and alone on its line.  Turns the intent into
 * the question back, ASK_UNCLEAR_NAME with candidates or ASK_UNKNOWN_NAME.  In
 * a vote: a line that says that somebody abstains, ASK_ABSTAIN; or a post that
 * is all bold and one word, or nearly a vote, and nobody's name,
 * ASK_OTHER_WORDS.
 */
bool intent_guess(const struct rich *post, const struct reading *reading,
                  struct intent *intent);

/*
 * A command: a line of its own, outside quotes and code, that begins with the
 * prefix ("!", a letter right behind it) or with a mention of the bot (NULL:
 * its id is unknown).  `word` gets the first word case-folded without the
 * prefix, `rest` the trimmed rest of the line, with blanks for the regions cut
 * out of it. Commands are looked for from the line at *from on (0: the first),
 * which moves past the one found.
 */
bool intent_command(const struct rich *post, const char *prefix,
                    const char *bot_id, size_t *from, struct buf *word,
                    struct buf *rest);

/* Append a post without its mentions of the bot, which are no part of an act:
 * they say whom it is for. */
void intent_without_bot(const struct rich *post, const char *bot_id,
                        struct rich *rest);

/*
 * Does a post say one of these: is a line, or a part of it up to a mark, one of
 * the phrases or the word of the command alone ("/join", "hi, I'm in!"), or
 * stands the command, and no other, within a line?  Both lists are as in struct
 * reading, "" if there are none; a phrase is written as one word ("imin").
 */
bool intent_says(const struct rich *post, const char *prefix,
                 const char *command, const char *phrases);

#endif
