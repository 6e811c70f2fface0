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
};

/* Is the author a player of a table that is not over?  May they moderate it? */
bool chat_by_player(const struct chat_command *chat);
bool chat_by_moderator(const struct chat_command *chat);

/* Answer where the command was given: in the thread, or in the DM.  The
 * messages are borrowed until the next one is added. */
struct message *chat_answer(struct chat_command *chat, const char *key);
/* Answer that no table is open, or that it is unclear which one is meant. */
void chat_answer_none(struct chat_command *chat);
/* The same with the parameters of a speech; {player} is the author. */
struct message *chat_answer_speech(struct chat_command *chat,
                                   struct speech *speech, const char *key);
/* The same with a text, which is wiped. */
struct message *chat_answer_text(struct chat_command *chat, struct rich *text);
/* The same, with the command as given, cut short, as {word}. */
struct message *chat_answer_quoting(struct chat_command *chat, const char *key);

/*
 * Ask for confirmation first.  A moderator confirms with `!yes 41`, where 41 is
 * the number of the request, so that it can't be mistaken for another.  At a
 * table that moderates itself, more than half of the others must agree.  `key`
 * says what will happen.  False: it was confirmed; do it now.
 */
bool chat_must_wait(struct chat_command *chat, struct speech *speech,
                    const char *key);

/* Record what a moderator, or the table, has done.  `key` is a sentence of the
 * speech, which is posted too. */
void chat_tell(struct chat_command *chat, struct speech *speech,
               const char *key);

/* Find the seat of the player whom a text names.  False: it names nobody, or
 * several, and the author is told. */
bool chat_find_seat(struct chat_command *chat, const char *text, size_t len,
                    unsigned *seat);

/* Is a name free at this table?  If not, say so; warn about a look-alike. */
bool chat_name_is_free(struct chat_command *chat, const char *name);
/* The same for a person's own name: another player's alias gives way to it. */
bool chat_own_name_is_free(struct chat_command *chat, const char *name);

/* Take the next word off the rest of the line into `word`, which is emptied
 * first; false: nothing is left. */
bool chat_next_word(struct chat_command *chat, struct buf *word);

/*
 * Find out which post a text means: by its id (with or without "#"), or by an
 * address as the host writes it or as people copy it.  The last part of an
 * address's path is the id, percent-encoded; there are also matrix: and
 * matrix.to, and phpBB's "?p=".  If it gives only the post's position in its
 * topic, as the address bars of NodeBB and Discourse do, nothing is appended.
 */
enum meant {
    MEANT_NOTHING,
    MEANT_POST,
    MEANT_POSITION
};
enum meant chat_read_address(const char *text, struct buf *id);

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
void chat_seat(struct chat_command *chat, unsigned seat,
               const struct person *person);

/* moderators.c */
void chat_pause(struct chat_command *chat);
void chat_resume(struct chat_command *chat);
void chat_extend(struct chat_command *chat);
void chat_deadline(struct chat_command *chat);
void chat_vacate(struct chat_command *chat);
void chat_replace(struct chat_command *chat);
void chat_choose(struct chat_command *chat);
void chat_moderator(struct chat_command *chat);
void chat_warnings(struct chat_command *chat);
void chat_end(struct chat_command *chat);
void chat_yes(struct chat_command *chat);
void chat_agree(struct chat_command *chat);

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
/* End sign-up: with the ready check, or at once if there is none. */
void ready_end_signup(struct ruling *ruling, int64_t at);
/* A person has joined during the check: send them their word, and give them at
 * least an hour. */
void ready_welcome(struct ruling *ruling, unsigned person);
/* A person has left during the check. */
void ready_left(struct ruling *ruling, int64_t at);
/* Begin with those who have answered, if there are enough. */
void ready_start(struct chat_command *chat);
void ready_deadline(struct chat_command *chat, int64_t until);

/* Send those who have not passed the ready check their words again. */
void signup_send_words(struct ruling *ruling);

/* Do what a command says: `chat->word` and `rest`.  False: there is no such
 * command. */
bool chat_obey(struct chat_command *chat);

/* fair.c */
void chat_fair(struct chat_command *chat);
void chat_luck(struct chat_command *chat);

/* questions.c */
void chat_status(struct chat_command *chat);
void chat_votes(struct chat_command *chat);
void chat_history(struct chat_command *chat);
void chat_report(struct chat_command *chat);
void chat_rules(struct chat_command *chat);
void chat_role(struct chat_command *chat);
void chat_claim(struct chat_command *chat);
void chat_away(struct chat_command *chat);
void chat_ask(struct chat_command *chat);
void chat_give_answer(struct chat_command *chat);
void chat_receipts(struct chat_command *chat);
void chat_language(struct chat_command *chat);
void chat_help(struct chat_command *chat);

#endif
