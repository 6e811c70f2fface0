/*
 * Slash commands: what one does at the table of its channel.
 *
 * A slash command is a press (POST_PRESSED) whose body is a slash, the
 * command's English word, and what was given with it: "/nominate Anna".  It is
 * judged as a post would be that says the same, and its author, and nobody
 * else, is always answered.
 */
#ifndef BOT_HOST_JUDGE_SLASH_H
#define BOT_HOST_JUDGE_SLASH_H

#include <stdbool.h>

#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/referee.h"

/* What a press asks for, where no game is played. */
enum called_for slash_call(const struct post *post);

/* Does one answer the open question, as a vote and a name do? */
bool slash_is_answer(const struct post *post);

/* Judge one, which MUST be the ruling's cause.  The table is that of the
 * channel, or a blank one; `next_id` is the id that a new one gets. */
void slash_judge(struct ruling *ruling, const struct input *input,
                 const char *next_id);

/* Answer one that was given where no games are hosted. */
void slash_elsewhere(struct ruling *ruling, const struct input *input);

#endif
