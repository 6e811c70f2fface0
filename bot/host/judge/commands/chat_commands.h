/*
 * The office: commands, and the sign-up that they make.
 *
 * A command stands on a line of its own and begins with the prefix.  What it
 * may be is one table in office.c; its words are the catalogue's.
 */
#ifndef BOT_HOST_JUDGE_COMMANDS_CHAT_COMMANDS_H
#define BOT_HOST_JUDGE_COMMANDS_CHAT_COMMANDS_H

#include <stdbool.h>

#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"

/*
 * Obey the commands of a post.  ruling->table is the table of that thread (or
 * of the author's talk); where there is none, a blank one whose place, thread
 * and settings are those of the place, and `next_id` is the id that a new
 * table gets.  True: there was a command.
 */
bool chat_commands_run(struct ruling *ruling, const struct input *input,
                       const char *next_id);

/* A moderator has answered a player's question: it is passed on. */
void chat_commands_pass_on(struct ruling *ruling, const struct input *input,
                           const char *user, const char *text);

/* Does a post ask for a new table? */
bool office_opens(const struct host_env *env, const struct rich *rich);

/* Hear a post during the ready check; `why` gets a line how it was read.  True:
 * it has moved the table. */
bool signup_take(struct ruling *ruling, const struct input *input,
                 struct buf *why);

/* Note what a player calls themself by now: names are frozen for reading. */
void signup_name(struct ruling *ruling, const struct input *input);

/* What comes of time passing at a sign-up (TIMER_START, TIMER_CHECK), and when
 * what was asked lapses (TIMER_ASKED). */
void signup_time(struct ruling *ruling);
void moderators_time(struct ruling *ruling);

#endif
