/*
 * A command while it runs, and its answers.  The files of this folder share it;
 * nobody else includes it.
 */
#ifndef BOT_HOST_JUDGE_COMMANDS_CHAT_COMMAND_H
#define BOT_HOST_JUDGE_COMMANDS_CHAT_COMMAND_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"
#include "bot/host/words/speech.h"

/* All borrowed, except the two buffers. */
struct chat_command {
    struct ruling *ruling;
    const struct input *input;
    const struct catalogue
        *table_catalogue; /* the ruling's; in private another may be used */
    const char *next_id;  /* of a game that this command may open */
    struct buf word;      /* the command, case-folded, without the prefix */
    struct buf rest;      /* of the line, trimmed */
    bool by_table;        /* a player asks the table, which moderates itself */
    bool confirmed; /* it was requested before, and has now been confirmed or
                       agreed to */
    unsigned
        asked_phase; /* the number of the question that was open at that time */
    unsigned asked;  /* the number of that request; 0: there was none */
    bool speaks;     /* something was begun to be said: */
    struct speech speech;
};

/* Is the author a player of a table that is not over?  May they moderate it? */
bool chat_by_player(const struct chat_command *chat);
bool chat_by_moderator(const struct chat_command *chat);

/* Begin what is said next, by one of the functions below: a speech about the
 * table, for parameters besides {player}, the author.  Borrowed until then. */
struct speech *chat_speech(struct chat_command *chat);

/* Give up what was begun, if anything was. */
void chat_end_speech(struct chat_command *chat);

/* Answer where the command was given: in the thread, or in the DM.  The
 * messages are borrowed until the next one is added. */
struct message *chat_answer(struct chat_command *chat, const char *key);
/* The same with a text as a parameter of that name. */
void chat_answer_with(struct chat_command *chat, const char *key,
                      const char *name, const char *text);
/* Answer that no table is open, or that it is unclear which one is meant. */
void chat_answer_none(struct chat_command *chat);
/* Answer what others have to see too: if no post shows the command, the thread
 * is told. */
struct message *chat_announce(struct chat_command *chat, const char *key);
/* Answer with a text, which is wiped. */
struct message *chat_answer_text(struct chat_command *chat, struct rich *text);
/* The same, with the command as given, cut short, as {word}. */
struct message *chat_answer_quoting(struct chat_command *chat, const char *key);
/* Say it in the thread, as speech_post does, without {player}. */
struct message *chat_post(struct chat_command *chat, const char *key);

/*
 * Ask for confirmation first.  A moderator confirms with `!yes 41`, where 41 is
 * the number of the request, so that it can't be mistaken for another.  At a
 * table that moderates itself, more than half of the others must agree.  `key`
 * says what will happen.  False: it was confirmed; do it now, and the speech
 * goes on.
 */
bool chat_must_wait(struct chat_command *chat, const char *key);
/* The same with the text of what will happen, which is borrowed. */
bool chat_must_wait_for(struct chat_command *chat, const struct rich *what);

/* Record what a moderator, or the table, has done.  `key` is a sentence, which
 * is posted too; in a game what came of it follows in the same post. */
void chat_tell(struct chat_command *chat, const char *key);

/* Find the seat of the player whom a text names.  False: it names nobody, or
 * several, and the author is told. */
bool chat_find_seat(struct chat_command *chat, const char *text, size_t len,
                    unsigned *seat);

/* Whose id that is, with or without the "@" of a mention, if anybody who has
 * it has been here; NULL: nobody.  Moderators count.  Borrowed from the text,
 * or for the moment. */
const char *chat_find_user(const struct chat_command *chat, const char *text);

/* May somebody be called that at this table, besides their own name?  If not,
 * say why. */
bool chat_alias_is_free(struct chat_command *chat, const char *name);
/*
 * Some names would deceive: one that reads like several in the host's lists or
 * sentences ("Anna, Bob", "Carl. Nein: Dora"), or like the host's or a
 * moderator's.
 */
bool chat_name_deceives(const struct chat_command *chat, const char *name);

/* Put what the author is called at this table into a move: their own name, to
 * which another player's alias gives way; if it would deceive, one that the
 * host chooses, with the move's number 1.  False: it is another's, or none, and
 * the author is told. */
bool chat_take_own_name(struct chat_command *chat, struct move *move);
/* If the host chose the name, ask for another, as chat_answer does. */
void chat_ask_for_name(struct chat_command *chat, const struct move *move);
/* Put a name in place of the one that the host chose into a move.  False: it is
 * another's, and the author is told. */
bool chat_take_given_name(struct chat_command *chat, const char *name,
                          struct move *move);

/* The player whose name the rest of a line begins with, the longest that fits;
 * *skip: its bytes, and those of what parts it from the next word.  NO_SEAT:
 * nobody's. */
unsigned chat_name_at_beginning(const struct chat_command *chat, size_t *skip);

/* Copy a text; if it is too long, cut it at the end of a character. */
void chat_keep_beginning(char *to, size_t size, const char *text);

/* Take the next word off the rest of the line into `word`, which is emptied
 * first; false: nothing is left. */
bool chat_next_word(struct chat_command *chat, struct buf *word);

/* Take the next option off a text.  Its value goes on until the next word that
 * has a `=`.  Quotation marks are removed, and what is within them is not
 * looked at. */
bool chat_next_option(const char **text, struct buf *option);

/* Read the length of time with which the rest of the line begins; or the
 * moment after now, where a day alone means that hour (in minutes after
 * midnight; -1: it is none).  Return the bytes read, or 0. */
size_t chat_read_length(const struct chat_command *chat, int64_t *length);
size_t chat_read_moment(const struct chat_command *chat, int hour,
                        int64_t *moment);
/* Read either, as the instant when something ends that begins now; a day alone
 * means its noon. */
size_t chat_read_end(const struct chat_command *chat, int64_t *until);

/* What follows those bytes.  Borrowed from the rest of the line. */
const char *chat_after(const struct chat_command *chat, size_t used);

/* Is that a word of the catalogue, the author's or the table's, or the English
 * one? */
bool chat_matches(const struct chat_command *chat, const char *word,
                  const char *key, const char *english);

/* Answer with the part that was not understood, cut short, as {part}; "":
 * all was, or nothing was said. */
void chat_answer_unread(struct chat_command *chat, const char *key,
                        const char *part);

/*
 * Find out which post a text means: by its id (with or without "#"), or by an
 * address as the host writes it or as people copy it.  The last part of an
 * address's path is the id, percent-encoded; there are also matrix: and
 * matrix.to, and phpBB's "?p=" and "#p107".  If it gives only the post's
 * position in its topic, as the address bars of NodeBB and Discourse do,
 * nothing is appended.
 */
enum meant {
    MEANT_NOTHING,
    MEANT_POST,
    MEANT_POSITION
};
enum meant chat_read_address(const char *text, struct buf *id);

/* Find the post that a command is about, by a link, an id, or ("") the post
 * that it replies to: one in the thread, or the author's own where they give
 * the command.  False, with an answer: unknown. */
bool chat_find_post(struct chat_command *chat, const char *text,
                    struct read_post *post);

/* The length of the quotation mark that a text begins with; 0: with none.
 * Phones and forums make curved ones of straight ones. */
size_t chat_quotation_mark(const char *text);

/* Begin a move of when the command was given; and one of its author. */
struct move chat_begin_move(const struct chat_command *chat,
                            enum move_kind kind);
struct move chat_move(const struct chat_command *chat, enum move_kind kind);

/* Confirm that it is done, by a reaction if the service has them. */
void chat_acknowledge(struct chat_command *chat);

/* ---- the commands, by the file they are in ------------------------------- */

/* signup.c */
void chat_new(struct chat_command *chat);
void chat_again(struct chat_command *chat);
void chat_join(struct chat_command *chat);
void chat_leave(struct chat_command *chat);
void chat_start(struct chat_command *chat);

void chat_reserve(struct chat_command *chat);
void chat_alias(struct chat_command *chat);

/* Set how many may play, "7-10", before the start: no fewer than have joined.
 * If the table is then full, the game begins. */
void chat_set_players(struct chat_command *chat, const char *value);

/* seats.c */
void chat_take_seat(struct chat_command *chat);
void chat_ask_replacement(struct chat_command *chat);
/* Give a seat to a person, with everything that its player knew. */
void chat_seat(struct chat_command *chat, unsigned seat, const char *user,
               const char *name);

/* moderators.c */
void chat_pause(struct chat_command *chat);
void chat_resume(struct chat_command *chat);
void chat_extend(struct chat_command *chat);
void chat_deadline(struct chat_command *chat);
void chat_vacate(struct chat_command *chat);
void chat_replace(struct chat_command *chat);
void chat_choose(struct chat_command *chat);
void chat_moderator(struct chat_command *chat);
void chat_end(struct chat_command *chat);
void chat_yes(struct chat_command *chat);
void chat_agree(struct chat_command *chat);

/* preferences.c */
void chat_zone(struct chat_command *chat);
void chat_remind(struct chat_command *chat);
void chat_emoji(struct chat_command *chat);

/* order.c */
void chat_flag(struct chat_command *chat);
void chat_warn(struct chat_command *chat);
void chat_warnings(struct chat_command *chat);

/* door.c */
void chat_block(struct chat_command *chat);
void chat_unblock(struct chat_command *chat);
/* May the author join games here?  If not, say why. */
bool chat_may_join(struct chat_command *chat);

/* settings.c */
void chat_set(struct chat_command *chat);
/* Answer that something can't be set, and why. */
void chat_refuse_setting(struct chat_command *chat, const char *problem);

/* mending.c */
void chat_undo(struct chat_command *chat);
void chat_void(struct chat_command *chat);
void chat_count(struct chat_command *chat);
void chat_why(struct chat_command *chat);

/* ready.c */
/* Take somebody off the reserve or, before the game, off the table. */
void chat_take_off(struct chat_command *chat, const char *user);
/* End sign-up: with the ready check, or at once if there is none. */
void ready_end_signup(struct ruling *ruling, int64_t at);
/* A person has joined during the check: send them their word, and give them at
 * least an hour. */
void ready_welcome(struct ruling *ruling, unsigned person);
/* Send somebody whom the check waits for their word again; false: it does not
 * wait for them. */
bool ready_repeat(struct ruling *ruling, const char *user);
/* A person has left during the check: as they were. */
void ready_left(struct ruling *ruling, const struct seat *left, int64_t at);
/* Begin with those who have answered, if there are enough. */
void ready_start(struct chat_command *chat);
void ready_deadline(struct chat_command *chat, int64_t until);

void chat_forget(struct chat_command *chat);

/* Send those who have not passed the ready check their words again. */
void signup_send_words(struct ruling *ruling);

/* Do what a command says, `chat->word` and `rest`, or answer that it can't be
 * done.  False: it is none, but meant as an act in the game ("!vote ja"), which
 * the referee judges. */
bool chat_obey(struct chat_command *chat);

/* Does a request for this command, "undo 1", have to be confirmed by its
 * number? Not what is easily put right. */
bool chat_needs_number(const struct chat_command *chat, const char *command);

/* fair.c */
void chat_fair(struct chat_command *chat);
void chat_luck(struct chat_command *chat);

/* catchup.c */
void chat_catchup(struct chat_command *chat);

/* plans.c */
void chat_plan(struct chat_command *chat);

/* gallery.c */
void chat_gallery(struct chat_command *chat);

/* stats.c */
void chat_stats(struct chat_command *chat);

/* claims.c */
void chat_claim(struct chat_command *chat);
/* Has a seat seen cards of which it may speak now? */
bool chat_may_claim(const struct table *table, unsigned seat);

/* questions.c */
void chat_status(struct chat_command *chat);
void chat_votes(struct chat_command *chat);
void chat_history(struct chat_command *chat);
void chat_report(struct chat_command *chat);
void chat_rules(struct chat_command *chat);
void chat_tips(struct chat_command *chat);
void chat_role(struct chat_command *chat);
void chat_away(struct chat_command *chat);
void chat_ask(struct chat_command *chat);
void chat_give_answer(struct chat_command *chat);
void chat_receipts(struct chat_command *chat);
void chat_language(struct chat_command *chat);
void chat_help(struct chat_command *chat);

#endif
