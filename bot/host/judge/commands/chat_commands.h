/*
 * Chat commands, and the sign-up, which is made of them.
 *
 * A command is on a line of its own and begins with the prefix.  Which commands
 * there are is one table in chat_commands.c; their words are in the catalogue.
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

/* A moderator has answered a player's question: pass the answer on. */
void chat_commands_pass_on(struct ruling *ruling, const struct input *input,
                           const char *user, const char *text);

/* Does a post ask for a new table? */
bool chat_commands_opens(const struct host_env *env, const struct rich *rich);

/* Take a post during the ready check; `why` gets a line that says how it was
 * read. True: it has moved the table. */
bool signup_take(struct ruling *ruling, const struct input *input,
                 struct buf *why);

/* Note what a player calls themself now: for reading, names are frozen. */
void signup_name(struct ruling *ruling, const struct input *input);

/* What the passing of time does at a sign-up (TIMER_START, TIMER_CHECK), and
 * when a request lapses (TIMER_ASKED). */
void signup_time(struct ruling *ruling);
void moderators_time(struct ruling *ruling);

#endif
