/*
 * Conduct at the table: who must keep silent, and what nobody may quote.
 *
 * There is a warning, once per person and question, counted for the moderators;
 * if the settings say so, such posts are deleted too.  What a post says is not
 * judged, only its form is.
 */
#ifndef BOT_HOST_JUDGE_CONDUCT_H
#define BOT_HOST_JUDGE_CONDUCT_H

#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"

/* Look at a post in the thread of a running game that was no act; `answered`:
 * its author has been told that nothing counted.  Votes by people not at the
 * table are counted too, and told once per question. */
void conduct_watch(struct ruling *ruling, const struct input *input,
                   bool answered);

/* Must the author of a reaction not react there?  The executed are silent in
 * every way. (A reaction from before the open question may be older than the
 * execution.)  The author is then warned as for a post. */
bool conduct_forbid(const struct table *table, const struct post *post);
void conduct_reacted(struct ruling *ruling, const struct post *post);

/* Look at a post that was read before, and has been edited.  Nothing changes;
 * an author whose vote would now be another is told so, once. */
void conduct_edited(struct ruling *ruling, const struct input *input);

#endif
