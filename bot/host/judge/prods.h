/*
 * Players nobody hears from: one private message, and later their names for the
 * moderators (the setting `prod`).
 */
#ifndef BOT_HOST_JUDGE_PRODS_H
#define BOT_HOST_JUDGE_PRODS_H

#include "bot/host/table/ruling.h"

/* When a user was last heard of before an instant: by a post in the thread, or
 * an act that shows in none; for a player, the deal or their coming at the
 * earliest; 0: never. */
int64_t prods_heard(const struct ruling *ruling, const char *user,
                    int64_t before);

/* Look who has been silent for too long, and when to look next. */
void prods_look(struct ruling *ruling);

#endif
