/*
 * The referee: turns what was posted into moves.
 *
 * referee_judge judges one post by a player of a running game: what it means
 * (bot/host/reading/intent.h), who wrote it, and whether it is asked for and in
 * time.  An act becomes a move on the ruling; an unclear post gets one short
 * answer.  Posts come in order of time, each once, and no timer of the table is
 * due before them (bot/tables/turns/deferred.c).
 */
#ifndef BOT_HOST_JUDGE_REFEREE_H
#define BOT_HOST_JUDGE_REFEREE_H

#include "adapters/adapter.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/press.h"
#include "bot/host/table/ruling.h"
#include "bot/host/words/vocabulary.h"

/* A post for the referee.  All borrowed. */
struct input {
    const struct post *post;
    const struct rich *rich;
    bool ordered; /* a command in it was obeyed */
    bool aside;   /* neither in the thread nor in a DM, but in the moderators'
                     place */
    bool moved;   /* it came to this thread after it was read elsewhere */
};

enum judgement {
    HEARD_NOTHING,  /* only conversation */
    HEARD_ACT,      /* it moved the game */
    HEARD_ANSWERED, /* nothing counted, and the author is told */
};

/* Set the words of a table's votes and vetoes, with which posts are read; the
 * reading borrows `words`. */
void referee_words(const struct ruling *ruling, struct vocabulary *words,
                   struct reading *reading);

/* Set who sits at a table, by all names under which posts may name them: beside
 * name and alias what they are called now, unless that is another's.  The
 * reading borrows the names. */
void referee_players(const struct table *table, struct reading *reading);

/* Judge a press that answers the question of a running game.  The first time it
 * is asked about; the presser is always answered. */
void referee_press(struct ruling *ruling, const struct input *input,
                   const struct press *press);

/* How a post was read with which nothing was done, as its author sits at no
 * running table there, or nothing was awaited of them. */
#define REFEREE_NO_PLAYER   "not a player of a running game"
#define REFEREE_NOT_AWAITED "nothing of that kind is awaited"

/* Judge a post of the thread or of the author's DM.  Append to `why` one line
 * for people that says how it was read. */
enum judgement referee_judge(struct ruling *ruling, const struct input *input,
                             struct buf *why);

/* Would a post that stands where the table was opened, beside its thread, be
 * the answer that is awaited of its author in that thread?  Show them the way,
 * once per question. */
void referee_show_way(struct ruling *ruling, const struct input *input);

#endif
