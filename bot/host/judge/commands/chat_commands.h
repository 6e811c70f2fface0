/*
 * Chat commands, and the sign-up, which is made of them.
 *
 * A command is on a line of its own and begins with the prefix.
 * chat_commands.c has one table of all commands; their words are in the
 * catalogue.
 */
#ifndef BOT_HOST_JUDGE_COMMANDS_CHAT_COMMANDS_H
#define BOT_HOST_JUDGE_COMMANDS_CHAT_COMMANDS_H

#include <stdbool.h>

#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"

/*
 * Obey the commands of a post.  ruling->table is the table of that thread (or
 * of the author's DM).  If there is none, it is a blank one with the place,
 * thread and settings of the place, and `next_id` is the id that a new table
 * gets.  True: there was a command.
 */
bool chat_commands_run(struct ruling *ruling, const struct input *input,
                       const char *next_id);

/* Obey a command that was given with a button, or as a slash command: by its
 * English word, with the rest of its line. */
void chat_commands_press(struct ruling *ruling, const struct input *input,
                         const char *word, const char *rest,
                         const char *next_id);

/* Tell the author of a post, where they wrote it, that they have had enough
 * answers until then. */
void chat_commands_enough(struct ruling *ruling, const struct input *input,
                          int64_t until);

/* Find the seat of the player whom a slash command names.  False: it names
 * nobody, or several, and its author is told. */
bool chat_commands_find(struct ruling *ruling, const struct input *input,
                        const char *name, unsigned *seat);

/* Pass a moderator's answer on to the player who asked. */
void chat_commands_pass_on(struct ruling *ruling, const struct input *input,
                           const char *user, const char *text);

/* What a post asks for, where no game is played: a new table, a seat at one
 * (`!join`, `!reserve`), or something else. */
enum called_for {
    CALLED_OTHER,
    CALLED_TABLE,
    CALLED_SEAT,
};
enum called_for chat_commands_call(const struct host_env *env,
                                   const struct rich *rich);

/* Take a post, or a private answer, during the ready check; append to `why` a
 * line that says how it was read.  True: it made a move. */
bool signup_take(struct ruling *ruling, const struct input *input,
                 struct buf *why);

/* Somebody has shown with a button that they are there.  False: nobody asked
 * them. */
bool signup_press(struct ruling *ruling, const struct post *post);

/* Note a player's new display name; posts are still read with the old names. */
void signup_name(struct ruling *ruling, const struct input *input);

/* Tell somebody who says during a sign-up that they want to play, but gives no
 * command, how to join: once. */
void signup_hint(struct ruling *ruling, const struct input *input);

/*
 * Answer somebody who writes in private before a game, or outside one, and to
 * whom nothing else was said: how to join, or how it goes on at the table where
 * they sit.  Once, until the next table is opened (`next_id`, as above).
 */
void signup_greet(struct ruling *ruling, const struct input *input,
                  const char *next_id);

/* Let timers fire: of a sign-up (TIMER_START, TIMER_CHECK), of a request that
 * lapses (TIMER_ASKED), and of a pause (TIMER_PAUSE). */
void signup_time(struct ruling *ruling);
/* Remind those who have joined that the game begins a day later, or those who
 * are not ready of the check. */
void signup_remind(struct ruling *ruling);
void moderators_time(struct ruling *ruling);
void moderators_end_pause(struct ruling *ruling);

/* Somebody's word for the ready check was delivered at `at`: if that was late,
 * the check goes on, so that they have an hour, or the time of a whole check.
 */
void ready_word_sent(struct ruling *ruling, const char *user, int64_t at);

/* Read how many may play: "7-10", "7"; false: it is none of that. */
bool chat_commands_players(const char *text, unsigned *least, unsigned *most);

#endif
