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

/* Pass a moderator's answer on to the player who asked. */
void chat_commands_pass_on(struct ruling *ruling, const struct input *input,
                           const char *user, const char *text);

/* Does a post ask for a new table? */
bool chat_commands_opens(const struct host_env *env, const struct rich *rich);

/* Take a post during the ready check; append to `why` a line that says how it
 * was read.  True: it made a move. */
bool signup_take(struct ruling *ruling, const struct input *input,
                 struct buf *why);

/* Note a player's new display name; posts are still read with the old names. */
void signup_name(struct ruling *ruling, const struct input *input);

/* Let timers fire: of a sign-up (TIMER_START, TIMER_CHECK), and of a request
 * that lapses (TIMER_ASKED). */
void signup_time(struct ruling *ruling);
void moderators_time(struct ruling *ruling);

#endif
