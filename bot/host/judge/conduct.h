/*
 * Conduct at the table: who must keep silent, and which messages nobody may
 * quote.
 *
 * Each person is warned once per question, and the moderators can see the
 * count; if the settings say so, such posts are deleted too.  Only the form of
 * a post is judged, not what it says.
 */
#ifndef BOT_HOST_JUDGE_CONDUCT_H
#define BOT_HOST_JUDGE_CONDUCT_H

#include "bot/host/judge/referee.h"
#include "bot/host/table/ruling.h"

/* Look at a post in the thread of a running game that was not an act;
 * `answered`: its author has been told that nothing counted.  Votes by people
 * who are not at the table are counted too, and get one answer per question. */
void conduct_watch(struct ruling *ruling, const struct input *input,
                   bool answered);

/* Is the author of a reaction not allowed to react there?  The executed must
 * keep silent in every way.  (A reaction from before the open question may be
 * older than the execution.) conduct_reacted then warns the author, as for a
 * post. */
bool conduct_forbid(const struct table *table, const struct post *post);
void conduct_reacted(struct ruling *ruling, const struct post *post);

/* Look at a post that was edited after it was read.  Nothing changes; an author
 * whose vote would now be different is told once that it is not. */
void conduct_edited(struct ruling *ruling, const struct input *input);

#endif
