/*
 * Order at the table: who keeps silent, and what nobody quotes.
 *
 * A warning, once per person and question, counted for the moderators; where
 * it is set so, such posts are deleted too.  What a post says is not weighed:
 * the form alone is.
 */
#ifndef BOT_HOST_JUDGE_CONDUCT_H
#define BOT_HOST_JUDGE_CONDUCT_H

#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"

/* Look at a post in the thread of a running game that was no act; `answered`:
 * its author has been told that nothing counted.  Votes by people not at the
 * table are counted too, and told once a question. */
void conduct_watch(struct ruling *ruling, const struct input *input,
                   bool answered);

/* May the author of a reaction not react there: the executed are silent in
 * every way (one from before the open question may be older than that).  Then
 * it is warned of as speech is. */
bool conduct_forbid(const struct table *table, const struct post *post);
void conduct_reacted(struct ruling *ruling, const struct post *post);

/* Look at a post that was read before, and has been edited: nothing changes,
 * and one that would have another vote is told so, once. */
void conduct_edited(struct ruling *ruling, const struct input *input);

#endif
